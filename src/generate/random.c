/* generate/random.c: the random numbers behind every family, xorshift64* (Vigna, An experimental
 * exploration of Marsaglia's xorshift generators, scrambled, 2016): integer arithmetic alone, hence
 * the same numbers on every machine. */
#include "generate.h"

generator generator_start(uint64_t seed)
{
    return (generator){seed * UINT64_C(0x9E3779B97F4A7C15) + 1};
}

static uint64_t next(generator *g)
{
    g->state ^= g->state >> 12;
    g->state ^= g->state << 25;
    g->state ^= g->state >> 27;
    return g->state * UINT64_C(2685821657736338717);
}

double generator_unit(generator *g)
{
    return (double)(next(g) >> 11) * 0x1p-53;
}

double generator_uniform(generator *g)
{
    return 2 * generator_unit(g) - 1;
}

int generator_below(generator *g, int n)
{
    return (int)(generator_unit(g) * n);
}

int generator_between(generator *g, int a, int b)
{
    return a + generator_below(g, b - a + 1);
}
