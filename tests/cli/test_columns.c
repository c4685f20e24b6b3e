/* test_cli_columns.c: every row of the table is in the outputs, the help and the manual page. */
#include "cli/columns.h"
#include "cli_support.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void reset(void)
{
    files_remove();
    call_free();
}

/* A row in two places, or a gap before it, would be left out by cli_column_at. */
START_TEST(places_are_numbered_without_gaps)
{
    for (int list = CLI_NO_COLUMNS + 1; list < CLI_LISTS; list++) {
        int rows = 0;
        for (const cli_column *t = cli_columns; t->name; t++) {
            if (!t->at[list]) continue;
            ck_assert_ptr_eq(cli_column_at((cli_column_list)list, t->at[list]), t);
            rows++;
        }
        ck_assert_int_gt(rows, 0);
        ck_assert_int_eq(rows, cli_columns_count((cli_column_list)list));
    }
}
END_TEST

START_TEST(every_row_has_its_list_and_its_help)
{
    for (const cli_column *t = cli_columns; t->name; t++) {
        int lists = 0;
        for (int list = CLI_NO_COLUMNS + 1; list < CLI_LISTS; list++) lists += t->at[list] > 0;
        ck_assert_msg(lists > 0, "%s", t->name);
        ck_assert_msg(t->help && *t->help && t->help[strlen(t->help) - 1] != '.', "%s", t->name);
        bool solve = t->at[CLI_SOLVE_CSV] || t->at[CLI_SOLVE_TEXT];
        ck_assert_msg(!solve || t->at[CLI_SOLVE_JSON], "%s is not in --json", t->name);
        ck_assert_msg(!t->at[CLI_SOLVE_CSV] || t->type != CLI_COLUMN_VECTOR, "%s", t->name);
    }
}
END_TEST

/* All fields apply. */
static cli_solved full(void)
{
    static const double z[] = {1, 0.5}, proof[] = {0, 3};
    cli_solved s = {.problem = "p",
                    .path = "p.dat",
                    .kind = "fc3d",
                    .solver = "fc3d/auto",
                    .status = "infeasible",
                    .detail = "because",
                    .output = "y.txt",
                    .written = "proof",
                    .z = z,
                    .proof = proof,
                    .n = 2,
                    .solution = true,
                    .has_objective = true,
                    .has_distance = true,
                    .tol = 1e-8,
                    .objective = 4,
                    .distance = 2,
                    .solutions = {.wanted = true, .n = 2, .found = 5, .faces = 1}};
    s.result = (perp_result){.status = PERP_INFEASIBLE,
                             .residual = {.value = 1, .absolute = 2, .primal = 3, .dual = 4},
                             .model_residual = 0.25,
                             .iterations = 7,
                             .certificates = 3,
                             .seconds = 0.125,
                             .solver = "fc3d/nsgs"};
    return s;
}

START_TEST(json_has_every_row_in_order)
{
    cli *c = cli_begin(NULL);
    cli_solved s = full();
    cli_solved_json(c->out, &s);
    cli_end();
    const cli_column *t;
    const char *at = call_out;
    for (int k = 1; (t = cli_column_at(CLI_SOLVE_JSON, k)); k++) {
        char key[64];
        snprintf(key, sizeof key, "%s\"%s\": ", k > 1 ? ", " : "{", t->name);
        at = strstr(at, key);
        ck_assert_msg(at != NULL, "%s is not in its place of %s", t->name, call_out);
    }
    ck_assert_ptr_nonnull(strstr(call_out, "\"seconds\": 0.125, "));
    ck_assert_ptr_nonnull(strstr(call_out, "\"proof\": [0, 3], "));
}
END_TEST

