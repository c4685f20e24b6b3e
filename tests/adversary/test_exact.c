/* tests/adversary/test_exact.c: the oracles of residuals: solutions by hand are accepted, and a z
 * that is wrong in one part is noticed by that part. */
#include "exact.h"
#include "support.h"

#include <math.h>
#include <string.h>

static void set_table(table *A, int m, int n, const double *rows)
{
    A->m = m;
    A->n = n;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) AT(A, i, j) = rows[i * n + j];
    }
}

/* An lcp of two unknowns; M row by row. */
static sample lcp2(const double M[4], double q0, double q1, double tol)
{
    sample s = {.kind = V_LCP, .n = 2, .size = 2, .tol = tol, .q = {q0, q1}};
    set_table(&s.M, 2, 2, M);
    for (int i = 0; i < 2; i++) {
        s.xhi[i] = INFINITY;
        s.follows[i] = -1;
    }
    return s;
}

static void accepted(const sample *s, const double *z)
{
    judgement j;
    judge_solved(s, z, &j);
    ck_assert_msg(!j.wrong && !j.undecided, "%s: %g", j.part, j.ratio);
    ck_assert(j.ratio <= 1);
}

static void noticed(const sample *s, const double *z, const char *part)
{
    judgement j;
    judge_solved(s, z, &j);
    ck_assert_msg(j.wrong && !j.undecided, "%s: %g", j.part, j.ratio);
    ck_assert_str_eq(j.part, part);
    ck_assert(j.ratio > 1);
}

/* q = (-3, 4): z = (3, 0), w = (0, 4 + 3) by hand; |q| = 5. */
START_TEST(lcp_by_hand)
{
    sample s = lcp2((double[]){1, 0, 1, 1}, -3, 4, 0x1p-20);
    accepted(&s, (double[]){3, 0});
    /* z_0 = 3 + d, w_0 = d: the residual is d / 5, exactly. */
    accepted(&s, (double[]){3 + 5 * 0x1p-20, 0});
    noticed(&s, (double[]){nextafter(3 + 5 * 0x1p-20, 4), 0}, "natural");
    noticed(&s, (double[]){3, -1e-3}, "natural");
}
END_TEST

/* w = 9e-9 1e12 - 1 = 8999 behind a natural map of 9e-9. */
START_TEST(units_are_seen)
{
    sample s = lcp2((double[]){1e12, 0, 0, 2e12}, -1, -1, 1e-8);
    noticed(&s, (double[]){9e-9, 5e-13}, "units");
    accepted(&s, (double[]){1e-12, 5e-13});
}
END_TEST

/* Products whose rounding hides all: exactly, w is far from zero. */
START_TEST(rounding_is_seen)
{
    sample s = lcp2((double[]){9.6, -0.1, -0.1, 0.0010416666666770834}, -1, -2, 1e-8);
    double z[2] = {2.0 / 9.6e-11, 0};
    z[1] = (9.6 * z[0] - 1) / 0.1;
    noticed(&s, z, "natural");
}
END_TEST

/* 1e300 and denormals: sums of squares neither overflow nor vanish. */
START_TEST(extreme_scales)
{
    sample s = lcp2((double[]){1e300, 0, 0, 1e-300}, -1e300, 1e-310, 1e-12);
    accepted(&s, (double[]){1, 0});
    noticed(&s, (double[]){1 - 1e-10, 0}, "natural");
    s = lcp2((double[]){1, 0, 0, 1}, -5e-324, 0, 1e-12);
    accepted(&s, (double[]){5e-324, 0});
    noticed(&s, (double[]){0, 0}, "natural");
}
END_TEST

