/* tests/base/test_posix.c: clock, threads, files, programs and sockets, each as system.h has it. */
#include "base/system.h"
#include "files.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LENGTH 3000000 /* more than a socket holds at a time */

static char out[LENGTH], in[LENGTH];

START_TEST(the_clock_goes_forward)
{
    double start = perp_now(), last = start;
    while (last - start < 0.01) {
        double now = perp_now();
        ck_assert_double_ge(now, last);
        last = now;
    }
}
END_TEST

static void *count_up(void *number)
{
    perp_thread_yield();
    ++*(int *)number;
    return NULL;
}

START_TEST(threads_are_waited_for)
{
    enum { THREADS = 8 };
    perp_thread thread[THREADS];
    int number[THREADS] = {0};
    for (int k = 0; k < THREADS; k++)
        ck_assert(perp_thread_start(&thread[k], count_up, &number[k]));
    for (int k = 0; k < THREADS; k++) perp_thread_join(&thread[k]);
    for (int k = 0; k < THREADS; k++) ck_assert_int_eq(number[k], 1);
}
END_TEST

/* ---- files ---- */

START_TEST(files_are_read)
{
    char block[8] = "";
    bool directory = true;
    uint64_t size = 0;
    int f = perp_input_open(files_write("some", "12345"));
    ck_assert_int_gt(f, 2);
    ck_assert(fcntl(f, F_GETFD) & FD_CLOEXEC);
    ck_assert(perp_input_look(f, &directory, &size) && !directory && size == 5);
    ck_assert_int_eq(perp_input_read(f, block, 3), 3);
    ck_assert_int_eq(perp_input_read(f, block + 3, 5), 2);
    ck_assert_str_eq(block, "12345");
    ck_assert_int_eq(perp_input_read(f, block, 8), 0);
    perp_input_close(f);
    ck_assert_int_lt(fcntl(f, F_GETFD), 0);
    ck_assert(!perp_input_look(f, &directory, &size));
    ck_assert_int_eq(perp_input_read(f, block, 8), -1);

    f = perp_input_open(files_path("."));
    ck_assert(perp_input_look(f, &directory, &size) && directory && size == 0);
    perp_input_close(f);
    ck_assert_int_eq(perp_input_open(files_path("missing")), -1);
    ck_assert_int_eq(errno, ENOENT);
    f = perp_input_open(NULL);
    perp_input_close(f); /* and is still there */
    ck_assert_int_ge(fcntl(f, F_GETFD), 0);
    files_clean();
}
END_TEST

/* Pipes come in pieces and have no size. */
START_TEST(pipes_are_read)
{
    int ends[2];
    char block[8] = "";
    bool directory = true;
    uint64_t size = 7;
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        for (int k = 0; k < 4; k++) {
            if (write(ends[1], &"abcd"[k], 1) != 1) _exit(1);
            nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        }
        _exit(0);
    }
    close(ends[1]);
    ck_assert(perp_input_look(ends[0], &directory, &size) && !directory && size == 0);
    ck_assert_int_eq(perp_input_read(ends[0], block, sizeof block), 4);
    ck_assert_str_eq(block, "abcd");
    perp_input_close(ends[0]);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
}
END_TEST

static void holds(const char *path, const char *expected)
{
    size_t length;
    char *text = files_read(path, &length);
    ck_assert_str_eq(text, expected);
    free(text);
}

START_TEST(files_are_whole_or_not_there)
{
    perp_output o;
    char target[200];
    strcpy(target, files_path("target"));
    ck_assert(perp_output_open(&o, target));
    ck_assert_int_ne(access(target, F_OK), 0);
    ck_assert_int_eq(access(o.temporary, F_OK), 0);
    ck_assert(perp_output_write(&o, "new", 3) && perp_output_close(&o, true));
    holds(target, "new");
    ck_assert_int_ne(access(o.temporary, F_OK), 0);

    ck_assert_int_eq(chmod(target, 0640), 0);
    ck_assert(perp_output_open(&o, target));
    ck_assert(perp_output_write(&o, "other", 5) && perp_output_close(&o, false));
    holds(target, "new");
    ck_assert_int_ne(access(o.temporary, F_OK), 0);

    struct stat s;
    ck_assert_int_eq(symlink("target", files_path("link")), 0);
    ck_assert(perp_output_open(&o, files_path("link")));
    ck_assert(perp_output_write(&o, "third", 5) && perp_output_close(&o, true));
    holds(target, "third");
    ck_assert(stat(target, &s) == 0 && (s.st_mode & 0777) == 0640);
    ck_assert(lstat(files_path("link"), &s) == 0 && S_ISLNK(s.st_mode));
    files_clean();
}
END_TEST

