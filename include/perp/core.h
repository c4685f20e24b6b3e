/* perp/core.h: status, memory, options, result, and the calls.
 *
 * The library never prints, exits, aborts or touches a global; any number of solves may run in any
 * number of threads, each with its own arena.
 *
 * Threads of BLAS are the program's to set, and perp leaves them as they are: OpenBLAS takes one
 * for each core, which costs a dense solve of n = 400 three to four times the processor time, and a
 * hundred times the time where cores are busy. Call openblas_set_num_threads(1) first thing, or
 * start the program with OPENBLAS_NUM_THREADS=1 (docs/library.md). */
#ifndef PERP_CORE_H
#define PERP_CORE_H

#include <stdbool.h>
#include <stddef.h>

#define PERP_VERSION_MAJOR 0
#define PERP_VERSION_MINOR 1
#define PERP_VERSION_PATCH 0
#define PERP_VERSION "0.1.0"

#if defined(__GNUC__)
#define PERP_API __attribute__((visibility("default")))
#else
#define PERP_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

PERP_API const char *
perp_version(void); /* of the library that runs, as PERP_VERSION is of the header */

/* Counts and indices. 32 bits, as LAPACK, SuiteSparse's int interface and scipy.sparse (below 2^31
 * entries) have them, so that their arrays are read as they are; column pointers too. */
typedef int perp_index;

/* Growth. Programs stay binary compatible within a soversion: structs that callers allocate end in
 * `reserved` room, which is zero, and a new field takes its place with 0 for what was before. So
 * zero-initialise them ({0}), or begin with a function that makes one. Options know their size
 * instead. No data is exported, functions alone. */

/* ---- status ------------------------------------------------------------------------------- */

/* 0: solved and certified. > 0: honestly not solved; z is the best certified iterate and
 * result.residual says how good it is. < 0: the call was refused; result.detail says why.
 * A solver of an approximation (friction pyramids instead of cones) stops, and chooses its best
 * iterate, by the residual of the approximation, result.model_residual; it is `solved` by
 * result.residual alone, and `uncertified` where it has solved its approximation only. */
#define PERP_STATUSES(X)                                                                           \
    X(PERP_SOLVED, 0, "solved", "the certified residual is within the tolerance")                  \
    X(PERP_UNCERTIFIED, 1, "uncertified", "the solver finished, the certificate disagrees")        \
    X(PERP_MAX_ITER, 2, "max_iter", "the iteration limit was reached")                             \
    X(PERP_MAX_SECONDS, 3, "max_seconds", "the time limit was reached")                            \
    X(PERP_STALLED, 4, "stalled", "no further progress")                                           \
    X(PERP_RAY, 5, "ray", "pivoting ended on a ray; w holds it")                                   \
    X(PERP_INFEASIBLE, 6, "infeasible", "no feasible point exists; w holds the proof")             \
    X(PERP_UNBOUNDED, 7, "unbounded", "the objective has no lower bound; w holds a direction")     \
    X(PERP_CANCELLED, 8, "cancelled", "the monitor stopped the solve")                             \
    X(PERP_E_ARGUMENT, -1, "bad_argument", "an argument is missing or out of range")               \
    X(PERP_E_OPTION, -2, "bad_option", "an option is unknown or out of range")                     \
    X(PERP_E_FORMAT, -3, "bad_format", "the solver cannot read this problem or matrix format")     \
    X(PERP_E_NUMBER, -4, "bad_number", "NaN, Inf, or a number the method cannot work with")        \
    X(PERP_E_FILE, -5, "bad_file", "a file cannot be read, parsed or written")                     \
    X(PERP_E_MEMORY, -6, "no_memory", "the arena ran out of memory")

typedef enum perp_status {
#define PERP_X(name, value, word, text) name = value,
    PERP_STATUSES(PERP_X)
#undef PERP_X
} perp_status;

PERP_API const char *perp_status_name(perp_status status); /* one word, "max_iter" */
PERP_API const char *perp_status_text(perp_status status); /* one sentence */

/* Why a call was refused: what and where, in one sentence. */
typedef struct perp_error {
    perp_status status;
    int line; /* of a file, from 1; 0 where there is none */
    char text[160];
} perp_error;

/* ---- arena: the only thing in perp that allocates ------------------------------------------ */

