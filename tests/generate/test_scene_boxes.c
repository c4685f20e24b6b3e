/* tests/generate/test_scene_boxes.c: counts of bodies and contacts, and what stands still. */
#include "generate_support.h"

START_TEST(counts)
{
    for (int n = 1; n <= 12; n++) {
        perp_arena a = {0};
        perp_rigid s = scene_make("boxes", n, 1, 1, &a);
        ck_assert(s.contacts == n && s.bodies == 2 + n / 4);
        s = scene_make("stack", n, 1, 1, &a);
        ck_assert(s.bodies == n && s.contacts == 4 * n);
        s = scene_make("tower", n, 1, 1, &a);
        ck_assert(s.bodies == 2 * n && s.contacts == 8 + 16 * (n - 1));
        s = scene_make("wall", n, 1, 1, &a);
        ck_assert(s.bodies == n * n + n / 2);
        ck_assert_int_eq(s.contacts, 4 * (n * (n - 1) + n / 2 + n + 2 * n * (n - 1)));
        s = scene_make("incline", n, 1, 1, &a);
        ck_assert(s.bodies == n && s.contacts == 8 * n - 4);
        s = scene_make("plate", n, 1, 1, &a);
        ck_assert(s.bodies == 1 && s.contacts == n);
        perp_arena_free(&a);
    }
    perp_arena a = {0};
    perp_rigid s = scene_make("stack", 1000, 1, 1, &a);
    ck_assert(s.bodies == 1000 && s.contacts == 4000);
    perp_arena_free(&a);
}
END_TEST

START_TEST(at_rest)
{
    for (int n = 1; n <= 10; n += 3) check_at_rest("stack", n, PERP_RIGID_FORM_LCP);
    check_at_rest("stack", 4, PERP_RIGID_FORM_LCP_FACETS);
    for (int n = 1; n <= 5; n += 2) check_at_rest("tower", n, PERP_RIGID_FORM_LCP);
    for (int n = 1; n <= 4; n++) check_at_rest("wall", n, PERP_RIGID_FORM_LCP);
    check_at_rest("wall", 3, PERP_RIGID_FORM_LCP_FACETS);
    for (int n = 1; n <= 5; n += 2) check_at_rest("incline", n, PERP_RIGID_FORM_LCP_FACETS);
}
END_TEST

/* A heavy cube on light ones: the floor carries it. */
START_TEST(heavy_on_light)
{
    perp_arena a = {0};
    perp_rigid s = scene_make("stack", 3, 1, 1000, &a);
    double *v, *r;
    ck_assert(s.body[2].mass == 1000 && s.body[0].mass == 1 && s.body[1].mass == 1);
    scene_solve(&s, PERP_RIGID_FORM_LCP, &a, &v, &r);
    ck_assert(fabs(scene_support(&s, r) - 1002 * 9.81 * s.dt) < 1e-6);
    perp_arena_free(&a);
}
END_TEST

/* Walls have mass everywhere alike: half bricks weigh half. */
START_TEST(wall_volume)
{
    perp_arena a = {0};
    for (int n = 2; n <= 6; n++) {
        perp_rigid s = scene_make("wall", n, 1, 1, &a);
        double mass = 0;
        for (int k = 0; k < s.bodies; k++) mass += s.body[k].mass;
        ck_assert(mass >= 2 * n * n && mass <= 2.2 * n * n);
    }
    perp_arena_free(&a);
}
END_TEST

/* The plate is pushed with at most 0.71 of its weight, and slides where that is more than mu. */
START_TEST(plate_slides)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        perp_arena a = {0};
        perp_rigid s = scene_make("plate", 30, seed, 1, &a);
        double *v, *r, push = hypot(s.body[0].force[0], s.body[0].force[1]);
        scene_solve(&s, PERP_RIGID_FORM_LCP_FACETS, &a, &v, &r);
        ck_assert(fabs(scene_support(&s, r) - scene_weight(&s) * s.dt) < 1e-9);
        if (push > 0.3 * scene_weight(&s)) ck_assert(hypot(v[0], v[1]) > 1e-6);
        perp_arena_free(&a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("generate_scene_boxes");
    TCase *t = tcase_create("generate_scene_boxes");
    tcase_add_test(t, counts);
    tcase_add_test(t, at_rest);
    tcase_add_test(t, heavy_on_light);
    tcase_add_test(t, wall_volume);
    tcase_add_test(t, plate_slides);
    suite_add_tcase(s, t);
    return support_run(s);
}
