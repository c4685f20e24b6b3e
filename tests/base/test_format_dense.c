/* test_format_dense.c: every operation of dense matrices. */
#include "format_support.h"

START_TEST(every_operation)
{
    format_check_row(PERP_FORMAT_DENSE);
    format_check_empty(perp_dense(0, 0, NULL));
}
END_TEST

START_TEST(the_rows_below_m_are_not_read)
{
    const double x[] = {1, -2, NAN, 3, 4, NAN};
    perp_matrix A = perp_dense(2, 2, x);
    A.as.dense.ld = 3;
    double d[2] = {0}, y[2] = {0};
    ck_assert_int_eq(perp_format_dense.check(&A, "A", NULL), PERP_SOLVED);
    perp_format_dense.read_diagonal(&A, d);
    ck_assert(d[0] == 1 && d[1] == 4);
    perp_format_dense.add_sizes(&A, (const double[]){1, -1}, y);
    ck_assert(y[0] == 4 && y[1] == 6);
    ck_assert_int_eq(perp_format_dense.count(&A), 4);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("format_dense");
    TCase *t = tcase_create("all");
    tcase_add_test(t, every_operation);
    tcase_add_test(t, the_rows_below_m_are_not_read);
    suite_add_tcase(s, t);
    return support_run(s);
}
