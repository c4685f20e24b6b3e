/* tests/support/contact_cases.h: random problems of one contact with a known solution, for the
 * tests and the benchmark of the kernel.
 *
 * W = Q diag(1, .., 1/kappa) Q' + a skew part up to 10 % of it, which is positive definite, or
 * Q diag(1, .., 1/kappa) (R Q)' with a rotation R by up to 0.1, which may not be; mu from 0 to 10;
 * q from 1e-8 to 1e8. */
#ifndef PERP_CONTACT_CASES_H
#define PERP_CONTACT_CASES_H

#include "generate/generate.h"

#include <float.h>
#include <math.h>

typedef struct contact_case {
    double W[9], q[3], mu, kappa;
    double start[3], solution[3];
    bool definite;
} contact_case;

static inline double contact_norm(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* What the residual |F_nat| / |q| has to reach. */
static inline double contact_goal(const contact_case *c)
{
    double rounding = 10 * c->kappa * DBL_EPSILON;
    return rounding > 1e-12 ? rounding : 1e-12;
}

/* The rotation of the quaternion p / |p|. */
static inline void contact_rotation(const double p[4], double R[9])
{
    double s = 2 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    double w = p[0], x = p[1], y = p[2], z = p[3];
    const double values[9] = {
        1 - s * (y * y + z * z), s * (x * y + w * z),     s * (x * z - w * y),
        s * (x * y - w * z),     1 - s * (x * x + z * z), s * (y * z + w * x),
        s * (x * z + w * y),     s * (y * z - w * x),     1 - s * (x * x + y * y)};
    for (int i = 0; i < 9; i++) R[i] = values[i];
}

/* sum_k d_k A_k B_k', the columns of A and B */
static inline void contact_product(const double A[9], const double d[3], const double B[9],
                                   double W[9])
{
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            W[3 * j + i] = 0;
            for (int k = 0; k < 3; k++) W[3 * j + i] += A[3 * k + i] * d[k] * B[3 * k + j];
        }
    }
}

static inline void contact_matrix(generator *g, contact_case *c)
{
    do {
        double p[4], Q[9], R[9], RQ[9], d[3] = {1, 0, 0}, angle = 0.1 * generator_unit(g);
        for (int i = 0; i < 4; i++) p[i] = generator_uniform(g);
        contact_rotation(p, Q);
        c->kappa = pow(10, 8 * generator_unit(g));
        d[1] = 1 / c->kappa;
        d[2] = pow(c->kappa, -generator_unit(g));
        for (int i = 1; i < 4; i++) p[i] = generator_uniform(g);
        double length = contact_norm(p + 1);
        c->definite = generator_unit(g) < 0.5;
        if (c->definite) {
            contact_product(Q, d, Q, c->W);
            for (int i = 0; i < 3; i++) { /* the cross product with a vector of length `angle` */
                double x = angle * p[1 + i] / length;
                c->W[3 * ((i + 1) % 3) + (i + 2) % 3] += x;
                c->W[3 * ((i + 2) % 3) + (i + 1) % 3] -= x;
            }
        } else {
            p[0] = 2 * length / angle;
            contact_rotation(p, R);
            for (int i = 0; i < 9; i++) { /* R Q, by the columns of R' */
                RQ[i] = 0;
                for (int k = 0; k < 3; k++) RQ[i] += R[3 * k + i % 3] * Q[3 * (i / 3) + k];
            }
            contact_product(Q, d, RQ, c->W);
        }
    } while (!(c->W[0] > 0));
}

static inline contact_case contact_draw(generator *g)
{
    contact_case c;
    contact_matrix(g, &c);
    double kind = generator_unit(g), turn = 6.2831853 * generator_unit(g);
    double r[3] = {0}, u[3] = {0}, d[2] = {cos(turn), sin(turn)};
    c.mu = generator_unit(g) < 0.05 ? 0 : 10 * pow(generator_unit(g), 2);
    double speed = pow(10, 4 * generator_unit(g) - 2);
    if (kind < 0.2) { /* takes off */
        u[0] = generator_unit(g);
        u[1] = speed * d[0];
        u[2] = speed * d[1];
    } else {
        bool slides = kind > 0.6;
        double inside = slides ? 1 : generator_unit(g);
        r[0] = 1;
        r[1] = inside * c.mu * d[0];
        r[2] = inside * c.mu * d[1];
        if (slides || c.mu == 0) {
            u[1] = -speed * d[0];
            u[2] = -speed * d[1];
        }
    }
    for (int i = 0; i < 3; i++) {
        c.q[i] = u[i] - (c.W[i] * r[0] + c.W[3 + i] * r[1] + c.W[6 + i] * r[2]);
    }
    double scale = pow(10, 16 * generator_unit(g) - 8) / contact_norm(c.q);
    double start = generator_unit(g);
    for (int i = 0; i < 3; i++) {
        c.q[i] *= scale;
        c.solution[i] = scale * r[i];
        c.start[i] = start < 0.3   ? 0
                     : start < 0.6 ? scale * generator_uniform(g)
                                   : c.solution[i] * (1 + 1e-3 * generator_uniform(g));
    }
    return c;
}

#endif
