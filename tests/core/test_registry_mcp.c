/* tests/core/test_registry_mcp.c: what holds for every registered mcp and ncp
 * solver, whatever it is. A new row of solvers.def is tested here without a new
 * line.
 *
 * Nothing a solver says is believed: residuals are computed again, naively and
 * in long double. */
#include "perp/solver.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST 64

static const perp_options *nth(int k, perp_kind kind)
{
    for (int i = 0; perp_solvers()[i]; i++) {
        if (perp_solvers()[i]->solver->kind == kind && k-- == 0) return perp_solvers()[i];
    }
    return NULL;
}

#define EACH_SOLVER(o) for (int o##_k = 0; (o = nth(o##_k, PERP_KIND_MCP)) != NULL; o##_k++)

static bool reads(const perp_options *o, unsigned flag)
{
    return o->solver->flags & flag;
}

/* ---- the judge ---- */

static void bounds(const perp_mcp *p, const double *z, int i, long double *lo, long double *hi)
{
    *lo = p->lo ? p->lo[i] : -INFINITY;
    *hi = p->hi ? p->hi[i] : INFINITY;
    if (!p->follows || p->follows[i] < 0) return;
    long double force = z[p->follows[i]] > 0 ? z[p->follows[i]] : 0;
    *hi = p->mu[i] * force;
    *lo = -*hi;
}

/* |z - P(z - F)|, and in *rounding what double arithmetic may err by; M is
 * dense. */
static long double residual_of(const perp_mcp *p, const double *z, long double *rounding)
{
    int n = p->F.n;
    long double sum = 0, error = 0;
    for (int i = 0; i < n; i++) {
        long double F = p->F.q[i], size = fabsl(F), lo, hi;
        for (int j = 0; j < n; j++) {
            long double t = (long double)p->F.M.as.dense.x[j * n + i] * z[j];
            F += t;
            size += fabsl(t);
        }
        bounds(p, z, i, &lo, &hi);
        long double x = z[i] - F, natural = z[i] - (x < lo ? lo : x > hi ? hi : x);
        sum += natural * natural;
        error += size * size;
    }
    *rounding = n * DBL_EPSILON * sqrtl(error);
    return sqrtl(sum);
}

static generated_problem make(const char *family, int size, uint64_t seed, perp_arena *a)
{
    generate_request r = generate_defaults;
    generated_problem g;
    r.family = family;
    r.size = size;
    r.seed = seed;
    ck_assert_msg(!generate_problem(&r, a, &g, NULL), "%s", family);
    ck_assert_int_le(perp_size(&g.p), MOST);
    return g;
}

/* Solve, and hold the answer against the data. */
static perp_status judge(const perp_problem *p, const perp_options *o, const char *what)
{
    perp_result r;
    double z[MOST];
    long double rounding;
    perp_status s = solve_checked(p, o, z, NULL, &r);
    long double value = residual_of(&p->as.mcp, z, &rounding);
    ck_assert_msg(isfinite((double)value), "%s, %s", o->solver->name, what);
    ck_assert_msg((s == PERP_SOLVED) == !r.detail[0], "%s, %s: %s", o->solver->name, what,
                  r.detail);
    if (s < 0) return s;
    ck_assert_msg(fabsl(value - r.residual.absolute) <= 100 * rounding + 1e-12L * value,
                  "%s, %s: %Lg is not %g", o->solver->name, what, value, r.residual.absolute);
    if (s == PERP_SOLVED) ck_assert_double_le(r.residual.value, o->tol);
    return s;
}

/* ---- families ---- */

/* What theory promises: paths and Newton's method on monotone problems. */
static bool solves_monotone(const char *name)
{
    static const char *const names[] = {"mcp/newton_fb", "mcp/path", "mcp/josephy", "mcp/auto"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (strcmp(name, names[k]) == 0) return true;
    }
    return false;
}

START_TEST(known_answers)
{
    static const char *const families[] = {"mcp_box", "mcp_degenerate", "mcp_saddle"};
    const perp_options *o;
    EACH_SOLVER(o)
    {
        for (int f = 0; f < 3; f++) {
            for (uint64_t seed = 1; seed <= 4; seed++) {
                for (int size = 4; size <= 24; size += 10) {
                    perp_arena a = {0};
                    char what[64];
                    generated_problem g = make(families[f], size, seed, &a);
                    snprintf(what, sizeof what, "%s %d, seed %d", families[f], size, (int)seed);
                    perp_status s = judge(&g.p, o, what);
                    if (solves_monotone(o->solver->name))
                        ck_assert_msg(s == PERP_SOLVED, "%s, %s: %s", o->solver->name, what,
                                      perp_status_name(s));
                    perp_arena_free(&a);
                }
            }
        }
    }
}
END_TEST

