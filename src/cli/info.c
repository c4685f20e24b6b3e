/* cli/info.c: perp info: what a problem file holds. */
#include "base/format.h"
#include "commands.h"
#include "core/internal.h"
#include "matrix.h"

#include <math.h>

typedef struct info_options {
    int limit;
    const char *kind, *layout;
    bool json, csv;
} info_options;

typedef struct facts {
    const char *path;
    const perp_file *file;
    int matrices;
    const char *name[PERP_MATRICES_MOST];
    cli_matrix_info matrix[PERP_MATRICES_MOST];
    bool friction;
    double mu_min, mu_max;
    int free, fixed; /* unknowns without bounds; with equal ones */
} facts;

/* Range of the coefficients of friction: of contacts, or of the unknowns that follow another. */
static void find_mu(const perp_problem *p, facts *f)
{
    const perp_field *mu = perp_field_find(p->kind, PERP_ROLE_FRICTION);
    const perp_field *follows = perp_field_find(p->kind, PERP_ROLE_FOLLOWS);
    f->mu_min = INFINITY;
    f->mu_max = -INFINITY;
    int n = mu && perp_field_applies(mu, p) ? perp_size_get(p, mu->rows) : 0;
    for (int i = 0; i < n; i++) {
        if (follows && perp_field_ints(follows, p)[i] < 0) continue;
        double value = perp_field_reals(mu, p)[i];
        f->friction = true;
        f->mu_min = fmin(f->mu_min, value);
        f->mu_max = fmax(f->mu_max, value);
    }
}

static void count_bounds(const perp_problem *p, facts *f)
{
    const perp_field *lower = perp_field_find(p->kind, PERP_ROLE_LOWER);
    const perp_field *upper = perp_field_find(p->kind, PERP_ROLE_UPPER);
    const perp_field *index = perp_field_find(p->kind, PERP_ROLE_FOLLOWS);
    if (!lower || !upper) return;
    const double *lo = perp_field_reals(lower, p), *hi = perp_field_reals(upper, p);
    const int *follows = index ? perp_field_ints(index, p) : NULL;
    for (int i = 0; i < perp_size_get(p, lower->rows); i++) {
        if (follows && follows[i] >= 0) continue;
        double l = lo ? lo[i] : -INFINITY, h = hi ? hi[i] : INFINITY;
        f->free += l == -INFINITY && h == INFINITY;
        f->fixed += l == h;
    }
}

static bool collect(cli *c, const info_options *o, facts *f)
{
    perp_problem p = perp_complete(&f->file->problem);
    perp_matrix *list[PERP_MATRICES_MOST];
    const perp_field *field[PERP_MATRICES_MOST];
    int count = perp_kind_matrices(&p, list, field);
    for (int k = 0; k < count; k++) {
        if (list[k]->format == PERP_FORMAT_ABSENT || !perp_has_entries(list[k])) continue;
        f->name[f->matrices] = field[k]->name;
        if (!cli_examine(list[k], o->limit, &c->arena, &f->matrix[f->matrices])) return false;
        f->matrices++;
    }
    find_mu(&p, f);
    count_bounds(&p, f);
    return true;
}

/* ---- as text ---- */

static void print_rank(FILE *out, const cli_matrix_info *m)
{
    if (m->rank >= 0) fprintf(out, "  rank       %d of %d\n", m->rank, m->m < m->n ? m->m : m->n);
    if (isinf(m->condition))
        fputs("  condition  infinite", out);
    else if (!isnan(m->condition))
        fprintf(out, "  condition  %.3g", m->condition);
    else
        fputs("  condition  unknown", out);
    if (isinf(m->condition) && !isnan(m->spread))
        fprintf(out, "; %.3g without its null space", m->spread);
    fprintf(out, "%s%s%s\n", m->why ? " (" : "", m->why ? m->why : "", m->why ? ")" : "");
}

static void print_matrix(FILE *out, const char *name, const cli_matrix_info *m)
{
    double full = (double)m->m * m->n;
    fprintf(out, "%s            %d x %d, %lld nonzeros (%.3g %%), %lld stored\n", name, m->m, m->n,
            m->nonzeros, full > 0 ? 100 * (double)m->nonzeros / full : 0, m->stored);
    if (!isnan(m->asymmetry)) {
        fprintf(out, "  symmetry   |%s - %s'| / |%s| = %.3g\n", name, name, name, m->asymmetry);
    }
    print_rank(out, m);
}

