/* tests/core/test_kind_fc3d.c: the cone's projection, and contacts worked by hand in both forms. */
#include "core/internal.h"
#include "method/cone.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* Moreau: P in K, x - P in the polar cone, and the two at right angles. */
START_TEST(projection_is_nearest)
{
    generator g = generator_start(11);
    for (int k = 0; k < 20000; k++) {
        double mu = k % 7 == 0 ? 0 : pow(10, 3 * generator_uniform(&g)), P[3];
        double scale = pow(10, 120 * generator_uniform(&g));
        double x[3] = {scale * generator_uniform(&g), scale * generator_uniform(&g),
                       k % 5 == 0 ? 0 : scale * generator_uniform(&g)};
        bool inside = perp_cone_project(mu, x, P);
        double d[3] = {x[0] - P[0], x[1] - P[1], x[2] - P[2]}, eps = 1e-15 * scale;
        double t = hypot(P[1], P[2]), dt = hypot(d[1], d[2]);
        ck_assert_double_ge(P[0], 0);
        ck_assert_double_le(t - mu * P[0], 4 * eps * (1 + mu));
        ck_assert_double_le(mu * dt + d[0], 4 * eps * (1 + mu));
        double product = P[0] / scale * d[0] + P[1] / scale * d[1] + P[2] / scale * d[2];
        ck_assert_double_le(fabs(product), 4 * eps);
        ck_assert(inside == (memcmp(P, x, sizeof P) == 0));
        double again[3] = {x[0], x[1], x[2]};
        perp_cone_project(mu, again, again); /* in place */
        ck_assert_mem_eq(again, P, sizeof P);
    }
}
END_TEST

START_TEST(projection_at_the_edges)
{
    const struct {
        double mu, x[3], P[3];
    } t[] = {
        {0, {-1, 0, 0}, {0, 0, 0}},
        {0, {2, 3, 4}, {2, 0, 0}},
        {0, {-2, 3, 4}, {0, 0, 0}},
        {0, {0, 0, 0}, {0, 0, 0}},
        {1, {0, 0, 0}, {0, 0, 0}},
        {1, {-3, 0, 0}, {0, 0, 0}},
        {1, {3, 0, 0}, {3, 0, 0}},
        {1, {0, 2, 0}, {1, 1, 0}},
        {0.75, {0, 0, -1}, {.48, 0, -.36}},
        {2, {-2, 1, 0}, {0, 0, 0}},
        {1e200, {1, 3, 4}, {1, 3, 4}},
        {1e200, {-1, 3, 4}, {5e-200, 3, 4}},
        {1, {0, 2e300, 0}, {1e300, 1e300, 0}},
        {1, {0, 2e-300, 0}, {1e-300, 1e-300, 0}},
        {1, {0, 0, 2e-200}, {1e-200, 0, 1e-200}},
        {0.5, {1e308, 1e308, 0}, {1.2e308, 6e307, 0}},
    };
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        double P[3];
        perp_cone_project(t[k].mu, t[k].x, P);
        for (int i = 0; i < 3; i++) {
            ck_assert_double_le(fabs(P[i] - t[k].P[i]), 4 * DBL_EPSILON * fabs(t[k].P[i]));
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int sign = -1; sign <= 1; sign++) {
            double x[3] = {sign, 0.5, 0.5}, P[3];
            x[i] = NAN;
            ck_assert(!perp_cone_project(0.7, x, P));
            ck_assert(isnan(P[0] + P[1] + P[2]));
        }
    }
}
END_TEST

static const double I3[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* W = I: r_n = max(-q_n, 0), and r_t = -q_t cut to mu r_n. */
START_TEST(one_contact)
{
    const double mu = 0.5;
    const struct {
        double q[3], r[3];
    } t[] = {
        {{1, 0.3, 0}, {0, 0, 0}},          /* take-off */
        {{-1, 0.1, 0.2}, {1, -0.1, -0.2}}, /* stick */
        {{-1, 2, 0}, {1, -0.5, 0}},        /* slip: u = (0, 1.5, 0) */
        {{-2, -3, -4}, {2, 0.6, 0.8}},     /* slip: u = (0, -2.4, -3.2) */
        {{0, 1, 0}, {0, 0, 0}},            /* grazing */
    };
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        perp_problem p = perp_make_fc3d(1, perp_dense(3, 3, I3), t[k].q, &mu);
        perp_residual r = certify(&p, t[k].r, PERP_SOLVED);
        ck_assert_double_le(r.value, 1e-15);
        ck_assert_double_le(r.primal + r.dual + r.complementarity, 1e-15);
        for (int i = 0; i < 3; i++) {
            for (int sign = -1; sign <= 1; sign += 2) {
                double z[3];
                memcpy(z, t[k].r, sizeof z);
                z[i] += 1e-6 * sign;
                double value = certify(&p, z, PERP_SOLVED).value;
                ck_assert_double_gt(value, 1e-8);
                z[i] = sign > 0 ? NAN : INFINITY;
                ck_assert(isinf(certify(&p, z, PERP_E_NUMBER).value));
            }
        }
    }
}
END_TEST

