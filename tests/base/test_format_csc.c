/* test_format_csc.c: every operation of compressed columns. */
#include "format_support.h"

START_TEST(every_operation)
{
    static const int p[] = {0, 0, 0, 0};
    format_check_row(PERP_FORMAT_CSC);
    format_check_empty(perp_csc(0, 0, p, NULL, NULL));
}
END_TEST

START_TEST(duplicates_add_up)
{
    static const int p[] = {0, 3, 4}, i[] = {1, 0, 1, 1};
    static const double x[] = {1, 2, -3, 5};
    perp_matrix A = perp_csc(2, 2, p, i, x);
    double d[2] = {0}, y[2] = {0};
    perp_format_csc.read_diagonal(&A, d);
    ck_assert(d[0] == 2 && d[1] == 5);
    perp_format_csc.add_sizes(&A, (const double[]){1, 1}, y);
    ck_assert(y[0] == 2 && y[1] == 9); /* sizes do not cancel */
    ck_assert_int_eq(perp_format_csc.count(&A), 4);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("format_csc");
    TCase *t = tcase_create("all");
    tcase_add_test(t, every_operation);
    tcase_add_test(t, duplicates_add_up);
    suite_add_tcase(s, t);
    return support_run(s);
}
