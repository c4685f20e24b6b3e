/* tests/generate.c: seeded LCP families. pd, psd and nonsymmetric are those behind the published
 * comparisons of Lemke codes; the others each aim at one difficulty. */
#include "generate.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- random numbers ---- */

generator generator_start(uint64_t seed)
{
    return (generator){seed * UINT64_C(0x9E3779B97F4A7C15) + 1};
}

static uint64_t next(generator *g)
{
    g->state ^= g->state >> 12;
    g->state ^= g->state << 25;
    g->state ^= g->state >> 27;
    return g->state * UINT64_C(2685821657736338717);
}

double generator_unit(generator *g)
{
    return (double)(next(g) >> 11) * 0x1p-53;
}

double generator_uniform(generator *g)
{
    return 2 * generator_unit(g) - 1;
}

int generator_below(generator *g, int n)
{
    return (int)(generator_unit(g) * n);
}

int generator_between(generator *g, int a, int b)
{
    return a + generator_below(g, b - a + 1);
}

/* ---- pieces ---- */

static double *at(const generated *out, int i, int j)
{
    return out->M + (size_t)j * (size_t)out->n + (size_t)i;
}

/* M += A'A for A with `rows` rows, drawn row by row. One row at a time: no room for A needed but
 * in one row, and M stays symmetric to the bit. */
static void add_gram(generator *g, perp_arena *a, int rows, generated *out)
{
    int n = out->n;
    double *row = perp_alloc(a, (size_t)n, sizeof *row);
    if (!row) return;
    for (int r = 0; r < rows; r++) {
        for (int j = 0; j < n; j++) row[j] = generator_uniform(g);
        for (int j = 0; j < n; j++) {
            double *column = at(out, 0, j), t = row[j];
            for (int i = 0; i < n; i++) column[i] += row[i] * t;
        }
    }
}

static void add_diagonal(double d, generated *out)
{
    for (int i = 0; i < out->n; i++) *at(out, i, i) += d;
}

/* B - B' for strictly upper B, drawn row by row. */
static void add_skew(generator *g, generated *out)
{
    for (int i = 0; i < out->n; i++) {
        for (int j = i + 1; j < out->n; j++) {
            double b = generator_uniform(g);
            *at(out, i, j) += b;
            *at(out, j, i) -= b;
        }
    }
}

static void draw_q(generator *g, double size, generated *out)
{
    for (int i = 0; i < out->n; i++) out->q[i] = size * generator_uniform(g);
}

/* q = w - M z for given complementary z, w; z is kept as the known solution. */
static void set_q(double *z, const double *w, generated *out)
{
    for (int i = 0; i < out->n; i++) out->q[i] = w[i];
    for (int j = 0; j < out->n; j++) {
        for (int i = 0; i < out->n; i++) out->q[i] -= *at(out, i, j) * z[j];
    }
    out->z = z;
}

/* Draw a solution: z_i = u2 when u1 < 0.5, else w_i = u2. */
static void draw_solution(generator *g, perp_arena *a, generated *out)
{
    double *z = perp_alloc(a, (size_t)out->n, sizeof *z);
    double *w = perp_alloc(a, (size_t)out->n, sizeof *w);
    if (!z || !w) return;
    for (int i = 0; i < out->n; i++) {
        double u1 = generator_unit(g), u2 = generator_unit(g);
        *(u1 < 0.5 ? &z[i] : &w[i]) = u2;
    }
    set_q(z, w, out);
}

/* ---- families: positive (semi)definite ---- */

static void make_pd(generator *g, perp_arena *a, generated *out)
{
    add_gram(g, a, out->n, out);
    add_diagonal(0.1, out);
    draw_q(g, out->n, out);
}

static void make_psd(generator *g, perp_arena *a, generated *out)
{
    add_gram(g, a, out->n / 2, out);
    draw_solution(g, a, out);
}

static void make_nonsymmetric(generator *g, perp_arena *a, generated *out)
{
    add_gram(g, a, out->n, out);
    add_diagonal(0.1, out);
    add_skew(g, out);
    draw_q(g, out->n, out);
}

/* Skew plus nothing: a zero-sum game's matrix, PSD in the widest sense, with a known solution. */
static void make_skew(generator *g, perp_arena *a, generated *out)
{
    add_skew(g, out);
    draw_solution(g, a, out);
}

/* Murty 1978: lower triangular, 1 on the diagonal and 2 below, q = -1. The solution is e_1, and
 * Lemke's method with the covering vector (1, .., 1) takes 2^n - 1 pivots to it. */
static void make_murty(generator *g, perp_arena *a, generated *out)
{
    (void)g;
    double *z = perp_alloc(a, (size_t)out->n, sizeof *z);
    for (int j = 0; j < out->n; j++) {
        *at(out, j, j) = 1;
        for (int i = j + 1; i < out->n; i++) *at(out, i, j) = 2;
        out->q[j] = -1;
    }
    if (z) z[0] = 1;
    out->z = z;
}

