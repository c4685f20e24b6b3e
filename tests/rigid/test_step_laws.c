/* tests/rigid/test_step_laws.c: contact laws against what they say: rebounds, heights of a bouncing
 * ball, repair of overlap, energy of impacts. */
#include "rigid_support.h"
#include "step_support.h"

/* A ball above the floor, its speed along z and its gap; a step without gravity. */
static double rebound(perp_step_options *o, double e, double speed, double gap, perp_step_report *r)
{
    marbles m = {.radius = 0.5, .mu = 0.3, .restitution = e, .floor = true};
    perp_body b = marble(2, 0.5, 0, 0, 0.5 + gap);
    b.velocity[2] = speed;
    perp_world w = marble_world(&m, &b, 1);
    o->margin = 1;
    ck_assert_msg(perp_step(&w, o, r) == PERP_SOLVED, "%s", r->detail);
    perp_world_free(&w);
    return b.velocity[2];
}

static const perp_rule bouncing[] = {PERP_RULE_IMPACT, PERP_RULE_MOREAU, PERP_RULE_POISSON,
                                     PERP_RULE_RECOVERY};

START_TEST(a_rebound_is_e_times_the_approach)
{
    perp_step_options o = perp_step_defaults();
    o.rule = bouncing[_i];
    for (int k = 0; k <= 10; k++) {
        perp_step_report r;
        double e = 0.1 * k, v = 0.7 + k, u = rebound(&o, e, -v, 1e-4, &r);
        if (e > 0 || o.rule != PERP_RULE_RECOVERY) ck_assert_double_eq_tol(u, e * v, 1e-12 * v);
        ck_assert_double_eq_tol(r.contact_work, (u * u - v * v), 1e-12 * v * v); /* mass 2 */
        ck_assert(r.restitution_scale == 1);
    }
}
END_TEST

/* Below the threshold, and where the gap stays open, there is no rebound. */
START_TEST(recovery_bounces_above_its_threshold)
{
    perp_step_options o = perp_step_defaults();
    perp_step_report r;
    o.restitution_threshold = 0.5;
    ck_assert_double_eq_tol(rebound(&o, 0.5, -0.4, 0, &r), 0, 1e-12);
    ck_assert_double_eq_tol(rebound(&o, 0.5, -0.6, 0, &r), 0.3, 1e-12);
    ck_assert_double_eq_tol(rebound(&o, 0.5, -0.6, 0.007, &r), -0.6, 1e-12);
    ck_assert_double_eq_tol(rebound(&o, 0.5, -0.6, 0.005, &r), 0.3, 1e-12);
    ck_assert_double_eq_tol(rebound(&o, 0, -0.6, 0.005, &r), -0.5, 1e-12); /* lands */
}
END_TEST

/* The larger of rebound and repair, and never their sum. */
START_TEST(repair_is_bounded_at_any_depth)
{
    for (int k = 0; k < 30; k++) {
        for (int split = 0; split < 2; split++) {
            perp_step_options o = perp_step_defaults();
            perp_step_report r;
            double depth = 1e-5 * pow(10, k / 6.0), speed = fmin(depth / o.dt, 0.3);
            o.recovery_speed = 0.3;
            o.split_impulse = split;
            marbles m = {.radius = 0.5, .floor = true};
            perp_body b = marble(2, 0.5, 0, 0, 0.5 - depth);
            perp_world w = marble_world(&m, &b, 1);
            ck_assert_msg(perp_step(&w, &o, &r) == PERP_SOLVED, "%s", r.detail);
            ck_assert_double_eq_tol(b.position[2], 0.5 - depth + o.dt * speed, 1e-12);
            ck_assert_double_eq_tol(b.velocity[2], split ? 0 : speed, 1e-12);
            ck_assert_double_eq_tol(r.contact_work, split ? 0 : speed * speed, 1e-12);
            ck_assert_double_eq_tol(r.overlap, depth, 1e-12);
            perp_world_free(&w);
            double both = rebound(&o, 0.5, -4 * speed, -depth, &r);
            ck_assert_double_eq_tol(both, 4 * speed > 0.1 ? 2 * speed : split ? 0 : speed, 1e-12);
        }
    }
}
END_TEST

