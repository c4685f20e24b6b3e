/* generate/lcp_sparse.c: obstacle problems in one and two dimensions, the sparse LCPs of the
 * textbooks (Cottle, Pang, Stone 1992, section 5.1), and a random pattern. Linear time and memory.
 */
#include "lcp_parts.h"

/* String over an obstacle: tridiagonal (-1, 2, -1), load and obstacle random. */
void make_obstacle(generator *g, perp_arena *a, generated *out)
{
    int n = out->n, k = 0;
    out->p = perp_alloc(a, (size_t)n + 1, sizeof *out->p);
    out->i = perp_alloc(a, 3 * (size_t)n, sizeof *out->i);
    out->x = perp_alloc(a, 3 * (size_t)n, sizeof *out->x);
    if (!out->p || !out->i || !out->x) return;
    for (int j = 0; j < n; j++) {
        for (int i = j > 0 ? j - 1 : 0; i <= j + 1 && i < n; i++, k++) {
            out->i[k] = i;
            out->x[k] = i == j ? 2 : -1;
        }
        out->p[j + 1] = k;
        out->q[j] = generator_uniform(g) - 0.1;
    }
}

/* Membrane over an obstacle on a k x k grid: five-point Laplacian (4 and -1), a constant load that
 * presses down, and bumps of random place, width and height below. z is the height above the
 * obstacle; contact covers about a third, in several pieces. */
void make_obstacle2d(generator *g, perp_arena *a, generated *out)
{
    int n = out->n, k = lcp_grid_side(n), count = 0;
    double bump[6][4], h = 1. / (k + 1), *psi = perp_alloc(a, (size_t)n, sizeof *psi);
    out->p = perp_alloc(a, (size_t)n + 1, sizeof *out->p);
    out->i = perp_alloc(a, 5 * (size_t)n, sizeof *out->i);
    out->x = perp_alloc(a, 5 * (size_t)n, sizeof *out->x);
    if (a->failed) return;
    for (int b = 0; b < 6; b++) {
        for (int c = 0; c < 4; c++) bump[b][c] = generator_unit(g);
    }
    for (int j = 0; j < n; j++) {
        double x = h * (j % k + 1), y = h * (j / k + 1);
        psi[j] = -0.5;
        for (int b = 0; b < 6; b++) {
            double dx = x - bump[b][0], dy = y - bump[b][1], width = 0.05 + 0.1 * bump[b][2];
            psi[j] += (0.2 + 0.5 * bump[b][3]) * exp(-(dx * dx + dy * dy) / (width * width));
        }
        if (psi[j] > 0) psi[j] = 0;
    }
    for (int j = 0; j < n; j++) {
        const int row[] = {j - k, j - 1, j, j + 1, j + k};
        const bool there[] = {j >= k, j % k > 0, true, j % k < k - 1, j + k < n};
        out->q[j] = 20;
        for (int t = 0; t < 5; t++) {
            if (!there[t]) continue;
            double value = t == 2 ? 4 : -1;
            out->i[count] = row[t];
            out->x[count++] = value;
            out->q[j] += value * psi[row[t]] / (h * h);
        }
        out->p[j + 1] = count;
    }
}

#define ROW 10 /* entries of a row of `sparse`, on average */

static bool has_entry(const generated *out, int from, int to, int i)
{
    bool found = false;
    for (int k = from; k < to; k++) found |= out->i[k] == i;
    return found;
}

/* About ROW entries a column at random places, and a diagonal that makes M + M' dominant. A factor
 * fills in almost at once: a random graph has no small separators. */
void make_sparse(generator *g, perp_arena *a, generated *out)
{
    int n = out->n, k = 0;
    double *sum = perp_alloc(a, (size_t)n, sizeof *sum);
    out->p = perp_alloc(a, (size_t)n + 1, sizeof *out->p);
    out->i = perp_alloc(a, ROW * (size_t)n, sizeof *out->i);
    out->x = perp_alloc(a, ROW * (size_t)n, sizeof *out->x);
    if (a->failed) return;
    for (int j = 0; j < n; j++) {
        out->p[j] = k;
        out->i[k++] = j;
        for (int e = 1; e < ROW; e++) {
            int i = generator_below(g, n);
            if (has_entry(out, out->p[j], k, i)) continue;
            out->i[k] = i;
            out->x[k] = generator_uniform(g);
            sum[i] += fabs(out->x[k]) / 2;
            sum[j] += fabs(out->x[k++]) / 2;
        }
        out->q[j] = generator_uniform(g);
    }
    out->p[n] = k;
    for (int j = 0; j < n; j++) out->x[out->p[j]] = sum[j] + 0.1;
}
