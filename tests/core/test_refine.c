/* tests/core/test_refine.c: Newton's steps from a solved z of a map by callback: nearer to the
 * solution where the Jacobian is nearly singular, and z as it was where there is no such step. */
#include "literature_support.h"

#include <check.h>
#include <stdlib.h>
#include <time.h>

static const char *const solvers[] = {"mcp/auto", "mcp/newton_fb", "mcp/path", "mcp/josephy"};
#define SOLVERS ((int)(sizeof solvers / sizeof *solvers))

/* Lines that cross at (1, 1) at a small angle, one of them bent. */
#define ANGLE 1e-4

typedef struct crossing {
    double least; /* undefined where z_0 is less */
    bool slow;    /* takes longer than a monitor is left unasked */
    int evaluations, jacobians;
} crossing;

static bool cross(void *ctx, const double *z, double *F)
{
    crossing *c = ctx;
    c->evaluations++;
    for (clock_t end = clock() + CLOCKS_PER_SEC / 25; c->slow && clock() < end;) continue;
    F[0] = z[0] + z[1] - 2;
    F[1] = z[0] - 1 + (1 + ANGLE) * (z[1] - 1) + (z[1] - 1) * (z[1] - 1);
    return z[0] >= c->least;
}

static bool cross_jacobian(void *ctx, const double *z, double *J)
{
    crossing *c = ctx;
    c->jacobians++;
    J[0] = J[1] = J[2] = 1;
    J[3] = 1 + ANGLE + 2 * (z[1] - 1);
    return true;
}

static perp_problem make_crossing(crossing *c)
{
    static const double lo[2] = {0};
    perp_map F = {.n = 2, .eval = cross, .jacobian = cross_jacobian, .ctx = c};
    return perp_make_mcp_map(F, lo, NULL);
}

/* It has a residual of 2e-10. */
static const double aside[2] = {1 + 1e-5, 1 - 1e-5};

static perp_status solve_from(const perp_problem *p, const perp_options *base, const double *from,
                              double *z, perp_result *r)
{
    perp_arena a = {0};
    perp_options *o = perp_options_new(&a, "mcp/auto");
    if (base) {
        o->max_iter = base->max_iter;
        o->monitor = base->monitor;
        o->monitor_ctx = base->monitor_ctx;
        o->max_seconds = base->max_seconds;
    }
    o->warm_start = true;
    memcpy(z, from, (size_t)perp_size(p) * sizeof *z);
    perp_status status = perp_solve(p, o, &a, z, NULL, r);
    perp_arena_free(&a);
    return status;
}

/* Also a start that is solved is 1e-5 from the solution no longer, without an iteration. */
START_TEST(solved_starts)
{
    crossing c = {0};
    perp_problem p = make_crossing(&c);
    perp_options none = {.max_iter = 0};
    perp_result r;
    double z[2], again[2];
    ck_assert_double_le(certify(&p, aside, PERP_SOLVED).value, 1e-9);
    ck_assert_int_eq(solve_from(&p, &none, aside, z, &r), PERP_SOLVED);
    ck_assert_int_eq(r.iterations, 0);
    ck_assert_int_eq(r.certificates, 4); /* of the start, and of three steps */
    for (int i = 0; i < 2; i++) ck_assert_double_eq_tol(z[i], 1, 1e-10);
    ck_assert_double_eq(certify(&p, z, PERP_SOLVED).value, r.residual.value);
    c = (crossing){0};
    ck_assert_int_eq(solve_from(&p, NULL, z, again, &r), PERP_SOLVED);
    ck_assert_mem_eq(z, again, sizeof z); /* a step that is shorter than tol is not taken, */
    ck_assert_int_eq(r.certificates, 1);  /* and costs no evaluation: */
    ck_assert_int_eq(c.jacobians, 1);
    ck_assert_int_eq(c.evaluations, 4); /* these are the certificate's */
}
END_TEST

