/* method/differences.c: columns evaluated together, and steps inside a box.
 * Curtis, Powell, Reid, On the estimation of sparse Jacobian matrices, IMA Journal of Applied
 * Mathematics 13 (1974) 117-119. */
#include "differences.h"

#include <math.h>
#include <string.h>

#define NARROW 1e-3 /* of a step: over a shorter one rounding would decide the slope */

/* The columns of each row: of row r, column[start[r] .. start[r + 1]). */
static void list_rows(int m, int n, const int *p, const int *i, int *start, int *column)
{
    memset(start, 0, ((size_t)m + 1) * sizeof *start);
    for (int k = 0; k < p[n]; k++) start[i[k]]++;
    for (int r = 0, sum = 0; r <= m; r++) {
        int count = r < m ? start[r] : 0;
        sum += count;
        start[r] = sum;
    }
    for (int j = n - 1; j >= 0; j--) { /* backwards: starts end where they belong, columns rise */
        for (int k = p[j + 1] - 1; k >= p[j]; k--) column[--start[i[k]]] = j;
    }
}

int perp_colour_columns(int m, int n, const int *p, const int *i, int *colour, int *work)
{
    int *start = work, *column = start + m + 1, *taken = column + p[n], colours = 0;
    list_rows(m, n, p, i, start, column);
    for (int j = 0; j < n; j++) taken[j] = -1; /* of colour c: the last column it was refused */
    for (int j = 0; j < n; j++) {
        for (int k = p[j]; k < p[j + 1]; k++) {
            for (int l = start[i[k]]; l < start[i[k] + 1] && column[l] < j; l++) {
                taken[colour[column[l]]] = j;
            }
        }
        int c = 0;
        while (c < colours && taken[c] == j) c++;
        colour[j] = c;
        if (c == colours) colours++;
    }
    return colours;
}

static double exactly(double z, double step)
{
    volatile double there = z + step; /* no wider register may keep more digits */
    return there - z;
}

double perp_difference_step(double z, double typical, double lo, double hi, double relative)
{
    double h = relative * fmax(typical, fabs(z));
    if (!(lo < hi)) return 0;
    if (z + h <= hi) return exactly(z, h);
    if (z - h >= lo) return exactly(z, -h);
    double room = hi - z >= z - lo ? hi - z : lo - z;
    return fabs(room) >= NARROW * h ? exactly(z, room) : 0;
}
