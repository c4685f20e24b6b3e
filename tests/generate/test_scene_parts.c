/* tests/generate/test_scene_parts.c: bodies and contacts, worked by hand. */
#include "generate/scene_parts.h"
#include "generate_support.h"

static scene start(perp_arena *a, generator *g)
{
    scene s = {.mu = 0.5, .ratio = 100, .g = g, .a = a};
    ck_assert(scene_room(&s, 4, 8, 2));
    return s;
}

START_TEST(bodies)
{
    perp_arena a = {0};
    generator g = generator_start(1);
    scene s = start(&a, &g);
    const double half[3] = {1, 2, 3}, at[3] = {4, 5, 6};
    ck_assert_int_eq(scene_add_box(&s, 2, half, at, NULL), 0);
    const perp_body *b = &s.body[0];
    ck_assert(b->mass == 96 && b->force[2] == -9.81 * 96 && b->position[1] == 5);
    ck_assert(b->inertia[0] == 32 * 13. && b->inertia[4] == 32 * 10. && b->inertia[8] == 32 * 5.);
    ck_assert_int_eq(scene_add_sphere(&s, 3, 0.5, at), 1);
    ck_assert(fabs(s.body[1].mass - acos(-1) / 2) < 1e-15);
    ck_assert(fabs(s.body[1].inertia[8] - acos(-1) / 20) < 1e-15);
    scene_make_heavy(&s, 0);
    ck_assert(b->mass == 9600 && b->force[2] == -9.81 * 96 * 100 && b->inertia[0] == 41600);
    for (int k = 0; k < 1000; k++) {
        double density = scene_random_density(&s);
        ck_assert(density >= 1 && density <= 100);
    }
    perp_arena_free(&a);
}
END_TEST

/* Two boxes, the upper shifted by half: the corners of what they share. */
START_TEST(touching)
{
    perp_arena a = {0};
    generator g = generator_start(1);
    scene s = start(&a, &g);
    const double half[3] = {1, 1, 1}, low[3] = {0, 0, 1}, high[3] = {1, 0, 3};
    scene_add_box(&s, 1, half, low, NULL);
    scene_add_box(&s, 1, half, high, NULL);
    scene_touch(&s, 2, 1, half, 0, half);
    scene_touch(&s, 2, 0, half, -1, NULL);
    ck_assert_int_eq(s.contacts, 8);
    double sum[3] = {0};
    for (int k = 0; k < 4; k++) {
        const perp_contact *c = &s.contact[k];
        ck_assert(c->a == 1 && c->b == 0 && c->point[2] == 2 && c->normal[2] == 1);
        ck_assert((c->point[0] == 0 || c->point[0] == 1) && fabs(c->point[1]) == 1);
        for (int i = 0; i < 2; i++) sum[i] += c->point[i];
    }
    ck_assert(sum[0] == 2 && sum[1] == 0);
    ck_assert(s.contact[4].b == -1 && s.contact[4].point[2] == 0);
    ck_assert(s.contact[7].point[0] == 1 && s.contact[7].point[1] == 1);
    perp_arena_free(&a);
}
END_TEST

START_TEST(rotations)
{
    generator g = generator_start(1);
    const double quarter[4] = {sqrt(0.5), 0, 0, sqrt(0.5)}, x[3] = {1, 2, 3};
    double y[3], expected[3] = {-2, 1, 3};
    scene_rotate(quarter, x, y);
    ck_assert(difference(3, y, expected) < 1e-15);
    for (int k = 0; k < 1000; k++) {
        double q[4];
        scene_random_rotation(&g, q);
        ck_assert(fabs(plain_norm(4, q) - 1) < 1e-15);
        scene_rotate(q, x, y);
        ck_assert(fabs(plain_norm(3, y) - sqrt(14)) < 1e-14);
    }
}
END_TEST

START_TEST(too_much)
{
    perp_arena a = {0};
    scene s = {.a = &a};
    ck_assert(!scene_room(&s, 1, (int64_t)1 << 40, 0) && a.failed);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("generate_scene_parts");
    TCase *t = tcase_create("generate_scene_parts");
    tcase_add_test(t, bodies);
    tcase_add_test(t, touching);
    tcase_add_test(t, rotations);
    tcase_add_test(t, too_much);
    suite_add_tcase(s, t);
    return support_run(s);
}
