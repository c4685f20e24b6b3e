/* peer_cholmod.c: one linear solve M x = -q by CHOLMOD: analysis, factorisation in its automatic
 * mode, and solution. No LCP solver, but the price of one factorisation that large sparse ones are
 * measured by. */
#include "peer.h"

#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>

typedef struct linear {
    cholmod_common common;
    cholmod_sparse *M;
    cholmod_dense *q;
} linear;

static void close_linear(void *state)
{
    linear *s = state;
    cholmod_free_sparse(&s->M, &s->common);
    cholmod_free_dense(&s->q, &s->common);
    cholmod_finish(&s->common);
    free(s);
}

static void *open_linear(const peer *self, const perp_problem *problem, double tol)
{
    const perp_lcp *p = &problem->as.lcp;
    const struct perp_csc_view *c = &p->M.as.csc;
    size_t n = (size_t)p->n, count = (size_t)c->p[p->n];
    linear *s = calloc(1, sizeof *s);
    (void)self, (void)tol;
    if (!s) return NULL;
    cholmod_start(&s->common);
    s->common.print = 0;
    s->M = cholmod_allocate_sparse(n, n, count, 1, 1, 1, CHOLMOD_REAL, &s->common);
    s->q = cholmod_allocate_dense(n, 1, n, CHOLMOD_REAL, &s->common);
    if (!s->M || !s->q) {
        close_linear(s);
        return NULL;
    }
    memcpy(s->M->p, c->p, (n + 1) * sizeof *c->p);
    memcpy(s->M->i, c->i, count * sizeof *c->i);
    memcpy(s->M->x, c->x, count * sizeof *c->x);
    for (size_t i = 0; i < n; i++) ((double *)s->q->x)[i] = -p->q[i];
    return s;
}

static int solve_linear(void *state, double *z, int *iterations)
{
    linear *s = state;
    cholmod_dense *x = NULL;
    cholmod_factor *L = cholmod_analyze(s->M, &s->common);
    if (L && cholmod_factorize(s->M, L, &s->common))
        x = cholmod_solve(CHOLMOD_A, L, s->q, &s->common);
    if (x) memcpy(z, x->x, s->M->nrow * sizeof *z);
    *iterations = 1;
    int bad = x ? s->common.status : 1;
    cholmod_free_dense(&x, &s->common);
    cholmod_free_factor(&L, &s->common);
    return bad;
}

const peer cholmod_peers[] = {
    {.name = "cholmod/solve",
     .reads = PERP_FORMAT_CSC,
     .yardstick = true,
     .open = open_linear,
     .solve = solve_linear,
     .close = close_linear},
    {0},
};
