/* tests/core/test_at_once.c: what a solver has at once is certified, or it is run as ever. */
#include "support.h"

#include "perp/solver.h"
#include "perp/solvers.h"

static int asked, ran, iterations; /* of the solver below; iterations: what it returns at once */
static double offered;

static int at_once(const perp_run *run, double *z)
{
    (void)run;
    asked++;
    z[0] = offered;
    return iterations;
}

/* z = 2 solves z - 2 = 0. */
static perp_status solve(perp_run *run, double *z)
{
    ran++;
    z[0] = 2;
    perp_continue(run, z, 0);
    return run->status;
}

static const perp_solver solver = {.name = "lcp/offers",
                                   .about = "offers a z before it is run",
                                   .kind = PERP_KIND_LCP,
                                   .formats = {PERP_FORMAT_DENSE},
                                   .options_size = sizeof(perp_options),
                                   .solve = solve,
                                   .room = perp_room_none,
                                   .at_once = at_once};

static perp_result run_with(perp_options o, double offer, int count, double *z)
{
    static const double M[1] = {1}, q[1] = {-2};
    perp_problem p = perp_make_lcp(1, perp_dense(1, 1, M), q);
    perp_arena a = {0};
    perp_result r;
    asked = ran = 0;
    offered = offer;
    iterations = count;
    perp_solve(&p, &o, &a, z, NULL, &r);
    perp_arena_free(&a);
    return r;
}

static const perp_options usual = {.solver = &solver, .tol = 1e-8, .max_iter = 100, .threads = 1};

START_TEST(a_solution_is_taken)
{
    double z[1] = {0};
    perp_result r = run_with(usual, 2, 3, z);
    ck_assert_int_eq(r.status, PERP_SOLVED);
    ck_assert_int_eq(r.iterations, 3);
    ck_assert_int_eq(asked, 1);
    ck_assert_int_eq(ran, 0);
    ck_assert_double_eq(z[0], 2);
    ck_assert_double_eq(r.residual.value, 0);
    ck_assert_str_eq(r.solver, "lcp/offers");
}
END_TEST

START_TEST(what_does_not_solve_is_forgotten)
{
    const double wrong[] = {1, 2.1, -7, NAN, INFINITY};
    for (int k = 0; k < 5; k++) {
        double z[1] = {0};
        perp_result r = run_with(usual, wrong[k], 1, z);
        ck_assert_int_eq(r.status, PERP_SOLVED);
        ck_assert_int_eq(ran, 1);
        ck_assert_double_eq(z[0], 2);
    }
    perp_options o = usual;
    o.max_iter = 0; /* the solver may not move: the start is what is left */
    double z[1] = {0};
    perp_result r = run_with(o, 2, 1, z);
    ck_assert_int_eq(asked, 1);
    ck_assert_int_eq(ran, 1);
    ck_assert_int_eq(r.status, PERP_SOLVED);
}
END_TEST

static bool go_on(void *ctx, const perp_progress *progress)
{
    (void)progress;
    ++*(int *)ctx;
    return true;
}

START_TEST(nobody_watches)
{
    double z[1] = {0};
    int told = 0;
    perp_options o = usual;
    o.monitor = go_on;
    o.monitor_ctx = &told;
    run_with(o, 2, 1, z);
    ck_assert(asked == 0 && ran == 1);
    o = usual;
    o.max_seconds = 10;
    run_with(o, 2, 1, z);
    ck_assert(asked == 0 && ran == 1);
    o = usual;
    o.warm_start = true;
    z[0] = 1;
    run_with(o, 2, 1, z);
    ck_assert(asked == 0 && ran == 1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("core_at_once");
    TCase *t = tcase_create("all");
    tcase_add_test(t, a_solution_is_taken);
    tcase_add_test(t, what_does_not_solve_is_forgotten);
    tcase_add_test(t, nobody_watches);
    suite_add_tcase(s, t);
    return support_run(s);
}
