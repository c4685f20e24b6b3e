/* test_cli_simulate_run.c: the steps of perp simulate, their summary, and how a run ends early. */
#include "cli/simulate.h"
#include "cli_support.h"
#include "support.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static void reset(void)
{
    files_remove();
    call_free();
}

START_TEST(a_run_is_summed_up)
{
    calls(CLI_DONE, "column: 8 bodies", NULL, "simulate column --steps=300");
    ck_assert_ptr_nonnull(strstr(call_out, "300 to t = 1.5 s\n"));
    ck_assert_ptr_nonnull(strstr(call_out, "x real time"));
    calls(CLI_DONE, "\"steps\": 20", NULL, "simulate triangle --steps=20 --json");
    ck_assert_ptr_nonnull(strstr(call_out, "\"measures\": {\"error\": "));
    calls(CLI_DONE, "of them not certified", NULL,
          "simulate settling --set=spheres=30 --steps=80 -s fc3d/nsgs:max_iter=2,tol=1e-14");
    calls(CLI_DONE, "on what the solver solves instead", NULL,
          "simulate triangle --steps=20 -s fc3d/nsgs:local=lemke");
    calls(CLI_DONE, "\"model_residual\": ", NULL,
          "simulate triangle --steps=20 --json -s fc3d/facets");
    calls(CLI_DONE, NULL, NULL, "simulate column --steps=0");
}
END_TEST

static void press(sim *s)
{
    if (s->world.steps == 4) raise(SIGINT);
}

static void terminate(sim *s)
{
    if (s->world.steps == 4) raise(SIGTERM);
}

static void spoil(sim *s)
{
    if (s->world.steps == 4) s->world.body[3].force[2] = NAN;
}

static void blow_up(sim *s)
{
    if (s->world.steps == 4) s->world.body[2].velocity[1] = 1e307;
}

/* The column with something of the test's own, its rows in the file. */
static int run_driven(void (*drive)(sim *), const char *csv)
{
    sim_scene scene = *sim_find("column");
    scene.drive = drive;
    simulate_options o = {.csv = csv, .every = 1};
    cli *c = cli_begin(NULL);
    sim s;
    sim_open(&s, &scene);
    ck_assert_int_eq(sim_build(&s, NULL), PERP_SOLVED);
    s.step.solver = perp_find("fc3d/nsgs");
    s.step.escape_radius = 1e6;
    int status = simulate_run(c, &s, &o);
    sim_close(&s);
    cli_end();
    return status;
}

static void has_rows(const char *csv, const char *last, const char *next)
{
    char *text = file_read(csv);
    ck_assert_ptr_nonnull(text);
    ck_assert_ptr_nonnull(strstr(text, last));
    ck_assert_ptr_null(strstr(text, next));
    ck_assert_int_eq(text[strlen(text) - 1], '\n');
    free(text);
}

/* A sentence with the step, and the rows so far. */
START_TEST(what_falls_apart_is_told)
{
    const char *csv = file_path("apart.csv");
    ck_assert_int_eq(run_driven(blow_up, csv), CLI_WRONG);
    ck_assert_ptr_nonnull(strstr(call_err, "column: step 5: body 2 has escaped to ("));
    has_rows(csv, "\n4,", "\n5,");
    ck_assert_int_eq(run_driven(spoil, csv), CLI_WRONG);
    ck_assert_ptr_nonnull(strstr(call_err, "column: step 5: "));
    ck_assert_ptr_nonnull(strstr(call_err, "body 3"));
    has_rows(csv, "\n4,", "\n5,");
}
END_TEST

START_TEST(control_c_leaves_whole_files)
{
    const char *csv = file_path("cut.csv");
    ck_assert_int_eq(run_driven(press, csv), CLI_UNSOLVED);
    ck_assert_ptr_nonnull(strstr(call_err, "stopped after step 5 of 2000"));
    has_rows(csv, "\n5,", "\n6,");
    ck_assert_int_eq(run_driven(terminate, csv), CLI_UNSOLVED);
    has_rows(csv, "\n5,", "\n6,");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_simulate_run");
    TCase *c = tcase_create("run");
    tcase_add_checked_fixture(c, NULL, reset);
    tcase_add_test(c, a_run_is_summed_up);
    tcase_add_test(c, what_falls_apart_is_told);
    tcase_add_test(c, control_c_leaves_whole_files);
    suite_add_tcase(s, c);
    return support_run(s);
}
