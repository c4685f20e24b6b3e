/* tests/random/fuzz_qp.c: fuzz_qp COUNT SEED [INDEX]: random small QPs through every registered QP
 * solver.
 *
 * Nothing the library says is believed: residuals and proofs are computed again here, naively and
 * in long double, and active sets are enumerated: a stationary point that is found so refutes a
 * verdict of "infeasible", for convex problems of "unbounded" too, and its value is the least. Each
 * problem follows from SEED and its index alone, so a violation is replayed with INDEX. */
#include "qp_enumerate.h"

#include "perp/solver.h"

#include <stdio.h>
#include <stdlib.h>

#define SOLVERS 64
#define STATUSES 15 /* -6 .. 8 */
#define TOL 1e-8
#define PROOF 1e-9 /* what perp_check accepts is far less */

typedef struct sample {
    small_qp q;
    bool symmetric, convex, definite; /* as it was drawn; convex: monotone, where not symmetric */
    bool well_scaled, blurred, poisoned, warm;
    double start[SMALL_N + SMALL_M];
} sample;

typedef struct answer {
    perp_status status;
    double z[SMALL_N + SMALL_M], w[SMALL_N + SMALL_M];
    perp_result result;
} answer;

typedef struct fuzz {
    unsigned long long seed;
    long index, violations;
    long count[SOLVERS][STATUSES];
    long well, feasible, convex, found;
    bool loud;
    perp_arena arena;
} fuzz;

/* ---- problems ---- */

static double draw_entry(generator *g, bool integer, int range)
{
    return integer ? generator_between(g, -range, range) : range * generator_uniform(g);
}

/* H = B'B of any rank, minus another such, plus a skew part. */
static void draw_hessian(generator *g, sample *s, bool integer)
{
    int n = s->q.n, rank = generator_below(g, n + 1), less = 0, skew = 0;
    double B[SMALL_N * SMALL_N];
    switch (generator_below(g, 6)) {
    case 0: less = generator_between(g, 1, n); break;
    case 1:
        skew = 1;
        less = generator_below(g, 4) == 0;
        break;
    case 2: rank = 0; break;
    case 3: rank = n; break;
    default: break;
    }
    for (int round = 0; round < 2; round++) {
        int rows = round ? less : rank;
        for (int k = 0; k < rows * n; k++) B[k] = draw_entry(g, integer, 2);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                for (int r = 0; r < rows; r++) {
                    s->q.H[j * n + i] += (round ? -1 : 1) * B[i * rows + r] * B[j * rows + r];
                }
            }
        }
    }
    s->definite = rank == n && !less && !skew && generator_below(g, 2);
    for (int i = 0; i < n; i++) s->q.H[i * n + i] += s->definite;
    for (int i = 0; skew && i < n; i++) {
        for (int j = 0; j < i; j++) {
            double k = draw_entry(g, integer, 2);
            s->q.H[j * n + i] += k;
            s->q.H[i * n + j] -= k;
        }
    }
    s->symmetric = !skew;
    s->convex = !less;
    s->blurred = !integer && !s->definite; /* rounding decides on the rank */
}

static void draw_bounds(generator *g, int n, const double *at, double *lo, double *hi)
{
    for (int i = 0; i < n; i++) {
        double x = at[i], room = generator_below(g, 3);
        lo[i] = -INFINITY;
        hi[i] = INFINITY;
        switch (generator_below(g, 6)) {
        case 0: break;
        case 1: lo[i] = hi[i] = x; break;
        case 2: lo[i] = x - generator_below(g, 2); break;
        case 3: hi[i] = x + generator_below(g, 2); break;
        default:
            lo[i] = x - room;
            hi[i] = x + generator_below(g, 2);
            break;
        }
    }
}

