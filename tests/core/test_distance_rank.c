/* tests/core/test_distance_rank.c: distances of an nnls by the factors of A itself. */
#include "distance_support.h"

enum { ROWS = 7, COLUMNS = 3 };

/* From z, where the point beside it is another. */
static perp_status rank_bound(const perp_problem *p, const double *z, double *bound, double *norm)
{
    perp_arena a = {0};
    perp_distance_map map;
    perp_distance_point point;
    perp_error e = {0};
    perp_status status = perp_distance_nnls(p, &a, &map, &e);
    if (!status) ck_assert(perp_distance_start(&map, z, &a, &point));
    if (!status) status = perp_distance_rank(&map, &point, &a, bound, norm, &e);
    for (int j = 0; j < map.n && !status; j++) bound[j] += fabs(z[j] - point.z[j]);
    if (!status) *norm = vector_norm(map.n, bound);
    if (status == PERP_UNCERTIFIED) ck_assert_uint_gt(strlen(e.text), 10);
    perp_arena_free(&a);
    return status;
}

/* A = diag(2, 4): at (1.5, 2), A'(A x - b) = (2, 0), and 2 / 2^2 = 0.5 is the error. */
START_TEST(by_hand)
{
    const double A[] = {2, 0, 0, 4}, b[] = {2, 8}, z[] = {1.5, 2};
    double bound[2], norm;
    perp_problem p = perp_make_nnls(perp_dense(2, 2, A), b);
    ck_assert_int_eq(rank_bound(&p, z, bound, &norm), PERP_SOLVED);
    ck_assert(bound[0] >= 0.5 && bound[0] < 0.5 + 1e-12);
    ck_assert(norm >= 0.5 && norm < 1);
}
END_TEST

/* Rows of 2^0 to 2^40, columns of 2^-20 to 2^20: b = A x exactly, with one x alone, which is never
 * further than the bound. A'A has a condition of up to 2^160. */
START_TEST(rows_and_columns_in_units)
{
    double A[ROWS * COLUMNS], b[ROWS] = {0}, x[COLUMNS], z[COLUMNS], bound[COLUMNS], norm,
                              error = 0;
    generator g = generator_start((uint64_t)_i + 1);
    for (int j = 0; j < COLUMNS; j++) {
        int power = (int)floor(41 * generator_uniform(&g)) - 20;
        x[j] = ldexp(1 + floor(9 * generator_uniform(&g)), -power);
        z[j] = x[j] * (1 + 0x1p-10 * generator_uniform(&g));
        error = hypot(error, z[j] - x[j]);
        for (int i = 0; i < ROWS; i++) {
            double entry = floor(33 * generator_uniform(&g)) - 16 + (i == j ? 64 : 0);
            A[j * ROWS + i] = ldexp(entry, power + 40 * (i % 2));
            b[i] += A[j * ROWS + i] * x[j];
        }
    }
    perp_problem p = perp_make_nnls(perp_dense(ROWS, COLUMNS, A), b);
    ck_assert_int_eq(rank_bound(&p, z, bound, &norm), PERP_SOLVED);
    for (int j = 0; j < COLUMNS; j++) ck_assert_double_ge(bound[j], fabs(z[j] - x[j]));
    ck_assert_double_ge(norm, error);
    ck_assert_double_ge(norm, vector_max(COLUMNS, bound));
}
END_TEST

/* Columns that are the same but for 2^-40: the condition is 2^41, and that of A'A beyond 1/u. */
START_TEST(nearly_dependent)
{
    const double t = 0x1p-40, A[] = {1, 1, 1, 1 + t}, b[] = {2, 2 + t}, z[] = {1.5, 0.5};
    double bound[2], norm;
    perp_problem p = perp_make_nnls(perp_dense(2, 2, A), b);
    ck_assert_int_eq(rank_bound(&p, z, bound, &norm), PERP_SOLVED);
    ck_assert_double_ge(bound[0], 0.5);
    ck_assert_double_ge(bound[1], 0.5);
    ck_assert_double_lt(norm, 10);
}
END_TEST

START_TEST(refusals)
{
    const double same[] = {1, 2, 1, 2}, close[] = {1, 1, 1, 1 + 0x1p-52}, wide[] = {1, 2};
    const double b[] = {1, 1}, z[] = {1, 1};
    double bound[2], norm;
    perp_problem p = perp_make_nnls(perp_dense(2, 2, same), b);
    ck_assert_int_eq(rank_bound(&p, z, bound, &norm), PERP_UNCERTIFIED);
    p = perp_make_nnls(perp_dense(2, 2, close), b);
    ck_assert_int_eq(rank_bound(&p, z, bound, &norm), PERP_UNCERTIFIED);
    p = perp_make_nnls(perp_dense(1, 2, wide), b);
    ck_assert_int_eq(rank_bound(&p, z, bound, &norm), PERP_UNCERTIFIED);
}
END_TEST

/* Compressed columns are read as well, and too little memory is told. */
START_TEST(sparse_and_starved)
{
    const int at[] = {0, 1, 2}, row[] = {0, 1};
    const double x[] = {2, 4}, b[] = {2, 8}, z[] = {1.5, 2};
    double bound[2], norm;
    perp_matrix A = perp_csc(2, 2, at, row, x);
    perp_problem p = perp_make_nnls(A, b);
    ck_assert_int_eq(rank_bound(&p, z, bound, &norm), PERP_SOLVED);
    ck_assert(norm >= 0.5 && norm < 1);
    perp_arena none;
    perp_error e = {0};
    perp_distance_map map = {.n = 2, .factor = &A};
    perp_distance_point point = {0};
    perp_arena_fixed(&none, NULL, 0);
    ck_assert_int_eq(perp_distance_rank(&map, &point, &none, bound, &norm, &e), PERP_E_MEMORY);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("distance_rank");
    TCase *c = tcase_create("distance_rank");
    tcase_add_test(c, by_hand);
    tcase_add_loop_test(c, rows_and_columns_in_units, 0, 200);
    tcase_add_test(c, nearly_dependent);
    tcase_add_test(c, refusals);
    tcase_add_test(c, sparse_and_starved);
    suite_add_tcase(s, c);
    return support_run(s);
}
