/* fc3d/contact.h: Coulomb friction at one contact; arrays in, arrays out.
 *
 * Given a 3x3 matrix W (column-major, normal first; it need not be symmetric, nor regular), q and
 * mu >= 0, find r with
 *     u = W r + q,    K* contains u + mu |u_T| n  _|_  r in K = {|r_T| <= mu r_N}.
 * Taking off, q_N >= 0, and sticking, u = 0, are closed forms. Sliding is (S + alpha I) r_T = -qt
 * for some alpha > 0 and |r_T| = mu r_N, with the Schur complement S of W_NN: one equation in
 * alpha, which has a root wherever S + alpha I is regular for all alpha >= 0 (contact_secular.h).
 * Other blocks, and those where elimination loses digits, go down the chain perp_contact_solve:
 * Newton, enumeration, proximal points, projection, and proximal points first where the block is
 * singular; it never returns something worse than it was given.
 *
 * Errors are |r - P_K(r - (u + mu |u_T| n))|, the unscaled residual of problem.h. */
#ifndef PERP_FC3D_CONTACT_H
#define PERP_FC3D_CONTACT_H

#include <stdbool.h>
#include <stddef.h>

/* What a solve needs of W and mu, found once for a contact. With w = W_NN r_N + c.r_T,
 * W r = (w, l w + S r_T). */
typedef struct perp_contact_block {
    double wn, inv;    /* W_NN and 1 / W_NN */
    double l[2], c[2]; /* W_TN / W_NN, W_NT */
    double S[4];       /* W_TT - W_TN W_NT / W_NN, column-major */
    double trace, det; /* of S */
    double idet;       /* 1 / det */
    double mu, cosine; /* of K's angle */
    bool regular;      /* det(S + alpha I) > 0 for alpha >= 0: the secular equation has a root */
    bool plain;        /* and the elimination above loses few digits: perp_contact_step is enough */
    int points;        /* Newton steps that a solve may take at proximal points */
} perp_contact_block;

/* False: W_NN is not positive, or numbers overflow: perp_contact_solve does without. */
bool perp_contact_prepare(const double W[9], double mu, perp_contact_block *k);

double perp_contact_error(const double W[9], const double q[3], double mu, const double r[3]);

/* From the start r to a solution, by the cheapest way that leads there. Returns the error at the
 * new r, which is never more than at the old one. `k` comes from W and mu; its points are halved by
 * each solve that finds no solution. */
double perp_contact_solve(const double W[9], perp_contact_block *k, const double q[3], double r[3]);

/* The ways. Each starts from r, leaves the best point it met there, and returns its error. */
typedef enum perp_contact_map {
    PERP_ALART_CURNIER, /* friction bounded by mu times the predicted normal force */
    PERP_JEAN_MOREAU    /* friction bounded by mu times the normal force */
} perp_contact_map;
double perp_contact_newton(const double W[9], const double q[3], double mu, perp_contact_map map,
                           int steps, double r[3]);
double perp_contact_enumerate(const double W[9], const perp_contact_block *k, const double q[3],
                              double r[3]);
double perp_contact_project(const double W[9], const double q[3], double mu, int steps,
                            double r[3]);
/* Proximal points, for blocks of any rank: none of the numbers of perp_contact_prepare is used. */
#define PERP_CONTACT_POINTS 1000 /* more than 333,333 random blocks of any rank took */
double perp_contact_points(const double W[9], const double q[3], double mu, int steps, double r[3]);

/* Whether so large an error is what rounding leaves of W r + q. */
bool perp_contact_ends(const double W[9], const double q[3], const double r[3], double error);

/* Paper 000's explicit resolution: the sticking force, its tangent scaled back to the cone. Exact
 * only where W_TN = W_NT = 0 and W_TT is a multiple of I, as for spheres. */
void perp_contact_explicit(const perp_contact_block *k, const double q[3], double r[3]);

/* The same with the block replaced by its diagonal, as paper 000 says of its reference 39 (Saussine
 * et al. 2004); what is not on the diagonal acts as the old r has it. u is W r + q at the old r,
 * and the diagonal positive. Where it leaves r as it is, r is a solution if both tangents have the
 * same entry. */
void perp_contact_diagonal(const double W[9], double mu, const double u[3], double r[3]);

/* Lexicographic Lemke on the inner pyramid with `facets` edges: the solution of a nearby problem.
 * `matrix` is built once for a contact, (facets + 2)^2 doubles. */
size_t perp_contact_pyramid_doubles(int facets); /* of scratch */
size_t perp_contact_pyramid_ints(int facets);
void perp_contact_pyramid(const double W[9], double mu, int facets, double *matrix);
/* At most so many pivots; 0: 8 times the unknowns. False: a ray or too many pivots; r is left as it
 * was. */
bool perp_contact_lemke(const double *matrix, const double W[9], const double q[3], int facets,
                        int pivots, double *doubles, int *ints, double r[3]);
/* The same as an affine variational inequality, by a path in the null space of active sets. */
size_t perp_contact_qp_doubles(int facets); /* of scratch */
size_t perp_contact_qp_ints(int facets);
bool perp_contact_qp(const double *matrix, const double W[9], const double q[3], int facets,
                     double *doubles, int *ints, double r[3]);

#endif
