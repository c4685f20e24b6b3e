/* qp/phase_one.c: a feasible x and a working set for it, by projection.
 *
 * The dual method with H = I finds the point nearest to some anchor. Which one does not matter: any
 * multipliers of the right signs belong to one, so that a first set can be guessed. */
#include "phase_one.h"

#include "base/vector.h"

/* Part of a normal that a guessed set must leave: not all guesses are right. */
#define SQUARE 1e-7

/* The most independent ones first: whether a row is but rounding away from the others can be told
 * where the others are well away from each other. */
static void join_equalities(const perp_dense_qp *p, perp_dual *s)
{
    static const double least[] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10};
    for (size_t pass = 0; pass < sizeof least / sizeof *least; pass++) {
        bool all = true;
        for (int i = 0; i < p->qp->n + p->qp->m; i++) {
            if (!rows_is_equality(&p->rows, i) || s->side[i]) continue;
            if (!perp_dual_join(s, i, 1, least[pass])) all = false;
        }
        if (all) return;
    }
}

/* x on the set's bounds, and multipliers that any projection on the set could have. */
static void settle(const perp_dense_qp *p, perp_dual *s, double *g)
{
    size_t n = (size_t)p->qp->n, m = (size_t)p->qp->m;
    perp_dual_measure(s);
    for (int pass = 0; pass < 2; pass++) {
        memset(g, 0, n * sizeof *g);
        memset(s->y, 0, (n + m) * sizeof *s->y);
        perp_dual_correct(s, g);
    }
    for (int q = 0; q < s->set.R.k; q++) {
        int i = s->set.set[q];
        s->y[i] = rows_is_equality(&p->rows, i) ? 0 : s->side[i];
    }
}

void perp_phase_centre(const perp_dense_qp *p, double *x)
{
    for (int j = 0; j < p->qp->n; j++) {
        double lo = p->rows.lo[j], hi = p->rows.hi[j];
        x[j] = lo > 0 ? lo : hi < 0 ? hi : 0;
    }
}

static void join_bounds(const perp_dense_qp *p, perp_dual *s)
{
    for (int j = 0; j < p->qp->n; j++) {
        double lo = p->rows.lo[j], hi = p->rows.hi[j], x = s->value[j];
        if (lo < hi && (x == lo || x == hi)) perp_dual_join(s, j, x == lo ? 1 : -1, SQUARE);
    }
}

void perp_phase_start(const perp_dense_qp *p, perp_dual *s, const double *z, double *force,
                      double *g, signed char *side)
{
    join_equalities(p, s);
    if (z) {
        perp_dense_qp_read(p, z, s->value);
        perp_dual_measure(s);
        perp_dense_qp_guess(p, z, s->value, g, side, force);
        perp_dense_qp_join(s, side, force, SQUARE);
    } else {
        join_bounds(p, s);
    }
    settle(p, s, g);
}

void perp_phase_resume(const perp_dense_qp *p, perp_dual *s, int count, const int *list,
                       const signed char *side, double *g)
{
    join_equalities(p, s);
    for (int k = 0; k < count; k++) {
        int i = list[k];
        if (!rows_is_equality(&p->rows, i)) perp_dual_join(s, i, side[i], SQUARE);
    }
    settle(p, s, g);
}

perp_status perp_phase_one(const perp_dense_qp *p, perp_dual *s, perp_run *run, double *z,
                           double *w)
{
    for (;;) {
        if (!perp_continue(run, NULL, INFINITY)) {
            perp_dense_qp_write(p, s->value, s->y, z);
            return run->status;
        }
        perp_dual_step step = perp_dual_advance(s);
        if (step == PERP_DUAL_FEASIBLE) return PERP_SOLVED;
        if (step == PERP_DUAL_MOVED) continue;
        perp_dual_proof(s, w);
        perp_status status = perp_dense_qp_prove(p, run, PERP_INFEASIBLE, w);
        if (status != PERP_STALLED || !perp_dual_loosen(s)) return status;
    }
}
