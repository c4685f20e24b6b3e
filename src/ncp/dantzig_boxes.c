/* ncp/dantzig_boxes.c: Dantzig's principal pivoting for symmetric positive semidefinite M with two
 * bounds. Dantzig (1961) and Cottle & Dantzig (1968), there for z >= 0; Judice & Pires, Basic-set
 * algorithm for a generalized linear complementarity problem, J. Optim. Theory Appl. 74 (1992), for
 * bounds.
 *
 * The index whose w has the worst wrong sign moves until its w is zero, and joins the set, or until
 * it meets its other bound; an index of the set that meets a bound on the way stays there. z'Mz/2 +
 * q'z falls. A pivot costs two triangular solves with the updated factor of M_aa and, shared by up
 * to PRICED of them, a product with M. Memory: the factor's k^2 (n^2 where M is dense), 8n numbers.
 */
#include "dantzig_boxes.h"

#include "base/vector.h"
#include "core/internal.h"
#include "linalg/principal_submatrix.h"

#include <float.h>
#include <string.h>

#define SYMMETRY 1e-10          /* relative */
#define ROUNDED 1e-5            /* the same, of sums of products in single precision */
#define DEPENDENT 1e-12         /* what is left of a diagonal entry, over its size: nothing */
#define INDEFINITE 1e-9         /* and less than minus this: M is not semidefinite */
#define NOISE (4 * DBL_EPSILON) /* of w, over the largest q: zero */
#define SMALL 1e-10             /* of w, over the largest q: may be rounding */
#define PRICED 8                /* indices driven between two products with M */
#define REFINEMENTS 3           /* of the set's z, at most */

/* ---- opening ---- */

perp_status perp_dantzig_boxes_open(perp_dantzig_boxes *b, perp_run *run)
{
    const perp_map *F = &run->problem->as.mcp.F;
    perp_arena *a = run->arena;
    int n = F->n, i = 0, j = 0;
    *b = (perp_dantzig_boxes){.run = run, .n = n, .M = F->M, .q = F->q};
    double *vectors = PERP_ALLOC(run, double, 8 * (size_t)n);
    if (a->failed || (F->M.format == PERP_FORMAT_CSC && perp_sort_csc(&F->M, a, &b->M)))
        return PERP_E_MEMORY;
    double **each[] = {&b->lo, &b->hi, &b->z, &b->w, &b->v, &b->y, &b->x, &b->to};
    for (int k = 0; k < 8; k++) *each[k] = n ? vectors + (size_t)k * (size_t)n : vectors;
    perp_status s = perp_symmetry(&b->M, SYMMETRY, a, &i, &j);
    b->rounded = s == PERP_STALLED;
    if (b->rounded) s = perp_symmetry(&b->M, ROUNDED, a, &i, &j);
    if (s == PERP_STALLED)
        return perp_fail(run, PERP_E_NUMBER,
                         "M is not symmetric: M[%d][%d] and M[%d][%d] differ, and pivots on the "
                         "diagonal need that",
                         i, j, j, i);
    if (s || !perp_active_factor_open(&b->a, &b->M, a)) return PERP_E_MEMORY;
    double size = vector_max(n, b->q);
    b->tiny = NOISE * size;
    b->small = SMALL * size;
    return PERP_SOLVED;
}

static void shift_dense(const struct perp_dense_view *M, int n, double part, double *x)
{
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            double above = M->x[(size_t)j * (size_t)M->ld + (size_t)i];
            double below = M->x[(size_t)i * (size_t)M->ld + (size_t)j];
            x[(size_t)j * (size_t)n + (size_t)i] =
                i == j ? above * (1 + part) : (above + below) / 2;
        }
    }
}

