/* tests/core/test_kind_cone.c: residuals of cones by hand, agreement with fc3d, refusals. */
#include "generate_support.h"
#include "support.h"

#include <math.h>
#include <string.h>

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

/* Solve by cone/auto at 1e-12. */
static void solve_tightly(const perp_problem *p, perp_arena *a, double *z)
{
    perp_options o = *perp_find("cone/auto");
    perp_result r;
    o.tol = 1e-12;
    ck_assert_msg(!perp_solve(p, &o, a, z, NULL, &r), "%s", r.detail);
}

/* A mass m that falls on a spring k with a damper c, one step h of implicit Euler: the impulse is
 * z = -h (k (gap + h v) + c v) where that is positive, m (v - free) = z. */
START_TEST(spring_and_damper)
{
    const double h = 0.01, M[] = {2}, H[] = {1}, lo[] = {0};
    for (int i = 0; i < 40; i++) {
        double k = pow(10, i % 10), c = i % 3 ? pow(10, i % 4) : 0, gap = 0.013 * (i % 5 - 2);
        double fall = i % 7 ? -1 : 1, f[] = {M[0] * fall};
        double R[] = {1 / (h * (h * k + c))}, w[] = {k * gap / (h * k + c)}, z[2] = {0};
        perp_problem p = {.kind = PERP_KIND_CONE};
        p.as.cone = (perp_cone){.n = 1, .form = PERP_FORM_BODY, .f = f, .w = w, .lo = lo};
        p.as.cone.M = perp_dense(1, 1, M);
        p.as.cone.H = perp_dense(1, 1, H);
        p.as.cone.R = perp_dense(1, 1, R);
        perp_arena a = {0};
        solve_tightly(&p, &a, z);
        double closed = -h * (k * (gap + h * fall) + c * fall) / (1 + h * (h * k + c) / M[0]);
        if (closed < 0) closed = 0;
        ck_assert_double_eq_tol(z[0], closed, 1e-10 * (1 + closed));
        ck_assert_double_eq_tol(z[1], fall + closed / M[0], 1e-10 * (1 + closed));
        perp_arena_free(&a);
    }
}
END_TEST

/* R = size I over all rows, by columns. */
static perp_matrix make_compliance(int n, double size, perp_arena *a)
{
    int *p = perp_alloc(a, (size_t)n + 1, sizeof *p), *i = perp_alloc(a, (size_t)n, sizeof *i);
    double *x = perp_alloc(a, (size_t)n, sizeof *x);
    for (int k = 0; k < n; k++) {
        i[k] = k;
        x[k] = size;
        p[k + 1] = k + 1;
    }
    return perp_csc(n, n, p, i, x);
}

/* With a compliance that shrinks tenfold the solution comes ten times nearer to the rigid one. The
 * law is convex (s = 0) and W definite: each has one solution. */
START_TEST(compliance_to_rigid)
{
    perp_arena a = {0}, work = {0};
    generated_problem g = problem_make("cone_bodies", NULL, 4, (uint64_t)_i + 1, &a);
    perp_cone *c = &g.p.as.cone;
    int size = perp_size(&g.p);
    double *rigid = perp_alloc(&a, (size_t)size, sizeof *rigid);
    double *z = perp_alloc(&a, (size_t)size, sizeof *z), before = INFINITY;
    c->s = perp_alloc(&a, (size_t)c->n, sizeof *c->s);
    c->R = (perp_matrix){.format = PERP_FORMAT_ABSENT};
    solve_tightly(&g.p, &work, rigid);
    for (double eps = 1e-3; eps > 1e-7; eps /= 10) {
        c->R = make_compliance(c->n, eps, &a);
        solve_tightly(&g.p, &work, z);
        double far = 0, most = 0;
        for (int i = 0; i < c->n; i++) {
            far = fmax(far, fabs(z[i] - rigid[i]));
            most = fmax(most, fabs(rigid[i]));
        }
        ck_assert_double_le(far, 1e3 * eps * (1 + most));
        ck_assert_double_le(far, 0.3 * before + 1e-9);
        before = far;
    }
    perp_arena_free(&work);
    perp_arena_free(&a);
}
END_TEST

/* The body form has the solutions of the local form W = H'M^-1 H + R, and the certificate sees an
 * error in each of its parts. */
START_TEST(body_form)
{
    perp_arena a = {0};
    generated_problem g = problem_make("cone_bodies", NULL, 3, 7, &a);
    const perp_cone *c = &g.p.as.cone;
    int size = perp_size(&g.p), n = c->n, nv = c->M.m;
    ck_assert_int_eq(size, n + nv + c->G.n);
    ck_assert_double_le(certify(&g.p, g.z, PERP_SOLVED).value, 1e-13);
    double *z = perp_alloc(&a, (size_t)size, sizeof *z);
    for (int i = 0; i < size; i++) {
        for (int k = 0; k < size; k++) z[k] = g.z[k] + (k == i ? 1e-3 : 0);
        ck_assert_double_ge(certify(&g.p, z, PERP_SOLVED).value, 1e-8);
    }
    perp_problem p = g.p;
    p.as.cone.form = (perp_form)2;
    invalid(p, PERP_E_ARGUMENT, "form 2 is neither local nor body");
    p = g.p;
    p.as.cone.R = perp_dense(n + 1, n + 1, NULL);
    invalid(p, PERP_E_ARGUMENT, "R");
    p = g.p;
    p.as.cone.f = NULL;
    invalid(p, PERP_E_ARGUMENT, "f");
    p = g.p;
    double *M = perp_alloc(&a, (size_t)nv * (size_t)nv, sizeof *M);
    p.as.cone.M = perp_dense(nv, nv, M);
    perp_result r;
    ck_assert_int_eq(perp_solve(&p, NULL, &a, z, NULL, &r), PERP_E_NUMBER);
    ck_assert_msg(strstr(r.detail, "M is singular at row") != NULL, "%s", r.detail);
    perp_arena_free(&a);
}
END_TEST

/* No row at all: v = M^-1 f. */
START_TEST(bodies_alone)
{
    const double M[] = {2, 0, 0, 4}, f[] = {1, 2};
    double z[2] = {0};
    perp_problem p = {.kind = PERP_KIND_CONE};
    p.as.cone = (perp_cone){.form = PERP_FORM_BODY, .M = perp_dense(2, 2, M), .f = f};
    perp_arena a = {0};
    solve_tightly(&p, &a, z);
    ck_assert(z[0] == 0.5 && z[1] == 0.5);
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
    tcase_add_test(c, spring_and_damper);
    tcase_add_loop_test(c, compliance_to_rigid, 0, 5);
    tcase_add_test(c, body_form);
    tcase_add_test(c, bodies_alone);
    tcase_add_test(c, refusals);
    suite_add_tcase(s, c);
    return support_run(s);
}
