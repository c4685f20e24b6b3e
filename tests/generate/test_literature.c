/* tests/generate/test_literature.c: the set as a list: names, sizes, memory. */
#include "literature_support.h"

START_TEST(list)
{
    int count = 0, pairs = 0, without = 0;
    for (;; count++) {
        perp_arena a = {0};
        literature l;
        if (!literature_make(count, literature_is_sized(count) ? 16 : 0, &a, &l)) break;
        ck_assert_int_eq(literature_find(l.name), count); /* names are unique */
        ck_assert(l.p.kind == PERP_KIND_NCP || l.p.kind == PERP_KIND_MCP);
        pairs += l.starts;
        without += l.none;
        ck_assert(!l.none || !l.solution);
        perp_arena_free(&a);
    }
    ck_assert_int_ge(count, 50);
    ck_assert_int_ge(pairs, 200);
    ck_assert_int_ge(without, 3);
    ck_assert_int_eq(literature_find("nothing_of_that_name"), -1);
    literature l;
    perp_arena a = {0};
    ck_assert(!literature_make(-1, 0, &a, &l));
}
END_TEST

START_TEST(sizes)
{
    perp_arena a = {0};
    literature l;
    int k = literature_find("obstacle");
    ck_assert(literature_is_sized(k) && !literature_is_sized(literature_find("billups")));
    ck_assert(literature_make(k, 2500, &a, &l));
    ck_assert_int_eq(l.n, 2500);
    ck_assert(literature_make(k, 1, &a, &l));
    ck_assert_int_eq(l.n, 4);
    perp_arena_free(&a);
    char buffer[1000];
    perp_arena_fixed(&a, buffer, sizeof buffer);
    ck_assert(!literature_make(k, 2500, &a, &l));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("generate_literature");
    TCase *t = tcase_create("generate_literature");
    tcase_add_test(t, list);
    tcase_add_test(t, sizes);
    suite_add_tcase(s, t);
    return support_run(s);
}
