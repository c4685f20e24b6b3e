/* simulate/scene_slope.c: a particle laid on a slope without friction: Redon, Kheddar and
 * Coquillart (2002), figure 1. By Gauss' principle its motion is the possible one nearest to its
 * free motion, here the projection of gravity on the slope, and the step is solved as that
 * nearest-point problem.
 *
 * In a world of second order the particle gains g sin(angle) t; in one of first order, where forces
 * are velocities, it has g sin(angle) x 1 s all the time. */
#include "scenes.h"

#include <math.h>

static const sim_parameter parameters[] = {
    {"dt", 0.01, 1e-6, 1, false, "time step, s"},
    {"seconds", 1, 0, 1e6, false, "time to simulate, s"},
    {"angle", 30, 0, 89, false, "of the slope, degrees"},
    {"order", 2, 1, 2, true, "of the world: 2, forces change velocities; 1, forces are velocities"},
    {"radius", 0.05, 1e-3, 1e3, false, "that the particle is drawn with, m"},
    {NULL, 0, 0, 0, false, NULL},
};

static const char *const names[] = {"speed", "expected", "error", NULL};

static bool build(sim *s, perp_error *e)
{
    (void)e;
    double angle = SIM_PI / 180 * sim_get(s, "angle"), radius = sim_get(s, "radius");
    const double origin[3] = {0}, normal[3] = {sin(angle), 0, cos(angle)};
    const double position[3] = {radius * normal[0], 0, radius * normal[2]};
    if (!sim_room(s, 1, 2)) return false;
    sim_add_sphere(s, 1, radius, position);
    sim_add_plane(s, origin, normal);
    sim_set_contact(s, 0, 0);
    s->step.gravity[2] = -SIM_GRAVITY;
    s->step.form = PERP_RIGID_FORM_NNLS_VELOCITIES;
    if (sim_get(s, "order") == 1) s->step.dynamics = PERP_DYNAMICS_FIRST_ORDER;
    return true;
}

/* The error of the velocity against the projection, over its length or 1. */
static void measure(const sim *s, double *out)
{
    double angle = SIM_PI / 180 * sim_get(s, "angle");
    double t = sim_get(s, "order") == 1 ? (s->world.steps > 0 ? 1 : 0) : s->world.time;
    double expected = SIM_GRAVITY * sin(angle) * t;
    const double *v = s->world.body->velocity;
    double x = v[0] - expected * cos(angle), z = v[2] + expected * sin(angle);
    out[0] = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    out[1] = expected;
    out[2] = sqrt(x * x + v[1] * v[1] + z * z) / fmax(expected, 1);
}

const sim_scene sim_slope = {
    .name = "slope",
    .about = "particle on a slope: Gauss' principle (Redon, Kheddar, Coquillart 2002)",
    .parameters = parameters,
    .solver = "nnls/wilhelmsen",
    .tol = 1e-12,
    .build = build,
    .measures = names,
    .measure = measure,
};
