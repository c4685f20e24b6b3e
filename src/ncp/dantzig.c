/* ncp/dantzig.c: boxed LCPs by Dantzig's principal pivoting, and friction boxes whose bounds follow
 * the normal forces, bounded anew until they agree.
 * Dantzig (1961), Cottle & Dantzig (1968), Judice & Pires (1992) for the pivots, see
 * dantzig_boxes.c; Haslinger, Approximation of the Signorini problem with friction, obeying the
 * Coulomb law, Math. Meth. Appl. Sci. 5 (1983), for the fixed point in the bounds; Stewart &
 * Trinkle (1996), see mcp_to_lcp.c, for the LCP at the end.
 *
 * With the bounds frozen at mu times the present normal forces (engines stop there) the problem is
 * a convex QP, solved exactly. Which unknowns are then between bounds, and which slide along with
 * their normal force, gives a linear system for all of them at once: Newton's step for the fixed
 * point. It makes the next bounds while the residual falls; else the frozen solution makes them.
 * The factor is kept from round to round. Where the bounds go round in circles, a larger diagonal
 * makes them settle (Rockafellar, Monotone operators and the proximal point algorithm, SIAM J.
 * Control Optim. 14 (1976), for M alone); last the boxes are unfolded into an LCP and Lemke's
 * method solves that: no theorem stands behind the rounds, one does behind it.
 *
 * M symmetric positive semidefinite, of any rank, or what rounding to single precision has made of
 * such: the larger diagonal is definite, and the residual is that of M as it is given. Memory:
 * dantzig_boxes.c, with findex the square of the number of unknowns between their bounds, and, for
 * the LCP, what lcp/lemke takes for 7n/3 unknowns.
 */
#include "base/cache.h"
#include "core/defaults.h"
#include "core/internal.h"
#include "dantzig_boxes.h"
#include "linalg/dense.h"
#include "linalg/principal_submatrix.h"
#include "mcp_to_lcp.h"

#include <math.h>
#include <string.h>

#define FALLS 0.5     /* part of the lowest residual that a round has to reach to count */
#define FAILURES 4    /* rounds in a row that do not */
#define BETTER 0.99   /* part of the lowest residual that is worth a certificate */
#define SETTLED 1e-15 /* residual that no further round will lower */
#define ROUNDED 1e-5  /* indefinite by no more than this, relative: M was rounded */
/* What is added to the diagonal, relative: first, least and most. The first is above what single
 * precision leaves (6e-8 an entry); beyond the most a step hardly moves. Recorded steps of Bullet.
 */
#define SHIFT 1e-6
#define SHIFT_LEAST 1e-8
#define SHIFT_MOST 10
#define SHIFTED_ROUNDS 12 /* for one shifted problem */
#define STEPS 100         /* proximal steps at most */
#define PATIENCE 25       /* proximal steps in which the residual has to halve */

typedef struct friction {
    const perp_mcp *p;
    double *old;          /* z that the bounds are made of */
    double lowest;        /* residual of these rounds so far */
    double shown;         /* and of what perp_continue has seen: it counts pivots, not rounds */
    int failed;           /* rounds in a row that did not lower it */
    double *B, *rhs;      /* Newton's system */
    int room, *pivot;     /* its size at most */
    perp_matrix M;        /* the problem's own, canonical, */
    bool is_shifted;      /* where b->M is not */
    double *q, *v;        /* q of the shifted problem; M z + q of the problem itself */
    double inner;         /* residual of what b solves */
    double *centre, best; /* of the shift; the residual there */
    double least;         /* shift that is worth a try */
} friction;

static bool follows(const perp_mcp *p, int i)
{
    return p->follows && p->follows[i] >= 0;
}

static double bound_of(const perp_mcp *p, const double *z, int i)
{
    double normal = z[p->follows[i]];
    return normal > 0 ? p->mu[i] * normal : 0;
}

