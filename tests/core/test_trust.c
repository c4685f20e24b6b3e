/* tests/core/test_trust.c: problems that were `solved`, `infeasible` or `unbounded` and were not,
 * or were not called so though they were; docs/certificates.md tells why. Each is asked of every
 * solver that reads it, by the public calls alone. */
#include "support.h"

#include "perp/perp.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define TOL 1e-8
#define MOST 20 /* unknowns of any problem here, at most */

/* ---- what is asked ---- */

typedef struct ending {
    const char *solver;
    perp_status status;
    perp_result result;
    double z[2 * MOST], w[2 * MOST];
} ending;

static bool is_of(const char *solver, const char *kind)
{
    size_t n = strlen(kind);
    return strncmp(solver, kind, n) == 0 && solver[n] == '/';
}

static ending ask(const perp_problem *p, const char *solver, const double *start)
{
    ending e = {.solver = solver};
    perp_arena a = {0};
    perp_options *o = perp_options_new(&a, solver);
    ck_assert_ptr_nonnull(o);
    o->tol = TOL;
    o->max_seconds = 20;
    o->warm_start = start;
    if (start) memcpy(e.z, start, (size_t)perp_size(p) * sizeof *start);
    e.status = perp_solve(p, o, &a, e.z, e.w, &e.result);
    perp_arena_free(&a);
    return e;
}

/* Every solver of that kind; `judge` fails where its end is wrong. How many ended so. */
static int ask_all(const perp_problem *p, const char *kind, perp_status status,
                   void (*judge)(const perp_problem *p, const ending *e))
{
    int count = 0;
    for (const perp_options *const *o = perp_solvers(); *o; o++) {
        if (!is_of(perp_solver_name(*o), kind)) continue;
        ending e = ask(p, perp_solver_name(*o), NULL);
        judge(p, &e);
        count += e.status == status;
    }
    return count;
}

/* What tol is compared with, all roundings counted. */
static double judged(const perp_problem *p, const double *z)
{
    perp_residual r = certify(p, z, PERP_SOLVED);
    return r.value + r.bound;
}

static bool is_proved(const perp_problem *p, const ending *e)
{
    return check_claim_at(p, e->status, e->w, e->z, NULL) == PERP_SOLVED;
}

/* ---- 1. maps by callback: F far from the solution is no scale ---- */

/* 3 - 1 / (z + 1e-9), solved by 1/3; at 0 it is -1e9. */
static bool eval_pole(void *ctx, const double *z, double *F)
{
    (void)ctx;
    F[0] = 3 - 1 / (z[0] + 1e-9);
    return true;
}

static void judge_pole(const perp_problem *p, const ending *e)
{
    (void)p;
    ck_assert_msg(e->status != PERP_SOLVED || fabs(e->z[0] - 1.0 / 3) < 1e-6, "%s: z = %.17g",
                  e->solver, e->z[0]);
}

START_TEST(a_pole_at_the_start)
{
    perp_problem p = perp_make_ncp(perp_make_map(1, eval_pole, NULL, (perp_matrix){0}, NULL));
    const double far = 0.1097;
    ck_assert_double_gt(judged(&p, &far), 1e-2);
    ck_assert_int_gt(ask_all(&p, "ncp", PERP_SOLVED, judge_pole), 0);
    ck_assert_int_gt(ask_all(&p, "mcp", PERP_SOLVED, judge_pole), 0);
}
END_TEST

enum { GOODS = 3 };

static const double prices[] = {0.5, 1.25, 2}, spent[] = {3, 20, 7};

/* Supply less demand of goods that replace each other a little: spent_i / z_i is asked for. */
static void excess(const double *z, double *F)
{
    double all = z[0] + z[1] + z[2];
    for (int i = 0; i < GOODS; i++) F[i] = 2 * z[i] - 0.1 * (all - z[i]) - spent[i] / z[i];
}

static bool eval_market(void *ctx, const double *z, double *F)
{
    double there[GOODS];
    (void)ctx;
    for (int i = 0; i < GOODS; i++) {
        if (!(z[i] > 0)) return false;
    }
    excess(prices, there); /* the supply that makes `prices` the solution */
    excess(z, F);
    for (int i = 0; i < GOODS; i++) F[i] -= there[i];
    return true;
}

/* Bounds that are not active at the solution change nothing, also where |F| is 1e13 at them. A
 * start with |F| = 20 is not certified. */
