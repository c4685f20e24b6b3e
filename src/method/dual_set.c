/* method/dual_set.c: a dual active-set method, a step at a time.
 * Goldfarb and Idnani, A numerically stable dual method for solving strictly convex quadratic
 * programs, Math. Programming 27 (1983).
 *
 * The objective rises with every constraint that has been driven to its bound, so that no set comes
 * twice, however degenerate the rows are. */
#include "dual_set.h"

#include "base/vector.h"
#include "linalg/lapack.h"

#include <float.h>

#define VIOLATED 1e-13  /* of the size of x and of the bound: more is a violation */
#define LOOSEST 1e-9    /* the same, of a row that depends on the others, ... */
#define LOOSE 1e-11     /* ... or nearly does */
#define WEAK 1e-8       /* what is left of a normal that may be rounding */
#define DEPENDENT 1e-12 /* what is left of a normal, over its length: nothing */
#define NO_SLOPE 1e-13  /* of the largest multiplier's: it does not fall */

static const int one = 1;
static const double plus = 1, zero = 0;

size_t perp_dual_doubles(int n, int m)
{
    return perp_working_set_doubles(n) + 5 * (size_t)n + 3 * (size_t)m;
}

size_t perp_dual_ints(int n, int m)
{
    return (size_t)n + ((size_t)n + (size_t)m + sizeof(int) - 1) / sizeof(int);
}

void perp_dual_open(perp_dual *s, const perp_constraint_rows *rows, double *doubles, int *ints)
{
    size_t n = (size_t)rows->n, m = (size_t)rows->m;
    *s = (perp_dual){.rows = rows, .entering = -1};
    perp_working_set_open(&s->set, rows->n, doubles, ints);
    s->value = doubles + perp_working_set_doubles(rows->n);
    s->y = s->value + n + m;
    s->d = s->y + n + m;
    s->r = s->d + n;
    s->z = s->r + n;
    s->slope = s->z + n;
    s->side = (signed char *)(ints + n);
    memset(s->y, 0, (n + m) * sizeof *s->y);
    memset(s->side, 0, n + m);
}

/* y = A'x */
static void multiply(const perp_constraint_rows *rows, const double *x, double *y)
{
    if (rows->m == 0) return;
    if (rows->n == 0)
        memset(y, 0, (size_t)rows->m * sizeof *y);
    else
        dgemv_("T", &rows->n, &rows->m, &plus, rows->A, &rows->n, x, &one, &zero, y, &one, 1);
}

void perp_dual_measure(perp_dual *s)
{
    multiply(s->rows, s->value, s->value + s->rows->n);
}

/* ---- one step ---- */

static void note_size(perp_dual *s)
{
    double size = vector_norm(s->rows->n, s->value);
    s->size = size > s->size ? size : s->size;
}

/* How far constraint i is from [lo, hi]; the sign says where. */
static double violation(const perp_dual *s, int i, double tol, double *sign)
{
    double lo = s->rows->lo[i], hi = s->rows->hi[i], v = s->value[i];
    *sign = v < lo ? 1 : -1;
    double bound = v < lo ? lo : hi, by = *sign * (bound - v);
    return by > tol * (fabs(bound) + s->size) ? by : 0;
}

/* The most violated constraint, equalities first. */
static bool choose(perp_dual *s)
{
    int count = s->rows->n + s->rows->m;
    double worst = 0, sign, tol = s->loose > VIOLATED ? s->loose : VIOLATED;
    bool equality = false;
    note_size(s);
    for (int i = 0; i < count; i++) {
        if (s->side[i] || (equality && !rows_is_equality(s->rows, i))) continue;
        double by = violation(s, i, tol, &sign);
        bool first = by > 0 && !equality && rows_is_equality(s->rows, i);
        if (!first && by <= worst) continue;
        equality |= first;
        worst = by;
        s->entering = i;
        s->sign = sign;
    }
    return worst > 0;
}

/* d = Q'a, z = Z d2, of the entering normal with its sign. */
static void find_direction(perp_dual *s)
{
    perp_working_set_project(&s->set, s->rows, s->entering, s->d);
    if (s->sign < 0) {
        for (int j = 0; j < s->rows->n; j++) s->d[j] = -s->d[j];
    }
    perp_working_set_lift(&s->set, s->d, s->z);
}

