/* tests/qp/test_lawson_hanson.c: active sets with an updated QR, by hand, where A'A would have lost
 * everything, and with columns that leave. tests/core/test_registry_nnls.c has the rest. */
#include "generate_support.h"

/* The first column is at the smallest angle to b and joins first; the other two join, and it
 * leaves: x = (0, t, t) with t = 2 / 4.04. */
START_TEST(hand_worked)
{
    const double A[] = {0, 0.5, 1, 1, 0.1, 1, -1, 0.1, 1}, b[] = {0, 0, 1};
    const double x[] = {0, 2 / 4.04, 2 / 4.04};
    perp_problem p = perp_make_nnls(perp_dense(3, 3, A), b);
    perp_result r;
    double z[3], w[3];
    ck_assert(!solve_checked(&p, perp_find("nnls/lawson_hanson"), z, w, &r));
    ck_assert_double_lt(difference(3, z, x), 1e-15);
    ck_assert(fabs(w[0] - (2.1 * x[1] - 1)) < 1e-15 && fabs(w[1]) < 1e-15);
}
END_TEST

/* Hilbert's matrix of 12: its condition is 1e16, that of A'A beyond all reason. */
START_TEST(hilbert)
{
    enum { N = 12 };
    double A[N * N], b[N] = {0}, z[N];
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) A[j * N + i] = 1. / (i + j + 1);
    }
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) b[i] += A[j * N + i];
    }
    perp_problem p = perp_make_nnls(perp_dense(N, N, A), b);
    perp_plain_options o = perp_nnls_lawson_hanson_defaults();
    perp_result r;
    o.base.tol = 1e-14;
    ck_assert_msg(!solve_checked(&p, &o.base, z, NULL, &r), "%s: %g", r.detail, r.residual.value);
    for (int j = 0; j < N; j++) ck_assert(z[j] >= 0);
}
END_TEST

/* b is a sum of some columns of Hilbert's matrix, so that |A x - b| is 0 for one x. The slopes that
 * lead to it are below the rounding of b - A x, and are exact where that is made orthogonal. */
START_TEST(exact_fit_of_hilbert)
{
    enum { N = 10 };
    double A[N * N], b[N], r[N], z[N];
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) A[j * N + i] = 1. / (i + j + 1);
    }
    for (int some = 1; some <= 7; some++) {
        double size = 0, norm = 0;
        perp_result result;
        for (int i = 0; i < N; i++) {
            b[i] = 0;
            for (int j = 0; j < N; j++) b[i] += (j + 1) * some % 8 < 4 ? A[j * N + i] : 0;
        }
        perp_problem p = perp_make_nnls(perp_dense(N, N, A), b);
        ck_assert(!solve_checked(&p, perp_find("nnls/lawson_hanson"), z, NULL, &result));
        for (int i = 0; i < N; i++) {
            r[i] = b[i];
            for (int j = 0; j < N; j++) r[i] -= A[j * N + i] * z[j];
            size += b[i] * b[i];
            norm += r[i] * r[i];
        }
        ck_assert_msg(norm <= 1e-28 * size, "%d: %g", some, sqrt(norm / size));
    }
}
END_TEST

/* More columns than the first room of Q has, many of which leave. */
START_TEST(room_grows)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        perp_arena a = {0};
        double x[200], z[200];
        perp_result r;
        generated_problem g = problem_make("nnls_random", NULL, 200, seed, &a);
        ck_assert(!solve_checked(&g.p, perp_find("nnls/lawson_hanson"), z, NULL, &r));
        ck_assert_double_lt(difference(200, z, g.z), 1e-10);
        ck_assert_double_lt(r.residual.value, 1e-13);
        ck_assert(!solve_checked(&g.p, perp_find("nnls/wilhelmsen"), x, NULL, &r));
        ck_assert_double_lt(difference(200, z, x), 1e-10);
        perp_arena_free(&a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp_lawson_hanson");
    TCase *t = tcase_create("qp_lawson_hanson");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, hilbert);
    tcase_add_test(t, exact_fit_of_hilbert);
    tcase_add_test(t, room_grows);
    suite_add_tcase(s, t);
    return support_run(s);
}
