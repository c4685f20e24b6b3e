/* method/facet_cone.h: friction on a regular pyramid, K = {x_T in mu x_N P}, x = (N, t1, t2).
 *
 * P is the regular polygon with `facets` >= 3 corners on the unit circle, the first at `angle`. The
 * law of the pyramid, r_N >= 0 _|_ u_N >= 0 and r_T the point of mu r_N P with the least u_T.r_T,
 * is K* contains u + mu s(u_T) n _|_ r in K with s(u_T) = max(-d.u_T) over the corners d of P, as
 * the law of de Saxce is for the cone. Stewart and Trinkle's inner pyramid has its corners on the
 * cone; the outer one, whose sides touch it, is that of mu / cos(pi / facets) turned by
 * pi / facets. */
#ifndef PERP_METHOD_FACET_CONE_H
#define PERP_METHOD_FACET_CONE_H

typedef struct perp_facet_cone {
    int facets;
    double mu, angle;
} perp_facet_cone;

/* The natural map r - P_K(r - (u + mu s(u_T) n)): zero exactly where r and u obey the law. */
void perp_facet_cone_natural(const perp_facet_cone *k, const double r[3], const double u[3],
                             double map[3]);

#endif
