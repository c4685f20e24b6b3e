/* generate/scene_boxes.c: scenes of boxes: random contacts, stack, tower, wall, incline, plate.
 * Linear time. */
#include "scene_parts.h"

/* Boxes in a cloud, turned and moving at random. A contact is a point of a face of one box; its
 * partner is any other box or the world. No shape would fit, but every number is of the size it has
 * in a heap, and there are more contacts than the bodies' freedoms determine. */
void make_boxes(int size, scene *s)
{
    int bodies = 2 + size / 4;
    double(*half)[3] = perp_alloc(s->a, (size_t)bodies, sizeof *half);
    double side = cbrt(bodies);
    if (!scene_room(s, bodies, size, 0)) return;
    for (int k = 0; k < bodies; k++) {
        double position[3], rotation[4];
        for (int i = 0; i < 3; i++) half[k][i] = 0.2 + 0.3 * generator_unit(s->g);
        for (int i = 0; i < 3; i++) position[i] = side * generator_unit(s->g);
        scene_random_rotation(s->g, rotation);
        scene_add_box(s, scene_random_density(s), half[k], position, rotation);
        for (int i = 0; i < 3; i++) s->body[k].velocity[i] = generator_uniform(s->g);
        for (int i = 0; i < 3; i++) s->body[k].spin[i] = generator_uniform(s->g);
    }
    for (int k = 0; k < size; k++) {
        int a = generator_below(s->g, bodies), b = generator_between(s->g, -1, bodies - 2);
        int face = generator_below(s->g, 6), axis = face / 2;
        double point[3], normal[3] = {0};
        normal[axis] = face % 2 ? 1 : -1; /* into the box: from b to a */
        for (int i = 0; i < 3; i++) point[i] = half[a][i] * generator_uniform(s->g);
        point[axis] = -normal[axis] * half[a][axis];
        scene_rotate(s->body[a].rotation, normal, normal);
        scene_rotate(s->body[a].rotation, point, point);
        for (int i = 0; i < 3; i++) point[i] += s->body[a].position[i];
        scene_add_contact(s, a, b + (b >= a), point, normal);
    }
}

/* Cubes on top of each other, each a little beside the one below; the last is the heavy one. */
void make_stack(int size, scene *s)
{
    const double half[3] = {0.5, 0.5, 0.5};
    if (!scene_room(s, size, 4 * (int64_t)size, 0)) return;
    for (int k = 0; k < size; k++) {
        double position[3] = {0.1 * generator_uniform(s->g), 0.1 * generator_uniform(s->g),
                              k + 0.5};
        scene_add_box(s, 1, half, position, NULL);
        scene_touch(s, 2, k, half, k - 1, half);
    }
    scene_make_heavy(s, size - 1);
}

/* Storeys of two planks, crosswise. Four contacts where planks cross, four of a plank and the
 * floor. The upper storey is the heavy one. */
void make_tower(int size, scene *s)
{
    const double along[2][3] = {{1, 0.1, 0.2}, {0.1, 1, 0.2}};
    if (!scene_room(s, 2 * (int64_t)size, 8 + 16 * (int64_t)(size - 1), 0)) return;
    for (int k = 0; k < 2 * size; k++) {
        int storey = k / 2, turn = storey % 2, side = 1 - turn;
        double position[3] = {0, 0, 0.4 * storey + 0.2};
        position[turn] = 0.05 * generator_uniform(s->g);
        position[side] = (k % 2 ? 0.8 : -0.8) + 0.05 * generator_uniform(s->g);
        scene_add_box(s, 1, along[turn], position, NULL);
        if (storey == 0) scene_touch(s, 2, k, along[turn], -1, NULL);
        for (int below = 2 * storey - 2; storey > 0 && below < 2 * storey; below++) {
            scene_touch(s, 2, k, along[turn], below, along[side]);
        }
    }
    scene_make_heavy(s, 2 * size - 2);
    scene_make_heavy(s, 2 * size - 1);
}

