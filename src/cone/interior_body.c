/* cone/interior_body.c: the equations of interior points in body form, see interior.h. A step is
 * a factorisation of M + H B^-1 H', velocities by velocities; memory: linalg/body_space.h. */
#include "interior.h"

#include "base/convert.h"
#include "base/format.h"
#include "base/vector.h"
#include "core/body_form.h"
#include "core/opened.h"
#include "linalg/body_space.h"

#include <math.h>
#include <string.h>

#define SYMMETRIC 1e-12 /* of the larger of two entries */

typedef struct body {
    perp_run *run;
    perp_cone_set set;
    int n, nv, nl, frees;         /* rows of z, velocities, equalities, free rows */
    perp_matrix M, H, G, R;       /* compressed columns; G: the equalities, then the free rows */
    const double *f, *w, *b;      /* w and b may be NULL */
    int *free_row;                /* which rows of z are free */
    int *start, *column;          /* the other blocks, for the system */
    int *block;                   /* which they are */
    size_t *place;                /* of each block in B^-1 */
    double *packed;               /* the B^-1 of those blocks */
    double *full_R;               /* R, block after block; NULL: there is none */
    double *C;                    /* R of the free rows behind the equalities */
    double *v, *l, *dv, *rd, *rg; /* velocities, multipliers, the step, what is left */
    double *a, *work, *own;       /* scratch */
    double scale_f, scale_b;
    perp_body_space space;
} body;

/* ---- opening ---- */

static bool is_free(const perp_cone_block *k)
{
    return k->type == PERP_CONE_BOX && k->lo == -INFINITY && k->hi == INFINITY;
}

static void list_blocks(body *t)
{
    const perp_cone_set *set = &t->set;
    int blocks = 0, at = 0;
    size_t entries = 0;
    t->frees = 0;
    for (int b = 0; b < set->blocks; b++) {
        const perp_cone_block *k = &set->block[b];
        t->place[b] = entries;
        entries += (size_t)k->count * (size_t)k->count;
        if (is_free(k)) {
            t->free_row[t->frees++] = set->row[k->first];
            continue;
        }
        t->block[blocks] = b;
        t->start[blocks++] = at;
        for (int i = 0; i < k->count; i++) t->column[at++] = set->row[k->first + i];
    }
    t->start[blocks] = at;
    t->set.blocks = set->blocks;
    t->block[set->blocks] = blocks; /* how many */
}

/* G with the columns of H that belong to free rows behind it. */
static bool join_equalities(body *t, perp_arena *a)
{
    const struct perp_csc_view *H = &t->H.as.csc, *G = &t->G.as.csc;
    size_t entries = t->nl > 0 ? (size_t)G->p[t->nl] : 0;
    if (t->frees == 0) return true;
    for (int k = 0; k < t->frees; k++) {
        entries += (size_t)(H->p[t->free_row[k] + 1] - H->p[t->free_row[k]]);
    }
    int *p = perp_alloc(a, (size_t)(t->nl + t->frees) + 1, sizeof *p);
    int *i = perp_alloc_unset(a, entries, sizeof *i);
    double *x = perp_alloc_unset(a, entries, sizeof *x);
    if (a->failed) return false;
    int at = 0;
    for (int c = 0; c < t->nl + t->frees; c++) {
        const struct perp_csc_view *from = c < t->nl ? G : H;
        int column = c < t->nl ? c : t->free_row[c - t->nl];
        for (int k = from->p[column]; k < from->p[column + 1]; k++, at++) {
            i[at] = from->i[k];
            x[at] = from->x[k];
        }
        p[c + 1] = at;
    }
    t->G = perp_csc(t->nv, t->nl + t->frees, p, i, x);
    return true;
}

/* R by blocks. False: it couples rows (i, j) of two blocks. */
static bool read_compliance(body *t, const int *block_of, int *i, int *j)
{
    const struct perp_csc_view *R = &t->R.as.csc;
    for (int c = 0; c < t->n; c++) {
        for (int k = R->p[c]; k < R->p[c + 1]; k++) {
            const perp_cone_block *own = &t->set.block[block_of[c]];
            const int *row = t->set.row + own->first;
            int x = 0, y = 0;
            if (R->x[k] == 0) continue;
            *i = R->i[k];
            *j = c;
            if (block_of[R->i[k]] != block_of[c]) return false;
            while (row[x] != R->i[k]) x++;
            while (row[y] != c) y++;
            t->full_R[t->place[block_of[c]] + (size_t)(y * own->count + x)] += R->x[k];
        }
    }
    return true;
}

