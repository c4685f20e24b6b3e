/* tests/linalg/test_sparse.c: factors against products, and failures where they are due. */
#include "generate.h"
#include "sparse_support.h"
#include "support.h"

/* Sparse, with a heavy diagonal; symmetric positive definite when asked. */
static csc random_csc(generator *g, int n, double density, bool symmetric)
{
    double *A = calloc((size_t)(n * n) + 1, sizeof *A);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            if (generator_unit(g) >= density) continue;
            double v = generator_uniform(g);
            A[i + j * n] = v;
            if (symmetric) A[j + i * n] = v;
        }
    }
    for (int j = 0; j < n; j++) {
        double sum = 1;
        for (int i = 0; i < n; i++) sum += i == j ? 0 : fabs(A[i + j * n]);
        /* a nonsymmetric one gets mixed signs and is not dominant */
        A[j + j * n] = symmetric ? sum : (j % 2 ? -0.3 : 0.3) * sum;
    }
    csc C = compress(n, A);
    free(A);
    return C;
}

static const char *const kind_names[] = {"cholesky", "lu"};

START_TEST(solves_random)
{
    perp_factor_kind kind = (perp_factor_kind)_i;
    generator g = generator_start(11);
    perp_arena a = {0};
    for (int n = 1; n <= 90; n += n < 5 ? 1 : 17) {
        for (int trial = 0; trial < 3; trial++) {
            csc A = random_csc(&g, n, trial * 0.1, kind == PERP_CHOLESKY);
            perp_mark mark = perp_arena_mark(&a);
            perp_factor *f = open_csc(&a, kind, A);
            ck_assert_int_eq(perp_factor_compute(f, A.x), 0);
            double rcond = perp_factor_rcond(f);
            ck_assert_msg(rcond > 0 && rcond <= 1, "%s n %d: %g", kind_names[kind], n, rcond);
            ck_assert_double_lt(solve_error(f, A, false), 1e-9);
            ck_assert_double_lt(solve_error(f, A, true), 1e-9);
            perp_arena_release(&a, mark);
            discard(A);
        }
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(transpose_by_hand)
{
    /* A = [2 1; 0 4]: A x = (4, 8) at (1, 2); A' x = (2, 9) at (1, 2) */
    const int p[] = {0, 1, 3}, i[] = {0, 0, 1};
    const double x[] = {2, 1, 4}, b[] = {4, 8}, c[] = {2, 9};
    double y[2];
    perp_arena a = {0};
    perp_factor *f = perp_factor_open(&a, PERP_LU, 2, p, i);
    ck_assert_ptr_nonnull(f);
    ck_assert_int_lt(perp_factor_solve(f, false, b, y), 0); /* nothing computed yet */
    ck_assert_double_eq(perp_factor_rcond(f), 0);
    ck_assert_int_eq(perp_factor_compute(f, x), 0);
    ck_assert_int_eq(perp_factor_solve(f, false, b, y), 0);
    ck_assert_double_eq_tol(y[0], 1, 1e-15);
    ck_assert_double_eq_tol(y[1], 2, 1e-15);
    ck_assert_int_eq(perp_factor_solve(f, true, c, y), 0);
    ck_assert_double_eq_tol(y[0], 1, 1e-15);
    ck_assert_double_eq_tol(y[1], 2, 1e-15);
    const double bad[] = {INFINITY, 0};
    ck_assert_int_gt(perp_factor_solve(f, false, bad, y), 0);
    perp_arena_free(&a);
}
END_TEST

START_TEST(laplacian_30)
{
    perp_factor_kind kind = (perp_factor_kind)_i;
    perp_arena a = {0};
    csc A = laplacian(30);
    perp_factor *f = open_csc(&a, kind, A);
    ck_assert_int_eq(perp_factor_compute(f, A.x), 0);
    ck_assert_double_lt(solve_error(f, A, false), 1e-11);
    ck_assert_double_lt(solve_error(f, A, true), 1e-11);
    /* computed again with other values, and again with the first */
    for (int k = 0; k < A.p[A.n]; k++) A.x[k] *= 3;
    ck_assert_int_eq(perp_factor_compute(f, A.x), 0);
    ck_assert_double_lt(solve_error(f, A, false), 1e-11);
    perp_arena_free(&a);
    discard(A);
}
END_TEST

START_TEST(lower_triangle_is_enough)
{
    csc A = laplacian(12), L = laplacian(12);
    int nnz = 0;
    for (int j = 0, k = 0; j < L.n; j++) {
        for (; k < A.p[j + 1]; k++) {
            if (A.i[k] < j) continue;
            L.i[nnz] = A.i[k];
            L.x[nnz++] = A.x[k];
        }
        L.p[j + 1] = nnz;
    }
    /* and what stands above the diagonal is not read */
    csc wrong = laplacian(12);
    for (int j = 0; j < A.n; j++) {
        for (int k = A.p[j]; k < A.p[j + 1]; k++) wrong.x[k] *= A.i[k] < j ? 100 : 1;
    }
    perp_arena a = {0};
    perp_factor *f = open_csc(&a, PERP_CHOLESKY, L), *g = open_csc(&a, PERP_CHOLESKY, A);
    ck_assert_int_eq(perp_factor_compute(f, L.x), 0);
    ck_assert_int_eq(perp_factor_compute(g, wrong.x), 0);
    ck_assert_double_lt(solve_error(f, A, false), 1e-12);
    ck_assert_double_lt(solve_error(g, A, false), 1e-12);
    perp_arena_free(&a);
    discard(A);
    discard(L);
    discard(wrong);
}
END_TEST

START_TEST(not_positive_definite)
{
    /* diag(1, ..., 1, -1, 1, ...): the failing column is known whatever the ordering */
    for (int n = 1; n <= 40; n += 13) {
        for (int bad = 0; bad < n; bad++) {
            double *A = calloc((size_t)(n * n), sizeof *A);
            for (int j = 0; j < n; j++) A[j + j * n] = j == bad ? -1 : 1;
            csc C = compress(n, A);
            perp_arena a = {0};
            perp_factor *f = open_csc(&a, PERP_CHOLESKY, C);
            ck_assert_int_eq(perp_factor_compute(f, C.x), bad + 1);
            double x[40] = {0};
            ck_assert_int_lt(perp_factor_solve(f, false, x, x), 0);
            ck_assert_double_eq(perp_factor_rcond(f), 0);
            perp_arena_free(&a);
            discard(C);
            free(A);
        }
    }
    /* an arrow, its head first, which every good ordering puts last: columns are the caller's */
    for (int bad = 1; bad < 20; bad += 6) {
        double A[400] = {0};
        for (int j = 0; j < 20; j++) {
            A[j] = A[20 * j] = 1;
            A[21 * j] = j == bad ? -1 : 30;
        }
        csc C = compress(20, A);
        perp_arena a = {0};
        ck_assert_int_eq(perp_factor_compute(open_csc(&a, PERP_CHOLESKY, C), C.x), bad + 1);
        perp_arena_free(&a);
        discard(C);
    }
    /* the leading minors without column k are definite, in any order */
    for (int k = 0; k < 130; k += 43) {
        csc C = full(130);
        perp_arena a = {0};
        perp_factor *f = open_csc(&a, PERP_CHOLESKY, C);
        double *diagonal = &C.x[C.p[k] + k];
        *diagonal = -1;
        ck_assert_int_eq(perp_factor_compute(f, C.x), k + 1);
        *diagonal = 2;
        ck_assert_int_eq(perp_factor_compute(f, C.x), 0);
        ck_assert_double_lt(solve_error(f, C, false), 1e-12);
        perp_arena_free(&a);
        discard(C);
    }
    /* a Laplacian whose diagonal is 0.1 */
    csc A = laplacian(30);
    perp_arena a = {0};
    perp_factor *f = open_csc(&a, PERP_CHOLESKY, A);
    for (int k = 0; k < A.p[A.n]; k++) A.x[k] -= A.x[k] == 4 ? 3.9 : 0;
    int k = perp_factor_compute(f, A.x);
    ck_assert(k > 0 && k <= A.n);
    /* the same handle recovers */
    csc B = laplacian(30);
    ck_assert_int_eq(perp_factor_compute(f, B.x), 0);
    ck_assert_double_lt(solve_error(f, B, false), 1e-11);
    perp_arena_free(&a);
    discard(A);
    discard(B);
}
END_TEST

START_TEST(singular)
{
    perp_arena a = {0};
    const int full_p[] = {0, 2, 4}, full_i[] = {0, 1, 0, 1};
    const double ones[] = {1, 1, 1, 1}, fine[] = {1, 1, 1, 2};
    perp_factor *f = perp_factor_open(&a, PERP_LU, 2, full_p, full_i);
    int k = perp_factor_compute(f, ones);
    ck_assert(k == 1 || k == 2);
    ck_assert_int_eq(perp_factor_compute(f, fine), 0);

    /* column 2 of 3 is zero by value, then empty by pattern */
    const int p[] = {0, 1, 2, 3}, i[] = {0, 1, 2}, empty_p[] = {0, 1, 1, 2}, empty_i[] = {0, 2};
    const double zero_value[] = {1, 0, 1}, rest[] = {1, 1};
    f = perp_factor_open(&a, PERP_LU, 3, p, i);
    ck_assert_int_eq(perp_factor_compute(f, zero_value), 2);
    f = perp_factor_open(&a, PERP_LU, 3, empty_p, empty_i);
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(perp_factor_compute(f, rest), 2);
    f = perp_factor_open(&a, PERP_CHOLESKY, 3, empty_p, empty_i);
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(perp_factor_compute(f, rest), 2);

    /* nothing at all: p says so, the arrays may be NULL */
    const int none[] = {0, 0};
    for (int kind = PERP_CHOLESKY; kind <= PERP_LU; kind++) {
        f = perp_factor_open(&a, (perp_factor_kind)kind, 1, none, NULL);
        ck_assert_ptr_nonnull(f);
        ck_assert_int_eq(perp_factor_compute(f, NULL), 1);
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(structurally_singular)
{
    /* columns 1, 2, 3 live in rows 1, 2 alone; an LU may call any of them the third */
    const int p[] = {0, 2, 4, 6}, i[] = {0, 1, 0, 1, 0, 1};
    const double x[] = {1, 2, 3, 4, 5, 7};
    perp_arena a = {0};
    perp_factor *f = perp_factor_open(&a, PERP_LU, 3, p, i);
    ck_assert_ptr_nonnull(f);
    int k = perp_factor_compute(f, x);
    ck_assert(k >= 1 && k <= 3);
    perp_arena_free(&a);
}
END_TEST

START_TEST(not_finite)
{
    perp_factor_kind kind = (perp_factor_kind)_i;
    perp_arena a = {0};
    csc A = laplacian(4);
    perp_factor *f = open_csc(&a, kind, A);
    A.x[A.p[6]] = NAN;
    ck_assert_int_eq(perp_factor_compute(f, A.x), 7);
    A.x[A.p[6]] = -INFINITY;
    ck_assert_int_eq(perp_factor_compute(f, A.x), 7);
    perp_arena_free(&a);
    discard(A);
}
END_TEST

START_TEST(nearly_singular)
{
    const int p[] = {0, 1, 2}, i[] = {0, 1};
    const double x[] = {1, 1e-18};
    perp_arena a = {0};
    for (int kind = PERP_CHOLESKY; kind <= PERP_LU; kind++) {
        perp_factor *f = perp_factor_open(&a, (perp_factor_kind)kind, 2, p, i);
        ck_assert_int_eq(perp_factor_compute(f, x), 0);
        double rcond = perp_factor_rcond(f); /* LU scales the rows, so 1 there */
        ck_assert(rcond > 0 && rcond <= 1);
        if (kind == PERP_CHOLESKY) ck_assert_double_eq_tol(rcond, 1e-18, 1e-30);
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(nothing_is_fine)
{
    perp_factor_kind kind = (perp_factor_kind)_i;
    const int p[] = {0};
    perp_arena a = {0};
    perp_mark mark = perp_arena_mark(&a);
    for (int time = 0; time < 2; time++) {
        perp_factor *f = perp_factor_open(&a, kind, 0, p, NULL);
        ck_assert_ptr_nonnull(f);
        ck_assert_int_eq(perp_factor_was_cached(f), time == 1);
        ck_assert_int_eq(perp_factor_compute(f, NULL), 0);
        ck_assert_int_eq(perp_factor_solve(f, false, NULL, NULL), 0);
        ck_assert_double_eq(perp_factor_rcond(f), 1);
        perp_arena_release(&a, mark);
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(refuses)
{
    const int p[] = {0, 2, 3}, unsorted[] = {1, 0, 1}, twice[] = {0, 0, 1}, outside[] = {0, 2, 1};
    const int good[] = {0, 1, 1}, falling[] = {0, 2, 1}, offset[] = {1, 2, 3};
    perp_arena a = {0};
    ck_assert_ptr_null(perp_factor_open(&a, PERP_LU, 2, p, unsorted));
    ck_assert_ptr_null(perp_factor_open(&a, PERP_LU, 2, p, twice));
    ck_assert_ptr_null(perp_factor_open(&a, PERP_CHOLESKY, 2, p, outside));
    ck_assert_ptr_null(perp_factor_open(&a, PERP_CHOLESKY, 2, falling, good));
    ck_assert_ptr_null(perp_factor_open(&a, PERP_LU, 2, offset, good));
    ck_assert_ptr_null(perp_factor_open(&a, PERP_LU, -1, p, good));
    ck_assert_ptr_nonnull(perp_factor_open(&a, PERP_LU, 2, p, good));
    perp_arena_free(&a);

    static unsigned char buffer[1 << 16];
    perp_arena_fixed(&a, buffer, sizeof buffer);
    ck_assert_ptr_null(perp_factor_open(&a, PERP_LU, 2, p, unsorted));
    ck_assert_ptr_nonnull(perp_factor_open(&a, PERP_LU, 2, p, good));
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sparse");
    TCase *t = tcase_create("sparse");
    tcase_add_loop_test(t, solves_random, 0, 2);
    tcase_add_test(t, transpose_by_hand);
    tcase_add_loop_test(t, laplacian_30, 0, 2);
    tcase_add_test(t, lower_triangle_is_enough);
    tcase_add_test(t, not_positive_definite);
    tcase_add_test(t, singular);
    tcase_add_test(t, structurally_singular);
    tcase_add_loop_test(t, not_finite, 0, 2);
    tcase_add_test(t, nearly_singular);
    tcase_add_loop_test(t, nothing_is_fine, 0, 2);
    tcase_add_test(t, refuses);
    suite_add_tcase(s, t);
    return support_run(s);
}