/* next: scratch. An entry without its mirror image stays as it is. */
static void shift_csc(const struct perp_csc_view *M, int n, double part, int *next, double *x)
{
    memcpy(next, M->p, (size_t)n * sizeof *next);
    for (int j = 0; j < n; j++) {
        for (int e = M->p[j]; e < M->p[j + 1]; e++) {
            int i = M->i[e];
            while (next[i] < M->p[i + 1] && M->i[next[i]] < j) next[i]++;
            bool mirrored = next[i] < M->p[i + 1] && M->i[next[i]] == j;
            double other = mirrored ? M->x[next[i]] : M->x[e];
            x[e] = i == j ? M->x[e] * (1 + part) : (M->x[e] + other) / 2;
        }
    }
}

bool perp_dantzig_boxes_shift(perp_dantzig_boxes *b, const perp_matrix *given, double part)
{
    int n = b->n, count = b->a.u.k;
    bool dense = given->format == PERP_FORMAT_DENSE;
    size_t entries = dense ? (size_t)n * (size_t)n : n ? (size_t)given->as.csc.p[n] : 0;
    if (!b->shifted) b->shifted = perp_alloc_unset(b->run->arena, entries, sizeof *b->shifted);
    if (!b->shifted) return false;
    if (dense) {
        shift_dense(&given->as.dense, n, part, b->shifted);
        b->M = perp_dense(n, n, b->shifted);
    } else if (n) {
        shift_csc(&given->as.csc, n, part, b->a.list, b->shifted);
        b->M = perp_csc(n, n, given->as.csc.p, given->as.csc.i, b->shifted);
    }
    for (int j = 0; j < n; j++) b->a.diagonal[j] = perp_diagonal(&b->M, j);
    if (count) memcpy(b->a.list, b->a.set, (size_t)count * sizeof *b->a.list);
    return perp_active_factor_assign(&b->a, count, b->a.list, DEPENDENT);
}

static bool outside(const perp_dantzig_boxes *b, int i)
{
    return b->a.place[i] < 0;
}

