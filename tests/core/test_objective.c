/* tests/core/test_objective.c: result.objective is what a qp or an nnls minimises, at the z that
 * was returned, whoever found it and however the solve ended. */
#include "perp/solvers.h"
#include "support.h"

#include <check.h>
#include <math.h>

static const double H[] = {2, 1, 1, 4}, c[] = {-4, -5}, A[] = {1, 1}, none[] = {-INFINITY};
static const double cap[] = {1}, zero[] = {0, 0};

/* min x'Hx/2 + c'x, x1 + x2 <= 1, x >= 0. */
static perp_problem program(void)
{
    perp_problem p = perp_make_qp(2, 1, perp_dense(2, 2, H), c, perp_dense(1, 2, A), none, cap);
    p.as.qp.xlo = zero;
    return p;
}

static double value_of_program(const double *x)
{
    return x[0] * x[0] + x[0] * x[1] + 2 * x[1] * x[1] - 4 * x[0] - 5 * x[1];
}

/* Every solver of a qp, and those of an mcp that get it lifted, after any number of iterations. */
START_TEST(every_solver_of_a_program)
{
    int solved = 0;
    for (int k = 0; perp_solvers()[k]; k++) {
        perp_arena a = {0};
        perp_options *o = perp_options_new(&a, perp_solver_name(perp_solvers()[k]));
        perp_problem p = program();
        for (o->max_iter = 0; o->max_iter < 1000; o->max_iter = 3 * o->max_iter + 1) {
            double z[3];
            perp_result r;
            if (perp_solve(&p, o, &a, z, NULL, &r) == PERP_E_OPTION) continue; /* another kind */
            ck_assert_msg(fabs(r.objective - value_of_program(z)) <= 1e-14, "%s: %g at %g, %g",
                          perp_solver_name(o), r.objective, z[0], z[1]);
            solved += r.status == PERP_SOLVED;
            if (r.status == PERP_SOLVED) ck_assert_double_eq_tol(r.objective, -3.5, 1e-6);
        }
        perp_arena_free(&a);
    }
    ck_assert_int_gt(solved, 10);
}
END_TEST

static double objective_of(const perp_problem *p, perp_status expected)
{
    perp_arena a = {0};
    perp_result r;
    double z[8];
    ck_assert_msg(perp_solve(p, NULL, &a, z, NULL, &r) == expected, "%s", r.detail);
    ck_assert_uint_eq(a.used, 0);
    perp_arena_free(&a);
    return r.objective;
}

START_TEST(forms_of_a_program)
{
    perp_matrix dense = perp_dense(2, 2, H);
    perp_problem p = perp_make_qp(2, 0, dense, c, (perp_matrix){0}, NULL, NULL);
    p.as.qp.xlo = zero; /* x = (11, 6) / 7 */
    ck_assert_double_eq_tol(objective_of(&p, PERP_SOLVED), -37.0 / 7, 1e-9);
    p.as.qp.H = perp_dense_rows(2, 2, H); /* which is solved in a copy by columns */
    ck_assert_double_eq_tol(objective_of(&p, PERP_SOLVED), -37.0 / 7, 1e-9);
    p.as.qp.H = as_operator(&dense);
    perp_arena a = {0};
    perp_result r;
    double z[2] = {3, 2};
    perp_qp_auto_options o = perp_qp_auto_defaults(); /* no solver of a qp reads an operator: */
    o.base.warm_start = true;                         /* z stays the start */
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_E_FORMAT);
    ck_assert_double_eq(r.objective, 9 + 6 + 8 - 12 - 10);
    perp_arena_free(&a);
    const double up[] = {1, 2};
    p.as.qp.H = (perp_matrix){0}; /* linear: to the upper bounds */
    p.as.qp.xhi = up;
    ck_assert_double_eq_tol(objective_of(&p, PERP_SOLVED), -14, 1e-9);
    const double low[] = {2};
    p = program();
    p.as.qp.lo = low; /* above hi: infeasible, and z is the start, 0 */
    ck_assert_double_eq(objective_of(&p, PERP_INFEASIBLE), 0);
}
END_TEST

START_TEST(least_squares)
{
    /* Columns (1, 1, 0) and (1, -1, 0): b = (0, 2, 5) has x = (1, 0), A x - b = (1, -1, -5). With
     * x2 free it is (1, -1), and only the 5 remains. */
    const double columns[] = {1, 1, 0, 1, -1, 0}, b[] = {0, 2, 5};
    const bool second[] = {false, true};
    perp_problem p = perp_make_nnls(perp_dense(3, 2, columns), b);
    ck_assert_double_eq_tol(objective_of(&p, PERP_SOLVED), 13.5, 1e-12);
    p.as.nnls.is_free = second;
    ck_assert_double_eq_tol(objective_of(&p, PERP_SOLVED), 12.5, 1e-12);
    perp_problem no_columns = perp_make_nnls(perp_dense(3, 0, NULL), b);
    ck_assert_double_eq(objective_of(&no_columns, PERP_SOLVED), 14.5);
}
END_TEST

START_TEST(kinds_without_one)
{
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, H), c);
    ck_assert(isnan(objective_of(&p, PERP_SOLVED)));
    p = perp_make_mcp(2, perp_dense(2, 2, H), c, zero, NULL);
    ck_assert(isnan(objective_of(&p, PERP_SOLVED)));
    const double bad[] = {NAN, 0};
    p = program();
    p.as.qp.c = bad;
    ck_assert(isnan(objective_of(&p, PERP_E_NUMBER)));
    ck_assert(isnan(objective_of(NULL, PERP_E_ARGUMENT)));
}
END_TEST

/* It takes no memory beyond what the solve took: a buffer of the peak's size is enough. */
START_TEST(memory)
{
    static unsigned char buffer[1 << 16];
    perp_problem p = program();
    perp_qp_fletcher_options o = perp_qp_fletcher_defaults();
    perp_arena grown = {0}, fixed;
    perp_result r;
    double z[3];
    ck_assert_int_eq(perp_solve(&p, &o.base, &grown, z, NULL, &r), PERP_SOLVED);
    unsigned blocks = grown.allocations;
    ck_assert_int_eq(perp_solve(&p, &o.base, &grown, z, NULL, &r), PERP_SOLVED);
    ck_assert_uint_eq(grown.allocations, blocks);
    ck_assert_uint_le(grown.peak + 128, sizeof buffer);
    perp_arena_fixed(&fixed, buffer, grown.peak + 128);
    ck_assert_int_eq(perp_solve(&p, &o.base, &fixed, z, NULL, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(r.objective, -3.5, 1e-12);
    ck_assert(!fixed.failed);
    perp_arena_free(&grown);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("objective");
    TCase *t = tcase_create("objective");
    tcase_add_test(t, every_solver_of_a_program);
    tcase_add_test(t, forms_of_a_program);
    tcase_add_test(t, least_squares);
    tcase_add_test(t, kinds_without_one);
    tcase_add_test(t, memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
