/* tests/method/test_box_cg.c: quadratic problems in a box, against their optimality conditions. */
#include "generate.h"
#include "method/box_cg.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N 30

/* |x - P(x - (A x - b))| */
static double natural(const perp_matrix *A, const double *b, const double *lo, const double *hi,
                      const double *x)
{
    double g[N], worst = 0;
    memcpy(g, b, sizeof g);
    perp_mul(A, 1, x, -1, g);
    for (int i = 0; i < N; i++) worst = fmax(worst, fabs(x[i] - clip(x[i] - g[i], lo[i], hi[i])));
    return worst;
}

static void check_box(uint64_t seed, double shift, bool sparse)
{
    generator g = generator_start(seed);
    perp_arena a = {0};
    double *M = calloc(N * N, sizeof *M), b[N], lo[N], hi[N], x[N];
    double *work = malloc(PERP_BOX_CG_WORK * N * sizeof *work);
    for (int j = 0; j < N; j++) { /* B'B / N + shift, badly scaled */
        for (int i = 0; i <= j; i++) {
            generator s = generator_start(seed), t = generator_start(seed);
            double sum = 0;
            s.state += (uint64_t)i * 977;
            t.state += (uint64_t)j * 977;
            for (int r = 0; r < N; r++) sum += generator_uniform(&s) * generator_uniform(&t);
            double scale = pow(10, (i % 5 + j % 5) / 2.5);
            M[j * N + i] = M[i * N + j] = scale * (sum / N + (i == j ? shift : 0));
        }
    }
    for (int i = 0; i < N; i++) {
        int sort = generator_below(&g, 5);
        double at = generator_uniform(&g);
        b[i] = 3 * generator_uniform(&g);
        lo[i] = sort & 1 ? at : -INFINITY;
        hi[i] = sort & 2 ? at + generator_unit(&g) : INFINITY;
        if (sort == 4) lo[i] = hi[i] = at;
        x[i] = 5 * generator_uniform(&g);
    }
    perp_matrix dense = perp_dense(N, N, M), A = dense;
    if (sparse) ck_assert(!perp_convert(&dense, PERP_FORMAT_CSC, &a, &A, NULL));
    int steps = 5000;
    perp_box_cg_end end = perp_box_cg(&A, b, lo, hi, 1e-10, &steps, x, work, NULL);
    for (int i = 0; i < N; i++) ck_assert(x[i] >= lo[i] && x[i] <= hi[i]);
    if (end == PERP_BOX_CG_DONE) ck_assert_double_le(natural(&dense, b, lo, hi, x), 1e-6);
    if (shift > 0) ck_assert_int_eq(end, PERP_BOX_CG_DONE);
    ck_assert_int_le(steps, 5000);
    free(M);
    free(work);
    perp_arena_free(&a);
}

START_TEST(random_boxes)
{
    for (uint64_t seed = 1; seed <= 40; seed++) check_box(seed, 0.5, seed % 2);
}
END_TEST

START_TEST(no_minimum)
{
    const double M[] = {1, 2, 2, 1}, b[] = {1, -1}, lo[] = {-INFINITY, -INFINITY};
    const double hi[] = {INFINITY, INFINITY};
    perp_matrix A = perp_dense(2, 2, M);
    double x[2] = {0}, work[2 * PERP_BOX_CG_WORK];
    int steps = 100;
    ck_assert_int_eq(perp_box_cg(&A, b, lo, hi, 1e-10, &steps, x, work, NULL),
                     PERP_BOX_CG_INDEFINITE);
    const double one[] = {1, 0, 0, 1};
    perp_matrix I2 = perp_dense(2, 2, one);
    steps = 0;
    ck_assert_int_eq(perp_box_cg(&I2, b, lo, hi, 1e-10, &steps, x, work, NULL), PERP_BOX_CG_STEPS);
    steps = 5;
    ck_assert_int_eq(perp_box_cg(&I2, b, lo, hi, 1e-10, &steps, x, work, NULL), PERP_BOX_CG_DONE);
    ck_assert_double_eq_tol(x[0], 1, 1e-12);
    perp_matrix none = perp_dense(0, 0, one);
    ck_assert_int_eq(perp_box_cg(&none, b, lo, hi, 1e-10, &steps, x, work, NULL), PERP_BOX_CG_DONE);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("boxcg");
    TCase *t = tcase_create("boxcg");
    tcase_add_test(t, random_boxes);
    tcase_add_test(t, no_minimum);
    suite_add_tcase(s, t);
    return support_run(s);
}
