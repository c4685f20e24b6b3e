/* tests/core/test_registry_qp.c: what holds for every registered qp solver, whatever it is. A new
 * row of solvers.def is tested here without a new line.
 *
 * Nothing a solver says is believed: residuals are computed again, naively and in long double. */
#include "generate_support.h"
#include "qp_residual.h"

#include "perp/solver.h"
#include "perp/solvers.h"

#include <float.h>

/* ---- running ---- */

#define WHERE "%s on %s, n = %d, m = %d: %s (%s)"
#define WHERE_ARGS o->solver->name, what, qp->n, qp->m, perp_status_name(status), r.detail

/* Solve twice in one arena: honest, finite, same bits, and nothing allocated the second time. H and
 * A are the dense matrices. */
static perp_status run(const perp_options *o, const perp_problem *p, const char *what,
                       const double *H, const double *A)
{
    const perp_qp *qp = &p->as.qp;
    size_t size = (size_t)perp_size(p);
    perp_arena arena = {0}, own = {0};
    perp_result r;
    perp_residual proof;
    double *z = perp_alloc(&own, size + 1, sizeof *z), *w = perp_alloc(&own, size + 1, sizeof *w);
    double *again = perp_alloc(&own, size + 1, sizeof *z);
    for (size_t i = 0; i < size; i++) z[i] = NAN; /* must not be read */
    perp_status status = perp_solve(p, o, &arena, z, w, &r);
    unsigned blocks = arena.allocations;
    ck_assert_msg(status >= 0 || status == PERP_E_NUMBER, WHERE, WHERE_ARGS);
    ck_assert_msg((status == PERP_SOLVED) == (r.residual.value + r.residual.bound <= o->tol), WHERE,
                  WHERE_ARGS);
    ck_assert_msg((status == PERP_SOLVED) == (r.detail[0] == 0), WHERE, WHERE_ARGS);
    for (size_t i = 0; i < size; i++) ck_assert_msg(isfinite(z[i]), WHERE, WHERE_ARGS);
    naive_residual mine = naive_qp_residual(qp, H, A, z);
    ck_assert_msg(fabsl(mine.value - r.residual.value) <= 1e-9L * mine.value + mine.rounding,
                  WHERE ": claims %g, has %Lg", WHERE_ARGS, r.residual.value, mine.value);
    if (status == PERP_INFEASIBLE || status == PERP_UNBOUNDED) {
        ck_assert_int_eq(perp_check(p, status, w, z, &own, &proof), PERP_SOLVED);
    }
    ck_assert_int_eq(perp_solve(p, o, &arena, again, NULL, &r), status);
    ck_assert_msg(size == 0 || memcmp(z, again, size * sizeof *z) == 0, WHERE, WHERE_ARGS);
    ck_assert_uint_eq(arena.allocations, blocks);
    ck_assert_uint_eq(arena.used, 0);
    perp_arena_free(&arena);
    perp_arena_free(&own);
    return status;
}

/* ---- promises ---- */

/* What a family is, and how it ends. */
static const struct family {
    const char *name;
    bool definite, convex; /* H is; convex: monotone, where it is not symmetric */
    bool symmetric;
    perp_status end;
} families[] = {{"qp_convex", true, true, true, PERP_SOLVED},
                {"qp_sparse", true, true, true, PERP_SOLVED},
                {"qp_redundant", true, true, true, PERP_SOLVED},
                {"qp_dependent", true, true, true, PERP_SOLVED},
                {"qp_free", true, true, true, PERP_SOLVED},
                {"qp_fixed", true, true, true, PERP_SOLVED},
                {"qp_rows", true, true, true, PERP_SOLVED},
                {"qp_infeasible", true, true, true, PERP_INFEASIBLE},
                {"qp_inconsistent", true, true, true, PERP_INFEASIBLE},
                {"qp_degenerate", false, true, true, PERP_SOLVED},
                {"qp_linear", false, true, true, PERP_SOLVED},
                {"qp_cycling", false, true, true, PERP_SOLVED},
                {"qp_unbounded", false, true, true, PERP_UNBOUNDED},
                {"qp_indefinite", false, false, true, PERP_SOLVED},
                {"qp_cvxqp1", false, true, true, PERP_SOLVED},
                {"qp_cvxqp2", false, true, true, PERP_SOLVED},
                {"qp_cvxqp3", false, true, true, PERP_SOLVED},
                {"qp_liswet2", true, true, true, PERP_SOLVED},
                {"qp_liswet3", true, true, true, PERP_SOLVED},
                {"qp_liswet4", true, true, true, PERP_SOLVED},
                {"qp_cont", false, true, true, PERP_SOLVED},
                {"qp_cont_side", false, true, true, PERP_SOLVED},
                {"qp_aug3d", false, true, true, PERP_SOLVED},
                {"qp_aug3dqp", false, true, true, PERP_SOLVED},
                {"qp_nonsymmetric", false, true, false, PERP_SOLVED}};
