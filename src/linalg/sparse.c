/* linalg/sparse.c: one factor interface over CHOLMOD, UMFPACK and KLU.
 * Davis, Direct Methods for Sparse Linear Systems, SIAM 2006; Chen et al., ACM TOMS 35(3) 2008
 * (CHOLMOD); Davis, ACM TOMS 30(2) 2004 (UMFPACK); Davis & Palamadai Natarajan, ACM TOMS 37(3) 2010
 * (KLU).
 * A cached object holds its pattern, the analysis, the last factors and what they are of: 4 n + 12
 * nnz bytes and whatever SuiteSparse needs. Orderings are AMD's and COLAMD's, from the pattern
 * alone: METIS keeps globals, and orderings that look at values would let the cache change the
 * bits. */
#include "sparse.h"

#include "base/cache.h"
#include "base/vector.h"

#include <string.h>
#include <suitesparse/cholmod.h>
#ifdef PERP_GPL
#include <suitesparse/umfpack.h>
#else
#include <suitesparse/klu.h>
#endif

#define NO_MEMORY (-1)

typedef struct cholesky {
    cholmod_common common;
    cholmod_factor *L;
    cholmod_dense *X, *Y, *E; /* kept between solves */
} cholesky;

typedef struct lu {
    void *symbolic, *numeric;
#ifdef PERP_GPL
    double control[UMFPACK_CONTROL], info[UMFPACK_INFO];
#else
    klu_common common;
#endif
} lu;

/* What the arena caches. */
typedef struct analysis {
    perp_factor_kind kind;
    int n;
    int *p, *i;
    double *values; /* that the factors are of; NULL: no memory for a copy */
    bool factored;  /* there are factors, of these values */
    union {
        cholesky chol;
        lu lu;
    } as;
} analysis;

struct perp_factor {
    analysis *of;
    bool was_cached, computed;
    perp_arena *arena;
    double *work; /* 3 n */
    int *iwork;   /* n */
};

/* ---- Cholesky by CHOLMOD ---- */

static cholmod_sparse cholmod_view(const analysis *s, const double *x)
{
    return (cholmod_sparse){.nrow = (size_t)s->n,
                            .ncol = (size_t)s->n,
                            .nzmax = (size_t)s->p[s->n],
                            .p = s->p,
                            .i = s->i,
                            .x = (void *)x, /* read only */
                            .stype = -1,
                            .itype = CHOLMOD_INT,
                            .xtype = x ? CHOLMOD_REAL : CHOLMOD_PATTERN,
                            .dtype = CHOLMOD_DOUBLE,
                            .sorted = true,
                            .packed = true};
}

static bool cholesky_analyze(analysis *s)
{
    cholesky *c = &s->as.chol;
    cholmod_common *common = &c->common;
    cholmod_start(common);
    common->print = 0;
    common->error_handler = NULL;
    common->try_catch = true; /* errors are ours to report: status alone */
    common->nmethods = 1;
    common->method[0].ordering = CHOLMOD_AMD;
    common->postorder = true;
    common->final_ll = true; /* L L': a pivot <= 0 is then a failure, not a sign in D */
    common->quick_return_if_not_posdef = true;
#ifdef PERP_GPL
    common->supernodal = CHOLMOD_AUTO;
#else
    common->supernodal = CHOLMOD_SIMPLICIAL;
#endif
    cholmod_sparse A = cholmod_view(s, NULL);
    c->L = cholmod_analyze(&A, common);
    return c->L != NULL;
}

static int cholesky_compute(perp_factor *f, const double *x)
{
    cholesky *c = &f->of->as.chol;
    cholmod_sparse A = cholmod_view(f->of, x);
    cholmod_factorize(&A, c->L, &c->common);
    if (c->common.status < 0) return NO_MEMORY;
    if (c->L->minor >= c->L->n) return 0;
    return ((const int *)c->L->Perm)[c->L->minor] + 1;
}

