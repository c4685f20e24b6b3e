/* test_matrix.c: products of every format against a naive dense sum. */
#include "base/format.h"
#include "core/internal.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#define N RANDOM_MOST

static const random_entries entries = {.draw = generator_uniform, .padding = NAN};

/* The oracle: sum_j op(A)_ij x_j, one entry at a time. */
static double entry(const random_matrix *s, bool transposed, int i, int k)
{
    return transposed ? s->full[k][i] : s->full[i][k];
}

static void check_product(const random_matrix *s, const perp_matrix *A, bool transposed, double a,
                          double b, generator *g)
{
    int rows = transposed ? A->n : A->m, columns = transposed ? A->m : A->n;
    double x[N] = {0}, y[N + 1], before[N];
    for (int k = 0; k < columns; k++) x[k] = generator_uniform(g);
    for (int i = 0; i < rows; i++) y[i] = before[i] = b == 0 ? NAN : generator_uniform(g);
    y[rows] = 7; /* one past the end stays */
    (transposed ? perp_mul_t : perp_mul)(A, a, x, b, y);
    ck_assert(y[rows] == 7);
    for (int i = 0; i < rows; i++) {
        double sum = b == 0 ? 0 : b * before[i], size = fabs(sum);
        for (int k = 0; k < columns; k++) {
            sum += a * entry(s, transposed, i, k) * x[k];
            /* entries of full are sums of up to N duplicates below 1 each */
            size += N * fabs(a * x[k]);
        }
        ck_assert_msg(fabs(y[i] - sum) <= 4 * N * DBL_EPSILON * size,
                      "format %d, %d x %d, a %g, b %g, t %d: y[%d] = %.17g, expected %.17g",
                      (int)A->format, A->m, A->n, a, b, transposed, i, y[i], sum);
    }
}

static void check_products(const random_matrix *s, generator *g)
{
    static const double factor[] = {0, 1, -1, 0.37};
    perp_matrix op = as_operator(&s->A);
    for (int k = 0; k < 16; k++) {
        for (int t = 0; t < 2; t++) {
            check_product(s, &s->A, t, factor[k / 4], factor[k % 4], g);
            check_product(s, &op, t, factor[k / 4], factor[k % 4], g);
        }
    }
}

static void check_random(perp_format format, int m, int n, uint64_t seed)
{
    generator g = generator_start(seed);
    random_matrix *s = random_matrix_new(format, m, n, &entries, &g);
    check_products(s, &g);
    free(s);
}

static void check_sizes(perp_format format)
{
    static const int size[] = {0, 1, 3, 4, 6, 7, 30};
    for (int k = 0; k < 49; k++) check_random(format, size[k / 7], size[k % 7], (uint64_t)k + 1);
}

/* What has to be there for a format whose entries can be read, and what for any. */
START_TEST(every_format_has_its_row)
{
    int rows = 0;
    for (int k = 0; k < PERP_FORMATS; k++) {
        const perp_matrix_ops *f = perp_format_of((perp_format)k);
        ck_assert_int_eq(f != NULL, (k & (k - 1)) == 0); /* 0 and single bits */
        if (!f) continue;
        rows++;
        ck_assert(f->name && f->title && f->check && f->mul && f->mul_t);
        bool all = f->count && f->read_diagonal && f->add_sizes && f->add_sizes_t && f->to_csc;
        bool none =
            !f->count && !f->read_diagonal && !f->add_sizes && !f->add_sizes_t && !f->to_csc;
        ck_assert_msg(all || none, "%s has some of what reads entries", f->name);
        ck_assert_msg(none || f->add_to_dense || k == PERP_FORMAT_DENSE, "%s", f->name);
    }
    ck_assert_int_eq(rows, 7);
    ck_assert_ptr_null(perp_format_of((perp_format)PERP_FORMATS));
    ck_assert_ptr_null(perp_format_of((perp_format)3));
}
END_TEST

START_TEST(dense_products)
{
    check_sizes(PERP_FORMAT_DENSE);
}
END_TEST

