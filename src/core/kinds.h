/* core/kinds.h: what the files kind_*.c share: their tables, and the interval [lo, hi]. */
#ifndef PERP_KINDS_H
#define PERP_KINDS_H

#include "base/box.h"
#include "base/vector.h"
#include "sums.h"

#include <float.h>
#include <limits.h>

/* extern const perp_kind_ops perp_ops_lcp; and so on, one for each row. */
#define PERP_KIND(constant, name, folder) extern const perp_kind_ops perp_ops_##name;
#include "perp/kinds.def"
#undef PERP_KIND

/* What the equations of a body form add to the scaled residual at the slack w; 0 in local form. */
double perp_fc3d_equations(const perp_fc3d *f, const double *w, const double s[3]);

/* What ncp and mcp, the kinds with a map, have in common (kind_map.c). An ncp has the bounds 0 and
 * INFINITY. */
void perp_map_own_bounds(const perp_problem *p, int i, double *lo, double *hi);
/* Those that hold at z: of an unknown that follows another they depend on it. */
void perp_map_bounds_at(const perp_problem *p, const double *z, int i, double *lo, double *hi);
bool perp_map_follows(const perp_problem *p, int i); /* i's bounds follow another unknown */
bool perp_map_is_affine(const perp_problem *p);
int perp_map_size(const perp_problem *p);
perp_status perp_map_validate(const perp_map *F, perp_error *e);
void perp_map_scale(const perp_problem *p, perp_arena *a, perp_scales *s);
perp_status perp_map_measure(const perp_problem *p, const perp_scales *s, const double *z,
                             double *w, double tol, perp_arena *a, perp_residual *r);
bool perp_map_undefined(const perp_problem *p, const double *z, perp_arena *a, perp_error *e);
perp_status perp_map_suits(const perp_problem *p, const perp_solver *s, perp_error *e);

/* The lift() of an nnls and of a qp (lift_nnls.c, lift_qp.c), and what they are made with
 * (lift_csc.c). */
perp_status perp_lift_nnls(const perp_problem *p, perp_arena *a, perp_lift *lift, perp_error *e);
perp_status perp_lift_qp(const perp_problem *p, perp_arena *a, perp_lift *lift, perp_error *e);
perp_status perp_lift_refuse_memory(perp_error *e);
perp_status perp_lift_refuse_count(perp_error *e); /* more entries than an int counts */
/* CSC, sorted, without duplicates. */
perp_status perp_lift_csc(const perp_matrix *A, perp_arena *a, perp_matrix *out, perp_error *e);
/* out = A' of a CSC matrix, sorted when A is. */
perp_status perp_lift_transpose(const perp_matrix *A, perp_arena *a, perp_matrix *out,
                                perp_error *e);

/* A bound that may not be given. */
static inline double kind_bound(const double *bound, int i, double none)
{
    return bound ? bound[i] : none;
}

/* The size of unknown i of a map. */
static inline double kind_typical(const perp_map *F, int i)
{
    return F->typical ? F->typical[i] : 1;
}

/* Of unknown j and of row i of a qp. */
static inline void kind_x_bounds(const perp_qp *qp, int j, double *lo, double *hi)
{
    *lo = kind_bound(qp->xlo, j, -INFINITY);
    *hi = kind_bound(qp->xhi, j, INFINITY);
}

static inline void kind_row_bounds(const perp_qp *qp, int i, double *lo, double *hi)
{
    *lo = kind_bound(qp->lo, i, -INFINITY);
    *hi = kind_bound(qp->hi, i, INFINITY);
}

/* y = x, zero where x is not given. */
static inline void kind_copy(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++) y[i] = x ? x[i] : 0;
}

/* y += x, where x is given. A slack M z + q adds q last: a large z would round it away. */
static inline void kind_add(int n, const double *x, double *y)
{
    for (int i = 0; x && i < n; i++) y[i] += x[i];
}

static inline double kind_dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* The positive entries of a diagonal, 1 in place of others: what z is multiplied with to have the
 * units of M z + q. NULL: M shows no entries, or no memory. */
const double *perp_kind_units(const perp_matrix *M, perp_arena *a);

/* The divisor of a residual from the norm of the data. */
static inline double kind_scale(double norm)
{
    return norm > 0 && isfinite(norm) ? norm : 1;
}

/* A view with no matrix behind it gets the size its place asks for. */
static inline void kind_give_size(perp_matrix *A, int m, int n)
{
    if (A->format != PERP_FORMAT_ABSENT) return;
    A->m = m;
    A->n = n;
}

/* Sum of two sizes; -1 where one is no size or the sum is too large. */
static inline int kind_sum(int a, int b)
{
    return a < 0 || b < 0 || a > INT_MAX - b ? -1 : a + b;
}

static inline double kind_positive(double x)
{
    return x > 0 || isnan(x) ? x : 0;
}

static inline double kind_smaller(double a, double b)
{
    return isnan(a) || a < b ? a : b;
}

/* w's part of z in [lo, hi] _|_ w: any sign is right where both bounds are finite. */
static inline double box_dual(double w, double lo, double hi)
{
    double below = lo > -INFINITY ? 0 : kind_positive(w);
    double above = hi < INFINITY ? 0 : kind_positive(-w);
    return perp_worst(below, above);
}

static inline double box_gap(double z, double w, double lo, double hi)
{
    return perp_worst(kind_smaller(kind_positive(z - lo), kind_positive(w)),
                      kind_smaller(kind_positive(hi - z), kind_positive(-w)));
}

/* Add one pair of z in [lo, hi] _|_ w to the violations. */
static inline void box_violations(double z, double w, double lo, double hi, perp_residual *r)
{
    r->primal = perp_worst(r->primal, perp_worst(kind_positive(lo - z), kind_positive(z - hi)));
    r->dual = perp_worst(r->dual, box_dual(w, lo, hi));
    r->complementarity = perp_worst(r->complementarity, box_gap(z, w, lo, hi));
}

/* z_i - P(z_i - w_i) in the units of w: D (z - P(z - w / D)). */
static inline double box_units(double z, double w, double lo, double hi, double D)
{
    return box_project(w, D * (z - hi), D * (z - lo));
}

/* What errors `off` of a map leave open of the value, and the rounding of n squares. */
static inline void kind_bound_value(int n, double s, double off, perp_residual *r)
{
    double own = (n + 16.0) * 2 * DBL_EPSILON;
    r->bound = off * (1 + own) / s + own * r->value;
}

/* The end of a residual() of n entries whose slack is a sum: r->absolute and `units` are the norms
 * of the natural map in either units, both as smooth in w as w itself, and s what they are divided
 * by. `off` bounds what the error of w changes in either norm, INFINITY: it is not known. The last
 * term of the bound is the rounding of norms, products and s. */
static inline void kind_finish(int n, double s, double units, double off, perp_residual *r)
{
    r->natural = r->absolute / s;
    r->units = units / s;
    r->value = perp_worst(r->natural, r->units);
    kind_bound_value(n, s, off, r);
}

#endif
