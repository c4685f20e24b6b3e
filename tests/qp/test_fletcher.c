/* tests/qp/test_fletcher.c: the primal active-set method: values, every inertia, degenerate and
 * dependent rows, proofs, warm starts, memory. */
#include "core/defaults.h"
#include "generate_support.h"

#include "perp/solvers.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 900

static const perp_options *const o = &perp_qp_fletcher.base;

/* min -x y with x + y <= 2, x, y >= 0: (1, 1), multiplier -1. */
START_TEST(hand_worked)
{
    const double H[] = {0, -1, -1, 0}, c[] = {-0.5, -0.5}, A[] = {1, 1}, hi[] = {2}, lo[] = {0, 0};
    double z[3], w[3];
    perp_result r;
    perp_problem p = perp_make_qp(2, 1, perp_dense(2, 2, H), c, perp_dense(1, 2, A), NULL, hi);
    p.as.qp.xlo = lo;
    ck_assert(!solve_checked(&p, o, z, w, &r));
    ck_assert(fabs(z[0] - 1) < 1e-15 && fabs(z[1] - 1) < 1e-15 && fabs(z[2] + 1.5) < 1e-15);
    p.as.qp.hi = NULL;
    ck_assert_int_eq(solve_checked(&p, o, z, w, &r), PERP_UNBOUNDED);
    ck_assert(w[0] > 0 && w[1] > 0);
}
END_TEST

START_TEST(families)
{
    static const struct {
        const char *name;
        perp_status end;
    } list[] = {{"qp_convex", PERP_SOLVED},         {"qp_degenerate", PERP_SOLVED},
                {"qp_linear", PERP_SOLVED},         {"qp_sparse", PERP_SOLVED},
                {"qp_infeasible", PERP_INFEASIBLE}, {"qp_unbounded", PERP_UNBOUNDED}};
    static double z[MOST], w[MOST];
    perp_result r;
    for (int k = 0; k < 6; k++) {
        for (uint64_t seed = 1; seed <= 20; seed++) {
            perp_arena a = {0};
            generated_problem g = problem_make(list[k].name, NULL, 1 + (int)seed * 3, seed, &a);
            perp_status s = solve_checked(&g.p, o, z, w, &r);
            ck_assert_msg(s == list[k].end, "%s %d: %s (%s)", list[k].name, (int)seed,
                          perp_status_name(s), r.detail);
            perp_arena_free(&a);
        }
    }
}
END_TEST

/* Kuhn's, Beale's and Marshall and Suurballe's programs cycle under the textbook's rules. Each row
 * a hundred times makes every vertex degenerate; with H = v v' and v'x = 0 at the optimum each is a
 * degenerate QP with the same optimum. */
START_TEST(cycling)
{
    enum { N = 4, M = 3, COPIES = 100 };
    static const struct {
        double c[N], A[M][N], b[M], optimum;
    } list[] = {
        {{-0.75, 150, -0.02, 6},
         {{0.25, -60, -0.04, 9}, {0.5, -90, -0.02, 3}, {0, 0, 1, 0}},
         {0, 0, 1},
         -0.05},
        {{-2, -3, 1, 12},
         {{-2, -9, 1, 9}, {1. / 3, 1, -1. / 3, -2}, {2, 3, -1, -12}},
         {0, 0, 2},
         -2},
        {{-10, 57, 9, 24},
         {{0.5, -5.5, -2.5, 9}, {0.5, -1.5, -0.5, 1}, {1, 0, 0, 0}},
         {0, 0, 1},
         -1},
    };
    static double A[N * M * COPIES], hi[M * COPIES], z[N + M * COPIES], w[N + M * COPIES];
    const double lo[N] = {0};
    perp_result r;
    static const double H[N * N] = {0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1};
    for (int k = 0; k < 6; k++) {
        for (int copies = 1; copies <= COPIES; copies += COPIES - 1) {
            int m = M * copies;
            for (int i = 0; i < m; i++) {
                for (int j = 0; j < N; j++) A[j * m + i] = list[k % 3].A[i % M][j];
                hi[i] = list[k % 3].b[i % M];
            }
            perp_problem p = perp_make_qp(N, m, k < 3 ? (perp_matrix){0} : perp_dense(N, N, H),
                                          list[k % 3].c, perp_dense(m, N, A), NULL, hi);
            p.as.qp.xlo = lo;
            ck_assert_msg(!solve_checked(&p, o, z, w, &r), "%d: %s", k, r.detail);
            ck_assert_int_lt(r.iterations, 40);
            double value = 0;
            for (int j = 0; j < N; j++) value += list[k % 3].c[j] * z[j];
            ck_assert_msg(fabs(value - list[k % 3].optimum) < 1e-12, "%d: %g", k, value);
        }
    }
}
END_TEST

