/* tests/method/test_cone_local.c: one block of any shape and rank is solved to rounding. */
#include "method/cone_local.h"
#include "support.h"

#include <float.h>
#include <math.h>

enum { MOST = 6 };

static const struct {
    int d, group[MOST];
} shapes[] = {{2, {-1, 1}},       {3, {-1, 1, 1}},       {3, {-1, 1, 2}},
              {4, {-1, 1, 1, 3}}, {5, {-1, 1, 1, 3, 3}}, {6, {-1, 1, 1, 3, 4, 4}}};

/* B'B of that rank, and a skew part. */
static void draw_matrix(generator *g, int d, int rank, double skew, double *B)
{
    double A[MOST * MOST];
    for (int k = 0; k < d * rank; k++) A[k] = generator_uniform(g);
    for (int i = 0; i < d; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0, part = i == j ? 0 : skew * generator_uniform(g);
            for (int k = 0; k < rank; k++) sum += A[i * rank + k] * A[j * rank + k];
            B[j * d + i] = sum + part;
            B[i * d + j] = sum - part;
        }
    }
}

/* A solution by x = P(x) and its rest; q follows. */
static void plant(const perp_cone_set *t, generator *g, int d, const double *B, double *z,
                  double *q)
{
    double x[MOST], size = 0;
    for (int i = 0; i < d; i++) z[i] = x[i] = generator_uniform(g);
    perp_cone_set_project(t, 0, z);
    for (int i = 0; i < d; i++) q[i] = z[i] - x[i];
    for (int k = 0; k < t->block[0].groups; k++) {
        const perp_cone_group *p = &t->group[k];
        size += p->s * perp_cone_set_length(p->count, q + p->first);
    }
    q[0] -= size;
    for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) q[i] -= B[j * d + i] * z[j];
    }
}

static bool solves(generator *g, int shape, bool convex)
{
    int d = shapes[shape].d, rank = generator_between(g, 1, d), follows[MOST];
    double mu[MOST], s[MOST], B[MOST * MOST], z[MOST], q[MOST], x[MOST] = {0}, size = 0;
    for (int i = 0; i < d; i++) {
        follows[i] = i ? 0 : -1;
        mu[i] = generator_unit(g);
        s[i] = convex ? 0 : mu[i];
    }
    const perp_cone c = {
        .n = d, .follows = follows, .group = shapes[shape].group, .mu = mu, .s = s};
    perp_arena a = {0};
    perp_cone_set t;
    perp_cone_local l;
    ck_assert(perp_cone_set_open(&t, &a, &c) && perp_cone_local_open(&l, &a, d));
    draw_matrix(g, d, rank, generator_below(g, 2) ? 0.3 : 0, B);
    plant(&t, g, d, B, z, q);
    double error = perp_cone_local_solve(&t, 0, B, q, PERP_CONE_LOCAL_STEPS, x, &l);
    for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) size += fabs(B[j * d + i] * x[j]);
    }
    ck_assert_double_eq(error, perp_cone_local_error(&t, 0, B, q, x, &l));
    double norm = plain_norm(d, q);
    bool good = error <= fmax(1e-12 * norm, 32 * DBL_EPSILON * size);
    perp_arena_free(&a);
    return good;
}

START_TEST(every_shape_and_rank)
{
    generator g = generator_start(1);
    for (int k = 0; k < 6; k++) {
        int solved = 0, draws = 2000;
        for (int i = 0; i < draws; i++) solved += solves(&g, k, i % 2);
        ck_assert_msg(solved >= 0.995 * draws, "shape %d: %d of %d", k, solved, draws);
    }
}
END_TEST

/* Coulomb in the plane has three solutions here, and the first in the order is taken. */
START_TEST(plane)
{
    const int follows[] = {-1, 0};
    const double mu[] = {0, 1.5}, B[] = {1, 0.9, 0.9, 1}, q[] = {-1, 0.2};
    const perp_cone c = {.n = 2, .follows = follows, .mu = mu};
    perp_arena a = {0};
    perp_cone_set t;
    perp_cone_local l;
    double z[2] = {0};
    ck_assert(perp_cone_set_open(&t, &a, &c) && perp_cone_local_open(&l, &a, 2));
    ck_assert_double_le(perp_cone_local_solve(&t, 0, B, q, PERP_CONE_LOCAL_STEPS, z, &l), 1e-15);
    perp_arena_free(&a);
}
END_TEST

