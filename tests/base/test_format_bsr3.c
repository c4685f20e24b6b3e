/* test_format_bsr3.c: every operation of 3x3 block rows. */
#include "format_support.h"

START_TEST(every_operation)
{
    format_check_row(PERP_FORMAT_BSR3);
    format_check_empty(perp_bsr3(0, 0, NULL, NULL, NULL));
}
END_TEST

START_TEST(other_sizes_have_no_blocks)
{
    const double x[8] = {0};
    perp_matrix A = perp_dense(4, 2, x), out;
    perp_arena a = {0};
    perp_error e;
    ck_assert_int_eq(perp_format_bsr3.from(&A, &a, &out, &e), PERP_E_FORMAT);
    ck_assert_ptr_nonnull(strstr(e.text, "no 3 x 3 blocks"));
    ck_assert(!perp_format_bsr3.check_pattern); /* no Jacobian is given so */
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("format_bsr3");
    TCase *t = tcase_create("all");
    tcase_add_test(t, every_operation);
    tcase_add_test(t, other_sizes_have_no_blocks);
    suite_add_tcase(s, t);
    return support_run(s);
}
