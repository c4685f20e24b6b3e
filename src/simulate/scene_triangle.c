/* simulate/scene_triangle.c: a ball on a plane, driven round an equilateral triangle by a force
 * near the friction limit: Renouf, Acary and Dumont (2005), 8.2. The exact cone brings it back to
 * where it started; a pyramid does not.
 *
 * The paper's force of mu m g does not move a ball that does not roll, so each leg has
 * (1 + excess) mu m g for its first half and (1 - excess) mu m g for the second, which lets the
 * ball rest at each corner. The ball does not turn: its moments are beyond all torques. */
#include "scenes.h"

#include <math.h>

static const sim_parameter parameters[] = {
    {"dt", 0.01, 1e-6, 1, false, "time step, s; half a leg is made of whole steps"},
    {"seconds", 15, 0, 1e6, false, "time to simulate, s; three legs are a round"},
    {"leg", 5, 0.1, 1e3, false, "time of a leg, s"},
    {"mu", 0.5, 1e-3, 10, false, "friction coefficient"},
    {"excess", 0.1, 1e-3, 1, false, "of the force over the friction limit"},
    {"angle", 0, -360, 360, false, "of the triangle against the frame of the pyramid, degrees"},
    {"radius", 0.1, 1e-3, 1e3, false, "of the ball, m"},
    {"mass", 1, 1e-6, 1e6, false, "of the ball, kg"},
    {NULL, 0, 0, 0, false, NULL},
};

static const char *const names[] = {"error", "deviation", "side", "x", "y", NULL};

/* The ball as Coulomb has it, step by step, and how far ours was from it. */
typedef struct exact {
    double x[2], speed, sum;
    int steps;
} exact;

static double find_side(const sim *s)
{
    double half = 0.5 * sim_get(s, "leg"); /* a constant acceleration, twice */
    return sim_get(s, "excess") * sim_get(s, "mu") * SIM_GRAVITY * half * half;
}

static bool build(sim *s, perp_error *e)
{
    (void)e;
    double radius = sim_get(s, "radius");
    const double origin[3] = {0}, up[3] = {0, 0, 1}, position[3] = {0, 0, radius};
    if (!sim_room(s, 1, 2)) return false;
    int ball = sim_add_sphere(s, sim_get(s, "mass"), radius, position);
    for (int i = 0; i < 9; i += 4) s->world.body[ball].inertia[i] = 1e30;
    sim_add_plane(s, origin, up);
    sim_set_contact(s, sim_get(s, "mu"), 0);
    s->step.gravity[2] = -SIM_GRAVITY;
    s->view[1] = 0;
    s->view[2] = 1;
    s->up[1] = 1;
    s->up[2] = 0;
    double side = find_side(s);
    s->own = perp_alloc(&s->arena, 1, sizeof(exact));
    s->framed = true; /* wherever the angle takes it */
    for (int i = 0; i < 2; i++) {
        s->frame[0][i] = -side;
        s->frame[1][i] = side;
    }
    return s->own != NULL;
}

/* How far our ball is from the exact one. */
static double find_distance(const sim *s)
{
    const exact *ball = s->own;
    const double *x = s->world.body->position;
    return hypot(x[0] - ball->x[0], x[1] - ball->x[1]);
}

/* The exact ball makes the next step: the force along its way, friction against it. */
static void advance(const sim *s, double excess, double angle)
{
    exact *ball = s->own;
    double h = s->step.dt;
    ball->sum += find_distance(s);
    ball->steps++;
    ball->speed = fmax(ball->speed + h * excess * sim_get(s, "mu") * SIM_GRAVITY, 0);
    ball->x[0] += h * ball->speed * cos(angle);
    ball->x[1] += h * ball->speed * sin(angle);
}

static void drive(sim *s)
{
    perp_body *b = s->world.body;
    int half = (int)round(0.5 * sim_get(s, "leg") / s->step.dt);
    int at = s->world.steps / (half > 0 ? half : 1) % 6;
    double excess = at % 2 == 0 ? sim_get(s, "excess") : -sim_get(s, "excess");
    double force = (1 + excess) * sim_get(s, "mu") * b->mass * SIM_GRAVITY;
    double angle = SIM_PI * (sim_get(s, "angle") / 180 + (1 + 2 * (at / 2)) / 3.0);
    b->force[0] = force * cos(angle);
    b->force[1] = force * sin(angle);
    advance(s, excess, angle);
}

/* In sides: how far from the start; how far from the exact ball, in the mean over time. */
static void measure(const sim *s, double *out)
{
    const exact *ball = s->own;
    const double *x = s->world.body->position;
    double side = find_side(s);
    out[0] = hypot(x[0], x[1]) / side;
    out[1] = (ball->sum + find_distance(s)) / (ball->steps + 1) / side;
    out[2] = side;
    out[3] = x[0];
    out[4] = x[1];
}

const sim_scene sim_triangle = {
    .name = "triangle",
    .about = "ball driven round a triangle: the cone closes it, pyramids do not (the same)",
    .parameters = parameters,
    .solver = "fc3d/nsgs:max_iter=1000",
    .tol = 1e-14,
    .build = build,
    .drive = drive,
    .measures = names,
    .measure = measure,
};
