/* tests/method/test_semismooth_box.c: the merit of a box, its derivative, directions, searches, and
 * maps that are undefined beyond the box or at some of its points. */
#include "method/semismooth_box.h"

#include "support.h"

#include <check.h>
#include <math.h>
#include <string.h>

static const double M2[] = {2, 1, 1, 2}, q2[] = {-5, -6};
static const double none[9];
#define I INFINITY
static const double endless[] = {I, I, I, I, I, I, I, I, I};
#undef I

typedef struct affine {
    perp_matrix M;
    const double *q;
} affine;

static bool eval_affine(void *ctx, const double *z, double *F)
{
    const affine *f = ctx;
    memcpy(F, f->q, (size_t)f->M.n * sizeof *F);
    perp_mul(&f->M, 1, z, 1, F);
    for (int i = 0; i < f->M.n; i++) {
        if (!(fabs(z[i]) <= 1e10)) return false;
    }
    return true;
}

/* On lo <= z <= hi, with this memory. */
static void open_affine(perp_semismooth_box *s, perp_arena *a, affine *f, const double *lo,
                        const double *hi, int memory)
{
    perp_box_map map = {.J = f->M, .ctx = f, .eval = eval_affine};
    ck_assert(perp_semismooth_box_open(s, a, &map, lo, hi, memory));
}

static double slope_of(const perp_semismooth_box *s)
{
    double slope = 0;
    for (int i = 0; i < s->n; i++) slope += s->g[i] * s->d[i];
    return slope;
}

/* ---- the merit ---- */

/* a + b - |(a, b)| from the definition. */
static long double phi(long double a, long double b)
{
    return a + b - sqrtl(a * a + b * b);
}

static long double merit_at(int n, const double *M, const double *q, const double *lo,
                            const double *hi, const double *z)
{
    long double sum = 0;
    for (int i = 0; i < n; i++) {
        long double F = q[i];
        for (int j = 0; j < n; j++) F += (long double)M[j * n + i] * z[j];
        if (hi[i] < INFINITY) F = -phi((long double)hi[i] - z[i], -F);
        if (lo[i] > -INFINITY) F = phi((long double)z[i] - lo[i], F);
        sum += F * F;
    }
    return sum / 2;
}

/* Bounds of every sort, and those of an LCP. */
static void choose_bounds(bool lcp, double *lo, double *hi)
{
    for (int i = 0; i < 8; i++) {
        lo[i] = lcp || i % 4 < 2 ? 0 : -INFINITY;
        hi[i] = !lcp && i % 2 ? 2 : INFINITY;
    }
}

START_TEST(merit_and_gradient)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        perp_arena a = {0};
        generated g;
        perp_semismooth_box s;
        double z[8], lo[8], hi[8];
        generator rng = generator_start(seed);
        ck_assert(lcp_generate(lcp_family_find("random"), 8, seed, &a, &g));
        choose_bounds(seed % 2, lo, hi);
        affine f = {perp_dense(8, 8, g.M), g.q};
        open_affine(&s, &a, &f, lo, hi, 3);
        for (int i = 0; i < 8; i++) z[i] = 1 + generator_uniform(&rng) / 2;
        ck_assert(perp_semismooth_box_start(&s, z));
        long double merit = merit_at(8, g.M, g.q, lo, hi, z);
        ck_assert(fabsl(s.merit - merit) <= 1e-14L * (1 + merit));
        for (int i = 0; i < 8; i++) { /* central differences */
            double y[8], h = 1e-6;
            memcpy(y, z, sizeof y);
            y[i] = z[i] + h;
            long double up = merit_at(8, g.M, g.q, lo, hi, y);
            y[i] = z[i] - h;
            long double slope = (up - merit_at(8, g.M, g.q, lo, hi, y)) / (2 * h);
            ck_assert(fabsl(slope - s.g[i]) <= 1e-6L * (1 + fabsl(slope)));
        }
        perp_arena_free(&a);
    }
}
END_TEST

/* Tiny beside large: G and b keep their digits. In a corner, z = F = 0, a and b are limits along
 * (1, 1). */
