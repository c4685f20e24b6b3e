/* base/view.h: checks of matrix views and vectors. */
#ifndef PERP_BASE_VIEW_H
#define PERP_BASE_VIEW_H

#include "perp/matrix.h"

/* Is this a valid m x n view, with finite values? `name` stands in the error. An operator needs its
 * products; an absent matrix passes only when `optional`. */
perp_status perp_check_view(const perp_matrix *A, int m, int n, const char *name, bool optional,
                            perp_error *e);
/* The pattern alone: values are neither read nor needed. */
perp_status perp_check_pattern(const perp_matrix *A, int m, int n, const char *name, perp_error *e);
/* n finite numbers; NULL passes only when n = 0 or `optional`. */
perp_status perp_check_vector(const double *x, int n, const char *name, bool optional,
                              perp_error *e);
/* No NaN, lo < +inf, hi > -inf; NULL means no bound. perp_check_bounds: and lo <= hi. */
perp_status perp_check_sides(const double *lo, const double *hi, int n, const char *lo_name,
                             const char *hi_name, perp_error *e);
perp_status perp_check_bounds(const double *lo, const double *hi, int n, const char *lo_name,
                              const char *hi_name, perp_error *e);

#endif
