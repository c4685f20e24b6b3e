/* tests/core/test_jacobian.c: F and its Jacobian from affine maps, callbacks and differences, dense
 * and sparse; callbacks that are undefined, not finite, or write too much. */
#include "core/jacobian.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

#define N 12

/* F_i = exp(z_i) + z_(i-1) z_(i+1) - i, a periodic chain; refuses z_0 < floor. */
typedef struct chain {
    double floor;
    bool nan;      /* F is NaN instead */
    int beyond;    /* values to write too many */
    int unwritten; /* value of the Jacobian to leave; -1: none */
    int order;     /* of the rows in a column: 0 rising, 1 falling and the diagonal twice */
    int *p, *i;    /* the pattern */
} chain;

static bool chain_eval(void *ctx, const double *z, double *F)
{
    const chain *c = ctx;
    for (int k = 0; k < N; k++) {
        F[k] = exp(z[k]) + z[(k + N - 1) % N] * z[(k + 1) % N] - k;
    }
    if (c->nan) F[3] = NAN;
    return z[0] >= c->floor;
}

static double chain_entry(const double *z, int i, int j)
{
    if (i == j) return exp(z[i]);
    if (j == (i + 1) % N) return z[(i + N - 1) % N];
    if (j == (i + N - 1) % N) return z[(i + 1) % N];
    return 0;
}

static bool chain_sparse(void *ctx, const double *z, double *values)
{
    const chain *c = ctx;
    for (int j = 0; j < N; j++) {
        for (int k = c->p[j]; k < c->p[j + 1]; k++) {
            double x = chain_entry(z, c->i[k], j);
            if (c->order && c->i[k] == j) x /= 2; /* twice there */
            if (k != c->unwritten) values[k] = x;
        }
    }
    for (int k = 0; k < c->beyond; k++) values[c->p[N] + k] = 1;
    return true;
}

static bool chain_dense(void *ctx, const double *z, double *values)
{
    const chain *c = ctx;
    for (int k = 0; k < N * N + c->beyond; k++) {
        if (k != c->unwritten) values[k] = k < N * N ? chain_entry(z, k % N, k / N) : 1;
    }
    return true;
}

/* Without its diagonal entries when `order` is 2. */
static perp_matrix chain_pattern(chain *c, perp_arena *a)
{
    c->p = perp_alloc(a, N + 1, sizeof *c->p);
    c->i = perp_alloc(a, 4 * N, sizeof *c->i);
    for (int j = 0, e = 0; j < N; j++) {
        for (int k = 0; k < N; k++) {
            int i = c->order == 1 ? N - 1 - k : k, gap = (i - j + N) % N;
            if (gap > 1 && gap < N - 1) continue;
            if (i == j && c->order == 2) continue;
            c->i[e++] = i;
            if (i == j && c->order == 1) c->i[e++] = i;
        }
        c->p[j + 1] = e;
    }
    return perp_csc(N, N, c->p, c->i, NULL);
}

static void random_point(uint64_t seed, double *z)
{
    generator g = generator_start(seed);
    for (int k = 0; k < N; k++) z[k] = generator_uniform(&g);
}

static double entry_of(const perp_matrix *J, int i, int j)
{
    if (J->format == PERP_FORMAT_DENSE) return J->as.dense.x[j * J->as.dense.ld + i];
    for (int k = J->as.csc.p[j]; k < J->as.csc.p[j + 1]; k++) {
        if (J->as.csc.i[k] == i) return J->as.csc.x[k];
    }
    return 0;
}

static void check_entries(const perp_matrix *J, const double *z, bool diagonal, double tol)
{
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) {
            double expected = i == j && !diagonal ? 0 : chain_entry(z, i, j);
            ck_assert_double_eq_tol(entry_of(J, i, j), expected, tol);
        }
    }
    if (J->format == PERP_FORMAT_DENSE) return;
    ck_assert(ascending(N, J->as.csc.p, J->as.csc.i));
    for (int j = 0; j < N; j++) {
        bool there = false;
        for (int k = J->as.csc.p[j]; k < J->as.csc.p[j + 1]; k++) there |= J->as.csc.i[k] == j;
        ck_assert(there);
    }
}

/* Patterns: 0 rising, 1 with duplicates, 2 without a diagonal, 3 dense, 4 absent. */
START_TEST(callbacks_and_differences)
{
    double z[N], F[N], same[N];
    for (int pattern = 0; pattern < 5; pattern++) {
        for (int differences = 0; differences < 2; differences++) {
            perp_arena a = {0};
            chain c = {.floor = -10, .unwritten = -1, .order = pattern < 3 ? pattern : 0};
            bool sparse = pattern < 3;
            perp_map map = {.n = N, .eval = chain_eval, .ctx = &c};
            if (sparse) map.pattern = chain_pattern(&c, &a);
            if (pattern == 3) map.pattern = perp_dense(N, N, NULL);
            if (!differences) map.jacobian = sparse ? chain_sparse : chain_dense;
            perp_jacobian k;
            ck_assert(perp_jacobian_open(&k, &a, &map, NULL, NULL));
            ck_assert(!k.constant && k.differences == differences);
            for (uint64_t seed = 1; seed < 4; seed++) {
                random_point(seed, z);
                ck_assert(perp_jacobian_map(&k, z, F));
                chain_eval(&c, z, same);
                ck_assert_double_eq(difference(N, F, same), 0);
                ck_assert(perp_jacobian_at(&k, z, F));
                bool diagonal = pattern != 2 || differences; /* differences see the added ones */
                check_entries(&k.J, z, diagonal, differences ? 1e-6 : 1e-15);
            }
            ck_assert(!k.overrun);
            if (differences && sparse) ck_assert_int_le(k.colours, 5);
            perp_arena_free(&a);
        }
    }
}
END_TEST

