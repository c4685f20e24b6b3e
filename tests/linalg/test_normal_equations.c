/* tests/linalg/test_normal_equations.c: systems with A_a'A_a + e I in both spaces, against
 * products. */
#include "generate_support.h"
#include "linalg/normal_equations.h"

/* (A_a'A_a + e I) x - b, largest entry, for x the answer to b. */
static double error_of(perp_normal_equations *f, const perp_matrix *A, int k, const int *set,
                       double e, const double *b)
{
    perp_arena a = {0};
    double *x = perp_alloc(&a, (size_t)k, sizeof *x), *z = perp_alloc(&a, (size_t)A->n, sizeof *z);
    double *y = perp_alloc(&a, (size_t)A->m, sizeof *y), worst = 0;
    memcpy(x, b, (size_t)k * sizeof *x);
    ck_assert(perp_normal_equations_solve(f, x));
    for (int j = 0; j < k; j++) z[set[j]] = x[j];
    perp_mul(A, 1, z, 0, y);
    perp_mul_t(A, 1, y, 0, z);
    for (int j = 0; j < k; j++) worst = fmax(worst, fabs(z[set[j]] + e * x[j] - b[j]));
    perp_arena_free(&a);
    return worst;
}

/* Few columns, without and with e; many; few again; all. */
START_TEST(sets)
{
    static const double part[] = {0.2, 0.2, 0.7, 0.2, 1, 0};
    static const double shift[] = {0, 0.1, 0.1, 0, 1e-3, 1};
    perp_arena a = {0};
    generated_problem x = problem_make("nnls_jacobian", NULL, 20, 1, &a);
    perp_matrix A = x.p.as.nnls.A;
    generator g = generator_start(6);
    perp_normal_equations f;
    ck_assert(perp_normal_equations_open(&f, &A, &a));
    for (int t = 0; t < 6; t++) {
        int set[200], k = 0;
        double b[200];
        for (int j = 0; j < 200; j++) {
            if (generator_unit(&g) >= part[t]) continue;
            b[k] = generator_uniform(&g);
            set[k++] = j;
        }
        ck_assert_int_eq(perp_normal_equations_factor(&f, k, set, shift[t]), PERP_SOLVED);
        ck_assert(f.rows == (t == 2 || t == 4));
        ck_assert_double_lt(error_of(&f, &A, k, set, shift[t], b), 1e-10);
    }
    perp_arena_free(&a);
}
END_TEST

/* With scaled columns, in both spaces: against a matrix that was scaled before. */
START_TEST(scaled)
{
    perp_arena a = {0};
    generated_problem x = problem_make("nnls_jacobian", NULL, 12, 1, &a);
    perp_matrix A = x.p.as.nnls.A, B = A;
    const struct perp_csc_view *c = &A.as.csc;
    double *values = perp_alloc(&a, (size_t)c->p[A.n], sizeof *values), scale[120], b[120];
    int set[120];
    for (int j = 0; j < 120; j++) {
        set[j] = j;
        scale[j] = 1 + 0.1 * (j % 7);
        b[j] = j % 5 - 2;
        for (int e = c->p[j]; e < c->p[j + 1]; e++) values[e] = scale[j] * c->x[e];
    }
    B.as.csc.x = values;
    for (int k = 40; k <= 120; k += 80) {
        perp_normal_equations f;
        ck_assert(perp_normal_equations_open(&f, &A, &a));
        f.scale = scale;
        ck_assert_int_eq(perp_normal_equations_factor(&f, k, set, 0.01), PERP_SOLVED);
        ck_assert(f.rows == (k == 120));
        ck_assert_double_lt(error_of(&f, &B, k, set, 0.01, b), 1e-10);
    }
    perp_arena_free(&a);
}
END_TEST