#define FAMILIES (sizeof families / sizeof *families)

static bool any(const struct family *f)
{
    return f->name != NULL;
}

static bool is_definite(const struct family *f)
{
    return f->definite;
}

static bool is_convex(const struct family *f)
{
    return f->convex;
}

/* Which families a solver ends as it must; one without a row need only be honest. */
static const struct promise {
    const char *solver;
    bool (*keeps)(const struct family *f);
} promises[] = {
    {"qp/fletcher", any}, {"qp/dual", is_definite}, {"qp/ipm", is_convex}, {"qp/auto", any}};

static bool is_promised(const char *solver, const struct family *f)
{
    for (size_t k = 0; k < sizeof promises / sizeof *promises; k++) {
        if (strcmp(promises[k].solver, solver) == 0) return promises[k].keeps(f);
    }
    return false;
}

static double *dense_of(const perp_matrix *A, int m, int n, perp_arena *a)
{
    perp_matrix view = *A, D;
    if (!view.format) return perp_alloc(a, (size_t)m * (size_t)n + 1, sizeof(double));
    ck_assert(!perp_convert(&view, PERP_FORMAT_DENSE, a, &D, NULL));
    return (double *)D.as.dense.x;
}

static void run_all(const perp_problem *p, const char *what, const struct family *f)
{
    perp_arena a = {0};
    const perp_qp *qp = &p->as.qp;
    const double *H = dense_of(&qp->H, qp->n, qp->n, &a), *A = dense_of(&qp->A, qp->m, qp->n, &a);
    for (int k = 0; perp_solvers()[k]; k++) {
        const perp_solver *s = perp_solvers()[k]->solver;
        if (s->kind != PERP_KIND_QP) continue;
        perp_status status = run(perp_solvers()[k], p, what, H, A);
        if (f && is_promised(s->name, f)) {
            ck_assert_msg(status == f->end, "%s on %s, n = %d: %s", s->name, what, qp->n,
                          perp_status_name(status));
        }
    }
    perp_arena_free(&a);
}

START_TEST(every_family)
{
    static const int sizes[] = {1, 2, 3, 7, 30};
    const struct family *f = &families[_i];
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (uint64_t seed = 1; seed <= 3; seed++) {
            perp_arena a = {0};
            generated_problem g = problem_make(f->name, NULL, sizes[k], seed, &a);
            run_all(&g.p, f->name, f);
            perp_qp *qp = &g.p.as.qp;
            perp_format other =
                qp->H.format == PERP_FORMAT_CSC ? PERP_FORMAT_DENSE : PERP_FORMAT_CSC;
            if (qp->H.format) ck_assert(!perp_convert(&qp->H, other, &a, &qp->H, NULL));
            if (qp->A.format) ck_assert(!perp_convert(&qp->A, other, &a, &qp->A, NULL));
            run_all(&g.p, f->name, f);
            perp_arena_free(&a);
        }
    }
}
END_TEST

START_TEST(every_generated_family_is_here)
{
    generate_entry e;
    for (int k = 0; generate_list(k, &e); k++) {
        if (strncmp(e.name, "qp_", 3) != 0) continue;
        bool found = false;
        for (size_t f = 0; f < FAMILIES; f++) found |= strcmp(families[f].name, e.name) == 0;
        ck_assert_msg(found, "%s is not in the table above", e.name);
    }
}
END_TEST

/* ---- by hand ---- */

static const struct family definite = {"by hand", true, true, true, PERP_SOLVED};
static const struct family linear = {"by hand", false, true, true, PERP_SOLVED};
static const struct family infeasible = {"by hand", true, true, true, PERP_INFEASIBLE};
static const struct family unbounded = {"by hand", false, true, true, PERP_UNBOUNDED};

