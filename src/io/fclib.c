/* io/fclib.c: frictional contact problems in FCLIB's HDF5 layout, local, global and rolling.
 * Acary, Bremond, Koziara, Perignon, FCLIB: a collection of discrete 3D frictional contact problems
 * (INRIA RT-0444, 2014).
 *
 * HDF5 itself is behind hdf5.h, the writer in fclib_write.c. Matrices come as triplets (nz >= 0, i
 * the row and p the column, as stored files have it), compressed columns (nz = -1) or compressed
 * rows (nz = -2); all become CSC with sorted columns, but for those that math_info calls dense or
 * made of blocks, as perp's writer does. The u of stored points is not kept: it follows from the
 * problem. */
#include "fclib.h"
#include "cone_rows.h"

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

/* ---- the problem ---- */

/* What a root group holds. */
typedef struct contents {
    const char *at; /* "/fclib_local" */
    bool local, rolling;
    int d, contacts;        /* d: rows of a contact */
    perp_matrix W, M, H, G; /* W of a local one */
    const double *q, *f, *w, *b, *mu, *mu_r;
} contents;

static bool check_dimension(reader *r, contents *c)
{
    if (!read_int(r, c->at, "spacedim", 1, &c->d)) return false;
    if (c->rolling ? c->d == 3 || c->d == 5 : c->d == 2 || c->d == 3) return true;
    perp_lexer_refuse(r->x, "%s/spacedim is %d, expected %s", c->at, c->d,
                      c->rolling ? "3 or 5, rows of a rolling contact" : "2 or 3");
    return false;
}

static bool check_contacts(reader *r, const char *matrix, int size, contents *c)
{
    c->contacts = size / c->d;
    if (size % c->d == 0) return true;
    perp_lexer_refuse(r->x, "%s: size %d is no multiple of %d", matrix, size, c->d);
    return false;
}

static bool read_local(reader *r, contents *c)
{
    static const char vectors[] = "/fclib_local/vectors";
    if (!check_dimension(r, c)) return false;
    if (is_there(r, "/fclib_local/V") || is_there(r, "/fclib_local/R")) {
        perp_lexer_refuse(r->x, "a local problem with equalities (V and R), which perp does not "
                                "read; its global form (M, H, G) can be read");
        return false;
    }
    if (!read_matrix(r, "/fclib_local/W", &c->W)) return false;
    if (c->W.m != c->W.n) return refuse_entries(r, "/fclib_local/W", "not square");
    return check_contacts(r, "/fclib_local/W", c->W.m, c) &&
           (c->q = read_vector(r, vectors, "q", c->W.m)) &&
           (c->mu = read_vector(r, vectors, "mu", c->contacts));
}

/* One of the matrices M, H, G by its name; `height` < 0: any. */
static bool read_part(reader *r, const contents *c, const char *name, int height, perp_matrix *A)
{
    char path[FCLIB_PATH];
    snprintf(path, sizeof path, "%s/%s", c->at, name);
    if (!read_matrix(r, path, A)) return false;
    return height < 0 || A->m == height || refuse_entries(r, path, "M has another height");
}

static bool read_global(reader *r, contents *c)
{
    char path[FCLIB_PATH], vectors[FCLIB_PATH / 2];
    snprintf(vectors, sizeof vectors, "%s/vectors", c->at);
    if (!check_dimension(r, c) || !read_part(r, c, "M", -1, &c->M) ||
        !read_part(r, c, "H", c->M.m, &c->H))
        return false;
    snprintf(path, sizeof path, "%s/M", c->at);
    if (c->M.m != c->M.n) return refuse_entries(r, path, "not square");
    snprintf(path, sizeof path, "%s/H", c->at);
    if (!check_contacts(r, path, c->H.n, c) || !(c->f = read_vector(r, vectors, "f", c->M.m)) ||
        !(c->w = read_vector(r, vectors, "w", c->H.n)) ||
        !(c->mu = read_vector(r, vectors, "mu", c->contacts)))
        return false;
    if (c->rolling && !(c->mu_r = read_vector(r, vectors, "mu_r", c->contacts))) return false;
    snprintf(path, sizeof path, "%s/G", c->at);
    if (!is_there(r, path)) return true;
    return read_part(r, c, "G", c->M.m, &c->G) &&
           (c->b = read_vector(r, vectors, "b", c->G.n)) != NULL;
}

