/* fc3d/body_to_local.c: a problem in body form as one in local form.
 *
 * By bodies: W_ij = A_i'A_j for contacts that share a body, O(1) a block. Otherwise three solves
 * with the factor a contact, sparse or, on a fixed arena, dense, and a dense W. */
#include "body_to_local.h"

#include "base/vector.h"
#include "core/internal.h"
#include "linalg/dense.h"

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

/* [M -G; G' 0], sorted columns. */
static perp_status assemble(perp_run *run, const perp_matrix *M, const perp_matrix *G, int **p,
                            int **i, double **x)
{
    const struct perp_csc_view *m = &M->as.csc, *g = &G->as.csc;
    int nv = M->n, nl = G->n, count = 0;
    long long most = (long long)m->p[nv] + 2LL * (nl ? g->p[nl] : 0);
    if (most > INT_MAX) return perp_fail(run, PERP_E_MEMORY, "M and G have too many entries");
    *p = PERP_ALLOC(run, int, (size_t)nv + (size_t)nl + 1);
    *i = PERP_ALLOC(run, int, most);
    *x = PERP_ALLOC(run, double, most);
    int *row = PERP_ALLOC(run, int, (size_t)nv + 1), *next = PERP_ALLOC(run, int, nv);
    int *column = PERP_ALLOC(run, int, nl ? g->p[nl] : 0);
    double *value = PERP_ALLOC(run, double, nl ? g->p[nl] : 0);
    if (run->arena->failed) return PERP_E_MEMORY;
    for (int k = 0; nl && k < g->p[nl]; k++) row[g->i[k] + 1]++; /* G by rows */
    for (int k = 0; k < nv; k++) row[k + 1] += row[k];
    for (int k = 0; k < nv; k++) next[k] = row[k];
    for (int j = 0; j < nl; j++) {
        for (int k = g->p[j]; k < g->p[j + 1]; k++) {
            int e = next[g->i[k]]++;
            column[e] = j;
            value[e] = g->x[k];
        }
    }
    for (int j = 0; j < nv; j++) {
        for (int k = m->p[j]; k < m->p[j + 1]; k++) {
            (*i)[count] = m->i[k];
            (*x)[count++] = m->x[k];
        }
        for (int k = row[j]; k < row[j + 1]; k++) {
            (*i)[count] = nv + column[k];
            (*x)[count++] = value[k];
        }
        (*p)[j + 1] = count;
    }
    for (int j = 0; j < nl; j++) {
        for (int k = g->p[j]; k < g->p[j + 1]; k++) {
            (*i)[count] = g->i[k];
            (*x)[count++] = -g->x[k];
        }
        (*p)[nv + j + 1] = count;
    }
    return PERP_SOLVED;
}

static perp_status refuse_singular(perp_run *run, int velocities, int column)
{
    if (column < velocities)
        return perp_fail(run, PERP_E_NUMBER, "M is singular at row %d", column);
    return perp_fail(run, PERP_E_NUMBER, "equality %d depends on others", column - velocities);
}

/* A fixed arena keeps no sparse factor between nested solves; a dense one is part of the object. */
static perp_status factor_dense(perp_run *run, perp_body_to_local *d, perp_opening *g, int n,
                                const int *p, const int *i, const double *x)
{
    double *dense = PERP_ALLOC(run, double, (size_t)n *(size_t)n);
    int *pivot = PERP_ALLOC(run, int, n);
    if (run->arena->failed) return PERP_E_MEMORY;
    for (int j = 0; j < n; j++) {
        for (int k = p[j]; k < p[j + 1]; k++) dense[(size_t)j * (size_t)n + (size_t)i[k]] = x[k];
    }
    run->arena->work[PERP_WORK_FACTOR]++;
    int fails = perp_lu_factor(n, dense, n > 0 ? n : 1, pivot, run->arena->watch);
    perp_opened_part(g, dense, (size_t)n * (size_t)n * sizeof *dense);
    perp_opened_part(g, pivot, (size_t)n * sizeof *pivot);
    d->dense = dense;
    d->pivot = pivot;
    return fails ? refuse_singular(run, d->velocities, fails - 1) : PERP_SOLVED;
}

/* In place; false: the answer is not finite, or there is no memory. */
static bool solve_factor(const perp_body_to_local *d, double *x)
{
    int n = d->velocities + d->equalities;
    if (!d->dense) return perp_factor_solve(d->factor, false, x, x) == 0;
    perp_lu_solve(n, d->dense, n > 0 ? n : 1, d->pivot, false, 1, x);
    return vector_is_finite((size_t)n, x);
}

/* M and G as sorted columns. */
static perp_status read_system(perp_run *run, perp_matrix *M, perp_matrix *G)
{
    const perp_fc3d *f = &run->problem->as.fc3d;
    perp_error e = {0};
    *G = (perp_matrix){.format = PERP_FORMAT_CSC, .m = f->M.n};
    perp_status status = perp_opened_convert(&f->M, PERP_FORMAT_CSC, run->arena, M, &e);
    if (!status) status = perp_sort_csc(M, run->arena, M);
    if (!status && f->G.n > 0)
        status = perp_opened_convert(&f->G, PERP_FORMAT_CSC, run->arena, G, &e);
    if (!status && f->G.n > 0) status = perp_sort_csc(G, run->arena, G);
    if (!status) return PERP_SOLVED;
    return perp_fail(run, status, "%s", e.text[0] ? e.text : "no room for M and G");
}

