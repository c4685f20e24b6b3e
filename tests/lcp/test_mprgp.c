/* tests/lcp/test_mprgp.c: proportioning with reduced gradient projections: values, families in
 * every format and with every option, Newton's finish, honest ends. */
#include "countdown.h"
#include "lcp/quadratic.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

#define MOST 400

static const double M2[] = {2, 1, 1, 2}, q2[] = {-5, -6};

/* All slopes are at the bound: one step off the face, p = (5, 6), slope 61, p'M p = 182. The
 * diagonal is constant, so that it changes nothing. Then two conjugate steps at most. */
START_TEST(hand_worked)
{
    perp_lcp_mprgp_options o = perp_lcp_mprgp_defaults();
    perp_result r;
    double z[2], w[2];
    o.base.max_iter = 1;
    ck_assert_int_eq(solve_dense(2, M2, q2, &o.base, z, w, &r), PERP_MAX_ITER);
    ck_assert_double_eq_tol(z[0], 5 * 61. / 182, 1e-14);
    ck_assert_double_eq_tol(z[1], 6 * 61. / 182, 1e-14);
    o.base.max_iter = 3;
    o.base.tol = 1e-14;
    ck_assert_int_eq(solve_dense(2, M2, q2, &o.base, z, w, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(z[0], 4. / 3, 1e-14);
    ck_assert_double_eq_tol(z[1], 7. / 3, 1e-14);
}
END_TEST

/* Other units for each unknown, z -> D z: with the diagonal the steps are the same. */
START_TEST(units_do_not_matter)
{
    perp_arena a = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find("pd"), 30, 2, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    perp_lcp_mprgp_options o = perp_lcp_mprgp_defaults();
    perp_result first, scaled, plain;
    double z[30], y[30];
    o.base.tol = 1e-10;
    ck_assert(!solve_checked(&p, &o.base, z, NULL, &first));
    for (int i = 0; i < 30; i++) {
        double unit = ldexp(1, 4 * (i % 4));
        for (int j = 0; j < 30; j++) {
            g.M[30 * i + j] *= unit;
            g.M[30 * j + i] *= unit;
        }
        g.q[i] *= unit;
    }
    ck_assert(!solve_checked(&p, &o.base, y, NULL, &scaled));
    ck_assert_int_le(scaled.iterations, 2 * first.iterations);
    for (int i = 0; i < 30; i++) {
        ck_assert_double_eq_tol(ldexp(y[i], 4 * (i % 4)), z[i], 1e-6);
    }
    o.preconditioner = PERP_PRECONDITIONER_NONE;
    solve_checked(&p, &o.base, y, NULL, &plain);
    ck_assert_int_gt(plain.iterations, 2 * scaled.iterations);
    perp_arena_free(&a);
}
END_TEST

static void solve_family(const char *name, int n, int format, const perp_lcp_mprgp_options *o)
{
    perp_arena a = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find(name), n, 7, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    perp_matrix dense;
    ck_assert(!perp_convert(&p.as.lcp.M, PERP_FORMAT_DENSE, &a, &dense, NULL));
    p.as.lcp.M = in_format(format, &dense, &a);
    perp_result r;
    double z[MOST], w[MOST], y[MOST], v[MOST];
    ck_assert_msg(!solve_checked(&p, &o->base, z, w, &r), "%s, format %d: %s, %g", name, format,
                  r.detail, r.residual.value);
    p.as.lcp.M = dense;
    ck_assert(!solve_checked(&p, perp_find("lcp/lemke"), y, v, &r));
    /* M z is unique for semidefinite M */
    ck_assert_double_le(difference(g.n, w, v), 1e-6 * plain_norm(g.n, g.q));
    perp_arena_free(&a);
}

static const char *const names[] = {"pd",        "psd",      "degenerate", "duplicate",
                                    "zero_rows", "obstacle", "obstacle2d"};

START_TEST(families)
{
    for (int k = 0; k < 7; k++) {
        for (int format = 0; format < 4; format++) {
            perp_lcp_mprgp_options o = perp_lcp_mprgp_defaults();
            o.base.tol = 1e-10;
            solve_family(names[k], 36, format, &o);
            solve_family(names[k], 90, format, &o);
        }
    }
}
END_TEST

START_TEST(options)
{
    for (int k = 0; k < 7; k++) {
        for (int v = 0; v < 16; v++) {
            perp_lcp_mprgp_options o = perp_lcp_mprgp_defaults();
            o.base.tol = 1e-9;
            o.finish = v & 1;
            o.expansion = v & 2 ? PERP_EXPANSION_GRADIENT : PERP_EXPANSION_LINE;
            o.preconditioner = v & 4 ? PERP_PRECONDITIONER_NONE : PERP_PRECONDITIONER_DIAGONAL;
            o.gamma = v & 8 ? 3 : 0.5;
            o.alpha = v & 8 ? 0.5 : 1;
            solve_family(names[k], 36, 1, &o);
        }
    }
}
END_TEST

START_TEST(refuses_options)
{
    perp_lcp_mprgp_options o = perp_lcp_mprgp_defaults();
    perp_result r;
    double z[2];
    o.gamma = 0;
    ck_assert_int_eq(solve_dense(2, M2, q2, &o.base, z, NULL, &r), PERP_E_OPTION);
    o = perp_lcp_mprgp_defaults();
    o.alpha = 1.5;
    ck_assert_int_eq(solve_dense(2, M2, q2, &o.base, z, NULL, &r), PERP_E_OPTION);
}
END_TEST

/* Newton's steps reach what the products alone cannot, in fewer iterations, in any arena; one that
 * has no room for them does without and gets there too. */
START_TEST(finish)
{
    perp_arena a = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find("obstacle2d"), 10000, 1, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    perp_lcp_mprgp_options o = perp_lcp_mprgp_defaults();
    perp_result with, without, fixed;
    double *z = perp_alloc(&a, 10000, sizeof *z), *y = perp_alloc(&a, 10000, sizeof *y);
    o.base.tol = 1e-10;
    ck_assert(!solve_checked(&p, &o.base, z, NULL, &with));
    ck_assert_double_le(with.residual.value, 1e-13);
    o.finish = false;
    ck_assert(!solve_checked(&p, &o.base, y, NULL, &without));
    ck_assert_int_lt(with.iterations, without.iterations);
    ck_assert_double_le(difference(10000, z, y), 1e-4);

    size_t size = 16u << 20;
    void *buffer = perp_alloc(&a, size, 1);
    double *x = perp_alloc(&a, 10000, sizeof *x);
    perp_arena own;
    perp_arena_fixed(&own, buffer, size);
    o.finish = true;
    ck_assert(!perp_solve(&p, &o.base, &own, x, NULL, &fixed));
    ck_assert_int_eq(fixed.iterations, with.iterations);
    ck_assert_mem_eq(x, z, 10000 * sizeof *z);
    perp_arena_fixed(&own, buffer, 3u << 19);
    ck_assert(!perp_solve(&p, &o.base, &own, x, NULL, &fixed));
    ck_assert_int_gt(fixed.iterations, with.iterations);
    ck_assert_double_le(difference(10000, x, y), 1e-4);
    perp_arena_free(&a);
}
END_TEST

/* The same bits again, with what the first solve left in the arena. */
START_TEST(repeats)
{
    perp_arena a = {0}, own = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find("obstacle2d"), 2500, 4, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    perp_result first, second;
    double *z = perp_alloc(&a, 2500, sizeof *z), *y = perp_alloc(&a, 2500, sizeof *y);
    ck_assert(!perp_solve(&p, perp_find("lcp/mprgp"), &own, z, NULL, &first));
    unsigned before = own.allocations;
    ck_assert(!perp_solve(&p, perp_find("lcp/mprgp"), &own, y, NULL, &second));
    ck_assert_uint_eq(own.allocations, before);
    ck_assert_mem_eq(z, y, 2500 * sizeof *z);
    ck_assert_int_eq(first.iterations, second.iterations);
    perp_arena_free(&own);
    perp_arena_free(&a);
}
END_TEST

START_TEST(small_sizes)
{
    const double m = 4, q = -2, positive = 3;
    perp_result r;
    double z = 0;
    ck_assert(!solve_dense(1, &m, &q, perp_find("lcp/mprgp"), &z, NULL, &r));
    ck_assert_double_eq_tol(z, 0.5, 1e-15);
    ck_assert(!solve_dense(1, &m, &positive, perp_find("lcp/mprgp"), &z, NULL, &r));
    ck_assert(z == 0 && r.iterations == 0);
    ck_assert(!solve_dense(0, NULL, NULL, perp_find("lcp/mprgp"), &z, NULL, &r));
}
END_TEST

START_TEST(refuses_nonsymmetric)
{
    const double M[] = {2, 1, 1.001, 2};
    double z[2];
    perp_result r;
    ck_assert_int_eq(solve_dense(2, M, q2, perp_find("lcp/mprgp"), z, NULL, &r), PERP_E_NUMBER);
    ck_assert_ptr_nonnull(strstr(r.detail, "symmetric"));
}
END_TEST

START_TEST(infeasible_is_proved)
{
    const double zero[] = {0, 0, 0, 0}, down[] = {1, -1};
    double z[66], w[66];
    perp_result r;
    ck_assert_int_eq(solve_dense(2, zero, down, perp_find("lcp/mprgp"), z, w, &r), PERP_INFEASIBLE);
    ck_assert(w[0] == 0 && w[1] > 0);
    for (uint64_t seed = 1; seed <= 10; seed++) {
        perp_arena a = {0};
        generated g;
        ck_assert(lcp_generate(lcp_family_find("infeasible_row"), 66, seed, &a, &g));
        perp_problem p = lcp_generated_problem(&g);
        ck_assert_int_eq(solve_checked(&p, perp_find("lcp/mprgp"), z, w, &r), PERP_INFEASIBLE);
        perp_arena_free(&a);
    }
}
END_TEST

/* Semidefinite of rank two and infeasible. Along a direction that M does not see but for rounding,
 * z goes to 1e17, where M z + q is exactly 0 in doubles: that is no solution. */
START_TEST(far_out_is_no_solution)
{
    static const double M[] = {8,  6,  4,  -6, 0,  0,  -2, -4, 4,  4,  6,  5,  4,  -5, -2, -2, -2,
                               -2, 2,  3,  4,  4,  4,  -4, -4, -4, -2, 0,  0,  2,  -6, -5, -4, 5,
                               2,  2,  2,  2,  -2, -3, 0,  -2, -4, 2,  8,  8,  2,  -4, 4,  0,  0,
                               -2, -4, 2,  8,  8,  2,  -4, 4,  0,  -2, -2, -2, 2,  2,  2,  1,  0,
                               0,  -1, -4, -2, 0,  2,  -4, -4, 0,  4,  -4, -2, 4,  2,  0,  -2, 4,
                               4,  0,  -4, 4,  2,  4,  3,  2,  -3, 0,  0,  -1, -2, 2,  2};
    static const double q[] = {-3, -3, 2, -3, -1, -3, 1, -2, -3, -3};
    double z[10], w[10];
    perp_result r;
    perp_status s = solve_dense(10, M, q, perp_find("lcp/mprgp"), z, w, &r);
    ck_assert_msg(s == PERP_INFEASIBLE || s == PERP_STALLED, "%s", perp_status_name(s));
    s = solve_dense(10, M, q, perp_find("lcp/cpg"), z, w, &r);
    ck_assert_msg(s > 0, "%s", perp_status_name(s));
}
END_TEST

START_TEST(indefinite_ends)
{
    const double flat[] = {1, 0, 0, -1}, q[] = {-1, -1}, saddle[] = {1, 3, 3, 1};
    double z[7], w[7];
    perp_result r;
    perp_status s = solve_dense(2, flat, q, perp_find("lcp/mprgp"), z, w, &r);
    ck_assert(s == PERP_STALLED || s == PERP_INFEASIBLE);
    /* two solutions, and a stationary point between them that also is one */
    ck_assert_int_eq(solve_dense(2, saddle, q, perp_find("lcp/mprgp"), z, w, &r), PERP_SOLVED);
    generator g = generator_start(9);
    for (int k = 0; k < 300; k++) {
        int n = 1 + k % 7;
        double M[49], b[7];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) M[n * i + j] = M[n * j + i] = generator_uniform(&g);
            b[i] = generator_uniform(&g);
        }
        s = solve_dense(n, M, b, perp_find("lcp/mprgp"), z, w, &r);
        ck_assert_msg(s >= 0, "%s", r.detail);
        ck_assert(s == PERP_SOLVED || r.detail[0]);
        for (int i = 0; i < n; i++) ck_assert(isfinite(z[i]));
    }
}
END_TEST