START_TEST(csc_products)
{
    check_sizes(PERP_FORMAT_CSC);
}
END_TEST

START_TEST(bsr3_products)
{
    check_sizes(PERP_FORMAT_BSR3);
}
END_TEST

START_TEST(absent_is_zero_of_its_size)
{
    check_random(PERP_FORMAT_ABSENT, 7, 3, 5);
}
END_TEST

START_TEST(products_by_hand)
{
    /* A = [1 4; 2 5; 3 6] */
    const double A[] = {1, 2, 3, 4, 5, 6}, x[] = {1, -1}, u[] = {1, 0, 2};
    perp_matrix M = perp_dense(3, 2, A);
    double y[] = {1, 1, 1}, w[] = {1, 1};
    perp_mul(&M, 2, x, 10, y); /* A x = (-3, -3, -3) */
    ck_assert(y[0] == 4 && y[1] == 4 && y[2] == 4);
    perp_mul_t(&M, 2, u, 10, w); /* A' u = (7, 16) */
    ck_assert(w[0] == 24 && w[1] == 42);
}
END_TEST

START_TEST(blocks_are_column_major)
{
    const int p[] = {0, 1}, j[] = {1};
    const double B[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, x[] = {9, 9, 9, 1, 10, 100}, u[] = {1, 10, 100};
    perp_matrix M = perp_bsr3(1, 2, p, j, B);
    double y[] = {NAN, NAN, NAN}, w[] = {NAN, NAN, NAN, NAN, NAN, NAN};
    perp_mul(&M, 1, x, 0, y);
    ck_assert(y[0] == 741 && y[1] == 852 && y[2] == 963);
    perp_mul_t(&M, 1, u, 0, w);
    ck_assert(w[0] == 0 && w[2] == 0 && w[3] == 321 && w[4] == 654 && w[5] == 987);
}
END_TEST

/* The certificate must see a NaN that a solver produced, whatever stands in the matrix. */
START_TEST(nan_in_x_is_not_lost)
{
    const double zero[16] = {0}, x[] = {0, NAN, 0, 0};
    perp_matrix M = perp_dense(4, 4, zero);
    double y[4];
    perp_mul(&M, 1, x, 0, y);
    for (int i = 0; i < 4; i++) ck_assert(isnan(y[i]));
    perp_mul_t(&M, 1, x, 0, y);
    for (int i = 0; i < 4; i++) ck_assert(isnan(y[i]));
}
END_TEST

START_TEST(empty_matrices_may_have_null_arrays)
{
    const int p[] = {0, 0, 0, 0};
    double y[3] = {NAN, NAN, NAN};
    perp_matrix A[] = {perp_dense(0, 3, NULL), perp_csc(0, 3, p, NULL, NULL),
                       perp_bsr3(0, 1, p, NULL, NULL)};
    for (int k = 0; k < 3; k++) {
        perp_mul(&A[k], 1, y, 0, NULL);
        perp_mul_t(&A[k], 1, NULL, 0, y);
        for (int i = 0; i < 3; i++) ck_assert(y[i] == 0);
        y[0] = y[1] = y[2] = NAN;
    }
    perp_matrix B = perp_dense(3, 0, NULL);
    perp_mul(&B, 1, NULL, 0, y);
    for (int i = 0; i < 3; i++) ck_assert(y[i] == 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("matrix");
    TCase *c = tcase_create("matrix");
    tcase_add_test(c, every_format_has_its_row);
    tcase_add_test(c, dense_products);
    tcase_add_test(c, csc_products);
    tcase_add_test(c, bsr3_products);
    tcase_add_test(c, absent_is_zero_of_its_size);
    tcase_add_test(c, products_by_hand);
    tcase_add_test(c, blocks_are_column_major);
    tcase_add_test(c, nan_in_x_is_not_lost);
    tcase_add_test(c, empty_matrices_may_have_null_arrays);
    suite_add_tcase(s, c);
    return support_run(s);
}
