/* method/avi_path.c: affine variational inequalities by following a path of solutions.
 * Lemke, Bimatrix equilibrium points and mathematical programming, Management Sci. 11 (1965), in
 * the null space of a working set as Fletcher (1971) has it; Rockafellar, Monotone operators and
 * the proximal point algorithm, SIAM J. Control Optim. 14 (1976), for what e stands for.
 *
 * After a constraint has joined, its multiplier must grow from zero, and after one has left, x must
 * move off it: that says which way t goes. Memory 4 n^2 numbers and those of the dual method. */
#include "avi_path.h"

#include "base/vector.h"
#include "linalg/dense.h"
#include "linalg/lapack.h"

#include <stdint.h>

#define SINGULAR 1e-13 /* 1/cond of the reduced matrix */
#define NOTHING 1e-14  /* of t */
#define PIVOT 1e-12    /* slope, over the largest, that is none */

static const int one = 1;
static const double plus = 1, zero = 0;

size_t perp_avi_doubles(int n, int m)
{
    size_t size = (size_t)n;
    return perp_dual_doubles(n, m) + 2 * size * size + 12 * size + 2 * (size_t)m;
}

size_t perp_avi_ints(int n, int m)
{
    return perp_dual_ints(n, m) + 2 * (size_t)n;
}

void perp_avi_open(perp_avi *p, const perp_constraint_rows *rows, const double *H, int ld,
                   const double *c, double *doubles, int *ints)
{
    size_t n = (size_t)rows->n, m = (size_t)rows->m;
    *p = (perp_avi){.H = H, .c = c, .ld = ld > 0 ? ld : 1, .event = -1};
    perp_dual_open(&p->s, rows, doubles, ints);
    doubles += perp_dual_doubles(rows->n, rows->m);
    double **each[] = {&p->anchor, &p->v, &p->F, &p->rate, &p->x, &p->y};
    for (int k = 0; k < 6; k++, doubles += n) *each[k] = doubles;
    p->shift = doubles;
    p->slope = p->shift + n + m;
    p->B = p->slope + n + m;
    p->HZ = p->B + n * n; /* and 4 n behind it */
    p->pivot = ints + perp_dual_ints(rows->n, rows->m);
    memset(p->s.set.Q, 0, n * n * sizeof *p->s.set.Q);
    for (size_t j = 0; j < n; j++) p->s.set.Q[j * n + j] = 1;
}

/* y = (H + e I) x */
static void multiply(const perp_avi *p, const double *x, double *y)
{
    const int n = p->s.rows->n;
    if (n == 0) return;
    memcpy(y, x, (size_t)n * sizeof *y);
    dgemv_("N", &n, &n, &plus, p->H, &p->ld, x, &one, &p->prox, y, &one, 1);
}

static void find_force(perp_avi *p)
{
    multiply(p, p->s.value, p->F);
    for (int j = 0; j < p->s.rows->n; j++) p->F[j] += p->c[j] - p->prox * p->anchor[j];
}