/* Row diagonally dominant and not symmetric: a P-matrix. */
static void make_dominant(generator *g, perp_arena *a, generated *out)
{
    (void)a;
    for (int i = 0; i < out->n; i++) {
        double sum = 0;
        for (int j = 0; j < out->n; j++) {
            if (j != i) sum += fabs(*at(out, i, j) = generator_uniform(g));
        }
        *at(out, i, i) = sum + 0.1 + generator_unit(g);
    }
    draw_q(g, 1, out);
}

/* Strictly copositive (all entries > 0), far from PSD: a solution always exists. */
static void make_copositive(generator *g, perp_arena *a, generated *out)
{
    (void)a;
    for (int j = 0; j < out->n; j++) {
        for (int i = 0; i < out->n; i++) *at(out, i, j) = 0.05 + generator_unit(g);
    }
    draw_q(g, 1, out);
}

/* ---- families: degenerate, singular, unsolvable ---- */

/* PSD with z_i = w_i = 0 for a third of the indices: many bases share the solution. */
static void make_degenerate(generator *g, perp_arena *a, generated *out)
{
    double *z = perp_alloc(a, (size_t)out->n, sizeof *z);
    double *w = perp_alloc(a, (size_t)out->n, sizeof *w);
    add_gram(g, a, out->n / 2 + 1, out);
    if (!z || !w) return;
    for (int i = 0; i < out->n; i++) {
        int kind = generator_below(g, 3);
        if (kind == 1) z[i] = generator_between(g, 1, 3);
        if (kind == 2) w[i] = generator_between(g, 1, 3);
    }
    set_q(z, w, out);
}

/* Each contact stated twice: rows, columns and q of the second half repeat the first. Integers, so
 * ties are exact. */
static void make_duplicate(generator *g, perp_arena *a, generated *out)
{
    int n = out->n, h = n / 2;
    int *A = perp_alloc(a, (size_t)h * (size_t)h, sizeof *A);
    if (!A) return;
    for (int k = 0; k < h * h; k++) A[k] = generator_between(g, -2, 2);
    for (int i = 0; i < h; i++) {
        out->q[i] = out->q[i + h] = generator_between(g, -4, 2);
        for (int j = 0; j < h; j++) {
            int sum = i == j;
            for (int k = 0; k < h; k++) sum += A[k * h + i] * A[k * h + j];
            *at(out, i, j) = *at(out, i + h, j) = sum;
            *at(out, i, j + h) = *at(out, i + h, j + h) = sum;
        }
    }
}

/* Every second row and column of a PD matrix is zero, q >= 0 there. */
static void make_zero_rows(generator *g, perp_arena *a, generated *out)
{
    add_gram(g, a, out->n, out);
    add_diagonal(0.1, out);
    draw_q(g, out->n, out);
    for (int k = 0; k < out->n; k += 2) {
        for (int i = 0; i < out->n; i++) *at(out, i, k) = *at(out, k, i) = 0;
        out->q[k] = generator_below(g, 2);
    }
}

/* One zero row with a negative q, in a PSD matrix: y = e_i proves that nothing is feasible. */
static void make_infeasible_row(generator *g, perp_arena *a, generated *out)
{
    add_gram(g, a, out->n, out);
    draw_q(g, 1, out);
    int k = generator_below(g, out->n);
    for (int i = 0; i < out->n; i++) *at(out, i, k) = *at(out, k, i) = 0;
    out->q[k] = -1 - generator_unit(g);
}

/* Skew (0, C'; -C, 0) with C > 0 and q < 0 in the second half: -C x >= 1 has no x >= 0. */
static void make_infeasible_skew(generator *g, perp_arena *a, generated *out)
{
    int h = out->n / 2;
    (void)a;
    for (int i = 0; i < h; i++) {
        for (int j = 0; j < h; j++) {
            double c = 0.1 + generator_unit(g);
            *at(out, h + i, j) = -c;
            *at(out, j, h + i) = c;
        }
        out->q[i] = generator_uniform(g);
        out->q[h + i] = -1;
    }
}

static void make_random(generator *g, perp_arena *a, generated *out)
{
    (void)a;
    for (int j = 0; j < out->n; j++) {
        for (int i = 0; i < out->n; i++) *at(out, i, j) = generator_uniform(g);
    }
    draw_q(g, 1, out);
}

/* Small integers: singular bases, ties and zeros all exact. */
static void make_integer(generator *g, perp_arena *a, generated *out)
{
    (void)a;
    for (int j = 0; j < out->n; j++) {
        for (int i = 0; i < out->n; i++) *at(out, i, j) = generator_between(g, -5, 5);
        out->q[j] = generator_between(g, -5, 5);
    }
}

/* ---- families: badly scaled, sparse ---- */

/* D M E, D q for a PD problem: in other units for each row and each unknown. */
static void make_badly_scaled(generator *g, perp_arena *a, generated *out)
{
    make_pd(g, a, out);
    for (int k = 0; k < out->n; k++) {
        double row = pow(10, 12 * generator_uniform(g)),
               column = pow(10, 12 * generator_uniform(g));
        for (int i = 0; i < out->n; i++) {
            *at(out, k, i) *= row;
            *at(out, i, k) *= column;
        }
        out->q[k] *= row;
    }
}

