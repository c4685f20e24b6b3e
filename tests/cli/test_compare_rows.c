/* test_cli_compare_rows.c: rows to CSV and back, resumed tails, shards put together. */
#include "compare_support.h"

#include <stdlib.h>
#include <string.h>

START_TEST(a_row_reads_back)
{
    cli *c = begin();
    cli_rows rows = sample_rows(c);
    cli_row got, *row = &rows.row[4];
    char *text;
    row->problem = "a,\"b\"\n.dat";
    row->detail = "said, \"no\"";
    row->machine = "";
    row->tol = 0.1;
    row->residual = INFINITY;
    row->median = NAN;
    row->certificates = -1;
    PRINTED(text, out, cli_row_print(out, row));
    ck_assert(cli_row_read(&c->arena, text, strlen(text), &got));
    ck_assert(cli_row_same(row, &got));
    ck_assert_str_eq(got.detail, row->detail);
    ck_assert(isinf(got.residual) && isnan(got.median));
    ck_assert_int_eq(got.certificates, -1);
    ck_assert_int_eq(got.iterations, 9);
    ck_assert(got.tol == 0.1 && got.seconds == 9);
    ck_assert(!cli_row_read(&c->arena, text, strlen(text) - 1, &got));
    ck_assert(!cli_row_read(&c->arena, "a,b\n", 4, &got));
    free(text);
    cli_end();
}
END_TEST

START_TEST(the_header_begins_as_promised)
{
    char *text;
    PRINTED(text, out, cli_rows_header(out));
    const char *first = "problem,kind,n,solver,status,residual,iterations,seconds,";
    ck_assert_int_eq(strncmp(text, first, strlen(first)), 0);
    free(text);
}
END_TEST

START_TEST(files_of_others_will_do)
{
    cli *c = begin();
    const char *path =
        file_make("other.csv", "seconds,colour,problem,kind,n,solver,status,residual,iterations\n"
                               "0.5,red,p,lcp,3,mine,solved,1e-9,7\n"
                               ",blue,q,lcp,3,mine,crashed,,\n");
    cli_rows rows = {0};
    ck_assert(cli_rows_read(c, path, false, &rows));
    ck_assert_int_eq(rows.count, 2);
    ck_assert(rows.row[0].seconds == 0.5 && rows.row[0].iterations == 7);
    ck_assert(isnan(rows.row[1].seconds) && rows.row[1].iterations == -1);
    ck_assert(isnan(rows.row[0].tol) && rows.row[0].run == -1);
    cli_end();
}
END_TEST

static void refused(const char *content, const char *word)
{
    cli *c = begin();
    cli_rows rows = {0};
    const char *path = file_make("bad.csv", content);
    ck_assert(!cli_rows_read(c, path, false, &rows));
    cli_end();
    ck_assert_msg(strstr(call_err, word) != NULL, "'%s' is not in '%s'", word, call_err);
    files_remove();
}

#define HEAD "problem,kind,n,solver,status,residual,iterations,seconds\n"
START_TEST(bad_files_are_refused_with_the_line)
{
    refused("", "bad.csv:1: expected a header");
    refused("problem,kind\n", "no column 'n'");
    refused(HEAD "p,lcp,2,s,solved,0,1\n", "bad.csv:2: expected 8 fields");
    refused(HEAD "p,lcp,2,s,solved,0,1,1\np,lcp,x,s,solved,0,1,1\n",
            "bad.csv:3: 'x' is no value of column 'n'");
    refused(HEAD "p,lcp,-2,s,solved,0,1,1\n", "'-2'");
    refused(HEAD "p,lcp,2,s,solved,zero,1,1\n", "'residual'");
    refused(HEAD "p,lcp,99999999999,s,solved,0,1,1\n", "'n'");
    refused(HEAD ",lcp,2,s,solved,0,1,1\n", "empty");
    refused(HEAD "p,lcp,2,s,solved,0,1,1", "bad.csv:2: the last row is cut");
    refused(HEAD "p\"q,lcp,2,s,solved,0,1,1\n", "bad.csv:2");
}
END_TEST

START_TEST(a_cut_tail_is_dropped_when_resuming)
{
    cli *c = begin();
    cli_rows rows = {0}, none = {0};
    const char *cut = file_make("cut.csv", HEAD "p,lcp,2,s,solved,0,1,1\nq,lcp,\"2");
    ck_assert(cli_rows_read(c, cut, true, &rows));
    ck_assert_int_eq(rows.count, 1);
    ck_assert(cli_rows_read(c, file_make("head.csv", "problem,ki"), true, &none));
    ck_assert_int_eq(none.count, 0);
    ck_assert(!cli_rows_read(c, "/nowhere.csv", true, &none));
    cli_end();
}
END_TEST

START_TEST(sorting_is_stable)
{
    cli *c = begin();
    cli_rows rows = {0};
    for (int k = 0; k < 200; k++) {
        cli_rows_add(&c->arena, &rows)->run = (7 * k) % 10;
        rows.row[k].n = k;
    }
    cli_rows_sort(&c->arena, &rows);
    for (int k = 1; k < 200; k++) {
        ck_assert_int_le(rows.row[k - 1].run, rows.row[k].run);
        if (rows.row[k - 1].run == rows.row[k].run)
            ck_assert_int_lt(rows.row[k - 1].n, rows.row[k].n);
    }
    cli_end();
}
END_TEST

/* Rows first, first + 3, ... as a file. */
static const char *shard(cli *c, const cli_rows *all, int first, const char *name)
{
    cli_rows part = {0};
    const char *path = file_path(name);
    for (int k = first; k < all->count; k += 3) *cli_rows_add(&c->arena, &part) = all->row[k];
    ck_assert(cli_rows_save(c, path, &part));
    return path;
}

START_TEST(shards_come_together)
{
    cli *c = begin();
    cli_rows all = sample_rows(c), merged = {0}, wrong = {0}, twice = {0};
    const char *path[] = {shard(c, &all, 2, "2"), shard(c, &all, 0, "0"), shard(c, &all, 1, "1")};
    ck_assert(cli_rows_merge(c, 3, path, &merged));
    ck_assert_int_eq(merged.count, 6);
    for (int k = 0; k < 6; k++) ck_assert(cli_row_same(&merged.row[k], &all.row[k]));
    const char *again[] = {path[0], path[0]};
    ck_assert(!cli_rows_merge(c, 2, again, &twice));
    all.row[2].solver = "lcp/other";
    const char *mixed[] = {path[0], shard(c, &all, 2, "other")};
    ck_assert(!cli_rows_merge(c, 2, mixed, &wrong));
    cli_end();
    ck_assert_ptr_nonnull(strstr(call_err, "run 2 (d/p2 with lcp/a) is there twice"));
    ck_assert_ptr_nonnull(strstr(call_err, "not parts of one comparison"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_compare_rows");
    TCase *t = tcase_create("cli_compare_rows");
    tcase_add_test(t, a_row_reads_back);
    tcase_add_test(t, the_header_begins_as_promised);
    tcase_add_test(t, files_of_others_will_do);
    tcase_add_test(t, bad_files_are_refused_with_the_line);
    tcase_add_test(t, a_cut_tail_is_dropped_when_resuming);
    tcase_add_test(t, sorting_is_stable);
    tcase_add_test(t, shards_come_together);
    suite_add_tcase(s, t);
    int status = support_run(s);
    files_remove();
    call_free();
    return status;
}
