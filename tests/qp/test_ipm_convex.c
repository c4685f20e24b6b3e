/* tests/qp/test_ipm_convex.c: what is convex, and what is not by how much. */
#include "ipm_support.h"

static bool is_convex(const perp_problem *p, perp_arena *a)
{
    ipm_presolved r = reduce_problem(p, a);
    bool convex;
    ck_assert_int_eq(perp_ipm_convex(&r.p, a, &convex), PERP_SOLVED);
    return convex;
}

START_TEST(families)
{
    static const char *const names[] = {"qp_convex", "qp_degenerate", "qp_nonsymmetric",
                                        "qp_linear", "qp_sparse",     "qp_unbounded"};
    for (size_t f = 0; f < sizeof names / sizeof *names; f++) {
        for (uint64_t seed = 0; seed < 10; seed++) {
            perp_arena a = {0};
            perp_problem p = sparse_problem(names[f], 25, seed, &a);
            ck_assert_msg(is_convex(&p, &a), "%s %d", names[f], (int)seed);
            perp_arena_free(&a);
        }
    }
}
END_TEST

/* H = [1 t; t 1] with |t| > 1, and a skew part that does not matter. */
START_TEST(by_hand)
{
    static const struct {
        double H[4];
        bool convex;
    } cases[] = {
        {{1, 1, 1, 1}, true},      {{1, 1.001, 1.001, 1}, false},
        {{0, 0, 0, 0}, true},      {{1, 5, -5, 1}, true},
        {{1, 5, -2.9, 1}, false},  {{0, 1, -1, 0}, true},
        {{-1e-3, 0, 0, 1}, false}, {{1, 1 + 1e-12, 1 + 1e-12, 1}, true},
    };
    const double c[] = {1, 1};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        perp_arena a = {0};
        perp_problem p =
            perp_make_qp(2, 0, perp_dense(2, 2, cases[k].H), c, (perp_matrix){0}, NULL, NULL);
        p.as.qp.A.n = 2;
        ck_assert_int_eq(perp_convert(&p.as.qp.H, PERP_FORMAT_CSC, &a, &p.as.qp.H, NULL),
                         PERP_SOLVED);
        ck_assert_int_eq(perp_convert(&p.as.qp.A, PERP_FORMAT_CSC, &a, &p.as.qp.A, NULL),
                         PERP_SOLVED);
        ck_assert_msg(is_convex(&p, &a) == cases[k].convex, "case %d", (int)k);
        perp_arena_free(&a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp_ipm_convex");
    TCase *t = tcase_create("convex");
    tcase_add_test(t, families);
    tcase_add_test(t, by_hand);
    suite_add_tcase(s, t);
    return support_run(s);
}
