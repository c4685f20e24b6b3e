/* linalg/supernodes.c: order, elimination tree and supernodes of a sparse symmetric matrix.
 * Amestoy, Davis, Duff, ACM TOMS 30(3) 2004 (AMD); Liu, SIAM J. Matrix Anal. Appl. 11, 1990 (the
 * tree); Ashcraft, Grimes, ACM TOMS 15(4) 1989 (relaxed supernodes).
 *
 * Time is that of AMD and linear in the entries of L; memory, beside the result, three times the
 * pattern in ints. Leaves of the tree with nearly the rows of their parent, of which the inequality
 * rows of a QP give many, share panels too, though they do not follow each other in the tree. */
#include "supernodes.h"

#include "base/watch.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <suitesparse/amd.h>

#define SMALL 5000     /* up to here no node is too dense to have its degree looked at */
#define LEAVES 32      /* columns of a panel of leaves */
#define LEAF_FILL 0.75 /* of the parent's rows that a leaf must have */
#define ALWAYS 4       /* columns that share a panel whatever it costs ... */
#define NARROW 16      /* ... and with this share of zeros */
#define NARROW_ZEROS 0.5
#define WIDE 48
#define WIDE_ZEROS 0.15
#define ZEROS 0.05
#define FAR_READ 8.0 /* multiplications in the time of a step up the tree */

static bool is_lower(int n, const int *p, const int *i)
{
    if (p[0] != 0) return false;
    for (int j = 0; j < n; j++) {
        if (p[j + 1] <= p[j] || i[p[j]] != j) return false;
        for (int k = p[j] + 1; k < p[j + 1]; k++) {
            if (i[k] <= i[k - 1] || i[k] >= n) return false;
        }
    }
    return true;
}

/* Both triangles; spare ints behind them for AMD, which destroys its copy. */
static bool make_graph(perp_arena *a, int n, const int *p, const int *i, int spare, perp_graph *g)
{
    size_t entries = 2 * ((size_t)p[n] - (size_t)n) + (size_t)spare;
    g->n = n;
    g->p = perp_alloc(a, (size_t)n + 1, sizeof *g->p);
    g->i = perp_alloc_unset(a, entries, sizeof *g->i);
    if (a->failed) return false;
    for (int j = 0; j < n; j++) {
        g->p[j] += p[j + 1] - p[j] - 1;
        for (int k = p[j] + 1; k < p[j + 1]; k++) g->p[i[k]]++;
    }
    int sum = 0;
    for (int j = 0; j <= n; j++) { /* now the end of each list, filled from behind */
        sum += g->p[j];
        g->p[j] = sum;
    }
    for (int j = n - 1; j >= 0; j--) {
        for (int k = p[j + 1] - 1; k > p[j]; k--) {
            g->i[--g->p[j]] = i[k];
            g->i[--g->p[i[k]]] = j;
        }
    }
    return true;
}

/* perm by minimum degree. False: no memory, or no time. */
static bool order(perp_arena *a, int n, const int *p, const int *i, int *perm)
{
    perp_graph g;
    int spare = (p[n] - n) / 2 + n + 1;
    perp_mark mark = perp_arena_mark(a);
    int *work = perp_alloc_unset(a, 7 * (size_t)n, sizeof *work);
    if (!work || !make_graph(a, n, p, i, spare, &g)) return false;
    int *length = work, *nv = work + n, *next = work + 2 * n, *head = work + 3 * n;
    int *elen = work + 4 * n, *degree = work + 5 * n, *w = work + 6 * n, used = g.p[n];
    double control[AMD_CONTROL], info[AMD_INFO];
    for (int j = 0; j < n; j++) length[j] = g.p[j + 1] - g.p[j];
    amd_defaults(control);
    if (n <= SMALL) control[AMD_DENSE] = -1;
    perp_call call = {"AMD's order", PERP_RATE_ORDER, .units = used + (double)n};
    bool enter = perp_call_begin(a->watch, &call);
    if (enter) {
        amd_2(n, g.p, g.i, length, used + spare, used, nv, next, perm, head, elen, degree, w,
              control, info);
        perp_call_end(a->watch, &call);
    }
    perp_arena_release(a, mark);
    return enter;
}

