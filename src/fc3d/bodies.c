/* fc3d/bodies.c: the bodies of a problem in body form, found from M and H.
 *
 * One pass over M and H; a 6x6 Cholesky factor a body. Memory: 350 bytes a body. */
#include "bodies.h"

#include <math.h>
#include <string.h>

#define SYMMETRIC 1e-10 /* of the largest entry: M may differ by so much from M' */

/* Do all entries stand in blocks of this size along the diagonal? */
static bool splits(const perp_matrix *M, int dof)
{
    const struct perp_csc_view *c = &M->as.csc;
    if (M->n % dof) return false;
    for (int j = 0; j < M->n; j++) {
        int first = j - j % dof;
        for (int k = c->p[j]; k < c->p[j + 1]; k++) {
            if ((c->i[k] < first || c->i[k] >= first + dof) && c->x[k] != 0) return false;
        }
    }
    return true;
}

/* L of one body from its block of M, its diagonal inverted; identity beyond dof. 0, or 1 + the
 * velocity it fails at. */
static int factor_body(int dof, double *L)
{
    for (int j = 0; j < dof; j++) {
        double d = L[7 * j];
        for (int k = 0; k < j; k++) d -= L[6 * k + j] * L[6 * k + j];
        if (!(d > 1e-15 * L[7 * j]) || !isfinite(d)) return 1 + j;
        L[7 * j] = 1 / sqrt(d);
        for (int i = j + 1; i < dof; i++) {
            for (int k = 0; k < j; k++) L[6 * j + i] -= L[6 * k + i] * L[6 * k + j];
            L[6 * j + i] *= L[7 * j];
        }
    }
    for (int j = dof; j < 6; j++) L[7 * j] = 1;
    return 0;
}

static void solve_lower(const double *L, double *x)
{
    for (int j = 0; j < 6; j++) {
        x[j] *= L[7 * j];
        for (int i = j + 1; i < 6; i++) x[i] -= L[6 * j + i] * x[j];
    }
}

static void solve_upper(const double *L, double *x)
{
    for (int j = 5; j >= 0; j--) {
        for (int i = j + 1; i < 6; i++) x[j] -= L[6 * j + i] * x[i];
        x[j] *= L[7 * j];
    }
}

static perp_status read_masses(perp_run *run, const perp_matrix *M, perp_bodies *all)
{
    const struct perp_csc_view *c = &M->as.csc;
    int dof = all->dof;
    for (int j = 0; j < M->n; j++) {
        double *L = all->L + 36 * (size_t)(j / dof);
        for (int k = c->p[j]; k < c->p[j + 1]; k++) {
            if (c->x[k] != 0) L[6 * (j % dof) + c->i[k] % dof] += c->x[k];
        }
    }
    for (int b = 0; b < all->bodies; b++) {
        double *L = all->L + 36 * (size_t)b, most = 0;
        for (int k = 0; k < 36; k++) most = fabs(L[k]) > most ? fabs(L[k]) : most;
        for (int k = 0; k < 36; k++) {
            int i = k % 6, j = k / 6;
            if (fabs(L[k] - L[6 * i + j]) <= SYMMETRIC * most) continue;
            return perp_fail(run, PERP_E_NUMBER, "M[%d][%d] = %g and M[%d][%d] = %g differ",
                             b * dof + i, b * dof + j, L[k], b * dof + j, b * dof + i,
                             L[6 * i + j]);
        }
        int fails = factor_body(dof, L);
        if (fails) {
            return perp_fail(run, PERP_E_NUMBER, "M is not positive definite at row %d",
                             b * dof + fails - 1);
        }
    }
    return PERP_SOLVED;
}

/* Is velocity i one of this body? */
static bool belongs(int i, int body, int dof)
{
    return body >= 0 && i >= body * dof && i < body * dof + dof;
}

