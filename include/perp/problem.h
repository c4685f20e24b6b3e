/* perp/problem.h: the problem kinds, and the residual that certifies each.
 *
 * P is the projection on the box or cone, |.| the Euclidean norm. Every residual is zero exactly at
 * the solutions, and it is scaled by the size of the data (by 1 where that is 0).
 * docs/certificates.md tells why each is as it is, and what it does not say. */
#ifndef PERP_PROBLEM_H
#define PERP_PROBLEM_H

#include "perp/core.h"
#include "perp/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PERP_KIND_LCP and so on, one for each row of kinds.def. */
typedef enum perp_kind {
#define PERP_KIND(constant, name, folder) PERP_KIND_##constant,
#include "perp/kinds.def"
#undef PERP_KIND
} perp_kind;

/* How many there are: a one for each row. */
#define PERP_KIND(constant, name, folder) +1
enum {
    PERP_KINDS = 0
#include "perp/kinds.def"
};
#undef PERP_KIND

/* 0 <= z _|_ w = M z + q >= 0.   Residual: the larger of |min(z, w)| / |q|, its `natural`, and
 * |min(D z, w)| / |q|, its `units`, D_i = M_ii where that is positive, else 1. */
typedef struct perp_lcp {
    perp_index n;
    perp_matrix M;
    const double *q;
} perp_lcp;

/* A map F: affine M z + q when eval is NULL, by callback otherwise. The Jacobian is a pattern
 * declared once, dense or CSC, whose values jacobian() writes in the pattern's order (a dense
 * pattern: column by column, n values each). Callbacks return false where F is undefined. */
typedef struct perp_map {
    perp_index n;
    perp_matrix M;
    const double *q;
    bool (*eval)(void *ctx, const double *z, double *F);
    bool (*jacobian)(void *ctx, const double *z, double *values); /* NULL: differences */
    perp_matrix pattern; /* its values are never read and may be NULL; absent: dense */
    void *ctx;           /* yours, also to write to: one solve calls from one thread */
    /* Of a callback: sizes of the unknowns, positive. Changes of z_i by less than tol times that,
     * or times |z_i| where it is larger, are of no account. NULL: 1 each. */
    const double *typical;
    void *reserved[3];
} perp_map;

/* 0 <= z _|_ F(z) >= 0.   Residual as of the mcp with lo = 0. */
typedef struct perp_ncp {
    perp_map F;
} perp_ncp;

/* lo <= z <= hi _|_ F(z): z_i = lo_i and F_i >= 0, or z_i = hi_i and F_i <= 0, or F_i = 0 between.
 * lo or hi NULL: no such bounds; +-INFINITY: none for that variable. With k = follows[i] >= 0 the
 * bounds of i follow z_k: hi_i = mu_i max(z_k, 0), lo_i = -hi_i; k's own bounds do not follow
 * another.
 * Residual of an affine F: the larger of |z - P(z - F(z))| / |F(P(0))|, its `natural`, and
 * |D (z - P(z - F(z) / D))| / |F(P(0))|, its `units`, D as of an lcp.
 * Of a callback, with its Jacobian J at z, or differences of F where there is none, tau = `typical`
 * and theta_i = max(|z_i|, tau_i):
 *     max_i |z_i - P(z_i - theta_i F_i / s_i)| / theta_i,
 *     s_i = sum_j |J_ij| t_j + |F - J z|_i, t_j = |z_j| but at least tau_j and at most 100 tau_j,
 * and s_i is no more than 16 times what F_i changes by when all z_j move by about t_j inside the
 * bounds. Neither factors of F nor factors of z, that `typical` and the bounds have too, change it;
 * `natural` and `absolute` are |z - P(z - F(z))|, and `floor` is what moves of z in its last places
 * leave of it: the noise of F. */
typedef struct perp_mcp {
    perp_map F;
    const double *lo, *hi;
    const perp_index *follows; /* k above, ODE's findex. NULL: none; -1: it has its own bounds */
    const double *mu;          /* read where follows >= 0 */
} perp_mcp;

typedef enum perp_form { PERP_FORM_LOCAL, PERP_FORM_BODY } perp_form;