/* Boxes: a quotient, and bounds where the diagonal is not positive. */
START_TEST(boxes)
{
    const double lo[] = {-1}, hi[] = {2}, q[] = {-3}, zero[] = {0}, two[] = {2};
    const perp_cone c = {.n = 1, .lo = lo, .hi = hi};
    perp_arena a = {0};
    perp_cone_set t;
    perp_cone_local l;
    double z = 0;
    ck_assert(perp_cone_set_open(&t, &a, &c) && perp_cone_local_open(&l, &a, 1));
    ck_assert_double_eq(perp_cone_local_solve(&t, 0, two, q, 0, &z, &l), 0);
    ck_assert_double_eq(z, 1.5);
    ck_assert_double_eq(perp_cone_local_solve(&t, 0, zero, q, 0, &z, &l), 0);
    ck_assert_double_eq(z, 2);
    perp_arena_free(&a);
}
END_TEST

/* Where z would have to be smaller than the smallest number the block ends at once. */
START_TEST(underflow)
{
    const int follows[] = {-1, 0, 0}, group[] = {-1, 1, 1};
    const double mu[] = {0, 0.5, 0.5}, q[] = {-4e-322, -3e-322, 2e-322};
    const double B[] = {6e12, 1e9, -2e9, -2e9, 4e10, 1e9, 3e9, -1e9, 5e11};
    const perp_cone c = {.n = 3, .follows = follows, .group = group, .mu = mu, .s = mu};
    perp_arena a = {0};
    perp_cone_set t;
    perp_cone_local l;
    double z[3] = {0};
    ck_assert(perp_cone_set_open(&t, &a, &c) && perp_cone_local_open(&l, &a, 3));
    ck_assert_double_le(perp_cone_local_solve(&t, 0, B, q, PERP_CONE_LOCAL_STEPS, z, &l), 1e-320);
    ck_assert_int_eq(l.steps, PERP_CONE_LOCAL_STEPS);
    perp_arena_free(&a);
}
END_TEST

/* Rank 1 and s = mu: proximal points lead into a valley, and starts elsewhere end nowhere; a
 * bisection of sum s |u_g| ends it within 2000 steps after them. */
START_TEST(fixed_point)
{
    const int follows[] = {-1, 0, 0}, group[] = {-1, 1, 2};
    const double mu[] = {0, 0.58411573847293563, 0.78339453674519832};
    const double q[] = {-0.0052622333778082342, 0.00071112025359318723, -0.16695787013032204};
    const double B[] = {0.19551015708532285,   -0.026420575163556406, -0.25549487225417311,
                        -0.026420575163556406, 0.0035703863286678148, 0.034526704785719682,
                        -0.25549487225417311,  0.034526704785719682,  0.33388357270711183};
    const perp_cone c = {.n = 3, .follows = follows, .group = group, .mu = mu, .s = mu};
    perp_arena a = {0};
    perp_cone_set t;
    perp_cone_local l;
    double z[3] = {0};
    ck_assert(perp_cone_set_open(&t, &a, &c) && perp_cone_local_open(&l, &a, 3));
    ck_assert_double_le(perp_cone_local_solve(&t, 0, B, q, PERP_CONE_LOCAL_STEPS, z, &l), 1e-15);
    ck_assert_int_ge(l.steps, PERP_CONE_LOCAL_STEPS * 7 / 8 - 2000);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("method_cone_local");
    TCase *c = tcase_create("block");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, every_shape_and_rank);
    tcase_add_test(c, plane);
    tcase_add_test(c, boxes);
    tcase_add_test(c, underflow);
    tcase_add_test(c, fixed_point);
    suite_add_tcase(s, c);
    return support_run(s);
}
