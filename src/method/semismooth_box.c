/* method/semismooth_box.c: iterate, merit, directions and search of Newton methods in a box.
 * De Luca, Facchinei, Kanzow, Mathematical Programming 75 (1996) and Computational Optimization and
 * Applications 16 (2000); for the box: Ferris, Kanzow, Munson, Feasible descent algorithms for
 * mixed complementarity problems, Mathematical Programming 86 (1999); nonmonotone search: Grippo,
 * Lampariello, Lucidi, SIAM Journal on Numerical Analysis 23 (1986).
 * A direction costs a factorisation (linalg/newton_system.c) or at most 2 CG_STEPS products with J.
 */
#include "semismooth_box.h"

#include "base/box.h"
#include "base/vector.h"
#include "box_cg.h"
#include "fischer.h"

#include <string.h>

#define ARMIJO 1e-4  /* part of the predicted fall of the merit that has to come true */
#define DESCENT 1e-8 /* least slope of a direction, against that of an exact Newton step */
#define CG_STEPS 100 /* of a Levenberg-Marquardt direction */
#define CG_ACCURACY 1e-3
#define MONOTONE 5    /* first steps, in which the merit must fall: De Luca et al., section 7 */
#define CLEARLY 0.99  /* a fall of the merit to this part of it is progress, */
#define PATIENCE 40   /* and so many steps without are none */
#define REGULARISED 3 /* attempts with J + e I, */
#define STRONGER 1e3  /* each with so much more of it */
#define DAMPING 0.1   /* of Levenberg and Marquardt, times |G|, */
#define SHORTEST 30   /* halvings of such a step; shorter ones gain nothing but iterations */
#define NUDGES 5      /* starts that are tried where F is undefined at the given one */

/* PATIENCE and SHORTEST are the same for all solvers: with 60 and 60 mcp/newton_fb solves as many
 * of the starts of the literature in 15 % more iterations, mcp/josephy in 40 % more. */

/* ---- opening ---- */

static bool allocate(perp_semismooth_box *s, perp_arena *arena)
{
    double **const vectors[] = {&s->z, &s->F, &s->G,     &s->a,     &s->b,
                                &s->g, &s->d, &s->try_z, &s->try_F, &s->try_G};
    for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++) {
        *vectors[v] = perp_alloc(arena, (size_t)s->n, sizeof(double));
    }
    size_t vectors_of_work = s->map.J.format == PERP_FORMAT_CSC ? PERP_BOX_CG_WORK : 4;
    s->work = perp_alloc(arena, vectors_of_work * (size_t)s->n, sizeof(double));
    s->recent = perp_alloc(arena, (size_t)s->memory, sizeof(double));
    return !arena->failed;
}

bool perp_semismooth_box_open(perp_semismooth_box *s, perp_arena *arena, const perp_box_map *map,
                              const double *lo, const double *hi, int memory)
{
    *s = (perp_semismooth_box){.n = map->J.n, .map = *map, .lo = lo, .hi = hi, .memory = memory};
    if (perp_watch_stops(arena) || !allocate(s, arena)) return false;
    return perp_newton_system_open(&s->system, arena, &s->map.J, map->slack);
}

/* ---- the iterate ---- */

static double find_map(const perp_semismooth_box *s, const double *z, const double *F, double *G)
{
    double sum = 0;
    for (int i = 0; i < s->n; i++) {
        G[i] = perp_fischer(z[i], F[i], s->lo[i], s->hi[i]);
        sum += G[i] * G[i];
    }
    return 0.5 * sum;
}

/* y = G'x and y = G''x (transposed); the latter uses the last quarter of work. */
static void mul_derivative(const perp_semismooth_box *s, const double *x, double *y)
{
    perp_mul(&s->map.J, 1, x, 0, y);
    for (int i = 0; i < s->n; i++) y[i] = s->a[i] * x[i] + s->b[i] * y[i];
}

static void mul_derivative_t(const perp_semismooth_box *s, const double *x, double *y)
{
    double *bx = s->work + 3 * (size_t)s->n;
    for (int i = 0; i < s->n; i++) {
        bx[i] = s->b[i] * x[i];
        y[i] = s->a[i] * x[i];
    }
    perp_mul_t(&s->map.J, 1, bx, 1, y);
}

