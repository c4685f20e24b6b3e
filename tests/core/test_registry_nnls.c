/* tests/core/test_registry_nnls.c: what holds for every registered nnls solver, whatever it is. A
 * new row of solvers.def is tested here without a new line.
 *
 * Nothing a solver says is believed: residuals are computed again, naively and in long double, and
 * small answers are compared with the best of all sets of columns. */
#include "generate_support.h"
#include "perp/solver.h"

#include <float.h>

#define SMALL_ROWS 6
#define SMALL_COLUMNS 7

/* ---- judging ---- */

static double *dense_of(const perp_matrix *A, perp_arena *a)
{
    perp_matrix D;
    ck_assert(!perp_convert(A, PERP_FORMAT_DENSE, a, &D, NULL));
    return (double *)D.as.dense.x;
}

/* The larger of |min(x, w)| / |A'b| and max |min(|A_j| x_j, w_j / |A_j|)| / |b|, the latter where
 * columns are shown, and in *rounding what double arithmetic may err by. */
static long double residual_of(const perp_nnls *p, const double *A, const double *x,
                               long double *rounding)
{
    int m = p->A.m, n = p->A.n;
    long double sum = 0, scale = 0, error = 0, worst = 0, b = 0, off = 0, r[400], size[400];
    ck_assert_int_le(m, 400);
    for (int i = 0; i < m; i++) {
        r[i] = -(long double)p->b[i];
        size[i] = fabsl(r[i]);
        b += r[i] * r[i];
        for (int j = 0; j < n; j++) {
            long double t = (long double)A[j * m + i] * x[j];
            r[i] += t;
            size[i] += fabsl(t);
        }
    }
    for (int j = 0; j < n; j++) {
        long double w = 0, terms = 0, Atb = 0, length = 0;
        for (int i = 0; i < m; i++) {
            w += (long double)A[j * m + i] * r[i];
            terms += fabsl(A[j * m + i] * size[i]);
            Atb += (long double)A[j * m + i] * p->b[i];
            length += (long double)A[j * m + i] * A[j * m + i];
        }
        bool is_free = p->is_free && p->is_free[j];
        length = sqrtl(length);
        if (length > 0 && p->A.format != PERP_FORMAT_OPERATOR) {
            long double left = is_free ? w / length : fminl(length * x[j], w / length);
            worst = fmaxl(worst, fabsl(left));
            off = fmaxl(off, terms / length);
        }
        if (!is_free && x[j] < w) w = x[j];
        sum += w * w;
        error += terms * terms;
        scale += Atb * Atb;
    }
    scale = scale > 0 ? sqrtl(scale) : 1;
    b = b > 0 ? sqrtl(b) : 1;
    *rounding = 4 * (m + n + 4) * DBL_EPSILON * fmaxl(sqrtl(error) / scale, off / b);
    return fmaxl(sqrtl(sum) / scale, worst / b);
}

static double distance_of(const perp_nnls *p, const double *A, const double *x)
{
    double sum = 0;
    for (int i = 0; i < p->A.m; i++) {
        double r = -p->b[i];
        for (int j = 0; j < p->A.n; j++) r += A[j * p->A.m + i] * x[j];
        sum += r * r;
    }
    return sqrt(sum);
}

/* LAPACK's least squares of minimum norm, whatever the rank. */
void dgelsy_(const int *m, const int *n, const int *nrhs, double *A, const int *lda, double *B,
             const int *ldb, int *perm, const double *rcond, int *rank, double *work,
             const int *lwork, int *info);

