/* generate/literature_classic.c: small problems that papers on nonlinear complementarity are tested
 * on. */
#include "literature_parts.h"

/* ---- Kojima, Shindo; Josephy ---- */

static void kojima(const number *x, double c2, double c3, double constant, number *F)
{
    F[0] = 3 * x[0] * x[0] + 2 * x[0] * x[1] + 2 * x[1] * x[1] + x[2] + 3 * x[3] - 6;
    F[1] = 2 * x[0] * x[0] + x[0] + x[1] * x[1] + c2 * x[2] + 2 * x[3] - 2;
    F[2] = 3 * x[0] * x[0] + x[0] * x[1] + 2 * x[1] * x[1] + 2 * x[2] + c3 * x[3] - constant;
    F[3] = x[0] * x[0] + 3 * x[1] * x[1] + 2 * x[2] + 3 * x[3] - 3;
}

static void kojima_shindo(const number *x, number *F)
{
    kojima(x, 10, 9, 9, F);
}

static void kojima_josephy(const number *x, number *F)
{
    kojima(x, 3, 3, 1, F);
}

static const double kojima_starts[][4] = {{0, 0, 0, 0},      {1, 1, 1, 1},  {100, 100, 100, 100},
                                          {1, 0, 1, 0},      {1, 0, 0, 0},  {0, 1, 1, 0},
                                          {1.25, 0, 0, 0.5}, {10, 10, 1, 1}};
static const double kojima_solution[] = {1, 0, 3, 0};
static const double josephy_solution[] = {1.224744871391589, 0, 0, 0.5};

/* ---- Billups ---- */

static void billups(const number *x, number *F)
{
    F[0] = square(x[0] - 1) - 1.01;
}

static const double billups_starts[][1] = {{0}, {1}, {0.5}, {5}};
static const double billups_solution[] = {2.0049875621120890};

/* ---- Mathiesen ---- */

static void mathiesen_with(const number *x, double alpha, double b2, double b3, number *F)
{
    number income = b2 * x[2] + b3 * x[3];
    F[0] = -x[1] + x[2] + x[3];
    F[1] = x[0] - alpha * income / x[1];
    F[2] = b2 - x[0] - (1 - alpha) * income / x[2];
    F[3] = b3 - x[0];
}

static void mathiesen_a(const number *x, number *F)
{
    mathiesen_with(x, 0.75, 1, 0.5, F);
}

static void mathiesen_b(const number *x, number *F)
{
    mathiesen_with(x, 0.75, 1, 2, F);
}

static void mathiesen_c(const number *x, number *F)
{
    mathiesen_with(x, 0.9, 5, 3, F);
}

static bool prices_are_positive(const double *z)
{
    return z[1] > 0 && z[2] > 0;
}

static const double mathiesen_starts[][4] = {
    {1, 1, 1, 1}, {10, 10, 10, 10}, {0.1, 5, 1, 0.1}, {100, 1, 3, 1}};
static const double mathiesen_a_solution[] = {0.5, 3, 1, 2};

/* ---- Kanzow: F_i = 2 exp(sum (x_j - j + 3)^2) (x_i - i + 3), j from 1 ---- */

static void kanzow(const number *x, number *F)
{
    number sum = 0;
    for (int j = 0; j < 5; j++) sum += square(x[j] - j + 1);
    for (int i = 0; i < 5; i++) F[i] = 2 * cexp(sum) * (x[i] - i + 1);
}

static const double kanzow_starts[][5] = {{0, 0, 0, 0, 0}, {1, 1, 1, 1, 1}, {0, 0, 0, 0, 3}};
static const double kanzow_solution[] = {0, 0, 1, 2, 3};

/* ---- Taji, Fukushima, Ibaraki after Marcotte, Dussault: x >= 0, sum x >= 10 ---- */

static void taji(const number *x, number *F)
{
    static const double M[5][5] = {{0.726, -0.949, 0.266, -1.193, -0.504},
                                   {1.645, 0.678, 0.333, -0.217, -1.443},
                                   {-1.016, -0.225, 0.769, 0.934, 1.007},
                                   {1.063, 0.567, -1.144, 0.550, -0.548},
                                   {-0.259, 1.453, -1.073, 0.509, 1.026}};
    static const double q[5] = {5.308, 0.008, -0.938, 1.024, -1.312};
    number sum = -10;
    for (int i = 0; i < 5; i++) {
        F[i] = q[i] + 10 * catan(x[i] - 2) - x[5];
        for (int j = 0; j < 5; j++) F[i] += M[i][j] * x[j];
        sum += x[i];
    }
    F[5] = sum;
}

static const double taji_starts[][6] = {
    {0, 0, 0, 0, 0, 0}, {25, 0, 0, 0, 0, 0}, {10, 0, 10, 0, 10, 0}, {10, 0, 0, 0, 0, 0}};
static const double taji_solution[] = {2, 2, 2, 2, 2, 2};

/* ---- Murty: 2 above the diagonal; Fathi: L L' of the transposed; both with q = -1 ---- */

#define MURTY 16

