/* tests/fc3d/test_pyramid_model.c: what is solved on pyramids is judged there. */
#include "fc3d_solver_support.h"

#include "fc3d/pyramid_model.h"

#define FACETS 8
#define PI 3.14159265358979323846

/* A contact that moves: W symmetric and definite, q_N < 0. */
static void draw_contact(generator *g, double W[9], double q[3])
{
    double A[9];
    for (int i = 0; i < 9; i++) A[i] = generator_uniform(g);
    for (int i = 0; i < 9; i++) {
        W[i] = i % 4 == 0;
        for (int k = 0; k < 3; k++) W[i] += A[3 * k + i % 3] * A[3 * k + i / 3];
    }
    for (int i = 0; i < 3; i++) q[i] = generator_uniform(g);
    q[0] = -1 - generator_unit(g);
}

/* The LCP of Stewart and Trinkle in (r_N, beta, lambda), written out and solved by lcp/lemke. */
static void solve_by_lemke(const double W[9], const double q[3], double mu, double r[3])
{
    enum { N = FACETS + 2 };
    double M[N * N] = {0}, c[N] = {0}, z[N], E[FACETS + 1][3] = {{1, 0, 0}};
    perp_lcp_lemke_options o = perp_lcp_lemke_defaults();
    perp_result result;
    for (int h = 1; h <= FACETS; h++) {
        E[h][1] = cos(2 * PI * (h - 1) / FACETS);
        E[h][2] = sin(2 * PI * (h - 1) / FACETS);
        M[N * (N - 1) + h] = 1;
        M[N * h + N - 1] = -1;
    }
    M[N - 1] = mu;
    for (int f = 0; f <= FACETS; f++) {
        for (int i = 0; i < 3; i++) c[f] += E[f][i] * q[i];
        for (int h = 0; h <= FACETS; h++) {
            for (int k = 0; k < 9; k++) M[N * h + f] += E[f][k % 3] * W[k] * E[h][k / 3];
        }
    }
    o.base.tol = 1e-13;
    ck_assert_int_eq(solve_dense(N, M, c, &o.base, z, NULL, &result), PERP_SOLVED);
    for (int i = 0; i < 3; i++) {
        r[i] = 0;
        for (int f = 0; f <= FACETS; f++) r[i] += E[f][i] * z[f];
    }
}

/* The solvers of pyramids with 8 edges. */
static const perp_options *solver(int k, perp_arena *a)
{
    static const char *const names[] = {"fc3d/nsgs", "fc3d/nsgs", "fc3d/nncg", "fc3d/facets",
                                        "fc3d/facets"};
    perp_options *o = solver_options(names[k], k == 4 ? 1e-10 : 1e-12, a);
    if (k < 3) perp_options_set(o, "local", k == 1 ? "qp" : "lemke", NULL);
    if (k == 4) perp_options_set(o, "lcp", "psor", NULL);
    o->warm_start = true;
    return o;
}

/* One contact, from nothing, from the solution of the exact cone, which has the smaller residual
 * there, and from that of a nearby problem: the answer is Lemke's. */
START_TEST(one_contact_warm_is_lemke)
{
    generator g = generator_start(11);
    int differ = 0;
    for (int t = 0; t < 100; t++) {
        double W[9], q[3], mu[1] = {0.1 + generator_unit(&g)}, lemke[3], exact[3] = {0};
        draw_contact(&g, W, q);
        perp_problem p = perp_make_fc3d(1, perp_dense(3, 3, W), q, mu);
        perp_result r;
        ck_assert_int_eq(solve_checked(&p, NULL, exact, NULL, &r), PERP_SOLVED);
        ck_assert(isnan(r.model_residual));
        solve_by_lemke(W, q, mu[0], lemke);
        differ += difference(3, lemke, exact) > 1e-3;
        for (int k = 0; k < 15; k++) {
            perp_arena a = {0};
            const perp_options *o = solver(k / 3, &a);
            double part = k % 3 == 0 ? 0 : k % 3 == 1 ? 1 : 1.01, z[3];
            for (int i = 0; i < 3; i++) z[i] = part * exact[i];
            perp_status status = solve_checked(&p, o, z, NULL, &r);
            ck_assert_msg(difference(3, z, lemke) <= 1e-7, "%d, %s: %s", k, o->solver->name,
                          r.detail);
            ck_assert_int_eq(status, r.residual.value <= o->tol ? PERP_SOLVED : PERP_UNCERTIFIED);
            bool sweeps = k / 3 == 4; /* these stop by the residual of the LCP */
            ck_assert_double_le(r.model_residual, sweeps ? 2 * o->tol : o->tol);
            ck_assert_int_le(solve_checked(&p, o, z, NULL, &r), PERP_UNCERTIFIED);
            if (!sweeps) ck_assert_int_eq(r.iterations, 0);
            perp_arena_free(&a);
        }
    }
    ck_assert_int_gt(differ, 30);
}
END_TEST

