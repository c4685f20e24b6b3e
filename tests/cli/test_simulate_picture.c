/* test_cli_simulate_picture.c: pictures show every shape where it is, the nearest last. */
#include "cli/simulate.h"
#include "cli_support.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const sim_parameter parameters[] = {
    {"dt", 0.01, 0, 1, false, "s"}, {"seconds", 1, 0, 1, false, "s"}, {NULL, 0, 0, 0, false, NULL}};

/* A box behind a capsule behind a sphere, on a floor. */
static bool build(sim *s, perp_error *e)
{
    (void)e;
    const double far[3] = {0, 3, 1}, middle[3] = {0, 2, 1}, near[3] = {0, 0, 1},
                 half[3] = {1, 1, 1};
    const double origin[3] = {0}, up[3] = {0, 0, 1};
    if (!sim_room(s, 3, 4)) return false;
    sim_add_sphere(s, 1, 0.5, near);
    sim_add_box(s, 1, half, far);
    perp_body b = perp_body_make(1, 1, 1, 1);
    memcpy(b.position, middle, sizeof middle);
    int body = sim_add_body(s, b);
    sim_add_shape(s,
                  (sim_shape){.kind = SIM_CAPSULE, .body = body, .size = {0.2, 0.4}, .colour = 1});
    sim_add_plane(s, origin, up);
    return true;
}

static const sim_scene scene = {
    .name = "three", .about = "shapes", .parameters = parameters, .build = build};

static char *draw(sim *s, bool forces)
{
    cli *c = cli_begin(NULL);
    simulate_view v = simulate_look(s);
    ck_assert(simulate_picture(c, s, &v, forces, c->out));
    cli_end();
    return call_out;
}

static int count(const char *text, const char *word)
{
    int n = 0;
    for (; (text = strstr(text, word)); text++) n++;
    return n;
}

START_TEST(shapes_are_painted_back_to_front)
{
    sim s;
    sim_open(&s, &scene);
    ck_assert_int_eq(sim_build(&s, NULL), PERP_SOLVED);
    const char *svg = draw(&s, false);
    const char *box = strstr(svg, "<polygon points='"), *line = strstr(svg, "<line"),
               *ball = strstr(svg, "<circle");
    ck_assert(box && line && ball && box < line && line < ball);
    ck_assert_int_eq(count(svg, "<polygon"), 1 + 2); /* the floor; one face and its shade */
    ck_assert_ptr_nonnull(strstr(svg, "stroke='#e69f00'"));
    ck_assert_ptr_nonnull(strstr(svg, "</svg>\n"));
    ck_assert_ptr_null(strstr(svg, "nan"));
    s.view[0] = 0.5;
    s.view[2] = 0.5; /* askew: three faces, and the floor as a square below them */
    svg = draw(&s, false);
    ck_assert_int_eq(count(svg, "<polygon"), 1 + 6);
    ck_assert_int_eq(count(svg, "fill='#eee'"), 1);
    s.view[2] = -0.5; /* from below there is no floor in the way */
    svg = draw(&s, false);
    ck_assert_int_eq(count(svg, "<polygon"), 6);
    sim_close(&s);
}
END_TEST

/* A hinge is a ring and a line, a ball joint a ring. */
START_TEST(joints_are_rings)
{
    sim s;
    const double at[3] = {0, 1, 1}, axis[3] = {1, 0, 0};
    sim_open(&s, &scene);
    ck_assert_int_eq(sim_build(&s, NULL), PERP_SOLVED);
    const char *svg = draw(&s, false);
    int rings = count(svg, "<circle"), lines = count(svg, "<line");
    perp_joint joint[2];
    const perp_body *body = s.world.body;
    joint[0] = perp_joint_make(PERP_JOINT_HINGE, body, 3, 0, 1, at, axis);
    joint[1] = perp_joint_make(PERP_JOINT_BALL, body, 3, -1, 2, at, axis);
    s.world.joint = joint;
    s.world.joints = 2;
    svg = draw(&s, false);
    ck_assert_int_eq(count(svg, "<circle"), rings + 2);
    ck_assert_int_eq(count(svg, "<line"), lines + 1);
    ck_assert_ptr_null(strstr(svg, "nan"));
    sim_close(&s);
}
END_TEST

