/* test_cli_compare_pool.c: processes that answer, crash, hang, and are killed.
 *
 * The pool executes the program it is in, so this program is also its own worker. */
#include "compare_support.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct tasks {
    const char *word[8];
    const char *operand[2];
    int wait[8], done, stop_after;
    char text[8][64];
    bool interrupted;
} tasks;

static const char *const *give(void *ctx, int i)
{
    tasks *t = ctx;
    t->operand[0] = t->word[i];
    return t->operand;
}

static bool take(void *ctx, int i, int wait, char *text, size_t length)
{
    tasks *t = ctx;
    t->wait[i] = wait;
    snprintf(t->text[i], sizeof t->text[i], "%.*s", (int)length, text);
    return ++t->done != t->stop_after;
}

/* Tell the pipe that it is there, and hold it until the end. */
static void hold(int pipe)
{
    if (write(pipe, "x", 1) == 1) pause();
}

static int worker(const char *word)
{
    if (strncmp(word, "hold", 4) == 0) hold(atoi(word + 4));
    if (strcmp(word, "crash") == 0) {
        signal(SIGSEGV, SIG_DFL); /* a sanitizer's handler would make it an exit status */
        raise(SIGSEGV);
    }
    if (strcmp(word, "hang") == 0) pause();
    if (strcmp(word, "fail") == 0) return 3;
    if (strcmp(word, "long") == 0) {
        for (int k = 0; k < 20000; k++) putchar('x');
    }
    printf("%s %s", word, getenv("OPENBLAS_NUM_THREADS"));
    return 0;
}

static cli_pool pool_of(tasks *t, int count, int jobs)
{
    return (cli_pool){
        .limits = {.jobs = jobs, .load = 1}, .count = count, .ctx = t, .task = give, .done = take};
}

START_TEST(each_ends_in_its_own_way)
{
    for (int jobs = 1; jobs <= 3; jobs++) {
        cli *c = begin();
        tasks t = {.word = {"one", "crash", "fail", "two", "hang", "three"}};
        cli_pool p = pool_of(&t, 6, jobs);
        ck_assert(cli_pool_run(c, &p));
        ck_assert_int_eq(t.done, 6);
        ck_assert(WIFEXITED(t.wait[0]) && WEXITSTATUS(t.wait[0]) == 0);
        ck_assert_str_eq(t.text[0], "one 1");
        ck_assert(WIFSIGNALED(t.wait[1]) && WTERMSIG(t.wait[1]) == SIGSEGV);
        ck_assert(WIFEXITED(t.wait[2]) && WEXITSTATUS(t.wait[2]) == 3);
        ck_assert_str_eq(t.text[3], "two 1");
        ck_assert(WIFSIGNALED(t.wait[4]) && WTERMSIG(t.wait[4]) == SIGALRM);
        ck_assert_str_eq(t.text[5], "three 1");
        cli_end();
    }
}
END_TEST

START_TEST(too_much_text_is_cut)
{
    cli *c = begin();
    tasks t = {.word = {"long"}};
    cli_pool p = pool_of(&t, 1, 1);
    ck_assert(cli_pool_run(c, &p));
    ck_assert(WIFEXITED(t.wait[0]));
    ck_assert_int_eq(t.text[0][0], 'x');
    cli_end();
}
END_TEST

START_TEST(done_can_stop_it)
{
    cli *c = begin();
    tasks t = {.word = {"one", "two", "three"}, .stop_after = 1};
    cli_pool p = pool_of(&t, 3, 1);
    ck_assert(!cli_pool_run(c, &p));
    ck_assert_int_eq(t.done, 1);
    cli_end();
}
END_TEST

static void interrupt(void *ctx)
{
    tasks *t = ctx;
    if (!t->interrupted) kill(getpid(), SIGINT); /* blocked: taken at the next wait */
    t->interrupted = true;
}

START_TEST(an_interrupt_ends_all_of_them)
{
    cli *c = begin();
    tasks t = {.word = {"hang", "hang", "one"}};
    cli_pool p = pool_of(&t, 3, 2);
    p.limits.load = 30;
    p.tick = interrupt;
    ck_assert(!cli_pool_run(c, &p));
    ck_assert_int_eq(t.done, 0);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
    cli_end();
}
END_TEST

/* A pool in a process that is killed: nobody is left who holds the pipe, long before an alarm. */
START_TEST(workers_end_with_their_parent)
{
    int ends[2];
    char word[16], byte;
    ck_assert_int_eq(pipe(ends), 0);
    snprintf(word, sizeof word, "hold%d", ends[1]);
    pid_t parent = fork();
    if (parent == 0) {
        cli *c = begin();
        tasks t = {.word = {word, word}};
        cli_pool p = pool_of(&t, 2, 2);
        p.limits.load = 60;
        close(ends[0]);
        cli_pool_run(c, &p);
        _exit(1);
    }
    ck_assert_int_gt(parent, 0);
    close(ends[1]);
    for (int k = 0; k < 2; k++) ck_assert_int_eq(read(ends[0], &byte, 1), 1);
    ck_assert_int_eq(kill(parent, SIGKILL), 0);
    struct pollfd p = {.fd = ends[0], .events = POLLIN};
    ck_assert_int_eq(poll(&p, 1, 20000), 1);
    ck_assert_int_eq(read(ends[0], &byte, 1), 0);
    ck_assert_int_eq(waitpid(parent, NULL, 0), parent);
    close(ends[0]);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "worker") == 0) return worker(argv[3]);
    Suite *s = suite_create("cli_compare_pool");
    TCase *t = tcase_create("cli_compare_pool");
    tcase_add_test(t, each_ends_in_its_own_way);
    tcase_add_test(t, too_much_text_is_cut);
    tcase_add_test(t, done_can_stop_it);
    tcase_add_test(t, an_interrupt_ends_all_of_them);
    tcase_add_test(t, workers_end_with_their_parent);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    int status = support_run(s);
    call_free();
    return status;
}
