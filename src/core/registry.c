/* core/registry.c: the table of built-in solvers, from solvers.def. */
#include "internal.h"
#include "perp/solvers.h"

#include <string.h>

const perp_options *const perp_solvers[] = {
#define PERP_SOLVER(family, name, type) &perp_##family##_##name.base,
#include "perp/solvers.def"
#undef PERP_SOLVER
    NULL,
};

const perp_options *perp_find(const char *name)
{
    for (int i = 0; name && perp_solvers[i]; i++) {
        if (strcmp(perp_solvers[i]->solver->name, name) == 0) return perp_solvers[i];
    }
    return NULL;
}

const char *perp_solver_name(const perp_options *o)
{
    return o->solver->name;
}

const char *perp_solver_about(const perp_options *o)
{
    return o->solver->about;
}
