/* kernel/team.c: a few threads that do the same work together, step by step.
 *
 * The barrier counts arrivals; the last one resets the count and turns the round, which the others
 * wait for. A size never grows once threads run. */
#include "team.h"

#include <sched.h>

#define SPINS 4000 /* looks at the round before others get the processor */

void perp_team_meet(perp_team *t)
{
    if (t->size == 1) return;
    int round = atomic_load_explicit(&t->round, memory_order_relaxed);
    if (atomic_fetch_add(&t->arrived, 1) == t->size - 1) {
        atomic_store_explicit(&t->arrived, 0, memory_order_relaxed);
        atomic_store_explicit(&t->round, round + 1, memory_order_release);
        return;
    }
    for (int k = 0; atomic_load_explicit(&t->round, memory_order_acquire) == round; k++) {
        if (k < SPINS) continue;
        sched_yield();
        k = 0;
    }
}

static void *serve(void *team)
{
    perp_team *t = team;
    int member = atomic_fetch_add(&t->next, 1);
    for (;;) {
        perp_team_meet(t);
        if (t->over) return NULL;
        t->work(t->ctx, t, member);
        perp_team_meet(t);
    }
}

/* Nobody may pass the first barrier before the size is known: the threads start on a size that
 * they cannot complete. */
void perp_team_open(perp_team *t, int size, perp_team_work *work, void *ctx)
{
    int threads = 0;
    size = size < 1 ? 1 : size > PERP_TEAM_MOST ? PERP_TEAM_MOST : size;
    t->size = size;
    t->work = work;
    t->ctx = ctx;
    t->over = false;
    atomic_init(&t->arrived, 0);
    atomic_init(&t->round, 0);
    atomic_init(&t->next, 1);
    while (threads < size - 1 && pthread_create(&t->thread[threads], NULL, serve, t) == 0) {
        threads++;
    }
    if (threads == size - 1) return;
    t->over = true; /* too few: send them home and work alone */
    for (int k = threads; k < size - 1; k++) atomic_fetch_add(&t->arrived, 1);
    perp_team_meet(t);
    for (int k = 0; k < threads; k++) pthread_join(t->thread[k], NULL);
    t->size = 1;
    t->over = false;
}

void perp_team_go(perp_team *t)
{
    perp_team_meet(t);
    t->work(t->ctx, t, 0);
    perp_team_meet(t);
}

void perp_team_close(perp_team *t)
{
    if (t->size == 1) return;
    t->over = true;
    perp_team_meet(t);
    for (int k = 0; k < t->size - 1; k++) pthread_join(t->thread[k], NULL);
    t->size = 1;
}
