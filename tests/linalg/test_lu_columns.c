/* tests/linalg/test_lu_columns.c: LU with pivots from all rows, against LAPACK. */
#include "factor_support.h"
#include "linalg/lu_columns.h"

typedef struct room {
    double *scale, *b, *x, *y;
} room;

static room make_room(int n)
{
    size_t size = (size_t)n + 1;
    room r = {calloc(size, sizeof(double)), calloc(size, sizeof(double)),
              calloc(size, sizeof(double)), calloc(size, sizeof(double))};
    for (int i = 0; i < n; i++) {
        r.scale[i] = 1;
        r.b[i] = 1 + i % 5;
    }
    return r;
}

static void free_room(room r)
{
    free(r.scale);
    free(r.b);
    free(r.x);
    free(r.y);
}

START_TEST(agrees_with_lapack)
{
    static const int sizes[] = {1, 2, 3, 7, 20, 61, 150};
    generator g = generator_start(21);
    int compared = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int n = sizes[s];
        for (int trial = 0; trial < 4; trial++) {
            perp_arena a = {0};
            perp_lu_columns f;
            double *A = make_family(&g, _i, n);
            csc C = compress(n, A);
            room r = make_room(n);
            double rcond = solve_by_lapack(n, A, false, r.b, r.x);
            for (int i = 0; _i == 2 && i < n; i++) { /* its rows differ by 40 digits */
                double most = 0;
                for (int j = 0; j < n; j++) most = fmax(most, fabs(A[i + j * n]));
                r.scale[i] = 1 / most;
            }
            ck_assert(perp_lu_columns_open(&f, &a, n, C.p, C.i));
            int status = perp_lu_columns_compute(&f, C.x, r.scale);
            if (rcond > 1e-8) {
                compared++;
                ck_assert_msg(status == 0, "%s, n = %d: %d", family_names[_i], n, status);
                for (int i = 0; i < n; i++) r.y[i] = r.b[i] * r.scale[i];
                perp_lu_columns_solve(&f, false, r.y, r.y);
                double error = relative_difference(n, r.x, r.y);
                ck_assert_msg(error < 1e-14 / rcond, "%s, n = %d: %g, rcond %g", family_names[_i],
                              n, error, rcond);
            }
            free_room(r);
            discard(C);
            free(A);
            perp_arena_free(&a);
        }
    }
    ck_assert_int_gt(compared, 15);
}
END_TEST

/* Rows of U and columns of L are ordered by pivots: at every pivot the largest of its column, or
 * the diagonal with a tenth of it. */
START_TEST(no_entry_of_L_is_large)
{
    generator g = generator_start(4);
    for (int family = 0; family < FAMILIES_LU; family++) {
        perp_arena a = {0};
        perp_lu_columns f;
        double *A = make_family(&g, family, 80);
        csc C = compress(80, A);
        room r = make_room(80);
        ck_assert(perp_lu_columns_open(&f, &a, 80, C.p, C.i));
        if (perp_lu_columns_compute(&f, C.x, r.scale) == 0) {
            for (int s = 0; s < f.supers; s++) {
                const perp_lu_super *t = &f.super[s];
                for (int c = 0; c < t->width; c++) {
                    for (int k = c; k < t->height; k++)
                        ck_assert_double_le(fabs(t->L[c * t->height + k]), 10.000001);
                }
            }
        }
        free_room(r);
        discard(C);
        free(A);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(a_permuted_triangle_has_no_fill)
{
    generator g = generator_start(5);
    perp_arena a = {0};
    perp_lu_columns f;
    double *A = make_family(&g, 3, 100);
    csc C = compress(100, A);
    room r = make_room(100);
    ck_assert(perp_lu_columns_open(&f, &a, 100, C.p, C.i));
    ck_assert_int_eq(perp_lu_columns_compute(&f, C.x, r.scale), 0);
    ck_assert_double_le(perp_lu_columns_entries(&f), C.p[100] + 100); /* L has ones besides */
    ck_assert_double_ge(perp_lu_columns_bound(&f), f.multiplications);
    free_room(r);
    discard(C);
    free(A);
    perp_arena_free(&a);
}
END_TEST

START_TEST(singular_columns_are_named)
{
    /* column 3 is the sum of two others; column 2 has rows that other columns use up */
    const double by_value[] = {1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1};
    const double by_pattern[] = {1, 2, 0, 3, 4, 0, 5, 7, 0};
    perp_arena a = {0};
    perp_lu_columns f;
    double scale[] = {1, 1, 1, 1};
    csc C = compress(4, by_value);
    ck_assert(perp_lu_columns_open(&f, &a, 4, C.p, C.i));
    int column = perp_lu_columns_compute(&f, C.x, scale);
    ck_assert(column >= 1 && column <= 3);
    discard(C);
    C = compress(3, by_pattern);
    ck_assert(perp_lu_columns_open(&f, &a, 3, C.p, C.i));
    column = perp_lu_columns_compute(&f, C.x, scale);
    ck_assert(column >= 1 && column <= 3);
    C.x[0] = NAN;
    ck_assert_int_gt(perp_lu_columns_compute(&f, C.x, scale), 0);
    discard(C);
    perp_arena_free(&a);
}
END_TEST

START_TEST(stops_when_it_is_asked)
{
    generator g = generator_start(8);
    countdown never = {.left = 1 << 30};
    perp_watch watch = {.stop = count_down, .ctx = &never};
    perp_arena a = {.watch = &watch};
    perp_lu_columns f;
    double *A = make_family(&g, 9, 300);
    csc C = compress(300, A);
    room r = make_room(300);
    ck_assert(perp_lu_columns_open(&f, &a, 300, C.p, C.i));
    ck_assert_int_eq(perp_lu_columns_compute(&f, C.x, r.scale), 0); /* now there is room */
    never.looks = 0;
    ck_assert_int_eq(perp_lu_columns_compute(&f, C.x, r.scale), 0);
    int looks = never.looks; /* 9e6 multiplications */
    ck_assert_int_ge(looks, 4);
    for (int left = 0; left < looks; left++) {
        never = (countdown){.left = left};
        ck_assert_int_eq(perp_lu_columns_compute(&f, C.x, r.scale), PERP_STOPPED);
        ck_assert_int_eq(never.looks, left + 1);
    }
    never = (countdown){.left = looks};
    ck_assert_int_eq(perp_lu_columns_compute(&f, C.x, r.scale), 0);
    free_room(r);
    discard(C);
    free(A);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lu_columns");
    TCase *t = tcase_create("lu_columns");
    tcase_add_loop_test(t, agrees_with_lapack, 0, FAMILIES_LU);
    tcase_add_test(t, no_entry_of_L_is_large);
    tcase_add_test(t, a_permuted_triangle_has_no_fill);
    tcase_add_test(t, singular_columns_are_named);
    tcase_add_test(t, stops_when_it_is_asked);
    suite_add_tcase(s, t);
    return support_run(s);
}
