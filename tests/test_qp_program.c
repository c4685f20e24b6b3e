/* tests/test_qp_program.c: rows of length 1, and the way back to the QP. */
#include "qp/program.h"
#include "support.h"

#include <check.h>
#include <math.h>

#define N 19
#define M 35

START_TEST(rows_and_back)
{
    static double H[N * N], A[N * M], c[N], lo[M], xlo[N], value[N + M], y[N + M], z[N + M];
    generator g = generator_start(2);
    perp_arena a = {0};
    perp_program p;
    for (int k = 0; k < N * N; k++) H[k] = generator_uniform(&g);
    for (int k = 0; k < N * M; k++) A[k] = k % M == 3 ? 0 : 9 * generator_uniform(&g);
    for (int i = 0; i < M; i++) lo[i] = i % 2 ? -INFINITY : generator_uniform(&g);
    for (int j = 0; j < N; j++) c[j] = xlo[j] = j;
    perp_problem q = perp_make_qp(N, M, perp_dense(N, N, H), c, perp_dense(M, N, A), lo, NULL);
    q.as.qp.xlo = xlo;
    ck_assert(perp_program_open(&p, &q.as.qp, &a));
    for (int i = 0; i < M; i++) {
        const double *row = rows_normal(&p.rows, N + i);
        ck_assert_double_lt(fabs(plain_norm(N, row) - (i != 3)), 1e-15);
        for (int j = 0; j < N; j++) {
            ck_assert_double_lt(fabs(row[j] * p.norm[i] - A[j * M + i]), 1e-14);
        }
        ck_assert(p.rows.hi[N + i] == INFINITY);
        ck_assert(i % 2 ? p.rows.lo[N + i] == -INFINITY
                        : fabs(p.rows.lo[N + i] * p.norm[i] - lo[i]) < 1e-15);
        value[N + i] = 0, y[N + i] = i;
    }
    for (int j = 0; j < N; j++) value[j] = y[j] = 5;
    perp_program_write(&p, value, y, z);
    for (int j = 0; j < N; j++) ck_assert_double_eq(z[j], j > 5 ? j : 5);
    for (int i = 0; i < M; i++) ck_assert_double_lt(fabs(z[N + i] * p.norm[i] - i), 1e-13);
    perp_program_gradient(&p, c, z);
    for (int i = 0; i < N; i++) {
        double sum = c[i];
        for (int j = 0; j < N; j++) sum += H[j * N + i] * c[j];
        ck_assert_double_lt(fabs(sum - z[i]), 1e-12);
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(sides)
{
    const double H[] = {1}, c[] = {0}, A[] = {1, 2, 4, 1}, lo[] = {0, 2, -INFINITY, 1},
                 hi[] = {1, INFINITY, 8, 1};
    perp_arena a = {0};
    perp_program p;
    perp_problem q = perp_make_qp(1, 4, perp_dense(1, 1, H), c, perp_dense(4, 1, A), lo, hi);
    ck_assert(perp_program_open(&p, &q.as.qp, &a));
    ck_assert_int_eq(perp_program_side(&p, 0, 7, 3), 0);
    ck_assert_int_eq(perp_program_side(&p, 1, 0, 0.5), 1);
    ck_assert_int_eq(perp_program_side(&p, 1, 0, 0), 0);
    ck_assert_int_eq(perp_program_side(&p, 1, 1, -0.5), -1);
    ck_assert_int_eq(perp_program_side(&p, 2, 1, 2), 1);
    ck_assert_int_eq(perp_program_side(&p, 2, 1, -2), 0);
    ck_assert_int_eq(perp_program_side(&p, 3, 2, -2), -1);
    ck_assert_int_eq(perp_program_side(&p, 4, 1, 0), 1);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp/program");
    TCase *t = tcase_create("program");
    tcase_add_test(t, rows_and_back);
    tcase_add_test(t, sides);
    suite_add_tcase(s, t);
    return support_run(s);
}
