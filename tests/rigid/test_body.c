/* tests/rigid/test_body.c: rotation, mass in world frame, acceleration, and what is refused. */
#include "rigid_support.h"

#include <float.h>

START_TEST(rotation_by_hand)
{
    const double quarter[4] = {0.70710678118654752, 0, 0, 0.70710678118654752}; /* about z */
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    double R[9], out[3];
    perp_body_rotation(quarter, R);
    rigid_mul(R, x, out);
    ck_assert_double_le(difference(3, out, y), 2 * DBL_EPSILON);
    const double longer[4] = {1.0009, 0, 0, 0}, same[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    perp_body_rotation(longer, R);
    ck_assert_double_eq(difference(9, R, same), 0);
}
END_TEST

START_TEST(mass_by_hand)
{
    perp_body b = perp_body_make(3, 1, 4, 9);
    b.rotation[0] = b.rotation[3] = sqrt(0.5); /* x and y change places */
    perp_mass m;
    const double inertia[9] = {4, 0, 0, 0, 1, 0, 0, 0, 9};
    const double inverse[9] = {0.25, 0, 0, 0, 1, 0, 0, 0, 1.0 / 9};
    ck_assert(perp_body_mass(&b, &m));
    ck_assert_double_eq(m.mass, 3);
    ck_assert_double_le(difference(9, m.inertia, inertia), 1e-14);
    ck_assert_double_le(difference(9, m.inverse, inverse), 1e-15);
}
END_TEST

START_TEST(inverse_and_root)
{
    generator g = generator_start((uint64_t)_i + 1);
    perp_body b = random_body(&g);
    perp_mass m;
    ck_assert(perp_body_mass(&b, &m));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double one = 0, inverse = 0;
            for (int k = 0; k < 3; k++) {
                one += m.inverse[3 * k + i] * m.inertia[3 * j + k];
                inverse += m.root[3 * k + i] * m.root[3 * k + j];
            }
            ck_assert_double_eq_tol(one, i == j, 1e-14);
            ck_assert_double_eq_tol(inverse, m.inverse[3 * j + i], 1e-14 * fabs(m.inverse[0]));
            ck_assert_double_eq(m.inverse[3 * j + i], m.inverse[3 * i + j]);
            ck_assert_double_eq(m.inertia[3 * j + i], m.inertia[3 * i + j]);
        }
    }
}
END_TEST

START_TEST(acceleration_by_hand)
{
    perp_body b = perp_body_make(2, 1, 2, 4);
    perp_mass m;
    double a[6];
    const double force[3] = {2, 4, 6}, torque[3] = {1, 1, 1}, spin[3] = {1, 1, 0};
    memcpy(b.force, force, sizeof force);
    memcpy(b.torque, torque, sizeof torque);
    memcpy(b.spin, spin, sizeof spin);
    ck_assert(perp_body_mass(&b, &m));
    perp_body_accelerate(&b, &m, false, a);
    const double plain[6] = {1, 2, 3, 1, 0.5, 0.25};
    ck_assert_double_le(difference(6, a, plain), 1e-15);
    /* I spin = (1, 2, 0), spin x I spin = (0, 0, 1): the torque about z is 0 then */
    perp_body_accelerate(&b, &m, true, a);
    const double turning[6] = {1, 2, 3, 1, 0.5, 0};
    ck_assert_double_le(difference(6, a, turning), 1e-15);
}
END_TEST

START_TEST(velocity_of_each_kind)
{
    perp_body b = perp_body_make(1, 1, 1, 1);
    perp_rigid s = {.bodies = 1, .body = &b};
    double v[6];
    b.velocity[0] = 3;
    b.spin[2] = 4;
    perp_body_velocity(&s, 0, v);
    ck_assert(v[0] == 3 && v[5] == 4);
    b.kind = PERP_BODY_DRIVEN;
    perp_body_velocity(&s, 0, v);
    ck_assert(v[0] == 3 && v[5] == 4);
    b.kind = PERP_BODY_FIXED;
    perp_body_velocity(&s, 0, v);
    ck_assert(v[0] == 0 && v[5] == 0);
    perp_body_velocity(&s, -1, v);
    ck_assert(v[0] == 0 && v[5] == 0);
}
END_TEST

