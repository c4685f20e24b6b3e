/* tests/core/test_opened.c: what is opened once: names, places, limits, memory that ends. */
#include "core/opened.h"
#include "perp/solver.h"
#include "perp/solvers.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static bool same_key(perp_key a, perp_key b)
{
    return a.kind == b.kind && a.h[0] == b.h[0] && a.h[1] == b.h[1];
}

static perp_key name_of(const perp_matrix *A)
{
    return perp_key_matrix(perp_key_of(PERP_WORK_CONVERSION), A);
}

/* Any bit of the pattern or of the values changes both halves of the name, and so do the sizes,
 * the format, the kind and a number. Words beyond the end of the arrays are not read. */
START_TEST(names)
{
    enum { n = 7 };
    int p[n + 1] = {0, 2, 3, 5, 6, 6, 8, 9}, i[9] = {0, 3, 1, 2, 6, 3, 4, 5, 6};
    double x[9] = {1, -2, 3, 0, 5, 6, -7, 8, 9};
    perp_matrix A = perp_csc(n, n, p, i, x);
    perp_key key = name_of(&A);
    ck_assert(same_key(key, name_of(&A)));
    for (int bit = 0; bit < 64 * 9; bit++) {
        uint64_t word, changed;
        memcpy(&word, x + bit / 64, sizeof word);
        changed = word ^ UINT64_C(1) << bit % 64;
        memcpy(x + bit / 64, &changed, sizeof word);
        perp_key other = name_of(&A);
        ck_assert(key.h[0] != other.h[0] && key.h[1] != other.h[1]);
        memcpy(x + bit / 64, &word, sizeof word);
    }
    for (int k = 0; k < 9; k++) {
        i[k] ^= 1;
        ck_assert(!same_key(key, name_of(&A)));
        i[k] ^= 1;
    }
    p[5]++;
    ck_assert(!same_key(key, name_of(&A)));
    p[5]--;
    perp_matrix wide = A, blocks = perp_bsr3(0, 0, p, i, x), none = {0};
    wide.m++;
    none.m = none.n = n;
    ck_assert(!same_key(key, name_of(&wide)));
    ck_assert(!same_key(name_of(&blocks), name_of(&none)));
    perp_matrix empty = perp_dense(0, 0, x);
    ck_assert(!same_key(name_of(&blocks), name_of(&empty))); /* by the format alone */
    ck_assert(!same_key(key, perp_key_for(key, PERP_WORK_ORDER)));
    ck_assert(!same_key(key, perp_key_number(key, 0)));
    ck_assert(same_key(key, name_of(&A)));
}
END_TEST

/* All columns of a dense matrix are in its name, what stands between them is not. */
START_TEST(names_of_columns)
{
    double x[] = {1, 2, -1, 3, 4, -1, 5, 6, -1};
    perp_matrix A = perp_dense(2, 3, x);
    A.as.dense.ld = 3;
    perp_key key = name_of(&A);
    for (int k = 0; k < 9; k++) {
        x[k]++;
        ck_assert_int_eq(same_key(key, name_of(&A)), k % 3 == 2);
        x[k]--;
    }
}
END_TEST

/* Exchanged and moved words: 3 x 40 dense matrices with one 1 and one 2 each have 120 x 119 names.
 */
START_TEST(names_of_many)
{
    enum { count = 120 };
    static uint64_t seen[count * count];
    double x[count] = {0};
    perp_matrix A = perp_dense(3, 40, x);
    int found = 0;
    for (int k = 0; k < count; k++) {
        for (int l = 0; l < count; l++) {
            if (k == l) continue;
            x[k] = 1;
            x[l] = 2;
            seen[found++] = name_of(&A).h[_i];
            x[k] = x[l] = 0;
        }
    }
    for (int k = 0; k < found; k += 97) {
        int same = 0;
        for (int l = 0; l < found; l++) same += seen[l] == seen[k];
        ck_assert_int_eq(same, 1);
    }
    /* rows below m are not the matrix's */
    double padded[8] = {1, 2, 3, NAN, 4, 5, 6, NAN}, other[8] = {1, 2, 3, 7, 4, 5, 6, 8};
    perp_matrix B = perp_dense(3, 2, padded), C = perp_dense(3, 2, other);
    B.as.dense.ld = C.as.dense.ld = 4;
    ck_assert(same_key(name_of(&B), name_of(&C)));
}
END_TEST