START_TEST(violations)
{
    const double mu = 0.5, q[] = {-3, 4, 0};
    perp_problem p = perp_make_fc3d(1, perp_dense(3, 3, I3), q, &mu);
    const double zero[3] = {0}; /* u = (-3, 4, 0): penetrating; v = (-1, 4, 0) */
    perp_residual r = certify(&p, zero, PERP_SOLVED);
    ck_assert_double_eq(r.primal, 0);
    ck_assert_double_eq(r.dual, 3);
    /* -v = (1, -4, 0), P: s = (1 + 0.5 * 4) / 1.25 = 2.4, P = (2.4, -1.2, 0) */
    ck_assert_double_eq_tol(r.absolute, hypot(2.4, 1.2), 1e-14);
    ck_assert_double_eq_tol(r.value, hypot(2.4, 1.2) / 5, 1e-14);
    const double out[] = {1, 0, 2}, below[] = {-4, 0, 0};
    ck_assert_double_eq(certify(&p, out, PERP_SOLVED).primal, 1.5);
    ck_assert_double_eq(certify(&p, below, PERP_SOLVED).primal, 4);
    /* r = (3, 0, 0): u = (0, 4, 0), v = (2, 4, 0): r . v = 6, slipping without friction */
    const double smooth[] = {3, 0, 0};
    r = certify(&p, smooth, PERP_SOLVED);
    ck_assert_double_eq(r.primal + r.dual, 0);
    ck_assert_double_eq(r.complementarity, 6);
    ck_assert_double_gt(r.value, 0.1);
}
END_TEST

/* r - P_K(r - v) by the textbook formula. */
static double naive_contact(double mu, const double *r, const double *u)
{
    double ut = sqrt(u[1] * u[1] + u[2] * u[2]);
    double x[3] = {r[0] - u[0] - mu * ut, r[1] - u[1], r[2] - u[2]}, P[3] = {x[0], x[1], x[2]};
    double xt = sqrt(x[1] * x[1] + x[2] * x[2]);
    if (mu * xt <= -x[0]) {
        P[0] = P[1] = P[2] = 0;
    } else if (xt > mu * x[0]) {
        double s = (x[0] + mu * xt) / (1 + mu * mu);
        P[0] = s;
        P[1] = mu * s * x[1] / xt;
        P[2] = mu * s * x[2] / xt;
    }
    double sum = 0;
    for (int i = 0; i < 3; i++) sum += (r[i] - P[i]) * (r[i] - P[i]);
    return sum;
}

START_TEST(naive_local)
{
    enum { C = 3, N = 3 * C };
    generator g = generator_start((uint64_t)_i + 40);
    double W[N * N], q[N], r[N], u[N], mu[C], sum = 0;
    for (int k = 0; k < N * N; k++) W[k] = generator_uniform(&g);
    for (int i = 0; i < N; i++) {
        q[i] = generator_uniform(&g);
        r[i] = generator_uniform(&g);
    }
    for (int k = 0; k < C; k++) mu[k] = k == 0 ? 0 : generator_unit(&g);
    for (int i = 0; i < N; i++) {
        u[i] = q[i];
        for (int j = 0; j < N; j++) u[i] += W[j * N + i] * r[j];
    }
    for (int k = 0; k < C; k++) sum += naive_contact(mu[k], r + 3 * k, u + 3 * k);
    perp_matrix D = perp_dense(N, N, W);
    perp_arena a = {0};
    perp_problem p = perp_make_fc3d(C, D, q, mu);
    perp_problem b = perp_make_fc3d(C, in_format(2, &D, &a), q, mu);
    ck_assert_double_eq_tol(certify(&p, r, PERP_SOLVED).absolute, sqrt(sum), 1e-13);
    ck_assert_double_eq_tol(certify(&p, r, PERP_SOLVED).value, sqrt(sum) / plain_norm(N, q), 1e-13);
    ck_assert_double_eq_tol(certify(&b, r, PERP_SOLVED).value, sqrt(sum) / plain_norm(N, q), 1e-13);
    perp_arena_free(&a);
}
END_TEST

