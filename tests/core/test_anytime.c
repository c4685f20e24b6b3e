/* tests/core/test_anytime.c: under any limit an auto returns at least what simple sweeps return
 * under it: families, formats and warm starts over iteration limits, monitors that cancel and that
 * only watch, the halves of a time limit, and which end is told. */
#include "core/anytime.h"
#include "perp/perp.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int limits[] = {1, 2, 3, 5, 10, 50, 200};
#define LIMITS (sizeof limits / sizeof *limits)
#define SEEDS 3
#define FIRST 3 /* sweeps that begin a run which may be cut */

typedef struct outcome {
    perp_status status;
    perp_result r;
    double *z; /* the caller's to free */
} outcome;

static outcome run(const perp_problem *p, const perp_options *o, const double *start)
{
    perp_arena a = {0};
    size_t n = (size_t)perp_size(p);
    outcome x = {.z = calloc(n + 1, sizeof *x.z)};
    if (start && n) memcpy(x.z, start, n * sizeof *start);
    x.status = perp_solve(p, o, &a, x.z, NULL, &x.r);
    ck_assert_uint_eq(a.used, 0);
    perp_arena_free(&a);
    return x;
}

static perp_options *named(perp_arena *a, const char *solver, int max_iter)
{
    perp_options *o = perp_options_new(a, solver);
    o->max_iter = max_iter;
    return o;
}

/* ---- iteration limits ---- */

typedef struct pair {
    const char *automatic, *sweeps;
    double slack; /* of the sweeps' residual: ncp/auto makes the same sweeps by lcp/psor */
} pair;

static const pair lcp_pair = {"lcp/auto", "lcp/psor", 0}, mcp_pair = {"mcp/auto", "mcp/pgs", 0},
                  ncp_pair = {"ncp/auto", "mcp/pgs", 1e-6},
                  fc3d_pair = {"fc3d/auto", "fc3d/nsgs", 0};

/* Where the automatic choice does not solve it, it is no worse. Returns whether it had a chance to
 * be: the sweeps are not refused. */
static bool compare(const pair *k, const perp_problem *p, int limit, const double *start,
                    const char *what)
{
    perp_arena a = {0};
    perp_options *choice = named(&a, k->automatic, limit), *sweeps = named(&a, k->sweeps, limit);
    choice->warm_start = sweeps->warm_start = start != NULL;
    outcome x = run(p, choice, start), y = run(p, sweeps, start);
    double most = fmax(choice->tol, y.r.residual.value * (1 + k->slack));
    bool fair = y.status >= 0 && x.status != PERP_INFEASIBLE;
    ck_assert_msg(!fair || x.r.residual.value <= most, "%s, %d iterations of %s: %g by %s, not %g",
                  what, limit, k->automatic, x.r.residual.value, x.r.solver, y.r.residual.value);
    ck_assert_msg(x.r.iterations <= limit, "%s: %d iterations, not %d", what, x.r.iterations,
                  limit);
    ck_assert_msg(y.status < 0 || x.status >= 0, "%s: %s", what, x.r.detail);
    free(x.z);
    free(y.z);
    perp_arena_free(&a);
    return fair;
}

static int compare_limits(const pair *k, const perp_problem *p, const double *start,
                          const char *what)
{
    int fair = 0;
    for (size_t l = 0; l < LIMITS; l++) fair += compare(k, p, limits[l], start, what);
    return fair;
}

static generated_problem make(const char *family, const char *form, int size, uint64_t seed,
                              perp_arena *a)
{
    generate_request r = generate_defaults;
    generated_problem g;
    perp_error e;
    r.family = family;
    r.form = form;
    r.size = size;
    r.seed = seed;
    ck_assert_msg(!generate_problem(&r, a, &g, &e), "%s: %s", family, e.text);
    return g;
}

typedef struct family {
    const char *name, *form;
    int size; /* 0: its own */
} family;

static const family mcp_families[] = {{"mcp_box", NULL, 0},
                                      {"mcp_degenerate", NULL, 0},
                                      {"mcp_friction", NULL, 0},
                                      {"boxes", "mcp", 0},
                                      {"stack", "mcp", 0},
                                      {"tower", "mcp", 4},
                                      {"wall", "mcp", 5},
                                      {"incline", "mcp", 0},
                                      {"arch", "mcp", 0},
                                      {"chain", "mcp", 8},
                                      {"hanging", "mcp", 0},
                                      {"snake", "mcp", 8},
                                      {"plate", "mcp", 0},
                                      {"cannonballs", "mcp", 3},
                                      {"packing", "mcp", 30},
                                      {"wall", "mcp", 6} /* more than 1000 unknowns */,
                                      {NULL, NULL, 0}};

