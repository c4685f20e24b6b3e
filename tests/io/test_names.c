/* tests/io/test_names.c: words of a line, and tables of names. */
#include "io/names.h"
#include "support.h"

#include <stdio.h>

static span of(const char *text)
{
    return (span){text, strlen(text)};
}

START_TEST(words)
{
    span rest = of("  one\t two \r");
    ck_assert(span_is(perp_span_word(&rest), "one"));
    ck_assert(span_is(perp_span_word(&rest), "two"));
    ck_assert_uint_eq(perp_span_word(&rest).length, 0);
    ck_assert_uint_eq(perp_span_word(&rest).length, 0);
    ck_assert(span_is(perp_span_trim("  a b ", 6), "a b"));
    ck_assert_uint_eq(perp_span_trim(" \t\r", 3).length, 0);
    ck_assert_uint_eq(perp_span_trim("", 0).length, 0);
    ck_assert(!span_is(of("on"), "one") && !span_is(of("one"), "on"));
    ck_assert(span_same(of("ab"), (span){"abc", 2}) && !span_same(of("ab"), of("ac")));
}
END_TEST

START_TEST(shown)
{
    char text[PERP_SPAN_SHOWN], longer[100];
    memset(longer, 'x', sizeof longer);
    ck_assert_str_eq(perp_span_show(of("a\x01\xff b"), text), "a?? b");
    ck_assert_str_eq(perp_span_show((span){"", 0}, text), "");
    for (size_t n = 1; n <= sizeof longer; n++) {
        size_t length = strlen(perp_span_show((span){longer, n}, text));
        ck_assert(n <= PERP_SPAN_SHOWN - 4 ? length == n : length == PERP_SPAN_SHOWN - 1);
    }
}
END_TEST

/* A full table, names that begin alike, and a name with a 0 in it. */
START_TEST(table)
{
    enum { COUNT = 3000 };
    static char text[COUNT][8];
    perp_arena a = {0};
    perp_error e = {0};
    perp_lexer x = {.arena = &a, .error = &e, .budget = (size_t)1 << 20, .limit = (size_t)1 << 20};
    perp_names t;
    ck_assert(perp_names_start(&x, &t, COUNT));
    for (int k = 0; k < COUNT; k++) {
        snprintf(text[k], sizeof text[k], "x%d", k);
        ck_assert_int_eq(perp_names_find(&t, of(text[k])), -1);
        ck_assert_int_eq(perp_names_add(&t, of(text[k])), k);
    }
    for (int k = 0; k < COUNT; k++) ck_assert_int_eq(perp_names_find(&t, of(text[k])), k);
    ck_assert_int_eq(perp_names_find(&t, of("x")), -1);
    ck_assert_int_eq(perp_names_find(&t, (span){"x1\0", 3}), -1);
    ck_assert(perp_names_start(&x, &t, 0));
    ck_assert_int_eq(perp_names_find(&t, of("")), -1);
    ck_assert_int_eq(perp_names_find(&t, of("x1")), -1);
    ck_assert(!perp_names_start(&x, &t, 1 << 20)); /* beyond the budget */
    ck_assert_int_eq(e.status, PERP_E_FILE);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("io_names");
    TCase *t = tcase_create("all");
    tcase_add_test(t, words);
    tcase_add_test(t, shown);
    tcase_add_test(t, table);
    suite_add_tcase(s, t);
    return support_run(s);
}
