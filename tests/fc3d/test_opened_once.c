/* tests/fc3d/test_opened_once.c: a friction problem is opened once, whatever number of solvers work
 * on it, and again only when its matrices change. */
#include "base/cache.h"
#include "fc3d_solver_support.h"

#include <string.h>

static unsigned count(const perp_arena *a, perp_work kind)
{
    return a->work[kind];
}

/* fc3d/auto makes 22 nested solves here: one reduction from bodies to contacts, one order of
 * elimination, at most eight conversions in two solves, whatever the status: M, which is too small
 * to be kept, for each of three runs of cone/ipm. A second solve, with other forces, opens nothing
 * else. */
START_TEST(tower)
{
    perp_arena own = {0}, a = {0};
    perp_problem p;
    perp_error e;
    perp_result r;
    ck_assert_int_eq(perp_load(SOURCE_ROOT "/problems/fc3d/tower_ratio-4.perp", &own, &p, &e),
                     PERP_SOLVED);
    perp_options *o = solver_options("fc3d/auto", 0, &own);
    o->max_iter = 5000;
    double *z = perp_alloc(&own, (size_t)perp_size(&p), sizeof *z);
    double *f = perp_alloc(&own, (size_t)p.as.fc3d.M.n, sizeof *f);
    for (int k = 0; k < 2; k++) {
        perp_status s = perp_solve(&p, o, &a, z, NULL, &r);
        ck_assert_msg(s >= 0, "%s", r.detail);
        ck_assert_int_gt(r.iterations, 2000); /* sweeps, and what comes after them */
        ck_assert_uint_eq(count(&a, PERP_WORK_BODIES), 1);
        ck_assert_uint_eq(count(&a, PERP_WORK_REDUCTION), 1);
        ck_assert_uint_eq(count(&a, PERP_WORK_ORDER), 1);
        ck_assert_uint_le(count(&a, PERP_WORK_CONVERSION), 8); /* cone/ipm reads no blocks */
        for (int i = 0; i < p.as.fc3d.M.n; i++) f[i] = 1.001 * p.as.fc3d.f[i];
        p.as.fc3d.f = f;
    }
    perp_arena_free(&a);
    perp_arena_free(&own);
}
END_TEST

/* The solvers of fc3d that read a body form. */
static const char *const names[] = {"fc3d/nsgs", "fc3d/nncg", "fc3d/prox",   "fc3d/newton",
                                    "fc3d/admm", "fc3d/ipm",  "fc3d/facets", "fc3d/cpg"};
#define NAMES ((int)(sizeof names / sizeof *names))

/* Solve p twice in one arena, with other forces in between, and once in a new one: the same bits,
 * status and iterations. `order`: sweeps in a coloured order. */
static void solve_by_all(perp_problem *p, int order, perp_arena *a)
{
    perp_arena own = {0};
    int n = perp_size(p);
    double *z = perp_alloc(&own, (size_t)n, sizeof *z), *y = perp_alloc(&own, (size_t)n, sizeof *y);
    double *f = perp_alloc(&own, (size_t)p->as.fc3d.M.n, sizeof *f);
    const double *given = p->as.fc3d.f;
    for (int i = 0; i < p->as.fc3d.M.n; i++) f[i] = given[i] * 1.01;
    for (int k = 0; k < 3 * NAMES; k++) {
        perp_arena empty = {0};
        perp_result r, again;
        perp_options *o = solver_options(names[k % NAMES], 1e-8, &own);
        o->max_iter = 60;
        if (order && k % NAMES < 2)
            ck_assert_int_eq(perp_options_set(o, "order", "coloured", NULL), PERP_SOLVED);
        p->as.fc3d.f = k / NAMES == 1 ? f : given;
        perp_solve(p, o, a, z, NULL, &r);
        perp_solve(p, o, &empty, y, NULL, &again);
        ck_assert_int_eq(r.status, again.status);
        ck_assert_int_eq(r.iterations, again.iterations);
        ck_assert_msg(!memcmp(z, y, (size_t)n * sizeof *z), "%s: other bits", names[k % NAMES]);
        perp_arena_free(&empty);
    }
    p->as.fc3d.f = given;
    perp_arena_free(&own);
}

