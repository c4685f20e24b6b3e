/* tests/fc3d/test_auto.c: the choice among the solvers of friction. */
#include "fc3d_solver_support.h"

#include "base/vector.h"

/* Everything that is quick here, loose and tight; tests/fc3d/test_prox.c has the hard one. */
START_TEST(stored)
{
    static const char *const names[] = {"BoxesStack1-i100000-32.hdf5.dat",
                                        "Capsules-i100-889.dat",
                                        "Capsules-i101-404.dat",
                                        "Capsules-i122-1617.dat",
                                        "GFC3D_OneContact.dat",
                                        "KaplasTower-i1061-4.hdf5.dat",
                                        "OneObject-i100000-316.hdf5.dat",
                                        "OneObject-i1028-138.hdf5.dat",
                                        "Rover4609.dat"};
    perp_arena a = {0};
    perp_options *loose = solver_options("fc3d/auto", 1e-4, &a);
    perp_options *tight = solver_options("fc3d/auto", 1e-12, &a);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        solver_stored(loose, names[k]);
        solver_stored(tight, names[k]);
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(families)
{
    perp_arena a = {0};
    perp_options *o = solver_options("fc3d/auto", 1e-10, &a);
    ck_assert_int_ge(solver_known(o, 90), 89);
    solver_scene(o, "stack", 20);
    solver_scene(o, "arch", 20);
    solver_scene(o, "packing", 40);
    solver_scene(o, "cannonballs", 4);
    perp_arena_free(&a);
}
END_TEST

/* Sweeps end what is easy, factorisations what is not; it says which. */
START_TEST(says_what_finished)
{
    static const struct {
        const char *family;
        int size;
        const char *solver;
    } cases[] = {
        {"lattice", 30, "fc3d/nncg"}, {"stack", 30, "fc3d/prox"}, {"cannonballs", 7, "fc3d/admm"}};
    for (int k = 0; k < 3; k++) {
        perp_arena a = {0};
        perp_result r;
        generated_problem g = fc3d_generate(cases[k].family, "fc3d", cases[k].size, 1, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        ck_assert_int_eq(solve_checked(&g.p, NULL, z, NULL, &r), PERP_SOLVED); /* the default */
        ck_assert_str_eq(r.solver, cases[k].solver);
        perp_arena_free(&a);
    }
}
END_TEST

/* Each step of the plan ends what those before it leave: scenes with a ratio of masses, and the
 * iterations that they take. Interior points let fc3d/prox, nested, find the last iterate. */
START_TEST(every_step_helps)
{
    static const struct {
        const char *family, *form;
        int size;
        uint64_t seed;
        double ratio, mu; /* 0: the family's own; with a ratio mu is 0.5 */
        double tol;
        const char *solver; /* NULL: any */
        int from, to;       /* iterations */
    } cases[] = {
        {"tower", "fc3d_body", 4, 1, 0, 0, 1e-8, "fc3d/nncg", 76, 110},
        {"arch", "fc3d_body", 9, 1, 0, 0, 1e-8, "fc3d/auto", 76, 90},  /* by its relaxation */
        {"wall", "fc3d_body", 12, 1, 0, 0, 1e-8, "fc3d/auto", 76, 90}, /* the same */
        {"cannonballs", "fc3d_body", 6, 4, 0, 0.5, 1e-8, "fc3d/nncg", 101, 700}, /* and sweeps */
        {"arch", "fc3d", 9, 1, 0, 0, 1e-8, "fc3d/newton", 76, 80},
        {"stack", "fc3d", 10, 2, 0, 0, 1e-8, "fc3d/prox", 91, 100}, /* 40 steps at most */
        /* Rounding, and so the compiler and the BLAS, decides how soon these are solved. Without
         * the smooth path of interior points the first takes more than 2500 iterations. */
        {"packing", "fc3d_body", 300, 6, 0, 0.2, 1e-8, NULL, 131, 1200},
        {"wall", "fc3d", 4, 1, 1000, 0, 1e-8, NULL, 131, 700},        /* by interior points */
        {"packing", "fc3d", 80, 1, 1000, 0, 1e-8, NULL, 131, 700},    /* by interior points */
        {"cannonballs", "fc3d", 5, 2, 10, 0, 1e-8, NULL, 131, 3000},  /* 200 steps at most */
        {"cannonballs", "fc3d", 5, 1, 10, 0, 1e-8, NULL, 131, 9000}}; /* after fc3d/admm */
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_arena a = {0};
        generate_request q = generate_defaults;
        generated_problem g;
        perp_result r;
        q.family = cases[k].family;
        q.form = cases[k].form;
        q.size = cases[k].size;
        q.seed = cases[k].seed;
        if (cases[k].ratio > 0) {
            q.ratio = cases[k].ratio;
            q.mu = 0.5;
        }
        if (cases[k].mu > 0) q.mu = cases[k].mu;
        ck_assert(!generate_problem(&q, &a, &g, NULL));
        perp_options *o = solver_options("fc3d/auto", cases[k].tol, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        ck_assert_int_eq(solve_checked(&g.p, o, z, NULL, &r), PERP_SOLVED);
        bool by = !cases[k].solver || !strcmp(r.solver, cases[k].solver);
        ck_assert_msg(by && r.iterations >= cases[k].from && r.iterations <= cases[k].to,
                      "%s: by %s in %d iterations", cases[k].family, r.solver, r.iterations);
        perp_arena_free(&a);
    }
}
END_TEST

/* W by its products alone: what can be had without its entries. */
START_TEST(products_only)
{
    perp_arena a = {0};
    perp_result r;
    perp_options *o = solver_options("fc3d/auto", 1e-4, &a);
    generated_problem g = fc3d_generate("lattice", "fc3d", 10, 1, &a);
    double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
    perp_matrix W = g.p.as.fc3d.W;
    g.p.as.fc3d.W = as_operator(&W);
    ck_assert_msg(solve_checked(&g.p, o, z, NULL, &r) == PERP_SOLVED, "%s", r.detail);
    ck_assert_str_eq(r.solver, "fc3d/cpg");
    perp_arena_free(&a);
}
END_TEST

/* Chains hang on joints that leave their contacts singular blocks. Size 6, seed 1 is
 * problems/fc3d/chain-6.hdf5. */
START_TEST(singular_blocks)
{
    for (int k = 0; k < 24; k++) {
        static const int sizes[] = {2, 3, 6, 13};
        perp_arena a = {0};
        perp_result r;
        perp_options *o = solver_options("fc3d/auto", k % 2 ? 1e-12 : 1e-8, &a);
        generated_problem g =
            fc3d_generate("chain", "fc3d_body", sizes[k % 4], (uint64_t)k / 4 + 1, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        ck_assert_msg(solve_checked(&g.p, o, z, NULL, &r) == PERP_SOLVED, "%d: %s", k, r.detail);
        ck_assert_str_eq(r.solver, "fc3d/nncg");
        ck_assert_int_le(r.iterations, 30); /* before factorisations have their turn */
        o->warm_start = true;
        for (int i = 0; i < perp_size(&g.p); i++) z[i] *= 1.001;
        ck_assert_msg(solve_checked(&g.p, o, z, NULL, &r) == PERP_SOLVED, "%d: %s", k, r.detail);
        perp_arena_free(&a);
    }
}
END_TEST

/* W_NN = 0 and u_N = -1: nothing solves it. The honest end of conjugate gradients is reported, and
 * the refusal of the sweeps named; a tangent that nothing resists is solved, r = (1, 0, 0); what
 * all refuse is refused. */
START_TEST(most_telling_end)
{
    double W[9] = {0, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0, 0}, mu[1] = {0.3}, z[3];
    perp_problem p = perp_make_fc3d(1, perp_dense(3, 3, W), q, mu);
    perp_plain_options o = perp_fc3d_auto_defaults();
    perp_result r;
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_STALLED);
    ck_assert_msg(strstr(r.detail, "p'W p") && strstr(r.detail, "contact 0"), "%s", r.detail);
    ck_assert_double_eq(r.residual.value, 1);
    W[0] = 1;
    W[8] = 0;
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_SOLVED);
    const double expected[3] = {1, 0, 0};
    ck_assert_double_le(difference(3, z, expected), 1e-8);
    q[1] = NAN;
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_E_NUMBER);

    double M[49] = {0}, H[21] = {1}, force[7] = {-1}, y[10]; /* too many for a relaxation */
    perp_problem body = {.kind = PERP_KIND_FC3D,
                         .as.fc3d = {.form = PERP_FORM_BODY,
                                     .contacts = 1,
                                     .mu = mu,
                                     .M = perp_dense(7, 7, M),
                                     .H = perp_dense(7, 3, H),
                                     .f = force}};
    ck_assert_int_eq(solve_checked(&body, &o.base, y, NULL, &r), PERP_E_NUMBER);
    ck_assert_msg(r.detail[0], "a refusal says why");
}
END_TEST

