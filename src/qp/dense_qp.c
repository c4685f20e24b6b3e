/* qp/dense_qp.c: a QP as the dense active-set kernels want it.
 *
 * Rows are scaled to length 1: violations are distances then, and the kernels' tolerances mean the
 * same for each. Columns of A and H that differ much in size are scaled by powers of two first, so
 * that the units of x do not matter. */
#include "dense_qp.h"

#include "base/vector.h"

#define DECADES 6 /* of forces that are told apart */
#define UNEVEN 64 /* the largest column over the smallest: more is scaled */
#define PASSES 3  /* of rows and columns */
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

/* ---- scaling ---- */

/* Rows of T to length 1; norm has what they were divided by so far. */
static void scale_rows(int n, int m, double *T, double *norm)
{
    for (int i = 0; i < m; i++) {
        double *a = T + (size_t)i * (size_t)n, length = vector_norm(n, a);
        if (!(length > 0) || !isfinite(length)) continue;
        for (int j = 0; j < n; j++) a[j] /= length;
        norm[i] *= length;
    }
}

/* size_j: the largest entry of column j of T, or the root of H's diagonal entry in units of the
 * largest; returns how uneven they are. Columns of zeros do not count. */
static double measure_columns(const perp_dense_qp *p, const double *T, const double *column,
                              double *size)
{
    int n = p->qp->n;
    size_t next = (size_t)p->qp->H.as.dense.ld + 1;
    double most = 0, least = INFINITY, root = 0;
    for (int j = 0; j < n; j++) {
        size[j] = sqrt(fabs(p->qp->H.as.dense.x[(size_t)j * next])) * column[j];
        root = size[j] > root ? size[j] : root;
    }
    for (int j = 0; j < n && root > 0; j++) size[j] /= root;
    for (int i = 0; i < p->qp->m; i++) {
        const double *a = T + (size_t)i * (size_t)n;
        for (int j = 0; j < n; j++) size[j] = fabs(a[j]) > size[j] ? fabs(a[j]) : size[j];
    }
    for (int j = 0; j < n; j++) {
        if (!(size[j] > 0)) continue;
        most = size[j] > most ? size[j] : most;
        least = size[j] < least ? size[j] : least;
    }
    return most > 0 ? most / least : 1;
}

static void scale_columns(int n, int m, const double *size, double *T, double *column)
{
    for (int j = 0; j < n; j++) {
        double t = size[j] > 0 ? ldexp(1, -(int)lround(log2(size[j]))) : 1;
        column[j] *= t;
        if (t == 1) continue;
        for (int i = 0; i < m; i++) T[(size_t)i * (size_t)n + (size_t)j] *= t;
    }
}

/* T becomes rows of length 1 of A with its columns scaled. True: they were. */
static bool equilibrate(perp_dense_qp *p, double *T, double *size)
{
    int n = p->qp->n, m = p->qp->m;
    bool scaled = false;
    for (int i = 0; i < m; i++) p->norm[i] = 1;
    for (int j = 0; j < n; j++) p->column[j] = 1;
    scale_rows(n, m, T, p->norm);
    for (int pass = 0; pass < PASSES; pass++) {
        if (measure_columns(p, T, p->column, size) <= UNEVEN) break;
        scale_columns(n, m, size, T, p->column);
        scale_rows(n, m, T, p->norm);
        scaled = true;
    }
    return scaled;
}

/* H and c for the scaled x. */
static bool scale_objective(perp_dense_qp *p, perp_arena *a)
{
    size_t n = (size_t)p->qp->n, ld = (size_t)p->qp->H.as.dense.ld;
    const double *H = p->qp->H.as.dense.x;
    double *S = perp_alloc_unset(a, n * n, sizeof *S), *c = perp_alloc_unset(a, n, sizeof *c);
    if (a->failed) return false;
    for (size_t j = 0; j < n; j++) {
        c[j] = p->column[j] * p->qp->c[j];
        for (size_t i = 0; i < n; i++) S[j * n + i] = p->column[i] * H[j * ld + i] * p->column[j];
    }
    p->scaled = *p->qp;
    p->scaled.H = perp_dense((int)n, (int)n, S);
    p->scaled.c = c;
    p->qp = &p->scaled;
    return true;
}

static void fill_bounds(const perp_dense_qp *p, double *lo, double *hi)
{
    const perp_qp *qp = p->qp;
    for (int j = 0; j < qp->n; j++) {
        double t = p->column ? p->column[j] : 1;
        lo[j] = qp->xlo ? qp->xlo[j] / t : -INFINITY;
        hi[j] = qp->xhi ? qp->xhi[j] / t : INFINITY;
    }
    for (int i = 0; i < qp->m; i++) {
        lo[qp->n + i] = qp->lo ? qp->lo[i] / p->norm[i] : -INFINITY;
        hi[qp->n + i] = qp->hi ? qp->hi[i] / p->norm[i] : INFINITY;
    }
}

