/* tests/io/test_qps_write.c: QPS as it is written: by hand, and random problems bit for bit. */
#include "io_files.h"

static char *save_text(const perp_file *file)
{
    char path[1024];
    size_t length;
    perp_error e = {0};
    perp_status status = perp_save_file(scratch_path("text.qps", path), file, &e);
    ck_assert_msg(!status, "%s", e.text);
    char *text = files_read(path, &length);
    text[length] = 0;
    unlink(path);
    return text;
}

START_TEST(by_hand)
{
    static const double H[] = {2, 1, 1, 2}, A[] = {3, 4}, c[] = {0, 5}, lo[] = {1}, hi[] = {1.5};
    static const double xlo[] = {-INFINITY, 0}, xhi[] = {7, INFINITY};
    perp_file file = {.format = PERP_FILE_QPS, .title = "hand\nworked", .constant = 6};
    file.problem = perp_make_qp(2, 1, perp_dense(2, 2, H), c, perp_dense(1, 2, A), lo, hi);
    file.problem.as.qp.xlo = xlo;
    file.problem.as.qp.xhi = xhi;
    char *text = save_text(&file);
    ck_assert_str_eq(text, "NAME          hand\n"
                           "ROWS\n N  obj\n G  c1\n"
                           "COLUMNS\n"
                           "    x1        c1        3\n"
                           "    x2        obj       5\n"
                           "    x2        c1        4\n"
                           "RHS\n"
                           "    rhs       obj       -6\n"
                           "    rhs       c1        1\n"
                           "RANGES\n"
                           "    range     c1        0.5\n"
                           "BOUNDS\n"
                           " MI bound     x1      \n"
                           " UP bound     x1        7\n"
                           "QUADOBJ\n"
                           "    x1        x1        2\n"
                           "    x1        x2        1\n"
                           "    x2        x2        2\n"
                           "ENDATA\n");
    free(text);
}
END_TEST

/* What a row or a variable can be like, and numbers from everywhere. */
static double draw(generator *g)
{
    static const double special[] = {0, -0.0, 1, -1, 0.1, 1e-300, 4.9e-324, 1e19, -1. / 3};
    int k = generator_below(g, 20);
    if (k < 9) return special[k];
    return ldexp(generator_uniform(g), generator_between(g, -30, 30));
}

static void draw_sides(generator *g, double *lo, double *hi)
{
    int k = generator_below(g, 6);
    *lo = draw(g);
    *hi = draw(g);
    if (*lo > *hi) {
        double t = *lo;
        *lo = *hi;
        *hi = t;
    }
    if (k == 0) *hi = *lo;
    if (k == 1 || k == 2) *lo = -INFINITY;
    if (k == 1 || k == 3) *hi = INFINITY;
}

enum { MOST = 6 };

static void random_problem(generator *g, int n, int m, bool symmetric)
{
    double H[MOST * MOST] = {0}, A[MOST * MOST] = {0}, c[MOST], b[4][MOST];
    for (int j = 0; j < n; j++) {
        c[j] = draw(g);
        draw_sides(g, &b[0][j], &b[1][j]);
        for (int i = 0; i < n; i++) H[j * n + i] = symmetric && i < j ? H[i * n + j] : draw(g);
        for (int i = 0; i < m; i++) A[j * m + i] = generator_below(g, 2) ? draw(g) : 0;
    }
    for (int i = 0; i < m; i++) draw_sides(g, &b[2][i], &b[3][i]);
    perp_file file = {.format = PERP_FILE_QPS, .constant = draw(g)};
    file.problem = perp_make_qp(n, m, perp_dense(n, n, H), c, perp_dense(m, n, A), b[2], b[3]);
    file.problem.as.qp.xlo = b[0];
    file.problem.as.qp.xhi = b[1];
    if (n == 0 || H[0] == 0) file.problem.as.qp.H = (perp_matrix){0};
    trip(&file, "random.qps");
}

START_TEST(random_problems)
{
    generator g = generator_start(11);
    for (int k = 0; k < 400; k++) {
        random_problem(&g, generator_below(&g, MOST + 1), generator_below(&g, MOST + 1), k % 2);
    }
}
END_TEST

/* 1 + 2^-52 - -1 rounds to 2, and no double added to -1 gives 1 + 2^-52. */
START_TEST(sides_without_a_range)
{
    const double A[] = {1}, c[] = {0}, lo[] = {-1}, hi[] = {nextafter(1, 2)};
    perp_file file = {.format = PERP_FILE_QPS};
    file.problem = perp_make_qp(1, 1, (perp_matrix){0}, c, perp_dense(1, 1, A), lo, hi);
    char *text = save_text(&file);
    ck_assert_ptr_nonnull(strstr(text, "*PERP RANGE c1 -1 1.0000000000000002\n"));
    free(text);
    trip(&file, "range.qps");
}
END_TEST

START_TEST(unsorted_and_nonsymmetric)
{
    static const int p[] = {0, 3, 4}, i[] = {1, 0, 1, 0};
    static const double x[] = {1, 2, 3, 4.5}, c[] = {0, 0};
    perp_file file = {.format = PERP_FILE_QPS};
    file.problem = perp_make_qp(2, 0, perp_csc(2, 2, p, i, x), c, (perp_matrix){0}, NULL, NULL);
    char *text = save_text(&file);
    ck_assert_ptr_nonnull(strstr(text, "QMATRIX\n    x1        x1        2\n"
                                       "    x1        x2        4\n    x2        x1        4.5\n"));
    free(text);
}
END_TEST

START_TEST(refusals)
{
    const double c[] = {0}, far[] = {1e25};
    char path[1024];
    perp_error e = {0};
    perp_problem p = perp_make_qp(1, 0, (perp_matrix){0}, c, (perp_matrix){0}, NULL, NULL);
    p.as.qp.xhi = far;
    ck_assert_int_lt(perp_save(scratch_path("no.qps", path), PERP_FILE_ANY, &p, &e), 0);
    ck_assert_ptr_nonnull(strstr(e.text, "xhi[0]"));
    ck_assert_int_ne(access(path, F_OK), 0);
    p = perp_make_lcp(0, (perp_matrix){0}, NULL);
    ck_assert_int_lt(perp_save(path, PERP_FILE_QPS, &p, &e), 0);
    ck_assert_ptr_nonnull(strstr(e.text, "lcp"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("io_qps_write");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, by_hand);
    tcase_add_test(t, random_problems);
    tcase_add_test(t, sides_without_a_range);
    tcase_add_test(t, unsorted_and_nonsymmetric);
    tcase_add_test(t, refusals);
    suite_add_tcase(s, t);
    int failed = support_run(s);
    files_clean();
    return failed;
}
