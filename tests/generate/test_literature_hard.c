/* tests/generate/test_literature_hard.c: hard problems: solutions and Jacobians. */
#include "literature_support.h"

LITERATURE_TEST("powell_singular", "badly_scaled", "freudenstein", "brown", "broyden",
                "chandrasekhar", "squares", "kinked", "arcus", "bimatrix", "three_players", "waves",
                "below_zero", "no_root", "apart")

int main(void)
{
    Suite *s = suite_create("generate_literature_hard");
    TCase *t = tcase_create("generate_literature_hard");
    tcase_add_test(t, problems);
    suite_add_tcase(s, t);
    return support_run(s);
}
