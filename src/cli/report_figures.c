/* cli/report_figures.c: the curves of a report: performance profiles and convergence histories. */
#include "compare.h"

#include <stdlib.h>
#include <string.h>

#define FLOOR 1e-17   /* an exact zero has no logarithm */
#define CEILING 1e300 /* twice a larger number may be infinite, which ends no axis */
#define DIVERGED                                                                                   \
    1e10 /* a merit that grows by more than this leaves its figure at the top: the                 \
          * overflow of one method would press all others into one line */
#define PROFILE_SPAN 1.05 /* beyond the last step */

/* ---- the style of a solver is the same in every figure ---- */

typedef struct names {
    int count;
    const char **name;
} names;

static int style_of(names *n, const char *solver)
{
    for (int k = 0; k < n->count; k++) {
        if (strcmp(n->name[k], solver) == 0) return k;
    }
    n->name[n->count] = solver;
    return n->count++;
}

/* ---- profiles ---- */

static bool make_steps(cli *c, const cli_profile *p, int solver, double x_most, cli_curve *u)
{
    const double *own = p->ratio + (size_t)solver * (size_t)p->problems;
    size_t most = 2 * (size_t)p->problems + 2;
    u->x = perp_alloc(&c->arena, most, sizeof *u->x);
    u->y = perp_alloc(&c->arena, most, sizeof *u->y);
    if (!u->x || !u->y) return !cli_fail(c, "out of memory");
    double share = cli_profile_at(p, solver, 1);
    u->x[u->count] = 1;
    u->y[u->count++] = share;
    for (int i = 0; i < p->problems && !isinf(own[i]); i++) {
        if (own[i] <= 1 || (i + 1 < p->problems && own[i + 1] == own[i])) continue;
        u->x[u->count] = own[i];
        u->y[u->count++] = share;
        share = (i + 1.0) / p->problems;
        u->x[u->count] = own[i];
        u->y[u->count++] = share;
    }
    u->x[u->count] = x_most;
    u->y[u->count++] = share;
    return true;
}

static bool make_profile(cli *c, const cli_report *r, const cli_group *g, cli_measure by,
                         names *styles, cli_figure *f)
{
    cli_profile p;
    const char *word = by == CLI_BY_TIME ? "time" : "iterations";
    size_t size = strlen(r->dir) + 80;
    char *path = perp_alloc(&c->arena, size, 1), *label = perp_alloc(&c->arena, 120, 1);
    f->curve = perp_alloc(&c->arena, (size_t)g->solvers, sizeof *f->curve);
    if (!path || !label || !f->curve) return !cli_fail(c, "out of memory");
    if (!cli_profile_of(c, g, by, &p)) return false;
    snprintf(label, 120, "Performance profile by %s, %s, tolerance %g", word, g->kind, g->tol);
    snprintf(path, size, "%s/profile-%s-%g-%s.csv", r->dir, g->kind, g->tol, word);
    f->label = label;
    f->x_label = by == CLI_BY_TIME ? "time, as a multiple of the best solver's"
                                   : "iterations, as a multiple of the fewest";
    f->y_label = "share solved or proved";
    f->line = NAN;
    f->x_least = 1;
    f->x_most = fmax(p.most * PROFILE_SPAN, 2);
    for (int j = 0; j < g->solvers; j++) {
        cli_curve *u = &f->curve[f->count++];
        u->name = g->solver[j];
        u->style = style_of(styles, g->solver[j]);
        if (!make_steps(c, &p, j, f->x_most, u)) return false;
    }
    return cli_profile_save(c, g, &p, path);
}

/* ---- histories ---- */

typedef struct trace {
    int count;
    double *iterations, *seconds, *residual;
    int merits; /* and the merit, where the method tells it */
    double *at, *merit;
} trace;

static bool open_trace(cli *c, size_t points, trace *t)
{
    *t = (trace){0};
    double **each[] = {&t->iterations, &t->seconds, &t->residual, &t->at, &t->merit};
    for (int k = 0; k < 5; k++) {
        *each[k] = perp_alloc(&c->arena, points, sizeof **each[k]);
        if (!*each[k]) return false;
    }
    return true;
}

/* Best certified residual so far; points without one are left out. Histories of earlier versions
 * have no merit. False: there is no history. */