START_TEST(warm_start)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M2), q2);
    perp_lcp_mprgp_options o = perp_lcp_mprgp_defaults();
    perp_result r;
    double z[2] = {4. / 3, 7. / 3};
    o.base.warm_start = true;
    ck_assert(!solve_checked(&p, &o.base, z, NULL, &r));
    ck_assert_int_eq(r.iterations, 0);
    z[0] = -100;
    z[1] = 1e6;
    ck_assert(!solve_checked(&p, &o.base, z, NULL, &r));
    ck_assert_double_eq_tol(z[1], 7. / 3, 1e-7);
}
END_TEST

/* Every allocation in turn, with Newton's steps among them. */
START_TEST(memory)
{
    perp_arena own = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find("obstacle2d"), 900, 2, &own, &g));
    perp_problem p = lcp_generated_problem(&g);
    perp_lcp_mprgp_options o = perp_lcp_mprgp_defaults();
    perp_result r;
    double z[900];
    o.base.tol = 1e-10;
    bool solved = false;
    int k = 0;
    for (; k < 30; k++) {
        supply left = {.left = k};
        perp_arena a = {.resize = scarce, .ctx = &left};
        perp_status s = perp_solve(&p, &o.base, &a, z, NULL, &r);
        ck_assert_msg(s == PERP_SOLVED || s == PERP_E_MEMORY, "%d: %s", k, r.detail);
        for (int i = 0; i < 900; i++) ck_assert(isfinite(z[i]));
        solved = s == PERP_SOLVED;
        perp_arena_free(&a);
        ck_assert_int_eq(left.out, 0);
    }
    ck_assert(solved);
    perp_arena_free(&own);
}
END_TEST

