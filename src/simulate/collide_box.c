/* simulate/collide_box.c: where two boxes touch: the axis of least overlap among the normals of
 * their faces and the directions across two edges (Gottschalk, Lin and Manocha 1996), then one face
 * clipped by the sides of the other, or the nearest points of two edges.
 *
 * For walls, where most faces lie flush: what coincides within a slack is not clipped, so that the
 * same corners come back step by step, under the same names. */
#include "sim.h"
#include "space.h"

#include <math.h>
#include <string.h>

#define SLACK                                                                                      \
    1e-4            /* of the smaller half side: how far corners may stick out and count as inside \
                     */
#define PREFER 1e-2 /* of the margin: what another axis must be better by, so that ties stay */
#define NEAR 1e-2   /* of the smallest half side: points that are no further apart are one */
#define CORNERS 8   /* of two quadrangles' common part, at most */

typedef struct box {
    const sim_shape *shape;
    double x[3], R[9]; /* R + 3 j: its axis j */
    const double *half;
    double reach;
} box;

static box place_box(const sim_shape *shape, const perp_body *body)
{
    box b = {
        .shape = shape, .half = shape->size, .reach = sqrt(space_dot(shape->size, shape->size))};
    sim_shape_pose(shape, body, b.x, b.R);
    return b;
}

static double least_half(const box *b)
{
    return fmin(fmin(b->half[0], b->half[1]), b->half[2]);
}

/* How far a box reaches along a unit vector. */
static double reach_along(const box *b, const double *n)
{
    double sum = 0;
    for (int j = 0; j < 3; j++) sum += b->half[j] * fabs(space_dot(b->R + 3 * j, n));
    return sum;
}

/* ---- the axis ------------------------------------------------------------------------------ */

typedef struct axis {
    double n[3]; /* from b to a */
    double gap;
    int face;    /* 0 .. 2 of a, 3 .. 5 of b, -1: across two edges, */
    int edge[2]; /* of a, of b */
} axis;

/* False: further apart along n than the margin. */
static bool try_axis(const box *a, const box *b, const double *n, double margin, double handicap,
                     axis *best, int face, int edge)
{
    const double d[3] = {a->x[0] - b->x[0], a->x[1] - b->x[1], a->x[2] - b->x[2]};
    double along = space_dot(d, n), sign = along < 0 ? -1 : 1;
    double gap = fabs(along) - reach_along(a, n) - reach_along(b, n);
    if (gap > margin) return false;
    if (gap <= best->gap + handicap) return true;
    *best = (axis){.gap = gap, .face = face, .edge = {edge / 3, edge % 3}};
    for (int i = 0; i < 3; i++) best->n[i] = sign * n[i];
    return true;
}

static bool find_axis(const box *a, const box *b, double margin, axis *best)
{
    double handicap = PREFER * margin;
    *best = (axis){.gap = -INFINITY};
    for (int f = 0; f < 6; f++) {
        const double *n = f < 3 ? a->R + 3 * f : b->R + 3 * (f - 3);
        if (!try_axis(a, b, n, margin, handicap, best, f, 0)) return false;
    }
    for (int e = 0; e < 9; e++) {
        double n[3];
        space_cross(a->R + 3 * (e / 3), b->R + 3 * (e % 3), n);
        double length = sqrt(space_dot(n, n));
        if (length < 1e-3) continue; /* parallel: a face's normal is as good */
        for (int i = 0; i < 3; i++) n[i] /= length;
        if (!try_axis(a, b, n, margin, handicap, best, -1, e)) return false;
    }
    return true;
}

/* ---- points -------------------------------------------------------------------------------- */

typedef struct points {
    int count;
    double at[CORNERS][3], gap[CORNERS];
} points;

/* What of a polygon lies below `most` along the direction d, seen from the origin. */
static int clip(double (*p)[3], int count, const double *origin, const double *d, double most,
                double slack)
{
    double kept[CORNERS + 1][3];
    int n = 0;
    for (int k = 0; k < count; k++) {
        const double *x = p[k], *y = p[(k + 1) % count];
        double s = space_dot(x, d) - space_dot(origin, d) - most,
               t = space_dot(y, d) - space_dot(origin, d) - most;
        if (s <= slack && n < CORNERS) memcpy(kept[n++], x, sizeof *kept);
        if ((s <= slack) == (t <= slack) || n == CORNERS) continue;
        double part = fmin(fmax(s / (s - t), 0), 1); /* both may stick out a little */
        for (int i = 0; i < 3; i++) kept[n][i] = x[i] + part * (y[i] - x[i]);
        n++;
    }
    memcpy(p, kept, (size_t)n * sizeof *kept);
    return n;
}

/* The corners of the face of b that looks most against n. */
static void find_face(const box *b, const double *n, double (*p)[3])
{
    int face = 0;
    for (int j = 1; j < 3; j++) {
        if (fabs(space_dot(b->R + 3 * j, n)) > fabs(space_dot(b->R + 3 * face, n))) face = j;
    }
    int j = (face + 1) % 3, k = (face + 2) % 3;
    double sign = space_dot(b->R + 3 * face, n) > 0 ? -1 : 1;
    for (int c = 0; c < 4; c++) {
        double s = c == 0 || c == 3 ? 1 : -1, t = c < 2 ? 1 : -1;
        for (int i = 0; i < 3; i++) {
            p[c][i] = b->x[i] + sign * b->half[face] * b->R[3 * face + i] +
                      s * b->half[j] * b->R[3 * j + i] + t * b->half[k] * b->R[3 * k + i];
        }
    }
}

