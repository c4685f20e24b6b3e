/* tests/random/fuzz_lcp.c: fuzz_lcp COUNT SEED [INDEX]: random LCPs through every registered LCP
 * solver.
 *
 * Nothing the library says is believed: residuals and proofs are computed again here, naively and
 * in long double, and on well-scaled problems the enumeration is the oracle for solvability. Each
 * problem follows from SEED and its index alone, so a violation is replayed with INDEX. */
#include "generate.h"
#include "radius.h"

#include "perp/solver.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 12 /* unknowns */
#define SOLVERS 32
#define STATUSES 15 /* -6 .. 8 */
#define TOL 1e-8
#define PROOF 1e-9 /* what perp_check accepts */

typedef struct sample {
    int n;
    double M[MOST * MOST], q[MOST];
    int p[MOST + 1], i[MOST * MOST];
    double x[MOST * MOST];                             /* the same matrix in CSC */
    bool well_scaled, poisoned, planted, sparse, warm; /* planted: a solution is known to exist */
    double start[MOST];
} sample;

typedef struct answer {
    perp_status status;
    double z[MOST], w[MOST];
    perp_result result;
} answer;

typedef struct fuzz {
    unsigned long long seed;
    long index, violations;
    long count[SOLVERS][STATUSES];
    long well, poisoned, solvable;
    perp_arena arena;
} fuzz;

/* ---- problems ---- */

static void draw_entries(generator *g, sample *s)
{
    int range = generator_between(g, 1, 5);
    bool integer = generator_below(g, 2);
    for (int k = 0; k < s->n * s->n; k++) {
        s->M[k] = integer ? generator_between(g, -range, range) : generator_uniform(g);
    }
    for (int k = 0; k < s->n; k++) {
        s->q[k] = integer ? generator_between(g, -range, range) : generator_uniform(g);
    }
}

/* M = A B of low rank, small integers. */
static void draw_low_rank(generator *g, sample *s)
{
    int n = s->n, rank = generator_below(g, n);
    double A[MOST * MOST], B[MOST * MOST];
    bool symmetric = generator_below(g, 2);
    for (int k = 0; k < n * rank; k++) {
        A[k] = generator_between(g, -2, 2);
        B[k] = symmetric ? A[k] : generator_between(g, -2, 2);
    }
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            s->M[j * n + i] = 0;
            for (int r = 0; r < rank; r++) s->M[j * n + i] += A[r * n + i] * B[r * n + j];
        }
        s->q[j] = generator_between(g, -3, 3);
    }
}

/* q such that a drawn, often degenerate z solves it. */
static void plant(generator *g, sample *s)
{
    double z[MOST];
    s->planted = true;
    for (int i = 0; i < s->n; i++) z[i] = generator_below(g, 3);
    for (int i = 0; i < s->n; i++) {
        s->q[i] = z[i] > 0 ? 0 : generator_below(g, 3);
        for (int j = 0; j < s->n; j++) s->q[i] -= s->M[j * s->n + i] * z[j];
    }
}

static void draw_family(generator *g, fuzz *f, sample *s)
{
    int families = 0;
    while (lcp_families[families].name) families++;
    const lcp_family *family = &lcp_families[generator_below(g, families)];
    perp_mark mark = perp_arena_mark(&f->arena);
    generated out = {0};
    int n = s->n > 1 ? s->n / 2 * 2 : s->n;
    if (!lcp_generate(family, n, (uint64_t)generator_below(g, 1 << 30), &f->arena, &out)) abort();
    s->n = out.n;
    s->well_scaled = family->scaled;
    memcpy(s->q, out.q, (size_t)out.n * sizeof *s->q);
    if (out.M) memcpy(s->M, out.M, (size_t)(out.n * out.n) * sizeof *s->M);
    if (!out.M) {
        memset(s->M, 0, sizeof s->M);
        for (int j = 0; j < out.n; j++) {
            for (int k = out.p[j]; k < out.p[j + 1]; k++) s->M[j * out.n + out.i[k]] += out.x[k];
        }
    }
    perp_arena_release(&f->arena, mark);
}

