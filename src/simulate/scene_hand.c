/* simulate/scene_hand.c: the interactive sequences of Silcowitz-Hansen, Niebe and Erleben (2010),
 * Figures 1 and 2, with a hand that follows a script: a box within a stack is moved to and fro, the
 * end of a long chain is led about, and a small box pushes a gear from a shelf onto two others.
 *
 * The paper shows pictures and says 50 iterations of NNCG a frame. The hand is what a mouse is in
 * such programs, a spring with a damper between a body and a point that moves. */
#include "scenes.h"

#include <math.h>
#include <string.h>

static const sim_parameter parameters[] = {
    {"dt", 0.01, 1e-6, 1, false, "time step, s"},
    {"seconds", 6, 0, 1e6, false, "time to simulate, s"},
    {"case", 1, 1, 3, true, "a: stack, b: chain, c: gears; or 1 .. 3"},
    {"boxes", 6, 3, 100, true, "of the stack"},
    {"links", 16, 2, 200, true, "of the chain"},
    {"reach", 0.2, 0, 10, false, "of the hand in the stack, m; five times that at the chain's end"},
    {"period", 3, 0.1, 1e3, false, "of the hand in (a) and (b), s"},
    {"stiffness", 10, 0.1, 100, false, "of the hand, rad/s"},
    {"mu", 0.5, 0, 10, false, "friction coefficient"},
    {"margin", 0.01, 0, 1, false, "of contacts, m"},
    {NULL, 0, 0, 0, false, NULL},
};

static const char *const names[] = {"lag", "drift", "fallen", "speed", "height", NULL};

typedef struct place {
    double x[3];
} place;

typedef struct own {
    int held;                     /* the body in the hand */
    double mass;                  /* that the hand reckons with */
    place *start;                 /* of every body */
    double target[3], drift, lag; /* drift, lag: at worst so far */
} own;

/* A third of the way up, so that friction has to carry what is above. */
static bool make_stack(sim *s, own *o)
{
    static const double origin[3], up[3] = {0, 0, 1}, half[3] = {0.5, 0.5, 0.5};
    int boxes = (int)sim_get(s, "boxes");
    if (!sim_room(s, boxes, boxes + 1)) return false;
    sim_add_plane(s, origin, up);
    for (int k = 0; k < boxes; k++) {
        const double at[3] = {0, 0, k + 0.5};
        sim_add_box(s, 1, half, at);
        s->shape[s->shapes - 1].colour = k == boxes / 3 ? 5 : k % 2 ? 4 : 0;
    }
    o->held = boxes / 3;
    o->mass = 4;
    return true;
}

/* Links of 0.4 m in a line, the first held by the world. */
static bool make_chain(sim *s, own *o)
{
    static const double origin[3], up[3] = {0, 0, 1}, half[3] = {0.17, 0.08, 0.08};
    int links = (int)sim_get(s, "links");
    perp_joint *joint = perp_alloc(&s->arena, (size_t)links, sizeof *joint);
    if (!joint || !sim_room(s, links, links + 1)) return false;
    sim_add_plane(s, origin, up);
    for (int k = 0; k < links; k++) {
        const double at[3] = {0.4 * k + 0.2, 0, 4}, pin[3] = {0.4 * k, 0, 4}, axis[3] = {0, 1, 0};
        int body = sim_add_box(s, 1, half, at);
        s->shape[s->shapes - 1].colour = k == links - 1 ? 5 : k % 2 ? 4 : 0;
        joint[k] = perp_joint_make(PERP_JOINT_BALL, s->world.body, s->world.bodies, body, body - 1,
                                   pin, axis);
    }
    s->world.joint = joint;
    s->world.joints = links;
    o->held = links - 1;
    o->mass = 4;
    return true;
}

/* Two gears between walls, a third on a shelf, and a small box behind it. */
static bool make_gears(sim *s, own *o)
{
    static const double floor[3], up[3] = {0, 0, 1}, half[3] = {0.15, 0.3, 0.2};
    static const double wall[3] = {1.04, 0, 0}, left[3] = {-1, 0, 0}, start[3] = {-2.4, 0, 1.2};
    if (!sim_room(s, 4, 64)) return false;
    sim_add_plane(s, floor, up);
    sim_add_plane(s, wall, left);
    sim_add_shape(s, (sim_shape){.kind = SIM_BOX,
                                 .body = -1,
                                 .position = {-2.04, 0, 0.5},
                                 .size = {1, 0.5, 0.5},
                                 .colour = 7});
    sim_add_gear(s, 8, -0.51, 0.51, 0);
    sim_add_gear(s, 8, 0.51, 0.51, SIM_PI / 16);
    sim_add_gear(s, 8, -1.7, 1.51, 0);
    o->held = sim_add_box(s, 0.5, half, start);
    s->shape[s->shapes - 1].colour = 5;
    o->mass = 2;
    return true;
}

