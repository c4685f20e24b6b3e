/* core/lift.c: a problem as one of a wider kind, exactly: lcp in ncp in mcp, nnls in qp in mcp.
 *
 * lcp, ncp: the same map, with the bounds 0 and INFINITY.
 * nnls: H = A'A, c = -A'b. Dense for dense A (2 m n^2 flops), a sparse product for sparse A, an
 *   operator for an operator.
 * qp: its KKT system, unknowns (x, y, y2), see fill_rows. The matrix [H, -A', -R'; A, 0, 0;
 *   R, 0, 0], R the rows with two multipliers, is dense when H and A are, CSC otherwise.
 * Everything is left in the arena, scratch too, until the solve ends. */
#include "base/format.h"
#include "kinds.h"
#include "linalg/lapack.h"

static perp_status refuse_memory(perp_error *e)
{
    return perp_refuse(e, PERP_E_MEMORY, "the arena has no room for the restated problem");
}

static perp_status refuse_count(perp_error *e)
{
    return perp_refuse(e, PERP_E_FORMAT,
                       "the restated problem has too many entries for int indices");
}

/* ---- compressed columns ---- */

/* CSC, sorted, without duplicates. */
static perp_status canonical(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e)
{
    perp_status status = perp_convert(A, PERP_FORMAT_CSC, a, out, e);
    if (status) return status;
    return perp_sort_csc(out, a, out) ? refuse_memory(e) : PERP_SOLVED;
}

/* out = A', sorted when A is. */
static perp_status transpose(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e)
{
    const struct perp_csc_view *v = &A->as.csc;
    size_t count = (size_t)v->p[A->n], m = (size_t)A->m;
    int *p = perp_alloc(a, m + 1, sizeof *p), *next = perp_alloc(a, m, sizeof *next);
    int *row = perp_alloc_unset(a, count, sizeof *row);
    double *x = perp_alloc_unset(a, count, sizeof *x);
    if (a->failed) return refuse_memory(e);
    for (int k = 0; k < v->p[A->n]; k++) p[v->i[k] + 1]++;
    for (int i = 0; i < A->m; i++) {
        p[i + 1] += p[i];
        next[i] = p[i];
    }
    for (int j = 0; j < A->n; j++) {
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            int to = next[v->i[k]]++;
            row[to] = j;
            x[to] = v->x[k];
        }
    }
    *out = perp_csc(A->n, A->m, p, row, x);
    return PERP_SOLVED;
}

/* ---- nnls -> qp: H = A'A ---- */

/* Entries in each column of A'A; T = A'. mark is zero, length n. False: too many. */
static bool count_gram(const perp_matrix *A, const perp_matrix *T, int *mark, int *p)
{
    const struct perp_csc_view *v = &A->as.csc, *t = &T->as.csc;
    for (int j = 0; j < A->n; j++) {
        int count = 0;
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            for (int l = t->p[v->i[k]]; l < t->p[v->i[k] + 1]; l++) {
                count += mark[t->i[l]] != j + 1;
                mark[t->i[l]] = j + 1;
            }
        }
        p[j + 1] = kind_sum(p[j], count);
        if (p[j + 1] < 0) return false;
    }
    return true;
}

/* place[k] is where entry k of the current column went; what lies before p[j] is an older one. */
static void fill_gram(const perp_matrix *A, const perp_matrix *T, int *place, const int *p,
                      int *row, double *x)
{
    const struct perp_csc_view *v = &A->as.csc, *t = &T->as.csc;
    for (int j = 0; j < A->n; j++) place[j] = -1;
    for (int j = 0; j < A->n; j++) {
        int next = p[j];
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            for (int l = t->p[v->i[k]]; l < t->p[v->i[k] + 1]; l++) {
                int i = t->i[l];
                if (place[i] < p[j]) {
                    place[i] = next++;
                    row[place[i]] = i;
                    x[place[i]] = 0;
                }
                x[place[i]] += v->x[k] * t->x[l];
            }
        }
    }
}

static perp_status sparse_gram(const perp_matrix *A, perp_arena *a, perp_matrix *H, perp_error *e)
{
    perp_matrix S, T;
    perp_status status = canonical(A, a, &S, e);
    if (!status) status = transpose(&S, a, &T, e);
    if (status) return status;
    size_t n = (size_t)S.n;
    int *p = perp_alloc(a, n + 1, sizeof *p), *mark = perp_alloc(a, n, sizeof *mark);
    if (a->failed) return refuse_memory(e);
    if (!count_gram(&S, &T, mark, p)) return refuse_count(e);
    int *row = perp_alloc_unset(a, (size_t)p[n], sizeof *row);
    double *x = perp_alloc_unset(a, (size_t)p[n], sizeof *x);
    if (a->failed) return refuse_memory(e);
    fill_gram(&S, &T, mark, p, row, x);
    perp_matrix unsorted = perp_csc(S.n, S.n, p, row, x);
    if (perp_sort_csc(&unsorted, a, H)) return refuse_memory(e);
    if (vector_is_finite(p[n], x)) return PERP_SOLVED;
    return perp_refuse(e, PERP_E_NUMBER, "A'A of the nnls overflows");
}

