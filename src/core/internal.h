/* core/internal.h: what src/core offers to the folders above it and the API does not show. */
#ifndef PERP_CORE_INTERNAL_H
#define PERP_CORE_INTERNAL_H

#include "base/convert.h"
#include "base/error.h"
#include "base/number.h"
#include "base/view.h"
#include "fields.h"
#include "perp/solver.h"

#include <float.h>
#include <math.h>

/* ---- options (options.c) ---- */

/* Levenshtein's distance of two names, for suggestions; case does not count. INT_MAX: b has more
 * than 64 letters. */
int perp_name_distance(const char *a, const char *b);

/* A copy in the arena of checked options with all fields that their solver has: those that the
 * caller's version of perp did not know have their defaults. NULL: no memory. */
perp_options *perp_options_copy(perp_arena *a, const perp_options *o);

/* ---- the registry (registry.c) ---- */

/* The nearest name where s is what perp_find gives for a name that no solver has, "" where it was
 * given NULL; NULL: s is none of these. */
const char *perp_unknown_nearest(const perp_solver *s);
/* The kind whose solvers are meant by a name without a kind, "auto": its own where it has an auto,
 * otherwise that of the nearest wider kind that has one. */
perp_kind perp_solving_kind(perp_kind kind);
/* Its defaults. */
const perp_options *perp_auto_of(perp_kind kind);

/* ---- solves inside solves (solve.c) ---- */

/* perp_nested, and where it ends with a ray or a proof that, too, in proof, of the size of p. */
perp_status perp_nested_proof(perp_run *run, const perp_problem *p, const perp_options *o,
                              double *z, double *proof, perp_result *result);
/* perp_nested of run->problem with as many iterations as the run may make in all, beside those that
 * it makes otherwise: the run counts the larger of the two numbers (anytime.h). Not `judged`: no
 * iterate is certified, the monitor is not told, the run's best stays what it is, z is the last
 * iterate and result->residual.value the solver's lowest estimate. */
perp_status perp_nested_beside(perp_run *run, const perp_options *o, bool judged, double *z,
                               perp_result *result);

/* ---- counting memory (bytes.c) ---- */

/* Is this a run of perp_bytes, which ends before the first iteration? Then an opening that costs
 * more than a pass over the data may leave out its numbers. */
bool perp_is_sizing(const perp_run *run);
/* For the `room` of a solver that ends `unbounded`: the search of a feasible point then. */
void perp_room_unbounded(perp_run *run);

/* ---- where more is not to be had (progress.c) ---- */

/* Is the best iterate so far held up by the rounding of z, which leaves more than tol there? To ask
 * costs a certificate in pairs of numbers: for a solver that gets no further and could begin anew,
 * and for a plan whose next solver would be expensive. The run's end names it. */
bool perp_at_floor(perp_run *run);
/* The same, and as good as the rounding of z allows: the run may end. */
bool perp_below_floor(perp_run *run);

/* ---- claims of solvers (claim.c) ---- */

/* What a run that returned ray, infeasible or unbounded is worth: its claim where its vector proves
 * it, for unbounded with a feasible point, which becomes the best iterate; infeasible where there
 * is none; otherwise uncertified, with a sentence. */
perp_status perp_claim_check(perp_run *run);

/* ---- kinds (kinds.c, kind_*.c): one const table each ---- */

struct perp_lift;
struct perp_distance_map;

typedef struct perp_scales {
    double s[3];        /* divisors of the residual's parts, s[0] the main one; NAN: no memory */
    const double *unit; /* what an unknown is multiplied with to have the slack's units, perp_size
                           numbers in the arena; NULL: 1 */
    struct perp_callback *callback;     /* in place of all these, where F is one (callback.h) */
    const struct perp_cone_set *blocks; /* of a cone (method/cone_set.h) */
    double *scratch;                    /* of a cone, while it is measured: 3 n numbers */
} perp_scales;