static void set_bounds(perp_dantzig_boxes *b, const perp_mcp *p, const double *z)
{
    for (int i = 0; i < b->n; i++) {
        b->lo[i] = p->lo ? p->lo[i] : -INFINITY;
        b->hi[i] = p->hi ? p->hi[i] : INFINITY;
        if (!follows(p, i)) continue;
        b->hi[i] = bound_of(p, z, i);
        b->lo[i] = -b->hi[i];
    }
}

/* |z - P(z - w)|, scaled, with the bounds that hold at b->z. */
static double natural(const perp_dantzig_boxes *b, const perp_mcp *p, const double *w)
{
    double sum = 0;
    for (int i = 0; i < b->n; i++) {
        bool own = !follows(p, i);
        double hi = own ? b->hi[i] : bound_of(p, b->z, i), lo = own ? b->lo[i] : -hi;
        double r = w[i], most = b->z[i] - lo, least = b->z[i] - hi;
        r = r < least ? least : r > most ? most : r;
        sum += r * r;
    }
    return sqrt(sum) / perp_scale(b->run);
}

/* M z + q of the problem itself. */
static void find_slack(const perp_dantzig_boxes *b, friction *f, const double *z)
{
    perp_mul(&f->M, 1, z, 0, f->v);
    for (int i = 0; i < b->n; i++) f->v[i] += f->p->F.q[i];
}

/* The residual of the problem at b->z, which goes to z, and f->inner. */
static double measure(perp_dantzig_boxes *b, friction *f, double *z)
{
    memcpy(z, b->z, (size_t)b->n * sizeof *z);
    perp_dantzig_boxes_slack(b);
    f->inner = natural(b, f->p, b->w);
    if (!f->is_shifted) return f->inner;
    find_slack(b, f, b->z);
    return natural(b, f->p, f->v);
}

static perp_status conclude(perp_dantzig_boxes *b, perp_dantzig_boxes_end e)
{
    switch (e) {
    case PERP_DANTZIG_BOXES_RAY: return perp_dantzig_boxes_prove(b);
    case PERP_DANTZIG_BOXES_INDEFINITE:
        b->rounded = -b->left <= ROUNDED * b->size;
        if (b->rounded) return PERP_UNCERTIFIED;
        return perp_fail(b->run, PERP_E_NUMBER, "M is not positive semidefinite, as index %d shows",
                         b->driven);
    case PERP_DANTZIG_BOXES_STOPPED: return b->run->status;
    case PERP_DANTZIG_BOXES_NO_MEMORY: return PERP_E_MEMORY;
    default:
        return perp_fail(
            b->run, PERP_STALLED,
            "the pivots for index %d make no progress: M may not be positive semidefinite",
            b->driven);
    }
}

/* ---- Newton's step for the bounds ---- */

static bool open_system(perp_dantzig_boxes *b, friction *f)
{
    int k = b->a.u.k;
    if (k <= f->room) return true;
    f->room = k + k / 4 < b->n ? k + k / 4 : b->n;
    f->B = perp_alloc_unset(b->run->arena, (size_t)f->room * (size_t)f->room, sizeof *f->B);
    f->rhs = perp_alloc_unset(b->run->arena, (size_t)f->room, sizeof *f->rhs);
    f->pivot = perp_alloc_unset(b->run->arena, (size_t)f->room, sizeof *f->pivot);
    return !b->run->arena->failed;
}

/* Does i slide, held at a bound that moves with an unknown of the set? +-mu, or 0. */
static double slides(const perp_dantzig_boxes *b, const perp_mcp *p, int i)
{
    if (!follows(p, i) || b->a.place[i] >= 0 || b->a.place[p->follows[i]] < 0) return 0;
    if (!(b->hi[i] > 0)) return 0;
    return b->z[i] == b->hi[i] ? p->mu[i] : b->z[i] == b->lo[i] ? -p->mu[i] : 0;
}

/* Column j of M, rows of the set, times t, added to x. */
static void add_column(perp_dantzig_boxes *b, int j, double t, double *x)
{
    perp_active_factor_gather(&b->a, j, b->x);
    for (int p = 0; p < b->a.u.k; p++) x[p] += t * b->x[p];
}

