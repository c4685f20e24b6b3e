/* tests/rigid/test_assembly.c: the step as a whole: numbering, free velocities, memory, refusals.
 */
#include "rigid_support.h"

START_TEST(free_bodies_are_numbered)
{
    perp_body b[4];
    perp_rigid s = {.bodies = 4, .body = b, .dt = 0.5};
    for (int k = 0; k < 4; k++) b[k] = perp_body_make(2, 1, 1, 1);
    b[0].kind = PERP_BODY_FIXED;
    b[2].kind = PERP_BODY_DRIVEN;
    b[3].velocity[0] = 1;
    b[3].force[0] = 8;
    b[3].torque[2] = 6;
    perp_arena a = {0};
    perp_assembly parts;
    ck_assert_int_eq(perp_assembly_make(&s, &a, &parts, NULL), PERP_SOLVED);
    const int slot[4] = {-1, 0, -1, 1};
    const double v[12] = {0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3};
    ck_assert_int_eq(parts.free, 2);
    for (int k = 0; k < 4; k++) ck_assert_int_eq(parts.slot[k], slot[k]);
    ck_assert_double_eq(difference(12, parts.v_free, v), 0);
    ck_assert_int_eq(perp_rigid_unknowns(&s), 12);
    ck_assert_int_eq(perp_assembly_slot(&parts, -1), -1);
    perp_arena_free(&a);
}
END_TEST

START_TEST(refusals)
{
    perp_body b[2];
    perp_contact c[2];
    perp_rigid s;
#define SPOIL(change, status, word)                                                                \
    make_spheres(b, c, &s);                                                                        \
    s.change;                                                                                      \
    refused(&s, status, word)
    SPOIL(bodies = -1, PERP_E_ARGUMENT, "bodies");
    SPOIL(contacts = -7, PERP_E_ARGUMENT, "contacts");
    SPOIL(joints = -1, PERP_E_ARGUMENT, "joints");
    SPOIL(bodies = INT_MAX, PERP_E_ARGUMENT, "bodies");
    SPOIL(contacts = INT_MAX, PERP_E_ARGUMENT, "contacts");
    SPOIL(joints = INT_MAX, PERP_E_ARGUMENT, "joints");
    SPOIL(body = NULL, PERP_E_ARGUMENT, "bodies");
    SPOIL(contact = NULL, PERP_E_ARGUMENT, "contacts");
    SPOIL(joints = 1, PERP_E_ARGUMENT, "joints");
    SPOIL(dt = NAN, PERP_E_NUMBER, "dt");
    SPOIL(dt = INFINITY, PERP_E_NUMBER, "dt");
    SPOIL(dt = -1, PERP_E_ARGUMENT, "dt = -1");
    SPOIL(rule = (perp_rule)5, PERP_E_ARGUMENT, "rule 5");
    SPOIL(dt = 0; s.rule = PERP_RULE_GAP, PERP_E_ARGUMENT, "dt = 0");
    SPOIL(dt = 0; s.rule = PERP_RULE_RECOVERY, PERP_E_ARGUMENT, "dt = 0");
    SPOIL(recovery_speed = -1, PERP_E_ARGUMENT, "recovery_speed = -1");
    SPOIL(restitution_threshold = NAN, PERP_E_ARGUMENT, "restitution_threshold = nan");
    refused(NULL, PERP_E_ARGUMENT, "NULL");
    make_spheres(b, c, &s);
    s.dt = 0;
    accepted(&s);
    s.bodies = -1;
    ck_assert_int_eq(perp_rigid_unknowns(&s), -1);
    ck_assert_int_eq(perp_rigid_unknowns(NULL), -1);
    s.joints = 1;
    ck_assert_int_eq(perp_rigid_joint_rows(&s), -1);
    ck_assert_int_eq(perp_rigid_joint_rows(NULL), -1);
}
END_TEST