/* A body of mass 2 slides along t1; the joint G = e3 holds its velocity along t2. f = (-2, 4, 0.6):
 * r = (2, -1, 0), v = (0, 1.5, 0), l = -0.6. */
static const double mass[] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, joint[] = {0, 0, 1};
static const double force[] = {-2, 4, 0.6}, friction[] = {0.5};
static const double slide[] = {2, -1, 0, 0, 1.5, 0, -0.6};

static perp_problem sliding_body(void)
{
    perp_problem p = {.kind = PERP_KIND_FC3D};
    p.as.fc3d = (perp_fc3d){.contacts = 1,
                            .form = PERP_FORM_BODY,
                            .mu = friction,
                            .M = perp_dense(3, 3, mass),
                            .H = perp_dense(3, 3, I3),
                            .G = perp_dense(3, 1, joint),
                            .f = force};
    return p;
}

START_TEST(body_by_hand)
{
    perp_problem p = sliding_body();
    ck_assert_int_eq(perp_size(&p), 7);
    perp_residual r = certify(&p, slide, PERP_SOLVED);
    ck_assert_double_le(r.value, 1e-15);
    for (int i = 0; i < 7; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            double z[7];
            memcpy(z, slide, sizeof z);
            z[i] += 1e-6 * sign;
            ck_assert_double_gt(certify(&p, z, PERP_SOLVED).value, 1e-8);
            z[i] = NAN;
            ck_assert(isinf(certify(&p, z, PERP_E_NUMBER).value));
        }
    }
    /* The joint in its file's form: b moves the velocity it asks for. */
    const double b[] = {-0.25}, w[] = {0, 0, -0.25}, moving[] = {2, -1, 0, 0, 1.5, 0.25, -0.1};
    p.as.fc3d.b = b;
    ck_assert_double_gt(certify(&p, slide, PERP_SOLVED).dual, 0.2);
    p.as.fc3d.w = w; /* the plane moves along: u = (0, 1.5, 0) */
    ck_assert_double_le(certify(&p, moving, PERP_SOLVED).value, 1e-15);
}
END_TEST

/* Without the joint: stick and take-off. */
START_TEST(body_without_joint)
{
    perp_problem p = sliding_body();
    p.as.fc3d.G = (perp_matrix){0};
    ck_assert_int_eq(perp_size(&p), 6);
    const double weight[] = {-2, 0.5, 0.5}, stick[] = {2, -0.5, -0.5, 0, 0, 0};
    const double lift[] = {2, 1, 0}, fly[] = {0, 0, 0, 1, 0.5, 0};
    p.as.fc3d.f = weight;
    ck_assert_double_le(certify(&p, stick, PERP_SOLVED).value, 1e-15);
    p.as.fc3d.f = lift;
    ck_assert_double_le(certify(&p, fly, PERP_SOLVED).value, 1e-15);
    ck_assert_double_gt(certify(&p, stick, PERP_SOLVED).value, 0.1);
    const double wrong[] = {0, 0, 0, 1, 0.5, 0.5}; /* the cone is fine, the equation is not */
    perp_residual r = certify(&p, wrong, PERP_SOLVED);
    ck_assert_double_eq(r.dual, 1);
    ck_assert_double_eq_tol(r.value, 1 / sqrt(5), 1e-15);
    ck_assert_double_eq_tol(r.absolute, 1, 1e-15);
}
END_TEST

static void diagonal_mul(void *ctx, double a, const double *x, double b, double *y)
{
    const double *d = ctx;
    for (int i = 0; i < 6; i++) y[i] = a * d[i] * x[i] + (b == 0 ? 0 : b * y[i]);
}

