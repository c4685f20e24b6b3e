/* tests/method/test_lemke.c: complementary pivoting: values by hand, paths against a plain long
 * double tableau, degenerate problems that cycle without lexicography, rays. */
#include "generate.h"
#include "method/lemke.h"
#include "support.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the kernel, opened on a problem ---- */

typedef struct path {
    perp_lemke l;
    double *doubles;
    int *ints;
    int n, pivots;
    const double *M, *q; /* M column-major, ld n */
} path;

/* Memory of exactly the promised size, NaN where the kernel has to write first. */
static path open_path(int n, const double *M, const double *q, double cover)
{
    path p = {.n = n, .M = M, .q = q};
    size_t size = perp_lemke_doubles(n);
    void *memory = NULL;
    ck_assert_int_eq(posix_memalign(&memory, 64, size * sizeof(double)), 0);
    p.doubles = memory;
    p.ints = malloc(perp_lemke_ints(n) * sizeof(int));
    for (size_t i = 0; i < size; i++) p.doubles[i] = NAN;
    for (size_t i = 0; i < perp_lemke_ints(n); i++) p.ints[i] = -1000;
    perp_lemke_open(&p.l, n, p.doubles, p.ints);
    for (int j = 0; j < n; j++) {
        double *column = p.l.d.D + (size_t)j * (size_t)p.l.d.ld;
        memcpy(column, M + (size_t)j * (size_t)n, (size_t)n * sizeof *column);
        p.l.d.D[(size_t)n * (size_t)p.l.d.ld + (size_t)j] = cover;
        p.l.d.x[j] = q[j];
    }
    return p;
}

static void close_path(path *p)
{
    free(p->doubles);
    free(p->ints);
}

static perp_lemke_step follow(path *p, int limit)
{
    perp_lemke_step step = perp_lemke_start(&p->l);
    for (p->pivots = 0; step == PERP_LEMKE_PIVOTED && p->pivots < limit; p->pivots++) {
        step = perp_lemke_pivot(&p->l);
    }
    return step;
}

static double y_of(const path *p, int i)
{
    return perp_lemke_value(&p->l, p->n + i);
}

/* y >= 0, v >= 0, v = M y + q, y'v = 0, from M and q. */
static void check_solution(const path *p, double tolerance)
{
    int n = p->n;
    for (int i = 0; i < n; i++) {
        double y = y_of(p, i), v = perp_lemke_value(&p->l, i), w = p->q[i];
        for (int j = 0; j < n; j++) w += p->M[(size_t)j * (size_t)n + (size_t)i] * y_of(p, j);
        ck_assert(y >= -tolerance && v >= -tolerance && (y == 0 || v == 0));
        ck_assert_double_eq_tol(v, w, tolerance);
    }
}

/* The rates are >= 0, not all zero, complementary, and v' = M y' + d t'. */
static void check_ray(const path *p, double cover, double tolerance)
{
    int n = p->n;
    double t = perp_lemke_rate(&p->l, 2 * n), most = t;
    ck_assert(t >= -tolerance);
    for (int i = 0; i < n; i++) {
        double y = perp_lemke_rate(&p->l, n + i), v = perp_lemke_rate(&p->l, i), w = cover * t;
        for (int j = 0; j < n; j++) {
            w += p->M[(size_t)j * (size_t)n + (size_t)i] * perp_lemke_rate(&p->l, n + j);
        }
        ck_assert(y >= -tolerance && v >= -tolerance && (y == 0 || v == 0));
        ck_assert_double_eq_tol(v, w, tolerance);
        most = fmax(most, fmax(y, v));
    }
    ck_assert(most > 0);
}

/* ---- the oracle: a tableau in long double, ties by a rule ---- */

#define MOST 60
typedef enum tie { FIRST, LAST, LEXICOGRAPHIC } tie;

typedef struct tableau {
    int n, entering, basic[MOST], nonbasic[MOST + 1];
    long double A[MOST][MOST + 1], x[MOST];
} tableau;

static void tableau_exchange(tableau *t, int r, int c)
{
    long double p = t->A[r][c], step = -t->x[r] / p;
    for (int i = 0; i < t->n; i++) t->x[i] = i == r ? step : t->x[i] + step * t->A[i][c];
    for (int j = 0; j <= t->n; j++) {
        if (j == c) continue;
        long double b = t->A[r][j] / p;
        for (int i = 0; i < t->n; i++) t->A[i][j] -= t->A[i][c] * b;
        t->A[r][j] = -b;
    }
    for (int i = 0; i < t->n; i++) t->A[i][c] = i == r ? 1 / p : t->A[i][c] / p;
    int out = t->basic[r];
    t->basic[r] = t->nonbasic[c];
    t->nonbasic[c] = out;
    t->entering = out < t->n ? out + t->n : out - t->n;
}