START_TEST(prices_with_small_bounds)
{
    static const char *const solvers[] = {"mcp/auto", "mcp/path", "mcp/newton_fb", "mcp/josephy"};
    const double start[] = {0.8, 0.5, 1};
    for (double least = 1e-5; least > 1e-13; least /= 10) {
        const double lo[] = {least, least, least};
        perp_problem p = perp_make_mcp_map(
            perp_make_map(GOODS, eval_market, NULL, (perp_matrix){0}, NULL), lo, NULL);
        perp_residual r = certify(&p, start, PERP_SOLVED);
        ck_assert_double_gt(r.absolute, 20);
        ck_assert_double_gt(r.value, 1e-2);
        for (int k = 0; k < 4; k++) {
            ending e = ask(&p, solvers[k], start);
            ck_assert_msg(e.status == PERP_SOLVED, "%s, bound %g: %s", solvers[k], least,
                          e.result.detail);
            ck_assert_double_lt(difference(GOODS, e.z, prices), 1e-6);
        }
    }
}
END_TEST

/* ---- 2. qp: the size of the gradients, and the gap ---- */

/* min 1e7 |B x|^2 / 2, A x = A (10, 11, 12, 10, ...), x >= 0. */
typedef struct stiff {
    double H[MOST * MOST], A[MOST * MOST / 2], b[MOST / 2], c[MOST], lo[MOST];
} stiff;

static perp_problem make_stiff(stiff *s)
{
    enum { N = MOST, M = MOST / 2 };
    generator g = generator_start(1);
    double B[N * N];
    *s = (stiff){0};
    for (int i = 0; i < N * N; i++) B[i] = generator_uniform(&g);
    for (int k = 0; k < N * N * N; k++) {
        int i = k % N, j = k / N % N, l = k / N / N;
        s->H[j * N + i] += 1e7 * B[l * N + i] * B[l * N + j];
    }
    for (int k = 0; k < M * N; k++) {
        s->A[k] = generator_uniform(&g);
        s->b[k % M] += s->A[k] * (10 + k / M % 3);
    }
    perp_problem p =
        perp_make_qp(N, M, perp_dense(N, N, s->H), s->c, perp_dense(M, N, s->A), s->b, s->b);
    p.as.qp.xlo = s->lo;
    return p;
}

/* c = 0 and |H x| = 1e9: over 1 + |c| the rounding of H x alone is above the tolerance. */
START_TEST(gradients_without_c)
{
    static const char *const solvers[] = {"qp/ipm", "qp/fletcher", "qp/auto"};
    stiff s;
    perp_problem p = make_stiff(&s);
    double objective[3];
    for (int k = 0; k < 3; k++) {
        ending e = ask(&p, solvers[k], NULL);
        ck_assert_msg(e.status == PERP_SOLVED, "%s: %s", solvers[k], e.result.detail);
        ck_assert_int_lt(e.result.iterations, 100);
        ck_assert_double_gt(e.result.residual.natural, TOL); /* what was compared with it */
        objective[k] = e.result.objective;
    }
    ck_assert_double_eq_tol(objective[0], objective[1], 1e-8 * objective[1]);
    ck_assert_double_eq_tol(objective[2], objective[1], 1e-8 * objective[1]);
}
END_TEST

/* min |x|^2 / 2 + c'x, A x >= b, with multipliers of 1e6 and a minimum of about -1. */
typedef struct priced {
    double H[64], A[40], c[8], b[5], minimum;
} priced;

static perp_problem make_priced(priced *s, int seed)
{
    enum { N = 8, M = 5 };
    generator g = generator_start((uint64_t)seed);
    double x[N], y[M], slope[N] = {0}, along = 0, square = 0;
    *s = (priced){0};
    for (int k = 0; k < M * N; k++) s->A[k] = generator_uniform(&g);
    for (int i = 0; i < M; i++) y[i] = 1e6 * (generator_unit(&g) + 0.1);
    for (int j = 0; j < N; j++) x[j] = generator_uniform(&g);
    for (int k = 0; k < M * N; k++) slope[k / M] += s->A[k] * y[k % M];
    for (int j = 0; j < N; j++) along += slope[j] * x[j];
    for (int j = 0; j < N; j++) square += slope[j] * slope[j];
    for (int j = 0; j < N; j++) {
        x[j] -= along / square * slope[j]; /* A'y does no work on x: the minimum is small */
        s->H[j * N + j] = 1;
        s->c[j] = slope[j] - x[j];
        s->minimum += x[j] * x[j] / 2 + s->c[j] * x[j];
    }
    for (int k = 0; k < M * N; k++) s->b[k % M] += s->A[k] * x[k / M];
    return perp_make_qp(N, M, perp_dense(N, N, s->H), s->c, perp_dense(M, N, s->A), s->b, NULL);
}

