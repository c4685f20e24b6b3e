/* generate/lcp.c: the table of LCP families, and the calls that make a member. A new family is a
 * maker in lcp_regular.c, lcp_degenerate.c or lcp_sparse.c, its line in lcp_parts.h and a row here;
 * the tests then run every LCP solver on it. */
#include "lcp_parts.h"

#include <string.h>

const lcp_family lcp_families[] = {
    {.name = "pd",
     .about = "symmetric positive definite, A'A + 0.1 I; q of the size of n",
     .solvable = true,
     .psd = true,
     .definite = true,
     .scaled = true,
     .make = make_pd},
    {.name = "psd",
     .about = "symmetric of rank n/2, around a known solution",
     .solvable = true,
     .psd = true,
     .scaled = true,
     .make = make_psd},
    {.name = "nonsymmetric",
     .about = "positive definite, A'A + 0.1 I + skew; q of the size of n",
     .solvable = true,
     .psd = true,
     .definite = true,
     .scaled = true,
     .make = make_nonsymmetric},
    {.name = "skew",
     .about = "skew: the matrix of a zero-sum game, around a known solution",
     .solvable = true,
     .psd = true,
     .scaled = true,
     .make = make_skew},
    {.name = "murty",
     .about = "lower triangular: Lemke takes 2^n - 1 pivots (Murty 1978)",
     .solvable = true,
     .definite = true,
     .scaled = true,
     .exponential = true,
     .make = make_murty},
    {.name = "fathi",
     .about = "symmetric positive definite: Lemke and Murty take 2^n - 1 pivots (Fathi 1979)",
     .solvable = true,
     .psd = true,
     .definite = true,
     .exponential = true,
     .make = make_fathi},
    {.name = "dominant",
     .about = "rows diagonally dominant, not symmetric: a P-matrix",
     .solvable = true,
     .definite = true,
     .scaled = true,
     .make = make_dominant},
    {.name = "copositive",
     .about = "positive entries, far from semidefinite",
     .solvable = true,
     .scaled = true,
     .make = make_copositive},
    {.name = "degenerate",
     .about = "symmetric PSD; a third of the pairs z_i, w_i are both zero",
     .solvable = true,
     .psd = true,
     .scaled = true,
     .make = make_degenerate},
    {.name = "degenerate_nonsymmetric",
     .about = "positive definite; a third of the pairs z_i, w_i are both zero",
     .solvable = true,
     .psd = true,
     .definite = true,
     .scaled = true,
     .make = make_degenerate_nonsymmetric},
    {.name = "duplicate",
     .about = "every contact stated twice, in integers: exact ties",
     .solvable = true,
     .psd = true,
     .scaled = true,
     .make = make_duplicate},
    {.name = "tied",
     .about = "M = I + ee', q in {-1, 0}: every ratio test ties",
     .solvable = true,
     .psd = true,
     .definite = true,
     .scaled = true,
     .make = make_tied},
    {.name = "low_rank",
     .about = "symmetric of rank 6: one body on n contacts",
     .solvable = true,
     .psd = true,
     .scaled = true,
     .make = make_low_rank},
    {.name = "zero_rows",
     .about = "positive definite with every second row and column zero",
     .solvable = true,
     .psd = true,
     .scaled = true,
     .make = make_zero_rows},
    {.name = "infeasible_row",
     .about = "symmetric PSD with one zero row and a negative q there",
     .infeasible = true,
     .psd = true,
     .scaled = true,
     .make = make_infeasible_row},
    {.name = "infeasible_skew",
     .about = "skew, a game that cannot be won",
     .infeasible = true,
     .psd = true,
     .scaled = true,
     .make = make_infeasible_skew},
    {.name = "infeasible_psd",
     .about = "symmetric PSD in integers, M e = 0 and e'q < 0",
     .infeasible = true,
     .psd = true,
     .scaled = true,
     .make = make_infeasible_psd},
    {.name = "infeasible_negative",
     .about = "negative entries everywhere",
     .infeasible = true,
     .scaled = true,
     .make = make_infeasible_negative},
    {.name = "random",
     .about = "entries of M and q uniform in [-1, 1]: may or may not have solutions",
     .scaled = true,
     .make = make_random},
    {.name = "integer",
     .about = "integers -5 .. 5: singular bases, ties and zeros, all exact",
     .scaled = true,
     .make = make_integer},
    {.name = "badly_scaled",
     .about = "pd in other units for every row and unknown, over 24 decades each",
     .solvable = true,
     .definite = true,
     .make = make_badly_scaled},
    {.name = "obstacle",
     .about = "string over an obstacle, tridiagonal",
     .solvable = true,
     .psd = true,
     .definite = true,
     .scaled = true,
     .sparse = true,
     .make = make_obstacle},
    {.name = "obstacle2d",
     .about = "membrane over bumps, five-point Laplacian on a square grid",
     .solvable = true,
     .psd = true,
     .definite = true,
     .scaled = true,
     .sparse = true,
     .make = make_obstacle2d},
    {.name = "sparse",
     .about = "10 entries a row at random places, M + M' dominant",
     .solvable = true,
     .psd = true,
     .definite = true,
     .scaled = true,
     .sparse = true,
     .size = 1000, /* its factors fill in */
     .make = make_sparse},
    {0},
};

const lcp_family *lcp_family_find(const char *name)
{
    for (const lcp_family *f = lcp_families; f->name; f++) {
        if (strcmp(f->name, name) == 0) return f;
    }
    return NULL;
}

/* Half-and-half families need an even n. */
static bool wants_even(const lcp_family *f)
{
    return f->make == make_duplicate || f->make == make_infeasible_skew;
}

/* The nearest size that the family has. */
static int adjust(const lcp_family *f, int n)
{
    if (f->make == make_obstacle2d) return lcp_grid_side(n) * lcp_grid_side(n);
    return wants_even(f) ? n + n % 2 : n;
}

bool lcp_generate(const lcp_family *family, int n, uint64_t seed, perp_arena *a, generated *out)
{
    generator g = generator_start(seed);
    *out = (generated){.n = adjust(family, n)};
    out->q = perp_alloc(a, (size_t)out->n, sizeof *out->q);
    if (!family->sparse) out->M = perp_alloc(a, (size_t)out->n * (size_t)out->n, sizeof *out->M);
    if (!a->failed) family->make(&g, a, out);
    return !a->failed;
}

perp_problem lcp_generated_problem(const generated *g)
{
    return perp_make_lcp(
        g->n, g->M ? perp_dense(g->n, g->n, g->M) : perp_csc(g->n, g->n, g->p, g->i, g->x), g->q);
}
