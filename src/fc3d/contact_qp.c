/* fc3d/contact_qp.c: one contact on an inner pyramid, as a non-symmetric quadratic program.
 * Renouf and Acary (paper 002) call the affine variational inequality of the faceted contact so,
 * and solve it by a generalised Fletcher method as one of the local solvers of block splitting.
 *
 * The unknowns x and the matrix H are those of fc3d/contact_lemke.c, all x >= 0. As in Fletcher's
 * method (1971) a set of bounds is held, and the rest solved in its null space; for bounds that is
 * the principal submatrix of what is free. With y = (H + e I) x + c - e a + t v, all held at first
 * and y = 1 at t = 1, the path of solutions is followed to t = 0 as method/avi_path.c does for
 * general constraints. The proximal term e around the anchor a keeps opposite edges apart, whose
 * columns depend on each other; it is taken back once the set is known. 3 to 10 changes of the set,
 * each with one LU factor of the size of what is free. Memory n^2 + 10 n numbers. */
#include "base/vector.h"
#include "contact.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

#define PROX 1e-5      /* to begin with; the matrix has entries of the size of 1 */
#define ROUNDS 3       /* anchors at most */
#define CHANGES 8      /* of the set on one path, times the unknowns */
#define WRONG 1e-10    /* what may be missing to a sign */
#define NOTHING 1e-14  /* t from which on it is 0, where the path ends */
#define FLAT 1e-12     /* slope, over the largest, that is none */
#define SINGULAR 1e-13 /* smallest over largest pivot */
#define TURN 6.283185307179586

typedef struct path {
    int n, frees, event, changes; /* event: the bound that changed last, -1: none has */
    const double *H;              /* n x n */
    double *c, *x, *y, *anchor, *v, *shift, *dx, *dy, *B;
    int *list, *pivot, *is_free; /* list: what is free, `frees` of them */
    double prox, t;
} path;

size_t perp_contact_qp_doubles(int facets)
{
    size_t n = (size_t)facets + 2;
    return n * n + 10 * n; /* c to dy, B, and what solve saves */
}

size_t perp_contact_qp_ints(int facets)
{
    return 3 * ((size_t)facets + 2);
}

static void open_path(path *p, int n, const double *H, double *doubles, int *ints)
{
    *p = (path){.n = n, .H = H};
    double **each[] = {&p->c, &p->x, &p->y, &p->anchor, &p->v, &p->shift, &p->dx, &p->dy, &p->B};
    for (int k = 0; k < 9; k++) *each[k] = doubles + (size_t)k * (size_t)n;
    p->list = ints;
    p->pivot = ints + n;
    p->is_free = ints + 2 * (size_t)n;
    for (int i = 0; i < n; i++) {
        p->x[i] = 0;
        p->y[i] = 1;
        p->is_free[i] = 0;
    }
}

/* (H + e I) x, component i. */
static double row_times(const path *p, int i, const double *x)
{
    double sum = p->prox * x[i];
    for (int j = 0; j < p->n; j++) sum += p->H[(size_t)i + (size_t)j * (size_t)p->n] * x[j];
    return sum;
}

static void begin(path *p)
{
    memcpy(p->anchor, p->x, (size_t)p->n * sizeof *p->x);
    double size = vector_norm(p->n, p->x) + 1;
    for (int i = 0; i < p->n; i++) {
        p->v[i] = (p->is_free[i] ? 0 : p->y[i]) - p->c[i] + p->prox * p->x[i];
        p->v[i] -= row_times(p, i, p->x);
        /* bounds of what is free start away from it, by sizes in no proportion */
        p->shift[i] = p->is_free[i] ? size * (0.5 + fmod(0.6180339887 * (i + 1), 1)) : 0;
    }
    p->t = 1;
    p->event = -1;
    p->changes = 0;
}

/* The principal submatrix of H + e I of what is free, factored; false: singular. */
static bool factor(path *p)
{
    int f = 0;
    for (int i = 0; i < p->n; i++) {
        if (p->is_free[i]) p->list[f++] = i;
    }
    p->frees = f;
    size_t next = (size_t)f + 1; /* from one of the diagonal to the next */
    for (int b = 0; b < f; b++) {
        const double *column = p->H + (size_t)p->list[b] * (size_t)p->n;
        double *to = p->B + (size_t)b * (size_t)f;
        for (int a = 0; a < f; a++) to[a] = column[p->list[a]];
        to[b] += p->prox;
    }
    if (f == 0) return true;
    if (perp_lu_factor(f, p->B, f, p->pivot, NULL)) return false;
    double least = INFINITY, most = 0;
    for (int a = 0; a < f; a++) {
        least = fmin(least, fabs(p->B[(size_t)a * next]));
        most = fmax(most, fabs(p->B[(size_t)a * next]));
    }
    return least > SINGULAR * most;
}

/* dx with dx of what is held given and ((H + e I) dx - r) = 0 for what is free; dy is the rest. dy
 * serves as scratch. */
static void solve_free(path *p, const double *r)
{
    for (int a = 0; a < p->frees; a++) p->dx[p->list[a]] = 0;
    for (int a = 0; a < p->frees; a++) {
        int i = p->list[a];
        p->dy[a] = r[i] - row_times(p, i, p->dx);
    }
    if (p->frees > 0) perp_lu_solve(p->frees, p->B, p->frees, p->pivot, false, 1, p->dy);
    for (int a = 0; a < p->frees; a++) p->dx[p->list[a]] = p->dy[a];
    for (int i = 0; i < p->n; i++) p->dy[i] = p->is_free[i] ? 0 : row_times(p, i, p->dx) - r[i];
}

