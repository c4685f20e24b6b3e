/* simulate/scene_collision.c: a particle that collides with a motionless object: Redon, Kheddar and
 * Coquillart (2002), figure 2. Its velocity after the collision is the possible one nearest to that
 * before, where possible means a normal velocity of at least -e times the one before. */
#include "scenes.h"

#include <math.h>

static const sim_parameter parameters[] = {
    {"dt", 0.01, 1e-6, 1, false, "time step, s"},
    {"seconds", 0.4, 0, 1e6, false, "time to simulate, s"},
    {"e", 0.5, 0, 1, false, "coefficient of restitution"},
    {"along", 1, -1e3, 1e3, false, "velocity along the object, m/s"},
    {"into", 2, 0, 1e3, false, "velocity towards it, m/s"},
    {"height", 0.3, 1e-3, 1e3, false, "above it at the start, m"},
    {"radius", 0.05, 1e-3, 1e3, false, "that the particle is drawn with, m"},
    {NULL, 0, 0, 0, false, NULL},
};

static const char *const names[] = {"along", "normal", "error", NULL};

static bool build(sim *s, perp_error *e)
{
    (void)e;
    double radius = sim_get(s, "radius");
    const double origin[3] = {0}, up[3] = {0, 0, 1};
    const double position[3] = {0, 0, radius + sim_get(s, "height")};
    if (!sim_room(s, 1, 2)) return false;
    int ball = sim_add_sphere(s, 1, radius, position);
    s->world.body[ball].velocity[0] = sim_get(s, "along");
    s->world.body[ball].velocity[2] = -sim_get(s, "into");
    sim_add_plane(s, origin, up);
    sim_set_contact(s, 0, sim_get(s, "e"));
    s->framed = true; /* to where it has gone at the end */
    s->frame[1][0] = sim_get(s, "along") * sim_get(s, "seconds") + radius;
    s->frame[1][2] = position[2];
    s->step.rule = PERP_RULE_IMPACT;
    s->step.margin = 0.1;
    s->step.form = PERP_RIGID_FORM_NNLS_VELOCITIES;
    return true;
}

/* Before: the velocity at the start. After: its projection. */
static void measure(const sim *s, double *out)
{
    const double *v = s->world.body->velocity;
    double into = sim_get(s, "into"), after = sim_get(s, "e") * into;
    double nearest = fmin(fabs(v[2] + into), fabs(v[2] - after));
    out[0] = v[0];
    out[1] = v[2];
    out[2] = hypot(hypot(v[0] - sim_get(s, "along"), v[1]), nearest);
}

const sim_scene sim_collision = {
    .name = "collision",
    .about = "particle that hits a motionless object, with restitution (the same)",
    .parameters = parameters,
    .solver = "nnls/wilhelmsen",
    .tol = 1e-12,
    .build = build,
    .measures = names,
    .measure = measure,
};