/* Where z is in a corner, limits from a direction that leads inside at all of these. */
static void differentiate(perp_semismooth_box *s)
{
    double *c = s->work, *Jc = s->work + s->n;
    bool corners = false;
    for (int i = 0; i < s->n; i++) {
        c[i] = perp_fischer_corner(s->z[i], s->F[i], s->lo[i], s->hi[i]);
        corners |= c[i] != 0;
    }
    if (corners) perp_mul(&s->map.J, 1, c, 0, Jc);
    for (int i = 0; i < s->n; i++) {
        double corner = c[i] != 0 ? Jc[i] * c[i] : 1;
        perp_fischer_slope f =
            perp_fischer_differentiate(s->z[i], s->F[i], s->lo[i], s->hi[i], corner);
        s->a[i] = f.a;
        s->b[i] = f.b;
    }
    mul_derivative_t(s, s->G, s->g);
}

static bool find_jacobian(perp_semismooth_box *s, const double *z, const double *F)
{
    if (!s->map.jacobian) return true;
    if (!s->map.jacobian(s->map.ctx, z, F)) return false;
    perp_newton_system_refresh(&s->system);
    return true;
}

/* try_z, try_F, try_G become the iterate, if the Jacobian is defined there too. */
static bool arrive(perp_semismooth_box *s, double merit)
{
    size_t bytes = (size_t)s->n * sizeof(double);
    if (!find_jacobian(s, s->try_z, s->try_F)) return false;
    memcpy(s->z, s->try_z, bytes);
    memcpy(s->F, s->try_F, bytes);
    memcpy(s->G, s->try_G, bytes);
    s->merit = merit;
    differentiate(s);
    s->recent[s->steps++ % s->memory] = merit;
    s->since++;
    if (merit < s->lowest) s->lowest = merit;
    if (merit < CLEARLY * s->mark) {
        s->mark = merit;
        s->since = 0;
    }
    return true;
}

/* Where an iterate may go that wants to x. */
static inline double place(const perp_semismooth_box *s, int i, double x)
{
    return s->map.outside ? x : box_project(x, s->lo[i], s->hi[i]);
}

/* F and G at try_z; INFINITY: undefined. */
static double look(perp_semismooth_box *s)
{
    if (!s->map.eval(s->map.ctx, s->try_z, s->try_F)) return INFINITY;
    double merit = find_map(s, s->try_z, s->try_F, s->try_G);
    return isfinite(merit) ? merit : INFINITY;
}

bool perp_semismooth_box_start(perp_semismooth_box *s, const double *z)
{
    for (int i = 0; i < s->n; i++) s->try_z[i] = place(s, i, z[i]);
    s->steps = s->since = 0;
    s->lowest = s->mark = INFINITY;
    double merit = look(s);
    return merit < INFINITY && arrive(s, merit);
}

/* A point at least this far inside, where the box is wide enough. */
static double nudge(double z, double lo, double hi, double far)
{
    double room = 0.5 * (hi - lo);
    if (room < far) far = room;
    return box_project(z, lo + far, hi - far);
}

bool perp_semismooth_box_start_near(perp_semismooth_box *s, const double *z)
{
    static const double far[NUDGES] = {1e-8, 1e-4, 1e-2, 1, 10};
    if (perp_watch_stops(s->system.arena)) return false;
    if (perp_semismooth_box_start(s, z)) return true;
    double *near = s->work + 2 * (size_t)s->n;
    for (int t = 0; t < NUDGES; t++) {
        for (int i = 0; i < s->n; i++) near[i] = nudge(z[i], s->lo[i], s->hi[i], far[t]);
        if (perp_semismooth_box_start(s, near)) return true;
    }
    for (int t = 0; t < NUDGES; t++) { /* off 0, where nothing bounds it */
        for (int i = 0; i < s->n; i++) near[i] = box_project(z[i] + far[t], s->lo[i], s->hi[i]);
        if (perp_semismooth_box_start(s, near)) return true;
    }
    return false;
}

double perp_semismooth_box_natural(perp_semismooth_box *s)
{
    for (int i = 0; i < s->n; i++) {
        s->work[i] = box_natural(s->z[i], s->F[i], s->lo[i], s->hi[i]);
    }
    return vector_norm(s->n, s->work);
}

