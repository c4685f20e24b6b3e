/* cli/list.c: perp list: the solvers, and the options of one. */
#include "base/format.h"
#include "commands.h"
#include "core/internal.h"

#include <math.h>
#include <string.h>

typedef struct list_options {
    bool json, csv;
} list_options;

/* A value of the option's field as perp_options_set reads it. */
static void describe_value(const perp_option *t, const perp_options *o, char *text, size_t size)
{
    const void *field = (const char *)o + t->offset;
    switch (t->type) {
    case PERP_OPTION_REAL: snprintf(text, size, "%g", *(const double *)field); break;
    case PERP_OPTION_INT: snprintf(text, size, "%d", *(const int *)field); break;
    case PERP_OPTION_BOOL: snprintf(text, size, "%d", *(const bool *)field); break;
    case PERP_OPTION_ENUM: {
        const char *at = t->choices;
        for (int k = *(const int *)field; k > 0; k--) at += strcspn(at, "|") + 1;
        snprintf(text, size, "%.*s", (int)strcspn(at, "|"), at);
    }
    }
}

static void describe_range(const perp_option *t, char *text, size_t size)
{
    if (t->type == PERP_OPTION_ENUM)
        snprintf(text, size, "%s", t->choices);
    else if (t->type == PERP_OPTION_BOOL)
        snprintf(text, size, "0|1");
    else if (t->type == PERP_OPTION_INT && t->max >= 2147483647)
        snprintf(text, size, ">= %.10g", t->min);
    else if (t->max > 1e300)
        snprintf(text, size, ">= %g", t->min);
    else
        snprintf(text, size, "%.10g..%.10g", t->min, t->max);
}

static void describe_formats(unsigned formats, char *text, size_t size)
{
    text[0] = 0;
    for (unsigned bit = 1; bit < PERP_FORMATS; bit *= 2) {
        size_t used = strlen(text);
        if (formats & bit)
            snprintf(text + used, size - used, "%s%s", used ? ", " : "", perp_formats[bit]->name);
    }
}

/* ---- as text ---- */

static void print_table(FILE *out, const perp_option *t, const perp_options *o)
{
    for (; t && t->name; t++) {
        char value[32], range[64];
        describe_value(t, o, value, sizeof value);
        describe_range(t, range, sizeof range);
        fprintf(out, "  %-16s %-12s %-24s %s\n", t->name, value, range, t->help);
    }
}

static void print_solver(cli *c, const perp_options *o)
{
    const perp_solver *s = o->solver;
    char formats[64];
    describe_formats(s->formats[0], formats, sizeof formats);
    fprintf(c->out, "%s%s%s: %s\nkind %s; reads %s\n", cli_on(c, c->out, CLI_BOLD), s->name,
            cli_off(c, c->out), s->about, perp_kind_name(s->kind), formats);
    fprintf(c->out, "\n%s  %-16s %-12s %-24s %s%s\n", cli_on(c, c->out, CLI_DIM), "option",
            "default", "values", "", cli_off(c, c->out));
    print_table(c->out, s->options, o);
    print_table(c->out, perp_common_options(), o);
    const char *example = s->options && s->options->name ? s->options->name : "tol";
    const perp_option *row = s->options && s->options->name ? s->options : perp_common_options();
    char value[32];
    describe_value(row, o, value, sizeof value);
    fprintf(c->out, "\nperp solve -s %s:%s=%s FILE\n", s->name, example, value);
}

static void print_line(cli *c, const perp_options *o)
{
    fprintf(c->out, "%s%-18s%s %s\n", cli_on(c, c->out, CLI_BOLD), perp_solver_name(o),
            cli_off(c, c->out), perp_solver_about(o));
}

/* ---- for programs ---- */

static void print_json_option(FILE *out, const perp_option *t, const perp_options *o)
{
    static const char *const types[] = {"real", "int", "bool", "choice"};
    char value[32];
    describe_value(t, o, value, sizeof value);
    cli_json j = cli_json_open(out);
    cli_json_field_text(&j, "name", t->name);
    cli_json_field_text(&j, "type", types[t->type]);
    if (t->type == PERP_OPTION_ENUM)
        cli_json_field_text(&j, "default", value);
    else
        fputs(value, cli_json_field(&j, "default"));
    if (t->type == PERP_OPTION_ENUM) {
        cli_json_field_text(&j, "choices", t->choices);
    } else {
        cli_json_field_real(&j, "min", t->min);
        cli_json_field_real(&j, "max", t->max < 1e300 ? t->max : INFINITY);
    }
    cli_json_field_text(&j, "help", t->help);
    cli_json_close(&j);
}

