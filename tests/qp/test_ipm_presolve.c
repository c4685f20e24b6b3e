/* tests/qp/test_ipm_presolve.c: what is taken out, what is scaled, and the way back. */
#include "base/watch.h"
#include "countdown.h"
#include "ipm_support.h"

#define INF INFINITY

/* x1 is fixed at 3; row 1 has no bounds, row 2 only the fixed variable. */
static const double H[] = {2, 1, 0, 1, 4, 0, 0, 0, 1e6}, A[] = {1, 5, 0, 1, 0, 2, 0, 5, 0};
static const double c[] = {1, 1, 1}, lo[] = {1, -INF, 6}, hi[] = {INF, INF, 6};
static const double xlo[] = {0, 3, -INF}, xhi[] = {INF, 3, 1e25};

static perp_problem example(perp_arena *a)
{
    perp_problem p = perp_make_qp(3, 3, perp_dense(3, 3, H), c, perp_dense(3, 3, A), lo, hi);
    p.as.qp.xlo = xlo;
    p.as.qp.xhi = xhi;
    ck_assert_int_eq(perp_convert(&p.as.qp.H, PERP_FORMAT_CSC, a, &p.as.qp.H, NULL), PERP_SOLVED);
    ck_assert_int_eq(perp_convert(&p.as.qp.A, PERP_FORMAT_CSC, a, &p.as.qp.A, NULL), PERP_SOLVED);
    return p;
}

START_TEST(fixed_and_empty_go)
{
    perp_arena a = {0};
    perp_problem p = example(&a);
    ipm_presolved r = reduce_problem(&p, &a);
    ck_assert_int_eq(r.p.n, 2);
    ck_assert_int_eq(r.p.m, 1);
    ck_assert_int_eq(r.bad_row, -1);
    ck_assert(r.p.symmetric && !r.p.linear);
    ck_assert_int_eq(r.variable[1], 2);
    ck_assert_double_eq(r.p.c[0], r.cost * r.column[0] * 4); /* 1 + H01 3 */
    ck_assert_double_eq(r.p.lo[2], r.row[0] * -2);           /* 1 - A01 3 */
    ck_assert(isinf(r.p.hi[1]));                             /* 1e25 is no bound */
    perp_arena_free(&a);
}
END_TEST

START_TEST(an_empty_row_that_cannot_hold_is_named)
{
    perp_arena a = {0};
    perp_problem p = example(&a);
    const double other[] = {1, -INF, 7}, above[] = {INF, INF, 9};
    p.as.qp.lo = other;
    p.as.qp.hi = above;
    ipm_presolved r = reduce_problem(&p, &a);
    ck_assert_int_eq(r.bad_row, 2);
    ck_assert_double_eq(r.bad_sign, 1);
    perp_arena_free(&a);
}
END_TEST

/* The reduced x and y of the caller's z. */
static void insert(const ipm_presolved *r, const double *z, double *x, double *y)
{
    for (int j = 0; j < r->p.n; j++) x[j] = z[r->variable[j]] / r->column[j];
    for (int i = 0; i < r->p.m; i++) y[i] = z[r->from->n + r->row_of[i]] * r->cost / r->row[i];
}

START_TEST(the_way_back)
{
    static const char *const families[] = {"qp_convex", "qp_nonsymmetric", "qp_linear",
                                           "qp_sparse"};
    for (int f = 0; f < 4; f++) {
        perp_arena a = {0};
        perp_problem p = sparse_problem(families[f], 20, 1, &a);
        ipm_presolved r = reduce_problem(&p, &a);
        int size = perp_size(&p);
        double z[64], back[64], x[64], y[64], v[64], g[64];
        generator rng = generator_start(3);
        ck_assert_int_le(size, 64);
        for (int k = 0; k < size; k++) z[k] = generator_uniform(&rng);
        ck_assert(r.p.symmetric == (f != 1));
        ck_assert(r.p.linear == (f == 2));
        insert(&r, z, x, y);
        perp_ipm_restore(&r, x, y, back);
        ck_assert_double_eq(difference(size, z, back), 0); /* powers of two */
        perp_ipm_evaluate(&r.p, x, y, v, g);
        double slack[64];
        perp_mul(&p.as.qp.H, 1, z, 0, slack);
        perp_mul_t(&p.as.qp.A, -1, z + p.as.qp.n, 1, slack);
        perp_mul(&p.as.qp.A, 1, z, 0, slack + p.as.qp.n);
        for (int j = 0; j < r.p.n; j++) {
            double expected = (slack[j] + p.as.qp.c[j]) * r.cost * r.column[j];
            ck_assert_double_eq_tol(g[j], expected, 1e-13);
        }
        for (int i = 0; i < r.p.m; i++) {
            ck_assert_double_eq_tol(v[r.p.n + i], slack[p.as.qp.n + i] * r.row[i], 1e-13);
        }
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(rows_and_columns_are_near_one)
{
    perp_arena a = {0};
    perp_problem p = sparse_problem("qp_convex", 30, 2, &a);
    const struct perp_csc_view *M = &p.as.qp.A.as.csc;
    double *x = (double *)M->x;
    for (int j = 0; j < p.as.qp.n; j++) {
        for (int k = M->p[j]; k < M->p[j + 1]; k++)
            x[k] *= pow(10, j % 7 - 3) * pow(10, M->i[k] % 9 - 4);
    }
    ipm_presolved r = reduce_problem(&p, &a);
    double most[64] = {0};
    for (int j = 0; j < r.p.n; j++) {
        for (int k = r.p.A.as.csc.p[j]; k < r.p.A.as.csc.p[j + 1]; k++) {
            int i = r.p.A.as.csc.i[k];
            most[i] = fmax(most[i], fabs(r.p.A.as.csc.x[k]));
        }
    }
    for (int i = 0; i < r.p.m; i++) ck_assert_msg(most[i] > 0.1 && most[i] < 10, "%g", most[i]);
    perp_arena_free(&a);
}
END_TEST

/* Whichever look is the last one, the rest is left out; after the last there is all of it. */
START_TEST(stops_when_it_is_asked)
{
    perp_arena a = {0};
    countdown count = {.left = 1 << 30};
    perp_watch watch = {.stop = count_down, .ctx = &count};
    perp_problem p = example(&a);
    ipm_presolved r, whole = reduce_problem(&p, &a);
    a.watch = &watch;
    ck_assert_int_eq(perp_ipm_presolve(&p.as.qp, &a, &r), PERP_SOLVED);
    int looks = count.looks;
    ck_assert_int_ge(looks, 10);
    ck_assert_mem_eq(r.column, whole.column, (size_t)r.p.n * sizeof *r.column);
    for (int left = 0; left < looks; left++) {
        count = (countdown){.left = left};
        ck_assert_int_eq(perp_ipm_presolve(&p.as.qp, &a, &r), PERP_STALLED);
        ck_assert_int_le(count.looks, left + 3); /* it soon ends */
    }
    a.watch = NULL;
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp_ipm_reduce");
    TCase *t = tcase_create("reduce");
    tcase_add_test(t, fixed_and_empty_go);
    tcase_add_test(t, an_empty_row_that_cannot_hold_is_named);
    tcase_add_test(t, the_way_back);
    tcase_add_test(t, rows_and_columns_are_near_one);
    tcase_add_test(t, stops_when_it_is_asked);
    suite_add_tcase(s, t);
    return support_run(s);
}
