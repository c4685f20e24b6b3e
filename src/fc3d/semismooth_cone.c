/* fc3d/semismooth_cone.c: the direction of a semismooth Newton step for all contacts at once.
 * Alart and Curnier (1991); Jean and Moreau (1987); as compared in Acary, Bremond and Huber (2018).
 *
 * With p = r_N - rho u_N and y = r_T - rho u_T the map of a contact is
 *     F_N = r_N - max(p, 0),    F_T = r_T - P(y), P on the disc of radius mu max(p or r_N, 0),
 * and rho = 3 / trace of its block: a fixed rho = 1 is disastrous. p <= 0: r = 0 is known and
 * leaves the system. Sticking: u = 0. One factorisation with the contacts that are left, and one
 * product with W. */
#include "semismooth_cone.h"

#include "method/cone.h"

#include <string.h>

bool perp_semismooth_cone_open(perp_run *run, perp_contact_matrix *b, perp_semismooth_cone *s)
{
    size_t n = (size_t)b->contacts;
    *s = (perp_semismooth_cone){.b = b, .rho = 1};
    s->u = PERP_ALLOC(run, double, 3 * n);
    s->A = PERP_ALLOC(run, double, 9 * n);
    s->B = PERP_ALLOC(run, double, 9 * n);
    s->F = PERP_ALLOC(run, double, 3 * n);
    s->d = PERP_ALLOC(run, double, 3 * n);
    s->x = PERP_ALLOC(run, double, 3 * n);
    s->list = PERP_ALLOC(run, int, n);
    if (!run->arena->failed) perp_contact_matrix_room(b);
    return !run->arena->failed;
}

/* The tangential rows outside the disc, y = |y| d: F = r_T - radius d, whose derivative is
 *     dr_T - bend (I - d d') (dr_T - rho du_T) - d dradius,   bend = radius / |y|. */
static void slide(double mu, double rho, double radius, bool predicted, const double y[2],
                  const double r[3], double F[3], double A[9], double B[9])
{
    double length = perp_cone_length(y[0], y[1]);
    double bend = length > 0 ? radius / length : 0;
    double d[2] = {length > 0 ? y[0] / length : 0, length > 0 ? y[1] / length : 0};
    bool moves = radius > 0; /* with r_N, or with p */
    for (int i = 0; i < 2; i++) {
        F[1 + i] = r[1 + i] - radius * d[i];
        for (int j = 0; j < 2; j++) {
            double G = bend * ((i == j) - d[i] * d[j]);
            A[3 * (1 + j) + 1 + i] = rho * G;
            B[3 * (1 + j) + 1 + i] = (i == j) - G;
        }
        if (!moves) continue;
        B[1 + i] = -mu * d[i];
        if (predicted) A[1 + i] = mu * rho * d[i];
    }
}

/* Map and Jacobian of one contact. False: it takes off. */
static bool linearise(const perp_semismooth_cone *s, int c, const double r[3], const double u[3])
{
    double mu = s->b->mu[c], rho = s->rho * 3 / (s->b->trace[c] + 3 * s->alpha);
    double p = r[0] - rho * u[0], y[2] = {r[1] - rho * u[1], r[2] - rho * u[2]};
    double *F = s->F + 3 * (size_t)c, *A = s->A + 9 * (size_t)c, *B = s->B + 9 * (size_t)c;
    if (!(p > 0)) return false;
    memset(A, 0, 9 * sizeof *A);
    memset(B, 0, 9 * sizeof *B);
    bool predicted = s->map == PERP_ALART_CURNIER;
    double bound = predicted ? p : r[0], radius = bound > 0 ? mu * bound : 0;
    F[0] = rho * u[0];
    A[0] = rho;
    if (mu > 0 && perp_cone_length(y[0], y[1]) <= radius) {
        F[1] = rho * u[1];
        F[2] = rho * u[2];
        A[4] = A[8] = rho;
    } else {
        slide(mu, rho, radius, predicted, y, r, F, A, B);
    }
    for (int e = 0; e < 9; e++) B[e] += s->alpha * A[e];
    return true;
}

static void add_shift(perp_semismooth_cone *s, const double *r, const double *v)
{
    for (size_t i = 0; i < 3 * (size_t)s->b->contacts; i++) {
        s->u[i] = v[i] + (s->centre ? s->alpha * (r[i] - s->centre[i]) : 0);
    }
}

double perp_semismooth_cone_error(perp_semismooth_cone *s, const double *r, const double *v)
{
    add_shift(s, r, v);
    return perp_contact_matrix_error(s->b, r, s->u, NULL);
}

/* Where open contacts give up forces, the others feel it: x = -F - A W d there. */
static void right_hand_side(perp_semismooth_cone *s, bool any)
{
    const struct perp_bsr3_view *W = &s->b->W;
    for (int a = 0; a < s->closed; a++) {
        size_t c = (size_t)s->list[a];
        double w[3] = {0}, *x = s->x + 3 * (size_t)a;
        const double *A = s->A + 9 * c;
        for (int k = W->p[c]; any && k < W->p[c + 1]; k++) {
            const double *B = W->x + 9 * (size_t)k, *d = s->d + 3 * (size_t)W->j[k];
            for (int i = 0; i < 3; i++) w[i] += B[i] * d[0] + B[3 + i] * d[1] + B[6 + i] * d[2];
        }
        for (int i = 0; i < 3; i++) {
            x[i] = -s->F[3 * c + (size_t)i] - (A[i] * w[0] + A[3 + i] * w[1] + A[6 + i] * w[2]);
        }
    }
}

bool perp_semismooth_cone_direct(perp_semismooth_cone *s, const double *r, const double *v)
{
    bool any = false;
    add_shift(s, r, v);
    s->closed = 0;
    memset(s->d, 0, 3 * (size_t)s->b->contacts * sizeof *s->d);
    for (int c = 0; c < s->b->contacts; c++) {
        const double *x = r + 3 * (size_t)c;
        if (linearise(s, c, x, s->u + 3 * (size_t)c)) {
            s->list[s->closed++] = c;
            continue;
        }
        for (int i = 0; i < 3; i++) s->d[3 * (size_t)c + (size_t)i] = -x[i];
        any |= x[0] != 0 || x[1] != 0 || x[2] != 0;
    }
    if (s->closed == 0) return true;
    right_hand_side(s, any);
    bool solved = perp_contact_matrix_factor(s->b, s->closed, s->list, s->A, s->B) &&
                  perp_contact_matrix_solve(s->b, s->x);
    perp_contact_matrix_release(s->b);
    for (int a = 0; a < s->closed && solved; a++) {
        memcpy(s->d + 3 * (size_t)s->list[a], s->x + 3 * (size_t)a, 3 * sizeof *s->d);
    }
    return solved;
}
