/* tests/generate/test_nnls.c: the answers that problems are built around hold. */
#include "generate_support.h"

START_TEST(answers)
{
    check_answers("nnls_random", PERP_KIND_NNLS);
    check_answers("nnls_deficient", PERP_KIND_NNLS);
    check_answers("nnls_wide", PERP_KIND_NNLS);
    check_answers("nnls_free", PERP_KIND_NNLS);
    check_answers("nnls_scaled", PERP_KIND_NNLS);
    check_answers("nnls_zero_columns", PERP_KIND_NNLS);
}
END_TEST

START_TEST(shapes)
{
    perp_arena a = {0};
    const perp_nnls *p;
    generated_problem m = problem_make("nnls_random", NULL, 10, 1, &a);
    ck_assert(m.p.as.nnls.A.m == 21 && m.p.as.nnls.A.n == 10 && !m.p.as.nnls.is_free);
    m = problem_make("nnls_wide", NULL, 10, 1, &a);
    ck_assert_int_eq(m.p.as.nnls.A.m, 5);
    m = problem_make("nnls_free", NULL, 10, 1, &a);
    ck_assert(m.p.as.nnls.is_free[0] && !m.p.as.nnls.is_free[1] && m.p.as.nnls.is_free[9]);
    m = problem_make("nnls_deficient", NULL, 10, 1, &a);
    p = &m.p.as.nnls;
    ck_assert_mem_eq(p->A.as.dense.x, p->A.as.dense.x + 5 * 21, 5 * 21 * sizeof(double));
    perp_arena_free(&a);
}
END_TEST

/* Every column has six numbers for one body or for each of two, rows ascending. */
START_TEST(jacobians)
{
    perp_arena a = {0};
    generated_problem m = problem_make("nnls_jacobian", NULL, 9, 1, &a);
    const perp_nnls *p = &m.p.as.nnls;
    const int *start = p->A.as.csc.p, *row = p->A.as.csc.i;
    int alone = 0;
    ck_assert(p->A.m == 54 && p->A.n == 90 && !p->is_free && !m.z);
    ck_assert(ascending(90, start, row));
    for (int j = 0; j < 90; j++) {
        int count = start[j + 1] - start[j];
        ck_assert(count == 6 || count == 12);
        for (int e = 0; e < count; e++) ck_assert_int_eq(row[start[j] + e] % 6, e % 6);
        alone += count == 6;
    }
    ck_assert(alone > 0 && alone < 45);
    perp_arena_free(&a);
}
END_TEST

START_TEST(zero_columns)
{
    perp_arena a = {0};
    generated_problem m = problem_make("nnls_zero_columns", NULL, 8, 1, &a);
    const double *A = m.p.as.nnls.A.as.dense.x;
    ck_assert(plain_norm(17, A + 2 * 17) == 0 && plain_norm(17, A + 17) > 0);
    ck_assert_mem_eq(A + 17, A + 3 * 17, 17 * sizeof *A);
    perp_arena_free(&a);
}
END_TEST

/* The residual of nnls_random is not zero: some of b is out of reach. */
START_TEST(out_of_reach)
{
    perp_arena a = {0};
    generated_problem m = problem_make("nnls_random", NULL, 10, 1, &a);
    double rest[21];
    memcpy(rest, m.p.as.nnls.b, sizeof rest);
    perp_mul(&m.p.as.nnls.A, 1, m.z, -1, rest);
    ck_assert(plain_norm(21, rest) > 1);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("generate_nnls");
    TCase *t = tcase_create("generate_nnls");
    tcase_add_test(t, answers);
    tcase_add_test(t, shapes);
    tcase_add_test(t, jacobians);
    tcase_add_test(t, zero_columns);
    tcase_add_test(t, out_of_reach);
    suite_add_tcase(s, t);
    return support_run(s);
}
