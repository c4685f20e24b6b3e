/* tests/test_generate_nnls.c: the answers that problems are built around hold. */
#include "generate_support.h"

START_TEST(answers)
{
    check_answers("nnls_random", PERP_NNLS);
    check_answers("nnls_deficient", PERP_NNLS);
    check_answers("nnls_wide", PERP_NNLS);
    check_answers("nnls_free", PERP_NNLS);
}
END_TEST

START_TEST(shapes)
{
    perp_arena a = {0};
    const perp_nnls *p;
    generated_problem m = problem_make("nnls_random", NULL, 10, 1, &a);
    ck_assert(m.p.as.nnls.A.m == 21 && m.p.as.nnls.A.n == 10 && !m.p.as.nnls.free);
    m = problem_make("nnls_wide", NULL, 10, 1, &a);
    ck_assert_int_eq(m.p.as.nnls.A.m, 5);
    m = problem_make("nnls_free", NULL, 10, 1, &a);
    ck_assert(m.p.as.nnls.free[0] && !m.p.as.nnls.free[1] && m.p.as.nnls.free[9]);
    m = problem_make("nnls_deficient", NULL, 10, 1, &a);
    p = &m.p.as.nnls;
    ck_assert_mem_eq(p->A.as.dense.x, p->A.as.dense.x + 5 * 21, 5 * 21 * sizeof(double));
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
    tcase_add_test(t, out_of_reach);
    suite_add_tcase(s, t);
    return support_run(s);
}
