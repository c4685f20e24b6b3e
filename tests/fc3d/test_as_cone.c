/* tests/fc3d/test_as_cone.c: friction as a product of cones: the same solutions, the same residual;
 * and the convex relaxation of a pile at rest solves both. */
#include "fc3d/as_cone.h"
#include "fc3d_solver_support.h"

#include "perp/solvers.h"

#include <string.h>

/* What the problem becomes, made within a solve. */
static perp_problem convert(const perp_problem *p, double part, perp_arena *a)
{
    perp_problem out;
    perp_run run = {.problem = p, .arena = a};
    ck_assert(perp_fc3d_as_cone(&run, part, &out));
    return out;
}

START_TEST(same_law)
{
    static const char *const forms[] = {"fc3d", "fc3d_body"};
    for (int k = 0; k < 8; k++) {
        perp_arena a = {0};
        perp_result r;
        generated_problem g = fc3d_generate("packing", forms[k % 2], 8 + k, (uint64_t)k + 1, &a);
        perp_problem c = convert(&g.p, 1, &a);
        ck_assert_int_eq(perp_size(&c), perp_size(&g.p));
        double *z = perp_alloc(&a, (size_t)perp_size(&c), sizeof *z);
        ck_assert_int_eq(solve_checked(&g.p, NULL, z, NULL, &r), PERP_SOLVED);
        perp_residual own, other;
        ck_assert_int_ge(perp_certify(&g.p, z, &a, &own), 0);
        ck_assert_int_ge(perp_certify(&c, z, &a, &other), 0);
        ck_assert_double_eq_tol(own.value, other.value, 1e-12);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(pile_at_rest)
{
    static const char *const names[] = {"wall", "tower", "arch"};
    for (int k = 0; k < 3; k++) {
        perp_arena a = {0};
        perp_result r;
        perp_residual own;
        generated_problem g = fc3d_generate(names[k], "fc3d_body", 5, 1, &a);
        perp_problem c = convert(&g.p, 0, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&c), sizeof *z);
        perp_status status = perp_solve(&c, perp_find("cone/ipm"), &a, z, NULL, &r);
        ck_assert_msg(status == PERP_SOLVED, "%s: %s", names[k], r.detail);
        ck_assert_int_le(r.iterations, 12);
        ck_assert_int_ge(perp_certify(&g.p, z, &a, &own), 0);
        ck_assert_double_le(own.value, 1e-8);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(without_memory)
{
    double memory[8];
    perp_arena a = {0}, fixed;
    generated_problem g = fc3d_generate("wall", "fc3d_body", 3, 1, &a);
    perp_problem out;
    perp_arena_fixed(&fixed, memory, sizeof memory);
    perp_run run = {.problem = &g.p, .arena = &fixed};
    ck_assert(!perp_fc3d_as_cone(&run, 0, &out));
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("as_cone");
    TCase *c = tcase_create("as_cone");
    tcase_add_test(c, same_law);
    tcase_add_test(c, pile_at_rest);
    tcase_add_test(c, without_memory);
    suite_add_tcase(s, c);
    return support_run(s);
}
