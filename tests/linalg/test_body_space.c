/* tests/linalg/test_body_space.c: M + H D H' with equalities against a dense system. */
#include "linalg/body_space.h"

#include "generate/generate.h"
#include "linalg/dense.h"
#include "support.h"

#include <math.h>
#include <string.h>

/* A chain of bodies of 3 velocities, `blocks` blocks of up to 4 columns between neighbours. */
typedef struct scene {
    int nv, n, nl, blocks;
    double *M, *H, *G, *D, *C; /* dense, column-major; D block after block */
    int start[64], column[256];
    perp_matrix sparse_M, sparse_H, sparse_G;
} scene;

static perp_matrix compress(perp_arena *a, int m, int n, const double *x)
{
    perp_matrix out, dense = perp_dense(m, n, x);
    ck_assert_int_eq(perp_convert(&dense, PERP_FORMAT_CSC, a, &out, NULL), PERP_SOLVED);
    return out;
}

static void draw_matrices(scene *s, generator *g, bool symmetric)
{
    int nv = s->nv;
    for (int j = 0; j < nv; j++) {
        for (int i = j - j % 3; i < j - j % 3 + 3; i++) {
            double x = i == j ? 4 : 0.5 * generator_uniform(g);
            s->M[j * nv + i] = x;
            if (symmetric && i > j) s->M[i * nv + j] = x;
            if (symmetric && i < j) s->M[j * nv + i] = s->M[i * nv + j];
        }
    }
    for (int b = 0; b < s->blocks; b++) {
        int body = generator_below(g, nv / 3 - 1);
        for (int c = s->start[b]; c < s->start[b + 1]; c++) {
            for (int r = 0; r < 6; r++)
                s->H[s->column[c] * nv + 3 * body + r] = generator_uniform(g);
        }
    }
    for (int l = 0; l < s->nl; l++) {
        int body = generator_below(g, nv / 3 - 1);
        for (int r = 0; r < 6; r++) s->G[l * nv + 3 * body + r] = generator_uniform(g);
    }
}

/* D = A A' / 4, plus something skew where it need not be symmetric. */
static void draw_D(const scene *s, generator *g, bool symmetric)
{
    double *D = s->D;
    for (int b = 0; b < s->blocks; b++) {
        int d = s->start[b + 1] - s->start[b];
        double A[16];
        for (int k = 0; k < d * d; k++) A[k] = generator_uniform(g);
        for (int k = 0; k < d * d; k++) {
            D[k] = 0;
            for (int m = 0; m < d; m++) D[k] += A[k % d + m * d] * A[k / d + m * d] / 4;
            if (!symmetric && k % d != k / d) D[k] += k % d > k / d ? 0.2 : -0.2;
        }
        D += d * d;
    }
}

static scene draw(perp_arena *a, int bodies, int blocks, int nl, bool symmetric, generator *g)
{
    scene s = {.nv = 3 * bodies, .blocks = blocks, .nl = nl};
    size_t nv = (size_t)s.nv, entries = 0;
    for (int b = 0; b < blocks; b++) {
        int d = 1 + generator_below(g, 4);
        s.start[b + 1] = s.start[b] + d;
        entries += (size_t)(d * d);
    }
    s.n = s.start[blocks];
    for (int c = 0; c < s.n; c++) s.column[c] = s.n - 1 - c;
    s.M = perp_alloc(a, nv * nv, sizeof *s.M);
    s.H = perp_alloc(a, nv * (size_t)s.n + 1, sizeof *s.H);
    s.G = perp_alloc(a, nv * (size_t)nl + 1, sizeof *s.G);
    s.D = perp_alloc(a, entries, sizeof *s.D);
    s.C = perp_alloc(a, (size_t)nl, sizeof *s.C);
    draw_matrices(&s, g, symmetric);
    for (int l = 0; l < nl; l++) s.C[l] = l % 2 ? 0.5 : 0;
    s.sparse_M = compress(a, s.nv, s.nv, s.M);
    s.sparse_H = compress(a, s.nv, s.n, s.H);
    if (nl > 0) s.sparse_G = compress(a, s.nv, nl, s.G);
    return s;
}

static void fill_dense(const scene *s, double *K)
{
    int n = s->nv + s->nl;
    const double *D = s->D;
    memset(K, 0, (size_t)n * (size_t)n * sizeof *K);
    for (int k = 0; k < s->nv * s->nv; k++) K[k / s->nv * n + k % s->nv] = s->M[k];
    for (int b = 0; b < s->blocks; b++) {
        int d = s->start[b + 1] - s->start[b];
        for (int k = 0; k < d * d; k++) {
            const double *x = s->H + s->column[s->start[b] + k % d] * s->nv;
            const double *y = s->H + s->column[s->start[b] + k / d] * s->nv;
            for (int e = 0; e < s->nv * s->nv; e++)
                K[e / s->nv * n + e % s->nv] += D[k] * x[e % s->nv] * y[e / s->nv];
        }
        D += d * d;
    }
    for (int l = 0; l < s->nl; l++) {
        for (int i = 0; i < s->nv; i++) {
            K[(s->nv + l) * n + i] = K[i * n + s->nv + l] = s->G[l * s->nv + i];
        }
        K[(s->nv + l) * (n + 1)] = -s->C[l];
    }
}