/* Zero and duplicate rows and columns, zero parts of q. */
static void mutate(generator *g, sample *s)
{
    int n = s->n, a = generator_below(g, n), b = generator_below(g, n);
    switch (generator_below(g, 10)) {
    case 0:
        for (int k = 0; k < n; k++) s->M[k * n + a] = 0;
        break;
    case 1:
        for (int k = 0; k < n; k++) s->M[a * n + k] = 0;
        break;
    case 2:
        for (int k = 0; k < n; k++) s->M[k * n + a] = s->M[k * n + b];
        if (generator_below(g, 2)) s->q[a] = s->q[b];
        break;
    case 3:
        for (int k = 0; k < n; k++) s->M[a * n + k] = s->M[b * n + k];
        break;
    case 4:
        for (int k = 0; k < n; k++) s->q[k] = generator_below(g, 2) ? 0 : s->q[k];
        break;
    default: break;
    }
}

static double decades(generator *g, double most)
{
    return pow(10, most * generator_uniform(g));
}

static void unscale(generator *g, sample *s)
{
    int n = s->n, how = generator_below(g, 3);
    double row[MOST], column[MOST];
    s->well_scaled = false;
    for (int i = 0; i < n; i++) {
        row[i] = how == 1 ? 1 : decades(g, 12);
        column[i] = how == 2 ? 1 : decades(g, 12);
        s->q[i] *= row[i];
    }
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            s->M[j * n + i] *= how == 0 ? decades(g, 12) : row[i] * column[j];
        }
    }
}

static void poison(generator *g, sample *s)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    double x = bad[generator_below(g, 3)];
    s->well_scaled = false;
    s->poisoned = true;
    if (generator_below(g, 2))
        s->q[generator_below(g, s->n)] = x;
    else
        s->M[generator_below(g, s->n * s->n)] = x;
}

static void compress(sample *s)
{
    int k = 0;
    for (int j = 0; j < s->n; j++) {
        for (int i = s->n - 1; i >= 0; i--) { /* from below: unsorted is fine */
            if (s->M[j * s->n + i] == 0) continue;
            s->i[k] = i;
            s->x[k++] = s->M[j * s->n + i];
        }
        s->p[j + 1] = k;
    }
}

static void draw_sample(generator *g, fuzz *f, sample *s)
{
    int a = generator_between(g, 1, MOST), b = generator_between(g, 1, MOST);
    *s = (sample){.n = a < b ? a : b, .well_scaled = true}; /* small ones are the cheap ones */
    switch (generator_below(g, 4)) {
    case 0: draw_family(g, f, s); break;
    case 1: draw_low_rank(g, s); break;
    default: draw_entries(g, s); break;
    }
    for (int k = generator_below(g, 3); k > 0; k--) mutate(g, s);
    if (generator_below(g, 4) == 0) plant(g, s);
    if (generator_below(g, 3) == 0) unscale(g, s);
    if (generator_below(g, 12) == 0) poison(g, s);
    s->sparse = generator_below(g, 4) == 0;
    s->warm = generator_below(g, 8) == 0;
    for (int i = 0; i < s->n; i++) s->start[i] = decades(g, 6) * generator_uniform(g);
    compress(s);
}

/* ---- independent judgement ---- */

static long double norm_of(int n, const long double *x)
{
    long double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrtl(sum);
}

/* |min(z, M z + q)| over |q|, and in *rounding what double arithmetic may err by. */
static long double residual_of(const sample *s, const double *z, long double *rounding)
{
    long double map[MOST], size[MOST], scale = 0;
    for (int i = 0; i < s->n; i++) {
        long double w = s->q[i];
        size[i] = fabs(s->q[i]);
        for (int j = 0; j < s->n; j++) {
            long double t = (long double)s->M[j * s->n + i] * z[j];
            w += t;
            size[i] += fabsl(t);
        }
        map[i] = w < z[i] ? w : z[i];
        scale += (long double)s->q[i] * s->q[i];
    }
    scale = scale > 0 ? sqrtl(scale) : 1;
    *rounding = (s->n + 4) * DBL_EPSILON * norm_of(s->n, size) / scale;
    return norm_of(s->n, map) / scale;
}

