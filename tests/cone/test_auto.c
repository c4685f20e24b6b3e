/* tests/cone/test_auto.c: auto solves what it is given, and is what options == NULL means. */
#include "generate_support.h"
#include "support.h"

#include <string.h>

START_TEST(definite)
{
    const int follows[] = {-1, 0, 0, -1}, group[] = {-1, 1, 1, -1};
    const double mu[] = {0, 0.5, 0, 0}, q[] = {-1, 2, 3, 4};
    const double W[] = {2, 0.1, 0, 0.2, 0.1, 2, 0.3, 0, 0, 0.3, 2, 0.1, 0.2, 0, 0.1, 2};
    perp_problem p = {.kind = PERP_KIND_CONE};
    p.as.cone = (perp_cone){.n = 4, .W = perp_dense(4, 4, W), .q = q, .follows = follows};
    p.as.cone.group = group;
    p.as.cone.mu = mu;
    perp_result r;
    double z[4];
    ck_assert_msg(solve_checked(&p, NULL, z, NULL, &r) == PERP_SOLVED, "%s", r.detail);
    ck_assert_ptr_nonnull(strstr(r.solver, "cone/"));
}
END_TEST

/* W of low rank but for a skew part: Newton's steps and proximal points give up on all three. */
START_TEST(ends_by_interior_points)
{
    static const struct {
        const char *family;
        int size;
        uint64_t seed;
    } draws[] = {{"cone_known", 6, 500105}, {"cone_convex", 12, 500561}, {"cone_mixed", 8, 500737}};
    for (int k = 0; k < 3; k++) {
        perp_arena a = {0};
        generated_problem g = problem_make(draws[k].family, NULL, draws[k].size, draws[k].seed, &a);
        double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
        perp_result r;
        ck_assert_msg(solve_checked(&g.p, NULL, z, NULL, &r) == PERP_SOLVED, "%s", r.detail);
        perp_arena_free(&a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cone_auto");
    TCase *c = tcase_create("auto");
    tcase_add_test(c, definite);
    tcase_add_test(c, ends_by_interior_points);
    suite_add_tcase(s, c);
    return support_run(s);
}
