/* tests/io/test_siconos_tail.c: what may stand behind the last number of a layout. */
#include "files.h"
#include "io/siconos.h"
#include "support.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#define FORMAT PERP_FILE_SICONOS

static perp_arena arena;

static void give_back(void)
{
    perp_arena_free(&arena);
}

static const char lcp[] = "2\n0\n2\n2\n2\t2\n2 0\n1 3\n-5 -6\n";
static const char mlcp[] = "1\n1\n1\n2\n0 1 3 \n0 1 \n0\n3\n3\n3\t3\n1 4 7\n2 5 8\n3 6 9\n"
                           "-1 -2 -3\n1\n5 6\n8 9\n2 3\n4\n7\n-1\n-2 -3\n";

static perp_lexer lexer(const char *text, perp_error *e)
{
    return (perp_lexer){
        .at = text, .end = text + strlen(text), .line = 1, .arena = &arena, .error = e};
}

START_TEST(counting)
{
    static const struct {
        const char *text;
        size_t left;
        bool flag;
    } cases[] = {
        {"", 0, false},           {" \n", 0, false},      {"0", 1, true},    {"\n1\n", 1, true},
        {"1 word", 1, true},      {"2", 1, false},        {"0.0", 1, false}, {"00", 1, false},
        {"1 0", 2, false},        {"word 1 2", 0, false}, {"# 1", 0, false}, {"1, 2", 0, false},
        {"-1e3 .5 +2", 3, false}, {"inf nan", 2, false},  {"1x", 0, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_error e;
        perp_lexer x = lexer(cases[k].text, &e);
        ck_assert_uint_eq(perp_siconos_left(&x), cases[k].left);
        ck_assert_int_eq(perp_siconos_more(&x), cases[k].left > 0);
        ck_assert_int_eq(perp_siconos_flag(&x), cases[k].flag);
        ck_assert_int_eq(perp_siconos_end(&x, "it"), cases[k].left ? PERP_E_FILE : PERP_SOLVED);
    }
    perp_error e;
    perp_lexer x = lexer("\n\n 0.12345678901234567 2", &e);
    ck_assert_int_eq(perp_siconos_end(&x, "an LCP"), PERP_E_FILE);
    ck_assert_str_eq(e.text, "2 numbers are left behind an LCP, the first is '0.1234567890...'; "
                             "delete what is no part of the problem");
    ck_assert_int_eq(e.line, 3);
}
END_TEST

/* Remarks stand behind the last number of stored files, and solutions behind that of an MLCP.
 * Numbers behind an LCP are the rest of another layout. */
START_TEST(remarks_and_numbers)
{
    static const char *const remarks[] = {"\nRemark 4.1.14\nset of solutions", "\n# one more 1 2",
                                          " \x01\xff"};
    static const char *const numbers[] = {" 1.333 2.333", " 0",       " 1",
                                          " 0 1 1",       " 4 5 1 1", " 7 a remark"};
    char text[400];
    for (size_t k = 0; k < sizeof remarks / sizeof *remarks; k++) {
        snprintf(text, sizeof text, "%s%s", lcp, remarks[k]);
        ck_assert_int_eq(load_good(text, FORMAT, &arena).problem.kind, PERP_KIND_LCP);
        snprintf(text, sizeof text, "%s%s", mlcp, remarks[k]);
        ck_assert_int_eq(load_good(text, FORMAT, &arena).problem.kind, PERP_KIND_MCP);
    }
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        snprintf(text, sizeof text, "%s%s", lcp, numbers[k]);
        load_bad(text, FORMAT, 9, "left behind an LCP with n = 2, the first is");
        snprintf(text, sizeof text, "%s%s", mlcp, numbers[k]);
        ck_assert_int_eq(load_good(text, FORMAT, &arena).problem.kind, PERP_KIND_MCP);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("siconos_tail");
    TCase *t = tcase_create("siconos_tail");
    tcase_add_checked_fixture(t, NULL, give_back);
    tcase_add_test(t, counting);
    tcase_add_test(t, remarks_and_numbers);
    suite_add_tcase(s, t);
    return support_run(s);
}
