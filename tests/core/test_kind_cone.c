/* tests/core/test_kind_cone.c: residuals of cones by hand, agreement with fc3d, refusals. */
#include "generate_support.h"
#include "support.h"

#include <math.h>

static const double I3[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* A plane contact and a row of its own. */
static perp_problem make_plane(const double *q)
{
    static const int follows[] = {-1, 0, -1};
    static const double mu[] = {0, 0.5, 0};
    perp_problem p = {.kind = PERP_KIND_CONE};
    p.as.cone = (perp_cone){.n = 3, .W = perp_dense(3, 3, I3), .q = q, .follows = follows};
    p.as.cone.mu = mu;
    return p;
}

START_TEST(by_hand)
{
    const double q[] = {-1, 2, 3}, z[] = {1, -0.5, -3}, off[] = {1, -0.5, -2.5};
    perp_problem p = make_plane(q);
    ck_assert_double_le(certify(&p, z, PERP_SOLVED).value, 1e-16);
    perp_residual r = certify(&p, off, PERP_SOLVED);
    ck_assert_double_eq_tol(r.natural, 0.5 / sqrt(14), 1e-15);
    const double out[] = {1, -1.5, -3};
    r = certify(&p, out, PERP_SOLVED);
    ck_assert_double_eq_tol(r.primal, 1, 1e-15);
}
END_TEST

/* With s = 0 the normal velocity is mu |u_t|, not 0. */
START_TEST(convex)
{
    const double q[] = {-1, 2, 0}, s[] = {0, 0, 0};
    perp_problem p = make_plane(q);
    p.as.cone.s = s;
    /* slide: z = n (1, -0.5), u = (n - 1, 2 - n / 2), u_n = 0.5 u_t: n - 1 = 1 - n / 4 */
    const double z[] = {1.6, -0.8, 0};
    ck_assert_double_le(certify(&p, z, PERP_SOLVED).value, 1e-15);
}
END_TEST

START_TEST(ball)
{
    static const int group[] = {0, 0, -1};
    const double q[] = {-3, -4, 1}, hi[] = {2, 0, INFINITY}, lo[] = {-2, 0, -INFINITY};
    perp_problem p = {.kind = PERP_KIND_CONE};
    p.as.cone = (perp_cone){.n = 3, .W = perp_dense(3, 3, I3), .q = q, .group = group};
    p.as.cone.hi = hi;
    p.as.cone.lo = lo;
    const double z[] = {1.2, 1.6, -1};
    ck_assert_double_le(certify(&p, z, PERP_SOLVED).value, 1e-15);
    const double none[] = {INFINITY, 0, 0};
    p.as.cone.hi = none;
    invalid(p, PERP_E_ARGUMENT, "the radius of a ball");
    p.as.cone.hi = hi;
    const double inside[] = {0.6, 0.8, -1};
    ck_assert_double_eq_tol(certify(&p, inside, PERP_SOLVED).natural, 1 / sqrt(26), 1e-15);
}
END_TEST

/* The same residual as that of an fc3d, at any z. */
START_TEST(as_fc3d)
{
    perp_arena a = {0};
    generated_problem g = problem_make("fc3d_known", NULL, 6, 1, &a);
    const perp_fc3d *f = &g.p.as.fc3d;
    int follows[18], group[18];
    double mu[18], z[18];
    for (int i = 0; i < 18; i++) {
        follows[i] = i % 3 ? i - i % 3 : -1;
        group[i] = i % 3 ? i - i % 3 + 1 : -1;
        mu[i] = f->mu[i / 3];
        z[i] = g.z[i];
    }
    perp_problem p = {.kind = PERP_KIND_CONE};
    p.as.cone = (perp_cone){.n = 18, .W = f->W, .q = f->q, .follows = follows, .group = group};
    p.as.cone.mu = mu;
    generator random = generator_start(3);
    for (int k = 0; k < 50; k++) {
        perp_residual one = certify(&g.p, z, PERP_SOLVED), other = certify(&p, z, PERP_SOLVED);
        double size = 1e-13 * (1 + one.value);
        ck_assert_double_eq_tol(one.natural, other.natural, size);
        ck_assert_double_eq_tol(one.units, other.units, size);
        ck_assert_double_eq_tol(one.primal, other.primal, size);
        ck_assert_double_eq_tol(one.dual, other.dual, 10 * size);
        for (int i = 0; i < 18; i++) z[i] = g.z[i] + pow(10, -k % 9) * generator_uniform(&random);
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(refusals)
{
    const double q[] = {-1, 2, 3};
    const int itself[] = {0, -1, -1}, chain[] = {-1, 0, 1}, far[] = {-1, 3, -1};
    const int later[] = {-1, 2, 2}, other[] = {-1, 1, 1};
    const double large[] = {0, 0.6, 0}, negative[] = {0, -1, 0}, open[] = {0, NAN, 0};
    perp_problem p = make_plane(q);
    p.as.cone.s = large;
    invalid(p, PERP_E_ARGUMENT, "s[1] = 0.6");
    p.as.cone.s = open;
    invalid(p, PERP_E_NUMBER, "s[1]");
    p = make_plane(q);
    p.as.cone.mu = negative;
    invalid(p, PERP_E_ARGUMENT, "mu[1] = -1");
    p.as.cone.mu = open;
    invalid(p, PERP_E_NUMBER, "mu[1]");
    p.as.cone.mu = NULL;
    invalid(p, PERP_E_ARGUMENT, "mu must not be NULL");
    p = make_plane(q);
    p.as.cone.follows = itself;
    invalid(p, PERP_E_ARGUMENT, "points at itself");
    p.as.cone.follows = chain;
    invalid(p, PERP_E_ARGUMENT, "follows another");
    p.as.cone.follows = far;
    invalid(p, PERP_E_ARGUMENT, "findex[1] = 3");
    p = make_plane(q);
    p.as.cone.group = later;
    invalid(p, PERP_E_ARGUMENT, "group[1] = 2");
    p.as.cone.group = other;
    invalid(p, PERP_E_ARGUMENT, "rows 1 and 2 of one group");
    p = make_plane(q);
    p.as.cone.n = -1;
    invalid(p, PERP_E_ARGUMENT, "n = -1");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("kind_cone");
    TCase *c = tcase_create("cone");
    tcase_add_test(c, by_hand);
    tcase_add_test(c, convex);
    tcase_add_test(c, ball);
    tcase_add_test(c, as_fc3d);
    tcase_add_test(c, refusals);
    suite_add_tcase(s, c);
    return support_run(s);
}