/* In [0.5, 1.5), without pattern, the same every time. */
static double made_up(int i)
{
    uint64_t s = ((uint64_t)i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    s ^= s >> 29;
    s *= UINT64_C(0xBF58476D1CE4E5B9);
    s ^= s >> 32;
    s *= UINT64_C(0x94D049BB133111EB);
    return 0.5 + (double)(s >> 11) * 0x1p-53;
}

void perp_avi_begin(perp_avi *p)
{
    const perp_constraint_rows *rows = p->s.rows;
    int n = rows->n, all = n + rows->m;
    double size = vector_norm(n, p->s.value) + 1;
    memcpy(p->anchor, p->s.value, (size_t)n * sizeof *p->anchor);
    perp_dual_measure(&p->s);
    find_force(p);
    for (int j = 0; j < n; j++) p->v[j] = -p->F[j];
    for (int i = 0; i < all; i++) {
        if (p->s.side[i]) rows_add_normal(rows, i, p->s.y[i], p->v);
        p->shift[i] = p->s.side[i] || rows_is_equality(rows, i) ? 0 : size * made_up(i);
    }
    p->t = 1;
    p->event = -1;
    p->changes = 0;
}

/* ---- the direction as t falls by 1 ---- */

/* B = Zf'(H + e I) Zf, factored. */
static bool factor(perp_avi *p)
{
    const int n = p->s.rows->n, nz = n - p->s.set.R.k;
    const double *Z = working_column(&p->s.set, n - nz);
    if (nz == 0) return true;
    if (!perp_dense_product(n, nz, n, p->H, p->ld, Z, n, 0, p->HZ, n, p->watch)) return false;
    if (!perp_dense_product_t(nz, nz, n, Z, n, p->HZ, n, p->B, nz, p->watch)) return false;
    for (int j = 0; j < nz; j++) p->B[(size_t)j * (size_t)(nz + 1)] += p->prox;
    double norm = perp_norm1(nz, nz, p->B, nz);
    if (perp_lu_factor(nz, p->B, nz, p->pivot, p->watch)) return false;
    return perp_lu_rcond(nz, p->B, nz, norm, p->HZ, p->pivot + n) > SINGULAR;
}

/* dx with N'dx = r, and Zf'((H + e I) dx - f) = 0; then R dy = Y'((H + e I) dx - f). r and f are
 * overwritten, dx and dy written; dy in the set's order. */
static void solve_set(perp_avi *p, double *r, double *f, double *dx, double *dy)
{
    int n = p->s.rows->n, k = p->s.set.R.k;
    double *d = p->s.d, *step = p->s.z;
    perp_updated_forward(&p->s.set.R, r);
    perp_working_set_range(&p->s.set, r, dx);
    multiply(p, dx, step);
    for (int j = 0; j < n; j++) step[j] = f[j] - step[j];
    perp_working_set_split(&p->s.set, step, d);
    if (k < n) perp_lu_solve(n - k, p->B, n - k, p->pivot, false, 1, d + k);
    perp_working_set_lift(&p->s.set, d, step);
    for (int j = 0; j < n; j++) dx[j] += step[j];
    multiply(p, dx, step);
    for (int j = 0; j < n; j++) step[j] -= f[j];
    perp_working_set_split(&p->s.set, step, d);
    perp_updated_backward(&p->s.set.R, d);
    memcpy(dy, d, (size_t)k * sizeof *dy);
}

static void find_direction(perp_avi *p)
{
    const perp_constraint_rows *rows = p->s.rows;
    const int n = rows->n;
    for (int q = 0; q < p->s.set.R.k; q++) {
        int i = p->s.set.set[q];
        p->x[q] = p->s.side[i] * p->shift[i];
    }
    memcpy(p->y, p->v, (size_t)n * sizeof *p->y);
    solve_set(p, p->x, p->y, p->slope, p->rate);
    if (rows->m > 0)
        dgemv_("T", &n, &rows->m, &plus, rows->A, &n, p->slope, &one, &zero, p->slope + n, &one, 1);
}

/* The place of a constraint in the set. */
static int place_of(const perp_avi *p, int i)
{
    int q = 0;
    while (p->s.set.set[q] != i) q++;
    return q;
}

/* How the room of constraint i on a side changes. */
static double room_rate(const perp_avi *p, int i, int side)
{
    return side * p->slope[i] - p->shift[i];
}

/* 1: t falls, -1: it grows; 0: the last change does not say. */
static int orient(const perp_avi *p)
{
    if (p->event < 0) return 1;
    int side = p->s.side[p->event];
    double sure = side ? side * p->rate[place_of(p, p->event)] : room_rate(p, p->event, p->left);
    return sure > 0 ? 1 : sure < 0 ? -1 : 0;
}

/* ---- where it ends ---- */

typedef struct stop {
    double length;
    int i, side; /* i < 0: t = 0; side 0: multiplier of i is zero, else it is met there */
} stop;

static double room(const perp_avi *p, int i, int side)
{
    double bound = rows_bound(p->s.rows, i, side);
    return side * (p->s.value[i] - bound) + p->t * p->shift[i];
}

static void meet(const perp_avi *p, int i, int side, int way, double least, stop *first)
{
    double rate = way * room_rate(p, i, side), space = room(p, i, side);
    if (!(rate < -least) || isinf(space)) return;
    double length = space > 0 ? space / -rate : 0;
    if (length < first->length) *first = (stop){length, i, side};
}

static stop find_stop(const perp_avi *p, int way)
{
    const perp_constraint_rows *rows = p->s.rows;
    stop first = {way > 0 ? p->t : INFINITY, -1, 0};
    double least = PIVOT * (vector_norm(rows->n, p->slope) + vector_max(rows->n, p->shift));
    double flat = PIVOT * vector_max(p->s.set.R.k, p->rate);
    for (int i = 0; i < rows->n + rows->m; i++) {
        if (p->s.side[i] || rows_is_equality(rows, i)) continue;
        meet(p, i, 1, way, least, &first);
        meet(p, i, -1, way, least, &first);
    }
    for (int q = 0; q < p->s.set.R.k; q++) {
        int i = p->s.set.set[q];
        double rate = way * p->s.side[i] * p->rate[q], y = p->s.side[i] * p->s.y[i];
        if (rows_is_equality(rows, i) || !(rate < -flat)) continue;
        double length = y > 0 ? y / -rate : 0;
        if (length < first.length) first = (stop){length, i, 0};
    }
    return first;
}

static void move(perp_avi *p, double length)
{
    int all = p->s.rows->n + p->s.rows->m;
    for (int i = 0; i < all; i++) p->s.value[i] += length * p->slope[i];
    for (int q = 0; q < p->s.set.R.k; q++) p->s.y[p->s.set.set[q]] += length * p->rate[q];
    p->t -= length;
}

static void drop(perp_avi *p, int i)
{
    p->left = p->s.side[i];
    p->event = i;
    perp_dual_leave(&p->s, place_of(p, i));
}

/* The normal of constraint i depends on the set, a = N r: its multiplier grows while those of the
 * set fall by r, until one is zero and leaves. x and t stay. False: none does. */
static bool exchange(perp_avi *p, int i, int side)
{
    double *r = p->s.r, least = INFINITY;
    int at = -1, k = p->s.set.R.k;
    perp_working_set_project(&p->s.set, p->s.rows, i, r);
    perp_updated_backward(&p->s.set.R, r);
    double flat = PIVOT * vector_max(k, r);
    for (int q = 0; q < k; q++) {
        int j = p->s.set.set[q];
        double rate = side * p->s.side[j] * r[q], y = p->s.side[j] * p->s.y[j];
        if (rows_is_equality(p->s.rows, j) || !(rate > flat) || !(y < least * rate)) continue;
        least = y > 0 ? y / rate : 0;
        at = q;
    }
    if (at < 0) return false;
    for (int q = 0; q < k; q++) p->s.y[p->s.set.set[q]] -= side * least * r[q];
    drop(p, p->s.set.set[at]);
    if (!perp_dual_join(&p->s, i, side, 0)) return false;
    p->s.y[i] = side * least;
    return true;
}

static bool change(perp_avi *p, const stop *s)
{
    p->changes++;
    if (!s->side) {
        drop(p, s->i);
        return true;
    }
    p->event = s->i;
    return perp_dual_join(&p->s, s->i, s->side, 0) || exchange(p, s->i, s->side);
}

static perp_avi_step end_path(perp_avi *p)
{
    p->t = 0;
    return PERP_AVI_SOLUTION;
}

perp_avi_step perp_avi_advance(perp_avi *p)
{
    if (!factor(p)) return PERP_AVI_SINGULAR;
    find_direction(p);
    int way = orient(p);
    if (way == 0) return PERP_AVI_SINGULAR;
    stop s = find_stop(p, way);
    if (isinf(s.length)) return PERP_AVI_RAY;
    move(p, way * s.length);
    if (s.i < 0 || p->t <= NOTHING) return end_path(p);
    return change(p, &s) ? PERP_AVI_MOVED : PERP_AVI_SINGULAR;
}

bool perp_avi_polish(perp_avi *p)
{
    double prox = p->prox;
    p->prox = 0;
    bool regular = factor(p);
    for (int pass = 0; regular && pass < 3; pass++) {
        perp_dual_measure(&p->s);
        find_force(p);
        for (int q = 0; q < p->s.set.R.k; q++) {
            int i = p->s.set.set[q];
            p->x[q] = rows_bound(p->s.rows, i, p->s.side[i]) - p->s.value[i];
            rows_add_normal(p->s.rows, i, -p->s.y[i], p->F);
        }
        for (int j = 0; j < p->s.rows->n; j++) p->y[j] = -p->F[j];
        solve_set(p, p->x, p->y, p->slope, p->rate);
        for (int j = 0; j < p->s.rows->n; j++) p->s.value[j] += p->slope[j];
        for (int q = 0; q < p->s.set.R.k; q++) p->s.y[p->s.set.set[q]] += p->rate[q];
    }
    perp_dual_measure(&p->s);
    p->prox = prox;
    return regular;
}
