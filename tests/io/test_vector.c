/* tests/io/test_vector.c: vectors alone. */
#include "files.h"
#include "io/io.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

static void refused(const char *path, int line, const char *words)
{
    perp_arena a = {0};
    perp_error e = {.line = -1};
    int n = 77;
    const double *x = NULL;
    ck_assert_int_eq(perp_load_vector(path, &a, &n, &x, &e), PERP_E_FILE);
    ck_assert_msg(strstr(e.text, words) != NULL, "%s", e.text);
    ck_assert_int_eq(e.line, line);
    ck_assert(n == 77 && !x && a.used == 0);
    ck_assert_int_eq(perp_load_vector(path, &a, &n, &x, NULL), PERP_E_FILE);
    perp_arena_free(&a);
}

START_TEST(numbers_come_back)
{
    static const double x[] = {1, -0.0, 0.1, 1e300, 5e-324, -1.0 / 3};
    perp_arena a = {0};
    perp_error e;
    int n;
    const double *y;
    char path[200];
    strcpy(path, files_path("x"));
    ck_assert_int_eq(perp_save_vector(path, 6, x, &e), PERP_SOLVED);
    ck_assert_int_eq(perp_load_vector(path, &a, &n, &y, &e), PERP_SOLVED);
    ck_assert(n == 6 && memcmp(x, y, sizeof x) == 0);
    ck_assert_int_eq(perp_save_vector(path, 0, NULL, &e), PERP_SOLVED);
    ck_assert_int_eq(perp_load_vector(path, &a, &n, &y, &e), PERP_SOLVED);
    ck_assert_int_eq(n, 0);
    files_write("y", "# z\n 1 2 # more\n\t3");
    ck_assert_int_eq(perp_load_vector(files_path("y"), &a, &n, &y, &e), PERP_SOLVED);
    ck_assert(n == 3 && y[2] == 3);
    perp_arena_free(&a);
    files_clean();
}
END_TEST

START_TEST(bad_vectors_are_refused)
{
    refused(files_write("x", "1\n2\nthree\n"), 3, "expected the vector[2], a finite number");
    refused(files_write("x", "1\nnan\n"), 2, "found 'nan'");
    refused(files_write("x", "1 inf"), 1, "found 'inf'");
    refused(files_path("missing"), 0, "No such file");
    refused(files_path("."), 0, "directory");
    static const double bad[] = {1, NAN};
    perp_error e;
    ck_assert_int_eq(perp_save_vector(files_path("z"), 2, bad, &e), PERP_E_NUMBER);
    ck_assert_int_eq(perp_save_vector(NULL, 2, bad, &e), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_save_vector(files_path("z"), -1, bad, NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_save_vector(files_path("no/z"), 1, bad, &e), PERP_E_FILE);
    ck_assert_int_eq(perp_load_vector(NULL, NULL, NULL, NULL, NULL), PERP_E_ARGUMENT);
    files_clean();
}
END_TEST

/* The version of the residuals goes through the file's first remark, and only there. */
START_TEST(the_version_of_residuals)
{
    static const double x[] = {1, 2};
    perp_arena a = {0};
    perp_error e;
    int n, version = -1;
    const double *y;
    const char *path = files_path("z");
    ck_assert_int_eq(perp_write_vector(path, "solved", 2, x, &e), PERP_SOLVED);
    ck_assert_int_eq(perp_read_vector(path, false, &a, &n, &y, &version, &e), PERP_SOLVED);
    ck_assert(n == 2 && y[1] == 2 && version == PERP_RESIDUAL_VERSION);
    ck_assert_int_eq(perp_load_vector(path, &a, &n, &y, &e), PERP_SOLVED);
    ck_assert(n == 2 && y[0] == 1);
    ck_assert_int_eq(perp_save_vector(path, 2, x, &e), PERP_SOLVED);
    ck_assert_int_eq(perp_read_vector(path, false, &a, &n, &y, &version, &e), PERP_SOLVED);
    ck_assert_int_eq(version, 0);
    files_write("z", "# perp: residual version 77, solved\n3\n");
    ck_assert_int_eq(perp_read_vector(files_path("z"), false, &a, &n, &y, &version, &e),
                     PERP_SOLVED);
    ck_assert(n == 1 && version == 77);
    files_write("z", "# perp: residual version x\n3\n");
    ck_assert_int_eq(perp_read_vector(files_path("z"), false, &a, &n, &y, &version, &e),
                     PERP_SOLVED);
    ck_assert_int_eq(version, 0);
    perp_arena_free(&a);
    files_clean();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("vector files");
    TCase *t = tcase_create("vector files");
    tcase_add_test(t, numbers_come_back);
    tcase_add_test(t, the_version_of_residuals);
    tcase_add_test(t, bad_vectors_are_refused);
    suite_add_tcase(s, t);
    return support_run(s);
}
