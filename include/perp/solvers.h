/* perp/solvers.h: typed options and defaults of every built-in solver. */
#ifndef PERP_SOLVERS_H
#define PERP_SOLVERS_H

#include "perp/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Solvers with no options of their own. */
typedef struct perp_plain_options {
    perp_options base;
} perp_plain_options;

/* lcp/lemke */
typedef enum perp_cover { PERP_COVER_ONES, PERP_COVER_ROWS } perp_cover;
typedef struct perp_lemke_options {
    perp_options base;
    perp_cover
        cover; /* the covering vector d in w = M z + q + d z0: ones, or the rows' sums |M| e */
} perp_lemke_options;

/* lcp/psor */
typedef struct perp_psor_options {
    perp_options base;
    double omega;   /* relaxation, 0 < omega < 2; 1 is projected Gauss-Seidel */
    bool symmetric; /* alternate forward and backward sweeps */
} perp_psor_options;

/* lcp/mprgp */
typedef enum perp_expansion { PERP_EXPAND_GRADIENT, PERP_EXPAND_LINE } perp_expansion;
typedef enum perp_preconditioner {
    PERP_PRECONDITION_NONE,
    PERP_PRECONDITION_DIAGONAL
} perp_preconditioner;
typedef struct perp_mprgp_options {
    perp_options base;
    double gamma;             /* proportioning: slopes at the bound against those on the face */
    double alpha;             /* length of gradient steps, times 2/|M|; 0 < alpha <= 1 */
    perp_expansion expansion; /* where a conjugate step leaves z >= 0: a gradient step, or its
                                 projection */
    perp_preconditioner preconditioner; /* diagonal: where M shows one; none for an operator */
    bool finish; /* Newton steps by sparse Cholesky at the end: CSC, and an arena that grows */
} perp_mprgp_options;

/* lcp/newton_min, lcp/newton_fb */
typedef struct perp_newton_options {
    perp_options base;
    int memory;            /* merits the line search looks back to; 1: each has to be smaller */
    int halvings;          /* of a step, in one line search, before another direction is tried */
    double regularisation; /* added to M's diagonal, scaled to 1, where a Jacobian is singular */
} perp_newton_options;

/* lcp/pivot */
typedef struct perp_pivot_options {
    perp_options base;
    int trials;   /* block exchanges allowed without a fall of the number of negative pairs */
    int sweeps;   /* projected Gauss-Seidel sweeps that choose the first set; 0: where q < 0 */
    int proximal; /* proximal problems at most, where M is singular on a set; 0: end there */
} perp_pivot_options;

/* lcp/dantzig */
typedef enum perp_drive { PERP_DRIVE_WORST, PERP_DRIVE_ORDER } perp_drive;
typedef struct perp_dantzig_options {
    perp_options base;
    perp_drive rule; /* drive the most negative w; or, with Baraff, one index after the other, those
                       settled before kept complementary */
    bool refactor;   /* factor M_aa anew after each pivot instead of updating its factor */
} perp_dantzig_options;

/* extern const perp_psor_options perp_lcp_psor; and so on, one per row. */
#define PERP_SOLVER(family, name, type) PERP_API extern const type perp_##family##_##name;
#include "perp/solvers.def"
#undef PERP_SOLVER

#ifdef __cplusplus
}
#endif
#endif