/* Zero-initialise it, or give it a buffer with perp_arena_fixed. perp_solve leaves `used` as it
 * was, so a second identical solve allocates nothing. One arena serves one thread at a time.
 *
 * What is expensive to open for a problem (its matrices in other formats, bodies, a reduced W,
 * orders) is opened once a solve, whatever number of solvers use it. A growing arena keeps it for
 * later solves with the same matrices, whose values are compared by a hash: at most 32 objects of
 * at most 64 MiB together, beside `used`. New ones get the memory of those that four solves did not
 * need, so that a sequence of different problems allocates nothing in the end, and beyond the
 * limits that of the least recently used ones. A fixed arena keeps nothing between solves, so that
 * its peak is another one: perp_bytes tells how large its buffer has to be. */
typedef struct perp_arena {
    void *(*resize)(void *ctx, void *old, size_t size); /* NULL: realloc and free */
    void *ctx;
    size_t used, peak;    /* bytes now, and at most so far; perp_bytes has what a solve needs */
    unsigned allocations; /* blocks obtained by resize so far */
    unsigned solves;      /* begun so far */
    unsigned work[8];     /* conversions, orders, factorisations, ... so far: base/cache.h */
    bool fixed;           /* backed by the caller's buffer: never grows */
    bool failed;          /* sticky until released: allocate everything, then test once */
    /* perp's own */
    bool counting, starved; /* perp_bytes counts here; memory to do so was missing */
    struct perp_chunk *first, *current;
    struct perp_cached *cache;         /* what is kept between solves: symbolic factorisations */
    struct perp_opened *opened, *kept; /* what was opened: in the arena, and between solves */
    const struct perp_watch *watch;    /* who asks a factorisation to stop; NULL: nobody */
    float rates[2];                    /* of calls of libraries under a limit: base/watch.h */
    void *reserved[7 - 2 * sizeof(float) / sizeof(void *)];
} perp_arena;

typedef struct perp_mark {
    struct perp_chunk *chunk;
    size_t chunk_used, used;
} perp_mark;

/* The buffer need not be aligned; the caller keeps it. */
PERP_API void perp_arena_fixed(perp_arena *a, void *buffer, size_t size);
PERP_API void *perp_alloc(perp_arena *a, size_t count, size_t size); /* zeroed, 64-byte aligned */
PERP_API void *perp_alloc_unset(perp_arena *a, size_t count, size_t size); /* not zeroed */
/* In a run of perp_bytes: counts as if it were allocated. Anywhere else: nothing. */
PERP_API void perp_count(perp_arena *a, size_t count, size_t size);
PERP_API perp_mark perp_arena_mark(const perp_arena *a);
PERP_API void perp_arena_release(perp_arena *a, perp_mark mark);
PERP_API void perp_arena_free(perp_arena *a);

/* ---- options ------------------------------------------------------------------------------- */

typedef struct perp_progress {
    int iteration;
    double seconds;
    double estimate; /* the solver's own, INFINITY between vertices of a pivoting method */
    double residual; /* the best certified one, INFINITY before the first certificate */
    double merit;    /* what the method makes smaller, NAN: it does not say; |z - sweep(z)|^2 of
                        mcp/pgs and mcp/nncg */
    const char *solver;
} perp_progress;

/* First member of every solver's options. Begin with the defaults of a solver (solvers.h), change a
 * field, pass &o.base. A solve never writes to it. */
typedef struct perp_options {
    size_t size; /* bytes of the whole options in the caller's version of perp: fields beyond have
                    their defaults. 0: those that the solver's own version has */
    const struct perp_solver *solver;
    double tol;         /* certified residual to reach */
    int max_iter;       /* iterations, sweeps or pivots; of lcp/auto, mcp/auto and ncp/auto those of
                           the solvers tried in all, and as many sweeps where these solve nothing */
    double max_seconds; /* 0: no limit; overrun by at most one iteration and one certificate.
                           Opening, factorisations and large products are ended within. A call of
                           a library that cannot be (an order of elimination by AMD or COLAMD,
                           LAPACK's dpstrf) is made only if it is predicted to end in time. Time
                           in callbacks is the caller's */
    int threads;        /* for solvers that can use several; the bits do not depend on it */
    bool warm_start;    /* false: the numbers in z are not read, and the start is 0; true: z holds
                           the start, finite */
    bool (*monitor)(void *ctx, const perp_progress *progress); /* false cancels; may be NULL */
    void *monitor_ctx;
    void *reserved[6];
} perp_options;

