/* core/lift_qp.c: a qp as an mcp, its KKT system, unknowns (x, y, y2), see fill_rows.
 *
 * The matrix [H, -A', -R'; A, 0, 0; R, 0, 0], R the rows with two multipliers, is dense when H and
 * A are, CSC otherwise. */
#include "base/format.h"
#include "kinds.h"

/* The rows with two finite bounds lo < hi, which have two multipliers, y and y2. */
typedef struct multipliers {
    int n, m, extra;  /* of x, of y, of y2 */
    const int *range; /* rows of y2 */
} multipliers;

static bool is_range(const perp_qp *qp, int i)
{
    return qp->lo && qp->hi && isfinite(qp->lo[i]) && isfinite(qp->hi[i]) && qp->lo[i] < qp->hi[i];
}

static perp_status list_ranges(const perp_qp *qp, perp_arena *a, multipliers *y, perp_error *e)
{
    int extra = 0;
    for (int i = 0; i < qp->m; i++) extra += is_range(qp, i);
    int *range = perp_alloc_unset(a, (size_t)extra, sizeof *range);
    if (a->failed) return perp_lift_refuse_memory(e);
    for (int i = 0, k = 0; i < qp->m; i++) {
        if (is_range(qp, i)) range[k++] = i;
    }
    y->n = qp->n;
    y->m = qp->m;
    y->extra = extra;
    y->range = range;
    if (kind_sum(kind_sum(qp->n, qp->m), extra) >= 0) return PERP_SOLVED;
    return perp_refuse(e, PERP_E_ARGUMENT, "%d + %d + %d unknowns are too many", qp->n, qp->m,
                       extra);
}

/* F = A x - bound, and where its multiplier lives: free for an equality, >= 0 at a lower bound,
 * <= 0 at an upper one, 0 for a row without bounds. A range has two, y at lo and y2 at hi. */
static void fill_rows(const perp_qp *qp, const multipliers *y, double *q, double *lo, double *hi)
{
    for (int i = 0; i < qp->m; i++) {
        int row = qp->n + i;
        double low = kind_bound(qp->lo, i, -INFINITY), high = kind_bound(qp->hi, i, INFINITY);
        bool below = isfinite(low), above = isfinite(high);
        q[row] = below ? -low : above ? -high : 0;
        lo[row] = low == high || (above && !below) ? -INFINITY : 0;
        hi[row] = below ? INFINITY : 0;
    }
    for (int k = 0; k < y->extra; k++) {
        int row = qp->n + qp->m + k;
        q[row] = -qp->hi[y->range[k]];
        lo[row] = -INFINITY;
        hi[row] = 0;
    }
}

static void fill_variables(const perp_qp *qp, double *q, double *lo, double *hi)
{
    for (int j = 0; j < qp->n; j++) {
        q[j] = qp->c[j];
        lo[j] = kind_bound(qp->xlo, j, -INFINITY);
        hi[j] = kind_bound(qp->xhi, j, INFINITY);
    }
}

/* Row `from` of A as row and column `to` of the dense M. */
static void put_row(const perp_matrix *A, int from, int to, int N, double *M)
{
    size_t ld = (size_t)A->as.dense.ld, size = (size_t)N, at = (size_t)to;
    for (size_t j = 0; j < (size_t)A->n; j++) {
        double value = A->as.dense.x[j * ld + (size_t)from];
        M[j * size + at] = value;
        M[at * size + j] = -value;
    }
}

static perp_status dense_kkt(const perp_qp *qp, const multipliers *y, perp_arena *a, perp_matrix *M,
                             perp_error *e)
{
    int n = qp->n, m = qp->m, N = n + m + y->extra;
    double *x = perp_alloc(a, (size_t)N * (size_t)N, sizeof *x);
    if (a->failed) return perp_lift_refuse_memory(e);
    for (int j = 0; j < n; j++) {
        const double *column = qp->H.as.dense.x + (size_t)j * (size_t)qp->H.as.dense.ld;
        kind_copy(n, column, x + (size_t)j * (size_t)N);
    }
    for (int i = 0; i < m; i++) put_row(&qp->A, i, n + i, N, x);
    for (int k = 0; k < y->extra; k++) put_row(&qp->A, y->range[k], n + m + k, N, x);
    *M = perp_dense(N, N, x);
    return PERP_SOLVED;
}

/* The columns of M as they grow. */
typedef struct columns {
    int next, *row;
    double *x;
} columns;

static void append(columns *c, const perp_matrix *A, int j, double sign, int shift)
{
    const struct perp_csc_view *v = &A->as.csc;
    for (int k = v->p[j]; k < v->p[j + 1]; k++) {
        c->row[c->next] = v->i[k] + shift;
        c->x[c->next++] = sign * v->x[k];
    }
}

/* Column j of R, the rows of A that are ranges; number[i] is i's place among them, or -1. */
static void append_ranges(columns *c, const perp_matrix *A, int j, const int *number, int shift)
{
    const struct perp_csc_view *v = &A->as.csc;
    for (int k = v->p[j]; k < v->p[j + 1]; k++) {
        if (number[v->i[k]] < 0) continue;
        c->row[c->next] = number[v->i[k]] + shift;
        c->x[c->next++] = v->x[k];
    }
}

