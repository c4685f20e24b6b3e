/* test_cli_csv.c: records, quotes, what a kill leaves, and files that are whole or not there. */
#include "compare_support.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int read_one(char *text, const char **field)
{
    cli_csv r = cli_csv_open(text, strlen(text));
    return cli_csv_next(&r, 8, field);
}

START_TEST(fields_and_quotes)
{
    const char *f[8];
    char plain[] = "a,,b c\n";
    ck_assert_int_eq(read_one(plain, f), 3);
    ck_assert_str_eq(f[0], "a");
    ck_assert_str_eq(f[1], "");
    ck_assert_str_eq(f[2], "b c");
    char quoted[] = "\"x,\"\"y\"\"\n z\",\"\",2\r\n";
    ck_assert_int_eq(read_one(quoted, f), 3);
    ck_assert_str_eq(f[0], "x,\"y\"\n z");
    ck_assert_str_eq(f[1], "");
    ck_assert_str_eq(f[2], "2");
}
END_TEST

START_TEST(records_and_lines)
{
    char text[] = "a,b\n\"1\n2\",3\nlast\n";
    const char *f[2];
    cli_csv r = cli_csv_open(text, strlen(text));
    ck_assert_int_eq(cli_csv_next(&r, 2, f), 2);
    ck_assert_int_eq(r.line, 1);
    ck_assert_int_eq(cli_csv_next(&r, 2, f), 2);
    ck_assert_int_eq(r.line, 2);
    ck_assert_int_eq(cli_csv_next(&r, 2, f), 1);
    ck_assert_int_eq(r.line, 4);
    ck_assert_str_eq(f[0], "last");
    ck_assert_int_eq(cli_csv_next(&r, 2, f), CLI_CSV_END);
    char many[] = "1,2,3\n";
    r = cli_csv_open(many, strlen(many));
    ck_assert_int_eq(cli_csv_next(&r, 2, f), 3); /* counted, not stored */
}
END_TEST

START_TEST(what_is_cut_and_what_is_bad)
{
    const char *f[8];
    static const char *const cut[] = {"a,b", "a,\"b", "a,\"b\"", "a,b\r", "\"", ","};
    static const char *const bad[] = {"a\"b\n", "\"a\"b\n", "a\rb\n", "\"a\"\"\"b,\n"};
    for (size_t k = 0; k < sizeof cut / sizeof cut[0]; k++) {
        char text[20];
        snprintf(text, sizeof text, "%s", cut[k]);
        ck_assert_msg(read_one(text, f) == CLI_CSV_CUT, "'%s'", cut[k]);
    }
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        char text[20];
        snprintf(text, sizeof text, "%s", bad[k]);
        ck_assert_msg(read_one(text, f) == CLI_CSV_BAD, "'%s'", bad[k]);
    }
    char zero[] = "a\0b\n";
    cli_csv r = cli_csv_open(zero, 4);
    ck_assert_int_eq(cli_csv_next(&r, 8, f), CLI_CSV_BAD);
    char zero_quoted[] = "\"a\0b\"\n";
    r = cli_csv_open(zero_quoted, 6);
    ck_assert_int_eq(cli_csv_next(&r, 8, f), CLI_CSV_BAD);
}
END_TEST

/* Any text written by cli_csv_text reads back. */
START_TEST(writing_and_reading_agree)
{
    static const char letters[] = "ab,\"\n\r 1";
    generator g = generator_start(7);
    for (int trial = 0; trial < 2000; trial++) {
        char word[3][9];
        char *text;
        const char *f[4];
        for (int k = 0; k < 3; k++) {
            int length = generator_below(&g, 8);
            for (int i = 0; i < length; i++)
                word[k][i] = letters[generator_below(&g, (int)sizeof letters - 1)];
            word[k][length] = 0;
        }
        PRINTED(text, out, {
            for (int k = 0; k < 3; k++) {
                if (k) fputc(',', out);
                cli_csv_text(out, word[k]);
            }
            fputc('\n', out);
        });
        ck_assert_int_eq(read_one(text, f), 3);
        for (int k = 0; k < 3; k++) ck_assert_str_eq(f[k], word[k]);
        free(text);
    }
}
END_TEST

