/* tests/core/test_kind_mcp.c: bounds that follow another unknown, and proofs over a box. */
#include "core/internal.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <math.h>

/* A box on a plane pushed sideways: normal force z0, friction z1 in +-mu z0. W = I. */
START_TEST(friction_box)
{
    const double I2[] = {1, 0, 0, 1}, lo[] = {0, -INFINITY}, mu[] = {NAN, 0.5};
    const int follows[] = {-1, 0};
    const double slip_q[] = {-2, 3}, stick_q[] = {-2, 0.75}, fly_q[] = {2, 3};
    const double slip[] = {2, -1}, stick[] = {2, -0.75}, fly[] = {0, 0};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, I2), slip_q, lo, NULL);
    p.as.mcp.follows = follows;
    p.as.mcp.mu = mu;
    ck_assert_double_eq(certify(&p, slip, PERP_SOLVED).value, 0);
    const double too_much[] = {2, -1.5}, too_little[] = {2, -0.5}, pulled[] = {-2, 0};
    perp_residual r = certify(&p, too_much, PERP_SOLVED);
    ck_assert_double_eq(r.primal, 0.5);
    ck_assert_double_eq(r.absolute, 0.5);
    ck_assert_double_eq_tol(r.value, 0.5 / sqrt(13), 1e-15);
    r = certify(&p, too_little, PERP_SOLVED);
    ck_assert_double_eq(r.complementarity, 0.5);
    ck_assert_double_eq(r.absolute, 0.5);
    r = certify(&p, pulled, PERP_SOLVED); /* z0 < 0: the box is a point; w = (-4, 3) */
    ck_assert_double_eq(r.absolute, 4);
    p.as.mcp.F.q = stick_q;
    ck_assert_double_eq(certify(&p, stick, PERP_SOLVED).value, 0);
    ck_assert_double_gt(certify(&p, slip, PERP_SOLVED).value, 0.1);
    p.as.mcp.F.q = fly_q;
    ck_assert_double_eq(certify(&p, fly, PERP_SOLVED).value, 0);
}
END_TEST

START_TEST(bound_refusals)
{
    const double I3[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[] = {1, 1, 1};
    const double up[] = {0, 0, 2}, down[] = {1, 1, 1}, nan_lo[] = {0, NAN, 0};
    perp_matrix M = perp_dense(3, 3, I3);
    invalid(perp_make_mcp(3, M, q, up, down), PERP_E_ARGUMENT, "lo[2]");
    invalid(perp_make_mcp(3, M, q, nan_lo, NULL), PERP_E_NUMBER, "lo[1]");
    const struct {
        int follows[3];
        double mu[3];
        perp_status status;
        const char *word;
    } t[] = {
        {{-1, 0, 0}, {NAN, 1, 0}, PERP_SOLVED, ""},
        {{-1, -2, 0}, {1, 1, 1}, PERP_E_ARGUMENT, "findex[1]"},
        {{-1, 0, 3}, {1, 1, 1}, PERP_E_ARGUMENT, "findex[2]"},
        {{-1, 1, 0}, {1, 1, 1}, PERP_E_ARGUMENT, "itself"},
        {{-1, 0, 1}, {1, 1, 1}, PERP_E_ARGUMENT, "follows"},
        {{-1, 0, 0}, {1, -0.1, 1}, PERP_E_ARGUMENT, "mu[1]"},
        {{-1, 0, 0}, {1, 1, NAN}, PERP_E_NUMBER, "mu[2]"},
        {{-1, 0, 0}, {1, 1, INFINITY}, PERP_E_NUMBER, "mu[2]"},
    };
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        perp_problem p = perp_make_mcp(3, M, q, NULL, NULL);
        p.as.mcp.follows = t[k].follows;
        p.as.mcp.mu = t[k].mu;
        if (t[k].status)
            invalid(p, t[k].status, t[k].word);
        else
            ck_assert_int_eq(perp_validate(&p, NULL), PERP_SOLVED);
    }
    perp_problem p = perp_make_mcp(3, M, q, NULL, NULL);
    p.as.mcp.follows = t[0].follows;
    invalid(p, PERP_E_ARGUMENT, "mu");
}
END_TEST

