/* tests/core/test_kind_map.c: ncp and mcp: callbacks, boxes, bounds that follow another unknown. */
#include "core/internal.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* F = (z1^2 - 4, z2 + 3), undefined for z1 > 100, NaN for z2 > 100. ctx counts nothing. */
static bool squares(void *ctx, const double *z, double *F)
{
    (void)ctx;
    F[0] = z[0] * z[0] - 4;
    F[1] = z[1] > 100 ? NAN : z[1] + 3;
    return z[0] <= 100;
}

static bool never(void *ctx, const double *z, double *F)
{
    (void)ctx;
    F[0] = 7;
    return z[0] != 0;
}

START_TEST(ncp_by_callback)
{
    perp_problem p = {.kind = PERP_KIND_NCP, .as.ncp.F = {.n = 2, .eval = squares}};
    const double root[] = {2, 0}, zero[] = {0, 0}, off[] = {3, 1};
    ck_assert_double_eq(certify(&p, root, PERP_SOLVED).value, 0);
    perp_residual r = certify(&p, zero, PERP_SOLVED); /* F(0) = (-4, 3) */
    ck_assert_double_eq_tol(r.value, 4.0 / 5, 1e-15);
    ck_assert_double_eq(r.dual, 4);
    r = certify(&p, off, PERP_SOLVED); /* F = (5, 4): min = (3, 1) */
    ck_assert_double_eq_tol(r.absolute, sqrt(10), 1e-15);
    ck_assert_double_eq_tol(r.value, sqrt(10) / 5, 1e-15);
    ck_assert_double_eq(r.complementarity, 3);
    const double below[] = {-2, 0}; /* F = (0, 3) */
    r = certify(&p, below, PERP_SOLVED);
    ck_assert_double_eq(r.primal, 2);
    ck_assert_double_eq(r.absolute, 2);
    const double undefined[] = {101, 0}, nan_there[] = {2, 101}, nan_z[] = {2, NAN};
    ck_assert(isinf(certify(&p, undefined, PERP_E_NUMBER).value));
    ck_assert(isinf(certify(&p, nan_there, PERP_E_NUMBER).value));
    ck_assert(isinf(certify(&p, nan_z, PERP_E_NUMBER).value));
    perp_problem u = {.kind = PERP_KIND_NCP, .as.ncp.F = {.n = 1, .eval = never}};
    const double z = 5; /* F(0) undefined: over 1 */
    ck_assert_double_eq(certify(&u, &z, PERP_SOLVED).value, 5);
}
END_TEST

/* One variable, F(z) = z - c: where each kind of bound puts the solution, and what is seen beside.
 */
START_TEST(every_kind_of_bound)
{
    const double inf = INFINITY, one[1] = {1};
    const struct {
        double lo, hi, c, z, primal, dual, gap, map;
    } t[] = {
        {-inf, inf, 3, 3, 0, 0, 0, 0},   {-inf, inf, 3, 4, 0, 1, 1, 1},
        {-inf, inf, 3, 1, 0, 2, 2, 2},   {0, inf, -1, 0, 0, 0, 0, 0},
        {0, inf, 3, 0, 0, 3, 3, 3},      {0, inf, 3, -1, 1, 4, 4, 4},
        {0, inf, -1, 0.5, 0, 0, .5, .5}, {-inf, 1, 3, 1, 0, 0, 0, 0},
        {-inf, 1, -3, 1, 0, 4, 4, 4},    {-inf, 1, 3, 0.25, 0, 0, .75, .75},
        {-inf, 1, 3, 2, 1, 0, 0, 1},     {-1, 2, 5, 2, 0, 0, 0, 0},
        {-1, 2, -5, -1, 0, 0, 0, 0},     {-1, 2, 1, 1, 0, 0, 0, 0},
        {-1, 2, 5, -1, 0, 0, 3, 3},      {-1, 2, 5, 4, 2, 0, 0, 2},
        {2, 2, 9, 2, 0, 0, 0, 0},        {2, 2, 9, 3, 1, 0, 0, 1},
    };
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        const double q = -t[k].c;
        perp_problem p = perp_make_mcp(1, perp_dense(1, 1, one), &q, &t[k].lo, &t[k].hi);
        perp_residual r = certify(&p, &t[k].z, PERP_SOLVED);
        ck_assert_double_eq(r.absolute, t[k].map);
        ck_assert_double_eq(r.primal, t[k].primal);
        ck_assert_double_eq(r.dual, t[k].dual);
        ck_assert_double_eq(r.complementarity, t[k].gap);
        double nearest = t[k].lo > 0 ? t[k].lo : t[k].hi < 0 ? t[k].hi : 0;
        double scale = fabs(nearest - t[k].c);
        ck_assert_double_eq_tol(r.value, t[k].map / scale, 1e-15);
    }
}
END_TEST

