/* tests/method/test_dual_set.c: the dual active-set kernel with Q = I: nearest points of polyhedra.
 */
#include "method/dual_set.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 30

typedef struct fixture {
    perp_constraint_rows rows;
    double A[MOST * MOST], lo[2 * MOST], hi[2 * MOST], start[MOST];
    double doubles[2 * MOST * MOST + 10 * MOST];
    int ints[4 * MOST];
    perp_dual s;
} fixture;

static void open_fixture(fixture *f, int n, int m)
{
    for (int i = 0; i < n + m; i++) {
        f->lo[i] = -INFINITY;
        f->hi[i] = INFINITY;
    }
    f->rows = (perp_constraint_rows){.n = n, .m = m, .A = f->A, .lo = f->lo, .hi = f->hi};
    ck_assert_uint_le(perp_dual_doubles(n, m), sizeof f->doubles / sizeof *f->doubles);
    ck_assert_uint_le(perp_dual_ints(n, m), sizeof f->ints / sizeof *f->ints);
}

/* From x = start, or what it is nearest to on the set so far. */
static perp_dual_step run(fixture *f)
{
    int n = f->rows.n;
    perp_dual_step step;
    perp_dual_open(&f->s, &f->rows, f->doubles, f->ints);
    memset(f->s.set.Q, 0, (size_t)n * (size_t)n * sizeof *f->s.set.Q);
    for (int j = 0; j < n; j++) working_column(&f->s.set, j)[j] = 1;
    memcpy(f->s.value, f->start, (size_t)n * sizeof *f->start);
    perp_dual_measure(&f->s);
    for (int k = 0; (step = perp_dual_advance(&f->s)) == PERP_DUAL_MOVED; k++) {
        ck_assert_int_lt(k, 20 * MOST);
    }
    return step;
}

/* x - start = sum y_i a_i with the signs and zeros that y must have. */
static void check_nearest(const fixture *f)
{
    int n = f->rows.n, m = f->rows.m;
    double rest[MOST];
    for (int j = 0; j < n; j++) rest[j] = f->start[j] - f->s.value[j];
    for (int i = 0; i < n + m; i++) {
        double v = f->s.value[i], y = f->s.y[i], sum = 0;
        for (int j = 0; i >= n && j < n; j++) sum += f->A[(i - n) * n + j] * f->s.value[j];
        if (i >= n) ck_assert_double_lt(fabs(sum - v), 1e-12);
        ck_assert_double_ge(v, f->lo[i] - 1e-11);
        ck_assert_double_le(v, f->hi[i] + 1e-11);
        if (y > 0) ck_assert_double_lt(fabs(v - f->lo[i]), 1e-11);
        if (y < 0) ck_assert_double_lt(fabs(v - f->hi[i]), 1e-11);
        rows_add_normal(&f->rows, i, y, rest);
    }
    for (int j = 0; j < n; j++) ck_assert_double_lt(fabs(rest[j]), 1e-11);
}

/* Nearest to (2, 2) with x <= 1 and x + y <= 2: (1, 1), multipliers 0 at x and -sqrt 2 at the row.
 * With x <= 1/2: (1/2, 3/2), and x's multiplier is -1. */
START_TEST(hand_worked)
{
    static fixture f;
    open_fixture(&f, 2, 1);
    f.A[0] = f.A[1] = sqrt(0.5);
    f.start[0] = f.start[1] = 2;
    f.hi[2] = sqrt(2);
    f.hi[0] = 1;
    ck_assert_int_eq(run(&f), PERP_DUAL_FEASIBLE);
    ck_assert(fabs(f.s.value[0] - 1) < 1e-15 && fabs(f.s.value[1] - 1) < 1e-15);
    ck_assert(fabs(f.s.y[2] + sqrt(2)) < 1e-15 && fabs(f.s.y[0]) < 1e-15);
    f.hi[0] = 0.5;
    ck_assert_int_eq(run(&f), PERP_DUAL_FEASIBLE);
    ck_assert(fabs(f.s.value[0] - 0.5) < 1e-15 && fabs(f.s.value[1] - 1.5) < 1e-15);
    ck_assert(fabs(f.s.y[2] + sqrt(0.5)) < 1e-15 && fabs(f.s.y[0] + 1) < 1e-15);
}
END_TEST

static void draw(fixture *f, generator *g, int n, int m)
{
    double x[MOST];
    open_fixture(f, n, m);
    for (int j = 0; j < n; j++) x[j] = generator_between(g, -2, 2);
    for (int i = 0; i < m; i++) {
        double *a = f->A + (size_t)i * (size_t)n, norm = 0, at = 0;
        bool copy = i > 0 && generator_below(g, 4) == 0; /* rows come twice */
        for (int j = 0; j < n; j++) a[j] = copy ? a[j - n] : generator_between(g, -2, 2);
        for (int j = 0; j < n; j++) norm = hypot(norm, a[j]);
        for (int j = 0; j < n; j++) at += (a[j] /= norm > 0 ? norm : 1) * x[j];
        f->lo[n + i] = generator_below(g, 2) ? at : -INFINITY;
        f->hi[n + i] = generator_below(g, 2) ? at + generator_below(g, 2) : INFINITY;
    }
    for (int j = 0; j < n; j++) {
        f->start[j] = 10 * generator_uniform(g);
        if (generator_below(g, 2)) f->lo[j] = x[j] - generator_below(g, 2);
        if (generator_below(g, 2)) f->hi[j] = x[j] + generator_below(g, 2);
    }
}

