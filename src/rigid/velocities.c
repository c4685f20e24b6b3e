/* rigid/velocities.c: from a solution back to impulses, and from impulses to velocities,
 * v = v_free + M^-1 J'(r, l), whatever the form. Linear. */
#include "assembly.h"

/* Impulses of the friction pyramid: (beta, f, lambda). */
static void from_pyramid(const perp_rigid *s, int facets, const double *z, double *impulse)
{
    for (int k = 0; k < s->contacts; k++) {
        double *r = impulse + 3 * (size_t)k;
        const double *beta = z + (size_t)facets * (size_t)k;
        r[0] = z[(size_t)facets * (size_t)s->contacts + (size_t)k];
        for (int h = 0; h < facets; h++) {
            double c[2];
            perp_facet(facets, h, c);
            r[1] += beta[h] * c[0];
            r[2] += beta[h] * c[1];
        }
    }
}

/* Undo the least-distance form: impulses x s / -R_last with R = A x - b. */
static perp_status from_nnls(const perp_rigid *s, const perp_nnls *p, const double *x,
                             int joint_rows, double *impulse, perp_error *e)
{
    const struct perp_csc_view *A = &p->A.as.csc;
    double size = p->b[p->A.m - 1], last = size;
    for (int j = 0; j < p->A.n; j++) last -= A->x[A->p[j + 1] - 1] * x[j];
    double scale = size / last;
    if (!(last > 0) || !isfinite(scale)) {
        return perp_refuse(e, PERP_E_NUMBER,
                           "no motion meets all constraints: the nearest point is b itself");
    }
    for (int k = 0; k < s->contacts; k++) impulse[3 * (size_t)k] = scale * x[k];
    for (int j = 0; j < joint_rows; j++)
        impulse[3 * (size_t)s->contacts + (size_t)j] = scale * x[s->contacts + j];
    return PERP_SOLVED;
}

static int wanted_size(const perp_rigid *s, perp_rigid_form form, int joint_rows, int facets)
{
    switch (form) {
    case PERP_RIGID_FC3D_LOCAL: return 3 * s->contacts;
    case PERP_RIGID_FC3D_BODY: return 3 * s->contacts + perp_rigid_unknowns(s) + joint_rows;
    case PERP_RIGID_MCP: return 3 * s->contacts + joint_rows;
    case PERP_RIGID_LCP_FACETS: return (facets + 2) * s->contacts;
    case PERP_RIGID_MCP_FACETS: return (facets + 3) * s->contacts + joint_rows;
    case PERP_RIGID_LCP: return s->contacts;
    case PERP_RIGID_NNLS_VELOCITIES:
    case PERP_RIGID_NNLS_ACCELERATIONS: return s->contacts + joint_rows;
    }
    return -1;
}

static const perp_kind kinds[] = {PERP_FC3D, PERP_FC3D, PERP_MCP,  PERP_LCP,
                                  PERP_MCP,  PERP_LCP,  PERP_NNLS, PERP_NNLS};

/* Is p what `form` would have assembled from s? Its size tells the number of facets. */
static perp_status check_form(const perp_rigid *s, perp_rigid_form form, const perp_problem *p,
                              int joint_rows, int *facets, perp_error *e)
{
    int least = 0;
    *facets = 0;
    if (form < 0 || (size_t)form >= sizeof kinds / sizeof *kinds)
        return perp_refuse(e, PERP_E_ARGUMENT, "form %d is unknown", (int)form);
    if (!p && form == PERP_RIGID_MCP) return PERP_SOLVED;
    int size = p ? perp_size(p) : -1;
    if (form == PERP_RIGID_LCP_FACETS && s->contacts > 0) {
        least = 4;
        *facets = size / s->contacts - 2;
    }
    if (form == PERP_RIGID_MCP_FACETS && s->contacts > 0) {
        least = 3;
        *facets = (size - joint_rows) / s->contacts - 3;
    }
    bool body = form == PERP_RIGID_FC3D_BODY;
    if (!p || p->kind != kinds[form] || *facets < least ||
        size != wanted_size(s, form, joint_rows, *facets) ||
        (p->kind == PERP_FC3D && (p->as.fc3d.form == PERP_BODY) != body) ||
        (p->kind == PERP_NNLS &&
         (p->as.nnls.A.format != PERP_CSC || p->as.nnls.A.m != perp_rigid_unknowns(s) + 1))) {
        return perp_refuse(e, PERP_E_ARGUMENT, "the problem was not assembled in form %d from this",
                           (int)form);
    }
    return PERP_SOLVED;
}