static void print_json(FILE *out, const perp_options *o)
{
    const perp_solver *s = o->solver;
    char formats[64];
    describe_formats(s->formats[0], formats, sizeof formats);
    cli_json j = cli_json_open(out);
    cli_json_field_text(&j, "solver", s->name);
    cli_json_field_text(&j, "kind", perp_kind_name(s->kind));
    cli_json_field_text(&j, "about", s->about);
    cli_json_field_text(&j, "reads", formats);
    fputc('[', cli_json_field(&j, "options"));
    const perp_option *tables[] = {s->options, perp_common_options()};
    bool first = true;
    for (int k = 0; k < 2; k++) {
        for (const perp_option *t = tables[k]; t && t->name; t++, first = false) {
            if (!first) fputs(", ", out);
            print_json_option(out, t, o);
        }
    }
    fputc(']', out);
    cli_json_close(&j);
    fputc('\n', out);
}

static void print_csv(FILE *out, const perp_options *o)
{
    cli_csv_text(out, perp_solver_name(o));
    fprintf(out, ",%s,", perp_kind_name(o->solver->kind));
    cli_csv_text(out, perp_solver_about(o));
    fputc('\n', out);
}

/* ---- the command ---- */

static void print_one(cli *c, const list_options *o, const perp_options *solver, bool in_full)
{
    if (o->json)
        print_json(c->out, solver);
    else if (o->csv)
        print_csv(c->out, solver);
    else if (in_full)
        print_solver(c, solver);
    else
        print_line(c, solver);
}

static int run_list(cli *c, const void *options, int count, const char *const *operand)
{
    const list_options *o = options;
    const perp_options *solver = count ? perp_find(operand[0]) : NULL;
    perp_kind kind = PERP_KIND_LCP;
    if (solver && perp_options_check(solver, NULL)) solver = NULL; /* no such name */
    if (count && strchr(operand[0], '/') && !solver) {
        return cli_solver_named(c, operand[0]) ? CLI_DONE : CLI_WRONG; /* it says which is near */
    }
    if (count && !solver && !cli_kind(c, operand[0], &kind)) return CLI_WRONG;
    perp_kind solving = perp_solving_kind(kind);
    if (o->csv) fputs("solver,kind,about\n", c->out);
    if (solver) {
        print_one(c, o, solver, true);
        return CLI_DONE;
    }
    int printed = 0;
    for (int k = 0; perp_solvers()[k]; k++) {
        if (count && perp_solvers()[k]->solver->kind != solving) continue;
        print_one(c, o, perp_solvers()[k], false);
        printed++;
    }
    if (printed && solving != kind)
        cli_note(c, "a problem of kind %s is solved as one of kind %s", operand[0],
                 perp_kind_name(solving));
    if (!printed) cli_note(c, "there is no solver of kind %s yet", operand[0]);
    return CLI_DONE;
}

static const cli_option rows[] = {
    {.name = "json",
     .type = CLI_FLAG,
     .offset = offsetof(list_options, json),
     .help = "one JSON object a line for each solver, with its options"},
    {.name = "csv",
     .type = CLI_FLAG,
     .offset = offsetof(list_options, csv),
     .help = "comma-separated values"},
    {.name = NULL},
};

const cli_command cli_list_command = {
    .name = "list",
    .summary = "list the solvers, or the options of one",
    .operands = "[KIND|SOLVER]",
    .about = "Without an argument all solvers; with a kind of problem those of that kind; with a "
             "solver its options, their defaults and values.\n\n"
             "Kinds:"
#define PERP_KIND(constant, name, folder) " " #name
#include "perp/kinds.def"
#undef PERP_KIND
             ".",
    .examples = "perp list lcp|the solvers for LCPs\n"
                "perp list lcp/psor|the options of one",
    .options = rows,
    .most = 1,
    .size = sizeof(list_options),
    .run = run_list,
};
