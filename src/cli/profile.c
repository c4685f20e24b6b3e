/* cli/profile.c: from rows to scores and performance profiles.
 *
 * E. D. Dolan, J. J. More, Benchmarking optimization software with performance profiles, Math.
 * Programming 91 (2002): of all problems of a group, the share that a solver solved at a cost of at
 * most tau times the least cost of any solver. A run is done when its problem is solved or proved
 * to have no solution; both count. */
#include "compare.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_SECONDS 1e-6 /* below that the clock is compared, not the solver */

/* ---- groups ---- */

static bool grouped(const cli_row *row)
{
    return *row->kind != 0; /* what could not be read has none */
}

static bool in_group(const cli_row *row, const char *kind, double tol)
{
    bool same = row->tol == tol || (isnan(row->tol) && isnan(tol));
    return same && strcmp(row->kind, kind) == 0;
}

/* The place of a name in the list, which grows when it is new. */
static int place_of(const char **list, int *count, const char *name)
{
    for (int k = *count - 1; k >= 0; k--) { /* rows of one problem stand together */
        if (strcmp(list[k], name) == 0) return k;
    }
    list[*count] = name;
    return (*count)++;
}

static bool fill_group(cli *c, const cli_rows *rows, cli_group *g)
{
    size_t all = (size_t)rows->count;
    g->problem = perp_alloc(&c->arena, all, sizeof *g->problem);
    g->solver = perp_alloc(&c->arena, all, sizeof *g->solver);
    if (!g->problem || !g->solver) return false;
    for (int k = 0; k < rows->count; k++) {
        if (!in_group(&rows->row[k], g->kind, g->tol)) continue;
        place_of(g->problem, &g->problems, rows->row[k].problem);
        place_of(g->solver, &g->solvers, rows->row[k].solver);
    }
    g->cell = perp_alloc(&c->arena, (size_t)g->problems * (size_t)g->solvers, sizeof *g->cell);
    if (!g->cell) return false;
    for (int k = 0; k < rows->count; k++) {
        if (!in_group(&rows->row[k], g->kind, g->tol)) continue;
        int i = place_of(g->problem, &g->problems, rows->row[k].problem);
        int j = place_of(g->solver, &g->solvers, rows->row[k].solver);
        g->cell[(size_t)i * (size_t)g->solvers + (size_t)j] = &rows->row[k];
    }
    return true;
}

cli_group *cli_groups(cli *c, const cli_rows *rows, int *count)
{
    cli_group *g = perp_alloc(&c->arena, (size_t)rows->count + 1, sizeof *g);
    *count = 0;
    for (int k = 0; g && k < rows->count; k++) {
        const cli_row *row = &rows->row[k];
        int j = 0;
        if (!grouped(row)) continue;
        while (j < *count && !in_group(row, g[j].kind, g[j].tol)) j++;
        if (j < *count) continue;
        g[j] = (cli_group){.kind = row->kind, .tol = row->tol};
        ++*count;
        if (!fill_group(c, rows, &g[j])) return NULL;
    }
    return g;
}

/* ---- scores ---- */

bool cli_is_proof(const char *status)
{
    return strcmp(status, "infeasible") == 0 || strcmp(status, "unbounded") == 0;
}

bool cli_is_done(const char *status)
{
    return strcmp(status, "solved") == 0 || cli_is_proof(status);
}

double cli_cost(const cli_row *row, cli_measure by)
{
    if (!row || !cli_is_done(row->status)) return INFINITY;
    if (by == CLI_BY_ITERATIONS) return row->iterations < 0 ? INFINITY : fmax(1, row->iterations);
    if (isnan(row->seconds)) return INFINITY;
    return row->seconds < LEAST_SECONDS ? LEAST_SECONDS : row->seconds;
}

static const cli_row *cell(const cli_group *g, int problem, int solver)
{
    return g->cell[(size_t)problem * (size_t)g->solvers + (size_t)solver];
}

double cli_best(const cli_group *g, int problem, cli_measure by)
{
    double best = INFINITY;
    for (int j = 0; j < g->solvers; j++) best = fmin(best, cli_cost(cell(g, problem, j), by));
    return best;
}

/* A row without a solver is a file that could not be read. */
bool cli_is_refusal(const cli_row *row)
{
    return strncmp(row->status, "bad_", 4) == 0 && strcmp(row->solver, "-") != 0;
}

cli_score cli_score_of(const cli_group *g, int solver)
{
    cli_score s = {0};
    double logs = 0;
    for (int i = 0; i < g->problems; i++) {
        const cli_row *row = cell(g, i, solver);
        double cost = cli_cost(row, CLI_BY_TIME), best = cli_best(g, i, CLI_BY_TIME);
        s.runs += row != NULL;
        s.solved += row && strcmp(row->status, "solved") == 0;
        s.proved += row && cli_is_proof(row->status);
        s.refused += row && cli_is_refusal(row);
        if (isinf(cost)) continue;
        s.done++;
        s.fastest += cost == best;
        s.seconds += row->seconds;
        logs += log(cost / best);
    }
    s.ratio = s.done ? exp(logs / s.done) : NAN;
    return s;
}

