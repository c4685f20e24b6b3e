/* rigid/form_body.c: Coulomb's cone in body form: M, H, G and their right-hand sides.
 * A contact touches two bodies, so H has at most 12 entries a column: linear time and memory. */
#include "assembly.h"

static void fill_mass(const perp_assembly *parts, int *p, int *i, double *x)
{
    int at = 0;
    for (int b = 0; b < parts->free; b++) {
        const perp_mass *mass = parts->mass + b;
        for (int j = 0; j < 3; j++) {
            p[6 * b + j] = at;
            i[at] = 6 * b + j;
            x[at++] = mass->mass;
        }
        for (int j = 0; j < 3; j++) {
            p[6 * b + 3 + j] = at;
            for (int row = 0; row < 3; row++) {
                i[at] = 6 * b + 3 + row;
                x[at++] = mass->inertia[3 * j + row];
            }
        }
    }
    p[6 * parts->free] = at;
}

/* f = M v_free, as M v(-) + dt F up to rounding, so that v_free solves M v = f. */
static void fill_force(const perp_assembly *parts, double *f)
{
    for (int b = 0; b < parts->free; b++) {
        const perp_mass *mass = parts->mass + b;
        const double *v = parts->v_free + 6 * (size_t)b;
        double *to = f + 6 * (size_t)b;
        for (int i = 0; i < 3; i++) to[i] = mass->mass * v[i];
        rigid_mul(mass->inertia, v + 3, to + 3);
    }
}

/* Columns being filled, one after the other. */
typedef struct columns {
    int *p, *i;
    double *x, *bias;
    int count;
} columns;

static bool make_columns(perp_arena *a, size_t count, columns *c)
{
    c->count = 0;
    c->p = perp_alloc_unset(a, count + 1, sizeof *c->p);
    c->i = perp_alloc_unset(a, 12 * count, sizeof *c->i);
    c->x = perp_alloc_unset(a, 12 * count, sizeof *c->x);
    c->bias = perp_alloc_unset(a, count, sizeof *c->bias);
    if (a->failed) return false;
    c->p[0] = 0;
    return true;
}

/* Rows ascend: the body with the lower number comes first. */
static void add_rows(const perp_jacobian_rows *rows, columns *c)
{
    int first = rows->slot[0] > rows->slot[1];
    for (int row = 0; row < rows->count; row++) {
        int at = c->p[c->count];
        for (int turn = 0; turn < 2; turn++) {
            int side = turn ^ first, slot = rows->slot[side];
            if (slot < 0) continue;
            for (int j = 0; j < 6; j++, at++) {
                c->i[at] = 6 * slot + j;
                c->x[at] = rows->J[row][6 * side + j];
            }
        }
        c->bias[c->count++] = rows->bias[row];
        c->p[c->count] = at;
    }
}

static perp_status fill_contacts(const perp_rigid *s, const perp_assembly *parts, perp_arena *a,
                                 perp_fc3d *out, perp_error *e)
{
    columns c;
    double *mu = perp_alloc_unset(a, (size_t)s->contacts, sizeof *mu);
    if (!make_columns(a, 3 * (size_t)s->contacts, &c)) return perp_assembly_memory(s, e);
    perp_jacobian_rows rows;
    for (int k = 0; k < s->contacts; k++) {
        mu[k] = s->contact[k].mu;
        perp_contact_rows(s, parts, k, &rows);
        add_rows(&rows, &c);
    }
    out->mu = mu;
    out->H = perp_csc(6 * parts->free, c.count, c.p, c.i, c.x);
    out->w = c.bias;
    return PERP_SOLVED;
}

static perp_status fill_joints(const perp_rigid *s, const perp_assembly *parts, perp_arena *a,
                               perp_fc3d *out, perp_error *e)
{
    columns c;
    if (s->joints == 0) return PERP_SOLVED;
    if (!make_columns(a, (size_t)parts->joint_rows, &c)) return perp_assembly_memory(s, e);
    perp_jacobian_rows rows;
    for (int k = 0; k < s->joints; k++) {
        perp_joint_rows(s, parts, k, &rows);
        add_rows(&rows, &c);
    }
    out->G = perp_csc(6 * parts->free, c.count, c.p, c.i, c.x);
    out->b = c.bias;
    return PERP_SOLVED;
}

static perp_status make(const perp_rigid *s, const perp_assembly *parts, perp_arena *a,
                        perp_problem *p, perp_error *e)
{
    if (s->contacts > INT_MAX / 36 || parts->joint_rows > INT_MAX / 12) {
        return perp_refuse(e, PERP_E_FORMAT,
                           "%d contacts and %d joints are too many for int indices", s->contacts,
                           s->joints);
    }
    int n = 6 * parts->free;
    int *mp = perp_alloc_unset(a, (size_t)n + 1, sizeof *mp);
    int *mi = perp_alloc_unset(a, 2 * (size_t)n, sizeof *mi);
    double *mx = perp_alloc_unset(a, 2 * (size_t)n, sizeof *mx);
    double *f = perp_alloc_unset(a, (size_t)n, sizeof *f);
    if (a->failed) return perp_assembly_memory(s, e);
    fill_mass(parts, mp, mi, mx);
    fill_force(parts, f);
    p->kind = PERP_KIND_FC3D;
    p->as.fc3d = (perp_fc3d){.contacts = s->contacts, .form = PERP_FORM_BODY, .f = f};
    p->as.fc3d.M = perp_csc(n, n, mp, mi, mx);
    perp_status status = fill_contacts(s, parts, a, &p->as.fc3d, e);
    return status ? status : fill_joints(s, parts, a, &p->as.fc3d, e);
}

const perp_form_ops perp_form_body = {.name = "fc3d_body",
                                      .kind = PERP_KIND_FC3D,
                                      .each = 3,
                                      .body = true,
                                      .joint = true,
                                      .make = make};

perp_status perp_rigid_fc3d_body(const perp_rigid *s, perp_arena *a, perp_problem *p,
                                 perp_error *error)
{
    return perp_rigid_assemble(s, &perp_form_body, 0, a, p, error);
}
