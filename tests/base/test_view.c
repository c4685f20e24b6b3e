/* test_view.c: every refusal with its status and its sentence, and what must pass. */
#include "core/internal.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect(perp_status got, const perp_error *e, perp_status status, const char *sentence)
{
    ck_assert_msg(got == status, "%s instead of %s: %s", perp_status_name(got),
                  perp_status_name(status), e->text);
    ck_assert_str_eq(e->text, sentence);
    ck_assert_int_eq(e->status, status);
}

/* "" and PERP_SOLVED: it must pass. */
static void view(perp_matrix A, int m, int n, perp_status status, const char *sentence)
{
    perp_error e = {0};
    expect(perp_check_view(&A, m, n, "M", false, &e), &e, status, sentence);
    ck_assert_int_eq(perp_check_view(&A, m, n, "M", false, NULL), status);
}

static void pattern(perp_matrix A, int m, int n, perp_status status, const char *sentence)
{
    perp_error e = {0};
    expect(perp_check_pattern(&A, m, n, "F.pattern", &e), &e, status, sentence);
}

static void vector(const double *x, int n, bool optional, perp_status status, const char *sentence)
{
    perp_error e = {0};
    expect(perp_check_vector(x, n, "q", optional, &e), &e, status, sentence);
}

static void bounds(const double *lo, const double *hi, int n, perp_status status,
                   const char *sentence)
{
    perp_error e = {0};
    expect(perp_check_bounds(lo, hi, n, "lo", "hi", &e), &e, status, sentence);
}

/* ---- sizes and formats ---- */

START_TEST(sizes)
{
    const double x[16] = {0};
    view(perp_dense(4, 4, x), 4, 4, PERP_SOLVED, "");
    view(perp_dense(3, 4, x), 4, 4, PERP_E_ARGUMENT, "M is 3 x 4, expected 4 x 4");
    view(perp_dense(4, 3, x), 4, 4, PERP_E_ARGUMENT, "M is 4 x 3, expected 4 x 4");
    view(perp_dense(-1, 2, x), -1, 2, PERP_E_ARGUMENT, "M is -1 x 2, a size below zero");
    view(perp_dense(2, -1, x), 2, -1, PERP_E_ARGUMENT, "M is 2 x -1, a size below zero");
    pattern(perp_dense(3, 4, x), 4, 4, PERP_E_ARGUMENT, "F.pattern is 3 x 4, expected 4 x 4");
}
END_TEST

START_TEST(absent)
{
    perp_matrix A = {0};
    perp_error e = {0};
    view(A, 3, 3, PERP_E_ARGUMENT, "M is missing");
    ck_assert_int_eq(perp_check_view(&A, 3, 3, "M", true, &e), PERP_SOLVED);
    pattern(A, 3, 3, PERP_SOLVED, "");
}
END_TEST

START_TEST(unknown_format)
{
    perp_matrix A = {.format = (perp_format)64, .m = 1, .n = 1};
    view(A, 1, 1, PERP_E_ARGUMENT, "M has the unknown format 64");
}
END_TEST

static void product(void *ctx, double a, const double *x, double b, double *y)
{
    (void)ctx, (void)a, (void)x, (void)b, (void)y;
}

START_TEST(operator_needs_both_products)
{
    perp_matrix A = {.format = PERP_FORMAT_OPERATOR, .m = 2, .n = 2};
    view(A, 2, 2, PERP_E_ARGUMENT, "M.mul is NULL");
    A.as.op.mul = product;
    view(A, 2, 2, PERP_E_ARGUMENT, "M.mul_t is NULL");
    A.as.op.mul_t = product;
    view(A, 2, 2, PERP_SOLVED, "");
    view(A, 2, 3, PERP_E_ARGUMENT, "M is 2 x 2, expected 2 x 3");
    pattern(A, 2, 2, PERP_E_FORMAT, "F.pattern is neither dense nor compressed columns");
}
END_TEST

/* ---- dense ---- */