/* ---- objects of random sizes, which say by their bytes which they are ---- */

typedef struct made {
    perp_key key;
    int parts;
    size_t bytes[PERP_OPENED_PARTS];
} made;

static made draw(generator *g, int number)
{
    made m = {.key = perp_key_number(perp_key_of(PERP_WORK_BODIES), number)};
    m.parts = (int)(generator_unit(g) * (PERP_OPENED_PARTS + 1));
    for (int k = 0; k < m.parts; k++) m.bytes[k] = (size_t)(generator_unit(g) * 3000);
    return m;
}

static const perp_opened *make(perp_arena *a, const made *m, int number)
{
    perp_opening g;
    if (!perp_opened_begin(a, &m->key, &g)) return NULL;
    g.object->info[0] = number;
    perp_alloc(a, 1, 100); /* work space in between */
    for (int k = 0; k < m->parts; k++) {
        unsigned char *part = perp_alloc(a, 1, m->bytes[k]);
        if (!part) return NULL;
        for (size_t b = 0; b < m->bytes[k] && b < 4096; b++)
            part[b] = (unsigned char)(number + k + 3 * (int)b);
        perp_mark mark = perp_arena_mark(a);
        if (!perp_alloc(a, 1, 700 * (size_t)k)) return NULL;
        if (k % 2) perp_arena_release(a, mark);
        perp_opened_part(&g, part, m->bytes[k]);
    }
    return a->failed ? NULL : perp_opened_end(&g);
}

static void check(const perp_opened *o, const made *m, int number)
{
    ck_assert_ptr_nonnull(o);
    ck_assert_int_eq(o->info[0], number);
    ck_assert_int_eq(o->parts, m->parts);
    for (int k = 0; k < m->parts; k++) {
        const unsigned char *part = o->part[k];
        ck_assert_uint_eq(o->bytes[k], m->bytes[k]);
        ck_assert_uint_eq((uintptr_t)part % 64, 0);
        size_t wrong = 0;
        for (size_t b = 0; b < m->bytes[k]; b++)
            wrong += part[b] != (unsigned char)(number + k + 3 * (int)b);
        ck_assert_uint_eq(wrong, 0);
    }
}

#define OBJECTS 20

/* Levels of nested solves come and go; what they opened moves down with its bytes, in chunks of any
 * size and in a fixed buffer, which needs no more than the growing arena's peak. */
START_TEST(move_down)
{
    generator g = generator_start((uint64_t)_i + 1);
    made m[OBJECTS];
    size_t peak = 0;
    for (int k = 0; k < OBJECTS; k++) m[k] = draw(&g, k);
    for (int fixed = 0; fixed < 2; fixed++) {
        perp_arena a = {0};
        void *buffer = malloc(peak + 128);
        if (fixed) perp_arena_fixed(&a, buffer, peak + 128);
        perp_mark outer = perp_arena_mark(&a);
        for (int k = 0; k < OBJECTS;) {
            perp_mark mark = perp_arena_mark(&a), inner;
            ck_assert_ptr_nonnull(perp_alloc(&a, 1, 977 * (size_t)(k % 5)));
            check(make(&a, &m[k], k), &m[k], k);
            k++;
            ck_assert_ptr_nonnull(perp_alloc(&a, 1, 5000));
            inner = perp_arena_mark(&a);
            for (int end = k + k % 3; k < end && k < OBJECTS; k++) make(&a, &m[k], k);
            perp_opened_release(&a, inner);
            perp_opened_release(&a, mark);
            for (int l = 0; l < k; l++) check(perp_opened_find(&a, &m[l].key), &m[l], l);
        }
        if (!fixed) peak = a.peak;
        ck_assert_uint_eq(a.peak, peak);
        unsigned allocations = a.allocations;
        perp_opened_keep(&a, outer);
        ck_assert_uint_eq(a.used, 0);
        ck_assert_uint_eq(a.allocations, fixed ? 0 : allocations + OBJECTS);
        for (int l = 0; l < OBJECTS; l++) {
            const perp_opened *o = perp_opened_find(&a, &m[l].key);
            if (fixed)
                ck_assert_ptr_null(o);
            else
                check(o, &m[l], l);
        }
        perp_arena_free(&a);
        free(buffer);
    }
}
END_TEST

