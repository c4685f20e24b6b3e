/* simulate/scene_ladder.c: a ladder that slides down between floor and wall without friction, by
 * constrained accelerations: Redon, Kheddar and Coquillart (2002), sections 2 and 3.1. By Gauss'
 * principle its acceleration is the possible one that is nearest to the free one; possible means
 * that no end which rests on floor or wall accelerates into it, with the term spin x (spin x arm)
 * of equation (3). Four nearest-point problems a step are the stages of Runge and Kutta's method,
 * so that the motion is that of the ladder's differential equation, up to dt^4.
 *
 * The ladder leaves the wall by itself, where its angle has sin = 2/3 of the start's. Where it
 * arrives on the floor it collides, which accelerations cannot say: the step is refused. */
#include "scenes.h"
#include "space.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CLOSED 1e-6 /* of the length and, a second, of the speed: an end that rests */
#define STATE 13    /* position, rotation, velocity, spin */

static const sim_parameter parameters[] = {
    {"dt", 0.001, 1e-6, 0.1, false, "time step, s"},
    {"seconds", 0.8, 0, 1e6, false, "time to simulate, s"},
    {"length", 2, 1e-3, 1e3, false, "of the ladder, m"},
    {"mass", 1, 1e-6, 1e6, false, "of the ladder, kg"},
    {"angle", 70, 1, 89, false, "with the floor at the start, degrees"},
    {NULL, 0, 0, 0, false, NULL},
};

static const char *const names[] = {"angle", "spin", "floor", "wall", "gap", NULL};

/* Forces of the last step's first stage. */
typedef struct forces {
    double floor, wall;
} forces;

static bool build(sim *s, perp_error *e)
{
    (void)e;
    double length = sim_get(s, "length"), mass = sim_get(s, "mass"), thick = 0.015 * length;
    double angle = SIM_PI / 180 * sim_get(s, "angle"), turn = (SIM_PI / 2 - angle) / 2;
    const double origin[3] = {0}, up[3] = {0, 0, 1}, out[3] = {1, 0, 0};
    double moment = mass * length * length / 12;
    if (!sim_room(s, 1, 3)) return false;
    forces *f = perp_alloc(&s->arena, 1, sizeof *f);
    if (!f) return false;
    s->own = f;
    perp_body b = perp_body_make(mass, moment, moment, 1e-3 * moment);
    b.position[0] = length / 2 * cos(angle);
    b.position[2] = length / 2 * sin(angle);
    b.rotation[0] = cos(turn); /* its axis is its own z, leant back to the wall */
    b.rotation[2] = -sin(turn);
    int ladder = sim_add_body(s, b);
    sim_add_shape(s, (sim_shape){.kind = SIM_CAPSULE, .body = ladder, .size = {thick, length / 2}});
    sim_add_plane(s, origin, up);
    sim_add_plane(s, origin, out);
    s->framed = true;
    s->frame[1][0] = 1.3 * length;
    s->frame[1][2] = length;
    s->step.gravity[2] = -SIM_GRAVITY;
    s->step.form = PERP_RIGID_FORM_NNLS_ACCELERATIONS;
    return true;
}

/* From its middle to its upper end. */
static void find_arm(const sim *s, const perp_body *b, double arm[3])
{
    double x[3], R[9];
    sim_shape_pose(s->shape, b, x, R);
    for (int i = 0; i < 3; i++) arm[i] = s->shape[0].size[1] * R[6 + i];
}

/* An end's gap and speed along the axis `along` of the world. */
static void find_end(const sim *s, const perp_body *b, double side, int along, double *gap,
                     double *speed)
{
    double arm[3], turn[3];
    find_arm(s, b, arm);
    space_cross(b->spin, arm, turn);
    *gap = b->position[along] + side * arm[along];
    *speed = b->velocity[along] + side * turn[along];
}

