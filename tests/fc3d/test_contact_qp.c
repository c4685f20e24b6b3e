/* tests/fc3d/test_contact_qp.c: one contact on a pyramid, as a non-symmetric QP. */
#include "contact_cases.h"
#include "fc3d/contact.h"
#include "support.h"

#include <stdlib.h>

typedef struct tools {
    double *matrix, *doubles;
    int *ints;
    perp_arena a;
} tools;

static tools open_tools(int facets)
{
    tools t = {0};
    size_t n = (size_t)facets + 2;
    t.matrix = perp_alloc(&t.a, n * n, sizeof(double));
    t.doubles = perp_alloc(&t.a, perp_contact_qp_doubles(facets), sizeof(double));
    t.ints = perp_alloc(&t.a, perp_contact_qp_ints(facets), sizeof(int));
    ck_assert(!t.a.failed);
    return t;
}

/* How far u_N is from what r_N allows, and the friction from the most that the pyramid has against
 * u_T; both scaled. */
static double gap(const contact_case *c, int facets, const double r[3])
{
    double u[3], q = contact_norm(c->q), size = contact_norm(r), most = -INFINITY;
    for (int i = 0; i < 3; i++) {
        u[i] = c->q[i] + c->W[i] * r[0] + c->W[i + 3] * r[1] + c->W[i + 6] * r[2];
    }
    for (int h = 0; h < facets; h++) {
        double turn = 6.283185307179586 * h / facets;
        most = fmax(most, -c->mu * r[0] * (cos(turn) * u[1] + sin(turn) * u[2]));
    }
    double normal = r[0] > 0 ? fabs(u[0]) : fmax(-u[0], 0);
    double friction = size > 0 ? fabs(most + u[1] * r[1] + u[2] * r[2]) / size : 0;
    return fmax(normal, friction) / q;
}

START_TEST(solves_on_the_pyramid)
{
    static const int facets[] = {4, 8, 16};
    for (int f = 0; f < 3; f++) {
        generator g = generator_start(12);
        tools t = open_tools(facets[f]);
        int count = 0, solved = 0;
        for (int k = 0; k < 3000; k++) {
            contact_case c = contact_draw(&g);
            double r[3] = {0};
            if (!c.definite || c.kappa > 100 || c.mu > 2) continue;
            perp_contact_pyramid(c.W, c.mu, facets[f], t.matrix);
            count++;
            if (!perp_contact_qp(t.matrix, c.W, c.q, facets[f], t.doubles, t.ints, r)) continue;
            solved++;
            ck_assert_double_lt(gap(&c, facets[f], r), 1e-8);
        }
        ck_assert_int_gt(count, 150);
        ck_assert_int_ge(100 * solved, 99 * count);
        perp_arena_free(&t.a);
    }
}
END_TEST

/* An edge along -q_T: there the pyramid is the cone. And taking off. */
START_TEST(exact_along_an_edge)
{
    const double W[9] = {1, 0, 0, 0, 2, 0, 0, 0, 2};
    tools t = open_tools(4);
    double r[3] = {0};
    perp_contact_pyramid(W, 0.5, 4, t.matrix);
    ck_assert(perp_contact_qp(t.matrix, W, (const double[3]){-1, 6, 0}, 4, t.doubles, t.ints, r));
    ck_assert(fabs(r[0] - 1) < 1e-12 && fabs(r[1] + 0.5) < 1e-12 && fabs(r[2]) < 1e-12);
    ck_assert(perp_contact_qp(t.matrix, W, (const double[3]){1, 6, 0}, 4, t.doubles, t.ints, r));
    ck_assert(r[0] == 0 && r[1] == 0 && r[2] == 0);
    perp_arena_free(&t.a);
}
END_TEST

START_TEST(a_path_without_an_end_leaves_r)
{
    const double W[9] = {-1, 0, 0, 0, 1, 0, 0, 0, 1};
    tools t = open_tools(8);
    double r[3] = {7, 8, 9};
    perp_contact_pyramid(W, 0.5, 8, t.matrix);
    ck_assert(!perp_contact_qp(t.matrix, W, (const double[3]){-1, 0, 0}, 8, t.doubles, t.ints, r));
    ck_assert(r[0] == 7 && r[1] == 8 && r[2] == 9);
    perp_arena_free(&t.a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("contact_qp");
    TCase *t = tcase_create("contact_qp");
    tcase_add_test(t, solves_on_the_pyramid);
    tcase_add_test(t, exact_along_an_edge);
    tcase_add_test(t, a_path_without_an_end_leaves_r);
    suite_add_tcase(s, t);
    return support_run(s);
}
