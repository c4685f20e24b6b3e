/* test_cli_objective.c: what a program minimises, and the constant of its file. */
#include "cli_support.h"
#include "support.h"

#include <math.h>

static const double eye[] = {1, 0, 0, 1};

START_TEST(a_quadratic_program)
{
    static const double H[] = {2, 1, 1, 4}, c[] = {1, -1};
    const perp_result r = {.objective = 24};
    double value = 0;
    perp_file f = {.constant = 10};
    f.problem = perp_make_qp(2, 0, perp_dense(2, 2, H), c, (perp_matrix){0}, NULL, NULL);
    ck_assert(cli_objective(&f, &r, &value));
    ck_assert_double_eq(value, 34);
    ck_assert(!cli_distance(&f, &r, &value));
    ck_assert_double_eq(value, 34);
}
END_TEST

START_TEST(least_squares_and_others)
{
    static const double b[] = {1, -2};
    const perp_result r = {.objective = 12.5};
    double value = 0;
    perp_file f = {.constant = 10, .problem = perp_make_nnls(perp_dense(2, 2, eye), b)};
    ck_assert(cli_objective(&f, &r, &value));
    ck_assert_double_eq(value, 12.5);
    ck_assert(cli_distance(&f, &r, &value));
    ck_assert_double_eq(value, 5);
    f.problem = perp_make_lcp(2, perp_dense(2, 2, eye), b);
    ck_assert(!cli_objective(&f, &r, &value));
    ck_assert(!cli_distance(&f, &r, &value));
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