static void add_point(points *out, const double *x, double gap, double near)
{
    for (int k = 0; k < out->count; k++) {
        const double *y = out->at[k];
        if (fabs(x[0] - y[0]) + fabs(x[1] - y[1]) + fabs(x[2] - y[2]) < near) return;
    }
    memcpy(out->at[out->count], x, sizeof *out->at);
    out->gap[out->count++] = gap;
}

/* The face `own` of one box, looking along n, against the other box. */
static void touch_face(const box *one, int own, const box *other, const double *n, double margin,
                       points *out)
{
    double p[CORNERS + 1][3], least = fmin(least_half(one), least_half(other));
    int count = 4;
    find_face(other, n, p);
    for (int side = 1; side < 3; side++) {
        int j = (own + side) % 3;
        for (int sign = -1; sign < 2 && count > 0; sign += 2) {
            double d[3];
            for (int i = 0; i < 3; i++) d[i] = sign * one->R[3 * j + i];
            count = clip(p, count, one->x, d, one->half[j], SLACK * least);
        }
    }
    for (int k = 0; k < count; k++) {
        double gap = space_dot(p[k], n) - space_dot(one->x, n) - one->half[own];
        if (gap > margin) continue;
        for (int i = 0; i < 3; i++) p[k][i] -= 0.5 * gap * n[i];
        add_point(out, p[k], gap, NEAR * least);
    }
}

/* A point of the edge of a box along its axis e that reaches furthest along n. */
static void find_edge(const box *b, int e, const double *n, double sign, double *out)
{
    memcpy(out, b->x, 3 * sizeof *out);
    for (int j = 0; j < 3; j++) {
        if (j == e) continue;
        double way = (space_dot(b->R + 3 * j, n) * sign > 0 ? 1 : -1) * b->half[j];
        for (int i = 0; i < 3; i++) out[i] += way * b->R[3 * j + i];
    }
}

static void touch_edges(const box *a, const box *b, const axis *x, points *out)
{
    double p[3], q[3], d[3], at[3];
    const double *u = a->R + 3 * (size_t)x->edge[0], *v = b->R + 3 * (size_t)x->edge[1];
    find_edge(a, x->edge[0], x->n, -1, p);
    find_edge(b, x->edge[1], x->n, 1, q);
    for (int i = 0; i < 3; i++) d[i] = q[i] - p[i];
    double c = space_dot(u, v), s = (space_dot(u, d) - c * space_dot(v, d)) / (1 - c * c);
    s = fmin(fmax(s, -a->half[x->edge[0]]), a->half[x->edge[0]]);
    for (int i = 0; i < 3; i++) at[i] = p[i] + s * u[i] + 0.5 * x->gap * -x->n[i];
    add_point(out, at, x->gap, 0);
}

/* ---- contacts ------------------------------------------------------------------------------ */

/* Low, middle or high along each axis: a name that stays, also where blocks lie halfway on others.
 */
static int name_point(const box *b, const double *point)
{
    int name = 0;
    for (int j = 0; j < 3; j++) {
        double own = space_dot(point, b->R + 3 * j) - space_dot(b->x, b->R + 3 * j),
               third = b->half[j] / 3;
        name = 3 * name + (own > third) - (own < -third) + 1;
    }
    return name;
}

bool sim_touch_boxes(const sim *s, const sim_shape *x, const sim_shape *y, const perp_body *body,
                     double margin, perp_contacts *list)
{
    box a = place_box(x, body), b = place_box(y, body);
    const double d[3] = {a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]};
    axis best;
    points p = {.count = 0};
    double far = a.reach + b.reach + margin;
    if (space_dot(d, d) > far * far || !find_axis(&a, &b, margin, &best)) return true;
    const double back[3] = {-best.n[0], -best.n[1], -best.n[2]};
    if (best.face < 0)
        touch_edges(&a, &b, &best, &p);
    else if (best.face < 3)
        touch_face(&a, best.face, &b, back, margin, &p);
    else
        touch_face(&b, best.face - 3, &a, best.n, margin, &p);
    for (int k = 0; k < p.count; k++) {
        int which = 27 * name_point(&a, p.at[k]) + name_point(&b, p.at[k]);
        perp_contact *c = sim_contact(list, x, y, which);
        if (!c) return false;
        memcpy(c->point, p.at[k], sizeof c->point);
        memcpy(c->normal, best.n, sizeof c->normal);
        c->gap = fabs(p.gap[k]) > s->slop ? p.gap[k] : 0;
    }
    return true;
}

bool sim_collide_boxes(void *ctx, const perp_body *body, int bodies, double margin,
                       perp_contacts *list)
{
    const sim *s = ctx;
    (void)bodies;
    for (int j = 0; j < s->shapes; j++) {
        for (int k = j + 1; k < s->shapes; k++) {
            if (!sim_can_touch(s->shape + j, s->shape + k, body)) continue;
            if (!sim_touch_boxes(s, s->shape + j, s->shape + k, body, margin, list)) return false;
        }
    }
    return true;
}