/* The tree of the order perm, by path compression. */
static void find_tree(const perp_graph *g, const int *perm, const int *inverse, int *parent,
                      int *ancestor)
{
    for (int k = 0; k < g->n; k++) {
        int node = perm[k];
        parent[k] = ancestor[k] = -1;
        for (int e = g->p[node]; e < g->p[node + 1]; e++) {
            for (int j = inverse[g->i[e]]; j < k;) {
                int up = ancestor[j];
                ancestor[j] = k;
                if (up < 0) parent[j] = k;
                if (up < 0 || up == k) break;
                j = up;
            }
        }
    }
}

/* Entries of each column of L: row k of L is the subtree that its entries in K reach. False: there
 * are more than `most`. */
static bool count_columns(const perp_graph *g, const int *perm, const int *inverse,
                          const int *parent, double most, perp_watched *watched, int *mark,
                          int *count)
{
    double entries = 0;
    for (int k = 0; k < g->n && entries <= most; k++) {
        double before = entries;
        int node = perm[k];
        count[k] = 1;
        mark[k] = k;
        for (int e = g->p[node]; e < g->p[node + 1]; e++) {
            for (int j = inverse[g->i[e]]; j < k && mark[j] != k; j = parent[j]) {
                mark[j] = k;
                count[j]++;
                entries++;
            }
        }
        if (perp_watch_spent(watched, FAR_READ * (entries - before + 1))) return false;
    }
    return entries <= most;
}

/* Children of each node in a list, leaves first. */
static void list_children(int n, const int *parent, int *head, int *next, int *has_child)
{
    for (int k = 0; k <= n; k++) head[k] = -1;
    for (int k = 0; k < n; k++) has_child[k] = 0;
    for (int k = 0; k < n; k++) {
        if (parent[k] >= 0) has_child[parent[k]] = 1;
    }
    for (int leaves = 0; leaves < 2; leaves++) {
        for (int k = n - 1; k >= 0; k--) {
            if (has_child[k] == leaves) continue;
            int up = parent[k] >= 0 ? parent[k] : n;
            next[k] = head[up];
            head[up] = k;
        }
    }
}

/* post[k] is the k-th node of a walk that lists children before their parent; stack has length
 * n + 1. */
static void postorder(int n, int *head, const int *next, int *stack, int *post)
{
    int top = 0, k = 0;
    stack[0] = n;
    while (top >= 0) {
        int node = stack[top], child = head[node];
        if (child >= 0) {
            head[node] = next[child];
            stack[++top] = child;
        } else {
            top--;
            if (node < n) post[k++] = node;
        }
    }
}

/* perm, parent and count as the walk has them; `back` is scratch. */
static void relabel(int n, const int *post, int *back, int *perm, int *inverse, int *parent,
                    int *count)
{
    for (int k = 0; k < n; k++) back[post[k]] = k;
    for (int k = 0; k < n; k++) inverse[k] = parent[post[k]] < 0 ? -1 : back[parent[post[k]]];
    memcpy(parent, inverse, (size_t)n * sizeof *parent);
    for (int k = 0; k < n; k++) inverse[k] = count[post[k]];
    memcpy(count, inverse, (size_t)n * sizeof *count);
    for (int k = 0; k < n; k++) inverse[k] = perm[post[k]];
    memcpy(perm, inverse, (size_t)n * sizeof *perm);
    for (int k = 0; k < n; k++) inverse[perm[k]] = k;
}

/* ---- supernodes ---- */

/* A run of columns: how many further rows, how many stored zeros. */
typedef struct run {
    int first, below, parent; /* parent: a column */
    double zeros;
} run;

static bool is_leaf_of(int k, int up, const int *parent, const int *count, const int *has_child)
{
    return up >= 0 && parent[k] == up && !has_child[k] && count[k] - 1 >= LEAF_FILL * count[up];
}

/* Columns with the same rows, and leaves with nearly their parent's. */
static int find_runs(int n, const int *parent, const int *count, const int *has_child, run *runs)
{
    int runs_count = 0;
    for (int k = 0; k < n;) {
        run *r = &runs[runs_count++];
        int up = parent[k], end = k + 1;
        *r = (run){.first = k, .parent = up, .below = count[k] - 1};
        while (end < n && end - k < LEAVES && up > end &&
               is_leaf_of(k, up, parent, count, has_child) &&
               is_leaf_of(end, up, parent, count, has_child)) {
            end++;
        }
        if (end > k + 1) {
            int width = end - k;
            r->below = count[up];
            r->zeros = 0.5 * width * (width - 1);
            for (int j = k; j < end; j++) r->zeros += count[up] - (count[j] - 1);
        } else {
            while (end < n && parent[end - 1] == end && count[end - 1] == count[end] + 1) end++;
            r->below = count[end - 1] - 1;
            r->parent = parent[end - 1];
        }
        k = end;
    }
    return runs_count;
}

