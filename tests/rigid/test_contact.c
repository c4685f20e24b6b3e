/* tests/rigid/test_contact.c: rows of J and terms of the rules by hand, and what is refused. */
#include "rigid_support.h"

/* Body 0 at (0, 0, 1) moves with (1, 2, -3) and turns with (4, 5, 6); body 1 below is driven up
 * with speed 7; they touch at (0, 1, 0), n = z, t1 = x, t2 = y. Arms (0, 1, -1) and (0, 1, 1). */
static void make_pair(perp_body b[2], perp_contact *c, perp_rigid *s)
{
    const double v[3] = {1, 2, -3}, spin[3] = {4, 5, 6};
    b[0] = perp_body_make(2, 1, 1, 1);
    b[1] = perp_body_make(2, 1, 1, 1);
    b[0].position[2] = 1;
    b[1].position[2] = -1;
    b[1].kind = PERP_BODY_DRIVEN;
    b[1].velocity[2] = 7;
    memcpy(b[0].velocity, v, sizeof v);
    memcpy(b[0].spin, spin, sizeof spin);
    *c = (perp_contact){.a = 0, .b = 1, .point = {0, 1, 0}, .normal = {0, 0, 1}};
    c->restitution = 0.5;
    c->gap = -0.25;
    *s = (perp_rigid){.bodies = 2, .contacts = 1, .body = b, .contact = c, .dt = 0.5};
}