/* Columns that repeat: singular without e, not with it. A column of zeros is one, too. */
START_TEST(singular)
{
    const int p[] = {0, 2, 4, 4}, i[] = {0, 1, 0, 1}, set[] = {0, 1, 2};
    const double x[] = {1, 2, 1, 2}, b[] = {3, 3, 1};
    perp_arena a = {0};
    perp_matrix A = perp_csc(5, 3, p, i, x);
    perp_normal_equations f;
    double y[1] = {5};
    ck_assert(perp_normal_equations_open(&f, &A, &a));
    ck_assert(!perp_normal_equations_solve(&f, y)); /* nothing factored yet */
    ck_assert_int_eq(perp_normal_equations_factor(&f, 2, set, 0), PERP_STALLED);
    ck_assert_int_eq(perp_normal_equations_factor(&f, 2, set + 1, 0), PERP_STALLED);
    ck_assert_int_eq(perp_normal_equations_factor(&f, 3, set, 0.5), PERP_SOLVED);
    ck_assert_double_lt(error_of(&f, &A, 3, set, 0.5, b), 1e-14);
    ck_assert_int_eq(perp_normal_equations_factor(&f, 1, set, 0), PERP_SOLVED);
    ck_assert(perp_normal_equations_solve(&f, y));
    ck_assert_double_lt(fabs(y[0] - 1), 1e-15);
    perp_arena_free(&a);
}
END_TEST

/* One full row of A: K stays sparse where A'A would be full. */
START_TEST(a_full_row)
{
    enum { N = 60 };
    int p[N + 1] = {0}, i[2 * N], set[N];
    double x[2 * N], b[N];
    perp_arena a = {0};
    perp_normal_equations f;
    for (int j = 0; j < N; j++) {
        i[2 * j] = j / 3;
        i[2 * j + 1] = N / 3;
        x[2 * j] = 1 + j;
        x[2 * j + 1] = 2;
        b[j] = j % 7;
        p[j + 1] = 2 * j + 2;
        set[j] = j;
    }
    perp_matrix A = perp_csc(N / 3 + 1, N, p, i, x);
    ck_assert(perp_normal_equations_open(&f, &A, &a));
    ck_assert_int_eq(perp_normal_equations_factor(&f, N, set, 0.1), PERP_SOLVED);
    ck_assert(f.rows);
    ck_assert_int_eq(f.K.p[N / 3 + 1], 2 * (N / 3) + 1);
    ck_assert_double_lt(error_of(&f, &A, N, set, 0.1, b), 1e-8);
    perp_arena_free(&a);
}
END_TEST

START_TEST(memory)
{
    static char buffer[1 << 16];
    perp_arena own = {0}, fixed;
    generated_problem x = problem_make("nnls_jacobian", NULL, 5, 1, &own);
    int set[50], failures = 0;
    perp_normal_equations f;
    for (int j = 0; j < 50; j++) set[j] = j;
    perp_arena_fixed(&fixed, buffer, sizeof buffer);
    ck_assert(perp_normal_equations_open(&f, &x.p.as.nnls.A, &fixed));
    ck_assert_int_eq(perp_normal_equations_factor(&f, 9, set, 0.1), PERP_SOLVED);
    perp_arena_fixed(&fixed, buffer, 64);
    ck_assert(!perp_normal_equations_open(&f, &x.p.as.nnls.A, &fixed));
    for (int left = 0; left < 12; left++) {
        supply c = {.left = left};
        perp_arena a = {.resize = scarce, .ctx = &c};
        bool done = perp_normal_equations_open(&f, &x.p.as.nnls.A, &a);
        for (int t = 0; done && t < 2; t++) {
            perp_status s = perp_normal_equations_factor(&f, t ? 50 : 9, set, 0.1);
            ck_assert(s == PERP_SOLVED || s == PERP_E_MEMORY);
            done = !s;
        }
        failures += !done;
        perp_arena_free(&a);
        ck_assert_int_eq(c.out, 0);
    }
    ck_assert(failures > 0 && failures < 12);
    perp_arena_free(&own);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("normal");
    TCase *t = tcase_create("normal");
    tcase_add_test(t, sets);
    tcase_add_test(t, scaled);
    tcase_add_test(t, singular);
    tcase_add_test(t, a_full_row);
    tcase_add_test(t, memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
