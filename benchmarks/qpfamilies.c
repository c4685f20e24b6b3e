/* qpfamilies.c: can qp/auto be trusted on convex QPs? Families after Maros and Meszaros' collection
 * (src/generate/qp_collection.c) at several sizes, and the stored problems, at 1e-8 and 1e-10: the
 * tolerance is reached or its floor named, no run goes on at the floor, and another method finds
 * the same objective: mcp/path, which pivots, cvxopt (with a sparse system where n is large), or
 * operator splitting.
 *
 * `idle` counts iterations after the last that improved the certified residual, by the monitor; the
 * end is one where its residual is less than half of what the monitor saw. */
#include "bench.h"
#include "command.h"
#include "generate.h"

#define SOLVER_LIMIT 60  /* seconds */
#define SECOND_LIMIT 200 /* of another method */
#define PEER_LIMIT 40
#define AGREES 1e-6  /* relative difference of objectives */
#define MOST_IDLE 45 /* iterations: twice PATIENCE of qp/ipm and its last steps */
#define BETTER 0.5   /* a residual that counts as progress, as in qp/ipm */
#define LARGE 2000   /* unknowns: fewer are mcp/path's first, more are cvxopt's */

static const script cvxopt = {"peer_cvxopt.py", {"/usr/bin/python3", "python3"}, PEER_LIMIT};
static const script augmented = {
    "peer_augmented.py", {"/usr/bin/python3", "python3"}, SECOND_LIMIT};
static const script splitting = {
    "peer_splitting.py", {"/usr/bin/python3", "python3"}, SECOND_LIMIT};

static const char *const families[] = {"qp_cvxqp1",  "qp_cvxqp2",  "qp_cvxqp3", "qp_liswet2",
                                       "qp_liswet3", "qp_liswet4", "qp_cont",   "qp_cont_side",
                                       "qp_aug3d",   "qp_aug3dqp"};
enum { FAMILIES = sizeof families / sizeof *families };

typedef struct history {
    double best;
    int at, last; /* iterations */
} history;

static bool watch(void *ctx, const perp_progress *p)
{
    history *h = ctx;
    if (p->residual < h->best) {
        h->best = p->residual;
        h->at = p->iteration;
    }
    h->last = p->iteration;
    return true;
}

typedef struct run {
    perp_result r;
    double seconds;
    int idle;
} run;

static run solve(bench *b, const perp_problem *p, const char *solver, double tol, double limit,
                 double *z)
{
    history h = {.best = INFINITY};
    run made = {0};
    perp_mark mark = perp_arena_mark(&b->data);
    perp_options *o = perp_options_new(&b->data, solver);
    o->tol = tol;
    o->max_seconds = limit;
    o->monitor = watch;
    o->monitor_ctx = &h;
    double from = cpu_now();
    perp_solve(p, o, &b->work, z, NULL, &made.r);
    made.seconds = cpu_now() - from;
    if (made.r.residual.value < BETTER * h.best) h.at = h.last;
    made.idle = made.r.status == PERP_SOLVED ? 0 : h.last - h.at;
    perp_arena_release(&b->data, mark);
    return made;
}

/* ---- another method ---- */

static bool write_entries(FILE *file, const perp_matrix *M)
{
    const struct perp_csc_view *v = &M->as.csc;
    if (!M->format) return true;
    size_t count = (size_t)v->p[M->n];
    bool good = fwrite(v->i, sizeof *v->i, count, file) == count;
    for (int j = 0; good && j < M->n; j++) {
        for (int k = v->p[j]; good && k < v->p[j + 1]; k++) {
            good = fwrite(&j, sizeof j, 1, file) == 1;
        }
    }
    return good && fwrite(v->x, sizeof *v->x, count, file) == count;
}

static bool write_vector(FILE *file, const double *x, int n, double otherwise)
{
    bool good = true;
    for (int k = 0; good && k < n; k++) {
        good = fwrite(x ? &x[k] : &otherwise, sizeof(double), 1, file) == 1;
    }
    return good;
}

/* H and A are in compressed columns, or there are none. */
static bool write_problem(FILE *file, const perp_problem *problem)
{
    const perp_qp *p = &problem->as.qp;
    int size[] = {p->n, p->m, p->H.format ? p->H.as.csc.p[p->n] : 0,
                  p->A.format ? p->A.as.csc.p[p->n] : 0};
    return fwrite(size, sizeof *size, 4, file) == 4 && write_entries(file, &p->H) &&
           write_entries(file, &p->A) && write_vector(file, p->c, p->n, 0) &&
           write_vector(file, p->lo, p->m, -INFINITY) &&
           write_vector(file, p->hi, p->m, INFINITY) &&
           write_vector(file, p->xlo, p->n, -INFINITY) &&
           write_vector(file, p->xhi, p->n, INFINITY);
}

