/* tests/test_team.c: threads that work together: everyone takes part, nobody runs ahead. */
#include "kernel/team.h"
#include "support.h"

#include <string.h>

#define STEPS 200

typedef struct record {
    int seen[PERP_TEAM_MOST]; /* steps a member has done */
    bool ahead;
    atomic_int total;
} record;

static void work(void *ctx, perp_team *t, int member)
{
    record *r = ctx;
    for (int k = 0; k < STEPS; k++) {
        r->seen[member]++;
        atomic_fetch_add(&r->total, 1);
        perp_team_meet(t);
        for (int m = 0; m < t->size && member == 0; m++) {
            if (r->seen[m] != r->seen[0]) r->ahead = true;
        }
        perp_team_meet(t);
    }
}

START_TEST(together)
{
    static const int sizes[] = {-1, 0, 1, 2, 3, 8};
    for (int s = 0; s < 6; s++) {
        record r;
        memset(&r, 0, sizeof r);
        perp_team t;
        perp_team_open(&t, sizes[s], work, &r);
        ck_assert_int_eq(t.size, sizes[s] < 1 ? 1 : sizes[s]);
        for (int k = 0; k < 3; k++) perp_team_go(&t);
        ck_assert_int_eq(atomic_load(&r.total), 3 * STEPS * t.size);
        ck_assert(!r.ahead);
        perp_team_close(&t);
        ck_assert_int_eq(t.size, 1);
    }
}
END_TEST

START_TEST(shares)
{
    for (int size = 1; size <= 8; size++) {
        perp_team t = {.size = size};
        for (int count = 0; count < 20; count++) {
            int next = 5;
            for (int m = 0; m < size; m++) {
                int from, to;
                perp_team_share(&t, m, 5, 5 + count, &from, &to);
                ck_assert(from == next && to >= from && to - from <= count / size + 1);
                next = to;
            }
            ck_assert_int_eq(next, 5 + count);
        }
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("team");
    TCase *t = tcase_create("team");
    tcase_add_test(t, together);
    tcase_add_test(t, shares);
    suite_add_tcase(s, t);
    return support_run(s);
}
