/* tests/core/test_body_form.c: sizes, scales and slack of the body form by hand. */
#include "core/body_form.h"
#include "support.h"

#include <check.h>
#include <math.h>

static const double M[] = {2, 0, 0, 4}, H[] = {1, 1, 0, 2}, G[] = {1, -1}, R[] = {3, 0, 0, 5};
static const double f[] = {6, 8}, w[] = {0.5, -1}, b[] = {7};
static perp_matrix views[4];

/* Two rows, two velocities, one equality. */
static perp_body_form make_form(bool rigid)
{
    views[0] = perp_dense(2, 2, M);
    views[1] = perp_dense(2, 2, H); /* columns (1, 1) and (0, 2) */
    views[2] = perp_dense(2, 1, G);
    views[3] = rigid ? (perp_matrix){.format = PERP_FORMAT_ABSENT} : perp_dense(2, 2, R);
    return (perp_body_form){.rows = 2,
                            .M = &views[0],
                            .H = &views[1],
                            .G = &views[2],
                            .R = &views[3],
                            .f = f,
                            .w = w,
                            .b = b};
}

START_TEST(sizes)
{
    perp_body_form t = make_form(true);
    perp_error e;
    ck_assert_int_eq(perp_body_size(&t), 5);
    ck_assert_int_eq(perp_body_velocities(&t), 2);
    ck_assert_int_eq(perp_body_equalities(&t), 1);
    ck_assert(perp_body_is_rigid(&t) && !perp_body_validate(&t, &e));
    t = make_form(false);
    ck_assert(!perp_body_is_rigid(&t) && !perp_body_validate(&t, &e));
    views[1] = perp_dense(1, 2, H);
    ck_assert_int_eq(perp_body_validate(&t, &e), PERP_E_ARGUMENT);
    t = make_form(true);
    views[2].n = -1;
    ck_assert_int_eq(perp_body_validate(&t, &e), PERP_E_ARGUMENT);
    t = make_form(true);
    t.f = NULL;
    ck_assert_int_eq(perp_body_validate(&t, &e), PERP_E_ARGUMENT);
}
END_TEST

/* D^-1 f = (3, 2): H' of it is (5, 4), G' of it 1. With z = (1, 1) f grows by (1, 3). */
START_TEST(scales)
{
    perp_body_form t = make_form(false);
    const double z[] = {1, 1};
    perp_arena a = {0};
    double s[3];
    perp_body_scales(&t, NULL, &a, s);
    ck_assert_double_eq_tol(s[0], hypot(5.5, 3), 1e-14);
    ck_assert_double_eq_tol(s[1], 10, 1e-14);
    ck_assert_double_eq_tol(s[2], 8, 1e-14);
    perp_body_scales(&t, z, &a, s); /* D^-1 f = (3.5, 2.75): H' of it (6.25, 5.5), R z = (3, 5) */
    ck_assert_double_eq_tol(s[0], hypot(6.25 + 3 + 0.5, 5.5 + 5 - 1), 1e-14);
    ck_assert_double_eq_tol(s[1], 10, 1e-14);
    perp_arena_free(&a);
    const double against[] = {-5, -4}; /* the terms cancel: nothing is left, and that is known */
    t.w = against;
    perp_body_scales(&t, NULL, &a, s);
    ck_assert_double_eq(s[0], 1);
    perp_arena_free(&a);
    perp_arena none = {.fixed = true};
    perp_body_scales(&t, NULL, &none, s);
    ck_assert(isnan(s[0]));
}
END_TEST

/* z = (1, 2), v = (3, 4), l = 5. */
START_TEST(slack)
{
    const double z[] = {1, 2, 3, 4, 5};
    double u[5];
    for (int rigid = 0; rigid < 2; rigid++) {
        perp_body_form t = make_form(rigid);
        perp_arena a = {0};
        perp_sums sums;
        ck_assert(perp_sums_open(&sums, &a, 5, u));
        perp_sums_start(&sums, PERP_SUMS_PLAIN);
        perp_body_slack(&t, z, &sums);
        ck_assert_double_eq(u[0], 7 + (rigid ? 0 : 3) + 0.5);
        ck_assert_double_eq(u[1], 8 + (rigid ? 0 : 10) - 1);
        ck_assert_double_eq(u[2], 6 - 6 - 1 - 5);
        ck_assert_double_eq(u[3], 16 - 8 - 5 + 5);
        ck_assert_double_eq(u[4], -1 + 7);
        const double s[3] = {1, 2, 4};
        ck_assert_double_eq_tol(perp_body_equations(&t, u, s), hypot(6, 8) / 2 + 6.0 / 4, 1e-14);
        perp_arena_free(&a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("body_form");
    TCase *t = tcase_create("body_form");
    tcase_add_test(t, sizes);
    tcase_add_test(t, scales);
    tcase_add_test(t, slack);
    suite_add_tcase(s, t);
    return support_run(s);
}
