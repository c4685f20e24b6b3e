/* cli/name.c: kinds, file formats and solvers by name; a misspelt one gets the nearest. */
#include "cli.h"
#include "core/internal.h"

#include <string.h>

#define NAMES_MOST 256 /* solvers that a suggestion looks at */
#define TEXT_MOST 256  /* longest solver name or option that makes sense */

bool cli_kind(cli *c, const char *name, perp_kind *kind)
{
    const char *names[PERP_KINDS + 1] = {NULL};
    for (int k = 0; k < PERP_KINDS; k++) {
        names[k] = perp_kind_name((perp_kind)k);
        if (strcmp(names[k], name) == 0) {
            *kind = (perp_kind)k;
            return true;
        }
    }
    char list[128], advice[144];
    snprintf(advice, sizeof advice, "there are %s", perp_kind_list("and", list, sizeof list));
    cli_fail_name(c, "kind of problem", name, cli_nearest(name, names), advice);
    return false;
}

bool cli_file_format(cli *c, const char *name, perp_file_format *format)
{
    const char *names[PERP_FILE_FORMATS + 1] = {NULL};
    int count = 0;
    for (int k = PERP_FILE_TEXT; k < PERP_FILE_FORMATS; k++) {
        const char *known = perp_file_format_name((perp_file_format)k);
        if (!known) continue; /* not in this build */
        names[count++] = known;
        if (strcmp(known, name) == 0) {
            *format = (perp_file_format)k;
            return true;
        }
    }
    cli_fail_name(c, "file format", name, cli_nearest(name, names), "see 'perp convert --help'");
    return false;
}

static void refuse_solver(cli *c, const char *name)
{
    const char *names[NAMES_MOST + 1];
    int count = 0;
    for (; perp_solvers()[count] && count < NAMES_MOST; count++) {
        names[count] = perp_solver_name(perp_solvers()[count]);
    }
    names[count] = NULL;
    cli_fail_name(c, "solver", name, cli_nearest(name, names), "see 'perp list'");
}

/* "name=value,name=value" into o; the text is cut up. */
static bool set_options(cli *c, perp_options *o, char *text)
{
    for (char *next; text && *text; text = next) {
        next = strchr(text, ',');
        if (next) *next++ = 0;
        char *value = strchr(text, '=');
        if (value) *value++ = 0;
        perp_error e;
        if (!value) {
            cli_fail(c, "option '%s' needs a value, as in '%s:%s=1'", text, perp_solver_name(o),
                     text);
            return false;
        }
        if (perp_options_set(o, text, value, &e)) {
            const char *solver = perp_solver_name(o);
            bool named = strncmp(e.text, solver, strlen(solver)) == 0;
            cli_fail(c, "%s%s%s", named ? "" : solver, named ? "" : ": ", e.text);
            return false;
        }
    }
    return true;
}

/* The name without options. prefix: "lcp", put before a name without a slash; NULL: nothing is.
 * False: too long. */
static bool full_name(const char *specification, const char *prefix, char name[TEXT_MOST])
{
    size_t length = strcspn(specification, ":");
    bool slash = memchr(specification, '/', length) != NULL;
    snprintf(name, TEXT_MOST, "%s%s%.*s", slash || !prefix ? "" : prefix,
             slash || !prefix ? "" : "/", (int)length, specification);
    return length < TEXT_MOST / 2;
}

static bool is_solver(const char *name)
{
    return perp_options_check(perp_find(name), NULL) == PERP_SOLVED;
}

/* What stands before a name without a kind. */
static const char *prefix_of(perp_kind kind)
{
    return perp_kind_name(perp_solving_kind(kind));
}

bool cli_has_solver(const char *specification, perp_kind kind)
{
    char name[TEXT_MOST];
    return full_name(specification, prefix_of(kind), name) && is_solver(name);
}

static perp_options *parse_solver(cli *c, const char *specification, const char *prefix)
{
    char name[TEXT_MOST], settings[4 * TEXT_MOST];
    const char *colon = strchr(specification, ':'), *rest = colon ? colon + 1 : "";
    if (!full_name(specification, prefix, name) || strlen(rest) >= sizeof settings) {
        cli_fail(c, "the solver '%.40s...' is too long", specification);
        return NULL;
    }
    snprintf(settings, sizeof settings, "%s", rest);
    if (!is_solver(name)) {
        refuse_solver(c, name);
        return NULL;
    }
    perp_options *o = perp_options_new(&c->arena, name);
    if (!o) {
        cli_fail(c, "out of memory");
        return NULL;
    }
    return set_options(c, o, settings) ? o : NULL;
}

/* The kind's own auto, of which there may be none yet: no near name helps then. */
static bool lacks_auto(const char *specification, perp_kind kind)
{
    bool asked = strcspn(specification, ":") == 4 && strncmp(specification, "auto", 4) == 0;
    return asked && !cli_has_solver(specification, kind);
}

perp_options *cli_solver(cli *c, const char *specification, perp_kind kind)
{
    if (lacks_auto(specification, kind)) {
        cli_fail(c, "there is no %s/auto yet; see 'perp list'", perp_kind_name(kind));
        return NULL;
    }
    return parse_solver(c, specification, prefix_of(kind));
}

perp_options *cli_solver_named(cli *c, const char *specification)
{
    return parse_solver(c, specification, NULL);
}
