/* tests/simulate/test_scenes.c: every scene is found, documented, and makes its first steps. */
#include "sim_support.h"

START_TEST(scenes_are_in_order)
{
    for (int k = 0; sim_scenes[k]; k++) {
        const sim_scene *scene = sim_scenes[k];
        ck_assert_ptr_eq(sim_find(scene->name), scene);
        ck_assert(scene->about && scene->about[0]);
        int count = 0;
        for (const sim_parameter *p = scene->parameters; p->name; p++, count++) {
            ck_assert_msg(p->min <= p->value && p->value <= p->max, "%s %s", scene->name, p->name);
            ck_assert(p->help && p->help[0]);
            for (const sim_parameter *q = scene->parameters; q < p; q++)
                ck_assert_str_ne(p->name, q->name);
        }
        ck_assert_int_le(count, SIM_PARAMETERS_MOST);
        int measures = 0;
        while (scene->measures && scene->measures[measures]) measures++;
        ck_assert_int_le(measures, SIM_MEASURES_MOST);
        ck_assert((measures > 0) == (scene->measure != NULL));
    }
    ck_assert_ptr_null(sim_find("nothing"));
}
END_TEST

START_TEST(every_scene_steps)
{
    for (int k = 0; sim_scenes[k]; k++) {
        if (sim_scenes[k]->ode && !sim_has_ode()) continue;
        sim s;
        sim_begin(&s, sim_scenes[k], NULL);
        if (s.step.form == PERP_RIGID_FORM_FC3D_LOCAL) { /* that it steps, quickly */
            perp_options *o = perp_options_new(&s.arena, "fc3d/nsgs");
            o->max_iter = 20;
            s.step.solver = o;
        }
        ck_assert_int_gt(s.steps, 0);
        ck_assert_int_gt(s.world.bodies, 0);
        for (int n = 0; n < 3; n++) {
            perp_step_report r;
            ck_assert_msg(sim_step(&s, &r) >= 0, "%s: %s", sim_scenes[k]->name, r.detail);
            ck_assert(isfinite(sim_energy(&r)));
        }
        double x[SIM_MEASURES_MOST];
        if (s.scene->measure) s.scene->measure(&s, x);
        sim_close(&s);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("simulate_scenes");
    TCase *c = tcase_create("scenes");
    tcase_add_test(c, scenes_are_in_order);
    tcase_add_test(c, every_scene_steps);
    suite_add_tcase(s, c);
    return support_run(s);
}
