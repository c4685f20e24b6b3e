/* ncp/path.c (mcp/path): Newton's method for the normal map along piecewise-linear paths, the
 * method of the PATH solver. Dirkse, Ferris, The PATH solver: a nonmonotone stabilization scheme
 * for mixed complementarity problems, Optimization Methods and Software 5 (1995) 123-156; the same,
 * Crash techniques for large- scale complementarity problems (1997); Ferris, Munson, Interfaces to
 * PATH 3.0, Computational Optimization and Applications 12 (1999) 207-227, for the merit, the
 * proximal steps and restarts; Ferris, Lucidi, Journal of Optimization Theory and Applications 81
 * (1994), for the watchdog.
 *
 * An iteration is a pivot, or the step along a path that came of them. A step linearises F, follows
 * the path to the solution of that problem (ncp/linearised_path.c), and goes there on trust; when
 * the merit |G|^2 / 2 of Fischer and Burmeister has not fallen after some such steps it goes back
 * to the last good point and searches the path from there. Where there is no path F + e (z - z_k)
 * gives one, and at last the merit's own descent. Memory: the basis and 24 + 40 vectors. */
#include "base/vector.h"
#include "core/defaults.h"
#include "core/internal.h"
#include "core/kinds.h"
#include "linearised_path.h"
#include "semismooth_mcp.h"

#define ARMIJO 1e-3  /* part of the fall that the path promises */
#define HALVINGS 12  /* of a path that is searched */
#define WILD 1e4     /* no step on trust to a merit so many times that of the last good point */
#define PROXIMAL 3   /* attempts with J + e I, */
#define STRONGER 1e2 /* each with so many times the one before it */
#define CRASH_HALVINGS 6
#define CRASH_FALL 0.9   /* of the merit in a crash step, or the path takes over */
#define ENOUGH 50000     /* iterations, and 20 n, after which it does not start again */
#define LONGEST_PAUSE 15 /* descents between two paths of which none brought anything */
#define PATIENCE 30      /* steps without a clear fall of the merit, and it starts elsewhere */
#define CLEARLY 0.99

typedef struct path {
    perp_run *run;
    const perp_mcp_path_options *o;
    int n;
    semismooth_mcp mcp;
    linearised_path w;
    double *good, good_merit; /* the last point that the watchdog approves of */
    double *recent;           /* merits of such points, */
    int memory, watchdog;     /* that many; steps on trust at most */
    int count;                /* of them so far */
    int trusted;              /* steps since then */
    double *point;
    double e;        /* first proximal shift of this start */
    int idle, pause; /* descents to make before the next path; and after the next failure */
    double lowest;   /* merit of this start, as it last fell clearly, */
    int since;       /* and steps since then */
    bool ended;      /* a limit of the run, or no memory */
} path;

static bool open_path(path *p, perp_run *run)
{
    p->good = PERP_ALLOC(run, double, p->n);
    p->point = PERP_ALLOC(run, double, p->n);
    p->recent = PERP_ALLOC(run, double, p->o->memory);
    return !run->arena->failed && perp_linearised_path_open(&p->w, run->arena, &p->mcp.s);
}

/* ---- the watchdog ---- */

static void approve(path *p)
{
    memcpy(p->good, p->mcp.s.z, (size_t)p->n * sizeof *p->good);
    p->good_merit = p->mcp.s.merit;
    p->recent[p->count++ % p->memory] = p->mcp.s.merit;
    p->trusted = 0;
    p->since++;
    if (p->mcp.s.merit < CLEARLY * p->lowest) {
        p->lowest = p->mcp.s.merit;
        p->since = 0;
    }
}

static double reference(const path *p)
{
    double most = p->good_merit;
    int count = p->count < p->memory ? p->count : p->memory;
    for (int k = 0; k < count; k++) most = fmax(most, p->recent[k]);
    return most;
}

static void start_watch(path *p)
{
    p->count = p->since = p->idle = p->pause = 0;
    p->lowest = INFINITY;
    approve(p);
}

/* Did the last step, on trust, bring the merit down? */
static bool fell(const path *p)
{
    return p->mcp.s.merit <= (1 - ARMIJO) * reference(p);
}

/* ---- steps ---- */

/* Does the ray on which the path of an affine problem ended prove that it is infeasible? */
static bool proves(path *p)
{
    if (!p->mcp.map.constant || !perp_linearised_path_ray(&p->w, p->point)) return false;
    if (perp_prove(p->run, PERP_INFEASIBLE, p->point)) return false;
    p->run->proof = p->point;
    perp_fail(p->run, PERP_INFEASIBLE, "no z within the bounds is feasible; w holds the proof");
    return true;
}

