/* tests/generate/test_literature_economy.c: equilibria: solutions and Jacobians. */
#include "literature_support.h"

LITERATURE_TEST("nash5", "nash10", "murphy", "choi", "scarf", "scarf_sum", "scarf_exchange",
                "hansen_koopmans", "harker", "tobin", "transport", "von_thuenen")

int main(void)
{
    Suite *s = suite_create("generate_literature_economy");
    TCase *t = tcase_create("generate_literature_economy");
    tcase_add_test(t, problems);
    suite_add_tcase(s, t);
    return support_run(s);
}
