/* tests/method/test_conjugate.c: the step between two sweeps, by hand, and on a linear iteration.
 */
#include "method/conjugate.h"
#include "support.h"

#include <string.h>

#define N 3

typedef struct machine {
    conjugate c;
    perp_arena a;
    double x[N], state[1];
} machine;

static void set_up(machine *m, bool reeves, bool search, int restart)
{
    *m = (machine){0};
    ck_assert(perp_conjugate_open(&m->c, &m->a, !reeves, search, N, m->x, 1, m->state));
    m->c.restart = restart;
    perp_conjugate_start(&m->c);
}

static double *direction(machine *m)
{
    return m->c.part[0].p;
}

/* A "sweep": x moves by d, the state with it; the state is 2 x_0. */
static void move(machine *m, double a, double b, double c)
{
    const double d[N] = {a, b, c};
    for (int i = 0; i < N; i++) m->x[i] += d[i];
    m->state[0] += 2 * a;
}

START_TEST(fletcher_reeves)
{
    machine m;
    set_up(&m, true, false, 0);
    move(&m, 1, 2, 2);
    ck_assert_double_eq(perp_conjugate_step(&m.c), 9); /* no past: x stays, p = d */
    ck_assert(m.x[0] == 1 && m.x[1] == 2 && direction(&m)[2] == 2 && m.state[0] == 2);
    move(&m, 1, -1, 1);
    ck_assert_double_eq(perp_conjugate_step(&m.c), 3); /* beta = 1/3 */
    ck_assert_double_eq_tol(m.x[0], 2 + 1. / 3, 1e-15);
    ck_assert_double_eq_tol(direction(&m)[1], -1 + 2. / 3, 1e-15);
    ck_assert_double_eq_tol(m.state[0], 2 * m.x[0], 1e-15);
    double before = m.x[0];
    move(&m, 2, 0, 0);
    ck_assert_double_eq_tol(perp_conjugate_step(&m.c), 4,
                            1e-14); /* rises: x stays, p is forgotten */
    ck_assert(m.x[0] == before + 2 && direction(&m)[0] == 0 && direction(&m)[1] == 0 &&
              m.c.part[1].p[0] == 0);
    perp_arena_free(&m.a);
}
END_TEST

/* The same steps by hand: the secant finds where d is orthogonal to p. */
START_TEST(polak_ribiere)
{
    machine m;
    set_up(&m, false, false, 0);
    move(&m, 4, 0, 0);
    ck_assert_double_eq(perp_conjugate_step(&m.c), 16); /* no past: x = p = d = (4, 0, 0) */
    ck_assert(m.x[0] == 4 && direction(&m)[0] == 4);
    move(&m, 3, 1, 0);
    perp_conjugate_step(&m.c);
    /* d.p fell from 16 to 12: t = 4, x = (16, 0, 0), d = (0, 4, 0); beta = 16 / 16 */
    ck_assert(direction(&m)[0] == 4 && direction(&m)[1] == 4);
    ck_assert(m.x[0] == 20 && m.x[1] == 4 && m.state[0] == 40);
    move(&m, 4, 1, 0); /* |d|^2 = 17 > 16: it begins anew */
    perp_conjugate_step(&m.c);
    ck_assert(m.x[0] == 24 && m.x[1] == 5 && direction(&m)[0] == 4 && direction(&m)[1] == 1);
    perp_arena_free(&m.a);
}
END_TEST

START_TEST(restart_after_a_number)
{
    machine m;
    set_up(&m, true, false, 2);
    for (int k = 0; k < 6; k++) {
        move(&m, 1, 0, 0);
        perp_conjugate_step(&m.c);
        ck_assert_int_eq(direction(&m)[0] == 0, k % 3 == 2);
    }
    perp_arena_free(&m.a);
}
END_TEST

/* What was added made the steps no smaller: half of it is taken back, four times at most. */
START_TEST(line_search)
{
    machine m;
    set_up(&m, true, true, 0);
    move(&m, 1, 0, 0);
    perp_conjugate_step(&m.c);
    move(&m, 0.5, 0, 0);
    perp_conjugate_step(&m.c); /* beta = 1/4: x = 1.5 + 0.25 */
    ck_assert_double_eq(m.x[0], 1.75);
    double back = 0.125, at = 1.75;
    for (int k = 0; k < 4; k++, back /= 2) {
        move(&m, 0.5, 0, 0);
        perp_conjugate_step(&m.c);
        at -= back;
        ck_assert_double_eq(m.x[0], at);
        ck_assert_double_eq(m.state[0], 2 * at);
        ck_assert_double_eq(m.c.part[0].from[0], at);
    }
    move(&m, 0.5, 0, 0);
    perp_conjugate_step(&m.c); /* enough: it goes on, with beta = 1 and p = 3/4 */
    ck_assert_double_eq(m.x[0], at + 0.5 + 0.75);
    perp_arena_free(&m.a);
}
END_TEST

/* x <- x + B (b - x) with rates far apart: far fewer steps than the iteration itself. */
START_TEST(linear_iteration)
{
    static const double rate[N] = {0.9, 0.1, 0.01};
    int steps[3];
    for (int how = 0; how < 3; how++) { /* Fletcher and Reeves, Polak and Ribiere, none */
        machine m;
        double f = 1;
        set_up(&m, how != 1, false, 0);
        for (steps[how] = 0; f > 1e-20; steps[how]++) {
            move(&m, rate[0] * (1 - m.x[0]), rate[1] * (1 - m.x[1]), rate[2] * (1 - m.x[2]));
            f = 0;
            for (int i = 0; i < N; i++) f += (1 - m.x[i]) * (1 - m.x[i]);
            if (how < 2)
                perp_conjugate_step(&m.c);
            else
                perp_conjugate_start(&m.c);
        }
        perp_arena_free(&m.a);
    }
    ck_assert_msg(4 * steps[0] < steps[2], "%d against %d", steps[0], steps[2]);
    ck_assert_msg(10 * steps[1] < steps[2], "%d against %d", steps[1], steps[2]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("conjugate");
    TCase *t = tcase_create("conjugate");
    tcase_add_test(t, fletcher_reeves);
    tcase_add_test(t, polak_ribiere);
    tcase_add_test(t, restart_after_a_number);
    tcase_add_test(t, line_search);
    tcase_add_test(t, linear_iteration);
    suite_add_tcase(s, t);
    return support_run(s);
}
