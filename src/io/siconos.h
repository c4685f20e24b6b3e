/* io/siconos.h: what the files siconos*.c share. */
#ifndef PERP_SICONOS_H
#define PERP_SICONOS_H

#include "cone_rows.h"

/* The matrix section: read, with `name` for the sentences, and written (siconos_matrix.c,
 * siconos_write.c). A size of -1 is what the file says. False: refused. */
bool perp_siconos_matrix(perp_lexer *x, int rows, int columns, const char *name, perp_matrix *A);
/* A square matrix by blocks, whose tables tell what its rows are: block row k ends before row
 * end[k]. `stored` of the block rows have pointers; no other has a block. */
typedef struct siconos_block_rows {
    int count, stored;
    const int *end;
} siconos_block_rows;
bool perp_siconos_block_matrix(perp_lexer *x, const char *name, perp_matrix *A,
                               siconos_block_rows *rows);

/* A matrix section; an absent matrix is one without rows or columns. */
void perp_siconos_put_matrix(perp_sink *s, const perp_matrix *A, int m, int n);
/* A vector, `none` where it is not given. Its numbers never look like integers: those of q could be
 * taken for the sizes of a matrix. */
void perp_siconos_put_vector(perp_sink *s, int n, const double *x, double none);

/* The layout follows from the blocks (siconos_write_cones.c). */
perp_status perp_siconos_write_cone(perp_sink *s, const perp_cone *c, perp_arena *a, perp_error *e);
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

/* ---- layouts (siconos_linear.c, siconos_contacts.c, siconos_cones.c) ---- */

typedef enum siconos_layout {
    SICONOS_ANY, /* as long as nobody says which */
    SICONOS_LCP,
    SICONOS_RELAY,
    SICONOS_MLCP,
    SICONOS_FC2D,
    SICONOS_GFC2D,
    SICONOS_FC3D,
    SICONOS_GFC3D,
    SICONOS_RFC2D,
    SICONOS_GRFC2D,
    SICONOS_RFC3D,
    SICONOS_GRFC3D,
    SICONOS_SOCLCP,
    SICONOS_GMP,
    SICONOS_PLASTICITY,
    SICONOS_PLASTICITY_OLD,
    SICONOS_LAYOUTS
} siconos_layout;

/* What a caller calls it, "rfc2d", and what a sentence does; of SICONOS_ANY NULL and "". */
const char *perp_siconos_word(siconos_layout layout);
/* SICONOS_ANY: no layout is called so. */
siconos_layout perp_siconos_layout_of(const char *word);
const char *perp_siconos_title(siconos_layout layout);

/* A file that one layout reads to its last number. */
typedef struct siconos_reading {
    siconos_layout wanted; /* what the file holds, where the caller says it */
    siconos_layout layout; /* what it was read as */
    siconos_layout other;  /* another layout of the same shape, or SICONOS_ANY */
    char name[64];         /* "an LCP with n = 3" */
    bool readable;         /* perp has such problems, and this is it: */
    perp_problem problem;  /* in the arena */
    bool matrix_alone;     /* after a refusal: the file is a matrix and nothing else */
} siconos_reading;

/* PERP_SOLVED: the reading counts. Otherwise the lexer's error says where the layout does not fit.
 */
typedef perp_status siconos_reader(perp_lexer *x, const perp_load_options *o, siconos_reading *r);

siconos_reader perp_siconos_lcp, perp_siconos_mlcp; /* also relays */
siconos_reader perp_siconos_contacts;               /* of every dimension, rolling or not */
siconos_reader perp_siconos_soclcp, perp_siconos_plasticity, perp_siconos_mechanical;
siconos_reader perp_siconos_matrix_alone; /* never counts */

/* There is no such layout; the sentence has those that there are. */
perp_status perp_siconos_refuse_layout(const char *word, perp_error *e);
/* Sets layout and name. */
void perp_siconos_name(siconos_reading *r, siconos_layout layout);

/* A local form; the reading counts. */
perp_status perp_siconos_cone(const perp_cone_rows *rows, perp_matrix W, const double *q,
                              siconos_reading *r);

#endif
