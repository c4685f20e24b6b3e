/* simulate/scene_tippetop.c: the tippe-top of Sauer and Schoemer (1998), section 3.2: a sphere with
 * its centre of mass below its middle and a stick on top, spun fast, turns over and goes on
 * spinning on the stick. The plane is y = 0, as in the paper.
 *
 * The figure with the measures is lost, but length, radii, quaternion and height leave one reading:
 * the axis is the body's y; the sphere's middle is 5 mm above the centre of mass, the ball at the
 * end of the stick 25 mm above that, so that it touches at cos = -0.6. The paper's quaternion has
 * the length 0.9999. Its Euler steps are of first order: with 8 facets and its step the top then
 * gets as far as cos = -0.896, and turns over with half the step; theta = 1/2 needs no smaller one.
 * Rolling friction and air resistance (section 3.3) would keep the top from turning over, and are
 * for the time after it. */
#include "scenes.h"

#include <math.h>
#include <string.h>

static const sim_parameter parameters[] = {
    {"dt", 1e-4, 1e-7, 1e-2, false, "time step, s"},
    {"seconds", 1, 0, 1e6, false, "time to simulate, s"},
    {"mu", 0.6, 0, 10, false, "friction coefficient"},
    {"radius", 0.025, 1e-4, 10, false, "of the sphere, m"},
    {"stick_radius", 0.01, 0, 10, false, "of the ball at the end of the stick, m; 0: no stick"},
    {"length", 0.06, 1e-4, 10, false, "of the top along its axis, m"},
    {"offset", 0.005, 0, 10, false, "of the centre of mass below the sphere's middle, m"},
    {"mass", 0.015, 1e-6, 1e3, false, "kg"},
    {"moment", 3.75e-6, 1e-12, 1e3, false, "of inertia, about every axis, kg m^2"},
    {"spin", 150, -1e4, 1e4, false, "about the vertical at the start, rad/s"},
    {"angle", 0, -360, 360, false,
     "that all is turned by about the vertical, degrees: pyramids stay"},
    {"fixed_point", 20, 0, 1000, true, "rounds of the geometric fixed point, at most"},
    {"fixed_tol", 1e-4, 1e-15, 1, false, "change of all poses at which it ends"},
    {"theta", 0.5, 0.5, 1, false, "of the time integration; 1 is the paper's"},
    {"margin", 1e-3, 0, 1, false, "of contacts, m"},
    {"rolling", 0, 0, 10, false, "coefficient of rolling friction once it has turned over"},
    {"air", 0, 0, 10, false, "coefficient of air resistance once it has turned over, N m s"},
    {NULL, 0, 0, 0, false, NULL},
};

static const char *const names[] = {"cos",      "height",  "touched", "turned", "normal",
                                    "friction", "stick_n", "stick_t", NULL};

#define TURNED (-0.9) /* the cosine at which it counts as turned over */

/* When the stick first touched, and when the top first had turned over; NaN before. */
typedef struct own {
    double touched, turned;
} own;

/* The cosine of the axis and the vertical. */
static double find_cosine(const sim *s)
{
    const double *q = s->world.body->rotation;
    return 1 - 2 * (q[1] * q[1] + q[3] * q[3]);
}

/* Rotation and velocity, about y. */
static void turn(perp_body *b, double angle)
{
    double c = cos(0.5 * angle), d = sin(0.5 * angle), *q = b->rotation, *v = b->velocity;
    const double p[4] = {q[0], q[1], q[2], q[3]}, u[3] = {v[0], v[1], v[2]};
    q[0] = c * p[0] - d * p[2];
    q[1] = c * p[1] + d * p[3];
    q[2] = c * p[2] + d * p[0];
    q[3] = c * p[3] - d * p[1];
    v[0] = cos(angle) * u[0] + sin(angle) * u[2];
    v[2] = cos(angle) * u[2] - sin(angle) * u[0];
}

