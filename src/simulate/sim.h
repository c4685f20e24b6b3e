/* simulate/sim.h: scenes that `perp simulate` runs: bodies with shapes, where they touch, what
 * drives them. No part of the library; it uses perp/perp.h alone.
 *
 * A scene is one file and one row: scene_NAME.c with a const sim_scene, named in scenes.h and
 * scenes.c, and its line in meson.build. Every number of it is a parameter with a range, so that
 * `--set` can change it and the table documents it.
 *
 * Lengths in metres, masses in kilograms, seconds. */
#ifndef PERP_SIM_H
#define PERP_SIM_H

#include "perp/perp.h"

#include <stdint.h>

#define SIM_PARAMETERS_MOST 32
#define SIM_MEASURES_MOST 8

/* ---- shapes ---- */

typedef enum sim_kind {
    SIM_SPHERE,  /* size[0]: radius */
    SIM_PLANE,   /* everything below the shape's own x-y plane is solid */
    SIM_BOX,     /* size: half sides */
    SIM_CAPSULE, /* size[0]: radius, size[1]: half the length of its axis, its own z */
} sim_kind;

typedef struct sim_shape {
    sim_kind kind;
    int body;                        /* -1: the world */
    int part;                        /* its number among the shapes of its body */
    double position[3], rotation[4]; /* in the body's frame */
    double size[3];
    double mu, restitution; /* of a contact: the lower of its two shapes */
    int colour;             /* of pictures: an index */
} sim_shape;

/* ---- scenes ---- */

typedef struct sim sim;

typedef struct sim_parameter {
    const char *name; /* NULL ends the table */
    double value, min, max;
    bool whole; /* an integer; also by a letter, a is 1, where all are 1 .. 26 */
    const char *help;
} sim_parameter;

typedef struct sim_scene {
    const char *name, *about;        /* one line, no full stop */
    const sim_parameter *parameters; /* among them dt and seconds */
    const char *solver;              /* "fc3d/nsgs:max_iter=50"; NULL: auto */
    const char *frictionless;        /* the same of the form lcp */
    double tol;                      /* of the solver; 0: its own */
    bool ode;                        /* has shapes that need ODE's collision library */
    /* Bodies, shapes, step options from the parameters. False: no memory, or *e says why. */
    bool (*build)(sim *s, perp_error *e);
    void (*drive)(sim *s); /* before each step: forces, driven bodies; may be NULL */
    /* One step in place of perp_step, with its report; NULL: perp_step. */
    perp_status (*advance)(sim *s, perp_step_report *report);
    const char *const *measures; /* names, NULL-terminated; may be NULL */
    void (*measure)(const sim *s, double *out);
} sim_scene;

struct sim {
    const sim_scene *scene;
    double value[SIM_PARAMETERS_MOST];
    perp_world world;
    perp_step_options step;
    int steps;          /* to run: seconds / dt */
    const char *solver; /* the scene's, */
    double tol;         /* and its tolerance; build may choose others by its parameters */
    int shapes, most_bodies, most_shapes;
    sim_shape *shape;
    double slop;           /* boxes: a gap or overlap no larger counts as 0, so that what stands
                              states the same problem again, and its solution starts the next */
    double up[3], view[3]; /* of pictures: which way is up, where from to look */
    double frame[2][3];    /* two points that pictures show, beside all shapes at the start, */
    bool framed;           /* where there are such; */
    bool boxed;            /* they are corners of a box, whose edges are drawn */
    int sight;             /* 1 + a shape that pictures leave free: not what is before its centre,
                              cut by a plane that is upright */
    void *own;             /* the scene's */
    perp_arena arena;
    struct sim_grid *grid; /* of the search for contacts: our own, */
    struct sim_ode *ode;   /* or ODE's */
};

/* NULL-terminated (scenes.c). */
extern const sim_scene *const sim_scenes[];
const sim_scene *sim_find(const char *name);

/* A scene with its parameters as they are by default; build it after changing them. */
void sim_open(sim *s, const sim_scene *scene);
/* PERP_E_OPTION: no such parameter, no number, or out of range. */
perp_status sim_set(sim *s, const char *name, const char *value, perp_error *e);
perp_status sim_build(sim *s, perp_error *e);
/* Are the options of a step good? Scenes that advance by themselves look when they step. */
perp_status sim_check(const sim *s, perp_error *e);
/* One step; as perp_step. */
perp_status sim_step(sim *s, perp_step_report *report);
void sim_close(sim *s);

double sim_get(const sim *s, const char *name); /* a parameter of the scene */

/* ---- for build() ---- */

/* Room for these; false: no memory. */
bool sim_room(sim *s, int bodies, int shapes);
/* Each adds one and returns its index. */
int sim_add_body(sim *s, perp_body body);
int sim_add_shape(sim *s, sim_shape shape);
/* Bodies with one shape, at rest. */
int sim_add_sphere(sim *s, double mass, double radius, const double position[3]);
int sim_add_box(sim *s, double mass, const double half[3], const double position[3]);
/* A plane of the world: through a point, solid on the other side of its normal. */
int sim_add_plane(sim *s, const double point[3], const double normal[3]);
/* All shapes so far. */
void sim_set_contact(sim *s, double mu, double restitution);

/* xorshift64*: [0, 1) */
double sim_random(uint64_t *state);

/* ---- contacts ---- */

/* The world's: spheres and planes by a uniform grid (collide.c), everything else by ODE. */
bool sim_collide(void *ctx, const perp_body *body, int bodies, double margin, perp_contacts *list);
bool sim_has_ode(void);
bool sim_collide_ode(sim *s, const perp_body *body, double margin, perp_contacts *list);
void sim_close_ode(sim *s);
/* A shape's pose in the world. */
void sim_shape_pose(const sim_shape *shape, const perp_body *body, double position[3], double R[9]);
/* Its contact with another, filled but for point, normal and gap: a is the body of x. NULL: no
 * memory. Bodies of which none is free have no contact: skip them with sim_can_touch. */
perp_contact *sim_contact(perp_contacts *list, const sim_shape *x, const sim_shape *y, int which);
/* Of two boxes, up to 8 (collide_box.c); false: no memory. */
bool sim_touch_boxes(const sim *s, const sim_shape *x, const sim_shape *y, const perp_body *body,
                     double margin, perp_contacts *list);
/* For worlds of boxes alone, some hundreds of them: every pair is looked at. */
bool sim_collide_boxes(void *ctx, const perp_body *body, int bodies, double margin,
                       perp_contacts *list);
bool sim_can_touch(const sim_shape *x, const sim_shape *y, const perp_body *body);

#endif
