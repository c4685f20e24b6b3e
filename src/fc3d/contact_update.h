/* fc3d/contact_update.h: what a sweep does at one contact, in line for the loops of the variants.
 */
#ifndef PERP_FC3D_CONTACT_UPDATE_H
#define PERP_FC3D_CONTACT_UPDATE_H

#include "base/clones.h"
#include "contact_secular.h"
#include "method/cone.h"
#include "method/facet_cone.h"
#include "sweep.h"

#define FROZEN 1e-12 /* relative to r: a smaller move lets a contact freeze */

/* No measure, no freezing, no relaxation, and the quick solver of a contact. */
PERP_INLINED bool visit_is_simple(const perp_sweep *s)
{
    return !s->measure && !s->quiet && s->relaxation == 1 && s->local == PERP_CONTACT_SOLVER_AUTO;
}

/* By the named method, or down the chain; r from u and the old r. */
void perp_sweep_resolve(const perp_sweep *s, int place, int member, const double u[3], double r[3]);

PERP_INLINED double visit_error(const perp_contact_block *k, const double u[3], const double r[3])
{
    double mu = k->mu, sine = mu < 1e100 ? mu * k->cosine : 1;
    double v[3] = {u[0] + mu * perp_cone_length(u[1], u[2]), u[1], u[2]}, map[3];
    perp_cone_natural_by(mu, k->cosine, sine, r, v, map);
    return map[0] * map[0] + map[1] * map[1] + map[2] * map[2];
}

/* The same on the pyramid that lemke and qp solve. */
static inline double visit_pyramid_error(const perp_sweep *s, double mu, const double u[3],
                                         const double r[3])
{
    perp_facet_cone k = {.facets = s->facets, .mu = mu};
    double map[3];
    perp_facet_cone_natural(&k, r, u, map);
    return map[0] * map[0] + map[1] * map[1] + map[2] * map[2];
}

PERP_INLINED void visit_measure(perp_sweep *s, int place, const double u[3], const double r[3])
{
    const perp_contact_block *k = &s->block[place];
    s->error[place] = s->pyramid ? visit_pyramid_error(s, k->mu, u, r) : visit_error(k, u, r);
}

PERP_INLINED void visit_relax(const perp_sweep *s, double mu, const double old[3], double r[3])
{
    for (int i = 0; i < 3; i++) r[i] = old[i] + s->relaxation * (r[i] - old[i]);
    if (s->relaxation > 1) perp_cone_project(mu, r, r);
}

/* Solve the contact at a place for u; d is the change of r. False: it does not move. `simple`, a
 * constant where this is inlined: nothing but that is asked for (visit_is_simple). */
PERP_INLINED bool visit(perp_sweep *s, bool simple, int place, int member, const double u[3],
                        double r[3], double d[3])
{
    const perp_contact_block *k = &s->block[place];
    bool open = u[0] >= 0 && r[0] == 0 && r[1] == 0 && r[2] == 0;
    if (!simple && s->measure) s->error[place] = 0;
    if (open) return false;
    if (!simple && s->measure) visit_measure(s, place, u, r);
    if (!simple && s->quiet && !s->measure && s->quiet[place] > 0) {
        s->quiet[place]--;
        return false;
    }
    double old[3] = {r[0], r[1], r[2]};
    bool quick = (simple || s->local == PERP_CONTACT_SOLVER_AUTO) && k->plain;
    if (!quick || !perp_contact_follow(k, u, r)) perp_sweep_resolve(s, place, member, u, r);
    if (!simple && s->relaxation != 1) visit_relax(s, k->mu, old, r);
    for (int i = 0; i < 3; i++) d[i] = r[i] - old[i];
    if (!simple && s->quiet) {
        double moved = fabs(d[0]) + fabs(d[1]) + fabs(d[2]);
        bool still = moved <= FROZEN * (fabs(r[0]) + fabs(r[1]) + fabs(r[2]));
        s->quiet[place] = still ? s->freeze : 0;
    }
    return d[0] != 0 || d[1] != 0 || d[2] != 0;
}

#endif