/* Released without a word, an object is gone, and never found in memory that is someone else's. */
START_TEST(plain_release_forgets)
{
    generator g = generator_start(3);
    made m = draw(&g, 1);
    perp_arena a = {0};
    perp_mark mark = perp_arena_mark(&a);
    ck_assert_ptr_nonnull(make(&a, &m, 1));
    ck_assert_ptr_nonnull(perp_opened_find(&a, &m.key));
    perp_arena_release(&a, mark);
    ck_assert_ptr_null(perp_opened_find(&a, &m.key));
    perp_arena_free(&a);
}
END_TEST

/* ---- limits ---- */

/* One solve that needs the objects from..to - 1; how many of them it found. */
static int solve_with(perp_arena *a, size_t bytes, int from, int to)
{
    perp_mark mark = perp_arena_mark(a);
    int hits = 0;
    a->solves++;
    for (int k = from; k < to; k++) {
        made m = {.key = perp_key_number(perp_key_of(PERP_WORK_ORDER), k), .parts = 1};
        m.bytes[0] = bytes;
        const perp_opened *o = perp_opened_find(a, &m.key);
        hits += o != NULL;
        ck_assert_ptr_nonnull(o ? o : make(a, &m, k));
    }
    perp_opened_keep(a, mark);
    return hits;
}

/* What the last four solves used is there, what is used all the time too; a sequence of different
 * problems of about the same size allocates nothing in the end. */
START_TEST(least_recently_used_goes)
{
    perp_arena a = {0};
    unsigned allocations = 0;
    for (int k = 1; k < 100; k++) {
        size_t bytes = 1000 + (size_t)(7 * k % 20);
        ck_assert_int_eq(solve_with(&a, bytes, k, k + 1), 0);
        ck_assert_int_eq(solve_with(&a, 100, 0, 1), k > 1);
        if (k > 2) ck_assert_int_eq(solve_with(&a, bytes, k - 1, k), 1);
        if (k == 10) allocations = a.allocations;
    }
    ck_assert_uint_eq(a.allocations, allocations);
    ck_assert_int_eq(solve_with(&a, 1000, 1, 2), 0);
    perp_arena_free(&a);
}
END_TEST

/* A solve that needs more than is kept finds the same part of it each time, and allocates nothing;
 * another one replaces it. */
START_TEST(more_than_is_kept)
{
    perp_arena a = {0};
    size_t large = PERP_OPENED_BYTES / 4;
    solve_with(&a, 100, 0, 50);
    unsigned allocations = a.allocations;
    for (int k = 0; k < 3; k++) ck_assert_int_eq(solve_with(&a, 100, 0, 50), PERP_OPENED_COUNT);
    ck_assert_uint_eq(a.allocations, allocations);
    solve_with(&a, 100, 50, 60);
    ck_assert_int_eq(solve_with(&a, 100, 50, 60), 10);
    solve_with(&a, large, 100, 110); /* a little more than a quarter each */
    allocations = a.allocations;
    for (int k = 0; k < 2; k++) ck_assert_int_eq(solve_with(&a, large, 100, 110), 3);
    ck_assert_uint_eq(a.allocations, allocations);
    solve_with(&a, 5 * large, 200, 201);
    ck_assert_int_eq(solve_with(&a, 5 * large, 200, 201), 0);
    perp_arena_free(&a);
}
END_TEST