static bool is_worth(double width, double below, double zeros)
{
    double share = zeros / (0.5 * width * (width + 1) + width * below);
    return width <= ALWAYS || (width <= NARROW && share < NARROW_ZEROS) ||
           (width <= WIDE && share < WIDE_ZEROS) || share < ZEROS;
}

/* Merge runs with the one behind them where that is their parent; the survivors move to the front.
 */
static int merge_runs(int n, int count, run *runs)
{
    int to = count;
    for (int s = count - 1; s >= 0; s--) {
        run r = runs[s], *next = &runs[to];
        if (to < count && r.parent >= 0) {
            int behind = (to + 1 < count ? next[1].first : n) - next->first;
            int width = next->first - r.first;
            double zeros =
                r.zeros + next->zeros + (double)width * ((double)behind + next->below - r.below);
            if (r.parent < next->first + behind && is_worth(width + behind, next->below, zeros)) {
                next->first = r.first;
                next->zeros = zeros;
                continue;
            }
        }
        runs[--to] = r;
    }
    memmove(runs, runs + to, (size_t)(count - to) * sizeof *runs);
    return count - to;
}

static bool keep_supernodes(perp_supernodes *f, perp_arena *a, int count, const run *runs)
{
    size_t s = (size_t)count, total = 0;
    f->supers = count;
    f->first = perp_alloc_unset(a, s + 1, sizeof *f->first);
    f->parent = perp_alloc_unset(a, s, sizeof *f->parent);
    f->rows = perp_alloc_unset(a, s + 1, sizeof *f->rows);
    f->count = perp_alloc(a, s, sizeof *f->count);
    f->panel = perp_alloc_unset(a, s + 1, sizeof *f->panel);
    if (a->failed) return false;
    for (int k = 0; k < count; k++) {
        f->first[k] = runs[k].first;
        f->rows[k] = total;
        total += (size_t)runs[k].below;
        int end = k + 1 < count ? runs[k + 1].first : f->n;
        for (int j = runs[k].first; j < end; j++) f->super_of[j] = k;
    }
    f->first[count] = f->n;
    f->rows[count] = total;
    for (int k = 0; k < count; k++) {
        f->parent[k] = runs[k].parent < 0 ? -1 : f->super_of[runs[k].parent];
    }
    f->row = perp_alloc_unset(a, total, sizeof *f->row);
    return !a->failed;
}

/* Row k is in the supernodes of the subtree that its entries reach; so the lists are ascending. */
static void fill_rows(perp_supernodes *f, const perp_graph *g, int *mark)
{
    for (int s = 0; s < f->supers; s++) mark[s] = -1;
    for (int k = 0; k < f->n; k++) {
        int node = f->perm[k], own = f->super_of[k];
        for (int e = g->p[node]; e < g->p[node + 1]; e++) {
            int j = f->inverse[g->i[e]];
            if (j >= k) continue;
            for (int s = f->super_of[j]; s != own && mark[s] != k; s = f->parent[s]) {
                mark[s] = k;
                f->row[f->rows[s] + (size_t)f->count[s]++] = k;
            }
        }
    }
}

/* The panels, and what it costs to factor them. */
static void lay_panels(perp_supernodes *f)
{
    size_t total = 0;
    f->flops = 0;
    for (int s = 0; s < f->supers; s++) {
        size_t width = (size_t)perp_super_width(f, s);
        f->panel[s] = total;
        total += width * (width + (size_t)f->count[s]);
        for (int rows = f->count[s]; rows < perp_super_height(f, s); rows++) {
            f->flops += 0.5 * rows * ((double)rows + 3);
        }
    }
    f->panel[f->supers] = total;
}

