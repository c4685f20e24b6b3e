/* lcp/face_solve.c: linear solves on a face of the orthant. The lower triangle of M restricted to
 * the face is factored as L D L' by linalg/ldl.c, where a pivot that is not positive shows that M
 * is not positive definite there. Everything lies in the arena: half of M, 13 bytes an unknown, and
 * the factor. */
#include "face_solve.h"

#include "base/vector.h"
#include "linalg/ldl.h"

#include <float.h>

/* The entries of M on and below the diagonal of the face; place[i] is where unknown i stands in
 * it. With row = NULL only counts. Returns the number of entries. */
static int extract(const perp_matrix *M, const int *place, int *p, int *row, double *x)
{
    const struct perp_csc_view *c = &M->as.csc;
    int count = 0;
    for (int j = 0; j < M->n; j++) {
        if (place[j] < 0) continue;
        for (int k = c->p[j]; k < c->p[j + 1]; k++) {
            if (c->i[k] < j || place[c->i[k]] < 0) continue;
            if (row) {
                row[count] = place[c->i[k]];
                x[count] = c->x[k];
            }
            count++;
        }
        p[place[j] + 1] = count;
    }
    return count;
}

/* b = K^-1 b, K the matrix of this lower triangle. False: K is not positive definite, a diagonal
 * entry is not stored, or there is no memory. */
static bool solve_definite(perp_arena *a, int n, const int *p, const int *row, const double *x,
                           double *b)
{
    perp_ldl f;
    bool *negative = perp_alloc(a, (size_t)n, sizeof *negative);
    if (!negative || !perp_ldl_open(&f, a, n, p, row, negative)) return false;
    if (perp_ldl_compute(&f, x, DBL_MIN, 1) != 0) return false;
    perp_ldl_solve(&f, b, b);
    return vector_is_finite((size_t)n, b);
}

static bool solve(perp_arena *a, const perp_matrix *M, const double *q, const unsigned char *face,
                  double *z)
{
    int n = M->n, size = 0;
    int *place = perp_alloc_unset(a, (size_t)n, sizeof *place);
    int *p = perp_alloc(a, (size_t)n + 1, sizeof *p);
    double *b = perp_alloc_unset(a, (size_t)n, sizeof *b);
    if (a->failed) return false;
    for (int j = 0; j < n; j++) place[j] = face[j] ? size++ : -1;
    size_t count = (size_t)extract(M, place, p, NULL, NULL);
    int *row = perp_alloc_unset(a, count, sizeof *row);
    double *x = perp_alloc_unset(a, count, sizeof *x);
    if (a->failed) return false;
    extract(M, place, p, row, x);

    for (int i = 0; i < n; i++) {
        if (face[i]) b[place[i]] = -q[i];
    }
    if (size > 0 && !solve_definite(a, size, p, row, x, b)) return false;
    for (int i = 0; i < n; i++) z[i] = face[i] ? b[place[i]] : 0;
    return true;
}

/* A smaller face is analysed in an order of its own; should its factor have more entries than that
 * of all unknowns, there is no step on it. */
void perp_face_room(perp_arena *a, const perp_matrix *M)
{
    perp_ldl f;
    size_t n = (size_t)M->n;
    int *place = perp_alloc(a, n, sizeof *place), *p = perp_alloc(a, n + 1, sizeof *p);
    bool *negative = perp_alloc(a, n, sizeof *negative);
    for (int j = 0; place && j < M->n; j++) place[j] = j;
    size_t count = a->failed ? 0 : (size_t)extract(M, place, p, NULL, NULL);
    int *row = perp_alloc(a, count, sizeof *row);
    double *x = perp_alloc(a, count, sizeof *x);
    perp_count(a, n, sizeof(double));
    if (a->failed) return;
    extract(M, place, p, row, x);
    if (n > 0) perp_ldl_open(&f, a, M->n, p, row, negative);
}

bool perp_face_solve(perp_arena *a, const perp_matrix *M, const double *q,
                     const unsigned char *face, double *z)
{
    perp_mark mark = perp_arena_mark(a);
    bool solved = M->format == PERP_FORMAT_CSC && solve(a, M, q, face, z);
    perp_arena_release(a, mark);
    return solved;
}
