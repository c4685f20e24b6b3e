/* tests/core/test_kind_qp.c: KKT residuals by hand for every kind of row, and the two proofs. */
#include "core/internal.h"
#include "support.h"

#include "perp/solvers.h"

#include <check.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#define INF INFINITY

static const double I2[] = {1, 0, 0, 1}, ones[] = {1, 1};

/* min |x|^2 / 2 - c'x: project c = (3, 1) on lo <= x1 + x2 <= hi; x = c + s (1, 1), y = s = x - c.
 */
START_TEST(every_kind_of_row)
{
    const struct {
        double lo, hi, x1, x2, y;
    } t[] = {
        {-INF, INF, 3, 1, 0}, {2, 2, 2, 0, -1},    {6, 6, 4, 2, 1},    {6, INF, 4, 2, 1},
        {2, INF, 3, 1, 0},    {-INF, 2, 2, 0, -1}, {-INF, 6, 3, 1, 0}, {0, 2, 2, 0, -1},
        {6, 8, 4, 2, 1},      {0, 6, 3, 1, 0},     {4, INF, 3, 1, 0},
    };
    const double c[] = {-3, -1};
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        perp_problem p =
            perp_make_qp(2, 1, perp_dense(2, 2, I2), c, perp_dense(1, 2, ones), &t[k].lo, &t[k].hi);
        const double z[] = {t[k].x1, t[k].x2, t[k].y};
        perp_residual r = certify(&p, z, PERP_SOLVED);
        ck_assert_double_eq(r.value, 0);
        ck_assert_double_eq(r.primal + r.dual + r.complementarity, 0);
        for (int i = 0; i < 3; i++) {
            for (int sign = -1; sign <= 1; sign += 2) {
                double off[] = {z[0], z[1], z[2]};
                off[i] += 1e-6 * sign;
                ck_assert_double_gt(certify(&p, off, PERP_SOLVED).value, 1e-8);
                off[i] = sign < 0 ? NAN : INF;
                ck_assert(isinf(certify(&p, off, PERP_E_NUMBER).value));
            }
        }
    }
}
END_TEST

/* min |x|^2/2 - 3 x1 - x2 over a box: x is c clipped, the slack g = x - c. */
START_TEST(every_kind_of_bound)
{
    const double c[] = {-3, -1}, xlo[] = {-INF, 2}, xhi[] = {1, INF}, z[] = {1, 2};
    perp_problem p = perp_make_qp(2, 0, perp_dense(2, 2, I2), c, (perp_matrix){0}, NULL, NULL);
    p.as.qp.xlo = xlo;
    p.as.qp.xhi = xhi;
    ck_assert_double_eq(certify(&p, z, PERP_SOLVED).value, 0);
    const double out[] = {2, 1}; /* g = (-1, 0): both bounds broken by 1 */
    perp_residual r = certify(&p, out, PERP_SOLVED);
    ck_assert_double_eq(r.primal, 1);
    ck_assert_double_eq_tol(r.absolute, sqrt(2), 1e-15);
    ck_assert_double_eq_tol(r.natural, sqrt(2) / (1 + sqrt(10)), 1e-15);
    ck_assert_double_eq_tol(r.gap, 1 / 5.5, 1e-15); /* |g1| |x1 - 1| / (1 + 4.5) */
    ck_assert_double_eq_tol(r.value, 0.5, 1e-15);   /* x2: 1 / (1 + |x2|) */
    const double inside[] = {0, 2};                 /* g = (-3, 1) */
    r = certify(&p, inside, PERP_SOLVED);
    ck_assert_double_eq(r.complementarity, 1);
    const double c_up[] = {3, -5}; /* g = (4, -3) at z: signs wrong on both */
    p.as.qp.c = c_up;
    r = certify(&p, z, PERP_SOLVED);
    ck_assert_double_eq(r.dual, 4);
    ck_assert_double_eq_tol(r.absolute, 5, 1e-15);
}
END_TEST

