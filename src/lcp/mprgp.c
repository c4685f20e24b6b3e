/* lcp/mprgp.c: modified proportioning with reduced gradient projections, for symmetric M.
 * Dostal, Schoeberl, Minimizing quadratic functions subject to bound constraints, Computational
 * Optimization and Applications 30 (2005); Dostal, Optimal Quadratic Programming Algorithms (2009);
 * the projected conjugate step: Kruzik, Horak et al., Advances in Engineering Software 147 (2020).
 *
 * Minimises z'M z / 2 + q'z over z >= 0 by conjugate gradients on the face where z > 0. A step that
 * would leave the orthant is projected (expansion of the active set); when the slopes at the bound
 * outweigh those on the face, a step along them leaves the face (proportioning). One product with M
 * a step, one more where a step is projected, which is seldom towards the end. The diagonal of M,
 * where it shows, measures the unknowns: the method then does not depend on their units.
 *
 * For sparse M the faces settle long before the digits do. A few Newton steps from there (the
 * primal-dual active set: solve on the face, move every unknown that has the wrong sign) end with
 * all digits; each is a sparse factorisation of M on the face, ordered anew. Where there is no
 * memory for them, and when one fails, the products go on. Memory: 8n numbers, M / 2, a factor. */
#include "base/clones.h"
#include "base/watch.h"
#include "core/defaults.h"
#include "core/internal.h"
#include "face_solve.h"
#include "symmetric.h"

#include <float.h>

#define POWER_STEPS 12  /* of the power method: within some 10 % of |M| */
#define POWER_SLACK 1.1 /* and what is added for that */
#define CURVATURE 16    /* p'M p below so many units of rounding of |M| |p|^2 is zero */
#define RAYLEIGH 1e-6   /* p'M p below this part of |M| times the slope is looked at */
#define DOUBLINGS 8     /* of |M|, when a gradient step shows that it was too small */
#define LANES 4         /* partial sums */

/* Newton's method starts when at most a part STILL of the unknowns has come or gone over SETTLED
 * steps: earlier, the face grows by a layer a factorisation, for which gradients are cheaper. */
#define SETTLED 50
#define STILL 0.002
#define NEWTON_STEPS 6 /* in a row, and only while the changes halve at least, */
#define FEW 8          /* or are not more than these */
#define NEWTON_TRIES 3 /* in a solve; the wait between them doubles */

typedef struct state {
    perp_run *run;
    const perp_lcp_mprgp_options *options;
    const perp_lcp *lcp;
    int n;
    double *z, *w;         /* the iterate and M z + q */
    double *p, *Mp;        /* direction: steps go along -p */
    double *d;             /* measures: 1 over the diagonal of M, or 1 */
    double *old_z, *old_w; /* to go back to */
    double norm;           /* of M, in the measures d */
    double stiffest;       /* largest 1 / d */
    double scale;          /* of the residual */
    double fall;           /* of the energy in the last step */

    perp_matrix sparse; /* M with sorted columns, for Newton's steps */
    bool can_newton;
    int tries, newton_left; /* Newton's method: tried so often, steps left in this try */
    int changes;            /* of the face in Newton's last step */
    int since, wait;        /* steps since the last look at the face, and between looks */
    unsigned char *face;    /* is z_i > 0 there? at the last look, or for Newton's next step */
} state;

/* ---- measures ---- */

/* d = 1 / M_ii. A zero on the diagonal of a semidefinite M is a zero row: any measure does. */
static void set_measures(state *s)
{
    bool seen = s->options->preconditioner == PERP_PRECONDITIONER_DIAGONAL &&
                quadratic_diagonal(&s->lcp->M, s->d);
    for (int i = 0; i < s->n; i++) {
        double d = seen && s->d[i] > 0 ? 1 / s->d[i] : 1;
        s->d[i] = isfinite(d) && d > 0 ? d : 1;
        s->stiffest = 1 / s->d[i] > s->stiffest ? 1 / s->d[i] : s->stiffest;
    }
}

/* of a gradient step */
static double step_length(const state *s)
{
    return s->norm > 0 ? 2 * s->options->alpha / s->norm : 1;
}

