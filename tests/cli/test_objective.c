/* test_cli_objective.c: what a program minimises, by hand. */
#include "cli_support.h"
#include "support.h"

#include <math.h>

static const double eye[] = {1, 0, 0, 1};

START_TEST(a_quadratic_program)
{
    static const double H[] = {2, 1, 1, 4}, c[] = {1, -1}, x[] = {3, 2};
    cli *k = cli_begin(NULL);
    double value = 0;
    perp_file f = {.constant = 10};
    f.problem = perp_make_qp(2, 0, perp_dense(2, 2, H), c, (perp_matrix){0}, NULL, NULL);
    ck_assert(cli_objective(k, &f, x, &value));
    ck_assert_double_eq_tol(value, 10 + 0.5 * (18 + 12 + 16) + 1, 1e-14);
    f.problem.as.qp.H = (perp_matrix){0};
    ck_assert(cli_objective(k, &f, x, &value));
    ck_assert_double_eq_tol(value, 11, 1e-14);
    cli_end();
}
END_TEST

START_TEST(least_squares_and_others)
{
    static const double b[] = {1, -2}, x[] = {4, 2};
    cli *k = cli_begin(NULL);
    double value = 0;
    perp_file f = {.problem = perp_make_nnls(perp_dense(2, 2, eye), b)};
    ck_assert(cli_objective(k, &f, x, &value));
    ck_assert_double_eq_tol(value, 12.5, 1e-14);
    f.problem = perp_make_lcp(2, perp_dense(2, 2, eye), b);
    ck_assert(!cli_objective(k, &f, x, &value));
    cli_end();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_objective");
    TCase *t = tcase_create("all");
    tcase_add_test(t, a_quadratic_program);
    tcase_add_test(t, least_squares_and_others);
    suite_add_tcase(s, t);
    return support_run(s);
}
