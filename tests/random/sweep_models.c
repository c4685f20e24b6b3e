/* tests/random/sweep_models.c: random models of markets and networks by callback, in many units.
 *
 *     sweep_models [--verbose] [--differences] [--tol T] COUNT SEED SOLVER ...
 *
 * draws COUNT models of each family from SEED on and solves each from several starts: as drawn, F
 * times 1e6 and 1e-6, unknowns times numbers that `typical` states, lower bounds of 1e-5 to 1e-12.
 * It fails where one is not solved, and where what is called solved is not: maps are written for
 * complex numbers of extended precision, in which Newton's method leads from z to a solution that
 * has to be the same to six digits. */
#include "generate.h"
#include "perp/perp.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS 1e-6L
#define MOST 24 /* unknowns */
#define STARTS 4
#define REFINEMENTS 40 /* Newton steps of the oracle, which take 3 or so */

typedef long double _Complex number;

typedef struct model {
    const char *name;
    int n, a, b; /* unknowns; sizes of the family */
    double data[8 * MOST], table[MOST][MOST];
    void (*map)(const struct model *m, const number *z, number *F);
    double lo[MOST], hi[MOST], start[STARTS][MOST];
} model;

/* ---- an exchange economy with production: a goods, b activities; two consumers with CES demand
 * ---- */

/* Good 0 is labour, whose wage is 1; labour is made by no activity, so that all need some. */
static void economy(const model *m, const number *z, number *F)
{
    const number *price = z, *level = z + m->a;
    for (int g = 0; g < m->a; g++) F[g] = m->data[g] + m->data[MOST + g];
    for (int k = 0; k < 2; k++) {
        const double *own = m->data + k * MOST, *share = m->data + (2 + k) * MOST;
        number income = 0, index = 0;
        double sigma = m->data[4 * MOST + k];
        for (int g = 0; g < m->a; g++) {
            income += own[g] * price[g];
            index += share[g] * cpowl(price[g], 1 - sigma);
        }
        for (int g = 0; g < m->a; g++) {
            F[g] -= share[g] * cpowl(price[g], -sigma) * income / index;
        }
    }
    for (int j = 0; j < m->b; j++) {
        F[m->a + j] = 0;
        for (int g = 0; g < m->a; g++) {
            F[g] += m->table[g][j] * level[j];
            F[m->a + j] -= m->table[g][j] * price[g];
        }
    }
}

static void make_economy(generator *g, model *m)
{
    m->name = "economy";
    m->map = economy;
    m->a = generator_between(g, 2, 9);
    m->b = generator_between(g, 1, m->a);
    m->n = m->a + m->b;
    for (int i = 0; i < m->a; i++) {
        for (int k = 0; k < 2; k++) {
            m->data[k * MOST + i] = 0.1 + 5 * generator_unit(g);
            m->data[(2 + k) * MOST + i] = 0.05 + generator_unit(g);
        }
    }
    for (int k = 0; k < 2; k++) /* every third is Cobb's and Douglas' */
        m->data[4 * MOST + k] = generator_below(g, 3) ? 0.3 + 1.7 * generator_unit(g) : 1;
    for (int j = 0; j < m->b; j++) {
        int made = m->a > 1 ? generator_between(g, 1, m->a - 1) : 0;
        for (int i = 0; i < m->a; i++) m->table[i][j] = -0.3 * generator_unit(g);
        m->table[0][j] -= 0.2;
        m->table[made][j] = 1;
    }
    m->lo[0] = m->hi[0] = 1;
}

/* ---- Nash and Cournot: a firms, Murphy, Sherali, Soyster, Mathematical Programming 24 (1982) ----
 */

static void cournot(const model *m, const number *z, number *F)
{
    const double *cost = m->data, *scale = m->data + MOST, *beta = m->data + 2 * MOST;
    double gamma = m->data[3 * MOST];
    number total = 0;
    for (int i = 0; i < m->n; i++) total += z[i];
    number price = cpowl(5000 / total, 1 / gamma);
    for (int i = 0; i < m->n; i++) {
        F[i] =
            cost[i] + cpowl(z[i] / scale[i], 1 / beta[i]) - price + z[i] * price / (gamma * total);
    }
}

static void make_cournot(generator *g, model *m)
{
    m->name = "cournot";
    m->map = cournot;
    m->n = generator_between(g, 2, 12);
    for (int i = 0; i < m->n; i++) {
        m->data[i] = 2 + 10 * generator_unit(g) + (generator_below(g, 4) ? 0 : 100);
        m->data[MOST + i] = 1 + 9 * generator_unit(g);
        m->data[2 * MOST + i] = 0.7 + 0.6 * generator_unit(g);
    }
    m->data[3 * MOST] = 1.05 + generator_unit(g);
}

