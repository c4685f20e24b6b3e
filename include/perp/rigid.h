/* perp/rigid.h: one step of rigid bodies with contacts and joints, turned into problems.
 *
 * No collision detection and no time stepping: you say where the bodies are and where they touch;
 * each call below states the step as one problem, whose arrays live in the arena you pass (together
 * with the scratch of the assembly: release or free the arena when you are done with the problem).
 * Nothing keeps a pointer to the bodies, contacts and joints.
 *
 * Vectors are in world coordinates unless said otherwise; matrices are column by column. Only free
 * bodies have unknowns: v holds velocity (3) and spin (3) of each free body, in the order of the
 * bodies, and M is their mass matrix. One row of J is the relative velocity, a less b, along one
 * direction:
 *     contact k  rows 3k, 3k+1, 3k+2: normal, t1, t2 of perp_contact_frame;
 *     joint      rows after all contacts: 3 for a ball, 5 for a hinge, 6 for a weld.
 * One step is, with impulses r >= 0 along n on a (and against it on b):
 *     M v = M v(-) + dt F + J' (r, l),      u = J v + bias. */
#ifndef PERP_RIGID_H
#define PERP_RIGID_H

#include "perp/core.h"
#include "perp/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- data ---------------------------------------------------------------------------------- */

typedef enum perp_body_kind {
    PERP_BODY_FREE,   /* moved by forces and impulses */
    PERP_BODY_FIXED,  /* does not move; of the rest only the pose is read */
    PERP_BODY_DRIVEN, /* keeps the velocity and spin it is given; mass, inertia, force are not read
                       */
} perp_body_kind;

typedef struct perp_body {
    perp_body_kind kind;
    double mass;        /* > 0 */
    double inertia[9];  /* about the centre of mass, body frame: symmetric, positive definite;
                           principal moments stand on the diagonal */
    double position[3]; /* of the centre of mass */
    double rotation[4]; /* quaternion (w, x, y, z), body to world; normalised within 1e-3 of unit
                           length, refused beyond */
    double velocity[3], spin[3]; /* at the start of the step */
    double force[3], torque[3];  /* on the centre of mass, over the whole step */
    double reserved[4];
} perp_body;

/* The normal points from b to a; gap < 0 means overlap. Every contact listed takes part. */
typedef struct perp_contact {
    perp_index a, b;  /* bodies, -1: the fixed world; one of them free, and not the same */
    double point[3];  /* where they touch */
    double normal[3]; /* normalised within 1e-6 of unit length, refused beyond */
    double gap;       /* read by the laws that say so, and by perp_step to choose who takes part */
    double dn[3]; /* dn/dt (spin x n for the normal of a face), read by PERP_MOTION_ACCELERATIONS */
    double mu;    /* >= 0 */
    double restitution; /* e, 0 .. 1 */
    int id;             /* yours: tells contacts of the same two bodies apart. The assembly does not
                           read it; perp_step starts a contact from the impulse of the last step's
                           contact with the same a, b and id, so keep it from step to step */
    double reserved[12];
} perp_contact;

typedef enum perp_joint_kind { PERP_JOINT_BALL, PERP_JOINT_HINGE, PERP_JOINT_WELD } perp_joint_kind;

/* Frames of a and b are the bodies' own; of the world (-1), the world's. perp_joint_make fills one
 * from world coordinates. */
typedef struct perp_joint {
    perp_joint_kind kind;
    perp_index a, b;                 /* as for a contact */
    double anchor_a[3], anchor_b[3]; /* the point held together, in each frame */
    double axis_a[3], axis_b[3];     /* of a hinge, in each frame; unit as a normal is */
    double relative[4];              /* of a weld: the rotation of b seen from a; unit quaternion */
    int id;                          /* yours; never read: joints are known by their place */
    double reserved[12];
} perp_joint;

/* The law of a contact: what its velocity u at the end of the step must satisfy, _|_ r in Coulomb's
 * cone, where u(-) is its velocity before the step and e its restitution (docs/contacts.md):
 *     IMPACT    u_n + e u_n(-) >= 0, Newton's, each contact with its own e;
 *     MOREAU    (u + e u(-))_n >= 0, and friction against (u + e u(-))_t: with one e for all
 * contacts no impact adds energy; POISSON   r = (1 + e) r_c + r_2, r_c by u_n >= 0, and r_2 by u_n
 * >= 0 once more from the velocities after (1 + e) r_c; a problem states one phase, perp_step makes
 * both; GAP       u_n + gap / dt >= 0: an overlap is undone in this step, at any speed; a contact
 * with restitution is refused; RECOVERY  u_n >= max(-e u_n(-), min(-gap / dt, recovery_speed)), the
 * first where e > 0, u_n(-) < -restitution_threshold and the gap would close within dt, else the
 * second alone. The first three do not read the gap, and joints have Gv = 0; with GAP Gv + error /
 * dt = 0 closes what has drifted apart, with RECOVERY at most at recovery_speed. GAP and RECOVERY
 * may add energy. */