/* Entry k of the row (x_i, row i of B^-1); v_j's column of B^-1 is its column, negated. */
static long double lexicographic_entry(const tableau *t, int i, int k)
{
    if (k == 0) return t->x[i];
    if (t->basic[i] == k - 1) return 1;
    for (int j = 0; j <= t->n; j++) {
        if (t->nonbasic[j] == k - 1) return -t->A[i][j];
    }
    return 0;
}

/* Does row i rather than row r leave? */
static bool leaves_before(const tableau *t, tie rule, int i, int r, int c)
{
    for (int k = 0; k <= (rule == LEXICOGRAPHIC ? t->n : 0); k++) {
        long double a = lexicographic_entry(t, i, k) / -t->A[i][c];
        long double b = lexicographic_entry(t, r, k) / -t->A[r][c];
        if (fabsl(a - b) > 1e-12L) return a < b;
        if (k == 0 && (t->basic[i] == 2 * t->n || t->basic[r] == 2 * t->n)) {
            return t->basic[i] == 2 * t->n;
        }
    }
    return rule == LAST;
}

static void tableau_start(tableau *t, int n, const double *M, const double *q, tie rule)
{
    int r = -1;
    t->n = n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) t->A[i][j] = M[(size_t)j * (size_t)n + (size_t)i];
        t->A[i][n] = 1;
        t->x[i] = q[i];
        t->basic[i] = i;
        t->nonbasic[i] = n + i;
        if (q[i] < 0 && (r < 0 || q[i] < q[r] || (q[i] == q[r] && rule != FIRST))) r = i;
    }
    t->nonbasic[n] = 2 * n;
    if (r >= 0) tableau_exchange(t, r, n);
}

static perp_lemke_step tableau_pivot(tableau *t, tie rule)
{
    int c = 0, r = -1;
    while (t->nonbasic[c] != t->entering) c++;
    for (int i = 0; i < t->n; i++) {
        if (t->A[i][c] < -1e-12L && (r < 0 || leaves_before(t, rule, i, r, c))) r = i;
    }
    if (r < 0) return PERP_LEMKE_RAY;
    int out = t->basic[r];
    tableau_exchange(t, r, c);
    return out == 2 * t->n ? PERP_LEMKE_SOLUTION : PERP_LEMKE_PIVOTED;
}

/* Follow both; the bases must be the same throughout. */
static void check_same_path(int n, const double *M, const double *q, int limit)
{
    static tableau t;
    path p = open_path(n, M, q, 1);
    perp_lemke_step step = perp_lemke_start(&p.l), expected = step;
    tableau_start(&t, n, M, q, LEXICOGRAPHIC);
    for (int k = 0; step == PERP_LEMKE_PIVOTED; k++) {
        ck_assert(k < limit && p.l.entering == t.entering);
        for (int i = 0; i < n; i++) ck_assert_int_eq(p.l.basic[i], t.basic[i]);
        step = perp_lemke_pivot(&p.l);
        expected = tableau_pivot(&t, LEXICOGRAPHIC);
        ck_assert_int_eq(step, expected);
    }
    if (step == PERP_LEMKE_SOLUTION) check_solution(&p, 1e-9);
    if (step == PERP_LEMKE_RAY) check_ray(&p, 1, 1e-9);
    close_path(&p);
}

/* ---- tests ---- */

START_TEST(one_variable)
{
    static const struct {
        double M, q;
        perp_lemke_step end;
        int pivots;
        double y;
    } cases[] = {
        {2, -4, PERP_LEMKE_SOLUTION, 1, 2}, /* y = 2 */
        {2, 4, PERP_LEMKE_SOLUTION, 0, 0},  /* y = 0, at once */
        {0, 0, PERP_LEMKE_SOLUTION, 0, 0},  {-1, 3, PERP_LEMKE_SOLUTION, 0, 0},
        {0, -1, PERP_LEMKE_RAY, 1, 0}, /* 0 y - 1 >= 0 */
        {-3, -1, PERP_LEMKE_RAY, 1, 0},
    };
    for (int k = 0; k < 6; k++) {
        path p = open_path(1, &cases[k].M, &cases[k].q, 1);
        ck_assert_int_eq(follow(&p, 10), cases[k].end);
        ck_assert_int_eq(p.pivots, cases[k].pivots);
        if (cases[k].end == PERP_LEMKE_SOLUTION) {
            ck_assert(y_of(&p, 0) == cases[k].y);
            check_solution(&p, 1e-15);
        } else
            check_ray(&p, 1, 1e-15);
        close_path(&p);
    }
}
END_TEST

