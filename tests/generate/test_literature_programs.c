/* tests/generate/test_literature_programs.c: nonlinear programs: solutions and Jacobians. */
#include "literature_support.h"

LITERATURE_TEST("powell", "hs34", "hs66", "hs35", "hs76", "rosen_suzuki", "colville",
                "colville_dual", "wong", "hs5", "wood", "hs45", "hs110")

int main(void)
{
    Suite *s = suite_create("generate_literature_programs");
    TCase *t = tcase_create("generate_literature_programs");
    tcase_add_test(t, problems);
    suite_add_tcase(s, t);
    return support_run(s);
}