/* What a solve reads is not given up by another solve inside it, in a monitor, say. */
START_TEST(solve_inside)
{
    perp_arena a = {0};
    made m = {.key = perp_key_number(perp_key_of(PERP_WORK_ORDER), 0), .parts = 1, .bytes = {100}};
    solve_with(&a, 100, 0, 1);
    perp_mark mark = perp_arena_mark(&a);
    a.solves++;
    const perp_opened *o = perp_opened_find(&a, &m.key);
    for (int k = 1; k < 100; k++) solve_with(&a, 100, k, k + 1);
    check(o, &m, 0);
    ck_assert_ptr_eq(perp_opened_find(&a, &m.key), o);
    perp_arena_release(&a, mark);
    for (int k = 1; k < 100; k++) solve_with(&a, 100, k, k + 1);
    ck_assert_int_eq(solve_with(&a, 100, 0, 1), 0);
    perp_arena_free(&a);
}
END_TEST

/* ---- conversions ---- */

static double draw_entry(generator *g)
{
    return generator_unit(g) - 0.5;
}

static void same_matrix(const perp_matrix *A, const perp_matrix *B)
{
    ck_assert(A->format == B->format && A->m == B->m && A->n == B->n);
    ck_assert(same_key(name_of(A), name_of(B)));
}

/* Every conversion, opened, found in the arena and found between solves: the bits of perp_convert;
 * one changed value is another matrix. */
START_TEST(conversions)
{
    static const perp_format formats[] = {PERP_FORMAT_DENSE, PERP_FORMAT_CSC, PERP_FORMAT_BSR3};
    const random_entries e = {draw_entry, 0.6, NAN};
    generator g = generator_start((uint64_t)_i + 1);
    random_matrix *from = random_matrix_new(formats[_i / 3], 12, 9, &e, &g);
    perp_format to = formats[_i % 3];
    perp_arena a = {0}, plain = {0};
    perp_matrix expected, A;
    int done = formats[_i / 3] != to;
    ck_assert_int_eq(perp_convert(&from->A, to, &plain, &expected, NULL), PERP_SOLVED);
    for (int k = 0; k < 2; k++) {
        perp_mark mark = perp_arena_mark(&a);
        for (int l = 0; l < 3; l++) {
            ck_assert_int_eq(perp_opened_convert(&from->A, to, &a, &A, NULL), PERP_SOLVED);
            same_matrix(&A, &expected);
        }
        perp_opened_keep(&a, mark);
        ck_assert_uint_eq(a.used, 0);
        ck_assert_int_eq((int)a.work[PERP_WORK_CONVERSION], done);
    }
    from->x[0] += 1;
    ck_assert_int_eq(perp_opened_convert(&from->A, to, &a, &A, NULL), PERP_SOLVED);
    ck_assert_int_eq((int)a.work[PERP_WORK_CONVERSION], 2 * done);
    perp_arena_free(&a);
    perp_arena_free(&plain);
    free(from);
}
END_TEST

/* A small matrix is converted each time, with the same bits, and nothing is kept of it. */
START_TEST(small_conversions)
{
    const random_entries e = {draw_entry, 0.6, NAN};
    generator g = generator_start(7);
    for (int large = 0; large < 2; large++) {
        random_matrix *from = random_matrix_new(PERP_FORMAT_DENSE, 9, large ? 12 : 9, &e, &g);
        perp_arena a = {0};
        perp_matrix A, expected;
        for (int k = 0; k < 2; k++) {
            perp_mark mark = perp_arena_mark(&a);
            ck_assert(!perp_opened_convert(&from->A, PERP_FORMAT_BSR3, &a, &A, NULL));
            ck_assert(!perp_convert(&from->A, PERP_FORMAT_BSR3, &a, &expected, NULL));
            same_matrix(&A, &expected);
            ck_assert_int_eq(a.opened != NULL, large && k == 0);
            perp_opened_keep(&a, mark);
            ck_assert_int_eq(a.kept != NULL, large);
        }
        ck_assert_int_eq(perp_opened_pays(&from->A), large);
        ck_assert_int_eq((int)a.work[PERP_WORK_CONVERSION], large ? 3 : 4);
        perp_arena_free(&a);
        free(from);
    }
}
END_TEST

/* ---- solves ---- */

