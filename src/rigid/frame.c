/* rigid/frame.c: the frame (n, t1, t2) of a contact from its normal alone.
 * Duff, Burgess, Christensen, Hery, Kensler, Liani, Villemin, "Building an orthonormal basis,
 * revisited" (2017): no square root beyond the normalisation, and no normal at which the tangents
 * lose accuracy; they jump where n_z changes sign, as some frame must somewhere. */
#include "assembly.h"

void perp_contact_frame(const double normal[3], double E[9])
{
    double length = sqrt(rigid_dot(normal, normal));
    double x = normal[0] / length, y = normal[1] / length, z = normal[2] / length;
    double sign = z >= 0 ? 1 : -1; /* -0 as 0: equal normals have equal frames */
    double a = -1 / (sign + z), b = x * y * a;
    E[0] = x;
    E[1] = y;
    E[2] = z;
    E[3] = 1 + sign * x * x * a;
    E[4] = sign * b;
    E[5] = -sign * x;
    E[6] = b;
    E[7] = sign + y * y * a;
    E[8] = -y;
}
