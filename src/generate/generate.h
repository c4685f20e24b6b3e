/* generate/generate.h: seeded problems for tests, benchmarks and the command; uses the API alone.
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
    double *y; /* a proof that nothing is feasible, likewise */
} generated;

typedef struct lcp_family {
    const char *name, *about;
    bool solvable;   /* every member has a solution */
    bool infeasible; /* no member has a feasible point */
    bool psd;        /* M is positive semidefinite: Lemke solves or proves infeasibility */
    bool definite;   /* M is a P-matrix: one solution, and PSOR's diagonal is positive */
    bool scaled;     /* entries of the size of 1; the others span many decades */
    bool sparse;
    int size;         /* unknowns where none are asked for; 0: 50, or 10000 when sparse */
    bool exponential; /* some solvers need 2^n steps */
    void (*make)(generator *g, perp_arena *a, generated *out); /* out->n is set, M and q are zero */
} lcp_family;

extern const lcp_family lcp_families[]; /* ends with a row whose name is NULL */

const lcp_family *lcp_family_find(const char *name); /* NULL: no such family */
/* False: out of memory. Some families change n a little (make it even, at least 2). */
bool lcp_generate(const lcp_family *family, int n, uint64_t seed, perp_arena *a, generated *out);
perp_problem lcp_generated_problem(const generated *g);

/* ---- scenes ---- */

/* Gravity pulls along -z, impacts have no restitution, dt is 0.01. With bodies at rest, as all but
 * `boxes` are, and with the impact law, every form has a solution. */
typedef struct scene_parameters {
    int size; /* >= 1; of what, the family says */
    uint64_t seed;
    double mu;    /* >= 0, of all contacts */
    double ratio; /* > 0; of masses: the heaviest to the lightest, about, or as the family says */
} scene_parameters;

struct scene;
typedef struct scene_family {
    const char *name, *about;
    const char *counts; /* what size counts */
    int size;           /* defaults */
    double mu;
    bool joints; /* forms without room for joints refuse it */
    void (*make)(int size, struct scene *s);
} scene_family;

extern const scene_family scene_families[]; /* ends with a row whose name is NULL */

const scene_family *scene_family_find(const char *name); /* NULL: no such family */
/* Bodies, contacts and joints in the arena. False: out of memory, or beyond what an int counts. */
bool scene_generate(const scene_family *family, const scene_parameters *r, perp_arena *a,
                    perp_rigid *out);

/* ---- any problem, by the name of its family ---- */

/* Copy generate_defaults, change a field. */
typedef struct generate_request {
    const char *family; /* of the list below */
    const char *form;   /* of a scene: see generate_entry; NULL: the first that fits */
    int size;           /* 0: the family's own */
    uint64_t seed;
    double mu;    /* of a scene; < 0: the family's own */
    double ratio; /* of a scene: of masses */
    int facets;   /* of the forms lcp_facets (even, >= 4) and mcp_facets (>= 3) */
} generate_request;
extern const generate_request generate_defaults;

typedef struct generated_problem {
    perp_problem p;
    const double *z;     /* a solution where the family knows one, else NULL */
    perp_status claim;   /* infeasible or unbounded where it knows that, */
    const double *proof; /* which perp_check accepts with this; else NULL */
} generated_problem;

typedef struct generate_entry {
    const char *name, *about;
    const char *counts; /* what size counts */
    const char *forms;  /* "lcp" or another kind; of a scene, all its forms */
    int size;           /* the default */
} generate_entry;

bool generate_list(int k, generate_entry *entry);            /* k = 0, 1, ..; false: no more */
bool generate_find(const char *name, generate_entry *entry); /* false: no such family */
/* Everything in the arena, which is as it was when the request is refused. error may be NULL. */
perp_status generate_problem(const generate_request *r, perp_arena *a, generated_problem *out,
                             perp_error *error);

/* ---- nearest points in motion space ---- */

/* Redon, Kheddar, Coquillart (2002), section 5.3: A = J' for a random Jacobian J of bodies times
 * per_body rows, each with six numbers for each of two bodies that may be the same, and b = k: the
 * motion nearest to k that J v <= 0 allows is b - A x. Sizes whose entries an int counts. */
void nnls_jacobian(generator *g, int bodies, int per_body, perp_arena *a, generated_problem *out);

#endif
