/* tests/core/test_residual_qp.c: the residual of a qp against long double, the bound of its
 * rounding against exact sums, and what the natural map alone takes for solved. */
#include "core/residual_qp.h"
#include "qp_residual.h"
#include "support.h"

#include "perp/solvers.h"

#include <check.h>
#include <string.h>

#define INF INFINITY

enum { N = 6, M = 3 };

typedef struct data {
    double H[N * N], A[M * N], c[N], z[N + M], lo[M], hi[M], xlo[N], xhi[N];
} data;

static void random_bounds(generator *g, int n, double *lo, double *hi)
{
    for (int i = 0; i < n; i++) {
        lo[i] = generator_unit(g) < 0.3 ? -INF : 2 * generator_uniform(g);
        hi[i] = generator_unit(g) < 0.3 ? INF : generator_unit(g) + (lo[i] > -3 ? lo[i] : 0);
        if (generator_unit(g) < 0.2 && isfinite(lo[i])) hi[i] = lo[i];
    }
}

static perp_problem make(const data *d, perp_matrix H, perp_matrix A)
{
    perp_problem p = perp_make_qp(N, M, H, d->c, A, d->lo, d->hi);
    p.as.qp.xlo = d->xlo;
    p.as.qp.xhi = d->xhi;
    return p;
}

START_TEST(naive_formula)
{
    generator g = generator_start((uint64_t)_i + 900);
    data d;
    for (int k = 0; k < N * N; k++) d.H[k] = generator_uniform(&g);
    for (int k = 0; k < M * N; k++) d.A[k] = generator_uniform(&g);
    for (int k = 0; k < N; k++) d.c[k] = generator_uniform(&g);
    for (int k = 0; k < N + M; k++) d.z[k] = 2 * generator_uniform(&g);
    random_bounds(&g, M, d.lo, d.hi);
    random_bounds(&g, N, d.xlo, d.xhi);
    perp_arena a = {0};
    perp_matrix H = perp_dense(N, N, d.H), A = perp_dense(M, N, d.A);
    for (int k = 0; k < 16; k++) {
        perp_problem p = make(&d, in_format(k / 4, &H, &a), in_format(k % 4, &A, &a));
        naive_residual mine = naive_qp_residual(&p.as.qp, d.H, d.A, d.z);
        perp_residual r = certify(&p, d.z, PERP_SOLVED);
        ck_assert_double_eq_tol(r.natural, (double)mine.natural, 1e-13);
        ck_assert_double_eq_tol(r.units, (double)mine.units, 1e-13);
        ck_assert_double_eq_tol(r.gap, (double)mine.gap, 1e-13);
        ck_assert_double_eq(r.value, r.units > r.gap ? r.units : r.gap);
        ck_assert_double_lt(r.bound, 1e-12);
        double objective = perp_objective_qp(&p.as.qp, d.z, &a);
        ck_assert_double_eq_tol(objective, (double)mine.objective, 1e-13);
    }
    perp_arena_free(&a);
}
END_TEST

static double whole(generator *g, int bits)
{
    return floor(ldexp(generator_uniform(g), bits));
}

/* Whole numbers: sums of 2^58 are exact in long double, and in double they lose 5 bits. c and the
 * bounds are near what they are compared with, so that all that is left is rounding. */
static data near_exact(generator *g)
{
    data d;
    for (int k = 0; k < N * N; k++) d.H[k] = whole(g, 28);
    for (int k = 0; k < M * N; k++) d.A[k] = whole(g, 28);
    for (int k = 0; k < N + M; k++) d.z[k] = whole(g, 28);
    for (int j = 0; j < N; j++) {
        long double sum = 0;
        for (int k = 0; k < N; k++) sum -= (long double)d.H[k * N + j] * d.z[k];
        for (int i = 0; i < M; i++) sum += (long double)d.A[j * M + i] * d.z[N + i];
        d.c[j] = (double)sum + whole(g, 3);
        d.xlo[j] = generator_unit(g) < 0.5 ? -INF : d.z[j] - floor(3 * generator_unit(g));
        d.xhi[j] = generator_unit(g) < 0.5 ? INF : d.z[j] + floor(3 * generator_unit(g));
    }
    for (int i = 0; i < M; i++) {
        long double sum = 0;
        for (int j = 0; j < N; j++) sum += (long double)d.A[j * M + i] * d.z[j];
        double v = (double)sum;
        d.lo[i] = generator_unit(g) < 0.3 ? -INF : v - 64 * floor(2 * generator_unit(g));
        d.hi[i] = generator_unit(g) < 0.3 ? INF : v + 64 * floor(2 * generator_unit(g));
    }
    return d;
}

