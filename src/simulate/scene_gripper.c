/* simulate/scene_gripper.c: two jaws hold a block by friction alone, at a given part of what
 * friction can hold. Nothing may move: what does is creep, by the solver's tolerance and no more.
 *
 * The jaws are pressed together by N = m g / (2 mu load) each and carried by whoever presses them:
 * what friction can hold of the block's weight, and their own, acts upwards on them. They do not
 * turn. Below load = 1 the block sticks; above it falls, and how it turns in doing so is not
 * determined: rigid plates leave open which of their points press. */
#include "scenes.h"

#include <math.h>

static const sim_parameter parameters[] = {
    {"dt", 0.01, 1e-6, 1, false, "time step, s"},
    {"seconds", 10, 0, 1e6, false, "time to simulate, s"},
    {"load", 0.8, 1e-3, 10, false, "weight of the block over what friction can hold"},
    {"mu", 0.5, 1e-3, 10, false, "friction coefficient"},
    {"mass", 1, 1e-6, 1e6, false, "of the block, kg"},
    {"jaw", 1, 1e-6, 1e6, false, "mass of a jaw, kg"},
    {NULL, 0, 0, 0, false, NULL},
};

static const char *const names[] = {"creep", "speed", "press", NULL};

static bool build(sim *s, perp_error *e)
{
    (void)e;
    const double block[3] = {0.05, 0.05, 0.05}, plate[3] = {0.01, 0.04, 0.04};
    const double middle[3] = {0, 0, 0}, left[3] = {-0.06, 0, 0}, right[3] = {0.06, 0, 0};
    if (!sim_room(s, 3, 3)) return false;
    sim_add_box(s, sim_get(s, "mass"), block, middle);
    int jaw[2] = {sim_add_box(s, sim_get(s, "jaw"), plate, left),
                  sim_add_box(s, sim_get(s, "jaw"), plate, right)};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 9; i += 4) s->world.body[jaw[k]].inertia[i] = 1e30;
    }
    sim_set_contact(s, sim_get(s, "mu"), 0);
    s->step.gravity[2] = -SIM_GRAVITY;
    s->step.escape_radius = 1e3; /* 14 s of free fall */
    s->step.margin = 1e-3;
    return true;
}

static double press(const sim *s)
{
    return sim_get(s, "mass") * SIM_GRAVITY / (2 * sim_get(s, "mu") * sim_get(s, "load"));
}

static void drive(sim *s)
{
    double held = fmin(1, 1 / sim_get(s, "load")); /* of the block's weight, by friction */
    double lift = sim_get(s, "jaw") * SIM_GRAVITY + held * sim_get(s, "mass") * SIM_GRAVITY / 2;
    for (int k = 0; k < 2; k++) {
        perp_body *b = s->world.body + 1 + k;
        b->force[0] = k == 0 ? press(s) : -press(s);
        b->force[2] = lift;
    }
}

/* The block against its jaws. */
static void measure(const sim *s, double *out)
{
    const perp_body *b = s->world.body;
    out[0] = 0.5 * (b[1].position[2] + b[2].position[2]) - b[0].position[2];
    out[1] = 0.5 * (b[1].velocity[2] + b[2].velocity[2]) - b[0].velocity[2];
    out[2] = press(s);
}

const sim_scene sim_gripper = {
    .name = "gripper",
    .about = "jaws hold a block by friction alone: it sticks below the limit, without creep",
    .parameters = parameters,
    .tol = 1e-14,
    .ode = true,
    .build = build,
    .drive = drive,
    .measures = names,
    .measure = measure,
};
