/* tests/fc3d/test_colour.c: contacts that follow each other are not coupled, where that can be. */
#include "fc3d/colour.h"
#include "fc3d_support.h"

#define CONTACTS 400

/* How often a contact has a body in common with the one before. */
static int coupled(const int *touch, int from, int to, const int *order)
{
    int count = 0;
    for (int k = from + 1; k < to; k++) {
        const int *p = touch + 2 * order[k - 1], *q = touch + 2 * order[k];
        count += p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1];
    }
    return count;
}

static void check_permutation(int from, int to, const int *order)
{
    bool seen[CONTACTS] = {0};
    for (int k = from; k < to; k++) {
        ck_assert(order[k] >= from && order[k] < to && !seen[order[k]]);
        seen[order[k]] = true;
    }
}

/* A chain in its order: each contact is coupled to the next one. */
START_TEST(chain)
{
    perp_dissection_part part[2];
    perp_dissection p = {.part = part};
    for (int local = 0; local < 2; local++) {
        int touch[2 * CONTACTS], start[CONTACTS + 1] = {0}, other[3 * CONTACTS], order[CONTACTS];
        perp_arena a = {0};
        for (int k = 0; k < CONTACTS; k++) {
            touch[2 * k] = k;
            touch[2 * k + 1] = k + 1;
            order[k] = k;
            start[k + 1] = start[k];
            for (int l = k - 1; l <= k + 1; l++)
                if (l >= 0 && l < CONTACTS) other[start[k + 1]++] = l;
        }
        p.count = 2; /* what is in a part stays there */
        p.part[0].from = 0;
        p.part[0].to = p.part[1].from = 150;
        p.part[1].to = CONTACTS;
        perp_couplings c = {CONTACTS, CONTACTS, NULL, {start, NULL}, {other, NULL}};
        if (!local) ck_assert(perp_couplings_bodies(&a, CONTACTS, CONTACTS + 1, touch, &c));
        ck_assert(perp_colour(&a, &c, &p, order));
        check_permutation(0, 150, order);
        check_permutation(150, CONTACTS, order);
        ck_assert_int_le(coupled(touch, 0, 150, order), 1);
        ck_assert_int_le(coupled(touch, 150, CONTACTS, order), 3);
        perp_arena_free(&a);
    }
}
END_TEST

/* One body has more contacts than there are colours: the order is the given one. */
START_TEST(hub)
{
    perp_dissection_part part[2];
    perp_dissection p = {.part = part};
    int touch[2 * CONTACTS], order[CONTACTS];
    perp_arena a = {0};
    perp_couplings c;
    for (int k = 0; k < CONTACTS; k++) {
        touch[2 * k] = 0;
        touch[2 * k + 1] = k + 1;
        order[k] = k;
    }
    p.count = 1;
    p.part[0].from = 0;
    p.part[0].to = CONTACTS;
    ck_assert(perp_couplings_bodies(&a, CONTACTS, CONTACTS + 1, touch, &c));
    ck_assert(perp_colour(&a, &c, &p, order));
    for (int k = 0; k < CONTACTS; k++) ck_assert_int_eq(order[k], k);
    perp_arena_free(&a);
    supply none = {0};
    perp_arena poor = {.resize = scarce, .ctx = &none};
    ck_assert(!perp_colour(&poor, &c, &p, order));
    perp_arena_free(&poor);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_colour");
    TCase *t = tcase_create("fc3d_colour");
    tcase_add_test(t, chain);
    tcase_add_test(t, hub);
    suite_add_tcase(s, t);
    return support_run(s);
}
