/* tests/qp/test_ipm_finish.c: from a rough point to the last digit. */
#include "ipm_support.h"

/* A point that a few steps reach. */
static void approach(ipm_point *t, double mu)
{
    ck_assert(perp_ipm_start(t, 1));
    for (int k = 0; k < 30 && t->mu + t->primal + t->dual > mu; k++) {
        perp_ipm_advance(t);
        perp_ipm_measure(t);
    }
}

START_TEST(the_active_set_gives_the_last_digits)
{
    static const char *const families[] = {"qp_convex", "qp_nonsymmetric", "qp_linear",
                                           "qp_sparse"};
    for (uint64_t seed = 1; seed < 6; seed++) {
        perp_arena a = {0};
        perp_problem p = sparse_problem(families[_i], 40, seed, &a);
        ipm_presolved r = reduce_problem(&p, &a);
        ipm_kkt k;
        ipm_point t;
        ipm_finish f;
        double z[128];
        ck_assert_int_eq(perp_ipm_kkt_open(&k, &r.p, &a), PERP_SOLVED);
        ck_assert(perp_ipm_point_open(&t, &r.p, &k, &a));
        ck_assert(perp_ipm_finish_open(&f, &r.p, &k, &a));
        approach(&t, 1e-4);
        perp_ipm_restore(&r, t.x, t.y, z);
        ck_assert_double_gt(certify(&p, z, PERP_SOLVED).value, 1e-9);
        perp_ipm_finish_identify(&f, &t);
        ck_assert(perp_ipm_finish_solve(&f));
        for (int e = 0; e < 5 && perp_ipm_finish_exchange(&f) > 0; e++)
            ck_assert(perp_ipm_finish_solve(&f));
        perp_ipm_restore(&r, f.x, f.y, z);
        ck_assert_double_lt(certify(&p, z, PERP_SOLVED).value, 1e-12);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(a_wrong_set_is_mended)
{
    /* min (x - 1)^2 / 2 on [0, 5], from "x = 0 is active" */
    const int p[] = {0, 1}, i[] = {0}, none[] = {0, 0};
    const double one[] = {1}, c[] = {-1}, lo[] = {0}, hi[] = {5};
    perp_arena a = {0};
    perp_problem q =
        perp_make_qp(1, 0, perp_csc(1, 1, p, i, one), c, perp_csc(0, 1, none, i, one), NULL, NULL);
    q.as.qp.xlo = lo;
    q.as.qp.xhi = hi;
    ipm_presolved r = reduce_problem(&q, &a);
    ipm_kkt k;
    ipm_finish f;
    ck_assert_int_eq(perp_ipm_kkt_open(&k, &r.p, &a), PERP_SOLVED);
    ck_assert(perp_ipm_finish_open(&f, &r.p, &k, &a));
    f.side[0] = -1;
    ck_assert(perp_ipm_finish_solve(&f));
    ck_assert_double_eq(f.x[0], 0);
    ck_assert_int_eq(perp_ipm_finish_exchange(&f), 1);
    ck_assert(perp_ipm_finish_solve(&f));
    ck_assert_double_eq_tol(f.x[0] * r.column[0], 1, 1e-14);
    ck_assert_int_eq(perp_ipm_finish_exchange(&f), 0);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp_ipm_finish");
    TCase *t = tcase_create("finish");
    tcase_add_loop_test(t, the_active_set_gives_the_last_digits, 0, 4);
    tcase_add_test(t, a_wrong_set_is_mended);
    suite_add_tcase(s, t);
    return support_run(s);
}
