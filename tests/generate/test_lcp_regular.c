/* tests/generate/test_lcp_regular.c: definite where said, exponential where said. */
#include "generate_support.h"

START_TEST(definite)
{
    static const char *const names[] = {"pd", "fathi"};
    for (int f = 0; f < 2; f++) {
        for (int n = 1; n <= 12; n++) {
            perp_arena a = {0};
            generated g = lcp_make(names[f], n, (uint64_t)n, &a);
            ck_assert_msg(lcp_is_definite(&g, 0), "%s %d", names[f], n);
            perp_arena_free(&a);
        }
    }
    perp_arena a = {0};
    generated g = lcp_make("psd", 12, 1, &a);
    ck_assert(lcp_is_definite(&g, 1e-12) && !lcp_is_definite(&g, -1e-12));
    perp_arena_free(&a);
}
END_TEST

/* M = L L', worked by hand for n = 3. */
START_TEST(fathi)
{
    perp_arena a = {0};
    const double M[] = {1, 2, 2, 2, 5, 6, 2, 6, 9};
    generated g = lcp_make("fathi", 3, 1, &a);
    ck_assert_mem_eq(g.M, M, sizeof M);
    ck_assert(g.z[0] == 1 && g.z[1] == 0 && g.z[2] == 0);
    ck_assert(g.q[0] == -1 && g.q[1] == -1 && g.q[2] == -1);
    perp_arena_free(&a);
}
END_TEST

/* Lemke's method with the covering vector (1, .., 1) passes every basis. */
START_TEST(exponential)
{
    static const char *const names[] = {"murty", "fathi"};
    perp_lcp_lemke_options o = perp_lcp_lemke_defaults();
    o.cover = PERP_COVER_ONES;
    for (int k = 0; k < 22; k++) {
        perp_arena a = {0};
        int n = 1 + k / 2;
        generated g = lcp_make(names[k % 2], n, 1, &a);
        perp_problem p = lcp_generated_problem(&g);
        perp_result r;
        double z[11], e[11] = {1};
        ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_SOLVED);
        ck_assert_msg(r.iterations == (1 << n) - 1, "%s %d: %d", names[k % 2], n, r.iterations);
        ck_assert(difference(n, z, e) < 1e-12);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(shapes)
{
    perp_arena a = {0};
    generated g = lcp_make("nonsymmetric", 6, 2, &a);
    ck_assert(fabs(lcp_entry(&g, 0, 1) - lcp_entry(&g, 1, 0)) > 1e-3);
    g = lcp_make("skew", 6, 2, &a);
    ck_assert(lcp_entry(&g, 0, 1) == -lcp_entry(&g, 1, 0) && lcp_entry(&g, 2, 2) == 0);
    g = lcp_make("dominant", 5, 2, &a);
    for (int i = 0; i < 5; i++) {
        double rest = -fabs(lcp_entry(&g, i, i));
        for (int j = 0; j < 5; j++) rest += fabs(lcp_entry(&g, i, j));
        ck_assert(rest < lcp_entry(&g, i, i));
    }
    g = lcp_make("copositive", 5, 2, &a);
    for (int k = 0; k < 25; k++) ck_assert(g.M[k] > 0);
    double least = INFINITY, most = 0;
    g = lcp_make("badly_scaled", 20, 2, &a);
    for (int k = 0; k < 400; k++) {
        least = fmin(least, fabs(g.M[k]));
        most = fmax(most, fabs(g.M[k]));
    }
    ck_assert(most / least > 1e20);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("generate_lcp_regular");
    TCase *t = tcase_create("generate_lcp_regular");
    tcase_add_test(t, definite);
    tcase_add_test(t, fathi);
    tcase_add_test(t, exponential);
    tcase_add_test(t, shapes);
    suite_add_tcase(s, t);
    return support_run(s);
}