/* Iterations of a warm solve after q is scaled, or changed by forces, by 0.1 %, over those of a
 * cold one. */
static double warm_share(const char *family, int size, bool forces)
{
    perp_arena a = {0};
    perp_result cold, near;
    perp_options *o = solver_options("fc3d/auto", 1e-8, &a);
    generated_problem g = fc3d_generate(family, "fc3d", size, 1, &a);
    int n = perp_size(&g.p);
    double *z = perp_alloc(&a, (size_t)n, sizeof *z), *q = perp_alloc(&a, (size_t)n, sizeof *q);
    double *s = perp_alloc(&a, (size_t)n, sizeof *s);
    generator random = generator_start(1);
    ck_assert_int_eq(solve_checked(&g.p, o, z, NULL, &cold), PERP_SOLVED);
    for (int i = 0; i < n; i++) s[i] = generator_uniform(&random);
    perp_mul(&g.p.as.fc3d.W, 1, s, 0, q);
    double part = 1e-3 * vector_norm(n, g.p.as.fc3d.q) / vector_norm(n, q);
    for (int i = 0; i < n; i++) {
        double x = g.p.as.fc3d.q[i];
        q[i] = forces ? x + part * q[i] : 1.001 * x;
    }
    g.p.as.fc3d.q = q;
    o->warm_start = true;
    ck_assert_int_eq(solve_checked(&g.p, o, z, NULL, &near), PERP_SOLVED);
    perp_arena_free(&a);
    return (double)near.iterations / cold.iterations;
}

