/* tests/cone/test_interior_body.c: interior points in body form agree with those of the local form,
 * and refuse a compliance that they cannot eliminate. */
#include "generate_support.h"
#include "support.h"

#include "perp/solvers.h"

#include <string.h>

/* The solution of a convex problem with a definite W is one, whatever the form. How long the end of
 * a path takes on one of them depends on rounding, 13 to 49 steps by two factorisations. */
START_TEST(forms_agree)
{
    int steps = 0;
    for (int k = 0; k < 20; k++) {
        perp_arena a = {0};
        perp_result r;
        perp_cone_ipm_options o = perp_cone_ipm_defaults();
        o.base.tol = 1e-10;
        generated_problem g = problem_make("cone_bodies", NULL, 1 + k % 5, (uint64_t)k + 1, &a);
        perp_cone *c = &g.p.as.cone;
        int n = c->n;
        double *s = perp_alloc(&a, (size_t)n, sizeof *s);
        c->s = s; /* convex */
        size_t size = (size_t)perp_size(&g.p);
        double *z = perp_alloc(&a, size, sizeof *z), *other = perp_alloc(&a, size, sizeof *z);
        perp_status status = perp_solve(&g.p, &o.base, &a, z, NULL, &r);
        ck_assert_msg(status == PERP_SOLVED, "%d: %s", k, r.detail);
        steps += r.iterations;
        status = perp_solve(&g.p, perp_find("cone/auto"), &a, other, NULL, &r);
        ck_assert_msg(status == PERP_SOLVED, "%d: %s", k, r.detail);
        for (size_t i = (size_t)n; i < (size_t)(n + c->M.n); i++)
            ck_assert_double_eq_tol(z[i], other[i], 1e-5 * (1 + fabs(z[i]))); /* v is unique */
        perp_arena_free(&a);
    }
    ck_assert_int_le(steps, 20 * 30);
}
END_TEST

/* A cone and a free row over two velocities: by hand. v = f + z, u = v + w. */
START_TEST(by_hand)
{
    const double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, f[3] = {-1, 0.2, 5};
    const int follows[3] = {-1, 0, -1};
    const double mu[3] = {0, 0.5, 0}, s[3] = {0}, lo[3] = {0, -INFINITY, -INFINITY};
    perp_arena a = {0};
    perp_result r;
    perp_problem p = {.kind = PERP_KIND_CONE};
    perp_matrix I = perp_dense(3, 3, M);
    p.as.cone = (perp_cone){.n = 3, .form = PERP_FORM_BODY, .M = I, .H = I, .f = f};
    p.as.cone.follows = follows;
    p.as.cone.mu = mu;
    p.as.cone.s = s;
    p.as.cone.lo = lo;
    double z[6];
    ck_assert_int_eq(perp_solve(&p, perp_find("cone/ipm"), &a, z, NULL, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(z[0], 1, 1e-7);
    ck_assert_double_eq_tol(z[1], -0.2, 1e-7);
    ck_assert_double_eq_tol(z[2], -5, 1e-7); /* the free row stops its velocity */
    ck_assert_double_eq_tol(z[5], 0, 1e-7);
    perp_arena_free(&a);
}
END_TEST

START_TEST(coupled_compliance)
{
    const double M[4] = {1, 0, 0, 1}, f[2] = {-1, -1}, R[4] = {1, 0.5, 0.5, 1}, lo[2] = {0};
    perp_arena a = {0};
    perp_result r;
    perp_problem p = {.kind = PERP_KIND_CONE};
    perp_matrix I = perp_dense(2, 2, M);
    p.as.cone = (perp_cone){.n = 2, .form = PERP_FORM_BODY, .M = I, .H = I, .f = f, .lo = lo};
    p.as.cone.R = perp_dense(2, 2, R);
    double z[4] = {0};
    ck_assert_int_eq(perp_solve(&p, perp_find("cone/ipm"), &a, z, NULL, &r), PERP_E_FORMAT);
    ck_assert_msg(strstr(r.detail, "R[1][0]"), "%s", r.detail);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("interior_body");
    TCase *c = tcase_create("interior_body");
    tcase_add_test(c, forms_agree);
    tcase_add_test(c, by_hand);
    tcase_add_test(c, coupled_compliance);
    suite_add_tcase(s, c);
    return support_run(s);
}
