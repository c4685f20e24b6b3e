/* generate/literature_other.c: a minimal surface over an obstacle, bounded control, and the film of
 * oil between two rollers. */
#include "literature_parts.h"

/* ---- a minimal surface over an obstacle: no Jacobian is given ---- */

typedef struct surface {
    int side, n;
    double h;
    int *p, *i;
} surface;

/* On the frame: 0, but for two sides, which are arched. */
static double height(const surface *g, const double *u, int row, int column)
{
    bool inside = row >= 0 && column >= 0 && row < g->side && column < g->side;
    double x = (column + 1) * g->h;
    return inside ? u[row * g->side + column] : row < 0 || row >= g->side ? 4 * x * (1 - x) : 0;
}

/* Slope of the area of the triangle (corner, east or west, north or south) by its corner's height,
 * and by the two others'. */
static void add_triangle(double hh, double corner, double a, double b, double f[3])
{
    double da = a - corner, db = b - corner, area = sqrt(hh + da * da + db * db);
    f[0] = -(da + db) / area;
    f[1] = da / area;
    f[2] = db / area;
}

static bool surface_eval(void *ctx, const double *u, double *F)
{
    const surface *g = ctx;
    double hh = g->h * g->h, f[3];
    for (int row = 0; row < g->side; row++) {
        for (int column = 0; column < g->side; column++) {
            double c = height(g, u, row, column), e = height(g, u, row, column + 1);
            double w = height(g, u, row, column - 1), n = height(g, u, row + 1, column);
            double s = height(g, u, row - 1, column), nw = height(g, u, row + 1, column - 1);
            double se = height(g, u, row - 1, column + 1), sum = 0;
            add_triangle(hh, c, e, n, f);
            sum += f[0];
            add_triangle(hh, c, w, s, f);
            sum += f[0];
            add_triangle(hh, w, c, nw, f);
            sum += f[1]; /* corner west: c east, north-west north */
            add_triangle(hh, s, se, c, f);
            sum += f[2];
            add_triangle(hh, e, c, se, f);
            sum += f[1];
            add_triangle(hh, n, nw, c, f);
            sum += f[2];
            F[row * g->side + column] = g->h * sum;
        }
    }
    return true;
}

/* Seven points: the five, north-west and south-east. */
static void surface_pattern(surface *g)
{
    static const int rows[7] = {-1, -1, 0, 0, 0, 1, 1}, columns[7] = {0, 1, -1, 0, 1, -1, 0};
    for (int k = 0, e = 0; k < g->n; k++) {
        for (int t = 0; t < 7; t++) {
            int row = k / g->side + rows[t], column = k % g->side + columns[t];
            if (row < 0 || column < 0 || row >= g->side || column >= g->side) continue;
            g->i[e++] = row * g->side + column;
        }
        g->p[k + 1] = e;
    }
}

static bool make_surface(int size, perp_arena *a, literature *out)
{
    int side = (int)floor(sqrt(size) + 0.5);
    if (side < 2) side = 2;
    if (side > 15000) return false;
    size_t n = (size_t)side * (size_t)side;
    surface *g = perp_alloc(a, 1, sizeof *g);
    int *p = perp_alloc(a, n + 1, sizeof *p), *i = perp_alloc(a, 7 * n, sizeof *i);
    double *lo = perp_alloc(a, n, sizeof *lo), *start = perp_alloc(a, 3 * n, sizeof *start);
    if (a->failed) return false;
    *g = (surface){.side = side, .n = (int)n, .h = 1.0 / (side + 1), .p = p, .i = i};
    surface_pattern(g);
    for (int k = 0; k < g->n; k++) {
        double x = (k % side + 1) * g->h, y = (k / side + 1) * g->h;
        lo[k] = fabs(x - 0.5) < 0.25 && fabs(y - 0.5) < 0.25 ? 1 : 0;
        start[k] = lo[k];
        start[g->n + k] = 1;
        start[2 * g->n + k] = 0.1;
    }
    perp_map F = {.n = g->n, .eval = surface_eval, .ctx = g};
    F.pattern = perp_csc(g->n, g->n, p, i, NULL);
    out->p = (perp_problem){.kind = PERP_KIND_MCP, .as.mcp = {.F = F, .lo = lo}};
    out->n = g->n;
    out->starts = 3;
    out->start = start;
    return true;
}

/* ---- control: x'' = u - x - x^3 / 2 from rest, |u| <= 1, to be near 1 at the end ---- */

/* States x, multipliers y, controls u of each time step, in this order; steps of h. With the mean
 * cost h (x - 1)^2 / 2 + h u^2 / 20, and x_(t+1) - 2 x_t + x_(t-1) = h^2 (u_t - x_t - x_t^3 / 2).
 */
typedef struct control {
    int steps;
    double h;
    int *p, *i;
} control;

static double past(const double *x, int steps, int t)
{
    return t >= 0 && t < steps ? x[3 * t] : 0;
}

