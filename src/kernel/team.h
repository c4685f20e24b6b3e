/* kernel/team.h: a few threads that do the same work together, step by step.
 *
 * The caller is member 0. Members wait by spinning, and yield when it takes long: the steps of a
 * sweep are far shorter than a sleep. Where a thread cannot be had the caller works alone. */
#ifndef PERP_KERNEL_TEAM_H
#define PERP_KERNEL_TEAM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define PERP_TEAM_MOST 64

typedef struct perp_team perp_team;
typedef void perp_team_work(void *ctx, perp_team *team, int member);

struct perp_team {
    int size; /* members, the caller included */
    perp_team_work *work;
    void *ctx;
    atomic_int arrived, round, next; /* of the barrier; numbers members as they start */
    bool over;
    pthread_t thread[PERP_TEAM_MOST];
};

/* At most `size` members that will do `work`. */
void perp_team_open(perp_team *t, int size, perp_team_work *work, void *ctx);
/* All members do the work once; returns when all have. */
void perp_team_go(perp_team *t);
/* Called by each member within the work: nobody passes before all have come. */
void perp_team_meet(perp_team *t);
void perp_team_close(perp_team *t);

/* The part of [first, last) that a member does. */
static inline void perp_team_share(const perp_team *t, int member, int first, int last, int *from,
                                   int *to)
{
    long long count = last - first;
    *from = first + (int)(count * member / t->size);
    *to = first + (int)(count * (member + 1) / t->size);
}

#endif