/* All matrices full, every format of M, against loops. */
START_TEST(naive_body)
{
    enum { C = 2, N = 6, V = 6, L = 2 };
    generator g = generator_start((uint64_t)_i + 70);
    double M[V * V], H[V * N], G[V * L], f[V], w[N], b[L], mu[C], z[N + V + L];
    for (int k = 0; k < V * V; k++) M[k] = generator_uniform(&g) + (k % (V + 1) == 0 ? 4 : 0);
    for (int k = 0; k < V * N; k++) H[k] = generator_uniform(&g);
    for (int k = 0; k < V * L; k++) G[k] = generator_uniform(&g);
    for (int k = 0; k < V; k++) f[k] = generator_uniform(&g);
    for (int k = 0; k < N; k++) w[k] = generator_uniform(&g);
    for (int k = 0; k < L; k++) b[k] = generator_uniform(&g);
    for (int k = 0; k < C; k++) mu[k] = generator_unit(&g);
    for (int k = 0; k < N + V + L; k++) z[k] = generator_uniform(&g);
    double u[N], q[N], e[V], h[L], moved[L], cone = 0;
    const double *v = z + N, *l = v + V;
    for (int j = 0; j < N; j++) {
        u[j] = q[j] = w[j];
        for (int i = 0; i < V; i++) {
            u[j] += H[j * V + i] * v[i];
            q[j] += H[j * V + i] * f[i] / M[i * V + i];
        }
    }
    for (int i = 0; i < V; i++) {
        e[i] = -f[i];
        for (int j = 0; j < V; j++) e[i] += M[j * V + i] * v[j];
        for (int j = 0; j < N; j++) e[i] -= H[j * V + i] * z[j];
        for (int j = 0; j < L; j++) e[i] -= G[j * V + i] * l[j];
    }
    for (int j = 0; j < L; j++) {
        h[j] = b[j];
        moved[j] = 0;
        for (int i = 0; i < V; i++) {
            h[j] += G[j * V + i] * v[i];
            moved[j] += G[j * V + i] * f[i] / M[i * V + i];
        }
    }
    for (int k = 0; k < C; k++) cone += naive_contact(mu[k], z + 3 * k, u + 3 * k);
    double absolute = sqrt(cone) + plain_norm(V, e) + plain_norm(L, h);
    double value = sqrt(cone) / plain_norm(N, q) + plain_norm(V, e) / plain_norm(V, f) +
                   plain_norm(L, h) / (plain_norm(L, moved) + plain_norm(L, b));
    perp_arena a = {0};
    perp_matrix D = perp_dense(V, V, M);
    for (int k = 0; k < 3; k++) { /* an operator shows no diagonal: another scale */
        perp_problem p = {.kind = PERP_KIND_FC3D};
        p.as.fc3d =
            (perp_fc3d){.contacts = C, .form = PERP_FORM_BODY, .mu = mu, .f = f, .w = w, .b = b};
        p.as.fc3d.M = in_format(k, &D, &a);
        p.as.fc3d.H = perp_dense(V, N, H);
        p.as.fc3d.G = perp_dense(V, L, G);
        perp_residual r = certify(&p, z, PERP_SOLVED);
        ck_assert_double_eq_tol(r.value, value, 1e-12);
        ck_assert_double_eq_tol(r.absolute, absolute, 1e-12);
    }
    perp_arena_free(&a);
}
END_TEST

/* An operator M shows no diagonal: f'M f / f'f stands for it, exact for a multiple of I. */
START_TEST(operator_mass)
{
    const double d[] = {3, 3, 3, 3, 3, 3}, full[] = {0.5, -1, 2, 1, 0, -1};
    double H[36] = {0}, z[12] = {1, 0, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1}, M[36] = {0};
    const double mu[] = {0.3, 0.3};
    for (int i = 0; i < 6; i++) {
        H[7 * i] = 1;
        M[7 * i] = 3;
    }
    perp_problem p = {.kind = PERP_KIND_FC3D};
    p.as.fc3d = (perp_fc3d){.contacts = 2, .form = PERP_FORM_BODY, .mu = mu, .f = full};
    p.as.fc3d.H = perp_dense(6, 6, H);
    p.as.fc3d.M = perp_dense(6, 6, M);
    double expected = certify(&p, z, PERP_SOLVED).value;
    p.as.fc3d.M = (perp_matrix){.format = PERP_FORMAT_OPERATOR, .m = 6, .n = 6};
    p.as.fc3d.M.as.op =
        (struct perp_operator){.mul = diagonal_mul, .mul_t = diagonal_mul, .ctx = (void *)d};
    ck_assert_double_eq_tol(certify(&p, z, PERP_SOLVED).value, expected, 1e-14);
}
END_TEST

