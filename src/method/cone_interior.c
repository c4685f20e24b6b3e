/* method/cone_interior.c: steps of interior points, see cone_interior.h. A step costs
 * O(rows) beside the equations. */
#include "cone_interior_parts.h"

#include <string.h>

#define REFINEMENTS 2 /* of dy */
#define BEYOND 2.0    /* steps are not asked whether they could be longer */

/* ---- opening ---- */

/* Adds a part; counts alone where there is no room yet. */
static void add_part(perp_interior *t, perp_interior_part part)
{
    part.at = t->m;
    if (t->part) t->part[t->parts] = part;
    t->parts++;
    t->m += part.count;
}

static void fix_rows(perp_interior *t, int b, int from, int count)
{
    const perp_cone_set *set = t->set;
    for (int i = 0; i < count; i++) t->fixed[set->row[set->block[b].first + from + i]] = true;
}

static void add_cone(perp_interior *t, int b)
{
    const perp_cone_block *k = &t->set->block[b];
    int before = t->parts;
    for (int g = k->group; g < k->group + k->groups; g++) {
        const perp_cone_group *p = &t->set->group[g];
        int tail = p->first - k->first;
        if (p->mu > 0) {
            add_part(
                t, (perp_interior_part){
                       .block = b, .tail = tail, .count = 1 + p->count, .scale = p->mu, .s = p->s});
        } else {
            fix_rows(t, b, tail, p->count);
        }
    }
    if (t->parts == before) add_part(t, (perp_interior_part){.block = b, .count = 1, .scale = 1});
}

static void add_bounds(perp_interior *t, int b)
{
    const perp_cone_block *k = &t->set->block[b];
    if (k->lo == k->hi) {
        fix_rows(t, b, 0, 1);
        return;
    }
    if (k->lo > -INFINITY)
        add_part(t, (perp_interior_part){.block = b, .count = 1, .scale = 1, .shift = -k->lo});
    if (k->hi < INFINITY)
        add_part(t, (perp_interior_part){.block = b, .count = 1, .scale = -1, .shift = k->hi});
}

static void add_parts(perp_interior *t)
{
    t->parts = t->m = 0;
    for (int b = 0; b < t->set->blocks; b++) {
        const perp_cone_block *k = &t->set->block[b];
        if (t->part) t->first[b] = t->parts;
        if (k->type == PERP_CONE_GROUPS)
            add_cone(t, b);
        else if (k->type == PERP_CONE_BOX)
            add_bounds(t, b);
        else if (k->hi > 0)
            add_part(t, (perp_interior_part){.block = b, .count = 1 + k->count, .shift = k->hi});
        else
            fix_rows(t, b, 0, k->count);
    }
    if (t->part) t->first[t->set->blocks] = t->parts;
}

static bool open_vectors(perp_interior *t, perp_arena *a)
{
    size_t n = (size_t)t->set->n, m = (size_t)t->m, parts = (size_t)t->parts;
    size_t most = (size_t)t->set->largest;
    double **rows[] = {&t->z, &t->dz, &t->u, &t->g, &t->a, &t->rest};
    double **cones[] = {&t->x, &t->y, &t->dx, &t->dy, &t->correction, &t->w};
    for (int k = 0; k < 6; k++) *rows[k] = perp_alloc(a, n, sizeof(double));
    for (int k = 0; k < 6; k++) *cones[k] = perp_alloc(a, m, sizeof(double));
    t->root = perp_alloc(a, parts, sizeof *t->root);
    t->lag = perp_alloc(a, parts, sizeof *t->lag);
    t->local = perp_alloc(a, 2 * most * most + 3 * most + 3, sizeof *t->local);
    t->pivot = perp_alloc(a, most, sizeof *t->pivot);
    return !a->failed;
}

