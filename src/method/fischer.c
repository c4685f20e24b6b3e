/* method/fischer.c: the Fischer-Burmeister function of a box and its derivatives.
 * Fischer, A special Newton-type optimization method, Optimization 24 (1992); Billups, Algorithms
 * for complementarity problems and generalized equations, PhD thesis, Wisconsin (1995). */
#include "fischer.h"

/* |(x, y)|; hypot only where squares would overflow or vanish. */
static inline double length_of(double x, double y)
{
    double sum = x * x + y * y;
    return sum > 1e-280 && sum < 1e280 ? sqrt(sum) : hypot(x, y);
}

static inline double phi(double x, double y)
{
    double both = x + y, length = length_of(x, y);
    return both > 0 ? 2 * x * (y / (both + length)) : both - length;
}

/* 1 - x / |(x, y)|, without cancellation. */
static inline double slope_of(double x, double y, double length)
{
    return x > 0 ? y / length * (y / (length + x)) : 1 - x / length;
}

/* Of phi, by x and by y; at (0, 0) the limit from (1, corner). */
static perp_fischer_slope slopes(double x, double y, double corner)
{
    double length = length_of(x, y);
    if (length == 0) {
        x = 1;
        y = corner;
        length = length_of(x, y);
    }
    return (perp_fischer_slope){slope_of(x, y, length), slope_of(y, x, length)};
}

double perp_fischer(double z, double F, double lo, double hi)
{
    bool below = lo > -INFINITY, above = hi < INFINITY;
    if (lo == hi) return z - lo;
    if (above) F = -phi(hi - z, -F);
    return below ? phi(z - lo, F) : F;
}

perp_fischer_slope perp_fischer_differentiate(double z, double F, double lo, double hi,
                                              double corner)
{
    bool below = lo > -INFINITY, above = hi < INFINITY;
    if (lo == hi) return (perp_fischer_slope){1, 0};
    perp_fischer_slope inner = {0, 1};
    if (above) {
        inner = slopes(hi - z, -F, corner);
        F = -phi(hi - z, -F);
    }
    if (!below) return inner;
    perp_fischer_slope outer = slopes(z - lo, F, above ? inner.a + inner.b * corner : corner);
    return (perp_fischer_slope){outer.a + outer.b * inner.a, outer.b * inner.b};
}

int perp_fischer_corner(double z, double F, double lo, double hi)
{
    if (F != 0 || lo == hi) return 0;
    return z == lo ? 1 : z == hi ? -1 : 0;
}
