/* packing.c: what a sweep of fc3d/nsgs in body form costs, against the number of contacts, against
 * the bandwidth of the memory, and on two threads against one.
 *
 * The time of a sweep is the difference of a long and a short solve, so that set-up cancels. The
 * bound is what a sweep must at least move: of each contact H (two bodies, 36 numbers), its block
 * of W (9), mu, w (3), r read and written (6) and two indices; of each body 6 velocities read and
 * written; at the bandwidth of a triad a = b + s c of 24 bytes an element, measured beside it. The
 * best of some tries; processor time on one thread, wall time where two are compared with one. Each
 * problem has a child process of its own, whose peak of memory
 * is of this problem. */
#include "bench.h"
#include "command.h"
#include "generate.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define TRIAD 8000000 /* numbers in each of three arrays: no cache holds them */
#define SHORT 10      /* sweeps */
#define START 100     /* sweeps before any is timed */
#define WORK 4e6      /* contacts times sweeps of a long solve, more or less */
#define SMALL 5e3     /* contacts: quiet moments are short and rare, so are the solves */
#define LARGE 2e5     /* contacts: two tries take long enough */
#define CONTACT_BYTES (8 * (36 + 9 + 1 + 3 + 6) + 2 * 4)
#define BODY_BYTES (8 * 12)

static double wall_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- triad ---- */

typedef struct triad {
    double *a, *b, *c;
    size_t from, to;
} triad;

static void *run_triad(void *part)
{
    const triad *t = part;
    for (size_t i = t->from; i < t->to; i++) t->a[i] = t->b[i] + 3 * t->c[i];
    return NULL;
}

static double time_triad(triad t, int threads)
{
    pthread_t other;
    triad first = t, second = t;
    if (threads == 2) first.to = second.from = t.to / 2;
    double start = threads == 2 ? wall_now() : cpu_now();
    bool two = threads == 2 && pthread_create(&other, NULL, run_triad, &second) == 0;
    run_triad(&first);
    if (two)
        pthread_join(other, NULL);
    else if (threads == 2)
        run_triad(&second);
    return (threads == 2 ? wall_now() : cpu_now()) - start;
}

/* Bytes a second on one thread and on two; numbers in each array decide whether a cache holds it.
 */
static bool measure_triad(size_t count, int tries, double rate[2])
{
    triad t = {.to = count};
    double *all = calloc(3 * count, sizeof *all);
    if (!all) return false;
    t.a = all;
    t.b = all + count;
    t.c = all + 2 * count;
    for (size_t i = 0; i < 3 * count; i++) all[i] = (double)(i % 7); /* pages are there */
    double least[2] = {INFINITY, INFINITY};
    for (int k = 0; k < tries; k++) {
        for (int threads = 1; threads <= 2; threads++) {
            double seconds = time_triad(t, threads);
            least[threads - 1] = fmin(least[threads - 1], seconds);
        }
    }
    for (int k = 0; k < 2; k++) rate[k] = 24 * (double)count / least[k];
    free(all);
    return true;
}

/* ---- sweeps ---- */

typedef struct subject {
    perp_problem p;
    perp_arena data, work;
    double *start, *z; /* what solves start from: the first sweeps from 0 are slower than most */
    int sweeps;        /* of a long solve */
} subject;

static double time_sweeps(subject *s, perp_order order, int threads, int sweeps)
{
    bool wall = order == PERP_ORDER_COLOURED; /* what two threads are compared with */
    perp_fc3d_nsgs_options o = perp_fc3d_nsgs_defaults();
    perp_result r;
    o.order = order;
    o.base.threads = threads;
    o.base.tol = 1e-300;
    o.base.max_iter = sweeps;
    o.extrapolate = false; /* it is sweeps that are timed */
    o.base.warm_start = true;
    memcpy(s->z, s->start, (size_t)perp_size(&s->p) * sizeof *s->z);
    double start = wall ? wall_now() : cpu_now();
    perp_solve(&s->p, &o.base, &s->work, s->z, NULL, &r);
    double seconds = (wall ? wall_now() : cpu_now()) - start;
    return r.iterations == sweeps ? seconds : NAN;
}

