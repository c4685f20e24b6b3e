/* lemke.c: lcp/lemke on sparse matrices: its sparse basis from the start that it chooses itself and
 * from w, against its dictionary on the same problem as a dense matrix; time and memory.
 *
 * Processor time of the quickest of some tries; the peak of the arena, which is all memory but the
 * problem's own. */
#include "bench.h"
#include "command.h"

#define TRIES 2
#define DENSE_MOST 2000 /* unknowns of the largest problem that is solved dense, and from w */

typedef struct row {
    perp_status status;
    int pivots;
    double seconds, megabytes;
} row;

static row try_lemke(const perp_problem *p, bool crash, double *z)
{
    row best = {.seconds = INFINITY};
    perp_lcp_lemke_options o = perp_lcp_lemke_defaults();
    o.crash = crash;
    for (int k = 0; k < TRIES && (k == 0 || best.seconds < 1); k++) {
        perp_arena a = {0};
        perp_result r;
        double from = cpu_now();
        best.status = perp_solve(p, &o.base, &a, z, NULL, &r);
        best.seconds = fmin(best.seconds, cpu_now() - from);
        best.pivots = r.iterations;
        best.megabytes = 1e-6 * (double)a.peak;
        perp_arena_free(&a);
    }
    return best;
}

static void print_row(bench *b, const char *family, int n, const char *how, row r, row dense)
{
    fprintf(b->out, "%-12s %6d  %-16s %-10s %7d %11.4f %9.2f", family, n, how,
            perp_status_name(r.status), r.pivots, r.seconds, r.megabytes);
    if (dense.seconds > 0) {
        fprintf(b->out, " %8.3f %8.3f", r.seconds / dense.seconds, r.megabytes / dense.megabytes);
    }
    fprintf(b->out, "\n");
    fflush(b->out);
}

static bool measure(bench *b, const char *family, int n)
{
    perp_problem p, q;
    row dense = {0};
    perp_mark mark = perp_arena_mark(&b->data);
    bool good = make_problem(family, n, 1, &b->data, &p);
    double *z = good ? perp_alloc(&b->data, (size_t)perp_size(&p), sizeof *z) : NULL;
    if (z && n <= DENSE_MOST) {
        q = p;
        good = !perp_convert(&p.as.lcp.M, PERP_FORMAT_DENSE, &b->data, &q.as.lcp.M, NULL);
        if (good) dense = try_lemke(&q, true, z);
    }
    if (z && good) {
        n = perp_size(&p);
        print_row(b, family, n, "sparse", try_lemke(&p, true, z), dense);
        if (dense.seconds > 0) {
            print_row(b, family, n, "sparse, from w", try_lemke(&p, false, z), dense);
            print_row(b, family, n, "dense", dense, dense);
        }
    }
    perp_arena_release(&b->data, mark);
    return z && good;
}

bool run_lemke(bench *b)
{
    static const char *const families[] = {"sparse", "obstacle", "obstacle2d"};
    fprintf(b->out, "\nlemke: %s\n", b->table->about);
    fprintf(b->out, "%-12s %6s  %-16s %-10s %7s %11s %9s %8s %8s\n", "family", "n", "lcp/lemke",
            "status", "pivots", "s", "MB", "x time", "x memory");
    for (int f = 0; f < 3; f++) {
        for (int k = 0; k < b->count; k++) {
            if (!measure(b, families[f], b->sizes[k])) return false;
        }
    }
    return true;
}
