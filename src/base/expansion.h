/* base/expansion.h: sums of products without any error, as sums of numbers that do not overlap.
 * Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates"
 * (Discrete & Computational Geometry 18, 1997). */
#ifndef PERP_BASE_EXPANSION_H
#define PERP_BASE_EXPANSION_H

#include <math.h>
#include <stdbool.h>

/* Parts that do not overlap: 40 of 53 bits fill the range of numbers; with gaps there may be more,
 * and then the sum counts as lost. */
#define EXPANSION_PARTS 64
#define EXPANSION_LEAST 0x1p-960 /* a product from here on has an error that is a number */

/* The sum of part[0] .. part[count - 1], from small to large. */
typedef struct expansion {
    int count;
    bool lost; /* more parts than there is room for, an underflow or an overflow */
    double part[EXPANSION_PARTS];
} expansion;

static inline void expansion_add(expansion *e, double x)
{
    int count = 0;
    for (int i = 0; i < e->count; i++) {
        double y = e->part[i], sum = x + y, part = sum - x;
        double error = (x - (sum - part)) + (y - part);
        if (error != 0) e->part[count++] = error;
        x = sum;
    }
    e->lost = e->lost || !isfinite(x) || count == EXPANSION_PARTS - 1;
    if (x != 0 && !e->lost) e->part[count++] = x;
    e->count = e->lost ? 0 : count;
}

static inline void expansion_add_product(expansion *e, double a, double b)
{
    double product = a * b;
    if (a == 0 || b == 0) return;
    e->lost = e->lost || !(fabs(product) >= EXPANSION_LEAST);
    expansion_add(e, fma(a, b, -product));
    expansion_add(e, product);
}

/* Within a rounding or two of the sum; 0 only where the sum is 0. NAN: lost. */
static inline double expansion_value(const expansion *e)
{
    double sum = e->lost ? NAN : 0;
    for (int i = 0; i < e->count; i++) sum += e->part[i];
    return sum;
}

#endif
