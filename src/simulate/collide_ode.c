/* simulate/collide_ode.c: contacts by ODE's collision library (its collision alone, never its
 * dynamics): broad phase by hashing, manifolds of box, sphere, capsule and plane.
 *
 * ODE knows overlaps only. Shapes are therefore grown by half the margin, and the gap is the margin
 * less the depth that it finds; points of grown boxes are drawn back into the boxes as they are. */
#include "sim.h"

#ifdef PERP_ODE
#define dIDEDOUBLE
#include <math.h>
#include <ode/ode.h>
#include <string.h>

#define POINTS_MOST 16 /* of two shapes */

typedef struct sim_ode {
    dSpaceID space;
    dGeomID *geom; /* of each shape */
    double margin; /* that they were grown by */
} sim_ode;

typedef struct search {
    sim *s;
    const perp_body *body;
    double margin;
    perp_contacts *list;
    bool failed;
} search;

bool sim_has_ode(void)
{
    return true;
}

static dGeomID make_geom(const sim_shape *shape, double grow, dSpaceID space)
{
    const double *size = shape->size;
    switch (shape->kind) {
    case SIM_SPHERE: return dCreateSphere(space, size[0] + grow);
    case SIM_BOX:
        return dCreateBox(space, 2 * (size[0] + grow), 2 * (size[1] + grow), 2 * (size[2] + grow));
    case SIM_CAPSULE: return dCreateCapsule(space, size[0] + grow, 2 * size[1]);
    default: return dCreatePlane(space, 0, 0, 1, 0);
    }
}

static bool open_space(sim *s, double margin)
{
    sim_ode *o = perp_alloc(&s->arena, 1, sizeof *o);
    dGeomID *geom = perp_alloc(&s->arena, (size_t)s->shapes, sizeof *geom);
    if (!o || !geom || !dInitODE2(0)) return false;
    *o = (sim_ode){.space = dHashSpaceCreate(0), .geom = geom, .margin = margin};
    for (int k = 0; k < s->shapes; k++) {
        geom[k] = make_geom(s->shape + k, 0.5 * margin, o->space);
        dGeomSetData(geom[k], s->shape + k);
    }
    s->ode = o;
    return true;
}

void sim_close_ode(sim *s)
{
    if (!s->ode) return;
    dSpaceDestroy(s->ode->space); /* and the geoms in it */
    dCloseODE();
    s->ode = NULL;
}

static void place_geoms(sim *s, const perp_body *body, double margin)
{
    for (int k = 0; k < s->shapes; k++) {
        const sim_shape *shape = s->shape + k;
        dGeomID geom = s->ode->geom[k];
        double x[3], R[9];
        sim_shape_pose(shape, body, x, R);
        if (shape->kind == SIM_PLANE) {
            const double *n = R + 6;
            double d = n[0] * x[0] + n[1] * x[1] + n[2] * x[2] + 0.5 * margin;
            dGeomPlaneSetParams(geom, n[0], n[1], n[2], d);
            continue;
        }
        const dMatrix3 rows = {R[0], R[3], R[6], 0, R[1], R[4], R[7], 0, R[2], R[5], R[8], 0};
        dGeomSetPosition(geom, x[0], x[1], x[2]);
        dGeomSetRotation(geom, rows);
    }
}

/* The nearest point of a box, in its own frame; other shapes grow without moving points. Returns
 * the octant of the point in the box, which names it from step to step. */
static int draw_back(const sim_shape *shape, const perp_body *body, double point[3])
{
    double x[3], R[9], own[3];
    int octant = 0;
    if (shape->kind != SIM_BOX) return 0;
    sim_shape_pose(shape, body, x, R);
    for (int i = 0; i < 3; i++) {
        own[i] = 0;
        for (int j = 0; j < 3; j++) own[i] += R[3 * i + j] * (point[j] - x[j]);
        octant |= (own[i] > 0) << i;
        own[i] = fmin(fmax(own[i], -shape->size[i]), shape->size[i]);
    }
    for (int j = 0; j < 3; j++)
        point[j] = x[j] + R[j] * own[0] + R[3 + j] * own[1] + R[6 + j] * own[2];
    return octant;
}

static void add_point(search *q, const sim_shape *x, const sim_shape *y, const dContactGeom *found)
{
    double gap = q->margin - found->depth, point[3];
    if (gap > q->margin) return;
    memcpy(point, found->pos, sizeof point);
    int octant = draw_back(x, q->body, point);
    octant = 8 * octant + draw_back(y, q->body, point);
    perp_contact *c = sim_contact(q->list, x, y, octant);
    if (!c) {
        q->failed = true;
        return;
    }
    double length = sqrt(found->normal[0] * found->normal[0] + found->normal[1] * found->normal[1] +
                         found->normal[2] * found->normal[2]);
    for (int i = 0; i < 3; i++) {
        c->normal[i] = found->normal[i] / length;
        c->point[i] = point[i];
    }
    c->gap = gap;
}

static void touch(void *ctx, dGeomID g, dGeomID h)
{
    search *q = ctx;
    const sim_shape *x = dGeomGetData(g), *y = dGeomGetData(h);
    if (x > y) { /* the same pair is always named in the same order */
        const sim_shape *other = x;
        dGeomID last = g;
        x = y;
        y = other;
        g = h;
        h = last;
    }
    if (q->failed || !sim_can_touch(x, y, q->body)) return;
    dContactGeom found[POINTS_MOST];
    int count = dCollide(g, h, POINTS_MOST, found, sizeof *found);
    for (int k = 0; k < count; k++) add_point(q, x, y, found + k);
}

bool sim_collide_ode(sim *s, const perp_body *body, double margin, perp_contacts *list)
{
    if (s->ode && s->ode->margin != margin) sim_close_ode(s);
    if (!s->ode && !open_space(s, margin)) return false;
    search q = {.s = s, .body = body, .margin = margin, .list = list};
    place_geoms(s, body, margin);
    dSpaceCollide(s->ode->space, &q, touch);
    return !q.failed;
}

#else

bool sim_has_ode(void)
{
    return false;
}

bool sim_collide_ode(sim *s, const perp_body *body, double margin, perp_contacts *list)
{
    (void)s, (void)body, (void)margin, (void)list;
    return false;
}

void sim_close_ode(sim *s)
{
    (void)s;
}
#endif
