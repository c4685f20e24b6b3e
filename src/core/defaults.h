/* core/defaults.h: the defaults of every built-in solver as const objects, one per row of
 * solvers.def: perp_lcp_psor and so on. Plans and nested solves name them; outside the library they
 * are reached by functions alone (solvers.h), so that options may grow. */
#ifndef PERP_CORE_DEFAULTS_H
#define PERP_CORE_DEFAULTS_H

#include "perp/solvers.h"

#define PERP_SOLVER(kind, name) extern const perp_##kind##_##name##_options perp_##kind##_##name;
#include "perp/solvers.def"
#undef PERP_SOLVER

#endif