static void murty(const number *x, number *F)
{
    for (int i = 0; i < MURTY; i++) {
        F[i] = x[i] - 1;
        for (int j = i + 1; j < MURTY; j++) F[i] += 2 * x[j];
    }
}

static void fathi(const number *x, number *F)
{
    number y[MURTY]; /* L'x, L with ones and 2 below */
    for (int i = 0; i < MURTY; i++) {
        y[i] = x[i];
        for (int j = i + 1; j < MURTY; j++) y[i] += 2 * x[j];
    }
    for (int i = 0; i < MURTY; i++) {
        F[i] = y[i] - 1;
        for (int j = 0; j < i; j++) F[i] += 2 * y[j];
    }
}

static const double murty_starts[][MURTY] = {
    {0}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {100, 0, 100, 0, 100, 0, 100}};
static const double murty_solution[MURTY] = {[MURTY - 1] = 1};
static const double fathi_solution[MURTY] = {1};

/* ---- Sun's problem with a cubic term: Ahn's form D(x) + M x + q ---- */

#define AHN 20

static void ahn(const number *x, number *F)
{
    for (int i = 0; i < AHN; i++) {
        F[i] = 4 * x[i] - (i > 0 ? x[i - 1] : 0) - 2 * (i + 1 < AHN ? x[i + 1] : 0) +
               0.1 * x[i] * x[i] * x[i] +
               (i % 3 == 0   ? -6
                : i % 3 == 1 ? 3
                             : -1);
    }
}

static const double ahn_starts[][AHN] = {{0}, {10, 10, 10, 10, 10, 10, 10}, {[AHN - 1] = 50}};

const literature_row literature_classic[] = {
    {.name = "kojima_shindo",
     .about =
         "Kojima, Shindo, J. Operations Research Society of Japan 29 (1986); two solutions, one "
         "degenerate",
     .n = 4,
     .map = kojima_shindo,
     .ncp = true,
     STARTS(kojima_starts),
     .solution = kojima_solution},
    {.name = "kojima_josephy",
     .about = "Josephy, Newton's method for generalized equations, MRC report 1965 (1979)",
     .n = 4,
     .map = kojima_josephy,
     .ncp = true,
     STARTS(kojima_starts),
     .solution = josephy_solution,
     .unique = true},
    {.name = "billups",
     .about = "Billups, PhD thesis, Wisconsin (1995): a valley of the merit between 0 and the "
              "solution",
     .n = 1,
     .map = billups,
     .ncp = true,
     STARTS(billups_starts),
     .solution = billups_solution,
     .unique = true},
    {.name = "mathiesen",
     .about = "Mathiesen, Mathematical Programming 37 (1987): a Walrasian equilibrium, a ray of "
              "solutions",
     .n = 4,
     .map = mathiesen_a,
     .defined = prices_are_positive,
     .ncp = true,
     STARTS(mathiesen_starts),
     .solution = mathiesen_a_solution},
    {.name = "mathiesen_b",
     .about = "the same with the endowments (1, 2) of Pang, Gabriel, Mathematical Programming 60 "
              "(1993)",
     .n = 4,
     .map = mathiesen_b,
     .defined = prices_are_positive,
     .ncp = true,
     STARTS(mathiesen_starts)},
    {.name = "mathiesen_c",
     .about = "the same with the share 0.9 and the endowments (5, 3)",
     .n = 4,
     .map = mathiesen_c,
     .defined = prices_are_positive,
     .ncp = true,
     STARTS(mathiesen_starts)},
    {.name = "kanzow",
     .about = "Kanzow, Computational Optimization and Applications 3 (1994): degenerate in one "
              "unknown, grows like exp(x^2)",
     .n = 5,
     .map = kanzow,
     .ncp = true,
     STARTS(kanzow_starts),
     .solution = kanzow_solution,
     .accuracy = 1e-3,
     .unique = true},
    {.name = "taji",
     .about = "Marcotte, Dussault, Operations Research Letters 6 (1987); Taji, Fukushima, Ibaraki, "
              "Mathematical Programming 58 (1993): a nonsymmetric variational inequality",
     .n = 6,
     .map = taji,
     .ncp = true,
     STARTS(taji_starts),
     .solution = taji_solution,
     .unique = true},
    {.name = "murty",
     .about = "Murty, Mathematical Programming Study 7 (1978): 2^n pivots for Lemke",
     .n = MURTY,
     .map = murty,
     .ncp = true,
     STARTS(murty_starts),
     .solution = murty_solution,
     .unique = true},
    {.name = "fathi",
     .about =
         "Fathi, Mathematical Programming 17 (1979): the same, symmetric and positive definite",
     .n = MURTY,
     .map = fathi,
     .ncp = true,
     STARTS(murty_starts),
     .solution = fathi_solution,
     .unique = true},
    {.name = "ahn",
     .about = "Ahn, Mathematical Programming 26 (1983): D(x) + M x + q, M tridiagonal and not "
              "symmetric, D cubic; own numbers",
     .n = AHN,
     .map = ahn,
     .ncp = true,
     STARTS(ahn_starts),
     .unique = true},
    {0},
};
