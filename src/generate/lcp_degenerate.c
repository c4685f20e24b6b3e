/* generate/lcp_degenerate.c: LCPs that are degenerate, singular, without a feasible point, or plain
 * random, so that nothing is promised. Where nothing is feasible, y proves it: y >= 0, M'y <= 0,
 * q'y < 0. */
#include "lcp_parts.h"

/* PSD with z_i = w_i = 0 for a third of the indices: many bases share the solution. */
void make_degenerate(generator *g, perp_arena *a, generated *out)
{
    add_gram(g, a, out->n / 2 + 1, out);
    draw_degenerate(g, a, out);
}

/* Each contact stated twice: rows, columns and q of the second half repeat the first. Integers, so
 * ties are exact. */
void make_duplicate(generator *g, perp_arena *a, generated *out)
{
    int n = out->n, h = n / 2;
    int *A = perp_alloc(a, (size_t)h * (size_t)h, sizeof *A);
    if (!A) return;
    for (int k = 0; k < h * h; k++) A[k] = generator_between(g, -2, 2);
    for (int i = 0; i < h; i++) {
        out->q[i] = out->q[i + h] = generator_between(g, -4, 2);
        for (int j = 0; j < h; j++) {
            int sum = i == j;
            for (int k = 0; k < h; k++) sum += A[k * h + i] * A[k * h + j];
            *lcp_at(out, i, j) = *lcp_at(out, i + h, j) = sum;
            *lcp_at(out, i, j + h) = *lcp_at(out, i + h, j + h) = sum;
        }
    }
}

/* Every second row and column of a PD matrix is zero, q >= 0 there. */
void make_zero_rows(generator *g, perp_arena *a, generated *out)
{
    add_gram(g, a, out->n, out);
    add_diagonal(0.1, out);
    draw_q(g, out->n, out);
    for (int k = 0; k < out->n; k += 2) {
        for (int i = 0; i < out->n; i++) *lcp_at(out, i, k) = *lcp_at(out, k, i) = 0;
        out->q[k] = generator_below(g, 2);
    }
}

/* One zero row with a negative q, in a PSD matrix: y = e_i proves that nothing is feasible. */
void make_infeasible_row(generator *g, perp_arena *a, generated *out)
{
    add_gram(g, a, out->n, out);
    draw_q(g, 1, out);
    int k = generator_below(g, out->n);
    double *y = perp_alloc(a, (size_t)out->n, sizeof *y);
    if (!y || out->n == 0) return;
    for (int i = 0; i < out->n; i++) *lcp_at(out, i, k) = *lcp_at(out, k, i) = 0;
    out->q[k] = -1 - generator_unit(g);
    y[k] = 1;
    out->y = y;
}

/* Skew (0, C'; -C, 0) with C > 0 and q < 0 in the second half: -C x >= 1 has no x >= 0. */
void make_infeasible_skew(generator *g, perp_arena *a, generated *out)
{
    int h = out->n / 2;
    double *y = perp_alloc(a, (size_t)out->n, sizeof *y);
    if (!y || h == 0) return;
    y[2 * h - 1] = 1;
    out->y = y;
    for (int i = 0; i < h; i++) {
        for (int j = 0; j < h; j++) {
            double c = 0.1 + generator_unit(g);
            *lcp_at(out, h + i, j) = -c;
            *lcp_at(out, j, h + i) = c;
        }
        out->q[i] = generator_uniform(g);
        out->q[h + i] = -1;
    }
}

void make_random(generator *g, perp_arena *a, generated *out)
{
    (void)a;
    for (int j = 0; j < out->n; j++) {
        for (int i = 0; i < out->n; i++) *lcp_at(out, i, j) = generator_uniform(g);
    }
    draw_q(g, 1, out);
}

/* Small integers: singular bases, ties and zeros all exact. */
void make_integer(generator *g, perp_arena *a, generated *out)
{
    (void)a;
    for (int j = 0; j < out->n; j++) {
        for (int i = 0; i < out->n; i++) *lcp_at(out, i, j) = generator_between(g, -5, 5);
        out->q[j] = generator_between(g, -5, 5);
    }
}

/* M = I + e e' and q in {-1, 0}: every ratio test ties, and w = 0 where q = 0 was not pushed up. */
void make_tied(generator *g, perp_arena *a, generated *out)
{
    (void)a;
    for (int j = 0; j < out->n; j++) {
        for (int i = 0; i < out->n; i++) *lcp_at(out, i, j) = 1 + (i == j);
        out->q[j] = generator_below(g, 3) ? -1 : 0;
    }
}

/* One body on n contacts: symmetric of rank at most 6, so that forces are not unique. */
void make_low_rank(generator *g, perp_arena *a, generated *out)
{
    add_gram(g, a, out->n < 6 ? out->n : 6, out);
    draw_solution(g, a, out);
}

/* Not symmetric, positive definite, and z_i = w_i = 0 for a third of the indices. */
void make_degenerate_nonsymmetric(generator *g, perp_arena *a, generated *out)
{
    add_gram(g, a, out->n, out);
    add_diagonal(0.1, out);
    add_skew(g, out);
    draw_degenerate(g, a, out);
}

/* M = A'A for integer A with A e = 0, and e'q < 0: y = e proves, exactly. */
void make_infeasible_psd(generator *g, perp_arena *a, generated *out)
{
    int n = out->n, sum = 0;
    double *row = perp_alloc(a, (size_t)n, sizeof *row);
    double *y = perp_alloc(a, (size_t)n, sizeof *y);
    if (a->failed || n == 0) return;
    for (int r = 0; r < n / 2; r++) {
        double last = 0;
        for (int j = 0; j < n - 1; j++) last -= row[j] = generator_between(g, -2, 2);
        row[n - 1] = last;
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) *lcp_at(out, i, j) += row[i] * row[j];
        }
    }
    for (int i = 0; i < n; i++) {
        int q = i < n - 1 ? generator_between(g, -3, 3) : -sum - generator_between(g, 1, 3);
        sum += q;
        out->q[i] = q;
        y[i] = 1;
    }
    out->y = y;
}

/* Negative entries everywhere: each row alone proves it, and M is no friend of any theory. */
void make_infeasible_negative(generator *g, perp_arena *a, generated *out)
{
    double *y = perp_alloc(a, (size_t)out->n, sizeof *y);
    if (!y || out->n == 0) return;
    for (int j = 0; j < out->n; j++) {
        for (int i = 0; i < out->n; i++) *lcp_at(out, i, j) = -0.05 - generator_unit(g);
        out->q[j] = -0.05 - generator_unit(g);
    }
    y[0] = 1;
    out->y = y;
}