/* ---- the pieces of a step ---- */

/* What decides the next step. */
typedef struct survey {
    double chopped; /* slopes at the bound that point inside, squared */
    double reduced; /* reduced slopes on the face times slopes on the face */
    double natural; /* |min(z, w)|^2 */
    double most;    /* the largest z */
} survey;

/* LANES partial sums, which may be formed at once; the order is fixed all the same. */
PERP_CLONED(survey, look, (int n, double step, const double *z, const double *w, const double *d),
            (n, step, z, w, d))
{
    double chopped[LANES] = {0}, reduced[LANES] = {0}, natural[LANES] = {0}, most[LANES] = {0};
    for (int i = 0; i < n; i += LANES) {
        int lanes = n - i < LANES ? n - i : LANES;
        for (int k = 0; k < lanes; k++) {
            double slope = w[i + k], at = z[i + k], far = step * d[i + k] * slope;
            double least = at < slope ? at : slope;
            natural[k] += least * least;
            most[k] = at > most[k] ? at : most[k];
            chopped[k] += at > 0 ? 0 : d[i + k] * least * least;
            reduced[k] += at > 0 ? slope * (at < far ? at : far) : 0;
        }
    }
    survey v = {0};
    for (int k = 0; k < LANES; k++) {
        v.chopped += chopped[k];
        v.reduced += reduced[k] / step;
        v.natural += natural[k];
        v.most = most[k] > v.most ? most[k] : v.most;
    }
    return v;
}

/* p = D (slopes on the face) */
static void restart(state *s)
{
    for (int i = 0; i < s->n; i++) s->p[i] = s->z[i] > 0 ? s->d[i] * s->w[i] : 0;
}

/* A line z - a p: slope and curvature, and how far it stays in the orthant. */
typedef struct line {
    double slope, curvature, room;
} line;

PERP_CLONED(line, measure_line, (const state *s), (s))
{
    const double *z = s->z, *w = s->w, *p = s->p, *Mp = s->Mp;
    double slope[LANES] = {0}, curvature[LANES] = {0}, room[LANES];
    for (int k = 0; k < LANES; k++) room[k] = INFINITY;
    for (int i = 0; i < s->n; i += LANES) {
        int lanes = s->n - i < LANES ? s->n - i : LANES;
        for (int k = 0; k < lanes; k++) {
            double q = p[i + k], far = q > 0 ? z[i + k] / q : INFINITY;
            slope[k] += q * w[i + k];
            curvature[k] += q * Mp[i + k];
            room[k] = far < room[k] ? far : room[k];
        }
    }
    line l = {.room = INFINITY};
    for (int k = 0; k < LANES; k++) {
        l.slope += slope[k];
        l.curvature += curvature[k];
        l.room = room[k] < l.room ? room[k] : l.room;
    }
    return l;
}

/* Is the curvature zero but for rounding, or less? |p|^2 costs a pass, and is looked at only where
 * the quotient of Rayleigh may be small. */
static bool is_flat(const state *s, const line *l)
{
    double size = 0;
    if (l->curvature > RAYLEIGH * s->norm * l->slope) return false;
    for (int i = 0; i < s->n; i++) size += s->p[i] * s->p[i] / s->d[i];
    return !(l->curvature > CURVATURE * DBL_EPSILON * s->norm * size);
}

/* z -= a p, w -= a M p. At a = room the blocking unknowns are zero, whatever rounding says. */
static void go(state *s, const line *l, double a)
{
    for (int i = 0; i < s->n; i++) {
        double t = s->z[i] - a * s->p[i];
        bool blocks = a == l->room && s->p[i] > 0 && s->z[i] <= a * s->p[i];
        s->z[i] = t > 0 && !blocks ? t : 0;
        s->w[i] -= a * s->Mp[i];
    }
}