static perp_status dense_gram(const perp_matrix *A, perp_arena *a, perp_matrix *H, perp_error *e)
{
    int m = A->m, n = A->n, ld = A->as.dense.ld;
    double one = 1, zero = 0, finite = 0;
    double *x = perp_alloc(a, (size_t)n * (size_t)n, sizeof *x);
    if (a->failed) return refuse_memory(e);
    *H = perp_dense(n, n, x);
    if (m == 0 || n == 0) return PERP_SOLVED;
    dgemm_("T", "N", &n, &n, &m, &one, A->as.dense.x, &ld, A->as.dense.x, &ld, &zero, x, &n, 1, 1);
    for (size_t j = 0; j < (size_t)n; j++) { /* the two triangles may differ in rounding */
        for (size_t i = 0; i < j; i++) x[i * (size_t)n + j] = x[j * (size_t)n + i];
        finite += 0 * vector_max(n, x + j * (size_t)n);
    }
    if (finite == 0) return PERP_SOLVED;
    return perp_refuse(e, PERP_E_NUMBER, "A'A of the nnls overflows");
}

typedef struct gram {
    perp_matrix A;
    double *Ax;
} gram;

/* y = s A'A x + t y; A'A is its own transpose. */
static void gram_mul(void *ctx, double s, const double *x, double t, double *y)
{
    const gram *g = ctx;
    perp_mul(&g->A, 1, x, 0, g->Ax);
    perp_mul_t(&g->A, s, g->Ax, t, y);
}

static perp_status operator_gram(const perp_matrix *A, perp_arena *a, perp_matrix *H, perp_error *e)
{
    gram *g = perp_alloc(a, 1, sizeof *g);
    double *Ax = perp_alloc(a, (size_t)A->m, sizeof *Ax);
    if (a->failed) return refuse_memory(e);
    g->A = *A;
    g->Ax = Ax;
    *H = (perp_matrix){.format = PERP_FORMAT_OPERATOR, .m = A->n, .n = A->n};
    H->as.op = (struct perp_operator){.mul = gram_mul, .mul_t = gram_mul, .ctx = g};
    return PERP_SOLVED;
}

static perp_status lift_nnls(const perp_nnls *nnls, perp_arena *a, perp_qp *qp, perp_error *e)
{
    const perp_matrix *A = &nnls->A;
    perp_status status = A->format == PERP_FORMAT_DENSE      ? dense_gram(A, a, &qp->H, e)
                         : A->format == PERP_FORMAT_OPERATOR ? operator_gram(A, a, &qp->H, e)
                                                             : sparse_gram(A, a, &qp->H, e);
    if (status) return status;
    double *c = perp_alloc(a, (size_t)A->n, sizeof *c);
    double *xlo = perp_alloc(a, (size_t)A->n, sizeof *xlo);
    if (a->failed) return refuse_memory(e);
    perp_mul_t(A, -1, nnls->b, 0, c);
    if (!vector_is_finite(A->n, c)) {
        return perp_refuse(e, PERP_E_NUMBER, "A'b of the nnls overflows");
    }
    for (int j = 0; j < A->n; j++) xlo[j] = nnls->is_free && nnls->is_free[j] ? -INFINITY : 0;
    qp->n = A->n;
    qp->c = c;
    qp->xlo = xlo;
    kind_give_size(&qp->A, 0, A->n);
    return PERP_SOLVED;
}

/* ---- qp -> mcp ---- */

static bool is_range(const perp_qp *qp, int i)
{
    return qp->lo && qp->hi && isfinite(qp->lo[i]) && isfinite(qp->hi[i]) && qp->lo[i] < qp->hi[i];
}

