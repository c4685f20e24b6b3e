/* io/fclib_write.c: frictional contact problems to FCLIB's HDF5 layout.
 *
 * Local W is written by rows and global M, H, G as triplets, with sorted columns, as the files of
 * FCLIB's collection are; title, description and math_info are always there. Of dense and block
 * matrices all entries are written, zeros too, and math_info tells what they were: they come back
 * as such. The file is made in memory and given to the sink whole. The same problem gives the same
 * bytes. */
#include "cone_rows.h"
#include "fclib.h"

#include <stdio.h>
#include <string.h>

typedef struct writer {
    perp_hdf5 h;
    perp_arena *arena;
    bool failed; /* sticky: write everything, then look once */
} writer;

static void put(writer *w, const char *group, const char *name, perp_hdf5_type type, size_t length,
                const void *data)
{
    char path[FCLIB_PATH];
    snprintf(path, sizeof path, "%s/%s", group, name);
    if (!w->failed) w->failed = !perp_hdf5_write(&w->h, path, type, length, data);
}

static void put_group(writer *w, const char *group, const char *name)
{
    put(w, group, name, PERP_HDF5_GROUP, 0, NULL);
}

static void put_int(writer *w, const char *group, const char *name, int value)
{
    put(w, group, name, PERP_HDF5_INTS, 1, &value);
}

/* x may be NULL: zeros. */
static void put_vector(writer *w, const char *group, const char *name, int n, const double *x)
{
    if (!x) x = perp_alloc(w->arena, (size_t)n + 1, sizeof *x);
    w->failed = w->failed || !x;
    put(w, group, name, PERP_HDF5_REALS, (size_t)n, x);
}

static void put_text(writer *w, const char *group, const char *name, const char *text)
{
    if (!text) text = "";
    put(w, group, name, PERP_HDF5_TEXT, strlen(text) + 1, text);
}

static void put_entries(writer *w, const char *group, const perp_matrix *A, int nz, size_t pointers,
                        const int *p, const int *i, const double *x)
{
    int count = A->as.csc.p[A->n];
    put_int(w, group, "nzmax", count);
    put_int(w, group, "m", A->m);
    put_int(w, group, "n", A->n);
    put_int(w, group, "nz", nz);
    put(w, group, "p", PERP_HDF5_INTS, pointers, p);
    put(w, group, "i", PERP_HDF5_INTS, (size_t)count, i);
    put(w, group, "x", PERP_HDF5_REALS, (size_t)count, x);
}

static void put_triplets(writer *w, const char *group, const perp_matrix *A)
{
    const struct perp_csc_view *v = &A->as.csc;
    size_t count = (size_t)v->p[A->n];
    int *column = perp_alloc_unset(w->arena, count + 1, sizeof *column);
    if (!column) return;
    for (int j = 0; j < A->n; j++) {
        for (int k = v->p[j]; k < v->p[j + 1]; k++) column[k] = j;
    }
    put_entries(w, group, A, v->p[A->n], count, column, v->i, v->x);
}

static void put_rows(writer *w, const char *group, const perp_matrix *A)
{
    const struct perp_csc_view *v = &A->as.csc;
    size_t count = (size_t)v->p[A->n];
    int *p = perp_alloc(w->arena, (size_t)A->m + 2, sizeof *p);
    int *column = perp_alloc_unset(w->arena, count + 1, sizeof *column);
    double *x = perp_alloc_unset(w->arena, count + 1, sizeof *x);
    if (w->arena->failed) return;
    /* p[i + 2] counts row i; then p[i + 1] is where its next entry goes */
    for (size_t k = 0; k < count; k++) p[v->i[k] + 2]++;
    for (int i = 0; i < A->m; i++) p[i + 2] += p[i + 1];
    for (int j = 0; j < A->n; j++) {
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            int to = p[v->i[k] + 1]++;
            column[to] = j;
            x[to] = v->x[k];
        }
    }
    put_entries(w, group, A, -2, (size_t)A->m + 1, p, column, x);
}

