/* tests/support/literature_support.h: what holds for each problem of the literature: a valid
 * problem, starts of numbers, a solution that solves it, and a Jacobian that is one. */
#ifndef PERP_LITERATURE_SUPPORT_H
#define PERP_LITERATURE_SUPPORT_H

#include "literature.h"
#include "support.h"

#include <math.h>
#include <string.h>

static inline const perp_map *literature_map(const literature *l)
{
    return l->p.kind == PERP_KIND_NCP ? &l->p.as.ncp.F : &l->p.as.mcp.F;
}

/* A start inside the bounds, as solvers see it. */
static inline void literature_start(const literature *l, int k, double *z)
{
    for (int i = 0; i < l->n; i++) {
        double lo = 0, hi = INFINITY;
        if (l->p.kind == PERP_KIND_MCP) {
            lo = l->p.as.mcp.lo ? l->p.as.mcp.lo[i] : -INFINITY;
            hi = l->p.as.mcp.hi ? l->p.as.mcp.hi[i] : INFINITY;
        }
        z[i] = clip(l->start[(size_t)k * (size_t)l->n + (size_t)i], lo, hi);
    }
}

static inline void literature_check_jacobian(const literature *l, perp_arena *a)
{
    if (!literature_map(l)->jacobian) return;
    double *z = perp_alloc(a, (size_t)l->n, sizeof *z);
    for (int k = 0; k < l->starts; k++) {
        perp_jacobian_report r;
        perp_error e;
        literature_start(l, k, z);
        perp_status s = perp_check_jacobian(&l->p, z, a, &r, &e);
        ck_assert_msg(s == PERP_SOLVED || s == PERP_E_NUMBER, "%s, start %d: %s", l->name, k,
                      e.text);
    }
}

/* The published digits: as near as they are, and, as certificates go, near a solution. */
static inline void literature_check_solution(const literature *l, perp_arena *a)
{
    perp_residual r;
    if (!l->solution) return;
    ck_assert_msg(perp_certify(&l->p, l->solution, a, &r) == PERP_SOLVED, "%s", l->name);
    ck_assert_msg(r.value <= 100 * l->accuracy, "%s: %g", l->name, r.value);
}

static inline void literature_check(const char *name)
{
    perp_arena a = {0};
    literature l;
    int k = literature_find(name);
    ck_assert_msg(k >= 0, "%s", name);
    ck_assert(literature_make(k, literature_is_sized(k) ? 49 : 0, &a, &l));
    ck_assert_str_eq(l.name, name);
    ck_assert(strlen(l.about) > 10);
    ck_assert_int_eq(perp_size(&l.p), l.n);
    ck_assert_int_eq(perp_validate(&l.p, NULL), PERP_SOLVED);
    ck_assert_int_ge(l.starts, 2);
    for (int i = 0; i < l.starts * l.n; i++) ck_assert(isfinite(l.start[i]));
    literature_check_jacobian(&l, &a);
    literature_check_solution(&l, &a);
    perp_arena_free(&a);
}

#define LITERATURE_TEST(...)                                                                       \
    START_TEST(problems)                                                                           \
    {                                                                                              \
        static const char *const names[] = {__VA_ARGS__};                                          \
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) literature_check(names[k]);      \
    }                                                                                              \
    END_TEST

#endif
