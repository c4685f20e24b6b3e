/* tests/fc3d/test_nncg.c: nonlinear conjugate gradients around a sweep. */
#include "fc3d_support.h"

START_TEST(known_answers)
{
    static const char *const names[] = {"fc3d_known", "fc3d_edge", "fc3d_body_known"};
    int solved = 0;
    for (int k = 0; k < 48; k++) {
        perp_arena a = {0};
        perp_result r;
        perp_fc3d_nncg_options o = perp_fc3d_nncg_defaults();
        generated_problem g = fc3d_generate(names[k % 3], NULL, 1 + k % 6, (uint64_t)k + 1, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        o.base.tol = 1e-10;
        o.formula = (perp_conjugation)(k / 3 % 2);
        o.line_search = k / 6 % 2;
        o.order = (perp_order)(k / 12 % 2);
        o.base.threads = 1 + k / 24;
        o.restart = k % 5 == 4 ? 10 : 0;
        perp_status status = solve_checked(&g.p, &o.base, z, NULL, &r);
        ck_assert_msg(status >= 0, "%s", r.detail);
        ck_assert_msg(k % 6 || status == PERP_SOLVED, "one contact: %s", r.detail);
        solved += status == PERP_SOLVED;
        perp_arena_free(&a);
    }
    ck_assert_int_ge(solved, 43);
}
END_TEST

START_TEST(same_bits_for_any_threads)
{
    for (int k = 0; k < 8; k++) {
        perp_arena a = {0};
        generated_problem g = fc3d_generate("lattice", k % 2 ? "fc3d" : "fc3d_body", 343, 1, &a);
        perp_fc3d_nncg_options o = perp_fc3d_nncg_defaults();
        o.order = PERP_ORDER_COLOURED;
        o.formula = (perp_conjugation)(k / 2 % 2);
        o.line_search = k / 4;
        o.base.max_iter = 60;
        o.base.tol = 0;
        fc3d_same_bits(&g.p, &o.base);
        perp_arena_free(&a);
    }
}
END_TEST

/* On a packing at rest it needs far fewer sweeps than Gauss-Seidel. */
START_TEST(fewer_sweeps)
{
    static const char *const forms[] = {"fc3d", "fc3d_body"};
    for (int f = 0; f < 2; f++) {
        perp_arena a = {0};
        perp_result one, two;
        perp_fc3d_nsgs_options plain = perp_fc3d_nsgs_defaults();
        perp_fc3d_nncg_options o = perp_fc3d_nncg_defaults();
        generated_problem g = fc3d_generate("packing", forms[f], 60, 2, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        plain.base.tol = o.base.tol = 1e-6;
        plain.extrapolate = false;
        ck_assert_int_eq(solve_checked(&g.p, &plain.base, z, NULL, &one), PERP_SOLVED);
        ck_assert_int_eq(solve_checked(&g.p, &o.base, z, NULL, &two), PERP_SOLVED);
        ck_assert_msg(2 * two.iterations < one.iterations, "%d against %d", two.iterations,
                      one.iterations);
        perp_arena_free(&a);
    }
}
END_TEST

/* The first step is a sweep, the second adds beta d of it: by hand for one frictionless chain. */
START_TEST(hand_worked)
{
    /* W_N = [2 1; 1 2] for two contacts without friction: a sweep is projected Gauss-Seidel. */
    double W[36] = {0}, q[6] = {-3, 0, 0, -3, 0, 0}, mu[2] = {0, 0}, z[6];
    for (int i = 0; i < 6; i++) W[7 * i] = 2;
    W[3] = W[18] = 1;
    perp_problem p = perp_make_fc3d(2, perp_dense(6, 6, W), q, mu);
    perp_fc3d_nncg_options o = perp_fc3d_nncg_defaults();
    perp_result r;
    o.base.tol = 0;
    o.base.max_iter = 2;
    perp_status status = solve_checked(&p, &o.base, z, NULL, &r);
    /* sweep 1: (1.5, 0.75), d = (1.5, 0.75), p = d. sweep 2, from there as beta has no past:
     * (1.125, 0.9375); the best certified iterate is the last. */
    ck_assert_int_eq(status, PERP_MAX_ITER);
    ck_assert_double_eq_tol(z[0], 1.125, 1e-15);
    ck_assert_double_eq_tol(z[3], 0.9375, 1e-15);
    o.base.max_iter = 3;
    solve_checked(&p, &o.base, z, NULL, &r);
    /* d = (-0.375, 0.1875), beta = (d.d) / (1.5^2 + 0.75^2) = 0.0625; the third sweep starts from
     * (1.125, 0.9375) + beta (1.5, 0.75) = (1.21875, 0.984375): r_1 = (3 - 0.984375) / 2. */
    ck_assert_double_eq_tol(z[0], 1.0078125, 1e-15);
    ck_assert_double_eq_tol(z[3], (3 - 1.0078125) / 2, 1e-15);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_nncg");
    TCase *t = tcase_create("fc3d_nncg");
    tcase_add_test(t, known_answers);
    tcase_add_test(t, same_bits_for_any_threads);
    tcase_add_test(t, fewer_sweeps);
    tcase_add_test(t, hand_worked);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    return support_run(s);
}
