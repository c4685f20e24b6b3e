/* generate/literature_hard.c: degenerate, singular, badly scaled and non-monotone problems, games,
 * and problems without a solution. */
#include "literature_parts.h"

/* ---- equations of Moré, Garbow, Hillstrom, ACM TOMS 7 (1981), free or in a box ---- */

static void powell_singular(const number *x, number *F)
{
    F[0] = x[0] + 10 * x[1];
    F[1] = sqrt(5) * (x[2] - x[3]);
    F[2] = square(x[1] - 2 * x[2]);
    F[3] = sqrt(10) * square(x[0] - x[3]);
}

static const double singular_starts[][4] = {{3, -1, 0, 1}, {1, 1, 1, 1}, {30, -10, 0, 10}};
static const double singular_solution[4] = {0};

static void badly_scaled(const number *x, number *F)
{
    F[0] = 1e4 * x[0] * x[1] - 1;
    F[1] = cexp(-x[0]) + cexp(-x[1]) - 1.0001;
}

static const double scaled_lo[2] = {0}, scaled_hi[] = {10, 100};
static const double scaled_starts[][2] = {{0, 1}, {0, 10}, {1, 1}};

static void freudenstein(const number *x, number *F)
{
    F[0] = -13 + x[0] + ((5 - x[1]) * x[1] - 2) * x[1];
    F[1] = -29 + x[0] + ((x[1] + 1) * x[1] - 14) * x[1];
}

static const double freudenstein_lo[] = {-100, -100}, freudenstein_hi[] = {100, 100};
static const double freudenstein_starts[][2] = {{0.5, -2}, {5, -20}, {6, 5}, {0, 0}};

#define BROWN 10

static void brown(const number *x, number *F)
{
    number sum = -(BROWN + 1), product = 1;
    for (int i = 0; i < BROWN; i++) {
        sum += x[i];
        product *= x[i];
    }
    for (int i = 0; i < BROWN - 1; i++) F[i] = x[i] + sum;
    F[BROWN - 1] = product - 1;
}

static const double brown_starts[][BROWN] = {{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5},
                                             {1.1, 1.1, 1.1, 1.1, 1.1, 1, 1, 1, 1, 1}};

#define BROYDEN 20

static void broyden(const number *x, number *F)
{
    for (int i = 0; i < BROYDEN; i++) {
        number before = i > 0 ? x[i - 1] : 0, after = i + 1 < BROYDEN ? x[i + 1] : 0;
        F[i] = (3 - 2 * x[i]) * x[i] - before - 2 * after + 1;
    }
}

static const double broyden_lo[BROYDEN] = {-0.5, -0.5, -0.5, -0.5, -0.5, -0.5, -0.5,
                                           -0.5, -0.5, -0.5, -1,   -1,   -1,   -1,
                                           -1,   -1,   -1,   -1,   -1,   -1};
static const double broyden_starts[][BROYDEN] = {
    {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}, {0}};

/* ---- Chandrasekhar's H-equation, c = 0.9999: nearly singular at the solution ---- */

#define CHANDRASEKHAR 20

static void chandrasekhar(const number *x, number *F)
{
    for (int i = 0; i < CHANDRASEKHAR; i++) {
        double mu = (i + 0.5) / CHANDRASEKHAR;
        number sum = 0;
        for (int j = 0; j < CHANDRASEKHAR; j++) {
            sum += mu * x[j] / (mu + (j + 0.5) / CHANDRASEKHAR);
        }
        F[i] = x[i] - 1 / (1 - 0.9999 * sum / (2 * CHANDRASEKHAR));
    }
}

static const double chandrasekhar_starts[][CHANDRASEKHAR] = {
    {0}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}};

/* ---- degenerate: F and z vanish together, with slopes that vanish too ---- */

static void squares(const number *x, number *F)
{
    F[0] = square(x[0]) + x[1] * x[2];
    F[1] = square(x[1]) + x[0];
    F[2] = x[2] * square(x[2]) + square(x[0] - x[1]);
}

static const double squares_starts[][3] = {{1, 1, 1}, {10, 0, 10}, {0.1, 5, 0}};

