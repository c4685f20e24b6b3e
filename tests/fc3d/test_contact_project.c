/* tests/fc3d/test_contact_project.c: the projected fixed point, and the explicit resolutions. */
#include "contact_cases.h"
#include "fc3d/contact.h"
#include "support.h"

START_TEST(fixed_point)
{
    generator g = generator_start(4);
    int tried = 0, solved = 0;
    for (int k = 0; k < 4000; k++) {
        contact_case c = contact_draw(&g);
        double r[3] = {c.start[0], c.start[1], c.start[2]};
        double before = perp_contact_error(c.W, c.q, c.mu, r);
        if (!c.definite || c.kappa > 10 || c.mu > 1) continue;
        double after = perp_contact_project(c.W, c.q, c.mu, 1000, r);
        ck_assert(after <= before);
        ck_assert_double_eq(after, perp_contact_error(c.W, c.q, c.mu, r));
        tried++;
        solved += after <= 1e-9 * contact_norm(c.q);
    }
    ck_assert_msg(tried > 50 && solved >= 0.95 * tried, "%d of %d", solved, tried);
}
END_TEST

/* Spheres: W_TN = 0, W_TT = w I; the sticking force scaled back is the solution. */
START_TEST(explicit_for_spheres)
{
    generator g = generator_start(2);
    for (int k = 0; k < 1000; k++) {
        double n = 0.1 + generator_unit(&g), w = 0.1 + generator_unit(&g), r[3], q[3];
        const double W[9] = {n, 0, 0, 0, w, 0, 0, 0, w};
        perp_contact_block block;
        for (int i = 0; i < 3; i++) q[i] = generator_uniform(&g);
        perp_contact_prepare(W, 0.4, &block);
        perp_contact_explicit(&block, q, r);
        ck_assert_double_le(perp_contact_error(W, q, 0.4, r), 1e-14);
    }
}
END_TEST

/* On a full block it is not: sliding keeps u_T parallel to r_T only by chance. */
START_TEST(explicit_elsewhere)
{
    const double W[9] = {1, 0.2, 0, 0.2, 1, 0, 0, 0, 3}, q[3] = {-1, 2, 2}, away[3] = {0.5, 1, 1};
    double r[3];
    perp_contact_block block;
    perp_contact_prepare(W, 0.3, &block);
    perp_contact_explicit(&block, q, r);
    ck_assert_double_eq_tol(perp_contact_error(W, q, 0.3, r), 0.1, 0.5); /* finite, */
    ck_assert_double_ge(perp_contact_error(W, q, 0.3, r), 0.01);         /* and no solution */
    ck_assert_double_le(hypot(r[1], r[2]), 0.3 * r[0] * (1 + 1e-15));
    perp_contact_explicit(&block, away, r);
    ck_assert(r[0] == 0 && r[1] == 0 && r[2] == 0);
}
END_TEST

/* One visit, by hand: the rest of the block enters by u alone. Then it is the explicit resolution
 * of a diagonal block. */
START_TEST(diagonal_step)
{
    const double W[9] = {2, 0.5, 0, 0.5, 4, 0, 0, 0, 8}, u[3] = {-1, 2, 1};
    double r[3] = {1, 0, 0};
    perp_contact_diagonal(W, 1, u, r); /* (1.5, -0.5, -0.125), which sticks */
    ck_assert(r[0] == 1.5 && r[1] == -0.5 && r[2] == -0.125);
    perp_contact_diagonal(W, 0.25, (const double[3]){0, 1, 1}, r);
    ck_assert_double_eq_tol(r[0], 1.5, 1e-15); /* (-0.75, -0.25) is cut to 0.375 */
    ck_assert_double_eq_tol(hypot(r[1], r[2]), 0.375, 1e-15);
    ck_assert_double_eq_tol(r[1], 3 * r[2], 1e-15);
    perp_contact_diagonal(W, 0.25, (const double[3]){4, 1, 1}, r);
    ck_assert(r[0] == 0 && r[1] == 0 && r[2] == 0);
    generator g = generator_start(9);
    for (int k = 0; k < 1000; k++) {
        const double D[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3};
        double q[3], at[3], full[3], own[3];
        perp_contact_block block;
        for (int i = 0; i < 3; i++) {
            q[i] = generator_uniform(&g);
            own[i] = generator_unit(&g);
        }
        for (int i = 0; i < 3; i++) at[i] = D[4 * i] * own[i] + q[i];
        perp_contact_prepare(D, 0.4, &block);
        perp_contact_explicit(&block, q, full);
        perp_contact_diagonal(D, 0.4, at, own);
        for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(own[i], full[i], 1e-14);
    }
}
END_TEST

/* It rests at solutions where both tangents have the same entry, however the block is coupled. */
START_TEST(diagonal_rests)
{
    generator g = generator_start(6);
    for (int k = 0; k < 200; k++) {
        double W[9] = {2, 0.3, -0.2, 0.3, 1, 0.1, -0.2, 0.1, 1}, q[3], u[3], r[3] = {0};
        perp_contact_block block;
        for (int i = 0; i < 3; i++) q[i] = generator_uniform(&g);
        perp_contact_prepare(W, 0.4, &block);
        for (int sweep = 0; sweep < 200; sweep++) {
            for (int i = 0; i < 3; i++) {
                u[i] = W[i] * r[0] + W[i + 3] * r[1] + W[i + 6] * r[2] + q[i];
            }
            perp_contact_diagonal(W, 0.4, u, r);
        }
        ck_assert_double_le(perp_contact_error(W, q, 0.4, r), 1e-12);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("contact_project");
    TCase *t = tcase_create("contact_project");
    tcase_add_test(t, fixed_point);
    tcase_add_test(t, explicit_for_spheres);
    tcase_add_test(t, explicit_elsewhere);
    tcase_add_test(t, diagonal_step);
    tcase_add_test(t, diagonal_rests);
    suite_add_tcase(s, t);
    return support_run(s);
}
