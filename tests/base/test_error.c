/* test_error.c: names, sentences, and how a refusal is written down. */
#include "core/internal.h"
#include "support.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

START_TEST(every_status_has_a_word_and_a_sentence)
{
    static const perp_status all[] = {
#define PERP_X(name, value, word, text) name,
        PERP_STATUSES(PERP_X)
#undef PERP_X
    };
    int count = (int)(sizeof all / sizeof all[0]);
    ck_assert_int_eq(count, 15);
    for (int i = 0; i < count; i++) {
        ck_assert_uint_gt(strlen(perp_status_text(all[i])), 5);
        ck_assert_ptr_null(strchr(perp_status_name(all[i]), ' '));
        for (int j = 0; j < i; j++) {
            ck_assert_str_ne(perp_status_name(all[i]), perp_status_name(all[j]));
            ck_assert_str_ne(perp_status_text(all[i]), perp_status_text(all[j]));
        }
    }
}
END_TEST

START_TEST(names_match_their_values)
{
    ck_assert_str_eq(perp_status_name((perp_status)0), "solved");
    ck_assert_str_eq(perp_status_name((perp_status)2), "max_iter");
    ck_assert_str_eq(perp_status_name((perp_status)8), "cancelled");
    ck_assert_str_eq(perp_status_name((perp_status)-1), "bad_argument");
    ck_assert_str_eq(perp_status_name((perp_status)-6), "no_memory");
    ck_assert_str_eq(perp_status_text(PERP_E_MEMORY), "the arena ran out of memory");
}
END_TEST

START_TEST(an_unknown_status_is_called_so)
{
    ck_assert_str_eq(perp_status_name((perp_status)99), "unknown");
    ck_assert_str_eq(perp_status_name((perp_status)-7), "unknown");
    ck_assert_str_eq(perp_status_text((perp_status)99), "no such status");
}
END_TEST

START_TEST(version_of_library_and_header_agree)
{
    ck_assert_str_eq(perp_version(), PERP_VERSION);
}
END_TEST

START_TEST(append_ends_within_the_room)
{
    char text[8] = "xxxxxxx";
    size_t at = perp_append(text, sizeof text, 0, "ab");
    ck_assert_uint_eq(at, 2);
    ck_assert_str_eq(text, "ab");
    at = perp_append(text, sizeof text, at, "");
    at = perp_append(text, sizeof text, at, "cdefghij");
    ck_assert_uint_eq(at, 7);
    ck_assert_str_eq(text, "abcdefg");
    ck_assert_uint_eq(perp_append(text, sizeof text, at, "k"), 7);
    ck_assert_str_eq(text, "abcdefg");
}
END_TEST

START_TEST(refuse_fills_the_error)
{
    perp_error e = {.line = 7, .text = "old"};
    ck_assert_int_eq(perp_refuse(&e, PERP_E_NUMBER, "M[%d][%d] is %s", 3, 1, "bad"), PERP_E_NUMBER);
    ck_assert_int_eq(e.status, PERP_E_NUMBER);
    ck_assert_int_eq(e.line, 0);
    ck_assert_str_eq(e.text, "M[3][1] is bad");
}
END_TEST

START_TEST(refuse_works_without_an_error)
{
    ck_assert_int_eq(perp_refuse(NULL, PERP_E_FILE, "%d", 1), PERP_E_FILE);
}
END_TEST

START_TEST(a_long_sentence_is_cut_and_terminated)
{
    char name[400];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    perp_error e;
    memset(&e, 0x55, sizeof e);
    perp_refuse(&e, PERP_E_OPTION, "%s", name);
    ck_assert_uint_eq(strlen(e.text), sizeof e.text - 1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("error");
    TCase *c = tcase_create("error");
    tcase_add_test(c, every_status_has_a_word_and_a_sentence);
    tcase_add_test(c, names_match_their_values);
    tcase_add_test(c, an_unknown_status_is_called_so);
    tcase_add_test(c, version_of_library_and_header_agree);
    tcase_add_test(c, append_ends_within_the_room);
    tcase_add_test(c, refuse_fills_the_error);
    tcase_add_test(c, refuse_works_without_an_error);
    tcase_add_test(c, a_long_sentence_is_cut_and_terminated);
    suite_add_tcase(s, c);
    return support_run(s);
}
