/* tests/method/test_newton.c: the Fischer-Burmeister merit, its derivative, the directions and the
 * search.
 */
#include "support.h"

#include "method/newton.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <string.h>

static const double M2[] = {2, 1, 1, 2}, q2[] = {-5, -6};

/* |G|^2 / 2 from the definition. */
static long double merit_at(int n, const double *M, const double *q, const double *z)
{
    long double sum = 0;
    for (int i = 0; i < n; i++) {
        long double w = q[i];
        for (int j = 0; j < n; j++) w += (long double)M[j * n + i] * z[j];
        long double G = z[i] + w - sqrtl((long double)z[i] * z[i] + w * w);
        sum += G * G;
    }
    return sum / 2;
}

/* The scaling is undone by hand, so that the merit is that of the scaled problem. */
static void scaled_data(const perp_newton *k, const double *M, double *out)
{
    for (int j = 0; j < k->n; j++) {
        for (int i = 0; i < k->n; i++) out[j * k->n + i] = k->r[i] * M[j * k->n + i] * k->s[j];
    }
}

START_TEST(merit_and_gradient)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        perp_arena a = {0};
        generated g;
        perp_newton k;
        double z[8], M[64];
        generator rng = generator_start(seed);
        ck_assert(
            lcp_generate(lcp_family_find(seed % 2 ? "random" : "badly_scaled"), 8, seed, &a, &g));
        perp_problem p = lcp_generated_problem(&g);
        ck_assert(perp_newton_open(&k, &a, &p.as.lcp.M, g.q, 3));
        scaled_data(&k, g.M, M);
        for (int i = 0; i < 8; i++) z[i] = generator_uniform(&rng) * k.s[i] * k.unit;
        ck_assert(perp_newton_start(&k, z));
        long double merit = merit_at(8, M, k.q, k.z);
        ck_assert(fabsl(k.merit - merit) <= 1e-14L * (1 + merit));
        for (int i = 0; i < 8; i++) { /* central differences */
            double y[8], h = 1e-6;
            memcpy(y, k.z, sizeof y);
            y[i] = k.z[i] + h;
            long double up = merit_at(8, M, k.q, y);
            y[i] = k.z[i] - h;
            long double slope = (up - merit_at(8, M, k.q, y)) / (2 * h);
            ck_assert(fabsl(slope - k.g[i]) <= 1e-6L * (1 + fabsl(slope)));
        }
        perp_arena_free(&a);
    }
}
END_TEST

/* Tiny beside large: 2 z w / (z + w + |(z, w)|) keeps its digits, and so do a and b. */
START_TEST(small_beside_large)
{
    const double M[] = {1}, q[] = {1};
    perp_matrix view = perp_dense(1, 1, M);
    perp_arena a = {0};
    perp_newton k;
    double z = 1e-12;
    ck_assert(perp_newton_open(&k, &a, &view, q, 1));
    ck_assert(perp_newton_start(&k, &z));
    ck_assert_double_eq_tol(k.G[0] / 1e-12, 1, 1e-11);
    ck_assert_double_eq_tol(k.b[0] / 0.5e-24, 1, 1e-11);
    z = 0; /* a corner of the map: z = 0, and w = 0 in the second problem */
    const double zero[] = {0};
    ck_assert(perp_newton_open(&k, &a, &view, zero, 1));
    ck_assert(perp_newton_start(&k, &z));
    double c = 1 - sqrt(0.5); /* limits along (1, 1) */
    ck_assert_double_eq_tol(k.a[0], c, 1e-15);
    ck_assert_double_eq_tol(k.b[0], c, 1e-15);
    perp_arena_free(&a);
}
END_TEST

START_TEST(directions_descend)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        perp_arena a = {0};
        generated g;
        perp_newton k;
        double z[9] = {0}, before;
        ck_assert(lcp_generate(lcp_family_find("nonsymmetric"), 9, seed, &a, &g));
        perp_problem p = lcp_generated_problem(&g);
        ck_assert(perp_newton_open(&k, &a, &p.as.lcp.M, g.q, 1));
        ck_assert(perp_newton_start(&k, z));
        if (k.merit > 0) {
            double slope = 0;
            ck_assert(perp_newton_direct_fb(&k, 0));
            for (int i = 0; i < 9; i++) slope += k.g[i] * k.d[i];
            ck_assert_double_eq_tol(slope / (-2 * k.merit), 1, 1e-10);
            ck_assert(perp_newton_direct_descent(&k, 1e-8));
            before = k.merit;
            ck_assert(perp_newton_search(&k, 50));
            ck_assert(k.merit < before);
        }
        perp_arena_free(&a);
    }
}
END_TEST

/* The full step on the minimum map is the solution of M z = -q here. */
START_TEST(minimum_step)
{
    perp_matrix view = perp_dense(2, 2, M2);
    perp_arena a = {0};
    perp_newton k;
    double z[2] = {0};
    ck_assert(perp_newton_open(&k, &a, &view, q2, 4));
    ck_assert(perp_newton_start(&k, z));
    ck_assert_double_eq_tol(perp_newton_read(&k, z), sqrt(61), 1e-14);
    ck_assert(perp_newton_direct_min(&k) && perp_newton_search(&k, 0));
    ck_assert(perp_newton_read(&k, z) < 1e-14);
    ck_assert_double_eq_tol(z[0], 4. / 3, 1e-15);
    ck_assert_double_eq_tol(z[1], 7. / 3, 1e-15);
    perp_arena_free(&a);
}
END_TEST

