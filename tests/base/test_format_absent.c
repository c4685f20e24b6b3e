/* test_format_absent.c: a zero matrix of any size, which can be had in every format. */
#include "format_support.h"

START_TEST(it_is_zero)
{
    perp_matrix A = {.m = 3, .n = 3};
    double x[3] = {1, 2, 3}, y[3] = {NAN, NAN, NAN}, d[3] = {0};
    perp_mul(&A, 1, x, 0, y);
    ck_assert(y[0] == 0 && y[1] == 0 && y[2] == 0);
    perp_mul_t(&A, 1, y, 2, x);
    ck_assert(x[0] == 2 && x[1] == 4 && x[2] == 6);
    perp_format_absent.read_diagonal(&A, d);
    perp_format_absent.add_sizes(&A, x, d);
    ck_assert(d[0] == 0 && d[1] == 0 && d[2] == 0);
    ck_assert_int_eq(perp_format_absent.count(&A), 0);
}
END_TEST

START_TEST(it_becomes_any_format)
{
    perp_arena a = {0};
    for (int bit = 1; bit < PERP_FORMATS; bit *= 2) {
        perp_matrix A = {.m = 3, .n = 6}, out;
        perp_status status = perp_convert(&A, (perp_format)bit, &a, &out, NULL);
        ck_assert_int_eq(status, perp_formats[bit]->from ? PERP_SOLVED : PERP_E_FORMAT);
        double x[6] = {1, 1, 1, 1, 1, 1}, y[3] = {NAN, NAN, NAN};
        if (status) continue;
        ck_assert_int_eq(perp_formats[bit]->check(&out, "A", NULL), PERP_SOLVED);
        perp_mul(&out, 1, x, 0, y);
        ck_assert(y[0] == 0 && y[1] == 0 && y[2] == 0);
    }
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("format_absent");
    TCase *t = tcase_create("all");
    tcase_add_test(t, it_is_zero);
    tcase_add_test(t, it_becomes_any_format);
    suite_add_tcase(s, t);
    return support_run(s);
}
