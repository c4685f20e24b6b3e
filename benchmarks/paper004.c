/* paper004.c: the experiments of Sauer, Schoemer, A constraint-based approach to rigid body
 * dynamics for virtual reality applications (1998), section 3.2: the tippe-top under friction
 * pyramids of 4 to 32 facets and under the cone, without its stick, and with the rolling friction
 * and air resistance of section 3.3 after it has turned over; and the time of one contact's LCP
 * against its dimension.
 *
 * The paper says when the top turns over, t = 0.6 or about; the rest of its curves is drawn. */
#include "command.h"
#include "scenes.h"

#include <math.h>

#define CURVES 11        /* of a row: time, eight measures less the two times, three energies */
#define SETS_MOST 16     /* --set */
#define LCP_SECONDS 0.05 /* to time one LCP for */

enum { TIME, COS, HEIGHT, NORMAL, FRICTION, STICK_N, STICK_T, KINETIC, POTENTIAL, TOTAL, POINTS };

/* One run: a line of the table, a colour of the plot. */
typedef struct model {
    const char *name;
    int facets;          /* 0: the cone */
    const char *more[2]; /* --set of its own */
} model;

static const model models[] = {
    {"4 facets", 4, {NULL}},
    {"8 facets", 8, {NULL}},
    {"16 facets", 16, {NULL}},
    {"32 facets", 32, {NULL}},
    {"cone", 0, {NULL}},
    {"no stick", 0, {"stick_radius=0"}},
    {"drag", 0, {"rolling=1", "air=0.001"}},
};
#define MODELS ((int)(sizeof models / sizeof *models))

typedef struct outcome {
    int steps, rounds, bad; /* of the fixed point, at most; steps that were not solved */
    double touched, turned, last, rise, iterations, seconds;
    double (*row)[CURVES];
    int rows;
    double early, late; /* turned, over the angles of --angles */
} outcome;

typedef struct experiment {
    const char *set[SETS_MOST], *csv_path, *plot;
    int sets, angles, every;
    outcome run[MODELS];
    perp_arena arena;
} experiment;

/* ---- one run ---- */

static bool set_text(sim *s, const char *text)
{
    char name[64];
    perp_error e = {.status = PERP_SOLVED};
    const char *equal = strchr(text, '=');
    if (!equal) return fprintf(stderr, "paper004: --set %s: NAME=VALUE is wanted\n", text) < 0;
    snprintf(name, sizeof name, "%.*s", (int)(equal - text), text);
    if (!sim_set(s, name, equal + 1, &e)) return true;
    return fprintf(stderr, "paper004: %s\n", e.text) < 0;
}

/* The scene with its solver: Lemke's method as in the paper, or the cone one contact at a time. */
static bool open_scene(const experiment *t, const model *m, double angle, sim *s)
{
    char text[40];
    perp_error e = {.status = PERP_SOLVED};
    sim_open(s, &sim_tippetop);
    for (int k = 0; k < t->sets; k++) {
        if (!set_text(s, t->set[k])) return false;
    }
    for (int k = 0; k < 2 && m->more[k]; k++) {
        if (!set_text(s, m->more[k])) return false;
    }
    snprintf(text, sizeof text, "angle=%.17g", sim_get(s, "angle") + angle);
    if (!set_text(s, text)) return false;
    if (sim_build(s, &e)) return fprintf(stderr, "paper004: %s\n", e.text) < 0;
    perp_options *o = perp_options_new(&s->arena, m->facets ? "lcp/lemke" : "fc3d/nsgs");
    if (!o) return false;
    o->tol = s->scene->tol;
    o->max_iter = 10000;
    s->step.solver = o;
    s->step.form = m->facets ? PERP_RIGID_FORM_LCP_FACETS : PERP_RIGID_FORM_FC3D_LOCAL;
    s->step.facets = m->facets ? m->facets : s->step.facets;
    return true;
}

