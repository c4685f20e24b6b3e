/* core/outcome.h: which end of several solvers is worth reporting. */
#ifndef PERP_CORE_OUTCOME_H
#define PERP_CORE_OUTCOME_H

#include "perp/core.h"

#define PERP_RANK_FINAL 4 /* solved, proved, or stopped by the caller */

/* An end with a proof tells most, a refusal least but for a want of memory, which hides what might
 * have been. */
static inline int perp_status_rank(perp_status s)
{
    switch (s) {
    case PERP_RAY: return 3;
    case PERP_E_MEMORY: return 2;
    case PERP_STALLED:
    case PERP_MAX_ITER:
    case PERP_UNCERTIFIED: return 1;
    default: return s < 0 ? 0 : PERP_RANK_FINAL;
    }
}

#endif
