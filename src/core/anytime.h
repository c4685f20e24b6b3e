/* core/anytime.h: sweeps beside the plan of an auto, so that a run under any limit returns at least
 * what simple sweeps return under it.
 *
 * Pivots and Newton's method have no iterate worth returning until they end, sweeps (projected
 * Gauss-Seidel) have one from the first. So a run of an auto consists of its plan and of sweeps
 * from the caller's start:
 * - Iterations. The plan has max_iter of them, the sweeps beside it as many again, and the run
 *   counts the larger of the two. Nothing reads the sweeps of a run whose plan solves the problem,
 *   so they are made at the end, and only where the plan has not.
 * - Time. A run that the clock or a monitor may end anywhere begins with a few sweeps. The monitor
 *   is not told of them, and they are certified only if the run is cut: a monitor that does not
 *   cancel changes nothing. Where a small problem has a monitor alone they wait until it cancels,
 *   for they take microseconds. A plan whose solvers work towards their end, and not on an iterate,
 *   then has half of the time that is left, and the sweeps have the rest. A plan that itself begins
 *   with sweeps needs none of this.
 * The plan starts where the caller said, not where the sweeps ended: from there the pivots of
 * mcp/dantzig took 3 to 25 times as long on stacks, towers and walls. */
#ifndef PERP_ANYTIME_H
#define PERP_ANYTIME_H

#include "perp/solver.h"

/* Under a time limit or a monitor the plan follows a few sweeps; it has then half of the time;
 * nothing is done before it. */
typedef enum perp_anytime_rule {
    PERP_SWEEPS_FIRST,
    PERP_SWEEPS_HALVE,
    PERP_SWEEPS_LAST
} perp_anytime_rule;

typedef struct perp_anytime {
    perp_run *run;
    perp_options *sweeps; /* of a solver that sweeps; the caller's copy */
    double *given;        /* z as the run began */
    double *first;        /* z after the first sweeps; NULL: there were none */
    bool waits;      /* first is the start still: the first sweeps are made if the run is cut */
    int count;       /* of these sweeps */
    double deadline; /* of the run; that of the plan may be earlier */
    bool swept;      /* perp_anytime_end has swept, and the solver has not refused */
} perp_anytime;

/* The time is halved only where sweeps lower the residual. False: the run ends here, with
 * run->status. */
bool perp_anytime_begin(perp_anytime *t, perp_run *run, perp_options *sweeps,
                        perp_anytime_rule rule, const double *z);
/* After a plan that ended with run->status and its sentence. Returns run->status: the plan's,
 * unless the sweeps solve the problem, are ended by the clock or the monitor, or run where the plan
 * was refused. */
perp_status perp_anytime_end(perp_anytime *t, double *z);

#endif
