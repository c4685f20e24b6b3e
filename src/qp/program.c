/* qp/program.c: a QP as the dense active-set kernels want it.
 *
 * Rows are scaled to length 1: violations are distances then, and the kernels' tolerances mean the
 * same for each. */
#include "program.h"

#include "../kernel/vector.h"

#define TILE 16 /* rows and columns that are turned at once, to stay in the cache */

static void turn_tile(const perp_matrix *A, int i0, int j0, double *T)
{
    int i1 = i0 + TILE < A->m ? i0 + TILE : A->m, j1 = j0 + TILE < A->n ? j0 + TILE : A->n;
    size_t ld = (size_t)A->as.dense.ld, n = (size_t)A->n;
    for (int i = i0; i < i1; i++) {
        for (int j = j0; j < j1; j++) {
            T[(size_t)i * n + (size_t)j] = A->as.dense.x[(size_t)j * ld + (size_t)i];
        }
    }
}

static void turn(const perp_matrix *A, double *T)
{
    for (int i = 0; i < A->m; i += TILE) {
        for (int j = 0; j < A->n; j += TILE) turn_tile(A, i, j, T);
    }
}

static void scale_rows(perp_program *p, double *T, double *lo, double *hi)
{
    const perp_qp *qp = p->qp;
    for (int i = 0; i < qp->m; i++) {
        double *a = T + (size_t)i * (size_t)qp->n, norm = vector_norm(qp->n, a);
        p->norm[i] = norm > 0 && isfinite(norm) ? norm : 1;
        for (int j = 0; j < qp->n; j++) a[j] /= p->norm[i];
        lo[i] = qp->lo ? qp->lo[i] / p->norm[i] : -INFINITY;
        hi[i] = qp->hi ? qp->hi[i] / p->norm[i] : INFINITY;
    }
}

bool perp_program_open(perp_program *p, const perp_qp *qp, perp_arena *a)
{
    size_t n = (size_t)qp->n, m = (size_t)qp->m;
    *p = (perp_program){.qp = qp};
    double *T = perp_alloc(a, n * m, sizeof *T), *lo = perp_alloc(a, n + m, sizeof *lo);
    double *hi = perp_alloc(a, n + m, sizeof *hi);
    p->norm = perp_alloc(a, m, sizeof *p->norm);
    if (a->failed) return false;
    turn(&qp->A, T);
    for (int j = 0; j < qp->n; j++) {
        lo[j] = qp->xlo ? qp->xlo[j] : -INFINITY;
        hi[j] = qp->xhi ? qp->xhi[j] : INFINITY;
    }
    scale_rows(p, T, lo + n, hi + n);
    p->rows = (perp_rows){.n = qp->n, .m = qp->m, .A = T, .lo = lo, .hi = hi};
    return true;
}

void perp_program_gradient(const perp_program *p, const double *x, double *g)
{
    perp_mul(&p->qp->H, 1, x, 0, g);
    for (int j = 0; j < p->qp->n; j++) g[j] += p->qp->c[j];
}

void perp_program_write(const perp_program *p, const double *value, const double *y, double *z)
{
    int n = p->qp->n;
    for (int j = 0; j < n; j++) {
        double x = value[j];
        z[j] = x < p->rows.lo[j] ? p->rows.lo[j] : x > p->rows.hi[j] ? p->rows.hi[j] : x;
    }
    for (int i = 0; i < p->qp->m; i++) z[n + i] = y[n + i] / p->norm[i];
}

void perp_program_prove(const perp_program *p, const double *proof, double *w)
{
    int n = p->qp->n;
    for (int j = 0; j < n; j++) w[j] = proof[j];
    for (int i = 0; i < p->qp->m; i++) w[n + i] = proof[n + i] / p->norm[i];
}

int perp_program_side(const perp_program *p, int i, double value, double force)
{
    double lo = p->rows.lo[i], hi = p->rows.hi[i];
    if (lo == hi) return 1;
    if (force > 0 && isfinite(lo) && value - lo <= force) return 1;
    if (force < 0 && isfinite(hi) && hi - value <= -force) return -1;
    return 0;
}
