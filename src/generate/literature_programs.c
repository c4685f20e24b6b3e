/* generate/literature_programs.c: stationarity conditions of nonlinear programs: F = (gradient of f
 * - sum y_i gradient of g_i, g), multipliers y >= 0 where g >= 0, free where g = 0.
 * Numbers: Hock, Schittkowski, Test Examples for Nonlinear Programming Codes, Springer (1981). */
#include "literature_parts.h"

/* ---- Powell ---- */

static void powell(const number *z, number *F)
{
    const number *x = z, *y = z + 5;
    number e = cexp(x[0] * x[1] * x[2] * x[3] * x[4]);
    for (int i = 0; i < 5; i++) {
        number others = e;
        for (int j = 0; j < 5; j++) others *= j == i ? 1 : x[j];
        F[i] = others - 2 * x[i] * y[0];
    }
    F[0] -= 3 * x[0] * x[0] * y[2];
    F[1] -= x[2] * y[1] + 3 * x[1] * x[1] * y[2];
    F[2] -= x[1] * y[1];
    F[3] += 5 * x[4] * y[1];
    F[4] += 5 * x[3] * y[1];
    F[5] = -10;
    for (int i = 0; i < 5; i++) F[5] += x[i] * x[i];
    F[6] = x[1] * x[2] - 5 * x[3] * x[4];
    F[7] = x[0] * x[0] * x[0] + x[1] * x[1] * x[1] + 1;
}

static const double powell_starts[][8] = {{-2, 2, 2, -1, -1, 0, 0, 0},
                                          {-1.8, 1.7, 1.9, -0.8, -0.8, 0, 0, 0},
                                          {1, 1, 1, 1, 1, 0, 0, 0},
                                          {-2, 2, 2, -1, -1, 1, 1, 1}};

/* ---- 34 and 66: x2 >= exp(x1), x3 >= exp(x2), 0 <= x <= (100, 100, 10) ---- */

static void exponentials(const number *z, double c1, double c3, number *F)
{
    F[0] = c1 + z[3] * cexp(z[0]);
    F[1] = -z[3] + z[4] * cexp(z[1]);
    F[2] = c3 - z[4];
    F[3] = z[1] - cexp(z[0]);
    F[4] = z[2] - cexp(z[1]);
}

static void hs34(const number *z, number *F)
{
    exponentials(z, -1, 0, F);
}

static void hs66(const number *z, number *F)
{
    exponentials(z, -0.8, 0.2, F);
}

static const double exponentials_lo[5] = {0}, exponentials_hi[5] = {100, 100, 10, NO, NO};
static const double exponentials_starts[][5] = {
    {0, 1.05, 2.9, 0, 0}, {0, 0, 0, 0, 0}, {1, 2, 3, 0, 0}, {5, 5, 5, 1, 1}};
static const double hs34_solution[] = {0.8340324452479559, 2.302585092994046, 10,
                                       0.4342944819032518, 0.04342944819032518};
static const double hs66_solution[] = {0.1841264879, 1.202167873, 3.327322322, 0.665464464, 0.2};

/* ---- 35 (Beale) and 76: convex quadratic programs ---- */

static void beale(const number *z, number *F)
{
    F[0] = -8 + 4 * z[0] + 2 * z[1] + 2 * z[2] + z[3];
    F[1] = -6 + 2 * z[0] + 4 * z[1] + z[3];
    F[2] = -4 + 2 * z[0] + 2 * z[2] + 2 * z[3];
    F[3] = 3 - z[0] - z[1] - 2 * z[2];
}

static const double beale_starts[][4] = {{0.5, 0.5, 0.5, 0}, {0, 0, 0, 0}, {100, 100, 100, 100}};
static const double beale_solution[] = {4.0 / 3, 7.0 / 9, 4.0 / 9, 2.0 / 9};

