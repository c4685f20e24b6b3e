/* generate/qp.c: quadratic programs around a known solution and its multipliers: bounds and rows
 * are laid around x, and c = g - H x + A'y makes the gradient what the bounds allow. */
#include "problem_parts.h"

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
    qp.xlo = xlo, qp.xhi = xhi;
    qp.lo = lo, qp.hi = hi;
    *out = (generated_problem){.p = {.kind = PERP_QP, .as.qp = qp}, .z = z};
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
    lo[0] = 1, hi[0] = INFINITY;
    lo[1] = -INFINITY, hi[1] = 0;
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
