/* cli/objective.c: the number that a program minimises, for who knows its optimum. */
#include "cli.h"

#include <math.h>

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* x'Hx/2 + c'x */
static double value_of_qp(const perp_qp *p, const double *x, perp_arena *a)
{
    double linear = dot(p->n, p->c, x);
    if (!p->H.format) return linear;
    double *Hx = perp_alloc(a, (size_t)p->n, sizeof *Hx);
    if (!Hx) return NAN;
    perp_mul(&p->H, 1, x, 0, Hx);
    return 0.5 * dot(p->n, x, Hx) + linear;
}

/* |A x - b|^2 / 2 */
static double value_of_nnls(const perp_nnls *p, const double *x, perp_arena *a)
{
    double *r = perp_alloc(a, (size_t)p->A.m, sizeof *r);
    if (!r) return NAN;
    for (int i = 0; i < p->A.m; i++) r[i] = -p->b[i];
    perp_mul(&p->A, 1, x, 1, r);
    return 0.5 * dot(p->A.m, r, r);
}

bool cli_objective(cli *c, const perp_file *file, const double *z, double *value)
{
    const perp_problem *p = &file->problem;
    if (p->kind != PERP_KIND_QP && p->kind != PERP_KIND_NNLS) return false;
    perp_mark mark = perp_arena_mark(&c->arena);
    *value = p->kind == PERP_KIND_QP ? value_of_qp(&p->as.qp, z, &c->arena) + file->constant
                                     : value_of_nnls(&p->as.nnls, z, &c->arena);
    perp_arena_release(&c->arena, mark);
    return true;
}
