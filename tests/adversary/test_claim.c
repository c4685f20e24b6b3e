/* tests/adversary/test_claim.c: the oracles of proofs: true ones are accepted, false ones refused,
 * by the vector and by the linear program. */
#include "exact.h"
#include "support.h"

#include <math.h>

static void set_table(table *A, int m, int n, const double *rows)
{
    A->m = m;
    A->n = n;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) AT(A, i, j) = rows[i * n + j];
    }
}

static sample lcp2(const double M[4], double q0, double q1)
{
    sample s = {.kind = V_LCP, .n = 2, .size = 2, .tol = 1e-8, .q = {q0, q1}};
    set_table(&s.M, 2, 2, M);
    for (int i = 0; i < 2; i++) {
        s.xhi[i] = INFINITY;
        s.follows[i] = -1;
    }
    return s;
}

static void proved(const sample *s, perp_status claim, const double *w)
{
    judgement j;
    judge_claim(s, claim, (double[MOST]){0}, w, &j);
    ck_assert_msg(!j.wrong && !j.undecided, "%s: %g", j.part, j.ratio);
}

static void not_proved(const sample *s, perp_status claim, const double *w, const char *part)
{
    judgement j;
    judge_claim(s, claim, (double[MOST]){0}, w, &j);
    ck_assert_msg(j.wrong, "%s: %g", j.part, j.ratio);
    ck_assert_str_eq(j.part, part);
}

static bool refuted(const sample *s)
{
    judgement j = {0};
    ck_assert(refute_infeasible(s, INFINITY, &j));
    return j.wrong;
}

/* w_1 = -z_0 - z_1 - 1 is negative for all z >= 0. */
START_TEST(lcp_proofs)
{
    sample s = lcp2((double[]){1, 0, -1, -1}, 1, -1);
    proved(&s, PERP_INFEASIBLE, (double[]){0, 1});
    proved(&s, PERP_INFEASIBLE, (double[]){0.5, 1});
    not_proved(&s, PERP_INFEASIBLE, (double[]){-1e-300, 1}, "signs");
    not_proved(&s, PERP_INFEASIBLE, (double[]){2, 1}, "sum");
    not_proved(&s, PERP_INFEASIBLE, (double[]){0.99, 0.5}, "sum");
    not_proved(&s, PERP_INFEASIBLE, (double[]){0, 0}, "sum");
    not_proved(&s, PERP_INFEASIBLE, (double[]){NAN, 1}, "signs");
    ck_assert(!refuted(&s));
}
END_TEST

/* A P-matrix: it has a solution, at 2.8e7, though y = (1, 1) has M'y = (2^-48, 0). */
START_TEST(last_bits)
{
    sample s = lcp2((double[]){1, -1, -(1 - 0x1p-48), 1}, -1, 1 - 1e-7);
    not_proved(&s, PERP_INFEASIBLE, (double[]){1, 1}, "slope");
    ck_assert(refuted(&s));
    AT(&s.M, 1, 0) = -1;
    proved(&s, PERP_INFEASIBLE, (double[]){1, 1});
    ck_assert(!refuted(&s));
    /* Less than tol |q| (|y| + |p|): a z that could be certified may exist. */
    s.q[1] = 1 - 1e-9;
    not_proved(&s, PERP_INFEASIBLE, (double[]){1, 1}, "sum");
}
END_TEST

/* 0 <= z_0 <= 3, z_1 free, F = (anything, z_0 - 5). */
START_TEST(boxes)
{
    sample s = lcp2((double[]){1, 1, 1, 0}, 0, -5);
    s.kind = V_MCP;
    s.xhi[0] = 3;
    s.xlo[1] = -INFINITY;
    proved(&s, PERP_INFEASIBLE, (double[]){0, 1});
    not_proved(&s, PERP_INFEASIBLE, (double[]){0, -1}, "sum");
    not_proved(&s, PERP_INFEASIBLE, (double[]){1, 1}, "signs");
    ck_assert(!refuted(&s));
    s.xhi[0] = 6;
    not_proved(&s, PERP_INFEASIBLE, (double[]){0, 1}, "sum");
    ck_assert(refuted(&s));
}
END_TEST

