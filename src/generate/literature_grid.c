/* generate/literature_grid.c: free boundary problems on a five-point grid of the unit square, of
 * any size. */
#include "literature_parts.h"

#define PI 3.14159265358979323846

/* F = A u - h^2 f(u) where A u are differences to the neighbours, 0 outside. */
typedef struct grid {
    int side, n;
    double h;
    int *p, *i;
    void (*coefficients)(const struct grid *g, int k, double weight[5]); /* west east south north */
    double (*source)(double x, double y, double u, double *slope);
    double *fixed; /* values of the pattern, where nothing depends on u */
} grid;

static void place_of(const grid *g, int k, double *x, double *y)
{
    *x = (k % g->side + 1) * g->h;
    *y = (k / g->side + 1) * g->h;
}

/* The five places around k in the order of their numbers; -1: outside. */
static void neighbours(const grid *g, int k, int at[5])
{
    int column = k % g->side, row = k / g->side;
    at[0] = row > 0 ? k - g->side : -1;
    at[1] = column > 0 ? k - 1 : -1;
    at[2] = k;
    at[3] = column + 1 < g->side ? k + 1 : -1;
    at[4] = row + 1 < g->side ? k + g->side : -1;
}

static void laplacian(const grid *g, int k, double w[5])
{
    (void)g, (void)k;
    w[0] = w[1] = w[3] = w[4] = -1;
    w[2] = 4;
}

/* (1 + e cos x)^3 p' of a journal bearing, x in [0, 2 pi], y in [0, 2]. */
#define ECCENTRICITY 0.1

static void bearing(const grid *g, int k, double w[5])
{
    double turn = 2 * PI * g->h, x = (k % g->side + 1) * turn;
    double ratio = 2 * g->h / turn;
    double left = pow(1 + ECCENTRICITY * cos(x - 0.5 * turn), 3) * ratio;
    double right = pow(1 + ECCENTRICITY * cos(x + 0.5 * turn), 3) * ratio;
    double across = pow(1 + ECCENTRICITY * cos(x), 3) / ratio;
    w[0] = w[4] = -across;
    w[1] = -left;
    w[3] = -right;
    w[2] = left + right + 2 * across;
}

/* Diffusion and a wind from the west and south, upwind: not symmetric. */
static void wind(const grid *g, int k, double w[5])
{
    (void)k;
    double west = 50 * g->h, south = 20 * g->h;
    w[0] = -1 - south;
    w[1] = -1 - west;
    w[2] = 4 + south + west;
    w[3] = w[4] = -1;
}

static bool grid_eval(void *ctx, const double *u, double *F)
{
    const grid *g = ctx;
    double hh = g->h * g->h;
    for (int k = 0; k < g->n; k++) {
        double w[5], x, y, slope;
        int at[5];
        neighbours(g, k, at);
        g->coefficients(g, k, w);
        place_of(g, k, &x, &y);
        double sum = -hh * g->source(x, y, u[k], &slope);
        for (int e = 0; e < 5; e++) sum += at[e] >= 0 ? w[e] * u[at[e]] : 0;
        F[k] = sum;
    }
    return true;
}

/* Entry (r, k) of column k is row r's weight for it. */
static bool grid_jacobian(void *ctx, const double *u, double *values)
{
    const grid *g = ctx;
    double hh = g->h * g->h;
    memcpy(values, g->fixed, (size_t)g->p[g->n] * sizeof *values);
    for (int k = 0; k < g->n; k++) {
        double x, y, slope;
        place_of(g, k, &x, &y);
        g->source(x, y, u[k], &slope);
        for (int e = g->p[k]; e < g->p[k + 1]; e++) {
            if (g->i[e] == k) values[e] -= hh * slope;
        }
    }
    return true;
}

static void fill_pattern(grid *g)
{
    for (int k = 0, e = 0; k < g->n; k++) {
        int at[5];
        neighbours(g, k, at);
        for (int t = 0; t < 5; t++) {
            double w[5];
            if (at[t] < 0) continue;
            g->coefficients(g, at[t], w);
            g->fixed[e] = w[4 - t]; /* k is to the east of its western neighbour */
            g->i[e++] = at[t];
        }
        g->p[k + 1] = e;
    }
}

