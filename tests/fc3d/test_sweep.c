/* tests/fc3d/test_sweep.c: opening a sweep: which variant, what is refused; relaxation, freezing,
 * measuring. */
#include "base/watch.h"
#include "countdown.h"
#include "sweep_support.h"

static const double q2[6] = {-1, 0.2, 0, -1, 3, 4}, mu2[2] = {0.5, 0.5};

static perp_problem two_spheres(double *W)
{
    memset(W, 0, 36 * sizeof *W);
    for (int i = 0; i < 6; i++) W[7 * i] = i % 3 ? 2 : 1;
    return perp_make_fc3d(2, perp_dense(6, 6, W), q2, mu2);
}

static perp_status open_only(perp_run *run, double *z, void *ctx)
{
    perp_sweep s;
    perp_status status = perp_sweep_open(run, ctx, z, &s);
    if (!status) perp_sweep_close(&s);
    return status ? status : PERP_STALLED;
}

static void refused(const perp_problem *p, const char *word)
{
    perp_result r;
    for (int order = 0; order < 2; order++) {
        perp_sweep_options o = plain_options;
        o.order = (perp_order)order;
        ck_assert_int_eq(fc3d_inside(p, open_only, &o, &r), PERP_E_NUMBER);
        ck_assert_msg(strstr(r.detail, word), "'%s' does not say '%s'", r.detail, word);
    }
}

static void opened(const perp_problem *p, perp_contact_solver local)
{
    perp_result r;
    perp_sweep_options o = plain_options;
    o.local = local;
    ck_assert_int_eq(fc3d_inside(p, open_only, &o, &r), PERP_STALLED);
}

START_TEST(bad_blocks)
{
    static const double opens[6] = {1, 0.2, 0, -1, 3, 4};
    double W[36];
    perp_problem p = two_spheres(W);
    W[21] = 0; /* q_N = -1 */
    refused(&p, "contact 1");
    W[21] = -1;
    refused(&p, "contact 1");
    p = two_spheres(W);
    W[7] = W[14] = W[13] = W[8] = 1; /* W_TT = [1 1; 1 1] */
    opened(&p, PERP_CONTACT_SOLVER_AUTO);
    perp_sweep_options divides = plain_options;
    divides.local = PERP_CONTACT_SOLVER_EXPLICIT;
    perp_result r;
    ck_assert_int_eq(fc3d_inside(&p, open_only, &divides, &r), PERP_E_NUMBER);
    ck_assert_msg(strstr(r.detail, "contact 0 is singular"), "%s", r.detail);
    W[7] = W[14] = W[13] = W[8] = 0;
    opened(&p, PERP_CONTACT_SOLVER_AUTO);
    W[0] = -1e-17; /* rounding */
    p.as.fc3d.q = opens;
    opened(&p, PERP_CONTACT_SOLVER_AUTO);
    p.as.fc3d.q = q2;
    const int none[3] = {0, 0, 0}; /* no diagonal blocks at all */
    p.as.fc3d.W = perp_bsr3(2, 2, none, NULL, NULL);
    refused(&p, "contact 0");
}
END_TEST

typedef struct choice {
    perp_sweep_options o;
    const perp_sweep_ops *ops;
    bool reduced;
} choice;

static perp_status choose(perp_run *run, double *z, void *ctx)
{
    const choice *c = ctx;
    const perp_fc3d *f = &run->problem->as.fc3d;
    perp_sweep s;
    perp_status status = perp_sweep_open(run, &c->o, z, &s);
    if (status) return status;
    ck_assert_ptr_eq(s.ops, c->ops);
    ck_assert(c->reduced ? s.problem == &s.reduced->local : s.problem == f && !s.reduced);
    bool coloured = c->o.order == PERP_ORDER_COLOURED;
    ck_assert(coloured ? s.order && s.parts && s.r != z : !s.order && !s.parts && s.r == z);
    ck_assert_int_eq(s.apart, coloured || f->form == PERP_FORM_BODY);
    perp_sweep_close(&s);
    return PERP_STALLED;
}

