/* test_convert.c: every pair of formats against the dense matrix both mean; refusals; no memory. */
#include "core/internal.h"
#include "support.h"

#include <check.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N RANDOM_MOST

/* Small integers, so that sums are exact in any order; zero now and then. */
static double small_integer(generator *g)
{
    return generator_below(g, 9) - 4;
}

static random_matrix *make(perp_format format, int m, int n, uint64_t seed)
{
    static const random_entries entries = {small_integer, .zeros = 2.0 / 3, .padding = 99};
    generator g = generator_start(seed);
    return random_matrix_new(format, m, n, &entries, &g);
}

static const perp_format sources[] = {PERP_FORMAT_ABSENT, PERP_FORMAT_DENSE, PERP_FORMAT_CSC,
                                      PERP_FORMAT_BSR3};
static const perp_format targets[] = {PERP_FORMAT_DENSE, PERP_FORMAT_CSC, PERP_FORMAT_BSR3};

/* ---- what a result must be ---- */

static void expect_full(const random_matrix *s, double (*full)[N])
{
    for (int i = 0; i < s->A.m; i++) {
        for (int j = 0; j < s->A.n; j++) ck_assert(full[i][j] == s->full[i][j]);
    }
}

static void expand_csc(const perp_matrix *B, double (*full)[N])
{
    const struct perp_csc_view *v = &B->as.csc;
    ck_assert_int_eq(v->p[0], 0);
    for (int j = 0; j < B->n; j++) {
        for (int k = v->p[j]; k < v->p[j + 1]; k++) {
            ck_assert(v->i[k] >= 0 && v->i[k] < B->m);
            full[v->i[k]][j] += v->x[k];
        }
    }
}

static void expand(const perp_matrix *B, double (*full)[N])
{
    if (B->format == PERP_FORMAT_CSC) expand_csc(B, full);
    if (B->format == PERP_FORMAT_DENSE) {
        ck_assert_int_ge(B->as.dense.ld, B->m > 1 ? B->m : 1);
        for (int k = 0; k < B->m * B->n; k++) {
            full[k % B->m][k / B->m] = B->as.dense.x[k % B->m + k / B->m * B->as.dense.ld];
        }
    }
    if (B->format != PERP_FORMAT_BSR3) return;
    const struct perp_bsr3_view *v = &B->as.bsr3;
    for (int row = 0; row < B->m / 3; row++) {
        for (int k = 9 * v->p[row]; k < 9 * v->p[row + 1]; k++) {
            full[3 * row + k % 3][3 * v->j[k / 9] + k % 9 / 3] += v->x[k];
        }
    }
}

static void expect_same(const random_matrix *s, const perp_matrix *B, perp_format format)
{
    double full[N][N] = {{0}};
    ck_assert_int_eq(B->format, format);
    ck_assert_int_eq(B->m, s->A.m);
    ck_assert_int_eq(B->n, s->A.n);
    expand(B, full);
    expect_full(s, full);
    if (s->A.format == format) {
        ck_assert_mem_eq(&B->as, &s->A.as, sizeof B->as.dense.x); /* the first pointer */
    } else if (format == PERP_FORMAT_CSC) {
        ck_assert(ascending(B->n, B->as.csc.p, B->as.csc.i));
    } else if (format == PERP_FORMAT_BSR3) {
        ck_assert(ascending(B->m / 3, B->as.bsr3.p, B->as.bsr3.j));
    }
}

START_TEST(every_pair_means_the_same)
{
    static const int size[] = {0, 1, 3, 7, 30};
    for (int k = 0; k < 25 * 12; k++) {
        int m = size[k % 5], n = size[k / 5 % 5];
        perp_format source = sources[k / 25 % 4], format = targets[k / 100];
        if (source == PERP_FORMAT_BSR3 && (m % 3 || n % 3)) continue;
        random_matrix *s = make(source, m, n, (uint64_t)k + 1);
        perp_arena a = {0};
        perp_matrix B;
        perp_error e = {0};
        perp_status status = perp_convert(&s->A, format, &a, &B, &e);
        if (format == PERP_FORMAT_BSR3 && (m % 3 || n % 3)) {
            ck_assert_int_eq(status, PERP_E_FORMAT);
        } else {
            ck_assert_msg(status == PERP_SOLVED, "%s", e.text);
            expect_same(s, &B, format);
        }
        perp_arena_free(&a);
        free(s);
    }
}
END_TEST

