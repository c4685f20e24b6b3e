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

/* The work that impulses of a contact do through a driven body. */
static double drive(const perp_rigid *s, int k, const perp_jacobian_rows *rows,
                    const double *impulse)
{
    const int pair[2] = {s->contact[k].a, s->contact[k].b};
    double sum = 0, v[6];
    for (int side = 0; side < 2; side++) {
        if (rows->slot[side] >= 0) continue;
        perp_body_velocity(s, pair[side], v);
        for (int i = 0; i < rows->count; i++) {
            for (int j = 0; j < 6; j++) sum += rows->J[i][6 * side + j] * v[j] * impulse[i];
        }
    }
    return sum;
}

/* Momentum of the contacts; what driven bodies and repairs of overlap add is in *work already. */
static void push_contacts(const perp_rigid *s, const perp_assembly *parts, const double *impulse,
                          double *momentum, perp_impulse_work *work)
{
    perp_jacobian_rows rows;
    for (int k = 0; k < s->contacts; k++, impulse += 3) {
        perp_contact_rows(s, parts, k, &rows);
        push(&rows, impulse, momentum);
        double driven = drive(s, k, &rows, impulse);
        work->contacts += driven;
        work->gain += driven - impulse[0] * fmax(perp_contact_repair(s, s->contact + k), 0);
    }
}

/* The rest of the work, once v is known: r.J v, body by body. */
static void add_work(const perp_rigid *s, const perp_assembly *parts, const double *momentum,
                     const double *v, perp_impulse_work *work)
{
    for (int k = 0; k < s->bodies; k++) {
        double before[6];
        int slot = parts->slot[k];
        if (slot < 0) continue;
        perp_body_velocity(s, k, before);
        for (int i = 0; i < 6; i++) {
            double p = 0.5 * momentum[6 * slot + i], end = v[6 * k + i];
            work->contacts += p * (end + before[i]);
            double free = parts->v_free[6 * slot + i];
            work->gain += p * (end + free);
            work->size += fabs(p * end) + fabs(p * free);
        }
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

bool perp_assembly_push(const perp_rigid *s, const perp_assembly *parts, const double *impulse,
                        perp_arena *a, double *v, perp_impulse_work *work)
{
    size_t n = 6 * (size_t)parts->free;
    perp_impulse_work unused;
    if (!work) work = &unused;
    double *contacts = perp_alloc(a, n, sizeof *contacts);
    double *momentum = perp_alloc_unset(a, n, sizeof *momentum);
    if (a->failed) return false;
    *work = (perp_impulse_work){0};
    push_contacts(s, parts, impulse, contacts, work);
    memcpy(momentum, contacts, n * sizeof *momentum);
    impulse += 3 * (size_t)s->contacts;
    perp_jacobian_rows rows;
    for (int k = 0; k < s->joints; k++, impulse += rows.count) {
        perp_joint_rows(s, parts, k, &rows);
        push(&rows, impulse, momentum);
    }
    scatter(s, parts, momentum, v);
    if (!parts->form->accelerations) add_work(s, parts, contacts, v, work);
    return true;
}

perp_status perp_assembly_velocities(const perp_rigid *s, perp_assembly *parts,
                                     const perp_problem *p, const double *z, perp_arena *a,
                                     double *v, double *r, double *l, perp_impulse_work *work,
                                     perp_error *e)
{
    size_t contacts = 3 * (size_t)s->contacts, joints = (size_t)parts->joint_rows;
    double *impulse = perp_alloc(a, contacts + joints, sizeof *impulse);
    if (a->failed) return perp_assembly_memory(s, e);
    perp_status status = perp_form_gather(s, parts, p, z, impulse, e);
    if (status) return status;
    if (!perp_assembly_push(s, parts, impulse, a, v, work)) return perp_assembly_memory(s, e);
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
    if (!status) status = perp_assembly_velocities(s, &parts, p, z, a, v, r, l, NULL, error);
    perp_arena_release(a, mark);
    return status;
}