/* The side of the largest square grid with at most n points. */
static int grid_side(int n)
{
    int k = 0;
    while ((int64_t)(k + 1) * (k + 1) <= n) k++;
    return k;
}

/* String over an obstacle: tridiagonal (-1, 2, -1), load and obstacle random. */
static void make_obstacle(generator *g, perp_arena *a, generated *out)
{
    int n = out->n, k = 0;
    out->p = perp_alloc(a, (size_t)n + 1, sizeof *out->p);
    out->i = perp_alloc(a, 3 * (size_t)n, sizeof *out->i);
    out->x = perp_alloc(a, 3 * (size_t)n, sizeof *out->x);
    if (!out->p || !out->i || !out->x) return;
    for (int j = 0; j < n; j++) {
        for (int i = j > 0 ? j - 1 : 0; i <= j + 1 && i < n; i++, k++) {
            out->i[k] = i;
            out->x[k] = i == j ? 2 : -1;
        }
        out->p[j + 1] = k;
        out->q[j] = generator_uniform(g) - 0.1;
    }
}

/* Membrane over an obstacle on a k x k grid: five-point Laplacian (4 and -1), a constant load that
 * presses down, and bumps of random place, width and height below. z is the height above the
 * obstacle; contact covers about a third, in several pieces. */
static void make_obstacle2d(generator *g, perp_arena *a, generated *out)
{
    int n = out->n, k = grid_side(n), count = 0;
    double bump[6][4], h = 1. / (k + 1), *psi = perp_alloc(a, (size_t)n, sizeof *psi);
    out->p = perp_alloc(a, (size_t)n + 1, sizeof *out->p);
    out->i = perp_alloc(a, 5 * (size_t)n, sizeof *out->i);
    out->x = perp_alloc(a, 5 * (size_t)n, sizeof *out->x);
    if (a->failed) return;
    for (int b = 0; b < 6; b++) {
        for (int c = 0; c < 4; c++) bump[b][c] = generator_unit(g);
    }
    for (int j = 0; j < n; j++) {
        double x = h * (j % k + 1), y = h * (j / k + 1);
        psi[j] = -0.5;
        for (int b = 0; b < 6; b++) {
            double dx = x - bump[b][0], dy = y - bump[b][1], width = 0.05 + 0.1 * bump[b][2];
            psi[j] += (0.2 + 0.5 * bump[b][3]) * exp(-(dx * dx + dy * dy) / (width * width));
        }
        if (psi[j] > 0) psi[j] = 0;
    }
    for (int j = 0; j < n; j++) {
        const int row[] = {j - k, j - 1, j, j + 1, j + k};
        const bool there[] = {j >= k, j % k > 0, true, j % k < k - 1, j + k < n};
        out->q[j] = 20;
        for (int t = 0; t < 5; t++) {
            if (!there[t]) continue;
            double value = t == 2 ? 4 : -1;
            out->i[count] = row[t];
            out->x[count++] = value;
            out->q[j] += value * psi[row[t]] / (h * h);
        }
        out->p[j + 1] = count;
    }
}

const lcp_family lcp_families[] = {
    {.name = "pd",
     .solvable = true,
     .psd = true,
     .definite = true,
     .scaled = true,
     .make = make_pd},
    {.name = "psd", .solvable = true, .psd = true, .scaled = true, .make = make_psd},
    {.name = "nonsymmetric",
     .solvable = true,
     .psd = true,
     .definite = true,
     .scaled = true,
     .make = make_nonsymmetric},
    {.name = "skew", .solvable = true, .psd = true, .scaled = true, .make = make_skew},
    {.name = "murty", .solvable = true, .definite = true, .scaled = true, .make = make_murty},
    {.name = "dominant", .solvable = true, .definite = true, .scaled = true, .make = make_dominant},
    {.name = "copositive", .solvable = true, .scaled = true, .make = make_copositive},
    {.name = "degenerate", .solvable = true, .psd = true, .scaled = true, .make = make_degenerate},
    {.name = "duplicate", .solvable = true, .psd = true, .scaled = true, .make = make_duplicate},
    {.name = "zero_rows", .solvable = true, .psd = true, .scaled = true, .make = make_zero_rows},
    {.name = "infeasible_row",
     .infeasible = true,
     .psd = true,
     .scaled = true,
     .make = make_infeasible_row},
    {.name = "infeasible_skew",
     .infeasible = true,
     .psd = true,
     .scaled = true,
     .make = make_infeasible_skew},
    {.name = "random", .scaled = true, .make = make_random},
    {.name = "integer", .scaled = true, .make = make_integer},
    {.name = "badly_scaled", .solvable = true, .definite = true, .make = make_badly_scaled},
    {.name = "obstacle",
     .solvable = true,
     .psd = true,
     .definite = true,
     .scaled = true,
     .sparse = true,
     .make = make_obstacle},
    {.name = "obstacle2d",
     .solvable = true,
     .psd = true,
     .definite = true,
     .scaled = true,
     .sparse = true,
     .make = make_obstacle2d},
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
    if (f->make == make_obstacle2d) return grid_side(n) * grid_side(n);
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
