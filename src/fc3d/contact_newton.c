/* fc3d/contact_newton.c: semismooth Newton for one contact.
 * Alart and Curnier (1991), and the variant of Jean and Moreau (1987) whose friction bound follows
 * the normal force instead of its prediction; as in Acary, Bremond and Huber (2018), section 4.
 *
 * With x_N = r_N - rho_N u_N and y = r_T - rho_T u_T the map is
 *     F_N = r_N - max(x_N, 0),    F_T = r_T - P(y), P on the disc of radius mu max(x_N or r_N, 0).
 * rho_N = 1 / W_NN and rho_T = 2 / tr(W_TT): a fixed rho = 1 is disastrous. No line search; the
 * best point is kept. About 100 ns a step. */
#include "contact.h"
#include "method/cone.h"

#include <float.h>

/* Solve J d = F, rows of J by partial pivoting. False: singular. */
static bool solve3(double J[3][3], double F[3])
{
    for (int k = 0; k < 3; k++) {
        int p = k;
        for (int i = k + 1; i < 3; i++) p = fabs(J[i][k]) > fabs(J[p][k]) ? i : p;
        if (!(fabs(J[p][k]) > DBL_MIN)) return false;
        for (int j = 0; j < 3; j++) {
            double t = J[k][j];
            J[k][j] = J[p][j];
            J[p][j] = t;
        }
        double t = F[k];
        F[k] = F[p];
        F[p] = t;
        for (int i = k + 1; i < 3; i++) {
            double m = J[i][k] / J[k][k];
            for (int j = k; j < 3; j++) J[i][j] -= m * J[k][j];
            F[i] -= m * F[k];
        }
    }
    for (int k = 2; k >= 0; k--) {
        for (int j = k + 1; j < 3; j++) F[k] -= J[k][j] * F[j];
        F[k] /= J[k][k];
    }
    return true;
}

typedef struct newton {
    const double *W, *q;
    double mu, rho_n, rho_t;
    perp_contact_map map;
} newton;

/* The rows of the disc's projection, for y outside it. `slope` is the radius' derivative. */
static void slide_rows(const newton *c, double radius, const double slope[3], const double y[2],
                       const double r[3], double F[3], double J[3][3])
{
    double length = perp_cone_length(y[0], y[1]), d[2] = {y[0] / length, y[1] / length};
    double bend = radius / length;
    for (int i = 0; i < 2; i++) {
        F[1 + i] = r[1 + i] - radius * d[i];
        for (int j = 0; j < 3; j++) {
            double column[2] = {(j == 1) - c->rho_t * c->W[3 * j + 1],
                                (j == 2) - c->rho_t * c->W[3 * j + 2]};
            double along = d[0] * column[0] + d[1] * column[1];
            J[1 + i][j] = (j == 1 + i) - d[i] * slope[j] - bend * (column[i] - d[i] * along);
        }
    }
}

/* Map and Jacobian at r. */
static void linearise(const newton *c, const double r[3], double F[3], double J[3][3])
{
    const double *W = c->W;
    double u[3], slope[3] = {0}, radius = 0;
    for (int i = 0; i < 3; i++) u[i] = (W[i] * r[0] + W[i + 3] * r[1] + W[i + 6] * r[2]) + c->q[i];
    double x = r[0] - c->rho_n * u[0];
    double y[2] = {r[1] - c->rho_t * u[1], r[2] - c->rho_t * u[2]};
    bool touches = x > 0;
    F[0] = touches ? c->rho_n * u[0] : r[0];
    for (int j = 0; j < 3; j++) J[0][j] = touches ? c->rho_n * W[3 * j] : j == 0;
    if (c->map == PERP_ALART_CURNIER && touches) {
        radius = c->mu * x;
        for (int j = 0; j < 3; j++) slope[j] = c->mu * ((j == 0) - J[0][j]);
    } else if (c->map == PERP_JEAN_MOREAU && r[0] > 0) {
        radius = c->mu * r[0];
        slope[0] = c->mu;
    }
    if (perp_cone_length(y[0], y[1]) <= radius && radius > 0) { /* sticks */
        for (int i = 1; i < 3; i++) {
            F[i] = c->rho_t * u[i];
            for (int j = 0; j < 3; j++) J[i][j] = c->rho_t * W[3 * j + i];
        }
    } else if (radius > 0) {
        slide_rows(c, radius, slope, y, r, F, J);
    } else {
        for (int i = 1; i < 3; i++) {
            F[i] = r[i];
            for (int j = 0; j < 3; j++) J[i][j] = i == j;
        }
    }
}

double perp_contact_newton(const double W[9], const double q[3], double mu, perp_contact_map map,
                           int steps, double r[3])
{
    double spread = fabs(W[4]) + fabs(W[8]), best = perp_contact_error(W, q, mu, r);
    newton c = {W, q, mu, 1 / W[0], spread > 0 ? 2 / spread : 1 / W[0], map};
    double x[3] = {r[0], r[1], r[2]};
    if (!(best >= 0)) best = INFINITY;
    for (int k = 0; k < steps; k++) {
        double F[3], J[3][3];
        linearise(&c, x, F, J);
        if (!solve3(J, F)) break;
        for (int i = 0; i < 3; i++) x[i] -= F[i];
        double error = perp_contact_error(W, q, mu, x);
        if (!(error < INFINITY)) break;
        if (!(error < best)) continue;
        bool converged = error > 0.5 * best && k > 0; /* rounding: nothing more to win */
        best = error;
        for (int i = 0; i < 3; i++) r[i] = x[i];
        if (converged && error <= 1e3 * DBL_EPSILON * (fabs(q[0]) + fabs(q[1]) + fabs(q[2]))) break;
        if (error == 0) break;
    }
    return best;
}
