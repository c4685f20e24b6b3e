/* rigid/step_drift.c: motion of a body without forces: positions by velocities, rotations by the
 * exponential map on unit quaternions.
 *
 * A body whose moments differ tumbles. With the angular momentum P in its own frame and the
 * rotation E = exp(t w) by a mean spin w, the step R <- R E, P <- E'P keeps the angular momentum R
 * P in the world whatever w is, and keeps the energy when w = I^-1 (P + E'P) / 2, for E'P - P is
 * square to w. This implicit midpoint rule (Austin, Krishnaprasad and Wang, Almost Poisson
 * integration of rigid body systems, 1993, with the exponential in place of Cayley's map, hence
 * exact about a principal axis) is solved by fixed-point iteration, in parts of the time that are
 * short enough for it to contract. */
#include "base/vector.h"
#include "step.h"

#include <float.h>

#define PART_ANGLE 0.5 /* of |P| t over the least moment: contraction by 1/4 at least */
#define PARTS_MOST 4096
#define ROUNDS_MOST 64

/* exp of the rotation vector x, as a quaternion. */
static void exponential(const double x[3], double q[4])
{
    double angle = vector_norm(3, x);
    double half = angle < 1e-4 ? 0.5 - angle * angle / 48 : sin(0.5 * angle) / angle;
    q[0] = cos(0.5 * angle);
    for (int i = 0; i < 3; i++) q[1 + i] = half * x[i];
}

static void multiply(const double p[4], const double q[4], double out[4])
{
    double w = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    double x = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
    double y = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
    double z = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
    double length = sqrt(w * w + x * x + y * y + z * z);
    out[0] = w / length;
    out[1] = x / length;
    out[2] = y / length;
    out[3] = z / length;
}

/* Is the inertia a multiple of the identity? */
static bool is_round(const double I[9])
{
    return I[0] == I[4] && I[4] == I[8] && I[1] == 0 && I[2] == 0 && I[3] == 0 && I[5] == 0 &&
           I[6] == 0 && I[7] == 0;
}

static void turn(perp_body *b, double t)
{
    double x[3], q[4];
    for (int i = 0; i < 3; i++) x[i] = t * b->spin[i];
    exponential(x, q);
    multiply(q, b->rotation, b->rotation);
}

/* E'P for E = exp(x). */
static void turn_back(const double x[3], const double P[3], double out[3])
{
    double q[4], R[9];
    exponential(x, q);
    perp_body_rotation(q, R);
    rigid_mul_t(R, P, out);
}

/* One part: P and the rotation. */
static void tumble_part(const double inverse[9], double t, double P[3], double rotation[4])
{
    double w[3], last[3], x[3], end[3], q[4], change = INFINITY;
    rigid_mul(inverse, P, w);
    for (int k = 0; k < ROUNDS_MOST && change > 0; k++) {
        memcpy(last, w, sizeof last);
        for (int i = 0; i < 3; i++) x[i] = t * w[i];
        turn_back(x, P, end);
        for (int i = 0; i < 3; i++) end[i] = 0.5 * (end[i] + P[i]);
        rigid_mul(inverse, end, w);
        double next = 0;
        for (int i = 0; i < 3; i++) next = fmax(next, fabs(w[i] - last[i]));
        if (next >= change && next <= 16 * DBL_EPSILON * vector_norm(3, w)) break; /* rounding */
        change = next;
    }
    for (int i = 0; i < 3; i++) x[i] = t * w[i];
    turn_back(x, P, P);
    exponential(x, q);
    multiply(rotation, q, rotation);
}

/* False: it spins too fast for its moments, or has none. */
static bool tumble(perp_body *b, double t)
{
    perp_body still = *b;
    perp_mass mass;
    double R[9], P[3], w[3];
    const double own[4] = {1, 0, 0, 0};
    memcpy(still.rotation, own, sizeof own);
    if (!perp_body_mass(&still, &mass)) return false;
    perp_body_rotation(b->rotation, R);
    rigid_mul_t(R, b->spin, w);
    rigid_mul(mass.inertia, w, P);
    double trace = mass.inverse[0] + mass.inverse[4] + mass.inverse[8]; /* >= 1 / least moment */
    double parts = ceil(fabs(t) * vector_norm(3, P) * trace / PART_ANGLE);
    if (!(parts <= PARTS_MOST)) return false;
    int count = parts > 1 ? (int)parts : 1;
    for (int k = 0; k < count; k++) tumble_part(mass.inverse, t / count, P, b->rotation);
    perp_body_rotation(b->rotation, R);
    rigid_mul(mass.inverse, P, w);
    rigid_mul(R, w, b->spin);
    return true;
}

void perp_body_drift(perp_body *b, double t, bool gyroscopic)
{
    if (b->kind == PERP_BODY_FIXED || t == 0) return;
    for (int i = 0; i < 3; i++) b->position[i] += t * b->velocity[i];
    bool turns = b->spin[0] != 0 || b->spin[1] != 0 || b->spin[2] != 0;
    if (!turns) return;
    bool round = b->kind == PERP_BODY_DRIVEN || is_round(b->inertia);
    if (!gyroscopic || round || !tumble(b, t)) turn(b, t);
}

double perp_body_kinetic(const perp_body *b)
{
    if (b->kind != PERP_BODY_FREE) return 0;
    double R[9], w[3], P[3];
    perp_body_rotation(b->rotation, R);
    rigid_mul_t(R, b->spin, w);
    rigid_mul(b->inertia, w, P);
    return 0.5 * (b->mass * rigid_dot(b->velocity, b->velocity) + rigid_dot(w, P));
}