static const family lcp_families_here[] = {
    {"pd", NULL, 0},           {"psd", NULL, 0},           {"nonsymmetric", NULL, 0},
    {"murty", NULL, 20},       {"fathi", NULL, 20},        {"dominant", NULL, 0},
    {"copositive", NULL, 0},   {"degenerate", NULL, 0},    {"duplicate", NULL, 0},
    {"low_rank", NULL, 0},     {"integer", NULL, 20},      {"obstacle", NULL, 500},
    {"obstacle2d", NULL, 400}, {"sparse", NULL, 0},        {"stack", "lcp", 0},
    {"tower", "lcp", 0},       {"wall", "lcp", 0},         {"packing", "lcp", 50},
    {"boxes", "lcp", 0},       {"stack", "lcp_facets", 4}, {NULL, NULL, 0}};

static const family fc3d_families[] = {{"boxes", "fc3d", 0},
                                       {"stack", "fc3d", 0},
                                       {"tower", "fc3d_body", 0},
                                       {"wall", "fc3d", 5},
                                       {"incline", "fc3d", 0},
                                       {"arch", "fc3d_body", 0},
                                       {"chain", "fc3d_body", 6},
                                       {"cannonballs", "fc3d", 3},
                                       {"packing", "fc3d", 30},
                                       {"lattice", "fc3d", 27},
                                       {"fc3d_known", NULL, 0},
                                       {"fc3d_edge", NULL, 0},
                                       {NULL, NULL, 0}};

START_TEST(friction_cones)
{
    int fair = 0;
    for (const family *f = fc3d_families; f->name; f++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            perp_arena a = {0};
            generated_problem g = make(f->name, f->form, f->size, seed, &a);
            outcome half = run(&g.p, named(&a, "fc3d/nsgs", 3), NULL);
            fair += compare_limits(&fc3d_pair, &g.p, NULL, f->name);
            compare_limits(&fc3d_pair, &g.p, half.z, f->name);
            free(half.z);
            perp_arena_free(&a);
        }
    }
    ck_assert_int_ge(fair, 200);
}
END_TEST

START_TEST(friction_boxes_and_mixed_problems)
{
    int fair = 0;
    for (const family *f = mcp_families; f->name; f++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            perp_arena a = {0};
            generated_problem g = make(f->name, f->form, f->size, seed, &a);
            fair += compare_limits(&mcp_pair, &g.p, NULL, f->name);
            perp_arena_free(&a);
        }
    }
    ck_assert_int_ge(fair, 300);
}
END_TEST

/* A guess that is half right, and one far outside of the bounds. */
START_TEST(warm_starts)
{
    for (const family *f = mcp_families; f->name; f++) {
        perp_arena a = {0};
        generated_problem g = make(f->name, f->form, f->size, 4, &a);
        int n = perp_size(&g.p);
        double *z = perp_alloc(&a, (size_t)n, sizeof *z);
        generator random = generator_start(5);
        perp_options *sweeps = named(&a, "mcp/pgs", 7);
        outcome half = run(&g.p, sweeps, NULL);
        compare_limits(&mcp_pair, &g.p, half.z, f->name);
        for (int i = 0; i < n; i++) z[i] = 100 * generator_uniform(&random);
        compare_limits(&mcp_pair, &g.p, z, f->name);
        free(half.z);
        perp_arena_free(&a);
    }
}
END_TEST

/* Sweeps in the velocities of the bodies; pivots cannot read this form. */
START_TEST(factors)
{
    static const char *const names[] = {"stack", "wall", "chain"};
    for (int k = 0; k < 3; k++) {
        perp_arena a = {0};
        scene_parameters s = {.size = 4, .seed = 2, .mu = 0.5, .ratio = 10};
        perp_rigid rigid;
        perp_rigid_factored f;
        perp_problem p;
        ck_assert(scene_generate(scene_family_find(names[k]), &s, &a, &rigid));
        ck_assert(!perp_rigid_factor(&rigid, &a, &f, NULL));
        ck_assert(!perp_rigid_factored_mcp(&f, &a, &p, NULL));
        ck_assert_int_eq(compare_limits(&mcp_pair, &p, NULL, names[k]), LIMITS);
        perp_arena_free(&a);
    }
}
END_TEST

static perp_problem as_ncp(const perp_problem *lcp)
{
    perp_problem p = {.kind = PERP_KIND_NCP};
    p.as.ncp.F = (perp_map){.n = lcp->as.lcp.n, .M = lcp->as.lcp.M, .q = lcp->as.lcp.q};
    return p;
}

