/* tests/core/test_misuse.c: sound data, but options, kinds, formats or arenas that do not do. Each
 * gives its typed status and one sentence that names the place; z is left finite and nothing is
 * printed. Every allocation of every solver fails in turn. */
#include "refusal.h"

#include <stdlib.h>

/* ---- options, kinds, formats ---- */

/* A solver's options with one field changed by `spoil` are refused, and the field is named. */
static void option_refused(const char *solver, void (*spoil)(perp_options *o), const char *place)
{
    sample s;
    perp_arena arena = {0};
    make_sample(&s);
    perp_options *o = perp_options_new(&arena, solver);
    ck_assert_ptr_nonnull(o);
    spoil(o);
    answer a = solve(&s.dense, o);
    ck_assert_msg(a.status == PERP_E_OPTION && strstr(a.r.detail, place),
                  "%s: %s, '%s'; expected bad_option naming %s", solver, perp_status_name(a.status),
                  a.r.detail, place);
    perp_arena_free(&arena);
}

#define SPOIL(name, type, field, value)                                                            \
    static void name(perp_options *o)                                                              \
    {                                                                                              \
        ((type *)(void *)o)->field = value;                                                        \
    }
SPOIL(negative_tol, perp_options, tol, -1e-8)
SPOIL(nan_tol, perp_options, tol, NAN)
SPOIL(negative_iterations, perp_options, max_iter, -1)
SPOIL(negative_seconds, perp_options, max_seconds, -1)
SPOIL(nan_seconds, perp_options, max_seconds, NAN)
SPOIL(no_threads, perp_options, threads, 0)
SPOIL(no_solver, perp_options, solver, NULL)
SPOIL(zero_omega, perp_lcp_psor_options, omega, 0)
SPOIL(large_omega, perp_lcp_psor_options, omega, 2)
SPOIL(nan_omega, perp_lcp_psor_options, omega, NAN)
SPOIL(no_cover, perp_lcp_lemke_options, cover, (perp_cover)2)

START_TEST(options_out_of_range)
{
    for (int k = 0; nth_solver(k); k++) {
        const char *name = nth_solver(k)->solver->name;
        option_refused(name, negative_tol, "tol = -1e-08");
        option_refused(name, nan_tol, "tol = ");
        option_refused(name, negative_iterations, "max_iter = -1");
        option_refused(name, negative_seconds, "max_seconds = -1");
        option_refused(name, nan_seconds, "max_seconds = ");
        option_refused(name, no_threads, "threads = 0");
        option_refused(name, no_solver, "solver");
    }
    option_refused("lcp/psor", zero_omega, "omega = 0");
    option_refused("lcp/psor", large_omega, "omega = 2");
    option_refused("lcp/psor", nan_omega, "omega = ");
    option_refused("lcp/lemke", no_cover, "cover = 2");
}
END_TEST

START_TEST(misspelt)
{
    perp_arena a = {0};
    perp_error e = {0};
    sample s;
    make_sample(&s);
    answer b = solve(&s.dense, perp_options_new(&a, "lcp/lemkee"));
    ck_assert_int_eq(b.status, PERP_E_OPTION);
    ck_assert_msg(strstr(b.r.detail, "'lcp/lemke'"), "%s", b.r.detail);
    perp_options *o = perp_options_new(&a, "lcp/psor");
    ck_assert_ptr_nonnull(o);
    ck_assert_int_eq(perp_options_set(o, "omgea", "1.5", &e), PERP_E_OPTION);
    ck_assert_msg(strstr(e.text, "'omgea'") && strstr(e.text, "'omega'"), "%s", e.text);
    ck_assert_int_eq(perp_options_set(o, "omega", "1,5", &e), PERP_E_OPTION);
    ck_assert_msg(strstr(e.text, "omega = '1,5'"), "%s", e.text);
    perp_arena_free(&a);
}
END_TEST

/* No kind but LCP is an LCP. */
START_TEST(other_kinds)
{
    static const double x[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, -1, -1}, mu[1] = {0.5};
    perp_matrix I = perp_dense(3, 3, x);
    perp_problem ncp = {.kind = PERP_KIND_NCP, .as.ncp.F = {.n = 3, .M = I, .q = q}};
    const perp_problem all[] = {ncp, perp_make_mcp(3, I, q, NULL, NULL),
                                perp_make_fc3d(1, I, q, mu), perp_make_nnls(I, q),
                                perp_make_qp(3, 0, I, q, (perp_matrix){0}, NULL, NULL)};
    for (int p = 0; p < 5; p++) {
        const char *kind = perp_kind_name(all[p].kind);
        for (int k = 0; nth_solver(k); k++) {
            answer a = solve(&all[p], nth_solver(k));
            ck_assert_int_eq(a.status, PERP_E_OPTION);
            ck_assert_msg(strstr(a.r.detail, kind) && strstr(a.r.detail, "lcp"), "%s", a.r.detail);
        }
    }
}
END_TEST

START_TEST(formats)
{
    sample s;
    make_sample(&s);
    perp_problem p = perp_make_lcp(3, as_operator(&s.dense.as.lcp.M), s.q);
    for (int k = 0; k == 0 || nth_solver(k - 1); k++) {
        const perp_options *o = nth_solver(k);
        const perp_options *used = o ? o : perp_find("lcp/auto");
        if (used->solver->formats[0] & PERP_FORMAT_OPERATOR) continue;
        answer a = solve(&p, o);
        ck_assert_msg(a.status == PERP_E_FORMAT && strstr(a.r.detail, "operator"), "%s: %s",
                      perp_status_name(a.status), a.r.detail);
    }
    int start[22] = {0};
    double q[21] = {-1};
    perp_problem large = perp_make_lcp(21, perp_csc(21, 21, start, NULL, NULL), q);
    answer a = solve(&large, perp_find("lcp/enumerate"));
    ck_assert_int_eq(a.status, PERP_E_ARGUMENT);
    ck_assert_msg(strstr(a.r.detail, "n = 21"), "%s", a.r.detail);
}
END_TEST

