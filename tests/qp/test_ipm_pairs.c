/* tests/qp/test_ipm_pairs.c: KKT systems in pairs of numbers, and what they are for: multipliers on
 * rows that are nearly dependent. */
#include "ipm_support.h"

#include "perp/solvers.h"

START_TEST(solves_and_evaluates)
{
    static const char *const families[] = {"qp_convex", "qp_linear", "qp_sparse"};
    perp_arena a = {0};
    perp_problem p = sparse_problem(families[_i], 24, 7, &a);
    ipm_presolved r = reduce_problem(&p, &a);
    ipm_kkt k;
    generator g = generator_start(4);
    double d[64], b[64], x[64], plain[64], v[64], y[64], gradient[64], of_pairs[64];
    ck_assert_int_eq(perp_ipm_kkt_open(&k, &r.p, &a), PERP_SOLVED);
    ck_assert_int_le(k.size, 64);
    for (int j = 0; j < k.size; j++) {
        d[j] = pow(10, 3 * generator_uniform(&g));
        b[j] = generator_uniform(&g);
    }
    ck_assert(perp_ipm_kkt_factor(&k, d, NULL));
    perp_ipm_kkt_solve(&k, b, plain, 1e-14);
    perp_ipm_kkt_evaluate(&k, plain, plain + r.p.n, v, gradient);
    ck_assert(perp_ipm_kkt_use_pairs(&k));
    ck_assert(!perp_ipm_kkt_use_pairs(&k));
    ck_assert(!perp_ipm_kkt_pivot(&k));
    ck_assert(perp_ipm_kkt_factor(&k, d, NULL));
    ck_assert_double_lt(perp_ipm_kkt_solve(&k, b, x, 1e-14), 1e-26);
    ck_assert_double_lt(perp_ipm_kkt_solve(&k, b, x, 0), 1e-28); /* refined */
    for (int j = 0; j < k.size; j++) ck_assert_double_eq_tol(x[j], plain[j], 1e-9);
    perp_ipm_kkt_evaluate(&k, plain, plain + r.p.n, y, of_pairs);
    for (int j = 0; j < k.size; j++) ck_assert_double_eq_tol(y[j], v[j], 1e-11);
    for (int j = 0; j < r.p.n; j++) ck_assert_double_eq_tol(of_pairs[j], gradient[j], 1e-11);
    perp_arena_free(&a);
}
END_TEST

START_TEST(symmetric_alone)
{
    perp_arena a = {0};
    perp_problem p = sparse_problem("qp_nonsymmetric", 24, 7, &a);
    ipm_presolved r = reduce_problem(&p, &a);
    ipm_kkt k;
    ck_assert_int_eq(perp_ipm_kkt_open(&k, &r.p, &a), PERP_SOLVED);
    ck_assert(!perp_ipm_kkt_use_pairs(&k));
    ck_assert_ptr_null(k.pairs);
    perp_arena_free(&a);
}
END_TEST

static perp_result solve(const char *family, int size, uint64_t seed, double tol)
{
    perp_arena a = {0};
    generated_problem g = problem_make(family, NULL, size, seed, &a);
    double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
    perp_options *o = perp_options_new(&a, "qp/auto");
    perp_result r;
    o->tol = tol;
    o->max_iter = 1000;
    perp_solve(&g.p, o, &a, z, NULL, &r);
    perp_arena_free(&a);
    return r;
}

/* Fourth differences of 2000 numbers: with factors in double precision alone the residual stays at
 * 1.5e-7 to 1.2e-6, the objective is off by 3e-7 to 3e-6, and active sets make thousands of
 * iterations. */
START_TEST(fourth_differences)
{
    for (uint64_t seed = 2; seed <= 4; seed++) {
        perp_result r = solve("qp_liswet4", 2000, seed, 1e-8);
        ck_assert_msg(r.status == PERP_SOLVED, "seed %d: %.1e: %s", (int)seed, r.residual.value,
                      r.detail);
        ck_assert_str_eq(r.solver, "qp/ipm");
        ck_assert_int_le(r.iterations, 250);
    }
}
END_TEST

/* Of 3000 numbers the multipliers are so large that the rounding of z leaves more than 1e-8; in
 * double precision the end was a residual of 3.6e-7 after 480 iterations, unexplained. */
