/* tests/qp/test_stored.c: the stored QPs that nobody here wrote (Maros and Meszaros' collection):
 * qp/auto solves each to 1e-8 and to 1e-10, with the published optimum. In $PERP_PROBLEMS, or
 * ../shared/problems beside the project. */
#include "support.h"

#include "perp/io.h"
#include "perp/solvers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS                                                                                     \
    1e-6 /* the published values come from a solver that stops early: HS268 has 6e-7 for 0 */

static const char *place(void)
{
    const char *set = getenv("PERP_PROBLEMS");
    return set ? set : SOURCE_ROOT "/../shared/problems";
}

static double objective(const perp_file *f, const double *x, perp_arena *a)
{
    const perp_qp *qp = &f->problem.as.qp;
    double *Hx = perp_alloc(a, (size_t)qp->n, sizeof *Hx), sum = f->constant;
    perp_matrix H = qp->H;
    if (!H.format) H.m = H.n = qp->n;
    perp_mul(&H, 1, x, 0, Hx);
    for (int j = 0; j < qp->n; j++) sum += x[j] * (0.5 * Hx[j] + qp->c[j]);
    return sum;
}

static void check_optimum(const char *name, double optimum, double tol)
{
    char path[800];
    perp_arena a = {0};
    perp_file f;
    perp_error e;
    perp_result r;
    perp_plain_options o = perp_qp_auto_defaults();
    o.base.tol = tol;
    snprintf(path, sizeof path, "%s/qp/%s.QPS", place(), name);
    ck_assert_msg(perp_load_file(path, NULL, &a, &f, &e) == PERP_SOLVED, "%s: %s", path, e.text);
    double *z = perp_alloc(&a, (size_t)perp_size(&f.problem), sizeof *z);
    perp_status s = perp_solve(&f.problem, &o.base, &a, z, NULL, &r);
    ck_assert_msg(s == PERP_SOLVED, "%s: %s, %.1e: %s", name, perp_status_name(s), r.residual.value,
                  r.detail);
    double found = objective(&f, z, &a), off = fabs(found - optimum) / (1 + fabs(optimum));
    ck_assert_msg(off <= DIGITS, "%s: %.10g, published %.10g", name, found, optimum);
    if (getenv("PERP_VERBOSE")) {
        printf("%-10s %15.8e %15.8e %.1e %4d %-10s %.2e s\n", name, found, optimum,
               r.residual.value, r.iterations, r.solver, r.seconds);
    }
    perp_arena_free(&a);
}

static void each_optimum(double tol)
{
    char path[800], line[200], name[40];
    double optimum;
    int count = 0;
    snprintf(path, sizeof path, "%s/qp/optima.txt", place());
    FILE *file = fopen(path, "r");
    if (!file) {
        printf("skipped: %s is not here\n", path);
        return;
    }
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%39s %*d %*d %lf", name, &optimum) != 2 || name[0] == '#') continue;
        check_optimum(name, optimum, tol);
        count++;
    }
    fclose(file);
    ck_assert_int_gt(count, 0);
}

START_TEST(published_optima)
{
    each_optimum(1e-8);
}
END_TEST

START_TEST(tighter)
{
    each_optimum(1e-10);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("qp_stored");
    TCase *t = tcase_create("stored");
    tcase_add_test(t, published_optima);
    tcase_add_test(t, tighter);
    suite_add_tcase(s, t);
    return support_run(s);
}