/* y >= 0, not 0, and (M y)_i <= 0 where y_i > 0. */
static bool proves_ray(const sample *s, const double *y)
{
    double most = 0;
    for (int i = 0; i < s->n; i++) most = fmax(most, fabs(y[i]));
    if (!(most > 0)) return false;
    for (int i = 0; i < s->n; i++) {
        long double sum = 0, size = 0;
        if (y[i] < -PROOF * most) return false;
        for (int j = 0; j < s->n; j++) {
            long double t = (long double)s->M[j * s->n + i] * y[j];
            sum += t;
            size += fabsl(t);
        }
        if (y[i] > 0 && sum > (PROOF + s->n * DBL_EPSILON) * size) return false;
    }
    return true;
}

/* ---- checks ---- */

static void violation(fuzz *f, const char *solver, const answer *a, const char *what)
{
    if (++f->violations > 20) return;
    printf("VIOLATION %s, status %s (%s): %s\n  replay: fuzz_lcp 1 %llu %ld\n", solver,
           perp_status_name(a->status), a->result.detail, what, f->seed, f->index);
}

static bool is_known(perp_status status)
{
#define PERP_X(name, value, word, text)                                                            \
    if (status == name) return true;
    PERP_STATUSES(PERP_X)
#undef PERP_X
    return false;
}

static void check_numbers(fuzz *f, const sample *s, const char *solver, const answer *a)
{
    long double rounding, value = residual_of(s, a->z, &rounding);
    double claimed = a->result.residual.natural;
    double judged = a->result.residual.value + a->result.residual.bound;
    if (a->status == PERP_SOLVED && !(value <= TOL * (1 + 1e-9L) + rounding)) {
        violation(f, solver, a, "solved, but the residual exceeds the tolerance");
    }
    if (a->status == PERP_SOLVED && !(judged <= TOL)) {
        violation(f, solver, a, "solved, but the reported residual exceeds the tolerance");
    }
    if (a->status > 0 && judged <= TOL) violation(f, solver, a, "not solved within tolerance");
    if (isfinite(claimed) && !(fabsl(value - claimed) <= 1e-9L * value + rounding)) {
        violation(f, solver, a, "the reported residual is not that of z");
    }
}

static void check_proof(fuzz *f, const perp_problem *p, const sample *s, const char *solver,
                        const answer *a)
{
    perp_residual r;
    if (perp_check(p, a->status, a->w, NULL, &f->arena, &r) != PERP_SOLVED) {
        violation(f, solver, a, "perp_check does not accept the vector");
    }
    bool proved =
        a->status == PERP_RAY ? proves_ray(s, a->w) : radius_proves_lcp(s->n, s->M, s->q, a->w);
    if (!proved) violation(f, solver, a, "the vector does not prove it");
}

/* As solve_sample left it. */
static bool is_untouched(const sample *s, int i, double z)
{
    return s->warm ? memcmp(&z, &s->start[i], sizeof z) == 0 : isnan(z) != 0;
}

static void check_answer(fuzz *f, const perp_problem *p, const sample *s, const char *solver,
                         const answer *a)
{
    if (!is_known(a->status)) violation(f, solver, a, "no such status");
    for (int i = 0; i < s->n; i++) {
        if (s->poisoned && !is_untouched(s, i, a->z[i])) {
            violation(f, solver, a, "z was written, though the problem is invalid");
            return;
        }
        if (!s->poisoned && !isfinite(a->z[i])) {
            violation(f, solver, a, "z is not finite");
            return;
        }
    }
    if (a->status != PERP_SOLVED && !a->result.detail[0]) violation(f, solver, a, "no sentence");
    if (s->poisoned) {
        if (a->status != PERP_E_NUMBER) violation(f, solver, a, "NaN or Inf was not refused");
        return;
    }
    if (a->status < 0 && a->status != PERP_E_NUMBER) violation(f, solver, a, "a refusal");
    check_numbers(f, s, solver, a);
    if (a->status == PERP_RAY || a->status == PERP_INFEASIBLE) check_proof(f, p, s, solver, a);
}

/* On well-scaled problems the enumeration knows. */
static void check_against_oracle(fuzz *f, const char *solver, const answer *a, const answer *oracle)
{
    bool solvable = oracle->status == PERP_SOLVED;
    if (a->status == PERP_SOLVED && !solvable) {
        violation(f, solver, a, "solved, where enumeration finds no solution");
    }
    if (a->status == PERP_INFEASIBLE && solvable) {
        violation(f, solver, a, "infeasible, where enumeration finds a solution");
    }
    if (solvable && a->status != PERP_SOLVED && strcmp(solver, "lcp/auto") == 0) {
        violation(f, solver, a, "not solved, where enumeration finds a solution");
    }
}

