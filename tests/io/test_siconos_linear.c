/* tests/io/test_siconos_linear.c: LCPs, relays and mixed LCPs in .dat files. */
#include "files.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FORMAT PERP_FILE_SICONOS

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

static const char lcp[] = "2\n0\n2\n2\n2\t2\n2 0\n1 3\n-5 -6\n";
static const char relay[] = "2\n0\n2\n2\n2\t2\n2 0\n1 3\n-5 -6\n-1 -1\n1 1\n";
static const char mlcp[] = "1\n1\n1\n2\n0 1 3 \n0 1 \n0\n3\n3\n3\t3\n1 4 7\n2 5 8\n3 6 9\n"
                           "-1 -2 -3\n1\n5 6\n8 9\n2 3\n4\n7\n-1\n-2 -3\n";

START_TEST(linear_problems)
{
    perp_file f = load_good(lcp, PERP_FILE_ANY, &arena);
    ck_assert(f.format == FORMAT && f.problem.kind == PERP_KIND_LCP && f.problem.as.lcp.n == 2);
    ARE(f.problem.as.lcp.M.as.dense.x, 2, 0, 1, 3);
    ARE(f.problem.as.lcp.q, -5, -6);
    f = load_good("0 0 0 0 0 0", FORMAT, &arena);
    ck_assert(f.problem.kind == PERP_KIND_LCP && f.problem.as.lcp.n == 0);
    f = load_good("1 0 1 1 1 1 2 -1", FORMAT, &arena);
    ck_assert(f.problem.kind == PERP_KIND_LCP && f.problem.as.lcp.n == 1);
    f = load_good("1 1 1 1 1 1 1 1 1 2 1 0 1 0 0 2 -1", FORMAT, &arena); /* blocks, n = 1 */
    ck_assert(f.problem.kind == PERP_KIND_LCP && f.problem.as.lcp.n == 1);
    f = load_good("2 1 2 2 1 1 1 2 2 2 1 0 1 0 0 2 0 1 3 -5 -6", FORMAT, &arena);
    ck_assert(f.problem.kind == PERP_KIND_LCP && f.problem.as.lcp.M.format == PERP_FORMAT_CSC);
    ARE(f.problem.as.lcp.q, -5, -6);
}
END_TEST

START_TEST(relays)
{
    perp_file f = load_good(relay, FORMAT, &arena);
    ck_assert(f.problem.kind == PERP_KIND_MCP && f.problem.as.mcp.F.n == 2);
    ARE(f.problem.as.mcp.F.q, -5, -6);
    ARE(f.problem.as.mcp.lo, -1, -1);
    ARE(f.problem.as.mcp.hi, 1, 1);
    f = load_good("1 0 1 1 1 1 2 -1 -inf 3", FORMAT, &arena);
    ck_assert(f.problem.kind == PERP_KIND_MCP && f.problem.as.mcp.lo[0] == -INFINITY);

    /* Bounds that cross are none, and a relay is no LCP whose last numbers may be skipped. */
    load_bad("2\n0\n2\n2\n2\t2\n2 0\n1 3\n-5 -6\n1 1\n-1 -1\n", FORMAT, 9,
             "4 numbers are left behind an LCP with n = 2, the first is '1'");
    load_bad("1 0 1 1 1 1 2 -1 nan 3", FORMAT, 1, "2 numbers are left behind an LCP with n = 1");
    load_bad("2\n0\n2\n2\n2\t2\n2 0\n1 3\n-5 -6\n-1 -1\n1 1\n0\n", FORMAT, 9, "5 numbers");
    perp_error e;
    perp_load_options o = {.format = FORMAT, .has_kind = true, .kind = PERP_KIND_LCP};
    ck_assert_int_eq(perp_load_memory(relay, strlen(relay), NULL, &o, &arena, &f, &e), PERP_E_FILE);
    ck_assert_ptr_nonnull(strstr(e.text, "4 numbers are left behind an LCP"));
    o.kind = PERP_KIND_MCP;
    ck_assert_int_eq(perp_load_memory(relay, strlen(relay), NULL, &o, &arena, &f, &e), 0);
    ck_assert_int_eq(f.problem.kind, PERP_KIND_MCP);
    ck_assert_ptr_null(f.problem.name);
    ck_assert_int_eq(perp_load_memory(lcp, strlen(lcp), NULL, &o, &arena, &f, &e), PERP_E_FILE);
    ck_assert_ptr_nonnull(strstr(e.text, "expected lb"));
    o.kind = PERP_KIND_FC3D;
    ck_assert_int_eq(perp_load_memory(lcp, strlen(lcp), NULL, &o, &arena, &f, &e), PERP_E_FILE);
    o.kind = PERP_KIND_QP;
    ck_assert_int_eq(perp_load_memory(lcp, strlen(lcp), NULL, &o, &arena, &f, &e), PERP_E_FILE);
}
END_TEST

