/* generate/qp.c: quadratic programs around a known solution and its multipliers: bounds and rows
 * are laid around x, and c = g - H x + A'y makes the gradient what the bounds allow. */
#include "problem_parts.h"

#include <string.h>

/* x_i free, inside its box, at lo with g_i >= 0, or at hi with g_i <= 0. */
static void plant_bounds(generator *g, int degenerate, perp_qp *qp, double *x, double *gradient,
                         double *lo, double *hi)
{
    for (int i = 0; i < qp->n; i++) {
        int place = generator_below(g, 4);
        double room = 0.5 + generator_unit(g), force = problem_multiplier(g, degenerate);
        x[i] = 2 * generator_uniform(g);
        lo[i] = place == 2 ? x[i] : place == 0 ? -INFINITY : x[i] - room;
        hi[i] = place == 3 ? x[i] : place == 0 ? INFINITY : x[i] + room;
        gradient[i] = place == 2 ? force : place == 3 ? -force : 0;
    }
}

/* Row i an equality, slack, at lo with y_i >= 0, or at hi with y_i <= 0; s = A x. */
static void plant_rows(generator *g, int degenerate, perp_qp *qp, const double *s, double *y,
                       double *lo, double *hi)
{
    for (int i = 0; i < qp->m; i++) {
        int place = generator_below(g, 4);
        double force = problem_multiplier(g, degenerate), any = generator_uniform(g);
        lo[i] = place == 3 ? -INFINITY : place == 1 ? s[i] - 1 : s[i];
        hi[i] = place == 2 ? INFINITY : place == 1 ? s[i] + 1 : s[i];
        y[i] = place == 0 ? any : place == 1 ? 0 : place == 2 ? force : -force;
    }
}

static void plant(generator *g, int n, int m, perp_matrix H, perp_matrix A, int degenerate,
                  perp_arena *a, generated_problem *out)
{
    perp_qp qp = {.n = n, .m = m, .H = H, .A = A};
    double *z = problem_vector(a, n + m), *c = problem_vector(a, n), *s = problem_vector(a, m);
    double *xlo = problem_vector(a, n), *xhi = problem_vector(a, n);
    double *lo = problem_vector(a, m), *hi = problem_vector(a, m);
    if (a->failed) return;
    plant_bounds(g, degenerate, &qp, z, c, xlo, xhi);
    if (m > 0) perp_mul(&A, 1, z, 0, s);
    plant_rows(g, degenerate, &qp, s, z + n, lo, hi);
    if (H.format) perp_mul(&H, -1, z, 1, c);
    if (m > 0) perp_mul_t(&A, 1, z + n, 1, c);
    qp.c = c;
    qp.xlo = xlo;
    qp.xhi = xhi;
    qp.lo = lo;
    qp.hi = hi;
    *out = (generated_problem){.p = {.kind = PERP_KIND_QP, .as.qp = qp}, .z = z};
}

/* Dense, half as many rows as unknowns. */
static void plant_dense(generator *g, int n, int rank, double diagonal, double skew, int degenerate,
                        perp_arena *a, generated_problem *out)
{
    int m = n / 2;
    double *H = problem_monotone(g, a, n, rank, diagonal, skew), *A = problem_matrix(g, a, m, n);
    plant(g, n, m, perp_dense(n, n, H), perp_dense(m, n, A), degenerate, a, out);
}

void make_qp_convex(generator *g, int size, perp_arena *a, generated_problem *out)
{
    plant_dense(g, size, size, 0.1, 0, 0, a, out);
}

void make_qp_degenerate(generator *g, int size, perp_arena *a, generated_problem *out)
{
    plant_dense(g, size, size / 2, 0, 0, 3, a, out);
}

void make_qp_nonsymmetric(generator *g, int size, perp_arena *a, generated_problem *out)
{
    plant_dense(g, size, size, 0.1, 1, 0, a, out);
}

void make_qp_linear(generator *g, int size, perp_arena *a, generated_problem *out)
{
    int m = size / 2;
    double *A = problem_matrix(g, a, m, size);
    plant(g, size, m, (perp_matrix){0}, perp_dense(m, size, A), 0, a, out);
}

