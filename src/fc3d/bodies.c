/* fc3d/bodies.c: the bodies of a problem in body form, found from M and H.
 *
 * One pass over M and H; a 6x6 Cholesky factor a body. Memory: 350 bytes a body, 300 a contact. All
 * but `free` depends on M and H alone and is opened once (core/opened.h), also that M shows none.
 */
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

/* Bodies while they are made. */
typedef struct found {
    int bodies, dof, *touch;
    double *L, *A;
} found;

static perp_status read_masses(perp_run *run, const perp_matrix *M, const found *all)
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

static void read_contact(const perp_matrix *H, const found *all, int contact)
{
    const struct perp_csc_view *c = &H->as.csc;
    const int *touch = all->touch + 2 * (size_t)contact;
    int dof = all->dof;
    double *A = all->A + 36 * (size_t)contact;
    for (int e = 0; e < 3; e++) {
        for (int k = c->p[3 * contact + e]; k < c->p[3 * contact + e + 1]; k++) {
            int side = !belongs(c->i[k], touch[0], dof);
            if (c->x[k] != 0) A[12 * e + 6 * side + c->i[k] - touch[side] * dof] += c->x[k];
        }
        for (int side = 0; side < 2; side++) {
            solve_lower(all->L + 36 * (size_t)touch[side], A + 12 * e + 6 * side);
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

static bool find_all(const perp_matrix *H, const found *all)
{
    for (int c = 0; c < H->n / 3; c++) {
        if (!find_bodies(H, c, all->dof, all->touch + 2 * (size_t)c)) return false;
    }
    return true;
}

/* An object without bodies says that M and H do not show any. */
static const perp_opened *end_hidden(perp_opening *g)
{
    g->object->info[0] = 0;
    return perp_opened_end(g);
}

static perp_status make_bodies(perp_run *run, const perp_matrix *M, const perp_matrix *H,
                               const perp_key *key, const perp_opened **out)
{
    const perp_fc3d *f = &run->problem->as.fc3d;
    perp_opening g;
    size_t contacts = (size_t)f->contacts;
    found all = {.dof = splits(M, 6) ? 6 : 3};
    if (!perp_opened_begin(run->arena, key, &g)) return PERP_E_MEMORY;
    run->arena->work[PERP_WORK_BODIES]++;
    if (f->G.n > 0 || !splits(M, all.dof)) {
        *out = end_hidden(&g);
        return PERP_SOLVED;
    }
    all.bodies = M->n / all.dof;
    if (all.bodies == 0 && contacts > 0) {
        return perp_fail(run, PERP_E_NUMBER, "W_NN = 0 of contact 0 is not positive");
    }
    all.touch = PERP_ALLOC(run, int, 2 * contacts);
    all.L = PERP_ALLOC(run, double, 36 * (size_t)all.bodies);
    all.A = PERP_ALLOC(run, double, 36 * contacts);
    if (run->arena->failed) return PERP_E_MEMORY;
    if (!find_all(H, &all)) {
        *out = end_hidden(&g);
        return PERP_SOLVED;
    }
    perp_status status = read_masses(run, M, &all);
    if (status) return status;
    for (int c = 0; c < f->contacts; c++) read_contact(H, &all, c);
    g.object->info[0] = 1;
    g.object->info[1] = all.bodies;
    g.object->info[2] = all.dof;
    perp_opened_part(&g, all.touch, 2 * contacts * sizeof *all.touch);
    perp_opened_part(&g, all.L, 36 * (size_t)all.bodies * sizeof *all.L);
    perp_opened_part(&g, all.A, 36 * contacts * sizeof *all.A);
    *out = perp_opened_end(&g);
    return PERP_SOLVED;
}

static perp_status open_bodies(perp_run *run, const perp_key *key, const perp_opened **out)
{
    const perp_fc3d *f = &run->problem->as.fc3d;
    perp_matrix M, H;
    perp_error e = {0};
    if ((*out = perp_opened_find(run->arena, key))) return PERP_SOLVED;
    perp_status status = perp_opened_convert(&f->M, PERP_FORMAT_CSC, run->arena, &M, &e);
    if (!status) status = perp_opened_convert(&f->H, PERP_FORMAT_CSC, run->arena, &H, &e);
    return status ? perp_fail(run, status, "%s", e.text) : make_bodies(run, &M, &H, key, out);
}

perp_status perp_bodies_open(perp_run *run, perp_bodies *b)
{
    const perp_fc3d *f = &run->problem->as.fc3d;
    const perp_opened *o;
    *b = (perp_bodies){.key = perp_key_of(PERP_WORK_BODIES)};
    b->key = perp_key_matrix(b->key, &f->M);
    b->key = perp_key_matrix(b->key, &f->H);
    if (f->G.n > 0) b->key = perp_key_matrix(b->key, &f->G);
    perp_status status = open_bodies(run, &b->key, &o);
    if (status) return status;
    if (!o->info[0]) return PERP_E_FORMAT;
    b->bodies = o->info[1];
    b->dof = o->info[2];
    b->touch = o->part[0];
    b->L = o->part[1];
    b->A = o->part[2];
    b->free = PERP_ALLOC(run, double, PERP_BODY_STRIDE *(size_t)b->bodies);
    if (run->arena->failed) return PERP_E_MEMORY;
    start_free(b, f->f);
    return PERP_SOLVED;
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
