/* tests/linalg/test_sparse_cache.c: what linalg/sparse.c keeps in the arena, memory that runs out,
 * and threads. */
#include "base/cache.h"
#include "sparse_support.h"
#include "support.h"

#include <pthread.h>

START_TEST(second_open_finds_it)
{
    enum { n = 400 };
    perp_factor_kind kind = (perp_factor_kind)(_i % 2);
    csc A = _i < 2 ? laplacian(20) : full(n);
    double b[n], first[n], second[n], other[n];
    for (int i = 0; i < n; i++) b[i] = sin(i);
    perp_arena a = {0};
    perp_mark mark = perp_arena_mark(&a);
    perp_factor *f = open_csc(&a, kind, A);
    ck_assert(!perp_factor_was_cached(f));
    ck_assert_int_eq(perp_factor_compute(f, A.x), 0);
    ck_assert_int_eq(perp_factor_solve(f, false, b, first), 0);

    /* other values in between, some of them bad, must leave no trace in the bits */
    perp_arena_release(&a, mark);
    f = open_csc(&a, kind, A);
    ck_assert(perp_factor_was_cached(f));
    ck_assert_int_lt(perp_factor_solve(f, false, b, second), 0); /* not the values of before */
    double *x = calloc((size_t)A.p[n], sizeof *x);
    for (int k = 0; k < A.p[n]; k++) x[k] = A.x[k] * (1 + 0.3 * sin(A.i[k]));
    perp_factor_compute(f, x);
    for (int k = 0; k < A.p[n]; k++) x[k] = k > A.p[n / 2] ? 0 : A.x[k];
    ck_assert_int_gt(perp_factor_compute(f, x), 0);
    free(x);

    perp_arena_release(&a, mark);
    unsigned allocations = a.allocations; /* bad values may have taken more memory */
    f = open_csc(&a, kind, A);
    ck_assert(perp_factor_was_cached(f));
    ck_assert_int_eq(perp_factor_compute(f, A.x), 0);
    ck_assert_int_eq(perp_factor_solve(f, false, b, second), 0);
    ck_assert_uint_eq(a.allocations, allocations);
    ck_assert_int_eq(memcmp(first, second, sizeof first), 0);

    /* the other kind does not find it */
    perp_factor *g = open_csc(&a, kind == PERP_LU ? PERP_CHOLESKY : PERP_LU, A);
    ck_assert(!perp_factor_was_cached(g));
    ck_assert_int_eq(perp_factor_compute(g, A.x), 0);
    ck_assert_int_eq(perp_factor_solve(g, false, b, other), 0);
    ck_assert_double_lt(difference(n, first, other), 1e-11);
    perp_arena_free(&a);
    discard(A);
}
END_TEST

/* The same values again, in a later solve with another right-hand side: no factorisation, and the
 * bits of one. One changed value, a failure in between: there is one. */
START_TEST(same_values_are_factored_once)
{
    enum { n = 400 };
    perp_factor_kind kind = (perp_factor_kind)_i;
    csc A = laplacian(20);
    double b[n], first[n], x[n];
    perp_arena a = {0};
    perp_mark mark = perp_arena_mark(&a);
    for (int time = 0; time < 8; time++) {
        static const unsigned factors[] = {1, 1, 2, 3, 3, 4, 5, 5};
        double old = A.x[7];
        perp_factor *f = open_csc(&a, kind, A);
        if (time == 2) A.x[7] *= 1.5;
        if (time == 5) { /* Cholesky fails, LU may not */
            A.x[7] = 0;
            A.x[0] = -1e9;
        }
        ck_assert_int_lt(perp_factor_solve(f, false, b, x), 0); /* nothing is computed yet */
        int status = perp_factor_compute(f, A.x);
        ck_assert(time == 5 ? kind == PERP_LU || status > 0 : status == 0);
        ck_assert_uint_eq(a.work[PERP_WORK_FACTOR], factors[time]);
        ck_assert_uint_eq(a.work[PERP_WORK_ANALYSIS], 1);
        for (int i = 0; i < n; i++) b[i] = sin(i + (time == 4));
        if (time != 5) ck_assert_int_eq(perp_factor_solve(f, false, b, x), 0);
        if (time == 0) memcpy(first, x, sizeof x);
        bool same = time != 5 && time != 2 && time != 4;
        if (same) ck_assert_mem_eq(first, x, sizeof x);
        A.x[7] = old;
        if (time == 5) A.x[0] = 4;
        perp_arena_release(&a, mark);
    }
    perp_arena_free(&a);
    discard(A);
}
END_TEST

