/* test_cli_compare_run.c: a comparison from files to rows, also resumed and sharded.
 *
 * Runs execute the program they are started from, so this one is a perp too. */
#include "compare_support.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *names[] = {"lemke", "psor"};

static cli_comparison options(void)
{
    return (cli_comparison){.solvers = {2, names}, .timeout = 5, .jobs = 2, .repeats = 1};
}

static int compare(const cli_comparison *o, const char *path, cli_rows *rows, cli *c)
{
    return cli_compare_run(c, o, 1, &path, rows);
}

START_TEST(rows_in_order)
{
    const char *path = file_make("easy.dat", lcp_easy);
    cli *c = begin();
    cli_comparison o = options();
    cli_rows rows = {0};
    ck_assert_int_eq(compare(&o, path, &rows, c), CLI_DONE);
    ck_assert_int_eq(rows.count, 2);
    ck_assert_str_eq(rows.row[0].solver, "lcp/lemke");
    ck_assert_str_eq(rows.row[1].solver, "lcp/psor");
    for (int k = 0; k < 2; k++) {
        ck_assert_str_eq(rows.row[k].status, "solved");
        ck_assert(rows.row[k].jobs == 2 && *rows.row[k].machine && *rows.row[k].version);
    }
    cli_end();
}
END_TEST

/* Four solvers and four shards of four problems: each shard has one problem and all solvers. */
START_TEST(a_shard_has_whole_problems)
{
    static const char *solvers[] = {"lemke", "psor", "pivot", "newton_min"};
    const char *path[4] = {file_make("1.dat", lcp_easy), file_make("2.dat", lcp_singular),
                           file_make("3.dat", lcp_easy), file_make("4.dat", lcp_easy)};
    cli *c = begin();
    cli_comparison o = options();
    o.solvers = (cli_list){4, solvers};
    static const char *const shards[] = {"1/4", "2/4", "3/4", "4/4", "5/5"};
    for (int k = 0; k < 5; k++) {
        cli_rows rows = {0};
        o.shard = shards[k];
        ck_assert_int_eq(cli_compare_run(c, &o, 4, path, &rows), CLI_DONE);
        ck_assert_int_eq(rows.count, k < 4 ? 4 : 0);
        for (int i = 0; i < rows.count; i++) {
            ck_assert_str_eq(rows.row[i].problem, path[k]);
            ck_assert_int_eq(rows.row[i].run, 4 * k + i);
        }
    }
    cli_end();
    ck_assert_ptr_nonnull(strstr(call_err, "shard 5 of 5 has nothing to run"));
}
END_TEST

/* A proof is an answer, and its time is taken as often as a solution's. */
START_TEST(proofs_are_timed_repeatedly)
{
    const char *path = file_make("none.dat", lcp_infeasible);
    static const char *solvers[] = {"newton_fb"};
    cli *c = begin();
    cli_comparison o = options();
    o.solvers = (cli_list){1, solvers};
    o.repeats = 4;
    cli_rows rows = {0};
    ck_assert_int_eq(compare(&o, path, &rows, c), CLI_DONE);
    ck_assert_str_eq(rows.row[0].status, "infeasible");
    ck_assert_int_eq(rows.row[0].repeats, 4);
    cli_end();
}
END_TEST

START_TEST(resumed_rows_are_kept)
{
    const char *path = file_make("easy.dat", lcp_easy), *csv = file_path("resumed.csv");
    cli *c = begin();
    cli_comparison o = options();
    cli_rows half = {0}, rows = {0}, other = {0};
    o.csv = csv;
    ck_assert_int_eq(compare(&o, path, &half, c), CLI_DONE);
    ck_assert_int_eq(half.count, 2);
    half.row[0] = half.row[1];
    half.count = 1; /* as if stopped half-way */
    half.row[0].detail = "from before";
    half.row[0].run = 7; /* the plan's number goes before it */
    ck_assert(cli_rows_save(c, csv, &half));
    o.resume = true;
    ck_assert_int_eq(compare(&o, path, &rows, c), CLI_DONE);
    ck_assert_int_eq(rows.count, 2);
    ck_assert_str_eq(rows.row[0].solver, "lcp/lemke");
    ck_assert_str_eq(rows.row[1].detail, "from before");
    ck_assert_int_eq(rows.row[1].run, 1);
    cli_rows file = {0};
    ck_assert(cli_rows_read(c, csv, false, &file));
    ck_assert(file.count == 2 && cli_row_same(&file.row[1], &rows.row[1]));
    o.solvers.count = 1;
    ck_assert_int_eq(compare(&o, path, &other, c), CLI_WRONG); /* lcp/psor is no run of it */
    cli_end();
    ck_assert_ptr_nonnull(strstr(call_err, "with lcp/psor is no run of this comparison"));
}
END_TEST