cli_score cli_virtual_best(const cli_group *g)
{
    cli_score s = {.runs = g->problems, .ratio = NAN};
    for (int i = 0; i < g->problems; i++) {
        double best = cli_best(g, i, CLI_BY_TIME);
        bool solved = false, proved = false, refused = true;
        for (int j = 0; j < g->solvers; j++) {
            const cli_row *row = cell(g, i, j);
            solved = solved || (row && strcmp(row->status, "solved") == 0);
            proved = proved || (row && cli_is_proof(row->status));
            refused = refused && (!row || cli_is_refusal(row));
        }
        s.solved += solved;
        s.proved += proved;
        s.refused += refused;
        if (isinf(best)) continue;
        s.done++;
        s.fastest++;
        s.seconds += best;
        s.ratio = 1;
    }
    return s;
}

double cli_pair_ratio(const cli_group *g, int i, int j, int *both)
{
    double logs = 0;
    *both = 0;
    for (int k = 0; k < g->problems; k++) {
        double a = cli_cost(cell(g, k, i), CLI_BY_TIME), b = cli_cost(cell(g, k, j), CLI_BY_TIME);
        if (isinf(a) || isinf(b)) continue;
        logs += log(a / b);
        ++*both;
    }
    return *both ? exp(logs / *both) : NAN;
}

/* ---- profiles ---- */

static int compare_reals(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

bool cli_profile_of(cli *c, const cli_group *g, cli_measure by, cli_profile *p)
{
    size_t n = (size_t)g->problems;
    *p = (cli_profile){.problems = g->problems, .solvers = g->solvers, .most = 1};
    p->ratio = perp_alloc(&c->arena, n * (size_t)g->solvers, sizeof *p->ratio);
    if (!p->ratio) return !cli_fail(c, "out of memory");
    for (int j = 0; j < g->solvers; j++) {
        double *own = p->ratio + (size_t)j * n;
        for (int i = 0; i < g->problems; i++) {
            double cost = cli_cost(cell(g, i, j), by);
            own[i] = isinf(cost) ? INFINITY : cost / cli_best(g, i, by);
            if (!isinf(cost)) p->most = fmax(p->most, own[i]);
        }
        qsort(own, n, sizeof *own, compare_reals);
    }
    return true;
}

double cli_profile_at(const cli_profile *p, int solver, double tau)
{
    const double *own = p->ratio + (size_t)solver * (size_t)p->problems;
    int within = 0;
    while (within < p->problems && own[within] <= tau) within++;
    return p->problems ? (double)within / p->problems : 0;
}

bool cli_profile_save(cli *c, const cli_group *g, const cli_profile *p, const char *path)
{
    cli_sink s;
    if (!cli_sink_open(c, path, &s)) return false;
    fputs("solver,tau,share\n", s.file);
    for (int j = 0; j < p->solvers; j++) {
        const double *own = p->ratio + (size_t)j * (size_t)p->problems;
        for (int i = 0; i < p->problems && !isinf(own[i]); i++) {
            if (i + 1 < p->problems && own[i + 1] == own[i]) continue; /* one step */
            cli_csv_text(s.file, g->solver[j]);
            fprintf(s.file, ",%.6g,%.6g\n", own[i], (i + 1.0) / p->problems);
        }
    }
    return cli_sink_close(c, &s);
}

/* ---- on a terminal ---- */

static void print_score(FILE *out, int width, const char *name, const cli_score *s)
{
    fprintf(out, "  %-*s  %5d/%-5d %6d %7d %7d", width, name, s->solved, s->runs, s->proved,
            s->refused, s->fastest);
    if (isnan(s->ratio))
        fprintf(out, "  %10s\n", "-");
    else
        fprintf(out, "  %10.2f\n", s->ratio);
}

static void print_group(cli *c, const cli_group *g, FILE *out)
{
    int width = 12; /* of "virtual best" */
    for (int j = 0; j < g->solvers; j++) {
        if ((int)strlen(g->solver[j]) > width) width = (int)strlen(g->solver[j]);
    }
    fprintf(out, "%s%s", cli_on(c, out, CLI_BOLD), g->kind);
    if (!isnan(g->tol)) fprintf(out, ", tol %g", g->tol);
    fprintf(out, "%s: %d problem%s\n", cli_off(c, out), g->problems, g->problems == 1 ? "" : "s");
    fprintf(out, "  %-*s  %11s %6s %7s %7s  %10s\n", width, "solver", "solved     ", "proved",
            "refused", "fastest", "time/best");
    for (int j = 0; j < g->solvers; j++) {
        cli_score s = cli_score_of(g, j);
        print_score(out, width, g->solver[j], &s);
    }
    cli_score best = cli_virtual_best(g);
    print_score(out, width, "virtual best", &best);
}

void cli_print_summary(cli *c, const cli_rows *rows, FILE *out)
{
    int count;
    bool shared = false;
    const cli_group *g = cli_groups(c, rows, &count);
    for (int k = 0; g && k < count; k++) print_group(c, &g[k], out);
    for (int k = 0; k < rows->count; k++) shared = shared || rows->row[k].jobs > 1;
    if (shared) fputs("times were taken with several runs at a time\n", out);
}
