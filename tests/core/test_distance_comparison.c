/* tests/core/test_distance_comparison.c: distances by the comparison matrix. */
#include "distance_support.h"

#define BY DISTANCE_BY_COMPARISON

/* M = {4, -1; -2, 4}, z* = (1, 1): <M>^-1 = {4, 1; 2, 4} / 14, and |d| = |w| = (0.4, 0.2). */
START_TEST(by_hand)
{
    const double M[] = {4, -2, -1, 4}, q[] = {-3, -2}, z[] = {1.1, 1};
    double bound[2];
    perp_error e = {0};
    perp_distance_map map = distance_lcp(perp_dense(2, 2, M), q);
    ck_assert_int_eq(distance_by(BY, &map, z, bound, &e), PERP_SOLVED);
    ck_assert_double_ge(bound[0], 1.8 / 14);
    ck_assert_double_ge(bound[1], 1.6 / 14);
    ck_assert_double_le(bound[0], 2.1 * 1.8 / 14);
    ck_assert_double_le(bound[1], 2.1 * 1.6 / 14);
}
END_TEST

/* A chain of 500 is too long for sweeps: it takes a factor, sparse or dense. */
START_TEST(weakly_dominant)
{
    enum { N = 500 };
    static int p[N + 1], row[3 * N];
    static double x[3 * N], q[N], z[N], bound[N];
    perp_arena a = {0};
    perp_error e = {0};
    perp_matrix M = distance_chain(N, p, row, x), dense;
    for (int i = 0; i < N; i++) q[i] = i == 0 || i == N - 1 ? -1 : 0; /* z* = 1 */
    for (int i = 0; i < N; i++) z[i] = 1 + (i == N / 2) * 1e-6;
    perp_distance_map map = distance_lcp(M, q);
    ck_assert_int_eq(distance_by(BY, &map, z, bound, &e), PERP_SOLVED);
    ck_assert_double_ge(bound[N / 2], 1e-6);
    ck_assert_double_le(bound[N / 2], 1e-3);
    ck_assert_int_eq(perp_convert(&M, PERP_FORMAT_DENSE, &a, &dense, &e), PERP_SOLVED);
    map.M = dense;
    ck_assert_int_eq(distance_by(BY, &map, z, bound, &e), PERP_SOLVED);
    ck_assert_double_ge(bound[N / 2], 1e-6);
    ck_assert_double_le(bound[N / 2], 1e-3);
    perp_arena_free(&a);
}
END_TEST

/* det M = 2^-48: the error of (1, 1) for z* = (1, 1) + 2^20 is as large as bounds say. */
START_TEST(nearly_singular)
{
    const double M[] = {1, -(1 - 0x1p-48), -1, 1}, star = 1 + 0x1p20;
    const double q[] = {0, -star * 0x1p-48}, z[] = {1, 1}; /* M (s, s) = (0, s 2^-48) */
    double bound[2];
    perp_error e = {0};
    perp_distance_map map = distance_lcp(perp_dense(2, 2, M), q);
    ck_assert_int_eq(distance_by(BY, &map, z, bound, &e), PERP_SOLVED);
    ck_assert_double_ge(bound[0], star - 1);
    ck_assert_double_ge(bound[1], star - 1);
}
END_TEST

static void refused(const double M[4])
{
    const double q[] = {-1, -1}, z[] = {0.5, 0.5};
    double bound[2];
    perp_error e = {0};
    perp_distance_map map = distance_lcp(perp_dense(2, 2, M), q);
    ck_assert_int_eq(distance_by(BY, &map, z, bound, &e), PERP_UNCERTIFIED);
    ck_assert_ptr_nonnull(strstr(e.text, "H-matrix"));
}

START_TEST(no_h_matrix)
{
    const double singular[] = {1, -1, -1, 1}, definite[] = {1, 2, -2, 1}, zero[] = {0, 0, 0, 1};
    const double negative[] = {-4, 1, 1, -4}, below[] = {1, -1, -1, 1 - 0x1p-53};
    refused(singular);
    refused(definite);
    refused(zero);
    refused(negative);
    refused(below);
}
END_TEST

/* An unknown with one value takes its row and column with it: M has no other H-matrix in it. */
START_TEST(fixed_unknown)
{
    const double M[] = {2, 9, 9, -1}, lo[] = {0, 3}, hi[] = {INFINITY, 3}, q[] = {-31, 0};
    const double z[] = {2.25, 3}; /* z* = (2, 3) */
    double bound[2];
    perp_error e = {0};
    perp_distance_map map = distance_lcp(perp_dense(2, 2, M), q);
    map.lo = lo;
    map.hi = hi;
    ck_assert_int_eq(distance_by(BY, &map, z, bound, &e), PERP_SOLVED);
    ck_assert_double_ge(bound[0], 0.25);
    ck_assert_double_le(bound[0], 0.51);
    ck_assert(bound[1] == 0);
}
END_TEST

/* At the solution, with a tie, the bound is 0 and nothing is divided by it. */
START_TEST(solution)
{
    const double M[] = {4, -2, -1, 4}, q[] = {0, 0}, z[] = {0, 0};
    double bound[2];
    perp_error e = {0};
    perp_distance_map map = distance_lcp(perp_dense(2, 2, M), q);
    ck_assert_int_eq(distance_by(BY, &map, z, bound, &e), PERP_SOLVED);
    ck_assert_double_le(bound[0] + bound[1], 1e-300);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("distance_comparison");
    TCase *c = tcase_create("distance_comparison");
    tcase_add_test(c, by_hand);
    tcase_add_test(c, weakly_dominant);
    tcase_add_test(c, nearly_singular);
    tcase_add_test(c, no_h_matrix);
    tcase_add_test(c, fixed_unknown);
    tcase_add_test(c, solution);
    suite_add_tcase(s, c);
    return support_run(s);
}
