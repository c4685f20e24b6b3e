/* budget.c: what a time limit gives, on the stored problems KaplasTower and Capsules: the residual
 * that is returned, and by how much the limit is overrun, beside the longest step between two looks
 * at the clock and the price of a certificate.
 *
 * Wall time, as limits are; the best of some tries, as a busy machine takes its time. */
#include "bench.h"
#include "command.h"

#define LIMITS 3
#define TRIES 7

static const double limits[LIMITS] = {1e-3, 5e-3, 20e-3};

typedef struct watch {
    double last, longest;
} watch;

static bool look(void *ctx, const perp_progress *progress)
{
    watch *w = ctx;
    double step = progress->seconds - w->last;
    if (step > w->longest) w->longest = step;
    w->last = progress->seconds;
    return true;
}

static double time_certificate(bench *b, const perp_problem *p, const double *z)
{
    perp_residual r;
    double least = INFINITY;
    for (int k = 0; k < TRIES; k++) {
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        perp_certify(p, z, &b->work, &r);
        clock_gettime(CLOCK_MONOTONIC, &to);
        double took =
            (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
        least = fmin(least, took);
    }
    return least;
}

typedef struct row {
    double residual, seconds, step; /* the least of the tries; step: of the quickest */
} row;

static row try_limit(bench *b, const perp_problem *p, perp_options *o, double limit, double *z)
{
    row best = {INFINITY, INFINITY, 0};
    for (int k = 0; k < TRIES; k++) {
        perp_result r;
        watch w = {0};
        o->max_seconds = limit;
        o->monitor = look;
        o->monitor_ctx = &w;
        perp_solve(p, o, &b->work, z, NULL, &r);
        best.residual = fmin(best.residual, r.residual.value);
        if (r.seconds >= best.seconds) continue;
        best.seconds = r.seconds;
        best.step = w.longest;
    }
    return best;
}

static void measure(bench *b, const char *name, const perp_problem *p, const char *solver,
                    double *z)
{
    perp_options *o = perp_options_new(&b->data, solver);
    if (!o) return;
    o->tol = 1e-12;
    o->max_iter = 1000000000;
    double before = INFINITY, certificate = 0;
    bool grows = false, late = false;
    fprintf(b->out, "%-20s %-12s", short_name(name), solver);
    for (int k = 0; k < LIMITS; k++) {
        row r = try_limit(b, p, o, limits[k], z);
        if (k == 0) certificate = time_certificate(b, p, z);
        double over = fmax(r.seconds - limits[k], 0);
        grows |= r.residual > before;
        late |= over > r.step + 2 * certificate;
        before = r.residual;
        fprintf(b->out, " %8.1e %6.2f %6.2f", r.residual, 1e3 * over, 1e3 * r.step);
    }
    fprintf(b->out, " %6.3f  %s%s\n", 1e3 * certificate, grows ? "GROWS " : "", late ? "LATE" : "");
    fflush(b->out);
}

bool run_budget(bench *b)
{
    static const char *const solvers[] = {"fc3d/auto", "fc3d/nsgs",   "fc3d/nncg", "fc3d/cpg",
                                          "fc3d/prox", "fc3d/newton", "fc3d/admm", "fc3d/ipm"};
    fprintf(b->out, "\nbudget: %s; ms\n%-20s %-12s", b->table->about, "problem", "solver");
    for (int k = 0; k < LIMITS; k++)
        fprintf(b->out, " %5.0f ms %6s %6s", 1e3 * limits[k], "over", "step");
    fprintf(b->out, " %6s\n", "certif");
    for (int f = 0; f < b->names; f++) {
        perp_problem p;
        const char *name = short_name(b->name[f]);
        if (strncmp(name, "KaplasTower", 11) != 0 && strncmp(name, "Capsules", 8) != 0) continue;
        perp_mark mark = perp_arena_mark(&b->data);
        bool good = make_problem(b->name[f], 0, 1, &b->data, &p);
        double *z = good ? perp_alloc(&b->data, (size_t)perp_size(&p), sizeof *z) : NULL;
        for (size_t k = 0; z && k < sizeof solvers / sizeof *solvers; k++)
            measure(b, b->name[f], &p, solvers[k], z);
        perp_arena_release(&b->data, mark);
        if (!z) return false;
    }
    return true;
}