typedef enum perp_rule {
    PERP_RULE_IMPACT,
    PERP_RULE_GAP,
    PERP_RULE_MOREAU,
    PERP_RULE_POISSON,
    PERP_RULE_RECOVERY,
} perp_rule;

typedef struct perp_rigid {
    perp_index bodies, contacts, joints;
    const perp_body *body;
    const perp_contact *contact;
    const perp_joint *joint;
    double dt; /* > 0; 0 is a pure impact (forces play no part), with laws that read no gap */
    perp_rule rule;
    bool gyroscopic; /* add the torque -spin x (inertia spin), taken at the start of the step */
    double recovery_speed, restitution_threshold; /* of PERP_RULE_RECOVERY, >= 0 */
    void *reserved[6];
} perp_rigid;

/* A free body at rest at the origin, not rotated; change what differs. */
PERP_API perp_body perp_body_make(double mass, double ix, double iy, double iz);
/* A joint at a world point about a world axis (unit; of a hinge, else NULL), closed as the bodies
 * stand now. Indices and rotations are checked when the step is assembled. */
PERP_API perp_joint perp_joint_make(perp_joint_kind kind, const perp_body *body, perp_index bodies,
                                    perp_index a, perp_index b, const double point[3],
                                    const double axis[3]);

/* E = [n t1 t2], orthonormal and right-handed, n x t1 = t2. Deterministic, and defined for every
 * unit normal; n is normalised first. */
PERP_API void perp_contact_frame(const double normal[3], double E[9]);

/* Masses, inertias, rotations, normals, indices, coefficients, NaN: the error (may be NULL) names
 * the body, contact or joint. All calls below do this first; when they refuse, the arena is as it
 * was and *p is untouched. */
PERP_API perp_status perp_rigid_validate(const perp_rigid *s, perp_error *error);

/* Rows of all joints, and unknown velocities 6 a free body. -1: see perp_rigid_validate. */
PERP_API perp_index perp_rigid_joint_rows(const perp_rigid *s);
PERP_API perp_index perp_rigid_unknowns(const perp_rigid *s);

/* ---- Coulomb's cone, exactly ---------------------------------------------------------------- */

/* Local form: W = J M^-1 J' in 3x3 block rows, exactly symmetric; q = J M^-1 f + bias. No joints.
 */
PERP_API perp_status perp_rigid_fc3d_local(const perp_rigid *s, perp_arena *a, perp_problem *p,
                                           perp_error *error);
/* Body form: M, H = J' of the contacts, G = J' of the joints (CSC), f = M v(-) + dt F, w and b the
 * bias. z = (r, v, l). Linear time. */
PERP_API perp_status perp_rigid_fc3d_body(const perp_rigid *s, perp_arena *a, perp_problem *p,
                                          perp_error *error);

/* ---- friction box ---------------------------------------------------------------------------- */

/* MCP with J M^-1 J' as CSC, z = (r, l): r_n >= 0, |r_t| <= mu r_n by `follows`, l free. */
PERP_API perp_status perp_rigid_mcp(const perp_rigid *s, perp_arena *a, perp_problem *p,
                                    perp_error *error);

/* The same with M = J M^-1 J' left in factors, for sweeps that update velocities:
 *     F(z) = J v + bias,   v = v_free + M^-1 J' z. */
typedef struct perp_rigid_factored {
    perp_index rows, bodies; /* 3 contacts + joint rows; free bodies */
    const perp_index *body;  /* 2 a row: free bodies of a and b, -1: not free */
    const double *J;       /* 12 a row: linear and angular part of a, then of b; 0 where not free */
    const double *inverse; /* 10 a body: 1/mass, then the inverse inertia, 3x3, in world frame */
    const double *v_free;  /* 6 a body: velocities without any impulse */
    const double *bias;    /* 1 a row */
    const double *lo, *hi; /* as in perp_mcp, and so are follows and mu */
    const perp_index *follows;
    const double *mu;
    void *reserved[4];
} perp_rigid_factored;
PERP_API perp_status perp_rigid_factor(const perp_rigid *s, perp_arena *a, perp_rigid_factored *f,
                                       perp_error *error);
/* The MCP that factors describe, yours or those of perp_rigid_factor, with M an operator that
 * mcp/pgs and mcp/nncg know: they sweep in velocities, and J M^-1 J' is never formed. The arrays of
 * f must live as long as the problem. */
PERP_API perp_status perp_rigid_factored_mcp(const perp_rigid_factored *f, perp_arena *a,
                                             perp_problem *p, perp_error *error);

/* ---- friction pyramids ----------------------------------------------------------------------- */

/* Inner pyramid with `facets` (even, >= 4) directions d_h = cos(2 pi h/facets) t1 + sin(..) t2,
 * the LCP of Stewart and Trinkle: K contacts, z = (beta, f, lambda), `facets` K + K + K unknowns,
 * beta contact by contact: friction impulses D beta, normal impulses f, sliding speeds lambda.
 *     [D'WD  D'WN  e]       [D'q]
 *     [N'WD  N'WN  0]  z  + [N'q]
 *     [ -e'   mu   0]       [ 0 ]                                          No joints. */
