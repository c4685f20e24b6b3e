/* tests/linalg/test_lu_panels.c: LU on a symmetric pattern, against LAPACK, and where it gives up.
 */
#include "factor_support.h"
#include "linalg/lu_panels.h"

/* A dense matrix with a symmetric pattern whose diagonal is `heavy` times a row's sum. */
static double *make_dominant(generator *g, int n, double share, double heavy)
{
    double *A = calloc((size_t)(n * n) + 1, sizeof *A);
    scatter_entries(g, n, share, true, A);
    for (int j = 0; j < n; j++) {
        double sum = 1;
        for (int i = 0; i < n; i++) sum += fabs(A[i + j * n]);
        A[j + j * n] = (j % 3 ? heavy : -heavy) * sum;
    }
    return A;
}

static void check(int n, const double *A, bool must)
{
    perp_arena a = {0};
    perp_panels f;
    csc C = compress(n, A);
    double *work = calloc(4 * (size_t)n + 1, sizeof *work);
    double *scale = work, *b = work + n, *x = b + n, *y = x + n;
    for (int i = 0; i < n; i++) {
        scale[i] = 1;
        b[i] = 1 + i % 5;
    }
    ck_assert(perp_lu_panels_open(&f, &a, n, C.p, C.i));
    int status = perp_lu_panels_compute(&f, C.x, C.i, scale, PERP_PIVOT_LEAST);
    ck_assert(status == 0 || (!must && status > 0));
    for (int way = 0; status == 0 && way < 2; way++) {
        double rcond = solve_by_lapack(n, A, way == 1, b, x);
        perp_panels_solve(&f, way == 1, b, y);
        ck_assert_double_lt(relative_difference(n, x, y), 1e-11 / rcond);
    }
    free(work);
    discard(C);
    perp_arena_free(&a);
}

START_TEST(agrees_with_lapack)
{
    static const int sizes[] = {1, 2, 3, 5, 17, 60, 140};
    generator g = generator_start(12);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (int trial = 0; trial < 6; trial++) {
            double share = trial == 5 ? 2 : trial * 1.0 / (sizes[s] + 1);
            double *A = make_dominant(&g, sizes[s], share, 1);
            check(sizes[s], A, true);
            free(A);
        }
    }
}
END_TEST

/* Blocks of 48 columns and updates by BLAS: a full matrix, and two with a large separator. */
START_TEST(wide_panels)
{
    generator g = generator_start(13);
    static const int sizes[] = {47, 49, 97, 260};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        double *A = make_dominant(&g, sizes[s], 2, 0.05); /* rows are exchanged */
        check(sizes[s], A, true);
        free(A);
        int n = 3 * sizes[s];
        A = make_dominant(&g, n, 2, 0.02);
        for (int j = 0; j < n; j++) { /* two parts that only the third joins */
            for (int i = 0; i < n; i++) {
                if (i / sizes[s] + j / sizes[s] == 1) A[i + j * n] = 0;
            }
        }
        check(n, A, false);
        free(A);
    }
}
END_TEST

START_TEST(gives_up_without_a_pivot)
{
    /* the pivot of column 1 would be 1e-9 of the entry below, which is in another block's rows */
    perp_arena a = {0};
    perp_panels f;
    const int p[] = {0, 2, 4, 8, 10, 12}, i[] = {0, 2, 1, 2, 0, 1, 2, 3, 2, 3, 3, 4};
    double x[] = {1, 1, 1, 1, 1, 1, 4, 1, 1, 4, 1, 4}, scale[] = {1, 1, 1, 1, 1};
    ck_assert(perp_lu_panels_open(&f, &a, 5, p, i));
    ck_assert_int_eq(perp_lu_panels_compute(&f, x, i, scale, PERP_PIVOT_LEAST), 0);
    double tiny[12] = {0};
    ck_assert_int_gt(perp_lu_panels_compute(&f, tiny, i, scale, PERP_PIVOT_LEAST), 0);
    ck_assert_int_eq(perp_lu_panels_compute(&f, x, i, scale, PERP_PIVOT_LEAST), 0);
    perp_arena_free(&a);

    /* an arrow with a small diagonal, but for its head: no block has another pivot */
    double A[900] = {0};
    for (int j = 0; j < 30; j++) {
        A[j] = A[30 * j] = 1;
        A[31 * j] = j ? 1e-6 : 1;
    }
    csc C = compress(30, A);
    double ones[30];
    for (int k = 0; k < 30; k++) ones[k] = 1;
    a = (perp_arena){0};
    ck_assert(perp_lu_panels_open(&f, &a, 30, C.p, C.i));
    ck_assert_int_gt(perp_lu_panels_compute(&f, C.x, C.i, ones, PERP_PIVOT_LEAST), 0);

    /* it serves those who refine: y solves to what the small pivots leave, one step more to
     * rounding */
    ck_assert_int_eq(perp_lu_panels_compute(&f, C.x, C.i, ones, PERP_PIVOT_REFINED), 0);
    double y[30], rest[30];
    for (int k = 0; k < 30; k++) y[k] = 0;
    for (int times = 0; times < 2; times++) {
        for (int k = 0; k < 30; k++) {
            rest[k] = 1;
            for (int j = 0; j < 30; j++) rest[k] -= A[30 * j + k] * y[j];
        }
        perp_panels_solve(&f, false, rest, rest);
        for (int k = 0; k < 30; k++) y[k] += rest[k];
    }
    for (int k = 0; k < 30; k++) {
        double sum = 0;
        for (int j = 0; j < 30; j++) sum += A[30 * j + k] * y[j];
        ck_assert_double_eq_tol(sum, 1, 1e-9);
    }
    perp_arena_free(&a);
    discard(C);
}
END_TEST

START_TEST(memory_ends_anywhere)
{
    generator g = generator_start(2);
    double *A = make_dominant(&g, 40, 0.1, 1);
    csc C = compress(40, A);
    bool opened = false;
    for (int k = 0; !opened; k++) {
        supply s = {.left = k};
        perp_arena a = {.resize = scarce, .ctx = &s};
        perp_panels f;
        opened = perp_lu_panels_open(&f, &a, C.n, C.p, C.i);
        ck_assert(opened || a.failed);
        perp_arena_free(&a);
        ck_assert_int_eq(s.out, 0);
    }
    discard(C);
    free(A);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lu_panels");
    TCase *t = tcase_create("lu_panels");
    tcase_add_test(t, agrees_with_lapack);
    tcase_add_test(t, wide_panels);
    tcase_add_test(t, gives_up_without_a_pivot);
    tcase_add_test(t, memory_ends_anywhere);
    suite_add_tcase(s, t);
    return support_run(s);
}
