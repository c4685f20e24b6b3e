/* python/src/symmetric.c: a symmetric matrix by rows is the same matrix by columns.
 *
 * Solvers read columns, numpy and scipy's csr_matrix have rows, and the library copies what is by
 * rows once. Where M equals M' no copy is needed: that is looked at here, in one pass
 * over the entries that ends at the first that differs. */
#include "binding.h"

#define TILE 32 /* rows and columns of a square of 8 KiB, two of which lie in the first cache */

static bool is_tile_symmetric(const struct perp_dense_view *A, perp_index n, perp_index i0,
                              perp_index j0)
{
    perp_index i1 = i0 + TILE < n ? i0 + TILE : n, j1 = j0 + TILE < n ? j0 + TILE : n;
    size_t ld = (size_t)A->ld;
    for (perp_index i = i0; i < i1; i++) {
        for (perp_index j = j0; j < j1; j++)
            if (A->x[(size_t)i * ld + (size_t)j] != A->x[(size_t)j * ld + (size_t)i]) return false;
    }
    return true;
}

static bool is_dense_symmetric(const struct perp_dense_view *A, perp_index n)
{
    for (perp_index i = 0; i < n; i += TILE) {
        for (perp_index j = 0; j <= i; j += TILE)
            if (!is_tile_symmetric(A, n, i, j)) return false;
    }
    return true;
}

/* Rows in order, without duplicates: the entry (i, j), i = 0, 1, .., meets the entries (j, i) of
 * row j one after the other. Indices are not validated yet. `next` has room for n. */
static bool is_sparse_symmetric(const struct perp_csr_view *A, perp_index n, perp_index *next)
{
    for (perp_index i = 0; i < n; i++) {
        if (A->p[i] < 0 || A->p[i + 1] < A->p[i] || A->p[i + 1] > A->p[n]) return false;
        next[i] = A->p[i];
    }
    for (perp_index i = 0; i < n; i++) {
        for (perp_index k = A->p[i]; k < A->p[i + 1]; k++) {
            perp_index j = A->j[k];
            if (j < 0 || j >= n || next[j] >= A->p[j + 1]) return false;
            if (A->j[next[j]] != i || A->x[next[j]] != A->x[k]) return false;
            next[j]++;
        }
    }
    return true;
}

static void read_by_columns(perp_matrix *A, perp_arena *a)
{
    if (A->m != A->n || A->n < 0) return;
    if (A->format == PERP_FORMAT_DENSE_ROWS && is_dense_symmetric(&A->as.dense, A->n))
        A->format = PERP_FORMAT_DENSE;
    if (A->format != PERP_FORMAT_CSR || !A->as.csr.x || !A->as.csr.j) return;
    perp_mark mark = perp_arena_mark(a);
    perp_index *next = perp_alloc_unset(a, (size_t)A->n + 1, sizeof *next);
    if (next && is_sparse_symmetric(&A->as.csr, A->n, next)) A->format = PERP_FORMAT_CSC;
    perp_arena_release(a, mark);
}

void binding_read_by_columns(perp_problem *p, perp_arena *a)
{
    switch (p->kind) {
    case PERP_KIND_LCP: read_by_columns(&p->as.lcp.M, a); break;
    case PERP_KIND_NCP: read_by_columns(&p->as.ncp.F.M, a); break;
    case PERP_KIND_MCP: read_by_columns(&p->as.mcp.F.M, a); break;
    case PERP_KIND_FC3D:
        read_by_columns(&p->as.fc3d.W, a);
        read_by_columns(&p->as.fc3d.M, a);
        break;
    case PERP_KIND_CONE:
        read_by_columns(&p->as.cone.W, a);
        read_by_columns(&p->as.cone.M, a);
        break;
    case PERP_KIND_QP: read_by_columns(&p->as.qp.H, a); break;
    default: break;
    }
}
