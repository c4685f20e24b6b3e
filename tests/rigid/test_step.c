/* tests/rigid/test_step.c: a step keeps momentum and never makes energy; rules, fixed point, first
 * order; refusals leave the world as it was; memory is found once. */
#include "step_support.h"

#define N 12

/* A cloud that flies together; half of it as dumbbells' moments, so that it tumbles. */
static void cloud(generator *g, perp_body *body)
{
    for (int k = 0; k < N; k++) {
        body[k] = marble(1 + generator_unit(g), 0.5, 0, 0, 0);
        if (k % 2) body[k].inertia[0] *= 0.5;
        for (int i = 0; i < 3; i++) {
            const int at[3] = {k % 3, k / 3 % 2, k / 6};
            body[k].position[i] = 1.2 * at[i] + 0.05 * generator_uniform(g);
            body[k].velocity[i] = 1 - at[i] + generator_uniform(g);
            body[k].spin[i] = 4 * generator_uniform(g);
        }
    }
}

START_TEST(momentum_stays_and_energy_does_not_rise)
{
    generator g = generator_start((uint64_t)_i + 1);
    perp_body body[N];
    marbles m = {.radius = 0.5, .mu = 0.4, .restitution = 0.25 * (_i % 5)};
    cloud(&g, body);
    perp_world w = marble_world(&m, body, N);
    perp_step_options o = perp_step_defaults();
    o.rule = PERP_RULE_IMPACT;
    o.theta = _i % 2 ? 0.5 : 1;
    o.margin = 1;
    o.gyroscopic = true;
    perp_fc3d_nsgs_options solver = perp_fc3d_nsgs_defaults();
    solver.base.tol = 1e-13;
    solver.base.max_iter = 100000;
    o.solver = &solver.base;
    double p[3], L[3], p_end[3], L_end[3], energy = 0, met = 0;
    momentum(body, N, p, L);
    for (int k = 0; k < N; k++) energy += perp_body_kinetic(body + k);
    for (int k = 0; k < 60; k++) {
        perp_step_report r;
        ck_assert_msg(perp_step(&w, &o, &r) == PERP_SOLVED, "%s", r.detail);
        ck_assert_double_le(r.kinetic, energy * (1 + 1e-12));
        energy = r.kinetic;
        met += r.contacts;
    }
    ck_assert_double_gt(met, 10);
    momentum(body, N, p_end, L_end);
    ck_assert_double_le(difference(3, p, p_end), 1e-12);
    ck_assert_double_le(difference(3, L, L_end), 1e-11);
    ck_assert_int_eq(w.steps, 60);
    ck_assert_double_eq_tol(w.time, 0.6, 1e-12);
    perp_world_free(&w);
}
END_TEST

