/* tests/support/io_files.h: what the tests of FCLIB, QPS and Matrix Market share besides files.h:
 * stored files where there are any, damaged ones, and problems compared whatever format a matrix
 * has. */
#ifndef PERP_IO_FILES_H
#define PERP_IO_FILES_H

#include "files.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- paths ---- */

/* A stored problem; empty where the collection is not there. */
static inline const char *stored_path(const char *name, char path[1024])
{
    const char *folder = getenv("PERP_PROBLEMS");
    snprintf(path, 1024, "%s/%s", folder ? folder : SOURCE_ROOT "/../shared/problems", name);
    if (access(path, R_OK) == 0) return path;
    printf("skipped: no %s\n", path);
    path[0] = 0;
    return path;
}

static inline const char *scratch_path(const char *name, char path[1024])
{
    snprintf(path, 1024, "%s", files_path(name));
    return path;
}

/* ---- loading ---- */

static inline perp_file load_stored(const char *path, perp_arena *a)
{
    perp_file file;
    perp_error e = {0};
    perp_status status = perp_load_file(path, NULL, a, &file, &e);
    ck_assert_msg(!status, "%s:%d: %s", path, e.line, e.text);
    ck_assert(!perp_validate(&file.problem, &e));
    return file;
}

static inline perp_status load_bytes(const void *bytes, size_t length, perp_file_format format,
                                     perp_arena *a, perp_file *file, perp_error *e)
{
    perp_load_options o = {.format = format};
    return perp_load_memory(bytes, length, "memory", &o, a, file, e);
}

/* The text is refused at that line (-1: any) with a sentence that has the words in it. */
static inline void refused(const char *text, perp_file_format format, int line, const char *words)
{
    perp_arena a = {0};
    perp_file file;
    perp_error e = {0};
    ck_assert_msg(load_bytes(text, strlen(text), format, &a, &file, &e) < 0, "read: %s", text);
    ck_assert_msg(strstr(e.text, words) != NULL, "'%s' has no '%s'", e.text, words);
    ck_assert_msg(line < 0 || e.line == line, "line %d, not %d: %s", e.line, line, e.text);
    ck_assert_uint_eq(a.used, 0);
    perp_arena_free(&a);
}

/* Whatever the bytes are: read and valid, or refused with a sentence and nothing kept. */
static inline void survive(const char *bytes, size_t length, perp_file_format format)
{
    perp_arena a = {0};
    perp_file file;
    perp_error e = {0};
    perp_load_options o = {.format = format, .max_bytes = (size_t)1 << 26};
    perp_status status = perp_load_memory(bytes, length, NULL, &o, &a, &file, &e);
    ck_assert_int_le(status, 0);
    if (status) {
        ck_assert(a.used == 0 && strlen(e.text) > 5 && e.status == status);
    } else {
        ck_assert(!perp_validate(&file.problem, &e));
    }
    perp_arena_free(&a);
}

/* Cut short at many places, and with one or several bits turned over. */
static inline void survive_damage(const char *bytes, size_t length, perp_file_format format,
                                  int cuts, int flips)
{
    generator g = generator_start(7);
    char *copy = malloc(length + 1);
    ck_assert_ptr_nonnull(copy);
    for (int k = 0; k < cuts; k++) {
        size_t end = length < (size_t)cuts ? (size_t)k % (length + 1)
                                           : (size_t)(generator_unit(&g) * (double)length);
        memcpy(copy, bytes, end);
        survive(copy, end, format);
    }
    for (int k = 0; k < flips; k++) {
        memcpy(copy, bytes, length);
        for (int f = generator_between(&g, 1, 4); f > 0; f--) {
            size_t at = (size_t)(generator_unit(&g) * (double)length);
            copy[at] = (char)(copy[at] ^ (1 << generator_below(&g, 8)));
        }
        survive(copy, length, format);
    }
    free(copy);
}

/* ---- the same problem ---- */