/* Nests solves of its own problem, the last one in a copy of it. */
static perp_status nest(perp_run *run, double *z)
{
    perp_problem copy = *run->problem;
    for (int k = 0; k < 4; k++) {
        perp_lcp_psor_options o = perp_lcp_psor_defaults();
        perp_plain_options p = perp_lcp_nsqp_defaults();
        o.base.max_iter = p.base.max_iter = 2;
        perp_nested(run, k < 3 ? run->problem : &copy, k % 2 ? &o.base : &p.base, z, NULL);
    }
    return perp_fail(run, PERP_STALLED, "enough");
}

static const perp_solver nester = {
    .name = "lcp/nester",
    .about = "nests",
    .kind = PERP_KIND_LCP,
    .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC | PERP_FORMAT_BSR3},
    .options_size = sizeof(perp_plain_options),
    .solve = nest,
};
static const perp_plain_options nesting = {
    .base = {.solver = &nester, .tol = 1e-14, .max_iter = 1000, .threads = 1}};

enum { SIZE = 30 };

/* A stiff chain of springs, by blocks: some of the LCP solvers read columns alone, or dense. */
static perp_problem chain_problem(perp_arena *a, double *q)
{
    double *x = perp_alloc(a, SIZE * SIZE, sizeof *x);
    for (int i = 0; i < SIZE; i++) {
        q[i] = i % 3 - 1.5;
        x[(SIZE + 1) * i] = 2;
        if (i) x[(SIZE + 1) * i - 1] = x[(SIZE + 1) * i - SIZE] = -1;
    }
    perp_matrix dense = perp_dense(SIZE, SIZE, x), M;
    ck_assert_int_eq(perp_convert(&dense, PERP_FORMAT_BSR3, a, &M, NULL), PERP_SOLVED);
    return perp_make_lcp(SIZE, M, q);
}

/* Nested solves share conversions, on a fixed arena too; a growing one has them for later solves,
 * with another right-hand side too, and another value of M is another matrix. */
START_TEST(solves)
{
    static unsigned char buffer[1 << 20];
    perp_arena own = {0}, a = {0};
    perp_result r;
    double q[SIZE], z[SIZE];
    perp_problem p = chain_problem(&own, q);
    own.work[PERP_WORK_CONVERSION] = 0;
    if (_i) perp_arena_fixed(&a, buffer, sizeof buffer);
    unsigned formats = 0;
    for (int k = 0; k < 3; k++) {
        q[0] = -k;
        ck_assert_int_eq(perp_solve(&p, &nesting.base, &a, z, NULL, &r), PERP_STALLED);
        if (k == 0) formats = a.work[PERP_WORK_CONVERSION];
        ck_assert_uint_eq(formats, 2); /* columns and dense */
        ck_assert_uint_eq(a.work[PERP_WORK_CONVERSION], formats * (_i ? (unsigned)k + 1 : 1));
    }
    unsigned before = a.work[PERP_WORK_CONVERSION];
    ((double *)p.as.lcp.M.as.bsr3.x)[0] = 3;
    perp_solve(&p, &nesting.base, &a, z, NULL, &r);
    ck_assert_uint_eq(a.work[PERP_WORK_CONVERSION], before + formats);
    perp_arena_free(&a);
    perp_arena_free(&own);
}
END_TEST

START_TEST(memory_that_ends)
{
    perp_arena own = {0};
    double q[SIZE];
    perp_problem p = chain_problem(&own, q);
    solve_starved(&p, &nesting.base, PERP_STALLED);
    solve_confined(&p, &nesting.base, PERP_STALLED);
    perp_arena_free(&own);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("core_opened");
    TCase *t = tcase_create("core_opened");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, names);
    tcase_add_test(t, names_of_columns);
    tcase_add_loop_test(t, names_of_many, 0, 2);
    tcase_add_loop_test(t, move_down, 0, 40);
    tcase_add_test(t, plain_release_forgets);
    tcase_add_test(t, least_recently_used_goes);
    tcase_add_test(t, more_than_is_kept);
    tcase_add_test(t, solve_inside);
    tcase_add_loop_test(t, conversions, 0, 9);
    tcase_add_test(t, small_conversions);
    tcase_add_loop_test(t, solves, 0, 2);
    tcase_add_test(t, memory_that_ends);
    suite_add_tcase(s, t);
    return support_run(s);
}
