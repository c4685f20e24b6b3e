/* tests/core/test_distance_definite.c: distances by a proved smallest eigenvalue. */
#include "distance_support.h"

#define BY DISTANCE_BY_DEFINITE

/* Around a tied point d = -w alone matters: |e| <= |w| / eigenvalue. */
static double radius_of(const perp_distance_map *map, const double *z, perp_status want,
                        bool *monotone)
{
    perp_arena a = {0};
    perp_distance_point point;
    perp_error e = {0};
    double norm = INFINITY, bound[DISTANCE_MOST];
    ck_assert(perp_distance_start(map, z, &a, &point));
    ck_assert_int_eq(perp_distance_definite(map, &point, &a, bound, &norm, monotone, &e), want);
    if (want == PERP_UNCERTIFIED) ck_assert_uint_gt(strlen(e.text), 10);
    perp_arena_free(&a);
    return norm;
}

/* {2, 1; -3, 2}: the symmetric part has 1 and 3. w = M (z - z*) = (0.25, 0). */
START_TEST(by_hand)
{
    const double M[] = {2, -3, 1, 2}, q[] = {-3 + 0.25, 1}, z[] = {1, 1};
    bool monotone = false;
    perp_distance_map map = distance_lcp(perp_dense(2, 2, M), q);
    double radius = radius_of(&map, z, PERP_SOLVED, &monotone);
    ck_assert(monotone);
    ck_assert_double_ge(radius, 0.25);
    ck_assert_double_le(radius, 0.25 / 0.7);
}
END_TEST

/* Units of 2^-40 and 2^40: bounds are entry by entry in those. */
START_TEST(units)
{
    const double D = 0x1p40, M[] = {2 * D * D, 1, 1, 2 / (D * D)}, q[] = {-2 * D, -1 / D};
    const double z[] = {1 / D, 0x1p-20 * D}; /* z* = (1/D, 0), tied */
    double bound[2];
    perp_error e = {0};
    perp_distance_map map = distance_lcp(perp_dense(2, 2, M), q);
    ck_assert_int_eq(distance_by(BY, &map, z, bound, &e), PERP_SOLVED);
    ck_assert_double_ge(bound[1], 0x1p-20 * D);
    ck_assert_double_le(bound[1], 0x1p-16 * D);
    ck_assert_double_le(bound[0], 0x1p-16 / D);
}
END_TEST

/* The smallest eigenvalue of a chain of 500 is 4 sin^2(pi / 1002); CSC and dense. */
START_TEST(chain)
{
    enum { N = 500 };
    static int p[N + 1], row[3 * N];
    static double x[3 * N], q[N], z[N];
    perp_arena a = {0};
    bool monotone;
    perp_matrix M = distance_chain(N, p, row, x), dense;
    double pi = acos(-1), eigenvalue = 4 * pow(sin(pi / (2 * (N + 1))), 2), sum = 0;
    for (int i = 0; i < N; i++) { /* z = 0 would be held at its bound: q points away from it */
        z[i] = 0;
        q[i] = -sin(pi * (i + 1) / (N + 1));
        sum += q[i] * q[i];
    }
    perp_distance_map map = distance_lcp(M, q);
    ck_assert_int_eq(perp_convert(&M, PERP_FORMAT_DENSE, &a, &dense, NULL), PERP_SOLVED);
    for (int pass = 0; pass < 2; pass++) {
        double exact = sqrt(sum) / eigenvalue; /* q is the eigenvector: z* = -q / eigenvalue */
        double radius = radius_of(&map, z, PERP_SOLVED, &monotone);
        ck_assert_double_ge(radius, exact * (1 - 1e-12));
        ck_assert_double_le(radius, exact * 4);
        map.M = dense;
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(not_definite)
{
    const double q[] = {-1, -1}, z[] = {0, 0};
    const double matrices[][4] = {
        {1, 1, 1, 1},           /* singular */
        {1, 2, 2, 1},           /* indefinite */
        {-1, 0, 0, 1},          /* negative */
        {0, 1, 0, 1},           /* 0 on the diagonal, and not beside it */
        {1, 1, 1, 1 + 0x1p-52}, /* definite, but by less than rounding */
        {1, 1, 1, 1 - 0x1p-53}, /* and the other way */
    };
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++) {
        bool monotone = true;
        perp_distance_map map = distance_lcp(perp_dense(2, 2, matrices[k]), q);
        radius_of(&map, z, PERP_UNCERTIFIED, &monotone);
        ck_assert(!monotone);
    }
}
END_TEST

/* Skew beside the definite part, as multipliers are: monotone, with no eigenvalue above 0. */
START_TEST(monotone_alone)
{
    const double M[] = {2, 0, 1, 0, 2, -3, -1, 3, 0}, q[] = {0, 0, 0}, z[] = {1, 1, 1};
    const int p[] = {0, 2, 4, 6}, row[] = {0, 2, 1, 2, 0, 1};
    const double x[] = {2, 1, 2, -3, -1, 3};
    bool monotone = false;
    perp_distance_map map = distance_lcp(perp_dense(3, 3, M), q);
    radius_of(&map, z, PERP_UNCERTIFIED, &monotone);
    ck_assert(monotone);
    monotone = false;
    map.M = perp_csc(3, 3, p, row, x);
    radius_of(&map, z, PERP_UNCERTIFIED, &monotone);
    ck_assert(monotone);
}
END_TEST

/* M off by a known part: what is left of the eigenvalue 1 is at most 1 - 2 * 0.2. */
START_TEST(inexact)
{
    const double M[] = {1, 0, 0, 1}, root[] = {1, 1}, q[] = {-1, 0}, z[] = {0, 0};
    bool monotone = false;
    perp_distance_map map = distance_lcp(perp_dense(2, 2, M), q);
    map.relative = 0.05;
    map.root = root;
    ck_assert_double_ge(radius_of(&map, z, PERP_SOLVED, &monotone), 1 / 0.9);
    map.relative = 0.5;
    radius_of(&map, z, PERP_UNCERTIFIED, &monotone);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("distance_definite");
    TCase *c = tcase_create("distance_definite");
    tcase_add_test(c, by_hand);
    tcase_add_test(c, units);
    tcase_add_test(c, chain);
    tcase_add_test(c, not_definite);
    tcase_add_test(c, monotone_alone);
    tcase_add_test(c, inexact);
    suite_add_tcase(s, c);
    return support_run(s);
}
