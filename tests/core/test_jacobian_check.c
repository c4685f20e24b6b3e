/* tests/core/test_jacobian_check.c: the checker finds the entry that is wrong, and no other. */
#include "core/jacobian.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

/* F_i = z_i^3 + 2 z_(i+1) - 1, i < 4, and F_4 = sqrt(z_4) + z_0 z_3, undefined for z_4 < 0. One
 * entry may be off. */
enum { N = 5, ENTRIES = 11 };
static const int p[] = {0, 2, 4, 6, 9, 11}, rows[] = {0, 4, 0, 1, 1, 2, 2, 3, 4, 3, 4};

typedef struct lie {
    int entry, beyond;
    double factor, plus;
} lie;

static bool eval(void *ctx, const double *z, double *F)
{
    (void)ctx;
    for (int i = 0; i < 4; i++) F[i] = z[i] * z[i] * z[i] + 2 * z[i + 1] - 1;
    F[4] = sqrt(fabs(z[4])) + z[0] * z[3];
    return z[4] >= 0;
}

static bool jacobian(void *ctx, const double *z, double *x)
{
    const lie *l = ctx;
    const double right[] = {3 * z[0] * z[0], z[3], 2, 3 * z[1] * z[1], 2, 3 * z[2] * z[2], 2,
                            3 * z[3] * z[3], z[0], 2, 0.5 / sqrt(z[4])};
    memcpy(x, right, sizeof right);
    if (l->entry >= 0) x[l->entry] = x[l->entry] * l->factor + l->plus;
    for (int k = 0; k < l->beyond; k++) x[ENTRIES + k] = 0;
    return true;
}

static perp_problem problem_of(const lie *l, perp_kind kind)
{
    perp_map F = {.n = N, .eval = eval, .jacobian = jacobian, .ctx = (void *)l};
    F.pattern = perp_csc(N, N, p, rows, NULL);
    perp_problem out = {.kind = kind};
    if (kind == PERP_KIND_NCP)
        out.as.ncp.F = F;
    else
        out.as.mcp.F = F;
    return out;
}

static perp_status check(const perp_problem *q, const double *z, perp_jacobian_report *r)
{
    perp_arena a = {0};
    perp_error e;
    perp_status s = perp_check_jacobian(q, z, &a, r, &e);
    ck_assert_int_eq(e.status, s);
    ck_assert_int_eq(s == PERP_SOLVED, e.text[0] == 0);
    ck_assert_uint_eq(a.used, 0);
    ck_assert_int_eq(perp_check_jacobian(q, z, &a, r, NULL), s);
    perp_arena_free(&a);
    return s;
}

static const double point[N] = {1, -2, 3, 0.5, 4};

START_TEST(right_ones_pass)
{
    const lie none = {.entry = -1};
    perp_jacobian_report r;
    for (int kind = PERP_KIND_NCP; kind <= PERP_KIND_MCP; kind++) {
        perp_problem q = problem_of(&none, (perp_kind)kind);
        ck_assert_int_eq(check(&q, point, &r), PERP_SOLVED);
        const double edge[N] = {0, 0, 0, 0, 1e-6}; /* steep: a step is longer than it is smooth */
        ck_assert_int_eq(check(&q, edge, &r), PERP_SOLVED);
        const double large[N] = {1e5, 1e6, -1e4, 1e3, 1e8};
        ck_assert_int_eq(check(&q, large, &r), PERP_SOLVED);
    }
}
END_TEST

START_TEST(each_wrong_entry_is_named)
{
    for (int k = 0; k < ENTRIES; k++) {
        const lie lies[] = {{.entry = k, .factor = -1},
                            {.entry = k, .factor = 1, .plus = 1},
                            {.entry = k, .factor = 1.001}};
        for (int t = 0; t < 3; t++) {
            perp_jacobian_report r;
            perp_problem q = problem_of(&lies[t], PERP_KIND_MCP);
            ck_assert_int_eq(check(&q, point, &r), PERP_UNCERTIFIED);
            int j = 0;
            while (p[j + 1] <= k) j++;
            ck_assert_int_eq(r.row, rows[k]);
            ck_assert_int_eq(r.column, j);
            double right = (r.given - lies[t].plus) / lies[t].factor;
            ck_assert_double_eq_tol(r.expected, right, 1e-6 * (1 + fabs(right)));
            ck_assert_double_gt(r.error, 1e-4);
        }
    }
}
END_TEST

