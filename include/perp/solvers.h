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

/* extern const perp_psor_options perp_lcp_psor; and so on, one per row. */
#define PERP_SOLVER(family, name, type) PERP_API extern const type perp_##family##_##name;
#include "perp/solvers.def"
#undef PERP_SOLVER

#ifdef __cplusplus
}
#endif
#endif
