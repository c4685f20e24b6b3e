/* method/linear_path.c: complementary pivoting on a sparse basis; linear_path.h has the method.
 * Lemke 1965; Cottle, Pang, Stone, The Linear Complementarity Problem (1992), section 4.4; Dirkse,
 * Ferris, The PATH solver, Optimization Methods and Software 5 (1995).
 *
 * A pivot solves with the basis once, looks at every row, and exchanges one column. Brent's method
 * (BIT 20, 1980) on 64-bit signatures of the bases notices one that returns. */
#include "linear_path.h"

#include "base/clones.h"
#include "base/vector.h"

#include <float.h>
#include <limits.h>

#define NEGLIGIBLE 1e-11 /* a pivot this small against its column is rounding */
#define UNSAFE 1e-8      /* of tied rows, none with a pivot this small against the best */
#define NOISE 1e-13      /* rounding of x against its largest entry */
#define DOUBTFUL 1e4     /* a gap below so many times the noise may be a tie in exact data */
#define LANES 8

bool perp_linear_path_open(perp_linear_path *t, perp_arena *arena, int n, const int *p,
                           const int *i, const double *x, const double *q, const double *lo,
                           const double *hi)
{
    size_t size = ((size_t)n + LANES) / LANES * LANES; /* padded with zeros */
    *t = (perp_linear_path){.n = n, .q = q, .lo = lo, .hi = hi, .noise = NOISE};
    double **const vectors[] = {&t->d, &t->at, &t->x,    &t->low, &t->high,
                                &t->p, &t->a,  &t->p_of, &t->work};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        *vectors[k] = perp_alloc(arena, size, sizeof(double));
    }
    t->in = perp_alloc(arena, size, sizeof *t->in);
    t->place = perp_alloc(arena, 2 * size + 1, sizeof *t->place);
    t->tied = perp_alloc(arena, size, sizeof *t->tied);
    return perp_basis_open(&t->basis, arena, n, p, i, x, t->d);
}

/* ---- variables ---- */

static void find_bounds(const perp_linear_path *t, int variable, double *low, double *high)
{
    int n = t->n;
    if (variable == 2 * n) {
        *low = 0;
        *high = INFINITY;
    } else if (variable >= n) {
        *low = t->lo[variable - n];
        *high = t->hi[variable - n];
    } else {
        bool at_lo = t->at[variable] <= t->lo[variable], at_hi = t->at[variable] >= t->hi[variable];
        *low = at_lo ? -INFINITY : 0;
        *high = at_hi ? INFINITY : 0;
    }
}

double perp_linear_path_value(const perp_linear_path *t, int variable)
{
    int s = t->place[variable];
    if (s >= 0) return t->x[s];
    return variable < t->n ? 0 : variable < 2 * t->n ? t->at[variable - t->n] : t->t;
}

double perp_linear_path_rate(const perp_linear_path *t, int variable)
{
    int s = t->place[variable];
    if (s >= 0) return -t->sign * t->a[s];
    return variable == t->entering ? t->sign : 0;
}

