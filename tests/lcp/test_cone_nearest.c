/* tests/lcp/test_cone_nearest.c: nearest points of cones, judged by the optimality conditions. */
#include "lcp/cone_nearest.h"

#include "base/vector.h"
#include "generate.h"
#include "support.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#define MOST 40

typedef struct buffers {
    double work[8 * MOST * MOST];
    int iwork[4 * MOST];
} buffers;

static double nearest(int m, int n, const double *C, int ld, const double *b, double *x)
{
    buffers *w = malloc(sizeof *w);
    ck_assert_ptr_nonnull(w);
    ck_assert(perp_cone_nearest_work(m, n) <= sizeof w->work / sizeof w->work[0]);
    ck_assert(perp_cone_nearest_iwork(m, n) <= sizeof w->iwork / sizeof w->iwork[0]);
    double distance = perp_cone_nearest(m, n, C, ld, b, x, w->work, w->iwork);
    free(w);
    return distance;
}

/* x >= 0, C'(Cx - b) >= 0, x'C'(Cx - b) = 0, each relative to what its terms are made of; and the
 * reported distance. These conditions are sufficient, the problem being convex. */
static void check_optimal(int m, int n, const double *C, const double *b, const double *x,
                          double distance, double tol)
{
    long double r[MOST], size = 0;
    for (int i = 0; i < m; i++) r[i] = -(long double)b[i];
    for (int j = 0; j < n; j++) {
        ck_assert(x[j] >= 0 && isfinite(x[j]));
        for (int i = 0; i < m; i++) r[i] += (long double)C[j * m + i] * x[j];
        size += vector_norm(m, C + j * m) * x[j];
    }
    size += vector_norm(m, b);
    double sum = 0;
    for (int i = 0; i < m; i++) sum += (double)(r[i] * r[i]);
    ck_assert(fabs(sqrt(sum) - distance) <= tol * (double)size);
    for (int j = 0; j < n; j++) {
        long double g = 0;
        double norm = vector_norm(m, C + j * m);
        for (int i = 0; i < m; i++) g += C[j * m + i] * r[i];
        ck_assert(g >= -tol * norm * (double)size);
        if (x[j] > 0) ck_assert(g <= tol * norm * (double)size);
    }
}

START_TEST(hand_worked)
{
    double x[3];
    const double I[] = {1, 0, 0, 1}, b1[] = {3, -1};
    ck_assert(nearest(2, 2, I, 2, b1, x) == 1);
    ck_assert(x[0] == 3 && x[1] == 0);

    const double C[] = {1, 0, 1, 1}, b2[] = {1, 3}; /* on the edge (1, 1) at 2 */
    ck_assert_double_eq_tol(nearest(2, 2, C, 2, b2, x), sqrt(2), 1e-15);
    ck_assert_double_eq_tol(x[1], 2, 1e-15);
    ck_assert(x[0] == 0);

    const double b3[] = {-2, 1}; /* in the polar cone but for rounding of the angle: apex */
    ck_assert_double_eq_tol(nearest(2, 2, C, 2, b3, x), sqrt(5), 1e-15);
    ck_assert(x[0] == 0 && x[1] == 0);

    const double b4[] = {5, 2}; /* inside: 3 (1, 0) + 2 (1, 1) */
    ck_assert(nearest(2, 2, C, 2, b4, x) <= 1e-15);
    ck_assert_double_eq_tol(x[0], 3, 1e-14);
    ck_assert_double_eq_tol(x[1], 2, 1e-14);
}
END_TEST

START_TEST(empty_and_zero)
{
    double x[2] = {7, 7};
    const double b[] = {3, 4}, Z[] = {0, 0, 0, 0}, nothing[] = {0, 0};
    ck_assert(nearest(2, 0, NULL, 2, b, x) == 5);
    ck_assert(nearest(2, 2, Z, 2, b, x) == 5);
    ck_assert(x[0] == 0 && x[1] == 0);
    ck_assert(nearest(2, 2, Z, 2, nothing, x) == 0);
    ck_assert(nearest(0, 2, Z, 1, b, x) == 0);
    ck_assert(x[0] == 0 && x[1] == 0);
}
END_TEST

START_TEST(leading_dimension)
{
    double x[2];
    const double C[] = {1, 0, 99, 1, 1, 99}, b[] = {5, 2};
    ck_assert(nearest(2, 2, C, 3, b, x) <= 1e-14);
    ck_assert_double_eq_tol(x[0], 3, 1e-14);
}
END_TEST

