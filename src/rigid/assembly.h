/* rigid/assembly.h: what the files of src/rigid share.
 *
 * A step is taken apart once (assembly.c): which bodies are free, their masses in world frame,
 * their velocities without impulses. Contacts and joints then give their rows of J one at a time,
 * and each form scatters them as it likes. */
#ifndef PERP_RIGID_ASSEMBLY_H
#define PERP_RIGID_ASSEMBLY_H

#include "core/internal.h"
#include "perp/rigid.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define PERP_ROTATION_SLACK 1e-3 /* a quaternion this far from unit is normalised */
#define PERP_NORMAL_SLACK 1e-6   /* and a normal or an axis this far */

/* ---- vectors of three, matrices 3x3 column by column ---- */

static inline double rigid_dot(const double x[3], const double y[3])
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static inline void rigid_cross(const double x[3], const double y[3], double out[3])
{
    double a = x[1] * y[2] - x[2] * y[1], b = x[2] * y[0] - x[0] * y[2];
    out[2] = x[0] * y[1] - x[1] * y[0];
    out[0] = a;
    out[1] = b;
}

static inline void rigid_mul(const double A[9], const double x[3], double out[3])
{
    double y[3];
    for (int i = 0; i < 3; i++) y[i] = A[i] * x[0] + A[3 + i] * x[1] + A[6 + i] * x[2];
    memcpy(out, y, sizeof y);
}

static inline void rigid_mul_t(const double A[9], const double x[3], double out[3])
{
    double y[3] = {rigid_dot(A, x), rigid_dot(A + 3, x), rigid_dot(A + 6, x)};
    memcpy(out, y, sizeof y);
}

/* ---- bodies (body.c) ---- */

/* World frame: inertia = R I R', inverse = root root' its inverse, so that with M = Q'Q the angular
 * part of Q^-1 is root and the linear part mass^-1/2. */
typedef struct perp_mass {
    double mass, inertia[9], inverse[9], root[9];
} perp_mass;

perp_status perp_body_check(const perp_body *b, int k, perp_error *e);
/* From a rotation near unit length; it is normalised. */
void perp_body_rotation(const double rotation[4], double R[9]);
/* False: the inertia is not symmetric, not positive definite, or has no finite inverse. */
bool perp_body_mass(const perp_body *b, perp_mass *mass);
/* Velocities after dt under the body's forces and no impulse; a = the acceleration itself. */
void perp_body_accelerate(const perp_body *b, const perp_mass *mass, bool gyroscopic, double a[6]);
/* Its velocity and spin: 0 for a fixed one and for the world (k = -1). */
void perp_body_velocity(const perp_rigid *s, int k, double v[6]);

/* ---- the step (assembly.c) ---- */

typedef struct perp_form_ops perp_form_ops; /* below */
typedef struct perp_assembly {
    int free;                    /* number of free bodies */
    const int *slot;             /* of each body among the free ones, -1 */
    const perp_mass *mass;       /* of free bodies */
    const double *accelerations; /* 6 a free body, without constraints */
    const double *v_free;        /* v(-) + dt accelerations */
    int joint_rows;
    const perp_form_ops *form; /* that the step is stated in, and its facets: the caller's to set */
    int facets;
} perp_assembly;

/* Of a step that has been validated. */
perp_status perp_assembly_fill(const perp_rigid *s, perp_arena *a, perp_assembly *parts,
                               perp_error *e);
/* Validates everything first. */
perp_status perp_assembly_make(const perp_rigid *s, perp_arena *a, perp_assembly *parts,
                               perp_error *e);
perp_status perp_assembly_memory(const perp_rigid *s, perp_error *e); /* refuses: no room */

static inline int perp_assembly_slot(const perp_assembly *parts, int body)
{
    return body < 0 ? -1 : parts->slot[body];
}

/* a and b of contact or joint k: in range, different, one of them free. */
perp_status perp_pair_check(const perp_rigid *s, int a, int b, const char *what, int k,
                            perp_error *e);

/* ---- rows of J (contact.c, joint.c) ---- */

typedef struct perp_jacobian_rows {
    int count;       /* 3; a joint 3, 5 or 6 */
    int slot[2];     /* free bodies of a and b, -1 */
    double J[6][12]; /* linear and angular part of a, then of b, free or not */
    double bias[6];  /* u = (J v over free bodies) + bias, under the rule */
} perp_jacobian_rows;

perp_status perp_contact_check(const perp_rigid *s, int k, perp_error *e);
void perp_contact_rows(const perp_rigid *s, const perp_assembly *parts, int k,
                       perp_jacobian_rows *out);
/* The speed at which the law undoes an overlap; negative: at which a gap may close. */
double perp_contact_repair(const perp_rigid *s, const perp_contact *c);
/* The normal acceleration's part that does not depend on accelerations of free bodies. */
double perp_contact_acceleration_bias(const perp_rigid *s, int k);

perp_status perp_joint_check(const perp_rigid *s, int k, perp_error *e);
int perp_joint_count(perp_joint_kind kind); /* 0: no such kind */
void perp_joint_rows(const perp_rigid *s, const perp_assembly *parts, int k,
                     perp_jacobian_rows *out);
void perp_joint_acceleration_bias(const perp_rigid *s, int k, double drift[6]);

/* Row i times velocities of the free bodies, 6 each. */
double perp_rows_free(const perp_jacobian_rows *rows, int i, const double *v);
/* One row: direction d at arms ra and rb. */
void perp_rows_point(const double d[3], const double ra[3], const double rb[3], double J[12]);

