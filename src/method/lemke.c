/* method/lemke.c: complementary pivoting with the lexicographic ratio test.
 * Lemke 1965; Cottle, Pang, Stone, The Linear Complementarity Problem (1992), section 4.4 and 4.9.
 *
 * x stands for x + B^-1 (e, e^2, ...)': a row is the basic value followed by the row of B^-1, and
 * the row that is lexicographically least over -a_i leaves, so that no basis returns. Column j of
 * B^-1 is that of v_j in the dictionary, negated; it is fetched only for the rows that tie. Where
 * rounding hides a tie a basis may return all the same; Brent's method (BIT 20, 1980) on 64-bit
 * signatures of the bases notices it at the cost of a few operations a pivot. */
#include "lemke.h"

#include "base/clones.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>

#define NEGLIGIBLE 1e-11 /* a pivot this small against its column is rounding */
#define UNSAFE 1e-8      /* of tied rows, none with a pivot this small against the best */
#define NOISE 1e-13      /* rounding of x against its largest entry */
#define DOUBTFUL 1e4     /* a gap below so many times the noise may be a tie in exact data */
#define STRIP 32   /* running maxima; 16 or fewer are unrolled, and then gcc does not vectorise */
#define LANES 8    /* the dictionary pads its rows to a multiple of it */
#define SAME 1e-11 /* lexicographic entries this close are equal */

size_t perp_lemke_doubles(int n)
{
    return perp_dictionary_size(n, n + 1) + (size_t)n + 16;
}

size_t perp_lemke_ints(int n)
{
    return 5 * (size_t)n + 2;
}

void perp_lemke_open(perp_lemke *l, int n, double *doubles, int *ints)
{
    *l = (perp_lemke){.n = n, .noise = NOISE};
    perp_dictionary_open(&l->d, n, n + 1, doubles);
    l->column = doubles + perp_dictionary_size(n, n + 1);
    l->basic = ints;
    l->nonbasic = l->basic + n;
    l->place = l->nonbasic + n + 1;
    l->tied = l->place + 2 * n + 1;
}

double perp_lemke_value(const perp_lemke *l, int variable)
{
    int k = l->place[variable];
    return k < l->n ? l->d.x[k] : 0;
}

double perp_lemke_rate(const perp_lemke *l, int variable)
{
    int k = l->place[variable];
    if (k < l->n) return l->column[k];
    return variable == l->entering ? 1 : 0;
}

static int complement(const perp_lemke *l, int variable)
{
    return variable < l->n ? variable + l->n : variable - l->n;
}

