/* core/proof_qp.c: that a qp has no feasible point, or an objective without a lower bound.
 *
 * Infeasible: bounds that cross, or Farkas' lemma for the rows. Unbounded: a feasible point, and a
 * direction d that meets no bound, with c'd < 0 and (H + H')d = 0, or, where H is symmetric, with
 * d'H d < 0. What of this holds up to the rounding of the sums alone is accepted. */
#include "base/format.h"
#include "kinds.h"
#include "linalg/principal_submatrix.h"
#include "proof.h"

#define FEASIBLE 1e-8 /* violation of a bound, relative to 1 + |bound|, where no tol is given */

/* ---- bounds that cross ---- */

/* Entry i of (x, A x) whose bounds cross, from `first` on; n + m: there is none. */
static int find_crossing(const perp_qp *qp, int first)
{
    double lo, hi;
    for (int i = first; i < qp->n + qp->m; i++) {
        if (i < qp->n)
            kind_x_bounds(qp, i, &lo, &hi);
        else
            kind_row_bounds(qp, i - qp->n, &lo, &hi);
        if (lo > hi) return i;
    }
    return qp->n + qp->m;
}

bool perp_qp_refute(const perp_problem *p, double *y, perp_error *e)
{
    const perp_qp *qp = &p->as.qp;
    int i = find_crossing(qp, 0), size = qp->n + qp->m;
    if (i == size) return false;
    for (int k = 0; k < size; k++) y[k] = k == i;
    double lo, hi;
    if (i < qp->n)
        kind_x_bounds(qp, i, &lo, &hi);
    else
        kind_row_bounds(qp, i - qp->n, &lo, &hi);
    const char *x = i < qp->n ? "x" : "";
    i -= i < qp->n ? 0 : qp->n;
    perp_refuse(e, PERP_INFEASIBLE, "%slo[%d] = %.17g is above %shi[%d] = %.17g: no x is between",
                x, i, lo, x, i, hi);
    return true;
}

/* An entry of y that is not zero where the bounds cross. */
static bool names_crossing(const perp_qp *qp, const double *y)
{
    for (int i = find_crossing(qp, 0); i < qp->n + qp->m; i = find_crossing(qp, i + 1)) {
        if (fabs(y[i]) > 0) return true;
    }
    return false;
}

/* ---- no feasible point ---- */

/* y, the last m entries: at a feasible x, y'A x >= sum(y+ lo - y- hi), and that is more than the
 * supremum of (A'y)'x over the box of x. A certified x may miss row i by tol (1 + |bound|). */
static perp_status check_infeasible(const perp_qp *qp, const double *y, double tol, perp_arena *a,
                                    perp_residual *r)
{
    double *unit = perp_proof_unit(a, qp->m, y), lo, hi, slack = 0;
    perp_sums g;
    perp_proof proof = {0};
    if (!unit || !perp_proof_multiply(&qp->A, true, unit, a, &g)) return PERP_E_MEMORY;
    for (int i = 0; i < qp->m; i++) {
        kind_row_bounds(qp, i, &lo, &hi);
        double bound = unit[i] > 0 ? lo : hi;
        if (unit[i] == 0) continue;
        proof.wrong |= isinf(bound);
        perp_proof_add(&proof, isinf(bound) ? 0 : bound, 0, -unit[i]);
        slack += tol * fabs(unit[i]) * (1 + fabs(bound));
    }
    for (int j = 0; j < qp->n; j++) {
        kind_x_bounds(qp, j, &lo, &hi);
        perp_proof_sup(&proof, (perp_slope){g.w[j], g.error[j], g.size[j]}, (perp_slope){0}, lo,
                       hi);
        double reach = isfinite(lo) && isfinite(hi) ? fmax(fabs(lo), fabs(hi)) : 0;
        slack += tol * (fabs(g.w[j]) + g.error[j]) * (1 + reach);
    }
    return perp_proof_end(&proof, slack, qp->m, r);
}

/* ---- no lower bound ---- */

