/* tests/rigid/test_frame.c: orthonormal, right-handed, for every normal. */
#include "rigid_support.h"

#include <float.h>

static double worst_of(const double n[3])
{
    double E[9], cross[3], worst = 0;
    perp_contact_frame(n, E);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            worst = fmax(worst, fabs(rigid_dot(E + 3 * i, E + 3 * j) - (i == j)));
        worst = fmax(worst, fabs(E[i] - n[i]));
    }
    rigid_cross(E, E + 3, cross); /* n x t1 = t2 */
    for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(cross[i] - E[6 + i]));
    return isnan(E[0] + E[3] + E[6]) ? INFINITY : worst;
}

START_TEST(a_million_normals)
{
    generator g = generator_start(1);
    double worst = 0;
    for (int k = 0; k < 1000000; k++) {
        double n[3];
        random_unit(&g, 3, n);
        worst = fmax(worst, worst_of(n));
    }
    ck_assert_double_le(worst, 8 * DBL_EPSILON);
}
END_TEST

START_TEST(axes_and_their_neighbours)
{
    const double tiny[] = {0, DBL_MIN, 1e-300, 1e-160, DBL_EPSILON, 1e-8, 1e-3};
    for (int axis = 0; axis < 3; axis++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int k = 0; k < 7 * 7 * 4; k++) {
                double n[3], x = tiny[k % 7] * (k & 1 ? 1 : -1), y = tiny[k / 7 % 7];
                n[axis] = sign * sqrt(1 - x * x - y * y);
                n[(axis + 1) % 3] = x;
                n[(axis + 2) % 3] = k / 49 & 1 ? y : -y;
                ck_assert_double_le(worst_of(n), 8 * DBL_EPSILON);
            }
        }
    }
    for (int k = 0; k < 27; k++) { /* edges and corners of a cube too */
        double n[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1}, length = plain_norm(3, n);
        for (int i = 0; i < 3; i++) n[i] /= length;
        if (length > 0) ck_assert_double_le(worst_of(n), 8 * DBL_EPSILON);
    }
}
END_TEST

START_TEST(by_hand)
{
    const double up[3] = {0, 0, 1}, down[3] = {0, 0, -1}, east[3] = {1, 0, 0};
    const double on_up[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    const double on_down[9] = {0, 0, -1, 1, 0, 0, 0, -1, 0};
    const double on_east[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
    double E[9];
    perp_contact_frame(up, E);
    ck_assert_double_eq(difference(9, E, on_up), 0);
    perp_contact_frame(down, E);
    ck_assert_double_eq(difference(9, E, on_down), 0);
    perp_contact_frame(east, E);
    ck_assert_double_eq(difference(9, E, on_east), 0);
}
END_TEST

START_TEST(equal_normals_have_equal_frames)
{
    const double plus[3] = {0.6, 0.8, 0.0}, minus[3] = {0.6, 0.8, -0.0};
    const double longer[3] = {0.6 * (1 + 1e-7), 0.8 * (1 + 1e-7), 0};
    double E[9], F[9];
    perp_contact_frame(plus, E);
    perp_contact_frame(minus, F);
    ck_assert_double_eq(difference(9, E, F), 0);
    perp_contact_frame(longer, F);
    ck_assert_double_le(difference(9, E, F), 2 * DBL_EPSILON);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_frame");
    TCase *c = tcase_create("frame");
    tcase_add_test(c, a_million_normals);
    tcase_add_test(c, axes_and_their_neighbours);
    tcase_add_test(c, by_hand);
    tcase_add_test(c, equal_normals_have_equal_frames);
    suite_add_tcase(s, c);
    return support_run(s);
}