static bool square_eval(void *ctx, const double *z, double *F)
{
    (void)ctx;
    F[0] = z[0] * z[0];
    return true;
}

static bool square_slope(void *ctx, const double *z, double *x)
{
    x[0] = 2 * z[0] + *(const double *)ctx;
    return true;
}

/* The two slopes, of steps 7.6e-6 and half of that, differ by 3.8e-6: errors of four times that are
 * not seen for sure. */
START_TEST(what_the_slopes_leave_open)
{
    const double z = 1e-3;
    double off[] = {7e-6, 14e-6, 17e-6, 30e-6};
    for (int k = 0; k < 4; k++) {
        perp_problem q = {.kind = PERP_KIND_NCP};
        q.as.ncp.F = (perp_map){.n = 1, .eval = square_eval, .jacobian = square_slope};
        q.as.ncp.F.ctx = off + k;
        perp_jacobian_report r;
        ck_assert_int_eq(check(&q, &z, &r), k < 2 ? PERP_SOLVED : PERP_UNCERTIFIED);
        const double far = 131072; /* the longer step is 1 */
        double wrong = 1000;
        q.as.ncp.F.ctx = &wrong;
        ck_assert_int_eq(check(&q, &far, &r), PERP_UNCERTIFIED);
    }
}
END_TEST

/* What a smooth function's differences leave open is not called wrong. */
START_TEST(small_errors_pass)
{
    const double factor[] = {1 + 5e-5, 1 - 5e-5, 1 + 2e-4, 1 - 2e-4};
    for (int t = 0; t < 4; t++) {
        lie l = {.entry = 3, .factor = factor[t]};
        perp_problem q = problem_of(&l, PERP_KIND_MCP);
        perp_jacobian_report r;
        ck_assert_int_eq(check(&q, point, &r), t < 2 ? PERP_SOLVED : PERP_UNCERTIFIED);
    }
}
END_TEST

static bool more(void *ctx, const double *z, double *F)
{
    bool defined = eval(ctx, z, F);
    F[0] += 3 * z[4]; /* not in the pattern */
    return defined;
}

START_TEST(entries_outside_the_pattern)
{
    const lie none = {.entry = -1};
    perp_problem q = problem_of(&none, PERP_KIND_NCP);
    perp_jacobian_report r;
    q.as.ncp.F.eval = more;
    ck_assert_int_eq(check(&q, point, &r), PERP_UNCERTIFIED);
    ck_assert_int_eq(r.row, 0);
    ck_assert_int_eq(r.column, 4);
    ck_assert_double_eq(r.given, 0);
    ck_assert_double_eq_tol(r.expected, 3, 1e-6);
}
END_TEST

