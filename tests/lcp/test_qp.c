/* tests/lcp/test_qp.c: symmetric LCPs as QPs: values, indefinite M, rays and proofs, warm starts.
 */
#include "core/defaults.h"
#include "support.h"

#include "perp/solvers.h"

#include <check.h>
#include <math.h>
#include <string.h>

#define MOST 200

static const perp_options *const o = &perp_lcp_qp.base;

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

START_TEST(hand_worked)
{
    const double M[] = {2, 1, 1, 2}, q[] = {-5, -6}, wave[] = {0, -1, -1, 0}, low[] = {-1, 1};
    double z[2], w[2];
    perp_result r;
    ck_assert(!solve_dense(2, M, q, o, z, w, &r));
    ck_assert(fabs(z[0] - 4. / 3) < 1e-15 && fabs(z[1] - 7. / 3) < 1e-15);
    ck_assert(!solve_dense(0, NULL, NULL, o, NULL, NULL, &r));
    /* -z_0 z_1 - z_0 + z_1: z_0 grows for ever, and with it the wish of z_1 */
    ck_assert_int_eq(solve_dense(2, wave, low, o, z, w, &r), PERP_INFEASIBLE);
}
END_TEST

/* Indefinite M: z'M z / 2 + q'z on z >= 0 has stationary points where it is bounded below. */
START_TEST(indefinite)
{
    const double M[] = {-1, 3, 3, -1}, q[] = {1, 1}, pull[] = {-1, -1};
    double z[2], w[2];
    perp_result r;
    ck_assert(!solve_dense(2, M, q, o, z, w, &r)); /* z = 0 at once */
    ck_assert(z[0] == 0 && z[1] == 0);
    perp_status s = solve_dense(2, M, pull, o, z, w, &r); /* falls along an axis */
    ck_assert(s == PERP_RAY || s == PERP_SOLVED || s == PERP_INFEASIBLE);
}
END_TEST

START_TEST(refuses_what_is_not_symmetric)
{
    const double M[] = {2, 1, 0, 2}, q[] = {-5, -6};
    double z[2];
    perp_result r;
    ck_assert_int_eq(solve_dense(2, M, q, o, z, NULL, &r), PERP_E_NUMBER);
    ck_assert_ptr_nonnull(strstr(r.detail, "M[1][0]"));
}
END_TEST

START_TEST(families)
{
    static const char *const names[] = {"pd",         "psd",       "obstacle",
                                        "degenerate", "duplicate", "zero_rows"};
    static double z[MOST], w[MOST], near[MOST];
    perp_plain_options warm = perp_lcp_qp_defaults();
    perp_result r;
    warm.base.warm_start = true;
    for (int k = 0; k < 6; k++) {
        for (uint64_t seed = 1; seed <= 3; seed++) {
            ck_assert_msg(!solve_family(names[k], 60, seed, o, z, w, &r), "%s: %s", names[k],
                          r.detail);
            for (int i = 0; i < 60; i++) near[i] = z[i] + 1e-7;
            ck_assert(!solve_family(names[k], 60, seed, &warm.base, near, w, &r));
            if (k == 0) ck_assert_int_le(r.iterations, 2);
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
    ck_assert(lcp_generate(lcp_family_find("pd"), 30, 1, &own, &g));
    perp_problem p = lcp_generated_problem(&g);
    solve_starved(&p, o, PERP_SOLVED);
    ck_assert_int_eq(solve_checked(&p, o, z, NULL, &r), PERP_SOLVED);
    perp_plain_options short_one = perp_lcp_qp_defaults();
    for (int k = 0, needed = r.iterations - 2; k < needed; k++) {
        short_one.base.max_iter = k;
        ck_assert_int_eq(solve_checked(&p, &short_one.base, z, NULL, &r), PERP_MAX_ITER);
    }
    perp_arena_free(&own);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lcp/qp");
    TCase *t = tcase_create("qp");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, indefinite);
    tcase_add_test(t, refuses_what_is_not_symmetric);
    tcase_add_test(t, families);
    tcase_add_test(t, limits);
    suite_add_tcase(s, t);
    return support_run(s);
}