/* A grid of about `size` points, F by callback; bounds and three starts have room. */
static grid *open_grid(int size, perp_arena *a, literature *out, double **lo, double **hi,
                       double **start)
{
    int side = (int)floor(sqrt(size) + 0.5);
    if (side < 2) side = 2;
    if (side > 20000) return NULL;
    size_t n = (size_t)side * (size_t)side;
    grid *g = perp_alloc(a, 1, sizeof *g);
    int *p = perp_alloc(a, n + 1, sizeof *p), *i = perp_alloc(a, 5 * n, sizeof *i);
    double *fixed = perp_alloc(a, 5 * n, sizeof *fixed);
    *lo = perp_alloc(a, n, sizeof **lo);
    *hi = perp_alloc(a, n, sizeof **hi);
    *start = perp_alloc(a, 3 * n, sizeof **start);
    if (a->failed) return NULL;
    *g = (grid){.side = side, .n = (int)n, .h = 1.0 / (side + 1), .p = p, .i = i, .fixed = fixed};
    g->coefficients = laplacian;
    out->n = (int)n;
    out->starts = 3;
    out->start = *start;
    out->p = (perp_problem){.kind = PERP_KIND_MCP, .as.mcp = {.lo = *lo, .hi = *hi}};
    out->p.as.mcp.F =
        (perp_map){.n = (int)n, .eval = grid_eval, .jacobian = grid_jacobian, .ctx = g};
    return g;
}

/* Starts: the lower bound, the upper one, 0; where there is none, 0 or 1. */
static bool close_grid(grid *g, literature *out, const double *lo, const double *hi, double *start)
{
    fill_pattern(g);
    out->p.as.mcp.F.pattern = perp_csc(g->n, g->n, g->p, g->i, NULL);
    for (int k = 0; k < g->n; k++) {
        start[k] = isfinite(lo[k]) ? lo[k] : 0;
        start[g->n + k] = isfinite(hi[k]) ? hi[k] : 1;
    }
    return true;
}

/* ---- sources ---- */

static double constant_one(double x, double y, double u, double *slope)
{
    (void)x, (void)y, (void)u;
    *slope = 0;
    return 1;
}

static double constant_five(double x, double y, double u, double *slope)
{
    (void)x, (void)y, (void)u;
    *slope = 0;
    return 5;
}

static double bratu_source(double x, double y, double u, double *slope)
{
    (void)x, (void)y;
    return *slope = 6 * exp(u);
}

static double bratu_beyond(double x, double y, double u, double *slope)
{
    (void)x, (void)y;
    return *slope = 12 * exp(u); /* beyond 6.808, where nothing is left without the bounds */
}

static double bearing_source(double x, double y, double u, double *slope)
{
    (void)y, (void)u;
    *slope = 0;
    return ECCENTRICITY * sin(2 * PI * x) * 4 * PI;
}

static double reaction(double x, double y, double u, double *slope)
{
    *slope = -3 * 100 * u * u;
    return 40 * sin(6 * x) * sin(5 * y) - 100 * u * u * u;
}

/* ---- the problems ---- */

static double bumps(const grid *g, int k)
{
    double x, y;
    place_of(g, k, &x, &y);
    return sin(9.2 * x) * sin(9.3 * y);
}

static bool make_obstacle(int size, perp_arena *a, literature *out)
{
    double *lo, *hi, *start;
    grid *g = open_grid(size, a, out, &lo, &hi, &start);
    if (!g) return false;
    g->source = constant_one;
    for (int k = 0; k < g->n; k++) {
        lo[k] = pow(bumps(g, k), 3);
        hi[k] = INFINITY;
    }
    return close_grid(g, out, lo, hi, start);
}

/* The same map as a matrix, between two obstacles. */
static bool make_obstacle_box(int size, perp_arena *a, literature *out)
{
    double *lo, *hi, *start;
    grid *g = open_grid(size, a, out, &lo, &hi, &start);
    double *q = g ? perp_alloc(a, (size_t)g->n, sizeof *q) : NULL;
    if (!q) return false;
    for (int k = 0; k < g->n; k++) {
        lo[k] = pow(bumps(g, k), 3);
        hi[k] = pow(bumps(g, k), 2) + 0.02;
        q[k] = -g->h * g->h;
    }
    g->source = constant_one;
    close_grid(g, out, lo, hi, start);
    perp_matrix M = perp_csc(g->n, g->n, g->p, g->i, g->fixed);
    out->p.as.mcp.F = (perp_map){.n = g->n, .M = M, .q = q};
    return true;
}

