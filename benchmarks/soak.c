/* soak.c: settled spheres, left alone for a long time: they must not move, no contact may be lost,
 * and memory must not grow.
 *
 *     soak [SECONDS [SPHERES [SOLVER [TOL]]]]
 *
 * SECONDS are simulated, after 40 that the spheres have to settle in. Held are spheres that rest on
 * at least three contacts with others that are held, or walls; the others roll where they like. The
 * exit status is 1 when a held sphere moved by more than a thousandth of its radius, a contact
 * between held ones opened by more than a tenth of that, or the process grew by more than 256 kB;
 * steps that were not certified are counted. */
#include "scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SETTLE 30     /* seconds */
#define CLOSED 1e-5   /* gap of a contact that counts, in radii */
#define DRIFT 1e-3    /* allowed, in radii: what the tolerance lets pass as velocity adds up */
#define OPEN 1e-4     /* gap of a contact that is lost, in radii */
#define GROWTH 262144 /* allowed, bytes */
#define ROLLING 0.01  /* rolling friction: without it what rolls does so for ever */
#define REPORTS 10

typedef struct soak {
    sim s;
    perp_options *solver;
    double radius, *start;    /* places when the soak began */
    bool *held;               /* of every body */
    int (*pair)[3], contacts; /* bodies and id of contacts between held ones, then */
    long resident;            /* bytes, then */
    int uncertified;
} soak;

typedef struct state {
    double drift, gap; /* worst, in radii */
    int lost;
    long growth;
} state;

static long resident(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f) return 0;
    if (fscanf(f, "%*s %ld", &pages) != 1) pages = 0;
    fclose(f);
    return pages * sysconf(_SC_PAGESIZE);
}

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool run(soak *k, double seconds)
{
    int steps = (int)round(seconds / k->s.step.dt);
    for (int n = 0; n < steps; n++) {
        perp_step_report r;
        if (sim_step(&k->s, &r) < 0) {
            fprintf(stderr, "soak: %s\n", r.detail);
            return false;
        }
        k->uncertified += r.status > 0;
    }
    return true;
}

/* Both sides are walls or held. */
static bool is_held(const soak *k, const perp_contact *c)
{
    return (c->a < 0 || k->held[c->a]) && (c->b < 0 || k->held[c->b]);
}

static bool is_closed(const soak *k, const perp_contact *c)
{
    return c->gap <= CLOSED * k->radius;
}

/* Spheres with fewer than three closed contacts are loose; so are those that lean on them alone. */
static int find_held(soak *k)
{
    const perp_world *w = &k->s.world;
    int *count = malloc((size_t)w->bodies * sizeof *count), loose = 0;
    if (!count) return -1;
    for (int b = 0; b < w->bodies; b++) k->held[b] = true;
    for (bool changed = true; changed;) {
        changed = false;
        memset(count, 0, (size_t)w->bodies * sizeof *count);
        for (int n = 0; n < w->contacts; n++) {
            const perp_contact *c = w->contact + n;
            if (!is_closed(k, c) || !is_held(k, c)) continue;
            if (c->a >= 0) count[c->a]++;
            if (c->b >= 0) count[c->b]++;
        }
        for (int b = 0; b < w->bodies; b++) {
            if (!k->held[b] || count[b] >= 3) continue;
            k->held[b] = false;
            changed = true;
            loose++;
        }
    }
    free(count);
    return loose;
}

static void remember(soak *k)
{
    const perp_world *w = &k->s.world;
    for (int b = 0; b < w->bodies; b++)
        memcpy(k->start + 3 * (size_t)b, w->body[b].position, sizeof w->body[b].position);
    for (int n = 0; n < w->contacts; n++) {
        const perp_contact *c = w->contact + n;
        if (!is_closed(k, c) || !is_held(k, c)) continue;
        int *pair = k->pair[k->contacts++];
        pair[0] = c->a;
        pair[1] = c->b;
        pair[2] = c->id;
    }
    k->resident = resident();
}

