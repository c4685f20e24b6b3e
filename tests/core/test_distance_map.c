/* tests/core/test_distance_map.c: points of boxes, and what their slacks have to change by. */
#include "distance_support.h"

/* Where z goes, and |d| there, for w = z + q on [0, 1]. */
START_TEST(points)
{
    static const struct {
        double z, q, at, d;
    } cases[] = {
        {0.5, -0.5, 0.5, 0},     /* the solution */
        {0.5, -0.25, 0.5, 0.25}, /* between */
        {0.5, 2, 0, 0},          /* w = 2.5 at 0.5: to the lower bound */
        {0.5, -3, 1, 0},         /* to the upper one */
        {-1, -0.25, 0, 0.25},    /* outside, and a sign that is wrong at the bound */
        {7, -0.75, 1, 0.25},     /* above */
        {-7, 0.5, 0, 0},         /* the sign is right */
    };
    const double one[] = {1}, lo[] = {0}, hi[] = {1};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_arena a = {0};
        perp_distance_point point;
        perp_distance_map map = {
            .n = 1, .M = perp_dense(1, 1, one), .q = &cases[k].q, .lo = lo, .hi = hi};
        ck_assert(perp_distance_start(&map, &cases[k].z, &a, &point));
        ck_assert(point.z[0] == cases[k].at);
        ck_assert_double_ge(point.d[0], cases[k].d);
        ck_assert_double_le(point.d[0], cases[k].d * (1 + 1e-14) + 1e-29);
        perp_arena_free(&a);
    }
}
END_TEST

/* 0.1 * 3 - 0.3: pairs see what one number does not. */
START_TEST(rounding)
{
    const double M[] = {0.1}, q[] = {-0.3}, z[] = {3};
    perp_arena a = {0};
    perp_distance_point point;
    perp_distance_map map = distance_lcp(perp_dense(1, 1, M), q);
    ck_assert(perp_distance_start(&map, z, &a, &point));
    long double exact = fabsl((long double)M[0] * 3 + q[0]);
    ck_assert(exact > 0);
    ck_assert(point.d[0] >= exact);
    ck_assert(point.d[0] <= exact * (1 + 1e-12L));
    double lossy[16] = {0};
    const double minus[] = {-1, 0, 0, 0}, ones[] = {1, 1, 1, 1};
    for (int j = 0; j < 4; j++) lossy[4 * j] = distance_lossy[j];
    map = distance_lcp(perp_dense(4, 4, lossy), minus);
    ck_assert(perp_distance_start(&map, ones, &a, &point));
    ck_assert(point.w[0] == 0);
    ck_assert_double_ge(point.d[0], DISTANCE_LOST);
    perp_arena_free(&a);
}
END_TEST

static bool eval(void *ctx, const double *z, double *F)
{
    (void)ctx;
    F[0] = z[0];
    return true;
}

START_TEST(affine)
{
    const double M[] = {1, 0, 0, 1}, q[] = {1, 1}, lo[] = {0, 0}, mu[] = {0, 1};
    const int follows[] = {-1, 0};
    perp_arena a = {0};
    perp_distance_map map;
    perp_error e = {0};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M), q, lo, NULL);
    ck_assert_int_eq(perp_distance_affine(&p, &a, &map, &e), PERP_SOLVED);
    ck_assert(map.n == 2 && map.lo[1] == 0 && map.hi[1] == INFINITY && !map.monotone);
    p.as.mcp.follows = follows;
    p.as.mcp.mu = mu;
    ck_assert_int_eq(perp_distance_affine(&p, &a, &map, &e), PERP_UNCERTIFIED);
    ck_assert_ptr_nonnull(strstr(e.text, "unknown 1 follow"));
    p = perp_make_ncp(perp_make_map(1, eval, NULL, (perp_matrix){0}, NULL));
    ck_assert_int_eq(perp_distance_affine(&p, &a, &map, &e), PERP_UNCERTIFIED);
    ck_assert_ptr_nonnull(strstr(e.text, "callback"));
    perp_arena_free(&a);
}
END_TEST

START_TEST(no_memory)
{
    const double M[] = {1, 0, 0, 1}, q[] = {1, 1};
    perp_arena a;
    perp_distance_map map;
    perp_distance_point point;
    perp_error e = {0};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M), q, NULL, NULL);
    perp_arena_fixed(&a, NULL, 0);
    ck_assert_int_eq(perp_distance_affine(&p, &a, &map, &e), PERP_E_MEMORY);
    map = distance_lcp(perp_dense(2, 2, M), q);
    perp_arena_fixed(&a, NULL, 0);
    ck_assert(!perp_distance_start(&map, q, &a, &point));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("distance_map");
    TCase *c = tcase_create("distance_map");
    tcase_add_test(c, points);
    tcase_add_test(c, rounding);
    tcase_add_test(c, affine);
    tcase_add_test(c, no_memory);
    suite_add_tcase(s, c);
    return support_run(s);
}