START_TEST(the_floor_of_large_multipliers)
{
    perp_result r = solve("qp_liswet4", 3000, 3, 1e-8);
    ck_assert_int_eq(r.status, PERP_STALLED);
    ck_assert_msg(strstr(r.detail, "the rounding of z alone leaves"), "%s", r.detail);
    ck_assert_double_gt(r.residual.floor, 3e-8);
    ck_assert_double_le(r.residual.value, 0.25 * r.residual.floor);
    ck_assert_double_eq_tol(r.objective, -4785.526107, 1e-7 * 4785);
    ck_assert_int_le(r.iterations, 200);
}
END_TEST

/* A limit that ends the start in pairs is named as one. That start begins after 85 to 115 steps and
 * ends, solved, before 180, as the kernels of the machine have it. */
START_TEST(a_limit_after_the_change_to_pairs)
{
    perp_arena a = {0};
    perp_problem p = problem_make("qp_liswet4", NULL, 2000, 2, &a).p;
    double *z = perp_alloc(&a, (size_t)perp_size(&p), sizeof *z);
    perp_options *o = perp_options_new(&a, "qp/ipm");
    perp_status status = PERP_MAX_ITER;
    for (o->max_iter = 85; status == PERP_MAX_ITER && o->max_iter < 180; o->max_iter += 5) {
        perp_result r;
        status = perp_solve(&p, o, &a, z, NULL, &r);
        ck_assert_msg(status != PERP_MAX_ITER || strstr(r.detail, "limit"), "%d steps: %s",
                      o->max_iter, r.detail);
    }
    ck_assert_int_eq(status, PERP_SOLVED);
    perp_arena_free(&a);
}
END_TEST

/* ---- H that is not symmetric, which has no pairs ---- */

#define N 8
#define ROWS 4

typedef struct skew_problem {
    double H[N * N], A[ROWS * N], c[N], xlo[N], lo[ROWS], hi[ROWS];
} skew_problem;

/* 0 with a probability of 0.7. */
static double sparsely(generator *g)
{
    double x = 2 * generator_uniform(g) - 1;
    return generator_uniform(g) < 0.3 ? x : 0;
}

/* A skew H, and pairs of rows that differ by 1e-8, feasible at a random x. */
static perp_problem make_skew(generator *g, skew_problem *s)
{
    *s = (skew_problem){0};
    for (int j = 0; j < N; j++) {
        double x = 2 * generator_uniform(g) - 1;
        for (int i = 0; i < j; i++) {
            s->H[j * N + i] = sparsely(g);
            s->H[i * N + j] = -s->H[j * N + i];
        }
        s->c[j] = 2 * generator_uniform(g) - 1;
        s->xlo[j] = generator_uniform(g) < 0.5 ? x - generator_uniform(g) : -INFINITY;
        for (int i = 0; i < ROWS; i++) {
            double *own = &s->A[j * ROWS + i];
            *own = i < ROWS / 2 ? sparsely(g) : own[-ROWS / 2] * (1 + 1e-8 * generator_uniform(g));
            s->lo[i] += *own * x;
        }
    }
    for (int i = 0; i < ROWS; i++) s->hi[i] = generator_uniform(g) < 0.65 ? INFINITY : s->lo[i];
    perp_problem p = {.kind = PERP_KIND_QP};
    p.as.qp = (perp_qp){.n = N,
                        .m = ROWS,
                        .H = perp_dense(N, N, s->H),
                        .A = perp_dense(ROWS, N, s->A),
                        .c = s->c,
                        .lo = s->lo,
                        .hi = s->hi,
                        .xlo = s->xlo};
    return p;
}

/* Starts that the error of the systems holds up are followed by others, and by a proof: of 400
 * problems 130 are proved unbounded, 115 where the first such start ends the run. */
START_TEST(unbounded_with_skew_H)
{
    generator g = generator_start(11);
    int unbounded = 0;
    for (int k = 0; k < 400; k++) {
        perp_arena a = {0};
        skew_problem s;
        perp_problem p = make_skew(&g, &s);
        double z[N + ROWS] = {0};
        perp_result r;
        perp_solve(&p, perp_options_new(&a, "qp/ipm"), &a, z, NULL, &r);
        unbounded += r.status == PERP_UNBOUNDED;
        perp_arena_free(&a);
    }
    ck_assert_int_ge(unbounded, 125);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp_ipm_pairs");
    TCase *t = tcase_create("qp_ipm_pairs");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, solves_and_evaluates, 0, 3);
    tcase_add_test(t, symmetric_alone);
    tcase_add_test(t, fourth_differences);
    tcase_add_test(t, the_floor_of_large_multipliers);
    tcase_add_test(t, a_limit_after_the_change_to_pairs);
    tcase_add_test(t, unbounded_with_skew_H);
    suite_add_tcase(s, t);
    return support_run(s);
}
