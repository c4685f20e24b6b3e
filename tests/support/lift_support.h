/* tests/support/lift_support.h: problems restated as others, and measured there. */
#ifndef PERP_LIFT_SUPPORT_H
#define PERP_LIFT_SUPPORT_H

#include "core/internal.h"
#include "support.h"

#include <math.h>
#include <string.h>

#define INF INFINITY
enum { N = 6, M = 9 }; /* unknowns and rows; multiples of 3 for the blocks */

static inline double value_at(const perp_problem *p, const double *z)
{
    return certify(p, z, PERP_SOLVED).value;
}

/* Slack of a problem at z. */
static inline void slack(const perp_problem *p, const double *z, double *w)
{
    perp_arena a = {0};
    perp_residual r;
    const perp_scales s = {.s = {1, 1, 1}};
    ck_assert_int_eq(perp_kind_ops_of(p->kind)->measure(p, &s, z, w, 0, &a, &r), PERP_SOLVED);
    perp_arena_free(&a);
}

static inline void lift_to(perp_problem p, perp_kind to, perp_arena *a, perp_lift *lift)
{
    perp_error e = {0};
    p.name = "lifted";
    perp_problem full = perp_complete(&p);
    ck_assert(perp_can_lift(p.kind, to));
    ck_assert_msg(perp_lift_problem(&full, to, a, lift, &e) == PERP_SOLVED, "%s", e.text);
    ck_assert(lift->problem.kind == to);
    ck_assert_str_eq(lift->problem.name, "lifted");
    ck_assert_int_eq(perp_validate(&lift->problem, &e), PERP_SOLVED);
    ck_assert(lift->up || perp_size(&lift->problem) == perp_size(&p));
    ck_assert_int_eq(!lift->up, !lift->down);
}

static inline void fill(generator *g, int count, double zeros, double *x)
{
    for (int k = 0; k < count; k++) {
        x[k] = generator_unit(g) < zeros ? 0 : generator_uniform(g);
    }
}

static inline bool sorted(const perp_matrix *A)
{
    return ascending(A->n, A->as.csc.p, A->as.csc.i);
}

typedef struct sample {
    double H[N * N], A[M * N], c[N], lo[M], hi[M], xlo[N], xhi[N], z[N + M];
} sample;

/* z solves it: x and y are chosen, each row and bound put where its multiplier says, then c. */
static inline void make_sample(uint64_t seed, sample *s)
{
    generator g = generator_start(seed);
    double *x = s->z, *y = s->z + N;
    fill(&g, N * N, 0.3, s->H);
    fill(&g, M * N, 0.4, s->A);
    fill(&g, N, 0, x);
    for (int i = 0; i < M; i++) {
        double Ax = 0, gap = generator_unit(&g), size = generator_unit(&g);
        for (int j = 0; j < N; j++) Ax += s->A[j * M + i] * x[j];
        const double lo[] = {Ax, Ax, Ax - gap, -INF, -INF, -INF, Ax, Ax - 1, Ax - gap};
        const double hi[] = {Ax, INF, INF, Ax, Ax + gap, INF, Ax + 1, Ax, Ax + gap};
        const double mult[] = {size - 0.5, size, 0, -size, 0, 0, size, -size, 0};
        s->lo[i] = lo[i];
        s->hi[i] = hi[i];
        y[i] = mult[i];
    }
    for (int j = 0; j < N; j++) {
        const double lo[] = {-INF, x[j], -INF, x[j], x[j] - 1, x[j]};
        const double hi[] = {INF, INF, x[j], x[j] + 1, x[j] + 1, x[j]};
        const double slope[] = {0, 0.5, -0.5, 1, 0, -2};
        s->xlo[j] = lo[j];
        s->xhi[j] = hi[j];
        s->c[j] = slope[j];
        for (int k = 0; k < N; k++) s->c[j] -= s->H[k * N + j] * x[k];
        for (int i = 0; i < M; i++) s->c[j] += s->A[j * M + i] * y[i];
    }
}

static inline perp_problem problem_of(const sample *s, perp_matrix H, perp_matrix A)
{
    perp_problem p = perp_make_qp(N, M, H, s->c, A, s->lo, s->hi);
    p.as.qp.xlo = s->xlo;
    p.as.qp.xhi = s->xhi;
    return p;
}

#endif
