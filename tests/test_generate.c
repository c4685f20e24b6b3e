/* tests/test_generate.c: the families are what their flags say. */
#include "generate.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

static double entry(const generated *g, int i, int j)
{
    if (g->M) return g->M[j * g->n + i];
    double sum = 0;
    for (int k = g->p[j]; k < g->p[j + 1]; k++) sum += g->i[k] == i ? g->x[k] : 0;
    return sum;
}

START_TEST(random_numbers)
{
    /* worked out with arbitrary-precision integers from the definition */
    generator g = generator_start(1);
    ck_assert_uint_eq(g.state, UINT64_C(0x9E3779B97F4A7C16));
    ck_assert(generator_unit(&g) == 0x1.00c264453968dp-1);
    ck_assert(generator_unit(&g) == 0x1.83c521f10e7e0p-6);
    double sum = 0;
    int seen[5] = {0};
    for (int k = 0; k < 10000; k++) {
        double u = generator_uniform(&g);
        ck_assert(u >= -1 && u < 1);
        sum += u;
        int i = generator_between(&g, -2, 2);
        ck_assert(i >= -2 && i <= 2);
        seen[i + 2]++;
    }
    ck_assert(fabs(sum) < 300);
    for (int k = 0; k < 5; k++) ck_assert(seen[k] > 1800);
}
END_TEST

START_TEST(same_seed_same_numbers)
{
    for (const lcp_family *f = lcp_families; f->name; f++) {
        perp_arena a = {0};
        generated x, y, other;
        ck_assert(lcp_generate(f, 9, 3, &a, &x) && lcp_generate(f, 9, 3, &a, &y));
        ck_assert(lcp_generate(f, 9, 4, &a, &other));
        ck_assert_int_eq(x.n, y.n);
        size_t bytes = (size_t)x.n * sizeof(double);
        ck_assert_mem_eq(x.q, y.q, bytes);
        if (x.M) ck_assert_mem_eq(x.M, y.M, bytes * (size_t)x.n);
        bool same = memcmp(x.q, other.q, bytes) == 0 &&
                    (!x.M || memcmp(x.M, other.M, bytes * (size_t)x.n) == 0);
        ck_assert_msg(same == (strcmp(f->name, "murty") == 0), "%s", f->name);
        perp_problem p = lcp_generated_problem(&x);
        ck_assert_int_eq(perp_validate(&p, NULL), PERP_SOLVED);
        ck_assert_ptr_eq(lcp_family_find(f->name), f);
        perp_arena_free(&a);
    }
    ck_assert_ptr_null(lcp_family_find("no such family"));
}
END_TEST

static double quadratic(const generated *g, const double *x)
{
    double sum = 0;
    for (int i = 0; i < g->n; i++) {
        for (int j = 0; j < g->n; j++) sum += x[i] * entry(g, i, j) * x[j];
    }
    return sum;
}

START_TEST(semidefinite_where_said)
{
    generator r = generator_start(8);
    for (const lcp_family *f = lcp_families; f->name; f++) {
        if (!f->psd) continue;
        perp_arena a = {0};
        generated g;
        ck_assert(lcp_generate(f, 10, 11, &a, &g));
        for (int k = 0; k < 200; k++) {
            double x[16];
            for (int i = 0; i < g.n; i++) x[i] = generator_uniform(&r);
            ck_assert_msg(quadratic(&g, x) >= -1e-12, "%s", f->name);
        }
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(known_solutions_hold)
{
    int known = 0;
    for (const lcp_family *f = lcp_families; f->name; f++) {
        for (int n = 1; n <= 12; n++) {
            perp_arena a = {0};
            generated g;
            ck_assert(lcp_generate(f, n, (uint64_t)n, &a, &g));
            for (int i = 0; g.z && i < g.n; i++) {
                double w = g.q[i];
                for (int j = 0; j < g.n; j++) w += entry(&g, i, j) * g.z[j];
                ck_assert_msg(fabs(fmin(g.z[i], w)) < 1e-13, "%s", f->name);
                known++;
            }
            perp_arena_free(&a);
        }
    }
    ck_assert_int_gt(known, 100);
}
END_TEST

/* y >= 0, M'y <= 0, q'y < 0 */
START_TEST(infeasible_families)
{
    perp_arena a = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find("infeasible_row"), 7, 2, &a, &g));
    int proofs = 0;
    for (int k = 0; k < g.n; k++) {
        bool zero = true;
        for (int j = 0; j < g.n; j++) zero = zero && entry(&g, k, j) == 0;
        proofs += zero && g.q[k] < 0;
    }
    ck_assert_int_eq(proofs, 1);
    ck_assert(lcp_generate(lcp_family_find("infeasible_skew"), 7, 2, &a, &g));
    ck_assert_int_eq(g.n, 8);
    for (int j = 0; j < g.n; j++) ck_assert(entry(&g, g.n - 1, j) <= 0);
    ck_assert(g.q[g.n - 1] < 0);
    perp_arena_free(&a);
}
END_TEST

START_TEST(particular_shapes)
{
    perp_arena a = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find("nonsymmetric"), 6, 2, &a, &g));
    ck_assert(fabs(entry(&g, 0, 1) - entry(&g, 1, 0)) > 1e-3);
    ck_assert(lcp_generate(lcp_family_find("pd"), 6, 2, &a, &g));
    ck_assert(entry(&g, 0, 1) == entry(&g, 1, 0));
    ck_assert(lcp_generate(lcp_family_find("duplicate"), 5, 2, &a, &g));
    ck_assert(g.n == 6 && entry(&g, 0, 1) == entry(&g, 3, 4) && g.q[0] == g.q[3]);
    ck_assert(lcp_generate(lcp_family_find("dominant"), 5, 2, &a, &g));
    for (int i = 0; i < 5; i++) {
        double rest = -fabs(entry(&g, i, i));
        for (int j = 0; j < 5; j++) rest += fabs(entry(&g, i, j));
        ck_assert(rest < entry(&g, i, i));
    }
    ck_assert(lcp_generate(lcp_family_find("obstacle"), 4, 2, &a, &g));
    ck_assert(g.p[4] == 10 && entry(&g, 2, 2) == 2 && entry(&g, 3, 2) == -1 &&
              entry(&g, 0, 2) == 0);
    ck_assert(lcp_generate(lcp_family_find("obstacle2d"), 11, 2, &a, &g)); /* a 3 x 3 grid */
    ck_assert(g.n == 9 && g.p[9] == 33 && entry(&g, 4, 4) == 4 && entry(&g, 1, 4) == -1 &&
              entry(&g, 3, 4) == -1 && entry(&g, 2, 3) == 0);
    perp_arena_free(&a);
}
END_TEST

START_TEST(no_memory)
{
    char buffer[256];
    perp_arena a;
    generated g;
    perp_arena_fixed(&a, buffer, sizeof buffer);
    ck_assert(!lcp_generate(lcp_family_find("pd"), 50, 1, &a, &g));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("generate");
    TCase *t = tcase_create("generate");
    tcase_add_test(t, random_numbers);
    tcase_add_test(t, same_seed_same_numbers);
    tcase_add_test(t, semidefinite_where_said);
    tcase_add_test(t, known_solutions_hold);
    tcase_add_test(t, infeasible_families);
    tcase_add_test(t, particular_shapes);
    tcase_add_test(t, no_memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
