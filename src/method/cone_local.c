/* method/cone_local.c: one block, see cone_local.h.
 *
 * Steps of Newton's method cost O(count^3). The constants are those of a trial on random blocks of
 * 2 to 6 rows and any rank, where proximal Newton steps solved all. */
#include "cone_local.h"

#include "base/box.h"
#include "base/vector.h"
#include "linalg/dense.h"

#include <float.h>
#include <string.h>

#define NEWTON 8       /* plain steps before proximal ones */
#define INNER 25       /* steps of one proximal problem */
#define OUTER 200      /* proximal problems */
#define DAMPED 60      /* regularised steps of a try */
#define MEMORY 5       /* values of |F| that their search compares with */
#define HALVINGS 5     /* of a step */
#define ROUNDING 8     /* units of rounding that count as solved */
#define PROJECTIONS 50 /* steps of last resort */
#define BISECTIONS 60  /* of the fixed point, and of the segment between its sides */
#define RELAXED 300    /* steps of one convex block; those without a solution take all */
#define CLOSE 1e-9     /* of |q|: a convex block that is solved; a large z raises its own floor */

bool perp_cone_local_open(perp_cone_local *l, perp_arena *a, int most)
{
    size_t d = (size_t)most;
    double **vectors[] = {&l->u,       &l->F, &l->x, &l->best, &l->trial, &l->shift,
                          &l->scratch, &l->q, &l->z, &l->low,  &l->high};
    double **matrices[] = {&l->by_z, &l->by_u, &l->J};
    for (int k = 0; k < 11; k++) *vectors[k] = perp_alloc(a, d, sizeof(double));
    for (int k = 0; k < 3; k++) *matrices[k] = perp_alloc(a, d * d, sizeof(double));
    l->group = perp_alloc(a, d, sizeof *l->group);
    l->pivot = perp_alloc(a, d, sizeof *l->pivot);
    return !a->failed;
}

/* u = (B + alpha) z + q - alpha centre. */
static void find_u(int d, const double *B, double alpha, const double *centre, const double *q,
                   const double *z, double *u)
{
    for (int i = 0; i < d; i++) u[i] = 0;
    for (int j = 0; j < d; j++) {
        for (int i = 0; i < d; i++) u[i] += B[(size_t)j * (size_t)d + (size_t)i] * z[j];
    }
    for (int i = 0; i < d; i++) u[i] += q[i] + (alpha > 0 ? alpha * (z[i] - centre[i]) : 0);
}

double perp_cone_local_error(const perp_cone_set *t, int b, const double *B, const double *q,
                             const double *z, perp_cone_local *l)
{
    int d = t->block[b].count;
    find_u(d, B, 0, NULL, q, z, l->u);
    perp_cone_set_law(t, b, l->u, l->u);
    perp_cone_set_natural(t, b, z, l->u, l->scratch);
    double error = vector_norm(d, l->scratch);
    return error >= 0 ? error : INFINITY;
}

/* What rounding leaves: of the products, of z in the units of the map, and of z where it is so
 * small that its last place is the smallest number there is. */
static double find_floor(int d, const double *B, const double *q, const double *z)
{
    double sum = 0, size = 0, last = DBL_TRUE_MIN / (ROUNDING * DBL_EPSILON);
    for (int i = 0; i < d; i++) {
        double row = fabs(q[i]);
        for (int j = 0; j < d; j++) {
            double b = fabs(B[(size_t)j * (size_t)d + (size_t)i]);
            row += b * fabs(z[j]) + b * last;
        }
        sum = row > sum ? row : sum;
        size += fabs(z[i]);
    }
    return ROUNDING * DBL_EPSILON * (sum + (size < sum ? size : sum));
}

/* ---- closed forms ---- */

static void solve_box(const perp_cone_block *k, double B, double q, double *z)
{
    if (B > 0)
        *z = box_project(-q / B, k->lo, k->hi);
    else if (q > 0 && k->lo > -INFINITY && B * k->lo + q >= 0)
        *z = k->lo;
    else if (q < 0 && k->hi < INFINITY && B * k->hi + q <= 0)
        *z = k->hi;
}

