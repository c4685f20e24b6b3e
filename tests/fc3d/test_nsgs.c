/* tests/fc3d/test_nsgs.c: nonsmooth Gauss-Seidel: answers, forms, orders, threads, limits. */
#include "fc3d_support.h"

#include <stdlib.h>

static perp_status solve(const perp_problem *p, const perp_fc3d_nsgs_options *o, double *z,
                         perp_result *r)
{
    return solve_checked(p, &o->base, z, NULL, r);
}

/* No theorem says that sweeps converge; on a few boxes they nearly always do. */
START_TEST(known_answers)
{
    static const char *const names[] = {"fc3d_known", "fc3d_edge", "fc3d_body_known"};
    int solved = 0;
    for (int k = 0; k < 36; k++) {
        perp_arena a = {0};
        perp_result r;
        perp_fc3d_nsgs_options o = perp_fc3d_nsgs_defaults();
        generated_problem g = fc3d_generate(names[k % 3], NULL, 1 + k % 6, (uint64_t)k + 1, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        o.base.tol = 1e-10;
        o.order = (perp_order)(k % 2);
        o.freeze = k % 4 == 3 ? 5 : 0;
        perp_status status = solve(&g.p, &o, z, &r);
        ck_assert_msg(status >= 0, "%s", r.detail);
        ck_assert_msg(k % 6 || status == PERP_SOLVED, "one contact: %s", r.detail);
        solved += status == PERP_SOLVED;
        perp_arena_free(&a);
    }
    ck_assert_int_ge(solved, 32);
}
END_TEST

/* Local and body form of one scene give the same velocities at the contacts. */
START_TEST(forms_agree)
{
    perp_arena a = {0};
    perp_result r;
    perp_fc3d_nsgs_options o = perp_fc3d_nsgs_defaults();
    generated_problem local = fc3d_generate("packing", "fc3d", 30, 4, &a);
    generated_problem body = fc3d_generate("packing", "fc3d_body", 30, 4, &a);
    size_t n = (size_t)perp_size(&local.p), m = (size_t)perp_size(&body.p);
    double *z = perp_alloc(&a, m, sizeof *z), *u = perp_alloc(&a, n, sizeof *u);
    double *w = perp_alloc(&a, m, sizeof *w);
    o.base.tol = 1e-13;
    o.base.max_iter = 20000;
    perp_solve(&local.p, &o.base, &a, z, u, &r);
    ck_assert_double_le(r.residual.value, 1e-11);
    perp_solve(&body.p, &o.base, &a, z, w, &r);
    ck_assert_double_le(r.residual.value, 1e-11);
    for (size_t i = 0; i < n; i++) ck_assert_double_eq_tol(u[i], w[i], 1e-10);
    perp_arena_free(&a);
}
END_TEST

/* A lattice in local form, or in body form. */
static void same_bits(bool body, perp_fc3d_nsgs_options o)
{
    perp_arena a = {0};
    generated_problem g = fc3d_generate("lattice", body ? "fc3d_body" : "fc3d", 343, 1, &a);
    o.order = PERP_ORDER_COLOURED;
    o.base.tol = 0;
    fc3d_same_bits(&g.p, &o.base);
    perp_arena_free(&a);
}

START_TEST(same_bits_for_any_threads)
{
    perp_fc3d_nsgs_options o = perp_fc3d_nsgs_defaults();
    o.base.max_iter = 210; /* some are stretched */
    for (int body = 0; body < 2; body++) same_bits(body, o);
}
END_TEST

START_TEST(same_bits_whatever_the_options)
{
    for (int k = 0; k < 2 * (PERP_CONTACT_SOLVER_QP + 1); k++) {
        perp_fc3d_nsgs_options o = perp_fc3d_nsgs_defaults();
        o.local = (perp_contact_solver)(k / 2);
        o.relaxation = k % 3 ? 1 : 1.3;
        o.freeze = k % 5 ? 0 : 2;
        o.base.max_iter = 8;
        same_bits(k % 2, o);
    }
}
END_TEST

/* Stretched sweeps are fewer than half of the plain ones, whatever the form and the order. */
START_TEST(stretched)
{
    for (int k = 0; k < 4; k++) {
        perp_arena a = {0};
        int sweeps[2];
        generated_problem g = fc3d_generate("packing", k % 2 ? "fc3d_body" : "fc3d", 40, 2, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        for (int plain = 0; plain < 2; plain++) {
            perp_fc3d_nsgs_options o = perp_fc3d_nsgs_defaults();
            perp_result r;
            o.extrapolate = !plain;
            o.order = k < 2 ? PERP_ORDER_GIVEN : PERP_ORDER_COLOURED;
            ck_assert_int_eq(solve(&g.p, &o, z, &r), PERP_SOLVED);
            sweeps[plain] = r.iterations;
        }
        ck_assert_msg(2 * sweeps[0] < sweeps[1], "%d: %d and %d", k, sweeps[0], sweeps[1]);
        perp_arena_free(&a);
    }
}
END_TEST

/* explicit, diagonal, lemke and qp may converge to what is no solution; all others solve. */
START_TEST(local_solvers)
{
    perp_arena a = {0};
    generated_problem g = fc3d_generate("fc3d_known", NULL, 12, 3, &a);
    double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
    for (int local = 0; local <= PERP_CONTACT_SOLVER_QP; local++) {
        perp_result r;
        perp_fc3d_nsgs_options o = perp_fc3d_nsgs_defaults();
        bool exact = local < PERP_CONTACT_SOLVER_EXPLICIT;
        o.local = (perp_contact_solver)local;
        o.facets = 7; /* made even */
        o.base.max_iter = 5000;
        perp_status status = solve(&g.p, &o, z, &r);
        ck_assert_msg(!exact || status == PERP_SOLVED, "%d: %s", local, r.detail);
        ck_assert_msg(exact || status > 0, "%d: %s", local, perp_status_name(status));
        ck_assert_double_lt(r.residual.value, 1);
    }
    perp_arena_free(&a);
}
END_TEST

/* The block's diagonal: spheres with W_TN = 0 are solved as by the full block; a tangent that is
 * not positive is refused. */
START_TEST(diagonal_blocks)
{
    perp_arena a = {0};
    perp_result full, own;
    perp_fc3d_nsgs_options o = perp_fc3d_nsgs_defaults();
    generated_problem g = fc3d_generate("packing", "fc3d", 10, 1, &a);
    size_t n = (size_t)perp_size(&g.p);
    double *z = perp_alloc(&a, n, sizeof *z), *y = perp_alloc(&a, n, sizeof *y);
    o.local = PERP_CONTACT_SOLVER_EXPLICIT;
    ck_assert_int_eq(solve(&g.p, &o, z, &full), PERP_SOLVED);
    ck_assert_int_eq(perp_options_set(&o.base, "local", "diagonal", NULL), PERP_SOLVED);
    ck_assert_int_eq(o.local, PERP_CONTACT_SOLVER_DIAGONAL);
    ck_assert_int_eq(solve(&g.p, &o, y, &own), PERP_SOLVED);
    ck_assert_int_eq(full.iterations, own.iterations);
    ck_assert_double_le(difference((int)n, z, y), 1e-9);
    double W[9] = {1, 0, 0, 0, -1, 0, 0, 0, 1}, q[3] = {-1, 0, 0}, mu[1] = {0.5};
    perp_problem p = perp_make_fc3d(1, perp_dense(3, 3, W), q, mu);
    ck_assert_int_eq(solve(&p, &o, z, &own), PERP_E_NUMBER);
    ck_assert_msg(strstr(own.detail, "W_TT = -1 of contact 0"), "%s", own.detail);
    perp_arena_free(&a);
}
END_TEST

START_TEST(warm_start)
{
    perp_arena a = {0};
    perp_result r;
    perp_fc3d_nsgs_options o = perp_fc3d_nsgs_defaults();
    generated_problem g = fc3d_generate("fc3d_body_known", NULL, 8, 2, &a);
    double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
    ck_assert_int_eq(solve(&g.p, &o, z, &r), PERP_SOLVED);
    o.base.warm_start = true;
    ck_assert_int_eq(solve(&g.p, &o, z, &r), PERP_SOLVED);
    ck_assert_int_le(r.iterations, 2);
    perp_arena_free(&a);
}
END_TEST

/* Sweeps carry their state along. From a start of 1e10 its rounding is 1e-6 and more: the sweeps
 * converge to what solves no problem, until the state is made anew after 50 of them. */
START_TEST(the_state_is_made_anew)
{
    static const char *const names[] = {"fc3d_known", "fc3d_edge", "fc3d_body_known"};
    for (int k = 0; k < 3; k++) {
        perp_arena a = {0};
        perp_result r;
        perp_fc3d_nsgs_options o = perp_fc3d_nsgs_defaults();
        generated_problem g = fc3d_generate(names[k], NULL, 3, 1, &a);
        int n = perp_size(&g.p);
        double *z = perp_alloc(&a, (size_t)n, sizeof *z);
        o.base.tol = 0;
        o.base.warm_start = true;
        o.base.max_iter = 50;
        for (int i = 0; i < n; i++) z[i] = 1e10;
        solve(&g.p, &o, z, &r);
        ck_assert_double_ge(r.residual.value, 1e-9);
        o.base.max_iter = 70;
        for (int i = 0; i < n; i++) z[i] = 1e10;
        solve(&g.p, &o, z, &r);
        ck_assert_double_le(r.residual.value, 1e-13);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(limits_and_words)
{
    perp_arena a = {0};
    perp_result r;
    perp_fc3d_nsgs_options o = perp_fc3d_nsgs_defaults();
    generated_problem g = fc3d_generate("packing", "fc3d_body", 30, 2, &a);
    double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
    o.base.max_iter = 3;
    ck_assert_int_eq(solve(&g.p, &o, z, &r), PERP_MAX_ITER);
    ck_assert_msg(strstr(r.detail, "contact"), "%s", r.detail);
    ck_assert_int_eq(r.iterations, 3);
    o.base.max_iter = 0;
    ck_assert_int_eq(solve(&g.p, &o, z, &r), PERP_MAX_ITER);
    g.p.as.fc3d.M = as_operator(&g.p.as.fc3d.M);
    ck_assert_int_eq(solve(&g.p, &o, z, &r), PERP_E_FORMAT);
    perp_arena_free(&a);
}
END_TEST

/* Without contacts none is named. */
START_TEST(no_contacts)
{
    enum { N = 30 };
    double M[N * N] = {0}, f[N];
    for (int i = 0; i < N; i++) {
        M[(N + 1) * i] = 3.7 + 0.1 * i;
        f[i] = 1 / (3.0 + i);
    }
    for (int i = 0; i < N; i += 3) M[N * i + i + 1] = M[N * (i + 1) + i] = 0.3;
    perp_problem p = {.kind = PERP_KIND_FC3D,
                      .as.fc3d = {.form = PERP_FORM_BODY, .M = perp_dense(N, N, M), .f = f}};
    for (int order = 0; order < 2; order++) {
        perp_fc3d_nsgs_options o = perp_fc3d_nsgs_defaults();
        perp_result r;
        double z[N];
        o.order = (perp_order)order;
        ck_assert_int_eq(solve(&p, &o, z, &r), PERP_SOLVED);
        o.base.tol = 0; /* rounding is in the way */
        o.base.max_iter = 3;
        ck_assert_int_eq(solve(&p, &o, z, &r), PERP_MAX_ITER);
        ck_assert_msg(!strstr(r.detail, "contact"), "%s", r.detail);
    }
}
END_TEST

/* A scene with joints is reduced. */
START_TEST(equalities)
{
    generate_entry entry;
    int solved = 0;
    for (int k = 0; generate_list(k, &entry); k++) {
        const scene_family *s = scene_family_find(entry.name);
        if (!s || !s->joints) continue;
        perp_arena a = {0};
        perp_result r;
        perp_fc3d_nsgs_options o = perp_fc3d_nsgs_defaults();
        generated_problem g = fc3d_generate(entry.name, "fc3d_body", 0, 1, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        o.base.tol = 1e-6;
        if (g.p.as.fc3d.contacts < 100) solved += solve(&g.p, &o, z, &r) == PERP_SOLVED;
        perp_arena_free(&a);
    }
    ck_assert_int_gt(solved, 0);
}
END_TEST

START_TEST(every_allocation_fails_once)
{
    perp_arena a = {0};
    generated_problem g = fc3d_generate("fc3d_body_known", NULL, 4, 2, &a);
    double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
    for (int left = 0; left < 20; left++) {
        supply s = {.left = left};
        perp_arena poor = {.resize = scarce, .ctx = &s};
        perp_fc3d_nsgs_options o = perp_fc3d_nsgs_defaults();
        perp_result r;
        o.order = PERP_ORDER_COLOURED;
        o.local = left % 2 ? PERP_CONTACT_SOLVER_LEMKE : PERP_CONTACT_SOLVER_QP;
        o.base.max_iter = 2;
        perp_status status = perp_solve(&g.p, &o.base, &poor, z, NULL, &r);
        ck_assert(status == PERP_E_MEMORY || status == PERP_MAX_ITER ||
                  status == PERP_UNCERTIFIED); /* the pyramids are solved, the cones are not */
        perp_arena_free(&poor);
        ck_assert_int_eq(s.out, 0);
    }
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_nsgs");
    TCase *t = tcase_create("fc3d_nsgs");
    tcase_add_test(t, known_answers);
    tcase_add_test(t, forms_agree);
    tcase_add_test(t, same_bits_for_any_threads);
    tcase_add_test(t, same_bits_whatever_the_options);
    tcase_add_test(t, stretched);
    tcase_add_test(t, local_solvers);
    tcase_add_test(t, diagonal_blocks);
    tcase_add_test(t, warm_start);
    tcase_add_test(t, the_state_is_made_anew);
    tcase_add_test(t, limits_and_words);
    tcase_add_test(t, no_contacts);
    tcase_add_test(t, equalities);
    tcase_add_test(t, every_allocation_fails_once);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    return support_run(s);
}
