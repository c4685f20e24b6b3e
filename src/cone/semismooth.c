/* cone/semismooth.c: steps of Newton's method, see semismooth.h. */
#include "semismooth.h"

#include "base/vector.h"

#include <string.h>

#define HALVINGS 5

perp_status perp_cone_semismooth_open(perp_cone_semismooth *t, perp_cone_system *s)
{
    perp_run *run = s->run;
    *t = (perp_cone_semismooth){.s = s};
    perp_status status = perp_cone_jacobian_open(&t->J, s);
    if (status) return status;
    double **vectors[] = {&t->F, &t->d, &t->Wd, &t->trial, &t->v};
    for (int k = 0; k < 5; k++) *vectors[k] = PERP_ALLOC(run, double, s->n);
    t->by_z = PERP_ALLOC(run, double, t->J.entries);
    t->by_u = PERP_ALLOC(run, double, t->J.entries);
    t->local = PERP_ALLOC(run, double, 4 * (size_t)s->set.largest);
    return run->arena->failed ? PERP_E_MEMORY : PERP_SOLVED;
}

double perp_cone_semismooth_measure(perp_cone_semismooth *t, const double *x, const double *v)
{
    const perp_cone_set *set = &t->s->set;
    double *z = t->local, *u = z + set->largest, *F = u + set->largest, *scratch = F + set->largest;
    for (int b = 0; b < set->blocks; b++) {
        const int *row = set->row + set->block[b].first;
        perp_cone_set_gather(set, b, x, z);
        perp_cone_set_gather(set, b, v, u);
        for (int i = 0; t->shift > 0 && i < set->block[b].count; i++) {
            u[i] += t->shift * (z[i] - t->centre[row[i]]);
        }
        perp_cone_set_map(set, b, t->map, z, u, scratch, F, t->by_z + t->J.at[b],
                          t->by_u + t->J.at[b]);
        perp_cone_set_scatter(set, b, F, t->F);
    }
    double norm = vector_norm(t->s->n, t->F);
    return norm >= 0 ? norm : INFINITY;
}

bool perp_cone_semismooth_direct(perp_cone_semismooth *t, double alpha)
{
    perp_cone_system *s = t->s;
    if (!perp_cone_jacobian_factor(&t->J, t->by_z, t->by_u, alpha)) return false;
    for (int i = 0; i < s->n; i++) t->d[i] = -t->F[i];
    if (!perp_cone_jacobian_solve(&t->J, t->d)) return false;
    memset(t->Wd, 0, (size_t)s->n * sizeof *t->Wd);
    for (int j = 0; j < s->n; j++) perp_cone_system_add_column(s, j, t->d[j], t->Wd);
    return true;
}

double perp_cone_semismooth_search(perp_cone_semismooth *t, double most, double *norm)
{
    perp_cone_system *s = t->s;
    size_t bytes = (size_t)s->n * sizeof(double);
    double part = 1;
    for (int h = 0; h <= HALVINGS; h++, part /= 2) {
        for (int i = 0; i < s->n; i++) {
            t->trial[i] = s->x[i] + part * t->d[i];
            t->v[i] = s->u[i] + part * t->Wd[i];
        }
        *norm = perp_cone_semismooth_measure(t, t->trial, t->v);
        if (!(*norm <= (1 - 1e-4 * part) * most)) continue;
        memcpy(s->x, t->trial, bytes);
        memcpy(s->u, t->v, bytes);
        return part;
    }
    return 0;
}