/* H, A and T = A' are sorted CSC; so is M. */
static void fill_kkt(const perp_matrix *H, const perp_matrix *A, const perp_matrix *T,
                     const multipliers *y, const int *number, int *p, columns *c)
{
    int n = y->n, m = y->m;
    for (int j = 0; j < n; j++) {
        append(c, H, j, 1, 0);
        append(c, A, j, 1, n);
        append_ranges(c, A, j, number, n + m);
        p[j + 1] = c->next;
    }
    for (int i = 0; i < m + y->extra; i++) {
        append(c, T, i < m ? i : y->range[i - m], -1, 0);
        p[n + i + 1] = c->next;
    }
}

/* Entries of M, each of A twice, each of R four times in all; -1: too many. */
static int count_kkt(const perp_matrix *H, const perp_matrix *A, const perp_matrix *T,
                     const multipliers *y)
{
    int once = A->as.csc.p[A->n], count = kind_sum(H->as.csc.p[H->n], kind_sum(once, once));
    for (int k = 0; k < y->extra; k++) {
        int i = y->range[k], row = T->as.csc.p[i + 1] - T->as.csc.p[i];
        count = kind_sum(count, kind_sum(row, row));
    }
    return count;
}

static perp_status sparse_kkt(const perp_qp *qp, const multipliers *y, perp_arena *a,
                              perp_matrix *M, perp_error *e)
{
    perp_matrix H, A, T;
    int N = qp->n + qp->m + y->extra;
    perp_status status = perp_lift_csc(&qp->H, a, &H, e);
    if (!status) status = perp_lift_csc(&qp->A, a, &A, e);
    if (!status) status = perp_lift_transpose(&A, a, &T, e);
    if (status) return status;
    int count = count_kkt(&H, &A, &T, y);
    if (count < 0) return perp_lift_refuse_count(e);
    int *p = perp_alloc(a, (size_t)N + 1, sizeof *p);
    int *number = perp_alloc_unset(a, (size_t)qp->m, sizeof *number);
    columns c = {.row = perp_alloc_unset(a, (size_t)count, sizeof *c.row)};
    c.x = perp_alloc_unset(a, (size_t)count, sizeof *c.x);
    if (a->failed) return perp_lift_refuse_memory(e);
    for (int i = 0; i < qp->m; i++) number[i] = -1;
    for (int k = 0; k < y->extra; k++) number[y->range[k]] = k;
    fill_kkt(&H, &A, &T, y, number, p, &c);
    *M = perp_csc(N, N, p, c.row, c.x);
    return PERP_SOLVED;
}

static perp_status kkt_matrix(const perp_qp *qp, const multipliers *y, perp_arena *a,
                              perp_matrix *M, perp_error *e)
{
    if (qp->m == 0 && qp->H.format != PERP_FORMAT_ABSENT) {
        *M = qp->H;
        return PERP_SOLVED;
    }
    if (!perp_has_entries(&qp->H) || !perp_has_entries(&qp->A)) {
        return perp_refuse(e, PERP_E_FORMAT,
                           "%s of the qp is an operator, which cannot become part of a matrix",
                           perp_has_entries(&qp->H) ? "A" : "H");
    }
    if (qp->H.format == PERP_FORMAT_DENSE && qp->A.format == PERP_FORMAT_DENSE) {
        return dense_kkt(qp, y, a, M, e);
    }
    return sparse_kkt(qp, y, a, M, e);
}

/* A range's y is >= 0, its y2 <= 0; a qp has their sum. */
static void split_multipliers(const void *ctx, const double *z, double *lifted)
{
    const multipliers *y = ctx;
    int n = y->n + y->m;
    kind_copy(n, z, lifted);
    for (int k = 0; k < y->extra; k++) {
        int i = y->n + y->range[k];
        lifted[i] = kind_positive(z[i]);
        lifted[n + k] = -kind_positive(-z[i]);
    }
}

static void add_multipliers(const void *ctx, const double *lifted, double *z)
{
    const multipliers *y = ctx;
    int n = y->n + y->m;
    kind_copy(n, lifted, z);
    for (int k = 0; k < y->extra; k++) z[y->n + y->range[k]] += lifted[n + k];
}

perp_status perp_lift_qp(const perp_problem *p, perp_arena *a, perp_lift *lift, perp_error *e)
{
    const perp_qp *qp = &p->as.qp;
    perp_map F = {0};
    multipliers *y = perp_alloc(a, 1, sizeof *y);
    perp_status status = y ? list_ranges(qp, a, y, e) : perp_lift_refuse_memory(e);
    if (!status) status = kkt_matrix(qp, y, a, &F.M, e);
    if (status) return status;
    size_t N = (size_t)qp->n + (size_t)qp->m + (size_t)y->extra;
    double *q = perp_alloc(a, N, sizeof *q);
    double *lo = perp_alloc(a, N, sizeof *lo), *hi = perp_alloc(a, N, sizeof *hi);
    if (a->failed) return perp_lift_refuse_memory(e);
    fill_variables(qp, q, lo, hi);
    fill_rows(qp, y, q, lo, hi);
    F.n = (int)N;
    F.q = q;
    lift->problem.as.mcp = (perp_mcp){.F = F, .lo = lo, .hi = hi};
    if (y->extra == 0) return PERP_SOLVED;
    lift->up = split_multipliers;
    lift->down = add_multipliers;
    lift->ctx = y;
    return PERP_SOLVED;
}