START_TEST(multipliers_of_a_million)
{
    static const char *const solvers[] = {"qp/ipm",   "qp/fletcher", "qp/dual",      "qp/auto",
                                          "mcp/path", "mcp/auto",    "mcp/newton_fb"};
    for (int seed = 1; seed <= 20; seed++) {
        priced s;
        perp_problem p = make_priced(&s, seed);
        for (int k = 0; k < 7; k++) {
            ending e = ask(&p, solvers[k], NULL);
            bool of_qp = solvers[k][0] == 'q';
            ck_assert_msg(e.status == PERP_SOLVED || !of_qp, "%s: %s", solvers[k], e.result.detail);
            if (e.status != PERP_SOLVED) continue; /* what others solve depends on the BLAS */
            double error = fabs(e.result.objective - s.minimum) / (1 + fabs(s.minimum));
            ck_assert_msg(error < 2 * TOL, "%s, seed %d: %g", solvers[k], seed, error);
        }
    }
}
END_TEST

/* ---- 3. the certificate's own rounding ---- */

static void add_exactly(double x, double *high, double *low)
{
    double sum = *high + x, part = sum - *high;
    *low += (*high - (sum - part)) + (x - part);
    *high = sum;
}

/* Row i of M z + q, 2 x 2, to twice the digits. */
static double exact_row(const double *M, const double *q, const double *z, int i)
{
    double high = q[i], low = 0;
    for (int j = 0; j < 2; j++) {
        double product = M[2 * j + i] * z[j];
        low += fma(M[2 * j + i], z[j], -product);
        add_exactly(product, &high, &low);
    }
    return high + low;
}

/* |min(z, M z + q)| / |q| */
static double exact_residual(const double *M, const double *q, const double *z)
{
    double w[] = {exact_row(M, q, z, 0), exact_row(M, q, z, 1)};
    return hypot(fmin(z[0], w[0]), fmin(z[1], w[1])) / hypot(q[0], q[1]);
}

static void judge_exactly(const perp_problem *p, const ending *e)
{
    double mine = exact_residual(p->as.lcp.M.as.dense.x, p->as.lcp.q, e->z);
    ck_assert_msg(e->status != PERP_SOLVED || mine <= TOL, "%s: %g", e->solver, mine);
}

/* The plain sums of M z + q are 0. The exact ones are about 1e-3, and no other z is much better. */
START_TEST(sums_that_cancel)
{
    const double M[] = {9.6, -0.1, -0.1, 0.0010416666666770834}, q[] = {-1, -2};
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
    ask_all(&p, "lcp", PERP_SOLVED, judge_exactly);
    ending e = ask(&p, "lcp/auto", NULL);
    double mine = exact_residual(M, q, e.z);
    ck_assert_int_eq(e.status, PERP_STALLED);
    ck_assert_double_gt(mine, 1e-4);
    ck_assert_ptr_nonnull(strstr(e.result.detail, "the rounding of z alone leaves"));
    ck_assert_double_eq_tol(e.result.residual.value, mine, 1e-6 * mine);
    ck_assert_double_lt(e.result.residual.omega, DBL_EPSILON);
}
END_TEST

/* Determinants of some last bits: plain sums of M z + q are often 0, exact ones are not. */
START_TEST(nearly_singular)
{
    generator g = generator_start(3);
    int solved = 0;
    for (int k = 0; k < 2000; k++) {
        double a = generator_between(&g, 1, 100) / 10.0, b = -generator_between(&g, 1, 10) / 10.0;
        double off = ldexp(generator_unit(&g), -generator_between(&g, 30, 50));
        const double M[] = {a, b, b, b * b / a * (1 + off)};
        const double q[] = {generator_between(&g, -5, 1), generator_between(&g, -5, -1)};
        perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
        static const char *const solvers[] = {"lcp/auto", "lcp/pivot", "lcp/enumerate"};
        for (int s = 0; s < 3; s++) {
            ending e = ask(&p, solvers[s], NULL);
            judge_exactly(&p, &e);
            solved += e.status == PERP_SOLVED;
        }
    }
    ck_assert_int_gt(solved, 100); /* 2794 of 2942 by plain sums were wrong */
}
END_TEST

static void judge_tiny(const perp_problem *p, const ending *e)
{
    (void)p;
    ck_assert_msg(e->status != PERP_SOLVED || fabs(e->z[0] - 1) < 1e-7, "%s: x = %g", e->solver,
                  e->z[0]);
}

