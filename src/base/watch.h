/* base/watch.h: who asks long computations to stop.
 *
 * The driver puts a watch into the arena (core/solve.c); what takes long below it, a factorisation,
 * counts its multiplications and looks at the watch after some of them. So nothing between the two
 * has to hand it down, and whoever has no watch runs to the end. */
#ifndef PERP_BASE_WATCH_H
#define PERP_BASE_WATCH_H

#include "perp/core.h"

#define PERP_STOPPED (-2) /* what a factorisation returns that was asked to stop */

/* Multiplications between two looks, a millisecond or less: a look takes some 50 ns, a clock. */
#define PERP_WATCH_INTERVAL 1e6

typedef struct perp_watch {
    bool (*stop)(void *ctx); /* true from the first time on that it is */
    void *ctx;
} perp_watch;

/* What was done since the last look. */
typedef struct perp_watched {
    const perp_watch *watch;
    double since;
    bool stopped;
} perp_watched;

static inline perp_watched perp_watch_begin(const perp_arena *a)
{
    return (perp_watched){.watch = a->watch};
}

/* Between the parts of something long: true: stop. */
static inline bool perp_watch_stops(const perp_arena *a)
{
    return a->watch && a->watch->stop(a->watch->ctx);
}

/* So many multiplications were done. True: stop. */
static inline bool perp_watch_spent(perp_watched *w, double multiplications)
{
    w->since += multiplications;
    if (w->since < PERP_WATCH_INTERVAL || !w->watch || w->stopped) return w->stopped;
    w->since = 0;
    return w->stopped = w->watch->stop(w->watch->ctx);
}

#endif