START_TEST(affine_maps)
{
    perp_arena a = {0};
    const double M[] = {0, 3, 1, 2}, q[] = {5, 7}, z[] = {1, 10};
    const int p[] = {0, 2, 4}, i[] = {1, 1, 1, 0}; /* 1 + 2 in the corner, no (0, 0) */
    const double x[] = {1, 2, 2, 1};
    const perp_map maps[] = {{.n = 2, .M = perp_dense(2, 2, M), .q = q},
                             {.n = 2, .M = perp_csc(2, 2, p, i, x), .q = q}};
    for (int m = 0; m < 2; m++) {
        perp_jacobian k;
        double F[2];
        ck_assert(perp_jacobian_open(&k, &a, &maps[m], NULL, NULL));
        ck_assert(k.constant);
        ck_assert(perp_jacobian_map(&k, z, F) && perp_jacobian_at(&k, z, F));
        ck_assert_double_eq(F[0], 15);
        ck_assert_double_eq(F[1], 30);
        for (int e = 0; e < 4; e++) ck_assert_double_eq(entry_of(&k.J, e % 2, e / 2), M[e]);
    }
    perp_jacobian none;
    perp_map empty = {0};
    ck_assert(perp_jacobian_open(&none, &a, &empty, NULL, NULL));
    ck_assert(perp_jacobian_map(&none, z, NULL) && perp_jacobian_at(&none, z, NULL));
    perp_arena_free(&a);
}
END_TEST

START_TEST(undefined_and_not_finite)
{
    perp_arena a = {0};
    double z[N], F[N] = {42}, lo[N];
    chain c = {.floor = 0, .unwritten = -1};
    perp_map map = {.n = N, .eval = chain_eval, .pattern = chain_pattern(&c, &a), .ctx = &c};
    perp_jacobian k;
    ck_assert(perp_jacobian_open(&k, &a, &map, NULL, NULL));
    random_point(1, z);
    z[0] = -0.5;
    ck_assert(!perp_jacobian_map(&k, z, F));
    ck_assert_double_eq(F[0], 42);
    z[0] = 0; /* on the edge: a step of differences may go one way only, whatever the bounds say */
    for (int bounded = 0; bounded < 3; bounded++) {
        for (int j = 0; j < N; j++) lo[j] = j == 0 && bounded ? 0 : -INFINITY;
        ck_assert(perp_jacobian_open(&k, &a, &map, bounded ? lo : NULL, NULL));
        ck_assert(perp_jacobian_map(&k, z, F) && perp_jacobian_at(&k, z, F));
        check_entries(&k.J, z, true, 1e-6);
    }
    c.nan = true;
    ck_assert(!perp_jacobian_map(&k, z, F) && !perp_jacobian_at(&k, z, F));
    c.nan = false;
    map.jacobian = chain_sparse;
    c.unwritten = 5;
    ck_assert(perp_jacobian_open(&k, &a, &map, NULL, NULL));
    ck_assert(perp_jacobian_map(&k, z, F) && !perp_jacobian_at(&k, z, F) && !k.overrun);
    c.unwritten = -1;
    ck_assert(perp_jacobian_at(&k, z, F));
    perp_arena_free(&a);
}
END_TEST

/* Differences never leave the box, also not for one narrower than a step. */
static bool boxed(void *ctx, const double *z, double *F)
{
    const double *hi = ctx;
    for (int i = 0; i < 3; i++) F[i] = z[i] * z[i] + 3 * z[(i + 1) % 3];
    for (int i = 0; i < 3; i++) {
        if (z[i] < 0 || z[i] > hi[i]) return false;
    }
    return true;
}

START_TEST(differences_stay_inside)
{
    const double lo[3] = {0}, hi[] = {1, 1e-10, 0}, z[] = {1, 0, 0};
    perp_map map = {.n = 3, .eval = boxed, .ctx = (void *)hi};
    perp_arena a = {0};
    perp_jacobian k;
    double F[3];
    ck_assert(perp_jacobian_open(&k, &a, &map, lo, hi));
    ck_assert(perp_jacobian_map(&k, z, F) && perp_jacobian_at(&k, z, F));
    const double expected[] = {2, 0, 3, 3, 0, 0, 0, 0, 0}; /* the last variable is fixed */
    for (int e = 0; e < 9; e++) ck_assert_double_eq_tol(k.J.as.dense.x[e], expected[e], 1e-6);
    perp_arena_free(&a);
}
END_TEST