START_TEST(refusals)
{
    const double mu[] = {0.5}, nan_mu[] = {NAN}, less[] = {-0.5}, q[] = {1, 2, INFINITY};
    perp_matrix W = perp_dense(3, 3, I3);
    invalid(perp_make_fc3d(-1, W, q, mu), PERP_E_ARGUMENT, "contacts = -1");
    invalid(perp_make_fc3d(INT_MAX / 2, W, q, mu), PERP_E_ARGUMENT, "too many");
    invalid(perp_make_fc3d(1, W, force, NULL), PERP_E_ARGUMENT, "mu");
    invalid(perp_make_fc3d(1, W, force, nan_mu), PERP_E_NUMBER, "contact 0");
    invalid(perp_make_fc3d(1, W, force, less), PERP_E_ARGUMENT, "contact 0");
    const double zeros[36] = {0}, second[] = {0.5, INFINITY};
    invalid(perp_make_fc3d(2, perp_dense(6, 6, zeros), zeros, second), PERP_E_NUMBER, "contact 1");
    invalid(perp_make_fc3d(1, perp_dense(2, 2, I3), force, mu), PERP_E_ARGUMENT, "W");
    invalid(perp_make_fc3d(1, W, NULL, mu), PERP_E_ARGUMENT, "q");
    invalid(perp_make_fc3d(1, W, q, mu), PERP_E_NUMBER, "q[2]");
    perp_problem p = sliding_body();
    p.as.fc3d.form = (perp_form)7;
    invalid(p, PERP_E_ARGUMENT, "form 7");
    ck_assert_int_eq(perp_size(&p), -1);
    p = sliding_body();
    p.as.fc3d.M = (perp_matrix){0};
    invalid(p, PERP_E_ARGUMENT, "M");
    p = sliding_body();
    p.as.fc3d.M.n = 2;
    invalid(p, PERP_E_ARGUMENT, "M");
    p = sliding_body();
    p.as.fc3d.M.m = -3;
    invalid(p, PERP_E_ARGUMENT, "negative");
    p = sliding_body();
    p.as.fc3d.H = perp_dense(3, 2, I3);
    invalid(p, PERP_E_ARGUMENT, "H");
    p = sliding_body();
    p.as.fc3d.G.m = 2;
    invalid(p, PERP_E_ARGUMENT, "G");
    p = sliding_body();
    p.as.fc3d.G.n = INT_MAX - 3;
    invalid(p, PERP_E_ARGUMENT, "too many");
    ck_assert_int_eq(perp_size(&p), -1);
    p = sliding_body();
    p.as.fc3d.f = NULL;
    invalid(p, PERP_E_ARGUMENT, "f");
    p = sliding_body();
    p.as.fc3d.w = q;
    invalid(p, PERP_E_NUMBER, "w[2]");
    p = sliding_body();
    p.as.fc3d.b = nan_mu;
    invalid(p, PERP_E_NUMBER, "b[0]");
}
END_TEST

START_TEST(nothing_to_prove)
{
    perp_problem p = sliding_body();
    double value;
    ck_assert_int_eq(check_claim(&p, PERP_INFEASIBLE, slide, &value), PERP_E_ARGUMENT);
    ck_assert(isinf(value));
    perp_problem none = perp_make_fc3d(0, (perp_matrix){0}, NULL, NULL);
    ck_assert_double_eq(certify(&none, NULL, PERP_SOLVED).value, 0);
}
END_TEST

/* On the boundary of K, far out, r - v rounds to r; the velocity must be seen all the same. */
START_TEST(a_large_force_does_not_hide_a_velocity)
{
    generator g = generator_start(11);
    for (int k = 0; k < 2000; k++) {
        double angle = 4 * generator_uniform(&g), size = pow(10, 20 * generator_unit(&g));
        const double W[9] = {0}, mu[] = {0.75}; /* r, below, is on the boundary to the bit */
        double q[3] = {generator_uniform(&g), generator_uniform(&g), generator_uniform(&g)};
        double n = ldexp(1, ilogb(size)), z[3] = {4 * n, 3 * n, 0};
        if (angle < 0) z[1] = -z[1];
        perp_problem p = perp_make_fc3d(1, perp_dense(3, 3, W), q, mu);
        perp_residual r = certify(&p, z, PERP_SOLVED);
        /* slipping back along r_t with u_n = 0 is the one solution there */
        ck_assert_double_gt(r.absolute, 0);
        q[0] = 0;
        q[1] = z[1] > 0 ? -1 : 1;
        q[2] = 0;
        ck_assert_double_le(certify(&p, z, PERP_SOLVED).absolute, 1e-15);
    }
}
END_TEST

