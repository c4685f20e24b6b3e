/* core/certify.c: judge a z, or a proof, from the problem's data and the vector alone.
 *
 * The mathematics is in perp/problem.h, the work in kind_*.c. Costs a validation and three products
 * with each matrix, one of them in pairs of numbers; takes perp_size numbers and the kind's scratch
 * from the arena and gives them back. */
#include "base/vector.h"
#include "internal.h"

const perp_residual perp_unmeasured = {.value = INFINITY,
                                       .bound = INFINITY,
                                       .natural = INFINITY,
                                       .units = INFINITY,
                                       .omega = NAN,
                                       .floor = NAN,
                                       .radius = NAN,
                                       .absolute = INFINITY,
                                       .primal = INFINITY,
                                       .dual = INFINITY,
                                       .complementarity = INFINITY};

/* Stands for the vector of a problem without unknowns, which may be NULL. */
static const double nothing[1];

perp_status perp_accept_vector(const perp_problem *p, const double *z, const perp_arena *a)
{
    if (!a) return PERP_E_ARGUMENT;
    perp_status status = perp_validate(p, NULL);
    if (status) return status;
    int n = perp_size(p);
    if (n > 0 && !z) return PERP_E_ARGUMENT;
    return vector_is_finite((size_t)n, z) ? PERP_SOLVED : PERP_E_NUMBER;
}

perp_status perp_certify(const perp_problem *p, const double *z, perp_arena *a,
                         perp_residual *residual)
{
    if (!residual) return PERP_E_ARGUMENT;
    *residual = perp_unmeasured;
    perp_status status = perp_accept_vector(p, z, a);
    if (status) return status;
    if (!z) z = nothing;
    const perp_kind_ops *ops = perp_kind_ops_of(p->kind);
    const perp_problem full = perp_complete(p);
    perp_scales s = {.s = {1, 1, 1}};
    a->failed = false;
    perp_mark mark = perp_arena_mark(a);
    double *w = perp_alloc(a, (size_t)perp_size(p), sizeof *w);
    if (w) ops->scale(&full, a, &s);
    status = a->failed ? PERP_E_MEMORY : ops->measure(&full, &s, z, w, -1, a, residual);
    perp_arena_release(a, mark);
    if (status) *residual = perp_unmeasured;
    return status;
}

perp_status perp_check_at(const perp_problem *p, perp_status status, const double *w,
                          const double *z, double tol, perp_arena *a, perp_residual *residual)
{
    const perp_kind_ops *ops = perp_kind_ops_of(p->kind);
    const perp_problem full = perp_complete(p);
    *residual = perp_unmeasured;
    if (!ops->check) return PERP_E_ARGUMENT;
    a->failed = false;
    perp_mark mark = perp_arena_mark(a);
    perp_status verdict = ops->check(&full, status, w, z, tol, a, residual);
    if (a->failed) verdict = PERP_E_MEMORY;
    perp_arena_release(a, mark);
    if (verdict < 0) *residual = perp_unmeasured;
    return verdict;
}

perp_status perp_check(const perp_problem *p, perp_status status, const double *w, const double *z,
                       perp_arena *a, perp_residual *residual)
{
    if (!residual) return PERP_E_ARGUMENT;
    *residual = perp_unmeasured;
    perp_status refused = perp_accept_vector(p, w, a);
    if (!refused && z) refused = perp_accept_vector(p, z, a);
    if (refused) return refused;
    return perp_check_at(p, status, w ? w : nothing, z, 0, a, residual);
}