/* Follow the path from the iterate. False: it has no length, or the run is over. */
static bool follow(path *p, double e)
{
    double most = (double)p->o->pivots * (100 + (double)p->n);
    perp_linear_path_step step =
        perp_linearised_path_follow(&p->w, p->run, e, most < 1e9 ? (int)most : 1000000000);
    if (step == PERP_LINEAR_PATH_MEMORY) p->mcp.s.starved = true;
    bool limit = step == PERP_LINEAR_PATH_PIVOTED && p->run->status != PERP_SOLVED;
    p->ended = p->mcp.s.starved || (limit && p->run->status != PERP_STALLED) ||
               (step == PERP_LINEAR_PATH_RAY && e == 0 && proves(p));
    return !p->ended && p->w.reach > 0;
}

/* Back along the path by halves, until the merit falls as it should. */
static bool search(path *p)
{
    double part = 1, highest = reference(p);
    for (int h = 0; h <= HALVINGS && !p->mcp.map.overrun; h++, part /= 2) {
        perp_linearised_path_at(&p->w, part, p->point);
        double fall = 2 * ARMIJO * part * p->w.reach * p->mcp.s.merit;
        if (!perp_semismooth_box_go(&p->mcp.s, p->point, highest - fall)) continue;
        approve(p);
        return true;
    }
    return false;
}

/* A Newton step for the merit itself, or one of Levenberg and Marquardt, which always descends. */
static bool descend(path *p)
{
    p->mcp.s.steps = 0; /* monotone */
    if (!perp_semismooth_box_step(&p->mcp.s, HALVINGS, 0)) return false;
    approve(p);
    return true;
}

/* The path, or a proximal one. */
static bool step_along(path *p)
{
    double e = p->e;
    if (follow(p, e) && search(p)) return true;
    for (int k = 0; k < PROXIMAL && !p->ended && !p->mcp.map.overrun; k++) {
        e = e > 0 ? e * STRONGER : 1e-6 * fmax(1, sqrt(2 * p->mcp.s.merit));
        if (follow(p, e) && search(p)) return true;
    }
    return false;
}

/* From a point that is approved of. Where paths lead nowhere they are followed less and less. */
static bool step_surely(path *p)
{
    if (p->idle > 0) {
        p->idle--;
    } else if (step_along(p)) {
        p->pause = 0;
        return true;
    } else if (p->ended) {
        return true;
    } else {
        p->idle = p->pause;
        p->pause = p->pause < LONGEST_PAUSE ? 2 * p->pause + 1 : LONGEST_PAUSE;
    }
    return descend(p);
}

static bool go_back(path *p)
{
    p->trusted = 0;
    return perp_semismooth_box_go(&p->mcp.s, p->good, INFINITY);
}

/* One step. False: there is none. */
static bool step(path *p)
{
    if (p->trusted >= p->watchdog && p->trusted > 0) {
        if (!go_back(p)) return false;
        return step_surely(p);
    }
    if (p->watchdog == 0 || p->idle > 0) return step_surely(p);
    if (!follow(p, p->e) && p->ended) return true;
    if (p->w.reach == 1) {
        perp_linearised_path_at(&p->w, 1, p->point);
        if (perp_semismooth_box_go(&p->mcp.s, p->point, WILD * reference(p))) {
            p->trusted++;
            if (fell(p)) approve(p);
            return true;
        }
    }
    if (p->trusted > 0) {
        if (!go_back(p)) return false;
    } else if (p->w.reach > 0 && search(p)) {
        return true;
    }
    return step_surely(p);
}

/* ---- a start ---- */

/* Newton steps on the face that z - F shows, projected, while they pay. */
static bool crash(path *p)
{
    for (int k = 0; k < p->o->crash; k++) {
        double before = p->mcp.s.merit;
        if (!perp_semismooth_box_direct(&p->mcp.s, &perp_semismooth_released, 0)) return true;
        p->mcp.s.steps = 0;
        if (!perp_semismooth_box_search(&p->mcp.s, CRASH_HALVINGS)) return true;
        double estimate = perp_semismooth_mcp_estimate(&p->mcp);
        if (!perp_continue(p->run, p->mcp.s.z, estimate) && p->run->status != PERP_STALLED)
            return false;
        if (p->mcp.s.merit > CRASH_FALL * before) return true;
    }
    return true;
}

/* Settings of the first start and of those after it. */
typedef struct setting {
    bool crash, monotone;
    double at, e; /* z where it is not the caller's, in typical sizes; first shift */
} setting;

