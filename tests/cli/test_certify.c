/* test_cli_certify.c: anybody's solution is judged. */
#include "cli_support.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void reset(void)
{
    files_remove();
    call_free();
}

START_TEST(right_and_wrong_solutions)
{
    const char *path = file_make("easy.dat", lcp_easy);
    const char *right = file_make("right.txt", "1.3333333333333333 2.3333333333333333\n");
    const char *wrong = file_make("wrong.txt", "1.3 2.3\n");
    calls(CLI_DONE, "status          solved", NULL, "certify %s %s", path, right);
    calls(CLI_UNSOLVED, "status          uncertified", NULL, "certify %s %s", path, wrong);
    /* w = (-0.1, -0.1), |q| = sqrt(61) */
    ck_assert_ptr_nonnull(strstr(call_out, "residual        1.811e-02"));
    ck_assert_ptr_nonnull(strstr(call_out, "dual            1.000e-01"));
    calls(CLI_DONE, "\"status\": \"solved\"", NULL, "certify --json --tol=0.1 %s %s", path, wrong);
    calls(CLI_UNSOLVED, ",lcp,2,uncertified,0.0181", NULL, "certify --csv %s %s", path, wrong);
}
END_TEST

START_TEST(proofs)
{
    const char *path = file_make("none.dat", lcp_infeasible);
    const char *y = file_make("y.txt", "1 0\n"), *no = file_make("no.txt", "0 1\n");
    calls(CLI_DONE, "status          infeasible", NULL, "certify --claim=infeasible %s %s", path,
          y);
    calls(CLI_UNSOLVED, "uncertified", NULL, "certify -c infeasible %s %s", path, no);
}
END_TEST

/* z* = (4/3, 7/3) of an H-matrix; (1.3, 2.3) is 0.0471 away. */
START_TEST(distances)
{
    const char *path = file_make("easy.dat", lcp_easy),
               *wrong = file_make("wrong.txt", "1.3 2.3\n");
    const char *many = file_make("many.dat", lcp_infeasible), *z = file_make("z.txt", "0 0\n");
    calls(CLI_UNSOLVED, "distance        <= 4.71", NULL, "certify --distance %s %s", path, wrong);
    ck_assert_ptr_nonnull(strstr(call_out, "of the solution ("));
    calls(CLI_UNSOLVED, "\"distance_of\": \"the solution\"", NULL, "certify -d --json %s %s", path,
          wrong);
    ck_assert_ptr_nonnull(strstr(call_out, "\"distance\": 0.0471"));
    ck_assert_ptr_nonnull(strstr(call_out, "\"distance_detail\": null"));
    calls(CLI_UNSOLVED, ",the solution,", NULL, "certify -d --csv %s %s", path, wrong);
    ck_assert_ptr_nonnull(strstr(call_out, ",distance,distance_of,distance_by\n"));
    calls(CLI_UNSOLVED, "distance        not offered: M is no H-matrix", NULL, "certify -d %s %s",
          many, z);
    calls(CLI_UNSOLVED, "\"distance\": null, \"distance_of\": null", NULL,
          "certify -d --json %s %s", many, z);
    calls(CLI_UNSOLVED, "status", NULL, "certify --json %s %s", path, wrong);
    ck_assert_ptr_null(strstr(call_out, "distance"));
}
END_TEST

/* The parts of a problem in files of their own judge z as the problem's one file does. */
START_TEST(parts_take_the_place_of_a_file)
{
    const char *M =
        file_make("M.mtx", "%%MatrixMarket matrix array real general\n2 2\n2\n1\n1\n2\n");
    const char *q = file_make("q.txt", "-5 -6\n"), *wrong = file_make("wrong.txt", "1.3 2.3\n");
    const char *right = file_make("right.txt", "1.3333333333333333 2.3333333333333333\n");
    calls(CLI_DONE, "status          solved", NULL, "certify --M %s --q %s %s", M, q, right);
    calls(CLI_UNSOLVED, "residual        1.811e-02", NULL, "certify --M %s --q %s %s", M, q, wrong);
    calls(CLI_UNSOLVED, "distance        <= 4.71", NULL, "certify -d --q %s --M %s %s", q, M,
          wrong);
    calls(CLI_WRONG, NULL, "no solution is stored in it; name a file Z", "certify --M %s --q %s", M,
          q);
    calls(CLI_WRONG, NULL, "expected Z alone", "certify --M %s --q %s %s %s", M, q, right, wrong);
    calls(CLI_WRONG, NULL, "expected Z, or Z and X", "certify --M %s --q %s %s %s %s", M, q, right,
          right, right);
    calls(CLI_WRONG, NULL, "needs --q too", "certify --M %s %s", M, right);
    calls(CLI_WRONG, NULL, "expected FILE, or parts of a problem", "certify");
}
END_TEST

/* A qp without an upper bound: min -x, x >= 0; the direction and the point are Z and X. */
START_TEST(parts_and_a_feasible_point)
{
    const char *H = file_make("H.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 0\n");
    const char *c = file_make("c.txt", "-1\n"), *xlo = file_make("xlo.txt", "0\n");
    const char *d = file_make("d.txt", "1\n"), *x = file_make("x.txt", "3\n");
    calls(CLI_DONE, "status          unbounded", NULL,
          "certify --claim=unbounded --H %s --c %s --xlo %s %s %s", H, c, xlo, d, x);
    calls(CLI_UNSOLVED, "uncertified", NULL,
          "certify --claim=unbounded --H %s --c %s --xlo %s %s %s", H, c, xlo, d, c);
}
END_TEST

START_TEST(wrong_calls_are_refused)
{
    const char *path = file_make("easy.dat", lcp_easy), *z = file_make("z.txt", "1 2 3\n");
    calls(CLI_WRONG, NULL, "expected 2 numbers, found 3", "certify %s %s", path, z);
    calls(CLI_WRONG, NULL, "no solution is stored", "certify %s", path);
    calls(CLI_WRONG, NULL, "standard input", "certify - -");
    calls(CLI_WRONG, NULL, "is none of", "certify --claim=good %s %s", path, z);
    const char *y = file_make("y.txt", "1 0\n");
    calls(CLI_WRONG, NULL, "--distance measures a solution", "certify -d -c infeasible %s %s", path,
          y);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_certify");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, NULL, reset);
    tcase_add_test(t, right_and_wrong_solutions);
    tcase_add_test(t, proofs);
    tcase_add_test(t, distances);
    tcase_add_test(t, parts_take_the_place_of_a_file);
    tcase_add_test(t, parts_and_a_feasible_point);
    tcase_add_test(t, wrong_calls_are_refused);
    suite_add_tcase(s, t);
    return support_run(s);
}
