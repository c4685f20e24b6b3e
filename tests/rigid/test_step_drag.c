/* tests/rigid/test_step_drag.c: air and rolling friction take energy, and never turn a motion. */
#include "step_support.h"

START_TEST(air_brakes_as_its_equation_says)
{
    perp_body b = perp_body_make(1, 1, 2, 3);
    perp_world w = {.bodies = 1};
    perp_step_options o = perp_step_defaults();
    o.air_drag = 0.5;
    b.spin[0] = 1;
    b.spin[1] = -1;
    b.spin[2] = 2;
    perp_step_drag(&w, &o, 0.1, &b);
    const double want[3] = {1 / 1.05, -1 / 1.025, 2 / (1 + 0.05 / 3)};
    ck_assert_double_le(difference(3, b.spin, want), 1e-15);
    o.air_drag = 1e9; /* time constants far below the step */
    perp_step_drag(&w, &o, 0.1, &b);
    for (int i = 0; i < 3; i++) ck_assert(b.spin[i] * want[i] >= 0 && fabs(b.spin[i]) < 1e-6);
}
END_TEST

START_TEST(rolling_friction_ends_motion)
{
    perp_body b[2] = {marble(2, 1, 0, 0, 1), marble(1, 1, 0, 0, 3)};
    b[0].velocity[0] = 3;
    b[0].velocity[1] = 4;
    b[0].velocity[2] = 1;
    b[1] = b[0];
    perp_contact c[2] = {{.a = 0, .b = -1, .normal = {0, 0, 1}, .mu = 0.5},
                         {.a = 1, .b = -1, .normal = {0, 0, 1}, .mu = 0.5}};
    const double impulse[6] = {4, 0.1, 0, 4, 2, 0}; /* the second slides */
    perp_world w = {.bodies = 2, .contacts = 2, .contact = c, .impulse = impulse};
    perp_step_options o = perp_step_defaults();
    o.rolling_friction = 0.5;
    perp_step_drag(&w, &o, o.dt, b); /* 0.5 * 4 / 2 = 1 less */
    ck_assert_double_eq_tol(hypot(b[0].velocity[0], b[0].velocity[1]), 4, 1e-14);
    ck_assert_double_eq_tol(b[0].velocity[1] / b[0].velocity[0], 4.0 / 3, 1e-14);
    ck_assert(b[0].velocity[2] == 1 && b[1].velocity[0] == 3);
    o.rolling_friction = 100;
    perp_step_drag(&w, &o, o.dt, b);
    ck_assert(b[0].velocity[0] == 0 && b[0].velocity[1] == 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_step_drag");
    TCase *c = tcase_create("drag");
    tcase_add_test(c, air_brakes_as_its_equation_says);
    tcase_add_test(c, rolling_friction_ends_motion);
    suite_add_tcase(s, c);
    return support_run(s);
}
