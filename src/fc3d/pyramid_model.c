/* fc3d/pyramid_model.c: the residual of a problem on friction pyramids.
 *
 * That of the exact cone with method/facet_cone.h for the cone: |r - P_K(r - (u + mu s(u_T) n))|
 * over the same scale, and in body form the equations as they are. Costs some 50 ns a contact where
 * the slack is known. Memory: 100 bytes. */
#include "pyramid_model.h"

#include "core/kinds.h"
#include "method/facet_cone.h"

#include <stdio.h>

#define PI 3.14159265358979323846

typedef struct pyramids {
    perp_model model;
    const perp_fc3d *f;
    int facets;
    double widen, angle; /* mu of the corners over that of the cone; where the first is */
    char name[48];
} pyramids;

static double measure(const void *ctx, const double scale[3], const double *z, const double *w)
{
    const pyramids *p = ctx;
    double sum = 0;
    for (int c = 0; c < p->f->contacts; c++) {
        perp_facet_cone k = {p->facets, p->widen * p->f->mu[c], p->angle};
        double map[3];
        perp_facet_cone_natural(&k, z + 3 * (size_t)c, w + 3 * (size_t)c, map);
        sum = hypot(sum, vector_norm(3, map));
    }
    return sum / scale[0] + perp_fc3d_equations(p->f, w, scale);
}

bool perp_pyramid_approximate(perp_run *run, int facets, bool outer)
{
    pyramids *p = PERP_ALLOC(run, pyramids, 1);
    run->status = PERP_E_MEMORY;
    if (!p) return true;
    *p = (pyramids){.f = &run->problem->as.fc3d, .facets = facets, .widen = 1};
    if (outer) {
        p->widen = 1 / cos(PI / facets);
        p->angle = PI / facets;
    }
    snprintf(p->name, sizeof p->name, "%s pyramids of %d edges", outer ? "outer" : "inner", facets);
    p->model =
        (perp_model){.name = p->name, .exact = "the exact cone", .measure = measure, .ctx = p};
    run->status = PERP_SOLVED;
    return perp_approximate(run, &p->model);
}