bool perp_dense_qp_open(perp_dense_qp *p, const perp_qp *qp, perp_arena *a)
{
    size_t n = (size_t)qp->n, m = (size_t)qp->m;
    *p = (perp_dense_qp){.qp = qp};
    double *T = perp_alloc(a, n * m, sizeof *T), *lo = perp_alloc(a, n + m, sizeof *lo);
    double *hi = perp_alloc(a, n + m, sizeof *hi);
    p->norm = perp_alloc(a, m, sizeof *p->norm);
    p->column = perp_alloc(a, n, sizeof *p->column);
    if (a->failed) return false;
    turn(&qp->A, T);
    if (!equilibrate(p, T, lo))
        p->column = NULL;
    else if (!scale_objective(p, a))
        return false;
    fill_bounds(p, lo, hi);
    p->rows = (perp_constraint_rows){.n = qp->n, .m = qp->m, .A = T, .lo = lo, .hi = hi};
    return true;
}

void perp_dense_qp_read(const perp_dense_qp *p, const double *z, double *x)
{
    for (int j = 0; j < p->qp->n; j++) x[j] = p->column ? z[j] / p->column[j] : z[j];
}

void perp_dense_qp_gradient(const perp_dense_qp *p, const double *x, double *g)
{
    perp_mul(&p->qp->H, 1, x, 0, g);
    for (int j = 0; j < p->qp->n; j++) g[j] += p->qp->c[j];
}

void perp_dense_qp_write(const perp_dense_qp *p, const double *value, const double *y, double *z)
{
    int n = p->qp->n;
    for (int j = 0; j < n; j++) {
        double x = value[j];
        z[j] = x < p->rows.lo[j] ? p->rows.lo[j] : x > p->rows.hi[j] ? p->rows.hi[j] : x;
        if (p->column) z[j] *= p->column[j];
    }
    for (int i = 0; i < p->qp->m; i++) z[n + i] = y[n + i] / p->norm[i];
}

/* w = the proof in the QP's own scale, without entries below `cut`. */
static void cut_proof(const perp_dense_qp *p, const double *proof, double cut, double *w)
{
    int n = p->qp->n;
    for (int i = 0; i < n + p->qp->m; i++) {
        double t = i >= n ? 1 / p->norm[i - n] : p->column ? p->column[i] : 1;
        w[i] = fabs(proof[i]) <= cut ? 0 : t * proof[i];
    }
}

void perp_dense_qp_prove_room(perp_run *run)
{
    perp_count(run->arena, (size_t)perp_size(run->problem), sizeof(double));
}

perp_status perp_dense_qp_prove(const perp_dense_qp *p, perp_run *run, perp_status claim,
                                double *proof)
{
    static const double cuts[] = {0, 1e-15, 1e-13, 1e-11, 1e-9};
    size_t size = (size_t)p->qp->n + (size_t)p->qp->m;
    perp_mark mark = perp_arena_mark(run->arena);
    double *w = PERP_ALLOC(run, double, size);
    double most = vector_max(claim == PERP_UNBOUNDED ? p->qp->n : (int)size, proof);
    if (run->arena->failed) return PERP_E_MEMORY;
    if (claim == PERP_UNBOUNDED) memset(proof + p->qp->n, 0, (size_t)p->qp->m * sizeof *proof);
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
        cut_proof(p, proof, cuts[k] * most, w);
        perp_status check = perp_prove(run, claim, w);
        if (check == PERP_E_MEMORY) return check;
        if (check) continue;
        run->proof = w;
        return claim == PERP_UNBOUNDED
                   ? perp_fail(run, claim, "the objective has no lower bound; w holds a direction")
                   : perp_fail(run, claim, "no x is within all bounds; w holds the proof");
    }
    perp_arena_release(run->arena, mark);
    return perp_fail(
        run, PERP_STALLED,
        claim == PERP_UNBOUNDED
            ? "the iterates diverge, but no direction proves that the problem is unbounded"
            : "the rows appear to contradict each other, but no vector proves it");
}

/* ---- sets from a warm start ---- */

static int find_side(double value, double lo, double hi, double force)
{
    if (lo == hi) return 1;
    if (force > 0 && isfinite(lo) && value - lo <= force) return 1;
    if (force < 0 && isfinite(hi) && hi - value <= -force) return -1;
    return 0;
}

void perp_dense_qp_guess(const perp_dense_qp *p, const double *z, const double *value, double *g,
                         signed char *side, double *force)
{
    int n = p->qp->n, all = n + p->qp->m;
    perp_dense_qp_gradient(p, value, g);
    for (int i = n; i < all; i++) {
        force[i] = z[i] * p->norm[i - n];
        rows_add_normal(&p->rows, i, -force[i], g);
    }
    for (int i = 0; i < all; i++) {
        if (i < n) force[i] = g[i];
        side[i] = (signed char)find_side(value[i], p->rows.lo[i], p->rows.hi[i], force[i]);
    }
}

void perp_dense_qp_join(perp_dual *s, const signed char *side, const double *force, double tol)
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
