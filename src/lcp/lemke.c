/* lcp/lemke.c: Lemke's method, lexicographic, on a blocked dictionary (method/lemke.c).
 * Lemke 1965; Cottle, Pang, Stone, The Linear Complementarity Problem (1992), section 4.4.
 *
 * Around the kernel: scaling by powers of two; a start from the basis {z_i > 0}; refinement of the
 * final vertex by the dictionary, or one LU solve of the final basis where that is not enough, for
 * full accuracy; a fresh start from that basis where rounding spoilt the dictionary; a second and
 * third path with coarser ties where the data may hide some; and the secondary ray, recomputed from
 * M, as a certificate. Memory 2 n^2 doubles, and as much again for a start from a basis; a pivot
 * costs 2 n^2 flops. lcp/lemke_sparse.c takes a sparse M where that is quicker. */
#include "method/lemke.h"
#include "base/cache.h"
#include "base/vector.h"
#include "core/defaults.h"
#include "lemke.h"
#include "linalg/dense.h"
#include "linalg/equilibrate.h"
#include "method/pivot_transform.h"
#include "perp/solver.h"

#include <math.h>
#include <string.h>

#define RESTARTS 1    /* fresh starts from a final basis that the certificate did not accept */
#define TRUSTED 1e-10 /* relative step of a refinement, above which the dictionary is not */
#define RAY_NOISE 1e-13
#define PATHS 3 /* from the warm start, cold, and again cold as long as ties are in doubt, each */
#define COARSER 100 /* times the noise: data of files and simulations are not exact to rounding */
#define SPARSE_FROM 200   /* unknowns, and */
#define SPARSE_PART 0.1   /* entries against n^2: the sparse basis is quicker */
#define START_NOISE 1e-13 /* of the basic values at a warm start, against the largest */

typedef struct lemke {
    perp_run *run;
    int n;
    const double *M, *q; /* the caller's */
    int ld;
    double *r, *s, unit; /* scaled problem: diag(r) M diag(s), diag(r) q / unit */
    bool scaled;
    double *cover;
    bool *in;         /* the basis the dictionary started from: pairs whose z was basic */
    perp_lemke k;     /* the kernel; its y_i is z_i, or w_i where in[i] */
    int *set, *pivot; /* |set| variables of a small system */
    double *A, *LU, *b, *x, *work;
    bool starved; /* some step was left out for lack of memory */
} lemke;

static bool open_lemke(lemke *l, perp_run *run)
{
    const perp_lcp *p = &run->problem->as.lcp;
    int n = p->n;
    *l = (lemke){.run = run, .n = n, .M = p->M.as.dense.x, .ld = p->M.as.dense.ld, .q = p->q};
    l->r = PERP_ALLOC(run, double, n);
    l->s = PERP_ALLOC(run, double, n);
    l->cover = PERP_ALLOC(run, double, n);
    l->in = PERP_ALLOC(run, bool, n);
    l->set = PERP_ALLOC(run, int, n + 1);
    l->pivot = PERP_ALLOC(run, int, n + 1);
    l->b = PERP_ALLOC(run, double, n + 1);
    l->x = PERP_ALLOC(run, double, n + 1);
    l->work = PERP_ALLOC(run, double, 2 * (size_t)n + 1);
    int *ints = PERP_ALLOC(run, int, perp_lemke_ints(n));
    /* large and written before it is read: zeroing it would cost 4 % at n = 1000 */
    double *doubles = perp_alloc_unset(run->arena, perp_lemke_doubles(n), sizeof *doubles);
    if (run->arena->failed) return false;
    perp_lemke_open(&l->k, n, doubles, ints);
    return true;
}

/* ---- the scaled problem ---- */

static void scale_problem(lemke *l)
{
    l->scaled = perp_equilibrate(l->n, l->M, l->ld, l->r, l->s, l->work);
    double most = 0;
    for (int i = 0; i < l->n; i++) most = fmax(most, fabs(l->r[i] * l->q[i]));
    l->unit = most > 0 ? exp2(floor(log2(most))) : 1;
}

