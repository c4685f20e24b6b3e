/* io/fclib.c: frictional contact problems in FCLIB's HDF5 layout, local and global.
 * Acary, Bremond, Koziara, Perignon, FCLIB: a collection of discrete 3D frictional contact problems
 * (INRIA RT-0444, 2014).
 *
 * HDF5 itself is behind hdf5.h, the writer in fclib_write.c. Matrices come as triplets (nz >= 0, i
 * the row and p the column, as stored files have it), compressed columns (nz = -1) or compressed
 * rows (nz = -2); all become CSC with sorted columns, but for those that math_info calls dense or
 * made of blocks, as perp's writer does. The u of stored points is not kept: it follows from the
 * problem. */
#include "fclib.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static bool recognise(const char *bytes, size_t length)
{
    return length >= 8 && !memcmp(bytes, "\x89HDF\r\n\x1a\n", 8);
}

typedef struct reader {
    perp_hdf5 h;
    perp_lexer *x;
    const char *storage; /* math_info; may be NULL */
} reader;

static bool is_there(reader *r, const char *path)
{
    size_t length;
    return perp_hdf5_find(&r->h, path, &length) != PERP_HDF5_NOTHING;
}

/* The whole array; NULL: refused. An empty one is not NULL. */
static void *read_array(reader *r, const char *path, perp_hdf5_type type, size_t *length)
{
    static const char *const names[] = {"", "a group", "integers", "reals", "a text", ""};
    const size_t sizes[] = {0, 0, sizeof(int), sizeof(double), 1, 0};
    perp_hdf5_type found = perp_hdf5_find(&r->h, path, length);
    if (found != type) {
        perp_lexer_refuse(r->x, "%s: %s, %s expected", path,
                          found == PERP_HDF5_NOTHING ? "not there"
                          : found == PERP_HDF5_OTHER
                              ? "compressed, or of a type that perp does not read"
                              : names[found],
                          names[type]);
        return NULL;
    }
    void *out = perp_lexer_alloc(r->x, *length ? *length : 1, sizes[type], path);
    if (!out || perp_hdf5_read(&r->h, path, type, *length, out)) return out;
    perp_lexer_refuse(r->x, "%s: cannot be read", path);
    return NULL;
}

static bool read_int(reader *r, const char *group, const char *name, int min, int *value)
{
    char path[FCLIB_PATH];
    size_t length;
    snprintf(path, sizeof path, "%s/%s", group, name);
    const int *array = read_array(r, path, PERP_HDF5_INTS, &length);
    if (!array) return false;
    if (length != 1 || array[0] < min || array[0] == INT_MAX) {
        perp_lexer_refuse(r->x, "%s: one integer >= %d expected", path, min);
        return false;
    }
    *value = array[0];
    return true;
}

/* NULL: refused. */
static const double *read_vector(reader *r, const char *group, const char *name, int n)
{
    char path[FCLIB_PATH];
    size_t length;
    snprintf(path, sizeof path, "%s/%s", group, name);
    const double *array = read_array(r, path, PERP_HDF5_REALS, &length);
    if (!array || length == (size_t)n) return array;
    perp_lexer_refuse(r->x, "%s: %zu numbers, %d expected", path, length, n);
    return NULL;
}

/* Text ends with its first 0. Optional: NULL where there is none, or none that can be read. */
static const char *read_text(reader *r, const char *group, const char *name)
{
    char path[FCLIB_PATH];
    size_t length;
    snprintf(path, sizeof path, "%s/info/%s", group, name);
    if (perp_hdf5_find(&r->h, path, &length) != PERP_HDF5_TEXT) return NULL;
    char *text = perp_lexer_alloc(r->x, length + 1, 1, path);
    if (!text || !perp_hdf5_read(&r->h, path, PERP_HDF5_TEXT, length, text)) return NULL;
    text[length] = 0;
    return *text ? text : NULL;
}

typedef struct entries {
    int m, n, nz;
    size_t pointers, indices, values; /* lengths of p, i, x */
    int *p, *i;
    double *x;
} entries;

static bool refuse_entries(reader *r, const char *group, const char *what)
{
    perp_lexer_refuse(r->x, "%s: %s", group, what);
    return false;
}

/* Compressed pointers become one index for each entry; *count is what they end with. */
static bool expand(reader *r, const char *group, const entries *e, int length, int **major,
                   int *count)
{
    if (e->pointers < (size_t)length + 1 || e->p[0] != 0)
        return refuse_entries(r, group, "p has not the length, or not the 0, that it starts with");
    for (int j = 0; j < length; j++) {
        if (e->p[j + 1] < e->p[j]) return refuse_entries(r, group, "p does not ascend");
    }
    *count = e->p[length];
    if ((size_t)*count > e->indices || (size_t)*count > e->values)
        return refuse_entries(r, group, "p ends beyond i or x");
    *major = perp_lexer_alloc(r->x, (size_t)*count + 1, sizeof(int), group);
    if (!*major) return false;
    for (int j = 0; j < length; j++) {
        for (int k = e->p[j]; k < e->p[j + 1]; k++) (*major)[k] = j;
    }
    return true;
}

