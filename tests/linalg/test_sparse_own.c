/* tests/linalg/test_sparse_own.c: perp's own factors, against LAPACK, in fixed arenas of any size,
 * with a cached analysis and without, and stopped in the middle. */
#include "factor_support.h"

static perp_arena fixed_arena(unsigned char *buffer, size_t size)
{
    perp_arena a;
    perp_arena_fixed(&a, buffer, size);
    return a;
}

/* The factor in a fixed arena is always perp's own, whatever the build. */
START_TEST(agrees_with_lapack)
{
    static unsigned char buffer[1 << 24];
    static const int sizes[] = {0, 1, 2, 5, 30, 120};
    generator g = generator_start(41);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int n = sizes[s];
        for (int trial = 0; trial < 4; trial++) {
            perp_arena a = fixed_arena(buffer, sizeof buffer);
            double *A = make_family(&g, _i, n), b[120], x[120], y[120];
            csc C = compress(n, A);
            perp_factor *f = open_csc(&a, PERP_LU, C);
            for (int i = 0; i < n; i++) b[i] = 1 + i % 5;
            int status = perp_factor_compute(f, C.x);
            ck_assert_int_ge(status, 0);
            for (int way = 0; status == 0 && way < 2; way++) {
                double rcond = solve_by_lapack(n, A, way == 1, b, x);
                if (!(rcond > 1e-8) && n > 0) continue;
                ck_assert_int_eq(perp_factor_solve(f, way == 1, b, y), 0);
                double error = relative_difference(n, x, y);
                ck_assert_msg(error <= 1e-13 / rcond, "%s, n = %d: %g", family_names[_i], n, error);
            }
            ck_assert_double_ge(perp_factor_flops(f), 0);
            if (n > 0 && status == 0) ck_assert_double_ge(perp_factor_entries(f), n);
            discard(C);
            free(A);
        }
    }
}
END_TEST

/* What open counts in a run of perp_bytes is enough for any values: each column has its largest
 * entry elsewhere, so that panels fail and pivots come from all rows. */
START_TEST(counted_memory_suffices)
{
    generator g = generator_start(43);
    for (int trial = 0; trial < 24; trial++) {
        int n = 1 + trial * 7;
        double *A = make_family(&g, _i, n);
        for (int i = 0; i < n; i++) A[i + i * n] += 1; /* the diagonal is there */
        csc C = compress(n, A);
        perp_arena counting = {.counting = true}, a;
        ck_assert_ptr_nonnull(open_csc(&counting, PERP_LU, C));
        size_t size = counting.peak + 128;
        unsigned char *buffer = malloc(size);
        ck_assert_ptr_nonnull(buffer);
        perp_arena_fixed(&a, buffer, size);
        perp_factor *f = open_csc(&a, PERP_LU, C);
        ck_assert_ptr_nonnull(f);
        for (int values = 0; values < 6; values++) {
            int most = C.p[n];
            for (int e = 0; e < most; e++) C.x[e] = generator_uniform(&g);
            for (int j = 0; j < n && values % 2; j++) {
                int from = C.p[j], count = C.p[j + 1] - from;
                if (count > 0) C.x[from + generator_below(&g, count)] = 50;
            }
            ck_assert_int_ge(perp_factor_compute(f, C.x), 0);
            perp_factor_flops(f);
        }
        ck_assert_uint_le(a.peak, counting.peak);
        perp_arena_free(&counting);
        free(buffer);
        discard(C);
        free(A);
    }
}
END_TEST

/* Columns k and 0 are the same, or column k is a combination of two: a pivot is rounding at most.
 */
START_TEST(rank_deficient)
{
    static unsigned char buffer[1 << 24];
    generator g = generator_start(17);
    for (int family = 0; family < FAMILIES_LU; family++) {
        for (int trial = 0; trial < 6; trial++) {
            enum { N = 40 };
            double *A = make_family(&g, family, N);
            perp_arena a = fixed_arena(buffer, sizeof buffer);
            for (int i = 0; i < N; i++) A[i + 7 * N] = A[i] + (trial % 2 ? A[i + 20 * N] : 0);
            csc C = compress(N, A);
            perp_factor *f = open_csc(&a, PERP_LU, C);
            int status = perp_factor_compute(f, C.x);
            ck_assert_int_ge(status, 0);
            if (status == 0) ck_assert_double_lt(perp_factor_rcond(f), 1e-12);
            discard(C);
            free(A);
        }
    }
}
END_TEST

/* A buffer that grows by 64 bytes at a time: at every size "no memory", until it is there. */
START_TEST(memory_ends_anywhere)
{
    static unsigned char buffer[1 << 20];
    generator g = generator_start(6);
    double *A = make_family(&g, _i % 2 ? 7 : 1, 30), b[30], first[30], x[30];
    perp_factor_kind kind = _i < 2 ? PERP_LU : PERP_CHOLESKY;
    csc C = kind == PERP_LU ? compress(30, A) : laplacian(5);
    int n = C.n, refused = 0, failed = 0;
    for (int i = 0; i < n; i++) b[i] = 1 + i;
    perp_arena large = fixed_arena(buffer, sizeof buffer);
    perp_factor *f = open_csc(&large, kind, C);
    ck_assert_int_eq(perp_factor_compute(f, C.x), 0);
    ck_assert_int_eq(perp_factor_solve(f, false, b, first), 0);
    size_t peak = large.peak;
    for (size_t size = 0; size <= peak + 128; size += 64) {
        memset(buffer, 0xff, size + 64);
        perp_arena a = fixed_arena(buffer, size);
        f = perp_factor_open(&a, kind, n, C.p, C.i);
        int status = f ? perp_factor_compute(f, C.x) : PERP_FACTOR_NO_MEMORY;
        refused += !f;
        failed += f && status;
        ck_assert(status == 0 || (status == PERP_FACTOR_NO_MEMORY && a.failed));
        for (int k = 0; k < 64; k++) ck_assert_int_eq(buffer[size + (size_t)k], 0xff);
        if (status) continue;
        ck_assert_int_eq(perp_factor_solve(f, false, b, x), 0);
        ck_assert_mem_eq(x, first, (size_t)n * sizeof *x);
    }
    ck_assert_int_gt(refused, 10);
    if (_i == 1) ck_assert_int_gt(failed, 0); /* LU by columns takes memory when it computes */
    perp_arena a = fixed_arena(buffer, peak + 128);
    ck_assert_int_eq(perp_factor_compute(open_csc(&a, kind, C), C.x), 0);
    discard(C);
    free(A);
}
END_TEST