/* H = tridiagonal (-1, 2, -1); row i bounds x_i - x_(i+m). Linear time. */
void make_qp_sparse(generator *g, int size, perp_arena *a, generated_problem *out)
{
    int n = size, m = size / 2, k = 0;
    int *p = perp_alloc(a, (size_t)n + 1, sizeof *p), *i = perp_alloc(a, 3 * (size_t)n, sizeof *i);
    int *at = perp_alloc(a, (size_t)n + 1, sizeof *at), *r = perp_alloc(a, (size_t)n, sizeof *r);
    double *x = perp_alloc(a, 3 * (size_t)n, sizeof *x), *v = perp_alloc(a, (size_t)n, sizeof *v);
    if (a->failed) return;
    for (int j = 0; j < n; j++) {
        for (int row = j > 0 ? j - 1 : 0; row <= j + 1 && row < n; row++, k++) {
            i[k] = row;
            x[k] = row == j ? 2 : -1;
        }
        p[j + 1] = k;
    }
    for (int j = 0; j < n; j++) {
        at[j + 1] = at[j];
        if (j >= 2 * m) continue;
        r[at[j]] = j % m;
        v[at[j + 1]++] = j < m ? 1 : -1;
    }
    plant(g, n, m, perp_csc(n, n, p, i, x), perp_csc(m, n, at, r, v), 0, a, out);
}

/* The first two rows ask for s x >= 1 and s x <= 0. */
void make_qp_infeasible(generator *g, int size, perp_arena *a, generated_problem *out)
{
    int n = size, m = 2 + n / 2;
    double *H = problem_monotone(g, a, n, n, 0.1, 0), *A = problem_matrix(g, a, m, n);
    double *proof = problem_vector(a, n + m);
    if (a->failed) return;
    for (int j = 0; j < n; j++) A[(size_t)j * (size_t)m + 1] = A[(size_t)j * (size_t)m];
    plant(g, n, m, perp_dense(n, n, H), perp_dense(m, n, A), 0, a, out);
    if (a->failed) return;
    double *lo = (double *)out->p.as.qp.lo, *hi = (double *)out->p.as.qp.hi;
    lo[0] = 1;
    hi[0] = INFINITY;
    lo[1] = -INFINITY;
    hi[1] = 0;
    proof[n] = 1;
    proof[n + 1] = -1;
    out->z = NULL;
    out->claim = PERP_INFEASIBLE;
    out->proof = proof;
}

/* The first unknown has a price below zero, no upper bound, and no part in anything else. */
void make_qp_unbounded(generator *g, int size, perp_arena *a, generated_problem *out)
{
    int n = size, m = n / 2;
    double *H = problem_monotone(g, a, n, n, 0.1, 0), *A = problem_matrix(g, a, m, n);
    double *proof = problem_vector(a, n + m);
    if (a->failed) return;
    for (int j = 0; j < n; j++) H[j] = H[(size_t)j * (size_t)n] = 0;
    for (int i = 0; i < m; i++) A[i] = 0;
    plant(g, n, m, perp_dense(n, n, H), perp_dense(m, n, A), 0, a, out);
    if (a->failed) return;
    ((double *)out->p.as.qp.c)[0] = -1;
    ((double *)out->p.as.qp.xhi)[0] = INFINITY;
    proof[0] = 1;
    out->z = NULL;
    out->claim = PERP_UNBOUNDED;
    out->proof = proof;
}

/* One-sided rows alone, twice as many as unknowns; a quarter of them hold x. */
void make_qp_rows(generator *g, int size, perp_arena *a, generated_problem *out)
{
    int n = size, m = 2 * n;
    double *H = problem_monotone(g, a, n, n, 0.1, 0), *A = problem_matrix(g, a, m, n);
    double *z = problem_vector(a, n + m), *c = problem_vector(a, n), *lo = problem_vector(a, m);
    if (a->failed) return;
    perp_matrix square = perp_dense(n, n, H), rows = perp_dense(m, n, A);
    for (int j = 0; j < n; j++) z[j] = generator_uniform(g);
    perp_mul(&rows, 1, z, 0, lo);
    for (int i = 0; i < m; i++) {
        bool holds = generator_below(g, 4) == 0;
        double u = problem_multiplier(g, 0);
        if (holds)
            z[n + i] = u;
        else
            lo[i] -= u;
    }
    perp_mul(&square, -1, z, 0, c);
    perp_mul_t(&rows, 1, z + n, 1, c);
    *out = (generated_problem){.p = perp_make_qp(n, m, square, c, rows, lo, NULL), .z = z};
}

