/* base/team.h: a few threads that work together, round by round.
 *
 * The caller is member 0. Who waits looks at a flag again and again, and yields when it takes long:
 * the rounds of a sweep are far shorter than a sleep. Where a thread cannot be had the caller works
 * alone. */
#ifndef PERP_BASE_TEAM_H
#define PERP_BASE_TEAM_H

#include "system.h"

#include <stdatomic.h>
#include <stdbool.h>

#define PERP_TEAM_MOST 64

/* One writer, whose other writes are seen by whoever has seen the value; alone in its line. */
typedef struct perp_flag {
    _Alignas(64) atomic_int value;
} perp_flag;

static inline void perp_flag_set(perp_flag *f, int value)
{
    atomic_store_explicit(&f->value, value, memory_order_release);
}

void perp_flag_wait(const perp_flag *f, int value);

typedef struct perp_team perp_team;
typedef void perp_team_work(void *ctx, perp_team *team, int member);

struct perp_team {
    int size; /* members, the caller included */
    perp_team_work *work;
    void *ctx;
    int round; /* written by the caller while the others wait for it */
    bool over;
    atomic_int next; /* numbers members as they start */
    perp_thread thread[PERP_TEAM_MOST];
    perp_flag begin, done[PERP_TEAM_MOST]; /* the round that is to be done, or that a member did */
};

/* At most `size` members that will do `work`. */
void perp_team_open(perp_team *t, int size, perp_team_work *work, void *ctx);
/* All members do the work once; returns when all have. */
void perp_team_go(perp_team *t);
void perp_team_close(perp_team *t);

#endif