static bool compress(reader *r, const char *group, const entries *e, perp_matrix *out)
{
    int count = e->nz, *row = e->i, *column = e->p;
    if (e->nz == -1 && !expand(r, group, e, e->n, &column, &count)) return false;
    if (e->nz == -2) {
        column = e->i;
        if (!expand(r, group, e, e->m, &row, &count)) return false;
    }
    size_t length = (size_t)count;
    if (e->nz >= 0 && (length > e->pointers || length > e->indices || length > e->values))
        return refuse_entries(r, group, "p, i or x is shorter than nz");
    for (int k = 0; k < count; k++) {
        if (row[k] < 0 || row[k] >= e->m || column[k] < 0 || column[k] >= e->n) {
            perp_lexer_refuse(r->x, "%s: entry %d is at (%d, %d) of a %d x %d matrix", group, k,
                              row[k], column[k], e->m, e->n);
            return false;
        }
    }
    return perp_lexer_compress(r->x, e->m, e->n, count, row, column, e->x, out);
}

/* Does math_info say so of the matrix whose group this is? */
static bool was(const reader *r, const char *group, const char *how)
{
    char words[32];
    snprintf(words, sizeof words, "%.4s%s", strrchr(group, '/') + 1, how);
    return r->storage && strstr(r->storage, words);
}

/* As it was stored before, where its entries allow it. */
static bool restore(reader *r, const char *group, perp_matrix *A)
{
    size_t count = (size_t)A->as.csc.p[A->n];
    if (was(r, group, FCLIB_DENSE) && count == (size_t)A->m * (size_t)A->n) {
        *A = perp_dense(A->m, A->n, A->as.csc.x); /* sorted columns, and all of each */
        return true;
    }
    if (!was(r, group, FCLIB_BLOCKS) || A->m % 3 || A->n % 3) return true;
    return !perp_convert(A, PERP_FORMAT_BSR3, r->x->arena, A, r->x->error);
}

static bool read_matrix(reader *r, const char *group, perp_matrix *out)
{
    entries e;
    char path[FCLIB_PATH];
    if (!read_int(r, group, "m", 0, &e.m) || !read_int(r, group, "n", 0, &e.n) ||
        !read_int(r, group, "nz", -2, &e.nz))
        return false;
    snprintf(path, sizeof path, "%s/p", group);
    if (!(e.p = read_array(r, path, PERP_HDF5_INTS, &e.pointers))) return false;
    snprintf(path, sizeof path, "%s/i", group);
    if (!(e.i = read_array(r, path, PERP_HDF5_INTS, &e.indices))) return false;
    snprintf(path, sizeof path, "%s/x", group);
    if (!(e.x = read_array(r, path, PERP_HDF5_REALS, &e.values))) return false;
    return compress(r, group, &e, out) && restore(r, group, out);
}

static bool check_dimension(reader *r, const char *group)
{
    int d;
    if (!read_int(r, group, "spacedim", 1, &d)) return false;
    if (d == 3) return true;
    perp_lexer_refuse(r->x,
                      "frictional contact in another dimension (spacedim = %d); perp reads 3D", d);
    return false;
}

static bool check_contacts(reader *r, const char *matrix, int size, int *contacts)
{
    *contacts = size / 3;
    if (size % 3 == 0) return true;
    perp_lexer_refuse(r->x, "%s: size %d is no multiple of 3", matrix, size);
    return false;
}

static bool read_local(reader *r, perp_fc3d *f)
{
    static const char at[] = "/fclib_local", vectors[] = "/fclib_local/vectors";
    if (!check_dimension(r, at)) return false;
    if (is_there(r, "/fclib_local/V") || is_there(r, "/fclib_local/R")) {
        perp_lexer_refuse(r->x, "a local problem with equalities (V and R), which perp does not "
                                "read; its global form (M, H, G) can be read");
        return false;
    }
    f->form = PERP_FORM_LOCAL;
    if (!read_matrix(r, "/fclib_local/W", &f->W)) return false;
    if (f->W.m != f->W.n) return refuse_entries(r, "/fclib_local/W", "not square");
    return check_contacts(r, "/fclib_local/W", f->W.m, &f->contacts) &&
           (f->q = read_vector(r, vectors, "q", f->W.m)) &&
           (f->mu = read_vector(r, vectors, "mu", f->contacts));
}

