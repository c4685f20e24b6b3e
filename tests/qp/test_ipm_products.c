/* tests/qp/test_ipm_products.c: values and gradients against sums entry by entry. */
#include "ipm_support.h"

START_TEST(products_by_hand)
{
    /* H = [2 1; 1 3], A = [1 2; 0 4; 5 0] */
    const int p[] = {0, 2, 4}, i[] = {0, 1, 0, 1}, q[] = {0, 2, 4}, j[] = {0, 2, 0, 1};
    const double H[] = {2, 1, 1, 3}, A[] = {1, 5, 2, 4}, c[] = {10, 20}, lo[] = {0, 0, 0};
    const double x[] = {1, -1}, y[] = {1, 2, 3};
    perp_arena a = {0};
    perp_problem qp =
        perp_make_qp(2, 3, perp_csc(2, 2, p, i, H), c, perp_csc(3, 2, q, j, A), lo, lo);
    ipm_presolved r = reduce_problem(&qp, &a);
    ipm_problem own = r.p; /* unscaled */
    const int below[] = {0, 2, 3}, of[] = {0, 1, 1};
    const double lower[] = {2, 1, 3};
    double v[5], g[2];
    own.H = perp_csc(2, 2, below, of, lower);
    own.A = qp.as.qp.A;
    own.c = c;
    own.soft = 0.5;
    perp_ipm_multiply(&own, x, y, v, g);
    const double values[] = {1, -1, -0.5, -3, 6.5}, products[] = {1 - 16, -2 - 10};
    for (int k = 0; k < 5; k++) ck_assert_double_eq(v[k], values[k]);
    for (int k = 0; k < 2; k++) ck_assert_double_eq(g[k], products[k]);
    perp_ipm_evaluate(&own, x, y, v, g);
    for (int k = 0; k < 5; k++) ck_assert_double_eq(v[k], values[k]);
    for (int k = 0; k < 2; k++) ck_assert_double_eq(g[k], products[k] + c[k]);
    own.linear = true;
    perp_ipm_multiply(&own, x, y, v, g);
    ck_assert_double_eq(g[0], -16);
    perp_arena_free(&a);
}
END_TEST

/* Of a matrix that is not symmetric all entries are stored. */
START_TEST(products_that_are_not_symmetric)
{
    perp_arena a = {0};
    perp_problem p = sparse_problem("qp_nonsymmetric", 20, 3, &a);
    ipm_presolved r = reduce_problem(&p, &a);
    double x[64], y[64], v[64], g[64], expected[64];
    generator rng = generator_start(9);
    ck_assert(!r.p.symmetric);
    for (int k = 0; k < 64; k++) {
        x[k] = generator_uniform(&rng);
        y[k] = generator_uniform(&rng);
    }
    perp_ipm_multiply(&r.p, x, y, v, g);
    perp_mul(&r.p.H, 1, x, 0, expected);
    perp_mul_t(&r.p.A, -1, y, 1, expected);
    for (int k = 0; k < r.p.n; k++) ck_assert_double_eq_tol(g[k], expected[k], 1e-13);
    perp_mul(&r.p.A, 1, x, 0, expected);
    for (int k = 0; k < r.p.m; k++) ck_assert_double_eq_tol(v[r.p.n + k], expected[k], 1e-13);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp_ipm_products");
    TCase *t = tcase_create("products");
    tcase_add_test(t, products_by_hand);
    tcase_add_test(t, products_that_are_not_symmetric);
    suite_add_tcase(s, t);
    return support_run(s);
}
