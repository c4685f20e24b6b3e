/* rigid/step_solve.c: one contact problem of a step: stated in the wanted form, started from known
 * impulses, solved, and turned back into impulses and velocities. */
#include "step.h"

static const perp_kind kinds[] = {
    [PERP_RIGID_FC3D_LOCAL] = PERP_FC3D,
    [PERP_RIGID_FC3D_BODY] = PERP_FC3D,
    [PERP_RIGID_MCP] = PERP_MCP,
    [PERP_RIGID_LCP_FACETS] = PERP_LCP,
    [PERP_RIGID_MCP_FACETS] = PERP_MCP,
    [PERP_RIGID_LCP] = PERP_LCP,
    [PERP_RIGID_NNLS_VELOCITIES] = PERP_NNLS,
};

perp_kind perp_form_kind(perp_rigid_form form)
{
    return kinds[form];
}

static perp_status assemble(const perp_rigid *s, const perp_assembly *parts,
                            const perp_step_options *o, perp_arena *a, perp_problem *p,
                            perp_error *e)
{
    static perp_assembler *const forms[] = {
        [PERP_RIGID_FC3D_LOCAL] = perp_assemble_local,
        [PERP_RIGID_FC3D_BODY] = perp_assemble_body,
        [PERP_RIGID_MCP] = perp_assemble_mcp,
        [PERP_RIGID_LCP_FACETS] = perp_assemble_facets,
        [PERP_RIGID_MCP_FACETS] = perp_assemble_outer,
        [PERP_RIGID_LCP] = perp_assemble_lcp,
        [PERP_RIGID_NNLS_VELOCITIES] = perp_assemble_nnls,
    };
    bool nnls = o->form == PERP_RIGID_NNLS_VELOCITIES;
    *p = (perp_problem){0};
    return forms[o->form](s, parts, nnls ? (int)PERP_VELOCITIES : o->facets, a, p, e);
}

/* The friction impulse by the two directions of the pyramid on either side of it. */
static void start_facets(const perp_rigid *s, int facets, const double *r, double *z)
{
    const double pi = 3.14159265358979323846;
    for (int k = 0; k < s->contacts; k++, r += 3) {
        double *beta = z + (size_t)facets * (size_t)k, c[2], d[2];
        z[(size_t)facets * (size_t)s->contacts + (size_t)k] = r[0];
        double turns = atan2(r[2], r[1]) / (2 * pi) * facets;
        int h = (int)floor(turns), from = (h % facets + facets) % facets;
        perp_facet(facets, from, c);
        perp_facet(facets, (from + 1) % facets, d);
        double det = c[0] * d[1] - c[1] * d[0];
        beta[from] = fmax((r[1] * d[1] - r[2] * d[0]) / det, 0);
        beta[(from + 1) % facets] = fmax((c[0] * r[2] - c[1] * r[1]) / det, 0);
    }
}

static void start_velocities(const perp_rigid *s, double *v)
{
    for (int k = 0; k < s->bodies; k++) {
        if (s->body[k].kind != PERP_FREE) continue;
        perp_body_velocity(s, k, v);
        v += 6;
    }
}

/* z from impulses; what they do not tell is 0. */
static void start(const perp_rigid *s, const perp_step_options *o, const double *r, const double *l,
                  double *z)
{
    size_t contacts = 3 * (size_t)s->contacts, joints = (size_t)perp_rigid_joint_rows(s);
    switch (o->form) {
    case PERP_RIGID_FC3D_LOCAL: memcpy(z, r, contacts * sizeof *z); break;
    case PERP_RIGID_FC3D_BODY:
        memcpy(z, r, contacts * sizeof *z);
        start_velocities(s, z + contacts);
        memcpy(z + contacts + perp_rigid_unknowns(s), l, joints * sizeof *z);
        break;
    case PERP_RIGID_MCP:
    case PERP_RIGID_MCP_FACETS:
        memcpy(z, r, contacts * sizeof *z);
        memcpy(z + contacts, l, joints * sizeof *z);
        break;
    case PERP_RIGID_LCP_FACETS: start_facets(s, o->facets, r, z); break;
    case PERP_RIGID_LCP:
        for (int k = 0; k < s->contacts; k++) z[k] = r[3 * (size_t)k];
        break;
    default: break;
    }
}

/* The caller's solver, or auto, with the start we want; NULL: no memory. */
static perp_options *choose(const perp_step_options *o, perp_arena *a)
{
    static const char *const automatic[] = {
        [PERP_LCP] = "lcp/auto", [PERP_MCP] = "mcp/auto",   [PERP_NCP] = "ncp/auto",
        [PERP_QP] = "qp/auto",   [PERP_FC3D] = "fc3d/auto", [PERP_NNLS] = "nnls/auto",
    };
    const perp_options *chosen = o->solver ? o->solver : perp_find(automatic[kinds[o->form]]);
    size_t size = chosen->solver->options_size;
    perp_options *copy = perp_alloc_unset(a, 1, size);
    if (!copy) return NULL;
    memcpy(copy, chosen, size);
    copy->warm_start = !o->cold && o->form != PERP_RIGID_NNLS_VELOCITIES;
    return copy;
}

static perp_status solve(const perp_rigid *s, const perp_step_options *o, perp_arena *a, double *v,
                         double *r, double *l, perp_solved *out, perp_error *e)
{
    perp_problem p;
    perp_assembly parts;
    double begin = perp_now();
    perp_status status = perp_assembly_fill(s, a, &parts, e);
    if (!status) status = assemble(s, &parts, o, a, &p, e);
    if (status) return status;
    perp_options *options = choose(o, a);
    double *z = perp_alloc(a, (size_t)perp_size(&p), sizeof *z);
    if (a->failed) return perp_assembly_memory(s, e);
    if (!o->cold) start(s, o, r, l, z);
    double middle = perp_now();
    perp_result result;
    out->status = perp_solve(&p, options, a, z, NULL, &result);
    double end = perp_now();
    if (out->status < 0) return perp_refuse(e, out->status, "%s", result.detail);
    out->iterations = result.iterations, out->residual = result.residual.value;
    out->model_residual = result.model_residual;
    memcpy(out->detail, result.detail, sizeof out->detail);
    status = perp_assembly_velocities(s, &parts, o->form, &p, z, a, v, r, l, e);
    out->seconds[0] = middle - begin + (perp_now() - end), out->seconds[1] = end - middle;
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
