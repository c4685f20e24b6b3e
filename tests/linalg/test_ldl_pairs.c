/* tests/linalg/test_ldl_pairs.c: factors in pairs of numbers: residuals of twice the digits, and
 * differences whose normal equations are singular to double precision. */
#include "ldl_support.h"

#include "base/pair.h"
#include "linalg/ldl_pairs.h"

/* The largest entry of b - K (x + low), in pairs. */
static double residual(const lower *K, const double *x, const double *low, const double *b)
{
    double most = 0;
    for (int row = 0; row < K->n; row++) {
        double hi = b[row], lo = 0;
        for (int j = 0; j < K->n; j++) {
            for (int k = K->p[j]; k < K->p[j + 1]; k++) {
                int i = K->i[k], other = i == row ? j : i;
                if (i != row && j != row) continue;
                pair_add_product(-K->x[k], x[other], &hi, &lo);
                lo -= K->x[k] * low[other];
            }
        }
        most = fmax(most, fabs(hi + lo));
    }
    return most;
}

START_TEST(solves_random)
{
    static const int sizes[][2] = {{0, 0}, {1, 0}, {0, 1}, {2, 3}, {40, 20}, {30, 90}, {150, 60}};
    static const double fills[][2] = {{0, 0.1}, {0.05, 0.02}, {1, 0.05}, {1, 1}};
    generator g = generator_start(5);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (size_t d = 0; d < sizeof fills / sizeof *fills; d++) {
            perp_arena a = {0};
            perp_ldl plain;
            perp_ldl_pairs f;
            double b[210], x[210], low[210];
            lower K = random_quasidefinite(&g, sizes[s][0], sizes[s][1], fills[d][0], fills[d][1]);
            for (int j = 0; j < K.n; j++) b[j] = generator_uniform(&g);
            ck_assert(perp_ldl_open(&plain, &a, K.n, K.p, K.i, K.negative));
            ck_assert(perp_ldl_pairs_open(&f, &a, &plain));
            for (int again = 0; again < 2; again++) { /* the second factor forgets the first */
                ck_assert_int_eq(perp_ldl_pairs_compute(&f, K.x, 1e-30, 1e-7), 0);
                perp_ldl_pairs_solve(&f, b, x, low);
                ck_assert_double_lt(residual(&K, x, low, b), 1e-27);
            }
            discard_lower(K);
            perp_arena_free(&a);
        }
    }
}
END_TEST

#define N 300
#define ORDER 4
#define LITTLE 0x1p-90

/* [I D'; D -LITTLE] with D the fourth differences of N numbers. */
static lower differences(void)
{
    static const double by[] = {1, -4, 6, -4, 1};
    int m = N - ORDER, size = N + m, count = 0;
    lower K = {.n = size};
    K.p = malloc(((size_t)size + 1) * sizeof *K.p);
    K.i = malloc((size_t)(7 * size) * sizeof *K.i);
    K.x = malloc((size_t)(7 * size) * sizeof *K.x);
    K.negative = calloc((size_t)size, sizeof *K.negative);
    for (int j = 0; j < size; j++) {
        K.p[j] = count;
        K.negative[j] = j >= N;
        K.i[count] = j;
        K.x[count++] = j < N ? 1 : -LITTLE;
        for (int row = j - ORDER; j < N && row <= j; row++) {
            if (row < 0 || row >= m) continue;
            K.i[count] = N + row;
            K.x[count++] = by[j - row];
        }
    }
    K.p[size] = count;
    return K;
}

/* The error of a solution z whose right-hand side is made of whole numbers. */
static double error_of(const double *z, const double *wanted)
{
    double most = 0;
    for (int k = 0; k < 2 * N - ORDER; k++) most = fmax(most, fabs(z[k] - wanted[k]));
    return most;
}

/* The least eigenvalue of D D' is about 1e-15: double precision has no digit of the multipliers. */
START_TEST(nearly_dependent_rows)
{
    lower K = differences();
    generator g = generator_start(3);
    perp_arena a = {0};
    perp_ldl plain;
    perp_ldl_pairs f;
    double z[2 * N], b[2 * N] = {0}, x[2 * N], low[2 * N];
    for (int k = 0; k < K.n; k++) z[k] = (double)generator_below(&g, 100);
    for (int j = 0; j < K.n; j++) {
        for (int k = K.p[j]; k < K.p[j + 1]; k++) {
            int i = K.i[k];
            if (i == j && j >= N) continue;
            b[i] += K.x[k] * z[j];
            if (i != j) b[j] += K.x[k] * z[i];
        }
    }
    ck_assert(perp_ldl_open(&plain, &a, K.n, K.p, K.i, K.negative));
    ck_assert(perp_ldl_pairs_open(&f, &a, &plain));
    perp_ldl_compute(&plain, K.x, 1e-30, 1e-7);
    perp_ldl_solve(&plain, b, x);
    ck_assert_double_gt(error_of(x, z), 1e-3);
    ck_assert_int_eq(perp_ldl_pairs_compute(&f, K.x, 1e-30, 1e-7), 0);
    perp_ldl_pairs_solve(&f, b, x, low);
    ck_assert_double_lt(error_of(x, z), 1e-6);
    discard_lower(K);
    perp_arena_free(&a);
}
END_TEST

START_TEST(pivots_with_the_wrong_sign_are_replaced)
{
    const int p[] = {0, 1, 2, 3}, i[] = {0, 1, 2};
    const double x[] = {-5, 0, 3}, bad[] = {1, NAN, 1};
    const bool negative[] = {false, true, false};
    double b[] = {1, 1, 6}, low[3];
    perp_arena a = {0};
    perp_ldl plain;
    perp_ldl_pairs f;
    ck_assert(perp_ldl_open(&plain, &a, 3, p, i, negative));
    ck_assert(perp_ldl_pairs_open(&f, &a, &plain));
    ck_assert_int_eq(perp_ldl_pairs_compute(&f, x, 1e-30, 0.5), 2);
    perp_ldl_pairs_solve(&f, b, b, low);
    ck_assert_double_eq(b[0], 2);
    ck_assert_double_eq(b[1], -2);
    ck_assert_double_eq(b[2], 2);
    ck_assert_int_ne(perp_ldl_pairs_compute(&f, bad, 1e-30, 0.5), 0);
    perp_arena_free(&a);
}
END_TEST

START_TEST(memory_ends_anywhere)
{
    generator g = generator_start(2);
    lower K = random_quasidefinite(&g, 20, 10, 0.1, 0.2);
    bool opened = false;
    for (int k = 0; !opened; k++) {
        supply s = {.left = k};
        perp_arena a = {.resize = scarce, .ctx = &s};
        perp_ldl plain;
        perp_ldl_pairs f;
        opened = perp_ldl_open(&plain, &a, K.n, K.p, K.i, K.negative) &&
                 perp_ldl_pairs_open(&f, &a, &plain);
        ck_assert(opened || a.failed);
        perp_arena_free(&a);
        ck_assert_int_eq(s.out, 0);
    }
    discard_lower(K);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("linalg_ldl_pairs");
    TCase *t = tcase_create("linalg_ldl_pairs");
    tcase_add_test(t, solves_random);
    tcase_add_test(t, nearly_dependent_rows);
    tcase_add_test(t, pivots_with_the_wrong_sign_are_replaced);
    tcase_add_test(t, memory_ends_anywhere);
    suite_add_tcase(s, t);
    return support_run(s);
}