/* Coulomb friction in 3D, exact cone K = {|r_t| <= mu r_n}, frame (n, t1, t2) for each contact:
 *     K* contains u + mu |u_t| n  _|_  r in K.
 * Local form: u = W r + q, z = r, slack u.
 * Body form:  M v = f + H r + G l,  u = H' v + w,  G' v + b = 0,  z = (r, v, l),
 *             slack (u, M v - f - H r - G l, G' v + b). G may be absent, w and b NULL (zero).
 * Residual with v = u + mu |u_t| n: the larger of |r - P_K(r - v)| / |q|, its `natural`, and
 * |D (r - P_K(r - v / D))| / |q|, its `units`, D a third of the trace of the contact's own block of
 * W. In body form the first alone, with q = H' D^-1 f + w and D the diagonal of M (f'Mf / f'f where
 * M is an operator), so that no factorisation is needed to judge, plus |M v - f - H r - G l| / |f|,
 * plus |G' v + b| / (|G' D^-1 f| + |b|). */
typedef struct perp_fc3d {
    perp_index contacts;
    perp_form form;
    const double *mu;
    perp_matrix W;
    const double *q;
    perp_matrix M, H, G;
    const double *f, *w, *b;
} perp_fc3d;

/* min |A x - b|^2 / 2, x >= 0 but where free; z = x, slack w = A'(A x - b).
 * Residual: the larger of |min(x, w)| / |A'b|, its `natural`, and, where A shows its entries, the
 * largest of |min(|A_j| x_j, w_j / |A_j|)| / |b|, its `units`, which does not depend on the units
 * of x; with w_j in place of the minimum where x_j is free. Neither bounds the distance to the
 * solution where columns nearly depend on each other, or where rows of very different sizes hide
 * it. */
typedef struct perp_nnls {
    perp_matrix A;
    const double *b;
    const bool *is_free; /* NULL: none */
} perp_nnls;

/* lo <= A x <= hi, xlo <= x <= xhi, and (H x + c)'(s - x) >= 0 for all such s: for symmetric H the
 * stationary points of x'Hx/2 + c'x, otherwise an affine variational inequality.
 * z = (x, y), y the multipliers of A x: y_i >= 0 at lo, <= 0 at hi. Slack (H x + c - A'y, A x).
 * NULL bounds: none; lo > hi: infeasible. H absent: a linear objective. A absent: m = 0.
 * Proofs, of length n + m. Infeasible: y in the last m entries, with sum(y+ lo - y- hi) above the
 * supremum of y'A x over the box of x; or any entry where lo > hi. Unbounded: in the first n
 * entries a direction d that meets no bound, with d'H d < 0, or with (H + H')d = 0 and c'd < 0.
 * Residual, with g = H x + c - A'y and P on [xlo, xhi] and on [lo, hi]: the largest of
 *     (lo_i - (A x)_i) / (1 + |lo_i|) and ((A x)_i - hi_i) / (1 + |hi_i|),
 *     |x_j - P(x_j - g_j / s_j)| / (1 + |x_j|), s_j = 1 + max(|c_j|, |(H x)_j|, |(A'y)_j|),
 *     and where xlo_j > xhi_j, by how much x_j violates either, over 1 + |x_j|,
 *     |(A x)_i - P((A x)_i - y_i)| / (1 + max(|(A x)_i|, |y_i|)),
 * which are its `units`, and of its `gap` G / (1 + |x'Hx/2 + c'x|), where
 *     G = sum |y_i| |(A x)_i - b_i| + sum |g_j| |x_j - b_j|,
 * b the bound on the side of the sign of y_i or g_j, 0 where that is infinite: for convex H and
 * feasible x the objective is at most G above its minimum. `natural` is printed alone: the norm of
 * the pair |x - P(x - g)| / (1 + |c|) and |A x - P(A x - y)| / (1 + |P(0)|). */
typedef struct perp_qp {
    perp_index n, m;
    perp_matrix H, A;
    const double *c, *lo, *hi, *xlo, *xhi;
} perp_qp;

