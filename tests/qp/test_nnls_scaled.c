/* tests/qp/test_nnls_scaled.c: every nnls solver solves data far from 1, and nnls/pivot columns of
 * any lengths; data near 1 are left alone. */
#include "qp/nnls_scaled.h"
#include "support.h"

#include "perp/solvers.h"

#include <check.h>
#include <math.h>
#include <string.h>

static void solve_all(const perp_problem *p, const double *expected, double tol)
{
    for (const perp_options *const *o = perp_solvers(); *o; o++) {
        const char *name = perp_solver_name(*o);
        if (strncmp(name, "nnls/", 5) != 0) continue;
        int n = perp_size(p);
        double z[8];
        perp_arena a = {0};
        perp_result r;
        perp_status status = perp_solve(p, *o, &a, z, NULL, &r);
        ck_assert_msg(status == PERP_SOLVED, "%s: %s", name, r.detail);
        for (int j = 0; j < n; j++) {
            ck_assert_msg(fabs(z[j] - expected[j]) <= tol * fabs(expected[j]), "%s: %g is not %g",
                          name, z[j], expected[j]);
        }
        perp_arena_free(&a);
    }
}

START_TEST(one_number)
{
    static const double data[][2] = {{1e-162, 1e-162}, {1e-300, 1e-300}, {1e300, 1e300},
                                     {1e-200, 1e100},  {1e200, 1e-100},  {1e150, 1e200},
                                     {1e-160, 1},      {1, 1e-170},      {1, 1e250}};
    for (size_t k = 0; k < sizeof data / sizeof *data; k++) {
        double x = data[k][1] / data[k][0];
        perp_problem p = perp_make_nnls(perp_dense(1, 1, &data[k][0]), &data[k][1]);
        solve_all(&p, &x, 1e-12);
    }
}
END_TEST

/* A = [1 0; 0 1; 1 1], b = (1, -2, 1): x = (1, 0), columns scaled apart, dense and CSC. */
START_TEST(columns_far_apart)
{
    static const double b[] = {1, -2, 1};
    perp_arena a = {0};
    for (int k = -200; k <= 200; k += 25) {
        double s = ldexp(1, k), A[] = {s, 0, s, 0, 1 / s, 1 / s}, x[] = {1 / s, 0};
        perp_matrix D = perp_dense(3, 2, A);
        for (int format = 0; format < 2; format++) {
            perp_problem p = perp_make_nnls(in_format(format, &D, &a), b);
            solve_all(&p, x, 1e-12);
        }
    }
    perp_arena_free(&a);
}
END_TEST

/* A free x, a column of zeros, a warm start, and b = 0. */
START_TEST(particular_columns)
{
    const double A[] = {1e-200, 0, 0, 0, 0, 1e-200}, b[] = {2, -3}, zero[] = {0, 0};
    const bool is_free[] = {false, false, true};
    perp_problem p = perp_make_nnls(perp_dense(2, 3, A), b);
    p.as.nnls.is_free = is_free;
    const double x[] = {2 / 1e-200, 0, -3 / 1e-200};
    solve_all(&p, x, 1e-12);
    perp_options o = *perp_find("nnls/lawson_hanson");
    double z[] = {x[0], 0, x[2]};
    perp_arena a = {0};
    perp_result r;
    o.warm_start = true;
    ck_assert_int_eq(perp_solve(&p, &o, &a, z, NULL, &r), PERP_SOLVED);
    ck_assert(r.iterations == 0 && z[0] == x[0] && z[2] == x[2]);
    p = perp_make_nnls(perp_dense(2, 3, A), zero);
    const double none[] = {0, 0, 0};
    solve_all(&p, none, 0);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("nnls_scaled");
    TCase *c = tcase_create("nnls_scaled");
    tcase_add_test(c, one_number);
    tcase_add_test(c, columns_far_apart);
    tcase_add_test(c, particular_columns);
    suite_add_tcase(s, c);
    return support_run(s);
}