/* The multipliers of the set fall by r as the entering one rises. */
static void find_multipliers(perp_dual *s)
{
    memcpy(s->r, s->d, (size_t)s->set.R.k * sizeof *s->r);
    perp_updated_backward(&s->set.R, s->r);
}

/* The first multiplier to reach zero, and when; -1: none. */
static int block(const perp_dual *s, double *t)
{
    int at = -1, k = s->set.R.k;
    double least = NO_SLOPE * vector_max(k, s->r), rate = 0;
    *t = INFINITY;
    for (int p = 0; p < k; p++) {
        int i = s->set.set[p];
        double r = s->side[i] * s->r[p], y = fabs(s->y[i]);
        if (rows_is_equality(s->rows, i) || !(r > least)) continue;
        if (y > *t * r || (y == *t * r && r <= rate)) continue;
        *t = y / r;
        rate = r;
        at = p;
    }
    return at;
}

static void move_multipliers(perp_dual *s, double t)
{
    for (int p = 0; p < s->set.R.k; p++) {
        int i = s->set.set[p];
        double next = s->y[i] - t * s->r[p];
        bool wrong = !rows_is_equality(s->rows, i) && s->side[i] * next < 0;
        s->y[i] = wrong ? 0 : next;
    }
    s->y[s->entering] += s->sign * t;
}

static void move_point(perp_dual *s, double t)
{
    int n = s->rows->n;
    multiply(s->rows, s->z, s->slope);
    for (int j = 0; j < n; j++) s->value[j] += t * s->z[j];
    for (int i = 0; i < s->rows->m; i++) s->value[n + i] += t * s->slope[i];
}

void perp_dual_leave(perp_dual *s, int at)
{
    int i = s->set.set[at];
    s->side[i] = 0;
    s->y[i] = 0;
    perp_working_set_drop(&s->set, at, s->d);
}

static void enter(perp_dual *s)
{
    int i = s->entering;
    if (s->sign < 0) { /* the set has the normals as they are */
        for (int j = 0; j < s->rows->n; j++) {
            s->d[j] = -s->d[j];
            s->z[j] = -s->z[j];
        }
    }
    perp_working_set_add(&s->set, i, s->d, s->z);
    s->side[i] = s->sign > 0 ? 1 : -1;
    s->value[i] = rows_bound(s->rows, i, s->side[i]);
    s->entering = -1;
}

/* |Z'a|^2, zero where the normal depends on the set. */
static double independence(const perp_dual *s, double tol)
{
    int k = s->set.R.k;
    double whole = vector_norm(s->rows->n, s->d), left = vector_norm(s->rows->n - k, s->d + k);
    return left > tol * whole ? left * left : 0;
}

/* Let the entering constraint be, if its violation is at most so large. */
static bool let_be(perp_dual *s, double most)
{
    double sign, by = violation(s, s->entering, 0, &sign);
    double bound = s->sign > 0 ? s->rows->lo[s->entering] : s->rows->hi[s->entering];
    double part = by / (fabs(bound) + s->size);
    if (!(part <= most)) return false;
    s->loose = 2 * part;
    s->y[s->entering] = 0; /* it is not in the set */
    s->entering = -1;
    return true;
}

bool perp_dual_loosen(perp_dual *s)
{
    return let_be(s, LOOSEST);
}

perp_dual_step perp_dual_advance(perp_dual *s)
{
    if (s->entering < 0) {
        if (!choose(s)) return PERP_DUAL_FEASIBLE;
        find_direction(s);
    }
    if (independence(s, WEAK) == 0 && let_be(s, LOOSE)) return PERP_DUAL_MOVED;
    double left = independence(s, DEPENDENT), blocked, sign;
    double by = violation(s, s->entering, 0, &sign);
    double full = left > 0 ? by / left : INFINITY;
    find_multipliers(s);
    int at = block(s, &blocked);
    if (left == 0 && !(blocked < INFINITY)) return PERP_DUAL_INFEASIBLE; /* y / r may overflow */
    double t = blocked < full ? blocked : full;
    if (left > 0) move_point(s, t);
    move_multipliers(s, t);
    if (blocked < full) {
        perp_dual_leave(s, at);
        perp_working_set_lift(&s->set, s->d, s->z);
    } else {
        enter(s);
    }
    return PERP_DUAL_MOVED;
}

