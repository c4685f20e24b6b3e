/* fc3d/facets.c: friction on a pyramid inscribed in the cone, as one LCP.
 * Stewart and Trinkle (1996); Anitescu and Potra (1997).
 *
 * Each contact has its normal force, a force along each of the pyramid's edges d_k, and a
 * multiplier: 0 <= r_N _|_ u_N >= 0,   0 <= b_k _|_ d_k.u_T + l >= 0,   0 <= l _|_ mu r_N - sum b
 * >= 0, r_T = sum b_k d_k. Lemke's method solves it (Anitescu and Potra). That is not the problem
 * that was asked for: sliding forces lie on edges. The run ends `uncertified` on the exact cone,
 * with both residuals, unless all contacts stick or slide along an edge. With rounds > 1 each
 * pyramid is turned so that an edge lies where its contact slides, and the LCP is solved again.
 * Memory: the LCP's matrix, (facets + 1)^2 numbers for each block of W, dense for Lemke. */
#include "blocks.h"

#include "../kernel/cone.h"
#include "perp/solver.h"
#include "perp/solvers.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct pyramid {
    perp_blocks b;
    int facets, size; /* unknowns of a contact: facets + 2 */
    double *edge;     /* 3 (facets + 1) a contact: the normal, then the edges, as columns */
    double *q, *z;    /* of the LCP */
    double residual;  /* of the LCP */
} pyramid;

/* Edges of a contact, the first at an angle. */
static void turn(pyramid *p, int contact, double angle)
{
    double *E = p->edge + 3 * (size_t)(p->facets + 1) * (size_t)contact;
    E[0] = 1, E[1] = E[2] = 0;
    for (int k = 0; k < p->facets; k++) {
        double a = angle + 2 * PI * k / p->facets, *d = E + 3 * (k + 1);
        d[0] = 0, d[1] = cos(a), d[2] = sin(a);
    }
}

/* The entry of row f of contact i and column g of contact j: E_i' W_ij E_j. */
static double product(const double *e, const double *W, const double *d)
{
    double sum = 0;
    for (int k = 0; k < 9; k++) sum += e[k % 3] * W[k] * d[k / 3];
    return sum;
}

/* M by columns. Rows are W's blocks read as columns of W', which are sorted as well. */
static perp_status assemble(perp_run *run, pyramid *p, perp_matrix *M)
{
    const struct perp_bsr3_view *W = &p->b.W;
    int n = p->b.contacts, edges = p->facets + 1, size = p->size;
    long long entries = (long long)W->p[n] * edges * edges + 2LL * n * edges;
    if (entries > INT_MAX || (long long)n * size > INT_MAX) {
        return perp_fail(run, PERP_E_MEMORY, "the LCP of %d facets is too large", p->facets);
    }
    int *start = PERP_ALLOC(run, int, (size_t)n *(size_t)size + 1);
    int *row = PERP_ALLOC(run, int, entries), *next = PERP_ALLOC(run, int, n *size);
    double *x = PERP_ALLOC(run, double, entries);
    if (run->arena->failed) return PERP_E_MEMORY;
    for (int i = 0; i < n; i++) {
        for (int k = W->p[i]; k < W->p[i + 1]; k++) {
            for (int g = 0; g < edges; g++) start[W->j[k] * size + g + 1] += edges;
        }
        for (int g = 0; g < edges; g++) start[i * size + g + 1] += 1; /* the last row */
        start[i * size + edges + 1] += p->facets;                     /* the last column */
    }
    for (int c = 0; c < n * size; c++) start[c + 1] += start[c];
    for (int c = 0; c < n * size; c++) next[c] = start[c];
    for (int i = 0; i < n; i++) {
        for (int k = W->p[i]; k < W->p[i + 1]; k++) {
            int j = W->j[k];
            for (int g = 0; g < edges; g++) {
                for (int f = 0; f < edges; f++) {
                    int to = next[j * size + g]++;
                    row[to] = i * size + f;
                    x[to] = product(p->edge + 3 * ((size_t)i * (size_t)edges + (size_t)f),
                                    W->x + 9 * (size_t)k,
                                    p->edge + 3 * ((size_t)j * (size_t)edges + (size_t)g));
                }
            }
        }
        for (int g = 0; g < edges; g++) {
            int to = next[i * size + g]++;
            row[to] = i * size + edges;
            x[to] = g == 0 ? p->b.mu[i] : -1;
        }
        for (int f = 1; f < edges; f++) {
            int to = next[i * size + edges]++;
            row[to] = i * size + f;
            x[to] = 1;
        }
    }
    *M = perp_csc(n * size, n * size, start, row, x);
    return PERP_SOLVED;
}

