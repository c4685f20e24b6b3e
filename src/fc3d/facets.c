/* fc3d/facets.c: friction on pyramids inside or around the cone, by solvers of lcp and mcp.
 * Stewart and Trinkle (1996); Anitescu and Potra (1997); Renouf, Acary, Dumont (2005).
 *
 * That is not the problem that was asked for: sliding forces lie on edges, or beyond the cone. The
 * answer is the pyramids', whatever the start was, and the run ends `uncertified` on the exact
 * cone, with both residuals, unless all contacts stick or slide along an edge (inner) or towards
 * the middle of a side (outer). With rounds > 1 each pyramid is turned so that this happens where
 * its contact slides, and the problem is solved again: then the exact cone is the aim, and its
 * residual chooses the best iterate.
 *
 * The LCP's multipliers have a zero diagonal, and PSOR divides by the diagonal: it runs inside
 * proximal steps on them (Rockafellar 1976), which end at the same solution.
 * Memory: (facets + 1)^2 numbers for each block of W, dense for Lemke; 9 of an outer pyramid. */
#include "pyramid.h"
#include "pyramid_model.h"

#include "base/vector.h"
#include "core/defaults.h"
#include "core/internal.h"
#include "perp/solver.h"

#include <math.h>
#include <stdio.h>

#define PROX 1000 /* proximal steps at most, */
#define SHIFT                                                                                      \
    4.0 /* their parameter times the contact's mean diagonal entry of W: less diverges             \
         */

typedef struct faceted {
    perp_pyramid p;
    double *z;
    double residual; /* on the pyramids */
} faceted;

static perp_options *find_options(const perp_fc3d_facets_options *o, bool outer,
                                  perp_lcp_psor_options *psor, perp_lcp_lemke_options *lemke,
                                  perp_plain_options *other)
{
    *psor = perp_lcp_psor;
    *lemke = perp_lcp_lemke;
    *other = outer ? perp_mcp_auto : perp_lcp_auto;
    bool sweeps = !outer && o->lcp == PERP_FACETS_LCP_PSOR;
    bool pivots = !outer && o->lcp == PERP_FACETS_LCP_LEMKE;
    perp_options *how = sweeps ? &psor->base : pivots ? &lemke->base : &other->base;
    how->tol = o->base.tol;
    return how;
}

/* Proximal steps: a shift holds the multipliers l where the last step left them, and fades as they
 * settle. */
static perp_status solve_shifted(perp_run *run, faceted *s, const perp_problem *lcp,
                                 perp_options *how, perp_result *result)
{
    perp_pyramid *p = &s->p;
    double size = vector_norm(p->b->contacts * p->size, p->q), tol = how->tol;
    how->warm_start = true;
    how->tol = tol / 4;
    for (int step = 0; step < PROX; step++) {
        double moved = 0;
        for (int c = 0, l = p->forces; c < p->b->contacts; c++, l += p->size) {
            p->q[l] = -perp_pyramid_shift(p, c) * s->z[l];
        }
        perp_status status = perp_nested(run, lcp, how, s->z, result);
        for (int c = 0, l = p->forces; c < p->b->contacts; c++, l += p->size) {
            moved = hypot(moved, perp_pyramid_shift(p, c) * s->z[l] + p->q[l]);
        }
        result->residual.value = (result->residual.absolute + moved) / size;
        if (status || !(result->residual.value > tol)) return status;
    }
    snprintf(result->detail, sizeof result->detail, "%d proximal steps did not suffice", PROX);
    return PERP_MAX_ITER;
}

