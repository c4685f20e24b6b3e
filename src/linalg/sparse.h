/* linalg/sparse.h: sparse Cholesky and LU, with the analysis kept in the arena.
 *
 * Open a factor for a pattern, compute it for values, solve. The symbolic analysis depends on the
 * pattern alone and outlives the solve: the next open of the same kind and pattern in the same
 * arena finds it, at the cost of one pass over the pattern. The bits of a solution do not depend on
 * what was cached. There is no close: releasing the arena to a mark taken before the open gives
 * everything back to the cache.
 *
 * Memory: in a growing arena a factor is an object of the cache, while that has room for what
 * recent solves open (base/cache.h), with memory of its own behind the arena, which counts in
 * `used` and `peak` while the factor is open, so that the peak tells what a fixed arena needs; it
 * is freed by eviction or perp_arena_free. Otherwise it lies in the arena and ends with it. There
 * compute may take more of it (what at most, open counts in a run of perp_bytes): between open and
 * the last solve do not release to a mark that was taken after open. One arena serves one thread;
 * factors of different arenas share nothing. */
#ifndef PERP_LINALG_SPARSE_H
#define PERP_LINALG_SPARSE_H

#include "base/watch.h"

typedef enum perp_factor_kind {
    PERP_CHOLESKY,   /* reads the lower triangle, the upper may be there or not */
    PERP_LU,         /* with rows scaled, and pivots from the diagonal where that is large enough */
    PERP_LU_REFINED, /* the same with the smallest pivots that refinement makes up for, where the
                        pattern is nearly symmetric: quicker, and the caller looks at the residual
                      */
} perp_factor_kind;

#define PERP_FACTOR_NO_MEMORY (-1)
#define PERP_FACTOR_STOPPED PERP_STOPPED /* the arena's watch asked for it (base/watch.h) */

typedef struct perp_factor perp_factor;

/* An n x n pattern in compressed columns, which must be canonical: p[0] = 0, rows of each column
 * rising strictly (sorted, no duplicates). It is copied. NULL: it is not canonical, no memory,
 * or the arena's watch asked to stop.
 * Two factors of one pattern may be open at once; they share no values. Cost: an analysis, AMD or
 * COLAMD and the like, or O(n + p[n]) when it is cached. */
perp_factor *perp_factor_open(perp_arena *a, perp_factor_kind kind, int n, const int *p,
                              const int *i);
/* Did open find the analysis in the arena? */
bool perp_factor_was_cached(const perp_factor *f);

/* Multiplications of a factorisation, from the pattern: what Cholesky's needs; of LU what it needs
 * on the pattern of A + A', or, for patterns far from symmetric, a bound for any pivots, INFINITY
 * where that is too large to be found in a time like that of the analysis. */
double perp_factor_flops(perp_factor *f);

/* Factor for the values x, p[n] of them in the pattern's order; as often as you like. Where the
 * values are those that were factored last, in this solve or an earlier one that had the same
 * analysis, that costs one comparison: a further right-hand side takes no factorisation. 0: done.
 * k > 0: fails at column k, counted from 1 in the caller's order: not positive definite, singular
 * (a pivot is exactly zero: see perp_factor_rcond for nearly), or not finite. < 0: stopped, or no
 * memory. */
int perp_factor_compute(perp_factor *f, const double *x);

/* A x = b, or A' x = b when `transpose`; b and x have length n and may be the same. 0: done. > 0: x
 * is not finite. < 0: no memory, or there is no factor. Costs two multiplications a nonzero of the
 * factors. */
int perp_factor_solve(perp_factor *f, bool transpose, const double *b, double *x);

/* Smallest over largest pivot (squared for Cholesky): a hint at 1/cond, found in O(n) and usually
 * too large. 0 when there is no factor. */
double perp_factor_rcond(perp_factor *f);

/* Entries of the factors, zeros that are stored included. 0 when there is no factor. */
double perp_factor_entries(perp_factor *f);

#endif
