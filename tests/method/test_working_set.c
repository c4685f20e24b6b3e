/* tests/method/test_working_set.c: the basis and factor of a working set, by their definition. */
#include "method/working_set.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

#define MOST 40

typedef struct fixture {
    int n, m;
    double A[MOST * MOST], lo[2 * MOST], hi[2 * MOST];
    double doubles[2 * MOST * MOST + 2 * MOST], d[MOST], z[MOST];
    int ints[MOST];
    perp_constraint_rows rows;
    perp_working_set w;
} fixture;

/* Q starts as the identity with `skew` added above its diagonal. */
static void open_fixture(fixture *f, int n, double skew, generator *g)
{
    *f = (fixture){.n = n, .m = MOST};
    ck_assert_uint_le(perp_working_set_doubles(n), sizeof f->doubles / sizeof *f->doubles);
    for (int k = 0; k < n * MOST; k++) f->A[k] = generator_uniform(g);
    f->rows = (perp_constraint_rows){.n = n, .m = MOST, .A = f->A, .lo = f->lo, .hi = f->hi};
    perp_working_set_open(&f->w, n, f->doubles, f->ints);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            working_column(&f->w, j)[i] = i == j ? 1 : i < j ? skew * generator_uniform(g) : 0;
        }
    }
}

static double entry(const fixture *f, int i, int constraint)
{
    return constraint < f->n ? i == constraint : rows_normal(&f->rows, constraint)[i];
}

/* Q'N = (R; 0) */
static void check_factor(const fixture *f)
{
    int n = f->n, k = f->w.R.k;
    for (int j = 0; j < n; j++) {
        const double *q = working_column(&f->w, j);
        for (int p = 0; p < k; p++) {
            double sum = 0;
            for (int i = 0; i < n; i++) sum += q[i] * entry(f, i, f->w.set[p]);
            if (j <= p) sum -= f->w.R.R[(size_t)p * (size_t)f->w.R.ld + (size_t)j];
            ck_assert_msg(fabs(sum) < 1e-12, "row %d of column %d is off by %g", j, p, sum);
        }
    }
}

static void check_orthogonal(const fixture *f)
{
    for (int j = 0; j < f->n; j++) {
        for (int l = 0; l <= j; l++) {
            double sum = j == l ? -1 : 0;
            for (int i = 0; i < f->n; i++) {
                sum += working_column(&f->w, j)[i] * working_column(&f->w, l)[i];
            }
            ck_assert_double_lt(fabs(sum), 1e-13);
        }
    }
}

static bool is_in(const fixture *f, int i)
{
    for (int p = 0; p < f->w.R.k; p++) {
        if (f->w.set[p] == i) return true;
    }
    return false;
}

static void add(fixture *f, int i)
{
    perp_working_set_project(&f->w, &f->rows, i, f->d);
    perp_working_set_lift(&f->w, f->d, f->z);
    perp_working_set_add(&f->w, i, f->d, f->z);
}

/* Rows and bounds come and go at random. */
START_TEST(random_changes)
{
    generator g = generator_start(5);
    fixture *f = malloc(sizeof *f);
    for (int n = 1; n <= MOST; n = 2 * n + 1) {
        for (int skew = 0; skew < 2; skew++) {
            open_fixture(f, n, skew * 0.1, &g);
            for (int step = 0; step < 4 * n; step++) {
                int i = generator_below(&g, n + f->m), k = f->w.R.k;
                bool full = k == n || (k > 0 && generator_below(&g, 3) == 0);
                if (full)
                    perp_working_set_drop(&f->w, generator_below(&g, k), NULL);
                else if (!is_in(f, i))
                    add(f, i);
            }
            check_factor(f);
            if (!skew) check_orthogonal(f);
        }
    }
    free(f);
}
END_TEST

/* Q'a of any a goes along when a constraint leaves. */
START_TEST(a_vector_follows)
{
    generator g = generator_start(6);
    fixture *f = malloc(sizeof *f);
    double a[MOST], d[MOST], e[MOST];
    open_fixture(f, 12, 0, &g);
    for (int i = 0; i < 9; i++) add(f, i % 2 ? i : f->n + i);
    for (int j = 0; j < 12; j++) a[j] = generator_uniform(&g);
    perp_working_set_split(&f->w, a, d);
    for (int at = 8; at >= 0; at -= 2) {
        perp_working_set_drop(&f->w, at, d);
        perp_working_set_split(&f->w, a, e);
        ck_assert_double_lt(difference(12, d, e), 1e-13);
        check_factor(f);
    }
    /* a = Y Y'a + Z Z'a */
    double y[MOST], z[MOST];
    perp_working_set_range(&f->w, e, y);
    perp_working_set_lift(&f->w, e, z);
    for (int j = 0; j < 12; j++) y[j] += z[j];
    ck_assert_double_lt(difference(12, a, y), 1e-13);
    free(f);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("working");
    TCase *t = tcase_create("working");
    tcase_add_test(t, random_changes);
    tcase_add_test(t, a_vector_follows);
    suite_add_tcase(s, t);
    return support_run(s);
}
