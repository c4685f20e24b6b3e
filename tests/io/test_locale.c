/* tests/io/test_locale.c: a program that has called setlocale() gets the same files and sentences:
 * numbers have a point in them, and are read with one, and the program's locale stays as it was. */
#include "comma.h"
#include "perp/perp.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool found; /* without such a locale the tests hold all the same, and say nothing */

static void begin(void)
{
    found = set_comma_locale();
}

static void end(void)
{
    setlocale(LC_ALL, "C");
    files_clean();
}

/* ---- files ---- */

static const double M[] = {2.5, -0.5, 0.25, 3.125}, q[] = {-1.5, 1e-9};

static void check_bytes(const perp_file *file, perp_file_format format, const char *number)
{
    perp_error e = {0};
    perp_file out = *file;
    size_t length;
    out.format = format;
    perp_status status = perp_save_file(files_path("saved"), &out, &e);
    ck_assert_msg(status == PERP_SOLVED, "%s", e.text);
    char *text = files_read(files_path("saved"), &length);
    ck_assert_msg(strstr(text, number) != NULL, "no %s in %s", number, text);
    ck_assert_ptr_null(strchr(text, ','));
    free(text);
    round_trip(file, format, format == PERP_FILE_TEXT);
}

START_TEST(files_have_points)
{
    static const double half[] = {0.5, 0, 0.5}, lo[] = {-1.5, -INFINITY}, hi[] = {0.125, 2.5};
    static const double H[] = {2.5, 0.5, 0.5, 3.125};
    perp_file file = {.problem = perp_make_lcp(2, perp_dense(2, 2, M), q), .solution = half};
    check_bytes(&file, PERP_FILE_TEXT, "3.125");
    check_bytes(&file, PERP_FILE_SICONOS, "3.125");
    perp_problem p = {.kind = PERP_KIND_QP};
    p.as.qp = (perp_qp){.n = 2, .H = perp_dense(2, 2, H), .c = q, .lo = lo, .hi = hi};
    file = (perp_file){.problem = p, .constant = 0.75};
    check_bytes(&file, PERP_FILE_TEXT, "3.125");
    perp_matrix sparse;
    perp_arena mine = {0};
    ck_assert_int_eq(perp_convert(&p.as.qp.H, PERP_FORMAT_CSC, &mine, &sparse, NULL), 0);
    file.problem.as.qp.H = sparse;
    check_bytes(&file, PERP_FILE_QPS, "3.125");
    perp_arena_free(&mine);

    perp_arena a = {0};
    perp_error e;
    perp_index n;
    const double *x;
    perp_matrix A = perp_dense(2, 2, M), B;
    ck_assert_int_eq(perp_save_vector(files_path("v"), 3, half, &e), PERP_SOLVED);
    ck_assert_int_eq(perp_load_vector(files_path("v"), &a, &n, &x, &e), PERP_SOLVED);
    ck_assert(n == 3 && !memcmp(x, half, sizeof half));
    ck_assert_int_eq(perp_save_matrix(files_path("A.mtx"), &A, &e), PERP_SOLVED);
    ck_assert_int_eq(perp_load_matrix(files_path("A.mtx"), &a, &B, &e), PERP_SOLVED);
    ck_assert(!memcmp(B.as.dense.x, M, sizeof M));
    perp_arena_free(&a);
}
END_TEST

/* A comma is no point in a file, whatever the locale says. */
START_TEST(commas_are_refused)
{
    load_bad("2\n0\n2\n2\n2 2\n2,5 1\n1 2\n-5 -6\n", PERP_FILE_SICONOS, 6, "2,5");
}
END_TEST

/* ---- sentences ---- */

START_TEST(refusals_have_points)
{
    static const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zero[3] = {0}, mu[1] = {-0.75};
    perp_problem p = perp_make_fc3d(1, perp_dense(3, 3, W), zero, mu);
    perp_error e = {0};
    ck_assert_int_eq(perp_validate(&p, &e), PERP_E_ARGUMENT);
    ck_assert_msg(strstr(e.text, "mu = -0.75 of contact 0") != NULL, "%s", e.text);
}
END_TEST

/* By the solver, by the driver where rounding is the end, and by the chain of an auto that no
 * solver of it has satisfied. */
START_TEST(details_have_points)
{
    static const double bad[] = {-0.75, 0, 0, 1};
    perp_arena a = {0};
    perp_result r;
    double z[2] = {0};
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, bad), q);
    perp_solve(&p, perp_find("lcp/psor"), &a, z, NULL, &r);
    ck_assert_msg(strstr(r.detail, "= -0.75 is not") != NULL, "%s", r.detail);

    generated g;
    perp_options *o = perp_options_new(&a, "lcp/auto");
    ck_assert(o && lcp_generate(lcp_family_find("pd"), 40, 1, &a, &g));
    double start[40] = {0};
    o->tol = 0;
    p = lcp_generated_problem(&g);
    perp_solve(&p, o, &a, start, NULL, &r);
    const char *left = strstr(r.detail, "alone leaves ");
    ck_assert_msg(left && left[14] == '.', "%s", r.detail); /* 1.2e-16 */
    ck_assert(lcp_generate(lcp_family_find("degenerate"), 40, 1, &a, &g));
    o->max_iter = 3;
    p = lcp_generated_problem(&g);
    perp_solve(&p, o, &a, start, NULL, &r);
    const char *best = strstr(r.detail, "the best residual is ");
    ck_assert_msg(best && best[22] == '.', "%s", r.detail); /* 4.1e-02 */
    ck_assert_int_eq(perp_options_set(o, "tol", "0.25", NULL), PERP_SOLVED);
    ck_assert_double_eq(o->tol, 0.25);
    ck_assert_int_eq(perp_options_set(o, "tol", "0,25", NULL), PERP_E_OPTION);
    perp_arena_free(&a);
}
END_TEST

static void locale_stays(void)
{
    if (!found) return;
    ck_assert_str_eq(localeconv()->decimal_point, ",");
    char text[16];
    snprintf(text, sizeof text, "%.1f", 0.5);
    ck_assert_str_eq(text, "0,5");
}

int main(void)
{
    Suite *s = suite_create("locale");
    TCase *t = tcase_create("locale");
    tcase_set_timeout(t, 60);
    tcase_add_unchecked_fixture(t, begin, end);
    tcase_add_checked_fixture(t, NULL, locale_stays);
    tcase_add_test(t, files_have_points);
    tcase_add_test(t, commas_are_refused);
    tcase_add_test(t, refusals_have_points);
    tcase_add_test(t, details_have_points);
    suite_add_tcase(s, t);
    return support_run(s);
}
