/* tests/io/test_source.c: whole files, pipes, and what is neither. */
#include "files.h"
#include "io/io.h"
#include "support.h"

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
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

/* ---- streams without an end, and other names that are no files ---- */

static perp_status no_vowel_first(const char *bytes, size_t length, perp_error *e)
{
    ck_assert_uint_ge(length, 1 << 20);
    ck_assert_int_eq(bytes[length], 0);
    return strchr("aeiou", bytes[0]) ? perp_refuse(e, PERP_E_FILE, "a vowel") : PERP_SOLVED;
}

/* A child that writes this letter to the pipe until it is killed; returns the end to read from. */
static pid_t write_for_ever(char letter, int *input)
{
    int ends[2];
    static char block[4096];
    memset(block, letter, sizeof block);
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGPIPE, SIG_DFL);
        close(ends[0]);
        while (write(ends[1], block, sizeof block) > 0) continue;
        _exit(0);
    }
    close(ends[1]);
    *input = ends[0];
    return child;
}

static void refuse_endless(char letter, const char *words, size_t bytes)
{
    int input, saved = dup(0);
    perp_arena a = {0};
    perp_error e;
    const char *read_bytes;
    size_t length;
    pid_t child = write_for_ever(letter, &input);
    dup2(input, 0);
    close(input);
    ck_assert_int_eq(perp_read_whole("-", 0, no_vowel_first, &a, &read_bytes, &length, &e),
                     PERP_E_FILE);
    ck_assert_msg(strstr(e.text, words) != NULL, "%s", e.text);
    ck_assert_uint_lt(a.peak, bytes);
    dup2(saved, 0);
    close(saved);
    waitpid(child, NULL, 0);
    perp_arena_free(&a);
}

/* Something else ends after a megabyte, what begins well at the limit of streams. */
START_TEST(endless_streams)
{
    refuse_endless('a', "a vowel", (size_t)8 << 20);
    refuse_endless('b', "limit of 268435456 bytes; save it as a file", 3 * PERP_STREAM_LIMIT);
}
END_TEST

/* A long file is looked at before memory for all of it is asked for. */
START_TEST(long_files_are_looked_at)
{
    char path[300];
    strcpy(path, files_write("long", "e"));
    ck_assert_int_eq(truncate(path, (off_t)1 << 33), 0); /* 8 GiB that take no room */
    perp_arena a = {0};
    perp_error e;
    const char *bytes;
    size_t length;
    ck_assert_int_eq(perp_read_whole(path, 0, no_vowel_first, &a, &bytes, &length, &e),
                     PERP_E_FILE);
    ck_assert_str_eq(e.text, "a vowel");
    ck_assert_uint_lt(a.peak, 8 << 20);
    perp_arena_free(&a);
    files_clean();
}
END_TEST

/* The owner of a pipe may have made it non-blocking: more is waited for. */
START_TEST(streams_that_do_not_block)
{
    int ends[2], saved = dup(0);
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        for (int k = 0; k < 3; k++) {
            nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
            if (write(ends[1], "12 ", 3) != 3) _exit(1);
        }
        _exit(0);
    }
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    dup2(ends[0], 0);
    close(ends[0]);
    reads("-", "12 12 12 ");
    dup2(saved, 0);
    close(saved);
    waitpid(child, NULL, 0);
}
END_TEST

START_TEST(pipes_and_links_with_names)
{
    char fifo[300], link[300];
    strcpy(fifo, files_path("fifo"));
    ck_assert_int_eq(mkfifo(fifo, 0600), 0);
    pid_t child = fork();
    if (child == 0) {
        int out = open(fifo, O_WRONLY);
        _exit(write(out, "1 2", 3) != 3);
    }
    reads(fifo, "1 2");
    waitpid(child, NULL, 0);
    strcpy(link, files_path("loop"));
    ck_assert_int_eq(symlink("loop", link), 0);
    refused(link, MOST, "cannot open: Too many levels of symbolic links");
    strcpy(link, files_path("folder"));
    ck_assert_int_eq(symlink("/", link), 0);
    refused(link, MOST, "directory");
    files_clean();
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
    tcase_set_timeout(t, 60);
    tcase_add_test(t, files);
    tcase_add_test(t, standard_input);
    tcase_add_test(t, files_without_a_size);
    tcase_add_test(t, endless_streams);
    tcase_add_test(t, long_files_are_looked_at);
    tcase_add_test(t, streams_that_do_not_block);
    tcase_add_test(t, pipes_and_links_with_names);
    tcase_add_test(t, no_memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
