/* core/refine.c: a Newton step from a solved z, where F is a callback.
 *
 * A residual of at most tol says how small F is, and not how near z is to a solution: where the
 * Jacobian is nearly singular the two differ by its condition. The step d of Newton's method for
 * the residual's own map,
 *
 *     d_i = bound - z_i where z_i - theta_i F_i / s_i is beyond it,    (J d)_i = -F_i elsewhere,
 *
 * is that distance to first order (Robinson, Mathematics of Operations Research 5 (1980) 43-62),
 * and the certificate that decided has evaluated J already. Where d is longer than tol, in sizes of
 * the unknowns, z + d is certified too, and returned where its residual is lower. All other ends
 * leave z as it is: a singular Jacobian, F undefined at z + d, no memory, no time.
 *
 * It costs a factorisation, and a certificate for each step. Memory: that of
 * linalg/newton_system.h and 5 n numbers, when the solver has given back its own. */
#include "base/watch.h"
#include "callback.h"
#include "driver.h"
#include "kinds.h"
#include "linalg/newton_system.h"
#include "opened.h"

/* Of the literature's solves by mcp/auto and mcp/josephy at tol = 1e-8 59 take one step, 2 take
 * two, and 5, with a J that is singular at the solution, would go on beyond six. At tol = 1e-4 9 of
 * 10 steps between 0.01 and 0.1 lower the residual, of longer ones none of 2. */
#define STEPS 3
#define LONGEST 0.1     /* in sizes of the unknowns */
#define PROXIMAL 1e-8   /* on the diagonal of a singular system, whose rows add up to about 1 */
#define SYMMETRIC 1e-12 /* relative differences of entries that should be the same */

typedef struct refinement {
    perp_callback *k; /* what it has found at z */
    const double *z, *F;
    perp_arena *arena;
    double *theta, *a, *b, *r, *x; /* sizes, the system (newton_system.h), and z + d */
} refinement;

/* Rows and columns of J in sizes of the unknowns, which keeps it symmetric where it is. */
static void scale_jacobian(const perp_jacobian *map, const double *theta)
{
    bool sparse = map->J.format == PERP_FORMAT_CSC;
    const struct perp_csc_view *c = &map->J.as.csc;
    size_t n = (size_t)map->n;
    for (size_t j = 0; j < n; j++) {
        size_t from = sparse ? (size_t)c->p[j] : j * n,
               to = sparse ? (size_t)c->p[j + 1] : from + n;
        for (size_t e = from; e < to; e++) {
            size_t i = sparse ? (size_t)c->i[e] : e - from;
            map->x[e] *= theta[i] * theta[j];
        }
    }
}

/* The rows of the map in sizes: of F over s, or of the distance to a bound. */
static void linearise(refinement *t)
{
    const perp_callback *k = t->k;
    for (int i = 0; i < k->map.n; i++) {
        double theta = fmax(fabs(t->z[i]), kind_typical(k->map.map, i)), s = k->size[i];
        double move = s > 0 ? theta * (t->F[i] / s) : 0;
        double lo = kind_bound(k->lo, i, k->map.least), hi = kind_bound(k->hi, i, INFINITY);
        double map = box_natural(t->z[i], move, lo, hi);
        bool between = s > 0 && map == move;
        t->theta[i] = theta;
        t->a[i] = between ? (k->map.differenced ? PROXIMAL : 0) : 1;
        t->b[i] = between ? 1 / (s * theta) : 0;
        t->r[i] = -map / theta;
    }
    scale_jacobian(&k->map, t->theta);
}

/* Where solutions are not isolated J is singular between the bounds, and a proximal step leads to
 * the next of them, if J is monotone. Differences of F, which hide that, are off by as much. */
static bool factor(refinement *t, perp_newton_system *system)
{
    if (!perp_newton_system_open(system, t->arena, &t->k->map.J, SYMMETRIC)) return false;
    int status = perp_newton_system_factor(system, t->a, t->b, 0);
    if (status <= 0) return status == 0;
    for (int i = 0; i < system->n; i++) t->a[i] = fmax(t->a[i], PROXIMAL);
    return perp_newton_system_factor(system, t->a, t->b, 0) == 0;
}

/* x = z + d within the bounds, and the length of d in sizes. INFINITY: there is no step. */
static double find_step(refinement *t)
{
    perp_newton_system system;
    const perp_callback *k = t->k;
    double length = 0;
    linearise(t);
    if (!factor(t, &system) || perp_newton_system_solve(&system, t->r, t->x)) return INFINITY;
    for (int i = 0; i < k->map.n; i++) {
        double lo = kind_bound(k->lo, i, k->map.least), hi = kind_bound(k->hi, i, INFINITY);
        t->x[i] = box_project(t->z[i] + t->theta[i] * t->x[i], lo, hi);
        length = perp_worst(length, fabs(t->x[i] - t->z[i]) / t->theta[i]);
    }
    return length;
}

/* Are the Jacobian and the sizes those of the best iterate? Then it is the last one certified, or
 * is certified again. */
static bool stands_at_best(perp_driver *d)
{
    perp_residual r;
    if (d->latest) return true;
    d->result->certificates++;
    double tol = d->options->tol;
    return !d->ops->measure(&d->problem, &d->scale, d->best, d->slack, tol, d->arena, &r);
}

static bool has_followers(const perp_problem *p)
{
    return p->kind == PERP_KIND_MCP && p->as.mcp.follows;
}

static bool take_step(perp_driver *d, refinement *t)
{
    double before = d->best_rank;
    perp_mark mark = perp_arena_mark(d->arena);
    t->z = d->best;
    t->F = d->best_slack;
    double length = stands_at_best(d) ? find_step(t) : INFINITY;
    perp_arena_release(d->arena, mark);
    if (!(length > d->options->tol && length <= LONGEST)) return false;
    perp_judge_at(d, d, d->best_solver, t->x);
    return d->best_rank < before;
}

static bool applies(const perp_driver *d)
{
    return d->scale.callback && !d->model && !has_followers(&d->problem);
}

void perp_refine_room(perp_driver *d)
{
    perp_newton_system system;
    if (!applies(d)) return;
    perp_mark mark = perp_arena_mark(d->arena);
    perp_count(d->arena, 5 * (size_t)d->size, sizeof(double));
    perp_newton_system_open(&system, d->arena, &d->scale.callback->map.J, SYMMETRIC);
    perp_arena_release(d->arena, mark);
}

void perp_refine(perp_driver *d)
{
    size_t n = (size_t)d->size;
    perp_arena *a = d->arena;
    if (!applies(d) || d->cancelled || d->interrupted) return;
    perp_opened_release(a, d->mark); /* the solver has ended */
    if (perp_watch_stops(a)) return;
    perp_mark mark = perp_arena_mark(a);
    double *room = perp_alloc_unset(a, 5 * n, sizeof *room);
    if (room) {
        refinement t = {.k = d->scale.callback, .arena = a};
        t.theta = room;
        t.a = t.theta + n;
        t.b = t.a + n;
        t.r = t.b + n;
        t.x = t.r + n;
        for (int k = 0; k < STEPS && take_step(d, &t); k++) continue;
    }
    perp_arena_release(a, mark);
    a->failed = false; /* z is solved without it */
}
