/* tests/linalg/test_basis.c: a basis after many exchanges solves as one that is factored anew; it
 * asks for that when it is full or wrong. */
#include "basis_support.h"

/* Exchange random columns, of pivots that are not small; every solve is right on the way. */
static void walk(perp_basis *b, generator *g, int steps)
{
    int n = b->n, refactored = 0;
    double column[BASIS_MOST];
    for (int k = 0; k < steps; k++) {
        int in = generator_below(g, 2 * n + 1), best = 0;
        bool there = false;
        for (int s = 0; s < n; s++) there |= b->head[s] == in;
        if (there) continue;
        perp_basis_column(b, in, column);
        for (int s = 0; s < n; s++) {
            if (fabs(column[s]) * (1 + generator_unit(g)) > fabs(column[best])) best = s;
        }
        perp_basis_status status = perp_basis_exchange(b, best, in, column);
        if (status == PERP_BASIS_REFACTOR) {
            refactored++;
            ck_assert_int_eq(perp_basis_factor(b, b->head), PERP_BASIS_DONE);
        } else {
            ck_assert_int_eq(status, PERP_BASIS_DONE);
            ck_assert_int_eq(b->head[best], in);
        }
        ck_assert_double_le(basis_error(b, g), 1e-8);
    }
    ck_assert_int_ge(refactored, 1);
}

START_TEST(exchanges)
{
    static basis_matrix m;
    generator g = generator_start(2);
    static const int sizes[] = {1, 2, 5, 30, BASIS_MOST};
    for (int k = 0; k < 5; k++) {
        perp_arena a = {0};
        perp_basis b;
        int n = sizes[k], columns[BASIS_MOST];
        basis_fill(&m, &g, n, 3);
        ck_assert(perp_basis_open(&b, &a, n, m.p, m.i, m.x, m.d));
        for (int i = 0; i < n; i++) columns[i] = i % 2 ? i : n + i;
        ck_assert_int_eq(perp_basis_factor(&b, columns), PERP_BASIS_DONE);
        walk(&b, &g, 400);
        perp_arena_free(&a);
    }
}
END_TEST

/* The column as it stands in B^-1: that of a basic variable is a unit vector. */
START_TEST(column)
{
    static basis_matrix m;
    generator g = generator_start(4);
    perp_arena a = {0};
    perp_basis b;
    int n = 40, columns[40];
    double x[40], y[40], rows[40];
    basis_fill(&m, &g, n, 2);
    ck_assert(perp_basis_open(&b, &a, n, m.p, m.i, m.x, m.d));
    for (int i = 0; i < n; i++) columns[i] = i % 3 ? n + i : i;
    ck_assert_int_eq(perp_basis_factor(&b, columns), PERP_BASIS_DONE);
    for (int v = 0; v <= 2 * n; v++) {
        perp_basis_column(&b, v, x);
        memset(rows, 0, sizeof rows);
        perp_basis_add(&b, v, 1, rows);
        perp_basis_solve(&b, rows, y);
        ck_assert_double_le(difference(n, x, y), 1e-13);
        for (int s = 0; s < n; s++) {
            if (b.head[s] == v) ck_assert_double_eq_tol(x[s], 1, 1e-14);
        }
    }
    perp_arena_free(&a);
}
END_TEST

/* A column that is not the one that was solved for is noticed, and nothing has changed. */
START_TEST(inaccurate)
{
    static basis_matrix m;
    generator g = generator_start(6);
    perp_arena a = {0};
    perp_basis b;
    int n = 20, columns[20];
    double x[20];
    basis_fill(&m, &g, n, 2);
    ck_assert(perp_basis_open(&b, &a, n, m.p, m.i, m.x, m.d));
    for (int i = 0; i < n; i++) columns[i] = i;
    ck_assert_int_eq(perp_basis_factor(&b, columns), PERP_BASIS_DONE);
    perp_basis_column(&b, n + 3, x);
    x[b.slot[3]] *= 1 + 1e-6;
    ck_assert_int_eq(perp_basis_exchange(&b, b.slot[3], n + 3, x), PERP_BASIS_REFACTOR);
    ck_assert_int_eq(b.updates, 0);
    ck_assert_double_le(basis_error(&b, &g), 1e-15);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("linalg/basis");
    TCase *t = tcase_create("basis");
    tcase_add_test(t, exchanges);
    tcase_add_test(t, column);
    tcase_add_test(t, inaccurate);
    suite_add_tcase(s, t);
    return support_run(s);
}
