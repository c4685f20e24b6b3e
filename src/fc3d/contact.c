/* fc3d/contact.c: one contact: preparation, error, and the chain of solvers.
 * Acary, Bremond and Huber, "On solving contact problems with Coulomb friction" (2018), for the
 * formulations.
 *
 * Closed forms and the secular equation solve nearly every block in about 100 ns; the error at the
 * start and at the end, which they are judged by, costs as much again. */
#include "contact.h"

#include "base/clones.h"
#include "contact_secular.h"
#include "method/cone.h"

#include <float.h>

#define PLAIN 1e-3     /* of the squared size of W_TT: a smaller det(S) loses digits */
#define ROUNDING 16    /* units of rounding that count as solved */
#define NEWTON_STEPS 8 /* to polish; to find, four times as many */
#define PROJECTIONS 500

static double largest(double a, double b)
{
    return a > b ? a : b;
}

bool perp_contact_prepare(const double W[9], double mu, perp_contact_block *k)
{
    *k = (perp_contact_block){.wn = W[0], .inv = 1 / W[0], .c = {W[3], W[6]}, .mu = mu};
    k->points = PERP_CONTACT_POINTS;
    for (int i = 0; i < 2; i++) {
        k->l[i] = W[1 + i] * k->inv;
        for (int j = 0; j < 2; j++) k->S[2 * j + i] = W[3 * j + 4 + i] - k->l[i] * k->c[j];
    }
    k->trace = k->S[0] + k->S[3];
    k->det = k->S[0] * k->S[3] - k->S[1] * k->S[2];
    k->idet = 1 / k->det;
    double sine;
    perp_cone_angle(mu, &k->cosine, &sine);
    double size = fabs(W[4]) + fabs(W[5]) + fabs(W[7]) + fabs(W[8]);
    double removed = largest(fabs(k->l[0]), fabs(k->l[1])) * largest(fabs(W[3]), fabs(W[6]));
    size = largest(size, removed);
    k->regular = k->trace > 0 && k->det > 4 * DBL_EPSILON * size * size;
    k->plain = k->regular && k->det > PLAIN * size * size && fabs(k->l[0]) + fabs(k->l[1]) < 30;
    return W[0] > 0 && isfinite(k->inv) && isfinite(k->det);
}

/* K by mu, cosine and sine. */
PERP_INLINED double error_by(const double W[9], const double q[3], double mu, double cosine,
                             double sine, const double r[3])
{
    double u[3], map[3];
    for (int i = 0; i < 3; i++) u[i] = (W[i] * r[0] + W[i + 3] * r[1] + W[i + 6] * r[2]) + q[i];
    u[0] += mu * perp_cone_length(u[1], u[2]);
    perp_cone_natural_by(mu, cosine, sine, r, u, map);
    double sum = map[0] * map[0] + map[1] * map[1] + map[2] * map[2];
    return sum > 1e-280 ? sqrt(sum) : largest(largest(fabs(map[0]), fabs(map[1])), fabs(map[2]));
}

static inline double error_at(const double W[9], const double q[3], double mu, const double r[3])
{
    double cosine, sine;
    perp_cone_angle(mu, &cosine, &sine);
    return error_by(W, q, mu, cosine, sine, r);
}

double perp_contact_error(const double W[9], const double q[3], double mu, const double r[3])
{
    return error_at(W, q, mu, r);
}

/* What the products W r and the sums with q round away. */
PERP_INLINED double floor_of(const double W[9], const double q[3], const double r[3])
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        sum = largest(sum, fabs(W[i] * r[0]) + fabs(W[i + 3] * r[1]) + fabs(W[i + 6] * r[2]) +
                               fabs(q[i]));
    }
    double size = fabs(r[0]) + fabs(r[1]) + fabs(r[2]);
    return ROUNDING * DBL_EPSILON * (sum + (size < sum ? size : sum));
}

typedef struct best {
    double r[3], error;
} best;

