/* linalg/sparse_gpl.c: sparse Cholesky by CHOLMOD and LU by UMFPACK, with the build option `gpl`.
 * Chen et al., ACM TOMS 35(3) 2008 (CHOLMOD); Davis, ACM TOMS 30(2) 2004 (UMFPACK).
 *
 * Their memory is SuiteSparse's own, so that they are for growing arenas alone, and they do not
 * look at the watch: sparse.c predicts how long they take. Without the option this file is empty.
 */
#include "sparse_backend.h"

#ifdef PERP_GPL
#include "base/vector.h"

#include <string.h>
#include <suitesparse/cholmod.h>
#include <suitesparse/umfpack.h>

/* ---- Cholesky by CHOLMOD ---- */

typedef struct cholesky {
    cholmod_common common;
    cholmod_factor *L;
    cholmod_dense *X, *Y, *E; /* kept between solves */
} cholesky;

static cholmod_sparse cholmod_view(const perp_analysis *s, const double *x)
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

static bool cholesky_analyze(perp_analysis *s)
{
    cholesky *c = s->data = perp_alloc(s->memory, 1, sizeof *c);
    if (!c) return false;
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
    common->supernodal = CHOLMOD_AUTO;
    cholmod_sparse A = cholmod_view(s, NULL);
    c->L = cholmod_analyze(&A, common);
    return c->L != NULL;
}

static int cholesky_compute(perp_analysis *s, const double *x, const perp_watch *watch)
{
    cholesky *c = s->data;
    cholmod_sparse A = cholmod_view(s, x);
    (void)watch;
    cholmod_factorize(&A, c->L, &c->common);
    if (c->common.status < 0) return NO_MEMORY;
    if (c->L->minor >= c->L->n) return 0;
    return ((const int *)c->L->Perm)[c->L->minor] + 1;
}

static int cholesky_solve(perp_analysis *s, bool transpose, const double *b, double *x)
{
    (void)transpose; /* A = A' */
    cholesky *c = s->data;
    size_t n = (size_t)s->n;
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

static double cholesky_rcond(perp_analysis *s)
{
    cholesky *c = s->data;
    return cholmod_rcond(c->L, &c->common);
}

static void cholesky_free(perp_analysis *s)
{
    cholesky *c = s->data;
    cholmod_free_dense(&c->X, &c->common);
    cholmod_free_dense(&c->Y, &c->common);
    cholmod_free_dense(&c->E, &c->common);
    cholmod_free_factor(&c->L, &c->common);
    cholmod_finish(&c->common);
}

static double cholesky_flops(perp_analysis *s)
{
    const cholesky *c = s->data;
    return 0.5 * c->common.fl;
}

static double cholesky_entries(perp_analysis *s)
{
    const cholmod_factor *L = ((const cholesky *)s->data)->L;
    return (double)(L->is_super ? L->xsize : L->nzmax);
}

const perp_backend perp_gpl_cholesky = {
    .library = "CHOLMOD",
    .analyze = cholesky_analyze,
    .compute = cholesky_compute,
    .solve = cholesky_solve,
    .rcond = cholesky_rcond,
    .flops = cholesky_flops,
    .entries = cholesky_entries,
    .free = cholesky_free,
};

/* ---- LU by UMFPACK ---- */

typedef struct lu {
    void *symbolic, *numeric;
    double control[UMFPACK_CONTROL], info[UMFPACK_INFO];
    double *work; /* 2 n */
    int *iwork;   /* n */
} lu;

static bool lu_analyze(perp_analysis *s)
{
    size_t n = (size_t)s->n;
    lu *c = s->data = perp_alloc(s->memory, 1, sizeof *c);
    double *work = perp_alloc_unset(s->memory, 2 * n, sizeof *work);
    int *iwork = perp_alloc_unset(s->memory, n, sizeof *iwork);
    if (!c || !work || !iwork) return false;
    c->work = work;
    c->iwork = iwork;
    umfpack_di_defaults(c->control);
    c->control[UMFPACK_PRL] = 0;
    c->control[UMFPACK_IRSTEP] = 0; /* no refinement: perp's own have none either */
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
static int find_zero_pivot(perp_analysis *s)
{
    const lu *c = s->data;
    int n = s->n, *Q = c->iwork, reciprocal = 0;
    double *D = c->work;
    int status = umfpack_di_get_numeric(NULL, NULL, NULL, NULL, NULL, NULL, NULL, Q, D, &reciprocal,
                                        NULL, c->numeric);
    if (status < 0) return NO_MEMORY;
    for (int k = 0; k < n; k++) {
        if (D[k] == 0 || !isfinite(D[k])) return Q[k] + 1;
    }
    return n;
}

static int lu_compute(perp_analysis *s, const double *x, const perp_watch *watch)
{
    lu *c = s->data;
    (void)watch;
    umfpack_di_free_numeric(&c->numeric);
    int status = umfpack_di_numeric(s->p, s->i, x, c->symbolic, &c->numeric, c->control, c->info);
    if (status < 0) return NO_MEMORY;
    return status == UMFPACK_OK ? 0 : find_zero_pivot(s);
}

static int lu_solve(perp_analysis *s, bool transpose, const double *b, double *x)
{
    lu *c = s->data;
    size_t n = (size_t)s->n;
    double *copy = c->work, *W = c->work + n; /* UMFPACK wants b and x apart */
    memcpy(copy, b, n * sizeof *copy);
    double info[UMFPACK_INFO]; /* c->info keeps what lu_compute found */
    int status = umfpack_di_wsolve(transpose ? UMFPACK_At : UMFPACK_A, NULL, NULL, NULL, x, copy,
                                   c->numeric, c->control, info, c->iwork, W);
    return status < 0 ? NO_MEMORY : 0;
}

static double lu_rcond(perp_analysis *s)
{
    return ((const lu *)s->data)->info[UMFPACK_RCOND];
}

static void lu_free(perp_analysis *s)
{
    lu *c = s->data;
    umfpack_di_free_numeric(&c->numeric);
    umfpack_di_free_symbolic(&c->symbolic);
}

/* UMFPACK's bound for any pivots. */
static double lu_flops(perp_analysis *s)
{
    const lu *c = s->data;
    return 0.5 * c->info[UMFPACK_FLOPS_ESTIMATE];
}

static double lu_entries(perp_analysis *s)
{
    const lu *c = s->data;
    return c->info[UMFPACK_LNZ] + c->info[UMFPACK_UNZ];
}

const perp_backend perp_gpl_lu = {
    .library = "UMFPACK",
    .analyze = lu_analyze,
    .compute = lu_compute,
    .solve = lu_solve,
    .rcond = lu_rcond,
    .flops = lu_flops,
    .entries = lu_entries,
    .free = lu_free,
};
#endif
