/* rigid/forms.c: the table of the forms of a step, and what they share. A form is a file with a
 * perp_form_ops, a value of perp_rigid_form, and a row here: docs/architecture.md, "A form". */
#include "assembly.h"

const perp_form_ops *const perp_forms[PERP_FORMS] = {
    [PERP_RIGID_FORM_FC3D_LOCAL] = &perp_form_local,
    [PERP_RIGID_FORM_FC3D_BODY] = &perp_form_body,
    [PERP_RIGID_FORM_MCP] = &perp_form_mcp,
    [PERP_RIGID_FORM_LCP_FACETS] = &perp_form_inner_pyramid,
    [PERP_RIGID_FORM_MCP_FACETS] = &perp_form_outer_pyramid,
    [PERP_RIGID_FORM_LCP] = &perp_form_lcp,
    [PERP_RIGID_FORM_NNLS_VELOCITIES] = &perp_form_nnls_velocities,
    [PERP_RIGID_FORM_NNLS_ACCELERATIONS] = &perp_form_nnls_accelerations,
};

perp_status perp_form_make(const perp_rigid *s, const perp_assembly *parts, perp_arena *a,
                           perp_problem *p, perp_error *e)
{
    if (parts->form->joint || s->joints <= 0) return parts->form->make(s, parts, a, p, e);
    return perp_refuse(e, PERP_E_FORMAT,
                       "joint 0: form %s has no place for joints; perp_rigid_fc3d_body, "
                       "perp_rigid_mcp and perp_rigid_mcp_facets have",
                       parts->form->name);
}

void perp_form_start(const perp_rigid *s, const perp_assembly *parts, const double *r,
                     const double *l, double *z)
{
    const perp_form_ops *f = parts->form;
    if (f->start) {
        f->start(s, parts, r, z);
        return;
    }
    for (int k = 0; k < s->contacts; k++, z += f->each)
        memcpy(z, r + 3 * (size_t)k, (size_t)f->each * sizeof *z);
    for (int k = 0; f->body && k < s->bodies; k++) {
        if (s->body[k].kind != PERP_BODY_FREE) continue;
        perp_body_velocity(s, k, z);
        z += 6;
    }
    if (f->joint) memcpy(z, l, (size_t)parts->joint_rows * sizeof *z);
}

/* Is p what parts->form would have assembled? Its size tells the number of facets. */
static perp_status check(const perp_rigid *s, perp_assembly *parts, const perp_problem *p,
                         perp_error *e)
{
    const perp_form_ops *f = parts->form;
    if (!p && f->bare) return PERP_SOLVED;
    int size = p ? perp_size(p) : -1, bodies = 6 * parts->free;
    int rest = (f->body ? bodies : 0) + (f->joint ? parts->joint_rows : 0);
    bool has_facets = f->facets > 0 && s->contacts > 0;
    parts->facets = has_facets ? (size - rest) / s->contacts - f->each : 0;
    if (p && p->kind == f->kind && (!has_facets || parts->facets >= f->facets) &&
        size == (f->each + parts->facets) * s->contacts + rest &&
        (p->kind != PERP_KIND_FC3D || (p->as.fc3d.form == PERP_FORM_BODY) == f->body) &&
        (p->kind != PERP_KIND_NNLS ||
         (p->as.nnls.A.format == PERP_FORMAT_CSC && p->as.nnls.A.m == bodies + 1)))
        return PERP_SOLVED;
    return perp_refuse(e, PERP_E_ARGUMENT, "the problem was not assembled in form %s from this",
                       f->name ? f->name : "nnls of accelerations");
}

perp_status perp_form_gather(const perp_rigid *s, perp_assembly *parts, const perp_problem *p,
                             const double *z, double *impulse, perp_error *e)
{
    const perp_form_ops *f = parts->form;
    perp_status status = check(s, parts, p, e);
    if (status) return status;
    if (f->gather) return f->gather(s, parts, p, z, impulse, e);
    for (int k = 0; k < s->contacts; k++, z += f->each, impulse += 3)
        memcpy(impulse, z, (size_t)f->each * sizeof *z);
    if (f->joint && parts->joint_rows > 0)
        memcpy(impulse, f->body ? z + 6 * (size_t)parts->free : z,
               (size_t)parts->joint_rows * sizeof *z);
    return PERP_SOLVED;
}

perp_status perp_form_facets(const perp_form_ops *form, int facets, perp_status status,
                             perp_error *e)
{
    bool odd = form->even && facets % 2 != 0;
    if (!form->facets || (facets >= form->facets && facets <= INT_MAX / 8 && !odd))
        return PERP_SOLVED;
    return perp_refuse(e, status, "facets = %d: form %s needs %s number, %d at least", facets,
                       form->name, form->even ? "an even" : "a", form->facets);
}
