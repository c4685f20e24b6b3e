/* generate/problem.c: any problem by the name of its family: LCPs (lcp.c), scenes in a form of the
 * assembly (scene.c), and the families of the other kinds, listed here. */
#include "problem_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MOST_SIZE 10000000

const generate_request generate_defaults = {.seed = 1, .mu = -1, .ratio = 1, .facets = 4};

/* ---- the other kinds ---- */

typedef struct other_family {
    const char *name, *about, *counts;
    perp_kind kind;
    int size;
    void (*make)(generator *g, int size, perp_arena *a, generated_problem *out);
} other_family;

static const other_family others[] = {
    {"qp_convex", "positive definite, bounds and dense rows; known x and multipliers", "unknowns",
     PERP_KIND_QP, 50, make_qp_convex},
    {"qp_degenerate", "semidefinite; a third of the active bounds without a multiplier", "unknowns",
     PERP_KIND_QP, 50, make_qp_degenerate},
    {"qp_nonsymmetric", "affine variational inequality, positive definite", "unknowns",
     PERP_KIND_QP, 50, make_qp_nonsymmetric},
    {"qp_linear", "a linear program with a known optimum", "unknowns", PERP_KIND_QP, 50,
     make_qp_linear},
    {"qp_sparse", "tridiagonal, sparse rows, known x and multipliers", "unknowns", PERP_KIND_QP,
     1000, make_qp_sparse},
    {"qp_infeasible", "two rows that contradict each other, with the proof", "unknowns",
     PERP_KIND_QP, 50, make_qp_infeasible},
    {"qp_unbounded", "no lower bound, with the direction", "unknowns", PERP_KIND_QP, 50,
     make_qp_unbounded},
    {"qp_redundant", "every row ten times; known x and multipliers", "unknowns", PERP_KIND_QP, 50,
     make_qp_redundant},
    {"qp_dependent", "equalities of half their number in rank, known x and multipliers", "unknowns",
     PERP_KIND_QP, 50, make_qp_dependent},
    {"qp_inconsistent", "the same, but one contradicts two others, with the proof", "unknowns",
     PERP_KIND_QP, 50, make_qp_inconsistent},
    {"qp_cycling", "Beale's linear program, side by side: degenerate, known optimum", "unknowns",
     PERP_KIND_QP, 40, make_qp_cycling},
    {"qp_indefinite", "curvatures of both signs in a box; a stationary point of many", "unknowns",
     PERP_KIND_QP, 50, make_qp_indefinite},
    {"qp_free", "no bounds and no rows", "unknowns", PERP_KIND_QP, 50, make_qp_free},
    {"qp_fixed", "three of four unknowns fixed", "unknowns", PERP_KIND_QP, 50, make_qp_fixed},
    {"qp_rows", "positive definite, one-sided rows, twice as many as unknowns", "unknowns",
     PERP_KIND_QP, 50, make_qp_rows},
    {"qp_cvxqp1", "Toint's CVXQP1: n/2 sparse equations, weights from 1 to n, a box", "unknowns",
     PERP_KIND_QP, 1000, make_qp_cvxqp1},
    {"qp_cvxqp2", "the same with n/4 equations", "unknowns", PERP_KIND_QP, 1000, make_qp_cvxqp2},
    {"qp_cvxqp3", "the same with 3n/4 equations", "unknowns", PERP_KIND_QP, 1000, make_qp_cvxqp3},
    {"qp_liswet2", "the convex sequence nearest to noisy data that are concave", "unknowns",
     PERP_KIND_QP, 1000, make_qp_liswet2},
    {"qp_liswet3", "third differences >= 0, nearest to noisy data", "unknowns", PERP_KIND_QP, 1000,
     make_qp_liswet3},
    {"qp_liswet4", "fourth differences >= 0, nearest to noisy data", "unknowns", PERP_KIND_QP, 1000,
     make_qp_liswet4},
    {"qp_cont", "boundary control of Poisson's equation on a square", "unknowns", PERP_KIND_QP,
     1000, make_qp_cont},
    {"qp_cont_side", "the same from one side, at no price: from bound to bound", "unknowns",
     PERP_KIND_QP, 1000, make_qp_cont_side},
    {"qp_aug3d", "least flows on the edges of a cube of nodes", "unknowns", PERP_KIND_QP, 1000,
     make_qp_aug3d},
    {"qp_aug3dqp", "the same with flows >= 0", "unknowns", PERP_KIND_QP, 1000, make_qp_aug3dqp},
    {"nnls_random", "dense, 2n + 1 rows, known x, residual not zero", "columns", PERP_KIND_NNLS, 50,
     make_nnls_random},
    {"nnls_deficient", "half of the columns repeated: one x of many is known", "columns",
     PERP_KIND_NNLS, 50, make_nnls_deficient},
    {"nnls_wide", "n/2 rows, residual zero: one x of many is known", "columns", PERP_KIND_NNLS, 50,
     make_nnls_wide},
    {"nnls_free", "every third x free", "columns", PERP_KIND_NNLS, 50, make_nnls_free},
    {"nnls_scaled", "columns of lengths 1e-4 to 1e4, known x", "columns", PERP_KIND_NNLS, 50,
     make_nnls_scaled},
    {"nnls_zero_columns", "zero and repeated columns: one x of many is known", "columns",
     PERP_KIND_NNLS, 50, make_nnls_zero_columns},
    {"nnls_jacobian", "a random sparse Jacobian of ten rows a body, transposed", "bodies",
     PERP_KIND_NNLS, 20, make_nnls_jacobian},
    {"mcp_box", "positive definite, free and bounded unknowns, known z", "unknowns", PERP_KIND_MCP,
     50, make_mcp_box},
    {"mcp_degenerate", "semidefinite; a third of the active bounds without a force", "unknowns",
     PERP_KIND_MCP, 50, make_mcp_degenerate},
    {"mcp_saddle", "KKT conditions of a QP with equalities, known z", "unknowns", PERP_KIND_MCP, 50,
     make_mcp_saddle},
    {"mcp_friction", "friction boxes that follow the normal force, known z", "contacts",
     PERP_KIND_MCP, 20, make_mcp_friction},
    {"fc3d_known", "boxes that separate, stick and slide; known impulses", "contacts",
     PERP_KIND_FC3D, 20, make_fc3d_known},
    {"fc3d_edge", "the same between the states: grazing, at the edge of the cone", "contacts",
     PERP_KIND_FC3D, 20, make_fc3d_edge},
    {"fc3d_body_known", "as fc3d_known, in body form", "contacts", PERP_KIND_FC3D, 20,
     make_fc3d_body_known},
    {"cone_known", "Coulomb cones of 2 to 6 rows that are off, stick and slide; known z", "cones",
     PERP_KIND_CONE, 20, make_cone_known},
    {"cone_convex", "the same with s = 0: second-order cones", "cones", PERP_KIND_CONE, 20,
     make_cone_convex},
    {"cone_mixed", "Coulomb cones beside free rows, boxes and balls, rows scaled apart", "cones",
     PERP_KIND_CONE, 20, make_cone_mixed},
    {"cone_bodies", "the same blocks in body form, with equalities and a compliance", "cones",
     PERP_KIND_CONE, 20, make_cone_bodies},
    {"cone_rolling", "gravel with rolling friction: moments 1e4 times as mobile as forces",
     "contacts", PERP_KIND_CONE, 14, make_cone_rolling},
    {0},
};

