/* rigid/step_solve.c: one contact problem of a step: stated in the wanted form, started from known
 * impulses, solved, and turned back into impulses and velocities; Poisson's second phase; and less
 * restitution where the law added energy.
 *
 * Single contacts gain by Newton's law with friction, several by unequal restitutions; none does
 * with e = 0, and with Moreau's law and one e none ever. Poisson's law gives all of r_c back, so
 * that with one e it gains nothing either: the work is (1 + e) r_c.u_c - (1 - e^2) r_c.W r_c / 2.
 */
#include "step.h"

#define GAIN_ROUNDING 1e-12 /* of the sum of absolute terms: a gain below is none */
#define LEAST_SCALE 0.05    /* restitutions reduced by more are left out */

/* The caller's solver, or auto, with the start we want; NULL: no memory. */
static perp_options *choose(const perp_step_options *o, perp_arena *a)
{
    char name[32];
    snprintf(name, sizeof name, "%s/auto", perp_kind_name(perp_forms[o->form]->kind));
    const perp_options *chosen = o->solver ? o->solver : perp_find(name);
    perp_options *copy = perp_options_copy(a, chosen);
    if (!copy) return NULL;
    copy->warm_start = !o->no_warm_start && !perp_forms[o->form]->cold;
    return copy;
}

static perp_status solve(const perp_rigid *s, const perp_step_options *o, perp_arena *a, double *v,
                         double *r, double *l, perp_solved *out, perp_error *e)
{
    perp_problem p = {0};
    perp_assembly parts;
    double begin = perp_now();
    perp_status status = perp_assembly_fill(s, a, &parts, e);
    parts.form = perp_forms[o->form];
    parts.facets = o->facets;
    if (!status) status = perp_form_make(s, &parts, a, &p, e);
    if (status) return status;
    perp_options *options = choose(o, a);
    double *z = perp_alloc(a, (size_t)perp_size(&p), sizeof *z);
    if (a->failed) return perp_assembly_memory(s, e);
    if (options->warm_start) perp_form_start(s, &parts, r, l, z);
    double middle = perp_now();
    perp_result result;
    out->status = perp_solve(&p, options, a, z, NULL, &result);
    double end = perp_now();
    if (out->status < 0) return perp_refuse(e, out->status, "%s", result.detail);
    out->iterations += result.iterations;
    out->residual = result.residual.value;
    out->model_residual = result.model_residual;
    memcpy(out->detail, result.detail, sizeof out->detail);
    status = perp_assembly_velocities(s, &parts, &p, z, a, v, r, l, &out->work, e);
    out->assemble_seconds += middle - begin + (perp_now() - end);
    out->solve_seconds += end - middle;
    return status;
}

/* The problem of the second phase: free bodies have these velocities, and no forces. */
static bool make_expansion(const perp_rigid *s, const double *v, perp_arena *a, perp_rigid *next)
{
    perp_body *body = perp_alloc_unset(a, (size_t)s->bodies, sizeof *body);
    if (!body) return false;
    memcpy(body, s->body, (size_t)s->bodies * sizeof *body);
    for (int k = 0; k < s->bodies; k++) {
        if (body[k].kind != PERP_BODY_FREE) continue;
        memcpy(body[k].velocity, v + 6 * (size_t)k, sizeof body->velocity);
        memcpy(body[k].spin, v + 6 * (size_t)k + 3, sizeof body->spin);
        memset(body[k].force, 0, sizeof body->force);
        memset(body[k].torque, 0, sizeof body->torque);
    }
    *next = *s;
    next->body = body;
    next->gyroscopic = false;
    return true;
}

/* r_c and l_c grow by what is given back. */
static double *expand(const perp_rigid *s, const double *r, const double *l, int rows,
                      perp_arena *a)
{
    size_t contacts = 3 * (size_t)s->contacts;
    double *all = perp_alloc_unset(a, contacts + (size_t)rows, sizeof *all), most = 0;
    for (size_t i = 0; all && i < contacts; i++) {
        double e = s->contact[i / 3].restitution;
        all[i] = (1 + e) * r[i];
        most = fmax(most, e);
    }
    for (int i = 0; all && i < rows; i++) all[contacts + (size_t)i] = (1 + most) * l[i];
    return all;
}

