/* linalg/block_lu.c: sparse LU of matrices of 3x3 blocks, row by row, in an order given beforehand.
 * Liu (1990) for the elimination tree and the patterns of rows; AMD (Amestoy, Davis, Duff 1996) for
 * the order.
 *
 * Row i of the matrix is spread over a dense row, row k of U is subtracted for each k in row i of
 * L, and what is left is row i of U. A product of two blocks takes 9 vector operations on three
 * rows of four numbers, and reads nothing but the block of U: some nanoseconds. Memory: 200 bytes a
 * block of L. */
#include "block_lu.h"

#include "base/simd4.h"

#include <limits.h>
#include <math.h>
#include <suitesparse/amd.h>

/* ---- the order ---- */

/* The pattern with its transpose, no diagonal, each once; room for AMD behind it. */
static int *symmetric_pattern(perp_arena *a, int n, const int *p, const int *j, int *start,
                              int *length, int *room, int *mark)
{
    size_t most = 2 * (size_t)p[n];
    int *count = perp_alloc(a, (size_t)n + 1, sizeof *count);
    int *both = perp_alloc_unset(a, most, sizeof *both);
    if (a->failed || most > INT_MAX - INT_MAX / 4) return NULL;
    for (int i = 0; i < n; i++) {
        for (int k = p[i]; k < p[i + 1]; k++) {
            count[i]++;
            count[j[k]]++;
        }
    }
    for (int i = 0, sum = 0; i < n; i++) {
        start[i] = sum;
        sum += count[i];
        count[i] = start[i];
    }
    for (int i = 0; i < n; i++) {
        for (int k = p[i]; k < p[i + 1]; k++) {
            both[count[i]++] = j[k];
            both[count[j[k]]++] = i;
        }
    }
    *room = (int)(most + most / 4) + 16 * (n < INT_MAX / 64 ? n : 0) + 1;
    int *out = perp_alloc_unset(a, (size_t)*room, sizeof *out), used = 0;
    if (a->failed) return NULL;
    for (int i = 0; i < n; i++) mark[i] = -1;
    for (int i = 0; i < n; i++) {
        int from = start[i], begin = used;
        for (int k = from; k < count[i]; k++) {
            if (both[k] == i || mark[both[k]] == i) continue;
            mark[both[k]] = i;
            out[used++] = both[k];
        }
        start[i] = begin;
        length[i] = used - begin;
    }
    start[n] = used;
    return out;
}

bool perp_block_order(perp_arena *a, int n, const int *p, const int *j, int *order)
{
    if (n == 0) return true;
    perp_mark mark = perp_arena_mark(a);
    int *work[8], room = 0, *start = perp_alloc_unset(a, (size_t)n + 1, sizeof *start);
    for (int k = 0; k < 8; k++) work[k] = perp_alloc_unset(a, (size_t)n, sizeof *work[k]);
    int *pattern = a->failed ? NULL : symmetric_pattern(a, n, p, j, start, work[0], &room, work[1]);
    perp_call call = {"AMD's order", PERP_RATE_ORDER, .units = start ? start[n] + (double)n : 0};
    bool enter = pattern && perp_call_begin(a->watch, &call);
    if (enter) {
        double control[AMD_CONTROL], info[AMD_INFO];
        amd_defaults(control);
        amd_2(n, start, pattern, work[0], room, start[n], work[1], work[2], order, work[3], work[4],
              work[5], work[6], control, info);
        perp_call_end(a->watch, &call);
    }
    perp_arena_release(a, mark);
    return enter;
}

/* ---- the pattern of the factors ---- */

/* By places: the neighbours before each, list[start[k] .. start[k + 1] - 1], some twice. */
static int *earlier(perp_arena *a, const perp_block_lu *f, const int *p, const int *j, int *start)
{
    int n = f->n, *list = perp_alloc_unset(a, (size_t)p[n], sizeof *list);
    if (a->failed) return NULL;
    for (int i = 0; i < n; i++) {
        for (int k = p[i]; k < p[i + 1]; k++) {
            int r = f->place[i], c = f->place[j[k]];
            if (r != c) start[(r > c ? r : c) + 1]++;
        }
    }
    for (int k = 0; k < n; k++) start[k + 1] += start[k];
    for (int i = 0; i < n; i++) {
        for (int k = p[i]; k < p[i + 1]; k++) {
            int r = f->place[i], c = f->place[j[k]];
            if (r != c) list[start[r > c ? r : c]++] = r > c ? c : r;
        }
    }
    for (int k = n; k > 0; k--) start[k] = start[k - 1];
    start[0] = 0;
    return list;
}