/* ---- special ones ---- */

/* Row i of a dense m x n matrix: t times row `from`. */
static void copy_row(int n, int m, double *A, int i, int from_m, const double *from_A, int from,
                     double t)
{
    for (size_t j = 0; j < (size_t)n; j++) {
        A[j * (size_t)m + (size_t)i] = t * from_A[j * (size_t)from_m + (size_t)from];
    }
}

/* Every row COPIES times, with factors of two; one of the copies has the multiplier. */
void make_qp_redundant(generator *g, int size, perp_arena *a, generated_problem *out)
{
    enum { COPIES = 10 };
    int n = size, base = (n + 1) / 2, m = COPIES * base;
    double *H = problem_monotone(g, a, n, n, 0.1, 0), *B = problem_matrix(g, a, base, n);
    double *A = problem_vector(a, m * n), *lo = problem_vector(a, m), *hi = problem_vector(a, m);
    double *z = problem_vector(a, n + m);
    if (a->failed) return;
    plant(g, n, base, perp_dense(n, n, H), perp_dense(base, n, B), 3, a, out);
    if (a->failed) return;
    perp_qp *qp = &out->p.as.qp;
    memcpy(z, out->z, ((size_t)n + (size_t)base) * sizeof *z);
    for (int i = 0; i < m; i++) {
        double t = ldexp(1, i / base % 3);
        copy_row(n, m, A, i, base, B, i % base, t);
        lo[i] = t * qp->lo[i % base];
        hi[i] = t * qp->hi[i % base];
    }
    qp->m = m;
    qp->A = perp_dense(m, n, A);
    qp->lo = lo;
    qp->hi = hi;
    out->z = z;
}

/* 2 n / 3 equalities, integers, of half that rank: row 2 i + 1 is row 2 i and another. */
static void plant_equalities(generator *g, int size, perp_arena *a, generated_problem *out)
{
    int n = size, m = 2 * ((n + 2) / 3);
    double *H = problem_monotone(g, a, n, n, 0.1, 0), *A = problem_vector(a, m * n);
    if (a->failed) return;
    for (int i = 0; i < m; i += 2) {
        for (int j = 0; j < n; j++) A[j * m + i] = generator_between(g, -3, 3);
    }
    for (int i = 1; i < m; i += 2) {
        for (int j = 0; j < n; j++) A[j * m + i] = A[j * m + i - 1] + A[j * m];
    }
    plant(g, n, m, perp_dense(n, n, H), perp_dense(m, n, A), 0, a, out);
    if (a->failed) return;
    perp_qp *qp = &out->p.as.qp;
    double *b = (double *)qp->lo;
    qp->hi = b;
    for (int j = 0; j < n; j++) ((double *)out->z)[j] = 0; /* x = 0 and b = 0: exact */
    memset(b, 0, (size_t)m * sizeof *b);
    for (int j = 0; j < n; j++) {
        ((double *)qp->c)[j] = 0;
        ((double *)qp->xlo)[j] = -1 - generator_unit(g);
        ((double *)qp->xhi)[j] = j % 3 ? INFINITY : 1;
    }
    perp_mul_t(&qp->A, 1, out->z + n, 0, (double *)qp->c);
}

void make_qp_dependent(generator *g, int size, perp_arena *a, generated_problem *out)
{
    plant_equalities(g, size, a, out);
}