static bool read_global(reader *r, perp_fc3d *f)
{
    static const char at[] = "/fclib_global", vectors[] = "/fclib_global/vectors";
    f->form = PERP_FORM_BODY;
    if (!check_dimension(r, at) || !read_matrix(r, "/fclib_global/M", &f->M) ||
        !read_matrix(r, "/fclib_global/H", &f->H))
        return false;
    if (f->M.m != f->M.n) return refuse_entries(r, "/fclib_global/M", "not square");
    if (f->H.m != f->M.m) return refuse_entries(r, "/fclib_global/H", "M has another height");
    if (!check_contacts(r, "/fclib_global/H", f->H.n, &f->contacts) ||
        !(f->f = read_vector(r, vectors, "f", f->M.m)) ||
        !(f->w = read_vector(r, vectors, "w", f->H.n)) ||
        !(f->mu = read_vector(r, vectors, "mu", f->contacts)))
        return false;
    if (!is_there(r, "/fclib_global/G")) return true;
    if (!read_matrix(r, "/fclib_global/G", &f->G)) return false;
    if (f->G.m != f->M.m) return refuse_entries(r, "/fclib_global/G", "M has another height");
    return (f->b = read_vector(r, vectors, "b", f->G.n)) != NULL;
}

/* z = (r, v, l) of a solution or guess; NULL where a part is not there. False: refused. */
static bool read_point(reader *r, const char *group, const perp_fc3d *f, const double **z)
{
    static const char *const names[] = {"r", "v", "l"};
    const int sizes[] = {3 * f->contacts, f->form == PERP_FORM_BODY ? f->M.n : 0, f->G.n};
    char path[FCLIB_PATH];
    *z = NULL;
    if (!is_there(r, group)) return true;
    for (int k = 0; k < 3; k++) {
        snprintf(path, sizeof path, "%s/%s", group, names[k]);
        if (sizes[k] && !is_there(r, path)) return true;
    }
    size_t size = (size_t)sizes[0] + (size_t)sizes[1] + (size_t)sizes[2];
    double *all = perp_lexer_alloc(r->x, size + 1, sizeof *all, group), *to = all;
    if (!all) return false;
    for (int k = 0; k < 3; k++) {
        if (!sizes[k]) continue;
        const double *part = read_vector(r, group, names[k], sizes[k]);
        if (!part) return false;
        memcpy(to, part, (size_t)sizes[k] * sizeof *to);
        to += sizes[k];
    }
    *z = all;
    return true;
}

static bool read_guesses(reader *r, const perp_fc3d *f, perp_file *file)
{
    int count;
    if (!is_there(r, "/guesses/number_of_guesses")) return true;
    if (!read_int(r, "/guesses", "number_of_guesses", 0, &count)) return false;
    /* a group takes more bytes than that */
    if ((size_t)count > (size_t)(r->x->end - r->x->at) / 32) {
        perp_lexer_refuse(r->x, "/guesses/number_of_guesses: %d do not fit the file", count);
        return false;
    }
    const double **guess = perp_lexer_alloc(r->x, (size_t)count + 1, sizeof *guess, "guesses");
    if (!guess) return false;
    for (int k = 1; k <= count; k++) {
        char group[FCLIB_PATH / 2];
        snprintf(group, sizeof group, "/guesses/%d", k);
        if (!read_point(r, group, f, &guess[file->guesses])) return false;
        file->guesses += guess[file->guesses] != NULL;
    }
    file->guess = guess;
    return true;
}

static perp_status read_problem(reader *r, perp_file *file)
{
    perp_fc3d *f = &file->problem.as.fc3d;
    file->problem.kind = PERP_KIND_FC3D;
    bool local = is_there(r, "/fclib_local"), global = is_there(r, "/fclib_global");
    if (!local && !global) {
        if (is_there(r, "/fclib_global_rolling"))
            return perp_lexer_refuse(r->x, "frictional contact with rolling resistance "
                                           "(/fclib_global_rolling), which perp does not solve");
        return perp_lexer_refuse(r->x, "an HDF5 file without /fclib_local or /fclib_global: not "
                                       "one of FCLIB's");
    }
    const char *at = local ? "/fclib_local" : "/fclib_global";
    r->storage = read_text(r, at, "math_info");
    if (!(local ? read_local(r, f) : read_global(r, f))) return r->x->error->status;
    file->title = read_text(r, at, "title");
    file->description = read_text(r, at, "description");
    if (!read_point(r, "/solution", f, &file->solution) || !read_guesses(r, f, file))
        return r->x->error->status;
    return r->x->arena->failed ? PERP_E_MEMORY : PERP_SOLVED;
}

static perp_status read_file(perp_lexer *x, const perp_load_options *o, perp_file *file)
{
    (void)o;
    char why[PERP_HDF5_WHY];
    reader r = {.x = x};
    x->line = 0;
    if (!perp_hdf5_open(&r.h, x->at, (size_t)(x->end - x->at), why))
        return perp_lexer_refuse(x, "%s", why);
    perp_status status = read_problem(&r, file);
    if (r.h.fallen) status = perp_lexer_refuse(x, "HDF5 falls on it: damaged");
    perp_hdf5_close(&r.h);
    return status;
}

const perp_format_ops perp_io_fclib = {
    .format = PERP_FILE_FCLIB,
    .name = "fclib",
    .endings = "hdf5|h5",
    .kinds = 1u << PERP_KIND_FC3D,
    .recognise = recognise,
    .read = read_file,
    .write = perp_fclib_write,
};