/* "M: dense; H: 3 x 3 blocks" */
static void tell_storage(char info[FCLIB_INFO], const char *name, const perp_matrix *A)
{
    size_t used = strlen(info);
    if (A->format != PERP_FORMAT_DENSE && A->format != PERP_FORMAT_BSR3) return;
    snprintf(info + used, FCLIB_INFO - used, "%s%s%s", used ? "; " : "", name,
             A->format == PERP_FORMAT_DENSE ? FCLIB_DENSE : FCLIB_BLOCKS);
}

static void put_part(writer *w, const char *at, const char *name, const perp_matrix *A)
{
    char path[FCLIB_PATH];
    snprintf(path, sizeof path, "%s/%s", at, name);
    put_group(w, at, name);
    put_triplets(w, path, A);
}

/* A problem of either kind; rows: of a contact. */
typedef struct contents {
    int rows, contacts;
    bool local, rolling;
    perp_matrix W, M, H, G;
    const double *q, *f, *w, *b, *mu, *mu_r;
} contents;

static void put_problem(writer *w, const perp_file *file, const contents *f, const char *storage)
{
    const char *at = f->local     ? "/fclib_local"
                     : f->rolling ? "/fclib_global_rolling"
                                  : "/fclib_global";
    const char *rest = at + 1;
    char vectors[FCLIB_PATH / 2], info[FCLIB_PATH / 2];
    snprintf(vectors, sizeof vectors, "%s/vectors", at);
    snprintf(info, sizeof info, "%s/info", at);
    put_group(w, "", rest);
    put_int(w, at, "spacedim", f->rows);
    put_group(w, at, "vectors");
    put_vector(w, vectors, "mu", f->contacts, f->mu);
    if (f->rolling) put_vector(w, vectors, "mu_r", f->contacts, f->mu_r);
    put_group(w, at, "info");
    put_text(w, info, "title", file->title);
    put_text(w, info, "description", file->description);
    put_text(w, info, "math_info", storage);
    if (f->local) {
        put_group(w, at, "W");
        put_rows(w, "/fclib_local/W", &f->W);
        put_vector(w, vectors, "q", f->W.m, f->q);
        return;
    }
    put_part(w, at, "M", &f->M);
    put_part(w, at, "H", &f->H);
    put_vector(w, vectors, "f", f->M.m, f->f);
    put_vector(w, vectors, "w", f->H.n, f->w);
    if (f->G.n == 0) return;
    put_part(w, at, "G", &f->G);
    put_vector(w, vectors, "b", f->G.n, f->b);
}

/* r, u, v, l of z = (r, v, l), with u from the problem. */
static void put_point(writer *w, const char *group, const contents *f, const double *z)
{
    int size = f->rows * f->contacts;
    double *u = perp_alloc(w->arena, (size_t)size + 1, sizeof *u);
    if (!u) return;
    const double *constant = f->local ? f->q : f->w, *v = z + size;
    if (constant && size) memcpy(u, constant, (size_t)size * sizeof *u);
    if (f->local) {
        perp_mul(&f->W, 1, z, 1, u);
    } else {
        perp_mul_t(&f->H, 1, v, 1, u);
        put_vector(w, group, "v", f->M.n, v);
        if (f->G.n) put_vector(w, group, "l", f->G.n, v + f->M.n);
    }
    put_vector(w, group, "r", size, z);
    put_vector(w, group, "u", size, u);
}

static void put_points(writer *w, const perp_file *file, const contents *f)
{
    if (file->solution) {
        put_group(w, "", "solution");
        put_point(w, "/solution", f, file->solution);
    }
    if (file->guesses <= 0) return;
    put_group(w, "", "guesses");
    put_int(w, "/guesses", "number_of_guesses", file->guesses);
    for (int k = 0; k < file->guesses; k++) {
        char path[FCLIB_PATH / 2];
        snprintf(path, sizeof path, "/guesses/%d", k + 1);
        put_group(w, "/guesses", path + strlen("/guesses/"));
        put_point(w, path, f, file->guess[k]);
    }
}

