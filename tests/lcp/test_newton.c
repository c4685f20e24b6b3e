/* tests/lcp/test_newton.c: what lcp/newton.c adds to method/semismooth_box.c: scaling, the positive
 * part, other starts. tests/support/newton_support.h has what holds of both solvers. */
#include "core/defaults.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

static const perp_lcp_newton_options *const both[] = {&perp_lcp_newton_min, &perp_lcp_newton_fb};

/* Slightly outside, the positive part is better, and is what is handed out. */
START_TEST(reads_the_better)
{
    const double M[] = {1, 0, 0, 1}, q[] = {1, -1};
    for (int k = 0; k < 2; k++) {
        perp_lcp_newton_options o = *both[k];
        perp_result r;
        double z[2] = {-1e-3, 1};
        o.base.warm_start = true;
        ck_assert_int_eq(solve_dense(2, M, q, &o.base, z, NULL, &r), PERP_SOLVED);
        ck_assert(r.iterations == 0 && z[0] == 0 && z[1] == 1);
    }
}
END_TEST

/* The same problem in units that differ by powers of two from row to row and from unknown to
 * unknown takes the same steps to the same solution, dense and sparse. */
START_TEST(units_do_not_matter)
{
    const double M[] = {2, 1, 0, 1, 2, 1, 0, 1, 2}, q[] = {-5, 4, -6};
    const double r[] = {0x1p-40, 1, 0x1p30}, c[] = {0x1p20, 0x1p-50, 1};
    const int p[] = {0, 3, 6, 9}, i[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    double M_other[9], q_other[3];
    for (int j = 0; j < 3; j++) {
        for (int t = 0; t < 3; t++) M_other[3 * j + t] = r[t] * M[3 * j + t] * c[j];
        q_other[j] = r[j] * q[j];
    }
    for (int k = 0; k < 4; k++) {
        perp_lcp_newton_options o = *both[k % 2];
        perp_result first, other;
        double z[3], z_other[3];
        o.base.tol = 1e-13;
        perp_matrix view = k < 2 ? perp_dense(3, 3, M_other) : perp_csc(3, 3, p, i, M_other);
        perp_problem problem = perp_make_lcp(3, view, q_other);
        ck_assert(!solve_dense(3, M, q, &o.base, z, NULL, &first));
        ck_assert(!solve_checked(&problem, &o.base, z_other, NULL, &other));
        ck_assert_int_le(other.iterations, first.iterations + 1);
        for (int t = 0; t < 3; t++) ck_assert_double_eq_tol(z_other[t] * c[t], z[t], 1e-12);
    }
}
END_TEST

/* z0 - 2 z1 >= 1 and -2 z0 + z1 >= 1 contradict each other, their sum is the proof; the first row
 * in other units, it has to be y = (2^-12, 1) or near that, not (1, 1) of the scaled rows. */
START_TEST(proof_in_own_units)
{
    const double M[] = {0x1p12, -2, -0x1p13, 1}, q[] = {-0x1p12, -1};
    for (int k = 0; k < 2; k++) {
        perp_result r;
        double z[2], w[2];
        ck_assert_int_eq(solve_dense(2, M, q, &both[k]->base, z, w, &r), PERP_INFEASIBLE);
        ck_assert(w[0] > 0 && w[0] * 0x1p12 < 2 * w[1] && w[0] * 0x1p13 > w[1]);
    }
}
END_TEST

/* Cottle, Pang, Stone 1992, section 4.4: the way down from 0 ends at no solution, that from another
 * start does not; 0 is not tried again. */
START_TEST(other_starts)
{
    const double M[] = {0, 1, -1, -2}, q[] = {2, -3};
    const int most[] = {160, 70}; /* 142 and 52; once more from 0 takes 40 */
    for (int k = 0; k < 2; k++) {
        perp_result r;
        double z[2];
        ck_assert_int_eq(solve_dense(2, M, q, &both[k]->base, z, NULL, &r), PERP_SOLVED);
        ck_assert_int_gt(r.iterations, 40); /* it was stuck before */
        ck_assert_int_le(r.iterations, most[k]);
        ck_assert_double_eq_tol(z[0], 7, 1e-6);
        ck_assert_double_eq_tol(z[1], 2, 1e-6);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lcp/newton");
    TCase *t = tcase_create("newton");
    tcase_add_test(t, reads_the_better);
    tcase_add_test(t, units_do_not_matter);
    tcase_add_test(t, proof_in_own_units);
    tcase_add_test(t, other_starts);
    suite_add_tcase(s, t);
    return support_run(s);
}
