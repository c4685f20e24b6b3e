/* rigid/step_drag.c: rolling friction and air resistance (Sauer and Schoemer 1998, section 3.3):
 * a force -rolling N v_t / |v_t| on a body that rolls on a contact with the normal force N (m |g|
 * in the paper, which is N of a body that rests on one contact), a torque -air w on every body.
 * Both are taken implicitly: they bring to rest, and never beyond. */
#include "base/vector.h"
#include "step.h"

/* Does it stick: pressed, with friction to spare? */
static bool rolls(const perp_contact *c, const double r[3])
{
    return r[0] > 0 && hypot(r[1], r[2]) < c->mu * r[0];
}

static void slow_down(perp_body *b, const double normal[3], double most)
{
    double t[3], along = rigid_dot(b->velocity, normal);
    for (int i = 0; i < 3; i++) t[i] = b->velocity[i] - along * normal[i];
    double speed = vector_norm(3, t);
    if (speed == 0) return;
    double part = fmin(most / speed, 1);
    for (int i = 0; i < 3; i++) b->velocity[i] -= part * t[i];
}

/* (I + t air) w(+) = I w, all in the body's frame: X = I^-1 gives (1 + t air X) w(+) = w. */
static void slow_spin(perp_body *b, double factor)
{
    perp_mass mass;
    if (!perp_body_mass(b, &mass)) return;
    double A[9], y[3], columns[3][3];
    for (int k = 0; k < 9; k++) A[k] = factor * mass.inverse[k] + (k % 4 == 0);
    for (int k = 0; k < 3; k++)
        rigid_cross(A + 3 * ((k + 1) % 3), A + 3 * ((k + 2) % 3), columns[k]);
    double det = rigid_dot(A, columns[0]);
    for (int k = 0; k < 3; k++) y[k] = rigid_dot(columns[k], b->spin) / det;
    memcpy(b->spin, y, sizeof y);
}

void perp_step_drag(const perp_world *w, const perp_step_options *o, double t, perp_body *body)
{
    double share = t / o->dt; /* of the last step's impulse */
    for (int k = 0; o->air_drag > 0 && k < w->bodies; k++) {
        if (body[k].kind == PERP_BODY_FREE) slow_spin(body + k, t * o->air_drag);
    }
    for (int k = 0; o->rolling_friction > 0 && k < w->contacts; k++) {
        const perp_contact *c = w->contact + k;
        const double *r = w->impulse + 3 * (size_t)k;
        if (!rolls(c, r)) continue;
        const int pair[2] = {c->a, c->b};
        for (int side = 0; side < 2; side++) {
            int at = pair[side];
            if (at < 0 || at >= w->bodies || body[at].kind != PERP_BODY_FREE) continue;
            slow_down(body + at, c->normal, o->rolling_friction * r[0] * share / body[at].mass);
        }
    }
}