/* The finished file, from HDF5's memory to the sink. */
static perp_status put_image(writer *w, perp_sink *s, perp_error *e)
{
    size_t length = w->failed ? 0 : perp_hdf5_image(&w->h, NULL, 0);
    char *bytes = length ? perp_alloc_unset(w->arena, length, 1) : NULL;
    if (w->arena->failed) return perp_refuse(e, PERP_E_MEMORY, "no memory for the HDF5 file");
    if (!bytes || perp_hdf5_image(&w->h, bytes, length) != length)
        return perp_refuse(e, PERP_E_FILE, "HDF5 could not write the problem");
    perp_sink_bytes(s, bytes, length);
    return PERP_SOLVED;
}

static contents read_friction(const perp_fc3d *f)
{
    return (contents){.rows = 3,
                      .contacts = f->contacts,
                      .local = f->form == PERP_FORM_LOCAL,
                      .W = f->W,
                      .M = f->M,
                      .H = f->H,
                      .G = f->G,
                      .q = f->q,
                      .f = f->f,
                      .w = f->w,
                      .b = f->b,
                      .mu = f->mu};
}

/* mu of group g of every contact, in the arena. */
static const double *read_coefficients(const perp_cone *c, int rows, int g, perp_arena *a)
{
    double *mu = perp_alloc(a, (size_t)c->n / (size_t)rows + 1, sizeof *mu);
    perp_cone_run run;
    for (int i = 0; mu && i < c->n; i += rows) {
        if (perp_cone_rows_find(c, i, &run)) mu[i / rows] = c->mu[perp_cone_rows_leader(&run, g)];
    }
    return mu;
}

/* Contacts in the plane, or rolling ones of bodies. */
static perp_status read_cones(const perp_cone *c, perp_arena *a, contents *out, perp_error *e)
{
    bool local = c->form == PERP_FORM_LOCAL, plane = perp_cone_rows_match(c, 1, 1);
    bool flat = !plane && perp_cone_rows_match(c, 2, 1);
    bool space = !plane && perp_cone_rows_match(c, 2, 2);
    if (!plane && (local || (!flat && !space))) {
        return perp_refuse(e, PERP_E_FORMAT,
                           "FCLIB holds contacts in the plane and, in body form, rolling ones; a "
                           ".perp file holds these blocks");
    }
    if (!local && c->R.format != PERP_FORMAT_ABSENT)
        return perp_refuse(e, PERP_E_FORMAT, "FCLIB has no place for the compliance R");
    int rows = plane ? 2 : flat ? 3 : 5;
    *out = (contents){.rows = rows,
                      .contacts = c->n / rows,
                      .local = local,
                      .rolling = !plane,
                      .W = c->W,
                      .M = c->M,
                      .H = c->H,
                      .G = c->G,
                      .q = c->q,
                      .f = c->f,
                      .w = c->w,
                      .b = c->b,
                      .mu = read_coefficients(c, rows, 0, a)};
    if (!plane) out->mu_r = read_coefficients(c, rows, 1, a);
    return a->failed ? perp_refuse(e, PERP_E_MEMORY, "no memory for the coefficients")
                     : PERP_SOLVED;
}

perp_status perp_fclib_write(perp_sink *s, const perp_file *file, perp_arena *a, perp_error *e)
{
    char why[PERP_HDF5_WHY];
    perp_problem p = perp_complete(&file->problem);
    contents c;
    perp_status status = PERP_SOLVED;
    if (p.kind == PERP_KIND_CONE)
        status = read_cones(&p.as.cone, a, &c, e);
    else
        c = read_friction(&p.as.fc3d);
    if (status) return status;
    perp_matrix *list[] = {&c.W, &c.M, &c.H, &c.G};
    static const char *const names[] = {"W", "M", "H", "G"};
    char storage[FCLIB_INFO] = "";
    for (int k = c.local ? 0 : 1; k < (c.local ? 1 : 4); k++) {
        tell_storage(storage, names[k], list[k]);
        status = perp_io_entries(list[k], a, list[k], e);
        if (status) return status;
    }
    writer w = {.arena = a};
    if (!perp_hdf5_create(&w.h, why)) return perp_refuse(e, PERP_E_FILE, "%s", why);
    put_problem(&w, file, &c, storage);
    put_points(&w, file, &c);
    status = put_image(&w, s, e);
    perp_hdf5_close(&w.h);
    return status;
}
