/* tests/linalg/test_markowitz_lu.c: L U is the matrix, in order; singular ones are seen; memory
 * that ends. */
#include "linalg/markowitz_lu.h"
#include "support.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MOST 90

typedef struct matrix {
    int k, p[MOST + 1], i[MOST * MOST];
    double x[MOST * MOST], full[MOST][MOST]; /* full[i][j] */
} matrix;

static void compress_columns(matrix *m)
{
    int used = 0;
    for (int j = 0; j < m->k; j++) {
        m->p[j] = used;
        for (int i = 0; i < m->k; i++) {
            if (m->full[i][j] != 0) {
                m->i[used] = i;
                m->x[used++] = m->full[i][j];
            }
        }
    }
    m->p[m->k] = used;
}

/* About `per` entries a column, and a diagonal in random order, so that it is not singular. */
static void fill(matrix *m, generator *g, int k, double per)
{
    memset(m, 0, sizeof *m);
    m->k = k;
    for (int j = 0; j < k; j++) {
        for (int i = 0; i < k; i++) {
            if (generator_unit(g) * k < per) m->full[i][j] = generator_uniform(g);
        }
        m->full[(7 * j + 3) % k][j] += k % 7 ? 2 + generator_unit(g) : 0;
        m->full[j][j] += k % 7 ? 0 : 3;
    }
    compress_columns(m);
}

/* Entry (s, t) of L and of U, in pivot order. */
static double lower(const perp_elimination *e, int s, int t)
{
    if (s == t) return 1;
    if (t >= e->core) return e->LU[(t - e->core) * (e->k - e->core) + s - e->core];
    for (size_t q = e->L.p[t]; q < e->L.p[t + 1]; q++) {
        if (e->L.i[q] == s) return e->L.x[q];
    }
    return 0;
}

static double upper(const perp_elimination *e, int s, int t)
{
    if (s >= e->core) return e->LU[(t - e->core) * (e->k - e->core) + s - e->core];
    if (s == t) return e->pivot[s];
    for (size_t q = e->U.p[s]; q < e->U.p[s + 1]; q++) {
        if (e->U.i[q] == t) return e->U.x[q];
    }
    return 0;
}

static void check_factors(const perp_elimination *e, const matrix *m)
{
    static double L[MOST][MOST], U[MOST][MOST];
    for (int s = 0; s < m->k; s++) {
        for (int t = 0; t < m->k; t++) {
            L[s][t] = s >= t ? lower(e, s, t) : 0;
            U[s][t] = s <= t ? upper(e, s, t) : 0;
        }
    }
    for (int s = 0; s < m->k; s++) {
        for (int t = 0; t < m->k; t++) {
            double sum = 0, size = 1;
            for (int q = 0; q <= s && q <= t; q++) {
                sum += L[s][q] * U[q][t];
                size += fabs(L[s][q] * U[q][t]);
            }
            double exact = m->full[e->row[s]][e->column[t]];
            ck_assert_msg(fabs(sum - exact) <= 1e-13 * size, "order %d, (%d, %d): %g, not %g", m->k,
                          s, t, sum, exact);
        }
    }
}

START_TEST(product)
{
    static matrix m;
    perp_arena a = {0};
    perp_elimination e;
    generator g = generator_start(1);
    bool sparse = false, core = false;
    ck_assert(perp_elimination_open(&e, &a, MOST, 1)); /* and a bad guess of the entries */
    for (int k = 1; k <= MOST; k += k < 20 ? 1 : 7) {
        for (int t = 0; t < 6; t++) {
            static const double per[] = {0, 0.5, 1, 2, 4, 40};
            fill(&m, &g, k, per[t]);
            ck_assert_int_eq(perp_eliminate(&e, k, m.p, m.i, m.x), PERP_BASIS_DONE);
            check_factors(&e, &m);
            sparse |= e.core > 20;
            core |= e.core > 0 && k - e.core > 20;
        }
    }
    ck_assert(sparse && core);
    perp_arena_free(&a);
}
END_TEST

