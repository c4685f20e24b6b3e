/* test_solve.c: the driver: who is believed, what comes back, lifting, converting, nesting. */
#include "perp/perp.h"
#include "perp/solver.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

/* 0 <= z _|_ M z + q >= 0 , solved by z = (1, 3) */
static const double M[] = {2, 1, 1, 2}, q[] = {-5, -7};
static const double solution[] = {1, 3};

static perp_arena arena;
static perp_result result;

static void reset(void)
{
    perp_arena_free(&arena);
}

static perp_problem small_lcp(void)
{
    return perp_make_lcp(2, perp_dense(2, 2, M), q);
}

/* ---- a solver that does what the test says ---- */

typedef struct script {
    perp_options base;
    const double *z; /* what it leaves in z; NULL: nothing */
    perp_status says;
    const double *vector;      /* its certificate */
    const perp_problem **seen; /* the problem it was given */
    perp_status (*body)(perp_run *run, double *z);
} script;

static perp_status act(perp_run *run, double *z)
{
    const script *o = (const script *)run->options;
    int n = perp_size(run->problem);
    if (o->body) return o->body(run, z);
    if (o->z) memcpy(z, o->z, (size_t)n * sizeof *z);
    if (o->vector) {
        run->proof = PERP_ALLOC(run, double, n);
        if (!run->proof) return PERP_E_MEMORY;
        memcpy(run->proof, o->vector, (size_t)n * sizeof *z);
    }
    if (o->says < 0) return perp_fail(run, o->says, "as scripted");
    return o->says;
}

#define ACTOR(k, f0, f1, bits)                                                                     \
    {                                                                                              \
        .name = "test/act", .about = "test", .kind = k, .formats = {f0, f1}, .flags = bits,        \
        .options_size = sizeof(script), .solve = act                                               \
    }
#define ALL (PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3 | PERP_FORMAT_OPERATOR)

static const perp_solver lcp_actor = ACTOR(PERP_KIND_LCP, ALL, 0, 0);
static const perp_solver lcp_csc = ACTOR(PERP_KIND_LCP, PERP_FORMAT_CSC, 0, 0);
static const perp_solver mcp_actor = ACTOR(PERP_KIND_MCP, ALL, 0, 0);
static const perp_solver qp_actor = ACTOR(PERP_KIND_QP, ALL, ALL, 0);
static const perp_solver heavy = ACTOR(PERP_KIND_LCP, ALL, 0, PERP_SOLVER_ALLOCATES);

static script make(const perp_solver *s)
{
    return (script){.base = {.solver = s, .tol = 1e-8, .max_iter = 100, .threads = 1}};
}

static perp_status solve(const perp_problem *p, const script *o, double *z, double *w)
{
    return perp_solve(p, o ? &o->base : NULL, &arena, z, w, &result);
}

START_TEST(a_right_answer_is_certified_with_its_slack)
{
    perp_problem p = small_lcp();
    script o = make(&lcp_actor);
    double z[2] = {NAN, NAN}, w[2];
    o.z = solution;
    ck_assert_int_eq(solve(&p, &o, z, w), PERP_SOLVED);
    ck_assert_double_eq(z[0], 1);
    ck_assert_double_eq(z[1], 3);
    ck_assert_double_eq(w[0], 0);
    ck_assert_double_eq(w[1], 0);
    ck_assert_double_eq(result.residual.value, 0);
    ck_assert_int_eq(result.certificates, 2); /* of the start, and of this */
    ck_assert_uint_eq(arena.used, 0);
}
END_TEST

START_TEST(a_wrong_answer_is_uncertified)
{
    static const double wrong[] = {1, 2};
    perp_problem p = small_lcp();
    script o = make(&lcp_actor);
    double z[2];
    o.z = wrong;
    ck_assert_int_eq(solve(&p, &o, z, NULL), PERP_UNCERTIFIED);
    ck_assert_double_eq_tol(result.residual.value, sqrt(1 + 4) / sqrt(74), 1e-15);
    ck_assert_double_eq(z[1], 2);
    ck_assert_str_eq(result.detail, "test/act: the solver finished, the certificate disagrees");
}
END_TEST