static perp_status open_compliance(body *t)
{
    perp_run *run = t->run;
    int *of = PERP_ALLOC(run, int, t->n), i, j;
    size_t entries = 0;
    for (int b = 0; b < t->set.blocks; b++)
        entries += (size_t)t->set.block[b].count * (size_t)t->set.block[b].count;
    t->full_R = PERP_ALLOC(run, double, entries);
    if (run->arena->failed) return PERP_E_MEMORY;
    for (int b = 0; b < t->set.blocks; b++) {
        for (int k = 0; k < t->set.block[b].count; k++)
            of[t->set.row[t->set.block[b].first + k]] = b;
    }
    if (!read_compliance(t, of, &i, &j)) {
        return perp_fail(run, PERP_E_FORMAT, "R[%d][%d] couples two blocks of z", i, j);
    }
    for (int k = 0; k < t->frees; k++) {
        t->C[t->nl + k] = t->full_R[t->place[of[t->free_row[k]]]];
    }
    return PERP_SOLVED;
}

/* Is the system symmetric: M, R, and every B? */
static bool is_symmetric(const body *t)
{
    const struct perp_csc_view *v = &t->M.as.csc;
    for (int b = 0; b < t->set.blocks; b++) {
        const perp_cone_block *k = &t->set.block[b];
        const double *R = t->full_R ? t->full_R + t->place[b] : NULL;
        for (int g = k->group; g < k->group + k->groups; g++) {
            if (t->set.group[g].s > 0) return false;
        }
        for (int e = 0; R && e < k->count * k->count; e++) {
            if (R[e] != R[e % k->count * k->count + e / k->count]) return false;
        }
    }
    for (int j = 0; j < t->nv; j++) {
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            double other = perp_csc_entry(v, j, v->i[k]), most = fmax(fabs(other), fabs(v->x[k]));
            if (!(fabs(other - v->x[k]) <= SYMMETRIC * most)) return false;
        }
    }
    return true;
}

static perp_status read_matrices(body *t, const perp_cone *c)
{
    perp_arena *a = t->run->arena;
    perp_matrix none = {0};
    t->G = t->R = none;
    bool joints = c->G.format != PERP_FORMAT_ABSENT, compliant = c->R.format != PERP_FORMAT_ABSENT;
    const perp_matrix *from[] = {&c->M, &c->H, joints ? &c->G : NULL, compliant ? &c->R : NULL};
    perp_matrix *to[] = {&t->M, &t->H, &t->G, &t->R};
    for (int k = 0; k < 4; k++) {
        perp_matrix sparse;
        perp_error e = {0};
        if (!from[k]) continue;
        perp_status status = perp_opened_convert(from[k], PERP_FORMAT_CSC, a, &sparse, &e);
        if (status) return perp_fail(t->run, status, "%s", e.text);
        if (perp_sort_csc(&sparse, a, to[k])) return PERP_E_MEMORY;
    }
    return PERP_SOLVED;
}

static bool open_vectors(body *t)
{
    perp_run *run = t->run;
    size_t n = (size_t)t->n, nv = (size_t)t->nv, nl = (size_t)t->nl;
    size_t most = (size_t)t->set.largest, blocks = (size_t)t->set.blocks, entries = 0;
    t->free_row = PERP_ALLOC(run, int, n);
    t->start = PERP_ALLOC(run, int, blocks + 1);
    t->block = PERP_ALLOC(run, int, blocks + 1);
    t->column = PERP_ALLOC(run, int, n);
    t->place = PERP_ALLOC(run, size_t, blocks);
    for (size_t b = 0; b < blocks; b++)
        entries += (size_t)t->set.block[b].count * (size_t)t->set.block[b].count;
    t->packed = PERP_ALLOC(run, double, entries);
    t->C = PERP_ALLOC(run, double, nl + n);
    t->v = PERP_ALLOC(run, double, nv);
    t->rd = PERP_ALLOC(run, double, nv);
    t->l = PERP_ALLOC(run, double, nl);
    t->rg = PERP_ALLOC(run, double, nl);
    t->dv = PERP_ALLOC(run, double, nv + nl + n);
    t->a = PERP_ALLOC(run, double, n);
    t->work = PERP_ALLOC(run, double, n);
    t->own = PERP_ALLOC(run, double, 3 * most);
    return !run->arena->failed;
}