START_TEST(large_z_hides_nothing)
{
    const double one[1] = {1}, q = -1e16 - 2, z = 1e16; /* F = -2, below the spacing of z - F */
    perp_problem p = perp_make_mcp(1, perp_dense(1, 1, one), &q, NULL, NULL);
    ck_assert_double_eq(certify(&p, &z, PERP_SOLVED).absolute, 2);
    const double tiny_q = -1e16, slope[1] = {1 + 1e-9}, at = 1e16;
    perp_problem s = perp_make_mcp(1, perp_dense(1, 1, slope), &tiny_q, NULL, NULL);
    ck_assert_double_gt(certify(&s, &at, PERP_SOLVED).absolute, 0);
}
END_TEST

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

START_TEST(naive_formula)
{
    enum { N = 7 };
    generator g = generator_start((uint64_t)_i + 100);
    double M[N * N], q[N], z[N], lo[N], hi[N], mu[N], start[N], map = 0, base = 0;
    int follows[N] = {-1, -1, 0, 1, -1, 1, -1};
    for (int k = 0; k < N * N; k++) M[k] = generator_uniform(&g);
    for (int i = 0; i < N; i++) {
        q[i] = 3 * generator_uniform(&g);
        z[i] = 3 * generator_uniform(&g);
        lo[i] = generator_unit(&g) < 0.3 ? -INFINITY : 2 * generator_uniform(&g);
        hi[i] = generator_unit(&g) < 0.3 ? INFINITY : generator_unit(&g) + (lo[i] > -3 ? lo[i] : 0);
        mu[i] = generator_unit(&g);
        start[i] = follows[i] < 0 ? clip(0, lo[i], hi[i]) : 0;
    }
    for (int i = 0; i < N; i++) {
        double w = q[i], first = q[i], l = lo[i], h = hi[i];
        for (int j = 0; j < N; j++) w += M[j * N + i] * z[j], first += M[j * N + i] * start[j];
        if (follows[i] >= 0) h = mu[i] * fmax(z[follows[i]], 0), l = -h;
        map += pow(z[i] - clip(z[i] - w, l, h), 2);
        base += first * first;
    }
    perp_problem p = perp_make_mcp(N, perp_dense(N, N, M), q, lo, hi);
    p.as.mcp.follows = follows;
    p.as.mcp.mu = mu;
    perp_residual r = certify(&p, z, PERP_SOLVED);
    ck_assert_double_eq_tol(r.absolute, sqrt(map), 1e-13);
    ck_assert_double_eq_tol(r.value, sqrt(map / base), 1e-13);
    for (int i = 0; i < N; i++) {
        double old = z[i];
        z[i] = NAN;
        ck_assert(isinf(certify(&p, z, PERP_E_NUMBER).value));
        z[i] = old;
    }
}
END_TEST

/* A solution made by choice, then each component moved: the residual must see it. */
START_TEST(perturbations_are_seen)
{
    enum { N = 6 };
    generator g = generator_start((uint64_t)_i + 7);
    double M[N * N], q[N], z[N], lo[N], hi[N];
    for (int k = 0; k < N * N; k++) M[k] = 0.1 * generator_uniform(&g) + (k % (N + 1) == 0);
    for (int i = 0; i < N; i++) { /* in turn: free, at lo, at hi */
        lo[i] = i % 3 == 0 ? -INFINITY : generator_uniform(&g);
        hi[i] = i % 3 == 0 ? INFINITY : lo[i] + 1;
        z[i] = i % 3 == 0 ? generator_uniform(&g) : i % 3 == 1 ? lo[i] : hi[i];
        q[i] = i % 3 == 0 ? 0 : i % 3 == 1 ? 1 : -1;
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) q[i] -= M[j * N + i] * z[j];
    }
    perp_problem p = perp_make_mcp(N, perp_dense(N, N, M), q, lo, hi);
    ck_assert_double_le(certify(&p, z, PERP_SOLVED).value, 1e-15);
    for (int i = 0; i < N; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            double old = z[i];
            z[i] += 1e-6 * sign;
            ck_assert_double_gt(certify(&p, z, PERP_SOLVED).value, 1e-8);
            z[i] = old;
        }
    }
}
END_TEST

