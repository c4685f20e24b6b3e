/* tests/lcp/test_nsqp.c: LCPs as QPs with M + M': values, nonsymmetric M, proofs, what is no
 * solution, warm starts. */
#include "core/defaults.h"
#include "support.h"

#include "perp/solvers.h"

#include <check.h>
#include <math.h>
#include <string.h>

#define MOST 200

static const perp_options *const o = &perp_lcp_nsqp.base;

static perp_status solve_family(const char *family, int n, uint64_t seed, const perp_options *how,
                                double *z, double *w, perp_result *r)
{
    perp_arena a = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find(family), n, seed, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    perp_status s = solve_checked(&p, how, z, w, r);
    perp_arena_free(&a);
    return s;
}

/* A rotation, M = (0 1; -1 0): w = (z_1 - 1, 2 - z_0) vanishes at (2, 1). */
START_TEST(hand_worked)
{
    const double M[] = {2, 1, 1, 2}, q[] = {-5, -6}, turn[] = {0, -1, 1, 0}, p[] = {-1, 2};
    double z[2], w[2];
    perp_result r;
    ck_assert(!solve_dense(2, M, q, o, z, w, &r));
    ck_assert(fabs(z[0] - 4. / 3) < 1e-14 && fabs(z[1] - 7. / 3) < 1e-14);
    ck_assert(!solve_dense(2, turn, p, o, z, w, &r));
    ck_assert(fabs(z[1] - 1) < 1e-14 && z[0] <= 2 + 1e-14);
    ck_assert(!solve_dense(0, NULL, NULL, o, NULL, NULL, &r));
}
END_TEST

/* M = -1, q = -1 has no feasible z; q = 1 has z = 0 and z = 1, and z'w = z - z^2 between. */
START_TEST(not_sufficient)
{
    const double M[] = {-1}, minus[] = {-1}, one[] = {1};
    const double hill[] = {0, 0, 1, 0}, q[] = {-1, 1}; /* w = (z_1 - 1, 1): z = (0, 1) or worse */
    double z[2], w[2];
    perp_result r;
    ck_assert_int_eq(solve_dense(1, M, minus, o, z, w, &r), PERP_INFEASIBLE);
    ck_assert(!solve_dense(1, M, one, o, z, w, &r));
    perp_status s = solve_dense(2, hill, q, o, z, w, &r); /* z_1 w_1 > 0 wherever w_0 >= 0 */
    ck_assert_int_eq(s, PERP_STALLED);
    ck_assert_ptr_nonnull(strstr(r.detail, "z'w = 1"));
}
END_TEST

START_TEST(families)
{
    static const char *const names[] = {"pd", "psd", "p_matrix", "skew", "degenerate"};
    static double z[MOST], w[MOST], near[MOST];
    perp_plain_options warm = perp_lcp_nsqp_defaults();
    perp_result r;
    warm.base.warm_start = true;
    for (int k = 0; k < 5; k++) {
        const lcp_family *f = lcp_family_find(names[k]);
        if (!f || !(f->psd || f->definite)) continue;
        for (uint64_t seed = 1; seed <= 3; seed++) {
            ck_assert_msg(!solve_family(names[k], 40, seed, o, z, w, &r), "%s: %s", names[k],
                          r.detail);
            for (int i = 0; i < 40; i++) near[i] = z[i] + 1e-7;
            ck_assert(!solve_family(names[k], 40, seed, &warm.base, near, w, &r));
        }
    }
    ck_assert_int_eq(solve_family("infeasible_row", 30, 1, o, z, w, &r), PERP_INFEASIBLE);
}
END_TEST

START_TEST(limits)
{
    static double z[MOST];
    perp_result r;
    perp_arena own = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find("pd"), 20, 1, &own, &g));
    perp_problem p = lcp_generated_problem(&g);
    solve_starved(&p, o, PERP_SOLVED);
    ck_assert_int_eq(solve_checked(&p, o, z, NULL, &r), PERP_SOLVED);
    perp_plain_options short_one = perp_lcp_nsqp_defaults();
    for (int k = 0, needed = r.iterations - 2; k < needed; k++) {
        short_one.base.max_iter = k;
        ck_assert_int_eq(solve_checked(&p, &short_one.base, z, NULL, &r), PERP_MAX_ITER);
    }
    perp_arena_free(&own);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lcp/nsqp");
    TCase *t = tcase_create("nsqp");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, not_sufficient);
    tcase_add_test(t, families);
    tcase_add_test(t, limits);
    suite_add_tcase(s, t);
    return support_run(s);
}
