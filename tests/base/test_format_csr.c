/* test_format_csr.c: every operation of compressed rows, and solves with them. */
#include "base/cache.h"
#include "format_support.h"

START_TEST(every_operation)
{
    static const int none[4];
    format_check_row(PERP_FORMAT_CSR);
    format_check_empty(perp_csr(0, 0, none, NULL, NULL));
}
END_TEST

START_TEST(what_is_refused)
{
    int p[] = {0, 1, 2}, j[] = {2, 1};
    double x[] = {1, INFINITY};
    perp_error e;
    perp_matrix A = perp_csr(2, 3, p, j, x);
    ck_assert_int_eq(perp_format_csr.check(&A, "A", &e), PERP_E_NUMBER);
    ck_assert_ptr_nonnull(strstr(e.text, "A[1][1]"));
    x[1] = 0;
    j[0] = 3;
    ck_assert_int_eq(perp_format_csr.check(&A, "A", &e), PERP_E_ARGUMENT);
    ck_assert_str_eq(e.text, "A.j[0] = 3 is not a column of a 2 x 3 matrix");
    p[1] = 3;
    ck_assert_int_eq(perp_format_csr.check(&A, "A", &e), PERP_E_ARGUMENT);
    A = perp_csr(2, 3, (const int[]){0, 1, 2}, NULL, x);
    ck_assert_int_eq(perp_format_csr.check(&A, "A", &e), PERP_E_ARGUMENT);
}
END_TEST

/* The same numbers by columns and by rows; rows become columns once. */
START_TEST(solves)
{
    enum { n = 10 }; /* smaller ones are converted each time */
    int p[n + 1] = {0}, i[2 * n], pr[n + 1] = {0}, j[2 * n];
    double x[2 * n], xr[2 * n], q[n], z[n], other[n];
    for (int k = 0; k < n; k++) { /* 3 on the diagonal, 1 below it */
        int at = p[k], row = pr[k];
        q[k] = -1 - k % 3;
        i[at] = k;
        x[at++] = 3;
        if (k < n - 1) {
            i[at] = k + 1;
            x[at++] = 1;
        }
        p[k + 1] = at;
        if (k > 0) {
            j[row] = k - 1;
            xr[row++] = 1;
        }
        j[row] = k;
        xr[row++] = 3;
        pr[k + 1] = row;
    }
    perp_problem columns = perp_make_lcp(n, perp_csc(n, n, p, i, x), q);
    perp_problem rows = perp_make_lcp(n, perp_csr(n, n, pr, j, xr), q);
    perp_arena a = {0};
    perp_result r;
    ck_assert_int_eq(perp_solve(&columns, NULL, &a, z, NULL, &r), PERP_SOLVED);
    unsigned own = a.work[PERP_WORK_CONVERSION], before = own;
    for (int k = 0; k < 2; k++) {
        ck_assert_int_eq(perp_solve(&rows, NULL, &a, other, NULL, &r), PERP_SOLVED);
        ck_assert_int_eq(memcmp(z, other, sizeof z), 0);
        ck_assert_uint_eq(a.work[PERP_WORK_CONVERSION] - before, own + (k == 0));
        before = a.work[PERP_WORK_CONVERSION];
    }
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("format_csr");
    TCase *t = tcase_create("all");
    tcase_add_test(t, every_operation);
    tcase_add_test(t, what_is_refused);
    tcase_add_test(t, solves);
    suite_add_tcase(s, t);
    return support_run(s);
}
