/* core/options.c: options by name, from the same table that checks them. */
#include "internal.h"

#include <ctype.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const perp_option common[] = {
    PERP_OPTION(perp_options, tol, 0, DBL_MAX, "certified residual to reach"),
    PERP_OPTION(perp_options, max_iter, 0, INT_MAX, "iterations, sweeps or pivots at most"),
    PERP_OPTION(perp_options, max_seconds, 0, INFINITY, "time limit in seconds, 0 for none"),
    PERP_OPTION(perp_options, threads, 1, 1024, "threads, where the solver can use several"),
    PERP_OPTION(perp_options, warm_start, 0, 1, "start from z instead of 0"),
    {0},
};

const perp_option *perp_common_options(void)
{
    return common;
}

#define NAME_LIMIT 64 /* longest name the suggestion looks at */
#define FAR_NAME 3    /* changed letters that make another word */

static const perp_option *find_in(const perp_option *table, const char *name)
{
    for (; table && table->name; table++) {
        if (strcmp(table->name, name) == 0) return table;
    }
    return NULL;
}

int perp_name_distance(const char *a, const char *b)
{
    int row[NAME_LIMIT + 1], n = (int)strlen(b);
    if (n > NAME_LIMIT) return INT_MAX;
    for (int j = 0; j <= n; j++) row[j] = j;
    for (int i = 1; *a; a++, i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int change =
                diagonal + (tolower((unsigned char)*a) != tolower((unsigned char)b[j - 1]));
            int shift = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
            diagonal = row[j];
            row[j] = change < shift ? change : shift;
        }
    }
    return row[n];
}

static void nearest_in(const perp_option *table, const char *name, const char **best, int *least)
{
    for (; table && table->name; table++) {
        int d = perp_name_distance(name, table->name);
        if (d < *least) {
            *least = d;
            *best = table->name;
        }
    }
}

/* Options that had another name in an earlier version. */
static const struct {
    const char *solver, *before, *now;
} renamed[] = {
    {"fc3d/nsgs", "stretch", "extrapolate"},
};

/* The name that an option of this solver has now; NULL: it was not renamed. */
static const char *new_name(const char *solver, const char *name)
{
    for (size_t k = 0; k < sizeof renamed / sizeof *renamed; k++) {
        if (strcmp(renamed[k].solver, solver) == 0 && strcmp(renamed[k].before, name) == 0) {
            return renamed[k].now;
        }
    }
    return NULL;
}

/* A solver of that kind with such an option; NULL: there is none. */
static const char *find_owner(perp_kind kind, const char *name)
{
    for (const perp_options *const *o = perp_solvers(); *o; o++) {
        const perp_solver *s = (*o)->solver;
        if (s->kind == kind && find_in(s->options, name)) return s->name;
    }
    return NULL;
}

/* The options that a solver has, its own first, as far as there is room. */
static void list_names(const perp_solver *s, char *text, size_t size)
{
    const perp_option *const tables[] = {s->options, common};
    size_t used = 0;
    text[0] = 0;
    for (int k = 0; k < 2; k++) {
        for (const perp_option *t = tables[k]; t && t->name && used < size; t++) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", t->name);
        }
    }
}

static perp_status refuse_name(const perp_solver *s, const char *name, perp_error *e)
{
    const char *now = new_name(s->name, name);
    if (now) {
        return perp_refuse(e, PERP_E_OPTION, "the option '%s' of %s is called '%s' now", name,
                           s->name, now);
    }
    int length = (int)strlen(name), most = length < FAR_NAME ? length : FAR_NAME;
    const char *best = NULL;
    nearest_in(common, name, &best, &most);
    nearest_in(s->options, name, &best, &most);
    if (best)
        return perp_refuse(e, PERP_E_OPTION, "%s has no option '%.40s'; did you mean '%s'?",
                           s->name, name, best);
    const char *other = find_owner(s->kind, name);
    if (other)
        return perp_refuse(e, PERP_E_OPTION, "%s has no option '%.40s'; %s has one", s->name, name,
                           other);
    char list[96];
    list_names(s, list, sizeof list);
    return perp_refuse(e, PERP_E_OPTION, "%s has no option '%.24s'; it has %s", s->name, name,
                       list);
}

