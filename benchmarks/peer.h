/* peer.h: a solver of another library, as the benchmark sees it. Read by C and C++. */
#ifndef PERP_BENCH_PEER_H
#define PERP_BENCH_PEER_H

#include "perp/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct peer {
    const char *name;  /* "library/solver" */
    int choice;        /* of a solver among those of the file */
    perp_format reads; /* PERP_FORMAT_DENSE, column-major with ld = n, PERP_FORMAT_CSC or
                          PERP_FORMAT_BSR3 */
    bool yardstick;    /* solves something else, for its time alone: its z is not judged */
    /* Copies the problem into the library's own form; NULL: no memory. tol is on the library's own
     * scale. */
    void *(*open)(const struct peer *self, const perp_problem *p, double tol);
    /* Not timed, before each solve: restores data that a solve destroys. NULL: nothing to do. */
    void (*ready)(void *state);
    /* What is timed. z starts anywhere. 0: the library says solved. */
    int (*solve)(void *state, double *z, int *iterations);
    void (*close)(void *state);
    perp_kind kind; /* LCP, MCP, or in local form FC3D or CONE */
} peer;

/* Each ends with a row whose name is NULL. */
extern const peer siconos_peers[];         /* peer_siconos.c */
extern const peer siconos_fc3d_peers[];    /* peer_siconos_fc3d.c */
extern const peer siconos_mcp_peers[];     /* peer_siconos_mcp.c; z is the start */
extern const peer siconos_rolling_peers[]; /* peer_siconos_rolling.c */
extern const peer bullet_peers[];          /* peer_bullet.cpp */
extern const peer ode_peers[];             /* peer_ode.cpp */
extern const peer cholmod_peers[];         /* peer_cholmod.c */

#ifdef __cplusplus
}
#endif
#endif
