/* generate/mcp.c: affine mixed complementarity problems around a known z: bounds are laid around
 * it, and q = F - M z for an F of the signs that they allow. M is monotone. */
#include "problem_parts.h"

/* q = F - M z in F's place. */
static void finish(int n, const double *M, double *F, const double *z, const double *lo,
                   const double *hi, generated_problem *out)
{
    perp_matrix view = perp_dense(n, n, M);
    perp_mul(&view, -1, z, 1, F);
    *out = (generated_problem){.p = perp_make_mcp(n, view, F, lo, hi), .z = z};
}

/* z_i free, at or above lo alone, at or below hi alone, or in a box. */
static void plant_boxes(generator *g, int n, int rank, double diagonal, int degenerate,
                        perp_arena *a, generated_problem *out)
{
    double *M = problem_monotone(g, a, n, rank, diagonal, 0.5), *F = problem_vector(a, n);
    double *z = problem_vector(a, n), *lo = problem_vector(a, n), *hi = problem_vector(a, n);
    if (a->failed) return;
    for (int i = 0; i < n; i++) {
        int sort = generator_below(g, 4), place = generator_below(g, 3);
        double force = problem_multiplier(g, degenerate), room = 0.5 + generator_unit(g);
        bool has_lo = sort & 1, has_hi = sort & 2;
        z[i] = 2 * generator_uniform(g);
        lo[i] = !has_lo ? -INFINITY : place == 1 ? z[i] : z[i] - room;
        hi[i] = !has_hi ? INFINITY : place == 2 ? z[i] : z[i] + room;
        if (has_lo && place == 1) F[i] = force;
        if (has_hi && place == 2) F[i] = -force;
    }
    finish(n, M, F, z, lo, hi, out);
}

void make_mcp_box(generator *g, int size, perp_arena *a, generated_problem *out)
{
    plant_boxes(g, size, size, 0.1, 0, a, out);
}

void make_mcp_degenerate(generator *g, int size, perp_arena *a, generated_problem *out)
{
    plant_boxes(g, size, size / 2, 0, 3, a, out);
}

/* KKT conditions of a convex QP with equalities: M = (H, -A'; A, 0), x >= 0, multipliers free. */
void make_mcp_saddle(generator *g, int size, perp_arena *a, generated_problem *out)
{
    int m = size / 4, n = size - m;
    double *H = problem_monotone(g, a, n, n, 0.1, 0), *A = problem_matrix(g, a, m, n);
    double *M = perp_alloc(a, (size_t)size * (size_t)size, sizeof *M), *F = problem_vector(a, size);
    double *z = problem_vector(a, size), *lo = problem_vector(a, size);
    if (a->failed) return;
    for (int j = 0; j < n; j++) {
        double *column = M + (size_t)j * (size_t)size, force = problem_multiplier(g, 0);
        for (int i = 0; i < n; i++) column[i] = H[(size_t)j * (size_t)n + (size_t)i];
        for (int i = 0; i < m; i++) {
            column[n + i] = A[(size_t)j * (size_t)m + (size_t)i];
            M[(size_t)(n + i) * (size_t)size + (size_t)j] = -column[n + i];
        }
        *(generator_below(g, 2) ? &z[j] : &F[j]) = force;
    }
    for (int i = n; i < size; i++) {
        lo[i] = -INFINITY;
        z[i] = generator_uniform(g);
    }
    finish(size, M, F, z, lo, NULL, out);
}

/* Contacts (n, t1, t2) with friction boxes |z_t| <= mu z_n; M symmetric, of rank half its size. */
void make_mcp_friction(generator *g, int size, perp_arena *a, generated_problem *out)
{
    int n = 3 * size;
    double *M = problem_monotone(g, a, n, (n + 1) / 2, 0, 0), *F = problem_vector(a, n);
    double *z = problem_vector(a, n), *lo = problem_vector(a, n), *hi = problem_vector(a, n);
    double *mu = problem_vector(a, n);
    int *follows = perp_alloc(a, (size_t)n, sizeof *follows);
    if (a->failed) return;
    for (int i = 0; i < n; i++) {
        int k = i / 3 * 3, place = generator_below(g, 3);
        double force = problem_multiplier(g, 0), part = generator_uniform(g);
        hi[i] = INFINITY;
        follows[i] = i == k ? -1 : k;
        if (i == k) {
            *(place ? &z[i] : &F[i]) = force;
            continue;
        }
        lo[i] = -INFINITY;
        mu[i] = mu[i - 1] > 0 ? mu[i - 1] : 0.1 + generator_unit(g);
        int side = place == 1 ? 1 : place == 2 ? -1 : 0;
        z[i] = mu[i] * z[k] * (side ? side : part);
        F[i] = -side * force;
    }
    finish(n, M, F, z, lo, hi, out);
    out->p.as.mcp.follows = follows;
    out->p.as.mcp.mu = mu;
}
