/* perp/solvers.h: typed options and defaults of every built-in solver.
 *
 * The options of lcp/psor are a perp_lcp_psor_options, its defaults perp_lcp_psor_defaults(), and
 * so for every row of solvers.def: perp_lcp_psor_options o = perp_lcp_psor_defaults(); o.omega
 * = 1.2; perp_solve(&p, &o.base, &arena, z, NULL, &result); */
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
typedef perp_plain_options perp_lcp_cpg_options;
typedef perp_plain_options perp_lcp_qp_options;
typedef perp_plain_options perp_lcp_nsqp_options;
typedef perp_plain_options perp_lcp_auto_options;
typedef perp_plain_options perp_mcp_auto_options;
typedef perp_plain_options perp_ncp_auto_options;
typedef perp_plain_options perp_fc3d_auto_options;
typedef perp_plain_options perp_cone_nsgs_options;
typedef perp_plain_options perp_cone_newton_options;
typedef perp_plain_options perp_cone_prox_options;
typedef perp_plain_options perp_cone_auto_options;
typedef perp_plain_options perp_qp_fletcher_options;
typedef perp_plain_options perp_qp_dual_options;
typedef perp_plain_options perp_nnls_lawson_hanson_options;
typedef perp_plain_options perp_qp_ipm_options;
typedef perp_plain_options perp_qp_auto_options;
typedef perp_plain_options perp_nnls_auto_options;

/* lcp/lemke */
typedef enum perp_cover { PERP_COVER_ONES, PERP_COVER_ROWS } perp_cover;
typedef struct perp_lcp_lemke_options {
    perp_options base;
    perp_cover
        cover;  /* the covering vector d in w = M z + q + d z0: ones, or the rows' sums |M| e */
    bool crash; /* a sparse M begins with the basis that block exchanges reach, not with w */
} perp_lcp_lemke_options;

/* lcp/enumerate. One complementary basis that solves the problem: w_i = 0 within it, z_i = 0
 * outside. */
typedef struct perp_lcp_solution {
    const double *z; /* n numbers; they are there until `found` returns */
    int n;
    unsigned basis;         /* bit i: i belongs to the basis */
    bool face;              /* its block of M is singular: z is one point of a face of solutions */
    perp_residual residual; /* the certificate of z */
} perp_lcp_solution;
typedef struct perp_lcp_enumerate_options {
    perp_options base;
    bool all; /* look at all 2^n bases, also after the first that solves: `found` gets each of
                 those. z is the one with the smallest residual, and result.iterations is 2^n where
                 no limit ended the search */
    bool (*found)(void *ctx, const perp_lcp_solution *s); /* false ends the search; may be NULL */
    void *found_ctx;
} perp_lcp_enumerate_options;

/* lcp/psor */
typedef struct perp_lcp_psor_options {
    perp_options base;
    double omega;   /* relaxation, 0 < omega < 2; 1 is projected Gauss-Seidel */
    bool symmetric; /* alternate forward and backward sweeps */
} perp_lcp_psor_options;

/* lcp/mprgp */
typedef enum perp_expansion { PERP_EXPANSION_GRADIENT, PERP_EXPANSION_LINE } perp_expansion;
typedef enum perp_preconditioner {
    PERP_PRECONDITIONER_NONE,
    PERP_PRECONDITIONER_DIAGONAL
} perp_preconditioner;
typedef struct perp_lcp_mprgp_options {
    perp_options base;
    double gamma;             /* proportioning: slopes at the bound against those on the face */
    double alpha;             /* length of gradient steps, times 2/|M|; 0 < alpha <= 1 */
    perp_expansion expansion; /* where a conjugate step leaves z >= 0: a gradient step, or its
                                 projection */
    perp_preconditioner preconditioner; /* diagonal: where M shows one; none for an operator */
    bool finish; /* Newton steps by sparse Cholesky at the end: CSC, and an arena that grows */
} perp_lcp_mprgp_options;

