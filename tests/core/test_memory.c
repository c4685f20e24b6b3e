/* tests/core/test_memory.c: the second identical solve allocates nothing, a fixed buffer of the
 * size that the arena names gives the same bits, and the arena is left as it was. One of perp_bytes
 * suffices, and nothing is allocated beside it.
 *
 * Allocations of BLAS count too (count_allocations.h). In a sanitizer only the arena's own count is
 * tested. */
#define _GNU_SOURCE
#include "count_allocations.h"
#include "generate.h"
#include "support.h"

#include "perp/solver.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- counting ---- */

START_TEST(calls_are_counted)
{
    if (!COUNTED) {
        puts("allocations are not counted here: a sanitizer, or not glibc");
        return;
    }
    void *volatile p;
    calls = 0;
    counting = true;
    p = malloc(10);
    p = realloc(p, 100);
    free(p);
    p = calloc(3, 4);
    free(p);
    p = aligned_alloc(64, 64);
    free(p);
    p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(p, 4096);
    counting = false;
    ck_assert_int_eq(calls, 9);
    ck_assert_ptr_ne(p, MAP_FAILED);
}
END_TEST

/* ---- solves ---- */

static const int sizes[] = {6, 50, 200, 520};
#define SIZES (COUNTED ? 4 : 3) /* the largest takes long in a sanitizer */
#define MOST 520
#define FAMILIES 4

#ifdef PERP_GPL
#define GPL true
#else
#define GPL false
#endif

typedef struct answer {
    perp_status status;
    int iterations;
    perp_residual residual;
    double z[MOST], w[MOST];
} answer;

/* Solves from out->z; returns the calls it made. Check's assertions allocate too: none while
 * counting. */
static long solve_from(const perp_problem *p, const perp_options *o, perp_arena *a, answer *out)
{
    perp_result r;
    size_t used = a->used;
    calls = 0;
    counting = true;
    out->status = perp_solve(p, o, a, out->z, out->w, &r);
    counting = false;
    out->iterations = r.iterations;
    out->residual = r.residual;
    ck_assert_uint_eq(a->used, used);
    ck_assert(!a->failed);
    return calls;
}

static long solve(const perp_problem *p, const perp_options *o, perp_arena *a, answer *out)
{
    memset(out, 0, sizeof *out);
    return solve_from(p, o, a, out);
}

