/* simulate/scene_wall.c: a wall of dry masonry in running bond, half blocks at the ends of every
 * other course: Renouf, Acary and Dumont (2005), 8.3. With `sink` a stretch of the ground goes down
 * and blocks detach above it, as in Renouf and Acary's account of the experiment at Chateau
 * Gombert.
 *
 * Neither paper gives sizes. Two faces touch in four points, more than rigid bodies can tell apart:
 * W is far from full rank. */
#include "scenes.h"

#include <math.h>
#include <string.h>

#define GROUNDS 3  /* left of the stretch that sinks, the stretch, right of it */
#define LOOSE 0.01 /* a block that has moved by this part of its height is detached */
#define GROUND_GREY 7

static const sim_parameter parameters[] = {
    {"dt", 0.01, 1e-6, 1, false, "time step, s"},
    {"seconds", 10, 0, 1e6, false, "time to simulate, s"},
    {"courses", 10, 1, 1000, true, "of blocks"},
    {"blocks", 10, 1, 1000, true, "long, in whole blocks"},
    {"length", 0.4, 1e-3, 1e3, false, "of a block, m"},
    {"depth", 0.2, 1e-3, 1e3, false, "of a block, m"},
    {"height", 0.2, 1e-3, 1e3, false, "of a block, m"},
    {"density", 2000, 1e-3, 1e6, false, "kg/m^3"},
    {"mu", 0.6, 0, 10, false, "friction coefficient"},
    {"margin", 0.02, 1e-6, 1, false, "of contacts, in heights"},
    {"slop", 1e-5, 0, 1, false, "gaps that count as closed, in heights"},
    {"sink", 0, 0, 1e3, false, "of a stretch of the ground, in heights; 0: it holds"},
    {"from", 0.55, 0, 1, false, "where that stretch begins, in lengths of the wall"},
    {"to", 1, 0, 1, false, "where it ends"},
    {"start", 1, 0, 1e6, false, "of its sinking, s"},
    {"during", 2, 1e-3, 1e6, false, "how long it sinks, s"},
    {NULL, 0, 0, 0, false, NULL},
};

static const char *const names[] = {"moved",          "detached", "standing",
                                    "moved_standing", "speed",    NULL};

typedef struct wall {
    int blocks;         /* bodies 0 .. blocks - 1; the ground follows */
    int sinking;        /* body, -1: none */
    double (*place)[3]; /* of each block at the start */
    double height;
} wall;

/* ---- build ------------------------------------------------------------------------------- */

static int count_blocks(int courses, int across)
{
    return courses * across + courses / 2;
}

/* A course from end to end: whole blocks, or with a half one at each end. */
static void add_course(sim *s, int course, int across)
{
    const double length = sim_get(s, "length"), depth = sim_get(s, "depth"),
                 height = sim_get(s, "height");
    int odd = course % 2;
    double x = -0.5 * across * length;
    for (int k = 0; k < across + odd; k++) {
        double whole = odd && (k == 0 || k == across) ? 0.5 * length : length;
        const double half[3] = {0.5 * whole, 0.5 * depth, 0.5 * height};
        const double place[3] = {x + 0.5 * whole, 0, (course + 0.5) * height};
        int body = sim_add_box(s, sim_get(s, "density") * whole * depth * height, half, place);
        s->shape[s->shapes - 1].colour = (body + course) % 2 ? 5 : 1;
        x += whole;
    }
}

static int add_ground(sim *s, double from, double to, perp_body_kind kind)
{
    double height = sim_get(s, "height"), depth = sim_get(s, "depth");
    const double half[3] = {0.5 * (to - from), 2 * depth, height};
    const double place[3] = {0.5 * (from + to), 0, -height};
    int body = sim_add_box(s, 1, half, place);
    s->world.body[body].kind = kind;
    s->shape[s->shapes - 1].colour = GROUND_GREY;
    return body;
}

static void add_grounds(sim *s, wall *w, double length)
{
    double reach = 0.5 * length + 4 * w->height;
    if (sim_get(s, "sink") == 0) {
        add_ground(s, -reach, reach, PERP_BODY_FIXED);
        return;
    }
    double from = (sim_get(s, "from") - 0.5) * length, to = (sim_get(s, "to") - 0.5) * length;
    if (sim_get(s, "to") == 1) to = reach;
    if (sim_get(s, "from") == 0) from = -reach;
    if (from > -reach) add_ground(s, -reach, from, PERP_BODY_FIXED);
    if (to < reach) add_ground(s, to, reach, PERP_BODY_FIXED);
    w->sinking = add_ground(s, from, to, PERP_BODY_DRIVEN);
}