/* A cone of two rows, B = [a b; c e]: take-off, stick, slip to either side; the first that fits. */
static bool solve_plane(double mu, double s, const double B[4], const double q[2], double z[2])
{
    double a = B[0], c = B[1], b = B[2], e = B[3], k = mu - s, det = a * e - b * c;
    if (q[0] >= k * fabs(q[1])) {
        z[0] = z[1] = 0;
        return true;
    }
    double stick[2] = {-(e * q[0] - b * q[1]) / det, -(a * q[1] - c * q[0]) / det};
    if (det != 0 && stick[0] >= 0 && fabs(stick[1]) <= mu * stick[0]) {
        z[0] = stick[0];
        z[1] = stick[1];
        return true;
    }
    for (int side = 1; side >= -1; side -= 2) {
        double sg = side, den = a + sg * mu * b + k * sg * (c + sg * mu * e);
        double n = -(q[0] + k * sg * q[1]) / den, u = q[1] + (c + sg * mu * e) * n;
        if (!(den > 0) || !(n >= 0) || sg * u > 0) continue;
        z[0] = n;
        z[1] = sg * mu * n;
        return true;
    }
    return false;
}

/* ---- Newton's method ---- */

typedef struct local_problem {
    const perp_cone_set *t;
    int b, d;
    const double *B, *q, *centre;
    double alpha, damping; /* of a proximal problem; in the matrix of a step alone */
    perp_cone_map map;
    perp_cone_local *l;
} local_problem;

/* |F| at z, with derivatives in l. */
static double evaluate(const local_problem *p, const double *z)
{
    perp_cone_local *l = p->l;
    find_u(p->d, p->B, p->alpha, p->centre, p->q, z, l->u);
    perp_cone_set_map(p->t, p->b, p->map, z, l->u, l->scratch, l->F, l->by_z, l->by_u);
    double norm = vector_norm(p->d, l->F);
    return norm >= 0 ? norm : INFINITY;
}

/* F becomes the step J^-1 F. False: singular, or no step is left. */
static bool find_step(const local_problem *p)
{
    perp_cone_local *l = p->l;
    if (l->steps-- <= 0) return false;
    size_t d = (size_t)p->d;
    double shift = p->alpha + p->damping;
    for (size_t j = 0; j < d; j++) {
        for (size_t i = 0; i < d; i++) {
            double sum = l->by_z[j * d + i] + shift * l->by_u[j * d + i];
            for (size_t k = 0; k < d; k++) sum += l->by_u[k * d + i] * p->B[j * d + k];
            l->J[j * d + i] = sum;
        }
    }
    if (perp_lu_factor(p->d, l->J, p->d, l->pivot, NULL)) return false;
    perp_lu_solve(p->d, l->J, p->d, l->pivot, false, 1, l->F);
    return vector_is_finite(d, l->F);
}

/* Steps from x, until |F| <= goal. Returns how many; most + 1: not reached. */
static int iterate(const local_problem *p, int most, double goal, double *x)
{
    perp_cone_local *l = p->l;
    double now = evaluate(p, x);
    for (int k = 0; k <= most; k++) {
        if (now <= goal) return k;
        if (k == most || !find_step(p)) break;
        double part = 1, next = INFINITY;
        memcpy(l->shift, l->F, (size_t)p->d * sizeof *l->F);
        for (int h = 0; h <= HALVINGS; h++, part /= 2) {
            for (int i = 0; i < p->d; i++) l->trial[i] = x[i] - part * l->shift[i];
            next = evaluate(p, l->trial);
            if (next < (1 - 0.1 * part) * now) break;
        }
        if (!(next < INFINITY)) break;
        memcpy(x, l->trial, (size_t)p->d * sizeof *x);
        now = next;
    }
    return most + 1;
}

/* ---- the chain ---- */

typedef struct best {
    double error;
    double *z;
} best;

/* Keeps x where it is better. True: it is solved as well as rounding allows. */
static bool offer(const local_problem *p, best *o, const double *x)
{
    double error = perp_cone_local_error(p->t, p->b, p->B, p->q, x, p->l);
    if (error < o->error) {
        memcpy(o->z, x, (size_t)p->d * sizeof *x);
        o->error = error;
    }
    return o->error <= find_floor(p->d, p->B, p->q, o->z);
}

static double find_mean(int d, const double *B)
{
    double trace = 0, size = 0;
    for (int j = 0; j < d; j++) trace += B[(size_t)j * (size_t)d + (size_t)j] / d;
    for (int k = 0; k < d * d; k++) size += fabs(B[k]) / d;
    return trace > 0.01 * size ? trace : size > 0 ? size : 1;
}

