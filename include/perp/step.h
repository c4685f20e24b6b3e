/* perp/step.h: time stepping on the assembly of rigid.h.
 *
 * Thin, and independent of any collision library: you own the bodies and say, when asked, where
 * they touch; perp_step states the contact problem, solves it and moves the bodies. A step of
 * length h is
 *     drift (1 - theta) h  ->  contacts here, impulses, v(+)  ->  drift theta h
 * where drifting is free motion: positions by velocities, rotations as unit quaternions. That is
 * the theta-method of Moreau and Jean: x(+) = x + h (theta v(+) + (1 - theta) v(-)), with the
 * contacts at the predicted place. Forces act over the whole step; gravity is added to them.
 *
 * Linear momentum is kept to rounding by every impulse between free bodies, angular momentum too
 * (but for the fixed-point iteration). A spinning body drifts with its energy and its angular
 * momentum when `gyroscopic`, with its spin as it is when not. */
#ifndef PERP_STEP_H
#define PERP_STEP_H

#include "perp/rigid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- contacts ------------------------------------------------------------------------------- */

/* A list that is asked for: add to it every contact whose gap is at most `margin` with the bodies
 * as they stand in `body` (not in the world: they have drifted). False stops the step. */
typedef struct perp_contacts perp_contacts;
typedef bool perp_collide(void *ctx, const perp_body *body, perp_index bodies, double margin,
                          perp_contacts *list);
/* One more, zero but for a and b; NULL: no memory. It stays where it is until the next is added.
 * Impulses of the last step start the solve of those with the same a, b and id. */
PERP_API perp_contact *perp_contacts_add(perp_contacts *list, perp_index a, perp_index b);

/* ---- options -------------------------------------------------------------------------------- */

typedef enum perp_dynamics {
    PERP_DYNAMICS_SECOND_ORDER, /* forces change velocities */
    PERP_DYNAMICS_FIRST_ORDER,  /* forces are velocities, M v = F 1 s: nothing moves by itself */
} perp_dynamics;

typedef struct perp_step_options {
    size_t size;    /* bytes, of the caller's version of perp; fields beyond have their defaults */
    double dt;      /* h > 0 */
    double theta;   /* 1/2 .. 1; 1/2 keeps energy, 1 is backward Euler */
    perp_rule rule; /* GAP, RECOVERY: all contacts listed take part, with gap / (theta h). Others:
                       those whose gap would be negative at the end of the step if nothing changed.
                       Where a law's restitution would add energy to a contact group, every e of it
                       is reduced by a common factor, which is reported */
    double margin;  /* distance within which contacts are asked for, >= 0 */
    double gravity[3]; /* added to the forces of free bodies, and the potential energy's */
    perp_dynamics dynamics;
    bool gyroscopic;
    double rolling_friction; /* friction, rolling_friction * normal force, against the velocity of a
                       body on a contact that stuck in the last step */
    double air_drag; /* torque -air_drag * spin; both as in Sauer and Schoemer (1998), 3.3, taken so
                   that they end motion and never turn it round */
    /* PERP_RULE_GAP: contacts of the end of the step, found by at most this many solves, until the
     * poses change by no more than fixed_tol, all in one Euclidean norm. 0: contacts as at
     * the start of the step. */
    int fixed_point;
    double fixed_tol;
    /* The problem: a form, its facets where it has them, a solver of its kind; NULL: auto. */
    perp_rigid_form form;
    int facets;
    const perp_options *solver;
    bool no_warm_start;  /* no warm start */
    bool single_problem; /* one problem of all contacts, not one of each contact group */
    int threads;         /* that share the groups, at most PERP_STEP_THREADS; the bits do not depend
                            on it. 0: 1 */
    double
        escape_radius; /* a body further from the origin has escaped; 0: any finite place is fine */
    /* Sees each problem before it is solved, contacts and bodies as they enter it, and the impulses
     * that the solve starts from, 3 a contact; may be NULL. */
    void (*inspect)(void *ctx, const perp_rigid *s, const double *impulse);
    void *inspect_ctx;
    double recovery_speed, restitution_threshold; /* of PERP_RULE_RECOVERY: 1, 0.1 */
    bool split_impulse; /* PERP_RULE_RECOVERY: overlap is undone by a second problem, without
                           friction, that moves positions alone: velocities get no energy from it */
} perp_step_options;