START_TEST(files_whole_or_not_there)
{
    cli *c = begin();
    size_t length;
    const char *path = file_path("sink");
    cli_sink s;
    ck_assert(cli_sink_open(c, path, &s));
    fputs("hello", s.file);
    fflush(s.file);
    ck_assert_ptr_null(cli_read_all(&c->arena, path, &length)); /* not under its name yet */
    ck_assert_int_eq(errno, ENOENT);
    ck_assert(cli_sink_close(c, &s));
    ck_assert_str_eq(cli_read_all(&c->arena, path, &length), "hello");
    ck_assert_uint_eq(length, 5);
    ck_assert_int_eq(access(s.out.temporary, F_OK), -1);
    ck_assert(!cli_sink_open(c, "/nowhere/at/all", &s));
    ck_assert_ptr_null(cli_read_all(&c->arena, "/", &length));
    ck_assert_int_eq(errno, EISDIR);
    ck_assert_ptr_null(cli_read_all(&c->arena, "/dev/null", &length));
    cli_end();
    ck_assert_ptr_nonnull(strstr(call_err, "/nowhere/at/all: cannot be written: "));
}
END_TEST

START_TEST(what_is_no_file_is_not_replaced)
{
    cli *c = begin();
    cli_sink s;
    size_t length;
    struct stat device;
    ck_assert(cli_is_stream("-") && cli_is_stream("/dev/null") && !cli_is_stream("/nowhere"));
    ck_assert(cli_sink_open(c, "/dev/null", &s) && cli_sink_close(c, &s));
    ck_assert(stat("/dev/null", &device) == 0 && S_ISCHR(device.st_mode));
    ck_assert(cli_sink_open(c, "-", &s) && fputs("printed", s.file) >= 0);
    ck_assert(cli_sink_close(c, &s));
    char behind[300], link[300];
    snprintf(behind, sizeof behind, "%s", file_make("behind", "old"));
    snprintf(link, sizeof link, "%s", file_path("link"));
    ck_assert_int_eq(symlink(behind, link), 0);
    ck_assert(cli_sink_open(c, link, &s) && fputs("new", s.file) >= 0);
    ck_assert(cli_sink_close(c, &s));
    ck_assert_str_eq(cli_read_all(&c->arena, behind, &length), "new");
    ck_assert(lstat(link, &device) == 0 && S_ISLNK(device.st_mode));
    cli_end();
    ck_assert_str_eq(call_out, "printed");
}
END_TEST

START_TEST(a_full_disk_leaves_the_old_file)
{
    cli *c = begin();
    if (access("/dev/full", W_OK) == 0) {
        const char *path = file_make("kept", "old");
        size_t length;
        cli_sink s;
        ck_assert(cli_sink_open(c, path, &s));
        ck_assert_ptr_nonnull(freopen("/dev/full", "w", s.file));
        fputs("new", s.file);
        ck_assert(!cli_sink_close(c, &s));
        ck_assert_str_eq(cli_read_all(&c->arena, path, &length), "old");
        ck_assert_int_eq(access(s.out.temporary, F_OK), -1);
    }
    cli_end();
}
END_TEST

/* In a child: what is larger than a file may be is refused at the end, with the reason, however
 * long ago the write failed. */
static int write_too_much(const char *path)
{
    cli *c = begin();
    cli_sink s;
    signal(SIGXFSZ, SIG_IGN); /* as cli_main does */
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){5000, 5000});
    if (!cli_sink_open(c, path, &s)) return 1;
    for (int k = 0; k < 20000; k++) fputs("0123456789", s.file);
    errno = 0;
    if (cli_sink_close(c, &s)) return 2;
    if (access(s.out.temporary, F_OK) == 0) return 3;
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY});
    cli_end();
    return strstr(call_err, "File too large; raise the limit") ? 0 : 4;
}

START_TEST(a_limit_leaves_the_old_file)
{
    int status;
    char path[300];
    snprintf(path, sizeof path, "%s", file_make("kept", "old"));
    pid_t child = fork();
    if (child == 0) _exit(write_too_much(path));
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    char *text = file_read(path);
    ck_assert_str_eq(text, "old");
    free(text);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_csv");
    TCase *t = tcase_create("cli_csv");
    tcase_add_test(t, fields_and_quotes);
    tcase_add_test(t, records_and_lines);
    tcase_add_test(t, what_is_cut_and_what_is_bad);
    tcase_add_test(t, writing_and_reading_agree);
    tcase_add_test(t, files_whole_or_not_there);
    tcase_add_test(t, what_is_no_file_is_not_replaced);
    tcase_add_test(t, a_full_disk_leaves_the_old_file);
    tcase_add_test(t, a_limit_leaves_the_old_file);
    suite_add_tcase(s, t);
    int status = support_run(s);
    files_remove();
    call_free();
    return status;
}
