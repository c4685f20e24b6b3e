/* method/primal_step.c: steps of the primal active-set method.
 * Fletcher, A general quadratic programming algorithm, J. Inst. Math. Appl. 7 (1971); Gill, Murray,
 * Saunders, Wright, Inertia-controlling methods for general quadratic programming, SIAM Review 33
 * (1991).
 *
 * At a stationary x the constraint with the worst multiplier leaves: column z of Q is then free for
 * it, and d = z - Zf (Zf'H Zf)^-1 Zf'H z keeps x stationary on the rest. The curvature d'H d is the
 * last pivot of the reduced Hessian with z: where it is positive the step to the multiplier's zero
 * ends the matter and z joins Zf; where it is not, d descends until a constraint blocks. A blocking
 * constraint takes a direction from Zf, or, where its normal depends on the set, the place of the
 * one that leaves. */
#include "base/vector.h"
#include "linalg/lapack.h"
#include "primal_set.h"

#define FLAT 1e-13     /* curvature over the size of its terms that is none */
#define NOISE 1e-14    /* of d, over its largest entry */
#define EXCHANGE 1e-12 /* part of a normal in Zf, over that in z, that is none */
#define WRONG 1e-11    /* multiplier over the size of the gradient's terms that is wrong */

static const int one = 1;
static const double plus = 1, zero = 0;

/* ---- products ---- */

static void multiply_hessian(const perp_primal *p, const double *x, double *y)
{
    const int n = p->s.rows->n;
    if (n > 0) dgemv_("N", &n, &n, &plus, p->H, &p->ld, x, &one, &zero, y, &one, 1);
}

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* H d, the slopes of all constraints, rate and curvature. */
static void find_slopes(perp_primal *p)
{
    const perp_constraint_rows *rows = p->s.rows;
    const int n = rows->n;
    multiply_hessian(p, p->d, p->Hd);
    memcpy(p->slope, p->d, (size_t)n * sizeof *p->d);
    if (rows->m > 0)
        dgemv_("T", &n, &rows->m, &plus, rows->A, &n, p->d, &one, &zero, p->slope + n, &one, 1);
    p->rate = dot(n, p->g, p->d);
    p->curve = dot(n, p->d, p->Hd);
}

static void move(perp_primal *p, double length)
{
    const perp_constraint_rows *rows = p->s.rows;
    if (length == 0) return;
    p->refused = 0;
    for (int j = 0; j < rows->n; j++) p->g[j] += length * p->Hd[j];
    for (int i = 0; i < rows->n + rows->m; i++) p->s.value[i] += length * p->slope[i];
    double size = vector_norm(rows->n, p->s.value), terms = vector_max(rows->n, p->g);
    p->s.size = size > p->s.size ? size : p->s.size;
    p->most = terms > p->most ? terms : p->most;
}

/* ---- a constraint joins ---- */

/* Columns k and k + 1 of Q turn so that k alone meets the normal, k + 1 still leads away from the
 * constraint that leaves. */
static void turn_pair(perp_primal *p, double *e)
{
    int n = p->s.rows->n, k = p->s.set.R.k;
    double *x = working_column(&p->s.set, k), *y = working_column(&p->s.set, k + 1);
    double h = copysign(hypot(e[k], e[k + 1]), e[k + 1]), c = e[k] / h, s = e[k + 1] / h;
    for (int j = 0; j < n; j++) {
        double a = x[j], b = y[j];
        x[j] = c * a + s * b;
        y[j] = s * a - c * b;
    }
    e[k] = h;
}

static void enter(perp_primal *p, const perp_primal_block *block)
{
    int n = p->s.rows->n, k = p->s.set.R.k, nz = p->hessian.k, i = block->i;
    double *e = p->s.d;
    perp_working_set_project(&p->s.set, p->s.rows, i, e);
    if (p->leaving < 0) {
        perp_reduced_hessian_push(&p->s.set, &p->hessian, e, p->s.r);
    } else if (nz == 0 || vector_norm(nz, e + n - nz) <= EXCHANGE * fabs(e[k])) {
        p->leaving = -1;
    } else {
        perp_reduced_hessian_push(&p->s.set, &p->hessian, e, p->s.r);
        turn_pair(p, e);
    }
    perp_updated_push(&p->s.set.R, e, e[k]);
    p->s.set.set[k] = i;
    p->s.side[i] = (signed char)block->side;
    p->s.value[i] = rows_bound(p->s.rows, i, block->side);
}

/* ---- to a stationary point ---- */

static void find_stationary(perp_primal *p)
{
    int n = p->s.rows->n;
    perp_reduced_hessian_split(&p->s.set, &p->hessian, p->g, p->t);
    perp_updated_forward(&p->hessian, p->t);
    perp_updated_backward(&p->hessian, p->t);
    for (int j = 0; j < p->hessian.k; j++) p->t[j] = -p->t[j];
    memset(p->d, 0, (size_t)n * sizeof *p->d);
    perp_reduced_hessian_lift(&p->s.set, &p->hessian, p->t, p->d);
    find_slopes(p);
    perp_primal_block block = perp_primal_ratio(p, 1);
    move(p, block.length);
    if (block.i >= 0) enter(p, &block);
    p->moving = block.i >= 0 && p->hessian.k > 0;
}

/* ---- away from a constraint ---- */

