/* tests/random/sweep_bytes.c: a fixed arena of exactly perp_bytes suffices, for every solver, every
 * kind and format that it reads, degenerate and infeasible problems too.
 *
 *     sweep_bytes [--table] [--only SOLVER] [--family NAME] [--seed S] SIZE ...
 *
 * solves problems of each family of about so many unknowns, cold, warm, and stopped after one
 * iteration, in a buffer of that size and in one of twice that size, at an address of no alignment.
 * It fails where one ends `no_memory`, with other bits, or asks the system for memory, and where
 * the second of two cold solves in a growing arena does (OPENBLAS_NUM_THREADS=1: or BLAS may).
 * --table prints the bytes over the peak of the cold solves by solver: least, median and most. */
#define _GNU_SOURCE
#include "count_allocations.h"

#include "core/fields.h"
#include "core/internal.h"
#include "generate.h"
#include "literature.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST ((size_t)1 << 30) /* bytes of a buffer that is worth a try */
#define RATIOS 4096
#define SOLVERS 64

typedef struct tally {
    const char *name;
    double ratio[RATIOS];
    int ratios;
    char most[96]; /* the problem of the largest */
    double largest;
} tally;

typedef struct sweep {
    bool table;
    const char *only, *family;
    uint64_t seed;
    int size;
    long solves, refused, skipped, failures;
    tally of[SOLVERS];
    unsigned char *buffer;
    size_t room;
} sweep;

typedef struct answer {
    perp_status status;
    size_t peak;
    double *z, *w;
    perp_result r;
} answer;

/* ---- formats ---- */

static void by_matrix(void *ctx, double a, const double *x, double b, double *y)
{
    perp_mul(ctx, a, x, b, y);
}

static void by_matrix_t(void *ctx, double a, const double *x, double b, double *y)
{
    perp_mul_t(ctx, a, x, b, y);
}

static bool give_format(perp_matrix *A, perp_format format, perp_arena *a)
{
    if (A->format == PERP_FORMAT_ABSENT || A->format == PERP_FORMAT_OPERATOR) return false;
    if (format != PERP_FORMAT_OPERATOR)
        return A->format != format && perp_convert(A, format, a, A, NULL) == PERP_SOLVED;
    perp_matrix *own = perp_alloc(a, 1, sizeof *own);
    if (!own) return false;
    *own = *A;
    A->format = PERP_FORMAT_OPERATOR;
    A->as.op = (struct perp_operator){.mul = by_matrix, .mul_t = by_matrix_t, .ctx = own};
    return true;
}

/* False: no matrix of p is changed. */
static bool reformat(perp_problem *p, perp_format format, perp_arena *a)
{
    perp_matrix *list[PERP_MATRICES_MOST];
    const perp_field *field[PERP_MATRICES_MOST];
    bool any = false;
    *p = perp_complete(p);
    int count = perp_kind_matrices(p, list, field);
    for (int k = 0; k < count; k++) any |= give_format(list[k], format, a);
    return any && perp_validate(p, NULL) == PERP_SOLVED;
}

/* ---- one solve ---- */

static void start(const perp_problem *p, double *z)
{
    for (int i = 0; i < perp_size(p); i++) z[i] = (i * 7919 % 13 - 4) / 8.0;
}

static bool room_for(sweep *s, size_t bytes)
{
    if (bytes <= s->room) return true;
    unsigned char *more = realloc(s->buffer, bytes);
    if (!more) return false;
    s->buffer = more;
    s->room = bytes;
    return true;
}

static void check_calls(sweep *s, const perp_problem *p, const perp_options *o, const char *where)
{
    if (calls == 0) return;
    s->failures++;
    printf("%s on %s, n = %d: %ld allocations, %s\n", o->solver->name, p->name, perp_size(p), calls,
           where);
}

/* At an odd address, with something behind it that nobody may change. */
static void solve(sweep *s, const perp_problem *p, const perp_options *o, size_t bytes, bool slack,
                  answer *out)
{
    perp_arena a;
    unsigned char *from = s->buffer + 1;
    from[bytes] = 0x5a;
    perp_arena_fixed(&a, from, bytes);
    start(p, out->z);
    calls = 0;
    counting = true;
    out->status = perp_solve(p, o, &a, out->z, slack ? out->w : NULL, &out->r);
    counting = false;
    out->peak = a.peak;
    check_calls(s, p, o, "a fixed arena");
    if (from[bytes] == 0x5a && a.used == 0) return;
    printf("the arena of %s on %s was left\n", o->solver->name, p->name);
    s->failures++;
}

static void count_ratio(sweep *s, int solver, const perp_problem *p, const char *variant,
                        double ratio)
{
    tally *t = &s->of[solver];
    t->name = perp_solvers()[solver]->solver->name;
    if (t->ratios < RATIOS) t->ratio[t->ratios++] = ratio;
    if (ratio <= t->largest) return;
    t->largest = ratio;
    snprintf(t->most, sizeof t->most, "%s, %s, n = %d", p->name, variant, perp_size(p));
}