/* A direction that does not descend leads nowhere, nor does one that is not finite. */
START_TEST(search_refuses)
{
    static const double bad[] = {NAN, INFINITY, -1e300, 0};
    perp_matrix view = perp_dense(2, 2, M2);
    perp_arena a = {0};
    perp_newton k;
    double z[2] = {1, 1}, same[2];
    ck_assert(perp_newton_open(&k, &a, &view, q2, 1));
    for (int t = 0; t < 4; t++) {
        ck_assert(perp_newton_start(&k, z));
        k.d[0] = bad[t], k.d[1] = bad[t];
        ck_assert(!perp_newton_search(&k, 30));
        perp_newton_read(&k, same);
        ck_assert(same[0] == 1 && same[1] == 1);
    }
    z[0] = 1e300;
    ck_assert(!perp_newton_start(&k, z));
    perp_arena_free(&a);
}
END_TEST

/* Slightly outside, the positive part is better and is what is handed out. */
START_TEST(reads_the_better)
{
    const double M[] = {1, 0, 0, 1}, q[] = {1, -1};
    perp_matrix view = perp_dense(2, 2, M);
    perp_arena a = {0};
    perp_newton k;
    double z[2] = {-1e-3, 1};
    ck_assert(perp_newton_open(&k, &a, &view, q, 1));
    ck_assert(perp_newton_start(&k, z));
    ck_assert(perp_newton_read(&k, z) == 0 && z[0] == 0 && z[1] == 1);
    perp_arena_free(&a);
}
END_TEST

START_TEST(stuck_after_a_while)
{
    perp_matrix view = perp_dense(2, 2, M2);
    perp_arena a = {0};
    perp_newton k;
    double z[2] = {0};
    int steps = 0;
    ck_assert(perp_newton_open(&k, &a, &view, q2, 500));
    ck_assert(perp_newton_start(&k, z));
    k.steps = 6; /* past those that must descend */
    k.recent[0] = 100;
    while (!perp_newton_is_stuck(&k) && steps < 1000) {
        k.d[0] = k.d[1] = steps++ % 2 ? 1e-9 : -1e-9;
        ck_assert(perp_newton_search(&k, 0));
    }
    ck_assert(steps > 10 && steps < 200);
    perp_arena_free(&a);
}
END_TEST

/* M = 0, q = (1, -1): G = (0, < 0) far out, and y = (0, 1) proves it. */
START_TEST(proof)
{
    const double M[] = {0, 0, 0, 0}, q[] = {1, -1};
    perp_matrix view = perp_dense(2, 2, M);
    perp_problem p = perp_make_lcp(2, view, q);
    perp_arena a = {0};
    perp_newton k;
    double z[2] = {0, 1e8}, y[2];
    ck_assert(perp_newton_open(&k, &a, &view, q, 1));
    ck_assert(perp_newton_start(&k, z));
    perp_newton_proof(&k, 0, y);
    ck_assert(y[0] == 0 && y[1] > 0);
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, y, NULL), PERP_SOLVED);
    perp_arena_free(&a);
}
END_TEST

/* A sparse matrix, with or without diagonal entries, is that matrix. */
START_TEST(sparse_copy)
{
    const int p[] = {0, 1, 3, 3}, i[] = {2, 2, 0};
    const double x[] = {4, 2, 3}, q[] = {1, 1, 1}, z[] = {1, 2, 3};
    perp_matrix view = perp_csc(3, 3, p, i, x);
    perp_arena a = {0}, fixed;
    perp_newton k;
    char buffer[4096];
    ck_assert(perp_newton_open(&k, &a, &view, q, 1));
    ck_assert_int_eq(k.M.as.csc.p[3], 6);
    ck_assert(ascending(3, k.M.as.csc.p, k.M.as.csc.i));
    ck_assert(perp_newton_start(&k, z));
    const double w[] = {7, 1, 9}; /* M z + q */
    for (int t = 0; t < 3; t++) {
        ck_assert_double_eq_tol(k.w[t] / k.r[t] * k.unit, w[t], 1e-14);
    }
    perp_arena_free(&a);
    perp_arena_fixed(&fixed, buffer, sizeof buffer);
    ck_assert(!perp_newton_open(&k, &fixed, &view, q, 1));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("newton");
    TCase *t = tcase_create("newton");
    tcase_add_test(t, merit_and_gradient);
    tcase_add_test(t, small_beside_large);
    tcase_add_test(t, directions_descend);
    tcase_add_test(t, minimum_step);
    tcase_add_test(t, search_refuses);
    tcase_add_test(t, reads_the_better);
    tcase_add_test(t, stuck_after_a_while);
    tcase_add_test(t, proof);
    tcase_add_test(t, sparse_copy);
    suite_add_tcase(s, t);
    return support_run(s);
}
