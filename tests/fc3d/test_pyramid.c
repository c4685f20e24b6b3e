/* tests/fc3d/test_pyramid.c: the rows of the problem on pyramids, written down again. */
#include "fc3d/pyramid.h"
#include "fc3d_support.h"

#define PI 3.14159265358979323846

/* y = M z + q by the problem's columns. */
static void slack(const perp_problem *p, const perp_matrix *M, const double *q, const double *z,
                  double *y)
{
    const struct perp_csc_view *v = &M->as.csc;
    int n = perp_size(p);
    for (int i = 0; i < n; i++) y[i] = q[i];
    for (int j = 0; j < n; j++) {
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            y[v->i[k]] += v->x[k] * z[j];
            if (k > v->p[j]) ck_assert_int_lt(v->i[k - 1], v->i[k]);
        }
    }
}

/* With a and l at random: the rows of a contact's forces and sides from r = E a and u = W r + q. */
static void check_contact(const perp_pyramid *p, int c, const double *z, const double *y)
{
    double r[60], u[60], angle = c % 2 ? 0.3 : 0, mu = p->b->mu[c];
    const double *a = z + (size_t)c * (size_t)p->size, *l = a + p->forces;
    const double *w = y + (size_t)c * (size_t)p->size;
    perp_pyramid_forces(p, z, r);
    perp_contact_matrix_velocity(p->b, r, u);
    const double *R = r + 3 * (size_t)c, *U = u + 3 * (size_t)c;
    double sum = 0, push[2] = {0, 0};
    ck_assert_double_eq_tol(R[0], a[0], 1e-14);
    ck_assert_double_eq_tol(w[0], U[0], 1e-10);
    for (int k = 0; k < p->facets; k++) {
        double d[2] = {cos(angle + 2 * PI * k / p->facets), sin(angle + 2 * PI * k / p->facets)};
        double shift = perp_pyramid_shift(p, c) * l[p->outer ? k : 0];
        if (p->outer) {
            double side = mu * R[0] - d[0] * R[1] - d[1] * R[2] + shift;
            ck_assert_double_eq_tol(w[p->forces + k], side, 1e-10);
            push[0] += l[k] * d[0];
            push[1] += l[k] * d[1];
        } else {
            ck_assert_double_eq_tol(w[k + 1], d[0] * U[1] + d[1] * U[2] + l[0], 1e-10);
            sum += a[k + 1];
        }
    }
    if (p->outer) {
        for (int i = 0; i < 2; i++) ck_assert_double_eq_tol(w[i + 1], U[i + 1] + push[i], 1e-10);
    } else {
        double side = mu * R[0] - sum + perp_pyramid_shift(p, c) * l[0];
        ck_assert_double_eq_tol(w[p->forces], side, 1e-10);
    }
}

static perp_status look(perp_run *run, double *unused, void *ctx)
{
    generator g = generator_start(*(uint64_t *)ctx);
    perp_contact_matrix b;
    (void)unused;
    ck_assert_int_eq(perp_contact_matrix_open(run, &b), PERP_SOLVED);
    for (int kind = 0; kind < 4; kind++) {
        perp_pyramid p;
        perp_problem problem;
        double z[200], y[200];
        ck_assert_int_eq(perp_pyramid_open(run, &b, kind % 2 == 1, 3 + kind, &p), PERP_SOLVED);
        p.shift = kind < 2 ? 0 : 0.5;
        for (int c = 1; c < b.contacts; c += 2) perp_pyramid_turn(&p, c, 0.3);
        ck_assert_int_eq(perp_pyramid_problem(run, &p, &problem), PERP_SOLVED);
        int n = perp_size(&problem);
        ck_assert_int_eq(n, b.contacts * p.size);
        for (int i = 0; i < n; i++) z[i] = generator_uniform(&g);
        const perp_matrix *M = p.outer ? &problem.as.mcp.F.M : &problem.as.lcp.M;
        slack(&problem, M, p.q, z, y);
        for (int c = 0; c < b.contacts; c++) check_contact(&p, c, z, y);
        for (int i = 0; i < n && p.outer; i++) {
            int f = i % p.size;
            ck_assert(p.lo[i] == (f == 1 || f == 2 ? -INFINITY : 0));
        }
    }
    return PERP_SOLVED;
}

START_TEST(rows)
{
    for (uint64_t k = 1; k < 20; k++) {
        perp_arena a = {0};
        perp_result r;
        generated_problem g =
            fc3d_generate(k % 2 ? "fc3d_known" : "fc3d_body_known", NULL, (int)k % 11, k, &a);
        fc3d_inside(&g.p, look, &k, &r);
        perp_arena_free(&a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_pyramid");
    TCase *t = tcase_create("fc3d_pyramid");
    tcase_add_test(t, rows);
    suite_add_tcase(s, t);
    return support_run(s);
}
