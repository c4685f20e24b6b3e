/* cli/assemble.c: a problem from files of its matrices and vectors: --M M.mtx --q q.mtx.
 *
 * The names are those of the kinds' fields, which are the keywords of the text format too; so the
 * kind is the first that has all that are given, unless it is named. */
#include "cli.h"
#include "core/internal.h"
#include "io/io.h"

#include <math.h>
#include <string.h>

typedef struct assembly {
    cli *c;
    const perp_kind_ops *ops;
    perp_problem *p;
    int size[PERP_SIZES_MOST]; /* -1: nothing has said it yet */
} assembly;

static const perp_field *find_field(const perp_kind_ops *ops, const char *name, size_t length)
{
    for (const perp_field *f = ops->fields; f->name; f++) {
        if (strlen(f->name) == length && memcmp(f->name, name, length) == 0) return f;
    }
    return NULL;
}

bool cli_is_part(const char *name, size_t length)
{
    for (int k = 0; k < PERP_KINDS; k++) {
        if (find_field(perp_kind_ops_of((perp_kind)k), name, length)) return true;
    }
    return false;
}

/* The first part that the kind does not have; NULL: it has all. */
static const char *find_foreign(const perp_kind_ops *ops, const cli_list *parts)
{
    for (int k = 0; k < parts->count; k++) {
        const char *part = parts->item[k];
        if (!find_field(ops, part, strcspn(part, "="))) return part;
    }
    return NULL;
}

/* Every part is NAME=FILE, of a name that some kind has, and there once. */
static bool check_parts(cli *c, const cli_list *parts)
{
    for (int k = 0; k < parts->count; k++) {
        const char *part = parts->item[k];
        size_t length = strcspn(part, "=");
        if (!part[length] || !part[length + 1]) {
            cli_fail(c, "--part: '%s' is not NAME=FILE", part);
            return false;
        }
        if (!cli_is_part(part, length)) {
            cli_fail(c, "no kind of problem has a part '%.*s'; see docs/text-format.md",
                     (int)length, part);
            return false;
        }
        for (int j = 0; j < k; j++) {
            if (strncmp(parts->item[j], part, length + 1) != 0) continue;
            cli_fail(c, "%.*s is given twice", (int)length, part);
            return false;
        }
    }
    return true;
}

static bool choose_kind(cli *c, const cli_list *parts, const char *name, perp_kind *kind)
{
    if (name) {
        if (!cli_kind(c, name, kind)) return false;
        const char *foreign = find_foreign(perp_kind_ops_of(*kind), parts);
        if (!foreign) return true;
        cli_fail(c, "a problem of kind %s has no part '%.*s'; see docs/text-format.md", name,
                 (int)strcspn(foreign, "="), foreign);
        return false;
    }
    for (int k = 0; k < PERP_KINDS; k++) {
        if (find_foreign(perp_kind_ops_of((perp_kind)k), parts)) continue;
        *kind = (perp_kind)k;
        return true;
    }
    cli_fail(c, "no kind of problem has all of the parts that are given; docs/text-format.md "
                "lists those of each kind");
    return false;
}

/* What a file says about a size, against what others said. */
static bool settle(assembly *a, int which, int value, const char *path, const char *name,
                   const char *what)
{
    const perp_kind_size *s = &a->ops->sizes[which];
    int factor = s->times ? s->times : 1, *size = &a->size[s->times ? s->of : which];
    if (*size < 0 && value % factor == 0) *size = value / factor;
    if (*size >= 0 && value == *size * factor) return true;
    if (value % factor)
        cli_fail(a->c, "%s: %s has %d %s, expected a multiple of %d", path, name, value, what,
                 factor);
    else
        cli_fail(a->c, "%s: %s has %d %s, expected %d", path, name, value, what, *size * factor);
    return false;
}

static bool load_matrix(assembly *a, const perp_field *f, const char *path)
{
    perp_error e = {.status = PERP_SOLVED};
    perp_matrix *A = (perp_matrix *)(void *)((char *)a->p + f->offset);
    if (perp_load_matrix(path, &a->c->arena, A, &e)) {
        cli_fail_file(a->c, path, &e);
        return false;
    }
    return settle(a, f->rows, A->m, path, f->name, "rows") &&
           settle(a, f->columns, A->n, path, f->name, "columns");
}

