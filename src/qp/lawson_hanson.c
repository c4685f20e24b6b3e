/* qp/lawson_hanson.c: nonnegative least squares by an active set and an updated QR.
 * Lawson, Hanson, Solving Least Squares Problems (1974), chapter 23; Daniel, Gragg, Kaufman,
 * Stewart, Reorthogonalization and stable algorithms for updating the Gram-Schmidt QR
 * factorization, Math. Comp. 30 (1976).
 *
 * The passive columns are kept as Q R: one that joins is made orthogonal to Q twice, one that
 * leaves does so by rotations. A'A is never formed, so that columns may be as near to dependence as
 * double precision can tell; that is what this solver is for. Where b is nearly in the span of the
 * passive columns, r = b - A x is made orthogonal to them once more: what is left is that of a b
 * that differs by rounding, and its slopes are as exact as it. A pivot costs 8 m k flops and a
 * product with A'. A column that would not get a positive x, or depends on the passive ones, is
 * refused until x moves, which keeps rounding from running in circles.
 *
 * Memory: m k + k^2 numbers for k passive columns, growing with k, and 3 n + 2 m. */
#include "base/cache.h"
#include "base/vector.h"
#include "core/defaults.h"
#include "linalg/gram.h"
#include "linalg/lapack.h"
#include "linalg/updated_chol.h"
#include "nnls_scaled.h"
#include "perp/solver.h"

#include <float.h>

#define DEPENDENT (64 * DBL_EPSILON) /* what is left of a column, over its norm */
#define NOISE (16 * DBL_EPSILON)     /* of a_j'r over |a_j| and the terms of r: not positive */
#define SMALL 1e-12                  /* may be rounding */
#define NEARLY 1e-4                  /* r against its terms: rounding in it may count */
#define FIRST_ROOM 32                /* columns of Q */
#define REFINED 1e-14                /* residual that needs no further refinement */

typedef enum state { ACTIVE, REFUSED, PASSIVE, ZERO } state;
typedef enum ending { DONE, STOPPED, NO_MEMORY } ending;

typedef struct squares {
    perp_run *run;
    const perp_nnls *p;
    int m, n, rank; /* rank: the most there can be */
    perp_gram gram;
    char *state;
    double *x, *g, *norm; /* g = A'r; norms of the columns, 0: not known */
    double *r;            /* b - A x */
    double size;          /* terms of r */
    double noise;         /* slopes below it may be rounding */
    perp_updated u;       /* R; u.k passive columns, u.ld of them have room */
    double *Q, *Qb, *s;   /* m x k; Q'b; the least squares of the passive columns */
    double *h;            /* scratch, k */
    int *passive;         /* in the order of Q */
} squares;

static const int unit = 1;
static const double plus = 1, minus = -1, zero = 0;

static double *column_of(const squares *q, int k)
{
    return q->Q + (size_t)k * (size_t)q->m;
}

static bool is_free(const squares *q, int j)
{
    return q->p->is_free && q->p->is_free[j];
}

/* ---- opening ---- */

/* Room for `most` passive columns; what there is moves. */
static bool make_room(squares *q, int most)
{
    perp_arena *a = q->run->arena;
    size_t k = (size_t)q->u.k, room = (size_t)most, m = (size_t)q->m;
    double *memory = perp_alloc_unset(a, perp_updated_doubles(most), sizeof *memory);
    double *Q = perp_alloc_unset(a, m * room, sizeof *Q);
    double *three = perp_alloc_unset(a, 3 * room, sizeof *three);
    if (a->failed) return false;
    if (q->Q) {
        memcpy(Q, q->Q, m * k * sizeof *Q);
        memcpy(three, q->Qb, k * sizeof *three);
        memcpy(three + room, q->s, k * sizeof *three);
        perp_updated_grow(&q->u, most, memory);
    } else {
        perp_updated_open(&q->u, most, memory);
    }
    q->Q = Q;
    q->Qb = three;
    q->s = three + room;
    q->h = three + 2 * room;
    return true;
}