/* The factor of a growing arena, which keeps it. */
static perp_status factor_sparse(perp_run *run, perp_body_to_local *d, const perp_matrix *M,
                                 const perp_matrix *G)
{
    int *p = NULL, *i = NULL;
    double *x = NULL;
    perp_status status = assemble(run, M, G, &p, &i, &x);
    if (status) return status;
    d->factor = perp_factor_open(run->arena, PERP_LU, M->n + G->n, p, i);
    int fails = d->factor ? perp_factor_compute(d->factor, x) : -1;
    if (fails < 0) return PERP_E_MEMORY;
    return fails ? refuse_singular(run, M->n, fails - 1) : PERP_SOLVED;
}

/* (v, l) for the force f + H r in work[0 .. nv) and -b behind it. */
static bool solve_bodies(const perp_body_to_local *d)
{
    for (int k = 0; k < d->equalities; k++) d->work[d->velocities + k] = d->b ? -d->b[k] : 0;
    return solve_factor(d, d->work);
}

/* Column e of W, H' P H e, into `column`. */
static bool find_column(const perp_body_to_local *d, int e, double *column)
{
    const struct perp_csc_view *H = &d->H.as.csc;
    memset(d->work, 0, ((size_t)d->velocities + (size_t)d->equalities) * sizeof *d->work);
    for (int k = H->p[e]; k < H->p[e + 1]; k++) d->work[H->i[k]] += H->x[k];
    if (!solve_factor(d, d->work)) return false;
    perp_mul_t(&d->H, 1, d->work, 0, column);
    return true;
}

/* The columns of W, one part of the object; of a fixed arena the LU factors are two before it. */
static perp_status couple_factor(perp_run *run, perp_body_to_local *d, const perp_matrix *M,
                                 const perp_matrix *G, const perp_opened **out)
{
    perp_opening g;
    size_t n = 3 * (size_t)d->local.contacts;
    perp_status status = PERP_SOLVED;
    int *p = NULL, *i = NULL;
    double *x = NULL;
    if (!perp_opened_begin(run->arena, &d->key, &g)) return PERP_E_MEMORY;
    run->arena->work[PERP_WORK_REDUCTION]++;
    if (!perp_arena_keeps(run->arena)) {
        status = assemble(run, M, G, &p, &i, &x);
        if (!status) status = factor_dense(run, d, &g, M->n + G->n, p, i, x);
    }
    if (status) return status;
    double *W = perp_alloc_unset(run->arena, n * n, sizeof *W);
    if (run->arena->failed) return PERP_E_MEMORY;
    bool finite = true;
    for (size_t e = 0; e < n && finite; e++) finite = find_column(d, (int)e, W + n * e);
    if (!finite || !vector_is_finite(n * n, W)) {
        return perp_fail(run, PERP_E_NUMBER, "M is singular to working precision");
    }
    perp_opened_part(&g, W, n * n * sizeof *W);
    *out = perp_opened_end(&g);
    return PERP_SOLVED;
}

static perp_status reduce_factor(perp_run *run, perp_body_to_local *d, double *q)
{
    int n = 3 * d->local.contacts;
    perp_matrix M, G;
    const perp_opened *o = NULL;
    d->work = PERP_ALLOC(run, double, (size_t)d->velocities + (size_t)d->equalities);
    if (run->arena->failed) return PERP_E_MEMORY;
    perp_status status = read_system(run, &M, &G);
    if (!status && perp_arena_keeps(run->arena)) status = factor_sparse(run, d, &M, &G);
    if (status) return status;
    o = perp_opened_find(run->arena, &d->key);
    status = o ? PERP_SOLVED : couple_factor(run, d, &M, &G, &o);
    if (status) return status;
    if (o->parts == 3) {
        d->dense = o->part[0];
        d->pivot = o->part[1];
    }
    memcpy(d->work, d->f, (size_t)d->velocities * sizeof *d->work);
    bool finite = solve_bodies(d);
    perp_mul_t(&d->H, 1, d->work, 1, q);
    if (!finite || !vector_is_finite((size_t)n, q)) {
        return perp_fail(run, PERP_E_NUMBER, "M is singular to working precision");
    }
    d->local.W = perp_dense(n, n, o->part[o->parts - 1]);
    return PERP_SOLVED;
}

/* ---- the calls ---- */

perp_status perp_body_to_local_open(perp_run *run, perp_body_to_local *d)
{
    const perp_fc3d *f = &run->problem->as.fc3d;
    perp_error e = {0};
    size_t n = 3 * (size_t)f->contacts;
    double *q = PERP_ALLOC(run, double, n);
    *d = (perp_body_to_local){
        .local = {.contacts = f->contacts, .form = PERP_FORM_LOCAL, .mu = f->mu, .q = q},
        .velocities = f->M.n,
        .equalities = f->G.n,
        .f = f->f,
        .b = f->b};
    if (run->arena->failed) return PERP_E_MEMORY;
    if (f->w) memcpy(q, f->w, n * sizeof *q);
    perp_status status = perp_bodies_open(run, &d->bodies);
    d->key = perp_key_for(d->bodies.key, PERP_WORK_REDUCTION);
    if (!status) return reduce_bodies(run, d, q);
    if (status != PERP_E_FORMAT) return status;
    status = perp_opened_convert(&f->H, PERP_FORMAT_CSC, run->arena, &d->H, &e);
    return status ? perp_fail(run, status, "%s", e.text) : reduce_factor(run, d, q);
}

void perp_body_to_local_back(const perp_body_to_local *d, double *z)
{
    double *v = z + 3 * (size_t)d->local.contacts;
    size_t size = (size_t)d->velocities + (size_t)d->equalities;
    if (!d->bodies.L) {
        memcpy(d->work, d->f, (size_t)d->velocities * sizeof *d->work);
        perp_mul(&d->H, 1, z, 1, d->work);
        solve_bodies(d);
        memcpy(v, d->work, size * sizeof *v);
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
