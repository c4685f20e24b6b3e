/* fc3d/body_to_local.c: a problem in body form as one in local form.
 *
 * By bodies: W_ij = A_i'A_j for contacts that share a body, O(1) a block. Otherwise three solves
 * with the factor a contact, and a dense W (core/reduction.h). */
#include "body_to_local.h"

#include "base/vector.h"
#include "core/internal.h"

#include <limits.h>

/* ---- by bodies ---- */

/* Contacts of each body: list[start[b] .. start[b + 1] - 1], ascending. */
static void list_contacts(const perp_bodies *b, int contacts, int *start, int *list)
{
    for (int c = 0; c < contacts; c++) {
        start[b->touch[2 * c] + 1]++;
        if (b->touch[2 * c] != b->touch[2 * c + 1]) start[b->touch[2 * c + 1] + 1]++;
    }
    for (int k = 0; k < b->bodies; k++) start[k + 1] += start[k];
    for (int c = 0; c < contacts; c++) {
        list[start[b->touch[2 * c]]++] = c;
        if (b->touch[2 * c] != b->touch[2 * c + 1]) list[start[b->touch[2 * c + 1]]++] = c;
    }
    for (int k = b->bodies; k > 0; k--) start[k] = start[k - 1];
    start[0] = 0;
}

/* Neighbours of contact c, each once, marked by c + 1; NULL list: only counted. */
static int neighbours(const perp_bodies *b, const int *start, const int *list, int c, int *mark,
                      int *out)
{
    int count = 0;
    for (int side = 0; side < 2; side++) {
        int body = b->touch[2 * c + side];
        for (int k = start[body]; k < start[body + 1]; k++) {
            if (mark[list[k]] == c + 1) continue;
            mark[list[k]] = c + 1;
            if (out) out[count] = list[k];
            count++;
        }
    }
    return count;
}

/* x += A_i' A_j over the bodies they share. */
static void add_block(const perp_bodies *b, int i, int j, double x[9])
{
    const double *A = b->A;
    for (int s = 0; s < 4; s++) {
        int one = s / 2, two = s % 2;
        if (b->touch[2 * i + one] != b->touch[2 * j + two]) continue;
        perp_bodies_couple(A + 36 * (size_t)i + 6 * one, A + 36 * (size_t)j + 6 * two, x);
    }
}

/* W by block rows: parts p, j, x of the object. */
static perp_status fill_rows(perp_run *run, const perp_body_to_local *d, perp_opening *g,
                             const int *start, const int *list, int *mark)
{
    int n = d->local.contacts, *p = PERP_ALLOC(run, int, (size_t)n + 1);
    if (run->arena->failed) return PERP_E_MEMORY;
    long long blocks = 0;
    for (int c = 0; c < n; c++) {
        blocks += neighbours(&d->bodies, start, list, c, mark, NULL);
        if (blocks > INT_MAX) return perp_fail(run, PERP_E_MEMORY, "W has too many blocks");
        p[c + 1] = (int)blocks;
    }
    int *j = PERP_ALLOC(run, int, blocks);
    double *x = PERP_ALLOC(run, double, 9 * (size_t)blocks);
    if (run->arena->failed) return PERP_E_MEMORY;
    for (int c = 0; c < n; c++) mark[c] = 0;
    for (int c = 0; c < n; c++) {
        neighbours(&d->bodies, start, list, c, mark, j + p[c]);
        for (int k = p[c]; k < p[c + 1]; k++) add_block(&d->bodies, c, j[k], x + 9 * (size_t)k);
    }
    perp_opened_part(g, p, ((size_t)n + 1) * sizeof *p);
    perp_opened_part(g, j, (size_t)blocks * sizeof *j);
    perp_opened_part(g, x, 9 * (size_t)blocks * sizeof *x);
    return PERP_SOLVED;
}

static perp_status couple_bodies(perp_run *run, const perp_body_to_local *d,
                                 const perp_opened **out)
{
    perp_opening g;
    const perp_bodies *b = &d->bodies;
    size_t n = (size_t)d->local.contacts;
    if (!perp_opened_begin(run->arena, &d->key, &g)) return PERP_E_MEMORY;
    run->arena->work[PERP_WORK_REDUCTION]++;
    int *start = PERP_ALLOC(run, int, (size_t)b->bodies + 1), *list = PERP_ALLOC(run, int, 2 * n);
    int *mark = PERP_ALLOC(run, int, n);
    if (run->arena->failed) return PERP_E_MEMORY;
    list_contacts(b, (int)n, start, list);
    perp_status status = fill_rows(run, d, &g, start, list, mark);
    if (!status) *out = perp_opened_end(&g);
    return status;
}

