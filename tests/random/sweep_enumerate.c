/* tests/random/sweep_enumerate.c: small LCPs with any M: lcp/auto against all complementary bases.
 *
 *     sweep_enumerate COUNT SEED [SOLVER]
 *
 * draws COUNT problems of 1 to 12 unknowns from SEED on, of each class in turn: entries of M
 * uniform in [-1, 1); symmetric and indefinite; small whole numbers, singular and degenerate ones
 * among them; skew; of low rank; with a zero block. Where lcp/enumerate finds a solution SOLVER
 * (lcp/auto) has to, whatever else it may say; what it says without a solution has to be proved by
 * its vector, and residuals are computed again here. It prints, for each class, how many have a
 * solution, how many SOLVER solved, and proved to have none, and its failures. */
#include "generate.h"
#include "perp/perp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 12
#define TOL 1e-8

typedef struct lcp {
    int n;
    double M[MOST * MOST], q[MOST];
} lcp;

static double *at(lcp *p, int i, int j)
{
    return &p->M[j * p->n + i];
}

/* ---- classes ---- */

static void fill(lcp *p, generator *g)
{
    for (int k = 0; k < p->n * p->n; k++) p->M[k] = generator_uniform(g);
    for (int i = 0; i < p->n; i++) p->q[i] = generator_uniform(g);
}

static void fold(lcp *p, double sign)
{
    for (int j = 0; j < p->n; j++) {
        for (int i = 0; i <= j; i++) *at(p, j, i) = i == j && sign < 0 ? 0 : sign * *at(p, i, j);
    }
}

static void make_symmetric(lcp *p, generator *g)
{
    fill(p, g);
    fold(p, 1);
}

static void make_skew(lcp *p, generator *g)
{
    fill(p, g);
    fold(p, -1);
}

static void make_whole(lcp *p, generator *g)
{
    for (int k = 0; k < p->n * p->n; k++) p->M[k] = generator_below(g, 5) - 2;
    for (int i = 0; i < p->n; i++) p->q[i] = generator_below(g, 5) - 2;
}

static void make_low_rank(lcp *p, generator *g)
{
    double u[MOST], v[MOST];
    fill(p, g);
    memset(p->M, 0, sizeof p->M);
    for (int r = 0; r < 1 + p->n / 3; r++) {
        for (int i = 0; i < p->n; i++) {
            u[i] = generator_uniform(g);
            v[i] = generator_uniform(g);
        }
        for (int j = 0; j < p->n; j++) {
            for (int i = 0; i < p->n; i++) *at(p, i, j) += u[i] * v[j];
        }
    }
}

static void make_zero_block(lcp *p, generator *g)
{
    fill(p, g);
    for (int j = 0; j < p->n / 2; j++) {
        for (int i = 0; i < p->n / 2; i++) *at(p, i, j) = 0;
    }
}

static const struct class
{
    const char *name;
    void (*make)(lcp *p, generator *g);
} classes[] = {{"any", fill},       {"symmetric", make_symmetric}, {"whole", make_whole},
               {"skew", make_skew}, {"low_rank", make_low_rank},   {"zero_block", make_zero_block}};
#define CLASSES ((int)(sizeof classes / sizeof *classes))

/* ---- verdicts ---- */

typedef struct tally {
    int solvable, solved, proved, failed;
} tally;

/* |min(z, M z + q)| over |q|. */
static double residual(lcp *p, const double *z)
{
    long double sum = 0, size = 0;
    for (int i = 0; i < p->n; i++) {
        long double w = p->q[i];
        for (int j = 0; j < p->n; j++) w += (long double)*at(p, i, j) * z[j];
        w = w < z[i] ? w : z[i];
        sum += w * w;
        size += (long double)p->q[i] * p->q[i];
    }
    return (double)sqrtl(sum / (size > 0 ? size : 1));
}

static perp_status solve(const perp_problem *p, const char *solver, double *z, double *w,
                         perp_result *r)
{
    perp_arena a = {0};
    perp_options *o = perp_options_new(&a, solver);
    if (!o) exit(2);
    o->tol = TOL;
    perp_status s = perp_solve(p, o, &a, z, w, r);
    perp_arena_free(&a);
    return s;
}

/* Is `status` without a solution proved by w? */
static bool is_proved(const perp_problem *p, perp_status status, const double *w)
{
    perp_arena a = {0};
    perp_residual r;
    bool proved = perp_check(p, status, w, NULL, &a, &r) == PERP_SOLVED;
    perp_arena_free(&a);
    return proved;
}

static void judge(lcp *l, const char *solver, uint64_t seed, tally *t)
{
    double z[MOST], w[MOST];
    perp_problem p = perp_make_lcp(l->n, perp_dense(l->n, l->n, l->M), l->q);
    perp_result all, one;
    bool solvable = solve(&p, "lcp/enumerate", z, w, &all) == PERP_SOLVED;
    perp_status s = solve(&p, solver, z, w, &one);
    bool solved = s == PERP_SOLVED, claims = s == PERP_INFEASIBLE || s == PERP_RAY;
    bool wrong = solved && !(residual(l, z) <= 1.001 * TOL);
    bool unproved = claims && !is_proved(&p, s, w);
    t->solvable += solvable;
    t->solved += solved;
    t->proved += s == PERP_INFEASIBLE && !unproved;
    if ((solved || !solvable) && !wrong && !unproved) return;
    t->failed++;
    printf("seed %llu, n = %d: lcp/enumerate %s, %s %s, residual %.1e; %s\n",
           (unsigned long long)seed, l->n, perp_status_name(all.status), solver,
           perp_status_name(s), residual(l, z), one.detail);
}

int main(int argc, char **argv)
{
    tally t[CLASSES] = {{0}};
    int failed = 0;
    if (argc < 3 || argc > 4) {
        fprintf(stderr, "usage: sweep_enumerate COUNT SEED [SOLVER]\n");
        return 2;
    }
    uint64_t first = strtoull(argv[2], NULL, 10);
    for (int k = 0; k < atoi(argv[1]); k++) {
        uint64_t seed = first + (uint64_t)k;
        generator g = generator_start(seed);
        lcp l = {0};
        for (int c = 0; c < 8; c++) generator_unit(&g); /* neighbouring seeds start alike */
        l.n = 1 + generator_below(&g, MOST);
        classes[k % CLASSES].make(&l, &g);
        judge(&l, argc > 3 ? argv[3] : "lcp/auto", seed, &t[k % CLASSES]);
    }
    printf("class       solvable  solved  infeasible  failed\n");
    for (int c = 0; c < CLASSES; c++) {
        printf("%-10s %9d %7d %11d %7d\n", classes[c].name, t[c].solvable, t[c].solved, t[c].proved,
               t[c].failed);
        failed += t[c].failed;
    }
    return failed > 0;
}