/* Rows that are zero, repeated, or sums of others; sides that contradict. */
static void mutate(generator *g, sample *s)
{
    small_qp *q = &s->q;
    if (q->m == 0) return;
    int a = generator_below(g, q->m), b = generator_below(g, q->m), c = generator_below(g, q->m);
    switch (generator_below(g, 8)) {
    case 0:
        for (int j = 0; j < q->n; j++) q->A[j * q->m + a] = 0;
        break;
    case 1:
        for (int j = 0; j < q->n; j++) q->A[j * q->m + a] = q->A[j * q->m + b];
        break;
    case 2:
        for (int j = 0; j < q->n; j++) {
            q->A[j * q->m + a] = q->A[j * q->m + b] - q->A[j * q->m + c];
        }
        break;
    default: break;
    }
}

static void spoil(generator *g, sample *s)
{
    small_qp *q = &s->q;
    int a = q->m ? generator_below(g, q->m) : 0, j = generator_below(g, q->n);
    double shift = generator_between(g, -3, 3);
    if (q->m && generator_below(g, 2)) {
        q->lo[a] += shift;
        q->hi[a] += shift;
    } else {
        q->xlo[j] += shift;
        q->xhi[j] += shift;
    }
}

static void unscale(generator *g, sample *s)
{
    small_qp *q = &s->q;
    s->well_scaled = false;
    for (int i = 0; i < q->m; i++) {
        double t = pow(10, 6 * generator_uniform(g));
        for (int j = 0; j < q->n; j++) q->A[j * q->m + i] *= t;
        q->lo[i] *= t;
        q->hi[i] *= t;
    }
    double t = pow(10, 6 * generator_uniform(g));
    for (int k = 0; k < q->n * q->n; k++) q->H[k] *= t;
    t = pow(10, 6 * generator_uniform(g));
    for (int k = 0; k < q->n; k++) q->c[k] *= t;
}

static void poison(generator *g, sample *s)
{
    double *const places[] = {s->q.H, s->q.c, s->q.n && s->q.m ? s->q.A : s->q.c};
    s->poisoned = true;
    s->well_scaled = false;
    places[generator_below(g, 3)][0] = generator_below(g, 2) ? NAN : INFINITY;
}

static void draw_sample(generator *g, sample *s)
{
    bool integer = generator_below(g, 4) > 0;
    double x[SMALL_N], Ax[SMALL_M] = {0};
    *s = (sample){.well_scaled = true};
    small_qp *q = &s->q;
    q->n = generator_between(g, 1, SMALL_N);
    q->m = generator_between(g, 0, SMALL_M);
    draw_hessian(g, s, integer);
    for (int j = 0; j < q->n; j++) {
        q->c[j] = draw_entry(g, integer, 3);
        x[j] = draw_entry(g, integer, 2);
    }
    for (int k = 0; k < q->n * q->m; k++) q->A[k] = draw_entry(g, integer, 2);
    for (int k = generator_below(g, 3); k > 0; k--) mutate(g, s);
    for (int k = 0; k < q->n * q->m; k++) Ax[k % q->m] += q->A[k] * x[k / q->m];
    draw_bounds(g, q->n, x, q->xlo, q->xhi);
    draw_bounds(g, q->m, Ax, q->lo, q->hi);
    if (generator_below(g, 4) == 0) spoil(g, s);
    if (generator_below(g, 6) == 0) unscale(g, s);
    if (generator_below(g, 20) == 0) poison(g, s);
    s->warm = generator_below(g, 6) == 0;
    for (int i = 0; i < q->n + q->m; i++) s->start[i] = 3 * generator_uniform(g);
}

/* ---- checks ---- */

static void violation(fuzz *f, const char *solver, const answer *a, const char *what)
{
    if (++f->violations > 20) return;
    printf("VIOLATION %s, status %s (%s): %s\n  replay: fuzz_qp 1 %llu %ld\n", solver,
           perp_status_name(a->status), a->result.detail, what, f->seed, f->index);
}