static bool same(const answer *a, const answer *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

#define WHERE "%s on %s, n = %d: "
#define WHERE_ARGS o ? o->solver->name : "NULL", p->name, p->as.lcp.n

/* Its own allocations are not the arena's, and a fixed one takes another path. */
static bool uses_suitesparse(const perp_problem *p, const perp_options *o)
{
    if (!GPL) return false;
    if (!o) o = perp_find("lcp/auto");
    bool sparse = p->as.lcp.M.format != PERP_FORMAT_DENSE;
    return o->solver->flags &
           (sparse ? PERP_SOLVER_ALLOCATES | PERP_SOLVER_MAY_ALLOCATE : PERP_SOLVER_ALLOCATES);
}

static void repeat_growing(const perp_problem *p, const perp_options *o, answer *first,
                           size_t *peak)
{
    static answer again;
    perp_arena a = {0};
    void *before = perp_alloc(&a, 1000, 1); /* the caller's own, below the solve */
    ck_assert_ptr_nonnull(before);
    memset(before, 0x5a, 1000);
    size_t own = a.used;
    long made = solve(p, o, &a, first);
    unsigned allocations = a.allocations;
    ck_assert(!COUNTED || made >= (long)allocations - 1); /* the counter sees the arena */
    size_t most = a.peak;
    for (int k = 0; k < 2; k++) {
        made = solve(p, o, &a, &again);
        ck_assert_msg(made == 0 || uses_suitesparse(p, o), WHERE "%ld allocations", WHERE_ARGS,
                      made);
        ck_assert_msg(a.allocations == allocations, WHERE "the arena grew", WHERE_ARGS);
        ck_assert_msg(a.peak == most, WHERE "another peak", WHERE_ARGS);
        ck_assert_msg(same(first, &again), WHERE "other bits the second time", WHERE_ARGS);
    }
    for (int i = 0; i < 1000; i++) ck_assert_int_eq(((unsigned char *)before)[i], 0x5a);
    *peak = most - own;
    perp_arena_free(&a);
}

/* In a buffer of just the size, at any address while that is cheap. */
static void repeat_fixed(const perp_problem *p, const perp_options *o, const answer *first,
                         size_t peak)
{
    static answer again;
    size_t size = peak + 128;
    unsigned char *buffer = malloc(size + 64);
    ck_assert_ptr_nonnull(buffer);
    for (size_t shift = 1; shift < 64; shift += p->as.lcp.n < 100 ? 9 : 62) {
        perp_arena a;
        memset(buffer, 0xff, size + 64); /* NaN, for who reads what was not written */
        perp_arena_fixed(&a, buffer + shift, size);
        for (int k = 0; k < 2; k++) {
            long made = solve(p, o, &a, &again);
            ck_assert_msg(made == 0, WHERE "%ld allocations, fixed", WHERE_ARGS, made);
            ck_assert_msg(a.allocations == 0, WHERE "a fixed arena grew", WHERE_ARGS);
            ck_assert_msg(a.peak == peak, WHERE "another peak, fixed", WHERE_ARGS);
            ck_assert_msg(same(first, &again), WHERE "other bits, fixed", WHERE_ARGS);
        }
        for (size_t k = 0; k < shift; k++) ck_assert_int_eq(buffer[k], 0xff);
        for (size_t k = shift + size; k < size + 64; k++) ck_assert_int_eq(buffer[k], 0xff);
        perp_arena_free(&a);
    }
    free(buffer);
}

static void repeat(const perp_problem *p, const perp_options *o)
{
    static answer first;
    size_t peak;
    repeat_growing(p, o, &first, &peak);
    if (uses_suitesparse(p, o)) return;
    repeat_fixed(p, o, &first, peak);
}

/* In a buffer of perp_bytes: memory suffices, and nobody asks for other memory. */
static void solve_in_bytes(const perp_problem *p, const perp_options *o)
{
    static answer out;
    perp_arena scratch = {0}, a;
    perp_error e;
    size_t bytes = perp_bytes(p, o, &scratch, &e);
    ck_assert_msg(bytes > 0 || e.status == PERP_E_FORMAT, "%s: %s", o->solver->name, e.text);
    if (bytes == 0) return; /* bounds that follow */
    void *buffer = malloc(bytes);
    ck_assert_ptr_nonnull(buffer);
    perp_arena_fixed(&a, buffer, bytes);
    long made = solve(p, o, &a, &out);
    ck_assert_msg(made == 0, "%s on %s: %ld allocations in %zu bytes", o->solver->name, p->name,
                  made, bytes);
    ck_assert_msg(out.status != PERP_E_MEMORY, "%s on %s: no memory in %zu bytes", o->solver->name,
                  p->name, bytes);
    free(buffer);
}

/* ---- every LCP solver ---- */

static void repeat_all(const char *family, int n)
{
    perp_arena a = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find(family), n, 3, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    p.name = family;
    repeat(&p, NULL);
    for (int i = 0; perp_solvers()[i]; i++) {
        const perp_solver *s = perp_solvers()[i]->solver;
        if (s->kind != PERP_KIND_LCP) continue;
        perp_options *o = perp_options_new(&a, s->name);
        ck_assert_ptr_nonnull(o);
        int most = n < MOST ? 3000 : 300; /* sweeps that lead nowhere take time, and active sets */
        if (o->max_iter > most) o->max_iter = most;
        repeat(&p, o);
        solve_in_bytes(&p, o);
    }
    perp_arena_free(&a);
}

/* The sparse one is converted in the arena for some solvers; the last ends with a proof, and the
 * auto chain gets further. */
START_TEST(repeated)
{
    static const char *const families[] = {"pd", "psd", "obstacle", "infeasible_row"};
    repeat_all(families[_i % FAMILIES], sizes[_i / FAMILIES]);
}
END_TEST

/* A start from z takes other paths through the memory; the answer starts the next solve. */
START_TEST(warm)
{
    static answer cold, first, again;
    perp_arena a = {0}, own = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find("pd"), sizes[_i], 5, &own, &g));
    perp_problem p = lcp_generated_problem(&g);
    for (int i = 0; perp_solvers()[i]; i++) {
        const perp_solver *s = perp_solvers()[i]->solver;
        if (s->kind != PERP_KIND_LCP) continue;
        perp_options *o = perp_options_new(&own, s->name);
        ck_assert_ptr_nonnull(o);
        if (o->max_iter > 1000) o->max_iter = 1000;
        solve(&p, o, &a, &cold);
        o->warm_start = true;
        long made = 0;
        for (int k = 0; k < 2; k++) {
            answer *out = k ? &again : &first;
            memset(out, 0, sizeof *out);
            for (int j = 0; j < p.as.lcp.n; j++) out->z[j] = j % 7 ? cold.z[j] : 1;
            made = solve_from(&p, o, &a, out);
        }
        ck_assert_msg(made == 0, "%s, n = %d: %ld allocations", s->name, p.as.lcp.n, made);
        ck_assert_msg(same(&first, &again), "%s, n = %d: other bits", s->name, p.as.lcp.n);
        ck_assert_uint_eq(a.used, 0);
    }
    perp_arena_free(&own);
    perp_arena_free(&a);
}
END_TEST

