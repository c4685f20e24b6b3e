/* warm.c: what a start near the solution is worth, on the stored friction problems: iterations
 * from zero, again from the solution, and after a change of the data by 0.1 %, from the old
 * solution against from zero.
 *
 * Three changes of f or, in local form, of q. `forces` is one that forces can make, q + W s: W is
 * rank-deficient nearly always, and any other q may have no solution, or one far away. `scale`
 * multiplies q by 1.001, `entries` each entry by a random number within 0.1 % of 1. */
#include "bench.h"
#include "command.h"
#include "generate.h"

#define TOL 1e-8
#define CHANGE 1e-3
#define SECONDS 5 /* of a solve */

typedef enum kind_of_change { FORCES, SCALE, ENTRIES, CHANGES } kind_of_change;
static const char *const change_names[CHANGES] = {"forces", "scale", "entries"};

typedef struct tally {
    const char *solver;
    int again;                            /* most iterations from the solution */
    int count[CHANGES];                   /* problems solved in all ways */
    double logs[CHANGES], times[CHANGES]; /* sums of logarithms, warm over cold */
} tally;

/* Iterations, 0 counted as 1 for ratios; -1: not solved. */
static int solve(bench *b, const perp_problem *p, const char *solver, bool warm, double *z,
                 double *seconds)
{
    perp_result r;
    perp_mark mark = perp_arena_mark(&b->data);
    perp_options *o = perp_options_new(&b->data, solver);
    o->tol = TOL;
    o->max_seconds = SECONDS;
    o->warm_start = warm;
    double start = cpu_now();
    perp_status status = perp_solve(p, o, &b->work, z, NULL, &r);
    *seconds = cpu_now() - start;
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
    for (int i = 0; i < n; i++) {
        moved += x[i] * x[i];
        whole += f->q[i] * f->q[i];
    }
    double scale = moved > 0 ? CHANGE * sqrt(whole / moved) : 0;
    for (int i = 0; i < n; i++) x[i] = f->q[i] + scale * x[i];
}

static bool change(perp_problem *p, perp_arena *a, kind_of_change kind)
{
    perp_fc3d *f = &p->as.fc3d;
    bool local = f->form == PERP_FORM_LOCAL;
    int n = local ? 3 * f->contacts : f->M.n;
    const double **data = local ? &f->q : &f->f;
    generator g = generator_start(1);
    double *x = perp_alloc(a, (size_t)n, sizeof *x), *s = perp_alloc(a, (size_t)n, sizeof *s);
    if (!x || !s) return false;
    if (local && kind == FORCES) change_local(f, &g, s, x);
    for (int i = 0; i < n && !(local && kind == FORCES); i++)
        x[i] = (*data)[i] * (1 + CHANGE * (kind == SCALE ? 1 : generator_uniform(&g)));
    *data = x;
    return true;
}

/* After one change, from zero and from `kept`. */
static void measure_change(bench *b, const perp_problem *p, tally *t, kind_of_change kind,
                           const double *kept, double *z)
{
    perp_problem other = *p;
    double cold_time, warm_time;
    if (!change(&other, &b->data, kind)) return;
    int cold = solve(b, &other, t->solver, false, z, &cold_time);
    memcpy(z, kept, (size_t)perp_size(p) * sizeof *z);
    int warm = solve(b, &other, t->solver, true, z, &warm_time);
    fprintf(b->out, " %8d %6d", cold, warm);
    if (cold < 0 || warm < 0) return;
    t->count[kind]++;
    t->logs[kind] += log((double)(warm > 1 ? warm : 1) / (cold > 1 ? cold : 1));
    t->times[kind] += log(fmax(warm_time, 1e-7) / fmax(cold_time, 1e-7));
}

static void measure(bench *b, const char *name, const perp_problem *p, tally *t, double *z)
{
    size_t size = (size_t)perp_size(p);
    double *kept = perp_alloc(&b->data, size, sizeof *kept), seconds;
    if (!kept) return;
    int cold = solve(b, p, t->solver, false, kept, &seconds);
    if (cold < 0) return;
    memcpy(z, kept, size * sizeof *z);
    int again = solve(b, p, t->solver, true, z, &seconds);
    if (again > t->again) t->again = again;
    fprintf(b->out, "%-24s %-12s %8d %6d", short_name(name), t->solver, cold, again);
    for (int kind = 0; kind < CHANGES; kind++) {
        measure_change(b, p, t, (kind_of_change)kind, kept, z);
    }
    fprintf(b->out, "\n");
    fflush(b->out);
}

static void report(bench *b, const tally *t)
{
    fprintf(b->out, "%-12s %10d", t->solver, t->again);
    for (int k = 0; k < CHANGES; k++) {
        fprintf(b->out, " %8d %6.2f %6.2f", t->count[k], exp(t->logs[k] / t->count[k]),
                exp(t->times[k] / t->count[k]));
    }
    fprintf(b->out, "\n");
}

bool run_warm(bench *b)
{
    tally tallies[] = {{.solver = "fc3d/auto"}, {.solver = "fc3d/nsgs"},   {.solver = "fc3d/nncg"},
                       {.solver = "fc3d/prox"}, {.solver = "fc3d/newton"}, {.solver = "fc3d/admm"}};
    int count = (int)(sizeof tallies / sizeof *tallies);
    fprintf(b->out, "\nwarm: %s; iterations, -1: not in %d s\n%-24s %-12s %8s %6s", b->table->about,
            SECONDS, "problem", "solver", "cold", "again");
    for (int k = 0; k < CHANGES; k++) fprintf(b->out, " %8s %6s", change_names[k], "warm");
    fprintf(b->out, "\n");
    for (int f = 0; f < b->names; f++) {
        perp_problem p;
        perp_mark mark = perp_arena_mark(&b->data);
        bool good = make_problem(b->name[f], 0, 1, &b->data, &p);
        double *z = good ? perp_alloc(&b->data, (size_t)perp_size(&p), sizeof *z) : NULL;
        for (int k = 0; z && k < count; k++) measure(b, b->name[f], &p, &tallies[k], z);
        perp_arena_release(&b->data, mark);
        if (!z) return false;
    }
    fprintf(b->out, "\nproblems, geometric means of warm / cold: iterations, processor time\n");
    fprintf(b->out, "%-12s %10s", "solver", "most again");
    for (int k = 0; k < CHANGES; k++)
        fprintf(b->out, " %8s %6s %6s", change_names[k], "steps", "time");
    fprintf(b->out, "\n");
    for (int k = 0; k < count; k++) report(b, &tallies[k]);
    return true;
}
