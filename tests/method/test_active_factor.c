/* tests/method/test_active_factor.c: an active set with its factor, dense and sparse. */
#include "method/active_factor.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

#define N 200

/* place and set tell the same, and M_aa z_a = -q_a for what correct finds. */
static void check_set(perp_active_factor *s, const double *q)
{
    double z[N] = {0}, w[N];
    int inside = 0;
    for (int i = 0; i < s->M->n; i++) inside += s->place[i] >= 0;
    ck_assert_int_eq(inside, s->u.k);
    for (int p = 0; p < s->u.k; p++) ck_assert_int_eq(s->place[s->set[p]], p);
    perp_active_factor_correct(s, q, z);
    perp_active_factor_slack(s, q, z, w);
    for (int i = 0; i < s->M->n; i++) {
        if (s->place[i] >= 0)
            ck_assert_double_lt(fabs(w[i]), 1e-9);
        else
            ck_assert(z[i] == 0);
    }
}

static perp_matrix make(const char *family, int n, bool sparse, perp_arena *a, generated *g)
{
    perp_matrix out;
    ck_assert(lcp_generate(lcp_family_find(family), n, 9, a, g));
    perp_matrix M = lcp_generated_problem(g).as.lcp.M;
    ck_assert(!perp_convert(&M, sparse ? PERP_FORMAT_CSC : PERP_FORMAT_DENSE, a, &out, NULL));
    return out;
}

/* All join (the sparse factor grows on the way), some leave, one returns. */
START_TEST(sets)
{
    static const char *const names[] = {"pd", "obstacle"};
    for (int v = 0; v < 4; v++) {
        perp_arena a = {0};
        generated g;
        perp_active_factor s;
        perp_matrix M = make(names[v % 2], N, v / 2, &a, &g);
        int list[N];
        double y[N];
        for (int i = 0; i < N; i++) list[i] = i;
        ck_assert(perp_active_factor_open(&s, &M, &a));
        check_set(&s, g.q);
        ck_assert(perp_active_factor_join(&s, 70, list + 30, 0));
        check_set(&s, g.q);
        ck_assert(perp_active_factor_join(&s, 30, list, 0));
        ck_assert(perp_active_factor_join(&s, 100, list + 100, 0));
        ck_assert_int_eq(s.u.k, N);
        check_set(&s, g.q);
        for (int at = 0; at < s.u.k; at += 3) perp_active_factor_drop(&s, at, NULL);
        check_set(&s, g.q);
        ck_assert(s.place[30] < 0);
        double left = perp_active_factor_reduce(&s, 30, y);
        ck_assert_double_gt(left, 0);
        ck_assert(perp_active_factor_push(&s, 30, y, left));
        check_set(&s, g.q);
        ck_assert_int_eq(s.set[s.u.k - 1], 30);
        perp_active_factor_gather(&s, 30, y);
        ck_assert(y[s.u.k - 1] == s.diagonal[30]);
        ck_assert(perp_active_factor_rebuild(&s, 0));
        check_set(&s, g.q);
        ck_assert(perp_active_factor_assign(&s, 5, list + 50, 0));
        ck_assert_int_eq(s.u.k, 5);
        check_set(&s, g.q);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(dependent_stay_out)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        perp_arena a = {0};
        generated g;
        perp_active_factor s;
        perp_matrix M = make("duplicate", 20, sparse, &a, &g);
        int list[20];
        for (int i = 0; i < 20; i++) list[i] = 19 - i;
        ck_assert(perp_active_factor_open(&s, &M, &a));
        ck_assert(perp_active_factor_join(&s, 20, list, 1e-10));
        ck_assert_int_eq(s.u.k, 10); /* the first of each pair that came */
        for (int i = 0; i < 20; i++) ck_assert((s.place[i] >= 0) == (i >= 10));
        perp_arena_free(&a);
    }
}
END_TEST

/* With M_aa kept a rebuild gives what it gives without, also where columns
 * do not join, or are lost to a large tolerance. */
