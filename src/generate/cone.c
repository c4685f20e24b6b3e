/* generate/cone.c: products of cones, balls, boxes and free rows around known z and u. W = B'B +
 * skew part, of full rank or, every other time, of any, or that of bodies; the blocks are off,
 * stick or slide, each group for itself, and q = u - W z. */
#include "problem_parts.h"

#define TWO_PI 6.28318530717958647692

/* The groups of the shapes: of 1 + 1, 1 + 2, 1 + 1 + 1, 1 + 2 + 1, 1 + 2 + 2, 1 + 2 + 1 + 2. */
static const struct {
    int groups, count[3];
} shapes[] = {{1, {1}}, {1, {2}}, {2, {1, 1}}, {2, {2, 1}}, {2, {2, 2}}, {3, {2, 1, 2}}};

enum { SHAPES = sizeof shapes / sizeof *shapes };

typedef struct planted {
    int n;
    double *lo, *hi, *mu, *s, *z, *u;
    int *follows, *group;
} planted;

static bool plant_open(planted *p, perp_arena *a, int most)
{
    double **vectors[] = {&p->lo, &p->hi, &p->mu, &p->s, &p->z, &p->u};
    for (int k = 0; k < 6; k++) *vectors[k] = problem_vector(a, most);
    p->follows = perp_alloc(a, (size_t)most, sizeof *p->follows);
    p->group = perp_alloc(a, (size_t)most, sizeof *p->group);
    p->n = 0;
    return !a->failed;
}

/* A further row, with these bounds. */
static int plant_row(planted *p, double lo, double hi)
{
    int i = p->n++;
    p->lo[i] = lo;
    p->hi[i] = hi;
    p->follows[i] = p->group[i] = -1;
    return i;
}

/* A direction of `count` rows from `at` in x, of that length. */
static void draw_direction(generator *g, int count, double length, double *x)
{
    double angle = TWO_PI * generator_unit(g);
    x[0] = count == 1 ? (generator_below(g, 2) ? length : -length) : length * cos(angle);
    if (count == 2) x[1] = length * sin(angle);
}

/* A group of the cone of row n: z_g inside and u_g = 0, or z_g at the edge and u_g against it;
 * where z_n = 0 any u_g. Returns (mu - s) |u_g|. */
static double plant_group(generator *g, planted *p, int n, int count, bool convex)
{
    int at = p->n;
    double mu = generator_unit(g), s = convex ? 0 : mu, push = p->z[n];
    for (int i = 0; i < count; i++) {
        int row = plant_row(p, -INFINITY, INFINITY);
        p->follows[row] = n;
        p->group[row] = at;
    }
    p->mu[at] = mu;
    p->s[at] = s;
    bool slides = push == 0 || generator_below(g, 2);
    double speed = slides ? 0.1 + generator_unit(g) : 0;
    draw_direction(g, count, slides ? mu * push : 0.9 * generator_unit(g) * mu * push, p->z + at);
    if (push == 0)
        draw_direction(g, count, speed, p->u + at);
    else
        for (int i = 0; i < count; i++) p->u[at + i] = -speed * p->z[at + i];
    double size = 0;
    for (int i = 0; i < count; i++) size += p->u[at + i] * p->u[at + i];
    return (mu - s) * sqrt(size);
}

static void plant_cone(generator *g, planted *p, bool convex)
{
    int shape = generator_below(g, SHAPES), n = plant_row(p, 0, INFINITY);
    bool off = generator_below(g, 3) == 0;
    p->z[n] = off ? 0 : 0.1 + generator_unit(g);
    p->u[n] = off ? 0.1 + generator_unit(g) : 0;
    for (int k = 0; k < shapes[shape].groups; k++) {
        p->u[n] += plant_group(g, p, n, shapes[shape].count[k], convex);
    }
}

/* A free row, a box, or a ball of two rows. */
static void plant_other(generator *g, planted *p, int type)
{
    if (type == 0) {
        int i = plant_row(p, -INFINITY, INFINITY);
        p->z[i] = generator_uniform(g);
    } else if (type == 1) {
        int i = plant_row(p, -generator_unit(g), 0.1 + generator_unit(g));
        int state = generator_below(g, 3);
        p->z[i] = state == 0 ? p->lo[i] : state == 1 ? p->hi[i] : 0.5 * (p->lo[i] + p->hi[i]);
        p->u[i] = state == 0 ? generator_unit(g) : state == 1 ? -generator_unit(g) : 0;
    } else {
        double radius = 0.1 + generator_unit(g);
        bool edge = generator_below(g, 2);
        int at = plant_row(p, -radius, radius);
        plant_row(p, -radius, radius);
        p->group[at] = p->group[at + 1] = at;
        draw_direction(g, 2, edge ? radius : 0.5 * radius, p->z + at);
        for (int i = at; edge && i < at + 2; i++) p->u[i] = -p->z[i];
    }
}

