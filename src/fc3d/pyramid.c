/* fc3d/pyramid.c: see pyramid.h. */
#include "pyramid.h"

#include "base/watch.h"

#include <limits.h>
#include <math.h>

#define PI 3.14159265358979323846

static double *edges(const perp_pyramid *p, int contact)
{
    return p->E + 3 * (size_t)p->forces * (size_t)contact;
}

static double *sides(const perp_pyramid *p, int contact)
{
    return p->B + (size_t)p->sides * (size_t)p->forces * (size_t)contact;
}

perp_status perp_pyramid_open(perp_run *run, const perp_contact_matrix *b, bool outer, int facets,
                              perp_pyramid *p)
{
    size_t n = (size_t)b->contacts;
    *p = (perp_pyramid){.b = b,
                        .outer = outer,
                        .facets = facets,
                        .forces = outer ? 3 : facets + 1,
                        .sides = outer ? facets : 1};
    p->size = p->forces + p->sides;
    if ((long long)b->contacts * p->size > INT_MAX) {
        return perp_fail(run, PERP_E_MEMORY, "pyramids of %d facets are too large", facets);
    }
    p->E = PERP_ALLOC(run, double, 3 * n * (size_t)p->forces);
    p->B = PERP_ALLOC(run, double, n *(size_t)p->sides *(size_t)p->forces);
    p->q = PERP_ALLOC(run, double, n *(size_t)p->size);
    p->lo = PERP_ALLOC(run, double, n *(size_t)p->size);
    if (run->arena->failed) return PERP_E_MEMORY;
    for (int c = 0; c < b->contacts; c++) perp_pyramid_turn(p, c, 0);
    return PERP_SOLVED;
}

void perp_pyramid_turn(perp_pyramid *p, int contact, double angle)
{
    double *E = edges(p, contact), *B = sides(p, contact), mu = p->b->mu[contact];
    E[0] = 1;
    for (int k = 0; k < p->facets; k++) {
        double a = angle + 2 * PI * k / p->facets, c[2] = {cos(a), sin(a)};
        if (p->outer) {
            B[k] = mu;
            B[p->sides + k] = -c[0];
            B[2 * p->sides + k] = -c[1];
        } else {
            E[3 * (k + 1) + 1] = c[0];
            E[3 * (k + 1) + 2] = c[1];
            B[k + 1] = -1;
        }
    }
    if (p->outer) {
        E[4] = E[8] = 1;
    } else {
        B[0] = mu;
    }
}

/* The entry of a force f of contact i and a force g of contact j: e' W_ij d. */
static double product(const double *e, const double *W, const double *d)
{
    double sum = 0;
    for (int k = 0; k < 9; k++) sum += e[k % 3] * W[k] * d[k / 3];
    return sum;
}

/* Where columns start: start[c + 1] counts those of column c, then sums. */
static void count(const perp_pyramid *p, int *start)
{
    const struct perp_bsr3_view *W = &p->b->W;
    int n = p->b->contacts;
    for (int i = 0; i < n; i++) {
        for (int k = W->p[i]; k < W->p[i + 1]; k++) {
            for (int g = 0; g < p->forces; g++) start[W->j[k] * p->size + g + 1] += p->forces;
        }
        for (int g = 0; g < p->forces; g++) start[i * p->size + g + 1] += p->sides;
        for (int s = 0; s < p->sides; s++) {
            start[i * p->size + p->forces + s + 1] += p->forces - 1 + (p->shift > 0);
        }
    }
    for (int c = 0; c < n * p->size; c++) start[c + 1] += start[c];
}

typedef struct columns {
    int *next, *row;
    double *x;
} columns;

static void put(columns *m, int row, int column, double x)
{
    int to = m->next[column]++;
    m->row[to] = row;
    m->x[to] = x;
}

static void put_block(const perp_pyramid *p, columns *m, int i, int j, const double *W)
{
    const double *E = edges(p, i), *D = edges(p, j);
    for (int g = 0; g < p->forces; g++) {
        for (int f = 0; f < p->forces; f++) {
            put(m, i * p->size + f, j * p->size + g, product(E + 3 * f, W, D + 3 * g));
        }
    }
}

