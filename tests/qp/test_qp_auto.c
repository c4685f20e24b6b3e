/* tests/qp/test_qp_auto.c: auto solves every family whatever its format, proves what has no
 * solution, and is what options == NULL means. */
#include "generate_support.h"
#include "support.h"

#include "perp/solvers.h"

static const struct {
    const char *family;
    perp_status end;
} families[] = {
    {"qp_convex", PERP_SOLVED},       {"qp_degenerate", PERP_SOLVED},
    {"qp_nonsymmetric", PERP_SOLVED}, {"qp_linear", PERP_SOLVED},
    {"qp_sparse", PERP_SOLVED},       {"qp_infeasible", PERP_INFEASIBLE},
    {"qp_unbounded", PERP_UNBOUNDED},
};

/* In the format that it has, or in compressed columns. */
START_TEST(every_family_in_every_format)
{
    static const int sizes[] = {1, 2, 5, 20, 80};
    for (int k = 0; k < 5; k++) {
        for (int sparse = 0; sparse < 2; sparse++) {
            perp_arena a = {0};
            perp_result r;
            generated_problem g = problem_make(families[_i].family, NULL, sizes[k], 3, &a);
            perp_qp *qp = &g.p.as.qp;
            if (sparse && qp->H.format) perp_convert(&qp->H, PERP_FORMAT_CSC, &a, &qp->H, NULL);
            if (sparse && qp->A.format) perp_convert(&qp->A, PERP_FORMAT_CSC, &a, &qp->A, NULL);
            double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
            double *w = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *w);
            perp_status s = solve_checked(&g.p, NULL, z, w, &r);
            ck_assert_msg(s == families[_i].end, "%s %d: %s, %s", families[_i].family, sizes[k],
                          perp_status_name(s), r.detail);
            perp_arena_free(&a);
        }
    }
}
END_TEST

START_TEST(names_the_solver_that_found_it)
{
    perp_arena a = {0};
    perp_result r;
    double z[2000];
    generated_problem small = problem_make("qp_convex", NULL, 20, 1, &a);
    generated_problem large = problem_make("qp_sparse", NULL, 1000, 1, &a);
    ck_assert_int_eq(perp_solve(&small.p, NULL, &a, z, NULL, &r), PERP_SOLVED);
    ck_assert_str_eq(r.solver, "qp/dual");
    ck_assert_int_eq(perp_solve(&large.p, NULL, &a, z, NULL, &r), PERP_SOLVED);
    ck_assert_str_eq(r.solver, "qp/ipm");
    perp_arena_free(&a);
}
END_TEST

/* -x'x/2 + c'x on a box. */
START_TEST(what_is_not_convex)
{
    enum { N = 100 };
    static double H[N * N], c[N], lo[N], hi[N], z[N];
    perp_arena a = {0};
    perp_result r;
    for (int j = 0; j < N; j++) {
        H[j * N + j] = -1;
        c[j] = j % 3 - 1;
        lo[j] = -1;
        hi[j] = 2;
    }
    for (int n = 2; n <= N; n *= 50) {
        perp_problem p = {.kind = PERP_KIND_QP};
        p.as.qp = (perp_qp){.n = n, .H = perp_dense(n, n, H), .c = c, .xlo = lo, .xhi = hi};
        p.as.qp.H.as.dense.ld = N;
        ck_assert_int_eq(perp_solve(&p, NULL, &a, z, NULL, &r), PERP_SOLVED);
        ck_assert_str_eq(r.solver, "qp/fletcher");
    }
    perp_arena_free(&a);
}
END_TEST

/* Iterations of a solver alone, to a tolerance that rounding does not let it reach. */
static int count_iterations(const perp_problem *p, const perp_options *solver, double *z)
{
    perp_plain_options o = {.base = *solver};
    perp_arena a = {0};
    perp_result r;
    o.base.tol = 0;
    ck_assert_int_gt(perp_solve(p, &o.base, &a, z, NULL, &r), 0);
    ck_assert_int_gt(r.iterations, 0);
    perp_arena_free(&a);
    return r.iterations;
}

/* Where nothing gets there each solver has had its turn, and one: before interior points comes
 * Fletcher's method where the problem is small, else after them, but not for the digits that
 * rounding takes, which are all that is missing here. */
START_TEST(every_solver_runs_once)
{
    static const int sizes[] = {20, 80};
    for (int k = 0; k < 2; k++) {
        perp_arena a = {0};
        generated_problem g = problem_make("qp_convex", NULL, sizes[k], 3, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        int each = count_iterations(&g.p, perp_find("qp/dual"), z) +
                   count_iterations(&g.p, perp_find("qp/ipm"), z);
        if (k == 0) each += count_iterations(&g.p, perp_find("qp/fletcher"), z);
        ck_assert_int_eq(count_iterations(&g.p, perp_find("qp/auto"), z), each);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(least_squares_as_a_qp)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        perp_arena a = {0};
        perp_result r;
        double z[64];
        generated_problem g = problem_make("nnls_random", NULL, 30, 1, &a);
        ck_assert_int_le(perp_size(&g.p), 64);
        if (sparse) perp_convert(&g.p.as.nnls.A, PERP_FORMAT_CSC, &a, &g.p.as.nnls.A, NULL);
        ck_assert_int_eq(perp_solve(&g.p, perp_find("qp/auto"), &a, z, NULL, &r), PERP_SOLVED);
        ck_assert_int_eq(perp_solve(&g.p, perp_find("qp/ipm"), &a, z, NULL, &r), PERP_SOLVED);
        perp_arena_free(&a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp/qp_auto");
    TCase *t = tcase_create("auto");
    tcase_add_loop_test(t, every_family_in_every_format, 0,
                        (int)(sizeof families / sizeof *families));
    tcase_add_test(t, names_the_solver_that_found_it);
    tcase_add_test(t, what_is_not_convex);
    tcase_add_test(t, every_solver_runs_once);
    tcase_add_test(t, least_squares_as_a_qp);
    suite_add_tcase(s, t);
    return support_run(s);
}
