/* tests/support/countdown.h: a watch that asks to stop after so many looks. */
#ifndef PERP_COUNTDOWN_H
#define PERP_COUNTDOWN_H

#include <stdbool.h>

/* A watch that asks to stop at its k-th look. */
typedef struct countdown {
    int looks, left;
} countdown;

static inline bool count_down(void *ctx)
{
    countdown *c = ctx;
    c->looks++;
    return c->looks > c->left;
}

#endif
