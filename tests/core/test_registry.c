/* tests/core/test_registry.c: what holds for every registered solver, whatever it is. A new row of
 * solvers.def is tested here without a new line.
 *
 * Nothing a solver says is believed: residuals and proofs are computed again, naively and in long
 * double, from the dense matrix that every format was made of. */
#include "core/defaults.h"
#include "generate.h"
#include "promises.h"
#include "radius.h"
#include "support.h"

#include "core/internal.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names and tables ---- */

static void check_row(const char *name, const perp_options *defaults, size_t size)
{
    ck_assert_msg(perp_find(name) == defaults, "%s is not registered", name);
    ck_assert_str_eq(defaults->solver->name, name);
    ck_assert_uint_eq(defaults->solver->options_size, size);
}

START_TEST(every_row_is_registered)
{
    int rows = 0, registered = 0;
#define PERP_SOLVER(family, name)                                                                  \
    check_row(#family "/" #name, &perp_##family##_##name.base,                                     \
              sizeof(perp_##family##_##name##_options));                                           \
    rows++;
#include "perp/solvers.def"
#undef PERP_SOLVER
    while (perp_solvers()[registered]) registered++;
    ck_assert_int_eq(rows, registered);
    ck_assert_int_gt(rows, 0);
    for (int k = 0; k < PERP_KINDS; k++) { /* what perp_solve takes without options */
        char name[32];
        perp_kind solving = perp_solving_kind((perp_kind)k);
        snprintf(name, sizeof name, "%s/auto", perp_kind_name(solving));
        ck_assert_msg(!perp_options_check(perp_find(name), NULL), "there is no %s", name);
        ck_assert(perp_can_lift((perp_kind)k, solving));
        if (k <= PERP_KIND_QP) ck_assert_int_eq(solving, k); /* these have their own */
    }
}
END_TEST

/* A name that no solver has is refused by whoever gets it, with the nearest. */
START_TEST(a_misspelt_name_is_refused)
{
    static const struct {
        const char *name, *says;
    } t[] = {{"lcp/psro", "'lcp/psor'"},    {"mcp/newtonfb", "'mcp/newton_fb'"},
             {"LCP/Lemkee", "'lcp/lemke'"}, {"wilhelmsn", "'nnls/wilhelmsen'"},
             {"fc3d/nsg", "'fc3d/nsgs'"},   {"", "nearest"},
             {"qp/ip", "'qp/ipm'"},         {NULL, "NULL"}};
    const double M[] = {2, 1, 1, 2}, q[] = {-5, -6};
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
    perp_arena a = {0};
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        const perp_options *o = perp_find(t[k].name);
        perp_error e = {0};
        perp_result r;
        double z[2] = {NAN, NAN};
        ck_assert_int_eq(perp_solve(&p, o, &a, z, NULL, &r), PERP_E_OPTION);
        ck_assert_msg(strstr(r.detail, t[k].says), "%zu: %s", k, r.detail);
        ck_assert(z[0] == 0 && z[1] == 0);
        ck_assert_int_eq(perp_options_check(o, &e), PERP_E_OPTION);
        ck_assert_str_eq(e.text, r.detail);
        ck_assert_str_eq(perp_solver_name(o), "unknown");
        for (int i = 0; perp_solvers()[i]; i++) { /* whoever takes it for another's stays inside */
            ck_assert_ptr_ne(o, perp_solvers()[i]);
            ck_assert_uint_ge(o->solver->options_size, perp_solvers()[i]->solver->options_size);
        }
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(names_and_texts)
{
    for (int i = 0; perp_solvers()[i]; i++) {
        const perp_solver *s = perp_solvers()[i]->solver;
        const char *kind = perp_kind_name(s->kind), *slash = strchr(s->name, '/');
        ck_assert_ptr_nonnull(kind);
        ck_assert_msg(slash && (size_t)(slash - s->name) == strlen(kind) &&
                          strncmp(s->name, kind, strlen(kind)) == 0,
                      "%s is of kind %s", s->name, kind);
        ck_assert(slash[1] && !strchr(slash + 1, '/'));
        ck_assert_msg(s->about && strlen(s->about) > 10, "%s says nothing about itself", s->name);
        ck_assert_ptr_null(strchr(s->about, '\n'));
        ck_assert(s->solve != NULL);
        ck_assert_msg(s->room, "%s does not say what memory it needs: give it a room", s->name);
        ck_assert_msg(s->formats[0], "%s reads no format", s->name);
        for (int k = 0; k < i; k++) ck_assert_str_ne(s->name, perp_solvers()[k]->solver->name);
    }
}
END_TEST

typedef void option_test(const perp_options *defaults, const perp_option *t);

static void each_option(option_test *test)
{
    for (int i = 0; perp_solvers()[i]; i++) {
        const perp_option *own = perp_solvers()[i]->solver->options;
        for (const perp_option *t = perp_common_options(); t->name; t++) test(perp_solvers()[i], t);
        for (const perp_option *t = own; t && t->name; t++) test(perp_solvers()[i], t);
    }
}

static size_t size_of(perp_option_type type)
{
    return type == PERP_OPTION_REAL   ? sizeof(double)
           : type == PERP_OPTION_BOOL ? sizeof(bool)
                                      : sizeof(int);
}

static double field_of(const perp_options *o, const perp_option *t)
{
    const void *field = (const char *)o + t->offset;
    if (t->type == PERP_OPTION_REAL) return *(const double *)field;
    return t->type == PERP_OPTION_BOOL ? *(const bool *)field : *(const int *)field;
}

static void check_option(const perp_options *o, const perp_option *t)
{
    int same = 0;
    const char *solver = o->solver->name;
    ck_assert_msg(t->help && strlen(t->help) > 5, "%s: %s has no help", solver, t->name);
    ck_assert_msg(t->offset + size_of(t->type) <= o->solver->options_size, "%s: %s lies outside",
                  solver, t->name);
    for (const perp_option *u = perp_common_options(); u->name; u++) {
        same += strcmp(u->name, t->name) == 0;
    }
    for (const perp_option *u = o->solver->options; u && u->name; u++) {
        same += strcmp(u->name, t->name) == 0;
    }
    ck_assert_msg(same == 1, "%s has %d options %s", solver, same, t->name);
    if (t->type == PERP_OPTION_ENUM) {
        ck_assert_msg(t->choices && t->choices[0], "%s: %s has no choices", solver, t->name);
        return;
    }
    ck_assert_msg(t->min <= field_of(o, t) && field_of(o, t) <= t->max,
                  "%s: default %s = %g outside [%g, %g]", solver, t->name, field_of(o, t), t->min,
                  t->max);
}

START_TEST(option_tables)
{
    each_option(check_option);
    for (int i = 0; perp_solvers()[i]; i++) {
        ck_assert_int_eq(perp_options_check(perp_solvers()[i], NULL), PERP_SOLVED);
    }
}
END_TEST

static void set_and_read(perp_options *o, const perp_option *t, double value)
{
    char text[64];
    perp_error e = {0};
    if (!isfinite(value)) return;
    snprintf(text, sizeof text, "%.17g", value);
    ck_assert_msg(perp_options_set(o, t->name, text, &e) == PERP_SOLVED, "%s", e.text);
    ck_assert_double_eq(field_of(o, t), value);
    ck_assert_int_eq(perp_options_check(o, NULL), PERP_SOLVED);
}

static void set_and_fail(perp_options *o, const perp_option *t, const char *text)
{
    perp_error e = {0};
    double before = field_of(o, t);
    ck_assert_int_eq(perp_options_set(o, t->name, text, &e), PERP_E_OPTION);
    ck_assert_int_eq(e.status, PERP_E_OPTION);
    ck_assert_msg(strstr(e.text, t->name), "'%s' does not name %s", e.text, t->name);
    ck_assert_double_eq(field_of(o, t), before);
}

static void set_choices(perp_options *o, const perp_option *t)
{
    char names[256], *save = NULL;
    int k = 0;
    snprintf(names, sizeof names, "%s", t->choices);
    for (char *c = strtok_r(names, "|", &save); c; c = strtok_r(NULL, "|", &save), k++) {
        ck_assert_int_eq(perp_options_set(o, t->name, c, NULL), PERP_SOLVED);
        ck_assert_double_eq(field_of(o, t), k);
        ck_assert_int_eq(perp_options_check(o, NULL), PERP_SOLVED);
    }
    ck_assert_int_ge(k, 2);
}

static void round_trip(const perp_options *defaults, const perp_option *t)
{
    perp_arena a = {0};
    char text[64], wrong[80];
    perp_options *o = perp_options_new(&a, defaults->solver->name);
    perp_error e = {0};
    ck_assert_ptr_nonnull(o);
    size_t shared = offsetof(perp_options, solver); /* the copy knows its size */
    ck_assert_uint_eq(o->size, defaults->solver->options_size);
    ck_assert_mem_eq(&o->solver, &defaults->solver, o->size - shared);
    if (t->type == PERP_OPTION_ENUM) {
        set_choices(o, t);
    } else {
        set_and_read(o, t, t->min);
        set_and_read(o, t, t->max);
        set_and_read(o, t, field_of(defaults, t));
        if (t->type == PERP_OPTION_REAL && t->max > t->min) {
            set_and_read(o, t, isfinite(t->max) ? 0.5 * t->min + 0.5 * t->max : t->min + 1.1e-5);
        }
        snprintf(text, sizeof text, "%.17g", t->min - 1 - fabs(t->min));
        set_and_fail(o, t, text);
        snprintf(text, sizeof text, "%.17g", 2 * t->max + 1);
        if (isfinite(t->max)) set_and_fail(o, t, text);
    }
    set_and_fail(o, t, "nan");
    set_and_fail(o, t, "");
    set_and_fail(o, t, "nonsense");
    set_and_fail(o, t, "1x");
    snprintf(wrong, sizeof wrong, "%sz", t->name); /* one letter too many: it is suggested */
    ck_assert_int_eq(perp_options_set(o, wrong, "1", &e), PERP_E_OPTION);
    ck_assert_msg(strstr(e.text, wrong), "'%s' does not name %s", e.text, wrong);
    snprintf(text, sizeof text, "'%s'", t->name);
    ck_assert_msg(strstr(e.text, text), "'%s' does not suggest %s", e.text, t->name);
    perp_arena_free(&a);
}

START_TEST(options_by_name)
{
    each_option(round_trip);
}
END_TEST

/* ---- problems: every family in every format ---- */

static instance make_instance(const lcp_family *f, int n, uint64_t seed, perp_arena *a)
{
    generated g;
    ck_assert(lcp_generate(f, n, seed, a, &g));
    instance p = {.family = f, .n = g.n, .M = g.M, .q = g.q};
    if (p.M) return p;
    p.M = perp_alloc(a, (size_t)g.n * (size_t)g.n, sizeof *p.M);
    for (int j = 0; j < g.n; j++) {
        for (int k = g.p[j]; k < g.p[j + 1]; k++) p.M[j * g.n + g.i[k]] += g.x[k];
    }
    return p;
}

static bool as_dense(const instance *p, perp_arena *a, perp_matrix *M)
{
    (void)a;
    *M = perp_dense(p->n, p->n, p->M);
    return true;
}

/* NaN between the columns: nobody may read it. */
static bool as_padded(const instance *p, perp_arena *a, perp_matrix *M)
{
    size_t n = (size_t)p->n, ld = n + 3;
    double *x = perp_alloc(a, ld * n, sizeof *x);
    for (size_t k = 0; k < ld * n; k++) x[k] = k % ld < n ? p->M[k / ld * n + k % ld] : NAN;
    *M = perp_dense(p->n, p->n, x);
    M->as.dense.ld = (int)ld;
    return true;
}

/* From below, half of every entry in each of two walks: unsorted, and all are duplicates. */
static bool as_csc(const instance *p, perp_arena *a, perp_matrix *M)
{
    int n = p->n, count = 0, *start = perp_alloc(a, (size_t)n + 1, sizeof *start);
    int *row = perp_alloc(a, 2 * (size_t)n * (size_t)n, sizeof *row);
    double *x = perp_alloc(a, 2 * (size_t)n * (size_t)n, sizeof *x);
    for (int j = 0; j < n; j++) {
        for (int k = 2 * n - 1; k >= 0; k--) {
            double value = p->M[j * n + k % n] / 2;
            if (value != 0) {
                row[count] = k % n;
                x[count++] = value;
            }
        }
        start[j + 1] = count;
    }
    *M = perp_csc(n, n, start, row, x);
    return true;
}

static bool as_blocks(const instance *p, perp_arena *a, perp_matrix *M)
{
    int n = p->n, blocks = n / 3, *start = perp_alloc(a, (size_t)blocks + 1, sizeof *start);
    int *column = perp_alloc(a, (size_t)blocks * (size_t)blocks, sizeof *column);
    double *x = perp_alloc(a, (size_t)n * (size_t)n, sizeof *x);
    if (n % 3) return false;
    for (int k = 0; k < blocks * blocks; k++) {
        int i = k / blocks, j = blocks - 1 - k % blocks;
        column[k] = j;
        start[i + 1] = k + 1;
        for (int e = 0; e < 9; e++) x[9 * k + e] = p->M[(3 * j + e / 3) * n + 3 * i + e % 3];
    }
    *M = perp_bsr3(blocks, blocks, start, column, x);
    return true;
}

typedef bool view_maker(const instance *p, perp_arena *a, perp_matrix *M);
static view_maker *const views[] = {as_dense, as_padded, as_csc, as_blocks};
static const char *const view_names[] = {"dense", "dense, ld > n", "CSC", "BSR3"};
#define VIEWS 4

/* ---- judgement ---- */

/* |min(z, M z + q)| over |q|, and in *rounding what double arithmetic may err by. */
static long double residual_of(const instance *p, const double *z, long double *rounding)
{
    long double sum = 0, scale = 0, error = 0;
    for (int i = 0; i < p->n; i++) {
        long double w = p->q[i], size = fabsl(w), least;
        for (int j = 0; j < p->n; j++) {
            long double t = (long double)p->M[j * p->n + i] * z[j];
            w += t;
            size += fabsl(t);
        }
        least = w < z[i] ? w : z[i];
        sum += least * least;
        scale += (long double)p->q[i] * p->q[i];
        error += size * size;
    }
    scale = scale > 0 ? sqrtl(scale) : 1;
    *rounding = (p->n + 4) * DBL_EPSILON * sqrtl(error) / scale;
    return sqrtl(sum) / scale;
}

/* Does w prove it? Ray: w >= 0, not 0, (M w)_i <= 0 where w_i > 0. Infeasible: w >= 0, M'w <= 0,
 * q'w < 0. Each up to 1e-9 of the terms that cancel, for Farkas also of the margin. */
static bool proves(const instance *p, perp_status claim, const double *w)
{
    if (claim == PERP_INFEASIBLE) return radius_proves_lcp(p->n, p->M, p->q, w);
    long double most = 0, worst = 0;
    for (int i = 0; i < p->n; i++) most = fmaxl(most, w[i]);
    if (!(most > 0)) return false;
    for (int i = 0; i < p->n; i++) {
        long double sum = 0, size = 0;
        worst = fmaxl(worst, -w[i] / most);
        for (int j = 0; j < p->n; j++) {
            long double e = (long double)p->M[j * p->n + i] * w[j];
            sum += e;
            size += fabsl(e);
        }
        if (sum > 0 && w[i] > 0) worst = fmaxl(worst, sum / size);
    }
    return worst <= 1e-9L + p->n * DBL_EPSILON;
}

typedef struct answer {
    perp_status status;
    double *z, *w;
    perp_result r;
} answer;

#define WHERE "%s on %s, n = %d: %s (%s)"
#define WHERE_ARGS o->solver->name, p->family->name, p->n, perp_status_name(a->status), a->r.detail

static void judge_numbers(const perp_options *o, const instance *p, const answer *a)
{
    long double rounding, value = residual_of(p, a->z, &rounding);
    double claimed = a->r.residual.natural, judged = a->r.residual.value + a->r.residual.bound;
    bool within = value <= o->tol * (1 + 1e-9L) + rounding;
    for (int i = 0; i < p->n; i++) ck_assert_msg(isfinite(a->z[i]), WHERE, WHERE_ARGS);
    ck_assert_int_eq(a->status, a->r.status);
    ck_assert_msg((a->status == PERP_SOLVED) == (a->r.detail[0] == 0), WHERE, WHERE_ARGS);
    ck_assert_msg((a->status == PERP_SOLVED) == (a->status >= 0 && judged <= o->tol), WHERE,
                  WHERE_ARGS);
    ck_assert_msg(a->status != PERP_SOLVED || within, WHERE ": %Lg", WHERE_ARGS, value);
    ck_assert_msg(!isfinite(claimed) || fabsl(value - claimed) <= 1e-9L * value + rounding,
                  WHERE ": claims %g, has %Lg", WHERE_ARGS, claimed, value);
}

static void judge_slack(const perp_options *o, const instance *p, const answer *a)
{
    for (int i = 0; i < p->n; i++) {
        long double w = p->q[i], size = fabsl(w);
        for (int j = 0; j < p->n; j++) {
            w += (long double)p->M[j * p->n + i] * a->z[j];
            size += fabsl((long double)p->M[j * p->n + i] * a->z[j]);
        }
        ck_assert_msg(fabsl(w - a->w[i]) <= (p->n + 4) * DBL_EPSILON * size,
                      WHERE ": w[%d] = %g, should be %Lg", WHERE_ARGS, i, a->w[i], w);
    }
}

static void judge(const perp_options *o, const instance *p, const perp_problem *problem,
                  const answer *a)
{
    perp_arena arena = {0};
    perp_residual r;
    bool proof = a->status == PERP_RAY || a->status == PERP_INFEASIBLE;
    judge_numbers(o, p, a);
    if (proof) {
        ck_assert_msg(perp_check(problem, a->status, a->w, NULL, &arena, &r) == PERP_SOLVED, WHERE,
                      WHERE_ARGS);
        ck_assert_msg(proves(p, a->status, a->w), WHERE, WHERE_ARGS);
    } else if (a->status >= 0) {
        judge_slack(o, p, a);
    }
    if (p->family->infeasible && p->n) ck_assert_msg(a->status != PERP_SOLVED, WHERE, WHERE_ARGS);
    if (p->family->solvable) ck_assert_msg(a->status != PERP_INFEASIBLE, WHERE, WHERE_ARGS);
    if (p->n == 0) ck_assert_msg(a->status == PERP_SOLVED, WHERE, WHERE_ARGS);
    perp_arena_free(&arena);
}

static void judge_promise(const perp_options *o, const instance *p, const answer *a)
{
    for (size_t k = 0; k < sizeof promises / sizeof *promises && p->n; k++) {
        if (strcmp(promises[k].solver, o->solver->name) != 0 || !promises[k].keeps(p)) continue;
        perp_status expected = p->family->infeasible ? PERP_INFEASIBLE : PERP_SOLVED;
        ck_assert_msg(a->status == expected, WHERE, WHERE_ARGS);
    }
}

static void run(const perp_options *o, const instance *p, perp_matrix M, answer *a)
{
    perp_arena arena = {0}, scratch = {0};
    perp_problem problem = perp_make_lcp(p->n, M, p->q);
    a->z = perp_alloc(&scratch, (size_t)p->n, sizeof *a->z);
    a->w = perp_alloc(&scratch, (size_t)p->n, sizeof *a->w);
    for (int i = 0; i < p->n; i++) a->z[i] = a->w[i] = NAN; /* must not be read */
    a->status = perp_solve(&problem, o, &arena, a->z, a->w, &a->r);
    judge(o, p, &problem, a);
    judge_promise(o, p, a);
    ck_assert_uint_eq(arena.used, 0);
    perp_arena_free(&arena);
    perp_arena_free(&scratch);
}

static void run_all(const instance *p, perp_arena *arena)
{
    for (int v = 0; v < VIEWS; v++) {
        perp_matrix M;
        if (!views[v](p, arena, &M)) continue;
        for (int i = 0; perp_solvers()[i]; i++) {
            const perp_solver *s = perp_solvers()[i]->solver;
            answer a = {0};
            if (s->kind != PERP_KIND_LCP) continue;
            run(perp_solvers()[i], p, M, &a);
            bool fair = a.status == PERP_E_NUMBER || (a.status == PERP_E_ARGUMENT && p->n > 20);
            ck_assert_msg(a.status >= 0 || fair, "%s, %s: %s", s->name, view_names[v], a.r.detail);
        }
    }
}

/* The loop index counts families: Check runs each on its own. */
START_TEST(family)
{
    static const int sizes[] = {0, 1, 2, 3, 4, 6, 12, 66};
    const lcp_family *f = &lcp_families[_i];
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        bool endless = f->exponential || (f->infeasible && !f->psd); /* for most solvers */
        if (sizes[s] > 12 && endless) continue;
        for (uint64_t seed = 1; seed <= 3; seed++) {
            perp_arena arena = {0};
            instance p = make_instance(f, sizes[s], seed, &arena);
            run_all(&p, &arena);
            perp_arena_free(&arena);
        }
    }
}
END_TEST

int main(void)
{
    int families = 0;
    while (lcp_families[families].name) families++;
    Suite *suite = suite_create("registry");
    TCase *table = tcase_create("table"), *solve = tcase_create("solve");
    tcase_add_test(table, every_row_is_registered);
    tcase_add_test(table, a_misspelt_name_is_refused);
    tcase_add_test(table, names_and_texts);
    tcase_add_test(table, option_tables);
    tcase_add_test(table, options_by_name);
    tcase_add_loop_test(solve, family, 0, families);
    tcase_set_timeout(solve, 60);
    suite_add_tcase(suite, table);
    suite_add_tcase(suite, solve);
    return support_run(suite);
}
