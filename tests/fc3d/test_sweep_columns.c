/* tests/fc3d/test_sweep_columns.c: sweeps in local form by columns of W, one by one and grouped. */
#include "sweep_support.h"

START_TEST(like_the_textbook)
{
    for (int v = 0; v < 6; v++) {
        perp_arena a = {0};
        generated_problem g =
            fc3d_generate(v % 2 ? "fc3d_edge" : "fc3d_known", NULL, 12, (uint64_t)v + 1, &a);
        sweep_test t = {plain_options, &perp_sweep_columns, 6};
        t.o.threads = 1 + v % 3; /* one of them works */
        sweep_problem(&g.p, t);
        perp_arena_free(&a);
    }
}
END_TEST

/* Contacts between the same bodies have columns with the same rows: groups of four in a wall, of
 * all contacts, more than one group takes, under a plate. A block that is given twice is none. */
START_TEST(groups)
{
    static const char *const families[] = {"wall", "plate", "stack"};
    static const int sizes[] = {2, 19, 3};
    for (int k = 0; k < 3; k++) {
        perp_arena a = {0};
        generated_problem g = fc3d_generate(families[k], "fc3d", sizes[k], 1, &a);
        sweep_test t = {plain_options, &perp_sweep_columns, 5};
        sweep_problem(&g.p, t);
        perp_arena_free(&a);
    }
    double blocks[5][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
                           {0.1, 0, 0.1, 0.2, 0, 0, 0, 0, 0},
                           {1, 0, 0, 0, 1, 0, 0, 0, 1},
                           {0.2, 0, 0, 0.1, 0, 0, 0, 0, 0},
                           {0.1, 0.1, 0, 0, 0.1, 0, 0, 0, 0.1}};
    int p[3] = {0, 2, 5}, j[5] = {0, 1, 0, 1, 1};
    double q[6] = {-1, 0.2, 0.1, -2, 3, 1}, mu[2] = {0.5, 0.3}, W[5][9];
    const int order[5] = {0, 1, 3, 2, 4};
    for (int k = 0; k < 5; k++) memcpy(W[k], blocks[order[k]], sizeof W[k]);
    perp_problem twice = perp_make_fc3d(2, perp_bsr3(2, 2, p, j, W[0]), q, mu);
    sweep_problem(&twice, (sweep_test){plain_options, &perp_sweep_columns, 4});
}
END_TEST

/* Columns with the same rows, but not the members' own: blocks within the group are not stored. Of
 * these W nothing is solved, and nothing is written where it does not belong. */
START_TEST(blocks_that_are_not_stored)
{
    static const char *const solvers[] = {"fc3d/nsgs", "fc3d/nncg", "fc3d/prox", "fc3d/auto"};
    double blocks[3][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {2, 1, 0, 0, 1}, {1, 0, 1, 0, 1}};
    int p[4] = {0, 0, 0, 3}, j[3] = {0, 1, 2};
    double q[9] = {-1, 0.2, 0.1, -2, 3, 1, -1, 2, 0}, mu[3] = {0.5, 0.3, 3};
    perp_problem problem = perp_make_fc3d(3, perp_bsr3(3, 3, p, j, blocks[0]), q, mu);
    for (int k = 0; k < 4; k++) {
        perp_arena a = {0};
        perp_options *o = perp_options_new(&a, solvers[k]);
        double z[9] = {0}, w[9];
        perp_result r;
        ck_assert_int_ne(perp_solve(&problem, o, &a, z, w, &r), PERP_SOLVED);
        perp_arena_free(&a);
    }
}
END_TEST

/* A full, nonsymmetric W, which is where rows and columns differ. */
START_TEST(nonsymmetric)
{
    sweep_nonsymmetric((sweep_test){plain_options, &perp_sweep_columns, 5});
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_sweep_columns");
    TCase *t = tcase_create("fc3d_sweep_columns");
    tcase_add_test(t, like_the_textbook);
    tcase_add_test(t, groups);
    tcase_add_test(t, blocks_that_are_not_stored);
    tcase_add_test(t, nonsymmetric);
    suite_add_tcase(s, t);
    return support_run(s);
}