START_TEST(empty)
{
    const double lo[] = {1}, hi[] = {2}, c[] = {1};
    perp_problem p = perp_make_qp(0, 0, (perp_matrix){0}, NULL, (perp_matrix){0}, NULL, NULL);
    run_all(&p, "nothing", &definite);
    p = perp_make_qp(0, 1, (perp_matrix){0}, NULL, perp_dense(1, 0, NULL), NULL, hi);
    run_all(&p, "a row of nothing", &definite);
    p.as.qp.lo = lo;
    run_all(&p, "a row of nothing that is to be 1", &infeasible);
    p = perp_make_qp(1, 0, (perp_matrix){0}, c, (perp_matrix){0}, NULL, NULL);
    run_all(&p, "a price and no bound", &unbounded);
    p.as.qp.xlo = lo;
    run_all(&p, "a price and a bound", &linear);
}
END_TEST

/* In a fixed buffer of every size: solved, or short of memory and nothing else. */
START_TEST(short_of_memory)
{
    static unsigned char buffer[1 << 16];
    static double z[64];
    perp_arena own = {0};
    generated_problem g = problem_make("qp_convex", NULL, 6, 3, &own);
    ck_assert_int_le(perp_size(&g.p), 64);
    for (int i = 0; perp_solvers()[i]; i++) {
        perp_result r = {.status = PERP_E_MEMORY};
        if (perp_solvers()[i]->solver->kind != PERP_KIND_QP) continue;
        for (size_t size = 0; size <= sizeof buffer; size += 64) {
            perp_arena a;
            perp_arena_fixed(&a, buffer, size);
            perp_solve(&g.p, perp_solvers()[i], &a, z, NULL, &r);
            ck_assert_msg(r.status == PERP_SOLVED || r.status == PERP_E_MEMORY, "%s, %zu: %s, %s",
                          perp_solvers()[i]->solver->name, size, perp_status_name(r.status),
                          r.detail);
        }
        ck_assert_msg(r.status == PERP_SOLVED, "%s", perp_solvers()[i]->solver->name);
    }
    perp_arena_free(&own);
}
END_TEST

START_TEST(crossing_bounds)
{
    const double H[] = {1}, c[] = {1}, A[] = {1}, lo[] = {2}, hi[] = {1};
    perp_problem p = perp_make_qp(1, 1, perp_dense(1, 1, H), c, perp_dense(1, 1, A), lo, hi);
    run_all(&p, "lo > hi", &infeasible);
    p = perp_make_qp(1, 0, perp_dense(1, 1, H), c, (perp_matrix){0}, NULL, NULL);
    p.as.qp.xlo = lo;
    p.as.qp.xhi = hi;
    run_all(&p, "xlo > xhi", &infeasible);
}
END_TEST

START_TEST(rows_of_zeros)
{
    const double H[] = {1, 0, 0, 1}, c[] = {1, 1}, A[] = {0, 1, 0, 1}, lo[] = {-1, 0},
                 one[] = {1, 0};
    perp_problem p = perp_make_qp(2, 2, perp_dense(2, 2, H), c, perp_dense(2, 2, A), lo, NULL);
    run_all(&p, "a row of zeros", &definite);
    p.as.qp.lo = one;
    run_all(&p, "a row of zeros that is to be 1", &infeasible);
}
END_TEST

/* Negative curvature into a corner that is open: no direction of descent ends. */
START_TEST(open_corner)
{
    static const struct family open = {"by hand", false, false, true, PERP_UNBOUNDED};
    const double H[] = {0, -1, -1, 0}, c[] = {-1, -1}, zero[] = {0, 0};
    perp_problem p = perp_make_qp(2, 0, perp_dense(2, 2, H), c, (perp_matrix){0}, NULL, NULL);
    p.as.qp.xlo = zero;
    run_all(&p, "an open corner", &open);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("registry_qp");
    TCase *t = tcase_create("registry_qp");
    tcase_add_loop_test(t, every_family, 0, (int)FAMILIES);
    tcase_add_test(t, every_generated_family_is_here);
    tcase_add_test(t, empty);
    tcase_add_test(t, short_of_memory);
    tcase_add_test(t, crossing_bounds);
    tcase_add_test(t, rows_of_zeros);
    tcase_add_test(t, open_corner);
    tcase_set_timeout(t, 120);
    suite_add_tcase(s, t);
    return support_run(s);
}