/* Least squares of the columns of `set` and the free ones; infinite where an x is negative. */
static double try_set(const perp_nnls *p, const double *A, unsigned set)
{
    int m = p->A.m, n = p->A.n, k = 0, list[SMALL_COLUMNS], perm[SMALL_COLUMNS];
    double C[SMALL_ROWS * SMALL_COLUMNS + 1], y[SMALL_COLUMNS + SMALL_ROWS], work[16384],
        x[8] = {0};
    for (int j = 0; j < n; j++) {
        if ((p->is_free && p->is_free[j]) || (set >> j & 1)) list[k++] = j;
    }
    for (int c = 0; c < k; c++) memcpy(C + c * m, A + list[c] * m, (size_t)m * sizeof *C);
    memcpy(y, p->b, (size_t)m * sizeof *y);
    const int one = 1, ldb = m > k ? m : k, size = sizeof work / sizeof *work;
    const double rcond = 1e-10;
    int rank, info = 0;
    memset(perm, 0, sizeof perm);
    if (m > 0 && k > 0)
        dgelsy_(&m, &k, &one, C, &m, y, &ldb, perm, &rcond, &rank, work, &size, &info);
    ck_assert_int_eq(info, 0);
    for (int c = 0; m > 0 && c < k; c++) {
        x[list[c]] = y[c];
        if (!(p->is_free && p->is_free[list[c]]) && y[c] < -1e-12) return INFINITY;
    }
    return distance_of(p, A, x);
}

/* The distance of b to the cone, by trying all sets of columns. */
static double enumerate(const perp_nnls *p, const double *A)
{
    double best = INFINITY;
    for (unsigned set = 0; set < 1u << p->A.n; set++) best = fmin(best, try_set(p, A, set));
    return best;
}

/* ---- running ---- */

#define WHERE "%s on %s, %d x %d, format %d: %s (%s)"
#define WHERE_ARGS                                                                                 \
    o->solver->name, what, m, n, (int)p->as.nnls.A.format, perp_status_name(status), r.detail

/* Solve twice in one arena: honest, finite, same bits, and nothing allocated the second time. A
 * solution goes to z. */
static perp_status run(const perp_options *o, const perp_problem *p, const char *what,
                       const double *A, double *z)
{
    int m = p->as.nnls.A.m, n = p->as.nnls.A.n;
    perp_arena arena = {0}, own = {0};
    perp_result r;
    double *again = perp_alloc(&own, (size_t)n + 1, sizeof *again);
    for (int i = 0; i < n; i++) z[i] = NAN; /* must not be read */
    perp_status status = perp_solve(p, o, &arena, z, NULL, &r);
    unsigned blocks = arena.allocations;
    ck_assert_msg(status >= 0, WHERE, WHERE_ARGS);
    ck_assert_msg((status == PERP_SOLVED) == (r.residual.value + r.residual.bound <= o->tol), WHERE,
                  WHERE_ARGS);
    ck_assert_msg((status == PERP_SOLVED) == (r.detail[0] == 0), WHERE, WHERE_ARGS);
    for (int i = 0; i < n; i++) ck_assert_msg(isfinite(z[i]), WHERE, WHERE_ARGS);
    long double rounding, value = residual_of(&p->as.nnls, A, z, &rounding);
    ck_assert_msg(fabsl(value - r.residual.value) <= 1e-9L * value + rounding,
                  WHERE ": claims %g, has %Lg", WHERE_ARGS, r.residual.value, value);
    ck_assert_int_eq(perp_solve(p, o, &arena, again, NULL, &r), status);
    ck_assert_msg(n == 0 || memcmp(z, again, (size_t)n * sizeof *z) == 0, WHERE, WHERE_ARGS);
    ck_assert_uint_eq(arena.allocations, blocks);
    ck_assert_uint_eq(arena.used, 0);
    perp_arena_free(&arena);
    perp_arena_free(&own);
    return status;
}

static bool reads(const perp_solver *s, int format)
{
    return format < 3 || s->formats[0] & PERP_FORMAT_OPERATOR;
}

/* Every solver solves p, whose A is dense, in every format it reads; `best` is the distance where
 * it is known, else NAN. */