static bool make_torsion(int size, perp_arena *a, literature *out)
{
    double *lo, *hi, *start;
    grid *g = open_grid(size, a, out, &lo, &hi, &start);
    if (!g) return false;
    g->source = constant_five;
    for (int k = 0; k < g->n; k++) {
        double x, y;
        place_of(g, k, &x, &y);
        hi[k] = fmin(fmin(x, 1 - x), fmin(y, 1 - y));
        lo[k] = -hi[k];
    }
    return close_grid(g, out, lo, hi, start);
}

static bool make_bratu_with(int size, double (*source)(double, double, double, double *),
                            double most, perp_arena *a, literature *out)
{
    double *lo, *hi, *start;
    grid *g = open_grid(size, a, out, &lo, &hi, &start);
    if (!g) return false;
    g->source = source;
    for (int k = 0; k < g->n; k++) {
        lo[k] = 0;
        hi[k] = most;
    }
    close_grid(g, out, lo, hi, start);
    for (int k = 0; k < g->n; k++) start[2 * g->n + k] = 0.5 * fabs(bumps(g, k));
    return true;
}

static bool make_bratu(int size, perp_arena *a, literature *out)
{
    return make_bratu_with(size, bratu_source, 0.4, a, out);
}

static bool make_bratu_beyond(int size, perp_arena *a, literature *out)
{
    return make_bratu_with(size, bratu_beyond, 2, a, out);
}

static bool make_bearing(int size, perp_arena *a, literature *out)
{
    double *lo, *hi, *start;
    grid *g = open_grid(size, a, out, &lo, &hi, &start);
    if (!g) return false;
    g->coefficients = bearing;
    g->source = bearing_source;
    for (int k = 0; k < g->n; k++) {
        lo[k] = 0;
        hi[k] = INFINITY;
    }
    return close_grid(g, out, lo, hi, start);
}

static bool make_convection(int size, perp_arena *a, literature *out)
{
    double *lo, *hi, *start;
    grid *g = open_grid(size, a, out, &lo, &hi, &start);
    if (!g) return false;
    g->coefficients = wind;
    g->source = reaction;
    for (int k = 0; k < g->n; k++) {
        lo[k] = -0.02;
        hi[k] = INFINITY;
    }
    return close_grid(g, out, lo, hi, start);
}

const literature_row literature_grid[] = {
    {.name = "obstacle",
     .about = "Dembo, Tulowitzki, Yale report (1983): a membrane over bumps",
     .n = 400,
     .make = make_obstacle,
     .unique = true},
    {.name = "obstacle_box",
     .about = "the same between two obstacles (Moré, Toraldo, Numerische Mathematik 55 (1989)), "
              "as a matrix",
     .n = 400,
     .make = make_obstacle_box,
     .unique = true},
    {.name = "torsion",
     .about = "Glowinski, Numerical Methods for Nonlinear Variational Problems (1984): elastic and "
              "plastic torsion",
     .n = 400,
     .make = make_torsion,
     .unique = true},
    {.name = "bratu",
     .about =
         "Bratu's equation, source 6 exp(u), under a ceiling (Miersemann, Mittelmann 1989); own "
         "numbers",
     .n = 400,
     .make = make_bratu},
    {.name = "bratu_beyond",
     .about = "the same with 12 exp(u), which has no solution but for the ceiling: not monotone",
     .n = 400,
     .make = make_bratu_beyond},
    {.name = "bearing",
     .about = "Cimatti, Applied Mathematics and Optimization 3 (1977): a journal bearing",
     .n = 400,
     .make = make_bearing,
     .unique = true},
    {.name = "convection",
     .about = "diffusion in a wind with a cubic reaction, not symmetric; own numbers",
     .n = 400,
     .make = make_convection,
     .unique = true},
    {0},
};