START_TEST(a_right_answer_is_solved_whatever_the_solver_says)
{
    perp_problem p = small_lcp();
    script o = make(&lcp_actor);
    double z[2];
    o.z = solution;
    o.says = PERP_STALLED;
    ck_assert_int_eq(solve(&p, &o, z, NULL), PERP_SOLVED);
    ck_assert_str_eq(result.detail, "");
}
END_TEST

START_TEST(garbage_is_not_handed_over)
{
    static const double nan[] = {NAN, 1}, inf[] = {INFINITY, 1};
    const double *bad[] = {nan, inf};
    perp_problem p = small_lcp();
    for (int k = 0; k < 2; k++) {
        script o = make(&lcp_actor);
        double z[2], w[2];
        o.z = bad[k];
        ck_assert_int_eq(solve(&p, &o, z, w), PERP_UNCERTIFIED);
        ck_assert_double_eq(z[0], 0);
        ck_assert_double_eq(z[1], 0);
        ck_assert_double_eq(w[1], -7);
        ck_assert_double_eq_tol(result.residual.value, 1, 1e-15);
    }
}
END_TEST

START_TEST(the_result_is_never_worse_than_the_start)
{
    static const double far[] = {100, 100};
    perp_problem p = small_lcp();
    script o = make(&lcp_actor);
    double z[2] = {1, 3.001};
    o.z = far;
    o.base.warm_start = true;
    ck_assert_int_eq(solve(&p, &o, z, NULL), PERP_UNCERTIFIED);
    ck_assert_double_eq(z[1], 3.001);
    ck_assert_double_lt(result.residual.value, 1e-3);
}
END_TEST

START_TEST(a_refusal_leaves_the_start)
{
    static const double half[] = {5, NAN};
    perp_problem p = small_lcp();
    script o = make(&lcp_actor);
    double z[2] = {7, 8};
    o.z = half;
    o.says = PERP_E_NUMBER;
    o.base.warm_start = true;
    ck_assert_int_eq(solve(&p, &o, z, NULL), PERP_E_NUMBER);
    ck_assert_double_eq(z[0], 7);
    ck_assert_double_eq(z[1], 8);
    ck_assert_str_eq(result.detail, "as scripted");
    ck_assert_double_eq_tol(result.residual.natural, sqrt(7 * 7 + 8 * 8) / sqrt(74), 1e-15);
}
END_TEST

START_TEST(a_claim_needs_a_vector_that_proves_it)
{
    static const double minus[] = {-1}, zero[] = {0}, proof[] = {1}, none[] = {-1};
    perp_problem p = perp_make_lcp(1, perp_dense(1, 1, zero), minus); /* 0 z - 1 >= 0 */
    script o = make(&lcp_actor);
    double z[1], w[1];
    o.says = PERP_INFEASIBLE;
    ck_assert_int_eq(solve(&p, &o, z, w), PERP_UNCERTIFIED);
    ck_assert_ptr_nonnull(strstr(result.detail, "without a vector"));
    o.vector = none;
    ck_assert_int_eq(solve(&p, &o, z, w), PERP_UNCERTIFIED);
    ck_assert_ptr_nonnull(strstr(result.detail, "does not prove it"));
    o.vector = proof;
    ck_assert_int_eq(solve(&p, &o, z, w), PERP_INFEASIBLE);
    ck_assert_double_eq(w[0], 1);
    perp_residual r;
    ck_assert_int_eq(perp_check(&p, PERP_INFEASIBLE, w, NULL, &arena, &r), PERP_SOLVED);
    ck_assert_str_ne(result.detail, "");
}
END_TEST

START_TEST(no_options_means_auto)
{
    perp_problem p = small_lcp();
    double z[2];
    ck_assert_int_eq(solve(&p, NULL, z, NULL), PERP_SOLVED);
    ck_assert_double_eq_tol(z[0], 1, 1e-12);
}
END_TEST

