/* factor_peers.c: perp's own factorisations, CHOLMOD, UMFPACK and KLU behind one interface. All of
 * them are asked for what linalg/sparse.h does: AMD's or COLAMD's order from the pattern, a whole
 * factorisation with pivots each time, no refinement. */
#include "factor.h"
#include "linalg/sparse.h"

#include <stdlib.h>
#include <string.h>
#ifdef BENCH_CHOLMOD
#include <suitesparse/cholmod.h>
#endif
#ifdef BENCH_KLU
#include <suitesparse/klu.h>
#endif
#ifdef BENCH_UMFPACK
#include <suitesparse/umfpack.h>
#endif

/* ---- perp ---- */

typedef struct own {
    perp_arena arena;
    perp_factor *f;
} own;

static void own_close(void *state)
{
    own *s = state;
    perp_arena_free(&s->arena);
    free(s);
}

static void *own_open(const sparse_matrix *A, perp_factor_kind kind)
{
    own *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->f = perp_factor_open(&s->arena, kind, A->n, A->p, A->i);
    if (s->f) return s;
    own_close(s);
    return NULL;
}

static void *own_cholesky_open(const sparse_matrix *A)
{
    return own_open(A, PERP_CHOLESKY);
}

static void *own_lu_open(const sparse_matrix *A)
{
    return own_open(A, PERP_LU);
}

static bool own_compute(void *state, const double *x)
{
    return perp_factor_compute(((own *)state)->f, x) == 0;
}

static bool own_solve(void *state, const double *b, double *x)
{
    return perp_factor_solve(((own *)state)->f, false, b, x) == 0;
}

static double own_entries(void *state)
{
    return perp_factor_entries(((own *)state)->f);
}

static const factoriser own_cholesky = {"perp",    true,        own_cholesky_open, own_compute,
                                        own_solve, own_entries, own_close};
static const factoriser own_lu = {"perp",    false,       own_lu_open, own_compute,
                                  own_solve, own_entries, own_close};

/* ---- CHOLMOD ---- */

#ifdef BENCH_CHOLMOD
typedef struct cholmod {
    cholmod_common common;
    cholmod_sparse A;
    cholmod_factor *L;
    cholmod_dense *X, *Y, *E;
} cholmod;

static void cholmod_close(void *state)
{
    cholmod *s = state;
    cholmod_free_dense(&s->X, &s->common);
    cholmod_free_dense(&s->Y, &s->common);
    cholmod_free_dense(&s->E, &s->common);
    cholmod_free_factor(&s->L, &s->common);
    cholmod_finish(&s->common);
    free(s);
}

static void *cholmod_open(const sparse_matrix *A)
{
    cholmod *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    cholmod_start(&s->common);
    s->common.print = 0;
    s->common.nmethods = 1;
    s->common.method[0].ordering = CHOLMOD_AMD;
    s->common.final_ll = true;
    s->common.quick_return_if_not_posdef = true;
    s->A = (cholmod_sparse){.nrow = (size_t)A->n,
                            .ncol = (size_t)A->n,
                            .nzmax = (size_t)A->p[A->n],
                            .p = (void *)A->p,
                            .i = (void *)A->i,
                            .stype = -1,
                            .itype = CHOLMOD_INT,
                            .xtype = CHOLMOD_PATTERN,
                            .dtype = CHOLMOD_DOUBLE,
                            .sorted = true,
                            .packed = true};
    s->L = cholmod_analyze(&s->A, &s->common);
    s->A.xtype = CHOLMOD_REAL;
    if (s->L) return s;
    cholmod_close(s);
    return NULL;
}

static bool cholmod_compute(void *state, const double *x)
{
    cholmod *s = state;
    s->A.x = (void *)x;
    return cholmod_factorize(&s->A, s->L, &s->common) && s->L->minor >= s->L->n;
}

static bool cholmod_solve_one(void *state, const double *b, double *x)
{
    cholmod *s = state;
    size_t n = s->A.nrow;
    cholmod_dense B = {.nrow = n,
                       .ncol = 1,
                       .nzmax = n,
                       .d = n,
                       .x = (void *)b,
                       .xtype = CHOLMOD_REAL,
                       .dtype = CHOLMOD_DOUBLE};
    if (!cholmod_solve2(CHOLMOD_A, s->L, &B, NULL, &s->X, NULL, &s->Y, &s->E, &s->common))
        return false;
    memcpy(x, s->X->x, n * sizeof *x);
    return true;
}