START_TEST(bound_of_rounding)
{
    generator g = generator_start((uint64_t)_i + 4000);
    data d = near_exact(&g);
    perp_problem p = make(&d, perp_dense(N, N, d.H), perp_dense(M, N, d.A));
    const perp_scales s = {.s = {1, 1, 1}};
    perp_arena a = {0};
    perp_residual plain, pairs;
    double w[N + M];
    long double exact = naive_qp_residual(&p.as.qp, d.H, d.A, d.z).value;
    ck_assert_int_eq(perp_residual_qp(&p, &s, d.z, w, INF, &a, &plain), PERP_SOLVED);
    ck_assert_int_eq(perp_residual_qp(&p, &s, d.z, w, -1, &a, &pairs), PERP_SOLVED);
    ck_assert_ldouble_le(fabsl(plain.value - exact), plain.bound + 1e-18L * exact);
    ck_assert_ldouble_le(fabsl(pairs.value - exact), pairs.bound + 1e-18L * exact);
    ck_assert_double_le(pairs.bound, 1e-13 * pairs.value + 1e-15);
    ck_assert_double_gt(plain.bound, pairs.bound);
    ck_assert_int_eq(perp_residual_qp(&p, &s, d.z, w, 0, &a, &plain), PERP_SOLVED);
    ck_assert(plain.value == 0 || isinf(plain.bound)); /* above tol: nobody asks */
    perp_arena_free(&a);
}
END_TEST

/* The sums of H x + c come out as 0, and are 1.15e-3: x is large, and so is the gap. */
START_TEST(cancelled_sums)
{
    const double H[] = {9.6, -0.1, -0.1, 0.0010416666666770834}, c[] = {-1, -2}, xlo[] = {0, 0};
    perp_problem p = perp_make_qp(2, 0, perp_dense(2, 2, H), c, (perp_matrix){0}, NULL, NULL);
    p.as.qp.xlo = xlo;
    double z[2], det = H[0] * H[3] - H[1] * H[2];
    z[0] = (H[3] - 2 * H[1]) / det;
    z[1] = (2 * H[0] - H[1]) / det;
    naive_residual mine = naive_qp_residual(&p.as.qp, H, NULL, z);
    perp_residual r = certify(&p, z, PERP_SOLVED);
    ck_assert_double_eq_tol(r.value, (double)mine.value, 1e-3 * (double)mine.value);
    ck_assert_double_gt(r.value, 1e-6);
}
END_TEST

/* x1 >= 1 and x2 <= 1 with gradients of 1e6: the objective is 6e-4 and could be 0. */
START_TEST(large_multipliers)
{
    const double c[] = {1e6, -1e6}, xlo[] = {1, -INF}, xhi[] = {INF, 1}, z[] = {1 + 6e-10, 1};
    perp_problem p = perp_make_qp(2, 0, (perp_matrix){0}, c, (perp_matrix){0}, NULL, NULL);
    p.as.qp.xlo = xlo;
    p.as.qp.xhi = xhi;
    perp_residual r = certify(&p, z, PERP_SOLVED);
    ck_assert_double_lt(r.natural, 1e-8);
    ck_assert_double_eq_tol(r.gap, 6e-4, 1e-6);
    ck_assert_double_eq(r.value, r.gap);
}
END_TEST

