/* grids.c: free boundary problems on grids, against one sparse factorisation of the Jacobian at the
 * solution: CHOLMOD's analysis, factorisation in its automatic mode, and solve, which is less than
 * an LU factorisation would take. Memory is the arena's at its peak and, counted as it is
 * allocated, SuiteSparse's, over 8 bytes for each nonzero of that factor. */
#include "bench.h"
#include "command.h"
#include "literature.h"
#include "suitesparse_memory.h"

#include <malloc.h>
#include <suitesparse/cholmod.h>

#define TOL 1e-10
#define REPEATS 3

/* ---- what SuiteSparse allocates ---- */

static size_t held, most_held;

static void *count_in(void *p)
{
    held += malloc_usable_size(p);
    if (held > most_held) most_held = held;
    return p;
}

static void *counted_malloc(size_t size)
{
    return count_in(malloc(size));
}

static void *counted_calloc(size_t count, size_t size)
{
    return count_in(calloc(count, size));
}

static void *counted_realloc(void *p, size_t size)
{
    size_t before = malloc_usable_size(p);
    void *moved = realloc(p, size);
    if (moved) held -= before;
    return moved ? count_in(moved) : NULL;
}

static void counted_free(void *p)
{
    held -= malloc_usable_size(p);
    free(p);
}

static void start_counting(void)
{
    set_suitesparse_memory(
        &(suitesparse_memory){counted_malloc, counted_calloc, counted_realloc, counted_free});
}

/* ---- the yardstick ---- */

typedef struct factor {
    double seconds, nonzeros;
} factor;

/* The Jacobian at z; its pattern is the problem's. */
static bool read_jacobian(const literature *l, const double *z, cholmod_sparse *J)
{
    const perp_map *F = &l->p.as.mcp.F;
    const struct perp_csc_view *c = F->eval ? &F->pattern.as.csc : &F->M.as.csc;
    size_t n = (size_t)l->n, count = (size_t)c->p[l->n];
    memcpy(J->p, c->p, (n + 1) * sizeof *c->p);
    memcpy(J->i, c->i, count * sizeof *c->i);
    if (F->eval) return F->jacobian && F->jacobian(F->ctx, z, J->x);
    memcpy(J->x, c->x, count * sizeof *c->x);
    return true;
}

static bool factor_once(cholmod_sparse *J, cholmod_dense *b, cholmod_common *common, factor *f)
{
    cholmod_dense *x = NULL;
    double start = cpu_now();
    cholmod_factor *L = cholmod_analyze(J, common);
    f->nonzeros = common->lnz;
    if (L && cholmod_factorize(J, L, common)) x = cholmod_solve(CHOLMOD_A, L, b, common);
    f->seconds = fmin(f->seconds, cpu_now() - start);
    bool done = x && common->status == CHOLMOD_OK;
    cholmod_free_dense(&x, common);
    cholmod_free_factor(&L, common);
    return done;
}

static factor find_factor(const literature *l, const double *z)
{
    const perp_map *F = &l->p.as.mcp.F;
    const struct perp_csc_view *c = F->eval ? &F->pattern.as.csc : &F->M.as.csc;
    size_t n = (size_t)l->n;
    factor f = {INFINITY, NAN};
    cholmod_common common;
    cholmod_start(&common);
    common.print = 0;
    cholmod_sparse *J =
        cholmod_allocate_sparse(n, n, (size_t)c->p[l->n], 1, 1, 1, CHOLMOD_REAL, &common);
    cholmod_dense *b = cholmod_ones(n, 1, CHOLMOD_REAL, &common);
    bool good = J && b && read_jacobian(l, z, J);
    for (int k = 0; k < REPEATS && good; k++) good = factor_once(J, b, &common, &f);
    if (!good) f = (factor){NAN, NAN};
    cholmod_free_sparse(&J, &common);
    cholmod_free_dense(&b, &common);
    cholmod_finish(&common);
    return f;
}

/* ---- the table ---- */

static void run_start(bench *b, const literature *l, int k, double *z)
{
    perp_result r;
    perp_plain_options o = perp_mcp_auto_defaults();
    perp_arena work = {0};
    o.base.tol = TOL;
    o.base.warm_start = true;
    memcpy(z, l->start + (size_t)k * (size_t)l->n, (size_t)l->n * sizeof *z);
    most_held = held;
    size_t before = held;
    double start = cpu_now();
    perp_solve(&l->p, &o.base, &work, z, NULL, &r);
    double seconds = cpu_now() - start;
    double bytes = (double)work.peak + (double)(most_held - before);
    perp_arena_free(&work);
    factor f = find_factor(l, z);
    fprintf(b->out, "%-13s %6d %5d %9s %5d %9.3f %9.3f %6.1f %8.1f %8.2f %6.1f\n", l->name, l->n, k,
            perp_status_name(r.status), r.iterations, seconds, f.seconds, seconds / f.seconds,
            bytes / 1e6, f.nonzeros / 1e6, bytes / (8 * f.nonzeros));
    fflush(b->out);
}

static void run_grid(bench *b, const char *name, int size)
{
    literature l;
    perp_mark mark = perp_arena_mark(&b->data);
    double *z = NULL;
    if (literature_make(literature_find(name), size, &b->data, &l))
        z = perp_alloc(&b->data, (size_t)l.n, sizeof *z);
    for (int k = 0; z && k < l.starts; k++) run_start(b, &l, k, z);
    perp_arena_release(&b->data, mark);
}

bool run_grids(bench *b)
{
    static const char *const names[] = {"obstacle", "obstacle_box", "torsion", "bratu", "bearing"};
    static const int sizes[] = {2500, 10000, 40000};
    start_counting();
    fprintf(b->out,
            "mcp/auto to %g, and one factorisation of the Jacobian with analysis and solve\n"
            "%-13s %6s %5s %9s %5s %9s %9s %6s %8s %8s %6s\n",
            TOL, "problem", "n", "start", "", "steps", "seconds", "factor", "x", "MB", "Mentries",
            "x");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) run_grid(b, names[k], sizes[s]);
    }
    return true;
}