/* Equalities that depend on each other; then one that contradicts; rows of zeros. */
START_TEST(dependent_equalities)
{
    enum { N = 5, M = 40 };
    static double H[N * N], A[N * M], b[M], z[N + M], w[N + M];
    const double c[N] = {1, -2, 3, -4, 5}, x[N] = {1, 2, 3, 4, 5};
    generator g = generator_start(1);
    perp_result r;
    for (int i = 0; i < M; i++) {
        b[i] = 0;
        for (int j = 0; j < N; j++) {
            A[j * M + i] = i < 3    ? generator_between(&g, -2, 2)
                           : i < 39 ? A[j * M + i % 3] * (1 + i % 5) - A[j * M + (i + 1) % 3]
                                    : 0;
            b[i] += A[j * M + i] * x[j];
        }
    }
    perp_problem p = perp_make_qp(N, M, perp_dense(N, N, H), c, perp_dense(M, N, A), b, b);
    ck_assert_int_eq(solve_checked(&p, o, z, w, &r), PERP_UNBOUNDED); /* two directions remain */
    for (int j = 0; j < N; j++) H[j * N + j] = 1;
    ck_assert_msg(!solve_checked(&p, o, z, w, &r), "%s", r.detail);
    b[20] += 1;
    ck_assert_int_eq(solve_checked(&p, o, z, w, &r), PERP_INFEASIBLE);
    b[20] -= 1;
    b[39] = 1;
    ck_assert_int_eq(solve_checked(&p, o, z, w, &r), PERP_INFEASIBLE);
}
END_TEST

/* Beside a large x the bounds of another are nearer to each other than rounding: both are reached.
 */
START_TEST(a_narrow_box)
{
    const double c[] = {-1, 1}, lo[] = {0, 1e9}, hi[] = {1e-4, INFINITY};
    double z[2], w[2];
    perp_result r;
    perp_problem p = perp_make_qp(2, 0, (perp_matrix){0}, c, (perp_matrix){0}, NULL, NULL);
    p.as.qp.xlo = lo;
    p.as.qp.xhi = hi;
    ck_assert_msg(!solve_checked(&p, o, z, w, &r), "%s", r.detail);
    ck_assert_double_eq(z[0], 1e-4);
    ck_assert_double_eq(z[1], 1e9);
}
END_TEST

/* Twice as many equalities as unknowns, of a Hilbert matrix: which of them say something new is
 * hard to tell. */
START_TEST(too_many_equalities)
{
    enum { N = 10, M = 20 };
    static double H[N * N], A[N * M], b[M], c[N], lo[N], hi[N], z[N + M], w[N + M];
    perp_result r;
    for (int j = 0; j < N; j++) {
        H[j * N + j] = 1;
        c[j] = -j;
        hi[j] = 2;
        for (int i = 0; i < M; i++) {
            A[j * M + i] = 1. / (i + j + 1);
            b[i] += A[j * M + i];
        }
    }
    perp_problem p = perp_make_qp(N, M, perp_dense(N, N, H), c, perp_dense(M, N, A), b, b);
    p.as.qp.xlo = lo;
    p.as.qp.xhi = hi;
    ck_assert_msg(!solve_checked(&p, o, z, w, &r), "%s", r.detail);
    b[M - 1] += 1e-3;
    ck_assert_int_ne(solve_checked(&p, o, z, w, &r), PERP_SOLVED);
}
END_TEST