/* ---- forms of a scene ---- */

static perp_status make_local(const perp_rigid *s, int facets, perp_arena *a, perp_problem *p,
                              perp_error *e)
{
    (void)facets;
    return perp_rigid_fc3d_local(s, a, p, e);
}

static perp_status make_body(const perp_rigid *s, int facets, perp_arena *a, perp_problem *p,
                             perp_error *e)
{
    (void)facets;
    return perp_rigid_fc3d_body(s, a, p, e);
}

static perp_status make_mcp(const perp_rigid *s, int facets, perp_arena *a, perp_problem *p,
                            perp_error *e)
{
    (void)facets;
    return perp_rigid_mcp(s, a, p, e);
}

static perp_status make_lcp(const perp_rigid *s, int facets, perp_arena *a, perp_problem *p,
                            perp_error *e)
{
    (void)facets;
    return perp_rigid_lcp(s, a, p, e);
}

static perp_status make_nnls(const perp_rigid *s, int facets, perp_arena *a, perp_problem *p,
                             perp_error *e)
{
    (void)facets;
    return perp_rigid_nnls(s, PERP_MOTION_VELOCITIES, a, p, e);
}

static perp_status make_accelerations(const perp_rigid *s, int facets, perp_arena *a,
                                      perp_problem *p, perp_error *e)
{
    (void)facets;
    return perp_rigid_nnls(s, PERP_MOTION_ACCELERATIONS, a, p, e);
}

