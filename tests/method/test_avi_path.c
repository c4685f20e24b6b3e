/* tests/method/test_avi_path.c: paths to solutions of affine variational inequalities. */
#include "method/avi_path.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

#define N 10
#define M 20

typedef struct fixture {
    perp_constraint_rows rows;
    double H[N * N], c[N], A[N * M], lo[N + M], hi[N + M];
    double doubles[5 * N * N + 40 * (N + M)];
    int ints[8 * (N + M)];
    perp_avi p;
} fixture;

static void open_fixture(fixture *f, int n, int m)
{
    memset(f, 0, sizeof *f);
    for (int i = 0; i < n + m; i++) {
        f->lo[i] = -INFINITY;
        f->hi[i] = INFINITY;
    }
    f->rows = (perp_constraint_rows){.n = n, .m = m, .A = f->A, .lo = f->lo, .hi = f->hi};
    ck_assert_uint_le(perp_avi_doubles(n, m), sizeof f->doubles / sizeof *f->doubles);
    ck_assert_uint_le(perp_avi_ints(n, m), sizeof f->ints / sizeof *f->ints);
}

/* From the feasible x, with the equalities in the set. */
static perp_avi_step run(fixture *f, const double *x, double prox)
{
    perp_avi_step step = PERP_AVI_MOVED;
    int n = f->rows.n;
    perp_avi_open(&f->p, &f->rows, f->H, n, f->c, f->doubles, f->ints);
    memcpy(f->p.s.value, x, (size_t)n * sizeof *x);
    for (int i = 0; i < n + f->rows.m; i++) {
        if (rows_is_equality(&f->rows, i)) perp_dual_join(&f->p.s, i, 1, 0);
    }
    f->p.prox = prox;
    perp_avi_begin(&f->p);
    for (int k = 0; step == PERP_AVI_MOVED; k++) {
        ck_assert_int_lt(k, 2000);
        step = perp_avi_advance(&f->p);
    }
    return step;
}

/* The worst violation of F(x) = sum y_i a_i and of the signs. */
static double error_of(const fixture *f, double prox)
{
    int n = f->rows.n;
    const double *v = f->p.s.value, *y = f->p.s.y;
    double F[N], worst = 0;
    for (int i = 0; i < n; i++) {
        F[i] = f->c[i] + prox * (v[i] - f->p.anchor[i]);
        for (int j = 0; j < n; j++) F[i] += f->H[j * n + i] * v[j];
    }
    for (int i = 0; i < n + f->rows.m; i++) {
        worst = fmax(worst, fmax(f->lo[i] - v[i], v[i] - f->hi[i]));
        if (y[i] > 0) worst = fmax(worst, fmin(y[i], v[i] - f->lo[i]));
        if (y[i] < 0) worst = fmax(worst, fmin(-y[i], f->hi[i] - v[i]));
        rows_add_normal(&f->rows, i, -y[i], F);
    }
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(F[i]));
    return worst;
}

/* A rotation, H = (0 1; -1 0), on x >= 1, y in [-1, 1]: F = (y, -x) pulls y up to 1 and x down to
 * 1; multipliers 1 at x, -1 at y. */
START_TEST(rotation)
{
    static fixture f;
    const double start[2] = {3, 0};
    open_fixture(&f, 2, 0);
    f.H[1] = -1;
    f.H[2] = 1;
    f.lo[0] = 1;
    f.lo[1] = -1;
    f.hi[1] = 1;
    ck_assert_int_eq(run(&f, start, 0.1), PERP_AVI_SOLUTION);
    ck_assert_double_lt(error_of(&f, 0.1), 1e-14);
    ck_assert(perp_avi_polish(&f.p));
    ck_assert_double_lt(error_of(&f, 0), 1e-14);
    ck_assert(fabs(f.p.s.value[0] - 1) < 1e-15 && fabs(f.p.s.value[1] - 1) < 1e-15);
    ck_assert(fabs(f.p.s.y[0] - 1) < 1e-14 && fabs(f.p.s.y[1] + 1) < 1e-14);
}
END_TEST

/* H = B'B + K - K' on rows through an integer point, many of them tight there. */
START_TEST(monotone)
{
    static fixture f;
    generator g = generator_start(3);
    for (int k = 0; k < 600; k++) {
        int n = generator_between(&g, 1, N), m = generator_between(&g, 0, M);
        double x[N], b[N];
        open_fixture(&f, n, m);
        for (int r = generator_below(&g, n + 1); r > 0; r--) {
            for (int j = 0; j < n; j++) b[j] = generator_between(&g, -2, 2);
            for (int e = 0; e < n * n; e++) f.H[e] += b[e % n] * b[e / n];
        }
        for (int i = 0; i < n; i++) {
            f.c[i] = generator_between(&g, -5, 5);
            x[i] = generator_between(&g, -2, 2);
            f.lo[i] = x[i] - generator_below(&g, 3);
            if (generator_below(&g, 2)) f.hi[i] = x[i] + generator_below(&g, 3);
            for (int j = 0; j < i; j++) {
                double skew = generator_between(&g, -3, 3);
                f.H[j * n + i] += skew;
                f.H[i * n + j] -= skew;
            }
        }
        for (int i = 0; i < m; i++) {
            double norm = 0, at = 0;
            for (int j = 0; j < n; j++) b[j] = generator_between(&g, -2, 2);
            norm = plain_norm(n, b);
            for (int j = 0; j < n; j++) at += (f.A[i * n + j] = norm > 0 ? b[j] / norm : 0) * x[j];
            f.lo[n + i] = norm > 0 ? at - generator_below(&g, 2) : -1;
        }
        ck_assert_int_eq(run(&f, x, 0.01), PERP_AVI_SOLUTION);
        ck_assert_msg(error_of(&f, 0.01) < 1e-9, "%d: %g", k, error_of(&f, 0.01));
    }
}
END_TEST

/* -x on x >= 0, F(x) = 1 - x from x = 3 without a proximal term: t grows for ever, as x does. */
START_TEST(not_monotone)
{
    static fixture f;
    const double start[1] = {3};
    open_fixture(&f, 1, 0);
    f.H[0] = -1;
    f.c[0] = 1;
    f.lo[0] = 0;
    perp_avi_step step = run(&f, start, 0);
    ck_assert(step == PERP_AVI_SOLUTION || step == PERP_AVI_RAY);
    f.H[0] = 0;
    f.c[0] = -1; /* F = -1: no solution; the path is nowhere unique */
    ck_assert_int_eq(run(&f, start, 0), PERP_AVI_SINGULAR);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("avi_path");
    TCase *t = tcase_create("avi_path");
    tcase_add_test(t, rotation);
    tcase_add_test(t, monotone);
    tcase_add_test(t, not_monotone);
    suite_add_tcase(s, t);
    return support_run(s);
}
