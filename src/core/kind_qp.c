/* core/kind_qp.c: lo <= A x <= hi, xlo <= x <= xhi, and (H x + c)'(s - x) >= 0 for all such s.
 *
 * Residual: residual_qp.c. Proofs: proof_qp.c. */
#include "kinds.h"
#include "proof.h"
#include "residual_qp.h"

enum { SIZE_N, SIZE_M };

static const perp_kind_size qp_sizes[] = {
    [SIZE_N] = {.offset = PERP_AT(qp.n)},
    [SIZE_M] = {.offset = PERP_AT(qp.m), .label = "constraints"},
    {0},
};

static const perp_field qp_fields[] = {
    {.name = "H", .type = PERP_FIELD_MATRIX, .offset = PERP_AT(qp.H)},
    {.name = "c", .type = PERP_FIELD_VECTOR, .offset = PERP_AT(qp.c)},
    {.name = "A", .type = PERP_FIELD_MATRIX, .offset = PERP_AT(qp.A), .rows = SIZE_M, .slot = 1},
    {.name = "lo", .type = PERP_FIELD_BOUND, .offset = PERP_AT(qp.lo), .rows = SIZE_M},
    {.name = "hi", .type = PERP_FIELD_BOUND, .offset = PERP_AT(qp.hi), .rows = SIZE_M},
    {.name = "xlo", .type = PERP_FIELD_BOUND, .offset = PERP_AT(qp.xlo), .role = PERP_ROLE_LOWER},
    {.name = "xhi", .type = PERP_FIELD_BOUND, .offset = PERP_AT(qp.xhi), .role = PERP_ROLE_UPPER},
    {0},
};

static int qp_size(const perp_problem *p)
{
    return kind_sum(p->as.qp.n, p->as.qp.m);
}

static perp_status qp_validate(const perp_problem *p, perp_error *e)
{
    const perp_qp *qp = &p->as.qp;
    int n = qp->n, m = qp->m;
    if (n < 0) return perp_refuse(e, PERP_E_ARGUMENT, "n = %d is negative", n);
    if (m < 0) return perp_refuse(e, PERP_E_ARGUMENT, "m = %d is negative", m);
    if (kind_sum(n, m) < 0) {
        return perp_refuse(e, PERP_E_ARGUMENT, "n + m = %d + %d unknowns are too many", n, m);
    }
    perp_status status = perp_check_view(&qp->H, n, n, "H", true, e);
    if (!status) status = perp_check_view(&qp->A, m, n, "A", m == 0, e);
    if (!status) status = perp_check_vector(qp->c, n, "c", false, e);
    if (!status) status = perp_check_sides(qp->lo, qp->hi, m, "lo", "hi", e);
    return status ? status : perp_check_sides(qp->xlo, qp->xhi, n, "xlo", "xhi", e);
}

/* Of the natural map, which the field knows, and of solvers' estimates. */
static void qp_scale(const perp_problem *p, perp_arena *a, perp_scales *out)
{
    const perp_qp *qp = &p->as.qp;
    double *s = out->s;
    *out = (perp_scales){.s = {NAN, 1, 1}}; /* no memory: nothing can be certified */
    perp_mark mark = perp_arena_mark(a);
    double *nearest = perp_alloc_unset(a, (size_t)qp->m, sizeof *nearest);
    if (!nearest) return;
    for (int i = 0; i < qp->m; i++) {
        double lo, hi;
        kind_row_bounds(qp, i, &lo, &hi);
        nearest[i] = box_project(0, lo, hi);
    }
    s[0] = kind_scale(1 + vector_norm(qp->n, qp->c));
    s[1] = kind_scale(1 + vector_norm(qp->m, nearest));
    perp_arena_release(a, mark);
}

static double qp_objective(const perp_problem *p, const double *x, perp_arena *a)
{
    return perp_objective_qp(&p->as.qp, x, a);
}

const perp_kind_ops perp_ops_qp = {
    .sizes = qp_sizes,
    .fields = qp_fields,
    .size = qp_size,
    .validate = qp_validate,
    .scale = qp_scale,
    .measure = perp_residual_qp,
    .objective = qp_objective,
    .check = perp_qp_check,
    .check_room = perp_qp_check_room,
    .refute = perp_qp_refute,
    .tidy = perp_qp_tidy,
    .feasibility = perp_qp_feasibility,
    .lift = perp_lift_qp,
    .wider = PERP_KIND_MCP,
};