static void compare(sweep *s, const perp_problem *p, const perp_options *o, const char *variant,
                    size_t bytes, const answer *a, const answer *b)
{
    size_t n = (size_t)perp_size(p) * sizeof *a->z;
    bool same = a->status == b->status && a->r.iterations == b->r.iterations &&
                (n == 0 || memcmp(a->z, b->z, n) == 0);
    if (a->status != PERP_E_MEMORY && same) return;
    s->failures++;
    printf("%s on %s, %s, n = %d: %s after %d with %zu bytes (peak %zu), %s after %d with twice "
           "that (peak %zu): %s\n",
           o->solver->name, p->name, variant, perp_size(p), perp_status_name(a->status),
           a->r.iterations, bytes, a->peak, perp_status_name(b->status), b->r.iterations, b->peak,
           a->r.detail);
}

/* What perp_bytes refuses perp_solve refuses. */
static void check_refusal(sweep *s, const perp_problem *p, const perp_options *o,
                          const perp_error *e)
{
    perp_arena a = {0};
    double *z = perp_alloc(&a, (size_t)perp_size(p) + 1, sizeof *z);
    perp_result r;
    start(p, z);
    s->refused++;
    if (perp_solve(p, o, &a, z, NULL, &r) != e->status || strcmp(e->text, r.detail) != 0) {
        s->failures++;
        printf("%s on %s: %s, and perp_solve: %s\n", o->solver->name, p->name, e->text, r.detail);
    }
    perp_arena_free(&a);
}

/* SuiteSparse's memory, where the build has it, is not the arena's. */
static bool may_allocate(const perp_options *o)
{
#ifdef PERP_GPL
    return o->solver->flags & (PERP_SOLVER_ALLOCATES | PERP_SOLVER_MAY_ALLOCATE);
#else
    (void)o;
    return false;
#endif
}

/* Twice in an arena that grows: the second solve has what the first one got. */
static void solve_again(sweep *s, const perp_problem *p, const perp_options *o, double *z)
{
    perp_arena a = {0};
    perp_result r;
    for (int k = 0; k < 2; k++) {
        start(p, z);
        calls = 0;
        counting = k > 0;
        perp_solve(p, o, &a, z, NULL, &r);
        counting = false;
    }
    if (!may_allocate(o)) check_calls(s, p, o, "the second solve");
    perp_arena_free(&a);
}

/* Returns the ratio of the bytes to the peak; 0: refused, too large, or it had nothing to do. */
static double try(sweep *s, const perp_problem *p, const perp_options *o, const char *variant,
                  bool slack, perp_arena *scratch)
{
    perp_error e;
    perp_mark mark = perp_arena_mark(scratch);
    size_t bytes = perp_bytes(p, o, scratch, &e), n = (size_t)perp_size(p) + 1;
    if (bytes == 0) {
        check_refusal(s, p, o, &e);
        return 0;
    }
    if (bytes > LARGEST || !room_for(s, 2 * bytes + 2)) {
        s->skipped++;
        return 0;
    }
    answer a = {.z = perp_alloc(scratch, n, sizeof(double)),
                .w = perp_alloc(scratch, n, sizeof(double))},
           b = {.z = perp_alloc(scratch, n, sizeof(double)),
                .w = perp_alloc(scratch, n, sizeof(double))};
    solve(s, p, o, bytes, slack, &a);
    solve(s, p, o, 2 * bytes, slack, &b);
    compare(s, p, o, variant, bytes, &a, &b);
    s->solves += 2;
    if (slack) solve_again(s, p, o, b.z);
    perp_arena_release(scratch, mark);
    return a.status < 0 || a.r.iterations == 0 ? 0 : (double)bytes / (double)(a.peak + 128);
}

/* ---- one problem ---- */

static int most_iterations(int n)
{
    return n <= 10 ? 2000 : n <= 60 ? 500 : n <= 300 ? 100 : 40; /* seconds, not hours */
}

static void try_solver(sweep *s, const perp_problem *p, int k, const char *format,
                       perp_arena *scratch)
{
    const perp_options *defaults = perp_solvers()[k];
    perp_mark mark = perp_arena_mark(scratch);
    perp_options *o = perp_options_new(scratch, defaults->solver->name);
    int n = perp_size(p), most = most_iterations(n);
    if (!o || !perp_can_lift(p->kind, o->solver->kind)) return;
    if (o->max_iter > most) o->max_iter = most;
    double ratio = try(s, p, o, format, true, scratch);
    if (ratio > 0) count_ratio(s, k, p, format, ratio);
    o->warm_start = true;
    try(s, p, o, "warm", false, scratch);
    o->warm_start = false;
    o->max_iter = 1;
    try(s, p, o, "one iteration", false, scratch);
    perp_arena_release(scratch, mark);
}

static void try_problem(sweep *s, const perp_problem *p, const char *format, perp_arena *scratch)
{
    for (int k = 0; perp_solvers()[k] && k < SOLVERS; k++) {
        const char *name = perp_solvers()[k]->solver->name;
        if (!s->only || strcmp(s->only, name) == 0) try_solver(s, p, k, format, scratch);
    }
}