/* By form and order; a body form with joints is reduced. */
START_TEST(variants)
{
    static const struct {
        const char *family, *form;
        bool reduced;
        const perp_sweep_ops *ops[2];
    } rows[] = {
        {"stack", "fc3d", false, {&perp_sweep_columns, &perp_sweep_rows}},
        {"stack", "fc3d_body", false, {&perp_sweep_bodies, &perp_sweep_bodies}},
        {"snake", "fc3d_body", true, {&perp_sweep_columns, &perp_sweep_rows}},
    };
    for (int k = 0; k < 6; k++) {
        perp_arena a = {0};
        perp_result r;
        generated_problem g = fc3d_generate(rows[k / 2].family, rows[k / 2].form, 3, 1, &a);
        choice c = {plain_options, rows[k / 2].ops[k % 2], rows[k / 2].reduced};
        c.o.order = (perp_order)(k % 2);
        perp_status status = fc3d_inside(&g.p, choose, &c, &r);
        ck_assert_msg(status == PERP_STALLED, "%s: %s", rows[k / 2].family, r.detail);
        perp_arena_free(&a);
    }
}
END_TEST

/* What is opened for one W is not taken for another of its size: two scenes in one arena. */
START_TEST(two_problems)
{
    perp_arena a = {0};
    for (int k = 0; k < 4; k++) {
        sweep_test t = {plain_options, k / 2 ? &perp_sweep_rows : &perp_sweep_columns, 3};
        t.o.order = (perp_order)(k / 2);
        generated_problem g = fc3d_generate("snake", "fc3d_body", 3, 1 + (uint64_t)k, &a);
        fc3d_probe o = {.base = {.solver = &fc3d_prober, .max_iter = 100, .threads = 1},
                        .look = compare_sweeps,
                        .ctx = &t};
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        perp_result r;
        perp_status status = perp_solve(&g.p, &o.base, &a, z, NULL, &r);
        ck_assert_msg(status == PERP_STALLED, "%s", r.detail);
    }
    perp_arena_free(&a);
}
END_TEST

typedef struct outcome {
    perp_sweep_options o;
    double r[6], error;
    int worst, sweeps;
} outcome;

static perp_status run_some(perp_run *run, double *z, void *ctx)
{
    outcome *t = ctx;
    perp_sweep s;
    ck_assert_int_eq(perp_sweep_open(run, &t->o, z, &s), PERP_SOLVED);
    perp_sweep_refresh(&s);
    ck_assert(perp_sweep_run(&s, false) == 0);
    for (int k = 1; k < t->sweeps; k++) perp_sweep_run(&s, false);
    perp_sweep_write(&s, z);
    memcpy(t->r, z, sizeof t->r);
    t->error = perp_sweep_run(&s, true);
    t->worst = perp_sweep_worst(&s);
    perp_sweep_close(&s);
    return PERP_STALLED;
}

/* Uncoupled spheres: r = (1, -0.1, 0) and (1, -0.3, -0.4) after one sweep; a part of it relaxed. */
START_TEST(relaxed)
{
    static const double exact[6] = {1, -0.1, 0, 1, -0.3, -0.4};
    double W[36];
    perp_problem p = two_spheres(W);
    perp_result r;
    for (int k = 0; k < 6; k++) {
        outcome t = {.o = plain_options, .sweeps = 1};
        t.o.relaxation = k % 2 ? 0.5 : 1;
        t.o.order = (perp_order)(k / 2 % 2);
        t.o.local = k < 4 ? PERP_CONTACT_SOLVER_AUTO : PERP_CONTACT_SOLVER_EXPLICIT;
        fc3d_inside(&p, run_some, &t, &r);
        for (int i = 0; i < 6; i++)
            ck_assert_double_eq_tol(t.r[i], t.o.relaxation * exact[i], 1e-14);
        double block[9] = {1, 0, 0, 0, 2, 0, 0, 0, 2}, each[2];
        for (int c = 0; c < 2; c++)
            each[c] = perp_contact_error(block, q2 + 3 * c, 0.5, t.r + 3 * c);
        ck_assert_double_eq_tol(t.error, hypot(each[0], each[1]), 1e-15);
        ck_assert(k % 2 ? t.error > 0.1 : t.error < 1e-14);
        if (k % 2) ck_assert_int_eq(t.worst, each[1] > each[0]);
    }
    outcome t = {.o = plain_options, .sweeps = 40};
    t.o.relaxation = 1.3; /* projected where it leaves the cone */
    fc3d_inside(&p, run_some, &t, &r);
    for (int i = 0; i < 6; i++) ck_assert_double_eq_tol(t.r[i], exact[i], 1e-8);
}
END_TEST

