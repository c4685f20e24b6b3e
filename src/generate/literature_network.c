/* generate/literature_network.c: traffic, circuits, pipes. */
#include "literature_parts.h"

/* ---- Braess: three paths, 6 cars; flows 2, 2, 2, each takes 92 ---- */

static void braess(const number *z, number *F)
{
    const number *h = z, u = z[3]; /* s-a-t, s-b-t, s-a-b-t */
    number sa = h[0] + h[2], sb = h[1], at = h[0], bt = h[1] + h[2], ab = h[2];
    F[0] = 10 * sa + 50 + at - u;
    F[1] = 50 + sb + 10 * bt - u;
    F[2] = 10 * sa + 10 + ab + 10 * bt - u;
    F[3] = h[0] + h[1] + h[2] - 6;
}

static const double braess_starts[][4] = {{0, 0, 0, 0}, {6, 0, 0, 0}, {0, 0, 6, 100}, {1, 1, 1, 1}};
static const double braess_solution[] = {2, 2, 2, 92};

/* ---- Bertsekas, Gafni: a ring road, five pairs, each with a way round and a way back ---- */

enum { RING = 5 };

/* Path flows (clockwise, counterclockwise) of each pair, then their travel times. Pair k goes from
 * k to k + 2; each direction of the ring has arcs of its own, and ramps that both share. */
static void bertsekas(const number *z, number *F)
{
    static const double demand[RING] = {10, 15, 7, 9, 12};
    number clockwise[RING] = {0}, back[RING] = {0}, ramp[RING];
    for (int k = 0; k < RING; k++) {
        for (int s = 0; s < 2; s++) clockwise[(k + s) % RING] += z[2 * k];
        for (int s = 0; s < 3; s++) back[(k + RING - 1 - s) % RING] += z[2 * k + 1];
    }
    for (int k = 0; k < RING; k++) ramp[k] = z[2 * k] + z[2 * k + 1];
    for (int k = 0; k < RING; k++) {
        number go = 3 * ramp[k] + square(ramp[k]) / 20, round = go;
        for (int s = 0; s < 2; s++) {
            int e = (k + s) % RING;
            go += 10 + clockwise[e] + square(square(clockwise[e])) / 1e4 + 0.5 * back[e];
        }
        for (int s = 0; s < 3; s++) {
            int e = (k + RING - 1 - s) % RING;
            round += 10 + 2 * back[e] + square(square(back[e])) / 1e4;
        }
        F[2 * k] = go - z[2 * RING + k];
        F[2 * k + 1] = round - z[2 * RING + k];
        F[2 * RING + k] = z[2 * k] + z[2 * k + 1] - demand[k];
    }
}

static const double bertsekas_starts[][15] = {
    {0},
    {5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 100, 100, 100, 100, 100},
    {50, 0, 50, 0, 50, 0, 50, 0, 50, 0, 1, 1, 1, 1, 1}};
static const double freebert_lo[15] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -NO, -NO, -NO, -NO, -NO};

/* ---- a bridge of four diodes with resistance and a threshold ---- */

/* Voltages a, b, p against n, free; then currents of a-p, b-p, n-a, n-b. */
static void bridge(const number *z, number *F)
{
    static const double source = 10, inner = 1, load = 100, drop = 0.7, own = 0.01;
    number a = z[0], b = z[1], p = z[2], i = (source - (a - b)) / inner;
    F[0] = z[3] - z[5] - i;
    F[1] = z[4] - z[6] + i;
    F[2] = p / load - z[3] - z[4];
    F[3] = drop + own * z[3] - (a - p);
    F[4] = drop + own * z[4] - (b - p);
    F[5] = drop + own * z[5] + a;
    F[6] = drop + own * z[6] + b;
}

static const double bridge_lo[7] = {-NO, -NO, -NO};
static const double bridge_starts[][7] = {{0}, {10, 0, 10, 1, 1, 1, 1}, {-5, 5, 0, 0, 10, 10, 0}};

/* ---- a ladder of exponential diodes: I = 1e-12 (exp(40 v) - 1), in mA and kOhm ---- */

#define LADDER 6

static void ladder(const number *v, number *F)
{
    for (int k = 0; k < LADDER; k++) {
        number before = k > 0 ? v[k - 1] : 5, after = k + 1 < LADDER ? v[k + 1] : 0;
        double rest = k + 1 < LADDER ? 1 : 10;
        F[k] = (v[k] - before) + (v[k] - after) / rest + 1e-9 * (cexp(40 * v[k]) - 1);
    }
}

static bool ladder_defined(const double *v)
{
    for (int k = 0; k < LADDER; k++) {
        if (v[k] > 15) return false; /* exp(600) */
    }
    return true;
}

