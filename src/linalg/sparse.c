/* linalg/sparse.c: one interface for sparse factors, and the cache of their analyses.
 *
 * A cached object holds its pattern, the analysis, the last factors and what they are of: 4 n + 12
 * nnz bytes and what the factors need. Orderings are AMD's and COLAMD's, from the pattern alone:
 * those that look at values would let the cache change the bits. */
#include "sparse.h"

#include "base/cache.h"
#include "base/vector.h"
#include "sparse_backend.h"

#include <string.h>

#define ROUNDED(bytes) (((bytes) + 63) / 64 * 64) /* as an arena rounds */

struct perp_factor {
    perp_analysis *of;
    bool was_cached, computed;
    perp_arena *arena;
    size_t counted; /* bytes of the object's own memory that the arena counts for it */
};

/* Seconds that a library's factorisation may take where a monitor may cancel it. */
#define LIBRARY_MOST 5

/* SuiteSparse's need memory behind the arena. */
static const perp_backend *find_backend(const perp_arena *a, perp_factor_kind kind)
{
#ifdef PERP_GPL
    if (perp_arena_keeps(a) && kind != PERP_LU_REFINED)
        return kind == PERP_CHOLESKY ? &perp_gpl_cholesky : &perp_gpl_lu;
#else
    (void)a;
#endif
    return kind == PERP_CHOLESKY ? &perp_own_cholesky : &perp_own_lu;
}

/* Will a library's factorisation end before the limit? */
static bool ends_in_time(const perp_arena *a, perp_analysis *s)
{
    const perp_watch *w = a->watch;
    if (!s->by->library || !w || !w->left || s->n == 0) return true;
    perp_call call = {s->by->library, PERP_RATE_FACTOR, .units = s->by->flops(s)};
    double left = w->left(w->ctx);
    return perp_call_predict(w, &call) <= (left < LIBRARY_MOST ? left : LIBRARY_MOST);
}

/* ---- the cache ---- */

static void destroy_analysis(void *data)
{
    perp_analysis *s = data;
    perp_arena own = s->own;
    if (s->data && s->by->free) s->by->free(s);
    perp_arena_free(&own);
    perp_arena_resize(&own, s, 0);
}

static bool is_canonical(int n, const int *p, const int *i)
{
    if (p[0] != 0) return false;
    for (int j = 0; j < n; j++) {
        if (p[j + 1] < p[j]) return false;
        for (int k = p[j]; k < p[j + 1]; k++) {
            if (i[k] < 0 || i[k] >= n || (k > p[j] && i[k] <= i[k - 1])) return false;
        }
    }
    return true;
}

/* The pattern's copy, and the analysis. False: no memory. */
static bool fill_analysis(perp_analysis *s, const perp_backend *by, int n, const int *p,
                          const int *i)
{
    size_t nnz = (size_t)p[n];
    s->n = n;
    s->by = by;
    s->p = perp_alloc_unset(s->memory, (size_t)n + 1, sizeof *s->p);
    s->i = perp_alloc_unset(s->memory, nnz, sizeof *s->i);
    s->values = perp_alloc_unset(s->memory, nnz, sizeof *s->values);
    if (!s->p || !s->i || !s->values) return false;
    memcpy(s->p, p, ((size_t)n + 1) * sizeof *p);
    if (nnz) memcpy(s->i, i, nnz * sizeof *i);
    return n == 0 || by->analyze(s);
}

/* An object that is kept has memory of its own, as it outlives the solve. */
static perp_analysis *make_analysis(perp_arena *a, bool keeps, const perp_backend *by,
                                    perp_factor_kind kind, int n, const int *p, const int *i)
{
    if (!is_canonical(n, p, i)) return NULL; /* what is in the cache was looked at already */
    a->work[PERP_WORK_ANALYSIS]++;
    perp_analysis *s =
        keeps ? perp_arena_resize(a, NULL, sizeof *s) : perp_alloc_unset(a, 1, sizeof *s);
    if (!s) return NULL;
    *s = (perp_analysis){.kind = kind,
                         .own = {.resize = a->resize, .ctx = a->ctx, .watch = a->watch}};
    s->memory = keeps ? &s->own : a;
    size_t before = s->memory->used;
    bool made = fill_analysis(s, by, n, p, i);
    s->at_open = s->memory->used - before + ROUNDED(sizeof *s);
    s->own.watch = NULL;
    a->allocations += s->own.allocations;
    if (made) return s;
    if (keeps) destroy_analysis(s);
    return NULL;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 32;
}

static uint64_t hash_pattern(perp_factor_kind kind, int n, const int *p, const int *i)
{
    uint64_t h = mix(UINT64_C(0x7370617273650000), (uint64_t)kind); /* "sparse": whose key */
    h = mix(h, (uint64_t)n);
    for (int j = 0; j <= n; j++) h = mix(h, (uint64_t)p[j]);
    for (int k = 0; k < p[n]; k++) h = mix(h, (uint64_t)i[k]);
    return h;
}

static bool is_same(const perp_analysis *s, const perp_backend *by, perp_factor_kind kind, int n,
                    const int *p, const int *i)
{
    return s->by == by && s->kind == kind && s->n == n &&
           !memcmp(s->p, p, ((size_t)n + 1) * sizeof *p) &&
           (p[n] == 0 || !memcmp(s->i, i, (size_t)p[n] * sizeof *i));
}