/* The same inside the face; returns (slopes on the face)'D M p. */
PERP_CLONED(double, go_inside,
            (int n, double a, const double *restrict p, const double *restrict Mp,
             const double *restrict d, double *restrict z, double *restrict w),
            (n, a, p, Mp, d, z, w))
{
    double sum[LANES] = {0}, total = 0;
    for (int i = 0; i < n; i += LANES) {
        int lanes = n - i < LANES ? n - i : LANES;
        for (int k = 0; k < lanes; k++) {
            double t = z[i + k] - a * p[i + k], slope = w[i + k] - a * Mp[i + k];
            z[i + k] = t > 0 ? t : 0;
            w[i + k] = slope;
            sum[k] += t > 0 ? d[i + k] * slope * Mp[i + k] : 0;
        }
    }
    for (int k = 0; k < LANES; k++) total += sum[k];
    return total;
}

static void set_slopes(state *s)
{
    quadratic_slope(&s->lcp->M, s->lcp->q, s->z, s->w);
}

static void keep(state *s)
{
    memcpy(s->old_z, s->z, (size_t)s->n * sizeof *s->z);
    memcpy(s->old_w, s->w, (size_t)s->n * sizeof *s->w);
}

static void go_back(state *s)
{
    memcpy(s->z, s->old_z, (size_t)s->n * sizeof *s->z);
    memcpy(s->w, s->old_w, (size_t)s->n * sizeof *s->w);
}

static double fall_since(const state *s)
{
    return quadratic_fall(s->n, s->old_z, s->old_w, s->z, s->w);
}

/* ---- steps ---- */

/* p = D (slopes on the face) - b p on the face, conjugate to the last p where nothing was
 * projected; `up` is (slopes on the face)'D M p. */
static void conjugate(state *s, const line *l, double up)
{
    double b = up / l->curvature;
    for (int i = 0; i < s->n; i++) {
        s->p[i] = s->z[i] > 0 ? s->d[i] * s->w[i] - b * s->p[i] : 0;
    }
}

/* A conjugate step inside the face. */
static void step_conjugate(state *s, const line *l)
{
    double up = go_inside(s->n, l->slope / l->curvature, s->p, s->Mp, s->d, s->z, s->w);
    s->fall = l->slope * l->slope / l->curvature / 2;
    conjugate(s, l, up);
}

/* To the boundary, then a projected gradient step of fixed length. Where the energy rises, |M| was
 * taken too small. */
static void expand_by_gradient(state *s, const line *l)
{
    double a = l->room;
    go(s, l, a);
    s->fall = a * (l->slope - a * l->curvature / 2);
    keep(s);
    for (int k = 0; k < DOUBLINGS; k++, s->norm *= 2) {
        double step = step_length(s);
        for (int i = 0; i < s->n; i++) {
            double t = s->z[i] - step * s->d[i] * s->w[i];
            if (s->z[i] > 0) s->z[i] = t > 0 ? t : 0;
        }
        set_slopes(s);
        double fall = fall_since(s);
        if (fall >= 0) {
            s->fall += fall;
            break;
        }
        go_back(s);
    }
    restart(s);
}

/* The whole conjugate step, projected. It finds many faces at once, and the next direction is still
 * conjugated, which halves the steps on large grids; where the energy rises it does not count. */
static bool expand_by_line(state *s, const line *l)
{
    double a = l->slope / l->curvature, up = 0;
    keep(s);
    for (int i = 0; i < s->n; i++) {
        double t = s->z[i] - a * s->p[i];
        s->z[i] = t > 0 ? t : 0;
    }
    set_slopes(s);
    s->fall = fall_since(s);
    if (!(s->fall > 0)) {
        go_back(s);
        return false;
    }
    for (int i = 0; i < s->n; i++) up += s->z[i] > 0 ? s->d[i] * s->w[i] * s->Mp[i] : 0;
    conjugate(s, l, up);
    return true;
}

/* The energy falls for ever along -p. */
static bool end_on_ray(state *s, const line *l)
{
    for (int i = 0; i < s->n; i++) s->old_z[i] = s->p[i] < 0 ? -s->p[i] : 0;
    symmetric_end_on_ray(s->run, s->old_z, l->curvature);
    return false;
}

