/* tests/qp/test_ipm_step.c: interior steps stay inside and lead to the central path's end. */
#include "ipm_support.h"

static bool is_inside(const ipm_point *t)
{
    for (int k = 0; k < t->pairs; k++) {
        if (ipm_has_lo(t->p, k) && !(t->tl[k] > 0 && t->zl[k] > 0)) return false;
        if (ipm_has_hi(t->p, k) && !(t->tu[k] > 0 && t->zu[k] > 0)) return false;
    }
    return true;
}

START_TEST(steps_stay_inside_and_converge)
{
    static const char *const families[] = {"qp_convex", "qp_degenerate", "qp_nonsymmetric",
                                           "qp_linear", "qp_sparse"};
    for (uint64_t seed = 1; seed < 6; seed++) {
        perp_arena a = {0};
        perp_problem p = sparse_problem(families[_i], 40, seed, &a);
        ipm_presolved r = reduce_problem(&p, &a);
        ipm_kkt k;
        ipm_point t;
        ck_assert_int_eq(perp_ipm_kkt_open(&k, &r.p, &a), PERP_SOLVED);
        ck_assert(perp_ipm_point_open(&t, &r.p, &k, &a));
        ck_assert(perp_ipm_start(&t, 1));
        ck_assert(is_inside(&t));
        int steps = 0;
        while (t.mu + t.primal + t.dual > 1e-8 && steps++ < 40) {
            ck_assert(perp_ipm_advance(&t));
            ck_assert(is_inside(&t));
            perp_ipm_measure(&t);
        }
        ck_assert_msg(steps < 40, "%s: mu %g, primal %g, dual %g", families[_i], t.mu, t.primal,
                      t.dual);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(one_step_without_bounds)
{
    /* min x'x/2 - 3 x: x = 3 */
    const int p[] = {0, 1}, i[] = {0}, none[] = {0, 0};
    const double one[] = {1}, c[] = {-3};
    perp_arena a = {0};
    perp_problem q =
        perp_make_qp(1, 0, perp_csc(1, 1, p, i, one), c, perp_csc(0, 1, none, i, one), NULL, NULL);
    ipm_presolved r = reduce_problem(&q, &a);
    ipm_kkt k;
    ipm_point t;
    ck_assert_int_eq(perp_ipm_kkt_open(&k, &r.p, &a), PERP_SOLVED);
    ck_assert(perp_ipm_point_open(&t, &r.p, &k, &a));
    ck_assert_int_eq(t.sides, 0);
    ck_assert(perp_ipm_start(&t, 1));
    ck_assert(perp_ipm_advance(&t));
    double z[1];
    perp_ipm_restore(&r, t.x, t.y, z);
    ck_assert_double_eq_tol(z[0], 3, 1e-9);
    perp_arena_free(&a);
}
END_TEST

/* A step of a well-conditioned problem has two directions, or some more where correctors are tried,
 * and a direction two back-solves on average at most. */
START_TEST(directions_take_few_solves)
{
    perp_arena a = {0};
    perp_problem p = sparse_problem("qp_sparse", 200, 1, &a);
    ipm_presolved r = reduce_problem(&p, &a);
    ipm_kkt k;
    ipm_point t;
    int steps = 0;
    ck_assert_int_eq(perp_ipm_kkt_open(&k, &r.p, &a), PERP_SOLVED);
    ck_assert(perp_ipm_point_open(&t, &r.p, &k, &a));
    ck_assert(perp_ipm_start(&t, 1));
    for (; t.mu + t.primal + t.dual > 1e-8; steps++) {
        ck_assert(perp_ipm_advance(&t));
        perp_ipm_measure(&t);
    }
    ck_assert_int_eq(k.factors, 1 + steps);
    ck_assert_int_le(k.solves, 5 * steps);
    perp_arena_free(&a);
}
END_TEST

START_TEST(regularisation_that_was_raised_is_not_lowered_at_once)
{
    perp_arena a = {0};
    perp_problem p = sparse_problem("qp_convex", 20, 1, &a);
    ipm_presolved r = reduce_problem(&p, &a);
    ipm_kkt k;
    ipm_point t;
    ck_assert_int_eq(perp_ipm_kkt_open(&k, &r.p, &a), PERP_SOLVED);
    ck_assert(perp_ipm_point_open(&t, &r.p, &k, &a));
    ck_assert(perp_ipm_start(&t, 1));
    t.regularisation = 1e-8;
    t.raised = true;
    ck_assert(perp_ipm_advance(&t));
    ck_assert_double_eq(t.regularisation, 1e-8);
    perp_ipm_measure(&t);
    ck_assert(perp_ipm_advance(&t));
    ck_assert_double_eq_tol(t.regularisation, 1e-9, 1e-20);
    ck_assert_int_eq(k.factors, 3);
    t.raised = true;
    ck_assert(perp_ipm_start(&t, 1)); /* another start knows nothing of it */
    ck_assert(!t.raised);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp_ipm_step");
    TCase *t = tcase_create("step");
    tcase_add_loop_test(t, steps_stay_inside_and_converge, 0, 5);
    tcase_add_test(t, one_step_without_bounds);
    tcase_add_test(t, directions_take_few_solves);
    tcase_add_test(t, regularisation_that_was_raised_is_not_lowered_at_once);
    suite_add_tcase(s, t);
    return support_run(s);
}
