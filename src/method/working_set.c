/* method/working_set.c: a working set and its null space, updated.
 * Gill, Golub, Murray, Saunders, Methods for modifying matrix factorizations, Math. Comp. 28
 * (1974); Goldfarb and Idnani, A numerically stable dual method for solving strictly convex
 * quadratic programs, Math. Programming 27 (1983).
 *
 * A constraint joins by one Householder reflection of Z: the product of Z with its vector is known
 * from the search direction, so that it costs a single rank-one update. One leaves by rotations of
 * neighbouring columns of Y. Memory 2 n^2 + 2 n doubles. */
#include "working_set.h"

#include "base/clones.h"
#include "base/vector.h"
#include "linalg/lapack.h"

static const int one = 1;
static const double plus = 1, zero = 0;

size_t perp_working_set_doubles(int n)
{
    return (size_t)n * (size_t)n + perp_updated_doubles(n);
}

void perp_working_set_open(perp_working_set *w, int n, double *doubles, int *ints)
{
    *w = (perp_working_set){.n = n, .Q = doubles, .set = ints};
    perp_updated_open(&w->R, n, doubles + (size_t)n * (size_t)n);
}

/* ---- products ---- */

void perp_working_set_split(const perp_working_set *w, const double *g, double *d)
{
    if (w->n == 0) return;
    dgemv_("T", &w->n, &w->n, &plus, w->Q, &w->n, g, &one, &zero, d, &one, 1);
}

void perp_working_set_project(const perp_working_set *w, const perp_constraint_rows *rows, int i,
                              double *d)
{
    if (i >= w->n) {
        perp_working_set_split(w, rows_normal(rows, i), d);
        return;
    }
    for (int j = 0; j < w->n; j++) d[j] = working_column(w, j)[i];
}

/* z = (columns from .. from + count of Q) v */
static void combine(const perp_working_set *w, int from, int count, const double *v, double *z)
{
    if (count == 0)
        memset(z, 0, (size_t)w->n * sizeof *z);
    else
        dgemv_("N", &w->n, &count, &plus, working_column(w, from), &w->n, v, &one, &zero, z, &one,
               1);
}

void perp_working_set_lift(const perp_working_set *w, const double *d, double *z)
{
    combine(w, w->R.k, w->n - w->R.k, d + w->R.k, z);
}

void perp_working_set_range(const perp_working_set *w, const double *v, double *z)
{
    combine(w, 0, w->R.k, v, z);
}

/* ---- changes ---- */

/* With v = d2 + s e1, s = sign(d2_0) |d2|, the reflection I - v v' / (s v_0) takes d2 to -s e1, and
 * Z v = z + s times the first column of Z. */
void perp_working_set_add(perp_working_set *w, int i, double *d, double *z)
{
    int k = w->R.k, left = w->n - k;
    double *v = d + k, *first = working_column(w, k);
    double s = copysign(vector_norm(left, v), v[0]);
    for (int j = 0; j < w->n; j++) z[j] += s * first[j];
    v[0] += s;
    double scale = -1 / (s * v[0]);
    dger_(&w->n, &left, &scale, z, &one, v, &one, first, &w->n);
    perp_updated_push(&w->R, d, -s);
    w->set[k] = i;
}

/* Columns x and y turn: x = c x + s y, y = c y - s x. */
PERP_CLONED_VOID(rotate_columns,
                 (int n, double c, double s, double *restrict x, double *restrict y),
                 (n, c, s, x, y))
{
    for (int i = 0; i < n; i++) {
        double a = x[i], b = y[i];
        x[i] = c * a + s * b;
        y[i] = c * b - s * a;
    }
}

void perp_working_set_drop(perp_working_set *w, int at, double *d)
{
    double last = perp_updated_delete(&w->R, at, d);
    int k = w->R.k;
    if (d) d[k] = last;
    for (int q = at; q < k; q++) {
        rotate_columns(w->n, w->R.cosine[q], w->R.sine[q], working_column(w, q),
                       working_column(w, q + 1));
        w->set[q] = w->set[q + 1];
    }
}
