/* tests/generate/test_scene_linked.c: the arch stands, the chain hangs, hinges are closed. */
#include "generate_support.h"

START_TEST(counts)
{
    for (int n = 1; n <= 1000; n = 3 * n + 1) {
        perp_arena a = {0};
        perp_rigid s = scene_make("arch", n, 1, 1, &a);
        ck_assert(s.bodies == n && s.contacts == 4 * (n + 1));
        s = scene_make("chain", n, 1, 1, &a);
        ck_assert(s.bodies == n && s.contacts == 4 * n && s.joints == n);
        s = scene_make("snake", n, 1, 1, &a);
        ck_assert(s.bodies == n && s.contacts == 4 * n && s.joints == n - 1);
        s = scene_make("hanging", n, 1, 1, &a);
        ck_assert(s.bodies == n && s.contacts == 0 && s.joints == n);
        perp_arena_free(&a);
    }
}
END_TEST

/* Volume and moments against those of a ring, which `n` voussoirs make up half of. */
START_TEST(voussoirs)
{
    const double pi = acos(-1), area = pi * (1 - 0.64) / 2;
    for (int n = 1; n <= 40; n += 13) {
        perp_arena a = {0};
        perp_rigid s = scene_make("arch", n, 1, 1, &a);
        double mass = 0, moment = 0;
        for (int k = 0; k < n; k++) {
            const perp_body *b = &s.body[k];
            double r2 = b->position[0] * b->position[0] + b->position[2] * b->position[2];
            mass += b->mass;
            moment += b->inertia[4] + b->mass * r2;
        }
        ck_assert(mass >= 0.4 * area && mass <= 1.1 * 0.4 * area);
        ck_assert(fabs(moment / mass - 0.5 * (1 + 0.64)) < 1e-12);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(arch_stands)
{
    for (int n = 3; n <= 15; n += 4) check_at_rest("arch", n, PERP_RIGID_FORM_LCP_FACETS);
}
END_TEST

/* Anchors and axes of a and b are at the same place in the world, and forces are in balance. */
START_TEST(hinges_are_closed)
{
    static const char *const names[] = {"chain", "snake", "hanging"};
    for (int f = 0; f < 3; f++) {
        perp_arena a = {0};
        perp_problem p;
        perp_error e;
        perp_rigid s = scene_make(names[f], 20, 2, 10, &a);
        s.rule = PERP_RULE_GAP; /* b holds the joints' errors */
        ck_assert_int_eq(perp_rigid_fc3d_body(&s, &a, &p, &e), PERP_SOLVED);
        for (int k = 0; k < 5 * s.joints; k++) ck_assert(fabs(p.as.fc3d.b[k]) < 1e-10);
        double torque = 0;
        for (int k = 0; k < s.bodies; k++) torque += s.body[k].torque[2];
        ck_assert(fabs(torque) < 1e-14);
        perp_arena_free(&a);
    }
}
END_TEST

/* Nothing but friction and the hinge keeps the chain: without joints it slides, as 30 degrees and
 * more are steeper than mu = 0.3. */
START_TEST(slope)
{
    perp_arena a = {0};
    perp_rigid s = scene_make("chain", 3, 2, 1, &a);
    double *v, *r, cosine = s.contact[0].normal[2];
    ck_assert(cosine >= 0.5 && cosine <= 0.8661);
    s.joints = 0;
    scene_solve(&s, PERP_RIGID_FORM_LCP_FACETS, &a, &v, &r);
    for (int k = 0; k < 3; k++) ck_assert(v[6 * k] > 0.01 && v[6 * k + 2] < -0.01);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("generate_scene_linked");
    TCase *t = tcase_create("generate_scene_linked");
    tcase_add_test(t, counts);
    tcase_add_test(t, voussoirs);
    tcase_add_test(t, arch_stands);
    tcase_add_test(t, hinges_are_closed);
    tcase_add_test(t, slope);
    suite_add_tcase(s, t);
    return support_run(s);
}
