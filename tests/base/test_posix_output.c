/* tests/base/test_posix_output.c: a file is whole or not there when the process is killed, the disk
 * fails or is full, and it is on the disk before it has its name.
 *
 * fsync() and rename() are defined here, in front of those of the C library: they note the order in
 * which they are called, and fail when a test says so. */
#define _GNU_SOURCE /* syscall, F_SETPIPE_SZ */
#include "base/system.h"
#include "files.h"
#include "support.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char order[32]; /* f: a file was synced, r: renamed, d: a folder was synced */
static int fail_fsync, fail_rename;

int fsync(int file)
{
    struct stat s;
    bool folder = fstat(file, &s) == 0 && S_ISDIR(s.st_mode);
    strncat(order, folder ? "d" : "f", sizeof order - strlen(order) - 1);
    if (!folder && fail_fsync) {
        errno = fail_fsync;
        return -1;
    }
    return (int)syscall(SYS_fsync, file);
}

int rename(const char *from, const char *to)
{
    strncat(order, "r", sizeof order - strlen(order) - 1);
    if (fail_rename) {
        errno = fail_rename;
        return -1;
    }
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

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

static bool write_file(const char *path, const char *bytes, size_t length, bool keep)
{
    perp_output o;
    if (!perp_output_open(&o, path)) return false;
    bool good = perp_output_write(&o, bytes, length);
    int error = errno;
    bool closed = perp_output_close(&o, keep && good);
    if (!good) errno = error;
    return good && closed;
}

/* The content is on the disk before the name points at it, and the name before the call returns. */
START_TEST(it_is_on_the_disk_before_it_has_its_name)
{
    char path[300];
    strcpy(path, files_write("out", "old"));
    order[0] = 0;
    ck_assert(write_file(path, "new", 3, true));
    ck_assert_str_eq(order, "frd");
    check_content(path, "new");
    order[0] = 0;
    ck_assert(write_file(path, "other", 5, false));
    ck_assert_str_eq(order, "");
    check_content(path, "new");
    char here[1024];
    ck_assert(getcwd(here, sizeof here) && chdir(files_path(".")) == 0);
    ck_assert(write_file("plain", "x", 1, true)); /* its folder is "." */
    ck_assert_int_eq(chdir(here), 0);
    ck_assert_str_eq(order, "frd");
    files_clean();
}
END_TEST

START_TEST(a_disk_that_fails_leaves_the_old_file)
{
    char path[300];
    strcpy(path, files_write("out", "old"));
    fail_fsync = EIO;
    ck_assert(!write_file(path, "new", 3, true) && errno == EIO);
    fail_fsync = 0;
    check_content(path, "old");
    fail_rename = ENOSPC;
    ck_assert(!write_file(path, "new", 3, true) && errno == ENOSPC);
    fail_rename = 0;
    check_content(path, "old");
    ck_assert_int_eq(count_files(), 1);
    fail_fsync = EINVAL; /* a file system without it */
    ck_assert(write_file(path, "new", 3, true));
    fail_fsync = 0;
    check_content(path, "new");
    files_clean();
}
END_TEST

/* In a child: 0, or what was wrong. */
static int write_under_limit(const char *path)
{
    static char bytes[100000];
    sigset_t pending;
    signal(SIGXFSZ, SIG_DFL);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){5000, 5000});
    if (write_file(path, bytes, sizeof bytes, true)) return 1;
    if (errno != EFBIG) return 2;
    sigpending(&pending);
    return sigismember(&pending, SIGXFSZ) ? 3 : 0;
}

static int write_to_closed_pipe(void)
{
    int ends[2];
    perp_output o;
    sigset_t mask, pending;
    signal(SIGPIPE, SIG_DFL);
    if (pipe(ends) || dup2(ends[1], 1) < 0) return 1;
    close(ends[0]);
    if (!perp_output_open(&o, NULL) || perp_output_write(&o, "x", 1)) return 2;
    if (errno != EPIPE) return 3;
    sigprocmask(SIG_SETMASK, NULL, &mask);
    if (sigismember(&mask, SIGPIPE)) return 4;
    sigaddset(&mask, SIGPIPE); /* one of the caller's own stays pending */
    sigprocmask(SIG_SETMASK, &mask, NULL);
    raise(SIGPIPE);
    if (perp_output_write(&o, "x", 1)) return 5;
    sigpending(&pending);
    return sigismember(&pending, SIGPIPE) ? 0 : 6;
}

static int status_of(pid_t child)
{
    int status = -1;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return status;
}

START_TEST(a_limit_is_an_error_and_no_signal)
{
    char path[300];
    strcpy(path, files_write("out", "old"));
    pid_t child = fork();
    if (child == 0) _exit(write_under_limit(path));
    ck_assert_int_eq(status_of(child), 0);
    check_content(path, "old");
    ck_assert_int_eq(count_files(), 1);
    child = fork();
    if (child == 0) _exit(write_to_closed_pipe());
    ck_assert_int_eq(status_of(child), 0);
    files_clean();
}
END_TEST

enum { LENGTH = 200000, PIECE = 10000, KILLS = 200 };

/* One letter LENGTH times, then the next, again and again, until it is killed. */
static void write_for_ever(const char *path, int first)
{
    static char bytes[PIECE];
    for (int k = first;; k++) {
        perp_output o;
        memset(bytes, 'a' + k % 26, sizeof bytes);
        if (!perp_output_open(&o, path)) _exit(1);
        for (int part = 0; part < LENGTH / PIECE; part++) {
            if (!perp_output_write(&o, bytes, sizeof bytes)) _exit(2);
        }
        if (!perp_output_close(&o, true)) _exit(3);
    }
}

START_TEST(killed_at_any_moment_it_leaves_a_whole_file)
{
    unsigned random = 12345;
    int letters[256] = {0};
    char path[300];
    strcpy(path, files_write("out", ""));
    for (int k = 0; k < KILLS; k++) {
        pid_t child = fork();
        if (child == 0) write_for_ever(path, k);
        random = random * 1664525u + 1013904223u;
        nanosleep(&(struct timespec){.tv_nsec = (long)(random >> 8) % 8000000}, NULL);
        kill(child, SIGKILL);
        int status = status_of(child);
        ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "%d", status);
        size_t length;
        char *text = files_read(path, &length);
        if (length) {
            ck_assert_uint_eq(length, LENGTH);
            ck_assert_int_eq(memcmp(text, text + 1, length - 1), 0);
            letters[(unsigned char)text[0]]++;
        }
        free(text);
    }
    int seen = 0;
    for (int k = 0; k < 256; k++) seen += letters[k] > 0;
    ck_assert_int_ge(seen, 2); /* files were replaced meanwhile */
    files_clean();
}
END_TEST

START_TEST(what_to_do_is_said)
{
    ck_assert_ptr_nonnull(strstr(perp_output_remedy(ENOSPC), "; free some space"));
    ck_assert_ptr_nonnull(strstr(perp_output_remedy(EFBIG), "ulimit -f"));
    ck_assert_ptr_nonnull(strstr(perp_output_remedy(ENOENT), "folder"));
    ck_assert_str_eq(perp_output_remedy(0), "");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("posix_output");
    TCase *t = tcase_create("posix_output");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, it_is_on_the_disk_before_it_has_its_name);
    tcase_add_test(t, a_disk_that_fails_leaves_the_old_file);
    tcase_add_test(t, a_limit_is_an_error_and_no_signal);
    tcase_add_test(t, killed_at_any_moment_it_leaves_a_whole_file);
    tcase_add_test(t, what_to_do_is_said);
    suite_add_tcase(s, t);
    return support_run(s);
}