START_TEST(zeros_of_dense_and_blocks_are_left_out)
{
    double x[36] = {0}, B[18] = {0};
    const int p[] = {0, 1, 2}, j[] = {0, 1};
    perp_arena a = {0};
    perp_matrix D = perp_dense(6, 6, x), W = perp_bsr3(2, 2, p, j, B), out;
    x[3 + 6 * 1] = 5;
    B[9 + 2] = 4;
    ck_assert_int_eq(perp_convert(&D, PERP_FORMAT_CSC, &a, &out, NULL), PERP_SOLVED);
    ck_assert_int_eq(out.as.csc.p[6], 1);
    ck_assert_int_eq(out.as.csc.i[0], 3);
    ck_assert_int_eq(perp_convert(&D, PERP_FORMAT_BSR3, &a, &out, NULL), PERP_SOLVED);
    ck_assert_int_eq(out.as.bsr3.p[1], 0);
    ck_assert_int_eq(out.as.bsr3.p[2], 1);
    ck_assert_int_eq(out.as.bsr3.j[0], 0);
    ck_assert(out.as.bsr3.x[3] == 5);
    ck_assert_int_eq(perp_convert(&W, PERP_FORMAT_CSC, &a, &out, NULL), PERP_SOLVED);
    ck_assert_int_eq(out.as.csc.p[6], 1);
    ck_assert_int_eq(out.as.csc.p[4], 1);
    ck_assert_int_eq(out.as.csc.p[3], 0);
    ck_assert_int_eq(out.as.csc.i[0], 5);
    perp_arena_free(&a);
}
END_TEST

START_TEST(absent_arrays_are_not_null)
{
    perp_arena a = {0};
    perp_matrix A = {.m = 6, .n = 3}, out;
    ck_assert_int_eq(perp_convert(&A, PERP_FORMAT_CSC, &a, &out, NULL), PERP_SOLVED);
    ck_assert(out.as.csc.p && out.as.csc.i && out.as.csc.x);
    ck_assert_int_eq(perp_convert(&A, PERP_FORMAT_BSR3, &a, &out, NULL), PERP_SOLVED);
    ck_assert(out.as.bsr3.p && out.as.bsr3.j && out.as.bsr3.x);
    perp_arena_free(&a);
}
END_TEST

/* ---- perp_sort_csc ---- */

START_TEST(sort_by_hand)
{
    /* column 0: rows 2, 0, 2; column 1 empty; column 2: row 1 twice */
    const int p[] = {0, 3, 3, 5}, i[] = {2, 0, 2, 1, 1};
    const double x[] = {1, 2, 4, 8, -8};
    perp_arena a = {0};
    perp_matrix A = perp_csc(3, 3, p, i, x), out;
    ck_assert_int_eq(perp_sort_csc(&A, &a, &out), PERP_SOLVED);
    const int want_p[] = {0, 2, 2, 3}, want_i[] = {0, 2, 1};
    const double want_x[] = {2, 5, 0}; /* a sum that cancels stays in the pattern */
    ck_assert_mem_eq(out.as.csc.p, want_p, sizeof want_p);
    ck_assert_mem_eq(out.as.csc.i, want_i, sizeof want_i);
    ck_assert_mem_eq(out.as.csc.x, want_x, sizeof want_x);
    perp_arena_free(&a);
}
END_TEST

START_TEST(sort_random)
{
    static const int size[] = {0, 1, 3, 7, 30};
    for (int k = 0; k < 100; k++) {
        random_matrix *s = make(PERP_FORMAT_CSC, size[k % 5], size[k / 5 % 5], 1000 + (uint64_t)k);
        perp_arena a = {0};
        perp_matrix B;
        double full[N][N] = {{0}};
        ck_assert_int_eq(perp_sort_csc(&s->A, &a, &B), PERP_SOLVED);
        ck_assert(ascending(B.n, B.as.csc.p, B.as.csc.i));
        expand_csc(&B, full);
        expect_full(s, full);
        perp_arena_free(&a);
        free(s);
    }
}
END_TEST

