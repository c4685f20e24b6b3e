/* fc3d/sweep_bodies.c: sweeps in body form, in the velocities of the bodies.
 *
 * A contact reads u = A'y + w from its two bodies and adds A dr to them. Cost of a contact: 72
 * multiplications and 400 bytes, whatever the number of its neighbours. */
#include "base/clones.h"
#include "bodies.h"
#include "contact_update.h"
#include "sweep_variant.h"

#include <string.h>

#define AHEAD 8 /* places: the time that a line takes from another processor's cache */

typedef struct body_sweep {
    perp_sweep_touch by_place;
    perp_bodies bodies;
} body_sweep;

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
PERP_INLINED void announce(const perp_sweep *s, const perp_sweep_touch *own, int place)
{
    const int *touch = own->touch + 2 * (size_t)place;
    __builtin_prefetch(s->state + PERP_BODY_STRIDE * (size_t)touch[0], 1);
    __builtin_prefetch(s->state + PERP_BODY_STRIDE * (size_t)touch[1], 1);
}

PERP_INLINED void loop_bodies(perp_sweep *s, bool simple, int from, int to, int member)
{
    const perp_sweep_touch *own = s->own;
    for (int p = from; p < to && p < from + AHEAD; p++) announce(s, own, p);
    for (int p = from; p < to; p++) {
        const double *A = own->A + 36 * (size_t)p;
        if (p + AHEAD < to) announce(s, own, p + AHEAD);
        double *y = s->state + PERP_BODY_STRIDE * (size_t)own->touch[2 * (size_t)p];
        double *x = s->state + PERP_BODY_STRIDE * (size_t)own->touch[2 * (size_t)p + 1];
        size_t i = 3 * (size_t)p;
        double u[3], d[3];
        for (int e = 0; e < 3; e++) {
            u[e] = dot_bodies(A + 12 * e, y, A + 12 * e + 6, x);
            if (own->w) u[e] += own->w[i + (size_t)e];
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

static void sweep_places(perp_sweep *s, int from, int to, int member)
{
    sweep_bodies(s, from, to, member);
}

static void refresh(perp_sweep *s)
{
    const body_sweep *own = s->own;
    const perp_sweep_touch *t = &own->by_place;
    memcpy(s->state, own->bodies.free, s->state_size * sizeof *s->state);
    for (int p = 0; p < s->contacts; p++) {
        const double *d = s->r + 3 * (size_t)p;
        for (size_t side = 0; side < 2; side++) {
            size_t body = (size_t)t->touch[2 * (size_t)p + side];
            push_body(t->A + 36 * (size_t)p + 6 * side, d, s->state + PERP_BODY_STRIDE * body);
        }
    }
}

static void write_velocities(const perp_sweep *s, double *z)
{
    const body_sweep *own = s->own;
    perp_bodies_velocities(&own->bodies, s->state, z + 3 * (size_t)s->contacts);
}

static void read_block(const perp_sweep *s, int place, double W[9])
{
    const perp_sweep_touch *own = s->own;
    const double *A = own->A + 36 * (size_t)place;
    memset(W, 0, 9 * sizeof *W);
    for (int side = 0; side < 2; side++) perp_bodies_couple(A + 6 * side, A + 6 * side, W);
}

/* ---- opening ---- */

/* touch, A and w in the order of the sweep; false: no memory. */
static bool place_contacts(perp_arena *a, const perp_sweep *s, perp_sweep_touch *t)
{
    size_t n = (size_t)s->contacts;
    int *touch = perp_alloc_unset(a, 2 * n, sizeof *touch);
    double *A = perp_alloc_unset(a, 36 * n, sizeof *A);
    if (a->failed) return false;
    for (size_t p = 0; p < n; p++) {
        size_t c = (size_t)s->order[p];
        memcpy(touch + 2 * p, t->touch + 2 * c, 2 * sizeof *touch);
        memcpy(A + 36 * p, t->A + 36 * c, 36 * sizeof *A);
    }
    t->touch = touch;
    t->A = A;
    return !t->w || (t->w = perp_sweep_by_place(a, s, t->w));
}

static bool couple(perp_arena *a, const perp_sweep *s, perp_couplings *c)
{
    const perp_bodies *b = &((const body_sweep *)s->own)->bodies;
    return perp_couplings_bodies(a, s->contacts, b->bodies, b->touch, c);
}

static perp_status open_bodies(perp_run *run, const perp_sweep_options *o, perp_sweep *s)
{
    body_sweep *own = s->own = PERP_ALLOC(run, body_sweep, 1);
    if (run->arena->failed) return PERP_E_MEMORY;
    perp_bodies *b = &own->bodies;
    perp_status status = perp_bodies_open(run, b);
    if (status) return status;
    s->state_size = PERP_BODY_STRIDE * (size_t)b->bodies;
    s->state = PERP_ALLOC(run, double, s->state_size);
    if (run->arena->failed) return PERP_E_MEMORY;
    own->by_place = (perp_sweep_touch){b->touch, b->A, s->problem->w};
    bool room =
        o->order == PERP_ORDER_GIVEN || (perp_sweep_arrange(run->arena, b->key, couple, s) &&
                                         place_contacts(run->arena, s, &own->by_place));
    return room ? PERP_SOLVED : PERP_E_MEMORY;
}

const perp_sweep_ops perp_sweep_bodies = {
    .open = open_bodies,
    .block = read_block,
    .places = sweep_places,
    .refresh = refresh,
    .write = write_velocities,
};
