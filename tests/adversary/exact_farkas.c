/* tests/adversary/exact_farkas.c: suprema over boxes and the radius of a proof. */
#include "exact_farkas.h"

#include <math.h>
#include <stdlib.h>

void farkas_open(farkas *f, int n)
{
    f->n = n;
    mpq_init(f->sum);
    f->near = exact_new(n);
    f->slope = exact_new(n);
    f->most = exact_new(n);
    f->finite = calloc((size_t)(n > 0 ? n : 1), sizeof *f->finite);
    if (!f->finite) abort();
}

void farkas_close(farkas *f)
{
    mpq_clear(f->sum);
    exact_free(f->n, f->near);
    exact_free(f->n, f->slope);
    exact_free(f->n, f->most);
    free(f->finite);
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

/* h is convex: towards an infinite bound its slope is g + e or -g at most, and where that is not
 * positive the supremum lies at the other bound. */
void farkas_set(farkas *f, int j, const mpq_t g, const mpq_t e, double lo, double hi)
{
    mpq_t up, down, at;
    mpq_inits(up, down, at, NULL);
    double nearest = exact_project(0, lo, hi);
    mpq_add(up, g, e);
    mpq_neg(down, g);
    convex_at(g, e, nearest, f->near[j]);
    if (hi > nearest && mpq_sgn(up) > 0) exact_max(f->slope[j], up);
    if (lo < nearest && mpq_sgn(down) > 0) exact_max(f->slope[j], down);
    f->finite[j] = (isfinite(hi) || mpq_sgn(up) <= 0) && (isfinite(lo) || mpq_sgn(down) <= 0);
    mpq_set(f->most[j], f->near[j]);
    for (int side = 0; side < 2; side++) {
        double end = side ? hi : lo;
        if (!isfinite(end)) continue;
        convex_at(g, e, end, at);
        if (mpq_cmp(at, f->most[j]) > 0) mpq_set(f->most[j], at);
    }
    mpq_clears(up, down, at, NULL);
}

/* room = -(sum + sum_j), unknowns with slopes of at most `allowed` by these; false: one of the
 * others has no supremum. */
static bool room_with(const farkas *f, const mpq_t allowed, mpq_t room)
{
    mpq_set(room, f->sum);
    for (int j = 0; j < f->n; j++) {
        bool by_slope = mpq_cmp(f->slope[j], allowed) <= 0;
        if (!by_slope && !f->finite[j]) return false;
        mpq_add(room, room, by_slope ? f->near[j] : f->most[j]);
    }
    mpq_neg(room, room);
    return true;
}

/* One way of counting: (room - margin) u norm >= size allowed, and room > margin. */
static void judge_with(const farkas *f, const mpq_t allowed, const mpf_t margin, const mpf_t size,
                       const mpf_t norm, judgement *j)
{
    mpq_t room;
    mpf_t left, right;
    mpq_init(room);
    mpf_init2(left, WIDE);
    mpf_init2(right, WIDE);
    if (!room_with(f, allowed, room)) {
        *j = (judgement){.wrong = true, .ratio = INFINITY, .part = "slope"};
    } else {
        mpf_set_q(left, room);
        judge_wide(j, "sum", margin, left);
        if (mpf_cmp(left, margin) <= 0 && !j->undecided && !j->wrong) {
            *j = (judgement){.wrong = true, .ratio = 1, .part = "sum"}; /* equal proves nothing */
        }
        mpf_sub(left, left, margin);
        mpf_mul(left, left, norm);
        mpf_set_d(right, UNIT_ROUNDOFF);
        mpf_mul(left, left, right);
        mpf_set_q(right, allowed);
        mpf_mul(right, right, size);
        if (mpf_sgn(right) > 0) judge_wide(j, "radius", right, left);
    }
    mpf_clears(left, right, NULL);
    mpq_clear(room);
}

/* Is a better than b: right, then undecided, then the smaller ratio of wrong ones. */
static bool better(const judgement *a, const judgement *b)
{
    int rank_a = a->wrong ? 2 : a->undecided, rank_b = b->wrong ? 2 : b->undecided;
    return rank_a != rank_b ? rank_a < rank_b : a->ratio < b->ratio;
}

void judge_farkas(const farkas *f, const mpf_t margin, const mpf_t size, const mpf_t norm,
                  judgement *j)
{
    mpq_t none;
    mpq_init(none);
    judgement best = {0};
    judge_with(f, none, margin, size, norm, &best);
    for (int k = 0; k < f->n && (best.wrong || best.undecided); k++) {
        judgement other = {0};
        judge_with(f, f->slope[k], margin, size, norm, &other);
        if (better(&other, &best)) best = other;
    }
    *j = best;
    mpq_clear(none);
}