START_TEST(multiplier_signs)
{
    const double c[] = {0, 0}, lo[] = {-1}, hi[] = {1}, at_lo[] = {-1}, z[] = {0, 0, 0.5};
    perp_problem p = perp_make_qp(2, 1, (perp_matrix){0}, c, perp_dense(1, 2, ones), lo, NULL);
    perp_residual r = certify(&p, z, PERP_SOLVED); /* A x = 0, 1 above lo, y = 0.5: g = -0.5 */
    ck_assert_double_eq(r.dual, 0.5);
    ck_assert_double_eq(r.complementarity, 0.5);
    ck_assert_double_eq_tol(r.absolute, sqrt(0.75), 1e-15);
    ck_assert_double_eq_tol(r.natural, sqrt(0.5 + 0.25), 1e-15); /* scales 1 and 1 */
    ck_assert_double_eq_tol(r.units, 0.5 / 1.5, 1e-15);          /* y and g, sigma = 1.5 */
    ck_assert_double_eq_tol(r.value, 0.5, 1e-15);                /* the gap, y (A x - lo) */
    p.as.qp.lo = NULL;
    p.as.qp.hi = at_lo; /* A x <= -1 is broken by 1; P(0) = -1 */
    r = certify(&p, z, PERP_SOLVED);
    ck_assert_double_eq(r.primal, 1);
    ck_assert_double_eq_tol(r.natural, sqrt(0.5 + 0.25), 1e-15);
    ck_assert_double_eq_tol(r.value, 1 / 1.5, 1e-15); /* A x - P(A x - y) over 1 + |y| */
    p.as.qp.hi = hi;
    r = certify(&p, z, PERP_SOLVED); /* y > 0 with an upper bound only */
    ck_assert_double_eq(r.dual, 0.5);
}
END_TEST

START_TEST(refusals)
{
    perp_matrix H = perp_dense(2, 2, I2), A = perp_dense(1, 2, ones), none = {0};
    const double c[] = {1, NAN}, xlo[] = {0, INF}, xhi[] = {0, -INF};
    invalid(perp_make_qp(-1, 1, H, ones, A, NULL, NULL), PERP_E_ARGUMENT, "n = -1");
    invalid(perp_make_qp(2, -1, H, ones, A, NULL, NULL), PERP_E_ARGUMENT, "m = -1");
    invalid(perp_make_qp(2, INT_MAX, H, ones, A, NULL, NULL), PERP_E_ARGUMENT, "too many");
    invalid(perp_make_qp(3, 1, H, ones, A, NULL, NULL), PERP_E_ARGUMENT, "H");
    invalid(perp_make_qp(2, 2, H, ones, A, NULL, NULL), PERP_E_ARGUMENT, "A");
    invalid(perp_make_qp(2, 1, H, ones, none, NULL, NULL), PERP_E_ARGUMENT, "A");
    invalid(perp_make_qp(2, 1, H, NULL, A, NULL, NULL), PERP_E_ARGUMENT, "c");
    invalid(perp_make_qp(2, 1, H, c, A, NULL, NULL), PERP_E_NUMBER, "c[1]");
    perp_problem p = perp_make_qp(2, 1, none, ones, A, NULL, NULL);
    ck_assert_int_eq(perp_validate(&p, NULL), PERP_SOLVED);
    p.as.qp.xlo = xlo;
    invalid(p, PERP_E_NUMBER, "xlo[1]");
    p.as.qp.xlo = NULL;
    p.as.qp.xhi = xhi;
    invalid(p, PERP_E_NUMBER, "xhi[1]");
    p = perp_make_qp(2, INT_MAX, H, ones, A, NULL, NULL);
    ck_assert_int_eq(perp_size(&p), -1);
}
END_TEST