/* ---- directions ---- */

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static void linearise_fb(const perp_semismooth_box *s, double *a, double *b, double *r)
{
    for (int i = 0; i < s->n; i++) {
        a[i] = s->a[i];
        b[i] = s->b[i];
        r[i] = -s->G[i];
    }
}

/* z stays on its bound where F is at least its distance from lo, at most that from hi; ties: where
 * it is the same, too. */
static void linearise_bounds(const perp_semismooth_box *s, bool ties, double *a, double *b,
                             double *r)
{
    for (int i = 0; i < s->n; i++) {
        double F = s->F[i], to_lo = s->z[i] - s->lo[i], to_hi = s->z[i] - s->hi[i];
        bool below = F > to_lo || (ties && F == to_lo) || s->lo[i] == s->hi[i];
        bool above = F < to_hi || (ties && F == to_hi);
        a[i] = below || above;
        b[i] = !(below || above);
        r[i] = below ? -to_lo : above ? -to_hi : -F;
    }
}

static void linearise_natural(const perp_semismooth_box *s, double *a, double *b, double *r)
{
    linearise_bounds(s, true, a, b, r);
}

static void linearise_released(const perp_semismooth_box *s, double *a, double *b, double *r)
{
    linearise_bounds(s, false, a, b, r);
}

const perp_semismooth_equations perp_semismooth_fb = {linearise_fb, true};
const perp_semismooth_equations perp_semismooth_natural = {linearise_natural, false};
const perp_semismooth_equations perp_semismooth_released = {linearise_released, false};

bool perp_semismooth_box_direct(perp_semismooth_box *s, const perp_semismooth_equations *equations,
                                double e)
{
    double *a = s->try_z, *b = s->try_F, *r = s->try_G;
    equations->linearise(s, a, b, r);
    int status = perp_newton_system_factor(&s->system, a, b, e);
    if (status == 0) status = perp_newton_system_solve(&s->system, r, s->d);
    s->starved |= status < 0;
    if (status) return false;
    /* an exact step for G has the slope -2 merit */
    return !equations->descends || dot(s->n, s->g, s->d) <= -DESCENT * s->merit;
}

/* Conjugate gradients on (H'H + DAMPING |G| I) d = -g, H = G'(z), from 0: every iterate descends,
 * the first along the gradient. work: direction and its product with H. */
bool perp_semismooth_box_direct_descent(perp_semismooth_box *s)
{
    int n = s->n;
    double *d = s->d, *p = s->work, *Hp = s->work + n, *rest = s->try_z, *r = s->try_F;
    double shift = DAMPING * sqrt(2 * s->merit);
    for (int i = 0; i < n; i++) {
        d[i] = 0;
        rest[i] = -s->G[i];
        p[i] = r[i] = -s->g[i];
    }
    double size = dot(n, r, r), enough = CG_ACCURACY * CG_ACCURACY * size;
    if (!(size > 0) || !isfinite(size)) return false;
    for (int step = 0; step < CG_STEPS && size > enough; step++) {
        if (perp_watch_stops(s->system.arena)) return false;
        mul_derivative(s, p, Hp);
        double curvature = dot(n, Hp, Hp) + shift * dot(n, p, p);
        double length = size / curvature, last = size;
        if (!(curvature > 0) || !isfinite(length)) break;
        for (int i = 0; i < n; i++) {
            d[i] += length * p[i];
            rest[i] -= length * Hp[i];
        }
        mul_derivative_t(s, rest, r);
        for (int i = 0; i < n; i++) r[i] -= shift * d[i];
        size = dot(n, r, r);
        for (int i = 0; i < n; i++) p[i] = r[i] + size / last * p[i];
    }
    return vector_is_finite((size_t)n, d) && dot(n, s->g, d) < 0;
}

static bool has_positive_diagonal(const perp_matrix *J)
{
    const struct perp_csc_view *c = &J->as.csc;
    for (int j = 0; j < J->n; j++) {
        for (int k = c->p[j]; k < c->p[j + 1]; k++) {
            if (c->i[k] == j && !(c->x[k] > 0)) return false;
        }
    }
    return true;
}

