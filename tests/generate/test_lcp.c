/* tests/generate/test_lcp.c: the families are what their flags say. */
#include "generate_support.h"

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
        ck_assert_msg(same == f->exponential, "%s", f->name); /* Murty's and Fathi's */
        perp_problem p = lcp_generated_problem(&x);
        ck_assert_int_eq(perp_validate(&p, NULL), PERP_SOLVED);
        ck_assert_ptr_eq(lcp_family_find(f->name), f);
        ck_assert(f->about[0] && !(f->solvable && f->infeasible));
        perp_arena_free(&a);
    }
    ck_assert_ptr_null(lcp_family_find("no such family"));
}
END_TEST

static double quadratic(const generated *g, const double *x)
{
    double sum = 0;
    for (int i = 0; i < g->n; i++) {
        for (int j = 0; j < g->n; j++) sum += x[i] * lcp_entry(g, i, j) * x[j];
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
                for (int j = 0; j < g.n; j++) w += lcp_entry(&g, i, j) * g.z[j];
                ck_assert_msg(fabs(fmin(g.z[i], w)) < 1e-13, "%s", f->name);
                known++;
            }
            perp_arena_free(&a);
        }
    }
    ck_assert_int_gt(known, 100);
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
    Suite *s = suite_create("generate_lcp");
    TCase *t = tcase_create("generate_lcp");
    tcase_add_test(t, same_seed_same_numbers);
    tcase_add_test(t, semidefinite_where_said);
    tcase_add_test(t, known_solutions_hold);
    tcase_add_test(t, no_memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
