/* tests/generate/test_lcp_sparse.c: the matrices of the finite differences, in linear time. */
#include "generate_support.h"

START_TEST(shapes)
{
    perp_arena a = {0};
    generated g = lcp_make("obstacle", 4, 2, &a);
    ck_assert(g.p[4] == 10 && lcp_entry(&g, 2, 2) == 2 && lcp_entry(&g, 3, 2) == -1 &&
              lcp_entry(&g, 0, 2) == 0);
    g = lcp_make("obstacle2d", 11, 2, &a); /* a 3 x 3 grid */
    ck_assert(g.n == 9 && g.p[9] == 33 && lcp_entry(&g, 4, 4) == 4 && lcp_entry(&g, 1, 4) == -1 &&
              lcp_entry(&g, 3, 4) == -1 && lcp_entry(&g, 2, 3) == 0);
    ck_assert(lcp_is_definite(&g, 0));
    perp_arena_free(&a);
}
END_TEST

/* At most 10 entries a column, no place twice, and the symmetric part is dominant. */
START_TEST(random_places)
{
    perp_arena a = {0};
    generated g = lcp_make("sparse", 300, 1, &a);
    double sum[300] = {0};
    ck_assert_int_gt(g.p[300], 2800);
    for (int j = 0; j < 300; j++) {
        bool seen[300] = {false};
        ck_assert_int_le(g.p[j + 1] - g.p[j], 10);
        for (int k = g.p[j]; k < g.p[j + 1]; k++) {
            ck_assert(!seen[g.i[k]]);
            seen[g.i[k]] = true;
            if (g.i[k] != j) {
                sum[j] += fabs(g.x[k]) / 2;
                sum[g.i[k]] += fabs(g.x[k]) / 2;
            }
        }
    }
    for (int j = 0; j < 300; j++) ck_assert(lcp_entry(&g, j, j) > sum[j]);
    perp_arena_free(&a);
}
END_TEST

/* Some of the membrane lies on the obstacle, and some does not. */
START_TEST(contact_in_part)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        perp_arena a = {0};
        perp_result r;
        generated g = lcp_make("obstacle2d", 400, seed, &a);
        perp_problem p = lcp_generated_problem(&g);
        double *z = perp_alloc(&a, 400, sizeof *z);
        int touching = 0;
        ck_assert_int_eq(perp_solve(&p, NULL, &a, z, NULL, &r), PERP_SOLVED);
        for (int i = 0; i < 400; i++) touching += z[i] == 0;
        ck_assert_msg(touching > 20 && touching < 380, "%d", touching);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(large)
{
    perp_arena a = {0};
    generated g = lcp_make("obstacle2d", 90000, 1, &a);
    ck_assert(g.n == 90000 && g.p[g.n] == 5 * 90000 - 4 * 300);
    ck_assert(a.used < 120 * 90000);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("generate_lcp_sparse");
    TCase *t = tcase_create("generate_lcp_sparse");
    tcase_add_test(t, shapes);
    tcase_add_test(t, random_places);
    tcase_add_test(t, contact_in_part);
    tcase_add_test(t, large);
    suite_add_tcase(s, t);
    return support_run(s);
}
