/* tests/rigid/test_step_warm_start.c: the list grows, impulses are found again by bodies and id,
 * and turn with no frame. */
#include "step_support.h"

START_TEST(impulses_are_found_again)
{
    enum { N = 1000 };
    perp_world w = {0};
    perp_step_memory *kept = perp_step_memory_open(&w, 0);
    ck_assert_ptr_nonnull(kept);
    ck_assert_ptr_eq(perp_step_memory_open(&w, 0), kept);
    perp_contacts *list = perp_step_memory_start(kept);
    generator g = generator_start(1);
    for (int k = 0; k < N; k++) {
        perp_contact *c = perp_contacts_add(list, k % 10, -1 + k / 100);
        ck_assert_ptr_nonnull(c);
        ck_assert(c->gap == 0 && c->mu == 0 && c->a == k % 10);
        c->id = k / 10 % 10;
        double u = generator_unit(&g) * 6;
        c->normal[0] = cos(u);
        c->normal[1] = sin(u);
    }
    ck_assert_int_eq(list->count, N);
    for (int k = 0; k < 3 * N; k++) list->impulse[k] = generator_uniform(&g);
    ck_assert(perp_step_memory_remember(&w, list));
    double *r = perp_alloc(&w.scratch[0], 3 * N, sizeof *r);
    perp_step_memory_recall(kept, list->contact, N, r);
    ck_assert_double_le(difference(3 * N, r, list->impulse), 1e-15);
    /* unknown to it */
    perp_contact other = list->contact[5];
    other.id = 99;
    perp_step_memory_recall(kept, &other, 1, r);
    ck_assert(r[0] == 0 && r[1] == 0 && r[2] == 0);
    /* a frame that has turned sees the same vector */
    other = list->contact[5];
    other.normal[0] = 0;
    other.normal[1] = 0;
    other.normal[2] = 1;
    perp_step_memory_recall(kept, &other, 1, r);
    ck_assert_double_eq_tol(plain_norm(3, r), plain_norm(3, list->impulse + 15), 1e-15);
    perp_world_free(&w);
}
END_TEST

START_TEST(the_last_list_stays_until_it_is_replaced)
{
    perp_world w = {0};
    perp_step_memory *kept = perp_step_memory_open(&w, 4);
    ck_assert_ptr_ne(kept->joint[0], kept->joint[1]);
    perp_contacts *first = perp_step_memory_start(kept);
    perp_contacts_add(first, 1, 2);
    kept->now = !kept->now;
    perp_contacts *second = perp_step_memory_start(kept);
    ck_assert_ptr_ne(first, second);
    ck_assert_int_eq(first->count, 1);
    ck_assert_int_eq(second->count, 0);
    perp_world_free(&w);
}
END_TEST

START_TEST(memory_that_ends_is_told)
{
    char buffer[4096];
    perp_world w = {0};
    perp_arena_fixed(&w.memory, buffer, sizeof buffer);
    perp_step_memory *kept = perp_step_memory_open(&w, 0);
    ck_assert_ptr_nonnull(kept);
    ck_assert_ptr_null(perp_contacts_add(perp_step_memory_start(kept), 0, 1));
    perp_world_free(&w);
}
END_TEST

/* ---- what the caller's ids do ---- */

typedef enum naming { STABLE, NEW, EQUAL } naming;

/* A beam on two feet, the right one first in every other step; impulses of the feet, left and
 * right, that the last solve started from. */
typedef struct beam {
    naming ids;
    int calls;
    double start[2];
} beam;

static bool beam_collide(void *ctx, const perp_body *body, int bodies, double margin,
                         perp_contacts *list)
{
    beam *m = ctx;
    (void)bodies, (void)margin;
    for (int k = 0; k < 2; k++) {
        int right = m->calls % 2 ? !k : k;
        perp_contact *c = perp_contacts_add(list, 0, -1);
        if (!c) return false;
        c->id = m->ids == STABLE ? right : m->ids == NEW ? 2 * m->calls + k : 5;
        c->normal[2] = 1;
        c->point[0] = body->position[0] + (right ? 1 : -1);
    }
    m->calls++;
    return true;
}

static void look(void *ctx, const perp_rigid *s, const double *impulse)
{
    beam *m = ctx;
    for (int k = 0; k < s->contacts; k++) {
        m->start[s->contact[k].point[0] > s->body->position[0]] = impulse[3 * k];
    }
}

/* A foot starts from its own impulse of the step before, wherever it stands in the list, as long as
 * it keeps its id; with a new one it starts from 0, and with equal ones both start from the
 * first's.
 */
START_TEST(the_id_names_a_contact)
{
    for (int ids = STABLE; ids <= EQUAL; ids++) {
        beam m = {.ids = (naming)ids};
        perp_body b = perp_body_make(1, 1, 1, 1);
        perp_world w = {.bodies = 1, .body = &b, .collide = beam_collide, .ctx = &m};
        perp_step_options o = perp_step_defaults();
        o.gravity[2] = -10;
        o.inspect = look;
        o.inspect_ctx = &m;
        b.torque[1] = 4; /* presses on the right foot: 3 N and 7 N */
        for (int step = 0; step < 3; step++) {
            ck_assert_int_eq(perp_step(&w, &o, NULL), PERP_SOLVED);
            double left = step == 0 || ids == NEW ? 0 : ids == STABLE || step == 1 ? 0.03 : 0.07;
            double right = step == 0 || ids == NEW ? 0 : ids == STABLE || step == 2 ? 0.07 : 0.03;
            ck_assert_double_eq_tol(m.start[0], left, 1e-8);
            ck_assert_double_eq_tol(m.start[1], right, 1e-8);
        }
        perp_world_free(&w);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_step_kept");
    TCase *c = tcase_create("kept");
    tcase_add_test(c, impulses_are_found_again);
    tcase_add_test(c, the_last_list_stays_until_it_is_replaced);
    tcase_add_test(c, memory_that_ends_is_told);
    tcase_add_test(c, the_id_names_a_contact);
    suite_add_tcase(s, c);
    return support_run(s);
}
