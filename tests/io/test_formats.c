/* tests/io/test_formats.c: the table of formats, and the calls on files that are not there, not
 * allowed, not files, or cannot be written. */
#include "files.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double M[] = {2, 1, 1, 2}, q[] = {-5, -6};

static perp_problem sample(void)
{
    return perp_make_lcp(2, perp_dense(2, 2, M), q);
}

START_TEST(names_and_kinds)
{
    ck_assert_str_eq(perp_file_format_name(PERP_FILE_TEXT), "text");
    ck_assert_str_eq(perp_file_format_name(PERP_FILE_SICONOS), "siconos");
    ck_assert_ptr_null(perp_file_format_name(PERP_FILE_ANY));
    ck_assert_ptr_null(perp_file_format_name((perp_file_format)77));
    for (int k = 0; k < PERP_KINDS; k++) {
        ck_assert(perp_file_format_holds(PERP_FILE_TEXT, (perp_kind)k));
    }
    ck_assert(perp_file_format_holds(PERP_FILE_SICONOS, PERP_KIND_FC3D));
    ck_assert(!perp_file_format_holds(PERP_FILE_SICONOS, PERP_KIND_QP));
    ck_assert(!perp_file_format_holds(PERP_FILE_TEXT, (perp_kind)77));
    ck_assert(!perp_file_format_holds((perp_file_format)77, PERP_KIND_LCP));
}
END_TEST

static void no_file(const char *path, const char *words)
{
    perp_arena a = {0};
    perp_problem p = {.name = "untouched"};
    perp_error e = {.line = -1};
    ck_assert_int_eq(perp_load(path, &a, &p, &e), PERP_E_FILE);
    ck_assert_msg(strstr(e.text, words) != NULL, "%s", e.text);
    ck_assert_int_ge(e.line, 0);
    ck_assert_str_eq(p.name, "untouched");
    ck_assert_int_eq(perp_load(path, &a, &p, NULL), PERP_E_FILE);
    ck_assert_uint_eq(a.used, 0);
    perp_arena_free(&a);
}