/* W z + q = u, rows and columns times `scale` with the law kept: one factor for each block. */
static void finish(generator *g, planted *p, bool apart, perp_arena *a, generated_problem *out)
{
    int n = p->n, rank = generator_below(g, 2) ? n : generator_between(g, 1, n);
    double *W = problem_monotone(g, a, n, rank, 0, generator_below(g, 2) ? 0.1 : 0);
    double *q = problem_vector(a, n), *S = problem_vector(a, n);
    if (a->failed) return;
    for (int i = 0; i < n; i++) {
        int block = p->follows[i] >= 0 ? p->follows[i] : p->group[i] >= 0 ? p->group[i] : i;
        S[i] = block < i ? S[block] : apart ? pow(10, generator_uniform(g)) : 1;
        p->z[i] /= S[i];
        p->u[i] *= S[i];
        p->lo[i] /= S[i];
        p->hi[i] /= S[i];
    }
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) W[(size_t)j * (size_t)n + (size_t)i] *= S[i] * S[j];
    }
    perp_matrix view = perp_dense(n, n, W);
    for (int i = 0; i < n; i++) q[i] = p->u[i];
    perp_mul(&view, -1, p->z, 1, q);
    out->p.kind = PERP_KIND_CONE;
    out->p.as.cone = (perp_cone){.n = n, .W = view, .q = q, .lo = p->lo, .hi = p->hi};
    out->p.as.cone.follows = p->follows;
    out->p.as.cone.group = p->group;
    out->p.as.cone.mu = p->mu;
    out->p.as.cone.s = p->s;
    out->z = p->z;
}

static void plant(generator *g, int size, bool convex, bool mixed, perp_arena *a,
                  generated_problem *out)
{
    planted p;
    if (size > 1000000 || !plant_open(&p, a, 6 * size + 12)) return;
    for (int k = 0; k < size; k++) plant_cone(g, &p, convex);
    for (int k = 0; mixed && k < 9; k++) plant_other(g, &p, k % 3);
    finish(g, &p, mixed, a, out);
}

/* The compliance of rows: a number for each block of the size of W's entries, by columns. */
static perp_matrix draw_compliance(generator *g, const planted *b, perp_arena *a)
{
    int n = b->n, *p = perp_alloc(a, (size_t)n + 1, sizeof *p);
    int *i = perp_alloc(a, (size_t)n, sizeof *i);
    double *x = problem_vector(a, n);
    if (a->failed) return (perp_matrix){.format = PERP_FORMAT_ABSENT};
    for (int k = 0; k < n; k++) {
        int block = b->follows[k] >= 0 ? b->follows[k] : k;
        i[k] = k;
        x[k] = block < k ? x[block] : 0.1 * generator_unit(g);
        p[k + 1] = k + 1;
    }
    return perp_csc(n, n, p, i, x);
}

/* M v = f + H z + G l, u = H'v + R z + w, G'v + b = 0 for random v and l, four more velocities than
 * rows, two equalities. */
static void finish_bodies(generator *g, planted *b, perp_arena *a, generated_problem *out)
{
    int n = b->n, nv = n + 4, nl = 2;
    double *M = problem_monotone(g, a, nv, nv, 1, 0), *H = problem_matrix(g, a, nv, n);
    double *G = problem_matrix(g, a, nv, nl), *f = problem_vector(a, nv);
    double *e = problem_vector(a, nl), *z = problem_vector(a, n + nv + nl), *v = z + n;
    perp_matrix R = draw_compliance(g, b, a);
    if (a->failed) return;
    for (int i = 0; i < n; i++) z[i] = b->z[i];
    for (int i = 0; i < nv + nl; i++) v[i] = generator_uniform(g);
    perp_cone c = {.n = n, .form = PERP_FORM_BODY, .R = R, .f = f, .w = b->u, .b = e};
    c.M = perp_dense(nv, nv, M);
    c.H = perp_dense(nv, n, H);
    c.G = perp_dense(nv, nl, G);
    perp_mul(&c.M, 1, v, 0, f);
    perp_mul(&c.H, -1, z, 1, f);
    perp_mul(&c.G, -1, v + nv, 1, f);
    perp_mul_t(&c.H, -1, v, 1, b->u);
    perp_mul(&c.R, -1, z, 1, b->u);
    perp_mul_t(&c.G, -1, v, 0, e);
    c.lo = b->lo;
    c.hi = b->hi;
    c.follows = b->follows;
    c.group = b->group;
    c.mu = b->mu;
    c.s = b->s;
    out->p = (perp_problem){.kind = PERP_KIND_CONE, .as.cone = c};
    out->z = z;
}

void make_cone_bodies(generator *g, int size, perp_arena *a, generated_problem *out)
{
    planted p;
    if (size > 1000 || !plant_open(&p, a, 6 * size + 12)) return;
    for (int k = 0; k < size; k++) plant_cone(g, &p, false);
    for (int k = 0; k < 9; k++) plant_other(g, &p, k % 3);
    finish_bodies(g, &p, a, out);
}

void make_cone_known(generator *g, int size, perp_arena *a, generated_problem *out)
{
    plant(g, size, false, false, a, out);
}

void make_cone_convex(generator *g, int size, perp_arena *a, generated_problem *out)
{
    plant(g, size, true, false, a, out);
}

void make_cone_mixed(generator *g, int size, perp_arena *a, generated_problem *out)
{
    plant(g, size, false, true, a, out);
}
