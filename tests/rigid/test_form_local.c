/* tests/rigid/test_form_local.c: W and q by hand, and against H'M^-1 H of the body form. */
#include "rigid_support.h"

/* Two spheres of mass 2, radius 1, inertia 0.8, one on the other on the floor. */
START_TEST(spheres_by_hand)
{
    perp_body b[2];
    perp_contact c[2];
    perp_rigid s;
    perp_arena a = {0};
    perp_problem p;
    make_spheres(b, c, &s);
    b[0].force[2] = b[1].force[2] = -8; /* v_free = -2 along z */
    ck_assert_int_eq(perp_rigid_fc3d_local(&s, &a, &p, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_validate(&p, NULL), PERP_SOLVED);
    ck_assert_int_eq(p.as.fc3d.contacts, 2);
    /* tangential: 1/m + r^2/I = 0.5 + 1.25; the spins of the lower one couple with the other sign:
     * -0.5 + 1.25 */
    const double W[36] = {0.5,  0, 0, -0.5, 0, 0, 0, 1.75, 0, 0, 0.75, 0, 0, 0, 1.75, 0, 0, 0.75,
                          -0.5, 0, 0, 1,    0, 0, 0, 0.75, 0, 0, 3.5,  0, 0, 0, 0.75, 0, 0, 3.5};
    const double q[6] = {-2, 0, 0, 0, 0, 0};
    ck_assert_double_le(difference(36, dense_of(&p.as.fc3d.W, &a), W), 1e-15);
    ck_assert_double_le(difference(6, p.as.fc3d.q, q), 1e-15);
    ck_assert(p.as.fc3d.mu[0] == 0.5 && p.as.fc3d.mu[1] == 0.5);
    /* at rest r_n = 8 at the floor and 4 above, and u = 0 */
    const double r[6] = {8, 0, 0, 4, 0, 0};
    ck_assert_double_le(certify(&p, r, PERP_SOLVED).value, 1e-15);
    perp_arena_free(&a);
}
END_TEST

START_TEST(against_the_body_form)
{
    generator g = generator_start((uint64_t)_i + 1);
    perp_arena a = {0};
    scene c = random_scene(&g, &a, 2 + _i % 7, 1 + _i % 12, 0);
    perp_problem local, body;
    ck_assert_int_eq(perp_rigid_fc3d_local(&c.s, &a, &local, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_rigid_fc3d_body(&c.s, &a, &body, NULL), PERP_SOLVED);
    const perp_fc3d *l = &local.as.fc3d, *f = &body.as.fc3d;
    int n = 3 * l->contacts, m = f->M.n;
    double *H = dense_of(&f->H, &a), *X = dense_of(&f->H, &a), *M = dense_of(&f->M, &a);
    eliminate(m, M, n, X);
    double *W = inner(m, n, H, n, X, &a), *q = inner(m, n, X, 1, f->f, &a);
    for (int i = 0; i < n; i++) q[i] += f->w[i];
    double *D = dense_of(&l->W, &a);
    ck_assert_double_le(difference(n * n, D, W), 1e-14 * plain_norm(n * n, W));
    ck_assert_double_le(difference(n, l->q, q), 1e-14 * (1 + plain_norm(n, q)));
    ck_assert(ascending(l->contacts, l->W.as.bsr3.p, l->W.as.bsr3.j));
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) ck_assert(D[j * n + i] == D[i * n + j]);
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
    size_t used = a.used;
    ck_assert_int_eq(perp_rigid_fc3d_local(&c.s, &a, &p, &e), PERP_E_FORMAT);
    ck_assert_ptr_nonnull(strstr(e.text, "joint 0"));
    ck_assert_ptr_nonnull(strstr(e.text, "perp_rigid_fc3d_body"));
    ck_assert_uint_eq(a.used, used);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_local");
    TCase *c = tcase_create("local");
    tcase_add_test(c, spheres_by_hand);
    tcase_add_loop_test(c, against_the_body_form, 0, 100);
    tcase_add_test(c, joints_are_refused);
    suite_add_tcase(s, c);
    return support_run(s);
}
