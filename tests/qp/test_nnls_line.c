/* tests/qp/test_nnls_line.c: the search on a line of the dual, against its objective by hand. */
#include "qp/nnls_line.h"
#include "support.h"

/* min r^2/2 - b r + max(0, e c + a r)^2 / (2 e), one row and one column. */
typedef struct scalar {
    double a, b, c, e;
} scalar;

static double objective(const scalar *s, double r)
{
    double part = s->e * s->c + s->a * r;
    part = part > 0 ? part : 0;
    return r * r / 2 - s->b * r + part * part / (2 * s->e);
}

static double search(const scalar *s, double from, double to, bool is_free)
{
    perp_nnls p = {.A = perp_dense(1, 1, &s->a), .b = &s->b, .is_free = &is_free};
    double from_slope = s->a * from, to_slope = s->a * to;
    const perp_nnls_line l = {&p, &s->c, s->e, &from, &to, &from_slope, &to_slope};
    return perp_nnls_search(&l);
}

/* The minimiser lies at r = b where x = 0, at (b - a c) / (1 + a^2 / e) where x > 0. */
START_TEST(known_minimum)
{
    const scalar s = {.a = 2, .b = 3, .c = 0.5, .e = 0.1};
    double least = (s.b - s.a * s.c) / (1 + s.a * s.a / s.e), from = -1, to = 2;
    double t = search(&s, from, to, false), r = from + t * (to - from);
    ck_assert_double_lt(objective(&s, r), objective(&s, from));
    ck_assert_double_lt(objective(&s, r) - objective(&s, least),
                        0.2 * (objective(&s, from) - objective(&s, least)));
}
END_TEST

/* Slopes that fall to the end of the line, or rise from its start, take the whole step. */
START_TEST(whole_steps)
{
    const scalar s = {.a = 2, .b = 3, .c = 0.5, .e = 0.1};
    ck_assert(search(&s, -1, -0.5, false) == 1);
    ck_assert(search(&s, 1, 2, false) == 1);
}
END_TEST

/* A free x keeps its sign, and with it the slope where x < 0. */
START_TEST(free_x)
{
    const scalar s = {.a = 1, .b = -2, .c = -1, .e = 1};
    bool is_free = true;
    perp_nnls p = {.A = perp_dense(1, 1, &s.a), .b = &s.b, .is_free = &is_free};
    double from = -3, to = 1;
    const perp_nnls_line l = {&p, &s.c, s.e, &from, &to, &from, &to};
    ck_assert_double_eq(perp_nnls_dual_x(&l, 0, 0), -4);
    ck_assert_double_eq(perp_nnls_dual_x(&l, 0.5, 0), -2);
    p.is_free = NULL;
    ck_assert_double_eq(perp_nnls_dual_x(&l, 0, 0), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp_nnls_line");
    TCase *t = tcase_create("qp_nnls_line");
    tcase_add_test(t, known_minimum);
    tcase_add_test(t, whole_steps);
    tcase_add_test(t, free_x);
    suite_add_tcase(s, t);
    return support_run(s);
}
