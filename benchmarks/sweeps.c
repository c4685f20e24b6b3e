/* sweeps.c: projected Gauss-Seidel against conjugate gradients around it, after Silcowitz-Hansen,
 * Niebe and Erleben (2010), Figures 5 and 6: what 150 and 5000 sweeps make of stacks, chains and
 * other scenes on friction boxes, and what Gauss-Seidel of Bullet and the Dantzig codes of Bullet
 * and ODE make of the same matrices.
 *
 * Every z that comes back is judged in the same way: f is |z - sweep(z)|^2, the paper's |grad f|^2,
 * of one further sweep from it, beside the certified residual. Below FLOOR |z|^2 f is rounding, and
 * ratios do not look further. */
#include "bench.h"
#include "command.h"
#include "generate.h"

#include <float.h>

#define FLOOR (64 * DBL_EPSILON * DBL_EPSILON)
#define MOST_DENSE 1500 /* unknowns that the peers, which read dense matrices, are asked for */
#define SETS 2

static const int sweeps[SETS] = {150, 5000};
static const char *const own[] = {"mcp/pgs", "mcp/nncg", "mcp/nncg formula=polak_ribiere",
                                  "mcp/nncg line_search=1"};
static const char *const peers[] = {"bullet/box_pgs", "bullet/box_dantzig", "ode/box_dantzig"};
#define OWN 4
#define PEERS 3

typedef struct configuration {
    const char *family;
    int size;
    double ratio;
    bool counts; /* a stack or a chain */
} configuration;

static const configuration set[] = {
    {"stack", 4, 1, true},    {"stack", 9, 1, true},        {"stack", 9, 100, true},
    {"stack", 20, 1, true},   {"chain", 6, 1, true},        {"chain", 20, 1, true},
    {"chain", 20, 100, true}, {"hanging", 6, 1, true},      {"hanging", 20, 10, true},
    {"incline", 9, 1, false}, {"incline", 20, 1, false},    {"tower", 10, 1, false},
    {"wall", 5, 1, false},    {"wall", 13, 1, false},       {"arch", 15, 1, false},
    {"snake", 20, 1, false},  {"cannonballs", 5, 1, false}, {"boxes", 60, 1, false},
};
#define CONFIGURATIONS ((int)(sizeof set / sizeof *set))

typedef struct figures {
    double f, residual, seconds; /* f no less than rounding */
} figures;

static bool take_merit(void *ctx, const perp_progress *p)
{
    if (p->iteration == 1) *(double *)ctx = p->merit;
    return true;
}

/* f and residual of any z. */
static figures judge(bench *b, const perp_problem *p, const double *z, double seconds)
{
    figures g = {.f = INFINITY, .residual = INFINITY, .seconds = seconds};
    size_t n = (size_t)perp_size(p);
    perp_mark mark = perp_arena_mark(&b->work);
    double *copy = perp_alloc(&b->work, n, sizeof *copy), square = 0;
    perp_residual r;
    perp_result result;
    perp_mcp_pgs_options o = perp_mcp_pgs_defaults();
    if (!copy) return g;
    memcpy(copy, z, n * sizeof *copy);
    for (size_t i = 0; i < n; i++) square += z[i] * z[i];
    o.base.tol = 0;
    o.base.max_iter = 1;
    o.base.warm_start = true;
    o.base.monitor = take_merit;
    o.base.monitor_ctx = &g.f;
    perp_solve(p, &o.base, &b->work, copy, NULL, &result);
    if (perp_certify(p, z, &b->work, &r) == PERP_SOLVED) g.residual = r.value;
    perp_arena_release(&b->work, mark);
    g.f = fmax(g.f, FLOOR * square);
    return g;
}

static bool run_own(bench *b, const char *text, int limit, const perp_problem *p, double *z,
                    figures *g)
{
    char name[64], option[32] = "", value[32] = "";
    perp_result r;
    sscanf(text, "%63s %31[^=]=%31s", name, option, value);
    perp_options *o = perp_options_new(&b->data, name);
    if (!o || (option[0] && perp_options_set(o, option, value, NULL))) return false;
    o->tol = 0;
    o->max_iter = limit;
    double start = cpu_now();
    perp_solve(p, o, &b->work, z, NULL, &r);
    *g = judge(b, p, z, cpu_now() - start);
    return true;
}