START_TEST(random_polyhedra)
{
    static fixture f;
    generator g = generator_start(8);
    for (int k = 0; k < 2000; k++) {
        draw(&f, &g, generator_between(&g, 1, 12), generator_between(&g, 0, MOST));
        ck_assert_int_eq(run(&f), PERP_DUAL_FEASIBLE);
        check_nearest(&f);
    }
}
END_TEST

/* The proof's normals cancel, its bounds do not. */
START_TEST(contradictions)
{
    static fixture f;
    generator g = generator_start(9);
    for (int k = 0; k < 500; k++) {
        int n = generator_between(&g, 1, 10), m = generator_between(&g, 2, 20);
        double proof[2 * MOST], rest[MOST] = {0}, sum = 0;
        draw(&f, &g, n, m);
        memcpy(f.A + (m - 1) * n, f.A, (size_t)n * sizeof *f.A);
        f.lo[n] = 1;
        f.hi[n] = INFINITY;
        f.lo[n + m - 1] = -INFINITY;
        f.hi[n + m - 1] = 0.5;
        ck_assert_int_eq(run(&f), PERP_DUAL_INFEASIBLE);
        perp_dual_proof(&f.s, proof);
        for (int i = 0; i < n + m; i++) {
            if (proof[i] == 0) continue;
            sum += proof[i] * (proof[i] > 0 ? f.lo[i] : f.hi[i]);
            rows_add_normal(&f.rows, i, proof[i], rest);
        }
        ck_assert_msg(sum > 0 && isfinite(sum), "bounds sum to %g", sum);
        for (int j = 0; j < n; j++) ck_assert_double_lt(fabs(rest[j]), 1e-12 * sum);
    }
}
END_TEST

/* A set from outside: x and y on it by one Newton step. */
START_TEST(set_from_outside)
{
    static fixture f;
    open_fixture(&f, 2, 2);
    f.A[0] = f.A[2] = 0.6;
    f.A[1] = f.A[3] = 0.8;
    f.lo[2] = f.lo[3] = 3;
    run(&f);
    while (f.s.set.R.k) perp_dual_leave(&f.s, 0);
    ck_assert(perp_dual_join(&f.s, 2, 1, 0));
    ck_assert(!perp_dual_join(&f.s, 3, 1, 0)); /* the same row */
    ck_assert(!perp_dual_join(&f.s, 2, 1, 0)); /* is in already */
    f.s.value[0] = 5;
    f.s.value[1] = 0;
    perp_dual_measure(&f.s);
    double g[2] = {5, 0}; /* H x + c with H = I, c = 0 */
    perp_dual_correct(&f.s, g);
    ck_assert(fabs(f.s.value[0] - 1.8) < 1e-14 && fabs(f.s.value[1] - 2.4) < 1e-14);
    ck_assert(fabs(f.s.y[2] - 3) < 1e-14);
}
END_TEST

/* A set of bounds at once: the same as one by one. */
START_TEST(bounds_at_once)
{
    static fixture f;
    const signed char side[] = {0, 1, 0, -1};
    open_fixture(&f, 4, 1);
    for (int j = 0; j < 4; j++) {
        f.A[j] = 0.5;
        f.lo[j] = -1;
        f.hi[j] = 2;
        f.start[j] = j;
    }
    f.hi[4] = 0;
    run(&f);
    perp_dual_hold(&f.s, side);
    ck_assert_int_eq(f.s.set.R.k, 2);
    ck_assert(f.s.set.set[0] == 1 && f.s.set.set[1] == 3);
    ck_assert(f.s.value[1] == -1 && f.s.value[3] == 2 && f.s.side[1] == 1 && f.s.side[4] == 0);
    ck_assert(perp_dual_join(&f.s, 4, -1, 0));
    ck_assert(perp_dual_join(&f.s, 0, 1, 0));
    ck_assert(!perp_dual_join(&f.s, 2, 1, 0)); /* full */
}
END_TEST

/* Multipliers that are beyond all numbers: the set is full and nothing may enter it. */
START_TEST(multipliers_overflow)
{
    const double M[] = {5.24e-322,  7.4e-323,   -8.4e-323, -2.08e-322, 1.83e-322,  -4.3e-322,
                        7.4e-323,   5.04e-322,  1.73e-322, -7e-323,    -5.7e-322,  -1e-322,
                        -8.4e-323,  1.73e-322,  1.7e-322,  -5.4e-323,  -2.3e-322,  -5e-324,
                        -2.08e-322, -7e-323,    -5.4e-323, 2.2e-322,   1.5e-323,   1.2e-322,
                        1.73e-322,  -2.37e-322, -6.4e-323, -7e-323,    2.87e-322,  -2.08e-322,
                        -4.3e-322,  -1e-322,    -5e-324,   1.2e-322,   -3.85e-322, 5.43e-322};
    const double q[] = {0, 0, 0, 0, -8.881784197001252e-16, 0};
    const double lo[] = {0, 0, 2, 0, 0, 0.4924266386328091};
    const double hi[] = {INFINITY, INFINITY, 2.0000000000000004, INFINITY, INFINITY, INFINITY};
    perp_problem p = perp_make_mcp(6, perp_dense(6, 6, M), q, lo, hi);
    perp_arena a = {0};
    double z[6] = {0}, w[6];
    perp_result r;
    perp_status status = perp_solve(&p, perp_find("mcp/auto"), &a, z, w, &r);
    ck_assert_msg(status > 0, "%s", perp_status_name(status));
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("dual_set");
    TCase *t = tcase_create("dual_set");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, random_polyhedra);
    tcase_add_test(t, contradictions);
    tcase_add_test(t, set_from_outside);
    tcase_add_test(t, bounds_at_once);
    tcase_add_test(t, multipliers_overflow);
    suite_add_tcase(s, t);
    return support_run(s);
}
