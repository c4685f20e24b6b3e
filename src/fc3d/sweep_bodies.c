/* fc3d/sweep_bodies.c: sweeps in body form, in the velocities of the bodies.
 *
 * A contact reads u = A'y + w from its two bodies and adds A dr to them. Cost of a contact: 72
 * multiplications and 400 bytes, whatever the number of its neighbours. */
#include "base/clones.h"
#include "contact_update.h"
#include "sweep.h"

#include <string.h>

#define AHEAD 8 /* places: the time that a line takes from another processor's cache */

/* a.y + b.x, six numbers each, in the order that vectors of four and of two allow. */
PERP_INLINED double dot_bodies(const double *a, const double *y, const double *b, const double *x)
{
    double four[4], two[2];
    for (int k = 0; k < 4; k++) four[k] = a[k] * y[k] + b[k] * x[k];
    for (int k = 0; k < 2; k++) two[k] = a[4 + k] * y[4 + k] + b[4 + k] * x[4 + k];
    return ((four[0] + four[2]) + (four[1] + four[3])) + (two[0] + two[1]);
}

PERP_INLINED void push_body(const double *A, const double d[3], double *restrict y)
{
    for (int k = 0; k < 6; k++) y[k] += A[k] * d[0] + A[12 + k] * d[1] + A[24 + k] * d[2];
}

/* The bodies of a place will be needed soon. */
PERP_INLINED void announce(const perp_sweep *s, int place)
{
    const int *touch = s->touch + 2 * (size_t)place;
    __builtin_prefetch(s->state + PERP_BODY_STRIDE * (size_t)touch[0], 1);
    __builtin_prefetch(s->state + PERP_BODY_STRIDE * (size_t)touch[1], 1);
}

PERP_INLINED void loop_bodies(perp_sweep *s, bool simple, int from, int to, int member)
{
    for (int p = from; p < to && p < from + AHEAD; p++) announce(s, p);
    for (int p = from; p < to; p++) {
        const double *A = s->A + 36 * (size_t)p;
        if (p + AHEAD < to) announce(s, p + AHEAD);
        double *y = s->state + PERP_BODY_STRIDE * (size_t)s->touch[2 * (size_t)p];
        double *x = s->state + PERP_BODY_STRIDE * (size_t)s->touch[2 * (size_t)p + 1];
        size_t i = 3 * (size_t)p;
        double u[3], d[3];
        for (int e = 0; e < 3; e++) {
            u[e] = dot_bodies(A + 12 * e, y, A + 12 * e + 6, x);
            if (s->w) u[e] += s->w[i + (size_t)e];
        }
        if (!visit(s, simple, p, member, u, s->r + i, d)) continue;
        push_body(A, d, y);
        push_body(A + 6, d, x);
    }
}

PERP_CLONED_VOID(sweep_bodies, (perp_sweep *const s, int from, int to, int member),
                 (s, from, to, member))
{
    if (visit_is_simple(s))
        loop_bodies(s, true, from, to, member);
    else
        loop_bodies(s, false, from, to, member);
}

void perp_sweep_bodies(perp_sweep *s, int from, int to, int member)
{
    sweep_bodies(s, from, to, member);
}

/* The diagonal block of each place. */
static perp_status read_contacts(perp_run *run, perp_sweep *s)
{
    for (int p = 0; p < s->contacts; p++) {
        const double *A = s->A + 36 * (size_t)p;
        double W[9] = {0};
        for (int side = 0; side < 2; side++) perp_bodies_couple(A + 6 * side, A + 6 * side, W);
        perp_status status = perp_sweep_prepare(run, s, p, W);
        if (status) return status;
    }
    return PERP_SOLVED;
}

/* touch and A in the order of the sweep; false: no memory. */
static bool place_contacts(perp_arena *a, perp_sweep *s)
{
    size_t n = (size_t)s->contacts;
    int *touch = perp_alloc_unset(a, 2 * n, sizeof *touch);
    double *A = perp_alloc_unset(a, 36 * n, sizeof *A);
    if (a->failed) return false;
    for (size_t p = 0; p < n; p++) {
        size_t c = (size_t)s->order[p];
        memcpy(touch + 2 * p, s->bodies.touch + 2 * c, 2 * sizeof *touch);
        memcpy(A + 36 * p, s->bodies.A + 36 * c, 36 * sizeof *A);
    }
    s->touch = touch;
    s->A = A;
    return true;
}

static bool couple(perp_arena *a, const void *ctx, perp_couplings *c)
{
    const perp_sweep *s = ctx;
    return perp_couplings_bodies(a, s->contacts, s->bodies.bodies, s->bodies.touch, c);
}

static bool arrange(perp_arena *a, perp_sweep *s)
{
    if (!perp_sweep_arrange(a, s->bodies.key, couple, s) || !place_contacts(a, s)) return false;
    return !s->w || (s->w = perp_sweep_by_place(a, s, s->w));
}

perp_status perp_sweep_open_bodies(perp_run *run, bool coloured, perp_sweep *s)
{
    s->kind = PERP_SWEEP_BODIES;
    s->state_size = PERP_BODY_STRIDE * (size_t)s->bodies.bodies;
    s->state = PERP_ALLOC(run, double, s->state_size);
    if (run->arena->failed) return PERP_E_MEMORY;
    s->touch = s->bodies.touch;
    s->A = s->bodies.A;
    s->w = run->problem->as.fc3d.w;
    if (coloured && !arrange(run->arena, s)) return PERP_E_MEMORY;
    return read_contacts(run, s);
}

void perp_sweep_refresh_bodies(perp_sweep *s)
{
    memcpy(s->state, s->bodies.free, s->state_size * sizeof *s->state);
    for (int p = 0; p < s->contacts; p++) {
        const double *d = s->r + 3 * (size_t)p;
        for (size_t side = 0; side < 2; side++) {
            size_t body = (size_t)s->touch[2 * (size_t)p + side];
            push_body(s->A + 36 * (size_t)p + 6 * side, d, s->state + PERP_BODY_STRIDE * body);
        }
    }
}
