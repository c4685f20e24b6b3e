/* tests/cli/test_interrupt.c: the first signal is seen, the second ends the process. */
#include "cli/interrupt.h"
#include "support.h"

#include <check.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

static void own(int number)
{
    (void)number;
}

START_TEST(the_first_is_seen)
{
    cli_interrupt i;
    struct sigaction now;
    signal(SIGTERM, own);
    for (int k = 0; k < 3; k++) {
        cli_interrupt_begin(&i);
        ck_assert_int_eq(cli_interrupt_came(&i), 0);
        raise(signals[k]);
        ck_assert_int_eq(cli_interrupt_came(&i), signals[k]);
        cli_interrupt_end(&i);
    }
    sigaction(SIGTERM, NULL, &now);
    ck_assert(now.sa_handler == own); /* as it was */
    signal(SIGTERM, SIG_DFL);
}
END_TEST

/* nohup, and a shell's background: what is ignored stays so. */
START_TEST(the_ignored_stay_ignored)
{
    cli_interrupt i;
    struct sigaction now;
    signal(SIGHUP, SIG_IGN);
    cli_interrupt_begin(&i);
    raise(SIGHUP);
    ck_assert_int_eq(cli_interrupt_came(&i), 0);
    cli_interrupt_end(&i);
    sigaction(SIGHUP, NULL, &now);
    ck_assert(now.sa_handler == SIG_IGN);
    signal(SIGHUP, SIG_DFL);
}
END_TEST

START_TEST(the_second_ends_it)
{
    for (int k = 0; k < 3; k++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            cli_interrupt i;
            cli_interrupt_begin(&i);
            raise(signals[k]);
            raise(signals[k]);
            _exit(0);
        }
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == signals[k]);
    }
}
END_TEST

int main(void)
{
    /* a shell's background ignores some of them */
    for (int k = 0; k < 3; k++) signal(signals[k], SIG_DFL);
    Suite *s = suite_create("interrupt");
    TCase *t = tcase_create("interrupt");
    tcase_add_test(t, the_first_is_seen);
    tcase_add_test(t, the_ignored_stay_ignored);
    tcase_add_test(t, the_second_ends_it);
    suite_add_tcase(s, t);
    return support_run(s);
}