/* One problem, in memory that is given back. */
static perp_status solve_pyramids(perp_run *run, faceted *s, double *r)
{
    const perp_fc3d_facets_options *o = (const perp_fc3d_facets_options *)run->options;
    perp_mark mark = perp_arena_mark(run->arena);
    perp_problem problem;
    perp_result result = {0};
    perp_lcp_psor_options psor;
    perp_lcp_lemke_options lemke;
    perp_plain_options other;
    perp_options *how = find_options(o, s->p.outer, &psor, &lemke, &other);
    s->p.shift = how == &psor.base ? SHIFT : 0;
    perp_status status = perp_pyramid_problem(run, &s->p, &problem);
    if (!status) {
        status = s->p.shift > 0 ? solve_shifted(run, s, &problem, how, &result)
                                : perp_nested(run, &problem, how, s->z, &result);
        s->residual = result.residual.value;
        if (status < 0) perp_fail(run, status, "%s", result.detail);
        if (status >= 0) perp_pyramid_forces(&s->p, s->z, r);
        if (status > 0) perp_fail(run, status, "on the pyramids: %s", result.detail);
    }
    perp_arena_release(run->arena, mark);
    return status;
}

/* Pyramids that turn to where contacts slide aim at the cone. */
static bool approximates(const perp_options *o)
{
    return ((const perp_fc3d_facets_options *)o)->rounds == 1;
}

static perp_status facets(perp_run *run, double *z)
{
    const perp_fc3d_facets_options *o = (const perp_fc3d_facets_options *)run->options;
    bool outer = o->pyramid == PERP_PYRAMID_SIDE_OUTER;
    faceted s = {0};
    perp_contact_matrix b;
    if (approximates(&o->base) && perp_pyramid_approximate(run, o->facets, outer)) {
        return run->status;
    }
    perp_status status = perp_contact_matrix_open(run, &b);
    if (!status) status = perp_pyramid_open(run, &b, outer, o->facets, &s.p);
    if (status) return status;
    s.z = PERP_ALLOC(run, double, b.contacts *s.p.size);
    double *u = PERP_ALLOC(run, double, 3 * b.contacts), error = INFINITY;
    if (run->arena->failed) return PERP_E_MEMORY;
    if (perp_is_sizing(run)) solve_pyramids(run, &s, z); /* which counts */
    for (int round = 0; round < o->rounds; round++) {
        if (!perp_contact_matrix_continue(run, &b, z, error)) break;
        for (int c = 0; c < b.contacts && round > 0; c++) {
            const double *t = u + 3 * (size_t)c;
            if (t[1] != 0 || t[2] != 0) perp_pyramid_turn(&s.p, c, atan2(-t[2], -t[1]));
        }
        status = solve_pyramids(run, &s, z);
        if (status) break;
        perp_contact_matrix_velocity(&b, z, u);
        error = perp_contact_matrix_error(&b, z, u, NULL) / perp_scale(run);
    }
    if (b.reduced) perp_body_to_local_back(b.reduced, z);
    if (status || run->status || approximates(&o->base)) return status ? status : run->status;
    return perp_fail(run, PERP_UNCERTIFIED, "residual %.2e on pyramids, %.2e on the exact cone",
                     s.residual, error);
}

static const perp_option options[] = {
    PERP_OPTION(perp_fc3d_facets_options, facets, 3, 64, "edges of each pyramid"),
    PERP_OPTION_CHOICE(perp_fc3d_facets_options, pyramid, "inner|outer",
                       "inside the cone, an LCP, or around it, an MCP for mcp/auto"),
    PERP_OPTION(perp_fc3d_facets_options, rounds, 1, 1000,
                "problems to solve, each pyramid turned to where its contact slides in between"),
    PERP_OPTION_CHOICE(perp_fc3d_facets_options, lcp, "lemke|auto|psor", "what solves the LCP"),
    {0},
};

static const perp_solver solver = {
    .name = "fc3d/facets",
    .about = "pyramids in or around the cones, an LCP or MCP: not the exact cone (Stewart, Trinkle "
             "1996)",
    .kind = PERP_KIND_FC3D,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3,
                PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3},
    .flags = PERP_SOLVER_READS_BODY | PERP_SOLVER_MAY_ALLOCATE | PERP_SOLVER_PATIENT,
    .options_size = sizeof(perp_fc3d_facets_options),
    .options = options,
    .solve = facets,
    .approximates = approximates,
    .room = perp_room_none,
};

const perp_fc3d_facets_options perp_fc3d_facets = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 1000000, .threads = 1},
    .facets = 8,
    .rounds = 1,
};
