/* tests/cone/test_nsgs.c: sweeps over cones: answers, formats, limits, memory. */
#include "generate_support.h"
#include "support.h"

#include "base/watch.h"
#include "perp/solvers.h"

#include <limits.h>

START_TEST(known_answers)
{
    static const char *const names[] = {"cone_known", "cone_convex", "cone_mixed"};
    int solved = 0;
    for (int k = 0; k < 60; k++) {
        perp_arena a = {0};
        perp_result r;
        perp_cone_nsgs_options o = perp_cone_nsgs_defaults();
        generated_problem g = problem_make(names[k % 3], NULL, 1 + k % 6, (uint64_t)k + 1, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        o.base.max_iter = 2000;
        perp_status status = solve_checked(&g.p, &o.base, z, NULL, &r);
        ck_assert_msg(status >= 0, "%s", r.detail);
        solved += status == PERP_SOLVED;
        perp_arena_free(&a);
    }
    ck_assert_int_ge(solved, 40);
}
END_TEST

/* A solution as the start takes no sweep, and another format gives the same sweeps. */
START_TEST(starts_and_formats)
{
    perp_arena a = {0};
    perp_result r, other;
    perp_cone_nsgs_options o = perp_cone_nsgs_defaults();
    generated_problem g = problem_make("cone_convex", NULL, 30, 4, &a);
    size_t n = (size_t)perp_size(&g.p);
    double *z = perp_alloc(&a, n, sizeof *z), *y = perp_alloc(&a, n, sizeof *y);
    o.base.max_iter = 10;
    perp_solve(&g.p, &o.base, &a, z, NULL, &r);
    ck_assert_int_eq(r.iterations, 10);
    ck_assert(!perp_convert(&g.p.as.cone.W, PERP_FORMAT_CSC, &a, &g.p.as.cone.W, NULL));
    perp_solve(&g.p, &o.base, &a, y, NULL, &other);
    for (size_t i = 0; i < n; i++) ck_assert_double_eq_tol(z[i], y[i], 1e-12);
    for (size_t i = 0; i < n; i++) z[i] = g.z[i];
    o.base.warm_start = true;
    ck_assert_int_eq(perp_solve(&g.p, &o.base, &a, z, NULL, &r), PERP_SOLVED);
    ck_assert_int_eq(r.iterations, 0);
    perp_arena_free(&a);
}
END_TEST

/* True from the k-th look on. */
typedef struct countdown {
    int left, looks;
} countdown;

static bool count_down(void *ctx)
{
    countdown *c = ctx;
    c->looks++;
    return --c->left < 0;
}

/* Blocks are opened and swept in slices: the watch may ask to stop after each. */
START_TEST(stopped_within_a_sweep)
{
    enum { slices = 4, sweeps = 3 };
    perp_arena a = {0};
    perp_result r;
    generated_problem g = problem_make("cone_convex", NULL, 64 * slices + 20, 2, &a);
    double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
    perp_cone_nsgs_options o = perp_cone_nsgs_defaults();
    o.base.max_iter = sweeps;
    int opening = 0; /* looks before the first sweep */
    for (int k = sweeps; k >= 0; k--) {
        countdown c = {.left = k < sweeps ? opening + slices * k + 1 : INT_MAX};
        perp_watch watch = {.stop = count_down, .ctx = &c};
        a.watch = &watch;
        perp_status status = perp_solve(&g.p, &o.base, &a, z, NULL, &r);
        a.watch = NULL;
        ck_assert_int_eq(status, k < sweeps ? PERP_STALLED : PERP_MAX_ITER);
        ck_assert_int_eq(r.iterations, k < sweeps ? k + 1 : sweeps);
        if (k == sweeps) opening = c.looks - slices * sweeps;
        ck_assert_int_ge(opening, slices);
        if (k < sweeps) ck_assert_int_eq(c.looks, opening + slices * k + 2);
        ck_assert(r.residual.value < INFINITY);
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(memory)
{
    perp_arena a = {0};
    perp_cone_nsgs_options o = perp_cone_nsgs_defaults();
    generated_problem g = problem_make("cone_mixed", NULL, 2, 1, &a);
    o.base.max_iter = 3;
    solve_starved(&g.p, &o.base, PERP_MAX_ITER);
    solve_confined(&g.p, &o.base, PERP_MAX_ITER);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cone_nsgs");
    TCase *c = tcase_create("nsgs");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, known_answers);
    tcase_add_test(c, starts_and_formats);
    tcase_add_test(c, stopped_within_a_sweep);
    tcase_add_test(c, memory);
    suite_add_tcase(s, c);
    return support_run(s);
}