static bool read_trace(cli *c, const char *dir, const cli_row *row, trace *t)
{
    size_t length, lines = 0;
    const char *path = cli_history_path(c, dir, row);
    char *text = path ? cli_read_all(&c->arena, path, &length) : NULL;
    if (!text) return false;
    for (size_t k = 0; k < length; k++) lines += text[k] == '\n';
    if (!open_trace(c, lines, t)) return false;
    cli_csv r = cli_csv_open(text, length);
    const char *field[5];
    cli_csv_next(&r, 5, field); /* the header */
    for (int count; (count = cli_csv_next(&r, 5, field)) >= 4;) {
        if (count > 4 && *field[4]) {
            t->at[t->merits] = atof(field[0]);
            t->merit[t->merits++] = fmin(fmax(atof(field[4]), FLOOR * FLOOR), CEILING);
        }
        if (!*field[2]) continue;
        t->iterations[t->count] = atof(field[0]);
        t->seconds[t->count] = atof(field[1]);
        t->residual[t->count++] = fmin(fmax(atof(field[2]), FLOOR), CEILING);
    }
    return t->count > 0;
}

/* Steps: the residual holds until the next certificate. x below `least` is drawn there. */
static bool make_trace(cli *c, const double *x, const trace *t, double least, cli_curve *u)
{
    u->x = perp_alloc(&c->arena, 2 * (size_t)t->count, sizeof *u->x);
    u->y = perp_alloc(&c->arena, 2 * (size_t)t->count, sizeof *u->y);
    if (!u->x || !u->y) return !cli_fail(c, "out of memory");
    for (int k = 0; k < t->count; k++) {
        double at = fmax(x[k], least);
        bool last = k + 1 == t->count;
        if (k > 0 && !last && t->residual[k] >= u->y[u->count - 1]) continue;
        if (k > 0) {
            u->x[u->count] = at;
            u->y[u->count] = u->y[u->count - 1];
            u->count++;
        }
        u->x[u->count] = at;
        u->y[u->count++] = t->residual[k];
    }
    return true;
}

static double least_positive(int count, const double *x, double least)
{
    for (int k = 0; k < count; k++) {
        if (x[k] > 0) least = fmin(least, x[k]);
    }
    return least;
}

static void name_axes(cli_figure *f, const char *problem, double tol)
{
    for (int k = 0; k < CLI_HISTORY; k++) {
        bool merit = k == 2;
        f[k].label = problem;
        f[k].x_label = k == 1 ? "seconds" : "iterations";
        f[k].y_label = merit ? "merit" : "certified residual";
        f[k].log_y = true;
        f[k].line = merit ? NAN : tol;
        f[k].x_most = k == 1 ? 0 : 2;
        f[k].y_least = merit ? INFINITY : isnan(tol) ? 1 : tol / 10;
        f[k].y_most = merit ? 0 : 1;
    }
}

/* What the method makes smaller, as it told it. */
static void add_merit(cli_figure *f, const trace *t, const char *solver, int style)
{
    if (!t->merits) return;
    f->curve[f->count++] = (cli_curve){solver, style, t->merits, t->at, t->merit};
    f->x_most = fmax(f->x_most, 1.1 * t->at[t->merits - 1]);
    double most = DIVERGED * fmax(t->merit[0], 1);
    for (int k = 0; k < t->merits; k++) {
        f->y_least = fmin(f->y_least, t->merit[k] / 2);
        f->y_most = fmax(f->y_most, 2 * fmin(t->merit[k], most));
    }
}