START_TEST(what_cannot_be_written)
{
    perp_output o;
    static char name[PERP_PATH + 10];
    memset(name, 'x', sizeof name - 1);
    for (int cut = 0; cut < 20; cut += 12) { /* too long itself, and with the ending of another */
        name[PERP_PATH + 2 - cut] = '\0';
        ck_assert(!perp_output_open(&o, name));
        ck_assert_int_eq(errno, ENAMETOOLONG);
    }
    ck_assert(!perp_output_open(&o, files_path(".")));
    ck_assert_int_eq(errno, EISDIR);
    ck_assert(perp_output_open(&o, files_path("gone")));
    ck_assert_int_eq(unlink(o.temporary), 0);
    ck_assert(!perp_output_close(&o, true));
    ck_assert_int_eq(errno, ENOENT);
    ck_assert(perp_output_open(&o, NULL) && o.temporary[0] == '\0');
    ck_assert(perp_output_close(&o, true));
    ck_assert_int_ge(fcntl(STDOUT_FILENO, F_GETFD), 0);
    files_clean();
}
END_TEST

/* ---- programs ---- */

START_TEST(this_file_is_known)
{
    char own[PERP_PATH], exe[PERP_PATH] = "";
    ck_assert(perp_own_file(own));
    ck_assert_int_gt(readlink("/proc/self/exe", exe, sizeof exe - 1), 0);
    ck_assert_str_eq(own, exe);
    ck_assert_int_eq(setenv("PERP_TEST_POSIX", "yes", 1), 0);
    ck_assert_str_eq(perp_environment("PERP_TEST_POSIX"), "yes");
    ck_assert_ptr_null(perp_environment("PERP_TEST_POSIX_MISSING"));
}
END_TEST

START_TEST(programs_are_judged)
{
    char program[200], path[PERP_PATH];
    strcpy(program, files_write("program", "#!/bin/sh\n"));
    ck_assert_int_eq(chmod(files_path("."), 0700), 0);
    ck_assert_int_eq(chmod(program, 0600), 0);
    ck_assert_int_eq(perp_program_find(program, path), PERP_PROGRAM_MISSING);
    ck_assert_int_eq(chmod(program, 0700), 0);
    ck_assert_int_eq(perp_program_find(program, path), PERP_PROGRAM_FOUND);
    ck_assert_int_eq(chmod(program, 0702), 0);
    ck_assert_int_eq(perp_program_find(program, path), PERP_PROGRAM_UNSAFE);
    ck_assert_int_eq(chmod(program, 0700) | chmod(files_path("."), 0703), 0);
    ck_assert_int_eq(perp_program_find(program, path), PERP_PROGRAM_UNSAFE);
    ck_assert_int_eq(perp_program_find(files_path("missing"), path), PERP_PROGRAM_MISSING);
    ck_assert_int_eq(perp_program_find(files_path("."), path), PERP_PROGRAM_UNSAFE);
    files_clean();
}
END_TEST

/* It is told its name, answers over its standard input, and is gone at the end: by itself, or
 * killed. */