static void hs76(const number *z, number *F)
{
    const number *y = z + 4;
    F[0] = 2 * z[0] - z[2] - 1 + y[0] + 3 * y[1];
    F[1] = z[1] - 3 + 2 * y[0] + y[1] - y[2];
    F[2] = 2 * z[2] - z[0] + z[3] + 1 + y[0] + 2 * y[1] - 4 * y[2];
    F[3] = z[3] + z[2] - 1 + y[0] - y[1];
    F[4] = 5 - z[0] - 2 * z[1] - z[2] - z[3];
    F[5] = 4 - 3 * z[0] - z[1] - 2 * z[2] + z[3];
    F[6] = z[1] + 4 * z[2] - 1.5;
}

static const double hs76_starts[][7] = {
    {0.5, 0.5, 0.5, 0.5}, {0}, {10, 0, 10, 0, 10, 0, 10}, {1, 1, 1, 1, 1, 1, 1}};
static const double hs76_solution[] = {3.0 / 11, 23.0 / 11, 0, 6.0 / 11, 5.0 / 11, 0, 0};

/* ---- 43 (Rosen, Suzuki): x free ---- */

static void rosen_suzuki(const number *z, number *F)
{
    const number *x = z, *y = z + 4;
    F[0] = 2 * x[0] - 5 + y[0] * (2 * x[0] + 1) + y[1] * (2 * x[0] - 1) + y[2] * (4 * x[0] + 2);
    F[1] = 2 * x[1] - 5 + y[0] * (2 * x[1] - 1) + y[1] * 4 * x[1] + y[2] * (2 * x[1] - 1);
    F[2] = 4 * x[2] - 21 + y[0] * (2 * x[2] + 1) + y[1] * 2 * x[2] + y[2] * 2 * x[2];
    F[3] = 2 * x[3] + 7 + y[0] * (2 * x[3] - 1) + y[1] * (4 * x[3] - 1) - y[2];
    number xx = square(x[0]), yy = square(x[1]), zz = square(x[2]), tt = square(x[3]);
    F[4] = 8 - xx - yy - zz - tt - x[0] + x[1] - x[2] + x[3];
    F[5] = 10 - xx - 2 * yy - zz - 2 * tt + x[0] + x[3];
    F[6] = 5 - 2 * xx - yy - zz - 2 * x[0] + x[1] + x[3];
}

static const double rosen_lo[7] = {-NO, -NO, -NO, -NO, 0, 0, 0};
static const double rosen_starts[][7] = {
    {0}, {1, 1, 1, 1, 1, 1, 1}, {10, -10, 10, -10, 0, 0, 0}, {-3, 3, 3, 3, 10, 10, 10}};
static const double rosen_solution[] = {0, 1, 2, -1, 1, 0, 2};

/* ---- 86 (Colville 1) and 117 (Colville 2), its dual ---- */

static const double colville_e[5] = {-15, -27, -36, -18, -12}, colville_d[5] = {4, 8, 10, 6, 2};
static const double colville_C[5][5] = {{30, -20, -10, 32, -10},
                                        {-20, 39, -6, -31, 32},
                                        {-10, -6, 10, -6, -10},
                                        {32, -31, -6, 39, -20},
                                        {-10, 32, -10, -20, 30}};
static const double colville_A[10][5] = {
    {-16, 2, 0, 1, 0},    {0, -2, 0, 0.4, 2}, {-3.5, 0, 2, 0, 0},   {0, -2, 0, -4, -1},
    {0, -9, -2, 1, -2.8}, {2, 0, -4, 0, 0},   {-1, -1, -1, -1, -1}, {-1, -2, -3, -2, -1},
    {1, 2, 3, 4, 5},      {1, 1, 1, 1, 1}};
static const double colville_b[10] = {-40, -2, -0.25, -4, -4, -1, -40, -60, 5, 1};

static void colville(const number *z, number *F)
{
    for (int j = 0; j < 5; j++) {
        F[j] = colville_e[j] + 3 * colville_d[j] * z[j] * z[j];
        for (int i = 0; i < 5; i++) F[j] += 2 * colville_C[i][j] * z[i];
        for (int i = 0; i < 10; i++) F[j] -= colville_A[i][j] * z[5 + i];
    }
    for (int i = 0; i < 10; i++) {
        F[5 + i] = -colville_b[i];
        for (int j = 0; j < 5; j++) F[5 + i] += colville_A[i][j] * z[j];
    }
}

