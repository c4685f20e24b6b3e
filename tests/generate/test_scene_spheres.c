/* tests/generate/test_scene_spheres.c: every contact is where two spheres touch. */
#include "generate_support.h"

static void check_spheres(const perp_rigid *s)
{
    for (int k = 0; k < s->contacts; k++) {
        const perp_contact *c = &s->contact[k];
        double d[3], e[3];
        for (int i = 0; i < 3; i++) {
            d[i] = s->body[c->a].position[i] - 0.5 * c->normal[i] - c->point[i];
            e[i] = c->b < 0 ? 0 : s->body[c->b].position[i] + 0.5 * c->normal[i] - c->point[i];
        }
        ck_assert(plain_norm(3, d) < 1e-13 && plain_norm(3, e) < 1e-13);
    }
}

START_TEST(cannonballs)
{
    for (int n = 1; n <= 12; n++) {
        perp_arena a = {0};
        perp_rigid s = scene_make("cannonballs", n, 1, 1, &a);
        int bodies = 0, contacts = n * n;
        for (int k = 1; k <= n; k++) {
            bodies += k * k;
            contacts += 2 * k * (k - 1);
        }
        for (int k = 1; k < n; k++) contacts += 4 * k * k;
        ck_assert(s.bodies == bodies && s.contacts == contacts);
        check_spheres(&s);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(lattice)
{
    for (int n = 1; n <= 40; n++) {
        perp_arena a = {0};
        perp_rigid s = scene_make("lattice", n, 1, 1, &a);
        ck_assert_int_eq(s.bodies, n);
        check_spheres(&s);
        perp_arena_free(&a);
    }
    perp_arena a = {0};
    perp_rigid s = scene_make("lattice", 27, 1, 1, &a);
    ck_assert_int_eq(s.contacts, 3 * 18 + 5 * 9); /* neighbours, floor and walls */
    perp_arena_free(&a);
}
END_TEST

/* Momentum: what the world gives is the weight and what the spheres gain. The lattice, without
 * friction at its walls, stays where it is. */
START_TEST(support)
{
    static const char *const names[] = {"cannonballs", "lattice"};
    for (int f = 0; f < 2; f++) {
        perp_arena a = {0};
        perp_rigid s = scene_make(names[f], f ? 27 : 3, 1, 10, &a);
        double *v, *r, weight = scene_weight(&s) * s.dt;
        scene_solve(&s, f ? PERP_RIGID_FORM_LCP : PERP_RIGID_FORM_LCP_FACETS, &a, &v, &r);
        double gain = 0;
        for (int k = 0; k < s.bodies; k++) gain += s.body[k].mass * v[6 * k + 2];
        ck_assert(fabs(scene_support(&s, r) - weight - gain) < 1e-8 * weight);
        ck_assert_msg(fabs(gain) < (f ? 1e-8 : 0.2) * weight, "%s: %g", names[f], gain / weight);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(large)
{
    perp_arena a = {0};
    perp_rigid s = scene_make("lattice", 30000, 1, 1, &a);
    ck_assert(s.contacts > 90000 && s.contacts < 100000);
    s = scene_make("cannonballs", 40, 1, 1, &a);
    ck_assert_int_gt(s.contacts, 100000);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("generate_scene_spheres");
    TCase *t = tcase_create("generate_scene_spheres");
    tcase_add_test(t, cannonballs);
    tcase_add_test(t, lattice);
    tcase_add_test(t, support);
    tcase_add_test(t, large);
    suite_add_tcase(s, t);
    return support_run(s);
}
