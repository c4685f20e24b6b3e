/* tests/linalg/test_supernodes.c: the pattern of L against plain elimination, and what is
 * refused. */
#include "ldl_support.h"

#include <string.h>

/* The pattern of L in the order of f, by elimination of a dense matrix of booleans. */
static bool *eliminate(const lower *K, const perp_supernodes *f)
{
    size_t n = (size_t)K->n;
    bool *L = calloc(n * n + 1, sizeof *L);
    for (int j = 0; j < K->n; j++) {
        for (int k = K->p[j]; k < K->p[j + 1]; k++) {
            size_t a = (size_t)f->inverse[j], b = (size_t)f->inverse[K->i[k]];
            L[a < b ? a * n + b : b * n + a] = true;
        }
    }
    for (size_t j = 0; j < n; j++) {
        for (size_t c = j + 1; c < n; c++) {
            for (size_t r = c; L[j * n + c] && r < n; r++) L[c * n + r] |= L[j * n + r];
        }
    }
    return L;
}

/* Is row r stored in the panel that has column c? */
static bool stores(const perp_supernodes *f, int r, int c)
{
    int s = f->super_of[c];
    if (r < f->first[s + 1]) return true;
    for (int k = 0; k < f->count[s]; k++) {
        if (f->row[f->rows[s] + (size_t)k] == r) return true;
    }
    return false;
}

static size_t check_pattern(const lower *K, const perp_supernodes *f)
{
    int n = K->n;
    bool *L = eliminate(K, f), *seen = calloc((size_t)n + 1, sizeof *seen);
    size_t needed = 0;
    for (int c = 0; c < n; c++) {
        for (int r = c; r < n; r++) {
            if (!L[(size_t)c * (size_t)n + (size_t)r]) continue;
            needed++;
            ck_assert_msg(stores(f, r, c), "L[%d][%d] has no place", r, c);
        }
        ck_assert(!seen[f->perm[c]]);
        seen[f->perm[c]] = true;
        ck_assert_int_eq(f->inverse[f->perm[c]], c);
    }
    for (int s = 0; s < f->supers; s++) {
        const int *list = f->row + f->rows[s];
        ck_assert(f->rows[s] + (size_t)f->count[s] <= f->rows[s + 1]);
        for (int k = 0; k < f->count[s]; k++) {
            ck_assert_int_ge(list[k], k > 0 ? list[k - 1] + 1 : f->first[s + 1]);
        }
    }
    free(L);
    free(seen);
    return needed;
}

START_TEST(every_entry_has_a_place)
{
    generator g = generator_start(9);
    for (int trial = 0; trial < 60; trial++) {
        perp_arena a = {0};
        int n = 1 + generator_below(&g, 40), m = generator_below(&g, 40);
        lower K = random_quasidefinite(&g, n, m, trial % 3 * 0.05, 0.02 + trial % 5 * 0.1);
        perp_supernodes f;
        ck_assert(perp_supernodes_open(&f, &a, K.n, K.p, K.i));
        check_pattern(&K, &f);
        discard_lower(K);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(leaves_with_the_same_rows_share_panels)
{
    /* an inequality row for each of 96 nodes, all on the same 10 variables */
    generator g = generator_start(1);
    perp_arena a = {0};
    lower K = random_quasidefinite(&g, 10, 96, 1, 1);
    perp_supernodes f;
    ck_assert(perp_supernodes_open(&f, &a, K.n, K.p, K.i));
    check_pattern(&K, &f);
    ck_assert_int_le(f.supers, 8);
    discard_lower(K);
    perp_arena_free(&a);
}
END_TEST

START_TEST(a_band_stays_sparse)
{
    enum { N = 2000 };
    static int p[N + 1], i[2 * N];
    perp_arena a = {0};
    perp_supernodes f;
    for (int j = 0, k = 0; j < N; j++) {
        i[k++] = j;
        if (j + 1 < N) i[k++] = j + 1;
        p[j + 1] = k;
    }
    ck_assert(perp_supernodes_open(&f, &a, N, p, i));
    ck_assert(perp_supernodes_size(&f) < 8 * N);
    perp_arena_free(&a);
}
END_TEST

START_TEST(what_is_no_lower_triangle_is_refused)
{
    perp_arena a = {0};
    perp_supernodes f;
    const int p[] = {0, 2, 3}, no_diagonal[] = {0, 1, 2}, upper[] = {0, 1, 0}, twice[] = {0, 0, 1};
    const int good[] = {0, 1, 1}, late[] = {1, 2, 3};
    ck_assert(perp_supernodes_open(&f, &a, 2, p, good));
    ck_assert(!perp_supernodes_open(&f, &a, 2, p, no_diagonal));
    ck_assert(!perp_supernodes_open(&f, &a, 2, p, upper));
    ck_assert(!perp_supernodes_open(&f, &a, 2, p, twice));
    ck_assert(!perp_supernodes_open(&f, &a, 2, late, good));
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("supernodes");
    TCase *t = tcase_create("supernodes");
    tcase_add_test(t, every_entry_has_a_place);
    tcase_add_test(t, leaves_with_the_same_rows_share_panels);
    tcase_add_test(t, a_band_stays_sparse);
    tcase_add_test(t, what_is_no_lower_triangle_is_refused);
    suite_add_tcase(s, t);
    return support_run(s);
}
