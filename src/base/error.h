/* base/error.h: refusals in one sentence. */
#ifndef PERP_BASE_ERROR_H
#define PERP_BASE_ERROR_H

#include "perp/solver.h"

/* Fill e (may be NULL) and return the status. */
perp_status perp_refuse(perp_error *e, perp_status status, const char *format, ...)
    PERP_PRINTF(3, 4);

#endif
