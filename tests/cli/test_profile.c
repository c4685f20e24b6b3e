/* test_cli_profile.c: scores and profiles against values worked by hand. */
#include "compare_support.h"

#include <stdlib.h>
#include <string.h>

static const cli_group *group(cli *c, const cli_rows *rows, int expected)
{
    int count;
    const cli_group *g = cli_groups(c, rows, &count);
    ck_assert_ptr_nonnull(g);
    ck_assert_int_eq(count, expected);
    return g;
}

/* Times over the best: a 1, 4, -; b 2, 1, 1. */
START_TEST(scores)
{
    cli *c = begin();
    cli_rows rows = sample_rows(c);
    const cli_group *g = group(c, &rows, 1);
    ck_assert_int_eq(g->problems, 3);
    ck_assert_int_eq(g->solvers, 2);
    cli_score a = cli_score_of(g, 0), b = cli_score_of(g, 1), best = cli_virtual_best(g);
    ck_assert(a.runs == 3 && a.solved == 2 && a.fastest == 1);
    ck_assert(b.runs == 3 && b.solved == 3 && b.fastest == 2);
    ck_assert_double_eq_tol(a.ratio, 2, 1e-15);
    ck_assert_double_eq_tol(b.ratio, cbrt(2), 1e-15);
    ck_assert(a.seconds == 5 && b.seconds == 6);
    ck_assert(best.solved == 3 && best.seconds == 5 && best.ratio == 1);
    int both;
    ck_assert_double_eq_tol(cli_pair_ratio(g, 0, 1, &both), sqrt(2), 1e-15);
    ck_assert_int_eq(both, 2);
    cli_end();
}
END_TEST

START_TEST(proofs_and_absences)
{
    cli *c = begin();
    cli_rows rows = sample_rows(c);
    rows.row[4].status = "infeasible";
    rows.row[5].status = "crashed";
    rows.row[5].seconds = NAN;
    rows.row[3].kind = ""; /* as if it had not been run */
    const cli_group *g = group(c, &rows, 1);
    cli_score a = cli_score_of(g, 0), b = cli_score_of(g, 1), best = cli_virtual_best(g);
    ck_assert(a.proved == 1 && b.proved == 0 && best.proved == 1);
    ck_assert(b.runs == 2 && b.solved == 1 && best.solved == 2);
    rows.row[0].status = rows.row[1].status = rows.row[2].status = "bad_number";
    g = group(c, &rows, 1);
    ck_assert(cli_score_of(g, 0).refused == 2 && cli_virtual_best(g).refused == 2);
    rows.row[0].solver = rows.row[1].solver = "-"; /* the file's fault, not a solver's */
    ck_assert(!cli_is_refusal(&rows.row[0]) && cli_is_refusal(&rows.row[2]));
    rows = sample_rows(c);
    for (int k = 0; k < rows.count; k++) rows.row[k].status = "stalled";
    g = group(c, &rows, 1);
    ck_assert(isnan(cli_score_of(g, 0).ratio) && isnan(cli_virtual_best(g).ratio));
    int both;
    ck_assert(isnan(cli_pair_ratio(g, 0, 1, &both)) && both == 0);
    cli_end();
}
END_TEST

/* A proof that there is no solution is an answer: it takes part in profiles, ratios and fastest. A
 * ray, or what nobody solved or proved, does not. */
START_TEST(proofs_count_as_done)
{
    cli *c = begin();
    cli_rows rows = sample_rows(c);
    rows.row[4].status = "infeasible";
    rows.row[4].seconds = 6;
    rows.row[5].status = "unbounded";
    const cli_group *g = group(c, &rows, 1);
    cli_profile p;
    ck_assert(cli_profile_of(c, g, CLI_BY_TIME, &p));
    ck_assert(cli_profile_at(&p, 0, 4) == 1 && cli_profile_at(&p, 1, 2) == 1);
    ck_assert_double_eq_tol(cli_profile_at(&p, 1, 1), 2 / 3.0, 1e-15);
    cli_score a = cli_score_of(g, 0), b = cli_score_of(g, 1), best = cli_virtual_best(g);
    ck_assert(a.solved == 2 && a.proved == 1 && a.done == 3 && b.fastest == 2);
    ck_assert_double_eq_tol(a.ratio, 2, 1e-15); /* 1, 4 and 2 */
    ck_assert(a.seconds == 11 && best.solved == 2 && best.done == 3 && best.seconds == 5);
    int both;
    cli_pair_ratio(g, 0, 1, &both);
    ck_assert_int_eq(both, 3);
    rows.row[4].status = "ray";
    ck_assert(cli_profile_of(c, g, CLI_BY_TIME, &p));
    ck_assert_double_eq_tol(cli_profile_at(&p, 0, 1e9), 2 / 3.0, 1e-15);
    cli_end();
}
END_TEST

