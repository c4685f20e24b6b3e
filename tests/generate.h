/* tests/generate.h: seeded LCP families for tests and benchmarks.
 *
 * The same name, n and seed give the same numbers on every machine, up to the rounding of sums. */
#ifndef PERP_GENERATE_H
#define PERP_GENERATE_H

#include "perp/perp.h"

#include <stdint.h>

/* xorshift64* */
typedef struct generator {
    uint64_t state;
} generator;

generator generator_start(uint64_t seed);
double generator_unit(generator *g);               /* uniform in [0, 1) */
double generator_uniform(generator *g);            /* uniform in [-1, 1) */
int generator_below(generator *g, int n);          /* 0 .. n - 1 */
int generator_between(generator *g, int a, int b); /* a .. b */

/* Memory is the arena's. Dense families fill M, sparse ones p, i, x and leave M NULL. */
typedef struct generated {
    int n;
    double *M, *q; /* M column-major, ld = n */
    int *p, *i;    /* CSC */
    double *x;
    double *z; /* a solution where the family knows one, else NULL */
} generated;

typedef struct lcp_family {
    const char *name;
    bool solvable;   /* every member has a solution */
    bool infeasible; /* no member has a feasible point */
    bool psd;        /* M is positive semidefinite: Lemke solves or proves infeasibility */
    bool definite;   /* M is a P-matrix: one solution, and PSOR's diagonal is positive */
    bool scaled;     /* entries of the size of 1; the others span many decades */
    bool sparse;
    void (*make)(generator *g, perp_arena *a, generated *out); /* out->n is set, M and q are zero */
} lcp_family;

extern const lcp_family lcp_families[]; /* ends with a row whose name is NULL */

const lcp_family *lcp_family_find(const char *name); /* NULL: no such family */
/* False: out of memory. Some families change n a little (make it even, at least 2). */
bool lcp_generate(const lcp_family *family, int n, uint64_t seed, perp_arena *a, generated *out);
perp_problem lcp_generated_problem(const generated *g);

#endif
