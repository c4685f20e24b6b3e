/* base/team.c: a few threads that work together, round by round. */
#include "team.h"

#define SPINS 4000 /* looks at a flag before others get the processor */

void perp_flag_wait(const perp_flag *f, int value)
{
    for (int k = 0; atomic_load_explicit(&f->value, memory_order_acquire) != value; k++) {
        if (k < SPINS) continue;
        perp_thread_yield();
        k = 0;
    }
}

static void *serve(void *team)
{
    perp_team *t = team;
    int member = atomic_fetch_add(&t->next, 1);
    for (int round = 1;; round++) {
        perp_flag_wait(&t->begin, round);
        if (t->over) return NULL;
        t->work(t->ctx, t, member);
        perp_flag_set(&t->done[member], round);
    }
}

static void send_home(perp_team *t, int threads)
{
    t->over = true;
    perp_flag_set(&t->begin, t->round + 1);
    for (int k = 0; k < threads; k++) perp_thread_join(&t->thread[k]);
    t->over = false;
    t->size = 1;
}

void perp_team_open(perp_team *t, int size, perp_team_work *work, void *ctx)
{
    int threads = 0;
    size = size < 1 ? 1 : size > PERP_TEAM_MOST ? PERP_TEAM_MOST : size;
    t->size = size;
    t->work = work;
    t->ctx = ctx;
    t->round = 0;
    t->over = false;
    atomic_init(&t->next, 1);
    atomic_init(&t->begin.value, 0);
    for (int k = 0; k < size; k++) atomic_init(&t->done[k].value, 0);
    while (threads < size - 1 && perp_thread_start(&t->thread[threads], serve, t)) threads++;
    if (threads < size - 1) send_home(t, threads); /* too few */
}

void perp_team_go(perp_team *t)
{
    t->round++;
    if (t->size > 1) perp_flag_set(&t->begin, t->round);
    t->work(t->ctx, t, 0);
    for (int k = 1; k < t->size; k++) perp_flag_wait(&t->done[k], t->round);
}

void perp_team_close(perp_team *t)
{
    if (t->size > 1) send_home(t, t->size - 1);
}
