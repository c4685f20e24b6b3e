/* test_cli_plot.c: what gnuplot is told, and what becomes of it. */
#include "compare_support.h"

#include <stdlib.h>
#include <string.h>

static double x[] = {1, 2, 4}, y[] = {0.25, 0.5, 0.5};

static cli_figure figure(cli_curve *u)
{
    *u = (cli_curve){.name = "it's <a> & $(b)`\n", .style = 9, .count = 3, .x = x, .y = y};
    return (cli_figure){.label = "l",
                        .x_label = "x",
                        .y_label = "y",
                        .x_least = 1,
                        .x_most = 5,
                        .line = NAN,
                        .count = 1,
                        .curve = u};
}

START_TEST(names_are_quoted)
{
    cli_curve u;
    cli_figure f = figure(&u);
    char *text;
    PRINTED(text, out, cli_plot_script(out, &f, "/tmp/o'ut"));
    ck_assert_ptr_nonnull(strstr(text, "title 'it''s <a> & $(b)` '"));
    ck_assert_ptr_nonnull(strstr(text, "set output '/tmp/o''ut'\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n1 0.25\n2 0.5\n4 0.5\nEOD\n"));
    ck_assert_ptr_nonnull(strstr(text, "set xtics ('1' 1, '2' 2, '5' 5)"));
    ck_assert_ptr_null(strstr(text, "arrow"));
    free(text);
}
END_TEST

START_TEST(ticks_follow_the_range)
{
    cli_curve u;
    cli_figure f = figure(&u);
    f.x_least = 3e-6;
    f.x_most = 0.2;
    f.line = 1e-8;
    f.log_y = true;
    f.y_least = 1e-9;
    f.y_most = 2;
    char *text;
    PRINTED(text, out, cli_plot_script(out, &f, "o"));
    ck_assert_ptr_nonnull(strstr(text, "('1e-05' 1e-05, '0.0001' 0.0001, '0.001' 0.001, '0.01'"));
    ck_assert_ptr_nonnull(strstr(text, "first 1e-08"));
    ck_assert_ptr_nonnull(strstr(text, "set yrange [1e-09:2]"));
    free(text);
}
END_TEST

/* Colour, dash and mark of the first 56 curves: no pair has all three. */
START_TEST(no_two_curves_look_alike)
{
    char *script[56];
    for (int k = 0; k < 56; k++) {
        cli_curve u;
        cli_figure f = figure(&u);
        u.style = k;
        PRINTED(script[k], out, cli_plot_script(out, &f, "o"));
        for (int j = 0; j < k; j++) ck_assert_str_ne(script[j], script[k]);
    }
    for (int k = 0; k < 56; k++) free(script[k]);
    for (int k = 1; k < CLI_COLOURS; k++)
        ck_assert_str_ne(cli_plot_colour(k - 1), cli_plot_colour(k));
    ck_assert_str_eq(cli_plot_colour(CLI_COLOURS), cli_plot_colour(0));
}
END_TEST

START_TEST(drawn_where_there_is_a_gnuplot)
{
    cli *c = begin();
    cli_curve u;
    cli_figure f[2] = {figure(&u), {.line = NAN}};
    if (system("gnuplot --version >/dev/null 2>&1") == 0) {
        ck_assert(cli_plot(c, 2, f));
        ck_assert_ptr_nonnull(f[0].svg);
        ck_assert_int_eq(strncmp(f[0].svg, "<svg", 4), 0);
        ck_assert_ptr_nonnull(strstr(f[0].svg, "it's &lt;a> &amp; $(b)`"));
        ck_assert_ptr_nonnull(strstr(f[0].svg, cli_plot_colour(9))); /* the page's style knows it */
        ck_assert_ptr_null(f[1].svg);                                /* nothing to draw */
    } else
        printf("no gnuplot here: skipped\n");
    cli_end();
}
END_TEST

/* gnuplot ends at an axis without an end: the figures behind it are drawn all the same. */
START_TEST(a_bad_figure_costs_itself_alone)
{
    cli *c = begin();
    cli_curve u;
    cli_figure f[5] = {figure(&u), figure(&u), figure(&u), figure(&u), figure(&u)};
    f[1].x_most = f[2].x_most = f[4].x_most = INFINITY;
    if (system("gnuplot --version >/dev/null 2>&1") == 0) {
        ck_assert(cli_plot(c, 5, f));
        ck_assert(f[0].svg && f[3].svg);
        ck_assert(!f[1].svg && !f[2].svg && !f[4].svg);
    } else
        printf("no gnuplot here: skipped\n");
    cli_end();
}
END_TEST

START_TEST(without_gnuplot_it_says_so)
{
    cli *c = begin();
    cli_curve u;
    cli_figure f = figure(&u);
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    ck_assert(!cli_plot(c, 1, &f));
    ck_assert_ptr_null(f.svg);
    setenv("PATH", path, 1);
    setenv("TMPDIR", "/nowhere", 1);
    ck_assert(!cli_plot(c, 1, &f));
    unsetenv("TMPDIR");
    free(path);
    cli_end();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_plot");
    TCase *t = tcase_create("cli_plot");
    tcase_add_test(t, names_are_quoted);
    tcase_add_test(t, ticks_follow_the_range);
    tcase_add_test(t, no_two_curves_look_alike);
    tcase_add_test(t, drawn_where_there_is_a_gnuplot);
    tcase_add_test(t, a_bad_figure_costs_itself_alone);
    tcase_add_test(t, without_gnuplot_it_says_so);
    suite_add_tcase(s, t);
    int status = support_run(s);
    call_free();
    return status;
}