/* No pivot is small against its row: [tiny 1; 1 1] in many copies, with fill between them. */
START_TEST(stable)
{
    static matrix m;
    perp_arena a = {0};
    perp_elimination e;
    memset(&m, 0, sizeof m);
    m.k = 60;
    for (int j = 0; j < 60; j += 2) {
        m.full[j][j] = 1e-14;
        m.full[j][j + 1] = m.full[j + 1][j] = m.full[j + 1][j + 1] = 1;
        if (j >= 2) m.full[j][j - 1] = 0.5;
    }
    compress_columns(&m);
    ck_assert(perp_elimination_open(&e, &a, 60, 200));
    ck_assert_int_eq(perp_eliminate(&e, 60, m.p, m.i, m.x), PERP_BASIS_DONE);
    check_factors(&e, &m);
    for (size_t q = 0; q < e.L.p[e.core]; q++) ck_assert(fabs(e.L.x[q]) < 100);
    perp_arena_free(&a);
}
END_TEST

/* After the pivots come the rows and columns that have none, these among them. */
static void check_rest(const perp_elimination *e, int column, int row)
{
    int seen[2][MOST] = {{0}};
    for (int s = 0; s < e->k; s++) {
        seen[0][e->row[s]]++;
        seen[1][e->column[s]]++;
    }
    for (int i = 0; i < e->k; i++) ck_assert(seen[0][i] == 1 && seen[1][i] == 1);
    bool rows = row < 0, columns = column < 0;
    for (int s = e->rank; s < e->k; s++) {
        rows |= e->row[s] == row;
        columns |= e->column[s] == column;
    }
    ck_assert(e->rank < e->k && rows && columns);
}

/* A column or row of zeros, two equal rows, a row that is rounding. */
START_TEST(singular)
{
    static matrix m;
    perp_arena a = {0};
    perp_elimination e;
    generator g = generator_start(5);
    ck_assert(perp_elimination_open(&e, &a, MOST, 400));
    for (int k = 2; k <= 60; k += 29) {
        for (int kind = 0; kind < 4; kind++) {
            fill(&m, &g, k, 2);
            for (int j = 0; j < k; j++) {
                if (kind == 0) m.full[j][k / 2] = 0;
                if (kind == 1) m.full[k / 2][j] = 0;
                if (kind == 2) m.full[k - 1][j] = m.full[0][j];
                if (kind == 3) m.full[k / 2][j] *= 1e-17;
            }
            compress_columns(&m);
            ck_assert_int_eq(perp_eliminate(&e, k, m.p, m.i, m.x), PERP_BASIS_SINGULAR);
            check_rest(&e, kind == 0 ? k / 2 : -1, kind == 1 || kind == 3 ? k / 2 : -1);
        }
    }
    fill(&m, &g, 30, 2); /* and it goes on to serve */
    ck_assert_int_eq(perp_eliminate(&e, 30, m.p, m.i, m.x), PERP_BASIS_DONE);
    check_factors(&e, &m);
    m.p[0] = 0;
    ck_assert_int_eq(perp_eliminate(&e, 0, m.p, m.i, m.x), PERP_BASIS_DONE);
    perp_arena_free(&a);
}
END_TEST

START_TEST(memory)
{
    static matrix m;
    generator g = generator_start(3);
    fill(&m, &g, MOST, 3);
    perp_basis_status s = PERP_BASIS_MEMORY;
    for (size_t size = 0; s == PERP_BASIS_MEMORY; size += 512) {
        static char buffer[1 << 20];
        perp_arena a;
        perp_elimination e;
        ck_assert_uint_lt(size, sizeof buffer);
        perp_arena_fixed(&a, buffer, size);
        if (!perp_elimination_open(&e, &a, MOST, 1)) continue;
        s = perp_eliminate(&e, MOST, m.p, m.i, m.x);
        if (s == PERP_BASIS_DONE) check_factors(&e, &m);
    }
    ck_assert_int_eq(s, PERP_BASIS_DONE);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("linalg/markowitz_lu");
    TCase *t = tcase_create("eliminate");
    tcase_add_test(t, product);
    tcase_add_test(t, stable);
    tcase_add_test(t, singular);
    tcase_add_test(t, memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