static void fill_q(pyramid *p)
{
    int edges = p->facets + 1;
    for (int c = 0; c < p->b.contacts; c++) {
        const double *q = p->b.q + 3 * (size_t)c;
        for (int f = 0; f < edges; f++) {
            const double *e = p->edge + 3 * ((size_t)c * (size_t)edges + (size_t)f);
            p->q[c * p->size + f] = e[0] * q[0] + e[1] * q[1] + e[2] * q[2];
        }
        p->q[c * p->size + edges] = 0;
    }
}

static void read_forces(const pyramid *p, double *r)
{
    int edges = p->facets + 1;
    for (int c = 0; c < p->b.contacts; c++) {
        double *to = r + 3 * (size_t)c;
        to[0] = to[1] = to[2] = 0;
        for (int f = 0; f < edges; f++) {
            const double *e = p->edge + 3 * ((size_t)c * (size_t)edges + (size_t)f);
            for (int i = 0; i < 3; i++) to[i] += e[i] * p->z[c * p->size + f];
        }
    }
}

/* One LCP, in memory that is given back. */
static perp_status solve_pyramid(perp_run *run, pyramid *p, double *z)
{
    const perp_facets_options *o = (const perp_facets_options *)run->options;
    perp_mark mark = perp_arena_mark(run->arena);
    perp_matrix M;
    perp_result result = {0};
    perp_lemke_options lemke = perp_lcp_lemke;
    perp_plain_options other = perp_lcp_auto;
    perp_options *how = o->lcp == PERP_FACETS_LEMKE ? &lemke.base : &other.base;
    how->tol = o->base.tol;
    perp_status status = assemble(run, p, &M);
    if (!status) {
        fill_q(p);
        perp_problem lcp = perp_make_lcp(p->b.contacts * p->size, M, p->q);
        status = perp_nested(run, &lcp, how, p->z, &result);
        p->residual = result.residual.value;
        if (status < 0) perp_fail(run, status, "%s", result.detail);
        if (status >= 0) read_forces(p, z);
        if (status > 0) perp_fail(run, status, "the pyramids' LCP: %s", result.detail);
    }
    perp_arena_release(run->arena, mark);
    return status;
}

static perp_status facets(perp_run *run, double *z)
{
    const perp_facets_options *o = (const perp_facets_options *)run->options;
    pyramid p = {.facets = o->facets, .size = o->facets + 2};
    perp_status status = perp_blocks_open(run, &p.b);
    if (status) return status;
    size_t n = (size_t)p.b.contacts;
    p.edge = PERP_ALLOC(run, double, 3 * n * (size_t)(p.facets + 1));
    p.q = PERP_ALLOC(run, double, n *(size_t)p.size);
    p.z = PERP_ALLOC(run, double, n *(size_t)p.size);
    double *u = PERP_ALLOC(run, double, 3 * n), error = INFINITY;
    if (run->arena->failed) return PERP_E_MEMORY;
    for (int round = 0; round < o->rounds; round++) {
        if (!perp_blocks_continue(run, &p.b, z, error)) break;
        for (int c = 0; c < p.b.contacts; c++) {
            const double *t = u + 3 * (size_t)c;
            bool slides = round > 0 && (t[1] != 0 || t[2] != 0);
            turn(&p, c, slides ? atan2(-t[2], -t[1]) : 0);
        }
        status = solve_pyramid(run, &p, z);
        if (status) break;
        perp_blocks_velocity(&p.b, z, u);
        error = perp_blocks_error(&p.b, z, u, NULL) / perp_scale(run);
    }
    if (p.b.reduced) perp_reduce_back(p.b.reduced, z);
    if (status || run->status) return status ? status : run->status;
    return perp_fail(run, PERP_UNCERTIFIED, "residual %.2e on pyramids, %.2e on the exact cone",
                     p.residual, error);
}

static const perp_option options[] = {
    PERP_OPTION(perp_facets_options, facets, 3, 64, "edges of each pyramid"),
    PERP_OPTION(perp_facets_options, rounds, 1, 1000,
                "LCPs to solve, an edge turned to where each contact slides before the next"),
    PERP_OPTION_CHOICE(perp_facets_options, lcp, "lemke|auto", "what solves the LCP"),
    {0},
};

static const perp_solver solver = {
    .name = "fc3d/facets",
    .about = "pyramids inscribed in the cones, one LCP by Lemke: not the exact cone (Stewart, "
             "Trinkle 1996)",
    .kind = PERP_FC3D,
    .formats = {PERP_DENSE | PERP_CSC | PERP_BSR3, PERP_DENSE | PERP_CSC | PERP_BSR3},
    .flags = PERP_READS_BODY | PERP_MAY_ALLOCATE | PERP_PATIENT,
    .options_size = sizeof(perp_facets_options),
    .options = options,
    .solve = facets,
};

const perp_facets_options perp_fc3d_facets = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 1000000, .threads = 1},
    .facets = 8,
    .rounds = 1,
};
