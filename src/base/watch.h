/* base/watch.h: who asks long computations to stop.
 *
 * The driver puts a watch into the arena (core/solve.c); what takes long below it, a factorisation,
 * counts its multiplications and looks at the watch after some of them. So nothing between the two
 * has to hand it down, and whoever has no watch runs to the end.
 *
 * A call of a library that looks at nothing is announced, and made only if it is predicted to end
 * before the limit: by what it has to do, and by a rate that the arena keeps from earlier calls.
 * Without a watch no decision depends on a clock, and all calls are made. */
#ifndef PERP_BASE_WATCH_H
#define PERP_BASE_WATCH_H

#include "perp/core.h"

#define PERP_STOPPED (-2) /* what a factorisation returns that was asked to stop */

/* Multiplications between two looks, a millisecond or less: a look takes some 50 ns, a clock. */
#define PERP_WATCH_INTERVAL 1e6

/* What calls of libraries are made of, perp_arena.rates in this order. */
typedef enum perp_rate {
    PERP_RATE_ORDER,  /* entries, both triangles, for an order of elimination */
    PERP_RATE_FACTOR, /* multiplications of a factorisation */
} perp_rate;

/* A call of a library that cannot be ended within. */
typedef struct perp_call {
    const char *name;
    perp_rate rate;
    double units;
    double begin, seconds; /* set by the calls below: predicted, then what it took */
    bool refused;          /* predicted to take longer than is left */
} perp_call;

typedef struct perp_watch {
    bool (*stop)(void *ctx); /* true from the first time on that it is */
    void *ctx;
    /* These three may be NULL: then all calls are made. */
    double (*left)(void *ctx); /* seconds; INFINITY: no limit */
    void (*report)(void *ctx, const perp_call *call);
    float *rates; /* units a second of each perp_rate; 0: not known yet */
} perp_watch;

/* Seconds that a call is predicted to take, under a watch that has rates. */
double perp_call_predict(const perp_watch *w, const perp_call *call);
/* False: the watch asked to stop, or the call would take longer than is left, after which it does.
 */
bool perp_call_begin(const perp_watch *w, perp_call *call);
void perp_call_end(const perp_watch *w, perp_call *call);

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
static inline bool perp_watch_asks(const perp_watch *w)
{
    return w && w->stop(w->ctx);
}

static inline bool perp_watch_stops(const perp_arena *a)
{
    return perp_watch_asks(a->watch);
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
