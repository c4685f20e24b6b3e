/* tests/core/test_proof.c: the parts of a Farkas proof, each by hand. */
#include "core/proof.h"
#include "generate.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <math.h>

START_TEST(violations)
{
    perp_proof p = {0};
    perp_proof_violates(&p, -3, 1);
    perp_proof_violates(&p, 0, 0);
    ck_assert_double_eq(p.violation, 0);
    perp_proof_violates(&p, 0.5, 2);
    ck_assert_double_eq(p.violation, 0.25);
    perp_proof_violates(&p, 0.1, 2);
    ck_assert_double_eq(p.violation, 0.25);
    perp_proof_violates(&p, NAN, 1);
    perp_proof_violates(&p, 1, 1);
    ck_assert(isnan(p.violation));
    p = (perp_proof){0};
    perp_proof_violates(&p, 1, 0);
    ck_assert(isinf(p.violation));
}
END_TEST

START_TEST(values)
{
    perp_proof p = {0};
    ck_assert(isinf(perp_proof_value(&p))); /* nothing was added */
    perp_proof_add(&p, -3);
    perp_proof_add(&p, 1);
    ck_assert_double_eq(p.sum, -2);
    ck_assert_double_eq(p.size, 4);
    ck_assert_double_eq(perp_proof_value(&p), 0);
    p.violation = 0.1;
    ck_assert_double_eq(perp_proof_value(&p), 0.1);
    perp_proof_add(&p, 2);
    ck_assert(isinf(perp_proof_value(&p))); /* 0 is not negative */
    p.sum = NAN;
    ck_assert(isinf(perp_proof_value(&p)));
    p = (perp_proof){.violation = NAN, .sum = -1, .size = 1};
    ck_assert(isinf(perp_proof_value(&p)));
    p = (perp_proof){.sum = -1e-16, .size = 1}; /* rounding */
    ck_assert_double_gt(perp_proof_value(&p), 1);
}
END_TEST

START_TEST(verdicts)
{
    perp_residual r;
    double limit = (16 + 4 * 3) * DBL_EPSILON;
    ck_assert_int_eq(perp_proof_end(3, limit, 1e-16, &r), PERP_SOLVED);
    ck_assert_double_eq(r.value, limit);
    ck_assert_double_eq(r.absolute, 1e-16);
    ck_assert_int_eq(perp_proof_end(3, 1.01 * limit, 0, &r), PERP_UNCERTIFIED);
    ck_assert_int_eq(perp_proof_end(3, INFINITY, 0, &r), PERP_UNCERTIFIED);
    ck_assert_int_eq(perp_proof_end(3, NAN, 0, &r), PERP_UNCERTIFIED);
}
END_TEST

/* sup of g x + e max(x, 0) on [lo, hi], worked out on a grid of cases. */
START_TEST(suprema)
{
    const double inf = INFINITY;
    const struct {
        double g, e, lo, hi, sup, violation;
    } t[] = {
        {2, 0, -1, 3, 6, 0},     {-2, 0, -1, 3, 2, 0},    {-2, 0, 1, inf, -2, 0},
        {2, 0, 1, inf, 2, 1},    {3, 0, -inf, 2, 6, 0},   {-3, 0, -inf, 2, -6, 1},
        {0, 0, -inf, inf, 0, 0}, {1, 0, -inf, inf, 0, 1}, {-1, 0, -inf, inf, 0, 1},
        {-2, 1, -1, 3, 2, 0},    {-2, 3, -1, 3, 3, 0},    {-2, 1.5, -4, inf, 8, 0},
        {-2, 2, 0, inf, 0, 0},   {-2, 3, 0, inf, 0, 0.2}, {1, 1, -3, -1, -1, 0},
        {-2, 5, 1, 1, 3, 0},
    };
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        perp_proof p = {0};
        perp_proof_sup(&p, t[k].g, fabs(t[k].g), t[k].e, t[k].e, t[k].lo, t[k].hi);
        ck_assert_double_eq(p.sum, t[k].sup);
        ck_assert_double_eq(p.violation, t[k].violation);
        ck_assert_double_ge(p.size, fabs(p.sum));
    }
}
END_TEST

START_TEST(unit_vectors)
{
    perp_arena a = {0};
    const double y[] = {3e-310, -6e-310, 0}, zero[] = {0, 0}, big[] = {1e308, -5e307};
    const double *u = perp_proof_unit(&a, 3, y);
    ck_assert_double_eq_tol(u[0], 0.5, 1e-10);
    ck_assert_double_eq(u[1], -1);
    ck_assert_double_eq(u[2], 0);
    u = perp_proof_unit(&a, 2, zero);
    ck_assert(u[0] == 0 && u[1] == 0);
    u = perp_proof_unit(&a, 2, big);
    ck_assert(u[0] == 1 && u[1] == -0.5);
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
    double A[M * N], x[M], right[M] = {0}, left[N] = {0}, y[M], product[M];
    for (int k = 0; k < M * N; k++) A[k] = generator_unit(&g) < 0.3 ? 0 : generator_uniform(&g);
    for (int i = 0; i < M; i++) x[i] = product[i] = generator_uniform(&g);
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            right[i] += fabs(A[j * M + i] * x[j]);
            left[j] += fabs(A[j * M + i] * x[i]);
        }
    }
    perp_arena a = {0};
    perp_matrix D = perp_dense(M, N, A), B;
    const perp_format formats[] = {PERP_FORMAT_DENSE, PERP_FORMAT_CSC, PERP_FORMAT_BSR3};
    for (int k = 0; k < 3; k++) {
        ck_assert_int_eq(perp_convert(&D, formats[k], &a, &B, NULL), PERP_SOLVED);
        perp_mul_sizes(&B, x, NULL, y);
        for (int i = 0; i < M; i++) ck_assert_double_eq_tol(y[i], right[i], 1e-14);
        perp_mul_t_sizes(&B, x, NULL, y);
        for (int j = 0; j < N; j++) ck_assert_double_eq_tol(y[j], left[j], 1e-14);
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
    most = fmax(fabs(product[0]), fmax(fabs(product[1]), fabs(product[2])));
    perp_mul_t_sizes(&op, x, product, y);
    for (int j = 0; j < N; j++) ck_assert_double_eq(y[j], most);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("proof");
    TCase *c = tcase_create("proof");
    tcase_add_test(c, violations);
    tcase_add_test(c, values);
    tcase_add_test(c, verdicts);
    tcase_add_test(c, suprema);
    tcase_add_test(c, unit_vectors);
    tcase_add_loop_test(c, sizes_of_products, 0, 10);
    suite_add_tcase(s, c);
    return support_run(s);
}