/* c = 0 and |H x| = 1e8: what is left of H x - A'y is its rounding. */
START_TEST(large_gradients)
{
    const double H[] = {1e8, 0, 0, 3e8}, c[] = {0, 0}, A[] = {1, 1}, b[] = {1};
    const double z[] = {0.75, 0.25, 0.75e8 * (1 + DBL_EPSILON)};
    perp_problem p = perp_make_qp(2, 1, perp_dense(2, 2, H), c, perp_dense(1, 2, A), b, b);
    perp_residual r = certify(&p, z, PERP_SOLVED);
    ck_assert_double_gt(r.natural, 1e-8);
    ck_assert_double_lt(r.value + r.bound, 1e-15);
}
END_TEST

/* Norms of all rows let a free one of 1e12 hide that another is violated by 1. */
START_TEST(rows_one_by_one)
{
    const double A[] = {1e12, 0, 0, 1}, c[] = {0, 0}, lo[] = {1e12, 3}, z[] = {1, 2, 0, 0};
    perp_problem p = perp_make_qp(2, 2, (perp_matrix){0}, c, perp_dense(2, 2, A), lo, NULL);
    perp_residual r = certify(&p, z, PERP_SOLVED);
    ck_assert_double_lt(r.natural, 1e-8);
    ck_assert_double_eq_tol(r.value, 1.0 / 3,
                            1e-15); /* 3 - A x over 1 + |A x|; 1/4 over the bound */
}
END_TEST

/* x >= 0 and x <= -1: the map of a projection on no box is 0 at x = 0, which violates a bound by 1.
 * Neither any x nor any gradient makes that pass. */
START_TEST(bounds_that_cross)
{
    const double H = 1, lo = 0, hi = -1;
    for (int k = -8; k <= 8; k++) {
        for (int l = -8; l <= 8; l++) {
            double c = l / 4.0, x = k / 8.0;
            perp_problem p =
                perp_make_qp(1, 0, perp_dense(1, 1, &H), &c, (perp_matrix){0}, NULL, NULL);
            p.as.qp.xlo = &lo;
            p.as.qp.xhi = &hi;
            perp_residual r = certify(&p, &x, PERP_SOLVED);
            ck_assert_double_ge(r.value, fmax(-x, x + 1) / (1 + fabs(x)));
        }
    }
}
END_TEST

/* The row x1 - x2 = 0.1 at x = 1e10 is left at 2e-7 or more by whatever numbers. */
START_TEST(floor_is_named)
{
    const double H[] = {1, 0, 0, 1}, c[] = {-1e10, -1e10}, A[] = {1, -1}, b[] = {0.1};
    perp_problem p = perp_make_qp(2, 1, perp_dense(2, 2, H), c, perp_dense(1, 2, A), b, b);
    double z[3];
    perp_arena a = {0};
    perp_result r;
    ck_assert_int_eq(perp_solve(&p, NULL, &a, z, NULL, &r), PERP_STALLED);
    ck_assert_ptr_nonnull(strstr(r.detail, "the rounding of z alone leaves"));
    ck_assert_double_gt(r.residual.floor, 1e-8);
    ck_assert_double_lt(r.residual.value, 100 * r.residual.floor);
    perp_arena_free(&a);
}
END_TEST

/* Bounds count as far as they are: at x = 0 of min -1e-15 x, 0 <= x <= 1e25, all but the gap is
 * small, and the minimum is -1e10. */
START_TEST(a_far_bound_is_a_bound)
{
    const double c[] = {-1e-15}, lo[] = {0}, hi[] = {1e25}, x[] = {0};
    perp_problem p = perp_make_qp(1, 0, (perp_matrix){0}, c, (perp_matrix){0}, NULL, NULL);
    p.as.qp.xlo = lo;
    p.as.qp.xhi = hi;
    perp_residual r = certify(&p, x, PERP_SOLVED);
    ck_assert_double_le(r.units, 1e-14);
    ck_assert_double_eq_tol(r.gap, 1e10, 1);
}
END_TEST

/* Where rounding of the gradient times the way to such a bound is above tol, that is said, however
 * far above: without them, or with infinite ones, the same x is a solution. */