/* ---- traffic: a paths, each with a link of its own, over b shared links; then the cost of the
 * trip, on which demand depends: Bureau of Public Roads (1964) for costs of links ---- */

static void traffic(const model *m, const number *z, number *F)
{
    const double *free_flow = m->data, *room = m->data + MOST, *own = m->data + 2 * MOST;
    number load[MOST] = {0}, sum = 0;
    for (int l = 0; l < m->b; l++) {
        for (int i = 0; i < m->a; i++) load[l] += m->table[l][i] * z[i];
    }
    for (int i = 0; i < m->a; i++) {
        F[i] = own[i] * (1 + 0.15L * cpowl(z[i] / room[i], 4)) - z[m->a];
        for (int l = 0; l < m->b; l++) {
            number part = load[l] / room[l], square = part * part;
            F[i] += m->table[l][i] * free_flow[l] * (1 + 0.15L * square * square);
        }
        sum += z[i];
    }
    F[m->a] = sum - m->data[3 * MOST] * cexpl(-m->data[3 * MOST + 1] * z[m->a]);
}

static void make_traffic(generator *g, model *m)
{
    m->name = "traffic";
    m->map = traffic;
    m->a = generator_between(g, 2, 15);
    m->b = generator_between(g, 2, 8);
    m->n = m->a + 1;
    for (int l = 0; l < MOST; l++) {
        m->data[l] = 1 + 9 * generator_unit(g);
        m->data[MOST + l] = 1 + 9 * generator_unit(g);
        m->data[2 * MOST + l] = 1 + 9 * generator_unit(g);
    }
    for (int l = 0; l < m->b; l++) {
        for (int i = 0; i < m->a; i++) m->table[l][i] = generator_below(g, 3) == 0;
    }
    m->data[3 * MOST] = 10 + 90 * generator_unit(g);
    m->data[3 * MOST + 1] = 0.01 + 0.1 * generator_unit(g);
}

/* ---- prices in space: a regions of supply, b of demand, flows: Harker (1984) ---- */

static void space(const model *m, const number *z, number *F)
{
    number supply[MOST] = {0}, demand[MOST] = {0};
    for (int i = 0; i < m->a; i++) {
        for (int j = 0; j < m->b; j++) {
            supply[i] += z[i * m->b + j];
            demand[j] += z[i * m->b + j];
        }
    }
    for (int i = 0; i < m->a; i++) {
        for (int j = 0; j < m->b; j++) {
            number x = z[i * m->b + j];
            F[i * m->b + j] = m->data[i] + m->data[MOST + i] * supply[i] * supply[i] +
                              m->table[i][j] * (1 + 0.01L * x * x) - m->data[2 * MOST + j] +
                              m->data[3 * MOST + j] * demand[j];
        }
    }
}

static void make_space(generator *g, model *m)
{
    m->name = "space";
    m->map = space;
    m->a = generator_between(g, 1, 4);
    m->b = generator_between(g, 1, 5);
    m->n = m->a * m->b;
    for (int i = 0; i < MOST; i++) {
        m->data[i] = 1 + 4 * generator_unit(g);
        m->data[MOST + i] = 0.01 + 0.2 * generator_unit(g);
        m->data[2 * MOST + i] = 10 + 20 * generator_unit(g);
        m->data[3 * MOST + i] = 0.1 + generator_unit(g);
    }
    for (int i = 0; i < m->a; i++) {
        for (int j = 0; j < m->b; j++) m->table[i][j] = 0.5 + 6 * generator_unit(g);
    }
}

static void (*const families[])(generator *, model *) = {make_economy, make_cournot, make_traffic,
                                                         make_space};
#define FAMILIES ((int)(sizeof families / sizeof *families))

static void make(int family, uint64_t seed, model *m)
{
    generator g = generator_start(seed);
    *m = (model){0};
    for (int i = 0; i < MOST; i++) m->hi[i] = INFINITY;
    families[family](&g, m);
    for (int i = 0; i < m->n; i++) {
        m->start[0][i] = 1;
        m->start[1][i] = 10;
        m->start[2][i] = 0.01 + 5 * generator_unit(&g);
        m->start[3][i] = 0; /* at the bound */
    }
}

/* ---- units ---- */

typedef struct units {
    const char *name;
    double F, even, odd, lo;
} units;