/* Sparse and dense end alike. */
START_TEST(formats)
{
    const perp_options *o;
    EACH_SOLVER(o)
    {
        for (uint64_t seed = 1; seed <= 3; seed++) {
            perp_arena a = {0};
            perp_result r;
            double z[MOST];
            generated_problem g = make("mcp_box", 15, seed, &a);
            perp_status dense = judge(&g.p, o, "dense");
            perp_problem p = g.p;
            ck_assert(!perp_convert(&g.p.as.mcp.F.M, PERP_FORMAT_CSC, &a, &p.as.mcp.F.M, NULL));
            perp_status sparse = solve_checked(&p, o, z, NULL, &r);
            ck_assert_msg(dense == sparse, "%s: %s and %s", o->solver->name,
                          perp_status_name(dense), perp_status_name(sparse));
            p.as.mcp.F.M = as_operator(&g.p.as.mcp.F.M);
            perp_status op = solve_checked(&p, o, z, NULL, &r);
            if (!(o->solver->formats[0] & PERP_FORMAT_OPERATOR))
                ck_assert_int_eq(op, PERP_E_FORMAT);
            perp_arena_free(&a);
        }
    }
}
END_TEST

/* Bounds that follow another unknown: read, or refused by name. */
START_TEST(friction_boxes)
{
    const perp_options *o;
    int solved = 0;
    EACH_SOLVER(o)
    {
        for (uint64_t seed = 1; seed <= 4; seed++) {
            perp_arena a = {0};
            generated_problem g = make("mcp_friction", 5, seed, &a);
            perp_status s = judge(&g.p, o, "mcp_friction");
            ck_assert_msg((s == PERP_E_FORMAT) == !reads(o, PERP_SOLVER_READS_FOLLOWS), "%s: %s",
                          o->solver->name, perp_status_name(s));
            solved += s == PERP_SOLVED;
            perp_arena_free(&a);
        }
    }
    ck_assert_int_gt(solved, 0);
}
END_TEST

/* ---- one unknown ---- */

START_TEST(one_unknown)
{
    const double inf = INFINITY, slopes[] = {1, 0.1, 100};
    const double lows[] = {-inf, 0, -inf, -1, 2}, highs[] = {inf, inf, 1, 2, 2};
    const perp_options *o;
    EACH_SOLVER(o)
    {
        for (int b = 0; b < 5; b++) {
            for (int k = 0; k < 9; k++) {
                double q = 3 * (k / 3 - 1), M = slopes[k % 3], z = 0;
                perp_problem p = perp_make_mcp(1, perp_dense(1, 1, &M), &q, &lows[b], &highs[b]);
                perp_result r;
                perp_status s = solve_checked(&p, o, &z, NULL, &r);
                ck_assert_msg(s == PERP_SOLVED, "%s, [%g, %g], %g z + %g: %s %s", o->solver->name,
                              lows[b], highs[b], M, q, perp_status_name(s), r.detail);
                double right = clip(-q / M, lows[b], highs[b]);
                ck_assert_double_eq_tol(z, right, 1e-6 * (1 + fabs(right)));
            }
        }
        perp_problem nothing = {.kind = PERP_KIND_MCP};
        perp_result r;
        ck_assert_int_eq(solve_checked(&nothing, o, NULL, NULL, &r), PERP_SOLVED);
    }
}
END_TEST

/* ---- no solution ---- */

START_TEST(infeasible)
{
    const double apart[] = {1, -1, -1, 1}, q[] = {-1, -1}, zero[2] = {0};
    const double nothing[4] = {0}, free_lo[] = {-INFINITY, 0};
    const perp_options *o;
    EACH_SOLVER(o)
    {
        perp_result r;
        double z[2];
        perp_problem p = perp_make_mcp(2, perp_dense(2, 2, apart), q, zero, NULL);
        perp_status s = solve_checked(&p, o, z, NULL, &r);
        ck_assert_msg(s != PERP_SOLVED && r.detail[0], "%s", o->solver->name);
        p = perp_make_mcp(2, perp_dense(2, 2, nothing), q, free_lo, NULL); /* F = -1, z_0 free */
        s = solve_checked(&p, o, z, NULL, &r);
        ck_assert_msg(s != PERP_SOLVED && r.detail[0], "%s", o->solver->name);
    }
}
END_TEST

/* ---- callbacks ---- */

