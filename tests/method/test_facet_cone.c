/* tests/method/test_facet_cone.c: the natural map of friction on a regular pyramid. */
#include "contact_cases.h"
#include "fc3d/contact.h"
#include "method/facet_cone.h"
#include "support.h"

#define TURN 6.283185307179586

/* The ray of corner h, (1, mu d). */
static void corner(const perp_facet_cone *k, int h, double e[3])
{
    e[0] = 1;
    e[1] = k->mu * cos(k->angle + TURN * h / k->facets);
    e[2] = k->mu * sin(k->angle + TURN * h / k->facets);
}

/* How far x is beyond the sides, times mu. */
static double beyond(const perp_facet_cone *k, const double x[3])
{
    double worst = -x[0];
    for (int h = 0; h < k->facets; h++) {
        double turn = k->angle + TURN * (h + 0.5) / k->facets;
        double out = cos(turn) * x[1] + sin(turn) * x[2];
        worst = fmax(worst, out - k->mu * x[0] * cos(TURN / 2 / k->facets));
    }
    return worst;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static perp_facet_cone draw(generator *g)
{
    return (perp_facet_cone){.facets = 3 + (int)(10 * generator_unit(g)),
                             .mu = pow(10, 2 * generator_uniform(g)),
                             .angle = 4 * generator_uniform(g)};
}

/* With u_T = 0 the map is r - P(r - u): P(x) is in K, x - P(x) in its polar cone, and both are
 * orthogonal; no other point has that. */
START_TEST(projects)
{
    generator g = generator_start(3);
    int met[3] = {0};
    for (int t = 0; t < 20000; t++) {
        perp_facet_cone k = draw(&g);
        double r[3], u[3] = {generator_uniform(&g), 0, 0}, map[3], p[3], left[3], e[3];
        for (int i = 0; i < 3; i++) r[i] = generator_uniform(&g);
        perp_facet_cone_natural(&k, r, u, map);
        for (int i = 0; i < 3; i++) {
            p[i] = r[i] - map[i];
            left[i] = r[i] - u[i] - p[i];
        }
        double tiny = 1e-13 * (1 + k.mu);
        ck_assert_double_le(beyond(&k, p), tiny);
        ck_assert_double_le(fabs(dot(p, left)), tiny);
        for (int h = 0; h < k.facets; h++) {
            corner(&k, h, e);
            ck_assert_double_le(dot(left, e), tiny);
        }
        met[contact_norm(p) < 1e-14 ? 0 : contact_norm(left) < 1e-14 ? 1 : 2]++;
    }
    for (int i = 0; i < 3; i++) ck_assert_int_gt(met[i], 1000);
}
END_TEST

/* Zero where Lemke's method and the QP solve the pyramid, not where the cone is solved. */
START_TEST(vanishes_at_solutions)
{
    generator g = generator_start(5);
    perp_arena a = {0};
    double *matrix = perp_alloc(&a, 100, sizeof *matrix);
    double *doubles = perp_alloc(&a, perp_contact_pyramid_doubles(8) + perp_contact_qp_doubles(8),
                                 sizeof *doubles);
    int *ints =
        perp_alloc(&a, perp_contact_pyramid_ints(8) + perp_contact_qp_ints(8), sizeof *ints);
    int slides = 0;
    for (int t = 0; t < 2000; t++) {
        contact_case c = contact_draw(&g);
        if (!c.definite || c.kappa > 100 || c.mu > 2) continue;
        perp_facet_cone k = {8, c.mu, 0};
        perp_contact_pyramid(c.W, c.mu, 8, matrix);
        for (int way = 0; way < 3; way++) {
            double r[3] = {c.solution[0], c.solution[1], c.solution[2]}, u[3], map[3];
            if (way == 0) ck_assert(perp_contact_lemke(matrix, c.W, c.q, 8, 0, doubles, ints, r));
            if (way == 1) ck_assert(perp_contact_qp(matrix, c.W, c.q, 8, doubles, ints, r));
            for (int i = 0; i < 3; i++) {
                u[i] = c.W[i] * r[0] + c.W[3 + i] * r[1] + c.W[6 + i] * r[2] + c.q[i];
            }
            perp_facet_cone_natural(&k, r, u, map);
            double error = contact_norm(map) / (contact_norm(r) + contact_norm(c.q));
            if (way < 2) ck_assert_double_le(error, 1e-9);
            slides += way == 2 && error > 1e-3;
        }
    }
    ck_assert_int_gt(slides, 20);
    perp_arena_free(&a);
}
END_TEST

/* mu = 0: r = (r_N, 0, 0), r_N >= 0 _|_ u_N >= 0, whatever u_T is. A large r keeps a small u. */
START_TEST(limits)
{
    const perp_facet_cone smooth = {5, 0, 0.3}, rough = {4, 0.5, 0};
    double map[3];
    perp_facet_cone_natural(&smooth, (const double[3]){2, 0, 0}, (const double[3]){0, 3, -4}, map);
    ck_assert_double_le(contact_norm(map), 1e-15);
    perp_facet_cone_natural(&smooth, (const double[3]){2, 1, 0}, (const double[3]){0, 0, 0}, map);
    ck_assert_double_eq_tol(map[1], 1, 1e-15);
    perp_facet_cone_natural(&rough, (const double[3]){0, 0, 0}, (const double[3]){1, 9, 9}, map);
    ck_assert_double_le(contact_norm(map), 1e-14);
    perp_facet_cone_natural(&rough, (const double[3]){1e20, 0, 1}, (const double[3]){1e-3, 0, 0},
                            map);
    ck_assert_double_eq(map[0], 1e-3);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("facet_cone");
    TCase *t = tcase_create("facet_cone");
    tcase_add_test(t, projects);
    tcase_add_test(t, vanishes_at_solutions);
    tcase_add_test(t, limits);
    suite_add_tcase(s, t);
    return support_run(s);
}
