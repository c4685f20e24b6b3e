/* test_cli_worker.c: one run as its process makes it, and its end as its parent reads it. */
#include "compare_support.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* What becomes of a row when the worker says nothing. */
static cli_row answer(cli *c, int wait)
{
    char text[1] = "";
    cli_row row = {.problem = "p",
                   .solver = "s",
                   .run = 4,
                   .jobs = 2,
                   .tol = 1e-6,
                   .machine = "m",
                   .version = "v",
                   .kind = "",
                   .detail = "",
                   .residual = NAN};
    cli_worker_read(c, wait, text, 0, &row);
    return row;
}

START_TEST(a_probe_tells_kind_and_size)
{
    const char *path = file_make("easy.dat", lcp_easy);
    ck_assert_int_eq(call("worker -- probe %s %s %s", path, "", ""), 0);
    char *text = strdup(call_out);
    cli *c = begin();
    cli_row row = {.problem = "p", .solver = "-", .tol = NAN};
    cli_worker_read(c, 0, text, strlen(text), &row);
    ck_assert_str_eq(row.kind, "lcp");
    ck_assert_int_eq(row.n, 2);
    ck_assert_str_eq(row.status, "solved");
    cli_end();
    free(text);
}
END_TEST

static cli_row run(cli *c, const char *path, const char *solver, const char *tol,
                   const char *repeats, const char *history)
{
    FILE *out = c->out, *err = c->err;
    char *text = NULL;
    size_t length;
    c->out = open_memstream(&text, &length);
    const char *operand[] = {"run", path, "", "", solver, tol, repeats, "5", history};
    const cli_command *worker = cli_find_command("worker");
    ck_assert_ptr_nonnull(worker);
    ck_assert(worker->hidden);
    ck_assert_int_eq(worker->run(c, NULL, 9, operand), CLI_DONE);
    fclose(c->out);
    c->out = out;
    c->err = err;
    cli_row row = {.problem = path,
                   .solver = solver,
                   .run = 4,
                   .jobs = 2,
                   .tol = atof(tol),
                   .machine = "m",
                   .version = "v"};
    cli_worker_read(c, 0, text, length, &row);
    free(text);
    return row;
}

START_TEST(a_run_fills_its_row)
{
    const char *path = file_make("easy.dat", lcp_easy);
    cli *c = begin();
    cli_row row = run(c, path, "lcp/psor:omega=1.2", "1e-6", "3", "");
    ck_assert_str_eq(row.status, "solved");
    ck_assert_str_eq(row.solved_by, "lcp/psor");
    ck_assert(row.residual <= 1e-6 && row.iterations > 0);
    ck_assert_int_eq(row.repeats, 3);
    ck_assert(row.seconds > 0 && row.median >= row.seconds);
    ck_assert(row.run == 4 && row.jobs == 2);
    cli_row tight = run(c, path, "lcp/psor:omega=1.2", "1e-12", "1", "");
    ck_assert(tight.residual <= 1e-12);
    ck_assert_int_gt(tight.iterations, row.iterations);
    cli_end();
}
END_TEST

START_TEST(failures_are_not_repeated)
{
    const char *path = file_make("none.dat", lcp_infeasible);
    cli *c = begin();
    cli_row row = run(c, path, "lcp/dantzig", "1e-8", "5", "");
    ck_assert_str_eq(row.status, "infeasible"); /* an answer, whose time counts */
    ck_assert_int_eq(row.repeats, 5);
    ck_assert(*row.detail);
    row = run(c, file_make("easy.dat", lcp_easy), "lcp/psor:max_iter=1", "1e-12", "5", "");
    ck_assert_str_eq(row.status, "max_iter");
    ck_assert_int_eq(row.repeats, 1);
    row = run(c, file_make("bad.dat", "2\n0\n2\n2\n2\t2\n2 1\n1 x\n-5 -6\n"), "lcp/psor", "1e-8",
              "1", "");
    ck_assert_str_eq(row.status, "bad_file");
    ck_assert_ptr_nonnull(strstr(row.detail, "line 7"));
    row = run(c, "/nowhere.dat", "lcp/psor", "1e-8", "1", "");
    ck_assert_str_eq(row.status, "bad_file");
    cli_end();
}
END_TEST

/* Slow convergence: thousands of sweeps in a few hundred points, from the start to the end. */
START_TEST(a_history_is_thin_and_whole)
{
    char text[8000];
    int at = snprintf(text, sizeof text, "20\n0\n20\n20\n20 20\n");
    for (int i = 0; i < 20; i++) {
        for (int j = 0; j < 20; j++)
            at += snprintf(text + at, sizeof text - (size_t)at, "%g ",
                           i == j            ? 2.0001
                           : abs(i - j) == 1 ? -1.0
                                             : 0.0);
    }
    for (int i = 0; i < 20; i++) at += snprintf(text + at, sizeof text - (size_t)at, "-1 ");
    const char *path = file_make("slow.dat", text), *history = file_path("history.csv");
    cli *c = begin();
    cli_row row = run(c, path, "lcp/psor:omega=1", "1e-12", "1", history);
    ck_assert_int_gt(row.iterations, 600);
    char *kept = file_read(history);
    ck_assert_ptr_nonnull(kept);
    cli_csv r = cli_csv_open(kept, strlen(kept));
    const char *f[5];
    int points = 0, last = -1;
    double first = 0, end = 0;
    ck_assert_int_eq(cli_csv_next(&r, 5, f), 5);
    ck_assert_str_eq(f[2], "residual");
    ck_assert_str_eq(f[4], "merit");
    while (cli_csv_next(&r, 5, f) == 5) {
        ck_assert_str_eq(f[4], ""); /* PSOR does not tell */
        ck_assert_int_ge(atoi(f[0]), last);
        last = atoi(f[0]);
        if (!points++) first = atof(f[2]);
        if (*f[2]) end = atof(f[2]);
    }
    ck_assert(points > 60 && points <= 256);
    ck_assert_int_eq(last, row.iterations);
    ck_assert_double_eq_tol(first, 1, 1e-12); /* min(0, q) is q */
    ck_assert_double_eq_tol(end, row.residual, 1e-5 * row.residual);
    free(kept);
    cli_end();
}
END_TEST