START_TEST(sorted_is_returned_as_it_is)
{
    const int p[] = {0, 2, 3}, i[] = {0, 2, 1};
    const double x[] = {1, 2, 3};
    perp_arena a = {0};
    perp_matrix A = perp_csc(3, 2, p, i, x), out, D = perp_dense(1, 1, x);
    ck_assert_int_eq(perp_sort_csc(&A, &a, &out), PERP_SOLVED);
    ck_assert_ptr_eq(out.as.csc.x, x);
    ck_assert_uint_eq(a.used, 0);
    ck_assert_int_eq(perp_sort_csc(&D, &a, &out), PERP_E_FORMAT);
    perp_arena_free(&a);
}
END_TEST

/* ---- refusals ---- */

static void expect_refusal(const perp_matrix *A, perp_format format, const char *sentence)
{
    perp_arena a = {0};
    perp_matrix out = {.m = -7};
    perp_error e = {0};
    ck_assert_int_eq(perp_convert(A, format, &a, &out, &e), PERP_E_FORMAT);
    ck_assert_int_eq(e.status, PERP_E_FORMAT);
    ck_assert_msg(strstr(e.text, sentence) != NULL, "'%s' lacks '%s'", e.text, sentence);
    ck_assert_int_eq(out.m, -7);
    ck_assert_int_eq(perp_convert(A, format, &a, &out, NULL), PERP_E_FORMAT);
    ck_assert_uint_eq(a.allocations, 0);
}

START_TEST(operators_are_never_assembled)
{
    perp_matrix A = {.format = PERP_FORMAT_OPERATOR, .m = 3, .n = 6}, out;
    for (int k = 0; k < 3; k++) expect_refusal(&A, targets[k], "3 x 6 operator is never assembled");
    perp_arena a = {0};
    ck_assert_int_eq(perp_convert(&A, PERP_FORMAT_OPERATOR, &a, &out, NULL), PERP_SOLVED);
}
END_TEST

START_TEST(other_targets_are_refused)
{
    const double x[9] = {0};
    perp_matrix A = perp_dense(3, 3, x);
    expect_refusal(&A, PERP_FORMAT_OPERATOR, "format 8");
    expect_refusal(&A, PERP_FORMAT_ABSENT, "format 0");
}
END_TEST

START_TEST(blocks_need_multiples_of_three)
{
    const double x[12] = {0};
    perp_matrix A = perp_dense(4, 3, x), B = perp_dense(3, 4, x);
    expect_refusal(&A, PERP_FORMAT_BSR3, "4 x 3 matrix has no 3 x 3 blocks");
    expect_refusal(&B, PERP_FORMAT_BSR3, "3 x 4 matrix has no 3 x 3 blocks");
}
END_TEST

START_TEST(huge_dense_is_refused)
{
    perp_matrix A = {.m = 40000, .n = 40000};
    expect_refusal(&A, PERP_FORMAT_DENSE, "dense 40000 x 40000 matrix would take 11.92 GiB");
    A.m = 1;
    A.n = (1 << 28) + 1; /* one number above 2 GiB */
    expect_refusal(&A, PERP_FORMAT_DENSE, "the limit is 2");
    A.m = A.n = INT_MAX;
    expect_refusal(&A, PERP_FORMAT_DENSE, "GiB");
    perp_arena none;
    perp_matrix out;
    perp_arena_fixed(&none, NULL, 0);
    A.m = 1;
    A.n = 1 << 28; /* 2 GiB is allowed, where there is memory */
    ck_assert_int_eq(perp_convert(&A, PERP_FORMAT_DENSE, &none, &out, NULL), PERP_E_MEMORY);
}
END_TEST

/* ---- memory ---- */

