/* tests/adversary/draw.c: numbers, vectors and bounds of random problems, made to be difficult:
 * ties, scales from denormals to 1e300, numbers that differ in their last bits. */
#include "sample.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void draw_note(sample *s, const char *word)
{
    size_t used = strlen(s->family);
    snprintf(s->family + used, sizeof s->family - used, "%s%s", used ? " " : "", word);
}

int draw_size(generator *g, int most)
{
    int percent = generator_below(g, 100), n;
    if (percent < 1)
        n = 0;
    else if (percent < 8)
        n = 1;
    else if (percent < 45)
        n = generator_between(g, 2, 3);
    else if (percent < 78)
        n = generator_between(g, 4, 6);
    else if (percent < 96)
        n = generator_between(g, 7, 12);
    else
        n = generator_between(g, 13, MOST);
    return n < most ? n : most;
}

double draw_number(generator *g, bool integer)
{
    return integer ? generator_between(g, -3, 3) : generator_uniform(g);
}

double draw_moved(generator *g, double x)
{
    double towards = generator_below(g, 2) ? INFINITY : -INFINITY;
    for (int k = generator_between(g, 1, 3); k > 0; k--) x = nextafter(x, towards);
    return draw_clipped(x);
}

int draw_exponent(generator *g)
{
    static const int most[] = {4, 13, 40, 330, 900};
    int k = generator_below(g, 10);
    return most[k < 4 ? 0 : k < 6 ? 1 : k < 8 ? 2 : k < 9 ? 3 : 4];
}

double draw_clipped(double x)
{
    return x > 1e305 ? 1e305 : x < -1e305 ? -1e305 : x;
}

void draw_vector(sample *s, generator *g, int n, bool integer, double *x)
{
    int way = generator_below(g, 20);
    double size = 1;
    if (way == 0) {
        size = 0;
        draw_note(s, "zero vector");
    } else if (way == 1) {
        int exponent = draw_exponent(g);
        size = ldexp(1, generator_between(g, -exponent, exponent));
        draw_note(s, "scaled vector");
    } else if (way == 2) {
        size = 0x1p-1070;
        draw_note(s, "denormal vector");
    }
    for (int i = 0; i < n; i++) x[i] = draw_clipped(size * draw_number(g, integer));
}

static void scale_rows(generator *g, table *M, double *q, int exponent)
{
    for (int i = 0; i < M->m; i++) {
        int e = generator_between(g, -exponent, exponent);
        for (int j = 0; j < M->n; j++) AT(M, i, j) = draw_clipped(ldexp(AT(M, i, j), e));
        if (q) q[i] = draw_clipped(ldexp(q[i], e));
    }
}

static void scale_columns(generator *g, table *M, int exponent)
{
    for (int j = 0; j < M->n; j++) {
        int e = generator_between(g, -exponent, exponent);
        for (int i = 0; i < M->m; i++) AT(M, i, j) = draw_clipped(ldexp(AT(M, i, j), e));
    }
}

/* D M D and D q: the units of unknowns and equations change together. */
static void scale_units(generator *g, table *M, double *q, int exponent)
{
    for (int k = 0; k < M->m && M->m == M->n; k++) {
        int e = generator_between(g, -exponent, exponent);
        for (int i = 0; i < M->m; i++) AT(M, i, k) = draw_clipped(ldexp(AT(M, i, k), e));
        for (int j = 0; j < M->n; j++) AT(M, k, j) = draw_clipped(ldexp(AT(M, k, j), e));
        if (q) q[k] = draw_clipped(ldexp(q[k], e));
    }
}

void draw_scaled(sample *s, generator *g, table *M, double *q)
{
    int way = generator_below(g, 12), exponent = draw_exponent(g);
    if (way == 0) {
        scale_rows(g, M, q, exponent);
        draw_note(s, "scaled rows");
    } else if (way == 1) {
        scale_columns(g, M, exponent);
        draw_note(s, "scaled columns");
    } else if (way == 2) {
        scale_units(g, M, q, exponent);
        draw_note(s, "scaled units");
    } else if (way == 3) {
        int e = generator_between(g, -exponent, exponent);
        for (int k = 0; k < M->m * M->n; k++) M->x[k] = draw_clipped(ldexp(M->x[k], e));
        draw_note(s, "scaled matrix");
    } else if (way == 4 && generator_below(g, 3) == 0) {
        for (int k = 0; k < M->m * M->n; k++) M->x[k] = ldexp(M->x[k], -1068);
        draw_note(s, "denormal matrix");
    }
}

static void draw_interval(generator *g, double *lo, double *hi)
{
    double a = draw_number(g, generator_below(g, 2)), b = draw_number(g, generator_below(g, 2));
    double least = a < b ? a : b, most = a < b ? b : a;
    int way = generator_below(g, 12);
    bool far = (way == 6 || way == 7) && generator_below(g, 4) == 0; /* once is enough */
    switch (far || (way != 6 && way != 7) ? way : 8) {
    case 0:
        *lo = -INFINITY;
        *hi = INFINITY;
        break;
    case 1:
        *lo = -INFINITY;
        *hi = a;
        break;
    case 2:
    case 3:
        *lo = a;
        *hi = INFINITY;
        break;
    case 4: *lo = *hi = a; break;
    case 5:
        *lo = a;
        *hi = nextafter(a, INFINITY);
        break;
    case 6:
        *lo = -1e300;
        *hi = 1e300;
        break;
    case 7:
        *lo = -1e-310;
        *hi = 1e-310;
        break;
    case 8:
    case 9:
        *lo = 0;
        *hi = INFINITY;
        break;
    default: *lo = least; *hi = most;
    }
}

void draw_box(sample *s, generator *g, int n, bool crossing, double *lo, double *hi)
{
    for (int i = 0; i < n; i++) draw_interval(g, &lo[i], &hi[i]);
    if (!crossing || n == 0) return;
    int i = generator_below(g, n);
    hi[i] = draw_number(g, true);
    lo[i] = generator_below(g, 2) ? nextafter(hi[i], INFINITY) : hi[i] + 1;
    draw_note(s, "crossing bounds");
}

/* What is left of the sum y'q: a plain amount, one below usual tolerances, the last bits. */
static double draw_gap(generator *g)
{
    static const double gap[] = {1, 1e-4, 1e-7, 1e-9, 1e-12, 0x1p-50};
    return gap[generator_below(g, 6)];
}

void draw_infeasible(sample *s, generator *g, table *M, double *q)
{
    if (M->m == 0) return;
    int last = generator_below(g, M->m);
    double y[MOST], sum_q = 0;
    for (int i = 0; i < M->m; i++) y[i] = generator_below(g, 2) ? generator_between(g, 1, 3) : 0;
    bool thirds = generator_below(g, 2); /* sums that are not exact */
    for (int i = 0; i < M->m && thirds; i++) y[i] /= 3;
    y[last] = 1;
    for (int j = 0; j < M->n; j++) {
        double sum = 0;
        for (int i = 0; i < M->m; i++) sum += i == last ? 0 : y[i] * AT(M, i, j);
        AT(M, last, j) = -sum - (generator_below(g, 2) ? 0 : generator_unit(g));
        if (generator_below(g, 4) == 0) AT(M, last, j) = draw_moved(g, AT(M, last, j));
    }
    for (int i = 0; i < M->m; i++) sum_q += i == last ? 0 : y[i] * q[i];
    q[last] = -sum_q - draw_gap(g);
    draw_note(s, "infeasible");
}
