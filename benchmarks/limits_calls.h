/* limits_calls.h: calls of libraries that cannot be ended within, as the program `limits` sees
 * them.
 *
 * The linker puts this file between the library and its clock, perp_now, which becomes one of
 * processor time, so that other programs on the machine do not move a limit; and between callers
 * and the announcements of base/watch.h, which are noted. */
#ifndef LIMITS_CALLS_H
#define LIMITS_CALLS_H

#include <stdbool.h>
#include <stdio.h>

enum { CALLS = 6 };

/* All calls of one name, of a solve or of a solver. */
typedef struct called {
    char name[32];
    int entered, refused; /* refused: predicted to take longer than was left */
    int beyond;           /* entered although so predicted */
    double longest;       /* seconds of one */
    double late;          /* seconds that one went on beyond the limit, at most */
} called;

typedef struct call_list {
    called of[CALLS];
    int count;
} call_list;

/* From here on calls are noted, for a limit or a cancel at `until` (cpu_now()). */
void calls_begin(double until);
/* What was noted. */
call_list calls_noted(void);

void calls_add(call_list *to, const call_list *from);

/* ---- a list for each solver ---- */

enum { CALL_SOLVERS = 64 };

typedef struct solver_calls {
    const char *solver;
    call_list limit, cancel;
} solver_calls;

typedef struct all_calls {
    solver_calls of[CALL_SOLVERS];
    int count;
} all_calls;

void calls_collect(all_calls *all, const char *solver, bool cancel, const call_list *list);
/* The table; returns the worst lateness. */
double calls_print(FILE *out, const all_calls *all);

#endif