static void add_top(sim *s)
{
    double moment = sim_get(s, "moment"), radius = sim_get(s, "radius");
    double stick = sim_get(s, "stick_radius"), offset = sim_get(s, "offset");
    static const double rotation[4] = {-0.316, 0.065, -0.938, -0.126}, velocity[3] = {0.1, 0, 0.2};
    perp_body b = perp_body_make(sim_get(s, "mass"), moment, moment, moment);
    double length = 0;
    for (int i = 0; i < 4; i++) length += rotation[i] * rotation[i];
    for (int i = 0; i < 4; i++) b.rotation[i] = rotation[i] / sqrt(length);
    memcpy(b.velocity, velocity, sizeof velocity);
    turn(&b, SIM_PI / 180 * sim_get(s, "angle"));
    b.spin[1] = sim_get(s, "spin");
    double cosine = 1 - 2 * (b.rotation[1] * b.rotation[1] + b.rotation[3] * b.rotation[3]);
    b.position[1] = radius - offset * cosine; /* it touches */
    int body = sim_add_body(s, b);
    sim_shape sphere = {.kind = SIM_SPHERE, .body = body, .size = {radius}, .colour = 1};
    sphere.position[1] = offset;
    sim_add_shape(s, sphere);
    if (stick == 0) return;
    sim_shape ball = {.kind = SIM_SPHERE, .body = body, .size = {stick}, .colour = 2};
    ball.position[1] = offset + sim_get(s, "length") - radius - stick;
    sim_add_shape(s, ball);
}

static bool build(sim *s, perp_error *e)
{
    (void)e;
    static const double origin[3], up[3] = {0, 1, 0};
    own *state = perp_alloc(&s->arena, 1, sizeof *state);
    if (!state || !sim_room(s, 1, 3)) return false;
    state->touched = state->turned = NAN;
    s->own = state;
    add_top(s);
    sim_add_plane(s, origin, up);
    sim_set_contact(s, sim_get(s, "mu"), 0);
    s->step.gravity[1] = -SIM_GRAVITY;
    s->step.margin = sim_get(s, "margin");
    s->step.fixed_point = (int)sim_get(s, "fixed_point");
    s->step.fixed_tol = sim_get(s, "fixed_tol");
    s->step.theta = sim_get(s, "theta");
    s->step.gyroscopic = true;
    s->step.escape_radius = 1e3;
    memcpy(s->up, up, sizeof up);
    s->view[0] = 1;
    s->view[1] = 0.05;
    s->view[2] = 0.3;
    s->framed = true; /* wherever it goes */
    s->frame[0][1] = -0.004;
    s->frame[0][2] = -0.045;
    s->frame[1][1] = 0.08;
    s->frame[1][2] = 0.11;
    return true;
}

/* Forces are impulses over the step: normal and friction of the sphere, then of the stick. */
static void find_forces(const sim *s, double out[4])
{
    for (int i = 0; i < 4; i++) out[i] = 0;
    for (int k = 0; k < s->world.contacts; k++) {
        const double *r = s->world.impulse + 3 * (size_t)k;
        double *to = out + (s->world.contact[k].id >> 20 & 1 ? 2 : 0); /* the second shape */
        to[0] += r[0] / s->step.dt;
        to[1] += hypot(r[1], r[2]) / s->step.dt;
    }
}

static void drive(sim *s)
{
    own *state = s->own;
    double force[4];
    find_forces(s, force);
    if (isnan(state->touched) && force[2] > 0) state->touched = s->world.time;
    if (isnan(state->turned) && find_cosine(s) < TURNED) {
        state->turned = s->world.time;
        s->step.rolling_friction = sim_get(s, "rolling");
        s->step.air_drag = sim_get(s, "air");
    }
}

static void measure(const sim *s, double *out)
{
    const own *state = s->own;
    out[0] = find_cosine(s);
    out[1] = s->world.body->position[1];
    find_forces(s, out + 4);
    out[2] = isnan(state->touched) && out[6] > 0 ? s->world.time : state->touched;
    out[3] = isnan(state->turned) && out[0] < TURNED ? s->world.time : state->turned;
}

const sim_scene sim_tippetop = {
    .name = "tippetop",
    .about = "spinning top that turns over by friction (Sauer, Schoemer 1998)",
    .parameters = parameters,
    .solver = "fc3d/nsgs:max_iter=10000",
    .tol = 1e-12,
    .build = build,
    .drive = drive,
    .measures = names,
    .measure = measure,
};
