/* ncp/pgs_sm.c: sweeps of projected Gauss-Seidel, and Newton steps in the subspace that they show.
 * Silcowitz-Hansen, Niebe, Erleben, A projected Gauss-Seidel subspace minimization method for
 * interactive rigid body dynamics, GRAPP 2010; the subspace is that of the natural map, as in Qi,
 * Sun, A nonsmooth version of Newton's method, Mathematical Programming 58 (1993) 353-367; the
 * larger diagonal is that of proximal steps, Rockafellar, SIAM J. Control Optim. 14 (1976).
 *
 * After some sweeps the sign of z - w / M_ii against its bounds says which unknowns are free, and
 * which are at a bound, fixed or that of friction, which moves along with its normal force. One
 * linear system makes w of the free ones zero. Its diagonal is larger by a part that falls while
 * such steps succeed and grows where they do not, so that a singular M and an unfinished set do no
 * harm. A step may raise the residual, for the set settles so; far above the best point the run
 * goes back there. No theorem says that it converges.
 *
 * Any M with a positive diagonal, symmetric or not, of any rank; rows without one are left to the
 * Newton steps. A step costs 2 k^3 / 3 for k free unknowns; an iteration is a sweep or a step.
 * Memory: that of mcp/pgs, the square of the free unknowns, 8n numbers. */
#include "base/cache.h"
#include "core/defaults.h"
#include "core/internal.h"
#include "linalg/dense.h"
#include "linalg/principal_submatrix.h"
#include "sweep.h"

#include <string.h>

/* What is added to the diagonal, relative: first, least and most. Recorded steps of stacks and
 * walls under Bullet; from 1e-1 and from 1e-3 the same problems are solved. */
#define SHIFT 1e-2
#define SHIFT_LEAST 1e-10
#define SHIFT_MOST 10
#define LESS 0.2         /* times the shift after a step that brought the residual to .. */
#define SUCCESS 0.5      /* .. this part of what it was, */
#define SLOW 0.5         /* the same where it fell by less, */
#define MORE 10          /* and after one that raised it */
#define FAR 10           /* times the best residual: the run goes back */
#define LONGEST_PAUSE 15 /* rounds without sweeps */
#define PATIENCE 60      /* steps in which the best residual has to halve */

typedef struct subspace {
    perp_run *run;
    perp_box_sweep s;
    int *free, *place,
        count;        /* unknowns that are not at a bound; where each is among them, or -1 */
    double *slope;    /* +-mu of what is at a bound of friction that moves, else 0 */
    double *to, *w;   /* z with the rest on its bounds, and M to + q */
    double *size;     /* of the diagonal, all positive */
    double *A, *rhs;  /* the system, */
    int room, *pivot; /* and its size at most */
    double shift;
    double *best, lowest; /* the best point, its residual, */
    double mark;          /* that when it last halved, */
    int since;            /* and steps since then */
    int made;             /* sweeps of this round, */
    double before;        /* the residual before them; */
    int idle, pause;      /* rounds to make without sweeps, and after the next failure of them */
} subspace;

/* ---- opening ---- */

static void set_sizes(subspace *u)
{
    const perp_map *F = &u->s.p->F;
    double sum = 0;
    int count = 0;
    for (int i = 0; i < F->n; i++) {
        u->size[i] = perp_diagonal(&F->M, i);
        if (!(u->size[i] > 0)) continue;
        sum += u->size[i];
        count++;
    }
    for (int i = 0; i < F->n; i++) {
        if (!(u->size[i] > 0)) u->size[i] = count > 0 ? sum / count : 1;
    }
}

static perp_status open_subspace(subspace *u, perp_run *run, double *z)
{
    perp_status status = perp_box_open_any(run, z, &u->s);
    size_t n = (size_t)u->s.p->F.n;
    if (status) return status;
    u->free = PERP_ALLOC(run, int, n);
    u->place = PERP_ALLOC(run, int, n);
    u->slope = PERP_ALLOC(run, double, n);
    u->to = PERP_ALLOC(run, double, n);
    u->w = PERP_ALLOC(run, double, n);
    u->size = PERP_ALLOC(run, double, n);
    u->best = PERP_ALLOC(run, double, n);
    if (run->arena->failed) return PERP_E_MEMORY;
    set_sizes(u);
    return PERP_SOLVED;
}

