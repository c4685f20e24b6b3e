/* warm.c: what a start near the solution is worth, on the stored friction problems: iterations
 * from zero, again from the solution, and after a change of the data by 0.1 %, from the old
 * solution against from zero.
 *
 * The change is one that forces can make, f or, in local form, q + W s: W is rank-deficient nearly
 * always, and any other q has no solution, or one far away. */
#include "bench.h"
#include "command.h"
#include "generate.h"

#define TOL 1e-8
#define CHANGE 1e-3
#define SECONDS 5 /* of a solve */

typedef struct tally {
    const char *solver;
    int count, again; /* problems solved in all four ways; most iterations from the solution */
    double logs;      /* of iterations warm over cold, after the change */
} tally;

/* Iterations, 0 counted as 1 for ratios; -1: not solved. */
static int solve(bench *b, const perp_problem *p, const char *solver, bool warm, double *z)
{
    perp_result r;
    perp_mark mark = perp_arena_mark(&b->data);
    perp_options *o = perp_options_new(&b->data, solver);
    o->tol = TOL;
    o->max_seconds = SECONDS;
    o->warm_start = warm;
    perp_status status = perp_solve(p, o, &b->work, z, NULL, &r);
    perp_arena_release(&b->data, mark);
    return status == PERP_SOLVED ? r.iterations : -1;
}

/* x = q + W s with random s, so that |W s| = CHANGE |q|. */
static void change_local(const perp_fc3d *f, generator *g, double *s, double *x)
{
    int n = 3 * f->contacts;
    double moved = 0, whole = 0;
    for (int i = 0; i < n; i++) s[i] = generator_uniform(g);
    perp_mul(&f->W, 1, s, 0, x);
    for (int i = 0; i < n; i++) moved += x[i] * x[i], whole += f->q[i] * f->q[i];
    double scale = moved > 0 ? CHANGE * sqrt(whole / moved) : 0;
    for (int i = 0; i < n; i++) x[i] = f->q[i] + scale * x[i];
}

static bool change(perp_problem *p, perp_arena *a)
{
    perp_fc3d *f = &p->as.fc3d;
    bool local = f->form == PERP_LOCAL;
    int n = local ? 3 * f->contacts : f->M.n;
    generator g = generator_start(1);
    double *x = perp_alloc(a, (size_t)n, sizeof *x), *s = perp_alloc(a, (size_t)n, sizeof *s);
    if (!x || !s) return false;
    if (local) {
        change_local(f, &g, s, x);
        f->q = x;
        return true;
    }
    for (int i = 0; i < n; i++) x[i] = f->f[i] * (1 + CHANGE * generator_uniform(&g));
    f->f = x;
    return true;
}

static void measure(bench *b, const char *name, const perp_problem *p, tally *t, double *z)
{
    perp_problem other = *p;
    size_t size = (size_t)perp_size(p);
    double *kept = perp_alloc(&b->data, size, sizeof *kept);
    if (!kept || !change(&other, &b->data)) return;
    int cold = solve(b, p, t->solver, false, z);
    if (cold < 0) return;
    int again = solve(b, p, t->solver, true, z);
    memcpy(kept, z, size * sizeof *z);
    int fresh = solve(b, &other, t->solver, false, z),
        warm = solve(b, &other, t->solver, true, kept);
    fprintf(b->out, "%-24s %-12s %8d %8d %8d %8d\n", short_name(name), t->solver, cold, again,
            fresh, warm);
    fflush(b->out);
    if (again < 0 || fresh < 0 || warm < 0) return;
    t->count++;
    if (again > t->again) t->again = again;
    t->logs += log((double)(warm > 1 ? warm : 1) / (fresh > 1 ? fresh : 1));
}

bool run_warm(bench *b)
{
    tally tallies[] = {{"fc3d/auto", 0, 0, 0}, {"fc3d/nsgs", 0, 0, 0},   {"fc3d/nncg", 0, 0, 0},
                       {"fc3d/prox", 0, 0, 0}, {"fc3d/newton", 0, 0, 0}, {"fc3d/admm", 0, 0, 0}};
    int count = (int)(sizeof tallies / sizeof *tallies);
    fprintf(b->out, "\nwarm: %s; iterations, -1: not in %d s\n%-24s %-12s %8s %8s %8s %8s\n",
            b->table->about, SECONDS, "problem", "solver", "cold", "again", "changed", "warm");
    for (int f = 0; f < b->names; f++) {
        perp_problem p;
        perp_mark mark = perp_arena_mark(&b->data);
        bool good = make_problem(b->name[f], 0, 1, &b->data, &p);
        double *z = good ? perp_alloc(&b->data, (size_t)perp_size(&p), sizeof *z) : NULL;
        for (int k = 0; z && k < count; k++) measure(b, b->name[f], &p, &tallies[k], z);
        perp_arena_release(&b->data, mark);
        if (!z) return false;
    }
    fprintf(b->out, "\n%-12s %8s %12s %22s\n", "solver", "problems", "most again",
            "mean warm / cold");
    for (int k = 0; k < count; k++) {
        const tally *t = &tallies[k];
        if (t->count)
            fprintf(b->out, "%-12s %8d %12d %22.2f\n", t->solver, t->count, t->again,
                    exp(t->logs / t->count));
    }
    return true;
}
