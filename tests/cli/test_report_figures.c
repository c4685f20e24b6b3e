/* test_cli_report_figures.c: the curves of profiles and histories, point by point. */
#include "compare_support.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[64];

static void write_history(cli *c, const cli_row *row, const char *text)
{
    const char *path = cli_history_path(c, dir, row);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

static void enter(void)
{
    char below[80];
    snprintf(dir, sizeof dir, "/tmp/perp_figures_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(below, sizeof below, "%s/history", dir);
    ck_assert_int_eq(mkdir(below, 0777), 0);
}

static void leave(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", dir);
    ck_assert_int_eq(system(command), 0);
}

static void points(const cli_curve *u, int count, const double *x, const double *y)
{
    ck_assert_int_eq(u->count, count);
    for (int k = 0; k < count; k++) {
        ck_assert_double_eq_tol(u->x[k], x[k], 1e-12);
        ck_assert_double_eq_tol(u->y[k], y[k], 1e-12);
    }
}

START_TEST(steps_of_a_profile)
{
    enter();
    cli *c = begin();
    cli_rows rows = sample_rows(c);
    cli_report r = {.rows = &rows, .dir = dir};
    r.group = cli_groups(c, &rows, &r.groups);
    ck_assert(cli_report_figures(c, &r));
    ck_assert_int_eq(r.histories, 0);
    const cli_figure *f = &r.profile[0];
    ck_assert_int_eq(f->count, 2);
    const double third = 1 / 3.0;
    points(&f->curve[0], 4, (double[]){1, 4, 4, 4.2},
           (double[]){third, third, 2 * third, 2 * third});
    points(&f->curve[1], 4, (double[]){1, 2, 2, 4.2}, (double[]){2 * third, 2 * third, 1, 1});
    ck_assert_int_eq(f->curve[1].style, 1);
    char path[100];
    snprintf(path, sizeof path, "%s/profile-lcp-1e-08-iterations.csv", dir);
    ck_assert_int_eq(access(path, R_OK), 0);
    cli_end();
    leave();
}
END_TEST

START_TEST(steps_of_a_history)
{
    enter();
    cli *c = begin();
    cli_rows rows = sample_rows(c);
    write_history(c, &rows.row[1],
                  "iteration,seconds,residual,estimate\n0,0,1,\n1,0.5,,3\n2,1,0.5,2\n3,1.5,0.5,2\n"
                  "4,2,0,1\n");
    cli_report r = {.rows = &rows, .dir = dir};
    r.group = cli_groups(c, &rows, &r.groups);
    ck_assert(cli_report_figures(c, &r));
    ck_assert_int_eq(r.histories, 1);
    ck_assert_str_eq(r.history_of[0], "d/p1");
    const cli_figure *f = r.history;
    ck_assert(f[0].count == 1 && f[1].count == 1 && f[0].line == 1e-8);
    points(&f[0].curve[0], 5, (double[]){0.7, 2, 2, 4, 4}, (double[]){1, 1, 0.5, 0.5, 1e-17});
    points(&f[1].curve[0], 5, (double[]){0.5, 1, 1, 2, 2}, (double[]){1, 1, 0.5, 0.5, 1e-17});
    ck_assert_int_eq(f[0].curve[0].style, 1); /* as in the profiles */
    cli_end();
    leave();
}
END_TEST

/* The merit as it was told, where it was; a history without the column has none. */
START_TEST(merit_of_a_history)
{
    enter();
    cli *c = begin();
    cli_rows rows = sample_rows(c);
    write_history(c, &rows.row[0], "iteration,seconds,residual,estimate\n0,0,1,\n4,2,0.1,1\n");
    write_history(c, &rows.row[1],
                  "iteration,seconds,residual,estimate,merit\n0,0,1,,\n1,0.5,,3,9\n2,1,0.5,2,16\n"
                  "3,1,0.5,2,0\n");
    cli_report r = {.rows = &rows, .dir = dir};
    r.group = cli_groups(c, &rows, &r.groups);
    ck_assert(cli_report_figures(c, &r));
    ck_assert_int_eq(r.histories, 1);
    const cli_figure *f = r.history;
    ck_assert(f[0].count == 2 && f[1].count == 2 && f[2].count == 1);
    points(&f[2].curve[0], 3, (double[]){1, 2, 3}, (double[]){9, 16, 1e-34});
    ck_assert(f[2].curve[0].style == f[0].curve[1].style && isnan(f[2].line));
    ck_assert_double_eq_tol(f[2].y_least, 5e-35, 1e-40);
    ck_assert_double_eq(f[2].y_most, 32);
    cli_end();
    leave();
}
END_TEST

/* A method that diverges until its merit overflows: every axis ends, and at a number that leaves
 * the other curves their shape. */
START_TEST(a_divergent_merit_leaves_the_axis_finite)
{
    enter();
    cli *c = begin();
    cli_rows rows = sample_rows(c);
    write_history(c, &rows.row[0],
                  "iteration,seconds,residual,estimate,merit\n0,0,1,,\n1,0.1,1e308,1,4\n"
                  "2,0.2,,1,1.7e308\n");
    write_history(c, &rows.row[1],
                  "iteration,seconds,residual,estimate,merit\n0,0,1e308,,1e-3\n1,0.1,0.5,1,1e-9\n");
    cli_report r = {.rows = &rows, .dir = dir};
    r.group = cli_groups(c, &rows, &r.groups);
    ck_assert(cli_report_figures(c, &r));
    for (int k = 0; k < CLI_HISTORY; k++) {
        ck_assert(r.history[k].count == 2);
        ck_assert(isfinite(r.history[k].y_most) && r.history[k].y_least > 0);
    }
    ck_assert_double_eq_tol(r.history[2].y_most, 2 * 4e10, 1);
    if (r.gnuplot) ck_assert_int_eq(r.drawn, r.figures);
    ck_assert_int_eq(r.figures, 2 + CLI_HISTORY);
    cli_end();
    leave();
}
END_TEST

/* Of two tolerances only the tighter one is drawn. */
START_TEST(the_tightest_tolerance)
{
    enter();
    cli *c = begin();
    cli_rows rows = sample_rows(c);
    for (int k = 0; k < 2; k++) {
        rows.row[4 + k] = rows.row[k];
        rows.row[4 + k].tol = 1e-12;
        write_history(c, &rows.row[k], "iteration,seconds,residual,estimate\n0,0,1,\n1,1,0.1,\n");
        write_history(c, &rows.row[4 + k],
                      "iteration,seconds,residual,estimate\n0,0,1,\n9,1,0.1,\n");
    }
    cli_report r = {.rows = &rows, .dir = dir};
    r.group = cli_groups(c, &rows, &r.groups);
    ck_assert(cli_report_figures(c, &r));
    ck_assert_int_eq(r.histories, 1);
    ck_assert(r.history[0].line == 1e-12 && r.history[0].curve[0].x[2] == 9);
    cli_end();
    leave();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_report_figures");
    TCase *t = tcase_create("cli_report_figures");
    tcase_add_test(t, steps_of_a_profile);
    tcase_add_test(t, steps_of_a_history);
    tcase_add_test(t, merit_of_a_history);
    tcase_add_test(t, a_divergent_merit_leaves_the_axis_finite);
    tcase_add_test(t, the_tightest_tolerance);
    suite_add_tcase(s, t);
    int status = support_run(s);
    call_free();
    return status;
}