static void keep_row(const sim *s, const perp_step_report *r, outcome *o)
{
    double x[SIM_MEASURES_MOST], *row = o->row[o->rows++];
    s->scene->measure(s, x);
    row[TIME] = s->world.time;
    row[COS] = x[0];
    row[HEIGHT] = x[1];
    memcpy(row + NORMAL, x + 4, 4 * sizeof *row);
    row[KINETIC] = r->kinetic;
    row[POTENTIAL] = r->potential;
    row[TOTAL] = r->kinetic + r->potential;
    row[POINTS] = r->contacts;
}

/* All steps; rows are kept where there is room for them. False: a step was refused. */
static bool run_scene(const experiment *t, sim *s, outcome *o)
{
    double last = INFINITY, first = 0, x[SIM_MEASURES_MOST], from = cpu_now();
    for (int n = 1; n <= s->steps; n++) {
        perp_step_report r;
        perp_status status = sim_step(s, &r);
        if (status < 0) return fprintf(stderr, "paper004: %s\n", r.detail) < 0;
        double total = r.kinetic + r.potential;
        if (n == 1) first = fabs(total);
        o->rise = fmax(o->rise, (total - last) / first);
        o->rounds = r.rounds > o->rounds ? r.rounds : o->rounds;
        o->bad += status != PERP_SOLVED;
        o->iterations += r.iterations;
        last = total;
        if (o->row && n % t->every == 0) keep_row(s, &r, o);
    }
    o->seconds = cpu_now() - from;
    o->steps = s->steps;
    s->scene->measure(s, x);
    o->last = x[0];
    o->touched = x[2];
    o->turned = x[3];
    return true;
}

static bool run_model(experiment *t, int k)
{
    const model *m = models + k;
    outcome *o = t->run + k;
    o->early = INFINITY;
    o->late = -INFINITY;
    for (int a = 0; a < t->angles; a++) {
        sim s;
        outcome other = {0}, *to = a == 0 ? o : &other;
        double period = m->facets ? 360.0 / m->facets : 360;
        bool good = open_scene(t, m, a * period / t->angles, &s);
        if (good && a == 0) {
            o->row = perp_alloc(&t->arena, (size_t)(s.steps / t->every) + 1, sizeof *o->row);
            good = o->row != NULL;
        }
        good = good && run_scene(t, &s, to);
        sim_close(&s);
        if (!good) return false;
        o->early = fmin(o->early, to->turned);
        o->late = fmax(o->late, to->turned);
        o->rise = fmax(o->rise, to->rise);
        o->rounds = to->rounds > o->rounds ? to->rounds : o->rounds;
        if (a > 0) o->bad += to->bad;
    }
    return true;
}

/* ---- time of the LCP ---- */

/* The contact of a step, by its pyramid: the problem is solved again and again. */
typedef struct timing {
    int facets, n, pivots;
    double seconds;
} timing;

static const struct {
    int facets;
    double milliseconds; /* on a processor of 1998 */
} paper_times[] = {{4, 0.765}, {8, 1.202}, {16, 2.764}, {32, 7.941}, {64, 27.464}, {128, 110.923}};
#define TIMES ((int)(sizeof paper_times / sizeof *paper_times))

static void time_contact(void *ctx, const perp_rigid *s, const double *impulse)
{
    (void)impulse;
    timing *t = ctx;
    perp_arena a = {0}, work = {0};
    perp_problem p;
    perp_result r = {.iterations = 0};
    if (perp_rigid_lcp_facets(s, t->facets, &a, &p, NULL)) return;
    double *z = perp_alloc(&a, (size_t)perp_size(&p), sizeof *z);
    double from = cpu_now();
    int count = 0;
    for (; z && cpu_now() - from < LCP_SECONDS; count++)
        perp_solve(&p, perp_find("lcp/lemke"), &work, z, NULL, &r);
    t->seconds = r.status == PERP_SOLVED ? (cpu_now() - from) / count : NAN;
    t->n = perp_size(&p);
    t->pivots = r.iterations;
    perp_arena_free(&a);
    perp_arena_free(&work);
}