/* x1 + x2 between lo and hi, x in a box. */
START_TEST(infeasible)
{
    const struct {
        double lo, hi, xlo, xhi;
        int sign; /* of the multiplier that proves it; 0: feasible */
    } t[] = {
        {3, INF, 0, 1, 1},  {1, INF, 0, 1, 0},      {-INF, -1, 0, INF, -1}, {-INF, 1, 0, INF, 0},
        {5, 5, -INF, 2, 1}, {5, 5, 3, INF, -1},     {5, 5, -INF, INF, 0},   {-INF, INF, 0, 1, 0},
        {2.5, 7, 0, 1, 1},  {-7, -0.5, 0, INF, -1},
    };
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        const double xlo[] = {t[k].xlo, t[k].xlo}, xhi[] = {t[k].xhi, t[k].xhi};
        perp_problem p = perp_make_qp(2, 1, perp_dense(2, 2, I2), ones, perp_dense(1, 2, ones),
                                      &t[k].lo, &t[k].hi);
        p.as.qp.xlo = xlo;
        p.as.qp.xhi = xhi;
        for (double f = 1e-200; f < 1e250; f *= 1e100) {
            const double up[] = {0, 0, f}, down[] = {0, 0, -f};
            ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, up, NULL),
                             t[k].sign > 0 ? PERP_SOLVED : PERP_UNCERTIFIED);
            ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, down, NULL),
                             t[k].sign < 0 ? PERP_SOLVED : PERP_UNCERTIFIED);
        }
        const double none[] = {1, 1, 0};
        ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, none, NULL), PERP_UNCERTIFIED);
        ck_assert_int_eq(check_claim(&p, PERP_RAY, none, NULL), PERP_E_ARGUMENT);
    }
}
END_TEST

/* Two rows that contradict each other: x1 + 0.1 x2 >= 1 and <= 0.5, free x. The multipliers of a
 * proof cancel; a rough one is refused in proportion. */
START_TEST(contradicting_rows)
{
    const double A[] = {1, 1, 0.1, 0.1}, lo[] = {1, -INF}, hi[] = {INF, 0.5};
    const double good[] = {0, 0, 0.3, -0.3}, rough[] = {0, 0, 1, -1 + 1e-6};
    const double nearly[] = {0, 0, 0.3, -0.3 * (1 + DBL_EPSILON)};
    perp_problem p = perp_make_qp(2, 2, (perp_matrix){0}, ones, perp_dense(2, 2, A), lo, hi);
    double value;
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, good, &value), PERP_SOLVED);
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, nearly, &value), PERP_SOLVED);
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, rough, &value), PERP_UNCERTIFIED);
    ck_assert_double_gt(value, 1e8);    /* R = 5e5 */
    const double touching[] = {INF, 1}; /* <= 1 and >= 1: feasible */
    p.as.qp.hi = touching;
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, good, &value), PERP_UNCERTIFIED);
}
END_TEST

