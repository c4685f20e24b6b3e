/* tests/method/test_linear_path.c: paths on boxes from given bases: solutions, rays, bounds met by
 * the entering variable itself, variables that are free or fixed, ties without end. */
#include "method/linear_path.h"
#include "support.h"

#include <math.h>
#include <string.h>

#define MOST 40

typedef struct box {
    int n, p[MOST + 1], i[MOST * MOST];
    double x[MOST * MOST], q[MOST], lo[MOST], hi[MOST];
} box;

/* M column by column. */
static void fill(box *b, int n, const double *M, const double *q, const double *lo,
                 const double *hi)
{
    int used = 0;
    b->n = n;
    for (int j = 0; j < n; j++) {
        b->p[j] = used;
        for (int i = 0; i < n; i++) {
            if (M[j * n + i] != 0) {
                b->i[used] = i;
                b->x[used++] = M[j * n + i];
            }
        }
        b->q[j] = q[j];
        b->lo[j] = lo[j];
        b->hi[j] = hi[j];
    }
    b->p[n] = used;
}

static void open_trace(perp_linear_path *t, perp_arena *a, const box *b)
{
    ck_assert(perp_linear_path_open(t, a, b->n, b->p, b->i, b->x, b->q, b->lo, b->hi));
}

static perp_linear_path_step follow(perp_linear_path *t, int most)
{
    perp_linear_path_step step = PERP_LINEAR_PATH_PIVOTED;
    for (int k = 0; k < most && step == PERP_LINEAR_PATH_PIVOTED; k++)
        step = perp_linear_path_pivot(t);
    return step;
}

/* Ralph's path from z, on or between the bounds: d takes the residual there. */
static perp_linear_path_step newton(perp_linear_path *t, const box *b, const double *z, int most)
{
    int n = b->n;
    double F[MOST];
    memcpy(F, b->q, (size_t)n * sizeof *F);
    for (int j = 0; j < n; j++) {
        t->at[j] = z[j];
        t->in[j] = b->lo[j] < z[j] && z[j] < b->hi[j];
        for (int e = b->p[j]; e < b->p[j + 1]; e++) F[b->i[e]] += b->x[e] * z[j];
    }
    if (perp_linear_path_factor(t)) { /* then all are held where they are */
        memset(t->in, 0, (size_t)n * sizeof *t->in);
        ck_assert_int_eq(perp_linear_path_factor(t), PERP_BASIS_DONE);
    }
    for (int j = 0; j < n; j++) {
        double y = t->in[j] ? 0 : -F[j]; /* what the slack can take of it */
        if (y > 0 && z[j] < b->hi[j]) y = 0;
        if (y < 0 && z[j] > b->lo[j]) y = 0;
        t->d[j] = -(F[j] + y);
    }
    perp_linear_path_begin(t, 1);
    return follow(t, most);
}

static void check_solution(const perp_linear_path *t, const box *b, double tol)
{
    int n = b->n;
    double F[MOST];
    memcpy(F, b->q, (size_t)n * sizeof *F);
    for (int j = 0; j < n; j++) {
        double z = perp_linear_path_value(t, n + j);
        for (int e = b->p[j]; e < b->p[j + 1]; e++) F[b->i[e]] += b->x[e] * z;
    }
    for (int j = 0; j < n; j++) {
        double z = perp_linear_path_value(t, n + j),
               natural = z - clip(z - F[j], b->lo[j], b->hi[j]);
        ck_assert_msg(fabs(natural) <= tol, "z[%d] = %g, F = %g in [%g, %g]", j, z, F[j], b->lo[j],
                      b->hi[j]);
        ck_assert_double_eq_tol(perp_linear_path_value(t, j), -F[j], tol);
    }
    ck_assert(perp_linear_path_value(t, 2 * n) == 0);
}

/* One box, three q: at the lower bound, between, and at the upper bound, which z meets on its own
 * way there. */
START_TEST(one)
{
    static const double q[] = {2, -1, -9}, z[] = {0, 0.5, 3};
    const double M = 2, lo = 0, hi = 3;
    for (int k = 0; k < 3; k++) {
        for (double start = 0; start <= 3; start += 1.5) {
            perp_arena a = {0};
            perp_linear_path t;
            static box b;
            fill(&b, 1, &M, &q[k], &lo, &hi);
            open_trace(&t, &a, &b);
            ck_assert_int_eq(newton(&t, &b, &start, 10), PERP_LINEAR_PATH_SOLUTION);
            ck_assert_double_eq_tol(perp_linear_path_value(&t, 1), z[k], 1e-15);
            check_solution(&t, &b, 1e-14);
            perp_arena_free(&a);
        }
    }
}
END_TEST

/* Monotone problems with free, bounded, boxed and fixed variables, from any point. */
START_TEST(monotone)
{
    generator g = generator_start(3);
    for (int k = 0; k < 300; k++) {
        perp_arena a = {0};
        perp_linear_path t;
        static box b;
        int n = 1 + generator_below(&g, MOST);
        double M[MOST * MOST] = {0}, q[MOST], lo[MOST], hi[MOST], z[MOST];
        for (int j = 0; j < n; j++) {
            int kind = generator_below(&g, 5), other = generator_below(&g, n);
            double s = generator_uniform(&g);
            M[j * n + other] += s;
            M[other * n + j] -= s;
            M[j * n + j] += 0.1 + generator_unit(&g);
            q[j] = 3 * generator_uniform(&g);
            lo[j] = kind == 0 || kind == 2 ? -INFINITY : -generator_unit(&g);
            hi[j] = kind == 0 || kind == 1 ? INFINITY : kind == 4 ? lo[j] : generator_unit(&g);
            z[j] = clip(generator_uniform(&g), lo[j], hi[j]);
        }
        fill(&b, n, M, q, lo, hi);
        open_trace(&t, &a, &b);
        ck_assert_int_eq(newton(&t, &b, z, 10 * n), PERP_LINEAR_PATH_SOLUTION);
        check_solution(&t, &b, 1e-9);
        ck_assert(perp_linear_path_polish(&t));
        check_solution(&t, &b, 1e-12);
        perp_arena_free(&a);
    }
}
END_TEST

