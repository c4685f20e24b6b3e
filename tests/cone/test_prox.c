/* tests/cone/test_prox.c: proximal points: answers, memory. */
#include "generate_support.h"
#include "support.h"

#include "perp/solvers.h"

/* Of cones of any rank nearly all from z = 0. */
START_TEST(known_answers)
{
    static const char *const names[] = {"cone_known", "cone_convex"};
    int solved = 0;
    for (int k = 0; k < 60; k++) {
        perp_arena a = {0};
        perp_result r;
        perp_cone_prox_options o = perp_cone_prox_defaults();
        generated_problem g = problem_make(names[k % 2], NULL, 1 + k % 10, (uint64_t)k + 1, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        perp_status status = solve_checked(&g.p, &o.base, z, NULL, &r);
        ck_assert_msg(status >= 0, "%s", r.detail);
        solved += status == PERP_SOLVED;
        perp_arena_free(&a);
    }
    ck_assert_int_ge(solved, 54);
}
END_TEST

START_TEST(memory)
{
    perp_arena a = {0};
    perp_cone_prox_options o = perp_cone_prox_defaults();
    generated_problem g = problem_make("cone_mixed", NULL, 2, 1, &a);
    o.base.max_iter = 2;
    solve_starved(&g.p, &o.base, PERP_MAX_ITER);
    solve_confined(&g.p, &o.base, PERP_MAX_ITER);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cone_prox");
    TCase *c = tcase_create("prox");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, known_answers);
    tcase_add_test(c, memory);
    suite_add_tcase(s, c);
    return support_run(s);
}