static const units all[] = {
    {"as drawn", 1, 1, 1, 1e-4},
    {"F times 1e6", 1e6, 1, 1, 1e-5},
    {"F times 1e-6", 1e-6, 1, 1, 1e-5},
    {"z times 1e6", 1, 1e6, 1e6, 1e-6},
    {"z times 1e-6", 1, 1e-6, 1e-6, 1e-6},
    {"z by turns", 1, 1e-3, 1e3, 1e-8},
    {"lo = 1e-5", 1, 1, 1, 1e-5},
    {"lo = 1e-8", 1, 1, 1, 1e-8},
    {"lo = 1e-10", 1, 1, 1, 1e-10},
    {"lo = 1e-12", 1, 1, 1, 1e-12},
    {"all at once", 1e6, 1e3, 1e-6, 1e-12},
};
#define ALL ((int)(sizeof all / sizeof *all))

/* A model in units of its own. */
typedef struct scaled {
    const model *m;
    double F, unit[MOST], lo[MOST], hi[MOST];
} scaled;

static scaled rescale(const model *m, const units *u)
{
    scaled s = {.m = m, .F = u->F};
    for (int i = 0; i < m->n; i++) {
        s.unit[i] = i % 2 ? u->odd : u->even;
        s.lo[i] = (m->lo[i] > 0 ? m->lo[i] : u->lo) * s.unit[i];
        s.hi[i] = m->hi[i] * s.unit[i];
    }
    return s;
}

static void evaluate(const scaled *s, const number *z, number *F)
{
    number x[MOST];
    for (int i = 0; i < s->m->n; i++) x[i] = z[i] / s->unit[i];
    s->m->map(s->m, x, F);
    for (int i = 0; i < s->m->n; i++) F[i] *= s->F;
}

/* Column j of the Jacobian, with all its digits (Squire, Trapp, SIAM Review 40 (1998)). */
static void differentiate(const scaled *s, const long double *z, int j, long double *column)
{
    number x[MOST], F[MOST];
    long double step = 1e-100L * s->unit[j];
    for (int i = 0; i < s->m->n; i++) x[i] = z[i];
    x[j] += step * I;
    evaluate(s, x, F);
    for (int i = 0; i < s->m->n; i++) column[i] = cimagl(F[i]) / step;
}

static bool eval(void *ctx, const double *z, double *F)
{
    const scaled *s = ctx;
    number x[MOST], y[MOST];
    for (int i = 0; i < s->m->n; i++) x[i] = z[i];
    evaluate(s, x, y);
    for (int i = 0; i < s->m->n; i++) F[i] = (double)creall(y[i]);
    return true;
}

static bool jacobian(void *ctx, const double *z, double *J)
{
    const scaled *s = ctx;
    int n = s->m->n;
    long double x[MOST], column[MOST];
    for (int i = 0; i < n; i++) x[i] = z[i];
    for (int j = 0; j < n; j++) {
        differentiate(s, x, j, column);
        for (int i = 0; i < n; i++) J[j * n + i] = (double)column[i];
    }
    return true;
}

/* ---- the oracle ---- */

/* A x = b by elimination, x in b. False: singular. */
static bool eliminate(int n, long double A[MOST][MOST], long double *b)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++) {
            if (fabsl(A[i][k]) > fabsl(A[best][k])) best = i;
        }
        if (!(fabsl(A[best][k]) > 0)) return false;
        for (int j = 0; j < n; j++) {
            long double swap = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = swap;
        }
        long double swap = b[k];
        b[k] = b[best];
        b[best] = swap;
        for (int i = k + 1; i < n; i++) {
            long double part = A[i][k] / A[k][k];
            for (int j = k; j < n; j++) A[i][j] -= part * A[k][j];
            b[i] -= part * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= A[k][j] * b[j];
        b[k] /= A[k][k];
    }
    return true;
}

/* One Newton step of the natural map, F_i over the slopes of its row; in z. The length of it in
 * units, INFINITY: singular. */
static long double refine(const scaled *s, long double *z)
{
    int n = s->m->n;
    long double A[MOST][MOST], r[MOST], column[MOST], length = 0;
    number x[MOST], F[MOST];
    for (int i = 0; i < n; i++) x[i] = z[i];
    evaluate(s, x, F);
    for (int j = 0; j < n; j++) {
        differentiate(s, z, j, column);
        for (int i = 0; i < n; i++) A[i][j] = column[i] * s->unit[j] / s->F;
    }
    for (int i = 0; i < n; i++) {
        long double size = 0, f = creall(F[i]) / s->F;
        for (int j = 0; j < n; j++) size += fabsl(A[i][j]);
        long double lo = (z[i] - s->lo[i]) / s->unit[i], hi = (z[i] - s->hi[i]) / s->unit[i];
        bool at_lo = f / size >= lo, at_hi = f / size <= hi;
        r[i] = at_lo ? -lo : at_hi ? -hi : -f;
        for (int j = 0; (at_lo || at_hi) && j < n; j++) A[i][j] = i == j;
    }
    if (!eliminate(n, A, r)) return INFINITY;
    for (int i = 0; i < n; i++) {
        length = fmaxl(length, fabsl(r[i]) / fmaxl(1, fabsl(z[i]) / s->unit[i]));
        z[i] += r[i] * s->unit[i];
        z[i] = fmaxl(fminl(z[i], s->hi[i]), s->lo[i]);
    }
    return isfinite(length) ? length : INFINITY;
}