START_TEST(a_device_stays_a_device)
{
    const char *path = file_make("easy.dat", lcp_easy);
    struct stat device;
    cli *c = begin();
    cli_comparison o = options();
    cli_rows rows = {0}, lost = {0};
    o.csv = "/dev/null";
    ck_assert_int_eq(compare(&o, path, &rows, c), CLI_DONE);
    ck_assert(stat("/dev/null", &device) == 0 && S_ISCHR(device.st_mode));
    o.csv = "/dev/full";
    if (access(o.csv, W_OK) == 0) {
        ck_assert_int_eq(compare(&o, path, &lost, c), CLI_WRONG);
        ck_assert(stat(o.csv, &device) == 0 && S_ISCHR(device.st_mode));
    }
    cli_end();
}
END_TEST

START_TEST(what_cannot_be_read_costs_its_row)
{
    const char *bad = file_make("bad.dat", "no problem"), *good = file_make("easy.dat", lcp_easy);
    const char *both[] = {bad, good};
    cli *c = begin();
    cli_comparison o = options();
    cli_rows rows = {0};
    ck_assert_int_eq(cli_compare_run(c, &o, 2, both, &rows), CLI_WRONG);
    ck_assert_int_eq(rows.count, 3);
    ck_assert_str_eq(rows.row[0].status, "bad_file");
    ck_assert_str_eq(rows.row[2].status, "solved");
    cli_end();
    ck_assert_ptr_nonnull(strstr(call_err, "bad.dat"));
}
END_TEST

START_TEST(histories_are_named_by_what_they_are_of)
{
    cli *c = begin();
    cli_rows rows = sample_rows(c);
    const char *one = cli_history_path(c, "dir", &rows.row[0]);
    ck_assert_int_eq(strncmp(one, "dir/history/", 12), 0);
    ck_assert_str_ne(one, cli_history_path(c, "dir", &rows.row[1]));
    ck_assert_str_ne(one, cli_history_path(c, "dir", &rows.row[2]));
    rows.row[0].run = 99;
    ck_assert_str_eq(one, cli_history_path(c, "dir", &rows.row[0]));
    rows.row[0].tol = 1e-4;
    ck_assert_str_ne(one, cli_history_path(c, "dir", &rows.row[0]));
    ck_assert(cli_make_directory(c, "/tmp"));
    ck_assert(!cli_make_directory(c, "/dev/null"));
    ck_assert(!cli_make_directory(c, "/nowhere/at/all"));
    cli_end();
}
END_TEST

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "worker") == 0)
        return cli_main(argc, (const char *const *)argv, stdout, stderr);
    Suite *s = suite_create("cli_compare_run");
    TCase *t = tcase_create("cli_compare_run");
    tcase_add_test(t, rows_in_order);
    tcase_add_test(t, a_shard_has_whole_problems);
    tcase_add_test(t, proofs_are_timed_repeatedly);
    tcase_add_test(t, resumed_rows_are_kept);
    tcase_add_test(t, a_device_stays_a_device);
    tcase_add_test(t, what_cannot_be_read_costs_its_row);
    tcase_add_test(t, histories_are_named_by_what_they_are_of);
    suite_add_tcase(s, t);
    int status = support_run(s);
    files_remove();
    call_free();
    return status;
}
