/* core/telling.h: which end of several solvers is worth reporting. */
#ifndef PERP_TELLING_H
#define PERP_TELLING_H

#include "perp/core.h"

#define PERP_TELLS_ALL 4 /* solved, proved, or stopped by the caller */

/* An end with a proof tells most, a refusal least but for a want of memory, which hides what might
 * have been. */
static inline int perp_telling(perp_status s)
{
    switch (s) {
    case PERP_RAY: return 3;
    case PERP_E_MEMORY: return 2;
    case PERP_STALLED:
    case PERP_MAX_ITER:
    case PERP_UNCERTIFIED: return 1;
    default: return s < 0 ? 0 : PERP_TELLS_ALL;
    }
}

#endif
