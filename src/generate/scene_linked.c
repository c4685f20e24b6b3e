/* generate/scene_linked.c: an arch of voussoirs, and bodies linked by hinges: a chain that lies on
 * a slope, a snake on a floor. Linear time. */
#include "scene_parts.h"

#define PI 3.14159265358979323846

/* A sector of a ring between two radii, 2h wide: body x points outwards, y along the barrel. */
static perp_body make_voussoir(double inner, double outer, double depth, double h, double density,
                               double *centre)
{
    double area = (outer * outer - inner * inner) * h;
    double fourth = (pow(outer, 4) - pow(inner, 4)) / 4, mass = density * area * depth;
    *centre = 2 * sin(h) * (pow(outer, 3) - pow(inner, 3)) / (3 * area);
    double xx = density * depth * (fourth * (h + sin(2 * h) / 2) - area * *centre * *centre);
    double zz = density * depth * fourth * (h - sin(2 * h) / 2), yy = mass * depth * depth / 12;
    return perp_body_make(mass, yy + zz, xx + zz, xx + yy);
}

/* A half circle of `size` voussoirs on two springings, radii 0.8 and 1: four contacts in every
 * joint, size + 1 joints. The keystone is the heavy one; densities vary by a tenth. */
void make_arch(int size, scene *s)
{
    const double radius[2] = {0.8, 1}, depth = 0.4, step = PI / size;
    if (!scene_room(s, size, 4 * ((int64_t)size + 1), 0)) return;
    for (int k = 0; k < size; k++) {
        double centre, angle = (k + 0.5) * step, density = 1 + 0.1 * generator_unit(s->g);
        perp_body b = make_voussoir(radius[0], radius[1], depth, step / 2, density, &centre);
        b.position[0] = centre * cos(angle);
        b.position[2] = centre * sin(angle);
        b.rotation[0] = cos(angle / 2);
        b.rotation[2] = -sin(angle / 2);
        b.force[2] = -SCENE_GRAVITY * b.mass;
        s->body[s->bodies++] = b;
    }
    for (int k = 0; k <= size; k++) {
        double angle = k * step, c = cos(angle), n = sin(angle);
        double normal[3] = {-n, 0, c}, back[3] = {n, 0, -c};
        for (int corner = 0; corner < 4; corner++) {
            double r = radius[corner & 1], y = corner & 2 ? depth / 2 : -depth / 2;
            double point[3] = {r * c, y, r * n};
            scene_add_contact(s, k < size ? k : k - 1, k < size ? k - 1 : -1, point,
                              k < size ? normal : back);
        }
    }
    scene_make_heavy(s, size / 2);
}

/* Links in a line down a slope of 30 to 60 degrees, hinged to each other and the first to the
 * world; four contacts a link. The last link is the heavy one. */
void make_chain(int size, scene *s)
{
    const double half[3] = {0.5, 0.1, 0.05}, axis[3] = {0, 1, 0};
    double angle = PI / 6 * (1 + generator_unit(s->g)), c = cos(angle), n = sin(angle);
    const double rotation[4] = {cos(angle / 2), 0, sin(angle / 2), 0}, up[3] = {n, 0, c};
    if (!scene_room(s, size, 4 * (int64_t)size, size)) return;
    for (int k = 0; k < size; k++) {
        double place = k + 0.5, lift = half[2];
        double position[3] = {c * place + n * lift, 0, -n * place + c * lift};
        double pin[3] = {c * k + n * lift, 0, -n * k + c * lift};
        scene_add_box(s, 1, half, position, rotation);
        scene_add_joint(s, PERP_JOINT_HINGE, k, k - 1, pin, axis);
        for (int corner = 0; corner < 4; corner++) {
            double along = place + (corner & 1 ? 0.4 : -0.4), y = corner & 2 ? 0.1 : -0.1;
            double point[3] = {c * along, y, -n * along};
            scene_add_contact(s, k, -1, point, up);
        }
    }
    scene_make_heavy(s, size - 1);
}

/* Links in the air in a line that falls off by 0 to 60 degrees, hinged to each other and the first
 * to the world, no contacts. The hinges' axes alternate, so that the line bends both ways. The last
 * link is the heavy one. */
void make_hanging(int size, scene *s)
{
    const double half[3] = {0.5, 0.1, 0.1};
    double angle = PI / 3 * generator_unit(s->g), c = cos(angle), n = sin(angle);
    const double rotation[4] = {cos(angle / 2), 0, sin(angle / 2), 0};
    const double axis[2][3] = {{0, 1, 0}, {n, 0, c}};
    if (!scene_room(s, size, 0, size)) return;
    for (int k = 0; k < size; k++) {
        double position[3] = {c * (k + 0.5), 0, -n * (k + 0.5)}, pin[3] = {c * k, 0, -n * k};
        scene_add_box(s, 1, half, position, rotation);
        scene_add_joint(s, PERP_JOINT_HINGE, k, k - 1, pin, axis[k % 2]);
    }
    scene_make_heavy(s, size - 1);
}

/* Links that wind over a floor, with upright hinges; four contacts a link. At each hinge a muscle
 * turns one link against the next. The head, the last link, is the heavy one. */
void make_snake(int size, scene *s)
{
    const double half[3] = {0.5, 0.1, 0.1}, up[3] = {0, 0, 1};
    double heading = 0, pin[3] = {0, 0, half[2]};
    if (!scene_room(s, size, 4 * (int64_t)size, size - 1)) return;
    for (int k = 0; k < size; k++) {
        double muscle = 0.1 * generator_uniform(s->g);
        heading = 0.9 * heading + 0.5 * generator_uniform(s->g);
        double c = cos(heading), n = sin(heading);
        const double rotation[4] = {cos(heading / 2), 0, 0, sin(heading / 2)};
        double position[3] = {pin[0] + 0.5 * c, pin[1] + 0.5 * n, half[2]};
        scene_add_box(s, 1, half, position, rotation);
        for (int corner = 0; corner < 4; corner++) {
            double x = corner & 1 ? half[0] : -half[0], y = corner & 2 ? half[1] : -half[1];
            double point[3] = {position[0] + c * x - n * y, position[1] + n * x + c * y, 0};
            scene_add_contact(s, k, -1, point, up);
        }
        if (k > 0) {
            scene_add_joint(s, PERP_JOINT_HINGE, k, k - 1, pin, up);
            s->body[k].torque[2] += muscle;
            s->body[k - 1].torque[2] -= muscle;
        }
        pin[0] += c;
        pin[1] += n;
    }
    scene_make_heavy(s, size - 1);
}
