/* test_qp_literature.c: quadratic programs with published optima, through every solver that takes
 * them. Hock and Schittkowski, Test Examples for Nonlinear Programming Codes (1981), problems 28,
 * 35 (and with x_2 fixed), 44, 48, 52 and 76. */
#include "support.h"

#include "perp/solvers.h"

#include <math.h>

enum { N = 5, M = 6 };

/* H and A by rows; lo = hi: an equality. */
typedef struct example {
    const char *name;
    int n, m;
    double H[N][N], c[N], constant, A[M][N], lo[M], hi[M];
    bool nonnegative, definite, convex;
    int fixed; /* unknown with one value, or -1 */
    double at, optimum;
} example;

#define NONE (-INFINITY)

static const example list[] = {
    {.name = "HS28",
     .n = 3,
     .m = 1,
     .H = {{2, 2, 0}, {2, 4, 2}, {0, 2, 2}},
     .A = {{1, 2, 3}},
     .lo = {1},
     .hi = {1},
     .convex = true,
     .fixed = -1},
    {.name = "HS35",
     .n = 3,
     .m = 1,
     .H = {{4, 2, 2}, {2, 4, 0}, {2, 0, 2}},
     .c = {-8, -6, -4},
     .constant = 9,
     .A = {{1, 1, 2}},
     .lo = {NONE},
     .hi = {3},
     .nonnegative = true,
     .definite = true,
     .convex = true,
     .fixed = -1,
     .optimum = 1. / 9},
    {.name = "HS35MOD",
     .n = 3,
     .m = 1,
     .H = {{4, 2, 2}, {2, 4, 0}, {2, 0, 2}},
     .c = {-8, -6, -4},
     .constant = 9,
     .A = {{1, 1, 2}},
     .lo = {NONE},
     .hi = {3},
     .nonnegative = true,
     .definite = true,
     .convex = true,
     .fixed = 1,
     .at = 0.5,
     .optimum = 0.25},
    {.name = "HS44",
     .n = 4,
     .m = 6,
     .H = {{0, 0, -1, 1}, {0, 0, 1, -1}, {-1, 1, 0, 0}, {1, -1, 0, 0}},
     .c = {1, -1, -1, 0},
     .A = {{1, 2, 0, 0}, {4, 1, 0, 0}, {3, 4, 0, 0}, {0, 0, 2, 1}, {0, 0, 1, 2}, {0, 0, 1, 1}},
     .lo = {NONE, NONE, NONE, NONE, NONE, NONE},
     .hi = {8, 12, 12, 8, 8, 5},
     .nonnegative = true,
     .fixed = -1,
     .optimum = -15},
    {.name = "HS48",
     .n = 5,
     .m = 2,
     .H = {{2}, {0, 2, -2}, {0, -2, 2}, {0, 0, 0, 2, -2}, {0, 0, 0, -2, 2}},
     .c = {-2},
     .constant = 1,
     .A = {{1, 1, 1, 1, 1}, {0, 0, 1, -2, -2}},
     .lo = {5, -3},
     .hi = {5, -3},
     .convex = true,
     .fixed = -1},
    {.name = "HS52",
     .n = 5,
     .m = 3,
     .H = {{32, -8}, {-8, 4, 2}, {0, 2, 2}, {0, 0, 0, 2}, {0, 0, 0, 0, 2}},
     .c = {0, -4, -4, -2, -2},
     .constant = 6,
     .A = {{1, 3}, {0, 0, 1, 1, -2}, {0, 1, 0, 0, -1}},
     .convex = true,
     .fixed = -1,
     .optimum = 1859. / 349},
    {.name = "HS76",
     .n = 4,
     .m = 3,
     .H = {{2, 0, -1, 0}, {0, 1, 0, 0}, {-1, 0, 2, 1}, {0, 0, 1, 1}},
     .c = {-1, -3, 1, -1},
     .A = {{1, 2, 1, 1}, {3, 1, 2, -1}, {0, 1, 4, 0}},
     .lo = {NONE, NONE, 1.5},
     .hi = {5, 4, INFINITY},
     .nonnegative = true,
     .definite = true,
     .convex = true,
     .fixed = -1,
     .optimum = -4.68181818181818182},
};
enum { EXAMPLES = sizeof list / sizeof *list };

static double value_of(const example *e, const double *x)
{
    double sum = e->constant;
    for (int i = 0; i < e->n; i++) {
        sum += e->c[i] * x[i];
        for (int j = 0; j < e->n; j++) sum += 0.5 * x[i] * e->H[i][j] * x[j];
    }
    return sum;
}

static void check(const example *e, const perp_options *o, const char *solver)
{
    double H[N * N], A[N * M], xlo[N], xhi[N], z[N + M];
    perp_arena a = {0};
    perp_result r;
    for (int j = 0; j < e->n; j++) {
        for (int i = 0; i < e->n; i++) H[j * e->n + i] = e->H[i][j];
        for (int i = 0; i < e->m; i++) A[j * e->m + i] = e->A[i][j];
        xlo[j] = j == e->fixed ? e->at : e->nonnegative ? 0 : -INFINITY;
        xhi[j] = j == e->fixed ? e->at : INFINITY;
    }
    perp_problem p = perp_make_qp(e->n, e->m, perp_dense(e->n, e->n, H), e->c,
                                  perp_dense(e->m, e->n, A), e->lo, e->hi);
    p.as.qp.xlo = xlo;
    p.as.qp.xhi = xhi;
    perp_status status = perp_solve(&p, o, &a, z, NULL, &r);
    perp_arena_free(&a);
    ck_assert_msg(!status, "%s by %s: %s (%s)", e->name, solver, perp_status_name(status),
                  r.detail);
    double off = value_of(e, z) - e->optimum;
    if (!e->convex && off > 1) off -= 2; /* HS44 has another minimum, -13 */
    off = fabs(off);
    ck_assert_msg(off < 1e-7, "%s by %s: off by %g", e->name, solver, off);
}

START_TEST(published_optima)
{
    const example *e = &list[_i];
    check(e, perp_find("qp/auto"), "qp/auto");
    check(e, perp_find("qp/fletcher"), "qp/fletcher");
    if (e->convex) check(e, perp_find("qp/ipm"), "qp/ipm");
    if (e->definite) check(e, perp_find("qp/dual"), "qp/dual");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp_literature");
    TCase *t = tcase_create("all");
    tcase_add_loop_test(t, published_optima, 0, EXAMPLES);
    suite_add_tcase(s, t);
    return support_run(s);
}