/* ---- the equations ---- */

static void measure(void *ctx, const double *z, double *u)
{
    body *t = ctx;
    for (int i = 0; i < t->n; i++) u[i] = t->w ? t->w[i] : 0;
    for (int i = 0; i < t->nv; i++) t->rd[i] = t->f[i];
    for (int i = 0; i < t->nl; i++) t->rg[i] = t->b ? -t->b[i] : 0;
    if (t->n > 0) {
        perp_mul_t(&t->H, 1, t->v, 1, u);
        perp_mul(&t->H, 1, z, 1, t->rd);
        if (t->R.format != PERP_FORMAT_ABSENT) perp_mul(&t->R, 1, z, 1, u);
    }
    if (t->nv > 0) perp_mul(&t->M, -1, t->v, 1, t->rd);
    const struct perp_csc_view *G = &t->G.as.csc;
    for (int c = 0; c < t->nl; c++) {
        for (int k = G->p[c]; k < G->p[c + 1]; k++) {
            t->rd[G->i[k]] += G->x[k] * t->l[c];
            t->rg[c] -= G->x[k] * t->v[G->i[k]];
        }
    }
}

static bool factor(void *ctx, const double *blocks, const bool *fixed)
{
    body *t = ctx;
    double *to = t->packed;
    (void)fixed; /* B^-1 is 0 there */
    for (int k = 0; k < t->block[t->set.blocks]; k++) {
        int b = t->block[k], d = t->set.block[b].count;
        memcpy(to, blocks + t->place[b], (size_t)d * (size_t)d * sizeof *to);
        to += d * d;
    }
    return perp_body_space_factor(&t->space, t->packed) == 0;
}

/* out = B^-1 a of all blocks but the free rows, where it is 0. */
static void apply_blocks(const body *t, const double *a, double *out)
{
    const double *D = t->packed;
    for (int i = 0; i < t->n; i++) out[i] = 0;
    for (int k = 0; k < t->block[t->set.blocks]; k++) {
        const int *row = t->column + t->start[k];
        int d = t->start[k + 1] - t->start[k];
        for (int j = 0; j < d; j++) {
            for (int i = 0; i < d; i++) out[row[i]] += D[j * d + i] * a[row[j]];
        }
        D += d * d;
    }
}

/* (M + H B^-1 H') dv - G dl = rd + H B^-1 a, G'dv = rg, free rows among both; then
 * dz = B^-1 (a - H'dv), and du = H'dv + R dz. */
static bool solve(void *ctx, double *a, double *dz)
{
    body *t = ctx;
    double *x = t->dv;
    memcpy(x, t->rd, (size_t)t->nv * sizeof *x);
    for (int i = 0; i < t->nl; i++) x[t->nv + i] = t->rg[i];
    for (int k = 0; k < t->frees; k++) x[t->nv + t->nl + k] = a[t->free_row[k]];
    apply_blocks(t, a, t->work);
    if (t->n > 0) perp_mul(&t->H, 1, t->work, 1, x);
    if (!perp_body_space_solve(&t->space, x)) return false;
    if (t->n == 0) return true;
    perp_mul_t(&t->H, 1, x, 0, t->work);
    for (int i = 0; i < t->n; i++) a[i] -= t->work[i];
    apply_blocks(t, a, dz);
    for (int k = 0; k < t->frees; k++) dz[t->free_row[k]] = -x[t->nv + t->nl + k];
    memcpy(a, t->work, (size_t)t->n * sizeof *a);
    if (t->R.format != PERP_FORMAT_ABSENT) perp_mul(&t->R, 1, dz, 1, a);
    return true;
}

static void advance(void *ctx, double step)
{
    body *t = ctx;
    for (int i = 0; i < t->nv; i++) t->v[i] += step * t->dv[i];
    for (int i = 0; i < t->nl; i++) t->l[i] -= step * t->dv[t->nv + i];
}

