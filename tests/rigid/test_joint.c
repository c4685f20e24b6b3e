/* tests/rigid/test_joint.c: rows and drifts against differences of poses, and what is refused. */
#include "rigid_support.h"

/* q <- exp(t spin) q, exactly. */
static void turn(double q[4], const double spin[3], double t)
{
    double speed = plain_norm(3, spin), half = 0.5 * t * speed;
    double s = speed > 0 ? sin(half) / speed : 0, w = cos(half);
    double x = s * spin[0], y = s * spin[1], z = s * spin[2];
    double out[4] = {
        w * q[0] - x * q[1] - y * q[2] - z * q[3], w * q[1] + x * q[0] + y * q[3] - z * q[2],
        w * q[2] - x * q[3] + y * q[0] + z * q[1], w * q[3] + x * q[2] - y * q[1] + z * q[0]};
    memcpy(q, out, sizeof out);
}

/* The bodies go on with the velocities they have for a time t. */
static void advance(scene *c, double t)
{
    for (int k = 0; k < c->s.bodies; k++) {
        perp_body *b = c->body + k;
        if (b->kind == PERP_BODY_FIXED) continue;
        for (int i = 0; i < 3; i++) b->position[i] += t * b->velocity[i];
        turn(b->rotation, b->spin, t);
    }
}

/* J v over free and driven bodies alike, and the error of the joint. */
static void measure(const scene *c, int k, double u[6], double error[6])
{
    perp_rigid s = c->s;
    perp_arena a = {0};
    perp_assembly parts;
    perp_jacobian_rows rows;
    s.rule = PERP_RULE_IMPACT;
    ck_assert_int_eq(perp_assembly_make(&s, &a, &parts, NULL), PERP_SOLVED);
    perp_joint_rows(&s, &parts, k, &rows);
    for (int i = 0; i < rows.count; i++) {
        u[i] = 0;
        for (int side = 0; side < 2; side++) {
            double v[6];
            perp_body_velocity(&s, side ? s.joint[k].b : s.joint[k].a, v);
            for (int j = 0; j < 6; j++) u[i] += rows.J[i][6 * side + j] * v[j];
        }
        error[i] = -rows.bias[i];
    }
    s.rule = PERP_RULE_GAP;
    perp_joint_rows(&s, &parts, k, &rows);
    for (int i = 0; i < rows.count; i++) error[i] = s.dt * (error[i] + rows.bias[i]);
    perp_arena_free(&a);
}

START_TEST(rows_are_the_errors_derivative)
{
    generator g = generator_start((uint64_t)_i + 1);
    perp_arena a = {0};
    scene c = random_scene(&g, &a, 4, 0, 6);
    const double step = 1e-6;
    for (int k = 0; k < 6; k++) {
        double u[6], at[6], before[6], after[6], ignored[6];
        int count = perp_joint_count(c.joint[k].kind);
        measure(&c, k, u, at);
        for (int i = 0; i < count; i++) ck_assert_double_eq_tol(at[i], 0, 1e-14);
        advance(&c, -step);
        measure(&c, k, ignored, before);
        advance(&c, 2 * step);
        measure(&c, k, ignored, after);
        advance(&c, -step);
        for (int i = 0; i < count; i++)
            ck_assert_double_eq_tol((after[i] - before[i]) / (2 * step), u[i], 1e-7);
    }
    perp_arena_free(&a);
}
END_TEST

/* b moves as the joint allows relative to a; the rows say 0, and their rate is the drift. */
START_TEST(drift_is_the_rows_derivative)
{
    generator g = generator_start((uint64_t)_i + 1);
    perp_arena a = {0};
    scene c = random_scene(&g, &a, 2, 0, 1);
    double point[3], axis[3], ra[3], rb[3], va[3], vb[3];
    random_vector(&g, 3, point);
    random_unit(&g, 3, axis);
    perp_joint_kind kind = (perp_joint_kind)(_i % 3);
    c.joint[0] = perp_joint_make(kind, c.body, 2, 0, 1, point, axis);
    double about = generator_uniform(&g), *spin = c.body[1].spin;
    if (kind != PERP_JOINT_BALL) {
        for (int i = 0; i < 3; i++)
            spin[i] = c.body[0].spin[i] + (kind == PERP_JOINT_HINGE ? about * axis[i] : 0);
    }
    for (int i = 0; i < 3; i++) {
        ra[i] = point[i] - c.body[0].position[i];
        rb[i] = point[i] - c.body[1].position[i];
    }
    rigid_cross(c.body[0].spin, ra, va);
    rigid_cross(c.body[1].spin, rb, vb);
    for (int i = 0; i < 3; i++) c.body[1].velocity[i] = c.body[0].velocity[i] + va[i] - vb[i];

    const double step = 1e-6;
    double u[6], before[6], after[6], ignored[6], drift[6];
    measure(&c, 0, u, ignored);
    perp_joint_acceleration_bias(&c.s, 0, drift);
    advance(&c, -step);
    measure(&c, 0, before, ignored);
    advance(&c, 2 * step);
    measure(&c, 0, after, ignored);
    for (int i = 0; i < perp_joint_count(kind); i++) {
        ck_assert_double_eq_tol(u[i], 0, 1e-14);
        ck_assert_double_eq_tol((after[i] - before[i]) / (2 * step), drift[i], 1e-7);
    }
    perp_arena_free(&a);
}
END_TEST