/* The peaks of a ball dropped from 1 above the floor; returns the worst |height - e^2n|. */
static double worst_height(perp_rule rule, double e, double h)
{
    marbles m = {.radius = 0.5, .restitution = e, .floor = true};
    perp_body b = marble(1, 0.5, 0, 0, 1.5);
    perp_world w = marble_world(&m, &b, 1);
    perp_step_options o = perp_step_defaults();
    o.rule = rule;
    o.dt = h;
    o.theta = 0.5;
    o.margin = 1;
    o.gravity[2] = -10;
    double worst = 0, before = 0;
    for (int n = 1; n < 4;) {
        ck_assert_int_eq(perp_step(&w, &o, NULL), PERP_SOLVED);
        double speed = b.velocity[2];
        if (before > 0 && speed <= 0) {
            worst = fmax(worst, fabs(b.position[2] - 0.5 - pow(e, 2 * n)));
            n++;
        }
        before = speed;
    }
    perp_world_free(&w);
    return worst;
}

START_TEST(heights_converge_with_slope_1)
{
    const double e = 0.8, v = sqrt(20);
    double x = 0, y = 0, xx = 0, xy = 0;
    int count = 0;
    for (int k = 0; k < 20; k++, count++) { /* not in tune with the time of the fall */
        double h = 0.01 * pow(2, -0.4 * k), error = worst_height(bouncing[_i], e, h);
        ck_assert_double_le(error, 3 * v * h);
        x += log(h);
        y += log(error);
        xx += log(h) * log(h);
        xy += log(h) * log(error);
    }
    double slope = (count * xy - x * y) / (count * xx - x * x);
    ck_assert_msg(slope > 0.8 && slope < 1.2, "slope %g", slope);
}
END_TEST

/* Kinetic energy of free bodies, each with its velocities v or its own. */
static double kinetic(const perp_rigid *s, const double *v)
{
    double sum = 0;
    for (int k = 0; k < s->bodies; k++) {
        perp_body b = s->body[k];
        if (v) memcpy(b.velocity, v + 6 * k, sizeof b.velocity);
        if (v) memcpy(b.spin, v + 6 * k + 3, sizeof b.spin);
        sum += perp_body_kinetic(&b);
    }
    return sum;
}

/* Up to three free bodies and the world in up to three contacts, which need not fit any shape. */
static scene random_impact(generator *g, perp_arena *a, double e)
{
    scene c = random_scene(g, a, generator_between(g, 2, 3), generator_between(g, 1, 3), 0);
    for (int k = 0; k < c.s.bodies; k++) {
        c.body[k].kind = PERP_BODY_FREE;
        memset(c.body[k].force, 0, sizeof c.body->force);
        memset(c.body[k].torque, 0, sizeof c.body->torque);
    }
    for (int k = 0; k < c.s.contacts; k++) {
        c.contact[k].mu *= 2;
        c.contact[k].gap = 0;
        c.contact[k].restitution = e >= 0 ? e : generator_unit(g);
    }
    c.s.gyroscopic = false;
    c.s.dt = 1e-2;
    return c;
}

/* Pure impacts by perp_step_solve: how many added energy, which is measured from velocities; those
 * that could not be solved to 1e-13 are not looked at. */
static int count_gains(perp_rule rule, double e, int count, int *reduced, int *solved)
{
    perp_fc3d_nsgs_options solver = perp_fc3d_nsgs_defaults();
    perp_step_options o = perp_step_defaults();
    perp_arena a = {0};
    double v[18], r[9], l[1];
    int gains = 0;
    solver.base.tol = 1e-14;
    solver.base.max_iter = 5000;
    o.solver = &solver.base;
    for (int k = 0; k < count; k++) {
        generator g = generator_start((uint64_t)k + 1);
        perp_mark mark = perp_arena_mark(&a);
        scene c = random_impact(&g, &a, e);
        perp_solved out;
        c.s.rule = rule;
        memset(r, 0, sizeof r);
        perp_step_solve(&c.s, &o, &a, v, r, l, &out);
        double before = kinetic(&c.s, NULL), gain = kinetic(&c.s, v) - before;
        ck_assert_double_ge(out.status, 0);
        ck_assert_double_eq_tol(out.work.contacts, gain, 1e-12 * fmax(before, 1)); /* reported */
        *solved += out.residual < 1e-13;
        if (out.residual < 1e-13) *reduced += out.restitution_scale < 1;
        if (out.residual < 1e-13) gains += gain > 1e-12 * before;
        perp_arena_release(&a, mark);
    }
    perp_arena_free(&a);
    return gains;
}

