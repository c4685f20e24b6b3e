/* ncp/mcp_to_lcp.c: an affine MCP with bounds and friction boxes as an LCP.
 * Stewart & Trinkle, An implicit time-stepping scheme for rigid body dynamics with inelastic
 * collisions and Coulomb friction, Int. J. Numer. Meth. Eng. 39 (1996), with one pair of directions
 * and one multiplier for each friction box instead of a pyramid for each contact.
 *
 *     z >= lo         x = z - lo,  0 <= x _|_ F >= 0
 *     z <= hi         x = hi - z,  0 <= x _|_ -F >= 0
 *     free            z = x - y,   0 <= x _|_ F >= 0,  0 <= y _|_ -F >= 0
 *     lo <= z <= hi   x = z - lo,  0 <= x _|_ F + s >= 0,  0 <= s _|_ hi - lo - x >= 0
 *     |z| <= mu z_k   z = x - y,   0 <= x _|_ F + s >= 0,  0 <= y _|_ s - F >= 0,
 *                                  0 <= s _|_ mu z_k - x - y >= 0
 * Where M is positive semidefinite the LCP's matrix is copositive, and Lemke's method ends on a
 * solution for every q in the range of M, as contacts without restitution have it. One pass over M;
 * each entry appears up to four times. */
#include "mcp_to_lcp.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static bool follows(const perp_mcp *p, int i)
{
    return p->follows && p->follows[i] >= 0;
}

static double bound(const double *x, int i, double none)
{
    return x ? x[i] : none;
}

/* False: a normal force may be negative, so that its positive part is no affine function. */
static bool name_columns(const perp_mcp *p, perp_mcp_as_lcp *u)
{
    for (int i = 0; i < u->n; i++) {
        double lo = bound(p->lo, i, -INFINITY), hi = bound(p->hi, i, INFINITY);
        bool friction = follows(p, i), below = lo > -INFINITY, above = hi < INFINITY;
        if (friction && bound(p->lo, p->follows[i], -INFINITY) < 0) return false;
        if (u->size > INT_MAX - 3) return false;
        u->plus[i] = friction || below || !above ? u->size++ : -1;
        u->minus[i] = friction || !below ? u->size++ : -1;
        u->limit[i] = friction || (below && above) ? u->size++ : -1;
        u->shift[i] = friction ? 0 : below ? lo : above ? hi : 0;
    }
    return true;
}

/* ---- the matrix, column by column ---- */

typedef struct writer {
    const perp_mcp_as_lcp *u;
    double *dense; /* or */
    int *p, *i;
    double *x;
    int64_t count;
} writer;

static void put(writer *w, int row, int column, double value)
{
    if (row < 0) return;
    if (w->dense) {
        w->dense[(size_t)column * (size_t)w->u->size + (size_t)row] += value;
    } else {
        if (w->i) {
            w->i[w->count] = row;
            w->x[w->count] = value;
        }
        w->count++;
    }
}

/* Entry M_ij, as column `c` of the LCP with z_j's sign sees it. */
static void put_entry(writer *w, int i, int c, double sign, double value)
{
    put(w, w->u->plus[i], c, sign * value);
    put(w, w->u->minus[i], c, -sign * value);
}

static void put_column(writer *w, const perp_matrix *M, int j, int c, double sign)
{
    if (M->format == PERP_FORMAT_DENSE) {
        const double *x = M->as.dense.x + (size_t)j * (size_t)M->as.dense.ld;
        for (int i = 0; i < M->n; i++) put_entry(w, i, c, sign, x[i]);
        return;
    }
    const struct perp_csc_view *v = &M->as.csc;
    for (int e = v->p[j]; e < v->p[j + 1]; e++) put_entry(w, v->i[e], c, sign, v->x[e]);
}

/* The multipliers' rows in the columns of z_j: its own, and those of the boxes that follow it. */
static void put_limits(writer *w, const perp_mcp *p, const int *next, int j, int c, double sign)
{
    put(w, w->u->limit[j], c, -1);
    for (int i = next[j]; i >= 0; i = next[w->u->n + i]) put(w, w->u->limit[i], c, sign * p->mu[i]);
}

/* next[k], then next[n + i]: a chain through the boxes that follow k. */
static void chain_followers(const perp_mcp *p, int *next)
{
    int n = p->F.n;
    for (int k = 0; k < 2 * n; k++) next[k] = -1;
    for (int i = n - 1; i >= 0; i--) {
        if (!follows(p, i)) continue;
        next[n + i] = next[p->follows[i]];
        next[p->follows[i]] = i;
    }
}