/* A weld closes a rotation of 0.1 about z with a relative spin of 0.1 / dt. */
START_TEST(errors_by_hand)
{
    const double origin[3] = {0}, z[3] = {0, 0, 1};
    scene c;
    perp_body b = perp_body_make(1, 1, 1, 1);
    perp_joint joint = perp_joint_make(PERP_JOINT_WELD, &b, 1, 0, -1, origin, NULL);
    c.s = (perp_rigid){.bodies = 1, .joints = 1, .body = &b, .joint = &joint, .dt = 0.5};
    c.body = &b;
    b.position[0] = 0.25;
    turn(b.rotation, z, 0.1);
    double u[6], error[6], expected[6] = {0.25, 0, 0, 0, 0, 2 * sin(0.05)};
    measure(&c, 0, u, error);
    ck_assert_double_le(difference(6, error, expected), 1e-15);
    for (int i = 0; i < 4; i++) b.rotation[i] = -b.rotation[i]; /* the same rotation */
    measure(&c, 0, u, error);
    ck_assert_double_le(difference(6, error, expected), 1e-15);
    ck_assert_int_eq(perp_rigid_joint_rows(&c.s), 6);
}
END_TEST

START_TEST(driven_bodies_enter_the_bias)
{
    const double point[3] = {0, 0, 1};
    perp_body b[2] = {perp_body_make(1, 1, 1, 1), perp_body_make(1, 1, 1, 1)};
    perp_joint joint = perp_joint_make(PERP_JOINT_BALL, b, 2, 0, 1, point, NULL);
    perp_rigid s = {.bodies = 2, .joints = 1, .body = b, .joint = &joint, .dt = 1};
    perp_arena a = {0};
    perp_assembly parts;
    perp_jacobian_rows rows;
    b[1].kind = PERP_BODY_DRIVEN;
    b[1].velocity[0] = 2;
    b[1].spin[0] = 3; /* its anchor moves with (2, -3, 0) */
    ck_assert_int_eq(perp_assembly_make(&s, &a, &parts, NULL), PERP_SOLVED);
    perp_joint_rows(&s, &parts, 0, &rows);
    const double bias[3] = {-2, 3, 0};
    ck_assert_double_eq(difference(3, rows.bias, bias), 0);
    perp_arena_free(&a);
}
END_TEST

#define SPOIL(change, status, word)                                                                \
    do {                                                                                           \
        const double point[3] = {1, 2, 3}, axis[3] = {0, 0, 1};                                    \
        perp_body b[2] = {perp_body_make(1, 1, 1, 1), perp_body_make(1, 1, 1, 1)};                 \
        perp_joint joint[2];                                                                       \
        joint[0] = perp_joint_make(PERP_JOINT_BALL, b, 2, 0, -1, point, NULL);                     \
        joint[1] = perp_joint_make(PERP_JOINT_HINGE, b, 2, 0, 1, point, axis);                     \
        perp_rigid s = {.bodies = 2, .joints = 2, .body = b, .joint = joint, .dt = 1};             \
        accepted(&s);                                                                              \
        joint[1].change;                                                                           \
        refused(&s, status, word);                                                                 \
        refused(&s, status, "joint 1");                                                            \
    } while (0)

START_TEST(refusals)
{
    SPOIL(a = 5, PERP_E_ARGUMENT, "body 5");
    SPOIL(b = 0, PERP_E_ARGUMENT, "itself");
    SPOIL(a = joint[1].b = -1, PERP_E_ARGUMENT, "free");
    SPOIL(kind = (perp_joint_kind)9, PERP_E_ARGUMENT, "kind 9");
    SPOIL(anchor_a[0] = NAN, PERP_E_NUMBER, "anchor");
    SPOIL(anchor_b[2] = INFINITY, PERP_E_NUMBER, "anchor");
    SPOIL(axis_a[2] = 1.1, PERP_E_ARGUMENT, "axis on a");
    SPOIL(axis_b[2] = 0, PERP_E_ARGUMENT, "axis on b");
    SPOIL(axis_b[1] = NAN, PERP_E_NUMBER, "axis on b");
    SPOIL(kind = PERP_JOINT_WELD; joint[1].relative[0] = 2, PERP_E_ARGUMENT, "relative");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_joint");
    TCase *c = tcase_create("joint");
    tcase_add_loop_test(c, rows_are_the_errors_derivative, 0, 20);
    tcase_add_loop_test(c, drift_is_the_rows_derivative, 0, 60);
    tcase_add_test(c, errors_by_hand);
    tcase_add_test(c, driven_bodies_enter_the_bias);
    tcase_add_test(c, refusals);
    suite_add_tcase(s, c);
    return support_run(s);
}