START_TEST(no_variable)
{
    double doubles[2048];
    int ints[16];
    perp_lemke l;
    ck_assert(perp_lemke_doubles(0) <= 2048 && perp_lemke_ints(0) <= 16);
    perp_lemke_open(&l, 0, doubles, ints);
    ck_assert_int_eq(perp_lemke_start(&l), PERP_LEMKE_SOLUTION);
}
END_TEST

/* Problems one can solve on paper. */
START_TEST(hand_worked)
{
    static const struct {
        int n;
        double M[16], q[4], y[4];
    } cases[] = {
        {2, {2, 1, 1, 2}, {-5, -6}, {4. / 3, 7. / 3}},
        {2, {2, 0, 0, 3}, {-4, 6}, {2, 0}},
        {2, {0, 1, -1, 0}, {1, -2}, {2, 1}},                         /* skew */
        {3, {1, 2, 2, 0, 1, 2, 0, 0, 1}, {-8, -12, -14}, {8, 0, 0}}, /* Murty, triangular */
        {3, {1, 0, 2, 2, 1, 0, 0, 2, 1}, {-1, -1, -1}, {1. / 3, 1. / 3, 1. / 3}}, /* Kostreva */
        /* min (x1 - 1)^2 + (x2 - 2.5)^2, -x1 + 2 x2 <= 2, x1 + 2 x2 <= 6, x >= 0: (1.4, 1.7),
         * multiplier 0.8 */
        {4,
         {2, 0, 1, -1, 0, 2, -2, -2, -1, 2, 0, 0, 1, 2, 0, 0},
         {-2, -5, 2, 6},
         {1.4, 1.7, 0.8, 0}},
    };
    for (int k = 0; k < 6; k++) {
        path p = open_path(cases[k].n, cases[k].M, cases[k].q, 1);
        ck_assert_int_eq(follow(&p, 100), PERP_LEMKE_SOLUTION);
        for (int i = 0; i < p.n; i++) ck_assert_double_eq_tol(y_of(&p, i), cases[k].y[i], 1e-13);
        check_solution(&p, 1e-13);
        close_path(&p);
        check_same_path(cases[k].n, cases[k].M, cases[k].q, 100);
    }
}
END_TEST

/* Random problems have no ties: there is one path, and the tableau knows it. */
START_TEST(random_paths)
{
    static const char *const names[] = {"pd",   "psd",        "nonsymmetric",
                                        "skew", "copositive", "random"};
    static const int sizes[] = {2, 3, 8, 17, 40, MOST};
    for (int f = 0; f < 6; f++) {
        for (int k = 0; k < 6; k++) {
            for (uint64_t seed = 1; seed <= 4; seed++) {
                perp_arena a = {0};
                generated g;
                ck_assert(lcp_generate(lcp_family_find(names[f]), sizes[k], seed, &a, &g));
                check_same_path(g.n, g.M, g.q, 20000);
                perp_arena_free(&a);
            }
        }
    }
}
END_TEST

/* The number of pivots with which a rule for ties ends; `limit`: it cycles. */
static int pivots_of_rule(int n, const double *M, const double *q, tie rule, int limit)
{
    static tableau t;
    tableau_start(&t, n, M, q, rule);
    int k = 0;
    while (k < limit && tableau_pivot(&t, rule) == PERP_LEMKE_PIVOTED) k++;
    return k;
}