/* out = diag(r) M diag(s), ldo */
static void copy_scaled(const lemke *l, double *out, int ldo)
{
    for (int j = 0; j < l->n; j++) {
        const double *m = l->M + (size_t)j * (size_t)l->ld;
        double *o = out + (size_t)j * (size_t)ldo;
        if (!l->scaled)
            memcpy(o, m, (size_t)l->n * sizeof *o);
        else {
            for (int i = 0; i < l->n; i++) o[i] = l->r[i] * m[i] * l->s[j];
        }
    }
}

static double scaled_q(const lemke *l, int i)
{
    return l->r[i] * l->q[i] / l->unit;
}

/* ---- starting the dictionary ---- */

static void fill_cover(lemke *l)
{
    const perp_lcp_lemke_options *o = (const perp_lcp_lemke_options *)l->run->options;
    const perp_dictionary *d = &l->k.d;
    size_t n = (size_t)l->n, ld = (size_t)d->ld;
    for (size_t i = 0; i < n; i++) l->cover[i] = o->cover == PERP_COVER_ONES;
    if (o->cover == PERP_COVER_ROWS) {
        for (size_t j = 0; j < n; j++) {
            for (size_t i = 0; i < n; i++) l->cover[i] += fabs(d->D[j * ld + i]);
        }
        for (size_t i = 0; i < n; i++) l->cover[i] = l->cover[i] > 0 ? l->cover[i] : 1;
    }
    memcpy(d->D + n * ld, l->cover, n * sizeof *l->cover);
}

static void start_cold(lemke *l)
{
    perp_dictionary *d = &l->k.d;
    memset(l->in, 0, (size_t)l->n * sizeof *l->in);
    copy_scaled(l, d->D, d->ld);
    for (int i = 0; i < l->n; i++) d->x[i] = scaled_q(l, i);
    d->pending = 0;
    fill_cover(l);
}

/* Start from the basis l->in; false when it is singular or there is no memory to form it. */
static bool start_from_basis(lemke *l)
{
    size_t n = (size_t)l->n;
    perp_arena *a = l->run->arena;
    perp_mark mark = perp_arena_mark(a);
    double *M = perp_alloc_unset(a, n * n, sizeof *M), *q = perp_alloc_unset(a, n, sizeof *q);
    double *work = perp_alloc_unset(a, perp_pivot_transform_doubles(l->n), sizeof *work);
    int *iwork = perp_alloc_unset(a, perp_pivot_transform_ints(l->n), sizeof *iwork);
    bool done = false;
    l->starved |= a->failed;
    if (!a->failed) {
        perp_dictionary *d = &l->k.d;
        copy_scaled(l, M, l->n);
        for (int i = 0; i < l->n; i++) q[i] = scaled_q(l, i);
        done = perp_pivot_transform(l->n, M, l->n, q, l->in, d->D, d->ld, d->x, work, iwork,
                                    l->run->arena->watch);
        d->pending = 0;
        if (done) fill_cover(l);
    }
    perp_arena_release(a, mark);
    return done;
}

/* ---- reading the dictionary ---- */

/* The kernel's number of z_i. */
static int variable_z(const lemke *l, int i)
{
    return l->in[i] ? i : l->n + i;
}

static bool basic_z(const lemke *l, int i)
{
    return l->k.place[variable_z(l, i)] < l->n;
}

static int collect_basis(lemke *l)
{
    int k = 0;
    for (int i = 0; i < l->n; i++) {
        if (basic_z(l, i)) l->set[k++] = i;
    }
    return k;
}

static void read_vertex(const lemke *l, double *z)
{
    for (int i = 0; i < l->n; i++) {
        double y = perp_lemke_value(&l->k, variable_z(l, i));
        z[i] = y > 0 ? l->unit * l->s[i] * y : 0;
    }
}

/* ---- polish ---- */

/* One step of refinement by the dictionary itself, which holds M_aa^-1: what is left of w_a, which
 * should be 0, is carried through it. False when the step is not small: the dictionary is not
 * accurate enough to trust. */