START_TEST(undefined_there)
{
    crossing c = {.least = 1 + 5e-6};
    perp_problem p = make_crossing(&c);
    perp_result r;
    double z[2];
    ck_assert_int_eq(solve_from(&p, NULL, aside, z, &r), PERP_SOLVED);
    ck_assert_mem_eq(z, aside, sizeof z);
    ck_assert_double_eq(r.residual.value, certify(&p, aside, PERP_SOLVED).value);
}
END_TEST

static bool refuse(void *ctx, const perp_progress *p)
{
    (void)p;
    ++*(int *)ctx;
    return false;
}

/* Whoever wants to stop has a solved z already, and keeps it. */
START_TEST(limits)
{
    crossing c = {.slow = true};
    perp_problem p = make_crossing(&c);
    perp_result r;
    double z[2];
    int asked = 0;
    perp_options o = {.max_iter = 100, .monitor = refuse, .monitor_ctx = &asked};
    ck_assert_int_eq(solve_from(&p, &o, aside, z, &r), PERP_SOLVED);
    ck_assert_mem_eq(z, aside, sizeof z);
    ck_assert_int_eq(asked, 1);
    o = (perp_options){.max_iter = 100, .max_seconds = 1e-9};
    ck_assert_int_eq(solve_from(&p, &o, aside, z, &r), PERP_SOLVED);
    ck_assert_mem_eq(z, aside, sizeof z);
}
END_TEST

/* z_0 + z_1 = 2, twice: all of a line. */
static bool line(void *ctx, const double *z, double *F)
{
    (void)ctx;
    F[0] = F[1] = z[0] + z[1] - 2;
    return true;
}

static bool line_jacobian(void *ctx, const double *z, double *J)
{
    (void)ctx;
    (void)z;
    J[0] = J[1] = J[2] = J[3] = 1;
    return true;
}

/* It goes to the line, and not along it. */
START_TEST(singular)
{
    static const double lo[2] = {0}, from[2] = {1.5 + 2e-8, 0.5 + 1e-8};
    perp_map F = perp_make_map(2, line, _i ? line_jacobian : NULL, (perp_matrix){0}, NULL);
    perp_problem p = perp_make_mcp_map(F, lo, NULL);
    perp_result r;
    double z[2];
    ck_assert_double_ge(certify(&p, from, PERP_SOLVED).value, 5e-9);
    ck_assert_int_eq(solve_from(&p, NULL, from, z, &r), PERP_SOLVED);
    ck_assert_int_eq(r.iterations, 0);
    ck_assert_double_le(r.residual.value, 1e-14);
    ck_assert_double_le(difference(2, z, from), 5e-8);
}
END_TEST

static bool line_again(void *ctx, const double *z, double *F)
{
    (void)ctx;
    F[0] = z[0] + z[1] - 2;
    F[1] = 1.1 * z[0] + 1.1 * z[1] - 2.2;
    return true;
}

static bool no_jacobian(void *ctx, const double *z, double *J)
{
    (void)ctx;
    (void)z;
    (void)J;
    return false;
}

/* The same where jacobian() is undefined, so that J is one of differences all the same. Without a
 * proximal term 7 of these starts go more than 1e-6 along the line, up to 1.6e-5. */
START_TEST(singular_by_differences)
{
    static const double lo[2] = {0};
    perp_map F = perp_make_map(2, line_again, _i ? no_jacobian : NULL, (perp_matrix){0}, NULL);
    perp_problem p = perp_make_mcp_map(F, lo, NULL);
    for (int k = 0; k < 2000; k++) {
        double along = 0.3 * sin(3 * k), z[2];
        double from[2] = {1.5 + 1e-8 * sin(k) + along, 0.5 + 1e-8 * cos(2 * k) - along};
        perp_result r;
        ck_assert_int_eq(solve_from(&p, NULL, from, z, &r), PERP_SOLVED);
        ck_assert_msg(r.iterations > 0 || difference(2, z, from) <= 5e-8, "start %d: moved by %.1e",
                      k, difference(2, z, from));
    }
}
END_TEST

