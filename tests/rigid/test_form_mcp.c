/* tests/rigid/test_form_mcp.c: friction boxes and free joints against the other forms. */
#include "rigid_support.h"

START_TEST(without_joints_it_is_W)
{
    generator g = generator_start((uint64_t)_i + 1);
    perp_arena a = {0};
    scene c = random_scene(&g, &a, 4, 1 + _i, 0);
    perp_problem local, mcp;
    ck_assert_int_eq(perp_rigid_fc3d_local(&c.s, &a, &local, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_rigid_mcp(&c.s, &a, &mcp, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_validate(&mcp, NULL), PERP_SOLVED);
    const perp_mcp *m = &mcp.as.mcp;
    int n = 3 * c.s.contacts;
    ck_assert_int_eq(m->F.n, n);
    double *W = dense_of(&local.as.fc3d.W, &a), *A = dense_of(&m->F.M, &a);
    ck_assert_double_eq(difference(n * n, W, A), 0);
    ck_assert_double_eq(difference(n, local.as.fc3d.q, m->F.q), 0);
    for (int i = 0; i < n; i++) {
        ck_assert_int_eq(m->follows[i], i % 3 == 0 ? -1 : i / 3 * 3);
        ck_assert_double_eq(m->mu[i], i % 3 == 0 ? 0 : c.contact[i / 3].mu);
        ck_assert_double_eq(m->lo[i], i % 3 == 0 ? 0 : -INFINITY);
        ck_assert_double_eq(m->hi[i], INFINITY);
    }
    perp_arena_free(&a);
}
END_TEST

/* A block of mass 1 thrown along t1 and pushed down slides: r_t1 = -mu r_n; along t2 it sticks. */
START_TEST(sliding_block)
{
    perp_body b = perp_body_make(1, 1, 1, 1);
    perp_contact c = {.a = 0, .b = -1, .normal = {0, 0, 1}, .mu = 0.5};
    perp_rigid s = {.bodies = 1, .contacts = 1, .body = &b, .contact = &c, .dt = 1};
    perp_arena a = {0};
    perp_problem p;
    b.velocity[0] = 3;
    b.velocity[1] = 0.25;
    b.force[2] = -2;
    ck_assert_int_eq(perp_rigid_mcp(&s, &a, &p, NULL), PERP_SOLVED);
    const double z[3] = {2, -1, -0.25}, cone[3] = {2, -0.9, -0.4};
    ck_assert_double_le(certify(&p, z, PERP_SOLVED).value, 1e-15);
    ck_assert_double_gt(certify(&p, cone, PERP_SOLVED).value, 1e-2);
    perp_arena_free(&a);
}
END_TEST

/* With joints alone the problem is linear: solve it densely, and the body form agrees. */
START_TEST(joints_are_equations)
{
    generator g = generator_start((uint64_t)_i + 1);
    perp_arena a = {0};
    scene c = random_scene(&g, &a, 5, 0, 2);
    perp_problem mcp, body;
    c.body[0].position[0] += 0.01; /* something to close */
    ck_assert_int_eq(perp_rigid_mcp(&c.s, &a, &mcp, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_rigid_fc3d_body(&c.s, &a, &body, NULL), PERP_SOLVED);
    int n = mcp.as.mcp.F.n, m = body.as.fc3d.M.n;
    ck_assert_int_eq(n, body.as.fc3d.G.n);
    double *A = dense_of(&mcp.as.mcp.F.M, &a), *l = perp_alloc(&a, (size_t)n, sizeof *l);
    for (int i = 0; i < n; i++) l[i] = -mcp.as.mcp.F.q[i];
    eliminate(n, A, 1, l);
    if (plain_norm(n, l) > 1e3) { /* two welds of the same two bodies */
        perp_arena_free(&a);
        return;
    }
    ck_assert_double_le(certify(&mcp, l, PERP_SOLVED).value, 1e-11);
    double *v = perp_alloc(&a, 6 * 5, sizeof *v), *z = perp_alloc(&a, (size_t)(n + m), sizeof *z);
    ck_assert_int_eq(
        perp_rigid_velocities(&c.s, PERP_RIGID_FORM_MCP, &mcp, l, &a, v, NULL, z + m, NULL),
        PERP_SOLVED);
    for (int k = 0, at = 0; k < 5; k++) {
        if (c.body[k].kind != PERP_BODY_FREE) continue;
        memcpy(z + at, v + 6 * k, 6 * sizeof *v);
        at += 6;
    }
    ck_assert_double_le(certify(&body, z, PERP_SOLVED).value, 1e-11);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_mcp");
    TCase *c = tcase_create("mcp");
    tcase_add_loop_test(c, without_joints_it_is_W, 0, 20);
    tcase_add_test(c, sliding_block);
    tcase_add_loop_test(c, joints_are_equations, 0, 40);
    suite_add_tcase(s, c);
    return support_run(s);
}