START_TEST(missing_arguments_are_refused)
{
    perp_problem p = small_lcp();
    double z[2] = {NAN, NAN};
    ck_assert_int_eq(perp_solve(NULL, NULL, &arena, z, NULL, &result), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_solve(&p, NULL, NULL, z, NULL, &result), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_solve(&p, NULL, &arena, NULL, NULL, &result), PERP_E_ARGUMENT);
    ck_assert_str_eq(result.detail, "z must not be NULL");
    ck_assert_int_eq(perp_solve(&p, NULL, &arena, z, NULL, NULL), PERP_E_ARGUMENT);
    p.kind = (perp_kind)77;
    ck_assert_int_eq(perp_solve(&p, NULL, &arena, z, NULL, &result), PERP_E_ARGUMENT);
    p = small_lcp();
    p.as.lcp.n = -3;
    ck_assert_int_eq(perp_solve(&p, NULL, &arena, z, NULL, &result), PERP_E_ARGUMENT);
    p = small_lcp();
    z[0] = 7;
    z[1] = NAN;
    p.as.lcp.q = NULL;
    ck_assert_int_eq(perp_solve(&p, NULL, &arena, z, NULL, &result), PERP_E_ARGUMENT);
    ck_assert(z[0] == 7 && isnan(z[1])); /* an invalid problem: not touched */
    ck_assert(isinf(result.residual.value));
}
END_TEST

START_TEST(a_warm_start_must_be_finite)
{
    perp_problem p = small_lcp();
    script o = make(&lcp_actor);
    double z[2] = {NAN, 5};
    o.base.warm_start = true;
    ck_assert_int_eq(solve(&p, &o, z, NULL), PERP_E_NUMBER);
    ck_assert_double_eq(z[0], 0);
    ck_assert_double_eq(z[1], 5);
}
END_TEST

START_TEST(an_empty_problem_is_solved)
{
    perp_problem p = perp_make_lcp(0, perp_dense(0, 0, NULL), NULL);
    script o = make(&lcp_actor);
    o.says = PERP_E_NUMBER; /* nobody is asked */
    ck_assert_int_eq(solve(&p, &o, NULL, NULL), PERP_SOLVED);
    ck_assert_double_eq(result.residual.value, 0);
    ck_assert_int_eq(solve(&p, NULL, NULL, NULL), PERP_SOLVED);
}
END_TEST

START_TEST(other_kinds_are_lifted_or_refused)
{
    static const double H[] = {5, 4, 4, 5}, c[] = {1, 1};
    perp_problem lcp = small_lcp(),
                 qp = perp_make_qp(2, 0, perp_dense(2, 2, H), c, (perp_matrix){0}, NULL, NULL);
    script o = make(&mcp_actor);
    double z[2], w[2];
    o.z = solution;
    ck_assert_int_eq(solve(&lcp, &o, z, w), PERP_SOLVED);
    ck_assert_double_eq(z[1], 3);
    ck_assert_double_eq(w[1], 0);
    o = make(&lcp_actor);
    ck_assert_int_eq(solve(&qp, &o, z, NULL), PERP_E_OPTION);
    ck_assert_str_eq(result.detail, "test/act solves lcp problems, this one is qp");
    o = make(&qp_actor);
    ck_assert_int_eq(solve(&lcp, &o, z, NULL), PERP_E_OPTION);
}
END_TEST

START_TEST(a_least_squares_problem_is_lifted_to_qp_and_mcp)
{
    static const double A[] = {1, 0, 0, 1}, b[] = {2, -3}, x[] = {2, 0};
    perp_problem p = perp_make_nnls(perp_dense(2, 2, A), b);
    const perp_solver *solvers[] = {&qp_actor, &mcp_actor};
    for (int k = 0; k < 2; k++) {
        script o = make(solvers[k]);
        double z[2], w[2];
        o.z = x;
        ck_assert_int_eq(solve(&p, &o, z, w), PERP_SOLVED);
        ck_assert_double_eq(z[0], 2);
        ck_assert_double_eq(w[1], 3);
    }
}
END_TEST

