/* tests/fc3d/test_contact_lemke.c: one contact on a pyramid, by Lemke. */
#include "contact_cases.h"
#include "fc3d/contact.h"
#include "support.h"

#include <stdlib.h>

#define MOST 64

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
    t.doubles = perp_alloc(&t.a, perp_contact_pyramid_doubles(facets), sizeof(double));
    t.ints = perp_alloc(&t.a, perp_contact_pyramid_ints(facets), sizeof(int));
    ck_assert(!t.a.failed);
    return t;
}

/* How far r_T is beyond the pyramid, over mu r_N. */
static double beyond(int facets, double mu, const double r[3])
{
    double worst = -INFINITY, turn = 6.283185307179586 / facets;
    for (int h = 0; h < facets; h++) { /* sides lie between two edges */
        double x = cos((h + 0.5) * turn) * r[1] + sin((h + 0.5) * turn) * r[2];
        worst = fmax(worst, x - mu * r[0] * cos(turn / 2));
    }
    return worst;
}

/* The more edges, the nearer to the cone; and always within the pyramid. */
START_TEST(tends_to_the_cone)
{
    static const int facets[] = {4, 8, 16, 64};
    double mean[4] = {0};
    for (int f = 0; f < 4; f++) {
        generator g = generator_start(12);
        tools t = open_tools(facets[f]);
        int count = 0;
        for (int k = 0; k < 1000; k++) {
            contact_case c = contact_draw(&g);
            double r[3] = {0}, q = contact_norm(c.q);
            if (!c.definite || c.kappa > 100 || c.mu > 2) continue;
            perp_contact_pyramid(c.W, c.mu, facets[f], t.matrix);
            ck_assert(perp_contact_lemke(t.matrix, c.W, c.q, facets[f], 0, t.doubles, t.ints, r));
            ck_assert_double_le(beyond(facets[f], c.mu, r), 1e-12 * (contact_norm(r) + q));
            mean[f] += perp_contact_error(c.W, c.q, c.mu, r) / q;
            count++;
        }
        ck_assert_int_gt(count, 50);
        mean[f] /= count;
        perp_arena_free(&t.a);
    }
    ck_assert(mean[0] > mean[1] && mean[1] > mean[2] && mean[2] > mean[3]);
    ck_assert_double_le(mean[3], 0.02);
}
END_TEST

/* An edge along -q_T: there the pyramid is the cone. */
START_TEST(exact_along_an_edge)
{
    const double W[9] = {1, 0, 0, 0, 2, 0, 0, 0, 2};
    tools t = open_tools(4);
    double r[3] = {0};
    perp_contact_pyramid(W, 0.5, 4, t.matrix);
    ck_assert(
        perp_contact_lemke(t.matrix, W, (const double[3]){-1, 6, 0}, 4, 0, t.doubles, t.ints, r));
    ck_assert(fabs(r[0] - 1) < 1e-14 && fabs(r[1] + 0.5) < 1e-14 && fabs(r[2]) < 1e-14);
    ck_assert(
        perp_contact_lemke(t.matrix, W, (const double[3]){1, 6, 0}, 4, 0, t.doubles, t.ints, r));
    ck_assert(r[0] == 0 && r[1] == 0 && r[2] == 0);
    perp_arena_free(&t.a);
}
END_TEST

START_TEST(a_ray_leaves_r)
{
    const double W[9] = {-1, 0, 0, 0, 1, 0, 0, 0, 1};
    tools t = open_tools(8);
    double r[3] = {7, 8, 9};
    perp_contact_pyramid(W, 0.5, 8, t.matrix);
    ck_assert(
        !perp_contact_lemke(t.matrix, W, (const double[3]){-1, 0, 0}, 8, 0, t.doubles, t.ints, r));
    ck_assert(r[0] == 7 && r[1] == 8 && r[2] == 9);
    perp_arena_free(&t.a);
}
END_TEST

/* Fewer pivots than Lemke needs leave r; as many as it needs do not. */
START_TEST(too_few_pivots_leave_r)
{
    const double W[9] = {1, 0, 0, 0, 2, 0, 0, 0, 2}, q[3] = {-1, 6, 1};
    tools t = open_tools(8);
    double all[3] = {0};
    int needed = 0;
    perp_contact_pyramid(W, 0.5, 8, t.matrix);
    ck_assert(perp_contact_lemke(t.matrix, W, q, 8, 0, t.doubles, t.ints, all));
    for (int most = 20; most > 0; most--) {
        double r[3] = {7, 8, 9};
        bool solved = perp_contact_lemke(t.matrix, W, q, 8, most, t.doubles, t.ints, r);
        ck_assert(solved ? r[0] == all[0] && r[1] == all[1] && r[2] == all[2]
                         : r[0] == 7 && r[1] == 8 && r[2] == 9);
        ck_assert(!solved || needed == 0 || most == needed - 1);
        if (solved) needed = most;
    }
    ck_assert(needed > 1 && needed < 20);
    perp_arena_free(&t.a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("contact_lemke");
    TCase *t = tcase_create("contact_lemke");
    tcase_add_test(t, tends_to_the_cone);
    tcase_add_test(t, exact_along_an_edge);
    tcase_add_test(t, a_ray_leaves_r);
    tcase_add_test(t, too_few_pivots_leave_r);
    suite_add_tcase(s, t);
    return support_run(s);
}
