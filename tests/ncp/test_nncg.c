/* tests/ncp/test_nncg.c: nonlinear conjugate gradients around projected Gauss-Seidel. */
#include "mcp_support.h"

/* As for fc3d/nncg: sweeps (1.5, 0.75) and (1.125, 0.9375); then beta = 1/16 of the first step is
 * added before the third sweep. */
START_TEST(hand_worked)
{
    const double M[] = {2, 1, 1, 2}, q[] = {-3, -3};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M), q, NULL, NULL);
    perp_mcp_nncg_options o = perp_mcp_nncg_defaults();
    perp_arena a = {0};
    perp_result r;
    double z[2];
    o.base.tol = 0;
    o.base.max_iter = 2;
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_MAX_ITER);
    ck_assert(z[0] == 1.125 && z[1] == 0.9375);
    o.base.max_iter = 3;
    perp_solve(&p, &o.base, &a, z, NULL, &r);
    ck_assert(z[0] == 1.0078125 && z[1] == (3 - 1.0078125) / 2);
    perp_arena_free(&a);
}
END_TEST

/* |grad f|^2 at 150 and at `last` sweeps, the lowest so far. */
typedef struct curve {
    double lowest, early;
} curve;

static bool watch(void *ctx, const perp_progress *p)
{
    curve *c = ctx;
    if (p->merit < c->lowest) c->lowest = p->merit;
    if (p->iteration <= 150) c->early = c->lowest;
    return true;
}

static curve follow(const perp_problem *p, perp_options *o, int last, perp_arena *a)
{
    curve c = {INFINITY, INFINITY};
    perp_result r;
    double *z = perp_alloc(a, (size_t)perp_size(p), sizeof *z);
    o->tol = 0;
    o->max_iter = last;
    o->monitor = watch;
    o->monitor_ctx = &c;
    ck_assert_int_ge(perp_solve(p, o, a, z, NULL, &r), 0);
    return c;
}

/* Figures 5 and 6 of the paper: on stacks and chains far below projected Gauss-Seidel, by either
 * formula. */
START_TEST(below_gauss_seidel)
{
    static const char *const scenes[] = {"stack", "chain"};
    double early = 0, late = 0;
    for (int k = 0; k < 6; k++) {
        perp_arena a = {0};
        perp_mcp_pgs_options plain = perp_mcp_pgs_defaults();
        perp_mcp_nncg_options o = perp_mcp_nncg_defaults();
        generated_problem g = mcp_generate(scenes[k % 2], 8 + 2 * k, (uint64_t)k + 1, &a);
        o.formula = (perp_conjugation)(_i % 2);
        curve one = follow(&g.p, &plain.base, 1000, &a), two = follow(&g.p, &o.base, 1000, &a);
        ck_assert_msg(two.lowest <= 1.1 * one.lowest, "%g and %g", two.lowest, one.lowest);
        early += log10(two.early / one.early) / 6;
        late += log10(two.lowest / one.lowest) / 6;
        perp_arena_free(&a);
    }
    ck_assert_double_lt(early, -1);
    ck_assert_double_lt(late, -3);
}
END_TEST

START_TEST(options)
{
    static const char *const names[] = {"mcp_box", "mcp_friction", "boxes", "stack"};
    int solved = 0;
    for (int k = 0; k < 48; k++) {
        perp_arena a = {0};
        perp_result r;
        perp_mcp_nncg_options o = perp_mcp_nncg_defaults();
        generated_problem g = mcp_generate(names[k % 4], 1 + k / 4 % 6, (uint64_t)k + 1, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        o.formula = (perp_conjugation)(k / 4 % 2);
        o.line_search = k / 8 % 2;
        o.restart = k % 5 == 4 ? 10 : 0;
        perp_status status = solve_checked(&g.p, &o.base, z, NULL, &r);
        ck_assert_msg(status >= 0, "%s", r.detail);
        solved += status == PERP_SOLVED;
        perp_arena_free(&a);
    }
    ck_assert_int_ge(solved, 40);
}
END_TEST

/* The steps of the hand-worked sweeps are 1.68 and 0.42 long: the paper's stop test ends after the
 * second, and the certificate says what that is worth. */
START_TEST(ends_by_the_gradient)
{
    const double M[] = {2, 1, 1, 2}, q[] = {-3, -3};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M), q, NULL, NULL);
    perp_mcp_nncg_options o = perp_mcp_nncg_defaults();
    perp_arena a = {0};
    perp_result r;
    double z[2];
    o.gradient = 0.5;
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_STALLED);
    ck_assert(r.iterations == 2 && z[0] == 1.125 && z[1] == 0.9375 && strstr(r.detail, "gradient"));
    o.gradient = 1e-12;
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_SOLVED);
    ck_assert_double_le(r.residual.value, 1e-8);
    perp_arena_free(&a);
}
END_TEST

/* In velocities the same solution. */
START_TEST(factored)
{
    perp_arena a = {0};
    perp_problem p, f;
    perp_result r;
    mcp_twice("chain", 8, 1, &a, &p, &f);
    double *z = perp_alloc(&a, (size_t)perp_size(&p), sizeof *z);
    ck_assert(!perp_solve(&f, perp_find("mcp/nncg"), &a, z, NULL, &r));
    ck_assert_double_le(certify(&p, z, PERP_SOLVED).value, 1.001e-8);
    perp_arena_free(&a);
}
END_TEST

START_TEST(ends)
{
    const double bad[] = {1, -2, -2, 1}, q[] = {-1, -1}, zero[] = {0, 0};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, bad), q, zero, NULL);
    perp_mcp_nncg_options o = perp_mcp_nncg_defaults();
    perp_arena a = {0};
    perp_result r;
    double z[2];
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_STALLED); /* diverges */
    ck_assert(isfinite(z[0]) && isfinite(z[1]) && r.iterations < 3000 && r.detail[0]);
    perp_problem none = perp_make_mcp(0, perp_dense(0, 0, NULL), NULL, NULL, NULL);
    ck_assert(!perp_solve(&none, perp_find("mcp/nncg"), &a, NULL, NULL, &r));
    perp_arena_free(&a);
}
END_TEST

START_TEST(memory)
{
    perp_arena a = {0};
    perp_problem p, f;
    perp_mcp_nncg_options o = perp_mcp_nncg_defaults();
    mcp_twice("stack", 2, 1, &a, &p, &f);
    mcp_memory(&p, &o.base);
    o.line_search = true;
    o.formula = PERP_CONJUGATION_POLAK_RIBIERE;
    o.base.tol = 1e-4;
    mcp_memory(&f, &o.base);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ncp_nncg");
    TCase *t = tcase_create("ncp_nncg");
    tcase_add_test(t, hand_worked);
    tcase_add_loop_test(t, below_gauss_seidel, 0, 2);
    tcase_add_test(t, options);
    tcase_add_test(t, ends_by_the_gradient);
    tcase_add_test(t, factored);
    tcase_add_test(t, ends);
    tcase_add_test(t, memory);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    return support_run(s);
}
