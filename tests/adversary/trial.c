/* tests/adversary/trial.c: one problem through the kind's auto and two random solvers; what they
 * return is held against the oracles. */
#include "run.h"

#include "perp/solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { GUARD = 4 };
#define MARK 0x1.2345678p+77 /* what stands around z and w, and in them before */
#define SECONDS 10

typedef struct answer {
    perp_status status;
    perp_result result;
    double z[MOST + 2 * GUARD], w[MOST + 2 * GUARD];
    double seconds; /* of processor time */
} answer;

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_marked(double x)
{
    double mark = MARK;
    return memcmp(&x, &mark, sizeof x) == 0;
}

/* Sweeps and pivots of one solver; those that try several get more. */
static int iterations(const char *solver)
{
    return strstr(solver, "/auto") ? 2000 : 500;
}

static void ask(const sample *s, const perp_problem *p, const char *solver, perp_arena *a,
                answer *r)
{
    perp_options *o = perp_options_new(a, solver);
    o->tol = s->tol;
    o->max_iter = iterations(solver);
    o->max_seconds = 3 * SECONDS; /* of the clock on the wall, where other programs run too */
    o->warm_start = s->warm;
    for (int i = 0; i < MOST + 2 * GUARD; i++) r->z[i] = r->w[i] = MARK;
    if (s->warm) memcpy(r->z + GUARD, s->start, (size_t)s->size * sizeof *s->start);
    double begin = processor_seconds();
    alarm(4 * SECONDS);
    r->status = perp_solve(p, o, a, r->z + GUARD, r->w + GUARD, &r->result);
    alarm(0);
    r->seconds = processor_seconds() - begin;
}

static bool written_outside(const sample *s, const double *x)
{
    for (int i = 0; i < MOST + 2 * GUARD; i++) {
        if ((i < GUARD || i >= GUARD + s->size) && !is_marked(x[i])) return true;
    }
    return false;
}

static bool has_gaps(const sample *s, const answer *r)
{
    for (int i = GUARD; i < GUARD + s->size; i++) {
        if (!isfinite(r->z[i]) || isnan(r->w[i])) return true;
        if (r->status == PERP_SOLVED && !isfinite(r->w[i])) return true;
    }
    return isnan(r->result.residual.value);
}

/* What the API promises of every answer; NULL: it holds. */
static const char *broken_contract(const sample *s, const answer *r)
{
    if (written_outside(s, r->z) || written_outside(s, r->w)) return "written outside of z or w";
    if (r->status != r->result.status) return "the status differs from that of the result";
    if (s->refused && r->status >= 0) return "a problem to be refused was not";
    if (!s->refused && r->status < 0 && r->status != PERP_E_FORMAT && r->status != PERP_E_NUMBER) {
        return "a valid problem was refused";
    }
    if (r->status == PERP_SOLVED && !(r->result.residual.value <= s->tol)) {
        return "solved with a reported residual above the tolerance";
    }
    if (r->status != PERP_SOLVED && r->result.detail[0] == 0)
        return "not solved, without a sentence";
    return NULL;
}

static column outcome(perp_status status)
{
    switch (status) {
    case PERP_SOLVED: return C_SOLVED;
    case PERP_INFEASIBLE: return C_INFEASIBLE;
    case PERP_UNBOUNDED: return C_UNBOUNDED;
    case PERP_RAY: return C_RAY;
    default: return status < 0 ? C_REFUSED : C_UNSOLVED;
    }
}

/* Residual or proof, by the oracles. */
static void judge(const settings *o, tally *t, const sample *s, const perp_problem *p, int solver,
                  perp_arena *a, const answer *r)
{
    const double *z = r->z + GUARD, *w = r->w + GUARD;
    column what = outcome(r->status);
    judgement j = {0};
    if (what == C_SOLVED) {
        judge_solved(s, z, &j);
        if (j.wrong) report_fault(o, t, s, solver, C_RESIDUAL, &j, z);
    } else if (what == C_INFEASIBLE || what == C_UNBOUNDED || what == C_RAY) {
        judge_claim(s, r->status, z, w, &j);
        if (j.wrong) report_fault(o, t, s, solver, C_PROOF, &j, w);
    }
    if (j.undecided) t->count[s->kind][solver][C_UNDECIDED]++;
    if (what != C_INFEASIBLE || o->programs == 0 || t->claims++ % o->programs) return;
    j = (judgement){0};
    perp_residual proved; /* no solution within the radius that perp_check gives */
    perp_check(p, PERP_INFEASIBLE, w, NULL, a, &proved);
    if (!refute_infeasible(s, proved.radius, &j)) return;
    t->count[s->kind][solver][C_PROGRAMS]++;
    if (j.wrong) report_fault(o, t, s, solver, C_REFUTED, &j, w);
}

