/* tests/generate/test_fc3d.c: the answers that problems are built around hold. */
#include "generate_support.h"

START_TEST(answers)
{
    check_answers("fc3d_known", PERP_KIND_FC3D);
    check_answers("fc3d_edge", PERP_KIND_FC3D);
    check_answers("fc3d_body_known", PERP_KIND_FC3D);
}
END_TEST

/* All three states occur, and W is that of real bodies: symmetric, and singular for many. */
START_TEST(states)
{
    perp_arena a = {0};
    generated_problem m = problem_make("fc3d_known", NULL, 60, 1, &a);
    const perp_fc3d *p = &m.p.as.fc3d;
    int separate = 0, stick = 0, slide = 0;
    for (int k = 0; k < 60; k++) {
        const double *r = m.z + 3 * k;
        double grip = hypot(r[1], r[2]) - p->mu[k] * r[0];
        separate += r[0] == 0;
        stick += r[0] > 0 && grip < -1e-3 * r[0];
        slide += r[0] > 0 && fabs(grip) < 1e-14;
    }
    ck_assert(separate > 10 && stick > 8 && slide > 10);
    perp_arena_free(&a);
}
END_TEST

START_TEST(one_contact)
{
    perp_arena a = {0};
    generated_problem m = problem_make("fc3d_known", NULL, 1, 1, &a);
    ck_assert_int_eq(perp_size(&m.p), 3);
    m = problem_make("fc3d_body_known", NULL, 1, 1, &a);
    ck_assert_int_eq(m.p.as.fc3d.form, PERP_FORM_BODY);
    ck_assert_int_eq(perp_size(&m.p), 3 + 12);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("generate_fc3d");
    TCase *t = tcase_create("generate_fc3d");
    tcase_add_test(t, answers);
    tcase_add_test(t, states);
    tcase_add_test(t, one_contact);
    suite_add_tcase(s, t);
    return support_run(s);
}
