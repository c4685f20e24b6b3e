/* test_format_operator.c: products are called as they are; nothing else can be asked. */
#include "format_support.h"

START_TEST(products_are_the_operators_own)
{
    const double x[] = {1, 2, 3, 4}, v[] = {1, -1};
    perp_matrix D = perp_dense(2, 2, x), A = as_operator(&D);
    double y[2] = {10, 10}, z[2] = {NAN, NAN};
    ck_assert_int_eq(perp_format_operator.check(&A, "A", NULL), PERP_SOLVED);
    perp_format_operator.mul(&A, 2, v, 1, y);
    ck_assert(y[0] == 6 && y[1] == 6);
    perp_format_operator.mul_t(&A, 1, v, 0, z);
    ck_assert(z[0] == -1 && z[1] == -1);
}
END_TEST

START_TEST(entries_cannot_be_read)
{
    const double x[] = {1};
    perp_matrix D = perp_dense(1, 1, x), A = as_operator(&D), out;
    const perp_matrix_ops *f = &perp_format_operator;
    perp_arena a = {0};
    perp_error e;
    ck_assert(!perp_has_entries(&A) && perp_has_entries(&D));
    ck_assert(!f->count && !f->read_diagonal && !f->add_sizes && !f->add_sizes_t);
    ck_assert(!f->to_csc && !f->from && !f->check_pattern);
    ck_assert_int_eq(perp_convert(&A, PERP_FORMAT_CSC, &a, &out, &e), PERP_E_FORMAT);
    ck_assert_str_eq(e.text, "a 1 x 1 operator is never assembled");
    ck_assert_int_eq(perp_convert(&D, PERP_FORMAT_OPERATOR, &a, &out, &e), PERP_E_FORMAT);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("format_operator");
    TCase *t = tcase_create("all");
    tcase_add_test(t, products_are_the_operators_own);
    tcase_add_test(t, entries_cannot_be_read);
    suite_add_tcase(s, t);
    return support_run(s);
}