static void run_all(const perp_problem *p, const char *what, double best)
{
    const perp_matrix dense = p->as.nnls.A;
    for (int i = 0; perp_solvers()[i]; i++) {
        const perp_options *o = perp_solvers()[i];
        if (o->solver->kind != PERP_KIND_NNLS) continue;
        for (int format = 0; format < 4; format++) {
            perp_arena a = {0};
            perp_problem q = *p;
            int m = dense.m, n = dense.n;
            if (!reads(o->solver, format) || (format == 2 && (m % 3 || n % 3))) continue;
            q.as.nnls.A = in_format(format, &dense, &a);
            double *z = perp_alloc(&a, (size_t)n + 1, sizeof *z);
            const double *A = dense.as.dense.x;
            perp_status status = run(o, &q, what, A, z);
            ck_assert_msg(status == PERP_SOLVED, "%s on %s, %d x %d, format %d: %s",
                          o->solver->name, what, m, n, format, perp_status_name(status));
            double far = distance_of(&p->as.nnls, A, z);
            ck_assert_msg(isnan(best) || fabs(far * far - best * best) <= 1e-7 * (1 + best * best),
                          "%s on %s, %d x %d, format %d: at %g, best is %g", o->solver->name, what,
                          m, n, format, far, best);
            perp_arena_free(&a);
        }
    }
}

/* ---- tests ---- */

/* Small whole numbers: columns that repeat, vanish, oppose or depend, b = 0 or on a face. */
START_TEST(against_enumeration)
{
    generator g = generator_start(17);
    for (int k = 0; k < 1500; k++) {
        double A[SMALL_ROWS * SMALL_COLUMNS + 1], b[SMALL_ROWS + 1];
        bool mask[SMALL_COLUMNS + 1];
        int m = generator_between(&g, 0, SMALL_ROWS), n = generator_between(&g, 0, SMALL_COLUMNS);
        int most = generator_between(&g, 1, 3);
        for (int e = 0; e < m * n; e++) A[e] = generator_between(&g, -most, most);
        for (int e = 0; e < m; e++) b[e] = k % 10 ? generator_between(&g, -3, 3) : 0;
        for (int j = 0; j < n; j++) mask[j] = generator_below(&g, 4) == 0;
        perp_problem p = perp_make_nnls(perp_dense(m, n, A), b);
        if (k % 3 == 0) p.as.nnls.is_free = mask;
        run_all(&p, "whole numbers", enumerate(&p.as.nnls, A));
    }
}
END_TEST

START_TEST(families)
{
    static const int sizes[] = {1, 2, 5, 12, 40};
    generate_entry e;
    for (int k = 0; generate_list(k, &e); k++) {
        if (strcmp(e.forms, "nnls") != 0) continue;
        for (int s = 0; s < 5; s++) {
            perp_arena a = {0};
            int size = strcmp(e.name, "nnls_jacobian") == 0 ? (sizes[s] + 3) / 4 : sizes[s];
            generated_problem x = problem_make(e.name, NULL, size, (uint64_t)s + 1, &a);
            perp_nnls *p = &x.p.as.nnls;
            double *A = dense_of(&p->A, &a);
            p->A = perp_dense(p->A.m, p->A.n, A);
            run_all(&x.p, e.name, x.z ? distance_of(p, A, x.z) : NAN);
            perp_arena_free(&a);
        }
    }
}
END_TEST

/* Contacts and joints: sparse, far from full rank, some x free. */
START_TEST(scenes)
{
    static const char *const names[] = {"boxes", "stack", "wall", "plate", "chain", "snake"};
    static const char *const forms[] = {"nnls", "nnls_accelerations"};
    for (int k = 0; k < 12; k++) {
        perp_arena a = {0};
        generated_problem x = problem_make(names[k / 2], forms[k % 2], 3 + 10 * (k < 2), 2, &a);
        perp_nnls *p = &x.p.as.nnls;
        p->A = perp_dense(p->A.m, p->A.n, dense_of(&p->A, &a));
        run_all(&x.p, names[k / 2], NAN);
        perp_arena_free(&a);
    }
}
END_TEST

