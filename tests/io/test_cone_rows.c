/* tests/io/test_cone_rows.c: blocks of rows that stand together, as they are made and found. */
#include "io/cone_rows.h"
#include "support.h"

#include <check.h>
#include <math.h>

/* Two cones of two groups with a bound between them, made and found again. */
START_TEST(what_is_made_is_found)
{
    static const perp_cone_shape rolling = {2, 2, {0.5, 0.1}, {0.5, 0.1}};
    static const perp_cone_shape convex = {1, 3, {0.5}, {0}};
    perp_arena a = {0};
    perp_error e;
    perp_lexer x = {.budget = 10000, .limit = 10000, .arena = &a, .error = &e};
    perp_cone_rows rows;
    perp_cone_run run;
    ck_assert(perp_cone_rows_open(&x, 11, false, &rows));
    perp_cone_rows_add(&rows, 0, &rolling);
    ck_assert(perp_cone_rows_bound(&x, &rows, 5));
    perp_cone_rows_add(&rows, 6, &convex);
    perp_problem p = perp_cone_rows_end(&rows);
    const perp_cone *c = &p.as.cone;
    ck_assert(p.kind == PERP_KIND_CONE && c->n == 11 && c->s && c->lo[5] == 0);

    ck_assert(perp_cone_rows_find(c, 0, &run));
    ck_assert(run.count == 5 && run.groups == 2 && run.width == 2 && run.coulomb && !run.convex);
    ck_assert_double_eq(c->mu[perp_cone_rows_leader(&run, 1)], 0.1);
    ck_assert(perp_cone_rows_find(c, 5, &run) && run.count == 1 && run.is_bound && !run.is_free);
    ck_assert(perp_cone_rows_find(c, 6, &run));
    ck_assert(run.count == 4 && run.groups == 1 && run.width == 3 && run.convex && !run.coulomb);
    ck_assert(perp_cone_rows_find(c, 10, &run) && run.is_free && run.count == 1);
    ck_assert(!perp_cone_rows_find(c, 1, &run)); /* it follows row 0 */
    ck_assert(!perp_cone_rows_match(c, 2, 2));
    perp_arena_free(&a);
}
END_TEST

/* s that is mu everywhere is left out; a budget is kept. */
START_TEST(coulomb_and_the_budget)
{
    static const perp_cone_shape slide = {1, 1, {0.5}, {0.5}};
    perp_arena a = {0};
    perp_error e;
    perp_lexer x = {.budget = 1000, .limit = 1000, .arena = &a, .error = &e};
    perp_cone_rows rows;
    ck_assert(perp_cone_rows_open(&x, 2, false, &rows));
    perp_cone_rows_add(&rows, 0, &slide);
    perp_problem p = perp_cone_rows_end(&rows);
    ck_assert(!p.as.cone.s && !p.as.cone.lo);
    ck_assert(perp_cone_rows_match(&p.as.cone, 1, 1) && !perp_cone_rows_match(&p.as.cone, 1, 2));
    ck_assert(!perp_cone_rows_open(&x, 1000, true, &rows));
    perp_arena_free(&a);
}
END_TEST

/* Rows out of order, balls and groups of different sizes. */
START_TEST(what_does_not_stand_together)
{
    static const int apart[] = {-1, 0, -1, 0}, before[] = {1, -1}, none[] = {-1, -1};
    static const int ball[] = {0, 0}, uneven[] = {-1, 1, 1, 3};
    static const int follows[] = {-1, 0, 0, 0}, torn[] = {-1, 1, 2, 1};
    static const double mu[] = {0, 0.5, 0.5, 0.5}, hi[] = {1, 1}, lo[] = {-0.0, 0};
    perp_cone_run run;
    perp_cone c = {.n = 4, .follows = apart, .mu = mu};
    ck_assert(perp_cone_rows_find(&c, 0, &run) && run.count == 2);
    ck_assert(perp_cone_rows_find(&c, 2, &run) && run.count == 1);
    ck_assert(!perp_cone_rows_find(&c, 3, &run));
    c = (perp_cone){.n = 2, .follows = before, .mu = mu};
    ck_assert(!perp_cone_rows_find(&c, 0, &run));
    c = (perp_cone){.n = 2, .group = ball, .hi = hi};
    ck_assert(!perp_cone_rows_find(&c, 0, &run));
    c = (perp_cone){.n = 4, .follows = follows, .group = uneven, .mu = mu};
    ck_assert(perp_cone_rows_find(&c, 0, &run) && run.groups == 2 && run.width == -1);
    c.group = torn;
    ck_assert(!perp_cone_rows_find(&c, 0, &run));
    c = (perp_cone){.n = 2, .follows = none, .lo = lo, .hi = hi};
    ck_assert(perp_cone_rows_find(&c, 0, &run) && !run.is_bound && !run.is_free);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cone_rows");
    TCase *t = tcase_create("cone_rows");
    tcase_add_test(t, what_is_made_is_found);
    tcase_add_test(t, coulomb_and_the_budget);
    tcase_add_test(t, what_does_not_stand_together);
    suite_add_tcase(s, t);
    return support_run(s);
}