/* Free variables without a diagonal: the basis of the start is singular, so that they are held and
 * come in one by one. */
START_TEST(held)
{
    /* min x^2 / 2 - x1 - 2 x2, x1 + x2 = 1, x >= 0 */
    const double M[] = {1, 0, 1, 0, 1, 1, -1, -1, 0}, q[] = {-1, -2, -1}, z[] = {0, 0, 0};
    const double lo[] = {0, 0, -INFINITY}, hi[] = {INFINITY, INFINITY, INFINITY};
    perp_arena a = {0};
    perp_linear_path t;
    static box b;
    fill(&b, 3, M, q, lo, hi);
    open_trace(&t, &a, &b);
    ck_assert_int_eq(newton(&t, &b, z, 20), PERP_LINEAR_PATH_SOLUTION);
    check_solution(&t, &b, 1e-14);
    ck_assert_double_eq_tol(perp_linear_path_value(&t, 4), 1, 1e-14);
    perp_arena_free(&a);
}
END_TEST

/* Lemke's start; -z - 1 >= 0 has no z >= 0, and the ray says so. */
START_TEST(ray)
{
    const double M = -1, q = -1, lo = 0, hi = INFINITY;
    perp_arena a = {0};
    perp_linear_path t;
    static box b;
    fill(&b, 1, &M, &q, &lo, &hi);
    open_trace(&t, &a, &b);
    ck_assert_int_eq(perp_linear_path_factor(&t), PERP_BASIS_DONE);
    double t0 = perp_linear_path_cover(&t, NULL);
    ck_assert(t0 == 1 && t.d[0] == 1);
    perp_linear_path_begin(&t, t0);
    ck_assert_int_eq(follow(&t, 10), PERP_LINEAR_PATH_RAY);
    ck_assert(perp_linear_path_polish_ray(&t));
    ck_assert(perp_linear_path_rate(&t, 1) == 1 && perp_linear_path_rate(&t, 2) == 1);
    perp_arena_free(&a);
}
END_TEST

/* All values are 0 at the start, and 1 / 30 times 30 is not 1: the row that leaves is found all the
 * same. */
START_TEST(from_zero)
{
    const double M[] = {1. / 30, 0, 0, 1}, q[] = {-1, -1}, lo[] = {0, 0}, hi[] = {1, 9};
    for (int k = 1; k < 200; k++) {
        perp_arena a = {0};
        perp_linear_path t;
        static box b;
        const double scaled[] = {M[0] * k / 7, 0, 0, 1};
        fill(&b, 2, scaled, q, lo, hi);
        open_trace(&t, &a, &b);
        t.in[0] = t.in[1] = true;
        ck_assert_int_eq(perp_linear_path_factor(&t), PERP_BASIS_DONE);
        t.d[0] = t.d[1] = 1;
        perp_linear_path_begin(&t, 1);
        t.x[0] = t.x[1] = 0;
        ck_assert_int_eq(follow(&t, 9), PERP_LINEAR_PATH_SOLUTION);
        check_solution(&t, &b, 1e-12);
        perp_arena_free(&a);
    }
}
END_TEST

/* Every ratio ties: all q equal, M of ones and zeros. The perturbation leads through. */
START_TEST(ties)
{
    for (int n = 2; n <= MOST; n += 3) {
        for (int kind = 0; kind < 3; kind++) {
            perp_arena a = {0};
            perp_linear_path t;
            static box b;
            double M[MOST * MOST], q[MOST], lo[MOST] = {0}, hi[MOST];
            for (int j = 0; j < n; j++) {
                for (int i = 0; i < n; i++) {
                    M[j * n + i] = kind == 0 ? 1 : kind == 1 ? i == j : i < j ? -1 : i > j;
                }
                q[j] = kind == 2 && j % 2 ? 0 : -1;
                hi[j] = kind == 2 ? 1 : INFINITY;
            }
            fill(&b, n, M, q, lo, hi);
            open_trace(&t, &a, &b);
            if (kind < 2) {
                ck_assert_int_eq(perp_linear_path_factor(&t), PERP_BASIS_DONE);
                perp_linear_path_begin(&t, perp_linear_path_cover(&t, NULL));
                ck_assert_int_eq(follow(&t, 100 * n), PERP_LINEAR_PATH_SOLUTION);
            } else {
                ck_assert_int_eq(newton(&t, &b, lo, 100 * n), PERP_LINEAR_PATH_SOLUTION);
            }
            check_solution(&t, &b, 1e-12);
            perp_arena_free(&a);
        }
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("method/linear_path");
    TCase *t = tcase_create("trace");
    tcase_add_test(t, one);
    tcase_add_test(t, monotone);
    tcase_add_test(t, held);
    tcase_add_test(t, ray);
    tcase_add_test(t, from_zero);
    tcase_add_test(t, ties);
    suite_add_tcase(s, t);
    return support_run(s);
}
