/* tests/fc3d/test_cpg.c: conjugate projected gradients on the cone. */
#include "fc3d_support.h"

/* Without friction and with all contacts closed it is conjugate gradients: n steps at most. */
START_TEST(conjugate_gradients)
{
    enum { K = 5, N = 3 * K };
    generator g = generator_start(7);
    double W[N * N] = {0}, q[N] = {0}, mu[K] = {0}, z[N];
    double A[K][K];
    for (int i = 0; i < K * K; i++) A[i / K][i % K] = generator_unit(&g);
    for (int i = 0; i < N; i++) W[i * N + i] = 1;
    for (int i = 0; i < K * K; i++) {
        double sum = i / K == i % K;
        for (int k = 0; k < K; k++) sum += A[i / K][k] * A[i % K][k];
        W[3 * (i / K) * N + 3 * (i % K)] = sum;
    }
    double e[N] = {0};
    for (int i = 0; i < K; i++) e[3 * i] = 1 + i; /* the answer, all positive */
    perp_matrix M = perp_dense(N, N, W);
    perp_mul(&M, -1, e, 0, q);
    perp_problem p = perp_make_fc3d(K, M, q, mu);
    perp_fc3d_cpg_options o = perp_fc3d_cpg_defaults();
    perp_result r;
    o.base.tol = 1e-9;
    for (int format = 0; format < 4; format++) {
        perp_arena a = {0};
        p.as.fc3d.W = in_format(format, &M, &a);
        ck_assert_msg(solve_checked(&p, &o.base, z, NULL, &r) == PERP_SOLVED, "%s", r.detail);
        ck_assert_int_le(r.iterations, 3 * K);
        for (int i = 0; i < N; i++) ck_assert_double_eq_tol(z[i], e[i], 1e-6);
        perp_arena_free(&a);
    }
}
END_TEST

/* One sphere that slides: r = (1, -0.3, -0.4). */
START_TEST(slides)
{
    const double W[9] = {1, 0, 0, 0, 2, 0, 0, 0, 2}, q[3] = {-1, 3, 4}, mu[1] = {0.5};
    perp_problem p = perp_make_fc3d(1, perp_dense(3, 3, W), q, mu);
    perp_fc3d_cpg_options o = perp_fc3d_cpg_defaults();
    perp_result r;
    double z[3];
    o.base.tol = 1e-10;
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_SOLVED);
    ck_assert(fabs(z[0] - 1) < 1e-9 && fabs(z[1] + 0.3) < 1e-9 && fabs(z[2] + 0.4) < 1e-9);
}
END_TEST

/* Honest on all, and right on most of the known ones. */
/* A start that holds a contact which opens leaves no direction, but an end. */
START_TEST(lets_go_of_a_warm_start)
{
    const double W[9] = {2, 0, 0, 0, 7, 0, 0, 0, 7}, mu[1] = {0.5};
    for (int k = 0; k < 2; k++) {
        double z[3] = {5, k, 0}, q[3] = {k ? 3 : 0, 0, 0};
        perp_problem p = perp_make_fc3d(1, perp_dense(3, 3, W), q, mu);
        perp_fc3d_cpg_options o = perp_fc3d_cpg_defaults();
        o.base.warm_start = true;
        perp_result r;
        ck_assert_msg(solve_checked(&p, &o.base, z, NULL, &r) == PERP_SOLVED, "%s", r.detail);
        ck_assert_double_le(fabs(z[0]), 1e-4);
    }
}
END_TEST

