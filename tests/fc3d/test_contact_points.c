/* tests/fc3d/test_contact_points.c: blocks of rank 1 and 2, and without W_NN, are solved; a block
 * that has no solution is left as it is. */
#include "fc3d/contact.h"
#include "support.h"

#include <float.h>
#include <math.h>

/* W = sum of `rank` dyads, q = u - W r for the solution r = (1, 0.3, -0.2), which sticks. */
static void draw(generator *g, int rank, double W[9], double q[3])
{
    static const double r[3] = {1, 0.3, -0.2};
    for (int k = 0; k < 9; k++) W[k] = 0;
    for (int k = 0; k < rank; k++) {
        double a[3];
        for (int i = 0; i < 3; i++) a[i] = generator_uniform(g);
        for (int e = 0; e < 9; e++) W[e] += a[e % 3] * a[e / 3];
    }
    for (int i = 0; i < 3; i++) q[i] = -(W[i] * r[0] + W[3 + i] * r[1] + W[6 + i] * r[2]);
}

START_TEST(ranks)
{
    generator g = generator_start(3);
    for (int k = 0; k < 3000; k++) {
        double W[9], q[3], r[3] = {0};
        perp_contact_block b;
        draw(&g, 1 + k % 2, W, q);
        double size = fabs(q[0]) + fabs(q[1]) + fabs(q[2]);
        double error = perp_contact_points(W, q, 0.6, PERP_CONTACT_POINTS, r);
        double length = fabs(r[0]) + fabs(r[1]) + fabs(r[2]);
        ck_assert_double_le(error, 1e-12 * size + 64 * DBL_EPSILON * length);
        ck_assert_double_le(fabs(error - perp_contact_error(W, q, 0.6, r)), 1e-12 * (1 + length));
        double z[3] = {0};
        perp_contact_prepare(W, 0.6, &b);
        error = perp_contact_solve(W, &b, q, z);
        ck_assert(error <= 1e-12 * size || perp_contact_ends(W, q, z, error));
    }
}
END_TEST

START_TEST(no_normal)
{
    const double W[9] = {0, 0, 0, 0, 1, 0, 0, 0, 1}, opens[3] = {1, 1, 0}, closes[3] = {-1, 1, 0};
    double r[3] = {2, 0.5, 0};
    ck_assert_double_eq(perp_contact_points(W, opens, 0.5, PERP_CONTACT_POINTS, r), 0);
    ck_assert(r[0] == 0 && r[1] == 0 && r[2] == 0);
    r[0] = 2;
    ck_assert_double_ge(perp_contact_points(W, closes, 0.5, PERP_CONTACT_POINTS, r), 0.1);
    ck_assert(r[0] == 2 && r[1] == 0 && r[2] == 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_contact_points");
    TCase *c = tcase_create("points");
    tcase_add_test(c, ranks);
    tcase_add_test(c, no_normal);
    suite_add_tcase(s, c);
    return support_run(s);
}