/* The elimination tree, with short cuts in `ancestor`. */
static void find_tree(int n, const int *start, const int *list, int *parent, int *ancestor)
{
    for (int k = 0; k < n; k++) {
        parent[k] = ancestor[k] = -1;
        for (int e = start[k]; e < start[k + 1]; e++) {
            for (int i = list[e], up; i >= 0 && i < k; i = up) {
                up = ancestor[i];
                ancestor[i] = k;
                if (up < 0) parent[i] = k;
            }
        }
    }
}

/* Row k of L: all on the ways from its neighbours up the tree to k; descendants come first. Returns
 * how many, in row[top .. n - 1], and marks them. */
static int find_row(int n, int k, const int *start, const int *list, const int *parent, int *mark,
                    int *row)
{
    int top = n;
    mark[k] = k;
    for (int e = start[k]; e < start[k + 1]; e++) {
        int length = 0;
        for (int i = list[e]; mark[i] != k; i = parent[i]) {
            row[length++] = i;
            mark[i] = k;
        }
        while (length > 0) row[--top] = row[--length];
    }
    return top;
}

/* Where the rows of L and U begin, and the work. False: too many blocks. */
static bool count_rows(perp_block_lu *f, const int *start, const int *list, const int *parent,
                       int *mark, int *row)
{
    int n = f->n;
    long long blocks = 0;
    for (int k = 0; k < n; k++) mark[k] = -1;
    for (int k = 0; k < n; k++) {
        int top = find_row(n, k, start, list, parent, mark, row);
        if (perp_watch_spent(&f->watched, n - top)) return false;
        blocks += n - top;
        if (blocks > INT_MAX / 16) return false;
        f->lp[k + 1] = (int)blocks;
        for (int e = top; e < n; e++) f->up[row[e] + 1]++;
    }
    for (int k = 0; k < n; k++) {
        double width = f->up[k + 1];
        f->operations += width * (width + 1) + 1;
        f->up[k + 1] += f->up[k];
    }
    return true;
}

static bool fill_rows(perp_block_lu *f, const int *start, const int *list, const int *parent,
                      int *mark, int *row)
{
    int n = f->n;
    for (int k = 0; k < n; k++) mark[k] = -1;
    for (int k = 0; k < n; k++) {
        int top = find_row(n, k, start, list, parent, mark, row);
        if (perp_watch_spent(&f->watched, n - top)) return false;
        memcpy(f->lj + f->lp[k], row + top, (size_t)(n - top) * sizeof *row);
        for (int e = top; e < n; e++) f->uj[f->up[row[e]]++] = k;
    }
    for (int k = n; k > 0; k--) f->up[k] = f->up[k - 1];
    f->up[0] = 0;
    return true;
}

