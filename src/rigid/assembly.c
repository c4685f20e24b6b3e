/* rigid/assembly.c: the step taken apart: everything is checked, free bodies are numbered, their
 * masses and velocities without impulses computed. Linear; about 50 numbers a free body. */
#include "assembly.h"

static perp_status check_array(int n, const void *array, const char *name, perp_error *e)
{
    if (n < 0) return perp_refuse(e, PERP_E_ARGUMENT, "the number of %s, %d, is negative", name, n);
    if (n > INT_MAX / 12)
        return perp_refuse(e, PERP_E_ARGUMENT, "%d are too many %s for int indices", n, name);
    if (n > 0 && !array) return perp_refuse(e, PERP_E_ARGUMENT, "the %s must not be NULL", name);
    return PERP_SOLVED;
}

static perp_status check_step(const perp_rigid *s, perp_error *e)
{
    if (!s) return perp_refuse(e, PERP_E_ARGUMENT, "the step must not be NULL");
    perp_status status = check_array(s->bodies, s->body, "bodies", e);
    if (!status) status = check_array(s->contacts, s->contact, "contacts", e);
    if (!status) status = check_array(s->joints, s->joint, "joints", e);
    if (status) return status;
    if (s->rule < PERP_RULE_IMPACT || s->rule > PERP_RULE_RECOVERY)
        return perp_refuse(e, PERP_E_ARGUMENT, "rule %d is no contact law", (int)s->rule);
    if (!isfinite(s->dt)) return perp_refuse(e, PERP_E_NUMBER, "dt = %g is not finite", s->dt);
    bool reads_gap = s->rule == PERP_RULE_GAP || s->rule == PERP_RULE_RECOVERY;
    if (s->dt < 0 || (s->dt == 0 && reads_gap))
        return perp_refuse(e, PERP_E_ARGUMENT, "dt = %g is not positive", s->dt);
    if (s->recovery_speed >= 0 && s->restitution_threshold >= 0) return PERP_SOLVED;
    return perp_refuse(e, PERP_E_ARGUMENT,
                       "recovery_speed = %g or restitution_threshold = %g is negative",
                       s->recovery_speed, s->restitution_threshold);
}

perp_status perp_pair_check(const perp_rigid *s, int a, int b, const char *what, int k,
                            perp_error *e)
{
    if (a < -1 || a >= s->bodies || b < -1 || b >= s->bodies) {
        return perp_refuse(e, PERP_E_ARGUMENT, "body %d of %s %d is out of range: there are %d",
                           a < -1 || a >= s->bodies ? a : b, what, k, s->bodies);
    }
    if (a == b && a >= 0)
        return perp_refuse(e, PERP_E_ARGUMENT, "%s %d is of body %d with itself", what, k, a);
    bool free_a = a >= 0 && s->body[a].kind == PERP_BODY_FREE;
    bool free_b = b >= 0 && s->body[b].kind == PERP_BODY_FREE;
    if (free_a || free_b) return PERP_SOLVED;
    return perp_refuse(e, PERP_E_ARGUMENT, "neither body of %s %d, %d and %d, is free to move",
                       what, k, a, b);
}

perp_status perp_rigid_validate(const perp_rigid *s, perp_error *error)
{
    perp_status status = check_step(s, error);
    for (int k = 0; !status && k < s->bodies; k++) status = perp_body_check(s->body + k, k, error);
    for (int k = 0; !status && k < s->contacts; k++) status = perp_contact_check(s, k, error);
    for (int k = 0; !status && k < s->joints; k++) status = perp_joint_check(s, k, error);
    return status;
}

int perp_rigid_joint_rows(const perp_rigid *s)
{
    if (!s || s->joints < 0 || s->joints > INT_MAX / 12 || (s->joints > 0 && !s->joint)) return -1;
    int rows = 0;
    for (int k = 0; k < s->joints; k++) {
        int count = perp_joint_count(s->joint[k].kind);
        if (count == 0) return -1;
        rows += count;
    }
    return rows;
}

int perp_rigid_unknowns(const perp_rigid *s)
{
    if (!s || s->bodies < 0 || s->bodies > INT_MAX / 12 || (s->bodies > 0 && !s->body)) return -1;
    int rows = 0;
    for (int k = 0; k < s->bodies; k++) rows += s->body[k].kind == PERP_BODY_FREE ? 6 : 0;
    return rows;
}

perp_status perp_assembly_memory(const perp_rigid *s, perp_error *e)
{
    return perp_refuse(e, PERP_E_MEMORY, "the arena has no room for %d bodies with %d contacts",
                       s->bodies, s->contacts);
}

perp_status perp_assembly_fill(const perp_rigid *s, perp_arena *a, perp_assembly *parts,
                               perp_error *e)
{
    size_t unknowns = (size_t)perp_rigid_unknowns(s), n = unknowns / 6;
    int *slot = perp_alloc_unset(a, (size_t)s->bodies, sizeof *slot);
    perp_mass *mass = perp_alloc_unset(a, n, sizeof *mass);
    double *accelerations = perp_alloc_unset(a, unknowns, sizeof *accelerations);
    double *v_free = perp_alloc_unset(a, unknowns, sizeof *v_free);
    if (a->failed) return perp_assembly_memory(s, e);

    int count = 0;
    for (int k = 0; k < s->bodies; k++) {
        slot[k] = -1;
        if (s->body[k].kind != PERP_BODY_FREE) continue;
        double *v = v_free + 6 * (size_t)count, *to = accelerations + 6 * (size_t)count;
        perp_body_mass(s->body + k, mass + count);
        perp_body_accelerate(s->body + k, mass + count, s->gyroscopic, to);
        perp_body_velocity(s, k, v);
        for (int i = 0; i < 6; i++) v[i] += s->dt * to[i];
        slot[k] = count++;
    }
    *parts = (perp_assembly){count, slot, mass, accelerations, v_free, perp_rigid_joint_rows(s),
                             NULL,  0};
    return PERP_SOLVED;
}

perp_status perp_assembly_make(const perp_rigid *s, perp_arena *a, perp_assembly *parts,
                               perp_error *e)
{
    perp_status status = perp_rigid_validate(s, e);
    return status ? status : perp_assembly_fill(s, a, parts, e);
}

perp_status perp_rigid_assemble(const perp_rigid *s, const perp_form_ops *form, int facets,
                                perp_arena *a, perp_problem *p, perp_error *e)
{
    if (!a || !p)
        return perp_refuse(e, PERP_E_ARGUMENT, "the %s must not be NULL", a ? "problem" : "arena");
    perp_mark mark = perp_arena_mark(a);
    perp_assembly parts;
    perp_problem out = {0};
    perp_status status = perp_form_facets(form, facets, PERP_E_ARGUMENT, e);
    if (!status) status = perp_assembly_make(s, a, &parts, e);
    parts.form = form;
    parts.facets = facets;
    if (!status) status = perp_form_make(s, &parts, a, &out, e);
    if (status)
        perp_arena_release(a, mark);
    else
        *p = out;
    return status;
}
