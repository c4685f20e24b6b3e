/* tests/test_lcp_lemke_memory.c: Lemke's method when memory ends: every allocation failing in turn,
 * fixed buffers of every size. */
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

#define MOST 32

/* Solved, or an honest lack of memory; numbers in z and w either way. */
static bool survives(const perp_problem *p, perp_status end, bool warm, perp_arena *a)
{
    perp_result r;
    double z[MOST], w[MOST];
    perp_lemke_options o = perp_lcp_lemke;
    o.base.warm_start = warm;
    for (int i = 0; i < MOST; i++) z[i] = warm ? i % 3 : NAN;
    perp_status s = perp_solve(p, &o.base, a, z, w, &r);
    ck_assert_msg(s == end || s == PERP_E_MEMORY, "%s: %s", perp_status_name(s), r.detail);
    ck_assert(s == PERP_SOLVED || r.detail[0]);
    for (int i = 0; i < perp_size(p); i++) ck_assert(isfinite(z[i]));
    ck_assert_uint_eq(a->used, 0);
    return s == end;
}

static void check_memory(const perp_problem *p, perp_status end, bool warm)
{
    bool done = false;
    for (int k = 0; !done && k < 100; k++) {
        supply c = {.left = k};
        perp_arena a = {.resize = scarce, .ctx = &c};
        done = survives(p, end, warm, &a);
        if (done) { /* and nothing new the second time */
            unsigned before = a.allocations;
            ck_assert(survives(p, end, warm, &a));
            ck_assert_uint_eq(a.allocations, before);
        }
        perp_arena_free(&a);
        ck_assert_int_eq(c.out, 0);
    }
    ck_assert(done);

    perp_arena growing = {0}, fixed;
    ck_assert(survives(p, end, warm, &growing));
    size_t enough = growing.peak + 128;
    perp_arena_free(&growing);
    for (size_t size = 0; size <= enough; size += 64) {
        char *buffer = malloc(size + 1);
        perp_arena_fixed(&fixed, buffer + 1, size); /* not aligned either */
        survives(p, end, warm, &fixed);
        perp_arena_free(&fixed);
        free(buffer);
    }
    char *buffer = malloc(enough);
    perp_arena_fixed(&fixed, buffer, enough);
    ck_assert(survives(p, end, warm, &fixed));
    free(buffer);
}

START_TEST(memory)
{
    static const struct {
        const char *name;
        int n;
        perp_status end;
    } cases[] = {{"pd", 9, PERP_SOLVED},
                 {"psd", 20, PERP_SOLVED},
                 {"badly_scaled", 12, PERP_SOLVED},
                 {"infeasible_skew", 8, PERP_INFEASIBLE},
                 {"obstacle", 15, PERP_SOLVED}}; /* converted first */
    for (int k = 0; k < 5; k++) {
        perp_arena a = {0};
        generated g;
        ck_assert(lcp_generate(lcp_family_find(cases[k].name), cases[k].n, 2, &a, &g));
        perp_problem p = lcp_generated_problem(&g);
        check_memory(&p, cases[k].end, false);
        check_memory(&p, cases[k].end, true);
        perp_arena_free(&a);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lcp/lemke, memory");
    TCase *t = tcase_create("memory");
    tcase_add_test(t, memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