/* By time: a 1/3 at 1, 2/3 at 4; b 2/3 at 1, 1 at 2. By iterations 10 against 1 (0 counts as 1),
 * 5 against 20, - against 7. */
START_TEST(profiles)
{
    cli *c = begin();
    cli_rows rows = sample_rows(c);
    const cli_group *g = group(c, &rows, 1);
    cli_profile p;
    ck_assert(cli_profile_of(c, g, CLI_BY_TIME, &p));
    ck_assert(p.most == 4);
    ck_assert_double_eq_tol(cli_profile_at(&p, 0, 1), 1 / 3.0, 1e-15);
    ck_assert_double_eq_tol(cli_profile_at(&p, 0, 3.99), 1 / 3.0, 1e-15);
    ck_assert_double_eq_tol(cli_profile_at(&p, 0, 1e9), 2 / 3.0, 1e-15);
    ck_assert_double_eq_tol(cli_profile_at(&p, 1, 1), 2 / 3.0, 1e-15);
    ck_assert(cli_profile_at(&p, 1, 2) == 1 && cli_profile_at(&p, 1, 0.5) == 0);
    ck_assert(cli_profile_of(c, g, CLI_BY_ITERATIONS, &p));
    ck_assert(p.most == 10);
    ck_assert_double_eq_tol(cli_profile_at(&p, 0, 1), 1 / 3.0, 1e-15);
    ck_assert_double_eq_tol(cli_profile_at(&p, 1, 4), 1, 1e-15);
    const char *path = file_path("profile.csv");
    ck_assert(cli_profile_of(c, g, CLI_BY_TIME, &p));
    ck_assert(cli_profile_save(c, g, &p, path));
    char *text = file_read(path);
    ck_assert_str_eq(text, "solver,tau,share\nlcp/a,1,0.333333\nlcp/a,4,0.666667\n"
                           "lcp/b,1,0.666667\nlcp/b,2,1\n");
    free(text);
    cli_end();
}
END_TEST

START_TEST(costs)
{
    cli_row row = {.status = "solved", .seconds = 1e-9, .iterations = 0};
    ck_assert(cli_cost(&row, CLI_BY_TIME) == 1e-6 && cli_cost(&row, CLI_BY_ITERATIONS) == 1);
    row.iterations = (1 << 24) + 1; /* no float has that value */
    ck_assert(cli_cost(&row, CLI_BY_ITERATIONS) == row.iterations);
    row.seconds = NAN;
    row.iterations = -1;
    ck_assert(isinf(cli_cost(&row, CLI_BY_TIME)) && isinf(cli_cost(&row, CLI_BY_ITERATIONS)));
    row.status = "stalled";
    row.seconds = 1;
    ck_assert(isinf(cli_cost(&row, CLI_BY_TIME)) && isinf(cli_cost(NULL, CLI_BY_TIME)));
}
END_TEST

START_TEST(groups_by_kind_and_tolerance)
{
    cli *c = begin();
    cli_rows rows = sample_rows(c);
    rows.row[0].kind = "mcp";
    rows.row[1].tol = NAN;
    rows.row[2].tol = NAN;
    rows.row[3].tol = 1e-4;
    rows.row[4].kind = "";
    const cli_group *g = group(c, &rows, 4);
    ck_assert_str_eq(g[0].kind, "mcp");
    ck_assert(isnan(g[1].tol) && g[1].problems == 2 && g[1].solvers == 2);
    ck_assert(g[1].cell[1] == NULL && g[1].cell[0] == &rows.row[1]);
    rows.count = 0;
    group(c, &rows, 0);
    cli_end();
}
END_TEST

START_TEST(summary)
{
    cli *c = begin();
    cli_rows rows = sample_rows(c);
    rows.row[3].jobs = 2;
    cli_print_summary(c, &rows, c->out);
    cli_end();
    ck_assert_ptr_nonnull(strstr(call_out, "lcp, tol 1e-08: 3 problems\n"));
    ck_assert_ptr_nonnull(strstr(call_out, "virtual best"));
    ck_assert_ptr_nonnull(strstr(call_out, "several runs at a time"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_profile");
    TCase *t = tcase_create("cli_profile");
    tcase_add_test(t, scores);
    tcase_add_test(t, proofs_and_absences);
    tcase_add_test(t, proofs_count_as_done);
    tcase_add_test(t, profiles);
    tcase_add_test(t, costs);
    tcase_add_test(t, groups_by_kind_and_tolerance);
    tcase_add_test(t, summary);
    suite_add_tcase(s, t);
    int status = support_run(s);
    files_remove();
    call_free();
    return status;
}
