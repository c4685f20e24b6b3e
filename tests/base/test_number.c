/* tests/base/test_number.c: reals to and from text, against strtod, in locales with other points
 * too. */
#include "comma.h"
#include "core/internal.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same(double x, double y)
{
    return memcmp(&x, &y, sizeof x) == 0;
}

static uint64_t bits(generator *g)
{
    uint64_t high = (uint64_t)(generator_unit(g) * 4294967296.0);
    return high << 32 | (uint64_t)(generator_unit(g) * 4294967296.0);
}

static double any_bits(generator *g)
{
    double x;
    do {
        uint64_t b = bits(g);
        memcpy(&x, &b, sizeof x);
    } while (!isfinite(x));
    return x;
}

static void check_text(const char *text)
{
    double x = -7;
    const char *end = perp_parse_real(text, text + strlen(text), &x);
    ck_assert_msg(*end == '\0' && same(x, strtod(text, NULL)), "%s reads %a", text, x);
}

START_TEST(numbers_read_as_strtod_reads_them)
{
    static const char *const texts[] = {"0",
                                        "-0",
                                        "+1",
                                        "1.",
                                        ".5",
                                        "-.5e1",
                                        "1e5",
                                        "1E-5",
                                        "1e+05",
                                        "9007199254740993",
                                        "1e22",
                                        "1e23",
                                        "123456789012345678901234567890",
                                        "0.1",
                                        "1e999",
                                        "-1e999",
                                        "1e-999",
                                        "1e99999999999999999999",
                                        "1e-99999999999999999999",
                                        "0e99999999999999999999",
                                        "0.000000000000000000000000000001e30",
                                        "5e-324",
                                        "2.4703282292062328e-324",
                                        "2.4703282292062327e-324",
                                        "2.2250738585072011e-308",
                                        "2.2250738585072014e-308",
                                        "1.7976931348623157e308",
                                        "1.7976931348623158e308",
                                        "1.7976931348623159e308",
                                        "1.000000000000000055511151e-01",
                                        "00000000000000000000000000012.5",
                                        "4.35",
                                        "8.5e-22",
                                        "1e16",
                                        "6.8e300",
                                        "inf",
                                        "-inf",
                                        "Infinity",
                                        "INF"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) check_text(texts[k]);
}
END_TEST

START_TEST(random_numbers_read_as_strtod_reads_them)
{
    generator g = generator_start(5);
    char text[1200];
    for (int k = 0; k < 40000; k++) {
        double x = any_bits(&g);
        int digits = generator_below(&g, 30);
        snprintf(text, sizeof text, "%.*e", digits, x);
        check_text(text);
        snprintf(text, sizeof text, "%llu.%llue%d", (unsigned long long)bits(&g),
                 (unsigned long long)bits(&g), generator_below(&g, 700) - 350);
        check_text(text);
    }
}
END_TEST

/* The middle of two doubles is written with all its digits, then with one more behind them. */
START_TEST(the_middle_of_two_doubles_rounds_to_even)
{
    generator g = generator_start(6);
    char text[1200];
    for (int k = 0; k < 2000; k++) {
        uint64_t odd = (bits(&g) >> 11 | UINT64_C(1) << 52) * 2 + 1; /* 54 bits */
        int n = snprintf(text, sizeof text, "%llu", (unsigned long long)odd);
        check_text(text);
        memcpy(text + n, ".0000", 6);
        check_text(text);
        memset(text + n + 1, '0', 1000);
        strcpy(text + n + 1001, "1");
        check_text(text);
    }
}
END_TEST

START_TEST(what_is_no_number_is_left_alone)
{
    static const struct {
        const char *text;
        int used;
    } cases[] = {{"", 0},     {"-", 0},    {".", 0},      {"+.", 0}, {"e5", 0},  {"x", 0},
                 {"-x", 0},   {" 1", 0},   {"in", 0},     {"1e", 1}, {"1e+", 1}, {"1.5.5", 3},
                 {"0x10", 1}, {"infx", 3}, {"infini", 3}, {"1,5", 1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double x = -7;
        const char *text = cases[k].text, *end = perp_parse_real(text, text + strlen(text), &x);
        ck_assert_msg(end - text == cases[k].used, "%s", text);
        if (!cases[k].used) ck_assert_double_eq(x, -7);
    }
    double x;
    const char *text = "12345";
    ck_assert_ptr_eq(perp_parse_real(text, text + 2, &x), text + 2);
    ck_assert_double_eq(x, 12);
    perp_parse_real("nan", &"nan"[3], &x);
    ck_assert(isnan(x));
}
END_TEST

static void check_print(double x, const char *expected)
{
    char text[32];
    int length = perp_print_real(x, text);
    ck_assert_str_eq(text, expected);
    ck_assert_int_eq(length, (int)strlen(expected));
}

START_TEST(numbers_print_short)
{
    check_print(0, "0");
    check_print(-0.0, "-0");
    check_print(1, "1");
    check_print(-12.5, "-12.5");
    check_print(0.1, "0.1");
    check_print(100, "100");
    check_print(123456789012345, "123456789012345");
    check_print(1e15, "1e15");
    check_print(1e22, "1e22");
    check_print(1e23, "1e23");
    check_print(0.00025, "0.00025");
    check_print(2.5e-5, "2.5e-5");
    check_print(5e-324, "5e-324");
    check_print(DBL_MAX, "1.7976931348623157e308");
    check_print(DBL_MIN, "2.2250738585072014e-308");
    check_print(-0.00012345678901234567, "-0.00012345678901234567");
    check_print(1.0 / 3, "0.3333333333333333");
    check_print(0.1 + 0.2, "0.30000000000000004");
    check_print(INFINITY, "inf");
    check_print(-INFINITY, "-inf");
    check_print(NAN, "nan");
}
END_TEST

START_TEST(what_is_printed_reads_back)
{
    generator g = generator_start(7);
    for (int k = 0; k < 20000; k++) {
        char text[32];
        double x = k % 2 ? any_bits(&g) : generator_unit(&g) - 0.5, back = 0;
        if (k % 10 == 0) x = ldexp(x, -1060 + k % 70);
        int length = perp_print_real(x, text);
        ck_assert_int_le(length, 24);
        ck_assert_ptr_eq(perp_parse_real(text, text + length, &back), text + length);
        ck_assert_msg(same(x, back), "%s: %a, not %a", text, back, x);
    }
}
END_TEST

START_TEST(the_locale_has_no_say)
{
    if (!set_comma_locale()) return;
    double x = 0;
    /* One through the fast way, one that only strtod can decide. */
    static const char *const texts[] = {"12.5", "9007199254740993.00000000000000000000001"};
    static const double values[] = {12.5, 9007199254740994};
    for (int k = 0; k < 2; k++) {
        const char *end = texts[k] + strlen(texts[k]);
        ck_assert_ptr_eq(perp_parse_real(texts[k], end, &x), end);
        ck_assert_double_eq(x, values[k]);
    }
    check_print(0.25, "0.25");
    setlocale(LC_ALL, "C");
    files_clean();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("number");
    TCase *t = tcase_create("number");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, numbers_read_as_strtod_reads_them);
    tcase_add_test(t, random_numbers_read_as_strtod_reads_them);
    tcase_add_test(t, the_middle_of_two_doubles_rounds_to_even);
    tcase_add_test(t, what_is_no_number_is_left_alone);
    tcase_add_test(t, numbers_print_short);
    tcase_add_test(t, what_is_printed_reads_back);
    tcase_add_test(t, the_locale_has_no_say);
    suite_add_tcase(s, t);
    return support_run(s);
}