static void check_numbers(fuzz *f, const sample *s, const char *solver, const answer *a)
{
    long double rounding, value = small_residual(&s->q, a->z, &rounding);
    double claimed = a->result.residual.value;
    if (a->status == PERP_SOLVED && !(value <= TOL * (1 + 1e-9L) + rounding)) {
        violation(f, solver, a, "solved, but the residual exceeds the tolerance");
    }
    bool within = claimed + a->result.residual.bound <= TOL;
    if (a->status > 0 && within) violation(f, solver, a, "not solved within tolerance");
    if (isfinite(claimed) && !(fabsl(value - claimed) <= 1e-9L * value + rounding)) {
        violation(f, solver, a, "the reported residual is not that of z");
    }
}

static void check_proof(fuzz *f, const perp_problem *p, const sample *s, const char *solver,
                        const answer *a)
{
    perp_residual r;
    bool proved = a->status == PERP_INFEASIBLE ? small_is_infeasible(&s->q, a->w, PROOF)
                                               : small_is_unbounded(&s->q, a->w, PROOF);
    if (perp_check(p, a->status, a->w, a->z, &f->arena, &r) != PERP_SOLVED) {
        violation(f, solver, a, "perp_check does not accept the vector");
    }
    if (!proved) violation(f, solver, a, "the vector does not prove it");
}

/* What theory promises where rounding cannot blur it. */
static void check_promise(fuzz *f, const sample *s, const char *solver, const answer *a)
{
    bool ended = a->status == PERP_SOLVED || a->status == PERP_INFEASIBLE ||
                 (a->status == PERP_UNBOUNDED && !s->definite);
    /* Where H is indefinite, no direction alone may prove it: d'H d = 0, and the slope falls as x
     * goes elsewhere first. */
    bool indefinite =
        !s->convex && a->status == PERP_STALLED && strstr(a->result.detail, "iterates diverge");
    if (strcmp(solver, "qp/fletcher") == 0 && s->symmetric && !ended && !indefinite) {
        violation(f, solver, a, "neither solved nor proved that it cannot be");
    }
    if (strcmp(solver, "qp/dual") == 0 && s->definite && !ended) {
        violation(f, solver, a, "definite, and neither solved nor infeasible");
    }
}

static void check_against_sets(fuzz *f, const sample *s, const char *solver, const answer *a,
                               const small_found *found)
{
    if (a->status == PERP_INFEASIBLE && found->points > 0) {
        violation(f, solver, a, "infeasible, but a set has a stationary point");
    }
    if (strcmp(solver, "qp/fletcher") == 0 && s->convex && found->points && !s->blurred &&
        a->status != PERP_SOLVED) {
        violation(f, solver, a, "monotone, but the solution is not found");
    }
    if (!s->convex || !s->symmetric || found->points == 0) return;
    if (a->status == PERP_UNBOUNDED) violation(f, solver, a, "unbounded, but a set has a minimum");
    if (a->status == PERP_SOLVED) {
        long double value = small_objective(&s->q, a->z), size = fabsl(found->least) + 1;
        if (fabsl(value - found->least) > 1e-6L * size) {
            violation(f, solver, a, "the value is not the least");
        }
    }
}

/* As solve_sample left it. */
static bool is_untouched(const sample *s, int i, double z)
{
    return s->warm ? memcmp(&z, &s->start[i], sizeof z) == 0 : isnan(z) != 0;
}

