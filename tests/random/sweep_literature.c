/* tests/random/sweep_literature.c: solvers on every start of every problem of the literature: who
 * solves how many to 1e-10, and whether what is found is the published solution where there is no
 * other.
 *
 *     sweep_literature [--verbose] [--only NAME] [--size N] [--tol T] SOLVER[:PERCENT] ...
 *
 * prints that, and what it takes in evaluations of F and of its Jacobian. It fails where a solver
 * solves less than that part, finds another "solution", or solves what has none. */
#include "literature.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sweep {
    bool verbose;
    const char *only; /* part of a name */
    int size;
    double tol;
} sweep;

typedef struct tally {
    int pairs, solved, wrong;
    long evaluations, jacobians;
    double seconds;
} tally;

/* A map that counts who asks for it. */
typedef struct counted {
    const perp_map *map;
    tally *t;
} counted;

static bool eval(void *ctx, const double *z, double *F)
{
    const counted *c = ctx;
    c->t->evaluations++;
    return c->map->eval(c->map->ctx, z, F);
}

static bool jacobian(void *ctx, const double *z, double *values)
{
    const counted *c = ctx;
    c->t->jacobians++;
    return c->map->jacobian(c->map->ctx, z, values);
}

static perp_problem count(const literature *l, tally *t, counted *c)
{
    perp_problem p = l->p;
    perp_map *F = p.kind == PERP_KIND_NCP ? &p.as.ncp.F : &p.as.mcp.F;
    *c = (counted){.map = l->p.kind == PERP_KIND_NCP ? &l->p.as.ncp.F : &l->p.as.mcp.F, .t = t};
    if (!F->eval) return p;
    F->eval = eval;
    if (F->jacobian) F->jacobian = jacobian;
    F->ctx = c;
    return p;
}

static bool is_another(const literature *l, const double *z)
{
    for (int i = 0; l->unique && l->solution && i < l->n; i++) {
        double far = fabs(z[i] - l->solution[i]);
        if (!(far <= fmax(l->accuracy, 1e-6) * (1 + fabs(l->solution[i])))) return true;
    }
    return false;
}

static void run(const sweep *w, const literature *l, int start, const char *solver, perp_arena *a,
                tally *t)
{
    perp_mark mark = perp_arena_mark(a);
    perp_options *o = perp_options_new(a, solver);
    double *z = perp_alloc(a, (size_t)l->n, sizeof *z);
    if (a->failed) exit(2);
    perp_result r;
    counted c;
    perp_problem p = count(l, t, &c);
    o->tol = w->tol;
    o->warm_start = true;
    memcpy(z, l->start + (size_t)start * (size_t)l->n, (size_t)l->n * sizeof *z);
    bool solved = perp_solve(&p, o, a, z, NULL, &r) == PERP_SOLVED;
    bool wrong = solved && (l->none || is_another(l, z));
    t->pairs += !l->none;
    t->solved += !l->none && solved;
    t->wrong += wrong;
    t->seconds += r.seconds;
    if (w->verbose || wrong) {
        printf("    %-16s n %5d start %d: %-11s %.1e %5d it %8.4f s %s %s%s\n", l->name, l->n,
               start, perp_status_name(r.status), r.residual.value, r.iterations, r.seconds,
               r.solver, r.detail, wrong ? " WRONG" : "");
    }
    perp_arena_release(a, mark);
}

static tally run_all(const sweep *w, const char *solver)
{
    tally t = {0};
    for (int k = 0;; k++) {
        perp_arena data = {0}, work = {0};
        literature l;
        tally before = t;
        bool there = literature_make(k, literature_is_sized(k) ? w->size : 0, &data, &l);
        bool wanted = there && (!w->only || strstr(l.name, w->only));
        for (int s = 0; wanted && s < l.starts; s++) run(w, &l, s, solver, &work, &t);
        int solved = t.solved - before.solved, pairs = t.pairs - before.pairs;
        if (solved < pairs) printf("  %-16s %d of %d\n", l.name, solved, pairs);
        perp_arena_free(&work);
        perp_arena_free(&data);
        if (!there) return t;
    }
}

/* "mcp/path:85" */
static bool judge(const sweep *w, const char *text)
{
    char solver[64];
    const char *colon = strchr(text, ':');
    snprintf(solver, sizeof solver, "%.*s", (int)(colon ? colon - text : (long)strlen(text)), text);
    perp_error e;
    if (perp_options_check(perp_find(solver), &e)) {
        printf("%s: %s\n", solver, e.text);
        return false;
    }
    tally t = run_all(w, solver);
    printf("%-16s %d of %d solved, %d wrong, %ld evaluations of F, %ld of J, %.2f s\n", solver,
           t.solved, t.pairs, t.wrong, t.evaluations, t.jacobians, t.seconds);
    return t.wrong == 0 && (!colon || 100.0 * t.solved >= atof(colon + 1) * t.pairs);
}

int main(int argc, char **argv)
{
    sweep w = {.tol = 1e-10};
    bool good = true;
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--verbose") == 0)
            w.verbose = true;
        else if (strcmp(argv[k], "--only") == 0 && k + 1 < argc)
            w.only = argv[++k];
        else if (strcmp(argv[k], "--size") == 0 && k + 1 < argc)
            w.size = atoi(argv[++k]);
        else if (strcmp(argv[k], "--tol") == 0 && k + 1 < argc)
            w.tol = atof(argv[++k]);
        else
            good = judge(&w, argv[k]) && good;
    }
    return good ? 0 : 1;
}