static void kinked(const number *x, number *F)
{
    F[0] = x[0] + x[1] - 1;
    F[1] = x[0] - x[1] + x[2] * x[2];
    F[2] = 2 * x[1] + x[2] - 1;
}

static const double kinked_starts[][3] = {{0, 0, 0}, {1, 1, 1}, {10, -10, 10}};
static const double kinked_lo[] = {0.5, 0, -1}, kinked_hi[] = {1, 0.5, 0};

/* ---- arctan: full Newton steps diverge ---- */

static void arcus(const number *x, number *F)
{
    F[0] = catan(x[0]) + 0.1 * x[1];
    F[1] = catan(x[1] - 3) - 0.1 * x[0];
}

static const double arcus_lo[] = {-NO, 0};
static const double arcus_starts[][2] = {{5, 5}, {-20, 10}, {100, 100}};

/* ---- games: costs positive, A y >= 1 and B'x >= 1 ---- */

static void bimatrix(const number *z, number *F)
{
    static const double A[3][3] = {{3, 4, 2}, {2, 3, 4}, {4, 2, 3}}; /* rock, paper, scissors */
    static const double B[3][3] = {{3, 2, 5}, {4, 3, 2}, {2, 4, 3}};
    for (int i = 0; i < 3; i++) {
        F[i] = F[3 + i] = -1;
        for (int j = 0; j < 3; j++) {
            F[i] += A[i][j] * z[3 + j];
            F[3 + i] += B[j][i] * z[j];
        }
    }
}

static const double bimatrix_starts[][6] = {
    {0}, {1, 1, 1, 1, 1, 1}, {1, 0, 0, 0, 1, 0}, {0.1, 0.1, 0.1, 0.1, 0.1, 0.1}};

/* Three players with two choices each; cost of choice i, less the value v of the game to its
 * player, whose choices add up to 1. */
static void three_players(const number *z, number *F)
{
    static const double cost[3][2][2][2] = {{{{6, 1}, {3, 4}}, {{2, 5}, {4, 2}}},
                                            {{{2, 6}, {5, 1}}, {{4, 2}, {1, 5}}},
                                            {{{3, 4}, {1, 6}}, {{5, 1}, {4, 2}}}};
    for (int k = 0; k < 3; k++) {
        const number *second = z + 2 * ((k + 1) % 3), *third = z + 2 * ((k + 2) % 3);
        for (int i = 0; i < 2; i++) {
            F[2 * k + i] = -z[6 + k];
            for (int e = 0; e < 4; e++) {
                F[2 * k + i] += cost[k][i][e / 2][e % 2] * second[e / 2] * third[e % 2];
            }
        }
        F[6 + k] = z[2 * k] + z[2 * k + 1] - 1;
    }
}

static const double players_lo[9] = {0, 0, 0, 0, 0, 0, -NO, -NO, -NO};
static const double players_starts[][9] = {{0},
                                           {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 3, 3, 3},
                                           {1, 0, 0, 1, 1, 0, 0, 0, 0},
                                           {0, 1, 0, 1, 0, 1, 1, 1, 1}};

/* ---- a non-monotone polynomial map on a box ---- */

#define WAVES 8

static void waves(const number *x, number *F)
{
    for (int i = 0; i < WAVES; i++) {
        number next = x[(i + 1) % WAVES], other = x[(i + 3) % WAVES];
        F[i] = csin(3 * x[i]) + 0.5 * next * other - 0.3 * square(x[i]) + 0.2 * (i - 3.5);
    }
}

static const double waves_lo[] = {-2, -2, -2, -2, -2, -2, -2, -2};
static const double waves_hi[] = {2, 2, 2, 2, 2, 2, 2, 2};
static const double waves_starts[][WAVES] = {
    {0}, {2, -2, 2, -2, 2, -2, 2, -2}, {1, 1, 1, 1, 1, 1, 1, 1}, {-1, 0, 1, 0, -1, 0, 1, 0}};

/* ---- no solution ---- */

static void below_zero(const number *x, number *F)
{
    F[0] = -1 - square(x[0]);
    F[1] = x[1] - 1;
}

static const double nothing_starts[][2] = {{0, 0}, {5, 5}};

