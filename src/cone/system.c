/* cone/system.c: scaling, see system.h. One pass over W; memory: a copy of it and 9 n numbers. */
#include "system.h"

#include "base/convert.h"
#include "base/format.h"
#include "base/vector.h"
#include "base/watch.h"

#include <string.h>

#define SPARSE 0.25 /* share of entries below which columns stay compressed */
#define SMALL_N 60  /* rows up to which they do not */
#define SLICE 1024  /* blocks between two looks at the watch */
#define LEAST 1e-8  /* of a row's largest entry: what its diagonal counts at least */

/* The positive diagonal, and the largest entry of each row. */
static void read_rows(const perp_matrix *W, double *diagonal, double *largest)
{
    for (int i = 0; i < W->n; i++) diagonal[i] = largest[i] = 0;
    for (int j = 0; j < W->n; j++) {
        bool dense = W->format == PERP_FORMAT_DENSE;
        const double *x = dense ? W->as.dense.x + (size_t)j * (size_t)W->as.dense.ld : W->as.csc.x;
        int from = dense ? 0 : W->as.csc.p[j], to = dense ? W->n : W->as.csc.p[j + 1];
        for (int k = from; k < to; k++) {
            int i = dense ? k : W->as.csc.i[k];
            if (i == j) diagonal[i] += x[k];
            if (fabs(x[k]) > largest[i]) largest[i] = fabs(x[k]);
        }
    }
}

/* One factor for `count` rows that are scaled alike. */
static double find_factor(const int *row, int count, const double *diagonal, const double *largest)
{
    double mean = 0, most = 0;
    for (int i = 0; i < count; i++) {
        mean += diagonal[row[i]] / count;
        if (largest[row[i]] > most) most = largest[row[i]];
    }
    double size = mean > LEAST * most ? mean : LEAST * most;
    if (mean <= 0 && most > 0) size = most; /* a row without a diagonal, as of a multiplier */
    return size > 0 && isfinite(1 / sqrt(size)) ? 1 / sqrt(size) : 1;
}

static void find_scaling(perp_cone_system *s, const double *diagonal, const double *largest)
{
    const perp_cone_set *t = &s->own;
    for (int b = 0; b < t->blocks; b++) {
        const perp_cone_block *k = &t->block[b];
        const int *row = t->row + k->first;
        int alike = k->type == PERP_CONE_GROUPS ? 1 : k->count;
        double factor = find_factor(row, alike, diagonal, largest);
        for (int i = 0; i < alike; i++) s->S[row[i]] = factor;
        for (int g = k->group; g < k->group + k->groups; g++) {
            const int *rows = t->row + t->group[g].first;
            double tangent = find_factor(rows, t->group[g].count, diagonal, largest);
            for (int i = 0; i < t->group[g].count; i++) s->S[rows[i]] = tangent;
        }
    }
}

/* The coefficients and bounds of the scaled set. */
static void scale_set(perp_cone_system *s)
{
    perp_cone_set *t = &s->set;
    for (int b = 0; b < t->blocks; b++) {
        perp_cone_block *k = &t->block[b];
        double normal = s->S[t->row[k->first]];
        k->lo /= normal;
        k->hi /= normal;
        for (int g = k->group; g < k->group + k->groups; g++) {
            double ratio = normal / s->S[t->row[t->group[g].first]];
            t->group[g].mu *= ratio;
            t->group[g].s *= ratio;
        }
    }
}

static void copy_dense(perp_cone_system *s, const perp_matrix *W)
{
    size_t n = (size_t)s->n;
    for (size_t j = 0; j < n; j++) {
        double *to = s->dense + j * n;
        if (W->format == PERP_FORMAT_DENSE) {
            const double *from = W->as.dense.x + j * (size_t)W->as.dense.ld;
            for (size_t i = 0; i < n; i++) to[i] = s->S[i] * from[i] * s->S[j];
            continue;
        }
        const struct perp_csc_view *v = &W->as.csc;
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            to[v->i[k]] += s->S[v->i[k]] * v->x[k] * s->S[j];
        }
    }
}

static perp_status copy_sparse(perp_cone_system *s, const perp_matrix *W)
{
    if (perp_sort_csc(W, s->run->arena, &s->sparse)) return PERP_E_MEMORY;
    struct perp_csc_view *v = &s->sparse.as.csc;
    double *x = PERP_ALLOC(s->run, double, v->p[s->n]);
    if (s->run->arena->failed) return PERP_E_MEMORY;
    for (int j = 0; j < s->n; j++) {
        for (int k = v->p[j]; k < v->p[j + 1]; k++) x[k] = s->S[v->i[k]] * v->x[k] * s->S[j];
    }
    v->x = x;
    return PERP_SOLVED;
}

