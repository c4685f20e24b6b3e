/* tests/core/test_kind_map.c: what ncp and mcp share: residuals in boxes, and maps that are none.
 */
#include "core/internal.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

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
        for (int j = 0; j < N; j++) {
            w += M[j * N + i] * z[j];
            first += M[j * N + i] * start[j];
        }
        if (follows[i] >= 0) {
            h = mu[i] * fmax(z[follows[i]], 0);
            l = -h;
        }
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

/* F = (z1^2 - 4, z2 + 3), undefined for z1 > 100, NaN for z2 > 100. ctx counts nothing. */
static bool squares(void *ctx, const double *z, double *F)
{
    (void)ctx;
    F[0] = z[0] * z[0] - 4;
    F[1] = z[1] > 100 ? NAN : z[1] + 3;
    return z[0] <= 100;
}

/* A start outside of the box is judged where solvers take it, at the nearest point inside. */
START_TEST(undefined_starts)
{
    const double lo[] = {-1, 101}, hi[] = {50, 102}, z[] = {200, 101.5}, inner[] = {-1, 0};
    perp_problem p = {.kind = PERP_KIND_MCP, .as.mcp = {.F = {.n = 2, .eval = squares}, .hi = hi}};
    const perp_kind_ops *ops = perp_kind_ops_of(PERP_KIND_MCP);
    perp_arena a = {0};
    perp_error e = {0};
    p.as.mcp.lo = inner;
    ck_assert(ops->undefined(&p, z, &a, &e)); /* F[1] at (50, 101.5) */
    ck_assert_msg(strstr(e.text, "F[1]"), "%s", e.text);
    p.as.mcp.lo = lo;
    ck_assert(ops->undefined(&p, inner, &a, &e)); /* at (-1, 101) */
    ck_assert_msg(strstr(e.text, "F[1]"), "%s", e.text);
    const double low[] = {40, 60};
    p.as.mcp.lo = inner;
    p.as.mcp.hi = low;
    ck_assert(!ops->undefined(&p, z, &a, &e)); /* at (40, 60) */
    perp_arena_free(&a);
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

int main(void)
{
    Suite *s = suite_create("kind_map");
    TCase *c = tcase_create("kind_map");
    tcase_add_test(c, undefined_starts);
    tcase_add_test(c, every_kind_of_bound);
    tcase_add_test(c, large_z_hides_nothing);
    tcase_add_loop_test(c, naive_formula, 0, 30);
    tcase_add_loop_test(c, perturbations_are_seen, 0, 20);
    tcase_add_test(c, map_refusals);
    suite_add_tcase(s, c);
    return support_run(s);
}
