/* rigid/joint.c: ball, hinge and weld: their checks, their rows of J, what has drifted apart.
 *
 * The first three rows hold the anchors together along x, y, z. A hinge adds the two directions
 * across its axis on a, a weld x, y, z, for the relative spin. */
#include "assembly.h"
#include "base/vector.h"

int perp_joint_count(perp_joint_kind kind)
{
    switch (kind) {
    case PERP_JOINT_BALL: return 3;
    case PERP_JOINT_HINGE: return 5;
    case PERP_JOINT_WELD: return 6;
    }
    return 0;
}

/* Hamilton's product; out may be x or y. */
static void multiply(const double x[4], const double y[4], double out[4])
{
    double q[4] = {
        x[0] * y[0] - x[1] * y[1] - x[2] * y[2] - x[3] * y[3],
        x[0] * y[1] + x[1] * y[0] + x[2] * y[3] - x[3] * y[2],
        x[0] * y[2] - x[1] * y[3] + x[2] * y[0] + x[3] * y[1],
        x[0] * y[3] + x[1] * y[2] - x[2] * y[1] + x[3] * y[0],
    };
    memcpy(out, q, sizeof q);
}

static void conjugate(const double x[4], double out[4])
{
    out[0] = x[0];
    for (int i = 1; i < 4; i++) out[i] = -x[i];
}

/* Where a frame stands: the world's for -1. */
typedef struct pose {
    double position[3], rotation[4], R[9];
} pose;

static void find_pose(const perp_body *body, int bodies, int k, pose *out)
{
    *out = (pose){.rotation = {1, 0, 0, 0}};
    if (k >= 0 && k < bodies) {
        double length = vector_norm(4, body[k].rotation);
        memcpy(out->position, body[k].position, sizeof out->position);
        for (int i = 0; i < 4; i++) out->rotation[i] = body[k].rotation[i] / length;
    }
    perp_body_rotation(out->rotation, out->R);
}

perp_joint perp_joint_make(perp_joint_kind kind, const perp_body *body, int bodies, int a, int b,
                           const double point[3], const double axis[3])
{
    perp_joint joint = {.kind = kind, .a = a, .b = b};
    pose A, B;
    double arm[3], inverse[4];
    find_pose(body, bodies, a, &A);
    find_pose(body, bodies, b, &B);
    for (int i = 0; i < 3; i++) arm[i] = point[i] - A.position[i];
    rigid_mul_t(A.R, arm, joint.anchor_a);
    for (int i = 0; i < 3; i++) arm[i] = point[i] - B.position[i];
    rigid_mul_t(B.R, arm, joint.anchor_b);
    if (axis) {
        rigid_mul_t(A.R, axis, joint.axis_a);
        rigid_mul_t(B.R, axis, joint.axis_b);
    }
    conjugate(A.rotation, inverse);
    multiply(inverse, B.rotation, joint.relative);
    return joint;
}

/* A joint in world coordinates. */
typedef struct closure {
    double ra[3], rb[3]; /* arms of the anchors */
    double across[9];    /* directions of the rotational rows */
    double error[6];     /* what has drifted apart, row by row */
} closure;

static void close_hinge(const perp_joint *joint, const pose *A, const pose *B, closure *c)
{
    double axis_a[3], axis_b[3], E[9], turn[3];
    rigid_mul(A->R, joint->axis_a, axis_a);
    rigid_mul(B->R, joint->axis_b, axis_b);
    perp_contact_frame(axis_a, E);
    memcpy(c->across, E + 3, 6 * sizeof *E);
    rigid_cross(axis_b, E, turn); /* the rotation from b's axis to a's */
    for (int i = 0; i < 2; i++) c->error[3 + i] = rigid_dot(c->across + 3 * i, turn);
}

/* The rotation left over, R_a relative R_b^-1, as a vector. */
static void close_weld(const perp_joint *joint, const pose *A, const pose *B, closure *c)
{
    double inverse[4], left[4], length = vector_norm(4, joint->relative);
    for (int i = 0; i < 9; i++) c->across[i] = i % 4 == 0;
    conjugate(B->rotation, inverse);
    multiply(A->rotation, joint->relative, left);
    multiply(left, inverse, left);
    double scale = (left[0] < 0 ? -2 : 2) / length;
    for (int i = 0; i < 3; i++) c->error[3 + i] = scale * left[1 + i];
}

static void find_closure(const perp_rigid *s, const perp_joint *joint, closure *c)
{
    pose A, B;
    find_pose(s->body, s->bodies, joint->a, &A);
    find_pose(s->body, s->bodies, joint->b, &B);
    rigid_mul(A.R, joint->anchor_a, c->ra);
    rigid_mul(B.R, joint->anchor_b, c->rb);
    for (int i = 0; i < 3; i++)
        c->error[i] = (A.position[i] + c->ra[i]) - (B.position[i] + c->rb[i]);
    if (joint->kind == PERP_JOINT_HINGE) close_hinge(joint, &A, &B, c);
    if (joint->kind == PERP_JOINT_WELD) close_weld(joint, &A, &B, c);
}

