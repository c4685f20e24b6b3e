/* perp/solver.h: what a solver author needs; users of solvers do not. */
#ifndef PERP_SOLVER_H
#define PERP_SOLVER_H

#include "perp/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One call to perp_solve, as a solver sees it. */
typedef struct perp_run {
    const perp_problem *problem; /* validated, of the solver's kind, in formats it reads */
    const perp_options *options; /* cast to the solver's own type */
    perp_arena *arena;           /* released when the solver returns */
    perp_status status;          /* why perp_continue said stop */
    double merit;                /* for progress.merit: set it before perp_continue; NAN: none */
    double *proof; /* set it, length perp_size, before returning ray, infeasible, unbounded */
    struct perp_driver *driver; /* the driver's own */
} perp_run;

/* What a solver can read beyond the plain problem (affine, own bounds, local form), and what it
 * does. */
enum perp_solver_flags {
    PERP_SOLVER_READS_CALLBACK = 1,     /* maps by callback */
    PERP_SOLVER_READS_FOLLOWS = 2,      /* bounds that follow another unknown */
    PERP_SOLVER_READS_BODY = 4,         /* fc3d in body form */
    PERP_SOLVER_ONLY_BODY = 8,          /* and only that */
    PERP_SOLVER_ALLOCATES = 16,         /* allocates behind the arena; refused on a fixed one */
    PERP_SOLVER_CHEAP_CERTIFICATE = 32, /* an iteration costs ten products or more: certify each */
    PERP_SOLVER_MAY_ALLOCATE =
        64, /* factors sparse matrices: with the build option gpl SuiteSparse allocates for them,
               unless the arena is fixed; without it nobody does */
    PERP_SOLVER_PATIENT =
        128, /* the error may rise for long before it falls: stalls are found late */
};

typedef struct perp_solver {
    const char *name;  /* "lcp/psor" */
    const char *about; /* one line with the reference */
    perp_kind kind;
    unsigned formats[2]; /* perp_format bits for M, W or H, A of nnls; and for A of qp, H and G of
                            fc3d */
    unsigned flags;
    size_t options_size;
    const perp_option *options; /* own table, ends with {0}; NULL: none */
    perp_status (*solve)(perp_run *run, double *z);
    /* Does it solve an approximation of the problem with these options? Then it calls
     * perp_approximate; and it is also run from a start that solves the problem itself. NULL:
     * never.
     */
    bool (*approximates)(const perp_options *o);
    /* Counts on run->arena what `solve` allocates after its first perp_continue, at most:
     * perp_bytes has run it up to there, and nothing was released since. Here perp_count counts
     * bytes that nobody writes to, functions that open something may be called for what they
     * allocate, and perp_nested counts the solve of a subproblem; alternatives are counted between
     * a mark and its release. perp_room_none: nothing. Every solver has one. */
    void (*room)(perp_run *run);
    /* Is it, with these options, run from a start that solves the problem too? NULL: never, or as
     * `approximates` says. */
    bool (*runs_from_solution)(const perp_options *o);
    /* Writes a solution of a small problem to z, in memory of the stack and without a question to
     * perp_continue, and returns the iterations that it took; 0: it has none, and `solve` is asked.
     * Only where it starts from 0 and nobody watches it; the z that it writes is certified, and
     * solve is asked too where that fails. NULL: never. */
    int (*at_once)(const perp_run *run, double *z);
    const void *reserved[1];
} perp_solver;

/* What a solver solves instead of the problem that it was given. */
typedef struct perp_model {
    const char *name;  /* "pyramids of 8 edges" */
    const char *exact; /* what it stands for, "the exact cone" */
    /* The residual of z there; w is the slack of the given problem at z, and `scale` divides the
     * parts of its residual. */
    double (*measure)(const void *ctx, const double scale[3], const double *z, const double *w);
    const void *ctx;
    const void *reserved[2];
} perp_model;

/* Call once per iteration and loop while true. Owns every stop test: iterations, time, monitor,
 * stall, and the certificate once the cheap estimate of the scaled residual says "done". z is NULL
 * where the iterate is not one (between vertices of a pivoting method); pass estimate INFINITY
 * there. */
PERP_API bool perp_continue(perp_run *run, const double *z, double estimate);

/* From here on stop tests and the choice of the best iterate follow the model, and estimates are of
 * its residual; the status and result.residual follow the certificate as ever. Call it before
 * perp_continue; model and ctx have to lie in the run's arena. True: the start solves the model to
 * the tolerance. Where a nested solve shares its parent's problem, the parent's rule chooses the
 * best iterate. */
PERP_API bool perp_approximate(perp_run *run, const perp_model *model);

/* Solve a subproblem inside a solve: deadline, monitor and iterations left are the parent's. When
 * the problem is run->problem itself, certified iterates count for the parent too. result may be
 * NULL. */
PERP_API perp_status perp_nested(perp_run *run, const perp_problem *p, const perp_options *o,
                                 double *z, perp_result *result);

/* The `room` of a solver that allocates everything before it first calls perp_continue. */
PERP_API void perp_room_none(perp_run *run);

/* Iterations the run may still make. */
PERP_API int perp_budget(const perp_run *run);

/* |q| or its like: divide an absolute estimate by it. Measured once per solve. 1 where F is a
 * callback, whose residual has another scale at every z. */
PERP_API double perp_scale(const perp_run *run);

#if defined(__GNUC__)
#define PERP_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define PERP_PRINTF(f, a)
#endif

/* Does y, tidied in place, prove the claim for the solver's problem? PERP_SOLVED: it does; of a
 * direction of unbounded descent as far as it goes without a feasible point. */
PERP_API perp_status perp_prove(perp_run *run, perp_status claim, double *y);
/* End with a status and one sentence: return perp_fail(run, PERP_E_NUMBER, "M[%d][%d] = %g ...",
 * ...) */
PERP_API perp_status perp_fail(perp_run *run, perp_status status, const char *format, ...)
    PERP_PRINTF(3, 4);

#define PERP_ALLOC(run, type, count)                                                               \
    ((type *)perp_alloc((run)->arena, (size_t)(count), sizeof(type)))

#ifndef __cplusplus
/* Rows of an option table; the type of a plain one follows from its field. */
#define PERP_OPTION(S, field, lo, hi, text)                                                        \
    {                                                                                              \
        .name = #field, .offset = offsetof(S, field), .min = lo, .max = hi, .help = text,          \
        .type = _Generic(((S *)0)->field, double                                                   \
                         : PERP_OPTION_REAL, int                                                   \
                         : PERP_OPTION_INT, bool                                                   \
                         : PERP_OPTION_BOOL)                                                       \
    }
#define PERP_OPTION_CHOICE(S, field, names, text)                                                  \
    {                                                                                              \
        .name = #field, .offset = offsetof(S, field), .choices = names, .help = text,              \
        .type = PERP_OPTION_ENUM                                                                   \
    }
#endif

#ifdef __cplusplus
}
#endif
#endif
