/* tests/method/test_cone_interior_blocks.c: the blocks of interior points and their inverses. */
#include "interior_support.h"

/* The inverses of the blocks are those of the blocks, with a compliance too. */
START_TEST(inverses)
{
    perp_arena a = {0};
    for (int k = 0; k < 20; k++) {
        generator g = generator_start((uint64_t)k + 1);
        perp_cone c = make_cone(&g, k % 2);
        perp_cone_set set;
        system_of w;
        perp_interior t, other;
        ck_assert(perp_cone_set_open(&set, &a, &c));
        draw(&w, &g);
        w.set = &set;
        perp_interior_equations e = equations(&w, false), inverse = equations(&w, true);
        if (k % 3 == 0) inverse.R = w.R;
        ck_assert(perp_interior_open(&t, &a, &set, &e));
        ck_assert(perp_interior_open(&other, &a, &set, &inverse));
        wander(&t);
        memcpy(other.x, t.x, (size_t)t.m * sizeof *t.x);
        memcpy(other.y, t.y, (size_t)t.m * sizeof *t.y);
        for (int i = 0; i < N * N; i++) w.R[i] = 0.1 * generator_unit(&g);
        memcpy(other.lag, t.lag, (size_t)t.parts * sizeof *t.lag);
        other.mean = t.mean;
        ck_assert(perp_interior_factor(&t, 0.8) && perp_interior_factor(&other, 0.8));
        for (int b = 0; b < set.blocks; b++) {
            int d = set.block[b].count;
            const double *B = t.blocks + t.place[b], *D = other.blocks + t.place[b];
            const double *R = w.R + t.place[b];
            const int *row = set.row + set.block[b].first;
            bool nothing = t.first[b] == t.first[b + 1];
            for (int i = 0; i < d && !nothing; i++) {
                for (int j = 0; j < d; j++) {
                    double sum = 0, size = 0;
                    for (int m = 0; m < d; m++) {
                        double x = B[m * d + i] + (inverse.R ? R[m * d + i] : 0);
                        sum += x * D[j * d + m];
                        size += fabs(x * D[j * d + m]);
                    }
                    bool out = t.fixed[row[i]] || t.fixed[row[j]];
                    ck_assert(out || fabs(sum - (i == j)) <= 1e-12 * (1 + size));
                    ck_assert(!out || D[j * d + i] == 0);
                }
            }
        }
    }
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *u = suite_create("cone_interior_blocks");
    TCase *c = tcase_create("cone_interior_blocks");
    tcase_add_test(c, inverses);
    suite_add_tcase(u, c);
    return support_run(u);
}