typedef enum perp_option_type {
    PERP_OPTION_REAL,
    PERP_OPTION_INT,
    PERP_OPTION_BOOL,
    PERP_OPTION_ENUM
} perp_option_type;

/* One row of a solver's option table; the table ends with a row whose name is NULL. */
typedef struct perp_option {
    const char *name;
    perp_option_type type;
    size_t offset;
    double min, max;
    const char *choices; /* "cyclic|shuffled" for PERP_OPTION_ENUM, whose field is an enum */
    const char *help;
    const void *reserved[2];
} perp_option;

/* The options every solver has: tol, max_iter, max_seconds, threads, warm_start. */
PERP_API const perp_option *perp_common_options(void);

/* The defaults of that solver ("lcp/psor") in options of `size` bytes: all of their fields that
 * fit. The *_defaults() of solvers.h call it. PERP_E_OPTION: no solver has that name, and every
 * call refuses these options; PERP_E_ARGUMENT: o is NULL, or size is less than that of
 * perp_options. */
PERP_API perp_status perp_options_init(perp_options *o, size_t size, const char *solver);
/* A copy of what perp_find gives for that name ("lcp/psor"), in the arena. NULL: no memory. */
PERP_API perp_options *perp_options_new(perp_arena *a, const char *solver);
/* Set a field by name from text. Unknown names get a suggestion. error may be NULL. */
PERP_API perp_status perp_options_set(perp_options *o, const char *name, const char *value,
                                      perp_error *error);
PERP_API perp_status perp_options_check(const perp_options *o, perp_error *error);

/* ---- result -------------------------------------------------------------------------------- */

/* How residuals are defined: it changes with any of them. */
#define PERP_RESIDUAL_VERSION 2

/* The certificate, measured from the problem's data and z alone; problem.h gives the mathematics.
 * A z is solved if and only if value + bound <= tol. All INFINITY when nothing could be measured.
 */
typedef struct perp_residual {
    double value;    /* what tol is compared with: the largest of the parts */
    double bound;    /* proved: value is off by no more, by the rounding of its own sums. 0 where
                        what callbacks and operators return counts as exact; INFINITY: it was not
                        found, as value is above tol */
    double natural;  /* the field's own number: the scaled natural map */
    double units;    /* the same in the units of the slack, whatever those of z */
    double gap;      /* of a qp: what bounds the error of the objective, relative; else 0 */
    double omega;    /* z solves data that differ by it, relatively (Oettli and Prager) */
    double floor;    /* value that the rounding of z alone leaves; NAN, as omega: not found */
    double radius;   /* of a proof (perp_check): no solution is nearer to 0, in the 1-norm */
    double absolute; /* the natural map, unscaled */
    double primal;   /* worst violation of z's constraint */
    double dual;     /* worst violation of the slack's constraint */
    double
        complementarity; /* worst |z_i w_i|, |r . v| of a contact, or, in a box, min(gap, |w_i|) */
    double reserved[4];
} perp_residual;

typedef struct perp_result {
    perp_status status;
    perp_residual residual; /* of the returned z */
    double model_residual;  /* of the returned z on the approximation that the solver solves, scaled
                               as residual.value; NAN: it solves the problem itself */
    int iterations;
    int certificates; /* residuals measured on the way */
    double seconds;
    double objective;   /* x'Hx/2 + c'x of a qp, |A x - b|^2 / 2 of an nnls at the returned z; NAN:
                           the kind has none, or it was not measured */
    const char *solver; /* the one that found the returned z */
    char detail[160];   /* a sentence; never empty unless solved */
    double reserved[11];
} perp_result;

/* ---- the calls ----------------------------------------------------------------------------- */

struct perp_problem;

/* Solve. z and w are no part of the problem's data. z has length perp_size(p) and holds the best
 * certified iterate afterwards, finite whatever happens; where perp_validate refuses the problem z
 * and w are not touched, for their length is not known then. What z holds before is the start only
 * with o->warm_start; without it, and so with o == NULL, the solve starts at 0 and z is overwritten
 * unread. w is NULL or has the same length: the slack at z, or, when the status is ray, infeasible
 * or unbounded, the vector that perp_check accepts. o == NULL: the kind's auto. Returns
 * result->status. */