/* "contacts     4, local form" */
static void print_sizes(FILE *out, const perp_problem *p)
{
    const perp_kind_size *sizes = perp_kind_ops_of(p->kind)->sizes;
    const char *form = perp_kind_form(p);
    for (int k = 0; !perp_size_is_last(&sizes[k]); k++) {
        if (!sizes[k].label) continue;
        fprintf(out, "%-12s %d%s%s%s\n", sizes[k].label, perp_size_get(p, k), form ? ", " : "",
                form ? form : "", form ? " form" : "");
    }
}

static void print_text(cli *c, const facts *f)
{
    const perp_problem *p = &f->file->problem;
    FILE *out = c->out;
    fprintf(out, "%s%s%s: %s, n = %d\n", cli_on(c, out, CLI_BOLD), p->name, cli_off(c, out),
            perp_kind_name(p->kind), perp_size(p));
    fprintf(out, "file         %s (%s)\n", f->path, perp_file_format_name(f->file->format));
    if (f->file->title) fprintf(out, "title        %s\n", f->file->title);
    print_sizes(out, p);
    for (int k = 0; k < f->matrices; k++) print_matrix(out, f->name[k], &f->matrix[k]);
    if (f->friction) fprintf(out, "mu           %g to %g\n", f->mu_min, f->mu_max);
    if (f->free || f->fixed) fprintf(out, "free, fixed  %d, %d\n", f->free, f->fixed);
    if (f->file->solution) fputs("solution     stored; see 'perp certify'\n", out);
    if (f->file->guesses) fprintf(out, "guesses      %d stored\n", f->file->guesses);
}

/* ---- for programs ---- */

static void json_matrix(FILE *out, const char *name, const cli_matrix_info *m)
{
    cli_json j = cli_json_open(out);
    if (name) cli_json_field_text(&j, "name", name);
    cli_json_field_int(&j, "rows", m->m);
    cli_json_field_int(&j, "columns", m->n);
    cli_json_field_int(&j, "nonzeros", m->nonzeros);
    cli_json_field_int(&j, "stored", m->stored);
    cli_json_field_real(&j, "norm", m->norm);
    cli_json_field_real(&j, "asymmetry", m->asymmetry);
    if (m->rank >= 0)
        cli_json_field_int(&j, "rank", m->rank);
    else
        cli_json_field_real(&j, "rank", NAN);
    cli_json_field_real(&j, "condition", m->condition);
    cli_json_field_bool(&j, "singular", isinf(m->condition));
    cli_json_field_real(&j, "spread", m->spread);
    cli_json_field_bool(&j, "estimated", m->estimated);
    cli_json_field_text(&j, "note", m->why);
    cli_json_close(&j);
}

static void print_json(FILE *out, const facts *f)
{
    const perp_problem *p = &f->file->problem;
    cli_json j = cli_json_open(out);
    cli_json_field_text(&j, "problem", p->name);
    cli_json_field_text(&j, "file", f->path);
    cli_json_field_text(&j, "format", perp_file_format_name(f->file->format));
    cli_json_field_text(&j, "kind", perp_kind_name(p->kind));
    cli_json_field_int(&j, "n", perp_size(p));
    cli_json_field_text(&j, "title", f->file->title);
    cli_json_field_text(&j, "description", f->file->description);
    const perp_kind_size *sizes = perp_kind_ops_of(p->kind)->sizes;
    for (int k = 0; !perp_size_is_last(&sizes[k]); k++) {
        if (sizes[k].label) cli_json_field_int(&j, sizes[k].label, perp_size_get(p, k));
    }
    if (perp_kind_form(p)) cli_json_field_text(&j, "form", perp_kind_form(p));
    fputc('[', cli_json_field(&j, "matrices"));
    for (int k = 0; k < f->matrices; k++) {
        if (k) fputs(", ", out);
        json_matrix(out, f->name[k], &f->matrix[k]);
    }
    fputc(']', out);
    cli_json_field_real(&j, "mu_min", f->friction ? f->mu_min : NAN);
    cli_json_field_real(&j, "mu_max", f->friction ? f->mu_max : NAN);
    cli_json_field_int(&j, "free", f->free);
    cli_json_field_int(&j, "fixed", f->fixed);
    cli_json_field_bool(&j, "solution", f->file->solution != NULL);
    cli_json_field_int(&j, "guesses", f->file->guesses);
    cli_json_close(&j);
    fputc('\n', out);
}

