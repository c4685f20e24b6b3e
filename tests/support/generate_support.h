/* tests/support/generate_support.h: what the tests of src/generate share: fingerprints of problems,
 * known answers that are measured, dense Cholesky, scenes by name. */
#ifndef PERP_GENERATE_SUPPORT_H
#define PERP_GENERATE_SUPPORT_H

#include "support.h"

#include <math.h>
#include <string.h>

/* ---- LCPs ---- */

static inline double lcp_entry(const generated *g, int i, int j)
{
    if (g->M) return g->M[j * g->n + i];
    double sum = 0;
    for (int k = g->p[j]; k < g->p[j + 1]; k++) sum += g->i[k] == i ? g->x[k] : 0;
    return sum;
}

static inline generated lcp_make(const char *family, int n, uint64_t seed, perp_arena *a)
{
    generated g;
    ck_assert_msg(lcp_generate(lcp_family_find(family), n, seed, a, &g), "%s", family);
    return g;
}

/* Symmetric to the bit, and M + shift I has a Cholesky factor. */
static inline bool lcp_is_definite(const generated *g, double shift)
{
    perp_arena a = {0};
    int n = g->n;
    double *L = perp_alloc(&a, (size_t)n * (size_t)n, sizeof *L);
    bool good = true;
    for (int j = 0; j < n && good; j++) {
        for (int i = j; i < n && good; i++) {
            double sum = lcp_entry(g, i, j) + (i == j ? shift : 0);
            good = lcp_entry(g, i, j) == lcp_entry(g, j, i);
            for (int k = 0; k < j; k++) sum -= L[k * n + i] * L[k * n + j];
            good = good && (i > j || sum > 0);
            L[j * n + i] = i == j ? sqrt(sum) : sum / L[j * n + j];
        }
    }
    perp_arena_free(&a);
    return good;
}

/* ---- any problem ---- */

static inline uint64_t hash_bytes(uint64_t h, const void *x, size_t size)
{
    const unsigned char *byte = x;
    for (size_t k = 0; x && k < size; k++) h = (h ^ byte[k]) * UINT64_C(1099511628211);
    return h;
}

static inline uint64_t hash_reals(uint64_t h, const double *x, int n)
{
    return hash_bytes(h, x, (size_t)n * sizeof *x);
}

static inline uint64_t hash_matrix(uint64_t h, const perp_matrix *A)
{
    size_t blocks;
    switch (A->format) {
    case PERP_FORMAT_DENSE: return hash_reals(h, A->as.dense.x, A->m * A->n);
    case PERP_FORMAT_CSC: return hash_reals(h, A->as.csc.x, A->as.csc.p[A->n]);
    case PERP_FORMAT_BSR3:
        blocks = (size_t)A->as.bsr3.p[A->m / 3];
        return hash_bytes(h, A->as.bsr3.x, 9 * blocks * sizeof(double));
    default: return h;
    }
}

/* Of all numbers of the problem. */
static inline uint64_t problem_hash(const perp_problem *p)
{
    uint64_t h = UINT64_C(14695981039346656037);
    const perp_qp *qp = &p->as.qp;
    const perp_fc3d *f = &p->as.fc3d;
    switch (p->kind) {
    case PERP_KIND_LCP: return hash_reals(hash_matrix(h, &p->as.lcp.M), p->as.lcp.q, p->as.lcp.n);
    case PERP_KIND_MCP:
        h = hash_reals(hash_matrix(h, &p->as.mcp.F.M), p->as.mcp.F.q, p->as.mcp.F.n);
        return hash_reals(h, p->as.mcp.lo, p->as.mcp.F.n);
    case PERP_KIND_NNLS:
        return hash_reals(hash_matrix(h, &p->as.nnls.A), p->as.nnls.b, p->as.nnls.A.m);
    case PERP_KIND_QP:
        h = hash_reals(hash_matrix(hash_matrix(h, &qp->H), &qp->A), qp->c, qp->n);
        return hash_reals(hash_reals(h, qp->xlo, qp->n), qp->lo, qp->m);
    case PERP_KIND_FC3D:
        h = hash_matrix(hash_matrix(h, &f->W), &f->H);
        return hash_reals(hash_reals(h, f->q, 3 * f->contacts), f->f, f->M.n);
    case PERP_KIND_CONE:
        return hash_reals(hash_matrix(h, &p->as.cone.W), p->as.cone.q, p->as.cone.n);
    default: ck_abort_msg("no such kind here");
    }
    return 0;
}

static inline generated_problem problem_make(const char *family, const char *form, int size,
                                             uint64_t seed, perp_arena *a)
{
    generate_request r = generate_defaults;
    generated_problem out = {0};
    perp_error e = {0};
    r.family = family;
    r.form = form;
    r.size = size;
    r.seed = seed;
    ck_assert_msg(generate_problem(&r, a, &out, &e) == PERP_SOLVED, "%s %d: %s", family, size,
                  e.text);
    ck_assert_msg(perp_validate(&out.p, &e) == PERP_SOLVED, "%s %d: %s", family, size, e.text);
    return out;
}