START_TEST(far_bounds_name_the_floor)
{
    static const char *const solvers[] = {"qp/auto", "qp/ipm", "qp/fletcher", "qp/dual"};
    const double H[] = {3, 1, 1, 2}, c[] = {-1, -0.3}, far[] = {1e20, 1e30, INF};
    for (int k = 0; k < 12; k++) {
        double hi[] = {far[k / 4], far[k / 4]}, lo[] = {-hi[0], -hi[1]}, z[2];
        perp_problem p = perp_make_qp(2, 0, perp_dense(2, 2, H), c, (perp_matrix){0}, NULL, NULL);
        perp_arena a = {0};
        perp_result r;
        p.as.qp.xlo = lo;
        p.as.qp.xhi = hi;
        perp_status s = perp_solve(&p, perp_find(solvers[k % 4]), &a, z, NULL, &r);
        ck_assert_double_eq_tol(z[0], 0.34, 1e-8);
        ck_assert_double_eq_tol(z[1], -0.02, 1e-8);
        if (k / 4 == 2) {
            ck_assert_int_eq(s, PERP_SOLVED);
        } else if (s != PERP_SOLVED) { /* z may round to an exact one */
            ck_assert_msg(s == PERP_STALLED && r.residual.floor > 1 &&
                              strstr(r.detail, "the rounding of z alone leaves"),
                          "%s, %g: %s", solvers[k % 4], far[k / 4], r.detail);
        }
        perp_arena_free(&a);
    }
}
END_TEST

/* 1e16 + 1 - 1e16 */
START_TEST(objective_in_pairs)
{
    const double c[] = {1e16, 1, -1e16}, x[] = {1, 1, 1};
    perp_problem p = perp_make_qp(3, 0, (perp_matrix){0}, c, (perp_matrix){0}, NULL, NULL);
    perp_arena a = {0};
    p.as.qp.H.m = p.as.qp.H.n = 3;
    ck_assert_double_eq(perp_objective_qp(&p.as.qp, x, &a), 1);
    perp_arena_free(&a);
}
END_TEST

/* An objective that overflows divides no gap. */
START_TEST(overflow)
{
    const double H[] = {1}, c[] = {-1e200}, x[] = {1e200};
    perp_problem p = perp_make_qp(1, 0, perp_dense(1, 1, H), c, (perp_matrix){0}, NULL, NULL);
    ck_assert(isinf(certify(&p, x, PERP_E_NUMBER).value));
}
END_TEST

/* At any lack of memory it says so; with enough the residual is the same. */
START_TEST(no_memory)
{
    generator g = generator_start(3);
    data d = near_exact(&g);
    perp_problem p = make(&d, perp_dense(N, N, d.H), perp_dense(M, N, d.A));
    double expected = certify(&p, d.z, PERP_SOLVED).value;
    char buffer[16384];
    int refused = 0;
    for (size_t size = 64; size <= sizeof buffer; size += 64) {
        perp_arena a = {0};
        perp_residual r;
        perp_arena_fixed(&a, buffer, size);
        perp_status status = perp_certify(&p, d.z, &a, &r);
        refused += status == PERP_E_MEMORY;
        ck_assert(status == PERP_E_MEMORY ? isinf(r.value) : r.value == expected);
    }
    ck_assert(refused > 5 && refused < 200);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("residual_qp");
    TCase *c = tcase_create("residual_qp");
    tcase_add_loop_test(c, naive_formula, 0, 30);
    tcase_add_loop_test(c, bound_of_rounding, 0, 300);
    tcase_add_test(c, cancelled_sums);
    tcase_add_test(c, large_multipliers);
    tcase_add_test(c, large_gradients);
    tcase_add_test(c, rows_one_by_one);
    tcase_add_test(c, bounds_that_cross);
    tcase_add_test(c, floor_is_named);
    tcase_add_test(c, a_far_bound_is_a_bound);
    tcase_add_test(c, far_bounds_name_the_floor);
    tcase_add_test(c, objective_in_pairs);
    tcase_add_test(c, overflow);
    tcase_add_test(c, no_memory);
    suite_add_tcase(s, c);
    return support_run(s);
}