START_TEST(nothing)
{
    const double lo[] = {1}, hi[] = {2}, c[] = {0};
    double z[1], w[1];
    perp_result r;
    perp_problem p = perp_make_qp(0, 0, (perp_matrix){0}, NULL, (perp_matrix){0}, NULL, NULL);
    ck_assert(!solve_checked(&p, o, NULL, NULL, &r));
    p = perp_make_qp(0, 1, (perp_matrix){0}, NULL, perp_dense(1, 0, NULL), lo, hi);
    ck_assert_int_eq(solve_checked(&p, o, z, w, &r), PERP_INFEASIBLE);
    p = perp_make_qp(1, 0, (perp_matrix){0}, c, (perp_matrix){0}, NULL, NULL);
    ck_assert(!solve_checked(&p, o, z, w, &r)); /* nothing to do, anywhere */
    p.as.qp.xlo = lo;
    p.as.qp.xhi = lo;
    ck_assert(!solve_checked(&p, o, z, w, &r));
    ck_assert_double_eq(z[0], 1);
}
END_TEST

START_TEST(warm_start)
{
    static double z[MOST], near[MOST], far[MOST];
    perp_result r;
    perp_plain_options warm = perp_qp_fletcher_defaults();
    warm.base.warm_start = true;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        perp_arena a = {0};
        generator g = generator_start(seed);
        generated_problem p =
            problem_make(seed % 2 ? "qp_convex" : "qp_linear", NULL, 40, seed, &a);
        int size = perp_size(&p.p);
        ck_assert(!solve_checked(&p.p, o, z, NULL, &r));
        for (int i = 0; i < size; i++) {
            near[i] = z[i] + 1e-6 * generator_uniform(&g);
            far[i] = 100 * generator_uniform(&g);
        }
        ck_assert(!solve_checked(&p.p, &warm.base, near, NULL, &r));
        if (seed % 2) ck_assert_int_le(r.iterations, 2);
        ck_assert(!solve_checked(&p.p, &warm.base, far, NULL, &r));
        perp_arena_free(&a);
    }
}
END_TEST

/* Every allocation fails in turn; the budget ends at every step. */
START_TEST(limits)
{
    static double z[MOST];
    perp_result r = {.status = PERP_E_MEMORY};
    perp_arena own = {0};
    generated_problem g = problem_make("qp_degenerate", NULL, 20, 3, &own);
    for (int left = 0; r.status; left++) {
        supply s = {.left = left};
        perp_arena a = {.resize = scarce, .ctx = &s};
        perp_solve(&g.p, o, &a, z, NULL, &r);
        ck_assert(r.status == PERP_E_MEMORY || r.status == PERP_SOLVED);
        perp_arena_free(&a);
        ck_assert_int_eq(s.out, 0);
    }
    perp_plain_options short_one = perp_qp_fletcher_defaults();
    for (int k = 0, needed = r.iterations - 2; k < needed; k++) {
        short_one.base.max_iter = k;
        ck_assert_int_eq(solve_checked(&g.p, &short_one.base, z, NULL, &r), PERP_MAX_ITER);
    }
    perp_arena_free(&own);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp/fletcher");
    TCase *t = tcase_create("fletcher");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, families);
    tcase_add_test(t, cycling);
    tcase_add_test(t, dependent_equalities);
    tcase_add_test(t, a_narrow_box);
    tcase_add_test(t, too_many_equalities);
    tcase_add_test(t, nothing);
    tcase_add_test(t, warm_start);
    tcase_add_test(t, limits);
    suite_add_tcase(s, t);
    return support_run(s);
}
