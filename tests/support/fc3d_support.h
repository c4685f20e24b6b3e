/* tests/support/fc3d_support.h: friction problems, and a run to look into solvers' parts with. */
#ifndef PERP_FC3D_SUPPORT_H
#define PERP_FC3D_SUPPORT_H

#include "support.h"

#include "perp/solver.h"

#include <math.h>
#include <string.h>

/* One of the generated families or scenes; `form` NULL: the family's own. */
static inline generated_problem fc3d_generate(const char *family, const char *form, int size,
                                              uint64_t seed, perp_arena *a)
{
    generate_request r = generate_defaults;
    generated_problem g = {0};
    perp_error e = {0};
    r.family = family;
    r.form = form;
    r.size = size;
    r.seed = seed;
    ck_assert_msg(generate_problem(&r, a, &g, &e) == PERP_SOLVED, "%s: %s", family, e.text);
    return g;
}

/* Do something inside a solve: what solvers are made of needs a run. */
typedef struct fc3d_probe {
    perp_options base;
    perp_status (*look)(perp_run *run, double *z, void *ctx);
    void *ctx;
} fc3d_probe;

static perp_status fc3d_look(perp_run *run, double *z)
{
    const fc3d_probe *p = (const fc3d_probe *)run->options;
    return p->look(run, z, p->ctx);
}

static const perp_solver fc3d_prober = {
    .name = "fc3d/probe",
    .about = "looks around",
    .kind = PERP_KIND_FC3D,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3,
                PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3},
    .flags = PERP_SOLVER_READS_BODY | PERP_SOLVER_MAY_ALLOCATE,
    .options_size = sizeof(fc3d_probe),
    .solve = fc3d_look,
};

static inline perp_status fc3d_inside(const perp_problem *p,
                                      perp_status (*look)(perp_run *, double *, void *), void *ctx,
                                      perp_result *r)
{
    perp_arena a = {0};
    fc3d_probe o = {.base = {.solver = &fc3d_prober, .tol = 0, .max_iter = 100, .threads = 1},
                    .look = look,
                    .ctx = ctx};
    double *z = perp_alloc(&a, (size_t)perp_size(p) + 1, sizeof *z);
    perp_status s = perp_solve(p, &o.base, &a, z, NULL, r);
    perp_arena_free(&a);
    return s;
}

/* Threads change no bit of what a solve returns. */
static inline void fc3d_same_bits(const perp_problem *p, perp_options *o)
{
    static const int threads[] = {1, 2, 3, 8};
    perp_arena a = {0};
    size_t n = (size_t)perp_size(p);
    double *z = perp_alloc(&a, n, sizeof *z), *first = perp_alloc(&a, n, sizeof *first);
    for (int k = 0; k < 4; k++) {
        perp_result r;
        o->threads = threads[k];
        ck_assert_int_eq(solve_checked(p, o, k ? z : first, NULL, &r), PERP_MAX_ITER);
        if (k) ck_assert_mem_eq(z, first, n * sizeof *z);
    }
    perp_arena_free(&a);
}

/* W of a body form without equalities, densely: column e is H' M^-1 H e. */
static inline void fc3d_delassus(const perp_fc3d *f, double *W)
{
    int n = 3 * f->contacts, nv = f->M.n;
    perp_arena a = {0};
    double *M = perp_alloc(&a, (size_t)nv * (size_t)nv, sizeof *M);
    double *x = perp_alloc(&a, (size_t)nv, sizeof *x), *e = perp_alloc(&a, (size_t)n, sizeof *e);
    double *unit = perp_alloc(&a, (size_t)nv, sizeof *unit);
    ck_assert(!a.failed);
    for (int c = 0; c < n; c++) {
        memset(e, 0, (size_t)n * sizeof *e);
        e[c] = 1;
        for (int j = 0; j < nv; j++) {
            memset(unit, 0, (size_t)nv * sizeof *unit);
            unit[j] = 1;
            perp_mul(&f->M, 1, unit, 0, M + (size_t)j * (size_t)nv);
        }
        perp_mul(&f->H, 1, e, 0, x);
        for (int k = 0; k < nv; k++) { /* Gauss, M is definite */
            for (int i = k + 1; i < nv; i++) {
                double m = M[k * nv + i] / M[k * nv + k];
                for (int j = k; j < nv && m != 0; j++) M[j * nv + i] -= m * M[j * nv + k];
                x[i] -= m * x[k];
            }
        }
        for (int k = nv - 1; k >= 0; k--) {
            for (int j = k + 1; j < nv; j++) x[k] -= M[j * nv + k] * x[j];
            x[k] /= M[k * nv + k];
        }
        perp_mul_t(&f->H, 1, x, 0, W + (size_t)c * (size_t)n);
    }
    perp_arena_free(&a);
}

#endif