START_TEST(dense_structure)
{
    const double x[9] = {0};
    perp_matrix A = perp_dense(3, 3, x);
    A.as.dense.ld = 2;
    view(A, 3, 3, PERP_E_ARGUMENT, "ld = 2 of M is below its 3 rows");
    pattern(A, 3, 3, PERP_SOLVED, "");
    view(perp_dense(3, 3, NULL), 3, 3, PERP_E_ARGUMENT, "M.x is NULL");
    pattern(perp_dense(3, 3, NULL), 3, 3, PERP_SOLVED, "");
    view(perp_dense(0, 3, NULL), 0, 3, PERP_SOLVED, "");
    view(perp_dense(3, 0, NULL), 3, 0, PERP_SOLVED, "");
    view(perp_dense(INT_MAX, INT_MAX, x), INT_MAX, INT_MAX, PERP_E_ARGUMENT,
         "M is 2147483647 x 2147483647, more than memory can address");
}
END_TEST

/* Each place in turn, for lengths around the width of the vector loop. */
START_TEST(dense_values)
{
    static const double bad[] = {NAN, -NAN, INFINITY, -INFINITY};
    for (int m = 1; m <= 9; m++) {
        int n = 3, ld = m + 2;
        for (int k = 0; k < 4 * m * n; k++) {
            double x[64], y[64];
            char want[64];
            int at = k / 4, i = at % m, j = at / m;
            for (int t = 0; t < 64; t++) {
                x[t] = 1;
                y[t] = t % ld < m ? 1 : NAN;
            }
            x[at] = y[i + j * ld] = bad[k % 4];
            snprintf(want, sizeof want, "M[%d][%d] is not finite", i, j);
            view(perp_dense(m, n, x), m, n, PERP_E_NUMBER, want);
            perp_matrix A = perp_dense(m, n, y);
            A.as.dense.ld = ld;
            view(A, m, n, PERP_E_NUMBER, want);
            for (int t = 0; t < 64; t++) y[t] = t == i + j * ld ? y[t] : 1; /* finite padding too */
            view(A, m, n, PERP_E_NUMBER, want);
            for (int t = 0; t < 64; t++) y[t] = t % ld < m ? 1 : NAN;
            view(A, m, n, PERP_SOLVED, "");
        }
    }
}
END_TEST

START_TEST(extreme_finite_values_pass)
{
    const double x[] = {DBL_MAX, -DBL_MAX, DBL_MIN, 0x1p-1074, -0.0, 0, 1, -1, -0x1p-1074};
    view(perp_dense(3, 3, x), 3, 3, PERP_SOLVED, "");
    vector(x, 9, false, PERP_SOLVED, "");
    vector(x, 5, false, PERP_SOLVED, "");
}
END_TEST

/* ---- compressed columns ---- */

START_TEST(csc_pointers)
{
    const int i[] = {0, 1, 2, 0, 1};
    const double x[5] = {0};
    int p[] = {0, 2, 4, 5};
    view(perp_csc(3, 3, p, i, x), 3, 3, PERP_SOLVED, "");
    view(perp_csc(3, 3, NULL, i, x), 3, 3, PERP_E_ARGUMENT, "M.p is NULL");
    view(perp_csc(3, 3, p, NULL, x), 3, 3, PERP_E_ARGUMENT, "M.i is NULL");
    view(perp_csc(3, 3, p, i, NULL), 3, 3, PERP_E_ARGUMENT, "M.x is NULL");
    pattern(perp_csc(3, 3, p, i, NULL), 3, 3, PERP_SOLVED, "");
    p[0] = 1;
    view(perp_csc(3, 3, p, i, x), 3, 3, PERP_E_ARGUMENT, "M.p[0] = 1 is not 0");
    p[0] = -1;
    view(perp_csc(3, 3, p, i, x), 3, 3, PERP_E_ARGUMENT, "M.p[0] = -1 is not 0");
    p[0] = 0;
    p[2] = 1;
    view(perp_csc(3, 3, p, i, x), 3, 3, PERP_E_ARGUMENT, "M.p[2] = 1 is below M.p[1] = 2");
    pattern(perp_csc(3, 3, p, i, x), 3, 3, PERP_E_ARGUMENT,
            "F.pattern.p[2] = 1 is below F.pattern.p[1] = 2");
    /* the last pointer is not believed before all are known to ascend */
    p[2] = 4;
    p[3] = -5;
    view(perp_csc(3, 3, p, i, x), 3, 3, PERP_E_ARGUMENT, "M.p[3] = -5 is below M.p[2] = 4");
    p[1] = INT_MAX;
    p[2] = INT_MIN;
    p[3] = 5;
    view(perp_csc(3, 3, p, i, x), 3, 3, PERP_E_ARGUMENT,
         "M.p[2] = -2147483648 is below M.p[1] = 2147483647");
}
END_TEST