/* Each local solver gets there; lemke and qp where an edge of their pyramid points along. */
START_TEST(local_solvers)
{
    static const double exact[6] = {1, -0.1, 0, 1, -0.3, -0.4};
    double W[36];
    perp_problem p = two_spheres(W);
    for (int local = 0; local <= PERP_CONTACT_SOLVER_QP; local++) {
        outcome t = {.o = plain_options, .sweeps = 20};
        perp_result r;
        t.o.local = (perp_contact_solver)local;
        t.o.facets = 64;
        t.o.freeze = local % 2 ? 3 : 0;
        fc3d_inside(&p, run_some, &t, &r);
        double tol = local >= PERP_CONTACT_SOLVER_LEMKE ? 0.03 : 1e-8;
        for (int i = 0; i < 6; i++) ck_assert_double_eq_tol(t.r[i], exact[i], tol);
    }
}
END_TEST

enum { MANY = 10000, VISITED = 4096 }; /* contacts; those between two looks */

typedef struct cut {
    perp_sweep_options o;
    double *whole; /* r after a sweep that nobody stops */
} cut;

/* A sweep that is stopped has visited its first contacts, one that is not has the same bits as one
 * that nobody watches; an opening that is stopped ends. */
static perp_status cut_sweep(perp_run *run, double *z, void *ctx)
{
    const cut *t = ctx;
    countdown c = {.left = 0};
    perp_watch watch = {.stop = count_down, .ctx = &c};
    perp_sweep s;
    run->arena->watch = &watch;
    ck_assert_int_eq(perp_sweep_open(run, &t->o, z, &s), PERP_E_MEMORY);
    run->arena->watch = NULL;
    run->arena->failed = false;
    ck_assert_int_eq(perp_sweep_open(run, &t->o, z, &s), PERP_SOLVED);
    run->arena->watch = &watch;
    perp_sweep_refresh(&s);
    for (int left = 0; left < 2; left++) {
        memset(s.r, 0, 3 * MANY * sizeof *s.r);
        perp_sweep_refresh(&s);
        c = (countdown){.left = left};
        ck_assert(isinf(perp_sweep_run(&s, true)));
        for (int p = 0; p < MANY; p++) ck_assert((s.r[3 * p] != 0) == (p < (left + 1) * VISITED));
    }
    for (int watched = 0; watched < 2; watched++) {
        memset(s.r, 0, 3 * MANY * sizeof *s.r);
        perp_sweep_refresh(&s);
        run->arena->watch = watched ? &watch : NULL;
        c = (countdown){.left = MANY};
        ck_assert(isfinite(perp_sweep_run(&s, true)));
        ck_assert_int_eq(c.looks, watched ? MANY / VISITED : 0);
        if (watched) ck_assert_mem_eq(t->whole, s.r, 3 * MANY * sizeof *s.r);
        memcpy(t->whole, s.r, 3 * MANY * sizeof *s.r);
    }
    run->arena->watch = NULL;
    perp_sweep_close(&s);
    return PERP_STALLED;
}

/* Each contact feels the one before it. */
START_TEST(stops_within)
{
    perp_arena a = {0};
    int *p = perp_alloc(&a, MANY + 1, sizeof *p), *j = perp_alloc(&a, 2 * MANY, sizeof *j);
    double *x = perp_alloc(&a, 18 * MANY, sizeof *x), *q = perp_alloc(&a, 3 * MANY, sizeof *q);
    double *mu = perp_alloc(&a, MANY, sizeof *mu);
    cut t = {plain_options, perp_alloc(&a, 3 * MANY, sizeof(double))};
    ck_assert(!a.failed);
    for (int i = 0, at = 0; i < MANY; i++) {
        for (int k = i > 0 ? i - 1 : i; k <= i; k++, at++) {
            j[at] = k;
            for (int e = 0; e < 3; e++) x[9 * at + 4 * e] = k == i ? 1 : 0.1;
        }
        p[i + 1] = at;
        q[3 * i] = -1 - i % 5;
        mu[i] = 0.5;
    }
    perp_problem chain = perp_make_fc3d(MANY, perp_bsr3(MANY, MANY, p, j, x), q, mu);
    for (int order = 0; order < 2; order++) {
        perp_result r;
        t.o.order = (perp_order)order;
        perp_status status = fc3d_inside(&chain, cut_sweep, &t, &r);
        ck_assert_msg(status == PERP_STALLED, "%s", r.detail);
    }
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_sweep");
    TCase *t = tcase_create("fc3d_sweep");
    tcase_add_test(t, variants);
    tcase_add_test(t, two_problems);
    tcase_add_test(t, bad_blocks);
    tcase_add_test(t, relaxed);
    tcase_add_test(t, local_solvers);
    tcase_add_test(t, stops_within);
    suite_add_tcase(s, t);
    return support_run(s);
}
