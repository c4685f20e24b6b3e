/* tests/ncp/test_semismooth_box.c: directions and searches in a box: slopes, projections, callbacks
 * that are undefined beyond it. The struct needs a run, so a small solver is driven here. */
#include "ncp/semismooth_box.h"

#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

/* F = (exp(z0) - 2 + z1, z1 - z0 - 1/2): undefined for z0 < 0 or z1 > 2. */
static bool eval(void *ctx, const double *z, double *F)
{
    int *outside = (int *)(uintptr_t)ctx;
    F[0] = exp(z[0]) - 2 + z[1];
    F[1] = z[1] - z[0] - 0.5;
    bool defined = z[0] >= 0 && z[1] <= 2;
    *outside += !defined;
    return defined;
}

static const double lo[] = {0, -INFINITY}, hi[] = {INFINITY, 2};

static void check_slope(semismooth *s, double least)
{
    double slope = 0;
    for (int i = 0; i < s->n; i++) slope += s->g[i] * s->d[i];
    ck_assert_double_lt(slope, -least * s->merit);
}

static perp_status inspect(perp_run *run, double *z)
{
    semismooth s;
    const double far[] = {-3, 9}, near[] = {0.4, 0.9};
    ck_assert_int_eq(perp_semismooth_box_open(&s, run, 3), PERP_SOLVED);
    ck_assert(perp_semismooth_box_start(&s, far)); /* projected on (0, 2) */
    ck_assert_double_eq(s.z[0], 0);
    ck_assert_double_eq(s.z[1], 2);
    double first = s.merit;
    ck_assert(perp_semismooth_box_direct_fb(&s, 0));
    check_slope(&s, 1.99); /* an exact Newton step: -2 merit */
    ck_assert(perp_semismooth_box_direct_fb(&s, 0.1));
    check_slope(&s, 0.1);
    ck_assert(perp_semismooth_box_direct_descent(&s, 0.1));
    check_slope(&s, 0);
    ck_assert(perp_semismooth_box_search(&s, 40));
    ck_assert_double_lt(s.merit, first);
    s.d[0] = -1e6, s.d[1] = 1e6; /* points out of the box: nowhere to go but its corner */
    double kept = s.merit;
    perp_semismooth_box_search(&s, 10);
    ck_assert_double_le(s.merit, kept);
    ck_assert(perp_semismooth_box_start(&s, near));
    for (int k = 0; k < 8; k++) {
        ck_assert(perp_semismooth_box_direct_natural(&s));
        if (!perp_semismooth_box_search(&s, 20)) break;
    }
    ck_assert_double_le(perp_semismooth_box_natural(&s), 1e-12);
    ck_assert(!perp_semismooth_box_is_stuck(&s));
    const double before[] = {s.z[0], s.z[1]}, beyond[] = {-1, 1};
    ck_assert(!perp_semismooth_box_go(&s, near, s.merit)); /* no better there */
    ck_assert(s.z[0] == before[0] && s.z[1] == before[1]);
    ck_assert(perp_semismooth_box_go(&s, beyond, INFINITY) && s.z[0] == 0 && s.z[1] == 1);
    ck_assert(perp_semismooth_box_go(&s, before, s.merit));
    memcpy(z, s.z, 2 * sizeof *z);
    s.d[0] = 1, s.d[1] = 0;
    ck_assert(perp_semismooth_box_jump(&s)); /* uphill */
    ck_assert_double_gt(perp_semismooth_box_natural(&s), 0.1);
    return PERP_SOLVED;
}

static const perp_solver inspector = {.name = "mcp/inspector",
                                      .about = "looks at the pieces",
                                      .kind = PERP_KIND_MCP,
                                      .formats = {PERP_FORMAT_DENSE | PERP_FORMAT_CSC},
                                      .flags = PERP_SOLVER_READS_CALLBACK,
                                      .options_size = sizeof(perp_options),
                                      .solve = inspect};

START_TEST(pieces)
{
    int outside = 0;
    perp_problem p = {.kind = PERP_KIND_MCP};
    p.as.mcp = (perp_mcp){.F = {.n = 2, .eval = eval, .ctx = &outside}, .lo = lo, .hi = hi};
    perp_options o = {.solver = &inspector, .tol = 1e-10, .max_iter = 10, .threads = 1};
    perp_arena a = {0};
    perp_result r;
    double z[2] = {0};
    ck_assert_int_eq(perp_solve(&p, &o, &a, z, NULL, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(exp(z[0]) + z[0], 1.5, 1e-9);
    ck_assert_int_eq(outside, 0); /* F is not asked outside */
    perp_arena_free(&a);
}
END_TEST

/* 0 is undefined, a little inside is not. */
static bool shy(void *ctx, const double *z, double *F)
{
    (void)ctx;
    for (int i = 0; i < 2; i++) F[i] = log(z[i]) + 1;
    return z[0] > 1e-6 && z[1] > 1e-6;
}

static perp_status begin(perp_run *run, double *z)
{
    semismooth s;
    (void)z;
    const double zero[2] = {0};
    ck_assert_int_eq(perp_semismooth_box_open(&s, run, 1), PERP_SOLVED);
    ck_assert(!perp_semismooth_box_start(&s, zero));
    ck_assert(perp_semismooth_box_start_near(&s, zero));
    ck_assert(s.z[0] > 0 && s.z[0] < 0.01);
    return PERP_STALLED;
}

START_TEST(starts_nearby)
{
    perp_solver starter = inspector;
    starter.solve = begin;
    perp_problem p = {.kind = PERP_KIND_MCP};
    const double low[2] = {0};
    p.as.mcp = (perp_mcp){.F = {.n = 2, .eval = shy}, .lo = low};
    perp_options o = {.solver = &starter, .tol = 1e-10, .max_iter = 10, .threads = 1};
    perp_arena a = {0};
    perp_result r;
    double z[2] = {0};
    ck_assert_int_eq(perp_solve(&p, &o, &a, z, NULL, &r), PERP_STALLED);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ncp_semismooth");
    TCase *t = tcase_create("ncp_semismooth");
    tcase_add_test(t, pieces);
    tcase_add_test(t, starts_nearby);
    suite_add_tcase(s, t);
    return support_run(s);
}
