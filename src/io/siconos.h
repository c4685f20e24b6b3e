/* io/siconos.h: what the files siconos*.c share. */
#ifndef PERP_SICONOS_H
#define PERP_SICONOS_H

#include "io.h"

/* The matrix section: read, with `name` for the sentences, and written (siconos_matrix.c,
 * siconos_write.c). A size of -1 is what the file says. False: refused. */
bool perp_siconos_matrix(perp_lexer *x, int rows, int columns, const char *name, perp_matrix *A);

perp_status perp_siconos_write(perp_sink *s, const perp_file *file, perp_arena *a, perp_error *e);

#endif
