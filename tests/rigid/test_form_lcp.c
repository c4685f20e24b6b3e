/* tests/rigid/test_form_lcp.c: the normal part of W; two spheres by hand. */
#include "rigid_support.h"

START_TEST(spheres_by_hand)
{
    perp_body b[2];
    perp_contact c[2];
    perp_rigid s;
    perp_arena a = {0};
    perp_problem p;
    perp_result res;
    double z[2], v[12];
    make_spheres(b, c, &s);
    b[1].velocity[2] = -1; /* an impact from above, e = 0 below and 1 above; no forces */
    c[1].restitution = 1;
    ck_assert_int_eq(perp_rigid_lcp(&s, &a, &p, NULL), PERP_SOLVED);
    const double M[4] = {0.5, -0.5, -0.5, 1}, q[2] = {0, -1 - 1};
    ck_assert_double_le(difference(4, dense_of(&p.as.lcp.M, &a), M), 1e-15);
    ck_assert_double_eq(difference(2, p.as.lcp.q, q), 0);
    ck_assert_int_eq(solve_checked(&p, perp_find("lcp/lemke"), z, NULL, &res), PERP_SOLVED);
    const double r[2] = {4, 4}; /* M r + q = 0: the upper one leaves as it came */
    ck_assert_double_le(difference(2, z, r), 1e-14);
    ck_assert_int_eq(perp_rigid_velocities(&s, PERP_RIGID_FORM_LCP, &p, z, &a, v, NULL, NULL, NULL),
                     PERP_SOLVED);
    const double after[12] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
    ck_assert_double_le(difference(12, v, after), 1e-14);
    perp_arena_free(&a);
}
END_TEST

START_TEST(normal_part_of_W)
{
    generator g = generator_start((uint64_t)_i + 1);
    perp_arena a = {0};
    scene c = random_scene(&g, &a, 5, 1 + _i, 0);
    perp_problem local, lcp;
    ck_assert_int_eq(perp_rigid_fc3d_local(&c.s, &a, &local, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_rigid_lcp(&c.s, &a, &lcp, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_validate(&lcp, NULL), PERP_SOLVED);
    int n = c.s.contacts;
    double *W = dense_of(&local.as.fc3d.W, &a), *M = dense_of(&lcp.as.lcp.M, &a);
    for (int j = 0; j < n; j++) {
        ck_assert_double_eq(lcp.as.lcp.q[j], local.as.fc3d.q[3 * j]);
        for (int i = 0; i < n; i++) ck_assert_double_eq(M[j * n + i], W[9 * n * j + 3 * i]);
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(joints_are_refused)
{
    generator g = generator_start(1);
    perp_arena a = {0};
    perp_problem p;
    perp_error e;
    scene c = random_scene(&g, &a, 3, 3, 1);
    ck_assert_int_eq(perp_rigid_lcp(&c.s, &a, &p, &e), PERP_E_FORMAT);
    ck_assert_ptr_nonnull(strstr(e.text, "perp_rigid_mcp"));
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_lcp");
    TCase *c = tcase_create("lcp");
    tcase_add_test(c, spheres_by_hand);
    tcase_add_loop_test(c, normal_part_of_W, 0, 20);
    tcase_add_test(c, joints_are_refused);
    suite_add_tcase(s, c);
    return support_run(s);
}
