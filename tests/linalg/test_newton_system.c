/* tests/linalg/test_newton_system.c: systems (diag(a) + diag(b) (M + e I)) d = r: residuals for
 * every mixture of rows, dense and sparse, symmetric and not; singular ones; memory. */
#include "support.h"

#include "linalg/newton_system.h"

#include <check.h>
#include <math.h>
#include <string.h>

#define N 12

/* M in both formats. */
typedef struct pair {
    double M[N * N];
    perp_matrix dense, csc;
    perp_arena arena;
} pair;

static void make_pair(pair *p, bool symmetric, uint64_t seed)
{
    generator g = generator_start(seed);
    *p = (pair){0};
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) {
            double x = generator_below(&g, 3) && i != j ? 0 : generator_uniform(&g);
            p->M[j * N + i] = symmetric && i > j ? 0 : x;
        }
        p->M[j * N + j] = 5 + generator_unit(&g);
    }
    for (int j = 0; symmetric && j < N; j++) {
        for (int i = j + 1; i < N; i++) p->M[j * N + i] = p->M[i * N + j];
    }
    p->dense = perp_dense(N, N, p->M);
    ck_assert(!perp_convert(&p->dense, PERP_FORMAT_CSC, &p->arena, &p->csc, NULL));
}

/* max |(a + b (M + e)) d - r| */
static double error_of(const double *M, const double *a, const double *b, double e, const double *r,
                       const double *d)
{
    double worst = 0;
    for (int i = 0; i < N; i++) {
        double sum = a[i] * d[i] + b[i] * e * d[i] - r[i];
        for (int j = 0; j < N; j++) sum += b[i] * M[j * N + i] * d[j];
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

static void check_system(const pair *p, const perp_matrix *M, generator *g, double share)
{
    perp_arena arena = {0};
    perp_newton_system m;
    double a[N], b[N], r[N], d[N], e = generator_below(g, 2) * 0.5;
    ck_assert(perp_newton_system_open(&m, &arena, M, 0));
    for (int round = 0; round < 3; round++) { /* one opening, several factors */
        int rows = 0;
        for (int i = 0; i < N; i++) {
            b[i] = generator_unit(g) < share ? generator_unit(g) : 0;
            a[i] = b[i] > 0 ? generator_below(g, 2) * generator_unit(g) : 1 + generator_unit(g);
            r[i] = generator_uniform(g);
            rows += b[i] > 0;
        }
        ck_assert_int_eq(perp_newton_system_factor(&m, a, b, e), 0);
        ck_assert_int_eq(m.size, rows);
        ck_assert_int_eq(perp_newton_system_solve(&m, r, d), 0);
        ck_assert(error_of(p->M, a, b, e, r, d) < 1e-12);
    }
    ck_assert(m.by_cholesky == m.symmetric);
    perp_arena_free(&arena);
}

START_TEST(solves)
{
    static const double shares[] = {0, 0.3, 0.7, 1};
    generator g = generator_start(3);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        pair p;
        make_pair(&p, seed % 2, seed);
        check_system(&p, &p.dense, &g, shares[seed % 4]);
        check_system(&p, &p.csc, &g, shares[seed % 4]);
        perp_arena_free(&p.arena);
    }
}
END_TEST

static void singular_in(const perp_matrix *M)
{
    const double none[2] = {0}, ones[2] = {1, 1}, tiny[2] = {0, 1e-300};
    const double r[2] = {1, 1e300};
    perp_arena arena = {0};
    perp_newton_system m;
    double d[2];
    ck_assert(perp_newton_system_open(&m, &arena, M, 0));
    ck_assert_int_gt(perp_newton_system_factor(&m, none, ones, 0), 0);
    ck_assert_int_eq(perp_newton_system_factor(&m, none, ones, 1), 0); /* (M + I) d = r */
    ck_assert_int_eq(perp_newton_system_factor(&m, ones, ones, 0), 0);
    ck_assert_int_eq(perp_newton_system_factor(&m, ones, none, 0), 0);
    ck_assert_int_eq(perp_newton_system_solve(&m, ones, d), 0);
    ck_assert(d[0] == 1 && d[1] == 1);
    const double lead[2] = {1, 0}; /* d_1 = 1e300 / 1e-300 */
    ck_assert_int_eq(perp_newton_system_factor(&m, tiny, lead, 0), 0);
    ck_assert_int_gt(perp_newton_system_solve(&m, r, d), 0);
    perp_arena_free(&arena);
}

START_TEST(singular)
{
    const double symmetric[] = {1, 1, 1, 1}, general[] = {1, 2, 1, 2};
    const int p[] = {0, 2, 4}, i[] = {0, 1, 0, 1};
    const double *const both[] = {symmetric, general};
    for (int k = 0; k < 2; k++) {
        perp_matrix dense = perp_dense(2, 2, both[k]), csc = perp_csc(2, 2, p, i, both[k]);
        singular_in(&dense);
        singular_in(&csc);
    }
}
END_TEST

/* Indefinite but regular: Cholesky gives way to LU. */
START_TEST(indefinite)
{
    const double M[] = {1, 2, 2, 1}, a[] = {0, 0}, b[] = {1, 1}, r[] = {3, 3};
    perp_matrix dense = perp_dense(2, 2, M);
    perp_arena arena = {0};
    perp_newton_system m;
    double d[2];
    ck_assert(perp_newton_system_open(&m, &arena, &dense, 0));
    for (int k = 0; k < 5; k++) {
        ck_assert_int_eq(perp_newton_system_factor(&m, a, b, 0), 0);
        ck_assert_int_eq(perp_newton_system_solve(&m, r, d), 0);
        ck_assert_double_eq_tol(d[0], 1, 1e-15);
        ck_assert(!m.by_cholesky);
    }
    ck_assert_int_eq(m.cholesky_failures, 3); /* it is not asked again */
    perp_arena_free(&arena);
}
END_TEST

START_TEST(memory)
{
    pair p;
    double a[N], b[N];
    make_pair(&p, true, 1);
    for (int i = 0; i < N; i++) a[i] = b[i] = 1;
    for (int k = 0, done = 0; !done; k++) {
        supply left = {.left = k};
        perp_arena arena = {.resize = scarce, .ctx = &left};
        perp_newton_system m;
        ck_assert_int_lt(k, 50);
        if (perp_newton_system_open(&m, &arena, &p.csc, 0)) {
            int status = perp_newton_system_factor(&m, a, b, 0);
            ck_assert_int_le(status, 0);
            done = status == 0;
        }
        perp_arena_free(&arena);
        ck_assert_int_eq(left.out, 0);
    }
    perp_arena_free(&p.arena);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("mixed");
    TCase *t = tcase_create("mixed");
    tcase_add_test(t, solves);
    tcase_add_test(t, singular);
    tcase_add_test(t, indefinite);
    tcase_add_test(t, memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
