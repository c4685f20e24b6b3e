/* generate/literature.c: the set of problems of the literature as one list, and small maps with
 * their Jacobians. */
#include "literature_parts.h"

#define MOST_SMALL 64 /* unknowns of a map that is written for complex numbers */
#define TINY 1e-100

static const literature_row *const tables[] = {
    literature_classic, literature_programs, literature_economy, literature_network,
    literature_grid,    literature_other,    literature_hard,
};

static const literature_row *find_row(int k)
{
    for (size_t t = 0; t < sizeof tables / sizeof *tables && k >= 0; t++) {
        for (const literature_row *r = tables[t]; r->name; r++) {
            if (k-- == 0) return r;
        }
    }
    return NULL;
}

static bool eval(void *ctx, const double *z, double *F)
{
    const literature_row *r = ctx;
    number x[MOST_SMALL], y[MOST_SMALL];
    if (r->defined && !r->defined(z)) return false;
    for (int i = 0; i < r->n; i++) x[i] = z[i];
    r->map(x, y);
    for (int i = 0; i < r->n; i++) F[i] = creal(y[i]);
    return true;
}

static bool jacobian(void *ctx, const double *z, double *values)
{
    const literature_row *r = ctx;
    number x[MOST_SMALL], y[MOST_SMALL];
    if (r->defined && !r->defined(z)) return false;
    for (int i = 0; i < r->n; i++) x[i] = z[i];
    for (int j = 0; j < r->n; j++) {
        x[j] = z[j] + TINY * I;
        r->map(x, y);
        for (int i = 0; i < r->n; i++) values[j * r->n + i] = cimag(y[i]) / TINY;
        x[j] = z[j];
    }
    return true;
}

static void fill_small(const literature_row *r, literature *out)
{
    perp_map F = {.n = r->n, .eval = eval, .jacobian = jacobian, .ctx = (void *)r};
    out->n = r->n;
    out->starts = r->starts;
    out->start = r->start;
    out->solution = r->solution;
    if (r->ncp)
        out->p = (perp_problem){.kind = PERP_KIND_NCP, .as.ncp.F = F};
    else
        out->p =
            (perp_problem){.kind = PERP_KIND_MCP, .as.mcp = {.F = F, .lo = r->lo, .hi = r->hi}};
}

bool literature_make(int k, int size, perp_arena *a, literature *out)
{
    const literature_row *r = find_row(k);
    *out = (literature){0};
    if (!r) return false;
    if (r->make) {
        if (!r->make(size > 0 ? size : r->n, a, out)) return false;
    } else {
        fill_small(r, out);
    }
    out->name = out->p.name = r->name;
    out->about = r->about;
    out->accuracy = r->accuracy > 0 ? r->accuracy : 1e-9;
    out->unique = r->unique;
    out->none = r->none;
    return true;
}

int literature_find(const char *name)
{
    for (int k = 0;; k++) {
        const literature_row *r = find_row(k);
        if (!r) return -1;
        if (strcmp(r->name, name) == 0) return k;
    }
}

bool literature_is_sized(int k)
{
    const literature_row *r = find_row(k);
    return r && r->make;
}
