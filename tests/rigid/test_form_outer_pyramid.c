/* tests/rigid/test_form_outer_pyramid.c: the outer pyramid as an MCP, by hand and block by block.
 */
#include "rigid_support.h"

/* A block of mass 1 with W = I, thrown along t1, sliding on with 2 under a normal impulse of 2. */
START_TEST(block_by_hand)
{
    perp_body b = perp_body_make(1, 1, 1, 1);
    perp_contact c = {.a = 0, .b = -1, .normal = {0, 0, 1}, .mu = 0.5};
    perp_rigid s = {.bodies = 1, .contacts = 1, .body = &b, .contact = &c, .dt = 1};
    perp_arena a = {0};
    perp_problem p;
    double v[6], r[3];
    b.velocity[0] = 3;
    b.force[2] = -2;
    ck_assert_int_eq(perp_rigid_mcp_facets(&s, 4, &a, &p, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_validate(&p, NULL), PERP_SOLVED);
    const double z[7] = {2, -1, 0, 0, 0, 2, 0}, after[6] = {2, 0, 0, 0, 0, 0};
    ck_assert_double_eq(certify(&p, z, PERP_SOLVED).value, 0);
    ck_assert_int_eq(
        perp_rigid_velocities(&s, PERP_RIGID_FORM_MCP_FACETS, &p, z, &a, v, r, NULL, NULL),
        PERP_SOLVED);
    ck_assert_double_eq(difference(6, v, after), 0);
    ck_assert_double_eq(difference(3, r, z), 0);
    const double other[7] = {2, -1, 0.1, 0, 0, 2, 0};
    ck_assert_double_gt(certify(&p, other, PERP_SOLVED).value, 1e-2);
    perp_arena_free(&a);
}
END_TEST

START_TEST(bordered_matrix)
{
    generator g = generator_start((uint64_t)_i + 1);
    perp_arena a = {0};
    int eta = 3 + _i % 6;
    scene c = random_scene(&g, &a, 4, 1 + _i % 5, _i % 3);
    perp_problem box, outer;
    ck_assert_int_eq(perp_rigid_mcp(&c.s, &a, &box, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_rigid_mcp_facets(&c.s, eta, &a, &outer, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_validate(&outer, NULL), PERP_SOLVED);
    const perp_mcp *o = &outer.as.mcp;
    int m = box.as.mcp.F.n, n = o->F.n;
    ck_assert_int_eq(n, m + eta * c.s.contacts);
    ck_assert(ascending(n, o->F.M.as.csc.p, o->F.M.as.csc.i));
    double *A = dense_of(&box.as.mcp.F.M, &a), *M = dense_of(&o->F.M, &a);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            double expected = 0, d[2];
            int row = j < m ? i : j, column = j < m ? j : i; /* of B, or of C turned over */
            if (i < m && j < m) expected = A[j * m + i];
            if ((i < m) != (j < m) && column < 3 * c.s.contacts && (row - m) / eta == column / 3) {
                perp_facet(eta, (row - m) % eta, d);
                if (column % 3 > 0) expected = (j < m ? -1 : 1) * d[column % 3 - 1];
                if (column % 3 == 0 && j < m) expected = c.contact[column / 3].mu;
            }
            ck_assert_double_eq(M[j * n + i], expected);
        }
        bool bounded = j >= m || (j < 3 * c.s.contacts && j % 3 == 0);
        ck_assert_double_eq(o->lo[j], bounded ? 0 : -INFINITY);
        ck_assert_double_eq(o->F.q[j], j < m ? box.as.mcp.F.q[j] : 0);
    }
    ck_assert(!o->hi && !o->follows);
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
    const int bad[] = {-4, 0, 2, INT_MAX, INT_MIN};
    make_spheres(b, c, &s);
    for (int k = 0; k < 5; k++) {
        ck_assert_int_eq(perp_rigid_mcp_facets(&s, bad[k], &a, &p, &e), PERP_E_ARGUMENT);
        ck_assert_ptr_nonnull(strstr(e.text, "facets"));
    }
    ck_assert_int_eq(perp_rigid_mcp_facets(&s, INT_MAX / 9, &a, &p, &e), PERP_E_FORMAT);
    ck_assert_ptr_nonnull(strstr(e.text, "too many"));
    ck_assert_uint_eq(a.used, 0);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_outer");
    TCase *c = tcase_create("outer");
    tcase_add_test(c, block_by_hand);
    tcase_add_loop_test(c, bordered_matrix, 0, 20);
    tcase_add_test(c, refusals);
    suite_add_tcase(s, c);
    return support_run(s);
}
