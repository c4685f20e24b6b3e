/* tests/generate/test_qp.c: the answers that problems are built around hold. */
#include "generate_support.h"

START_TEST(answers)
{
    check_answers("qp_convex", PERP_KIND_QP);
    check_answers("qp_degenerate", PERP_KIND_QP);
    check_answers("qp_nonsymmetric", PERP_KIND_QP);
    check_answers("qp_linear", PERP_KIND_QP);
    check_answers("qp_sparse", PERP_KIND_QP);
    check_answers("qp_infeasible", PERP_KIND_QP);
    check_answers("qp_unbounded", PERP_KIND_QP);
    check_answers("qp_redundant", PERP_KIND_QP);
    check_answers("qp_dependent", PERP_KIND_QP);
    check_answers("qp_inconsistent", PERP_KIND_QP);
    check_answers("qp_cycling", PERP_KIND_QP);
    check_answers("qp_indefinite", PERP_KIND_QP);
    check_answers("qp_free", PERP_KIND_QP);
    check_answers("qp_fixed", PERP_KIND_QP);
    check_answers("qp_rows", PERP_KIND_QP);
}
END_TEST

/* Objective values: no feasible neighbour is better, for a symmetric H. */
START_TEST(optimal)
{
    generator g = generator_start(3);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        perp_arena a = {0};
        generated_problem m = problem_make("qp_convex", NULL, 6, seed, &a);
        const perp_qp *qp = &m.p.as.qp;
        for (int k = 0; k < 200; k++) {
            double x[6], y[6] = {0}, s[3] = {0}, change = 0;
            bool feasible = true;
            for (int i = 0; i < 6; i++) {
                x[i] = clip(m.z[i] + 0.3 * generator_uniform(&g), qp->xlo[i], qp->xhi[i]);
            }
            perp_mul(&qp->A, 1, x, 0, s);
            for (int i = 0; i < 3; i++) {
                feasible = feasible && s[i] >= qp->lo[i] && s[i] <= qp->hi[i];
            }
            for (int i = 0; i < 6; i++) y[i] = x[i] + m.z[i];
            double sum[6];
            perp_mul(&qp->H, 0.5, y, 0, sum);
            for (int i = 0; i < 6; i++) change += (x[i] - m.z[i]) * (sum[i] + qp->c[i]);
            ck_assert(!feasible || change >= -1e-12);
        }
        perp_arena_free(&a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("generate_qp");
    TCase *t = tcase_create("generate_qp");
    tcase_add_test(t, answers);
    tcase_add_test(t, optimal);
    suite_add_tcase(s, t);
    return support_run(s);
}