/* Many contacts, both forms, inside and around the cone: solved there, and both residuals told. */
START_TEST(both_residuals)
{
    static const char *const solvers[] = {"fc3d/nsgs", "fc3d/facets", "fc3d/facets"};
    for (int k = 0; k < 12; k++) {
        perp_arena a = {0};
        perp_result r;
        generated_problem g = fc3d_generate(k % 2 ? "fc3d_body_known" : "fc3d_known", NULL, 9,
                                            (uint64_t)k / 6 + 1, &a);
        perp_options *o = solver_options(solvers[k / 2 % 3], 1e-8, &a);
        if (k / 2 % 3 == 0) perp_options_set(o, "local", "lemke", NULL);
        if (k / 2 % 3 == 2) perp_options_set(o, "pyramid", "outer", NULL);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        ck_assert_int_eq(solve_checked(&g.p, o, z, NULL, &r), PERP_UNCERTIFIED);
        ck_assert_double_le(r.model_residual, 1e-8);
        ck_assert_double_ge(r.residual.value, 1e-5);
        ck_assert_msg(
            strstr(r.detail, k / 2 % 3 == 2 ? "outer pyramids of 8" : "inner pyramids of 8"), "%s",
            r.detail);
        ck_assert_msg(strstr(r.detail, "exact cone"), "%s", r.detail);
        perp_arena_free(&a);
    }
}
END_TEST

/* The exact cone is the aim where pyramids turn, and of the other solvers of one contact. */
START_TEST(no_model)
{
    double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 2, 2}, mu[1] = {0.5};
    double z[3] = {1, -0.5 / sqrt(2), -0.5 / sqrt(2)};
    perp_problem p = perp_make_fc3d(1, perp_dense(3, 3, W), q, mu);
    perp_fc3d_facets_options o = perp_fc3d_facets_defaults();
    perp_fc3d_nsgs_options n = perp_fc3d_nsgs_defaults();
    perp_result r;
    o.rounds = 3;
    o.base.warm_start = n.base.warm_start = true;
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_SOLVED);
    ck_assert_int_eq(r.iterations, 0);
    ck_assert(isnan(r.model_residual));
    ck_assert_int_eq(solve_checked(&p, &n.base, z, NULL, &r), PERP_SOLVED);
    ck_assert_int_eq(r.iterations, 0);
    ck_assert(isnan(r.model_residual));
}
END_TEST

/* A start that solves the problem itself is as good an end where the solver refuses the blocks. */
START_TEST(refusal_from_a_solution)
{
    double W[9] = {0, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {1, 1, 0}, mu[1] = {0.5}, z[3];
    perp_problem p = perp_make_fc3d(1, perp_dense(3, 3, W), q, mu);
    perp_fc3d_facets_options o = perp_fc3d_facets_defaults();
    perp_result r;
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_SOLVED);
    ck_assert_double_eq(z[0], 0);
    q[0] = -1;
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_E_NUMBER);
}
END_TEST

static perp_status approximate(perp_run *run, double *z, void *ctx)
{
    (void)z;
    *(bool *)ctx = perp_pyramid_approximate(run, FACETS, false);
    return run->status;
}

/* r = 0, u = q = (-1, 1, 0), along an edge: v = (-1/2, 1, 0), and -v is projected on (1, -1/2, 0).
 */
START_TEST(start)
{
    double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 1, 0}, mu[1] = {0.5};
    perp_problem p = perp_make_fc3d(1, perp_dense(3, 3, W), q, mu);
    perp_result r;
    bool solved = true;
    ck_assert_int_eq(fc3d_inside(&p, approximate, &solved, &r), PERP_UNCERTIFIED);
    ck_assert(!solved);
    ck_assert_double_eq_tol(r.model_residual, sqrt(0.8) / sqrt(2), 1e-15);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_pyramid_model");
    TCase *t = tcase_create("fc3d_pyramid_model");
    tcase_add_test(t, one_contact_warm_is_lemke);
    tcase_add_test(t, both_residuals);
    tcase_add_test(t, no_model);
    tcase_add_test(t, refusal_from_a_solution);
    tcase_add_test(t, start);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    return support_run(s);
}