static bool refine_vertex(lemke *l, double *z)
{
    int n = l->n;
    const perp_matrix *A = &l->run->problem->as.lcp.M;
    double *w = l->work, *t = l->work + n, *step = l->k.column, most = 0, largest = 0;
    read_vertex(l, z);
    memcpy(w, l->q, (size_t)n * sizeof *w);
    perp_mul(A, 1, z, 1, w);
    memset(t, 0, ((size_t)n + 1) * sizeof *t);
    for (int i = 0; i < n; i++) {
        int variable = l->in[i] ? n + i : i; /* the kernel's number of w_i */
        if (basic_z(l, i)) t[l->k.place[variable] - n] = -l->r[i] * w[i] / l->unit;
    }
    perp_dictionary_apply(&l->k.d, t, step);
    for (int i = 0; i < n; i++) {
        if (!basic_z(l, i)) continue;
        double y = perp_lemke_value(&l->k, variable_z(l, i)),
               dy = step[l->k.place[variable_z(l, i)]];
        most = fmax(most, fabs(dy));
        largest = fmax(largest, fabs(y));
        z[i] = y + dy > 0 ? l->unit * l->s[i] * (y + dy) : 0;
    }
    return most <= TRUSTED * largest; /* false for NaN too */
}

static bool open_system(lemke *l, int k)
{
    size_t size = (size_t)k * (size_t)k;
    l->A = perp_alloc_unset(l->run->arena, size, sizeof *l->A);
    l->LU = perp_alloc_unset(l->run->arena, size, sizeof *l->LU);
    l->starved |= l->run->arena->failed;
    return !l->run->arena->failed;
}

static bool solve_system(lemke *l, int k)
{
    memcpy(l->LU, l->A, (size_t)k * (size_t)k * sizeof *l->A);
    if (perp_lu_factor(k, l->LU, k, l->pivot, l->run->arena->watch)) return false;
    memcpy(l->x, l->b, (size_t)k * sizeof *l->x);
    perp_lu_solve(k, l->LU, k, l->pivot, false, 1, l->x);
    perp_lu_refine(k, l->A, l->LU, k, l->pivot, false, l->b, l->x, l->work);
    for (int i = 0; i < k; i++) {
        if (!isfinite(l->x[i])) return false;
    }
    return true;
}

static double scaled_entry(const lemke *l, int i, int j)
{
    return l->r[i] * l->M[(size_t)j * (size_t)l->ld + (size_t)i] * l->s[j];
}

/* z from M_aa z_a = -q_a, a the final basis; false when it cannot be solved. */
static bool polish(lemke *l, double *z)
{
    int k = collect_basis(l);
    perp_mark mark = perp_arena_mark(l->run->arena);
    bool done = open_system(l, k);
    for (int j = 0; done && j < k; j++) {
        for (int i = 0; i < k; i++) {
            l->A[(size_t)j * (size_t)k + (size_t)i] = scaled_entry(l, l->set[i], l->set[j]);
        }
        l->b[j] = -scaled_q(l, l->set[j]);
    }
    done = done && solve_system(l, k);
    perp_arena_release(l->run->arena, mark);
    if (!done) return false;
    memset(z, 0, (size_t)l->n * sizeof *z);
    for (int j = 0; j < k; j++) {
        int i = l->set[j];
        z[i] = l->x[j] > 0 ? l->unit * l->s[i] * l->x[j] : 0;
    }
    return true;
}

/* ---- rays ---- */

/* The rows whose w is nonbasic, with the basic z_a and t unknown: M_aa z_a + d t = -(entering
 * column); w stays 0 there, or it is the one that enters. */
static bool fill_ray_system(lemke *l, int k)
{
    int n = l->n, rows = 0, size = k + 1, e = l->k.entering;
    if (!open_system(l, size)) return false;
    for (int i = 0; i < n; i++) {
        if (l->k.place[i] < n) continue;
        if (rows == size) return false;
        double *row = l->A + rows;
        for (int j = 0; j < k; j++) row[(size_t)j * (size_t)size] = scaled_entry(l, i, l->set[j]);
        row[(size_t)k * (size_t)size] = l->cover[i];
        l->b[rows++] = e == i ? 1 : e >= n ? -scaled_entry(l, i, e - n) : 0;
    }
    return rows == size;
}

/* The z part of the ray, recomputed from M after a cold start. */
static bool polish_ray(lemke *l, double *y)
{
    int k = collect_basis(l), e = l->k.entering;
    perp_mark mark = perp_arena_mark(l->run->arena);
    bool done = fill_ray_system(l, k) && solve_system(l, k + 1);
    perp_arena_release(l->run->arena, mark);
    if (!done) return false;
    memset(y, 0, (size_t)l->n * sizeof *y);
    for (int j = 0; j < k; j++) y[l->set[j]] = l->x[j];
    if (e >= l->n) y[e - l->n] = 1;
    return true;
}

