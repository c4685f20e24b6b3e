/* rigid/body.c: one body: its checks, its mass in world frame, its acceleration by forces alone.
 * The inertia is factored by Cholesky in the body's frame, I = L L', once: root = R L^-T gives the
 * inverse root root' and the motion-space scaling alike, so that all forms round in the same way.
 */
#include "assembly.h"
#include "base/vector.h"

#include <float.h>

perp_body perp_body_make(double mass, double ix, double iy, double iz)
{
    perp_body b = {.kind = PERP_BODY_FREE, .mass = mass, .rotation = {1, 0, 0, 0}};
    b.inertia[0] = ix;
    b.inertia[4] = iy;
    b.inertia[8] = iz;
    return b;
}

void perp_body_rotation(const double rotation[4], double R[9])
{
    double q[4], length = vector_norm(4, rotation);
    for (int i = 0; i < 4; i++) q[i] = rotation[i] / length;
    double w = q[0], x = q[1], y = q[2], z = q[3];
    R[0] = 1 - 2 * (y * y + z * z);
    R[1] = 2 * (x * y + w * z);
    R[2] = 2 * (x * z - w * y);
    R[3] = 2 * (x * y - w * z);
    R[4] = 1 - 2 * (x * x + z * z);
    R[5] = 2 * (y * z + w * x);
    R[6] = 2 * (x * z + w * y);
    R[7] = 2 * (y * z - w * x);
    R[8] = 1 - 2 * (x * x + y * y);
}

/* I = L L' and X = L^-1, both lower triangles. A pivot that is rounding error of its diagonal is
 * none. */
static bool factor_inertia(const double I[9], double X[9])
{
    double L[9] = {0};
    for (int j = 0; j < 3; j++) {
        for (int i = j; i < 3; i++) {
            double sum = 0.5 * (I[3 * j + i] + I[3 * i + j]);
            for (int k = 0; k < j; k++) sum -= L[3 * k + i] * L[3 * k + j];
            if (i > j) {
                L[3 * j + i] = sum / L[4 * j];
                continue;
            }
            if (!(sum > 8 * DBL_EPSILON * I[4 * j])) return false;
            L[4 * j] = sqrt(sum);
        }
    }
    memset(X, 0, 9 * sizeof *X);
    for (int j = 0; j < 3; j++) {
        X[4 * j] = 1 / L[4 * j];
        for (int i = j + 1; i < 3; i++) {
            double sum = 0;
            for (int k = j; k < i; k++) sum -= L[3 * k + i] * X[3 * j + k];
            X[3 * j + i] = sum / L[4 * i];
        }
    }
    return true;
}

static bool is_symmetric(const double I[9])
{
    double most = vector_max(9, I) * PERP_NORMAL_SLACK;
    return fabs(I[1] - I[3]) <= most && fabs(I[2] - I[6]) <= most && fabs(I[5] - I[7]) <= most;
}

bool perp_body_mass(const perp_body *b, perp_mass *mass)
{
    double R[9], X[9];
    if (!is_symmetric(b->inertia) || !factor_inertia(b->inertia, X)) return false;
    perp_body_rotation(b->rotation, R);
    mass->mass = b->mass;
    for (int j = 0; j < 3; j++) {
        double column[3] = {X[j], X[3 + j], X[6 + j]}; /* of X' = L^-T */
        rigid_mul(R, column, mass->root + 3 * j);
    }
    double half[9]; /* R I: columns R I e_j, so inertia = half R' */
    for (int j = 0; j < 3; j++) {
        const double *I = b->inertia;
        double column[3];
        for (int i = 0; i < 3; i++) column[i] = 0.5 * (I[3 * j + i] + I[3 * i + j]);
        rigid_mul(R, column, half + 3 * j);
    }
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i <= j; i++) { /* both triangles from one sum: exactly symmetric */
            double inverse = 0, inertia = 0;
            for (int k = 0; k < 3; k++) {
                inverse += mass->root[3 * k + i] * mass->root[3 * k + j];
                inertia += half[3 * k + i] * R[3 * k + j];
            }
            mass->inverse[3 * j + i] = mass->inverse[3 * i + j] = inverse;
            mass->inertia[3 * j + i] = mass->inertia[3 * i + j] = inertia;
        }
    }
    return vector_is_finite(9, mass->inverse);
}

