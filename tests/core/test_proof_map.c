/* tests/core/test_proof_map.c: how far proofs reach that an affine map has no feasible point. */
#include "core/proof.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <math.h>

#define INF INFINITY

static perp_residual check_at(const perp_problem *p, const double *y, double tol, perp_status want)
{
    perp_arena a = {0};
    perp_residual r;
    ck_assert_int_eq(perp_map_check(p, PERP_INFEASIBLE, y, tol, &a, &r), want);
    perp_arena_free(&a);
    return r;
}

/* A P-matrix: it has a solution for every q, 2.8e7 away. y = (1, 1) is nearly a proof. */
START_TEST(nearly_singular)
{
    const double M[] = {1, -(1 - 0x1p-48), -1, 1}, q[] = {-1, 1 - 1e-7}, y[] = {1, 1};
    perp_problem p = perp_make_ncp((perp_map){.n = 2, .M = perp_dense(2, 2, M), .q = q});
    perp_residual r = check_at(&p, y, 0, PERP_UNCERTIFIED);
    ck_assert_double_eq_tol(r.radius, 1e-7 / 0x1p-48, 1e-8 * r.radius);
    r = check_at(&p, y, 1e-8, PERP_UNCERTIFIED); /* what may be certified is nearer */
    ck_assert_double_lt(r.radius, 1e-7 / 0x1p-48);
    ck_assert_double_gt(r.radius, 0);
    check_at(&p, y, 1e-6, PERP_UNCERTIFIED);
    const double singular[] = {1, -1, -1, 1};
    p.as.ncp.F.M = perp_dense(2, 2, singular);
    r = check_at(&p, y, 1e-8, PERP_SOLVED);
    ck_assert_double_gt(r.radius, 1e15);
}
END_TEST

/* z in [0, 2], w = z - 3 = 0 is asked of a free row: F_1 = z_0 - 3, z_1 free. */
START_TEST(boxes)
{
    const double M[] = {0, 1, 0, 0}, q[] = {0, -3}, lo[] = {0, -INF}, hi[] = {2, INF};
    const double y[] = {0, 1}, wrong[] = {1e-30, 1};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M), q, lo, hi);
    ck_assert(isinf(check_at(&p, y, 1e-8, PERP_SOLVED).radius));
    check_at(&p, wrong, 1e-8, PERP_UNCERTIFIED); /* F_0 may have any sign */
    const double wider[] = {3, INF};
    p.as.mcp.hi = wider;
    check_at(&p, y, 1e-8, PERP_UNCERTIFIED);
    p.as.mcp.hi = NULL; /* z_0 -> infinity: y'F = z_0 - 3 grows */
    const double down[] = {0, -1};
    check_at(&p, y, 1e-8, PERP_UNCERTIFIED);
    check_at(&p, down, 1e-8, PERP_UNCERTIFIED);
}
END_TEST

START_TEST(signs)
{
    const double lo[] = {0, -INF, -INF, -1}, hi[] = {INF, 0, INF, 1}, q[4] = {0};
    perp_problem p = perp_make_mcp(4, (perp_matrix){.m = 4, .n = 4}, q, lo, hi);
    double y[] = {-1, 1, -1, 1}, z[] = {1, -1, 1, -1};
    perp_map_tidy(&p, y);
    perp_map_tidy(&p, z);
    ck_assert(y[0] == 0 && y[1] == 0 && y[2] == -1 && y[3] == 0);
    ck_assert(z[0] == 1 && z[1] == -1 && z[2] == 1 && z[3] == 0);
}
END_TEST

static bool undefined(void *ctx, const double *z, double *F)
{
    (void)ctx, (void)z, (void)F;
    return false;
}

START_TEST(refusals)
{
    const double q[] = {1}, y[] = {1};
    perp_problem p = perp_make_mcp(1, (perp_matrix){.m = 1, .n = 1}, q, NULL, NULL);
    perp_residual r;
    perp_arena a = {0};
    ck_assert_int_eq(perp_map_check(&p, PERP_RAY, y, 0, &a, &r), PERP_E_ARGUMENT);
    p.as.mcp.F.eval = undefined;
    ck_assert_int_eq(perp_map_check(&p, PERP_INFEASIBLE, y, 0, &a, &r), PERP_E_ARGUMENT);
    p.as.mcp.F.eval = NULL;
    perp_arena_fixed(&a, NULL, 0);
    ck_assert_int_eq(perp_map_check(&p, PERP_INFEASIBLE, y, 0, &a, &r), PERP_E_MEMORY);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("proof_map");
    TCase *c = tcase_create("proof_map");
    tcase_add_test(c, nearly_singular);
    tcase_add_test(c, boxes);
    tcase_add_test(c, signs);
    tcase_add_test(c, refusals);
    suite_add_tcase(s, c);
    return support_run(s);
}