/* How x and y change as t falls by 1. */
static void find_direction(path *p)
{
    for (int i = 0; i < p->n; i++) p->dx[i] = p->is_free[i] ? 0 : p->shift[i];
    solve_free(p, p->v);
}

/* What has just become free must move off its bound, the multiplier of what has just been held must
 * grow. 1: t falls, -1: it grows, 0: neither is sure. */
static int find_way(const path *p)
{
    if (p->event < 0) return 1;
    int i = p->event;
    double sure = p->is_free[i] ? p->dx[i] - p->shift[i] : p->dy[i];
    return sure > 0 ? 1 : sure < 0 ? -1 : 0;
}

/* The bound that the path meets first, or -1: t = 0. */
static int find_stop(const path *p, int way, double *length)
{
    double size = fmax(vector_max(p->n, p->dx), vector_max(p->n, p->shift));
    double turn = vector_max(p->n, p->dy);
    int first = -1;
    *length = way > 0 ? p->t : INFINITY;
    for (int i = 0; i < p->n; i++) {
        double room = p->is_free[i] ? p->x[i] + p->t * p->shift[i] : p->y[i];
        double rate = way * (p->is_free[i] ? p->dx[i] - p->shift[i] : p->dy[i]);
        if (!(rate < -FLAT * (p->is_free[i] ? size : turn))) continue;
        double to = room > 0 ? room / -rate : 0;
        if (to >= *length) continue;
        *length = to;
        first = i;
    }
    return first;
}

static void move(path *p, double length)
{
    for (int i = 0; i < p->n; i++) {
        p->x[i] += length * p->dx[i];
        p->y[i] += length * p->dy[i];
    }
    p->t -= length;
}

/* To a solution with the proximal term; false: the path ends elsewhere. */
static bool follow(path *p)
{
    begin(p);
    while (p->changes < CHANGES * p->n) {
        double length;
        if (!factor(p)) return false;
        find_direction(p);
        int way = find_way(p);
        if (way == 0) return false;
        int i = find_stop(p, way, &length);
        if (isinf(length)) return false;
        move(p, way * length);
        if (i < 0 || p->t <= NOTHING) return true;
        p->is_free[i] = !p->is_free[i];
        p->y[i] = 0;
        p->event = i;
        p->changes++;
    }
    return false;
}

/* The solution of the set without the proximal term, in steps that end rounding; false: the set is
 * singular without it, or a sign is wrong. */
static bool polish(path *p)
{
    double prox = p->prox, *r = p->v;
    p->prox = 0;
    bool good = factor(p);
    for (int pass = 0; good && pass < 2; pass++) {
        for (int i = 0; i < p->n; i++) {
            p->dx[i] = p->is_free[i] ? 0 : -p->x[i];
            r[i] = (p->is_free[i] ? 0 : p->y[i]) - p->c[i] - row_times(p, i, p->x);
        }
        solve_free(p, r);
        move(p, 1);
    }
    p->prox = prox;
    for (int i = 0; good && i < p->n; i++)
        good = p->is_free[i] ? p->x[i] >= -WRONG : p->y[i] >= -WRONG;
    return good;
}

static bool is_at_rest(const path *p)
{
    double most = 0;
    for (int i = 0; i < p->n; i++) most = fmax(most, fabs(p->x[i] - p->anchor[i]));
    return p->prox * most <= WRONG;
}

/* The set without the proximal term; or, where that is singular, as for a contact that sticks
 * between many edges, the solution with it once it rests. x and y of the latter stay in `saved`. */
static bool solve(path *p, double *saved)
{
    size_t n = (size_t)p->n;
    p->prox = PROX;
    for (int round = 0; round < ROUNDS; round++) {
        if (!follow(p)) return false;
        memcpy(saved, p->x, n * sizeof *saved);
        memcpy(saved + n, p->y, n * sizeof *saved);
        if (polish(p)) return true;
        memcpy(p->x, saved, n * sizeof *saved);
        memcpy(p->y, saved + n, n * sizeof *saved);
        if (is_at_rest(p)) return true;
    }
    return false;
}

static double size_of(const double *x, int n)
{
    double size = vector_max(n, x);
    return size > 0 ? size : 1;
}

bool perp_contact_qp(const double *matrix, const double W[9], const double q[3], int facets,
                     double *doubles, int *ints, double r[3])
{
    int n = facets + 2;
    path p;
    open_path(&p, n, matrix, doubles, ints);
    double scale = size_of(q, 3);
    for (int i = 0; i < n; i++) {
        double turn = TURN * (i - 1) / facets;
        double c = i == 0 ? q[0] : i > facets ? 0 : cos(turn) * q[1] + sin(turn) * q[2];
        p.c[i] = c / scale;
    }
    if (!solve(&p, p.B + (size_t)n * (size_t)n)) return false;
    double back = scale / size_of(W, 9);
    r[0] = back * p.x[0];
    r[1] = r[2] = 0;
    for (int h = 0; h < facets; h++) {
        double turn = TURN * h / facets, beta = back * p.x[1 + h];
        r[1] += beta * cos(turn);
        r[2] += beta * sin(turn);
    }
    return true;
}