START_TEST(rows_by_hand)
{
    perp_body b[2];
    perp_contact c;
    perp_rigid s;
    perp_arena a = {0};
    perp_assembly parts;
    perp_jacobian_rows rows;
    make_pair(b, &c, &s);
    ck_assert_int_eq(perp_assembly_make(&s, &a, &parts, NULL), PERP_SOLVED);
    perp_contact_rows(&s, &parts, 0, &rows);
    /* arm x direction: (0,1,-1) x z = (1,0,0); x x: (0,-1,-1); x y: (1,0,0) */
    const double J[3][12] = {{0, 0, 1, 1, 0, 0, 0, 0, -1, -1, 0, 0},
                             {1, 0, 0, 0, -1, -1, -1, 0, 0, 0, -1, 1},
                             {0, 1, 0, 1, 0, 0, 0, -1, 0, 1, 0, 0}};
    ck_assert_int_eq(rows.count, 3);
    ck_assert(rows.slot[0] == 0 && rows.slot[1] == -1);
    for (int i = 0; i < 3; i++) ck_assert_double_eq(difference(12, rows.J[i], J[i]), 0);
    /* u_n(-) = -3 + 4 - 7 = -6; the driven body gives -7 */
    const double impact[3] = {-7 + 0.5 * -6, 0, 0}, gap[3] = {-7 - 0.25 / 0.5, 0, 0};
    ck_assert_double_eq(difference(3, rows.bias, impact), 0);
    ck_assert_double_eq(perp_rows_free(&rows, 0, parts.v_free), 1);
    s.rule = PERP_RULE_GAP;
    perp_contact_rows(&s, &parts, 0, &rows);
    ck_assert_double_eq(difference(3, rows.bias, gap), 0);
    /* u_t1(-) = 1 - 5 * 1 - 6 * 1 = -10, u_t2(-) = 2 + 4 = 6 */
    const double moreau[3] = {-7 + 0.5 * -6, 0.5 * -10, 0.5 * 6}, poisson[3] = {-7, 0, 0};
    s.rule = PERP_RULE_MOREAU;
    perp_contact_rows(&s, &parts, 0, &rows);
    ck_assert_double_eq(difference(3, rows.bias, moreau), 0);
    s.rule = PERP_RULE_POISSON;
    perp_contact_rows(&s, &parts, 0, &rows);
    ck_assert_double_eq(difference(3, rows.bias, poisson), 0);
    /* the larger of 0.5 * 6 and min(0.25 / 0.5, recovery_speed) */
    s.rule = PERP_RULE_RECOVERY;
    const double speed[4] = {0.1, 0.1, 8, 8}, threshold[4] = {5, 6, 5, 6},
                 least[4] = {3, 0.1, 3, 0.5};
    for (int k = 0; k < 4; k++) {
        s.recovery_speed = speed[k];
        s.restitution_threshold = threshold[k];
        perp_contact_rows(&s, &parts, 0, &rows);
        ck_assert_double_eq(rows.bias[0], -7 - least[k]);
        ck_assert(rows.bias[1] == 0 && rows.bias[2] == 0);
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(drift_by_hand)
{
    perp_body b[2];
    perp_contact c;
    perp_rigid s;
    make_pair(b, &c, &s);
    /* spin x arm = (4,5,6) x (0,1,-1) = (-11,4,4); spin x that = (-4,-82,71) */
    ck_assert_double_eq(perp_contact_acceleration_bias(&s, 0), 71);
    /* the point of a moves with (-10, 6, 1), of b with (0, 0, 7) */
    c.dn[0] = 1;
    c.dn[2] = 0.5;
    ck_assert_double_eq(perp_contact_acceleration_bias(&s, 0), 71 + 2 * (-10 + 0.5 * (1 - 7)));
    c.a = 1;
    c.b = 0; /* the other way round everything changes sign */
    ck_assert_double_eq(perp_contact_acceleration_bias(&s, 0), -(71 + 2 * (-10 + 0.5 * (1 - 7))));
}
END_TEST

/* Row i of J is the velocity of the point of a less that of b, along axis i of the frame. */
START_TEST(rows_are_relative_velocities)
{
    generator g = generator_start((uint64_t)_i + 1);
    perp_arena a = {0};
    scene c = random_scene(&g, &a, 4, 6, 0);
    perp_assembly parts;
    ck_assert_int_eq(perp_assembly_make(&c.s, &a, &parts, NULL), PERP_SOLVED);
    for (int k = 0; k < 6; k++) {
        perp_jacobian_rows rows;
        double E[9], u[3] = {0};
        perp_contact_rows(&c.s, &parts, k, &rows);
        perp_contact_frame(c.contact[k].normal, E);
        for (int side = 0; side < 2; side++) {
            int body = side ? c.contact[k].b : c.contact[k].a;
            double v[6], arm[3], turn[3];
            if (body < 0) continue;
            perp_body_velocity(&c.s, body, v);
            for (int i = 0; i < 3; i++) arm[i] = c.contact[k].point[i] - c.body[body].position[i];
            rigid_cross(v + 3, arm, turn);
            for (int i = 0; i < 3; i++) u[i] += (side ? -1 : 1) * (v[i] + turn[i]);
        }
        for (int i = 0; i < 3; i++) {
            double sum = 0;
            for (int side = 0; side < 2; side++) {
                double v[6];
                perp_body_velocity(&c.s, side ? c.contact[k].b : c.contact[k].a, v);
                for (int j = 0; j < 6; j++) sum += rows.J[i][6 * side + j] * v[j];
            }
            ck_assert_double_eq_tol(sum, rigid_dot(u, E + 3 * i), 1e-14);
        }
    }
    perp_arena_free(&a);
}
END_TEST

/* Contact 1 of two spoiled in one field. */
#define SPOIL(change, status, word)                                                                \
    do {                                                                                           \
        perp_body b[2];                                                                            \
        perp_contact c[2];                                                                         \
        perp_rigid s;                                                                              \
        make_spheres(b, c, &s);                                                                    \
        accepted(&s);                                                                              \
        c[1].change;                                                                               \
        refused(&s, status, word);                                                                 \
        refused(&s, status, "contact 1");                                                          \
    } while (0)

START_TEST(refusals)
{
    SPOIL(a = 2, PERP_E_ARGUMENT, "body 2");
    SPOIL(b = -2, PERP_E_ARGUMENT, "body -2");
    SPOIL(b = 1, PERP_E_ARGUMENT, "itself");
    SPOIL(a = c[1].b = -1, PERP_E_ARGUMENT, "free");
    SPOIL(normal[2] = 1 + 2e-6, PERP_E_ARGUMENT, "normal");
    SPOIL(normal[2] = 0, PERP_E_ARGUMENT, "normal");
    SPOIL(normal[0] = NAN, PERP_E_NUMBER, "normal");
    SPOIL(normal[0] = 1e300, PERP_E_ARGUMENT, "normal");
    SPOIL(point[0] = INFINITY, PERP_E_NUMBER, "point");
    SPOIL(gap = NAN, PERP_E_NUMBER, "gap");
    SPOIL(dn[1] = NAN, PERP_E_NUMBER, "dn/dt");
    SPOIL(mu = -0.1, PERP_E_ARGUMENT, "mu = -0.1");
    SPOIL(mu = NAN, PERP_E_NUMBER, "mu");
    SPOIL(mu = INFINITY, PERP_E_NUMBER, "mu");
    SPOIL(restitution = -0.1, PERP_E_ARGUMENT, "restitution = -0.1");
    SPOIL(restitution = 1.1, PERP_E_ARGUMENT, "restitution = 1.1");
    SPOIL(restitution = NAN, PERP_E_NUMBER, "restitution");
}
END_TEST

/* Read by one rule, and refused by the other, which would not read it. */
START_TEST(restitution_and_the_gap)
{
    perp_body b[2];
    perp_contact c[2];
    perp_rigid s;
    make_spheres(b, c, &s);
    c[1].restitution = 0.5;
    s.rule = PERP_RULE_IMPACT;
    accepted(&s);
    s.rule = PERP_RULE_GAP;
    refused(&s, PERP_E_ARGUMENT, "contact 1 has restitution 0.5");
    refused(&s, PERP_E_ARGUMENT, "PERP_RULE_IMPACT");
    c[1].restitution = 0;
    accepted(&s);
}
END_TEST

START_TEST(two_that_cannot_move)
{
    perp_body b[2];
    perp_contact c[2];
    perp_rigid s;
    for (int x = 0; x < 3; x++) {
        for (int y = 0; y < 3; y++) {
            make_spheres(b, c, &s);
            s.contacts = 1;
            c[0].b = 1;
            b[0].kind = (perp_body_kind)x;
            b[1].kind = (perp_body_kind)y;
            if (x == PERP_BODY_FREE || y == PERP_BODY_FREE)
                accepted(&s);
            else
                refused(&s, PERP_E_ARGUMENT, "contact 0, 0 and 1, is free");
        }
    }
    make_spheres(b, c, &s);
    c[0].normal[2] = 1 - 0.9e-6;
    accepted(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_contact");
    TCase *c = tcase_create("contact");
    tcase_add_test(c, rows_by_hand);
    tcase_add_test(c, drift_by_hand);
    tcase_add_loop_test(c, rows_are_relative_velocities, 0, 30);
    tcase_add_test(c, refusals);
    tcase_add_test(c, restitution_and_the_gap);
    tcase_add_test(c, two_that_cannot_move);
    suite_add_tcase(s, c);
    return support_run(s);
}
