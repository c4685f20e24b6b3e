/* tests/support/refusal.h: a watched perp_solve for the tests of bad input: z finite afterwards, or
 * untouched where the problem is not valid, what lies around z and w untouched, nothing printed,
 * one sentence for whatever is not solved. */
#ifndef PERP_REFUSAL_H
#define PERP_REFUSAL_H

#include "support.h"

#include "perp/solver.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- a watched solve ---- */

#define ROOM 24
#define CANARY 12345.678

typedef struct answer {
    perp_status status;
    perp_result r;
    double z[ROOM + 1], w[ROOM + 1];
} answer;

/* Standard output and error go to a file meanwhile; returns how much arrived there. */
static long solve_quietly(const perp_problem *p, const perp_options *o, perp_arena *a, double *z,
                          double *w, answer *out)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    fflush(NULL);
    int saved_out = dup(1), saved_err = dup(2);
    ck_assert(saved_out >= 0 && saved_err >= 0);
    dup2(fileno(file), 1);
    dup2(fileno(file), 2);
    out->status = perp_solve(p, o, a, z, w, &out->r);
    fflush(NULL);
    dup2(saved_out, 1);
    dup2(saved_err, 2);
    close(saved_out);
    close(saved_err);
    fseek(file, 0, SEEK_END);
    long printed = ftell(file);
    fclose(file);
    return printed;
}

static void check_sentence(const perp_result *r)
{
    size_t length = strlen(r->detail);
    ck_assert_uint_gt(length, 5);
    ck_assert_uint_lt(length, sizeof r->detail - 1); /* not cut off */
    ck_assert_ptr_null(strchr(r->detail, '\n'));
}

/* As it was before the solve. */
static bool is_untouched(double x, int i, bool warm)
{
    return warm ? x == 1 + i : isnan(x) != 0;
}

/* The size of z is known unless the problem itself makes no sense: then nothing is written. */
static void check_vectors(int n, bool valid, bool warm, const answer *a)
{
    for (int i = 0; i < n && i <= ROOM && !valid; i++) {
        ck_assert(is_untouched(a->z[i], i, warm) && isnan(a->w[i]));
    }
    for (int i = 0; i < n && valid; i++)
        ck_assert_msg(isfinite(a->z[i]), "%s: z[%d]", a->r.detail, i);
    for (int i = n > 0 ? n : 0; i <= ROOM; i++) {
        ck_assert_double_eq(a->z[i], CANARY);
        ck_assert_double_eq(a->w[i], CANARY);
    }
}

static answer solve_with(const perp_problem *p, const perp_options *o, perp_arena *arena)
{
    answer a = {0};
    int n = perp_size(p);
    for (int i = 0; i <= ROOM; i++) a.z[i] = a.w[i] = i < n ? NAN : CANARY;
    bool warm = o && o->warm_start;
    for (int i = 0; i < n && i <= ROOM && warm; i++) a.z[i] = 1 + i;
    long printed = solve_quietly(p, o, arena, a.z, a.w, &a);
    ck_assert_msg(printed == 0, "%ld bytes printed: %s", printed, a.r.detail);
    ck_assert_int_eq(a.status, a.r.status);
    check_vectors(n, perp_validate(p, NULL) == PERP_SOLVED, warm, &a);
    if (a.status) check_sentence(&a.r);
    return a;
}

static answer solve(const perp_problem *p, const perp_options *o)
{
    perp_arena arena = {0};
    answer a = solve_with(p, o, &arena);
    ck_assert_uint_eq(arena.used, 0);
    perp_arena_free(&arena);
    return a;
}

/* The solvers for LCPs, and NULL for auto. */
static const perp_options *nth_solver(int k)
{
    for (int i = 0; perp_solvers()[i]; i++) {
        if (perp_solvers()[i]->solver->kind == PERP_KIND_LCP && k-- == 0) return perp_solvers()[i];
    }
    return NULL;
}

/* A copy of its defaults. */
static perp_options *nth_options(int k, perp_arena *a)
{
    perp_options *o = perp_options_new(a, nth_solver(k)->solver->name);
    ck_assert_ptr_nonnull(o);
    return o;
}

/* ---- a problem to spoil: z = (4/3, 7/3, 1) ---- */

typedef struct sample {
    double M[9], q[3], x[9], block[9];
    int p[4], i[9], bp[2], bj[1];
    perp_problem dense, csc, bsr3;
} sample;

static void make_sample(sample *s)
{
    static const double M[9] = {2, 1, 0, 1, 2, 0, 0, 0, 3}, q[3] = {-5, -6, -3};
    *s = (sample){.p = {0, 3, 6, 9}, .i = {2, 1, 0, 0, 1, 2, 1, 2, 0}, .bp = {0, 1}};
    memcpy(s->M, M, sizeof M);
    memcpy(s->q, q, sizeof q);
    memcpy(s->block, M, sizeof M);
    for (int k = 0; k < 9; k++) s->x[k] = M[k / 3 * 3 + s->i[k]];
    s->dense = perp_make_lcp(3, perp_dense(3, 3, s->M), s->q);
    s->csc = perp_make_lcp(3, perp_csc(3, 3, s->p, s->i, s->x), s->q);
    s->bsr3 = perp_make_lcp(3, perp_bsr3(1, 1, s->bp, s->bj, s->block), s->q);
}

#endif