/* z in a product of cones, balls, boxes and all numbers. The arrays speak of rows: row i has the
 * set lo_i <= z_i <= hi_i, as in an mcp, unless it belongs to a cone or a ball. follows[i] = k >=
 * 0: row i is tangential, in the cone whose normal is row k. group[i] = j >= 0: row i is in the
 * group whose first row is j (group[j] = j); -1: by itself. A cone is K = {z_n >= 0, |z_g| <= mu_g
 * z_n for each group g of rows that follow n}, with the law K* contains u + (sum_g s_g |u_g|) n _|_
 * z in K, 0 <= s_g <= mu_g: s = mu is Coulomb friction, s = 0 a second-order cone LCP or associated
 * plasticity. Rolling friction has two groups that follow one normal. A group that follows no row
 * is a ball |z_g| <= hi (Tresca), hi and mu and s as of its first row. lo and hi are not read of
 * normals, of rows that follow, and lo not of balls.
 * Local form: u = W z + q, slack u.
 * Body form:  M v = f + H z + G l,  u = H' v + R z + w,  G' v + b = 0, unknowns (z, v, l),
 *             slack (u, M v - f - H z - G l, G' v + b). R is the compliance (1 / stiffness, or
 * CFM), diagonal or with a block for each block of z; without it contacts are rigid. G and R may be
 * absent, w and b NULL (zero). Residual with v = u + (sum_g s_g |u_g|) n: the larger of |z - P(z -
 * v)| / |W P(0) + q|, its `natural`, and |D (z - P(z - v / D))| / |W P(0) + q|, its `units`, D as
 * of an lcp, and in a cone or a ball the mean of its entries. In body form the first alone, with H'
 * D^-1 (f + H P(0)) + R P(0) + w in place of W P(0) + q, D the diagonal of M, plus the equations as
 * of an fc3d. */
typedef struct perp_cone {
    perp_index n; /* rows of z */
    perp_matrix W;
    const double *q;
    const double *lo, *hi;     /* NULL: no such bounds */
    const perp_index *follows; /* NULL: none; -1: it follows no row */
    const perp_index *group;   /* NULL: every row by itself */
    const double *mu;          /* read at the first row of a group that follows */
    const double *s;           /* the same; NULL: mu */
    perp_form form;
    perp_matrix M, H, G, R; /* of the body form */
    const double *f, *w, *b;
} perp_cone;

/* The union has perp_lcp lcp, and so on, one for each row of kinds.def. */
typedef struct perp_problem {
    perp_kind kind;
    const char *name; /* for reports; may be NULL */
    union {
#define PERP_KIND(constant, name, folder) perp_##name name;
#include "perp/kinds.def"
#undef PERP_KIND
        void *reserved[64]; /* room for further kinds */
    } as;
} perp_problem;

/* The short way to state one; everything else is zero. The arrays stay the caller's. A map by
 * callback: jacobian and ctx may be NULL, pattern absent ((perp_matrix){0}). */
PERP_API perp_map perp_make_map(perp_index n, bool (*eval)(void *ctx, const double *z, double *F),
                                bool (*jacobian)(void *ctx, const double *z, double *values),
                                perp_matrix pattern, void *ctx);
PERP_API perp_problem perp_make_lcp(perp_index n, perp_matrix M, const double *q);
PERP_API perp_problem perp_make_ncp(perp_map F);
PERP_API perp_problem perp_make_mcp(perp_index n, perp_matrix M, const double *q, const double *lo,
                                    const double *hi);
PERP_API perp_problem perp_make_mcp_map(perp_map F, const double *lo, const double *hi);
PERP_API perp_problem perp_make_fc3d(perp_index contacts, perp_matrix W, const double *q,
                                     const double *mu);
PERP_API perp_problem perp_make_nnls(perp_matrix A, const double *b);
PERP_API perp_problem perp_make_qp(perp_index n, perp_index m, perp_matrix H, const double *c,
                                   perp_matrix A, const double *lo, const double *hi);

PERP_API const char *perp_kind_name(perp_kind kind); /* "lcp"; NULL: no such kind */
PERP_API perp_index
perp_size(const perp_problem *p); /* length of z and w; -1: sizes make no sense */

/* Sizes, pointers, sparsity, finite values, bounds in order (but for those of a qp). perp_solve
 * does this first. The error (may be NULL) names the place. */
PERP_API perp_status perp_validate(const perp_problem *p, perp_error *error);

/* The entry of a Jacobian that differs most from what differences of F say. */
typedef struct perp_jacobian_report {
    perp_index row, column; /* -1: there is none */
    double given;           /* what jacobian() wrote; 0 where the pattern has no such entry */
    double expected;        /* by differences */
    double error;           /* relative, beyond what the differences' own error explains */
    double reserved[4];
} perp_jacobian_report;

/* Hold the callback jacobian() of an ncp or mcp against differences of F at z, also where its
 * pattern has no entry. PERP_SOLVED: they agree. PERP_UNCERTIFIED: they do not, the report says
 * where, the error (may be NULL) in a sentence. < 0: refused; PERP_E_NUMBER where F or its Jacobian
 * is undefined. Two evaluations of F for each variable, inside the bounds. */
PERP_API perp_status perp_check_jacobian(const perp_problem *p, const double *z, perp_arena *a,
                                         perp_jacobian_report *report, perp_error *error);

#ifdef __cplusplus
}
#endif
#endif