static const setting settings[] = {
    {true, false, 0, 0},  {false, true, 0, 0},   {true, false, 0, 1e-4}, {true, false, 1, 0},
    {true, false, 10, 0}, {true, false, 0.1, 0}, {false, true, 1, 1e-2}, {false, true, 0, 1},
};
#define SETTINGS ((int)(sizeof settings / sizeof *settings))
#define OWN 3 /* the first of these begin where the caller wants */

/* Begin for the k-th time. False: undefined there. */
static bool start(path *p, int k, const double *z)
{
    for (int i = 0; i < p->n; i++) {
        p->point[i] = k < OWN ? z[i] : settings[k].at * kind_typical(p->mcp.map.map, i);
    }
    p->e = settings[k].e;
    p->memory = settings[k].monotone ? 1 : p->o->memory;
    p->watchdog = settings[k].monotone ? 0 : p->o->watchdog;
    p->ended = false;
    return perp_semismooth_box_start_near(&p->mcp.s, p->point);
}

static perp_status conclude(path *p)
{
    if (p->mcp.s.starved) return PERP_E_MEMORY;
    return perp_semismooth_mcp_end(&p->mcp);
}

/* From one start to an end. PERP_STALLED: try another. */
static perp_status walk(path *p, bool crashes, double *z)
{
    perp_run *run = p->run;
    if (crashes && !perp_is_sizing(run) && !crash(p)) return run->status;
    start_watch(p);
    for (;;) {
        memcpy(z, p->mcp.s.z, (size_t)p->n * sizeof *z);
        if (!perp_continue(run, z, perp_semismooth_mcp_estimate(&p->mcp)) &&
            run->status != PERP_STALLED)
            return run->status;
        run->status = PERP_SOLVED; /* as at the start: a stall is ours to find */
        if (p->since > PATIENCE || !step(p)) return PERP_STALLED;
        if (p->ended) return p->mcp.s.starved ? PERP_E_MEMORY : run->status;
    }
}

static perp_status solve(perp_run *run, double *z)
{
    path p = {.run = run, .o = (const perp_mcp_path_options *)run->options};
    perp_status status = perp_semismooth_mcp_open(&p.mcp, run, 1);
    if (status) return status;
    p.n = p.mcp.s.n;
    if (!open_path(&p, run)) return PERP_E_MEMORY;
    double *own = PERP_ALLOC(run, double, p.n);
    if (run->arena->failed) return PERP_E_MEMORY;
    memcpy(own, z, (size_t)p.n * sizeof *own);
    bool any = false;
    double effort =
        perp_budget(run) - ENOUGH - 20.0 * p.n; /* iterations that are not for restarts */
    for (int k = 0; k < SETTINGS && k <= p.o->restarts; k++) {
        if (k > 0 && perp_budget(run) < effort) break;
        if (!start(&p, k, own)) {
            if (p.mcp.map.overrun) return perp_semismooth_mcp_refuse(&p.mcp);
            continue;
        }
        any = true;
        status = walk(&p, settings[k].crash, z);
        if (status != PERP_STALLED) return status;
        status = conclude(&p);
        if (status != PERP_STALLED) return status;
    }
    return any ? perp_semismooth_mcp_stall(&p.mcp) : perp_semismooth_mcp_refuse(&p.mcp);
}

static const perp_option options[] = {
    PERP_OPTION(perp_mcp_path_options, crash, 0, 1000,
                "projected Newton steps before the first path; 0: none"),
    PERP_OPTION(perp_mcp_path_options, memory, 1, 1000,
                "merits the search along a path looks back to; 1: each has to be smaller"),
    PERP_OPTION(perp_mcp_path_options, watchdog, 0, 1000,
                "full steps taken on trust before the merit has to have fallen; 0: none"),
    PERP_OPTION(perp_mcp_path_options, pivots, 1, 1000000,
                "of one path at most, times 100 + the number of unknowns"),
    PERP_OPTION(perp_mcp_path_options, restarts, 0, 100,
                "other settings and starts where the way ends short of a solution"),
    {0},
};

static const perp_solver solver = {
    .name = "mcp/path",
    .about = "Newton along piecewise-linear paths, as the PATH solver (Dirkse, Ferris 1995)",
    .kind = PERP_KIND_MCP,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
    .flags = PERP_SOLVER_READS_CALLBACK | PERP_SOLVER_CHEAP_CERTIFICATE | PERP_SOLVER_MAY_ALLOCATE,
    .options_size = sizeof(perp_mcp_path_options),
    .options = options,
    .solve = solve,
    .room = perp_room_none,
};

const perp_mcp_path_options perp_mcp_path = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 1000000, .threads = 1},
    .crash = 10,
    .memory = 10,
    .watchdog = 4,
    .pivots = 10,
    .restarts = 10,
};