/* lcp/newton_min, lcp/newton_fb */
typedef struct perp_lcp_newton_options {
    perp_options base;
    int memory;            /* merits the line search looks back to; 1: each has to be smaller */
    int halvings;          /* of a step, in one line search, before another direction is tried */
    double regularisation; /* added to M's diagonal, scaled to 1, where a Jacobian is singular */
} perp_lcp_newton_options;
typedef perp_lcp_newton_options perp_lcp_newton_min_options;
typedef perp_lcp_newton_options perp_lcp_newton_fb_options;

/* lcp/pivot */
typedef struct perp_lcp_pivot_options {
    perp_options base;
    int trials;   /* block exchanges allowed without a fall of the number of negative pairs */
    int sweeps;   /* projected Gauss-Seidel sweeps that choose the first set; 0: where q < 0 */
    int proximal; /* proximal problems at most, where M is singular on a set; 0: end there */
} perp_lcp_pivot_options;

/* lcp/dantzig */
typedef enum perp_drive { PERP_DRIVE_WORST, PERP_DRIVE_ORDER } perp_drive;
typedef struct perp_lcp_dantzig_options {
    perp_options base;
    perp_drive rule; /* drive the most negative w; or, with Baraff, one index after the other, those
                       settled before kept complementary */
    int candidates; /* of rule worst: indices driven after one product with M; 1: the worst alone */
    bool refactor;  /* factor M_aa anew after each pivot instead of updating its factor */
} perp_lcp_dantzig_options;

/* mcp/pgs */
typedef struct perp_mcp_pgs_options {
    perp_options base;
    double omega; /* relaxation, 0 < omega < 2; 1 is projected Gauss-Seidel */
} perp_mcp_pgs_options;

/* mcp/nncg and fc3d/nncg */
typedef enum perp_conjugation {
    PERP_CONJUGATION_FLETCHER_REEVES,
    PERP_CONJUGATION_POLAK_RIBIERE
} perp_conjugation;
typedef struct perp_mcp_nncg_options {
    perp_options base;
    perp_conjugation formula; /* how much of the last direction is kept; polak_ribiere finds the
                                 length of its steps by a secant, the other's is 1 */
    int restart;      /* forget the direction after so many iterations; 0: where the steps grow */
    bool line_search; /* halve what is added of the direction until the steps shrink */
    double gradient;  /* end where a sweep changes z by less, |grad f| of the paper; 0: at tol */
} perp_mcp_nncg_options;

/* mcp/pgs_sm */
typedef struct perp_mcp_pgs_sm_options {
    perp_options base;
    int sweeps; /* before each Newton step */
} perp_mcp_pgs_sm_options;

/* mcp/path */
typedef struct perp_mcp_path_options {
    perp_options base;
    int crash;    /* projected Newton steps before the first path; 0: none */
    int memory;   /* merits that the search along a path looks back to; 1: each has to be smaller */
    int watchdog; /* full steps that are taken on trust before the merit has to have fallen */
    int pivots;   /* of one path at most, times 100 + the number of unknowns */
    int restarts; /* other starts and settings where the way ends short of a solution */
} perp_mcp_path_options;
/* mcp/dantzig */
typedef struct perp_mcp_dantzig_options {
    perp_options base;
    int rounds; /* boxed problems to solve at most, the bounds of friction moved before the next */
    int sweeps; /* of mcp/nncg where the bounds do not settle, for rounds from a better start */
    bool lemke; /* where the bounds do not settle, unfold the boxes and use Lemke's method */
} perp_mcp_dantzig_options;

/* mcp/newton_fb */
typedef struct perp_mcp_newton_fb_options {
    perp_options base;
    int memory;            /* merits the line search looks back to; 1: each has to be smaller */
    int halvings;          /* of a step, in one line search, before another direction is tried */
    double regularisation; /* added to the Jacobian's diagonal where it is singular */
    int starts;            /* others, tried where the way down ends short of a solution */
} perp_mcp_newton_fb_options;