/* x'Hx/2 + c'x, bounds as given, along d. */
START_TEST(unbounded)
{
    static const double zero[] = {0, 0, 0, 0}, saddle[] = {1, 0, 0, -1}, skew[] = {0, 5, -5, 0};
    static const double flat[] = {1, -1, -1, 1}, upper[] = {1, 0, -2, 1}; /* (x1 - x2)^2 / 2 */
    static const double stiff[] = {1e6, -1e6, -1e6, 1e6 + 1};
    const struct {
        const double *H;
        double c[2], lo, hi, xlo, xhi, d[2];
        bool proves;
    } t[] = {
        {zero, {-1, 0}, -INF, INF, 0, INF, {1, 0}, true},
        {zero, {-1, 0}, -INF, INF, 0, INF, {0, 1}, false}, /* c'd = 0 */
        {zero, {1, 0}, -INF, INF, 0, INF, {1, 0}, false},  /* uphill */
        {zero, {1, 0}, -INF, INF, 0, INF, {-1, 0}, false}, /* out of the box */
        {zero, {-1, 0}, -INF, INF, 0, 9, {1, 0}, false},   /* the box ends */
        {zero, {-1, 0}, -INF, 5, 0, INF, {1, 0}, false},   /* the row ends */
        {zero, {-2, 1}, -INF, 5, -INF, INF, {1, -1}, true},
        {zero, {1, 0}, 5, INF, -INF, INF, {-1, 0}, false},
        {saddle, {0, 0}, -INF, INF, -INF, INF, {0, 1}, true},
        {saddle, {0, 7}, -INF, INF, -INF, INF, {0, 1}, true}, /* curvature wins over slope */
        {saddle, {-9, 0}, -INF, INF, -INF, INF, {1, 0}, false},
        {saddle, {0, 0}, -INF, INF, -INF, INF, {1, 1}, false}, /* d'Hd = 0, Hd is not */
        {I2, {-1, -1}, -INF, INF, -INF, INF, {1, 1}, false},
        {flat, {-1, -1}, -INF, INF, -INF, INF, {1, 1}, true},
        {flat, {1, 1}, -INF, INF, -INF, INF, {1, 1}, false},
        {upper, {-1, -1}, -INF, INF, -INF, INF, {1, 1}, true}, /* symmetric part is flat */
        {skew, {-1, 0}, -INF, INF, -INF, INF, {1, 0}, true},
        {stiff, {-1, -1}, -INF, INF, -INF, INF, {1, 1}, false}, /* 1 is not rounding beside 1e6 */
        {zero, {-1, 0}, -INF, INF, 0, INF, {0, 0}, false},
    };
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        const double xlo[] = {t[k].xlo, t[k].xlo}, xhi[] = {t[k].xhi, t[k].xhi};
        perp_problem p = perp_make_qp(2, 1, perp_dense(2, 2, t[k].H), t[k].c,
                                      perp_dense(1, 2, ones), &t[k].lo, &t[k].hi);
        p.as.qp.xlo = xlo;
        p.as.qp.xhi = xhi;
        for (double f = 1e-200; f < 1e250; f *= 1e100) {
            const double y[] = {f * t[k].d[0], f * t[k].d[1], 3};
            perp_status expected = t[k].proves ? PERP_SOLVED : PERP_UNCERTIFIED;
            ck_assert_msg(check_claim(&p, PERP_UNBOUNDED, y, NULL) == expected, "row %d", (int)k);
        }
        if (t[k].H != zero) continue;
        p.as.qp.H = (perp_matrix){0};
        const double y[] = {t[k].d[0], t[k].d[1], 3};
        ck_assert_int_eq(check_claim(&p, PERP_UNBOUNDED, y, NULL),
                         t[k].proves ? PERP_SOLVED : PERP_UNCERTIFIED);
    }
}
END_TEST

/* Flat in the stiff part, curved in the soft one: each row is judged by its own size. */
START_TEST(stiff_rows_hide_no_soft_ones)
{
    const double H[] = {1e12, -1e12, 0, -1e12, 1e12, 0, 0, 0, 1}, c[] = {-1, -1, -1};
    const double along[] = {1, 1, 1}, flat[] = {1, 1, 0};
    perp_problem p = perp_make_qp(3, 0, perp_dense(3, 3, H), c, (perp_matrix){0}, NULL, NULL);
    double value;
    ck_assert_int_eq(check_claim(&p, PERP_UNBOUNDED, along, &value), PERP_UNCERTIFIED);
    ck_assert_double_gt(value, 1e12);
    ck_assert_int_eq(check_claim(&p, PERP_UNBOUNDED, flat, &value), PERP_SOLVED);
}
END_TEST

/* Without memory there is no scale, and nothing passes. */
START_TEST(no_memory_for_the_scale)
{
    const double H[] = {2, 0, 0, 2}, c[] = {-2, 4}, A[] = {1, 1}, lo[] = {1};
    perp_problem p = perp_make_qp(2, 1, perp_dense(2, 2, H), c, perp_dense(1, 2, A), lo, NULL);
    perp_arena a = {0};
    char buffer[1];
    perp_scales s = {.s = {7, 7, 7}};
    perp_arena_fixed(&a, buffer, sizeof buffer);
    perp_kind_ops_of(PERP_KIND_QP)->scale(&p, &a, &s);
    ck_assert(a.failed && isnan(s.s[0]) && s.s[1] == 1 && s.s[2] == 1);
}
END_TEST

