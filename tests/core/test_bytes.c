/* tests/core/test_bytes.c: perp_bytes counts what a solve needs, refuses what perp_solve refuses,
 * and leaves its scratch memory as it was. tests/random/sweep_bytes.c tries it on every solver. */
#include "core/defaults.h"
#include "core/internal.h"
#include "generate.h"
#include "support.h"

#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double M[] = {2, 1, 1, 2}, q[] = {-5, -6};

static perp_problem two(void)
{
    return perp_make_lcp(2, perp_dense(2, 2, M), q);
}

/* ---- a solver that takes what it is told to ---- */

static struct taken {
    size_t first, later, counted;
    bool nested, alternatives;
} taken;

static perp_status take(perp_run *run, double *z)
{
    if (!PERP_ALLOC(run, char, taken.first)) return PERP_E_MEMORY;
    if (taken.nested) perp_nested(run, run->problem, &perp_lcp_psor.base, z, NULL);
    for (int k = 0; k < 3 && perp_continue(run, z, 1); k++) {
        if (k == 0 && !PERP_ALLOC(run, char, taken.later)) return PERP_E_MEMORY;
    }
    return run->status == PERP_SOLVED ? PERP_MAX_ITER : run->status;
}

static void room(perp_run *run)
{
    perp_mark mark = perp_arena_mark(run->arena);
    if (taken.alternatives) perp_count(run->arena, taken.counted / 2, 1);
    if (taken.alternatives) perp_arena_release(run->arena, mark);
    perp_count(run->arena, taken.counted, 1);
}

static const perp_solver taking = {.name = "own/taking",
                                   .about = "takes memory",
                                   .kind = PERP_KIND_LCP,
                                   .formats = {PERP_FORMAT_DENSE},
                                   .options_size = sizeof(perp_options),
                                   .solve = take,
                                   .room = room};
static const perp_options options = {
    .size = sizeof options, .solver = &taking, .tol = 1e-8, .max_iter = 10, .threads = 1};

static size_t bytes_of(const perp_problem *p, const perp_options *o)
{
    perp_arena a = {0};
    perp_error e;
    size_t bytes = perp_bytes(p, o, &a, &e);
    ck_assert_msg(bytes > 0 || e.status < 0, "0 without an error");
    ck_assert_uint_eq(a.used, 0);
    ck_assert_uint_eq(a.allocations, 0);
    perp_arena_free(&a);
    return bytes;
}

/* Bytes are counted one for one, and alternatives once. */
START_TEST(counts)
{
    perp_problem p = two();
    taken = (struct taken){.first = 640, .later = 64, .counted = 64};
    size_t least = bytes_of(&p, &options);
    taken.first += 64000;
    ck_assert_uint_eq(bytes_of(&p, &options), least + 64000);
    taken.counted += 128000;
    ck_assert_uint_eq(bytes_of(&p, &options), least + 192000);
    taken.alternatives = true;
    ck_assert_uint_eq(bytes_of(&p, &options), least + 192000);
    taken = (struct taken){.first = 640, .later = 64, .counted = 64, .nested = true};
    ck_assert_uint_gt(bytes_of(&p, &options), least);
}
END_TEST

static perp_status solve_in(const perp_problem *p, const perp_options *o, size_t size)
{
    perp_arena a;
    perp_result r;
    double z[2], w[2];
    unsigned char *buffer = malloc(size + 1);
    ck_assert_ptr_nonnull(buffer);
    perp_arena_fixed(&a, buffer + 1, size);
    perp_status s = perp_solve(p, o, &a, z, w, &r);
    free(buffer);
    return s;
}

/* What is allocated after the first iteration has to be counted, or it is not there. */
START_TEST(what_comes_later)
{
    perp_problem p = two();
    taken = (struct taken){.first = 10000, .later = 30000, .counted = 30000};
    size_t enough = bytes_of(&p, &options);
    ck_assert_int_eq(solve_in(&p, &options, enough), PERP_MAX_ITER);
    taken.counted = 0;
    size_t less = bytes_of(&p, &options);
    ck_assert_uint_lt(less, enough - 29000);
    ck_assert_int_eq(solve_in(&p, &options, less), PERP_E_MEMORY);
}
END_TEST

