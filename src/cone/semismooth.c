/* cone/semismooth.c: steps of Newton's method, see semismooth.h. */
#include "semismooth.h"

#include "base/vector.h"
#include "linalg/dense.h"

#include <string.h>

#define HALVINGS 5

perp_status perp_cone_semismooth_open(perp_cone_semismooth *t, perp_cone_system *s)
{
    perp_run *run = s->run;
    size_t n = (size_t)s->n, sum = 0;
    *t = (perp_cone_semismooth){.s = s};
    if (s->n > PERP_CONE_SEMISMOOTH_ROWS) {
        return perp_fail(run, PERP_E_FORMAT,
                         "%d rows are too many for a dense Jacobian, at most %d", s->n,
                         PERP_CONE_SEMISMOOTH_ROWS);
    }
    t->at = PERP_ALLOC(run, size_t, s->set.blocks);
    if (run->arena->failed) return PERP_E_MEMORY;
    for (int b = 0; b < s->set.blocks; b++) {
        t->at[b] = sum;
        sum += (size_t)s->set.block[b].count * (size_t)s->set.block[b].count;
    }
    double **vectors[] = {&t->F, &t->d, &t->Wd, &t->trial, &t->v};
    for (int k = 0; k < 5; k++) *vectors[k] = PERP_ALLOC(run, double, n);
    t->by_z = PERP_ALLOC(run, double, sum);
    t->by_u = PERP_ALLOC(run, double, sum);
    t->local = PERP_ALLOC(run, double, 4 * (size_t)s->set.largest);
    t->J = PERP_ALLOC(run, double, n *n);
    t->pivot = PERP_ALLOC(run, int, n);
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
        perp_cone_set_map(set, b, t->map, z, u, scratch, F, t->by_z + t->at[b], t->by_u + t->at[b]);
        perp_cone_set_scatter(set, b, F, t->F);
    }
    double norm = vector_norm(t->s->n, t->F);
    return norm >= 0 ? norm : INFINITY;
}

/* Column j of W + alpha I into x. */
static void read_column(const perp_cone_system *s, int j, double alpha, double *x)
{
    memset(x, 0, (size_t)s->n * sizeof *x);
    perp_cone_system_add_column(s, j, 1, x);
    x[j] += alpha;
}

/* Column `column` of F_u (W + alpha I), whose factor's column is x. */
static void multiply_column(const perp_cone_semismooth *t, const double *x, double *out)
{
    const perp_cone_set *set = &t->s->set;
    for (int b = 0; b < set->blocks; b++) {
        int d = set->block[b].count;
        const int *row = set->row + set->block[b].first;
        const double *D = t->by_u + t->at[b];
        for (int i = 0; i < d; i++) {
            double sum = 0;
            for (int k = 0; k < d; k++) sum += D[k * d + i] * x[row[k]];
            out[row[i]] = sum;
        }
    }
}

static void add_derivatives(const perp_cone_semismooth *t)
{
    const perp_cone_set *set = &t->s->set;
    size_t n = (size_t)t->s->n;
    for (int b = 0; b < set->blocks; b++) {
        int d = set->block[b].count;
        const int *row = set->row + set->block[b].first;
        const double *D = t->by_z + t->at[b];
        for (int j = 0; j < d; j++) {
            for (int i = 0; i < d; i++) t->J[(size_t)row[j] * n + (size_t)row[i]] += D[j * d + i];
        }
    }
}

bool perp_cone_semismooth_direct(perp_cone_semismooth *t, double alpha)
{
    perp_cone_system *s = t->s;
    int n = s->n;
    for (int j = 0; j < n; j++) {
        read_column(s, j, alpha, t->Wd);
        multiply_column(t, t->Wd, t->J + (size_t)j * (size_t)n);
    }
    add_derivatives(t);
    if (perp_lu_factor(n, t->J, n, t->pivot, s->run->arena->watch)) return false;
    for (int i = 0; i < n; i++) t->d[i] = -t->F[i];
    perp_lu_solve(n, t->J, n, t->pivot, false, 1, t->d);
    if (!vector_is_finite((size_t)n, t->d)) return false;
    memset(t->Wd, 0, (size_t)n * sizeof *t->Wd);
    for (int j = 0; j < n; j++) perp_cone_system_add_column(s, j, t->d[j], t->Wd);
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