START_TEST(csc_indices)
{
    const int p[] = {0, 2, 4, 5};
    const double x[5] = {0};
    int i[] = {0, 1, 2, 0, 1};
    i[3] = 3;
    view(perp_csc(3, 3, p, i, x), 3, 3, PERP_E_ARGUMENT,
         "M.i[3] = 3 is not a row of a 3 x 3 matrix");
    pattern(perp_csc(3, 3, p, i, NULL), 3, 3, PERP_E_ARGUMENT,
            "F.pattern.i[3] = 3 is not a row of a 3 x 3 matrix");
    i[3] = -1;
    view(perp_csc(3, 3, p, i, x), 3, 3, PERP_E_ARGUMENT,
         "M.i[3] = -1 is not a row of a 3 x 3 matrix");
    i[3] = 0;
    view(perp_csc(0, 3, p, i, x), 0, 3, PERP_E_ARGUMENT,
         "M.i[0] = 0 is not a row of a 0 x 3 matrix");
}
END_TEST

START_TEST(csc_values)
{
    /* empty columns before and after; unsorted and twice the same row are fine */
    const int p[] = {0, 0, 3, 3, 5, 5}, i[] = {2, 0, 2, 1, 1};
    for (int k = 0; k < 5; k++) {
        double x[] = {1, 2, 3, 4, 5};
        char want[64];
        view(perp_csc(3, 5, p, i, x), 3, 5, PERP_SOLVED, "");
        x[k] = INFINITY;
        snprintf(want, sizeof want, "M[%d][%d] is not finite", i[k], k < 3 ? 1 : 3);
        view(perp_csc(3, 5, p, i, x), 3, 5, PERP_E_NUMBER, want);
        pattern(perp_csc(3, 5, p, i, x), 3, 5, PERP_SOLVED, "");
    }
    view(perp_csc(3, 0, p, NULL, NULL), 3, 0, PERP_SOLVED, "");
    view(perp_csc(3, 1, p, NULL, NULL), 3, 1, PERP_SOLVED, "");
}
END_TEST

/* ---- 3x3 blocks ---- */

START_TEST(bsr3_structure)
{
    const double x[18] = {0};
    int p[] = {0, 1, 2}, j[] = {2, 0};
    view(perp_bsr3(2, 3, p, j, x), 6, 9, PERP_SOLVED, "");
    view(perp_bsr3(2, 3, NULL, j, x), 6, 9, PERP_E_ARGUMENT, "M.p is NULL");
    view(perp_bsr3(2, 3, p, NULL, x), 6, 9, PERP_E_ARGUMENT, "M.j is NULL");
    view(perp_bsr3(2, 3, p, j, NULL), 6, 9, PERP_E_ARGUMENT, "M.x is NULL");
    perp_matrix A = perp_bsr3(2, 3, p, j, x);
    A.m = 7;
    view(A, 7, 9, PERP_E_ARGUMENT, "M is 7 x 9, 3 x 3 blocks need multiples of 3");
    A.m = 6;
    A.n = 8;
    view(A, 6, 8, PERP_E_ARGUMENT, "M is 6 x 8, 3 x 3 blocks need multiples of 3");
    j[1] = 3;
    view(perp_bsr3(2, 3, p, j, x), 6, 9, PERP_E_ARGUMENT,
         "M.j[1] = 3 is not a block column of a 6 x 9 matrix");
    j[1] = -2;
    view(perp_bsr3(2, 3, p, j, x), 6, 9, PERP_E_ARGUMENT,
         "M.j[1] = -2 is not a block column of a 6 x 9 matrix");
    p[2] = 0;
    view(perp_bsr3(2, 3, p, j, x), 6, 9, PERP_E_ARGUMENT, "M.p[2] = 0 is below M.p[1] = 1");
    view(perp_bsr3(INT_MAX, 1, p, j, x), -1, 3, PERP_E_ARGUMENT, "M is -1 x 3, a size below zero");
    pattern(perp_bsr3(2, 3, p, j, x), 6, 9, PERP_E_FORMAT,
            "F.pattern is neither dense nor compressed columns");
}
END_TEST

