/* rigid/step_solve.c: one contact problem of a step: stated in the wanted form, started from known
 * impulses, solved, and turned back into impulses and velocities. */
#include "step.h"

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
    out->iterations = result.iterations;
    out->residual = result.residual.value;
    out->model_residual = result.model_residual;
    memcpy(out->detail, result.detail, sizeof out->detail);
    status = perp_assembly_velocities(s, &parts, &p, z, a, v, r, l, e);
    out->assemble_seconds = middle - begin + (perp_now() - end);
    out->solve_seconds = end - middle;
    return status;
}

void perp_step_solve(const perp_rigid *s, const perp_step_options *o, perp_arena *a, double *v,
                     double *r, double *l, perp_solved *out)
{
    perp_mark mark = perp_arena_mark(a);
    perp_error e = {.status = PERP_SOLVED};
    *out = (perp_solved){.status = PERP_SOLVED, .model_residual = NAN};
    perp_status status = solve(s, o, a, v, r, l, out, &e);
    if (status < 0) {
        out->status = status;
        memcpy(out->detail, e.text, sizeof out->detail);
    }
    perp_arena_release(a, mark);
}
