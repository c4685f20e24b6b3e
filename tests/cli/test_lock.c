/* tests/cli/test_lock.c: one process at a time, and none that is dead. */
#include "cli/lock.h"
#include "cli_support.h"
#include "support.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child that takes the lock and holds it until it is killed; it has it when this returns. */
static pid_t hold(const char *path)
{
    int ends[2];
    char byte = 0;
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        cli_lock l;
        byte = cli_lock_take(cli_begin(NULL), path, &l) ? 'y' : 'n';
        if (write(ends[1], &byte, 1) == 1) pause();
        _exit(0);
    }
    ck_assert(read(ends[0], &byte, 1) == 1 && byte == 'y');
    close(ends[0]);
    close(ends[1]);
    return child;
}

static void end(pid_t child)
{
    kill(child, SIGKILL);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
}

START_TEST(the_second_is_refused)
{
    cli *c = cli_begin(NULL);
    cli_lock l;
    char path[300], link[300], name[310], expected[64];
    snprintf(path, sizeof path, "%s", file_make("rows.csv", "old"));
    snprintf(link, sizeof link, "%s", file_path("link.csv"));
    snprintf(name, sizeof name, "%s.lock", path);
    ck_assert_int_eq(symlink(path, link), 0);
    pid_t child = hold(path);
    ck_assert(!cli_lock_take(c, path, &l));
    ck_assert(!cli_lock_take(c, link, &l)); /* the same file */
    ck_assert_int_eq(access(name, F_OK), 0);
    end(child);
    /* The file of a dead process is still there, and stops nobody. */
    ck_assert_int_eq(access(name, F_OK), 0);
    ck_assert(cli_lock_take(c, link, &l) && l.file >= 0);
    cli_lock_release(&l);
    ck_assert_int_ne(access(name, F_OK), 0);
    cli_end();
    snprintf(expected, sizeof expected, "process %ld is writing it; wait", (long)child);
    ck_assert_ptr_nonnull(strstr(call_err, expected));
    files_remove();
}
END_TEST

/* Where no lock can be, the file cannot be either: its writer says why. */
START_TEST(no_folder)
{
    cli *c = cli_begin(NULL);
    cli_lock l;
    ck_assert(cli_lock_take(c, "/nowhere/at/all.csv", &l) && l.file < 0);
    cli_lock_release(&l);
    cli_end();
    ck_assert_str_eq(call_err, "");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lock");
    TCase *t = tcase_create("lock");
    tcase_add_test(t, the_second_is_refused);
    tcase_add_test(t, no_folder);
    suite_add_tcase(s, t);
    int failed = support_run(s);
    call_free();
    return failed;
}
