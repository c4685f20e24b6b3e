/* tests/qp/test_nnls_pivot.c: block pivots by hand, dense and sparse, on columns that depend on
 * each other, and where a full row would fill A'A. tests/core/test_registry_nnls.c has the rest. */
#include "generate_support.h"

static perp_nnls_pivot_options plain(int trials, int sweeps)
{
    perp_nnls_pivot_options o = perp_nnls_pivot_defaults();
    o.trials = trials;
    o.sweeps = sweeps;
    return o;
}

/* From the set where A'b > 0, which is both: x = (-1, 1) there. The first column changes sides, and
 * x = (0, 1/2) has w = (1/2, 0). */
START_TEST(hand_worked)
{
    const double A[] = {1, 0, 1, 1}, b[] = {0.5, 1.5}, x[] = {0, 1};
    for (int trials = 0; trials < 4; trials += 3) {
        perp_nnls_pivot_options o = plain(trials, 0);
        perp_problem p = perp_make_nnls(perp_dense(2, 2, A), b);
        perp_result r;
        double z[2], w[2];
        ck_assert(!solve_checked(&p, &o.base, z, w, &r));
        ck_assert_double_lt(difference(2, z, x), 1e-15);
        ck_assert(fabs(w[0] - 0.5) < 1e-15 && fabs(w[1]) < 1e-15);
        ck_assert_int_eq(r.iterations, 2);
    }
}
END_TEST

static double distance(const perp_problem *p, const double *z)
{
    double rest[1300];
    memcpy(rest, p->as.nnls.b, (size_t)p->as.nnls.A.m * sizeof *rest);
    perp_mul(&p->as.nnls.A, 1, z, -1, rest);
    return plain_norm(p->as.nnls.A.m, rest);
}

/* Fewer columns than rows in contact space, more of them in motion space, all as far from b as the
 * walk from face to face ends. */
START_TEST(agrees_with_wilhelmsen)
{
    static const int per_body[] = {3, 6, 12, 30};
    for (int k = 0; k < 16; k++) {
        perp_arena a = {0};
        generator g = generator_start((uint64_t)k);
        generated_problem x;
        perp_result r;
        double z[600], best[600];
        nnls_jacobian(&g, 20, per_body[k % 4], &a, &x);
        perp_nnls_pivot_options o = plain(k / 4, k / 8);
        ck_assert(!solve_checked(&x.p, perp_find("nnls/wilhelmsen"), best, NULL, &r));
        ck_assert_msg(!solve_checked(&x.p, &o.base, z, NULL, &r), "%d: %s", k, r.detail);
        double far = distance(&x.p, z), near = distance(&x.p, best);
        ck_assert_double_lt(fabs(far * far - near * near), 1e-7);
        perp_arena_free(&a);
    }
}
END_TEST

/* Half of the columns repeat others, dense and sparse: the sets are singular, and proximal problems
 * lead on, to more digits than were asked for. */
START_TEST(dependent_columns)
{
    for (int k = 0; k < 6; k++) {
        perp_arena a = {0};
        perp_result r;
        double z[120];
        generated_problem x =
            problem_make("nnls_deficient", NULL, 60 + 60 * (k % 2), (uint64_t)k, &a);
        perp_matrix D = x.p.as.nnls.A;
        x.p.as.nnls.A = in_format(k / 3, &D, &a);
        perp_nnls_pivot_options o = perp_nnls_pivot_defaults();
        o.base.tol = 1e-10;
        ck_assert_msg(!solve_checked(&x.p, &o.base, z, NULL, &r), "%d: %s", k, r.detail);
        ck_assert_double_lt(fabs(distance(&x.p, z) - distance(&x.p, x.z)), 1e-9);
        perp_arena_free(&a);
    }
}
END_TEST

/* A pile in least-distance form, whose last row is full. */
START_TEST(a_full_row)
{
    perp_arena a = {0};
    perp_result r;
    generated_problem x = problem_make("boxes", "nnls", 300, 1, &a);
    double *z = perp_alloc(&a, (size_t)perp_size(&x.p), sizeof *z);
    ck_assert_msg(!solve_checked(&x.p, perp_find("nnls/pivot"), z, NULL, &r), "%s", r.detail);
    perp_arena_free(&a);
}
END_TEST

/* A fixed arena has no sparse factors: A'A is made dense there, and the answer is the same. */
START_TEST(fixed_arena)
{
    static char buffer[1 << 22];
    perp_arena own = {0}, fixed;
    perp_result r;
    double z[300], same[300];
    generator g = generator_start(2);
    generated_problem x;
    nnls_jacobian(&g, 50, 6, &own, &x);
    perp_arena_fixed(&fixed, buffer, sizeof buffer);
    ck_assert_msg(!perp_solve(&x.p, perp_find("nnls/pivot"), &fixed, z, NULL, &r), "%s", r.detail);
    ck_assert(!perp_solve(&x.p, perp_find("nnls/pivot"), &own, same, NULL, &r));
    ck_assert_double_lt(difference(300, z, same), 1e-10);
    perp_arena_fixed(&fixed, buffer, 1 << 14);
    ck_assert_int_eq(perp_solve(&x.p, perp_find("nnls/pivot"), &fixed, z, NULL, &r), PERP_E_MEMORY);
    perp_arena_free(&own);
}
END_TEST

/* From the answer itself one factorisation is enough. */
START_TEST(warm)
{
    perp_arena a = {0};
    perp_result r;
    double z[300];
    generator g = generator_start(4);
    generated_problem x;
    nnls_jacobian(&g, 60, 5, &a, &x);
    perp_nnls_pivot_options o = perp_nnls_pivot_defaults();
    ck_assert(!solve_checked(&x.p, &o.base, z, NULL, &r));
    o.base.warm_start = true;
    for (int j = 0; j < 300; j++) z[j] *= 1.5;
    ck_assert(!solve_checked(&x.p, &o.base, z, NULL, &r));
    ck_assert_int_eq(r.iterations, 1);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp_nnls_pivot");
    TCase *t = tcase_create("qp_nnls_pivot");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, agrees_with_wilhelmsen);
    tcase_add_test(t, dependent_columns);
    tcase_add_test(t, a_full_row);
    tcase_add_test(t, fixed_arena);
    tcase_add_test(t, warm);
    suite_add_tcase(s, t);
    return support_run(s);
}