static void attempt(const settings *o, tally *t, const sample *s, const perp_problem *p, int solver,
                    perp_arena *a)
{
    answer r;
    long *count = t->count[s->kind][solver];
    t->solver = solver;
    ask(s, p, perp_solver_name(perp_solvers()[solver]), a, &r);
    count[C_SOLVES]++;
    count[outcome(r.status)]++;
    const char *broken = broken_contract(s, &r);
    judgement j = {.wrong = true, .part = broken ? broken : r.result.detail, .ratio = r.seconds};
    if (broken) report_fault(o, t, s, solver, C_WRITE, &j, NULL);
    if (r.seconds >= SECONDS) report_fault(o, t, s, solver, C_SLOW, &j, NULL);
    if (r.status < 0) return;
    if (has_gaps(s, &r)) {
        report_fault(o, t, s, solver, C_NUMBER, &j, r.z + GUARD);
    } else {
        judge(o, t, s, p, solver, a, &r);
        hostile(o, t, s, p, solver, a, r.z + GUARD, r.w + GUARD);
    }
}

static bool of_kind(int solver, const char *kind)
{
    const char *name = perp_solver_name(perp_solvers()[solver]);
    size_t length = strlen(kind);
    return strncmp(name, kind, length) == 0 && name[length] == '/';
}

/* Does the solver read such problems at all? Enumeration stops at 20 unknowns. */
static bool reads(int solver, const sample *s)
{
    const perp_options *o = perp_solvers()[solver];
    bool callback = s->kind == V_MCP_MAP || s->kind == V_NCP_MAP;
    unsigned needs = s->kind == V_FOLLOWS ? PERP_SOLVER_READS_FOLLOWS
                     : callback           ? PERP_SOLVER_READS_CALLBACK
                                          : 0;
    if (needs && !(o->solver->flags & needs)) return false;
    return s->size <= 20 || strcmp(perp_solver_name(o), "lcp/enumerate") != 0;
}

/* A solver of the kind, now and then one of a wider kind. */
static int draw_solver(generator *g, const sample *s)
{
    static const char *const wider[VARIANTS][3] = {
        [V_LCP] = {"lcp", "ncp", "mcp"},     [V_MCP] = {"mcp", "mcp", "mcp"},
        [V_FOLLOWS] = {"mcp", "mcp", "mcp"}, [V_NCP] = {"ncp", "mcp", "mcp"},
        [V_NNLS] = {"nnls", "qp", "mcp"},    [V_QP] = {"qp", "mcp", "mcp"},
        [V_FC3D] = {"fc3d", "fc3d", "fc3d"}, [V_BODY] = {"fc3d", "fc3d", "fc3d"},
        [V_CONE] = {"cone", "cone", "cone"}, [V_MCP_MAP] = {"mcp", "mcp", "mcp"},
        [V_NCP_MAP] = {"ncp", "mcp", "mcp"},
    };
    int k = generator_below(g, 4);
    const char *kind = wider[s->kind][k < 3 ? 0 : generator_between(g, 1, 2)];
    int count = 0, chosen = 0;
    for (int i = 0; perp_solvers()[i]; i++) {
        if (!of_kind(i, kind) || !reads(i, s)) continue;
        if (generator_below(g, ++count) == 0) chosen = i;
    }
    return chosen;
}

static int find_auto(const perp_problem *p)
{
    char name[64];
    snprintf(name, sizeof name, "%s/auto", perp_kind_name(p->kind));
    int i = 0;
    while (perp_solvers()[i] && strcmp(perp_solver_name(perp_solvers()[i]), name) != 0) i++;
    return i;
}

void trial(const settings *o, tally *t, long index)
{
    t->index = index;
    t->solver = -1;
    t->kind = sample_variant(o->seed, index);
    if (o->kind != VARIANTS && o->kind != t->kind) return;
    sample s;
    sample_draw(o->seed, index, &s);
    perp_arena a = {0};
    perp_problem p = sample_problem(&s, false, &a);
    generator g = generator_start(s.seed * 1000003 + (uint64_t)index * 7919 + 17);
    int solver[3] = {find_auto(&p), draw_solver(&g, &s), draw_solver(&g, &s)};
    for (int k = 0; k < 3; k++) {
        bool again = (k > 0 && solver[k] == solver[0]) || (k > 1 && solver[k] == solver[1]);
        const char *name = perp_solver_name(perp_solvers()[solver[k]]);
        if (again || (o->only && strcmp(o->only, name) != 0)) continue;
        attempt(o, t, &s, &p, solver[k], &a);
    }
    perp_arena_free(&a);
}
