/* ode_convex.c: what ODE's collision library finds for convex polyhedra, against its own boxes of
 * the same shape: the evidence on which the scenes of `perp simulate` keep to boxes. Two unit
 * cubes, as polyhedra and as boxes, in poses of each type of contact and in random ones.
 *
 * A face at rest on a face needs three points at least; depths are how far one has entered. */
#include <ode/ode.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#define MOST 32     /* points of a pair */
#define POSES 20000 /* random ones */
#define APART 0.1   /* of a depth, and APART / 100 of the side: another depth */

static const dReal planes[] = {1,  0, 0, .5, 0, 1,  0, .5, 0, 0, 1,  .5,
                               -1, 0, 0, .5, 0, -1, 0, .5, 0, 0, -1, .5};
static const dReal corners[] = {.5, .5, .5,  -.5, .5, .5,  .5, -.5, .5,  -.5, -.5, .5,
                                .5, .5, -.5, -.5, .5, -.5, .5, -.5, -.5, -.5, -.5, -.5};
static const unsigned int faces[] = {4, 0, 2, 6, 4, 4, 1, 0, 4, 5, 4, 0, 1, 3, 2,
                                     4, 3, 1, 5, 7, 4, 2, 3, 7, 6, 4, 5, 4, 6, 7};

/* [0]: polyhedra, [1]: boxes; each the lower and the upper one. */
static dGeomID cube[2][2];

static int count_points(int kind, double *depth)
{
    dContactGeom c[MOST];
    int n = dCollide(cube[kind][0], cube[kind][1], MOST, c, sizeof *c);
    *depth = 0;
    for (int k = 0; k < n; k++) *depth = fmax(*depth, c[k].depth);
    return n;
}

static void place(int which, const dMatrix3 R, double x, double y, double z)
{
    for (int kind = 0; kind < 2; kind++) {
        dGeomSetPosition(cube[kind][which], x, y, z);
        dGeomSetRotation(cube[kind][which], R);
    }
}

static void report(const char *name)
{
    double depth[2];
    int polyhedra = count_points(0, depth), boxes = count_points(1, depth + 1);
    printf("%-22s %3d %9.2g   %3d %9.2g\n", name, polyhedra, depth[0], boxes, depth[1]);
}

static void show_types(void)
{
    dMatrix3 same, about_x, about_y, about_z, corner;
    double turn = atan(1.0), low = -sqrt(0.75), deep = 1e-3;
    dRSetIdentity(same);
    dRFromAxisAndAngle(about_x, 1, 0, 0, turn);
    dRFromAxisAndAngle(about_y, 0, 1, 0, turn);
    dRFromAxisAndAngle(about_z, 0, 0, 1, 0.5);
    dRFromAxisAndAngle(corner, 1, -1, 0, acos(sqrt(1.0 / 3))); /* a diagonal upright */
    printf("pair of cubes          polyhedra, depth     boxes, depth\n");
    place(0, same, 0, 0, 0);
    place(1, same, 0.2, 0.1, 1 - deep);
    report("face on face");
    place(1, about_z, 0, 0, 1 - deep);
    report("face on face, turned");
    place(1, corner, 0.05, 0.03, 0.5 - low - deep);
    report("corner on face");
    place(1, about_y, 0, 0, 0.5 + sqrt(0.5) - deep);
    report("edge on face");
    place(0, about_x, 0, 0, 0);
    place(1, about_y, 0, 0, sqrt(2.0) - deep);
    report("edge on edge");
}

static double draw(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)(*state * UINT64_C(2685821657736338717) >> 11) * 0x1p-53;
}

static void compare_random(void)
{
    uint64_t state = 1;
    int touch = 0, missed = 0, other = 0, more = 0, points[2] = {0};
    dMatrix3 R;
    dRSetIdentity(R);
    place(0, R, 0, 0, 0);
    for (int k = 0; k < POSES; k++) {
        double u[7], p[3], length = 0, depth[2];
        for (int i = 0; i < 7; i++) u[i] = draw(&state);
        for (int i = 0; i < 3; i++) {
            p[i] = 2 * u[3 + i] - 1;
            length += p[i] * p[i];
        }
        double far = (1 + 0.4 * u[6]) / sqrt(length);
        dRFromEulerAngles(R, 6 * u[0], 6 * u[1], 6 * u[2]);
        place(1, R, far * p[0], far * p[1], far * p[2]);
        int polyhedra = count_points(0, depth), boxes = count_points(1, depth + 1);
        touch += boxes > 0;
        missed += boxes > 0 && polyhedra == 0;
        more += boxes == 0 && polyhedra > 0;
        points[0] += polyhedra;
        points[1] += boxes;
        other += boxes > 0 && polyhedra > 0 &&
                 fabs(depth[0] - depth[1]) > APART * depth[1] + APART / 100;
    }
    printf("random poses: %d boxes touch, %d of them without a point as polyhedra, %d with another "
           "depth, %d the other way; points a touch %.3f as polyhedra, %.3f as boxes\n",
           touch, missed, other, more, points[0] / (double)touch, points[1] / (double)touch);
}

int main(void)
{
    dInitODE2(0);
    for (int which = 0; which < 2; which++) {
        cube[0][which] = dCreateConvex(0, planes, 6, corners, 8, faces);
        cube[1][which] = dCreateBox(0, 1, 1, 1);
    }
    show_types();
    compare_random();
    for (int k = 0; k < 4; k++) dGeomDestroy(cube[k / 2][k % 2]);
    dCloseODE();
    return 0;
}
