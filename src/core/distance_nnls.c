/* core/distance_nnls.c: an nnls as the map A'A x - A'b over a box.
 *
 * A'A is rounded: each entry by at most g |A_i| |A_j|, g = k u / (1 - k u) for the k = m terms that
 * it sums. The slack A'(A x - b) is not made of it, but of A and b, in pairs of numbers throughout.
 */
#include "base/format.h"
#include "distance.h"

static bool add_twice(perp_sums *t, const perp_nnls *nnls, const double *x)
{
    for (int pass = 0; pass < 2; pass++) {
        perp_sums_start(t, pass ? PERP_SUMS_PAIRS : PERP_SUMS_SIZES);
        perp_sums_add(t, 0, 1, &nnls->A, x);
        perp_sums_add_vector(t, 0, nnls->A.m, -1, nnls->b);
    }
    perp_sums_spread(t);
    return true;
}

/* w = A'(high + low), and |A|' times the error of either. */
static void add_slope(perp_sums *t, const perp_nnls *nnls, const perp_sums *rest, double *add)
{
    const perp_matrix *A = &nnls->A;
    for (int pass = 0; pass < 2; pass++) {
        perp_sums_start(t, pass ? PERP_SUMS_PAIRS : PERP_SUMS_SIZES);
        perp_sums_add_t(t, 0, 1, A, rest->w);
        perp_sums_add_t(t, 0, 1, A, rest->low);
    }
    perp_sums_bound(t);
    for (int j = 0; j < A->n; j++) add[j] = 0;
    if (perp_formats[A->format]->add_sizes_t) {
        perp_formats[A->format]->add_sizes_t(A, rest->error, add);
    }
}

static bool find_slack(const perp_distance_map *map, const double *x, perp_arena *a, double *w,
                       double *error)
{
    const perp_nnls *nnls = map->data;
    perp_sums rest, slope;
    perp_mark mark = perp_arena_mark(a);
    double *r = perp_alloc_unset(a, (size_t)nnls->A.m, sizeof *r);
    double *add = perp_alloc_unset(a, (size_t)map->n, sizeof *add);
    if (a->failed || !perp_sums_open(&rest, a, nnls->A.m, r) ||
        !perp_sums_open(&slope, a, map->n, w)) {
        return false;
    }
    add_twice(&rest, nnls, x);
    add_slope(&slope, nnls, &rest, add);
    double more = 1 + distance_gamma(nnls->A.m + 4.0);
    for (int j = 0; j < map->n; j++) error[j] = (slope.error[j] + add[j]) * more;
    perp_arena_release(a, mark);
    return true;
}

/* |A_j| from A'A, at least; columns that are nearly 0 are not told from others. */
static const double *column_roots(const perp_matrix *H, double g, perp_arena *a)
{
    double *root = perp_alloc(a, (size_t)H->n, sizeof *root);
    for (int j = 0; root && j < H->n; j++) {
        const int *row;
        const double *x;
        int count = distance_column(H, j, &row, &x);
        for (int k = 0; k < count; k++) {
            if ((row ? row[k] : k) == j) root[j] = sqrt(x[k] * (1 + 2 * g)) * DISTANCE_OUTWARD;
        }
    }
    return root;
}

/* Products that underflow are not bounded by g: entries and columns must be far from that. */
static bool is_far_from_underflow(const perp_matrix *A, const perp_matrix *H)
{
    for (int j = 0; j < H->n; j++) {
        const int *row;
        const double *x;
        int count = distance_column(H, j, &row, &x);
        double own = 0;
        for (int k = 0; k < count; k++) own = (row ? row[k] : k) == j ? x[k] : own;
        if (!(own > 1e-200 && own < 1e200)) return false;
    }
    return A->m < 1000000000;
}

perp_status perp_distance_nnls(const perp_problem *p, perp_arena *a, perp_distance_map *map,
                               perp_error *e)
{
    const perp_nnls *nnls = &p->as.nnls;
    perp_lift lift = {.problem = {.kind = PERP_KIND_QP}};
    perp_error why = {0};
    perp_status status = perp_lift_nnls(p, a, &lift, &why);
    if (status == PERP_E_MEMORY) return status;
    if (status) return perp_refuse(e, PERP_UNCERTIFIED, "%s", why.text);
    const perp_qp *qp = &lift.problem.as.qp;
    double *hi = perp_alloc_unset(a, (size_t)qp->n, sizeof *hi);
    perp_nnls *data = perp_alloc(a, 1, sizeof *data);
    double g = distance_gamma(nnls->A.m + 2.0);
    const double *root = column_roots(&qp->H, g, a);
    if (a->failed) return PERP_E_MEMORY;
    if (!is_far_from_underflow(&nnls->A, &qp->H)) {
        return perp_refuse(e, PERP_UNCERTIFIED,
                           "a column of A is 0, or squares of A leave the range");
    }
    for (int j = 0; j < qp->n; j++) hi[j] = INFINITY;
    *data = *nnls;
    *map = (perp_distance_map){.n = qp->n,
                               .M = qp->H,
                               .relative = g,
                               .root = root,
                               .factor = &data->A,
                               .lo = qp->xlo,
                               .hi = hi,
                               .monotone = true,
                               .slack = find_slack,
                               .data = data};
    return PERP_SOLVED;
}
