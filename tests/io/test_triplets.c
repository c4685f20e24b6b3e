/* tests/io/test_triplets.c: entries in any order, against sums made by hand. */
#include "io/io.h"
#include "support.h"

#include <check.h>
#include <string.h>

static perp_lexer lexer(perp_arena *a, perp_error *e)
{
    return (perp_lexer){.line = 1, .budget = 1 << 20, .limit = 1 << 20, .arena = a, .error = e};
}

START_TEST(columns_are_sorted_and_duplicates_summed)
{
    perp_arena a = {0};
    perp_error e;
    perp_lexer x = lexer(&a, &e);
    perp_matrix A;
    int i[] = {2, 0, 1, 2, 0}, j[] = {1, 0, 1, 1, 0};
    double v[] = {1, 2, 3, 4, 5};
    ck_assert(perp_lexer_compress(&x, 3, 3, 5, i, j, v, &A));
    static const int p[] = {0, 1, 3, 3}, row[] = {0, 1, 2};
    static const double value[] = {7, 3, 5};
    ck_assert(A.format == PERP_FORMAT_CSC && A.m == 3 && A.n == 3);
    ck_assert(memcmp(A.as.csc.p, p, sizeof p) == 0);
    ck_assert(memcmp(A.as.csc.i, row, sizeof row) == 0);
    ck_assert(memcmp(A.as.csc.x, value, sizeof value) == 0);
    ck_assert(perp_lexer_compress(&x, 0, 0, 0, NULL, NULL, NULL, &A));
    ck_assert(A.as.csc.p[0] == 0);
    perp_arena_free(&a);
}
END_TEST

START_TEST(entries_outside_are_refused)
{
    perp_arena a = {0};
    perp_error e;
    perp_lexer x = lexer(&a, &e);
    perp_matrix A;
    static const int bad[][2] = {{-1, 0}, {0, -1}, {2, 0}, {0, 3}};
    for (int k = 0; k < 4; k++) {
        int i[] = {0, bad[k][0]}, j[] = {0, bad[k][1]};
        double v[] = {1, 2};
        ck_assert(!perp_lexer_compress(&x, 2, 3, 2, i, j, v, &A));
        ck_assert_ptr_nonnull(strstr(e.text, "is outside a 2 x 3 matrix"));
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(groups_keep_their_order)
{
    perp_arena a = {0};
    perp_error e;
    perp_lexer x = lexer(&a, &e);
    const int key[] = {2, 0, 2, 0};
    int first[] = {10, 11, 12, 13}, *other = first, *p;
    double values[] = {1, -1, 2, -2, 3, -3, 4, -4}, *v = values;
    ck_assert(perp_lexer_group(&x, 3, 4, key, 2, &other, &v, &p));
    static const int pointers[] = {0, 2, 2, 4}, others[] = {11, 13, 10, 12};
    static const double moved[] = {2, -2, 4, -4, 1, -1, 3, -3};
    ck_assert(memcmp(p, pointers, sizeof pointers) == 0);
    ck_assert(memcmp(other, others, sizeof others) == 0);
    ck_assert(memcmp(v, moved, sizeof moved) == 0);

    const int ascending_key[] = {0, 1, 1, 2};
    other = first;
    v = values;
    ck_assert(perp_lexer_group(&x, 3, 4, ascending_key, 2, &other, &v, &p));
    ck_assert(other == first && v == values && p[3] == 4 && p[1] == 1);
    perp_arena_free(&a);
}
END_TEST

START_TEST(memory_may_end_anywhere)
{
    int failures = 0;
    for (int left = 0; left < 8; left++) {
        supply s = {.left = left};
        perp_arena a = {.resize = scarce, .ctx = &s};
        perp_error e = {0};
        perp_lexer x = lexer(&a, &e);
        enum { N = 900 };
        static int i[N], j[N];
        static double v[N];
        for (int k = 0; k < N; k++) {
            i[k] = k;
            j[k] = N - 1 - k;
            v[k] = 1;
        }
        perp_matrix A;
        if (!perp_lexer_compress(&x, N, N, N, i, j, v, &A)) {
            ck_assert_int_eq(e.status, PERP_E_MEMORY);
            failures++;
        }
        perp_arena_free(&a);
        ck_assert_int_eq(s.out, 0);
    }
    ck_assert(failures > 1 && failures < 8);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("triplets");
    TCase *t = tcase_create("triplets");
    tcase_add_test(t, columns_are_sorted_and_duplicates_summed);
    tcase_add_test(t, entries_outside_are_refused);
    tcase_add_test(t, groups_keep_their_order);
    tcase_add_test(t, memory_may_end_anywhere);
    suite_add_tcase(s, t);
    return support_run(s);
}
