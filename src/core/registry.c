/* core/registry.c: the table of built-in solvers, from solvers.def, and the options that stand for
 * a name that no solver has. */
#include "defaults.h"
#include "internal.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const perp_options *const solvers[] = {
#define PERP_SOLVER(family, name) &perp_##family##_##name.base,
#include "perp/solvers.def"
#undef PERP_SOLVER
    NULL,
};

/* ---- names that no solver has ---- */

enum row {
#define PERP_SOLVER(family, name) ROW_##family##_##name,
#include "perp/solvers.def"
#undef PERP_SOLVER
    ROWS
};

/* Options of any solver: whoever casts an unknown solver's options to those of the solver that was
 * meant stays inside. */
typedef union any_options {
    perp_options base;
#define PERP_SOLVER(family, name) perp_##family##_##name##_options family##_##name;
#include "perp/solvers.def"
#undef PERP_SOLVER
} any_options;

/* One unknown solver for each row, the nearest name, and a last one where there was no name at all.
 * They are alike: which one it is, its place tells, so that a refusal can say the nearest name
 * without memory of its own. */
#define UNKNOWN                                                                                    \
    {                                                                                              \
        .name = "unknown", .about = "no solver has the name that was asked for",                   \
        .options_size = sizeof(any_options)                                                        \
    }
static const perp_solver unknown_solver[] = {
#define PERP_SOLVER(family, name) UNKNOWN,
#include "perp/solvers.def"
#undef PERP_SOLVER
    UNKNOWN,
};

static const any_options unknown_options[] = {
#define PERP_SOLVER(family, name) {.base.solver = &unknown_solver[ROW_##family##_##name]},
#include "perp/solvers.def"
#undef PERP_SOLVER
    {.base.solver = &unknown_solver[ROWS]},
};

#define OTHER_KIND 8 /* changed letters that a solver of another kind counts as */

/* A name without a slash is compared with what stands behind the slash; one with a kind is nearer
 * to solvers of that kind. */
static int find_nearest(const char *name)
{
    int best = 0, least = INT_MAX;
    size_t kind = strcspn(name, "/");
    bool whole = name[kind] != 0;
    for (int k = 0; k < ROWS; k++) {
        const char *known = solvers[k]->solver->name, *slash = strchr(known, '/');
        int d = perp_name_distance(name, whole || !slash ? known : slash + 1);
        if (whole && strncmp(name, known, kind + 1) != 0) d += OTHER_KIND;
        if (d < least) {
            least = d;
            best = k;
        }
    }
    return best;
}

const char *perp_unknown_nearest(const perp_solver *s)
{
    for (int k = 0; k < ROWS; k++) {
        if (s == &unknown_solver[k]) return solvers[k]->solver->name;
    }
    return s == &unknown_solver[ROWS] ? "" : NULL;
}

/* ---- the calls ---- */

const perp_options *const *perp_solvers(void)
{
    return solvers;
}

const perp_options *perp_find(const char *name)
{
    for (int k = 0; name && k < ROWS; k++) {
        if (strcmp(solvers[k]->solver->name, name) == 0) return solvers[k];
    }
    return &unknown_options[name ? find_nearest(name) : ROWS].base;
}

static bool has_auto(perp_kind kind)
{
    char name[32];
    snprintf(name, sizeof name, "%s/auto", perp_kind_name(kind));
    for (int k = 0; k < ROWS; k++) {
        if (strcmp(solvers[k]->solver->name, name) == 0) return true;
    }
    return false;
}

perp_kind perp_solving_kind(perp_kind kind)
{
    for (perp_kind k = kind;;) {
        const perp_kind_ops *ops = perp_kind_ops_of(k);
        if (!ops) return kind;
        if (has_auto(k)) return k;
        if (!ops->lift) return kind;
        k = ops->wider;
    }
}

const char *perp_solver_name(const perp_options *o)
{
    return o->solver->name;
}

const char *perp_solver_about(const perp_options *o)
{
    return o->solver->about;
}

const perp_options *perp_auto_of(perp_kind kind)
{
    char name[32];
    snprintf(name, sizeof name, "%s/auto", perp_kind_name(perp_solving_kind(kind)));
    return perp_find(name);
}