static void find_norm(squares *q, int j)
{
    double square = perp_gram_square(&q->gram, j);
    q->norm[j] = sqrt(square);
    q->state[j] = square > 0 && isfinite(square) ? ACTIVE : ZERO;
}

static int next_room(const squares *q, int room)
{
    return 2 * room < q->rank ? 2 * room : q->rank;
}

/* In a run of perp_bytes: Q and R as they grow. */
static void count_growth(squares *q)
{
    perp_arena *a = q->run->arena;
    for (int room = q->u.ld; a->counting && room < q->rank;) {
        room = next_room(q, room);
        perp_count(a, perp_updated_doubles(room), sizeof(double));
        perp_count(a, perp_count_product((size_t)q->m, (size_t)room), sizeof(double));
        perp_count(a, 3 * (size_t)room, sizeof(double));
    }
}

static perp_status open_squares(squares *q, perp_run *run)
{
    const perp_nnls *p = &run->problem->as.nnls;
    int m = p->A.m, n = p->A.n;
    *q = (squares){.run = run, .p = p, .m = m, .n = n, .rank = m < n ? m : n};
    q->state = PERP_ALLOC(run, char, n);
    q->x = PERP_ALLOC(run, double, n);
    q->g = PERP_ALLOC(run, double, n);
    q->norm = PERP_ALLOC(run, double, n);
    q->r = PERP_ALLOC(run, double, m);
    q->passive = PERP_ALLOC(run, int, q->rank);
    if (run->arena->failed || !perp_gram_open(&q->gram, &p->A, run->arena)) return PERP_E_MEMORY;
    if (!make_room(q, q->rank < FIRST_ROOM ? q->rank : FIRST_ROOM)) return PERP_E_MEMORY;
    count_growth(q);
    for (int j = 0; j < n && p->A.format != PERP_FORMAT_OPERATOR; j++) find_norm(q, j);
    return PERP_SOLVED;
}

/* ---- columns join and leave ---- */

/* v = a_j */
static void copy_column(squares *q, int j, double *v)
{
    memset(v, 0, (size_t)q->m * sizeof *v);
    perp_gram_add(&q->gram, 1, &j, 1, &plus, v);
}

/* Column j joins Q R; 1: done, 0: it depends on those already there, -1: no memory. `from` is b, or
 * what it is without its part in the span of Q. */
static int append(squares *q, int j, const double *from)
{
    int k = q->u.k;
    if (k == q->rank) return 0;
    if (k == q->u.ld && !make_room(q, next_room(q, k))) return -1;
    if (q->norm[j] == 0) find_norm(q, j);
    double *v = column_of(q, k), *y = perp_updated_room(&q->u);
    copy_column(q, j, v);
    memset(y, 0, (size_t)k * sizeof *y);
    for (int pass = 0; pass < 2 && k > 0; pass++) {
        dgemv_("T", &q->m, &k, &plus, q->Q, &q->m, v, &unit, &zero, q->h, &unit, 1);
        dgemv_("N", &q->m, &k, &minus, q->Q, &q->m, q->h, &unit, &plus, v, &unit, 1);
        for (int p = 0; p < k; p++) y[p] += q->h[p];
    }
    double left = vector_norm(q->m, v), sum = 0;
    if (!(left > DEPENDENT * q->norm[j])) return 0;
    for (int i = 0; i < q->m; i++) {
        v[i] /= left;
        sum += v[i] * from[i];
    }
    q->Qb[k] = sum;
    y[k] = left;
    q->u.k++;
    q->passive[k] = j;
    q->state[j] = PASSIVE;
    return 1;
}

/* The column at place `at` leaves: R, Q'b and the columns of Q are rotated alike. */
static void drop(squares *q, int at)
{
    int last = q->u.k - 1, j = q->passive[at];
    q->state[j] = ACTIVE;
    q->x[j] = 0;
    perp_updated_delete(&q->u, at, q->Qb);
    for (int p = at; p < last; p++) {
        double c = q->u.cosine[p], s = q->u.sine[p], *a = column_of(q, p), *b = column_of(q, p + 1);
        for (int i = 0; i < q->m; i++) {
            double t = c * a[i] + s * b[i];
            b[i] = c * b[i] - s * a[i];
            a[i] = t;
        }
        q->passive[p] = q->passive[p + 1];
    }
}

