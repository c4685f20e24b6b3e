/* tests/method/test_cone_map.c: derivatives of both maps against differences, every block type. */
#include "method/cone_set.h"
#include "support.h"

#include <math.h>

enum { N = 9 };

/* A cone of 1 + 2 + 2 rows, s between 0 and mu, a ball of two rows, a box, a free row. */
static perp_cone_set make_set(perp_arena *a)
{
    static const int follows[N] = {-1, 0, 0, 0, 0, -1, -1, -1, -1};
    static const int group[N] = {-1, 1, 1, 3, 3, 5, 5, -1, -1};
    static const double mu[N] = {0, 0.8, 0, 0.3, 0}, s[N] = {0, 0.5, 0, 0.3, 0};
    static const double lo[N] = {0, 0, 0, 0, 0, 0, 0, -0.4, -INFINITY};
    static const double hi[N] = {0, 0, 0, 0, 0, 0.6, 0, 0.5, INFINITY};
    const perp_cone c = {
        .n = N, .follows = follows, .group = group, .mu = mu, .s = s, .lo = lo, .hi = hi};
    perp_cone_set t;
    ck_assert(perp_cone_set_open(&t, a, &c));
    return t;
}

static double F_at(const perp_cone_set *t, int b, perp_cone_map map, const double *z,
                   const double *u, int i)
{
    double scratch[N], F[N], by_z[N * N], by_u[N * N];
    perp_cone_set_map(t, b, map, z, u, scratch, F, by_z, by_u);
    return F[i];
}

/* The derivative is that of one of the two sides, by differences. */
static void check_column(const perp_cone_set *t, int b, perp_cone_map map, double *z, double *u,
                         double *x, int j, const double *D)
{
    int d = t->block[b].count;
    double h = 1e-7, old = x[j];
    for (int i = 0; i < d; i++) {
        double middle = F_at(t, b, map, z, u, i);
        x[j] = old + h;
        double up = (F_at(t, b, map, z, u, i) - middle) / h;
        x[j] = old - h;
        double down = (middle - F_at(t, b, map, z, u, i)) / h;
        x[j] = old;
        double off = fmin(fabs(up - D[j * d + i]), fabs(down - D[j * d + i]));
        ck_assert_msg(off < 1e-5 || fabs(up - down) > 1e-5, "map %d block %d: (%d, %d) %g, not %g",
                      (int)map, b, i, j, D[j * d + i], up);
    }
}

START_TEST(derivatives)
{
    generator g = generator_start(2);
    perp_arena a = {0};
    perp_cone_set t = make_set(&a);
    for (int k = 0; k < 2000; k++) {
        double z[N], u[N], scratch[N], F[N], by_z[N * N], by_u[N * N];
        for (int i = 0; i < N; i++) {
            z[i] = generator_uniform(&g);
            u[i] = generator_uniform(&g);
        }
        for (int b = 0; b < t.blocks; b++) {
            for (int map = 0; map < 2; map++) {
                perp_cone_set_map(&t, b, (perp_cone_map)map, z, u, scratch, F, by_z, by_u);
                for (int j = 0; j < t.block[b].count; j++) {
                    check_column(&t, b, (perp_cone_map)map, z, u, z, j, by_z);
                    check_column(&t, b, (perp_cone_map)map, z, u, u, j, by_u);
                }
            }
        }
    }
    perp_arena_free(&a);
}
END_TEST

/* Both maps vanish at the same pairs: a slide, s < mu. */
START_TEST(zeros)
{
    perp_arena a = {0};
    perp_cone_set t = make_set(&a);
    const double z[] = {1, 0.8, 0, 0.1, 0.1}, u[] = {0.3 * 2, -2, 0, 0, 0};
    for (int map = 0; map < 2; map++) {
        double scratch[5], F[5], by_z[25], by_u[25];
        perp_cone_set_map(&t, 0, (perp_cone_map)map, z, u, scratch, F, by_z, by_u);
        ck_assert_double_le(plain_norm(5, F), 1e-15);
    }
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cone_map");
    TCase *c = tcase_create("map");
    tcase_add_test(c, derivatives);
    tcase_add_test(c, zeros);
    suite_add_tcase(s, c);
    return support_run(s);
}
