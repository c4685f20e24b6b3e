/* tests/adversary/test_simplex.c: linear programs in rational numbers, by hand. */
#include "exact.h"
#include "simplex.h"
#include "support.h"

/* min c'x, A x = b, x >= 0; value as num/den. */
static simplex_end solve(int m, int n, const double *A, const double *b, const double *c,
                         int pivots, mpq_t value, mpq_t *x)
{
    mpq_t *rA = exact_new(m * n), *rb = exact_new(m), *rc = exact_new(n);
    exact_set(m * n, A, rA);
    exact_set(m, b, rb);
    exact_set(n, c, rc);
    simplex_end end = simplex_solve(m, n, rA, rb, rc, pivots, value, x);
    exact_free(m * n, rA);
    exact_free(m, rb);
    exact_free(n, rc);
    return end;
}

/* max 3x + 2y, x + y <= 4, x + 3y <= 6, x <= 3: (3, 1), 11. */
START_TEST(optimum)
{
    double A[] = {1, 1, 1, 0, 0, 1, 3, 0, 1, 0, 1, 0, 0, 0, 1}, b[] = {4, 6, 3},
           c[] = {-3, -2, 0, 0, 0};
    mpq_t value, *x = exact_new(5);
    mpq_init(value);
    ck_assert_int_eq(solve(3, 5, A, b, c, 100, value, x), SIMPLEX_OPTIMAL);
    ck_assert(mpq_cmp_si(value, -11, 1) == 0);
    ck_assert(mpq_cmp_si(x[0], 3, 1) == 0 && mpq_cmp_si(x[1], 1, 1) == 0);
    ck_assert_int_eq(solve(3, 5, A, b, c, 1, value, x), SIMPLEX_LIMIT);
    mpq_clear(value);
    exact_free(5, x);
}
END_TEST

/* 3x + 7y = 1 and x - y = 0 with x = 1/10, which no double is. */
START_TEST(exact_fractions)
{
    double A[] = {3, 7, 1, -1}, b[] = {1, 0}, c[] = {1, 1};
    mpq_t value;
    mpq_init(value);
    ck_assert_int_eq(solve(2, 2, A, b, c, 100, value, NULL), SIMPLEX_OPTIMAL);
    ck_assert(mpq_cmp_si(value, 1, 5) == 0);
    mpq_clear(value);
}
END_TEST

/* x + y = 1 and x + y = 1 + 2^-52; a negative right side; a row twice. */
START_TEST(infeasible_and_redundant)
{
    double A[] = {1, 1, 1, 1}, b[] = {1, 1 + 0x1p-52}, c[] = {1, 2};
    mpq_t value;
    mpq_init(value);
    ck_assert_int_eq(solve(2, 2, A, b, c, 100, value, NULL), SIMPLEX_INFEASIBLE);
    b[1] = 1;
    ck_assert_int_eq(solve(2, 2, A, b, c, 100, value, NULL), SIMPLEX_OPTIMAL);
    ck_assert(mpq_cmp_si(value, 1, 1) == 0);
    b[0] = b[1] = -1;
    ck_assert_int_eq(solve(2, 2, A, b, c, 100, value, NULL), SIMPLEX_INFEASIBLE);
    mpq_clear(value);
}
END_TEST

START_TEST(unbounded)
{
    double A[] = {1, -1}, b[] = {1}, c[] = {-1, 0};
    mpq_t value;
    mpq_init(value);
    ck_assert_int_eq(solve(1, 2, A, b, c, 100, value, NULL), SIMPLEX_UNBOUNDED);
    mpq_clear(value);
}
END_TEST

/* Beale's program (1955) cycles with the rule of the most negative cost: -1/20. */
START_TEST(no_cycle)
{
    double A[] = {0.25, -60, -0.04, 9, 1, 0, 0, 0.5, -90, -0.02, 3, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
           b[] = {0, 0, 1}, c[] = {-0.75, 150, -0.02, 6, 0, 0, 0};
    mpq_t value;
    mpq_init(value);
    ck_assert_int_eq(solve(3, 7, A, b, c, 100, value, NULL), SIMPLEX_OPTIMAL);
    double least = mpq_get_d(value);
    ck_assert(least < -0.05 + 1e-12 && least > -0.05 - 1e-12);
    mpq_clear(value);
}
END_TEST

START_TEST(empty)
{
    mpq_t value;
    mpq_init(value);
    ck_assert_int_eq(solve(0, 2, (double[]){0}, (double[]){0}, (double[]){1, 1}, 9, value, NULL),
                     SIMPLEX_OPTIMAL);
    ck_assert(mpq_sgn(value) == 0);
    mpq_clear(value);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("adversary_simplex");
    TCase *t = tcase_create("programs");
    tcase_add_test(t, optimum);
    tcase_add_test(t, exact_fractions);
    tcase_add_test(t, infeasible_and_redundant);
    tcase_add_test(t, unbounded);
    tcase_add_test(t, no_cycle);
    tcase_add_test(t, empty);
    suite_add_tcase(s, t);
    return support_run(s);
}
