/* tests/qp/test_nnls_interior.c: interior points, through a solver made for the test: where they
 * end by themselves, and that they stop when told to. */
#include "generate_support.h"
#include "qp/nnls_interior.h"

static perp_status solve(perp_run *run, double *z)
{
    return perp_nnls_interior(run, &run->problem->as.nnls, z);
}

static const perp_solver solver = {.name = "nnls/interior",
                                   .about = "interior points alone",
                                   .kind = PERP_KIND_NNLS,
                                   .formats = {PERP_FORMAT_CSC},
                                   .flags = PERP_SOLVER_CHEAP_CERTIFICATE | PERP_SOLVER_ALLOCATES,
                                   .options_size = sizeof(perp_plain_options),
                                   .solve = solve};
static const perp_plain_options interior = {
    .base = {.solver = &solver, .tol = 1e-8, .max_iter = 100, .threads = 1}};

static double distance(const perp_problem *p, const double *z)
{
    double rest[400];
    memcpy(rest, p->as.nnls.b, (size_t)p->as.nnls.A.m * sizeof *rest);
    perp_mul(&p->as.nnls.A, 1, z, -1, rest);
    return plain_norm(p->as.nnls.A.m, rest);
}

/* Known answers, few steps, in both spaces, with and without free x; the certificate is perp's. */
START_TEST(families)
{
    static const char *const names[] = {"nnls_random", "nnls_free", "nnls_wide", "nnls_deficient"};
    for (int k = 0; k < 12; k++) {
        perp_arena a = {0};
        generated_problem x = problem_make(names[k % 4], NULL, 20 + 10 * (k / 4), (uint64_t)k, &a);
        perp_result r;
        double z[60];
        ck_assert_msg(!solve_checked(&x.p, &interior.base, z, NULL, &r), "%s: %s, %g", names[k % 4],
                      r.detail, r.residual.value);
        double far = distance(&x.p, z), near = distance(&x.p, x.z);
        ck_assert_double_lt(fabs(far * far - near * near), 1e-6);
        ck_assert_int_le(r.iterations, 40);
        perp_arena_free(&a);
    }
}
END_TEST

/* On the edge of reaching b, where gradients take thousands of steps. */
START_TEST(critical)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        perp_arena a = {0};
        generator g = generator_start(seed);
        generated_problem x;
        perp_result r;
        double z[480], best[480];
        nnls_jacobian(&g, 40, 12, &a, &x);
        ck_assert_msg(!solve_checked(&x.p, &interior.base, z, NULL, &r), "%g", r.residual.value);
        ck_assert_int_le(r.iterations, 30);
        ck_assert(!solve_checked(&x.p, perp_find("nnls/wilhelmsen"), best, NULL, &r));
        double far = distance(&x.p, z), near = distance(&x.p, best);
        ck_assert_double_lt(fabs(far * far - near * near), 1e-6);
        perp_arena_free(&a);
    }
}
END_TEST

/* Units do not matter: lengths of columns from 1e-4 to 1e4, b times 1e6. */
START_TEST(units)
{
    perp_arena a = {0};
    generated_problem x = problem_make("nnls_scaled", NULL, 30, 2, &a);
    double z[30], b[61];
    perp_result r;
    for (int i = 0; i < 61; i++) b[i] = 1e6 * x.p.as.nnls.b[i];
    x.p.as.nnls.b = b;
    perp_plain_options o = interior;
    o.base.tol = 1e-7;
    ck_assert_msg(!solve_checked(&x.p, &o.base, z, NULL, &r), "%g", r.residual.value);
    perp_arena_free(&a);
}
END_TEST

START_TEST(limits)
{
    perp_arena own = {0};
    generated_problem x = problem_make("nnls_jacobian", NULL, 8, 1, &own);
    double z[80];
    perp_result r;
    perp_plain_options o = interior;
    o.base.max_iter = 3;
    ck_assert_int_eq(solve_checked(&x.p, &o.base, z, NULL, &r), PERP_MAX_ITER);
    o.base.max_iter = 100;
    o.base.tol = 1e-300; /* ends all the same, with what it has */
    perp_status s = solve_checked(&x.p, &o.base, z, NULL, &r);
    ck_assert(s == PERP_STALLED || s == PERP_MAX_ITER);
    ck_assert_double_lt(r.residual.value, 1e-8);
    for (int left = 0;; left++) {
        supply c = {.left = left};
        perp_arena scant = {.resize = scarce, .ctx = &c};
        s = perp_solve(&x.p, &interior.base, &scant, z, NULL, &r);
        perp_arena_free(&scant);
        ck_assert_int_eq(c.out, 0);
        ck_assert(s == PERP_SOLVED || s == PERP_E_MEMORY);
        if (!s) break;
    }
    perp_arena_free(&own);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp_nnls_interior");
    TCase *t = tcase_create("qp_nnls_interior");
    tcase_add_test(t, families);
    tcase_add_test(t, critical);
    tcase_add_test(t, units);
    tcase_add_test(t, limits);
    suite_add_tcase(s, t);
    return support_run(s);
}
