/* tests/cone/test_semismooth.c: a problem whose solution sticks is linear, so that the second full
 * step of Newton's method, without alpha in the end, ends it; rows without end are no matter where
 * W is sparse. */
#include "generate_support.h"
#include "support.h"

#include "perp/solvers.h"

#include <string.h>

START_TEST(linear)
{
    const int follows[] = {-1, 0, 0, -1}, group[] = {-1, 1, 1, -1};
    const double mu[] = {0, 1, 0, 0}, q[] = {-4, 0.1, 0.2, 1};
    const double W[] = {2, 0.1, 0, 0.2, 0.1, 2, 0.3, 0, 0, 0.3, 2, 0.1, 0.2, 0, 0.1, 2};
    perp_problem p = {.kind = PERP_KIND_CONE};
    p.as.cone = (perp_cone){.n = 4, .W = perp_dense(4, 4, W), .q = q, .follows = follows};
    p.as.cone.group = group;
    p.as.cone.mu = mu;
    perp_result r;
    double z[4] = {1, 0, 0, 0}, u[4];
    perp_arena a = {0};
    perp_cone_newton_options o = perp_cone_newton_defaults();
    o.base.warm_start = true;
    ck_assert_msg(perp_solve(&p, &o.base, &a, z, u, &r) == PERP_SOLVED, "%s", r.detail);
    ck_assert_int_le(r.iterations, 8);
    for (int i = 0; i < 4; i++) ck_assert_double_le(fabs(u[i]), 1e-7);
    perp_arena_free(&a);
}
END_TEST

START_TEST(sparse_and_large)
{
    enum { N = 7000 };
    static int p[N + 1], i[N];
    static double x[N], q[N], z[N];
    for (int j = 0; j < N; j++) {
        i[j] = j;
        p[j + 1] = j + 1;
        x[j] = 1;
        q[j] = -1;
    }
    perp_problem problem = {.kind = PERP_KIND_CONE};
    problem.as.cone = (perp_cone){.n = N, .W = perp_csc(N, N, p, i, x), .q = q};
    perp_result r;
    perp_arena a = {0};
    ck_assert_msg(perp_solve(&problem, perp_find("cone/newton"), &a, z, NULL, &r) == PERP_SOLVED,
                  "%s", r.detail);
    for (int j = 0; j < N; j++) ck_assert_double_eq_tol(z[j], 1, 1e-8);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cone_semismooth");
    TCase *c = tcase_create("semismooth");
    tcase_add_test(c, linear);
    tcase_add_test(c, sparse_and_large);
    suite_add_tcase(s, c);
    return support_run(s);
}