START_TEST(small_beside_large)
{
    const double M[] = {1}, q[] = {1};
    affine f = {perp_dense(1, 1, M), q};
    perp_arena a = {0};
    perp_semismooth_box s;
    double z = 1e-12;
    open_affine(&s, &a, &f, none, endless, 1);
    ck_assert(perp_semismooth_box_start(&s, &z));
    ck_assert_double_eq_tol(s.G[0] / 1e-12, 1, 1e-11);
    ck_assert_double_eq_tol(s.b[0] / 0.5e-24, 1, 1e-11);
    f.q = none;
    z = 0;
    ck_assert(perp_semismooth_box_start(&s, &z));
    ck_assert_double_eq_tol(s.a[0], 1 - sqrt(0.5), 1e-15);
    ck_assert_double_eq_tol(s.b[0], 1 - sqrt(0.5), 1e-15);
    perp_arena_free(&a);
}
END_TEST

/* ---- directions ---- */

START_TEST(directions_descend)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        perp_arena a = {0};
        generated g;
        perp_semismooth_box s;
        ck_assert(lcp_generate(lcp_family_find("nonsymmetric"), 9, seed, &a, &g));
        affine f = {perp_dense(9, 9, g.M), g.q};
        open_affine(&s, &a, &f, none, endless, 1);
        ck_assert(perp_semismooth_box_start(&s, none));
        if (s.merit > 0) {
            ck_assert(perp_semismooth_box_direct(&s, &perp_semismooth_fb, 0));
            ck_assert_double_eq_tol(slope_of(&s) / (-2 * s.merit), 1, 1e-10);
            ck_assert(perp_semismooth_box_direct(&s, &perp_semismooth_fb, 0.1));
            ck_assert_double_lt(slope_of(&s), -0.1 * s.merit);
            ck_assert(perp_semismooth_box_direct_descent(&s));
            ck_assert_double_lt(slope_of(&s), 0);
            double before = s.merit;
            ck_assert(perp_semismooth_box_search(&s, 50));
            ck_assert_double_lt(s.merit, before);
        }
        perp_arena_free(&a);
    }
}
END_TEST

/* M = -1 at (z, F) = (1, -1): with M + 10 I the direction is uphill, and of no use. */
START_TEST(uphill)
{
    const double M[] = {-1}, z[] = {1};
    affine f = {perp_dense(1, 1, M), none};
    perp_arena a = {0};
    perp_semismooth_box s;
    open_affine(&s, &a, &f, none, endless, 1);
    ck_assert(perp_semismooth_box_start(&s, z));
    ck_assert(perp_semismooth_box_direct(&s, &perp_semismooth_fb, 0));
    ck_assert(!perp_semismooth_box_direct(&s, &perp_semismooth_fb, 10));
    perp_arena_free(&a);
}
END_TEST

/* The full step for the natural map is the solution of M z = -q here. */
START_TEST(natural_step)
{
    affine f = {perp_dense(2, 2, M2), q2};
    perp_arena a = {0};
    perp_semismooth_box s;
    open_affine(&s, &a, &f, none, endless, 4);
    ck_assert(perp_semismooth_box_start(&s, none));
    ck_assert_double_eq_tol(perp_semismooth_box_natural(&s), sqrt(61), 1e-14);
    ck_assert(perp_semismooth_box_direct(&s, &perp_semismooth_natural, 0));
    ck_assert(perp_semismooth_box_search(&s, 0));
    ck_assert_double_le(perp_semismooth_box_natural(&s), 1e-14);
    ck_assert_double_eq_tol(s.z[0], 4. / 3, 1e-15);
    ck_assert_double_eq_tol(s.z[1], 7. / 3, 1e-15);
    perp_arena_free(&a);
}
END_TEST

/* z = 0, F = (-5, 0): the second is on its bound without a force. Held, d = (5/2, 0); released, d
 * solves M d = (5, 0). The third is fixed. */
START_TEST(ties)
{
    const double M[] = {2, 1, 0, 1, 2, 0, 0, 0, 1}, q[] = {-5, 0, -1}, lo[3] = {0};
    const double hi[] = {INFINITY, INFINITY, 0};
    affine f = {perp_dense(3, 3, M), q};
    perp_arena a = {0};
    perp_semismooth_box s;
    open_affine(&s, &a, &f, lo, hi, 1);
    ck_assert(perp_semismooth_box_start(&s, none));
    ck_assert(perp_semismooth_box_direct(&s, &perp_semismooth_natural, 0));
    ck_assert_double_eq_tol(s.d[0], 2.5, 1e-14);
    ck_assert(s.d[1] == 0 && s.d[2] == 0);
    ck_assert(perp_semismooth_box_direct(&s, &perp_semismooth_released, 0));
    ck_assert_double_eq_tol(s.d[0], 10. / 3, 1e-14);
    ck_assert_double_eq_tol(s.d[1], -5. / 3, 1e-14);
    ck_assert(s.d[2] == 0);
    perp_arena_free(&a);
}
END_TEST

