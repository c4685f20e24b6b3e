/* tests/cone/test_ipm.c: interior points on products of cones: answers, paths, memory. */
#include "generate_support.h"
#include "support.h"

#include "perp/solvers.h"

#include <stdio.h>

/* How many of so many random problems are solved, and by at most `most` iterations each. */
static int count(const char *family, const perp_cone_ipm_options *o, int problems, int most)
{
    int solved = 0;
    for (int k = 0; k < problems; k++) {
        perp_arena a = {0};
        perp_result r;
        generated_problem g = problem_make(family, NULL, 1 + k % 12, (uint64_t)k + 1, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        perp_status status = solve_checked(&g.p, &o->base, z, NULL, &r);
        ck_assert_msg(status >= 0, "%s", r.detail);
        solved += status == PERP_SOLVED && r.iterations <= most;
        perp_arena_free(&a);
    }
    return solved;
}

/* Second-order cones take some 15 iterations, of any size. */
START_TEST(convex)
{
    perp_cone_ipm_options o = perp_cone_ipm_defaults();
    ck_assert_int_ge(count("cone_convex", &o, 60, 40), 56);
}
END_TEST

/* With s > 0 both paths together solve more than either. */
START_TEST(paths)
{
    perp_cone_ipm_options o = perp_cone_ipm_defaults();
    int both = count("cone_known", &o, 60, 1000);
    o.path = PERP_INTERIOR_PATH_NEWTON;
    int newton = count("cone_known", &o, 60, 1000);
    o.path = PERP_INTERIOR_PATH_DELAYED;
    int delayed = count("cone_known", &o, 60, 1000);
    printf("both %d, newton %d, delayed %d\n", both, newton, delayed);
    ck_assert_int_ge(both, 57);
    ck_assert_int_ge(both, newton);
    ck_assert_int_ge(both, delayed);
}
END_TEST

/* Boxes, balls and free rows beside cones, in local form and in body form. */
START_TEST(mixed)
{
    perp_cone_ipm_options o = perp_cone_ipm_defaults();
    int boxes = count("cone_mixed", &o, 40, 1000), bodies = count("cone_bodies", &o, 40, 1000);
    printf("mixed %d, bodies %d\n", boxes, bodies);
    ck_assert_int_ge(boxes, 30);
    ck_assert_int_ge(bodies, 20);
}
END_TEST

/* Nothing but free rows is a linear system, nothing at all is solved. */
START_TEST(without_cones)
{
    const double W[4] = {2, 1, 1, 3}, q[2] = {1, -4};
    perp_arena a = {0};
    perp_result r;
    perp_problem p = {.kind = PERP_KIND_CONE};
    perp_cone_ipm_options o = perp_cone_ipm_defaults();
    p.as.cone = (perp_cone){.n = 2, .W = perp_dense(2, 2, W), .q = q};
    double z[2] = {0};
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(z[0], -1.4, 1e-9);
    ck_assert_double_eq_tol(z[1], 1.8, 1e-9);
    p.as.cone = (perp_cone){.n = 0};
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_SOLVED);
    perp_arena_free(&a);
}
END_TEST

START_TEST(memory)
{
    static const char *const names[] = {"cone_mixed", "cone_bodies"};
    for (int k = 0; k < 2; k++) {
        perp_arena a = {0};
        perp_cone_ipm_options o = perp_cone_ipm_defaults();
        generated_problem g = problem_make(names[k], NULL, 2, 1, &a);
        o.base.max_iter = 2;
        solve_starved(&g.p, &o.base, PERP_MAX_ITER);
        solve_confined(&g.p, &o.base, PERP_MAX_ITER);
        perp_arena_free(&a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cone_ipm");
    TCase *c = tcase_create("ipm");
    tcase_add_test(c, convex);
    tcase_add_test(c, paths);
    tcase_add_test(c, mixed);
    tcase_add_test(c, without_cones);
    tcase_add_test(c, memory);
    suite_add_tcase(s, c);
    return support_run(s);
}