/* 64 well-mixed bits of a number. */
static uint64_t mix(uint64_t v)
{
    uint64_t s = (v + 1) * UINT64_C(0x9E3779B97F4A7C15);
    s = (s ^ (s >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    s = (s ^ (s >> 27)) * UINT64_C(0x94D049BB133111EB);
    return s ^ (s >> 31);
}

/* ---- the basis ---- */

/* -q - (nonbasic columns) */
static void find_rhs(const perp_linear_path *t, double *rows)
{
    int n = t->n;
    for (int i = 0; i < n; i++) rows[i] = -t->q[i];
    for (int i = 0; i < n; i++) {
        if (t->place[n + i] < 0 && t->at[i] != 0) {
            perp_basis_add(&t->basis, n + i, -t->at[i], rows);
        }
    }
    if (t->place[2 * n] < 0 && t->t != 0) perp_basis_add(&t->basis, 2 * n, -t->t, rows);
}

/* Everything by slots, after a factorisation. */
static void read_slots(perp_linear_path *t)
{
    int n = t->n;
    for (int v = 0; v <= 2 * n; v++) t->place[v] = -1;
    for (int s = 0; s < n; s++) {
        t->place[t->basis.head[s]] = s;
        find_bounds(t, t->basis.head[s], &t->low[s], &t->high[s]);
    }
    find_rhs(t, t->work);
    perp_basis_solve(&t->basis, t->work, t->x);
    perp_basis_solve(&t->basis, t->p_of, t->p);
}

/* A basis of these variables. Nothing is done where their factor is there. */
static perp_basis_status factor(perp_linear_path *t, const int *variables)
{
    bool same = t->factored && t->basis.updates == 0;
    for (int s = 0; same && s < t->n; s++) same = t->place[variables[s]] >= 0;
    if (same) return PERP_BASIS_DONE;
    perp_basis_status status = perp_basis_factor(&t->basis, variables);
    t->factored = status == PERP_BASIS_DONE;
    return status;
}

perp_basis_status perp_linear_path_factor(perp_linear_path *t)
{
    int n = t->n;
    for (int i = 0; i < n; i++) {
        t->tied[i] = t->in[i] ? n + i : i;
        t->p_of[i] = 0;
    }
    t->t = 0;
    perp_basis_status status = factor(t, t->tied);
    if (!status) read_slots(t);
    return status;
}

void perp_linear_path_forget(perp_linear_path *t)
{
    t->factored = false;
}

double perp_linear_path_cover(perp_linear_path *t, const double *cover)
{
    double most = 0, *c = t->work;
    for (int s = 0; s < t->n; s++) {
        double length = cover ? cover[s] : 1;
        bool below = t->low[s] > -INFINITY, above = t->high[s] < INFINITY;
        c[s] = below && !above ? -length : above && !below ? length : 0;
        if (c[s] < 0) most = fmax(most, (t->low[s] - t->x[s]) / length);
        if (c[s] > 0) most = fmax(most, (t->x[s] - t->high[s]) / length);
    }
    for (int i = 0; i < t->n; i++) t->d[i] = 0;
    perp_basis_multiply(&t->basis, c, t->d);
    return most;
}

/* A perturbation that moves every basic variable away from the nearer bound, by 1 to 2. */
static void perturb(perp_linear_path *t)
{
    for (int s = 0; s < t->n; s++) {
        double size = 1 + 0x1p-53 * (double)(mix((uint64_t)t->basis.head[s]) >> 11);
        bool below =
            t->x[s] - t->low[s] <= t->high[s] - t->x[s]; /* false where both are infinite */
        t->p[s] = below ? size : -size;
    }
    for (int i = 0; i < t->n; i++) t->p_of[i] = 0;
    perp_basis_multiply(&t->basis, t->p, t->p_of);
}

void perp_linear_path_begin(perp_linear_path *t, double t0)
{
    int n = t->n;
    t->entering = 2 * n;
    t->sign = -1;
    t->t = t0;
    perp_basis_column(&t->basis, 2 * n, t->a);
    for (int s = 0; s < n; s++) t->x[s] -= t0 * t->a[s];
    perturb(t);
    t->basis_now = t->seen = 0;
    t->pivots = 0;
    t->next = 1;
}

/* ---- the ratio test ---- */

PERP_CLONED(double, largest, (int n, const double *x), (n, x))
{
    double most[LANES] = {0}, result = 0;
    for (int i = 0; i < n; i += LANES) {
        for (int k = 0; k < LANES; k++) {
            double a = fabs(x[i + k]);
            most[k] = a > most[k] ? a : most[k];
        }
    }
    for (int k = 0; k < LANES; k++) result = most[k] > result ? most[k] : result;
    return result;
}

/* How far a basic variable is from the bound that it moves to, r its rate. */
PERP_INLINED double gap_of(double r, double x, double low, double high)
{
    double gap = r < 0 ? x - low : high - x;
    return gap > 0 ? gap : 0;
}

/* The largest |r| / (gap + noise); its reciprocal is the least ratio. noise > 0. */
PERP_CLONED(double, largest_rate,
            (int n, double sign, const double *a, const double *x, const double *low,
             const double *high, double small, double noise),
            (n, sign, a, x, low, high, small, noise))
{
    double most[LANES] = {0}, result = 0;
    for (int i = 0; i < n; i += LANES) {
        for (int k = 0; k < LANES; k++) {
            double r = -sign * a[i + k], size = fabs(r);
            double gap = gap_of(r, x[i + k], low[i + k], high[i + k]);
            double rate = (size > small ? size : 0) / (gap + noise);
            most[k] = rate > most[k] ? rate : most[k];
        }
    }
    for (int k = 0; k < LANES; k++) result = most[k] > result ? most[k] : result;
    return result;
}

/* Slots that may leave: those whose ratio is at most `least`. Returns how many. */
static int find_ties(perp_linear_path *t, double least, double small, double noise)
{
    int count = 0, kept = 0;
    double best = 0, wide = DOUBTFUL * noise;
    for (int s = 0; s < t->n; s++) {
        double r = -t->sign * t->a[s], size = fabs(r);
        double beyond = gap_of(r, t->x[s], t->low[s], t->high[s]) - least * size;
        if (beyond > wide || size <= small) continue;
        if (beyond > 0) {
            t->doubtful = true;
            continue;
        }
        t->tied[count++] = s;
        best = fmax(best, size);
    }
    for (int k = 0; k < count; k++) {
        int s = t->tied[k];
        if (fabs(t->a[s]) >= UNSAFE * best || t->basis.head[s] == 2 * t->n) t->tied[kept++] = s;
    }
    return kept;
}

/* The slot that leaves first with the perturbation; t before all others. */
static int break_ties(const perp_linear_path *t, int count)
{
    int best = t->tied[0];
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
        int s = t->tied[k];
        if (t->basis.head[s] == 2 * t->n) return s;
        double r = -t->sign * t->a[s], ratio = (r < 0 ? t->p[s] : -t->p[s]) / fabs(r);
        if (ratio < least) {
            least = ratio;
            best = s;
        }
    }
    return best;
}

/* How far the entering variable may move before it meets its own bound. */
static double own_range(const perp_linear_path *t)
{
    int n = t->n, e = t->entering;
    if (e == 2 * n) return t->sign < 0 ? t->t : INFINITY;
    if (e < n) return INFINITY;
    return t->sign > 0 ? t->hi[e - n] - t->at[e - n] : t->at[e - n] - t->lo[e - n];
}

/* ---- a pivot ---- */

/* y_i enters as z_i stops at its bound; it goes where the sign of F is right. */
static void enter_slack(perp_linear_path *t, int i, bool at_hi)
{
    t->at[i] = at_hi ? t->hi[i] : t->lo[i];
    t->entering = i;
    t->sign = at_hi ? 1 : -1;
}

PERP_CLONED_VOID(move, (int n, double step, const double *restrict a, double *restrict x),
                 (n, step, a, x))
{
    for (int s = 0; s < n; s++) x[s] -= step * a[s];
}

/* The entering variable comes to its own bound before any other. */
static perp_linear_path_step flip(perp_linear_path *t, double range)
{
    int n = t->n, e = t->entering;
    move(n, t->sign * range, t->a, t->x);
    if (e == 2 * n) {
        t->t = 0;
        return PERP_LINEAR_PATH_SOLUTION;
    }
    enter_slack(t, e - n, t->sign > 0);
    return PERP_LINEAR_PATH_PIVOTED;
}

/* Is this the basis of some pivots ago? As in method/lemke.c. */
static bool returned(perp_linear_path *t)
{
    bool same = t->basis_now == t->seen;
    if (++t->pivots == t->next) {
        t->seen = t->basis_now;
        t->next = t->next < INT_MAX / 2 ? 2 * t->next : INT_MAX;
    }
    return same;
}

static perp_linear_path_step refactor(perp_linear_path *t)
{
    perp_basis_status status = factor(t, t->basis.head);
    if (status == PERP_BASIS_MEMORY) return PERP_LINEAR_PATH_MEMORY;
    if (status) return PERP_LINEAR_PATH_SINGULAR;
    read_slots(t);
    return PERP_LINEAR_PATH_PIVOTED;
}

/* The variable in slot s leaves for the entering one, after a step. */
static void exchange_values(perp_linear_path *t, int s, double step)
{
    double ratio = t->p[s] / t->a[s], start = perp_linear_path_value(t, t->entering);
    move(t->n, t->sign * step, t->a, t->x);
    move(t->n, ratio, t->a, t->p);
    t->x[s] = start + t->sign * step;
    t->p[s] = ratio;
}

/* What enters after `out` left, moving at rate r. */
static void choose_entering(perp_linear_path *t, int out, double r)
{
    int n = t->n;
    if (out >= n) {
        enter_slack(t, out - n, r > 0);
    } else {
        t->entering = n + out;
        t->sign = r > 0 ? 1 : -1;
    }
}

static perp_linear_path_step exchange(perp_linear_path *t, int s, double step)
{
    int out = t->basis.head[s], in = t->entering;
    double r = -t->sign * t->a[s];
    bool fresh = t->basis.updates == 0;
    perp_basis_status status = perp_basis_exchange(&t->basis, s, in, t->a);
    if (status == PERP_BASIS_MEMORY) return PERP_LINEAR_PATH_MEMORY;
    if (status == PERP_BASIS_REFACTOR && !fresh) {
        perp_linear_path_step again = refactor(t);
        return again == PERP_LINEAR_PATH_PIVOTED ? perp_linear_path_pivot(t) : again;
    }
    exchange_values(t, s, step);
    t->place[in] = s;
    t->place[out] = -1;
    find_bounds(t, in, &t->low[s], &t->high[s]);
    t->basis_now ^= mix((uint64_t)in) ^ mix((uint64_t)out);
    if (out == 2 * t->n) {
        t->t = 0;
        return PERP_LINEAR_PATH_SOLUTION;
    }
    choose_entering(t, out, r);
    if (status == PERP_BASIS_REFACTOR) { /* so ill-conditioned that no update would do */
        t->basis.head[s] = in;
        t->factored = false;
        return refactor(t);
    }
    return returned(t) ? PERP_LINEAR_PATH_CYCLE : PERP_LINEAR_PATH_PIVOTED;
}

perp_linear_path_step perp_linear_path_pivot(perp_linear_path *t)
{
    int padded = (t->n + LANES - 1) / LANES * LANES;
    perp_basis_column(&t->basis, t->entering, t->a);
    double range = own_range(t), all = fmax(largest(padded, t->a), DBL_MIN);
    double noise = fmax(t->noise * largest(padded, t->x), DBL_MIN);
    double small = fmax(NEGLIGIBLE, t->noise) * all;
    if (!isfinite(all)) return PERP_LINEAR_PATH_SINGULAR;
    double most = largest_rate(padded, t->sign, t->a, t->x, t->low, t->high, small, noise);
    if (most == 0 || range * most <= 1) {
        return range < INFINITY ? flip(t, range) : PERP_LINEAR_PATH_RAY;
    }
    /* its own row is at `least` but for the rounding of the quotient */
    int count = find_ties(t, (1 + 4 * DBL_EPSILON) / most, small, noise);
    if (count == 0) return PERP_LINEAR_PATH_RAY;
    int s = break_ties(t, count);
    double r = -t->sign * t->a[s], step = gap_of(r, t->x[s], t->low[s], t->high[s]) / fabs(r);
    return exchange(t, s, fmin(step, range));
}

/* ---- the end ---- */

bool perp_linear_path_polish(perp_linear_path *t)
{
    perp_linear_path_step step = refactor(t);
    if (step != PERP_LINEAR_PATH_PIVOTED) return false;
    double *rows = t->work, *correction = t->a;
    for (int s = 0; s < t->n; s++) correction[s] = -t->x[s];
    find_rhs(t, rows);
    perp_basis_multiply(&t->basis, correction, rows);
    perp_basis_solve(&t->basis, rows, correction);
    for (int s = 0; s < t->n; s++) t->x[s] += correction[s];
    return true;
}

bool perp_linear_path_polish_ray(perp_linear_path *t)
{
    if (refactor(t) != PERP_LINEAR_PATH_PIVOTED) return false;
    perp_basis_column(&t->basis, t->entering, t->a);
    return vector_is_finite((size_t)t->n, t->a);
}
