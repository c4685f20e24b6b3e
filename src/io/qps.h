/* io/qps.h: a QPS file half read, and what its reader and writer agree on. */
#ifndef PERP_QPS_H
#define PERP_QPS_H

#include "names.h"

#define QPS_INFINITY 1e20 /* bounds and sides from here on are infinite */

/* The sections; QSECTION is another name of QUADOBJ. */
enum { NONE, NAME, ROWS, COLUMNS, RHS, RANGES, BOUNDS, QUADOBJ, QMATRIX, OBJSENSE, ENDATA };

typedef struct perp_triplets {
    int count;
    int *i, *j;
    double *v;
} perp_triplets;

typedef struct perp_qps {
    perp_lexer *x;
    bool fixed;
    int section;
    int lines[ENDATA + 1]; /* data lines of each section, counted beforehand */
    span f[6];             /* the fields of this line, as fixed columns name them */
    span title, set[ENDATA + 1];
    perp_names rows, columns;
    char *type;       /* of each row: N L G E */
    int *place;       /* of each row in A; -1: the objective; -2: dropped */
    double *rhs;      /* of each row; NaN: none given */
    double *range;    /* the same */
    double *exact[2]; /* lo and hi where a comment has them; NaN elsewhere */
    int m;
    bool objective;     /* found */
    perp_triplets A, H; /* row -1 of A is c */
    bool *has_lower;
    double *xlo, *xhi;
} perp_qps;

/* The sides of a row of that type; rhs and range may be NaN: none given. */
void perp_qps_sides(char type, double rhs, double range, double *lo, double *hi);
/* All that was read, as a problem (qps_problem.c). False: refused. */
bool perp_qps_problem(perp_qps *q, perp_file *file);
/* qps_write.c */
perp_status perp_qps_write(perp_sink *s, const perp_file *file, perp_arena *a, perp_error *e);

#endif
