/* overhead.c: what perp_solve costs beside the arithmetic, on an LCP of six unknowns.
 *
 * Three things are timed: perp_solve with lcp/lemke; the bare pivoting kernel on the same scaled
 * data; and perp_solve with a solver defined here that writes down a known solution, so that all
 * that is left is validation, set-up and the certificate. Batches take turns; a figure is the
 * median over the batches. */
#include "../src/linalg/equilibrate.h"
#include "../src/method/lemke.h"
#include "command.h"
#include "generate.h"
#include "perp/solver.h"

#include <math.h>

#define N 6
#define SEED 2 /* four pivots */
#define BATCHES 301
#define BATCH 200 /* solves */

typedef struct subject {
    perp_problem problem;
    perp_arena arena;
    perp_plain_options known; /* the solver that knows */
    double A[N * N], x[N];    /* scaled data of the kernel */
    perp_lemke kernel;
    int pivots;
} subject;

static double answer[N]; /* of the one problem, for the solver that knows */

static void usage(FILE *out)
{
    fputs(
        "usage: overhead [--count N [--only lemke|kernel|known|certify]]\n"
        "Time perp_solve at n = 6 with lcp/lemke, the bare kernel, perp_solve with a solver that\n"
        "knows the answer, and perp_certify; nanoseconds of processor time.\n"
        "  --count N    no timing: exactly N solves (default lemke), to count instructions:\n"
        "     valgrind --tool=callgrind --toggle-collect='solve_many*' \\\n"
        "         --callgrind-out-file=/dev/null overhead --count 1000 --only known\n"
        "     gives 1000 times the instructions of one solve as 'Collected'\n"
        "  --only WHAT  what to count\n",
        out);
}

/* ---- what is timed ---- */

static bool solve_lemke(subject *s)
{
    double z[N];
    perp_result r;
    return perp_solve(&s->problem, perp_find("lcp/lemke"), &s->arena, z, NULL, &r) == PERP_SOLVED;
}

static bool solve_kernel(subject *s)
{
    perp_lemke *k = &s->kernel;
    for (int j = 0; j < N; j++) {
        memcpy(k->d.D + (size_t)j * (size_t)k->d.ld, s->A + j * N, N * sizeof(double));
        k->d.D[(size_t)N * (size_t)k->d.ld + (size_t)j] = 1;
        k->d.x[j] = s->x[j];
    }
    k->d.pending = 0;
    perp_lemke_step step = perp_lemke_start(k);
    while (step == PERP_LEMKE_PIVOTED) step = perp_lemke_pivot(k);
    return step == PERP_LEMKE_SOLUTION;
}

static bool solve_known(subject *s)
{
    double z[N];
    perp_result r;
    return perp_solve(&s->problem, &s->known.base, &s->arena, z, NULL, &r) == PERP_SOLVED;
}

static bool certify(subject *s)
{
    perp_residual r;
    return perp_certify(&s->problem, answer, &s->arena, &r) == PERP_SOLVED;
}

static const struct work {
    const char *name, *about;
    bool (*solve)(subject *s);
} works[] = {
    {"lemke", "perp_solve, lcp/lemke", solve_lemke},
    {"kernel", "the kernel alone", solve_kernel},
    {"known", "perp_solve, answer known", solve_known},
    {"certify", "perp_certify", certify},
};
#define WORKS ((int)(sizeof works / sizeof *works))

/* Not inlined: callgrind counts between its entry and its return. */
__attribute__((noinline)) static bool solve_many(const struct work *w, subject *s, long count)
{
    bool good = true;
    for (long k = 0; k < count; k++) good &= w->solve(s);
    return good;
}

/* ---- set-up ---- */

static perp_status write_answer(perp_run *run, double *z)
{
    memcpy(z, answer, sizeof answer);
    while (perp_continue(run, z, 0)) {
    }
    return run->status;
}

