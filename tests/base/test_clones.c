/* tests/base/test_clones.c: both versions of a cloned function give the same bits, and calls take
 * the one for AVX2 and FMA exactly where the processor has both. That clones of one name in two
 * files link shows the library itself: method/lemke.c and method/linear_path.c both have `largest`.
 */
#include "base/clones.h"

#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 37 /* lengths up to this one meet every remainder of the unrolled loops */

PERP_CLONED(double, dot, (int n, const double *a, const double *b), (n, a, b))
{
    double s[4] = {0};
    for (int i = 0; i < n; i++) s[i % 4] += a[i] * b[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

PERP_CLONED_VOID(add, (int n, double t, const double *restrict x, double *restrict y), (n, t, x, y))
{
    for (int i = 0; i < n; i++) y[i] += t * x[i];
}

static void fill(int n, double *x, unsigned seed)
{
    generator g = generator_start(seed);
    for (int i = 0; i < n; i++) x[i] = generator_uniform(&g);
}

START_TEST(a_clone_computes_what_its_body_says)
{
    double a[MOST], b[MOST], y[MOST], z[MOST];
    for (int n = 0; n <= MOST; n++) {
        fill(MOST, a, 1);
        fill(MOST, b, 2);
        memcpy(y, b, sizeof y);
        memcpy(z, b, sizeof z);
        add(n, 0.1, a, y);
        for (int i = 0; i < n; i++) {
            volatile double product = 0.1 * a[i]; /* rounded before it is added */
            z[i] += product;
        }
        ck_assert(n == 0 || memcmp(y, z, (size_t)n * sizeof *y) == 0);
        double s[4] = {0};
        for (int i = 0; i < n; i++) {
            volatile double product = a[i] * b[i];
            s[i % 4] += product;
        }
        ck_assert(dot(n, a, b) == (s[0] + s[1]) + (s[2] + s[3]));
    }
}
END_TEST

#ifdef PERP_CLONES

/* What the kernel says of the processor; false where it says nothing. */
static bool processor_has(const char *flag)
{
    char command[80];
    snprintf(command, sizeof command, "grep -q '^flags.* %s\\( \\|$\\)' /proc/cpuinfo", flag);
    return system(command) == 0;
}

START_TEST(calls_take_the_version_for_the_processor)
{
    bool wide = PERP_CLONES_WIDE;
    ck_assert(wide == (processor_has("avx2") && processor_has("fma")));
}
END_TEST

START_TEST(both_versions_give_the_same_bits)
{
    double a[MOST], b[MOST], y[MOST], z[MOST];
    if (!PERP_CLONES_WIDE) return;
    for (int n = 0; n <= MOST; n++) {
        fill(MOST, a, 3);
        fill(MOST, b, 4);
        memcpy(y, b, sizeof y);
        memcpy(z, b, sizeof z);
        add_wide(n, 0.3, a, y);
        add_plain(n, 0.3, a, z);
        ck_assert(n == 0 || memcmp(y, z, (size_t)n * sizeof *y) == 0);
        ck_assert(dot_wide(n, a, b) == dot_plain(n, a, b));
    }
}
END_TEST

#endif

int main(void)
{
    Suite *s = suite_create("clones");
    TCase *c = tcase_create("clones");
    tcase_add_test(c, a_clone_computes_what_its_body_says);
#ifdef PERP_CLONES
    tcase_add_test(c, calls_take_the_version_for_the_processor);
    tcase_add_test(c, both_versions_give_the_same_bits);
#endif
    suite_add_tcase(s, c);
    return support_run(s);
}
