/* test_cli_name.c: kinds, formats and solver specifications. */
#include "cli_support.h"
#include "core/defaults.h"
#include "support.h"

#include <string.h>

static void refused(bool good, const char *says)
{
    cli_end();
    ck_assert(!good);
    ck_assert_msg(strstr(call_err, says) != NULL, "'%s' does not say '%s'", call_err, says);
}

START_TEST(kinds_and_formats)
{
    perp_kind kind = PERP_KIND_LCP;
    perp_file_format format = PERP_FILE_ANY;
    ck_assert(cli_kind(cli_begin(NULL), "qp", &kind));
    cli_end();
    ck_assert_int_eq(kind, PERP_KIND_QP);
    ck_assert(cli_file_format(cli_begin(NULL), "siconos", &format));
    cli_end();
    ck_assert_int_eq(format, PERP_FILE_SICONOS);
    refused(cli_kind(cli_begin(NULL), "lpc", &kind), "did you mean 'lcp'?");
    refused(cli_kind(cli_begin(NULL), "zzzzz", &kind), "there are lcp");
    refused(cli_file_format(cli_begin(NULL), "sicono", &format), "did you mean 'siconos'?");
}
END_TEST

START_TEST(solvers_with_options)
{
    cli *c = cli_begin(NULL);
    const perp_lcp_psor_options *o = (const perp_lcp_psor_options *)cli_solver(
        c, "lcp/psor:omega=1.4,symmetric=1", PERP_KIND_LCP);
    ck_assert_ptr_nonnull(o);
    ck_assert_double_eq(o->omega, 1.4);
    ck_assert(o->symmetric);
    ck_assert_double_eq(o->base.tol, perp_lcp_psor.base.tol);
    o = (const perp_lcp_psor_options *)cli_solver(c, "psor:tol=1e-3", PERP_KIND_LCP);
    ck_assert_ptr_nonnull(o);
    ck_assert_str_eq(perp_solver_name(&o->base), "lcp/psor");
    ck_assert_double_eq(o->base.tol, 1e-3);
    ck_assert_ptr_nonnull(cli_solver(c, "auto", PERP_KIND_LCP));
    ck_assert_ptr_nonnull(cli_solver(c, "lcp/lemke:", PERP_KIND_MCP));
    ck_assert_ptr_nonnull(cli_solver_named(c, "lcp/lemke"));
    cli_end();
    ck_assert_str_eq(call_err, "");
}
END_TEST

START_TEST(wrong_solvers_are_refused)
{
    refused(cli_solver(cli_begin(NULL), "lcp/psro", PERP_KIND_LCP), "did you mean 'lcp/psor'?");
    refused(cli_solver(cli_begin(NULL), "psro", PERP_KIND_LCP), "did you mean 'lcp/psor'?");
    refused(cli_solver(cli_begin(NULL), "", PERP_KIND_LCP), "no solver");
    refused(cli_solver_named(cli_begin(NULL), "psor"), "no solver 'psor'");
    refused(cli_solver(cli_begin(NULL), "lcp/psor:omgea=1", PERP_KIND_LCP),
            "did you mean 'omega'?");
    refused(cli_solver(cli_begin(NULL), "lcp/psor:omega", PERP_KIND_LCP), "'omega' needs a value");
    refused(cli_solver(cli_begin(NULL), "lcp/psor:omega=", PERP_KIND_LCP), "is not a number");
    refused(cli_solver(cli_begin(NULL), "lcp/psor:omega=3", PERP_KIND_LCP),
            "outside [1e-06, 1.999999]");
    refused(cli_solver(cli_begin(NULL), "lcp/psor:tol=1e-3,omega=x", PERP_KIND_LCP),
            "not a number");
    char huge[5000];
    memset(huge, 'a', sizeof huge - 1);
    huge[sizeof huge - 1] = 0;
    refused(cli_solver(cli_begin(NULL), huge, PERP_KIND_LCP), "too long");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_name");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, NULL, call_free);
    tcase_add_test(t, kinds_and_formats);
    tcase_add_test(t, solvers_with_options);
    tcase_add_test(t, wrong_solvers_are_refused);
    suite_add_tcase(s, t);
    return support_run(s);
}
