/* tests/qp/test_wilhelmsen.c: nearest points of cones, by hand and by their pivots; refactoring,
 * candidates, nearly dependent generators. tests/core/test_registry_nnls.c has the rest. */
#include "generate_support.h"

static perp_nnls_wilhelmsen_options variant(int k)
{
    perp_nnls_wilhelmsen_options o = perp_nnls_wilhelmsen_defaults();
    o.candidates = k % 2 ? 1 : 8;
    o.refactor = k / 2;
    return o;
}

/* The cone of (1, 0) and (1, 1). From b = (0, 1) the nearest point is (1/2, 1/2), by the second
 * alone; b = (2, 1) is inside; the nearest of b = (-1, -1) is the apex. */
START_TEST(hand_worked)
{
    static const double A[] = {1, 0, 1, 1};
    static const double b[][2] = {{0, 1}, {2, 1}, {-1, -1}}, x[][2] = {{0, 0.5}, {1, 1}, {0, 0}};
    static const int pivots[] = {1, 2, 0};
    for (int k = 0; k < 12; k++) {
        perp_nnls_wilhelmsen_options o = variant(k / 3);
        perp_problem p = perp_make_nnls(perp_dense(2, 2, A), b[k % 3]);
        perp_result r;
        double z[2];
        ck_assert(!solve_checked(&p, &o.base, z, NULL, &r));
        ck_assert_double_lt(difference(2, z, x[k % 3]), 1e-15);
        ck_assert_int_eq(r.iterations, pivots[k % 3]);
    }
}
END_TEST

/* (0, 1/2, 1) is at the smallest angle to b = (0, 0, 1) and joins first; the other two join, and
 * the first leaves: t (0, 1/5, 2) with t = 2 / 4.04 is nearest. */
START_TEST(one_leaves)
{
    const double A[] = {0, 0.5, 1, 1, 0.1, 1, -1, 0.1, 1}, b[] = {0, 0, 1};
    const double x[] = {0, 2 / 4.04, 2 / 4.04};
    for (int k = 0; k < 4; k++) {
        perp_nnls_wilhelmsen_options o = variant(k);
        perp_problem p = perp_make_nnls(perp_dense(3, 3, A), b);
        perp_result r;
        double z[3];
        ck_assert(!solve_checked(&p, &o.base, z, NULL, &r));
        ck_assert_double_lt(difference(3, z, x), 1e-15);
        ck_assert_int_eq(r.iterations, 4);
    }
}
END_TEST

/* All variants end at the same distance, and one generator at a time takes no more pivots. */
START_TEST(variants)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        perp_arena a = {0};
        generated_problem x = problem_make("nnls_jacobian", NULL, 12, seed, &a);
        double z[120], first[120], rest[72], norm = 0;
        int pivots[4];
        for (int k = 0; k < 4; k++) {
            perp_nnls_wilhelmsen_options o = variant(k);
            perp_result r;
            ck_assert(!solve_checked(&x.p, &o.base, z, NULL, &r));
            memcpy(rest, x.p.as.nnls.b, sizeof rest);
            perp_mul(&x.p.as.nnls.A, 1, z, -1, rest);
            if (k == 0) {
                memcpy(first, z, sizeof z);
                norm = plain_norm(72, rest);
            }
            ck_assert_double_lt(fabs(plain_norm(72, rest) - norm), 1e-10);
            pivots[k] = r.iterations;
        }
        ck_assert_int_eq(pivots[0], pivots[2]);
        ck_assert_int_eq(pivots[1], pivots[3]);
        ck_assert_int_le(pivots[1], pivots[0]);
        perp_arena_free(&a);
    }
}
END_TEST

/* Generators that differ by 1e-5 of their length: the difference of squares has lost all of it. */
START_TEST(nearly_dependent)
{
    generator g = generator_start(5);
    double A[10 * 6], b[10] = {0}, z[6], x[6] = {1, 2, 3, 4, 5, 6};
    for (int i = 0; i < 10; i++) {
        double common = generator_uniform(&g);
        for (int j = 0; j < 6; j++) A[j * 10 + i] = common + 1e-5 * generator_uniform(&g);
        for (int j = 0; j < 6; j++) b[i] += A[j * 10 + i] * x[j];
    }
    perp_problem p = perp_make_nnls(perp_dense(10, 6, A), b);
    perp_result r;
    perp_nnls_wilhelmsen_options o = perp_nnls_wilhelmsen_defaults();
    o.base.tol = 1e-14;
    ck_assert_msg(!solve_checked(&p, &o.base, z, NULL, &r), "%s", r.detail);
    ck_assert_double_lt(difference(6, z, x), 1e-4);
}
END_TEST

/* All x free: least squares, in one go. */
START_TEST(all_free)
{
    const double A[] = {1, 1, 1, 0, 1, 2}, b[] = {6, 5, 1};
    const bool all[] = {true, true};
    perp_problem p = perp_make_nnls(perp_dense(3, 2, A), b);
    perp_result r;
    double z[2], x[2] = {6.5, -2.5};
    p.as.nnls.is_free = all;
    ck_assert(!solve_checked(&p, perp_find("nnls/wilhelmsen"), z, NULL, &r));
    ck_assert_double_lt(difference(2, z, x), 1e-14);
    ck_assert_int_eq(r.iterations, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp_wilhelmsen");
    TCase *t = tcase_create("qp_wilhelmsen");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, one_leaves);
    tcase_add_test(t, variants);
    tcase_add_test(t, nearly_dependent);
    tcase_add_test(t, all_free);
    suite_add_tcase(s, t);
    return support_run(s);
}