START_TEST(programs_are_started_and_ended)
{
    static const char *const text[] = {"#!/bin/sh\necho yes >&0\n",
                                       "#!/bin/sh\necho yes >&0\nexec sleep 100\n"};
    for (int k = 0; k < 2; k++) {
        int pair[2];
        long process = -1;
        char answer[4];
        ck_assert(perp_socket_pair(pair) && pair[0] > 2 && pair[1] > 2);
        const char *path = files_write("program", text[k]);
        ck_assert_int_eq(chmod(path, 0700), 0);
        ck_assert_int_eq(perp_program_start(path, "name", pair[1], &process), 0);
        perp_socket_close(pair[1]);
        ck_assert(perp_socket_receive(pair[0], answer, 4, 60) && memcmp(answer, "yes\n", 4) == 0);
        double start = perp_now();
        perp_program_end(process);
        ck_assert_double_lt(perp_now() - start, 30);
        ck_assert_int_lt(waitpid(-1, NULL, WNOHANG), 0);
        perp_socket_close(pair[0]);
    }
    /* Where a failure to start is not told in time, as under qemu, a child ends at once instead. */
    long process = -1;
    int error = perp_program_start(files_path("missing"), "name", 0, &process);
    ck_assert(error == ENOENT ? process == -1 : error == 0 && process > 0);
    if (!error) perp_program_end(process);
    files_clean();
}
END_TEST

/* ---- sockets ---- */

static void *send_all(void *data)
{
    int *socket = data;
    bool good = perp_socket_send(*socket, out, LENGTH, -1) && perp_socket_send(*socket, out, 0, -1);
    perp_socket_close(*socket);
    *socket = good ? -1 : -2;
    return NULL;
}

START_TEST(messages_are_whole)
{
    int pair[2];
    perp_thread thread;
    for (int k = 0; k < LENGTH; k++) out[k] = (char)(k * 31 >> 3);
    ck_assert(perp_socket_pair(pair));
    ck_assert(perp_thread_start(&thread, send_all, &pair[1]));
    ck_assert(perp_socket_receive(pair[0], in, 1, -1));
    ck_assert(perp_socket_receive(pair[0], in + 1, LENGTH - 1, 60));
    ck_assert(!memcmp(in, out, LENGTH));
    ck_assert(!perp_socket_receive(pair[0], in, 1, 60)); /* the end */
    perp_thread_join(&thread);
    ck_assert_int_eq(pair[1], -1);
    ck_assert(!perp_socket_send(pair[0], out, 1, -1)); /* and no signal */
    perp_socket_close(pair[0]);
}
END_TEST

/* A peer that is silent, sends a part alone, or takes nothing. */
START_TEST(time_limits)
{
    int pair[2];
    ck_assert(perp_socket_pair(pair));
    double start = perp_now();
    ck_assert(!perp_socket_receive(pair[0], in, 2, 0));
    ck_assert_int_eq(errno, ETIMEDOUT);
    ck_assert(!perp_socket_receive(pair[0], in, 2, 0.05));
    ck_assert_int_eq(errno, ETIMEDOUT);
    ck_assert(perp_socket_send(pair[1], out, 1, 0));
    ck_assert(!perp_socket_receive(pair[0], in, 2, 0.05));
    ck_assert_int_eq(errno, ETIMEDOUT);
    ck_assert(!perp_socket_send(pair[0], out, LENGTH, 0.05));
    ck_assert_int_eq(errno, ETIMEDOUT);
    ck_assert_double_ge(perp_now() - start, 0.15);
    ck_assert_double_lt(perp_now() - start, 10);
    perp_socket_finish(pair[1]);
    ck_assert(!perp_socket_receive(pair[0], in, 1, 60));
    ck_assert_int_eq(errno, ECONNRESET);
    perp_socket_close(pair[1]);
    ck_assert(!perp_socket_receive(pair[0], in, 1, 60));
    ck_assert_int_ne(errno, ETIMEDOUT);
    perp_socket_close(pair[0]);
    ck_assert(!perp_socket_receive(pair[0], in, 1, 60)); /* no socket at all */
}
END_TEST

int main(void)
{
    Suite *s = suite_create("posix");
    TCase *t = tcase_create("posix");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, the_clock_goes_forward);
    tcase_add_test(t, threads_are_waited_for);
    tcase_add_test(t, files_are_read);
    tcase_add_test(t, pipes_are_read);
    tcase_add_test(t, files_are_whole_or_not_there);
    tcase_add_test(t, what_cannot_be_written);
    tcase_add_test(t, this_file_is_known);
    tcase_add_test(t, programs_are_judged);
    tcase_add_test(t, programs_are_started_and_ended);
    tcase_add_test(t, messages_are_whole);
    tcase_add_test(t, time_limits);
    suite_add_tcase(s, t);
    return support_run(s);
}