static bool control_eval(void *ctx, const double *z, double *F)
{
    const control *c = ctx;
    double hh = c->h * c->h;
    const double *x = z, *y = z + 1, *u = z + 2;
    for (int t = 0; t < c->steps; t++) {
        /* row t of the equation ties x_t, x_(t-1), x_(t-2), and u, x at t - 1 */
        double before = past(x, c->steps, t - 1), force = past(u, c->steps, t - 1);
        double later = past(y, c->steps, t + 1), latest = past(y, c->steps, t + 2), own = x[3 * t];
        F[3 * t] = c->h * (own - 1) + y[3 * t] - later * (2 - hh * (1 + 1.5 * own * own)) + latest;
        F[3 * t + 1] = -(own - 2 * before + past(x, c->steps, t - 2) -
                         hh * (force - before - 0.5 * before * before * before));
        F[3 * t + 2] = 0.1 * c->h * u[3 * t] - hh * later;
    }
    return true;
}

/* Each column: at most the twelve unknowns around. */
static void control_pattern(control *c)
{
    int n = 3 * c->steps, e = 0;
    for (int j = 0; j < n; j++) {
        int first = 3 * (j / 3 - 2), last = 3 * (j / 3 + 2) + 2;
        for (int i = first < 0 ? 0 : first; i <= last && i < n; i++) c->i[e++] = i;
        c->p[j + 1] = e;
    }
}

static bool make_control(int size, perp_arena *a, literature *out)
{
    int steps = size / 3 > 2 ? size / 3 : 2;
    if (steps > 10000000) return false;
    size_t n = 3 * (size_t)steps;
    control *c = perp_alloc(a, 1, sizeof *c);
    int *p = perp_alloc(a, n + 1, sizeof *p), *i = perp_alloc(a, 15 * n, sizeof *i);
    double *lo = perp_alloc(a, n, sizeof *lo), *hi = perp_alloc(a, n, sizeof *hi);
    double *start = perp_alloc(a, 3 * n, sizeof *start);
    if (a->failed) return false;
    *c = (control){.steps = steps, .h = 4.0 / steps, .p = p, .i = i};
    control_pattern(c);
    for (size_t k = 0; k < n; k++) {
        lo[k] = k % 3 == 2 ? -1 : -INFINITY;
        hi[k] = k % 3 == 2 ? 1 : INFINITY;
        start[n + k] = 1;
        start[2 * n + k] = k % 3 == 0 ? -2 : 0;
    }
    perp_map F = {.n = (int)n, .eval = control_eval, .ctx = c};
    F.pattern = perp_csc((int)n, (int)n, p, i, NULL);
    out->p = (perp_problem){.kind = PERP_KIND_MCP, .as.mcp = {.F = F, .lo = lo, .hi = hi}};
    out->n = (int)n;
    out->starts = 3;
    out->start = start;
    return true;
}

/* ---- elastohydrodynamic lubrication ---- */

#define FILM 30 /* pressures; the last unknown is the gap k that carries the load */

/* Reynolds' equation with viscosity exp(a p), film x^2 + k - (2/pi) int p(s) ln|x - s| ds, load
 * int p = pi / 2; x from -3 to 2. */
static void film(const number *z, number *F)
{
    static const double alpha = 1.5, lambda = 6.057, from = -3, to = 2, pi = 3.14159265358979323846;
    double dx = (to - from) / (FILM + 1);
    number h[FILM + 2], load = -pi / 2;
    for (int i = 0; i < FILM + 2; i++) {
        double x = from + i * dx;
        h[i] = x * x + z[FILM];
        for (int j = 1; j <= FILM; j++) {
            double far = i == j ? log(0.5 * dx) - 1 : log(fabs((i - j) * dx));
            h[i] -= 2 / pi * dx * far * z[j - 1];
        }
    }
    for (int i = 1; i <= FILM; i++) {
        number before = i > 1 ? z[i - 2] : 0, p = z[i - 1], after = i < FILM ? z[i] : 0;
        number left = 0.5 * (h[i - 1] + h[i]), right = 0.5 * (h[i] + h[i + 1]);
        left = left * left * left * cexp(-0.5 * alpha * (before + p));
        right = right * right * right * cexp(-0.5 * alpha * (p + after));
        F[i - 1] = (left * (p - before) - right * (after - p)) / dx + lambda * (h[i] - h[i - 1]);
        load += dx * p;
    }
    F[FILM] = load;
}

static const double film_lo[FILM + 1] = {[FILM] = -NO};
static const double film_starts[][FILM + 1] = {
    {[10] = 0.1,
     [11] = 0.3,
     [12] = 0.5,
     [13] = 0.7,
     [14] = 0.8,
     [15] = 0.9,
     [16] = 1,
     [17] = 1,
     [18] = 0.9,
     [19] = 0.8,
     [20] = 0.6,
     [21] = 0.4,
     [22] = 0.2,
     [FILM] = 1},
    {[FILM] = 1},
    {[15] = 1, [16] = 1, [17] = 1, [18] = 1, [FILM] = 2}};

const literature_row literature_other[] = {
    {.name = "surface",
     .about = "a minimal surface over an obstacle (Dolan, Moré, Munson, COPS, 2004), without its "
              "Jacobian",
     .n = 400,
     .make = make_surface,
     .unique = true},
    {.name = "control",
     .about =
         "optimal control of an oscillator with bounds on the force, without its Jacobian; own "
         "numbers",
     .n = 150,
     .make = make_control},
    {.name = "film",
     .about = "Kostreva, J. Optimization Theory and Applications 43 (1984): elastohydrodynamic "
              "lubrication; own numbers",
     .n = FILM + 1,
     .map = film,
     .lo = film_lo,
     STARTS(film_starts)},
    {0},
};