static bool slope(void *ctx, const double *z, double *values)
{
    (void)ctx, (void)z, (void)values;
    return true;
}

START_TEST(map_refusals)
{
    const double I2[] = {1, 0, 0, 1}, q[] = {1, 1}, nan_q[] = {NAN, 1};
    perp_matrix M = perp_dense(2, 2, I2);
    invalid(perp_make_mcp(-2, M, q, NULL, NULL), PERP_E_ARGUMENT, "n = -2");
    invalid(perp_make_mcp(3, M, q, NULL, NULL), PERP_E_ARGUMENT, "M");
    invalid(perp_make_mcp(2, (perp_matrix){0}, q, NULL, NULL), PERP_E_ARGUMENT, "M");
    invalid(perp_make_mcp(2, M, NULL, NULL, NULL), PERP_E_ARGUMENT, "q");
    invalid(perp_make_mcp(2, M, nan_q, NULL, NULL), PERP_E_NUMBER, "q[0]");
    perp_problem ncp = {.kind = PERP_KIND_NCP, .as.ncp.F = {.n = 2, .M = M, .q = nan_q}};
    invalid(ncp, PERP_E_NUMBER, "q[0]");
    ncp.as.ncp.F = (perp_map){.n = 2, .jacobian = slope};
    invalid(ncp, PERP_E_ARGUMENT, "eval");
    ncp.as.ncp.F = (perp_map){.n = -1, .eval = squares};
    invalid(ncp, PERP_E_ARGUMENT, "n = -1");
    ck_assert_int_eq(perp_size(&ncp), -1);
    const int p[] = {0, 1, 2}, good[] = {0, 1}, bad[] = {0, 2};
    ncp.as.ncp.F = (perp_map){.n = 2, .eval = squares, .jacobian = slope};
    ck_assert_int_eq(perp_validate(&ncp, NULL), PERP_SOLVED);
    ncp.as.ncp.F.pattern = perp_dense(2, 2, NULL);
    ck_assert_int_eq(perp_validate(&ncp, NULL), PERP_SOLVED);
    ncp.as.ncp.F.pattern = perp_csc(2, 2, p, good, NULL);
    ck_assert_int_eq(perp_validate(&ncp, NULL), PERP_SOLVED);
    ncp.as.ncp.F.pattern = perp_csc(2, 2, p, bad, NULL);
    invalid(ncp, PERP_E_ARGUMENT, "pattern");
    ncp.as.ncp.F.pattern = perp_dense(3, 3, NULL);
    invalid(ncp, PERP_E_ARGUMENT, "pattern");
    ncp.as.ncp.F.pattern = (perp_matrix){.format = PERP_FORMAT_OPERATOR, .m = 2, .n = 2};
    invalid(ncp, PERP_E_FORMAT, "pattern");
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

START_TEST(nothing_is_proved_of_callbacks)
{
    const double y[] = {1, 1};
    perp_problem ncp = {.kind = PERP_KIND_NCP, .as.ncp.F = {.n = 2, .eval = squares}};
    perp_problem mcp = {.kind = PERP_KIND_MCP, .as.mcp.F = {.n = 2, .eval = squares}};
    ck_assert_int_eq(check_claim(&ncp, PERP_INFEASIBLE, y, NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(check_claim(&mcp, PERP_INFEASIBLE, y, NULL), PERP_E_ARGUMENT);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("kind_map");
    TCase *c = tcase_create("map");
    tcase_add_test(c, ncp_by_callback);
    tcase_add_test(c, every_kind_of_bound);
    tcase_add_test(c, large_z_hides_nothing);
    tcase_add_test(c, friction_box);
    tcase_add_loop_test(c, naive_formula, 0, 30);
    tcase_add_loop_test(c, perturbations_are_seen, 0, 20);
    tcase_add_test(c, map_refusals);
    tcase_add_test(c, bound_refusals);
    tcase_add_test(c, infeasible_over_a_box);
    tcase_add_test(c, infeasible_signs);
    tcase_add_test(c, infeasible_followers);
    tcase_add_test(c, nothing_is_proved_of_callbacks);
    suite_add_tcase(s, c);
    return support_run(s);
}
