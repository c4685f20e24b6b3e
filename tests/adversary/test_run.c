/* tests/adversary/test_run.c: problems follow from seed and index alone, in every format; runs are
 * counted, go on from their state, and survive problems that kill or hang them. */
#include "run.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const settings plain = {.seed = 5, .count = 300, .kind = VARIANTS, .programs = 5};

START_TEST(reproducible)
{
    static sample a, b;
    bool seen[VARIANTS] = {false}, differ = false;
    for (long k = 0; k < 300; k++) {
        sample_draw(7, k, &a);
        sample_draw(7, k, &b);
        ck_assert(memcmp(&a, &b, sizeof a) == 0);
        ck_assert_int_eq(a.kind, sample_variant(7, k));
        ck_assert_int_le(a.size, MOST);
        seen[a.kind] = true;
        sample_draw(8, k, &b);
        differ = differ || a.kind != b.kind;
    }
    for (int v = 0; v < VARIANTS; v++) ck_assert(seen[v]);
    ck_assert(differ);
}
END_TEST

static void same_products(const perp_matrix *A, const table *T)
{
    double x[MOST], y[MOST], expected[MOST];
    for (int j = 0; j < T->n; j++) x[j] = 1 + j % 3;
    perp_matrix dense = perp_dense(T->m, T->n, T->x);
    perp_mul(A, 1, x, 0, y);
    perp_mul(&dense, 1, x, 0, expected);
    for (int i = 0; i < T->m; i++) {
        ck_assert(fabs(y[i] - expected[i]) <= 1e-14 * fabs(expected[i]) + 1e-300 || T->n > 2);
    }
}

/* Matrices of every drawn format mean the table: compared where sums have two terms at most. */
START_TEST(every_format)
{
    static sample s;
    unsigned formats = 0;
    for (long k = 0; k < 2000; k++) {
        sample_draw(3, k, &s);
        perp_arena a = {0};
        perp_problem p = sample_problem(&s, false, &a);
        perp_error e;
        perp_status status = perp_validate(&p, &e);
        ck_assert_msg((status < 0) == s.refused, "%ld: %s", k, status < 0 ? e.text : "accepted");
        if (s.kind == V_LCP) {
            formats |= p.as.lcp.M.format;
            same_products(&p.as.lcp.M, &s.M);
        }
        if (s.kind == V_FC3D) formats |= p.as.fc3d.W.format;
        perp_arena_free(&a);
    }
    ck_assert_uint_eq(formats, 63);
}
END_TEST

START_TEST(resumed)
{
    static tally whole, part;
    settings o = plain;
    char path[] = "/tmp/adversary-XXXXXX";
    int file = mkstemp(path);
    ck_assert(file >= 0);
    close(file);
    o.fork = true;
    o.keep = 0;
    whole = (tally){0};
    ck_assert(run_all(&o, &whole));
    ck_assert_int_eq(whole.next, 300);
    ck_assert_int_gt(tally_sum(&whole, -1, -1, C_SOLVES), 600);
    o.state = path;
    o.count = 120;
    part = (tally){0};
    ck_assert(run_all(&o, &part));
    o.count = 300;
    part = (tally){0};
    ck_assert(state_load(&o, &part));
    ck_assert_int_eq(part.next, 120);
    ck_assert(run_all(&o, &part));
    ck_assert(memcmp(whole.count, part.count, sizeof whole.count) == 0);
    o.seed = 6;
    ck_assert(!state_load(&o, &part));
    ck_assert(state_read(&o, &part));
    ck_assert_uint_eq(o.seed, 5);
    unlink(path);
}
END_TEST

/* Vectors beside those of a solve are judged by the sample: of a problem with other data, that z
 * solves, the certificate is called false. */
START_TEST(other_vectors_are_judged)
{
    static sample s;
    static tally t;
    const double z[] = {1}, w[] = {0}, other[] = {-1};
    settings o = plain;
    perp_arena a = {0};
    s = (sample){.kind = V_LCP, .n = 1, .size = 1, .tol = 1e-8, .xhi = {INFINITY}};
    s.M = (table){.m = 1, .n = 1, .x = {1}};
    for (int k = 0; k < 2; k++) {
        s.q[0] = k == 0 ? -1 : -2;
        perp_problem p = perp_make_lcp(1, perp_dense(1, 1, s.M.x), other);
        t = (tally){0};
        hostile(&o, &t, &s, &p, 0, &a, z, w);
        ck_assert_int_eq(tally_sum(&t, V_LCP, 0, C_VECTORS), 6);
        ck_assert((tally_sum(&t, V_LCP, 0, C_RESIDUAL) > 0) == (k > 0));
        ck_assert((tally_faults(&t, -1, -1) > 0) == (k > 0));
    }
    perp_arena_free(&a);
}
END_TEST

static void fatal_work(const settings *o, tally *t, long index)
{
    (void)o;
    t->index = index;
    t->solver = 0;
    t->kind = V_LCP;
    if (index % 4 == 1) abort();
    if (index == 6) {
        alarm(1);
        for (;;) pause();
    }
    t->count[V_LCP][0][C_SOLVES]++;
}

START_TEST(crashes_are_counted)
{
    static tally t;
    settings o = plain;
    o.fork = true;
    o.count = 12;
    o.work = fatal_work;
    o.files = NULL;
    t = (tally){0};
    ck_assert(run_all(&o, &t));
    ck_assert_int_eq(tally_sum(&t, -1, -1, C_CRASH), 3);
    ck_assert_int_eq(tally_sum(&t, -1, -1, C_SLOW), 1);
    ck_assert_int_eq(tally_sum(&t, -1, -1, C_SOLVES), 8);
    ck_assert_int_eq(tally_faults(&t, -1, -1), 4);
    ck_assert_int_eq(t.next, 12);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("adversary_run");
    TCase *t = tcase_create("runs");
    tcase_add_test(t, reproducible);
    tcase_add_test(t, every_format);
    tcase_add_test(t, resumed);
    tcase_add_test(t, other_vectors_are_judged);
    tcase_add_test(t, crashes_are_counted);
    suite_add_tcase(s, t);
    return support_run(s);
}
