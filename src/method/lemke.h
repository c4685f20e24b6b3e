/* method/lemke.h: Lemke's complementary pivoting, lexicographic, on a dictionary; arrays in, arrays
 * out.
 *
 * Solves 0 <= y _|_ v = A y + x >= 0 by following v = A y + x + d t from large t down to t = 0. Its
 * tolerances expect entries of A and d of the size of 1 (linalg/equilibrate.h). A block solver
 * calls it on a local matrix; lcp/lemke adds scaling, polish, warm start and certificates. */
#ifndef PERP_METHOD_LEMKE_H
#define PERP_METHOD_LEMKE_H

#include "dictionary.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum perp_lemke_step {
    PERP_LEMKE_PIVOTED,  /* go on */
    PERP_LEMKE_SOLUTION, /* t left the basis: y and v are complementary */
    PERP_LEMKE_RAY,      /* the entering variable is unblocked */
    PERP_LEMKE_CYCLE     /* rounding brought a basis back: the path leads nowhere */
} perp_lemke_step;

/* Variables: v_i is i, y_i is n + i, t is 2 n. */
typedef struct perp_lemke {
    perp_dictionary d; /* n x (n + 1), last column t */
    int n;
    int entering;
    int *basic;    /* variable of each row */
    int *nonbasic; /* variable of each column */
    int *place;    /* of each variable: its row, or n + its column */
    int *tied;     /* scratch of the ratio test */
    double *column;
    double noise;         /* error of x against its largest entry; 1e-13, rounding, once opened */
    bool doubtful;        /* so far a row missed a tie by less than 1e4 times that */
    uint64_t basis, seen; /* signatures of the present basis and of one before */
    int pivots, next;     /* made so far; when the present basis becomes the one before */
} perp_lemke;

/* Doubles and ints of memory for n variables. */
size_t perp_lemke_doubles(int n);
size_t perp_lemke_ints(int n);
void perp_lemke_open(perp_lemke *l, int n, double *doubles, int *ints);

/* With l->d.D = [A d] and l->d.x filled, d > 0: bring t in. SOLUTION when x >= 0 already. */
perp_lemke_step perp_lemke_start(perp_lemke *l);
/* One pivot. After RAY, the basic variables move along l->column as l->entering grows by 1. */
perp_lemke_step perp_lemke_pivot(perp_lemke *l);

/* Value of a variable at the current vertex, and its rate along a ray. */
double perp_lemke_value(const perp_lemke *l, int variable);
double perp_lemke_rate(const perp_lemke *l, int variable);

#endif
