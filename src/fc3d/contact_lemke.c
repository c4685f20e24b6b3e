/* fc3d/contact_lemke.c: one contact on an inner pyramid, by lexicographic Lemke.
 * Stewart and Trinkle (1996); as a local solver of block splitting Renouf and Acary (paper 002).
 *
 * Unknowns (r_N, beta_1 .. beta_m, lambda), r_T = sum beta_h d_h with d_h at the angles 2 pi h / m:
 *     u_N,  d_h.u_T + lambda,  mu r_N - sum beta_h   all >= 0 and complementary to the unknowns.
 * The matrix has entries of the size of 1: it is that of W / |W| and lambda / |q|. The answer obeys
 * the pyramid, not the cone. 3 to 8 pivots of (m + 2)^2 numbers. */
#include "contact.h"
#include "method/lemke.h"

#include <math.h>
#include <string.h>

#define TURN 6.283185307179586
#define PIVOTS 8 /* most, times the unknowns, unless the caller says how many */

static void direction(int facets, int h, double d[2])
{
    d[0] = cos(TURN * h / facets);
    d[1] = sin(TURN * h / facets);
}

static double size_of(int n, const double *x)
{
    double size = 0;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
    return size > 0 ? size : 1;
}

size_t perp_contact_pyramid_doubles(int facets)
{
    return perp_lemke_doubles(facets + 2);
}

size_t perp_contact_pyramid_ints(int facets)
{
    return perp_lemke_ints(facets + 2);
}

void perp_contact_pyramid(const double W[9], double mu, int facets, double *matrix)
{
    int n = facets + 2;
    double scale = 1 / size_of(9, W);
    memset(matrix, 0, (size_t)n * (size_t)n * sizeof *matrix);
    for (int j = 0; j <= facets; j++) {
        double column[3], d[2] = {0, 0};
        if (j > 0) direction(facets, j - 1, d);
        for (int i = 0; i < 3; i++) {
            column[i] = scale * (j == 0 ? W[i] : W[3 + i] * d[0] + W[6 + i] * d[1]);
        }
        matrix[j * n] = column[0];
        for (int i = 1; i <= facets; i++) {
            double e[2];
            direction(facets, i - 1, e);
            matrix[j * n + i] = e[0] * column[1] + e[1] * column[2];
        }
        matrix[j * n + facets + 1] = j == 0 ? mu : -1;
    }
    for (int i = 1; i <= facets; i++) matrix[(facets + 1) * n + i] = 1;
}

bool perp_contact_lemke(const double *matrix, const double W[9], const double q[3], int facets,
                        int pivots, double *doubles, int *ints, double r[3])
{
    int n = facets + 2, most = pivots > 0 ? pivots : PIVOTS * n;
    perp_lemke l;
    double scale = size_of(3, q), d[2];
    perp_lemke_open(&l, n, doubles, ints);
    for (int j = 0; j < n; j++) {
        memcpy(l.d.D + (size_t)j * (size_t)l.d.ld, matrix + (size_t)j * (size_t)n,
               (size_t)n * sizeof *matrix);
    }
    for (int i = 0; i < n; i++) l.d.D[(size_t)n * (size_t)l.d.ld + (size_t)i] = 1;
    l.d.x[0] = q[0] / scale;
    for (int h = 0; h < facets; h++) {
        direction(facets, h, d);
        l.d.x[1 + h] = (d[0] * q[1] + d[1] * q[2]) / scale;
    }
    l.d.x[n - 1] = 0;
    perp_lemke_step step = perp_lemke_start(&l);
    while (step == PERP_LEMKE_PIVOTED && l.pivots < most) step = perp_lemke_pivot(&l);
    if (step != PERP_LEMKE_SOLUTION) return false;
    double back = scale / size_of(9, W), t[2] = {0, 0};
    r[0] = back * perp_lemke_value(&l, n);
    for (int h = 0; h < facets; h++) {
        double beta = back * perp_lemke_value(&l, n + 1 + h);
        direction(facets, h, d);
        t[0] += beta * d[0];
        t[1] += beta * d[1];
    }
    r[1] = t[0];
    r[2] = t[1];
    return true;
}
