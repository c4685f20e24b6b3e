/* tests/qp/test_phase_one.c: the first set, and x on it. */
#include "qp/phase_one.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

typedef struct fixture {
    perp_arena a;
    perp_problem q;
    perp_dense_qp p;
    perp_dual s;
    double doubles[200], force[8], g[3];
    int ints[40];
    signed char side[8];
} fixture;

/* x_0 = 1; x_0 + x_1 = 3 twice; x_1 + x_2 <= 5; x_2 in [-4, -1]. */
static void open_fixture(fixture *f)
{
    static const double H[9] = {0}, c[3] = {0}, A[] = {1, 1, 0, 1, 1, 1, 0, 0, 1},
                        lo[] = {3, 3, -INFINITY}, hi[] = {3, 3, 5};
    static const double xlo[] = {1, -INFINITY, -4}, xhi[] = {1, INFINITY, -1};
    memset(f, 0, sizeof *f);
    f->q = perp_make_qp(3, 3, perp_dense(3, 3, H), c, perp_dense(3, 3, A), lo, hi);
    f->q.as.qp.xlo = xlo;
    f->q.as.qp.xhi = xhi;
    ck_assert(perp_dense_qp_open(&f->p, &f->q.as.qp, &f->a));
    ck_assert_uint_le(perp_dual_doubles(3, 3), 200);
    perp_dual_open(&f->s, &f->p.rows, f->doubles, f->ints);
    for (int j = 0; j < 3; j++) f->s.set.Q[j * 3 + j] = 1;
}

START_TEST(cold)
{
    static fixture f;
    open_fixture(&f);
    perp_phase_centre(&f.p, f.s.value);
    ck_assert(f.s.value[0] == 1 && f.s.value[1] == 0 && f.s.value[2] == -1);
    perp_phase_start(&f.p, &f.s, NULL, f.force, f.g, f.side);
    ck_assert_int_eq(f.s.set.R.k, 3); /* x_0, one of the equal rows, x_2 at hi */
    ck_assert(f.s.side[0] == 1 && f.s.side[3] == 1 && f.s.side[4] == 0 && f.s.side[2] == -1);
    ck_assert(f.s.y[2] < 0 && f.s.y[0] == 0 && f.s.y[3] == 0);
    ck_assert_double_lt(fabs(f.s.value[1] - 2), 1e-14); /* moved to the equalities */
    perp_arena_free(&f.a);
}
END_TEST

START_TEST(warm)
{
    static fixture f;
    const double z[6] = {1, 2, -4, 0, 0, 0};
    open_fixture(&f);
    perp_phase_start(&f.p, &f.s, z, f.force, f.g, f.side);
    ck_assert_int_eq(f.s.set.R.k, 2); /* nothing holds x_2: H x + c is zero */
    ck_assert_int_eq(f.s.side[2], 0);
    perp_arena_free(&f.a);
}
END_TEST

START_TEST(resumed)
{
    static fixture f;
    const int list[] = {5, 3};
    const signed char side[6] = {0, 0, 0, 1, 0, -1};
    open_fixture(&f);
    perp_phase_resume(&f.p, &f.s, 2, list, side, f.g);
    ck_assert_int_eq(f.s.set.R.k, 3);
    ck_assert_int_eq(f.s.side[5], -1);
    ck_assert_double_lt(fabs(f.s.value[2] - 3), 1e-14); /* x_1 + x_2 = 5 */
    ck_assert_int_eq(perp_dual_advance(&f.s), PERP_DUAL_MOVED);
    ck_assert_int_eq(perp_dual_advance(&f.s), PERP_DUAL_MOVED);
    ck_assert_int_eq(perp_dual_advance(&f.s), PERP_DUAL_FEASIBLE);
    ck_assert_double_lt(fabs(f.s.value[2] + 1), 1e-14);
    perp_arena_free(&f.a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp/phase_one");
    TCase *t = tcase_create("phase_one");
    tcase_add_test(t, cold);
    tcase_add_test(t, warm);
    tcase_add_test(t, resumed);
    suite_add_tcase(s, t);
    return support_run(s);
}