START_TEST(a_range_row_has_two_multipliers_in_the_mcp)
{
    /* min x^2/2 - 5 x, 1 <= x <= 3 as a row: x = 3, y = 3 - 5 = -2 */
    static const double H[] = {1}, c[] = {-5}, A[] = {1}, lo[] = {1}, hi[] = {3};
    static const double lifted[] = {3, 0, -2};
    perp_problem p = perp_make_qp(1, 1, perp_dense(1, 1, H), c, perp_dense(1, 1, A), lo, hi);
    script o = make(&mcp_actor);
    double z[2], w[2];
    o.z = lifted;
    ck_assert_int_eq(solve(&p, &o, z, w), PERP_SOLVED);
    ck_assert_double_eq(z[0], 3);
    ck_assert_double_eq(z[1], -2);
    ck_assert_double_eq(w[0], 0);
    ck_assert_double_eq(w[1], 3);
}
END_TEST

static perp_status expect_csc(perp_run *run, double *z)
{
    const perp_matrix *A = &run->problem->as.lcp.M;
    ck_assert_int_eq(A->format, PERP_FORMAT_CSC);
    ck_assert_int_eq(A->as.csc.p[2], 4);
    memcpy(z, solution, sizeof solution);
    return PERP_SOLVED;
}

static void nothing(void *ctx, double a, const double *x, double b, double *y)
{
    (void)ctx, (void)a, (void)x;
    for (int i = 0; i < 2; i++) y[i] = b == 0 ? 0 : b * y[i];
}

START_TEST(matrices_are_converted_but_operators_never)
{
    perp_problem p = small_lcp();
    script o = make(&lcp_csc);
    double z[2];
    o.body = expect_csc;
    ck_assert_int_eq(solve(&p, &o, z, NULL), PERP_SOLVED);
    p.as.lcp.M = (perp_matrix){
        .format = PERP_FORMAT_OPERATOR, .m = 2, .n = 2, .as.op = {nothing, nothing, 0}};
    ck_assert_int_eq(solve(&p, &o, z, NULL), PERP_E_FORMAT);
    ck_assert_str_eq(result.detail, "test/act does not read a matrix given as operator");
}
END_TEST

START_TEST(an_allocating_solver_is_refused_on_a_fixed_arena)
{
    static unsigned char buffer[4096];
    perp_problem p = small_lcp();
    script o = make(&heavy);
    perp_arena fixed;
    double z[2];
    o.z = solution;
    ck_assert_int_eq(solve(&p, &o, z, NULL), PERP_SOLVED);
    perp_arena_fixed(&fixed, buffer, sizeof buffer);
    ck_assert_int_eq(perp_solve(&p, &o.base, &fixed, z, NULL, &result), PERP_E_MEMORY);
    ck_assert_ptr_nonnull(strstr(result.detail, "fixed arena"));
}
END_TEST

START_TEST(a_starved_arena_says_so_at_every_size)
{
    static unsigned char buffer[4096];
    perp_problem p = small_lcp();
    script o = make(&lcp_actor);
    int solved = 0;
    o.z = solution;
    for (size_t size = 0; size <= sizeof buffer; size += 32) {
        perp_arena fixed;
        double z[2] = {NAN, NAN}, w[2];
        perp_arena_fixed(&fixed, buffer, size);
        perp_status s = perp_solve(&p, &o.base, &fixed, z, w, &result);
        ck_assert(s == PERP_SOLVED || s == PERP_E_MEMORY);
        ck_assert(s == PERP_SOLVED || !solved); /* more memory never hurts */
        ck_assert(s == PERP_SOLVED || result.detail[0]);
        ck_assert(isfinite(z[0]) && isfinite(z[1]));
        solved += s == PERP_SOLVED;
    }
    ck_assert_int_gt(solved, 0);
}
END_TEST

static perp_status child_status;

static perp_status ask_psor(perp_run *run, double *z)
{
    perp_lcp_psor_options o = perp_lcp_psor_defaults();
    o.base.tol = run->options->tol;
    child_status = perp_nested(run, run->problem, &o.base, z, NULL);
    return child_status;
}

START_TEST(a_nested_solve_of_the_same_problem_counts_for_the_parent)
{
    perp_problem p = small_lcp();
    script o = make(&lcp_actor);
    double z[2];
    o.body = ask_psor;
    ck_assert_int_eq(solve(&p, &o, z, NULL), PERP_SOLVED);
    ck_assert_int_eq(child_status, PERP_SOLVED);
    ck_assert_str_eq(result.solver, "lcp/psor");
    ck_assert_int_gt(result.iterations, 3);
    ck_assert_int_le(result.iterations, 100);
    ck_assert_uint_eq(arena.used, 0);
}
END_TEST

