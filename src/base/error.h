/* base/error.h: refusals in one sentence. */
#ifndef PERP_BASE_ERROR_H
#define PERP_BASE_ERROR_H

#include "perp/solver.h"

/* Fill e (may be NULL) and return the status. */
perp_status perp_refuse(perp_error *e, perp_status status, const char *format, ...)
    PERP_PRINTF(3, 4);

/* Write `more` at text[at], as much as `room` bytes hold, and return where it ends: sentences that
 * are put together on the way to success, which formatting would make dear. */
size_t perp_append(char *text, size_t room, size_t at, const char *more);

#endif
