/* tests/simulate/test_collide_ode.c: manifolds of boxes with a margin, by ODE; the same spheres as
 * without it. Passes where ODE is not there. */
#include "sim_support.h"

static const sim_parameter parameters[] = {
    {"dt", 0.01, 0, 1, false, "s"}, {"seconds", 1, 0, 1, false, "s"}, {NULL, 0, 0, 0, false, NULL}};

static bool build_boxes(sim *s, perp_error *e)
{
    (void)e;
    const double origin[3] = {0}, up[3] = {0, 0, 1}, half[3] = {1, 0.5, 0.25};
    const double low[3] = {0, 0, 0.26}, high[3] = {0.5, 0.2, 0.77}, off[3] = {5, 0, 2};
    if (!sim_room(s, 3, 4)) return false;
    sim_add_box(s, 1, half, low);
    sim_add_box(s, 1, half, high);
    sim_add_sphere(s, 1, 1, off);
    sim_add_plane(s, origin, up);
    sim_set_contact(s, 0.5, 0);
    s->step.margin = 0.05;
    s->step.gravity[2] = -10;
    return true;
}

static const sim_scene boxes = {.name = "boxes",
                                .about = "two boxes",
                                .parameters = parameters,
                                .ode = true,
                                .build = build_boxes};

START_TEST(boxes_have_four_corners)
{
    sim s;
    sim_begin(&s, &boxes, NULL);
    perp_step_report r;
    ck_assert_msg(sim_step(&s, &r) == PERP_SOLVED, "%s", r.detail);
    int floor = 0, between = 0;
    for (int k = 0; k < s.world.contacts; k++) {
        const perp_contact *c = s.world.contact + k;
        ck_assert_double_eq_tol(c->gap, 0.01, 1e-12);
        for (int j = 0; j < k; j++) {
            const perp_contact *d = s.world.contact + j;
            ck_assert(c->a != d->a || c->b != d->b || c->id != d->id);
        }
        if (c->b < 0) {
            floor++;
            ck_assert_double_eq_tol(fabs(c->point[0]), 1, 1e-12);
            ck_assert_double_eq_tol(fabs(c->point[1]), 0.5, 1e-12);
            ck_assert_double_eq_tol(c->normal[2], 1, 1e-14);
        } else {
            between++;
            ck_assert(c->a == 0 && c->b == 1);
            ck_assert_double_eq_tol(c->normal[2], -1, 1e-14);
            bool x = fabs(c->point[0] - 1) < 1e-12 || fabs(c->point[0] + 0.5) < 1e-12;
            bool y = fabs(c->point[1] - 0.5) < 1e-12 || fabs(c->point[1] + 0.3) < 1e-12;
            ck_assert_msg(x && y, "%g %g", c->point[0], c->point[1]);
        }
    }
    ck_assert_int_eq(floor, 4);
    ck_assert_int_eq(between, 4);
    for (int k = 0; k < 100; k++) ck_assert_int_eq(sim_step(&s, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(s.world.body[0].position[2], 0.25, 1e-6);
    ck_assert_double_eq_tol(s.world.body[1].position[2], 0.75, 1e-6);
    ck_assert_double_eq_tol(s.world.body[1].position[0], 0.5, 1e-5);
    ck_assert_double_eq_tol(s.world.body[2].position[2], 1, 1e-6);
    sim_close(&s);
}
END_TEST

/* The same settling by our grid and by ODE. */
START_TEST(spheres_touch_as_in_the_grid)
{
    const char *const set[] = {"spheres=20", NULL};
    sim_scene other = sim_settling;
    other.ode = true;
    sim own, ode;
    sim_begin(&own, &sim_settling, set);
    sim_begin(&ode, &other, set);
    for (int k = 0; k < 30; k++) {
        perp_step_report r, q;
        ck_assert_int_ge(sim_step(&own, &r), 0);
        ck_assert_int_ge(sim_step(&ode, &q), 0);
        ck_assert_int_eq(r.contacts, q.contacts);
        ck_assert_double_eq_tol(r.kinetic, q.kinetic, 1e-4 * (1 + r.kinetic));
    }
    sim_close(&own);
    sim_close(&ode);
}
END_TEST

START_TEST(without_ode_nothing_is_found)
{
    sim s;
    sim_open(&s, &boxes);
    ck_assert_int_eq(sim_build(&s, NULL), PERP_E_FORMAT);
    ck_assert(!sim_collide_ode(&s, NULL, 0, NULL));
    sim_close(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("simulate_collide_ode");
    TCase *c = tcase_create("ode");
    if (sim_has_ode()) {
        tcase_add_test(c, boxes_have_four_corners);
        tcase_add_test(c, spheres_touch_as_in_the_grid);
    } else {
        tcase_add_test(c, without_ode_nothing_is_found);
    }
    suite_add_tcase(s, c);
    return support_run(s);
}
