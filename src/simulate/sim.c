/* simulate/sim.c: a scene with its parameters, built and stepped. */
#include "scenes.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const sim_scene *sim_find(const char *name)
{
    for (int k = 0; sim_scenes[k]; k++) {
        if (strcmp(sim_scenes[k]->name, name) == 0) return sim_scenes[k];
    }
    return NULL;
}

void sim_open(sim *s, const sim_scene *scene)
{
    memset(s, 0, sizeof *s);
    s->scene = scene;
    s->solver = scene->solver;
    s->tol = scene->tol;
    s->step = perp_step_defaults();
    s->step.rule = PERP_RULE_GAP; /* scenes of papers, which say so where they have another law */
    s->up[2] = 1;
    s->view[1] = -1;
    for (int k = 0; scene->parameters[k].name; k++) s->value[k] = scene->parameters[k].value;
}

static int find_parameter(const sim *s, const char *name)
{
    for (int k = 0; s->scene->parameters[k].name; k++) {
        if (strcmp(s->scene->parameters[k].name, name) == 0) return k;
    }
    return -1;
}

double sim_get(const sim *s, const char *name)
{
    int k = find_parameter(s, name);
    return k < 0 ? NAN : s->value[k];
}

__attribute__((format(printf, 3, 4))) static perp_status refuse(perp_error *e, perp_status status,
                                                                const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (e) {
        e->status = status;
        vsnprintf(e->text, sizeof e->text, format, list);
    }
    va_end(list);
    return status;
}

perp_status sim_set(sim *s, const char *name, const char *value, perp_error *e)
{
    int k = find_parameter(s, name);
    if (k < 0) return refuse(e, PERP_E_OPTION, "%s has no parameter '%s'", s->scene->name, name);
    const sim_parameter *p = s->scene->parameters + k;
    char *end;
    double x = strtod(value, &end);
    bool letters = p->whole && p->min >= 1 && p->max <= 26;
    if (letters && value[0] >= 'a' && value[0] <= 'z' && !value[1]) {
        x = value[0] - 'a' + 1;
        end = strchr(value, 0);
    }
    if (end == value || *end) return refuse(e, PERP_E_OPTION, "%s=%s is not a number", name, value);
    if (!(x >= p->min && x <= p->max))
        return refuse(e, PERP_E_OPTION, "%s=%s is not in %g .. %g", name, value, p->min, p->max);
    if (p->whole && x != floor(x))
        return refuse(e, PERP_E_OPTION, "%s=%s is not a whole number", name, value);
    s->value[k] = x;
    return PERP_SOLVED;
}

perp_status sim_build(sim *s, perp_error *e)
{
    perp_error own = {.status = PERP_SOLVED};
    if (!e) e = &own;
    if (s->scene->ode && !sim_has_ode()) {
        return refuse(e, PERP_E_FORMAT,
                      "%s needs ODE's collision library, which this build is without",
                      s->scene->name);
    }
    e->status = PERP_SOLVED;
    s->step.dt = sim_get(s, "dt");
    s->world.collide = sim_collide; /* build may set its own */
    s->world.ctx = s;
    if (!s->scene->build(s, e)) {
        return e->status ? e->status : refuse(e, PERP_E_MEMORY, "no memory for %s", s->scene->name);
    }
    double steps = round(sim_get(s, "seconds") / s->step.dt);
    s->steps = steps < INT_MAX ? (int)steps : INT_MAX;
    return sim_check(s, e);
}

perp_status sim_check(const sim *s, perp_error *e)
{
    return s->scene->advance ? PERP_SOLVED : perp_step_check(&s->step, e);
}

perp_status sim_step(sim *s, perp_step_report *report)
{
    if (s->scene->drive) s->scene->drive(s);
    return s->scene->advance ? s->scene->advance(s, report)
                             : perp_step(&s->world, &s->step, report);
}

void sim_close(sim *s)
{
    sim_close_ode(s);
    perp_world_free(&s->world);
    perp_arena_free(&s->arena);
}

/* ---- bodies and shapes ------------------------------------------------------------------- */

bool sim_room(sim *s, int bodies, int shapes)
{
    s->world.body = perp_alloc(&s->arena, (size_t)bodies, sizeof *s->world.body);
    s->shape = perp_alloc(&s->arena, (size_t)shapes, sizeof *s->shape);
    s->most_bodies = bodies;
    s->most_shapes = shapes;
    return !s->arena.failed;
}

int sim_add_body(sim *s, perp_body body)
{
    if (s->world.bodies == s->most_bodies) return -1;
    s->world.body[s->world.bodies] = body;
    return s->world.bodies++;
}

int sim_add_shape(sim *s, sim_shape shape)
{
    if (s->shapes == s->most_shapes) return -1;
    shape.part = 0;
    for (int k = s->shapes - 1; k >= 0 && shape.body >= 0; k--) {
        if (s->shape[k].body != shape.body) break;
        shape.part++;
    }
    if (shape.body < 0) shape.part = s->shapes;
    double length = 0;
    for (int i = 0; i < 4; i++) length += shape.rotation[i] * shape.rotation[i];
    if (length == 0) shape.rotation[0] = 1;
    s->shape[s->shapes] = shape;
    return s->shapes++;
}

int sim_add_sphere(sim *s, double mass, double radius, const double position[3])
{
    double moment = 0.4 * mass * radius * radius;
    perp_body b = perp_body_make(mass, moment, moment, moment);
    memcpy(b.position, position, sizeof b.position);
    int body = sim_add_body(s, b);
    sim_add_shape(s, (sim_shape){.kind = SIM_SPHERE, .body = body, .size = {radius}});
    return body;
}

int sim_add_box(sim *s, double mass, const double half[3], const double position[3])
{
    double q[3] = {half[0] * half[0], half[1] * half[1], half[2] * half[2]}, third = mass / 3;
    perp_body b =
        perp_body_make(mass, third * (q[1] + q[2]), third * (q[0] + q[2]), third * (q[0] + q[1]));
    memcpy(b.position, position, sizeof b.position);
    int body = sim_add_body(s, b);
    sim_add_shape(s,
                  (sim_shape){.kind = SIM_BOX, .body = body, .size = {half[0], half[1], half[2]}});
    return body;
}

int sim_add_plane(sim *s, const double point[3], const double normal[3])
{
    sim_shape plane = {.kind = SIM_PLANE, .body = -1};
    memcpy(plane.position, point, sizeof plane.position);
    /* the rotation that takes z to the normal; about x where the normal is -z */
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    double q[4] = {1 + normal[2] / length, -normal[1] / length, normal[0] / length, 0};
    double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    if (size < 1e-8) {
        q[0] = 0;
        q[1] = 1;
        q[2] = 0;
        size = 1;
    }
    for (int i = 0; i < 4; i++) plane.rotation[i] = q[i] / size;
    return sim_add_shape(s, plane);
}

void sim_set_contact(sim *s, double mu, double restitution)
{
    for (int k = 0; k < s->shapes; k++) {
        s->shape[k].mu = mu;
        s->shape[k].restitution = restitution;
    }
}

double sim_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)(*state * UINT64_C(2685821657736338717) >> 11) * 0x1p-53;
}