static bool refuse(perp_error *e, const char *text)
{
    e->status = PERP_E_OPTION;
    memcpy(e->text, text, strlen(text) + 1);
    return false;
}

static bool build(sim *s, perp_error *e)
{
    int courses = (int)sim_get(s, "courses"), across = (int)sim_get(s, "blocks");
    int blocks = count_blocks(courses, across), bodies = blocks + GROUNDS;
    if (!(sim_get(s, "from") < sim_get(s, "to"))) return refuse(e, "from must be less than to");
    wall *w = perp_alloc(&s->arena, 1, sizeof *w);
    double(*place)[3] = perp_alloc(&s->arena, (size_t)blocks, sizeof *place);
    if (!w || !place || !sim_room(s, bodies, bodies)) return false;
    *w = (wall){.blocks = blocks, .sinking = -1, .place = place, .height = sim_get(s, "height")};
    for (int k = 0; k < courses; k++) add_course(s, k, across);
    for (int k = 0; k < blocks; k++) memcpy(place[k], s->world.body[k].position, sizeof *place);
    add_grounds(s, w, across * sim_get(s, "length"));
    sim_set_contact(s, sim_get(s, "mu"), 0);
    if (w->sinking >= 0) { /* what moves needs no more, and every step is another problem */
        s->solver = "fc3d/nncg:max_iter=2000";
        s->tol = 1e-3;
    }
    s->own = w;
    s->world.collide = sim_collide_boxes;
    s->step.gravity[2] = -SIM_GRAVITY;
    s->step.margin = sim_get(s, "margin") * w->height;
    s->slop = sim_get(s, "slop") * w->height;
    return true;
}

/* ---- steps ------------------------------------------------------------------------------- */

/* How deep the stretch is at a time: evenly down, and then it rests. */
static double sunk(const sim *s, double time)
{
    double t = (time - sim_get(s, "start")) / sim_get(s, "during");
    return sim_get(s, "sink") * sim_get(s, "height") * fmin(fmax(t, 0), 1);
}

static void drive(sim *s)
{
    const wall *w = s->own;
    if (w->sinking < 0) return;
    double time = s->world.time, h = s->step.dt;
    s->world.body[w->sinking].velocity[2] = -(sunk(s, time + h) - sunk(s, time)) / h;
}

/* The way of the corner that moved most. */
static double find_way(const sim *s, int k)
{
    const wall *w = s->own;
    const sim_shape *shape = s->shape + k;
    double x[3], R[9], most = 0;
    sim_shape_pose(shape, s->world.body, x, R);
    for (int c = 0; c < 8; c++) {
        double way[3];
        for (int i = 0; i < 3; i++) {
            way[i] = x[i] - w->place[k][i];
            for (int j = 0; j < 3; j++)
                way[i] += (c >> j & 1 ? 1 : -1) * shape->size[j] * (R[3 * j + i] - (i == j));
        }
        most = fmax(most, hypot(hypot(way[0], way[1]), way[2]));
    }
    return most;
}

/* Ways in heights of a block. */
static void measure(const sim *s, double *out)
{
    const wall *w = s->own;
    memset(out, 0, 5 * sizeof *out);
    for (int k = 0; k < w->blocks; k++) {
        const double *v = s->world.body[k].velocity;
        double way = find_way(s, k) / w->height;
        out[0] = fmax(out[0], way);
        out[4] = fmax(out[4], hypot(hypot(v[0], v[1]), v[2]));
        if (way > LOOSE) {
            out[1]++;
            continue;
        }
        out[2]++;
        out[3] = fmax(out[3], way);
    }
}

const sim_scene sim_wall = {
    .name = "wall",
    .about = "dry masonry in running bond, on ground that holds or gives way (Renouf, Acary 2005)",
    .parameters = parameters,
    .tol = 1e-8,
    .build = build,
    .drive = drive,
    .measures = names,
    .measure = measure,
};
