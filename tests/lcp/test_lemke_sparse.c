/* tests/lcp/test_lemke_sparse.c: Lemke's method on a sparse basis, by a solver that always takes
 * it, against the families, the dense one, and limits of memory. */
#include "lcp/lemke.h"
#include "perp/solver.h"
#include "support.h"

#include <math.h>
#include <string.h>

static const perp_solver sparse = {
    .name = "lcp/lemke_sparse",
    .about = "the sparse basis, whatever the size",
    .kind = PERP_KIND_LCP,
    .formats = {PERP_FORMAT_CSC},
    .flags = PERP_SOLVER_CHEAP_CERTIFICATE,
    .options_size = sizeof(perp_lcp_lemke_options),
    .solve = perp_lemke_sparse,
};

static perp_lcp_lemke_options options(bool crash)
{
    perp_lcp_lemke_options o = perp_lcp_lemke_defaults();
    o.base.solver = &sparse;
    o.crash = crash;
    return o;
}

static perp_status solve_family(const lcp_family *f, int n, uint64_t seed, perp_lcp_lemke_options o,
                                perp_result *r)
{
    perp_arena a = {0};
    generated g;
    ck_assert(lcp_generate(f, n, seed, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    double *z = perp_alloc(&a, (size_t)g.n, sizeof *z), *w = perp_alloc(&a, (size_t)g.n, sizeof *w);
    perp_status s = solve_checked(&p, &o.base, z, w, r);
    perp_arena_free(&a);
    return s;
}

/* What the families promise holds for both starts and both covers. */
START_TEST(families)
{
    static const int sizes[] = {1, 2, 3, 8, 30};
    for (const lcp_family *f = lcp_families; f->name; f++) {
        for (int k = 0; k < 40; k++) {
            if (f->exponential && k % 5 == 4) continue;
            perp_lcp_lemke_options o = options(k & 1);
            perp_result r;
            if (k & 2) o.cover = PERP_COVER_ROWS;
            uint64_t seed = (uint64_t)k + 1;
            perp_status s = solve_family(f, sizes[k % 5], seed, o, &r);
            bool proved = s == PERP_INFEASIBLE || s == PERP_RAY;
            ck_assert_msg(s == PERP_SOLVED || proved || s == PERP_STALLED || s == PERP_UNCERTIFIED,
                          "%s seed %d: %s", f->name, (int)seed, perp_status_name(s));
            if (f->psd && f->scaled) {
                perp_status expected = f->infeasible ? PERP_INFEASIBLE : PERP_SOLVED;
                ck_assert_msg(s == expected || !(f->infeasible || f->solvable),
                              "%s, n = %d, seed %d, crash %d: %s, residual %g: %s", f->name,
                              sizes[k % 5], (int)seed, k & 1, perp_status_name(s), r.residual.value,
                              r.detail);
            }
            if (f->infeasible) ck_assert(s != PERP_SOLVED);
        }
    }
}
END_TEST

/* Full accuracy, by the sparse kernel and by a cold start of many pivots. */
START_TEST(accurate)
{
    static const char *const names[] = {"pd",         "psd",      "nonsymmetric", "dominant",
                                        "copositive", "obstacle", "obstacle2d"};
    for (int f = 0; f < 7; f++) {
        for (int k = 0; k < 6; k++) {
            perp_lcp_lemke_options o = options(k & 1);
            perp_result r;
            o.base.tol = 1e-12;
            perp_status s =
                solve_family(lcp_family_find(names[f]), 40 + 20 * (k % 3), (uint64_t)k + 1, o, &r);
            ck_assert_msg(s == PERP_SOLVED, "%s: %s, residual %g", names[f], perp_status_name(s),
                          r.residual.value);
        }
    }
}
END_TEST

/* lcp/lemke itself takes the sparse basis where that is worthwhile: less than a tenth of the
 * dictionary's memory, in a fixed arena too, and the same solution. */
START_TEST(chosen)
{
    perp_arena a = {0}, b = {0};
    generated g;
    perp_result r;
    ck_assert(lcp_generate(lcp_family_find("obstacle"), 600, 3, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    double *z = perp_alloc(&a, (size_t)g.n, sizeof *z), *y = perp_alloc(&a, (size_t)g.n, sizeof *y);
    ck_assert(!perp_solve(&p, perp_find("lcp/lemke"), &b, z, NULL, &r));
    size_t dictionary = 8 * (size_t)g.n * (size_t)g.n;
    ck_assert_uint_lt(b.peak, dictionary / 4);
    char *buffer = perp_alloc(&a, 4 * dictionary, 1);
    perp_arena fixed;
    perp_arena_fixed(&fixed, buffer, 4 * dictionary);
    ck_assert(!perp_solve(&p, perp_find("lcp/lemke"), &fixed, y, NULL, &r));
    ck_assert_uint_lt(fixed.peak, dictionary / 4);
    ck_assert_double_le(difference(g.n, z, y), 1e-8);
    perp_arena_free(&a);
    perp_arena_free(&b);
}
END_TEST

/* A start at the solution needs no pivot; one that is wrong leads there all the same. */
START_TEST(warm)
{
    perp_arena a = {0};
    generated g;
    perp_result r;
    ck_assert(lcp_generate(lcp_family_find("obstacle2d"), 400, 1, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    perp_lcp_lemke_options o = options(false);
    double *z = perp_alloc(&a, (size_t)g.n, sizeof *z);
    ck_assert(!perp_solve(&p, &o.base, &a, z, NULL, &r));
    int cold = r.iterations;
    ck_assert_int_gt(cold, g.n / 4);
    o.base.warm_start = true;
    for (int i = 0; i < g.n; i++) z[i] = z[i] > 0 ? 1 : 0;
    ck_assert(!perp_solve(&p, &o.base, &a, z, NULL, &r));
    ck_assert_int_le(r.iterations, 1);
    for (int i = 0; i < g.n; i++) z[i] = i % 3 == 0;
    ck_assert(!perp_solve(&p, &o.base, &a, z, NULL, &r));
    o.base.warm_start = false;
    o.crash = true;
    ck_assert(!perp_solve(&p, &o.base, &a, z, NULL, &r));
    ck_assert_int_lt(r.iterations, cold / 4);
    perp_arena_free(&a);
}
END_TEST

START_TEST(limits)
{
    perp_arena a = {0};
    generated g;
    perp_result r;
    ck_assert(lcp_generate(lcp_family_find("obstacle"), 60, 1, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    double z[60];
    perp_lcp_lemke_options o = options(false);
    for (int limit = 0; limit < 12; limit += 3) {
        o.base.max_iter = limit;
        ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_MAX_ITER);
        ck_assert_int_eq(r.iterations, limit);
    }
    perp_arena_free(&a);
}
END_TEST

/* Memory that ends at any point is said, and all of it is given back. */
START_TEST(memory)
{
    perp_arena a = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find("obstacle2d"), 900, 1, &a, &g));
    perp_problem p = lcp_generated_problem(&g);
    for (int crash = 0; crash < 2; crash++) {
        perp_lcp_lemke_options o = options(crash);
        solve_starved(&p, &o.base, PERP_SOLVED);
    }
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lcp/lemke_sparse");
    TCase *t = tcase_create("lemke_sparse");
    tcase_add_test(t, families);
    tcase_add_test(t, accurate);
    tcase_add_test(t, chosen);
    tcase_add_test(t, warm);
    tcase_add_test(t, limits);
    tcase_add_test(t, memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
