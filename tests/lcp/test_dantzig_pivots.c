/* tests/lcp/test_dantzig_pivots.c: one index on its way: rays that prove and rays that do not, flat
 * directions, candidates, factors anew. */
#include "contact_space.h"

static perp_lcp_dantzig_options variant(int k)
{
    perp_lcp_dantzig_options o = perp_lcp_dantzig_defaults();
    o.rule = k % 2 ? PERP_DRIVE_ORDER : PERP_DRIVE_WORST;
    o.refactor = k / 2 % 2;
    o.candidates = k / 4 ? 1 : 8;
    return o;
}

/* z = (t, t) never helps w = (z0 - z1 - 1, z1 - z0 - 1). */
START_TEST(a_ray_that_proves)
{
    const double M[] = {1, -1, -1, 1}, q[] = {-1, -1};
    for (int k = 0; k < 8; k++) {
        perp_lcp_dantzig_options o = variant(k);
        perp_result r;
        double z[2], w[2];
        ck_assert_int_eq(solve_dense(2, M, q, &o.base, z, w, &r), PERP_INFEASIBLE);
        ck_assert(w[0] > 0 && fabs(w[0] - w[1]) < 1e-15 * w[0]);
    }
}
END_TEST

/* Columns that repeat: the second of a pair is as zero as the first. */
START_TEST(flat_directions)
{
    const double M[] = {1, 1, 2, 1, 1, 2, 2, 2, 5}, q[] = {-1, -1, -1};
    for (int k = 0; k < 8; k++) {
        perp_lcp_dantzig_options o = variant(k);
        perp_result r;
        double z[3], w[3];
        ck_assert(!solve_dense(3, M, q, &o.base, z, w, &r));
        ck_assert(fabs(z[0] + z[1] - 1) < 1e-14 && z[2] == 0);
    }
}
END_TEST

/* M of rank 12 and 42 in up to 245 unknowns. When the set is full all w are zero but for rounding,
 * which grows with z: nothing that is left is to be driven, and no ray is to be believed. */
START_TEST(full_sets)
{
    for (uint64_t seed = 1; seed <= 80; seed++) {
        perp_arena a = {0};
        perp_problem p = contact_space(seed % 4 ? 2 : 7, seed % 3 ? 15 : 35, seed, &a);
        double z[300], first = 0;
        perp_result r;
        for (int k = 0; k < 8; k += 2) {
            perp_lcp_dantzig_options o = variant(k);
            ck_assert_msg(!solve_checked(&p, &o.base, z, NULL, &r), "seed %d, variant %d: %s",
                          (int)seed, k, r.detail);
            double energy = 0;
            for (int i = 0; i < p.as.lcp.n; i++) energy += z[i] * p.as.lcp.q[i];
            if (k == 0) first = energy;
            ck_assert_double_lt(fabs(energy - first), 1e-6 * (1 + fabs(first)));
        }
        perp_arena_free(&a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lcp_dantzig_pivots");
    TCase *t = tcase_create("lcp_dantzig_pivots");
    tcase_add_test(t, a_ray_that_proves);
    tcase_add_test(t, flat_directions);
    tcase_add_test(t, full_sets);
    suite_add_tcase(s, t);
    return support_run(s);
}
