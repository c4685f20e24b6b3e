/* tests/rigid/test_form_inner_pyramid.c: the inner pyramid: directions, blocks, and how it nears
 * the cone. */
#include "rigid_support.h"

START_TEST(directions)
{
    for (int facets = 3; facets <= 130; facets++) {
        for (int h = 0; h < facets; h++) {
            double c[2], d[2], angle = 2 * acos(-1.0) * h / facets;
            perp_facet(facets, h, c);
            ck_assert_double_eq_tol(c[0], cos(angle), 2e-15);
            ck_assert_double_eq_tol(c[1], sin(angle), 2e-15);
            ck_assert(4 * h % facets != 0 || fabs(c[0]) + fabs(c[1]) == 1);
            if (facets % 2) continue;
            perp_facet(facets, (h + facets / 2) % facets, d);
            ck_assert(c[0] == -d[0] && c[1] == -d[1]);
        }
    }
}
END_TEST

/* One block of mass 1, contact below its centre of mass without an arm: W = I. */
START_TEST(block_by_hand)
{
    perp_body b = perp_body_make(1, 1, 1, 1);
    perp_contact c = {.a = 0, .b = -1, .normal = {0, 0, 1}, .mu = 0.5};
    perp_rigid s = {.bodies = 1, .contacts = 1, .body = &b, .contact = &c, .dt = 1};
    perp_arena a = {0};
    perp_problem p;
    perp_result res;
    double z[6], v[6], r[3];
    b.velocity[0] = 3;
    b.force[2] = -2;
    ck_assert_int_eq(perp_rigid_lcp_facets(&s, 4, &a, &p, NULL), PERP_SOLVED);
    const double M[36] = {1, 0,  -1, 0, 0, -1, 0, 1, 0, -1, 0, -1,  -1, 0, 1, 0, 0, -1,
                          0, -1, 0,  1, 0, -1, 0, 0, 0, 0,  1, 0.5, 1,  1, 1, 1, 0, 0};
    const double q[6] = {3, 0, -3, 0, -2, 0};
    ck_assert_double_eq(difference(36, dense_of(&p.as.lcp.M, &a), M), 0);
    ck_assert_double_eq(difference(6, p.as.lcp.q, q), 0);
    /* f = 2, friction 1 against t1, that is along -t1, sliding on with 2 */
    const double solution[6] = {0, 0, 1, 0, 2, 2};
    ck_assert_double_eq(certify(&p, solution, PERP_SOLVED).value, 0);
    ck_assert_int_eq(solve_checked(&p, perp_find("lcp/lemke"), z, NULL, &res), PERP_SOLVED);
    ck_assert_int_eq(
        perp_rigid_velocities(&s, PERP_RIGID_FORM_LCP_FACETS, &p, z, &a, v, r, NULL, NULL),
        PERP_SOLVED);
    const double impulse[3] = {2, -1, 0}, after[6] = {2, 0, 0, 0, 0, 0};
    ck_assert_double_le(difference(3, r, impulse), 1e-14);
    ck_assert_double_le(difference(6, v, after), 1e-14);
    perp_arena_free(&a);
}
END_TEST

