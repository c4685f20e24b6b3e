/* core/closing.c: the closing sentence of a solve, for its reader: who ended it, and how. */
#include "driver.h"

#include <string.h>

/* The sentence of most ends, without formatting: nested solvers end often. */
static void say_plainly(char *text, size_t room, const char *solver, const char *end)
{
    size_t at = perp_append(text, room, 0, solver);
    at = perp_append(text, room, at, ": ");
    perp_append(text, room, at, end);
}

/* A limit of time also names the call of a library that it was met before or within. */
static void say_status(const perp_driver *d, perp_status status)
{
    const perp_call *call = &d->call;
    char *text = d->result->detail;
    size_t room = sizeof d->result->detail;
    const char *solver = d->options->solver->name, *end = perp_status_text(status);
    if (status != PERP_MAX_SECONDS || !call->name)
        say_plainly(text, room, solver, end);
    else if (call->refused)
        perp_print(text, room,
                   "%s: max_seconds leaves too little time for %s, predicted to take %.2g s",
                   solver, call->name, call->seconds);
    else if (call->begin + call->seconds >= d->deadline)
        perp_print(text, room, "%s: %s within %s, which took %.2g s", solver, end, call->name,
                   call->seconds);
    else
        say_plainly(text, room, solver, end);
}

/* The clock or the monitor ended the solver that the sentence begins with. Where the best iterate
 * is another's, the sentence names that one too. */
static void name_best(const perp_driver *d, perp_status status)
{
    const perp_result *result = d->result;
    char *text = d->result->detail, by[64];
    size_t room = sizeof d->result->detail;
    if (d->parent || (status != PERP_MAX_SECONDS && status != PERP_CANCELLED)) return;
    if (strcmp(result->solver, d->options->solver->name) == 0 ||
        strncmp(text, result->solver, strlen(result->solver)) == 0)
        return;
    perp_print(by, sizeof by, "; the best residual is %.1e, by %s", result->residual.value,
               result->solver);
    size_t at = strlen(text), last = room - 1 - strlen(by);
    memcpy(text + (at < last ? at : last), by, strlen(by) + 1);
}

void perp_say_end(perp_driver *d, perp_status status)
{
    char *text = d->result->detail;
    bool stuck = status == PERP_STALLED || status == PERP_UNCERTIFIED || status == PERP_E_NUMBER;
    if (status == PERP_SOLVED)
        text[0] = 0;
    else if (stuck && d->start_fault.status)
        perp_append(text, sizeof d->result->detail, 0, d->start_fault.text);
    else if (!text[0])
        say_status(d, status);
    name_best(d, status);
}
