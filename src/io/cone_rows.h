/* io/cone_rows.h: blocks of a cone whose rows stand one behind the other, each normal first, as the
 * files of Siconos and FCLIB have them: made while such a file is read, found when one is written.
 */
#ifndef PERP_CONE_ROWS_H
#define PERP_CONE_ROWS_H

#include "io.h"

/* ---- reading ---- */

/* A normal and `groups` groups of `width` rows each behind it, with mu and s of each group. */
typedef struct perp_cone_shape {
    int groups, width;
    double mu[2], s[2];
} perp_cone_shape;

/* The arrays of a perp_cone (problem.h), in the arena. */
typedef struct perp_cone_rows {
    int n, *follows, *group;
    double *mu, *s, *lo; /* s NULL: Coulomb friction; lo NULL: no bounds */
} perp_cone_rows;

/* n free rows. False: refused. */
bool perp_cone_rows_open(perp_lexer *x, int n, bool coulomb, perp_cone_rows *rows);
/* The cone whose normal is row `first`. */
void perp_cone_rows_add(perp_cone_rows *rows, int first, const perp_cone_shape *shape);
/* z_i >= 0. False: refused. */
bool perp_cone_rows_bound(perp_lexer *x, perp_cone_rows *rows, int i);
/* The problem without its matrices, and without s where it is mu. */
perp_problem perp_cone_rows_end(const perp_cone_rows *rows);

/* ---- writing ---- */

/* The rows of a block, and what it is: a cone, a bound z >= 0, a free row, or another. */
typedef struct perp_cone_run {
    int first, count;
    int groups, width;    /* 0: no cone; width -1: groups of different sizes */
    bool coulomb, convex; /* s = mu, s = 0 in all groups */
    bool is_bound, is_free;
} perp_cone_run;

/* The block whose first row is `first`. False: it is a ball, or its rows are not together. */
bool perp_cone_rows_find(const perp_cone *c, int first, perp_cone_run *run);
/* Is c nothing but cones of that many groups and rows with s = mu? */
bool perp_cone_rows_match(const perp_cone *c, int groups, int width);
/* s of group g of a run whose groups have one width; perp_cone.mu has mu at the same place. */
int perp_cone_rows_leader(const perp_cone_run *run, int g);

#endif
