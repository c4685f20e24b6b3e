/* tests/fc3d/test_contact.c: one contact: closed forms, the secular equation, the chain. */
#include "fc3d/contact_secular.h"

#include "contact_cases.h"
#include "support.h"

static void solve_from_zero(const double W[9], double mu, const double q[3], double r[3])
{
    perp_contact_block k;
    ck_assert(perp_contact_prepare(W, mu, &k));
    for (int i = 0; i < 3; i++) r[i] = 0;
    double error = perp_contact_solve(W, &k, q, r);
    ck_assert_double_eq_tol(error, perp_contact_error(W, q, mu, r), 1e-15 * contact_norm(q));
}

/* S = 2 I: what sticks is -q / W, what slides has |r_T| = mu r_N against q_T. */
START_TEST(hand_worked)
{
    const double W[9] = {1, 0, 0, 0, 2, 0, 0, 0, 2};
    double r[3];
    solve_from_zero(W, 0.5, (const double[3]){1, 7, -3}, r);
    ck_assert(r[0] == 0 && r[1] == 0 && r[2] == 0);
    solve_from_zero(W, 0.5, (const double[3]){0, 7, -3}, r);
    ck_assert(r[0] == 0 && r[1] == 0 && r[2] == 0);
    solve_from_zero(W, 0.5, (const double[3]){-1, 0.2, 0}, r);
    ck_assert(fabs(r[0] - 1) < 1e-15 && fabs(r[1] + 0.1) < 1e-15 && r[2] == 0);
    solve_from_zero(W, 0.5, (const double[3]){-1, 3, 4}, r);
    ck_assert(fabs(r[0] - 1) < 1e-15 && fabs(r[1] + 0.3) < 1e-15 && fabs(r[2] + 0.4) < 1e-15);
    /* on the edge of the cone, where sticking and sliding meet */
    solve_from_zero(W, 0.5, (const double[3]){-1, 1, 0}, r);
    ck_assert(fabs(r[0] - 1) < 1e-15 && fabs(r[1] + 0.5) < 1e-15 && r[2] == 0);
}
END_TEST

/* W_NT = (1, 0), W_TN = 0: r_T slides along -t1, r_N = 1 - r_T1 = 1 + mu r_N. */
START_TEST(nonsymmetric)
{
    const double W[9] = {1, 0, 0, 1, 1, 0, 0, 0, 1}, q[3] = {-1, 10, 0};
    double r[3];
    solve_from_zero(W, 0.5, q, r);
    ck_assert(fabs(r[0] - 2) < 1e-14 && fabs(r[1] + 1) < 1e-14 && fabs(r[2]) < 1e-14);
}
END_TEST

START_TEST(without_friction)
{
    static const double mus[] = {0, 1e-40, 1e-300};
    const double W[9] = {2, 0.1, 0.2, 0.3, 1, 0, 0.1, 0.2, 3}, q[3] = {-1, 5, 5};
    double r[3];
    for (int k = 0; k < 3; k++) {
        solve_from_zero(W, mus[k], q, r);
        ck_assert(r[0] == 0.5 && fabs(r[1]) <= 1e-30 && fabs(r[2]) <= 1e-30);
    }
    solve_from_zero(W, 1e12, q, r); /* sticks, if it can */
    ck_assert(perp_contact_error(W, q, 1e12, r) < 1e-14 && r[1] < 0);
}
END_TEST

START_TEST(known_solutions)
{
    generator g = generator_start(11);
    for (int k = 0; k < 30000; k++) {
        contact_case c = contact_draw(&g);
        perp_contact_block block;
        double r[3] = {c.start[0], c.start[1], c.start[2]}, q = contact_norm(c.q);
        double before = perp_contact_error(c.W, c.q, c.mu, r);
        ck_assert(perp_contact_prepare(c.W, c.mu, &block));
        double after = perp_contact_solve(c.W, &block, c.q, r);
        ck_assert(after == perp_contact_error(c.W, c.q, c.mu, r) || after < 1e-14 * q);
        ck_assert_msg(after <= before, "case %d: from %g to %g", k, before, after);
        ck_assert_msg(after <= contact_goal(&c) * q, "case %d: kappa %g, mu %g: %g", k, c.kappa,
                      c.mu, after / q);
    }
}
END_TEST

/* From a solution, after a small change of q, the quick step finds the new one, to second order; it
 * says so where it does not. */
START_TEST(follows)
{
    generator g = generator_start(17);
    int plain = 0, followed = 0;
    for (int k = 0; k < 20000; k++) {
        contact_case c = contact_draw(&g);
        perp_contact_block block;
        double change = k % 2 ? 1e-3 : 1e-7, q[3], u[3], r[3], size = contact_norm(c.q);
        ck_assert(perp_contact_prepare(c.W, c.mu, &block));
        if (!block.plain || c.mu < 1e-3) continue;
        for (int i = 0; i < 3; i++) r[i] = c.solution[i];
        for (int i = 0; i < 3; i++) q[i] = c.q[i] + change * size * generator_uniform(&g);
        for (int i = 0; i < 3; i++) {
            u[i] = q[i] + c.W[i] * r[0] + c.W[3 + i] * r[1] + c.W[6 + i] * r[2];
        }
        plain++;
        if (!perp_contact_follow(&block, u, r)) {
            for (int i = 0; i < 3; i++) ck_assert_double_eq(r[i], c.solution[i]);
            continue;
        }
        followed++;
        double error = perp_contact_error(c.W, q, c.mu, r) / size;
        ck_assert_msg(error <= 1e-6, "case %d: mu %g: %g", k, c.mu, error);
    }
    ck_assert_int_ge(plain, 1000);
    ck_assert_msg(followed >= 0.95 * plain, "%d of %d", followed, plain);
}
END_TEST