bool perp_block_lu_open(perp_arena *a, int n, const int *p, const int *j, const int *order,
                        perp_block_lu *f)
{
    *f = (perp_block_lu){.n = n, .watched = perp_watch_begin(a)};
    size_t size = (size_t)n;
    f->order = perp_alloc_unset(a, size, sizeof *f->order);
    f->place = perp_alloc_unset(a, size, sizeof *f->place);
    f->lp = perp_alloc(a, size + 1, sizeof *f->lp);
    f->up = perp_alloc(a, size + 1, sizeof *f->up);
    int *start = perp_alloc(a, size + 1, sizeof *start);
    int *parent = perp_alloc_unset(a, size, sizeof *parent);
    int *mark = perp_alloc_unset(a, size, sizeof *mark);
    int *row = perp_alloc_unset(a, size, sizeof *row);
    if (a->failed) return false;
    for (int k = 0; k < n; k++) {
        f->order[k] = order[k];
        f->place[order[k]] = k;
    }
    const int *list = earlier(a, f, p, j, start);
    if (!list) return false;
    find_tree(n, start, list, parent, mark);
    if (!count_rows(f, start, list, parent, mark, row)) return false;
    size_t blocks = (size_t)f->lp[n];
    f->lj = perp_alloc_unset(a, blocks, sizeof *f->lj);
    f->uj = perp_alloc_unset(a, blocks, sizeof *f->uj);
    f->L = perp_alloc_unset(a, 12 * blocks, sizeof *f->L);
    f->U = perp_alloc_unset(a, 12 * blocks, sizeof *f->U);
    f->D = perp_alloc_unset(a, 12 * size, sizeof *f->D);
    f->work = perp_alloc_unset(a, 12 * size, sizeof *f->work);
    if (a->failed) return false;
    if (fill_rows(f, start, list, parent, mark, row)) return true;
    f->D = NULL;
    return false;
}

/* ---- numbers ---- */

/* Y = X^-1, three rows of four. False: singular. */
PERP_INLINED bool invert(const double *X, double *Y)
{
    double c0 = X[5] * X[10] - X[6] * X[9], c1 = X[6] * X[8] - X[4] * X[10];
    double c2 = X[4] * X[9] - X[5] * X[8], det = X[0] * c0 + X[1] * c1 + X[2] * c2, i = 1 / det;
    Y[0] = i * c0;
    Y[1] = i * (X[2] * X[9] - X[1] * X[10]);
    Y[2] = i * (X[1] * X[6] - X[2] * X[5]);
    Y[4] = i * c1;
    Y[5] = i * (X[0] * X[10] - X[2] * X[8]);
    Y[6] = i * (X[2] * X[4] - X[0] * X[6]);
    Y[8] = i * c2;
    Y[9] = i * (X[1] * X[8] - X[0] * X[9]);
    Y[10] = i * (X[0] * X[5] - X[1] * X[4]);
    Y[3] = Y[7] = Y[11] = 0;
    return det != 0 && fabs(i) < INFINITY;
}

/* Z = X Y */
PERP_INLINED void multiply(const double *X, const double *Y, double *Z)
{
    for (int r = 0; r < 3; r++) {
        perp_simd4 t = {0};
        for (int m = 0; m < 3; m++) simd4_add(&t, X[4 * r + m], Y + 4 * m);
        simd4_store(&t, Z + 4 * r);
    }
}

/* The dense row less X times row k of U. */
PERP_INLINED void subtract_row(const double *X, const int *uj, const double *U, int count,
                               double *work)
{
    const double x0 = -X[0], x1 = -X[1], x2 = -X[2], x4 = -X[4], x5 = -X[5], x6 = -X[6];
    const double x8 = -X[8], x9 = -X[9], x10 = -X[10];
    for (int e = 0; e < count; e++, U += 12) {
        double *w = work + 12 * (size_t)uj[e];
        perp_simd4 t;
        simd4_load(&t, w);
        simd4_add(&t, x0, U);
        simd4_add(&t, x1, U + 4);
        simd4_add(&t, x2, U + 8);
        simd4_store(&t, w);
        simd4_load(&t, w + 4);
        simd4_add(&t, x4, U);
        simd4_add(&t, x5, U + 4);
        simd4_add(&t, x6, U + 8);
        simd4_store(&t, w + 4);
        simd4_load(&t, w + 8);
        simd4_add(&t, x8, U);
        simd4_add(&t, x9, U + 4);
        simd4_add(&t, x10, U + 8);
        simd4_store(&t, w + 8);
    }
}

