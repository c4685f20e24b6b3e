/* fc3d/as_cone.c: a friction problem as one of the kind cone: every contact a normal and a group of
 * two rows behind it. Memory: 11 numbers a contact. */
#include "as_cone.h"

#include <math.h>

bool perp_fc3d_as_cone(perp_run *run, double part, perp_problem *out)
{
    const perp_fc3d *f = &run->problem->as.fc3d;
    int n = 3 * f->contacts;
    int *follows = PERP_ALLOC(run, int, n), *group = PERP_ALLOC(run, int, n);
    double *mu = PERP_ALLOC(run, double, n), *s = PERP_ALLOC(run, double, n);
    double *lo = PERP_ALLOC(run, double, n);
    if (run->arena->failed) return false;
    for (int i = 0; i < n; i++) {
        bool normal = i % 3 == 0;
        follows[i] = normal ? -1 : i - i % 3;
        group[i] = normal ? -1 : i - i % 3 + 1;
        mu[i] = normal ? 0 : f->mu[i / 3];
        s[i] = part * mu[i];
        lo[i] = normal ? 0 : -INFINITY;
    }
    *out = (perp_problem){.kind = PERP_KIND_CONE};
    out->as.cone = (perp_cone){.n = n,
                               .W = f->W,
                               .q = f->q,
                               .lo = lo,
                               .follows = follows,
                               .group = group,
                               .mu = mu,
                               .s = s,
                               .form = f->form,
                               .M = f->M,
                               .H = f->H,
                               .G = f->G,
                               .f = f->f,
                               .w = f->w,
                               .b = f->b};
    return true;
}