static bool print_times(const experiment *t)
{
    printf("\nThe LCP of the first step, solved by lcp/lemke\n%9s %9s %7s %11s %11s\n", "facets",
           "dimension", "pivots", "ms", "paper, ms");
    for (int k = 0; k < TIMES; k++) {
        sim s;
        const model m = {"", paper_times[k].facets, {NULL}};
        timing found = {.facets = m.facets, .seconds = NAN};
        bool good = open_scene(t, &m, 0, &s);
        s.step.inspect = time_contact;
        s.step.inspect_ctx = &found;
        good = good && sim_step(&s, NULL) >= 0;
        sim_close(&s);
        if (!good) return false;
        printf("%9d %9d %7d %11.4f %11.3f\n", found.facets, found.n, found.pivots,
               1e3 * found.seconds, paper_times[k].milliseconds);
    }
    return true;
}

/* ---- what is shown ---- */

static void print_table(const experiment *t)
{
    printf("The tippe-top (Sauer, Schoemer 1998); the paper's turns over at 0.6 s or about\n"
           "%-10s %8s %10s %8s %12s %7s %9s %7s",
           "friction", "stick, s", "cos<-.9, s", "cos, end", "energy rises", "rounds", "it./step",
           "CPU, s");
    printf(t->angles > 1 ? "  over %d angles\n" : "\n", t->angles);
    for (int k = 0; k < MODELS; k++) {
        const outcome *o = t->run + k;
        printf("%-10s %8.4f %10.4f %8.3f %12.1e %7d %9.2f %7.3f", models[k].name, o->touched,
               o->turned, o->last, o->rise, o->rounds, o->iterations / o->steps, o->seconds);
        if (t->angles > 1 && isfinite(o->late)) printf("  %.3f .. %.3f", o->early, o->late);
        if (o->bad) printf("  %d steps not certified", o->bad);
        putchar('\n');
    }
    printf("energy rises: the worst of any step, parts of the energy; rounds: of the fixed point, "
           "at most\n");
}

static bool write_csv(const experiment *t)
{
    FILE *csv = csv_open(t->csv_path, "friction,time,cos,height,normal,friction_force,stick_normal,"
                                      "stick_friction,kinetic,potential,total,contact_points\n");
    if (!csv) return false;
    for (int k = 0; k < MODELS; k++) {
        for (int n = 0; n < t->run[k].rows; n++) {
            fputs(models[k].name, csv);
            for (int i = 0; i < CURVES; i++) fprintf(csv, ",%.9g", t->run[k].row[n][i]);
            fputc('\n', csv);
        }
    }
    return csv_close(csv, t->csv_path);
}

static void plot_data(FILE *g, const experiment *t)
{
    for (int k = 0; k < MODELS; k++) {
        const outcome *o = t->run + k;
        int skip = 1 + o->rows / 1500;
        fprintf(g, "$d%d << EOD\n", k);
        for (int n = 0; n < o->rows; n += skip) {
            for (int i = 0; i < CURVES; i++) fprintf(g, "%.7g ", o->row[n][i]);
            fputc('\n', g);
        }
        fputs("EOD\n", g);
    }
}

/* One curve of all models. */
static void plot_models(FILE *g, int column)
{
    static const char *const colour[MODELS] = {"#56b4e9", "#e69f00", "#009e73", "#cc79a7",
                                               "#010101", "#d55e00", "#999999"};
    fputs("plot", g);
    for (int k = 0; k < MODELS; k++)
        fprintf(g, "%s $d%d u 1:%d w l lw %d dt %d lc rgb '%s' t '%s'", k ? "," : "", k, column + 1,
                models[k].facets ? 1 : 2, k == MODELS - 1 ? 2 : 1, colour[k], models[k].name);
    fputc('\n', g);
}

