/* qp/ipm_pairs.c: KKT systems beyond the reach of double precision, in pairs of numbers.
 *
 * Rows that are nearly dependent make A A' singular to double precision long before the problem is
 * meaningless: k-th differences of n numbers have (pi / n)^(2 k), which is 1e-28 for k = 4 and
 * n = 10,000, where multipliers are 1e9. A factor in double precision then solves its systems to
 * some digits of the right-hand side and none of the solution, and the iterates stop at multipliers
 * that are too small. In pairs (linalg/ldl_pairs.h) the systems have their digits back; iterates
 * stay numbers, and end where the rounding of those leaves them.
 *
 * The file is none of those that may contract products and sums. */
#include "ipm.h"

#include "base/pair.h"

/* Multiplications of a factor up to which pairs are worth their time: one takes some 1.2 ns in
 * pairs (qp_cvxqp1 with n = 2000, 4.4e7 of them: 50 ms), and a run makes 50 to 150 factors. */
#define MOST_WORK 2e8

bool perp_ipm_kkt_use_pairs(ipm_kkt *k)
{
    perp_arena *a = k->arena;
    size_t size = (size_t)k->size;
    if (k->pairs || !k->p->symmetric || k->ldl.panels.of.flops > MOST_WORK) return false;
    perp_mark mark = perp_arena_mark(a);
    perp_ldl_pairs *pairs = perp_alloc(a, 1, sizeof *pairs);
    k->low = perp_alloc(a, size, sizeof *k->low);
    k->low_step = perp_alloc(a, size, sizeof *k->low_step);
    if (!a->failed && perp_ldl_pairs_open(pairs, a, &k->ldl))
        k->pairs = pairs;
    else
        perp_arena_release(a, mark);
    return k->pairs != NULL;
}

/* r -= by (x + low) */
static inline void subtract(double by, double x, double low, double *r, double *r_low)
{
    pair_add_product(-by, x, r, r_low);
    *r_low -= by * low;
}

void perp_ipm_pairs_residual(ipm_kkt *k, const double *b, const double *x, const double *low)
{
    double *r = k->residual, *r_low = k->ldl.panels.x;
    memcpy(r, b, (size_t)k->size * sizeof *r);
    memset(r_low, 0, (size_t)k->size * sizeof *r_low);
    for (int j = 0; j < k->size; j++) {
        int e = k->start[j];
        subtract(k->value[e], x[j], low[j], &r[j], &r_low[j]);
        for (e++; e < k->start[j + 1]; e++) {
            int i = k->index[e];
            subtract(k->value[e], x[j], low[j], &r[i], &r_low[i]);
            subtract(k->value[e], x[i], low[i], &r[j], &r_low[j]);
        }
    }
    for (int j = 0; j < k->size; j++) r[j] += r_low[j];
}

void perp_ipm_pairs_add(ipm_kkt *k, const double *x)
{
    for (int j = 0; j < k->size; j++) {
        k->low_step[j] += k->low[j];
        pair_add(x[j], &k->step[j], &k->low_step[j]);
    }
}

static void evaluate(ipm_kkt *k, const double *x, const double *y, double *v, double *g)
{
    const ipm_problem *p = k->p;
    const struct perp_csc_view *H = &p->H.as.csc, *A = &p->A.as.csc;
    double *g_low = k->low, *v_low = k->low + p->n;
    memset(k->low, 0, (size_t)k->size * sizeof *k->low);
    memcpy(g, p->c, (size_t)p->n * sizeof *g);
    memcpy(v, x, (size_t)p->n * sizeof *v);
    v += p->n;
    for (int i = 0; i < p->m; i++) v[i] = p->soft * y[i];
    for (int j = 0; j < p->n; j++) {
        for (int e = H->p[j]; e < H->p[j + 1]; e++) {
            int i = H->i[e];
            pair_add_product(H->x[e], x[j], &g[i], &g_low[i]);
            if (i != j) pair_add_product(H->x[e], x[i], &g[j], &g_low[j]);
        }
        for (int e = A->p[j]; e < A->p[j + 1]; e++) {
            int i = A->i[e];
            pair_add_product(A->x[e], x[j], &v[i], &v_low[i]);
            pair_add_product(-A->x[e], y[i], &g[j], &g_low[j]);
        }
    }
    for (int j = 0; j < p->n; j++) g[j] += g_low[j];
    for (int i = 0; i < p->m; i++) v[i] += v_low[i];
}

void perp_ipm_kkt_evaluate(ipm_kkt *k, const double *x, const double *y, double *v, double *g)
{
    if (k->pairs)
        evaluate(k, x, y, v, g);
    else
        perp_ipm_evaluate(k->p, x, y, v, g);
}