static perp_status copy_matrix(perp_cone_system *s, const perp_matrix *W)
{
    double n = s->n;
    bool sparse =
        W->format == PERP_FORMAT_CSC && s->n > SMALL_N && W->as.csc.p[s->n] < SPARSE * n * n;
    if (sparse) return copy_sparse(s, W);
    s->dense = PERP_ALLOC(s->run, double, (size_t)s->n *(size_t)s->n);
    if (s->run->arena->failed) return PERP_E_MEMORY;
    copy_dense(s, W);
    return PERP_SOLVED;
}

perp_status perp_cone_system_open(perp_run *run, const double *z, perp_cone_system *s)
{
    const perp_cone *c = &run->problem->as.cone;
    int n = c->n;
    *s = (perp_cone_system){.run = run, .n = n};
    s->S = PERP_ALLOC(run, double, n);
    s->q = PERP_ALLOC(run, double, n);
    s->x = PERP_ALLOC(run, double, n);
    s->u = PERP_ALLOC(run, double, n);
    s->map = PERP_ALLOC(run, double, n);
    if (run->arena->failed || !perp_cone_set_open(&s->own, run->arena, c) ||
        !perp_cone_set_open(&s->set, run->arena, c))
        return PERP_E_MEMORY;
    s->z = PERP_ALLOC(run, double, 3 * (size_t)s->own.largest);
    if (run->arena->failed) return PERP_E_MEMORY;
    if (n > 0) {
        read_rows(&c->W, s->x, s->u);
        find_scaling(s, s->x, s->u);
        scale_set(s);
    }
    perp_status status = copy_matrix(s, &c->W);
    if (status) return status;
    for (int i = 0; i < n; i++) {
        s->q[i] = s->S[i] * c->q[i];
        s->x[i] = z[i] / s->S[i];
    }
    perp_cone_system_refresh(s);
    return PERP_SOLVED;
}

void perp_cone_system_add_column(const perp_cone_system *s, int j, double c, double *y)
{
    if (s->dense) {
        const double *x = s->dense + (size_t)j * (size_t)s->n;
        for (int i = 0; i < s->n; i++) y[i] += c * x[i];
        return;
    }
    const struct perp_csc_view *v = &s->sparse.as.csc;
    for (int k = v->p[j]; k < v->p[j + 1]; k++) y[v->i[k]] += c * v->x[k];
}

void perp_cone_system_refresh(perp_cone_system *s)
{
    for (int i = 0; i < s->n; i++) s->u[i] = 0;
    for (int j = 0; j < s->n; j++) {
        if (s->x[j] != 0) perp_cone_system_add_column(s, j, s->x[j], s->u);
    }
    for (int i = 0; i < s->n; i++) s->u[i] += s->q[i];
}

/* Entry (i, j) of the scaled matrix; sparse: by bisection. */
static double find_entry(const perp_cone_system *s, int i, int j)
{
    if (s->dense) return s->dense[(size_t)j * (size_t)s->n + (size_t)i];
    return perp_csc_entry(&s->sparse.as.csc, i, j);
}

void perp_cone_system_block(const perp_cone_system *s, int b, double *B)
{
    const perp_cone_block *k = &s->set.block[b];
    const int *row = s->set.row + k->first;
    for (int j = 0; j < k->count; j++) {
        for (int i = 0; i < k->count; i++) {
            B[(size_t)j * (size_t)k->count + (size_t)i] = find_entry(s, row[i], row[j]);
        }
    }
}

void perp_cone_system_give(const perp_cone_system *s, double *z)
{
    for (int i = 0; i < s->n; i++) z[i] = s->S[i] * s->x[i];
}

double perp_cone_system_estimate(perp_cone_system *s)
{
    double *z = s->z, *u = z + s->own.largest, *map = u + s->own.largest, most = -1;
    for (int b = 0; b < s->own.blocks; b++) {
        const perp_cone_block *k = &s->own.block[b];
        const int *row = s->own.row + k->first;
        if (b % SLICE == SLICE - 1 && perp_watch_stops(s->run->arena)) return INFINITY;
        for (int i = 0; i < k->count; i++) {
            z[i] = s->S[row[i]] * s->x[row[i]];
            u[i] = s->u[row[i]] / s->S[row[i]];
        }
        perp_cone_set_law(&s->own, b, u, u);
        perp_cone_set_natural(&s->own, b, z, u, map);
        perp_cone_set_scatter(&s->own, b, map, s->map);
        double error = vector_norm(k->count, map);
        if (!(error <= most)) {
            most = error;
            s->worst = b;
        }
    }
    return vector_norm(s->n, s->map) / perp_scale(s->run);
}
