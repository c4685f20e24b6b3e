/* tests/simulate/test_scene_hand.c: a stack stands while one of its boxes is moved, a chain follows
 * and holds together, a gear is pushed onto two others; each with 50 iterations a step. */
#include "sim_support.h"

static void move(const char *which, const char *more, double out[SIM_MEASURES_MOST])
{
    const char *const set[] = {which, more, NULL};
    sim s;
    sim_begin(&s, &sim_hand, set);
    perp_options *o = perp_options_new(&s.arena, "mcp/nncg");
    o->max_iter = 50;
    s.step.solver = o;
    for (int n = 0; n < s.steps; n++) {
        perp_step_report r;
        ck_assert_int_ge(sim_step(&s, &r), 0);
    }
    s.scene->measure(&s, out);
    sim_close(&s);
}

START_TEST(stack_stands)
{
    double x[SIM_MEASURES_MOST];
    if (!sim_has_ode()) return;
    move("case=a", "reach=0.2", x);
    ck_assert(x[0] > 0.01 && x[0] < 0.3); /* the box follows its hand, not at once */
    ck_assert_double_eq(x[2], 0);
    ck_assert_double_le(fabs(x[4] - 5.5), 0.1);
    move("case=a", "reach=2", x); /* too far and too fast: what is above falls */
    ck_assert_double_ge(x[2], 1);
}
END_TEST

START_TEST(chain_holds_together)
{
    double x[SIM_MEASURES_MOST];
    if (!sim_has_ode()) return;
    move("case=b", "reach=0.2", x);
    ck_assert(x[1] > 0 && x[1] < 0.01);
    ck_assert_double_lt(x[0], 1.5);
}
END_TEST

START_TEST(gear_is_placed)
{
    double x[SIM_MEASURES_MOST];
    if (!sim_has_ode()) return;
    move("case=c", "seconds=6", x);
    ck_assert(x[4] > 1.2 && x[4] < 1.45); /* between the two, on the shelf it was at 1.5 */
    ck_assert_double_lt(x[3], 0.05);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("simulate_scene_hand");
    TCase *c = tcase_create("hand");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, stack_stands);
    tcase_add_test(c, chain_holds_together);
    tcase_add_test(c, gear_is_placed);
    suite_add_tcase(s, c);
    return support_run(s);
}