/* What adversaries found: forces out of their cone by less than a rounding, but by more than tol; a
 * slip that is too small to be a number; products that overflow. */
START_TEST(forces_of_every_size)
{
    const double W[] = {
        7.169826548830596e-154,   -6.33543602366604e-201,   3.085718121767633e-159,
        -2.439229808822127e-201,  -3.140998704740281e-249,  -1.3040631891359282e-206,
        -1.0331767121494394e-159, -1.7608511112251734e-206, 1.415249034000099e-164};
    const double q[] = {-1.962912526403379e-77, -7.24042740975781e-126, 6.654637145827504e-83};
    const double z[] = {2.737736658577565e76, 3.2754520461294427e34, -2.737736658577565e76};
    const double stiff[] = {1e205, 0, 0, 0, 1e205, 0, 0, 0, 1e205}, pull[] = {0, 0, 1.7e-118};
    const double light[] = {3.5e-323, 0, 3.5e-323}, mu[] = {1}, flat[] = {1e-8}, none[9] = {0};
    const double heavy[] = {1.8e232, 8.2e230, 4.5e231}, slow[] = {1e217, 1e217, 1e217};
    perp_problem p = perp_make_fc3d(1, perp_dense(3, 3, W), q, mu);
    perp_residual r = certify(&p, z, PERP_SOLVED);
    ck_assert_double_gt(r.value + r.bound, 1);
    p = perp_make_fc3d(1, perp_dense(3, 3, stiff), pull, mu);
    r = certify(&p, light, PERP_SOLVED);
    ck_assert_double_gt(r.value + r.bound, 1e-8);
    const double wild[] = {0, 1e305, 0}, steep[] = {1e6}, some[] = {0.3, -2.5, 0};
    p = perp_make_fc3d(1, perp_dense(3, 3, none), wild, steep);
    certify(&p, some, PERP_E_NUMBER); /* mu |u_t| overflows */
    p = perp_make_fc3d(1, perp_dense(3, 3, none), slow, flat);
    ck_assert_double_gt(certify(&p, heavy, PERP_SOLVED).value, 1e13);
}
END_TEST

/* H' D^-1 f that is too small for a number is no zero: nothing is certified. Where f or H is 0 it
 * is, and what counts in its place is 1. */
START_TEST(body_scale_that_vanishes)
{
    const double M[] = {2}, H[] = {3e-322, 0, 0}, f[] = {1e-60}, mu[] = {0.5}, none[] = {0, 0, 0};
    const double z[] = {0, 0, 0, 5e-61};
    perp_problem p = {.kind = PERP_KIND_FC3D};
    p.as.fc3d = (perp_fc3d){.contacts = 1,
                            .form = PERP_FORM_BODY,
                            .mu = mu,
                            .M = perp_dense(1, 1, M),
                            .H = perp_dense(1, 3, H),
                            .f = f};
    certify(&p, z, PERP_E_NUMBER);
    p.as.fc3d.H = perp_dense(1, 3, none);
    ck_assert_double_eq(certify(&p, z, PERP_SOLVED).value, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("kind_fc3d");
    TCase *c = tcase_create("fc3d");
    tcase_add_test(c, a_large_force_does_not_hide_a_velocity);
    tcase_add_test(c, forces_of_every_size);
    tcase_add_test(c, body_scale_that_vanishes);
    tcase_add_test(c, projection_is_nearest);
    tcase_add_test(c, projection_at_the_edges);
    tcase_add_test(c, one_contact);
    tcase_add_test(c, violations);
    tcase_add_loop_test(c, naive_local, 0, 30);
    tcase_add_test(c, body_by_hand);
    tcase_add_test(c, body_without_joint);
    tcase_add_loop_test(c, naive_body, 0, 30);
    tcase_add_test(c, operator_mass);
    tcase_add_test(c, refusals);
    tcase_add_test(c, nothing_to_prove);
    suite_add_tcase(s, c);
    return support_run(s);
}
