/* simulate/collide.c: where shapes touch. Spheres and planes here, by a uniform grid: cells as wide
 * as the largest sphere and the margin, hashed and sorted by counting, each looked at with half of
 * its neighbours; linear in the spheres. Scenes with other shapes go to ODE. */
#include "sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct sim_grid {
    int room, cells;  /* spheres that there is room for; a power of 2 */
    int *start, *who; /* spheres of each hashed cell: who[start[h] .. start[h + 1]) */
    int (*cell)[3];   /* of each sphere */
    double (*centre)[3];
    int *sphere, *plane; /* shapes */
    int spheres, planes;
    double widest; /* radius */
} sim_grid;

static void rotate(const double q[4], const double x[3], double out[3])
{
    double t[3] = {2 * (q[2] * x[2] - q[3] * x[1]), 2 * (q[3] * x[0] - q[1] * x[2]),
                   2 * (q[1] * x[1] - q[2] * x[0])};
    double y[3];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        y[i] = x[i] + q[0] * t[i] + q[1 + j] * t[k] - q[1 + k] * t[j];
    }
    memcpy(out, y, sizeof y);
}

static void place(const sim_shape *shape, const perp_body *body, const double x[3], double out[3])
{
    memcpy(out, x, 3 * sizeof *out);
    if (shape->body < 0) return;
    const perp_body *b = body + shape->body;
    rotate(b->rotation, x, out);
    for (int i = 0; i < 3; i++) out[i] += b->position[i];
}

void sim_shape_pose(const sim_shape *shape, const perp_body *body, double position[3], double R[9])
{
    place(shape, body, shape->position, position);
    for (int j = 0; j < 3; j++) {
        double axis[3] = {j == 0, j == 1, j == 2};
        rotate(shape->rotation, axis, R + 3 * j);
        if (shape->body >= 0) rotate(body[shape->body].rotation, R + 3 * j, R + 3 * j);
    }
}

bool sim_can_touch(const sim_shape *x, const sim_shape *y, const perp_body *body)
{
    if (x->body == y->body) return false;
    bool free_x = x->body >= 0 && body[x->body].kind == PERP_BODY_FREE;
    bool free_y = y->body >= 0 && body[y->body].kind == PERP_BODY_FREE;
    return free_x || free_y;
}

perp_contact *sim_contact(perp_contacts *list, const sim_shape *x, const sim_shape *y, int which)
{
    perp_contact *c = perp_contacts_add(list, x->body, y->body);
    if (!c) return NULL;
    c->id = ((x->part & 0x3ff) << 20) | ((y->part & 0x3ff) << 10) | (which & 0x3ff);
    c->mu = fmin(x->mu, y->mu);
    c->restitution = fmin(x->restitution, y->restitution);
    return c;
}

/* ---- the grid ---------------------------------------------------------------------------- */

static sim_grid *open_grid(sim *s)
{
    sim_grid *g = perp_alloc(&s->arena, 1, sizeof *g);
    if (!g) return NULL;
    size_t n = (size_t)s->shapes;
    g->cells = 64;
    while (g->cells < 2 * s->shapes) g->cells *= 2;
    g->start = perp_alloc(&s->arena, (size_t)g->cells + 1, sizeof *g->start);
    g->who = perp_alloc(&s->arena, n, sizeof *g->who);
    g->cell = perp_alloc(&s->arena, n, sizeof *g->cell);
    g->centre = perp_alloc(&s->arena, n, sizeof *g->centre);
    g->sphere = perp_alloc(&s->arena, n, sizeof *g->sphere);
    g->plane = perp_alloc(&s->arena, n, sizeof *g->plane);
    if (s->arena.failed) return NULL;
    for (int k = 0; k < s->shapes; k++) {
        if (s->shape[k].kind == SIM_PLANE) {
            g->plane[g->planes++] = k;
            continue;
        }
        g->sphere[g->spheres++] = k;
        g->widest = fmax(g->widest, s->shape[k].size[0]);
    }
    return g;
}

static int hash(const int cell[3], int cells)
{
    uint32_t h = (uint32_t)cell[0] * 73856093u ^ (uint32_t)cell[1] * 19349663u ^
                 (uint32_t)cell[2] * 83492791u;
    return (int)((h ^ (h >> 15)) & (uint32_t)(cells - 1));
}

