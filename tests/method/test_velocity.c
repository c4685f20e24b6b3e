/* tests/method/test_velocity.c: products with J M^-1 J' in factors against the dense matrix. */
#include "method/velocity.h"
#include "support.h"

#include <string.h>

#define ROWS 23
#define BODIES 5

typedef struct factors {
    velocity_factors A;
    int body[2 * ROWS], start[BODIES + 1], at[2 * ROWS];
    double J[12 * ROWS], inverse[10 * BODIES];
} factors;

static void random_factors(generator *g, factors *f)
{
    for (int i = 0; i < ROWS; i++) {
        int a = generator_between(g, -1, BODIES - 1), b = generator_between(g, -1, BODIES - 1);
        f->body[2 * i] = a;
        f->body[2 * i + 1] = b == a ? -1 : b;
    }
    for (int k = 0; k < 12 * ROWS; k++) {
        f->J[k] = f->body[k / 6] < 0 ? 0 : generator_uniform(g);
    }
    for (int b = 0; b < BODIES; b++) {
        double *I = f->inverse + 10 * b;
        I[0] = 0.5 + generator_unit(g);
        for (int i = 0; i < 3; i++) {
            I[1 + 4 * i] = 2 + generator_unit(g);
            for (int j = 0; j < i; j++) I[1 + 3 * i + j] = I[1 + 3 * j + i] = generator_uniform(g);
        }
    }
    perp_velocity_index(ROWS, BODIES, f->body, f->start, f->at);
    f->A = (velocity_factors){ROWS, BODIES, f->body, f->J, f->inverse, f->start, f->at};
}

/* Entry (i, j), from the definition. */
static double entry(const factors *f, int i, int j)
{
    double sum = 0;
    for (int s = 0; s < 4; s++) {
        int e = 2 * i + s % 2, d = 2 * j + s / 2, b = f->body[e];
        if (b < 0 || b != f->body[d]) continue;
        const double *x = f->J + 6 * e, *y = f->J + 6 * d, *I = f->inverse + 10 * b;
        for (int k = 0; k < 3; k++) {
            sum += x[k] * I[0] * y[k];
            for (int l = 0; l < 3; l++) sum += x[3 + k] * I[1 + 3 * l + k] * y[3 + l];
        }
    }
    return sum;
}

START_TEST(products)
{
    generator g = generator_start((uint64_t)_i + 1);
    factors f;
    double x[ROWS], y[ROWS], z[ROWS];
    random_factors(&g, &f);
    for (int i = 0; i < ROWS; i++) {
        x[i] = generator_uniform(&g);
        z[i] = generator_uniform(&g);
    }
    for (int i = 0; i < ROWS; i++) {
        double sum = 0;
        for (int j = 0; j < ROWS; j++) sum += entry(&f, i, j) * x[j];
        y[i] = -0.5 * sum + 2 * z[i];
    }
    perp_matrix M = perp_velocity_matrix(&f.A);
    perp_mul(&M, -0.5, x, 2, z);
    ck_assert_double_le(difference(ROWS, y, z), 1e-12);
    for (int i = 0; i < ROWS; i++) z[i] = NAN; /* not read where b = 0 */
    perp_mul(&M, 1, x, 0, z);
    for (int i = 0; i < ROWS; i++) ck_assert(isfinite(z[i]));
}
END_TEST

START_TEST(factors_of_a_matrix)
{
    generator g = generator_start(3);
    factors f;
    random_factors(&g, &f);
    perp_matrix M = perp_velocity_matrix(&f.A), copy = M;
    ck_assert(M.m == ROWS && M.n == ROWS);
    ck_assert_ptr_eq(perp_velocity_factors(&copy), &f.A);
    perp_matrix dense = perp_dense(3, 3, f.J), other = as_operator(&dense);
    ck_assert_ptr_null(perp_velocity_factors(&dense));
    ck_assert_ptr_null(perp_velocity_factors(&other));
    M.format = PERP_FORMAT_CSC; /* what an operator was is not looked at */
    ck_assert_ptr_null(perp_velocity_factors(&M));
}
END_TEST

START_TEST(index_lists_each_row_once)
{
    generator g = generator_start(7);
    factors f;
    int seen[2 * ROWS] = {0}, most = 0;
    random_factors(&g, &f);
    for (int b = 0; b < BODIES; b++) {
        for (int e = f.start[b]; e < f.start[b + 1]; e++) {
            ck_assert_int_eq(f.body[f.at[e]], b);
            ck_assert(e == f.start[b] || f.at[e] > f.at[e - 1]);
            seen[f.at[e]]++;
        }
    }
    for (int e = 0; e < 2 * ROWS; e++) {
        ck_assert_int_eq(seen[e], f.body[e] >= 0);
        most += seen[e];
    }
    ck_assert_int_eq(most, f.start[BODIES]);
    perp_velocity_index(0, 0, NULL, f.start, NULL);
    ck_assert_int_eq(f.start[0], 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("velocity");
    TCase *t = tcase_create("velocity");
    tcase_add_loop_test(t, products, 0, 20);
    tcase_add_test(t, factors_of_a_matrix);
    tcase_add_test(t, index_lists_each_row_once);
    suite_add_tcase(s, t);
    return support_run(s);
}
