/* tests/linalg/test_panels.c: updates by BLAS, and stops between them. */
#include "factor_support.h"
#include "linalg/ldl.h"

/* Two cliques of k nodes and a third that joins them: the third is updated by BLAS. */
static csc join(int k)
{
    int n = 3 * k;
    double *A = calloc((size_t)(n * n), sizeof *A);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            if (i / k + j / k == 1) continue;
            A[i + j * n] = i == j ? 3 : 1 / (1.0 + n + abs(i - j));
        }
    }
    csc C = compress(n, A);
    free(A);
    return C;
}

START_TEST(large_updates_solve)
{
    csc A = join(150);
    perp_arena a = {0};
    perp_ldl f;
    double x[450], b[450];
    ck_assert(perp_cholesky_open(&f, &a, A.n, A.p, A.i));
    ck_assert_double_gt(f.panels.of.flops, 100 * PERP_PANEL_LARGE);
    ck_assert_int_eq(perp_cholesky_compute(&f, A.x), 0);
    for (int i = 0; i < A.n; i++) x[i] = 1 + i % 7;
    multiply(A, false, x, b);
    perp_ldl_solve(&f, b, b);
    ck_assert_double_lt(difference(A.n, x, b), 1e-12);
    perp_arena_free(&a);
    discard(A);
}
END_TEST

START_TEST(stops_when_it_is_asked)
{
    csc A = join(200);
    countdown c = {.left = 1 << 30};
    perp_watch watch = {.stop = count_down, .ctx = &c};
    perp_arena a = {.watch = &watch};
    perp_ldl f;
    ck_assert(perp_cholesky_open(&f, &a, A.n, A.p, A.i));
    c.looks = 0;
    ck_assert_int_eq(perp_cholesky_compute(&f, A.x), 0);
    int looks = c.looks;
    ck_assert_int_ge(looks, 5);
    for (int left = 0; left < looks; left++) {
        c = (countdown){.left = left};
        ck_assert_int_eq(perp_cholesky_compute(&f, A.x), PERP_STOPPED);
        ck_assert_int_eq(c.looks, left + 1);
        c = (countdown){.left = left};
        ck_assert_int_eq(perp_ldl_compute(&f, A.x, 1e-14, 1e-7), PERP_STOPPED);
    }
    c = (countdown){.left = looks};
    ck_assert_int_eq(perp_cholesky_compute(&f, A.x), 0);
    c = (countdown){.left = 1 << 30};
    ck_assert(perp_cholesky_open(&f, &a, A.n, A.p, A.i));
    looks = c.looks;
    ck_assert_int_ge(looks, 2); /* after the order, while columns are counted */
    for (int left = 0; left < looks; left++) {
        c = (countdown){.left = left};
        ck_assert(!perp_cholesky_open(&f, &a, A.n, A.p, A.i));
        a.failed = false; /* a large array may have been refused */
    }
    perp_arena_free(&a);
    discard(A);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("panels");
    TCase *t = tcase_create("panels");
    tcase_add_test(t, large_updates_solve);
    tcase_add_test(t, stops_when_it_is_asked);
    suite_add_tcase(s, t);
    return support_run(s);
}
