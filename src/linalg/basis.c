/* linalg/basis.c: solves with a factored basis, and its updates. basis.h has the method.
 * A solve costs O(n) and two flops for each entry of the factors that is reached. */
#include "basis.h"

#include "base/cache.h"
#include "base/vector.h"
#include "lapack.h"

#include <float.h>

#define INACCURATE 1e-8 /* relative difference of a pivot seen by column and by row */

/* In a run of perp_bytes: what lists and core may grow to. L, U and what is left of the kernel are
 * dense at most; rows of the latter have half as much room again, and as much that was left. */
static void count_growth(perp_basis *b, size_t entries)
{
    size_t n = (size_t)b->n, all = perp_count_product(n, n), both = sizeof(int) + sizeof(double);
    size_t triangle = all == SIZE_MAX ? all : all / 2 + n, whole = triangle;
    if (all != SIZE_MAX) whole = triangle + entries + n;
    size_t updates = perp_count_product(n, PERP_BASIS_UPDATES);
    updates = updates < whole ? updates : whole + 2 * n;
    perp_count(b->arena, perp_count_doubled(whole), both);              /* U, with C */
    perp_count(b->arena, perp_count_doubled(whole), both);              /* U', or K */
    perp_count(b->arena, perp_count_doubled(triangle), both);           /* of the elimination: U, */
    perp_count(b->arena, perp_count_doubled(triangle), both);           /* L, */
    perp_count(b->arena, perp_count_doubled(whole), both);              /* rows, */
    perp_count(b->arena, perp_count_doubled(whole), sizeof(int));       /* columns, */
    perp_count(b->arena, perp_count_product(2 * n, n), sizeof(double)); /* and the core */
    perp_count(b->arena, perp_count_doubled(updates), 2 * both);
}

bool perp_basis_open(perp_basis *b, perp_arena *arena, int n, const int *p, const int *i,
                     const double *x, const double *d)
{
    *b = (perp_basis){.n = n, .arena = arena, .p = p, .i = i, .x = x, .d = d};
    size_t size = (size_t)n;
    int **const ints[] = {&b->head,           &b->slot,      &b->kernel_rows,
                          &b->kernel_columns, &b->kernel_of, &b->K_p};
    for (size_t k = 0; k < sizeof ints / sizeof *ints; k++) {
        *ints[k] = perp_alloc(arena, size + 1, sizeof(int));
    }
    b->spike = perp_alloc(arena, size, sizeof *b->spike);
    b->row = perp_alloc(arena, size, sizeof *b->row);
    b->U.p = perp_alloc(arena, size + 1, sizeof(size_t));
    b->U_t.p = perp_alloc(arena, size + 2, sizeof(size_t));
    b->r.p = perp_alloc(arena, PERP_BASIS_UPDATES + 1, sizeof(size_t));
    b->c.p = perp_alloc(arena, PERP_BASIS_UPDATES + 1, sizeof(size_t));
    if (arena->failed) return false;
    size_t entries = (size_t)p[n] + size;
    if (arena->counting) count_growth(b, entries);
    return perp_columns_reserve(&b->U, arena, 0, entries) &&
           perp_columns_reserve(&b->U_t, arena, 0, entries + 1) &&
           perp_columns_reserve(&b->r, arena, 0, size) &&
           perp_columns_reserve(&b->c, arena, 0, size) &&
           perp_elimination_open(&b->e, arena, n, entries);
}

/* ---- the factors, in place on a vector by slots ---- */

static void solve_core(const perp_basis *b, const char *uplo, const char *trans, const char *diag,
                       double *v)
{
    const int one = 1, size = b->k - b->e.core;
    if (size > 0) dtrsv_(uplo, trans, diag, &size, b->e.LU, &size, v + b->e.core, &one, 1, 1, 1);
}

static bool is_zero(const double *v, int from, int to)
{
    for (int s = from; s < to; s++) {
        if (v[s] != 0) return false;
    }
    return true;
}

static void solve_L(const perp_basis *b, double *v)
{
    const perp_columns *L = &b->e.L;
    for (int j = 0; j < b->e.core; j++) {
        double t = v[j];
        if (t == 0) continue;
        for (size_t e = L->p[j]; e < L->p[j + 1]; e++) v[L->i[e]] -= L->x[e] * t;
    }
    if (!is_zero(v, b->e.core, b->k)) solve_core(b, "L", "N", "U", v);
}

static void solve_U(const perp_basis *b, double *v)
{
    if (!is_zero(v, b->e.core, b->k)) solve_core(b, "U", "N", "N", v);
    for (int j = b->k - 1; j >= 0; j--) {
        double t = v[j];
        if (t == 0) continue;
        if (j < b->e.core) v[j] = t /= b->e.pivot[j];
        for (size_t e = b->U.p[j]; e < b->U.p[j + 1]; e++) v[b->U.i[e]] -= b->U.x[e] * t;
    }
}

