/* tests/generate/test_random.c: the numbers are those of the definition, and look random. */
#include "support.h"

#include <check.h>
#include <math.h>

START_TEST(random_numbers)
{
    /* worked out with arbitrary-precision integers from the definition */
    generator g = generator_start(1);
    ck_assert_uint_eq(g.state, UINT64_C(0x9E3779B97F4A7C16));
    ck_assert(generator_unit(&g) == 0x1.00c264453968dp-1);
    ck_assert(generator_unit(&g) == 0x1.83c521f10e7e0p-6);
    double sum = 0;
    int seen[5] = {0};
    for (int k = 0; k < 10000; k++) {
        double u = generator_uniform(&g);
        ck_assert(u >= -1 && u < 1);
        sum += u;
        int i = generator_between(&g, -2, 2);
        ck_assert(i >= -2 && i <= 2);
        seen[i + 2]++;
    }
    ck_assert(fabs(sum) < 300);
    for (int k = 0; k < 5; k++) ck_assert(seen[k] > 1800);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("generate_random");
    TCase *t = tcase_create("generate_random");
    tcase_add_test(t, random_numbers);
    suite_add_tcase(s, t);
    return support_run(s);
}