PERP_API perp_status perp_solve(const struct perp_problem *p, const perp_options *o, perp_arena *a,
                                double *z, double *w, perp_result *result);

/* The size of a buffer that suffices for this solve on a fixed arena (perp_arena_fixed): the same
 * problem with the same options, from any start. o == NULL: the kind's auto. It makes the solve up
 * to its first iteration in `scratch`, which is left as it was: one that grows, or a fixed one of
 * as many bytes again. So it costs passes over the data, an analysis of each sparse factor, and
 * some calls of F; what pivots counts as dense. The bound holds for the values as they are: others
 * of the same pattern may take another way. 0: refused, as perp_solve would, or `scratch` is too
 * small; SIZE_MAX: no buffer is large enough; error, which may be NULL, has the sentence. */
PERP_API size_t perp_bytes(const struct perp_problem *p, const perp_options *o, perp_arena *scratch,
                           perp_error *error);

/* Measure any z against the problem's data, whoever produced it, with the bound of the rounding.
 * PERP_SOLVED: it was measured. */
PERP_API perp_status perp_certify(const struct perp_problem *p, const double *z, perp_arena *a,
                                  perp_residual *residual);

/* Verify a vector w that claims `status` (ray, infeasible, unbounded). PERP_SOLVED: it proves it;
 * PERP_UNCERTIFIED: it does not. z is a feasible point, which unbounded needs beside the direction;
 * NULL: none is known.
 * Infeasible: residual->radius is R, proved: every solution has |z|_1 >= R. That counts as a proof
 * where only data changed in their last bits have a solution at all, whatever the units (proof.h):
 * residual->value is at most 1 then. problem.h has the vectors. */
PERP_API perp_status perp_check(const struct perp_problem *p, perp_status status, const double *w,
                                const double *z, perp_arena *a, perp_residual *residual);

/* How far z is from a solution z*, proved: all roundings are counted. */
typedef struct perp_distance_report {
    double norm;      /* |z - z*| is at most this; INFINITY: nothing is proved */
    double largest;   /* and every |z_i - z*_i| this */
    bool unique;      /* z* is the only solution; false: no other is near to it */
    const char *of;   /* "the solution", or "a solution, locally unique"; "": nothing is proved */
    const char *by;   /* the theorem: "H-matrix", "positive definite", "full rank", "Krawczyk" */
    char detail[160]; /* why nothing is proved, a sentence; "" otherwise */
    double reserved[8];
} perp_distance_report;

/* Bound the distance from any z to a solution, where theory does: an affine lcp, ncp or mcp without
 * bounds that follow, a qp, an nnls, and an fc3d in local form without friction. PERP_SOLVED: it is
 * proved; PERP_UNCERTIFIED: it is not, and out->detail says why; < 0: refused.
 *
 * There is one solution alone, and its distance is bounded, where M is an H-matrix with a positive
 * diagonal, or M + M' positive definite, or A of an nnls of full column rank, each by a margin
 * above rounding. Elsewhere the solution near z is bounded where it has no ties (a z_i at its bound
 * whose slack is 0) and the matrix of the unknowns between bounds is regular; it may be one of
 * many, but for monotone maps. One to six factorisations, dense ones of up to 2000 unknowns. */
PERP_API perp_status perp_distance(const struct perp_problem *p, const double *z, perp_arena *a,
                                   perp_distance_report *out);

/* Defaults of every built-in solver, NULL-terminated: for (k = 0; perp_solvers()[k]; k++). */
PERP_API const perp_options *const *perp_solvers(void);
/* Defaults of the solver of that name, "lcp/psor"; never NULL. For a name that no solver has these
 * are options that perp_solve and perp_step refuse, with the nearest name in their sentence. To ask
 * beforehand: if (perp_options_check(perp_find(name), &error)) puts(error.text); */
PERP_API const perp_options *perp_find(const char *name);
PERP_API const char *perp_solver_name(const perp_options *o);  /* "lcp/psor" */
PERP_API const char *perp_solver_about(const perp_options *o); /* the method, one line */

#ifdef __cplusplus
}
#endif
#endif
