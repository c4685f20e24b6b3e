/* tests/fc3d/test_contact_system.c: linear systems with a part of W. */
#include "base/watch.h"
#include "countdown.h"
#include "fc3d/contact_matrix.h"
#include "fc3d_solver_support.h"

/* Systems of some contacts: J x = b, checked by the products with W. */
static perp_status look_systems(perp_run *run, double *z, void *ctx)
{
    perp_contact_matrix b;
    generator g = generator_start(3);
    int step = *(int *)ctx, count = 0;
    (void)z;
    ck_assert_int_eq(perp_contact_matrix_open(run, &b), PERP_SOLVED);
    size_t n = (size_t)b.contacts;
    int *list = PERP_ALLOC(run, int, n);
    double *A = PERP_ALLOC(run, double, 9 * n), *B = PERP_ALLOC(run, double, 9 * n);
    double *x = PERP_ALLOC(run, double, 3 * n), *rhs = PERP_ALLOC(run, double, 3 * n);
    double *full = PERP_ALLOC(run, double, 3 * n), *u = PERP_ALLOC(run, double, 3 * n);
    for (size_t k = 0; k < 9 * n; k++) {
        A[k] = (k % 9 % 4 == 0) + 0.1 * generator_uniform(&g);
        B[k] = (k % 9 % 4 == 0) + 0.1 * generator_uniform(&g);
    }
    for (int c = 0; c < b.contacts; c += step) list[count++] = c;
    for (int k = 0; k < 3 * count; k++) x[k] = rhs[k] = generator_uniform(&g);
    for (int with = 0; with < 2; with++) {
        memcpy(x, rhs, 3 * (size_t)count * sizeof *x);
        ck_assert(perp_contact_matrix_factor(&b, count, list, with ? A : NULL, B));
        ck_assert(perp_contact_matrix_solve(&b, x));
        perp_contact_matrix_release(&b);
        memset(full, 0, 3 * n * sizeof *full);
        for (int k = 0; k < 3 * count; k++) full[3 * list[k / 3] + k % 3] = x[k];
        perp_contact_matrix_velocity(&b, full, u);
        for (int k = 0; k < 3 * count; k++) {
            int c = list[k / 3], i = k % 3;
            double sum = 0;
            for (int e = 0; e < 3; e++) {
                double left = with ? A[9 * c + 3 * e + i] : e == i;
                sum += left * (u[3 * c + e] - b.q[3 * c + e]) + B[9 * c + 3 * e + i] * x[k - i + e];
            }
            ck_assert_double_eq_tol(sum, rhs[k], 1e-9);
        }
    }
    return PERP_SOLVED;
}

START_TEST(systems)
{
    for (int k = 0; k < 6; k++) {
        perp_arena a = {0};
        perp_result r;
        int step = 1 + k % 2;
        generated_problem g =
            fc3d_generate("packing", k % 3 ? "fc3d" : "fc3d_body", k < 3 ? 5 : 60, 2, &a);
        fc3d_inside(&g.p, look_systems, &step, &r);
        perp_arena_free(&a);
    }
}
END_TEST

/* Regular, but without a regular diagonal: two contacts, J = [0 I; I 0] + W with a W that B takes
 * away. Then it is pivoted, densely; a singular one is told from it. */
static perp_status look_pivots(perp_run *run, double *z, void *ctx)
{
    perp_contact_matrix b;
    double B[18], x[6] = {1, 2, 3, 4, 5, 6};
    const int list[2] = {0, 1};
    bool regular = *(bool *)ctx;
    (void)z;
    ck_assert_int_eq(perp_contact_matrix_open(run, &b), PERP_SOLVED);
    for (int k = 0; k < 18; k++) B[k] = k % 9 % 4 == 0 ? -1 : 0; /* less the diagonal block */
    bool solved =
        perp_contact_matrix_factor(&b, 2, list, NULL, B) && perp_contact_matrix_solve(&b, x);
    ck_assert_int_eq(b.pivoted, 1);
    perp_contact_matrix_release(&b);
    ck_assert(solved == regular);
    const double expected[6] = {4, 5, 6, 1, 2, 3};
    if (regular) ck_assert_double_le(difference(6, x, expected), 1e-14);
    return PERP_SOLVED;
}

START_TEST(pivots)
{
    for (int regular = 0; regular < 2; regular++) {
        bool right = regular;
        double W[36] = {0}, q[6] = {-1, 0, 0, -1, 0, 0}, mu[2] = {0.5, 0.5};
        perp_result r;
        for (int i = 0; i < 6; i++) W[7 * i] = 1;
        for (int i = 0; i < 6 && regular; i++) W[6 * i + (i + 3) % 6] = 1;
        perp_problem p = perp_make_fc3d(2, perp_dense(6, 6, W), q, mu);
        fc3d_inside(&p, look_pivots, &right, &r);
    }
}
END_TEST

enum { MANY = 5000 }; /* contacts, more than are filled between two looks */

static perp_status look_stopped(perp_run *run, double *z, void *ctx)
{
    perp_contact_matrix b;
    countdown c = {.left = 1 << 30};
    perp_watch watch = {.stop = count_down, .ctx = &c};
    double *B = PERP_ALLOC(run, double, 9 * MANY);
    int *list = PERP_ALLOC(run, int, MANY);
    (void)z, (void)ctx;
    ck_assert_int_eq(perp_contact_matrix_open(run, &b), PERP_SOLVED);
    for (int k = 0; k < MANY; k++) list[k] = k;
    ck_assert(perp_contact_matrix_factor(&b, MANY, list, NULL, B));
    run->arena->watch = &watch; /* what is open stays open */
    ck_assert(perp_contact_matrix_factor(&b, MANY, list, NULL, B));
    int looks = c.looks;
    ck_assert_int_gt(looks, 0);
    for (int left = 0; left < looks; left++) {
        c = (countdown){.left = left};
        ck_assert(!perp_contact_matrix_factor(&b, MANY, list, NULL, B));
        run->arena->failed = false;
    }
    c = (countdown){.left = 1 << 30};
    ck_assert(perp_contact_matrix_factor(&b, MANY, list, NULL, B));
    perp_contact_matrix_release(&b);
    run->arena->watch = NULL;
    return PERP_STALLED;
}

/* A system that the watch interrupts is not factored; the next one is. */
START_TEST(stops)
{
    perp_arena a = {0};
    perp_result r;
    int *p = perp_alloc(&a, MANY + 1, sizeof *p), *j = perp_alloc(&a, MANY, sizeof *j);
    double *x = perp_alloc(&a, 9 * MANY, sizeof *x), *q = perp_alloc(&a, 3 * MANY, sizeof *q);
    double *mu = perp_alloc(&a, MANY, sizeof *mu);
    for (int i = 0; i < MANY; i++) {
        j[i] = i;
        p[i + 1] = i + 1;
        for (int e = 0; e < 3; e++) x[9 * i + 4 * e] = 1 + i % 3;
        q[3 * i] = -1;
    }
    perp_problem apart = perp_make_fc3d(MANY, perp_bsr3(MANY, MANY, p, j, x), q, mu);
    perp_status status = fc3d_inside(&apart, look_stopped, NULL, &r);
    ck_assert_msg(status == PERP_STALLED, "%s", r.detail);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_systems");
    TCase *t = tcase_create("fc3d_systems");
    tcase_add_test(t, systems);
    tcase_add_test(t, pivots);
    tcase_add_test(t, stops);
    suite_add_tcase(s, t);
    return support_run(s);
}