START_TEST(mixed_problems)
{
    perp_file f = load_good(mlcp, FORMAT, &arena);
    ck_assert(f.problem.kind == PERP_KIND_MCP && f.problem.as.mcp.F.n == 3);
    ARE(f.problem.as.mcp.F.M.as.dense.x, 1, 4, 7, 2, 5, 8, 3, 6, 9);
    ARE(f.problem.as.mcp.F.q, -1, -2, -3);
    ARE(f.problem.as.mcp.lo, -INFINITY, 0, 0);
    ck_assert_ptr_null(f.problem.as.mcp.hi);

    /* A, B, C, D, a, b alone: M = [A C; D B], each by rows. */
    perp_file parts = load_good("0 1 1 2  1  5 6 8 9  2 3  4 7  -1  -2 -3", FORMAT, &arena);
    ck_assert_ptr_null(files_differ(&f, &parts, false));

    /* Equalities last: rows 0 and 1 are complementary, row 2 is not. */
    f = load_good("1 0 1 2 0 2 3 1 0 0 3 3 3 3 1 4 7 2 5 8 3 6 9 -1 -2 -3", FORMAT, &arena);
    ARE(f.problem.as.mcp.lo, 0, 0, -INFINITY);
    /* The first numbers of the smallest are those of an LCP too. */
    f = load_good("1 1 1 1 0 1 2 0 1 0 2 2 2 2 1 0 -1 1 -1 1 1 1 -1 0 -1 1 0 0", FORMAT, &arena);
    ck_assert(f.problem.kind == PERP_KIND_MCP && f.problem.as.mcp.F.n == 2);

    load_bad("1 0 1 2 0 2 3 1 1 0 3 3 3 3 1 4 7 2 5 8 3 6 9 -1 -2 -3", FORMAT, 1,
             "1 equalities, found 0");
    load_bad("1 0 1 2 0 2 4 1 0 0 3 3 3 3 1 4 7 2 5 8 3 6 9 -1 -2 -3", FORMAT, 1,
             "next block, which is 3");
    load_bad("1 0 1 2 0 2 2 1 0 0 3 3 3 3 1 4 7 2 5 8 3 6 9 -1 -2 -3", FORMAT, 1, "next block");
    load_bad("1 0 1 2 0 1 3 0 1\n0 2 3 2 3 1 4 2 5 3 6 -1 -2 -3", FORMAT, 2,
             "M is 2 x 3, expected at least 3 rows");
    load_bad("1 1 1 2 0 1 3 0 1 0 3 3 3 3 1 4 7 2 5 8 3 6 9 -1 -2 -3\n1 2 3", FORMAT, 1,
             "A, B, C, D");
}
END_TEST

/* Its first numbers 1 1 1 1 0 1 are an LCP of one unknown with no blocks and q = 1, too, which z =
 * 0 solves. */
START_TEST(more_equations_than_unknowns)
{
    static const char tall[] = "1\n1\n1\n1\n0 1 2 \n0 1 \n0\n3\n2\n3\t2\n1 -2 3\n-1 -2 5\n"
                               "0 4\n1\n5\n-1\n3\n0\n-8\n";
    load_bad(tall, FORMAT, 19, "a mixed LCP (MLCP) whose M is 3 x 2, which perp does not read");
    char more[200];
    snprintf(more, sizeof more, "%s1.0 1.0 0.0\n", tall); /* a solution, as stored files have it */
    load_bad(more, FORMAT, 19, "whose M is 3 x 2");
    perp_file f = load_good("1 1 1 1 0 1", FORMAT, &arena);
    ck_assert(f.problem.kind == PERP_KIND_LCP && f.problem.as.lcp.n == 1);
    load_bad("1 1 1 1 0 1 2", FORMAT, 1, "the file ends");
    load_bad("1 1 1 1 0 7 8", FORMAT, 1, "1 number is left behind an LCP with n = 1");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("siconos_linear");
    TCase *t = tcase_create("siconos_linear");
    tcase_add_checked_fixture(t, NULL, give_back);
    tcase_add_test(t, linear_problems);
    tcase_add_test(t, relays);
    tcase_add_test(t, mixed_problems);
    tcase_add_test(t, more_equations_than_unknowns);
    suite_add_tcase(s, t);
    return support_run(s);
}
