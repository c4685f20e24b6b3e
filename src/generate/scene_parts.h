/* generate/scene_parts.h: pieces that scenes are made of, and the makers that scene.c lists.
 *
 * Lengths in metres, masses in kilograms, z up. Nothing moves unless a family says so. */
#ifndef PERP_GENERATE_SCENE_PARTS_H
#define PERP_GENERATE_SCENE_PARTS_H

#include "generate.h"

#include <math.h>

#define SCENE_GRAVITY 9.81
#define SCENE_DT 0.01

/* A scene under construction. Room is taken at the start: `failed` of the arena is tested once. */
typedef struct scene {
    int bodies, contacts, joints; /* so far */
    int most_bodies, most_contacts, most_joints;
    perp_body *body;
    perp_contact *contact;
    perp_joint *joint;
    double mu, ratio;
    generator *g;
    perp_arena *a;
} scene;

/* False: no memory, or more than INT_MAX of something. */
bool scene_room(scene *s, int64_t bodies, int64_t contacts, int64_t joints);
/* Each adds one and returns its index; gravity acts on the body. */
int scene_add_box(scene *s, double density, const double half[3], const double position[3],
                  const double rotation[4]);
int scene_add_sphere(scene *s, double density, double radius, const double position[3]);
int scene_add_contact(scene *s, int a, int b, const double point[3], const double normal[3]);
int scene_add_joint(scene *s, perp_joint_kind kind, int a, int b, const double point[3],
                    const double axis[3]);
/* The four corners where box a touches box b along `axis`, a on the upper side; both parallel to
 * the axes of the world, with these half sizes. b = -1: a floor or wall at a's lower side. */
void scene_touch(scene *s, int axis, int a, const double half_a[3], int b, const double half_b[3]);
/* Density from 1 to s->ratio, uniform in its logarithm. */
double scene_random_density(scene *s);
void scene_make_heavy(scene *s, int body); /* s->ratio times as heavy */
void scene_random_rotation(generator *g, double rotation[4]);
void scene_rotate(const double rotation[4], const double x[3], double out[3]);

void make_boxes(int size, scene *s);
void make_stack(int size, scene *s);
void make_tower(int size, scene *s);
void make_wall(int size, scene *s);
void make_incline(int size, scene *s);
void make_arch(int size, scene *s);
void make_chain(int size, scene *s);
void make_hanging(int size, scene *s);
void make_snake(int size, scene *s);
void make_plate(int size, scene *s);
void make_cannonballs(int size, scene *s);
void make_lattice(int size, scene *s);
void make_packing(int size, scene *s);

#endif
