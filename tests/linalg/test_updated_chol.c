/* tests/linalg/test_updated_chol.c: a Cholesky factor that columns join and leave, against R'R =
 * M_aa. */
#include "linalg/updated_chol.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 150

/* A problem's matrix, a factor and the indices it stands for. */
typedef struct fixture {
    perp_arena a;
    generated g;
    perp_updated u;
    int set[MOST];
} fixture;

static void open_fixture(fixture *f, const char *family, int n)
{
    memset(f, 0, sizeof *f);
    ck_assert(lcp_generate(lcp_family_find(family), n, 4, &f->a, &f->g));
    double *memory = perp_alloc_unset(&f->a, perp_updated_doubles(n), sizeof *memory);
    for (size_t k = 0; k < perp_updated_doubles(n); k++) memory[k] = NAN;
    perp_updated_open(&f->u, n, memory);
}

static double entry(const fixture *f, int i, int j)
{
    return f->g.M[(size_t)j * (size_t)f->g.n + (size_t)i];
}

static void join(fixture *f, int m, const int *list, double tol, bool *kept)
{
    int k = f->u.k;
    for (int c = 0; c < m; c++) {
        double *room = perp_updated_room(&f->u) + (size_t)c * (size_t)f->u.ld;
        f->set[k + c] = list[c];
        for (int r = 0; r <= k + c; r++) room[r] = entry(f, f->set[r], list[c]);
    }
    int joined = perp_updated_join(&f->u, m, tol, kept), to = k;
    for (int c = 0; c < m; c++) {
        if (kept[c]) f->set[to++] = list[c];
    }
    ck_assert_int_eq(f->u.k, k + joined);
    ck_assert_int_eq(f->u.k, to);
}

/* Largest |R'R - M_aa|. */
static double error_of(const fixture *f)
{
    double worst = 0;
    for (int j = 0; j < f->u.k; j++) {
        for (int i = 0; i <= j; i++) {
            double sum = -entry(f, f->set[i], f->set[j]);
            for (int r = 0; r <= i; r++) {
                sum += f->u.R[(size_t)i * (size_t)f->u.ld + (size_t)r] *
                       f->u.R[(size_t)j * (size_t)f->u.ld + (size_t)r];
            }
            worst = fmax(worst, isnan(sum) ? INFINITY : fabs(sum));
        }
    }
    return worst;
}

static void leave(fixture *f, int at, double *y)
{
    perp_updated_delete(&f->u, at, y);
    memmove(f->set + at, f->set + at + 1, (size_t)(f->u.k - at) * sizeof *f->set);
}

START_TEST(hand_worked)
{
    double memory[15];
    bool kept[2];
    perp_updated u;
    perp_updated_open(&u, 3, memory);
    double *room = perp_updated_room(&u);
    room[0] = 4;
    room[3] = 2;
    room[4] = 5; /* (4 2; 2 5) = (2 1; 0 2)'(2 1; 0 2) */
    ck_assert_int_eq(perp_updated_join(&u, 2, 0, kept), 2);
    ck_assert(u.R[0] == 2 && u.R[3] == 1 && u.R[4] == 2);
    double x[] = {2, 5};
    perp_updated_forward(&u, x);
    ck_assert(x[0] == 1 && x[1] == 2);
    perp_updated_backward(&u, x);
    ck_assert(x[1] == 1 && x[0] == 0);
    double y[] = {3, 4}; /* R'y = (6, 11); without the first column 11 / sqrt 5 */
    double last = perp_updated_delete(&u, 0, y);
    ck_assert_int_eq(u.k, 1);
    ck_assert_double_eq_tol(u.R[0], sqrt(5), 1e-15);
    ck_assert_double_eq_tol(y[0], 11 / sqrt(5), 1e-14);
    ck_assert_double_eq_tol(y[0] * y[0] + last * last, 25, 1e-13);
}
END_TEST

/* (4 2; 2 1) has nothing left of the second column: it stays out, or joins with a quarter of its
 * diagonal entry. */
START_TEST(all_join)
{
    double memory[8];
    bool kept[2];
    perp_updated u;
    for (int k = 0; k < 2; k++) {
        perp_updated_open(&u, 2, memory);
        double *room = perp_updated_room(&u);
        room[0] = 4;
        room[2] = 2;
        room[3] = 1;
        ck_assert_int_eq(perp_updated_join(&u, 2, k ? -0.25 : 0.25, kept), 1 + k);
        ck_assert(kept[0] && kept[1] == (k == 1));
    }
    ck_assert(u.R[0] == 2 && u.R[2] == 1 && u.R[3] == 0.5);
}
END_TEST

/* Random joins in blocks and one by one, and random leaves. */
START_TEST(joins_and_leaves)
{
    static fixture f;
    generator g = generator_start(7);
    bool kept[PERP_UPDATED_PANEL];
    int list[PERP_UPDATED_PANEL];
    open_fixture(&f, "pd", MOST);
    for (int step = 0; step < 60; step++) {
        bool in[MOST] = {false};
        for (int p = 0; p < f.u.k; p++) in[f.set[p]] = true;
        int m = 0, want = generator_between(&g, 1, step % 3 ? 5 : PERP_UPDATED_PANEL);
        for (int i = generator_below(&g, 40); i < MOST && m < want; i += 2) {
            if (!in[i]) list[m++] = i;
        }
        join(&f, m, list, 0, kept);
        ck_assert_double_lt(error_of(&f), 1e-11);
        for (int gone = generator_below(&g, 30); gone > 0 && f.u.k > 0; gone--) {
            leave(&f, generator_below(&g, f.u.k), NULL);
        }
        ck_assert_double_lt(error_of(&f), 1e-11);
    }
    perp_arena_free(&f.a);
}
END_TEST

