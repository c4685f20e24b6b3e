/* generate/scene_parts.c: bodies, contacts and joints for the scenes, one at a time. */
#include "scene_parts.h"

#include <limits.h>
#include <string.h>

bool scene_room(scene *s, int64_t bodies, int64_t contacts, int64_t joints)
{
    /* the forms have up to 3 rows a contact and 6 unknowns a body, as int */
    if (bodies > INT_MAX / 6 || contacts > INT_MAX / 9 || joints > INT_MAX / 6) {
        s->a->failed = true;
        return false;
    }
    s->most_bodies = (int)bodies;
    s->most_contacts = (int)contacts;
    s->most_joints = (int)joints;
    s->body = perp_alloc(s->a, (size_t)bodies, sizeof *s->body);
    s->contact = perp_alloc(s->a, (size_t)contacts, sizeof *s->contact);
    s->joint = perp_alloc(s->a, (size_t)joints, sizeof *s->joint);
    return !s->a->failed;
}

static int add_body(scene *s, perp_body b, const double position[3])
{
    memcpy(b.position, position, sizeof b.position);
    b.force[2] = -SCENE_GRAVITY * b.mass;
    s->body[s->bodies] = b;
    return s->bodies++;
}

int scene_add_box(scene *s, double density, const double half[3], const double position[3],
                  const double rotation[4])
{
    double x = half[0] * half[0], y = half[1] * half[1], z = half[2] * half[2];
    double mass = 8 * density * half[0] * half[1] * half[2], third = mass / 3;
    perp_body b = perp_body_make(mass, third * (y + z), third * (x + z), third * (x + y));
    if (rotation) memcpy(b.rotation, rotation, sizeof b.rotation);
    return add_body(s, b, position);
}

int scene_add_sphere(scene *s, double density, double radius, const double position[3])
{
    double mass = density * 4.18879020478639098 * radius * radius * radius; /* 4 pi / 3 */
    double moment = 0.4 * mass * radius * radius;
    return add_body(s, perp_body_make(mass, moment, moment, moment), position);
}

int scene_add_contact(scene *s, int a, int b, const double point[3], const double normal[3])
{
    perp_contact c = {.a = a, .b = b, .mu = s->mu, .id = s->contacts};
    memcpy(c.point, point, sizeof c.point);
    memcpy(c.normal, normal, sizeof c.normal);
    s->contact[s->contacts] = c;
    return s->contacts++;
}

int scene_add_joint(scene *s, perp_joint_kind kind, int a, int b, const double point[3],
                    const double axis[3])
{
    s->joint[s->joints] = perp_joint_make(kind, s->body, s->bodies, a, b, point, axis);
    s->joint[s->joints].id = s->joints;
    return s->joints++;
}

void scene_touch(scene *s, int axis, int a, const double half_a[3], int b, const double half_b[3])
{
    const double *at = s->body[a].position;
    double lo[3], hi[3], normal[3] = {0};
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    for (int k = 0; k < 3; k++) {
        lo[k] = at[k] - half_a[k];
        hi[k] = at[k] + half_a[k];
    }
    for (int k = 0; k < 3 && b >= 0; k++) {
        const double *other = s->body[b].position;
        lo[k] = fmax(lo[k], other[k] - half_b[k]);
        hi[k] = fmin(hi[k], other[k] + half_b[k]);
    }
    normal[axis] = 1;
    for (int corner = 0; corner < 4; corner++) {
        double point[3];
        point[axis] = at[axis] - half_a[axis];
        point[i] = corner & 1 ? hi[i] : lo[i];
        point[j] = corner & 2 ? hi[j] : lo[j];
        scene_add_contact(s, a, b, point, normal);
    }
}

double scene_random_density(scene *s)
{
    return pow(s->ratio, generator_unit(s->g));
}

void scene_make_heavy(scene *s, int body)
{
    perp_body *b = &s->body[body];
    b->mass *= s->ratio;
    b->force[2] *= s->ratio;
    for (int k = 0; k < 9; k++) b->inertia[k] *= s->ratio;
}

/* Uniform over all rotations: four numbers in the unit ball, normalised. */
void scene_random_rotation(generator *g, double rotation[4])
{
    double length;
    do {
        length = 0;
        for (int k = 0; k < 4; k++) {
            rotation[k] = generator_uniform(g);
            length += rotation[k] * rotation[k];
        }
    } while (length < 0.01 || length > 1);
    for (int k = 0; k < 4; k++) rotation[k] /= sqrt(length);
}

/* x + 2 v x (v x x + w x) for the quaternion (w, v). */
void scene_rotate(const double rotation[4], const double x[3], double out[3])
{
    const double w = rotation[0], *v = rotation + 1;
    double t[3] = {v[1] * x[2] - v[2] * x[1] + w * x[0], v[2] * x[0] - v[0] * x[2] + w * x[1],
                   v[0] * x[1] - v[1] * x[0] + w * x[2]};
    double y[3] = {x[0] + 2 * (v[1] * t[2] - v[2] * t[1]), x[1] + 2 * (v[2] * t[0] - v[0] * t[2]),
                   x[2] + 2 * (v[0] * t[1] - v[1] * t[0])};
    memcpy(out, y, sizeof y);
}