/* ---- every solver of the other kinds ---- */

static const struct {
    const char *family, *form;
    int size;
} others[] = {
    {"mcp_box", NULL, 40},       {"mcp_friction", NULL, 12}, {"boxes", "mcp", 3},
    {"boxes", "mcp_facets", 2},  {"qp_sparse", NULL, 60},    {"qp_convex", NULL, 20},
    {"nnls_jacobian", NULL, 6},  {"nnls_random", NULL, 20},  {"packing", "fc3d", 12},
    {"packing", "fc3d_body", 6}, {"chain", "fc3d_body", 4},
};

/* Nothing is allocated the second time, but by SuiteSparse where the build has it and the solver is
 * flagged. */
START_TEST(other_kinds)
{
    static answer first, again;
    perp_arena own = {0};
    generate_request request = generate_defaults;
    generated_problem g;
    perp_error e;
    request.family = others[_i].family;
    request.form = others[_i].form;
    request.size = others[_i].size;
    ck_assert_msg(!generate_problem(&request, &own, &g, &e), "%s", e.text);
    ck_assert_int_le(perp_size(&g.p), MOST);
    for (int i = 0; perp_solvers()[i]; i++) {
        const perp_solver *s = perp_solvers()[i]->solver;
        perp_arena a = {0};
        if (s->kind != g.p.kind) continue;
        perp_options *o = perp_options_new(&own, s->name);
        if (o->max_iter > 300) o->max_iter = 300;
        solve(&g.p, o, &a, &first);
        unsigned allocations = a.allocations;
        long made = solve(&g.p, o, &a, &again);
        ck_assert_msg(made == 0 || (GPL && s->flags & PERP_SOLVER_MAY_ALLOCATE),
                      "%s on %s: %ld allocations", s->name, others[_i].family, made);
        ck_assert_msg(a.allocations == allocations, "%s on %s: the arena grew", s->name,
                      others[_i].family);
        ck_assert_msg(same(&first, &again), "%s on %s: other bits", s->name, others[_i].family);
        perp_arena_free(&a);
        g.p.name = others[_i].family;
        solve_in_bytes(&g.p, o);
    }
    perp_arena_free(&own);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory");
    TCase *tests = tcase_create("memory");
    tcase_add_test(tests, calls_are_counted);
    tcase_add_loop_test(tests, repeated, 0, FAMILIES * SIZES);
    tcase_add_loop_test(tests, warm, 0, SIZES);
    tcase_add_loop_test(tests, other_kinds, 0, (int)(sizeof others / sizeof *others));
    tcase_set_timeout(tests, 100);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