static double objective(bench *b, const perp_qp *p, const double *x)
{
    perp_mark mark = perp_arena_mark(&b->data);
    double *Hx = perp_alloc(&b->data, (size_t)p->n, sizeof *Hx), sum = 0;
    if (!Hx) return NAN;
    if (p->H.format) perp_mul(&p->H, 1, x, 0, Hx);
    for (int j = 0; j < p->n; j++) sum += x[j] * (0.5 * Hx[j] + p->c[j]);
    perp_arena_release(&b->data, mark);
    return sum;
}

static bool solves(bench *b, const perp_problem *p, const char *solver, double *z, double *value)
{
    run made = solve(b, p, solver, 1e-8, SECOND_LIMIT, z);
    *value = made.r.objective;
    return made.r.status == PERP_SOLVED;
}

/* A peer counts within 1e-6, which its objective needs, too. */
static bool peer_solves(bench *b, const script *from, const perp_problem *p, double *z,
                        double *value)
{
    perp_problem columns = *p;
    perp_qp *qp = &columns.as.qp;
    if ((qp->H.format && perp_convert(&qp->H, PERP_FORMAT_CSC, &b->data, &qp->H, NULL)) ||
        (qp->A.format && perp_convert(&qp->A, PERP_FORMAT_CSC, &b->data, &qp->A, NULL)))
        return false;
    timing t = run_script(b, from, &columns, write_problem, z);
    if (!(t.residual <= AGREES)) return false;
    *value = objective(b, qp, z);
    return true;
}

/* The name of the first that solves it, or NULL. */
static const char *find_second(bench *b, const perp_problem *p, double *z, double *value)
{
    bool large = p->as.qp.n > LARGE;
    if (large && peer_solves(b, &augmented, p, z, value)) return "cvxopt, LDL";
    if (solves(b, p, "mcp/path", z, value)) return "mcp/path";
    if (!large && peer_solves(b, &cvxopt, p, z, value)) return "cvxopt";
    return peer_solves(b, &splitting, p, z, value) ? "splitting" : NULL;
}

/* ---- the table ---- */

static bool names_floor(const perp_result *r, double tol)
{
    return r->status == PERP_STALLED && r->residual.floor > tol && strstr(r->detail, "rounding");
}

static void print_run(bench *b, const char *name, const perp_problem *p, double tol, const run *o,
                      const char *second, double value)
{
    const perp_result *r = &o->r;
    bool solved = r->status == PERP_SOLVED, floor = names_floor(r, tol);
    double off = fabs(r->objective - value) / (1 + fabs(value));
    fprintf(b->out, "%-18s %6d %6d %5.0e %-8s %8.1e %8.1e %5d %5d %7.2f %16.9e", name, p->as.qp.n,
            p->as.qp.m, tol, floor ? "floor" : perp_status_name(r->status), r->residual.value,
            floor ? r->residual.floor : r->residual.bound, r->iterations, o->idle, o->seconds,
            r->objective);
    if (second)
        fprintf(b->out, " %-11s %16.9e %8.1e", second, value, off);
    else
        fprintf(b->out, " %-11s %16s %8s", "none", "", "");
    if (!solved && !floor) fprintf(b->out, " OPEN");
    if (solved && second && !(off <= AGREES)) fprintf(b->out, " DIFFERS");
    if (o->idle > MOST_IDLE) fprintf(b->out, " GOES ON");
    fprintf(b->out, "\n");
    fflush(b->out);
}

static bool measure(bench *b, const char *name, const perp_problem *p)
{
    static const double tols[] = {1e-8, 1e-10};
    double *z = perp_alloc(&b->data, (size_t)perp_size(p), sizeof *z), value = NAN;
    if (!z) return false;
    run own[2];
    for (int k = 0; k < 2; k++) own[k] = solve(b, p, "qp/auto", tols[k], SOLVER_LIMIT, z);
    const char *second = find_second(b, p, z, &value);
    for (int k = 0; k < 2; k++) print_run(b, name, p, tols[k], &own[k], second, value);
    return true;
}

bool run_qpfamilies(bench *b)
{
    bool good = true;
    fprintf(b->out, "\nqpfamilies: %s\n", b->table->about);
    fprintf(b->out, "%-18s %6s %6s %5s %-8s %8s %8s %5s %5s %7s %16s %-11s %16s %8s\n", "problem",
            "n", "m", "tol", "end", "residual", "bound", "iter", "idle", "s", "objective", "second",
            "its objective", "off");
    for (int f = 0; good && f < FAMILIES; f++) {
        for (int s = 0; good && s < b->count; s++) {
            generate_request r = generate_defaults;
            generated_problem made;
            perp_mark mark = perp_arena_mark(&b->data);
            r.family = families[f];
            r.size = b->sizes[s];
            good = !generate_problem(&r, &b->data, &made, NULL) && measure(b, families[f], &made.p);
            perp_arena_release(&b->data, mark);
        }
    }
    return good && each_stored_qp(b, measure);
}
