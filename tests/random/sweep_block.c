/* tests/random/sweep_block.c COUNT SEED: COUNT random blocks of each of 2 to 6 rows, of any rank,
 * half of them with a skew part, with a planted solution: how many method/cone_local.c solves from
 * z = 0 to max(1e-12, 32 u |B| |z| / |q|), and in what time; blocks of three rows by fc3d/contact.c
 * too. Fails where one is not solved. */
#include "base/system.h"
#include "fc3d/contact.h"
#include "generate.h"
#include "method/cone_local.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 6 };

static const struct {
    const char *name;
    int d, group[MOST];
} shapes[] = {{"1+1", 2, {-1, 1}},
              {"1+2", 3, {-1, 1, 1}},
              {"1+1+1", 3, {-1, 1, 2}},
              {"1+2+1", 4, {-1, 1, 1, 3}},
              {"1+3", 4, {-1, 1, 1, 1}},
              {"1+2+2", 5, {-1, 1, 1, 3, 3}},
              {"1+2+1+2", 6, {-1, 1, 1, 3, 4, 4}}};

enum { SHAPES = sizeof shapes / sizeof *shapes };

typedef struct draw {
    int d, rank;
    double B[MOST * MOST], q[MOST], mu[MOST], s[MOST];
} draw;

/* B'B of that rank, and a skew part. */
static void draw_matrix(generator *g, draw *w, double skew)
{
    double A[MOST * MOST];
    for (int k = 0; k < w->d * w->rank; k++) A[k] = generator_uniform(g);
    for (int i = 0; i < w->d; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0, part = i == j ? 0 : skew * generator_uniform(g);
            for (int k = 0; k < w->rank; k++) sum += A[i * w->rank + k] * A[j * w->rank + k];
            w->B[j * w->d + i] = sum + part;
            w->B[i * w->d + j] = sum - part;
        }
    }
}

/* z = P(x) and v = z - x; q follows. */
static void plant(const perp_cone_set *t, generator *g, draw *w)
{
    double z[MOST], x[MOST], size = 0;
    for (int i = 0; i < w->d; i++) z[i] = x[i] = generator_uniform(g);
    perp_cone_set_project(t, 0, z);
    for (int i = 0; i < w->d; i++) w->q[i] = z[i] - x[i];
    for (int k = 0; k < t->block[0].groups; k++) {
        const perp_cone_group *p = &t->group[k];
        size += p->s * perp_cone_set_length(p->count, w->q + p->first);
    }
    w->q[0] -= size;
    for (int i = 0; i < w->d; i++) {
        for (int j = 0; j < w->d; j++) w->q[i] -= w->B[j * w->d + i] * z[j];
    }
}

static double norm(int n, const double *x)
{
    return perp_cone_set_length(n, x);
}

static bool is_solved(const draw *w, double error, const double *z)
{
    double size = norm(w->d * w->d, w->B) * norm(w->d, z), q = norm(w->d, w->q);
    return error <= fmax(1e-12 * q, 32 * 0.5 * DBL_EPSILON * size);
}

typedef struct tally {
    long solved, drawn;
    float *seconds;
    double slowest;
} tally;

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void note(tally *t, const draw *w, double error, const double *z, double seconds,
                 const char *who)
{
    t->seconds[t->drawn++] = (float)seconds;
    t->solved += is_solved(w, error, z);
    if (seconds > t->slowest) t->slowest = seconds;
    if (is_solved(w, error, z) || t->drawn - t->solved > 10) return;
    printf("  %s: draw %ld, rank %d of %d, error %.1e, |q| %.1e, |z| %.1e\n", who, t->drawn - 1,
           w->rank, w->d, error, norm(w->d, w->q), norm(w->d, z));
}

static void report(const char *who, const tally *t)
{
    qsort(t->seconds, (size_t)t->drawn, sizeof(float), by_size);
    printf("%-18s %ld of %ld solved, median %.2f us, 99 of 100 in %.2f us, slowest %.0f us\n", who,
           t->solved, t->drawn, 1e6 * (double)t->seconds[t->drawn / 2],
           1e6 * (double)t->seconds[t->drawn - 1 - t->drawn / 100], 1e6 * t->slowest);
}

static void solve_contact(const draw *w, tally *t)
{
    perp_contact_block k;
    double r[3] = {0};
    double from = perp_now();
    perp_contact_prepare(w->B, w->mu[1], &k);
    double error = perp_contact_solve(w->B, &k, w->q, r);
    note(t, w, error, r, perp_now() - from, "contact");
}

static bool run(int shape, long count, unsigned long seed)
{
    draw w = {.d = shapes[shape].d};
    int follows[MOST] = {-1};
    const perp_cone c = {
        .n = w.d, .follows = follows, .group = shapes[shape].group, .mu = w.mu, .s = w.s};
    generator g = generator_start(seed);
    perp_arena a = {0};
    perp_cone_set t;
    perp_cone_local l;
    tally blocks = {.seconds = malloc((size_t)count * sizeof(float))};
    tally contacts = {.seconds = malloc((size_t)count * sizeof(float))};
    bool good = blocks.seconds && contacts.seconds && perp_cone_local_open(&l, &a, w.d);
    for (long k = 0; good && k < count; k++) {
        perp_mark mark = perp_arena_mark(&a);
        double share = 0.5 * (double)(k % 3), z[MOST] = {0};
        for (int i = 1; i < w.d; i++) {
            w.mu[i] = generator_unit(&g);
            w.s[i] = share * w.mu[i];
        }
        w.rank = generator_between(&g, 1, w.d);
        if (!perp_cone_set_open(&t, &a, &c)) break;
        draw_matrix(&g, &w, generator_below(&g, 2) ? 0.3 : 0);
        plant(&t, &g, &w);
        double from = perp_now();
        double error = perp_cone_local_solve(&t, 0, w.B, w.q, PERP_CONE_LOCAL_STEPS, z, &l);
        note(&blocks, &w, error, z, perp_now() - from, shapes[shape].name);
        if (shape == 1 && k % 3 == 2) solve_contact(&w, &contacts);
        perp_arena_release(&a, mark);
    }
    if (good) report(shapes[shape].name, &blocks);
    if (good && contacts.drawn) report("1+2, fc3d/contact", &contacts);
    good = good && blocks.solved == count && contacts.solved == contacts.drawn;
    free(blocks.seconds);
    free(contacts.seconds);
    perp_arena_free(&a);
    return good;
}

int main(int count, char **word)
{
    long draws = count > 1 ? atol(word[1]) : 1000;
    unsigned long seed = count > 2 ? strtoul(word[2], NULL, 10) : 1;
    bool good = true;
    for (int k = 0; k < SHAPES; k++) good = run(k, draws, seed) && good;
    return !good;
}
