/* fc3d/contact_points.c: one contact by proximal points, for blocks of any rank, W_NN = 0 included:
 * those of bodies on joints, and of planar mechanisms. The method is that of a block of any cone
 * (method/cone_local.h), for which Coulomb's cone is one group with s = mu. 1 to 10 us. */
#include "contact.h"
#include "method/cone_local.h"

double perp_contact_points(const double W[9], const double q[3], double mu, int steps, double r[3])
{
    double vector[11][3], matrix[3][9];
    int pivot[3], row[3] = {0, 1, 2};
    perp_cone_group relaxed, group = {.first = 1, .count = 2, .mu = mu, .s = mu};
    perp_cone_block block = {.type = PERP_CONE_GROUPS, .count = 3, .groups = 1};
    const perp_cone_set set = {
        .n = 3, .blocks = 1, .largest = 3, .block = &block, .group = &group, .row = row};
    perp_cone_local local = {.u = vector[0],
                             .F = vector[1],
                             .x = vector[2],
                             .best = vector[3],
                             .trial = vector[4],
                             .shift = vector[5],
                             .scratch = vector[6],
                             .q = vector[7],
                             .z = vector[8],
                             .low = vector[9],
                             .high = vector[10],
                             .group = &relaxed,
                             .by_z = matrix[0],
                             .by_u = matrix[1],
                             .J = matrix[2],
                             .pivot = pivot};
    return perp_cone_local_solve(&set, 0, W, q, steps, r, &local);
}