static bool run_peer(bench *b, const char *name, int limit, const perp_problem *p, double *z,
                     figures *g)
{
    char text[64];
    int none;
    bool pgs = strstr(name, "_pgs");
    snprintf(text, sizeof text, pgs ? "%s_%d" : "%s", name, limit);
    const peer *q = find_peer(text);
    void *state = q && perp_size(p) <= MOST_DENSE ? q->open(q, p, 0) : NULL;
    if (!state) return false;
    q->ready(state);
    double start = cpu_now();
    q->solve(state, z, &none);
    double seconds = cpu_now() - start;
    q->close(state);
    for (int i = 0; i < perp_size(p); i++) {
        if (!isfinite(z[i])) z[i] = 0; /* it broke down */
    }
    *g = judge(b, p, z, seconds);
    return true;
}

static void print_figures(bench *b, const configuration *c, int n, const char *who, int limit,
                          figures g, figures pgs)
{
    fprintf(b->out, "%-11s %3d %5g %5d  %-30s %6d %9.1e %9.1e %10.3f", c->family, c->size, c->ratio,
            n, who, limit, g.f, g.residual, 1e3 * g.seconds);
    if (pgs.f > 0) fprintf(b->out, " %9.1e", g.f / pgs.f);
    fputc('\n', b->out);
    fflush(b->out);
}

typedef struct means {
    int count;
    double log[OWN], worst[OWN];
} means;

static bool run_configuration(bench *b, const configuration *c, means m[SETS])
{
    generate_request r = generate_defaults;
    generated_problem out;
    perp_problem dense;
    r.family = c->family;
    r.form = "mcp";
    r.size = c->size;
    r.ratio = c->ratio;
    if (generate_problem(&r, &b->data, &out, NULL)) return false;
    int n = perp_size(&out.p);
    double *z = perp_alloc(&b->data, (size_t)n, sizeof *z);
    dense = out.p;
    if (!z || (n <= MOST_DENSE && perp_convert(&out.p.as.mcp.F.M, PERP_FORMAT_DENSE, &b->data,
                                               &dense.as.mcp.F.M, NULL)))
        return false;
    for (int s = 0; s < SETS; s++) {
        figures g, pgs = {0};
        for (int k = 0; k < OWN; k++) {
            if (!run_own(b, own[k], sweeps[s], &out.p, z, &g)) return false;
            print_figures(b, c, n, own[k], sweeps[s], g, pgs);
            if (k == 0) pgs = g;
            if (c->counts) m[s].log[k] += log(g.f / pgs.f);
            m[s].worst[k] = fmax(m[s].worst[k], g.f / pgs.f);
        }
        if (c->counts) m[s].count++;
        for (int k = 0; k < PEERS; k++) {
            bool pivots = strstr(peers[k], "dantzig");
            if (pivots && s + 1 < SETS) continue; /* once */
            if (run_peer(b, peers[k], sweeps[s], &dense, z, &g))
                print_figures(b, c, n, peers[k], pivots ? 0 : sweeps[s], g, pgs);
        }
    }
    return true;
}

bool run_sweeps(bench *b)
{
    means m[SETS] = {0};
    fprintf(b->out, "\nsweeps: %s\n", b->table->about);
    fprintf(b->out, "%-11s %3s %5s %5s  %-30s %6s %9s %9s %10s %9s\n", "scene", "", "ratio", "n",
            "solver", "sweeps", "f", "residual", "ms", "f / pgs");
    for (int k = 0; k < CONFIGURATIONS; k++) {
        perp_mark mark = perp_arena_mark(&b->data);
        bool good = run_configuration(b, &set[k], m);
        perp_arena_release(&b->data, mark);
        if (!good) return false;
    }
    fprintf(b->out, "\nsweeps: f over that of mcp/pgs\n%-32s %6s %22s %14s\n", "solver", "sweeps",
            "mean, stacks, chains", "worst of all");
    for (int s = 0; s < SETS; s++) {
        for (int k = 1; k < OWN; k++)
            fprintf(b->out, "%-32s %6d %22.1e %14.3g\n", own[k], sweeps[s],
                    exp(m[s].log[k] / m[s].count), m[s].worst[k]);
    }
    return true;
}