typedef struct perp_kind_ops {
    /* Its data (fields.h). */
    const perp_kind_size *sizes;
    const perp_field *fields;
    size_t form; /* offset of the enum that says which of `forms` a problem has; 0: no forms */
    const char *const *forms; /* in the order of that enum, up to NULL */
    size_t map;               /* offset of its perp_map; 0: it has none */

    int (*size)(const perp_problem *p); /* -1: sizes make no sense */
    perp_status (*validate)(const perp_problem *p, perp_error *e);
    /* What residuals are divided by, from the data alone. */
    void (*scale)(const perp_problem *p, perp_arena *a, perp_scales *s);
    /* Slack w and residual at z; where its value is at most tol, and for tol < 0 always, with the
     * bound of its rounding, otherwise with bound = INFINITY (sums.h). PERP_E_NUMBER: F is
     * undefined there. */
    perp_status (*measure)(const perp_problem *p, const perp_scales *s, const double *z, double *w,
                           double tol, perp_arena *a, perp_residual *r);
    /* What a solution minimises, at z; NAN where there is no memory. NULL: nothing. */
    double (*objective)(const perp_problem *p, const double *z, perp_arena *a);
    bool least_squares; /* the objective is half the square of a distance */
    /* Does y prove the ray, infeasible or unbounded that is claimed, for all that could be
     * certified at tol? z is NULL or a feasible point beside it. NULL: no proof is defined. */
    perp_status (*check)(const perp_problem *p, perp_status status, const double *y,
                         const double *z, double tol, perp_arena *a, perp_residual *r);
    /* Counts what `check` of unbounded may allocate, for any y (perp_count). NULL: what it does for
     * y = 0. */
    void (*check_room)(const perp_problem *p, perp_arena *a);
    /* Sets the entries of y to 0 that have a sign which a proof may not have. NULL: it has none. */
    void (*tidy)(const perp_problem *p, double *y);
    /* The problem of finding a feasible point, which a claim of unbounded needs. False: no memory.
     * NULL: nothing is unbounded. */
    bool (*feasibility)(const perp_problem *p, perp_arena *a, perp_problem *out);
    /* Can it be seen at once that no point is feasible? Then y proves it, and e says why. NULL:
     * never. */
    bool (*refute)(const perp_problem *p, double *y, perp_error *e);
    /* Is F undefined at the start z, brought within the bounds? Then e says how. The arena is as it
     * was; without memory the answer is no. NULL: never. */
    bool (*undefined)(const perp_problem *p, const double *z, perp_arena *a, perp_error *e);
    /* Does a solver of this kind read this problem, by its flags? NULL: every one does. */
    perp_status (*suits)(const perp_problem *p, const perp_solver *s, perp_error *e);
    /* The affine map over a box that p is, in the arena, for proved distances (distance.h).
     * PERP_UNCERTIFIED: it is none, and e says why. NULL: that of the wider kind. */
    perp_status (*box_map)(const perp_problem *p, perp_arena *a, struct perp_distance_map *map,
                           perp_error *e);
    /* Restate p as one of the kind `wider`, exactly (lift.c). NULL: there is no wider one. */
    perp_status (*lift)(const perp_problem *p, perp_arena *a, struct perp_lift *lift,
                        perp_error *e);
    perp_kind wider;
    /* Restate lift->problem, of this kind, in a form that the solver reads, exactly; where z
     * changes it sets up, down and ctx as lift() does. NULL: every solver reads every form. */
    perp_status (*settle)(const perp_solver *s, perp_arena *a, struct perp_lift *lift,
                          perp_error *e);
} perp_kind_ops;

const perp_kind_ops *perp_kind_ops_of(perp_kind kind); /* NULL: no such kind */

/* "lcp, ncp or qp": all kinds, the last after `word`. Returns text. */
const char *perp_kind_list(const char *word, char *text, size_t room);

/* A copy whose absent matrices have their sizes, and whose vectors without entries are not NULL;
 * call it on validated problems. */
perp_problem perp_complete(const perp_problem *p);
void perp_complete_own(perp_problem *p); /* in place */
/* Matrices that are stored by rows (dense_rows, csr) by columns instead, in the arena: nobody after
 * this has to know of rows. p is validated. */
perp_status perp_by_columns(perp_problem *p, perp_arena *a, perp_error *e);

/* For measure(): NaN is worse than everything and stays. */
static inline double perp_worst(double a, double b)
{
    return b > a || b != b ? b : a;
}
extern const perp_residual perp_unmeasured; /* all INFINITY */

/* Refuses a problem that is not valid, and a z that is missing or not finite. */
perp_status perp_accept_vector(const perp_problem *p, const double *z, const perp_arena *a);

/* perp_check for what could be certified at tol. */
perp_status perp_check_at(const perp_problem *p, perp_status status, const double *w,
                          const double *z, double tol, perp_arena *a, perp_residual *residual);

/* The value, with its bound where that was found: what is compared with a tolerance. */
static inline double perp_judged(const perp_residual *r)
{
    return r->bound < INFINITY ? r->value + r->bound : r->value;
}

/* A bound that was asked for and is no number counts against z. */
static inline void perp_keep_bound(perp_residual *r)
{
    if (!(r->bound < INFINITY)) r->bound = DBL_MAX;
}

/* ---- lifting (lift.c) ---- */

/* How the solver's problem came from the caller's. A kind's lift() makes the data of `problem`,
 * whose kind and name are there; where z changes it sets up, down and ctx too. Of the kinds between
 * the two at most one changes z. */
typedef struct perp_lift {
    perp_problem problem;                                         /* what the solver sees */
    void (*up)(const void *ctx, const double *z, double *lifted); /* NULL: z is the same */
    void (*down)(const void *ctx, const double *lifted, double *z);
    void (*down_proof)(const void *ctx, const double *lifted, double *z); /* NULL: as down */
    const void *ctx;                                                      /* in the arena */
} perp_lift;

/* From kind to wider kind as often as need be. */
bool perp_can_lift(perp_kind from, perp_kind to);
/* p is completed; arrays live in the arena, scratch too, until the solve ends. */
perp_status perp_lift_problem(const perp_problem *p, perp_kind to, perp_arena *a, perp_lift *lift,
                              perp_error *e);
void perp_lift_up(const perp_lift *lift, const double *z, double *lifted);
void perp_lift_down(const perp_lift *lift, const double *lifted, double *z);
void perp_lift_down_proof(const perp_lift *lift, const double *lifted, double *z);

#endif
