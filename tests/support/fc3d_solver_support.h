/* tests/support/fc3d_solver_support.h: what the solvers that factor are all held to. */
#ifndef PERP_FC3D_SOLVER_SUPPORT_H
#define PERP_FC3D_SOLVER_SUPPORT_H

#include "fc3d_support.h"

#include "perp/io.h"
#include "perp/solvers.h"

#include <stdio.h>
#include <stdlib.h>

/* A copy of a solver's options, in the arena. */
static inline perp_options *solver_options(const char *name, double tol, perp_arena *a)
{
    perp_options *o = perp_options_new(a, name);
    ck_assert_ptr_nonnull(o);
    o->tol = tol;
    return o;
}

/* How many of the generated problems with known answers are solved, of `count`. */
static inline int solver_known(const perp_options *o, int count)
{
    static const char *const names[] = {"fc3d_known", "fc3d_edge", "fc3d_body_known"};
    int solved = 0;
    for (int k = 0; k < count; k++) {
        perp_arena a = {0};
        perp_result r;
        generated_problem g = fc3d_generate(names[k % 3], NULL, 1 + k % 9, (uint64_t)k + 1, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        perp_status status = solve_checked(&g.p, o, z, NULL, &r);
        ck_assert_msg(status >= 0, "%s %d: %s", names[k % 3], k, r.detail);
        solved += status == PERP_SOLVED;
        perp_arena_free(&a);
    }
    return solved;
}

/* Solve a scene of the generator in both forms; the iterations of the last. */
static inline int solver_scene(const perp_options *o, const char *family, int size)
{
    static const char *const forms[] = {"fc3d", "fc3d_body"};
    int iterations = 0;
    for (int f = 0; f < 2; f++) {
        perp_arena a = {0};
        perp_result r;
        generated_problem g = fc3d_generate(family, forms[f], size, 1, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        ck_assert_msg(solve_checked(&g.p, o, z, NULL, &r) == PERP_SOLVED, "%s as %s: %s", family,
                      forms[f], r.detail);
        iterations = r.iterations;
        perp_arena_free(&a);
    }
    return iterations;
}

/* A stored problem; false, with a word, where the collection is not there. */
static inline bool solver_load(const char *name, perp_arena *a, perp_problem *p)
{
    char path[512];
    perp_error e = {0};
    const char *root = getenv("PERP_PROBLEMS");
    snprintf(path, sizeof path, "%s/fc3d/%s", root ? root : SOURCE_ROOT "/../shared/problems",
             name);
    if (perp_load(path, a, p, &e) == PERP_SOLVED) return true;
    printf("skipped: %s: %s\n", path, e.text);
    return false;
}

/* Solve a stored problem cold, then again from its solution: at most two iterations. */
static inline void solver_stored(const perp_options *o, const char *name)
{
    perp_arena a = {0};
    perp_problem p;
    perp_result r;
    if (solver_load(name, &a, &p)) {
        double *z = perp_alloc(&a, (size_t)perp_size(&p), sizeof *z);
        perp_options *warm = perp_options_new(&a, o->solver->name);
        ck_assert_msg(solve_checked(&p, o, z, NULL, &r) == PERP_SOLVED, "%s: %s", name, r.detail);
        memcpy(warm, o, o->solver->options_size);
        warm->warm_start = true;
        ck_assert_int_eq(solve_checked(&p, warm, z, NULL, &r), PERP_SOLVED);
        ck_assert_int_le(r.iterations, 2);
    }
    perp_arena_free(&a);
}

/* Three contacts, the second without friction, hand-made: u_N falls to 0 at all of them. r_N of the
 * second is 1 and has no tangent, though q_T pulls. */
static inline void solver_frictionless(const perp_options *o)
{
    double W[81] = {0}, q[9] = {-1, 0.1, 0, -2, 5, -3, -1, 0, 4}, mu[3] = {0.5, 0, 0.5}, z[9];
    for (int i = 0; i < 9; i++) W[10 * i] = i == 3 ? 2 : 1;
    perp_problem p = perp_make_fc3d(3, perp_dense(9, 9, W), q, mu);
    perp_result r;
    ck_assert_msg(solve_checked(&p, o, z, NULL, &r) == PERP_SOLVED, "%s", r.detail);
    const double expected[9] = {1, -0.1, 0, 1, 0, 0, 1, 0, -0.5}; /* sticks, slips, slides */
    ck_assert_double_le(difference(9, z, expected), 1e-6);
}

/* Refused, whoever solves: a contact that closes and that no force opens. Where nothing resists one
 * tangent, or both, the block is singular, and is solved. */
static inline void solver_refusals(const perp_options *o)
{
    double W[9] = {0, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0, 0}, mu[1] = {0.3}, z[3];
    perp_problem p = perp_make_fc3d(1, perp_dense(3, 3, W), q, mu);
    perp_result r;
    ck_assert_int_eq(solve_checked(&p, o, z, NULL, &r), PERP_E_NUMBER);
    ck_assert_msg(strstr(r.detail, "contact 0"), "%s", r.detail);
    W[0] = 1;
    W[8] = 0;
    const double expected[3] = {1, 0, 0};
    perp_status status = solve_checked(&p, o, z, NULL, &r);
    ck_assert_msg(status == PERP_SOLVED, "%s", r.detail);
    ck_assert_double_le(difference(3, z, expected), 1e-6);
    W[4] = 0;
    ck_assert_msg(solve_checked(&p, o, z, NULL, &r) == PERP_SOLVED, "%s", r.detail);
    ck_assert_double_le(fabs(z[0] - 1), 1e-6);
    q[1] = NAN;
    ck_assert_int_eq(solve_checked(&p, o, z, NULL, &r), PERP_E_NUMBER);
}

/* Every allocation fails in turn: no_memory, and nothing lost; then it is solved as ever. */
static inline void solver_memory(const perp_options *o, const char *family, const char *form,
                                 int size)
{
    perp_arena own = {0};
    generated_problem g = fc3d_generate(family, form, size, 1, &own);
    double *z = perp_alloc(&own, (size_t)perp_size(&g.p), sizeof *z);
    for (int left = 0;; left++) {
        supply s = {.left = left};
        perp_arena a = {.resize = scarce, .ctx = &s};
        perp_result r;
        perp_status status = perp_solve(&g.p, o, &a, z, NULL, &r);
        perp_arena_free(&a);
        ck_assert_int_eq(s.out, 0);
        if (s.left > 0) { /* it never ran out */
            ck_assert_msg(status == PERP_SOLVED, "%s", r.detail);
            break;
        }
        ck_assert_msg(status == PERP_E_MEMORY || status >= 0, "%d: %s", left, r.detail);
    }
    perp_arena_free(&own);
}

/* On a fixed arena nothing is cached, and the answer is as good. */
static inline void solver_fixed(const perp_options *o)
{
    perp_arena own = {0}, fixed;
    perp_result r;
    generated_problem g = fc3d_generate("packing", "fc3d", 20, 1, &own);
    double *z = perp_alloc(&own, (size_t)perp_size(&g.p), sizeof *z);
    size_t size = (size_t)1 << 23;
    perp_arena_fixed(&fixed, perp_alloc(&own, size, 1), size);
    ck_assert_msg(perp_solve(&g.p, o, &fixed, z, NULL, &r) == PERP_SOLVED, "%s", r.detail);
    ck_assert_ptr_null(fixed.cache);
    perp_arena_free(&own);
}

/* No iterations: the start comes back. */
static inline void solver_no_budget(const perp_options *o)
{
    perp_arena a = {0};
    perp_options *none = perp_options_new(&a, o->solver->name);
    perp_result r;
    generated_problem g = fc3d_generate("packing", "fc3d", 5, 1, &a);
    double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
    none->max_iter = 0;
    ck_assert_int_eq(solve_checked(&g.p, none, z, NULL, &r), PERP_MAX_ITER);
    for (int i = 0; i < perp_size(&g.p); i++) ck_assert_double_eq(z[i], 0);
    perp_arena_free(&a);
}

#endif
