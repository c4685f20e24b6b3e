/* tests/support/mcp_support.h: what the tests of mcp solvers share. */
#ifndef PERP_MCP_SUPPORT_H
#define PERP_MCP_SUPPORT_H

#include "generate.h"
#include "perp/solver.h"
#include "perp/solvers.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline generated_problem mcp_generate(const char *family, int size, uint64_t seed,
                                             perp_arena *a)
{
    generate_request r = generate_defaults;
    generated_problem g;
    perp_error e = {0};
    r.family = family;
    r.size = size;
    r.seed = seed;
    if (strncmp(family, "mcp_", 4) != 0) r.form = "mcp"; /* a scene */
    ck_assert_msg(!generate_problem(&r, a, &g, &e), "%s", e.text);
    return g;
}

/* A scene with J M^-1 J' assembled and in factors: the same problem twice. */
static inline void mcp_twice(const char *family, int size, uint64_t seed, perp_arena *a,
                             perp_problem *assembled, perp_problem *factored)
{
    const scene_family *f = scene_family_find(family);
    scene_parameters r = {.size = size, .seed = seed, .mu = f->mu, .ratio = 1};
    perp_rigid s;
    perp_rigid_factored *factors = perp_alloc(a, 1, sizeof *factors);
    ck_assert(scene_generate(f, &r, a, &s));
    ck_assert(!perp_rigid_mcp(&s, a, assembled, NULL));
    ck_assert(!perp_rigid_factor(&s, a, factors, NULL));
    ck_assert(!perp_rigid_factored_mcp(factors, a, factored, NULL));
}

/* Every allocation fails in turn, every size of a fixed buffer is tried, and the second identical
 * solve allocates nothing. */
static inline void mcp_memory(const perp_problem *p, const perp_options *o)
{
    perp_result r;
    double z[32];
    bool solved = false;
    ck_assert_int_le(perp_size(p), 32);
    for (int k = 0; !solved && k < 100; k++) {
        supply left = {.left = k};
        perp_arena a = {.resize = scarce, .ctx = &left};
        perp_status s = perp_solve(p, o, &a, z, NULL, &r);
        ck_assert_msg(s == PERP_SOLVED || s == PERP_E_MEMORY, "%s", r.detail);
        for (int i = 0; i < perp_size(p); i++) ck_assert(isfinite(z[i]));
        solved = s == PERP_SOLVED;
        if (solved) {
            unsigned before = a.allocations;
            ck_assert(!perp_solve(p, o, &a, z, NULL, &r));
            ck_assert_uint_eq(a.allocations, before);
        }
        perp_arena_free(&a);
        ck_assert_int_eq(left.out, 0);
    }
    ck_assert(solved);
    for (size_t size = 0; size < 16384; size += 128) {
        static char buffer[16384];
        perp_arena a;
        perp_arena_fixed(&a, buffer, size);
        perp_status s = perp_solve(p, o, &a, z, NULL, &r);
        ck_assert(s == PERP_SOLVED || s == PERP_E_MEMORY);
        if (size + 128 >= sizeof buffer) ck_assert_int_eq(s, PERP_SOLVED);
    }
}

#endif