/* On the face: a conjugate step where there is room, an expansion of the active set otherwise. */
static bool step_on_face(state *s)
{
    quadratic_mul(&s->lcp->M, s->p, s->Mp);
    line l = measure_line(s);
    if (!(l.slope > 0)) { /* rounding, or nothing left to do here */
        s->fall = 0;
        set_slopes(s);
        restart(s);
        return true;
    }
    bool flat = is_flat(s, &l);
    if (flat && !isfinite(l.room)) return end_on_ray(s, &l);
    if (!flat && l.slope <= l.room * l.curvature) {
        step_conjugate(s, &l);
        return true;
    }
    bool line_first = s->options->expansion == PERP_EXPANSION_LINE && !flat;
    if (!line_first || !expand_by_line(s, &l)) expand_by_gradient(s, &l);
    return true;
}

/* Off the face, along the slopes at the bound. */
static bool step_off_face(state *s)
{
    for (int i = 0; i < s->n; i++) {
        s->p[i] = s->z[i] > 0 || !(s->w[i] < 0) ? 0 : s->d[i] * s->w[i];
    }
    quadratic_mul(&s->lcp->M, s->p, s->Mp);
    line l = measure_line(s);
    if (is_flat(s, &l)) return end_on_ray(s, &l);
    go(s, &l, l.slope / l.curvature);
    s->fall = l.slope * l.slope / l.curvature / 2;
    restart(s);
    return true;
}

/* ---- Newton's method on the faces ---- */

static void begin_newton(state *s)
{
    keep(s);
    s->tries++;
    s->newton_left = NEWTON_STEPS;
    s->changes = 0;
    for (int i = 0; i < s->n; i++) s->face[i] = s->z[i] > 0 || s->w[i] < 0;
}

/* Back to gradients, from here if that is lower than where Newton's method began. */
static void end_newton(state *s, bool failed)
{
    s->newton_left = 0;
    s->fall = failed ? 0 : fall_since(s);
    if (!(s->fall > 0)) go_back(s);
    restart(s);
}

static void step_newton(state *s)
{
    int changes = 0;
    s->fall = 0;
    if (!perp_face_solve(s->run->arena, &s->sparse, s->lcp->q, s->face, s->p)) {
        end_newton(s, true);
        return;
    }
    quadratic_slope(&s->lcp->M, s->lcp->q, s->p, s->Mp);
    for (int i = 0; i < s->n; i++) {
        bool next = s->face[i] ? s->p[i] > 0 : s->Mp[i] < 0;
        changes += next != s->face[i];
        s->face[i] = next;
        s->z[i] = s->p[i] > 0 ? s->p[i] : 0;
    }
    set_slopes(s);
    bool slow = s->changes > 0 && changes > FEW && changes > s->changes / 2;
    s->changes = changes;
    if (--s->newton_left == 0 || changes == 0 || slow) end_newton(s, false);
}

/* Count the unknowns that came to the face or left it since the last look. */
static int count_moves(state *s)
{
    int moves = 0;
    for (int i = 0; i < s->n; i++) {
        bool on = s->z[i] > 0;
        moves += on != s->face[i];
        s->face[i] = on;
    }
    return moves;
}

/* Is the face near enough to the last one for Newton's method? */
static void watch_face(state *s)
{
    if (!s->can_newton || s->newton_left > 0 || ++s->since < s->wait) return;
    int moves = count_moves(s);
    s->since = 0;
    if (moves > STILL * s->n) return;
    s->wait *= 2;
    begin_newton(s);
    s->can_newton = s->tries < NEWTON_TRIES;
}

/* ---- the solve ---- */

static bool allocate(state *s, perp_run *run)
{
    int n = s->n;
    s->w = PERP_ALLOC(run, double, n);
    s->p = PERP_ALLOC(run, double, n);
    s->Mp = PERP_ALLOC(run, double, n);
    s->d = PERP_ALLOC(run, double, n);
    s->old_z = PERP_ALLOC(run, double, n);
    s->old_w = PERP_ALLOC(run, double, n);
    s->face = PERP_ALLOC(run, unsigned char, n);
    return !run->arena->failed;
}