START_TEST(linear_and_affine_problems)
{
    int fair = 0;
    for (const family *f = lcp_families_here; f->name; f++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            perp_arena a = {0};
            generated_problem g = make(f->name, f->form, f->size, seed, &a);
            perp_problem ncp = as_ncp(&g.p);
            fair += compare_limits(&lcp_pair, &g.p, NULL, f->name);
            compare_limits(&ncp_pair, &ncp, NULL, f->name);
            perp_arena_free(&a);
        }
    }
    ck_assert_int_ge(fair, 300);
}
END_TEST

/* No limit, nothing to be done beside: the sweeps cost nothing and change nothing. */
START_TEST(solved_problems_are_not_swept)
{
    perp_arena a = {0};
    generated_problem g = make("stack", "mcp", 4, 1, &a);
    outcome x = run(&g.p, perp_find("mcp/auto"), NULL),
            y = run(&g.p, perp_find("mcp/dantzig"), NULL);
    ck_assert_int_eq(x.status, PERP_SOLVED);
    ck_assert_int_eq(x.r.iterations, y.r.iterations);
    ck_assert_int_eq(memcmp(x.z, y.z, (size_t)perp_size(&g.p) * sizeof *x.z), 0);
    free(x.z);
    free(y.z);
    perp_arena_free(&a);
}
END_TEST

/* ---- monitors ---- */

typedef struct watch {
    int calls, most; /* false at call `most`; 0: never */
    int last;        /* iteration */
    int first;       /* and the first after 0 */
} watch;

static bool look(void *ctx, const perp_progress *p)
{
    watch *w = ctx;
    ck_assert_int_ge(p->iteration, w->last);
    w->last = p->iteration;
    if (w->first == 0) w->first = p->iteration;
    return ++w->calls != w->most;
}

static outcome watched(const perp_problem *p, const char *solver, int max_iter, watch *w)
{
    perp_arena a = {0};
    perp_options *o = named(&a, solver, max_iter);
    o->monitor = look;
    o->monitor_ctx = w;
    outcome x = run(p, o, NULL);
    ck_assert_int_le(w->last, max_iter);
    perp_arena_free(&a);
    return x;
}

/* Whenever it comes, a cancel finds the first sweeps done. */
START_TEST(cancelled)
{
    static const pair *const pairs[] = {&mcp_pair, &lcp_pair};
    static const char *const forms[] = {"mcp", "lcp"};
    for (int k = 0; k < 2; k++) {
        perp_arena a = {0};
        generated_problem g = make("stack", forms[k], 10, 3, &a);
        for (int most = 1; most <= 20; most++) {
            watch w = {.most = most}, v = {.most = FIRST + 1};
            outcome x = watched(&g.p, pairs[k]->automatic, 1000000, &w);
            outcome y = watched(&g.p, pairs[k]->sweeps, 1000000, &v);
            ck_assert_int_eq(x.status, PERP_CANCELLED);
            ck_assert_int_eq(w.calls, most);
            ck_assert_msg(x.r.residual.value <= y.r.residual.value, "%s, %d calls: %g, not %g",
                          pairs[k]->automatic, most, x.r.residual.value, y.r.residual.value);
            free(x.z);
            free(y.z);
        }
        perp_arena_free(&a);
    }
}
END_TEST

/* The first sweeps solve `plate`; nevertheless the answer is the plan's. */
START_TEST(watching_changes_nothing)
{
    for (const family *f = mcp_families; f->name; f++) {
        perp_arena a = {0};
        generated_problem g = make(f->name, f->form, f->size, 2, &a);
        watch w = {0};
        outcome x = run(&g.p, named(&a, "mcp/auto", 500), NULL);
        outcome y = watched(&g.p, "mcp/auto", 500, &w);
        ck_assert_int_le(w.first, 1); /* no iteration is left out */
        ck_assert_int_eq(x.status, y.status);
        ck_assert_int_eq(x.r.iterations, y.r.iterations);
        ck_assert_int_eq(memcmp(x.z, y.z, (size_t)perp_size(&g.p) * sizeof *x.z), 0);
        free(x.z);
        free(y.z);
        perp_arena_free(&a);
    }
}
END_TEST

/* ---- a plan of our own ---- */

typedef struct plan_options {
    perp_options base;
    perp_status end; /* after `steps` iterations without an iterate; */
    int steps;       /* < 0: until it is stopped */
} plan_options;

static perp_status follow(perp_run *r, double *z)
{
    const plan_options *o = (const plan_options *)r->options;
    perp_lcp_psor_options sweeps = perp_lcp_psor_defaults();
    perp_anytime t;
    if (!perp_anytime_begin(&t, r, &sweeps.base, PERP_SWEEPS_HALVE, z)) return r->status;
    bool going = true;
    for (int k = 0; k != o->steps && going; k++) going = perp_continue(r, NULL, INFINITY);
    if (going) perp_fail(r, o->end, "the plan is at its end");
    return perp_anytime_end(&t, z);
}

