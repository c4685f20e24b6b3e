/* tests/qp/test_dense_qp.c: rows of length 1, and the way back to the QP. */
#include "qp/dense_qp.h"
#include "support.h"

#include "perp/solvers.h"

#include <check.h>
#include <math.h>
#include <string.h>

#define N 19
#define M 35

START_TEST(rows_and_back)
{
    static double H[N * N], A[N * M], c[N], lo[M], xlo[N], value[N + M], y[N + M], z[N + M];
    generator g = generator_start(2);
    perp_arena a = {0};
    perp_dense_qp p;
    for (int k = 0; k < N * N; k++) H[k] = generator_uniform(&g);
    for (int k = 0; k < N * M; k++) A[k] = k % M == 3 ? 0 : 9 * generator_uniform(&g);
    for (int i = 0; i < M; i++) lo[i] = i % 2 ? -INFINITY : generator_uniform(&g);
    for (int j = 0; j < N; j++) c[j] = xlo[j] = j;
    perp_problem q = perp_make_qp(N, M, perp_dense(N, N, H), c, perp_dense(M, N, A), lo, NULL);
    q.as.qp.xlo = xlo;
    ck_assert(perp_dense_qp_open(&p, &q.as.qp, &a));
    for (int i = 0; i < M; i++) {
        const double *row = rows_normal(&p.rows, N + i);
        ck_assert_double_lt(fabs(plain_norm(N, row) - (i != 3)), 1e-15);
        for (int j = 0; j < N; j++) {
            ck_assert_double_lt(fabs(row[j] * p.norm[i] - A[j * M + i]), 1e-14);
        }
        ck_assert(p.rows.hi[N + i] == INFINITY);
        ck_assert(i % 2 ? p.rows.lo[N + i] == -INFINITY
                        : fabs(p.rows.lo[N + i] * p.norm[i] - lo[i]) < 1e-15);
        value[N + i] = 0;
        y[N + i] = i;
    }
    for (int j = 0; j < N; j++) value[j] = y[j] = 5;
    perp_dense_qp_write(&p, value, y, z);
    for (int j = 0; j < N; j++) ck_assert_double_eq(z[j], j > 5 ? j : 5);
    for (int i = 0; i < M; i++) ck_assert_double_lt(fabs(z[N + i] * p.norm[i] - i), 1e-13);
    perp_dense_qp_gradient(&p, c, z);
    for (int i = 0; i < N; i++) {
        double sum = c[i];
        for (int j = 0; j < N; j++) sum += H[j * N + i] * c[j];
        ck_assert_double_lt(fabs(sum - z[i]), 1e-12);
    }
    perp_arena_free(&a);
}
END_TEST

/* n = 1; rows x in [0, 1], 2x >= 2, 4x <= 8, x = 1. */
START_TEST(guesses)
{
    static const struct {
        double x, y[4];
        signed char side[5];
    } list[] = {{1, {0, 1, 0, 0}, {0, 0, 1, 0, 1}},
                {1, {-1, 0, 0, 5}, {0, -1, 0, 0, 1}},
                {2, {0, 0, -2, 0}, {0, 0, 0, -1, 1}},
                {0, {1, 0, -2, -1}, {0, 1, 0, -1, 1}}};
    const double H[] = {1}, c[] = {0}, A[] = {1, 2, 4, 1}, lo[] = {0, 2, -INFINITY, 1},
                 hi[] = {1, INFINITY, 8, 1};
    perp_arena a = {0};
    perp_dense_qp p;
    perp_problem q = perp_make_qp(1, 4, perp_dense(1, 1, H), c, perp_dense(4, 1, A), lo, hi);
    ck_assert(perp_dense_qp_open(&p, &q.as.qp, &a));
    for (int k = 0; k < 4; k++) {
        double x = list[k].x, value[5] = {x, x, x, x, x}, z[5] = {x}, g[1], force[5];
        signed char side[5];
        memcpy(z + 1, list[k].y, 4 * sizeof *z);
        perp_dense_qp_guess(&p, z, value, g, side, force);
        for (int i = 0; i < 5; i++) ck_assert_msg(side[i] == list[k].side[i], "%d %d", k, i);
        ck_assert_double_eq(force[3], 4 * z[3]);
    }
    perp_arena_free(&a);
}
END_TEST

