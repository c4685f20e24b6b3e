/* base/convert.h: conversions of matrix views that the API does not show. */
#ifndef PERP_BASE_CONVERT_H
#define PERP_BASE_CONVERT_H

#include "perp/matrix.h"

/* A CSC matrix with sorted columns and duplicates summed: the view itself when it is so already,
 * a copy in the arena otherwise. PERP_E_FORMAT: A is not CSC. */
perp_status perp_sort_csc(const perp_matrix *A, perp_arena *a, perp_matrix *out);

#endif
