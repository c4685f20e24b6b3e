/* tests/io/test_text.c: perp's text format as a person writes it, and as one would spoil it. */
#include "files.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT PERP_FILE_TEXT

static perp_arena arena;

static void give_back(void)
{
    perp_arena_free(&arena);
}

static void are(int n, const double *x, const double *expected)
{
    for (int i = 0; i < n; i++) ck_assert_double_eq(x[i], expected[i]);
}

#define ARE(x, ...)                                                                                \
    are((int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), x, (const double[]){__VA_ARGS__})

static const char lcp[] = "# a problem\nperp 1 lcp # the kind\ntitle \"two \\\"by\\\" two\"\n"
                          "description \"first\nsecond \\x41\\\\\"\nM dense 2 2\n 2 1\n 1 3\n"
                          "q -5 -6\nsolution 1 2\nguess 0 0\nguess 3 4\nend\n# done";

START_TEST(an_lcp_with_everything)
{
    perp_file f = load_good(lcp, PERP_FILE_ANY, &arena);
    ck_assert(f.format == FORMAT && f.problem.kind == PERP_KIND_LCP && f.problem.as.lcp.n == 2);
    ck_assert_str_eq(f.title, "two \"by\" two");
    ck_assert_str_eq(f.description, "first\nsecond A\\");
    ARE(f.problem.as.lcp.M.as.dense.x, 2, 1, 1, 3);
    ARE(f.problem.as.lcp.q, -5, -6);
    ARE(f.solution, 1, 2);
    ck_assert_int_eq(f.guesses, 2);
    ARE(f.guess[1], 3, 4);
}
END_TEST

START_TEST(dense_matrices_are_written_by_rows)
{
    perp_file f =
        load_good("perp 1 nnls A dense 2 3  1 2 3  4 5 6  b 7 8 free 0 1 0 end", FORMAT, &arena);
    ARE(f.problem.as.nnls.A.as.dense.x, 1, 4, 2, 5, 3, 6);
    ARE(f.problem.as.nnls.b, 7, 8);
    const bool *mask = f.problem.as.nnls.is_free;
    ck_assert(!mask[0] && mask[1] && !mask[2]);
}
END_TEST

/* Columns in the order of the file, entries within a column too; duplicates stay. */
START_TEST(sparse_matrices_keep_their_order)
{
    perp_file f = load_good("perp 1 mcp q 0 0 0 lo -inf 0 -1 hi inf inf 1\n"
                            "M sparse 3 3\n 2 1 5\n 0 0 1\n 0 1 6\n 2 1 7\n end",
                            FORMAT, &arena);
    const perp_matrix *M = &f.problem.as.mcp.F.M;
    static const int p[] = {0, 1, 4, 4}, i[] = {0, 2, 0, 2};
    ck_assert(memcmp(M->as.csc.p, p, sizeof p) == 0 && memcmp(M->as.csc.i, i, sizeof i) == 0);
    ARE(M->as.csc.x, 1, 5, 6, 7);
    ARE(f.problem.as.mcp.lo, -INFINITY, 0, -1);
    ARE(f.problem.as.mcp.hi, INFINITY, INFINITY, 1);
}
END_TEST

START_TEST(blocks_are_written_by_rows)
{
    perp_file f = load_good("perp 1 fc3d mu 0.5 0.7 q 0 0 0 0 0 0 W blocks 6 6\n"
                            "1 0  1 2 3 4 5 6 7 8 9\n0 1  0 0 0 0 0 0 0 0 1 end",
                            FORMAT, &arena);
    const perp_matrix *W = &f.problem.as.fc3d.W;
    static const int p[] = {0, 1, 2}, j[] = {1, 0};
    ck_assert(memcmp(W->as.bsr3.p, p, sizeof p) == 0 && memcmp(W->as.bsr3.j, j, sizeof j) == 0);
    ARE(W->as.bsr3.x + 9, 1, 4, 7, 2, 5, 8, 3, 6, 9);
    ck_assert(f.problem.as.fc3d.contacts == 2 && f.problem.as.fc3d.form == PERP_FORM_LOCAL);
}
END_TEST