/* Seconds of a sweep: given order, coloured on one thread, coloured on two. */
static void time_orders(subject *s, int tries, double seconds[3])
{
    static const struct {
        perp_order order;
        int threads;
    } how[3] = {{PERP_ORDER_GIVEN, 1}, {PERP_ORDER_COLOURED, 1}, {PERP_ORDER_COLOURED, 2}};
    double brief[3] = {INFINITY, INFINITY, INFINITY}, whole[3] = {INFINITY, INFINITY, INFINITY};
    for (int c = 0; c < 3; c++) { /* memory is there, and most contacts are what they will be */
        time_sweeps(s, how[c].order, how[c].threads, c ? SHORT : START);
        if (c == 0) memcpy(s->start, s->z, (size_t)perp_size(&s->p) * sizeof *s->z);
    }
    for (int k = 0; k < tries; k++) {
        for (int c = 0; c < 3; c++) {
            brief[c] = fmin(brief[c], time_sweeps(s, how[c].order, how[c].threads, SHORT));
            whole[c] = fmin(whole[c], time_sweeps(s, how[c].order, how[c].threads, s->sweeps));
        }
    }
    for (int c = 0; c < 3; c++) seconds[c] = (whole[c] - brief[c]) / (s->sweeps - SHORT);
}

static bool make_subject(const char *family, int size, subject *s)
{
    generate_request r = generate_defaults;
    generated_problem out;
    r.family = family;
    r.form = "fc3d_body";
    r.size = size;
    if (generate_problem(&r, &s->data, &out, NULL)) return false;
    s->p = out.p;
    s->z = perp_alloc(&s->data, (size_t)perp_size(&s->p), sizeof *s->z);
    s->start = perp_alloc(&s->data, (size_t)perp_size(&s->p), sizeof *s->start);
    double more = WORK / s->p.as.fc3d.contacts;
    s->sweeps = SHORT + (int)fmin(fmax(more, 50), 2000);
    return !s->data.failed;
}

/* In the child: one row. */
static int run_subject(FILE *out, const char *family, int size, int tries)
{
    static subject s;
    double rate[2], local[2], seconds[3];
    if (!make_subject(family, size, &s) || !measure_triad(TRIAD, 5, rate)) return 1;
    struct rusage usage = {0};
    double contacts = s.p.as.fc3d.contacts, bodies = s.p.as.fc3d.M.n / 6.0;
    tries *= contacts < SMALL ? 20 : 5;
    time_orders(&s, contacts < LARGE ? tries : 2, seconds);
    double bytes = contacts * CONTACT_BYTES + bodies * BODY_BYTES;
    if (!measure_triad((size_t)(bytes / 24), 5, local)) return 1;
    getrusage(RUSAGE_SELF, &usage);
    fprintf(out, "%-9s %8.0f %7d %8.1f %8.1f %8.2f %8.2f %8.2f %9.1f %9.1f %9.0f %8.0f\n", family,
            contacts, s.sweeps - SHORT, 1e9 * seconds[0] / contacts,
            1e9 * bytes / rate[0] / contacts, seconds[0] * rate[0] / bytes, seconds[1] / seconds[2],
            local[1] / local[0], 1e9 * seconds[1] / contacts, 1e-9 * rate[0],
            1e-6 * (double)s.work.peak, (double)usage.ru_maxrss / 1024);
    fflush(out);
    return 0;
}

bool run_packing(bench *b)
{
    static const struct {
        const char *family;
        int size; /* spheres */
    } rows[] = {{"packing", 330},  {"packing", 3600},  {"packing", 37000}, {"lattice", 343},
                {"lattice", 3375}, {"lattice", 32768}, {"lattice", 328509}};
    fprintf(b->out,
            "\npacking: %s\n"
            "ns: a contact and sweep, order = given; bound: by the triad; x: ns over bound;\n"
            "two: gain of two threads, order = coloured; triad: gain of a triad of as many bytes\n"
            "%-9s %8s %7s %8s %8s %8s %8s %8s %9s %9s %9s %8s\n",
            b->table->about, "scene", "contacts", "sweeps", "ns", "bound", "x", "two", "triad",
            "ns colour", "GB/s", "solver MB", "peak MB");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        int status = 0;
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) _exit(run_subject(b->out, rows[k].family, rows[k].size, b->repeats));
        if (child < 0 || waitpid(child, &status, 0) != child || status) return false;
    }
    return true;
}
