/* test_cli_assemble.c: problems from files of their matrices and vectors. */
#include "cli_support.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static const char matrix[] = "%%MatrixMarket matrix array real general\n2 2\n2\n1\n1\n2\n";
static const char sparse[] =
    "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2\n2 2 2\n1 2 1\n";
static const char *M, *q;

static void set_up(void)
{
    M = file_make("M.mtx", matrix);
    q = file_make("q.txt", "-5 -6\n");
}

static void reset(void)
{
    files_remove();
    call_free();
}

/* Two words as one; until the next call. */
static const char *joined(const char *before, const char *path)
{
    static char word[512];
    snprintf(word, sizeof word, "%s%s", before, path);
    return word;
}

START_TEST(parts_make_the_kind_that_has_them)
{
    const char *hi = file_make("hi.txt", "inf 1\n"), *mask = file_make("free.txt", "0 1\n");
    const char *S = file_make("S.mtx", sparse), *index = file_make("findex.txt", "-1 0\n");
    const char *mu = file_make("mu.txt", "0 0.5\n");
    char other[512];
    snprintf(other, sizeof other, "--q=%s", q);
    calls(CLI_DONE, "M: lcp, n = 2\nstatus     solved", NULL, "solve --M %s --q %s", M, q);
    ck_assert_ptr_null(strstr(call_out, "z[0]"));
    calls(CLI_DONE, "z[1]       2.333333333333333", NULL, "solve -z %s %s", joined("--M=", M),
          other);
    calls(CLI_DONE, "z[1]       1\n", NULL, "solve -z --M %s --q %s --hi %s", M, q, hi);
    calls(CLI_DONE, "M: mcp", NULL, "solve --M %s --q %s --findex %s --mu %s", M, q, index, mu);
    calls(CLI_DONE, "M: ncp", NULL, "solve --kind ncp --M %s --q %s", M, q);
    calls(CLI_DONE, "M: nnls", NULL, "solve --A %s --b %s", M, q);
    calls(CLI_DONE, "objective  1.6", NULL, "solve -z --A %s --b %s --free %s", M, q, mask);
    calls(CLI_DONE, "S: qp, n = 2", NULL, "solve --H %s --c %s", S, q);
    calls(CLI_DONE, "M: lcp", NULL, "solve --part %s --q %s", joined("M=", M), q);
}
END_TEST

START_TEST(parts_become_a_file)
{
    const char *out = file_path("out.perp");
    calls(CLI_DONE, NULL, NULL, "convert --M %s --q %s %s", M, q, out);
    calls(CLI_DONE, "z[0]       1.333333333333333", NULL, "solve -z %s", out);
    calls(CLI_WRONG, NULL, "expected OUT alone", "convert --M %s --q %s %s %s", M, q, out, out);
    calls(CLI_WRONG, NULL, "expected IN OUT", "convert %s", out);
}
END_TEST

START_TEST(wrong_parts_are_refused)
{
    const char *three = file_make("three.txt", "1 2 3\n"), *word = file_make("word.txt", "one");
    const char *far = file_make("far.txt", "-1 7\n");
    calls(CLI_WRONG, NULL, "q has 3 numbers, expected 2", "solve --M %s --q %s", M, three);
    calls(CLI_WRONG, NULL, "lcp with these parts needs --q too", "solve --M %s", M);
    calls(CLI_WRONG, NULL, "no kind of problem has all", "solve --W %s --xlo %s", M, q);
    calls(CLI_WRONG, NULL, "W has 2 rows, expected a multiple of 3", "solve --W %s --mu %s", M, q);
    calls(CLI_WRONG, NULL, "q is given twice", "solve --M %s --q %s --q %s", M, q, q);
    calls(CLI_WRONG, NULL, "is not NAME=FILE", "solve --part M");
    calls(CLI_WRONG, NULL, "a part 'Q'", "solve --part %s", joined("Q=", q));
    calls(CLI_WRONG, NULL, "'--q' needs a FILE", "solve --M %s --q", M);
    calls(CLI_WRONG, NULL, "exclude each other", "solve --M %s --q %s %s", M, q, q);
    calls(CLI_WRONG, NULL, "a part has two dashes: --q", "solve --M %s -q %s", M, q);
    calls(CLI_WRONG, NULL, "perp solve --M M.mtx --q q.mtx", "solve %s", M);
    calls(CLI_WRONG, NULL, "kind qp has no part 'M'", "solve --kind qp --M %s --q %s", M, q);
    calls(CLI_WRONG, NULL, "word.txt", "solve --M %s --q %s", M, word);
    calls(CLI_WRONG, NULL, "/none.mtx", "solve --M /none.mtx --q %s", q);
    calls(CLI_WRONG, NULL, "findex[1] = 7, expected an index", "solve --M %s --q %s --findex %s", M,
          q, far);
    calls(CLI_WRONG, NULL, "free[0] = -1, expected 0 or 1", "solve --A %s --b %s --free %s", M, q,
          far);
    calls(CLI_WRONG, NULL, "expected FILE..., or parts", "solve");
    calls(CLI_WRONG, NULL, "unknown option '--M'", "info --M %s", M);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_assemble");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, set_up, reset);
    tcase_add_test(t, parts_make_the_kind_that_has_them);
    tcase_add_test(t, parts_become_a_file);
    tcase_add_test(t, wrong_parts_are_refused);
    suite_add_tcase(s, t);
    return support_run(s);
}