/* |grad f|^2 of every early sweep: 1.5^2 + 0.75^2, then (3/8)^2 + (3/16)^2. */
START_TEST(a_history_has_the_merit)
{
    const char *text = "perp 1 mcp\nM dense 2 2\n2 1\n1 2\nq -3 -3\nend\n";
    const char *path = file_make("two.perp", text), *history = file_path("merit.csv");
    cli *c = begin();
    cli_row row = run(c, path, "mcp/pgs", "1e-9", "1", history);
    ck_assert_str_eq(row.status, "solved");
    char *kept = file_read(history);
    ck_assert_ptr_nonnull(strstr(kept, "\n1,"));
    ck_assert_ptr_nonnull(strstr(kept, ",2.8125\n"));
    ck_assert_ptr_nonnull(strstr(kept, ",0.175781\n"));
    free(kept);
    cli_end();
}
END_TEST

START_TEST(ends_of_processes_have_words)
{
    cli *c = begin();
    cli_row row = answer(c, SIGSEGV);
    ck_assert_str_eq(row.status, "crashed");
    ck_assert_ptr_nonnull(strstr(row.detail, "signal 11"));
    ck_assert(isnan(row.residual));
    ck_assert_str_eq(answer(c, SIGALRM).status, "timeout");
    ck_assert_ptr_nonnull(strstr(answer(c, SIGKILL).detail, "memory"));
    row = answer(c, 3 << 8);
    ck_assert_str_eq(row.status, "crashed");
    ck_assert_ptr_nonnull(strstr(row.detail, "exit status 3"));
    ck_assert_ptr_nonnull(strstr(answer(c, 127 << 8).detail, "could not be started"));
    ck_assert_str_eq(answer(c, 0).status, "crashed"); /* content, but said nothing */
    ck_assert_str_eq(row.machine, "m");
    cli_end();
}
END_TEST

START_TEST(noise_before_the_row_does_not_matter)
{
    cli *c = begin();
    cli_rows rows = sample_rows(c);
    rows.row[0].status = "no_memory";
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fputs("** some library, \"complains\"\n\x1e", out);
    cli_row_print(out, &rows.row[0]);
    fclose(out);
    cli_row row = {.problem = "p", .solver = "s", .run = 1, .jobs = 1, .tol = NAN};
    cli_worker_read(c, 0, text, length, &row);
    ck_assert_str_eq(row.status, "memory");
    ck_assert_str_eq(row.problem, "p"); /* the parent's own */
    ck_assert_int_eq(row.n, 2);
    free(text);
    cli_end();
}
END_TEST

START_TEST(a_fault_is_for_its_run_alone)
{
    const char *path = file_make("easy.dat", lcp_easy);
    cli *c = begin();
    setenv("PERP_TEST_FAULT", "segfault@lcp/psor@other", 1);
    ck_assert_str_eq(run(c, path, "lcp/psor", "1e-6", "1", "").status, "solved");
    setenv("PERP_TEST_FAULT", "segfault@lcp/lemke", 1);
    ck_assert_str_eq(run(c, path, "lcp/psor", "1e-6", "1", "").status, "solved");
    setenv("PERP_TEST_FAULT", "nonsense", 1);
    ck_assert_str_eq(run(c, path, "lcp/psor", "1e-6", "1", "").status, "solved");
    unsetenv("PERP_TEST_FAULT");
    cli_end();
}
END_TEST

START_TEST(it_is_not_for_people)
{
    calls(2, NULL, "for perp compare", "worker -- run a b c d");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_worker");
    TCase *t = tcase_create("cli_worker");
    tcase_add_test(t, a_probe_tells_kind_and_size);
    tcase_add_test(t, a_run_fills_its_row);
    tcase_add_test(t, failures_are_not_repeated);
    tcase_add_test(t, a_history_is_thin_and_whole);
    tcase_add_test(t, a_history_has_the_merit);
    tcase_add_test(t, ends_of_processes_have_words);
    tcase_add_test(t, noise_before_the_row_does_not_matter);
    tcase_add_test(t, a_fault_is_for_its_run_alone);
    tcase_add_test(t, it_is_not_for_people);
    suite_add_tcase(s, t);
    int status = support_run(s);
    files_remove();
    call_free();
    return status;
}
