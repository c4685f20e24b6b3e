/* tests/random/sweep_units.c: the problems of the literature in other units: F times a number, the
 * unknowns times numbers of their own that `typical` states, prices with bounds that are far from
 * any equilibrium.
 *
 *     sweep_units [--verbose] [--differences] [--only NAME] [--most N] [--tol T] SOLVER[:COUNT] ...
 *
 * prints how many starts of problems of at most N unknowns are solved in each. It fails where they
 * are fewer than COUNT, and where what is called solved is none: z as the literature has it has a
 * natural map, and is further from where Newton steps lead, than six digits allow. */
#include "literature.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS 1e-6

typedef struct units {
    const char *name;
    double F, even, odd; /* factors of F, and of unknowns by turns */
    double bound;        /* lower bounds of 0 become this; 0: they stay */
    bool at_bound;       /* start there */
} units;

static const units all[] = {
    {"as it was", 1, 1, 1, 0, false},          {"F times 1e6", 1e6, 1, 1, 0, false},
    {"F times 1e-6", 1e-6, 1, 1, 0, false},    {"z times 1e6", 1, 1e6, 1e6, 0, false},
    {"z times 1e-6", 1, 1e-6, 1e-6, 0, false}, {"z by turns", 1, 1e-3, 1e3, 0, false},
    {"lo = 1e-5", 1, 1, 1, 1e-5, false},       {"lo = 1e-8", 1, 1, 1, 1e-8, false},
    {"lo = 1e-10", 1, 1, 1, 1e-10, false},     {"lo = 1e-12", 1, 1, 1, 1e-12, false},
    {"from lo = 1e-5", 1, 1, 1, 1e-5, true},   {"from lo = 1e-8", 1, 1, 1, 1e-8, true},
    {"from lo = 1e-10", 1, 1, 1, 1e-10, true}, {"from lo = 1e-12", 1, 1, 1, 1e-12, true},
};
#define ALL (sizeof all / sizeof *all)

typedef struct sweep {
    bool verbose, differences;
    const char *only;
    char solver[64];
    int most, least;
    double tol;
} sweep;

typedef struct scaled {
    const perp_map *map;
    double F, *z, *x;
} scaled;

static bool eval(void *ctx, const double *z, double *F)
{
    const scaled *s = ctx;
    for (int i = 0; i < s->map->n; i++) s->x[i] = z[i] / s->z[i];
    bool defined = s->map->eval(s->map->ctx, s->x, F);
    for (int i = 0; i < s->map->n; i++) F[i] *= s->F;
    return defined;
}

static bool jacobian(void *ctx, const double *z, double *values)
{
    const scaled *s = ctx;
    int n = s->map->n;
    const perp_matrix *J = &s->map->pattern;
    for (int i = 0; i < n; i++) s->x[i] = z[i] / s->z[i];
    bool defined = s->map->jacobian(s->map->ctx, s->x, values);
    for (int j = 0; j < n; j++) {
        bool sparse = J->format == PERP_FORMAT_CSC;
        int from = sparse ? J->as.csc.p[j] : j * n, to = sparse ? J->as.csc.p[j + 1] : from + n;
        for (int k = from; k < to; k++) values[k] *= s->F / s->z[j];
    }
    return defined;
}

static const perp_map *map_of(const perp_problem *p)
{
    return p->kind == PERP_KIND_NCP ? &p->as.ncp.F : &p->as.mcp.F;
}

/* p in other units, an mcp. */
static perp_problem rescale(const sweep *w, const literature *l, const units *u, perp_arena *a,
                            scaled *s)
{
    size_t n = (size_t)l->n;
    double *lo = perp_alloc(a, n, sizeof *lo), *hi = perp_alloc(a, n, sizeof *hi);
    *s = (scaled){.map = map_of(&l->p), .F = u->F};
    s->z = perp_alloc(a, n, sizeof *s->z);
    s->x = perp_alloc(a, n, sizeof *s->x);
    if (a->failed) exit(2);
    bool mcp = l->p.kind == PERP_KIND_MCP;
    for (size_t i = 0; i < n; i++) {
        s->z[i] = i % 2 ? u->odd : u->even;
        lo[i] = !mcp ? 0 : l->p.as.mcp.lo ? l->p.as.mcp.lo[i] : -INFINITY;
        hi[i] = mcp && l->p.as.mcp.hi ? l->p.as.mcp.hi[i] : INFINITY;
        if (lo[i] == 0 && u->bound > 0 && hi[i] > u->bound) lo[i] = u->bound;
        lo[i] *= s->z[i];
        hi[i] *= s->z[i];
    }
    perp_map F = {.n = l->n, .eval = eval, .pattern = s->map->pattern, .ctx = s, .typical = s->z};
    if (!w->differences && s->map->jacobian) F.jacobian = jacobian;
    return (perp_problem){.kind = PERP_KIND_MCP, .as.mcp = {.F = F, .lo = lo, .hi = hi}};
}