/* Figures 10 to 13, and the number of contact points. False: gnuplot did not do it. */
static bool plot(const experiment *t)
{
    const int cone = 4;
    FILE *g = popen("gnuplot", "w");
    if (!g) return false;
    fprintf(g, "set terminal svg size 900,1500 background 'white' noenhanced\nset output '%s'\n",
            t->plot);
    plot_data(g, t);
    fputs(
        "set multiplot layout 5,1\nset grid\nset xlabel 'time, s'\nset lmargin 12\nset rmargin 22\n"
        "set key outside right\n"
        "set title 'Figure 10: cosine of the axis and the vertical'\nset yrange [-1.05:1.05]\n",
        g);
    plot_models(g, COS);
    fputs("set autoscale y\nset title 'Figure 11: forces at the two contact points, cone'\n"
          "set ylabel 'N'\nset yrange [0:0.6]\n",
          g);
    fprintf(g,
            "plot $d%d u 1:%d w l lw 1 lc rgb '#0072b2' t 'sphere, normal', "
            "$d%d u 1:%d w l lw 1 lc rgb '#56b4e9' t 'sphere, friction', "
            "$d%d u 1:%d w l lw 1 lc rgb '#d55e00' t 'stick, normal', "
            "$d%d u 1:%d w l lw 1 lc rgb '#e69f00' t 'stick, friction'\n",
            cone, NORMAL + 1, cone, FRICTION + 1, cone, STICK_N + 1, cone, STICK_T + 1);
    fputs("set autoscale y\nset title 'Contact points within the margin, cone'\nset ylabel ''\n"
          "set yrange [-0.2:2.2]\nset ytics 1\n",
          g);
    fprintf(g, "plot $d%d u 1:%d w p pt 7 ps 0.2 lc rgb '#010101' notitle\n", cone, POINTS + 1);
    fputs("set autoscale y\nset ytics autofreq\nset title 'Figure 12: height of the centre of "
          "mass'\nset ylabel 'm'\n",
          g);
    plot_models(g, HEIGHT);
    fputs("set title 'Figure 13: energy'\nset ylabel 'J'\nset yrange [0:*]\n", g);
    plot_models(g, TOTAL);
    return pclose(g) == 0;
}

/* ---- the command ---- */

static const char help[] =
    "usage: paper004 [options]\n"
    "The tippe-top of Sauer and Schoemer (1998) with 4, 8, 16 and 32 facets and the cone, without\n"
    "its stick, and with drag after the turn-over; then the time of its LCP against the "
    "dimension.\n"
    "  --set NAME=VALUE   a parameter of the scene tippetop (perp simulate --list tippetop)\n"
    "  --angles 1         starts, all turned about the vertical by parts of a facet: pyramids "
    "have\n"
    "                     directions\n"
    "  --every 5          steps from one row of curves to the next\n"
    "  --csv FILE         the curves\n"
    "  --plot FILE.svg    the same as Figures 10 to 13, by gnuplot\n";

static bool set_option(experiment *t, const char *name, const char *value)
{
    if (strcmp(name, "--set") == 0)
        return t->sets < SETS_MOST && (t->set[t->sets++] = value) != NULL;
    if (strcmp(name, "--angles") == 0) return parse_sizes(value, 1, 1000, &t->angles) > 0;
    if (strcmp(name, "--every") == 0) return parse_sizes(value, 1, 1000000, &t->every) > 0;
    if (strcmp(name, "--csv") == 0) return (t->csv_path = value) != NULL;
    return strcmp(name, "--plot") == 0 && (t->plot = value) != NULL && !strchr(value, '\'');
}

int main(int argc, char **argv)
{
    static experiment t = {.angles = 1, .every = 5};
    if (argc == 2 && strcmp(argv[1], "--help") == 0) return fputs(help, stdout) < 0;
    for (int k = 1; k < argc; k += 2) {
        if (k + 1 < argc && set_option(&t, argv[k], argv[k + 1])) continue;
        fprintf(stderr, "paper004: what is '%s'? See --help.\n", argv[k]);
        return 2;
    }
    use_one_thread(argv);
    bool good = true;
    for (int k = 0; good && k < MODELS; k++) good = run_model(&t, k);
    if (good) print_table(&t);
    good = good && print_times(&t);
    if (good && t.csv_path) good = write_csv(&t);
    if (good && t.plot && !plot(&t)) {
        fprintf(stderr, "paper004: gnuplot made no plot\n");
        good = false;
    }
    perp_arena_free(&t.arena);
    return good ? 0 : 1;
}