/* 64 well-mixed bits of a variable; the signature of a basis is their sum over it, mod 2. */
static uint64_t signature(int variable)
{
    uint64_t s = ((uint64_t)variable + 1) * UINT64_C(0x9E3779B97F4A7C15);
    s = (s ^ (s >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    s = (s ^ (s >> 27)) * UINT64_C(0x94D049BB133111EB);
    return s ^ (s >> 31);
}

/* Exchange row r and column c; returns the variable that left. */
static int exchange(perp_lemke *l, int r, int c)
{
    int in = l->nonbasic[c], out = l->basic[r];
    perp_dictionary_pivot(&l->d, r, c, l->column);
    l->basic[r] = in;
    l->nonbasic[c] = out;
    l->place[in] = r;
    l->place[out] = l->n + c;
    l->basis ^= signature(in) ^ signature(out);
    return out;
}

/* Is this the basis of some pivots ago? The one it is compared with moves on at pivots 1, 2, 4, 8,
 * ..., so that it is on the cycle, and the cycle shorter than the wait, in the end. */
static bool returned(perp_lemke *l)
{
    bool same = l->basis == l->seen;
    if (++l->pivots == l->next) {
        l->seen = l->basis;
        l->next = l->next < INT_MAX / 2 ? 2 * l->next : INT_MAX;
    }
    return same;
}

perp_lemke_step perp_lemke_start(perp_lemke *l)
{
    int n = l->n, r = -1;
    double least = 0;
    const double *cover = l->d.D + (size_t)n * (size_t)l->d.ld;
    for (int i = 0; i < n; i++) {
        l->basic[i] = i;
        l->nonbasic[i] = n + i;
        l->place[i] = i;
        l->place[n + i] = n + i;
        /* of equal ratios the last is lexicographically least */
        if (l->d.x[i] < 0 && l->d.x[i] / cover[i] <= least) {
            least = l->d.x[i] / cover[i];
            r = i;
        }
    }
    l->nonbasic[n] = 2 * n;
    l->place[2 * n] = 2 * n;
    if (r < 0) return PERP_LEMKE_SOLUTION;
    perp_dictionary_column(&l->d, n, l->column);
    l->entering = complement(l, exchange(l, r, n));
    l->seen = l->basis;
    l->pivots = 0;
    l->next = 1;
    return PERP_LEMKE_PIVOTED;
}

/* Largest |x_i|. */
PERP_CLONED(double, largest, (int n, const double *x), (n, x))
{
    double most[LANES] = {0}, result = 0;
    for (int i = 0; i < n; i += LANES) {
        for (int k = 0; k < LANES; k++) {
            double a = fabs(x[i + k]);
            most[k] = a > most[k] ? a : most[k];
        }
    }
    for (int k = 0; k < LANES; k++) result = most[k] > result ? most[k] : result;
    return result;
}

/* -a over x + noise where a < small, else 0; no branch, and no division by what may be zero. */
static inline double rate_of(double a, double x, double small, double noise)
{
    return (a < small ? -a : 0) / ((x > 0 ? x : 0) + noise);
}

/* The largest rate; its reciprocal is the least ratio. noise > 0. */
PERP_CLONED(double, largest_rate,
            (int n, const double *a, const double *x, double small, double noise),
            (n, a, x, small, noise))
{
    double most[STRIP] = {0}, result = 0;
    int i = 0;
    for (; i + STRIP <= n; i += STRIP) {
        for (int k = 0; k < STRIP; k++) {
            double rate = rate_of(a[i + k], x[i + k], small, noise);
            most[k] = rate > most[k] ? rate : most[k];
        }
    }
    for (int k = 0; i + k < n; k++) {
        double rate = rate_of(a[i + k], x[i + k], small, noise);
        most[k] = rate > most[k] ? rate : most[k];
    }
    for (int k = 0; k < STRIP; k++) result = most[k] > result ? most[k] : result;
    return result;
}

/* Rows that may leave: those whose ratio is least up to the rounding of x. Returns how many. */
static int ties(perp_lemke *l)
{
    int n = l->n, padded = l->d.ld, count = 0, kept = 0;
    const double *a = l->column, *x = l->d.x;
    double small = -fmax(NEGLIGIBLE, l->noise) * largest(padded, a);
    double noise = l->noise * largest(padded, x), wide = DOUBTFUL * noise, best = 0;
    double most = largest_rate(padded, a, x, small, noise > 0 ? noise : DBL_MIN), least = 1 / most;
    if (most == 0) return 0;
    for (int i = 0; i < n; i++) {
        if (x[i] > least * -a[i] + wide || a[i] >= small) continue;
        if (x[i] > least * -a[i]) {
            l->doubtful = true;
            continue;
        }
        l->tied[count++] = i;
        if (-a[i] > best) best = -a[i];
    }
    for (int k = 0; k < count; k++) {
        int i = l->tied[k];
        if (-a[i] >= UNSAFE * best || l->basic[i] == 2 * n) l->tied[kept++] = i;
    }
    return kept;
}

/* Entry (i, j) of B^-1. */
static double inverse_entry(const perp_lemke *l, int i, int j)
{
    int k = l->place[j];
    if (k < l->n) return k == i;
    return -perp_dictionary_entry(&l->d, i, k - l->n);
}

/* Of the tied rows keep those least in column j of B^-1 over -a. */
static int keep_least(perp_lemke *l, int count, int j)
{
    double least = INFINITY, same = fmax(SAME, l->noise);
    for (int k = 0; k < count; k++) {
        double value = inverse_entry(l, l->tied[k], j) / -l->column[l->tied[k]];
        if (value < least) least = value;
    }
    int kept = 0;
    for (int k = 0; k < count; k++) {
        int i = l->tied[k];
        double value = inverse_entry(l, i, j) / -l->column[i];
        if (value <= least + same * (1 + fabs(least))) l->tied[kept++] = i;
    }
    return kept;
}

static int leaving_row(perp_lemke *l)
{
    int count = ties(l);
    if (count == 0) return -1;
    for (int k = 0; k < count; k++) {
        if (l->basic[l->tied[k]] == 2 * l->n) return l->tied[k];
    }
    for (int j = 0; j < l->n && count > 1; j++) count = keep_least(l, count, j);
    int r = l->tied[0];
    for (int k = 1; k < count; k++) {
        if (l->column[l->tied[k]] < l->column[r]) r = l->tied[k];
    }
    return r;
}

perp_lemke_step perp_lemke_pivot(perp_lemke *l)
{
    int c = l->place[l->entering] - l->n;
    perp_dictionary_column(&l->d, c, l->column);
    int r = leaving_row(l);
    if (r < 0) return PERP_LEMKE_RAY;
    int out = exchange(l, r, c);
    if (out == 2 * l->n) return PERP_LEMKE_SOLUTION;
    l->entering = complement(l, out);
    return returned(l) ? PERP_LEMKE_CYCLE : PERP_LEMKE_PIVOTED;
}
