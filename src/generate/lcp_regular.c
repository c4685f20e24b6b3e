/* generate/lcp_regular.c: LCPs with a solution, and mostly one only. pd, psd and nonsymmetric are
 * those behind the published comparisons of Lemke codes; Murty's and Fathi's make pivoting
 * exponential. Dense, O(n^3) to make where M is a product. */
#include "lcp_parts.h"

void make_pd(generator *g, perp_arena *a, generated *out)
{
    add_gram(g, a, out->n, out);
    add_diagonal(0.1, out);
    draw_q(g, out->n, out);
}

void make_psd(generator *g, perp_arena *a, generated *out)
{
    add_gram(g, a, out->n / 2, out);
    draw_solution(g, a, out);
}

void make_nonsymmetric(generator *g, perp_arena *a, generated *out)
{
    add_gram(g, a, out->n, out);
    add_diagonal(0.1, out);
    add_skew(g, out);
    draw_q(g, out->n, out);
}

/* Skew plus nothing: a zero-sum game's matrix, PSD in the widest sense, with a known solution. */
void make_skew(generator *g, perp_arena *a, generated *out)
{
    add_skew(g, out);
    draw_solution(g, a, out);
}

/* Murty 1978: lower triangular, 1 on the diagonal and 2 below, q = -1. The solution is e_1, and
 * Lemke's method with the covering vector (1, .., 1) takes 2^n - 1 pivots to it. */
void make_murty(generator *g, perp_arena *a, generated *out)
{
    (void)g;
    double *z = perp_alloc(a, (size_t)out->n, sizeof *z);
    for (int j = 0; j < out->n; j++) {
        *lcp_at(out, j, j) = 1;
        for (int i = j + 1; i < out->n; i++) *lcp_at(out, i, j) = 2;
        out->q[j] = -1;
    }
    if (z && out->n > 0) z[0] = 1;
    out->z = z;
}

/* Row diagonally dominant and not symmetric: a P-matrix. */
void make_dominant(generator *g, perp_arena *a, generated *out)
{
    (void)a;
    for (int i = 0; i < out->n; i++) {
        double sum = 0;
        for (int j = 0; j < out->n; j++) {
            if (j != i) sum += fabs(*lcp_at(out, i, j) = generator_uniform(g));
        }
        *lcp_at(out, i, i) = sum + 0.1 + generator_unit(g);
    }
    draw_q(g, 1, out);
}

/* Strictly copositive (all entries > 0), far from PSD: a solution always exists. */
void make_copositive(generator *g, perp_arena *a, generated *out)
{
    (void)a;
    for (int j = 0; j < out->n; j++) {
        for (int i = 0; i < out->n; i++) *lcp_at(out, i, j) = 0.05 + generator_unit(g);
    }
    draw_q(g, 1, out);
}

/* Fathi 1979: M = L L' with L the matrix of Murty's example, so symmetric and positive definite,
 * and q = -1: again e_1 solves, and Lemke's and Murty's methods take 2^n - 1 pivots. The condition
 * of M grows like 9^n. */
void make_fathi(generator *g, perp_arena *a, generated *out)
{
    (void)g;
    double *z = perp_alloc(a, (size_t)out->n, sizeof *z);
    for (int j = 0; j < out->n; j++) {
        *lcp_at(out, j, j) = 4 * j + 1;
        for (int i = j + 1; i < out->n; i++) *lcp_at(out, i, j) = *lcp_at(out, j, i) = 4 * j + 2;
        out->q[j] = -1;
    }
    if (z && out->n > 0) z[0] = 1;
    out->z = z;
}

/* D M E, D q for a PD problem: in other units for each row and each unknown. */
void make_badly_scaled(generator *g, perp_arena *a, generated *out)
{
    make_pd(g, a, out);
    for (int k = 0; k < out->n; k++) {
        double row = pow(10, 12 * generator_uniform(g)),
               column = pow(10, 12 * generator_uniform(g));
        for (int i = 0; i < out->n; i++) {
            *lcp_at(out, k, i) *= row;
            *lcp_at(out, i, k) *= column;
        }
        out->q[k] *= row;
    }
}
