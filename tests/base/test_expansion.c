/* tests/base/test_expansion.c: sums without error, against sums that are known. */
#include "base/expansion.h"

#include "support.h"

#include <check.h>
#include <float.h>

/* What is added and taken away again in another order leaves nothing. */
START_TEST(all_cancels)
{
    generator g = generator_start(1);
    for (int round = 0; round < 200; round++) {
        double a[40], b[40];
        expansion e = {.count = 0};
        for (int i = 0; i < 40; i++) {
            a[i] = ldexp(generator_uniform(&g), generator_between(&g, -200, 200));
            b[i] = ldexp(generator_uniform(&g), generator_between(&g, -200, 200));
            expansion_add_product(&e, a[i], b[i]);
        }
        ck_assert(!e.lost);
        ck_assert(fabs(expansion_value(&e)) > 0);
        double last = nextafter(a[39], 10), left = (last - a[39]) * b[39];
        for (int i = 0; i < 39; i++) expansion_add_product(&e, -a[i], b[i]);
        expansion kept = e;
        expansion_add_product(&e, -a[39], b[39]);
        ck_assert_int_eq(e.count, 0);
        ck_assert_double_eq(expansion_value(&e), 0);
        expansion_add_product(&kept, -last, b[39]);
        ck_assert_double_eq(expansion_value(&kept), -left);
    }
}
END_TEST

START_TEST(what_is_lost)
{
    expansion small = {.count = 0}, large = {.count = 0}, zero = {.count = 0};
    expansion_add_product(&small, 1e-200, 1e-100);
    ck_assert(isnan(expansion_value(&small)));
    expansion_add_product(&large, 1e200, 1e200);
    ck_assert(isnan(expansion_value(&large)));
    expansion_add_product(&zero, 0, 1e-300);
    ck_assert(!zero.lost && zero.count == 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("expansion");
    TCase *c = tcase_create("expansion");
    tcase_add_test(c, all_cancels);
    tcase_add_test(c, what_is_lost);
    suite_add_tcase(s, c);
    return support_run(s);
}