static void sort_spheres(const sim *s, sim_grid *g, const perp_body *body, double width)
{
    memset(g->start, 0, ((size_t)g->cells + 1) * sizeof *g->start);
    for (int k = 0; k < g->spheres; k++) {
        const sim_shape *shape = s->shape + g->sphere[k];
        place(shape, body, shape->position, g->centre[k]);
        for (int i = 0; i < 3; i++) {
            double at = floor(g->centre[k][i] / width);
            g->cell[k][i] = (int)fmin(fmax(at, -1e9), 1e9);
        }
        g->start[hash(g->cell[k], g->cells) + 1]++;
    }
    for (int h = 0; h < g->cells; h++) g->start[h + 1] += g->start[h];
    for (int k = 0; k < g->spheres; k++) g->who[g->start[hash(g->cell[k], g->cells)]++] = k;
    for (int h = g->cells; h > 0; h--) g->start[h] = g->start[h - 1];
    g->start[0] = 0;
}

/* ---- pairs ------------------------------------------------------------------------------- */

/* False: no memory. */
static bool touch_spheres(const sim *s, const sim_grid *g, const perp_body *body, int j, int k,
                          double margin, perp_contacts *list)
{
    const sim_shape *x = s->shape + g->sphere[j], *y = s->shape + g->sphere[k];
    const double *p = g->centre[j], *q = g->centre[k];
    double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
    double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    double reach = x->size[0] + y->size[0] + margin;
    if (square > reach * reach || !sim_can_touch(x, y, body)) return true;
    double distance = sqrt(square);
    perp_contact *c = sim_contact(list, x, y, 0);
    if (!c) return false;
    c->gap = distance - x->size[0] - y->size[0];
    if (distance > 0) {
        for (int i = 0; i < 3; i++) c->normal[i] = d[i] / distance;
    } else {
        c->normal[2] = 1;
    }
    for (int i = 0; i < 3; i++) c->point[i] = q[i] + (y->size[0] + 0.5 * c->gap) * c->normal[i];
    return true;
}

/* Pairs of sphere k with those of its own cell that come later and of 13 neighbouring cells. */
static bool touch_neighbours(const sim *s, const sim_grid *g, const perp_body *body, int k,
                             double margin, perp_contacts *list)
{
    for (int n = 13; n < 27; n++) {
        const int step[3] = {n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1};
        int cell[3];
        for (int i = 0; i < 3; i++) cell[i] = g->cell[k][i] + step[i];
        int h = hash(cell, g->cells);
        for (int t = g->start[h]; t < g->start[h + 1]; t++) {
            int j = g->who[t];
            if (n == 13 && j <= k) continue;
            if (memcmp(g->cell[j], cell, sizeof cell) != 0) continue;
            bool low = j < k; /* the same pair is always named in the same order */
            if (!touch_spheres(s, g, body, low ? j : k, low ? k : j, margin, list)) return false;
        }
    }
    return true;
}

static bool touch_plane(const sim *s, const sim_grid *g, const perp_body *body, int plane,
                        double margin, perp_contacts *list)
{
    const sim_shape *y = s->shape + plane;
    double origin[3], R[9];
    sim_shape_pose(y, body, origin, R);
    const double *n = R + 6;
    for (int k = 0; k < g->spheres; k++) {
        const sim_shape *x = s->shape + g->sphere[k];
        const double *p = g->centre[k];
        double height = 0;
        for (int i = 0; i < 3; i++) height += n[i] * (p[i] - origin[i]);
        if (height - x->size[0] > margin || !sim_can_touch(x, y, body)) continue;
        perp_contact *c = sim_contact(list, x, y, 0);
        if (!c) return false;
        c->gap = height - x->size[0];
        for (int i = 0; i < 3; i++) {
            c->normal[i] = n[i];
            c->point[i] = p[i] - (x->size[0] + 0.5 * c->gap) * n[i];
        }
    }
    return true;
}

bool sim_collide(void *ctx, const perp_body *body, int bodies, double margin, perp_contacts *list)
{
    sim *s = ctx;
    (void)bodies;
    if (s->scene->ode) return sim_collide_ode(s, body, margin, list);
    if (!s->grid) s->grid = open_grid(s);
    sim_grid *g = s->grid;
    if (!g) return false;
    sort_spheres(s, g, body, 2 * g->widest + margin);
    bool good = true;
    for (int k = 0; good && k < g->planes; k++)
        good = touch_plane(s, g, body, g->plane[k], margin, list);
    for (int k = 0; good && k < g->spheres; k++)
        good = touch_neighbours(s, g, body, k, margin, list);
    return good;
}