static double project(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

void perp_dantzig_boxes_slack(perp_dantzig_boxes *b)
{
    perp_mul(&b->M, 1, b->z, 0, b->w);
    for (int i = 0; i < b->n; i++) b->w[i] += b->q[i];
}

/* w_i from scratch, by column i: M is symmetric. */
static double slack(const perp_dantzig_boxes *b, int i)
{
    double w = b->q[i];
    if (b->M.format == PERP_FORMAT_DENSE) {
        const double *m = b->M.as.dense.x + (size_t)i * (size_t)b->M.as.dense.ld;
        for (int j = 0; j < b->n; j++) w += m[j] * b->z[j];
        return w;
    }
    const struct perp_csc_view *c = &b->M.as.csc;
    for (int e = c->p[i]; e < c->p[i + 1]; e++) w += c->x[e] * b->z[c->i[e]];
    return w;
}

bool perp_dantzig_boxes_take(perp_dantzig_boxes *b)
{
    int count = 0;
    for (int i = 0; i < b->n; i++) {
        if (b->z[i] > b->lo[i] && b->z[i] < b->hi[i] && b->z[i] != 0) b->a.list[count++] = i;
    }
    return perp_active_factor_assign(&b->a, count, b->a.list, DEPENDENT);
}

/* ---- a start ---- */

/* Those of the set that are not between their bounds leave; true: some did. */
static bool evict(perp_dantzig_boxes *b)
{
    bool some = false;
    for (int p = b->a.u.k - 1; p >= 0; p--) {
        int i = b->a.set[p];
        double z = project(b->z[i], b->lo[i], b->hi[i]);
        if (z == b->z[i] && b->lo[i] < b->hi[i]) continue;
        b->z[i] = z;
        perp_active_factor_drop(&b->a, p, NULL);
        some = true;
    }
    return some;
}

/* z_a for w_a = 0, refined. */
static void find_vertex(perp_dantzig_boxes *b)
{
    double before, size = INFINITY;
    for (int k = 0; k <= REFINEMENTS; k++) {
        perp_dantzig_boxes_slack(b);
        before = size;
        size = 0;
        for (int p = 0; p < b->a.u.k; p++) size = fmax(size, fabs(b->w[b->a.set[p]]));
        if (size <= b->tiny || size > before / 2) return;
        perp_active_factor_correct(&b->a, b->w, b->z);
    }
    perp_dantzig_boxes_slack(b);
}

static void enter_bounds(perp_dantzig_boxes *b)
{
    for (int i = 0; i < b->n; i++) {
        if (outside(b, i)) b->z[i] = project(b->z[i], b->lo[i], b->hi[i]);
    }
    do find_vertex(b);
    while (evict(b));
}

/* ---- pivots ---- */

/* As z_i moves by 1, z_a moves by -v. Returns the size of the terms that make up `left`. */
static double find_direction(perp_dantzig_boxes *b, int i)
{
    double size = b->a.diagonal[i];
    memcpy(b->v, b->y, (size_t)b->a.u.k * sizeof *b->v);
    perp_updated_backward(&b->a.u, b->v);
    for (int p = 0; p < b->a.u.k; p++) size += b->v[p] * b->v[p] * b->a.diagonal[b->a.set[p]];
    return size;
}

/* The first of the set to meet a bound before t, the lowest index among equals; -1: none. */
static int block(const perp_dantzig_boxes *b, double *t)
{
    int at = -1;
    const int *set = b->a.set;
    for (int p = 0; p < b->a.u.k; p++) {
        int j = set[p];
        double rate = -b->sign * b->v[p];
        if (rate == 0) continue;
        double r = (rate > 0 ? b->hi[j] - b->z[j] : b->lo[j] - b->z[j]) / rate;
        if (r < *t || (r == *t && at >= 0 && j < set[at])) {
            *t = r > 0 ? r : 0;
            at = p;
        }
    }
    return at;
}

static void move(perp_dantzig_boxes *b, int i, double t)
{
    double step = b->sign * t;
    for (int p = 0; p < b->a.u.k; p++) {
        int j = b->a.set[p];
        b->z[j] = project(b->z[j] - step * b->v[p], b->lo[j], b->hi[j]);
    }
    b->z[i] += step;
}

/* The index at place `at`, which has met a bound, leaves. */
static void leave(perp_dantzig_boxes *b, int at)
{
    int j = b->a.set[at];
    b->z[j] = -b->sign * b->v[at] > 0 ? b->hi[j] : b->lo[j];
    double last = perp_active_factor_drop(&b->a, at, b->y);
    b->left += last * last;
}

/* Move z_i, with w_i = w of the wrong sign, until that is mended. *moved: something did move. */
static perp_dantzig_boxes_end drive(perp_dantzig_boxes *b, int i, double w, bool *moved)
{
    b->driven = i;
    b->sign = w < 0 ? 1 : -1;
    b->left = perp_active_factor_reduce(&b->a, i, b->y);
    while (perp_continue(b->run, NULL, INFINITY)) {
        double size = find_direction(b, i);
        b->size = size;
        if (b->left < -INDEFINITE * size) return PERP_DANTZIG_BOXES_INDEFINITE;
        bool flat = b->left <= DEPENDENT * size;
        if (flat && fabs(w) <= b->small) return PERP_DANTZIG_BOXES_DONE; /* nothing but rounding */
        double t = flat ? INFINITY : fabs(w) / b->left;
        double own = b->sign > 0 ? b->hi[i] - b->z[i] : b->z[i] - b->lo[i];
        bool crosses = own <= t;
        if (crosses) t = own;
        int at = block(b, &t);
        if (!(t < INFINITY)) return isnan(t) ? PERP_DANTZIG_BOXES_STUCK : PERP_DANTZIG_BOXES_RAY;
        *moved |= t > 0;
        move(b, i, t);
        w += flat ? 0 : b->sign * t * b->left;
        if (at >= 0) {
            leave(b, at);
        } else if (crosses) {
            b->z[i] = b->sign > 0 ? b->hi[i] : b->lo[i];
            return PERP_DANTZIG_BOXES_DONE;
        } else {
            bool room = perp_active_factor_push(&b->a, i, b->y, b->left);
            return room ? PERP_DANTZIG_BOXES_DONE : PERP_DANTZIG_BOXES_NO_MEMORY;
        }
    }
    return PERP_DANTZIG_BOXES_STOPPED;
}

/* How wrong w_i is: 0 where its sign is right, or z_i cannot move that way. */
static double wrong(const perp_dantzig_boxes *b, int i, double w)
{
    if (w < -b->tiny) return b->z[i] < b->hi[i] ? -w : 0;
    if (w > b->tiny) return b->z[i] > b->lo[i] ? w : 0;
    return 0;
}

/* The indices whose w is most wrong against their rows, the worst first. */
static int price(const perp_dantzig_boxes *b, int *chosen)
{
    double worst[PRICED] = {0};
    int count = 0;
    for (int i = 0; i < b->n; i++) {
        double w = outside(b, i) ? wrong(b, i, b->w[i]) : 0;
        if (w == 0) continue;
        w = b->a.diagonal[i] > 0 ? w / sqrt(b->a.diagonal[i]) : INFINITY;
        if (count == PRICED && w <= worst[PRICED - 1]) continue;
        int at = count < PRICED ? count++ : PRICED - 1;
        for (; at > 0 && worst[at - 1] < w; at--) {
            worst[at] = worst[at - 1];
            chosen[at] = chosen[at - 1];
        }
        worst[at] = w;
        chosen[at] = i;
    }
    return count;
}

perp_dantzig_boxes_end perp_dantzig_boxes_solve(perp_dantzig_boxes *b)
{
    int chosen[PRICED], count, small = 0, idle = 0;
    enter_bounds(b);
    while ((count = price(b, chosen)) > 0) {
        for (int k = 0; k < count; k++) {
            int i = chosen[k];
            double w = k > 0 ? slack(b, i) : b->w[i];
            if (!outside(b, i) || wrong(b, i, w) == 0) continue;
            bool moved = false;
            small = fabs(w) > b->small ? 0 : small + 1;
            if (small > b->n)
                return PERP_DANTZIG_BOXES_DONE; /* rounding may be driven in circles */
            perp_dantzig_boxes_end e = drive(b, i, w, &moved);
            if (e != PERP_DANTZIG_BOXES_DONE) return e;
            idle = moved ? 0 : idle + 1;
            if (idle > 2 * b->n) return PERP_DANTZIG_BOXES_STUCK;
        }
        perp_dantzig_boxes_slack(b);
    }
    find_vertex(b);
    return PERP_DANTZIG_BOXES_DONE;
}

/* ---- a proof ---- */

perp_status perp_dantzig_boxes_prove(perp_dantzig_boxes *b)
{
    double *y = PERP_ALLOC(b->run, double, b->n);
    if (b->run->arena->failed) return PERP_E_MEMORY;
    y[b->driven] = b->sign;
    for (int p = 0; p < b->a.u.k; p++) y[b->a.set[p]] = -b->sign * b->v[p];
    perp_mul(&b->M, 1, y, 0, b->x); /* zero on the set but for rounding: one step takes it away */
    perp_active_factor_correct(&b->a, b->x, y);
    for (int i = 0; i < b->n; i++) {
        if (b->hi[i] < INFINITY && y[i] > 0) y[i] = 0;
        if (b->lo[i] > -INFINITY && y[i] < 0) y[i] = 0;
    }
    perp_status s = perp_prove(b->run, PERP_INFEASIBLE, y);
    if (s == PERP_E_MEMORY) return s;
    if (s)
        return perp_fail(b->run, PERP_STALLED,
                         "z[%d] diverges, but its direction proves nothing: M is nearly singular",
                         b->driven);
    b->run->proof = y;
    return perp_fail(b->run, PERP_INFEASIBLE,
                     "no z has the signs of M z + q that its bounds ask for; w holds the proof");
}
