/* tests/core/test_proof.c: the parts of a Farkas proof, each by hand. */
#include "core/proof.h"
#include "generate.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <math.h>

/* What a sum is negative by, over the largest slope. */
START_TEST(radii)
{
    perp_proof p = {0};
    ck_assert_double_eq(perp_proof_radius(&p, 0), 0); /* nothing was added */
    perp_proof_add(&p, -3, 0, 1);
    perp_proof_add(&p, 1, 0, 1);
    ck_assert(isinf(perp_proof_radius(&p, 0))); /* -2, and no slope */
    p.slope = 1e-10;
    ck_assert_double_eq_tol(perp_proof_radius(&p, 0) * 1e-10, 2, 1e-14);
    ck_assert_double_le(perp_proof_radius(&p, 0) * 1e-10, 2);
    ck_assert_double_eq_tol(perp_proof_radius(&p, 0.5) * 1e-10, 1.5, 1e-14);
    ck_assert_double_eq(perp_proof_radius(&p, 2), 0);
    p.slope = 0x1p-1074; /* there is a solution, beyond all numbers */
    ck_assert_double_eq(perp_proof_radius(&p, 0), DBL_MAX);
    p.slope = 1.45;
    p.high =
        -8 * DBL_TRUE_MIN; /* less what rounding takes; no quotient of denormals is rounded up */
    p.open = 0;
    ck_assert_double_le(perp_proof_radius(&p, 0), 5 * DBL_TRUE_MIN);
    p.high = -2;
    p.wrong = true;
    ck_assert_double_eq(perp_proof_radius(&p, 0), 0);
    p.wrong = false;
    perp_proof_add(&p, 2, 0, 1);
    ck_assert_double_eq(perp_proof_radius(&p, 0), 0); /* 0 is not negative */
    p = (perp_proof){.slope = NAN, .high = -1, .size = 1};
    ck_assert_double_eq(perp_proof_radius(&p, 0), 0);
}
END_TEST

/* Errors of the terms count against the proof; sums that cancel in double do not lose it. */
START_TEST(errors_count)
{
    perp_proof p = {0};
    perp_proof_add(&p, -1, 1e-3, 2);
    ck_assert(isinf(perp_proof_radius(&p, 1.99)));
    ck_assert_double_eq(perp_proof_radius(&p, 1.9981), 0);
    p = (perp_proof){.slope = 1};
    perp_proof_add(&p, 1e16, 0, 1);
    perp_proof_add(&p, -1, 0, 1);
    perp_proof_add(&p, -1e16, 0, 1);
    ck_assert_double_eq_tol(perp_proof_radius(&p, 0), 1, 1e-12);
}
END_TEST