/* Without an iteration the start is judged, and returned. */
START_TEST(no_iterations)
{
    sample s;
    make_sample(&s);
    for (int k = 0; nth_solver(k); k++) {
        perp_arena arena = {0};
        perp_options *o = nth_options(k, &arena);
        o->max_iter = 0;
        answer a = solve(&s.dense, o);
        ck_assert_msg(a.status == PERP_MAX_ITER, "%s: %s", o->solver->name, a.r.detail);
        ck_assert_int_eq(a.r.iterations, 0);
        for (int i = 0; i < 3; i++) ck_assert_double_eq(a.z[i], 0);
        ck_assert_double_eq_tol(a.r.residual.value, 1, 1e-15); /* |min(0, q)| / |q| */
        for (int i = 0; i < 3; i++) ck_assert_double_eq(a.w[i], s.q[i]);
        perp_arena_free(&arena);
    }
}
END_TEST

/* ---- arenas that run out ---- */

/* An answer from too little memory: no_memory, or the same by way of what needs less of it. Only
 * auto may end otherwise, where a later solver of its chain had room enough to fail by itself. */
static void check_starved(const perp_problem *p, const perp_options *o, const answer *full,
                          const answer *a)
{
    const char *name = o ? o->solver->name : "lcp/auto";
    bool fair = a->status == PERP_E_MEMORY || a->status == full->status;
    if (strcmp(name, "lcp/auto") == 0) fair |= a->status == PERP_RAY;
    ck_assert_msg(fair, "%s: %s (%s) from too little memory, %s from enough", name,
                  perp_status_name(a->status), a->r.detail, perp_status_name(full->status));
    if (a->status == PERP_SOLVED) {
        ck_assert_double_le(certify(p, a->z, PERP_SOLVED).value, 1e-8);
    }
    if (a->status == PERP_INFEASIBLE || a->status == PERP_RAY) {
        ck_assert_int_eq(check_claim(p, a->status, a->w, NULL), PERP_SOLVED);
    }
}

/* Every size of a fixed buffer: every allocation in turn is the first to find no room. */
static void starve_fixed(const perp_problem *p, const perp_options *o)
{
    perp_arena arena = {0};
    answer full = solve_with(p, o, &arena), a = {0};
    size_t enough = arena.peak + 128;
    perp_arena_free(&arena);
    ck_assert_msg(full.status >= 0 || full.status == PERP_E_NUMBER, "%s", full.r.detail);
    for (size_t size = 0; size <= enough; size += 64) {
        unsigned char *buffer = malloc(size + 1); /* so tight that a sanitizer sees beyond it */
        ck_assert_ptr_nonnull(buffer);
        perp_arena_fixed(&arena, size ? buffer : NULL, size);
        a = solve_with(p, o, &arena);
        ck_assert_uint_eq(arena.used, 0);
        check_starved(p, o, &full, &a);
        if (size == 0) ck_assert_int_eq(a.status, PERP_E_MEMORY);
        a = solve_with(p, o, &arena); /* once more: the failure left nothing behind */
        check_starved(p, o, &full, &a);
        free(buffer);
    }
#ifdef PERP_GPL /* SuiteSparse's memory is not in the peak */
    if (a.status == PERP_E_MEMORY && p->as.lcp.M.format != PERP_FORMAT_DENSE) return;
#endif
    ck_assert_int_eq(a.status, full.status);
}

static void starve_growing(const perp_problem *p, const perp_options *o)
{
    answer full = solve(p, o), a = {0};
    bool done = false;
    for (int calls = 0; !done; calls++) {
        supply s = {.left = calls};
        perp_arena arena = {.resize = scarce, .ctx = &s};
        ck_assert_int_lt(calls, 100);
        a = solve_with(p, o, &arena);
        ck_assert_uint_eq(arena.used, 0);
        check_starved(p, o, &full, &a);
        if (calls == 0) ck_assert_int_eq(a.status, PERP_E_MEMORY);
        done = s.left > 0;
        s.left = 100; /* and with memory again, all is well in the same arena */
        a = solve_with(p, o, &arena);
        ck_assert_int_eq(a.status, full.status);
        ck_assert_mem_eq(a.z, full.z, sizeof a.z);
        perp_arena_free(&arena);
        ck_assert_int_eq(s.out, 0);
    }
}

static void starve(const char *family, int n)
{
    perp_arena own = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find(family), n, 2, &own, &g));
    perp_problem p = lcp_generated_problem(&g);
    for (int k = 0; k == 0 || nth_solver(k - 1); k++) {
        const perp_options *o = nth_solver(k);
        starve_fixed(&p, o);
        starve_growing(&p, o);
    }
    perp_arena_free(&own);
}

START_TEST(arena_runs_out)
{
    static const char *const families[] = {"pd", "degenerate", "infeasible_row", "obstacle",
                                           "random"};
    starve(families[_i], 1);
    starve(families[_i], 6);
    starve(families[_i], 10);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("misuse");
    TCase *tests = tcase_create("misuse");
    tcase_add_test(tests, options_out_of_range);
    tcase_add_test(tests, misspelt);
    tcase_add_test(tests, other_kinds);
    tcase_add_test(tests, formats);
    tcase_add_test(tests, no_iterations);
    tcase_add_loop_test(tests, arena_runs_out, 0, 5);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
