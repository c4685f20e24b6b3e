/* generate/lcp_parts.h: pieces that LCP families are made of, and the families' makers, which
 * lcp.c lists. A maker finds out->n set and M and q zero. */
#ifndef PERP_GENERATE_LCP_PARTS_H
#define PERP_GENERATE_LCP_PARTS_H

#include "generate.h"

#include <math.h>

static inline double *lcp_at(const generated *out, int i, int j)
{
    return out->M + (size_t)j * (size_t)out->n + (size_t)i;
}

/* M += A'A for A with `rows` rows, drawn row by row. One row at a time: no room for A needed but
 * in one row, and M stays symmetric to the bit. */
static inline void add_gram(generator *g, perp_arena *a, int rows, generated *out)
{
    int n = out->n;
    double *row = perp_alloc(a, (size_t)n, sizeof *row);
    if (!row) return;
    for (int r = 0; r < rows; r++) {
        for (int j = 0; j < n; j++) row[j] = generator_uniform(g);
        for (int j = 0; j < n; j++) {
            double *column = lcp_at(out, 0, j), t = row[j];
            for (int i = 0; i < n; i++) column[i] += row[i] * t;
        }
    }
}

static inline void add_diagonal(double d, generated *out)
{
    for (int i = 0; i < out->n; i++) *lcp_at(out, i, i) += d;
}

/* B - B' for strictly upper B, drawn row by row. */
static inline void add_skew(generator *g, generated *out)
{
    for (int i = 0; i < out->n; i++) {
        for (int j = i + 1; j < out->n; j++) {
            double b = generator_uniform(g);
            *lcp_at(out, i, j) += b;
            *lcp_at(out, j, i) -= b;
        }
    }
}

static inline void draw_q(generator *g, double size, generated *out)
{
    for (int i = 0; i < out->n; i++) out->q[i] = size * generator_uniform(g);
}

/* q = w - M z for given complementary z, w; z is kept as the known solution. */
static inline void set_q(double *z, const double *w, generated *out)
{
    for (int i = 0; i < out->n; i++) out->q[i] = w[i];
    for (int j = 0; j < out->n; j++) {
        for (int i = 0; i < out->n; i++) out->q[i] -= *lcp_at(out, i, j) * z[j];
    }
    out->z = z;
}

/* Draw a solution: z_i = u2 when u1 < 0.5, else w_i = u2. */
static inline void draw_solution(generator *g, perp_arena *a, generated *out)
{
    double *z = perp_alloc(a, (size_t)out->n, sizeof *z);
    double *w = perp_alloc(a, (size_t)out->n, sizeof *w);
    if (!z || !w) return;
    for (int i = 0; i < out->n; i++) {
        double u1 = generator_unit(g), u2 = generator_unit(g);
        *(u1 < 0.5 ? &z[i] : &w[i]) = u2;
    }
    set_q(z, w, out);
}

/* z_i = w_i = 0 for a third of the indices, the rest small integers. */
static inline void draw_degenerate(generator *g, perp_arena *a, generated *out)
{
    double *z = perp_alloc(a, (size_t)out->n, sizeof *z);
    double *w = perp_alloc(a, (size_t)out->n, sizeof *w);
    if (!z || !w) return;
    for (int i = 0; i < out->n; i++) {
        int kind = generator_below(g, 3);
        if (kind == 1) z[i] = generator_between(g, 1, 3);
        if (kind == 2) w[i] = generator_between(g, 1, 3);
    }
    set_q(z, w, out);
}

/* The side of the largest square grid with at most n points. */
static inline int lcp_grid_side(int n)
{
    int k = 0;
    while ((int64_t)(k + 1) * (k + 1) <= n) k++;
    return k;
}

void make_pd(generator *g, perp_arena *a, generated *out);
void make_psd(generator *g, perp_arena *a, generated *out);
void make_nonsymmetric(generator *g, perp_arena *a, generated *out);
void make_skew(generator *g, perp_arena *a, generated *out);
void make_murty(generator *g, perp_arena *a, generated *out);
void make_dominant(generator *g, perp_arena *a, generated *out);
void make_copositive(generator *g, perp_arena *a, generated *out);
void make_fathi(generator *g, perp_arena *a, generated *out);
void make_badly_scaled(generator *g, perp_arena *a, generated *out);
void make_degenerate(generator *g, perp_arena *a, generated *out);
void make_duplicate(generator *g, perp_arena *a, generated *out);
void make_zero_rows(generator *g, perp_arena *a, generated *out);
void make_infeasible_row(generator *g, perp_arena *a, generated *out);
void make_infeasible_skew(generator *g, perp_arena *a, generated *out);
void make_random(generator *g, perp_arena *a, generated *out);
void make_integer(generator *g, perp_arena *a, generated *out);
void make_tied(generator *g, perp_arena *a, generated *out);
void make_low_rank(generator *g, perp_arena *a, generated *out);
void make_degenerate_nonsymmetric(generator *g, perp_arena *a, generated *out);
void make_infeasible_psd(generator *g, perp_arena *a, generated *out);
void make_infeasible_negative(generator *g, perp_arena *a, generated *out);
void make_obstacle(generator *g, perp_arena *a, generated *out);
void make_obstacle2d(generator *g, perp_arena *a, generated *out);
void make_sparse(generator *g, perp_arena *a, generated *out);

#endif
