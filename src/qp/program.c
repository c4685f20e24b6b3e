/* qp/program.c: a QP as the dense active-set kernels want it.
 *
 * Rows are scaled to length 1: violations are distances then, and the kernels' tolerances mean the
 * same for each. */
#include "program.h"

#include "../kernel/vector.h"

#define DECADES 6 /* of forces that are told apart */
#define TILE 16   /* rows and columns that are turned at once, to stay in the cache */

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

/* w = the proof in the QP's own scale, without entries below `cut`. */
static void cut_proof(const perp_program *p, const double *proof, double cut, double *w)
{
    int n = p->qp->n;
    for (int i = 0; i < n + p->qp->m; i++) {
        w[i] = fabs(proof[i]) <= cut ? 0 : i < n ? proof[i] : proof[i] / p->norm[i - n];
    }
}

perp_status perp_program_prove(const perp_program *p, perp_run *run, perp_status claim,
                               double *proof)
{
    static const double cuts[] = {0, 1e-15, 1e-13, 1e-11, 1e-9};
    size_t size = (size_t)p->qp->n + (size_t)p->qp->m;
    double *w = PERP_ALLOC(run, double, size);
    double most = vector_max(claim == PERP_UNBOUNDED ? p->qp->n : (int)size, proof);
    perp_residual r;
    if (run->arena->failed) return PERP_E_MEMORY;
    if (claim == PERP_UNBOUNDED) memset(proof + p->qp->n, 0, (size_t)p->qp->m * sizeof *proof);
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
        cut_proof(p, proof, cuts[k] * most, w);
        perp_status check = perp_check(run->problem, claim, w, run->arena, &r);
        if (check == PERP_E_MEMORY) return check;
        if (check) continue;
        run->certificate = w;
        return claim == PERP_UNBOUNDED
                   ? perp_fail(run, claim, "the objective has no lower bound; w holds a direction")
                   : perp_fail(run, claim, "no x is within all bounds; w holds the proof");
    }
    return perp_fail(run, PERP_STALLED,
                     claim == PERP_UNBOUNDED ? "x goes off without an end, no direction proves it"
                                             : "the rows seem to contradict, no vector proves it");
}

/* ---- sets from a warm start ---- */

static int find_side(double value, double lo, double hi, double force)
{
    if (lo == hi) return 1;
    if (force > 0 && isfinite(lo) && value - lo <= force) return 1;
    if (force < 0 && isfinite(hi) && hi - value <= -force) return -1;
    return 0;
}

void perp_program_guess(const perp_program *p, const double *z, const double *value, double *g,
                        signed char *side, double *force)
{
    int n = p->qp->n, all = n + p->qp->m;
    perp_program_gradient(p, z, g);
    for (int i = n; i < all; i++) {
        force[i] = z[i] * p->norm[i - n];
        rows_add_normal(&p->rows, i, -force[i], g);
    }
    for (int i = 0; i < all; i++) {
        if (i < n) force[i] = g[i];
        side[i] = (signed char)find_side(value[i], p->rows.lo[i], p->rows.hi[i], force[i]);
    }
}

void perp_program_join(perp_dual *s, const signed char *side, const double *force, double tol)
{
    int all = s->rows->n + s->rows->m;
    double most = vector_max(all, force), above = INFINITY;
    for (int k = 0; k < DECADES; k++) {
        double least = k + 1 < DECADES ? most * pow(0.1, k + 1) : -1;
        for (int i = 0; i < all; i++) {
            double size = fabs(force[i]);
            if (side[i] && size < above && size >= least) perp_dual_join(s, i, side[i], tol);
        }
        above = least;
    }
}
