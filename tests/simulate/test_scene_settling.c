/* tests/simulate/test_scene_settling.c: spheres come to rest in their box, with little overlap,
 * with and without friction, and neither drift nor grow in memory when they have. */
#include "sim_support.h"

static void settle(sim *s, const char *const *set, int steps, double *overlap)
{
    sim_begin(s, &sim_settling, set);
    const char *name = s->step.form == PERP_RIGID_FORM_LCP ? "lcp/psor" : "fc3d/nsgs";
    perp_options *o = perp_options_new(&s->arena, name);
    o->tol = 1e-6;
    o->max_iter = 60;
    s->step.solver = o;
    *overlap = 0;
    for (int n = 0; n < steps; n++) {
        perp_step_report r;
        ck_assert_msg(sim_step(s, &r) >= 0, "%s", r.detail);
        *overlap = fmax(*overlap, r.overlap);
    }
}

START_TEST(spheres_come_to_rest)
{
    for (int k = 0; k < 2; k++) {
        const char *const set[] = {"spheres=12", k ? "mu=0.5" : "mu=0", NULL};
        sim s;
        double x[SIM_MEASURES_MOST], overlap;
        settle(&s, set, 300, &overlap);
        s.scene->measure(&s, x);
        ck_assert_double_le(overlap, 0.006);
        ck_assert_double_le(x[1], k ? 0.2 : 1);
        for (int b = 0; b < s.world.bodies; b++) {
            const double *p = s.world.body[b].position;
            ck_assert_double_ge(p[2], 0.99);
            ck_assert_double_le(fmax(fabs(p[0]), fabs(p[1])), 10);
        }
        sim_close(&s);
    }
}
END_TEST

START_TEST(a_heap_at_rest_stays)
{
    const char *const set[] = {"spheres=12", "mu=0.5", NULL};
    sim s;
    double overlap, before[36];
    settle(&s, set, 500, &overlap);
    for (int k = 0; k < 12; k++) memcpy(before + 3 * k, s.world.body[k].position, 24);
    int contacts = s.world.contacts;
    unsigned allocations = s.world.memory.allocations + s.world.scratch[0].allocations;
    for (int n = 0; n < 300; n++) ck_assert_int_ge(sim_step(&s, NULL), 0);
    ck_assert_uint_eq(s.world.memory.allocations + s.world.scratch[0].allocations, allocations);
    ck_assert_int_eq(s.world.contacts, contacts);
    for (int k = 0; k < 12; k++)
        ck_assert_double_le(difference(3, before + 3 * k, s.world.body[k].position), 1e-3);
    sim_close(&s);
}
END_TEST

/* Without the margin's foresight spheres overlap; every contact of the list is one that closes. */
START_TEST(the_papers_rule_lists_what_closes)
{
    double overlap[2], x[2][SIM_MEASURES_MOST];
    int contacts[2];
    for (int k = 0; k < 2; k++) {
        const char *const set[] = {"spheres=12", k ? "impact=1" : "impact=0", NULL};
        sim s;
        settle(&s, set, 200, overlap + k);
        s.scene->measure(&s, x[k]);
        contacts[k] = s.world.contacts;
        sim_close(&s);
    }
    ck_assert_double_gt(overlap[1], 3 * overlap[0]);
    ck_assert_int_lt(contacts[1], contacts[0]);
    for (int k = 0; k < 2; k++) {
        ck_assert_double_ge(x[k][2], 12);
        ck_assert_double_le(x[k][2], contacts[k]);
    }
    ck_assert_double_lt(x[0][2], contacts[0]);
}
END_TEST

/* The linearised gap heals what little there is, until the paper's rule takes over. */
START_TEST(the_papers_rule_may_come_later)
{
    const char *const set[] = {"spheres=12", "impact=1", "impact_from=4", NULL};
    double overlap = 0;
    int loose = 0;
    sim s;
    sim_begin(&s, &sim_settling, set);
    for (int n = 0; n < 300; n++) {
        perp_step_report r;
        double x[SIM_MEASURES_MOST];
        ck_assert_int_ge(sim_step(&s, &r), 0);
        ck_assert_int_eq(s.step.rule, n < 200 ? PERP_RULE_GAP : PERP_RULE_IMPACT);
        s.scene->measure(&s, x);
        overlap = n == 200 ? 0 : fmax(overlap, r.overlap);
        loose += n >= 200 && x[2] < r.contacts - 6; /* what does not close is not listed any more */
    }
    ck_assert_int_eq(loose, 0);
    ck_assert_double_lt(overlap, 4 * SIM_GRAVITY * 0.02 * 0.02); /* some steps' weight */
    sim_close(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("simulate_scene_settling");
    TCase *c = tcase_create("settling");
    tcase_add_test(c, spheres_come_to_rest);
    tcase_add_test(c, a_heap_at_rest_stays);
    tcase_add_test(c, the_papers_rule_lists_what_closes);
    tcase_add_test(c, the_papers_rule_may_come_later);
    suite_add_tcase(s, c);
    return support_run(s);
}
