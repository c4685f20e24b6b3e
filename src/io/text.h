/* io/text.h: what the reader and the writer of perp's text format share: which items a kind has. */
#ifndef PERP_TEXT_H
#define PERP_TEXT_H

#include "io.h"

/* The sizes that items share; the first to be read settles one, and the others must agree. */
enum text_size { SIZE_N, SIZE_M, SIZE_CONTACTS, SIZE_VELOCITIES, SIZE_EQUALITIES, TEXT_SIZES };

typedef enum text_type { TEXT_MATRIX, TEXT_VECTOR, TEXT_BOUND, TEXT_INDEX, TEXT_MASK } text_type;

/* A matrix has `rows` times three rows where that is the number of contacts, and so for columns and
 * the length of a vector, which is `rows` too. */
typedef struct text_item {
    const char *name;
    text_type type;
    enum text_size rows, columns;
    bool three;    /* 3 for each contact, and not 1 */
    int form;      /* of fc3d: PERP_FORM_LOCAL, PERP_FORM_BODY, or -1: both */
    size_t offset; /* of the pointer or the matrix in a perp_problem */
} text_item;

/* The items of a kind, in the order they are written; the last has no name. */
const text_item *perp_text_items(perp_kind kind);
/* The problem's own size, 0 where it has none such. */
int perp_text_size(const perp_problem *p, enum text_size size);

perp_status perp_text_write(perp_sink *s, const perp_file *file, perp_arena *a, perp_error *e);

#endif