/* v := (U 0; C I)'^-1 v, where v is zero before slot `from`. */
static void solve_U_t(const perp_basis *b, int from, double *v)
{
    for (int s = from > b->k ? from : b->k; s < b->n; s++) {
        double t = v[s];
        if (t == 0) continue;
        for (size_t e = b->U_t.p[s]; e < b->U_t.p[s + 1]; e++) v[b->U_t.i[e]] -= b->U_t.x[e] * t;
    }
    for (int s = from < b->k ? from : 0; s < b->e.core; s++) {
        double t = v[s];
        if (t == 0) continue;
        v[s] = t /= b->e.pivot[s];
        for (size_t e = b->U_t.p[s]; e < b->U_t.p[s + 1]; e++) v[b->U_t.i[e]] -= b->U_t.x[e] * t;
    }
    if (!is_zero(v, b->e.core, b->k)) solve_core(b, "U", "T", "N", v);
}

static double dot(const perp_columns *c, int u, const double *v)
{
    double sum = 0;
    for (size_t e = c->p[u]; e < c->p[u + 1]; e++) sum += c->x[e] * v[c->i[e]];
    return sum;
}

static void add(const perp_columns *c, int u, double t, double *v)
{
    for (size_t e = c->p[u]; e < c->p[u + 1]; e++) v[c->i[e]] += c->x[e] * t;
}

/* T^-1 = I - c r' / (r'c + 1) */
static void solve_updates(const perp_basis *b, double *v)
{
    for (int u = 0; u < b->updates; u++) {
        double t = dot(&b->r, u, v);
        if (t != 0) add(&b->c, u, -t / b->factor[u], v);
    }
}

/* ---- solves ---- */

void perp_basis_add(const perp_basis *b, int column, double factor, double *rows)
{
    int n = b->n;
    if (column < n)
        rows[column] += factor;
    else if (column < 2 * n) {
        int j = column - n;
        for (int e = b->p[j]; e < b->p[j + 1]; e++) rows[b->i[e]] += factor * b->x[e];
    } else {
        for (int i = 0; i < n; i++) rows[i] += factor * b->d[i];
    }
}

void perp_basis_multiply(const perp_basis *b, const double *a, double *rows)
{
    for (int s = 0; s < b->n; s++) {
        if (a[s] != 0) perp_basis_add(b, b->head[s], a[s], rows);
    }
}

static void scatter(const perp_basis *b, int column, double *v)
{
    int n = b->n;
    if (column < n)
        v[b->slot[column]] = 1;
    else if (column < 2 * n) {
        int j = column - n;
        for (int e = b->p[j]; e < b->p[j + 1]; e++) v[b->slot[b->i[e]]] = b->x[e];
    } else {
        for (int i = 0; i < n; i++) v[b->slot[i]] = b->d[i];
    }
}

void perp_basis_column(perp_basis *b, int column, double *a)
{
    size_t bytes = (size_t)b->n * sizeof *a;
    if (b->n == 0) return;
    memset(a, 0, bytes);
    scatter(b, column, a);
    solve_L(b, a);
    solve_updates(b, a);
    memcpy(b->spike, a, bytes);
    solve_U(b, a);
}

void perp_basis_solve(perp_basis *b, const double *rows, double *a)
{
    for (int i = 0; i < b->n; i++) a[b->slot[i]] = rows[i];
    solve_L(b, a);
    solve_updates(b, a);
    solve_U(b, a);
}

/* ---- updates ---- */

/* c = spike - U e_s, in spike's place. */
static void subtract_old(const perp_basis *b, int s)
{
    double *c = b->spike;
    int core = b->e.core;
    if (s >= b->k) {
        c[s] -= 1;
        return;
    }
    for (size_t e = b->U.p[s]; e < b->U.p[s + 1]; e++) c[b->U.i[e]] -= b->U.x[e];
    if (s < core) {
        c[s] -= b->e.pivot[s];
        return;
    }
    const double *u = b->e.LU + (size_t)(s - core) * (size_t)(b->k - core);
    for (int i = core; i <= s; i++) c[i] -= u[i - core];
}

/* Append what is not zero in v as column u, and clear v. */
static bool append(perp_basis *b, perp_columns *c, double *v)
{
    size_t used = c->p[b->updates], count = 0, size = (size_t)b->n;
    for (size_t s = 0; s < size; s++) count += v[s] != 0;
    if (!perp_columns_reserve(c, b->arena, used, count)) return false;
    for (size_t s = 0; s < size; s++) {
        if (v[s] == 0) continue;
        c->i[used] = (int)s;
        c->x[used++] = v[s];
        v[s] = 0;
    }
    c->p[b->updates + 1] = used;
    return true;
}

perp_basis_status perp_basis_exchange(perp_basis *b, int s, int column, const double *a)
{
    if (b->updates == PERP_BASIS_UPDATES) return PERP_BASIS_REFACTOR;
    if (b->r.p[b->updates] + b->c.p[b->updates] > b->filled + (size_t)b->n)
        return PERP_BASIS_REFACTOR;
    double *r = b->row, seen = 0;
    r[s] = 1;
    solve_U_t(b, s, r);
    for (int t = 0; t < b->n; t++) seen += r[t] * b->spike[t];
    if (!(fabs(seen - a[s]) <= INACCURATE * fabs(a[s]))) {
        memset(r, 0, (size_t)b->n * sizeof *r);
        return PERP_BASIS_REFACTOR;
    }
    subtract_old(b, s);
    if (!append(b, &b->r, r) || !append(b, &b->c, b->spike)) return PERP_BASIS_MEMORY;
    b->factor[b->updates++] = a[s];
    b->head[s] = column;
    return PERP_BASIS_DONE;
}