static void print_csv(FILE *out, const facts *f)
{
    const perp_problem *p = &f->file->problem;
    for (int k = 0; k < f->matrices; k++) {
        const cli_matrix_info *m = &f->matrix[k];
        cli_csv_text(out, p->name);
        fprintf(out, ",%s,%d,%s,%d,%d,%lld,", perp_kind_name(p->kind), perp_size(p), f->name[k],
                m->m, m->n, m->nonzeros);
        cli_csv_real(out, m->asymmetry);
        if (m->rank >= 0)
            fprintf(out, ",%d,", m->rank);
        else
            fputs(",,", out);
        cli_csv_real(out, m->condition);
        if (f->friction) {
            fputc(',', out);
            cli_csv_real(out, f->mu_min);
            fputc(',', out);
            cli_csv_real(out, f->mu_max);
            fputc('\n', out);
        } else {
            fputs(",,\n", out);
        }
    }
}

/* ---- the command ---- */

static int inform(cli *c, const info_options *o, const char *path, bool between)
{
    perp_file file;
    if (!cli_load(c, path, o->kind, o->layout, &file)) return CLI_WRONG;
    facts f = {.path = path, .file = &file};
    if (!collect(c, o, &f)) return cli_fail(c, "%s: out of memory", path);
    if (between) fputc('\n', c->out);
    if (o->json)
        print_json(c->out, &f);
    else if (o->csv)
        print_csv(c->out, &f);
    else
        print_text(c, &f);
    return CLI_DONE;
}

static int run_info(cli *c, const void *options, int count, const char *const *operand)
{
    const info_options *o = options;
    if (o->csv) {
        fputs(
            "problem,kind,n,matrix,rows,columns,nonzeros,asymmetry,rank,condition,mu_min,mu_max\n",
            c->out);
    }
    int worst = CLI_DONE;
    bool between = false; /* an empty line is due before the next */
    for (int k = 0; k < count; k++) {
        perp_mark mark = perp_arena_mark(&c->arena);
        int status = inform(c, o, operand[k], between && !o->json && !o->csv);
        perp_arena_release(&c->arena, mark);
        if (status > worst) worst = status;
        between = between || status == CLI_DONE;
    }
    return worst;
}

static const cli_option rows[] = {
    {.name = "limit",
     .letter = 'l',
     .type = CLI_INT,
     .offset = offsetof(info_options, limit),
     .argument = "N",
     .max = 20000,
     .help = "rank and condition from all singular values up to N rows or columns, by estimates "
             "above"},
    {.name = "kind",
     .letter = 'k',
     .type = CLI_TEXT,
     .offset = offsetof(info_options, kind),
     .argument = "KIND",
     .help = "what FILE holds, where its content can be read in two ways"},
    CLI_LAYOUT(offsetof(info_options, layout), "FILE"),
    {.name = "json",
     .type = CLI_FLAG,
     .offset = offsetof(info_options, json),
     .help = "one JSON object a line for each FILE; numbers that are not finite are null"},
    {.name = "csv",
     .type = CLI_FLAG,
     .offset = offsetof(info_options, csv),
     .help = "comma-separated values, a row for each matrix"},
    {.name = NULL},
};

static const info_options defaults = {.limit = 2000};

const cli_command cli_info_command = {
    .name = "info",
    .summary = "say what problem files hold",
    .operands = "FILE...",
    .about = "Kind, size, and for each matrix its nonzeros, symmetry defect, rank and condition; "
             "friction coefficients, bounds, and what else is stored.\n\n"
             "The rank counts the singular values above max(rows, columns) times the rounding unit "
             "times the largest. Of larger sparse square matrices the condition is estimated by "
             "inverse iteration and said to be so; of others it is not computed.",
    .examples = "perp info a.dat|one file\n"
                "perp info --csv *.dat|a table",
    .options = rows,
    .least = 1,
    .most = -1,
    .size = sizeof(info_options),
    .defaults = &defaults,
    .run = run_info,
};
