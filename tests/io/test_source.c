/* tests/io/test_source.c: whole files, pipes, and what is neither. */
#include "files.h"
#include "io/io.h"
#include "support.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST ((size_t)1 << 30)

static void reads(const char *path, const char *expected)
{
    perp_arena a = {0};
    perp_error e;
    const char *bytes;
    size_t length;
    perp_status status = perp_read_whole(path, MOST, NULL, &a, &bytes, &length, &e);
    ck_assert_msg(status == PERP_SOLVED, "%s", e.text);
    ck_assert_uint_eq(length, strlen(expected));
    ck_assert_str_eq(bytes, expected); /* the 0 behind it too */
    perp_arena_free(&a);
}

static void refused(const char *path, size_t most, const char *words)
{
    perp_arena a = {0};
    perp_error e;
    const char *bytes;
    size_t length;
    ck_assert_int_eq(perp_read_whole(path, most, NULL, &a, &bytes, &length, &e), PERP_E_FILE);
    ck_assert_msg(strstr(e.text, words) != NULL, "%s", e.text);
    perp_arena_free(&a);
}

START_TEST(files)
{
    reads(files_write("some", "one\ntwo"), "one\ntwo");
    reads(files_write("none", ""), "");
    refused(files_write("limit", "12345"), 4, "longer than the limit of 4 bytes");
    refused(files_path("missing"), MOST, "cannot open: No such file");
    refused(files_path("."), MOST, "directory");
    if (geteuid() != 0) {
        chmod(files_write("closed", "x"), 0);
        refused(files_path("closed"), MOST, "Permission denied");
    }
    files_clean();
}
END_TEST

/* Standard input is a pipe: no size is known, and blocks have to grow. */
static void with_input(const char *text, size_t most, const char *words)
{
    int ends[2], saved = dup(0);
    FILE *f = tmpfile();
    ck_assert(f && pipe(ends) == 0);
    fputs(text, f);
    fflush(f);
    close(ends[1]);
    if (strlen(text) < 60000) { /* a real pipe where it holds the text */
        int pair[2];
        ck_assert_int_eq(pipe(pair), 0);
        ck_assert_int_eq(write(pair[1], text, strlen(text)), (ssize_t)strlen(text));
        close(pair[1]);
        dup2(pair[0], 0);
        close(pair[0]);
    } else {
        rewind(f);
        dup2(fileno(f), 0);
        lseek(0, 0, SEEK_SET);
    }
    if (words)
        refused("-", most, words);
    else
        reads("-", text);
    dup2(saved, 0);
    close(saved);
    close(ends[0]);
    fclose(f);
}

START_TEST(standard_input)
{
    with_input("1 2 3", MOST, NULL);
    with_input("", MOST, NULL);
    with_input("123456", 5, "longer than the limit");
    enum { N = 500000 };
    char *text = malloc(N + 1);
    ck_assert_ptr_nonnull(text);
    for (int k = 0; k < N; k++) text[k] = (char)('a' + k % 26);
    text[N] = '\0';
    with_input(text, MOST, NULL);
    free(text);
}
END_TEST

/* /proc has files that say they are empty; blocks have to double there. */
START_TEST(files_without_a_size)
{
    perp_arena a = {0};
    perp_error e;
    const char *bytes;
    size_t length;
    if (access("/proc/self/maps", R_OK)) {
        printf("skipped: there is no /proc\n");
        return;
    }
    ck_assert_int_eq(perp_read_whole("/proc/self/maps", MOST, NULL, &a, &bytes, &length, &e), 0);
    ck_assert_uint_gt(length, 100);
    ck_assert_int_eq(bytes[length], 0);
    perp_arena_free(&a);
    if (access("/dev/zero", R_OK) == 0) refused("/dev/zero", 1 << 20, "longer than the limit");
}
END_TEST

START_TEST(no_memory)
{
    supply s = {.left = 0};
    perp_arena a = {.resize = scarce, .ctx = &s};
    perp_error e;
    const char *bytes;
    size_t length;
    ck_assert_int_eq(perp_read_whole(files_write("x", "1"), MOST, NULL, &a, &bytes, &length, &e),
                     PERP_E_MEMORY);
    files_clean();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("source");
    TCase *t = tcase_create("source");
    tcase_add_test(t, files);
    tcase_add_test(t, standard_input);
    tcase_add_test(t, files_without_a_size);
    tcase_add_test(t, no_memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