/* The capsule is to be seen: not the sphere before it, and still the box behind it. */
START_TEST(what_is_before_the_shape_in_sight_is_left_out)
{
    sim s;
    sim_open(&s, &scene);
    ck_assert_int_eq(sim_build(&s, NULL), PERP_SOLVED);
    s.sight = 3;
    const char *svg = draw(&s, false);
    ck_assert_int_eq(count(svg, "<circle"), 0);
    ck_assert_int_eq(count(svg, "<line"), 1);
    ck_assert_int_eq(count(svg, "<polygon"), 1 + 2);
    sim_close(&s);
}
END_TEST

START_TEST(the_view_holds_everything)
{
    sim s;
    sim_open(&s, &scene);
    ck_assert_int_eq(sim_build(&s, NULL), PERP_SOLVED);
    simulate_view v = simulate_look(&s);
    ck_assert_double_eq_tol(v.right[0], 1, 1e-15);
    ck_assert_double_eq_tol(v.up[2], 1, 1e-15);
    double scale = v.scale;
    s.framed = true;
    s.frame[1][0] = 100;
    v = simulate_look(&s);
    ck_assert_double_lt(v.scale, 0.1 * scale);
    sim_close(&s);
}
END_TEST

/* Twelve edges, three of them over the bodies, and the base at the floor's height. */
START_TEST(a_box_is_drawn_by_its_edges)
{
    sim s;
    sim_open(&s, sim_find("settling"));
    ck_assert_int_eq(sim_set(&s, "spheres", "5", NULL), PERP_SOLVED);
    ck_assert_int_eq(sim_build(&s, NULL), PERP_SOLVED);
    const char *svg = draw(&s, false), *last = strstr(svg, "<circle");
    for (const char *next = last; next; next = strstr(next + 1, "<circle")) last = next;
    ck_assert_ptr_nonnull(last);
    ck_assert_int_eq(count(svg, "<path"), 12);
    ck_assert_int_eq(count(last, "<path"), 3);
    ck_assert_int_eq(count(svg, "<polygon"), 1);
    ck_assert_ptr_null(strstr(svg, "nan"));
    s.boxed = false;
    svg = draw(&s, false);
    ck_assert_int_eq(count(svg, "<path"), 0);
    sim_close(&s);
}
END_TEST

/* Seen from above, the sphere that stands before the capsule is left out, and one below it is not.
 */
START_TEST(the_cut_is_upright)
{
    sim s;
    sim_open(&s, &scene);
    ck_assert_int_eq(sim_build(&s, NULL), PERP_SOLVED);
    s.sight = 3;
    s.view[2] = 1;
    s.world.body[0].position[1] = 2.5; /* behind, and higher: nearer to the eye */
    s.world.body[0].position[2] = 9;
    ck_assert_int_gt(count(draw(&s, false), "<circle"), 0);
    s.world.body[0].position[1] = 1.5;
    s.world.body[0].position[2] = -9;
    ck_assert_int_eq(count(draw(&s, false), "<circle"), 0);
    sim_close(&s);
}
END_TEST

START_TEST(forces_are_lines)
{
    sim s;
    sim_open(&s, sim_find("settling"));
    ck_assert_int_eq(sim_set(&s, "spheres", "5", NULL), PERP_SOLVED);
    ck_assert_int_eq(sim_build(&s, NULL), PERP_SOLVED);
    s.step.solver = perp_find("fc3d/nsgs");
    ck_assert_ptr_null(strstr(draw(&s, true), "<line"));
    for (int k = 0; k < 60; k++) ck_assert_int_ge(sim_step(&s, NULL), 0);
    ck_assert_ptr_null(strstr(draw(&s, false), "<line"));
    ck_assert_int_ge(count(draw(&s, true), "<line"), 5);
    sim_close(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cli_simulate_picture");
    TCase *c = tcase_create("picture");
    tcase_add_checked_fixture(c, NULL, call_free);
    tcase_add_test(c, joints_are_rings);
    tcase_add_test(c, shapes_are_painted_back_to_front);
    tcase_add_test(c, what_is_before_the_shape_in_sight_is_left_out);
    tcase_add_test(c, the_view_holds_everything);
    tcase_add_test(c, a_box_is_drawn_by_its_edges);
    tcase_add_test(c, the_cut_is_upright);
    tcase_add_test(c, forces_are_lines);
    suite_add_tcase(s, c);
    return support_run(s);
}
