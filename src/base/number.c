/* base/number.c: reals to and from text, whatever the locale is.
 *
 * Reading is exact. Up to 19 digits are gathered in an integer w; small cases are one operation on
 * exact doubles, the rest goes through 64-bit mantissas with a bound on the error (W. D. Clinger,
 * "How to read floating point numbers accurately", 1990), and the few that come too close to the
 * middle of two doubles go to strtod as an integer and an exponent, where no locale has a say.
 * Printing tries 15, 16 and 17 digits. Cost: about a nanosecond a character read, a microsecond a
 * number printed; no memory. */
#include "number.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

#define KEPT 19          /* digits that a 64-bit integer holds */
#define EXACT_DIGITS 780 /* more than any middle of two doubles has */
#define EXPONENT_LIMIT 100000000

/* |x| = w 10^exponent, w rounded down where digits were lost. */
typedef struct decimal {
    const char *first, *last; /* the digits, with at most one point among them */
    int64_t exponent;
    uint64_t w;
    bool lost;
} decimal;

typedef struct extended {
    uint64_t m; /* in [2^63, 2^64) */
    int e;      /* the number is m 2^e */
} extended;

/* 10^(16 k), rounded to 64 bits. */
#define COARSE_FIRST (-22)
static const extended coarse[] = {
    {UINT64_C(0xcd42a11346f34f7d), -1233}, {UINT64_C(0xe3e27a444d8d98b8), -1180},
    {UINT64_C(0xfd00b897478238d1), -1127}, {UINT64_C(0x8c71dcd9ba0b4926), -1073},
    {UINT64_C(0x9becce62836ac577), -1020}, {UINT64_C(0xad1c8eab5ee43b67), -967},
    {UINT64_C(0xc0314325637a193a), -914},  {UINT64_C(0xd5605fcdcf32e1d7), -861},
    {UINT64_C(0xece53cec4a314ebe), -808},  {UINT64_C(0x8380dea93da4bc60), -754},
    {UINT64_C(0x91ff83775423cc06), -701},  {UINT64_C(0xa21727db38cb0030), -648},
    {UINT64_C(0xb3f4e093db73a093), -595},  {UINT64_C(0xc7caba6e7c5382c9), -542},
    {UINT64_C(0xddd0467c64bce4a1), -489},  {UINT64_C(0xf64335bcf065d37d), -436},
    {UINT64_C(0x88b402f7fd75539b), -382},  {UINT64_C(0x97c560ba6b0919a6), -329},
    {UINT64_C(0xa87fea27a539e9a5), -276},  {UINT64_C(0xbb127c53b17ec159), -223},
    {UINT64_C(0xcfb11ead453994ba), -170},  {UINT64_C(0xe69594bec44de15b), -117},
    {UINT64_C(0x8000000000000000), -63},   {UINT64_C(0x8e1bc9bf04000000), -10},
    {UINT64_C(0x9dc5ada82b70b59e), 43},    {UINT64_C(0xaf298d050e4395d7), 96},
    {UINT64_C(0xc2781f49ffcfa6d5), 149},   {UINT64_C(0xd7e77a8f87daf7fc), 202},
    {UINT64_C(0xefb3ab16c59b14a3), 255},   {UINT64_C(0x850fadc09923329e), 309},
    {UINT64_C(0x93ba47c980e98ce0), 362},   {UINT64_C(0xa402b9c5a8d3a6e7), 415},
    {UINT64_C(0xb616a12b7fe617aa), 468},   {UINT64_C(0xca28a291859bbf93), 521},
    {UINT64_C(0xe070f78d3927556b), 574},   {UINT64_C(0xf92e0c3537826146), 627},
    {UINT64_C(0x8a5296ffe33cc930), 681},   {UINT64_C(0x9991a6f3d6bf1766), 734},
    {UINT64_C(0xaa7eebfb9df9de8e), 787},   {UINT64_C(0xbd49d14aa79dbc82), 840},
    {UINT64_C(0xd226fc195c6a2f8c), 893},   {UINT64_C(0xe950df20247c83fd), 946},
    {UINT64_C(0x81842f29f2cce376), 1000}};
#define COARSE_LAST (COARSE_FIRST + (int)(sizeof coarse / sizeof *coarse) - 1)

