/* tests/ncp/test_linearised_path.c: the path of a linearisation: where it begins and ends, what is
 * recorded of it, singular first bases. */
#include "ncp/linearised_path.h"
#include "ncp/semismooth_mcp.h"

#include "perp/solver.h"
#include "support.h"

#include <math.h>
#include <string.h>

/* A solver that looks at the path from z and proposes its end. */
typedef struct looking {
    perp_options base;
} looking;

static perp_linear_path_step ended;
static double reached, halfway[64];

static perp_status look(perp_run *run, double *z)
{
    semismooth_mcp k;
    linearised_path w;
    ck_assert(!perp_semismooth_mcp_open(&k, run, 1));
    perp_semismooth_box *s = &k.s;
    ck_assert(perp_linearised_path_open(&w, run->arena, s));
    ck_assert(perp_semismooth_box_start(s, z));
    ended = perp_linearised_path_follow(&w, run, 0, 1000);
    reached = w.reach;
    for (double part = 0; part <= 1; part += 0.25) {
        perp_linearised_path_at(&w, part, z);
        for (int i = 0; i < s->n; i++)
            ck_assert(z[i] >= s->lo[i] - 1e-12 && z[i] <= s->hi[i] + 1e-12);
        if (part == 0) ck_assert_double_le(difference(s->n, z, s->z), 1e-12);
        if (part == 0.5) memcpy(halfway, z, (size_t)s->n * sizeof *z);
    }
    for (int i = 0; i < s->n; i++) { /* not beyond a bound by rounding */
        ck_assert(z[i] >= s->lo[i] && z[i] <= s->hi[i]);
    }
    return PERP_SOLVED;
}

static const perp_solver solver = {.name = "mcp/looking",
                                   .about = "the end of the first path",
                                   .kind = PERP_KIND_MCP,
                                   .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
                                   .options_size = sizeof(looking),
                                   .solve = look};

static perp_status follow(const perp_problem *p, double *z, perp_result *r)
{
    perp_arena a = {0};
    looking o = {
        .base = {
            .solver = &solver, .tol = 1e-12, .max_iter = 10000, .threads = 1, .warm_start = true}};
    perp_status s = perp_solve(p, &o.base, &a, z, NULL, r);
    perp_arena_free(&a);
    return s;
}

/* An affine problem is its own linearisation: the end of the path is the solution, from anywhere.
 */
START_TEST(affine)
{
    static const char *const families[] = {"mcp_box", "mcp_degenerate", "mcp_saddle"};
    generator g = generator_start(1);
    for (int k = 0; k < 36; k++) {
        perp_arena a = {0};
        generate_request request = generate_defaults;
        generated_problem m;
        perp_result r;
        double z[60];
        request.family = families[k % 3];
        request.size = 4 + k;
        request.seed = (uint64_t)k + 1;
        ck_assert(!generate_problem(&request, &a, &m, NULL));
        int n = perp_size(&m.p);
        if (k & 1) {
            perp_matrix M = m.p.as.mcp.F.M;
            ck_assert(!perp_convert(&M, PERP_FORMAT_CSC, &a, &m.p.as.mcp.F.M, NULL));
        }
        for (int i = 0; i < n; i++) z[i] = 3 * generator_uniform(&g);
        ck_assert_msg(follow(&m.p, z, &r) == PERP_SOLVED, "%s %d: %s %g", request.family, n,
                      perp_status_name(r.status), r.residual.value);
        ck_assert_int_eq(ended, PERP_LINEAR_PATH_SOLUTION);
        ck_assert(reached == 1);
        perp_arena_free(&a);
    }
}
END_TEST

/* 0 <= z _|_ z - 4 from z = 0: t falls with z, so that half of the path is z = 2. */
START_TEST(half)
{
    const double M = 1, q = -4, lo = 0;
    perp_problem p = perp_make_mcp(1, perp_dense(1, 1, &M), &q, &lo, NULL);
    perp_result r;
    double z = 0;
    ck_assert_int_eq(follow(&p, &z, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(halfway[0], 2, 1e-14);
}
END_TEST

/* A long way of many breakpoints is thinned out and still leads from end to end: obstacles that z
 * meets one after the other. */
START_TEST(long_way)
{
    enum { LONG = 60 };
    perp_arena a = {0};
    double *M = perp_alloc(&a, LONG * LONG, sizeof *M), q[LONG], lo[LONG], z[LONG], hi[LONG];
    for (int i = 0; i < LONG; i++) {
        M[i * LONG + i] = 2;
        if (i > 0) M[i * LONG + i - 1] = M[(i - 1) * LONG + i] = -1;
        q[i] = -1;
        lo[i] = 0;
        hi[i] = 1 + 5.0 * i;
        z[i] = 0;
    }
    perp_problem p = perp_make_mcp(LONG, perp_dense(LONG, LONG, M), q, lo, hi);
    perp_result r;
    ck_assert_msg(follow(&p, z, &r) == PERP_SOLVED, "%g after %d, step %d", r.residual.value,
                  r.iterations, ended);
    ck_assert_int_gt(r.iterations, 25);
    for (int i = 1; i < LONG - 1; i++) ck_assert(halfway[i] > 0 && halfway[i] <= hi[i]);
    perp_arena_free(&a);
}
END_TEST

/* All variables inside and M = 0: nothing can be in the first basis, and nothing leads out. */
START_TEST(singular)
{
    const double M[4] = {0}, q[] = {1, -1}, lo[] = {-1, -1}, hi[] = {1, 1};
    perp_problem p = perp_make_mcp(2, perp_dense(2, 2, M), q, lo, hi);
    perp_result r;
    double z[] = {0, 0};
    follow(&p, z, &r); /* to the bounds that q points to, by the entering variables alone */
    const double row[] = {1, 1, 1, 1}, one[] = {-1, -1};
    p = perp_make_mcp(2, perp_dense(2, 2, row), one, NULL, NULL); /* z1 + z2 = 1, twice */
    z[0] = z[1] = 0;
    ck_assert(follow(&p, z, &r) >= 0);
    ck_assert(isfinite(z[0]) && isfinite(z[1]));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ncp_piecewise");
    TCase *t = tcase_create("ncp_piecewise");
    tcase_add_test(t, affine);
    tcase_add_test(t, half);
    tcase_add_test(t, long_way);
    tcase_add_test(t, singular);
    suite_add_tcase(s, t);
    return support_run(s);
}