START_TEST(what_does_not_apply_is_left_out)
{
    cli *c = cli_begin(NULL);
    cli_solved s = full();
    s.has_objective = s.has_distance = s.solution = s.solutions.wanted = false;
    s.proof = NULL;
    s.written = NULL;
    s.output = NULL;
    s.result.model_residual = NAN;
    cli_solved_json(c->out, &s);
    cli_solved_csv(c->out, &s);
    cli_solved_text(c, c->out, &s);
    cli_end();
    int left = 0;
    for (const cli_column *t = cli_columns; t->name; t++) {
        char key[64];
        if (!t->applies) continue;
        snprintf(key, sizeof key, "\"%s\"", t->name);
        ck_assert_msg(!strstr(call_out, key), "%s", t->name);
        left++;
    }
    ck_assert_int_eq(left, 8);
    ck_assert_ptr_nonnull(strstr(call_out, "\np,fc3d,2,fc3d/auto,infeasible,1,7,0.125,,0\n"));
    ck_assert_ptr_null(strstr(call_out, "model "));
    ck_assert_ptr_null(strstr(call_out, "objective "));
    ck_assert_ptr_null(strstr(call_out, "z[0]"));
}
END_TEST

START_TEST(csv_has_a_field_for_every_row)
{
    cli *c = cli_begin(NULL);
    cli_solved s = full();
    cli_columns_header(c->out, CLI_SOLVE_CSV);
    cli_solved_csv(c->out, &s);
    cli_end();
    ck_assert_str_eq(
        call_out,
        "problem,kind,n,solver,status,residual,iterations,seconds,"
        "model_residual,residual_version\np,fc3d,2,fc3d/auto,infeasible,1,7,0.125,0.25,0\n");
}
END_TEST

START_TEST(text_has_a_line_for_every_row)
{
    cli *c = cli_begin(NULL);
    cli_solved s = full();
    cli_solved_text(c, c->out, &s);
    cli_end();
    const cli_column *t;
    for (int k = 2; (t = cli_column_at(CLI_SOLVE_TEXT, k)); k++) {
        char key[64];
        const char *label = t->label ? t->label : t->name;
        bool vector = t->type == CLI_COLUMN_VECTOR;
        snprintf(key, sizeof key, vector ? "\n%s[0]" : "\n%-10s ", label);
        ck_assert_msg(strstr(call_out, key) != NULL, "'%s' is not in %s", key, call_out);
    }
    ck_assert_int_eq(strncmp(call_out, "p: fc3d, n = 2\nstatus     infeasible\n", 37), 0);
}
END_TEST

static void check_page(const cli_command *d, bool man)
{
    cli *c = cli_begin(NULL);
    if (man)
        cli_print_man(d, c->out);
    else
        cli_print_help(c, d, c->out);
    cli_end();
    const cli_column *t;
    for (int k = 1; (t = cli_column_at(d->columns, k)); k++) {
        char key[64];
        bool star = d->starred && t->at[d->starred];
        snprintf(key, sizeof key, man ? ".TP\n\\fB%s\\fR%s\n" : "\n  %s%s ", t->name,
                 star ? " *" : "");
        ck_assert_msg(strstr(call_out, key) != NULL, "%s: %s", d->name, t->name);
    }
}

START_TEST(help_and_manual_page_explain_every_row)
{
    const cli_command *solve = cli_find_command("solve"), *compare = cli_find_command("compare");
    ck_assert_int_eq(solve->columns, CLI_SOLVE_JSON);
    ck_assert_int_eq(solve->starred, CLI_SOLVE_CSV);
    ck_assert_int_eq(compare->columns, CLI_COMPARE_CSV);
    for (int man = 0; man < 2; man++) {
        check_page(solve, man);
        check_page(compare, man);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_columns");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, NULL, reset);
    tcase_add_test(t, places_are_numbered_without_gaps);
    tcase_add_test(t, every_row_has_its_list_and_its_help);
    tcase_add_test(t, json_has_every_row_in_order);
    tcase_add_test(t, what_does_not_apply_is_left_out);
    tcase_add_test(t, csv_has_a_field_for_every_row);
    tcase_add_test(t, text_has_a_line_for_every_row);
    tcase_add_test(t, help_and_manual_page_explain_every_row);
    suite_add_tcase(s, t);
    return support_run(s);
}