static perp_analysis *find_analysis(perp_arena *a, uint64_t key, const perp_backend *by,
                                    perp_factor_kind kind, int n, const int *p, const int *i)
{
    /* An object in use is not found, nor is one that was looked at: so this ends. */
    perp_analysis *s;
    do s = perp_cache_find(a, key);
    while (s && !is_same(s, by, kind, n, p, i));
    return s;
}

/* The arena counts what the object has beside it as its own, until it is released. */
static void count_memory(perp_factor *f)
{
    perp_analysis *s = f->of;
    perp_arena *a = f->arena;
    if (s->memory == a) return;
    size_t bytes = s->at_open + (s->factored && s->n > 0 && s->by->bytes ? s->by->bytes(s) : 0);
    if (bytes <= f->counted) return;
    a->used += bytes - f->counted;
    a->peak = a->used > a->peak ? a->used : a->peak;
    f->counted = bytes;
}

/* ---- the interface ---- */

/* The analysis, found or made. False: no memory, or the watch asked to stop. */
static bool open_analysis(perp_factor *f, const perp_backend *by, perp_factor_kind kind, int n,
                          const int *p, const int *i)
{
    perp_arena *a = f->arena;
    bool keeps = perp_arena_keeps(a);
    uint64_t key = keeps ? hash_pattern(kind, n, p, i) : 0;
    f->of = keeps ? find_analysis(a, key, by, kind, n, p, i) : NULL;
    f->was_cached = f->of != NULL;
    if (f->was_cached) return true;
    if (perp_watch_stops(a)) return false;
    keeps = keeps && (by->library || perp_cache_has_room(a)); /* a library's needs memory apart */
    f->of = make_analysis(a, keeps, by, kind, n, p, i);
    return f->of && (!keeps || perp_cache_add(a, key, f->of, destroy_analysis));
}

perp_factor *perp_factor_open(perp_arena *a, perp_factor_kind kind, int n, const int *p,
                              const int *i)
{
    if (n < 0) return NULL;
    perp_factor *f = perp_alloc(a, 1, sizeof *f); /* first: the pin must lie above the mark */
    if (!f) return NULL;
    *f = (perp_factor){.arena = a};
    if (!open_analysis(f, find_backend(a, kind), kind, n, p, i)) return NULL;
    const perp_backend *own = kind == PERP_CHOLESKY ? &perp_own_cholesky : &perp_own_lu;
    if (!ends_in_time(a, f->of) && !open_analysis(f, own, kind, n, p, i)) return NULL;
    count_memory(f);
    if (a->counting && n > 0 && f->of->by->room) f->of->by->room(f->of);
    return f;
}

bool perp_factor_was_cached(const perp_factor *f)
{
    return f->was_cached;
}

double perp_factor_flops(perp_factor *f)
{
    return f->of->n > 0 ? f->of->by->flops(f->of) : 0;
}

/* The column of the first value that is not finite. */
static int find_bad_column(const perp_analysis *s, const double *x)
{
    for (int j = 0; j < s->n; j++) {
        if (!vector_is_finite((size_t)(s->p[j + 1] - s->p[j]), x + s->p[j])) return j + 1;
    }
    return 0;
}

static int compute(perp_factor *f, const double *x)
{
    perp_analysis *s = f->of;
    unsigned before = s->own.allocations;
    f->arena->work[PERP_WORK_FACTOR]++;
    s->own.failed = false;
    s->own.watch = f->arena->watch;
    perp_call call = {.name = s->by->library, .rate = PERP_RATE_FACTOR};
    if (call.name) call.units = s->by->flops(s);
    bool enter = !call.name || perp_call_begin(f->arena->watch, &call);
    int status = enter ? s->by->compute(s, x, f->arena->watch) : PERP_FACTOR_STOPPED;
    if (enter && call.name) perp_call_end(f->arena->watch, &call);
    s->own.watch = NULL;
    f->arena->allocations += s->own.allocations - before;
    return status;
}

int perp_factor_compute(perp_factor *f, const double *x)
{
    perp_analysis *s = f->of;
    const double none = 0;
    int nnz = s->p[s->n], status = 0;
    f->computed = s->factored && nnz > 0 && !memcmp(s->values, x, (size_t)nnz * sizeof *x);
    if (f->computed) count_memory(f);
    if (f->computed) return 0;
    s->factored = false;
    if (nnz == 0) x = &none; /* may be NULL */
    if (!vector_is_finite((size_t)nnz, x)) return find_bad_column(s, x);
    if (s->n > 0) status = compute(f, x);
    f->computed = s->factored = status == 0;
    if (!f->computed) return status;
    if (nnz) memcpy(s->values, x, (size_t)nnz * sizeof *x);
    count_memory(f);
    return 0;
}

int perp_factor_solve(perp_factor *f, bool transpose, const double *b, double *x)
{
    perp_analysis *s = f->of;
    if (!f->computed) return NO_MEMORY;
    if (s->n == 0) return 0;
    int status = s->by->solve(s, transpose, b, x);
    if (status) return status;
    return vector_is_finite((size_t)s->n, x) ? 0 : 1;
}

double perp_factor_rcond(perp_factor *f)
{
    if (!f->computed) return 0;
    return f->of->n > 0 ? f->of->by->rcond(f->of) : 1;
}

double perp_factor_entries(perp_factor *f)
{
    return f->computed && f->of->n > 0 ? f->of->by->entries(f->of) : 0;
}