/* s = R^-1 Q'b */
static void solve_passive(squares *q)
{
    memcpy(q->s, q->Qb, (size_t)q->u.k * sizeof *q->s);
    perp_updated_backward(&q->u, q->s);
}

/* ---- moves ---- */

/* From x >= 0 towards s, as far as x stays >= 0. Returns the place of the column that is in the
 * way, the first of equals; -1: x = s. */
static int move(squares *q)
{
    double step = 1;
    int block = -1;
    for (int p = 0; p < q->u.k; p++) {
        int j = q->passive[p];
        if (q->s[p] > 0 || is_free(q, j)) continue;
        double t = q->x[j] / (q->x[j] - q->s[p]);
        t = t > 0 ? t : 0; /* 0 / 0, too */
        if (block < 0 || t < step) {
            step = t;
            block = p;
        }
    }
    for (int p = 0; p < q->u.k; p++) {
        double *x = &q->x[q->passive[p]];
        *x = block < 0 ? q->s[p] : *x + step * (q->s[p] - *x);
        if (!is_free(q, q->passive[p]) && !(*x > 0)) *x = 0;
    }
    return block;
}

/* All passive x to s, columns leaving on the way. Each move takes one out, so this ends. */
static void settle(squares *q)
{
    for (solve_passive(q);; solve_passive(q)) {
        int block = move(q);
        if (block < 0) return;
        drop(q, block);
    }
}

static void readmit(squares *q)
{
    for (int j = 0; j < q->n; j++) q->state[j] = q->state[j] == REFUSED ? ACTIVE : q->state[j];
}

/* Column j becomes passive, and x the least squares again. */
static ending join(squares *q, int j)
{
    int joined = append(q, j, q->r);
    if (joined < 0) return NO_MEMORY;
    if (joined == 0) {
        if (q->state[j] != ZERO) q->state[j] = REFUSED;
        return DONE;
    }
    solve_passive(q);
    if (!(q->s[q->u.k - 1] > 0)) { /* the angle was acute by rounding only */
        q->u.k--;
        q->state[j] = REFUSED;
        return DONE;
    }
    settle(q);
    readmit(q);
    return DONE;
}

/* r = b - A x */
static void find_rest(squares *q)
{
    q->size = vector_norm(q->m, q->p->b);
    memcpy(q->r, q->p->b, (size_t)q->m * sizeof *q->r);
    for (int p = 0; p < q->u.k; p++) {
        int j = q->passive[p];
        q->h[p] = q->x[j];
        q->size += fabs(q->x[j]) * q->norm[j];
    }
    perp_gram_add(&q->gram, q->u.k, q->passive, -1, q->h, q->r);
    q->noise = NOISE * q->size;
}

/* r less its part in the span of Q, where x is the least squares of the passive columns. */
static void project_rest(squares *q)
{
    int k = q->u.k;
    double before = vector_norm(q->m, q->r);
    if (k == 0 || before > NEARLY * q->size) return;
    for (int pass = 0; pass < 2; pass++) {
        dgemv_("T", &q->m, &k, &plus, q->Q, &q->m, q->r, &unit, &zero, q->h, &unit, 1);
        dgemv_("N", &q->m, &k, &minus, q->Q, &q->m, q->h, &unit, &plus, q->r, &unit, 1);
    }
    double left = vector_norm(q->m, q->r);
    if (left > q->noise) q->noise = NOISE * left;
}

/* g = A'r */
static void find_slopes(squares *q, bool at_least_squares)
{
    find_rest(q);
    if (at_least_squares) project_rest(q);
    perp_mul_t(&q->p->A, 1, q->r, 0, q->g);
}

