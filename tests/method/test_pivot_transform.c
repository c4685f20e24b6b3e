/* tests/method/test_pivot_transform.c: the principal pivot transform against its definition, and
 * singular blocks. */
#include "generate.h"
#include "method/dictionary.h"
#include "method/pivot_transform.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

typedef struct transform {
    int n, ldm, ldd;
    double *M, *q, *D, *x, *work;
    int *iwork;
    bool *in;
    generator g;
} transform;

/* Arrays of exactly the promised sizes, so that a sanitizer sees a step beyond. */
static transform open_transform(int n, uint64_t seed)
{
    transform t = {.n = n, .ldm = n + 3, .ldd = n + 2, .g = generator_start(seed)};
    size_t k = (size_t)n;
    t.M = malloc((size_t)t.ldm * k * sizeof(double) + 1);
    t.D = malloc((size_t)t.ldd * k * sizeof(double) + 1);
    t.q = malloc(k * sizeof(double) + 1);
    t.x = malloc(k * sizeof(double) + 1);
    t.in = calloc(k + 1, sizeof(bool));
    t.work = malloc(perp_pivot_transform_doubles(n) * sizeof(double) + 1);
    t.iwork = malloc(perp_pivot_transform_ints(n) * sizeof(int) + 1);
    for (size_t i = 0; i < (size_t)t.ldm * k; i++) t.M[i] = NAN;
    for (size_t i = 0; i < (size_t)t.ldd * k; i++) t.D[i] = -77;
    return t;
}

static void close_transform(transform *t)
{
    free(t->M);
    free(t->D);
    free(t->q);
    free(t->x);
    free(t->in);
    free(t->work);
    free(t->iwork);
}

static double *entry(transform *t, int i, int j)
{
    return t->M + (size_t)j * (size_t)t->ldm + (size_t)i;
}

/* Uniform entries, `diagonal` added: 0 is any matrix, 2 n a dominant one. */
static void fill(transform *t, double diagonal)
{
    for (int j = 0; j < t->n; j++) {
        for (int i = 0; i < t->n; i++) {
            *entry(t, i, j) = generator_uniform(&t->g) + (i == j ? diagonal : 0);
        }
        t->q[j] = generator_uniform(&t->g);
    }
}

static bool apply(transform *t)
{
    return perp_pivot_transform(t->n, t->M, t->ldm, t->q, t->in, t->D, t->ldd, t->x, t->work,
                                t->iwork, NULL);
}

/* For random z and w = M z + q: (z_a, w_b) = D (w_a, z_b) + x. Returns the worst error. */
static double definition_error(transform *t)
{
    int n = t->n;
    double worst = 0;
    long double *z = malloc((size_t)n * sizeof *z + 1), *w = malloc((size_t)n * sizeof *w + 1);
    for (int trial = 0; trial < 3; trial++) {
        for (int i = 0; i < n; i++) {
            z[i] = generator_uniform(&t->g);
            w[i] = t->q[i];
        }
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) w[i] += *entry(t, i, j) * z[j];
        }
        for (int i = 0; i < n; i++) {
            long double left = t->in[i] ? z[i] : w[i], right = t->x[i], size = 1;
            for (int j = 0; j < n; j++) {
                double d = t->D[(size_t)j * (size_t)t->ldd + (size_t)i];
                right += d * (t->in[j] ? w[j] : z[j]);
                size = fmaxl(size, fabsl(d * (t->in[j] ? w[j] : z[j])));
            }
            worst = fmax(worst, (double)(fabsl(left - right) / size));
        }
    }
    free(z);
    free(w);
    return worst;
}

START_TEST(definition)
{
    static const int sizes[] = {1, 2, 3, 7, 40, 120};
    for (int k = 0; k < 6; k++) {
        for (int trial = 0; trial < 8; trial++) {
            transform t = open_transform(sizes[k], (uint64_t)(10 * k + trial));
            fill(&t, trial < 4 ? 2 * t.n : 1.5);
            for (int i = 0; i < t.n; i++) t.in[i] = generator_unit(&t.g) < 0.3 * (trial % 4);
            ck_assert(apply(&t));
            double e = definition_error(&t);
            ck_assert_msg(e <= (trial < 4 ? 1e-13 : 1e-10), "n = %d, %d: %g", t.n, trial, e);
            for (int j = 0; j < t.n; j++) { /* the padding is not ours */
                ck_assert(t.D[(size_t)j * (size_t)t.ldd + (size_t)t.n] == -77);
            }
            close_transform(&t);
        }
    }
}
END_TEST

/* By hand: M = (2 1; 3 4), q = (1, 2), a = {0}: z_0 = (w_0 - z_1 - 1) / 2. */
START_TEST(hand_worked)
{
    const double M[] = {2, 3, 1, 4}, q[] = {1, 2};
    const bool in[] = {true, false};
    double D[4], x[2], *work = malloc(perp_pivot_transform_doubles(2) * sizeof *work);
    int *iwork = malloc(perp_pivot_transform_ints(2) * sizeof *iwork);
    ck_assert(perp_pivot_transform(2, M, 2, q, in, D, 2, x, work, iwork, NULL));
    ck_assert(D[0] == 0.5 && D[2] == -0.5 && x[0] == -0.5);
    ck_assert(D[1] == 1.5 && D[3] == 2.5 && x[1] == 0.5);
    free(work);
    free(iwork);
}
END_TEST