static perp_problem make_friction(const contents *c)
{
    const perp_fc3d f = {.contacts = c->contacts,
                         .form = c->local ? PERP_FORM_LOCAL : PERP_FORM_BODY,
                         .mu = c->mu,
                         .W = c->W,
                         .q = c->q,
                         .M = c->M,
                         .H = c->H,
                         .G = c->G,
                         .f = c->f,
                         .w = c->w,
                         .b = c->b};
    return (perp_problem){.kind = PERP_KIND_FC3D, .as.fc3d = f};
}

/* Contacts in the plane, and rolling ones: a group of the other rows, or two. */
static bool make_cones(reader *r, const contents *c, perp_problem *p)
{
    perp_cone_rows rows;
    perp_cone_shape shape = {.groups = c->rolling ? 2 : 1, .width = c->d == 5 ? 2 : 1};
    if (!perp_cone_rows_open(r->x, c->d * c->contacts, true, &rows)) return false;
    for (int k = 0; k < c->contacts; k++) {
        shape.mu[0] = c->mu[k];
        if (c->rolling) shape.mu[1] = c->mu_r[k];
        perp_cone_rows_add(&rows, c->d * k, &shape);
    }
    *p = perp_cone_rows_end(&rows);
    perp_cone *cone = &p->as.cone;
    cone->form = c->local ? PERP_FORM_LOCAL : PERP_FORM_BODY;
    cone->W = c->W;
    cone->q = c->q;
    cone->M = c->M;
    cone->H = c->H;
    cone->G = c->G;
    cone->f = c->f;
    cone->w = c->w;
    cone->b = c->b;
    return true;
}

/* z = (r, v, l) of a solution or guess; NULL where a part is not there. False: refused. */
static bool read_point(reader *r, const char *group, const contents *c, const double **z)
{
    static const char *const names[] = {"r", "v", "l"};
    const int sizes[] = {c->d * c->contacts, c->local ? 0 : c->M.n, c->G.n};
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

static bool read_guesses(reader *r, const contents *c, perp_file *file)
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
        if (!read_point(r, group, c, &guess[file->guesses])) return false;
        file->guesses += guess[file->guesses] != NULL;
    }
    file->guess = guess;
    return true;
}

static perp_status read_problem(reader *r, perp_file *file)
{
    static const char *const groups[] = {"/fclib_local", "/fclib_global", "/fclib_global_rolling"};
    contents c = {.at = NULL};
    int k = 0;
    while (k < 3 && !is_there(r, groups[k])) k++;
    if (k == 3) {
        return perp_lexer_refuse(r->x, "an HDF5 file without /fclib_local, /fclib_global or "
                                       "/fclib_global_rolling: not one of FCLIB's");
    }
    c.at = groups[k];
    c.local = k == 0;
    c.rolling = k == 2;
    r->storage = read_text(r, c.at, "math_info");
    if (!(c.local ? read_local(r, &c) : read_global(r, &c))) return r->x->error->status;
    if (c.d == 3 && !c.rolling)
        file->problem = make_friction(&c);
    else if (!make_cones(r, &c, &file->problem))
        return r->x->error->status;
    file->title = read_text(r, c.at, "title");
    file->description = read_text(r, c.at, "description");
    if (!read_point(r, "/solution", &c, &file->solution) || !read_guesses(r, &c, file))
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
    .kinds = 1u << PERP_KIND_FC3D | 1u << PERP_KIND_CONE,
    .recognise = recognise,
    .read = read_file,
    .write = perp_fclib_write,
};
