/* io/fclib_write.c: frictional contact problems to FCLIB's HDF5 layout.
 *
 * Local W is written by rows and global M, H, G as triplets, with sorted columns, as the files of
 * FCLIB's collection are; title, description and math_info are always there. Of dense and block
 * matrices all entries are written, zeros too, and math_info tells what they were: they come back
 * as such. The file is made in memory and given to the sink whole. The same problem gives the same
 * bytes. */
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

static void put_problem(writer *w, const perp_file *file, const perp_fc3d *f, const char *storage)
{
    bool local = f->form == PERP_FORM_LOCAL;
    const char *at = local ? "/fclib_local" : "/fclib_global", *rest = at + 1;
    char vectors[FCLIB_PATH / 2], info[FCLIB_PATH / 2];
    snprintf(vectors, sizeof vectors, "%s/vectors", at);
    snprintf(info, sizeof info, "%s/info", at);
    put_group(w, "", rest);
    put_int(w, at, "spacedim", 3);
    put_group(w, at, "vectors");
    put_vector(w, vectors, "mu", f->contacts, f->mu);
    put_group(w, at, "info");
    put_text(w, info, "title", file->title);
    put_text(w, info, "description", file->description);
    put_text(w, info, "math_info", storage);
    if (local) {
        put_group(w, at, "W");
        put_rows(w, "/fclib_local/W", &f->W);
        put_vector(w, vectors, "q", f->W.m, f->q);
        return;
    }
    put_group(w, at, "M");
    put_triplets(w, "/fclib_global/M", &f->M);
    put_group(w, at, "H");
    put_triplets(w, "/fclib_global/H", &f->H);
    put_vector(w, vectors, "f", f->M.m, f->f);
    put_vector(w, vectors, "w", f->H.n, f->w);
    if (f->G.n == 0) return;
    put_group(w, at, "G");
    put_triplets(w, "/fclib_global/G", &f->G);
    put_vector(w, vectors, "b", f->G.n, f->b);
}

/* r, u, v, l of z = (r, v, l), with u from the problem. */
static void put_point(writer *w, const char *group, const perp_fc3d *f, const double *z)
{
    int size = 3 * f->contacts;
    double *u = perp_alloc(w->arena, (size_t)size + 1, sizeof *u);
    if (!u) return;
    const double *constant = f->form == PERP_FORM_LOCAL ? f->q : f->w, *v = z + size;
    if (constant && size) memcpy(u, constant, (size_t)size * sizeof *u);
    if (f->form == PERP_FORM_LOCAL) {
        perp_mul(&f->W, 1, z, 1, u);
    } else {
        perp_mul_t(&f->H, 1, v, 1, u);
        put_vector(w, group, "v", f->M.n, v);
        if (f->G.n) put_vector(w, group, "l", f->G.n, v + f->M.n);
    }
    put_vector(w, group, "r", size, z);
    put_vector(w, group, "u", size, u);
}

static void put_points(writer *w, const perp_file *file, const perp_fc3d *f)
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

perp_status perp_fclib_write(perp_sink *s, const perp_file *file, perp_arena *a, perp_error *e)
{
    char why[PERP_HDF5_WHY];
    perp_problem p = perp_complete(&file->problem);
    perp_fc3d *f = &p.as.fc3d;
    perp_matrix *list[] = {&f->W, &f->M, &f->H, &f->G};
    static const char *const names[] = {"W", "M", "H", "G"};
    char storage[FCLIB_INFO] = "";
    for (int k = f->form == PERP_FORM_BODY; k < (f->form == PERP_FORM_BODY ? 4 : 1); k++) {
        tell_storage(storage, names[k], list[k]);
        perp_status status = perp_io_entries(list[k], a, list[k], e);
        if (status) return status;
    }
    writer w = {.arena = a};
    if (!perp_hdf5_create(&w.h, why)) return perp_refuse(e, PERP_E_FILE, "%s", why);
    put_problem(&w, file, f, storage);
    put_points(&w, file, f);
    perp_status status = put_image(&w, s, e);
    perp_hdf5_close(&w.h);
    return status;
}
