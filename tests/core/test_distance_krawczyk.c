/* tests/core/test_distance_krawczyk.c: distances to a solution that no other is near to. */
#include "distance_support.h"

#define BY DISTANCE_BY_KRAWCZYK

/* {1, 2; 2, 1}, q = (-3, -3): solutions (1, 1), (3, 0) and (0, 3), each near to its own z. */
START_TEST(three_solutions)
{
    const double M[] = {1, 2, 2, 1}, q[] = {-3, -3};
    const double solutions[][2] = {{1, 1}, {3, 0}, {0, 3}};
    perp_distance_map map = distance_lcp(perp_dense(2, 2, M), q);
    for (int k = 0; k < 3; k++) {
        double z[2], bound[2];
        perp_error e = {0};
        for (int i = 0; i < 2; i++) z[i] = solutions[k][i] + (i ? 1e-3 : -2e-3);
        ck_assert_int_eq(distance_by(BY, &map, z, bound, &e), PERP_SOLVED);
        for (int i = 0; i < 2; i++) {
            double error = fabs(z[i] - solutions[k][i]);
            ck_assert_double_ge(bound[i], error);
            ck_assert_double_le(bound[i], error * (1 + 1e-9));
        }
    }
}
END_TEST

static void refused(const perp_distance_map *map, const double *z, const char *word)
{
    double bound[2];
    perp_error e = {0};
    ck_assert_int_eq(distance_by(BY, map, z, bound, &e), PERP_UNCERTIFIED);
    ck_assert_ptr_nonnull(strstr(e.text, word));
}

START_TEST(ties)
{
    const double M[] = {1, 2, 2, 1}, q[] = {-3, -6}; /* z = (3, 0) has w = 0 */
    const double z[] = {3, 0}, off[] = {3, 1e-9};
    perp_distance_map map = distance_lcp(perp_dense(2, 2, M), q);
    refused(&map, z, "tie");
    refused(&map, off, "tie");
    const double eye[] = {1, 0, 0, 1}, zero[] = {0, 0};
    map = distance_lcp(perp_dense(2, 2, eye), zero);
    refused(&map, zero, "tie");
}
END_TEST

START_TEST(singular)
{
    const double M[] = {1, 1, 1, 1}, near[] = {1, 1, 1, 1 + 0x1p-52}, q[] = {-2, -2};
    const double z[] = {1, 1};
    perp_distance_map map = distance_lcp(perp_dense(2, 2, M), q);
    refused(&map, z, "singular");
    map = distance_lcp(perp_dense(2, 2, near), q);
    refused(&map, z, "");
}
END_TEST

/* More unknowns between bounds than are allowed. */
START_TEST(too_many)
{
    const double M[] = {1, 0, 0, 1}, q[] = {-1, -1}, z[] = {1, 1};
    double bound[2];
    perp_arena a = {0};
    perp_distance_point point;
    perp_error e = {0};
    perp_distance_map map = distance_lcp(perp_dense(2, 2, M), q);
    ck_assert(perp_distance_start(&map, z, &a, &point));
    ck_assert_int_eq(perp_distance_krawczyk(&map, &point, 1, &a, bound, &e), PERP_UNCERTIFIED);
    ck_assert_ptr_nonnull(strstr(e.text, "more than 1"));
    ck_assert_int_eq(perp_distance_krawczyk(&map, &point, 2, &a, bound, &e), PERP_SOLVED);
    perp_arena_free(&a);
}
END_TEST

/* Both bounds, free and fixed unknowns, in CSC; the error of M counts where it is not exact. */
START_TEST(boxes)
{
    const int p[] = {0, 1, 2, 3, 4}, row[] = {0, 1, 2, 3};
    const double x[] = {2, -1, 4, 1}, lo[] = {0, -INFINITY, 1, 5}, hi[] = {1, INFINITY, 9, 5};
    const double q[] = {-6, 3, -3, 7}, z[] = {0.999, 3.001, 1.001, 5}; /* z* = (1, 3, 1, 5) */
    const double root[] = {1, 1, 2, 1};
    double bound[4], wider[4];
    perp_error e = {0};
    perp_distance_map map = distance_lcp(perp_csc(4, 4, p, row, x), q);
    map.lo = lo;
    map.hi = hi;
    ck_assert_int_eq(distance_by(BY, &map, z, bound, &e), PERP_SOLVED);
    for (int i = 0; i < 3; i++) {
        ck_assert_double_ge(bound[i], 1e-3 * (1 - 1e-9));
        ck_assert_double_le(bound[i], 1e-3 * (1 + 1e-9));
    }
    ck_assert(bound[3] == 0);
    map.relative = 1e-4;
    map.root = root;
    ck_assert_int_eq(distance_by(BY, &map, z, wider, &e), PERP_SOLVED);
    ck_assert_double_ge(wider[1], bound[1]);
    map.relative = 0.6;
    ck_assert_int_eq(distance_by(BY, &map, z, wider, &e), PERP_UNCERTIFIED);
}
END_TEST

/* The slack is 0 by its pairs, the solution 2^-120 away. */
START_TEST(rounding)
{
    double M[16] = {0}, lo[] = {0, 1, 1, 1}, hi[] = {2, 1, 1, 1}, bound[4];
    const double q[] = {-1, 0, 0, 0}, z[] = {1, 1, 1, 1};
    perp_error e = {0};
    for (int j = 0; j < 4; j++) M[4 * j] = distance_lossy[j];
    perp_distance_map map = distance_lcp(perp_dense(4, 4, M), q);
    map.lo = lo;
    map.hi = hi;
    ck_assert_int_eq(distance_by(BY, &map, z, bound, &e), PERP_SOLVED);
    ck_assert_double_ge(bound[0], DISTANCE_LOST);
    ck_assert_double_le(bound[0], 1e-28);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("distance_krawczyk");
    TCase *c = tcase_create("distance_krawczyk");
    tcase_add_test(c, three_solutions);
    tcase_add_test(c, ties);
    tcase_add_test(c, singular);
    tcase_add_test(c, too_many);
    tcase_add_test(c, boxes);
    tcase_add_test(c, rounding);
    suite_add_tcase(s, c);
    return support_run(s);
}
