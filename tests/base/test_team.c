/* tests/base/test_team.c: threads that work together: everyone takes part in every round, nobody
 * runs ahead, and what is written before a flag is set is seen by who waits for it. */
#include "base/team.h"
#include "support.h"

#include <string.h>

#define ROUNDS 500

typedef struct record {
    int done[PERP_TEAM_MOST]; /* rounds of a member */
    perp_flag flag[PERP_TEAM_MOST];
    int sum; /* handed from member to member */
    atomic_bool wrong;
} record;

/* One after the other, each when the one before has set its flag. */
static void work(void *ctx, perp_team *t, int member)
{
    record *r = ctx;
    r->done[member]++;
    if (member > 0) perp_flag_wait(&r->flag[member - 1], t->round);
    if (r->sum != (t->round - 1) * t->size + member) r->wrong = true;
    r->sum++;
    perp_flag_set(&r->flag[member], t->round);
}

START_TEST(together)
{
    static const int sizes[] = {-1, 0, 1, 2, 3, 8};
    for (int s = 0; s < 6; s++) {
        static record r;
        memset(&r, 0, sizeof r);
        perp_team t;
        perp_team_open(&t, sizes[s], work, &r);
        ck_assert_int_eq(t.size, sizes[s] < 1 ? 1 : sizes[s]);
        for (int k = 1; k <= ROUNDS; k++) {
            perp_team_go(&t);
            for (int m = 0; m < t.size; m++) ck_assert_int_eq(r.done[m], k);
            ck_assert_int_eq(r.sum, k * t.size);
        }
        ck_assert(!r.wrong);
        perp_team_close(&t);
        ck_assert_int_eq(t.size, 1);
    }
}
END_TEST

/* A team that is opened and closed at once; more members than there may be. */
START_TEST(idle)
{
    static record r;
    perp_team t;
    perp_team_open(&t, 4, work, &r);
    perp_team_close(&t);
    perp_team_open(&t, 10 * PERP_TEAM_MOST, work, &r);
    ck_assert_int_le(t.size, PERP_TEAM_MOST);
    perp_team_close(&t);
    ck_assert_int_eq(r.sum, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("team");
    TCase *t = tcase_create("team");
    tcase_add_test(t, together);
    tcase_add_test(t, idle);
    suite_add_tcase(s, t);
    return support_run(s);
}