START_TEST(boxes_and_followers)
{
    sample s = lcp2((double[]){1, 0, 0, 1}, -1, -8, 1e-9);
    s.kind = V_MCP;
    s.xlo[1] = 2;
    s.xhi[1] = 5;
    accepted(&s, (double[]){1, 5});
    noticed(&s, (double[]){1, 4}, "natural");
    noticed(&s, (double[]){1, 5.5}, "natural");
    s.kind = V_FOLLOWS;
    s.follows[1] = 0;
    s.mu[1] = 1.0 / 3;
    double third = 1.0 / 3; /* the product of 1 and mu is exact */
    accepted(&s, (double[]){1, third});
    noticed(&s, (double[]){1, 0.333}, "natural");
}
END_TEST

/* Scales of 0 outside of the box: |M P(0) + q| = |(1e6 - 1, 0)|. */
START_TEST(scale_at_the_nearest_point)
{
    sample s = lcp2((double[]){1, 0, 0, 1}, -1, 0, 1e-6);
    s.kind = V_MCP;
    s.xlo[0] = 1e6;
    accepted(&s, (double[]){1e6 + 0.5, 0});
    noticed(&s, (double[]){1e6 + 2, 0}, "natural");
}
END_TEST

/* 3 - 1/(z + 1e-9) = 0 at 1/3 - 1e-9; the natural map over |F(0)| is 6e-9 at 0.1097. */
START_TEST(callback_by_hand)
{
    sample s = {.kind = V_NCP_MAP, .n = 1, .size = 1, .tol = 1e-8, .q = {3}, .row = {1}};
    set_table(&s.M, 1, 1, (double[]){1});
    s.curve[0] = CURVE_INVERSE;
    s.shift[0] = 1e-9;
    s.xhi[0] = INFINITY;
    s.has_jacobian = true;
    accepted(&s, (double[]){1.0 / 3 - 1e-9});
    noticed(&s, (double[]){0.1097}, "equation");
    noticed(&s, (double[]){-1}, "F is undefined");
}
END_TEST

/* min |1e-162 x - 1e-162| by x = 1 alone; squares of 1e-162 are denormal. */
START_TEST(nnls_by_hand)
{
    sample s = {.kind = V_NNLS, .n = 1, .m = 1, .size = 1, .tol = 1e-8, .q = {1e-162}};
    set_table(&s.M, 1, 1, (double[]){1e-162});
    accepted(&s, (double[]){1});
    judgement j;
    judge_solved(&s, (double[]){0}, &j);
    ck_assert(j.wrong);
    /* A = (1, 1e-6): x_1 = 0.1 is off by 0.1 in units of its column. */
    sample t = {.kind = V_NNLS, .n = 2, .m = 2, .size = 2, .tol = 1e-8, .q = {1, 1e-6}};
    set_table(&t.M, 2, 2, (double[]){1, 0, 0, 1e-6});
    accepted(&t, (double[]){1, 1});
    noticed(&t, (double[]){1, 0.9}, "columns");
    t.is_free[0] = true;
    t.q[0] = -1;
    accepted(&t, (double[]){-1, 1});
    t.is_free[0] = false;
    noticed(&t, (double[]){-1, 1}, "natural");
}
END_TEST

/* min x^2/2 + y^2/2, x + y >= 2, x <= 5: x = y = 1, multiplier 1. */
static sample qp2(void)
{
    sample s = {.kind = V_QP, .n = 2, .m = 1, .size = 3, .tol = 1e-8, .lo = {2}, .hi = {INFINITY}};
    set_table(&s.M, 2, 2, (double[]){1, 0, 0, 1});
    set_table(&s.A, 1, 2, (double[]){1, 1});
    for (int j = 0; j < 2; j++) {
        s.xlo[j] = -INFINITY;
        s.xhi[j] = 5;
    }
    return s;
}