/* Proved for the first three; the others are made so by less restitution. */
START_TEST(impacts_add_no_energy)
{
    const struct {
        perp_rule rule;
        double e; /* -1: of each contact its own */
        bool reduces;
    } row[] = {
        {PERP_RULE_IMPACT, 0, false},    {PERP_RULE_MOREAU, 0.7, false},
        {PERP_RULE_POISSON, 0.7, false}, {PERP_RULE_MOREAU, 1, false},
        {PERP_RULE_IMPACT, 0.9, true},   {PERP_RULE_IMPACT, -1, true},
        {PERP_RULE_MOREAU, -1, true},    {PERP_RULE_RECOVERY, 0.9, true},
    };
    const char *more = getenv("PERP_IMPACTS"); /* 100000: some minutes */
    const int count = more ? atoi(more) : _i < 2 ? 10000 : 2000;
    int reduced = 0, solved = 0;
    int gains = count_gains(row[_i].rule, row[_i].e, count, &reduced, &solved);
    ck_assert_msg(gains == 0, "%d of %d gained", gains, solved);
    ck_assert_int_gt(solved, count * 9 / 10);
    ck_assert_msg((reduced > 0) == row[_i].reduces, "%d of %d reduced", reduced, solved);
}
END_TEST

/* Two phases by hand: a rod's end on ice, and a stuck sphere, whose tangential impulse returns. */
START_TEST(poisson_gives_the_impulse_back)
{
    perp_step_options o = perp_step_defaults();
    marbles m = {.radius = 0.5, .mu = 10, .restitution = 0.5, .floor = true};
    perp_body b = marble(2, 0.5, 0, 0, 0.5);
    perp_world w = marble_world(&m, &b, 1);
    o.rule = PERP_RULE_POISSON;
    b.velocity[0] = 3;
    b.velocity[2] = -2;
    ck_assert_int_eq(perp_step(&w, &o, NULL), PERP_SOLVED);
    ck_assert_double_eq_tol(w.impulse[0], 1.5 * 4, 1e-10);
    /* sticking takes m v 2/7 */
    ck_assert_double_eq_tol(hypot(w.impulse[1], w.impulse[2]), 1.5 * 2 * 3 * 2 / 7.0, 1e-10);
    ck_assert_double_eq_tol(b.velocity[2], 1, 1e-10);
    ck_assert_double_eq_tol(b.velocity[0], 3 - 1.5 * 3 * 2 / 7.0, 1e-10);
    perp_world_free(&w);
}
END_TEST

START_TEST(refusals)
{
    perp_step_options o = perp_step_defaults();
    perp_error e;
    o.recovery_speed = -1;
    ck_assert_int_eq(perp_step_check(&o, &e), PERP_E_OPTION);
    ck_assert(strstr(e.text, "recovery_speed"));
    o = perp_step_defaults();
    o.split_impulse = true;
    o.rule = PERP_RULE_GAP;
    ck_assert_int_eq(perp_step_check(&o, &e), PERP_E_OPTION);
    o.split_impulse = false;
    o.rule = (perp_rule)5;
    ck_assert_int_eq(perp_step_check(&o, &e), PERP_E_OPTION);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_step_laws");
    TCase *c = tcase_create("laws");
    tcase_set_timeout(c, 300);
    tcase_add_loop_test(c, a_rebound_is_e_times_the_approach, 0, 4);
    tcase_add_test(c, recovery_bounces_above_its_threshold);
    tcase_add_test(c, repair_is_bounded_at_any_depth);
    tcase_add_loop_test(c, heights_converge_with_slope_1, 0, 4);
    tcase_add_loop_test(c, impacts_add_no_energy, 0, 8);
    tcase_add_test(c, poisson_gives_the_impulse_back);
    tcase_add_test(c, refusals);
    suite_add_tcase(s, c);
    return support_run(s);
}
