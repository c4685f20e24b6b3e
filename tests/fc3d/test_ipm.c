/* tests/fc3d/test_ipm.c: interior points on the friction cone. */
#include "fc3d_solver_support.h"
#include "method/lorentz.h"

/* The algebra of the Lorentz cone: P x = P^-1 z, P its own inverse's inverse, products divided
 * again, steps that end on the boundary. */
START_TEST(algebra)
{
    generator g = generator_start(7);
    for (int k = 0; k < 1000; k++) {
        double x[3], z[3], d[3], a[3], b[3], c[3];
        double root, w[3];
        for (int i = 1; i < 3; i++) {
            x[i] = generator_uniform(&g);
            z[i] = generator_uniform(&g);
        }
        x[0] = hypot(x[1], x[2]) + 0.01 + generator_unit(&g);
        z[0] = hypot(z[1], z[2]) + 0.01 + generator_unit(&g);
        for (int i = 0; i < 3; i++) d[i] = 3 * generator_uniform(&g);
        ck_assert(lorentz_scale(3, x, z, &root, w));
        lorentz_apply(3, root, w, 0, x, a);
        lorentz_apply(3, root, w, 1, z, b);
        ck_assert_double_le(difference(3, a, b), 1e-12);
        lorentz_apply(3, root, w, 1, a, c);
        ck_assert_double_le(difference(3, c, x), 1e-12);
        lorentz_product(3, x, d, a);
        lorentz_divide(3, x, a, b);
        ck_assert_double_le(difference(3, b, d), 1e-10);
        double t = lorentz_step(3, x, d, 1), y[3], beyond[3];
        for (int i = 0; i < 3; i++) {
            y[i] = x[i] + t * d[i];
            beyond[i] = x[i] + 1.01 * t * d[i];
        }
        ck_assert_double_ge(y[0] - hypot(y[1], y[2]), -1e-12);
        ck_assert(t == 1 || beyond[0] < hypot(beyond[1], beyond[2]));
    }
    const double edge[3] = {1, 1, 0}, inside[3] = {1, 0, 0};
    double root, w[3];
    ck_assert(!lorentz_scale(3, edge, inside, &root, w));
}
END_TEST

START_TEST(few_iterations)
{
    perp_arena a = {0};
    perp_options *o = solver_options("fc3d/ipm", 1e-8, &a);
    ck_assert_int_ge(solver_known(o, 54), 50);
    ck_assert_int_le(solver_scene(o, "packing", 30), 40);
    ck_assert_int_le(solver_scene(o, "stack", 8), 40);
    solver_stored(o, "Capsules-i101-404.dat");
    solver_stored(o, "BoxesStack1-i100000-32.hdf5.dat");
    solver_stored(o, "OneObject-i100000-316.hdf5.dat");
    perp_arena_free(&a);
}
END_TEST

/* Contacts without friction among others take their own part of each step. In all they need 197 to
 * 204 iterations, by the kernels of OpenBLAS (Haswell 197, SkylakeX 199, Prescott 204). */
START_TEST(some_without_friction)
{
    perp_fc3d_ipm_options o = perp_fc3d_ipm_defaults();
    int iterations = 0;
    o.finish = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        perp_arena a = {0};
        perp_result r;
        generated_problem g = fc3d_generate("fc3d_known", NULL, 9, seed, &a);
        double z[27], mu[9] = {0, 1, 0.5, 0, 1, 0.3, 0, 1, 0.7};
        g.p.as.fc3d.mu = mu;
        ck_assert_msg(solve_checked(&g.p, &o.base, z, NULL, &r) == PERP_SOLVED, "%s", r.detail);
        iterations += r.iterations;
        perp_arena_free(&a);
    }
    ck_assert_int_le(iterations, 210);
}
END_TEST

/* Without the finish it is interior points to the end. */
START_TEST(unfinished)
{
    perp_fc3d_ipm_options o = perp_fc3d_ipm_defaults();
    o.finish = 0;
    o.base.tol = 1e-6;
    ck_assert_int_ge(solver_known(&o.base, 54), 48);
    ck_assert_int_le(solver_scene(&o.base, "packing", 30), 30);
}
END_TEST

START_TEST(held_to)
{
    perp_arena a = {0};
    perp_options *o = solver_options("fc3d/ipm", 1e-10, &a);
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
    perp_options *o = solver_options("fc3d/ipm", 1e-8, &a);
    solver_memory(o, "packing", "fc3d", 5);
    solver_memory(o, "packing", "fc3d_body", 5);
    solver_memory(o, "packing", "fc3d", 40); /* a sparse factor */
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_ipm");
    TCase *t = tcase_create("fc3d_ipm");
    tcase_add_test(t, algebra);
    tcase_add_test(t, few_iterations);
    tcase_add_test(t, some_without_friction);
    tcase_add_test(t, unfinished);
    tcase_add_test(t, held_to);
    tcase_add_test(t, memory);
    tcase_set_timeout(t, 100);
    suite_add_tcase(s, t);
    return support_run(s);
}
