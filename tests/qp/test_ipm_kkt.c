/* tests/qp/test_ipm_kkt.c: KKT systems, symmetric and not, solved and left out. */
#include "ipm_support.h"

/* The entry of [H A'; A 0] + diag(d, -d), pairs that are out left out. */
static double entry(const ipm_problem *p, const double *d, const bool *out, int i, int j)
{
    double sum = 0;
    int n = p->n;
    if (out && (out[i] || out[j])) return i != j ? 0 : i < n ? 1 : -1;
    if (i == j) sum = i < n ? d[i] : -d[i];
    if (i < n && j < n) {
        int r = p->symmetric && i < j ? j : i, c = p->symmetric && i < j ? i : j;
        const struct perp_csc_view *H = &p->H.as.csc;
        for (int k = H->p[c]; k < H->p[c + 1]; k++) sum += H->i[k] == r ? H->x[k] : 0;
    } else if (i < n || j < n) {
        int r = i < n ? j - n : i - n, c = i < n ? i : j;
        const struct perp_csc_view *A = &p->A.as.csc;
        for (int k = A->p[c]; k < A->p[c + 1]; k++) sum += A->i[k] == r ? A->x[k] : 0;
    }
    return sum;
}

static double residual(const ipm_problem *p, const double *d, const bool *out, const double *x,
                       const double *b)
{
    double most = 0;
    for (int i = 0; i < p->n + p->m; i++) {
        double sum = -b[i];
        for (int j = 0; j < p->n + p->m; j++) sum += entry(p, d, out, i, j) * x[j];
        most = fmax(most, fabs(sum));
    }
    return most;
}

START_TEST(solves)
{
    static const char *const families[] = {"qp_convex", "qp_nonsymmetric", "qp_linear",
                                           "qp_sparse"};
    perp_arena a = {0};
    perp_problem p = sparse_problem(families[_i], 24, 7, &a);
    ipm_presolved r = reduce_problem(&p, &a);
    ipm_kkt k;
    generator g = generator_start(4);
    ck_assert_int_eq(perp_ipm_kkt_open(&k, &r.p, &a), PERP_SOLVED);
    double d[64], b[64], x[64];
    bool out[64];
    for (int trial = 0; trial < 9; trial++) {
        if (trial == 6)
            ck_assert(perp_ipm_kkt_pivot(&k) == r.p.symmetric); /* and so from here on */
        for (int j = 0; j < k.size; j++) {
            d[j] = pow(10, 3 * generator_uniform(&g));
            b[j] = generator_uniform(&g);
            out[j] = trial % 3 == 2 && generator_below(&g, 3) == 0;
        }
        bool *left = trial % 3 == 2 ? out : NULL;
        ck_assert(perp_ipm_kkt_factor(&k, d, left));
        ck_assert_int_eq(k.replaced, 0);
        double error = perp_ipm_kkt_solve(&k, b, x, 1e-14);
        ck_assert_double_lt(error, 1e-11);
        ck_assert_double_lt(residual(&r.p, d, left, x, b), 1e-10);
        memcpy(x, b, sizeof x); /* in place */
        perp_ipm_kkt_solve(&k, x, x, 1e-14);
        ck_assert_double_lt(residual(&r.p, d, left, x, b), 1e-10);
    }
    ck_assert(!perp_ipm_kkt_pivot(&k));
    perp_arena_free(&a);
}
END_TEST

