/* rigid/velocities.c: from a solution, by its form's own gather, to impulses, and from impulses to
 * velocities, v = v_free + M^-1 J'(r, l), whatever the form. Linear. */
#include "assembly.h"

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
static void scatter(const perp_rigid *s, const perp_assembly *parts, const double *momentum,
                    double *v)
{
    bool accelerations = parts->form->accelerations;
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

perp_status perp_assembly_velocities(const perp_rigid *s, perp_assembly *parts,
                                     const perp_problem *p, const double *z, perp_arena *a,
                                     double *v, double *r, double *l, perp_error *e)
{
    size_t contacts = 3 * (size_t)s->contacts, joints = (size_t)parts->joint_rows;
    double *impulse = perp_alloc(a, contacts + joints, sizeof *impulse);
    double *momentum = perp_alloc(a, 6 * (size_t)parts->free, sizeof *momentum);
    if (a->failed) return perp_assembly_memory(s, e);
    perp_status status = perp_form_gather(s, parts, p, z, impulse, e);
    if (status) return status;
    push_all(s, parts, impulse, momentum);
    scatter(s, parts, momentum, v);
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
    if (form < 0 || form >= PERP_FORMS)
        return perp_refuse(error, PERP_E_ARGUMENT, "form %d is unknown", (int)form);
    perp_mark mark = perp_arena_mark(a);
    perp_assembly parts;
    perp_status status = perp_assembly_make(s, a, &parts, error);
    parts.form = perp_forms[form];
    if (!status) status = perp_assembly_velocities(s, &parts, p, z, a, v, r, l, error);
    perp_arena_release(a, mark);
    return status;
}