static double find_natural(body *t, const double *z, const double *u)
{
    double *own = t->own, *v = own + t->set.largest, *map = v + t->set.largest;
    for (int b = 0; b < t->set.blocks; b++) {
        perp_cone_set_gather(&t->set, b, z, own);
        perp_cone_set_gather(&t->set, b, u, v);
        perp_cone_set_law(&t->set, b, v, v);
        perp_cone_set_natural(&t->set, b, own, v, map);
        perp_cone_set_scatter(&t->set, b, map, t->work);
    }
    return vector_norm(t->n, t->work) / perp_scale(t->run);
}

static double show(void *ctx, const perp_interior *p, double *z)
{
    body *t = ctx;
    if (t->n > 0) memcpy(z, p->z, (size_t)t->n * sizeof *z);
    if (t->nv > 0) memcpy(z + t->n, t->v, (size_t)t->nv * sizeof *z);
    if (t->nl > 0) memcpy(z + t->n + t->nv, t->l, (size_t)t->nl * sizeof *z);
    return find_natural(t, p->z, p->u) + vector_norm(t->nv, t->rd) / t->scale_f +
           vector_norm(t->nl, t->rg) / t->scale_b;
}

/* ---- the call ---- */

/* |x| / sqrt(n), 0 of nothing. */
static double typical(int n, double norm)
{
    return n > 0 && isfinite(norm) ? norm / sqrt(n) : 0;
}

/* Sizes of forces and velocities, related by the diagonals of M and of H'M^-1 H where one of them
 * is 0. */
static void find_sizes(const body *t, perp_cone_interior *c)
{
    const struct perp_csc_view *H = &t->H.as.csc, *M = &t->M.as.csc;
    double sum = 0;
    for (int k = 0; t->n > 0 && k < H->p[t->n]; k++) {
        double mass = perp_csc_entry(M, H->i[k], H->i[k]);
        if (mass > 0) sum += H->x[k] * (H->x[k] / mass);
    }
    double mean = t->n > 0 && sum > 0 ? sum / t->n : 1;
    c->force = typical(t->nv, vector_norm(t->nv, t->f));
    c->velocity = typical(t->n, perp_scale(t->run));
    if (!(c->velocity > 0)) c->velocity = c->force > 0 ? c->force * mean : 1;
    if (!(c->force > 0)) c->force = c->velocity / mean;
}

static perp_status open_space(body *t)
{
    perp_arena *a = t->run->arena;
    const perp_column_blocks of = {t->block[t->set.blocks], t->start, t->column};
    if (!join_equalities(t, a)) return PERP_E_MEMORY;
    bool opened =
        perp_body_space_open(&t->space, a, &t->M, &t->H, &of, &t->G, t->C, is_symmetric(t));
    return opened ? PERP_SOLVED : PERP_E_MEMORY;
}

perp_status perp_cone_interior_body(perp_run *run, perp_cone_interior *c)
{
    const perp_cone *p = &run->problem->as.cone;
    body *t = PERP_ALLOC(run, body, 1);
    if (run->arena->failed || !perp_cone_set_open(&t->set, run->arena, p)) return PERP_E_MEMORY;
    t->run = run;
    t->n = p->n;
    t->nv = p->M.n;
    t->nl = p->G.format == PERP_FORMAT_ABSENT ? 0 : p->G.n;
    t->f = p->f;
    t->w = p->w;
    t->b = p->b;
    perp_status status = read_matrices(t, p);
    if (status) return status;
    if (!open_vectors(t)) return PERP_E_MEMORY;
    list_blocks(t);
    if (t->R.format != PERP_FORMAT_ABSENT) status = open_compliance(t);
    if (!status) status = open_space(t);
    if (status) return status;
    t->scale_f = vector_norm(t->nv, t->f);
    if (!(t->scale_f > 0)) t->scale_f = 1;
    t->scale_b = t->b ? vector_norm(t->nl, t->b) : 0;
    if (!(t->scale_b > 0)) t->scale_b = 1;
    *c = (perp_cone_interior){.e = {.ctx = t,
                                    .inverse = true,
                                    .R = t->full_R,
                                    .measure = measure,
                                    .factor = factor,
                                    .solve = solve,
                                    .advance = advance},
                              .set = &t->set,
                              .show = show};
    find_sizes(t, c);
    return PERP_SOLVED;
}
