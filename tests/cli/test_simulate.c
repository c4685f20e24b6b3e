/* test_cli_simulate.c: scenes, parameters, solvers and forms from the command line. */
#include "cli_support.h"
#include "rigid/assembly.h"
#include "simulate/sim.h"
#include "support.h"

#include <string.h>

START_TEST(scenes_are_listed)
{
    calls(CLI_DONE, "settling", NULL, "simulate --list");
    for (int k = 0; sim_scenes[k]; k++)
        ck_assert_ptr_nonnull(strstr(call_out, sim_scenes[k]->name));
    calls(CLI_DONE, "friction coefficient", NULL, "simulate --list triangle");
    calls(CLI_DONE, "{\"scene\": \"column\"", NULL, "simulate --list --json");
}
END_TEST

START_TEST(wrong_calls_are_refused)
{
    calls(CLI_WRONG, NULL, "expected SCENE", "simulate");
    calls(CLI_WRONG, NULL, "did you mean 'column'?", "simulate colum");
    calls(CLI_WRONG, NULL, "did you mean 'spheres'?", "simulate column --set=sphere=3");
    calls(CLI_WRONG, NULL, "perp simulate --list column", "simulate column --set=zzzzz=3");
    calls(CLI_WRONG, NULL, "NAME=VALUE", "simulate column --set=3");
    calls(CLI_WRONG, NULL, "is not in 1 .. 1000", "simulate column --set=spheres=0");
    calls(CLI_WRONG, NULL, "is not a whole number", "simulate column --set=spheres=1.5");
    calls(CLI_WRONG, NULL, "no form 'fc2d'; did you mean 'fc3d'?", "simulate column --form=fc2d");
    calls(CLI_WRONG, NULL, "lcp/lemke solves lcp", "simulate column --form=fc3d -s lcp/lemke");
    calls(CLI_WRONG, NULL, "lemk", "simulate column -s lcp/lemk");
    calls(CLI_WRONG, NULL, "even", "simulate triangle -s lcp/lemke --facets=5");
}
END_TEST

START_TEST(every_form_of_a_step_has_its_name)
{
    calls(CLI_DONE, "--form=FORM", NULL, "simulate --help");
    for (int k = 0; k < PERP_FORMS; k++) {
        if (!perp_forms[k]->name) continue;
        ck_assert_msg(strstr(call_out, perp_forms[k]->name) != NULL, "%s", perp_forms[k]->name);
    }
    calls(CLI_WRONG, NULL, "mcp_facets, lcp, nnls", "simulate column --form=none");
}
END_TEST

START_TEST(forms_follow_solvers)
{
    calls(CLI_DONE, "lcp/lemke", NULL, "simulate column --steps=50 -s lcp/lemke");
    calls(CLI_DONE, "lcp/lemke", NULL, "simulate triangle --steps=5 -s lcp/lemke --facets=8");
    calls(CLI_DONE, "mcp/path", NULL, "simulate column --steps=95 -s mcp/path");
    calls(CLI_DONE, "mcp/path", NULL, "simulate triangle --steps=5 -s mcp/path --facets=6");
    calls(CLI_DONE, "mcp/pgs", NULL, "simulate triangle --steps=5 -s mcp/pgs");
    calls(CLI_DONE, "fc3d/prox", NULL, "simulate triangle --steps=5 -s fc3d/prox");
    calls(CLI_DONE, "fc3d/nsgs", NULL, "simulate triangle --steps=5 --form=fc3d_body");
    calls(CLI_DONE, "lcp/psor", NULL, "simulate settling --set=mu=0 --steps=2");
    calls(CLI_DONE, "lcp/auto", NULL, "simulate triangle --steps=5 --form=lcp_facets --tol=1e-9");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_simulate");
    TCase *c = tcase_create("simulate");
    tcase_add_checked_fixture(c, NULL, call_free);
    tcase_add_test(c, scenes_are_listed);
    tcase_add_test(c, wrong_calls_are_refused);
    tcase_add_test(c, every_form_of_a_step_has_its_name);
    tcase_add_test(c, forms_follow_solvers);
    suite_add_tcase(s, c);
    return support_run(s);
}