/* min |1e-162 x - 1e-162|: squares vanish, x = 1 is the solution all the same. */
START_TEST(underflow)
{
    const double A = 1e-162, b = 1e-162, zero = 0, one = 1;
    perp_problem p = perp_make_nnls(perp_dense(1, 1, &A), &b);
    ck_assert_double_gt(judged(&p, &zero), 0.5);
    ck_assert_double_lt(judged(&p, &one), 1e-11);
    ck_assert_int_gt(ask_all(&p, "nnls", PERP_SOLVED, judge_tiny), 0);
}
END_TEST

/* What no residual sees: a row of 1e12 makes |A'b| and |b| so large that the other row, which alone
 * tells x_0 from x_1, is nothing beside it. The distance is told, and rows of one size show it. */
START_TEST(rows_of_very_different_sizes)
{
    const double A[] = {1e12, 1, 1e12, -1}, b[] = {2e15, 1200}, even[] = {1, 1, 1, -1};
    const double even_b[] = {2000, 1200}, far[] = {1000, 1000}, exact[] = {1600, 400};
    perp_problem p = perp_make_nnls(perp_dense(2, 2, A), b);
    ck_assert_double_lt(judged(&p, exact), 1e-11);
    ck_assert_double_lt(judged(&p, far), 1e-11); /* hypot(600, 600) = 849 away */
    perp_arena a = {0};
    perp_distance_report told;
    ck_assert_int_eq(perp_distance(&p, far, &a, &told), PERP_SOLVED);
    ck_assert(told.norm >= hypot(600, 600) && told.norm < 900 && told.unique);
    ck_assert_int_eq(perp_distance(&p, exact, &a, &told), PERP_SOLVED);
    ck_assert_double_lt(told.norm, 0.01);
    perp_arena_free(&a);
    p = perp_make_nnls(perp_dense(2, 2, even), even_b);
    ck_assert_double_lt(judged(&p, exact), 1e-11);
    ck_assert_double_gt(judged(&p, far), 0.1);
}
END_TEST

/* ---- 4. units ---- */

START_TEST(stiff_springs)
{
    const double M[] = {1e12, 0, 0, 2e12}, q[] = {-1, -1}, far[] = {9e-9, 5e-13};
    const double near[] = {1e-12, 5e-13}, lo[] = {0, 0};
    perp_matrix A = perp_dense(2, 2, M);
    perp_problem p[] = {perp_make_lcp(2, A, q), perp_make_mcp(2, A, q, lo, NULL),
                        perp_make_ncp((perp_map){.n = 2, .M = A, .q = q})};
    for (int k = 0; k < 3; k++) {
        perp_residual r = certify(&p[k], far, PERP_SOLVED);
        ck_assert_double_lt(r.natural, TOL);
        ck_assert_double_eq_tol(r.value, 8999 / sqrt(2), 1e-6); /* w_0 = 8999 */
        ck_assert_double_lt(judged(&p[k], near), 1e-15);
    }
}
END_TEST

/* ---- 5. false proofs ---- */

static void judge_feasible(const perp_problem *p, const ending *e)
{
    ck_assert_msg(e->status != PERP_INFEASIBLE, "%s: %s", e->solver, e->result.detail);
    if (e->status == PERP_SOLVED) ck_assert_double_le(judged(p, e->z), TOL);
}

/* A P-matrix has a solution for every q, this one 2.8e7 away: no vector proves that there is none,
 * and the radius of one that nearly does is below every solution that is certified. */
START_TEST(a_p_matrix_is_feasible)
{
    const double M[] = {1, -(1 - 0x1p-48), -1, 1}, q[] = {-1, 1 - 1e-7}, y[] = {1, 1};
    perp_matrix A = perp_dense(2, 2, M);
    perp_problem p = perp_make_lcp(2, A, q);
    perp_problem ncp = perp_make_ncp((perp_map){.n = 2, .M = A, .q = q});
    perp_arena a = {0};
    perp_residual r;
    ck_assert_int_eq(perp_check(&p, PERP_INFEASIBLE, y, NULL, &a, &r), PERP_UNCERTIFIED);
    ck_assert_double_gt(r.radius, 1e6);
    perp_arena_free(&a);
    ck_assert_int_gt(ask_all(&p, "lcp", PERP_SOLVED, judge_feasible), 0);
    ask_all(&ncp, "ncp", PERP_SOLVED, judge_feasible);
    ask_all(&ncp, "mcp", PERP_SOLVED, judge_feasible);
    ending e = ask(&p, "lcp/newton_fb", NULL);
    ck_assert_int_eq(e.status, PERP_SOLVED);
    ck_assert_double_lt(exact_residual(M, q, e.z), TOL);
}
END_TEST