/* A solver that can run, or a sentence that says why there is none. */
static perp_status check_solver(const perp_solver *s, perp_error *e)
{
    if (s && s->solve) return PERP_SOLVED;
    const char *nearest = s ? perp_unknown_nearest(s) : NULL;
    if (!nearest) {
        return perp_refuse(e, PERP_E_OPTION,
                           "options name no solver; begin with the defaults of one, such as "
                           "perp_lcp_auto_defaults()");
    }
    if (!*nearest) {
        return perp_refuse(e, PERP_E_OPTION,
                           "the name of the solver is NULL; perp_solvers() lists all names");
    }
    return perp_refuse(e, PERP_E_OPTION,
                       "no solver has the name that was asked for; the nearest is '%s', and "
                       "perp_solvers() lists all",
                       nearest);
}

/* ---- copies ---- */

perp_status perp_options_init(perp_options *o, size_t size, const char *solver)
{
    if (!o || size < sizeof *o) return PERP_E_ARGUMENT;
    const perp_options *d = perp_find(solver);
    size_t known = d->solver->options_size;
    memset(o, 0, size);
    memcpy(o, d, size < known ? size : known);
    o->size = d->solver->solve ? size : 0;
    return d->solver->solve ? PERP_SOLVED : PERP_E_OPTION;
}

perp_options *perp_options_copy(perp_arena *a, const perp_options *o)
{
    size_t size = o->solver->options_size;
    perp_options *copy = perp_alloc(a, 1, size);
    if (!copy) return NULL;
    if (o->size && o->size < size) memcpy(copy, perp_find(o->solver->name), size);
    memcpy(copy, o, o->size && o->size < size ? o->size : size);
    copy->size = size;
    return copy;
}

perp_options *perp_options_new(perp_arena *a, const char *solver)
{
    return a ? perp_options_copy(a, perp_find(solver)) : NULL;
}

/* The size says which version of perp made the options: an earlier one, with fewer fields, or this
 * one. */
static perp_status check_size(const perp_options *o, perp_error *e)
{
    const perp_solver *s = o->solver;
    if (o->size == 0 || o->size == s->options_size) return PERP_SOLVED;
    if (o->size > s->options_size) {
        return perp_refuse(e, PERP_E_OPTION,
                           "options of %s have %zu bytes and this perp (%s) knows %zu: the program "
                           "was built with a later version",
                           s->name, o->size, perp_version(), s->options_size);
    }
    if (o->size < sizeof *o || perp_find(s->name)->solver != s) {
        return perp_refuse(
            e, PERP_E_OPTION,
            "options of %s have %zu bytes and must have %zu; begin with its defaults", s->name,
            o->size, s->options_size);
    }
    return PERP_SOLVED;
}

/* Do the caller's options have this field? */
static bool has_field(const perp_options *o, const perp_option *t)
{
    size_t bytes = t->type == PERP_OPTION_REAL   ? sizeof(double)
                   : t->type == PERP_OPTION_BOOL ? sizeof(bool)
                                                 : sizeof(int);
    return o->size == 0 || t->offset + bytes <= o->size;
}

/* ---- fields by name ---- */

static int choice_index(const char *choices, const char *value)
{
    size_t length = strlen(value);
    for (int k = 0; choices; k++) {
        const char *bar = strchr(choices, '|');
        size_t n = bar ? (size_t)(bar - choices) : strlen(choices);
        if (n == length && memcmp(choices, value, n) == 0) return k;
        choices = bar ? bar + 1 : NULL;
    }
    return -1;
}

/* Are there so many choices that k is one of them, from 0 on? */
static bool is_choice(const char *choices, int k)
{
    for (; k > 0 && *choices; choices++) k -= *choices == '|';
    return k == 0;
}

