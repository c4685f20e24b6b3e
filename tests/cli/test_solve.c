/* test_cli_solve.c: results, formats, limits and exit statuses. */
#include "cli_support.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void reset(void)
{
    files_remove();
    call_free();
}

START_TEST(an_lcp_is_solved)
{
    const char *path = file_make("easy.dat", lcp_easy);
    calls(CLI_DONE, "status     solved", NULL, "solve %s", path);
    calls(CLI_DONE, "\"status\": \"solved\", \"residual\": ", NULL, "solve --json %s", path);
    ck_assert_ptr_nonnull(
        strstr(call_out, "\"kind\": \"lcp\", \"n\": 2, \"solver\": \"lcp/auto\""));
    calls(CLI_DONE,
          "problem,kind,n,solver,status,residual,iterations,seconds,model_residual,residual_"
          "version\n",
          NULL, "solve --csv -s lcp/lemke %s", path);
    ck_assert_ptr_nonnull(strstr(call_out, ",lcp,2,lcp/lemke,solved,"));
    calls(CLI_DONE, "\"z\": [1.333333333333333", NULL, "solve --json --solution %s", path);
    calls(CLI_DONE, "z[0]       1.333333333333333", NULL, "solve -z %s", path);
}
END_TEST

START_TEST(a_program_has_an_objective)
{
    const char *qp = file_make("qp.qps", "NAME T\nROWS\n N c\nCOLUMNS\n x c -2\nRHS\n r c -5\n"
                                         "QUADOBJ\n x x 2\nENDATA\n");
    calls(CLI_DONE, "\"detail\": \"\", \"objective\": 4,", NULL, "solve --json %s", qp);
    calls(CLI_DONE, "objective  4\n", NULL, "solve %s", qp);
    const char *lcp = file_make("easy.dat", lcp_easy);
    calls(CLI_DONE, "solved", NULL, "solve --json %s", lcp);
    ck_assert_ptr_null(strstr(call_out, "objective"));
}
END_TEST

/* Friction pyramids instead of cones: both residuals are printed. */
START_TEST(an_approximation_shows_both_residuals)
{
    const char *path = file_make("slides.perp", "perp 1 fc3d\nmu 0.5\nW dense 3 3\n1 0 0\n0 1 0\n"
                                                "0 0 1\nq -1 3 4\nend\n");
    calls(CLI_UNSOLVED, "\"model_residual\": ", NULL, "solve --json -s fc3d/nsgs:local=lemke %s",
          path);
    calls(CLI_UNSOLVED, "\nmodel      ", NULL, "solve -s fc3d/facets %s", path);
    ck_assert_ptr_nonnull(strstr(call_out, "pyramids of 8 edges"));
    calls(CLI_UNSOLVED, "uncertified", NULL, "solve --csv -s fc3d/facets %s", path);
    ck_assert_ptr_null(strstr(call_out, ",,2\n"));
    calls(CLI_DONE, "solved", NULL, "solve --csv %s", path);
    ck_assert_ptr_nonnull(strstr(call_out, ",,2\n"));
    calls(CLI_DONE, "solved", NULL, "solve --json %s", path);
    ck_assert_ptr_null(strstr(call_out, "model_residual"));
}
END_TEST

START_TEST(options_reach_the_solver)
{
    const char *path = file_make("easy.dat", lcp_easy);
    calls(CLI_DONE, "\"solver\": \"lcp/psor\"", NULL, "solve --json -s psor:omega=1.2 -t 1e-4 %s",
          path);
    ck_assert_ptr_nonnull(strstr(call_out, "\"tol\": 0.0001"));
    calls(CLI_UNSOLVED, "\"status\": \"max_iter\"", NULL,
          "solve --json -s lcp/psor --max-iter=1 --tol=1e-12 %s", path);
    calls(CLI_UNSOLVED, "max_iter", NULL, "solve -s lcp/psor:max_iter=0 -T 5 -j 2 %s", path);
    calls(CLI_DONE, "solved", "certified", "solve -v -s lcp/psor %s", path);
}
END_TEST

START_TEST(what_has_no_solution)
{
    const char *path = file_make("none.dat", lcp_infeasible);
    calls(CLI_UNSOLVED, "\"status\": \"infeasible\"", NULL, "solve --json -s lcp/newton_fb %s",
          path);
    int status = call("solve --json %s", path);
    ck_assert_int_eq(status, CLI_UNSOLVED);
}
END_TEST