/* min sum C x x + 2 sum d x^3 - b'u over u, x >= 0 with 2 C x + 3 d x^2 + e - A'u >= 0, whose
 * multipliers are the last five unknowns. */
static void colville_dual(const number *z, number *F)
{
    const number *u = z, *x = z + 10, *y = z + 15;
    for (int i = 0; i < 10; i++) {
        F[i] = -colville_b[i];
        for (int j = 0; j < 5; j++) F[i] += colville_A[i][j] * y[j];
    }
    for (int j = 0; j < 5; j++) {
        F[10 + j] = 6 * colville_d[j] * x[j] * x[j] - 6 * colville_d[j] * x[j] * y[j];
        F[15 + j] = colville_e[j] + 3 * colville_d[j] * x[j] * x[j];
        for (int i = 0; i < 5; i++) {
            F[10 + j] += 2 * colville_C[i][j] * (x[i] - y[i]);
            F[15 + j] += 2 * colville_C[i][j] * x[i];
        }
        for (int i = 0; i < 10; i++) F[15 + j] -= colville_A[i][j] * u[i];
    }
}

static const double colville_starts[][15] = {
    {0, 0, 0, 0, 1}, {0}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {10, 10, 10, 10, 10}};
/* x as published, multipliers from our own solves; so below. */
static const double colville_solution[15] = {0.3, 0.3334676065, 0.4, 0.4283101048, 0.2239648736, 0,
                                             0,   5.174040728,  0,   3.061108688,  11.83954566,  0,
                                             0,   0.1038961908};
