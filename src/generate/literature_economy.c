/* generate/literature_economy.c: equilibria of markets: firms, economies with production, trade. */
#include "literature_parts.h"

#include <stdlib.h>

/* ---- Nash-Cournot: firms with cost c x + ... x^(1 + 1/b), demand 5000 p^-g ---- */

typedef struct cournot {
    int n;
    double gamma, scale; /* scale: K of all firms, or 1/L of Harker's */
    const double *c, *beta;
} cournot;

static void find_profit(const cournot *m, const number *x, number *F)
{
    number sum = 0;
    for (int i = 0; i < m->n; i++) sum += x[i];
    number price = cpow(5000 / sum, 1 / m->gamma);
    for (int i = 0; i < m->n; i++) {
        F[i] = m->c[i] + cpow(x[i] / m->scale, 1 / m->beta[i]) - price +
               x[i] * price / (m->gamma * sum);
    }
}

static void nash5(const number *x, number *F)
{
    static const double c[] = {10, 8, 6, 4, 2}, beta[] = {1.2, 1.1, 1, 0.9, 0.8};
    find_profit(&(cournot){5, 1.1, 5, c, beta}, x, F);
}

static void nash10(const number *x, number *F)
{
    static const double c[] = {5, 3, 8, 5, 1, 3, 7, 4, 6, 3};
    static const double beta[] = {1.2, 1, 0.9, 0.6, 1.5, 1, 0.7, 1.1, 0.95, 0.75};
    find_profit(&(cournot){10, 1.2, 0.1, c, beta}, x, F);
}

static bool outputs_are_good(int n, const double *z)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        if (z[i] < 0) return false;
        sum += z[i];
    }
    return sum > 0;
}

static bool nash5_defined(const double *z)
{
    return outputs_are_good(5, z);
}

static bool nash10_defined(const double *z)
{
    return outputs_are_good(10, z);
}

static const double nash5_starts[][5] = {
    {10, 10, 10, 10, 10}, {1, 1, 1, 1, 1}, {100, 100, 100, 100, 100}, {1, 0.1, 50, 0.1, 1}};
