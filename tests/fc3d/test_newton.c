/* tests/fc3d/test_newton.c: global semismooth Newton. */
#include "fc3d_solver_support.h"

/* One sliding contact, W = I: from r = (1, 0, 0), u = (0, 2, 0) the map is linear but for the disc,
 * which the second step meets. The answer is (1, -0.5, 0). */
START_TEST(hand_worked)
{
    double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 2, 0}, mu[1] = {0.5}, z[3];
    perp_problem p = perp_make_fc3d(1, perp_dense(3, 3, W), q, mu);
    for (int map = 0; map < 2; map++) {
        perp_fc3d_newton_options o = perp_fc3d_newton_defaults();
        perp_result r;
        o.map = (perp_semismooth_map)map;
        o.base.tol = 1e-14;
        o.regularisation = 0;
        ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_SOLVED);
        const double expected[3] = {1, -0.5, 0};
        ck_assert_double_le(difference(3, z, expected), 1e-14);
        ck_assert_int_le(r.iterations, 3);
    }
}
END_TEST

/* Near a solution it converges in a few steps, whatever the size. */
START_TEST(few_steps)
{
    perp_arena a = {0};
    perp_options *o = solver_options("fc3d/newton", 1e-10, &a);
    ck_assert_int_ge(solver_known(o, 54), 30);
    ck_assert_int_le(solver_scene(o, "packing", 10), 30);
    ck_assert_int_le(solver_scene(o, "lattice", 40), 30);
    perp_arena_free(&a);
}
END_TEST

START_TEST(options_matter)
{
    perp_fc3d_newton_options o = perp_fc3d_newton_defaults();
    o.halvings = 4;
    ck_assert_int_ge(solver_known(&o.base, 54), 30);
    o.map = PERP_SEMISMOOTH_MAP_JEAN_MOREAU;
    o.regularisation = 1e-8;
    ck_assert_int_ge(solver_known(&o.base, 54), 30);
    solver_stored(&o.base, "OneObject-i1028-138.hdf5.dat");
}
END_TEST

START_TEST(held_to)
{
    perp_arena a = {0};
    perp_options *o = solver_options("fc3d/newton", 1e-10, &a);
    solver_frictionless(o);
    solver_refusals(o);
    solver_fixed(o);
    solver_no_budget(o);
    perp_arena_free(&a);
}
END_TEST

START_TEST(memory)
{
    perp_arena a = {0};
    perp_options *o = solver_options("fc3d/newton", 1e-8, &a);
    solver_memory(o, "packing", "fc3d", 5);
    solver_memory(o, "packing", "fc3d_body", 5);
    solver_memory(o, "packing", "fc3d", 40); /* a sparse factor */
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_newton");
    TCase *t = tcase_create("fc3d_newton");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, few_steps);
    tcase_add_test(t, options_matter);
    tcase_add_test(t, held_to);
    tcase_add_test(t, memory);
    tcase_set_timeout(t, 100);
    suite_add_tcase(s, t);
    return support_run(s);
}
