/* io/siconos.h: what the files siconos*.c share. */
#ifndef PERP_SICONOS_H
#define PERP_SICONOS_H

#include "io.h"

/* The matrix section: read, with `name` for the sentences, and written (siconos_matrix.c,
 * siconos_write.c). A size of -1 is what the file says. False: refused. */
bool perp_siconos_matrix(perp_lexer *x, int rows, int columns, const char *name, perp_matrix *A);

perp_status perp_siconos_write(perp_sink *s, const perp_file *file, perp_arena *a, perp_error *e);

/* ---- what stands behind a layout's last number (siconos_tail.c) ---- */

/* Is the next token a number? */
bool perp_siconos_more(const perp_lexer *x);
/* How many numbers follow before the next word or the end of the file. Words are remarks. */
size_t perp_siconos_left(const perp_lexer *x);
/* Is that one number, spelled 0 or 1? Old files of contacts end with such a flag. */
bool perp_siconos_flag(const perp_lexer *x);
/* PERP_SOLVED: no number is left. Otherwise the numbers behind `name` are refused. */
perp_status perp_siconos_end(perp_lexer *x, const char *name);

/* ---- layouts (siconos_linear.c, siconos_cones.c) ---- */

/* A file that one layout reads to its last number. */
typedef struct siconos_reading {
    char name[2][64];     /* "an LCP"; the second: another layout of the same shape, or empty */
    bool readable;        /* perp has such problems, and this is it: */
    perp_problem problem; /* in the arena */
    bool matrix_alone;    /* after a refusal: the file is a matrix and nothing else */
} siconos_reading;

/* PERP_SOLVED: the reading counts. Otherwise the lexer's error says where the layout does not fit.
 */
typedef perp_status siconos_reader(perp_lexer *x, const perp_load_options *o, siconos_reading *r);

siconos_reader perp_siconos_lcp, perp_siconos_mlcp; /* also relays */
siconos_reader perp_siconos_contacts;               /* of every dimension, rolling or not */
siconos_reader perp_siconos_cones, perp_siconos_plasticity, perp_siconos_mechanical;
siconos_reader perp_siconos_matrix_alone; /* never counts */

#endif