START_TEST(families)
{
    static const char *const names[] = {"fc3d_known", "fc3d_edge", "fc3d_body_known"};
    int solved = 0;
    for (int k = 0; k < 30; k++) {
        perp_arena a = {0};
        perp_result r;
        perp_fc3d_cpg_options o = perp_fc3d_cpg_defaults();
        generated_problem g = fc3d_generate(names[k % 3], NULL, 8, (uint64_t)k + 1, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        perp_status status = solve_checked(&g.p, &o.base, z, NULL, &r);
        ck_assert_msg(status >= 0, "%s", r.detail);
        ck_assert_int_eq(status == PERP_SOLVED, r.residual.value <= o.base.tol);
        solved += status == PERP_SOLVED;
        perp_arena_free(&a);
    }
    ck_assert_int_ge(solved, 15);
}
END_TEST

/* Where p.Wp vanishes it says so: W = 0 gives no direction a length. */
START_TEST(no_curvature)
{
    static const double W[9];
    const double q[3] = {-1, 0, 0}, mu[1] = {0.5};
    perp_problem p = perp_make_fc3d(1, perp_dense(3, 3, W), q, mu);
    perp_fc3d_cpg_options o = perp_fc3d_cpg_defaults();
    perp_result r;
    double z[3];
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_STALLED);
    ck_assert_msg(strstr(r.detail, "p'W p"), "%s", r.detail);
}
END_TEST

/* Two coupled contacts without friction. With beta's sign mended the published method ends after as
 * many steps as unknowns; as printed, directions are not conjugate and it needs more; where p.Wp
 * counts as vanished early, it stops early, and says so. */
START_TEST(as_published)
{
    const double W[36] = {2, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
                          1, 0, 0, 3, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};
    const double q[6] = {-3, 0, 0, -5, 0, 0}, mu[2] = {0, 0};
    perp_problem p = perp_make_fc3d(2, perp_dense(6, 6, W), q, mu);
    int iterations[3];
    for (int k = 0; k < 3; k++) {
        perp_fc3d_cpg_options o = perp_fc3d_cpg_defaults();
        perp_result r;
        double z[6];
        o.base.tol = 1e-10;
        o.variant = k == 0 ? PERP_CPG_VARIANT_PUBLISHED : PERP_CPG_VARIANT_PRINTED;
        o.vanishing = k == 2 ? 1e-3 : 0;
        perp_status status = solve_checked(&p, &o.base, z, NULL, &r);
        ck_assert_msg(status == (k == 2 ? PERP_STALLED : PERP_SOLVED), "%d: %s", k, r.detail);
        iterations[k] = r.iterations;
        if (k < 2) ck_assert(fabs(z[0] - 0.8) < 1e-8 && fabs(z[3] - 1.4) < 1e-8);
        if (k == 2) ck_assert_msg(strstr(r.detail, "p'W p"), "%s", r.detail);
    }
    ck_assert_int_eq(iterations[0], 2);
    ck_assert_int_gt(iterations[1], 2);
    ck_assert_int_lt(iterations[2], iterations[1]);
}
END_TEST

/* The tangent cone at the rim: a contact that slides keeps to it, one that sticks leaves it. */
START_TEST(published_with_friction)
{
    const double W[9] = {1, 0, 0, 0, 2, 0, 0, 0, 2}, mu[1] = {0.5};
    const double q[2][3] = {{-1, 3, 4}, {-1, 0.3, 0.4}};
    const double wanted[2][3] = {{1, -0.3, -0.4}, {1, -0.15, -0.2}};
    for (int k = 0; k < 2; k++) {
        perp_problem p = perp_make_fc3d(1, perp_dense(3, 3, W), q[k], mu);
        perp_fc3d_cpg_options o = perp_fc3d_cpg_defaults();
        perp_result r;
        double z[3];
        o.variant = PERP_CPG_VARIANT_PUBLISHED;
        o.base.tol = 1e-10;
        ck_assert_msg(solve_checked(&p, &o.base, z, NULL, &r) == PERP_SOLVED, "%s", r.detail);
        for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(z[i], wanted[k][i], 1e-8);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_cpg");
    TCase *t = tcase_create("fc3d_cpg");
    tcase_add_test(t, conjugate_gradients);
    tcase_add_test(t, slides);
    tcase_add_test(t, lets_go_of_a_warm_start);
    tcase_add_test(t, families);
    tcase_add_test(t, no_curvature);
    tcase_add_test(t, as_published);
    tcase_add_test(t, published_with_friction);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    return support_run(s);
}
