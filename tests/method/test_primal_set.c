/* tests/method/test_primal_set.c: the primal kernel on random programs of every inertia, with
 * degenerate and dependent rows; the factor it begins with. */
#include "primal_support.h"

/* Rows and bounds through an integer point, many of them tight there; H = B'B - C'C. */
static void draw(program *f, generator *g, double *x, int *less)
{
    int n = generator_between(g, 1, PRIMAL_N), m = generator_between(g, 0, PRIMAL_M);
    double B[PRIMAL_N], a[PRIMAL_N], at;
    program_open(f, n, m);
    int rank = generator_below(g, n + 1);
    *less = generator_below(g, 3) == 0 ? generator_between(g, 1, n) : 0;
    for (int r = 0; r < rank + *less; r++) {
        for (int j = 0; j < n; j++) B[j] = generator_between(g, -2, 2);
        for (int k = 0; k < n * n; k++) f->H[k] += (r < rank ? 1 : -1) * B[k % n] * B[k / n];
    }
    for (int j = 0; j < n; j++) {
        x[j] = generator_between(g, -2, 2);
        f->c[j] = generator_between(g, -5, 5);
        if (generator_below(g, 3)) f->lo[j] = x[j] - generator_below(g, 3);
        if (generator_below(g, 3)) f->hi[j] = x[j] + generator_below(g, 3);
    }
    for (int i = 0; i < m; i++) {
        at = 0;
        do {
            for (int j = 0; j < n; j++) a[j] = generator_between(g, -2, 2);
        } while (plain_norm(n, a) == 0);
        for (int j = 0; j < n; j++) at += a[j] * x[j];
        program_row(f, i, a, generator_below(g, 2) ? at : at - 3,
                    generator_below(g, 4) ? INFINITY : at);
    }
}

START_TEST(random_programs)
{
    static program f;
    generator g = generator_start(11);
    int solved = 0, unbounded = 0, steps, less;
    for (int k = 0; k < 2000; k++) {
        double x[PRIMAL_N];
        draw(&f, &g, x, &less);
        ck_assert(program_begin(&f, x));
        perp_primal_step step = program_run(&f, &steps);
        if (step == PERP_PRIMAL_UNBOUNDED) {
            unbounded++;
            ck_assert(f.p.rate < 0 && f.p.curve < 1e-9);
            if (!less) ck_assert_double_lt(fabs(f.p.curve), 1e-9);
            for (int i = 0; i < f.rows.n + f.rows.m; i++) {
                ck_assert(isinf(f.lo[i]) || f.p.slope[i] > -1e-12);
                ck_assert(isinf(f.hi[i]) || f.p.slope[i] < 1e-12);
            }
            continue;
        }
        solved++;
        perp_primal_polish(&f.p);
        ck_assert_msg(program_error(&f) < 1e-9, "program %d: %g", k, program_error(&f));
    }
    ck_assert_int_gt(solved, 1000);
    ck_assert_int_gt(unbounded, 100);
}
END_TEST

/* Z'H Z of rank 1: one column of Z is free, two are held. */
START_TEST(artificial_constraints)
{
    static program f;
    const double x[3] = {1, 2, 3};
    program_open(&f, 3, 0);
    f.H[4] = 2; /* x_1^2 */
    ck_assert(program_begin(&f, x));
    ck_assert_int_eq(f.p.hessian.k, 1);
    ck_assert_int_eq(f.p.s.set.R.k, 2);
    for (int p = 0; p < 2; p++) ck_assert(primal_is_artificial(&f.p, f.p.s.set.set[p]));
    int steps;
    ck_assert_int_eq(program_run(&f, &steps), PERP_PRIMAL_STATIONARY);
    ck_assert_int_eq(steps, 1);
    ck_assert(f.p.s.value[0] == 1 && fabs(f.p.s.value[1]) < 1e-15 && f.p.s.value[2] == 3);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("primal_set");
    TCase *t = tcase_create("primal_set");
    tcase_add_test(t, random_programs);
    tcase_add_test(t, artificial_constraints);
    suite_add_tcase(s, t);
    return support_run(s);
}