/* P-matrices on which taking the first, or the last, of the tied rows goes round for ever. */
START_TEST(cycling_examples)
{
    static const struct {
        int n;
        tie bad;
        double M[16], q[4];
    } cases[] = {
        {3, FIRST, {1, -2, 2, 2, 1, 0, 0, 2, 1}, {-1, -1, -1}},
        {3, FIRST, {1, -1, 2, 2, 1, -2, -1, 2, 1}, {-1, -1, -1}},
        {3, LAST, {1, 2, -1, -2, 1, 2, 2, -2, 1}, {-1, -1, -1}},
        {3, LAST, {1, 2, -1, -2, 1, 2, 2, 0, 1}, {-1, -1, -1}},
        {4, FIRST, {1, -1, 1, 2, 1, 2, -2, -2, 1, 0, 2, -2, 0, 2, 0, 2}, {-1, -1, -1, -1}},
        {4, LAST, {1, 2, -1, -2, -2, 1, 1, 2, 1, 1, 2, -1, 0, -2, -2, 2}, {-1, -1, -1, -1}},
    };
    for (int k = 0; k < 6; k++) {
        int n = cases[k].n, bases = (n + 1) << n;
        const double *M = cases[k].M, *q = cases[k].q;
        ck_assert_int_eq(pivots_of_rule(n, M, q, cases[k].bad, 10000), 10000);
        path p = open_path(n, M, q, 1);
        ck_assert_int_eq(follow(&p, bases), PERP_LEMKE_SOLUTION);
        check_solution(&p, 1e-13);
        close_path(&p);
        check_same_path(n, M, q, bases);
    }
}
END_TEST

/* The first number of row i of (x, B^-1) that is not zero must be positive: the invariant behind
 * the method's finiteness. */
static void check_lexicographic(const perp_lemke *l)
{
    for (int i = 0; i < l->n; i++) {
        double first = l->d.x[i];
        for (int j = 0; j < l->n && fabs(first) < 1e-9; j++) {
            int k = l->place[j];
            first = k < l->n ? k == i : -perp_dictionary_entry(&l->d, i, k - l->n);
        }
        ck_assert_msg(first > 0, "row %d: %g", i, first);
    }
}

/* Follow to the end; every basis is new, every row lexicographically positive. */
static perp_lemke_step follow_strictly(path *p)
{
    static bool seen[1 << 15];
    int n = p->n, bases = (n + 1) << n;
    ck_assert(2 * n + 1 <= 15);
    memset(seen, 0, sizeof seen);
    perp_lemke_step step = perp_lemke_start(&p->l);
    for (p->pivots = 0; step == PERP_LEMKE_PIVOTED; p->pivots++) {
        unsigned set = 0;
        for (int i = 0; i < n; i++) set |= 1u << p->l.basic[i];
        ck_assert(!seen[set] && p->pivots <= bases);
        seen[set] = true;
        check_lexicographic(&p->l);
        step = perp_lemke_pivot(&p->l);
        ck_assert_int_ne(step, PERP_LEMKE_CYCLE);
    }
    return step;
}

/* M is a P-matrix when m_11 > 0, and M without the first row and column and the Schur complement of
 * m_11 are. */
static bool is_p_matrix(int n, const double *M)
{
    double rest[36], schur[36];
    int h = n - 1;
    if (n == 0) return true;
    if (M[0] < 1e-9) return false;
    for (int j = 0; j < h; j++) {
        for (int i = 0; i < h; i++) {
            rest[j * h + i] = M[(j + 1) * n + i + 1];
            schur[j * h + i] = rest[j * h + i] - M[i + 1] * M[(j + 1) * n] / M[0];
        }
    }
    return is_p_matrix(h, rest) && is_p_matrix(h, schur);
}

/* Small integers, all q equal or of two values: nearly every ratio test ties. */
START_TEST(degenerate_p_matrices)
{
    int count = 0;
    generator g = generator_start(42);
    for (int trial = 0; trial < 60000 && count < 3000; trial++) {
        int n = generator_between(&g, 2, 5);
        double M[25], q[5];
        for (int k = 0; k < n * n; k++) M[k] = generator_between(&g, -2, 2);
        for (int i = 0; i < n; i++) M[i * n + i] = generator_between(&g, 1, 3);
        for (int i = 0; i < n; i++) q[i] = trial % 2 ? -1 : generator_between(&g, -2, -1);
        if (!is_p_matrix(n, M)) continue;
        count++;
        path p = open_path(n, M, q, 1);
        ck_assert_int_eq(follow_strictly(&p), PERP_LEMKE_SOLUTION);
        check_solution(&p, 1e-9);
        close_path(&p);
    }
    ck_assert_int_ge(count, 1000);
}
END_TEST

/* M = A'A + B - B' with few rows in A, rows and columns stated twice, q = w - M z with zeros in
 * both w and z: PSD, feasible, singular and degenerate at once. */