static void offer(best *b, const double r[3], double error)
{
    if (!(error < b->error)) return; /* also NaN */
    for (int i = 0; i < 3; i++) b->r[i] = r[i];
    b->error = error;
}

/* A nearly singular block can make r so large that its rounding shows: half of it is to be had. */
PERP_INLINED bool solved(const best *b, const double W[9], const perp_contact_block *k,
                         const double q[3])
{
    return b->error <= (k->plain ? 1 : 0.5) * floor_of(W, q, b->r);
}

/* Newton from the best point, on either map, until rounding. */
static bool polish(best *b, const double W[9], const perp_contact_block *k, const double q[3],
                   int steps)
{
    for (int map = 0; map < 2; map++) {
        double r[3] = {b->r[0], b->r[1], b->r[2]};
        offer(b, r, perp_contact_newton(W, q, k->mu, (perp_contact_map)map, steps, r));
        offer(b, r, error_at(W, q, k->mu, r));
        if (solved(b, W, k, q)) return true;
    }
    return false;
}

static bool by_points(best *b, const double W[9], const perp_contact_block *k, const double q[3])
{
    double r[3] = {b->r[0], b->r[1], b->r[2]};
    perp_contact_points(W, q, k->mu, k->points, r);
    offer(b, r, error_at(W, q, k->mu, r));
    return solved(b, W, k, q);
}

/* What is left to try where the cheapest way did not lead to a solution. */
static void try_all(best *b, const double W[9], const perp_contact_block *k, const double q[3])
{
    double r[3] = {b->r[0], b->r[1], b->r[2]};
    if (!k->regular && (k->points == 0 || by_points(b, W, k, q))) return;
    if (!(k->inv < INFINITY && k->inv > 0)) return; /* what follows divides by W_NN */
    if (polish(b, W, k, q, NEWTON_STEPS) || k->points == 0) return;
    offer(b, r, perp_contact_enumerate(W, k, q, r));
    if (polish(b, W, k, q, NEWTON_STEPS)) return;
    for (int i = 0; i < 3; i++) r[i] = 0;
    offer(b, r, perp_contact_newton(W, q, k->mu, PERP_ALART_CURNIER, 4 * NEWTON_STEPS, r));
    if (solved(b, W, k, q) || (k->regular && by_points(b, W, k, q))) return;
    for (int i = 0; i < 3; i++) r[i] = b->r[i];
    offer(b, r, perp_contact_project(W, q, k->mu, PROJECTIONS, r));
    polish(b, W, k, q, NEWTON_STEPS);
}

/* A block that has no solution for what the others do may have one later, and costs half as much
 * each time that it has none. */
static void hard(best *b, const double W[9], perp_contact_block *k, const double q[3])
{
    try_all(b, W, k, q);
    k->points = solved(b, W, k, q) ? PERP_CONTACT_POINTS : k->points / 2;
}

PERP_CLONED(double, solve,
            (const double W[9], perp_contact_block *k, const double q[3], double r[3]),
            (W, k, q, r))
{
    double sine = k->mu < 1e100 ? k->mu * k->cosine : 1;
    best b = {.r = {r[0], r[1], r[2]}, .error = error_by(W, q, k->mu, k->cosine, sine, r)};
    if (!(b.error >= 0)) b.error = INFINITY;
    double next[3] = {r[0], r[1], r[2]};
    double qt[2] = {q[1] - k->l[0] * q[0], q[2] - k->l[1] * q[0]};
    if ((k->regular || q[0] >= 0) && perp_contact_step(k, q[0], qt, next)) {
        offer(&b, next, error_by(W, q, k->mu, k->cosine, sine, next));
    }
    if (!solved(&b, W, k, q)) hard(&b, W, k, q);
    for (int i = 0; i < 3; i++) r[i] = b.r[i];
    return b.error;
}

bool perp_contact_ends(const double W[9], const double q[3], const double r[3], double error)
{
    return error <= floor_of(W, q, r);
}

double perp_contact_solve(const double W[9], perp_contact_block *k, const double q[3], double r[3])
{
    return solve(W, k, q, r);
}
