/* tests/lcp/test_enumerate.c: the oracle itself, on problems worked by hand and on families whose
 * answer is known. */
#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

static perp_status solve(int n, const double *M, const double *q, double *z, double *w,
                         perp_result *r)
{
    return solve_dense(n, M, q, perp_find("lcp/enumerate"), z, w, r);
}

START_TEST(hand_worked)
{
    double z[3], w[3];
    perp_result r;
    const double M2[] = {2, 1, 1, 2}, q2[] = {-5, -6};
    ck_assert_int_eq(solve(2, M2, q2, z, w, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(z[0], 4. / 3, 1e-15);
    ck_assert_double_eq_tol(z[1], 7. / 3, 1e-15);
    ck_assert_int_eq(r.iterations, 4); /* the last of four bases */

    const double q3[] = {1, 0};
    ck_assert_int_eq(solve(2, M2, q3, z, w, &r), PERP_SOLVED);
    ck_assert(r.iterations == 0 && z[0] == 0 && z[1] == 0);

    /* not a P-matrix, two solutions with z > 0 in one place: one is found */
    const double M4[] = {1, 2, 2, 1}, q4[] = {-1, -1};
    ck_assert_int_eq(solve(2, M4, q4, z, w, &r), PERP_SOLVED);
    ck_assert(z[0] == 1 && z[1] == 0);
}
END_TEST

/* M_aa is singular on every basis that has the solution. */
START_TEST(singular_bases)
{
    double z[3], w[3];
    perp_result r;
    const double A[] = {0, 1, 0, 0}, qa[] = {0, -1}; /* z_0 >= 1, w = (0, z_0 - 1) */
    ck_assert_int_eq(solve(2, A, qa, z, w, &r), PERP_SOLVED);
    ck_assert(z[0] >= 1 - 1e-12);

    const double B[] = {1, 1, 1, 1}, qb[] = {-1, -1}; /* z_0 + z_1 = 1 */
    ck_assert_int_eq(solve(2, B, qb, z, w, &r), PERP_SOLVED);
    ck_assert_double_eq_tol(z[0] + z[1], 1, 1e-15);

    /* w = (-z_2, 0, z_0 - 1): z_0 >= 1, z_2 = 0, z_1 whatever */
    const double C[] = {0, 0, 1, 0, 0, 0, -1, 0, 0}, qc[] = {0, 0, -1};
    ck_assert_int_eq(solve(3, C, qc, z, w, &r), PERP_SOLVED);
}
END_TEST

START_TEST(no_solution)
{
    double z[2], w[2];
    perp_result r;
    /* feasible, z_1 >= 1, but then w_1 = 1 must be 0 */
    const double M[] = {0, 0, 1, 0}, q[] = {-1, 1};
    ck_assert_int_eq(solve(2, M, q, z, w, &r), PERP_STALLED);
    ck_assert_str_eq(r.detail, "none of the 4 complementary bases meets the tolerance");
    ck_assert(isfinite(z[0]) && isfinite(z[1]));

    const double N[] = {-1}, p[] = {-1};
    ck_assert_int_eq(solve(1, N, p, z, w, &r), PERP_INFEASIBLE);
    ck_assert(w[0] > 0);
}
END_TEST

START_TEST(refuses_large)
{
    static double M[21 * 21], q[21], z[21];
    perp_result r;
    for (int i = 0; i < 21; i++) {
        M[22 * i] = 1;
        q[i] = -1;
    }
    ck_assert_int_eq(solve(21, M, q, z, NULL, &r), PERP_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(r.detail, "n = 21"));
}
END_TEST

START_TEST(families)
{
    for (const lcp_family *f = lcp_families; f->name; f++) {
        for (uint64_t seed = 0; seed < 60; seed++) {
            perp_arena a = {0};
            generated g;
            double z[16], w[16];
            perp_result r;
            ck_assert(lcp_generate(f, 1 + (int)(seed % 9), seed, &a, &g));
            perp_problem p = lcp_generated_problem(&g);
            perp_status s = solve_checked(&p, perp_find("lcp/enumerate"), z, w, &r);
            if (f->solvable && f->scaled) {
                ck_assert_msg(s == PERP_SOLVED, "%s %d: %s %s", f->name, (int)seed,
                              perp_status_name(s), r.detail);
            }
            if (f->infeasible && strcmp(f->name, "infeasible_psd") != 0) { /* proved by many rows */
                ck_assert_msg(s == PERP_INFEASIBLE, "%s %d: %s", f->name, (int)seed, r.detail);
            }
            ck_assert(s == PERP_SOLVED || s == PERP_STALLED || s == PERP_INFEASIBLE);
            perp_arena_free(&a);
        }
    }
}
END_TEST

/* Planted: solvable whatever the matrix, by a basis that may be singular. Integers. */
START_TEST(planted_solutions)
{
    generator g = generator_start(99);
    for (int k = 0; k < 3000; k++) {
        int n = generator_between(&g, 1, 7), range = generator_between(&g, 1, 3);
        double M[49], q[7], z[7], start[7];
        perp_result r;
        for (int i = 0; i < n * n; i++) M[i] = generator_between(&g, -range, range);
        for (int i = 0; i < n; i++) start[i] = fmax(0, generator_between(&g, -2, 2));
        for (int i = 0; i < n; i++) {
            q[i] = start[i] > 0 ? 0 : generator_below(&g, 3);
            for (int j = 0; j < n; j++) q[i] -= M[j * n + i] * start[j];
        }
        ck_assert_msg(solve(n, M, q, z, NULL, &r) == PERP_SOLVED, "problem %d: %s", k, r.detail);
    }
}
END_TEST

/* The solution of D M E, D q is E^-1 z: exactly, for powers of two. */
START_TEST(badly_scaled)
{
    int solved = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        perp_arena a = {0};
        generated g;
        generator s = generator_start(seed);
        double y[6], z[6], column[6];
        perp_result r;
        ck_assert(lcp_generate(lcp_family_find("nonsymmetric"), 6, seed, &a, &g));
        perp_problem p = lcp_generated_problem(&g);
        ck_assert(!perp_solve(&p, perp_find("lcp/enumerate"), &a, y, NULL, &r));
        double row = exp2(floor(80 * generator_uniform(&s)));
        for (int j = 0; j < 6; j++) {
            column[j] = exp2(floor(80 * generator_uniform(&s)));
            for (int i = 0; i < 6; i++) g.M[6 * j + i] *= row * column[j];
            g.q[j] *= row;
        }
        perp_status status = perp_solve(&p, perp_find("lcp/enumerate"), &a, z, NULL, &r);
        for (int j = 0; status == PERP_SOLVED && j < 6; j++) {
            ck_assert(isfinite(z[j]));
            solved += fabs(z[j] * column[j] - y[j]) <= 1e-9;
        }
        perp_arena_free(&a);
    }
    ck_assert_int_gt(solved, 300);
}
END_TEST

/* ---- all solutions ---- */

typedef struct listed {
    int count, faces, most; /* most: end after so many; 0: go on */
    unsigned basis[64];
    double z[64][8], worst;
} listed;

static bool list(void *ctx, const perp_lcp_solution *s)
{
    listed *l = ctx;
    l->basis[l->count] = s->basis;
    for (int i = 0; i < s->n; i++) l->z[l->count][i] = s->z[i];
    l->faces += s->face;
    l->worst = fmax(l->worst, s->residual.value + s->residual.bound);
    return ++l->count != l->most && l->count < 64;
}

static perp_status solve_all(int n, const double *M, const double *q, listed *l, double *z,
                             perp_result *r)
{
    perp_lcp_enumerate_options o = perp_lcp_enumerate_defaults();
    o.all = true;
    o.found = list;
    o.found_ctx = l;
    return solve_dense(n, M, q, &o.base, z, NULL, r);
}

START_TEST(all_by_hand)
{
    /* w = (z_0 + 2 z_1 - 1, 2 z_0 + z_1 - 1): (1, 0), (0, 1) and (1/3, 1/3) */
    const double M[] = {1, 2, 2, 1}, q[] = {-1, -1};
    double z[2];
    perp_result r;
    listed l = {0};
    ck_assert_int_eq(solve_all(2, M, q, &l, z, &r), PERP_SOLVED);
    ck_assert(l.count == 3 && l.faces == 0 && r.iterations == 4 && l.worst <= 1e-10);
    ck_assert(l.basis[0] == 1 && l.basis[1] == 2 && l.basis[2] == 3);
    ck_assert(l.z[0][0] == 1 && l.z[1][1] == 1);
    ck_assert_double_eq_tol(l.z[2][0], 1. / 3, 1e-15);
    ck_assert_double_eq_tol(l.z[2][1], 1. / 3, 1e-15);

    l = (listed){.most = 2}; /* the caller ends the search, and has a solution */
    ck_assert_int_eq(solve_all(2, M, q, &l, z, &r), PERP_SOLVED);
    ck_assert(l.count == 2 && r.iterations == 3 && z[0] + z[1] == 1);

    /* z_0 + z_1 = 1: two vertices, and the basis of both is a face */
    const double B[] = {1, 1, 1, 1};
    l = (listed){0};
    ck_assert_int_eq(solve_all(2, B, q, &l, z, &r), PERP_SOLVED);
    ck_assert(l.count == 3 && l.faces == 1 && l.basis[2] == 3);
    ck_assert_double_eq_tol(l.z[2][0] + l.z[2][1], 1, 1e-15);

    const double none[] = {0, 0, 1, 0}, qn[] = {-1, 1};
    l = (listed){0};
    ck_assert_int_eq(solve_all(2, none, qn, &l, z, &r), PERP_STALLED);
    ck_assert_int_eq(l.count, 0);
    ck_assert_int_eq(solve_all(0, NULL, NULL, &l, NULL, &r), PERP_SOLVED);
    ck_assert(l.count == 1 && l.basis[0] == 0);
}
END_TEST

/* Integer data of n = 3: every basis by Cramer's rule in whole numbers. Bases with a singular
 * block are left out of the count. */
static int det(int k, const int *a)
{
    if (k == 0) return 1;
    if (k == 1) return a[0];
    if (k == 2) return a[0] * a[3] - a[1] * a[2];
    return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
           a[2] * (a[3] * a[7] - a[4] * a[6]);
}

/* 1: the basis solves; 0: it does not; -1: its block is singular. */
static int solves_exactly(const int *M, const int *q, unsigned basis)
{
    int index[3], k = 0, block[9], numerator[3] = {0}, d;
    for (int i = 0; i < 3; i++)
        if (basis >> i & 1) index[k++] = i;
    for (int i = 0; i < k * k; i++) block[i] = M[3 * index[i % k] + index[i / k]];
    d = det(k, block);
    if (d == 0) return -1;
    for (int c = 0; c < k; c++) {
        int with[9];
        memcpy(with, block, sizeof with);
        for (int i = 0; i < k; i++) with[i * k + c] = -q[index[i]];
        numerator[index[c]] = det(k, with);
        if (numerator[index[c]] * d < 0) return 0;
    }
    for (int i = 0; i < 3; i++) {
        int w = q[i] * d;
        for (int j = 0; j < 3; j++) w += M[3 * j + i] * numerator[j];
        if (w * d < 0) return 0;
    }
    return 1;
}

START_TEST(all_against_whole_numbers)
{
    generator g = generator_start(11);
    int several = 0;
    for (int trial = 0; trial < 2000; trial++) {
        int M[9], q[3], expected = 0, listed_too = 0;
        double a[9], b[3], z[3];
        for (int i = 0; i < 9; i++) a[i] = M[i] = generator_between(&g, -3, 3);
        for (int i = 0; i < 3; i++) b[i] = q[i] = generator_between(&g, -3, 3);
        listed l = {0};
        perp_result r;
        solve_all(3, a, b, &l, z, &r);
        for (unsigned basis = 0; basis < 8; basis++) {
            bool found = false;
            for (int k = 0; k < l.count; k++) found |= l.basis[k] == basis;
            int exact = solves_exactly(M, q, basis);
            if (exact >= 0) ck_assert_int_eq(found, exact);
            expected += exact == 1;
            listed_too += found && exact >= 0;
        }
        ck_assert_int_eq(listed_too, expected);
        ck_assert_int_eq(l.count - l.faces, expected);
        several += expected > 1;
    }
    ck_assert_int_gt(several, 200);
}
END_TEST

START_TEST(limits)
{
    static double M[20 * 20], q[20], z[20];
    perp_arena a = {0};
    perp_result r;
    perp_lcp_enumerate_options o = perp_lcp_enumerate_defaults();
    for (int i = 0; i < 20; i++) {
        M[21 * i] = 1;
        q[i] = -1;
    }
    perp_problem p = perp_make_lcp(20, perp_dense(20, 20, M), q);
    o.base.max_iter = 1000;
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_MAX_ITER);
    ck_assert_int_eq(r.iterations, 1000);
    o.base.max_iter = 0;
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_MAX_ITER);
    o = perp_lcp_enumerate_defaults(); /* all 2^20: ruled out by signs but for the last */
    ck_assert_int_eq(perp_solve(&p, &o.base, &a, z, NULL, &r), PERP_SOLVED);
    ck_assert(z[0] == 1 && z[19] == 1);
    perp_arena_free(&a);
}
END_TEST

START_TEST(memory)
{
    const double M[] = {0, 0, 1, 0}, q[] = {-1, 1};
    perp_problem p = perp_make_lcp(2, perp_dense(2, 2, M), q);
    solve_starved(&p, perp_find("lcp/enumerate"), PERP_STALLED);
    solve_confined(&p, perp_find("lcp/enumerate"), PERP_STALLED);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lcp/enumerate");
    TCase *t = tcase_create("enumerate");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, singular_bases);
    tcase_add_test(t, no_solution);
    tcase_add_test(t, refuses_large);
    tcase_add_test(t, families);
    tcase_add_test(t, planted_solutions);
    tcase_add_test(t, badly_scaled);
    tcase_add_test(t, all_by_hand);
    tcase_add_test(t, all_against_whole_numbers);
    tcase_add_test(t, limits);
    tcase_add_test(t, memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