PERP_API perp_status perp_rigid_lcp_facets(const perp_rigid *s, int facets, perp_arena *a,
                                           perp_problem *p, perp_error *error);
/* Outer pyramid with `facets` >= 3 sides c_h' r_t <= mu r_n, c_h as d_h above; r_t is free, hence
 * an MCP: z = (r, l, kappa), kappa contact by contact:
 *     u_n _|_ r_n >= 0,  u_t + sum kappa_h c_h = 0,  mu r_n - c_h' r_t _|_ kappa_h >= 0. */
PERP_API perp_status perp_rigid_mcp_facets(const perp_rigid *s, int facets, perp_arena *a,
                                           perp_problem *p, perp_error *error);

/* ---- without friction ------------------------------------------------------------------------ */

/* LCP of the normal impulses, one a contact (CSC). mu is not read. No joints. */
PERP_API perp_status perp_rigid_lcp(const perp_rigid *s, perp_arena *a, perp_problem *p,
                                    perp_error *error);

/* NNLS in motion space. By Gauss' principle the motion y (velocities v, or accelerations) is the
 * nearest to the unconstrained one y_u, in the kinetic norm, among those with N y >= c for the
 * normal rows of J and G y = c for the joints. With M = Q'Q, d = c - J y_u and k = Q (y - y_u) that
 * is the least distance |k| with J Q^-1 k >= d, and its nonnegative least squares form (Lawson and
 * Hanson 1974, chapter 23)
 *     A = [ (J Q^-1)' ]      b = ( 0, ..., 0, s ),      x >= 0, free for rows of joints,
 *         [   d' / s  ]
 * (unknowns + 1) x (contacts + joint rows), CSC, s > 0 of the size of the answer. With the residual
 * R = A x - b: impulses (or forces) x s / -R_last, motion y = y_u + Q^-1 R_rest s / -R_last;
 * R_last = 0 means that no such motion exists. perp_rigid_velocities does this.
 *     PERP_MOTION_VELOCITIES     y_u = v(-) + M^-1 dt F and c = -bias of the rule.
 *     PERP_MOTION_ACCELERATIONS  y_u = M^-1 F; the second derivative of each distance is >= 0: c
 * holds the centripetal terms and -2 (relative velocity).dn/dt. List the contacts that are closed
 * and not separating; dt and the rule are not read. */
typedef enum perp_motion { PERP_MOTION_VELOCITIES, PERP_MOTION_ACCELERATIONS } perp_motion;
PERP_API perp_status perp_rigid_nnls(const perp_rigid *s, perp_motion motion, perp_arena *a,
                                     perp_problem *p, perp_error *error);

/* ---- and back -------------------------------------------------------------------------------- */

typedef enum perp_rigid_form {
    PERP_RIGID_FORM_FC3D_LOCAL,
    PERP_RIGID_FORM_FC3D_BODY,
    PERP_RIGID_FORM_MCP, /* also what perp_rigid_factor describes; no problem is needed */
    PERP_RIGID_FORM_LCP_FACETS,
    PERP_RIGID_FORM_MCP_FACETS,
    PERP_RIGID_FORM_LCP,
    PERP_RIGID_FORM_NNLS_VELOCITIES,
    PERP_RIGID_FORM_NNLS_ACCELERATIONS,
} perp_rigid_form;

/* Velocities of every body, 6 each (fixed: 0, driven: its own), at the end of the step, from a
 * solution z of the problem p that was assembled in this form; from the impulses in z, also in body
 * form. Accelerations in the last form. r (3 a contact: normal, t1, t2) and l (joint rows) get the
 * impulses; either may be NULL. */
PERP_API perp_status perp_rigid_velocities(const perp_rigid *s, perp_rigid_form form,
                                           const perp_problem *p, const double *z, perp_arena *a,
                                           double *v, double *r, double *l, perp_error *error);

/* ---- contact groups -------------------------------------------------------------------------- */

/* Free bodies linked by contacts and joints, directly or through others, move together; a step is
 * as many independent problems. Groups are numbered by their first body; a body that touches
 * nothing is a group of its own. Fixed and driven bodies link nothing. */
typedef struct perp_rigid_groups {
    perp_index count;
    const perp_index *body;    /* the group of each body, -1: not free */
    const perp_index *contact; /* of each contact */
    const perp_index *joint;   /* of each joint */
    const perp_index *start,
        *order; /* the contacts of group g: order[start[g] .. start[g + 1] - 1] */
    void *reserved[4];
} perp_rigid_groups;
PERP_API perp_status perp_rigid_group(const perp_rigid *s, perp_arena *a, perp_rigid_groups *groups,
                                      perp_error *error);

#ifdef __cplusplus
}
#endif
#endif
