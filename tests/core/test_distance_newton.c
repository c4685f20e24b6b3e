/* tests/core/test_distance_newton.c: points nearer to the solution. */
#include "distance_support.h"

static double left_of(const perp_distance_map *map, const double *z, const double *star)
{
    perp_arena a = {0};
    perp_distance_point point;
    ck_assert(perp_distance_start(map, z, &a, &point));
    size_t used = a.used;
    double before = vector_norm(map->n, point.d);
    ck_assert_int_eq(perp_distance_improve(map, &point, &a), PERP_SOLVED);
    ck_assert_uint_eq(a.used, used);
    ck_assert_double_le(vector_norm(map->n, point.d), before);
    for (int i = 0; i < map->n; i++) {
        ck_assert(point.z[i] >= map->lo[i] && point.z[i] <= map->hi[i]);
    }
    double left = difference(map->n, point.z, star);
    perp_arena_free(&a);
    return left;
}

/* Wrong about every bound, and about a tie. */
START_TEST(finds_bounds)
{
    const double M[] = {4, -1, 1, -1, 4, 0, 0, -1, 4}, q[] = {-4, 3, -1}, star[] = {1, 0, 0};
    const double z[] = {0, 0.7, 0.9};
    perp_distance_map map = distance_lcp(perp_dense(3, 3, M), q);
    ck_assert_double_le(left_of(&map, z, star), 1e-15);
}
END_TEST

START_TEST(chain)
{
    enum { N = 600 };
    static int p[N + 1], row[3 * N];
    static double x[3 * N], q[N], z[N], star[N];
    for (int i = 0; i < N; i++) star[i] = 1;
    for (int i = 0; i < N; i++) q[i] = i == 0 || i == N - 1 ? -1 : 0;
    for (int i = 0; i < N; i++) z[i] = 1 + 0.5 * sin(i);
    perp_distance_map map = distance_lcp(distance_chain(N, p, row, x), q);
    ck_assert_double_le(left_of(&map, z, star), 1e-9);
}
END_TEST

/* A singular matrix, none at all, and a solution stay as they are. */
START_TEST(left_alone)
{
    const double M[] = {1, 1, 1, 1}, q[] = {-2, -2}, z[] = {1.5, 1}, star[] = {1, 1};
    perp_distance_map map = distance_lcp(perp_dense(2, 2, M), q);
    ck_assert_double_eq(left_of(&map, z, z), 0);
    map = distance_lcp((perp_matrix){.m = 2, .n = 2}, q);
    ck_assert_double_eq(left_of(&map, z, z), 0);
    const double eye[] = {1, 0, 0, 1}, one[] = {-1, -1};
    map = distance_lcp(perp_dense(2, 2, eye), one);
    ck_assert_double_eq(left_of(&map, star, star), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("distance_newton");
    TCase *c = tcase_create("distance_newton");
    tcase_add_test(c, finds_bounds);
    tcase_add_test(c, chain);
    tcase_add_test(c, left_alone);
    suite_add_tcase(s, c);
    return support_run(s);
}
