/* tests/core/test_kind_ncp.c: the residual of a map by callback, and where it is undefined. */
#include "core/internal.h"
#include "support.h"

#include <check.h>
#include <math.h>

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
    perp_residual r = certify(&p, zero, PERP_SOLVED); /* F(0) = (-4, 3), with the slope 0 */
    ck_assert_double_eq_tol(r.value, 1, 1e-6);
    ck_assert_double_eq(r.dual, 4);
    r = certify(&p, off, PERP_SOLVED); /* F = (5, 4): min = (3, 1) */
    ck_assert_double_eq_tol(r.absolute, sqrt(10), 1e-15);
    ck_assert_double_eq(r.natural, r.absolute);
    ck_assert_double_eq_tol(r.value, 4.0 / (1 + 3), 1e-6); /* of row 1: 5 / (6 * 3 + 13) */
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
    const double z = 5; /* F = 7, whatever F(0) is */
    ck_assert_double_eq(certify(&u, &z, PERP_SOLVED).value, 1);
}
END_TEST

START_TEST(what_is_proved)
{
    const double y[] = {1, 1}, none[] = {1, 0}, M[] = {1, -1, -1, 1}, q[] = {-1, -1};
    perp_problem affine = {.kind = PERP_KIND_NCP};
    affine.as.ncp.F = (perp_map){.n = 2, .M = perp_dense(2, 2, M), .q = q};
    ck_assert_int_eq(check_claim(&affine, PERP_INFEASIBLE, y, NULL), PERP_SOLVED);
    ck_assert_int_eq(check_claim(&affine, PERP_INFEASIBLE, none, NULL), PERP_UNCERTIFIED);
    perp_problem ncp = {.kind = PERP_KIND_NCP, .as.ncp.F = {.n = 2, .eval = squares}};
    ck_assert_int_eq(check_claim(&ncp, PERP_INFEASIBLE, y, NULL), PERP_E_ARGUMENT);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("kind_ncp");
    TCase *c = tcase_create("kind_ncp");
    tcase_add_test(c, ncp_by_callback);
    tcase_add_test(c, what_is_proved);
    suite_add_tcase(s, c);
    return support_run(s);
}