static perp_status solve_poisson(const perp_rigid *s, const perp_step_options *o, perp_arena *a,
                                 double *v, double *r, double *l, perp_solved *out, perp_error *e)
{
    perp_assembly parts;
    perp_rigid next;
    size_t contacts = 3 * (size_t)s->contacts;
    perp_status status = solve(s, o, a, v, r, l, out, e), first = out->status;
    double residual = out->residual;
    if (!status) status = perp_assembly_fill(s, a, &parts, e);
    if (status) return status;
    parts.form = perp_forms[o->form];
    double *given = expand(s, r, l, parts.joint_rows, a);
    if (!given || !perp_assembly_push(s, &parts, given, a, v, NULL) ||
        !make_expansion(s, v, a, &next))
        return perp_assembly_memory(s, e);
    memset(r, 0, contacts * sizeof *r);
    memset(l, 0, (size_t)parts.joint_rows * sizeof *l);
    status = solve(&next, o, a, v, r, l, out, e);
    if (status) return status;
    for (size_t i = 0; i < contacts; i++) r[i] = given[i] += r[i];
    for (int i = 0; i < parts.joint_rows; i++) l[i] = given[contacts + (size_t)i] += l[i];
    if (!out->status) out->status = first;
    out->residual = fmax(out->residual, residual);
    return perp_assembly_push(s, &parts, given, a, v, &out->work) ? PERP_SOLVED
                                                                  : perp_assembly_memory(s, e);
}

static perp_status solve_law(const perp_rigid *s, const perp_step_options *o, perp_arena *a,
                             double *v, double *r, double *l, perp_solved *out, perp_error *e)
{
    bool phases = false;
    for (int k = 0; s->rule == PERP_RULE_POISSON && k < s->contacts; k++)
        phases = phases || s->contact[k].restitution > 0;
    return phases ? solve_poisson(s, o, a, v, r, l, out, e) : solve(s, o, a, v, r, l, out, e);
}

static bool has_restitution(const perp_rigid *s)
{
    for (int k = 0; k < s->contacts; k++) {
        if (s->contact[k].restitution > 0) return true;
    }
    return false;
}

/* More than the tolerance of the solve leaves room for. */
static bool gains(const perp_solved *out)
{
    return out->work.gain > (GAIN_ROUNDING + out->residual) * out->work.size;
}

/* Again with less restitution in every contact, until nothing is gained. */
static perp_status reduce(const perp_rigid *s, const perp_step_options *o, perp_arena *a, double *v,
                          double *r, double *l, perp_solved *out, perp_error *e)
{
    perp_rigid less = *s;
    perp_contact *contact = perp_alloc_unset(a, (size_t)s->contacts, sizeof *contact);
    if (!contact) return perp_assembly_memory(s, e);
    memcpy(contact, s->contact, (size_t)s->contacts * sizeof *contact);
    less.contact = contact;
    perp_status status = PERP_SOLVED;
    while (!status && out->restitution_scale > 0 && gains(out)) {
        double scale = 0.5 * out->restitution_scale;
        out->restitution_scale = scale < LEAST_SCALE ? 0 : scale;
        for (int k = 0; k < s->contacts; k++)
            contact[k].restitution = out->restitution_scale * s->contact[k].restitution;
        perp_mark mark = perp_arena_mark(a);
        status = solve_law(&less, o, a, v, r, l, out, e);
        perp_arena_release(a, mark);
    }
    return status;
}

void perp_step_solve(const perp_rigid *s, const perp_step_options *o, perp_arena *a, double *v,
                     double *r, double *l, perp_solved *out)
{
    perp_mark mark = perp_arena_mark(a);
    perp_error e = {.status = PERP_SOLVED};
    *out = (perp_solved){.status = PERP_SOLVED, .model_residual = NAN, .restitution_scale = 1};
    perp_status status = solve_law(s, o, a, v, r, l, out, &e);
    if (!status && has_restitution(s) && gains(out)) status = reduce(s, o, a, v, r, l, out, &e);
    if (status < 0) {
        out->status = status;
        memcpy(out->detail, e.text, sizeof out->detail);
    }
    perp_arena_release(a, mark);
}