/* F1 = z2 + c must be 0 (z1 is free); z2 has the given bounds, F2 = 0 z + 1. */
START_TEST(infeasible_over_a_box)
{
    const double M[] = {0, 0, 1, 0}, up[] = {1, 0}, down[] = {-1, 0}, none[] = {0, 0};
    const double second[] = {1, 1};
    const struct {
        double lo, hi, c;
        bool by_up, by_down;
    } t[] = {
        {0, 1, -3, true, false},         {0, 1, 2, false, true},
        {0, 1, -0.5, false, false},      {0, INFINITY, 1, false, true},
        {0, INFINITY, -1, false, false}, {-INFINITY, 0, -1, true, false},
        {-INFINITY, 0, 1, false, false}, {-INFINITY, INFINITY, 1, false, false},
        {2, 5, -1, false, true},         {-5, -2, 1, true, false},
    };
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        const double q[] = {t[k].c, 1}, lo[] = {-INFINITY, t[k].lo}, hi[] = {INFINITY, t[k].hi};
        for (double f = 1e-200; f < 1e250; f *= 1e100) {
            const double y_up[] = {f, 0}, y_down[] = {-f, 0};
            perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M), q, lo, hi);
            ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, y_up, NULL),
                             t[k].by_up ? PERP_SOLVED : PERP_UNCERTIFIED);
            ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, y_down, NULL),
                             t[k].by_down ? PERP_SOLVED : PERP_UNCERTIFIED);
        }
        perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M), q, lo, hi);
        ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, none, NULL), PERP_UNCERTIFIED);
        if (isfinite(t[k].lo) && isfinite(t[k].hi)) { /* F2 may be anything: y2 = 0 */
            ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, second, NULL), PERP_UNCERTIFIED);
        }
    }
    const double q[] = {-3, 1}, lo[] = {-INFINITY, 0}, hi[] = {INFINITY, 1};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M), q, lo, hi);
    ck_assert_int_eq(check_claim(&p, PERP_RAY, up, NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(check_claim(&p, PERP_UNBOUNDED, down, NULL), PERP_E_ARGUMENT);
}
END_TEST

/* One-sided variables: F >= 0 needs y >= 0, F <= 0 needs y <= 0. M = 0, so F = q. */
START_TEST(infeasible_signs)
{
    const double zero[] = {0}, minus[] = {-1}, plus[] = {1}, low[] = {0}, high[] = {0};
    perp_problem at_lo = perp_make_mcp(1, perp_dense(1, 1, zero), minus, low, NULL);
    perp_problem at_hi = perp_make_mcp(1, perp_dense(1, 1, zero), plus, NULL, high);
    ck_assert_int_eq(check_claim(&at_lo, PERP_INFEASIBLE, plus, NULL), PERP_SOLVED);
    ck_assert_int_eq(check_claim(&at_hi, PERP_INFEASIBLE, minus, NULL), PERP_SOLVED);
    at_lo.as.mcp.F.q = plus; /* now feasible; a wrong sign must not pass */
    at_hi.as.mcp.F.q = minus;
    ck_assert_int_eq(check_claim(&at_lo, PERP_INFEASIBLE, minus, NULL), PERP_UNCERTIFIED);
    ck_assert_int_eq(check_claim(&at_hi, PERP_INFEASIBLE, plus, NULL), PERP_UNCERTIFIED);
}
END_TEST

/* z1 in +-mu z0, z0 >= 0, and F2 = z1 - z0 - 1 = 0: impossible for mu <= 1. */
START_TEST(infeasible_followers)
{
    const double M[] = {0, 0, -1, 0, 0, 1, 0, 0, 0}, q[] = {1, 1, -1}, y[] = {0, 0, 1};
    const double lo[] = {0, -INFINITY, -INFINITY}, minus_q[] = {1, -1, -1};
    const double down[] = {0, -1, 0}, up[] = {0, 1, 0};
    const int follows[] = {-1, 0, -1};
    perp_problem p = perp_make_mcp(3, perp_dense(3, 3, M), q, lo, NULL);
    p.as.mcp.follows = follows;
    for (double mu = 0; mu < 3; mu += 0.5) {
        const double all[] = {0, mu, 0};
        p.as.mcp.mu = all;
        ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, y, NULL),
                         mu <= 1 ? PERP_SOLVED : PERP_UNCERTIFIED);
        /* F1 = q1 may have any sign: neither of its signs proves anything */
        p.as.mcp.F.q = minus_q;
        ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, up, NULL), PERP_UNCERTIFIED);
        p.as.mcp.F.q = q;
        ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, down, NULL), PERP_UNCERTIFIED);
    }
    /* z0 at most 1: z1 - z0 <= mu - 1, so that 1 is out of reach up to mu = 2 */
    const double hi[] = {1, INFINITY, INFINITY}, mu_in[] = {0, 1.9, 0}, mu_out[] = {0, 2.1, 0};
    p.as.mcp.hi = hi;
    p.as.mcp.mu = mu_in;
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, y, NULL), PERP_SOLVED);
    p.as.mcp.mu = mu_out;
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, y, NULL), PERP_UNCERTIFIED);
}
END_TEST

static bool constant(void *ctx, const double *z, double *F)
{
    (void)ctx, (void)z;
    F[0] = F[1] = 1;
    return true;
}

START_TEST(nothing_is_proved_of_callbacks)
{
    const double y[] = {1, 1};
    perp_problem mcp = {.kind = PERP_KIND_MCP, .as.mcp.F = {.n = 2, .eval = constant}};
    ck_assert_int_eq(check_claim(&mcp, PERP_INFEASIBLE, y, NULL), PERP_E_ARGUMENT);
}
END_TEST

/* The smallest point of the box, (0, -0.00025), times a denormal M is below all numbers, and so is
 * what the residual is divided by; it was 1, and any z was a solution. */
START_TEST(scale_below_all_numbers)
{
    const double M[] = {64 * DBL_TRUE_MIN, 0, 0, 64 * DBL_TRUE_MIN}, q[] = {0, 0}, lo[] = {0, -1},
                 hi[] = {INFINITY, -0.00025};
    perp_problem p = {.kind = PERP_KIND_MCP};
    p.as.mcp.F = (perp_map){.n = 2, .M = perp_dense(2, 2, M), .q = q};
    p.as.mcp.lo = lo;
    p.as.mcp.hi = hi;
    const double wrong[] = {0, -0.2};
    perp_arena a = {0};
    perp_residual r;
    ck_assert_int_eq(perp_certify(&p, wrong, &a, &r), PERP_SOLVED);
    ck_assert_double_gt(r.value + r.bound, 1);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("kind_mcp");
    TCase *c = tcase_create("kind_mcp");
    tcase_add_test(c, friction_box);
    tcase_add_test(c, bound_refusals);
    tcase_add_test(c, infeasible_over_a_box);
    tcase_add_test(c, infeasible_signs);
    tcase_add_test(c, infeasible_followers);
    tcase_add_test(c, nothing_is_proved_of_callbacks);
    tcase_add_test(c, scale_below_all_numbers);
    suite_add_tcase(s, c);
    return support_run(s);
}