static const perp_solver follower = {.name = "test/plan",
                                     .about = "a plan that solves nothing",
                                     .kind = PERP_KIND_LCP,
                                     .formats = {PERP_FORMAT_DENSE},
                                     .options_size = sizeof(plan_options),
                                     .solve = follow};

/* Sweeps approach (1, 3) by a factor of 4 each. */
static outcome follow_plan(plan_options o, double corner)
{
    const double M[] = {corner, 1, 1, 2}, q[] = {-5, -7};
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
    o.base.solver = &follower;
    o.base.threads = 1;
    if (o.base.tol == 0) o.base.tol = 1e-8;
    if (o.base.max_iter == 0) o.base.max_iter = 2000000000;
    return run(&p, &o.base, NULL);
}

/* The plan spins until its half of the time is over; the sweeps need some microseconds. */
START_TEST(half_of_the_time)
{
    outcome x = follow_plan((plan_options){.base.max_seconds = 0.4, .steps = -1}, 2);
    ck_assert_msg(x.status == PERP_SOLVED, "%s after %g s", x.r.detail, x.r.seconds);
    ck_assert_str_eq(x.r.solver, "lcp/psor");
    ck_assert_double_ge(x.r.seconds, 0.19);
    free(x.z);
}
END_TEST

/* Sweeps are refused: the plan has all the time. */
START_TEST(all_of_the_time)
{
    outcome x = follow_plan((plan_options){.base.max_seconds = 0.1, .steps = -1}, 0);
    ck_assert_int_eq(x.status, PERP_MAX_SECONDS);
    ck_assert_double_ge(x.r.seconds, 0.1);
    ck_assert_str_eq(x.r.detail, "test/plan: the time limit was reached");
    free(x.z);
}
END_TEST

/* The plan's end is told, with its sentence, and z is the sweeps'. */
START_TEST(ends)
{
    static const struct {
        perp_status end, told;
        int max_iter, steps, iterations;
        const char *detail;
    } t[] = {{PERP_STALLED, PERP_STALLED, 8, 2, 8, "the plan is at its end"},
             {PERP_STALLED, PERP_STALLED, 8, 0, 8, "the plan is at its end"},
             {PERP_E_NUMBER, PERP_MAX_ITER, 8, 2, 8, "lcp/psor: the iteration limit was reached"},
             {0, PERP_MAX_ITER, 8, -1, 8, "test/plan: the iteration limit was reached"},
             {PERP_STALLED, PERP_SOLVED, 100, 2, 0, ""},
             {PERP_STALLED, PERP_SOLVED, 100, 99, 99, ""}};
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        plan_options o = {.base.max_iter = t[k].max_iter, .end = t[k].end, .steps = t[k].steps};
        outcome x = follow_plan(o, 2);
        ck_assert_int_eq(x.status, t[k].told);
        ck_assert_str_eq(x.r.detail, t[k].detail);
        ck_assert_str_eq(x.r.solver, "lcp/psor");
        ck_assert_double_le(x.r.residual.value, 1e-3);
        if (t[k].iterations) ck_assert_int_eq(x.r.iterations, t[k].iterations);
        free(x.z);
    }
}
END_TEST

START_TEST(little_memory)
{
    const double M[] = {2, 1, 1, 2}, q[] = {-5, -7};
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
    watch w = {0};
    plan_options o = {.base = {.solver = &follower, .tol = 1e-12, .max_iter = 9, .threads = 1},
                      .end = PERP_STALLED,
                      .steps = 1};
    solve_starved(&p, &o.base, PERP_STALLED);
    o.base.monitor = look;
    o.base.monitor_ctx = &w;
    w.last = -1;
    perp_problem nothing = {.kind = PERP_KIND_LCP};
    outcome x = run(&nothing, &o.base, NULL);
    ck_assert_int_eq(x.status, PERP_SOLVED);
    free(x.z);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("anytime");
    TCase *c = tcase_create("anytime");
    tcase_set_timeout(c, 120);
    tcase_add_test(c, friction_cones);
    tcase_add_test(c, friction_boxes_and_mixed_problems);
    tcase_add_test(c, warm_starts);
    tcase_add_test(c, factors);
    tcase_add_test(c, linear_and_affine_problems);
    tcase_add_test(c, solved_problems_are_not_swept);
    tcase_add_test(c, cancelled);
    tcase_add_test(c, watching_changes_nothing);
    tcase_add_test(c, half_of_the_time);
    tcase_add_test(c, all_of_the_time);
    tcase_add_test(c, ends);
    tcase_add_test(c, little_memory);
    suite_add_tcase(s, c);
    return support_run(s);
}
