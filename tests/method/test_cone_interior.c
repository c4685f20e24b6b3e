/* tests/method/test_cone_interior.c: steps of interior points. */
#include "interior_support.h"
#include "method/lorentz.h"

/* |x o y - target| and |F'y - u - (lag) n| after a small part of a step fall as their linear parts
 * say; x stays F z + h. */
START_TEST(newton_steps)
{
    perp_arena a = {0};
    for (int k = 0; k < 20; k++) {
        generator g = generator_start((uint64_t)k + 50);
        perp_cone c = make_cone(&g, true);
        perp_cone_set set;
        system_of w;
        perp_interior t;
        double before[N], lag[N], most = 0, part = 1e-5;
        ck_assert(perp_cone_set_open(&set, &a, &c));
        draw(&w, &g);
        w.set = &set;
        perp_interior_equations e = equations(&w, false);
        ck_assert(perp_interior_open(&t, &a, &set, &e));
        t.lags = k % 2;
        wander(&t);
        double kappa = k % 2 ? 0.6 : 1, mean = t.mean;
        ck_assert(perp_interior_factor(&t, kappa) && perp_interior_direct(&t, 0.5, false));
        memcpy(before, t.g, sizeof before);
        memcpy(lag, t.lag, (size_t)t.parts * sizeof *lag);
        for (int i = 0; i < N; i++) most = fmax(most, fabs(t.g[i]));
        perp_interior_advance(&t, part);
        perp_interior_measure(&t);
        for (int i = 0; i < N; i++) {
            if (!t.fixed[i])
                ck_assert_double_le(fabs(t.g[i] - (1 - part) * before[i]), 1e-7 * (1 + most));
        }
        ck_assert_double_le(fabs(t.mean - (1 - 0.5 * part) * mean), 1e-7 * mean);
        for (int p = 0; p < t.parts; p++) {
            const perp_interior_part *q = &t.part[p];
            const int *row = set.row + set.block[q->block].first;
            double head = q->scale * t.z[row[q->head]] + q->shift;
            ck_assert_double_le(fabs(t.x[q->at] - head), 1e-12 * (1 + fabs(head)));
        }
    }
    perp_arena_free(&a);
}
END_TEST

/* The algebra in other dimensions than fc3d's, whose test is in tests/fc3d/test_ipm.c. */
START_TEST(algebra)
{
    generator g = generator_start(3);
    for (int k = 0; k < 400; k++) {
        int n = 1 + k % 6;
        double x[6], y[6], d[6], a[6], b[6], w[6], root;
        for (int i = 0; i < n; i++) {
            x[i] = generator_uniform(&g);
            y[i] = generator_uniform(&g);
            d[i] = 2 * generator_uniform(&g);
        }
        x[0] = sqrt(lorentz_tail(n, x)) + 0.1;
        y[0] = sqrt(lorentz_tail(n, y)) + 0.1;
        ck_assert(lorentz_scale(n, x, y, &root, w));
        lorentz_apply(n, root, w, 0, x, a);
        lorentz_apply(n, root, w, 1, y, b);
        for (int i = 0; i < n; i++) ck_assert_double_eq_tol(a[i], b[i], 1e-12);
        lorentz_product(n, x, d, a);
        lorentz_divide(n, x, a, b);
        for (int i = 0; i < n; i++) ck_assert_double_eq_tol(b[i], d[i], 1e-10);
        double t = lorentz_step(n, x, d, 2);
        for (int i = 0; i < n; i++) a[i] = x[i] + t * d[i];
        ck_assert_double_ge(a[0] - sqrt(lorentz_tail(n, a)), -1e-12);
        ck_assert(t == 2 || fabs(lorentz_det(n, a)) < 1e-10);
    }
}
END_TEST

int main(void)
{
    Suite *u = suite_create("cone_interior");
    TCase *c = tcase_create("cone_interior");
    tcase_add_test(c, newton_steps);
    tcase_add_test(c, algebra);
    suite_add_tcase(u, c);
    return support_run(u);
}