START_TEST(blocks_of_W)
{
    generator g = generator_start((uint64_t)_i + 1);
    perp_arena a = {0};
    int eta = 4 + 2 * (_i % 5);
    scene c = random_scene(&g, &a, 4, 1 + _i % 7, 0);
    perp_problem local, lcp;
    ck_assert_int_eq(perp_rigid_fc3d_local(&c.s, &a, &local, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_rigid_lcp_facets(&c.s, eta, &a, &lcp, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_validate(&lcp, NULL), PERP_SOLVED);
    int K = c.s.contacts, n = lcp.as.lcp.n, m = 3 * K;
    ck_assert_int_eq(n, (eta + 2) * K);
    const struct perp_csc_view *v = &lcp.as.lcp.M.as.csc;
    ck_assert(ascending(n, v->p, v->i));
    double *W = dense_of(&local.as.fc3d.W, &a), *M = dense_of(&lcp.as.lcp.M, &a);
    /* T = [D N] in the frames, 3K x (eta + 1) K */
    double *T = perp_alloc(&a, (size_t)(m * n), sizeof *T);
    for (int k = 0; k < K; k++) {
        for (int h = 0; h < eta; h++) perp_facet(eta, h, T + (eta * k + h) * m + 3 * k + 1);
        T[(eta * K + k) * m + 3 * k] = 1;
    }
    int t = (eta + 1) * K;
    double *WT = inner(m, m, W, t, T, &a), *TWT = inner(m, t, T, t, WT, &a);
    double *q = inner(m, t, T, 1, local.as.fc3d.q, &a);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            double expected = 0;
            if (i < t && j < t) expected = TWT[j * t + i];
            if (i < eta * K && j >= t) expected = i / eta == j - t;
            if (i >= t && j < eta * K) expected = i - t == j / eta ? -1 : 0;
            if (i >= t && j >= eta * K && j < t)
                expected = i - t == j - eta * K ? c.contact[i - t].mu : 0;
            ck_assert_double_eq_tol(M[j * n + i], expected, 1e-13);
        }
        ck_assert_double_eq_tol(lcp.as.lcp.q[j], j < t ? q[j] : 0, 1e-14);
    }
    perp_arena_free(&a);
}
END_TEST

/* The more facets, the smaller the residual on the exact cone. */
START_TEST(nears_the_cone)
{
    generator g = generator_start((uint64_t)_i + 1);
    perp_arena a = {0};
    scene c = random_scene(&g, &a, 3, 2, 0);
    c.s.rule = PERP_RULE_IMPACT;
    perp_problem local, lcp;
    perp_result res;
    ck_assert_int_eq(perp_rigid_fc3d_local(&c.s, &a, &local, NULL), PERP_SOLVED);
    for (int eta = 8; eta <= 128; eta *= 4) {
        double *z = perp_alloc(&a, 2 * (size_t)(eta + 2), sizeof *z), v[18], r[6];
        ck_assert_int_eq(perp_rigid_lcp_facets(&c.s, eta, &a, &lcp, NULL), PERP_SOLVED);
        ck_assert_int_eq(solve_checked(&lcp, perp_find("lcp/lemke"), z, NULL, &res), PERP_SOLVED);
        ck_assert_int_eq(
            perp_rigid_velocities(&c.s, PERP_RIGID_FORM_LCP_FACETS, &lcp, z, &a, v, r, NULL, NULL),
            PERP_SOLVED);
        ck_assert_double_le(certify(&local, r, PERP_SOLVED).value, 10.0 / eta);
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(refusals)
{
    perp_body b[2];
    perp_contact c[2];
    perp_rigid s;
    perp_arena a = {0};
    perp_problem p;
    perp_error e;
    const int bad[] = {-4, 0, 2, 3, 5, INT_MAX, INT_MAX - 1, INT_MIN};
    make_spheres(b, c, &s);
    for (int k = 0; k < 8; k++) {
        ck_assert_int_eq(perp_rigid_lcp_facets(&s, bad[k], &a, &p, &e), PERP_E_ARGUMENT);
        ck_assert_ptr_nonnull(strstr(e.text, "facets"));
        ck_assert_ptr_nonnull(strstr(e.text, "an even number, 4 at least"));
    }
    ck_assert_int_eq(perp_rigid_lcp_facets(&s, 100000, &a, &p, &e), PERP_E_FORMAT);
    ck_assert_ptr_nonnull(strstr(e.text, "too many"));
    const double point[3] = {0};
    perp_joint joint = perp_joint_make(PERP_JOINT_BALL, b, 2, 0, 1, point, NULL);
    s.joints = 1;
    s.joint = &joint;
    ck_assert_int_eq(perp_rigid_lcp_facets(&s, 4, &a, &p, &e), PERP_E_FORMAT);
    ck_assert_ptr_nonnull(strstr(e.text, "perp_rigid_mcp_facets"));
    ck_assert_uint_eq(a.used, 0);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_facets");
    TCase *c = tcase_create("facets");
    tcase_add_test(c, directions);
    tcase_add_test(c, block_by_hand);
    tcase_add_loop_test(c, blocks_of_W, 0, 20);
    tcase_add_loop_test(c, nears_the_cone, 0, 20);
    tcase_add_test(c, refusals);
    suite_add_tcase(s, c);
    return support_run(s);
}
