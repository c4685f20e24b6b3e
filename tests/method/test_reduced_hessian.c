/* tests/method/test_reduced_hessian.c: the factor of the reduced Hessian against R'R = Zf'H Zf. */
#include "method/reduced_hessian.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

#define MOST 24

typedef struct fixture {
    int n;
    double H[MOST * MOST], A[MOST * MOST], lo[2 * MOST], hi[2 * MOST];
    double doubles[2 * MOST * MOST + 2 * MOST], factor[MOST * MOST + 2 * MOST];
    int ints[MOST];
    perp_constraint_rows rows;
    perp_working_set w;
    perp_updated R;
} fixture;

/* v'H u for columns of Q */
static double product(const fixture *f, int v, int u)
{
    double sum = 0;
    for (int i = 0; i < f->n; i++) {
        for (int j = 0; j < f->n; j++) {
            sum += working_column(&f->w, v)[i] * f->H[j * f->n + i] * working_column(&f->w, u)[j];
        }
    }
    return sum;
}

static double entry(const fixture *f, int i, int j)
{
    return i <= j ? f->R.R[(size_t)j * (size_t)f->R.ld + (size_t)i] : 0;
}

static void check_factor(const fixture *f)
{
    for (int i = 0; i < f->R.k; i++) {
        for (int j = 0; j < f->R.k; j++) {
            double sum = -product(f, f->n - 1 - i, f->n - 1 - j);
            for (int r = 0; r <= i; r++) sum += entry(f, r, i) * entry(f, r, j);
            ck_assert_msg(fabs(sum) < 1e-12, "entry %d %d of %d is off by %g", i, j, f->R.k, sum);
        }
    }
}

/* Column n - 1 - R.k of Q joins Zf. */
static void border(fixture *f)
{
    double t[MOST], z[MOST], root;
    int at = f->n - 1 - f->R.k;
    for (int j = 0; j < f->R.k; j++) t[j] = product(f, f->n - 1 - j, at);
    memcpy(z, t, sizeof z);
    perp_updated_forward(&f->R, t);
    root = product(f, at, at);
    for (int j = 0; j < f->R.k; j++) root -= t[j] * t[j];
    perp_updated_push(&f->R, t, sqrt(root));
}

static void open_fixture(fixture *f, int n, generator *g)
{
    double B[MOST * MOST];
    memset(f, 0, sizeof *f);
    f->n = n;
    for (int k = 0; k < n * n; k++) {
        B[k] = generator_uniform(g);
        f->A[k] = generator_uniform(g);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            f->H[j * n + i] = i == j;
            for (int r = 0; r < n; r++) f->H[j * n + i] += B[r * n + i] * B[r * n + j];
        }
    }
    f->rows = (perp_constraint_rows){.n = n, .m = n, .A = f->A, .lo = f->lo, .hi = f->hi};
    perp_working_set_open(&f->w, n, f->doubles, f->ints);
    perp_updated_open(&f->R, n, f->factor);
    for (int j = 0; j < n; j++) working_column(&f->w, j)[j] = 1;
    while (f->R.k < n) border(f);
}

START_TEST(constraints_come_and_go)
{
    static fixture f;
    generator g = generator_start(4);
    for (int n = 1; n <= MOST; n += 3) {
        open_fixture(&f, n, &g);
        check_factor(&f);
        for (int step = 0; step < 3 * n; step++) {
            int k = f.w.R.k, i = n + (step * 7 + 3) % n;
            double d[MOST], carry[MOST];
            bool in = false;
            for (int p = 0; p < k; p++) in |= f.w.set[p] == i;
            if (k == n || (k > 0 && generator_below(&g, 3) == 0)) {
                perp_working_set_drop(&f.w, generator_below(&g, k), NULL);
                border(&f);
            } else if (!in) {
                perp_working_set_project(&f.w, &f.rows, i, d);
                perp_reduced_hessian_push(&f.w, &f.R, d, carry);
                perp_updated_push(&f.w.R, d, d[k]);
                f.w.set[k] = i;
                perp_working_set_project(&f.w, &f.rows, i, carry);
                for (int j = k + 1; j < n; j++) ck_assert_double_lt(fabs(carry[j]), 1e-13);
                ck_assert_double_lt(difference(k + 1, d, carry), 1e-13);
            }
            ck_assert_int_eq(f.R.k, n - f.w.R.k);
        }
        check_factor(&f);
    }
}
END_TEST

/* Zf'x in R's order, and back. */
START_TEST(order)
{
    static fixture f;
    generator g = generator_start(5);
    double x[MOST], y[MOST], back[MOST] = {0};
    open_fixture(&f, 6, &g);
    for (int i = 0; i < 6; i++) x[i] = i + 1;
    perp_reduced_hessian_split(&f.w, &f.R, x, y);
    for (int i = 0; i < 6; i++) ck_assert_double_eq(y[i], 6 - i);
    perp_reduced_hessian_lift(&f.w, &f.R, y, back);
    ck_assert_double_eq(difference(6, x, back), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("reduced");
    TCase *t = tcase_create("reduced");
    tcase_add_test(t, constraints_come_and_go);
    tcase_add_test(t, order);
    suite_add_tcase(s, t);
    return support_run(s);
}