START_TEST(body_form_and_small_things)
{
    perp_file f = load_good("perp 1 fc3d mu 0.5 M dense 2 2 4 0 0 5 H sparse 2 3 0 0 1\n"
                            "G dense 2 1 1 0 b 3 f -1 -2 end",
                            FORMAT, &arena);
    const perp_fc3d *c = &f.problem.as.fc3d;
    ck_assert(c->form == PERP_FORM_BODY && c->contacts == 1 && c->G.n == 1 && !c->w);
    ARE(c->b, 3);
    f = load_good("perp 1 qp c 1 2 constant -3 end", FORMAT, &arena);
    ck_assert(f.problem.as.qp.n == 2 && f.problem.as.qp.m == 0 && f.constant == -3);
    f = load_good("perp 1 ncp M dense 1 1 2 q 3 end", FORMAT, &arena);
    ck_assert(f.problem.kind == PERP_KIND_NCP && f.problem.as.ncp.F.n == 1);
    f = load_good("perp 1 lcp end", FORMAT, &arena);
    ck_assert(f.problem.as.lcp.n == 0 && !f.title && !f.solution && f.guesses == 0);
    f = load_good("perp 1 mcp M dense 2 2 1 0 0 1 q 1 1 findex -1 0 mu 0 2 end", FORMAT, &arena);
    ck_assert_int_eq(f.problem.as.mcp.follows[1], 0);
}
END_TEST

START_TEST(refusals)
{
    load_bad("perp 2 lcp end", FORMAT, 1, "the version of the format, which is 1, found '2'");
    load_bad("perp", FORMAT, 1, "the version of the format, a whole number, but the file ends");
    load_bad("perps 1 lcp end", FORMAT, 1, "expected the word perp");
    load_bad("perp 1\nlpc end", FORMAT, 2, "a kind: lcp, ncp");
    load_bad("perp 1 lcp\nN 2", FORMAT, 2, "end, or one of title, solution, M, q, found 'N'");
    load_bad("perp 1 lcp\nM dense 1 1 2 q 3", FORMAT, 2, "the file ends");
    load_bad("perp 1 lcp M dense 1 1 2 q 3 end\nend", FORMAT, 2, "nothing after end, found 'end'");
    load_bad("perp 1 lcp M full 1 1 2", FORMAT, 1, "dense, sparse or blocks, found 'full'");
    load_bad("perp 1 lcp M dense -1 1 2", FORMAT, 1, "the number of rows, at least 0");
    load_bad("perp 1 lcp M dense 1 2 2 2", FORMAT, 1, "M has 2 columns, expected 1");
    load_bad("perp 1 lcp M dense 1 1 2\nq 3 4 end", FORMAT, 2, "q has 2 numbers, expected 1");
    load_bad("perp 1 lcp M dense 2 2 1 2 3\nq 3 4 end", FORMAT, 2, "an entry of a dense matrix");
    load_bad("perp 1 lcp M dense 1 1 2 M dense 1 1 2", FORMAT, 1, "M is given twice");
    load_bad("perp 1 lcp M dense 1 1 nan q 1 end", FORMAT, 1, "found 'nan'");
    load_bad("perp 1 lcp M dense 1 1 2 q inf end", FORMAT, 1, "q[0], a finite number, found 'inf'");
    load_bad("perp 1 lcp M dense 1 1 2 q 1x end", FORMAT, 1, "found '1x'");
    load_bad("perp 1 mcp M dense 1 1 2 q 1 lo nan end", FORMAT, 1, "found 'nan'");
    load_bad("perp 1 mcp M dense 1 1 2 q 1 lo 2 hi 1 end", FORMAT, 0, "is above");
    load_bad("perp 1 lcp M sparse 2 2 0 0 end", FORMAT, 1,
             "has 2 numbers, expected row, column and 1");
    load_bad("perp 1 lcp M sparse 2 2 0 2 1 end", FORMAT, 1, "the column of an entry in 0 .. 1");
    load_bad("perp 1 lcp M sparse 2 2 -1 0 1 end", FORMAT, 1, "the row of an entry in 0 .. 1");
    load_bad("perp 1 lcp M sparse 0 0 0 0 1 end", FORMAT, 1, "the row of an entry");
    load_bad("perp 1 lcp M blocks 2 2 end", FORMAT, 1, "multiples of 3");
    load_bad("perp 1 fc3d W dense 4 4 end", FORMAT, 1, "W has 4 rows, expected a multiple of 3");
    load_bad("perp 1 fc3d q 0 0 0 f 0 end", FORMAT, 1, "f belongs to the body form");
    load_bad("perp 1 fc3d mu 1 q 0 0 0 end", FORMAT, 0, "W is missing");
    load_bad("perp 1 fc3d b 1 end", FORMAT, 1, "expected G, since b is given");
    load_bad("perp 1 nnls b 1 end", FORMAT, 0, "A is missing");
    load_bad("perp 1 nnls A dense 1 1 1 b 1 free 2 end", FORMAT, 1, "free[0] in 0 .. 1");
    load_bad("perp 1 lcp q 1 end", FORMAT, 0, "M is missing");
    load_bad("perp 1 lcp M dense 1 1 1 end", FORMAT, 0, "q is missing, expected 1 numbers");
    load_bad("perp 1 lcp M dense 1 1 1 q 1 solution 1 2 end", FORMAT, 1, "solution has 2 numbers");
    load_bad("perp 1 lcp M dense 1 1 1 q 1 guess 1 guess 1 2 end", FORMAT, 1,
             "guess has 2 numbers");
    load_bad("perp 1 lcp title two end", FORMAT, 1, "text in quotes, found 'two'");
    load_bad("perp 1 lcp title \"two end", FORMAT, 1, "the closing quote of title");
    load_bad("perp 1 lcp title \"\\n\" end", FORMAT, 1, "a bad escape");
    load_bad("perp 1 lcp title \"\\x00\" end", FORMAT, 1, "a bad escape");
    load_bad("perp 1 lcp title \"a\" title \"b\" end", FORMAT, 1, "title is given twice");
    load_bad("perp 1 lcp solution solution end", FORMAT, 1, "solution is given twice");
    load_bad("perp 1 qp c 1 constant 1 constant 1 end", FORMAT, 1, "constant is given twice");
}
END_TEST