static double closing_speed(const perp_rigid *s, double error)
{
    if (s->rule != PERP_RULE_GAP && s->rule != PERP_RULE_RECOVERY) return 0;
    double speed = error / s->dt, most = s->recovery_speed;
    return s->rule == PERP_RULE_GAP ? speed : fmin(fmax(speed, -most), most);
}

void perp_joint_rows(const perp_rigid *s, const perp_assembly *parts, int k,
                     perp_jacobian_rows *out)
{
    const perp_joint *joint = s->joint + k;
    const int body[2] = {joint->a, joint->b};
    closure c;
    find_closure(s, joint, &c);
    out->count = perp_joint_count(joint->kind);
    for (int i = 0; i < out->count; i++) {
        double *J = out->J[i];
        if (i < 3) {
            const double d[3] = {i == 0, i == 1, i == 2};
            perp_rows_point(d, c.ra, c.rb, J);
        } else {
            memset(J, 0, 12 * sizeof *J);
            for (int j = 0; j < 3; j++) {
                J[3 + j] = c.across[3 * (i - 3) + j];
                J[9 + j] = -J[3 + j];
            }
        }
        out->bias[i] = closing_speed(s, c.error[i]);
    }
    for (int side = 0; side < 2; side++) {
        double v[6];
        out->slot[side] = perp_assembly_slot(parts, body[side]);
        if (out->slot[side] >= 0) continue;
        perp_body_velocity(s, body[side], v);
        for (int i = 0; i < out->count; i++) {
            for (int j = 0; j < 6; j++) out->bias[i] += out->J[i][6 * side + j] * v[j];
        }
    }
}

/* The rows' second derivative: centripetal terms of the anchors; a hinge's directions turn with a,
 * a weld's do not turn. */
void perp_joint_acceleration_bias(const perp_rigid *s, int k, double drift[6])
{
    const perp_joint *joint = s->joint + k;
    closure c;
    double va[6], vb[6], turn[3], a[3], b[3], spin[3];
    find_closure(s, joint, &c);
    perp_body_velocity(s, joint->a, va);
    perp_body_velocity(s, joint->b, vb);
    rigid_cross(va + 3, c.ra, turn);
    rigid_cross(va + 3, turn, a);
    rigid_cross(vb + 3, c.rb, turn);
    rigid_cross(vb + 3, turn, b);
    for (int i = 0; i < 3; i++) {
        drift[i] = a[i] - b[i];
        drift[3 + i] = 0;
        spin[i] = va[3 + i] - vb[3 + i];
    }
    for (int i = 0; i < 2 && joint->kind == PERP_JOINT_HINGE; i++) {
        rigid_cross(va + 3, c.across + 3 * i, turn);
        drift[3 + i] = rigid_dot(turn, spin);
    }
}

static perp_status check_unit(const double *x, int n, double slack, const char *name, int k,
                              perp_error *e)
{
    double length = vector_norm(n, x);
    if (fabs(length - 1) <= slack) return PERP_SOLVED;
    return perp_refuse(e, isfinite(length) ? PERP_E_ARGUMENT : PERP_E_NUMBER,
                       "the %s of joint %d has length %.9g, not 1", name, k, length);
}

perp_status perp_joint_check(const perp_rigid *s, int k, perp_error *e)
{
    const perp_joint *joint = s->joint + k;
    if (perp_joint_count(joint->kind) == 0) {
        return perp_refuse(e, PERP_E_ARGUMENT, "joint %d is of kind %d, not ball, hinge or weld", k,
                           (int)joint->kind);
    }
    perp_status status = perp_pair_check(s, joint->a, joint->b, "joint", k, e);
    if (status) return status;
    if (!vector_is_finite(3, joint->anchor_a) || !vector_is_finite(3, joint->anchor_b))
        return perp_refuse(e, PERP_E_NUMBER, "an anchor of joint %d is not finite", k);
    if (joint->kind == PERP_JOINT_HINGE) {
        status = check_unit(joint->axis_a, 3, PERP_NORMAL_SLACK, "axis on a", k, e);
        if (!status) status = check_unit(joint->axis_b, 3, PERP_NORMAL_SLACK, "axis on b", k, e);
    }
    if (joint->kind == PERP_JOINT_WELD)
        status = check_unit(joint->relative, 4, PERP_ROTATION_SLACK, "relative rotation", k, e);
    return status;
}