static void judge_infeasible(const perp_problem *p, const ending *e)
{
    ck_assert_msg(e->status != PERP_UNBOUNDED && e->status != PERP_SOLVED, "%s: %s", e->solver,
                  perp_status_name(e->status));
    if (e->status == PERP_INFEASIBLE) ck_assert(is_proved(p, e));
}

/* min -x_0, x_1 >= 1 and x_1 <= 0: the objective falls along a direction, but there is no x. */
START_TEST(an_infeasible_program_is_not_unbounded)
{
    const double c[] = {-1, 0}, A[] = {0, 0, 1, 1}, lo[] = {1, -INFINITY}, hi[] = {INFINITY, 0};
    const double d[] = {1, 0, 0, 0}, zero[] = {0, 0, 0, 0};
    perp_problem p = perp_make_qp(2, 2, (perp_matrix){0}, c, perp_dense(2, 2, A), lo, hi);
    ck_assert_int_ge(ask_all(&p, "qp", PERP_INFEASIBLE, judge_infeasible), 3);
    perp_arena a = {0};
    perp_residual r;
    ck_assert_int_eq(perp_check(&p, PERP_UNBOUNDED, d, zero, &a, &r), PERP_UNCERTIFIED);
    perp_arena_free(&a);
}
END_TEST

/* ---- 6. proofs between kinds ---- */

static void expect_proof(const perp_problem *p, const char *solver)
{
    ending e = ask(p, solver, NULL);
    ck_assert_msg(e.status == PERP_INFEASIBLE, "%s: %s, %s", solver, perp_status_name(e.status),
                  e.result.detail);
    ck_assert(is_proved(p, &e));
}

/* y > 0, M'y < 0 and q'y = -1, y drawn. */
static void draw_infeasible(generator *g, int n, double *M, double *q)
{
    double y[MOST] = {0}, sum = 1;
    for (int i = 0; i < n; i++) y[i] = generator_unit(g) + 0.1;
    for (int j = 0; j < n; j++) {
        double slope = 0.1;
        for (int i = 0; i < n; i++) M[j * n + i] = generator_uniform(g);
        for (int i = 0; i < n; i++) slope += M[j * n + i] * y[i];
        if (slope > 0) M[j * n] -= slope / y[0];
    }
    for (int i = 0; i < n; i++) sum += (q[i] = generator_uniform(g)) * y[i];
    q[0] -= sum / y[0];
}

/* A proof of one kind is one of all that it is lifted to. */
START_TEST(proofs_are_lifted)
{
    double M[36] = {1, -1, -1, 1}, q[6] = {-1, -1};
    generator g = generator_start(1);
    for (int k = 0; k < 40; k++) {
        int n = k == 0 ? 2 : generator_between(&g, 2, 6);
        if (k > 0) draw_infeasible(&g, n, M, q);
        perp_matrix A = perp_dense(n, n, M);
        perp_problem lcp = perp_make_lcp(n, A, q);
        perp_problem ncp = perp_make_ncp((perp_map){.n = n, .M = A, .q = q});
        expect_proof(&lcp, "lcp/auto");
        expect_proof(&lcp, "ncp/auto");
        expect_proof(&lcp, "mcp/auto");
        expect_proof(&ncp, "ncp/auto");
        expect_proof(&ncp, "mcp/auto");
    }
}
END_TEST

/* Lemke's path ends on a ray, which is no proof, where lcp/nsqp has one. */
START_TEST(a_ray_is_not_the_end)
{
    const double M[] = {-2, 1, -3, 1, -3, 0, 1, 1, -1}, q[] = {-2, 1, 1};
    perp_problem p = perp_make_lcp(3, perp_dense(3, 3, M), q);
    ck_assert_int_eq(ask(&p, "lcp/lemke", NULL).status, PERP_RAY);
    expect_proof(&p, "lcp/nsqp");
    expect_proof(&p, "lcp/auto");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("trust");
    TCase *c = tcase_create("trust");
    tcase_set_timeout(c, 120);
    tcase_add_test(c, a_pole_at_the_start);
    tcase_add_test(c, prices_with_small_bounds);
    tcase_add_test(c, gradients_without_c);
    tcase_add_test(c, multipliers_of_a_million);
    tcase_add_test(c, sums_that_cancel);
    tcase_add_test(c, nearly_singular);
    tcase_add_test(c, underflow);
    tcase_add_test(c, rows_of_very_different_sizes);
    tcase_add_test(c, stiff_springs);
    tcase_add_test(c, a_p_matrix_is_feasible);
    tcase_add_test(c, an_infeasible_program_is_not_unbounded);
    tcase_add_test(c, proofs_are_lifted);
    tcase_add_test(c, a_ray_is_not_the_end);
    suite_add_tcase(s, c);
    return support_run(s);
}