/* Brick k of a row: half its length, and where its centre is. */
static void lay_brick(int size, int row, int k, double *half, double *centre)
{
    bool cut = row % 2 && (k == 0 || k == size);
    *half = cut ? 0.5 : 1;
    *centre = row % 2 == 0 ? 2 * k + 1 : k == 0 ? 0.5 : cut ? 2 * size - 0.5 : 2 * k;
}

/* A running bond: `size` rows of `size` bricks, every second row begins and ends with a half. Bed
 * and head joints have four contacts each. Seeds vary the density of the bricks by a tenth; the
 * upper row is the heavy one. */
void make_wall(int size, scene *s)
{
    int64_t n = size, odd = n / 2, bodies = n * n + odd;
    int64_t heads = n * (n - 1) + odd, beds = n + (n - 1) * 2 * n;
    double half[3] = {1, 0.5, 0.5}, below[3] = {1, 0.5, 0.5}, centre;
    if (!scene_room(s, bodies, 4 * (heads + beds), 0)) return;
    for (int row = 0, previous = 0; row < size; row++) {
        int first = s->bodies, count = size + row % 2;
        for (int k = 0; k < count; k++) {
            lay_brick(size, row, k, &half[0], &centre);
            double position[3] = {centre, 0, row + 0.5};
            int a = scene_add_box(s, 1 + 0.1 * generator_unit(s->g), half, position, NULL);
            if (k > 0) scene_touch(s, 0, a, half, a - 1, half);
            if (row == 0) scene_touch(s, 2, a, half, -1, NULL);
            for (int j = k > 0 ? k - 1 : 0; row > 0 && j <= k + 1 && j < first - previous; j++) {
                double at;
                lay_brick(size, row - 1, j, &below[0], &at);
                if (fabs(at - centre) > half[0] + below[0] - 0.25) continue;
                scene_touch(s, 2, a, half, previous + j, below);
            }
        }
        previous = first;
    }
    for (int k = 0; k < size + (size - 1) % 2; k++) scene_make_heavy(s, s->bodies - 1 - k);
}

/* Cubes in a row down a slope of half to nine tenths of the friction angle, four contacts below
 * each and four between neighbours: friction alone holds them, and shares the load as it likes. The
 * upper one is heavy. */
void make_incline(int size, scene *s)
{
    double angle = atan(s->mu) * (0.5 + 0.4 * generator_unit(s->g)), c = cos(angle), n = sin(angle);
    const double rotation[4] = {cos(angle / 2), 0, sin(angle / 2), 0}, half[3] = {0.5, 0.5, 0.5};
    const double up[3] = {n, 0, c}, down[3] = {c, 0, -n};
    if (!scene_room(s, size, 8 * (int64_t)size - 4, 0)) return;
    for (int k = 0; k < size; k++) {
        double position[3] = {c * k + 0.5 * n, 0, -n * k + 0.5 * c};
        scene_add_box(s, 1, half, position, rotation);
        for (int side = 0; side < (k > 0 ? 2 : 1); side++) { /* the slope; the box above */
            for (int corner = 0; corner < 4; corner++) {
                double u = corner & 1 ? 0.5 : -0.5, y = corner & 2 ? 0.5 : -0.5;
                double along = side ? k - 0.5 : k + u, lift = side ? 0.5 + u : 0;
                double point[3] = {c * along + n * lift, y, -n * along + c * lift};
                scene_add_contact(s, k, side ? k - 1 : -1, point, side ? down : up);
            }
        }
    }
    scene_make_heavy(s, 0);
}

/* One body on many contacts: a plate that lies on random points and is pushed aside. */
void make_plate(int size, scene *s)
{
    const double half[3] = {1, 1, 0.1}, position[3] = {0, 0, 0.1}, up[3] = {0, 0, 1};
    if (!scene_room(s, 1, size, 0)) return;
    scene_add_box(s, s->ratio, half, position, NULL);
    for (int i = 0; i < 2; i++) {
        s->body[0].force[i] = 0.5 * generator_uniform(s->g) * SCENE_GRAVITY * s->body[0].mass;
    }
    for (int k = 0; k < size; k++) {
        double point[3] = {generator_uniform(s->g), generator_uniform(s->g), 0};
        scene_add_contact(s, 0, -1, point, up);
    }
}