typedef enum fault { NONE, NANS, REFUSES, OVERRUNS, LIES } fault;

static bool eval(void *ctx, const double *z, double *F)
{
    const fault *f = ctx;
    for (int i = 0; i < 4; i++) F[i] = exp(z[i]) - 2 + 0.1 * z[(i + 1) % 4] + (i == 2 ? 3 : 0);
    if (*f == NANS) F[0] = NAN;
    return *f != REFUSES;
}

static bool jacobian(void *ctx, const double *z, double *x)
{
    const fault *f = ctx;
    for (int k = 0; k < 16; k++) x[k] = k % 5 == 0 ? exp(z[k / 4]) : 0;
    for (int i = 0; i < 4; i++) x[(i + 1) % 4 * 4 + i] = 0.1;
    for (int k = 0; *f == LIES && k < 16; k++) x[k] = -x[k] - 1;
    if (*f == OVERRUNS) x[16] = 5;
    return true;
}

START_TEST(callbacks)
{
    static const perp_status ends[] = {PERP_SOLVED, PERP_E_NUMBER, PERP_E_NUMBER, PERP_E_ARGUMENT,
                                       PERP_STALLED};
    const perp_options *o;
    EACH_SOLVER(o)
    {
        for (int f = NONE; f <= LIES; f++) {
            for (int by_differences = 0; by_differences < 2; by_differences++) {
                if (by_differences && f >= OVERRUNS) continue;
                const fault fault_of = (fault)f;
                perp_problem p = {.kind = PERP_KIND_NCP};
                p.as.ncp.F = (perp_map){.n = 4, .eval = eval, .ctx = (void *)&fault_of};
                if (!by_differences) p.as.ncp.F.jacobian = jacobian;
                perp_result r;
                double z[4];
                perp_status s = solve_checked(&p, o, z, NULL, &r);
                perp_status expected =
                    reads(o, PERP_SOLVER_READS_CALLBACK) ? ends[f] : PERP_E_FORMAT;
                bool in_spite = f == LIES && s == PERP_SOLVED; /* F is what is certified */
                ck_assert_msg(s == expected || in_spite, "%s, fault %d: %s %s", o->solver->name, f,
                              perp_status_name(s), r.detail);
                for (int i = 0; i < 4; i++) ck_assert(isfinite(z[i]));
            }
        }
    }
}
END_TEST

/* ---- the frame ---- */

/* F = -1 - log(z)^2, undefined at 0 by word or by value, with no solution on the half-line. */
static bool eval_log(void *ctx, const double *z, double *F)
{
    if (ctx && !(z[0] > 0)) return false;
    F[0] = z[0] > 0 ? -1 - pow(log(z[0]), 2) : NAN;
    return true;
}

/* Every solver that reads callbacks says so, of the start of 0, and of no other. */
START_TEST(undefined_at_the_start)
{
    const double zero[1] = {0}, half[1] = {0.5};
    for (int i = 0; perp_solvers()[i]; i++) {
        const perp_solver *s = perp_solvers()[i]->solver;
        if ((s->kind != PERP_KIND_MCP && s->kind != PERP_KIND_NCP) ||
            !(s->flags & PERP_SOLVER_READS_CALLBACK))
            continue;
        for (int k = 0; k < 5; k++) {
            perp_arena a = {0};
            perp_result r;
            perp_options *o = perp_options_new(&a, s->name);
            perp_problem mcp = {.kind = PERP_KIND_MCP}, ncp = {.kind = PERP_KIND_NCP};
            double z[1] = {2};
            mcp.as.mcp.F =
                (perp_map){.n = 1, .eval = eval_log, .ctx = k == 1 ? NULL : (void *)"word"};
            mcp.as.mcp.lo = k == 4 ? half : zero; /* 0 is brought inside the bounds */
            ncp.as.ncp.F = mcp.as.mcp.F;
            o->warm_start = k == 3;
            bool as_ncp = s->kind == PERP_KIND_NCP || k == 2;
            perp_status status = perp_solve(as_ncp ? &ncp : &mcp, o, &a, z, NULL, &r);
            ck_assert_msg(status != PERP_SOLVED, "%s", s->name);
            bool blamed = strstr(r.detail, "undefined at the start point: ") != NULL;
            bool inside = k == 3 || (k == 4 && !as_ncp);
            ck_assert_msg(blamed == !inside && (!blamed || strstr(r.detail, "warm_start")),
                          "%s, %d: %s", s->name, k, r.detail);
            const char *how = k == 1 ? "F[0] = " : "eval returned false; ";
            ck_assert_msg(!blamed || strstr(r.detail, how), "%s, %d: %s", s->name, k, r.detail);
            perp_arena_free(&a);
        }
    }
}
END_TEST