/* ---- runs ---- */

static void solve_sample(fuzz *f, const perp_problem *p, const sample *s, const perp_options *o,
                         answer *a)
{
    perp_mark mark = perp_arena_mark(&f->arena);
    size_t used = f->arena.used;
    perp_options *own = perp_options_new(&f->arena, o->solver->name);
    size_t before = f->arena.used;
    if (!own) abort();
    own->tol = TOL;
    own->warm_start = s->warm;
    memcpy(a->z, s->start, sizeof a->z);
    for (int i = 0; !s->warm && i < s->n; i++) a->z[i] = NAN; /* must not be read */
    a->status = perp_solve(p, own, &f->arena, a->z, a->w, &a->result);
    if (f->arena.used != before) violation(f, o->solver->name, a, "the arena was not released");
    perp_arena_release(&f->arena, mark);
    if (f->arena.used != used) abort();
}

static void run_index(fuzz *f)
{
    generator g = generator_start(f->seed * 1000003u + (unsigned long long)f->index);
    static sample s;
    static answer a, oracle;
    for (int k = 0; k < 8; k++) generator_unit(&g); /* neighbouring seeds start alike */
    draw_sample(&g, f, &s);
    perp_problem p = perp_make_lcp(
        s.n, s.sparse ? perp_csc(s.n, s.n, s.p, s.i, s.x) : perp_dense(s.n, s.n, s.M), s.q);
    solve_sample(f, &p, &s, perp_find("lcp/enumerate"), &oracle);
    f->well += s.well_scaled;
    f->poisoned += s.poisoned;
    if (s.well_scaled && s.planted && oracle.status != PERP_SOLVED) {
        violation(f, "lcp/enumerate", &oracle, "not solved, where a solution was planted");
    }
    f->solvable += s.well_scaled && oracle.status == PERP_SOLVED;
    for (int k = 0; k < SOLVERS && perp_solvers()[k]; k++) {
        const perp_solver *solver = perp_solvers()[k]->solver;
        if (solver->kind != PERP_KIND_LCP) continue;
        solve_sample(f, &p, &s, perp_solvers()[k], &a);
        if (is_known(a.status)) f->count[k][a.status - PERP_E_MEMORY]++;
        check_answer(f, &p, &s, solver->name, &a);
        if (s.well_scaled) check_against_oracle(f, solver->name, &a, &oracle);
    }
}

static void print_table(const fuzz *f)
{
    bool seen[STATUSES] = {false};
    for (int k = 0; k < SOLVERS; k++) {
        for (int s = 0; s < STATUSES; s++) seen[s] |= f->count[k][s] > 0;
    }
    printf("%-16s", "solver");
    for (int s = 0; s < STATUSES; s++) {
        if (seen[s]) printf(" %11s", perp_status_name((perp_status)(s + PERP_E_MEMORY)));
    }
    printf("\n");
    for (int k = 0; k < SOLVERS && perp_solvers()[k]; k++) {
        if (perp_solvers()[k]->solver->kind != PERP_KIND_LCP) continue;
        printf("%-16s", perp_solvers()[k]->solver->name);
        for (int s = 0; s < STATUSES; s++) {
            if (seen[s]) printf(" %11ld", f->count[k][s]);
        }
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    static fuzz f;
    if (argc < 3) {
        fprintf(stderr, "usage: fuzz_lcp COUNT SEED [INDEX]\n");
        return 2;
    }
    long count = strtol(argv[1], NULL, 10), first = argc > 3 ? strtol(argv[3], NULL, 10) : 0;
    f.seed = strtoull(argv[2], NULL, 10);
    for (f.index = first; f.index < first + count; f.index++) run_index(&f);
    printf("%ld problems, seed %llu: %ld well scaled (%ld of them solvable), %ld poisoned\n", count,
           f.seed, f.well, f.solvable, f.poisoned);
    print_table(&f);
    printf("%ld violations\n", f.violations);
    perp_arena_free(&f.arena);
    return f.violations != 0;
}