START_TEST(refusals)
{
    const lie none = {.entry = -1}, long_one = {.entry = -1, .beyond = 3};
    const lie nan = {.entry = 2, .factor = NAN};
    perp_jacobian_report r;
    perp_problem q = problem_of(&none, PERP_KIND_NCP);
    const double outside[N] = {1, 1, 1, 1, -1}, bad[N] = {NAN};
    ck_assert_int_eq(check(&q, outside, &r), PERP_E_NUMBER);
    ck_assert_int_eq(check(&q, bad, &r), PERP_E_NUMBER);
    ck_assert_int_eq(check(&q, NULL, &r), PERP_E_ARGUMENT);
    perp_arena a = {0};
    perp_error e;
    perp_check_jacobian(&q, outside, &a, &r, &e);
    ck_assert_msg(strstr(e.text, "undefined"), "%s", e.text);
    ck_assert_int_eq(perp_check_jacobian(&q, point, &a, NULL, NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_check_jacobian(&q, point, NULL, &r, NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_check_jacobian(NULL, point, &a, &r, NULL), PERP_E_ARGUMENT);
    char buffer[600];
    perp_arena_fixed(&a, buffer, sizeof buffer);
    ck_assert_int_eq(perp_check_jacobian(&q, point, &a, &r, NULL), PERP_E_MEMORY);
    q = problem_of(&long_one, PERP_KIND_NCP);
    ck_assert_int_eq(check(&q, point, &r), PERP_E_ARGUMENT);
    q = problem_of(&nan, PERP_KIND_NCP);
    ck_assert_int_eq(check(&q, point, &r), PERP_E_NUMBER);
    q.as.ncp.F.jacobian = NULL;
    ck_assert_int_eq(check(&q, point, &r), PERP_E_ARGUMENT);
    const double one = 1;
    perp_problem lcp = perp_make_lcp(1, perp_dense(1, 1, &one), &one);
    ck_assert_int_eq(check(&lcp, &one, &r), PERP_E_ARGUMENT);
}
END_TEST

/* A root near 0: no difference resolves its slope, and none speaks against it. */
static bool root_eval(void *ctx, const double *z, double *F)
{
    (void)ctx;
    F[0] = pow(z[0], 0.3);
    return z[0] >= 0;
}

static bool root_slope(void *ctx, const double *z, double *x)
{
    x[0] = *(const double *)ctx * 0.3 * pow(z[0], -0.7);
    return true;
}

START_TEST(slopes_too_steep_to_see)
{
    const double right = 1, wrong = -1, z = 1e-20;
    perp_problem q = {.kind = PERP_KIND_NCP};
    perp_jacobian_report r;
    q.as.ncp.F =
        (perp_map){.n = 1, .eval = root_eval, .jacobian = root_slope, .ctx = (void *)&right};
    ck_assert_int_eq(check(&q, &z, &r), PERP_SOLVED);
    q.as.ncp.F.ctx = (void *)&wrong;
    ck_assert_int_eq(check(&q, &z, &r), PERP_UNCERTIFIED);
}
END_TEST

/* F at 1 is as it should be; next to it, it writes more than it has and gives up. */
static bool overrunning(void *ctx, const double *z, double *F)
{
    (void)ctx;
    F[0] = z[0];
    if (z[0] != 1) F[1] = 0;
    return z[0] == 1;
}

static bool one_slope(void *ctx, const double *z, double *x)
{
    (void)ctx, (void)z;
    x[0] = 1;
    return true;
}

START_TEST(overruns_nearby)
{
    perp_problem q = {.kind = PERP_KIND_NCP};
    q.as.ncp.F = (perp_map){.n = 1, .eval = overrunning, .jacobian = one_slope};
    perp_jacobian_report r;
    const double z = 1;
    ck_assert_int_eq(check(&q, &z, &r), PERP_E_ARGUMENT);
}
END_TEST

static bool nothing_at_all(void *ctx, const double *z, double *x)
{
    (void)ctx, (void)z, (void)x;
    return true;
}

START_TEST(no_unknowns)
{
    perp_problem q = {.kind = PERP_KIND_NCP,
                      .as.ncp.F = {.eval = nothing_at_all, .jacobian = nothing_at_all}};
    perp_jacobian_report r;
    ck_assert_int_eq(check(&q, NULL, &r), PERP_SOLVED);
    ck_assert_int_eq(r.row, -1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("jacobian_check");
    TCase *t = tcase_create("jacobian_check");
    tcase_add_test(t, right_ones_pass);
    tcase_add_test(t, each_wrong_entry_is_named);
    tcase_add_test(t, what_the_slopes_leave_open);
    tcase_add_test(t, small_errors_pass);
    tcase_add_test(t, entries_outside_the_pattern);
    tcase_add_test(t, refusals);
    tcase_add_test(t, slopes_too_steep_to_see);
    tcase_add_test(t, overruns_nearby);
    tcase_add_test(t, no_unknowns);
    suite_add_tcase(s, t);
    return support_run(s);
}