static uint64_t high_product(uint64_t a, uint64_t b)
{
    const uint64_t mask = UINT64_C(0xffffffff);
    uint64_t a0 = a & mask, a1 = a >> 32, b0 = b & mask, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & mask);
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

static extended normalised(uint64_t m, int e)
{
    for (int shift = 32; shift > 0; shift /= 2) {
        if (m >> (64 - shift) == 0) {
            m <<= shift;
            e -= shift;
        }
    }
    return (extended){m, e};
}

/* x = x y; *error counts units of x.m and bounds what x and y, wrong by y_error, add up to. */
static extended multiply(extended x, extended y, unsigned y_error, unsigned *error)
{
    extended p = {high_product(x.m, y.m), x.e + y.e + 64};
    *error += y_error + 1 + (y_error && *error ? 1 : 0);
    if (p.m >> 63) return p;
    *error *= 2;
    return (extended){p.m << 1, p.e - 1};
}

/* False: too close to the middle of two doubles to tell, or not a normal number. */
static bool round_scaled(const decimal *d, double *x)
{
    static const uint64_t small[] = {UINT64_C(1),
                                     UINT64_C(10),
                                     UINT64_C(100),
                                     UINT64_C(1000),
                                     UINT64_C(10000),
                                     UINT64_C(100000),
                                     UINT64_C(1000000),
                                     UINT64_C(10000000),
                                     UINT64_C(100000000),
                                     UINT64_C(1000000000),
                                     UINT64_C(10000000000),
                                     UINT64_C(100000000000),
                                     UINT64_C(1000000000000),
                                     UINT64_C(10000000000000),
                                     UINT64_C(100000000000000),
                                     UINT64_C(1000000000000000)};
    if (d->exponent < 16 * COARSE_FIRST || d->exponent > 16 * COARSE_LAST) return false;
    int power = (int)d->exponent - 16 * COARSE_FIRST;
    extended m = normalised(d->w, 0);
    unsigned error = d->lost ? 1U << -m.e : 0; /* w has 19 digits then, and moved 4 bits at most */
    if (power % 16) m = multiply(m, normalised(small[power % 16], 0), 0, &error);
    m = multiply(m, coarse[power / 16], 1, &error);

    unsigned rest = (unsigned)(m.m & 2047), half = 1024;
    if (rest + error >= half && rest <= half + error) return false;
    double mantissa = (double)((m.m >> 11) + (rest > half));
    if (m.e + 63 < DBL_MIN_EXP || m.e + 65 > DBL_MAX_EXP) return false;
    *x = ldexp(mantissa, m.e + 11);
    return true;
}

/* The digits as an integer, with the point taken out; a 1 stands for all that follow the
 * EXACT_DIGITS-th. */
static double read_slowly(const decimal *d)
{
    char text[EXACT_DIGITS + 32];
    int count = 0, kept = 0;
    bool rest = false;
    for (const char *s = d->first; s < d->last; s++) {
        if (*s == '.' || (count == 0 && *s == '0')) continue;
        count += count < INT_MAX;
        if (count <= EXACT_DIGITS) {
            text[kept++] = *s;
        } else {
            rest |= *s != '0';
        }
    }
    /* w stands for the first KEPT digits; the text for `kept`, of which there may be more. */
    int64_t exponent = d->exponent - (kept > KEPT ? kept - KEPT : 0);
    if (rest) {
        text[kept++] = '1';
        exponent--;
    }
    if (exponent > EXPONENT_LIMIT) exponent = EXPONENT_LIMIT;
    if (exponent < -EXPONENT_LIMIT) exponent = -EXPONENT_LIMIT;
    snprintf(text + kept, sizeof text - (size_t)kept, "e%d", (int)exponent);
    return strtod(text, NULL);
}