static const perp_solver knowing = {.name = "lcp/known",
                                    .about = "writes down the solution",
                                    .kind = PERP_KIND_LCP,
                                    .formats = {PERP_FORMAT_DENSE},
                                    .options_size = sizeof(perp_plain_options),
                                    .solve = write_answer};

static void scale(subject *s, const generated *g)
{
    double r[N], c[N], work[2 * N];
    perp_equilibrate(N, g->M, N, r, c, work);
    for (int j = 0; j < N; j++) {
        s->x[j] = r[j] * g->q[j];
        for (int i = 0; i < N; i++) s->A[j * N + i] = r[i] * g->M[j * N + i] * c[j];
    }
}

static bool prepare(subject *s, perp_arena *data, generated *g)
{
    if (!lcp_generate(lcp_family_find("pd"), N, SEED, data, g)) return false;
    double *doubles = perp_alloc(data, perp_lemke_doubles(N), sizeof *doubles);
    int *ints = perp_alloc(data, perp_lemke_ints(N), sizeof *ints);
    if (!doubles || !ints) return false;
    s->problem = lcp_generated_problem(g);
    s->known.base = *perp_find("lcp/lemke");
    s->known.base.solver = &knowing;
    perp_lemke_open(&s->kernel, N, doubles, ints);
    scale(s, g);
    perp_result r;
    perp_solve(&s->problem, perp_find("lcp/lemke"), &s->arena, answer, NULL, &r);
    s->pivots = r.iterations;
    return r.status == PERP_SOLVED;
}

/* ---- timing ---- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool time_all(subject *s)
{
    static double ns[WORKS][BATCHES];
    bool good = true;
    for (int b = 0; b < BATCHES; b++) {
        for (int k = 0; k < WORKS; k++) {
            double start = cpu_now();
            good &= solve_many(&works[k], s, BATCH);
            ns[k][b] = 1e9 * (cpu_now() - start) / BATCH;
        }
    }
    printf("n = %d, %d pivots; nanoseconds a call, %d batches of %d\n", N, s->pivots, BATCHES,
           BATCH);
    printf("%-44s %9s %8s\n", "", "minimum", "median");
    for (int k = 0; k < WORKS; k++) {
        qsort(ns[k], BATCHES, sizeof **ns, ascending);
        printf("%-44s %9.0f %8.0f\n", works[k].about, ns[k][0], ns[k][BATCHES / 2]);
    }
    printf("%-44s %9.0f %8.0f\n", "lcp/lemke beyond its kernel", ns[0][0] - ns[1][0],
           ns[0][BATCHES / 2] - ns[1][BATCHES / 2]);
    return good;
}

/* 0: run; otherwise the exit status + 1. */
static int read_arguments(int argc, char **argv, long *count, const struct work **only)
{
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        bool good = false;
        if (strcmp(argv[i], "--help") == 0) {
            usage(stdout);
            return 1;
        }
        if (strcmp(argv[i], "--count") == 0) good = (*count = strtol(value, NULL, 10)) > 0;
        for (int k = 0; k < WORKS && strcmp(argv[i], "--only") == 0; k++) {
            if (strcmp(works[k].name, value) == 0) {
                *only = &works[k];
                good = true;
            }
        }
        if (!good) {
            fprintf(stderr, "overhead: %s: not an option, or its value is wrong\n", argv[i]);
            usage(stderr);
            return 3;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    long count = 0;
    const struct work *only = &works[0];
    int end = read_arguments(argc, argv, &count, &only);
    if (end) return end - 1;
    use_one_thread(argv);
    static subject s;
    perp_arena data = {0};
    generated g;
    bool good = prepare(&s, &data, &g) && only->solve(&s); /* from here on memory is warm */
    if (good) good = count ? solve_many(only, &s, count) : time_all(&s);
    if (!good) fputs("overhead: a solve failed\n", stderr);
    perp_arena_free(&s.arena);
    perp_arena_free(&data);
    return !good;
}