/* Proximal points from x. */
static bool follow_points(local_problem *p, double alpha, best *o, double *x)
{
    double mean = find_mean(p->d, p->B);
    double *centre = p->l->best;
    p->alpha = alpha * mean;
    for (int k = 0; k < OUTER && p->alpha > 1e-15 * mean && p->alpha < 1e6 * mean; k++) {
        if (p->l->steps <= 0) break;
        memcpy(centre, x, (size_t)p->d * sizeof *x);
        p->centre = centre;
        int steps = iterate(p, INNER, 0.01 * evaluate(p, x), x);
        if (offer(p, o, x)) return true;
        if (steps > INNER) memcpy(x, centre, (size_t)p->d * sizeof *x);
        p->alpha *= steps <= 4 ? 0.1 : steps <= INNER ? 0.5 : 5;
    }
    return false;
}

/* A step of the regularised method, shortened until |F| <= most. Returns its length, 0: none. */
static double step_damped(const local_problem *p, double most, double *norm, double *x)
{
    perp_cone_local *l = p->l;
    evaluate(p, x);
    if (!find_step(p)) return 0;
    memcpy(l->shift, l->F, (size_t)p->d * sizeof *l->F);
    double part = 1;
    for (int h = 0; h <= HALVINGS; h++, part /= 2) {
        for (int i = 0; i < p->d; i++) l->trial[i] = x[i] - part * l->shift[i];
        *norm = evaluate(p, l->trial);
        if (!(*norm <= (1 - 1e-4 * part) * most)) continue;
        memcpy(x, l->trial, (size_t)p->d * sizeof *x);
        return part;
    }
    return 0;
}

/* Newton's method from x, regularised in its matrix alone; the search compares with the largest of
 * the last |F|. It is not drawn along a valley, as proximal points may be where s > 0. */
static bool follow_damped(local_problem *p, best *o, double *x)
{
    double mean = find_mean(p->d, p->B), last[MEMORY], norm;
    p->alpha = 0;
    p->damping = 1e-2 * mean;
    norm = evaluate(p, x);
    for (int k = 0; k < MEMORY; k++) last[k] = norm;
    bool solved = false;
    for (int k = 0; k < DAMPED && !solved && p->damping < 1e4 * mean; k++) {
        double most = 0;
        for (int i = 0; i < MEMORY; i++) most = last[i] > most ? last[i] : most;
        double part = step_damped(p, most, &norm, x);
        p->damping *= part == 1 ? 0.2 : part >= 0.25 ? 1 : part > 0 ? 5 : 10;
        if (part > 0) last[k % MEMORY] = norm;
        solved = part > 0 && offer(p, o, x);
    }
    p->damping = 0;
    return solved;
}

/* ---- the fixed point ---- */

/* The block of p with s = 0, in the room of l. */
static perp_cone_set relax(const local_problem *p, perp_cone_block *block)
{
    *block = p->t->block[p->b];
    for (int g = 0; g < block->groups; g++) {
        p->l->group[g] = p->t->group[block->group + g];
        p->l->group[g].s = 0;
    }
    block->group = 0;
    return (perp_cone_set){.n = p->d,
                           .blocks = 1,
                           .largest = p->d,
                           .block = block,
                           .group = p->l->group,
                           .row = p->t->row};
}

/* sum_g s_g |u_g| at u = B z + q. */
static double find_lift(const local_problem *p, const double *z)
{
    const perp_cone_block *k = &p->t->block[p->b];
    double sum = 0;
    find_u(p->d, p->B, 0, NULL, p->q, z, p->l->u);
    for (int g = k->group; g < k->group + k->groups; g++) {
        const perp_cone_group *e = &p->t->group[g];
        sum += e->s * perp_cone_set_length(e->count, p->l->u + (e->first - k->first));
    }
    return sum;
}

/* The block with s = 0 and sigma in place of sum_g s_g |u_g|, from z, in z. Returns that sum less
 * sigma; infinite where the convex block is not solved: sigma is too small for a solution. */