static perp_status list_ranges(const perp_qp *qp, perp_arena *a, perp_lift *lift, perp_error *e)
{
    int extra = 0;
    for (int i = 0; i < qp->m; i++) extra += is_range(qp, i);
    int *range = perp_alloc_unset(a, (size_t)extra, sizeof *range);
    if (a->failed) return refuse_memory(e);
    for (int i = 0, k = 0; i < qp->m; i++) {
        if (is_range(qp, i)) range[k++] = i;
    }
    lift->n = qp->n;
    lift->m = qp->m;
    lift->extra = extra;
    lift->range = range;
    if (kind_sum(kind_sum(qp->n, qp->m), extra) >= 0) return PERP_SOLVED;
    return perp_refuse(e, PERP_E_ARGUMENT, "%d + %d + %d unknowns are too many", qp->n, qp->m,
                       extra);
}

/* F = A x - bound, and where its multiplier lives: free for an equality, >= 0 at a lower bound,
 * <= 0 at an upper one, 0 for a row without bounds. A range has two, y at lo and y2 at hi. */
static void fill_rows(const perp_qp *qp, const perp_lift *lift, double *q, double *lo, double *hi)
{
    for (int i = 0; i < qp->m; i++) {
        int row = qp->n + i;
        double low = kind_bound(qp->lo, i, -INFINITY), high = kind_bound(qp->hi, i, INFINITY);
        bool below = isfinite(low), above = isfinite(high);
        q[row] = below ? -low : above ? -high : 0;
        lo[row] = low == high || (above && !below) ? -INFINITY : 0;
        hi[row] = below ? INFINITY : 0;
    }
    for (int k = 0; k < lift->extra; k++) {
        int row = qp->n + qp->m + k;
        q[row] = -qp->hi[lift->range[k]];
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

static perp_status dense_kkt(const perp_qp *qp, const perp_lift *lift, perp_arena *a,
                             perp_matrix *M, perp_error *e)
{
    int n = qp->n, m = qp->m, N = n + m + lift->extra;
    double *x = perp_alloc(a, (size_t)N * (size_t)N, sizeof *x);
    if (a->failed) return refuse_memory(e);
    for (int j = 0; j < n; j++) {
        const double *column = qp->H.as.dense.x + (size_t)j * (size_t)qp->H.as.dense.ld;
        kind_copy(n, column, x + (size_t)j * (size_t)N);
    }
    for (int i = 0; i < m; i++) put_row(&qp->A, i, n + i, N, x);
    for (int k = 0; k < lift->extra; k++) put_row(&qp->A, lift->range[k], n + m + k, N, x);
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
                     const perp_lift *lift, const int *number, int *p, columns *c)
{
    int n = lift->n, m = lift->m;
    for (int j = 0; j < n; j++) {
        append(c, H, j, 1, 0);
        append(c, A, j, 1, n);
        append_ranges(c, A, j, number, n + m);
        p[j + 1] = c->next;
    }
    for (int i = 0; i < m + lift->extra; i++) {
        append(c, T, i < m ? i : lift->range[i - m], -1, 0);
        p[n + i + 1] = c->next;
    }
}

/* Entries of M, each of A twice, each of R four times in all; -1: too many. */
static int count_kkt(const perp_matrix *H, const perp_matrix *A, const perp_matrix *T,
                     const perp_lift *lift)
{
    int once = A->as.csc.p[A->n], count = kind_sum(H->as.csc.p[H->n], kind_sum(once, once));
    for (int k = 0; k < lift->extra; k++) {
        int i = lift->range[k], row = T->as.csc.p[i + 1] - T->as.csc.p[i];
        count = kind_sum(count, kind_sum(row, row));
    }
    return count;
}

static perp_status sparse_kkt(const perp_qp *qp, const perp_lift *lift, perp_arena *a,
                              perp_matrix *M, perp_error *e)
{
    perp_matrix H, A, T;
    int N = qp->n + qp->m + lift->extra;
    perp_status status = canonical(&qp->H, a, &H, e);
    if (!status) status = canonical(&qp->A, a, &A, e);
    if (!status) status = transpose(&A, a, &T, e);
    if (status) return status;
    int count = count_kkt(&H, &A, &T, lift);
    if (count < 0) return refuse_count(e);
    int *p = perp_alloc(a, (size_t)N + 1, sizeof *p);
    int *number = perp_alloc_unset(a, (size_t)qp->m, sizeof *number);
    columns c = {.row = perp_alloc_unset(a, (size_t)count, sizeof *c.row)};
    c.x = perp_alloc_unset(a, (size_t)count, sizeof *c.x);
    if (a->failed) return refuse_memory(e);
    for (int i = 0; i < qp->m; i++) number[i] = -1;
    for (int k = 0; k < lift->extra; k++) number[lift->range[k]] = k;
    fill_kkt(&H, &A, &T, lift, number, p, &c);
    *M = perp_csc(N, N, p, c.row, c.x);
    return PERP_SOLVED;
}

static perp_status kkt_matrix(const perp_qp *qp, const perp_lift *lift, perp_arena *a,
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
        return dense_kkt(qp, lift, a, M, e);
    }
    return sparse_kkt(qp, lift, a, M, e);
}

static perp_status lift_qp(const perp_qp *qp, perp_arena *a, perp_lift *lift, perp_mcp *mcp,
                           perp_error *e)
{
    perp_status status = list_ranges(qp, a, lift, e);
    if (!status) status = kkt_matrix(qp, lift, a, &mcp->F.M, e);
    if (status) return status;
    size_t N = (size_t)qp->n + (size_t)qp->m + (size_t)lift->extra;
    double *q = perp_alloc(a, N, sizeof *q);
    double *lo = perp_alloc(a, N, sizeof *lo), *hi = perp_alloc(a, N, sizeof *hi);
    if (a->failed) return refuse_memory(e);
    fill_variables(qp, q, lo, hi);
    fill_rows(qp, lift, q, lo, hi);
    mcp->F.n = (int)N;
    mcp->F.q = q;
    mcp->lo = lo;
    mcp->hi = hi;
    return PERP_SOLVED;
}

/* ---- the calls ---- */

bool perp_can_lift(perp_kind from, perp_kind to)
{
    if (from == to) return perp_kind_ops_of(from) != NULL;
    switch (from) {
    case PERP_KIND_LCP: return to == PERP_KIND_NCP || to == PERP_KIND_MCP;
    case PERP_KIND_NCP:
    case PERP_KIND_QP: return to == PERP_KIND_MCP;
    case PERP_KIND_NNLS: return to == PERP_KIND_QP || to == PERP_KIND_MCP;
    default: return false;
    }
}

/* lcp or ncp -> ncp or mcp: the map as it is. */
static perp_status lift_map(const perp_problem *p, perp_arena *a, perp_problem *out, perp_error *e)
{
    const perp_lcp *lcp = &p->as.lcp;
    perp_map F = {0};
    if (p->kind == PERP_KIND_NCP)
        F = p->as.ncp.F;
    else
        F = (perp_map){.n = lcp->n, .M = lcp->M, .q = lcp->q};
    if (out->kind == PERP_KIND_NCP) {
        out->as.ncp = (perp_ncp){.F = F};
        return PERP_SOLVED;
    }
    double *lo = perp_alloc(a, (size_t)F.n, sizeof *lo);
    if (a->failed) return refuse_memory(e);
    out->as.mcp = (perp_mcp){.F = F, .lo = lo};
    return PERP_SOLVED;
}

perp_status perp_lift_problem(const perp_problem *p, perp_kind to, perp_arena *a, perp_lift *lift,
                              perp_error *e)
{
    *lift = (perp_lift){.problem = *p, .n = perp_size(p)};
    if (!perp_can_lift(p->kind, to)) {
        const char *from = perp_kind_name(p->kind), *wide = perp_kind_name(to);
        return perp_refuse(e, PERP_E_ARGUMENT,
                           "a problem of kind %s cannot be restated as one of kind %s",
                           from ? from : "unknown", wide ? wide : "unknown");
    }
    if (p->kind == to) return PERP_SOLVED;
    perp_problem *out = &lift->problem;
    *out = (perp_problem){.kind = to, .name = p->name};
    if (p->kind == PERP_KIND_LCP || p->kind == PERP_KIND_NCP) return lift_map(p, a, out, e);
    perp_qp qp = {0};
    if (p->kind == PERP_KIND_NNLS) {
        perp_status status = lift_nnls(&p->as.nnls, a, &qp, e);
        if (status) return status;
    } else {
        qp = p->as.qp;
    }
    if (to == PERP_KIND_MCP) return lift_qp(&qp, a, lift, &out->as.mcp, e);
    out->as.qp = qp;
    return PERP_SOLVED;
}

void perp_lift_up(const perp_lift *lift, const double *z, double *lifted)
{
    int n = lift->n + lift->m;
    kind_copy(n, z, lifted);
    for (int k = 0; k < lift->extra; k++) {
        double y = z[lift->n + lift->range[k]];
        lifted[lift->n + lift->range[k]] = kind_positive(y);
        lifted[n + k] = -kind_positive(-y);
    }
}

void perp_lift_down(const perp_lift *lift, const double *lifted, double *z)
{
    int n = lift->n + lift->m;
    kind_copy(n, lifted, z);
    for (int k = 0; k < lift->extra; k++) z[lift->n + lift->range[k]] += lifted[n + k];
}