static perp_status gather(const perp_rigid *s, perp_rigid_form form, const perp_problem *p,
                          const double *z, int joint_rows, double *impulse, perp_error *e)
{
    int facets;
    perp_status status = check_form(s, form, p, joint_rows, &facets, e);
    if (status) return status;
    size_t contacts = 3 * (size_t)s->contacts, joints = (size_t)joint_rows;
    switch (form) {
    case PERP_RIGID_FC3D_LOCAL: memcpy(impulse, z, contacts * sizeof *z); break;
    case PERP_RIGID_FC3D_BODY:
        memcpy(impulse, z, contacts * sizeof *z);
        memcpy(impulse + contacts, z + contacts + perp_rigid_unknowns(s), joints * sizeof *z);
        break;
    case PERP_RIGID_MCP:
    case PERP_RIGID_MCP_FACETS: memcpy(impulse, z, (contacts + joints) * sizeof *z); break;
    case PERP_RIGID_LCP_FACETS: from_pyramid(s, facets, z, impulse); break;
    case PERP_RIGID_LCP:
        for (int k = 0; k < s->contacts; k++) impulse[3 * (size_t)k] = z[k];
        break;
    case PERP_RIGID_NNLS_VELOCITIES:
    case PERP_RIGID_NNLS_ACCELERATIONS: return from_nnls(s, &p->as.nnls, z, joint_rows, impulse, e);
    }
    return PERP_SOLVED;
}

/* J' times the impulses of one contact or joint, onto its free bodies. */
static void push(const perp_jacobian_rows *rows, const double *impulse, double *momentum)
{
    for (int side = 0; side < 2; side++) {
        if (rows->slot[side] < 0) continue;
        double *to = momentum + 6 * (size_t)rows->slot[side];
        for (int i = 0; i < rows->count; i++) {
            for (int j = 0; j < 6; j++) to[j] += rows->J[i][6 * side + j] * impulse[i];
        }
    }
}

static void push_all(const perp_rigid *s, const perp_assembly *parts, const double *impulse,
                     double *momentum)
{
    perp_jacobian_rows rows;
    for (int k = 0; k < s->contacts; k++, impulse += 3) {
        perp_contact_rows(s, parts, k, &rows);
        push(&rows, impulse, momentum);
    }
    for (int k = 0; k < s->joints; k++, impulse += rows.count) {
        perp_joint_rows(s, parts, k, &rows);
        push(&rows, impulse, momentum);
    }
}

/* v = start + M^-1 momentum for free bodies; the others keep theirs, or do not accelerate. */
static void scatter(const perp_rigid *s, const perp_assembly *parts, bool accelerations,
                    const double *momentum, double *v)
{
    const double *start = accelerations ? parts->accelerations : parts->v_free;
    for (int k = 0; k < s->bodies; k++, v += 6) {
        int slot = parts->slot[k];
        if (slot < 0) {
            perp_body_velocity(s, accelerations ? -1 : k, v);
            continue;
        }
        const perp_mass *mass = parts->mass + slot;
        const double *from = momentum + 6 * (size_t)slot;
        rigid_mul(mass->inverse, from + 3, v + 3);
        for (int i = 0; i < 3; i++) v[i] = from[i] / mass->mass;
        for (int i = 0; i < 6; i++) v[i] += start[6 * (size_t)slot + (size_t)i];
    }
}

perp_status perp_assembly_velocities(const perp_rigid *s, const perp_assembly *parts,
                                     perp_rigid_form form, const perp_problem *p, const double *z,
                                     perp_arena *a, double *v, double *r, double *l, perp_error *e)
{
    size_t contacts = 3 * (size_t)s->contacts, joints = (size_t)parts->joint_rows;
    double *impulse = perp_alloc(a, contacts + joints, sizeof *impulse);
    double *momentum = perp_alloc(a, 6 * (size_t)parts->free, sizeof *momentum);
    if (a->failed) return perp_assembly_memory(s, e);
    perp_status status = gather(s, form, p, z, parts->joint_rows, impulse, e);
    if (status) return status;
    push_all(s, parts, impulse, momentum);
    scatter(s, parts, form == PERP_RIGID_NNLS_ACCELERATIONS, momentum, v);
    if (r) memcpy(r, impulse, contacts * sizeof *r);
    if (l) memcpy(l, impulse + contacts, joints * sizeof *l);
    return PERP_SOLVED;
}

perp_status perp_rigid_velocities(const perp_rigid *s, perp_rigid_form form, const perp_problem *p,
                                  const double *z, perp_arena *a, double *v, double *r, double *l,
                                  perp_error *error)
{
    if (!s || !a) return perp_refuse(error, PERP_E_ARGUMENT, "the step and arena must not be NULL");
    if ((!z && (s->contacts > 0 || s->joints > 0)) || (!v && s->bodies > 0))
        return perp_refuse(error, PERP_E_ARGUMENT, "%s must not be NULL", v ? "z" : "v");
    perp_mark mark = perp_arena_mark(a);
    perp_assembly parts;
    perp_status status = perp_assembly_make(s, a, &parts, error);
    if (!status) status = perp_assembly_velocities(s, &parts, form, p, z, a, v, r, l, error);
    perp_arena_release(a, mark);
    return status;
}
