/* tests/fc3d/test_admm.c: alternating directions. */
#include "fc3d_solver_support.h"

START_TEST(structures)
{
    perp_arena a = {0};
    perp_options *o = solver_options("fc3d/admm", 1e-8, &a);
    ck_assert_int_ge(solver_known(o, 54), 45);
    ck_assert_int_le(solver_scene(o, "tower", 6), 200);
    ck_assert_int_le(solver_scene(o, "arch", 10), 200);
    solver_stored(o, "OneObject-i100000-316.hdf5.dat");
    solver_stored(o, "Confeti-ex03-Fc3D-SBM.dat");
    perp_arena_free(&a);
}
END_TEST

/* A bad first rho costs little when it is balanced; acceleration pays. */
START_TEST(options_matter)
{
    perp_fc3d_admm_options o = perp_fc3d_admm_defaults();
    o.rho = 1e4;
    int balanced = solver_scene(&o.base, "stack", 6);
    o.balance = false;
    o.base.max_iter = 5 * balanced;
    perp_arena a = {0};
    perp_result r;
    generated_problem g = fc3d_generate("stack", "fc3d", 6, 1, &a);
    double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
    ck_assert_int_gt(solve_checked(&g.p, &o.base, z, NULL, &r), 0);
    perp_arena_free(&a);
    o = perp_fc3d_admm_defaults();
    o.accelerate = false;
    o.relaxation = 1.6;
    ck_assert_int_ge(solver_known(&o.base, 54), 40);
}
END_TEST

START_TEST(held_to)
{
    perp_arena a = {0};
    perp_options *o = solver_options("fc3d/admm", 1e-10, &a);
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
    perp_options *o = solver_options("fc3d/admm", 1e-8, &a);
    solver_memory(o, "packing", "fc3d", 5);
    solver_memory(o, "packing", "fc3d_body", 5);
    solver_memory(o, "packing", "fc3d", 40); /* a sparse factor */
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_admm");
    TCase *t = tcase_create("fc3d_admm");
    tcase_add_test(t, structures);
    tcase_add_test(t, options_matter);
    tcase_add_test(t, held_to);
    tcase_add_test(t, memory);
    tcase_set_timeout(t, 100);
    suite_add_tcase(s, t);
    return support_run(s);
}