static void read_ray(const lemke *l, double *y)
{
    for (int i = 0; i < l->n; i++) y[i] = perp_lemke_rate(&l->k, variable_z(l, i));
}

/* Undo the scaling; what rounding left of a zero is zero. */
static void unscale_ray(const lemke *l, double *y)
{
    double most = 0;
    for (int i = 0; i < l->n; i++) most = fmax(most, y[i]);
    for (int i = 0; i < l->n; i++) y[i] = y[i] > RAY_NOISE * most ? l->s[i] * (y[i] / most) : 0;
}

static bool proves(lemke *l, perp_status claim, double *y)
{
    perp_status s = perp_prove(l->run, claim, y);
    l->starved |= s == PERP_E_MEMORY;
    return s == PERP_SOLVED;
}

/* A ray that also proves infeasibility is reported as that. PERP_STALLED: rounding spoilt it. */
static perp_status end_on_ray(lemke *l)
{
    double *y = PERP_ALLOC(l->run, double, l->n);
    if (!y) return PERP_E_MEMORY;
    for (int attempt = 0; attempt < 2; attempt++) {
        if (attempt == 0 && !polish_ray(l, y)) continue;
        if (attempt == 1) read_ray(l, y);
        unscale_ray(l, y);
        bool infeasible = proves(l, PERP_INFEASIBLE, y);
        if (l->starved) return PERP_E_MEMORY;
        if (!infeasible && !proves(l, PERP_RAY, y)) continue;
        l->run->proof = y;
        return infeasible ? PERP_INFEASIBLE : PERP_RAY;
    }
    return PERP_STALLED;
}

/* ---- the method ---- */

/* Pivot to a solution, a ray, a cycle or a limit. */
static perp_lemke_step follow(lemke *l)
{
    perp_lemke_step step = perp_lemke_start(&l->k);
    while (step == PERP_LEMKE_PIVOTED && perp_continue(l->run, NULL, INFINITY)) {
        step = perp_lemke_pivot(&l->k);
    }
    return step;
}

/* Is the solve over with this z? Not for a want of progress: each vertex is a new proposal. */
static bool ends(lemke *l, const double *z)
{
    return !perp_continue(l->run, z, 0) && l->run->status != PERP_STALLED;
}

/* Show the certificate the refined solution, one from a fresh factorisation, then the dictionary's
 * own. True: it is over. */
static bool accepted(lemke *l, double *z)
{
    if (refine_vertex(l, z) && ends(l, z)) return true;
    if (polish(l, z) && ends(l, z)) return true;
    read_vertex(l, z);
    return ends(l, z);
}

static void take_basis(lemke *l)
{
    for (int i = 0; i < l->n; i++) l->in[i] = basic_z(l, i);
}

/* A basic variable that is zero at the start, but for rounding, is no reason to pivot. */
static bool start_warm(lemke *l, const double *z)
{
    bool any = false;
    for (int i = 0; i < l->n; i++) any |= l->in[i] = z[i] > 0;
    if (!any || !start_from_basis(l)) return false;
    double *x = l->k.d.x, noise = START_NOISE * vector_max(l->n, x);
    for (int i = 0; i < l->n; i++) {
        if (x[i] < 0 && x[i] > -noise) x[i] = 0;
    }
    return true;
}

/* From the dictionary as it is filled, with fresh ones from the bases that come of it.
 * PERP_STALLED: rounding spoils the pivots. */
static perp_status follow_path(lemke *l, bool cold, double *z)
{
    for (int start = 0; start <= RESTARTS; start++) {
        perp_lemke_step step = follow(l);
        if (step == PERP_LEMKE_PIVOTED) {
            read_vertex(l, z);
            return l->run->status;
        }
        if (step == PERP_LEMKE_SOLUTION && accepted(l, z)) return l->run->status;
        if (step == PERP_LEMKE_RAY && cold) {
            perp_status s = end_on_ray(l);
            if (s != PERP_STALLED) return s;
        }
        if (step == PERP_LEMKE_RAY && !cold) {
            cold = true;
            start_cold(l);
            continue;
        }
        cold = false;
        take_basis(l);
        if (!start_from_basis(l)) break;
    }
    return l->starved ? PERP_E_MEMORY : PERP_STALLED;
}