START_TEST(rows_make_the_pattern)
{
    /* the same n and column counts; rows alone tell them apart */
    perp_factor_kind kind = (perp_factor_kind)_i;
    const int p[] = {0, 2, 3, 4}, i[2][4] = {{0, 1, 1, 2}, {0, 2, 1, 2}};
    const double x[] = {2, 1, 4, 8}, b[2][3] = {{4, 9, 24}, {5, 8, 25}};
    perp_arena a = {0};
    perp_mark mark = perp_arena_mark(&a);
    for (int time = 0; time < 4; time++) {
        perp_factor *f = perp_factor_open(&a, kind, 3, p, i[time % 2]);
        ck_assert_ptr_nonnull(f);
        ck_assert_int_eq(perp_factor_was_cached(f), time > 1);
        ck_assert_int_eq(perp_factor_compute(f, x), 0);
        double y[3];
        ck_assert_int_eq(perp_factor_solve(f, false, b[time % 2], y), 0);
        if (kind == PERP_LU) { /* diag(2, 4, 8) with a 1 below the first, in row 2 or 3 */
            const double lu[2][3] = {{2, 1.75, 3}, {2.5, 2, 2.8125}};
            ck_assert_double_lt(difference(3, y, lu[time % 2]), 1e-14);
        }
        perp_arena_release(&a, mark);
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(two_at_once)
{
    perp_factor_kind kind = (perp_factor_kind)_i;
    csc A = laplacian(10), B = laplacian(10);
    for (int k = 0; k < B.p[B.n]; k++) B.x[k] *= B.x[k] > 0 ? 5 : 1;
    perp_arena a = {0};
    perp_mark mark = perp_arena_mark(&a);
    for (int time = 0; time < 2; time++) {
        perp_factor *f = open_csc(&a, kind, A);
        ck_assert_int_eq(perp_factor_compute(f, A.x), 0);
        perp_mark inner = perp_arena_mark(&a);
        perp_factor *g = open_csc(&a, kind, B);
        ck_assert_int_eq(perp_factor_was_cached(g), time == 1);
        ck_assert_int_eq(perp_factor_compute(g, B.x), 0);
        ck_assert_double_lt(solve_error(f, A, false), 1e-12);
        ck_assert_double_lt(solve_error(g, B, false), 1e-12);
        /* releasing the inner one frees its object for the next, and f keeps its own */
        perp_arena_release(&a, inner);
        g = open_csc(&a, kind, B);
        ck_assert(perp_factor_was_cached(g));
        ck_assert_int_eq(perp_factor_compute(g, B.x), 0);
        ck_assert_double_lt(solve_error(f, A, false), 1e-12);
        perp_arena_release(&a, mark);
    }
    perp_arena_free(&a);
    discard(A);
    discard(B);
}
END_TEST

START_TEST(eviction)
{
    perp_factor_kind kind = (perp_factor_kind)_i;
    perp_arena a = {0};
    perp_mark mark = perp_arena_mark(&a);
    for (int k = 2; k < 40; k++) { /* far more patterns than any cache should keep */
        csc A = laplacian(k);
        perp_factor *f = open_csc(&a, kind, A);
        ck_assert(!perp_factor_was_cached(f));
        ck_assert_int_eq(perp_factor_compute(f, A.x), 0);
        ck_assert_double_lt(solve_error(f, A, false), 1e-10);
        perp_arena_release(&a, mark);
        discard(A);
        a.solves++;
    }
    csc first = laplacian(2), last = laplacian(39);
    ck_assert(perp_factor_was_cached(open_csc(&a, kind, last)));
    ck_assert(!perp_factor_was_cached(open_csc(&a, kind, first)));
    discard(first);
    discard(last);
    perp_arena_release(&a, mark);

    enum { open = 12 }; /* those in use stay, however many */
    perp_factor *f[open];
    csc A[open];
    for (int k = 0; k < open; k++) {
        A[k] = laplacian(k + 3);
        f[k] = open_csc(&a, kind, A[k]);
        ck_assert_int_eq(perp_factor_compute(f[k], A[k].x), 0);
    }
    for (int k = 0; k < open; k++) {
        ck_assert_double_lt(solve_error(f[k], A[k], true), 1e-12);
        discard(A[k]);
    }
    perp_arena_free(&a);
}
END_TEST

#ifdef PERP_GPL
enum { KEPT = 0 }; /* a library's factors cannot lie in the arena: each displaces an older one */
#else
enum { KEPT = 8 };
#endif

/* One solve with more patterns than are kept: the first stay, so that the next such solve finds
 * them and has the memory of the others. */
START_TEST(many_patterns_of_a_solve)
{
    perp_factor_kind kind = (perp_factor_kind)_i;
    perp_arena a = {0};
    perp_mark mark = perp_arena_mark(&a);
    unsigned allocations = 0;
    int found = 0;
    for (int pass = 0; pass < 3; pass++) {
        a.solves++;
        for (int k = 2; k < 20; k++) {
            csc A = laplacian(k);
            perp_factor *f = open_csc(&a, kind, A);
            found += perp_factor_was_cached(f);
            ck_assert_int_eq(perp_factor_compute(f, A.x), 0);
            ck_assert_double_lt(solve_error(f, A, false), 1e-10);
            perp_arena_release(&a, mark);
            discard(A);
        }
        ck_assert_int_eq(found, KEPT * pass);
        if (pass > 0 && KEPT > 0) ck_assert_uint_eq(a.allocations, allocations);
        allocations = a.allocations;
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(arena_without_memory)
{
    perp_factor_kind kind = (perp_factor_kind)_i;
    csc A = laplacian(20);
    int refused = 0;
    for (int allowed = 0; allowed < 20; allowed++) {
        supply left = {.left = allowed};
        perp_arena a = {.resize = scarce, .ctx = &left};
        perp_factor *f = perp_factor_open(&a, kind, A.n, A.p, A.i);
        int status = f ? perp_factor_compute(f, A.x) : PERP_FACTOR_NO_MEMORY;
        ck_assert_int_le(status, 0);
        if (status == 0) ck_assert_double_lt(solve_error(f, A, false), 1e-11);
        refused += status < 0;
        perp_arena_free(&a);
        ck_assert_int_eq(left.out, 0);
        if (status == 0) break;
    }
    ck_assert_int_gt(refused, 1); /* the handle's memory, then the cache's */
    ck_assert_int_lt(refused, 20);
    discard(A);
}
END_TEST

/* ---- threads, one arena each ---- */

static void *work_alone(void *out)
{
    perp_arena a = {0};
    csc A = laplacian(15);
    double worst = 0, b[225], x[225], y[225];
    for (int i = 0; i < 225; i++) x[i] = i;
    multiply(A, false, x, b);
    for (int time = 0; time < 40; time++) {
        perp_mark mark = perp_arena_mark(&a);
        perp_factor *f = perp_factor_open(&a, (perp_factor_kind)(time % 2), A.n, A.p, A.i);
        if (!f || perp_factor_compute(f, A.x) || perp_factor_solve(f, false, b, y))
            worst = INFINITY;
        else
            worst = fmax(worst, difference(225, x, y));
        perp_arena_release(&a, mark);
    }
    perp_arena_free(&a);
    discard(A);
    *(double *)out = worst;
    return NULL;
}

START_TEST(threads)
{
    pthread_t thread[4];
    double worst[4];
    for (int t = 0; t < 4; t++) pthread_create(&thread[t], NULL, work_alone, &worst[t]);
    for (int t = 0; t < 4; t++) {
        pthread_join(thread[t], NULL);
        ck_assert_double_lt(worst[t], 1e-10);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sparse_cache");
    TCase *t = tcase_create("sparse_cache");
    tcase_add_loop_test(t, second_open_finds_it, 0, 4);
    tcase_add_loop_test(t, same_values_are_factored_once, 0, 2);
    tcase_add_loop_test(t, rows_make_the_pattern, 0, 2);
    tcase_add_loop_test(t, two_at_once, 0, 2);
    tcase_add_loop_test(t, eviction, 0, 2);
    tcase_add_loop_test(t, many_patterns_of_a_solve, 0, 2);
    tcase_add_loop_test(t, arena_without_memory, 0, 2);
    tcase_add_test(t, threads);
    suite_add_tcase(s, t);
    return support_run(s);
}
