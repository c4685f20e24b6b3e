/* tests/support/chain_support.h: solvers that end as they are told to and keep a journal, and an
 * auto that follows any plan of them. */
#ifndef PERP_CHAIN_SUPPORT_H
#define PERP_CHAIN_SUPPORT_H

#include "core/chain.h"
#include "core/defaults.h"
#include "support.h"

#include <string.h>

typedef struct fake_options {
    perp_options base;
    int steps;    /* iterations, each of which shows z */
    double share; /* of the way to the solution (1, 2) that a step goes */
    perp_status end;
    double room[64]; /* more than any solver's own options */
} fake_options;

static struct journal {
    char names[200];
    int calls;
    double start[20], tol[20]; /* z[0] as a solver saw it */
    int limit[20];
    bool warm[20];
} journal;

static perp_status fake(perp_run *run, double *z)
{
    const fake_options *o = (const fake_options *)run->options;
    int k = journal.calls++;
    if (k >= 20) { /* starved solves are many */
        k = 19;
        journal.names[0] = 0;
    }
    strcat(strcat(journal.names, o->base.solver->name + strlen("fake/")), " ");
    journal.start[k] = z[0];
    journal.warm[k] = o->base.warm_start;
    journal.limit[k] = o->base.max_iter;
    journal.tol[k] = o->base.tol;
    ck_assert(o->room[63] == 63);
    if (o->end < 0) return perp_fail(run, o->end, "row %d is bad", k);
    for (int i = 0; i < o->steps; i++) {
        z[0] += o->share * (1 - z[0]);
        z[1] += o->share * (2 - z[1]);
        if (!perp_continue(run, z, 1)) return run->status;
    }
    return perp_fail(run, o->end, "it is at its end");
}

#define FAKE(id, more)                                                                             \
    static const perp_solver solver_##id = {.name = "fake/" #id,                                   \
                                            .kind = PERP_KIND_LCP,                                 \
                                            .formats = {PERP_FORMAT_DENSE},                        \
                                            .flags = more,                                         \
                                            .options_size = sizeof(fake_options),                  \
                                            .solve = fake}
FAKE(a, 0);
FAKE(b, 0);
FAKE(c, 0);
FAKE(big, PERP_SOLVER_ALLOCATES);

#define BASE(id)                                                                                   \
    .base = {.solver = &solver_##id, .tol = 1e-3, .max_iter = 70, .threads = 1}, .room[63] = 63
static const fake_options stalls = {BASE(a), .steps = 2, .share = 0.5, .end = PERP_STALLED};
static const fake_options again = {BASE(b), .steps = 1, .share = 0.5, .end = PERP_STALLED};
static const fake_options refuses = {BASE(b), .end = PERP_E_NUMBER};
static const fake_options starves = {BASE(b), .end = PERP_E_MEMORY};
static const fake_options wrong = {BASE(b), .end = PERP_E_ARGUMENT};
static const fake_options solves = {BASE(c), .steps = 1, .share = 1, .end = PERP_SOLVED};
static const fake_options endless = {BASE(c), .steps = 1000, .end = PERP_STALLED};
static const fake_options behind = {BASE(big), .steps = 1, .share = 1, .end = PERP_SOLVED};

/* ---- an auto of any plan ---- */

typedef struct auto_options {
    perp_options base;
    const perp_chain_plan *plan;
    const perp_problem *other;
} auto_options;

static perp_status follow(perp_run *run, double *z)
{
    const auto_options *o = (const auto_options *)run->options;
    perp_chain c = {.run = run, .z = z, .problem = o->other, .ctx = o};
    return perp_chain_run(&c, o->plan);
}

static const perp_solver automatic = {.name = "test/auto",
                                      .kind = PERP_KIND_LCP,
                                      .formats = {PERP_FORMAT_DENSE},
                                      .options_size = sizeof(auto_options),
                                      .solve = follow};

static const double identity[] = {1, 0, 0, 1}, q[] = {-1, -2};

typedef struct outcome {
    perp_status status;
    perp_result r;
    double z[2], w[2];
} outcome;

static outcome run_problem(const perp_problem *p, auto_options o, const perp_chain_step *steps)
{
    outcome x = {.z = {0.25, 0.5}};
    perp_chain_plan plan = {.steps = steps};
    perp_arena a = {0};
    if (!o.plan) o.plan = &plan;
    o.base.solver = &automatic;
    o.base.threads = 1;
    if (o.base.tol == 0) o.base.tol = 1e-8;
    if (o.base.max_iter == 0) o.base.max_iter = 100000;
    journal = (struct journal){.calls = 0};
    x.status = perp_solve(p, &o.base, &a, x.z, x.w, &x.r);
    ck_assert_uint_eq(a.used, 0);
    perp_arena_free(&a);
    return x;
}

static outcome run(auto_options o, const perp_chain_step *steps)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, identity), q);
    return run_problem(&p, o, steps);
}

static void expect(const outcome *x, perp_status status, const char *names, const char *detail)
{
    ck_assert_msg(x->status == status, "%s: %s", perp_status_name(x->status), x->r.detail);
    ck_assert_str_eq(journal.names, names);
    ck_assert_str_eq(x->r.detail, detail);
}

#endif