/* The same; but the last row asks for 1, where the two that it is the sum of ask for 0. */
void make_qp_inconsistent(generator *g, int size, perp_arena *a, generated_problem *out)
{
    plant_equalities(g, size, a, out);
    double *proof = problem_vector(a, 2 * size + 8);
    if (a->failed) return;
    perp_qp *qp = &out->p.as.qp;
    ((double *)qp->lo)[qp->m - 1] = 1;
    proof[qp->n + qp->m - 1] = 1;
    proof[qp->n + qp->m - 2] -= 1;
    proof[qp->n] -= 1;
    out->z = NULL;
    out->claim = PERP_INFEASIBLE;
    out->proof = proof;
}

/* Beale's linear program, on which the simplex method cycles, many times side by side. */
void make_qp_cycling(generator *g, int size, perp_arena *a, generated_problem *out)
{
    static const double c4[] = {-0.75, 150, -0.02, 6}, x4[] = {0.04, 0, 1, 0};
    static const double rows[3][4] = {{0.25, -60, -0.04, 9}, {0.5, -90, -0.02, 3}, {0, 0, 1, 0}};
    static const double y3[] = {0, -1.5, -0.05};
    int blocks = (size + 3) / 4, n = 4 * blocks, m = 3 * blocks;
    double *A = problem_vector(a, m * n), *c = problem_vector(a, n), *hi = problem_vector(a, m);
    double *xlo = problem_vector(a, n), *z = problem_vector(a, n + m);
    if (a->failed) return;
    for (int b = 0; b < blocks; b++) {
        double price = 1 + generator_unit(g);
        for (int j = 0; j < 4; j++) {
            c[4 * b + j] = price * c4[j];
            z[4 * b + j] = x4[j];
        }
        for (int i = 3 * b; i < 3 * b + 3; i++) {
            for (int j = 0; j < 4; j++) A[(4 * b + j) * m + i] = rows[i - 3 * b][j];
            hi[i] = i == 3 * b + 2;
            z[n + i] = price * y3[i - 3 * b];
        }
    }
    perp_problem p = perp_make_qp(n, m, (perp_matrix){0}, c, perp_dense(m, n, A), NULL, hi);
    p.as.qp.xlo = xlo;
    *out = (generated_problem){.p = p, .z = z};
}

/* As many positive as negative curvatures, all x in boxes; one stationary point of many. */
void make_qp_indefinite(generator *g, int size, perp_arena *a, generated_problem *out)
{
    int n = size, m = n / 2;
    double *H = problem_monotone(g, a, n, n, 0, 0), *K = problem_monotone(g, a, n, n, 0, 0);
    double *A = problem_matrix(g, a, m, n);
    if (a->failed) return;
    for (int k = 0; k < n * n; k++) H[k] -= K[k];
    plant(g, n, m, perp_dense(n, n, H), perp_dense(m, n, A), 0, a, out);
    if (a->failed) return;
    for (int j = 0; j < n; j++) {
        double *lo = (double *)out->p.as.qp.xlo + j, *hi = (double *)out->p.as.qp.xhi + j;
        if (isinf(*lo)) {
            *lo = out->z[j] - 1;
            *hi = out->z[j] + 1;
        }
    }
}

/* No bounds and no rows: one linear system. */
void make_qp_free(generator *g, int size, perp_arena *a, generated_problem *out)
{
    int n = size;
    double *H = problem_monotone(g, a, n, n, 0.1, 0), *z = problem_vector(a, n);
    double *c = problem_vector(a, n);
    if (a->failed) return;
    for (int j = 0; j < n; j++) z[j] = generator_uniform(g);
    perp_matrix view = perp_dense(n, n, H);
    perp_mul(&view, -1, z, 0, c);
    *out =
        (generated_problem){.p = perp_make_qp(n, 0, view, c, (perp_matrix){0}, NULL, NULL), .z = z};
}

/* Three of four unknowns have but one value. */
void make_qp_fixed(generator *g, int size, perp_arena *a, generated_problem *out)
{
    plant_dense(g, size, size, 0.1, 0, 0, a, out);
    if (a->failed) return;
    for (int j = 0; j < size; j++) {
        if (j % 4 == 3) continue;
        ((double *)out->p.as.qp.xlo)[j] = ((double *)out->p.as.qp.xhi)[j] = out->z[j];
    }
}
