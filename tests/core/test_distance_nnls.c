/* tests/core/test_distance_nnls.c: the map of an nnls, with what A'A has lost. */
#include "distance_support.h"

enum { ROWS = 9, COLUMNS = 4 };

static void fill(generator *g, double *A, double *b)
{
    for (int k = 0; k < ROWS * COLUMNS; k++) A[k] = generator_uniform(g);
    for (int i = 0; i < ROWS; i++) b[i] = generator_uniform(g);
}

/* A'A is within what is stated, entry by entry, and A_j within its root. */
START_TEST(gram)
{
    double A[ROWS * COLUMNS], b[ROWS];
    generator g = generator_start((uint64_t)_i + 1);
    perp_arena a = {0};
    perp_distance_map map;
    perp_error e = {0};
    fill(&g, A, b);
    perp_problem p = perp_make_nnls(perp_dense(ROWS, COLUMNS, A), b);
    ck_assert_int_eq(perp_distance_nnls(&p, &a, &map, &e), PERP_SOLVED);
    ck_assert(map.monotone && map.lo[0] == 0 && map.hi[0] == INFINITY);
    for (int i = 0; i < COLUMNS; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            long double sum = 0;
            for (int k = 0; k < ROWS; k++) {
                sum += (long double)A[i * ROWS + k] * A[j * ROWS + k];
            }
            double lost = map.relative * map.root[i] * map.root[j];
            ck_assert(fabsl(sum - map.M.as.dense.x[j * COLUMNS + i]) <= lost);
            if (i == j) ck_assert(sqrtl(sum) <= map.root[i]);
        }
    }
    perp_arena_free(&a);
}
END_TEST

/* A'(A x - b) is as exact as one number can be, and within its bound. */
START_TEST(slack)
{
    double A[ROWS * COLUMNS], b[ROWS], x[COLUMNS], w[COLUMNS], error[COLUMNS];
    generator g = generator_start((uint64_t)_i + 1);
    perp_arena a = {0};
    perp_distance_map map;
    perp_error e = {0};
    fill(&g, A, b);
    for (int j = 0; j < COLUMNS; j++) x[j] = generator_uniform(&g);
    perp_problem p = perp_make_nnls(perp_dense(ROWS, COLUMNS, A), b);
    ck_assert_int_eq(perp_distance_nnls(&p, &a, &map, &e), PERP_SOLVED);
    ck_assert(map.slack(&map, x, &a, w, error));
    for (int j = 0; j < COLUMNS; j++) {
        long double sum = 0;
        for (int i = 0; i < ROWS; i++) {
            long double rest = -b[i];
            for (int k = 0; k < COLUMNS; k++) rest += (long double)A[k * ROWS + i] * x[k];
            sum += A[j * ROWS + i] * rest;
        }
        ck_assert(fabsl(sum - w[j]) <= error[j] + 1e-18L);
        ck_assert_double_le(error[j], 1e-15);
    }
    perp_arena_free(&a);
}
END_TEST

/* A x - b is 0 by its pairs and 2^-120 otherwise, which A' passes on. */
START_TEST(rounding)
{
    const double b[] = {1}, ones[] = {1, 1, 1, 1};
    double w[4], error[4];
    perp_arena a = {0};
    perp_distance_map map;
    perp_error e = {0};
    perp_problem p = perp_make_nnls(perp_dense(1, 4, distance_lossy), b);
    ck_assert_int_eq(perp_distance_nnls(&p, &a, &map, &e), PERP_SOLVED);
    ck_assert(map.slack(&map, ones, &a, w, error));
    ck_assert(w[0] == 0);
    ck_assert_double_ge(error[0], DISTANCE_LOST);
    perp_arena_free(&a);
}
END_TEST

START_TEST(refusals)
{
    const double A[] = {1, 0, 0, 0}, tiny[] = {1e-150}, b[] = {1, 1};
    const bool is_free[] = {false, true};
    perp_arena a = {0};
    perp_distance_map map;
    perp_error e = {0};
    perp_problem p = perp_make_nnls(perp_dense(2, 2, A), b);
    ck_assert_int_eq(perp_distance_nnls(&p, &a, &map, &e), PERP_UNCERTIFIED);
    ck_assert_ptr_nonnull(strstr(e.text, "column"));
    p = perp_make_nnls(perp_dense(1, 1, tiny), b);
    ck_assert_int_eq(perp_distance_nnls(&p, &a, &map, &e), PERP_UNCERTIFIED);
    const double eye[] = {1, 0, 0, 1};
    p = perp_make_nnls(perp_dense(2, 2, eye), b);
    p.as.nnls.is_free = is_free;
    ck_assert_int_eq(perp_distance_nnls(&p, &a, &map, &e), PERP_SOLVED);
    ck_assert(map.lo[0] == 0 && map.lo[1] == -INFINITY);
    perp_arena_free(&a);
    perp_arena_fixed(&a, NULL, 0);
    ck_assert_int_eq(perp_distance_nnls(&p, &a, &map, &e), PERP_E_MEMORY);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("distance_nnls");
    TCase *c = tcase_create("distance_nnls");
    tcase_add_loop_test(c, gram, 0, 20);
    tcase_add_loop_test(c, slack, 0, 20);
    tcase_add_test(c, rounding);
    tcase_add_test(c, refusals);
    suite_add_tcase(s, c);
    return support_run(s);
}