void perp_body_accelerate(const perp_body *b, const perp_mass *mass, bool gyroscopic, double a[6])
{
    double torque[3], momentum[3], turn[3];
    memcpy(torque, b->torque, sizeof torque);
    if (gyroscopic) {
        rigid_mul(mass->inertia, b->spin, momentum);
        rigid_cross(b->spin, momentum, turn);
        for (int i = 0; i < 3; i++) torque[i] -= turn[i];
    }
    for (int i = 0; i < 3; i++) a[i] = b->force[i] / mass->mass;
    rigid_mul(mass->inverse, torque, a + 3);
}

void perp_body_velocity(const perp_rigid *s, int k, double v[6])
{
    if (k < 0 || s->body[k].kind == PERP_BODY_FIXED) {
        memset(v, 0, 6 * sizeof *v);
        return;
    }
    memcpy(v, s->body[k].velocity, 3 * sizeof *v);
    memcpy(v + 3, s->body[k].spin, 3 * sizeof *v);
}

static perp_status check_vector(const double *x, int n, const char *name, int k, perp_error *e)
{
    if (vector_is_finite((size_t)n, x)) return PERP_SOLVED;
    return perp_refuse(e, PERP_E_NUMBER, "the %s of body %d is not finite", name, k);
}

static perp_status check_pose(const perp_body *b, int k, perp_error *e)
{
    perp_status status = check_vector(b->position, 3, "position", k, e);
    if (!status) status = check_vector(b->rotation, 4, "rotation", k, e);
    if (status) return status;
    double length = vector_norm(4, b->rotation);
    if (fabs(length - 1) <= PERP_ROTATION_SLACK) return PERP_SOLVED;
    return perp_refuse(e, PERP_E_ARGUMENT, "the rotation of body %d has length %g, not 1", k,
                       length);
}

static perp_status check_mass(const perp_body *b, int k, perp_error *e)
{
    if (!isfinite(b->mass))
        return perp_refuse(e, PERP_E_NUMBER, "mass = %g of body %d is not finite", b->mass, k);
    if (!(b->mass > 0) || !isfinite(1 / b->mass))
        return perp_refuse(e, PERP_E_ARGUMENT, "mass = %g of body %d is not positive", b->mass, k);
    perp_status status = check_vector(b->inertia, 9, "inertia", k, e);
    if (status) return status;
    if (!is_symmetric(b->inertia))
        return perp_refuse(e, PERP_E_ARGUMENT, "the inertia of body %d is not symmetric", k);
    perp_mass mass;
    if (perp_body_mass(b, &mass)) return PERP_SOLVED;
    return perp_refuse(e, PERP_E_ARGUMENT, "the inertia of body %d is not positive definite", k);
}

perp_status perp_body_check(const perp_body *b, int k, perp_error *e)
{
    if (b->kind != PERP_BODY_FREE && b->kind != PERP_BODY_FIXED && b->kind != PERP_BODY_DRIVEN) {
        return perp_refuse(e, PERP_E_ARGUMENT, "body %d is of kind %d, not free, fixed or driven",
                           k, (int)b->kind);
    }
    perp_status status = check_pose(b, k, e);
    if (status || b->kind == PERP_BODY_FIXED) return status;
    status = check_vector(b->velocity, 3, "velocity", k, e);
    if (!status) status = check_vector(b->spin, 3, "spin", k, e);
    if (status || b->kind == PERP_BODY_DRIVEN) return status;
    status = check_vector(b->force, 3, "force", k, e);
    if (!status) status = check_vector(b->torque, 3, "torque", k, e);
    return status ? status : check_mass(b, k, e);
}
