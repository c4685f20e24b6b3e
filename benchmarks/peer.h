/* peer.h: a solver of another library, as the benchmark sees it. */
#ifndef PERP_BENCH_PEER_H
#define PERP_BENCH_PEER_H

typedef struct peer {
    const char *name;
    /* A dense LCP, M column-major with ld = n, copied into the library's own form; NULL: no memory.
     */
    void *(*open)(int n, const double *M, const double *q);
    /* What is timed. z starts anywhere. 0: the library says solved. */
    int (*solve)(void *state, double *z, int *iterations);
    void (*close)(void *state);
} peer;

extern const peer siconos_lemke; /* peer_siconos.c */

#endif