START_TEST(huge_sizes)
{
    load_bad("perp 1 lcp M dense 10000 10000 1", FORMAT, 1, "bytes are left in the file");
    load_bad("perp 1 nnls A dense 2147483647 0 b end", FORMAT, 1, "is not plausible for A");
    load_bad("perp 1 nnls A dense 0 2147483647 b end", FORMAT, 1, "is not plausible for A");
    load_bad("perp 1 lcp M sparse 2000000000 2000000000 q 1", FORMAT, 1, "is not plausible for M");
    load_bad("perp 1 lcp M blocks 2000000001 2000000001 q 1", FORMAT, 1, "is not plausible for M");
    load_bad("perp 1 lcp M dense 99999999999 1 q 1", FORMAT, 1, "the number of rows");
    char text[2000] = "perp 1 lcp";
    for (int k = 0; k < 65; k++) strcat(text, " guess 1");
    load_bad(text, FORMAT, 1, "at most 64 guesses");
}
END_TEST

/* The last word is always missed. */
START_TEST(cut_short)
{
    size_t last = (size_t)(strstr(lcp, "end") - lcp) + 3;
    for (size_t k = 0; k < last; k++) {
        perp_file f;
        perp_error e;
        char *part = malloc(k + 1);
        memcpy(part, lcp, k);
        perp_load_options o = {.format = FORMAT};
        ck_assert_msg(perp_load_memory(part, k, "cut", &o, &arena, &f, &e) == PERP_E_FILE,
                      "%.*s accepted", (int)k, lcp);
        free(part);
    }
}
END_TEST

START_TEST(the_kind_asked_for)
{
    perp_file f;
    perp_error e;
    perp_load_options o = {.has_kind = true, .kind = PERP_KIND_LCP};
    ck_assert_int_eq(perp_load_memory(lcp, strlen(lcp), "x", &o, &arena, &f, &e), PERP_SOLVED);
    o.kind = PERP_KIND_QP;
    ck_assert_int_eq(perp_load_memory(lcp, strlen(lcp), "x", &o, &arena, &f, &e), PERP_E_FILE);
    ck_assert_ptr_nonnull(strstr(e.text, "kind lcp, which is not the one asked for"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("text");
    TCase *t = tcase_create("text");
    tcase_add_checked_fixture(t, NULL, give_back);
    tcase_add_test(t, an_lcp_with_everything);
    tcase_add_test(t, dense_matrices_are_written_by_rows);
    tcase_add_test(t, sparse_matrices_keep_their_order);
    tcase_add_test(t, blocks_are_written_by_rows);
    tcase_add_test(t, body_form_and_small_things);
    tcase_add_test(t, refusals);
    tcase_add_test(t, huge_sizes);
    tcase_add_test(t, cut_short);
    tcase_add_test(t, the_kind_asked_for);
    suite_add_tcase(s, t);
    return support_run(s);
}
