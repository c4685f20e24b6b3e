/* tests/adversary/hostile.c: vectors that no solver returned, through perp_certify and perp_check,
 * which judge what others computed: z and proofs of a solve with entries moved, scaled, negated or
 * replaced. What is accepted is held against the oracles. */
#include "run.h"

#include <math.h>
#include <string.h>

enum { TRIES = 3 };

static double replace(generator *g, double x)
{
    switch (generator_below(g, 8)) {
    case 0: return 0;
    case 1: return -x;
    case 2: return ldexp(x, generator_between(g, -60, 60));
    case 3: return ldexp(generator_uniform(g), generator_between(g, -1074, 1000));
    case 4: return generator_between(g, -1, 2);
    case 5: return x * (1 + 1e-9 * generator_uniform(g));
    default: return draw_moved(g, x);
    }
}

/* All entries by one factor, in their last places, by a relative 1e-10, or some of them anyhow. */
static void mutate(generator *g, int n, double *x)
{
    int way = generator_below(g, 6);
    int power = generator_between(g, -900, 900);
    for (int i = 0; i < n; i++) {
        if (way == 0)
            x[i] = ldexp(x[i], power);
        else if (way == 1)
            x[i] = draw_moved(g, x[i]);
        else if (way == 2)
            x[i] *= 1 + 1e-10 * generator_uniform(g);
        else if (generator_below(g, n) == 0)
            x[i] = replace(g, x[i]);
        if (!isfinite(x[i])) x[i] = 0;
    }
}

static void try_certify(const settings *o, tally *t, const sample *s, const perp_problem *p,
                        int solver, perp_arena *a, const double *z)
{
    perp_residual r;
    judgement j = {0};
    t->count[s->kind][solver][C_VECTORS]++;
    if (perp_certify(p, z, a, &r) != PERP_SOLVED || !(r.value + r.bound <= s->tol)) return;
    judge_solved(s, z, &j);
    if (j.wrong) report_fault(o, t, s, solver, C_RESIDUAL, &j, z);
}

/* perp_check proves for exact solutions, and takes a point that is feasible to 1e-8. */
static void try_check(const settings *o, tally *t, const sample *s, const perp_problem *p,
                      int solver, perp_arena *a, perp_status claim, const double *z,
                      const double *w)
{
    sample exact = *s;
    perp_residual r;
    judgement j = {0};
    exact.tol = claim == PERP_UNBOUNDED ? 1e-8 : 0;
    t->count[s->kind][solver][C_VECTORS]++;
    perp_status status = perp_check(p, claim, w, z, a, &r);
    if (status == PERP_SOLVED) {
        judge_claim(&exact, claim, z, w, &j);
        if (j.wrong) report_fault(o, t, s, solver, C_PROOF, &j, w);
    }
    /* The radius is a theorem, whether it is large enough for a proof or not. */
    if (claim != PERP_INFEASIBLE || status < 0 || !(r.radius > 0)) return;
    if (o->programs == 0 || t->claims++ % o->programs) return;
    j = (judgement){0};
    if (!refute_infeasible(&exact, r.radius, &j)) return;
    t->count[s->kind][solver][C_PROGRAMS]++;
    if (j.wrong) report_fault(o, t, s, solver, C_REFUTED, &j, w);
}

static perp_status draw_claim(generator *g, const perp_problem *p)
{
    if (p->kind == PERP_KIND_QP && generator_below(g, 2)) return PERP_UNBOUNDED;
    if (p->kind == PERP_KIND_LCP && generator_below(g, 3) == 0) return PERP_RAY;
    return PERP_INFEASIBLE;
}

void hostile(const settings *o, tally *t, const sample *s, const perp_problem *p, int solver,
             perp_arena *a, const double *z, const double *w)
{
    generator g = generator_start(s->seed * 999983 + (uint64_t)s->index * 104729 + 5);
    double x[MOST], y[MOST];
    size_t bytes = (size_t)s->size * sizeof *x;
    for (int k = 0; k < TRIES; k++) {
        memcpy(x, z, bytes);
        if (k > 0) mutate(&g, s->size, x);
        try_certify(o, t, s, p, solver, a, x);
        memcpy(y, w, bytes);
        if (k > 0) mutate(&g, s->size, y);
        try_check(o, t, s, p, solver, a, draw_claim(&g, p), x, y);
    }
}
