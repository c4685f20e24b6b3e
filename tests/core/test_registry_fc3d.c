/* tests/core/test_registry_fc3d.c: what holds for every registered fc3d solver, whatever it is. A
 * new row of solvers.def is tested here without a new line.
 *
 * Nothing a solver says is believed: residuals are computed again, naively and in long double. */
#include "fc3d_support.h"

#include <float.h>
#include <stdio.h>

/* r - P_K(r - v), squared length. */
static long double natural(long double mu, const long double r[3], const long double v[3])
{
    long double x[3] = {r[0] - v[0], r[1] - v[1], r[2] - v[2]}, y[3] = {0}, sum = 0;
    long double t = hypotl(x[1], x[2]);
    if (mu * t > -x[0] && t <= mu * x[0]) {
        for (int i = 0; i < 3; i++) y[i] = x[i];
    } else if (mu * t > -x[0]) {
        y[0] = (x[0] + mu * t) / (1 + mu * mu);
        for (int i = 1; i < 3; i++) y[i] = mu * y[0] * x[i] / t;
    }
    for (int i = 0; i < 3; i++) sum += (r[i] - y[i]) * (r[i] - y[i]);
    return sum;
}

/* Dense rows of a matrix by its products. */
static double *dense_of(const perp_matrix *A, int m, int n, perp_arena *a)
{
    double *x = perp_alloc(a, (size_t)m * (size_t)n, sizeof *x);
    double *e = perp_alloc(a, (size_t)n, sizeof *e);
    ck_assert(!a->failed);
    for (int j = 0; j < n; j++) {
        e[j] = 1;
        perp_mul(A, 1, e, 0, x + (size_t)j * (size_t)m);
        e[j] = 0;
    }
    return x;
}

/* |F_nat| / |q| of a local form, and in *rounding what double arithmetic may err by. */
static long double residual_of(const perp_fc3d *f, const double *W, const double *z,
                               long double *rounding)
{
    int n = 3 * f->contacts;
    long double sum = 0, scale = 0, error = 0;
    for (int c = 0; c < f->contacts; c++) {
        long double u[3], r[3];
        for (int i = 0; i < 3; i++) {
            long double size =
                fabsl((long double)f->q[3 * c + i]) + fabsl((long double)z[3 * c + i]);
            u[i] = f->q[3 * c + i];
            r[i] = z[3 * c + i];
            for (int j = 0; j < n; j++) {
                long double t = (long double)W[j * n + 3 * c + i] * z[j];
                u[i] += t;
                size += fabsl(t);
            }
            scale += (long double)f->q[3 * c + i] * f->q[3 * c + i];
            error += size * size;
        }
        u[0] += f->mu[c] * hypotl(u[1], u[2]);
        sum += natural(f->mu[c], r, u);
    }
    scale = scale > 0 ? sqrtl(scale) : 1;
    *rounding = 4 * (n + 4) * DBL_EPSILON * sqrtl(error) / scale;
    return sqrtl(sum) / scale;
}

#define WHERE "%s on %s, %d contacts: %s (%s)"
#define WHERE_ARGS o->solver->name, what, f->contacts, perp_status_name(status), r.detail

/* Solve twice in one arena: honest, finite, same bits, and nothing allocated the second time. */
static perp_status run(const perp_options *o, const perp_problem *p, const char *what,
                       const double *W)
{
    const perp_fc3d *f = &p->as.fc3d;
    size_t n = (size_t)perp_size(p);
    perp_arena arena = {0}, own = {0};
    perp_result r;
    double *z = perp_alloc(&own, n + 1, sizeof *z), *again = perp_alloc(&own, n + 1, sizeof *z);
    for (size_t i = 0; i < n; i++) z[i] = NAN; /* must not be read */
    perp_status status = perp_solve(p, o, &arena, z, NULL, &r);
    unsigned blocks = arena.allocations;
    ck_assert_msg(status >= 0, WHERE, WHERE_ARGS);
    ck_assert_msg((status == PERP_SOLVED) == (r.residual.value + r.residual.bound <= o->tol), WHERE,
                  WHERE_ARGS);
    ck_assert_msg((status == PERP_SOLVED) == (r.detail[0] == 0), WHERE, WHERE_ARGS);
    for (size_t i = 0; i < n; i++) ck_assert_msg(isfinite(z[i]), WHERE, WHERE_ARGS);
    if (W) {
        long double rounding, value = residual_of(f, W, z, &rounding);
        ck_assert_msg(fabsl(value - r.residual.natural) <= 1e-9L * value + rounding,
                      WHERE ": claims %g, has %Lg", WHERE_ARGS, r.residual.natural, value);
    }
    ck_assert_int_eq(perp_solve(p, o, &arena, again, NULL, &r), status);
    ck_assert_msg(n == 0 || memcmp(z, again, n * sizeof *z) == 0, WHERE, WHERE_ARGS);
    ck_assert_uint_eq(arena.allocations, blocks);
    ck_assert_uint_eq(arena.used, 0);
    perp_arena_free(&arena);
    perp_arena_free(&own);
    return status;
}

/* What theory promises; a solver without a row need only be honest. One contact is one exact solve;
 * without friction a sweep is projected Gauss-Seidel, which converges where W is definite. */
static const struct promise {
    const char *solver;
    bool one_contact, frictionless;
} promises[] = {{"fc3d/nsgs", true, true}, {"fc3d/nncg", true, true},  {"fc3d/prox", true, true},
                {"fc3d/ipm", false, true}, {"fc3d/admm", false, true}, {"fc3d/auto", true, true}};

