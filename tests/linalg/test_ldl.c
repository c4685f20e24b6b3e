/* tests/linalg/test_ldl.c: factors of quasidefinite matrices against products, and pivots by hand.
 */
#include "ldl_support.h"

#define CLIQUES 12

static void check_solve(const lower *K, perp_arena *a, generator *g)
{
    perp_ldl f;
    double *x = calloc((size_t)K->n + 1, sizeof *x), *b = calloc((size_t)K->n + 1, sizeof *b);
    ck_assert(perp_ldl_open(&f, a, K->n, K->p, K->i, K->negative));
    for (int again = 0; again < 2; again++) { /* the second factor forgets the first */
        ck_assert_int_eq(perp_ldl_compute(&f, K->x, 1e-14, 1e-7), 0);
        for (int j = 0; j < K->n; j++) x[j] = b[j] = generator_uniform(g);
        perp_ldl_solve(&f, x);
        ck_assert_double_lt(backward_error(K, x, b), 1e-12);
    }
    free(x), free(b);
}

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

/* Cliques of k + b nodes with b in common: panels of k columns with b further rows. */
static lower cliques(generator *g, int k, int b)
{
    int n = CLIQUES * k + b, count = 0;
    size_t most = (size_t)n * (size_t)n;
    lower K = {.n = n};
    K.p = calloc((size_t)n + 1, sizeof *K.p);
    K.i = malloc(most * sizeof *K.i);
    K.x = malloc(most * sizeof *K.x);
    K.negative = calloc((size_t)n, sizeof *K.negative);
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            if (i < CLIQUES * k && i / k != j / k) continue;
            K.i[count] = i;
            K.x[count++] = i == j ? (j % 3 == 0 ? -n : n) : generator_uniform(g);
        }
        K.negative[j] = j % 3 == 0;
        K.p[j + 1] = count;
    }
    return K;
}

START_TEST(solves_with_panels_of_any_width)
{
    generator g = generator_start(6);
    bool seen[10][10] = {{false}};
    for (int k = 1; k < 10; k++) {
        for (int b = 0; b < 10; b++) {
            perp_arena a = {0};
            perp_ldl f;
            lower K = cliques(&g, k, b);
            check_solve(&K, &a, &g);
            ck_assert(perp_ldl_open(&f, &a, K.n, K.p, K.i, K.negative));
            int width = f.first[1] - f.first[0];
            if (width < 10 && f.count[0] < 10) seen[width][f.count[0]] = true;
            discard_lower(K);
            perp_arena_free(&a);
        }
    }
    for (int k = 2; k < 10; k++) {
        for (int b = 1; b < 10; b++) ck_assert(seen[k][b]);
    }
}
END_TEST

/* Blocks of a wide panel, rows in several tiles, and updates that are left to BLAS. */
START_TEST(solves_with_wide_panels)
{
    static const int sizes[][2] = {{47, 3}, {48, 200}, {49, 129}, {110, 300}};
    generator g = generator_start(7);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        perp_arena a = {0};
        lower K = cliques(&g, sizes[s][0], sizes[s][1]);
        check_solve(&K, &a, &g);
        discard_lower(K);
        perp_arena_free(&a);
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
    ck_assert_double_eq_tol(f.d[0] * f.d[1], -8, 1e-14);
    perp_ldl_solve(&f, b);
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
    perp_ldl_solve(&f, b);
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
    tcase_add_test(t, solves_with_panels_of_any_width);
    tcase_add_test(t, solves_with_wide_panels);
    tcase_add_test(t, by_hand);
    tcase_add_test(t, pivots_with_the_wrong_sign_are_replaced);
    tcase_add_test(t, memory_ends_anywhere);
    suite_add_tcase(s, t);
    return support_run(s);
}
