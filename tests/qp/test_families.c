/* tests/qp/test_families.c: qp/auto on families after Maros and Meszaros' collection: the tolerance
 * is reached or its floor named, no run goes on there, and a method that pivots finds the same
 * objective to six digits. benchmarks/qpfamilies.c has the larger sizes. */
#include "generate_support.h"

#include "perp/solvers.h"

#define DIGITS 1e-6
#define MOST_IDLE 25 /* iterations without a better residual: PATIENCE of qp/ipm and some steps */

static const char *const families[] = {"qp_cvxqp1",  "qp_cvxqp2",  "qp_cvxqp3", "qp_liswet2",
                                       "qp_liswet3", "qp_liswet4", "qp_cont",   "qp_cont_side",
                                       "qp_aug3d",   "qp_aug3dqp"};
enum { FAMILIES = sizeof families / sizeof *families };

typedef struct history {
    double best;
    int at, last; /* iterations */
} history;

static bool watch(void *ctx, const perp_progress *p)
{
    history *h = ctx;
    if (p->residual < h->best) {
        h->best = p->residual;
        h->at = p->iteration;
    }
    h->last = p->iteration;
    return true;
}

/* The result; its floor is named where it is not solved. */
static perp_result solve(const perp_problem *p, const char *solver, double tol, history *h)
{
    perp_arena a = {0};
    perp_result r;
    perp_options *o = perp_options_new(&a, solver);
    double *z = perp_alloc(&a, (size_t)perp_size(p), sizeof *z);
    *h = (history){.best = INFINITY};
    o->tol = tol;
    o->monitor = watch;
    o->monitor_ctx = h;
    perp_solve(p, o, &a, z, NULL, &r);
    if (r.status != PERP_SOLVED) {
        ck_assert_msg(r.status == PERP_STALLED && r.residual.floor > tol &&
                          strstr(r.detail, "the rounding of z alone leaves"),
                      "%s, %s: %.1e: %s", p->name, solver, r.residual.value, r.detail);
        ck_assert_msg(h->last - h->at <= MOST_IDLE, "%s: best %d, end %d", p->name, h->at, h->last);
    }
    perp_arena_free(&a);
    return r;
}

/* Every size at 1e-8 is solved; at 1e-10 the floor may be above. */
START_TEST(two_methods_agree)
{
    static const int sizes[] = {40, 110, 400};
    for (int k = 0; k < 3; k++) {
        perp_arena a = {0};
        history h;
        generated_problem g = problem_make(families[_i], NULL, sizes[k], 1, &a);
        perp_result r = solve(&g.p, "qp/auto", 1e-8, &h), finer, other;
        finer = solve(&g.p, "qp/auto", 1e-10, &h);
        other = solve(&g.p, "mcp/path", 1e-8, &h);
        ck_assert_int_eq(r.status, PERP_SOLVED);
        ck_assert_int_eq(other.status, PERP_SOLVED);
        double scale = DIGITS * (1 + fabs(other.objective));
        ck_assert_msg(fabs(r.objective - other.objective) <= scale, "%s: %.10g, %.10g", g.p.name,
                      r.objective, other.objective);
        ck_assert_msg(fabs(finer.objective - other.objective) <= scale, "%s: %.10g, %.10g",
                      g.p.name, finer.objective, other.objective);
        perp_arena_free(&a);
    }
}
END_TEST

/* Multipliers of 1e5 on rows that are dependent but for 1e-10: proximal terms of 1e-14 left 1e-6 in
 * 500 steps, and 6700 iterations to active sets. */
START_TEST(nearly_dependent_rows)
{
    perp_arena a = {0};
    history h;
    generated_problem g = problem_make("qp_liswet4", NULL, 1000, 1, &a);
    perp_result r = solve(&g.p, "qp/auto", 1e-8, &h);
    ck_assert_int_eq(r.status, PERP_SOLVED);
    ck_assert_str_eq(r.solver, "qp/ipm");
    ck_assert_int_le(r.iterations, 150);
    ck_assert_double_eq_tol(r.objective, -1594.62734, 1e-6 * 1600);
    perp_arena_free(&a);
}
END_TEST

/* Asked for more than rounding leaves, a run ends soon, with the figure. */
START_TEST(the_floor_is_the_end)
{
    perp_arena a = {0};
    history h;
    generated_problem g = problem_make("qp_liswet4", NULL, 1000, 1, &a);
    perp_result r = solve(&g.p, "qp/auto", 1e-13, &h);
    ck_assert_int_eq(r.status, PERP_STALLED);
    ck_assert_double_le(r.residual.value, 1e-8);
    ck_assert_int_le(r.iterations, 200);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp_families");
    TCase *t = tcase_create("qp_families");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, two_methods_agree, 0, FAMILIES);
    tcase_add_test(t, nearly_dependent_rows);
    tcase_add_test(t, the_floor_is_the_end);
    suite_add_tcase(s, t);
    return support_run(s);
}
