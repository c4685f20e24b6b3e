/* tests/fc3d/test_contact_matrix.c: canonical block rows and products with them. */
#include "fc3d/contact_matrix.h"
#include "fc3d_solver_support.h"

/* Block rows out of order, with a block in two parts and no diagonal in the last row. */
static perp_status look_canonical(perp_run *run, double *z, void *ctx)
{
    perp_contact_matrix b;
    (void)z;
    ck_assert_int_eq(perp_contact_matrix_open(run, &b), *(perp_status *)ctx);
    if (*(perp_status *)ctx) return *(perp_status *)ctx;
    for (int i = 0; i < b.contacts; i++) {
        for (int k = b.W.p[i] + 1; k < b.W.p[i + 1]; k++) {
            ck_assert_int_lt(b.W.j[k - 1], b.W.j[k]);
        }
    }
    ck_assert_int_eq(b.W.p[2], 4);
    double r[6] = {1, 2, 3, 4, 5, 6}, u[6], expected[6];
    perp_contact_matrix_velocity(&b, r, u);
    memcpy(expected, run->problem->as.fc3d.q, sizeof expected);
    perp_mul(&run->problem->as.fc3d.W, 1, r, 1, expected);
    ck_assert_double_le(difference(6, u, expected), 1e-14);
    ck_assert_double_eq_tol(b.trace[0], 3, 1e-15);
    ck_assert_double_eq_tol(b.mean, 1, 1e-15);
    return PERP_SOLVED;
}

START_TEST(canonical)
{
    const int p[3] = {0, 3, 5}, j[5] = {1, 0, 0, 1, 0}, missing[5] = {1, 0, 0, 0, 0};
    double x[45], q[6] = {-1, 0, 0, 0, 2, 0}, mu[2] = {1, 1};
    perp_result r;
    for (int k = 0; k < 5; k++) {
        for (int e = 0; e < 9; e++)
            x[9 * k + e] = (e % 4 == 0) * (k == 3 ? 1 : 0.5) + 0.01 * (e % 4 != 0);
    }
    perp_problem one = perp_make_fc3d(2, perp_bsr3(2, 2, p, j, x), q, mu);
    perp_status fine = PERP_SOLVED, bad = PERP_E_NUMBER;
    fc3d_inside(&one, look_canonical, &fine, &r);
    one.as.fc3d.W = perp_bsr3(2, 2, p, missing, x);
    q[3] = -1; /* closes, and nothing opens it */
    ck_assert_int_eq(fc3d_inside(&one, look_canonical, &bad, &r), PERP_E_NUMBER);
    ck_assert_msg(strstr(r.detail, "contact 1"), "%s", r.detail);
}
END_TEST

/* The error is the certificate's. */
static perp_status look_error(perp_run *run, double *z, void *ctx)
{
    perp_contact_matrix b;
    int worst = -1;
    double u[60];
    ck_assert_int_eq(perp_contact_matrix_open(run, &b), PERP_SOLVED);
    generator g = generator_start(5);
    for (int i = 0; i < 3 * b.contacts; i++) z[i] = generator_uniform(&g);
    perp_contact_matrix_velocity(&b, z, u);
    *(double *)ctx = perp_contact_matrix_error(&b, z, u, &worst) / perp_scale(run);
    ck_assert_int_ge(worst, 0);
    perp_residual r = certify(run->problem, z, PERP_SOLVED);
    ck_assert_double_eq_tol(r.natural, *(double *)ctx, 1e-12 * r.natural);
    return PERP_SOLVED;
}

START_TEST(errors)
{
    perp_arena a = {0};
    perp_result r;
    double error;
    generated_problem g = fc3d_generate("fc3d_known", NULL, 12, 1, &a);
    fc3d_inside(&g.p, look_error, &error, &r);
    ck_assert_double_gt(error, 0);
    perp_arena_free(&a);
}
END_TEST

/* Links on joints leave their contacts blocks of rank 2: the solvers of the whole problem need no
 * inverse of them. Conjugate gradients stall on one link alone. */
START_TEST(singular_blocks)
{
    static const char *const solvers[] = {"fc3d/newton", "fc3d/prox", "fc3d/ipm", "fc3d/admm",
                                          "fc3d/auto"};
    for (int k = 0; k < 30; k++) {
        perp_arena a = {0};
        perp_result r;
        perp_options *o = solver_options(solvers[k % 5], 1e-8, &a);
        int size = k < 20 ? 1 : 6;
        generated_problem g = fc3d_generate("chain", "fc3d_body", size, (uint64_t)k / 5 + 1, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        ck_assert_msg(solve_checked(&g.p, o, z, NULL, &r) == PERP_SOLVED, "%s, size %d: %s",
                      solvers[k % 5], size, r.detail);
        perp_arena_free(&a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_blocks");
    TCase *t = tcase_create("fc3d_blocks");
    tcase_add_test(t, canonical);
    tcase_add_test(t, errors);
    tcase_add_test(t, singular_blocks);
    suite_add_tcase(s, t);
    return support_run(s);
}
