/* simulate/scene_bricks.c: the wall of Silcowitz-Hansen, Niebe and Erleben (2010), Figure 7: 174
 * bricks fall onto the floor together, the shock throws off the top ones, the rest comes to rest as
 * a wall again.
 *
 * The paper says no more than the number of bodies, 4083 constraints on average, and 500 iterations
 * of NNCG a frame. Here it is a running bond of 12 courses with 14 bricks, or 13 and two halves.
 * The courses fall with a little room between them, so that the shock goes through them one after
 * the other, and Newton's restitution throws up the last ones. The impact law leaves an overlap of
 * the order of a step's way where bricks below stop within the step. */
#include "scenes.h"

#include <math.h>
#include <string.h>

static const sim_parameter parameters[] = {
    {"dt", 0.005, 1e-6, 1, false, "time step, s"},
    {"seconds", 1, 0, 1e6, false, "time to simulate, s"},
    {"courses", 12, 1, 100, true, "of bricks"},
    {"bricks", 14, 1, 100, true, "in a course; every second has a half at both ends"},
    {"length", 0.4, 1e-3, 10, false, "of a brick, m"},
    {"height", 0.2, 1e-3, 10, false, "and depth of a brick, m"},
    {"joint", 0.004, 0, 1, false, "room between bricks of a course, m"},
    {"room", 0.02, 0, 1, false, "between courses as they fall, m"},
    {"loose", 0, 0, 1, false, "brick by brick at random, at most: up and to the front, m"},
    {"seed", 1, 1, 1e9, true, "of that"},
    {"drop", 0.2, 0, 100, false, "height that the lowest course falls from, m"},
    {"density", 2000, 1e-3, 1e6, false, "kg/m3"},
    {"mu", 0.5, 0, 10, false, "friction coefficient"},
    {"restitution", 0.3, 0, 1, false, "of speeds"},
    {"margin", 0.02, 0, 1, false, "of contacts, m"},
    {NULL, 0, 0, 0, false, NULL},
};

static const char *const names[] = {"rows", "speed", "standing", "thrown", "lift", NULL};

typedef struct place {
    double x[3];
} place;

/* Where bricks would lie, without any room between courses. */
typedef struct own {
    place *rest;
} own;

static void lay_brick(sim *s, double x, double z, double half_length, int course, place *rest,
                      uint64_t *state)
{
    double h = 0.5 * sim_get(s, "height");
    double loose = sim_get(s, "loose");
    const double half[3] = {half_length, h, h};
    const double at[3] = {x, loose * (2 * sim_random(state) - 1), z + loose * sim_random(state)};
    double mass = 8 * half[0] * h * h * sim_get(s, "density");
    int body = sim_add_box(s, mass, half, at);
    s->shape[s->shapes - 1].colour = body % 2 ? 5 : course % 2 ? 1 : 6;
    *rest = (place){{x, 0, h * (2 * course + 1)}};
}

static bool build(sim *s, perp_error *e)
{
    (void)e;
    static const double origin[3], up[3] = {0, 0, 1};
    int courses = (int)sim_get(s, "courses"), bricks = (int)sim_get(s, "bricks");
    int count = courses * bricks + courses / 2;
    double length = sim_get(s, "length"), height = sim_get(s, "height"), pitch;
    own *o = perp_alloc(&s->arena, 1, sizeof *o);
    place *rest = perp_alloc(&s->arena, (size_t)count, sizeof *rest);
    if (!o || !rest || !sim_room(s, count, count + 1)) return false;
    uint64_t state = 0x9E3779B97F4A7C15u * (uint64_t)sim_get(s, "seed");
    pitch = length + sim_get(s, "joint");
    for (int c = 0, k = 0; c < courses; c++) {
        double z = sim_get(s, "drop") + c * (height + sim_get(s, "room")) + 0.5 * height;
        for (int b = 0; b < bricks + c % 2; b++, k++) {
            bool half = c % 2 && (b == 0 || b == bricks);
            double x = (c % 2 ? b - 0.5 : b) * pitch;
            if (half) x += b == 0 ? 0.25 * pitch : -0.25 * pitch;
            lay_brick(s, x, z, half ? 0.25 * (length - 0.5 * (pitch - length)) : 0.5 * length, c,
                      rest + k, &state);
        }
    }
    sim_add_plane(s, origin, up);
    sim_set_contact(s, sim_get(s, "mu"), sim_get(s, "restitution"));
    o->rest = rest;
    s->own = o;
    s->step.rule = PERP_RULE_IMPACT;
    s->step.gravity[2] = -SIM_GRAVITY;
    s->step.margin = sim_get(s, "margin");
    s->step.escape_radius = 1000;
    s->view[0] = 0.15;
    s->view[1] = -1;
    s->view[2] = 0.09;
    return true;
}

/* Constraints; speed of the fastest; bricks within half a height of their place, and others; how
 * far the top course is above its place in the mean, m. */
static void measure(const sim *s, double *out)
{
    const own *o = s->own;
    double height = sim_get(s, "height");
    out[0] = 3.0 * s->world.contacts;
    out[1] = out[2] = out[3] = out[4] = 0;
    int courses = (int)sim_get(s, "courses"), top = (int)sim_get(s, "bricks") + (courses + 1) % 2;
    for (int k = 0; k < s->world.bodies; k++) {
        const perp_body *b = s->world.body + k;
        const double *x = b->position, *y = o->rest[k].x, *v = b->velocity;
        double off = hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
        out[1] = fmax(out[1], hypot(hypot(v[0], v[1]), v[2]));
        out[off < 0.5 * height ? 2 : 3]++;
        if (k >= s->world.bodies - top) out[4] += (x[2] - y[2]) / top;
    }
}

const sim_scene sim_bricks = {
    .name = "bricks",
    .about = "wall of 174 bricks that falls and settles (Silcowitz-Hansen, Niebe, Erleben 2010)",
    .parameters = parameters,
    .solver = "fc3d/auto",
    .tol = 1e-8,
    .ode = true,
    .build = build,
    .measures = names,
    .measure = measure,
};
