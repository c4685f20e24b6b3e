/* tests/ncp/test_pgs.c: projected Gauss-Seidel on boxes and friction boxes. */
#include "mcp_support.h"

static const double M2[] = {2, 1, 1, 2}, q2[] = {-5, -6};

START_TEST(hand_worked)
{
    const double lo[] = {-INFINITY, 0}, hi[] = {INFINITY, 2};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M2), q2, lo, hi);
    perp_mcp_pgs_options o = perp_mcp_pgs_defaults();
    perp_arena a = {0};
    perp_result r;
    double z[2], w[2];
    o.base.tol = 1e-14;
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, w, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(z[0], 1.5, 1e-13); /* z_1 = 2, w_1 = 4 + 1.5 - 6 < 0 */
    ck_assert(z[1] == 2 && fabs(w[1] + 0.5) < 1e-13);

    o.base.max_iter = 1;
    o.omega = 0.5;
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, w, &r), PERP_MAX_ITER);
    ck_assert(z[0] == 1.25 && z[1] == 0.25 * (6 - 1.25));
    perp_arena_free(&a);
}
END_TEST

/* One body on a slope, tilted by t: sticks up to tan t = mu, slides beyond. */
START_TEST(one_contact)
{
    const double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, lo[] = {0, 0, 0};
    const int follows[] = {-1, 0, 0};
    for (int k = 0; k < 20; k++) {
        double t = 0.05 * k, mu[] = {0, 0.5, 0.5}, q[] = {-cos(t), sin(t), 0}, z[3], w[3];
        double hi[] = {INFINITY, 0, 0};
        perp_problem p = perp_make_mcp(3, perp_dense(3, 3, M), q, lo, hi);
        perp_arena a = {0};
        perp_result r;
        p.as.mcp.follows = follows;
        p.as.mcp.mu = mu;
        ck_assert(!perp_solve(&p, perp_find("mcp/pgs"), &a, z, w, &r));
        bool sticks = tan(t) <= 0.5;
        ck_assert_double_eq_tol(z[1], sticks ? -sin(t) : -0.5 * cos(t), 1e-14);
        ck_assert_double_eq_tol(w[1], sticks ? 0 : sin(t) - 0.5 * cos(t), 1e-14);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(families)
{
    static const char *const names[] = {"mcp_box", "mcp_friction", "boxes"};
    for (int k = 0; k < 30; k++) {
        perp_arena a = {0};
        perp_result r;
        generated_problem g = mcp_generate(names[k % 3], 1 + k / 3, (uint64_t)k + 1, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        perp_status status = solve_checked(&g.p, perp_find("mcp/pgs"), z, NULL, &r);
        ck_assert_msg(status >= 0, "%s", r.detail);
        if (k % 3 == 2 && k < 20) ck_assert_msg(!status, "boxes %d: %g", k, r.residual.value);
        perp_arena_free(&a);
    }
}
END_TEST

/* In velocities the same solution, and far less memory than M would take. */
START_TEST(factored)
{
    perp_arena a = {0}, one = {0}, two = {0};
    perp_problem p, f;
    perp_result r, s;
    perp_mcp_pgs_options o = perp_mcp_pgs_defaults();
    mcp_twice("tower", 4, 1, &a, &p, &f);
    size_t n = (size_t)perp_size(&p);
    double *z = perp_alloc(&a, n, sizeof *z), *y = perp_alloc(&a, n, sizeof *y);
    ck_assert(!perp_solve(&p, &o.base, &one, z, NULL, &r));
    ck_assert(!perp_solve(&f, &o.base, &two, y, NULL, &s));
    ck_assert_int_le(abs(r.iterations - s.iterations), 10);
    ck_assert_double_le(certify(&p, y, PERP_SOLVED).value, 1.001e-8);
    ck_assert_uint_lt(two.peak, 40 * n * sizeof(double));
    perp_arena_free(&a);
    perp_arena_free(&one);
    perp_arena_free(&two);
}
END_TEST

static bool last_merit(void *ctx, const perp_progress *p)
{
    *(double *)ctx = p->merit;
    return true;
}

/* progress.merit is |z - sweep(z)|^2; a method without one says NaN. */
START_TEST(merit)
{
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M2), q2, NULL, NULL);
    perp_problem l = perp_make_lcp(2, perp_dense(2, 2, M2), q2);
    perp_mcp_pgs_options o = perp_mcp_pgs_defaults();
    perp_lcp_psor_options other = perp_lcp_psor_defaults();
    perp_arena a = {0};
    perp_result r;
    double z[2], seen = 0;
    o.base.monitor = other.base.monitor = last_merit;
    o.base.monitor_ctx = other.base.monitor_ctx = &seen;
    o.base.max_iter = 1;
    perp_solve(&p, &o.base, &a, z, NULL, &r);
    ck_assert_double_eq(seen, 2.5 * 2.5 + 1.75 * 1.75);
    o.base.max_iter = 2;
    perp_solve(&p, &o.base, &a, z, NULL, &r);
    ck_assert_double_eq(seen, 0.875 * 0.875 + 0.4375 * 0.4375);
    perp_solve(&l, &other.base, &a, z, NULL, &r);
    ck_assert(isnan(seen));
    perp_arena_free(&a);
}
END_TEST

START_TEST(ends)
{
    const double bad[] = {1, -2, -2, 1}, q[] = {-1, -1}, zero[] = {0, 0};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, bad), q, zero, NULL);
    perp_mcp_pgs_options o = perp_mcp_pgs_defaults();
    perp_arena a = {0};
    perp_result r;
    double z[2];
    o.base.max_iter = 1000000;
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_STALLED); /* diverges */
    ck_assert(isfinite(z[0]) && isfinite(z[1]) && r.iterations < 3000 && r.detail[0]);
    o.omega = 2;
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_E_OPTION);
    o = perp_mcp_pgs_defaults();
    o.base.max_iter = 0;
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_MAX_ITER);
    perp_problem none = perp_make_mcp(0, perp_dense(0, 0, NULL), NULL, NULL, NULL);
    ck_assert(!perp_solve(&none, perp_find("mcp/pgs"), &a, NULL, NULL, &r));
    perp_arena_free(&a);
}
END_TEST

START_TEST(memory)
{
    perp_arena a = {0};
    perp_problem p, f;
    mcp_twice("stack", 2, 1, &a, &p, &f);
    mcp_memory(&p, perp_find("mcp/pgs"));
    mcp_memory(&f, perp_find("mcp/pgs"));
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ncp_pgs");
    TCase *t = tcase_create("ncp_pgs");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, one_contact);
    tcase_add_test(t, families);
    tcase_add_test(t, factored);
    tcase_add_test(t, merit);
    tcase_add_test(t, ends);
    tcase_add_test(t, memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
