/* tests/method/test_primal_ratio.c: which constraint blocks, alone and in a tie. */
#include "primal_support.h"

/* A direction along x_0 from the origin, as if constraint 0 were being left. */
static void aim(program *f, const double *d)
{
    int n = f->rows.n;
    memcpy(f->p.d, d, (size_t)n * sizeof *d);
    for (int i = 0; i < n + f->rows.m; i++) {
        f->p.slope[i] = i < n ? d[i] : 0;
        for (int j = 0; i >= n && j < n; j++) f->p.slope[i] += f->A[(i - n) * n + j] * d[j];
    }
    f->p.leaving = n + f->rows.m;
}

START_TEST(first_and_full)
{
    static program f;
    const double start[2] = {0, 0}, d[2] = {1, 2};
    program_open(&f, 2, 0);
    f.hi[0] = 3;
    f.hi[1] = 5;
    f.lo[0] = -1;
    ck_assert(program_begin(&f, start));
    aim(&f, d);
    perp_primal_block b = perp_primal_ratio(&f.p, INFINITY);
    ck_assert(b.i == 1 && b.side == -1 && b.length == 2.5);
    b = perp_primal_ratio(&f.p, 2);
    ck_assert(b.i == -1 && b.length == 2);
    f.hi[1] = INFINITY;
    b = perp_primal_ratio(&f.p, 7);
    ck_assert(b.i == 0 && b.length == 3);
    f.hi[0] = INFINITY;
    b = perp_primal_ratio(&f.p, INFINITY);
    ck_assert(b.i == -1 && isinf(b.length));
}
END_TEST

/* Of two that block within rounding of each other, the one that is met more squarely. */
START_TEST(near_ties)
{
    static program f;
    const double start[2] = {0, 0}, d[2] = {1e-3, 1};
    program_open(&f, 2, 0);
    f.hi[0] = 1e-3;
    f.hi[1] = 1 + 1e-13;
    ck_assert(program_begin(&f, start));
    aim(&f, d);
    ck_assert_int_eq(perp_primal_ratio(&f.p, INFINITY).i, 1);
}
END_TEST

/* Two constraints at the point block: a level of its own, on which the rooms differ. Once a
 * direction is free of both, the level is left, and what lies further away blocks. */
START_TEST(levels)
{
    static program f;
    const double start[3] = {0, 0, 0}, d[3] = {1, 1, 1}, e[3] = {-1, -1, 1};
    program_open(&f, 3, 0);
    f.hi[0] = f.hi[1] = 0;
    f.hi[2] = 4;
    ck_assert(program_begin(&f, start));
    aim(&f, d);
    perp_primal_block b = perp_primal_ratio(&f.p, INFINITY);
    ck_assert(b.length == 0 && (b.i == 0 || b.i == 1) && b.side == -1);
    ck_assert_int_eq(f.p.level, 1);
    ck_assert_double_eq(f.p.room[b.i], 0);
    ck_assert_double_gt(f.p.room[1 - b.i], 0);
    aim(&f, e);
    b = perp_primal_ratio(&f.p, INFINITY);
    ck_assert(b.i == 2 && b.length == 4);
    ck_assert_int_eq(f.p.level, 0);
    ck_assert(f.p.depth[0] == 0 && f.p.depth[1] == 0);
}
END_TEST

/* On the way to a stationary point a tie needs no level: each block takes a direction away. */
START_TEST(no_level_on_the_way)
{
    static program f;
    const double start[2] = {0, 0}, d[2] = {1, 1};
    program_open(&f, 2, 0);
    f.hi[0] = f.hi[1] = 0;
    ck_assert(program_begin(&f, start));
    aim(&f, d);
    f.p.leaving = -1;
    perp_primal_block b = perp_primal_ratio(&f.p, 1);
    ck_assert(b.i >= 0 && b.length == 0 && f.p.level == 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("primal_ratio");
    TCase *t = tcase_create("primal_ratio");
    tcase_add_test(t, first_and_full);
    tcase_add_test(t, near_ties);
    tcase_add_test(t, levels);
    tcase_add_test(t, no_level_on_the_way);
    suite_add_tcase(s, t);
    return support_run(s);
}