static void no_root(const number *x, number *F)
{
    F[0] = 1 + cexp(-x[0]) + 0.1 * x[1] * x[1];
    F[1] = x[1] + x[0];
}

static const double free_lo[] = {-NO, -NO};

static void apart(const number *x, number *F) /* x0 >= x1 + 1 and x1 >= x0 + 1 */
{
    F[0] = x[0] - x[1] - 1;
    F[1] = x[1] - x[0] - 1;
}

const literature_row literature_hard[] = {
    {.name = "powell_singular",
     .about = "Moré, Garbow, Hillstrom, ACM TOMS 7 (1981), 13: a singular root, unknowns free",
     .n = 4,
     .map = powell_singular,
     STARTS(singular_starts),
     .solution = singular_solution,
     .accuracy = 1e-3,
     .unique = true},
    {.name = "badly_scaled",
     .about = "Moré, Garbow, Hillstrom, 3: Powell's, in a box",
     .n = 2,
     .map = badly_scaled,
     .lo = scaled_lo,
     .hi = scaled_hi,
     STARTS(scaled_starts)},
    {.name = "freudenstein",
     .about = "Moré, Garbow, Hillstrom, 2: the sum of squares has a minimum that is no root",
     .n = 2,
     .map = freudenstein,
     .lo = freudenstein_lo,
     .hi = freudenstein_hi,
     STARTS(freudenstein_starts)},
    {.name = "brown",
     .about = "Moré, Garbow, Hillstrom, 27: almost linear",
     .n = BROWN,
     .map = brown,
     STARTS(brown_starts)},
    {.name = "broyden",
     .about = "Moré, Garbow, Hillstrom, 30: tridiagonal, with lower bounds",
     .n = BROYDEN,
     .map = broyden,
     .lo = broyden_lo,
     STARTS(broyden_starts)},
    {.name = "chandrasekhar",
     .about = "Chandrasekhar's H-equation, c = 0.9999 (Kelley, Iterative Methods, 1995)",
     .n = CHANDRASEKHAR,
     .map = chandrasekhar,
     .ncp = true,
     STARTS(chandrasekhar_starts)},
    {.name = "squares",
     .about = "z, F and the slopes vanish together; own numbers",
     .n = 3,
     .map = squares,
     .ncp = true,
     STARTS(squares_starts)},
    {.name = "kinked",
     .about = "a box whose corner is a degenerate solution; own numbers",
     .n = 3,
     .map = kinked,
     .lo = kinked_lo,
     .hi = kinked_hi,
     STARTS(kinked_starts)},
    {.name = "arcus",
     .about = "arctan, where full Newton steps diverge; own numbers",
     .n = 2,
     .map = arcus,
     .lo = arcus_lo,
     STARTS(arcus_starts)},
    {.name = "bimatrix",
     .about = "Lemke, Howson, SIAM J. 12 (1964): a bimatrix game, not monotone; own numbers",
     .n = 6,
     .map = bimatrix,
     .ncp = true,
     STARTS(bimatrix_starts)},
    {.name = "three_players",
     .about = "Rosenmueller, Wilson, SIAM J. Applied Mathematics 21 (1971): a game of three; own "
              "numbers",
     .n = 9,
     .map = three_players,
     .lo = players_lo,
     STARTS(players_starts)},
    {.name = "waves",
     .about = "sines and products in a box, many solutions; own numbers",
     .n = WAVES,
     .map = waves,
     .lo = waves_lo,
     .hi = waves_hi,
     STARTS(waves_starts)},
    {.name = "below_zero",
     .about = "no solution: F_1 < 0 everywhere",
     .n = 2,
     .map = below_zero,
     .ncp = true,
     STARTS(nothing_starts),
     .none = true},
    {.name = "no_root",
     .about = "no solution: F_1 > 0 everywhere, unknowns free",
     .n = 2,
     .map = no_root,
     .lo = free_lo,
     STARTS(nothing_starts),
     .none = true},
    {.name = "apart",
     .about = "no solution: two rows that contradict each other",
     .n = 2,
     .map = apart,
     .ncp = true,
     STARTS(nothing_starts),
     .none = true},
    {0},
};