START_TEST(empty)
{
    perp_problem p = perp_make_qp(0, 0, (perp_matrix){0}, NULL, (perp_matrix){0}, NULL, NULL);
    ck_assert_double_eq(certify(&p, NULL, PERP_SOLVED).value, 0);
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, NULL, NULL), PERP_UNCERTIFIED);
    ck_assert_int_eq(check_claim(&p, PERP_UNBOUNDED, NULL, NULL), PERP_UNCERTIFIED);
}
END_TEST

/* Strictly convex, if barely: the minimum is at (1, 1) / e, and d = (1, 1) leads nowhere. */
START_TEST(a_flat_valley_is_not_unbounded)
{
    for (int k = 20; k < 46; k++) {
        double e = ldexp(1, -k), H[] = {1, e - 1, e - 1, 1}, c[] = {-1, -1}, d[] = {1, 1};
        perp_problem p = perp_make_qp(2, 0, perp_dense(2, 2, H), c, (perp_matrix){0}, NULL, NULL);
        ck_assert_int_eq(check_claim(&p, PERP_UNBOUNDED, d, NULL), PERP_UNCERTIFIED);
    }
}
END_TEST

/* Bounds that cross are no error: the problem is infeasible, which the entry proves that names
 * them. */
START_TEST(crossing_bounds)
{
    const double H[] = {1, 0, 0, 1}, c[] = {1, 2}, lo[] = {0, 5}, hi[] = {1, 4}, A[] = {1, 0, 0, 1};
    const double row[] = {0, 0, 0, -2}, other[] = {0, 0, 1, 0}, x[] = {0, 1, 0, 0};
    perp_problem p = perp_make_qp(2, 2, perp_dense(2, 2, H), c, perp_dense(2, 2, A), lo, hi);
    double z[4], w[4];
    perp_arena a = {0};
    perp_result r;
    ck_assert_int_eq(perp_validate(&p, NULL), PERP_SOLVED);
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, row, NULL), PERP_SOLVED);
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, other, NULL), PERP_UNCERTIFIED);
    ck_assert_int_eq(perp_solve(&p, perp_find("qp/dual"), &a, z, w, &r), PERP_INFEASIBLE);
    ck_assert_str_eq(r.detail, "lo[1] = 5 is above hi[1] = 4: no x is between");
    ck_assert(r.iterations == 0 && w[3] == 1);
    p = perp_make_qp(2, 0, perp_dense(2, 2, H), c, (perp_matrix){0}, NULL, NULL);
    p.as.qp.xlo = lo;
    p.as.qp.xhi = hi;
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, x, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_solve(&p, perp_find("qp/dual"), &a, z, w, &r), PERP_INFEASIBLE);
    ck_assert_str_eq(r.detail, "xlo[1] = 5 is above xhi[1] = 4: no x is between");
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("kind_qp");
    TCase *c = tcase_create("qp");
    tcase_add_test(c, every_kind_of_row);
    tcase_add_test(c, every_kind_of_bound);
    tcase_add_test(c, multiplier_signs);
    tcase_add_test(c, crossing_bounds);
    tcase_add_test(c, refusals);
    tcase_add_test(c, infeasible);
    tcase_add_test(c, contradicting_rows);
    tcase_add_test(c, a_flat_valley_is_not_unbounded);
    tcase_add_test(c, unbounded);
    tcase_add_test(c, stiff_rows_hide_no_soft_ones);
    tcase_add_test(c, no_memory_for_the_scale);
    tcase_add_test(c, empty);
    suite_add_tcase(s, c);
    return support_run(s);
}