/* w_a = 0 with the sliding ones moved along: z of the set and of these. False: singular. */
static bool newton(perp_dantzig_boxes *b, friction *f)
{
    int k = b->a.u.k;
    size_t ld = (size_t)k;
    memset(f->B, 0, ld * ld * sizeof *f->B);
    for (int p = 0; p < k; p++) {
        add_column(b, b->a.set[p], 1, f->B + (size_t)p * ld);
        f->rhs[p] = b->w[b->a.set[p]];
    }
    for (int i = 0; i < b->n; i++) {
        double mu = slides(b, f->p, i);
        if (mu == 0) continue;
        int at = b->a.place[f->p->follows[i]];
        double lag = b->z[i] - mu * b->z[b->a.set[at]]; /* z_i is where the old bound was */
        add_column(b, i, mu, f->B + (size_t)at * ld);
        add_column(b, i, -lag, f->rhs);
    }
    if (perp_lu_factor(k, f->B, k, f->pivot, b->run->arena->watch)) return false;
    perp_lu_solve(k, f->B, k, f->pivot, false, 1, f->rhs);
    memcpy(b->to, b->z, (size_t)b->n * sizeof *b->to);
    for (int p = 0; p < k; p++) {
        b->to[b->a.set[p]] -= f->rhs[p];
        if (!isfinite(b->to[b->a.set[p]])) return false;
    }
    return true;
}

/* The normal forces that the next bounds are made of, into f->old. With no unknown between its
 * bounds there is no system to solve, and z stays. */
static bool choose_bounds(perp_dantzig_boxes *b, friction *f, double residual)
{
    f->failed = residual <= FALLS * f->lowest ? 0 : f->failed + 1;
    if (residual < f->lowest) f->lowest = residual;
    if (!open_system(b, f)) return false;
    bool stepped = b->a.u.k > 0 && f->failed % 4 < 2 && newton(b, f);
    memcpy(f->old, stepped ? b->to : b->z, (size_t)b->n * sizeof *f->old);
    return true;
}

/* ---- the method ---- */

/* PERP_UNCERTIFIED: the bounds go round in circles. */
static perp_status settle(perp_dantzig_boxes *b, friction *f, int rounds, double goal, double *z)
{
    f->failed = 0;
    f->lowest = INFINITY;
    for (int k = 0; k < rounds && f->failed < FAILURES; k++) {
        set_bounds(b, f->p, f->old);
        perp_dantzig_boxes_end e = perp_dantzig_boxes_solve(b);
        if (e != PERP_DANTZIG_BOXES_DONE) return conclude(b, e);
        double residual = measure(b, f, z);
        bool better = residual < BETTER * f->shown;
        if (better) f->shown = residual;
        if (!perp_continue(b->run, better ? z : NULL, better ? residual : INFINITY))
            return b->run->status;
        if (!f->p->follows || f->inner <= goal) break;
        if (!choose_bounds(b, f, f->inner)) return PERP_E_MEMORY;
    }
    return PERP_UNCERTIFIED;
}

/* From z. */
static bool start(perp_dantzig_boxes *b, friction *f, const double *z)
{
    if (b->n == 0) return true;
    memcpy(b->z, z, (size_t)b->n * sizeof *z);
    memcpy(f->old, z, (size_t)b->n * sizeof *z);
    set_bounds(b, f->p, z);
    return perp_dantzig_boxes_take(b);
}

/* Sweeps of mcp/nncg from z, then rounds from there. */
static perp_status sweep(perp_dantzig_boxes *b, friction *f, const perp_mcp_dantzig_options *o,
                         double *z)
{
    perp_mcp_nncg_options sweeps = perp_mcp_nncg;
    sweeps.base.tol = o->base.tol;
    sweeps.base.max_iter = o->sweeps;
    sweeps.base.warm_start = true;
    perp_status status = perp_nested(b->run, b->run->problem, &sweeps.base, z, NULL);
    if (status == PERP_E_MEMORY) return status;
    return start(b, f, z) ? settle(b, f, o->rounds, SETTLED, z) : PERP_E_MEMORY;
}