/* The column at the smallest angle to r; -1: none has an acute one beyond rounding. */
static int find_entering(const squares *q, double *slope)
{
    int found = -1;
    *slope = q->noise;
    for (int j = 0; j < q->n; j++) {
        if (q->state[j] != ACTIVE || !(q->g[j] > 0) || is_free(q, j)) continue;
        double s = q->g[j] / (q->norm[j] > 0 ? q->norm[j] : 1);
        if (s > *slope) {
            *slope = s;
            found = j;
        }
    }
    return found;
}

/* All free x, and the positive ones of a warm start. */
static ending start(squares *q, const double *z)
{
    bool warm = q->run->options->warm_start;
    for (int turn = 0; turn < 2; turn++) {
        for (int j = 0; j < q->n; j++) {
            bool in = turn == 0 ? is_free(q, j) : warm && !is_free(q, j) && z[j] > 0;
            if (!in || q->state[j] == ZERO) continue;
            if (append(q, j, q->p->b) < 0) return NO_MEMORY;
            if (q->state[j] == PASSIVE && turn) q->x[j] = z[j];
        }
    }
    settle(q);
    return DONE;
}

static ending walk(squares *q)
{
    int small = 0;
    double slope;
    while (perp_continue(q->run, NULL, INFINITY)) {
        find_slopes(q, true);
        int j = find_entering(q, &slope);
        if (j < 0) return DONE;
        small = slope > SMALL * q->size ? 0 : small + 1;
        if (small > q->n) return DONE; /* it may be rounding that goes in circles */
        ending e = join(q, j);
        if (e != DONE) return e;
    }
    return STOPPED;
}

/* ---- the end ---- */

/* |min(x, w)|, scaled. */
static double measure(squares *q)
{
    double sum = 0;
    find_slopes(q, false);
    for (int j = 0; j < q->n; j++) {
        double w = -q->g[j], least = is_free(q, j) || w < q->x[j] ? w : q->x[j];
        sum += least * least;
    }
    return sqrt(sum) / perp_scale(q->run);
}

/* x += R^-1 Q'r */
static void refine(squares *q)
{
    dgemv_("T", &q->m, &q->u.k, &plus, q->Q, &q->m, q->r, &unit, &zero, q->s, &unit, 1);
    perp_updated_backward(&q->u, q->s);
    for (int p = 0; p < q->u.k; p++) {
        double *x = &q->x[q->passive[p]];
        *x += q->s[p];
        if (!is_free(q, q->passive[p]) && !(*x > 0)) *x = 0;
    }
}

/* x refined while that helps; the best is in z. Returns its residual. */
static double finish(squares *q, double *z)
{
    double best = INFINITY;
    for (;; refine(q)) {
        double before = best, estimate = measure(q);
        if (estimate < best) {
            best = estimate;
            memcpy(z, q->x, (size_t)q->n * sizeof *z);
        }
        if (!(best > REFINED && best < before / 2) || q->u.k == 0) return best;
    }
}

static perp_status solve(perp_run *run, double *z)
{
    squares q;
    perp_status s;
    if (perp_nnls_scaled(run, NNLS_ANY_SPREAD, z, &s)) return s;
    s = open_squares(&q, run);
    if (s) return s;
    ending e = start(&q, z);
    if (e == DONE) e = walk(&q);
    if (e == NO_MEMORY) return PERP_E_MEMORY;
    double estimate = finish(&q, z);
    if (e == STOPPED || !perp_continue(run, z, estimate)) return run->status;
    return perp_fail(run, PERP_STALLED,
                     "rounding errors exceed the gradients that choose the next column");
}

static const perp_solver solver = {
    .name = "nnls/lawson_hanson",
    .about = "active set with an updated QR, for ill-conditioned A (Lawson, Hanson 1974)",
    .kind = PERP_KIND_NNLS,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_OPERATOR},
    .flags = PERP_SOLVER_CHEAP_CERTIFICATE,
    .options_size = sizeof(perp_plain_options),
    .solve = solve,
    .room = perp_room_none,
};

const perp_plain_options perp_nnls_lawson_hanson = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 1000000, .threads = 1},
};
