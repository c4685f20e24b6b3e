/* tests/generate/test_lcp_degenerate.c: ties and zeros where said, and proofs that hold. */
#include "generate_support.h"

/* z_i = w_i = 0 about n/3 times; every diagonal is positive. */
START_TEST(degenerate)
{
    static const char *const names[] = {"degenerate", "degenerate_nonsymmetric"};
    for (int f = 0; f < 2; f++) {
        perp_arena a = {0};
        int n = 60, both = 0;
        generated g = lcp_make(names[f], n, 2, &a);
        for (int i = 0; i < n; i++) {
            double w = g.q[i];
            for (int j = 0; j < n; j++) w += lcp_entry(&g, i, j) * g.z[j];
            both += g.z[i] == 0 && fabs(w) < 1e-9;
            ck_assert(lcp_entry(&g, i, i) > 0);
        }
        ck_assert_msg(both >= 10 && both <= 30, "%d of %d", both, n);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(shapes)
{
    perp_arena a = {0};
    generated g = lcp_make("duplicate", 5, 2, &a);
    ck_assert(g.n == 6 && lcp_entry(&g, 0, 1) == lcp_entry(&g, 3, 4) && g.q[0] == g.q[3]);
    g = lcp_make("tied", 4, 2, &a);
    ck_assert(lcp_entry(&g, 1, 1) == 2 && lcp_entry(&g, 0, 3) == 1);
    for (int i = 0; i < 4; i++) ck_assert(g.q[i] == 0 || g.q[i] == -1);
    g = lcp_make("zero_rows", 5, 2, &a);
    for (int i = 0; i < 5; i++) ck_assert(lcp_entry(&g, 2, i) == 0 && lcp_entry(&g, i, 4) == 0);
    g = lcp_make("integer", 5, 2, &a);
    for (int k = 0; k < 25; k++) ck_assert(g.M[k] == floor(g.M[k]) && fabs(g.M[k]) <= 5);
    perp_arena_free(&a);
}
END_TEST

/* Seven of its columns are dependent: det of every 7 x 7 block is 0, not that of a 6 x 6 one. */
START_TEST(low_rank)
{
    perp_arena a = {0};
    generated g = lcp_make("low_rank", 30, 2, &a);
    generated seven = {.n = 7, .M = perp_alloc(&a, 49, sizeof(double))}, six = seven;
    six.n = 6;
    six.M = perp_alloc(&a, 36, sizeof(double));
    for (int k = 0; k < 49; k++) seven.M[k] = lcp_entry(&g, k % 7, k / 7);
    for (int k = 0; k < 36; k++) six.M[k] = lcp_entry(&g, k % 6, k / 6);
    ck_assert(lcp_is_definite(&six, 0));
    ck_assert(lcp_is_definite(&seven, 1e-12) && !lcp_is_definite(&seven, -1e-12));
    perp_arena_free(&a);
}
END_TEST

START_TEST(proofs)
{
    for (const lcp_family *f = lcp_families; f->name; f++) {
        for (int n = 1; n <= 40 && f->infeasible; n++) {
            perp_arena a = {0};
            perp_residual r;
            generated g = lcp_make(f->name, n, (uint64_t)n, &a);
            perp_problem p = lcp_generated_problem(&g);
            ck_assert_ptr_nonnull(g.y);
            ck_assert_ptr_null(g.z);
            ck_assert_msg(perp_check(&p, PERP_INFEASIBLE, g.y, NULL, &a, &r) == PERP_SOLVED,
                          "%s %d", f->name, n);
            perp_arena_free(&a);
        }
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("generate_lcp_degenerate");
    TCase *t = tcase_create("generate_lcp_degenerate");
    tcase_add_test(t, degenerate);
    tcase_add_test(t, shapes);
    tcase_add_test(t, low_rank);
    tcase_add_test(t, proofs);
    suite_add_tcase(s, t);
    return support_run(s);
}
