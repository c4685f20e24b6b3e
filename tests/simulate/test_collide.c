/* tests/simulate/test_collide.c: the grid finds what every pair looked at finds. */
#include "sim_support.h"

static int count_in_steps(sim *s, perp_world *w, int *contacts)
{
    perp_step_report r;
    w->collide = sim_collide;
    w->ctx = s;
    perp_status status = perp_step(w, &s->step, &r);
    *contacts = r.contacts;
    return status;
}

/* Spheres of different sizes, some two to a body, and a tilted plane. */
START_TEST(the_grid_misses_nothing)
{
    enum { N = 60 };
    sim s;
    sim_open(&s, &sim_column);
    ck_assert(sim_room(&s, N, N + N / 2 + 1));
    uint64_t seed = (uint64_t)_i + 1;
    for (int k = 0; k < N; k++) {
        double x[3];
        for (int i = 0; i < 3; i++) x[i] = 6 * sim_random(&seed) - 3;
        int body = sim_add_sphere(&s, 1, 0.1 + 0.6 * sim_random(&seed), x);
        if (k % 2)
            sim_add_shape(
                &s, (sim_shape){
                        .kind = SIM_SPHERE, .body = body, .size = {0.3}, .position = {0, 0.5, 0}});
        s.world.body[k].rotation[0] = 0.6;
        s.world.body[k].rotation[3] = 0.8;
    }
    const double at[3] = {0, 0, -2.5}, n[3] = {0.1, 0, 1};
    sim_add_plane(&s, at, n);
    sim_set_contact(&s, 0.2, 0);
    double margin = 0.1 * (_i % 3);
    s.step.margin = margin;
    int want = 0;
    double deepest = 0;
    for (int j = 0; j < s.shapes; j++) {
        for (int k = 0; k < j; k++) {
            const sim_shape *a = s.shape + j, *b = s.shape + k;
            double x[3], y[3], R[9], Q[9], gap = 0;
            sim_shape_pose(a, s.world.body, x, R);
            sim_shape_pose(b, s.world.body, y, Q);
            if (a->body == b->body) continue;
            for (int i = 0; i < 3; i++) {
                double d = x[i] - y[i];
                gap += a->kind == SIM_PLANE ? -d * R[6 + i] : d * d;
            }
            gap = a->kind == SIM_PLANE ? gap - b->size[0] : sqrt(gap) - a->size[0] - b->size[0];
            want += gap <= margin;
            deepest = fmin(deepest, gap);
        }
    }
    int got;
    ck_assert_int_ge(count_in_steps(&s, &s.world, &got), 0);
    ck_assert_int_eq(got, want);
    ck_assert_int_gt(want, 20);
    for (int k = 0; k < s.world.contacts; k++) {
        const perp_contact *c = s.world.contact + k;
        ck_assert(c->mu == 0.2);
        ck_assert_double_ge(c->gap, deepest - 1e-12);
        ck_assert_double_eq_tol(plain_norm(3, c->normal), 1, 1e-14);
        for (int j = 0; j < k; j++) { /* names are unique */
            const perp_contact *d = s.world.contact + j;
            ck_assert(c->a != d->a || c->b != d->b || c->id != d->id);
        }
    }
    sim_close(&s);
}
END_TEST

START_TEST(normals_point_to_the_first_body)
{
    sim s;
    sim_open(&s, &sim_column);
    ck_assert(sim_room(&s, 2, 3));
    const double low[3] = {0, 0, 0.9}, high[3] = {0, 0, 2.8}, origin[3] = {0}, up[3] = {0, 0, 1};
    sim_add_sphere(&s, 1, 1, low);
    sim_add_sphere(&s, 1, 1, high);
    sim_add_plane(&s, origin, up);
    int got;
    s.step.margin = 0;
    ck_assert_int_ge(count_in_steps(&s, &s.world, &got), 0);
    ck_assert_int_eq(got, 2);
    for (int k = 0; k < 2; k++) {
        const perp_contact *c = s.world.contact + k;
        bool floor = c->b < 0;
        ck_assert_int_eq(c->a, 0);
        ck_assert_double_eq_tol(c->normal[2], floor ? 1 : -1, 1e-15);
        ck_assert_double_eq_tol(c->gap, -0.1, 1e-14);
        ck_assert_double_eq_tol(c->point[2], floor ? -0.05 : 1.85, 1e-14);
    }
    sim_close(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("simulate_collide");
    TCase *c = tcase_create("collide");
    tcase_add_loop_test(c, the_grid_misses_nothing, 0, 9);
    tcase_add_test(c, normals_point_to_the_first_body);
    suite_add_tcase(s, c);
    return support_run(s);
}