typedef struct scene_form {
    const char *name;
    bool joints; /* has room for them */
    perp_status (*make)(const perp_rigid *s, int facets, perp_arena *a, perp_problem *p,
                        perp_error *e);
} scene_form;

static const scene_form forms[] = {
    {"fc3d", false, make_local}, {"fc3d_body", true, make_body},
    {"mcp", true, make_mcp},     {"mcp_facets", true, perp_rigid_mcp_facets},
    {"lcp", false, make_lcp},    {"lcp_facets", false, perp_rigid_lcp_facets},
    {"nnls", true, make_nnls},   {"nnls_accelerations", true, make_accelerations},
};
#define FORMS "fc3d, fc3d_body, mcp, mcp_facets, lcp, lcp_facets, nnls, nnls_accelerations"
#define JOINT_FORMS "fc3d_body, mcp, mcp_facets, nnls, nnls_accelerations"

/* NULL: no such form. */
static const scene_form *find_form(const scene_family *f, const char *name)
{
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        if (name ? strcmp(forms[k].name, name) == 0 : forms[k].joints >= f->joints)
            return &forms[k];
    }
    return NULL;
}

/* ---- the list ---- */

bool generate_list(int k, generate_entry *entry)
{
    const lcp_family *f = lcp_families;
    const scene_family *s = scene_families;
    const other_family *o = others;
    for (; f->name && k > 0; f++) k--;
    if (f->name) {
        int size = f->size ? f->size : f->sparse ? 10000 : 50;
        *entry = (generate_entry){f->name, f->about, "unknowns", "lcp", size};
        return true;
    }
    for (; s->name && k > 0; s++) k--;
    if (s->name) {
        const char *list = s->joints ? JOINT_FORMS : FORMS;
        *entry = (generate_entry){s->name, s->about, s->counts, list, s->size};
        return true;
    }
    for (; o->name && k > 0; o++) k--;
    if (!o->name) return false;
    *entry = (generate_entry){o->name, o->about, o->counts, perp_kind_name(o->kind), o->size};
    return true;
}

bool generate_find(const char *name, generate_entry *entry)
{
    for (int k = 0; generate_list(k, entry); k++) {
        if (strcmp(entry->name, name) == 0) return true;
    }
    return false;
}

/* ---- one problem ---- */

__attribute__((format(printf, 3, 4))) static perp_status refuse(perp_error *e, perp_status status,
                                                                const char *format, ...)
{
    va_list list;
    if (!e) return status;
    *e = (perp_error){.status = status};
    va_start(list, format);
    vsnprintf(e->text, sizeof e->text, format, list);
    va_end(list);
    return status;
}

