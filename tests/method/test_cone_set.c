/* tests/method/test_cone_set.c: blocks of rows in any order, projections with several groups
 * against their conditions, and natural maps that lose no digits. */
#include "method/cone_set.h"
#include "support.h"

#include <math.h>
#include <string.h>

/* Rows 3 and 0, 4 are a cone with its normal behind a tangent; 1, 5 a ball; 2 a box. */
START_TEST(rows_in_any_order)
{
    const int follows[] = {3, -1, -1, -1, 3, -1}, group[] = {0, 1, -1, -1, 4, 1};
    const double mu[] = {0.5, 0, 0, 0, 2, 0}, s[] = {0.1, 0, 0, 0, 2, 0};
    const double hi[] = {0, 7, 8, 0, 0, 0}, lo[] = {0, -7, -3, 0, 0, 0};
    const perp_cone c = {
        .n = 6, .follows = follows, .group = group, .mu = mu, .s = s, .lo = lo, .hi = hi};
    perp_arena a = {0};
    perp_cone_set t;
    ck_assert(perp_cone_set_open(&t, &a, &c));
    ck_assert(t.blocks == 3 && t.largest == 3);
    const int rows[] = {1, 5, 2, 3, 0, 4};
    ck_assert_mem_eq(t.row, rows, sizeof rows);
    ck_assert(t.block[0].type == PERP_CONE_BALL && t.block[0].hi == 7 && t.block[0].count == 2);
    ck_assert(t.block[1].type == PERP_CONE_BOX && t.block[1].lo == -3 && t.block[1].hi == 8);
    ck_assert(t.block[2].type == PERP_CONE_GROUPS && t.block[2].groups == 2);
    ck_assert(t.group[0].mu == 0.5 && t.group[0].s == 0.1 && t.group[1].mu == 2);
    perp_arena_free(&a);
}
END_TEST

enum { MOST = 40 };

/* Boxes, balls and cones at random, their rows in order; of the last, the number of rows. */
static int draw_rows(generator *g, int follows[MOST], int group[MOST])
{
    int n = 0;
    while (n < MOST - 12) {
        int what = generator_below(g, 3), first = n;
        int groups = what == 0 ? 1 + generator_below(g, 3) : what == 1;
        if (what != 1) {
            follows[n] = group[n] = -1;
            n++;
        }
        for (int k = 0; k < groups; k++) {
            int head = n, count = 1 + generator_below(g, 3);
            bool alone = what == 0 && count == 1 && generator_below(g, 2);
            for (int i = 0; i < count; i++, n++) {
                follows[n] = what == 0 ? first : -1;
                group[n] = alone ? -1 : head;
            }
        }
    }
    return n;
}

/* The same blocks come out where three more rows, a ball with a box between, break the order. */
START_TEST(rows_in_order)
{
    generator g = generator_start(3);
    for (int round = 0; round < 2000; round++) {
        int follows[MOST], group[MOST], n = draw_rows(&g, follows, group);
        double mu[MOST], s[MOST], lo[MOST], hi[MOST];
        for (int i = 0; i < MOST; i++) {
            mu[i] = generator_unit(&g);
            s[i] = generator_unit(&g);
            lo[i] = generator_unit(&g);
            hi[i] = generator_unit(&g);
        }
        for (int i = n; i < n + 3; i++) {
            follows[i] = -1;
            group[i] = i == n + 1 ? -1 : n;
        }
        perp_cone c = {.n = n, .follows = follows, .group = group, .mu = mu, .lo = lo, .hi = hi};
        if (round % 2) c.s = s;
        perp_cone more = c;
        more.n = n + 3;
        perp_arena a = {0};
        perp_cone_set t, other;
        ck_assert(perp_cone_set_open(&t, &a, &c) && perp_cone_set_open(&other, &a, &more));
        ck_assert(other.row[n + 1] == n + 2); /* not in order */
        ck_assert(other.blocks == t.blocks + 2 && t.n == n);
        ck_assert_mem_eq(t.row, other.row, (size_t)n * sizeof *t.row);
        int groups = 0, largest = 0;
        for (int b = 0; b < t.blocks; b++) {
            const perp_cone_block *k = &t.block[b], *l = &other.block[b];
            ck_assert(k->type == l->type && k->first == l->first && k->count == l->count);
            ck_assert(k->groups == l->groups && k->lo == l->lo && k->hi == l->hi);
            ck_assert(k->groups == 0 || (k->group == groups && l->group == groups));
            groups += k->groups;
            largest = k->count > largest ? k->count : largest;
        }
        ck_assert_int_eq(t.largest, largest);
        for (int k = 0; k < groups; k++) {
            ck_assert(t.group[k].first == other.group[k].first);
            ck_assert(t.group[k].count == other.group[k].count);
            ck_assert(t.group[k].mu == other.group[k].mu && t.group[k].s == other.group[k].s);
        }
        perp_arena_free(&a);
    }
}
END_TEST