/* A start at the solution, at nonsense, and at negative numbers. */
START_TEST(warm_starts)
{
    perp_arena a = {0};
    generated_problem x = problem_make("nnls_free", NULL, 30, 3, &a);
    for (int i = 0; perp_solvers()[i]; i++) {
        if (perp_solvers()[i]->solver->kind != PERP_KIND_NNLS) continue;
        perp_options *o = perp_options_new(&a, perp_solvers()[i]->solver->name);
        ck_assert(!perp_options_set(o, "warm_start", "1", NULL));
        for (int k = 0; k < 4; k++) {
            double z[30];
            perp_result r;
            for (int j = 0; j < 30; j++) {
                z[j] = k == 0 ? x.z[j] : k == 1 ? 1e9 : k == 2 ? -1 : j % 2;
            }
            perp_status status = solve_checked(&x.p, o, z, NULL, &r);
            ck_assert_msg(!status, "%s, %d: %s", o->solver->name, k, r.detail);
            ck_assert_double_lt(difference(30, z, x.z), 1e-7);
        }
    }
    perp_arena_free(&a);
}
END_TEST

/* Memory that ends after each block in turn, no iterations, and a cancelled run. */
static bool never(void *ctx, const perp_progress *p)
{
    (void)p;
    return ++*(int *)ctx < 3;
}

START_TEST(limits)
{
    perp_arena a = {0};
    generated_problem x = problem_make("nnls_free", NULL, 40, 5, &a);
    for (int i = 0; perp_solvers()[i]; i++) {
        double z[40];
        perp_result r;
        int calls = 0;
        if (perp_solvers()[i]->solver->kind != PERP_KIND_NNLS) continue;
        perp_options *o = perp_options_new(&a, perp_solvers()[i]->solver->name);
        for (int left = 0;; left++) {
            supply c = {.left = left};
            perp_arena scant = {.resize = scarce, .ctx = &c};
            perp_status status = perp_solve(&x.p, o, &scant, z, NULL, &r);
            perp_arena_free(&scant);
            ck_assert_int_eq(c.out, 0);
            ck_assert_msg(status == PERP_SOLVED || status == PERP_E_MEMORY, "%s: %s",
                          o->solver->name, r.detail);
            if (status == PERP_SOLVED) break;
        }
        o->max_iter = 0;
        ck_assert_int_eq(solve_checked(&x.p, o, z, NULL, &r), PERP_MAX_ITER);
        ck_assert_int_eq(r.iterations, 0);
        o->max_iter = 7;
        perp_status status = solve_checked(&x.p, o, z, NULL, &r);
        ck_assert(status == PERP_MAX_ITER || status == PERP_SOLVED);
        o->max_iter = 1000;
        o->monitor = never;
        o->monitor_ctx = &calls;
        status = solve_checked(&x.p, o, z, NULL, &r);
        ck_assert(status == PERP_CANCELLED || status == PERP_SOLVED);
    }
    perp_arena_free(&a);
}
END_TEST

/* An operator whose products are not numbers. */
static void spoiled(void *ctx, double a, const double *x, double b, double *y)
{
    int n = *(const int *)ctx;
    (void)a, (void)x, (void)b;
    for (int i = 0; i < n; i++) y[i] = i == n - 1 ? NAN : 1;
}

START_TEST(bad_operators)
{
    const int n = 3;
    const double b[] = {1, 2, 3};
    perp_matrix A = {.format = PERP_FORMAT_OPERATOR, .m = 3, .n = 3};
    A.as.op = (struct perp_operator){.mul = spoiled, .mul_t = spoiled, .ctx = (void *)&n};
    perp_problem p = perp_make_nnls(A, b);
    for (int i = 0; perp_solvers()[i]; i++) {
        double z[3];
        perp_result r;
        const perp_solver *s = perp_solvers()[i]->solver;
        if (s->kind != PERP_KIND_NNLS || !(s->formats[0] & PERP_FORMAT_OPERATOR)) continue;
        ck_assert_msg(solve_checked(&p, perp_solvers()[i], z, NULL, &r) != PERP_SOLVED, "%s",
                      s->name);
        for (int j = 0; j < 3; j++) ck_assert(isfinite(z[j]));
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("registry_nnls");
    TCase *t = tcase_create("registry_nnls");
    tcase_add_test(t, against_enumeration);
    tcase_add_test(t, families);
    tcase_add_test(t, scenes);
    tcase_add_test(t, warm_starts);
    tcase_add_test(t, limits);
    tcase_add_test(t, bad_operators);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    return support_run(s);
}