static void try_formats(sweep *s, const perp_problem *p, perp_arena *scratch)
{
    static const struct {
        perp_format format;
        const char *name;
    } formats[] = {{PERP_FORMAT_DENSE, "dense"},     {PERP_FORMAT_CSC, "csc"},
                   {PERP_FORMAT_BSR3, "bsr3"},       {PERP_FORMAT_OPERATOR, "operator"},
                   {PERP_FORMAT_DENSE_ROWS, "rows"}, {PERP_FORMAT_CSR, "csr"}};
    try_problem(s, p, "as it is", scratch);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        perp_problem other = *p;
        perp_mark mark = perp_arena_mark(scratch);
        if (reformat(&other, formats[f].format, scratch))
            try_problem(s, &other, formats[f].name, scratch);
        perp_arena_release(scratch, mark);
    }
}

/* ---- all of them ---- */

/* A scene's size counts bodies or contacts, of some unknowns each. */
static int scene_size(int n)
{
    int size = n / 12;
    return size < 1 ? 1 : size;
}

static void try_family(sweep *s, const generate_entry *entry, const char *form)
{
    perp_arena a = {0};
    generated_problem out;
    generate_request r = generate_defaults;
    r.family = entry->name;
    r.form = form;
    r.seed = s->seed;
    bool counts_unknowns = !strcmp(entry->counts, "unknowns") || !strcmp(entry->counts, "columns");
    r.size = counts_unknowns ? s->size : scene_size(s->size);
    if (r.size > 0 && generate_problem(&r, &a, &out, NULL) == PERP_SOLVED) {
        out.p.name = entry->name;
        if (perp_size(&out.p) <= 2 * s->size + 60) try_formats(s, &out.p, &a);
    }
    perp_arena_free(&a);
}

static void try_families(sweep *s)
{
    generate_entry entry;
    for (int k = 0; generate_list(k, &entry); k++) {
        char forms[160], *save = NULL;
        if (s->family && strcmp(s->family, entry.name) != 0) continue;
        snprintf(forms, sizeof forms, "%s", entry.forms);
        fflush(stdout);
        bool several = strpbrk(forms, " |,") != NULL;
        for (char *f = strtok_r(forms, " |,", &save); f; f = strtok_r(NULL, " |,", &save))
            try_family(s, &entry, several ? f : NULL);
    }
}

static void try_literature(sweep *s)
{
    perp_arena a = {0};
    literature l;
    for (int k = 0; literature_make(k, 0, &a, &l); k++) {
        bool near = l.n <= s->size && l.n > s->size / 3;
        if (!near || (s->family && strcmp(s->family, l.name) != 0)) continue;
        l.p.name = l.name;
        try_problem(s, &l.p, "as it is", &a);
    }
    perp_arena_free(&a);
}

/* Problems without unknowns, whatever the kind. */
static void try_empty(sweep *s)
{
    perp_arena a = {0};
    for (int k = 0; k < PERP_KINDS; k++) {
        perp_problem p = {.kind = (perp_kind)k, .name = "empty"};
        if (perp_validate(&p, NULL) == PERP_SOLVED) try_problem(s, &p, "empty", &a);
    }
    perp_arena_free(&a);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_table(sweep *s)
{
    printf("%-20s %6s %8s %8s %8s  the most on\n", "solver", "solves", "least", "median", "most");
    for (int k = 0; k < SOLVERS; k++) {
        tally *t = &s->of[k];
        if (t->ratios == 0) continue;
        qsort(t->ratio, (size_t)t->ratios, sizeof *t->ratio, by_size);
        printf("%-20s %6d %8.2f %8.2f %8.2f  %s\n", t->name, t->ratios, t->ratio[0],
               t->ratio[t->ratios / 2], t->ratio[t->ratios - 1], t->most);
    }
}

static bool read_arguments(int argc, char **argv, sweep *s, int *first)
{
    int k = 1;
    for (; k < argc && argv[k][0] == '-'; k++) {
        bool more = k + 1 < argc;
        if (!strcmp(argv[k], "--table"))
            s->table = true;
        else if (!strcmp(argv[k], "--only") && more)
            s->only = argv[++k];
        else if (!strcmp(argv[k], "--family") && more)
            s->family = argv[++k];
        else if (!strcmp(argv[k], "--seed") && more)
            s->seed = strtoull(argv[++k], NULL, 10);
        else
            return false;
    }
    *first = k;
    return k < argc;
}

int main(int argc, char **argv)
{
    static sweep s = {.seed = 1};
    int first;
    if (!read_arguments(argc, argv, &s, &first)) {
        fputs("sweep_bytes [--table] [--only SOLVER] [--family NAME] [--seed S] SIZE ...\n",
              stderr);
        return 2;
    }
    for (int k = first; k < argc; k++) {
        s.size = atoi(argv[k]);
        if (s.size == 0) try_empty(&s);
        if (s.size > 0) try_families(&s);
        if (s.size > 0) try_literature(&s);
        fflush(stdout);
    }
    if (s.table) print_table(&s);
    printf("%ld solves, %ld failures; %ld refused, %ld of more than %zu bytes left out\n", s.solves,
           s.failures, s.refused, s.skipped, LARGEST);
    free(s.buffer);
    return s.failures > 0;
}
