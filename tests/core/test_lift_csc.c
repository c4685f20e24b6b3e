/* tests/core/test_lift_csc.c: columns in order and transposed, by hand, and without memory. */
#include "core/kinds.h"
#include "support.h"

#include <check.h>
#include <string.h>

/* Column 0 has rows 2, 0, 2 and column 2 row 1: [2 0 0; 0 0 3; 5 0 0]. */
static const int p[] = {0, 3, 3, 4}, rows[] = {2, 0, 2, 1};
static const double x[] = {1, 2, 4, 3};

static void has(const perp_matrix *A, int m, int n, const int *start, const int *row,
                const double *value)
{
    ck_assert(A->format == PERP_FORMAT_CSC && A->m == m && A->n == n);
    ck_assert_mem_eq(A->as.csc.p, start, (size_t)(n + 1) * sizeof *start);
    ck_assert_mem_eq(A->as.csc.i, row, (size_t)start[n] * sizeof *row);
    ck_assert_mem_eq(A->as.csc.x, value, (size_t)start[n] * sizeof *value);
}

START_TEST(sorted_and_transposed)
{
    const int start[] = {0, 2, 2, 3}, row[] = {0, 2, 1};
    const int start_t[] = {0, 1, 2, 3}, row_t[] = {0, 2, 0};
    const double value[] = {2, 5, 3}, value_t[] = {2, 3, 5};
    perp_matrix A = perp_csc(3, 3, p, rows, x), S, T;
    perp_arena a = {0};
    ck_assert_int_eq(perp_lift_csc(&A, &a, &S, NULL), PERP_SOLVED);
    has(&S, 3, 3, start, row, value);
    ck_assert_int_eq(perp_lift_transpose(&S, &a, &T, NULL), PERP_SOLVED);
    has(&T, 3, 3, start_t, row_t, value_t);
    perp_arena_free(&a);
}
END_TEST

START_TEST(a_wide_matrix)
{
    const double dense[] = {1, 2}; /* one row */
    const int start[] = {0, 1, 2}, row[] = {0, 0}, start_t[] = {0, 2}, row_t[] = {0, 1};
    perp_matrix A = perp_dense(1, 2, dense), S, T;
    perp_arena a = {0};
    ck_assert_int_eq(perp_lift_csc(&A, &a, &S, NULL), PERP_SOLVED);
    has(&S, 1, 2, start, row, dense);
    ck_assert_int_eq(perp_lift_transpose(&S, &a, &T, NULL), PERP_SOLVED);
    has(&T, 2, 1, start_t, row_t, dense);
    perp_arena_free(&a);
}
END_TEST

START_TEST(refusals)
{
    perp_matrix A = perp_csc(3, 3, p, rows, x), out;
    perp_arena none;
    perp_error e = {0};
    perp_arena_fixed(&none, NULL, 0);
    ck_assert_int_eq(perp_lift_csc(&A, &none, &out, &e), PERP_E_MEMORY);
    ck_assert_ptr_nonnull(strstr(e.text, "no room"));
    ck_assert_int_eq(perp_lift_transpose(&A, &none, &out, &e), PERP_E_MEMORY);
    ck_assert_int_eq(perp_lift_refuse_count(&e), PERP_E_FORMAT);
    ck_assert_ptr_nonnull(strstr(e.text, "too many entries"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lift_csc");
    TCase *c = tcase_create("lift_csc");
    tcase_add_test(c, sorted_and_transposed);
    tcase_add_test(c, a_wide_matrix);
    tcase_add_test(c, refusals);
    suite_add_tcase(s, c);
    return support_run(s);
}