START_TEST(dependent_columns)
{
    /* three columns of a plane, one of them twice, one opposite to another, one zero */
    const double C[] = {1, 0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 0, -1, 0, 0, 0, 0, 0};
    const double targets[][3] = {{1, 2, 0}, {-3, 1, 2}, {-3, -1, 2}, {4, 1e-9, 0}, {0, 0, -1}};
    for (size_t k = 0; k < sizeof targets / sizeof targets[0]; k++) {
        double x[6];
        double d = nearest(3, 6, C, 3, targets[k], x);
        check_optimal(3, 6, C, targets[k], x, d, 1e-14);
    }
}
END_TEST

START_TEST(any_unit_of_measure)
{
    generator g = generator_start(5);
    for (int k = 0; k < 300; k++) {
        int m = generator_between(&g, 1, 8), n = generator_between(&g, 1, 16);
        double C[8 * 16], S[8 * 16], b[8], x[16], y[16], e = k % 2 ? 12 : 250;
        for (int i = 0; i < m * n; i++) C[i] = generator_uniform(&g);
        for (int i = 0; i < m; i++) b[i] = generator_uniform(&g);
        double d = nearest(m, n, C, m, b, x);
        check_optimal(m, n, C, b, x, d, 1e-13);
        for (int j = 0; j < n; j++) { /* powers of two: the same bits but for the scale */
            double s = exp2(floor(e * generator_uniform(&g)));
            for (int i = 0; i < m; i++) S[j * m + i] = C[j * m + i] * s;
            x[j] /= s;
        }
        ck_assert(nearest(m, n, S, m, b, y) == d);
        for (int j = 0; j < n; j++) ck_assert(y[j] == x[j]);
    }
}
END_TEST

START_TEST(random_cones)
{
    generator g = generator_start(17);
    for (int k = 0; k < 1000; k++) {
        int m = generator_between(&g, 1, 20), n = generator_between(&g, 1, MOST);
        int rank = generator_between(&g, 1, m);
        static double C[20 * MOST];
        double F[20 * 20], b[20], x[MOST];
        bool integer = k % 3 == 0, inside = k % 2 == 0;
        for (int i = 0; i < m * rank; i++) {
            F[i] = integer ? generator_between(&g, -3, 3) : generator_uniform(&g);
        }
        for (int i = 0; i < m; i++) b[i] = inside ? 0 : generator_uniform(&g);
        for (int j = 0; j < n; j++) { /* columns of the range of F, some twice */
            double t[20], u = generator_below(&g, 3);
            for (int r = 0; r < rank; r++) {
                t[r] = integer ? generator_between(&g, -2, 2) : generator_uniform(&g);
            }
            for (int i = 0; i < m; i++) {
                double sum = 0;
                for (int r = 0; r < rank; r++) sum += F[r * m + i] * t[r];
                C[j * m + i] = j > 0 && j % 5 == 0 ? C[(j - 1) * m + i] : sum;
                if (inside) b[i] += u * C[j * m + i];
            }
        }
        double d = nearest(m, n, C, m, b, x);
        check_optimal(m, n, C, b, x, d, 1e-12);
        if (inside) ck_assert(d <= 1e-11 * (1 + vector_norm(m, b)) * n);
    }
}
END_TEST

/* The Farkas alternative that the oracle's infeasibility proof rests on. */
START_TEST(separates)
{
    const double C[] = {1, 0, 0, 1, -1, -2, 0, -3}, b[] = {-1, -1e-3};
    double x[4], y[2];
    const double P[] = {1, 0, 0, 1, 1, 2, 0, 3};
    double d = nearest(2, 4, P, 2, b, x);
    ck_assert_double_eq_tol(d, vector_norm(2, b), 1e-15);
    for (int i = 0; i < 2; i++) y[i] = -b[i];
    for (int j = 0; j < 4; j++) ck_assert(P[2 * j] * y[0] + P[2 * j + 1] * y[1] >= 0);
    ck_assert(nearest(2, 4, C, 2, b, x) <= 1e-15); /* with the signs turned it is inside */
}
END_TEST

int main(void)
{
    Suite *s = suite_create("nearest");
    TCase *t = tcase_create("nearest");
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, empty_and_zero);
    tcase_add_test(t, leading_dimension);
    tcase_add_test(t, dependent_columns);
    tcase_add_test(t, any_unit_of_measure);
    tcase_add_test(t, random_cones);
    tcase_add_test(t, separates);
    suite_add_tcase(s, t);
    return support_run(s);
}
