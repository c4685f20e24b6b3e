/* limits_calls.c: calls of libraries, noted by a wrapped perp_call_begin and perp_call_end
 * (ld --wrap; meson.build), and listed by solver. */
#include "limits_calls.h"

#include "base/watch.h"
#include "command.h"

#include <math.h>

double __wrap_perp_now(void);
bool __wrap_perp_call_begin(const perp_watch *w, perp_call *call);
void __wrap_perp_call_end(const perp_watch *w, perp_call *call);
bool __real_perp_call_begin(const perp_watch *w, perp_call *call);
void __real_perp_call_end(const perp_watch *w, perp_call *call);

static call_list noted;
static double limit, began;

double __wrap_perp_now(void)
{
    return cpu_now();
}

static called *find(call_list *list, const char *name)
{
    int k = 0;
    while (k < list->count && strcmp(list->of[k].name, name) != 0) k++;
    if (k == CALLS) return NULL;
    if (k == list->count) {
        snprintf(list->of[k].name, sizeof list->of[k].name, "%s", name);
        list->count++;
    }
    return &list->of[k];
}

bool __wrap_perp_call_begin(const perp_watch *w, perp_call *call)
{
    bool enter = __real_perp_call_begin(w, call);
    called *c = find(&noted, call->name);
    began = cpu_now();
    if (!c) return enter;
    c->entered += enter;
    c->refused += call->refused;
    if (enter && w && w->left && w->left(w->ctx) < INFINITY) {
        c->beyond += call->seconds > limit - call->begin;
    }
    return enter;
}

void __wrap_perp_call_end(const perp_watch *w, perp_call *call)
{
    double end = cpu_now();
    called *c = find(&noted, call->name);
    __real_perp_call_end(w, call);
    if (!c) return;
    c->longest = fmax(c->longest, end - began);
    c->late = fmax(c->late, end - fmax(limit, began));
}

void calls_begin(double until)
{
    noted = (call_list){0};
    limit = until;
}

call_list calls_noted(void)
{
    return noted;
}

void calls_add(call_list *to, const call_list *from)
{
    for (int k = 0; k < from->count; k++) {
        const called *f = &from->of[k];
        called *t = find(to, f->name);
        if (!t) continue;
        t->entered += f->entered;
        t->refused += f->refused;
        t->beyond += f->beyond;
        t->longest = fmax(t->longest, f->longest);
        t->late = fmax(t->late, f->late);
    }
}

void calls_collect(all_calls *all, const char *solver, bool cancel, const call_list *list)
{
    int k = 0;
    while (k < all->count && strcmp(all->of[k].solver, solver) != 0) k++;
    if (k == CALL_SOLVERS) return;
    if (k == all->count) {
        all->of[k].solver = solver;
        all->count++;
    }
    calls_add(cancel ? &all->of[k].cancel : &all->of[k].limit, list);
}

static double print_list(FILE *out, const solver_calls *s, const char *what, const call_list *list)
{
    double worst = 0;
    for (int k = 0; k < list->count; k++) {
        const called *c = &list->of[k];
        fprintf(out, "%-18s %-7s %-16s %7d %8d %6d %9.0f ms %6.0f ms\n", s->solver, what, c->name,
                c->entered, c->refused, c->beyond, 1e3 * c->longest, 1e3 * c->late);
        worst = fmax(worst, c->late);
    }
    return worst;
}

double calls_print(FILE *out, const all_calls *all)
{
    double worst = 0;
    fprintf(out, "\ncalls of libraries that cannot be ended within, over all problems above\n");
    fprintf(out, "%-18s %-7s %-16s %7s %8s %6s %12s %9s\n", "solver", "end by", "call", "entered",
            "refused", "beyond", "longest", "late");
    for (int k = 0; k < all->count; k++) {
        const solver_calls *s = &all->of[k];
        worst = fmax(worst, print_list(out, s, "limit", &s->limit));
        worst = fmax(worst, print_list(out, s, "cancel", &s->cancel));
        if (!s->limit.count && !s->cancel.count) fprintf(out, "%-18s -       none\n", s->solver);
    }
    return worst;
}