/* M = ee', F = -(1, 2) 1e-9 far inside: the system is singular but for rounding, with M + e I it is
 * not. A step takes that direction, without e that of Levenberg and Marquardt. */
START_TEST(singular_system)
{
    const double M[] = {1, 1, 1, 1}, q[] = {-2 - 1e-9, -2 - 2e-9}, z[] = {1, 1};
    affine f = {perp_dense(2, 2, M), q};
    perp_arena a = {0};
    perp_semismooth_box s;
    open_affine(&s, &a, &f, none, endless, 1);
    ck_assert(perp_semismooth_box_start(&s, z));
    ck_assert(!perp_semismooth_box_direct(&s, &perp_semismooth_fb, 0) && !s.starved);
    ck_assert(perp_semismooth_box_direct(&s, &perp_semismooth_fb, 1e-8));
    double before = s.merit, to = 1 + s.d[0];
    ck_assert(perp_semismooth_box_step(&s, 5, 1e-8) && s.z[0] == to);
    ck_assert(perp_semismooth_box_start(&s, z));
    ck_assert(perp_semismooth_box_direct_descent(&s));
    ck_assert(to != 1 + s.d[0]);
    to = 1 + s.d[0];
    ck_assert(perp_semismooth_box_step(&s, 5, 0) && s.z[0] == to);
    ck_assert_double_lt(s.merit, before);
    perp_arena_free(&a);
}
END_TEST

/* J is as symmetric as the map says that it can be. */
START_TEST(symmetry)
{
    const double M[] = {2, 1, 1 + 1e-9, 2};
    perp_box_map map = {.J = perp_dense(2, 2, M), .slack = 1e-8};
    perp_arena a = {0};
    perp_semismooth_box s;
    ck_assert(perp_semismooth_box_open(&s, &a, &map, none, endless, 1) && s.system.symmetric);
    map.slack = 1e-10;
    ck_assert(perp_semismooth_box_open(&s, &a, &map, none, endless, 1) && !s.system.symmetric);
    perp_arena_free(&a);
}
END_TEST

/* A string pressed on a floor and a ceiling: the model of an affine problem is the problem. */
START_TEST(model)
{
    const int p[] = {0, 2, 5, 8, 10}, i[] = {0, 1, 0, 1, 2, 1, 2, 3, 2, 3};
    double x[] = {2, -1, -1, 2, -1, -1, 2, -1, -1, 2};
    const double q[] = {-4, 4, -4, 1}, lo[4] = {0}, hi[] = {1, 1, 1, 1}, start[] = {1, 1, 0, 0};
    affine f = {perp_csc(4, 4, p, i, x), q};
    perp_arena a = {0};
    perp_semismooth_box s;
    open_affine(&s, &a, &f, lo, hi, 1);
    ck_assert(perp_semismooth_box_start(&s, start));
    ck_assert(perp_semismooth_box_direct_model(&s, 1e-10, 100));
    ck_assert(perp_semismooth_box_search(&s, 0));
    ck_assert_double_le(perp_semismooth_box_natural(&s), 1e-9);
    ck_assert(s.z[0] == 1 && s.z[1] == 0 && s.z[2] == 1);
    x[0] = -2;
    open_affine(&s, &a, &f, lo, hi, 1);
    ck_assert(perp_semismooth_box_start(&s, start));
    ck_assert(!perp_semismooth_box_direct_model(&s, 1e-10, 100)); /* not definite */
    x[0] = 2;
    x[1] = 1;
    open_affine(&s, &a, &f, lo, hi, 1);
    ck_assert(perp_semismooth_box_start(&s, start));
    ck_assert(!perp_semismooth_box_direct_model(&s, 1e-10, 100)); /* not symmetric */
    perp_arena_free(&a);
}
END_TEST

/* ---- searches ---- */

/* A direction that does not descend leads nowhere, nor does one that is not finite; nor is there a
 * start where F is undefined. */
START_TEST(search_refuses)
{
    static const double bad[] = {NAN, INFINITY, -1e300, 0};
    affine f = {perp_dense(2, 2, M2), q2};
    perp_arena a = {0};
    perp_semismooth_box s;
    double z[2] = {1, 1};
    open_affine(&s, &a, &f, none, endless, 1);
    for (int outside = 0; outside < 2; outside++) {
        for (int t = 0; t < 4; t++) {
            s.map.outside = outside;
            ck_assert(perp_semismooth_box_start(&s, z));
            s.d[0] = bad[t];
            s.d[1] = bad[t];
            ck_assert(!perp_semismooth_box_search(&s, 30));
            ck_assert(s.z[0] == 1 && s.z[1] == 1);
        }
    }
    z[0] = 1e300;
    ck_assert(!perp_semismooth_box_start(&s, z));
    perp_arena_free(&a);
}
END_TEST