/* The power method from below: of one step where the watch asks to stop. */
START_TEST(norm_stops)
{
    const perp_matrix M = perp_dense(2, 2, M2);
    const double d[2] = {1, 0.01};
    double v[2], Mv[2], norm[3];
    for (int k = 0; k < 3; k++) {
        countdown c = {.left = k == 1 ? 0 : 100};
        perp_watch watch = {.stop = count_down, .ctx = &c};
        norm[k] = quadratic_norm(&M, d, 10, v, Mv, k ? &watch : NULL);
        ck_assert_int_eq(c.looks, k == 0 ? 0 : k == 1 ? 1 : 9);
    }
    ck_assert(norm[0] == norm[2] && norm[1] > 0 && norm[1] < norm[0]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lcp/mprgp");
    TCase *t = tcase_create("mprgp");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, units_do_not_matter);
    tcase_add_test(t, families);
    tcase_add_test(t, options);
    tcase_add_test(t, refuses_options);
    tcase_add_test(t, finish);
    tcase_add_test(t, repeats);
    tcase_add_test(t, small_sizes);
    tcase_add_test(t, refuses_nonsymmetric);
    tcase_add_test(t, infeasible_is_proved);
    tcase_add_test(t, far_out_is_no_solution);
    tcase_add_test(t, indefinite_ends);
    tcase_add_test(t, warm_start);
    tcase_add_test(t, memory);
    tcase_add_test(t, norm_stops);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    return support_run(s);
}