static state look(const soak *k)
{
    const perp_world *w = &k->s.world;
    state x = {.growth = resident() - k->resident};
    for (int b = 0; b < w->bodies; b++) {
        double square = 0;
        for (int i = 0; i < 3; i++)
            square += pow(w->body[b].position[i] - k->start[3 * (size_t)b + (size_t)i], 2);
        if (k->held[b]) x.drift = fmax(x.drift, sqrt(square) / k->radius);
    }
    for (int n = 0; n < k->contacts; n++) {
        const int *pair = k->pair[n];
        bool found = false;
        for (int m = 0; m < w->contacts && !found; m++) {
            const perp_contact *c = w->contact + m;
            if (c->a != pair[0] || c->b != pair[1] || c->id != pair[2]) continue;
            x.gap = fmax(x.gap, c->gap / k->radius);
            found = c->gap <= OPEN * k->radius;
        }
        x.lost += !found;
    }
    return x;
}

static bool open(soak *k, int argc, char **argv, perp_arena *a)
{
    perp_error e = {.status = PERP_SOLVED};
    sim_open(&k->s, sim_find("settling"));
    if (sim_set(&k->s, "spheres", argc > 2 ? argv[2] : "320", &e) || sim_build(&k->s, &e)) {
        fprintf(stderr, "soak: %s\n", e.text);
        return false;
    }
    perp_options *o = perp_options_new(a, argc > 3 ? argv[3] : "fc3d/nsgs");
    if (!o) {
        fprintf(stderr, "soak: no solver '%s'\n", argv[3]);
        return false;
    }
    o->tol = 1e-6;
    o->max_iter = 2000;
    k->s.step.solver = k->solver = o;
    k->s.step.rolling_friction = ROLLING;
    k->radius = sim_get(&k->s, "radius");
    size_t bodies = (size_t)k->s.world.bodies;
    k->start = perp_alloc(a, 3 * bodies, sizeof *k->start);
    k->held = perp_alloc(a, bodies, sizeof *k->held);
    return k->start && k->held;
}

static bool soak_for(soak *k, double seconds)
{
    bool good = true;
    int early = k->uncertified;
    for (int n = 1; n <= REPORTS && good; n++) {
        double begin = cpu_now();
        if (!run(k, seconds / REPORTS)) return false;
        state x = look(k);
        printf("t = %8.1f s  %6.1f s of CPU  moved %.1e R  widest gap %9.1e R  lost %d of %d  "
               "%+ld kB  %d not certified\n",
               k->s.world.time, cpu_now() - begin, x.drift, x.gap, x.lost, k->contacts,
               x.growth / 1024, k->uncertified - early);
        fflush(stdout);
        good = x.drift <= DRIFT && x.lost == 0 && x.growth <= GROWTH;
    }
    return good;
}

int main(int argc, char **argv)
{
    static soak k;
    perp_arena a = {0};
    double seconds = argc > 1 ? atof(argv[1]) : 600;
    bool good = seconds > 0 && open(&k, argc, argv, &a) && run(&k, SETTLE);
    if (good) k.solver->tol = argc > 4 ? atof(argv[4]) : 1e-8;
    good = good && run(&k, SETTLE / 3);
    if (good) {
        k.pair = perp_alloc(&a, (size_t)k.s.world.contacts, sizeof *k.pair);
        int loose = find_held(&k);
        good = k.pair && loose >= 0;
        if (good) remember(&k);
        if (good)
            printf("%d spheres, %d of them loose, %d contacts, %d closed between held ones\n",
                   k.s.world.bodies, loose, k.s.world.contacts, k.contacts);
    }
    good = good && soak_for(&k, seconds);
    printf("%s\n", good ? "held" : "NOT held");
    sim_close(&k.s);
    perp_arena_free(&a);
    return good ? 0 : 1;
}