/* Two rows that are the same: the stronger joins. */
START_TEST(the_strong_join_first)
{
    const double A[] = {1, 0, 1, 0}, free[] = {-INFINITY, -INFINITY, 0, 0},
                 none[] = {INFINITY, INFINITY, INFINITY, INFINITY}, force[] = {0, 0, 0.1, 2};
    const signed char side[] = {0, 0, 1, 1};
    perp_constraint_rows rows = {.n = 2, .m = 2, .A = A, .lo = free, .hi = none};
    double doubles[64] = {0};
    int ints[16];
    perp_dual s;
    ck_assert_uint_le(perp_dual_doubles(2, 2), 64);
    ck_assert_uint_le(perp_dual_ints(2, 2), 16);
    perp_dual_open(&s, &rows, doubles, ints);
    s.set.Q[0] = s.set.Q[3] = 1;
    perp_dense_qp_join(&s, side, force, 0);
    ck_assert_int_eq(s.set.R.k, 1);
    ck_assert_int_eq(s.set.set[0], 3);
}
END_TEST

/* The vectors that come back, unscaled. */
START_TEST(proofs)
{
    const double H[] = {0}, c[] = {-1}, A[] = {1, 1}, lo[] = {1, -INFINITY}, hi[] = {INFINITY, 0};
    perp_problem q = perp_make_qp(1, 2, perp_dense(1, 1, H), c, perp_dense(2, 1, A), lo, hi);
    perp_arena a = {0};
    double z[3], w[3];
    perp_result r;
    ck_assert_int_eq(perp_solve(&q, perp_find("qp/fletcher"), &a, z, w, &r), PERP_INFEASIBLE);
    ck_assert(w[1] > 0 && w[2] == -w[1]);
    q.as.qp.lo = q.as.qp.hi = NULL;
    ck_assert_int_eq(perp_solve(&q, perp_find("qp/fletcher"), &a, z, w, &r), PERP_UNBOUNDED);
    ck_assert(w[0] > 0 && w[1] == 0 && w[2] == 0);
    perp_arena_free(&a);
}
END_TEST

/* Columns in units of 1e-6 .. 1e6: the kernels see a matrix of like columns, and z comes back. */
START_TEST(units)
{
    static double H[N * N], A[N * M], c[N], xlo[N], x[N], z[N + M], y[N + M], g[N], h[N];
    generator g0 = generator_start(3);
    perp_arena a = {0};
    perp_dense_qp p;
    double unit[N];
    for (int j = 0; j < N; j++) unit[j] = pow(10, 6 * generator_uniform(&g0));
    for (int k = 0; k < N * M; k++) A[k] = unit[k / M] * generator_uniform(&g0);
    for (int k = 0; k < N * N; k++) H[k] = unit[k / N] * unit[k % N] * generator_uniform(&g0);
    for (int j = 0; j < N; j++) {
        c[j] = unit[j];
        xlo[j] = -1 / unit[j];
        z[j] = (j + 1) / unit[j];
    }
    perp_problem q = perp_make_qp(N, M, perp_dense(N, N, H), c, perp_dense(M, N, A), NULL, NULL);
    q.as.qp.xlo = xlo;
    ck_assert(perp_dense_qp_open(&p, &q.as.qp, &a));
    ck_assert_ptr_nonnull(p.column);
    perp_dense_qp_read(&p, z, x);
    for (int j = 0; j < N; j++) {
        double most = 0;
        for (int i = 0; i < M; i++) most = fmax(most, fabs(rows_normal(&p.rows, N + i)[j]));
        ck_assert(most > 0.1 && most < 1.5);
        ck_assert_double_eq(x[j] * p.column[j], z[j]);
        ck_assert_double_eq(p.rows.lo[j] * p.column[j], xlo[j]);
    }
    perp_dense_qp_gradient(&p, x, g);
    perp_dense_qp_gradient(&(perp_dense_qp){.qp = &q.as.qp}, z, h);
    for (int j = 0; j < N; j++) {
        ck_assert_double_lt(fabs(g[j] / p.column[j] - h[j]), 1e-10 * unit[j]);
    }
    double back[N + M];
    perp_dense_qp_write(&p, x, y, back);
    ck_assert_double_eq(difference(N, back, z), 0);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp/dense_qp");
    TCase *t = tcase_create("program");
    tcase_add_test(t, rows_and_back);
    tcase_add_test(t, guesses);
    tcase_add_test(t, the_strong_join_first);
    tcase_add_test(t, proofs);
    tcase_add_test(t, units);
    suite_add_tcase(s, t);
    return support_run(s);
}