static int cholesky_solve(perp_factor *f, bool transpose, const double *b, double *x)
{
    (void)transpose; /* A = A' */
    cholesky *c = &f->of->as.chol;
    size_t n = (size_t)f->of->n;
    cholmod_dense B = {.nrow = n,
                       .ncol = 1,
                       .nzmax = n,
                       .d = n,
                       .x = (void *)b, /* read only */
                       .xtype = CHOLMOD_REAL,
                       .dtype = CHOLMOD_DOUBLE};
    if (!cholmod_solve2(CHOLMOD_A, c->L, &B, NULL, &c->X, NULL, &c->Y, &c->E, &c->common))
        return NO_MEMORY;
    memcpy(x, c->X->x, n * sizeof *x);
    return 0;
}

static double cholesky_rcond(perp_factor *f)
{
    cholesky *c = &f->of->as.chol;
    return cholmod_rcond(c->L, &c->common);
}

static void cholesky_free(analysis *s)
{
    cholesky *c = &s->as.chol;
    cholmod_free_dense(&c->X, &c->common);
    cholmod_free_dense(&c->Y, &c->common);
    cholmod_free_dense(&c->E, &c->common);
    cholmod_free_factor(&c->L, &c->common);
    cholmod_finish(&c->common);
}

#ifdef PERP_GPL
/* ---- LU by UMFPACK ---- */

static bool lu_analyze(analysis *s)
{
    lu *c = &s->as.lu;
    umfpack_di_defaults(c->control);
    c->control[UMFPACK_PRL] = 0;
    c->control[UMFPACK_IRSTEP] = 0; /* no refinement: KLU and CHOLMOD have none either */
    /* Given no values, UMFPACK takes every matrix for unsymmetric in structure, at up to twice the
     * fill. Ones let it look at the pattern, and at nothing else. */
    size_t nnz = (size_t)s->p[s->n];
    double *ones = SuiteSparse_malloc(nnz + 1, sizeof *ones);
    if (!ones) return false;
    for (size_t k = 0; k < nnz; k++) ones[k] = 1;
    int status =
        umfpack_di_symbolic(s->n, s->n, s->p, s->i, ones, &c->symbolic, c->control, c->info);
    SuiteSparse_free(ones);
    return status == UMFPACK_OK;
}

/* UMFPACK says that there is a zero pivot, not where. */
static int find_zero_pivot(perp_factor *f)
{
    int n = f->of->n, *Q = f->iwork, reciprocal = 0;
    double *D = f->work;
    int status = umfpack_di_get_numeric(NULL, NULL, NULL, NULL, NULL, NULL, NULL, Q, D, &reciprocal,
                                        NULL, f->of->as.lu.numeric);
    if (status < 0) return NO_MEMORY;
    for (int k = 0; k < n; k++) {
        if (D[k] == 0 || !isfinite(D[k])) return Q[k] + 1;
    }
    return n;
}

static int lu_compute(perp_factor *f, const double *x)
{
    analysis *s = f->of;
    lu *c = &s->as.lu;
    umfpack_di_free_numeric(&c->numeric);
    int status = umfpack_di_numeric(s->p, s->i, x, c->symbolic, &c->numeric, c->control, c->info);
    if (status < 0) return NO_MEMORY;
    return status == UMFPACK_OK ? 0 : find_zero_pivot(f);
}

static int lu_solve(perp_factor *f, bool transpose, const double *b, double *x)
{
    analysis *s = f->of;
    lu *c = &s->as.lu;
    size_t n = (size_t)s->n;
    double *copy = f->work, *W = f->work + n; /* UMFPACK wants b and x apart */
    memcpy(copy, b, n * sizeof *copy);
    double info[UMFPACK_INFO]; /* c->info keeps what lu_compute found */
    int status = umfpack_di_wsolve(transpose ? UMFPACK_At : UMFPACK_A, NULL, NULL, NULL, x, copy,
                                   c->numeric, c->control, info, f->iwork, W);
    return status < 0 ? NO_MEMORY : 0;
}