/* One cone of two groups with two rows each. */
static perp_cone_set make_rolling(double mu, double rolling, perp_arena *a)
{
    static const int follows[] = {-1, 0, 0, 0, 0}, group[] = {-1, 1, 1, 3, 3};
    const double coefficients[] = {0, mu, 0, rolling, 0};
    perp_cone_set t;
    const perp_cone c = {.n = 5, .follows = follows, .group = group, .mu = coefficients};
    ck_assert(perp_cone_set_open(&t, a, &c));
    return t;
}

/* y in K, x - y in the polar cone, orthogonal; and the natural map at z = x, v = 0 agrees. */
static void check_projection(const perp_cone_set *t, const double x[5])
{
    double y[5], map[5], zero[5] = {0}, product = 0, polar, size = 1 + plain_norm(5, x);
    const double mu[] = {t->group[0].mu, t->group[1].mu};
    memcpy(y, x, sizeof y);
    perp_cone_set_project(t, 0, y);
    for (int g = 0; g < 2; g++)
        ck_assert_double_le(hypot(y[1 + 2 * g], y[2 + 2 * g]), mu[g] * y[0] + 1e-15 * size);
    ck_assert_double_ge(y[0], 0);
    for (int i = 0; i < 5; i++) product += y[i] * (x[i] - y[i]);
    polar = x[0] - y[0] + mu[0] * hypot(x[1] - y[1], x[2] - y[2]) +
            mu[1] * hypot(x[3] - y[3], x[4] - y[4]);
    ck_assert_double_le(fabs(product), 1e-14 * size * size);
    ck_assert_double_le(polar, 1e-14 * size);
    perp_cone_set_natural(t, 0, x, zero, map);
    for (int i = 0; i < 5; i++) ck_assert_double_le(fabs(x[i] - map[i] - y[i]), 1e-14 * size);
}

START_TEST(projections)
{
    generator g = generator_start(1);
    for (int k = 0; k < 5000; k++) {
        perp_arena a = {0};
        perp_cone_set t =
            make_rolling(k % 7 ? generator_unit(&g) : 0, k % 5 ? generator_unit(&g) : 0, &a);
        double x[5];
        for (int i = 0; i < 5; i++)
            x[i] = k % 3 ? generator_uniform(&g) : generator_below(&g, 3) - 1;
        check_projection(&t, x);
        perp_arena_free(&a);
    }
    perp_arena a = {0};
    perp_cone_set t = make_rolling(0, 0, &a);
    double below[5] = {-1, 0, 0, 0, 0};
    perp_cone_set_project(&t, 0, below);
    ck_assert_double_eq(below[0], 0);
    perp_arena_free(&a);
}
END_TEST

/* A z of 1e12 that slides hides no velocity of 1e-6. */
START_TEST(large_z)
{
    perp_arena a = {0};
    perp_cone_set t = make_rolling(0.5, 0.25, &a);
    const double z[5] = {1e12, 0.3e12, 0.4e12, 0.15e12, -0.2e12};
    const double v[5] = {1e-6, 2e-6, -1e-6, 0, 1e-6};
    double map[5];
    perp_cone_set_natural(&t, 0, z, v, map);
    /* By hand: c_g = -e_g'v_g to first order, e = (0.6, 0.8) and (0.6, -0.8); the second is cut. */
    double c = 0.8e-6, m = (1e-6 - 0.25 * c) / (1 + 0.0625);
    ck_assert_double_eq_tol(map[0], m, 1e-17);
    ck_assert_double_eq_tol(map[1], 2e-6, 1e-17);
    ck_assert_double_eq_tol(map[4], 1e-6 - 0.8 * (c + 0.25 * m), 1e-17);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cone_set");
    TCase *c = tcase_create("set");
    tcase_add_test(c, rows_in_any_order);
    tcase_add_test(c, rows_in_order);
    tcase_add_test(c, projections);
    tcase_add_test(c, large_z);
    suite_add_tcase(s, c);
    return support_run(s);
}