/* Newton's steps are a gain, not a need: without memory for them there are none. */
static void prepare_newton(state *s)
{
    perp_arena *a = s->run->arena;
    const perp_matrix *M = &s->lcp->M;
    perp_mark mark = perp_arena_mark(a);
    s->wait = SETTLED;
    if (!s->options->finish || M->format != PERP_FORMAT_CSC) return;
    s->can_newton = perp_sort_csc(M, a, &s->sparse) == PERP_SOLVED;
    if (!s->can_newton) perp_arena_release(a, mark);
    if (s->can_newton && a->counting) perp_face_room(a, &s->sparse);
}

static double estimate_of(const state *s, const survey *v)
{
    bool plain = v->natural > 1e-200 && v->natural < 1e200;
    return (plain ? sqrt(v->natural) : quadratic_residual(s->n, s->z, s->w)) / s->scale;
}

static survey begin(state *s, const perp_watch *watch)
{
    for (int i = 0; i < s->n; i++) s->z[i] = s->z[i] > 0 ? s->z[i] : 0;
    set_measures(s);
    s->norm = POWER_SLACK * quadratic_norm(&s->lcp->M, s->d, POWER_STEPS, s->p, s->Mp, watch);
    set_slopes(s);
    restart(s);
    return look(s->n, step_length(s), s->z, s->w, s->d);
}

static perp_status solve(perp_run *run, double *z)
{
    state s = {.run = run,
               .options = (const perp_lcp_mprgp_options *)run->options,
               .lcp = &run->problem->as.lcp,
               .n = run->problem->as.lcp.n,
               .z = z,
               .scale = perp_scale(run)};
    if (!allocate(&s, run) || perp_watch_stops(run->arena)) return PERP_E_MEMORY; /* or time */
    if (symmetric_check(run, s.p, s.Mp, s.w)) return run->status;
    prepare_newton(&s);
    survey v = begin(&s, run->arena->watch);
    double gamma = s.options->gamma * s.options->gamma, estimate = estimate_of(&s, &v);
    symmetric_progress progress = {.best = INFINITY};
    while (perp_continue(run, z, symmetric_report(&progress, estimate, s.fall))) {
        bool proportional = v.chopped <= gamma * v.reduced;
        if (estimate <= run->options->tol) { /* the certificate saw more than w does */
            set_slopes(&s);
            restart(&s);
        }
        if (s.newton_left > 0)
            step_newton(&s);
        else if (!(proportional ? step_on_face(&s) : step_off_face(&s)))
            return run->status;
        v = look(s.n, step_length(&s), z, s.w, s.d);
        estimate = estimate_of(&s, &v);
        if (symmetric_is_lost(run, s.norm * s.stiffest, v.most, z, s.Mp))
            return symmetric_end_far_out(run, z, s.Mp);
        watch_face(&s);
    }
    return run->status;
}

static const perp_option options[] = {
    PERP_OPTION(perp_lcp_mprgp_options, gamma, 1e-6, 1e6,
                "leave the face when slopes at the bound exceed this times those on the face"),
    PERP_OPTION(perp_lcp_mprgp_options, alpha, 1e-3, 1, "length of gradient steps, times 2/|M|"),
    PERP_OPTION_CHOICE(perp_lcp_mprgp_options, expansion, "gradient|line",
                       "where a conjugate step leaves the orthant: a gradient step or all of it, "
                       "projected"),
    PERP_OPTION_CHOICE(perp_lcp_mprgp_options, preconditioner, "none|diagonal",
                       "measure the unknowns by the diagonal of M"),
    PERP_OPTION(perp_lcp_mprgp_options, finish, 0, 1,
                "Newton steps by sparse factors once the face has settled"),
    {0},
};

static const perp_solver solver = {
    .name = "lcp/mprgp",
    .about = "proportioning with reduced gradient projections, symmetric M (Dostal 2005, 2009)",
    .kind = PERP_KIND_LCP,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3 | PERP_FORMAT_OPERATOR},
    .options_size = sizeof(perp_lcp_mprgp_options),
    .options = options,
    .solve = solve,
    .room = perp_room_none,
};

const perp_lcp_mprgp_options perp_lcp_mprgp = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 100000, .threads = 1},
    .gamma = 1,
    .alpha = 0.95,
    .expansion = PERP_EXPANSION_LINE,
    .preconditioner = PERP_PRECONDITIONER_DIAGONAL,
    .finish = true,
};