START_TEST(what_cannot_be_read)
{
    no_file(files_path("missing.dat"), "No such file");
    no_file(files_path("."), "directory");
    no_file(files_write("empty.dat", ""), "the file is empty");
    no_file(files_write("blank.dat", " \n\n"), "like none of the formats");
    if (geteuid() != 0) {
        chmod(files_write("closed.dat", "2"), 0);
        no_file(files_path("closed.dat"), "Permission denied");
    }
    perp_arena a = {0};
    perp_file f;
    perp_error e;
    perp_load_options o = {.format = (perp_file_format)77};
    ck_assert_int_eq(perp_load_memory("1", 1, "x", &o, &a, &f, &e), PERP_E_ARGUMENT);
    o = (perp_load_options){.has_kind = true, .kind = (perp_kind)77};
    ck_assert_int_eq(perp_load_memory("1", 1, "x", &o, &a, &f, &e), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_load_memory(NULL, 1, "x", NULL, &a, &f, &e), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_load_memory("1", 1, "x", NULL, NULL, &f, NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_load_file(NULL, NULL, &a, &f, NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_load("x", &a, NULL, NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_load_memory(NULL, 0, "x", NULL, &a, &f, &e), PERP_E_FILE);
    files_clean();
}
END_TEST

/* Formats that say their kind hold no other. */
START_TEST(kind_asked_for)
{
    static const char qps[] = "NAME x\nROWS\n N f\nCOLUMNS\n x f 1\nRHS\nENDATA\n";
    perp_arena a = {0};
    perp_file f;
    perp_error e;
    perp_load_options o = {.has_kind = true, .kind = PERP_KIND_QP};
    ck_assert_int_eq(perp_load_memory(qps, strlen(qps), "x", &o, &a, &f, &e), PERP_SOLVED);
    o.kind = PERP_KIND_LCP;
    ck_assert_int_eq(perp_load_memory(qps, strlen(qps), "x", &o, &a, &f, &e), PERP_E_FILE);
    ck_assert_msg(strstr(e.text, "of kind qp, and lcp was asked for") != NULL, "%s", e.text);
    perp_arena_free(&a);
}
END_TEST

/* What Git leaves in place of a file that Git LFS did not fetch, whatever its name promises. */
/* A layout is a word about .dat files; said of another file it is a mistake, and told as one. */
START_TEST(layout_of_another_format)
{
    perp_load_options o = {.layout = "rfc2d"};
    perp_arena a = {0};
    perp_file f;
    perp_error e;
    const char *path = files_write("two.perp", "perp 1 lcp\nM dense 1 1\n 2\nq -1\nend\n");
    ck_assert_int_eq(perp_load_file(path, &o, &a, &f, &e), PERP_E_ARGUMENT);
    ck_assert_msg(strstr(e.text, "'rfc2d' is of Siconos' .dat files") != NULL, "%s", e.text);
    ck_assert_ptr_nonnull(strstr(e.text, "text"));
    ck_assert_int_eq(perp_load_file(path, NULL, &a, &f, &e), PERP_SOLVED);
    perp_arena_free(&a);
}
END_TEST

START_TEST(pointer_files)
{
    static const char pointer[] = "version https://git-lfs.github.com/spec/v1\noid sha256:"
                                  "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393"
                                  "\nsize 12345\n";
    static const char *const names[] = {"x.dat", "x.perp", "x.hdf5", "x.qps", "x.mtx", "x"};
    const char words[] = "Git LFS pointer, which stands for the real one; run 'git lfs pull'";
    perp_arena a = {0};
    perp_error e;
    for (int k = 0; k < 6; k++) {
        int n;
        const double *x;
        perp_matrix A;
        no_file(files_write(names[k], pointer), words);
        ck_assert_int_eq(perp_load_vector(files_path(names[k]), &a, &n, &x, &e), PERP_E_FILE);
        ck_assert_msg(strstr(e.text, words) != NULL, "%s", e.text);
        ck_assert_int_eq(perp_load_matrix(files_path(names[k]), &a, &A, &e), PERP_E_FILE);
        ck_assert_msg(strstr(e.text, words) != NULL, "%s", e.text);
    }
    for (int format = PERP_FILE_ANY; format <= PERP_FILE_MATRIX_MARKET; format++)
        load_bad(pointer, (perp_file_format)format, 0, words);
    ck_assert_uint_eq(a.used, 0);
    perp_arena_free(&a);
    files_clean();
}
END_TEST

/* What some editors put before a text. */
START_TEST(byte_order_mark)
{
    perp_arena a = {0};
    perp_problem p;
    perp_error e = {0};
    const char *path = files_write("marked.dat", "\xEF\xBB\xBF"
                                                 "1\n0\n1\n1\n1\t1\n2\n-1\n");
    ck_assert_msg(perp_load(path, &a, &p, &e) == PERP_SOLVED, "%s", e.text);
    ck_assert(p.kind == PERP_KIND_LCP && p.as.lcp.n == 1 && p.as.lcp.q[0] == -1);
    no_file(files_write("mark.dat", "\xEF\xBB\xBF"), "the file is empty");
    perp_arena_free(&a);
}
END_TEST

START_TEST(endings_choose_the_format)
{
    static const struct {
        const char *name;
        perp_file_format format;
    } cases[] = {{"a.perp", PERP_FILE_TEXT},
                 {"a.dat", PERP_FILE_SICONOS},
                 {"a.b.DAT", PERP_FILE_SICONOS},
                 {".dat", PERP_FILE_SICONOS}};
    perp_problem p = sample();
    perp_error e;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_arena a = {0};
        perp_file f;
        ck_assert_int_eq(perp_save(files_path(cases[k].name), PERP_FILE_ANY, &p, &e), PERP_SOLVED);
        ck_assert_int_eq(perp_load_file(files_path(cases[k].name), NULL, &a, &f, &e), PERP_SOLVED);
        ck_assert_int_eq(f.format, cases[k].format);
        ck_assert_str_eq(f.problem.name, cases[k].name);
        perp_arena_free(&a);
    }
    static const char *const bad[] = {"a", "a.", "a.da", "a.datt", "dat", "a.perp|dat", "x.perp/a"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        ck_assert_int_eq(perp_save(files_path(bad[k]), PERP_FILE_ANY, &p, &e), PERP_E_ARGUMENT);
        ck_assert_ptr_nonnull(strstr(e.text, "is no format that perp writes"));
    }
    files_clean();
}
END_TEST

START_TEST(what_cannot_be_written)
{
    perp_problem p = sample();
    perp_error e;
    ck_assert_int_eq(perp_save(files_path("no/a.dat"), PERP_FILE_ANY, &p, &e), PERP_E_FILE);
    ck_assert_ptr_nonnull(strstr(e.text, "No such file"));
    ck_assert_int_eq(perp_save(files_path("."), PERP_FILE_TEXT, &p, &e), PERP_E_FILE);
    ck_assert_ptr_nonnull(strstr(e.text, "directory"));
    if (access("/dev/full", W_OK) == 0) {
        ck_assert_int_eq(perp_save("/dev/full", PERP_FILE_TEXT, &p, &e), PERP_E_FILE);
        ck_assert_ptr_nonnull(strstr(e.text, "No space left"));
    }
    ck_assert_int_eq(perp_save("x", (perp_file_format)77, &p, &e), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_save("x", PERP_FILE_TEXT, NULL, NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_save(NULL, PERP_FILE_TEXT, &p, NULL), PERP_E_ARGUMENT);
    double bad[] = {NAN, 1};
    p.as.lcp.q = bad;
    ck_assert_int_eq(perp_save(files_path("a.dat"), PERP_FILE_ANY, &p, &e), PERP_E_NUMBER);
    perp_file f = {.format = PERP_FILE_TEXT, .problem = sample(), .solution = bad};
    ck_assert_int_eq(perp_save_file(files_path("a"), &f, &e), PERP_E_NUMBER);
    f = (perp_file){.format = PERP_FILE_TEXT, .problem = sample(), .constant = INFINITY};
    ck_assert_int_eq(perp_save_file(files_path("a"), &f, &e), PERP_E_NUMBER);
    ck_assert_int_ne(access(files_path("a.dat"), F_OK), 0);
    files_clean();
}
END_TEST

static bool eval(void *ctx, const double *z, double *F)
{
    (void)ctx;
    F[0] = z[0];
    return true;
}

START_TEST(code_is_not_written)
{
    perp_matrix dense = perp_dense(2, 2, M);
    perp_problem p = perp_make_lcp(2, as_operator(&dense), q);
    perp_error e;
    ck_assert_int_eq(perp_save(files_path("a.dat"), PERP_FILE_ANY, &p, &e), PERP_E_FORMAT);
    ck_assert_ptr_nonnull(strstr(e.text, "operator"));
    p = (perp_problem){.kind = PERP_KIND_NCP, .as.ncp.F = {.n = 1, .eval = eval}};
    ck_assert_int_eq(perp_save(files_path("a.perp"), PERP_FILE_ANY, &p, &e), PERP_E_FORMAT);
    ck_assert_ptr_nonnull(strstr(e.text, "callback"));
    p = (perp_problem){.kind = PERP_KIND_MCP, .as.mcp.F = {.n = 1, .eval = eval}};
    ck_assert_int_eq(perp_save(files_path("a.perp"), PERP_FILE_ANY, &p, &e), PERP_E_FORMAT);
    files_clean();
}
END_TEST

/* Through standard output and standard input. */
START_TEST(dash_is_standard_output_and_input)
{
    perp_problem p = sample();
    perp_error e;
    perp_arena a = {0};
    perp_file f;
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    fflush(stdout);
    int saved = dup(1), saved_in = dup(0);
    dup2(fileno(file), 1);
    perp_status status = perp_save("-", PERP_FILE_TEXT, &p, &e);
    dup2(saved, 1);
    close(saved);
    ck_assert_int_eq(status, PERP_SOLVED);
    lseek(fileno(file), 0, SEEK_SET);
    dup2(fileno(file), 0);
    ck_assert_int_eq(perp_load_file("-", NULL, &a, &f, &e), PERP_SOLVED);
    dup2(saved_in, 0);
    close(saved_in);
    fclose(file);
    ck_assert_int_eq(f.problem.as.lcp.n, 2);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("formats");
    TCase *t = tcase_create("formats");
    tcase_add_test(t, names_and_kinds);
    tcase_add_test(t, what_cannot_be_read);
    tcase_add_test(t, kind_asked_for);
    tcase_add_test(t, layout_of_another_format);
    tcase_add_test(t, pointer_files);
    tcase_add_test(t, byte_order_mark);
    tcase_add_test(t, endings_choose_the_format);
    tcase_add_test(t, what_cannot_be_written);
    tcase_add_test(t, code_is_not_written);
    tcase_add_test(t, dash_is_standard_output_and_input);
    suite_add_tcase(s, t);
    return support_run(s);
}
