/* tests/linalg/test_ldl.c: factors of quasidefinite matrices against products, and pivots by hand.
 */
#include "ldl_support.h"

START_TEST(solves_random)
{
    static const int sizes[][2] = {{0, 0}, {1, 0},   {0, 1},   {1, 1},   {2, 3},
                                   {7, 5}, {40, 20}, {30, 90}, {150, 60}};
    static const double fills[][2] = {{0, 0.1},  {0.05, 0.02}, {0.02, 0.3},
                                      {1, 0.05}, {0, 1},       {1, 1}};
    generator g = generator_start(5);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (size_t d = 0; d < sizeof fills / sizeof *fills; d++) {
            perp_arena a = {0};
            lower K = random_quasidefinite(&g, sizes[s][0], sizes[s][1], fills[d][0], fills[d][1]);
            check_solve(&K, &a, &g);
            discard_lower(K);
            perp_arena_free(&a);
        }
    }
}
END_TEST

START_TEST(by_hand)
{
    /* K = [4 2; 2 -1]: L = [1; 1/2 1], D = (4, -2); K (1, 1) = (6, 1) */
    const int p[] = {0, 2, 3}, i[] = {0, 1, 1};
    const double x[] = {4, 2, -1};
    const bool negative[] = {false, true};
    double b[] = {6, 1};
    perp_arena a = {0};
    perp_ldl f;
    ck_assert(perp_ldl_open(&f, &a, 2, p, i, negative));
    ck_assert_int_eq(perp_ldl_compute(&f, x, 1e-14, 1e-7), 0);
    ck_assert_double_eq_tol(f.panels.d[0] * f.panels.d[1], -8, 1e-14);
    perp_ldl_solve(&f, b, b);
    ck_assert_double_eq_tol(b[0], 1, 1e-15);
    ck_assert_double_eq_tol(b[1], 1, 1e-15);
    perp_arena_free(&a);
}
END_TEST

START_TEST(pivots_with_the_wrong_sign_are_replaced)
{
    const int p[] = {0, 1, 2, 3}, i[] = {0, 1, 2};
    const double x[] = {-5, 0, 3}, bad[] = {1, NAN, 1};
    const bool negative[] = {false, true, false};
    double b[] = {1, 1, 6};
    perp_arena a = {0};
    perp_ldl f;
    ck_assert(perp_ldl_open(&f, &a, 3, p, i, negative));
    ck_assert_int_eq(perp_ldl_compute(&f, x, 1e-14, 0.5), 2);
    perp_ldl_solve(&f, b, b);
    ck_assert_double_eq(b[0], 2);
    ck_assert_double_eq(b[1], -2);
    ck_assert_double_eq(b[2], 2);
    ck_assert_int_ne(perp_ldl_compute(&f, bad, 1e-14, 0.5), 0);
    perp_arena_free(&a);
}
END_TEST

START_TEST(memory_ends_anywhere)
{
    generator g = generator_start(2);
    lower K = random_quasidefinite(&g, 20, 10, 0.1, 0.2);
    bool opened = false;
    for (int k = 0; !opened; k++) {
        supply s = {.left = k};
        perp_arena a = {.resize = scarce, .ctx = &s};
        perp_ldl f;
        opened = perp_ldl_open(&f, &a, K.n, K.p, K.i, K.negative);
        ck_assert(opened || a.failed);
        perp_arena_free(&a);
        ck_assert_int_eq(s.out, 0);
    }
    discard_lower(K);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ldl");
    TCase *t = tcase_create("ldl");
    tcase_add_test(t, solves_random);
    tcase_add_test(t, by_hand);
    tcase_add_test(t, pivots_with_the_wrong_sign_are_replaced);
    tcase_add_test(t, memory_ends_anywhere);
    suite_add_tcase(s, t);
    return support_run(s);
}
