/* tests/method/test_small_pivot.c: block pivoting for a few unknowns, against every basis. */
#include "generate_support.h"
#include "support.h"

#include "method/small_pivot.h"
#include "perp/solvers.h"

#include <string.h>

enum { DRAWS = 400 };

static const double zero[PERP_SMALL];

/* Entries in [-1, 1]; made a P-matrix by a dominant diagonal, definite by A'A, or left as they are.
 */
static void draw_matrix(generator *g, int n, int what, double *M)
{
    double A[PERP_SMALL * PERP_SMALL];
    for (int i = 0; i < n * n; i++) A[i] = 2 * generator_unit(g) - 1;
    memcpy(M, A, (size_t)(n * n) * sizeof *M);
    for (int j = 0; what == 0 && j < n; j++) M[j + j * n] = n;
    for (int i = 0; what == 1 && i < n * n; i++) {
        double sum = i % n == i / n ? 0.1 : 0;
        for (int k = 0; k < n; k++) sum += A[k + i % n * n] * A[k + i / n * n];
        M[i] = sum;
    }
}

static double natural_residual(int n, const double *M, const double *q, const double *z)
{
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double w = q[i];
        for (int j = 0; j < n; j++) w += M[i + j * n] * z[j];
        worst = fmax(worst, fabs(fmin(z[i], w)));
    }
    return worst;
}

/* P-matrices have one solution each, and it is found, but for sets that do not settle. */
START_TEST(unique_solutions)
{
    generator g = generator_start((uint64_t)_i + 1);
    int found = 0, all = 0;
    for (int k = 0; k < DRAWS; k++) {
        int n = 1 + generator_below(&g, PERP_SMALL);
        double M[PERP_SMALL * PERP_SMALL], q[PERP_SMALL], z[PERP_SMALL];
        draw_matrix(&g, n, _i, M);
        for (int i = 0; i < n; i++) q[i] = 2 * generator_unit(&g) - 1;
        all++;
        if (!perp_small_pivot(n, M, n, q, zero, NULL, z)) continue;
        found++;
        ck_assert_double_le(natural_residual(n, M, q, z), 1e-9);
        if (n > 10) continue;
        perp_arena a = {0};
        perp_result r;
        double other[PERP_SMALL];
        perp_problem p = perp_make_lcp(n, perp_dense(n, n, M), q);
        ck_assert_int_eq(perp_solve(&p, perp_find("lcp/enumerate"), &a, other, NULL, &r),
                         PERP_SOLVED);
        for (int i = 0; i < n; i++)
            ck_assert_double_eq_tol(z[i], other[i], 1e-6 * (1 + fabs(z[i])));
        perp_arena_free(&a);
    }
    ck_assert_int_ge(100 * found, 95 * all);
}
END_TEST

/* Whatever M is: what is returned solves, or lcp/auto goes on as if nobody had tried. */
START_TEST(any_matrix)
{
    generator g = generator_start(7);
    int left = 0;
    for (int k = 0; k < DRAWS; k++) {
        int n = 1 + generator_below(&g, PERP_SMALL);
        double M[PERP_SMALL * PERP_SMALL], q[PERP_SMALL], z[PERP_SMALL];
        draw_matrix(&g, n, 2, M);
        for (int i = 0; i < n; i++) q[i] = 2 * generator_unit(&g) - 1;
        int sets = perp_small_pivot(n, M, n, q, zero, NULL, z);
        if (sets == 0) left++;
        if (sets > 0) ck_assert_double_le(natural_residual(n, M, q, z), 1e-6);
        perp_arena a = {0};
        perp_result r;
        perp_problem p = perp_make_lcp(n, perp_dense(n, n, M), q);
        perp_solve(&p, NULL, &a, z, NULL, &r);
        if (sets > 0 && r.status == PERP_SOLVED) ck_assert_int_eq(r.iterations, sets);
        if (sets > 0 && r.status == PERP_SOLVED) ck_assert_str_eq(r.solver, "lcp/auto");
        perp_arena_free(&a);
    }
    ck_assert_int_gt(left, DRAWS / 4);
}
END_TEST

/* Numbers that overflow, a singular M, one without a solution. */
START_TEST(nothing_to_find)
{
    static const double M[5][4] = {
        {0, 0, 0, 0}, {1, 1, 1, 1}, {-1, 0, 0, -1}, {1e308, 1e308, 1e308, 1e308}, {1, -1, -1, 1}};
    static const double q[5][2] = {{-1, -1}, {-1, -2}, {-1, -1}, {-1e308, -1}, {-1, -1}};
    for (int k = 0; k < 5; k++) {
        double z[2] = {3, 4};
        int sets = perp_small_pivot(2, M[k], 2, q[k], zero, NULL, z);
        if (sets == 0) ck_assert(z[0] == 3 && z[1] == 4);
        if (sets > 0) ck_assert_double_le(natural_residual(2, M[k], q[k], z), 1e-9);
    }
}
END_TEST

/* Boxes, free and fixed unknowns, bounds on one side: z is what mcp/path finds, which is the only
 * solution where M is a P-matrix. */
START_TEST(bounds)
{
    generator g = generator_start(11);
    int found = 0;
    for (int k = 0; k < DRAWS; k++) {
        int n = 1 + generator_below(&g, PERP_SMALL);
        double M[PERP_SMALL * PERP_SMALL], q[PERP_SMALL], z[PERP_SMALL], other[PERP_SMALL];
        double lo[PERP_SMALL], hi[PERP_SMALL];
        draw_matrix(&g, n, k % 2, M);
        for (int i = 0; i < n; i++) {
            q[i] = 4 * generator_unit(&g) - 2;
            lo[i] = generator_below(&g, 3) ? generator_unit(&g) - 1 : -INFINITY;
            hi[i] = generator_below(&g, 3) ? generator_unit(&g) : INFINITY;
            if (!generator_below(&g, 8)) hi[i] = lo[i] = 0.25;
        }
        const double *below = k % 5 ? lo : NULL, *above = k % 7 ? hi : NULL;
        if (!perp_small_pivot(n, M, n, q, below, above, z)) continue;
        found++;
        perp_arena a = {0};
        perp_result r;
        perp_problem p = {.kind = PERP_KIND_MCP};
        p.as.mcp =
            (perp_mcp){.F = {.n = n, .M = perp_dense(n, n, M), .q = q}, .lo = below, .hi = above};
        perp_residual e;
        ck_assert_int_eq(perp_certify(&p, z, &a, &e), PERP_SOLVED);
        ck_assert_double_le(e.value, 1e-10);
        ck_assert_int_eq(perp_solve(&p, perp_find("mcp/path"), &a, other, NULL, &r), PERP_SOLVED);
        for (int i = 0; i < n; i++)
            ck_assert_double_eq_tol(z[i], other[i], 1e-6 * (1 + fabs(z[i])));
        perp_arena_free(&a);
    }
    ck_assert_int_ge(100 * found, 95 * DRAWS);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("method_small_pivot");
    TCase *t = tcase_create("all");
    tcase_add_loop_test(t, unique_solutions, 0, 2);
    tcase_add_test(t, any_matrix);
    tcase_add_test(t, bounds);
    tcase_add_test(t, nothing_to_find);
    suite_add_tcase(s, t);
    return support_run(s);
}
