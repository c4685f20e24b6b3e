/* tests/generate/test_literature_classic.c: small problems of papers: solutions and Jacobians. */
#include "literature_support.h"

LITERATURE_TEST("kojima_shindo", "kojima_josephy", "billups", "mathiesen", "mathiesen_b",
                "mathiesen_c", "kanzow", "taji", "murty", "fathi", "ahn")

int main(void)
{
    Suite *s = suite_create("generate_literature_classic");
    TCase *t = tcase_create("generate_literature_classic");
    tcase_add_test(t, problems);
    suite_add_tcase(s, t);
    return support_run(s);
}
