/* tests/generate/test_literature_other.c: surface, control, film. */
#include "literature_support.h"

LITERATURE_TEST("surface", "control", "film")

int main(void)
{
    Suite *s = suite_create("generate_literature_other");
    TCase *t = tcase_create("generate_literature_other");
    tcase_add_test(t, problems);
    suite_add_tcase(s, t);
    return support_run(s);
}