/* Row k of the matrix over the places of row k of L and U. */
PERP_INLINED void spread(const perp_block_lu *f, int k, const int *p, const int *j, const double *x)
{
    double *w = f->work;
    for (int e = f->lp[k]; e < f->lp[k + 1]; e++) memset(w + 12 * (size_t)f->lj[e], 0, 96);
    for (int e = f->up[k]; e < f->up[k + 1]; e++) memset(w + 12 * (size_t)f->uj[e], 0, 96);
    memset(w + 12 * (size_t)k, 0, 96);
    for (int i = f->order[k], e = p[i]; e < p[i + 1]; e++) {
        const double *B = x + 9 * (size_t)e;
        double *to = w + 12 * (size_t)f->place[j[e]];
        for (int c = 0; c < 3; c++) {
            for (int r = 0; r < 3; r++) to[4 * r + c] += B[3 * c + r];
        }
    }
}

PERP_CLONED(bool, compute,
            (perp_block_lu *const f, const int *p, const int *j, const double *x, int from, int to),
            (f, p, j, x, from, to))
{
    for (int k = from; k < to; k++) {
        spread(f, k, p, j, x);
        for (int e = f->lp[k]; e < f->lp[k + 1]; e++) {
            int i = f->lj[e], first = f->up[i];
            double *L = f->L + 12 * (size_t)e;
            multiply(f->work + 12 * (size_t)i, f->D + 12 * (size_t)i, L);
            subtract_row(L, f->uj + first, f->U + 12 * (size_t)first, f->up[i + 1] - first,
                         f->work);
        }
        if (!invert(f->work + 12 * (size_t)k, f->D + 12 * (size_t)k)) return false;
        for (int e = f->up[k]; e < f->up[k + 1]; e++) {
            memcpy(f->U + 12 * (size_t)e, f->work + 12 * (size_t)f->uj[e], 96);
        }
    }
    return true;
}

/* Rows from one on that take about as many multiplications as lie between two looks. */
static int some_rows(const perp_block_lu *f, int from, double *multiplications)
{
    int k = from;
    *multiplications = 0;
    for (; k < f->n && *multiplications < PERP_WATCH_INTERVAL; k++) {
        for (int e = f->lp[k]; e < f->lp[k + 1]; e++) {
            int i = f->lj[e];
            *multiplications += 27.0 * (f->up[i + 1] - f->up[i] + 1);
        }
    }
    return k;
}

bool perp_block_lu_compute(perp_block_lu *f, const int *p, const int *j, const double *x,
                           const perp_watch *watch)
{
    double multiplications;
    f->watched = (perp_watched){.watch = watch};
    for (int from = 0, to; from < f->n; from = to) {
        to = some_rows(f, from, &multiplications);
        if (!compute(f, p, j, x, from, to)) return false;
        if (perp_watch_spent(&f->watched, multiplications)) return false;
    }
    return true;
}

/* y -= X v */
PERP_INLINED void subtract(const double *X, const double *v, double *y)
{
    for (int r = 0; r < 3; r++) {
        y[r] -= X[4 * r] * v[0] + X[4 * r + 1] * v[1] + X[4 * r + 2] * v[2];
    }
}

PERP_CLONED_VOID(solve, (perp_block_lu *const f, double *b), (f, b))
{
    double *y = f->work; /* by places */
    for (int k = 0; k < f->n; k++) {
        double t[3];
        memcpy(t, b + 3 * (size_t)f->order[k], sizeof t);
        for (int e = f->lp[k]; e < f->lp[k + 1]; e++) {
            subtract(f->L + 12 * (size_t)e, y + 3 * (size_t)f->lj[e], t);
        }
        memcpy(y + 3 * (size_t)k, t, sizeof t);
    }
    for (int k = f->n - 1; k >= 0; k--) {
        double t[3], x[3] = {0};
        memcpy(t, y + 3 * (size_t)k, sizeof t);
        for (int e = f->up[k]; e < f->up[k + 1]; e++) {
            subtract(f->U + 12 * (size_t)e, y + 3 * (size_t)f->uj[e], t);
        }
        subtract(f->D + 12 * (size_t)k, t, x);
        for (int i = 0; i < 3; i++) y[3 * (size_t)k + (size_t)i] = -x[i];
    }
    for (int k = 0; k < f->n; k++) {
        memcpy(b + 3 * (size_t)f->order[k], y + 3 * (size_t)k, 3 * sizeof *b);
    }
}

void perp_block_lu_solve(perp_block_lu *f, double *b)
{
    solve(f, b);
}
