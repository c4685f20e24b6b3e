/* tests/io/test_siconos_cones.c: second-order cones, plasticity and generic mechanical problems in
 * .dat files. */
#include "files.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FORMAT PERP_FILE_SICONOS

static perp_arena arena;

static void give_back(void)
{
    perp_arena_free(&arena);
}

static const perp_cone *load_cone(const char *text)
{
    static perp_file f;
    f = load_good(text, FORMAT, &arena);
    ck_assert_int_eq(f.problem.kind, PERP_KIND_CONE);
    return &f.problem.as.cone;
}

static void rows(const perp_index *x, int n, const int *expected)
{
    for (int i = 0; i < n; i++) ck_assert_int_eq(x[i], expected[i]);
}

#define ROWS(x, ...)                                                                               \
    rows(x, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), (const int[]){__VA_ARGS__})

/* Cones of sizes 2 and 1: the second is z >= 0. One cone of size 3 has the head of a contact. */
START_TEST(second_order_cones)
{
    const perp_cone *c =
        load_cone("3\n2\n0\n3\n3\n3\t3\n2 0 0\n0 2 0\n0 0 2\n-1 1 3\n0 2 3\n0.5 1\n");
    ck_assert_int_eq(c->n, 3);
    ROWS(c->follows, -1, 0, -1);
    ROWS(c->group, -1, 1, -1);
    ck_assert(c->mu[1] == 0.5 && c->s[1] == 0);
    ck_assert(c->lo[0] == -INFINITY && c->lo[2] == 0 && !c->hi);
    c = load_cone("3 1 0 3 3 3 3 4 1 2 0 5 3 0 0 6 -1 0.5 0.25 0 3 0.5");
    ROWS(c->group, -1, 1, 1);
    ck_assert(c->n == 3 && !c->lo && c->mu[1] == 0.5 && c->s[1] == 0);
    c = load_cone("4 1 0 4 4 4 4 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 -1 0 0 0 0 4 0.5");
    ROWS(c->group, -1, 1, 1, 1);

    load_bad("4 2 0 4 4 4 4 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 -1 0 0 0 0 0 4 0.5 1", FORMAT, 1,
             "the next cone");
    load_bad("4 2 0 4 4 4 4 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 -1 0 0 0 0 2 3 0.5 1", FORMAT, 1,
             "the next cone");
    /* an empty last cone would have its bound behind the last row */
    load_bad("4 2 0 4 4 4 4 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 -1 0 0 0 0 4 4 0.5 1", FORMAT, 1,
             "the next cone");
    load_bad("4 1 0 4 4 4 4 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 -1 0 0 0 0 4 0.5 7", FORMAT, 1,
             "left behind a second-order cone LCP");
    load_bad("4 1 0 4 4 4 4 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 -1 0 0 0 0 4 -0.5", FORMAT, 0,
             "is negative");
}
END_TEST

START_TEST(plasticity)
{
    const perp_cone *c =
        load_cone("3\n1\n1\n0\n3\n3\n3\t3\n2 0 0\n0 2 0\n0 0 2\n-1 1 3\n0.5\n0.2\n");
    ROWS(c->follows, -1, 0, 0);
    ROWS(c->group, -1, 1, 1);
    ck_assert(c->n == 3 && c->mu[1] == 0.5 && c->s[1] == 0.2);
    load_bad("3 1 1 0 3 3 3 3 4 1 2 0 5 3 0 0 6 -1 0.5 0.25 0.1 0.5", FORMAT, 0,
             "is not between 0 and mu");
    load_bad("3 1 1 0 3 3 3 3 4 1 2 0 5 3 0 0 6 -1 0.5 0.25 0.1", FORMAT, 1, "theta");
    load_bad("3 1 2 0 3 3 3 3 4 1 2 0 5 3 0 0 6 -1 0.5 0.25 0.5", FORMAT, 1,
             "plasticity (von Mises), which perp does not read");
    load_bad("3 1 0 0 3 3 3 3 4 1 2 0 5 3 0 0 6 -1 0.5 0.25", FORMAT, 1,
             "plasticity (of an unknown model), which perp");
}
END_TEST

#define BLOCKS                                                                                     \
    "1\n4\n4\n4\n2\n2\n1\t4\t\n1\t4\t\n3\n4\n0\t2\t4\t\n0\t1\t0\t1\t\n"                            \
    "0\n2\n 1\n0\n0\n0.5\n 2\n0\n0.5\n0\n 3\n1\n0\n0\n0\n1\n0\n0\n0\n1\n\n-1\n-2\n1\n0\n\n"

/* Row 0 an equality or a complementarity, rows 1 to 3 a contact. */
START_TEST(mechanical)
{
    const perp_cone *c = load_cone(BLOCKS "2\n4\n0.1\n");
    ck_assert(c->n == 4 && !c->lo && !c->s);
    ROWS(c->follows, -1, -1, 1, 1);
    ROWS(c->group, -1, -1, 2, 2);
    ck_assert_double_eq(c->mu[2], 0.1);
    ck_assert_double_eq(c->q[1], -2);
    c = load_cone(BLOCKS "0\n4\n0.1\n");
    ck_assert(c->lo[0] == 0 && c->lo[1] == -INFINITY);
    c = load_cone(BLOCKS "0\n2\n");
    ck_assert(c->lo[0] == 0 && c->lo[3] == -INFINITY && c->follows[2] == -1);

    load_bad(BLOCKS "4\n2\n", FORMAT, 39, "block row 0, a 3D contact, has 1 rows, expected 3");
    load_bad(BLOCKS "2\n3\n", FORMAT, 40, "a contact in the plane, whose mu no such file has");
    load_bad(BLOCKS "9\n4\n0.1\n", FORMAT, 39, "a relay, whose bounds no such file has");
    load_bad(BLOCKS "1\n4\n0.1\n", FORMAT, 39, "expected 0 (LCP), 2 (equality)");
    load_bad(BLOCKS "2\n4\n", FORMAT, 41, "expected mu");
    load_bad(BLOCKS "2\n", FORMAT, 40, "the type of a block row");
    load_bad(BLOCKS "2\n4\n0.1\n5", FORMAT, 42, "left behind a generic mechanical problem");
    load_bad("1 4 4 1 2 2 1 4 1 4 2 1 0 1 0 0 2 -1 -2 1 0 2", FORMAT, 1,
             "M has blocks in 1 of 2 block rows");
    load_bad("1 4 4 0 -1 -2 1 0 2", FORMAT, 1, "M has no blocks");
}
END_TEST

START_TEST(matrices_alone)
{
    load_bad("0 2 2 2 2 1 0 0 1", FORMAT, 1, "a matrix alone");
    load_bad("2 2 2 1\nbanner\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n 0 0 : 5\n", FORMAT, 4,
             "a matrix alone");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("siconos_cones");
    TCase *t = tcase_create("siconos_cones");
    tcase_add_checked_fixture(t, NULL, give_back);
    tcase_add_test(t, second_order_cones);
    tcase_add_test(t, plasticity);
    tcase_add_test(t, mechanical);
    tcase_add_test(t, matrices_alone);
    suite_add_tcase(s, t);
    return support_run(s);
}