static bool long_eval(void *ctx, const double *z, double *F)
{
    (void)ctx, (void)z;
    for (int i = 0; i <= N; i++) F[i] = 1;
    return true;
}

/* A negative part is a step the other way, where the bounds leave room for it. */
START_TEST(differences_go_either_way)
{
    const double lo[3] = {0}, z[] = {0.5, 0, 1};
    double hi[] = {1, 1, 1};
    perp_map map = {.n = 3, .eval = boxed, .ctx = hi};
    perp_arena a = {0};
    perp_jacobian k;
    double F[3];
    ck_assert(perp_jacobian_open(&k, &a, &map, lo, hi) && perp_jacobian_map(&k, z, F));
    for (int j = 0; j < 3; j++) {
        const double sign[2][3] = {{1, 1, -1}, {-1, 1, -1}};
        for (int other = 0; other < 2; other++) {
            ck_assert(perp_jacobian_difference(&k, z, k.colour[j], other ? -1 : 1));
            ck_assert_double_gt(sign[other][j] * k.step[j], 0);
            ck_assert_double_eq(k.there[j], z[j] + k.step[j]);
        }
    }
    perp_arena_free(&a);
}
END_TEST

/* Values in the order of J are written into J itself; others go by a list of places. */
START_TEST(canonical_patterns_need_no_places)
{
    const int p[] = {0, 2, 3}, sorted[] = {0, 1, 1}, turned[] = {1, 0, 1};
    double hi[2] = {0};
    for (int other = 0; other < 2; other++) {
        perp_arena a = {0};
        perp_jacobian k;
        perp_map map = {.n = 2, .eval = boxed, .jacobian = boxed, .ctx = hi};
        map.pattern = perp_csc(2, 2, p, other ? turned : sorted, NULL);
        ck_assert(perp_jacobian_open(&k, &a, &map, NULL, NULL));
        ck_assert_int_eq(k.place != NULL, other);
        perp_arena_free(&a);
    }
}
END_TEST

START_TEST(overruns_are_noticed)
{
    double z[N] = {0}, F[N];
    for (int sparse = 0; sparse < 2; sparse++) {
        for (int order = 0; order < 3; order++) {
            perp_arena a = {0};
            chain c = {.floor = -10, .unwritten = -1, .order = order, .beyond = 0};
            perp_map map = {.n = N, .eval = chain_eval, .jacobian = chain_dense, .ctx = &c};
            if (sparse) {
                map.pattern = chain_pattern(&c, &a);
                map.jacobian = chain_sparse;
            }
            perp_jacobian k;
            ck_assert(perp_jacobian_open(&k, &a, &map, NULL, NULL));
            ck_assert(perp_jacobian_map(&k, z, F) && perp_jacobian_at(&k, z, F) && !k.overrun);
            c.beyond = sparse ? N * N - c.p[N] : 1; /* or takes the pattern for a dense one */
            ck_assert(!perp_jacobian_at(&k, z, F) && k.overrun);
            perp_arena_free(&a);
        }
    }
    perp_arena a = {0};
    perp_map map = {.n = N, .eval = long_eval};
    perp_jacobian k;
    ck_assert(perp_jacobian_open(&k, &a, &map, NULL, NULL));
    ck_assert(!perp_jacobian_map(&k, z, F) && k.overrun);
    perp_arena_free(&a);
}
END_TEST

START_TEST(memory_ends)
{
    chain c = {.floor = -10, .unwritten = -1, .order = 1};
    perp_arena own = {0};
    perp_map map = {.n = N, .eval = chain_eval, .pattern = chain_pattern(&c, &own), .ctx = &c};
    perp_jacobian k;
    char buffer[40000];
    int failures = 0;
    for (size_t size = 1000; size <= sizeof buffer; size += 500) {
        perp_arena a = {0};
        perp_arena_fixed(&a, buffer, size);
        failures += !perp_jacobian_open(&k, &a, &map, NULL, NULL);
        ck_assert(failures == 0 || a.failed || size > 3000);
    }
    ck_assert_int_gt(failures, 0);
    ck_assert(perp_jacobian_open(&k, &own, &map, NULL, NULL));
    perp_arena_free(&own);
    map.pattern = (perp_matrix){0};
    map.n = 100000; /* a dense one of this size is refused before it is asked for */
    ck_assert(!perp_jacobian_open(&k, &own, &map, NULL, NULL) && own.failed);
    perp_arena_free(&own);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("jacobian");
    TCase *t = tcase_create("jacobian");
    tcase_add_test(t, callbacks_and_differences);
    tcase_add_test(t, affine_maps);
    tcase_add_test(t, undefined_and_not_finite);
    tcase_add_test(t, differences_stay_inside);
    tcase_add_test(t, overruns_are_noticed);
    tcase_add_test(t, differences_go_either_way);
    tcase_add_test(t, canonical_patterns_need_no_places);
    tcase_add_test(t, memory_ends);
    suite_add_tcase(s, t);
    return support_run(s);
}
