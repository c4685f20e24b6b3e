/* tests/rigid/test_form_nnls.c: Gauss' principle by hand, on velocities and on accelerations. */
#include "rigid_support.h"

/* x of the least-distance form that stands for impulses: x = impulses s^2 / (s^2 + d'impulses). */
static void to_nnls(const perp_nnls *p, const double *impulse, double *x)
{
    const struct perp_csc_view *A = &p->A.as.csc;
    double s = p->b[p->A.m - 1], work = 0;
    for (int j = 0; j < p->A.n; j++) work += s * A->x[A->p[j + 1] - 1] * impulse[j];
    for (int j = 0; j < p->A.n; j++) x[j] = impulse[j] * s * s / (s * s + work);
}

/* A particle on a slope of 3:4 falls along it: of g = (0, 0, -10) the part along (4, 0, -3)/5. */
START_TEST(particle_on_a_slope)
{
    perp_body b = perp_body_make(2, 1, 1, 1);
    perp_contact c = {.a = 0, .b = -1, .normal = {0.6, 0, 0.8}};
    perp_rigid s = {.bodies = 1, .contacts = 1, .body = &b, .contact = &c, .dt = 0.5};
    perp_arena a = {0};
    perp_problem p;
    b.force[2] = -20;
    const double impulse[1] = {16}, expected[6] = {4.8, 0, -3.6, 0, 0, 0};
    double x[1], v[6], r[3];
    ck_assert_int_eq(perp_rigid_nnls(&s, PERP_MOTION_ACCELERATIONS, &a, &p, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_validate(&p, NULL), PERP_SOLVED);
    ck_assert(p.as.nnls.A.m == 7 && p.as.nnls.A.n == 1 && !p.as.nnls.is_free);
    to_nnls(&p.as.nnls, impulse, x);
    ck_assert_double_le(certify(&p, x, PERP_SOLVED).value, 1e-15);
    ck_assert_int_eq(
        perp_rigid_velocities(&s, PERP_RIGID_FORM_NNLS_ACCELERATIONS, &p, x, &a, v, r, NULL, NULL),
        PERP_SOLVED);
    ck_assert_double_le(difference(6, v, expected), 1e-14);
    ck_assert_double_eq_tol(r[0], 16, 1e-13);
    /* the same as velocities, half a second later */
    ck_assert_int_eq(perp_rigid_nnls(&s, PERP_MOTION_VELOCITIES, &a, &p, NULL), PERP_SOLVED);
    const double half[1] = {8};
    to_nnls(&p.as.nnls, half, x);
    ck_assert_double_le(certify(&p, x, PERP_SOLVED).value, 1e-15);
    ck_assert_int_eq(
        perp_rigid_velocities(&s, PERP_RIGID_FORM_NNLS_VELOCITIES, &p, x, &a, v, r, NULL, NULL),
        PERP_SOLVED);
    for (int i = 0; i < 6; i++) ck_assert_double_eq_tol(2 * v[i], expected[i], 1e-14);
    perp_arena_free(&a);
}
END_TEST

/* A particle moves with v along x over a plane that turns with w about y: their distance is
 * v t sin(w t) + a t^2 cos(w t) / 2, so that a >= -2 v w. */
START_TEST(normal_that_turns)
{
    const double speed = 2, turn = 1.5;
    perp_body b[2] = {perp_body_make(1, 1, 1, 1), perp_body_make(1, 1, 1, 1)};
    perp_contact c = {.a = 0, .b = 1, .normal = {0, 0, 1}, .dn = {turn, 0, 0}};
    perp_rigid s = {.bodies = 2, .contacts = 1, .body = b, .contact = &c, .dt = 1};
    perp_arena a = {0};
    perp_problem p;
    double x[1], v[12];
    b[0].velocity[0] = speed;
    b[0].force[2] = -10;
    b[1].kind = PERP_BODY_DRIVEN;
    b[1].spin[1] = turn;
    ck_assert_int_eq(perp_rigid_nnls(&s, PERP_MOTION_ACCELERATIONS, &a, &p, NULL), PERP_SOLVED);
    const double impulse[1] = {10 - 2 * speed * turn};
    to_nnls(&p.as.nnls, impulse, x);
    ck_assert_double_le(certify(&p, x, PERP_SOLVED).value, 1e-15);
    ck_assert_int_eq(perp_rigid_velocities(&s, PERP_RIGID_FORM_NNLS_ACCELERATIONS, &p, x, &a, v,
                                           NULL, NULL, NULL),
                     PERP_SOLVED);
    ck_assert_double_eq_tol(v[2], -2 * speed * turn, 1e-14);
    for (int i = 6; i < 12; i++) ck_assert_double_eq(v[i], 0); /* what is driven keeps its spin */
    perp_arena_free(&a);
}
END_TEST

/* A body on a ball joint, 2 from the joint, turning with 3: its centre accelerates with 18. */
START_TEST(joints_are_free)
{
    const double point[3] = {0};
    perp_body b = perp_body_make(5, 1, 1, 1);
    b.position[0] = 2;
    b.spin[2] = 3;
    b.velocity[1] = 6;
    perp_joint joint = perp_joint_make(PERP_JOINT_BALL, &b, 1, 0, -1, point, NULL);
    perp_rigid s = {.bodies = 1, .joints = 1, .body = &b, .joint = &joint, .dt = 1};
    perp_arena a = {0};
    perp_problem p;
    double x[3], v[6], l[3];
    const double force[3] = {-90, 0, 0}, expected[6] = {-18, 0, 0, 0, 0, 0};
    ck_assert_int_eq(perp_rigid_nnls(&s, PERP_MOTION_ACCELERATIONS, &a, &p, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_validate(&p, NULL), PERP_SOLVED);
    for (int j = 0; j < 3; j++) ck_assert(p.as.nnls.is_free[j]);
    to_nnls(&p.as.nnls, force, x);
    ck_assert_double_le(certify(&p, x, PERP_SOLVED).value, 1e-15);
    ck_assert_int_eq(
        perp_rigid_velocities(&s, PERP_RIGID_FORM_NNLS_ACCELERATIONS, &p, x, &a, v, NULL, l, NULL),
        PERP_SOLVED);
    ck_assert_double_le(difference(6, v, expected), 1e-13);
    ck_assert_double_le(difference(3, l, force), 1e-12);
    perp_arena_free(&a);
}
END_TEST

/* Two floors close in on a particle: there is no motion, the nearest point is b, and it is said. */
START_TEST(impossible_motion)
{
    perp_body b = perp_body_make(1, 1, 1, 1);
    perp_contact c[2] = {{.a = 0, .b = -1, .normal = {0, 0, 1}, .gap = -1},
                         {.a = 0, .b = -1, .normal = {0, 0, -1}, .gap = -1}};
    perp_rigid s = {
        .bodies = 1, .contacts = 2, .body = &b, .contact = c, .dt = 1, .rule = PERP_RULE_GAP};
    perp_arena a = {0};
    perp_problem p;
    perp_error e;
    ck_assert_int_eq(perp_rigid_nnls(&s, PERP_MOTION_VELOCITIES, &a, &p, NULL), PERP_SOLVED);
    double size = p.as.nnls.b[6], x[2] = {size * size / 2, size * size / 2}, v[6] = {9};
    ck_assert_double_le(certify(&p, x, PERP_SOLVED).value, 1e-15);
    ck_assert_int_eq(
        perp_rigid_velocities(&s, PERP_RIGID_FORM_NNLS_VELOCITIES, &p, x, &a, v, NULL, NULL, &e),
        PERP_E_NUMBER);
    ck_assert_ptr_nonnull(strstr(e.text, "no motion"));
    ck_assert_double_eq(v[0], 9);
    perp_arena_free(&a);
}
END_TEST

/* The columns of A are those of J Q^-1 and d / s: A'A - d d'/s^2 is the matrix of the LCP. */
START_TEST(columns_are_scaled_rows)
{
    generator g = generator_start((uint64_t)_i + 1);
    perp_arena a = {0};
    scene c = random_scene(&g, &a, 4, 1 + _i, 0);
    perp_problem lcp, nnls;
    ck_assert_int_eq(perp_rigid_lcp(&c.s, &a, &lcp, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_rigid_nnls(&c.s, PERP_MOTION_VELOCITIES, &a, &nnls, NULL), PERP_SOLVED);
    const perp_nnls *p = &nnls.as.nnls;
    int n = p->A.n, m = p->A.m;
    ck_assert(ascending(n, p->A.as.csc.p, p->A.as.csc.i));
    double *A = dense_of(&p->A, &a), *M = dense_of(&lcp.as.lcp.M, &a), s = p->b[m - 1];
    double *AA = inner(m, n, A, n, A, &a);
    for (int j = 0; j < n; j++) {
        ck_assert_double_eq_tol(s * A[j * m + m - 1], -lcp.as.lcp.q[j], 1e-14);
        for (int i = 0; i < n; i++) {
            double border = A[j * m + m - 1] * A[i * m + m - 1];
            ck_assert_double_eq_tol(AA[j * n + i] - border, M[j * n + i],
                                    1e-13 * (1 + fabs(border)));
        }
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(refusals)
{
    perp_rigid s = {.dt = 1};
    perp_arena a = {0};
    perp_problem p;
    perp_error e;
    ck_assert_int_eq(perp_rigid_nnls(&s, (perp_motion)5, &a, &p, &e), PERP_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(e.text, "motion 5"));
    ck_assert_uint_eq(a.used, 0);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_nnls");
    TCase *c = tcase_create("nnls");
    tcase_add_test(c, particle_on_a_slope);
    tcase_add_test(c, normal_that_turns);
    tcase_add_test(c, joints_are_free);
    tcase_add_test(c, impossible_motion);
    tcase_add_loop_test(c, columns_are_scaled_rows, 0, 20);
    tcase_add_test(c, refusals);
    suite_add_tcase(s, c);
    return support_run(s);
}
