/* tests/generate/test_literature_grid.c: problems on grids: Jacobians. */
#include "literature_support.h"

LITERATURE_TEST("obstacle", "obstacle_box", "torsion", "bratu", "bratu_beyond", "bearing",
                "convection")

int main(void)
{
    Suite *s = suite_create("generate_literature_grid");
    TCase *t = tcase_create("generate_literature_grid");
    tcase_add_test(t, problems);
    suite_add_tcase(s, t);
    return support_run(s);
}
