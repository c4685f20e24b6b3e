/* test_cli_version.c: what perp says that it was built with. */
#include "cli_support.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static void reset(void)
{
    files_remove();
    call_free();
}

START_TEST(version_names_the_parts)
{
    const char *const ways[] = {"version", "-V", "--version"};
    for (int k = 0; k < 3; k++) calls(CLI_DONE, "perp " PERP_VERSION "\n", NULL, ways[k]);
    ck_assert_int_eq(strncmp(call_out, "perp " PERP_VERSION "\n", 6 + strlen(PERP_VERSION)), 0);
    const char *const parts[] = {"compiler", "BLAS", "SuiteSparse", "HDF5", "clones"};
    for (int k = 0; k < 5; k++) ck_assert_ptr_nonnull(strstr(call_out, parts[k]));
    if (cli_blas_kernels()) ck_assert_ptr_nonnull(strstr(call_out, cli_blas_kernels()));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_version");
    TCase *t = tcase_create("all");
    tcase_add_checked_fixture(t, NULL, reset);
    tcase_add_test(t, version_names_the_parts);
    suite_add_tcase(s, t);
    return support_run(s);
}
