/* tests/linalg/test_basis_factor.c: bases of unit vectors, columns of M and the full one, as they
 * are factored. */
#include "base/watch.h"
#include "basis_support.h"
#include "countdown.h"

/* Any choice of one column of each pair, with and without d. */
START_TEST(pairs)
{
    static basis_matrix m;
    generator g = generator_start(1);
    for (int n = 1; n <= BASIS_MOST; n += n < 8 ? 1 : 13) {
        for (int k = 0; k < 12; k++) {
            perp_arena a = {0};
            perp_basis b;
            int columns[BASIS_MOST], count[2 * BASIS_MOST + 1] = {0};
            basis_fill(&m, &g, n, k % 4);
            ck_assert(perp_basis_open(&b, &a, n, m.p, m.i, m.x, m.d));
            for (int i = 0; i < n; i++) {
                columns[i] = k == 0 ? i : k == 1 ? n + i : n * generator_below(&g, 2) + i;
            }
            if (k % 3 == 2) columns[generator_below(&g, n)] = 2 * n;
            ck_assert_int_eq(perp_basis_factor(&b, columns), PERP_BASIS_DONE);
            for (int s = 0; s < n; s++) {
                count[columns[s]]++;
                count[b.head[s]]--;
            }
            for (int v = 0; v <= 2 * n; v++) ck_assert_int_eq(count[v], 0);
            ck_assert_double_le(basis_error(&b, &g), 1e-11);
            ck_assert_int_eq(perp_basis_factor(&b, b.head), PERP_BASIS_DONE); /* its own again */
            ck_assert_double_le(basis_error(&b, &g), 1e-11);
            perp_arena_free(&a);
        }
    }
}
END_TEST

START_TEST(singular)
{
    const int p[] = {0, 2, 4, 4}, i[] = {0, 1, 0, 1};
    const double x[] = {1, 2, 2, 4};
    static const int bases[][3] = {{0, 0, 2}, {3, 4, 2}, {0, 1, 5}, {3, 3, 2}};
    perp_arena a = {0};
    perp_basis b;
    ck_assert(perp_basis_open(&b, &a, 3, p, i, x, NULL));
    for (int k = 0; k < 4; k++) {
        ck_assert_int_eq(perp_basis_factor(&b, bases[k]), PERP_BASIS_SINGULAR);
    }
    const int good[] = {2, 3, 0};
    generator g = generator_start(1);
    ck_assert_int_eq(perp_basis_factor(&b, good), PERP_BASIS_DONE);
    ck_assert_double_le(basis_error(&b, &g), 1e-15);
    perp_arena_free(&a);
}
END_TEST

START_TEST(empty)
{
    const int p[] = {0};
    perp_arena a = {0};
    perp_basis b;
    ck_assert(perp_basis_open(&b, &a, 0, p, NULL, NULL, NULL));
    ck_assert_int_eq(perp_basis_factor(&b, p), PERP_BASIS_DONE);
    perp_arena_free(&a);
}
END_TEST

/* A dense one of 700 columns, whose copies take as long as millions of multiplications. */
START_TEST(stops_when_it_is_asked)
{
    enum { N = 700 };
    perp_arena a = {0};
    perp_basis b;
    generator g = generator_start(5);
    int *p = perp_alloc(&a, N + 1, sizeof *p), *i = perp_alloc(&a, N * N, sizeof *i);
    int *columns = perp_alloc(&a, N, sizeof *columns);
    double *x = perp_alloc(&a, N * N, sizeof *x);
    for (int j = 0; j < N; j++) {
        for (int k = 0; k < N; k++) {
            i[N * j + k] = k;
            x[N * j + k] = generator_uniform(&g) + (j == k ? 30 : 0);
        }
        p[j + 1] = N * (j + 1);
        columns[j] = j < N / 4 ? j : N + j; /* unit vectors too: rows below the kernel's */
    }
    countdown c = {.left = 1 << 30};
    perp_watch watch = {.stop = count_down, .ctx = &c};
    ck_assert(perp_basis_open(&b, &a, N, p, i, x, NULL));
    ck_assert_int_eq(perp_basis_factor(&b, columns), PERP_BASIS_DONE);
    a.watch = &watch;
    ck_assert_int_eq(perp_basis_factor(&b, columns), PERP_BASIS_DONE);
    int looks = c.looks;
    ck_assert_int_ge(looks, 5);
    for (int left = 0; left < looks; left++) {
        c = (countdown){.left = left};
        ck_assert_int_ne(perp_basis_factor(&b, columns), PERP_BASIS_DONE);
        a.failed = false;
    }
    c = (countdown){.left = looks};
    ck_assert_int_eq(perp_basis_factor(&b, columns), PERP_BASIS_DONE);
    a.watch = NULL;
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("linalg/basis_factor");
    TCase *t = tcase_create("basis_factor");
    tcase_add_test(t, pairs);
    tcase_add_test(t, singular);
    tcase_add_test(t, empty);
    tcase_add_test(t, stops_when_it_is_asked);
    suite_add_tcase(s, t);
    return support_run(s);
}