/* -o writes the vector that the status speaks of, and perp certify accepts it. */
START_TEST(the_proof_is_written_and_read)
{
    const char *lcp = file_make("none.dat", lcp_infeasible), *y = file_path("y.txt");
    calls(CLI_UNSOLVED, "proof      not written; -o FILE keeps it", NULL, "solve %s", lcp);
    calls(CLI_UNSOLVED, "proof      checked by: perp certify --claim=infeasible ", NULL,
          "solve -s newton_fb -o %s %s", y, lcp);
    calls(CLI_DONE, "infeasible", NULL, "certify --claim=infeasible %s %s", lcp, y);
    char *text = file_read(y);
    ck_assert_int_eq(strncmp(text, "# perp: residual version 2, infeasible\n", 39), 0);
    free(text);
    calls(CLI_DONE, "infeasible", "judged by residuals of version 1; these are of version 2",
          "certify --claim=infeasible %s %s", lcp,
          file_make("old.txt", "# perp: residual version 1, infeasible\n1 0\n"));
    calls(CLI_UNSOLVED, "\"written\": \"proof\"", NULL, "solve --json -z -s newton_fb -o %s %s", y,
          lcp);
    ck_assert_ptr_nonnull(strstr(call_out, "\"proof\": ["));
    calls(CLI_UNSOLVED, "proof[0]", NULL, "solve -z -s newton_fb %s", lcp);
    /* min -x over x >= 0 */
    const char *qp = file_make("down.qps", "NAME T\nROWS\n N c\nCOLUMNS\n x c -1\nENDATA\n");
    calls(CLI_UNSOLVED, "--claim=unbounded ", NULL, "solve -o %s %s", y, qp);
    calls(CLI_DONE, "unbounded", NULL, "certify --claim=unbounded %s %s", qp, y);
    /* a ray, although z = (7, 2) is a solution */
    const char *ray = file_make("ray.dat", "2\n0\n2\n2\n2\t2\n0 1\n-1 -2\n2 -3\n");
    calls(CLI_UNSOLVED, "--claim=ray ", NULL, "solve -s lemke -o %s %s", y, ray);
    calls(CLI_DONE, "ray", NULL, "certify --claim=ray %s %s", ray, y);
    const char *easy = file_make("easy.dat", lcp_easy);
    calls(CLI_DONE, "\"written\": \"z\"", NULL, "solve --json -z -o %s %s", y, easy);
    ck_assert_ptr_null(strstr(call_out, "proof"));
}
END_TEST

START_TEST(z_is_written_and_read)
{
    const char *path = file_make("easy.dat", lcp_easy), *z = file_path("z.txt");
    calls(CLI_DONE, "solved", NULL, "solve -o %s %s", z, path);
    char *text = file_read(z);
    ck_assert_ptr_nonnull(text);
    ck_assert_ptr_nonnull(strstr(text, "1.333333333333333"));
    ck_assert_int_eq(strncmp(text, "# perp: residual version 2, solved\n", 35), 0);
    free(text);
    calls(CLI_DONE, "solved", NULL, "certify %s %s", path, z);
    calls(CLI_DONE, "\"iterations\": 0", NULL, "solve --json -s lcp/psor --start %s %s", z, path);
    const char *short_one = file_make("short.txt", "1\n");
    calls(CLI_WRONG, NULL, "expected 2 numbers, found 1", "solve --start %s %s", short_one, path);
    calls(CLI_WRONG, NULL, "no guess is stored", "solve --start guess %s", path);
    calls(CLI_WRONG, NULL, "/nonexistent/z", "solve -o /nonexistent/z %s", path);
}
END_TEST

START_TEST(several_files)
{
    const char *a = file_make("a.dat", lcp_easy), *b = file_make("b.dat", lcp_singular);
    const char *bad = file_make("bad.dat", "2\n0\n2\n2\n2\t2\n2 1\n1 x\n-5 -6\n");
    calls(CLI_DONE, "\"n\": 3", NULL, "solve --json %s %s", a, b);
    ck_assert_ptr_nonnull(strstr(call_out, "}\n{"));
    calls(CLI_WRONG, "\"n\": 3", "bad.dat:7: ", "solve --json %s %s", bad, b);
    calls(CLI_WRONG, NULL, "one FILE only", "solve -o z %s %s", a, b);
}
END_TEST

START_TEST(quiet_leaves_the_exit_status)
{
    const char *a = file_make("a.dat", lcp_easy), *none = file_make("none.dat", lcp_infeasible);
    calls(CLI_DONE, NULL, NULL, "solve --quiet %s %s", a, a);
    calls(CLI_UNSOLVED, NULL, NULL, "solve -q %s %s", a, none);
    calls(CLI_WRONG, NULL, "/none.dat", "solve -q /none.dat");
    calls(CLI_WRONG, NULL, "--quiet prints nothing", "solve -q --json %s", a);
}
END_TEST

START_TEST(wrong_calls_are_refused)
{
    const char *path = file_make("easy.dat", lcp_easy);
    calls(CLI_WRONG, NULL, "did you mean 'lcp/psor'?", "solve -s lcp/psr %s", path);
    calls(CLI_WRONG, NULL, "did you mean 'omega'?", "solve -s lcp/psor:omga=1 %s", path);
    const char *qp = file_make("qp.qps", "NAME T\nROWS\n N c\nCOLUMNS\n x c 1\nENDATA\n");
    calls(CLI_WRONG, NULL, "this one is qp", "solve -s lcp/psor %s", qp);
    calls(CLI_WRONG, NULL, "exclude each other", "solve --json --csv %s", path);
    calls(CLI_WRONG, NULL, "-t: -1 is less than 0", "solve -t -1 %s", path);
    calls(CLI_WRONG, NULL, "did you mean 'lcp'?", "solve --kind=lpc %s", path);
    calls(CLI_WRONG, NULL, "expected FILE...", "solve");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_solve");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, NULL, reset);
    tcase_add_test(t, an_lcp_is_solved);
    tcase_add_test(t, a_program_has_an_objective);
    tcase_add_test(t, an_approximation_shows_both_residuals);
    tcase_add_test(t, options_reach_the_solver);
    tcase_add_test(t, what_has_no_solution);
    tcase_add_test(t, the_proof_is_written_and_read);
    tcase_add_test(t, z_is_written_and_read);
    tcase_add_test(t, several_files);
    tcase_add_test(t, quiet_leaves_the_exit_status);
    tcase_add_test(t, wrong_calls_are_refused);
    suite_add_tcase(s, t);
    return support_run(s);
}