static bool open_system(subspace *u)
{
    int k = u->count, n = u->s.p->F.n;
    perp_arena *a = u->run->arena;
    if (k <= u->room) return true;
    u->room = k + k / 4 < n ? k + k / 4 : n;
    u->A = perp_alloc_unset(a, (size_t)u->room * (size_t)u->room, sizeof *u->A);
    u->rhs = perp_alloc_unset(a, (size_t)u->room, sizeof *u->rhs);
    u->pivot = perp_alloc_unset(a, (size_t)u->room, sizeof *u->pivot);
    return !a->failed;
}

/* ---- the subspace ---- */

static int follows(const subspace *u, int i)
{
    return u->s.p->follows ? u->s.p->follows[i] : -1;
}

/* Who is free; the others go to the bound that they want to be at. */
static void choose_subspace(subspace *u, const double *z)
{
    u->count = 0;
    for (int i = 0; i < u->s.p->F.n; i++) {
        double lo, hi;
        perp_box_bounds_at(&u->s, z, i, &lo, &hi);
        double x = z[i] - u->s.state[i] / u->size[i];
        bool moves = follows(u, i) >= 0 && hi > 0;
        u->place[i] = -1;
        u->slope[i] = 0;
        u->to[i] = z[i];
        if (x > lo && x < hi) {
            u->place[i] = u->count;
            u->free[u->count++] = i;
        } else {
            u->to[i] = x <= lo ? lo : hi;
            if (moves) u->slope[i] = x <= lo ? -u->s.p->mu[i] : u->s.p->mu[i];
        }
    }
}

/* The free rows of column j of M, times t, added to x. */
static void add_column(const subspace *u, int j, double t, double *x)
{
    const perp_matrix *M = &u->s.p->F.M;
    if (M->format == PERP_FORMAT_DENSE) {
        const double *m = M->as.dense.x + (size_t)j * (size_t)M->as.dense.ld;
        for (int r = 0; r < u->count; r++) x[r] += t * m[u->free[r]];
        return;
    }
    const struct perp_csc_view *c = &M->as.csc;
    for (int e = c->p[j]; e < c->p[j + 1]; e++) {
        int r = u->place[c->i[e]];
        if (r >= 0) x[r] += t * c->x[e];
    }
}

/* w_f = 0 with a larger diagonal, and with the slides moved along. */
static void write_system(subspace *u)
{
    const perp_mcp *p = u->s.p;
    size_t k = (size_t)u->count;
    memset(u->A, 0, k * k * sizeof *u->A);
    for (size_t c = 0; c < k; c++) {
        int j = u->free[c];
        add_column(u, j, 1, u->A + c * k);
        u->A[c * k + c] += u->shift * u->size[j];
        u->rhs[c] = -u->w[j];
    }
    for (int i = 0; i < p->F.n; i++) {
        int c = u->slope[i] != 0 ? u->place[p->follows[i]] : -1;
        if (c >= 0) add_column(u, i, u->slope[i], u->A + (size_t)c * k);
    }
}

/* Every unknown into its bounds, normal forces before the friction that follows them. */
static void project(const subspace *u, double *z)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < u->s.p->F.n; i++) {
            double lo, hi;
            if ((follows(u, i) >= 0) != pass) continue;
            perp_box_bounds_at(&u->s, z, i, &lo, &hi);
            if (u->slope[i] != 0) z[i] = u->slope[i] > 0 ? hi : lo;
            z[i] = z[i] < lo ? lo : z[i] > hi ? hi : z[i];
        }
    }
}

/* False: the system is singular, or there is none. */
static bool step(subspace *u, double *z)
{
    const perp_map *F = &u->s.p->F;
    choose_subspace(u, z);
    if (u->count == 0 || !open_system(u)) return false;
    perp_mul(&F->M, 1, u->to, 0, u->w);
    for (int i = 0; i < F->n; i++) u->w[i] += F->q[i];
    write_system(u);
    if (perp_lu_factor(u->count, u->A, u->count, u->pivot, u->run->arena->watch)) return false;
    perp_lu_solve(u->count, u->A, u->count, u->pivot, false, 1, u->rhs);
    for (int c = 0; c < u->count; c++) {
        u->to[u->free[c]] += u->rhs[c];
        if (!isfinite(u->to[u->free[c]])) return false;
    }
    memcpy(z, u->to, (size_t)F->n * sizeof *z);
    project(u, z);
    perp_box_refresh(&u->s, z);
    return true;
}

/* ---- the method ---- */

