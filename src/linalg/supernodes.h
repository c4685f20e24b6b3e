/* linalg/supernodes.h: order, elimination tree and supernodes of a symmetric pattern.
 *
 * What the sparse factors by dense panels share: L D L' and Cholesky (ldl.h), and LU on the pattern
 * of A + A' (lu_panels.h). It depends on the pattern alone. Everything lies in the arena. */
#ifndef PERP_LINALG_SUPERNODES_H
#define PERP_LINALG_SUPERNODES_H

#include "perp/core.h"

/* Columns of L with (nearly) the same rows are a supernode: a dense panel of k columns, whose first
 * k rows are its own and whose others are listed. */
typedef struct perp_supernodes {
    int n, supers;
    int *perm, *inverse; /* column k of L is row and column perm[k] of the matrix */
    int *first;          /* supers + 1: first column of each supernode */
    int *super_of;       /* the supernode of a column */
    int *parent;         /* of a supernode in its tree; -1: none */
    size_t *rows;        /* supers + 1: where its list of further rows starts */
    int *row, *count;    /* the lists, ascending, and how long each is */
    size_t *panel;       /* supers + 1: where its panel starts */
    double flops;        /* multiplications of a factorisation L D L' by these panels */
} perp_supernodes;

/* Where the entries of a matrix go: sorted by panels, so that each is assembled when it is due. */
typedef struct perp_places {
    int *entry;    /* which entry ... */
    size_t *place; /* ... goes where, ... */
    int *entries;  /* ... and supers + 2: where those of a panel start */
} perp_places;

typedef enum perp_triangles {
    PERP_LOWER, /* entries above the diagonal are left out */
    PERP_BOTH,  /* entries above it, outside of the supernodes' own blocks, go to the panels of U',
                   which lie behind those of L and look the same */
} perp_triangles;

/* A pattern in compressed columns, rows of each column ascending: the lower triangle with the whole
 * diagonal. False: no memory, or not such a pattern. */
bool perp_supernodes_open(perp_supernodes *s, perp_arena *a, int n, const int *p, const int *i);

/* The lower triangle of A or, with PERP_BOTH, of A + A', in each case with the whole diagonal; rows
 * of the columns of A are ascending. False: no memory, or too many entries for an int. */
bool perp_lower_pattern(perp_arena *a, int n, const int *p, const int *i, perp_triangles of,
                        int **lower_p, int **lower_i);

/* The places of a matrix whose lower triangle is part of the pattern. False: no memory. */
bool perp_supernodes_place(const perp_supernodes *s, perp_arena *a, const int *p, const int *i,
                           perp_triangles of, perp_places *to);

/* ---- for a column order of LU ---- */

/* Neighbours of each node, without itself; those of node j are i[p[j]] ... i[p[j + 1] - 1]. */
typedef struct perp_graph {
    int n, *p, *i;
} perp_graph;

/* Order the nodes so that those of a subtree follow each other: perm is an order of elimination,
 * and becomes one with the same fill; parent[k] is then the parent of k, -1: none. False: no
 * memory. */
bool perp_postorder(perp_arena *a, const perp_graph *g, int *perm, int *parent);

/* The sum of squared counts of the columns of L; INFINITY: more than PERP_FILL_MOST entries for
 * each of the pattern, or no memory. */
#define PERP_FILL_MOST 100
double perp_fill_bound(perp_arena *a, const perp_graph *g, const int *perm);
/* The sum of the counts themselves, under the same limits. */
double perp_fill_entries(perp_arena *a, const perp_graph *g, const int *perm);

/* Columns of supernode s. */
static inline int perp_super_width(const perp_supernodes *f, int s)
{
    return f->first[s + 1] - f->first[s];
}

/* Rows of its panel. */
static inline int perp_super_height(const perp_supernodes *f, int s)
{
    return f->first[s + 1] - f->first[s] + f->count[s];
}

/* Entries of L, zeros that are stored included. */
static inline size_t perp_supernodes_size(const perp_supernodes *f)
{
    return f->panel[f->supers];
}

#endif
