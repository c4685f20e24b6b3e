/* tests/cone/test_jacobian.c: systems of a sparse and of a dense Jacobian have the same solutions,
 * also where the rows of a block lie apart. */
#include "support.h"

#include "perp/solvers.h"

enum { CONES = 60, N = 3 * CONES };

/* Normals first, then tangents, of a chain of contacts. */
typedef struct chain {
    int p[N + 1], i[9 * N], follows[N], group[N];
    double x[9 * N], q[N], mu[N], full[N * N];
} chain;

static void build(chain *c)
{
    *c = (chain){.p = {0}};
    for (int j = 0, k = 0; j < N; j++) {
        int cone = j < CONES ? j : (j - CONES) / 2;
        c->follows[j] = j < CONES ? -1 : cone;
        c->group[j] = j < CONES ? -1 : CONES + 2 * cone;
        c->mu[j] = 0.5;
        c->q[j] = j < CONES ? -1 : 0.3 * (j % 5 - 2);
        for (int i = 0; i < N; i++) {
            int other = i < CONES ? i : (i - CONES) / 2;
            if (other < cone - 1 || other > cone + 1) continue;
            c->i[k] = i;
            c->x[k] = i == j ? 3 : 0.1 * ((i + 2 * j) % 7 - 3);
            c->full[j * N + i] = c->x[k++];
        }
        c->p[j + 1] = k;
    }
}

static perp_problem problem_of(const chain *c, bool sparse)
{
    perp_problem p = {.kind = PERP_KIND_CONE};
    perp_matrix W = sparse ? perp_csc(N, N, c->p, c->i, c->x) : perp_dense(N, N, c->full);
    p.as.cone = (perp_cone){.n = N, .W = W, .q = c->q, .follows = c->follows};
    p.as.cone.group = c->group;
    p.as.cone.mu = c->mu;
    return p;
}

START_TEST(same_steps)
{
    static const char *const solvers[] = {"cone/newton", "cone/prox"};
    static chain c;
    build(&c);
    for (int k = 0; k < 2; k++) {
        double z[2][N];
        perp_result r[2];
        for (int sparse = 0; sparse < 2; sparse++) {
            perp_arena a = {0};
            perp_problem p = problem_of(&c, sparse);
            perp_status status =
                perp_solve(&p, perp_find(solvers[k]), &a, z[sparse], NULL, &r[sparse]);
            ck_assert_msg(status == PERP_SOLVED, "%s", r[sparse].detail);
            perp_arena_free(&a);
        }
        ck_assert_int_eq(r[0].iterations, r[1].iterations);
        ck_assert_double_le(difference(N, z[0], z[1]), 1e-9);
    }
}
END_TEST

START_TEST(memory_ends)
{
    static chain c;
    build(&c);
    perp_problem p = problem_of(&c, true);
    solve_starved(&p, perp_find("cone/newton"), PERP_SOLVED);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cone_jacobian");
    TCase *c = tcase_create("jacobian");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, same_steps);
    tcase_add_test(c, memory_ends);
    suite_add_tcase(s, c);
    return support_run(s);
}
