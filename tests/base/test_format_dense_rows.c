/* test_format_dense_rows.c: every operation of dense matrices by rows, and solves with them. */
#include "format_support.h"

START_TEST(every_operation)
{
    format_check_row(PERP_FORMAT_DENSE_ROWS);
    format_check_empty(perp_dense_rows(0, 0, NULL));
}
END_TEST

START_TEST(what_is_refused)
{
    double x[] = {1, 2, 3, 4, 5, NAN};
    perp_error e;
    perp_matrix A = perp_dense_rows(2, 3, x);
    ck_assert_int_eq(perp_format_dense_rows.check(&A, "A", &e), PERP_E_NUMBER);
    ck_assert_ptr_nonnull(strstr(e.text, "A[1][2]"));
    A.as.dense.ld = 2;
    ck_assert_int_eq(perp_format_dense_rows.check(&A, "A", &e), PERP_E_ARGUMENT);
    ck_assert_str_eq(e.text, "ld = 2 of A, which is stored by rows, is below its 3 columns");
    A = perp_dense_rows(2, 3, NULL);
    ck_assert_int_eq(perp_format_dense_rows.check(&A, "A", &e), PERP_E_ARGUMENT);
}
END_TEST

/* The view may be replaced by its own conversion. */
START_TEST(in_place)
{
    const double x[] = {1, 2, 3, 4, 5, 6}, rows[] = {1, 3, 5, 2, 4, 6};
    perp_arena a = {0};
    perp_matrix A = perp_dense(2, 3, x);
    ck_assert_int_eq(perp_convert(&A, PERP_FORMAT_DENSE_ROWS, &a, &A, NULL), PERP_SOLVED);
    ck_assert_int_eq(A.m, 2);
    ck_assert_int_eq(A.n, 3);
    ck_assert_int_eq(A.as.dense.ld, 3);
    for (int k = 0; k < 6; k++) ck_assert_double_eq(A.as.dense.x[k], rows[k]);
    perp_arena_free(&a);
}
END_TEST

/* A nonsymmetric LCP, an NNLS and a QP with rows: the same as by columns, in the same bits. */
START_TEST(solves)
{
    const double M[] = {2, 1, 0, 3}, Mr[] = {2, 0, 1, 3}, q[] = {-1, -4};
    const double A[] = {1, 2, 3, 4, 5, 7}, Ar[] = {1, 4, 2, 5, 3, 7}, b[] = {3, 2, 1};
    const double lo[] = {1, 1, 1};
    perp_problem columns[] = {
        perp_make_lcp(2, perp_dense(2, 2, M), q), perp_make_nnls(perp_dense(3, 2, A), b),
        perp_make_qp(2, 3, perp_dense(2, 2, M), q, perp_dense(3, 2, A), lo, NULL)};
    perp_problem rows[] = {
        perp_make_lcp(2, perp_dense_rows(2, 2, Mr), q),
        perp_make_nnls(perp_dense_rows(3, 2, Ar), b),
        perp_make_qp(2, 3, perp_dense_rows(2, 2, Mr), q, perp_dense_rows(3, 2, Ar), lo, NULL)};
    perp_arena a = {0};
    for (int k = 0; k < 3; k++) {
        double z[5], other[5];
        perp_result r, s;
        perp_residual c;
        ck_assert_int_eq(perp_solve(&columns[k], NULL, &a, z, NULL, &r), PERP_SOLVED);
        ck_assert_int_eq(perp_solve(&rows[k], NULL, &a, other, NULL, &s), PERP_SOLVED);
        ck_assert_int_eq(memcmp(z, other, (size_t)perp_size(&rows[k]) * sizeof *z), 0);
        ck_assert_int_eq(perp_certify(&rows[k], other, &a, &c), PERP_SOLVED);
        ck_assert_double_eq_tol(c.value, s.residual.value, 1e-15);
    }
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("format_dense_rows");
    TCase *t = tcase_create("all");
    tcase_add_test(t, every_operation);
    tcase_add_test(t, what_is_refused);
    tcase_add_test(t, in_place);
    tcase_add_test(t, solves);
    suite_add_tcase(s, t);
    return support_run(s);
}
