/* tests/generate/test_literature_network.c: traffic, circuits, pipes: solutions and Jacobians. */
#include "literature_support.h"

LITERATURE_TEST("braess", "bertsekas", "freebert", "bridge", "ladder", "tunnel", "pipes")

int main(void)
{
    Suite *s = suite_create("generate_literature_network");
    TCase *t = tcase_create("generate_literature_network");
    tcase_add_test(t, problems);
    suite_add_tcase(s, t);
    return support_run(s);
}
