/* test_cli_blas.c: threads of OpenBLAS, where it is the BLAS. */
#include "cli_support.h"
#include "support.h"

#include <stdlib.h>

extern int openblas_get_num_threads(void) __attribute__((weak));

START_TEST(the_environment_decides)
{
    if (!openblas_get_num_threads) return;
    unsetenv("OPENBLAS_NUM_THREADS");
    cli_blas_threads(2);
    int two = openblas_get_num_threads(); /* 1 where OpenBLAS was built without threads */
    cli_blas_threads(0);
    ck_assert_int_eq(openblas_get_num_threads(), 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    cli_blas_threads(2);
    ck_assert_int_eq(openblas_get_num_threads(), 1);
    ck_assert_int_le(two, 2);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_blas");
    TCase *t = tcase_create("all");
    tcase_add_test(t, the_environment_decides);
    suite_add_tcase(s, t);
    return support_run(s);
}