START_TEST(degenerate_psd)
{
    generator g = generator_start(43);
    for (int trial = 0; trial < 4000; trial++) {
        int h = generator_between(&g, 1, 3), n = 2 * h, rank = generator_between(&g, 0, h);
        double S[9] = {0}, M[36], q[6];
        for (int r = 0; r < rank; r++) {
            int a[3] = {generator_between(&g, -1, 1), generator_between(&g, -1, 1),
                        generator_between(&g, -1, 1)};
            for (int k = 0; k < h * h; k++) S[k] += a[k / h] * a[k % h];
        }
        for (int j = 0; trial % 2 && j < h; j++) {
            for (int i = 0; i < j; i++) {
                int b = generator_between(&g, -2, 2);
                S[j * h + i] += b;
                S[i * h + j] -= b;
            }
        }
        for (int k = 0; k < n * n; k++) M[k] = S[k / n % h * h + k % n % h];
        for (int i = 0; i < n; i++) q[i] = generator_below(&g, 2) * generator_below(&g, 2);
        for (int i = h; i < n && trial % 3; i++) q[i] = q[i - h];
        for (int j = 0; j < n; j++) {
            int z = generator_below(&g, 3);
            for (int i = 0; i < n; i++) q[i] -= M[j * n + i] * z;
        }
        path p = open_path(n, M, q, 1);
        ck_assert_int_eq(follow_strictly(&p), PERP_LEMKE_SOLUTION);
        check_solution(&p, 1e-9);
        close_path(&p);
    }
}
END_TEST

/* Whatever the matrix, an end: a solution or a ray, each what it says. */
START_TEST(degenerate_anything)
{
    generator g = generator_start(44);
    int solutions = 0, rays = 0;
    for (int trial = 0; trial < 6000; trial++) {
        int n = generator_between(&g, 1, 7);
        double M[49], q[7];
        for (int k = 0; k < n * n; k++) M[k] = generator_between(&g, -2, 2);
        for (int i = 0; i < n; i++) q[i] = generator_between(&g, -1, trial % 2);
        path p = open_path(n, M, q, 1);
        perp_lemke_step step = follow_strictly(&p);
        if (step == PERP_LEMKE_SOLUTION) {
            check_solution(&p, 1e-9);
            solutions++;
        }
        if (step == PERP_LEMKE_RAY) {
            check_ray(&p, 1, 1e-9);
            rays++;
        }
        close_path(&p);
    }
    ck_assert(solutions > 500 && rays > 500 && solutions + rays == 6000);
}
END_TEST

/* A basis that comes back is noticed. Spoil the path on purpose: undo the last pivot by hand, so
 * that it is made again. */
START_TEST(notices_a_cycle)
{
    perp_arena a = {0};
    generated g;
    ck_assert(lcp_generate(lcp_family_find("skew"), 30, 1, &a, &g));
    path p = open_path(g.n, g.M, g.q, 1);
    perp_lemke_step step = perp_lemke_start(&p.l);
    for (int k = 0; k < 5; k++) step = perp_lemke_pivot(&p.l);
    ck_assert_int_eq(step, PERP_LEMKE_PIVOTED);
    perp_lemke_step end = step;
    int guard = 0;
    while (end == PERP_LEMKE_PIVOTED && guard++ < 200) { /* walk one pivot there and one back */
        int wanted = p.l.entering;
        end = perp_lemke_pivot(&p.l);
        int out = p.l.entering < p.n ? p.l.entering + p.n : p.l.entering - p.n;
        ck_assert(p.l.place[wanted] < p.n);
        p.l.entering = out; /* what just left comes back: the ratio test sends `wanted` out */
    }
    ck_assert_int_eq(end, PERP_LEMKE_CYCLE);
    ck_assert(guard < 20);
    close_path(&p);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("method/lemke");
    TCase *t = tcase_create("lemke");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, one_variable);
    tcase_add_test(t, no_variable);
    tcase_add_test(t, hand_worked);
    tcase_add_test(t, random_paths);
    tcase_add_test(t, cycling_examples);
    tcase_add_test(t, degenerate_p_matrices);
    tcase_add_test(t, degenerate_psd);
    tcase_add_test(t, degenerate_anything);
    tcase_add_test(t, notices_a_cycle);
    suite_add_tcase(s, t);
    return support_run(s);
}
