/* qp/ipm_finish.c: the last digits, on the set of active bounds and rows.
 *
 * Near a solution an interior point shows which bounds hold: those whose multiplier is larger than
 * their slack. On that set the problem is one linear system. It is solved with proximal terms at
 * the last solution, so that dependent rows and flat directions do no harm, and again until its
 * error is rounding. Pairs whose sign comes out wrong change sides, as in a primal-dual active set
 * method (Hintermueller, Ito, Kunisch, SIAM J. Optimization 13, 2002). */
#include "ipm.h"

#include "base/vector.h"

#define PROXIMAL 1e-8
#define PROXIMAL_OF_PAIRS 1e-24 /* with a factor in pairs of numbers, whose rounding is 1e-32 */
#define ROUNDS 12
#define FALLS 0.5 /* an error that falls by less is at its end */
/* Accuracy of the solve in a round: the rounds themselves refine, from residuals of the problem. */
#define ROUND_ACCURACY 1e-2

bool perp_ipm_finish_open(ipm_finish *f, const ipm_problem *p, ipm_kkt *kkt, perp_arena *a)
{
    size_t n = (size_t)p->n, m = (size_t)p->m;
    *f = (ipm_finish){.p = p, .kkt = kkt};
    f->side = perp_alloc(a, n + m, sizeof *f->side);
    f->out = perp_alloc(a, n + m, sizeof *f->out);
    f->v = perp_alloc(a, n + m, sizeof *f->v);
    f->d = perp_alloc(a, n + m, sizeof *f->d);
    f->rhs = perp_alloc(a, n + m, sizeof *f->rhs);
    f->best = perp_alloc(a, n + m, sizeof *f->best);
    f->x = perp_alloc(a, n, sizeof *f->x);
    f->gradient = perp_alloc(a, n, sizeof *f->gradient);
    f->y = perp_alloc(a, m, sizeof *f->y);
    return !a->failed;
}

void perp_ipm_finish_identify(ipm_finish *f, const ipm_point *t)
{
    const ipm_problem *p = f->p;
    memcpy(f->x, t->x, (size_t)p->n * sizeof *f->x);
    memcpy(f->y, t->y, (size_t)p->m * sizeof *f->y);
    for (int k = 0; k < p->n + p->m; k++) {
        bool low = ipm_has_lo(p, k) && t->zl[k] > t->tl[k];
        bool high = ipm_has_hi(p, k) && t->zu[k] > t->tu[k];
        if (low && high) {
            low = t->tl[k] < t->tu[k];
            high = !low;
        }
        f->side[k] = (signed char)(low ? -1 : high ? 1 : 0);
    }
}

static double bound_of(const ipm_finish *f, int k)
{
    return f->side[k] > 0 ? f->p->hi[k] : f->p->lo[k];
}

static bool is_active(const ipm_finish *f, int k)
{
    return f->side[k] != 0 || ipm_is_equal(f->p, k);
}

/* What the system still lacks; the largest. */
static double find_rhs(ipm_finish *f)
{
    const ipm_problem *p = f->p;
    perp_ipm_kkt_evaluate(f->kkt, f->x, f->y, f->v, f->gradient);
    for (int j = 0; j < p->n; j++) f->rhs[j] = f->out[j] ? 0 : -f->gradient[j];
    for (int k = p->n; k < p->n + p->m; k++) {
        f->rhs[k] = f->out[k] ? 0 : bound_of(f, k) - f->v[k];
    }
    return vector_max(p->n + p->m, f->rhs);
}

static void put_on_bounds(ipm_finish *f)
{
    const ipm_problem *p = f->p;
    double proximal = f->kkt->pairs ? PROXIMAL_OF_PAIRS : PROXIMAL;
    for (int k = 0; k < p->n + p->m; k++) {
        bool active = is_active(f, k);
        f->out[k] = k < p->n ? active : !active;
        f->d[k] = proximal + (k < p->n ? 0 : p->soft);
        if (k < p->n && active) f->x[k] = bound_of(f, k);
        if (k >= p->n && !active) f->y[k - p->n] = 0;
    }
}

static void keep(ipm_finish *f)
{
    memcpy(f->best, f->x, (size_t)f->p->n * sizeof *f->x);
    memcpy(f->best + f->p->n, f->y, (size_t)f->p->m * sizeof *f->y);
}

static void take_back(ipm_finish *f)
{
    memcpy(f->x, f->best, (size_t)f->p->n * sizeof *f->x);
    memcpy(f->y, f->best + f->p->n, (size_t)f->p->m * sizeof *f->y);
}

bool perp_ipm_finish_solve(ipm_finish *f)
{
    const ipm_problem *p = f->p;
    put_on_bounds(f);
    if (!perp_ipm_kkt_factor(f->kkt, f->d, f->out)) return false;
    double error = find_rhs(f);
    for (int round = 0; round < ROUNDS && error > 0; round++) {
        keep(f);
        perp_ipm_kkt_solve(f->kkt, f->rhs, f->rhs, ROUND_ACCURACY);
        for (int j = 0; j < p->n; j++) f->x[j] += f->rhs[j];
        for (int i = 0; i < p->m; i++) f->y[i] -= f->rhs[p->n + i];
        double now = find_rhs(f);
        bool better = now < error;
        if (!better) {
            take_back(f);
            find_rhs(f);
            break;
        }
        bool slow = now > FALLS * error;
        error = now;
        if (slow) break;
    }
    return true;
}

int perp_ipm_finish_exchange(ipm_finish *f)
{
    const ipm_problem *p = f->p;
    int moved = 0;
    for (int k = 0; k < p->n + p->m; k++) {
        if (ipm_is_equal(p, k)) continue;
        double force = k < p->n ? f->gradient[k] : f->y[k - p->n];
        signed char to = f->side[k];
        if (to != 0 && to * force > 0)
            to = 0;
        else if (to == 0 && f->v[k] < p->lo[k])
            to = -1;
        else if (to == 0 && f->v[k] > p->hi[k])
            to = 1;
        moved += to != f->side[k];
        f->side[k] = to;
    }
    return moved;
}
