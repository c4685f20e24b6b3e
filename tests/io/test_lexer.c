/* tests/io/test_lexer.c: tokens, numbers, lines, and sizes that a file cannot keep. */
#include "io/io.h"
#include "support.h"

#include <check.h>
#include <limits.h>
#include <math.h>
#include <string.h>

static perp_arena arena;
static perp_error error;

static perp_lexer lexer(const char *text)
{
    error = (perp_error){0};
    size_t length = strlen(text), limit = 1 << 20;
    return (perp_lexer){.at = text,
                        .end = text + length,
                        .line = 1,
                        .budget = limit,
                        .limit = limit,
                        .length = length,
                        .arena = &arena,
                        .error = &error};
}

static void says(const char *words, int line)
{
    ck_assert_int_eq(error.status, PERP_E_FILE);
    ck_assert_msg(strstr(error.text, words) != NULL, "\"%s\" does not say \"%s\"", error.text,
                  words);
    ck_assert_int_eq(error.line, line);
}

static void next_is(perp_lexer *x, const char *token, int line)
{
    size_t length;
    const char *t = perp_lexer_token(x, &length);
    ck_assert_uint_eq(length, strlen(token));
    ck_assert(memcmp(t, token, length) == 0);
    ck_assert_int_eq(x->line, line);
}

START_TEST(tokens_and_lines)
{
    perp_lexer x = lexer(" a\tbb\r\n\n ccc#d\n");
    next_is(&x, "a", 1);
    next_is(&x, "bb", 1);
    next_is(&x, "ccc#d", 3);
    next_is(&x, "", 4);
    next_is(&x, "", 4);
    x = lexer("# one\n a # two\nb#three");
    x.comments = true;
    next_is(&x, "a", 2);
    next_is(&x, "b", 3);
    next_is(&x, "", 3);
    x = lexer("#");
    x.comments = true;
    ck_assert(!perp_lexer_skip(&x));
}
END_TEST

START_TEST(rest_of_the_line)
{
    size_t length;
    perp_lexer x = lexer("one two\r\n\nlast");
    next_is(&x, "one", 1);
    ck_assert_int_eq(strncmp(perp_lexer_line(&x, &length), " two", 4), 0);
    ck_assert_uint_eq(length, 4);
    ck_assert_ptr_nonnull(perp_lexer_line(&x, &length));
    ck_assert_uint_eq(length, 0);
    ck_assert_int_eq(x.line, 3);
    ck_assert_ptr_nonnull(perp_lexer_line(&x, &length));
    ck_assert_uint_eq(length, 4);
    ck_assert_ptr_null(perp_lexer_line(&x, &length));
}
END_TEST

START_TEST(integers)
{
    int v = 0;
    perp_lexer x = lexer("7 -3 +4 2147483647 2147483648 99999999999999999999999 1.0 x 5x");
    ck_assert(perp_lexer_int(&x, 0, 9, "k", &v) && v == 7);
    ck_assert(!perp_lexer_int(&x, 0, 9, "k", &v));
    says("expected k in 0 .. 9, found '-3'", 1);
    ck_assert(perp_lexer_int(&x, -3, 9, "k", &v) && v == -3);
    ck_assert(perp_lexer_int(&x, 4, 4, "k", &v) && v == 4);
    ck_assert(perp_lexer_int(&x, 0, INT_MAX, "k", &v) && v == INT_MAX);
    for (int k = 0; k < 2; k++) {
        ck_assert(!perp_lexer_int(&x, 1, INT_MAX, "k", &v));
        says("expected k, at least 1, found", 1);
        next_is(&x, k ? "99999999999999999999999" : "2147483648", 1);
    }
    for (int k = 0; k < 3; k++) {
        ck_assert(!perp_lexer_int(&x, 2, 2, "k", &v));
        says("expected k, a whole number, found", 1);
        next_is(&x, &"1.0\0x\0\0\0005x"[4 * k], 1);
    }
    ck_assert(!perp_lexer_int(&x, 2, 2, "k", &v));
    says("expected k, a whole number, but the file ends", 1);
    x = lexer("3");
    ck_assert(!perp_lexer_int(&x, 2, 2, "k", &v));
    says("expected k, which is 2, found '3'", 1);
}
END_TEST

