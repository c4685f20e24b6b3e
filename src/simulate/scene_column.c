/* simulate/scene_column.c: the elastic bouncing column of Renouf, Acary and Dumont (2005), 8.1:
 * spheres one above the other, no friction, restitution 1, theta = 1/2: the total energy is
 * constant as far as the contact problems are solved. Sizes are not in the paper. */
#include "scenes.h"

static const sim_parameter parameters[] = {
    {"dt", 0.005, 1e-6, 1, false, "time step, s"},
    {"seconds", 10, 0, 1e6, false, "time to simulate, s"},
    {"spheres", 8, 1, 1000, true, "number of spheres"},
    {"radius", 0.5, 1e-3, 1e3, false, "of each sphere, m"},
    {"mass", 1, 1e-6, 1e6, false, "of each sphere, kg"},
    {"height", 1, 0, 1e3, false, "of the lowest sphere above the floor, m"},
    {"gap", 0.05, 0, 1e3, false, "between spheres at the start, m"},
    {"restitution", 1, 0, 1, false, "of every contact"},
    {"theta", 0.5, 0.5, 1, false, "of the time integration"},
    {NULL, 0, 0, 0, false, NULL},
};

static bool build(sim *s, perp_error *e)
{
    (void)e;
    int count = (int)sim_get(s, "spheres");
    double radius = sim_get(s, "radius"), at = sim_get(s, "height");
    static const double origin[3], up[3] = {0, 0, 1};
    if (!sim_room(s, count, count + 1)) return false;
    for (int k = 0; k < count; k++) {
        const double position[3] = {0, 0, at + radius};
        sim_add_sphere(s, sim_get(s, "mass"), radius, position);
        at += 2 * radius + sim_get(s, "gap");
    }
    sim_add_plane(s, origin, up);
    sim_set_contact(s, 0, sim_get(s, "restitution"));
    s->step.rule = PERP_RULE_IMPACT;
    s->step.theta = sim_get(s, "theta");
    s->step.gravity[2] = -SIM_GRAVITY;
    s->framed = true;
    s->frame[1][2] = at + 0.5 * count * radius;
    s->step.margin = 2 * radius; /* nothing moves as far in a step */
    return true;
}

const sim_scene sim_column = {
    .name = "column",
    .about = "elastic bouncing column of spheres: the energy stays (Renouf, Acary, Dumont 2005)",
    .parameters = parameters,
    .solver = "fc3d/nsgs:max_iter=100000",
    .tol = 1e-13,
    .build = build,
};
