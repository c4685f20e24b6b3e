/* method/working_set.h: a working set of constraints and its null space.
 *
 *     N = the normals in the set, n x k, independent;   Q'N = (R; 0),   Q = (Y Z).
 *
 * R is upper triangular, Y the first k columns of Q; Z spans what the set leaves free. Q starts as
 * the identity and is orthogonal then, or as L'^-1 with L L' = H: then Q'HQ = I, as Goldfarb and
 * Idnani have it. Nothing allocates. */
#ifndef PERP_METHOD_WORKING_SET_H
#define PERP_METHOD_WORKING_SET_H

#include "constraint_rows.h"
#include "linalg/updated_chol.h"

typedef struct perp_working_set {
    int n;
    double *Q;      /* n x n, ld = max(n, 1) */
    perp_updated R; /* R.k is the size of the set */
    int *set;       /* constraints, in the order of R's columns */
} perp_working_set;

size_t perp_working_set_doubles(int n); /* of memory; and n ints for the set */
/* An empty set; the caller fills Q. */
void perp_working_set_open(perp_working_set *w, int n, double *doubles, int *ints);

static inline double *working_column(const perp_working_set *w, int j)
{
    return w->Q + (size_t)j * (size_t)(w->n > 0 ? w->n : 1);
}

/* d = Q'a for the normal a of constraint i. 2 n^2 flops, n for a bound. */
void perp_working_set_project(const perp_working_set *w, const perp_constraint_rows *rows, int i,
                              double *d);
/* z = Z d[k ..). */
void perp_working_set_lift(const perp_working_set *w, const double *d, double *z);
/* z = Y v. */
void perp_working_set_range(const perp_working_set *w, const double *v, double *z);
/* d = Q'g for any g. */
void perp_working_set_split(const perp_working_set *w, const double *g, double *d);

/* Constraint i joins: d = Q'a, z = Z d[k ..), which is not zero. One reflection of Z, of which the
 * first column then belongs to Y; 2 n (n - k) flops. d and z are overwritten. */
void perp_working_set_add(perp_working_set *w, int i, double *d, double *z);
/* The constraint at place `at` leaves; the last column of Y then belongs to Z. d, which may be
 * NULL, is Q'a of any a, before and after. 6 n (k - at) flops. */
void perp_working_set_drop(perp_working_set *w, int at, double *d);

#endif