/* A problem in other units is the same problem: r scales with q / W. */
START_TEST(units)
{
    generator g = generator_start(5);
    for (int k = 0; k < 2000; k++) {
        contact_case c = contact_draw(&g);
        perp_contact_block block;
        double scale = ldexp(1, 40 * (k % 5 - 2)), r[3] = {0}, x[3] = {0}, W[9];
        if (!c.definite || c.kappa > 1e3) continue;
        for (int i = 0; i < 9; i++) W[i] = scale * c.W[i];
        perp_contact_prepare(c.W, c.mu, &block);
        perp_contact_solve(c.W, &block, c.q, r);
        perp_contact_prepare(W, c.mu, &block);
        perp_contact_step(
            &block, c.q[0],
            (const double[2]){c.q[1] - block.l[0] * c.q[0], c.q[2] - block.l[1] * c.q[0]}, x);
        for (int i = 0; i < 3; i++) {
            ck_assert_double_le(fabs(scale * x[i] - r[i]), 1e-9 * contact_norm(r) + 1e-300);
        }
    }
}
END_TEST

/* From u at the start, as sweeps have it, comes what q gives. */
START_TEST(step_from_velocity)
{
    generator g = generator_start(6);
    for (int k = 0; k < 2000; k++) {
        contact_case c = contact_draw(&g);
        perp_contact_block b;
        double r[3], x[3], u[3];
        perp_contact_prepare(c.W, c.mu, &b);
        if (!b.plain) continue;
        for (int i = 0; i < 3; i++) {
            r[i] = x[i] = c.start[i];
            u[i] = c.W[i] * c.start[0] + c.W[i + 3] * c.start[1] + c.W[i + 6] * c.start[2] + c.q[i];
        }
        bool took = perp_contact_step(
            &b, c.q[0], (const double[2]){c.q[1] - b.l[0] * c.q[0], c.q[2] - b.l[1] * c.q[0]}, r);
        ck_assert(took && perp_contact_step_from(&b, u, x));
        ck_assert(perp_contact_error(c.W, c.q, c.mu, r) <= 1e-11 * contact_norm(c.q));
        ck_assert(perp_contact_error(c.W, c.q, c.mu, x) <=
                  1e-10 * (contact_norm(c.q) + contact_norm(c.start)));
    }
}
END_TEST

/* W_NT so strong that sliding only presses harder: nothing solves it; the start is kept or
 * bettered. */
START_TEST(jammed)
{
    const double W[9] = {1, 0, 0, 3, 1, 0, 0, 0, 1}, q[3] = {-1, 10, 0};
    perp_contact_block k;
    double r[3] = {0.25, -0.1, 0}, before = perp_contact_error(W, q, 0.5, r);
    ck_assert(perp_contact_prepare(W, 0.5, &k));
    double after = perp_contact_solve(W, &k, q, r);
    ck_assert(after <= before && isfinite(r[0]) && isfinite(r[1]) && isfinite(r[2]));
    r[0] = NAN;
    after = perp_contact_solve(W, &k, q, r);
    ck_assert(isfinite(after) ? isfinite(r[0]) : true);
}
END_TEST

/* What has no solution costs less each time, until little is tried, and never gets worse. */
START_TEST(hopeless)
{
    const double W[9] = {1, 0, 0, -3, -1, 0, 0, 0, 1}, q[3] = {-3, -10, 0};
    perp_contact_block k;
    double r[3] = {0}, last = INFINITY;
    ck_assert(perp_contact_prepare(W, 0.5, &k));
    for (int left = PERP_CONTACT_POINTS; left > 0; left /= 2) {
        ck_assert_int_eq(k.points, left);
        double error = perp_contact_solve(W, &k, q, r);
        ck_assert(error > 0.1 && error <= last);
        last = error;
    }
    ck_assert_int_eq(k.points, 0);
    ck_assert_double_le(perp_contact_solve(W, &k, q, r), last);
}
END_TEST

START_TEST(refusals)
{
    perp_contact_block k;
    double W[9] = {0, 0, 0, 0, 1, 0, 0, 0, 1};
    ck_assert(!perp_contact_prepare(W, 0.5, &k));
    W[0] = -1;
    ck_assert(!perp_contact_prepare(W, 0.5, &k));
    W[0] = NAN;
    ck_assert(!perp_contact_prepare(W, 0.5, &k));
    W[0] = 1e-320; /* 1 / W_NN overflows */
    ck_assert(!perp_contact_prepare(W, 0.5, &k));
    W[0] = 1;
    ck_assert(perp_contact_prepare(W, 0.5, &k) && k.regular && k.plain);
    W[4] = -1; /* an indefinite block is prepared, and known for it */
    ck_assert(perp_contact_prepare(W, 0.5, &k) && !k.regular && !k.plain);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("contact");
    TCase *t = tcase_create("contact");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, nonsymmetric);
    tcase_add_test(t, without_friction);
    tcase_add_test(t, known_solutions);
    tcase_add_test(t, follows);
    tcase_add_test(t, units);
    tcase_add_test(t, step_from_velocity);
    tcase_add_test(t, jammed);
    tcase_add_test(t, hopeless);
    tcase_add_test(t, refusals);
    suite_add_tcase(s, t);
    return support_run(s);
}
