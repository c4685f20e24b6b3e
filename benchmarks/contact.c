/* benchmarks/contact.c: one contact, a million random problems with a known solution: how many are
 * solved to max(1e-12, 10 kappa eps), and in what time.
 *
 *     contact [COUNT [SEED]] */
#include "fc3d/contact.h"
#include "contact_cases.h"
#include "fc3d/contact_secular.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BATCH 1000 /* problems between two looks at the clock */

typedef struct tally {
    long count, unsolved, worse, fast;
    double worst; /* residual over goal */
    double *times;
} tally;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* For single problems: a hundred times quicker to read, and a median does not mind other work. */
static double tick(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void judge(const contact_case *c, const double r[3], tally *t, bool talk)
{
    double before = perp_contact_error(c->W, c->q, c->mu, c->start);
    double after = perp_contact_error(c->W, c->q, c->mu, r), q = contact_norm(c->q);
    double ratio = after / q / contact_goal(c);
    t->count++;
    if (!(after <= before)) t->worse++;
    if (!(ratio <= t->worst)) t->worst = ratio;
    if (ratio <= 1) return;
    t->unsolved++;
    if (!talk) return;
    printf("unsolved: kappa %.1e mu %.3g definite %d residual %.2e (known: %.2e), start %.2e\n",
           c->kappa, c->mu, c->definite, after / q,
           perp_contact_error(c->W, c->q, c->mu, c->solution) / q, before / q);
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 1000000, talk = 0;
    generator g = generator_start(argc > 2 ? (uint64_t)atol(argv[2]) : 1);
    static contact_case cases[BATCH];
    static double r[BATCH][3];
    tally t = {.times = malloc((size_t)count * sizeof(double))};
    double prepare = 0;
    for (long done = 0; done < count && t.times; done += BATCH) {
        for (int i = 0; i < BATCH; i++) cases[i] = contact_draw(&g);
        double start = now();
        for (int i = 0; i < BATCH; i++) {
            perp_contact_block k;
            contact_case *c = &cases[i];
            for (int j = 0; j < 3; j++) r[i][j] = c->start[j];
            perp_contact_prepare(c->W, c->mu, &k);
            perp_contact_solve(c->W, &k, c->q, r[i]);
        }
        prepare += now() - start;
        for (int i = 0; i < BATCH; i++) {
            perp_contact_block k;
            double x[3] = {cases[i].start[0], cases[i].start[1], cases[i].start[2]};
            double begin = tick();
            perp_contact_prepare(cases[i].W, cases[i].mu, &k);
            perp_contact_solve(cases[i].W, &k, cases[i].q, x);
            if (done + i < count) t.times[done + i] = tick() - begin;
            judge(&cases[i], r[i], &t, talk < 10);
            talk += t.unsolved > talk;
        }
    }
    qsort(t.times, (size_t)count, sizeof *t.times, compare);
    double begin = tick(), empty = 0;
    for (int i = 0; i < 1000; i++) empty = tick();
    empty = (empty - begin) / 1000;
    printf("problems %ld, unsolved %ld, worse than their start %ld, worst residual / goal %.2f\n",
           t.count, t.unsolved, t.worse, t.worst);
    printf("ns a problem: mean %.0f, median %.0f, 99 %% %.0f, 99.9 %% %.0f (clock %.0f deducted)\n",
           prepare / (double)t.count, t.times[count / 2] - empty,
           t.times[(long)(0.99 * (double)count)] - empty,
           t.times[(long)(0.999 * (double)count)] - empty, empty);
    free(t.times);
    return t.unsolved || t.worse;
}