static double decimal_value(const decimal *d)
{
    static const double small[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    double x;
    if (d->w == 0) return 0;
    if (FLT_EVAL_METHOD == 0 && !d->lost && d->w >> 53 == 0) {
        if (d->exponent >= 0 && d->exponent <= 22) return (double)d->w * small[d->exponent];
        if (d->exponent < 0 && d->exponent >= -22) return (double)d->w / small[-d->exponent];
    }
    return round_scaled(d, &x) ? x : read_slowly(d);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The end of the digits, or NULL: there is none. */
static const char *scan_digits(const char *s, const char *end, decimal *d)
{
    int used = 0;
    bool any = false, fraction = false;
    d->first = s;
    for (; s < end; s++) {
        if (*s == '.' && !fraction) {
            fraction = true;
            continue;
        }
        if (!is_digit(*s)) break;
        any = true;
        if (used < KEPT) {
            d->w = d->w * 10 + (uint64_t)(*s - '0');
            used += d->w > 0;
            d->exponent -= fraction;
        } else {
            d->lost |= *s != '0';
            d->exponent += !fraction;
        }
    }
    d->last = s;
    return any ? s : NULL;
}

/* Past "e-12", or where it stands. */
static const char *scan_exponent(const char *s, const char *end, decimal *d)
{
    const char *at = s;
    if (at == end || (*at != 'e' && *at != 'E')) return s;
    at++;
    bool negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    if (at == end || !is_digit(*at)) return s;
    int64_t value = 0;
    for (; at < end && is_digit(*at); at++) {
        if (value < (int64_t)1 << 50) value = 10 * value + (*at - '0');
    }
    d->exponent += negative ? -value : value;
    return at;
}

/* Past the word, any case, or where it stands. */
static const char *scan_word(const char *s, const char *end, const char *word)
{
    const char *at = s;
    for (; *word; word++, at++) {
        if (at == end || (*at | 32) != *word) return s;
    }
    return at;
}

static const char *scan_special(const char *s, const char *end, double *x)
{
    const char *at = scan_word(s, end, "infinity");
    if (at == s) at = scan_word(s, end, "inf");
    if (at > s) *x = INFINITY;
    if (at > s) return at;
    at = scan_word(s, end, "nan");
    if (at > s) *x = NAN;
    return at;
}

const char *perp_parse_real(const char *text, const char *end, double *x)
{
    const char *s = text;
    bool negative = s < end && *s == '-';
    s += s < end && (*s == '-' || *s == '+');
    decimal d = {0};
    double size = 0;
    const char *at = scan_digits(s, end, &d);
    if (at) {
        at = scan_exponent(at, end, &d);
        size = decimal_value(&d);
    } else {
        at = scan_special(s, end, &size);
        if (at == s) return text;
    }
    *x = negative ? -size : size;
    return at;
}

/* ---- printing ---- */

/* Digits of |x| in d1 d2 ... 10^exponent, d1 in front of the point, without zeros at the end. */
static int print_digits(double x, int precision, char *digits, int *exponent)
{
    char text[64];
    snprintf(text, sizeof text, "%.*e", precision - 1, fabs(x));
    const char *s = text;
    int count = 0;
    for (; *s && *s != 'e'; s++) { /* whatever the locale's point is, it is no digit */
        if (is_digit(*s)) digits[count++] = *s;
    }
    *exponent = *s ? (int)strtol(s + 1, NULL, 10) : 0;
    while (count > 1 && digits[count - 1] == '0') count--;
    return count;
}

/* Both parts of 12.5, 0.00125 or 1.25e-7; returns the length. */
static int arrange(bool negative, const char *digits, int count, int exponent, char *text)
{
    char *t = text;
    bool plain = exponent >= -4 && exponent < 15;
    int whole = plain ? exponent + 1 : 1; /* digits in front of the point */
    if (negative) *t++ = '-';
    if (whole <= 0) *t++ = '0';
    for (int k = 0; k < whole; k++) *t++ = k < count ? digits[k] : '0';
    if (count > whole) *t++ = '.';
    for (int k = whole; k < count; k++) *t++ = k < 0 ? '0' : digits[k];
    *t = '\0';
    if (!plain) t += sprintf(t, "e%d", exponent);
    return (int)(t - text);
}

int perp_print_real(double x, char text[32])
{
    if (!isfinite(x)) {
        strcpy(text, isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
        return (int)strlen(text);
    }
    char digits[32];
    int exponent = 0, length = 0;
    /* A subnormal number may need few digits, and 15 would be wrong ones. */
    int precision = x != 0 && fabs(x) < DBL_MIN ? 1 : 15;
    for (; precision <= 17; precision++) {
        int count = print_digits(x, precision, digits, &exponent);
        length = arrange(signbit(x) != 0, digits, count, exponent, text);
        double back = 0;
        perp_parse_real(text, text + length, &back);
        if (back == x) break;
    }
    return length;
}
