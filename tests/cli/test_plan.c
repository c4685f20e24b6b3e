/* test_cli_plan.c: files, their order, solvers that fit, tolerances, shards. */
#include "compare_support.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void make(const char *dir, const char *name)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fclose(f);
}

static void drop(const char *dir, const char *name)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    ck_assert_int_eq(remove(path), 0);
}

START_TEST(directories_are_sorted_and_read_below)
{
    cli *c = begin();
    char dir[] = "/tmp/perp_plan_XXXXXX", below[64];
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(below, sizeof below, "%s/b", dir);
    ck_assert_int_eq(mkdir(below, 0777), 0);
    make(dir, "z.dat");
    make(dir, "a.PERP");
    make(dir, "README.md");
    make(dir, ".hidden.dat");
    make(below, "c.qps");
    char slashed[64];
    snprintf(slashed, sizeof slashed, "%s//", dir);
    char zpath[300];
    snprintf(zpath, sizeof zpath, "%s/z.dat", dir);
    const char *operand[] = {zpath, slashed};
    cli_plan plan = {0};
    ck_assert(cli_plan_files(c, 2, operand, &plan));
    ck_assert_int_eq(plan.cases, 3); /* z.dat once, where it was named first */
    ck_assert_str_eq(plan.problem[0].path, zpath);
    ck_assert_str_eq(plan.problem[1].path + strlen(dir), "/a.PERP");
    ck_assert_str_eq(plan.problem[2].path + strlen(dir), "/b/c.qps");
    drop(dir, "z.dat");
    drop(dir, "a.PERP");
    drop(dir, "README.md");
    drop(dir, ".hidden.dat");
    drop(below, "c.qps");
    drop(dir, "b");
    cli_plan none = {0};
    ck_assert(!cli_plan_files(c, 1, operand + 1, &none)); /* nothing is left */
    ck_assert_int_eq(rmdir(dir), 0);
    ck_assert(!cli_plan_files(c, 1, operand, &none));
    const char *input[] = {"-"};
    ck_assert(!cli_plan_files(c, 1, input, &none));
    cli_end();
}
END_TEST

/* Every run opens its file anew: what is no regular file is left out of a folder, without a wait
 * for somebody who writes to it, and refused where it is named. */
START_TEST(pipes_are_no_problem_files)
{
    cli *c = begin();
    char dir[] = "/tmp/perp_plan_XXXXXX", pipe[64], link[64];
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(pipe, sizeof pipe, "%s/pipe.dat", dir);
    snprintf(link, sizeof link, "%s/null.dat", dir);
    ck_assert_int_eq(mkfifo(pipe, 0666), 0);
    ck_assert_int_eq(symlink("/dev/null", link), 0);
    make(dir, "a.dat");
    const char *folder[] = {dir}, *named[] = {pipe}, *device[] = {"/dev/null"};
    cli_plan plan = {0}, none = {0};
    ck_assert(cli_plan_files(c, 1, folder, &plan));
    ck_assert_int_eq(plan.cases, 1);
    ck_assert_str_eq(plan.problem[0].path + strlen(dir), "/a.dat");
    ck_assert(!cli_plan_files(c, 1, named, &none));
    ck_assert(!cli_plan_files(c, 1, device, &none));
    drop(dir, "pipe.dat");
    drop(dir, "null.dat");
    drop(dir, "a.dat");
    ck_assert_int_eq(rmdir(dir), 0);
    cli_end();
    ck_assert_ptr_nonnull(strstr(call_err, "pipe.dat is left out"));
    ck_assert_ptr_nonnull(strstr(call_err, "null.dat is left out"));
    ck_assert_ptr_nonnull(strstr(call_err, "pipe.dat is no regular file"));
}
END_TEST

