/* qp/affine_vi.c: affine variational inequalities, H not symmetric: the method of qp/fletcher
 * without an objective. Renouf and Acary use it for contact with friction (a "non symmetric QP by a
 * generalised Fletcher method"); Rockafellar, Monotone operators and the proximal point algorithm,
 * SIAM J. Control Optim. 14 (1976).
 *
 * Phase one as there; then solutions of H x + c + e (x - anchor), each followed to from the one
 * before, its anchor (method/avi_path.c). As soon as its set solves without e, that is the answer.
 * Where H is monotone there is one solution for each anchor; where it is not, the path may end. */
#include "affine_vi.h"

#include "base/vector.h"
#include "method/avi_path.h"
#include "phase_one.h"

#define PROX 1e-3  /* e over the largest entry of H, to begin with */
#define WEAKER 0.1 /* e of the next solution, over the last */
#define LEAST 1e-8 /* e over the largest entry of H, at least */
#define ROUNDS 40  /* solutions at most */
#define CHANGES 20 /* of the set, over n + m, on one path at most */

typedef struct avi {
    perp_run *run;
    const perp_dense_qp *p;
    perp_avi s;
    double *w;    /* n + m: a proof */
    double *last; /* n + m: multipliers */
    double size;  /* of H */
    double estimate;
} avi;

static bool open_avi(avi *a)
{
    const perp_qp *qp = a->p->qp;
    const struct perp_dense_view *H = &qp->H.as.dense;
    double *doubles = PERP_ALLOC(a->run, double, perp_avi_doubles(qp->n, qp->m));
    int *ints = PERP_ALLOC(a->run, int, perp_avi_ints(qp->n, qp->m));
    a->w = PERP_ALLOC(a->run, double, perp_size(a->run->problem));
    a->last = PERP_ALLOC(a->run, double, perp_size(a->run->problem));
    if (a->run->arena->failed) return false;
    perp_avi_open(&a->s, &a->p->rows, H->x, H->ld, qp->c, doubles, ints);
    a->s.watch = a->run->arena->watch;
    for (int j = 0; j < qp->n; j++) {
        double most = vector_max(qp->n, H->x + (size_t)j * (size_t)H->ld);
        a->size = most > a->size ? most : a->size;
    }
    return true;
}

static bool start(avi *a, const double *z)
{
    bool warm = a->run->options->warm_start;
    size_t all = (size_t)a->p->qp->n + (size_t)a->p->qp->m;
    signed char *side = PERP_ALLOC(a->run, signed char, all);
    if (a->run->arena->failed) return false;
    perp_phase_centre(a->p, a->s.s.value);
    perp_phase_start(a->p, &a->s.s, warm ? z : NULL, a->s.slope, a->s.v, side);
    return true;
}

/* One path. SOLVED: x solves for its anchor; STALLED: the path ended. */
static perp_status follow(avi *a)
{
    perp_avi_step step = PERP_AVI_MOVED;
    int most = CHANGES * (a->p->qp->n + a->p->qp->m + 1);
    perp_avi_begin(&a->s);
    while (step == PERP_AVI_MOVED && a->s.changes < most) {
        if (!perp_continue(a->run, NULL, INFINITY)) return a->run->status;
        step = perp_avi_advance(&a->s);
    }
    return step == PERP_AVI_SOLUTION ? PERP_SOLVED : PERP_STALLED;
}

static bool certify(avi *a, double *z)
{
    a->estimate *= 1e-3; /* falls, so that each is measured */
    perp_dense_qp_write(a->p, a->s.s.value, a->s.s.y, z);
    return !perp_continue(a->run, z, a->estimate);
}

/* Certify the solution on the set without e; or, where that is nearly singular, the present one,
 * whose x comes to rest. */
static bool offer(avi *a, double *z)
{
    size_t all = (size_t)a->p->qp->n + (size_t)a->p->qp->m;
    double *value = a->w, *y = a->last;
    memcpy(value, a->s.s.value, all * sizeof *value);
    memcpy(y, a->s.s.y, all * sizeof *y);
    bool done = perp_avi_polish(&a->s) && certify(a, z);
    memcpy(a->s.s.value, value, all * sizeof *value);
    memcpy(a->s.s.y, y, all * sizeof *y);
    return done || certify(a, z);
}

static perp_status end_on_path(avi *a, double *z)
{
    perp_dense_qp_write(a->p, a->s.s.value, a->s.s.y, z);
    return perp_fail(a->run, PERP_STALLED, "the path ended at t = %g: H is not monotone", a->s.t);
}

perp_status perp_affine_vi(const perp_dense_qp *p, perp_run *run, double *z)
{
    avi a = {.run = run, .p = p, .estimate = run->options->tol};
    if (!open_avi(&a) || !start(&a, z)) return PERP_E_MEMORY;
    perp_status status = perp_phase_one(p, &a.s.s, run, z, a.w);
    a.s.prox = PROX * a.size;
    for (int round = 0; !status && round < ROUNDS; round++) {
        status = follow(&a);
        if (status == PERP_STALLED) return end_on_path(&a, z);
        if (status) return status;
        if (offer(&a, z)) return run->status;
        a.s.prox = fmax(WEAKER * a.s.prox, LEAST * a.size);
    }
    if (status) return status;
    return perp_fail(run, PERP_STALLED,
                     "the iterates diverge (|x| = %g): the problem may have no solution",
                     vector_norm(p->qp->n, a.s.s.value));
}