/* From 0 along (1, -1): inside the box the second stays on its bound, else it leaves it. */
START_TEST(inside_and_outside)
{
    const double M[] = {1, 0, 0, 1}, q[] = {-1, 1}, start[] = {0, -3};
    affine f = {perp_dense(2, 2, M), q};
    perp_arena a = {0};
    perp_semismooth_box s;
    open_affine(&s, &a, &f, none, endless, 1);
    ck_assert(perp_semismooth_box_start(&s, start) && s.z[1] == 0);
    s.d[0] = 1;
    s.d[1] = -0.01;
    ck_assert(perp_semismooth_box_search(&s, 0) && s.z[0] == 1 && s.z[1] == 0);
    s.map.outside = true;
    ck_assert(perp_semismooth_box_start(&s, none));
    s.d[0] = 1;
    s.d[1] = -0.01;
    ck_assert(perp_semismooth_box_search(&s, 0) && s.z[0] == 1 && s.z[1] == -0.01);
    ck_assert(perp_semismooth_box_start(&s, start) && s.z[1] == -3);
    perp_arena_free(&a);
}
END_TEST

START_TEST(stuck_after_a_while)
{
    affine f = {perp_dense(2, 2, M2), q2};
    perp_arena a = {0};
    perp_semismooth_box s;
    const double z[] = {1, 1};
    int steps = 0;
    open_affine(&s, &a, &f, none, endless, 500);
    ck_assert(perp_semismooth_box_start(&s, z));
    s.steps = 6; /* past those that must descend */
    s.recent[0] = 100;
    while (!perp_semismooth_box_is_stuck(&s) && steps < 1000) {
        s.d[0] = s.d[1] = steps++ % 2 ? 1e-9 : -1e-9;
        ck_assert(perp_semismooth_box_search(&s, 0));
    }
    ck_assert(steps > 10 && steps < 200);
    perp_arena_free(&a);
}
END_TEST

/* M = 0, F = (1, -1) where both should be >= 0: y = (0, 1). With 1 <= 0 asked of an upper bound,
 * y = (-1, 0). Entries that are small beside the largest are noise. */
START_TEST(proof)
{
    const double M[4] = {0}, q[] = {1, -1}, small[] = {-1e-3, -1}, lo[] = {-INFINITY, -INFINITY};
    const double z[] = {1, 1e8}, down[] = {-1e8, -1}, far[] = {1e8, 1e8};
    affine f = {perp_dense(2, 2, M), q};
    perp_arena a = {0};
    perp_semismooth_box s;
    double y[2];
    open_affine(&s, &a, &f, none, endless, 1);
    ck_assert(perp_semismooth_box_start(&s, z));
    perp_semismooth_box_proof(&s, 0, y);
    ck_assert(y[0] == 0 && y[1] > 0);
    f.q = small;
    ck_assert(perp_semismooth_box_start(&s, far));
    perp_semismooth_box_proof(&s, 0, y);
    ck_assert(y[0] > 0 && y[1] > 0);
    perp_semismooth_box_proof(&s, 0.1, y);
    ck_assert(y[0] == 0 && y[1] > 0);
    f.q = q;
    open_affine(&s, &a, &f, lo, none, 1);
    ck_assert(perp_semismooth_box_start(&s, down));
    perp_semismooth_box_proof(&s, 0, y);
    ck_assert(y[0] < 0 && y[1] == 0);
    perp_arena_free(&a);
}
END_TEST

/* ---- maps that are not defined everywhere ---- */

/* F = (exp(z0) - 2 + z1, z1 - z0 - 1/2), and J is undefined beyond z0 = `wall`. */
typedef struct curved {
    double J[4], wall;
    int outside; /* calls where z0 < 0 or z1 > 2 */
} curved;

static bool eval_curved(void *ctx, const double *z, double *F)
{
    curved *c = ctx;
    c->outside += !(z[0] >= 0 && z[1] <= 2);
    F[0] = exp(z[0]) - 2 + z[1];
    F[1] = z[1] - z[0] - 0.5;
    return true;
}