START_TEST(empty_and_full)
{
    for (int n = 0; n <= 33; n += 11) {
        transform t = open_transform(n, 5);
        fill(&t, n);
        ck_assert(apply(&t)); /* nothing exchanged: M and q to the bit */
        for (int j = 0; j < n; j++) {
            ck_assert(t.x[j] == t.q[j]);
            for (int i = 0; i < n; i++) {
                ck_assert(t.D[(size_t)j * (size_t)t.ldd + (size_t)i] == *entry(&t, i, j));
            }
        }
        for (int i = 0; i < n; i++) t.in[i] = true;
        ck_assert(apply(&t)); /* everything: the inverse, and -M^-1 q */
        ck_assert(n == 0 || definition_error(&t) < 1e-13);
        close_transform(&t);
    }
}
END_TEST

/* The transform of the transform is the matrix itself. */
START_TEST(involution)
{
    transform t = open_transform(25, 8);
    fill(&t, 50);
    for (int i = 0; i < 25; i++) t.in[i] = i % 3 == 0;
    ck_assert(apply(&t));
    double back[25 * 25], x[25];
    ck_assert(perp_pivot_transform(25, t.D, t.ldd, t.x, t.in, back, 25, x, t.work, t.iwork, NULL));
    for (int j = 0; j < 25; j++) {
        ck_assert_double_eq_tol(x[j], t.q[j], 1e-13);
        for (int i = 0; i < 25; i++)
            ck_assert_double_eq_tol(back[25 * j + i], *entry(&t, i, j), 1e-12);
    }
    close_transform(&t);
}
END_TEST

/* One set at a time by pivots on the diagonal. */
START_TEST(agrees_with_pivots)
{
    const int n = 30;
    transform t = open_transform(n, 12);
    fill(&t, 2 * n);
    perp_dictionary d;
    void *memory = NULL;
    ck_assert_int_eq(posix_memalign(&memory, 64, perp_dictionary_size(n, n) * sizeof(double)), 0);
    perp_dictionary_open(&d, n, n, memory);
    double *a = malloc((size_t)d.ld * sizeof *a);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) d.D[(size_t)j * (size_t)d.ld + (size_t)i] = *entry(&t, i, j);
        d.x[j] = t.q[j];
    }
    for (int i = 0; i < n; i += 2) {
        t.in[i] = true;
        perp_dictionary_column(&d, i, a);
        perp_dictionary_pivot(&d, i, i, a);
    }
    ck_assert(apply(&t));
    for (int j = 0; j < n; j++) {
        ck_assert_double_eq_tol(d.x[j], t.x[j], 1e-13);
        for (int i = 0; i < n; i++) {
            ck_assert_double_eq_tol(perp_dictionary_entry(&d, i, j),
                                    t.D[(size_t)j * (size_t)t.ldd + (size_t)i], 1e-12);
        }
    }
    free(a);
    free(memory);
    close_transform(&t);
}
END_TEST

START_TEST(singular_refused)
{
    transform t = open_transform(12, 3);
    fill(&t, 0);
    for (int i = 0; i < 12; i++) t.in[i] = i < 6;
    for (int i = 0; i < 12; i++) *entry(&t, i, 2) = *entry(&t, i, 4); /* equal columns */
    ck_assert(!apply(&t));
    t.in[2] = false; /* without one of them the block is regular */
    ck_assert(apply(&t));
    t.in[2] = true;
    *entry(&t, 2, 2) += 1e-16; /* regular on paper alone */
    ck_assert(!apply(&t));
    for (int j = 0; j < 12; j++) *entry(&t, 3, j) = 0; /* a row of zeros */
    t.in[2] = false;
    ck_assert(!apply(&t));
    t.in[3] = false;
    ck_assert(apply(&t));
    close_transform(&t);
}
END_TEST

START_TEST(one_by_one)
{
    static const double values[] = {2, -1e-300, 1e300, 0};
    for (int k = 0; k < 4; k++) {
        transform t = open_transform(1, 1);
        *entry(&t, 0, 0) = values[k];
        t.q[0] = 3;
        t.in[0] = true;
        ck_assert_int_eq(apply(&t), values[k] != 0);
        if (values[k] != 0) {
            ck_assert_double_eq_tol(t.D[0] * values[k], 1, 4 * DBL_EPSILON);
            ck_assert_double_eq_tol(t.x[0] * values[k], -3, 12 * DBL_EPSILON);
        }
        close_transform(&t);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("method/pivot_transform");
    TCase *t = tcase_create("ppt");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, definition);
    tcase_add_test(t, empty_and_full);
    tcase_add_test(t, involution);
    tcase_add_test(t, agrees_with_pivots);
    tcase_add_test(t, singular_refused);
    tcase_add_test(t, one_by_one);
    suite_add_tcase(s, t);
    return support_run(s);
}