START_TEST(a_nested_solve_has_the_parents_budget)
{
    perp_problem p = small_lcp();
    script o = make(&lcp_actor);
    double z[2];
    o.body = ask_psor;
    o.base.max_iter = 3;
    o.base.tol = 1e-15;
    ck_assert_int_eq(solve(&p, &o, z, NULL), PERP_MAX_ITER);
    ck_assert_int_eq(result.iterations, 3);
    ck_assert_double_lt(result.residual.value, 0.1);
}
END_TEST

static bool refuse_third(void *ctx, const perp_progress *p)
{
    ++*(int *)ctx;
    return p->iteration < 3;
}

static perp_status ask_twice(perp_run *run, double *z)
{
    ck_assert_int_eq(ask_psor(run, z), PERP_CANCELLED);
    ck_assert(!perp_continue(run, z, INFINITY));
    return run->status;
}

START_TEST(a_cancelled_child_cancels_the_parent)
{
    perp_problem p = small_lcp();
    script o = make(&lcp_actor);
    int calls = 0;
    double z[2];
    o.body = ask_twice;
    o.base.monitor = refuse_third;
    o.base.monitor_ctx = &calls;
    o.base.tol = 1e-15;
    ck_assert_int_eq(solve(&p, &o, z, NULL), PERP_CANCELLED);
    ck_assert_int_eq(calls, 4);
}
END_TEST

static perp_status ask_actor(perp_run *run, double *z)
{
    static const double proof[] = {1};
    script o = make(&lcp_actor);
    o.says = PERP_INFEASIBLE;
    o.vector = proof;
    return perp_nested(run, run->problem, &o.base, z, NULL);
}

START_TEST(the_proof_of_a_nested_solve_reaches_the_caller)
{
    static const double minus[] = {-1}, zero[] = {0};
    perp_problem p = perp_make_lcp(1, perp_dense(1, 1, zero), minus);
    script o = make(&lcp_actor);
    double z[1], w[1] = {0};
    o.body = ask_actor;
    ck_assert_int_eq(solve(&p, &o, z, w), PERP_INFEASIBLE);
    ck_assert_double_eq(w[0], 1);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("solve");
    tcase_add_checked_fixture(t, NULL, reset);
    tcase_add_test(t, a_right_answer_is_certified_with_its_slack);
    tcase_add_test(t, a_wrong_answer_is_uncertified);
    tcase_add_test(t, a_right_answer_is_solved_whatever_the_solver_says);
    tcase_add_test(t, garbage_is_not_handed_over);
    tcase_add_test(t, the_result_is_never_worse_than_the_start);
    tcase_add_test(t, a_refusal_leaves_the_start);
    tcase_add_test(t, a_claim_needs_a_vector_that_proves_it);
    tcase_add_test(t, no_options_means_auto);
    tcase_add_test(t, missing_arguments_are_refused);
    tcase_add_test(t, a_warm_start_must_be_finite);
    tcase_add_test(t, an_empty_problem_is_solved);
    tcase_add_test(t, other_kinds_are_lifted_or_refused);
    tcase_add_test(t, a_least_squares_problem_is_lifted_to_qp_and_mcp);
    tcase_add_test(t, a_range_row_has_two_multipliers_in_the_mcp);
    tcase_add_test(t, matrices_are_converted_but_operators_never);
    tcase_add_test(t, an_allocating_solver_is_refused_on_a_fixed_arena);
    tcase_add_test(t, a_starved_arena_says_so_at_every_size);
    tcase_add_test(t, a_nested_solve_of_the_same_problem_counts_for_the_parent);
    tcase_add_test(t, a_nested_solve_has_the_parents_budget);
    tcase_add_test(t, a_cancelled_child_cancels_the_parent);
    tcase_add_test(t, the_proof_of_a_nested_solve_reaches_the_caller);
    Suite *s = suite_create("solve");
    suite_add_tcase(s, t);
    return support_run(s);
}