/* M shows its bodies: all solvers share one reduction, block rows, columns and orders. */
START_TEST(bodies)
{
    perp_arena own = {0}, a = {0};
    generated_problem g = fc3d_generate("tower", "fc3d_body", 3, 1, &own);
    solve_by_all(&g.p, _i, &a);
    ck_assert_uint_eq(count(&a, PERP_WORK_BODIES), 1);
    ck_assert_uint_eq(count(&a, PERP_WORK_REDUCTION), 1);
    ck_assert_uint_eq(count(&a, PERP_WORK_CANONICAL), 1);
    ck_assert_uint_eq(count(&a, PERP_WORK_ORDER), _i ? 2 : 1); /* of elimination, of the sweep */
    perp_matrix *M = &g.p.as.fc3d.M;
    double *x = (double *)(M->format == PERP_FORMAT_CSC ? M->as.csc.x : M->as.dense.x);
    ck_assert(M->format == PERP_FORMAT_CSC || M->format == PERP_FORMAT_DENSE);
    x[0] *= 1.5; /* another mass */
    solve_by_all(&g.p, _i, &a);
    ck_assert_uint_eq(count(&a, PERP_WORK_BODIES), 2);
    ck_assert_uint_eq(count(&a, PERP_WORK_REDUCTION), 2);
    perp_arena_free(&a);
    perp_arena_free(&own);
}
END_TEST

/* Joints hide the bodies: W comes from one sparse factorisation, and further right-hand sides cost
 * none. */
START_TEST(joints)
{
    perp_arena own = {0}, a = {0};
    generated_problem g = fc3d_generate("chain", "fc3d_body", 6, 1, &own);
    ck_assert_int_gt(g.p.as.fc3d.G.n, 0);
    static const char *const some[] = {"fc3d/cpg", "fc3d/prox", "fc3d/cpg"};
    perp_result r;
    double *z = perp_alloc(&own, (size_t)perp_size(&g.p), sizeof *z);
    double *f = perp_alloc(&own, (size_t)g.p.as.fc3d.M.n, sizeof *f);
    for (int k = 0; k < 3; k++) {
        perp_options *o = solver_options(some[k], 1e-8, &own);
        ck_assert_int_ge(perp_solve(&g.p, o, &a, z, NULL, &r), 0);
        for (int i = 0; i < g.p.as.fc3d.M.n; i++) f[i] = 1.01 * g.p.as.fc3d.f[i];
        g.p.as.fc3d.f = f;
        ck_assert_uint_eq(count(&a, PERP_WORK_REDUCTION), 1);
        ck_assert_uint_eq(count(&a, PERP_WORK_FACTOR), 1);
        ck_assert_uint_eq(count(&a, PERP_WORK_ANALYSIS), 1);
    }
    solve_by_all(&g.p, _i, &a); /* fc3d/facets factors a matrix of its own */
    ck_assert_uint_eq(count(&a, PERP_WORK_REDUCTION), 1);
    perp_arena_free(&a);
    perp_arena_free(&own);
}
END_TEST

/* A fixed arena keeps nothing between solves, and opens a problem once for the solvers of one. */
START_TEST(fixed)
{
    const size_t size = (size_t)4 << 20;
    perp_arena own = {0}, a = {0};
    perp_result r;
    generated_problem g = fc3d_generate(_i ? "chain" : "tower", "fc3d_body", 3, 1, &own);
    perp_options *o = solver_options("fc3d/auto", 0, &own);
    double *z = perp_alloc(&own, (size_t)perp_size(&g.p), sizeof *z);
    void *buffer = malloc(size);
    o->max_iter = 3000;
    perp_arena_fixed(&a, buffer, size);
    for (unsigned k = 1; k <= 2; k++) {
        perp_solve(&g.p, o, &a, z, NULL, &r);
        ck_assert_uint_eq(count(&a, PERP_WORK_REDUCTION), k);
        ck_assert_uint_eq(count(&a, PERP_WORK_BODIES), k);
        ck_assert_uint_le(count(&a, PERP_WORK_ORDER), k);
        ck_assert_uint_le(count(&a, PERP_WORK_FACTOR), k * (1 + 25)); /* 25: of the relaxation */
    }
    perp_arena_free(&a);
    perp_arena_free(&own);
    free(buffer);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_opened_once");
    TCase *t = tcase_create("fc3d_opened_once");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, tower);
    tcase_add_loop_test(t, bodies, 0, 2);
    tcase_add_loop_test(t, joints, 0, 2);
    tcase_add_loop_test(t, fixed, 0, 2);
    suite_add_tcase(s, t);
    return support_run(s);
}
