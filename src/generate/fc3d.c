/* generate/fc3d.c: friction problems around known impulses and velocities. W = J M^-1 J', or M and
 * H = J', are those of the scene `boxes`; each contact separates, sticks or slides, and q (or f and
 * w) follow. */
#include "problem_parts.h"

typedef enum contact_state { SEPARATE, STICK, SLIDE, STATES } contact_state;

/* One contact. At the edge: u = r = 0, a stick on the cone's surface, a slide without weight. */
static void plant_contact(generator *g, double mu, bool edge, double r[3], double u[3])
{
    contact_state state = (contact_state)generator_below(g, STATES);
    double angle = 3.14159265358979323846 * generator_uniform(g);
    double push = 0.1 + generator_unit(g), speed = 0.1 + generator_unit(g);
    double d[2] = {cos(angle), sin(angle)};
    if (state == SEPARATE && !edge) u[0] = speed;
    if (state != SEPARATE && !(state == SLIDE && edge)) r[0] = push;
    double grip = state == STICK && !edge ? 0.9 * generator_unit(g) : 1;
    for (int k = 0; k < 2; k++) {
        r[k + 1] = grip * mu * r[0] * d[k];
        if (state == SLIDE || (state == SEPARATE && !edge)) u[k + 1] = -speed * d[k];
    }
}

static double *draw_mu(generator *g, int contacts, perp_arena *a)
{
    double *mu = problem_vector(a, contacts);
    for (int k = 0; mu && k < contacts; k++) mu[k] = generator_unit(g);
    return mu;
}

/* False: no memory. */
static bool draw_boxes(generator *g, int size, perp_arena *a, perp_rigid *s)
{
    scene_parameters r = {.size = size, .mu = 0.5, .ratio = 1};
    r.seed = (uint64_t)generator_below(g, 1 << 30);
    return scene_generate(scene_family_find("boxes"), &r, a, s);
}

static void plant_local(generator *g, int size, bool edge, perp_arena *a, generated_problem *out)
{
    perp_rigid s;
    double *mu = draw_mu(g, size, a), *r = perp_alloc(a, 3 * (size_t)size, sizeof *r);
    double *u = perp_alloc(a, 3 * (size_t)size, sizeof *u);
    if (a->failed || !draw_boxes(g, size, a, &s)) return;
    if (perp_rigid_fc3d_local(&s, a, &out->p, NULL) != PERP_SOLVED) return;
    for (int k = 0; k < size; k++) plant_contact(g, mu[k], edge, r + 3 * k, u + 3 * k);
    perp_mul(&out->p.as.fc3d.W, -1, r, 1, u);
    out->p.as.fc3d.mu = mu;
    out->p.as.fc3d.q = u;
    out->z = r;
}

void make_fc3d_known(generator *g, int size, perp_arena *a, generated_problem *out)
{
    plant_local(g, size, false, a, out);
}

void make_fc3d_edge(generator *g, int size, perp_arena *a, generated_problem *out)
{
    plant_local(g, size, true, a, out);
}

/* f = M v - H r and w = u - H'v, for random v. */
void make_fc3d_body_known(generator *g, int size, perp_arena *a, generated_problem *out)
{
    perp_rigid s;
    perp_fc3d *p = &out->p.as.fc3d;
    double *mu = draw_mu(g, size, a), *w = perp_alloc(a, 3 * (size_t)size, sizeof *w);
    if (a->failed || !draw_boxes(g, size, a, &s)) return;
    if (perp_rigid_fc3d_body(&s, a, &out->p, NULL) != PERP_SOLVED) return;
    int n = perp_rigid_unknowns(&s);
    double *z = perp_alloc(a, 3 * (size_t)size + (size_t)n, sizeof *z), *v = z + 3 * (size_t)size;
    double *f = problem_vector(a, n);
    if (a->failed) return;
    for (int k = 0; k < size; k++) plant_contact(g, mu[k], false, z + 3 * k, w + 3 * k);
    for (int k = 0; k < n; k++) v[k] = generator_uniform(g);
    perp_mul(&p->M, 1, v, 0, f);
    perp_mul(&p->H, -1, z, 1, f);
    perp_mul_t(&p->H, -1, v, 1, w);
    p->mu = mu;
    p->f = f;
    p->w = w;
    out->z = z;
}