/* Links to a folder above are not followed: two of them would be 2^17 folders. */
START_TEST(links_to_folders_above)
{
    cli *c = begin();
    char dir[] = "/tmp/perp_plan_XXXXXX", one[64], two[64];
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(one, sizeof one, "%s/one", dir);
    snprintf(two, sizeof two, "%s/two", dir);
    ck_assert_int_eq(symlink(".", one), 0);
    ck_assert_int_eq(symlink(dir, two), 0);
    make(dir, "a.dat");
    const char *folder[] = {dir};
    cli_plan plan = {0};
    ck_assert(cli_plan_files(c, 1, folder, &plan));
    ck_assert_int_eq(plan.cases, 1);
    drop(dir, "one");
    drop(dir, "two");
    drop(dir, "a.dat");
    ck_assert_int_eq(rmdir(dir), 0);
    cli_end();
}
END_TEST

/* A worker's standard input is another one: the file itself is meant. */
START_TEST(a_descriptor_is_its_file)
{
    const char *path = file_make("given.dat", lcp_easy), *given[] = {"/dev/stdin"};
    cli *c = begin();
    cli_plan plan = {0};
    int before = dup(0), file = open(path, O_RDONLY);
    ck_assert(before >= 0 && file >= 0);
    dup2(file, 0);
    bool known = access("/dev/stdin", R_OK) == 0;
    if (known) ck_assert(cli_plan_files(c, 1, given, &plan));
    dup2(before, 0);
    close(before);
    close(file);
    if (known) ck_assert_str_eq(strrchr(plan.problem[0].path, '/'), strrchr(path, '/'));
    cli_end();
}
END_TEST

static cli_plan two_problems(cli *c)
{
    cli_plan plan = {.cases = 2};
    plan.problem = perp_alloc(&c->arena, 3, sizeof *plan.problem);
    plan.problem[0] = (cli_case){.path = "p", .kind = PERP_KIND_LCP, .n = 4};
    plan.problem[1] = (cli_case){.path = "q", .kind = PERP_KIND_LCP, .n = 5};
    return plan;
}

START_TEST(problem_by_problem_tolerance_by_tolerance)
{
    cli *c = begin();
    cli_plan plan = two_problems(c);
    const char *names[] = {"psor", "lcp/lemke", "lcp/psor:tol=1e-3,omega=1.1", "lcp/psor"};
    const char *tols[] = {"1e-4", "1e-9"};
    cli_list s = {4, names}, t = {2, tols};
    ck_assert(cli_plan_runs(c, &s, &t, &plan));
    static const struct {
        const char *solver;
        double tol;
    } expected[] = {{"lcp/psor", 1e-4},
                    {"lcp/lemke", 1e-4},
                    {"lcp/psor:tol=1e-3,omega=1.1", 1e-3}, /* its own, and once */
                    {"lcp/psor", 1e-9},
                    {"lcp/lemke", 1e-9}};
    ck_assert_int_eq(plan.runs.count, 10);
    for (int k = 0; k < 10; k++) {
        const cli_row *row = &plan.runs.row[k];
        ck_assert_str_eq(row->problem, k < 5 ? "p" : "q");
        ck_assert_str_eq(row->solver, expected[k % 5].solver);
        ck_assert(row->tol == expected[k % 5].tol);
        ck_assert_int_eq(row->run, k);
        ck_assert_int_eq(row->n, k < 5 ? 4 : 5);
        ck_assert_str_eq(row->status, "");
    }
    cli_end();
}
END_TEST

START_TEST(all_solvers_of_the_kind_at_one_tolerance)
{
    cli *c = begin();
    cli_plan plan = two_problems(c);
    cli_list none = {0};
    int lcp = 0;
    for (int k = 0; perp_solvers()[k]; k++) lcp += perp_solvers()[k]->solver->kind == PERP_KIND_LCP;
    ck_assert(cli_plan_runs(c, &none, &none, &plan));
    ck_assert_int_eq(plan.runs.count, 2 * lcp);
    for (int k = 0; k < plan.runs.count; k++) ck_assert(plan.runs.row[k].tol == 1e-8);
    cli_end();
}
END_TEST

