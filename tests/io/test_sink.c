/* tests/io/test_sink.c: a file is whole or not there, whatever happens while it is written. */
#include "files.h"
#include "io/io.h"
#include "support.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int count_files(void)
{
    int count = 0;
    DIR *d = opendir(files_path("."));
    ck_assert_ptr_nonnull(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;) count += e->d_name[0] != '.';
    closedir(d);
    return count;
}

static void check_content(const char *path, const char *expected)
{
    size_t length;
    char *text = files_read(path, &length);
    ck_assert_str_eq(text, expected);
    free(text);
}

START_TEST(what_is_written_arrives)
{
    perp_arena a = {0};
    perp_error e;
    perp_sink *s = perp_sink_open(files_path("out"), &a, &e);
    ck_assert_ptr_nonnull(s);
    ck_assert_int_eq(count_files(), 1);
    ck_assert_int_ne(access(files_path("out"), F_OK), 0); /* not under its name yet */
    perp_sink_text(s, "%s %d\n", "word", 7);
    perp_sink_int(s, -12);
    perp_sink_bytes(s, " ", 1);
    perp_sink_real(s, 0.1);
    ck_assert_int_eq(perp_sink_close(s, true), PERP_SOLVED);
    check_content(files_path("out"), "word 7\n-12 0.1");
    ck_assert_int_eq(count_files(), 1);

    s = perp_sink_open(files_path("out"), &a, &e);
    perp_sink_text(s, "half");
    ck_assert_int_eq(perp_sink_close(s, false), PERP_SOLVED);
    check_content(files_path("out"), "word 7\n-12 0.1"); /* the old one stays */
    ck_assert_int_eq(count_files(), 1);
    perp_arena_free(&a);
    files_clean();
}
END_TEST

START_TEST(long_output_is_not_broken_by_the_buffer)
{
    perp_arena a = {0};
    perp_error e;
    size_t length;
    enum { N = 300000 };
    static char long_text[N];
    memset(long_text, 'x', N);
    perp_sink *s = perp_sink_open(files_path("long"), &a, &e);
    for (int k = 0; k < 30000; k++) perp_sink_text(s, "%09d\n", k);
    perp_sink_bytes(s, long_text, N);
    ck_assert_int_eq(perp_sink_close(s, true), PERP_SOLVED);
    char *text = files_read(files_path("long"), &length);
    ck_assert_uint_eq(length, 300000 + N);
    for (int k = 0; k < 30000; k++) ck_assert_int_eq(atoi(text + 10 * k), k);
    ck_assert(memcmp(text + 300000, long_text, N) == 0);
    free(text);
    perp_arena_free(&a);
    files_clean();
}
END_TEST

START_TEST(modes_and_links_are_kept)
{
    perp_arena a = {0};
    perp_error e;
    struct stat st;
    char target[200], link[200];
    strcpy(target, files_write("target", "old"));
    strcpy(link, files_path("link"));
    ck_assert_int_eq(chmod(target, 0640), 0);
    ck_assert_int_eq(symlink("target", link), 0);
    perp_sink *s = perp_sink_open(link, &a, &e);
    ck_assert_ptr_nonnull(s);
    perp_sink_text(s, "new");
    ck_assert_int_eq(perp_sink_close(s, true), PERP_SOLVED);
    check_content(target, "new");
    ck_assert(lstat(link, &st) == 0 && S_ISLNK(st.st_mode));
    ck_assert(stat(target, &st) == 0 && (st.st_mode & 0777) == 0640);
    perp_arena_free(&a);
    files_clean();
}
END_TEST

static void refused(const char *path, const char *words)
{
    perp_arena a = {0};
    perp_error e = {0};
    ck_assert_ptr_null(perp_sink_open(path, &a, &e));
    ck_assert_int_eq(e.status, PERP_E_FILE);
    ck_assert_msg(strstr(e.text, words) != NULL, "%s", e.text);
    perp_arena_free(&a);
}

START_TEST(what_cannot_be_opened_is_said)
{
    char path[200];
    files_path("x");
    refused(files_path("."), "directory");
    refused(files_path("no/such/place"), "No such file");
    strcpy(path, files_write("file", "old"));
    strcat(path, "/below");
    refused(path, "Not a directory");
    if (geteuid() == 0) {
        printf("skipped: nothing is forbidden to root\n");
    } else {
        ck_assert_int_eq(chmod(files_path("file"), 0400), 0);
        refused(files_path("file"), "Permission denied");
    }
    files_clean();
}
END_TEST

START_TEST(a_full_disk_is_said)
{
    if (access("/dev/full", W_OK)) {
        printf("skipped: there is no /dev/full\n");
        return;
    }
    perp_arena a = {0};
    perp_error e = {0};
    perp_sink *s = perp_sink_open("/dev/full", &a, &e);
    ck_assert_ptr_nonnull(s);
    for (int k = 0; k < 100000; k++) perp_sink_real(s, 0.1);
    ck_assert_int_eq(perp_sink_close(s, true), PERP_E_FILE);
    ck_assert_msg(strstr(e.text, "No space left") != NULL, "%s", e.text);
    struct stat st;
    ck_assert(stat("/dev/full", &st) == 0 && S_ISCHR(st.st_mode));
    perp_arena_free(&a);
}
END_TEST

START_TEST(no_memory_is_said)
{
    for (int left = 0; left < 2; left++) {
        supply supplied = {.left = left};
        perp_arena a = {.resize = scarce, .ctx = &supplied};
        perp_error e = {0};
        ck_assert_ptr_null(perp_sink_open(files_path("x"), &a, &e));
        ck_assert_int_eq(e.status, PERP_E_MEMORY);
        ck_assert_int_eq(count_files(), 0);
        perp_arena_free(&a);
    }
    files_clean();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sink");
    TCase *t = tcase_create("sink");
    tcase_add_test(t, what_is_written_arrives);
    tcase_add_test(t, long_output_is_not_broken_by_the_buffer);
    tcase_add_test(t, modes_and_links_are_kept);
    tcase_add_test(t, what_cannot_be_opened_is_said);
    tcase_add_test(t, a_full_disk_is_said);
    tcase_add_test(t, no_memory_is_said);
    suite_add_tcase(s, t);
    return support_run(s);
}