START_TEST(reals)
{
    double v = 0;
    perp_lexer x = lexer("1.5\ninf\nnan\n1e999 2,5 -.5");
    ck_assert(perp_lexer_real(&x, false, "v", &v) && v == 1.5);
    ck_assert(!perp_lexer_real(&x, false, "v", &v));
    says("expected v, a finite number, found 'inf'", 2);
    ck_assert(perp_lexer_real(&x, true, "v", &v) && v == INFINITY);
    ck_assert(!perp_lexer_real(&x, true, "v", &v));
    says("expected v, a number, found 'nan'", 3);
    next_is(&x, "nan", 3);
    ck_assert(!perp_lexer_real(&x, false, "v", &v));
    next_is(&x, "1e999", 4);
    ck_assert(!perp_lexer_real(&x, true, "v", &v));
    next_is(&x, "2,5", 4);
    ck_assert(perp_lexer_real(&x, true, "v", &v) && v == -0.5);
    ck_assert(!perp_lexer_real(&x, true, "v", &v));
    says("the file ends", 4);
}
END_TEST

START_TEST(strange_tokens_are_shown_short_and_clean)
{
    perp_lexer x = lexer("\x1b[31m\xff"
                         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    perp_lexer_expected(&x, "a number");
    says("expected a number, found '?[31m?aaaaaaaaaaaaaaaaaaaaaa...'", 1);
}
END_TEST

START_TEST(arrays)
{
    perp_lexer x = lexer("1 2 3 4 5 6 x");
    const double *v = perp_lexer_reals(&x, 3, false, "q");
    ck_assert(v && v[0] == 1 && v[2] == 3);
    const int *i = perp_lexer_ints(&x, 2, 0, 9, "p");
    ck_assert(i && i[0] == 4 && i[1] == 5);
    perp_lexer y = x;
    ck_assert_ptr_null(perp_lexer_reals(&x, 2, false, "q"));
    says("expected q[1], a finite number, found 'x'", 1);
    ck_assert_ptr_null(perp_lexer_ints(&y, 2, 0, 5, "p"));
    says("expected p[0] in 0 .. 5, found '6'", 1);
    ck_assert_ptr_nonnull(perp_lexer_reals(&y, 0, false, "nothing"));
}
END_TEST

START_TEST(sizes_beyond_the_file_are_refused_before_allocating)
{
    perp_lexer x = lexer("1 2 3");
    size_t used = arena.used;
    static const size_t counts[] = {4, 1000, SIZE_MAX >> 24, SIZE_MAX / 8, SIZE_MAX};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        ck_assert_ptr_null(perp_lexer_reals(&x, counts[k], false, "q"));
        says("only 5 bytes are left in the file", 1);
        ck_assert_ptr_null(perp_lexer_ints(&x, counts[k], 0, 9, "q"));
    }
    ck_assert_uint_eq(arena.used, used);
    ck_assert(perp_lexer_size(&x, 1000000, "M"));
    ck_assert(!perp_lexer_size(&x, 1000006, "M"));
    ck_assert(!perp_lexer_size(&x, INT_MAX, "M"));
    says("not plausible for M", 1);
}
END_TEST

START_TEST(memory_under_the_budget)
{
    perp_lexer x = lexer("");
    ck_assert_ptr_nonnull(perp_lexer_alloc(&x, 1 << 16, 8, "M"));
    ck_assert_ptr_nonnull(perp_lexer_alloc(&x, 1 << 16, 8, "M"));
    ck_assert_ptr_null(perp_lexer_alloc(&x, 1, 8, "M"));
    says("M of 1 entries would take more than the limit of 1048576 bytes", 1);
    ck_assert_ptr_null(perp_lexer_alloc(&x, SIZE_MAX, 8, "M"));
    perp_arena none = {.fixed = true};
    x = lexer("");
    x.arena = &none;
    ck_assert_ptr_null(perp_lexer_alloc(&x, 1, 8, "M"));
    ck_assert_int_eq(error.status, PERP_E_MEMORY);
}
END_TEST

static void give_back(void)
{
    perp_arena_free(&arena);
}

int main(void)
{
    Suite *s = suite_create("lexer");
    TCase *t = tcase_create("lexer");
    tcase_add_checked_fixture(t, NULL, give_back);
    tcase_add_test(t, tokens_and_lines);
    tcase_add_test(t, rest_of_the_line);
    tcase_add_test(t, integers);
    tcase_add_test(t, reals);
    tcase_add_test(t, strange_tokens_are_shown_short_and_clean);
    tcase_add_test(t, arrays);
    tcase_add_test(t, sizes_beyond_the_file_are_refused_before_allocating);
    tcase_add_test(t, memory_under_the_budget);
    suite_add_tcase(s, t);
    return support_run(s);
}
