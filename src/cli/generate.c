/* cli/generate.c: perp generate: seeded problems, with the answer where it is known. */
#include "generate/generate.h"
#include "commands.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

#define FAMILIES_MOST 256 /* that a suggestion looks at */
#define DESCRIPTION 200

typedef struct generate_options {
    int size, seed, facets;
    double mu, ratio;
    const char *form, *output, *to, *solution;
    bool list, json;
} generate_options;

static void print_json(FILE *out, const generate_entry *e)
{
    cli_json j = cli_json_open(out);
    cli_json_field_text(&j, "family", e->name);
    cli_json_field_text(&j, "about", e->about);
    cli_json_field_text(&j, "counts", e->counts);
    cli_json_field_int(&j, "size", e->size);
    cli_json_field_text(&j, "forms", e->forms);
    cli_json_close(&j);
    fputc('\n', out);
}

/* A scene can be stated as several problems; the others are of one kind. */
static void print_line(cli *c, const generate_entry *e)
{
    fprintf(c->out, "%s%-24s%s %-6s %s [%d %s]\n", cli_on(c, c->out, CLI_BOLD), e->name,
            cli_off(c, c->out), strchr(e->forms, ',') ? "scene" : e->forms, e->about, e->size,
            e->counts);
}

static void print_one(cli *c, const generate_options *o, const generate_entry *e)
{
    if (o->json) {
        print_json(c->out, e);
        return;
    }
    print_line(c, e);
    fprintf(c->out, "forms: %s\n", e->forms);
}

static int print_list(cli *c, const generate_options *o)
{
    generate_entry e;
    for (int k = 0; generate_list(k, &e); k++) {
        if (o->json)
            print_json(c->out, &e);
        else
            print_line(c, &e);
    }
    return CLI_DONE;
}

static int refuse_family(cli *c, const char *name)
{
    const char *names[FAMILIES_MOST + 1];
    generate_entry e;
    int count = 0;
    for (; count < FAMILIES_MOST && generate_list(count, &e); count++) names[count] = e.name;
    names[count] = NULL;
    return cli_fail_name(c, "family", name, cli_nearest(name, names), "see 'perp generate --list'");
}

__attribute__((format(printf, 2, 3))) static void append(char text[DESCRIPTION], const char *format,
                                                         ...)
{
    size_t length = strlen(text);
    va_list list;
    va_start(list, format);
    vsnprintf(text + length, DESCRIPTION - length, format, list);
    va_end(list);
}

/* What made the file, to be found in it. */
static const char *describe(cli *c, const generate_options *o, const generate_entry *e)
{
    char *text = perp_alloc(&c->arena, DESCRIPTION, 1);
    if (!text) return NULL;
    append(text, "perp generate %s --size=%d --seed=%d", e->name, o->size ? o->size : e->size,
           o->seed);
    if (o->form) append(text, " --form=%s", o->form);
    if (o->mu >= 0) append(text, " --mu=%.15g", o->mu);
    if (o->ratio > 0) append(text, " --ratio=%.15g", o->ratio);
    if (o->facets > 0) append(text, " --facets=%d", o->facets);
    return text;
}

static int write_solution(cli *c, const char *path, const generated_problem *g)
{
    perp_error e = {.status = PERP_SOLVED};
    const double *x = g->z ? g->z : g->proof;
    return perp_save_vector(path, perp_size(&g->p), x, &e) ? cli_fail_file(c, path, &e) : CLI_DONE;
}

static int write_problem(cli *c, const generate_options *o, const generate_entry *entry,
                         perp_file_format format)
{
    generate_request r = generate_defaults;
    r.family = entry->name;
    r.form = o->form;
    r.size = o->size;
    r.seed = (uint64_t)o->seed;
    r.mu = o->mu;
    if (o->ratio > 0) r.ratio = o->ratio;
    if (o->facets > 0) r.facets = o->facets;
    generated_problem g;
    perp_error e = {.status = PERP_SOLVED};
    if (generate_problem(&r, &c->arena, &g, &e)) return cli_fail(c, "%s: %s", entry->name, e.text);
    if (o->solution && !g.z && !g.proof)
        return cli_fail(c, "%s: the family knows no solution to write to %s", entry->name,
                        o->solution);
    if (!g.p.name) g.p.name = entry->name;
    perp_file file = {.format = format, .problem = g.p, .title = entry->name, .solution = g.z};
    file.description = describe(c, o, entry);
    if (perp_save_file(o->output, &file, &e)) {
        return cli_fail_file(c, strcmp(o->output, "-") ? o->output : "standard output", &e);
    }
    return o->solution ? write_solution(c, o->solution, &g) : CLI_DONE;
}

