/* tests/fc3d/test_facets.c: friction on pyramids. */
#include "fc3d_solver_support.h"

/* W = I, q = (-1, q_T): r_N = 1, and friction opposes q_T. Along an edge the pyramid is exact;
 * halfway between two of four edges its force is mu / sqrt 2 long. */
START_TEST(hand_worked)
{
    double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 2, 0}, mu[1] = {0.5}, z[3];
    perp_problem p = perp_make_fc3d(1, perp_dense(3, 3, W), q, mu);
    perp_fc3d_facets_options o = perp_fc3d_facets_defaults();
    perp_result r;
    o.facets = 4;
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_SOLVED);
    const double along[3] = {1, -0.5, 0};
    ck_assert_double_le(difference(3, z, along), 1e-12);
    q[2] = 2;
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_UNCERTIFIED);
    ck_assert_double_eq_tol(-z[1] - z[2], 0.5, 1e-12);
    ck_assert_msg(strstr(r.detail, "pyramids") && strstr(r.detail, "exact"), "%s", r.detail);
    o.rounds = 3; /* the edge turns to where it slides */
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(z[1], -0.5 / sqrt(2), 1e-9);
    ck_assert_double_eq_tol(z[2], -0.5 / sqrt(2), 1e-9);
}
END_TEST

/* Each pyramid turns to where its own contact slides. */
START_TEST(each_turns_by_itself)
{
    double W[36] = {0}, q[6] = {-1, 2, 2, -1, -3, 1}, mu[2] = {0.5, 0.3}, z[6];
    for (int i = 0; i < 6; i++) W[7 * i] = 1;
    perp_problem p = perp_make_fc3d(2, perp_dense(6, 6, W), q, mu);
    perp_fc3d_facets_options o = perp_fc3d_facets_defaults();
    perp_result r;
    o.facets = 4;
    o.rounds = 50;
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_SOLVED);
    for (int c = 0; c < 2; c++) {
        double length = hypot(q[3 * c + 1], q[3 * c + 2]);
        for (int i = 1; i < 3; i++)
            ck_assert_double_eq_tol(z[3 * c + i], -mu[c] * q[3 * c + i] / length, 1e-7);
    }
    o.facets = 64; /* whose forces take more room than what came before them */
    solve_confined(&p, &o.base, PERP_SOLVED);
}
END_TEST

/* Around the cone: exact towards the middle of a side, too strong in between. */
START_TEST(outer)
{
    double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 2, 0}, mu[1] = {0.5}, z[3];
    perp_problem p = perp_make_fc3d(1, perp_dense(3, 3, W), q, mu);
    perp_fc3d_facets_options o = perp_fc3d_facets_defaults();
    perp_result r;
    o.facets = 4;
    o.pyramid = PERP_PYRAMID_SIDE_OUTER;
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_SOLVED);
    const double along[3] = {1, -0.5, 0};
    ck_assert_double_le(difference(3, z, along), 1e-8);
    q[2] = 2; /* the corner of the square */
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_UNCERTIFIED);
    const double corner[3] = {1, -0.5, -0.5};
    ck_assert_double_le(difference(3, z, corner), 1e-8);
    o.rounds = 3;
    ck_assert_int_eq(solve_checked(&p, &o.base, z, NULL, &r), PERP_SOLVED);
}
END_TEST

/* Sweeps inside proximal steps end where Lemke's method does. */
START_TEST(sweeps)
{
    perp_arena a = {0};
    generated_problem g = fc3d_generate("fc3d_known", NULL, 9, 1, &a);
    double z[27], other[27];
    perp_fc3d_facets_options o = perp_fc3d_facets_defaults();
    perp_result r;
    ck_assert_int_ge(solve_checked(&g.p, &o.base, z, NULL, &r), 0);
    o.lcp = PERP_FACETS_LCP_PSOR;
    ck_assert_int_eq(solve_checked(&g.p, &o.base, other, NULL, &r), PERP_UNCERTIFIED);
    ck_assert_double_le(difference(27, z, other), 1e-6);
    perp_arena_free(&a);
}
END_TEST

/* Forces that are not solved for to the end are given all the same. */
START_TEST(unsolved_pyramids)
{
    perp_arena a = {0};
    generated_problem g = fc3d_generate("fc3d_known", NULL, 9, 1, &a);
    double z[27] = {0}, other[27];
    perp_fc3d_facets_options o = perp_fc3d_facets_defaults();
    perp_result r;
    solve_checked(&g.p, &o.base, other, NULL, &r);
    o.lcp = PERP_FACETS_LCP_PSOR;
    o.base.tol = 1e-300;
    ck_assert_int_gt(solve_checked(&g.p, &o.base, z, NULL, &r), 0);
    ck_assert_msg(strstr(r.detail, "on the pyramids:"), "%s", r.detail);
    ck_assert_double_ge(plain_norm(27, z), 0.5 * plain_norm(27, other));
    perp_arena_free(&a);
}
END_TEST

/* The residual on the cone falls with the number of facets; the one on pyramids is small. */
START_TEST(more_facets)
{
    for (int form = 0; form < 4; form++) {
        perp_arena a = {0};
        generated_problem g =
            fc3d_generate(form % 2 ? "fc3d_body_known" : "fc3d_known", NULL, 9, 1, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z), last = INFINITY;
        for (int facets = 4; facets <= 64; facets *= 4) {
            perp_fc3d_facets_options o = perp_fc3d_facets_defaults();
            perp_result r;
            double pyramid = 1;
            o.facets = facets;
            o.pyramid = form < 2 ? PERP_PYRAMID_SIDE_INNER : PERP_PYRAMID_SIDE_OUTER;
            ck_assert_int_ge(solve_checked(&g.p, &o.base, z, NULL, &r), 0);
            if (sscanf(r.detail, "residual %lf", &pyramid) == 1) ck_assert_double_le(pyramid, 1e-8);
            ck_assert_double_le(r.residual.natural, last);
            last = r.residual.natural;
        }
        ck_assert_double_le(last, 1e-2);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(held_to)
{
    perp_arena a = {0};
    perp_options *o = solver_options("fc3d/facets", 1e-8, &a);
    solver_refusals(o);
    solver_no_budget(o);
    perp_fc3d_facets_options other = perp_fc3d_facets_defaults();
    other.lcp = PERP_FACETS_LCP_AUTO;
    solver_frictionless(o); /* slides along an edge */
    solver_frictionless(&other.base);
    other.pyramid = PERP_PYRAMID_SIDE_OUTER;
    solver_frictionless(&other.base);
    solver_stored(o, "GFC3D_Example00.dat");
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_facets");
    TCase *t = tcase_create("fc3d_facets");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, each_turns_by_itself);
    tcase_add_test(t, outer);
    tcase_add_test(t, sweeps);
    tcase_add_test(t, unsolved_pyramids);
    tcase_add_test(t, more_facets);
    tcase_add_test(t, held_to);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    return support_run(s);
}