static perp_status set_choice(const perp_option *t, const char *value, int *field, perp_error *e)
{
    int k = choice_index(t->choices, value);
    if (k < 0) {
        return perp_refuse(e, PERP_E_OPTION, "%s = '%.40s' is none of %s", t->name, value,
                           t->choices);
    }
    *field = k;
    return PERP_SOLVED;
}

/* A number, or true and false for a bool. NaN where it is neither. */
static double parse(const perp_option *t, const char *value)
{
    if (t->type == PERP_OPTION_BOOL && strcmp(value, "true") == 0) return 1;
    if (t->type == PERP_OPTION_BOOL && strcmp(value, "false") == 0) return 0;
    double x = NAN;
    const char *end = perp_parse_real(value, value + strlen(value), &x);
    return *end ? NAN : x;
}

static perp_status check_range(const perp_option *t, double x, perp_error *e)
{
    if (x >= t->min && x <= t->max) return PERP_SOLVED;
    return perp_refuse(e, PERP_E_OPTION, "%s = %.10g is outside [%.10g, %.10g]", t->name, x, t->min,
                       t->max);
}

perp_status perp_options_set(perp_options *o, const char *name, const char *value, perp_error *e)
{
    if (!o || !o->solver || !name || !value) {
        return perp_refuse(e, PERP_E_ARGUMENT, "options, name and value must not be NULL");
    }
    perp_status known = check_solver(o->solver, e);
    if (known) return known;
    const perp_option *t = find_in(common, name);
    if (!t) t = find_in(o->solver->options, name);
    if (!t) return refuse_name(o->solver, name, e);
    if (!has_field(o, t)) {
        return perp_refuse(e, PERP_E_OPTION, "the options of %s that were given have no field '%s'",
                           o->solver->name, name);
    }
    void *field = (char *)o + t->offset;
    if (t->type == PERP_OPTION_ENUM) return set_choice(t, value, field, e);
    double x = parse(t, value);
    if (isnan(x) || (t->type != PERP_OPTION_REAL && x != floor(x))) {
        return perp_refuse(e, PERP_E_OPTION, "%s = '%.40s' is not %s", t->name, value,
                           t->type == PERP_OPTION_REAL  ? "a number"
                           : t->type == PERP_OPTION_INT ? "a whole number"
                                                        : "0, 1, true or false");
    }
    perp_status s = check_range(t, x, e);
    if (s) return s;
    if (t->type == PERP_OPTION_REAL)
        *(double *)field = x;
    else if (t->type == PERP_OPTION_INT)
        *(int *)field = (int)x;
    else
        *(bool *)field = x != 0;
    return PERP_SOLVED;
}

static perp_status check_field(const perp_options *o, const perp_option *t, perp_error *e)
{
    const void *field = (const char *)o + t->offset;
    switch (t->type) {
    case PERP_OPTION_REAL: return check_range(t, *(const double *)field, e);
    case PERP_OPTION_INT: return check_range(t, *(const int *)field, e);
    case PERP_OPTION_BOOL: return PERP_SOLVED;
    case PERP_OPTION_ENUM: {
        int k = *(const int *)field;
        if (is_choice(t->choices, k)) return PERP_SOLVED;
        return perp_refuse(e, PERP_E_OPTION, "%s = %d is not a choice of %s", t->name, k,
                           t->choices);
    }
    }
    return PERP_SOLVED;
}

perp_status perp_options_check(const perp_options *o, perp_error *e)
{
    if (!o) return perp_refuse(e, PERP_E_ARGUMENT, "options must not be NULL");
    perp_status known = check_solver(o->solver, e);
    if (!known) known = check_size(o, e);
    if (known) return known;
    for (const perp_option *t = common; t->name; t++) {
        perp_status s = check_field(o, t, e);
        if (s) return s;
    }
    for (const perp_option *t = o->solver->options; t && t->name; t++) {
        perp_status s = has_field(o, t) ? check_field(o, t, e) : PERP_SOLVED;
        if (s) return s;
    }
    return PERP_SOLVED;
}