/* Powell's badly scaled function has the root (1.098e-5, 9.106), and its Jacobian there a condition
 * of 1e8 or so. */
START_TEST(nearly_singular)
{
    static const double root[2] = {1.0981593296997149e-5, 9.1061467398665240};
    perp_arena a = {0};
    literature l;
    ck_assert(literature_make(literature_find("badly_scaled"), 0, &a, &l));
    for (int start = 0; start < l.starts; start++) {
        perp_result r;
        double z[2];
        perp_options *o = perp_options_new(&a, solvers[_i]);
        o->warm_start = true;
        literature_start(&l, start, z);
        if (perp_solve(&l.p, o, &a, z, NULL, &r) != PERP_SOLVED) continue;
        for (int i = 0; i < 2; i++) {
            ck_assert_msg(fabs(z[i] - root[i]) <= 1e-8 * fmax(1, root[i]),
                          "%s, start %d: z[%d] = %.17g", solvers[_i], start, i, z[i]);
        }
    }
    perp_arena_free(&a);
}
END_TEST

/* ---- memory ---- */

/* A sparse problem, at a tolerance at which a step is taken. */
static perp_problem make_grid(perp_arena *a, int n)
{
    literature l;
    ck_assert(literature_make(literature_find("bratu"), n, a, &l));
    ck_assert_int_le(l.n, n);
    return l.p;
}

#define GRID 400
#define LOOSE 1e-3

/* The step is taken in memory that the solver had: a buffer of the arena's peak does, with the
 * same bits. */
START_TEST(fixed_arenas)
{
    static double z[GRID], y[GRID];
    perp_arena data = {0}, a = {0}, fixed;
    perp_problem p = make_grid(&data, GRID);
    perp_options *o = perp_options_new(&data, solvers[_i]);
    perp_result r, again;
    o->tol = LOOSE;
    ck_assert_int_eq(perp_solve(&p, o, &a, z, NULL, &r), PERP_SOLVED);
    size_t size = (size_t)1 << 25;
    char *buffer = malloc(size);
    perp_arena_fixed(&fixed, buffer, size);
    ck_assert_int_eq(perp_solve(&p, o, &fixed, y, NULL, &again), PERP_SOLVED);
    size = fixed.peak + 128;
    perp_arena_fixed(&fixed, buffer, size);
    ck_assert_int_eq(perp_solve(&p, o, &fixed, y, NULL, &again), PERP_SOLVED);
    ck_assert_int_eq(r.certificates, again.certificates);
    ck_assert_double_eq_tol(difference(GRID, z, y), 0, 1e-12);
    free(buffer);
    perp_arena_free(&a);
    perp_arena_free(&data);
}
END_TEST

START_TEST(starved)
{
    crossing c = {0};
    perp_problem p = make_crossing(&c);
    perp_arena data = {0};
    solve_starved(&p, perp_find(solvers[_i]), PERP_SOLVED);
    solve_confined(&p, perp_find(solvers[_i]), PERP_SOLVED);
    p = make_grid(&data, 16);
    solve_starved(&p, perp_find(solvers[_i]), PERP_SOLVED);
    perp_arena_free(&data);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("refine");
    TCase *t = tcase_create("refine");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, solved_starts);
    tcase_add_test(t, undefined_there);
    tcase_add_test(t, limits);
    tcase_add_loop_test(t, singular, 0, 2);
    tcase_add_loop_test(t, singular_by_differences, 0, 2);
    tcase_add_loop_test(t, nearly_singular, 0, SOLVERS);
    tcase_add_loop_test(t, fixed_arenas, 0, SOLVERS);
    tcase_add_loop_test(t, starved, 0, SOLVERS);
    suite_add_tcase(s, t);
    return support_run(s);
}