bool perp_interior_open(perp_interior *t, perp_arena *a, const perp_cone_set *set,
                        const perp_interior_equations *e)
{
    size_t blocks = (size_t)set->blocks, entries = 0;
    *t = (perp_interior){.set = set, .e = e};
    t->fixed = perp_alloc(a, (size_t)set->n, sizeof *t->fixed);
    t->first = perp_alloc(a, blocks + 1, sizeof *t->first);
    t->place = perp_alloc(a, blocks, sizeof *t->place);
    if (a->failed) return false;
    add_parts(t);
    t->part = perp_alloc(a, (size_t)t->parts, sizeof *t->part);
    if (a->failed) return false;
    if (t->parts > 0) add_parts(t);
    for (size_t b = 0; b < blocks; b++) {
        t->place[b] = entries;
        entries += (size_t)set->block[b].count * (size_t)set->block[b].count;
    }
    t->blocks = perp_alloc(a, entries, sizeof *t->blocks);
    t->rigid = e->R ? perp_alloc(a, entries, sizeof *t->rigid) : t->blocks;
    return !a->failed && open_vectors(t, a);
}

/* ---- the point ---- */

/* The normal of a cone whose smallest coefficient is mu, or a place between bounds. */
static void start_block(perp_interior *t, int b, double force)
{
    const perp_cone_block *k = &t->set->block[b];
    const int *row = rows_of(t, b);
    double mean = 0;
    for (int i = 0; i < k->count; i++) t->z[row[i]] = 0;
    for (int p = t->first[b]; p < t->first[b + 1]; p++) mean += t->part[p].scale;
    if (k->type == PERP_CONE_GROUPS) {
        t->z[row[0]] = force * (t->first[b + 1] - t->first[b]) / mean;
    } else if (k->type == PERP_CONE_BOX) {
        bool below = k->lo > -INFINITY, above = k->hi < INFINITY;
        double z = below && above ? k->lo + (k->hi - k->lo) / 2
                   : below        ? k->lo + force
                   : above        ? k->hi - force
                                  : 0;
        t->z[row[0]] = z;
    }
}

void perp_interior_start(perp_interior *t, double force, double velocity)
{
    double mean = force * velocity;
    for (int b = 0; b < t->set->blocks; b++) start_block(t, b, force);
    for (int p = 0; p < t->parts; p++) {
        const perp_interior_part *k = &t->part[p];
        const int *row = rows_of(t, k->block);
        double *x = t->x + k->at, *y = t->y + k->at;
        for (int i = 0; i < k->count; i++) x[i] = y[i] = 0;
        x[0] = k->scale * t->z[row[k->head]] + k->shift;
        y[0] = mean / x[0];
        t->lag[p] = 0;
    }
    t->m1 = t->mean = mean;
}

/* out += F'y of a part, in the rows of z. */
static void add_dual(const perp_interior *t, const perp_interior_part *k, double by,
                     const double *y, double *out)
{
    const int *row = rows_of(t, k->block);
    out[row[k->head]] += by * k->scale * y[0];
    for (int i = 1; i < k->count; i++) out[row[k->tail + i - 1]] += by * y[i];
}

static void measure_delay(perp_interior *t)
{
    double sum = 0;
    for (int p = 0; p < t->parts; p++) {
        const perp_interior_part *k = &t->part[p];
        if (!(k->s > 0)) continue;
        double now = smooth(k, t->y + k->at);
        if (!t->lags) t->lag[p] = now;
        double late = k->s / k->scale * t->x[k->at] * (now - t->lag[p]);
        sum += late * late;
    }
    t->delay = t->parts > 0 ? sqrt(sum) / (t->mean * sqrt(t->parts)) : 0;
}

