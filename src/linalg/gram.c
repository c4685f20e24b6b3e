/* linalg/gram.c: entries of A'A and products with columns of A.
 * A sparse column is spread over m zeros once, and the others are summed against it; of an operator
 * a column is the product with a unit vector, and its row of A'A the product of that with A'. */
#include "gram.h"

#include "base/clones.h"
#include "principal_submatrix.h"

#include <string.h>

#define THIN 0.125 /* part of the entries that are not zero */
#define WORTH 4096 /* entries: less are soon multiplied */

/* Of m numbers, those that are not zero. */
static int count_entries(int m, const double *a)
{
    int count = 0;
    for (int i = 0; i < m; i++) count += a[i] != 0;
    return count;
}

perp_status perp_gram_thin(const perp_matrix *A, perp_arena *a, perp_matrix *out)
{
    double all = (double)A->m * A->n, entries = 0;
    *out = *A;
    if (A->format != PERP_FORMAT_DENSE || all < WORTH) return PERP_SOLVED;
    for (int j = 0; j < A->n && entries <= THIN * all; j++) {
        entries += count_entries(A->m, A->as.dense.x + (size_t)j * (size_t)A->as.dense.ld);
    }
    if (entries > THIN * all) return PERP_SOLVED;
    return perp_convert(A, PERP_FORMAT_CSC, a, out, NULL);
}

bool perp_gram_open(perp_gram *g, const perp_matrix *A, perp_arena *a)
{
    *g = (perp_gram){.A = A, .loaded = -1};
    g->column = perp_alloc(a, (size_t)A->m, sizeof *g->column);
    if (A->format == PERP_FORMAT_OPERATOR) g->x = perp_alloc(a, (size_t)A->n, sizeof *g->x);
    return !a->failed;
}

static const double *dense_column(const perp_gram *g, int j)
{
    return g->A->as.dense.x + (size_t)j * (size_t)g->A->as.dense.ld;
}

/* Four partial sums, as many as a vector register has room for. */
PERP_CLONED(double, dot, (int m, const double *a, const double *b), (m, a, b))
{
    double s[4] = {0};
    int i = 0;
    for (; i + 4 <= m; i += 4) {
        for (int e = 0; e < 4; e++) s[e] += a[i + e] * b[i + e];
    }
    for (; i < m; i++) s[0] += a[i] * b[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

/* Two columns against one. */
PERP_CLONED_VOID(dot_two,
                 (int m, const double *a, const double *b, const double *c, double *ac, double *bc),
                 (m, a, b, c, ac, bc))
{
    double s[4] = {0}, t[4] = {0};
    int i = 0;
    for (; i + 4 <= m; i += 4) {
        for (int e = 0; e < 4; e++) {
            s[e] += a[i + e] * c[i + e];
            t[e] += b[i + e] * c[i + e];
        }
    }
    for (; i < m; i++) {
        s[0] += a[i] * c[i];
        t[0] += b[i] * c[i];
    }
    *ac = (s[0] + s[1]) + (s[2] + s[3]);
    *bc = (t[0] + t[1]) + (t[2] + t[3]);
}

static double sparse_dot(const struct perp_csc_view *c, int j, const double *r)
{
    double sum = 0;
    for (int e = c->p[j]; e < c->p[j + 1]; e++) sum += c->x[e] * r[c->i[e]];
    return sum;
}

/* column = a_j, of a sparse matrix or an operator */
static void load(perp_gram *g, int j)
{
    if (g->loaded == j) return;
    if (g->A->format == PERP_FORMAT_OPERATOR) {
        memset(g->x, 0, (size_t)g->A->n * sizeof *g->x);
        g->x[j] = 1;
        perp_mul(g->A, 1, g->x, 0, g->column);
    } else {
        const struct perp_csc_view *c = &g->A->as.csc;
        int old = g->loaded;
        for (int e = old < 0 ? 0 : c->p[old]; old >= 0 && e < c->p[old + 1]; e++) {
            g->column[c->i[e]] = 0;
        }
        for (int e = c->p[j]; e < c->p[j + 1]; e++) g->column[c->i[e]] += c->x[e];
    }
    g->loaded = j;
}

static void gather_dense(const perp_gram *g, int j, int k, const int *set, double *b)
{
    const double *a = dense_column(g, j);
    int p = 0;
    for (; p + 2 <= k; p += 2) {
        dot_two(g->A->m, dense_column(g, set[p]), dense_column(g, set[p + 1]), a, b + p, b + p + 1);
    }
    if (p < k) b[p] = dot(g->A->m, dense_column(g, set[p]), a);
}

void perp_gram_gather(perp_gram *g, int j, int k, const int *set, double *b)
{
    if (k == 0) return;
    if (g->A->format == PERP_FORMAT_DENSE) {
        gather_dense(g, j, k, set, b);
        return;
    }
    load(g, j);
    if (g->A->format == PERP_FORMAT_CSC) {
        for (int p = 0; p < k; p++) b[p] = sparse_dot(&g->A->as.csc, set[p], g->column);
        return;
    }
    perp_mul_t(g->A, 1, g->column, 0, g->x);
    for (int p = 0; p < k; p++) b[p] = g->x[set[p]];
}

double perp_gram_square(perp_gram *g, int j)
{
    if (g->A->format == PERP_FORMAT_DENSE)
        return dot(g->A->m, dense_column(g, j), dense_column(g, j));
    load(g, j);
    if (g->A->format == PERP_FORMAT_CSC) return sparse_dot(&g->A->as.csc, j, g->column);
    return dot(g->A->m, g->column, g->column);
}

double perp_gram_dot(perp_gram *g, int j, const double *r)
{
    if (g->A->format == PERP_FORMAT_DENSE) return dot(g->A->m, dense_column(g, j), r);
    if (g->A->format == PERP_FORMAT_CSC) return sparse_dot(&g->A->as.csc, j, r);
    load(g, j);
    return dot(g->A->m, g->column, r);
}

void perp_gram_add(perp_gram *g, int k, const int *set, double t, const double *x, double *y)
{
    if (g->A->format != PERP_FORMAT_OPERATOR) {
        perp_add_columns(g->A, k, set, t, x, y);
        return;
    }
    memset(g->x, 0, (size_t)g->A->n * sizeof *g->x);
    for (int p = 0; p < k; p++) g->x[set[p]] = x[p];
    perp_mul(g->A, t, g->x, 1, y);
}
