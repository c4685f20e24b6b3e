/* tests/method/test_primal_step.c: single steps of the primal kernel, worked by hand. */
#include "primal_support.h"

/* min x^2/2 + y^2/2 - 2x - 2y, x <= 1, x + y <= 3 from (0, 0): to x = 1, on to (1, 2); there both
 * multipliers are right. */
START_TEST(blocked_twice)
{
    static program f;
    const double start[2] = {0, 0}, row[2] = {1, 1};
    int steps;
    program_open(&f, 2, 1);
    f.H[0] = f.H[3] = 1;
    f.c[0] = f.c[1] = -2;
    f.hi[0] = 1;
    program_row(&f, 0, row, -INFINITY, 3);
    ck_assert(program_begin(&f, start));
    ck_assert_int_eq(perp_primal_advance(&f.p), PERP_PRIMAL_MOVED);
    ck_assert(f.p.s.value[0] == 1 && f.p.s.side[0] == -1);
    ck_assert_double_lt(fabs(f.p.s.value[1] - 1), 1e-15); /* straight towards (2, 2) */
    ck_assert_int_eq(program_run(&f, &steps), PERP_PRIMAL_STATIONARY);
    ck_assert_int_eq(steps, 1); /* (1, 2) is free in the row: it just touches */
    ck_assert_double_lt(fabs(f.p.s.value[1] - 2), 1e-15);
    ck_assert_double_lt(fabs(f.p.s.y[0] + 1), 1e-15);
    ck_assert_double_lt(program_error(&f), 1e-15);
}
END_TEST

/* -x^2/2 on [-1, 2] from 0 with c = -1: leaves upwards, to 2. Without the bound: no end. */
START_TEST(negative_curvature)
{
    static program f;
    const double start[1] = {0};
    int steps;
    program_open(&f, 1, 0);
    f.H[0] = -1;
    f.c[0] = -1;
    f.lo[0] = -1;
    f.hi[0] = 2;
    ck_assert(program_begin(&f, start));
    ck_assert_int_eq(program_run(&f, &steps), PERP_PRIMAL_STATIONARY);
    ck_assert(f.p.s.value[0] == 2 && f.p.s.y[0] == -3);
    f.hi[0] = INFINITY;
    ck_assert(program_begin(&f, start));
    ck_assert_int_eq(program_run(&f, &steps), PERP_PRIMAL_UNBOUNDED);
    ck_assert(f.p.d[0] > 0 && f.p.curve < 0);
}
END_TEST

/* Beale's program, on which the simplex method cycles, as a QP with H = 0: the optimum is -1/20 at
 * (1/25, 0, 1, 0). */
START_TEST(beale)
{
    static program f;
    const double c[4] = {-0.75, 150, -0.02, 6}, start[4] = {0};
    const double rows[3][4] = {{0.25, -60, -0.04, 9}, {0.5, -90, -0.02, 3}, {0, 0, 1, 0}};
    int steps;
    program_open(&f, 4, 3);
    for (int j = 0; j < 4; j++) {
        f.lo[j] = 0;
        f.c[j] = c[j];
    }
    for (int i = 0; i < 3; i++) program_row(&f, i, rows[i], -INFINITY, i == 2);
    ck_assert(program_begin(&f, start));
    ck_assert_int_eq(program_run(&f, &steps), PERP_PRIMAL_STATIONARY);
    double value = 0;
    for (int j = 0; j < 4; j++) value += c[j] * f.p.s.value[j];
    ck_assert_double_lt(fabs(value + 0.05), 1e-15);
    ck_assert_int_lt(steps, 20);
}
END_TEST

/* The direction without an end obeys the set exactly. */
START_TEST(unbounded_along_rows)
{
    static program f;
    const double start[3] = {0, 0, 0}, row[3] = {1, 2, -3};
    int steps;
    program_open(&f, 3, 1);
    f.H[0] = 1;
    f.c[2] = -1;
    f.lo[1] = 0;
    program_row(&f, 0, row, 0, 0);
    ck_assert(program_begin(&f, start));
    ck_assert_int_eq(program_run(&f, &steps), PERP_PRIMAL_UNBOUNDED);
    const double *d = f.p.d;
    ck_assert(d[0] == 0 && d[1] > 0 && fabs(2 * d[1] - 3 * d[2]) < 1e-15);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("primal_step");
    TCase *t = tcase_create("primal_step");
    tcase_add_test(t, blocked_twice);
    tcase_add_test(t, negative_curvature);
    tcase_add_test(t, beale);
    tcase_add_test(t, unbounded_along_rows);
    suite_add_tcase(s, t);
    return support_run(s);
}