static double project(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* Is z, a solution to six digits? Newton steps with the tightest tolerance that can be had tell. */
static bool is_far(const perp_problem *p, const double *z, double *y, perp_arena *a)
{
    perp_result r;
    perp_options *o = perp_options_new(a, "mcp/newton_fb");
    int n = perp_size(p);
    o->warm_start = true;
    o->tol = 1e-14;
    o->max_iter = 60;
    perp_options_set(o, "starts", "0", NULL);
    memcpy(y, z, (size_t)n * sizeof *z);
    perp_solve(p, o, a, y, NULL, &r);
    bool far = !(r.residual.value <= 1e-11 || r.residual.value <= 1e3 * r.residual.floor);
    for (int i = 0; i < n; i++) {
        double size = fmax(fabs(y[i]), p->as.mcp.F.typical[i]);
        far |= !(fabs(y[i] - z[i]) <= DIGITS * size);
    }
    return far;
}

/* The natural map in the units of the literature. Where solutions are not isolated Newton steps go
 * far along them, and this alone tells. */
static double find_natural(const perp_problem *p, const double *z, double *F)
{
    const scaled *s = p->as.mcp.F.ctx;
    double sum = 0;
    eval(p->as.mcp.F.ctx, z, F);
    for (int i = 0; i < p->as.mcp.F.n; i++) {
        double x = z[i] / s->z[i], lo = p->as.mcp.lo[i] / s->z[i], hi = p->as.mcp.hi[i] / s->z[i];
        double map = x - project(x - F[i] / s->F, lo, hi);
        sum += map * map;
    }
    return sqrt(sum);
}

/* 1: solved, 0: not, -1: called solved, and is not. */
static int run(const sweep *w, const literature *l, int start, const units *u, perp_arena *a)
{
    scaled s;
    perp_result r;
    perp_problem p = rescale(w, l, u, a, &s);
    perp_options *o = perp_options_new(a, w->solver);
    double *z = perp_alloc(a, (size_t)l->n, sizeof *z), *y = perp_alloc(a, (size_t)l->n, sizeof *y);
    if (a->failed) exit(2);
    o->tol = w->tol;
    o->warm_start = true;
    for (int i = 0; i < l->n; i++) {
        double x = l->start[(size_t)start * (size_t)l->n + (size_t)i] * s.z[i];
        z[i] = project(u->at_bound ? -INFINITY : x, fmax(p.as.mcp.lo[i], -1e9), p.as.mcp.hi[i]);
    }
    bool solved = perp_solve(&p, o, a, z, NULL, &r) == PERP_SOLVED;
    bool wrong = solved && find_natural(&p, z, y) > DIGITS && is_far(&p, z, y, a);
    if (w->verbose || wrong) {
        printf("    %-15s %-16s start %d: %-11s %.1e %5d it %s %s%s\n", u->name, l->name, start,
               perp_status_name(r.status), r.residual.value, r.iterations, r.solver, r.detail,
               wrong ? " WRONG" : "");
    }
    return wrong ? -1 : solved;
}

static bool run_units(const sweep *w, const units *u)
{
    int starts = 0, solved = 0, wrong = 0;
    for (int k = 0;; k++) {
        perp_arena data = {0}, work = {0};
        literature l;
        bool there = literature_make(k, 0, &data, &l);
        bool wanted = there && !l.none && map_of(&l.p)->eval && l.n <= w->most &&
                      (!w->only || strstr(l.name, w->only));
        for (int s = 0; wanted && s < l.starts; s++) {
            int end = run(w, &l, s, u, &work);
            starts++;
            solved += end == 1;
            wrong += end < 0;
        }
        perp_arena_free(&work);
        perp_arena_free(&data);
        if (!there) break;
    }
    printf("%-15s %s %d of %d solved, %d wrong\n", u->name, w->solver, solved, starts, wrong);
    return wrong == 0 && solved >= w->least;
}

int main(int argc, char **argv)
{
    sweep w = {.tol = 1e-8, .most = 100000};
    bool good = true;
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--verbose") == 0)
            w.verbose = true;
        else if (strcmp(argv[k], "--differences") == 0)
            w.differences = true;
        else if (strcmp(argv[k], "--only") == 0 && k + 1 < argc)
            w.only = argv[++k];
        else if (strcmp(argv[k], "--most") == 0 && k + 1 < argc)
            w.most = atoi(argv[++k]);
        else if (strcmp(argv[k], "--tol") == 0 && k + 1 < argc)
            w.tol = atof(argv[++k]);
        else {
            const char *colon = strchr(argv[k], ':');
            int letters = (int)(colon ? colon - argv[k] : (long)strlen(argv[k]));
            snprintf(w.solver, sizeof w.solver, "%.*s", letters, argv[k]);
            w.least = colon ? atoi(colon + 1) : 0;
            for (size_t u = 0; u < ALL; u++) good = run_units(&w, &all[u]) && good;
        }
    }
    return good ? 0 : 1;
}
