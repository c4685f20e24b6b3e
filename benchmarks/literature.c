/* literature.c: who solves how many of the starts of the literature's problems, perp's solvers on
 * all of them and Siconos' beside them on those it can say. */
#include "literature.h"
#include "bench.h"
#include "command.h"

#define TOL 1e-10
#define LOOSE 1e-8 /* for who measures on another scale */
#define MOST_SOLVERS 8
#define SECONDS 20 /* of a solve */

static const char *const solvers[] = {"mcp/auto", "mcp/path", "mcp/newton_fb", "mcp/josephy"};
#define SOLVERS ((int)(sizeof solvers / sizeof *solvers))

typedef struct count {
    int pairs, solved, common, of_common; /* common: pairs that Siconos' form has room for */
    double seconds;
} count;

static const double *start_of(const literature *l, int k)
{
    return l->start + (size_t)k * (size_t)l->n;
}

static bool solve_own(bench *b, const literature *l, int k, const char *solver, double *z,
                      double *seconds, int *iterations)
{
    perp_result r;
    perp_mark mark = perp_arena_mark(&b->data);
    perp_options *o = perp_options_new(&b->data, solver);
    o->tol = TOL;
    o->warm_start = true;
    o->max_seconds = SECONDS;
    memcpy(z, start_of(l, k), (size_t)l->n * sizeof *z);
    double start = cpu_now();
    bool solved = perp_solve(&l->p, o, &b->work, z, NULL, &r) == PERP_SOLVED;
    *seconds = cpu_now() - start;
    *iterations = r.iterations;
    perp_arena_release(&b->data, mark);
    return solved;
}

/* Judged by our certificate, whatever the library says. */
static bool solve_peer(bench *b, const literature *l, int k, const peer *who, double *z,
                       bool *takes, double *seconds)
{
    perp_residual r;
    int iterations;
    void *state = who->open(who, &l->p, TOL);
    *takes = state != NULL;
    *seconds = 0;
    if (!state) return false;
    memcpy(z, start_of(l, k), (size_t)l->n * sizeof *z);
    double start = cpu_now();
    who->solve(state, z, &iterations);
    *seconds = cpu_now() - start;
    who->close(state);
    return perp_certify(&l->p, z, &b->work, &r) == PERP_SOLVED && r.value <= LOOSE;
}

static int find_peers(const peer *list[MOST_SOLVERS])
{
    int found = 0;
#ifdef BENCH_SICONOS
    for (const peer *p = siconos_mcp_peers; p->name; p++) list[found++] = p;
#else
    (void)list;
#endif
    return found;
}

/* One problem with all its starts; a row. */
static void run_problem(bench *b, const literature *l, const peer *const *peers, int others,
                        count *counts)
{
    double *z = perp_alloc(&b->data, (size_t)l->n, sizeof *z), seconds;
    if (!z) return;
    fprintf(b->out, "%-16s %5d %3d ", l->name, l->n, l->starts);
    bool common = false;
    for (int p = 0; p < others; p++) {
        int solved = 0;
        bool takes = false;
        for (int k = 0; k < l->starts; k++) {
            solved += solve_peer(b, l, k, peers[p], z, &takes, &seconds);
            counts[SOLVERS + p].seconds += seconds;
            if (!takes) break;
        }
        common |= takes;
        counts[SOLVERS + p].pairs += takes ? l->starts : 0;
        counts[SOLVERS + p].solved += solved;
    }
    for (int s = 0; s < SOLVERS; s++) {
        int solved = 0, iterations;
        for (int k = 0; k < l->starts; k++) {
            solved += solve_own(b, l, k, solvers[s], z, &seconds, &iterations);
            counts[s].seconds += seconds;
        }
        counts[s].pairs += l->starts;
        counts[s].solved += solved;
        if (common) {
            counts[s].of_common += l->starts;
            counts[s].common += solved;
        }
        fprintf(b->out, " %13d", solved);
    }
    fprintf(b->out, "   %-8s%s\n", common ? "common" : "",
            strstr(l->about, "own numbers") ? "own numbers" : "");
    fflush(b->out);
}

bool run_literature(bench *b)
{
    const peer *peers[MOST_SOLVERS];
    int others = find_peers(peers);
    count counts[SOLVERS + MOST_SOLVERS] = {0};
    fprintf(b->out,
            "solved to %g (Siconos: %g), of the starts of each problem; common: Siconos' form has "
            "room for it;\nown numbers: the structure is the publication's, the data are not\n"
            "%-16s %5s %3s ",
            TOL, LOOSE, "problem", "n", "of");
    for (int s = 0; s < SOLVERS; s++) fprintf(b->out, " %13s", solvers[s]);
    fprintf(b->out, "\n");
    for (int k = 0;; k++) {
        literature l;
        perp_mark mark = perp_arena_mark(&b->data);
        if (!literature_make(k, 0, &b->data, &l)) break;
        if (!l.none) run_problem(b, &l, peers, others, counts);
        perp_arena_release(&b->data, mark);
    }
    fprintf(b->out, "\n%-24s %10s %6s %16s %6s %9s\n", "solver", "solved", "of", "of the common",
            "of", "seconds");
    for (int s = 0; s < SOLVERS + others; s++) {
        const count *c = &counts[s];
        bool own = s < SOLVERS;
        fprintf(b->out, "%-24s %10d %6d %16d %6d %9.3f\n",
                own ? solvers[s] : peers[s - SOLVERS]->name, c->solved, c->pairs,
                own ? c->common : c->solved, own ? c->of_common : c->pairs, c->seconds);
    }
    return true;
}