START_TEST(nothing_to_write_to)
{
    perp_body b[2];
    perp_contact c[2];
    perp_rigid s;
    perp_arena a = {0};
    perp_problem p;
    perp_rigid_factored f;
    perp_rigid_groups groups;
    make_spheres(b, c, &s);
    ck_assert_int_eq(perp_rigid_lcp(&s, &a, NULL, NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_rigid_lcp(&s, NULL, &p, NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_rigid_factor(&s, &a, NULL, NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_rigid_factor(&s, NULL, &f, NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_rigid_group(&s, &a, NULL, NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_rigid_group(&s, NULL, &groups, NULL), PERP_E_ARGUMENT);
    perp_arena_free(&a);
}
END_TEST

/* One call of the API after the other. */
static perp_status call(int form, const perp_rigid *s, perp_arena *a, perp_error *e)
{
    perp_problem p;
    perp_rigid_factored f;
    perp_rigid_groups groups;
    switch (form) {
    case 0: return perp_rigid_fc3d_local(s, a, &p, e);
    case 1: return perp_rigid_fc3d_body(s, a, &p, e);
    case 2: return perp_rigid_mcp(s, a, &p, e);
    case 3: return perp_rigid_lcp_facets(s, 4, a, &p, e);
    case 4: return perp_rigid_mcp_facets(s, 4, a, &p, e);
    case 5: return perp_rigid_lcp(s, a, &p, e);
    case 6: return perp_rigid_nnls(s, PERP_MOTION_VELOCITIES, a, &p, e);
    case 7: return perp_rigid_factor(s, a, &f, e);
    default: return perp_rigid_group(s, a, &groups, e);
    }
}

/* Memory ends after every possible number of bytes; what fits is complete, what does not is refused
 * and gives everything back. */
START_TEST(memory_ends)
{
    generator g = generator_start(3);
    perp_arena a = {0};
    scene c = random_scene(&g, &a, 4, 5, _i % 2 ? 0 : 2);
    static unsigned char buffer[1 << 16];
    int form = _i / 2, failures = 0, status = PERP_E_MEMORY;
    if (c.s.joints > 0 && (form == 0 || form == 3 || form == 5)) c.s.joints = 0;
    for (size_t size = 0; size < sizeof buffer && status == PERP_E_MEMORY; size += 64) {
        perp_arena fixed;
        perp_error e = {0};
        perp_arena_fixed(&fixed, buffer, size);
        status = call(form, &c.s, &fixed, &e);
        if (status == PERP_E_MEMORY) {
            failures++;
            ck_assert_uint_eq(fixed.used, 0);
            ck_assert_ptr_nonnull(strstr(e.text, "room"));
        }
    }
    ck_assert_int_eq(status, PERP_SOLVED);
    ck_assert_int_gt(failures, 5);
    perp_arena_free(&a);
}
END_TEST

START_TEST(second_time_allocates_nothing)
{
    generator g = generator_start(4);
    perp_arena a = {0}, b = {0};
    scene c = random_scene(&g, &a, 4, 5, 0);
    for (int form = 0; form < 9; form++) {
        perp_mark mark = perp_arena_mark(&b);
        ck_assert_int_eq(call(form, &c.s, &b, NULL), PERP_SOLVED);
        perp_arena_release(&b, mark);
        unsigned before = b.allocations;
        ck_assert_int_eq(call(form, &c.s, &b, NULL), PERP_SOLVED);
        ck_assert_uint_eq(b.allocations, before);
        perp_arena_release(&b, mark);
    }
    perp_arena_free(&a);
    perp_arena_free(&b);
}
END_TEST

START_TEST(empty_steps)
{
    perp_rigid s = {.dt = 1};
    perp_body floor = perp_body_make(0, 0, 0, 0);
    perp_arena a = {0};
    for (int k = 0; k < 2; k++) {
        for (int form = 0; form < 9; form++)
            ck_assert_int_eq(call(form, &s, &a, NULL), PERP_SOLVED);
        floor.kind = PERP_BODY_FIXED;
        s.bodies = 1;
        s.body = &floor;
    }
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_parts");
    TCase *c = tcase_create("parts");
    tcase_add_test(c, free_bodies_are_numbered);
    tcase_add_test(c, refusals);
    tcase_add_test(c, nothing_to_write_to);
    tcase_add_loop_test(c, memory_ends, 0, 18);
    tcase_add_test(c, second_time_allocates_nothing);
    tcase_add_test(c, empty_steps);
    suite_add_tcase(s, c);
    return support_run(s);
}