bool perp_semismooth_box_direct_model(perp_semismooth_box *s, double accuracy, int steps)
{
    const perp_matrix *J = &s->map.J;
    if (J->format != PERP_FORMAT_CSC || !s->system.symmetric || !has_positive_diagonal(J))
        return false;
    double *b = s->try_F, *x = s->d;
    perp_mul(J, 1, s->z, 0, b);
    for (int i = 0; i < s->n; i++) {
        b[i] -= s->F[i];
        x[i] = s->z[i];
    }
    perp_box_cg_end end =
        perp_box_cg(J, b, s->lo, s->hi, accuracy, &steps, x, s->work, s->system.arena->watch);
    if (end == PERP_BOX_CG_INDEFINITE || !vector_is_finite((size_t)s->n, x)) return false;
    for (int i = 0; i < s->n; i++) x[i] -= s->z[i];
    return true;
}

/* ---- search ---- */

static double reference(const perp_semismooth_box *s)
{
    int count = s->steps < s->memory ? s->steps : s->memory;
    double most = s->merit;
    if (s->steps <= MONOTONE) return most;
    for (int i = 0; i < count; i++) most = fmax(most, s->recent[i]);
    return most;
}

/* try_z = P(z + t d), what the merit's slope promises of the step, and whether it moves at all. */
static bool project_step(perp_semismooth_box *s, double t, double *slope)
{
    bool moves = false;
    *slope = 0;
    for (int i = 0; i < s->n; i++) {
        s->try_z[i] = place(s, i, s->z[i] + t * s->d[i]);
        *slope += s->g[i] * (s->try_z[i] - s->z[i]);
        moves |= s->try_z[i] != s->z[i];
    }
    return moves;
}

/* A step with no slope of its own to speak of has to bring what a Newton step would. */
bool perp_semismooth_box_search(perp_semismooth_box *s, int halvings)
{
    double highest = reference(s), t = 1, slope;
    bool lost = false;
    for (int h = 0; h <= halvings; h++, t /= 2) {
        if (perp_watch_stops(s->system.arena) || !project_step(s, t, &slope)) break;
        if (!(slope < 0)) slope = -2 * t * s->merit;
        double merit = look(s);
        if (!(merit <= highest + ARMIJO * slope)) continue;
        if (arrive(s, merit)) return true;
        lost = true; /* the Jacobian is undefined there, and was overwritten */
    }
    if (lost) find_jacobian(s, s->z, s->F);
    return false;
}

bool perp_semismooth_box_step(perp_semismooth_box *s, int halvings, double regularisation)
{
    if (perp_semismooth_box_direct(s, &perp_semismooth_fb, 0) &&
        perp_semismooth_box_search(s, halvings))
        return true;
    double e = regularisation;
    for (int attempt = 0; attempt < REGULARISED && e > 0; attempt++, e *= STRONGER) {
        if (perp_semismooth_box_direct(s, &perp_semismooth_fb, e) &&
            perp_semismooth_box_search(s, halvings))
            return true;
    }
    return perp_semismooth_box_direct_descent(s) && perp_semismooth_box_search(s, SHORTEST);
}

bool perp_semismooth_box_go(perp_semismooth_box *s, const double *point, double highest)
{
    for (int i = 0; i < s->n; i++) s->try_z[i] = place(s, i, point[i]);
    double merit = look(s);
    if (!(merit < INFINITY && merit <= highest)) return false;
    if (arrive(s, merit)) return true;
    find_jacobian(s, s->z, s->F);
    return false;
}

bool perp_semismooth_box_is_stuck(const perp_semismooth_box *s)
{
    return s->since > PATIENCE;
}

void perp_semismooth_box_proof(const perp_semismooth_box *s, double noise, double *y)
{
    double most = 0;
    for (int i = 0; i < s->n; i++) {
        y[i] = -s->b[i] * s->G[i];
        if (s->lo[i] > -INFINITY && y[i] < 0) y[i] = 0;
        if (s->hi[i] < INFINITY && y[i] > 0) y[i] = 0;
        most = fmax(most, fabs(y[i]));
    }
    for (int i = 0; i < s->n; i++) {
        if (fabs(y[i]) <= noise * most) y[i] = 0;
    }
}
