/* tests/cone/test_system.c: the scaled problem is the same problem: sweeps of a problem whose rows
 * are in other units take as many and end at the same z, in those units. */
#include "generate_support.h"
#include "support.h"

#include "perp/solvers.h"

#include <stdlib.h>

START_TEST(units_do_not_matter)
{
    perp_arena a = {0};
    perp_result r, other;
    perp_cone_nsgs_options o = perp_cone_nsgs_defaults();
    generated_problem g = problem_make("cone_convex", NULL, 5, 7, &a);
    perp_cone *c = &g.p.as.cone;
    size_t n = (size_t)c->n;
    double *z = perp_alloc(&a, n, sizeof *z), *y = perp_alloc(&a, n, sizeof *y);
    double *W = perp_alloc(&a, n * n, sizeof *W), *q = perp_alloc(&a, n, sizeof *q);
    double *mu = perp_alloc(&a, n, sizeof *mu);
    for (size_t i = 0; i < n; i++) ((double *)c->W.as.dense.x)[i * n + i] += 1; /* one solution */
    o.base.tol = 1e-12;
    ck_assert_int_eq(perp_solve(&g.p, &o.base, &a, z, NULL, &r), PERP_SOLVED);
    /* Tangents in units 1024 times as large. */
    for (size_t j = 0; j < n; j++) {
        double S = c->follows[j] >= 0 ? 1024 : 1;
        q[j] = S * c->q[j];
        mu[j] = c->mu[j] / 1024;
        for (size_t i = 0; i < n; i++) {
            W[j * n + i] = (c->follows[i] >= 0 ? 1024 : 1) * S * c->W.as.dense.x[j * n + i];
        }
    }
    c->W = perp_dense(c->n, c->n, W);
    c->q = q;
    c->mu = mu;
    ck_assert_int_eq(perp_solve(&g.p, &o.base, &a, y, NULL, &other), PERP_SOLVED);
    ck_assert_int_le(abs(r.iterations - other.iterations), 3); /* the residual has units */
    for (size_t i = 0; i < n; i++) {
        double S = c->follows[i] >= 0 ? 1024 : 1;
        ck_assert_double_eq_tol(S * y[i], z[i], 1e-9 * (1 + fabs(z[i])));
    }
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cone_system");
    TCase *c = tcase_create("system");
    tcase_add_test(c, units_do_not_matter);
    suite_add_tcase(s, c);
    return support_run(s);
}