/* From the solution of a nearby problem it takes well below half of the iterations, in geometric
 * mean. */
START_TEST(warm)
{
    static const char *const names[] = {"stack", "arch", "packing", "cannonballs", "tower"};
    for (int forces = 0; forces < 2; forces++) {
        double logs = 0;
        for (int k = 0; k < 5; k++) logs += log(warm_share(names[k], k >= 3 ? 4 : 20, forces));
        ck_assert_double_le(exp(logs / 5), 0.35);
    }
}
END_TEST

/* The iteration at which the monitor first heard of each solver of the plan. */
typedef struct plan {
    int newton, prox, ipm, admm;
} plan;

static bool note_first(void *ctx, const perp_progress *p)
{
    static const char *const names[] = {"fc3d/newton", "fc3d/prox", "fc3d/ipm", "fc3d/admm"};
    plan *first = ctx;
    int *at[] = {&first->newton, &first->prox, &first->ipm, &first->admm};
    for (int k = 0; k < 4; k++) {
        if (*at[k] < 0 && strcmp(p->solver, names[k]) == 0) *at[k] = p->iteration;
    }
    return true;
}

/* A tolerance that nobody reaches shows the plan and what each step of it may take: sweeps, 15
 * Newton steps, 40 proximal ones, 130 of interior points, 200 more proximal ones, and alternating
 * directions. */
START_TEST(every_step_of_the_plan_has_its_turn)
{
    static const char *const scenes[] = {"stack", "packing"};
    for (int k = 0; k < 2; k++) {
        perp_arena a = {0};
        perp_result r;
        plan first = {-1, -1, -1, -1};
        perp_options *o = solver_options("fc3d/auto", 0, &a);
        generated_problem g = fc3d_generate(scenes[k], "fc3d", 3 + k, 1, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        o->max_iter = 1000;
        o->monitor = note_first;
        o->monitor_ctx = &first;
        ck_assert_int_eq(solve_checked(&g.p, o, z, NULL, &r), PERP_MAX_ITER);
        ck_assert_int_eq(first.newton, 75);
        ck_assert_int_eq(first.prox, 75 + 15);
        ck_assert_int_eq(first.ipm, 75 + 15 + 40);
        ck_assert_int_eq(first.admm, 75 + 15 + 40 + 130 + 200);
        perp_arena_free(&a);
    }
}
END_TEST

/* A budget is kept over all solvers. */
START_TEST(budget)
{
    perp_arena a = {0};
    perp_result r;
    perp_options *o = solver_options("fc3d/auto", 1e-10, &a);
    generated_problem g = fc3d_generate("stack", "fc3d", 30, 1, &a);
    double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
    for (int most = 1; most < 400; most *= 2) {
        o->max_iter = most;
        perp_status status = solve_checked(&g.p, o, z, NULL, &r);
        ck_assert_int_le(r.iterations, most);
        ck_assert(status == PERP_MAX_ITER || status == PERP_SOLVED);
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(held_to)
{
    perp_arena a = {0};
    perp_options *o = solver_options("fc3d/auto", 1e-10, &a);
    solver_frictionless(o);
    solver_fixed(o);
    solver_no_budget(o);
    o->tol = 1e-8;
    solver_memory(o, "packing", "fc3d", 5);
    solver_memory(o, "stack", "fc3d_body", 8);
    solver_memory(o, "chain", "fc3d_body", 3);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_auto");
    TCase *t = tcase_create("fc3d_auto");
    tcase_add_test(t, stored);
    tcase_add_test(t, families);
    tcase_add_test(t, says_what_finished);
    tcase_add_test(t, every_step_helps);
    tcase_add_test(t, products_only);
    tcase_add_test(t, singular_blocks);
    tcase_add_test(t, most_telling_end);
    tcase_add_test(t, warm);
    tcase_add_test(t, every_step_of_the_plan_has_its_turn);
    tcase_add_test(t, budget);
    tcase_add_test(t, held_to);
    tcase_set_timeout(t, 100);
    suite_add_tcase(s, t);
    return support_run(s);
}
