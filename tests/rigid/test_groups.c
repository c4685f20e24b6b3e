/* tests/rigid/test_groups.c: groups against repeated relabelling; the numbering is the bodies'. */
#include "rigid_support.h"

START_TEST(by_hand)
{
    /* 0 fixed; 1-4 by a contact, 4-2 by a joint; 3 on the floor alone; 5 touches nothing */
    const double origin[3] = {0};
    perp_body b[6];
    for (int k = 0; k < 6; k++) b[k] = perp_body_make(1, 1, 1, 1);
    b[0].kind = PERP_BODY_FIXED;
    perp_contact c[4] = {{.a = 3, .b = 0}, {.a = 4, .b = 1}, {.a = 1, .b = 0}, {.a = -1, .b = 3}};
    for (int k = 0; k < 4; k++) c[k].normal[0] = 1;
    perp_joint joint = perp_joint_make(PERP_JOINT_BALL, b, 6, 2, 4, origin, NULL);
    perp_rigid s = {
        .bodies = 6, .contacts = 4, .joints = 1, .body = b, .contact = c, .joint = &joint, .dt = 1};
    perp_arena a = {0};
    perp_rigid_groups g;
    ck_assert_int_eq(perp_rigid_group(&s, &a, &g, NULL), PERP_SOLVED);
    const int body[6] = {-1, 0, 0, 1, 0, 2}, contact[4] = {1, 0, 0, 1}, order[4] = {1, 2, 0, 3};
    const int start[4] = {0, 2, 4, 4};
    ck_assert_int_eq(g.count, 3);
    for (int k = 0; k < 6; k++) ck_assert_int_eq(g.body[k], body[k]);
    for (int k = 0; k < 4; k++) {
        ck_assert_int_eq(g.contact[k], contact[k]);
        ck_assert_int_eq(g.order[k], order[k]);
        ck_assert_int_eq(g.start[k], start[k]);
    }
    ck_assert_int_eq(g.joint[0], 0);
    perp_arena_free(&a);
}
END_TEST

START_TEST(against_relabelling)
{
    enum { N = 30 };
    generator r = generator_start((uint64_t)_i + 1);
    perp_arena a = {0};
    scene c = random_scene(&r, &a, N, _i % 40, _i % 3);
    perp_rigid_groups g;
    ck_assert_int_eq(perp_rigid_group(&c.s, &a, &g, NULL), PERP_SOLVED);
    int label[N], count = 0;
    for (int k = 0; k < N; k++) label[k] = c.body[k].kind == PERP_BODY_FREE ? k : -1;
    for (int round = 0; round < N; round++) {
        for (int k = 0; k < c.s.contacts + c.s.joints; k++) {
            int j = k - c.s.contacts, x = j < 0 ? c.contact[k].a : c.joint[j].a;
            int y = j < 0 ? c.contact[k].b : c.joint[j].b;
            if (x < 0 || y < 0 || label[x] < 0 || label[y] < 0) continue;
            label[x] = label[y] = label[x] < label[y] ? label[x] : label[y];
        }
    }
    for (int k = 0; k < N; k++) {
        if (label[k] == k) ck_assert_int_eq(g.body[k], count++);
        ck_assert_int_eq(g.body[k], label[k] < 0 ? -1 : g.body[label[k]]);
    }
    ck_assert_int_eq(g.count, count);
    ck_assert_int_eq(g.start[count], c.s.contacts);
    for (int k = 0; k < count; k++) {
        for (int t = g.start[k]; t < g.start[k + 1]; t++) {
            ck_assert_int_eq(g.contact[g.order[t]], k);
            ck_assert(t == g.start[k] || g.order[t] > g.order[t - 1]);
        }
    }
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_groups");
    TCase *c = tcase_create("groups");
    tcase_add_test(c, by_hand);
    tcase_add_loop_test(c, against_relabelling, 0, 60);
    suite_add_tcase(s, c);
    return support_run(s);
}
