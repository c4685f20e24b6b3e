/* tests/linalg/test_lu_columns_solve.c: solves with both triangles, and with their transposes. */
#include "factor_support.h"
#include "linalg/lu_columns.h"

START_TEST(both_ways)
{
    enum { N = 90 };
    generator g = generator_start(31);
    for (int trial = 0; trial < 5; trial++) {
        perp_arena a = {0};
        perp_lu_columns f;
        double *A = make_family(&g, _i, N), scale[N], b[N], x[N], y[N], in_place[N];
        csc C = compress(N, A);
        for (int i = 0; i < N; i++) scale[i] = 1;
        ck_assert(perp_lu_columns_open(&f, &a, N, C.p, C.i));
        if (_i != 2 && perp_lu_columns_compute(&f, C.x, scale) == 0) {
            for (int way = 0; way < 2; way++) {
                for (int i = 0; i < N; i++) x[i] = 1 + i % 7;
                multiply(C, way == 1, x, b);
                double rcond = solve_by_lapack(N, A, way == 1, b, y);
                perp_lu_columns_solve(&f, way == 1, b, y);
                memcpy(in_place, b, sizeof b);
                perp_lu_columns_solve(&f, way == 1, in_place, in_place);
                ck_assert_mem_eq(in_place, y, sizeof y);
                ck_assert_double_lt(relative_difference(N, x, y), 1e-13 / rcond);
            }
        }
        discard(C);
        free(A);
        perp_arena_free(&a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lu_columns_solve");
    TCase *t = tcase_create("lu_columns_solve");
    tcase_add_loop_test(t, both_ways, 0, FAMILIES_LU);
    suite_add_tcase(s, t);
    return support_run(s);
}