static bool jacobian_curved(void *ctx, const double *z, const double *F)
{
    curved *c = ctx;
    (void)F;
    c->J[0] = z[0] > c->wall ? NAN : exp(z[0]);
    c->J[1] = -1;
    c->J[2] = c->J[3] = 1;
    return z[0] <= c->wall;
}

START_TEST(callbacks)
{
    const double lo[] = {0, -INFINITY}, hi[] = {INFINITY, 2}, far[] = {-3, 9}, near[] = {0.4, 0.9};
    const double beyond[] = {-1, 1}, barred[] = {0.6, 0.9};
    curved c = {.wall = 0.5};
    perp_box_map map = {
        .J = perp_dense(2, 2, c.J), .ctx = &c, .eval = eval_curved, .jacobian = jacobian_curved};
    perp_arena a = {0};
    perp_semismooth_box s;
    ck_assert(perp_semismooth_box_open(&s, &a, &map, lo, hi, 3));
    ck_assert(s.system.symmetric); /* as long as all entries are 0 */
    ck_assert(perp_semismooth_box_start(&s, far) && s.z[0] == 0 && s.z[1] == 2);
    ck_assert(!s.system.symmetric);
    double first = s.merit;
    for (int k = 0; k < 40 && perp_semismooth_box_step(&s, 20, 1e-8); k++) continue;
    ck_assert_double_lt(s.merit, 1e-20 * first);
    ck_assert_double_eq_tol(exp(s.z[0]) + s.z[0], 1.5, 1e-9);
    ck_assert_double_le(perp_semismooth_box_natural(&s), 1e-9);
    double before[] = {s.z[0], s.z[1]}, J = c.J[0];
    ck_assert(!perp_semismooth_box_go(&s, near, s.merit)); /* no better there */
    ck_assert(!perp_semismooth_box_go(&s, barred, INFINITY));
    ck_assert(s.z[0] == before[0] && s.z[1] == before[1] && c.J[0] == J);
    ck_assert(perp_semismooth_box_go(&s, beyond, INFINITY) && s.z[0] == 0 && s.z[1] == 1);
    ck_assert(perp_semismooth_box_go(&s, before, s.merit));
    ck_assert(!perp_semismooth_box_start(&s, barred));
    ck_assert(perp_semismooth_box_start(&s, near));
    s.recent[0] = 100;
    s.steps = 6;
    s.d[0] = 0.2; /* across the wall, and back */
    s.d[1] = 0;
    ck_assert(!perp_semismooth_box_search(&s, 0) && c.J[0] == exp(0.4));
    s.recent[0] = 100;
    s.d[0] = 0.2;
    s.d[1] = 0;
    ck_assert(perp_semismooth_box_search(&s, 1) && s.z[0] == 0.4 + 0.1);
    ck_assert_int_eq(c.outside, 0);
    perp_arena_free(&a);
}
END_TEST

/* Undefined on the bounds: a little inside it is not. */
static bool eval_shy(void *ctx, const double *z, double *F)
{
    (void)ctx;
    for (int i = 0; i < 2; i++) F[i] = log(z[i]) + 1;
    return z[0] > 1e-6 && z[1] > 1e-6;
}

START_TEST(starts_nearby)
{
    const double J[] = {1, 0, 0, 1};
    perp_box_map map = {.J = perp_dense(2, 2, J), .eval = eval_shy};
    perp_arena a = {0};
    perp_semismooth_box s;
    ck_assert(perp_semismooth_box_open(&s, &a, &map, none, endless, 1));
    ck_assert(!perp_semismooth_box_start(&s, none));
    ck_assert(perp_semismooth_box_start_near(&s, none));
    ck_assert(s.z[0] > 0 && s.z[0] < 0.01);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("semismooth_box");
    TCase *t = tcase_create("semismooth_box");
    tcase_add_test(t, merit_and_gradient);
    tcase_add_test(t, small_beside_large);
    tcase_add_test(t, directions_descend);
    tcase_add_test(t, uphill);
    tcase_add_test(t, natural_step);
    tcase_add_test(t, ties);
    tcase_add_test(t, singular_system);
    tcase_add_test(t, symmetry);
    tcase_add_test(t, model);
    tcase_add_test(t, search_refuses);
    tcase_add_test(t, inside_and_outside);
    tcase_add_test(t, stuck_after_a_while);
    tcase_add_test(t, proof);
    tcase_add_test(t, callbacks);
    tcase_add_test(t, starts_nearby);
    suite_add_tcase(s, t);
    return support_run(s);
}
