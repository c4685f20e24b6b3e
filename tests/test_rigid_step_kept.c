/* tests/test_rigid_step_kept.c: the list grows, impulses are found again by bodies and id, and turn
 * with no frame. */
#include "step_support.h"

START_TEST(impulses_are_found_again)
{
    enum { N = 1000 };
    perp_world w = {0};
    perp_kept *kept = perp_kept_open(&w, 0);
    ck_assert_ptr_nonnull(kept);
    ck_assert_ptr_eq(perp_kept_open(&w, 0), kept);
    perp_contacts *list = perp_kept_start(kept);
    generator g = generator_start(1);
    for (int k = 0; k < N; k++) {
        perp_contact *c = perp_contacts_add(list, k % 10, -1 + k / 100);
        ck_assert_ptr_nonnull(c);
        ck_assert(c->gap == 0 && c->mu == 0 && c->a == k % 10);
        c->id = k / 10 % 10;
        double u = generator_unit(&g) * 6;
        c->normal[0] = cos(u), c->normal[1] = sin(u);
    }
    ck_assert_int_eq(list->count, N);
    for (int k = 0; k < 3 * N; k++) list->impulse[k] = generator_uniform(&g);
    ck_assert(perp_kept_remember(&w, list));
    double *r = perp_alloc(&w.scratch[0], 3 * N, sizeof *r);
    perp_kept_recall(kept, list->contact, N, r);
    ck_assert_double_le(difference(3 * N, r, list->impulse), 1e-15);
    /* unknown to it */
    perp_contact other = list->contact[5];
    other.id = 99;
    perp_kept_recall(kept, &other, 1, r);
    ck_assert(r[0] == 0 && r[1] == 0 && r[2] == 0);
    /* a frame that has turned sees the same vector */
    other = list->contact[5];
    other.normal[0] = 0, other.normal[1] = 0, other.normal[2] = 1;
    perp_kept_recall(kept, &other, 1, r);
    ck_assert_double_eq_tol(plain_norm(3, r), plain_norm(3, list->impulse + 15), 1e-15);
    perp_world_free(&w);
}
END_TEST

START_TEST(the_last_list_stays_until_it_is_replaced)
{
    perp_world w = {0};
    perp_kept *kept = perp_kept_open(&w, 4);
    ck_assert_ptr_ne(kept->joint[0], kept->joint[1]);
    perp_contacts *first = perp_kept_start(kept);
    perp_contacts_add(first, 1, 2);
    kept->now = !kept->now;
    perp_contacts *second = perp_kept_start(kept);
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
    perp_kept *kept = perp_kept_open(&w, 0);
    ck_assert_ptr_nonnull(kept);
    ck_assert_ptr_null(perp_contacts_add(perp_kept_start(kept), 0, 1));
    perp_world_free(&w);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rigid_step_kept");
    TCase *c = tcase_create("kept");
    tcase_add_test(c, impulses_are_found_again);
    tcase_add_test(c, the_last_list_stays_until_it_is_replaced);
    tcase_add_test(c, memory_that_ends_is_told);
    suite_add_tcase(s, c);
    return support_run(s);
}