static perp_status reduce_bodies(perp_run *run, perp_body_to_local *d, double *q)
{
    const perp_bodies *b = &d->bodies;
    const perp_opened *o = perp_opened_find(run->arena, &d->key);
    size_t n = (size_t)d->local.contacts;
    perp_status status = o ? PERP_SOLVED : couple_bodies(run, d, &o);
    if (status) return status;
    d->work = PERP_ALLOC(run, double, PERP_BODY_STRIDE *(size_t)b->bodies);
    if (run->arena->failed) return PERP_E_MEMORY;
    for (size_t c = 0; c < n; c++) {
        const double *A = b->A + 36 * c;
        for (size_t k = 0; k < 6; k++) {
            const double *part = A + 12 * (k / 2) + 6 * (k % 2);
            const double *y = b->free + PERP_BODY_STRIDE * (size_t)b->touch[2 * c + k % 2];
            for (int i = 0; i < 6; i++) q[3 * c + k / 2] += part[i] * y[i];
        }
    }
    d->local.W = perp_bsr3((int)n, (int)n, o->part[0], o->part[1], o->part[2]);
    return PERP_SOLVED;
}

/* ---- by a factor ---- */

static perp_status reduce_factor(perp_run *run, perp_body_to_local *d, double *q)
{
    const perp_fc3d *f = &run->problem->as.fc3d;
    perp_error e = {0};
    d->body = *f; /* whose matrices the elimination keeps */
    const perp_body_form body = {.rows = 3 * f->contacts,
                                 .M = &d->body.M,
                                 .H = &d->body.H,
                                 .G = &d->body.G,
                                 .R = &d->rigid,
                                 .f = f->f,
                                 .w = f->w,
                                 .b = f->b};
    perp_status status =
        perp_reduction_open(&body, d->key, false, run->arena, q, &d->reduction, &e);
    if (status) return perp_fail(run, status, "%s", e.text);
    d->local.W = d->reduction.W;
    return PERP_SOLVED;
}

/* ---- the calls ---- */

perp_status perp_body_to_local_open(perp_run *run, perp_body_to_local *d)
{
    const perp_fc3d *f = &run->problem->as.fc3d;
    size_t n = 3 * (size_t)f->contacts;
    double *q = PERP_ALLOC(run, double, n);
    *d = (perp_body_to_local){
        .local = {.contacts = f->contacts, .form = PERP_FORM_LOCAL, .mu = f->mu, .q = q}};
    if (run->arena->failed) return PERP_E_MEMORY;
    if (f->w) memcpy(q, f->w, n * sizeof *q);
    perp_status status = perp_bodies_open(run, &d->bodies);
    d->key = perp_key_for(d->bodies.key, PERP_WORK_REDUCTION);
    if (!status) return reduce_bodies(run, d, q);
    return status == PERP_E_FORMAT ? reduce_factor(run, d, q) : status;
}

void perp_body_to_local_back(const perp_body_to_local *d, double *z)
{
    double *v = z + 3 * (size_t)d->local.contacts;
    if (!d->bodies.L) {
        perp_reduction_back(&d->reduction, z, v);
        return;
    }
    const perp_bodies *b = &d->bodies;
    memcpy(d->work, b->free, PERP_BODY_STRIDE * (size_t)b->bodies * sizeof *d->work);
    for (int c = 0; c < d->local.contacts; c++) {
        const double *A = b->A + 36 * (size_t)c, *r = z + 3 * (size_t)c;
        for (int side = 0; side < 2; side++) {
            const double *P = A + 6 * side;
            double *y = d->work + PERP_BODY_STRIDE * (size_t)b->touch[2 * c + side];
            for (int i = 0; i < 6; i++) y[i] += P[i] * r[0] + P[12 + i] * r[1] + P[24 + i] * r[2];
        }
    }
    perp_bodies_velocities(b, d->work, v);
}