static void put_sides(const perp_pyramid *p, columns *m, int i)
{
    const double *B = sides(p, i);
    int first = i * p->size, side = first + p->forces;
    for (int f = 0; f < p->forces; f++) {
        for (int s = 0; s < p->sides; s++) {
            put(m, side + s, first + f, B[f * p->sides + s]);
            if (f > 0) put(m, first + f, side + s, -B[f * p->sides + s]);
        }
    }
    for (int s = 0; s < p->sides && p->shift > 0; s++) {
        put(m, side + s, side + s, perp_pyramid_shift(p, i));
    }
}

/* q and the bounds: everything is nonnegative but the tangential forces of an outer pyramid. */
static void fill_vectors(perp_pyramid *p)
{
    for (int c = 0; c < p->b->contacts; c++) {
        const double *q = p->b->q + 3 * (size_t)c, *E = edges(p, c);
        for (int f = 0; f < p->size; f++) {
            const double *e = E + 3 * f;
            bool force = f < p->forces;
            p->q[c * p->size + f] = force ? e[0] * q[0] + e[1] * q[1] + e[2] * q[2] : 0;
            p->lo[c * p->size + f] = p->outer && force && f > 0 ? -INFINITY : 0;
        }
    }
}

/* False: asked to stop. At 1e5 contacts there are 5e7 entries. */
static bool fill_matrix(perp_run *run, const perp_pyramid *p, columns *m)
{
    const struct perp_bsr3_view *W = &p->b->W;
    perp_watched watched = perp_watch_begin(run->arena);
    double block = 9.0 * p->forces * p->forces; /* multiplications */
    for (int i = 0; i < p->b->contacts; i++) {
        if (perp_watch_spent(&watched, block * (W->p[i + 1] - W->p[i]))) return false;
        for (int k = W->p[i]; k < W->p[i + 1]; k++) {
            put_block(p, m, i, W->j[k], W->x + 9 * (size_t)k);
        }
        put_sides(p, m, i);
    }
    return true;
}

perp_status perp_pyramid_problem(perp_run *run, perp_pyramid *p, perp_problem *out)
{
    const struct perp_bsr3_view *W = &p->b->W;
    int contacts = p->b->contacts, n = contacts * p->size;
    long long entries = (long long)W->p[contacts] * p->forces * p->forces +
                        (long long)contacts * p->sides * (2LL * p->forces);
    if (entries > INT_MAX) {
        return perp_fail(run, PERP_E_MEMORY, "pyramids of %d facets are too large", p->facets);
    }
    int *start = PERP_ALLOC(run, int, (size_t)n + 1);
    columns m = {.next = PERP_ALLOC(run, int, n)};
    m.row = perp_alloc_unset(run->arena, (size_t)entries, sizeof *m.row);
    m.x = perp_alloc_unset(run->arena, (size_t)entries, sizeof *m.x);
    if (run->arena->failed) return PERP_E_MEMORY;
    count(p, start);
    for (int c = 0; c < n; c++) m.next[c] = start[c];
    if (!fill_matrix(run, p, &m)) return PERP_E_MEMORY; /* the driver says why */
    fill_vectors(p);
    perp_matrix M = perp_csc(n, n, start, m.row, m.x);
    *out = p->outer ? perp_make_mcp(n, M, p->q, p->lo, NULL) : perp_make_lcp(n, M, p->q);
    return PERP_SOLVED;
}

double perp_pyramid_shift(const perp_pyramid *p, int contact)
{
    return 3 * p->shift / p->b->trace[contact];
}

void perp_pyramid_forces(const perp_pyramid *p, const double *z, double *r)
{
    for (int c = 0; c < p->b->contacts; c++) {
        double *to = r + 3 * (size_t)c;
        const double *E = edges(p, c), *a = z + (size_t)c * (size_t)p->size;
        to[0] = to[1] = to[2] = 0;
        for (int f = 0; f < p->forces; f++) {
            for (int i = 0; i < 3; i++) to[i] += E[3 * f + i] * a[f];
        }
    }
}