/* NULL is the same as n times `none`. */
static inline void same_vector(const double *x, const double *y, int n, double none)
{
    for (int k = 0; k < n; k++) {
        double s = x ? x[k] : none, t = y ? y[k] : none;
        ck_assert_msg(!memcmp(&s, &t, sizeof s), "number %d: %.17g and %.17g", k, s, t);
    }
}

static inline void same_matrix(const perp_matrix *A, const perp_matrix *B)
{
    perp_arena a = {0};
    perp_matrix list[2] = {*A, *B};
    ck_assert(A->m == B->m && A->n == B->n);
    for (int k = 0; k < 2; k++) {
        perp_matrix csc;
        ck_assert(!perp_convert(&list[k], PERP_FORMAT_CSC, &a, &csc, NULL));
        list[k] = csc;
    }
    const struct perp_csc_view *v = &list[0].as.csc, *w = &list[1].as.csc;
    for (int j = 0; j <= A->n; j++) ck_assert_int_eq(v->p[j], w->p[j]);
    for (int k = 0; k < v->p[A->n]; k++) ck_assert_int_eq(v->i[k], w->i[k]);
    same_vector(v->x, w->x, v->p[A->n], 0);
    perp_arena_free(&a);
}

static inline void same_fc3d(const perp_fc3d *f, const perp_fc3d *g)
{
    ck_assert(f->form == g->form && f->contacts == g->contacts);
    same_vector(f->mu, g->mu, f->contacts, 0);
    if (f->form == PERP_FORM_LOCAL) {
        same_matrix(&f->W, &g->W);
        same_vector(f->q, g->q, 3 * f->contacts, 0);
        return;
    }
    same_matrix(&f->M, &g->M);
    same_matrix(&f->H, &g->H);
    same_vector(f->f, g->f, f->M.n, 0);
    same_vector(f->w, g->w, 3 * f->contacts, 0);
    ck_assert_int_eq(f->G.n, g->G.n);
    if (f->G.n) same_matrix(&f->G, &g->G);
    same_vector(f->b, g->b, f->G.n, 0);
}

static inline void same_qp(const perp_qp *p, const perp_qp *q)
{
    ck_assert(p->n == q->n && p->m == q->m);
    same_vector(p->c, q->c, p->n, 0);
    same_vector(p->xlo, q->xlo, p->n, -INFINITY);
    same_vector(p->xhi, q->xhi, p->n, INFINITY);
    same_vector(p->lo, q->lo, p->m, -INFINITY);
    same_vector(p->hi, q->hi, p->m, INFINITY);
    ck_assert_int_eq(p->H.format == PERP_FORMAT_ABSENT, q->H.format == PERP_FORMAT_ABSENT);
    if (p->H.format != PERP_FORMAT_ABSENT) same_matrix(&p->H, &q->H);
    if (p->m) same_matrix(&p->A, &q->A);
}

/* Write it, read it: the same problem, constant, points and title. */
static inline void trip(const perp_file *file, const char *name)
{
    char path[1024];
    perp_arena a = {0};
    perp_error e = {0};
    perp_status status = perp_save_file(scratch_path(name, path), file, &e);
    ck_assert_msg(!status, "%s: %s", path, e.text);
    perp_file back = load_stored(path, &a);
    unlink(path);
    ck_assert_int_eq(back.problem.kind, file->problem.kind);
    if (file->problem.kind == PERP_KIND_QP) same_qp(&file->problem.as.qp, &back.problem.as.qp);
    if (file->problem.kind == PERP_KIND_FC3D)
        same_fc3d(&file->problem.as.fc3d, &back.problem.as.fc3d);
    same_vector(&file->constant, &back.constant, 1, 0);
    ck_assert(!file->title == !back.title && (!file->title || !strcmp(file->title, back.title)));
    if (file->format == PERP_FILE_FCLIB) {
        int n = perp_size(&file->problem);
        ck_assert(!file->solution == !back.solution && file->guesses == back.guesses);
        if (file->solution) same_vector(file->solution, back.solution, n, 0);
        for (int k = 0; k < file->guesses; k++) same_vector(file->guess[k], back.guess[k], n, 0);
    }
    perp_arena_free(&a);
}

#endif