/* Which ends rest as a step starts: the lower one on the floor, the upper one at the wall. */
static void find_resting(const sim *s, const perp_body *b, bool rests[2])
{
    double most = CLOSED * 2 * s->shape[0].size[1];
    for (int wall = 0; wall < 2; wall++) {
        double gap, speed;
        find_end(s, b, wall ? 1 : -1, wall ? 0 : 2, &gap, &speed);
        rests[wall] = gap <= most && speed <= most;
    }
}

/* Their contacts at a stage of the step. Returns how many. */
static int list_contacts(const sim *s, const perp_body *b, const bool rests[2], perp_contact *list)
{
    double arm[3];
    int count = 0;
    find_arm(s, b, arm);
    for (int wall = 0; wall < 2; wall++) {
        double side = wall ? 1 : -1;
        int along = wall ? 0 : 2;
        if (!rests[wall]) continue;
        perp_contact *c = list + count++;
        *c = (perp_contact){.a = 0, .b = -1, .id = wall};
        for (int i = 0; i < 3; i++) c->point[i] = b->position[i] + side * arm[i];
        c->normal[along] = 1;
    }
    return count;
}

/* Accelerations of the body, 6, and the forces on its contacts, 3 each, 0 where there are none. */
static perp_status accelerate(sim *s, const perp_body *b, const bool rests[2], bool first,
                              double a[6], double f[6], perp_step_report *report)
{
    perp_contact list[2];
    perp_rigid rigid = {.bodies = 1, .body = b, .contact = list, .dt = s->step.dt};
    perp_arena *arena = s->world.scratch;
    perp_problem p;
    perp_error e = {.status = PERP_SOLVED};
    perp_result r = {.status = PERP_SOLVED};
    double x[2] = {0}, impulse[6] = {0};
    rigid.contacts = list_contacts(s, b, rests, list);
    if (first && s->step.inspect) s->step.inspect(s->step.inspect_ctx, &rigid, impulse);
    perp_status status = perp_rigid_nnls(&rigid, PERP_MOTION_ACCELERATIONS, arena, &p, &e);
    if (!status) {
        perp_solve(&p, s->step.solver, arena, x, NULL, &r);
        status = perp_rigid_velocities(&rigid, s->step.form, &p, x, arena, a, impulse, NULL, &e);
    }
    if (status) {
        snprintf(report->detail, sizeof report->detail, "%.150s", e.text);
        return status;
    }
    memset(f, 0, 6 * sizeof *f);
    for (int k = 0; k < rigid.contacts; k++)
        memcpy(f + 3 * (size_t)list[k].id, impulse + 3 * (size_t)k, 3 * sizeof *f);
    report->contacts = rigid.contacts > report->contacts ? rigid.contacts : report->contacts;
    report->residual = fmax(report->residual, r.residual.value);
    report->iterations = r.iterations > report->iterations ? r.iterations : report->iterations;
    if (r.status) report->status = r.status;
    return r.status < 0 ? r.status : PERP_SOLVED;
}

static void read_state(const perp_body *b, double y[STATE])
{
    memcpy(y, b->position, sizeof b->position);
    memcpy(y + 3, b->rotation, sizeof b->rotation);
    memcpy(y + 7, b->velocity, sizeof b->velocity);
    memcpy(y + 10, b->spin, sizeof b->spin);
}

static void write_state(const double y[STATE], perp_body *b)
{
    double length = 0;
    memcpy(b->position, y, sizeof b->position);
    memcpy(b->rotation, y + 3, sizeof b->rotation);
    memcpy(b->velocity, y + 7, sizeof b->velocity);
    memcpy(b->spin, y + 10, sizeof b->spin);
    for (int i = 0; i < 4; i++) length += b->rotation[i] * b->rotation[i];
    for (int i = 0; i < 4; i++) b->rotation[i] /= sqrt(length);
}