static bool build(sim *s, perp_error *e)
{
    (void)e;
    static bool (*const make[3])(sim *, own *) = {make_stack, make_chain, make_gears};
    own *o = perp_alloc(&s->arena, 1, sizeof *o);
    if (!o || !make[(int)sim_get(s, "case") - 1](s, o)) return false;
    o->start = perp_alloc(&s->arena, (size_t)s->world.bodies, sizeof *o->start);
    if (!o->start) return false;
    for (int k = 0; k < s->world.bodies; k++)
        memcpy(o->start[k].x, s->world.body[k].position, sizeof o->start[k].x);
    memcpy(o->target, o->start[o->held].x, sizeof o->target);
    s->own = o;
    sim_set_contact(s, sim_get(s, "mu"), 0);
    s->step.gravity[2] = -SIM_GRAVITY;
    s->step.margin = sim_get(s, "margin");
    s->step.form = PERP_RIGID_FORM_MCP;
    s->step.escape_radius = 100;
    s->view[0] = 0.3;
    s->view[1] = -1;
    s->view[2] = 0.25;
    return true;
}

/* Where the hand is: to and fro, round in a circle, or towards the gears and back. */
static void find_target(const sim *s, const double *from, double *to)
{
    double reach = sim_get(s, "reach"), turn = 2 * SIM_PI * s->world.time / sim_get(s, "period");
    memcpy(to, from, 3 * sizeof *to);
    switch ((int)sim_get(s, "case")) {
    case 1: to[0] += reach * (1 - cos(turn)); break;
    case 2:
        to[0] -= 5 * reach * (1 - cos(turn));
        to[1] += 5 * reach * (1 - cos(turn)) * sin(turn);
        break;
    default: to[0] += fmin(fmax(s->world.time - 0.5, 0), fmax(4.2 - s->world.time, 0)) * 0.7;
    }
}

static double joint_error(const sim *s)
{
    double worst = 0;
    for (int k = 0; k < s->world.joints; k++) {
        const perp_joint *j = s->world.joint + k;
        double end[2][3], R[9];
        for (int side = 0; side < 2; side++) {
            sim_shape held = {.body = side ? j->b : j->a, .rotation = {1}};
            memcpy(held.position, side ? j->anchor_b : j->anchor_a, sizeof held.position);
            sim_shape_pose(&held, s->world.body, end[side], R);
        }
        worst = fmax(worst, hypot(hypot(end[0][0] - end[1][0], end[0][1] - end[1][1]),
                                  end[0][2] - end[1][2]));
    }
    return worst;
}

static void drive(sim *s)
{
    own *o = s->own;
    perp_body *b = s->world.body + o->held;
    double w = sim_get(s, "stiffness"), lag = 0;
    find_target(s, o->start[o->held].x, o->target);
    for (int i = 0; i < 3; i++) {
        double away = o->target[i] - b->position[i];
        bool weight = i == 2 && (int)sim_get(s, "case") != 2; /* the ground carries it */
        b->force[i] = weight ? 0 : o->mass * (w * w * away - 2 * w * b->velocity[i]);
        if (!weight) lag = hypot(lag, away);
    }
    o->lag = fmax(o->lag, lag);
    o->drift = fmax(o->drift, joint_error(s));
}

/* How far the body was behind the hand and joints apart, at worst, m; bodies more than half a metre
 * below their start; the fastest, m/s; of gears, how high the third is, of others the highest, m.
 */
static void measure(const sim *s, double *out)
{
    const own *o = s->own;
    out[0] = o->lag;
    out[1] = fmax(o->drift, joint_error(s));
    out[2] = out[3] = out[4] = 0;
    for (int k = 0; k < s->world.bodies; k++) {
        const perp_body *b = s->world.body + k;
        const double *v = b->velocity;
        out[2] += b->position[2] < o->start[k].x[2] - 0.5;
        out[3] = fmax(out[3], hypot(hypot(v[0], v[1]), v[2]));
        if (k != o->held) out[4] = fmax(out[4], b->position[2]);
    }
}

const sim_scene sim_hand = {
    .name = "hand",
    .about = "stack, chain and gears that a hand moves (Silcowitz-Hansen, Niebe, Erleben 2010)",
    .parameters = parameters,
    .solver = "mcp/nncg:max_iter=50",
    .tol = 1e-8,
    .ode = true,
    .build = build,
    .drive = drive,
    .measures = names,
    .measure = measure,
};