/* The bodies of a contact, by its columns of H. False: more than two. */
static bool find_bodies(const perp_matrix *H, int contact, int dof, int touch[2])
{
    const struct perp_csc_view *c = &H->as.csc;
    touch[0] = touch[1] = -1;
    for (int k = c->p[3 * contact]; k < c->p[3 * contact + 3]; k++) {
        int i = c->i[k];
        if (c->x[k] == 0 || belongs(i, touch[0], dof) || belongs(i, touch[1], dof)) continue;
        if (touch[1] >= 0) return false;
        touch[touch[0] >= 0] = i / dof;
    }
    if (touch[0] < 0) touch[0] = 0;
    if (touch[1] < 0) touch[1] = touch[0]; /* its part of A is 0 */
    return true;
}

void perp_bodies_contact(const perp_bodies *b, int contact, double A[36])
{
    const struct perp_csc_view *c = &b->H.as.csc;
    const int *touch = b->touch + 2 * (size_t)contact;
    int dof = b->dof;
    memset(A, 0, 36 * sizeof *A);
    for (int e = 0; e < 3; e++) {
        for (int k = c->p[3 * contact + e]; k < c->p[3 * contact + e + 1]; k++) {
            int side = !belongs(c->i[k], touch[0], dof);
            if (c->x[k] != 0) A[12 * e + 6 * side + c->i[k] - touch[side] * dof] += c->x[k];
        }
        for (int side = 0; side < 2; side++) {
            solve_lower(b->L + 36 * (size_t)touch[side], A + 12 * e + 6 * side);
        }
    }
}

static void start_free(perp_bodies *b, const double *f)
{
    for (int k = 0; k < b->bodies; k++) {
        double *y = b->free + PERP_BODY_STRIDE * (size_t)k;
        for (int i = 0; i < b->dof; i++) y[i] = f[k * b->dof + i];
        solve_lower(b->L + 36 * (size_t)k, y);
    }
}

static bool find_all(perp_bodies *b)
{
    for (int c = 0; c < b->H.n / 3; c++) {
        if (!find_bodies(&b->H, c, b->dof, b->touch + 2 * (size_t)c)) return false;
    }
    return true;
}

perp_status perp_bodies_open(perp_run *run, perp_bodies *b)
{
    const perp_fc3d *f = &run->problem->as.fc3d;
    perp_matrix M;
    perp_error e = {0};
    *b = (perp_bodies){0};
    perp_status status = perp_convert(&f->M, PERP_CSC, run->arena, &M, &e);
    if (!status) status = perp_convert(&f->H, PERP_CSC, run->arena, &b->H, &e);
    if (status) return perp_fail(run, status, "%s", e.text);
    b->dof = splits(&M, 6) ? 6 : 3;
    if (f->G.n > 0 || !splits(&M, b->dof)) return PERP_E_FORMAT;
    b->bodies = M.n / b->dof;
    if (b->bodies == 0 && f->contacts > 0) {
        return perp_fail(run, PERP_E_NUMBER, "W_NN = 0 of contact 0 is not positive");
    }
    b->L = PERP_ALLOC(run, double, 36 * (size_t)b->bodies);
    b->free = PERP_ALLOC(run, double, PERP_BODY_STRIDE *(size_t)b->bodies);
    b->touch = PERP_ALLOC(run, int, 2 * (size_t)f->contacts);
    if (run->arena->failed) return PERP_E_MEMORY;
    if (!find_all(b)) return PERP_E_FORMAT;
    status = read_masses(run, &M, b);
    if (!status) start_free(b, f->f);
    return status;
}

void perp_bodies_velocities(const perp_bodies *b, const double *y, double *v)
{
    for (int k = 0; k < b->bodies; k++) {
        double x[6];
        memcpy(x, y + PERP_BODY_STRIDE * (size_t)k, sizeof x);
        solve_upper(b->L + 36 * (size_t)k, x);
        memcpy(v + (size_t)k * (size_t)b->dof, x, (size_t)b->dof * sizeof *x);
    }
}