static bool check_call(cli *c, const generate_options *o, const generate_entry *e)
{
    bool scene = strchr(e->forms, ',') != NULL;
    if (!scene && (o->mu >= 0 || o->ratio > 0 || o->facets > 0))
        return !cli_fail(c, "--mu, --ratio and --facets are for scenes, and %s is none", e->name);
    if (o->solution && strcmp(o->solution, "-") == 0 && strcmp(o->output, "-") == 0)
        return !cli_fail(c, "only one of --output and --solution can be standard output");
    return true;
}

static int run_generate(cli *c, const void *options, int count, const char *const *operand)
{
    const generate_options *o = options;
    if (o->list && !count) return print_list(c, o);
    if (!count) return cli_fail(c, "expected FAMILY; see 'perp generate --list'");
    generate_entry entry;
    if (!generate_find(operand[0], &entry)) return refuse_family(c, operand[0]);
    if (o->list) {
        print_one(c, o, &entry);
        return CLI_DONE;
    }
    perp_file_format format = strcmp(o->output, "-") ? PERP_FILE_ANY : PERP_FILE_TEXT;
    if (o->to && !cli_file_format(c, o->to, &format)) return CLI_WRONG;
    return check_call(c, o, &entry) ? write_problem(c, o, &entry, format) : CLI_WRONG;
}

#define FIELD(name) offsetof(generate_options, name)

static const cli_option rows[] = {
    {.name = "list",
     .letter = 'l',
     .type = CLI_FLAG,
     .offset = FIELD(list),
     .help = "list the families, with the size they have by default; or the forms of one"},
    {.name = "size",
     .letter = 'n',
     .type = CLI_INT,
     .offset = FIELD(size),
     .argument = "N",
     .min = 1,
     .max = INT_MAX,
     .help = "size, of what the family says; it has a default"},
    {.name = "seed",
     .letter = 's',
     .type = CLI_INT,
     .offset = FIELD(seed),
     .argument = "S",
     .max = INT_MAX,
     .help = "another seed, another problem"},
    {.name = "form",
     .letter = 'f',
     .type = CLI_TEXT,
     .offset = FIELD(form),
     .argument = "FORM",
     .help = "which problem to make of a scene; 'perp generate --list FAMILY' names them"},
    {.name = "mu",
     .type = CLI_REAL,
     .offset = FIELD(mu),
     .argument = "MU",
     .max = 1e300,
     .help = "friction coefficient of a scene; the family has a default"},
    {.name = "ratio",
     .type = CLI_REAL,
     .offset = FIELD(ratio),
     .argument = "R",
     .min = 1e-300,
     .max = 1e300,
     .help = "ratio of masses in a scene"},
    {.name = "facets",
     .type = CLI_INT,
     .offset = FIELD(facets),
     .argument = "N",
     .min = 3,
     .max = 10000,
     .help = "facets of a friction pyramid"},
    {.name = "output",
     .letter = 'o',
     .type = CLI_TEXT,
     .offset = FIELD(output),
     .argument = "FILE",
     .help = "where to; the ending of its name says the format"},
    {.name = "to",
     .letter = 't',
     .type = CLI_TEXT,
     .offset = FIELD(to),
     .argument = "FORMAT",
     .help = "text, siconos, fclib or qps, whatever FILE is called"},
    {.name = "solution",
     .letter = 'z',
     .type = CLI_TEXT,
     .offset = FIELD(solution),
     .argument = "FILE",
     .help = "write the solution, or the proof that there is none, where the family knows it"},
    {.name = "json",
     .type = CLI_FLAG,
     .offset = FIELD(json),
     .help = "--list as JSON, a line each"},
    {.name = NULL},
};

static const generate_options defaults = {.seed = 1, .mu = -1, .output = "-"};

const cli_command cli_generate_command = {
    .name = "generate",
    .summary = "write a problem of a seeded family",
    .operands = "[FAMILY]",
    .about = "The same family, size and seed give the same problem everywhere, up to the rounding "
             "of sums. Formats are those of 'perp convert'; standard output gets text unless --to "
             "says otherwise. A solution that the family knows is stored in formats that have room "
             "for one.",
    .examples = "perp generate --list|the families\n"
                "perp generate pd -n 50 -o pd.perp|one LCP\n"
                "perp generate pd | perp solve -|straight to a solver",
    .options = rows,
    .most = 1,
    .size = sizeof(generate_options),
    .defaults = &defaults,
    .run = run_generate,
};
