/* tests/fc3d/test_prox.c: proximal points around Newton. */
#include "core/defaults.h"
#include "fc3d_solver_support.h"

/* Tight, on generated problems, scenes and stored ones of low rank. */
START_TEST(tight)
{
    perp_arena a = {0};
    perp_options *o = solver_options("fc3d/prox", 1e-12, &a);
    ck_assert_int_ge(solver_known(o, 54), 52);
    solver_scene(o, "stack", 8);
    solver_scene(o, "packing", 30);
    solver_stored(o, "OneObject-i100000-316.hdf5.dat");
    solver_stored(o, "BoxesStack1-i100000-32.hdf5.dat");
    solver_stored(o, "Capsules-i122-1617.dat");
    perp_arena_free(&a);
}
END_TEST

/* Without sweeps, with either map alone. */
START_TEST(alone)
{
    perp_fc3d_prox_options o = perp_fc3d_prox_defaults();
    o.sweeps = 0;
    o.alternate = false;
    ck_assert_int_ge(solver_known(&o.base, 54), 52);
    o.map = PERP_SEMISMOOTH_MAP_JEAN_MOREAU;
    ck_assert_int_ge(solver_known(&o.base, 54), 52);
    solver_stored(&o.base, "Confeti-ex03-Fc3D-SBM.dat");
}
END_TEST

/* The hard one: 463 contacts, mu = 1, rank 743 of 1389. Thousands of steps, seconds: the first
 * hundred steps only, which have to lessen the residual to 1e-4. */
START_TEST(rocks)
{
    perp_arena a = {0};
    perp_problem p;
    perp_result r;
    perp_fc3d_prox_options o = perp_fc3d_prox_defaults();
    o.base.max_iter = 250;
    if (solver_load("RockPile_tob1.dat", &a, &p)) {
        double *z = perp_alloc(&a, (size_t)perp_size(&p), sizeof *z);
        solve_checked(&p, &o.base, z, NULL, &r);
        ck_assert_double_le(r.residual.value, 1e-4);
    }
    perp_arena_free(&a);
}
END_TEST

/* A good warm start goes without the sweeps, a bad one does not. */
START_TEST(warm)
{
    perp_arena a = {0};
    perp_result r;
    perp_options *o = solver_options("fc3d/prox", 1e-8, &a);
    generated_problem g = fc3d_generate("tower", "fc3d", 4, 1, &a);
    int n = perp_size(&g.p);
    double *z = perp_alloc(&a, (size_t)n, sizeof *z), *q = perp_alloc(&a, (size_t)n, sizeof *q);
    ck_assert_int_eq(solve_checked(&g.p, o, z, NULL, &r), PERP_SOLVED);
    ck_assert_int_gt(r.iterations, perp_fc3d_prox.sweeps);
    for (int i = 0; i < n; i++) q[i] = 1.001 * g.p.as.fc3d.q[i];
    g.p.as.fc3d.q = q;
    o->warm_start = true;
    ck_assert_int_eq(solve_checked(&g.p, o, z, NULL, &r), PERP_SOLVED);
    ck_assert_int_le(r.iterations, 20);
    for (int i = 0; i < n; i++) z[i] = 0;
    ck_assert_int_eq(solve_checked(&g.p, o, z, NULL, &r), PERP_SOLVED);
    ck_assert_int_gt(r.iterations, perp_fc3d_prox.sweeps);
    perp_arena_free(&a);
}
END_TEST

/* Inner solves with one map alone fail again and again where the other one helps: 230 steps against
 * 1400 on five problems. */
START_TEST(alternating_maps)
{
    const int size[] = {8, 8, 10, 10, 10}, seed[] = {71, 99, 4, 11, 61};
    int steps[2] = {0};
    for (int k = 0; k < 5; k++) {
        perp_arena a = {0};
        generated_problem g = fc3d_generate("fc3d_edge", NULL, size[k], (uint64_t)seed[k], &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        for (int alternate = 0; alternate < 2; alternate++) {
            perp_fc3d_prox_options o = perp_fc3d_prox_defaults();
            perp_result r;
            o.map = PERP_SEMISMOOTH_MAP_JEAN_MOREAU;
            o.alternate = alternate;
            o.sweeps = 0;
            o.base.max_iter = 1000;
            perp_status status = solve_checked(&g.p, &o.base, z, NULL, &r);
            ck_assert_msg(!alternate || status == PERP_SOLVED, "seed %d: %s", seed[k], r.detail);
            steps[alternate] += r.iterations;
        }
        perp_arena_free(&a);
    }
    ck_assert_msg(steps[1] < steps[0] / 2, "%d steps, %d with one map", steps[1], steps[0]);
}
END_TEST

/* With one step for each inner solve nearly all of them fail, and alpha grows with every failure.
 * At 1000 times the mean diagonal, where steps are too short to help, it begins again: after 100
 * steps the residual is 0.1 on these problems, and 0.3 without that. */
START_TEST(alpha_begins_again)
{
    for (uint64_t seed = 1; seed < 5; seed++) {
        perp_arena a = {0};
        perp_result r;
        perp_fc3d_prox_options o = perp_fc3d_prox_defaults();
        generated_problem g = fc3d_generate("cannonballs", "fc3d", 3, seed, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        o.sweeps = 0;
        o.steps = 1;
        o.accuracy = 1e-12;
        o.base.max_iter = 100;
        solve_checked(&g.p, &o.base, z, NULL, &r);
        ck_assert_double_le(r.residual.value, 0.2);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(held_to)
{
    perp_arena a = {0};
    perp_options *o = solver_options("fc3d/prox", 1e-10, &a);
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
    perp_options *o = solver_options("fc3d/prox", 1e-8, &a);
    solver_memory(o, "packing", "fc3d", 5);
    solver_memory(o, "packing", "fc3d_body", 5);
    solver_memory(o, "packing", "fc3d", 40); /* a sparse factor */
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_prox");
    TCase *t = tcase_create("fc3d_prox");
    tcase_add_test(t, tight);
    tcase_add_test(t, alone);
    tcase_add_test(t, rocks);
    tcase_add_test(t, warm);
    tcase_add_test(t, alternating_maps);
    tcase_add_test(t, alpha_begins_again);
    tcase_add_test(t, held_to);
    tcase_add_test(t, memory);
    tcase_set_timeout(t, 100);
    suite_add_tcase(s, t);
    return support_run(s);
}