/* ---- the proximal point method ---- */

/* q of the shifted problem, whose M and q agree with the problem's at the centre. */
static void centre_at(perp_dantzig_boxes *b, friction *f, const double *centre)
{
    find_slack(b, f, centre);
    perp_mul(&b->M, 1, centre, 0, f->q);
    for (int i = 0; i < b->n; i++) f->q[i] = f->v[i] - f->q[i];
    memcpy(f->old, centre, (size_t)b->n * sizeof *centre);
}

static perp_status open_shifted(perp_dantzig_boxes *b, friction *f, const double *z)
{
    size_t bytes = (size_t)b->n * sizeof *z;
    f->q = PERP_ALLOC(b->run, double, b->n);
    f->v = PERP_ALLOC(b->run, double, b->n);
    f->centre = PERP_ALLOC(b->run, double, b->n);
    if (b->run->arena->failed || !perp_dantzig_boxes_shift(b, &f->M, SHIFT)) return PERP_E_MEMORY;
    memcpy(f->centre, z, bytes);
    memcpy(b->z, z, bytes);
    set_bounds(b, f->p, z);
    find_slack(b, f, z);
    f->best = natural(b, f->p, f->v);
    b->q = f->q;
    f->is_shifted = true;
    return PERP_SOLVED;
}

/* The end of a proximal step. Returns the next shift: less after a success, but what has failed is
 * forgotten by halves. */
static double conclude_step(perp_dantzig_boxes *b, friction *f, double part, double goal)
{
    size_t bytes = (size_t)b->n * sizeof *b->z;
    find_slack(b, f, b->z);
    double now = natural(b, f->p, f->v);
    bool settled = f->inner <= goal;
    if (settled || now < f->best) {
        memcpy(f->centre, b->z, bytes);
        f->best = now;
    } else {
        memcpy(b->z, f->centre, bytes);
    }
    f->least = fmax(settled ? 0.5 * f->least : 3 * part, SHIFT_LEAST);
    return settled ? fmax(part / 3, f->least) : 10 * part;
}

/* z+ solves the problem with the symmetric part of M, its diagonal a little larger, and q such that
 * a z+ = z solves the problem itself. The shift takes away what rounding M has made indefinite, and
 * the more of it the sooner the bounds settle, but the shorter the steps. */
static perp_status approach(perp_dantzig_boxes *b, friction *f, double *z)
{
    double part = SHIFT, lowest = INFINITY, tol = b->run->options->tol;
    if (b->n == 0) return PERP_UNCERTIFIED;
    perp_status status = open_shifted(b, f, z);
    if (status) return status;
    for (int k = 0, since = 0; k < STEPS && since < PATIENCE && part < SHIFT_MOST; k++, since++) {
        double goal = fmax(1e-2 * f->best, tol / 10), old = part;
        centre_at(b, f, f->centre);
        f->inner = INFINITY;
        status = settle(b, f, SHIFTED_ROUNDS, goal, z);
        if (status != PERP_UNCERTIFIED) return status;
        part = conclude_step(b, f, part, goal);
        if (f->best <= 0.5 * lowest) {
            lowest = f->best;
            since = 0;
        }
        if (part != old && !perp_dantzig_boxes_shift(b, &f->M, part)) return PERP_E_MEMORY;
    }
    return PERP_UNCERTIFIED;
}

/* Back to the problem itself. */
static void unshift(perp_dantzig_boxes *b, friction *f)
{
    if (!f->is_shifted) return;
    b->M = f->M;
    b->q = f->p->F.q;
    for (int j = 0; j < b->n; j++) b->a.diagonal[j] = perp_diagonal(&b->M, j);
    f->is_shifted = false;
}

/* ---- the solver ---- */