/* ---- limits ---- */

START_TEST(no_buffer_is_enough)
{
    perp_problem p = two();
    perp_arena a = {0};
    perp_error e;
    perp_solver silent = taking;
    perp_options o = options;
    taken = (struct taken){.first = 64, .counted = SIZE_MAX / 2};
    ck_assert_uint_eq(perp_bytes(&p, &options, &a, &e), SIZE_MAX);
    ck_assert_int_eq(e.status, PERP_E_MEMORY);
    ck_assert_msg(strstr(e.text, "own/taking"), "%s", e.text);
    silent.room = NULL; /* nobody knows what it takes */
    o.solver = &silent;
    taken.counted = 0;
    ck_assert_uint_eq(perp_bytes(&p, &o, &a, NULL), SIZE_MAX);
    perp_arena_free(&a);
}
END_TEST

static void refused(const perp_problem *p, const perp_options *o)
{
    perp_arena a = {0};
    perp_error e;
    perp_result r;
    double z[2] = {0};
    ck_assert_uint_eq(perp_bytes(p, o, &a, &e), 0);
    perp_status s = perp_solve(p, o, &a, z, NULL, &r);
    ck_assert_int_lt(s, 0);
    ck_assert_int_eq(e.status, s);
    ck_assert_str_eq(e.text, r.detail);
    perp_arena_free(&a);
}

static void nothing(void *ctx, double a, const double *x, double b, double *y)
{
    (void)ctx;
    for (int i = 0; i < 2; i++) y[i] = a * x[i] + (b == 0 ? 0 : b * y[i]);
}

START_TEST(refusals)
{
    const double nan[] = {NAN, 1};
    perp_problem bad = perp_make_lcp(2, perp_dense(2, 2, M), nan), good = two(), opaque = two();
    perp_lcp_psor_options o = perp_lcp_psor;
    refused(&bad, NULL);
    refused(&good, perp_find("qp/ipm"));
    refused(&good, perp_find("lcp/psro"));
    o.omega = 7;
    refused(&good, &o.base);
    opaque.as.lcp.M = (perp_matrix){.format = PERP_FORMAT_OPERATOR, .m = 2, .n = 2};
    opaque.as.lcp.M.as.op.mul = nothing;
    refused(&opaque, perp_find("lcp/lemke"));
    perp_error e;
    ck_assert_uint_eq(perp_bytes(&good, NULL, NULL, &e), 0);
    ck_assert_int_eq(e.status, PERP_E_ARGUMENT);
    perp_arena a = {0};
    ck_assert_uint_eq(perp_bytes(NULL, NULL, &a, NULL), 0);
}
END_TEST

/* ---- scratch memory ---- */

START_TEST(scratch)
{
    static char buffer[1 << 20];
    perp_problem p = two();
    perp_arena fixed;
    perp_error e;
    for (int k = 0; perp_solvers()[k]; k++) {
        const perp_options *o = perp_solvers()[k];
        if (!perp_can_lift(PERP_KIND_LCP, o->solver->kind)) continue;
        size_t bytes = bytes_of(&p, o);
        perp_arena_fixed(&fixed, buffer, sizeof buffer);
        void *before = perp_alloc(&fixed, 100, 1);
        size_t used = fixed.used, peak = fixed.peak;
        ck_assert_uint_eq(perp_bytes(&p, o, &fixed, &e), bytes);
        ck_assert_uint_eq(fixed.used, used);
        ck_assert_uint_eq(fixed.peak, peak);
        ck_assert(!fixed.failed && !fixed.counting);
        ck_assert_ptr_eq((char *)before + 128, perp_alloc(&fixed, 1, 1));
        perp_arena_fixed(&fixed, buffer, 1000);
        ck_assert_uint_eq(perp_bytes(&p, o, &fixed, &e), 0);
        ck_assert_int_eq(e.status, PERP_E_MEMORY);
    }
}
END_TEST