START_TEST(qp_by_hand)
{
    sample s = qp2();
    accepted(&s, (double[]){1, 1, 1});
    noticed(&s, (double[]){1 + 1e-6, 1 - 1e-6, 1}, "gap"); /* 4e-6 to the bound, over 2 */
    /* x_0 + x_1 = 3 above 2; all else holds. */
    s.lo[0] = -INFINITY;
    s.hi[0] = 2;
    s.q[0] = s.q[1] = -1.5;
    noticed(&s, (double[]){1.5, 1.5, 0}, "row");
    /* d above the bound, with a multiplier of d: |min(d, d)| over 1 + 2, and a gap of d^2. */
    double d = 0x1p-13;
    s.lo[0] = 2;
    s.hi[0] = INFINITY;
    s.q[0] = s.q[1] = d - (1 + d / 2);
    noticed(&s, (double[]){1 + d / 2, 1 + d / 2, d}, "multiplier");
    /* x = 0 without bounds leaves no gap, but c = d. */
    sample t = {.kind = V_QP, .n = 1, .size = 1, .tol = 1e-8, .q = {d}};
    set_table(&t.M, 1, 1, (double[]){1});
    set_table(&t.A, 0, 1, (double[]){0});
    t.xlo[0] = -INFINITY;
    t.xhi[0] = INFINITY;
    noticed(&t, (double[]){0}, "column");
    accepted(&t, (double[]){-d});
}
END_TEST

/* A far bound whose multiplier is small: 1e-9 times the distance 1e6. */
START_TEST(gap_is_seen)
{
    sample s = {.kind = V_QP, .n = 1, .size = 1, .tol = 1e-8, .q = {1e-9}};
    set_table(&s.M, 1, 1, (double[]){0});
    set_table(&s.A, 0, 1, (double[]){0});
    s.xlo[0] = -1e6;
    s.xhi[0] = INFINITY;
    accepted(&s, (double[]){-1e6});
    noticed(&s, (double[]){0}, "gap");
}
END_TEST

/* One contact with W = I: sticking, sliding and separating by hand. */
START_TEST(cones_by_hand)
{
    sample s = {.kind = V_FC3D, .n = 3, .size = 3, .contacts = 1, .tol = 1e-9, .mu = {0.5}};
    set_table(&s.M, 3, 3, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1});
    memcpy(s.q, (double[]){-1, 0.25, 0}, 3 * sizeof(double));
    accepted(&s, (double[]){1, -0.25, 0});
    noticed(&s, (double[]){1, -0.2, 0}, "natural");
    s.q[1] = 3;
    accepted(&s, (double[]){1, -0.5, 0});
    noticed(&s, (double[]){1, -0.5, 1e-8}, "natural");
    s.q[0] = 1;
    accepted(&s, (double[]){0, 0, 0});
    noticed(&s, (double[]){1e-6, 0, 0}, "natural");
    s.mu[0] = 0; /* the cone is a half line, without its negative half */
    s.q[1] = 0;
    accepted(&s, (double[]){0, 0, 0});
    noticed(&s, (double[]){-1, 0, 0}, "natural");
}
END_TEST

/* A mass of 2 that falls with 6 onto a contact: v = 0, r = 6; a joint that holds it instead. */
START_TEST(bodies_by_hand)
{
    sample s = {.kind = V_BODY, .n = 1, .size = 4, .contacts = 1, .tol = 1e-9, .mu = {0.5}};
    set_table(&s.M, 1, 1, (double[]){2});
    set_table(&s.A, 1, 3, (double[]){1, 0, 0});
    set_table(&s.G, 1, 0, (double[]){0});
    s.q[0] = -6;
    accepted(&s, (double[]){6, 0, 0, 0});
    noticed(&s, (double[]){7, 0, 0, 0}, "momentum");
    noticed(&s, (double[]){7, 0, 0, 0.5}, "cones");
    s.joints = 1;
    s.size = 5;
    set_table(&s.G, 1, 1, (double[]){1});
    accepted(&s, (double[]){0, 0, 0, 0, 6});
    noticed(&s, (double[]){0, 0, 0, 0.25, 6.5}, "joints");
}
END_TEST