static const double ladder_lo[] = {-NO, -NO, -NO, -NO, -NO, -NO};
static const double ladder_starts[][LADDER] = {
    {0}, {0.6, 0.6, 0.6, 0.6, 0.6, 0.6}, {5, 5, 5, 5, 5, 5}};

/* ---- two tunnel diodes in series with a resistor: a current that falls in between ---- */

static void tunnel(const number *v, number *F)
{
    number i[2]; /* of each diode */
    for (int k = 0; k < 2; k++) {
        i[k] = 2.5 * v[k] - 10.5 * square(v[k]) + 11.8 * v[k] * square(v[k]);
    }
    F[0] = i[0] - (2 - v[0] - v[1]) / 13.3;
    F[1] = i[1] - i[0] + 0.001 * v[1];
}

static const double tunnel_lo[] = {0, 0}, tunnel_hi[] = {2, 2};
static const double tunnel_starts[][2] = {{0, 0}, {2, 2}, {0.5, 0.5}, {1, 0}};

/* ---- pipes with check valves: six pipes, four nodes, resistance q^1.852 ---- */

enum { PIPES = 6, NODES = 4 };

static number friction(number q)
{
    return creal(q) < 0 ? -cpow(-q, 1.852) : creal(q) > 0 ? cpow(q, 1.852) : 0;
}

/* Flows q >= 0 through the valves, then heads of nodes 1 to 4; node 0 is a tank. */
static void pipes(const number *z, number *F)
{
    static const int from[PIPES] = {0, 0, 1, 2, 1, 3}, to[PIPES] = {1, 2, 3, 4, 2, 4};
    static const double resistance[PIPES] = {0.5, 1, 2, 1, 0.1, 3}, draw[NODES] = {1, 0.5, 2, 1.5};
    number head[NODES + 1] = {50};
    for (int k = 0; k < NODES; k++) {
        head[k + 1] = z[PIPES + k];
        F[PIPES + k] = -draw[k];
    }
    for (int e = 0; e < PIPES; e++) {
        F[e] = resistance[e] * friction(z[e]) + head[to[e]] - head[from[e]];
        if (from[e] > 0) F[PIPES + from[e] - 1] -= z[e];
        F[PIPES + to[e] - 1] += z[e];
    }
}

static const double pipes_lo[PIPES + NODES] = {0, 0, 0, 0, 0, 0, -NO, -NO, -NO, -NO};
static const double pipes_starts[][PIPES + NODES] = {
    {1, 1, 1, 1, 1, 1, 40, 40, 40, 40}, {0}, {5, 5, 5, 5, 5, 5, 50, 50, 50, 50}};

const literature_row literature_network[] = {
    {.name = "braess",
     .about = "Braess, Unternehmensforschung 12 (1968): a new road that slows everybody down",
     .n = 4,
     .map = braess,
     .ncp = true,
     STARTS(braess_starts),
     .solution = braess_solution,
     .unique = true},
    {.name = "bertsekas",
     .about = "Bertsekas, Gafni, Mathematical Programming Study 17 (1982): traffic on a ring, not "
              "symmetric; own numbers",
     .n = 15,
     .map = bertsekas,
     .ncp = true,
     STARTS(bertsekas_starts)},
    {.name = "freebert",
     .about = "the same with free travel times, as in Dirkse, Ferris, Optimization Methods and "
              "Software 5 (1995)",
     .n = 15,
     .map = bertsekas,
     .lo = freebert_lo,
     STARTS(bertsekas_starts)},
    {.name = "bridge",
     .about = "a bridge rectifier with piecewise linear diodes (Bokhoven, Jess 1978); own numbers",
     .n = 7,
     .map = bridge,
     .lo = bridge_lo,
     STARTS(bridge_starts),
     .unique = true},
    {.name = "ladder",
     .about = "resistors and exponential diodes, all unknowns free; own numbers",
     .n = LADDER,
     .map = ladder,
     .defined = ladder_defined,
     .lo = ladder_lo,
     STARTS(ladder_starts),
     .unique = true},
    {.name = "tunnel",
     .about = "two tunnel diodes, not monotone, after Chua, Desoer, Kuh, Linear and Nonlinear "
              "Circuits (1987); own numbers",
     .n = 2,
     .map = tunnel,
     .lo = tunnel_lo,
     .hi = tunnel_hi,
     STARTS(tunnel_starts)},
    {.name = "pipes",
     .about = "water pipes with check valves and the law of Hazen and Williams: slope 0 at rest; "
              "own numbers",
     .n = PIPES + NODES,
     .map = pipes,
     .lo = pipes_lo,
     STARTS(pipes_starts)},
    {0},
};
