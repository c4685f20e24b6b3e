/* tests/generate/test_cone_rolling.c: gravel with rolling friction is what its family says: W of a
 * body's inertia, stiff, with a solution. */
#include "generate_support.h"

static double entry(const perp_cone *c, int i, int j)
{
    return c->W.as.dense.x[(size_t)j * (size_t)c->n + (size_t)i];
}

/* Moments move their rows about 1e4 times as much as impulses do. */
START_TEST(stiffness)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        perp_arena a = {0};
        generated_problem g = problem_make("cone_rolling", NULL, 21, seed, &a);
        const perp_cone *c = &g.p.as.cone;
        double force = 0, moment = 0;
        ck_assert_int_eq(c->n, 5 * 21);
        for (int i = 0; i < c->n; i++) *(i % 5 < 3 ? &force : &moment) += entry(c, i, i);
        double ratio = (moment / 2) / (force / 3);
        ck_assert_msg(ratio > 2e3 && ratio < 5e4, "%g", ratio);
        perp_arena_free(&a);
    }
}
END_TEST

/* Symmetric, x'W x >= 0, and another seed is another problem. */
START_TEST(matrix)
{
    perp_arena a = {0};
    generator r = generator_start(3);
    generated_problem g = problem_make("cone_rolling", NULL, 14, 1, &a);
    generated_problem same = problem_make("cone_rolling", NULL, 14, 1, &a);
    generated_problem other = problem_make("cone_rolling", NULL, 14, 2, &a);
    const perp_cone *c = &g.p.as.cone;
    ck_assert(problem_hash(&g.p) == problem_hash(&same.p));
    ck_assert(problem_hash(&g.p) != problem_hash(&other.p));
    for (int k = 0; k < 20; k++) {
        double x[70], product = 0, size = 0;
        for (int i = 0; i < c->n; i++) x[i] = generator_uniform(&r);
        for (int j = 0; j < c->n; j++) {
            for (int i = 0; i < c->n; i++) {
                double part = x[i] * entry(c, i, j) * x[j];
                ck_assert_double_eq_tol(entry(c, i, j), entry(c, j, i), 1e-12 * entry(c, i, i));
                product += part;
                size += fabs(part);
            }
        }
        ck_assert(product >= -1e-14 * size);
    }
    perp_arena_free(&a);
}
END_TEST

/* Every problem has a solution, which cone/auto finds. */
START_TEST(solutions)
{
    static const int sizes[] = {1, 2, 5, 14, 17, 21, 60};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (uint64_t seed = 1; seed <= 4; seed++) {
            perp_arena a = {0};
            perp_residual r;
            perp_result result;
            generated_problem g = problem_make("cone_rolling", NULL, sizes[k], seed, &a);
            double *z = perp_alloc(&a, (size_t)g.p.as.cone.n, sizeof *z);
            ck_assert_int_eq(perp_solve(&g.p, NULL, &a, z, NULL, &result), PERP_SOLVED);
            ck_assert_int_eq(perp_certify(&g.p, z, &a, &r), PERP_SOLVED);
            ck_assert_msg(r.value <= 1e-8, "%d %g", sizes[k], r.value);
            perp_arena_free(&a);
        }
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("generate_cone_rolling");
    TCase *c = tcase_create("gravel");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, stiffness);
    tcase_add_test(c, matrix);
    tcase_add_test(c, solutions);
    suite_add_tcase(s, c);
    return support_run(s);
}