/* Other values in between, which take other paths and more memory, leave no trace. */
START_TEST(a_cached_analysis_gives_the_same_bits)
{
    enum { N = 70 };
    generator g = generator_start(51);
    double *A = make_family(&g, _i, N), b[N], x[N], y[N];
    csc C = compress(N, A);
    double *other = calloc((size_t)C.p[N], sizeof *other);
    for (int i = 0; i < N; i++) b[i] = sin(i);
    for (int k = 0; k < C.p[N]; k++) other[k] = generator_uniform(&g);
    perp_arena fresh = {0}, used = {0};
    perp_factor *f = open_csc(&fresh, PERP_LU, C);
    int status = perp_factor_compute(f, C.x);
    if (status == 0) ck_assert_int_eq(perp_factor_solve(f, false, b, x), 0);
    for (int time = 0; time < 3; time++) {
        perp_mark mark = perp_arena_mark(&used);
        f = open_csc(&used, PERP_LU, C);
        ck_assert_int_eq(perp_factor_was_cached(f), time > 0);
        perp_factor_compute(f, other);
        ck_assert_int_eq(perp_factor_compute(f, C.x), status);
        if (status == 0) {
            ck_assert_int_eq(perp_factor_solve(f, false, b, y), 0);
            ck_assert_mem_eq(x, y, sizeof x);
        }
        perp_arena_release(&used, mark);
    }
    perp_arena_free(&fresh);
    perp_arena_free(&used);
    discard(C);
    free(other);
    free(A);
}
END_TEST

/* Each look in turn asks to stop; then the same handle, left alone, gives the factor. */
START_TEST(stops_when_it_is_asked)
{
    static unsigned char buffer[1 << 25];
    perp_factor_kind kind = (perp_factor_kind)_i;
    csc C = full(260);
    countdown c = {.left = 1 << 30};
    perp_watch watch = {.stop = count_down, .ctx = &c};
    perp_arena a = fixed_arena(buffer, sizeof buffer);
    a.watch = &watch;
    perp_factor *f = open_csc(&a, kind, C);
    c.looks = 0;
    ck_assert_int_eq(perp_factor_compute(f, C.x), 0);
    int looks = c.looks;
    ck_assert_int_ge(looks, 2);
    ck_assert_double_gt(perp_factor_flops(f), 2e6);
    for (int left = 0; left < looks; left++) {
        c = (countdown){.left = left};
        C.x[0] += 0.01; /* not what was factored before */
        ck_assert_int_eq(perp_factor_compute(f, C.x), PERP_FACTOR_STOPPED);
        ck_assert_int_lt(perp_factor_solve(f, false, C.x, C.x), 0);
    }
    c = (countdown){.left = 1 << 30};
    ck_assert_int_eq(perp_factor_compute(f, C.x), 0);
    ck_assert_double_lt(solve_error(f, C, true), 1e-12);
    discard(C);
}
END_TEST

/* The Cholesky factor of a full matrix takes n^3 / 6 multiplications, an LU twice as many. */
START_TEST(flops_are_counted)
{
    static unsigned char buffer[1 << 24];
    enum { N = 100 };
    csc C = full(N), D = laplacian(8);
    perp_arena a = fixed_arena(buffer, sizeof buffer);
    double exact = N * (N - 1) * (N + 4) / 6.0;
    ck_assert_double_eq_tol(perp_factor_flops(open_csc(&a, PERP_CHOLESKY, C)), exact, 1e-6);
    ck_assert_double_eq_tol(perp_factor_flops(open_csc(&a, PERP_LU, C)), 2 * exact, 1e-6);
    double small = perp_factor_flops(open_csc(&a, PERP_CHOLESKY, D));
    ck_assert(small > 64 && small < 20000);
    discard(C);
    discard(D);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sparse_own");
    TCase *t = tcase_create("sparse_own");
    tcase_add_loop_test(t, agrees_with_lapack, 0, FAMILIES_LU);
    tcase_add_loop_test(t, counted_memory_suffices, 0, FAMILIES_LU);
    tcase_add_test(t, rank_deficient);
    tcase_add_loop_test(t, memory_ends_anywhere, 0, 3);
    tcase_add_loop_test(t, a_cached_analysis_gives_the_same_bits, 0, FAMILIES_LU);
    tcase_add_loop_test(t, stops_when_it_is_asked, 0, 2);
    tcase_add_test(t, flops_are_counted);
    suite_add_tcase(s, t);
    return support_run(s);
}
