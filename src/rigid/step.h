/* rigid/step.h: what the files of the time stepping share. */
#ifndef PERP_RIGID_STEP_H
#define PERP_RIGID_STEP_H

#include "assembly.h"
#include "core/driver.h"
#include "perp/step.h"

#include <stdatomic.h>
#include <stdio.h>

/* ---- what stays between steps (step_warm_start.c) ---- */

struct perp_contacts {
    perp_arena *memory;
    perp_contact *contact;
    double *impulse; /* 3 a contact */
    int count, room;
};

/* The impulse of a contact in world coordinates, found by bodies and id: open addressing. */
typedef struct perp_memo {
    int a, b, id;
    bool used;
    double impulse[3];
} perp_memo;

typedef struct perp_step_memory {
    perp_contacts list[2]; /* of the last step and of this one */
    int now;               /* the last step's */
    perp_memo *memo;
    int room;         /* of memo, a power of 2 */
    double *joint[2]; /* impulses of joints */
    int joint_rows;   /* that there is room for */
} perp_step_memory;

/* The world's, made when there is none; NULL: no memory. Joints have these many rows. */
perp_step_memory *perp_step_memory_open(perp_world *w, int joint_rows);
/* The list of this step, empty. */
perp_contacts *perp_step_memory_start(perp_step_memory *kept);
/* Remember the impulses of a list; false: no memory. */
bool perp_step_memory_remember(perp_world *w, const perp_contacts *list);
/* Impulses (normal, t1, t2) as remembered, 0 for who was not there. */
void perp_step_memory_recall(const perp_step_memory *kept, const perp_contact *c, int count,
                             double *r);

/* ---- one problem (step_solve.c) ---- */

typedef struct perp_solved {
    perp_status status;
    int iterations;
    double residual, model_residual, assemble_seconds, solve_seconds;
    perp_impulse_work work;
    double restitution_scale; /* what every restitution was multiplied by */
    char detail[160];
} perp_solved;

/* s is valid. State it in the form of the options, solve it by its law, go back: v (6 a body), r
 * and l, which are the start unless o->no_warm_start. Refused: out->status < 0, and v, r and l are
 * garbage. */
void perp_step_solve(const perp_rigid *s, const perp_step_options *o, perp_arena *a, double *v,
                     double *r, double *l, perp_solved *out);

/* ---- all problems of a step (step_groups.c) ---- */

/* Validate, and do the same by contact groups, shared among threads unless o->single_problem.
 * Bodies that touch nothing get their velocities without impulses. scratch has PERP_STEP_THREADS
 * arenas. */
void perp_step_solve_all(const perp_rigid *s, const perp_step_options *o, perp_arena *scratch,
                         double *v, double *r, double *l, perp_step_report *report);

/* ---- forces on single bodies (step_drag.c) ---- */

/* Rolling friction and air resistance over a time t, on the velocities. */
void perp_step_drag(const perp_world *w, const perp_step_options *o, double t, perp_body *body);

#endif
