/* cli/simulate_vtk.c: surfaces of all bodies for ParaView: an XML PolyData file for each picture,
 * triangles with the number of their body and its speed, and a collection (.pvd) with the times. */
#include "simulate.h"

#include <math.h>
#include <string.h>

#define ROUND 12 /* corners of a circle; half as many rings from pole to pole */
#define RINGS (ROUND / 2)

/* ---- surfaces ----------------------------------------------------------------------------- */

static int points_of(const sim_shape *s)
{
    if (s->kind == SIM_BOX) return 8;
    return s->kind == SIM_PLANE ? 0 : (RINGS + 1) * ROUND;
}

static int cells_of(const sim_shape *s)
{
    if (s->kind == SIM_BOX) return 6;
    return s->kind == SIM_PLANE ? 0 : RINGS * ROUND;
}

/* In the shape's own frame. A capsule is a sphere whose halves have moved apart; poles have as many
 * points as other rings. */
static void find_point(const sim_shape *s, int k, double x[3])
{
    if (s->kind == SIM_BOX) {
        for (int i = 0; i < 3; i++) x[i] = k >> i & 1 ? s->size[i] : -s->size[i];
        return;
    }
    const double pi = 3.14159265358979323846;
    int ring = k / ROUND;
    double polar = pi * ring / RINGS, around = 2 * pi * (k % ROUND) / ROUND;
    x[0] = s->size[0] * sin(polar) * cos(around);
    x[1] = s->size[0] * sin(polar) * sin(around);
    x[2] = s->size[0] * cos(polar);
    if (s->kind == SIM_CAPSULE) x[2] += 2 * ring < RINGS ? s->size[1] : -s->size[1];
}

static void print_points(FILE *out, const sim *s, const sim_shape *shape)
{
    double centre[3], R[9], x[3];
    sim_shape_pose(shape, s->world.body, centre, R);
    for (int k = 0; k < points_of(shape); k++) {
        find_point(shape, k, x);
        for (int i = 0; i < 3; i++)
            fprintf(out, "%.7g ", centre[i] + R[i] * x[0] + R[3 + i] * x[1] + R[6 + i] * x[2]);
        fputc('\n', out);
    }
}

static void print_cells(FILE *out, const sim_shape *shape, int first)
{
    static const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int k = 0; k < cells_of(shape); k++) {
        if (shape->kind == SIM_BOX) {
            for (int i = 0; i < 4; i++) fprintf(out, "%d ", first + faces[k][i]);
        } else {
            int ring = k / ROUND, at = k % ROUND, next = (at + 1) % ROUND;
            fprintf(out, "%d %d %d %d", first + ring * ROUND + at, first + (ring + 1) * ROUND + at,
                    first + (ring + 1) * ROUND + next, first + ring * ROUND + next);
        }
        fputc('\n', out);
    }
}

/* ---- files -------------------------------------------------------------------------------- */

static void print_data(FILE *out, const sim *s)
{
    fputs("<CellData Scalars=\"speed\">\n<DataArray type=\"Int32\" Name=\"body\" "
          "format=\"ascii\">\n",
          out);
    for (int k = 0; k < s->shapes; k++) {
        for (int i = 0; i < cells_of(s->shape + k); i++) fprintf(out, "%d\n", s->shape[k].body);
    }
    fputs("</DataArray>\n<DataArray type=\"Float32\" Name=\"speed\" format=\"ascii\">\n", out);
    for (int k = 0; k < s->shapes; k++) {
        int body = s->shape[k].body;
        const double *v = body < 0 ? NULL : s->world.body[body].velocity;
        double speed = v ? sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) : 0;
        for (int i = 0; i < cells_of(s->shape + k); i++) fprintf(out, "%.6g\n", speed);
    }
    fputs("</DataArray>\n</CellData>\n", out);
}

void simulate_vtk(const sim *s, FILE *out)
{
    int points = 0, cells = 0;
    for (int k = 0; k < s->shapes; k++) {
        points += points_of(s->shape + k);
        cells += cells_of(s->shape + k);
    }
    fprintf(out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\" "
            "byte_order=\"LittleEndian\">\n<PolyData>\n<Piece NumberOfPoints=\"%d\" "
            "NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"%d\">\n",
            points, cells);
    print_data(out, s);
    fputs("<Points>\n<DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">\n",
          out);
    for (int k = 0; k < s->shapes; k++) print_points(out, s, s->shape + k);
    fputs("</DataArray>\n</Points>\n<Polys>\n<DataArray type=\"Int32\" Name=\"connectivity\" "
          "format=\"ascii\">\n",
          out);
    for (int k = 0, first = 0; k < s->shapes; first += points_of(s->shape + k++))
        print_cells(out, s->shape + k, first);
    fputs("</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">\n", out);
    for (int k = 1; k <= cells; k++) fprintf(out, "%d\n", 4 * k);
    fputs("</DataArray>\n</Polys>\n</Piece>\n</PolyData>\n</VTKFile>\n", out);
}

void simulate_vtk_times(FILE *out, const char *name, int count, const int *step, const double *time)
{
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
          "byte_order=\"LittleEndian\">\n<Collection>\n",
          out);
    for (int k = 0; k < count; k++) {
        fprintf(out, "<DataSet timestep=\"%.9g\" group=\"\" part=\"0\" file=\"%s_%06d.vtp\"/>\n",
                time[k], name, step[k]);
    }
    fputs("</Collection>\n</VTKFile>\n", out);
}
