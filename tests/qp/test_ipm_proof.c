/* tests/qp/test_ipm_proof.c: proofs where there is one, and none where there is none. */
#include "ipm_support.h"

#include "perp/solver.h"

/* The proofs are called inside a solve: by this solver, on the problem it gets. */
static perp_status prove(perp_run *run, double *z)
{
    ipm_presolved r;
    (void)z;
    perp_status status = perp_ipm_presolve(&run->problem->as.qp, run->arena, &r);
    if (status) return status;
    status = perp_ipm_prove_infeasible(run, &r);
    return status == PERP_STALLED ? perp_ipm_prove_unbounded(run, &r) : status;
}

static const perp_solver prover = {.name = "test/prove",
                                   .about = "proofs alone",
                                   .kind = PERP_KIND_QP,
                                   .formats = {PERP_FORMAT_CSC, PERP_FORMAT_CSC},
                                   .options_size = sizeof(perp_options),
                                   .solve = prove};
static const perp_options options = {
    .solver = &prover, .tol = 1e-30, .max_iter = 2000, .threads = 1};

static void ends(const char *family, perp_status expected)
{
    for (int size = 3; size < 60; size = 2 * size + 1) {
        for (uint64_t seed = 0; seed < 4; seed++) {
            perp_arena a = {0};
            perp_result r;
            generated_problem g = problem_make(family, NULL, size, seed, &a);
            double *z = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *z);
            double *w = perp_alloc(&a, (size_t)perp_size(&g.p), sizeof *w);
            perp_status s = solve_checked(&g.p, &options, z, w, &r);
            ck_assert_msg(s == expected, "%s %d: %s, %s", family, size, perp_status_name(s),
                          r.detail);
            perp_arena_free(&a);
        }
    }
}

START_TEST(infeasible)
{
    ends("qp_infeasible", PERP_INFEASIBLE);
}
END_TEST

START_TEST(unbounded)
{
    ends("qp_unbounded", PERP_UNBOUNDED);
}
END_TEST

START_TEST(neither)
{
    ends("qp_convex", PERP_STALLED);
    ends("qp_linear", PERP_STALLED);
    ends("qp_nonsymmetric", PERP_STALLED);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp_ipm_proof");
    TCase *t = tcase_create("proof");
    tcase_add_test(t, infeasible);
    tcase_add_test(t, unbounded);
    tcase_add_test(t, neither);
    suite_add_tcase(s, t);
    return support_run(s);
}