void perp_interior_measure(perp_interior *t)
{
    int n = t->set->n;
    double dot = 0, sum = 0;
    t->e->measure(t->e->ctx, t->z, t->u);
    for (int i = 0; i < t->m; i++) dot += t->x[i] * t->y[i];
    t->mean = t->parts > 0 ? dot / t->parts : 0;
    measure_delay(t);
    for (int i = 0; i < n; i++) t->g[i] = t->u[i];
    for (int p = 0; p < t->parts; p++) {
        const perp_interior_part *k = &t->part[p];
        t->g[rows_of(t, k->block)[k->head]] += k->s * t->lag[p];
        add_dual(t, k, -1, t->y + k->at, t->g);
    }
    for (int i = 0; i < n; i++) {
        double work = t->fixed[i] ? 0 : t->g[i] * t->z[i];
        sum += work * work;
    }
    t->gap = t->parts > 0 ? sqrt(sum) / (t->mean * sqrt(t->parts)) : 0;
}

/* ---- the system ---- */

static bool find_scalings(perp_interior *t)
{
    double least = INFINITY;
    for (int p = 0; p < t->parts; p++) {
        const perp_interior_part *k = &t->part[p];
        const double *x = t->x + k->at, *w = t->w + k->at;
        double *e = t->correction + k->at;
        if (!lorentz_scale(k->count, x, t->y + k->at, &t->root[p], t->w + k->at)) return false;
        lorentz_apply(k->count, t->root[p], w, 0, x, e);
        double low = e[0] - sqrt(lorentz_tail(k->count, e));
        if (low * low < least) least = low * low;
    }
    t->centrality = least / t->mean;
    return true;
}

bool perp_interior_factor(perp_interior *t, double kappa)
{
    t->kappa = kappa;
    if (!find_scalings(t)) return false;
    perp_interior_fill_blocks(t);
    return t->e->factor(t->e->ctx, t->blocks, t->fixed);
}

/* ---- directions ---- */

/* c = sigma mean x^-1 - y - correction. */
static void complementarity(const perp_interior *t, const perp_interior_part *k, double sigma,
                            bool corrects, double *c)
{
    const double *x = t->x + k->at, *y = t->y + k->at, *e = t->correction + k->at;
    double by = sigma * t->mean / lorentz_det(k->count, x);
    for (int i = 0; i < k->count; i++) {
        c[i] = (i == 0 ? by : -by) * x[i] - y[i] - (corrects ? e[i] : 0);
    }
}

/* out = T y - kappa s (|y_t|^2 / y_0 - lag) n - g: what the equations of u ask for, with y in the
 * place of dy. */
static void find_duals(const perp_interior *t, const double *y, double *out)
{
    int n = t->set->n;
    for (int i = 0; i < n; i++) out[i] = -t->g[i];
    for (int p = 0; p < t->parts; p++) {
        const perp_interior_part *k = &t->part[p];
        const double *now = t->y + k->at, *c = y + k->at;
        add_dual(t, k, 1, c, out);
        if (!(k->s > 0)) continue;
        double change = head_slope(k, now) * c[0] + smooth(k, now) - t->lag[p];
        for (int i = 1; i < k->count; i++) change += slope(now, i) * c[i];
        out[rows_of(t, k->block)[k->head]] -= t->kappa * k->s * change;
    }
    for (int i = 0; i < n; i++) {
        if (t->fixed[i]) out[i] = 0;
    }
}

/* y += by P^2 F z of a part; dx = F z too where that is not NULL. */
static void add_scaled(perp_interior *t, int p, double by, const double *z, double *dx, double *y)
{
    const perp_interior_part *k = &t->part[p];
    const int *row = rows_of(t, k->block);
    double *s = t->local, *w = t->w + k->at;
    s[0] = k->scale * z[row[k->head]];
    for (int i = 1; i < k->count; i++) s[i] = z[row[k->tail + i - 1]];
    for (int i = 0; dx && i < k->count; i++) dx[i] = s[i];
    lorentz_apply(k->count, t->root[p], w, 0, s, s);
    lorentz_apply(k->count, t->root[p], w, 0, s, s);
    for (int i = 0; i < k->count; i++) y[i] += by * s[i];
}

/* P^2 F B^-1 is not the identity to rounding where P^2 is ill-conditioned: what T dy lacks of the
 * change `du` of u is made up for. */
