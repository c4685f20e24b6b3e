/* tests/method/test_extrapolate.c: steps that are followed, those that are not, and what is put
 * back. */
#include "method/extrapolate.h"
#include "support.h"

#include <math.h>

#define N 3

typedef struct machine {
    extrapolation t;
    perp_arena a;
    double x[N], state[1];
} machine;

static void set_up(machine *m, int rest)
{
    *m = (machine){0};
    ck_assert(perp_extrapolate_open(&m->t, &m->a, rest, N, m->x, 1, m->state));
}

/* A "sweep": x_i goes to 1 by a factor; the state is 2 x_0. */
static void sweep(machine *m, double a, double b, double c)
{
    const double factor[N] = {a, b, c};
    perp_extrapolate_step(&m->t);
    for (int i = 0; i < N; i++) m->x[i] = 1 + factor[i] * (m->x[i] - 1);
    m->state[0] = 2 * m->x[0];
}

/* Where all goes by one factor the third step ends at the limit. */
START_TEST(steady)
{
    machine m;
    set_up(&m, 2);
    for (int k = 0; k < 4; k++) sweep(&m, 0.9, 0.9, 0.9);
    ck_assert_double_eq_tol(m.x[0], 1 - pow(0.9, 4), 1e-14);
    perp_extrapolate_step(&m.t);
    for (int i = 0; i < N; i++) ck_assert_double_eq_tol(m.x[i], 1, 1e-13);
    ck_assert_double_eq_tol(m.state[0], 2, 1e-13);
    perp_arena_free(&m.a);
}
END_TEST

/* Steps that turn, grow or are short are left alone, and so is one that is no number. */
START_TEST(unsteady)
{
    const double factor[4][N] = {{0.9, -0.9, 0}, {1.5, 1.5, 1.5}, {0.1, 0.1, 0.1}, {1, 1, 1}};
    for (int k = 0; k < 4; k++) {
        machine m;
        set_up(&m, 0);
        for (int i = 0; i < N; i++) m.x[i] = 1.0 * (i == 2);
        sweep(&m, factor[k][0], factor[k][1], factor[k][2]);
        sweep(&m, factor[k][0], factor[k][1], factor[k][2]);
        double before = m.x[0];
        perp_extrapolate_step(&m.t);
        ck_assert(m.x[0] == before);
        perp_arena_free(&m.a);
    }
}
END_TEST

/* A step of (1, 0, 0), then one of this length that is turned by this cosine; how many of the
 * latter the extrapolation adds. */
static double added(double length, double cosine)
{
    machine m;
    const double e[] = {length * cosine, length * sqrt(1 - cosine * cosine), 0};
    set_up(&m, 0);
    perp_extrapolate_step(&m.t);
    m.x[0] = 1;
    perp_extrapolate_step(&m.t);
    for (int i = 0; i < N; i++) m.x[i] += e[i];
    perp_extrapolate_step(&m.t);
    double times = (m.x[0] - 1) / e[0] - 1;
    perp_arena_free(&m.a);
    return times;
}

/* Followed are steps within acos 0.8 of each other, the second at least 0.2 as long as the first,
 * by 30 of them at most. */
START_TEST(limits)
{
    ck_assert_double_eq_tol(added(0.5, 1), 1, 1e-14);
    ck_assert_double_eq_tol(added(0.9, 0.82), 0.738 / 0.262, 1e-13);
    ck_assert_double_eq_tol(added(0.9, 0.78), 0, 1e-14);
    ck_assert_double_eq_tol(added(0.21, 1), 0.21 / 0.79, 1e-14);
    ck_assert_double_eq_tol(added(0.19, 1), 0, 1e-14);
    ck_assert_double_eq_tol(added(0.96, 1), 24, 1e-11);
    ck_assert_double_eq_tol(added(0.99, 1), 30, 1e-11);
}
END_TEST

/* A extrapolation after which the next step is longer is taken back. */
START_TEST(put_back)
{
    machine m;
    set_up(&m, 0);
    sweep(&m, 0.5, 0.5, 0.5);
    sweep(&m, 0.5, 0.5, 0.5);
    double before = m.x[0];
    perp_extrapolate_step(&m.t);
    ck_assert_double_eq_tol(m.x[0], 1, 1e-15);
    m.x[0] = 7;
    m.state[0] = 14;
    perp_extrapolate_step(&m.t);
    ck_assert(m.x[0] == before && m.state[0] == 2 * before);
    perp_arena_free(&m.a);
}
END_TEST

/* 200 factors between 0 and 0.99: many times fewer sweeps than without. */
START_TEST(linear)
{
    enum { MANY = 200 };
    double x[MANY] = {0};
    perp_arena a = {0};
    extrapolation t;
    int plain = 0, stretched = 0;
    for (double rest = 1; rest > 1e-10; plain++) rest *= 0.99;
    ck_assert(perp_extrapolate_open(&t, &a, 0, MANY, x, 0, NULL));
    for (double rest = 1; rest > 1e-10 && stretched < plain; stretched++) {
        rest = 0;
        perp_extrapolate_step(&t);
        for (int i = 0; i < MANY; i++) {
            x[i] = 1 + 0.99 * i / (MANY - 1) * (x[i] - 1);
            rest = fmax(rest, fabs(x[i] - 1));
        }
    }
    ck_assert_int_lt(stretched, plain / 3);
    perp_arena_free(&a);
}
END_TEST

START_TEST(no_memory)
{
    double buffer[4], x[64] = {0};
    perp_arena a;
    extrapolation t;
    perp_arena_fixed(&a, buffer, sizeof buffer);
    ck_assert(!perp_extrapolate_open(&t, &a, 0, 64, x, 0, NULL));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("extrapolation");
    TCase *t = tcase_create("extrapolation");
    tcase_add_test(t, steady);
    tcase_add_test(t, unsteady);
    tcase_add_test(t, limits);
    tcase_add_test(t, put_back);
    tcase_add_test(t, linear);
    tcase_add_test(t, no_memory);
    suite_add_tcase(s, t);
    return support_run(s);
}
