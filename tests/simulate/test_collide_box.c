/* tests/simulate/test_collide_box.c: where two boxes touch: faces flush and shifted, a corner, two
 * edges; and that moving boxes apart by their overlap ends it. */
#include "sim_support.h"

#define ROOM 600

static const sim_parameter parameters[] = {
    {"dt", 0.01, 0, 1, false, "s"}, {"seconds", 1, 0, 1, false, "s"}, {NULL, 0, 0, 0, false, NULL}};

static bool build_boxes(sim *s, perp_error *e)
{
    (void)e;
    const double half[3] = {1, 0.5, 0.25}, place[3] = {0};
    if (!sim_room(s, 2, 2)) return false;
    sim_add_box(s, 1, half, place);
    sim_add_box(s, 1, half, place);
    sim_set_contact(s, 0.5, 0);
    s->world.collide = sim_collide_boxes;
    s->step.margin = 0.05;
    return true;
}

static const sim_scene boxes = {
    .name = "boxes", .about = "two", .parameters = parameters, .build = build_boxes};

static double square(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sum;
}

/* One step from rest: its contacts are in the world. */
static void touch(sim *s, const double position[3], const double rotation[4], double slop)
{
    sim_begin(s, &boxes, NULL);
    s->slop = slop;
    perp_body *b = s->world.body + 1;
    double length = sqrt(square(4, rotation));
    for (int i = 0; i < 3; i++) b->position[i] = position[i];
    for (int i = 0; i < 4; i++) b->rotation[i] = rotation[i] / length;
    perp_step_report r;
    ck_assert_msg(sim_step(s, &r) == PERP_SOLVED, "%s", r.detail);
}

START_TEST(flush_faces_have_four_corners)
{
    static const struct {
        double place[3], low[2], high[2];
    } cases[] = {{{0, 0, 0.51}, {-1, -0.5}, {1, 0.5}},
                 {{1, 0, 0.51}, {0, -0.5}, {1, 0.5}},
                 {{-0.5, 0.3, 0.51}, {-1, -0.2}, {0.5, 0.5}}};
    for (int k = 0; k < 3; k++) {
        const double wobble[4] = {1, 1e-9, -2e-9, 1e-9};
        sim s;
        touch(&s, cases[k].place, wobble, 0);
        ck_assert_int_eq(s.world.contacts, 4);
        for (int j = 0; j < 4; j++) {
            const perp_contact *c = s.world.contact + j;
            for (int i = 0; i < 2; i++) {
                ck_assert(fabs(c->point[i] - cases[k].low[i]) < 1e-7 ||
                          fabs(c->point[i] - cases[k].high[i]) < 1e-7);
            }
            ck_assert_double_eq_tol(c->point[2], 0.255, 1e-7);
            ck_assert_double_eq_tol(c->gap, 0.01, 1e-7);
            ck_assert_double_eq_tol(c->normal[2], -1, 1e-12); /* from b to a */
            for (int i = 0; i < j; i++) ck_assert_int_ne(s.world.contact[i].id, c->id);
        }
        sim_close(&s);
    }
}
END_TEST

START_TEST(small_gaps_count_as_closed)
{
    const double place[3] = {0, 0, 0.5 + 1e-4}, straight[4] = {1, 0, 0, 0};
    sim s;
    touch(&s, place, straight, 2e-4);
    ck_assert_int_eq(s.world.contacts, 4);
    ck_assert(s.world.contact[0].gap == 0);
    sim_close(&s);
    touch(&s, place, straight, 1e-5);
    ck_assert_double_eq_tol(s.world.contact[0].gap, 1e-4, 1e-12);
    sim_close(&s);
}
END_TEST

/* A long edge over another, at a right angle: turned by 45 degrees about y and about x. */
START_TEST(crossing_edges_have_one_point)
{
    const double half = SIM_PI / 8, gap = 0.02, across[4] = {cos(half), sin(half), 0, 0};
    sim s;
    sim_begin(&s, &boxes, NULL);
    double low = sqrt(0.5) * (1 + 0.25), high = sqrt(0.5) * (0.5 + 0.25);
    s.world.body[0].rotation[0] = cos(half);
    s.world.body[0].rotation[2] = sin(half);
    memcpy(s.world.body[1].rotation, across, sizeof across);
    /* the edge of 0 lies along y at x = sqrt(1/2) (0.25 - 1), that of 1 along x */
    double x = sqrt(0.5) * (0.25 - 1), y = sqrt(0.5) * (0.25 - 0.5);
    s.world.body[1].position[2] = low + high + gap;
    perp_step_report r;
    ck_assert_msg(sim_step(&s, &r) == PERP_SOLVED, "%s", r.detail);
    ck_assert_int_eq(s.world.contacts, 1);
    const perp_contact *c = s.world.contact;
    ck_assert_double_eq_tol(c->gap, gap, 1e-12);
    ck_assert_double_eq_tol(c->normal[2], -1, 1e-12);
    ck_assert_double_eq_tol(c->point[2], low + 0.5 * gap, 1e-12);
    ck_assert_double_eq_tol(fabs(c->point[0]), fabs(x), 1e-12);
    ck_assert_double_eq_tol(fabs(c->point[1]), fabs(y), 1e-12);
    sim_close(&s);
}
END_TEST

START_TEST(moving_them_apart_ends_the_overlap)
{
    uint64_t state = 7;
    int met = 0;
    for (int k = 0; k < ROOM; k++) {
        double place[3], turn[4];
        for (int i = 0; i < 3; i++) place[i] = (i == 2 ? 1.2 : 2) * (2 * sim_random(&state) - 1);
        for (int i = 0; i < 4; i++) turn[i] = 2 * sim_random(&state) - 1;
        sim s;
        touch(&s, place, turn, 0);
        double deepest = INFINITY;
        for (int j = 0; j < s.world.contacts; j++) deepest = fmin(deepest, s.world.contact[j].gap);
        for (int j = 0; j < s.world.contacts; j++) {
            const perp_contact *c = s.world.contact + j;
            double size = square(3, c->normal);
            ck_assert_double_eq_tol(size, 1, 1e-12);
            ck_assert_double_le(c->gap, 0.05 + 1e-12);
        }
        if (s.world.contacts == 0) {
            sim_close(&s);
            continue;
        }
        met++;
        double away[3];
        for (int i = 0; i < 3; i++) {
            away[i] = place[i] - (1e-9 - deepest) * s.world.contact[0].normal[i];
        }
        sim_close(&s);
        touch(&s, away, turn, 0);
        for (int j = 0; j < s.world.contacts; j++)
            ck_assert_double_ge(s.world.contact[j].gap, -1e-8);
        sim_close(&s);
    }
    ck_assert_int_ge(met, 50);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("simulate_collide_box");
    TCase *c = tcase_create("boxes");
    tcase_add_test(c, flush_faces_have_four_corners);
    tcase_add_test(c, small_gaps_count_as_closed);
    tcase_add_test(c, crossing_edges_have_one_point);
    tcase_add_test(c, moving_them_apart_ends_the_overlap);
    suite_add_tcase(s, c);
    return support_run(s);
}
