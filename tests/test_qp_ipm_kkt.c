/* tests/test_qp_ipm_kkt.c: KKT systems, symmetric and not, solved and left out. */
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
    ipm_reduced r = reduce_problem(&p, &a);
    ipm_kkt k;
    generator g = generator_start(4);
    ck_assert_int_eq(ipm_kkt_open(&k, &r.p, &a), PERP_SOLVED);
    double d[64], b[64], x[64];
    bool out[64];
    for (int trial = 0; trial < 6; trial++) {
        for (int j = 0; j < k.size; j++) {
            d[j] = pow(10, 3 * generator_uniform(&g));
            b[j] = generator_uniform(&g);
            out[j] = trial > 2 && generator_below(&g, 3) == 0;
        }
        bool *left = trial > 2 ? out : NULL;
        ck_assert(ipm_kkt_factor(&k, d, left));
        ck_assert_int_eq(k.replaced, 0);
        double error = ipm_kkt_solve(&k, b, x);
        ck_assert_double_lt(error, 1e-11);
        ck_assert_double_lt(residual(&r.p, d, left, x, b), 1e-10);
        memcpy(x, b, sizeof x); /* in place */
        ipm_kkt_solve(&k, x, x);
        ck_assert_double_lt(residual(&r.p, d, left, x, b), 1e-10);
    }
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp_ipm_kkt");
    TCase *t = tcase_create("kkt");
    tcase_add_loop_test(t, solves, 0, 4);
    suite_add_tcase(s, t);
    return support_run(s);
}