static void check_answer(fuzz *f, const perp_problem *p, const sample *s, const char *solver,
                         const answer *a, const small_found *found)
{
    for (int i = 0; i < s->q.n + s->q.m; i++) {
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
    if (a->status == PERP_INFEASIBLE || a->status == PERP_UNBOUNDED) {
        check_proof(f, p, s, solver, a);
    }
    if (!s->well_scaled) return;
    if (!s->blurred) check_promise(f, s, solver, a);
    check_against_sets(f, s, solver, a, found);
}

/* ---- runs ---- */

static void solve_sample(fuzz *f, const perp_problem *p, const sample *s, const perp_options *o,
                         answer *a)
{
    perp_mark mark = perp_arena_mark(&f->arena);
    perp_options *own = perp_options_new(&f->arena, o->solver->name);
    size_t before = f->arena.used;
    if (!own) abort();
    own->tol = TOL;
    own->max_iter = own->max_iter < 5000 ? own->max_iter : 5000;
    own->warm_start = s->warm;
    memcpy(a->z, s->start, sizeof a->z);
    for (int i = 0; !s->warm && i < s->q.n + s->q.m; i++) a->z[i] = NAN; /* must not be read */
    a->status = perp_solve(p, own, &f->arena, a->z, a->w, &a->result);
    if (f->arena.used != before) violation(f, o->solver->name, a, "the arena was not released");
    perp_arena_release(&f->arena, mark);
}

static void print_numbers(const char *name, int n, const double *x)
{
    printf("%s", name);
    for (int i = 0; i < n; i++) printf(" %.17g", x[i]);
    printf("\n");
}

/* What a replay wants to see. */
static void print_sample(const sample *s)
{
    const small_qp *q = &s->q;
    printf("n %d m %d%s%s%s%s\n", q->n, q->m, s->symmetric ? " symmetric" : "",
           s->convex ? " convex" : "", s->definite ? " definite" : "", s->warm ? " warm" : "");
    print_numbers("H", q->n * q->n, q->H);
    print_numbers("c", q->n, q->c);
    print_numbers("A", q->m * q->n, q->A);
    print_numbers("lo", q->m, q->lo);
    print_numbers("hi", q->m, q->hi);
    print_numbers("xlo", q->n, q->xlo);
    print_numbers("xhi", q->n, q->xhi);
}

static void print_answer(const sample *s, const char *solver, const answer *a)
{
    printf("%s: %s, residual %g, %d iterations\n", solver, perp_status_name(a->status),
           a->result.residual.value, a->result.iterations);
    print_numbers("  z", s->q.n + s->q.m, a->z);
    print_numbers("  w", s->q.n + s->q.m, a->w);
}

static void run_index(fuzz *f)
{
    generator g = generator_start(f->seed * 1000003u + (unsigned long long)f->index);
    static sample s;
    static answer a;
    small_found found = {0};
    for (int k = 0; k < 8; k++) generator_unit(&g); /* neighbouring seeds start alike */
    draw_sample(&g, &s);
    perp_problem p = small_problem(&s.q);
    if (s.well_scaled) found = small_enumerate(&s.q);
    if (f->loud) print_sample(&s);
    f->well += s.well_scaled;
    f->convex += s.well_scaled && s.convex && s.symmetric;
    f->found += found.points > 0;
    for (int k = 0; k < SOLVERS && perp_solvers()[k]; k++) {
        const perp_solver *solver = perp_solvers()[k]->solver;
        if (solver->kind != PERP_KIND_QP) continue;
        solve_sample(f, &p, &s, perp_solvers()[k], &a);
        f->count[k][a.status - PERP_E_MEMORY]++;
        check_answer(f, &p, &s, solver->name, &a, &found);
        if (f->loud) print_answer(&s, solver->name, &a);
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
        if (perp_solvers()[k]->solver->kind != PERP_KIND_QP) continue;
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
        fprintf(stderr, "usage: fuzz_qp COUNT SEED [INDEX]\n");
        return 2;
    }
    long count = atol(argv[1]), first = argc > 3 ? atol(argv[3]) : 0;
    f.seed = strtoull(argv[2], NULL, 10);
    f.loud = count == 1;
    for (f.index = first; f.index < first + count; f.index++) run_index(&f);
    print_table(&f);
    printf("%ld problems: %ld well scaled, %ld of them convex, %ld with a stationary point by "
           "enumeration; %ld violations\n",
           count, f.well, f.convex, f.found, f.violations);
    perp_arena_free(&f.arena);
    return f.violations > 0;
}
