/* tests/fc3d/test_sweep_local.c: W by block rows and block columns, its diagonal blocks. */
#include "fc3d_support.h"

#include "fc3d/sweep_local.h"

/* Rows (0, 2), (), (0, 2, 2, 1): no order within a row, one block given twice. */
static const int start[] = {0, 2, 2, 6}, column[] = {0, 2, 0, 2, 2, 1};

static struct perp_bsr3_view hand_made(double *x)
{
    for (int k = 0; k < 6 * 9; k++) x[k] = 10 * (k / 9) + k % 9;
    return (struct perp_bsr3_view){start, column, x};
}

START_TEST(transposed)
{
    static const int from[] = {0, 2, 3, 6}, rows[] = {0, 2, 2, 0, 2, 2};
    static const int source[] = {0, 2, 5, 1, 3, 4};
    double x[6 * 9];
    struct perp_bsr3_view W = hand_made(x);
    perp_arena a = {0};
    perp_sweep_transposed t;
    ck_assert(perp_sweep_local_transpose(&a, 3, &W, &t));
    ck_assert_mem_eq(t.start, from, sizeof from);
    ck_assert_mem_eq(t.rows, rows, sizeof rows);
    ck_assert_mem_eq(t.source, source, sizeof source);
    perp_arena_free(&a);
    char room[64];
    perp_arena small;
    perp_arena_fixed(&small, room, sizeof room);
    ck_assert(!perp_sweep_local_transpose(&small, 3, &W, &t));
}
END_TEST

START_TEST(diagonal)
{
    double x[6 * 9], block[9];
    struct perp_bsr3_view W = hand_made(x);
    perp_sweep_local_block(&W, 0, block);
    ck_assert_mem_eq(block, x, sizeof block);
    for (int e = 0; e < 9; e++) block[e] = NAN;
    perp_sweep_local_block(&W, 1, block);
    for (int e = 0; e < 9; e++) ck_assert(block[e] == 0);
    perp_sweep_local_block(&W, 2, block);
    for (int e = 0; e < 9; e++) ck_assert(block[e] == 30 + 40 + 2 * e);
}
END_TEST

/* The W of the sweep's problem, not of the run's. */
static perp_status convert(perp_run *run, double *z, void *ctx)
{
    (void)z;
    perp_sweep s = {.problem = ctx};
    struct perp_bsr3_view W;
    perp_status status = perp_sweep_local_rows(run, &s, &W);
    if (status) return status;
    ck_assert(W.p[0] == 0 && W.p[1] == 1 && W.j[0] == 0);
    for (int e = 0; e < 9; e++) ck_assert(W.x[e] == e + 1);
    return PERP_STALLED;
}

START_TEST(rows)
{
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0, 0}, mu[1] = {0.5};
    const double x[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    perp_problem p = perp_make_fc3d(1, perp_dense(3, 3, identity), q, mu);
    perp_fc3d other = {.contacts = 1, .W = perp_dense(3, 3, x)};
    perp_result r;
    ck_assert_int_eq(fc3d_inside(&p, convert, &other, &r), PERP_STALLED);
    other.W = perp_dense(4, 4, x);
    ck_assert_int_eq(fc3d_inside(&p, convert, &other, &r), PERP_E_FORMAT);
    ck_assert_ptr_nonnull(strstr(r.detail, "4"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_sweep_local");
    TCase *t = tcase_create("fc3d_sweep_local");
    tcase_add_test(t, transposed);
    tcase_add_test(t, diagonal);
    tcase_add_test(t, rows);
    suite_add_tcase(s, t);
    return support_run(s);
}