static bool is_feasible(const perp_qp *qp, const double *x, double tol, perp_arena *a)
{
    perp_sums Ax;
    double lo, hi, limit = tol > 0 ? fmax(tol, PERP_PROOF_LEAST_TOL) : FEASIBLE;
    if (!perp_proof_multiply(&qp->A, false, x, a, &Ax)) return false;
    for (int j = 0; j < qp->n; j++) {
        kind_x_bounds(qp, j, &lo, &hi);
        if (lo - x[j] > limit * (1 + fabs(lo)) || x[j] - hi > limit * (1 + fabs(hi))) return false;
    }
    for (int i = 0; i < qp->m; i++) {
        kind_row_bounds(qp, i, &lo, &hi);
        double below = lo - Ax.w[i] + Ax.error[i], above = Ax.w[i] - hi + Ax.error[i];
        if (below > limit * (1 + fabs(lo)) || above > limit * (1 + fabs(hi))) return false;
    }
    return true;
}

/* How far d leads out of a finite bound, at most. */
static double leaves(double d, double error, double lo, double hi)
{
    double out = 0;
    if (isfinite(lo)) out = perp_worst(out, error - d);
    if (isfinite(hi)) out = perp_worst(out, d + error);
    return out;
}

/* By how much, relative to the rounding of A d. */
static double check_recession(const perp_qp *qp, const double *d, const perp_sums *Ad)
{
    double worst = 0, lo, hi, unit = DBL_EPSILON / 2;
    for (int j = 0; j < qp->n; j++) {
        kind_x_bounds(qp, j, &lo, &hi);
        if (leaves(d[j], 0, lo, hi) > 0) return INFINITY;
    }
    for (int i = 0; i < qp->m; i++) {
        kind_row_bounds(qp, i, &lo, &hi);
        double out = leaves(Ad->w[i], Ad->error[i], lo, hi);
        if (out > 0) worst = perp_worst(worst, out / (unit * (Ad->count[i] + 4) * Ad->size[i]));
    }
    return worst;
}

/* Is H v = H'v for numbers v in which no entries of H - H' cancel by chance? */
static bool products_agree(const perp_qp *qp, perp_arena *a)
{
    double *v = perp_alloc_unset(a, (size_t)qp->n, sizeof *v);
    perp_sums Hv, tv;
    if (!v) return false;
    for (int j = 0; j < qp->n; j++) v[j] = 1 + fmod((j + 1) * 0.61803398874989485, 1);
    if (!perp_proof_multiply(&qp->H, false, v, a, &Hv) ||
        !perp_proof_multiply(&qp->H, true, v, a, &tv))
        return false;
    for (int j = 0; j < qp->n; j++) {
        if (fabs(Hv.w[j] - tv.w[j]) > 4 * DBL_EPSILON * Hv.size[j]) return false;
    }
    return true;
}

/* To the last bit where H has entries: with any other H the problem is a variational inequality, of
 * which d'H d < 0 proves nothing. */
static bool is_symmetric(const perp_qp *qp, perp_arena *a)
{
    perp_matrix H;
    int i, j;
    if (!perp_has_entries(&qp->H)) return products_agree(qp, a);
    return perp_lift_csc(&qp->H, a, &H, NULL) == PERP_SOLVED &&
           perp_symmetry(&H, 0, a, &i, &j) == PERP_SOLVED;
}

/* How much (H + H')d differs from zero relative to its rounding where c'd < 0 for sure, 0 where
 * d'H d < 0 for sure; INFINITY: neither. */
static double check_descent(const perp_qp *qp, const double *d, const perp_sums *Hd,
                            const perp_sums *td, perp_arena *a)
{
    double worst = 0, unit = DBL_EPSILON / 2;
    perp_proof curve = {0}, line = {0};
    for (int j = 0; j < qp->n; j++) {
        double bend = fabs(Hd->w[j] + td->w[j]) + Hd->error[j] + td->error[j];
        double size = (Hd->count[j] + td->count[j] + 4) * (Hd->size[j] + td->size[j]);
        if (bend > 0) worst = perp_worst(worst, bend / (unit * size));
        perp_proof_add(&curve, Hd->w[j], Hd->error[j], d[j]);
        perp_proof_add(&line, qp->c[j], 0, d[j]);
    }
    if (perp_proof_radius(&line, 0) > 0 && worst <= 1) return worst;
    bool bends = perp_proof_radius(&curve, 0) > 0 && is_symmetric(qp, a);
    return bends ? 0 : perp_proof_radius(&line, 0) > 0 ? worst : INFINITY;
}