/* What an operator returns is not blamed for its rounding, but for no more. */
START_TEST(operators)
{
    sample s = lcp2((double[]){1, -1e8, 0, 1}, 1e8 - 1, -1, 1e-12);
    s.operator_M = true;
    double z[2] = {1, 1}; /* w = (0, 0) */
    accepted(&s, z);
    z[0] = 1 + 1e-9;
    accepted(&s, z);
    z[0] = 1.1;
    noticed(&s, z, "natural");
}
END_TEST

/* 1 + 2 + 1 rows, W = I: both groups slide, z = (5, 3, 4, 2.5), u = (0, -3, -4, -1); by hand. */
static sample cone_with_groups(void)
{
    sample s = {.kind = V_CONE, .n = 4, .size = 4, .tol = 0x1p-20, .q = {-5, -6, -8, -3.5}};
    set_table(&s.M, 4, 4, (double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    for (int i = 0; i < 4; i++) {
        s.xlo[i] = -INFINITY;
        s.xhi[i] = INFINITY;
        s.follows[i] = i ? 0 : -1;
        s.group[i] = i == 1 || i == 2 ? 1 : -1;
    }
    s.mu[1] = s.slip[1] = 1;
    s.mu[3] = s.slip[3] = 0.5;
    return s;
}

START_TEST(cone_sets_by_hand)
{
    sample s = cone_with_groups();
    accepted(&s, (double[]){5, 3, 4, 2.5});
    noticed(&s, (double[]){5, 3, 4, 2.6}, "natural");
    noticed(&s, (double[]){5, 4, 3, 2.5}, "natural");
    noticed(&s, (double[]){5.1, 3, 4, 2.5}, "natural");
    /* Without de Saxce's term, mu = 1 and one row: z = (3.5, 3.5), u = (0.5, -0.5). */
    s.n = s.size = 2;
    set_table(&s.M, 2, 2, (double[]){1, 0, 0, 1});
    s.q[0] = -3;
    s.q[1] = -4;
    s.group[1] = -1;
    s.slip[1] = 0;
    accepted(&s, (double[]){3.5, 3.5});
    noticed(&s, (double[]){3, 3}, "natural"); /* Coulomb's solution */
    s.slip[1] = 1;
    accepted(&s, (double[]){3, 3});
}
END_TEST

/* A ball of two rows at its edge beside a box at its upper bound and a free row. */
START_TEST(balls_and_boxes_by_hand)
{
    sample s = {.kind = V_CONE, .n = 4, .size = 4, .tol = 0x1p-20, .q = {-6, -8, -3, 1}};
    set_table(&s.M, 4, 4, (double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    for (int i = 0; i < 4; i++) {
        s.xlo[i] = -INFINITY;
        s.xhi[i] = INFINITY;
        s.follows[i] = -1;
        s.group[i] = i < 2 ? 0 : -1;
    }
    s.xhi[0] = 5;
    s.xhi[2] = 2;
    accepted(&s, (double[]){3, 4, 2, -1});
    noticed(&s, (double[]){4, 3, 2, -1}, "natural");
    noticed(&s, (double[]){3, 4, 3, -1}, "natural");
    noticed(&s, (double[]){3, 4, 2, 0}, "natural");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("adversary_exact");
    TCase *t = tcase_create("residuals");
    tcase_add_test(t, lcp_by_hand);
    tcase_add_test(t, units_are_seen);
    tcase_add_test(t, rounding_is_seen);
    tcase_add_test(t, extreme_scales);
    tcase_add_test(t, boxes_and_followers);
    tcase_add_test(t, scale_at_the_nearest_point);
    tcase_add_test(t, callback_by_hand);
    tcase_add_test(t, nnls_by_hand);
    tcase_add_test(t, qp_by_hand);
    tcase_add_test(t, gap_is_seen);
    tcase_add_test(t, cones_by_hand);
    tcase_add_test(t, bodies_by_hand);
    tcase_add_test(t, operators);
    tcase_add_test(t, cone_sets_by_hand);
    tcase_add_test(t, balls_and_boxes_by_hand);
    suite_add_tcase(s, t);
    return support_run(s);
}
