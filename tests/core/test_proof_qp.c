/* tests/core/test_proof_qp.c: unbounded with a feasible point, symmetric or not, and infeasible
 * rows with a radius; test_kind_qp.c has the table of directions. */
#include "core/proof.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <math.h>

#define INF INFINITY

static perp_status check(const perp_problem *p, perp_status claim, const double *y, const double *z,
                         perp_residual *r)
{
    perp_arena a = {0};
    perp_status s = perp_check(p, claim, y, z, &a, r);
    perp_arena_free(&a);
    return s;
}

/* min -x_0, x_1 >= 1 */
START_TEST(a_direction_is_half_of_it)
{
    const double c[] = {-1, 0}, A[] = {0, 1}, lo[] = {1}, d[] = {1, 0, 0};
    const double inside[] = {0, 1, 0}, outside[] = {0, 0.5, 0}, nearly[] = {5, 1 - 1e-12, 0};
    perp_problem p = perp_make_qp(2, 1, (perp_matrix){0}, c, perp_dense(1, 2, A), lo, NULL);
    perp_residual r;
    ck_assert_int_eq(check(&p, PERP_UNBOUNDED, d, NULL, &r), PERP_UNCERTIFIED);
    ck_assert_double_le(r.value, 1); /* the direction is right */
    ck_assert_int_eq(check(&p, PERP_UNBOUNDED, d, outside, &r), PERP_UNCERTIFIED);
    ck_assert_int_eq(check(&p, PERP_UNBOUNDED, d, inside, &r), PERP_SOLVED);
    ck_assert_int_eq(check(&p, PERP_UNBOUNDED, d, nearly, &r), PERP_SOLVED);
}
END_TEST

/* An infeasible LP whose objective falls along a direction: infeasible, whoever is asked. */
START_TEST(infeasible_wins)
{
    const double c[] = {-1, 0}, A[] = {0, 0, 1, 1}, lo[] = {1, -INF}, hi[] = {INF, 0};
    perp_problem p = perp_make_qp(2, 2, (perp_matrix){0}, c, perp_dense(2, 2, A), lo, hi);
    static const char *const solvers[] = {"qp/auto", "qp/ipm", "qp/fletcher"};
    for (int k = 0; k < 3; k++) {
        perp_arena a = {0};
        perp_result result;
        perp_residual r;
        double z[4], w[4];
        perp_status s = perp_solve(&p, perp_find(solvers[k]), &a, z, w, &result);
        ck_assert_msg(s == PERP_INFEASIBLE, "%s: %s (%s)", solvers[k], perp_status_name(s),
                      result.detail);
        ck_assert_int_eq(check(&p, s, w, NULL, &r), PERP_SOLVED);
        perp_arena_free(&a);
    }
}
END_TEST

/* d'H d < 0 means a way down where H is symmetric, and nothing for a variational inequality. */
START_TEST(curvature)
{
    const double c[] = {0, 0}, symmetric[] = {1, 0, 0, -1}, skew[] = {1, 2, 0, -1};
    const double d[] = {0, 1}, zero[] = {0, 0};
    perp_problem p =
        perp_make_qp(2, 0, perp_dense(2, 2, symmetric), c, (perp_matrix){0}, NULL, NULL);
    perp_residual r;
    ck_assert_int_eq(check(&p, PERP_UNBOUNDED, d, zero, &r), PERP_SOLVED);
    p.as.qp.H = perp_dense(2, 2, skew);
    ck_assert_int_eq(check(&p, PERP_UNBOUNDED, d, zero, &r), PERP_UNCERTIFIED);
    double last_bit[] = {1, 2, nextafter(2, 3), -1};
    p.as.qp.H = perp_dense(2, 2, last_bit);
    ck_assert_int_eq(check(&p, PERP_UNBOUNDED, d, zero, &r), PERP_UNCERTIFIED);
}
END_TEST

/* x_0 >= 1 and (1 - 1e-10) x_0 <= 0.5: feasible for none near, but y is no proof far away. */
START_TEST(radii)
{
    const double c[] = {0}, A[] = {1, 1}, lo[] = {1, -INF}, hi[] = {INF, 0.5};
    const double y[] = {0, 1, -1}, rough[] = {0, 1, -1 + 1e-10}, wrong[] = {0, 1, 1e-30};
    perp_problem p = perp_make_qp(1, 2, (perp_matrix){0}, c, perp_dense(2, 1, A), lo, hi);
    perp_residual r;
    ck_assert_int_eq(check(&p, PERP_INFEASIBLE, y, NULL, &r), PERP_SOLVED);
    ck_assert_double_gt(r.radius, 1e20);
    ck_assert_int_eq(check(&p, PERP_INFEASIBLE, rough, NULL, &r), PERP_UNCERTIFIED);
    ck_assert_double_eq_tol(r.radius, 0.5e10, 1e4);
    ck_assert_int_eq(check(&p, PERP_INFEASIBLE, wrong, NULL, &r), PERP_UNCERTIFIED);
    ck_assert(r.radius == 0 && isinf(r.value));
    double mixed[] = {0, 1, 1e-30};
    perp_qp_tidy(&p, mixed);
    ck_assert_double_eq(mixed[2], 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("proof_qp");
    TCase *c = tcase_create("proof_qp");
    tcase_add_test(c, a_direction_is_half_of_it);
    tcase_add_test(c, infeasible_wins);
    tcase_add_test(c, curvature);
    tcase_add_test(c, radii);
    suite_add_tcase(s, c);
    return support_run(s);
}