/* mcp/josephy */
typedef enum perp_josephy_inner {
    PERP_JOSEPHY_INNER_AUTO,
    PERP_JOSEPHY_INNER_PATH,
    PERP_JOSEPHY_INNER_NEWTON
} perp_josephy_inner;
typedef struct perp_mcp_josephy_options {
    perp_options base;
    perp_josephy_inner inner; /* how affine problems are solved */
    int halvings;             /* of a step, in one line search, before another direction is tried */
} perp_mcp_josephy_options;

/* fc3d: how a sweep solves one contact. auto: closed forms and a scalar equation, exact, with the
 * others behind it. explicit (Renouf, Acary, Dumont 2005) is exact for spheres only, diagonal is
 * the same with the diagonal of the contact's block, lemke and qp (a non-symmetric QP: Renouf,
 * Acary) solve on a pyramid: with these four a sweep may have a fixed point that is no solution. */
typedef enum perp_contact_solver {
    PERP_CONTACT_SOLVER_AUTO,
    PERP_CONTACT_SOLVER_NEWTON,
    PERP_CONTACT_SOLVER_ENUMERATE,
    PERP_CONTACT_SOLVER_PROJECTION,
    PERP_CONTACT_SOLVER_EXPLICIT,
    PERP_CONTACT_SOLVER_DIAGONAL,
    PERP_CONTACT_SOLVER_LEMKE,
    PERP_CONTACT_SOLVER_QP
} perp_contact_solver;
#define PERP_CONTACT_SOLVERS "auto|newton|enumerate|projection|explicit|diagonal|lemke|qp"
/* coloured: parts of the problem that share no body are solved at the same time, on `threads`
 * threads, with the same bits for any number of them. In body form such sweeps are quicker on one
 * thread too, as contacts that follow each other are not coupled; opening them costs more. */
typedef enum perp_order { PERP_ORDER_GIVEN, PERP_ORDER_COLOURED } perp_order;

/* fc3d/nsgs */
typedef struct perp_fc3d_nsgs_options {
    perp_options base;
    perp_contact_solver local;
    perp_order order;
    double relaxation; /* part of each contact's step that is taken, 0 < relaxation < 2 */
    int freeze;        /* sweeps that a contact which no longer moves sits out; 0: none */
    int facets;        /* edges of the pyramid of local = lemke and qp, even */
    bool extrapolate;  /* follow the steps of slow sweeps to where they lead; false: plain sweeps */
    int pivots;        /* of local = lemke at most, for one contact; 0: 8 times its unknowns */
} perp_fc3d_nsgs_options;

/* fc3d/nncg */
typedef struct perp_fc3d_nncg_options {
    perp_options base;
    perp_contact_solver local;
    perp_order order;
    perp_conjugation formula; /* how much of the last direction is kept */
    int restart;      /* forget the direction after so many iterations; 0: where the steps grow */
    bool line_search; /* halve what is added of the direction until the steps shrink */
} perp_fc3d_nncg_options;

/* The semismooth map of fc3d/newton and fc3d/prox: friction bounded by mu times the prediction of
 * the normal force (Alart, Curnier 1991), or times the force itself (Jean, Moreau 1987). */
typedef enum perp_semismooth_map {
    PERP_SEMISMOOTH_MAP_ALART_CURNIER,
    PERP_SEMISMOOTH_MAP_JEAN_MOREAU
} perp_semismooth_map;
#define PERP_CONTACT_MAPS "alart_curnier|jean_moreau"

/* Which path interior points follow where s > 0: Newton's method, then the delayed one where it
 * leads no further; one of them alone. */
typedef enum perp_interior_path {
    PERP_INTERIOR_PATH_BOTH,
    PERP_INTERIOR_PATH_NEWTON,
    PERP_INTERIOR_PATH_DELAYED
} perp_interior_path;
#define PERP_INTERIOR_PATHS "both|newton|delayed"

/* cone/ipm */
typedef struct perp_cone_ipm_options {
    perp_options base;
    perp_interior_path path;
    double finish; /* residual from which cone/prox finishes; 0: never */
} perp_cone_ipm_options;

/* fc3d/newton */
typedef struct perp_fc3d_newton_options {
    perp_options base;
    perp_semismooth_map map;
    double rho;            /* of the map, times 3 / trace of each contact's block */
    double regularisation; /* added to W's diagonal in the Jacobian, relative to its mean, times the
                              root of the residual; 0: only where it is singular */
    int halvings;          /* of a step that does not lessen the error */
} perp_fc3d_newton_options;