static void check(perp_arena *a, const scene *s, bool symmetric, generator *g)
{
    perp_body_space t;
    int n = s->nv + s->nl;
    const perp_column_blocks of = {s->blocks, s->start, s->column};
    double *K = perp_alloc(a, (size_t)n * (size_t)n, sizeof *K);
    double *x = perp_alloc(a, (size_t)n, sizeof *x), *y = perp_alloc(a, (size_t)n, sizeof *y);
    int *pivot = perp_alloc(a, (size_t)n, sizeof *pivot);
    ck_assert(perp_body_space_open(&t, a, &s->sparse_M, &s->sparse_H, &of, &s->sparse_G, s->C,
                                   symmetric));
    for (int times = 0; times < 2; times++) {
        draw_D(s, g, symmetric);
        fill_dense(s, K);
        ck_assert_int_eq(perp_body_space_factor(&t, s->D), 0);
        for (int i = 0; i < n; i++) x[i] = y[i] = sin(i + times);
        ck_assert(perp_body_space_solve(&t, x));
        ck_assert_int_eq(perp_lu_factor(n, K, n, pivot, NULL), 0);
        perp_lu_solve(n, K, n, pivot, false, 1, y);
        for (int i = 0; i < n; i++) ck_assert_double_eq_tol(x[i], y[i], 1e-9 * (1 + fabs(y[i])));
    }
}

START_TEST(as_dense)
{
    perp_arena a = {0};
    for (int k = 0; k < 40; k++) {
        generator g = generator_start((uint64_t)k + 1);
        bool symmetric = k % 2 == 0;
        perp_mark mark = perp_arena_mark(&a);
        scene s = draw(&a, 2 + k % 7, k % 11, k % 3 ? k % 4 : 0, symmetric, &g);
        check(&a, &s, symmetric, &g);
        perp_arena_release(&a, mark);
    }
    perp_arena_free(&a);
}
END_TEST

/* Twice the same equality: a small number in its corner keeps the factor, and the part of the
 * solution that is determined comes out. */
START_TEST(dependent_equalities)
{
    perp_arena a = {0};
    generator g = generator_start(5);
    scene s = draw(&a, 4, 6, 2, true, &g);
    perp_body_space t;
    const perp_column_blocks of = {s.blocks, s.start, s.column};
    for (int i = 0; i < s.nv; i++) s.G[s.nv + i] = s.G[i];
    s.sparse_G = compress(&a, s.nv, 2, s.G);
    draw_D(&s, &g, true);
    ck_assert(perp_body_space_open(&t, &a, &s.sparse_M, &s.sparse_H, &of, &s.sparse_G, NULL, true));
    ck_assert_int_eq(perp_body_space_factor(&t, s.D), 0);
    double x[14];
    for (int i = 0; i < 12; i++) x[i] = i;
    x[12] = x[13] = 1;
    ck_assert(perp_body_space_solve(&t, x));
    double sum = 0;
    for (int i = 0; i < 12; i++) sum += s.G[i] * x[i];
    ck_assert_double_eq_tol(sum, 1, 1e-6);
    perp_arena_free(&a);
}
END_TEST

/* Without memory it says so, at any size of the arena. */
START_TEST(starved)
{
    perp_arena a = {0};
    generator g = generator_start(7);
    scene s = draw(&a, 3, 4, 2, true, &g);
    const perp_column_blocks of = {s.blocks, s.start, s.column};
    bool opened = false;
    draw_D(&s, &g, true);
    for (size_t bytes = 64; !opened; bytes += 512) {
        void *memory = perp_alloc(&a, bytes, 1);
        perp_arena fixed;
        perp_arena_fixed(&fixed, memory, bytes);
        perp_body_space t;
        opened = perp_body_space_open(&t, &fixed, &s.sparse_M, &s.sparse_H, &of, &s.sparse_G, s.C,
                                      true) &&
                 perp_body_space_factor(&t, s.D) == 0;
        ck_assert(opened || fixed.failed);
    }
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("body_space");
    TCase *c = tcase_create("body_space");
    tcase_add_test(c, as_dense);
    tcase_add_test(c, dependent_equalities);
    tcase_add_test(c, starved);
    suite_add_tcase(s, c);
    return support_run(s);
}