bool perp_supernodes_open(perp_supernodes *f, perp_arena *a, int n, const int *p, const int *i)
{
    size_t size = (size_t)n;
    perp_graph g;
    *f = (perp_supernodes){.n = n};
    if (!is_lower(n, p, i) || p[n] > INT_MAX / 3 - n) return false;
    f->perm = perp_alloc_unset(a, size, sizeof *f->perm);
    f->inverse = perp_alloc_unset(a, size, sizeof *f->inverse);
    f->super_of = perp_alloc_unset(a, size, sizeof *f->super_of);
    if (a->failed) return false;
    if (!order(a, n, p, i, f->perm) || perp_watch_stops(a)) return false;
    if (!make_graph(a, n, p, i, 0, &g)) return false;
    int *parent = perp_alloc_unset(a, size, sizeof *parent);
    int *count = perp_alloc_unset(a, size, sizeof *count);
    int *work = perp_alloc_unset(a, size + 1, sizeof *work);
    int *next = perp_alloc_unset(a, size, sizeof *next);
    int *post = perp_alloc_unset(a, size, sizeof *post);
    int *stack = perp_alloc_unset(a, size + 1, sizeof *stack);
    run *runs = perp_alloc_unset(a, size, sizeof *runs);
    if (a->failed) return false;
    for (int k = 0; k < n; k++) f->inverse[f->perm[k]] = k;
    find_tree(&g, f->perm, f->inverse, parent, work);
    perp_watched watched = perp_watch_begin(a);
    if (!count_columns(&g, f->perm, f->inverse, parent, INFINITY, &watched, work, count))
        return false;
    list_children(n, parent, work, next, stack);
    postorder(n, work, next, stack, post);
    relabel(n, post, next, f->perm, f->inverse, parent, count);
    memset(stack, 0, size * sizeof *stack);
    for (int k = 0; k < n; k++) {
        if (parent[k] >= 0) stack[parent[k]] = 1;
    }
    int runs_count = find_runs(n, parent, count, stack, runs);
    runs_count = merge_runs(n, runs_count, runs);
    if (!keep_supernodes(f, a, runs_count, runs)) return false;
    fill_rows(f, &g, work);
    lay_panels(f);
    return true;
}

bool perp_postorder(perp_arena *a, const perp_graph *g, int *perm, int *parent)
{
    size_t size = (size_t)g->n;
    perp_mark mark = perp_arena_mark(a);
    int *work = perp_alloc_unset(a, 5 * size + 5, sizeof *work);
    if (!work) return false;
    int *inverse = work, *head = work + size, *next = head + size + 1, *stack = next + size;
    int *post = stack + size + 1;
    for (int k = 0; k < g->n; k++) inverse[perm[k]] = k;
    find_tree(g, perm, inverse, parent, post);
    list_children(g->n, parent, head, next, stack);
    postorder(g->n, head, next, stack, post);
    for (int k = 0; k < g->n; k++) head[post[k]] = k;
    for (int k = 0; k < g->n; k++) next[k] = parent[post[k]] < 0 ? -1 : head[parent[post[k]]];
    memcpy(parent, next, size * sizeof *parent);
    for (int k = 0; k < g->n; k++) next[k] = perm[post[k]];
    memcpy(perm, next, size * sizeof *perm);
    perp_arena_release(a, mark);
    return true;
}

/* The sum of the counts, or of their squares. */
static double sum_fill(perp_arena *a, const perp_graph *g, const int *perm, bool squared)
{
    size_t size = (size_t)g->n;
    perp_mark mark = perp_arena_mark(a);
    int *work = perp_alloc_unset(a, 4 * size, sizeof *work);
    double sum = INFINITY, most = PERP_FILL_MOST * ((double)g->p[g->n] + g->n);
    int *inverse = work, *parent = work + size, *seen = parent + size, *count = seen + size;
    perp_watched watched = perp_watch_begin(a);
    for (int k = 0; work && k < g->n; k++) inverse[perm[k]] = k;
    if (work) find_tree(g, perm, inverse, parent, seen);
    if (work && count_columns(g, perm, inverse, parent, most, &watched, seen, count)) {
        sum = 0;
        for (int k = 0; k < g->n; k++) sum += squared ? (double)count[k] * count[k] : count[k];
    }
    perp_arena_release(a, mark);
    return sum;
}

double perp_fill_bound(perp_arena *a, const perp_graph *g, const int *perm)
{
    return sum_fill(a, g, perm, true);
}

double perp_fill_entries(perp_arena *a, const perp_graph *g, const int *perm)
{
    return sum_fill(a, g, perm, false);
}