/* fc3d/prox */
typedef struct perp_fc3d_prox_options {
    perp_options base;
    perp_semismooth_map map;
    bool alternate;  /* the other map where an inner solve fails, and back where that fails */
    double alpha;    /* first proximal parameter, relative to the mean diagonal of W */
    double accuracy; /* of an inner solve, relative to the error it starts from */
    int steps;       /* Newton steps of an inner solve at most */
    int sweeps;      /* of fc3d/nncg before the first step */
} perp_fc3d_prox_options;

/* fc3d/ipm */
typedef struct perp_fc3d_ipm_options {
    perp_options base;
    double
        finish; /* residual from which steps of fc3d/prox finish, there and when stuck; 0: never */
} perp_fc3d_ipm_options;

/* fc3d/admm */
typedef struct perp_fc3d_admm_options {
    perp_options base;
    double rho;        /* first penalty, relative to the mean diagonal of each contact's block */
    double relaxation; /* over-relaxation, 0 < relaxation < 2 */
    bool balance;      /* adapt rho to the two residuals */
    bool accelerate;   /* Nesterov's extrapolation with restart */
} perp_fc3d_admm_options;

/* fc3d/facets */
typedef enum perp_facets_lcp {
    PERP_FACETS_LCP_LEMKE,
    PERP_FACETS_LCP_AUTO,
    PERP_FACETS_LCP_PSOR
} perp_facets_lcp;
typedef enum perp_pyramid_side {
    PERP_PYRAMID_SIDE_INNER,
    PERP_PYRAMID_SIDE_OUTER
} perp_pyramid_side;
typedef struct perp_fc3d_facets_options {
    perp_options base;
    int facets;                /* edges of each pyramid */
    perp_pyramid_side pyramid; /* inside the cone (LCP) or around it (MCP) */
    int rounds;          /* problems to solve, pyramids turned to where contacts slide in between */
    perp_facets_lcp lcp; /* what solves the LCP */
} perp_fc3d_facets_options;

/* fc3d/cpg */
typedef enum perp_cpg_variant {
    PERP_CPG_VARIANT_SAFEGUARDED,
    PERP_CPG_VARIANT_PUBLISHED, /* no curvature of the rim, no foresight, no second try */
    PERP_CPG_VARIANT_PRINTED    /* the same with the sign that beta has in the paper */
} perp_cpg_variant;
typedef struct perp_fc3d_cpg_options {
    perp_options base;
    perp_cpg_variant variant;
    double vanishing; /* the published ones stop where p.Wp is so small against the first p.Wp */
} perp_fc3d_cpg_options;

/* nnls/wilhelmsen */
typedef struct perp_nnls_wilhelmsen_options {
    perp_options base;
    int candidates; /* generators that may join after one product with A'; 1: the best alone */
    bool refactor;  /* factor A_a'A_a anew after each pivot instead of updating its factor */
} perp_nnls_wilhelmsen_options;

/* nnls/pivot */
typedef struct perp_nnls_pivot_options {
    perp_options base;
    int trials; /* block exchanges allowed without a fall of the number of wrong columns */
    int sweeps; /* projected Gauss-Seidel sweeps that choose the first set; 0: where A'b > 0 */
} perp_nnls_pivot_options;

/* perp_lcp_psor_defaults() and so on, one per row. Inline, so that the size is the one that the
 * caller was compiled with: perp_options_init writes that much. */
#define PERP_SOLVER(kind, name)                                                                    \
    static inline perp_##kind##_##name##_options perp_##kind##_##name##_defaults(void)             \
    {                                                                                              \
        perp_##kind##_##name##_options o;                                                          \
        perp_options_init(&o.base, sizeof o, #kind "/" #name);                                     \
        return o;                                                                                  \
    }
#include "perp/solvers.def"
#undef PERP_SOLVER

#ifdef __cplusplus
}
#endif
#endif
