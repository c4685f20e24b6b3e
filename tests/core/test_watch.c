/* tests/core/test_watch.c: limits that hold within a factorisation, and sparse problems in fixed
 * arenas.
 *
 * The monitor counts how often it is asked; a factorisation asks it at most every 20 ms, so that
 * the problems here are large enough for their first one to take longer. */
#include "generate.h"
#include "perp/perp.h"
#include "support.h"

#include <check.h>
#include <stdlib.h>
#include <time.h>

#ifdef PERP_GPL
#define GPL true
#else
#define GPL false
#endif

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* -div grad on a k x k x k grid with a wind, which makes it nonsymmetric; q is negative in most
 * places, so that most unknowns are free: one factorisation of nearly all of it. */
static perp_problem solid(perp_arena *a, int k, bool wind, double *lo)
{
    int n = k * k * k, at = 0, *p = perp_alloc(a, (size_t)n + 1, sizeof *p);
    int *i = perp_alloc(a, 7 * (size_t)n, sizeof *i);
    double *x = perp_alloc(a, 7 * (size_t)n, sizeof *x), *q = perp_alloc(a, (size_t)n, sizeof *q);
    const int step[] = {-k * k, -k, -1, 0, 1, k, k * k};
    for (int j = 0; j < n; j++) {
        int c[] = {j % k, j / k % k, j / k / k};
        for (int s = 0; s < 7; s++) {
            int axis = s == 2 || s == 4 ? 0 : s == 1 || s == 5 ? 1 : 2;
            if ((s < 3 && c[axis] == 0) || (s > 3 && c[axis] == k - 1)) continue;
            i[at] = j + step[s];
            x[at++] = s == 3 ? (wind ? 6.6 : 6.1) : s == 4 && wind ? -1.5 : -1;
        }
        p[j + 1] = at;
        q[j] = j % 11 ? -1 : 1;
        lo[j] = 0;
    }
    return perp_make_mcp(n, perp_csc(n, n, p, i, x), q, lo, NULL);
}

typedef struct stopper {
    int calls;
    double seconds; /* from when on it says stop */
} stopper;

static bool watch(void *ctx, const perp_progress *p)
{
    stopper *s = ctx;
    s->calls++;
    return !(p->seconds > s->seconds);
}

static const char *const solvers[] = {"mcp/newton_fb", "mcp/josephy", "mcp/path", "mcp/auto"};

/* A factorisation takes a second and more; the end comes within a tenth of it. */
START_TEST(ends_within_a_factorisation)
{
    if (GPL) return; /* SuiteSparse's do not look */
    enum { K = 30 };
    static double lo[K * K * K], z[K * K * K];
    perp_arena data = {0}, a = {0};
    perp_problem p = solid(&data, K, _i % 2, lo);
    for (int cancel = 0; cancel < 2; cancel++) {
        perp_result r;
        stopper s = {.seconds = cancel ? 0.1 : INFINITY};
        perp_options *o = perp_options_new(&data, solvers[_i]);
        o->max_seconds = cancel ? 0 : 0.1;
        o->monitor = watch;
        o->monitor_ctx = &s;
        double start = cpu_now();
        perp_status status = perp_solve(&p, o, &a, z, NULL, &r);
        double spent = cpu_now() - start;
        ck_assert_msg(status == (cancel ? PERP_CANCELLED : PERP_MAX_SECONDS), "%s: %s (%s)",
                      solvers[_i], perp_status_name(status), r.detail);
        if (_i < 3) ck_assert_int_gt(s.calls, r.iterations); /* it was asked within an iteration */
        ck_assert_msg(spent < 1, "%s: %g s of processor time", solvers[_i], spent);
        ck_assert_double_lt(r.residual.value, INFINITY);
        for (int i = 0; i < p.as.mcp.F.n; i++) ck_assert(isfinite(z[i]));
    }
    perp_arena_free(&a);
    perp_arena_free(&data);
}
END_TEST

/* Without a limit nobody is asked, and what a stopped solve left in the arena changes no bit. */
START_TEST(a_stopped_solve_leaves_no_trace)
{
    enum { K = 12 };
    static double lo[K * K * K], z[K * K * K], y[K * K * K];
    perp_arena data = {0}, a = {0}, b = {0};
    perp_problem p = solid(&data, K, true, lo);
    perp_result r;
    perp_options *o = perp_options_new(&data, solvers[_i]);
    ck_assert_int_eq(perp_solve(&p, o, &a, z, NULL, &r), PERP_SOLVED);
    ck_assert_ptr_null(a.watch);
    o->max_seconds = 1e-4;
    perp_solve(&p, o, &b, y, NULL, &r);
    o->max_seconds = 0;
    ck_assert_ptr_null(b.watch);
    ck_assert_int_eq(perp_solve(&p, o, &b, y, NULL, &r), PERP_SOLVED);
    ck_assert_mem_eq(z, y, sizeof z);
    perp_arena_free(&a);
    perp_arena_free(&b);
    perp_arena_free(&data);
}
END_TEST

/* ---- fixed arenas ---- */

static const char *const sparse_solvers[] = {"mcp/auto",    "mcp/path",       "mcp/newton_fb",
                                             "mcp/josephy", "lcp/newton_min", "lcp/newton_fb",
                                             "lcp/pivot",   "lcp/auto"};

/* A buffer of the peak of a growing arena and 128 bytes: the same bits, and nothing is refused. */
START_TEST(sparse_in_a_fixed_arena)
{
    enum { K = 6, N = K * K * K };
    static double lo[N], z[N], y[N];
    bool lcp = strncmp(sparse_solvers[_i], "lcp", 3) == 0;
    for (int wind = 0; wind < 2; wind++) {
        perp_arena data = {0}, a = {0}, fixed;
        perp_problem p = solid(&data, K, wind, lo);
        perp_result r;
        if (lcp) p = perp_make_lcp(N, p.as.mcp.F.M, p.as.mcp.F.q);
        const perp_options *o = perp_find(sparse_solvers[_i]);
        ck_assert_int_eq(perp_solve(&p, o, &a, z, NULL, &r), PERP_SOLVED);
        size_t size = GPL ? 1 << 24 : a.peak + 128;
        char *buffer = malloc(size);
        perp_arena_fixed(&fixed, buffer, size);
        perp_status status = perp_solve(&p, o, &fixed, y, NULL, &r);
        ck_assert_msg(status == PERP_SOLVED, "%s: %s", sparse_solvers[_i], r.detail);
        if (!GPL) {
            ck_assert_mem_eq(z, y, sizeof z);
            ck_assert_uint_eq(fixed.peak, a.peak);
        }
        perp_arena_fixed(&fixed, buffer,
                         fixed.peak / 10); /* sweeps need no more, which auto takes */
        status = perp_solve(&p, o, &fixed, y, NULL, &r);
        ck_assert(status == PERP_E_MEMORY || strstr(sparse_solvers[_i], "auto"));
        free(buffer);
        perp_arena_free(&a);
        perp_arena_free(&data);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("watch");
    TCase *t = tcase_create("watch");
    tcase_add_loop_test(t, ends_within_a_factorisation, 0, 4);
    tcase_add_loop_test(t, a_stopped_solve_leaves_no_trace, 0, 4);
    tcase_add_loop_test(t, sparse_in_a_fixed_arena, 0, 8);
    tcase_set_timeout(t, 100);
    suite_add_tcase(s, t);
    return support_run(s);
}
