/* tests/linalg/test_supernodes_place.c: lower patterns, and each entry at a place of its own. */
#include "factor_support.h"
#include "linalg/supernodes.h"

START_TEST(lower_patterns_are_unions)
{
    generator g = generator_start(3);
    for (int n = 0; n < 40; n += 3) {
        double *A = calloc((size_t)(n * n) + 1, sizeof *A);
        scatter_entries(&g, n, 0.15, false, A); /* no diagonal */
        csc C = compress(n, A);
        for (int both = 0; both < 2; both++) {
            perp_arena a = {0};
            int *p, *i;
            ck_assert(perp_lower_pattern(&a, n, C.p, C.i, both ? PERP_BOTH : PERP_LOWER, &p, &i));
            for (int j = 0; j < n; j++) {
                int k = p[j];
                for (int r = j; r < n; r++) {
                    bool there = r == j || A[r + j * n] != 0 || (both && A[j + r * n] != 0);
                    if (there) ck_assert_int_eq(i[k++], r);
                }
                ck_assert_int_eq(k, p[j + 1]);
            }
            perp_arena_free(&a);
        }
        discard(C);
        free(A);
    }
}
END_TEST

/* Row and column of a place among the panels of f. */
static void locate(const perp_supernodes *f, size_t place, int *row, int *column)
{
    int s = 0;
    while (f->panel[s + 1] <= place) s++;
    size_t ld = (size_t)perp_super_height(f, s), local = (place - f->panel[s]) % ld;
    int width = perp_super_width(f, s);
    *column = f->first[s] + (int)((place - f->panel[s]) / ld);
    *row =
        (int)local < width ? f->first[s] + (int)local : f->row[f->rows[s] + local - (size_t)width];
}

START_TEST(places_are_those_of_the_entries)
{
    generator g = generator_start(7);
    for (int trial = 0; trial < 20; trial++) {
        int n = 1 + generator_below(&g, 50), *p, *i;
        perp_arena a = {0};
        perp_supernodes f;
        perp_places to;
        double *A = make_family(&g, 0, n);
        csc C = compress(n, A);
        ck_assert(perp_lower_pattern(&a, n, C.p, C.i, PERP_BOTH, &p, &i));
        ck_assert(perp_supernodes_open(&f, &a, n, p, i));
        ck_assert(perp_supernodes_place(&f, &a, C.p, C.i, PERP_BOTH, &to));
        size_t size = perp_supernodes_size(&f);
        bool *seen = calloc(2 * size, sizeof *seen);
        ck_assert_int_eq(to.entries[f.supers], C.p[n]);
        for (int k = 0; k < C.p[n]; k++) {
            int row, column, j = 0, e = to.entry[k];
            bool above = to.place[k] >= size;
            ck_assert(!seen[to.place[k]]);
            seen[to.place[k]] = true;
            locate(&f, above ? to.place[k] - size : to.place[k], &row, &column);
            while (C.p[j + 1] <= e) j++;
            ck_assert_int_eq(f.perm[above ? column : row], C.i[e]);
            ck_assert_int_eq(f.perm[above ? row : column], j);
        }
        free(seen);
        discard(C);
        free(A);
        perp_arena_free(&a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("supernodes_place");
    TCase *t = tcase_create("supernodes_place");
    tcase_add_test(t, lower_patterns_are_unions);
    tcase_add_test(t, places_are_those_of_the_entries);
    suite_add_tcase(s, t);
    return support_run(s);
}