static perp_status check(const generate_request *r, perp_error *e)
{
    if (r->size < 0 || r->size > MOST_SIZE)
        return refuse(e, PERP_E_ARGUMENT, "size %d is not in 1 .. %d", r->size, MOST_SIZE);
    if (isnan(r->mu) || isinf(r->mu))
        return refuse(e, PERP_E_ARGUMENT, "mu = %g is not a number >= 0", r->mu);
    if (!(r->ratio > 0) || isinf(r->ratio))
        return refuse(e, PERP_E_ARGUMENT, "the mass ratio %g is not positive", r->ratio);
    return PERP_SOLVED;
}

static perp_status no_memory(perp_error *e, const char *family, int size)
{
    return refuse(e, PERP_E_MEMORY, "no memory for %s of size %d", family, size);
}

static perp_status make_scene(const generate_request *r, const scene_family *f, int size,
                              perp_arena *a, generated_problem *out, perp_error *e)
{
    scene_parameters s = {.size = size, .seed = r->seed, .mu = r->mu, .ratio = r->ratio};
    const scene_form *form = find_form(f, r->form);
    perp_rigid step;
    if (s.mu < 0) s.mu = f->mu;
    if (!form) return refuse(e, PERP_E_ARGUMENT, "no form '%.40s'; forms: %s", r->form, FORMS);
    if (!scene_generate(f, &s, a, &step)) return no_memory(e, f->name, size);
    return form->make(&step, r->facets, a, &out->p, e);
}

static bool make_family(const generate_request *r, const generate_entry *entry, int size,
                        perp_arena *a, generated_problem *out)
{
    const lcp_family *f = lcp_family_find(entry->name);
    const other_family *o = others;
    generator g = generator_start(r->seed);
    generated made;
    while (!f && strcmp(o->name, entry->name) != 0) o++;
    if (!f) {
        o->make(&g, size, a, out);
        return !a->failed;
    }
    if (!lcp_generate(f, size, r->seed, a, &made)) return false;
    *out = (generated_problem){.p = lcp_generated_problem(&made), .z = made.z, .proof = made.y};
    if (made.y) out->claim = PERP_INFEASIBLE;
    return true;
}

/* "stack-10-1-mcp": family, size, seed and, of a scene, the form. */
static void set_name(const generate_request *r, int size, perp_arena *a, perp_problem *p)
{
    size_t room = strlen(r->family) + (r->form ? strlen(r->form) : 0) + 40;
    char *name = perp_alloc(a, room, 1);
    if (!name) return;
    snprintf(name, room, "%s-%d-%llu%s%s", r->family, size, (unsigned long long)r->seed,
             r->form ? "-" : "", r->form ? r->form : "");
    p->name = name;
}

perp_status generate_problem(const generate_request *r, perp_arena *a, generated_problem *out,
                             perp_error *e)
{
    generate_entry entry;
    generated_problem made = {0};
    perp_status status = check(r, e);
    if (status) return status;
    if (!r->family || !generate_find(r->family, &entry))
        return refuse(e, PERP_E_ARGUMENT, "no family '%.60s'", r->family ? r->family : "");
    int size = r->size ? r->size : entry.size;
    perp_mark mark = perp_arena_mark(a);
    const scene_family *scene = scene_family_find(entry.name);
    if (!scene && r->form && strcmp(r->form, entry.forms) != 0)
        return refuse(e, PERP_E_ARGUMENT, "%s is of kind %s, not '%.40s'", entry.name, entry.forms,
                      r->form);
    if (scene)
        status = make_scene(r, scene, size, a, &made, e);
    else if (!make_family(r, &entry, size, a, &made))
        status = no_memory(e, entry.name, size);
    if (!status) set_name(r, size, a, &made.p);
    if (!status && a->failed) status = no_memory(e, entry.name, size);
    if (status) {
        perp_arena_release(a, mark);
        return status;
    }
    *out = made;
    return PERP_SOLVED;
}