static const double dual_starts[][20] = {
    {0.001, 0.001, 0.001, 0.001, 0.001, 0.001, 60, 0.001, 0.001, 0.001, 0.001, 0.001, 0.001, 0.001,
     0.001},
    {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
    {0}};

/* ---- 113 (Wong 2) ---- */

static void wong(const number *z, number *F)
{
    const number *x = z, *y = z + 10;
    F[0] = 2 * x[0] + x[1] - 14 + 4 * y[0] + 10 * y[1] - 8 * y[2] + 6 * (x[0] - 2) * y[3] +
           10 * x[0] * y[4] + (x[0] - 8) * y[5] + (2 * x[0] - 2 * x[1]) * y[6] - 3 * y[7];
    F[1] = 2 * x[1] + x[0] - 16 + 5 * y[0] - 8 * y[1] + 2 * y[2] + 8 * (x[1] - 3) * y[3] +
           8 * y[4] + 4 * (x[1] - 4) * y[5] + (4 * (x[1] - 2) - 2 * x[0]) * y[6] + 6 * y[7];
    F[2] = 2 * (x[2] - 10) + 4 * x[2] * y[3] + 2 * (x[2] - 6) * y[4];
    F[3] = 8 * (x[3] - 5) - 7 * y[3] - 2 * y[4];
    F[4] = 2 * (x[4] - 3) + 6 * x[4] * y[5] + 14 * y[6];
    F[5] = 4 * (x[5] - 1) - y[5] - 6 * y[6];
    F[6] = 10 * x[6] - 3 * y[0] - 17 * y[1];
    F[7] = 14 * (x[7] - 11) + 9 * y[0] + 2 * y[1];
    F[8] = 4 * (x[8] - 10) + 5 * y[2] + 24 * (x[8] - 8) * y[7];
    F[9] = 2 * (x[9] - 7) - 2 * y[2] - 7 * y[7];
    F[10] = 105 - 4 * x[0] - 5 * x[1] + 3 * x[6] - 9 * x[7];
    F[11] = -10 * x[0] + 8 * x[1] + 17 * x[6] - 2 * x[7];
    F[12] = 8 * x[0] - 2 * x[1] - 5 * x[8] + 2 * x[9] + 12;
    F[13] = -3 * square(x[0] - 2) - 4 * square(x[1] - 3) - 2 * square(x[2]) + 7 * x[3] + 120;
    F[14] = -5 * square(x[0]) - 8 * x[1] - square(x[2] - 6) + 2 * x[3] + 40;
    F[15] = -0.5 * square(x[0] - 8) - 2 * square(x[1] - 4) - 3 * square(x[4]) + x[5] + 30;
    F[16] = -square(x[0]) - 2 * square(x[1] - 2) + 2 * x[0] * x[1] - 14 * x[4] + 6 * x[5];
    F[17] = 3 * x[0] - 6 * x[1] - 12 * square(x[8] - 8) + 7 * x[9];
}

static const double wong_lo[18] = {-NO, -NO, -NO, -NO, -NO, -NO, -NO, -NO, -NO, -NO};
static const double wong_starts[][18] = {
    {2, 3, 5, 5, 1, 2, 7, 3, 6, 10}, {0}, {10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 1, 1, 1, 1, 1}};
static const double wong_solution[] = {
    2.171996371, 2.363682974,  8.773925738,  5.095984488, 0.990654765,  1.430573979,
    1.321644208, 9.828725808,  8.28009167,   8.375926664, 1.716533153,  0.4745201542,
    1.375926664, 0.0205455551, 0.3120285089, 0,           0.2870493193, 0};

/* ---- 5, 38, 45, 110: bounds alone ---- */

static void hs5(const number *x, number *F)
{
    F[0] = ccos(x[0] + x[1]) + 2 * (x[0] - x[1]) - 1.5;
    F[1] = ccos(x[0] + x[1]) - 2 * (x[0] - x[1]) + 2.5;
}

static const double hs5_lo[] = {-1.5, -3}, hs5_hi[] = {4, 3};
static const double hs5_starts[][2] = {{0, 0}, {-1, -2}, {4, 3}, {1, -1}};

static void wood(const number *x, number *F)
{
    F[0] = -400 * x[0] * (x[1] - square(x[0])) - 2 * (1 - x[0]);
    F[1] = 200 * (x[1] - square(x[0])) + 20.2 * (x[1] - 1) + 19.8 * (x[3] - 1);
    F[2] = -360 * x[2] * (x[3] - square(x[2])) - 2 * (1 - x[2]);
    F[3] = 180 * (x[3] - square(x[2])) + 20.2 * (x[3] - 1) + 19.8 * (x[1] - 1);
}

static const double wood_lo[] = {-10, -10, -10, -10}, wood_hi[] = {10, 10, 10, 10};
static const double wood_starts[][4] = {
    {-3, -1, -3, -1}, {0, 0, 0, 0}, {10, 10, 10, 10}, {-10, 10, -10, 10}};

static void hs45(const number *x, number *F)
{
    for (int i = 0; i < 5; i++) {
        F[i] = -1.0 / 120;
        for (int j = 0; j < 5; j++) F[i] *= j == i ? 1 : x[j];
    }
}

static const double hs45_lo[5] = {0}, hs45_hi[] = {1, 2, 3, 4, 5};
static const double hs45_starts[][5] = {
    {2, 2, 2, 2, 2}, {0.1, 0.1, 0.1, 0.1, 0.1}, {1, 0, 1, 0, 1}};

#define HS110 10

static void hs110(const number *x, number *F)
{
    number product = 1;
    for (int i = 0; i < HS110; i++) product *= x[i];
    for (int i = 0; i < HS110; i++) {
        F[i] = 2 * clog(x[i] - 2) / (x[i] - 2) - 2 * clog(10 - x[i]) / (10 - x[i]) -
               0.2 * cpow(product, 0.2) / x[i];
    }
}

static bool hs110_defined(const double *z)
{
    for (int i = 0; i < HS110; i++) {
        if (z[i] <= 2 || z[i] >= 10) return false;
    }
    return true;
}

static const double hs110_lo[] = {2.001, 2.001, 2.001, 2.001, 2.001,
                                  2.001, 2.001, 2.001, 2.001, 2.001};
static const double hs110_hi[] = {9.999, 9.999, 9.999, 9.999, 9.999,
                                  9.999, 9.999, 9.999, 9.999, 9.999};
static const double hs110_solution[] = {9.350265833, 9.350265833, 9.350265833, 9.350265833,
                                        9.350265833, 9.350265833, 9.350265833, 9.350265833,
                                        9.350265833, 9.350265833};
static const double hs110_starts[][HS110] = {{9, 9, 9, 9, 9, 9, 9, 9, 9, 9},
                                             {8, 8, 8, 8, 8, 8, 8, 8, 8, 8},
                                             {9, 8, 9.5, 8.5, 9, 9.9, 9, 8, 9, 9}};

const literature_row literature_programs[] = {
    {.name = "powell",
     .about =
         "Powell, in Optimization (ed. Fletcher, 1969), number 78 of Hock, Schittkowski: three "
         "equations, all unknowns free",
     .n = 8,
     .map = powell,
     STARTS(powell_starts)},
    {.name = "hs34",
     .about = "number 34 of Hock, Schittkowski: nested exponentials",
     .n = 5,
     .map = hs34,
     .lo = exponentials_lo,
     .hi = exponentials_hi,
     STARTS(exponentials_starts),
     .solution = hs34_solution},
    {.name = "hs66",
     .about = "number 66 of Hock, Schittkowski: the same, another objective",
     .n = 5,
     .map = hs66,
     .lo = exponentials_lo,
     .hi = exponentials_hi,
     STARTS(exponentials_starts),
     .solution = hs66_solution,
     .accuracy = 1e-7},
    {.name = "hs35",
     .about = "number 35 of Hock, Schittkowski (Beale): a convex quadratic program",
     .n = 4,
     .map = beale,
     .ncp = true,
     STARTS(beale_starts),
     .solution = beale_solution,
     .unique = true},
    {.name = "hs76",
     .about = "number 76 of Hock, Schittkowski: a convex quadratic program",
     .n = 7,
     .map = hs76,
     .ncp = true,
     STARTS(hs76_starts),
     .solution = hs76_solution,
     .unique = true},
    {.name = "rosen_suzuki",
     .about =
         "number 43 of Hock, Schittkowski (Rosen, Suzuki): convex, three quadratic constraints",
     .n = 7,
     .map = rosen_suzuki,
     .lo = rosen_lo,
     STARTS(rosen_starts),
     .solution = rosen_solution,
     .unique = true},
    {.name = "colville",
     .about = "number 86 of Hock, Schittkowski (Colville 1): cubic, ten rows",
     .n = 15,
     .map = colville,
     .ncp = true,
     STARTS(colville_starts),
     .solution = colville_solution,
     .accuracy = 1e-7},
    {.name = "colville_dual",
     .about = "number 117 of Hock, Schittkowski (Colville 2), the dual of the last: not convex",
     .n = 20,
     .map = colville_dual,
     .ncp = true,
     STARTS(dual_starts)},
    {.name = "wong",
     .about = "number 113 of Hock, Schittkowski (Wong 2): eight constraints, x free",
     .n = 18,
     .map = wong,
     .lo = wong_lo,
     STARTS(wong_starts),
     .solution = wong_solution,
     .accuracy = 1e-7,
     .unique = true},
    {.name = "hs5",
     .about = "number 5 of Hock, Schittkowski: a cosine in a box, several solutions",
     .n = 2,
     .map = hs5,
     .lo = hs5_lo,
     .hi = hs5_hi,
     STARTS(hs5_starts)},
    {.name = "wood",
     .about = "number 38 of Hock, Schittkowski (Wood): a curved valley in a box",
     .n = 4,
     .map = wood,
     .lo = wood_lo,
     .hi = wood_hi,
     STARTS(wood_starts)},
    {.name = "hs45",
     .about = "number 45 of Hock, Schittkowski: a product in a box, a continuum of solutions at 0",
     .n = 5,
     .map = hs45,
     .lo = hs45_lo,
     .hi = hs45_hi,
     STARTS(hs45_starts)},
    {.name = "hs110",
     .about = "number 110 of Hock, Schittkowski: logarithms, undefined just outside the box",
     .n = HS110,
     .map = hs110,
     .defined = hs110_defined,
     .lo = hs110_lo,
     .hi = hs110_hi,
     STARTS(hs110_starts),
     .solution = hs110_solution,
     .accuracy = 1e-7},
    {0},
};
