/* generate/problem_parts.h: pieces of problems that are built around their answer, and the makers
 * that problem.c lists. A maker leaves the arena's `failed` to its caller. */
#ifndef PERP_GENERATE_PROBLEM_PARTS_H
#define PERP_GENERATE_PROBLEM_PARTS_H

#include "generate.h"

#include <math.h>

static inline double *problem_vector(perp_arena *a, int n)
{
    return perp_alloc(a, (size_t)n, sizeof(double));
}

/* m x n, entries uniform in [-1, 1). NULL: no memory. */
static inline double *problem_matrix(generator *g, perp_arena *a, int m, int n)
{
    size_t count = (size_t)m * (size_t)n;
    double *x = perp_alloc(a, count, sizeof *x);
    for (size_t k = 0; x && k < count; k++) x[k] = generator_uniform(g);
    return x;
}

/* B'B / n + diagonal I + skew (K - K'), B with `rows` rows: monotone, entries of the size of 1. */
static inline double *problem_monotone(generator *g, perp_arena *a, int n, int rows,
                                       double diagonal, double skew)
{
    double *B = problem_matrix(g, a, rows, n), *M = perp_alloc(a, (size_t)n * (size_t)n, sizeof *M);
    if (!B || !M) return NULL;
    for (int j = 0; j < n; j++) {
        const double *y = B + (size_t)j * (size_t)rows;
        for (int i = 0; i <= j; i++) {
            const double *x = B + (size_t)i * (size_t)rows;
            double sum = 0, k = skew * generator_uniform(g);
            for (int r = 0; r < rows; r++) sum += x[r] * y[r];
            sum /= n;
            M[(size_t)j * (size_t)n + (size_t)i] = sum + (i < j ? k : diagonal);
            M[(size_t)i * (size_t)n + (size_t)j] = sum + (i < j ? -k : diagonal);
        }
    }
    return M;
}

/* A multiplier of an active bound: in [0.1, 1.1), but zero one time in `degenerate` (0: never). */
static inline double problem_multiplier(generator *g, int degenerate)
{
    double u = 0.1 + generator_unit(g);
    return degenerate && generator_below(g, degenerate) == 0 ? 0 : u;
}

void make_qp_convex(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_degenerate(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_nonsymmetric(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_linear(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_sparse(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_infeasible(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_unbounded(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_redundant(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_dependent(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_inconsistent(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_cycling(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_indefinite(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_free(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_fixed(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_rows(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_cvxqp1(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_cvxqp2(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_cvxqp3(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_liswet2(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_liswet3(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_liswet4(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_cont(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_cont_side(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_aug3d(generator *g, int size, perp_arena *a, generated_problem *out);
void make_qp_aug3dqp(generator *g, int size, perp_arena *a, generated_problem *out);
void make_nnls_random(generator *g, int size, perp_arena *a, generated_problem *out);
void make_nnls_deficient(generator *g, int size, perp_arena *a, generated_problem *out);
void make_nnls_wide(generator *g, int size, perp_arena *a, generated_problem *out);
void make_nnls_free(generator *g, int size, perp_arena *a, generated_problem *out);
void make_nnls_scaled(generator *g, int size, perp_arena *a, generated_problem *out);
void make_nnls_zero_columns(generator *g, int size, perp_arena *a, generated_problem *out);
void make_nnls_jacobian(generator *g, int size, perp_arena *a, generated_problem *out);
void make_mcp_box(generator *g, int size, perp_arena *a, generated_problem *out);
void make_mcp_degenerate(generator *g, int size, perp_arena *a, generated_problem *out);
void make_mcp_saddle(generator *g, int size, perp_arena *a, generated_problem *out);
void make_mcp_friction(generator *g, int size, perp_arena *a, generated_problem *out);
void make_fc3d_known(generator *g, int size, perp_arena *a, generated_problem *out);
void make_fc3d_edge(generator *g, int size, perp_arena *a, generated_problem *out);
void make_fc3d_body_known(generator *g, int size, perp_arena *a, generated_problem *out);
void make_cone_known(generator *g, int size, perp_arena *a, generated_problem *out);
void make_cone_convex(generator *g, int size, perp_arena *a, generated_problem *out);
void make_cone_mixed(generator *g, int size, perp_arena *a, generated_problem *out);
void make_cone_bodies(generator *g, int size, perp_arena *a, generated_problem *out);
void make_cone_rolling(generator *g, int size, perp_arena *a, generated_problem *out);

#endif
