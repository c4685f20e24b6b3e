/* tests/core/test_callback.c: the residual of a map by callback: its formula, that units do not
 * change it, that poles and large unknowns do not hide F, and the noise of F. */
#include "core/callback.h"
#include "literature_support.h"

#include <check.h>
#include <stdint.h>

/* F = 3 - 1 / (z + 1e-9), zero at 1/3 - 1e-9. */
static bool pole(void *ctx, const double *z, double *F)
{
    (void)ctx;
    F[0] = 3 - 1 / (z[0] + 1e-9);
    return z[0] >= 0;
}

static bool pole_slope(void *ctx, const double *z, double *J)
{
    (void)ctx;
    J[0] = 1 / ((z[0] + 1e-9) * (z[0] + 1e-9));
    return true;
}

static perp_problem make_pole(bool slope)
{
    perp_map F = perp_make_map(1, pole, slope ? pole_slope : NULL, (perp_matrix){0}, NULL);
    return perp_make_ncp(F);
}

START_TEST(value_by_hand)
{
    perp_problem p = make_pole(true);
    const double z = 0.25, tau = 2;
    perp_residual r = certify(&p, &z, PERP_SOLVED);
    double slope = 1 / pow(0.25 + 1e-9, 2), F = 3 - 1 / (0.25 + 1e-9);
    double size = slope + fabs(F - slope * 0.25); /* tau = 1 > z */
    ck_assert_double_eq_tol(r.value, fabs(F) / size, 1e-15);
    ck_assert_double_eq_tol(r.natural, fabs(F), 1e-15);
    ck_assert_double_eq(r.bound, 0);
    p.as.ncp.F.typical = &tau;
    size = 2 * slope + fabs(F - slope * 0.25);
    ck_assert_double_eq_tol(certify(&p, &z, PERP_SOLVED).value, fabs(F) / size, 1e-15);
}
END_TEST

/* The slope at 0 is 1e18: over that F = -1e9 is nothing. Over what F does it is all. */
START_TEST(poles_hide_nothing)
{
    for (int slope = 0; slope < 2; slope++) {
        perp_problem p = make_pole(slope);
        for (double z = 0; z < 0.2; z = z * 10 + 1e-12) {
            ck_assert_double_gt(certify(&p, &z, PERP_SOLVED).value, 1e-3);
        }
        const double off = 0.1097;
        ck_assert_double_gt(certify(&p, &off, PERP_SOLVED).value, 0.03);
        perp_arena a = {0};
        perp_result r;
        double z = 0;
        ck_assert_int_eq(perp_solve(&p, NULL, &a, &z, NULL, &r), PERP_SOLVED);
        ck_assert_double_eq_tol(z, 1.0 / 3, 1e-7);
        ck_assert_double_eq(certify(&p, &z, PERP_SOLVED).value, r.residual.value);
        perp_arena_free(&a);
    }
}
END_TEST

/* x0 - x1 >= 1 and x1 - x0 >= 1. */
static bool apart(void *ctx, const double *z, double *F)
{
    (void)ctx;
    F[0] = z[0] - z[1] - 1;
    F[1] = z[1] - z[0] - 1;
    return true;
}

START_TEST(large_unknowns_hide_nothing)
{
    perp_problem p = perp_make_ncp(perp_make_map(2, apart, NULL, (perp_matrix){0}, NULL));
    for (double size = 1; size < 1e15; size *= 10) {
        const double z[] = {size, size};
        ck_assert_double_gt(certify(&p, z, PERP_SOLVED).value, 1e-3);
    }
}
END_TEST

/* ---- units ---- */

#define TURNS 3

typedef struct units {
    const literature *l;
    double F, z[64], x[64];
} units;

static bool eval_units(void *ctx, const double *z, double *F)
{
    units *u = ctx;
    const perp_map *map = literature_map(u->l);
    for (int i = 0; i < map->n; i++) u->x[i] = z[i] / u->z[i];
    bool defined = map->eval(map->ctx, u->x, F);
    for (int i = 0; i < map->n; i++) F[i] *= u->F;
    return defined;
}

static bool jacobian_units(void *ctx, const double *z, double *J)
{
    units *u = ctx;
    const perp_map *map = literature_map(u->l);
    for (int i = 0; i < map->n; i++) u->x[i] = z[i] / u->z[i];
    bool defined = map->jacobian(map->ctx, u->x, J);
    for (int j = 0; j < map->n; j++) {
        for (int i = 0; i < map->n; i++) J[j * map->n + i] *= u->F / u->z[j];
    }
    return defined;
}

/* Powers of two round nothing, so that the values agree to the last bit. */
START_TEST(units_change_nothing)
{
    perp_arena a = {0};
    literature l;
    ck_assert(literature_make(literature_find("scarf"), 0, &a, &l));
    units u = {.l = &l, .F = ldexp(1, 20)};
    double lo[64], hi[64], start[64], z[64];
    for (int i = 0; i < l.n; i++) {
        u.z[i] = ldexp(1, 10 * (i % TURNS) - 10);
        lo[i] = l.p.as.mcp.lo[i] * u.z[i];
        hi[i] = l.p.as.mcp.hi[i] * u.z[i];
    }
    for (int given = 0; given < 2; given++) {
        perp_map F = *literature_map(&l), G = {.n = l.n, .eval = eval_units, .ctx = &u};
        if (given) G.jacobian = jacobian_units;
        if (!given) F.jacobian = NULL;
        G.typical = u.z;
        perp_problem p = perp_make_mcp_map(F, l.p.as.mcp.lo, l.p.as.mcp.hi),
                     q = perp_make_mcp_map(G, lo, hi);
        for (int k = 0; k < l.starts; k++) {
            literature_start(&l, k, start);
            for (int i = 0; i < l.n; i++) z[i] = start[i] * u.z[i];
            perp_residual r = certify(&p, start, PERP_SOLVED), s = certify(&q, z, PERP_SOLVED);
            ck_assert_double_eq(r.value, s.value);
            ck_assert_double_eq(r.floor, s.floor);
        }
    }
    perp_arena_free(&a);
}
END_TEST