/* A ball dropped on the floor: rules, and what theta does. */
START_TEST(a_ball_bounces_or_rests)
{
    marbles m = {.radius = 0.5, .restitution = 1, .floor = true};
    perp_body b = marble(2, 0.5, 0, 0, 1.5);
    perp_world w = marble_world(&m, &b, 1);
    perp_step_options o = perp_step_defaults();
    o.rule = PERP_RULE_GAP;
    o.gravity[2] = -10;
    o.margin = 1;
    perp_step_report r;
    ck_assert_int_eq(perp_step(&w, &o, &r), PERP_E_ARGUMENT);
    ck_assert_msg(strstr(r.detail, "step 1: contact 0 has restitution 1"), "%s", r.detail);
    ck_assert(b.position[2] == 1.5 && w.steps == 0);
    m.restitution = 0;
    for (int k = 0; k < 200; k++) ck_assert_int_eq(perp_step(&w, &o, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(b.position[2], 0.5, 1e-9); /* the gap rule lands without overlap */
    ck_assert_double_le(fabs(b.velocity[2]), 1e-9);
    ck_assert_double_eq_tol(w.impulse[0], 0.2, 1e-9);
    ck_assert_double_eq_tol(r.potential, 10, 1e-9);

    b.position[2] = 1.5;
    m.restitution = 1;
    o.rule = PERP_RULE_IMPACT;
    o.theta = 0.5;
    double least = INFINITY, most = -INFINITY;
    for (int k = 0; k < 500; k++) {
        ck_assert_int_eq(perp_step(&w, &o, &r), PERP_SOLVED);
        least = fmin(least, r.kinetic + r.potential);
        most = fmax(most, r.kinetic + r.potential);
    }
    ck_assert_double_le(most - least, 1e-10 * most);
    perp_world_free(&w);
}
END_TEST

/* The contact under a ball on a sphere turns: with the fixed point the gap at the end is closed. */
START_TEST(the_fixed_point_closes_the_gap)
{
    double overlap[2];
    for (int k = 0; k < 2; k++) {
        marbles m = {.radius = 0.5, .mu = 0.3};
        perp_body body[2] = {marble(1, 0.5, 0, 0, 0), marble(1, 0.5, 0.6, 0, 0.8)};
        body[0].kind = PERP_BODY_FIXED;
        body[1].velocity[1] = 2;
        perp_world w = marble_world(&m, body, 2);
        perp_step_options o = perp_step_defaults();
        o.rule = PERP_RULE_GAP;
        o.gravity[2] = -10;
        o.fixed_point = k ? 50 : 0;
        o.fixed_tol = 1e-12;
        o.dt = 0.02;
        perp_step_report r;
        ck_assert_msg(perp_step(&w, &o, &r) == PERP_SOLVED, "%s", r.detail);
        if (k) ck_assert(r.rounds > 1 && r.rounds < 50);
        if (!k) ck_assert_int_eq(r.rounds, 1);
        ck_assert_int_eq(m.calls, r.rounds);
        double d[3];
        for (int i = 0; i < 3; i++) d[i] = body[1].position[i];
        overlap[k] = fabs(plain_norm(3, d) - 1);
        perp_world_free(&w);
    }
    ck_assert_double_le(overlap[1], 1e-8);
    ck_assert_double_gt(overlap[0], 1e-4);
}
END_TEST

START_TEST(a_first_order_world_stops_with_its_forces)
{
    marbles m = {.radius = 0.5, .floor = true};
    perp_body b = marble(2, 0.5, 0, 0, 0.6);
    b.velocity[0] = 5; /* forgotten */
    b.force[0] = 4;
    perp_world w = marble_world(&m, &b, 1);
    perp_step_options o = perp_step_defaults();
    o.dynamics = PERP_DYNAMICS_FIRST_ORDER;
    o.gravity[2] = -1;
    o.margin = 1;
    for (int k = 0; k < 50; k++) ck_assert_int_eq(perp_step(&w, &o, NULL), PERP_SOLVED);
    ck_assert_double_eq_tol(b.velocity[0], 2, 1e-12); /* F / m */
    ck_assert_double_eq_tol(b.position[0], 1, 1e-12);
    ck_assert_double_eq_tol(b.position[2], 0.5, 1e-12);
    b.force[0] = 0;
    ck_assert_int_eq(perp_step(&w, &o, NULL), PERP_SOLVED);
    ck_assert(b.velocity[0] == 0);
    perp_world_free(&w);
}
END_TEST

static bool refuse_to_collide(void *ctx, const perp_body *body, int bodies, double margin,
                              perp_contacts *list)
{
    (void)ctx, (void)body, (void)bodies, (void)margin, (void)list;
    return false;
}

static void refused(perp_world *w, const perp_step_options *o, perp_status status, const char *word)
{
    perp_body before = w->body[0];
    perp_step_report r;
    ck_assert_int_eq(perp_step(w, o, &r), status);
    ck_assert_msg(strstr(r.detail, word) && strstr(r.detail, "step 1:"), "%s", r.detail);
    ck_assert_mem_eq(&before, w->body, sizeof before);
    ck_assert_int_eq(w->steps, 0);
    ck_assert(w->time == 0);
}

START_TEST(refusals_leave_the_world)
{
    marbles m = {.radius = 0.5, .floor = true, .mu = NAN};
    perp_body b = marble(2, 0.5, 0, 0, 0.5);
    perp_world w = marble_world(&m, &b, 1);
    perp_step_options good = perp_step_defaults(), o = good;
    o.gravity[2] = -10;
    refused(&w, &o, PERP_E_NUMBER, "contact 0");
    m.mu = 0;
    w.collide = refuse_to_collide;
    refused(&w, &o, PERP_E_ARGUMENT, "search");
    w.collide = NULL;
    o.escape_radius = 0.1;
    refused(&w, &o, PERP_E_NUMBER, "escaped");
    o.escape_radius = 0;
    o.dt = 1e308;
    refused(&w, &o, PERP_E_NUMBER, "finite");
    o.dt = NAN;
    refused(&w, &o, PERP_E_OPTION, "dt");
    o = good;
    o.dt = 0;
    refused(&w, &o, PERP_E_OPTION, "positive");
    o = good;
    o.theta = 0.4;
    refused(&w, &o, PERP_E_OPTION, "theta");
    o = good;
    o.form = PERP_RIGID_FORM_NNLS_ACCELERATIONS;
    refused(&w, &o, PERP_E_OPTION, "form");
    o = good;
    o.form = PERP_RIGID_FORM_LCP_FACETS;
    o.facets = 5;
    refused(&w, &o, PERP_E_OPTION, "even");
    o = good;
    o.rule = PERP_RULE_IMPACT;
    o.fixed_point = 3;
    refused(&w, &o, PERP_E_OPTION, "gap rule");
    o = good;
    o.gravity[1] = INFINITY;
    refused(&w, &o, PERP_E_NUMBER, "gravity");
    b.mass = -1;
    refused(&w, &good, PERP_E_ARGUMENT, "mass");
    ck_assert_int_eq(perp_step(NULL, NULL, NULL), PERP_E_ARGUMENT);
    ck_assert_int_eq(perp_step_check(NULL, NULL), PERP_SOLVED);
    perp_world_free(&w);
}
END_TEST

static bool refuse_after_one(void *ctx, const perp_body *body, int bodies, double margin,
                             perp_contacts *list)
{
    (void)ctx, (void)body, (void)bodies, (void)margin;
    perp_contact *c = perp_contacts_add(list, 0, -1);
    if (c) {
        c->id = 8;
        c->gap = 42;
    }
    return false;
}

/* The contacts and impulses of the last step stay when the next one is refused. */
START_TEST(a_refused_step_leaves_the_contacts)
{
    marbles m = {.radius = 0.5, .floor = true};
    perp_body b = marble(2, 0.5, 0, 0, 0.5);
    perp_world w = marble_world(&m, &b, 1);
    perp_step_options o = perp_step_defaults();
    o.gravity[2] = -10;
    ck_assert_int_eq(perp_step(&w, &o, NULL), PERP_SOLVED);
    ck_assert(w.contacts == 1 && w.contact[0].id == 7 && w.impulse[0] > 0);
    perp_contact before = w.contact[0];
    w.collide = refuse_after_one;
    ck_assert_int_eq(perp_step(&w, &o, NULL), PERP_E_ARGUMENT);
    ck_assert(w.contacts == 1 && w.impulse[0] > 0);
    ck_assert(w.contact[0].id == before.id && w.contact[0].gap == before.gap);
    perp_world_free(&w);
}
END_TEST

/* A step that is not certified moves on, and says so. */
START_TEST(an_unsolved_step_advances)
{
    generator g = generator_start(9);
    perp_body body[N];
    marbles m = {.radius = 0.6, .mu = 0.4, .floor = true};
    cloud(&g, body);
    perp_world w = marble_world(&m, body, N);
    perp_step_options o = perp_step_defaults();
    perp_fc3d_nsgs_options solver = perp_fc3d_nsgs_defaults();
    solver.base.tol = 1e-15;
    solver.base.max_iter = 1;
    o.solver = &solver.base;
    perp_step_report r;
    ck_assert_int_gt(perp_step(&w, &o, &r), 0);
    ck_assert_int_gt(r.unsolved, 0);
    ck_assert_ptr_nonnull(strstr(r.detail, "step 1:"));
    ck_assert_int_eq(w.steps, 1);
    ck_assert_double_gt(r.overlap, 0);
    perp_world_free(&w);
}
END_TEST

/* Steps find the memory of earlier ones, and a fixed buffer is enough; both give the same bits. */
START_TEST(memory_is_found_once)
{
    static double buffer[2][1 << 17];
    perp_body end[2][4];
    for (int fixed = 0; fixed < 2; fixed++) {
        marbles m = {.radius = 0.5, .mu = 0.4, .floor = true};
        perp_body *body = end[fixed];
        for (int k = 0; k < 4; k++) body[k] = marble(1, 0.5, 0.3 * (k % 2), 0, 0.6 + 1.01 * k);
        perp_world w = marble_world(&m, body, 4);
        if (fixed) {
            perp_arena_fixed(&w.memory, buffer[0], sizeof buffer[0]);
            perp_arena_fixed(&w.scratch[0], buffer[1], sizeof buffer[1]);
        }
        perp_step_options o = perp_step_defaults();
        o.gravity[2] = -10;
        o.margin = 10;
        o.solver = perp_find("fc3d/nsgs");
        unsigned before = 0;
        for (int k = 0; k < 100; k++) {
            perp_step_report r;
            ck_assert_msg(perp_step(&w, &o, &r) >= 0, "%s", r.detail);
            unsigned now = w.memory.allocations + w.scratch[0].allocations;
            if (k > 20) ck_assert_uint_eq(now, before); /* all has been met once */
            before = now;
        }
        perp_world_free(&w);
    }
    ck_assert_mem_eq(end[0], end[1], sizeof end[0]);
}
END_TEST

START_TEST(memory_that_ends_is_refused)
{
    marbles m = {.radius = 0.5, .floor = true};
    int steps = 0;
    for (int left = 0; left < 40 && !steps; left++) {
        perp_body b = marble(2, 0.5, 0, 0, 0.5);
        perp_world w = marble_world(&m, &b, 1);
        supply s = {.left = left};
        w.memory.resize = w.scratch[0].resize = scarce;
        w.memory.ctx = w.scratch[0].ctx = &s;
        perp_status status = perp_step(&w, NULL, NULL);
        ck_assert(status == PERP_SOLVED || status == PERP_E_MEMORY);
        steps = w.steps;
        perp_world_free(&w);
        ck_assert_int_eq(s.out, 0);
    }
    ck_assert_int_eq(steps, 1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_step");
    TCase *c = tcase_create("step");
    tcase_add_loop_test(c, momentum_stays_and_energy_does_not_rise, 0, 10);
    tcase_add_test(c, a_ball_bounces_or_rests);
    tcase_add_test(c, the_fixed_point_closes_the_gap);
    tcase_add_test(c, a_first_order_world_stops_with_its_forces);
    tcase_add_test(c, refusals_leave_the_world);
    tcase_add_test(c, a_refused_step_leaves_the_contacts);
    tcase_add_test(c, an_unsolved_step_advances);
    tcase_add_test(c, memory_is_found_once);
    tcase_add_test(c, memory_that_ends_is_refused);
    suite_add_tcase(s, c);
    return support_run(s);
}