/* A matrix that is quasidefinite by nothing but 1e-13: L D L' in any order loses what LU keeps. */
START_TEST(pivots_keep_the_accuracy)
{
    const int p[] = {0, 1, 1}, i[] = {0}, q[] = {0, 2, 4}, j[] = {0, 1, 0, 1};
    const double H[] = {1e-13}, A[] = {1, 1, 1, 1 + 1e-3}, c[] = {0, 0}, lo[] = {0, 0};
    perp_arena a = {0};
    perp_problem qp =
        perp_make_qp(2, 2, perp_csc(2, 2, p, i, H), c, perp_csc(2, 2, q, j, A), lo, lo);
    ipm_presolved r = reduce_problem(&qp, &a);
    ipm_kkt k;
    const double d[] = {1e-14, 1e-14, 1e-14, 1e-14}, b[] = {1, 2, 3, 4};
    double x[4];
    ck_assert_int_eq(perp_ipm_kkt_open(&k, &r.p, &a), PERP_SOLVED);
    ck_assert(perp_ipm_kkt_pivot(&k));
    ck_assert(perp_ipm_kkt_factor(&k, d, NULL));
    ck_assert_double_lt(perp_ipm_kkt_solve(&k, b, x, 1e-14), 1e-10);
    perp_arena_free(&a);
}
END_TEST

/* Nearly dependent rows: the first solve has some digits, refinement gives the others, and only
 * where they are wanted. */
START_TEST(refines_to_the_accuracy_that_is_asked_for)
{
    const int p[] = {0, 1, 2}, i[] = {0, 1}, q[] = {0, 2, 4}, j[] = {0, 1, 0, 1};
    const double H[] = {1, 1}, A[] = {1, 1, 1, 1 + 1e-5}, c[] = {0, 0}, lo[] = {0, 0};
    perp_arena a = {0};
    perp_problem qp =
        perp_make_qp(2, 2, perp_csc(2, 2, p, i, H), c, perp_csc(2, 2, q, j, A), lo, lo);
    ipm_presolved r = reduce_problem(&qp, &a);
    ipm_kkt k;
    const double d[] = {1e-9, 1e-9, 1e-9, 1e-9}, b[] = {1, 2, 3, 4};
    double x[4];
    ck_assert_int_eq(perp_ipm_kkt_open(&k, &r.p, &a), PERP_SOLVED);
    ck_assert(perp_ipm_kkt_factor(&k, d, NULL));
    ck_assert_int_eq(k.factors, 1);
    double first = perp_ipm_kkt_solve(&k, b, x, 1);
    ck_assert_int_eq(k.solves, 1);
    ck_assert_double_gt(first, 1e-14);
    ck_assert_double_eq(perp_ipm_kkt_solve(&k, b, x, first), first);
    ck_assert_int_eq(k.solves, 2);
    ck_assert_double_lt(perp_ipm_kkt_solve(&k, b, x, 0.1 * first), 0.1 * first);
    ck_assert_int_ge(k.solves, 4);
    perp_arena_free(&a);
}
END_TEST

/* Where there is no room for pivots the arena is as it was. */
START_TEST(pivots_in_a_fixed_arena)
{
    static double buffer[20000];
    perp_arena a = {0}, fixed;
    perp_problem p = sparse_problem("qp_convex", 10, 1, &a);
    perp_arena_fixed(&fixed, buffer, sizeof buffer);
    ipm_presolved r = reduce_problem(&p, &fixed);
    ipm_kkt k;
    ck_assert_int_eq(perp_ipm_kkt_open(&k, &r.p, &fixed), PERP_SOLVED);
    size_t used = fixed.used;
    ck_assert(perp_ipm_kkt_pivot(&k));
    ck_assert_uint_gt(fixed.used, used);
    perp_arena_fixed(&fixed, buffer, used + 1000);
    r = reduce_problem(&p, &fixed);
    ck_assert_int_eq(perp_ipm_kkt_open(&k, &r.p, &fixed), PERP_SOLVED);
    used = fixed.used;
    ck_assert(!perp_ipm_kkt_pivot(&k));
    ck_assert(!fixed.failed);
    ck_assert_uint_eq(fixed.used, used);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp_ipm_kkt");
    TCase *t = tcase_create("kkt");
    tcase_add_loop_test(t, solves, 0, 4);
    tcase_add_test(t, pivots_keep_the_accuracy);
    tcase_add_test(t, refines_to_the_accuracy_that_is_asked_for);
    tcase_add_test(t, pivots_in_a_fixed_arena);
    suite_add_tcase(s, t);
    return support_run(s);
}
