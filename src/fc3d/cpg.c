/* fc3d/cpg.c: conjugate projected gradient on the Coulomb cone.
 * Renouf and Alart (2004); Renouf, Acary and Dumont (2005), section 6.3, with the sign of beta
 * mended.
 *
 * One product with W an iteration, and no diagonal: W may be an operator; a body form is reduced.
 * With g = -(W r + q), the prediction r + alpha p is projected contact by contact, r_N >= 0 first,
 * then |r_T| <= mu r_N; gradient and direction are projected on the constraints that are active,
 * and conjugated. A disc is no polyhedron, which handicaps the method of the papers: here the
 * curvature of the rim joins W where a contact slides, and a sliding contact follows the rim as r_N
 * changes. Exact for a symmetric W without friction; with it the bounds move with r_N, and it may
 * stop short: where p.Wp vanishes it says so. Memory: 4 vectors.
 *
 * The variant `published` takes all that away and leaves the algorithm as it is printed: the first
 * direction is the gradient as it is, the tangent cone at r decides which constraints are active,
 * and the method stops where p.Wp vanishes, which section 8.1 of the paper blames for a loss of
 * energy. The papers do not say how small that is: it is the option `vanishing`. The variant
 * `printed` has beta's sign as in the paper, too: its directions are not conjugate. */
#include "body_to_local.h"
#include "method/cone.h"

#include "core/defaults.h"
#include "perp/solver.h"

#include <float.h>
#include <string.h>

/* CLOSES: r = 0 and the normal force is about to grow; the disc of radius mu r_N is a point. */
typedef enum contact_state { OPEN, STICKS, SLIDES, CLOSES } contact_state;

#define RIM 8 /* units of rounding: a tangent so near to the rim is on it */

typedef struct vectors {
    bool published, printed;
    double vanishing; /* of p.Wp, relative to */
    double first;     /* that of the first step */
    double rho;
    contact_state *state;
    int contacts;
    const double *mu;
    double *r, *g, *p, *Wp, *w;
} vectors;

static double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* What a contact would do after a short step along g: then its constraints are active. */
static contact_state foresee(double mu, double rho, const double r[3], const double g[3])
{
    double t = perp_cone_length(r[1] + rho * g[1], r[2] + rho * g[2]);
    if (r[0] + rho * g[0] <= 0) return OPEN;
    return t < mu * r[0] ? STICKS : SLIDES;
}

/* The constraints that are active in the tangent cone at r, where g is projected on it. */
static contact_state tangent_state(double mu, const double r[3], const double g[3])
{
    double rim = mu * r[0] * (1 - RIM * DBL_EPSILON);
    if (r[0] <= 0) return g[0] > 0 ? CLOSES : OPEN;
    if (perp_cone_length(r[1], r[2]) < rim) return STICKS;
    return mu == 0 || r[1] * g[1] + r[2] * g[2] > 0 ? SLIDES : STICKS;
}

/* Take from x what the active constraints forbid: all where open, the radius where it slides. */
static void restrict_to_active(contact_state state, double mu, const double r[3], double x[3])
{
    double t = perp_cone_length(r[1], r[2]);
    if (state == OPEN) x[0] = 0;
    if (state == OPEN || state == CLOSES) x[1] = x[2] = 0;
    if (state != SLIDES) return;
    if (mu == 0) x[1] = x[2] = 0;
    if (!(t > 0)) return;
    double d[2] = {r[1] / t, r[2] / t}, along = x[1] * d[0] + x[2] * d[1];
    x[1] -= along * d[0];
    x[2] -= along * d[1];
}

/* r_N >= 0, then the tangent: within the disc of radius mu r_N where it sticks, on its rim where it
 * slides. */
static void project(contact_state state, double mu, double r[3])
{
    r[0] = state != OPEN && r[0] > 0 ? r[0] : 0;
    double t = perp_cone_length(r[1], r[2]), most = mu * r[0];
    if (!(t > most) && (state != SLIDES || t == 0)) return;
    r[1] *= most / t;
    r[2] *= most / t;
}

/* g = -(W r + q), w its projection; returns |natural map|. */
static double find_gradient(const perp_fc3d *f, vectors *v)
{
    int n = 3 * v->contacts;
    double sum = 0;
    for (int i = 0; i < n; i++) v->g[i] = f->q[i];
    perp_mul(&f->W, -1, v->r, -1, v->g);
    for (int k = 0; k < n; k += 3) {
        const double *g = v->g + k;
        double mu = v->mu[k / 3], map[3];
        double u[3] = {mu * perp_cone_length(g[1], g[2]) - g[0], -g[1], -g[2]};
        perp_cone_natural(mu, v->r + k, u, map);
        for (int i = 0; i < 3; i++) {
            sum += map[i] * map[i];
            v->w[k + i] = g[i];
        }
        v->state[k / 3] =
            v->published ? tangent_state(mu, v->r + k, g) : foresee(mu, v->rho, v->r + k, g);
        restrict_to_active(v->state[k / 3], mu, v->r + k, v->w + k);
    }
    return sqrt(sum);
}

/* p <- w + beta z, z what of p the active constraints leave. */
static void conjugate(vectors *v, double pWp)
{
    int n = 3 * v->contacts;
    double beta = -dot(n, v->w, v->Wp) / pWp;
    if (v->printed) beta = -beta;
    for (int k = 0; k < n; k += 3) {
        restrict_to_active(v->state[k / 3], v->mu[k / 3], v->r + k, v->p + k);
        for (int i = k; i < k + 3; i++) v->p[i] = v->w[i] + beta * v->p[i];
    }
}

/* Wp and, where a contact slides, the curvature of the rim: turning r_T by p turns what holds it
 * there, so that the gradient changes by g_rad / |r_T| p more. */