/* How far z is from the solution next to it, in sizes; INFINITY: there is none. */
static long double find_error(const scaled *s, const double *z)
{
    long double y[MOST], length = INFINITY, error = 0;
    for (int i = 0; i < s->m->n; i++) y[i] = z[i];
    for (int k = 0; k < REFINEMENTS && length > 1e-15L; k++) {
        length = refine(s, y);
        if (!isfinite(length)) return INFINITY;
    }
    if (length > 1e-12L) return INFINITY;
    for (int i = 0; i < s->m->n; i++) {
        error = fmaxl(error, fabsl(y[i] - z[i]) / fmaxl(s->unit[i], fabsl(y[i])));
    }
    return error;
}

/* ---- the sweep ---- */

typedef struct sweep {
    bool verbose, differences;
    double tol;
    const char *solver;
    int ends, solved, wrong;
    long double worst;
} sweep;

static void run(sweep *w, const model *m, uint64_t seed, const units *u, int start, perp_arena *a)
{
    scaled s = rescale(m, u);
    double z[MOST];
    perp_map F = {.n = m->n, .eval = eval, .ctx = &s, .typical = s.unit};
    if (!w->differences) F.jacobian = jacobian;
    perp_problem p = {.kind = PERP_KIND_MCP, .as.mcp = {.F = F, .lo = s.lo, .hi = s.hi}};
    for (int i = 0; i < m->n; i++)
        z[i] = fmin(fmax(m->start[start][i] * s.unit[i], s.lo[i]), s.hi[i]);
    perp_result r;
    perp_options *o = perp_options_new(a, w->solver);
    if (!o) exit(2);
    o->warm_start = true;
    o->tol = w->tol;
    bool solved = perp_solve(&p, o, a, z, NULL, &r) == PERP_SOLVED;
    long double error = solved ? find_error(&s, z) : 0;
    bool wrong = !(error <= DIGITS);
    w->ends++;
    w->solved += solved;
    w->wrong += wrong;
    w->worst = fmaxl(w->worst, error);
    if (w->verbose || wrong || !solved) {
        printf("    %-12s %-8s n %2d seed %llu start %d: %-11s %.1e %5d it error %.1Le %s %s%s\n",
               u->name, m->name, m->n, (unsigned long long)seed, start, perp_status_name(r.status),
               r.residual.value, r.iterations, error, r.solver, r.detail, wrong ? " WRONG" : "");
    }
    perp_arena_free(a);
}

static bool run_all(sweep *w, int count, uint64_t seed)
{
    perp_arena a = {0};
    model m;
    w->ends = w->solved = w->wrong = 0;
    w->worst = 0;
    for (int family = 0; family < FAMILIES; family++) {
        for (uint64_t k = seed; k < seed + (uint64_t)count; k++) {
            make(family, k, &m);
            for (int u = 0; u < ALL; u++) {
                for (int start = 0; start < STARTS; start++) run(w, &m, k, &all[u], start, &a);
            }
        }
    }
    printf("%-14s %d of %d solved, %d wrong, the worst error %.1Le\n", w->solver, w->solved,
           w->ends, w->wrong, w->worst);
    return w->wrong == 0 && w->solved == w->ends;
}

int main(int argc, char **argv)
{
    sweep w = {.tol = 1e-8};
    uint64_t given[2] = {0, 1}; /* how many, and of what seed */
    int numbers = 0;
    bool good = true;
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--verbose") == 0)
            w.verbose = true;
        else if (strcmp(argv[k], "--differences") == 0)
            w.differences = true;
        else if (strcmp(argv[k], "--tol") == 0 && k + 1 < argc)
            w.tol = atof(argv[++k]);
        else if (numbers < 2)
            given[numbers++] = strtoull(argv[k], NULL, 10);
        else {
            w.solver = argv[k];
            good = run_all(&w, (int)given[0], given[1]) && good;
        }
    }
    return good ? 0 : 1;
}