static double solve_relaxed(const local_problem *p, local_problem *c, double sigma, double *z)
{
    perp_cone_local *l = p->l;
    size_t bytes = (size_t)p->d * sizeof *z;
    int held = l->steps > RELAXED ? l->steps - RELAXED : 0;
    l->steps -= held;
    memcpy(l->q, p->q, bytes);
    l->q[0] += sigma;
    best o = {.error = perp_cone_local_error(c->t, 0, c->B, c->q, z, l), .z = z};
    memcpy(l->x, z, bytes);
    c->alpha = 0;
    iterate(c, NEWTON, 0, l->x);
    if (!offer(c, &o, l->x)) {
        memcpy(l->x, z, bytes);
        follow_points(c, 0.1, &o, l->x);
    }
    l->steps += held;
    return o.error <= CLOSE * vector_norm(p->d, c->q) ? find_lift(p, z) - sigma : INFINITY;
}

/* Newton steps from z on either map. */
static bool finish_from(local_problem *p, best *o, const double *z)
{
    p->alpha = 0;
    for (int m = 0; m < 2; m++) {
        p->map = m ? PERP_CONE_NATURAL : PERP_CONE_DISC;
        memcpy(p->l->x, z, (size_t)p->d * sizeof *z);
        iterate(p, NEWTON, 0, p->l->x);
        if (offer(p, o, p->l->x)) return true;
    }
    return false;
}

/* Halves 0 .. high, which becomes the root; the z of both sides go to l. */
static bool bisect_sigma(local_problem *p, local_problem *c, best *o, double *high)
{
    perp_cone_local *l = p->l;
    size_t bytes = (size_t)p->d * sizeof *l->z;
    double low = 0;
    memset(l->low, 0, bytes);
    memset(l->high, 0, bytes);
    for (int k = 0; k < BISECTIONS && l->steps > 0; k++) {
        double sigma = k ? 0.5 * (low + *high) : low;
        memcpy(l->z, l->high, bytes);
        double surplus = solve_relaxed(p, c, sigma, l->z);
        if (surplus > 0)
            low = sigma;
        else
            *high = sigma;
        memcpy(surplus > 0 ? l->low : l->high, l->z, bytes);
        if (surplus < INFINITY && (offer(p, o, l->z) || finish_from(p, o, l->z))) return true;
    }
    return false;
}

/* At a sigma where u jumps all points between both sides solve the convex block: halves them. */
static bool bisect_jump(local_problem *p, best *o, double sigma)
{
    perp_cone_local *l = p->l;
    double from = 0, to = 1;
    for (int k = 0; k < BISECTIONS && l->steps > 0; k++) {
        double part = 0.5 * (from + to);
        for (int i = 0; i < p->d; i++) l->z[i] = (1 - part) * l->low[i] + part * l->high[i];
        if (find_lift(p, l->z) > sigma)
            from = part;
        else
            to = part;
        if (offer(p, o, l->z) || finish_from(p, o, l->z)) return true;
    }
    return false;
}

/* sigma = sum_g s_g |u_g(sigma)| with u(sigma) of the block that has s = 0 and q_n + sigma, whose
 * solutions are a convex set: what is left over is positive at 0 and negative where z = 0 solves
 * it. Acary, Cadoux, Lemarechal, Malick (2011), who prove with it that solutions exist. */
static bool solve_by_fixed_point(local_problem *p, best *o)
{
    perp_cone_block block;
    perp_cone_set t = relax(p, &block);
    local_problem c = {.t = &t, .d = p->d, .B = p->B, .q = p->l->q, .l = p->l};
    double edge = -p->q[0];
    for (int g = 0; g < block.groups; g++) {
        const perp_cone_group *e = &t.group[g];
        edge += e->mu * perp_cone_set_length(e->count, p->q + (e->first - block.first));
    }
    memset(p->l->z, 0, (size_t)p->d * sizeof *p->l->z);
    double lift = find_lift(p, p->l->z);
    if (lift == 0) return false;
    double sigma = edge > lift ? edge : lift;
    return bisect_sigma(p, &c, o, &sigma) || bisect_jump(p, o, sigma);
}

/* ---- the tries ---- */

/* P(-(B + part I)^-1 q), relative to the mean of B; 0: nothing. */
static void start_at(const local_problem *p, double part, double *x)
{
    perp_cone_local *l = p->l;
    size_t d = (size_t)p->d;
    double shift = part * find_mean(p->d, p->B);
    memset(x, 0, d * sizeof *x);
    memcpy(l->J, p->B, d * d * sizeof *l->J);
    for (size_t j = 0; j < d; j++) l->J[j * d + j] += shift;
    if (part == 0 || perp_lu_factor(p->d, l->J, p->d, l->pivot, NULL)) return;
    for (size_t i = 0; i < d; i++) x[i] = -p->q[i];
    perp_lu_solve(p->d, l->J, p->d, l->pivot, false, 1, x);
    perp_cone_set_project(p->t, p->b, x);
}