START_TEST(limits_and_bits)
{
    const perp_options *o;
    EACH_SOLVER(o)
    {
        perp_arena a = {0};
        generated_problem g = make("mcp_box", 12, 7, &a);
        double first[MOST], second[MOST];
        perp_result r, again;
        perp_options *none = perp_options_new(&a, o->solver->name);
        none->max_iter = 0;
        perp_status s = solve_checked(&g.p, none, first, NULL, &r);
        bool refused = s == PERP_E_NUMBER; /* M is not symmetric */
        ck_assert_msg((s == PERP_MAX_ITER || refused) && r.iterations == 0, "%s: %s",
                      o->solver->name, r.detail);
        s = solve_checked(&g.p, o, first, NULL, &r);
        ck_assert_int_eq(solve_checked(&g.p, o, second, NULL, &again), s);
        ck_assert_int_eq(r.iterations, again.iterations);
        ck_assert_msg(!memcmp(first, second, 12 * sizeof *first), "%s", o->solver->name);
        perp_arena_free(&a);
    }
}
END_TEST

/* Memory that ends after k blocks: refused, or solved without it; nothing is
 * left behind. */
START_TEST(memory_ends)
{
    const perp_options *o;
    EACH_SOLVER(o)
    {
        perp_arena data = {0};
        generated_problem g = make("mcp_box", 40, 3, &data);
        bool done = false;
        for (int k = 0; k < 60 && !done; k++) {
            supply left = {.left = k};
            perp_arena a = {.resize = scarce, .ctx = &left};
            perp_result r;
            double z[MOST];
            perp_status s = perp_solve(&g.p, o, &a, z, NULL, &r);
            done = s != PERP_E_MEMORY;
            ck_assert_msg(s >= 0 || s == PERP_E_MEMORY || s == PERP_E_NUMBER, "%s: %s",
                          o->solver->name, r.detail);
            perp_arena_free(&a);
            ck_assert_int_eq(left.out, 0);
        }
        ck_assert_msg(done, "%s", o->solver->name);
        perp_arena_free(&data);
    }
}
END_TEST

/* A warm start at the answer stays there. */
START_TEST(warm_starts)
{
    const perp_options *o;
    EACH_SOLVER(o)
    {
        perp_arena a = {0};
        generated_problem g = make("mcp_box", 12, 7, &a);
        double z[MOST];
        perp_result r;
        perp_options *warm = perp_options_new(&a, o->solver->name);
        warm->warm_start = true;
        memcpy(z, g.z, 12 * sizeof *z);
        ck_assert_int_eq(solve_checked(&g.p, warm, z, NULL, &r), PERP_SOLVED);
        ck_assert_int_eq(r.iterations, 0);
        perp_arena_free(&a);
    }
}
END_TEST

/* Solvers of the ncp take an lcp, and their own kind. */
START_TEST(ncp_solvers)
{
    const double M[] = {2, 1, 1, 2}, q[] = {-5, -6};
    const fault none = NONE;
    const perp_options *o;
    for (int k = 0; (o = nth(k, PERP_KIND_NCP)) != NULL; k++) {
        perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
        double z[4];
        perp_result r;
        ck_assert_int_eq(solve_checked(&p, o, z, NULL, &r), PERP_SOLVED);
        ck_assert_double_eq_tol(z[0], 4.0 / 3, 1e-6);
        p = (perp_problem){.kind = PERP_KIND_NCP,
                           .as.ncp.F = {.n = 4, .eval = eval, .ctx = (void *)&none}};
        perp_status s = solve_checked(&p, o, z, NULL, &r);
        ck_assert_int_eq(s, reads(o, PERP_SOLVER_READS_CALLBACK) ? PERP_SOLVED : PERP_E_FORMAT);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("registry_mcp");
    TCase *t = tcase_create("registry_mcp");
    tcase_add_test(t, known_answers);
    tcase_add_test(t, formats);
    tcase_add_test(t, friction_boxes);
    tcase_add_test(t, one_unknown);
    tcase_add_test(t, infeasible);
    tcase_add_test(t, callbacks);
    tcase_add_test(t, undefined_at_the_start);
    tcase_add_test(t, limits_and_bits);
    tcase_add_test(t, memory_ends);
    tcase_add_test(t, warm_starts);
    tcase_add_test(t, ncp_solvers);
    suite_add_tcase(s, t);
    return support_run(s);
}
