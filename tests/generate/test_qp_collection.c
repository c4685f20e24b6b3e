/* tests/generate/test_qp_collection.c: the families after Maros and Meszaros' collection are what
 * their head says, and two of them have the optima that the collection publishes. */
#include "generate_support.h"

#include "perp/solvers.h"

#include <stdio.h>

static const char *const families[] = {"qp_cvxqp1",  "qp_cvxqp2",  "qp_cvxqp3", "qp_liswet2",
                                       "qp_liswet3", "qp_liswet4", "qp_cont",   "qp_cont_side",
                                       "qp_aug3d",   "qp_aug3dqp"};
enum { FAMILIES = sizeof families / sizeof *families };

static double entry(const perp_matrix *M, int i, int j)
{
    const struct perp_csc_view *v = &M->as.csc;
    double sum = 0;
    for (int k = v->p[j]; k < v->p[j + 1]; k++) sum += v->i[k] == i ? v->x[k] : 0;
    return sum;
}

/* Any size is valid, rows of a column ascend, H is symmetric, and a seed gives the same numbers. */
START_TEST(every_size)
{
    static const int sizes[] = {1, 2, 3, 4, 5, 12, 36, 97, 110};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        perp_arena a = {0};
        generated_problem x = problem_make(families[_i], NULL, sizes[s], 1, &a);
        generated_problem y = problem_make(families[_i], NULL, sizes[s], 1, &a);
        const perp_qp *qp = &x.p.as.qp;
        const struct perp_csc_view *H = &qp->H.as.csc, *A = &qp->A.as.csc;
        ck_assert_int_eq(x.p.kind, PERP_KIND_QP);
        ck_assert_msg(problem_hash(&x.p) == problem_hash(&y.p), "%s", families[_i]);
        for (int j = 0; j < qp->n; j++) {
            for (int k = H->p[j]; k < H->p[j + 1]; k++) {
                ck_assert(k == H->p[j] || H->i[k] > H->i[k - 1]);
                ck_assert_double_eq(H->x[k], entry(&qp->H, j, H->i[k]));
            }
            for (int k = A->p[j] + 1; k < A->p[j + 1]; k++) ck_assert(A->i[k] > A->i[k - 1]);
        }
        perp_arena_free(&a);
    }
}
END_TEST

/* Those with random data have others for another seed. */
START_TEST(seeds)
{
    for (int f = 0; f < FAMILIES; f++) {
        perp_arena a = {0};
        bool random = strstr(families[f], "liswet") || strstr(families[f], "aug3d");
        generated_problem x = problem_make(families[f], NULL, 100, 1, &a);
        generated_problem y = problem_make(families[f], NULL, 100, 2, &a);
        bool same = problem_hash(&x.p) == problem_hash(&y.p);
        ck_assert_msg(same != random, "%s", families[f]);
        perp_arena_free(&a);
    }
}
END_TEST

static void check_optimum(const char *family, int rows, double optimum)
{
    perp_arena a = {0};
    perp_result r;
    perp_plain_options o = perp_qp_auto_defaults();
    generated_problem x = problem_make(family, NULL, 100, 1, &a);
    double *z = perp_alloc(&a, (size_t)perp_size(&x.p), sizeof *z);
    ck_assert_int_eq(x.p.as.qp.m, rows);
    ck_assert_int_eq(perp_solve(&x.p, &o.base, &a, z, NULL, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(r.objective, optimum, 1e-7 * optimum);
    perp_arena_free(&a);
}

START_TEST(published_optima)
{
    check_optimum("qp_cvxqp1", 50, 1.1590718e+04);
    check_optimum("qp_cvxqp3", 75, 1.1943432e+04);
}
END_TEST

/* The k-th differences of j^k are k!, those of lower powers 0. */
START_TEST(differences)
{
    for (int k = 2; k <= 4; k++) {
        perp_arena a = {0};
        double x[30], s[30], factorial = k == 2 ? 2 : k == 3 ? 6 : 24;
        char name[20];
        snprintf(name, sizeof name, "qp_liswet%d", k);
        generated_problem made = problem_make(name, NULL, 30, 1, &a);
        ck_assert_int_eq(made.p.as.qp.m, 30 - k);
        for (int power = 0; power <= k; power++) {
            for (int j = 0; j < 30; j++) x[j] = pow(j, power);
            perp_mul(&made.p.as.qp.A, 1, x, 0, s);
            for (int i = 0; i < 30 - k; i++) ck_assert_double_eq(s[i], power == k ? factorial : 0);
        }
        perp_arena_free(&a);
    }
}
END_TEST

/* (N + 1)^2 - 4 points, (N - 1)^2 equations and, from one side, 3 (N - 1) more; a plane has no
 * Laplacian, a constant no flux. */
START_TEST(grids)
{
    enum { N = 9 };
    perp_arena a = {0};
    double x[(N + 1) * (N + 1)], s[(N + 1) * (N + 1)];
    generated_problem all = problem_make("qp_cont", NULL, 96, 1, &a);
    generated_problem side = problem_make("qp_cont_side", NULL, 96, 1, &a);
    int inner = (N - 1) * (N - 1), at = 0;
    ck_assert(all.p.as.qp.n == 96 && all.p.as.qp.m == inner);
    ck_assert(side.p.as.qp.n == 96 && side.p.as.qp.m == inner + 3 * (N - 1));
    for (int i = 0; i <= N; i++) {
        for (int j = 0; j <= N; j++) {
            if ((i == 0 || i == N) && (j == 0 || j == N)) continue;
            x[at++] = 2 * i - 3 * j;
        }
    }
    perp_mul(&all.p.as.qp.A, 1, x, 0, s);
    for (int k = 0; k < inner; k++) ck_assert_double_eq(s[k], 0);
    for (int k = 0; k < 96; k++) x[k] = 5;
    perp_mul(&side.p.as.qp.A, 1, x, 0, s);
    for (int k = 0; k < side.p.as.qp.m; k++) ck_assert_double_eq(s[k], 0);
    perp_arena_free(&a);
}
END_TEST

/* Every edge between two nodes leaves one and enters the other, and has a price; the others have
 * one node and none. */
START_TEST(flows)
{
    perp_arena a = {0};
    generated_problem x = problem_make("qp_aug3d", NULL, 108, 1, &a);
    const perp_qp *qp = &x.p.as.qp;
    const struct perp_csc_view *A = &qp->A.as.csc;
    int inside = 0;
    ck_assert(qp->n == 108 && qp->m == 27);
    for (int j = 0; j < qp->n; j++) {
        int nodes = A->p[j + 1] - A->p[j];
        double sum = 0;
        for (int k = A->p[j]; k < A->p[j + 1]; k++) sum += A->x[k];
        ck_assert_double_eq(fabs(sum), nodes == 1);
        ck_assert_double_eq(entry(&qp->H, j, j), nodes == 2);
        inside += nodes == 2;
    }
    ck_assert_int_eq(inside, 3 * 9 * 2);
    ck_assert_ptr_null(qp->xlo);
    ck_assert_ptr_nonnull(problem_make("qp_aug3dqp", NULL, 108, 1, &a).p.as.qp.xlo);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("generate_qp_collection");
    TCase *t = tcase_create("generate_qp_collection");
    tcase_add_loop_test(t, every_size, 0, FAMILIES);
    tcase_add_test(t, seeds);
    tcase_add_test(t, published_optima);
    tcase_add_test(t, differences);
    tcase_add_test(t, grids);
    tcase_add_test(t, flows);
    suite_add_tcase(s, t);
    return support_run(s);
}
