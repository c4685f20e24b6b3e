/* io/fclib.h: what the reader and the writer of FCLIB's files share. */
#ifndef PERP_FCLIB_H
#define PERP_FCLIB_H

#include "hdf5.h"
#include "io.h"

#define FCLIB_PATH 64 /* longer than the longest path in a file */

/* How a matrix was stored before its entries were listed, as perp tells it in math_info:
 * "W: 3 x 3 blocks". */
#define FCLIB_INFO 80
#define FCLIB_DENSE ": dense"
#define FCLIB_BLOCKS ": 3 x 3 blocks"

/* fclib_write.c */
perp_status perp_fclib_write(perp_sink *s, const perp_file *file, perp_arena *a, perp_error *e);

#endif
