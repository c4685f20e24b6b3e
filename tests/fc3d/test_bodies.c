/* tests/fc3d/test_bodies.c: bodies found from M and H. */
#include "fc3d/bodies.h"
#include "fc3d_support.h"

typedef struct expected {
    perp_status status;
    int dof, bodies;
} expected;

/* A'A is H' M^-1 H, and L^-T A r the velocity that r gives. */
static perp_status compare(perp_run *run, double *z, void *ctx)
{
    const perp_fc3d *f = &run->problem->as.fc3d;
    const expected *e = ctx;
    perp_bodies b;
    (void)z;
    perp_status status = perp_bodies_open(run, &b);
    ck_assert_int_eq(status, e->status);
    if (status) return status;
    ck_assert_int_eq(b.dof, e->dof);
    ck_assert_int_eq(b.bodies, e->bodies);
    int n = 3 * f->contacts;
    double *W = PERP_ALLOC(run, double, n *n), *v = PERP_ALLOC(run, double, f->M.n);
    double *Mv = PERP_ALLOC(run, double, f->M.n);
    fc3d_delassus(f, W);
    for (int c = 0; c < f->contacts; c++) {
        const double *A = b.A + 36 * c;
        double block[9] = {0};
        for (int k = 0; k < 108; k++)
            block[k % 9] += A[k % 3 * 12 + k / 9] * A[k / 3 % 3 * 12 + k / 9];
        for (int k = 0; k < 9; k++) {
            double w = W[(3 * c + k / 3) * n + 3 * c + k % 3];
            ck_assert_double_eq_tol(block[k], w, 1e-12 * (fabs(block[0]) + fabs(block[4]) + 1e-3));
        }
    }
    perp_bodies_velocities(&b, b.free, v); /* M v = f */
    perp_mul(&f->M, 1, v, 0, Mv);
    for (int i = 0; i < f->M.n; i++)
        ck_assert_double_eq_tol(Mv[i], f->f[i], 1e-12 * (1 + fabs(f->f[i])));
    return PERP_STALLED;
}

START_TEST(boxes)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        perp_arena a = {0};
        perp_result r;
        generated_problem g = fc3d_generate("fc3d_body_known", NULL, 8, seed, &a);
        expected e = {.dof = 6, .bodies = g.p.as.fc3d.M.n / 6};
        ck_assert_int_eq(fc3d_inside(&g.p, compare, &e, &r), PERP_STALLED);
        perp_arena_free(&a);
    }
}
END_TEST

/* Two points of 3 velocities, one contact between them and one with the world. */
static double M[36], H[36], f[6] = {1, 2, 3, 4, 5, 6}, mu[2] = {0.5, 0.5};

static perp_problem points(void)
{
    memset(M, 0, sizeof M);
    memset(H, 0, sizeof H);
    for (int i = 0; i < 6; i++) M[7 * i] = 2 + i;
    M[1] = M[6] = 0.5;
    for (int i = 0; i < 3; i++) {
        H[7 * i] = 1;
        H[6 * i + 3 + i] = -1;
        H[6 * (3 + i) + i] = 1;
    }
    return (perp_problem){.kind = PERP_KIND_FC3D,
                          .as.fc3d = {.contacts = 2,
                                      .form = PERP_FORM_BODY,
                                      .mu = mu,
                                      .M = perp_dense(6, 6, M),
                                      .H = perp_dense(6, 6, H),
                                      .f = f}};
}

START_TEST(points_of_three)
{
    perp_result r;
    perp_problem p = points();
    /* nothing couples the points: as one body of 6 they would do too */
    expected six = {.dof = 6, .bodies = 1}, three = {.dof = 3, .bodies = 3},
             none = {PERP_E_FORMAT, 0, 0};
    ck_assert_int_eq(fc3d_inside(&p, compare, &six, &r), PERP_STALLED);
    M[3] = M[18] = 0.25; /* couples velocities 0 and 3: still one block of 6 */
    ck_assert_int_eq(fc3d_inside(&p, compare, &six, &r), PERP_STALLED);

    double M9[81] = {0}, H9[54] = {0}, f9[9] = {1};
    for (int i = 0; i < 9; i++) M9[10 * i] = 1 + i;
    for (int i = 0; i < 3; i++) {
        H9[10 * i] = 1;
        H9[9 * i + 6 + i] = -1;
        H9[9 * (3 + i) + 3 + i] = 1;
    }
    p.as.fc3d.M = perp_dense(9, 9, M9);
    p.as.fc3d.H = perp_dense(9, 6, H9);
    p.as.fc3d.f = f9;
    ck_assert_int_eq(fc3d_inside(&p, compare, &three, &r), PERP_STALLED);
    M9[3] = M9[27] = 0.1; /* no blocks of 3 any more, and 9 is no multiple of 6 */
    ck_assert_int_eq(fc3d_inside(&p, compare, &none, &r), PERP_E_FORMAT);
    M9[3] = M9[27] = 0;
    H9[3] = 1; /* three bodies at one contact */
    ck_assert_int_eq(fc3d_inside(&p, compare, &none, &r), PERP_E_FORMAT);
}
END_TEST

static perp_status only_open(perp_run *run, double *z, void *ctx)
{
    perp_bodies b;
    (void)z, (void)ctx;
    perp_status status = perp_bodies_open(run, &b);
    return status ? status : PERP_STALLED;
}

START_TEST(bad_masses)
{
    perp_result r;
    perp_problem p = points();
    expected refused = {PERP_E_NUMBER, 0, 0};
    M[1] = 0.6;
    ck_assert_int_eq(fc3d_inside(&p, compare, &refused, &r), PERP_E_NUMBER);
    ck_assert_msg(strstr(r.detail, "differ"), "%s", r.detail);
    for (int k = 0; k < 2; k++) { /* rounding is 1e-10 of the largest entry, 7 */
        p = points();
        M[1] += (k ? 1.1 : 0.9) * 7e-10;
        ck_assert_int_eq(fc3d_inside(&p, only_open, NULL, &r), k ? PERP_E_NUMBER : PERP_STALLED);
    }
    p = points();
    M[14] = 0;
    ck_assert_int_eq(fc3d_inside(&p, compare, &refused, &r), PERP_E_NUMBER);
    ck_assert_msg(strstr(r.detail, "row 2"), "%s", r.detail);
    M[14] = -3;
    ck_assert_int_eq(fc3d_inside(&p, compare, &refused, &r), PERP_E_NUMBER);
}
END_TEST

START_TEST(no_bodies)
{
    static const double w[6] = {-1, 0, 0, -1, 0, 0};
    perp_result r;
    perp_problem p = points();
    expected refused = {PERP_E_NUMBER, 0, 0}, none = {.dof = 6};
    p.as.fc3d.M = perp_dense(0, 0, M);
    p.as.fc3d.H = perp_dense(0, 6, H);
    p.as.fc3d.w = w;
    ck_assert_int_eq(fc3d_inside(&p, compare, &refused, &r), PERP_E_NUMBER);
    ck_assert_msg(strstr(r.detail, "contact 0"), "%s", r.detail);
    p.as.fc3d.contacts = 0;
    p.as.fc3d.H = perp_dense(0, 0, H);
    ck_assert_int_eq(fc3d_inside(&p, compare, &none, &r), PERP_SOLVED); /* at once */
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_bodies");
    TCase *t = tcase_create("fc3d_bodies");
    tcase_add_test(t, boxes);
    tcase_add_test(t, points_of_three);
    tcase_add_test(t, bad_masses);
    tcase_add_test(t, no_bodies);
    suite_add_tcase(s, t);
    return support_run(s);
}