/* What is left to try: proximal points from the best z, which end all but one of 10^4, the fixed
 * point, and then, in an order found on 7 10^6 blocks, starts elsewhere. */
static bool solve_by_tries(local_problem *p, best *o, double *x)
{
    static const double starts[] = {0, 10, 1, 0.1, 1e-2, 1e-4};
    enum { TRIES = 2 * sizeof starts / sizeof *starts };
    int held = p->l->steps - p->l->steps / 8;
    p->l->steps -= held;
    memcpy(x, o->z, (size_t)p->d * sizeof *x);
    if (follow_points(p, 0.1, o, x)) return true;
    p->l->steps += held;
    if (solve_by_fixed_point(p, o)) return true;
    for (int k = 0; k < TRIES && p->l->steps > 0; k++) {
        p->map = k % 2 ? PERP_CONE_NATURAL : PERP_CONE_DISC;
        start_at(p, starts[k / 2], x);
        if (follow_damped(p, o, x)) return true;
    }
    for (int k = 0; k < TRIES && p->l->steps > 0; k++) {
        p->map = k % 2 ? PERP_CONE_NATURAL : PERP_CONE_DISC;
        start_at(p, starts[k / 2], x);
        if (follow_points(p, k % 2 ? 1 : 0.1, o, x)) return true;
    }
    return false;
}

/* z = P(z - v / |B|), while that makes it better. */
static void solve_by_projections(const local_problem *p, best *o, double *x)
{
    double size = 0;
    for (int k = 0; k < p->d * p->d; k++) size += p->B[k] * p->B[k];
    size = size > 0 ? sqrt(size) : 1;
    memcpy(x, o->z, (size_t)p->d * sizeof *x);
    for (int k = 0; k < PROJECTIONS; k++) {
        double before = o->error;
        find_u(p->d, p->B, 0, NULL, p->q, x, p->l->u);
        perp_cone_set_law(p->t, p->b, p->l->u, p->l->u);
        for (int i = 0; i < p->d; i++) x[i] -= p->l->u[i] / size;
        perp_cone_set_project(p->t, p->b, x);
        if (offer(p, o, x) || !(o->error < before)) break;
    }
}

/* No z moves the normal velocity of a cone, and that is negative. */
static bool is_hopeless(const perp_cone_block *k, const double *B, const double *q)
{
    if (k->type != PERP_CONE_GROUPS || q[0] >= 0) return false;
    for (int j = 0; j < k->count; j++) {
        if (B[j * k->count] != 0) return false;
    }
    return true;
}

bool perp_cone_local_ends(const perp_cone_set *t, int b, const double *B, const double *q,
                          const double *z, double error)
{
    return error <= find_floor(t->block[b].count, B, q, z);
}

double perp_cone_local_solve(const perp_cone_set *t, int b, const double *B, const double *q,
                             int steps, double *z, perp_cone_local *l)
{
    const perp_cone_block *k = &t->block[b];
    local_problem p = {.t = t, .b = b, .d = k->count, .B = B, .q = q, .l = l};
    best o = {.error = perp_cone_local_error(t, b, B, q, z, l), .z = z};
    size_t bytes = (size_t)k->count * sizeof *z;
    double *x = l->x;
    l->steps = steps;
    if (o.error <= find_floor(p.d, B, q, z) || is_hopeless(k, B, q)) return o.error;
    memcpy(x, z, bytes);
    if (k->type == PERP_CONE_BOX) {
        solve_box(k, B[0], q[0], x);
        offer(&p, &o, x);
        return o.error;
    }
    if (k->type == PERP_CONE_GROUPS && k->count == 2) {
        const perp_cone_group *g = &t->group[k->group];
        if (solve_plane(g->mu, g->s, B, q, x) && offer(&p, &o, x)) return o.error;
    }
    memset(x, 0, bytes);
    if (offer(&p, &o, x)) return o.error;
    memcpy(x, z, bytes);
    iterate(&p, NEWTON, 0, x);
    if (offer(&p, &o, x) || solve_by_tries(&p, &o, x)) return o.error;
    solve_by_projections(&p, &o, x);
    return o.error;
}