/* Lemke's method on the LCP that the boxes unfold to, then rounds from its answer. */
static perp_status unfold(perp_dantzig_boxes *b, friction *f, int rounds, double *z)
{
    perp_mcp_as_lcp u;
    perp_lcp_lemke_options o = perp_lcp_lemke;
    perp_status status = perp_mcp_to_lcp(f->p, b->run->arena, &u);
    if (status == PERP_E_MEMORY) return status;
    if (status) return PERP_UNCERTIFIED;
    double *x = PERP_ALLOC(b->run, double, u.size);
    if (!x && u.size) return PERP_E_MEMORY;
    o.base.tol = b->run->options->tol;
    status = perp_nested(b->run, &u.lcp, &o.base, x, NULL);
    if (status < 0) return status;
    perp_mcp_from_lcp(&u, x, z);
    unshift(b, f);
    return start(b, f, z) ? settle(b, f, rounds, SETTLED, z) : PERP_E_MEMORY;
}

static perp_status dantzig(perp_run *run, double *z)
{
    const perp_mcp_dantzig_options *o = (const perp_mcp_dantzig_options *)run->options;
    perp_dantzig_boxes b;
    friction f = {.p = &run->problem->as.mcp, .shown = INFINITY};
    perp_status status = perp_dantzig_boxes_open(&b, run);
    if (status) return status;
    f.M = b.M;
    f.old = PERP_ALLOC(run, double, b.n);
    if (run->arena->failed) return PERP_E_MEMORY;
    if (run->options->warm_start && !start(&b, &f, z)) return PERP_E_MEMORY;
    bool sizing = perp_is_sizing(run);
    status = b.rounded ? PERP_UNCERTIFIED : settle(&b, &f, o->rounds, SETTLED, z);
    bool boxes = f.p->follows && !b.rounded; /* pivots are no use to what was rounded */
    if ((sizing || status == PERP_UNCERTIFIED) && boxes && o->sweeps > 0)
        status = sweep(&b, &f, o, z);
    if ((sizing || status == PERP_UNCERTIFIED) && (b.rounded || (boxes && o->sweeps > 0)))
        status = approach(&b, &f, z);
    if ((sizing || status == PERP_UNCERTIFIED) && boxes && o->lemke)
        status = unfold(&b, &f, o->rounds, z);
    if (status != PERP_UNCERTIFIED) return status;
    return perp_fail(
        run, PERP_STALLED,
        f.p->follows
            ? "the friction bounds did not converge: they still disagree with the normal forces"
            : "rounding errors spoil the pivots: M is nearly singular on the active set");
}

/* A proof; and systems that grow by a quarter at least, so that all are less than three times the
 * last. */
static void room(perp_run *run)
{
    const perp_mcp *p = &run->problem->as.mcp;
    size_t n = (size_t)p->F.n;
    perp_count(run->arena, n, sizeof(double));
    if (!p->follows) return;
    perp_count(run->arena, perp_count_product(3 * n, n), sizeof(double));
    perp_count(run->arena, 5 * n + 256, sizeof(double) + sizeof(int));
}

static const perp_option options[] = {
    PERP_OPTION(perp_mcp_dantzig_options, rounds, 1, 1000000,
                "boxed problems to solve at most, the bounds of friction moved before the next"),
    PERP_OPTION(perp_mcp_dantzig_options, sweeps, 0, 1000000,
                "of mcp/nncg where the bounds do not settle, for rounds and proximal steps from a "
                "better start; 0: neither"),
    PERP_OPTION(perp_mcp_dantzig_options, lemke, 0, 1,
                "where the bounds do not settle, unfold the boxes and use Lemke's method"),
    {0},
};

static const perp_solver solver = {
    .name = "mcp/dantzig",
    .about = "principal pivoting for symmetric semidefinite M and boxes, bounds updated from the "
             "normal forces until both agree (Dantzig 1961; Haslinger 1983)",
    .kind = PERP_KIND_MCP,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
    .flags = PERP_SOLVER_READS_FOLLOWS | PERP_SOLVER_CHEAP_CERTIFICATE,
    .options_size = sizeof(perp_mcp_dantzig_options),
    .options = options,
    .solve = dantzig,
    .room = room,
};

const perp_mcp_dantzig_options perp_mcp_dantzig = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 1000000, .threads = 1},
    .rounds = 50,
    .sweeps = 300,
    .lemke = true,
};