/* The family's answers hold: a solution to 1e-12, or a proof. Its kind is right, the same seed
 * gives the same bits and another seed does not. */
static inline void check_answers(const char *family, perp_kind kind)
{
    static const int sizes[] = {1, 2, 3, 4, 7, 20, 101};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (uint64_t seed = 0; seed < 5; seed++) {
            perp_arena a = {0};
            perp_residual r;
            generated_problem x = problem_make(family, NULL, sizes[s], seed, &a);
            generated_problem y = problem_make(family, NULL, sizes[s], seed, &a);
            generated_problem other = problem_make(family, NULL, sizes[s], seed + 5, &a);
            ck_assert_int_eq(x.p.kind, kind);
            ck_assert_msg(problem_hash(&x.p) == problem_hash(&y.p), "%s", family);
            ck_assert_msg(problem_hash(&x.p) != problem_hash(&other.p), "%s", family);
            ck_assert_msg(!x.z != !x.proof, "%s", family);
            if (x.z) {
                ck_assert_int_eq(perp_certify(&x.p, x.z, &a, &r), PERP_SOLVED);
                ck_assert_msg(r.value <= 1e-12, "%s %d: %g", family, sizes[s], r.value);
            } else {
                perp_check(&x.p, x.claim, x.proof, NULL, &a, &r); /* the direction alone, if so */
                ck_assert_msg(r.value <= 1, "%s %d", family, sizes[s]);
            }
            perp_arena_free(&a);
        }
    }
}

/* ---- scenes ---- */

static inline perp_rigid scene_make(const char *family, int size, uint64_t seed, double ratio,
                                    perp_arena *a)
{
    const scene_family *f = scene_family_find(family);
    perp_rigid s;
    perp_error e = {0};
    ck_assert_msg(f != NULL, "%s", family);
    scene_parameters r = {.size = size, .seed = seed, .mu = f->mu, .ratio = ratio};
    ck_assert(scene_generate(f, &r, a, &s));
    ck_assert_msg(perp_rigid_validate(&s, &e) == PERP_SOLVED, "%s %d: %s", family, size, e.text);
    return s;
}

static inline double scene_weight(const perp_rigid *s)
{
    double sum = 0;
    for (int k = 0; k < s->bodies; k++) sum -= s->body[k].force[2];
    return sum;
}

/* Solve a form of the step; impulses r, 3 a contact, and velocities v, 6 a body, in the arena. */
static inline void scene_solve(const perp_rigid *s, perp_rigid_form form, perp_arena *a, double **v,
                               double **r)
{
    perp_problem p;
    perp_error e = {0};
    perp_result result;
    perp_status status = form == PERP_RIGID_FORM_LCP ? perp_rigid_lcp(s, a, &p, &e)
                                                     : perp_rigid_lcp_facets(s, 4, a, &p, &e);
    ck_assert_msg(status == PERP_SOLVED, "%s", e.text);
    double *z = perp_alloc(a, (size_t)perp_size(&p), sizeof *z);
    ck_assert_msg(perp_solve(&p, perp_find("lcp/lemke"), a, z, NULL, &result) == PERP_SOLVED, "%s",
                  result.detail);
    *v = perp_alloc(a, 6 * (size_t)s->bodies, sizeof **v);
    *r = perp_alloc(a, 3 * (size_t)s->contacts, sizeof **r);
    status = perp_rigid_velocities(s, form, &p, z, a, *v, *r, NULL, &e);
    ck_assert_msg(status == PERP_SOLVED, "%s", e.text);
}

/* The vertical part of what the world gives to the bodies. */
static inline double scene_support(const perp_rigid *s, const double *r)
{
    double sum = 0, E[9];
    for (int k = 0; k < s->contacts; k++) {
        const perp_contact *c = &s->contact[k];
        if (c->b >= 0) continue;
        perp_contact_frame(c->normal, E);
        for (int i = 0; i < 3; i++) sum += E[3 * i + 2] * r[3 * k + i];
    }
    return sum;
}

/* At rest under gravity: nothing moves, and the support is the weight. */
static inline void check_at_rest(const char *family, int size, perp_rigid_form form)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        perp_arena a = {0};
        perp_rigid s = scene_make(family, size, seed, 1, &a);
        double *v, *r, weight = scene_weight(&s) * s.dt;
        scene_solve(&s, form, &a, &v, &r);
        ck_assert_msg(fabs(scene_support(&s, r) - weight) <= 1e-8 * weight, "%s %d", family, size);
        for (int k = 0; k < 6 * s.bodies; k++) {
            ck_assert_msg(fabs(v[k]) <= 1e-8, "%s %d: v[%d] = %g", family, size, k, v[k]);
        }
        perp_arena_free(&a);
    }
}

#endif
