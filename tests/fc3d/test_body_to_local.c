/* tests/fc3d/test_body_to_local.c: body form to local form, by bodies and by a factor. */
#include "fc3d/body_to_local.h"
#include "fc3d_support.h"

/* Same W and q as dense elimination gives, and the way back satisfies the equations. */
static perp_status compare(perp_run *run, double *z, void *ctx)
{
    const perp_fc3d *f = &run->problem->as.fc3d;
    bool bodies = *(bool *)ctx;
    int n = 3 * f->contacts, size = perp_size(run->problem);
    perp_body_to_local d;
    perp_status status = perp_body_to_local_open(run, &d);
    if (status) return status;
    ck_assert_int_eq(d.bodies.L != NULL, bodies);
    double *W = PERP_ALLOC(run, double, n *n), *e = PERP_ALLOC(run, double, n);
    double *w = PERP_ALLOC(run, double, size), *u = PERP_ALLOC(run, double, n);
    double most = 0;
    if (f->G.n == 0) {
        fc3d_delassus(f, W);
        for (int k = 0; k < n * n; k++) most = fmax(most, fabs(W[k]));
        for (int j = 0; j < n; j++) {
            memset(e, 0, (size_t)n * sizeof *e);
            e[j] = 1;
            perp_mul(&d.local.W, 1, e, 0, u);
            for (int i = 0; i < n; i++) ck_assert_double_eq_tol(u[i], W[j * n + i], 1e-11 * most);
        }
    }
    for (int i = 0; i < n; i++) z[i] = sin(i + 1);
    perp_body_to_local_back(&d, z);
    perp_mul_t(&f->H, 1, z + n, 0, w); /* u by the velocities, and by W r + q */
    memcpy(u, d.local.q, (size_t)n * sizeof *u);
    perp_mul(&d.local.W, 1, z, 1, u);
    for (int i = 0; i < n; i++) {
        double direct = w[i] + (f->w ? f->w[i] : 0);
        ck_assert_double_eq_tol(u[i], direct, 1e-10 * (1 + fabs(direct)));
    }
    memcpy(w, f->f, (size_t)f->M.n * sizeof *w);
    perp_mul(&f->H, 1, z, 1, w);
    if (f->G.n) perp_mul(&f->G, 1, z + n + f->M.n, 1, w);
    perp_mul(&f->M, 1, z + n, -1, w);
    for (int i = 0; i < f->M.n; i++) ck_assert_double_le(fabs(w[i]), 1e-10 * (1 + fabs(f->f[i])));
    if (f->G.n) {
        perp_mul_t(&f->G, 1, z + n, 0, w);
        for (int i = 0; i < f->G.n; i++)
            ck_assert_double_le(fabs(w[i] + (f->b ? f->b[i] : 0)), 1e-9);
    }
    return PERP_STALLED;
}

START_TEST(by_bodies)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        perp_arena a = {0};
        perp_result r;
        bool bodies = true;
        generated_problem g = fc3d_generate("fc3d_body_known", NULL, 9, seed, &a);
        ck_assert_msg(fc3d_inside(&g.p, compare, &bodies, &r) == PERP_STALLED, "%s", r.detail);
        perp_arena_free(&a);
    }
}
END_TEST

/* The same with something that couples two bodies. */
START_TEST(by_factor)
{
    perp_arena a = {0};
    perp_result r;
    bool bodies = false;
    generated_problem g = fc3d_generate("fc3d_body_known", NULL, 9, 5, &a);
    perp_fc3d *f = &g.p.as.fc3d;
    int nv = f->M.n;
    double *M = perp_alloc(&a, (size_t)nv * (size_t)nv, sizeof *M),
           *e = perp_alloc(&a, (size_t)nv, 8);
    for (int j = 0; j < nv; j++) {
        memset(e, 0, (size_t)nv * sizeof *e);
        e[j] = 1;
        perp_mul(&f->M, 1, e, 0, M + (size_t)j * (size_t)nv);
    }
    M[(nv - 1) * nv] = M[nv - 1] = 0.01 * M[0];
    f->M = perp_dense(nv, nv, M);
    ck_assert_msg(fc3d_inside(&g.p, compare, &bodies, &r) == PERP_STALLED, "%s", r.detail);
    for (int i = 0; i < nv; i++) M[2 * nv + i] = M[i * nv + 2] = 0;
    ck_assert_int_eq(fc3d_inside(&g.p, compare, &bodies, &r), PERP_E_NUMBER);
    ck_assert_msg(strstr(r.detail, "singular"), "%s", r.detail);
    perp_arena_free(&a);
}
END_TEST

/* Scenes with joints have equalities G. */
START_TEST(with_joints)
{
    generate_entry entry;
    int tried = 0;
    for (int k = 0; generate_list(k, &entry); k++) {
        const scene_family *s = scene_family_find(entry.name);
        if (!s || !s->joints) continue;
        perp_arena a = {0};
        perp_result r;
        bool bodies = false;
        generated_problem g = fc3d_generate(entry.name, "fc3d_body", 0, 1, &a);
        if (g.p.as.fc3d.G.n > 0 && g.p.as.fc3d.contacts < 200) {
            perp_status status = fc3d_inside(&g.p, compare, &bodies, &r);
            ck_assert_msg(status == PERP_STALLED, "%s: %s", entry.name, r.detail);
            tried++;
        }
        perp_arena_free(&a);
    }
    ck_assert_int_gt(tried, 0);
}
END_TEST

/* There the factors are dense; the answer is the same. */
START_TEST(on_a_fixed_arena)
{
    static double buffer[1 << 17];
    perp_arena a = {0}, grows = {0}, fixed;
    perp_result r;
    generated_problem g = fc3d_generate("snake", "fc3d_body", 6, 1, &a);
    size_t n = (size_t)perp_size(&g.p);
    double *one = perp_alloc(&a, n, sizeof *one), *two = perp_alloc(&a, n, sizeof *two);
    perp_arena_fixed(&fixed, buffer, sizeof buffer);
    perp_options o = perp_fc3d_auto_defaults().base;
    ck_assert_int_eq(perp_solve(&g.p, &o, &grows, one, NULL, &r), PERP_SOLVED);
    ck_assert_msg(perp_solve(&g.p, &o, &fixed, two, NULL, &r) == PERP_SOLVED, "%s", r.detail);
    for (size_t i = 3 * (size_t)g.p.as.fc3d.contacts; i < n; i++)
        ck_assert_double_eq_tol(one[i], two[i], 1e-5);
    perp_arena_free(&grows);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_reduce");
    TCase *t = tcase_create("fc3d_reduce");
    tcase_add_test(t, by_bodies);
    tcase_add_test(t, by_factor);
    tcase_add_test(t, with_joints);
    tcase_add_test(t, on_a_fixed_arena);
    suite_add_tcase(s, t);
    return support_run(s);
}
