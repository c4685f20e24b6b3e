/* tests/generate/test_cone.c: families of cones have the answers that they promise. */
#include "generate_support.h"

START_TEST(answers)
{
    check_answers("cone_known", PERP_KIND_CONE);
    check_answers("cone_convex", PERP_KIND_CONE);
    check_answers("cone_mixed", PERP_KIND_CONE);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("generate_cone");
    TCase *c = tcase_create("cone");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, answers);
    suite_add_tcase(s, c);
    return support_run(s);
}