/* Solves agree with M_aa, y follows a deletion, and push equals join. */
START_TEST(solves_follow)
{
    static fixture f;
    bool kept[PERP_UPDATED_PANEL];
    int list[40];
    double x[MOST], y[MOST], again[MOST];
    open_fixture(&f, "pd", 60);
    for (int c = 0; c < 40; c++) list[c] = 59 - c;
    join(&f, 40, list, 0, kept);
    for (int at = 0; at < 40; at += 7) {
        for (int p = 0; p < f.u.k; p++) y[p] = entry(&f, f.set[p], 3);
        perp_updated_forward(&f.u, y);
        leave(&f, at < f.u.k ? at : f.u.k - 1, y);
        for (int p = 0; p < f.u.k; p++) again[p] = entry(&f, f.set[p], 3);
        perp_updated_forward(&f.u, again);
        ck_assert_double_lt(difference(f.u.k, y, again), 1e-11);
        memcpy(x, again, sizeof x);
        perp_updated_backward(&f.u, x);
        for (int i = 0; i < f.u.k; i++) {
            double sum = -entry(&f, f.set[i], 3);
            for (int j = 0; j < f.u.k; j++) sum += entry(&f, f.set[i], f.set[j]) * x[j];
            ck_assert_double_lt(fabs(sum), 1e-10);
        }
    }
    double left = entry(&f, 3, 3);
    for (int p = 0; p < f.u.k; p++) left -= y[p] * y[p];
    perp_updated_push(&f.u, y, sqrt(left));
    f.set[f.u.k - 1] = 3;
    ck_assert_double_lt(error_of(&f), 1e-11);

    double *memory = perp_alloc_unset(&f.a, perp_updated_doubles(100), sizeof *memory);
    perp_updated_grow(&f.u, 100, memory);
    ck_assert_int_eq(f.u.ld, 100);
    ck_assert_double_lt(error_of(&f), 1e-11);
    perp_arena_free(&f.a);
}
END_TEST

/* Rank n / 2: exactly so many of the columns join, whatever the panels. */
START_TEST(dependent_columns_stay_out)
{
    static fixture f;
    bool kept[PERP_UPDATED_PANEL];
    open_fixture(&f, "psd", 100);
    for (int from = 0; from < 100; from += 20) {
        int list[20];
        for (int c = 0; c < 20; c++) list[c] = from + c;
        join(&f, 20, list, 1e-10, kept);
    }
    ck_assert_int_eq(f.u.k, 50);
    ck_assert_double_lt(error_of(&f), 1e-11);

    double memory[24] = {0};
    perp_updated u;
    perp_updated_open(&u, 4, memory);
    double *room = perp_updated_room(&u); /* zero column, then 1, then its double, then -1 */
    room[4 + 1] = 1;
    room[8 + 1] = 2;
    room[8 + 2] = 4;
    room[12 + 3] = -1;
    ck_assert_int_eq(perp_updated_join(&u, 4, 1e-12, kept), 1);
    ck_assert(!kept[0] && kept[1] && !kept[2] && !kept[3]);
    perp_arena_free(&f.a);
}
END_TEST

/* Both solves, for every number of columns: small factors are solved with here, large ones by BLAS.
 * R'y = b and R x = y are checked by multiplying back, to the backward error of a triangular
 * solve. */
START_TEST(solves_of_every_size)
{
    fixture f;
    bool kept;
    double b[MOST], x[MOST], y[MOST];
    open_fixture(&f, "pd", MOST);
    for (int k = 0; k <= MOST; k++) {
        if (k > 0) join(&f, 1, &(int){k - 1}, 0, &kept);
        for (int i = 0; i < k; i++) x[i] = b[i] = f.g.q[i];
        perp_updated_forward(&f.u, x);
        memcpy(y, x, sizeof y);
        perp_updated_backward(&f.u, x);
        for (int j = 0; j < k; j++) {
            const double *r = f.u.R + (size_t)j * (size_t)f.u.ld;
            double sum = 0, size = fabs(b[j]);
            for (int i = 0; i <= j; i++) {
                sum += r[i] * y[i];
                size += fabs(r[i] * y[i]);
            }
            ck_assert_double_le(fabs(sum - b[j]), 2 * k * DBL_EPSILON * size);
        }
        for (int i = 0; i < k; i++) {
            double sum = 0, size = fabs(y[i]);
            for (int j = i; j < k; j++) {
                double term = f.u.R[(size_t)j * (size_t)f.u.ld + (size_t)i] * x[j];
                sum += term;
                size += fabs(term);
            }
            ck_assert_double_le(fabs(sum - y[i]), 2 * k * DBL_EPSILON * size);
        }
    }
    perp_arena_free(&f.a);
}
END_TEST

START_TEST(empty)
{
    double memory[1] = {0}, x[1] = {7};
    bool kept[1];
    perp_updated u;
    perp_updated_open(&u, 0, memory);
    perp_updated_forward(&u, x);
    perp_updated_backward(&u, x);
    ck_assert_int_eq(perp_updated_join(&u, 0, 0, kept), 0);
    ck_assert(u.k == 0 && x[0] == 7);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("updated_chol");
    TCase *t = tcase_create("updated_chol");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, all_join);
    tcase_add_test(t, joins_and_leaves);
    tcase_add_test(t, solves_follow);
    tcase_add_test(t, dependent_columns_stay_out);
    tcase_add_test(t, solves_of_every_size);
    tcase_add_test(t, empty);
    suite_add_tcase(s, t);
    return support_run(s);
}
