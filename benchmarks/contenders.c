/* contenders.c: solvers by name, perp's and those of other libraries that were found. */
#include "bench.h"

static const peer *const libraries[] = {
#ifdef BENCH_SICONOS
    siconos_peers,
    siconos_fc3d_peers,
    siconos_rolling_peers,
#endif
#ifdef BENCH_BULLET
    bullet_peers,
#endif
#ifdef BENCH_ODE
    ode_peers,
#endif
    cholmod_peers,
    NULL,
};

const char *missing_peers(void)
{
    return ""
#ifndef BENCH_SICONOS
           " siconos"
#endif
#ifndef BENCH_BULLET
           " bullet"
#endif
#ifndef BENCH_ODE
           " ode"
#endif
        ;
}

const peer *find_peer(const char *name)
{
    for (int l = 0; libraries[l]; l++) {
        for (const peer *p = libraries[l]; p->name; p++) {
            if (strcmp(p->name, name) == 0) return p;
        }
    }
    return NULL;
}

/* "lcp/dantzig rule=order": a solver and one option. NULL: a mistake in the table, or no memory. */
static perp_options *find_options(const char *text, double tol, perp_arena *a)
{
    char name[64], option[32] = "", value[32] = "";
    sscanf(text, "%63s %31[^=]=%31s", name, option, value);
    perp_options *o = perp_options_new(a, name);
    if (!o || (option[0] && perp_options_set(o, option, value, NULL))) return NULL;
    o->tol = tol;
    return o;
}

bool find_contenders(bench *b)
{
    b->contenders = 0;
    for (int k = 0; k < MOST_CONTENDERS && b->table->contenders[k]; k++) {
        entry e = {.name = b->table->contenders[k]};
        bool own = strncmp(e.name, "lcp/", 4) == 0 || strncmp(e.name, "mcp/", 4) == 0 ||
                   strncmp(e.name, "fc3d/", 5) == 0 || strncmp(e.name, "cone/", 5) == 0;
        if (own)
            e.options = find_options(e.name, b->table->tol, &b->data);
        else
            e.peer = find_peer(e.name);
        if (own && !e.options) return false;
        if (e.options || e.peer) b->entries[b->contenders++] = e;
    }
    return true;
}