static void refine(perp_interior *t, const double *du)
{
    double *rest = t->rest;
    for (int times = 0; times < REFINEMENTS; times++) {
        find_duals(t, t->dy, rest);
        for (int b = 0; b < t->set->blocks; b++) {
            int d = t->set->block[b].count;
            const int *row = rows_of(t, b);
            const double *D = t->rigid + t->place[b];
            double *e = t->local;
            for (int i = 0; i < d; i++) e[i] = t->fixed[row[i]] ? 0 : du[row[i]] - rest[row[i]];
            for (int i = 0; i < d; i++) {
                double sum = 0;
                for (int j = 0; j < d; j++) sum += D[j * d + i] * e[j];
                rest[row[i]] = sum;
            }
        }
        for (int p = 0; p < t->parts; p++) add_scaled(t, p, 1, rest, NULL, t->dy + t->part[p].at);
    }
}

bool perp_interior_direct(perp_interior *t, double sigma, bool corrects)
{
    for (int p = 0; p < t->parts; p++)
        complementarity(t, &t->part[p], sigma, corrects, t->dy + t->part[p].at);
    find_duals(t, t->dy, t->a);
    if (!t->e->solve(t->e->ctx, t->a, t->dz)) return false;
    for (int p = 0; p < t->parts; p++) {
        int at = t->part[p].at;
        add_scaled(t, p, -1, t->dz, t->dx + at, t->dy + at);
    }
    if (t->e->inverse) refine(t, t->a);
    return true;
}

void perp_interior_correct(perp_interior *t)
{
    double *a = t->local, *b = a + t->set->largest + 1, *lambda = b + t->set->largest + 1;
    for (int p = 0; p < t->parts; p++) {
        const perp_interior_part *k = &t->part[p];
        const double *w = t->w + k->at;
        lorentz_apply(k->count, t->root[p], w, 0, t->dx + k->at, a);
        lorentz_apply(k->count, t->root[p], w, 1, t->dy + k->at, b);
        lorentz_apply(k->count, t->root[p], w, 0, t->x + k->at, lambda);
        lorentz_product(k->count, a, b, a);
        lorentz_divide(k->count, lambda, a, b);
        lorentz_apply(k->count, t->root[p], w, 0, b, t->correction + k->at);
    }
}

double perp_interior_room(const perp_interior *t)
{
    double step = BEYOND;
    for (int p = 0; p < t->parts; p++) {
        const perp_interior_part *k = &t->part[p];
        double a = lorentz_step(k->count, t->x + k->at, t->dx + k->at, BEYOND);
        double b = lorentz_step(k->count, t->y + k->at, t->dy + k->at, BEYOND);
        step = a < step ? a : step;
        step = b < step ? b : step;
    }
    return step;
}

double perp_interior_foresee(const perp_interior *t, double step)
{
    double sum = 0;
    for (int i = 0; i < t->m; i++) {
        sum += (t->x[i] + step * t->dx[i]) * (t->y[i] + step * t->dy[i]);
    }
    return t->parts > 0 ? sum / t->parts / t->mean : 0;
}

void perp_interior_advance(perp_interior *t, double step)
{
    for (int p = 0; p < t->parts; p++) {
        const perp_interior_part *k = &t->part[p];
        double *y = t->y + k->at;
        const double *dy = t->dy + k->at;
        if (!(k->s > 0)) continue;
        double change = smooth(k, y) - t->lag[p] + head_slope(k, y) * dy[0];
        for (int i = 1; i < k->count; i++) change += slope(y, i) * dy[i];
        t->lag[p] += step * t->kappa * change;
    }
    for (int i = 0; i < t->set->n; i++) t->z[i] += step * t->dz[i];
    for (int i = 0; i < t->m; i++) {
        t->x[i] += step * t->dx[i];
        t->y[i] += step * t->dy[i];
    }
    t->e->advance(t->e->ctx, step);
}