static void end_column(writer *w, int c)
{
    if (w->p) w->p[c + 1] = (int)w->count;
}

static void write_columns(writer *w, const perp_mcp *p, const int *next)
{
    const perp_mcp_as_lcp *u = w->u;
    w->count = 0;
    for (int j = 0; j < u->n; j++) {
        for (int side = 0; side < 2; side++) {
            int c = side ? u->minus[j] : u->plus[j];
            double sign = side ? -1 : 1;
            if (c < 0) continue;
            put_column(w, &p->F.M, j, c, sign);
            put_limits(w, p, next, j, c, sign);
            end_column(w, c);
        }
        if (u->limit[j] < 0) continue;
        put(w, u->plus[j], u->limit[j], 1);
        put(w, u->minus[j], u->limit[j], 1);
        end_column(w, u->limit[j]);
    }
}

static void write_q(const perp_mcp *p, const perp_mcp_as_lcp *u, double *F, double *q)
{
    perp_mul(&p->F.M, 1, u->shift, 0, F);
    for (int i = 0; i < u->n; i++) {
        F[i] += p->F.q[i];
        if (u->plus[i] >= 0) q[u->plus[i]] = F[i];
        if (u->minus[i] >= 0) q[u->minus[i]] = -F[i];
        if (u->limit[i] < 0) continue;
        q[u->limit[i]] =
            follows(p, i) ? p->mu[i] * u->shift[p->follows[i]] : p->hi[i] - u->shift[i];
    }
}

static perp_status write_matrix(const perp_mcp *p, const int *next, perp_mcp_as_lcp *u,
                                perp_arena *a, perp_matrix *M)
{
    size_t size = (size_t)u->size;
    writer w = {.u = u};
    if (p->F.M.format == PERP_FORMAT_DENSE) {
        w.dense = perp_alloc(a, size * size, sizeof *w.dense);
        if (a->failed) return PERP_E_MEMORY;
        write_columns(&w, p, next);
        *M = perp_dense(u->size, u->size, w.dense);
        return PERP_SOLVED;
    }
    write_columns(&w, p, next);
    if (w.count > INT_MAX) return PERP_E_MEMORY;
    size_t entries = (size_t)w.count;
    w.p = perp_alloc(a, size + 1, sizeof *w.p);
    w.i = perp_alloc_unset(a, entries, sizeof *w.i);
    w.x = perp_alloc_unset(a, entries, sizeof *w.x);
    if (a->failed) return PERP_E_MEMORY;
    write_columns(&w, p, next);
    *M = perp_csc(u->size, u->size, w.p, w.i, w.x);
    return PERP_SOLVED;
}

perp_status perp_mcp_to_lcp(const perp_mcp *p, perp_arena *a, perp_mcp_as_lcp *u)
{
    size_t n = (size_t)p->F.n;
    if (p->F.M.format != PERP_FORMAT_DENSE && p->F.M.format != PERP_FORMAT_CSC)
        return PERP_E_FORMAT;
    *u = (perp_mcp_as_lcp){.n = p->F.n};
    int *next = perp_alloc(a, 2 * n, sizeof *next);
    u->plus = perp_alloc(a, n, sizeof *u->plus);
    u->minus = perp_alloc(a, n, sizeof *u->minus);
    u->limit = perp_alloc(a, n, sizeof *u->limit);
    u->shift = perp_alloc(a, n, sizeof *u->shift);
    double *F = perp_alloc(a, n, sizeof *F);
    if (a->failed) return PERP_E_MEMORY;
    if (!name_columns(p, u)) return PERP_E_FORMAT;
    chain_followers(p, next);
    perp_matrix M;
    double *q = perp_alloc(a, (size_t)u->size, sizeof *q);
    perp_status status = write_matrix(p, next, u, a, &M);
    if (status || a->failed) return PERP_E_MEMORY;
    write_q(p, u, F, q);
    u->lcp = perp_make_lcp(u->size, M, q);
    return PERP_SOLVED;
}

void perp_mcp_from_lcp(const perp_mcp_as_lcp *u, const double *x, double *z)
{
    for (int i = 0; i < u->n; i++) {
        z[i] = u->shift[i];
        if (u->plus[i] >= 0) z[i] += x[u->plus[i]];
        if (u->minus[i] >= 0) z[i] -= x[u->minus[i]];
    }
}
