/* test_cli_matrix.c: nonzeros, symmetry, rank and condition against values worked by hand. */
#include "cli/matrix.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>

static perp_arena arena;

static void reset(void)
{
    perp_arena_free(&arena);
}

static cli_matrix_info examine(perp_matrix A, int limit)
{
    cli_matrix_info info;
    ck_assert(cli_examine(&A, limit, &arena, &info));
    ck_assert_uint_eq(arena.used, 0);
    return info;
}

START_TEST(hand_worked)
{
    /* singular values 4 and 2; |A - A'| = 0 */
    const double A[] = {3, 1, 1, 3};
    cli_matrix_info i = examine(perp_dense(2, 2, A), 10);
    ck_assert_int_eq(i.rank, 2);
    ck_assert_int_eq((int)i.nonzeros, 4);
    ck_assert_double_eq_tol(i.condition, 2, 1e-14);
    ck_assert_double_eq_tol(i.norm, sqrt(20), 1e-14);
    ck_assert_double_eq(i.asymmetry, 0);
    ck_assert(!i.estimated && !i.why);
}
END_TEST

START_TEST(asymmetry_is_frobenius)
{
    /* A - A' has +-2 twice: sqrt(8) over sqrt(1 + 9 + 1) */
    const double A[] = {1, 0, 3, 0, 0, 0, 1, 0, 0}, B[] = {0, 5, -5, 0};
    ck_assert_double_eq_tol(examine(perp_dense(3, 3, A), 10).asymmetry, sqrt(8 / 11.0), 1e-14);
    ck_assert_double_eq_tol(examine(perp_dense(2, 2, B), 10).asymmetry, 2, 1e-14);
}
END_TEST

START_TEST(rank_deficient)
{
    const double A[] = {2, 0, 0, 0, 1, 1, 0, 1, 1}, zero[9] = {0};
    cli_matrix_info i = examine(perp_dense(3, 3, A), 10);
    ck_assert_int_eq(i.rank, 2);
    ck_assert(isinf(i.condition));
    ck_assert_double_eq_tol(i.spread, 1, 1e-14); /* 2, 2 and 0 */
    i = examine(perp_dense(3, 3, zero), 10);
    ck_assert_int_eq(i.rank, 0);
    ck_assert_int_eq((int)i.nonzeros, 0);
    ck_assert_double_eq(i.asymmetry, 0);
    ck_assert(isinf(i.condition) && isnan(i.spread));
}
END_TEST

START_TEST(other_shapes)
{
    const double A[] = {3, 0, 0, 0, 4, 0}; /* 3 x 2 */
    cli_matrix_info i = examine(perp_dense(3, 2, A), 10);
    ck_assert(isnan(i.asymmetry));
    ck_assert_int_eq(i.rank, 2);
    ck_assert_double_eq_tol(i.condition, 4 / 3.0, 1e-14);
    i = examine(perp_dense(0, 0, NULL), 10);
    ck_assert_int_eq(i.rank, 0);
    i = examine(perp_dense(3, 2, A), 1);
    ck_assert_int_eq(i.rank, -1);
    ck_assert_ptr_nonnull(i.why);
}
END_TEST

START_TEST(formats_agree)
{
    generator g = generator_start(5);
    const random_entries entries = {.draw = generator_uniform, .zeros = 0.5};
    for (int k = 0; k < 3; k++) {
        const perp_format format[] = {PERP_FORMAT_DENSE, PERP_FORMAT_CSC, PERP_FORMAT_BSR3};
        random_matrix *r = random_matrix_new(format[k], 9, 9, &entries, &g);
        double full[81];
        for (int c = 0; c < 81; c++) full[c] = r->full[c % 9][c / 9];
        cli_matrix_info a = examine(r->A, 20), b = examine(perp_dense(9, 9, full), 20);
        ck_assert_double_eq_tol(a.asymmetry, b.asymmetry, 1e-13);
        ck_assert_double_eq_tol(a.norm, b.norm, 1e-13 * b.norm);
        ck_assert_int_eq(a.rank, b.rank);
        free(r);
    }
}
END_TEST

/* tridiagonal (-1, 2 + shift, -1): singular values 2 + shift - 2 cos(k pi / (n + 1)) */
static perp_matrix tridiagonal(int n, double diagonal)
{
    int *p = perp_alloc(&arena, (size_t)n + 1, sizeof *p), nz = 0;
    int *i = perp_alloc(&arena, 3 * (size_t)n, sizeof *i);
    double *x = perp_alloc(&arena, 3 * (size_t)n, sizeof *x);
    for (int j = 0; j < n; j++) {
        for (int r = j - 1; r <= j + 1; r++) {
            if (r < 0 || r >= n) continue;
            i[nz] = r;
            x[nz++] = r == j ? diagonal : -1;
        }
        p[j + 1] = nz;
    }
    return perp_csc(n, n, p, i, x);
}

START_TEST(large_ones_are_estimated)
{
    int n = 60;
    perp_matrix A = tridiagonal(n, 2);
    cli_matrix_info e, x;
    ck_assert(cli_examine(&A, 10, &arena, &e) && cli_examine(&A, 100, &arena, &x));
    double pi = acos(-1), c = cos(pi / (n + 1));
    ck_assert_double_eq_tol(x.condition, (2 + 2 * c) / (2 - 2 * c), 1e-8 * x.condition);
    ck_assert(e.estimated && e.why);
    ck_assert_int_eq(e.rank, n);
    ck_assert_double_le(e.condition, x.condition * (1 + 1e-10));
    ck_assert_double_ge(e.condition, 0.9 * x.condition);
}
END_TEST

START_TEST(large_singular_ones_are_noticed)
{
    int n = 60;
    const double huge = 1e-40;
    perp_matrix A = tridiagonal(n, 2);
    double *x = (double *)(size_t)(const void *)A.as.csc.x;
    for (int k = A.as.csc.p[7]; k < A.as.csc.p[8]; k++) x[k] *= huge;
    cli_matrix_info e;
    ck_assert(cli_examine(&A, 10, &arena, &e));
    ck_assert_int_eq(e.rank, -1);
    ck_assert(isinf(e.condition) && e.why);
}
END_TEST

START_TEST(memory_that_ends)
{
    const double D[] = {3, 1, 1, 3};
    perp_matrix A = perp_dense(2, 2, D);
    for (int left = 0; left < 3; left++) {
        supply s = {.left = left};
        perp_arena a = {.resize = scarce, .ctx = &s};
        cli_matrix_info i;
        bool good = cli_examine(&A, 10, &a, &i);
        if (left == 0) ck_assert(!good);
        perp_arena_free(&a);
        ck_assert_int_eq(s.out, 0);
    }
    perp_matrix op = as_operator(&A);
    cli_matrix_info i;
    ck_assert(!cli_examine(&op, 10, &arena, &i));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_matrix");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, reset, reset);
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, asymmetry_is_frobenius);
    tcase_add_test(t, rank_deficient);
    tcase_add_test(t, other_shapes);
    tcase_add_test(t, formats_agree);
    tcase_add_test(t, large_ones_are_estimated);
    tcase_add_test(t, large_singular_ones_are_noticed);
    tcase_add_test(t, memory_that_ends);
    suite_add_tcase(s, t);
    return support_run(s);
}
