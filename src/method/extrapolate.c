/* method/extrapolate.c: the steps of slow sweeps, followed to where they lead; see extrapolation.h.
 */
#include "extrapolate.h"

#include "base/clones.h"

#include <math.h>
#include <string.h>

#define REST 4 /* sweeps between a extrapolation and the next look, twice that after a failure */
#define PARALLEL 0.8 /* cosine between two steps that may be followed */
#define SLOW 0.2     /* ratio of their lengths from which on it is worth it */
#define MOST 30      /* times the last step */

enum phase { LOOK, LOOK_AGAIN, FOLLOW, JUDGE };

bool perp_extrapolate_open(extrapolation *t, perp_arena *a, int rest, size_t n, double *x, size_t m,
                           double *beside)
{
    *t = (extrapolation){.part = {{.n = n, .x = x}, {.n = m, .x = beside}}, .rest = rest};
    t->first = perp_alloc_unset(a, n, sizeof *x);
    for (int k = 0; k < 2; k++) {
        t->part[k].before = perp_alloc_unset(a, t->part[k].n, sizeof *x);
        t->part[k].kept = perp_alloc_unset(a, t->part[k].n, sizeof *x);
    }
    return !a->failed;
}

static void copy(size_t n, const double *x, double *y)
{
    if (n) memcpy(y, x, n * sizeof *x);
}

static void begin(extrapolation *t, int rest)
{
    t->phase = LOOK;
    t->rest = rest;
}

/* d.d, d.d' and d'.d' of the last two steps. */
PERP_CLONED_VOID(compare, (const extrapolation *t, double product[3]), (t, product))
{
    const extrapolate_part *p = &t->part[0];
    double sum[3][4] = {{0}};
    for (size_t i = 0; i < p->n; i++) {
        double d = p->before[i] - t->first[i], e = p->x[i] - p->before[i];
        sum[0][i % 4] += d * d;
        sum[1][i % 4] += d * e;
        sum[2][i % 4] += e * e;
    }
    for (int k = 0; k < 3; k++) product[k] = (sum[k][0] + sum[k][1]) + (sum[k][2] + sum[k][3]);
}

/* Beyond x by so many last steps; `before` becomes where the next sweep begins. */
static void extend(extrapolate_part *p, double times)
{
    for (size_t i = 0; i < p->n; i++) {
        double x = p->x[i];
        p->kept[i] = x;
        p->before[i] = p->x[i] = x + times * (x - p->before[i]);
    }
}

static void follow(extrapolation *t)
{
    double product[3];
    compare(t, product);
    double ratio = product[1] / product[0];
    bool parallel = product[1] > PARALLEL * sqrt(product[0]) * sqrt(product[2]);
    begin(t, REST);
    if (!(parallel && ratio > SLOW && ratio < 1)) return; /* also NaN */
    double times = ratio / (1 - ratio);
    for (int k = 0; k < 2; k++) extend(&t->part[k], times < MOST ? times : MOST);
    t->length = product[2];
    t->phase = JUDGE;
    t->rest = 0;
}

static void judge(extrapolation *t)
{
    const extrapolate_part *p = &t->part[0];
    double length = 0;
    for (size_t i = 0; i < p->n; i++) {
        double d = p->x[i] - p->before[i];
        length += d * d;
    }
    begin(t, REST);
    if (length <= t->length) return;
    for (int k = 0; k < 2; k++) copy(t->part[k].n, t->part[k].kept, t->part[k].x);
    begin(t, 2 * REST);
}

void perp_extrapolate_step(extrapolation *t)
{
    if (t->rest > 0) {
        t->rest--;
        return;
    }
    switch (t->phase) {
    case LOOK:
        copy(t->part[0].n, t->part[0].x, t->first);
        t->phase = LOOK_AGAIN;
        return;
    case LOOK_AGAIN:
        for (int k = 0; k < 2; k++) copy(t->part[k].n, t->part[k].x, t->part[k].before);
        t->phase = FOLLOW;
        return;
    case FOLLOW: follow(t); return;
    default: judge(t);
    }
}