/* Indices and flags are numbers in the file. */
static const void *convert_vector(assembly *a, const perp_field *f, const char *path, int n,
                                  const double *x)
{
    bool mask = f->type == PERP_FIELD_MASK;
    if (!mask && f->type != PERP_FIELD_INDEX) return x;
    int *index = perp_alloc(&a->c->arena, (size_t)n + 1, sizeof *index);
    bool *flag = perp_alloc(&a->c->arena, (size_t)n + 1, sizeof *flag);
    if (!index || !flag) {
        cli_fail(a->c, "out of memory");
        return NULL;
    }
    for (int i = 0; i < n; i++) {
        if (x[i] != floor(x[i]) || x[i] < (mask ? 0 : -1) || x[i] > (mask ? 1 : n)) {
            cli_fail(a->c, "%s: %s[%d] = %g, expected %s", path, f->name, i, x[i],
                     mask ? "0 or 1" : "an index from 0, or -1 for none");
            return NULL;
        }
        index[i] = (int)x[i];
        flag[i] = x[i] != 0;
    }
    return mask ? (const void *)flag : (const void *)index;
}

static bool load_vector(assembly *a, const perp_field *f, const char *path)
{
    perp_error e = {.status = PERP_SOLVED};
    int n = 0;
    const double *x = NULL;
    bool infinities = f->type == PERP_FIELD_BOUND;
    if (perp_read_vector(path, infinities, &a->c->arena, &n, &x, NULL, &e)) {
        cli_fail_file(a->c, path, &e);
        return false;
    }
    if (!settle(a, f->rows, n, path, f->name, "numbers")) return false;
    const void *converted = convert_vector(a, f, path, n, x);
    memcpy((char *)a->p + f->offset, &converted, sizeof converted);
    return converted != NULL;
}

/* Matrices first: what they say about sizes is seldom wrong. */
static bool load_parts(assembly *a, const cli_list *parts, bool matrices)
{
    for (int k = 0; k < parts->count; k++) {
        const char *part = parts->item[k];
        size_t length = strcspn(part, "=");
        const perp_field *f = find_field(a->ops, part, length);
        if ((f->type == PERP_FIELD_MATRIX) != matrices) continue;
        if (f->form) perp_kind_set_form(a->p, f->form);
        if (!(matrices ? load_matrix : load_vector)(a, f, part + length + 1)) return false;
    }
    return true;
}

static void set_sizes(assembly *a)
{
    for (int k = 0; !perp_size_is_last(&a->ops->sizes[k]); k++) {
        const perp_kind_size *s = &a->ops->sizes[k];
        if (!s->times && s->place == PERP_SIZE_COUNT && a->size[k] >= 0)
            perp_size_set(a->p, k, a->size[k]);
    }
}

/* A part that is missing is named as an option; anything else as the library says it. */
static void refuse_problem(cli *c, perp_kind which, const perp_error *e)
{
    const char *kind = perp_kind_name(which);
    size_t length = strcspn(e->text, " ");
    bool missing = strncmp(e->text + length, " is NULL", 8) == 0 ||
                   strncmp(e->text + length, " is missing", 11) == 0;
    if (missing && find_field(perp_kind_ops_of(which), e->text, length))
        cli_fail(c, "a problem of kind %s with these parts needs --%.*s too", kind, (int)length,
                 e->text);
    else
        cli_fail(c, "%s from parts: %s", kind, e->text);
}

bool cli_assemble(cli *c, const cli_list *parts, const char *kind, perp_file *file)
{
    *file = (perp_file){.format = PERP_FILE_ANY};
    if (!check_parts(c, parts) || !choose_kind(c, parts, kind, &file->problem.kind)) return false;
    assembly a = {.c = c, .ops = perp_kind_ops_of(file->problem.kind), .p = &file->problem};
    for (int k = 0; k < PERP_SIZES_MOST; k++) a.size[k] = -1;
    if (!load_parts(&a, parts, true) || !load_parts(&a, parts, false)) return false;
    set_sizes(&a);
    const char *first = parts->item[0];
    file->problem.name = cli_base_name(c, first + strcspn(first, "=") + 1);
    perp_error e = {.status = PERP_SOLVED};
    if (!perp_validate(&file->problem, &e)) return true;
    refuse_problem(c, file->problem.kind, &e);
    return false;
}