/* The figures of problem i; those without a curve are not drawn. */
static bool make_history(cli *c, const cli_report *r, const cli_group *g, int i, names *styles,
                         cli_figure *f)
{
    trace *t = perp_alloc(&c->arena, (size_t)g->solvers, sizeof *t);
    for (int k = 0; k < CLI_HISTORY; k++) {
        f[k].curve = perp_alloc(&c->arena, (size_t)g->solvers, sizeof *f[k].curve);
        if (!f[k].curve) t = NULL;
    }
    if (!t) return !cli_fail(c, "out of memory");
    name_axes(f, g->problem[i], g->tol);
    double least = INFINITY;
    for (int j = 0; j < g->solvers; j++) {
        const cli_row *row = g->cell[(size_t)i * (size_t)g->solvers + (size_t)j];
        if (!row || cli_is_refusal(row) || !read_trace(c, r->dir, row, &t[j])) t[j].count = 0;
        least = least_positive(t[j].count, t[j].seconds, least);
    }
    if (isinf(least)) least = 1e-6;
    f[0].x_least = f[2].x_least = 0.7;
    f[1].x_least = least / 2;
    for (int j = 0; j < g->solvers; j++) {
        if (!t[j].count) continue;
        for (int k = 0; k < 2; k++) {
            cli_curve *u = &f[k].curve[f[k].count++];
            const double *x = k ? t[j].seconds : t[j].iterations;
            u->name = g->solver[j];
            u->style = style_of(styles, g->solver[j]);
            if (!make_trace(c, x, &t[j], f[k].x_least, u)) return false;
            f[k].x_most = fmax(f[k].x_most, 1.1 * u->x[u->count - 1]);
            f[k].y_least = fmin(f[k].y_least, u->y[u->count - 1] / 2);
            f[k].y_most = fmax(f[k].y_most, 2 * u->y[0]);
        }
        add_merit(&f[2], &t[j], g->solver[j], style_of(styles, g->solver[j]));
    }
    return true;
}

/* Of several tolerances of a problem the tightest: its history contains the others. */
static bool is_tightest(const cli_report *r, const cli_group *g, const char *problem)
{
    for (int k = 0; k < r->groups; k++) {
        const cli_group *other = &r->group[k];
        if (!(other->tol < g->tol) || strcmp(other->kind, g->kind) != 0) continue;
        for (int i = 0; i < other->problems; i++) {
            if (strcmp(other->problem[i], problem) == 0) return false;
        }
    }
    return true;
}

static bool make_histories(cli *c, cli_report *r, names *styles)
{
    size_t most = 0;
    for (int k = 0; k < r->groups; k++) most += (size_t)r->group[k].problems;
    r->history_of = perp_alloc(&c->arena, most, sizeof *r->history_of);
    r->history = perp_alloc(&c->arena, CLI_HISTORY * most, sizeof *r->history);
    if (!r->history_of || !r->history) return !cli_fail(c, "out of memory");
    for (int k = 0; k < r->groups; k++) {
        const cli_group *g = &r->group[k];
        for (int i = 0; i < g->problems; i++) {
            cli_figure *f = &r->history[CLI_HISTORY * r->histories];
            if (!is_tightest(r, g, g->problem[i])) continue;
            if (!make_history(c, r, g, i, styles, f)) return false;
            if (f->count)
                r->history_of[r->histories++] = g->problem[i];
            else
                memset(f, 0, CLI_HISTORY * sizeof *f);
        }
    }
    return true;
}

bool cli_report_figures(cli *c, cli_report *r)
{
    names styles = {.name = perp_alloc(&c->arena, (size_t)r->rows->count, sizeof(char *))};
    r->profile = perp_alloc(&c->arena, 2 * (size_t)r->groups, sizeof *r->profile);
    if (!styles.name || !r->profile) return !cli_fail(c, "out of memory");
    for (int k = 0; k < r->groups; k++) {
        for (int by = 0; by < 2; by++) {
            if (!make_profile(c, r, &r->group[k], (cli_measure)by, &styles,
                              &r->profile[2 * k + by]))
                return false;
        }
    }
    if (!make_histories(c, r, &styles)) return false;
    int all = 2 * r->groups + CLI_HISTORY * r->histories;
    cli_figure *figure = perp_alloc(&c->arena, (size_t)all, sizeof *figure);
    if (!figure) return !cli_fail(c, "out of memory");
    memcpy(figure, r->profile, 2 * (size_t)r->groups * sizeof *figure);
    memcpy(figure + 2 * r->groups, r->history, CLI_HISTORY * (size_t)r->histories * sizeof *figure);
    r->gnuplot = cli_plot(c, all, figure);
    for (int k = 0; k < all; k++) {
        r->figures += figure[k].count > 0;
        r->drawn += figure[k].svg != NULL;
    }
    r->profile = figure;
    r->history = figure + 2 * r->groups;
    return true;
}