/* The verdict is one of relative slopes and margins. */
START_TEST(verdicts)
{
    perp_residual r;
    perp_proof p = {.slope = 1e-10, .relative = 24 * DBL_EPSILON};
    perp_proof_add(&p, -1, 0, 1);
    ck_assert_int_eq(perp_proof_end(&p, 0, 4, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(r.value, 0.75, 1e-12);
    ck_assert_double_eq_tol(r.radius, 1e10, 1);
    ck_assert_int_eq(perp_proof_end(&p, 0.5, 4, &r), PERP_UNCERTIFIED); /* half the margin */
    ck_assert_double_eq_tol(r.value, 1.5, 1e-12);
    ck_assert_int_eq(perp_proof_end(&p, 1, 4, &r), PERP_UNCERTIFIED);
    ck_assert(isinf(r.value) && r.radius == 0);
    p.relative = p.slope = 0;
    ck_assert_int_eq(perp_proof_end(&p, 0.5, 4, &r), PERP_SOLVED);
    ck_assert(r.value == 0 && isinf(r.radius));
}
END_TEST

/* sup of g x + e max(x, 0) on [lo, hi], worked out on a grid of cases, and the slope beyond. */
START_TEST(suprema)
{
    const double inf = INFINITY;
    const struct {
        double g, e, lo, hi, sup, slope;
    } t[] = {
        {2, 0, -1, 3, 6, 0},     {-2, 0, -1, 3, 2, 0},    {-2, 0, 1, inf, -2, 0},
        {2, 0, 1, inf, 2, 2},    {3, 0, -inf, 2, 6, 0},   {-3, 0, -inf, 2, -6, 3},
        {0, 0, -inf, inf, 0, 0}, {1, 0, -inf, inf, 0, 1}, {-1, 0, -inf, inf, 0, 1},
        {-2, 1, -1, 3, 2, 0},    {-2, 3, -1, 3, 3, 0},    {-2, 1.5, -4, inf, 8, 0},
        {-2, 2, 0, inf, 0, 0},   {-2, 3, 0, inf, 0, 1},   {1, 1, -3, -1, -1, 0},
        {-2, 5, 1, 1, 3, 0},
    };
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        perp_proof p = {0};
        perp_slope g = {t[k].g, 0, fabs(t[k].g)}, e = {t[k].e, 0, t[k].e};
        perp_proof_sup(&p, g, e, t[k].lo, t[k].hi);
        ck_assert_double_eq(p.high + p.low, t[k].sup);
        ck_assert_double_eq_tol(p.slope, t[k].slope, 2e-14);
        ck_assert_double_ge(p.slope, t[k].slope);
        ck_assert_double_ge(p.size, fabs(t[k].sup));
        p = (perp_proof){0};
        g.error = 0.5;
        e.error = 0.25;
        perp_proof_sup(&p, g, e, t[k].lo, t[k].hi);
        double far = isinf(t[k].lo) && isinf(t[k].hi) ? 0 : 0.5;
        double at = isinf(t[k].lo) ? t[k].hi : t[k].lo;
        if (far > 0 && at != 0) ck_assert_double_ge(p.open, far * fabs(at));
    }
}
END_TEST

START_TEST(unit_vectors)
{
    perp_arena a = {0};
    const double y[] = {3e-310, -6e-310, 0}, zero[] = {0, 0}, big[] = {1e308, -5e307};
    const double *u = perp_proof_unit(&a, 3, y);
    ck_assert_double_eq(u[1] / u[0], y[1] / y[0]);
    ck_assert(u[1] <= -0.5 && u[1] > -1);
    ck_assert_double_eq(u[2], 0);
    u = perp_proof_unit(&a, 2, zero);
    ck_assert(u[0] == 0 && u[1] == 0);
    u = perp_proof_unit(&a, 2, big);
    ck_assert(u[0] >= 0.5 && u[0] < 1 && u[1] == -0.5 * u[0]);
    perp_arena_free(&a);
    perp_arena_fixed(&a, NULL, 0);
    ck_assert_ptr_null(perp_proof_unit(&a, 3, y));
}
END_TEST

static void never(void *ctx, double a, const double *x, double b, double *y)
{
    (void)ctx, (void)a, (void)x, (void)b, (void)y;
    ck_abort_msg("sizes need no product");
}

/* |A| |x| in every format against loops. */
START_TEST(sizes_of_products)
{
    enum { M = 6, N = 3 };
    generator g = generator_start((uint64_t)_i + 77);
    double A[M * N], x[M], right[M] = {0}, y[M], product[M];
    for (int k = 0; k < M * N; k++) A[k] = generator_unit(&g) < 0.3 ? 0 : generator_uniform(&g);
    for (int i = 0; i < M; i++) x[i] = product[i] = generator_uniform(&g);
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            right[i] += fabs(A[j * M + i] * x[j]);
        }
    }
    perp_arena a = {0};
    perp_matrix D = perp_dense(M, N, A), B;
    const perp_format formats[] = {PERP_FORMAT_DENSE, PERP_FORMAT_CSC, PERP_FORMAT_BSR3};
    for (int k = 0; k < 3; k++) {
        ck_assert_int_eq(perp_convert(&D, formats[k], &a, &B, NULL), PERP_SOLVED);
        perp_mul_sizes(&B, x, NULL, y);
        for (int i = 0; i < M; i++) ck_assert_double_eq_tol(y[i], right[i], 1e-14);
    }
    perp_arena_free(&a);
    perp_matrix none = {.m = M, .n = N}, op = {.format = PERP_FORMAT_OPERATOR, .m = M, .n = N};
    op.as.op = (struct perp_operator){.mul = never, .mul_t = never};
    perp_mul_sizes(&none, x, NULL, y);
    for (int i = 0; i < M; i++) ck_assert_double_eq(y[i], 0);
    double most = 0;
    for (int i = 0; i < M; i++) most = fmax(most, fabs(product[i]));
    perp_mul_sizes(&op, x, product, y);
    for (int i = 0; i < M; i++) ck_assert_double_eq(y[i], most);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("proof");
    TCase *c = tcase_create("proof");
    tcase_add_test(c, radii);
    tcase_add_test(c, errors_count);
    tcase_add_test(c, verdicts);
    tcase_add_test(c, suprema);
    tcase_add_test(c, unit_vectors);
    tcase_add_loop_test(c, sizes_of_products, 0, 10);
    suite_add_tcase(s, c);
    return support_run(s);
}