START_TEST(bsr3_values)
{
    const int p[] = {0, 0, 1, 2}, j[] = {2, 0};
    for (int k = 0; k < 18; k++) {
        double x[18] = {0};
        char want[64];
        x[k] = NAN;
        int row = 3 * (1 + k / 9) + k % 3, column = (k < 9 ? 6 : 0) + k % 9 / 3;
        snprintf(want, sizeof want, "M[%d][%d] is not finite", row, column);
        view(perp_bsr3(3, 3, p, j, x), 9, 9, PERP_E_NUMBER, want);
    }
}
END_TEST

/* ---- vectors and bounds ---- */

START_TEST(vectors)
{
    double x[] = {1, 2, 3, 4, 5, 6, 7};
    vector(x, 7, false, PERP_SOLVED, "");
    vector(NULL, 0, false, PERP_SOLVED, "");
    vector(NULL, 3, true, PERP_SOLVED, "");
    vector(NULL, 3, false, PERP_E_ARGUMENT, "q is NULL, expected 3 numbers");
    vector(x, -1, false, PERP_E_ARGUMENT, "q has length -1, below zero");
    vector(NULL, -1, true, PERP_E_ARGUMENT, "q has length -1, below zero");
    x[6] = -INFINITY;
    vector(x, 6, true, PERP_SOLVED, "");
    vector(x, 7, true, PERP_E_NUMBER, "q[6] is not finite");
    x[2] = NAN;
    vector(x, 7, false, PERP_E_NUMBER, "q[2] is not finite");
}
END_TEST

START_TEST(bounds_in_order_pass)
{
    const double lo[] = {-INFINITY, 0, 1, -INFINITY}, hi[] = {INFINITY, INFINITY, 1, -5};
    bounds(lo, hi, 4, PERP_SOLVED, "");
    bounds(NULL, hi, 4, PERP_SOLVED, "");
    bounds(lo, NULL, 4, PERP_SOLVED, "");
    bounds(NULL, NULL, 4, PERP_SOLVED, "");
    bounds(lo, hi, 0, PERP_SOLVED, "");
}
END_TEST

START_TEST(bounds_refused)
{
    double lo[] = {0, 0, 5}, hi[] = {1, 1, 1};
    bounds(lo, hi, 3, PERP_E_ARGUMENT, "lo[2] = 5 is above hi[2] = 1");
    lo[2] = 1 + DBL_EPSILON;
    bounds(lo, hi, 3, PERP_E_ARGUMENT, "lo[2] = 1.0000000000000002 is above hi[2] = 1");
    lo[2] = 0;
    lo[1] = NAN;
    bounds(lo, hi, 3, PERP_E_NUMBER, "lo[1] is NaN");
    bounds(lo, NULL, 3, PERP_E_NUMBER, "lo[1] is NaN");
    lo[1] = INFINITY;
    bounds(lo, NULL, 3, PERP_E_NUMBER, "lo[1] is +infinity");
    hi[1] = INFINITY;
    bounds(lo, hi, 3, PERP_E_NUMBER, "lo[1] is +infinity");
    lo[1] = -INFINITY;
    hi[1] = -INFINITY;
    bounds(lo, hi, 3, PERP_E_NUMBER, "hi[1] is -infinity");
    hi[1] = NAN;
    bounds(NULL, hi, 3, PERP_E_NUMBER, "hi[1] is NaN");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("view");
    TCase *c = tcase_create("view");
    tcase_add_test(c, sizes);
    tcase_add_test(c, absent);
    tcase_add_test(c, unknown_format);
    tcase_add_test(c, operator_needs_both_products);
    tcase_add_test(c, dense_structure);
    tcase_add_test(c, dense_values);
    tcase_add_test(c, extreme_finite_values_pass);
    tcase_add_test(c, csc_pointers);
    tcase_add_test(c, csc_indices);
    tcase_add_test(c, csc_values);
    tcase_add_test(c, bsr3_structure);
    tcase_add_test(c, bsr3_values);
    tcase_add_test(c, vectors);
    tcase_add_test(c, bounds_in_order_pass);
    tcase_add_test(c, bounds_refused);
    suite_add_tcase(s, c);
    return support_run(s);
}