/* Memory that ends anywhere is told, and given back. */
START_TEST(starved_scratch)
{
    perp_problem p = two();
    size_t bytes = bytes_of(&p, NULL), found = 0;
    for (int left = 0; found == 0; left++) {
        supply c = {.left = left};
        perp_arena a = {.resize = scarce, .ctx = &c};
        perp_error e;
        found = perp_bytes(&p, NULL, &a, &e);
        if (found == 0) ck_assert_int_eq(e.status, PERP_E_MEMORY);
        ck_assert_int_eq(c.out, 0);
        ck_assert_int_lt(left, 1000);
    }
    ck_assert_uint_eq(found, bytes);
}
END_TEST

/* A growing arena that has solved the problem, and keeps what it opened, tells the same. */
START_TEST(kept_objects)
{
    static const struct {
        const char *family, *form, *solver;
    } t[] = {{"packing", "fc3d", "fc3d/nsgs"},
             {"packing", "fc3d_body", "fc3d/prox"},
             {"qp_sparse", NULL, "qp/ipm"},
             {"nnls_jacobian", NULL, "nnls/pivot"}};
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        generate_request request = generate_defaults;
        generated_problem g;
        perp_arena own = {0}, a = {0};
        perp_result r;
        request.family = t[k].family;
        request.form = t[k].form;
        request.size = 6;
        ck_assert(!generate_problem(&request, &own, &g, NULL));
        double *z = perp_alloc(&own, (size_t)perp_size(&g.p), sizeof *z);
        const perp_options *o = perp_find(t[k].solver);
        size_t fresh = perp_bytes(&g.p, o, &a, NULL);
        perp_solve(&g.p, o, &a, z, NULL, &r);
        ck_assert_uint_eq(perp_bytes(&g.p, o, &a, NULL), fresh);
        ck_assert_uint_gt(fresh, 0);
        perp_arena_free(&own);
        perp_arena_free(&a);
    }
}
END_TEST

/* ---- how much too much ---- */

/* Solvers that pivot nowhere: at most four times the peak. */
static const struct {
    const char *solver, *family, *form;
    int size;
} tight[] = {
    {"lcp/psor", "pd", NULL, 60},
    {"lcp/cpg", "pd", NULL, 60},
    {"lcp/mprgp", "obstacle", NULL, 400},
    {"mcp/pgs", "mcp_box", NULL, 60},
    {"mcp/nncg", "mcp_box", NULL, 60},
    {"fc3d/nsgs", "packing", "fc3d", 20},
    {"fc3d/nncg", "packing", "fc3d", 20},
    {"fc3d/nsgs", "packing", "fc3d_body", 20},
    {"fc3d/cpg", "packing", "fc3d", 20},
    {"fc3d/admm", "packing", "fc3d", 20},
    {"nnls/pivot", "nnls_random", NULL, 40},
};

START_TEST(is_near_the_peak)
{
    generate_request request = generate_defaults;
    generated_problem g;
    perp_arena own = {0}, a;
    perp_result r;
    request.family = tight[_i].family;
    request.form = tight[_i].form;
    request.size = tight[_i].size;
    ck_assert(!generate_problem(&request, &own, &g, NULL));
    const perp_options *o = perp_find(tight[_i].solver);
    size_t bytes = perp_bytes(&g.p, o, &own, NULL), n = (size_t)perp_size(&g.p);
    double *z = perp_alloc(&own, n, sizeof *z), *w = perp_alloc(&own, n, sizeof *w);
    void *buffer = malloc(bytes);
    perp_arena_fixed(&a, buffer, bytes);
    ck_assert_int_ge(perp_solve(&g.p, o, &a, z, w, &r), 0);
    ck_assert_int_gt(r.iterations, 0);
    ck_assert_msg((double)bytes <= 4 * (double)a.peak + 128, "%s on %s: %zu bytes, peak %zu",
                  tight[_i].solver, tight[_i].family, bytes, a.peak);
    free(buffer);
    perp_arena_free(&own);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bytes");
    TCase *tests = tcase_create("bytes");
    tcase_add_test(tests, counts);
    tcase_add_test(tests, what_comes_later);
    tcase_add_test(tests, no_buffer_is_enough);
    tcase_add_test(tests, refusals);
    tcase_add_test(tests, scratch);
    tcase_add_test(tests, starved_scratch);
    tcase_add_test(tests, kept_objects);
    tcase_add_loop_test(tests, is_near_the_peak, 0, (int)(sizeof tight / sizeof *tight));
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