/* dy/dt with the accelerations a; the quaternion's is (0, spin) q / 2. */
static void find_rate(const perp_body *b, const double a[6], double rate[STATE])
{
    const double *q = b->rotation, *w = b->spin;
    double turned[3];
    memcpy(rate, b->velocity, sizeof b->velocity);
    space_cross(w, q + 1, turned);
    rate[3] = -0.5 * space_dot(w, q + 1);
    for (int i = 0; i < 3; i++) rate[4 + i] = 0.5 * (q[0] * w[i] + turned[i]);
    memcpy(rate + 7, a, 6 * sizeof *a);
}

/* Runge and Kutta's four stages from b. */
static perp_status integrate(sim *s, perp_body *b, perp_step_report *report)
{
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    bool rests[2];
    double h = s->step.dt, y[STATE], rate[STATE] = {0}, sum[STATE] = {0};
    read_state(b, y);
    find_resting(s, b, rests);
    for (int stage = 0; stage < 4; stage++) {
        double at[STATE], a[6], f[6];
        for (int i = 0; i < STATE; i++) at[i] = y[i] + part[stage] * h * rate[i];
        write_state(at, b);
        perp_status status = accelerate(s, b, rests, stage == 0, a, f, report);
        if (status) return status;
        if (stage == 0) *(forces *)s->own = (forces){f[0], f[3]};
        find_rate(b, a, rate);
        for (int i = 0; i < STATE; i++) sum[i] += weight[stage] * h / 6 * rate[i];
    }
    for (int i = 0; i < STATE; i++) y[i] += sum[i];
    write_state(y, b);
    return PERP_SOLVED;
}

static perp_status refuse(perp_step_report *report, perp_status status, const char *why)
{
    snprintf(report->detail, sizeof report->detail, "%s", why);
    return report->status = status;
}

static perp_status advance(sim *s, perp_step_report *report)
{
    perp_body b = *s->world.body;
    double top, lower, speed;
    *report = (perp_step_report){.status = PERP_SOLVED, .groups = 1, .rounds = 1};
    report->model_residual = NAN;
    if (s->step.form != PERP_RIGID_FORM_NNLS_ACCELERATIONS)
        return refuse(report, PERP_E_OPTION, "accelerations are solved by solvers of kind nnls");
    for (int i = 0; i < 3; i++) b.force[i] = b.mass * s->step.gravity[i];
    perp_mark mark = perp_arena_mark(s->world.scratch);
    perp_status status = integrate(s, &b, report);
    perp_arena_release(s->world.scratch, mark);
    if (status) return report->status = status;
    find_end(s, &b, 1, 2, &top, &speed);
    if (!(top > 0))
        return refuse(report, PERP_E_ARGUMENT,
                      "the ladder arrives on the floor: no acceleration stops it");
    memset(b.force, 0, sizeof b.force);
    *s->world.body = b;
    s->world.time += s->step.dt;
    s->world.steps++;
    find_end(s, &b, -1, 2, &lower, &speed);
    report->overlap = fmax(-lower, 0);
    report->kinetic = perp_body_kinetic(&b);
    report->potential = SIM_GRAVITY * b.mass * b.position[2];
    return report->status;
}

static void measure(const sim *s, double *out)
{
    const perp_body *b = s->world.body;
    const forces *f = s->own;
    double arm[3], speed;
    find_arm(s, b, arm);
    out[0] = 180 / SIM_PI * atan2(arm[2], -arm[0]);
    out[1] = b->spin[1];
    out[2] = f->floor;
    out[3] = f->wall;
    find_end(s, b, 1, 0, out + 4, &speed);
}

const sim_scene sim_ladder = {
    .name = "ladder",
    .about = "ladder that slides on floor and wall, by constrained accelerations (the same)",
    .parameters = parameters,
    .solver = "nnls/wilhelmsen",
    .tol = 1e-12,
    .build = build,
    .advance = advance,
    .measures = names,
    .measure = measure,
};