static void keep(subspace *u, const double *z, double residual)
{
    if (!(residual < u->lowest)) return;
    u->lowest = residual;
    memcpy(u->best, z, (size_t)u->s.p->F.n * sizeof *z);
    if (residual > u->mark / 2) return;
    u->mark = residual;
    u->since = 0;
}

static double go_back(subspace *u, double *z)
{
    memcpy(z, u->best, (size_t)u->s.p->F.n * sizeof *z);
    perp_box_refresh(&u->s, z);
    return u->lowest;
}

/* A Newton step; returns the residual after it. */
static double advance(subspace *u, double *z, double before)
{
    u->since++;
    if (!step(u, z)) {
        u->shift = fmin(MORE * u->shift, SHIFT_MOST);
        return before;
    }
    double residual = perp_box_residual(&u->s, z);
    double factor = residual <= SUCCESS * before ? LESS : residual <= before ? SLOW : MORE;
    u->shift = fmin(fmax(factor * u->shift, SHIFT_LEAST), SHIFT_MOST);
    keep(u, z, residual);
    return residual <= FAR * u->lowest ? residual : go_back(u, z);
}

static double sweep(subspace *u, double *z)
{
    double residual = perp_box_run(&u->s, z, &u->run->merit);
    keep(u, z, residual);
    return isfinite(residual) && residual <= FAR * u->lowest ? residual : go_back(u, z);
}

/* After the sweeps of a round. Where they raise the residual, as they do where M is far from
 * symmetric, more and more rounds are made without. */
static void judge_sweeps(subspace *u, double before, double residual)
{
    u->pause = residual <= before ? 0 : 2 * u->pause + 1;
    u->idle = u->pause < LONGEST_PAUSE ? u->pause : LONGEST_PAUSE;
}

/* The next iteration of a round: its sweeps, then a Newton step. Returns the residual after it. */
static double iterate(subspace *u, int sweeps, double *z, double residual)
{
    if (u->made == 0) u->before = residual;
    if (u->made < sweeps && u->idle == 0) {
        residual = sweep(u, z);
        if (++u->made == sweeps) judge_sweeps(u, u->before, residual);
        return residual;
    }
    if (u->made == 0 && u->idle > 0) u->idle--;
    u->made = 0;
    return advance(u, z, residual);
}

static perp_status pgs_sm(perp_run *run, double *z)
{
    const perp_mcp_pgs_sm_options *o = (const perp_mcp_pgs_sm_options *)run->options;
    subspace u = {.run = run, .shift = SHIFT, .lowest = INFINITY, .mark = INFINITY};
    perp_status status = open_subspace(&u, run, z);
    if (status) return status;
    double residual = perp_box_residual(&u.s, z);
    if (!isfinite(residual)) return perp_fail(run, PERP_E_NUMBER, "M z + q overflows at the start");
    keep(&u, z, residual);
    while (perp_continue(run, z, residual)) {
        residual = iterate(&u, o->sweeps, z, residual);
        if (run->arena->failed) return PERP_E_MEMORY;
        if (u.since <= PATIENCE) continue;
        go_back(&u, z);
        return perp_fail(run, PERP_STALLED,
                         "%d Newton steps have not halved the residual: the set of free unknowns "
                         "does not settle",
                         PATIENCE);
    }
    if (u.lowest < residual) go_back(&u, z);
    return run->status;
}

/* The systems grow by a quarter at least, so that all are less than three times the last. */
static void room(perp_run *run)
{
    size_t n = (size_t)run->problem->as.mcp.F.n;
    perp_count(run->arena, perp_count_product(3 * n, n), sizeof(double));
    perp_count(run->arena, 5 * n + 256, sizeof(double) + sizeof(int));
}

static const perp_option options[] = {
    PERP_OPTION(perp_mcp_pgs_sm_options, sweeps, 1, 1000000,
                "of projected Gauss-Seidel before each Newton step"),
    {0},
};

static const perp_solver solver = {
    .name = "mcp/pgs_sm",
    .about = "sweeps of projected Gauss-Seidel and Newton steps in the subspace that they show "
             "(Silcowitz-Hansen, Niebe, Erleben 2010)",
    .kind = PERP_KIND_MCP,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
    .flags = PERP_SOLVER_READS_FOLLOWS | PERP_SOLVER_PATIENT,
    .options_size = sizeof(perp_mcp_pgs_sm_options),
    .options = options,
    .solve = pgs_sm,
    .room = room,
};

const perp_mcp_pgs_sm_options perp_mcp_pgs_sm = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 100000, .threads = 1},
    .sweeps = 3,
};
