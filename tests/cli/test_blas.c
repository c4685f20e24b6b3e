/* test_cli_blas.c: threads and kernels of OpenBLAS, where it is the BLAS. */
#include "cli_support.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

#define CORETYPE "OPENBLAS_CORETYPE"

extern int openblas_get_num_threads(void) __attribute__((weak));
extern void gotoblas_dynamic_quit(void) __attribute__((weak));
extern void gotoblas_dynamic_init(void) __attribute__((weak));
extern void dgemm_(const char *, const char *, const int *, const int *, const int *,
                   const double *, const double *, const int *, const double *, const int *,
                   const double *, double *, const int *);

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

/* As if OpenBLAS had chosen them itself. */
static void use_kernels(const char *name)
{
    setenv(CORETYPE, name, 1);
    gotoblas_dynamic_quit();
    gotoblas_dynamic_init();
    unsetenv(CORETYPE);
}

/* Those of x86 are chosen from; on other processors OpenBLAS keeps its own choice. */
static bool have_kernels(void)
{
#if !defined(__x86_64__) && !defined(__i386__)
    printf("not on x86: skipped\n");
    return false;
#endif
    if (gotoblas_dynamic_quit && gotoblas_dynamic_init && cli_blas_kernels()) return true;
    printf("no OpenBLAS with kernels to choose from: skipped\n");
    return false;
}

/* Sums of products of small integers: exact, whatever the kernels are. */
static void check_product(void)
{
    enum { N = 65 };
    const int n = N;
    const double one = 1, zero = 0;
    static double A[N * N], B[N * N], C[N * N];
    for (int k = 0; k < N * N; k++) {
        A[k] = k % 7 - 3;
        B[k] = k % 11 - 5;
    }
    dgemm_("N", "N", &n, &n, &n, &one, A, &n, B, &n, &zero, C, &n);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++) sum += A[i + k * N] * B[k + j * N];
            ck_assert_double_eq(C[i + j * N], sum);
        }
    }
}

START_TEST(old_kernels_are_replaced)
{
    if (!have_kernels()) return;
    unsetenv(CORETYPE);
    unsetenv("PERP_BLAS_REPLACED");
    use_kernels("Prescott");
    ck_assert_str_eq(cli_blas_kernels(), "Prescott");
    const char *better = cli_blas_better();
    check_product();
    cli_blas_mend();
    if (better) {
        ck_assert(!strcmp(better, "SkylakeX") || !strcmp(better, "Haswell"));
        ck_assert_str_ne(cli_blas_kernels(), "Prescott");
        ck_assert_ptr_null(cli_blas_better());
        ck_assert_str_eq(getenv(CORETYPE), cli_blas_kernels()); /* for programs started from here */
        ck_assert_str_eq(cli_blas_replaced(), "Prescott");
    } else
        ck_assert(!getenv(CORETYPE) && !cli_blas_replaced()); /* no AVX2 here */
    check_product();
    unsetenv(CORETYPE);
    unsetenv("PERP_BLAS_REPLACED");
}
END_TEST

START_TEST(the_choice_of_the_user_stays)
{
    if (!have_kernels()) return;
    use_kernels("Prescott");
    setenv(CORETYPE, "Prescott", 1);
    cli_blas_mend();
    ck_assert_str_eq(cli_blas_kernels(), "Prescott");
    ck_assert_ptr_null(cli_blas_replaced());
    unsetenv(CORETYPE);
}
END_TEST

START_TEST(good_kernels_stay)
{
    if (!have_kernels()) return;
    use_kernels("Prescott");
    if (!cli_blas_better()) return;
    use_kernels("Haswell");
    cli_blas_mend();
    ck_assert_str_eq(cli_blas_kernels(), "Haswell");
    ck_assert(!getenv(CORETYPE) && !cli_blas_better());
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_blas");
    TCase *t = tcase_create("all");
    tcase_add_test(t, the_environment_decides);
    tcase_add_test(t, old_kernels_are_replaced);
    tcase_add_test(t, the_choice_of_the_user_stays);
    tcase_add_test(t, good_kernels_stay);
    suite_add_tcase(s, t);
    return support_run(s);
}