/* ---- J M^-1 J' (delassus.c) ---- */

/* Rows of J Q^-1 by items (a contact or a joint), 0 where a body is not free; items that share a
 * free body are coupled. */
typedef struct perp_items {
    int count;
    int *start;  /* rows of item i: start[i] .. start[i + 1] - 1 */
    int *slot;   /* 2 an item */
    double *S;   /* 12 a row */
    double *q;   /* J v_free + bias, 1 a row */
    int *p, *to; /* coupled items, ascending, itself among them */
} perp_items;

/* All contacts with `rows` of their rows (1: the normal, or 3) and, where wanted, all joints. */
perp_status perp_items_make(const perp_rigid *s, const perp_assembly *parts, int rows, bool joints,
                            perp_arena *a, perp_items *items, perp_error *e);
/* The rows of item k times the rows of item l, column by column. */
void perp_items_block(const perp_items *items, int k, int l, double *out, int ld);
/* All of J M^-1 J' as CSC, sorted. */
perp_status perp_items_csc(const perp_items *items, perp_arena *a, perp_matrix *A, perp_error *e);
/* A row of J times Q^-1. */
void perp_scale_row(const perp_assembly *parts, const int slot[2], const double J[12],
                    double S[12]);

/* ---- shared by forms ---- */

/* What belongs to a form of the step. Its problem has each + facets unknowns a contact, 6 a free
 * body, and one a row of joints, where it has them. */
struct perp_form_ops {
    const char *name; /* of `perp simulate --form`; NULL: perp_step does not take the form */
    perp_kind kind;
    int each;           /* unknowns a contact beside those of the facets */
    int facets;         /* least number of facets, each an unknown of every contact; 0: none */
    bool even;          /* the number of facets is even */
    bool body, joint;   /* velocities of bodies and impulses of joints are unknowns */
    bool accelerations; /* the motion is accelerations, not velocities */
    bool bare;          /* z alone tells the impulses: gather needs no problem */
    bool cold;          /* solves of this form start at 0 */
    perp_status (*make)(const perp_rigid *s, const perp_assembly *parts, perp_arena *a,
                        perp_problem *p, perp_error *e);
    /* As perp_form_start and perp_form_gather, which are what NULL stands for. */
    void (*start)(const perp_rigid *s, const perp_assembly *parts, const double *r, double *z);
    perp_status (*gather)(const perp_rigid *s, const perp_assembly *parts, const perp_problem *p,
                          const double *z, double *impulse, perp_error *e);
};
/* The rows, by perp_rigid_form (forms.c). */
#define PERP_FORMS (PERP_RIGID_FORM_NNLS_ACCELERATIONS + 1)
extern const perp_form_ops *const perp_forms[PERP_FORMS], perp_form_local, perp_form_body,
    perp_form_mcp, perp_form_inner_pyramid, perp_form_outer_pyramid, perp_form_lcp,
    perp_form_nnls_velocities, perp_form_nnls_accelerations;
/* The problem in parts->form, which may have no place for joints and then refuses them. */
perp_status perp_form_make(const perp_rigid *s, const perp_assembly *parts, perp_arena *a,
                           perp_problem *p, perp_error *e);
/* z, which is 0, from impulses r and l, as far as it has a place for them. */
void perp_form_start(const perp_rigid *s, const perp_assembly *parts, const double *r,
                     const double *l, double *z);
/* Back: impulse = (r, l), which is 0, from a solution z of p. Refuses a p that parts->form would
 * not have assembled; the size of p tells the number of facets. */
perp_status perp_form_gather(const perp_rigid *s, perp_assembly *parts, const perp_problem *p,
                             const double *z, double *impulse, perp_error *e);
/* Refuses, with this status, a number of facets that the form cannot have. */
perp_status perp_form_facets(const perp_form_ops *form, int facets, perp_status status,
                             perp_error *e);
/* Checks, parts, assembly; a refusal leaves the arena as it was and *p alone (assembly.c). */
perp_status perp_rigid_assemble(const perp_rigid *s, const perp_form_ops *form, int facets,
                                perp_arena *a, perp_problem *p, perp_error *e);

/* What impulses of contacts did to the kinetic energy: r.(u + u(-))/2, and how much more than
 * repairs of overlap account for they added to that of motion without impulses; its rounding error
 * is some units of size. */
typedef struct perp_impulse_work {
    double contacts, gain, size;
} perp_impulse_work;
/* v from impulses of all contacts and joints (velocities.c); work may be NULL. False: no memory. */
bool perp_assembly_push(const perp_rigid *s, const perp_assembly *parts, const double *impulse,
                        perp_arena *a, double *v, perp_impulse_work *work);
/* perp_rigid_velocities of a step taken apart. */
perp_status perp_assembly_velocities(const perp_rigid *s, perp_assembly *parts,
                                     const perp_problem *p, const double *z, perp_arena *a,
                                     double *v, double *r, double *l, perp_impulse_work *work,
                                     perp_error *e);

/* lo, hi, findex and mu of (r, l): friction boxes, free joints (form_mcp.c). False: no memory. */
bool perp_box_bounds(const perp_rigid *s, int joint_rows, perp_arena *a, perp_mcp *out);
/* cos and sin of 2 pi h / facets: exact on the axes, opposite directions exactly opposite
 * (form_inner_pyramid.c). */
void perp_facet(int facets, int h, double c[2]);

#endif