/* d = z - Zf (Zf'H Zf)^-1 Zf'H z, and t on the way. */
static void find_direction(perp_primal *p)
{
    int n = p->s.rows->n, nz = p->hessian.k;
    const double *z = working_column(&p->s.set, p->s.set.R.k);
    double *u = p->s.r;
    multiply_hessian(p, z, p->Hd);
    perp_reduced_hessian_split(&p->s.set, &p->hessian, p->Hd, p->t);
    perp_updated_forward(&p->hessian, p->t);
    for (int j = 0; j < nz; j++) u[j] = -p->t[j];
    perp_updated_backward(&p->hessian, u);
    memcpy(p->d, z, (size_t)n * sizeof *z);
    perp_reduced_hessian_lift(&p->s.set, &p->hessian, u, p->d);
    find_slopes(p);
}

/* What rounding, of the curvature's terms and of d itself, may make of no curvature. */
static double flat(const perp_primal *p)
{
    int n = p->s.rows->n;
    double sum = 0, noise = 0, unit = NOISE * vector_max(n, p->d);
    for (int j = 0; j < n; j++) {
        sum += fabs(p->d[j]) * p->weight[j];
        noise += unit * p->weight[j];
    }
    return (FLAT * sum + noise) * (sum + noise);
}

/* d with N'd = 0 and Zf'H d = 0, once more; entries that are rounding alone become zero. */
static void refine_direction(perp_primal *p)
{
    int n = p->s.rows->n;
    double *v = p->s.d, *u = p->s.r;
    for (int q = 0; q < p->s.set.R.k; q++) {
        int i = p->s.set.set[q];
        v[q] = primal_is_artificial(p, i) ? 0 : -p->slope[i];
    }
    perp_updated_forward(&p->s.set.R, v);
    perp_working_set_range(&p->s.set, v, p->s.z);
    for (int j = 0; j < n; j++) p->d[j] += p->s.z[j];
    multiply_hessian(p, p->d, p->Hd);
    perp_reduced_hessian_split(&p->s.set, &p->hessian, p->Hd, u);
    perp_updated_forward(&p->hessian, u);
    perp_updated_backward(&p->hessian, u);
    for (int j = 0; j < p->hessian.k; j++) u[j] = -u[j];
    perp_reduced_hessian_lift(&p->s.set, &p->hessian, u, p->d);
    double most = vector_max(n, p->d);
    for (int j = 0; j < n; j++) p->d[j] = fabs(p->d[j]) > NOISE * most ? p->d[j] : 0;
    find_slopes(p);
}

/* The multiplier is zero: z joins Zf, or is held where the reduced Hessian would be singular. */
static void settle(perp_primal *p, bool curved)
{
    int k = p->s.set.R.k;
    if (curved) {
        perp_updated_push(&p->hessian, p->t, sqrt(p->curve));
    } else {
        memset(p->s.d, 0, (size_t)k * sizeof *p->s.d);
        perp_updated_push(&p->s.set.R, p->s.d, 1);
        p->s.set.set[k] = p->s.rows->n + p->s.rows->m;
    }
    p->leaving = -1;
}

static perp_primal_step leave_further(perp_primal *p)
{
    find_direction(p);
    bool curved = p->curve > flat(p);
    if (!(p->rate < 0)) {
        settle(p, curved);
        return p->refused++ > p->s.rows->n ? PERP_PRIMAL_STATIONARY : PERP_PRIMAL_MOVED;
    }
    perp_primal_block block = perp_primal_ratio(p, curved ? -p->rate / p->curve : INFINITY);
    if (isinf(block.length)) {
        refine_direction(p);
        refine_direction(p);
        return PERP_PRIMAL_UNBOUNDED;
    }
    move(p, block.length);
    if (block.i >= 0)
        enter(p, &block);
    else
        settle(p, true);
    return PERP_PRIMAL_MOVED;
}

/* ---- which to leave ---- */

/* The multipliers, and the place of the one that is most wrong, or -1. */
static int price(perp_primal *p)
{
    int at = -1;
    double worst = WRONG * p->most, *e = p->s.d;
    perp_working_set_split(&p->s.set, p->g, e);
    perp_updated_backward(&p->s.set.R, e);
    for (int q = 0; q < p->s.set.R.k; q++) {
        int i = p->s.set.set[q];
        bool artificial = primal_is_artificial(p, i);
        if (!artificial) p->s.y[i] = e[q];
        if (!artificial && rows_is_equality(p->s.rows, i)) continue;
        double wrong = artificial ? fabs(e[q]) : -p->s.side[i] * e[q];
        if (wrong <= worst) continue;
        worst = wrong;
        at = q;
    }
    return at;
}

static void start_leaving(perp_primal *p, int at)
{
    int n = p->s.rows->n, i = p->s.set.set[at];
    p->leaving = i;
    if (!primal_is_artificial(p, i)) {
        p->lean[i] = p->s.side[i];
        p->s.side[i] = 0;
        p->s.y[i] = 0;
    }
    perp_working_set_drop(&p->s.set, at, NULL);
    double *z = working_column(&p->s.set, p->s.set.R.k);
    if (dot(n, p->g, z) <= 0) return;
    for (int j = 0; j < n; j++) z[j] = -z[j];
}

perp_primal_step perp_primal_advance(perp_primal *p)
{
    if (p->moving) find_stationary(p);
    if (p->moving) return PERP_PRIMAL_MOVED;
    if (p->leaving < 0) {
        int at = price(p);
        if (at < 0) return PERP_PRIMAL_STATIONARY;
        start_leaving(p, at);
    }
    return leave_further(p);
}
