/* tests/adversary/exact_farkas.c: suprema over boxes, slopes, and the verdict on a proof. */
#include "exact_farkas.h"

#include <math.h>

void farkas_open(farkas *f)
{
    mpq_inits(f->sum, f->terms, f->relative, NULL);
}

void farkas_close(farkas *f)
{
    mpq_clears(f->sum, f->terms, f->relative, NULL);
}

void farkas_add(farkas *f, const mpq_t a, const mpq_t b)
{
    mpq_t term;
    mpq_init(term);
    mpq_mul(term, a, b);
    mpq_add(f->sum, f->sum, term);
    mpq_abs(term, term);
    mpq_add(f->terms, f->terms, term);
    mpq_clear(term);
}

static void add_slope(farkas *f, const mpq_t slope, const mpq_t size)
{
    if (mpq_sgn(slope) <= 0) return;
    mpq_t ratio;
    mpq_init(ratio);
    mpq_div(ratio, slope, size);
    exact_max(f->relative, ratio);
    mpq_clear(ratio);
}

/* value = g x + e max(x, 0) */
static void convex_at(const mpq_t g, const mpq_t e, double x, mpq_t value)
{
    mpq_t at;
    mpq_init(at);
    mpq_set_d(at, x);
    mpq_mul(value, g, at);
    if (x > 0) exact_add_product(value, e, at);
    mpq_clear(at);
}

/* Where the function is largest, or begins to rise for ever. */
static double anchor(const mpq_t g, const mpq_t e, double lo, double hi)
{
    if (!isfinite(lo) && !isfinite(hi)) return 0;
    if (!isfinite(lo) || !isfinite(hi)) return isfinite(lo) ? lo : hi;
    mpq_t low, high;
    mpq_inits(low, high, NULL);
    convex_at(g, e, lo, low);
    convex_at(g, e, hi, high);
    double at = mpq_cmp(high, low) > 0 ? hi : lo;
    mpq_clears(low, high, NULL);
    return at;
}

void farkas_add_sup(farkas *f, const mpq_t g, const mpq_t g_size, const mpq_t e, const mpq_t e_size,
                    double lo, double hi)
{
    mpq_t slope, size, at;
    mpq_inits(slope, size, at, NULL);
    mpq_add(slope, g, e);
    mpq_add(size, g_size, e_size);
    if (!isfinite(hi)) add_slope(f, slope, size);
    mpq_neg(slope, g);
    if (!isfinite(lo)) add_slope(f, slope, g_size);
    double x = anchor(g, e, lo, hi);
    mpq_set_d(at, x);
    farkas_add(f, g, at);
    if (x > 0) farkas_add(f, e, at);
    mpq_clears(slope, size, at, NULL);
}

void judge_farkas(const farkas *f, const mpf_t slack, int n, judgement *j)
{
    mpf_t room, part;
    mpq_t left;
    mpq_init(left);
    mpf_init2(room, WIDE);
    mpf_init2(part, WIDE);
    mpf_set_q(room, f->sum);
    mpf_neg(room, room);
    mpf_sub(room, room, slack);
    if (mpf_sgn(room) <= 0) {
        *j = (judgement){.wrong = true, .ratio = INFINITY, .part = "sum"};
    } else {
        mpf_set_d(part, (4 * n + 16) * 2 * UNIT_ROUNDOFF);
        mpf_mul(room, room, part);
        mpq_mul(left, f->relative, f->terms);
        mpf_set_q(part, left);
        if (mpf_sgn(part) > 0) judge_wide(j, "slope", part, room);
    }
    mpf_clears(room, part, NULL);
    mpq_clear(left);
}