/* ---- sets from outside ---- */

bool perp_dual_join(perp_dual *s, int i, int side, double tol)
{
    if (s->set.R.k == s->rows->n || s->side[i]) return false;
    perp_working_set_project(&s->set, s->rows, i, s->d);
    if (independence(s, tol > DEPENDENT ? tol : DEPENDENT) == 0) return false;
    perp_working_set_lift(&s->set, s->d, s->z);
    perp_working_set_add(&s->set, i, s->d, s->z);
    s->side[i] = (signed char)side;
    return true;
}

void perp_dual_hold(perp_dual *s, const signed char *side)
{
    int n = s->rows->n, last = n;
    memset(s->set.Q, 0, (size_t)n * (size_t)n * sizeof *s->set.Q);
    memset(s->side, 0, (size_t)n + (size_t)s->rows->m);
    memset(s->d, 0, (size_t)n * sizeof *s->d);
    s->set.R.k = 0;
    s->entering = -1;
    for (int j = 0; j < n; j++) {
        if (!side[j]) {
            working_column(&s->set, --last)[j] = 1;
            continue;
        }
        working_column(&s->set, s->set.R.k)[j] = 1;
        s->set.set[s->set.R.k] = j;
        perp_updated_push(&s->set.R, s->d, 1);
        s->side[j] = side[j];
        s->value[j] = rows_bound(s->rows, j, side[j]);
    }
}

/* With dx = Y v + Z u: R'v = b - N'x, u = -Z'(g - N y), and R dy = Y'(g - N y) + v. */
void perp_dual_correct(perp_dual *s, const double *g)
{
    int n = s->rows->n, k = s->set.R.k;
    note_size(s);
    memcpy(s->z, g, (size_t)n * sizeof *s->z);
    for (int p = 0; p < k; p++) {
        int i = s->set.set[p];
        rows_add_normal(s->rows, i, -s->y[i], s->z);
        s->r[p] = rows_bound(s->rows, i, s->side[i]) - s->value[i];
    }
    perp_working_set_split(&s->set, s->z, s->d);
    perp_updated_forward(&s->set.R, s->r);
    for (int j = 0; j < n; j++) {
        double range = s->d[j] + (j < k ? s->r[j] : 0);
        s->d[j] = j < k ? s->r[j] : -s->d[j];
        if (j < k) s->r[j] = range;
    }
    perp_updated_backward(&s->set.R, s->r);
    for (int p = 0; p < k; p++) s->y[s->set.set[p]] += s->r[p];
    perp_working_set_range(&s->set, s->d, s->z);
    for (int j = 0; j < n; j++) s->value[j] += s->z[j];
    perp_working_set_lift(&s->set, s->d, s->z);
    for (int j = 0; j < n; j++) s->value[j] += s->z[j];
    perp_dual_measure(s);
}

/* ---- the proof ---- */

void perp_dual_proof(perp_dual *s, double *proof)
{
    int n = s->rows->n, k = s->set.R.k;
    double *rest = s->z;
    for (int pass = 0; pass < 2; pass++) { /* r is refined once */
        memset(rest, 0, (size_t)n * sizeof *rest);
        rows_add_normal(s->rows, s->entering, s->sign, rest);
        for (int p = 0; p < k; p++) rows_add_normal(s->rows, s->set.set[p], -s->r[p], rest);
        perp_working_set_split(&s->set, rest, s->d);
        perp_updated_backward(&s->set.R, s->d);
        for (int p = 0; p < k; p++) s->r[p] += s->d[p];
    }
    memset(proof, 0, ((size_t)n + (size_t)s->rows->m) * sizeof *proof);
    for (int p = 0; p < k; p++) {
        int i = s->set.set[p];
        bool wrong = !rows_is_equality(s->rows, i) && s->side[i] * s->r[p] > 0;
        proof[i] = wrong ? 0 : -s->r[p];
    }
    proof[s->entering] = s->sign;
}