static perp_status solve_dense(perp_run *run, double *z)
{
    lemke l;
    if (!open_lemke(&l, run)) return PERP_E_MEMORY;
    scale_problem(&l);
    bool cold = !run->options->warm_start || !start_warm(&l, z);
    perp_status s = PERP_STALLED, proven = s;
    double *proof = NULL; /* of the more telling of the ends that have one */
    for (int path = 0; path < PATHS; path++) {
        l.k.doubtful = false;
        if (cold) start_cold(&l);
        s = follow_path(&l, cold, z);
        if (s == PERP_INFEASIBLE || (s == PERP_RAY && proven != PERP_INFEASIBLE)) {
            proven = s;
            proof = run->proof;
        }
        if ((s != proven && s != PERP_STALLED) || (cold && !l.k.doubtful)) break;
        if (cold) l.k.noise *= COARSER;
        cold = true;
    }
    if (s != PERP_SOLVED && proof) s = proven;
    run->proof = proof;
    return lemke_conclude(run, s);
}

/* Is M worth a sparse basis? */
static bool is_for_sparse(const perp_matrix *M)
{
    if (M->format == PERP_FORMAT_DENSE) return false;
    double entries = M->as.csc.p[M->n], all = (double)M->n * M->n;
    return M->n >= SPARSE_FROM && entries <= SPARSE_PART * all;
}

/* Dense, or sparse and not worth a sparse basis: then a copy is. */
static perp_status solve(perp_run *run, double *z)
{
    const perp_matrix *M = &run->problem->as.lcp.M;
    if (M->format == PERP_FORMAT_DENSE) return solve_dense(run, z);
    if (is_for_sparse(M)) return perp_lemke_sparse(run, z);
    perp_problem p = *run->problem;
    perp_run dense = *run;
    perp_status s = perp_convert(M, PERP_FORMAT_DENSE, run->arena, &p.as.lcp.M, NULL);
    if (s) return s;
    dense.problem = &p;
    s = solve_dense(&dense, z);
    run->status = dense.status;
    run->proof = dense.proof;
    return s;
}

/* Rays, one for each start of each path; then a start from a basis, or a polish. */
static void room(perp_run *run)
{
    perp_arena *a = run->arena;
    size_t n = (size_t)run->problem->as.lcp.n, system = perp_count_product(n + 1, n + 1);
    for (int k = 0; k < PATHS * (RESTARTS + 1); k++) perp_count(a, n, sizeof(double));
    if (is_for_sparse(&run->problem->as.lcp.M)) return;
    perp_mark mark = perp_arena_mark(a);
    perp_count(a, perp_count_product(n, n), sizeof(double));
    perp_count(a, n, sizeof(double));
    perp_count(a, perp_pivot_transform_doubles((int)n), sizeof(double));
    perp_count(a, perp_pivot_transform_ints((int)n), sizeof(int));
    perp_arena_release(a, mark);
    perp_count(a, system, sizeof(double));
    perp_count(a, system, sizeof(double));
}

static const perp_option options[] = {
    PERP_OPTION_CHOICE(perp_lcp_lemke_options, cover, "ones|rows",
                       "covering vector: ones, or the sums of |M| over the rows"),
    PERP_OPTION(perp_lcp_lemke_options, crash, 0, 1,
                "begin a sparse M with the basis that block exchanges reach"),
    {0},
};

static const perp_solver solver = {
    .name = "lcp/lemke",
    .about = "lexicographic complementary pivoting (Lemke 1965)",
    .kind = PERP_KIND_LCP,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
    .flags = PERP_SOLVER_CHEAP_CERTIFICATE | PERP_SOLVER_MAY_ALLOCATE,
    .options_size = sizeof(perp_lcp_lemke_options),
    .options = options,
    .solve = solve,
    .room = room,
};

const perp_lcp_lemke_options perp_lcp_lemke = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 1000000, .threads = 1},
    .cover = PERP_COVER_ONES,
    .crash = true,
};
