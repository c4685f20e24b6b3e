/* tests/lcp/test_lemke_memory.c: Lemke's method when memory ends: every allocation failing in turn,
 * fixed buffers of every size. */
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

#define MOST 32

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
        for (int warm = 0; warm < 2; warm++) {
            perp_lcp_lemke_options o = perp_lcp_lemke_defaults();
            o.base.warm_start = warm;
            solve_starved(&p, &o.base, cases[k].end);
            solve_confined(&p, &o.base, cases[k].end);
        }
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