/* z_1 within +-z_0/2, F_0 = -z_0 + z_1 - 1 >= 0 nowhere; with +-2 z_0 it is so at (1, 2). */
START_TEST(followers)
{
    sample s = lcp2((double[]){-1, 1, 0, 1}, -1, 0);
    s.kind = V_FOLLOWS;
    s.follows[1] = 0;
    s.mu[1] = 0.5;
    proved(&s, PERP_INFEASIBLE, (double[]){1, 0});
    ck_assert(!refuted(&s));
    s.mu[1] = 2;
    not_proved(&s, PERP_INFEASIBLE, (double[]){1, 0}, "slope");
    ck_assert(refuted(&s));
}
END_TEST

START_TEST(rays)
{
    sample s = lcp2((double[]){0, 1, -1, 0}, -1, -1);
    proved(&s, PERP_RAY, (double[]){1, 0});
    not_proved(&s, PERP_RAY, (double[]){1, 1}, "ray");
    not_proved(&s, PERP_RAY, (double[]){0, 0}, "signs");
    not_proved(&s, PERP_RAY, (double[]){1, -1}, "signs");
    not_proved(&s, PERP_UNBOUNDED, (double[]){1, 0}, "no proof exists");
}
END_TEST

/* x + y >= 2 and x + y <= 1, rows of a qp of two unknowns. */
static sample qp2(void)
{
    sample s = {.kind = V_QP, .n = 2, .m = 2, .size = 4, .tol = 1e-8, .q = {-1, 0}};
    set_table(&s.M, 2, 2, (double[]){0, 0, 0, 0});
    set_table(&s.A, 2, 2, (double[]){1, 1, 1, 1});
    for (int k = 0; k < 2; k++) {
        s.xlo[k] = s.lo[k] = -INFINITY;
        s.xhi[k] = s.hi[k] = INFINITY;
    }
    return s;
}

START_TEST(qp_infeasible)
{
    sample s = qp2();
    s.lo[0] = 2;
    s.hi[1] = 1;
    proved(&s, PERP_INFEASIBLE, (double[]){0, 0, 1, -1});
    not_proved(&s, PERP_INFEASIBLE, (double[]){0, 0, -1, 1}, "signs");
    not_proved(&s, PERP_INFEASIBLE, (double[]){0, 0, 1, -2}, "sum");
    ck_assert(!refuted(&s));
    AT(&s.A, 1, 0) = 1 - 0x1p-30;
    not_proved(&s, PERP_INFEASIBLE, (double[]){0, 0, 1, -1}, "slope");
    ck_assert(refuted(&s));
    s.xlo[1] = 1;
    s.xhi[1] = nextafter(1, 0);
    proved(&s, PERP_INFEASIBLE, (double[]){0, 1, 0, 0});
    ck_assert(!refuted(&s));
}
END_TEST

START_TEST(qp_unbounded)
{
    sample s = qp2();
    s.hi[1] = 1;
    proved(&s, PERP_UNBOUNDED, (double[]){1, -1, 0, 0});
    not_proved(&s, PERP_UNBOUNDED, (double[]){1, 0, 0, 0}, "recession");
    not_proved(&s, PERP_UNBOUNDED, (double[]){-1, 0, 0, 0}, "descent");
    not_proved(&s, PERP_UNBOUNDED, (double[]){0, 0, 0, 0}, "direction");
    AT(&s.M, 0, 0) = 1e-3; /* the objective rises again from x = 1000 on */
    not_proved(&s, PERP_UNBOUNDED, (double[]){1, -1, 0, 0}, "curvature");
    AT(&s.M, 0, 0) = -1;
    proved(&s, PERP_UNBOUNDED, (double[]){1, -1, 0, 0});
    s.lo[0] = 0.5; /* z = 0 is not feasible any more */
    not_proved(&s, PERP_UNBOUNDED, (double[]){1, -1, 0, 0}, "feasible point");
}
END_TEST

/* Kinds that have no proofs cannot claim. */
START_TEST(no_proofs)
{
    sample s = {.kind = V_NNLS};
    not_proved(&s, PERP_INFEASIBLE, (double[]){0}, "no proof exists");
    s.kind = V_MCP_MAP;
    not_proved(&s, PERP_INFEASIBLE, (double[]){0}, "no proof exists");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("adversary_claim");
    TCase *t = tcase_create("proofs");
    tcase_add_test(t, lcp_proofs);
    tcase_add_test(t, last_bits);
    tcase_add_test(t, boxes);
    tcase_add_test(t, followers);
    tcase_add_test(t, rays);
    tcase_add_test(t, qp_infeasible);
    tcase_add_test(t, qp_unbounded);
    tcase_add_test(t, no_proofs);
    suite_add_tcase(s, t);
    return support_run(s);
}