/* Fixed buffers from nothing to enough: no memory, no memory, ..., solved. */
static void starve(const random_matrix *s, perp_format format)
{
    perp_arena whole = {0};
    perp_matrix B;
    ck_assert_int_eq(perp_convert(&s->A, format, &whole, &B, NULL), PERP_SOLVED);
    size_t enough = whole.peak + 128;
    perp_arena_free(&whole);
    unsigned char *buffer = malloc(enough);
    int failures = 0;
    for (size_t size = 0; size < enough; size += 64) {
        perp_arena a;
        perp_error e = {0};
        perp_arena_fixed(&a, buffer, size);
        perp_status status = perp_convert(&s->A, format, &a, &B, &e);
        if (status == PERP_SOLVED) {
            expect_same(s, &B, format);
            continue;
        }
        failures++;
        ck_assert_int_eq(status, PERP_E_MEMORY);
        ck_assert_ptr_nonnull(strstr(e.text, "no room"));
    }
    ck_assert_int_gt(failures, 1);
    perp_arena a;
    perp_arena_fixed(&a, buffer, enough);
    ck_assert_int_eq(perp_convert(&s->A, format, &a, &B, NULL), PERP_SOLVED);
    expect_same(s, &B, format);
    free(buffer);
}

START_TEST(no_memory_is_said)
{
    for (int k = 0; k < 12; k++) {
        random_matrix *s = make(sources[k / 3], 9, 12, 77 + (uint64_t)k);
        if (s->A.format != targets[k % 3]) starve(s, targets[k % 3]);
        free(s);
    }
}
END_TEST

START_TEST(sort_without_memory)
{
    const int p[] = {0, 2}, i[] = {1, 0};
    const double x[] = {1, 2};
    perp_matrix A = perp_csc(2, 1, p, i, x), out;
    unsigned char buffer[1024];
    int failures = 0, successes = 0;
    for (size_t size = 0; size <= sizeof buffer; size += 64) {
        perp_arena a;
        perp_arena_fixed(&a, buffer, size);
        perp_status status = perp_sort_csc(&A, &a, &out);
        failures += status == PERP_E_MEMORY;
        successes += status == PERP_SOLVED;
        ck_assert(status == PERP_E_MEMORY || status == PERP_SOLVED);
    }
    ck_assert_int_ge(failures, 7); /* seven arrays */
    ck_assert_int_gt(successes, 0);
}
END_TEST

/* Work space is given back: only the result's arrays stay. */
START_TEST(work_space_is_released)
{
    random_matrix *s = make(PERP_FORMAT_CSC, 30, 30, 3);
    perp_arena a = {0};
    perp_matrix B;
    ck_assert_int_eq(perp_convert(&s->A, PERP_FORMAT_BSR3, &a, &B, NULL), PERP_SOLVED);
    size_t blocks = (size_t)B.as.bsr3.p[10], round = 63;
    size_t want = 64 + ((blocks * sizeof(int) + round) & ~round) + ((blocks * 72 + round) & ~round);
    ck_assert_uint_eq(a.used, want);
    perp_arena_free(&a);
    free(s);
}
END_TEST

START_TEST(an_unknown_format_is_refused)
{
    perp_matrix A = {.format = (perp_format)64, .m = 2, .n = 2}, out;
    perp_arena a = {0};
    perp_error e;
    ck_assert_int_eq(perp_convert(&A, PERP_FORMAT_DENSE, &a, &out, &e), PERP_E_FORMAT);
    ck_assert_str_eq(e.text, "a matrix of the unknown format 64");
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("convert");
    TCase *c = tcase_create("convert");
    tcase_add_test(c, an_unknown_format_is_refused);
    tcase_add_test(c, every_pair_means_the_same);
    tcase_add_test(c, zeros_of_dense_and_blocks_are_left_out);
    tcase_add_test(c, absent_arrays_are_not_null);
    tcase_add_test(c, sort_by_hand);
    tcase_add_test(c, sort_random);
    tcase_add_test(c, sorted_is_returned_as_it_is);
    tcase_add_test(c, operators_are_never_assembled);
    tcase_add_test(c, other_targets_are_refused);
    tcase_add_test(c, blocks_need_multiples_of_three);
    tcase_add_test(c, huge_dense_is_refused);
    tcase_add_test(c, no_memory_is_said);
    tcase_add_test(c, sort_without_memory);
    tcase_add_test(c, work_space_is_released);
    suite_add_tcase(s, c);
    return support_run(s);
}
