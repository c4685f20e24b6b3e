/* tests/qp/test_nnls_auto.c: which solver is chosen, and that what one misses another finds. */
#include "generate_support.h"

static void solved_by(const perp_problem *p, const perp_options *o, const char *solver, double *z)
{
    perp_result r;
    ck_assert_msg(!solve_checked(p, o, z, NULL, &r), "%s (%g)", r.detail, r.residual.value);
    ck_assert_str_eq(r.solver, solver);
}

/* Small ones to the walk, dense ones of many rows to block pivots, large sparse ones to gradients,
 * whose answer auto itself certifies; no options mean auto. */
START_TEST(choices)
{
    static const struct {
        const char *family, *solver;
        int size;
    } rows[] = {{"nnls_random", "nnls/wilhelmsen", 20},   {"nnls_random", "nnls/pivot", 100},
                {"nnls_wide", "nnls/wilhelmsen", 100},    {"nnls_free", "nnls/pivot", 90},
                {"nnls_jacobian", "nnls/wilhelmsen", 20}, {"nnls_jacobian", "nnls/auto", 150}};
    for (int k = 0; k < 6; k++) {
        perp_arena a = {0};
        generated_problem x = problem_make(rows[k].family, NULL, rows[k].size, 1, &a);
        double z[1500];
        solved_by(&x.p, NULL, rows[k].solver, z);
        solved_by(&x.p, perp_find("nnls/auto"), rows[k].solver, z);
        perp_arena_free(&a);
    }
}
END_TEST

/* The same answer, to the tolerance, with A as a dense matrix of few entries, and as an operator;
 * with some x free, so that gradients have to split them. */
START_TEST(formats)
{
    enum { BODIES = 120, N = 10 * BODIES };
    perp_arena a = {0};
    static double z[N], other[N];
    static bool mask[N];
    generated_problem x = problem_make("nnls_jacobian", NULL, BODIES, 3, &a);
    perp_matrix A = x.p.as.nnls.A, D;
    perp_plain_options o = perp_nnls_auto_defaults();
    o.base.tol = 1e-11;
    for (int j = 0; j < N; j += 9) mask[j] = true;
    for (int k = 0; k < 2; k++) {
        x.p.as.nnls.is_free = k ? mask : NULL;
        x.p.as.nnls.A = A;
        solved_by(&x.p, &o.base, "nnls/auto", z);
        ck_assert(!perp_convert(&A, PERP_FORMAT_DENSE, &a, &D, NULL));
        x.p.as.nnls.A = D;
        solved_by(&x.p, &o.base, "nnls/auto", other);
        ck_assert_double_lt(difference(N, z, other), 1e-8);
        x.p.as.nnls.A = as_operator(&A);
        solved_by(&x.p, &o.base, "nnls/auto", other);
        ck_assert_double_lt(difference(N, z, other), 1e-6);
    }
    perp_arena_free(&a);
}
END_TEST

/* Polynomials on a grid: A'A has lost what tells their columns apart. */
START_TEST(ill_conditioned)
{
    enum { M = 40, N = 14 };
    double A[M * N], b[M] = {0}, z[N];
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < M; i++) {
            A[j * M + i] = pow((i + 1.) / M, j);
            b[i] += A[j * M + i] * (j % 3);
        }
    }
    perp_problem p = perp_make_nnls(perp_dense(M, N, A), b);
    perp_plain_options o = perp_nnls_auto_defaults();
    perp_result r;
    o.base.tol = 1e-13;
    ck_assert_msg(!solve_checked(&p, &o.base, z, NULL, &r), "%s (%g)", r.detail, r.residual.value);
}
END_TEST

typedef struct record {
    char names[400];
    const char *last;
    int own; /* iterations under the name of nnls/auto */
} record;

static bool take_down(void *ctx, const perp_progress *progress)
{
    record *r = ctx;
    r->own += strcmp(progress->solver, "nnls/auto") == 0;
    if (r->last == progress->solver) return true;
    r->last = progress->solver;
    strcat(strcat(r->names, progress->solver), " ");
    return true;
}

/* To a tolerance that nothing reaches every step of a plan has its turn; the interior points of
 * nnls/auto go by its name. */
START_TEST(one_after_the_other)
{
    static const struct {
        const char *family;
        int size;
        const char *names;
    } rows[] = {
        {"nnls_random", 20, "nnls/wilhelmsen nnls/lawson_hanson nnls/pivot "},
        {"nnls_random", 100, "nnls/pivot nnls/wilhelmsen nnls/lawson_hanson nnls/pivot "},
        {"nnls_jacobian", 60, "lcp/mprgp nnls/auto nnls/pivot nnls/wilhelmsen nnls/lawson_hanson "},
    };
    for (int k = 0; k < 3; k++) {
        perp_arena a = {0};
        static double z[1500];
        record names = {.last = NULL};
        perp_result r;
        perp_plain_options o = perp_nnls_auto_defaults();
        generated_problem x = problem_make(rows[k].family, NULL, rows[k].size, 1, &a);
        o.base.tol = 0;
        o.base.monitor = take_down;
        o.base.monitor_ctx = &names;
        ck_assert_int_eq(solve_checked(&x.p, &o.base, z, NULL, &r), PERP_STALLED);
        ck_assert_str_eq(names.names, rows[k].names);
        if (k == 2) ck_assert_int_gt(names.own, 8); /* gradients are certified thrice at most */
        ck_assert_msg(strstr(r.detail, "the rounding of z alone leaves"), "%s", r.detail);
        perp_arena_free(&a);
    }
}
END_TEST

/* Few iterations end honestly, with the best x so far. */
START_TEST(limits)
{
    perp_arena a = {0};
    static double z[1500];
    perp_result r;
    generated_problem x = problem_make("nnls_jacobian", NULL, 150, 1, &a);
    perp_plain_options o = perp_nnls_auto_defaults();
    o.base.max_iter = 20;
    ck_assert_int_eq(solve_checked(&x.p, &o.base, z, NULL, &r), PERP_MAX_ITER);
    ck_assert(r.iterations <= 20 && r.residual.value < 1);
    o.base.max_iter = 100000;
    o.base.max_seconds = 1e-6;
    ck_assert_int_eq(solve_checked(&x.p, &o.base, z, NULL, &r), PERP_MAX_SECONDS);
    perp_arena_free(&a);
}
END_TEST

START_TEST(fixed_arena)
{
    static char buffer[1 << 23];
    static double z[1500];
    perp_arena own = {0}, fixed;
    perp_result r;
    generated_problem x = problem_make("nnls_jacobian", NULL, 150, 1, &own);
    perp_arena_fixed(&fixed, buffer, sizeof buffer);
    ck_assert_msg(!perp_solve(&x.p, NULL, &fixed, z, NULL, &r), "%s", r.detail);
    perp_arena_free(&own);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp_nnls_auto");
    TCase *t = tcase_create("qp_nnls_auto");
    tcase_add_test(t, choices);
    tcase_add_test(t, formats);
    tcase_add_test(t, ill_conditioned);
    tcase_add_test(t, one_after_the_other);
    tcase_add_test(t, limits);
    tcase_add_test(t, fixed_arena);
    suite_add_tcase(s, t);
    return support_run(s);
}
