/* tests/test_fc3d_colour.c: contacts of one colour are not coupled, and all have their place. */
#include "fc3d/sweep.h"
#include "fc3d_support.h"

#include <stdlib.h>

static void check_order(const perp_sweep *s)
{
    int n = s->contacts, *seen = calloc((size_t)n + 1, sizeof *seen);
    ck_assert_ptr_nonnull(seen);
    for (int p = 0; p < n; p++) seen[s->order[p]]++;
    for (int c = 0; c < n; c++) ck_assert_int_eq(seen[c], 1);
    ck_assert_int_eq(s->start[0], 0);
    for (int c = 0; c < s->colours; c++) {
        ck_assert_int_le(s->start[c], s->start[c + 1]);
        for (int p = s->start[c] + 1; p < s->start[c + 1]; p++)
            ck_assert_int_lt(s->order[p - 1], s->order[p]);
    }
    ck_assert_int_eq(s->start[s->colours], s->serial);
    free(seen);
}

START_TEST(no_common_body)
{
    generator g = generator_start(1);
    for (int bodies = 1; bodies <= 40; bodies += 13) {
        enum { CONTACTS = 300 };
        int touch[2 * CONTACTS];
        perp_arena a = {0};
        perp_sweep s = {.contacts = CONTACTS, .bodies = {.bodies = bodies}};
        for (int k = 0; k < 2 * CONTACTS; k++) touch[k] = generator_below(&g, bodies);
        ck_assert(perp_colour_bodies(&a, &s, touch));
        check_order(&s);
        for (int c = 0; c < s.colours; c++) {
            int last[40] = {0};
            for (int p = s.start[c]; p < s.start[c + 1]; p++) {
                const int *t = touch + 2 * s.order[p];
                ck_assert(!last[t[0]] && !last[t[1]]);
                last[t[0]] = last[t[1]] = 1;
            }
        }
        /* one body: one contact a colour, and the rest serial */
        if (bodies == 1) ck_assert(s.colours == PERP_COLOURS && s.serial == PERP_COLOURS);
        if (bodies == 40) ck_assert_int_eq(s.serial, CONTACTS);
        perp_arena_free(&a);
    }
}
END_TEST

/* A block below the diagonal alone couples too. */
START_TEST(no_common_block)
{
    const int p[] = {0, 1, 3, 4, 6}, j[] = {0, 0, 1, 2, 1, 3};
    const int column[] = {0, 2, 4, 5, 6}, row[] = {0, 1, 1, 3, 2, 3};
    static const double x[54];
    perp_arena a = {0};
    perp_sweep s = {.contacts = 4, .Wm = perp_bsr3(4, 4, p, j, x)};
    ck_assert(perp_colour_rows(&a, &s, column, row));
    check_order(&s);
    ck_assert_int_eq(s.colours, 2); /* 0, 2, 3 and 1 */
    ck_assert(s.start[1] == 3 && s.order[3] == 1);
    perp_arena_free(&a);
}
END_TEST

START_TEST(nothing_to_colour)
{
    perp_arena a = {0};
    perp_sweep s = {.contacts = 0, .bodies = {.bodies = 0}};
    ck_assert(perp_colour_bodies(&a, &s, NULL));
    ck_assert(s.serial == 0 && s.start[s.colours] == 0);
    perp_arena_free(&a);
    supply none = {0};
    perp_arena poor = {.resize = scarce, .ctx = &none};
    ck_assert(!perp_colour_bodies(&poor, &(perp_sweep){.contacts = 3, .bodies = {.bodies = 2}},
                                  (const int[6]){0, 1, 0, 1, 1, 1}));
    perp_arena_free(&poor);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_colour");
    TCase *t = tcase_create("fc3d_colour");
    tcase_add_test(t, no_common_body);
    tcase_add_test(t, no_common_block);
    tcase_add_test(t, nothing_to_colour);
    suite_add_tcase(s, t);
    return support_run(s);
}
