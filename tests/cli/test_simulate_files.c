/* test_cli_simulate_files.c: rows of steps, measures and bodies; problems that can be solved. */
#include "cli_support.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void reset(void)
{
    files_remove();
    call_free();
}

/* "40:FILE" */
static const char *at_step(const char *path, char text[600])
{
    snprintf(text, 600, "40:%s", path);
    return text;
}

static int lines(const char *text)
{
    int count = 0;
    for (; *text; text++) count += *text == '\n';
    return count;
}

START_TEST(rows_are_written)
{
    const char *csv = file_path("a.csv"), *measures = file_path("b.csv"),
               *bodies = file_path("c.csv");
    calls(CLI_DONE, "steps", NULL,
          "simulate settling --set=spheres=7 --steps=10 --csv %s --measures %s --bodies %s "
          "--every=5",
          csv, measures, bodies);
    char *a = file_read(csv), *b = file_read(measures), *c = file_read(bodies);
    ck_assert_int_eq(strncmp(a,
                             "step,time,contacts,iterations,residual,kinetic,potential,total,"
                             "overlap,t_collide,t_assemble,t_solve\n1,0.02,",
                             106),
                     0);
    ck_assert_int_eq(lines(a), 11);
    ck_assert_int_eq(strncmp(b, "step,time,top,speed,closed\n0,0,", 31), 0);
    ck_assert_int_eq(lines(b), 12);
    ck_assert_int_eq(lines(c), 1 + 3 * 7);
    free(a);
    free(b);
    free(c);
    calls(CLI_DONE, "step,time,contacts", NULL, "simulate column --steps=3 --csv=-");
    ck_assert_ptr_null(strstr(call_out, "real time"));
    calls(CLI_WRONG, NULL, "measures nothing", "simulate column --measures=-");
    calls(CLI_WRONG, NULL, "cannot be written", "simulate column --csv=/nonexistent/a.csv");
}
END_TEST

START_TEST(pictures_are_written)
{
    const char *dir = file_path("pictures");
    char path[600];
    calls(CLI_DONE, "steps", NULL,
          "simulate column --steps=25 --every=10 --forces --pictures %s --vtk %s", dir, dir);
    const char *const names[] = {"column_000000.svg", "column_000010.svg", "column_000020.svg",
                                 "column_000025.svg", "column_000000.vtp", "column_000010.vtp",
                                 "column_000020.vtp", "column_000025.vtp", "column.pvd"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(path, sizeof path, "%s/%s", dir, names[k]);
        char *text = file_read(path);
        ck_assert_msg(text && strstr(text, strstr(path, ".svg") ? "</svg>" : "</VTKFile>"), "%s",
                      path);
        free(text);
        unlink(path);
    }
    rmdir(dir);
}
END_TEST

/* At rest the last step's impulses are nearly this one's. */
START_TEST(problems_have_their_start)
{
    const char *path = file_path("start.perp");
    char text[600];
    snprintf(text, sizeof text, "400:%s", path);
    calls(CLI_DONE, "steps", NULL,
          "simulate settling --set=spheres=20 --solver=fc3d/nsgs --tol=1e-6 --steps=400 --dump %s",
          text);
    calls(CLI_DONE, "solved", NULL, "solve -s fc3d/nsgs -t 1e-2 -m 0 --start=guess %s", path);
    calls(CLI_UNSOLVED, "max_iter", NULL, "solve -s fc3d/nsgs -t 1e-2 -m 0 %s", path);
}
END_TEST

START_TEST(problems_are_written)
{
    const char *fc3d = file_path("fc3d.perp"), *lcp = file_path("lcp.perp");
    char text[600];
    calls(CLI_DONE, "steps", NULL, "simulate settling --set=spheres=20 --steps=40 --dump %s",
          at_step(fc3d, text));
    calls(CLI_DONE, "fc3d, n = ", NULL, "solve %s", fc3d);
    calls(CLI_DONE, "steps", NULL,
          "simulate settling --set=spheres=20 --set=mu=0 --steps=40 --dump %s", at_step(lcp, text));
    calls(CLI_DONE, "lcp, n = ", NULL, "solve %s", lcp);
    calls(CLI_WRONG, NULL, "expected STEP:FILE", "simulate column --dump=a.perp");
    calls(CLI_WRONG, NULL, "expected STEP:FILE", "simulate column --dump=0:a.perp");
    calls(CLI_WRONG, "steps", "/nonexistent/a.perp",
          "simulate column --dump=1:/nonexistent/a.perp");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_simulate_files");
    TCase *c = tcase_create("files");
    tcase_add_checked_fixture(c, NULL, reset);
    tcase_add_test(c, rows_are_written);
    tcase_add_test(c, pictures_are_written);
    tcase_add_test(c, problems_have_their_start);
    tcase_add_test(c, problems_are_written);
    suite_add_tcase(s, c);
    return support_run(s);
}