static const struct promise *promise_of(const char *solver)
{
    for (size_t k = 0; k < sizeof promises / sizeof *promises; k++) {
        if (strcmp(promises[k].solver, solver) == 0) return &promises[k];
    }
    return NULL;
}

static void run_all(const perp_problem *p, const char *what, const double *W, bool definite)
{
    const perp_fc3d *f = &p->as.fc3d;
    bool smooth = definite;
    for (int c = 0; c < f->contacts; c++) smooth &= f->mu[c] == 0;
    for (int i = 0; perp_solvers()[i]; i++) {
        const perp_solver *s = perp_solvers()[i]->solver;
        if (s->kind != PERP_KIND_FC3D) continue;
        if (f->form == PERP_FORM_BODY && !(s->flags & PERP_SOLVER_READS_BODY)) continue;
        if (f->form == PERP_FORM_LOCAL && (s->flags & PERP_SOLVER_ONLY_BODY)) continue;
        perp_status status = run(perp_solvers()[i], p, what, W);
        const struct promise *q = promise_of(s->name);
        bool promised = q && ((q->one_contact && f->contacts == 1) || (q->frictionless && smooth));
        ck_assert_msg(status == PERP_SOLVED || (!promised && f->contacts > 0), "%s on %s: %s",
                      s->name, what, perp_status_name(status));
    }
}

START_TEST(local_form)
{
    static const int sizes[] = {1, 2, 3, 7};
    static const char *const names[] = {"fc3d_known", "fc3d_edge"};
    for (int k = 0; k < 8; k++) {
        perp_arena a = {0};
        generated_problem g = fc3d_generate(names[k % 2], NULL, sizes[k / 2], (uint64_t)k + 3, &a);
        perp_fc3d *f = &g.p.as.fc3d;
        int n = 3 * f->contacts;
        double *W = dense_of(&f->W, n, n, &a);
        perp_matrix dense = perp_dense(n, n, W);
        for (int format = 0; format < 3; format++) {
            f->W = in_format(format, &dense, &a);
            run_all(&g.p, names[k % 2], W, false);
        }
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(without_friction)
{
    enum { K = 6, N = 3 * K };
    generator g = generator_start(4);
    double W[N * N], A[N * N], q[N], mu[K] = {0};
    for (int k = 0; k < N * N; k++) A[k] = generator_uniform(&g);
    for (int k = 0; k < N * N; k++) {
        W[k] = k % (N + 1) == 0;
        for (int i = 0; i < N; i++) W[k] += A[k / N * N + i] * A[k % N * N + i];
    }
    for (int k = 0; k < N; k++) q[k] = generator_uniform(&g);
    perp_problem p = perp_make_fc3d(K, perp_dense(N, N, W), q, mu);
    run_all(&p, "no friction", W, true);
}
END_TEST

START_TEST(body_form)
{
    static const int sizes[] = {1, 3, 6};
    for (int k = 0; k < 6; k++) {
        perp_arena a = {0};
        generated_problem g =
            fc3d_generate("fc3d_body_known", NULL, sizes[k % 3], (uint64_t)k + 1, &a);
        run_all(&g.p, "fc3d_body_known", NULL, false);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(no_contacts)
{
    perp_problem p = {.kind = PERP_KIND_FC3D};
    run_all(&p, "nothing", NULL, false);
    const double M[1] = {2}, f[1] = {4};
    p.as.fc3d = (perp_fc3d){.form = PERP_FORM_BODY, .M = perp_dense(1, 1, M), .f = f};
    run_all(&p, "a body alone", NULL, false);
}
END_TEST

/* Bodies that touch nothing, to a tolerance that rounding does not let anyone reach: every solver
 * makes its steps with no contact in them. */
START_TEST(no_contacts_and_no_end)
{
    enum { N = 30 };
    double M[N * N] = {0}, f[N], z[N];
    for (int i = 0; i < N; i++) {
        M[(N + 1) * i] = 3.7 + 0.1 * i;
        f[i] = 1 / (3.0 + i);
    }
    for (int i = 0; i < N; i += 3) M[N * i + i + 1] = M[N * (i + 1) + i] = 0.3;
    perp_problem p = {.kind = PERP_KIND_FC3D,
                      .as.fc3d = {.form = PERP_FORM_BODY, .M = perp_dense(N, N, M), .f = f}};
    for (int i = 0; perp_solvers()[i]; i++) {
        perp_arena a = {0};
        perp_result r;
        if (perp_solvers()[i]->solver->kind != PERP_KIND_FC3D) continue;
        perp_options *o = perp_options_new(&a, perp_solvers()[i]->solver->name);
        o->tol = 0;
        o->max_iter = 20;
        perp_status s = perp_solve(&p, o, &a, z, NULL, &r);
        ck_assert_msg(s >= 0 && r.residual.value < 1e-14, "%s: %s, %g", o->solver->name, r.detail,
                      r.residual.value);
        perp_arena_free(&a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("registry_fc3d");
    TCase *t = tcase_create("registry_fc3d");
    tcase_add_test(t, local_form);
    tcase_add_test(t, without_friction);
    tcase_add_test(t, body_form);
    tcase_add_test(t, no_contacts);
    tcase_add_test(t, no_contacts_and_no_end);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    return support_run(s);
}