static double cholmod_entries(void *state)
{
    const cholmod_factor *L = ((cholmod *)state)->L;
    return (double)(L->is_super ? L->xsize : L->nzmax);
}

static const factoriser cholmod_factoriser = {
    "CHOLMOD",       true,         cholmod_open, cholmod_compute, cholmod_solve_one,
    cholmod_entries, cholmod_close};
#endif

/* ---- KLU ---- */

#ifdef BENCH_KLU
typedef struct klu {
    sparse_matrix A;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
} klu;

static void klu_close(void *state)
{
    klu *s = state;
    klu_free_numeric(&s->numeric, &s->common);
    klu_free_symbolic(&s->symbolic, &s->common);
    free(s);
}

static void *klu_open(const sparse_matrix *A)
{
    klu *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->A = *A;
    klu_defaults(&s->common);
    s->symbolic = klu_analyze(A->n, (int *)A->p, (int *)A->i, &s->common);
    if (s->symbolic) return s;
    klu_close(s);
    return NULL;
}

static bool klu_compute(void *state, const double *x)
{
    klu *s = state;
    klu_free_numeric(&s->numeric, &s->common);
    s->numeric = klu_factor((int *)s->A.p, (int *)s->A.i, (double *)x, s->symbolic, &s->common);
    return s->numeric && s->common.status == KLU_OK;
}

static bool klu_solve_one(void *state, const double *b, double *x)
{
    klu *s = state;
    memcpy(x, b, (size_t)s->A.n * sizeof *x);
    return klu_solve(s->symbolic, s->numeric, s->A.n, 1, x, &s->common);
}

static double klu_entries(void *state)
{
    const klu_numeric *numeric = ((klu *)state)->numeric;
    return (double)numeric->lnz + (double)numeric->unz;
}

static const factoriser klu_factoriser = {"KLU",         false,       klu_open, klu_compute,
                                          klu_solve_one, klu_entries, klu_close};
#endif

/* ---- UMFPACK ---- */

#ifdef BENCH_UMFPACK
typedef struct umfpack {
    sparse_matrix A;
    double control[UMFPACK_CONTROL], info[UMFPACK_INFO];
    void *symbolic, *numeric;
    const double *x;
} umfpack;

static void umfpack_close(void *state)
{
    umfpack *s = state;
    umfpack_di_free_numeric(&s->numeric);
    umfpack_di_free_symbolic(&s->symbolic);
    free(s);
}

static void *umfpack_open(const sparse_matrix *A)
{
    umfpack *s = calloc(1, sizeof *s);
    size_t nnz = (size_t)A->p[A->n];
    double *ones = malloc((nnz + 1) * sizeof *ones);
    if (!s || !ones) abort();
    s->A = *A;
    umfpack_di_defaults(s->control);
    s->control[UMFPACK_PRL] = 0;
    s->control[UMFPACK_IRSTEP] = 0;
    for (size_t k = 0; k < nnz; k++) ones[k] = 1; /* the pattern alone chooses */
    int status =
        umfpack_di_symbolic(A->n, A->n, A->p, A->i, ones, &s->symbolic, s->control, s->info);
    free(ones);
    if (status == UMFPACK_OK) return s;
    umfpack_close(s);
    return NULL;
}

static bool umfpack_compute(void *state, const double *x)
{
    umfpack *s = state;
    umfpack_di_free_numeric(&s->numeric);
    s->x = x;
    return umfpack_di_numeric(s->A.p, s->A.i, x, s->symbolic, &s->numeric, s->control, s->info) ==
           UMFPACK_OK;
}

static bool umfpack_solve(void *state, const double *b, double *x)
{
    umfpack *s = state;
    return umfpack_di_solve(UMFPACK_A, s->A.p, s->A.i, s->x, x, b, s->numeric, s->control,
                            s->info) == UMFPACK_OK;
}

static double umfpack_entries(void *state)
{
    const umfpack *s = state;
    return s->info[UMFPACK_LNZ] + s->info[UMFPACK_UNZ];
}

static const factoriser umfpack_factoriser = {
    "UMFPACK", false, umfpack_open, umfpack_compute, umfpack_solve, umfpack_entries, umfpack_close};
#endif

const factoriser *const factorisers[] = {
    &own_cholesky,
    &own_lu,
#ifdef BENCH_CHOLMOD
    &cholmod_factoriser,
#endif
#ifdef BENCH_UMFPACK
    &umfpack_factoriser,
#endif
#ifdef BENCH_KLU
    &klu_factoriser,
#endif
    NULL,
};
