/* tests/rigid/test_form_body.c: M, H, G and right-hand sides by hand; the size stays linear. */
#include "rigid_support.h"

#include <stdio.h>
#include <time.h>

START_TEST(spheres_by_hand)
{
    perp_body b[2];
    perp_contact c[2];
    perp_rigid s;
    perp_arena a = {0};
    perp_problem p;
    make_spheres(b, c, &s);
    s.contact = c + 1; /* the contact between them alone, seen from below */
    s.contacts = 1;
    c[1].a = 0;
    c[1].b = 1;
    c[1].normal[2] = -1;
    b[0].velocity[2] = 1;
    b[0].force[2] = -8;
    b[1].torque[0] = 2;
    c[1].restitution = 0.5;
    ck_assert_int_eq(perp_rigid_fc3d_body(&s, &a, &p, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_validate(&p, NULL), PERP_SOLVED);
    const perp_fc3d *f = &p.as.fc3d;
    double *M = dense_of(&f->M, &a), *H = dense_of(&f->H, &a);
    for (int j = 0; j < 12; j++) {
        for (int i = 0; i < 12; i++)
            ck_assert_double_eq_tol(M[12 * j + i], i != j ? 0 : j % 6 < 3 ? 2 : 0.8, 1e-16);
    }
    /* n = -z, t1 = x, t2 = -y; arms (0, 0, 1) on a and (0, 0, -1) on b */
    const double columns[36] = {0,  0, -1, 0, 0, 0, 0, 0,  1, 0, 0, 0, 1, 0, 0, 0, 1, 0,
                                -1, 0, 0,  0, 1, 0, 0, -1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0};
    ck_assert_double_eq(difference(36, H, columns), 0);
    const double force[12] = {0, 0, 2 - 4, 0, 0, 0, 0, 0, 0, 1, 0, 0}, w[3] = {-0.5, 0, 0};
    ck_assert_double_le(difference(12, f->f, force), 1e-15);
    ck_assert_double_eq(difference(3, f->w, w), 0);
    ck_assert_int_eq(f->G.format, PERP_FORMAT_ABSENT);
    perp_arena_free(&a);
}
END_TEST

/* A rod of mass 3 held by a hinge about y at its end, 2 from its centre: gravity g turns it with
 * g r / (r^2 + I/m), and the solution certifies. */
START_TEST(pendulum_by_hand)
{
    const double point[3] = {0, 0, 0}, y[3] = {0, 1, 0};
    perp_body b = perp_body_make(3, 1, 6, 6);
    b.position[0] = 2;
    b.force[2] = -3 * 10;
    perp_joint joint = perp_joint_make(PERP_JOINT_HINGE, &b, 1, 0, -1, point, y);
    perp_rigid s = {.bodies = 1, .joints = 1, .body = &b, .joint = &joint, .dt = 0.5};
    perp_arena a = {0};
    perp_problem p;
    ck_assert_int_eq(perp_rigid_fc3d_body(&s, &a, &p, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_validate(&p, NULL), PERP_SOLVED);
    ck_assert_int_eq(p.as.fc3d.G.n, 5);
    ck_assert_int_eq(perp_size(&p), 11);
    double spin = 0.5 * 10 * 2 / (4 + 2.0); /* about y, downwards */
    double z[11] = {0, 0, -2 * spin, 0, spin, 0, 0, 0, 15 - 6 * spin, 0, 0};
    ck_assert_double_le(certify(&p, z, PERP_SOLVED).value, 1e-15);
    z[4] += 1e-6;
    ck_assert_double_gt(certify(&p, z, PERP_SOLVED).value, 1e-8);
    perp_arena_free(&a);
}
END_TEST

START_TEST(columns_are_sorted)
{
    generator g = generator_start((uint64_t)_i + 1);
    perp_arena a = {0};
    scene c = random_scene(&g, &a, 6, 20, 4);
    perp_problem p;
    ck_assert_int_eq(perp_rigid_fc3d_body(&c.s, &a, &p, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_validate(&p, NULL), PERP_SOLVED);
    const perp_fc3d *f = &p.as.fc3d;
    ck_assert(ascending(f->M.n, f->M.as.csc.p, f->M.as.csc.i));
    ck_assert(ascending(f->H.n, f->H.as.csc.p, f->H.as.csc.i));
    ck_assert(ascending(f->G.n, f->G.as.csc.p, f->G.as.csc.i));
    ck_assert_int_eq(f->G.n, perp_rigid_joint_rows(&c.s));
    perp_arena_free(&a);
}
END_TEST

/* 100,000 contacts. The time is printed; the limit is loose, for slow builds with checks. */
START_TEST(many_contacts)
{
    enum { N = 100000 };
    generator g = generator_start(1);
    perp_arena a = {0}, b = {0};
    scene c = random_scene(&g, &a, N / 3, N, 0);
    perp_problem p;
    clock_t start = clock();
    ck_assert_int_eq(perp_rigid_fc3d_body(&c.s, &b, &p, NULL), PERP_SOLVED);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("%d contacts in body form: %.3f s\n", N, seconds);
    ck_assert_double_lt(seconds, 5);
    ck_assert_int_eq(p.as.fc3d.H.n, 3 * N);
    ck_assert_uint_lt(b.used, (size_t)N * 1000);
    perp_arena_free(&a);
    perp_arena_free(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_body_form");
    TCase *c = tcase_create("body_form");
    tcase_add_test(c, spheres_by_hand);
    tcase_add_test(c, pendulum_by_hand);
    tcase_add_loop_test(c, columns_are_sorted, 0, 10);
    tcase_add_test(c, many_contacts);
    suite_add_tcase(s, c);
    return support_run(s);
}
