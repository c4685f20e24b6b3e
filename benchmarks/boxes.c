/* boxes.c: mcp/auto on recorded friction boxes beside the solvers that its plan has.
 *
 *     boxes [--tol TOL] [--repeats N] FILE...
 *
 * solves the mcp of each FILE by each of them, from the guess that the file has (Bullet's impulses
 * of the step before, --store of examples/bullet), and takes the least of N = 3 processor times. It
 * prints, for each solver, how many it solved, its geometric mean over those, and over the best
 * solver of each problem that mcp/auto and a part solve the geometric mean of mcp/auto's time,
 * which is to be at most 1.5; and names what mcp/auto left and a part solved. */
#include "perp/io.h"
#include "perp/perp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const solvers[] = {"mcp/auto", "mcp/dantzig", "mcp/pgs_sm", "mcp/nncg",
                                      "mcp/pgs"};
#define SOLVERS ((int)(sizeof solvers / sizeof *solvers))
#define SECONDS 5 /* of a solve */

typedef struct table {
    double tol, logs[SOLVERS], ratio;
    int repeats, files, solved[SOLVERS], compared, left;
} table;

/* The least processor time; INFINITY: unsolved. */
static double measure(const perp_file *f, const char *solver, const table *t)
{
    double least = INFINITY;
    size_t n = (size_t)perp_size(&f->problem);
    double *z = calloc(n + 1, sizeof *z);
    if (!z) exit(2);
    for (int k = 0; k < t->repeats; k++) {
        perp_arena a = {0};
        perp_result r;
        perp_options *o = perp_options_new(&a, solver);
        if (!o) exit(2);
        o->tol = t->tol;
        o->max_seconds = SECONDS;
        o->warm_start = f->guesses > 0;
        if (o->warm_start) memcpy(z, f->guess[0], n * sizeof *z);
        clock_t start = clock();
        perp_status status = perp_solve(&f->problem, o, &a, z, NULL, &r);
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (status == PERP_SOLVED) least = fmin(least, fmax(seconds, 1e-6));
        perp_arena_free(&a);
    }
    free(z);
    return least;
}

static bool add(table *t, const char *path)
{
    perp_arena a = {0};
    perp_file f;
    perp_error e;
    double best = INFINITY, own = INFINITY;
    if (perp_load_file(path, NULL, &a, &f, &e) || f.problem.kind != PERP_KIND_MCP) {
        fprintf(stderr, "%s: no mcp\n", path);
        return false;
    }
    for (int s = 0; s < SOLVERS; s++) {
        double seconds = measure(&f, solvers[s], t);
        if (s == 0) own = seconds;
        if (s > 0) best = fmin(best, seconds);
        if (!(seconds < INFINITY)) continue;
        t->solved[s]++;
        t->logs[s] += log(seconds);
    }
    t->files++;
    if (best < INFINITY && own == INFINITY) {
        t->left++;
        printf("%s: left by mcp/auto, solved by a part in %.2f ms\n", path, 1e3 * best);
    }
    if (best < INFINITY && own < INFINITY) {
        t->compared++;
        t->ratio += log(own / best);
    }
    perp_arena_free(&a);
    return true;
}

static void print(const table *t)
{
    printf("%d problems, tol = %g\n\nsolver         solved   ms (geometric mean of these)\n",
           t->files, t->tol);
    for (int s = 0; s < SOLVERS; s++) {
        double mean = t->solved[s] > 0 ? 1e3 * exp(t->logs[s] / t->solved[s]) : NAN;
        printf("%-14s %6d   %8.3f\n", solvers[s], t->solved[s], mean);
    }
    printf(
        "\nmcp/auto over the best of its parts, geometric mean of %d: %.2f; left by it alone: %d\n",
        t->compared, t->compared > 0 ? exp(t->ratio / t->compared) : NAN, t->left);
}

int main(int argc, char **argv)
{
    table t = {.tol = 1e-8, .repeats = 3};
    int k = 1;
    for (; k + 1 < argc && strncmp(argv[k], "--", 2) == 0; k += 2) {
        if (strcmp(argv[k], "--tol") == 0)
            t.tol = atof(argv[k + 1]);
        else if (strcmp(argv[k], "--repeats") == 0)
            t.repeats = atoi(argv[k + 1]);
        else
            break;
    }
    if (k >= argc || argv[k][0] == '-') {
        fprintf(stderr, "usage: boxes [--tol TOL] [--repeats N] FILE...\n");
        return 2;
    }
    for (; k < argc; k++) {
        if (!add(&t, argv[k])) return 2;
    }
    print(&t);
    return 0;
}
