/* tests/io/test_text_table.c: every kind has items, and each item its place. */
#include "io/text.h"
#include "support.h"

#include <check.h>
#include <string.h>

START_TEST(every_kind_has_items)
{
    for (int k = 0; k < PERP_KINDS; k++) {
        const text_item *items = perp_text_items((perp_kind)k);
        ck_assert_ptr_nonnull(items);
        int count = 0;
        for (; items[count].name; count++) {
            ck_assert_uint_lt(items[count].offset, sizeof(perp_problem));
            for (int l = 0; l < count; l++) {
                ck_assert_str_ne(items[l].name, items[count].name);
                ck_assert_uint_ne(items[l].offset, items[count].offset);
            }
        }
        ck_assert(count >= 2 && count < 32); /* a bit each */
    }
    ck_assert_ptr_null(perp_text_items((perp_kind)77));
}
END_TEST

START_TEST(sizes)
{
    const perp_qp qp = {.n = 3, .m = 2};
    perp_problem p = {.kind = PERP_KIND_QP, .as.qp = qp};
    ck_assert_int_eq(perp_text_size(&p, SIZE_N), 3);
    ck_assert_int_eq(perp_text_size(&p, SIZE_M), 2);
    p = (perp_problem){.kind = PERP_KIND_FC3D, .as.fc3d = {.contacts = 4, .M = {.m = 6}}};
    ck_assert_int_eq(perp_text_size(&p, SIZE_CONTACTS), 4);
    ck_assert_int_eq(perp_text_size(&p, SIZE_VELOCITIES), 6);
    ck_assert_int_eq(perp_text_size(&p, SIZE_EQUALITIES), 0);
    p.as.fc3d.G = perp_dense(6, 2, NULL);
    ck_assert_int_eq(perp_text_size(&p, SIZE_EQUALITIES), 2);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("text_table");
    TCase *t = tcase_create("text_table");
    tcase_add_test(t, every_kind_has_items);
    tcase_add_test(t, sizes);
    suite_add_tcase(s, t);
    return support_run(s);
}
