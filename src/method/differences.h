/* method/differences.h: what finite differences of a map need: columns that one evaluation can
 * serve together, and steps that stay inside a box. */
#ifndef PERP_METHOD_DIFFERENCES_H
#define PERP_METHOD_DIFFERENCES_H

/* Give the columns of an m x n pattern (compressed columns) colours 0 .. such that no two of one
 * colour have an entry in the same row; returns their number. colour has length n, work
 * m + 1 + p[n] + n. Greedy in the order of the columns; costs the sum of the squares of the rows'
 * lengths. */
int perp_colour_columns(int m, int n, const int *p, const int *i, int *colour, int *work);

/* A step from z for a forward difference, `relative` times max(|z|, typical), towards whichever
 * side of [lo, hi] has room for it, shorter where neither has; 0 where lo and hi are so near that
 * z is as good as fixed. The step is exact: z + step rounds nothing. */
double perp_difference_step(double z, double typical, double lo, double hi, double relative);

#endif
