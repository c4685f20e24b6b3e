/* tests/core/test_starved.c: memory ends at every place where a solver asks for it, each in turn,
 * of every solver on small problems in every format that it reads. It says so, z holds numbers,
 * nothing leaks, and with enough memory it ends as it does otherwise. */
#include "generate.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64          /* unknowns */
#define LARGEST 16777216 /* bytes that a small problem may take in a fixed buffer */
#define PLACE 64         /* bytes: what the arena aligns to, so that no place is left out */

typedef struct ending {
    perp_status status;
    char detail[sizeof((perp_result *)0)->detail];
} ending;

static ending solve(const perp_problem *p, const char *solver, perp_arena *a)
{
    static double z[MOST], w[MOST];
    perp_arena own = {0};
    perp_options *o = perp_options_new(&own, solver);
    perp_result r;
    ck_assert_ptr_nonnull(o);
    ck_assert_int_le(perp_size(p), MOST);
    memset(z, 0, sizeof z);
    ending e = {.status = perp_solve(p, o, a, z, w, &r)};
    for (int i = 0; i < perp_size(p); i++) ck_assert_msg(isfinite(z[i]), "%s: z", solver);
    memcpy(e.detail, r.detail, sizeof e.detail);
    perp_arena_free(&own);
    return e;
}

static bool ends_alike(const char *solver, const ending *full, const ending *e)
{
    if (e->status == full->status) return true;
    ck_assert_msg(e->status == PERP_E_MEMORY, "%s: %s instead of %s: %s", solver,
                  perp_status_name(e->status), perp_status_name(full->status), e->detail);
    bool named = strstr(e->detail, "memory") || strstr(e->detail, "no room");
    ck_assert_msg(named, "%s: %s", solver, e->detail);
    return false;
}

/* The k-th call of the arena for memory fails, and all after it. */
static void starve(const perp_problem *p, const char *solver, const ending *full)
{
    bool done = false;
    for (int left = 0; !done; left++) {
        supply c = {.left = left};
        perp_arena a = {.resize = scarce, .ctx = &c};
        ending e = solve(p, solver, &a);
        done = ends_alike(solver, full, &e);
        perp_arena_free(&a);
        ck_assert_msg(c.out == 0, "%s: %d blocks lost", solver, c.out);
        ck_assert_int_lt(left, 1000);
    }
}

/* Buffers that end at every place. */
static void confine(const perp_problem *p, const char *solver, const ending *full)
{
    static char buffer[LARGEST];
    bool done = false;
    for (size_t size = 0; !done; size += PLACE) {
        perp_arena a;
        ck_assert_msg(size <= LARGEST, "%s needs more than %d bytes", solver, LARGEST);
        perp_arena_fixed(&a, buffer, size);
        ending e = solve(p, solver, &a);
        done = ends_alike(solver, full, &e);
        perp_arena_free(&a);
    }
}

static void try_solvers(const perp_problem *p)
{
    const char *kind = perp_kind_name(p->kind);
    size_t length = strlen(kind);
    for (const perp_options *const *o = perp_solvers(); *o; o++) {
        const char *solver = perp_solver_name(*o);
        if (strncmp(solver, kind, length) != 0 || solver[length] != '/') continue;
        perp_arena a = {0};
        ending full = solve(p, solver, &a);
        perp_arena_free(&a);
        if (full.status < 0) continue; /* not for this problem */
        starve(p, solver, &full);
        confine(p, solver, &full);
    }
}

static const struct {
    const char *family, *form;
    int size;
} cases[] = {
    {"pd", NULL, 4},         {"obstacle", NULL, 5},        {"infeasible_psd", NULL, 3},
    {"mcp_box", NULL, 4},    {"mcp_friction", NULL, 2},    {"nnls_random", NULL, 3},
    {"qp_convex", NULL, 3},  {"qp_sparse", NULL, 4},       {"qp_infeasible", NULL, 3},
    {"fc3d_known", NULL, 2}, {"fc3d_body_known", NULL, 2}, {"stack", "fc3d_body", 1},
};
enum { CASES = sizeof cases / sizeof *cases };

START_TEST(every_place)
{
    perp_arena a = {0};
    generate_request r = generate_defaults;
    generated_problem g = {0};
    perp_error e = {0};
    r.family = cases[_i].family;
    r.form = cases[_i].form;
    r.size = cases[_i].size;
    ck_assert_msg(generate_problem(&r, &a, &g, &e) == PERP_SOLVED, "%s", e.text);
    try_solvers(&g.p);
    perp_arena_free(&a);
}
END_TEST

/* The same matrix by rows, in compressed columns and rows, and as an operator. */
START_TEST(every_format)
{
    static const double M[] = {4, -1, 0, -1, 4, -1, 0, -1, 4}, q[] = {-1, 2, -3};
    static const perp_format formats[] = {PERP_FORMAT_DENSE_ROWS, PERP_FORMAT_CSC, PERP_FORMAT_CSR,
                                          PERP_FORMAT_OPERATOR};
    perp_arena a = {0};
    perp_matrix A = perp_dense(3, 3, M), B;
    if (formats[_i] == PERP_FORMAT_OPERATOR)
        B = as_operator(&A);
    else
        ck_assert_int_eq(perp_convert(&A, formats[_i], &a, &B, NULL), PERP_SOLVED);
    perp_problem p = perp_make_lcp(3, B, q);
    try_solvers(&p);
    static const double lo[] = {-1, -1, -1}, hi[] = {1, 1, 1};
    p = perp_make_mcp(3, B, q, lo, hi);
    try_solvers(&p);
    p = perp_make_ncp((perp_map){.n = 3, .M = B, .q = q});
    try_solvers(&p);
    p = perp_make_nnls(B, q);
    try_solvers(&p);
    p = perp_make_qp(3, 3, B, q, B, lo, hi);
    try_solvers(&p);
    const double mu[] = {0.5};
    p = perp_make_fc3d(1, B, q, mu);
    try_solvers(&p);
    perp_arena_free(&a);
}
END_TEST

static bool eval_cubic(void *ctx, const double *z, double *F)
{
    (void)ctx;
    F[0] = 2 * z[0] + z[0] * z[0] * z[0] - z[1] - 1;
    F[1] = 3 * z[1] - z[0] + 1;
    return true;
}

START_TEST(callbacks)
{
    static const double lo[] = {0, -1}, hi[] = {2, 1};
    perp_map F = {.n = 2, .eval = eval_cubic};
    perp_problem p = perp_make_mcp_map(F, lo, hi);
    try_solvers(&p);
    p = perp_make_ncp(F);
    try_solvers(&p);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("starved");
    TCase *c = tcase_create("starved");
    tcase_set_timeout(c, 300);
    tcase_add_loop_test(c, every_place, 0, CASES);
    tcase_add_loop_test(c, every_format, 0, 4);
    tcase_add_test(c, callbacks);
    suite_add_tcase(s, c);
    return support_run(s);
}
