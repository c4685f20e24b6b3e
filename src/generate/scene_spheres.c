/* generate/scene_spheres.c: spheres in order: a pyramid of cannonballs, a cubic lattice in a box.
 * Diameter 1, densities from 1 to the mass ratio. Linear time. */
#include "scene_parts.h"

/* A tenth more or less, so that seeds differ where the ratio is 1. */
static double draw_density(scene *s)
{
    return (1 + 0.1 * generator_unit(s->g)) * scene_random_density(s);
}

/* Sphere a touches sphere b. */
static void touch(scene *s, int a, int b)
{
    const double *x = s->body[a].position, *y = s->body[b].position;
    double point[3], normal[3], length = 0;
    for (int i = 0; i < 3; i++) {
        point[i] = 0.5 * (x[i] + y[i]);
        normal[i] = x[i] - y[i];
        length += normal[i] * normal[i];
    }
    for (int i = 0; i < 3; i++) normal[i] /= sqrt(length);
    scene_add_contact(s, a, b, point, normal);
}

/* Sphere a touches a wall or floor square to an axis, on its lower (1) or upper (-1) side. */
static void touch_wall(scene *s, int a, int axis, int side)
{
    double point[3], normal[3] = {0};
    for (int i = 0; i < 3; i++) point[i] = s->body[a].position[i];
    point[axis] -= 0.5 * side;
    normal[axis] = side;
    scene_add_contact(s, a, -1, point, normal);
}

/* `size` by `size` spheres on the floor, and every layer in the hollows of the one below. */
void make_cannonballs(int size, scene *s)
{
    int64_t k = size, bodies = k * (k + 1) * (2 * k + 1) / 6, hollows = bodies - k * k;
    int64_t beside = 2 * (bodies - k * (k + 1) / 2); /* 2 s (s - 1) in a layer of side s */
    if (!scene_room(s, bodies, k * k + beside + 4 * hollows, 0)) return;
    for (int layer = 0, below = 0; layer < size; layer++) {
        int side = size - layer, first = s->bodies;
        for (int e = 0; e < side * side; e++) {
            int i = e % side, j = e / side;
            double position[3] = {i + 0.5 * layer, j + 0.5 * layer, 0.5 + layer * sqrt(0.5)};
            int a = scene_add_sphere(s, draw_density(s), 0.5, position);
            if (layer == 0) touch_wall(s, a, 2, 1);
            if (i > 0) touch(s, a, a - 1);
            if (j > 0) touch(s, a, a - side);
            for (int h = 0; layer > 0 && h < 4; h++) {
                touch(s, a, below + (j + h / 2) * (side + 1) + i + h % 2);
            }
        }
        below = first;
    }
}

/* `size` spheres in a cubic lattice, layer by layer, in a box that is tilted a little so that two
 * of its walls bear; every sphere touches its neighbours along the axes, the floor and the walls.
 */
void make_lattice(int size, scene *s)
{
    int side = 1;
    while ((int64_t)side * side * side < size) side++;
    int layers = (size + side * side - 1) / (side * side);
    double tilt[2] = {0.2 * generator_uniform(s->g), 0.2 * generator_uniform(s->g)};
    if (!scene_room(s, size, 3 * (int64_t)size + 2 * (int64_t)side * layers, 0)) return;
    for (int k = 0; k < size; k++) {
        const int at[3] = {k % side, k / side % side, k / side / side};
        const int step[3] = {1, side, side * side};
        double position[3] = {at[0], at[1], 0.5 + at[2]};
        scene_add_sphere(s, draw_density(s), 0.5, position);
        for (int i = 0; i < 2; i++) {
            s->body[k].force[i] = tilt[i] * SCENE_GRAVITY * s->body[k].mass;
            if (at[i] == side - 1) touch_wall(s, k, i, -1);
        }
        for (int i = 0; i < 3; i++) {
            if (at[i] == 0) touch_wall(s, k, i, 1);
            if (at[i] > 0) touch(s, k, k - step[i]);
        }
    }
}