/* d, the first n entries; x a feasible point, NULL: not known. */
static perp_status check_unbounded(const perp_qp *qp, const double *y, const double *x, double tol,
                                   perp_arena *a, perp_residual *r)
{
    double *d = perp_proof_unit(a, qp->n, y);
    perp_sums Ad, Hd, td;
    if (!d || !perp_proof_multiply(&qp->A, false, d, a, &Ad) ||
        !perp_proof_multiply(&qp->H, false, d, a, &Hd) ||
        !perp_proof_multiply(&qp->H, true, d, a, &td)) {
        return PERP_E_MEMORY;
    }
    double value = check_recession(qp, d, &Ad);
    value = perp_worst(value, check_descent(qp, d, &Hd, &td, a));
    *r = (perp_residual){.value = value, .natural = value, .radius = NAN};
    return value <= 1 && x && is_feasible(qp, x, tol, a) ? PERP_SOLVED : PERP_UNCERTIFIED;
}

/* ---- the calls ---- */

perp_status perp_qp_check(const perp_problem *p, perp_status status, const double *y,
                          const double *z, double tol, perp_arena *a, perp_residual *r)
{
    const perp_qp *qp = &p->as.qp;
    if (status == PERP_UNBOUNDED) return check_unbounded(qp, y, z, tol, a, r);
    if (status != PERP_INFEASIBLE) return PERP_E_ARGUMENT;
    if (names_crossing(qp, y)) {
        *r = (perp_residual){.radius = INFINITY};
        return PERP_SOLVED;
    }
    return check_infeasible(qp, y + qp->n, tol, a, r);
}

/* perp_proof_multiply with its scratch. */
static void count_product(int rows, int columns, perp_arena *a)
{
    for (int k = 0; k < 6; k++) perp_count(a, (size_t)rows, sizeof(double));
    perp_count(a, (size_t)columns, sizeof(double));
}

/* check_unbounded where d'H d < 0 and x is there. */
void perp_qp_check_room(const perp_problem *p, perp_arena *a)
{
    const perp_qp *qp = &p->as.qp;
    perp_mark mark = perp_arena_mark(a);
    perp_matrix H;
    for (int k = 0; k < 2; k++) count_product(qp->m, qp->n, a);
    for (int k = 0; k < 4; k++) count_product(qp->n, qp->n, a);
    for (int k = 0; k < 2; k++) perp_count(a, (size_t)qp->n, sizeof(double));
    if (perp_has_entries(&qp->H)) perp_lift_csc(&qp->H, a, &H, NULL);
    perp_arena_release(a, mark);
}

/* A multiplier has no sign towards an infinite bound; a direction does not lead out of a finite one
 * of x. */
void perp_qp_tidy(const perp_problem *p, double *y)
{
    const perp_qp *qp = &p->as.qp;
    double lo, hi;
    if (find_crossing(qp, 0) < qp->n + qp->m) return;
    for (int j = 0; j < qp->n; j++) {
        kind_x_bounds(qp, j, &lo, &hi);
        if (leaves(y[j], 0, lo, hi) > 0) y[j] = 0;
    }
    for (int i = 0; i < qp->m; i++) {
        kind_row_bounds(qp, i, &lo, &hi);
        double *e = y + qp->n + i;
        if ((*e > 0 && isinf(lo)) || (*e < 0 && isinf(hi))) *e = 0;
    }
}

/* min 0 within the same bounds. */
bool perp_qp_feasibility(const perp_problem *p, perp_arena *a, perp_problem *out)
{
    *out = *p;
    out->as.qp.H = (perp_matrix){.m = p->as.qp.n, .n = p->as.qp.n};
    out->as.qp.c = perp_alloc(a, (size_t)p->as.qp.n, sizeof(double));
    return out->as.qp.c;
}