static double lu_rcond(perp_factor *f)
{
    return f->of->as.lu.info[UMFPACK_RCOND];
}

static void lu_free(analysis *s)
{
    umfpack_di_free_numeric(&s->as.lu.numeric);
    umfpack_di_free_symbolic(&s->as.lu.symbolic);
}

#else
/* ---- LU by KLU ---- */

static bool lu_analyze(analysis *s)
{
    lu *c = &s->as.lu;
    klu_defaults(&c->common);
    c->symbolic = klu_analyze(s->n, s->p, s->i, &c->common);
    return c->symbolic != NULL;
}

static void free_klu_numeric(lu *c)
{
    klu_numeric *numeric = c->numeric;
    klu_free_numeric(&numeric, &c->common);
    c->numeric = NULL;
}

/* A new factorisation each time, not klu_refactor: pivots chosen for other values may be poor, and
 * the bits would depend on the past. */
static int lu_compute(perp_factor *f, const double *x)
{
    analysis *s = f->of;
    lu *c = &s->as.lu;
    klu_common *common = &c->common;
    free_klu_numeric(c);
    c->numeric = klu_factor(s->p, s->i, (double *)x, c->symbolic, common); /* x is read only */
    if (common->status < 0) return NO_MEMORY;
    if (c->numeric && common->status == KLU_OK) return 0;
    int column = common->singular_col;
    return column >= 0 && column < s->n ? column + 1 : s->n;
}

static int lu_solve(perp_factor *f, bool transpose, const double *b, double *x)
{
    analysis *s = f->of;
    lu *c = &s->as.lu;
    memmove(x, b, (size_t)s->n * sizeof *x);
    int ok = transpose ? klu_tsolve(c->symbolic, c->numeric, s->n, 1, x, &c->common)
                       : klu_solve(c->symbolic, c->numeric, s->n, 1, x, &c->common);
    return ok ? 0 : NO_MEMORY;
}

static double lu_rcond(perp_factor *f)
{
    lu *c = &f->of->as.lu;
    return klu_rcond(c->symbolic, c->numeric, &c->common) ? c->common.rcond : 0;
}

static void lu_free(analysis *s)
{
    lu *c = &s->as.lu;
    klu_symbolic *symbolic = c->symbolic;
    free_klu_numeric(c);
    klu_free_symbolic(&symbolic, &c->common);
}
#endif

typedef struct backend {
    bool (*analyze)(analysis *s);
    int (*compute)(perp_factor *f, const double *x);
    int (*solve)(perp_factor *f, bool transpose, const double *b, double *x);
    double (*rcond)(perp_factor *f);
    void (*free)(analysis *s);
} backend;

static const backend backends[] = {
    [PERP_CHOLESKY] = {cholesky_analyze, cholesky_compute, cholesky_solve, cholesky_rcond,
                       cholesky_free},
    [PERP_LU] = {lu_analyze, lu_compute, lu_solve, lu_rcond, lu_free},
};

/* ---- the cache ---- */

