/* tests/lcp/test_dantzig_order.c: one index after the other, settled ones kept complementary. */
#include "contact_space.h"

/* M = (2 -1; -1 2), q = (1/2, -2): index 0 is settled, and enters on the way of index 1; were it
 * not kept, rule worst would come back for it. Two pivots each. */
START_TEST(a_settled_index_enters)
{
    const double M[] = {2, -1, -1, 2}, q[] = {0.5, -2}, x[] = {1. / 3, 7. / 6};
    perp_lcp_dantzig_options o = perp_lcp_dantzig_defaults();
    perp_result r;
    double z[2], w[2];
    o.rule = PERP_DRIVE_ORDER;
    ck_assert(!solve_dense(2, M, q, &o.base, z, w, &r));
    ck_assert_double_lt(difference(2, z, x), 1e-15);
    ck_assert_int_eq(r.iterations, 2);
}
END_TEST

/* Contacts of two to seven bodies with three to six times as many rows as the bodies have degrees
 * of freedom: w is zero for all at once when the set is full, and rounding tells which is last.
 * From the sets that are left for the seeds at the end, rule worst gets nowhere on x86-64. */
START_TEST(full_sets)
{
    static const uint64_t hard[] = {89,   198,  962,  1252, 1290, 1644,
                                    1656, 1726, 2018, 2598, 2713, 2724};
    for (uint64_t k = 1; k <= 72; k++) {
        uint64_t seed = k <= 60 ? k : hard[k - 61];
        perp_arena a = {0};
        perp_problem p = contact_space(seed % 2 ? 2 : 7, seed % 3 ? 15 : 35, seed, &a);
        double z[300];
        perp_result r;
        perp_lcp_dantzig_options o = perp_lcp_dantzig_defaults();
        o.rule = PERP_DRIVE_ORDER;
        o.refactor = seed % 5 < 2;
        ck_assert_msg(!solve_checked(&p, &o.base, z, NULL, &r), "seed %d: %s", (int)seed, r.detail);
        perp_arena_free(&a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lcp_dantzig_order");
    TCase *t = tcase_create("lcp_dantzig_order");
    tcase_add_test(t, a_settled_index_enters);
    tcase_add_test(t, full_sets);
    suite_add_tcase(s, t);
    return support_run(s);
}