START_TEST(what_does_not_fit_is_left_out)
{
    cli *c = begin();
    cli_plan plan = two_problems(c);
    plan.problem[0].kind = PERP_KIND_QP;
    const char *names[] = {"lcp/lemke"};
    cli_list s = {1, names}, none = {0};
    ck_assert(cli_plan_runs(c, &s, &none, &plan));
    ck_assert_int_eq(plan.runs.count, 1);
    ck_assert_str_eq(plan.runs.row[0].problem, "q");
    cli_end();
    ck_assert_ptr_nonnull(strstr(call_err, "no solver fits problems of kind qp: 1 left out"));
}
END_TEST

START_TEST(a_name_without_kind_is_for_the_kinds_that_have_it)
{
    cli *c = begin();
    cli_plan plan = two_problems(c);
    plan.problem[0].kind = PERP_KIND_QP;
    const char *names[] = {"lemke"};
    cli_list s = {1, names}, none = {0};
    ck_assert(cli_plan_runs(c, &s, &none, &plan));
    ck_assert_int_eq(plan.runs.count, 1);
    ck_assert_str_eq(plan.runs.row[0].solver, "lcp/lemke");
    cli_end();
}
END_TEST

START_TEST(an_unreadable_problem_has_one_row)
{
    cli *c = begin();
    cli_plan plan = two_problems(c);
    plan.problem[0].status = "bad_file";
    plan.problem[0].detail = "line 3: why";
    cli_list none = {0};
    ck_assert(cli_plan_runs(c, &none, &none, &plan));
    ck_assert_str_eq(plan.runs.row[0].solver, "-");
    ck_assert_str_eq(plan.runs.row[0].status, "bad_file");
    ck_assert_str_eq(plan.runs.row[0].kind, "");
    ck_assert(isnan(plan.runs.row[0].tol));
    ck_assert_str_eq(plan.runs.row[1].problem, "q");
    cli_end();
}
END_TEST

START_TEST(wrong_names_and_numbers)
{
    static const char *const bad[] = {"0", "1", "-1e-3", "x", "1e-3x", "", "nan", "inf"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        cli *c = begin();
        cli_plan plan = two_problems(c);
        const char *tol = bad[k];
        cli_list t = {1, &tol}, none = {0};
        ck_assert_msg(!cli_plan_runs(c, &none, &t, &plan), "%s", bad[k]);
        cli_end();
        ck_assert_ptr_nonnull(strstr(call_err, "--tol"));
    }
    cli *c = begin();
    cli_plan plan = two_problems(c);
    const char *name = "lemke:tool=1";
    cli_list s = {1, &name}, none = {0};
    ck_assert(!cli_plan_runs(c, &s, &none, &plan));
    cli_end();
    ck_assert_ptr_nonnull(strstr(call_err, "did you mean 'tol'?"));
}
END_TEST

START_TEST(shards)
{
    cli *c = begin();
    int i, n;
    ck_assert(cli_plan_shard(c, "2/5", &i, &n));
    ck_assert(i == 1 && n == 5);
    ck_assert(cli_plan_shard(c, "1/1", &i, &n));
    static const char *const bad[] = {"", "2", "0/3", "4/3", "1/0", "a/b", "1/3x", "-1/3", "1//2"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        ck_assert_msg(!cli_plan_shard(c, bad[k], &i, &n), "%s", bad[k]);
    cli_end();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_plan");
    TCase *t = tcase_create("cli_plan");
    tcase_add_test(t, directories_are_sorted_and_read_below);
    tcase_add_test(t, pipes_are_no_problem_files);
    tcase_add_test(t, links_to_folders_above);
    tcase_add_test(t, a_descriptor_is_its_file);
    tcase_add_test(t, problem_by_problem_tolerance_by_tolerance);
    tcase_add_test(t, all_solvers_of_the_kind_at_one_tolerance);
    tcase_add_test(t, what_does_not_fit_is_left_out);
    tcase_add_test(t, a_name_without_kind_is_for_the_kinds_that_have_it);
    tcase_add_test(t, an_unreadable_problem_has_one_row);
    tcase_add_test(t, wrong_names_and_numbers);
    tcase_add_test(t, shards);
    suite_add_tcase(s, t);
    int status = support_run(s);
    files_remove();
    call_free();
    return status;
}