static void bend(const perp_fc3d *f, vectors *v)
{
    int n = 3 * v->contacts;
    perp_mul(&f->W, 1, v->p, 0, v->Wp);
    for (int k = 0; k < n; k += 3) {
        const double *r = v->r + k, *g = v->g + k;
        double tt = r[1] * r[1] + r[2] * r[2], outward = g[1] * r[1] + g[2] * r[2];
        if (v->state[k / 3] != SLIDES || !(tt > 0) || !(outward > 0)) continue;
        v->Wp[k + 1] += outward / tt * v->p[k + 1];
        v->Wp[k + 2] += outward / tt * v->p[k + 2];
    }
}

/* p.Wp, or 0 where it vanishes. */
static double find_curvature(const perp_fc3d *f, vectors *v)
{
    int n = 3 * v->contacts;
    double pp = dot(n, v->p, v->p);
    if (v->published) {
        perp_mul(&f->W, 1, v->p, 0, v->Wp);
    } else {
        bend(f, v);
    }
    double pWp = dot(n, v->p, v->Wp);
    if (v->first == 0) v->first = pWp;
    if (v->published && pWp <= v->vanishing * v->first) return 0;
    return pWp > DBL_EPSILON * DBL_EPSILON * pp ? pWp : 0;
}

/* Where no direction is left, contacts that open may still be held by a start; let go of them, and
 * go on from there. False: there are none. */
static bool let_go(vectors *v)
{
    bool held = false;
    for (int k = 0; k < 3 * v->contacts; k++) {
        if (v->state[k / 3] != OPEN) continue;
        held = held || v->r[k] != 0;
        v->r[k] = 0;
    }
    return held;
}

/* One iteration from g, w and p; the new |natural map|, or NaN where there is no direction. */
static double step(const perp_fc3d *f, vectors *v)
{
    int n = 3 * v->contacts;
    double pp = dot(n, v->p, v->p), gp = dot(n, v->g, v->p), pWp = find_curvature(f, v);
    if (!(pWp > 0)) {
        if (v->published || !let_go(v)) return NAN;
        double left = find_gradient(f, v);
        memcpy(v->p, v->w, (size_t)n * sizeof *v->p);
        return left;
    }
    v->rho = pp / pWp;
    for (int i = 0; i < n; i++) v->r[i] += gp / pWp * v->p[i];
    for (int k = 0; k < n; k += 3) {
        project(v->published ? STICKS : v->state[k / 3], v->mu[k / 3], v->r + k);
    }
    double error = find_gradient(f, v);
    conjugate(v, pWp);
    return error;
}

static perp_status iterate(perp_run *run, const perp_fc3d *f, const perp_body_to_local *d,
                           double *z)
{
    int n = 3 * f->contacts;
    vectors v = {.contacts = f->contacts, .mu = f->mu, .r = z, .rho = 1};
    const perp_fc3d_cpg_options *o = (const perp_fc3d_cpg_options *)run->options;
    v.published = o->variant != PERP_CPG_VARIANT_SAFEGUARDED;
    v.printed = o->variant == PERP_CPG_VARIANT_PRINTED;
    v.vanishing = o->vanishing;
    v.g = PERP_ALLOC(run, double, n);
    v.p = PERP_ALLOC(run, double, n);
    v.Wp = PERP_ALLOC(run, double, n);
    v.w = PERP_ALLOC(run, double, n);
    v.state = PERP_ALLOC(run, contact_state, f->contacts);
    if (run->arena->failed) return PERP_E_MEMORY;

    for (int k = 0; k < n; k += 3) project(STICKS, f->mu[k / 3], z + k);
    double scale = perp_scale(run), estimate = find_gradient(f, &v) / scale;
    for (int i = 0; i < n; i++) v.p[i] = v.published ? v.g[i] : v.w[i];
    for (;;) {
        if (d) perp_body_to_local_back(d, z);
        if (!perp_continue(run, z, estimate)) return run->status;
        estimate = step(f, &v) / scale;
        if (!isnan(estimate)) continue;
        return perp_fail(run, PERP_STALLED,
                         "p'W p = %g vanishes, so that no step length exists; try fc3d/prox",
                         dot(n, v.p, v.Wp));
    }
}

static perp_status cpg(perp_run *run, double *z)
{
    const perp_fc3d *f = &run->problem->as.fc3d;
    perp_body_to_local d;
    if (f->form == PERP_FORM_LOCAL) return iterate(run, f, NULL, z);
    perp_status status = perp_body_to_local_open(run, &d);
    return status ? status : iterate(run, &d.local, &d, z);
}

static const perp_option options[] = {
    PERP_OPTION_CHOICE(perp_fc3d_cpg_options, variant, "safeguarded|published|printed",
                       "as published: no curvature of the rim, no foresight, no second try; as "
                       "printed: with beta's sign as in the paper"),
    PERP_OPTION(perp_fc3d_cpg_options, vanishing, 0, 1,
                "published and printed stop where p.Wp is so small against the first one"),
    {0},
};

static const perp_solver solver = {
    .name = "fc3d/cpg",
    .about = "conjugate projected gradient on the Coulomb cone (Renouf, Acary, Dumont 2005)",
    .kind = PERP_KIND_FC3D,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3 | PERP_FORMAT_OPERATOR,
                PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3},
    .flags = PERP_SOLVER_READS_BODY | PERP_SOLVER_MAY_ALLOCATE,
    .options_size = sizeof(perp_fc3d_cpg_options),
    .options = options,
    .solve = cpg,
    .room = perp_room_none,
};

const perp_fc3d_cpg_options perp_fc3d_cpg = {
    .base = {.solver = &solver, .tol = 1e-4, .max_iter = 10000, .threads = 1},
    .vanishing = 1e-16,
};