/* ---- Jacobians ---- */

static bool root(void *ctx, const double *z, double *F)
{
    (void)ctx;
    F[0] = sqrt(z[0]) - 2;
    return z[0] >= 0;
}

static bool no_slope(void *ctx, const double *z, double *J)
{
    (void)ctx;
    J[0] = 0.5 / sqrt(z[0]);
    return z[0] != 4; /* not even there, where the solution is */
}

START_TEST(differences_where_there_is_no_jacobian)
{
    perp_problem p = perp_make_ncp(perp_make_map(1, root, no_slope, (perp_matrix){0}, NULL));
    const double zero = 0, four = 4;
    ck_assert_double_eq(certify(&p, &four, PERP_SOLVED).value, 0);
    ck_assert_double_gt(certify(&p, &zero, PERP_SOLVED).value, 1e-3);
}
END_TEST

static bool one_point(void *ctx, const double *z, double *F)
{
    (void)ctx;
    F[0] = 0;
    return z[0] == 1;
}

START_TEST(no_jacobian_at_all)
{
    perp_problem p = perp_make_ncp(perp_make_map(1, one_point, NULL, (perp_matrix){0}, NULL));
    const double z = 1;
    ck_assert(isinf(certify(&p, &z, PERP_E_NUMBER).value));
}
END_TEST

/* ---- noise ---- */

#define NOISE 1e-6

/* exp(z) - 2 with noise that depends on all bits of z. */
static bool noisy(void *ctx, const double *z, double *F)
{
    uint64_t bits;
    (void)ctx;
    memcpy(&bits, z, sizeof bits);
    bits = (bits ^ (bits >> 29)) * UINT64_C(0x9e3779b97f4a7c15);
    bits = (bits ^ (bits >> 32)) * UINT64_C(0xbf58476d1ce4e5b9);
    F[0] = exp(z[0]) - 2 + NOISE * ((double)(bits >> 11) * 0x1p-52 - 1);
    return true;
}

static bool quiet_slope(void *ctx, const double *z, double *J)
{
    (void)ctx;
    J[0] = exp(z[0]);
    return true;
}

START_TEST(noise_is_named)
{
    perp_problem p =
        perp_make_mcp_map(perp_make_map(1, noisy, quiet_slope, (perp_matrix){0}, NULL), NULL, NULL);
    perp_arena a = {0};
    perp_result r;
    perp_options *o = perp_options_new(&a, _i ? "mcp/newton_fb" : "mcp/auto");
    double z = 0;
    o->tol = 1e-12;
    ck_assert_int_eq(perp_solve(&p, o, &a, &z, NULL, &r), PERP_STALLED);
    ck_assert_msg(strstr(r.detail, "noise of F"), "%s", r.detail);
    ck_assert_double_gt(r.residual.floor, NOISE / 100);
    ck_assert_double_lt(r.residual.floor, NOISE);
    ck_assert_double_eq_tol(z, log(2), 4 * NOISE);
    o->tol = 1e-5; /* above it all is well */
    z = 0;
    ck_assert_int_eq(perp_solve(&p, o, &a, &z, NULL, &r), PERP_SOLVED);
    perp_arena_free(&a);
}
END_TEST

/* Without noise the floor is the rounding of z. */
START_TEST(floor_of_rounding)
{
    perp_problem p = make_pole(true);
    const double z = 0.3;
    perp_residual r = certify(&p, &z, PERP_SOLVED);
    ck_assert_double_le(r.floor, 4 * 2.3e-16);
    ck_assert_double_gt(r.floor, 0);
}
END_TEST

static bool nothing(void *ctx, const double *z, double *F)
{
    (void)ctx, (void)z, (void)F;
    return true;
}

START_TEST(no_unknowns)
{
    perp_problem p = perp_make_ncp(perp_make_map(0, nothing, NULL, (perp_matrix){0}, NULL));
    ck_assert_double_eq(certify(&p, NULL, PERP_SOLVED).value, 0);
    perp_arena a = {0};
    perp_result r;
    ck_assert_int_eq(perp_solve(&p, NULL, &a, NULL, NULL, &r), PERP_SOLVED);
    perp_arena_free(&a);
}
END_TEST

START_TEST(typical_is_checked)
{
    const double bad[] = {0, -1, INFINITY, NAN};
    perp_problem p = make_pole(true);
    for (int k = 0; k < 4; k++) {
        perp_error e;
        p.as.ncp.F.typical = bad + k;
        ck_assert_int_lt(perp_validate(&p, &e), 0);
        ck_assert_msg(strstr(e.text, "typical[0]"), "%s", e.text);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("callback");
    TCase *c = tcase_create("callback");
    tcase_add_test(c, value_by_hand);
    tcase_add_test(c, poles_hide_nothing);
    tcase_add_test(c, large_unknowns_hide_nothing);
    tcase_add_test(c, units_change_nothing);
    tcase_add_test(c, differences_where_there_is_no_jacobian);
    tcase_add_test(c, no_jacobian_at_all);
    tcase_add_loop_test(c, noise_is_named, 0, 2);
    tcase_add_test(c, floor_of_rounding);
    tcase_add_test(c, no_unknowns);
    tcase_add_test(c, typical_is_checked);
    suite_add_tcase(s, c);
    return support_run(s);
}
