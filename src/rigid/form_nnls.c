/* rigid/form_nnls.c: frictionless motion as a nearest point, by Gauss' principle of least
 * constraint. Redon, Kheddar, Coquillart (2002), sections 3 and 4, in the least-distance form of
 * Lawson and Hanson (1974), chapter 23, which asks for no motion that meets all constraints with
 * equality. At most 13 entries a column.
 *
 * With b = (0, ..., 0, s) the answer k = Q (y - y_u) comes out with a relative error of about
 * (1 + |k|^2 / s^2) eps, so s is taken from the distances to the violated constraints. */
#include "assembly.h"

/* Columns being filled. */
typedef struct columns {
    int count, unknowns;
    int *p, *i;
    double *x, *d;
    bool *unbounded;
} columns;

static bool make_columns(perp_arena *a, size_t n, columns *c)
{
    c->p = perp_alloc(a, n + 1, sizeof *c->p);
    c->i = perp_alloc_unset(a, 13 * n, sizeof *c->i);
    c->x = perp_alloc_unset(a, 13 * n, sizeof *c->x);
    c->d = perp_alloc_unset(a, n, sizeof *c->d);
    c->unbounded = perp_alloc(a, n, sizeof *c->unbounded);
    return !a->failed;
}

/* Scaled row i with d at the end, yet to be divided by s. */
static void add_row(const perp_assembly *parts, const perp_jacobian_rows *rows, int i, double d,
                    bool joint, columns *c)
{
    double S[12];
    int at = c->p[c->count], first = rows->slot[0] > rows->slot[1];
    perp_scale_row(parts, rows->slot, rows->J[i], S);
    for (int turn = 0; turn < 2; turn++) {
        int side = turn ^ first, slot = rows->slot[side];
        for (int j = 0; slot >= 0 && j < 6; j++, at++) {
            c->i[at] = 6 * slot + j;
            c->x[at] = S[6 * side + j];
        }
    }
    c->i[at] = c->unknowns;
    c->x[at] = d;
    c->d[c->count] = d;
    c->unbounded[c->count++] = joint;
    c->p[c->count] = at + 1;
}

/* d = c - J y_u with c = -bias, or minus the drift of accelerations. */
static void fill_columns(const perp_rigid *s, const perp_assembly *parts, columns *c)
{
    bool accelerations = parts->form->accelerations;
    const double *unconstrained = accelerations ? parts->accelerations : parts->v_free;
    perp_jacobian_rows rows;
    for (int k = 0; k < s->contacts; k++) {
        perp_contact_rows(s, parts, k, &rows);
        double bias = accelerations ? perp_contact_acceleration_bias(s, k) : rows.bias[0];
        add_row(parts, &rows, 0, -(perp_rows_free(&rows, 0, unconstrained) + bias), false, c);
    }
    for (int k = 0; k < s->joints; k++) {
        perp_joint_rows(s, parts, k, &rows);
        if (accelerations) perp_joint_acceleration_bias(s, k, rows.bias);
        for (int i = 0; i < rows.count; i++) {
            double bias = rows.bias[i];
            add_row(parts, &rows, i, -(perp_rows_free(&rows, i, unconstrained) + bias), true, c);
        }
    }
}

/* The size of the answer: distances to what is violated, one by one, added as if orthogonal. */
static double find_size(const columns *c)
{
    double size = 0;
    for (int j = 0; j < c->count; j++) {
        if (!c->unbounded[j] && c->d[j] <= 0) continue;
        double norm = 0;
        for (int t = c->p[j]; t < c->p[j + 1] - 1; t++) norm += c->x[t] * c->x[t];
        size += norm > 0 ? c->d[j] * (c->d[j] / norm) : 0;
    }
    size = sqrt(size);
    return size > 0 && isfinite(size) ? size : 1;
}

static perp_status make(const perp_rigid *s, const perp_assembly *parts, perp_arena *a,
                        perp_problem *p, perp_error *e)
{
    size_t n = (size_t)s->contacts + (size_t)parts->joint_rows;
    if (n > INT_MAX / 13) {
        return perp_refuse(e, PERP_E_FORMAT,
                           "%d contacts and %d joints are too many for int indices", s->contacts,
                           s->joints);
    }
    columns c = {.unknowns = 6 * parts->free};
    double *b = perp_alloc(a, (size_t)c.unknowns + 1, sizeof *b);
    if (!make_columns(a, n, &c)) return perp_assembly_memory(s, e);
    fill_columns(s, parts, &c);
    double size = find_size(&c);
    for (int j = 0; j < c.count; j++) c.x[c.p[j + 1] - 1] /= size;
    b[c.unknowns] = size;
    *p = perp_make_nnls(perp_csc(c.unknowns + 1, c.count, c.p, c.i, c.x), b);
    p->as.nnls.is_free = s->joints > 0 ? c.unbounded : NULL;
    return PERP_SOLVED;
}

/* Undo the least-distance form: impulses x s / -R_last with R = A x - b. */
static perp_status gather(const perp_rigid *s, const perp_assembly *parts,
                          const perp_problem *problem, const double *x, double *impulse,
                          perp_error *e)
{
    const perp_nnls *p = &problem->as.nnls;
    const struct perp_csc_view *A = &p->A.as.csc;
    double size = p->b[p->A.m - 1], last = size;
    for (int j = 0; j < p->A.n; j++) last -= A->x[A->p[j + 1] - 1] * x[j];
    double scale = size / last;
    if (!(last > 0) || !isfinite(scale)) {
        return perp_refuse(e, PERP_E_NUMBER,
                           "no motion meets all constraints: the nearest point is b itself");
    }
    for (int k = 0; k < s->contacts; k++) impulse[3 * (size_t)k] = scale * x[k];
    for (int j = 0; j < parts->joint_rows; j++)
        impulse[3 * (size_t)s->contacts + (size_t)j] = scale * x[s->contacts + j];
    return PERP_SOLVED;
}

const perp_form_ops perp_form_nnls_velocities = {.name = "nnls",
                                                 .kind = PERP_KIND_NNLS,
                                                 .each = 1,
                                                 .joint = true,
                                                 .cold = true,
                                                 .make = make,
                                                 .gather = gather};
const perp_form_ops perp_form_nnls_accelerations = {.kind = PERP_KIND_NNLS,
                                                    .each = 1,
                                                    .joint = true,
                                                    .accelerations = true,

                                                    .make = make,
                                                    .gather = gather};

perp_status perp_rigid_nnls(const perp_rigid *s, perp_motion motion, perp_arena *a, perp_problem *p,
                            perp_error *error)
{
    if (motion != PERP_MOTION_VELOCITIES && motion != PERP_MOTION_ACCELERATIONS) {
        return perp_refuse(error, PERP_E_ARGUMENT,
                           "motion %d is neither velocities nor accelerations", (int)motion);
    }
    const perp_form_ops *form = motion == PERP_MOTION_VELOCITIES ? &perp_form_nnls_velocities
                                                                 : &perp_form_nnls_accelerations;
    return perp_rigid_assemble(s, form, 0, a, p, error);
}
