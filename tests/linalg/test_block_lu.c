/* tests/linalg/test_block_lu.c: sparse LU of 3x3 blocks. */
#include "linalg/block_lu.h"

#include "generate/generate.h"
#include "support.h"

#include <math.h>
#include <string.h>

/* n block rows, `more` blocks beside each diagonal one at random, some of them twice. */
typedef struct blocks {
    int n, *p, *j;
    double *x;
} blocks;

static blocks draw(perp_arena *a, int n, int more, uint64_t seed)
{
    generator g = generator_start(seed);
    blocks m = {.n = n};
    size_t count = (size_t)n * (size_t)(more + 1);
    m.p = perp_alloc(a, (size_t)n + 1, sizeof *m.p);
    m.j = perp_alloc(a, count, sizeof *m.j);
    m.x = perp_alloc(a, 9 * count, sizeof *m.x);
    for (int i = 0, at = 0; i < n; i++) {
        for (int k = 0; k <= more; k++, at++) {
            m.j[at] = k == more / 2 ? i : generator_below(&g, n);
            for (int e = 0; e < 9; e++) {
                double far = k == more / 2 && e % 4 == 0 ? 2 + more : 0;
                m.x[9 * at + e] = far + generator_uniform(&g);
            }
        }
        m.p[i + 1] = at;
    }
    return m;
}

static void multiply(const blocks *m, const double *v, double *out)
{
    memset(out, 0, 3 * (size_t)m->n * sizeof *out);
    for (int i = 0; i < m->n; i++) {
        for (int k = m->p[i]; k < m->p[i + 1]; k++) {
            for (int e = 0; e < 9; e++)
                out[3 * i + e % 3] += m->x[9 * k + e] * v[3 * m->j[k] + e / 3];
        }
    }
}

static void solve(const blocks *m, perp_arena *a)
{
    perp_mark mark = perp_arena_mark(a);
    size_t n = (size_t)m->n;
    int *order = perp_alloc(a, n, sizeof *order), *seen = perp_alloc(a, n, sizeof *seen);
    double *v = perp_alloc(a, 3 * n, sizeof *v), *b = perp_alloc(a, 3 * n, sizeof *b);
    perp_block_lu f;
    ck_assert(perp_block_order(a, m->n, m->p, m->j, order));
    for (int k = 0; k < m->n; k++) ck_assert_int_eq(seen[order[k]]++, 0);
    ck_assert(perp_block_lu_open(a, m->n, m->p, m->j, order, &f));
    for (int times = 0; times < 2; times++) {
        ck_assert(perp_block_lu_compute(&f, m->p, m->j, m->x, NULL));
        for (int i = 0; i < 3 * m->n; i++) v[i] = sin(i + times);
        multiply(m, v, b);
        perp_block_lu_solve(&f, b);
        for (int i = 0; i < 3 * m->n; i++) ck_assert_double_eq_tol(b[i], v[i], 1e-11);
    }
    perp_arena_release(a, mark);
}

START_TEST(random_patterns)
{
    perp_arena a = {0};
    for (int k = 0; k < 60; k++) {
        perp_mark mark = perp_arena_mark(&a);
        blocks m = draw(&a, k, k % 7, (uint64_t)k + 1);
        solve(&m, &a);
        perp_arena_release(&a, mark);
    }
    perp_arena_free(&a);
}
END_TEST

/* A chain of blocks has no fill, in whatever order it is given. */
START_TEST(no_fill_where_none_is_needed)
{
    enum { N = 40 };
    perp_arena a = {0};
    int p[N + 1] = {0}, j[3 * N], order[N], at = 0;
    double x[27 * N];
    for (int i = 0; i < N; i++) {
        p[7 * i % N + 1] = 1 + (i < N - 1) + (i > 0);
    }
    for (int i = 0; i < N; i++) p[i + 1] += p[i];
    for (int i = 0; i < N; i++) {
        int row = 7 * i % N;
        at = p[row];
        j[at++] = row;
        if (i < N - 1) j[at++] = 7 * (i + 1) % N;
        if (i > 0) j[at++] = 7 * (i - 1) % N;
    }
    for (int k = 0; k < p[N]; k++) {
        for (int e = 0; e < 9; e++) x[9 * k + e] = 0.1 * cos(k + e);
    }
    for (int i = 0; i < N; i++) {
        for (int e = 0; e < 3; e++) x[9 * p[i] + 4 * e] += 3;
    }
    perp_block_lu f;
    ck_assert(perp_block_order(&a, N, p, j, order));
    ck_assert(perp_block_lu_open(&a, N, p, j, order, &f));
    ck_assert_int_eq(f.lp[N], N - 1);
    blocks m = {N, p, j, x};
    solve(&m, &a);
    perp_arena_free(&a);
}
END_TEST

START_TEST(singular)
{
    perp_arena a = {0};
    const int p[2] = {0, 1}, j[1] = {0}, order[1] = {0};
    double x[9] = {1, 2, 3, 2, 4, 6, 1, 0, 0};
    perp_block_lu f;
    ck_assert(perp_block_lu_open(&a, 1, p, j, order, &f));
    ck_assert(!perp_block_lu_compute(&f, p, j, x, NULL));
    x[0] = NAN;
    ck_assert(!perp_block_lu_compute(&f, p, j, x, NULL));
    perp_arena_free(&a);
}
END_TEST

START_TEST(no_memory)
{
    perp_arena own = {0};
    blocks m = draw(&own, 20, 3, 1);
    for (int left = 0;; left++) {
        supply s = {.left = left};
        perp_arena a = {.resize = scarce, .ctx = &s};
        int order[20];
        perp_block_lu f;
        bool done = perp_block_order(&a, 20, m.p, m.j, order) &&
                    perp_block_lu_open(&a, 20, m.p, m.j, order, &f);
        bool ran_out = s.left <= 0;
        perp_arena_free(&a);
        ck_assert_int_eq(s.out, 0);
        ck_assert(done || ran_out);
        if (!ran_out) break;
    }
    perp_arena_free(&own);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("block_lu");
    TCase *t = tcase_create("block_lu");
    tcase_add_test(t, random_patterns);
    tcase_add_test(t, no_fill_where_none_is_needed);
    tcase_add_test(t, singular);
    tcase_add_test(t, no_memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