/* h = 0.01, theta = 1, PERP_RULE_RECOVERY, margin 0.01, no gravity, fc3d/auto on the local form. */
PERP_API void perp_step_options_init(perp_step_options *o, size_t size);
static inline perp_step_options perp_step_defaults(void)
{
    perp_step_options o;
    perp_step_options_init(&o, sizeof o);
    return o;
}

/* ---- the world ------------------------------------------------------------------------------ */

#define PERP_STEP_THREADS 16

/* Zero-initialise it, then set the first block. Bodies and joints are yours, and may be changed
 * between steps. */
typedef struct perp_world {
    perp_index bodies, joints;
    perp_body *body;
    const perp_joint *joint;
    perp_collide *collide; /* NULL: nothing touches */
    void *ctx;

    double time;
    int steps;
    perp_index contacts;           /* of the last step, those that took part */
    const perp_contact *contact;   /* as they were solved; valid until the next step */
    const double *impulse;         /* 3 a contact: normal, t1, t2 of perp_contact_frame */
    const double *joint_impulse;   /* rows of all joints */
    struct perp_step_memory *kept; /* what the next step needs */

    /* Zero: from the heap. Give both a buffer with perp_arena_fixed to step in fixed memory. Steps
     * use the memory of earlier ones: allocations end when all has been met once. */
    perp_arena memory;                     /* what stays between steps */
    perp_arena scratch[PERP_STEP_THREADS]; /* of the step, and of each further thread */
    void *reserved[8];
} perp_world;

typedef struct perp_step_report {
    perp_status status;    /* of the worst group */
    perp_index contacts;   /* that took part */
    int groups;            /* problems solved, in the last round of the fixed point */
    int unsolved;          /* of them not certified: their best iterate moved the bodies */
    int iterations;        /* of the solver: the most that one problem took */
    int rounds;            /* of the fixed point; 1 without it */
    double residual;       /* certified, of the worst problem */
    double model_residual; /* the worst on what the solver solves instead (perp_result); NAN: it
                              solves the problems themselves */
    double kinetic;        /* at the end of the step, free bodies */
    double potential;      /* -mass gravity . position */
    double overlap;        /* worst -gap found where contacts were looked for, 0: none */
    double collide_seconds, assemble_seconds, solve_seconds; /* the last two over all threads */
    char detail[200];         /* a sentence with the step's number; empty when solved */
    double contact_work;      /* r.(u + u(-))/2 of all contacts: the kinetic energy they added */
    double restitution_scale; /* the least factor that a group's restitutions were reduced by; 1 */
    double reserved[14];
} perp_step_report;

/* One step. 0: all solved and certified. > 0: some problem is not; the bodies have moved by its
 * best iterate. < 0: refused; bodies, time and contacts are as they were. o == NULL: the defaults.
 * Returns report->status; report may be NULL. */
PERP_API perp_status perp_step(perp_world *w, const perp_step_options *o, perp_step_report *report);
PERP_API perp_status perp_step_check(const perp_step_options *o, perp_error *error);
PERP_API void perp_world_free(perp_world *w); /* the memory, not the bodies */

/* Motion of one body without contacts for a time t: position and rotation, and the spin where
 * `gyroscopic`. Energy and angular momentum are kept to rounding. */
PERP_API void perp_body_drift(perp_body *b, double t, bool gyroscopic);
PERP_API double perp_body_kinetic(const perp_body *b); /* 0 unless free */

#ifdef __cplusplus
}
#endif
#endif
