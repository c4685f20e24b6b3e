/* tests/cone/test_interior_local.c: interior points in local form: rows that can have one value
 * only, and a W in compressed columns. */
#include "support.h"

#include "perp/solvers.h"

#include <math.h>
#include <stdlib.h>

enum { CONES = 40, N = 3 * CONES };

/* A chain of contacts; the third of every five without friction, its tangents fixed at 0. */
static perp_problem build(perp_arena *a, bool sparse)
{
    int *follows = perp_alloc(a, N, sizeof *follows), *group = perp_alloc(a, N, sizeof *group);
    double *W = perp_alloc(a, N * N, sizeof *W), *q = perp_alloc(a, N, sizeof *q);
    double *mu = perp_alloc(a, N, sizeof *mu), *s = perp_alloc(a, N, sizeof *s);
    for (int j = 0; j < N; j++) {
        follows[j] = j % 3 ? j - j % 3 : -1;
        group[j] = j % 3 ? j - j % 3 + 1 : -1;
        mu[j] = j / 3 % 5 == 2 ? 0 : 0.5;
        q[j] = j % 3 ? 0.3 * (j % 5 - 2) : -1;
        for (int i = 0; i < N; i++) {
            if (abs(i / 3 - j / 3) < 2) W[j * N + i] = i == j ? 3 : 0.1 * ((i + j) % 7 - 3);
        }
    }
    perp_problem p = {.kind = PERP_KIND_CONE};
    perp_matrix dense = perp_dense(N, N, W);
    p.as.cone = (perp_cone){.n = N, .W = dense, .q = q, .follows = follows, .group = group};
    p.as.cone.mu = mu;
    p.as.cone.s = s;
    if (sparse)
        ck_assert_int_eq(perp_convert(&dense, PERP_FORMAT_CSC, a, &p.as.cone.W, NULL), PERP_SOLVED);
    return p;
}

START_TEST(same_steps)
{
    double z[2][N];
    perp_result r[2];
    for (int sparse = 0; sparse < 2; sparse++) {
        perp_arena a = {0};
        perp_problem p = build(&a, sparse);
        perp_status status = perp_solve(&p, perp_find("cone/ipm"), &a, z[sparse], NULL, &r[sparse]);
        ck_assert_msg(status == PERP_SOLVED, "%s", r[sparse].detail);
        perp_arena_free(&a);
    }
    ck_assert_int_eq(r[0].iterations, r[1].iterations);
    ck_assert_int_le(r[0].iterations, 20);
    for (int i = 0; i < N; i++) {
        ck_assert_double_eq_tol(z[0][i], z[1][i], 1e-9);
        if (i / 3 % 5 == 2 && i % 3) ck_assert(z[0][i] == 0);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("interior_local");
    TCase *c = tcase_create("interior_local");
    tcase_add_test(c, same_steps);
    suite_add_tcase(s, c);
    return support_run(s);
}
