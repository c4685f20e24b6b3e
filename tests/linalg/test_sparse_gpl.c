/* tests/linalg/test_sparse_gpl.c: memory that runs out behind the arena, where SuiteSparse factors.
 */
#include "sparse_support.h"

#ifdef PERP_GPL
#include "suitesparse_memory.h"

static int allocations_left; /* the test's own: SuiteSparse's hooks take no context */

static bool may_allocate(void)
{
    return allocations_left-- > 0;
}
static void *failing_malloc(size_t size)
{
    return may_allocate() ? malloc(size) : NULL;
}
static void *failing_calloc(size_t count, size_t size)
{
    return may_allocate() ? calloc(count, size) : NULL;
}
static void *failing_realloc(void *old, size_t size)
{
    return may_allocate() ? realloc(old, size) : NULL;
}

START_TEST(suitesparse_without_memory)
{
    enum { n = 144 };
    perp_factor_kind kind = (perp_factor_kind)(_i % 2);
    csc A = _i < 2 ? laplacian(12) : full(n);
    double x[n], b[n];
    for (int i = 0; i < n; i++) b[i] = 1 + i;
    set_suitesparse_memory(
        &(suitesparse_memory){failing_malloc, failing_calloc, failing_realloc, free});
    int failures = 0, refused = 0;
    for (int allowed = 0; allowed < 500; allowed++) {
        perp_arena a = {0};
        allocations_left = allowed;
        perp_factor *f = perp_factor_open(&a, kind, A.n, A.p, A.i);
        int status = f ? perp_factor_compute(f, A.x) : -1;
        if (!status) status = perp_factor_solve(f, false, b, x);
        ck_assert_int_le(status, 0); /* no memory is not a bad matrix */
        if (status && f) {           /* with memory back, the same handle works */
            allocations_left = 10000;
            ck_assert_int_eq(perp_factor_compute(f, A.x), 0);
            ck_assert_double_lt(solve_error(f, A, false), 1e-12);
        }
        refused += !f;
        failures += status != 0;
        perp_arena_free(&a);
        if (status == 0 && allocations_left > 0) break;
    }
    set_suitesparse_memory(&(suitesparse_memory){malloc, calloc, realloc, free});
    ck_assert_int_gt(refused, 0);
    ck_assert_int_gt(failures, refused);
    ck_assert_int_lt(failures, 500);
    discard(A);
}
END_TEST
#endif

/* Growing arenas: by SuiteSparse where the build has it; fixed ones: by perp. Both solve. */
START_TEST(both_arenas_solve)
{
    static unsigned char buffer[1 << 20];
    csc A = laplacian(10);
    perp_arena growing = {0}, fixed;
    perp_arena_fixed(&fixed, buffer, sizeof buffer);
    for (int kind = PERP_CHOLESKY; kind <= PERP_LU; kind++) {
        perp_factor *f = open_csc(&growing, (perp_factor_kind)kind, A);
        perp_factor *g = open_csc(&fixed, (perp_factor_kind)kind, A);
        ck_assert_int_eq(perp_factor_compute(f, A.x), 0);
        ck_assert_int_eq(perp_factor_compute(g, A.x), 0);
        ck_assert_double_lt(solve_error(f, A, true), 1e-12);
        ck_assert_double_lt(solve_error(g, A, true), 1e-12);
        ck_assert_double_gt(perp_factor_flops(f), 0.2 * perp_factor_flops(g));
        ck_assert_double_gt(perp_factor_entries(f), 0.2 * perp_factor_entries(g));
    }
    perp_arena_free(&growing);
    discard(A);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sparse_gpl");
    TCase *t = tcase_create("sparse_gpl");
    tcase_add_test(t, both_arenas_solve);
#ifdef PERP_GPL
    tcase_add_loop_test(t, suitesparse_without_memory, 0, 4);
#endif
    suite_add_tcase(s, t);
    return support_run(s);
}
