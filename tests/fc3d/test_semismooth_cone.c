/* tests/fc3d/test_semismooth_cone.c: the direction solves J d = -F. F is written down here again,
 * and J d found by differences. */
#include "fc3d/semismooth_cone.h"
#include "fc3d_support.h"
#include "method/cone.h"

/* The map of all contacts at r. */
static void map_at(const perp_semismooth_cone *s, const double *r, double *F)
{
    const perp_contact_matrix *b = s->b;
    double u[60];
    perp_contact_matrix_velocity(b, r, u);
    for (int c = 0; c < b->contacts; c++) {
        double rho = 3 / (b->trace[c] + 3 * s->alpha), x[3];
        for (int i = 0; i < 3; i++) {
            double v = u[3 * c + i] + s->alpha * (r[3 * c + i] - s->centre[3 * c + i]);
            x[i] = r[3 * c + i] - rho * v;
        }
        double p = x[0] > 0 ? x[0] : 0, bound = s->map == PERP_ALART_CURNIER ? p : r[3 * c];
        double radius = bound > 0 && p > 0 ? b->mu[c] * bound : 0, t = hypot(x[1], x[2]);
        double part = t > radius ? radius / t : 1;
        F[3 * c] = r[3 * c] - p;
        for (int i = 1; i < 3; i++) F[3 * c + i] = r[3 * c + i] - part * x[i];
    }
}

static perp_status look(perp_run *run, double *z, void *ctx)
{
    perp_contact_matrix b;
    perp_semismooth_cone s;
    generator g = generator_start(*(uint64_t *)ctx);
    double centre[60], v[60], F[60], G[60], r[60];
    (void)z;
    ck_assert_int_eq(perp_contact_matrix_open(run, &b), PERP_SOLVED);
    ck_assert(perp_semismooth_cone_open(run, &b, &s));
    int n = 3 * b.contacts;
    for (int map = 0; map < 2; map++) {
        for (int i = 0; i < n; i++) {
            centre[i] = generator_uniform(&g);
            r[i] = generator_uniform(&g) + (i % 3 == 0);
        }
        s.map = (perp_contact_map)map;
        s.alpha = 0.3;
        s.centre = centre;
        perp_contact_matrix_velocity(&b, r, v);
        ck_assert(perp_semismooth_cone_direct(&s, r, v));
        map_at(&s, r, F);
        const double h = 1e-7;
        for (int i = 0; i < n; i++) r[i] += h * s.d[i];
        map_at(&s, r, G);
        for (int i = 0; i < n; i++) ck_assert_double_eq_tol((G[i] - F[i]) / h, -F[i], 1e-5);
    }
    return PERP_SOLVED;
}

START_TEST(solves_the_linear_model)
{
    for (uint64_t k = 1; k < 40; k++) {
        perp_arena a = {0};
        perp_result r;
        generated_problem g = fc3d_generate("fc3d_known", NULL, 1 + (int)k % 10, k, &a);
        fc3d_inside(&g.p, look, &k, &r);
        perp_arena_free(&a);
    }
}
END_TEST

/* All contacts take off: no system, d = -r. */
static perp_status look_open(perp_run *run, double *z, void *ctx)
{
    perp_contact_matrix b;
    perp_semismooth_cone s;
    double r[3] = {1, 0.5, 0}, v[3] = {100, 0, 0};
    (void)z, (void)ctx;
    ck_assert_int_eq(perp_contact_matrix_open(run, &b), PERP_SOLVED);
    ck_assert(perp_semismooth_cone_open(run, &b, &s));
    ck_assert(perp_semismooth_cone_direct(&s, r, v));
    ck_assert_int_eq(s.closed, 0);
    ck_assert_int_eq(b.systems, 0);
    for (int i = 0; i < 3; i++) ck_assert_double_eq(s.d[i], -r[i]);
    return PERP_SOLVED;
}

START_TEST(takes_off)
{
    double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0, 0}, mu[1] = {0.5};
    perp_problem p = perp_make_fc3d(1, perp_dense(3, 3, W), q, mu);
    perp_result r;
    fc3d_inside(&p, look_open, NULL, &r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_semismooth");
    TCase *t = tcase_create("fc3d_semismooth");
    tcase_add_test(t, solves_the_linear_model);
    tcase_add_test(t, takes_off);
    suite_add_tcase(s, t);
    return support_run(s);
}
