/* tests/support/step_support.h: small worlds for the tests of the time stepping. */
#ifndef PERP_STEP_SUPPORT_H
#define PERP_STEP_SUPPORT_H

#include "rigid/step.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

/* Spheres that touch each other and, where floor is set, the plane z = 0. */
typedef struct marbles {
    double radius, mu, restitution;
    bool floor;
    int calls;
} marbles;

static inline bool marbles_collide(void *ctx, const perp_body *body, int bodies, double margin,
                                   perp_contacts *list)
{
    marbles *m = ctx;
    m->calls++;
    for (int k = 0; k < bodies; k++) {
        for (int j = -1; j < k; j++) {
            if (j < 0 && !m->floor) continue;
            double n[3] = {0, 0, 1}, length = body[k].position[2];
            if (j >= 0) {
                for (int i = 0; i < 3; i++) n[i] = body[k].position[i] - body[j].position[i];
                length = sqrt(rigid_dot(n, n));
                for (int i = 0; i < 3; i++) n[i] /= length;
            }
            double gap = length - (j < 0 ? 1 : 2) * m->radius;
            if (gap > margin) continue;
            perp_contact *c = perp_contacts_add(list, k, j);
            if (!c) return false;
            c->gap = gap;
            c->mu = m->mu;
            c->restitution = m->restitution;
            c->id = 7;
            for (int i = 0; i < 3; i++) {
                c->normal[i] = n[i];
                c->point[i] = body[k].position[i] - (m->radius + 0.5 * gap) * n[i];
            }
        }
    }
    return true;
}

static inline perp_body marble(double mass, double radius, double x, double y, double z)
{
    double moment = 0.4 * mass * radius * radius;
    perp_body b = perp_body_make(mass, moment, moment, moment);
    b.position[0] = x;
    b.position[1] = y;
    b.position[2] = z;
    return b;
}

static inline perp_world marble_world(marbles *m, perp_body *body, int bodies)
{
    return (perp_world){.bodies = bodies, .body = body, .collide = marbles_collide, .ctx = m};
}

/* Linear and angular momentum about the origin. */
static inline void momentum(const perp_body *body, int bodies, double p[3], double L[3])
{
    for (int i = 0; i < 3; i++) p[i] = L[i] = 0;
    for (int k = 0; k < bodies; k++) {
        const perp_body *b = body + k;
        double own[3], R[9], w[3];
        perp_body_rotation(b->rotation, R);
        rigid_mul_t(R, b->spin, w);
        rigid_mul(b->inertia, w, w);
        rigid_mul(R, w, w);
        rigid_cross(b->position, b->velocity, own);
        for (int i = 0; i < 3; i++) {
            p[i] += b->mass * b->velocity[i];
            L[i] += b->mass * own[i] + w[i];
        }
    }
}

#endif