static const double nash10_starts[][10] = {{10, 10, 10, 10, 10, 10, 10, 10, 10, 10},
                                           {1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                                           {5, 50, 5, 50, 5, 50, 5, 50, 5, 50}};
static const double nash5_solution[] = {36.932511, 41.818140, 43.706579, 42.659240, 39.178955};
static const double nash10_solution[] = {7.4415, 4.0978, 2.5906, 0.9353, 17.9490,
                                         4.0978, 1.3047, 5.5901, 3.2222, 1.6771};
static const double murphy_lo[5] = {0}, murphy_hi[] = {30, 30, 50, 30, 50};

/* ---- price competition with logit demand ---- */

#define CHOI 6

static void choi(const number *p, number *F)
{
    static const double quality[CHOI] = {2, 2.5, 3, 1, 4, 3.5}, cost[CHOI] = {0.5, 1, 1, 0.2, 2, 1};
    number share[CHOI], sum = 1;
    for (int i = 0; i < CHOI; i++) {
        share[i] = cexp(quality[i] - p[i]);
        sum += share[i];
    }
    for (int i = 0; i < CHOI; i++) F[i] = (p[i] - cost[i]) * (1 - share[i] / sum) - 1;
}

static const double choi_starts[][CHOI] = {
    {1, 1, 1, 1, 1, 1}, {0}, {10, 10, 10, 10, 10, 10}, {0, 20, 0, 20, 0, 20}};

/* ---- economies: prices of five goods, levels of four activities ---- */

enum { GOODS = 5, ACTIVITIES = 4, CONSUMERS = 3 };
static const double technology[GOODS][ACTIVITIES] = {/* food, cloth, machines, labour, land */
                                                     {3, 0, -0.2, 2},
                                                     {0, 2, 0, -0.1},
                                                     {0, -0.2, 1, -0.5},
                                                     {-1, -1, -1.5, -0.5},
                                                     {-1, 0, 0, 0}};
static const double endowment[CONSUMERS][GOODS] = {
    {0.1, 0.1, 0.1, 10, 1}, {0.1, 0.1, 0.1, 3, 6}, {0.1, 1, 2, 5, 0.1}};
static const double taste[CONSUMERS][GOODS] = {
    {0.4, 0.3, 0.1, 0.15, 0.05}, {0.3, 0.3, 0.2, 0.1, 0.1}, {0.5, 0.2, 0.1, 0.19, 0.01}};
static const double elasticity[CONSUMERS] = {0.5, 0.9, 1.3};

/* What consumers leave of their endowments: CES demand. */
static void add_markets(const number *p, number *excess)
{
    for (int k = 0; k < CONSUMERS; k++) {
        number income = 0, cost = 0;
        for (int i = 0; i < GOODS; i++) {
            income += endowment[k][i] * p[i];
            cost += taste[k][i] * cpow(p[i], 1 - elasticity[k]);
        }
        for (int i = 0; i < GOODS; i++) {
            excess[i] += endowment[k][i] - taste[k][i] * cpow(p[i], -elasticity[k]) * income / cost;
        }
    }
}

/* F of prices and, behind them, of activities. */
static void scarf(const number *z, number *F)
{
    for (int i = 0; i < GOODS; i++) {
        F[i] = 0;
        for (int s = 0; s < ACTIVITIES; s++) F[i] += technology[i][s] * z[GOODS + s];
    }
    for (int s = 0; s < ACTIVITIES; s++) {
        F[GOODS + s] = 0;
        for (int i = 0; i < GOODS; i++) F[GOODS + s] -= technology[i][s] * z[i];
    }
    add_markets(z, F);
}

static void scarf_sum(const number *z, number *F)
{
    number sum = 0;
    scarf(z, F);
    for (int i = 0; i < GOODS; i++) {
        F[i] -= z[GOODS + ACTIVITIES];
        sum += z[i];
    }
    F[GOODS + ACTIVITIES] = sum - 1;
}

static void scarf_exchange(const number *z, number *F)
{
    for (int i = 0; i < GOODS; i++) F[i] = 0;
    add_markets(z, F);
}

static bool scarf_defined(const double *z)
{
    for (int i = 0; i < GOODS; i++) {
        if (z[i] <= 0) return false;
    }
    return true;
}

static const double scarf_lo[] = {0, 0, 0, 1, 0, 0, 0, 0, 0};
static const double scarf_hi[] = {NO, NO, NO, 1, NO, NO, NO, NO, NO};
static const double scarf_starts[][9] = {{1, 1, 1, 1, 1, 1, 1, 1, 1},
                                         {0.5, 0.6, 1.5, 1, 0.5, 3, 3, 1, 0},
                                         {10, 10, 10, 1, 10, 0, 0, 0, 0},
                                         {0.1, 0.1, 0.1, 1, 0.1, 5, 5, 5, 5}};
static const double sum_lo[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, -NO};
static const double sum_starts[][10] = {
    {0.2, 0.2, 0.2, 0.2, 0.2, 1, 1, 1, 1}, {0.1, 0.1, 0.3, 0.3, 0.2, 3, 3, 1, 0}, {1, 1, 1, 1, 1}};
static const double exchange_starts[][GOODS] = {
    {1, 1, 1, 1, 1}, {0.1, 1, 0.1, 1, 0.1}, {5, 5, 5, 1, 5}};

/* ---- Hansen, Koopmans: capital that stays what it is when the future is planned ---- */

enum { PLANS = 10, CAPITAL = 2, RESOURCES = 2 };

static void hansen_koopmans(const number *z, number *F)
{
    static const double A[CAPITAL][PLANS] = {{1, 0, 0.5, 1, 0.2, 1, 0.4, 0.2, 0.6, 0.1},
                                             {0.1, 1, 0.5, 0.2, 1, 0.5, 0.2, 0.5, 0.1, 0.4}};
    static const double made[CAPITAL][PLANS] = {{[6] = 1, [7] = 0.8}, {[8] = 1, [9] = 0.7}};
    static const double C[RESOURCES][PLANS] = {{1, 2, 1, 1.5, 2, 1, 1, 0.5, 1, 0.5},
                                               {0.5, 0.2, 1, 0.3, 0.4, 1, 0.2, 0.3, 0.3, 0.2}};
    static const double discount = 0.7, kept = 0.8, available = 0.8;
    const number *x = z, *y = z + PLANS, *u = y + CAPITAL;
    number a = x[0] + 2.5 * x[1], b = 2.5 * x[2] + x[3], c = 2 * x[4] + 3 * x[5];
    number value = cpow(a, 0.2) * cpow(b, 0.2) * cpow(c, 0.2);
    const number slope[PLANS] = {value / a, 2.5 * value / a, 2.5 * value / b,
                                 value / b, 2 * value / c,   3 * value / c};
    for (int k = 0; k < CAPITAL; k++) F[PLANS + k] = 0;
    for (int r = 0; r < RESOURCES; r++) F[PLANS + CAPITAL + r] = available;
    for (int j = 0; j < PLANS; j++) {
        F[j] = -0.2 * slope[j];
        for (int k = 0; k < CAPITAL; k++) {
            double B = kept * A[k][j] + made[k][j];
            F[j] += (A[k][j] - discount * B) * y[k];
            F[PLANS + k] += (B - A[k][j]) * x[j];
        }
        for (int r = 0; r < RESOURCES; r++) {
            F[j] += C[r][j] * u[r];
            F[PLANS + CAPITAL + r] -= C[r][j] * x[j];
        }
    }
}

static bool hansen_defined(const double *z)
{
    return z[0] + 2.5 * z[1] > 0 && 2.5 * z[2] + z[3] > 0 && 2 * z[4] + 3 * z[5] > 0;
}

static const double hansen_starts[][14] = {
    {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 1, 1, 1, 1},
    {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
    {0.01, 0.01, 0.01, 0.01, 0.01, 0.01},
    {10, 10, 10, 10, 10, 10, 10, 10, 10, 10}};

/* ---- trade between regions ---- */

enum { REGIONS = 4 };

/* Flows T_ij, row by row: supply price + transport - demand price; the supply of a region also
 * depends on its neighbour's. */
static void harker(const number *T, number *F)
{
    static const double base[REGIONS] = {1, 2, 1.5, 3}, slope[REGIONS] = {0.5, 0.4, 0.3, 0.2};
    static const double top[REGIONS] = {20, 30, 25, 28}, fall[REGIONS] = {0.8, 1, 0.5, 0.7};
    number supply[REGIONS] = {0}, demand[REGIONS] = {0};
    for (int i = 0; i < REGIONS; i++) {
        for (int j = 0; j < REGIONS; j++) {
            supply[i] += T[REGIONS * i + j];
            demand[j] += T[REGIONS * i + j];
        }
    }
    for (int i = 0; i < REGIONS; i++) {
        number price = base[i] + slope[i] * supply[i] + 0.1 * supply[(i + 1) % REGIONS] +
                       0.01 * square(supply[i]);
        for (int j = 0; j < REGIONS; j++) {
            double far = i == j ? 0 : 2 + abs(i - j);
            number t = T[REGIONS * i + j];
            F[REGIONS * i + j] = price + far + 0.05 * t * t - top[j] + fall[j] * demand[j];
        }
    }
}

static const double harker_starts[][16] = {
    {0}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {100, 0, 0, 50, 0, 100}};

enum { TOBIN = 3 };

/* Flows, supply prices, demand prices: S_i = a_i + b_i p_i^1.2, D_j = c_j / (1 + r_j). */
static void tobin(const number *z, number *F)
{
    static const double a[TOBIN] = {0, 1, 2}, b[TOBIN] = {1, 0.8, 0.6}, c[TOBIN] = {100, 60, 80};
    const number *T = z, *p = z + TOBIN * TOBIN, *r = p + TOBIN;
    for (int i = 0; i < TOBIN; i++) {
        F[TOBIN * TOBIN + i] = a[i] + b[i] * cpow(p[i], 1.2);
        F[TOBIN * TOBIN + TOBIN + i] = -c[i] / (1 + r[i]);
    }
    for (int i = 0; i < TOBIN; i++) {
        for (int j = 0; j < TOBIN; j++) {
            number t = T[TOBIN * i + j];
            F[TOBIN * i + j] = p[i] + (i == j ? 0.5 : 1 + i + j) + 0.1 * t - r[j];
            F[TOBIN * TOBIN + i] -= t;
            F[TOBIN * TOBIN + TOBIN + j] += t;
        }
    }
}

static bool tobin_defined(const double *z)
{
    for (int i = 0; i < TOBIN; i++) {
        if (z[TOBIN * TOBIN + i] < 0) return false;
    }
    return true;
}

static const double tobin_starts[][15] = {{0},
                                          {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                                          {[9] = 10, [10] = 10, [11] = 10, [12] = 20}};

/* Two plants, three markets, flows; then prices at the plants and at the markets, where demand is
 * b (p0 / p)^1.5. */
static void transport(const number *z, number *F)
{
    static const double distance[2][3] = {{2.5, 1.7, 1.8}, {2.5, 1.8, 1.4}};
    static const double supply[2] = {350, 600}, demand[3] = {325, 300, 275};
    static const double price[3] = {0.225, 0.153, 0.126};
    const number *x = z, *w = z + 6, *p = z + 8;
    for (int i = 0; i < 2; i++) F[6 + i] = supply[i];
    for (int j = 0; j < 3; j++) F[8 + j] = -demand[j] * cpow(price[j] / p[j], 1.5);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 3; j++) {
            F[3 * i + j] = w[i] + 0.09 * distance[i][j] - p[j];
            F[6 + i] -= x[3 * i + j];
            F[8 + j] += x[3 * i + j];
        }
    }
}

static bool transport_defined(const double *z)
{
    return z[8] > 0 && z[9] > 0 && z[10] > 0;
}

static const double transport_starts[][11] = {{0, 0, 0, 0, 0, 0, 0, 0, 0.225, 0.153, 0.126},
                                              {100, 100, 100, 100, 100, 100, 1, 1, 1, 1, 1},
                                              {0, 0, 0, 0, 0, 0, 0, 0, 10, 10, 10}};

/* ---- von Thuenen: crops in rings around a town ---- */

enum { CROPS = 3, RINGS = 5 };

/* Land x, crop by crop; rents; prices; the wage. */
static void von_thuenen(const number *z, number *F)
{
    static const double yield[CROPS] = {4, 2, 1}, labour[CROPS] = {2, 1, 0.3};
    static const double freight[CROPS] = {0.5, 0.2, 0.05}, wanted[CROPS] = {30, 30, 40};
    const number *x = z, *rent = z + CROPS * RINGS, *p = rent + RINGS, wage = p[CROPS];
    number *land = F + CROPS * RINGS, *market = land + RINGS, *work = market + CROPS;
    *work = 10 * csqrt(wage);
    for (int r = 0; r < RINGS; r++) land[r] = 2 * r + 3;
    for (int k = 0; k < CROPS; k++) {
        market[k] = -wanted[k] * cpow(p[k], -0.8);
        for (int r = 0; r < RINGS; r++) {
            number here = x[RINGS * k + r];
            F[RINGS * k + r] =
                rent[r] + labour[k] * wage - yield[k] * (p[k] - freight[k] * (r + 0.5));
            land[r] -= here;
            market[k] += yield[k] * here;
            *work -= labour[k] * here;
        }
    }
}

static bool thuenen_defined(const double *z)
{
    const double *p = z + CROPS * RINGS + RINGS;
    return p[0] > 0 && p[1] > 0 && p[2] > 0 && p[3] > 0;
}

static const double thuenen_starts[][24] = {
    {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
    {[20] = 5, [21] = 5, [22] = 5, [23] = 1},
    {[0] = 3, [1] = 5, [7] = 7, [13] = 9, [14] = 11, [20] = 2, [21] = 2, [22] = 2, [23] = 2}};

const literature_row literature_economy[] = {
    {.name = "nash5",
     .about = "Murphy, Sherali, Soyster, Mathematical Programming 24 (1982): Nash and Cournot, 5 "
              "firms",
     .n = 5,
     .map = nash5,
     .defined = nash5_defined,
     .ncp = true,
     STARTS(nash5_starts),
     .solution = nash5_solution,
     .accuracy = 1e-3,
     .unique = true},
    {.name = "nash10",
     .about = "Harker, Mathematical Programming 41 (1988): the same with 10 firms",
     .n = 10,
     .map = nash10,
     .defined = nash10_defined,
     .ncp = true,
     STARTS(nash10_starts),
     .solution = nash10_solution,
     .accuracy = 1e-3,
     .unique = true},
    {.name = "murphy",
     .about = "the market of Murphy, Sherali, Soyster with capacities; own numbers",
     .n = 5,
     .map = nash5,
     .defined = nash5_defined,
     .lo = murphy_lo,
     .hi = murphy_hi,
     STARTS(nash5_starts),
     .unique = true},
    {.name = "choi",
     .about = "Choi, DeSarbo, Harker, Management Science 36 (1990): prices with logit demand; own "
              "numbers",
     .n = CHOI,
     .map = choi,
     .ncp = true,
     STARTS(choi_starts)},
    {.name = "scarf",
     .about =
         "Scarf, The Computation of Economic Equilibria (1973): activities and CES demand, one "
         "price fixed; own numbers",
     .n = 9,
     .map = scarf,
     .defined = scarf_defined,
     .lo = scarf_lo,
     .hi = scarf_hi,
     STARTS(scarf_starts)},
    {.name = "scarf_sum",
     .about = "the same, prices that add up to 1",
     .n = 10,
     .map = scarf_sum,
     .defined = scarf_defined,
     .lo = sum_lo,
     STARTS(sum_starts)},
    {.name = "scarf_exchange",
     .about = "the same without activities: pure exchange",
     .n = GOODS,
     .map = scarf_exchange,
     .defined = scarf_defined,
     .lo = scarf_lo,
     .hi = scarf_hi,
     STARTS(exchange_starts)},
    {.name = "hansen_koopmans",
     .about = "Hansen, Koopmans, J. Economic Theory 5 (1972): an invariant capital stock; own "
              "numbers",
     .n = 14,
     .map = hansen_koopmans,
     .defined = hansen_defined,
     .ncp = true,
     STARTS(hansen_starts)},
    {.name = "harker",
     .about = "Harker, J. Regional Science 26 (1986): spatial equilibrium in flows, not symmetric; "
              "own numbers",
     .n = REGIONS * REGIONS,
     .map = harker,
     .ncp = true,
     STARTS(harker_starts)},
    {.name = "tobin",
     .about = "Tobin, J. Regional Science 28 (1988): spatial equilibrium in flows and prices; own "
              "numbers",
     .n = 15,
     .map = tobin,
     .defined = tobin_defined,
     .ncp = true,
     STARTS(tobin_starts)},
    {.name = "transport",
     .about =
         "Dantzig, Linear Programming and Extensions (1963), chapter 3, with elastic demand as "
         "in Rutherford, J. Economic Dynamics and Control 19 (1995)",
     .n = 11,
     .map = transport,
     .defined = transport_defined,
     .ncp = true,
     STARTS(transport_starts)},
    {.name = "von_thuenen",
     .about = "von Thuenen, Der isolierte Staat (1826): crops, rents and a wage around a town; own "
              "numbers",
     .n = 24,
     .map = von_thuenen,
     .defined = thuenen_defined,
     .ncp = true,
     STARTS(thuenen_starts)},
    {0},
};