/* Body 1 of two spoiled in one field. */
#define SPOIL(change, status, word)                                                                \
    do {                                                                                           \
        perp_body b[2] = {perp_body_make(1, 1, 2, 3), perp_body_make(1, 1, 2, 3)};                 \
        perp_rigid s = {.bodies = 2, .body = b, .dt = 1};                                          \
        accepted(&s);                                                                              \
        b[1].change;                                                                               \
        refused(&s, status, word);                                                                 \
        refused(&s, status, "body 1");                                                             \
    } while (0)

START_TEST(refusals)
{
    SPOIL(mass = 0, PERP_E_ARGUMENT, "mass = 0");
    SPOIL(mass = -2, PERP_E_ARGUMENT, "mass = -2");
    SPOIL(mass = NAN, PERP_E_NUMBER, "mass");
    SPOIL(mass = INFINITY, PERP_E_NUMBER, "mass");
    SPOIL(mass = 1e-310, PERP_E_ARGUMENT, "mass");
    SPOIL(inertia[8] = 0, PERP_E_ARGUMENT, "positive definite");
    SPOIL(inertia[0] = -1, PERP_E_ARGUMENT, "positive definite");
    SPOIL(inertia[0] = 1e-310, PERP_E_ARGUMENT, "positive definite");
    SPOIL(inertia[1] = b[1].inertia[3] = sqrt(2), PERP_E_ARGUMENT, "positive definite");
    SPOIL(inertia[1] = b[1].inertia[3] = 5, PERP_E_ARGUMENT, "positive definite");
    SPOIL(inertia[1] = 0.1, PERP_E_ARGUMENT, "symmetric");
    SPOIL(inertia[4] = NAN, PERP_E_NUMBER, "inertia");
    SPOIL(rotation[0] = 1.002, PERP_E_ARGUMENT, "rotation");
    SPOIL(rotation[0] = 0.998, PERP_E_ARGUMENT, "rotation");
    SPOIL(rotation[0] = 0, PERP_E_ARGUMENT, "rotation");
    SPOIL(rotation[2] = NAN, PERP_E_NUMBER, "rotation");
    SPOIL(rotation[2] = 1e200, PERP_E_ARGUMENT, "rotation");
    SPOIL(position[1] = NAN, PERP_E_NUMBER, "position");
    SPOIL(velocity[1] = INFINITY, PERP_E_NUMBER, "velocity");
    SPOIL(spin[0] = NAN, PERP_E_NUMBER, "spin");
    SPOIL(force[2] = NAN, PERP_E_NUMBER, "force");
    SPOIL(torque[2] = -INFINITY, PERP_E_NUMBER, "torque");
    SPOIL(kind = (perp_body_kind)7, PERP_E_ARGUMENT, "kind 7");
}
END_TEST

START_TEST(near_misses_pass)
{
    perp_body b = perp_body_make(1e-300, 1e-20, 1e-20, 1e-20);
    perp_rigid s = {.bodies = 1, .body = &b, .dt = 1};
    accepted(&s);
    b.rotation[0] = 1.0009;
    accepted(&s);
    b.inertia[1] = 1e-27; /* symmetric but for rounding */
    accepted(&s);
    b.kind = PERP_BODY_DRIVEN; /* neither mass nor forces are read */
    b.mass = b.force[0] = NAN;
    b.inertia[0] = 0;
    accepted(&s);
    b.kind = PERP_BODY_FIXED;
    b.velocity[0] = NAN;
    accepted(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_body");
    TCase *c = tcase_create("body");
    tcase_add_test(c, rotation_by_hand);
    tcase_add_test(c, mass_by_hand);
    tcase_add_loop_test(c, inverse_and_root, 0, 100);
    tcase_add_test(c, acceleration_by_hand);
    tcase_add_test(c, velocity_of_each_kind);
    tcase_add_test(c, refusals);
    tcase_add_test(c, near_misses_pass);
    suite_add_tcase(s, c);
    return support_run(s);
}