START_TEST(kept_entries)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        perp_arena a = {0};
        generated g;
        perp_matrix M = make("duplicate", 200, sparse, &a, &g);
        perp_active_factor s, t;
        int list[N];
        double y[N], z[N], again[N];
        for (int i = 0; i < N; i++) list[i] = i * 7 % N;
        ck_assert(perp_active_factor_open(&s, &M, &a) && perp_active_factor_open(&t, &M, &a));
        ck_assert(perp_active_factor_keep(&s));
        ck_assert(perp_active_factor_join(&s, N, list, 1e-10) &&
                  perp_active_factor_join(&t, N, list, 1e-10));
        ck_assert_int_eq(s.u.k, t.u.k);
        for (int at = 0; at < s.u.k; at += 5) {
            perp_active_factor_drop(&s, at, NULL);
            perp_active_factor_drop(&t, at, NULL);
        }
        int back = list[0];
        ck_assert(s.place[back] < 0);
        perp_active_factor_reduce(&s, back, y);
        perp_active_factor_drop(&s, 3, y);
        perp_active_factor_drop(&t, 3, NULL);
        ck_assert(perp_active_factor_rebuild(&s, 0) && perp_active_factor_rebuild(&t, 0));
        double left = perp_active_factor_reduce_again(&s, y);
        ck_assert_double_lt(fabs(left - perp_active_factor_reduce(&t, back, z)), 1e-12);
        ck_assert_double_lt(difference(s.u.k, y, z), 1e-10);
        ck_assert(perp_active_factor_push(&s, back, y, left) &&
                  perp_active_factor_push(&t, back, z, left));
        ck_assert(perp_active_factor_rebuild(&s, 0));
        ck_assert_mem_eq(s.set, t.set, (size_t)s.u.k * sizeof *s.set);
        memset(z, 0, sizeof z);
        memset(again, 0, sizeof again);
        perp_active_factor_correct(&s, g.q, z);
        perp_active_factor_correct(&t, g.q, again);
        ck_assert_double_lt(difference(N, z, again), 1e-8);
        int before = s.u.k;
        ck_assert(perp_active_factor_rebuild(&s, 0.3) &&
                  perp_active_factor_rebuild(&t, 0.3)); /* loses some */
        ck_assert(s.u.k == t.u.k && s.u.k < before);
        ck_assert_mem_eq(s.set, t.set, (size_t)s.u.k * sizeof *s.set);
        for (int i = 0; i < N; i++) ck_assert_int_eq(s.place[i], t.place[i]);
        ck_assert(perp_active_factor_rebuild(&s, 0));
        ck_assert_int_eq(s.u.k, t.u.k);
        perp_arena_free(&a);
    }
}
END_TEST

/* A'A by its entries and by A alone, in three formats: the same sets and corrections. */
START_TEST(of_a_gram_matrix)
{
    enum { ROWS = 90, COLUMNS = 80 };
    perp_arena a = {0};
    generator g = generator_start(3);
    double *A = perp_alloc(&a, ROWS * COLUMNS, sizeof *A), *M = perp_alloc(&a, 6400, sizeof *M);
    double r[COLUMNS], y[COLUMNS], plain[COLUMNS];
    int list[COLUMNS];
    for (int k = 0; k < ROWS * COLUMNS; k++) A[k] = generator_uniform(&g);
    memcpy(A + 70 * ROWS, A + 3 * ROWS, ROWS * sizeof *A); /* depends on column 3 */
    for (int j = 0; j < COLUMNS; j++) {
        for (int i = 0; i < COLUMNS; i++) {
            for (int k = 0; k < ROWS; k++) M[j * COLUMNS + i] += A[j * ROWS + k] * A[i * ROWS + k];
        }
        list[j] = j;
        r[j] = generator_uniform(&g);
    }
    for (int format = -1; format < 4; format++) {
        perp_matrix D = perp_dense(ROWS, COLUMNS, A), whole = perp_dense(COLUMNS, COLUMNS, M);
        perp_matrix view = format == 2 || format < 0 ? D : in_format(format, &D, &a);
        perp_gram gram;
        perp_active_factor s;
        ck_assert(perp_gram_open(&gram, &view, &a));
        ck_assert(format < 0 ? perp_active_factor_open(&s, &whole, &a)
                             : perp_active_factor_open_gram(&s, &gram, &a));
        ck_assert(perp_active_factor_join(&s, 75, list, 1e-10));
        ck_assert(s.u.k == 74 && s.place[70] < 0);
        perp_active_factor_drop(&s, 20, NULL);
        double left = perp_active_factor_reduce(&s, 77, y), z[COLUMNS] = {0};
        ck_assert(perp_active_factor_push(&s, 77, y, left));
        ck_assert_double_lt(fabs(s.diagonal[77] - M[77 * COLUMNS + 77]), 1e-12);
        perp_active_factor_correct(&s, r, z);
        if (format < 0) memcpy(plain, z, sizeof z);
        ck_assert_double_lt(difference(COLUMNS, z, plain), 1e-9);
    }
    perp_arena_free(&a);
}
END_TEST

START_TEST(memory)
{
    perp_arena own = {0};
    generated g;
    perp_matrix M = make("obstacle", N, true, &own, &g);
    int list[N], failures = 0;
    for (int i = 0; i < N; i++) list[i] = i;
    for (int left = 0; left < 20; left++) {
        supply c = {.left = left};
        perp_arena a = {.resize = scarce, .ctx = &c};
        perp_active_factor s;
        bool done = perp_active_factor_open(&s, &M, &a) && perp_active_factor_join(&s, N, list, 0);
        ck_assert(done || a.failed);
        failures += !done;
        perp_arena_free(&a);
        ck_assert_int_eq(c.out, 0);
    }
    ck_assert(failures > 1 && failures < 20);
    perp_arena_free(&own);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("active");
    TCase *t = tcase_create("active");
    tcase_add_test(t, sets);
    tcase_add_test(t, dependent_stay_out);
    tcase_add_test(t, kept_entries);
    tcase_add_test(t, of_a_gram_matrix);
    tcase_add_test(t, memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