static void destroy_analysis(void *data)
{
    analysis *s = data;
    if (s->n > 0) backends[s->kind].free(s);
    SuiteSparse_free(s->p);
    SuiteSparse_free(s->i);
    SuiteSparse_free(s->values);
    SuiteSparse_free(s);
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

static int *copy_ints(const int *from, size_t count)
{
    int *to = SuiteSparse_malloc(count + 1, sizeof *to); /* + 1: never NULL for being empty */
    if (to && count) memcpy(to, from, count * sizeof *to);
    return to;
}

/* SuiteSparse_malloc, not the arena's memory: the object outlives the solve. */
static analysis *make_analysis(perp_factor_kind kind, int n, const int *p, const int *i)
{
    if (!is_canonical(n, p, i)) return NULL; /* what is in the cache was looked at already */
    analysis *s = SuiteSparse_calloc(1, sizeof *s);
    if (!s) return NULL;
    s->kind = kind;
    s->p = copy_ints(p, (size_t)n + 1);
    s->i = copy_ints(i, (size_t)p[n]);
    bool whole = s->p && s->i;
    if (whole) {
        s->n = n;
        if (n == 0 || backends[kind].analyze(s)) return s;
    }
    destroy_analysis(s); /* n = 0: nothing but the copies */
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

static bool is_same(const analysis *s, perp_factor_kind kind, int n, const int *p, const int *i)
{
    return s->kind == kind && s->n == n && !memcmp(s->p, p, ((size_t)n + 1) * sizeof *p) &&
           (p[n] == 0 || !memcmp(s->i, i, (size_t)p[n] * sizeof *i));
}

/* ---- the interface ---- */

perp_factor *perp_factor_open(perp_arena *a, perp_factor_kind kind, int n, const int *p,
                              const int *i)
{
    if (a->fixed || n < 0) return NULL;
    perp_factor *f = perp_alloc(a, 1, sizeof *f); /* first: the pin must lie above the mark */
    double *work = perp_alloc(a, 2 * (size_t)n, sizeof *work);
    int *iwork = perp_alloc(a, (size_t)n, sizeof *iwork);
    if (!f || !work || !iwork) return NULL;
    *f = (perp_factor){.arena = a, .work = work, .iwork = iwork};

    /* An object in use is not found, nor is one that was looked at: so this ends. */
    uint64_t key = hash_pattern(kind, n, p, i);
    do f->of = perp_cache_find(a, key);
    while (f->of && !is_same(f->of, kind, n, p, i));
    f->was_cached = f->of != NULL;
    if (f->of) return f;

    a->work[PERP_WORK_ANALYSIS]++;
    f->of = make_analysis(kind, n, p, i);
    if (!f->of || !perp_cache_add(a, key, f->of, destroy_analysis)) return NULL;
    return f;
}

bool perp_factor_was_cached(const perp_factor *f)
{
    return f->was_cached;
}

/* The column of the first value that is not finite. */
static int find_bad_column(const analysis *s, const double *x)
{
    for (int j = 0; j < s->n; j++) {
        if (!vector_is_finite((size_t)(s->p[j + 1] - s->p[j]), x + s->p[j])) return j + 1;
    }
    return 0;
}

/* Remember what the factors are of, for who factors the same values again. */
static void keep_values(analysis *s, const double *x)
{
    size_t nnz = (size_t)s->p[s->n];
    if (!s->values) s->values = SuiteSparse_malloc(nnz + 1, sizeof *s->values);
    if (!s->values) return;
    memcpy(s->values, x, nnz * sizeof *x);
    s->factored = true;
}

int perp_factor_compute(perp_factor *f, const double *x)
{
    analysis *s = f->of;
    const double none = 0;
    int nnz = s->p[s->n], status = 0;
    f->computed = s->factored && nnz > 0 && !memcmp(s->values, x, (size_t)nnz * sizeof *x);
    if (f->computed) return 0;
    s->factored = false;
    if (nnz == 0) x = &none; /* may be NULL, which SuiteSparse would refuse */
    if (!vector_is_finite((size_t)nnz, x)) return find_bad_column(s, x);
    if (s->n > 0) {
        f->arena->work[PERP_WORK_FACTOR]++;
        status = backends[s->kind].compute(f, x);
    }
    f->computed = status == 0;
    if (f->computed) keep_values(s, x);
    return status;
}

int perp_factor_solve(perp_factor *f, bool transpose, const double *b, double *x)
{
    if (!f->computed) return NO_MEMORY;
    if (f->of->n == 0) return 0;
    int status = backends[f->of->kind].solve(f, transpose, b, x);
    if (status) return status;
    return vector_is_finite((size_t)f->of->n, x) ? 0 : 1;
}

double perp_factor_rcond(perp_factor *f)
{
    if (!f->computed) return 0;
    return f->of->n > 0 ? backends[f->of->kind].rcond(f) : 1;
}
