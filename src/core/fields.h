/* core/fields.h: the data of a kind as tables: its sizes, and its matrices and vectors with their
 * names.
 *
 * The text format's keywords, `perp info`, the conversion of matrices and the sizes of absent ones
 * follow from them. Each kind_*.c has its own. */
#ifndef PERP_FIELDS_H
#define PERP_FIELDS_H

#include "perp/problem.h"

#define PERP_MATRICES_MOST 4 /* matrices of one problem */
#define PERP_SIZES_MOST 4    /* sizes of one kind */

/* Where a member of perp_lcp and its like is: PERP_AT(lcp.M). Never 0. */
#define PERP_AT(member) offsetof(perp_problem, as.member)

typedef enum perp_size_place {
    PERP_SIZE_COUNT, /* an int of the problem */
    PERP_SIZE_ROWS,  /* of a matrix of the problem */
    PERP_SIZE_COLUMNS
} perp_size_place;

/* A size that fields share. The list ends with {0}. */
typedef struct perp_kind_size {
    size_t offset; /* of the int or the matrix in a perp_problem */
    perp_size_place place;
    int times, of;     /* times > 0: a multiple of another size of the list, and no offset */
    const char *label; /* what `perp info` calls it; NULL: it does not say it */
} perp_kind_size;

static inline bool perp_size_is_last(const perp_kind_size *s)
{
    return !s->offset && !s->times;
}

typedef enum perp_field_type {
    PERP_FIELD_MATRIX, /* perp_matrix */
    PERP_FIELD_VECTOR, /* const double *, finite numbers */
    PERP_FIELD_BOUND,  /* const double *, infinities too */
    PERP_FIELD_INDEX,  /* const int *, from -1 */
    PERP_FIELD_MASK    /* const bool * */
} perp_field_type;

/* What a vector says about the unknowns, for whoever counts bounds or looks for friction. */
typedef enum perp_field_role {
    PERP_ROLE_NONE,
    PERP_ROLE_LOWER, /* bounds of the unknowns; NULL: none */
    PERP_ROLE_UPPER,
    PERP_ROLE_FOLLOWS, /* index of the unknown that bounds follow; -1: none */
    PERP_ROLE_FRICTION /* coefficients; where the kind has followers, of these alone */
} perp_field_role;

/* A matrix or a vector of a kind. The list ends with {0}. */
typedef struct perp_field {
    const char *name; /* its letter, and the keyword of the text format */
    perp_field_type type;
    size_t offset;     /* of the matrix or the pointer in a perp_problem */
    int rows, columns; /* places in the kind's list of sizes; a vector has `rows` entries */
    int slot;          /* of a matrix: which of solver.formats[] rules it */
    const char *form;  /* the one form that has it; NULL: every form */
    perp_field_role role;
    const char *needs; /* the field without which this one, not empty, makes no sense */
    /* Is it part of this problem? What is not, is neither written nor converted. NULL: always. */
    bool (*applies)(const perp_problem *p);
} perp_field;

/* Size k of the kind's list; that of an absent matrix is 0. */
int perp_size_get(const perp_problem *p, int k);
void perp_size_set(perp_problem *p, int k, int value); /* not of a multiple */

/* The problem's form, "local"; NULL: its kind has no forms. */
const char *perp_kind_form(const perp_problem *p);
void perp_kind_set_form(perp_problem *p, const char *form); /* one of the kind's list */

/* Is the field part of this problem, by its form and otherwise? */
bool perp_field_applies(const perp_field *field, const perp_problem *p);
/* The first field of that role; NULL: the kind has none such. */
const perp_field *perp_field_find(perp_kind kind, perp_field_role role);

static inline const perp_matrix *perp_field_matrix(const perp_field *field, const perp_problem *p)
{
    return (const perp_matrix *)(const void *)((const char *)p + field->offset);
}

/* A vector of numbers, of indices or of flags; NULL: it is not given. */
static inline const double *perp_field_reals(const perp_field *field, const perp_problem *p)
{
    return *(const double *const *)(const void *)((const char *)p + field->offset);
}

static inline const int *perp_field_ints(const perp_field *field, const perp_problem *p)
{
    return *(const int *const *)(const void *)((const char *)p + field->offset);
}

static inline const bool *perp_field_flags(const perp_field *field, const perp_problem *p)
{
    return *(const bool *const *)(const void *)((const char *)p + field->offset);
}

/* The matrices of p in the order of their fields; those that are absent get their sizes. Returns
 * how many. */
int perp_kind_matrices(perp_problem *p, perp_matrix *list[PERP_MATRICES_MOST],
                       const perp_field *field[PERP_MATRICES_MOST]);

/* The map of a kind that has one, an ncp or mcp; NULL: it has none. */
const perp_map *perp_kind_map(const perp_problem *p);

#endif
