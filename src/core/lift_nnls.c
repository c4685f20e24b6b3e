/* core/lift_nnls.c: an nnls as a qp: H = A'A, c = -A'b, x >= 0 but where free.
 *
 * H is dense for dense A (m n^2 flops), a sparse product for sparse A, an operator for an
 * operator. */
#include "kinds.h"
#include "linalg/dense.h"

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
    perp_status status = perp_lift_csc(A, a, &S, e);
    if (!status) status = perp_lift_transpose(&S, a, &T, e);
    if (status) return status;
    size_t n = (size_t)S.n;
    int *p = perp_alloc(a, n + 1, sizeof *p), *mark = perp_alloc(a, n, sizeof *mark);
    if (a->failed) return perp_lift_refuse_memory(e);
    if (!count_gram(&S, &T, mark, p)) return perp_lift_refuse_count(e);
    int *row = perp_alloc_unset(a, (size_t)p[n], sizeof *row);
    double *x = perp_alloc_unset(a, (size_t)p[n], sizeof *x);
    if (a->failed) return perp_lift_refuse_memory(e);
    fill_gram(&S, &T, mark, p, row, x);
    perp_matrix unsorted = perp_csc(S.n, S.n, p, row, x);
    if (perp_sort_csc(&unsorted, a, H)) return perp_lift_refuse_memory(e);
    if (vector_is_finite((size_t)p[n], x)) return PERP_SOLVED;
    return perp_refuse(e, PERP_E_NUMBER, "A'A of the nnls overflows");
}

static perp_status dense_gram(const perp_matrix *A, perp_arena *a, perp_matrix *H, perp_error *e)
{
    int m = A->m, n = A->n, ld = A->as.dense.ld;
    double finite = 0;
    double *x = perp_alloc(a, (size_t)n * (size_t)n, sizeof *x);
    if (a->failed) return perp_lift_refuse_memory(e);
    *H = perp_dense(n, n, x);
    if (m == 0 || n == 0) return PERP_SOLVED;
    const double *from = A->as.dense.x;
    if (!perp_dense_gram(n, m, from, ld, x, n, a->watch))
        return perp_lift_refuse_memory(e); /* the driver knows that it was stopped */
    for (size_t j = 0; j < (size_t)n; j++) finite += 0 * vector_max(n, x + j * (size_t)n);
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
    if (a->failed) return perp_lift_refuse_memory(e);
    g->A = *A;
    g->Ax = Ax;
    *H = (perp_matrix){.format = PERP_FORMAT_OPERATOR, .m = A->n, .n = A->n};
    H->as.op = (struct perp_operator){.mul = gram_mul, .mul_t = gram_mul, .ctx = g};
    return PERP_SOLVED;
}

perp_status perp_lift_nnls(const perp_problem *p, perp_arena *a, perp_lift *lift, perp_error *e)
{
    const perp_nnls *nnls = &p->as.nnls;
    perp_qp *qp = &lift->problem.as.qp;
    const perp_matrix *A = &nnls->A;
    *qp = (perp_qp){0};
    perp_status status = A->format == PERP_FORMAT_DENSE      ? dense_gram(A, a, &qp->H, e)
                         : A->format == PERP_FORMAT_OPERATOR ? operator_gram(A, a, &qp->H, e)
                                                             : sparse_gram(A, a, &qp->H, e);
    if (status) return status;
    double *c = perp_alloc(a, (size_t)A->n, sizeof *c);
    double *xlo = perp_alloc(a, (size_t)A->n, sizeof *xlo);
    if (a->failed) return perp_lift_refuse_memory(e);
    perp_mul_t(A, -1, nnls->b, 0, c);
    if (!vector_is_finite((size_t)A->n, c)) {
        return perp_refuse(e, PERP_E_NUMBER, "A'b of the nnls overflows");
    }
    for (int j = 0; j < A->n; j++) xlo[j] = nnls->is_free && nnls->is_free[j] ? -INFINITY : 0;
    qp->n = A->n;
    qp->c = c;
    qp->xlo = xlo;
    kind_give_size(&qp->A, 0, A->n);
    return PERP_SOLVED;
}
