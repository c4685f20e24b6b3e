/* tests/support/interior_support.h: a product of cones of every sort, and equations u = W z + q,
 * for tests of interior points. */
#ifndef INTERIOR_SUPPORT_H
#define INTERIOR_SUPPORT_H

#include "generate/generate.h"
#include "method/cone_interior.h"
#include "support.h"

#include <math.h>
#include <string.h>

#define N 24

/* Two groups, one group, a group without friction beside one with, a ball, boxes of every sort, a
 * free row. */
static const int follows[N] = {-1, 0,  0,  0,  -1, 4,  4,  -1, 7,  7,  7,  -1,
                               -1, -1, -1, -1, -1, -1, -1, 18, 18, 18, 18, 18};
static const int group[N] = {-1, 1,  1,  3,  -1, 5,  5,  -1, 8,  9,  9,  11,
                             11, 11, -1, -1, -1, -1, -1, 19, 19, 19, 22, 22};
static double cone_mu[N], cone_s[N], cone_lo[N], cone_hi[N];

static perp_cone make_cone(generator *g, bool smooth)
{
    perp_cone c = {.n = N,
                   .follows = follows,
                   .group = group,
                   .mu = cone_mu,
                   .s = cone_s,
                   .lo = cone_lo,
                   .hi = cone_hi};
    for (int i = 0; i < N; i++) {
        bool normal = i == 0 || i == 4 || i == 7 || i == 18;
        cone_mu[i] = i == 8 ? 0 : 0.2 + generator_unit(g);
        cone_s[i] = smooth ? cone_mu[i] * generator_unit(g) : 0;
        cone_lo[i] = normal || i == 14 || i == 16 ? 0 : -INFINITY;
        cone_hi[i] = i == 11 ? 0.7 : i == 15 || i == 16 ? 2 : INFINITY;
    }
    return c;
}

/* u = W z + q. */
typedef struct system {
    double W[N * N], q[N], A[N * N], R[N * N];
    bool inverse;
    const double *blocks;
    const perp_cone_set *set;
} system_of;

static void measure(void *ctx, const double *z, double *u)
{
    const system_of *t = ctx;
    for (int i = 0; i < N; i++) {
        u[i] = t->q[i];
        for (int j = 0; j < N; j++) u[i] += t->W[j * N + i] * z[j];
    }
}

static bool factor(void *ctx, const double *blocks, const bool *fixed)
{
    system_of *t = ctx;
    t->blocks = blocks;
    (void)fixed;
    return true;
}

/* By elimination with the largest pivots; rows that are fixed have no equation but dz = 0. */
static bool solve(void *ctx, double *a, double *dz)
{
    system_of *t = ctx;
    double *A = t->A;
    const double *B = t->blocks;
    bool fixed[N] = {[8] = true};
    memcpy(A, t->W, sizeof t->A);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) A[j * N + i] *= !fixed[i];
    }
    for (int b = 0; b < t->set->blocks; b++) {
        const perp_cone_block *k = &t->set->block[b];
        const int *row = t->set->row + k->first;
        for (int e = 0; e < k->count * k->count; e++)
            A[row[e / k->count] * N + row[e % k->count]] += B[e];
        B += k->count * k->count;
    }
    for (int k = 0; k < N; k++) {
        int p = k;
        for (int i = k; i < N; i++) p = fabs(A[k * N + i]) > fabs(A[k * N + p]) ? i : p;
        for (int j = 0; j < N; j++) {
            double x = A[j * N + k];
            A[j * N + k] = A[j * N + p];
            A[j * N + p] = x;
        }
        double x = a[k];
        a[k] = a[p];
        a[p] = x;
        for (int i = k + 1; i < N; i++) {
            double f = A[k * N + i] / A[k * N + k];
            for (int j = k; j < N; j++) A[j * N + i] -= f * A[j * N + k];
            a[i] -= f * a[k];
        }
    }
    for (int k = N - 1; k >= 0; k--) {
        for (int j = k + 1; j < N; j++) a[k] -= A[j * N + k] * a[j];
        a[k] /= A[k * N + k];
        dz[k] = a[k];
    }
    return true;
}

static void advance(void *ctx, double step)
{
    (void)ctx;
    (void)step;
}

static void draw(system_of *t, generator *g)
{
    double A[N * N];
    for (int k = 0; k < N * N; k++) A[k] = generator_uniform(g);
    for (int k = 0; k < N * N; k++) {
        t->W[k] = 0;
        for (int m = 0; m < N; m++) t->W[k] += A[k % N * N + m] * A[k / N * N + m] / N;
        t->R[k] = 0;
    }
    for (int i = 0; i < N; i++) t->q[i] = generator_uniform(g);
}

/* Some steps away from the start, where nothing is central. */
static void wander(perp_interior *t)
{
    perp_interior_start(t, 0.5, 2);
    for (int k = 0; k < 3; k++) {
        perp_interior_measure(t);
        ck_assert(perp_interior_factor(t, 0.7));
        ck_assert(perp_interior_direct(t, 0.3, false));
        perp_interior_advance(t, fmin(1, 0.9 * perp_interior_room(t)));
    }
    perp_interior_measure(t);
}

static perp_interior_equations equations(system_of *t, bool inverse)
{
    return (perp_interior_equations){.ctx = t,
                                     .inverse = inverse,
                                     .measure = measure,
                                     .factor = factor,
                                     .solve = solve,
                                     .advance = advance};
}

#endif
