/* core/kind_nnls.c: min |A x - b|^2 / 2, x >= 0 but where free.
 *
 * Residual |min(x, w)| (|w| where free) / |A'b| with w = A'(A x - b); two products with A, m + n
 * numbers of scratch. The problem always has a solution: there is nothing to prove. */
#include "kinds.h"

enum { SIZE_N, SIZE_M };

static const perp_kind_size nnls_sizes[] = {
    [SIZE_N] = {.offset = PERP_AT(nnls.A), .place = PERP_SIZE_COLUMNS},
    [SIZE_M] = {.offset = PERP_AT(nnls.A), .place = PERP_SIZE_ROWS},
    {0},
};

static const perp_field nnls_fields[] = {
    {.name = "A", .type = PERP_FIELD_MATRIX, .offset = PERP_AT(nnls.A), .rows = SIZE_M},
    {.name = "b", .type = PERP_FIELD_VECTOR, .offset = PERP_AT(nnls.b), .rows = SIZE_M},
    {.name = "free", .type = PERP_FIELD_MASK, .offset = PERP_AT(nnls.is_free)},
    {0},
};

static int nnls_size(const perp_problem *p)
{
    const perp_matrix *A = &p->as.nnls.A;
    return A->m < 0 || A->n < 0 ? -1 : A->n;
}

static perp_status nnls_validate(const perp_problem *p, perp_error *e)
{
    const perp_nnls *nnls = &p->as.nnls;
    int m = nnls->A.m, n = nnls->A.n;
    if (m < 0 || n < 0) {
        return perp_refuse(e, PERP_E_ARGUMENT, "A is %d x %d: a size is negative", m, n);
    }
    perp_status status = perp_check_view(&nnls->A, m, n, "A", m == 0 && n == 0 && !nnls->b, e);
    return status ? status : perp_check_vector(nnls->b, m, "b", false, e);
}

static void nnls_scale(const perp_problem *p, perp_arena *a, perp_scales *out)
{
    const perp_nnls *nnls = &p->as.nnls;
    double *s = out->s;
    *out = (perp_scales){.s = {NAN, 1, 1}}; /* no memory: nothing can be certified */
    perp_mark mark = perp_arena_mark(a);
    double *Atb = perp_alloc_unset(a, (size_t)nnls->A.n, sizeof *Atb);
    if (!Atb) return;
    perp_mul_t(&nnls->A, 1, nnls->b, 0, Atb);
    s[0] = kind_scale(vector_norm(nnls->A.n, Atb));
    perp_arena_release(a, mark);
}

static void nnls_residual(const perp_nnls *nnls, const double *x, const double *w, double *map,
                          perp_residual *r)
{
    int n = nnls->A.n;
    *r = (perp_residual){0};
    for (int i = 0; i < n; i++) {
        if (nnls->is_free && nnls->is_free[i]) {
            map[i] = w[i];
            r->dual = perp_worst(r->dual, fabs(w[i]));
            continue;
        }
        map[i] = kind_smaller(x[i], w[i]);
        r->primal = perp_worst(r->primal, -x[i]);
        r->dual = perp_worst(r->dual, -w[i]);
        r->complementarity = perp_worst(r->complementarity, fabs(x[i] * w[i]));
    }
    r->absolute = vector_norm(n, map);
}

static perp_status nnls_measure(const perp_problem *p, const perp_scales *s, const double *x,
                                double *w, double tol, perp_arena *a, perp_residual *r)
{
    (void)tol;
    const perp_nnls *nnls = &p->as.nnls;
    int m = nnls->A.m, n = nnls->A.n;
    *r = perp_unmeasured;
    if (!vector_is_finite((size_t)n, x)) return PERP_E_NUMBER;
    perp_mark mark = perp_arena_mark(a);
    double *rest = perp_alloc_unset(a, (size_t)m, sizeof *rest);
    double *map = perp_alloc_unset(a, (size_t)n, sizeof *map);
    bool room = !a->failed;
    if (room) {
        kind_copy(m, nnls->b, rest);
        perp_mul(&nnls->A, 1, x, -1, rest);
        perp_mul_t(&nnls->A, 1, rest, 0, w);
        nnls_residual(nnls, x, w, map, r);
    }
    perp_arena_release(a, mark);
    if (!room) return PERP_E_MEMORY;
    r->value = vector_is_finite((size_t)n, w) ? r->absolute / s->s[0] : INFINITY;
    return PERP_SOLVED;
}

/* |A x - b|^2 / 2 */
static double nnls_objective(const perp_problem *p, const double *x, perp_arena *a)
{
    const perp_nnls *nnls = &p->as.nnls;
    int m = nnls->A.m;
    perp_mark mark = perp_arena_mark(a);
    double *rest = perp_alloc_unset(a, (size_t)m, sizeof *rest), value = NAN;
    if (rest) {
        for (int i = 0; i < m; i++) rest[i] = -nnls->b[i];
        perp_mul(&nnls->A, 1, x, 1, rest);
        value = 0.5 * kind_dot(m, rest, rest);
    }
    perp_arena_release(a, mark);
    return value;
}

const perp_kind_ops perp_ops_nnls = {
    .sizes = nnls_sizes,
    .fields = nnls_fields,
    .size = nnls_size,
    .validate = nnls_validate,
    .scale = nnls_scale,
    .measure = nnls_measure,
    .objective = nnls_objective,
    .least_squares = true,
    .lift = perp_lift_nnls,
    .wider = PERP_KIND_QP,
};
