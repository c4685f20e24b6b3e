/* test_matrix.c: products of every format against a naive dense sum. */
#include "core/internal.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#define N 33 /* above the largest size tried */

static uint64_t state;

static void seed(uint64_t s)
{
    state = s * UINT64_C(0x9E3779B97F4A7C15) + 1;
}

static uint64_t next(void)
{
    state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
    return state * UINT64_C(2685821657736338717);
}

static double uniform(void) /* in [-1, 1) */
{
    return 2 * (double)(next() >> 11) * 0x1p-53 - 1;
}

static int below(int n)
{
    return (int)(next() % (uint64_t)n);
}

/* One random matrix in one format, with the dense matrix it means. */
typedef struct sample {
    perp_matrix A;
    double full[N][N]; /* full[i][j] */
    double x[3 * N * N + 9];
    int p[N + 1], i[3 * N * N];
} sample;

static void make_dense(sample *s, int m, int n)
{
    int ld = m + below(4);
    for (int k = 0; k < ld * n; k++) s->x[k] = NAN; /* what lies below row m is not to be read */
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) s->full[i][j] = s->x[i + j * ld] = uniform();
    }
    s->A = perp_dense(m, n, s->x);
    s->A.as.dense.ld = ld > 1 ? ld : 1;
}

/* Unsorted, with duplicates and empty columns. */
static void make_csc(sample *s, int m, int n)
{
    int count = 0;
    for (int j = 0; j < n; j++) {
        int length = m && j % 4 != 1 ? below(m + 3) : 0;
        for (int k = 0; k < length; k++, count++) {
            s->i[count] = below(m);
            s->x[count] = uniform();
            s->full[s->i[count]][j] += s->x[count];
        }
        s->p[j + 1] = count;
    }
    s->A = perp_csc(m, n, s->p, s->i, s->x);
}

static void make_bsr3(sample *s, int m, int n)
{
    int mb = m / 3, nb = n / 3, count = 0;
    for (int row = 0; row < mb; row++) {
        int length = nb && row % 4 != 1 ? below(nb + 3) : 0;
        for (int k = 0; k < length; k++, count++) {
            int column = s->i[count] = below(nb);
            for (int t = 0; t < 9; t++) {
                double v = s->x[9 * count + t] = uniform();
                s->full[3 * row + t % 3][3 * column + t / 3] += v;
            }
        }
        s->p[row + 1] = count;
    }
    s->A = perp_bsr3(mb, nb, s->p, s->i, s->x);
}

static void operator_mul(const void *ctx, double a, const double *x, double b, double *y)
{
    perp_mul(ctx, a, x, b, y);
}

static void operator_mul_t(const void *ctx, double a, const double *x, double b, double *y)
{
    perp_mul_t(ctx, a, x, b, y);
}

/* The oracle: sum_j op(A)_ij x_j, one entry at a time. */
static double entry(const sample *s, bool transposed, int i, int k)
{
    return transposed ? s->full[k][i] : s->full[i][k];
}

static void check_product(const sample *s, const perp_matrix *A, bool transposed, double a,
                          double b)
{
    int rows = transposed ? A->n : A->m, columns = transposed ? A->m : A->n;
    double x[N] = {0}, y[N + 1], before[N];
    for (int k = 0; k < columns; k++) x[k] = uniform();
    for (int i = 0; i < rows; i++) y[i] = before[i] = b == 0 ? NAN : uniform();
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

static void check_products(const sample *s)
{
    static const double factor[] = {0, 1, -1, 0.37};
    perp_matrix op = {.format = PERP_OPERATOR, .m = s->A.m, .n = s->A.n};
    op.as.op.mul = operator_mul, op.as.op.mul_t = operator_mul_t, op.as.op.ctx = &s->A;
    for (int k = 0; k < 16; k++) {
        for (int t = 0; t < 2; t++) {
            check_product(s, &s->A, t, factor[k / 4], factor[k % 4]);
            check_product(s, &op, t, factor[k / 4], factor[k % 4]);
        }
    }
}

static void check_sizes(void (*make)(sample *s, int m, int n))
{
    static const int size[] = {0, 1, 3, 4, 6, 7, 30};
    for (int k = 0; k < 49; k++) {
        seed((uint64_t)k + 1);
        int m = size[k / 7], n = size[k % 7];
        sample *s = calloc(1, sizeof *s);
        make(s, m, n);
        check_products(s);
        free(s);
    }
}

START_TEST(dense_products)
{
    check_sizes(make_dense);
}
END_TEST

START_TEST(csc_products)
{
    check_sizes(make_csc);
}
END_TEST

START_TEST(bsr3_products)
{
    check_sizes(make_bsr3);
}
END_TEST

START_TEST(absent_is_zero_of_its_size)
{
    static sample s;
    s.A = (perp_matrix){.format = PERP_ABSENT, .m = 7, .n = 3};
    seed(5);
    check_products(&s);
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
